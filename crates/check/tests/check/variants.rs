//! Variants are read as changes of the game.

use crate::shown::added;

/// [FR-15] each variant is checked as the game it makes.
#[test]
fn mistakes_in_a_variant_are_told_once_and_where_they_stand() {
    insta::assert_snapshot!(added(
        r#"
#variant "Lines"
  #sideeffect "A line wins" on place
    (if (line 3 of mrk) (win player))
#variant "Long lines" from "Lines"
  #rule "Only empty cells" instead
    (require (set mark to nil) "No.")
"#
    ));
}
