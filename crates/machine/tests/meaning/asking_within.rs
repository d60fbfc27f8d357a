//! `can` and `choices` in the middle of an action that they are about.

use super::*;
use houserules_kernel::{By, perft};
use houserules_machine::compile;

/// Whoever asks whether he could place again tries every place, and each try asks the same: what is known of the
/// candidates inside is not what is known outside.
#[test]
fn a_question_inside_its_own_question_does_not_disturb_it() {
    let text = r#"#game "Toy" #players "X" "O" #turns
#board cell grid 3 3
#model cell #property mark
#action place to cell (set mark to player)
#law "Only empty" on place to cell (require (not mark))
#sideeffect "Again" on place to cell (if (not (can place)) (again))
#law "Sees" after place (require (any (walk orthogonal while (not mark) then (= mark player))))
"#;
    let loaded = houserules_gdl::read_text("test", text);
    let game = compile(&loaded.definition, &Options::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
    game.program().go_native();
    assert_eq!(perft(&mut *game.open().unwrap(), 5, By::Action).unwrap(), [9, 72, 504, 2976, 14640]);
}
