//! Laws only look; so does everything they ask.

use crate::shown::added;

/// A law may refuse, roll back and open a checkpoint; that is all it may do.
#[test]
fn laws_that_do_more_than_look() {
    insta::assert_snapshot!(added(
        r#"
#model game
  #property tries 0
  #onMessage count
    (set tries to (+ tries 1))
#law "Counting" on place
  (var n 0)
  (increase n by 1)
  (increase tries by n)
  (send count to game)
  (open checkpoint)
  (if (> tries 3) (rollback "Too many tries."))
#law "Luck" on place
  (require (> (roll 6) 3) "No.")
#law "Marking" after place
  (update message attribute done to true)
  (require done "No.")
"#
    ));
}

#[test]
fn defines_conditions_and_domains_that_do_more_than_look() {
    insta::assert_snapshot!(added(
        r#"
#define lucky (> (roll 6) 3)
#define strict (require mark "No.")
#action swap with first (all cell where (set mark to nil)) second (shuffle cell)
  (set mark to (mark of first))
#evaluator "hope" (if lucky 1 else (ask player "How much?" among (list 1 2)))
#sideeffect "Swapped" on swap
  (if (every cell where (send place to it)) (say second))
  (if strict (draw))
"#
    ));
}

#[test]
fn drawing_outside_a_representation() {
    insta::assert_snapshot!(added(
        r#"
#sideeffect "Show" on place
  (new graphic dot with size 3)
"#
    ));
}

#[test]
fn a_law_that_never_refuses() {
    insta::assert_snapshot!(added(
        r#"
#law "Only in the first row" on place
  (= row 1)
#law "Remember this" on place
  (open checkpoint)
"#
    ));
}

#[test]
fn a_law_that_does_not_say_why() {
    let law = |reason: &str| {
        added(&format!(
            "#law \"Only the first row\" on place\n  (require (= row 1){reason})\n#sideeffect \"Row\" on place\n  (require (> row 0))\n"
        ))
    };
    let found = law("");
    assert_eq!(found.matches("A law that does not say why").count(), 1, "{found}");
    assert_eq!(law(" \"Only there.\""), "");
}
