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
    (if (= (name of s) "c3") (new rock at s))
    (if (= (name of s) "d2") (new rock at s with owner Ann)))
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
#sideeffect "Men get tired" on go
  (if (= state "tired") (changeState default) else (changeState tired))
#sideeffect "Who has none left loses" on go
  (if (and (none man for opponent) (= (supply of opponent) 0)) (win player))
"#,
    );
    assert!(program.strides.is_some());
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

/// Men that lie nowhere can come in wherever there is room, and leave again.
#[test]
fn men_in_the_hand_are_not_missed() {
    let program = alike(
        r#"#game "Toy"
#players "Ann" "Bo"
#turns
#model spot
#model man
#board spot grid 3 3
#setup
  (foreach p in seats
    (new man with owner p)
    (new man with owner p)
    (new man at (spot at 1 (number of p)) with owner p))
#action go to man with target (all spot)
  (move self to target)
#law "Only your own men" on go
  (require (= owner player))
#law "Only to empty spots" on go
  (require (empty of target))
#sideeffect "In the middle of the board nobody stays" on go
  (if (= target b2)
    (move (all man where (= (row of place) 1)) to nil))
"#,
    );
    assert!(program.strides.is_some());
}
