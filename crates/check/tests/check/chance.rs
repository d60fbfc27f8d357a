//! Refusals that come too late.

use crate::shown::added;

#[test]
fn a_refusal_after_chance_or_another_player() {
    insta::assert_snapshot!(added(
        r#"
#property die
#action throw
  (set die to (roll 6))
  (require (> die 1) "No.")
#law "No sixes" after throw
  (require (< die 6) "No.")
#action offer to cell
  (send bid to game)
#model game
  #onMessage bid
    (set die to (ask opponent "How much?" among (range 1 6)))
#sideeffect "Too little" on offer
  (if (< die 3) (rollback "Too little."))
"#
    ));
}

#[test]
fn a_question_to_who_acts_may_be_refused() {
    let found = added(
        r#"
#property wish
#action choose
  (set wish to (ask player "Which?" among (list 1 2 3)))
#law "Not the second" after choose
  (require (!= wish 2) "No.")
"#,
    );
    assert_eq!(found, "");
}

/// [FR-123] A rollback that no rule has opened a checkpoint for is told; one that a law or the behavior covers is not.
#[test]
fn rollbacks_without_a_checkpoint() {
    insta::assert_snapshot!(added(
        r#"
#property n 0
#model game
  #onMessage count
    (increase n by 1)
  #onMessage turn
    (if (> n 9) (rollback "Enough."))
#action throw
  (send count to game)
#sideeffect "Too many" on count
  (if (> n 3) (rollback "Too many."))
#action careful
  (increase n by 1)
  (rollback "Always.")
#law "Careful" on careful
  (open checkpoint)
"#
    ));
}
