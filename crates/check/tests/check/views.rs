//! Representations.

use crate::shown::added;

#[test]
fn observing_what_is_not_there() {
    insta::assert_snapshot!(added(
        r#"
#view "Flat" of cell
  #property size 10
  #onMessage start
    (new graphic stone with size size)
    (observe mrak notify changed)
    (observe mark after notify changed)
  #onMessage changed
    (update graphic stone attribute colour to new)
    (set size to siz)
"#
    ));
}
