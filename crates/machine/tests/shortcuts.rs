//! What random play and native code know by sets of bits, against the walker and against play without them.

use houserules_kernel::{Generator, Position, Rulebook};
use houserules_machine::lockstep::Lockstep;
use houserules_machine::{Options, compile};

/// Plays in walker, interpreter and native code at once, with moves taken back; then both ways to play out one seed.
fn alike(text: &str) {
    let loaded = houserules_gdl::read_text("test", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let options = Options::default();
    let lockstep = Lockstep::new(&loaded.definition, &options).unwrap_or_else(|faults| panic!("{faults:?}"));
    for seed in 0..40 {
        let mut random = Generator::new(seed);
        let mut position = lockstep.open().unwrap();
        for turn in 0..60 {
            if position.decision().is_over() {
                break;
            }
            position.play_random(&mut random).unwrap();
            if turn % 5 == 4 {
                assert!(position.undo());
            }
        }
    }
    let (interpreted, native) =
        (compile(&loaded.definition, &options).unwrap(), compile(&loaded.definition, &options).unwrap());
    native.program().go_native();
    for seed in 0..200 {
        let played = |mut position: Box<dyn Position>| {
            let plies = position.playout(&mut Generator::new(seed), 300).unwrap();
            (plies, position.decision(), position.fingerprint())
        };
        assert_eq!(played(interpreted.open().unwrap()), played(native.open().unwrap()), "seed {seed}");
    }
}

/// Marks come, go, change hands and are sometimes nobody's; lines of three lengths are looked for while an action may
/// still be taken back.
#[test]
fn lines_known_by_sets_are_those_that_walking_finds() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property lines 0
#model cell
  #property mark
#board cell grid 5 4
#action place to cell
  (set mark to player)
#action wipe to cell
  (set mark to nil)
#action flip to cell
  (set mark to (if (= mark Ann) Bo else (if (= mark Bo) "stone" else Ann)))
#law "Only empty cells" on place
  (require (not mark))
#law "Only taken cells" on wipe flip
  (require mark)
#sideeffect "What stands above changes hands" on place flip
  (if (and (line 2 of mark) north) (set (mark of north) to opponent))
#sideeffect "No four" on place flip
  (if (line 4 of mark) (rollback "No four in a line."))
#sideeffect "Lines count" on place flip wipe
  (if (line 3 of mark) (increase lines by 1))
  (if (every cell where mark) (win player))
  (if (none cell where mark) (win opponent))
  (if (not (can wipe)) (draw))
  (if (> lines 9) (lose player))
"#,
    );
}

/// A seat draws its own holes only, and a hole in another state is nobody's.
#[test]
fn candidates_of_somebody_are_drawn_as_the_laws_say() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property n 0
#model hole
  #property stones 3
  #property owner (if (<= number 4) Ann else Bo)
  #state default
    #onMessage sow
      (decrease stones by 1)
      (set (stones of next) to (+ (stones of next) 1))
      (if (= stones 0) (changeState empty))
  #state empty
    #onMessage sow
      (set stones to 2)
      (changeState default)
#board hole ring 8
#action sow to hole
#law "Only your own" on sow to hole in default
  (require (= owner player))
#law "Only with stones" on sow to hole in default
  (require (> stones 0))
#sideeffect "Enough" on sow
  (increase n by 1)
  (if (or (> n 60) (not (can sow for opponent))) (win player))
"#,
    );
}

/// What lies in the places that count is nothing, a number, a text or a list, changes back and forth within one action, and is
/// tried and taken back; how often a position stood before is asked in the middle.
#[test]
fn positions_of_places_are_met_again_where_the_walker_meets_them() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property met 0
#history cell by player
#model cell
  #property mark
  #property untold 0 untracked
#board cell grid 2 1
#action flip to cell
  (increase untold by 1)
  (set mark to (if (= mark 0) "stone" else
    (if (= mark "stone") (list 1 2) else (if (= mark (list 1 2)) (list 2 1) else (if mark nil else 0)))))
#action swap to cell
  (var other (any cell where (!= it self)))
  (var kept mark)
  (set mark to "kept")
  (set mark to (mark of other))
  (set (mark of other) to kept)
#law "Something else" on swap
  (require (!= mark (mark of (any cell where (!= it self)))))
#sideeffect "Met again" on flip swap
  (increase met by (seen))
  (if (> (seen) 3) (rollback "Often enough."))
  (if (> met 9) (win player))
"#,
    );
}

/// Men of two owners and two states change their places, are taken and made anew: equal men are told apart by where they
/// are only.
#[test]
fn positions_of_men_are_met_again_where_the_walker_meets_them() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property met 0
#history man by player
#model square
#board square grid 3 2
#model man
  #symbol "a" "b" in crowned "A" "B"
#picture
  "ab."
  "ab."
#action step to man with target (walk (directions orthogonal) up to 1 while empty)
  (move self to target)
#action crown to man
  (if (= state "crowned") (changeState default) else (changeState crowned))
#action take to man
  (remove self)
#law "Few are taken" on take
  (require (> (count man) 2))
#sideeffect "Met again" on step crown take
  (increase met by (seen))
  (if (> met 6) (win player))
"#,
    );
}

/// Stones are passed on around a ring and over the edge of a row until a law stops them; whoever cannot begin has lost.
#[test]
fn a_message_that_goes_round_stops_where_a_law_refuses_it() {
    for board in ["ring 7", "grid 7 1"] {
        let way = if board.starts_with("ring") { "next" } else { "east" };
        let text = r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property n 0
#model hole
  #property stones 2
  #property owner (if (<= number 3) Ann else Bo)
  #define beyond origin (if (= WAY origin) (WAY of WAY) else WAY)
  #define full (or (> stones 3) (= state "shut"))
  #state default shut
    #onMessage pass left origin
      (increase stones by 1)
      (if (> left 0) (send pass to (beyond origin) with left (- left 1) origin origin))
  #state default
    #onMessage begin
      (var left stones)
      (set stones to 0)
      (send pass to (beyond self) with left left origin self)
      (if (= stones 1) (changeState shut))
  #state shut
    #onMessage begin
      (changeState default)
#board hole BOARD
#action begin to hole
#law "Only your own" on begin to hole in default
  (require (= owner player))
#law "Only with stones" on begin to hole in default
  (require (> stones 0))
#law "Only where there is room" on pass
  (require (not full))
#sideeffect "The last one is lost" on begin
  (increase n by 1)
  (if (every hole where (< stones 2)) (rollback "Too few."))
  (if (or (> n 50) (not (can begin for opponent))) (win player))
"#;
        alike(&text.replace("WAY", way).replace("BOARD", board));
    }
}
