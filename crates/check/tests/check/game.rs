//! What a game as a whole needs.

use crate::shown::{added, messages};

#[test]
fn a_game_without_players_or_actions() {
    insta::assert_snapshot!(messages("#game \"Nothing\"\n#model cell\n#board cell grid 3 3\n"));
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

/// [FR-12] a setting's first value lies in its range.
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
