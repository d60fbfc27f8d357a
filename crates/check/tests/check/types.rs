//! Values that cannot be what they are used as.

use crate::shown::added;

/// [FR-74] only nil is false.
#[test]
fn conditions_that_always_hold() {
    insta::assert_snapshot!(added(
        r#"
#model cell
  #property height 0
  #define around (all orthogonal where mark)
#law "Beside another" on place
  (require around "No.")
#sideeffect "Grow" on place
  (if (count cell where mark) (increase height by 1))
  (if (not height) (draw))
  (if (every cell where (walk north from self)) (draw))
"#
    ));
}

#[test]
fn numbers_that_are_none() {
    insta::assert_snapshot!(added(
        r#"
#law "Sums" on place
  (require (> (+ 1 "2") player) "No.")
  (require (< (list 1 2) 3) "No.")
  (require (= (* 2 nil) (- cell 1)) "No.")
"#
    ));
}

#[test]
fn things_that_are_none() {
    insta::assert_snapshot!(added(
        r#"
#sideeffect "Asking the wrong one" on place
  (if (mark of orthogonal) (draw))
  (if (mark of 3) (draw))
  (if (any (walk north from (count cell))) (draw))
  (win self)
  (end turn to 2)
  (move top to 7)
  (move (count cell) to self)
  (move (contents of self) to self)
  (foreach n in 5 (say n))
  (foreach thing in north (say thing))
"#
    ));
}

#[test]
fn two_values_without_else() {
    insta::assert_snapshot!(added(
        r#"
#define worth c (if (mark of c) 1 0)
#sideeffect "Sum" on place
  (worth self)
  (if (> (worth self) 3) (draw))
"#
    ));
}

#[test]
fn places_of_boards_that_are_none() {
    insta::assert_snapshot!(added(
        r#"
#model man
#model hole
#board hole ring 6
#model town
#board town graph
  #link Aa Bb Cc
#sideeffect "Far" on place
  (if (or (man at 1 2) (hole at 1 2) (town at 1) (cell at 1) (cell at 2 2)) (draw))
"#
    ));
}

#[test]
fn comparisons_that_always_come_out_the_same() {
    insta::assert_snapshot!(added(
        r#"
#law "Comparing" on place
  (require (= owner "Ann") "No.")
  (require (!= row "1") "No.")
  (require (= player orthogonal) "No.")
  (require (= player 1) "No.")
"#
    ));
}
