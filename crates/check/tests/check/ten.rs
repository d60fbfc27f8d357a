//! Ten mistakes in one file.

use crate::shown;

/// [FR-8] ten different mistakes, ten messages.
#[test]
fn ten_different_mistakes() {
    let text = r#"#game "Frogs and toads"
#players "Frog" "Toad"
#turns
#setting size 5 from 6 to 9

#model animal is frog
#model frog is animal
  #symbol "F" "T"
#model pad
  #property lily
  #define beside (all adjacent where empty)
#board pad grid size 1

#action hop to frog with target (beside of plaec)
  (move self to target)

#law "Only your own" on hop
  (set owner to player)
#law "Somewhere to go" on hop
  (require (beside of place) "No.")
#law "Not far" on hop
  (require (< "2" (distance place target)) "No.")

#sideeffect "Croak" on hop
  (send croak to self)
#sideeffect "Home" on hop in hungry
  (if (not (est of place)) (win player))
"#;
    let found = shown::messages(text);
    insta::assert_snapshot!(found);
    assert_eq!(found.lines().filter(|line| line.starts_with("error") || line.starts_with("warning")).count(), 10);
}
