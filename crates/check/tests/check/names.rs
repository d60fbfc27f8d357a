//! Words that mean nothing, and what was probably meant.

use crate::shown::{added, messages};

/// [FR-8] a misspelt word is met with the right one.
#[test]
fn a_misspelt_property() {
    insta::assert_snapshot!(added(
        r#"
#law "Own row" on place
  (require (= mrak nil) "No.")
"#
    ));
}

#[test]
fn a_word_that_is_like_no_other() {
    insta::assert_snapshot!(messages(
        r#"#game "Sticks"
#players "Ann" "Bo"
#turns
#property sticks 21
#action take with n (range 1 3)
  (decrease sticks by n)
#sideeffect "The last stick loses" on take
  (if (= zebra 0) (lose player))
"#
    ));
}

#[test]
fn a_property_of_somebody_else() {
    insta::assert_snapshot!(added(
        r#"
#model game
  #onMessage stuck
    (if mark (draw))
"#
    ));
}

#[test]
fn a_property_that_the_thing_does_not_have() {
    insta::assert_snapshot!(added(
        r#"
#model player
  #property stock 3
#law "Only while the stock lasts" on place
  (require (> (stok of player) 0) "No.")
#law "Neighbours first" on place
  (require (colour of north) "No.")
#sideeffect "One less" on place
  (decrease (stock of player) by 1)
"#
    ));
}

#[test]
fn a_form_and_a_define_misspelt() {
    insta::assert_snapshot!(added(
        r#"
#define free c (not (mark of c))
#law "Room to the north" on place
  (require (fre north) "No.")
#sideeffect "Over" on place
  (if (evry cell) (draw))
"#
    ));
}

/// The words between its parts show that a form was meant; they are not told as unknown words of their own.
#[test]
fn a_misspelt_form_with_words_between_its_parts() {
    insta::assert_snapshot!(added(
        r#"
#sideeffect "A line wins" on place
  (if (lien 3 of mark) (win player))
#law "Room somewhere" on place
  (require (evry cell where (not mark)) "No.")
#sideeffect "All around" on place
  (forech c in adjacent (set (mark of c) to nil))
"#
    ));
}

#[test]
fn too_many_values_for_a_define() {
    insta::assert_snapshot!(added(
        r#"
#define free c (not (mark of c))
#law "Room around" on place
  (require (and (free north south) free (mark 3)) "No.")
"#
    ));
}

#[test]
fn directions_that_are_not_there() {
    insta::assert_snapshot!(messages(
        r#"#game "Round"
#players "Ann" "Bo"
#turns
#model hole
  #property seeds 4
#model stone
#board hole ring 12
#action sow to hole
  (set seeds to 0)
#model player
  #define ahead forward
#sideeffect "The neighbour gets one" on sow
  (increase (seeds of north) by 1)
  (increase (seeds of (nxt of self)) by 1)
  (foreach h in (walk northwards from self up to 2) (increase (seeds of h) by 1))
"#
    ));
}

#[test]
fn models_rules_and_actions_that_are_not_there() {
    insta::assert_snapshot!(added(
        r#"
#model man
#entity pawn for each player
#law "Never" on place to cel
  (require (can plase) "No.")
#sideeffect "Another" on place
  (if (any (choices place ignoring "Only empty cell")) (new mna at self with owner player))
  (if (is self a square) (draw))
  (send place to "gam")
"#
    ));
}

#[test]
fn attributes_that_no_message_carries() {
    insta::assert_snapshot!(added(
        r#"
#action push to cell with way (directions north east)
  (set mark to (mark of (step wey from self)))
#sideeffect "Away" on push
  (if (attribute wax) (draw))
"#
    ));
}

#[test]
fn names_that_are_taken() {
    insta::assert_snapshot!(added(
        r#"
#model list
#sideeffect "Count" on place
  (var count 3)
  (var north 1)
  (foreach player in seats (say count))
  (var mark north)
  (say mark)
"#
    ));
}

#[test]
fn what_cannot_be_set() {
    insta::assert_snapshot!(added(
        r#"
#setting goal 3 from 1 to 5
#define full (every cell where mark)
#sideeffect "Setting what is fixed" on place
  (set goal to 4)
  (set full to true)
  (set row to 2)
  (set (place of self) to north)
  (set north to nil)
  (set marks to 1)
  (set zebra to goal)
"#
    ));
}

#[test]
fn places_beyond_the_board() {
    insta::assert_snapshot!(messages(
        r#"#game "Corners"
#players "Ann" "Bo"
#turns
#setting size 8 from 3 to 12
#model cell
  #property mark
#board cell grid size size
#action place to cell
  (set mark to player)
#law "Corners first" on place
  (require (or (mark of a1) (mark of d4) (mark of z9)) "No.")
"#
    ));
}

#[test]
fn it_where_nothing_is_looked_at() {
    insta::assert_snapshot!(added(
        r#"
#law "Not twice" on place
  (require (not (mark of it)) "No.")
"#
    ));
}

/// [FR-92] [FR-95] [FR-97] a property made by a behavior is known like a declared one.
#[test]
fn a_property_made_by_a_behavior() {
    let found = added(
        r#"
#model cell
  #onMessage grow
    (new property height as 1)
    (update property height to (+ height 1))
#sideeffect "Grow" on place
  (send grow to self)
  (if (and (= (property height) 2) (property "height" of north)) (draw))
"#,
    );
    assert_eq!(found, "");
}

#[test]
fn a_variable_that_hides_a_model() {
    insta::assert_snapshot!(added(
        "#model man\n#sideeffect \"Come\" on place\n  (var man 3)\n  (new man at self)\n  (if (is self a man) (draw))\n"
    ));
}

#[test]
fn words_of_other_languages_are_told_with_ours() {
    for (form, ours) in [
        ("(print \"Well done.\")", "(say …)"),
        ("(if (> (len cell) 3) (draw))", "(count …)"),
        ("(if (= mark None) (draw))", "nil"),
        ("(if (! mark) (draw))", "(not …)"),
    ] {
        let found = added(&format!("#sideeffect \"Slip\" on place\n  {form}\n"));
        assert!(found.contains(&format!("Here this is `{ours}`.")), "{found}");
        assert_eq!(found.matches("error:").count(), 1, "{found}");
    }
}

/// Players have names, and a rule may be bound to one of them; a name that nobody has is told.
#[test]
fn a_rule_bound_to_a_player() {
    let bound = |to: &str| {
        messages(&format!(
            "#game \"Pay\"\n#players \"Ann\" \"Bo\"\n#turns\n#model player\n  #onMessage pay n\n    (increase score by n)\n\
             #action take with n (list 1 2)\n  (send pay to player with n n)\n\
             #law \"Only one\" on pay to {to}\n  (require (= n 1) \"Only one.\")\n\
             #sideeffect \"End\" on take\n  (if (> (score of player) 5) (win player))\n"
        ))
    };
    assert!(!bound("Bo").contains("Unknown model"), "{}", bound("Bo"));
    assert!(bound("Zoe").contains("Unknown model"));
}
