//! The plan of every game: who draws, who answers, when each law is asked. A game that has lost a shortcut, or has got
//! one, shows here.

use houserules_library::{Options, find, list};

/// Native code is made of what is played, and says the same on every computer for which there is any.
#[test]
fn the_plan_of_every_game_is_as_it_was() {
    let mut plans = String::new();
    for name in list() {
        let game = find(&name).unwrap().compile(&Options::default()).unwrap();
        let plan = game.program().plan_in_words();
        // Where no native code can be made, every game is played by the interpreter, which is another plan.
        if !game.program().is_native() {
            return;
        }
        plans += &format!("== {name}\n{plan}\n");
    }
    insta::assert_snapshot!(plans);
}
