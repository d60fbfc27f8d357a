//! Checkpoints are a stack: a rollback restores the innermost one, tells its reason and ends the action.

use super::*;

fn said(position: &dyn Position) -> Vec<String> {
    position.said(Viewer::All)
}

/// [FR-118] [FR-119] [FR-120] What the action had done before the checkpoint stays; what came after it is gone, and so is
/// the rest of the action.
#[test]
fn what_was_done_before_the_checkpoint_stays() {
    let text = r#"#game "Toy" #players "X" "O" #turns #property n 0 #property m 0
        #action go (set n to 1) (open checkpoint) (set n to 2) (rollback "Half way.") (set n to 3)
        #sideeffect "After" on go (set m to 1)
        #action stay"#;
    let mut position = open(text);
    assert_eq!(choices(&mut *position), ["go", "stay"], "it is played, not refused");
    play(&mut *position, "go").unwrap();
    assert_eq!(property(&mut *position, "game", "n"), "1");
    assert_eq!(property(&mut *position, "game", "m"), "0", "the rest of the action is abandoned");
    assert_eq!(said(&*position), ["Half way."]);
    assert_eq!(who(&*position), [Who::Seat(houserules_kernel::SeatId(1))], "the turn passes");
}

/// A checkpoint opened when nothing had been changed is the action's own: the move is refused.
#[test]
fn a_rollback_to_where_nothing_had_changed_refuses() {
    for opening in ["(open checkpoint)", "", "(set n to 1) (set n to 0) (open checkpoint)"] {
        let mut position = open(&format!(
            r#"#game "Toy" #players "X" #property n 0
            #action go {opening} (set n to 2) (rollback "No.")
            #action stay"#
        ));
        assert_eq!(choices(&mut *position), ["stay"], "{opening}");
        assert_eq!(refusal(&mut *position, "go").unwrap().reason, "No.");
    }
}

/// [FR-119] The last checkpoint counts, whoever opened it.
#[test]
fn the_innermost_checkpoint_is_restored() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0
        #model game #onMessage inner (increase n by 10) (open checkpoint) (increase n by 100)
        #action go (increase n by 1) (open checkpoint) (send inner to game)
        #law "Begins" on go (open checkpoint)
        #sideeffect "Too far" on go (rollback)"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "11");
    assert_eq!(said(&*position), ["Too far"], "without a reason the rule is named");
}

/// [FR-121] [FR-124] Whatever other things did since is gone, and whoever sent the message does not go on. [FR-40] It is a
/// law that has opened the checkpoint: without it, nothing of the action stays.
#[test]
fn a_rollback_in_a_nested_message_restores_everything() {
    let text = r#"#game "Toy" #players "X" #property n 0
        #model lamp #property lit #onMessage press (set lit to true) (increase (n of game) by 5) (rollback "Broken.")
        #entity lamp
        #action go (set n to 1) (send press to lamp) (set n to 9)
        #action stay
        #law "Here" on press to lamp (open checkpoint)"#;
    assert_eq!(choices(&mut *open(&format!("{text} #rule \"Here\" off"))), ["stay"]);
    let mut position = played(text, &["go"]);
    assert_eq!(property(&mut *position, "game", "n"), "1");
    assert_eq!(property(&mut *position, "lamp", "lit"), "nil");
}

/// What is only tried or supposed has checkpoints of its own.
#[test]
fn a_trial_does_not_touch_the_checkpoints_around_it() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0 #property seen 0
        #action look when asked (set n to 50) (open checkpoint) (set n to 60) (rollback "Looked.")
        #action go
          (set n to 1) (open checkpoint) (set n to 2)
          (set seen to (suppose (new message look to game) n))
          (if (can look) (set n to (+ n 1)))
          (rollback "Back.")"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "1");
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0 #property seen 0
        #action look when asked (set n to 50) (open checkpoint) (set n to 60) (rollback "Looked.")
        #action go (set n to 1) (open checkpoint) (set seen to (suppose (new message look to game) n))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "seen"), "50");
    assert_eq!(property(&mut *position, "game", "n"), "1");
}

/// A question between checkpoint and rollback can be undone and answered otherwise.
#[test]
fn a_checkpoint_outlasts_a_question_and_its_undo() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0 #property last 0
        #action go
          (set n to 1) (open checkpoint) (set n to 2)
          (set last to (ask player "?" among (list 1 2)))
          (if (= last 1) (rollback "One."))"#,
        &["go", "2"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "2");
    assert!(position.undo());
    play(&mut *position, "1").unwrap();
    assert_eq!(property(&mut *position, "game", "n"), "1");
    assert_eq!(property(&mut *position, "game", "last"), "0");
}
