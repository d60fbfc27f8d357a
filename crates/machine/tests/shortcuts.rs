//! What random play and native code know by sets of bits, against the walker and against play without them.

use houserules_kernel::{Generator, Position, Rulebook, laws};
use houserules_machine::lockstep::Lockstep;
use houserules_machine::{Options, Program, compile};
use std::sync::Arc;

/// Plays in walker, interpreter and native code at once, with moves taken back; then both ways to play out one seed; then
/// holds what is drawn against what is listed.
fn alike(text: &str) -> Arc<Program> {
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
    // Both could leave out the same choices.
    for seed in 0..30 {
        let (mut position, mut random) = (native.open().unwrap(), Generator::new(seed));
        let goes_on = (0..seed).all(|_| position.is_over() || position.play_random(&mut random) == Ok(true));
        if goes_on && !position.is_over() {
            laws::uniform(&mut *position, seed, 1000).unwrap_or_else(|broken| panic!("after {seed} plies: {broken}"));
        }
    }
    native.program().clone()
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

/// Things step, take, push and jump over each other by what lies beside them and behind that; some are crowned, some lie
/// on top of others, some belong to nobody, and laws look at where they go.
#[test]
fn steps_found_by_bits_are_those_that_walking_finds() {
    let program = alike(
        r#"#game "Toy"
#players "Ann" facing north "Bo" facing south
#turns
#property jumper
#model square
#board square grid 6 5
#model man
  #define ways (if (= state "crowned") (directions adjacent) else (directions forward-diagonal forward))
#model rock
#setup
  (foreach s in square
    (if (= (row of s) 1) (new man at s with owner Ann))
    (if (= (row of s) 5) (new man at s with owner Bo))
    (if (= (name of s) "c3") (new rock at s)))
#action step to man with target (walk ways up to 1 while empty)
  (move self to target)
#action sidle to man with target orthogonal
  (if (and (top of target) (= (owner of (top of target)) opponent)) (remove (top of target)))
  (move self to target)
#action jump to man with over (walk ways up to 1 while (= (owner of top) opponent) until empty)
  (move self to (step (toward place over) from over))
  (remove (top of over))
#law "Only your own men" on step sidle jump
  (require (= owner player))
#law "Who can jump must jump" on step
  (require (not (can jump)))
#law "Who jumped last jumps again" on jump
  (require (or (not jumper) (!= jumper self)))
#law "Not beside an own man, and not backward" on sidle
  (require (!= (owner of (top of target)) player))
  (require (or (empty of target) (!= target forward)))
  (require (!= target backward))
#sideeffect "The last row crowns" on step jump
  (if (not forward) (changeState crowned))
#sideeffect "Who jumped is known" on jump
  (set jumper to self)
#sideeffect "Men on rocks stay there" on sidle
  (if (any rock where (= place (place of self))) (changeState default))
#model game
  #onMessage stuck
    (lose player)
"#,
    );
    assert!(program.strides.is_some());
}

/// Men are dropped and taken up, go along lines that are no directions, and fly as long as they are few; who is who is
/// asked of the target, and of what no bit says.
#[test]
fn lines_of_a_graph_lead_where_the_rules_say() {
    let program = alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#model spot
#model man
  #define reach (if (< (men of owner) 3) (all spot) else linked)
#model player
  #property supply 4
  #define men (count man for self)
#board spot graph
  #link a1 b1 c1 #link a1 a2 a3 #link c1 c2 c3 #link a3 b3 c3 #link b1 c2 b3 a2 b1 #link d1 d2
#action drop to spot
  (new man at self with owner player)
#action go to man with target reach
  (remove (top of target))
  (move self to target)
#law "Only from the supply" on drop
  (require (> (supply of player) 0))
#law "Only empty spots" on drop
  (require empty)
#law "Only your own men" on go
  (require (= owner player))
#law "Not onto your own men" on go
  (require (!= (owner of (top of target)) player))
#law "Never to the middle of the second row when many are there" on go
  (require (or (!= (name of target) "c2") (< (count man) 5)))
#sideeffect "A man less" on drop
  (decrease (supply of player) by 1)
#sideeffect "Who has none left loses" on go
  (if (and (none man for opponent) (= (supply of opponent) 0)) (win player))
"#,
    );
    assert!(program.strides.is_some());
}
