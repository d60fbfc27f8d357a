//! What is offered can be played: a choice is tried as far as anything could still refuse it.

use super::*;

/// Every choice that is offered is played and taken back.
fn all_can_be_played(position: &mut dyn Position) -> Vec<String> {
    let words = choices(position);
    for words in &words {
        play(position, words).unwrap_or_else(|refusal| panic!("{words}: {refusal}"));
        assert!(position.undo());
    }
    words
}

/// The end of the match is a message like any other, and a law about it refuses the action that brought it about.
#[test]
fn a_win_that_a_law_refuses_is_not_offered() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns #property n 0
        #action go with by (list 1 2) (increase n by by)
        #sideeffect "Win" on go (if (> n 1) (win player))
        #law "Not so soon" after gameover (require (> n 5) "Too soon.")"#,
    );
    assert_eq!(all_can_be_played(&mut *position), ["go 1"]);
    assert_eq!(refusal(&mut *position, "go 2").unwrap().reason, "Too soon.");
}

/// A law on an inner message stops that message only, unless it rolls back.
#[test]
fn a_law_inside_that_rolls_back_refuses_the_action() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0
        #model game #onMessage give by (increase n by by)
        #action go with by (list 1 2) (send give to game with by by)
        #law "Little" on give (if (> by 1) (rollback "Too much."))"#,
    );
    assert_eq!(all_can_be_played(&mut *position), ["go 1"]);
}

/// What a define rolls back is rolled back.
#[test]
fn a_define_that_rolls_back_refuses_the_action() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0
        #define little (if (> n 1) (rollback "Too much.") else n)
        #action go with by (list 1 2) (increase n by by)
        #sideeffect "Count" on go (set n to (+ 1 little))"#,
    );
    assert_eq!(all_can_be_played(&mut *position), ["go 1"]);
}

/// A question among nothing is not asked: what comes after it is looked at like anything else.
#[test]
fn a_question_among_nothing_hides_no_refusal() {
    for question in [
        r#"(set last to (ask player "?" among (list)))"#,
        r#"(set last to (random of (list)))"#,
        r#"(set last to (roll 6 times 0))"#,
        r#"(set last to (ask player "?" some of (list)))"#,
        r#"(let player do never)"#,
        r#"(shuffle (list 1))"#,
    ] {
        let mut position = open(&format!(
            r#"#game "Toy" #players "X" "O" #turns #property n 0 #property last
            #action go with by (list 1 2) (increase n by by) (if (> by 0) {question})
            #action never when asked (set n to 100)
            #law "Never" on never (require nil)
            #law "Little" after go (require (< n 2) "Too much.")"#
        ));
        assert_eq!(all_can_be_played(&mut *position), ["go 1"], "{question}");
    }
}

/// A question that is at fault is a fault wherever it is met.
#[test]
fn a_question_with_a_fault_is_not_offered() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0 #property last
        #action go (set last to (roll (- n 1)))
        #action stay
        #law "Later" after go (require (< n 2))"#,
    );
    assert_eq!(all_can_be_played(&mut *position), ["stay"]);
}

/// [FR-120] A rollback that gives no reason and stands in no rule says so.
#[test]
fn a_rollback_without_a_reason_has_one() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0
        #action go (set n to 1) (rollback) #action stay"#,
    );
    assert_eq!(refusal(&mut *position, "go").unwrap().reason, "It is taken back.");
}
