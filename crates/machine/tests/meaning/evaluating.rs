use houserules_kernel::SeatId;

use crate::{open, play, played};

const TOY: &str = r#"
#game "Toy" #players "Ann" "Bo" #turns
#action take with amount (list 1 2)
  (increase (score of player) by amount)
#evaluator "points" (score of player)
#evaluator "lead" (- (score of player) (score of opponent))
#evaluator "nonsense" (at 99 of (list 1))
"#;

/// [CF-6] An evaluator of the definition rates a position for any player, whoever is to move.
#[test]
fn an_evaluator_speaks_for_the_player_it_is_asked_about() {
    let mut position = played(TOY, &["take 2", "take 1"]);
    assert_eq!(position.evaluators(), ["points", "lead", "nonsense"]);
    let before = position.fingerprint();
    let mut rated = |name: &str, seat| position.evaluate(name, SeatId(seat));
    assert_eq!((rated("points", 0), rated("points", 1)), (Some(2.0), Some(1.0)));
    assert_eq!((rated("lead", 0), rated("lead", 1)), (Some(1.0), Some(-1.0)));
    assert_eq!((rated("nonsense", 0), rated("unknown", 0), rated("lead", 2)), (None, None, None));
    assert_eq!(position.fingerprint(), before);
}

#[test]
fn the_last_of_those_asked_at_once_does_not_see_all() {
    let game = r#"
#game "Hands" #players "Ann" "Bo" #turns
#property shown
#action show
  (set shown to (ask seats "Which?" among (list 1 2)))
"#;
    let mut position = open(game);
    assert!(position.sees_all(SeatId(0)));
    play(&mut *position, "show").unwrap();
    assert!(!position.sees_all(SeatId(0)));
    play(&mut *position, "1").unwrap();
    assert!(!position.sees_all(SeatId(1)), "Ann has answered, and Bo may not know what");
    play(&mut *position, "2").unwrap();
    assert!(position.sees_all(SeatId(1)));
}
