//! What a playout counts.

use houserules_kernel::{Generator, Position};
use houserules_machine::{Options, compile};

fn n_plies(text: &str) -> u64 {
    let loaded = houserules_gdl::read_text("test", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let game = compile(&loaded.definition, &Options::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut position = game.start().unwrap();
    let at_once = position.clone().playout(&mut Generator::new(1), 1000).unwrap();
    // In pieces it is the same number.
    let mut in_pieces = 0;
    let mut generator = Generator::new(1);
    while !position.decision().is_over() {
        in_pieces += position.playout(&mut generator, 2).unwrap();
    }
    assert_eq!(at_once, in_pieces);
    at_once
}

/// Bo can never choose anything: that turn passes and is no ply. A roll and an answer belong to the hop.
#[test]
fn a_turn_without_a_choice_a_roll_and_an_answer_are_no_plies() {
    let text = r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property n 0
#property last
#action hop
  (set last to (roll 6))
  (set last to (ask player "Left or right?" among (list "left" "right")))
  (increase n by 1)
#law "Only Ann hops" on hop
  (require (= player Ann))
#sideeffect "Five are enough" on hop
  (if (= n 5) (win player))
#model game
  #onMessage stuck
    (end turn)
"#;
    assert_eq!(n_plies(text), 5);
}

/// Both answer at once, three times: three plies. Otherwise a game without actions would have none.
#[test]
fn questions_of_the_set_up_are_plies() {
    let text = r#"#game "Toy"
#players "Ann" "Bo"
#property last
#setup
  (foreach n in (range 1 3) (set last to (ask seats "Left or right?" among (list "left" "right"))))
  (win Ann)
"#;
    assert_eq!(n_plies(text), 3);
}

/// A refused try says nothing, however many tries it took to find something legal.
#[test]
fn what_was_tried_and_refused_is_not_said() {
    let text = r#"#game "Toy" #players "X"
        #action push with n (range 1 9) (say "Pushed.")
        #action pass
        #law "Never" after push (require nil)"#;
    let loaded = houserules_gdl::read_text("toy", text);
    let game = compile(&loaded.definition, &Options::default()).unwrap();
    for seed in 0..20 {
        let mut position = game.start().unwrap();
        assert_eq!(position.play_random(&mut Generator::new(seed)), Ok(true));
        assert_eq!(position.said(houserules_kernel::Viewer::All), Vec::<String>::new());
    }
}
