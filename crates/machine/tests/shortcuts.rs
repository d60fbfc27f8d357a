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

/// Stones come, go and change hands, some of which is taken back; chains are asked for rows and columns in between.
#[test]
fn chains_reach_what_going_through_them_finds() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property spans 0
#model cell
  #property stone
#board cell grid 6 5
#action place to cell
  (set stone to player)
#action wipe to cell
  (set stone to nil)
#law "Only empty cells" on place
  (require (not stone))
#law "Only stones in the first column" on wipe
  (require (and stone (= column 1)))
#sideeffect "What stands above is lost in some columns" on place
  (if (and north (= column 2)) (set (stone of north) to nil))
  (if (and north (= column 5)) (set (stone of north) to opponent))
#sideeffect "A chain from edge to edge counts" on place
  (var chain (group adjacent while (= stone player)))
  (if (and north (= column 3)) (set (stone of north) to player))
  (var ends (if (= player Ann) (all row of chain) else (all column of chain)))
  (if (and (is 1 in ends) (is 3 in ends)) (increase spans by 1))
  (if (is 63 in ends) (win player))
#sideeffect "No chain of Bo reaches the third row and the last column" on place
  (var chain (group adjacent while (= stone Bo)))
  (if (and (is 3 in (all row of chain)) (is 6 in (all column of chain))) (rollback "Too far."))
#sideeffect "Many chains win" on place
  (if (> spans 40) (win player))
"#,
    );
}

/// As above, of stones that only come: what a chain reaches is known from move to move.
#[test]
fn chains_that_only_grow_reach_what_going_through_them_finds() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#model cell
  #property stone
#board cell grid 7 10
#action place to cell
  (set stone to player)
#law "Only empty cells" on place
  (require (not stone))
#sideeffect "From edge to edge" on place
  (var chain (group orthogonal while (= stone player)))
  (var ends (if (= player Ann) (all row of chain) else (all column of chain)))
  (if (and (is 1 in ends) (is 7 in ends)) (win player))
  (if (every cell where stone) (draw))
"#,
    );
}

/// More candidates than a word has bits; an action changes its own place, another one, or none.
#[test]
fn candidates_in_several_words_know_of_every_change() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property turns-left 150
#model cell
  #property stone
#board cell grid 12 12
#action place to cell
  (if (!= row 7) (set stone to player))
#law "Only empty cells" on place
  (require (not stone))
#law "Nobody begins in a corner" on place
  (require (or (> row 1) (> column 1) (< turns-left 100)))
#sideeffect "What stands above goes" on place
  (if (and (= column 3) north) (set (stone of north) to nil))
  (if (= column 6) (rollback "Not there."))
#sideeffect "Time runs out" on place
  (if (= column 5) (set turns-left to (- turns-left 9)))
  (if (< turns-left 1) (draw))
"#,
    );
}

/// Laws about a place and the one beneath it, read off bits; sometimes more than the place played changes.
#[test]
fn candidates_on_top_of_others_are_those_that_laws_let_through() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property remaining 80
#model cell
  #property disc
#board cell grid 6 5
#action drop to cell
  (set disc to player)
#law "Only empty cells" on drop
  (require (not disc))
#law "On another disc" on drop
  (require (or (not south) (disc of south)))
#sideeffect "Three in a line fall" on drop
  (set remaining to (- remaining 1))
  (if (line 3 of disc)
    (set disc to nil)
    (if south (set (disc of south) to "stone")))
#sideeffect "The end" on drop
  (if (every cell where disc) (win player))
  (if (< remaining 1) (draw))
"#,
    );
}
