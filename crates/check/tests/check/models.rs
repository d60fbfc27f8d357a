//! Models, parents and names given twice.

use crate::shown::added;

#[test]
fn a_circle_of_parents() {
    insta::assert_snapshot!(added(
        r#"
#model fox is hound
#model hound is hunter
#model hunter is fox
#model sheep is anmal
#model animal
"#
    ));
}

#[test]
fn one_name_for_two_things() {
    insta::assert_snapshot!(added(
        r#"
#model Ann
#setting cell 3
#model ware
  #property worth 1
#entity cell is ware with worth cell price 2
#define twice a a (+ a a)
#define sum (+ 1 2)
#sideeffect "Use" on place
  (if (= (twice 1 2) sum) (draw))
"#
    ));
}

/// A rule may be about one player only.
#[test]
fn a_rule_can_be_bound_to_a_player() {
    let found = added(
        r#"
#model player
  #property points 0
  #onMessage gain
    (increase points by 1)
#sideeffect "Paid" on place
  (send gain to player)
#sideeffect "Ann gains twice" on gain to Ann
  (increase points by 1)
  (if (> points 5) (win self))
"#,
    );
    assert_eq!(found, "");
}
