//! What a game as a whole needs.

use crate::shown::{added, messages};

#[test]
fn a_game_without_players_or_actions() {
    insta::assert_snapshot!(messages("#game \"Nothing\"\n#model cell\n#board cell grid 3 3\n"));
}

/// A game that is only begun is no mistake: what is missing is to do, and what nothing uses yet is not told.
#[test]
fn a_definition_half_built() {
    let told = messages(
        "#game \"Begun\"\n#players \"Ann\" \"Bo\"\n#setting width 3\n#model cell\n  #property mark\n#define lonely 1\n#board cell grid 3 3\n",
    );
    assert!(told.starts_with("to do: A game in which nothing can happen"), "{told}");
    assert!(!told.contains("warning") && !told.contains("error"), "{told}");
}

/// Seats may be the things of a model: as long as there are none, that is to do.
#[test]
fn players_that_are_the_things_of_a_model() {
    let told = |things: &str| {
        messages(&format!(
            "#game \"Seats\"\n#players are person\n#turns\n#model person\n  #property coins 3\n{things}#action pay\n  (decrease (coins of player) by 1)\n\
             #law \"Enough\" on pay\n  (require (> (coins of player) 0) \"You have none.\")\n"
        ))
    };
    let begun = told("");
    assert!(begun.contains("to do: A game without players") && !begun.contains("error"), "{begun}");
    assert_eq!(told("#entity Ann is person\n#entity Bo is person with coins 4\n"), "");
    let wrong =
        messages("#game \"Seats\"\n#players are persona\n#model person\n#entity Ann is person\n#action go (draw)\n");
    assert!(wrong.starts_with("error: Unknown model") && wrong.matches("persona`").count() == 1, "{wrong}");
}

#[test]
fn opponent_in_a_game_for_many() {
    insta::assert_snapshot!(messages(
        r#"#game "Crowd"
#players 3 to 6
#turns
#property leader
#action lead
  (set leader to opponent)
#law "Not twice" on lead
  (require (!= leader player) "No.")
"#
    ));
}

/// A setting's first value lies in its range.
#[test]
fn settings_outside_their_range() {
    insta::assert_snapshot!(added(
        r#"
#setting goal 3 from 4 to 6
#setting most 9 from 9 to 2
#setting mode "long" among "short" "quick"
#setting pace "six" from 2 to 9
#setting depth "6" from 2 to 9
#sideeffect "Use" on place
  (if (and (= goal most) (= mode "short") (= pace depth)) (draw))
"#
    ));
}

#[test]
fn places_named_in_an_unknown_way() {
    insta::assert_snapshot!(added(
        "#model point\n#board point grid 3 3 named points naming tops\n#board point grid 3 3 named more naming zigzag\n"
    ));
}

#[test]
fn pictures_that_do_not_fit() {
    insta::assert_snapshot!(added(
        r#"
#model man
  #symbol "a" "b"
#picture
  "ab.x"
  "...."
  "ba"
#picture mark "AC"
#picture owner "A"
"#
    ));
}

#[test]
fn a_history_of_unknown_things() {
    insta::assert_snapshot!(added("#history cels\n#sideeffect \"Again\" on place\n  (if (> (seen) 1) (draw))\n"));
}

#[test]
fn settings_boards_signs_and_names_that_do_not_fit_together() {
    insta::assert_snapshot!(messages(
        r#"#game "Crowd"
#players 2 to 4 named "Ann" "Bo" "Cy" "Di"
#turns
#setting width (* 2 height) from 1 to 9
#setting height 3 from 0 to 9
#model cell
#board cell grid width height
#model man
  #symbol "a" "b" "c"
#entity man for each player
#action go to man with target cell as "{player} goes to {traget} from {spot}"
  (move self to target)
"#
    ));
}

#[test]
fn words_of_a_setting() {
    insta::assert_snapshot!(added(
        r#"
#setting pace brisk among slow brisk
#setting size 3
#setting goal siez
#sideeffect "Fast" on place
  (if (and (= pace brisk) (= goal size)) (draw))
  (if (= pace "slow") (again))
"#
    ));
}
