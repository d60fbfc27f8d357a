//! Messages, actions and states.

use crate::shown::{added, messages};

/// What nobody answers does nothing in play; the author is told.
#[test]
fn messages_that_nobody_answers() {
    insta::assert_snapshot!(added(
        r#"
#model game
  #onMessage tally
    (draw)
#sideeffect "Count" on place
  (send taly to game)
  (send tally to self)
  (send whisper to north with what 3)
"#
    ));
}

#[test]
fn a_message_to_something_that_is_no_entity() {
    insta::assert_snapshot!(added(
        r#"
#sideeffect "Count" on place
  (send place to (count cell))
  (send place to "nobody")
"#
    ));
}

/// A message without an answer is none, so rules on it are never looked at.
#[test]
fn rules_on_messages_that_nobody_answers() {
    insta::assert_snapshot!(added(
        r#"
#model lamp
  #state lit
    #onMessage press
      (changeState dark)
#entity lamp
#sideeffect "It rings" on place
  (send ring to game)
  (send press to lamp)
#sideeffect "Heard" on ring
  (say "Ding")
#law "Not in the dark" on press to lamp in dark
  (require nil "No.")
#law "Cells too" on press to cell
  (require nil "No.")
#law "Any state" on press to lamp in *
  (require nil "No.")
"#
    ));
}

#[test]
fn rules_on_messages_that_never_come() {
    insta::assert_snapshot!(added(
        r#"
#law "Row by row" on plase
  (require (= row 1) "No.")
#sideeffect "A bell rings" on place ring
  (say "Ding")
"#
    ));
}

/// A hole is filled by what the choice carries; a property of the receiver is no such thing.
#[test]
fn words_of_an_action_with_holes_that_nothing_fills() {
    insta::assert_snapshot!(added(
        r#"
#action slide to cell with target (adjacent of self) as "{self} to {targt} by {player}"
  (set mark to target)
#action wipe to cell as "{self} ({mark})"
  (set mark to nil)
"#
    ));
}

#[test]
fn actions_without_effect() {
    insta::assert_snapshot!(messages(
        r#"#game "Idle"
#players "Ann" "Bo"
#model hole
  #property seeds 3
  #onMessage sowing
    (set seeds to 0)
#board hole ring 6
#action sow to hole
#law "Only full holes" on sow
  (require (> seeds 0) "No.")
"#
    ));
}

/// A state is reached by `changeState`.
#[test]
fn states_that_are_never_entered() {
    insta::assert_snapshot!(added(
        r#"
#model man
  #symbol "a" "b" in crownd "A" "B"
  #onMessage rise
    (changeState crowned)
  #state crowned
    #onMessage fall
      (changeState fallen)
  #state lost
    #onMessage rise
      (changeState default)
#entity man 2 times for each player
#action rise to man
#action fall to man
#law "Only the crowned" on fall in crownd
  (require owner "No.")
"#
    ));
}

/// A model's own property `state` is where its things begin.
#[test]
fn a_state_in_which_things_begin_is_entered() {
    let said = added(
        r#"
#model man
  #property state "asleep"
  #state asleep
    #onMessage wake
      (changeState default)
  #onMessage sleep
    (changeState asleep)
#entity man 2 times for each player
#action wake to man
#action sleep to man
"#,
    );
    assert!(!said.contains("never entered"), "{said}");
}
