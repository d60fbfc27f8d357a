//! What nothing uses.

use crate::shown::{added, messages};

#[test]
fn properties_settings_defines_and_variables() {
    insta::assert_snapshot!(added(
        r#"
#setting goal 3 from 1 to 9
#property turnsPlayed 0
#property leader
#define full (every cell where mark)
#sideeffect "Count" on place
  (var before mark)
  (increase turnsPlayed by 1)
  (if leader (win leader))
"#
    ));
}

#[test]
fn a_computed_name_may_mean_anything() {
    let found = added(
        r#"
#property red 0
#property blue 0
#sideeffect "Count" on place
  (if (property (name of player) of game) (draw))
"#,
    );
    assert_eq!(found, "");
}

#[test]
fn what_only_a_variant_uses_is_used() {
    let found = messages(&format!(
        "{}{}",
        crate::shown::GRID,
        r#"
#define full (every cell where mark)
#variant "Draws"
  #sideeffect "Full" on place
    (if full (draw))
"#
    ));
    assert_eq!(found, "");
}
