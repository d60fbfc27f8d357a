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
