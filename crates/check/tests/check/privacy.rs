//! Behaviors keep to their own entity; laws keep secrets.

use crate::shown::{added, messages};

const HOLES: &str = r#"#game "Holes"
#players "Ann" "Bo"
#turns
#model hole
  #property seeds 4
  #onMessage sow
    (increase (seeds of next) by seeds)
    (if (> (seeds of previous) 3) (set seeds to 0))
    (changeState done of next)
  #state done
  #onMessage rest
    (set (seeds of self) to 1)
#board hole ring 6
#action sow to hole
#action rest to hole
"#;

/// A behavior that changes another entity's property is an error, and so is one that reads it.
#[test]
fn behaviors_that_reach_into_others() {
    insta::assert_snapshot!(messages(HOLES));
}

#[test]
fn open_properties_lift_both() {
    let open = HOLES.replace("#turns", "#turns\n#properties open");
    assert_eq!(messages(&open), "");
}

/// Laws and side-effects read every entity, side-effects change every entity.
#[test]
fn rules_may_reach_into_others() {
    let found = added(
        r#"
#law "Beside another" on place
  (require (or (mark of north) (none cell where mark)) "No.")
#sideeffect "Spread" on place
  (set (mark of south) to (mark of self))
"#,
    );
    assert_eq!(found, "");
}

#[test]
fn a_law_that_gives_a_secret_away() {
    insta::assert_snapshot!(added(
        r#"
#model cell
  #property mine seen by nobody
  #property ship seen by owner
#model player
  #property money 3 seen by self
#setup
  (foreach c in (list a1 b2) (set (mine of c) to true) (set (ship of c) to true))
#law "Not onto a mine" on place
  (require (not mine) "No.")
#law "Not beside ships" on place
  (require (none adjacent where ship) "No.")
#law "Who can pay" on place
  (require (> (money of player) 0) "No.")
"#
    ));
}

#[test]
fn a_law_that_gives_a_secret_away_through_a_define() {
    insta::assert_snapshot!(added(
        r#"
#model cell
  #property mine seen by nobody
  #define near (count adjacent where mine)
  #define safe (= near 0)
#setup
  (foreach c in (list a1 b2) (set (mine of c) to true))
#law "Not beside a mine" on place
  (require safe "No.")
"#
    ));
}

#[test]
fn a_law_about_things_made_for_who_acts_keeps_their_secrets() {
    let game = |to: &str| {
        format!(
            r#"#game "Seas"
#players "Ann" "Bo"
#turns
#model cell
  #property ship seen by owner
#board cell grid 3 3 named sea for each player
#action deploy to {to}
  (set ship to true)
#law "Ships do not overlap" on deploy
  (require (not ship) "No.")
"#
        )
    };
    let own = messages(&game("(sea of player)"));
    assert!(!own.contains("gives a secret away"), "{own}");
    for other in ["cell", "(sea of opponent)"] {
        let other = messages(&game(other));
        assert!(other.contains("gives a secret away"), "{other}");
    }
}

/// What a define asks of who acts is no secret to them, nor is a parameter that is called like something hidden.
#[test]
fn a_define_about_who_acts_gives_nothing_away() {
    let game = |asked: &str| {
        format!(
            r#"#game "Dice"
#players "Ann" "Bo"
#turns
#define held cup (is cup in {asked})
#model player
  #property dice (list 1 2) seen by self
  #property cup seen by nobody
#action show with n (range 1 6)
#law "Only what is held" on show
  (require (held n) "No.")
#sideeffect "Shown" on show
  (set (dice of player) to (list n))
  (set (cup of player) to n)
"#
        )
    };
    let own = messages(&game("(dice of player)"));
    assert!(!own.contains("gives a secret away"), "{own}");
    for other in ["(dice of opponent)", "(list (cup of player))"] {
        let other = messages(&game(other));
        assert!(other.contains("gives a secret away"), "{other}");
    }
}
