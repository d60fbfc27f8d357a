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

/// Some candidates are known to be refused for all places at once; others are refused by laws that are not.
#[test]
fn candidates_whose_walk_finds_nothing_are_not_missed() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#model cell
  #property mark (match number in (dictionary 8 Ann 9 Bo 14 Bo 15 Ann 23 "stone"))
  #define held (walk adjacent while (= mark opponent) until (= mark player))
#board cell grid 6 5
#action pass
#action place to cell
  (set mark to player)
#action wipe to cell
  (set mark to nil)
#law "Only empty cells" on place
  (require (not mark))
#law "Something is held" on place
  (require (any held))
#law "Not in the first row" on place
  (require north)
#law "Only taken cells beside others" on wipe
  (require (any (walk orthogonal while mark)))
#law "Only when there is nothing else" on wipe pass
  (require (not (can place)))
#law "Pass only once" on pass
  (require (can place for opponent))
#sideeffect "Held cells change hands" on place
  (foreach c in held (set (mark of c) to player))
  (if (= (count held) 0) (rollback "Nothing changed."))
#model game
  #onMessage stuck
    (win (next of player))
"#,
    );
}

/// The last place of a walk may be like those before it, or beyond the first empty one.
#[test]
fn walks_that_go_over_anybody_end_where_walking_ends() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property n 0
#model cell
  #property mark (match number in (dictionary 5 Ann 12 Bo 13 "stone" 14 Ann 28 Bo))
#board cell grid 7 5
#action place to cell
  (set mark to player)
#action hop to cell
  (set mark to opponent)
#law "Over somebody onto nothing" on place
  (require (any (walk diagonal while mark until (not mark))))
#law "Not beside your own alone" on place
  (require (any (walk orthogonal while (!= mark player) then (= mark player))))
#law "Over nothing onto somebody's" on hop
  (require (and (not mark) (any (walk orthogonal while (not mark) until (= mark player)))))
#sideeffect "Enough" on place hop
  (increase n by 1)
  (if (> n 40) (win player))
"#,
    );
}

/// Who cannot lead to a place is not asked whether it does, and who is not drawn is not listed; things are made in play.
#[test]
fn things_out_of_reach_and_not_yet_listed_change_nothing() {
    alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#property n 0
#model square
#board square grid 5 6
#model piece
  #define targets attacks
  #define gifts square (list nil)
#model rider is piece
  #symbol "R" "r"
  #define attacks (walk adjacent while empty then top)
#model hopper is piece
  #symbol "H" "h"
  #define attacks (leap 1 2)
#model guard is piece
  #symbol "G" "g"
  #define attacks orthogonal
#model walker is piece
  #symbol "W" "w"
  #define attacks forward-diagonal
  #define targets (join (walk forward up to 2 while empty) (all attacks where top))
  #define gifts square (if (forward of square) (list nil) else (list rider hopper))
#picture
  "rhghr"
  "wwwww"
  "....."
  "....."
  "WWWWW"
  "RHGHR"
#define attacked square by (any piece for by where (is square in attacks))
#action move to piece with target targets gift (gifts target)
  (update message attribute from to place)
  (move self to target)
#law "Only your own" on move
  (require (= owner player))
#law "Not onto your own" on move
  (require (!= (owner of (top of target)) player))
#sideeffect "Who stands there is taken" on move
  (foreach p in (contents of target) where (!= it self) (remove p))
#law "A guard may not be attacked" after move
  (require (none guard for player where (attacked place opponent)))
#law "A rider keeps an eye on its first target" after move to rider
  (require (or (is from in (attacks of self)) (> n 20)))
#sideeffect "A walker becomes a gift" on move to walker
  (if gift
    (new gift at place with owner player)
    (remove self))
#sideeffect "Enough" on move
  (increase n by 1)
  (if (or (> n 50) (none (attacks of (any guard for opponent)) where empty)) (draw))
#model game
  #onMessage stuck
    (lose player)
"#,
    );
}
