//! Random play of the interpreter and of native code: one seed, one match.

use super::*;
use houserules_kernel::{Fingerprint, Generator};
use houserules_machine::compile;

/// Plays a match out as the interpreter and as native code, at once and in pieces; gives its plies.
fn played_out(text: &str, seed: u64, most: u64) -> u64 {
    let loaded = houserules_gdl::read_text("test", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let played = |native: bool| -> (u64, Decision, Fingerprint) {
        let game = compile(&loaded.definition, &Options::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
        if native {
            game.program().go_native();
        }
        let mut position = game.open().unwrap();
        let plies = position.playout(&mut Generator::new(seed), most).unwrap_or_else(|refusal| panic!("{refusal}"));
        (plies, position.decision(), position.fingerprint())
    };
    let interpreted = played(false);
    assert_eq!(played(true), interpreted, "seed {seed}");
    interpreted.0
}

/// Native code cannot wait for the answer and gives up in the middle of the message: what the interpreter then does must
/// begin with the action and nothing else.
#[test]
fn what_a_message_does_before_it_asks_is_done_once() {
    let text = r#"#game "Toy"
#players "X" "O"
#turns
#property total 0
#model game
  #onMessage give (increase total by 1) (ask X "?" among (list 1 2))
#action go (send give to game)
#sideeffect "End" on go (if (> total 20) (draw))
"#;
    for seed in 0..20 {
        assert_eq!(played_out(text, seed, 1000), 21);
    }
}

/// The same with attributes, which would be those of another message.
#[test]
fn attributes_of_a_message_that_asks_are_its_own() {
    let text = r#"#game "Toy"
#players "X" "O"
#turns
#property total 0
#model cell
  #property n 0
  #onMessage give by (increase n by by) (increase total by by) (ask X "?" among (list 1 2)) (increase total by by)
#board cell grid 2 2
#action go to cell with step (list 1 2)
  (send give to self with by step)
#sideeffect "End" on go (if (> total 40) (draw))
"#;
    for seed in 0..20 {
        assert!((11..=21).contains(&played_out(text, seed, 1000)));
    }
}

/// Two thousand answers are too many for one ply, not for a match.
#[test]
fn a_long_match_may_ask_as_often_as_it_likes() {
    let text = r#"#game "Toy"
#players "X" "O"
#turns
#property n 0
#property last
#action go
  (set last to (ask seats "?" among (list 1 2)))
  (increase n by 1)
#sideeffect "End" on go (if (= n 1500) (draw))
"#;
    assert_eq!(played_out(text, 1, 10_000), 1500);
}

/// To draw, to try and to draw again is one question: a hundred tries do not have a hundred budgets.
#[test]
fn a_random_choice_has_one_budget() {
    let text = r#"#game "Toy" #players "X" "O" #turns #model cell #property mark #board cell grid 10 10
        #action place to cell (set mark to player)
        #law "Only the first" on place
          (var k 0)
          (if (!= self a1) (while (< k 10000) (set k to (+ k 1))))
          (require (= self a1))"#;
    let loaded = houserules_gdl::read_text("test", text);
    let budget = houserules_model::Budget { steps: 200_000, ..Default::default() };
    let game = houserules_machine::compile(&loaded.definition, &Options { budget, ..Options::default() }).unwrap();
    let mut stopped = 0;
    for seed in 1..=20 {
        let mut position = game.start().unwrap();
        match position.play_random(&mut Generator::new(seed)) {
            Ok(_) => assert_eq!(property(&mut position, "a1", "mark"), "X"),
            Err(refusal) => {
                assert!(refusal.reason.contains("ran too long"), "{refusal}");
                stopped += 1;
            }
        }
    }
    assert!(stopped > 10, "{stopped}");
}
