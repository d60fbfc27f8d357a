//! What walks of one step find is read off bits where there is native code: a seed must decide the same match without it.

use houserules_kernel::{Generator, Position, Rulebook};
use houserules_machine::{Options, compile};

/// Below what makes a program go native by itself.
const MOST: u64 = 90;

fn check(text: &str) {
    let loaded = houserules_gdl::read_text("test", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let compiled = || compile(&loaded.definition, &Options::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let native = compiled();
    native.program().go_native();
    let mut n_moves = 0;
    for seed in 1..=60 {
        let [cold, fast] = [compiled(), native.clone()].map(|game| {
            let mut position = game.start().unwrap();
            let moves = position.playout(&mut Generator::new(seed), MOST).unwrap();
            (moves, position.fingerprint())
        });
        assert_eq!(fast, cold, "seed {seed}");
        n_moves += fast.0;
    }
    assert!(n_moves > 600, "only {n_moves} moves were made");
}

/// Men change sides where they stand, lie on each other, and come from outside the board.
fn men(ways: &str) -> String {
    format!(
        r##"#game "Turncoats"
#players "Ann" facing south "Bo" facing north
#turns
#property n 0
#model square
#board square grid 6 6
#model man
  #symbol "a" "b"
  {ways}
  #define victims (walk ways up to 1 while (= (owner of top) opponent) until empty)
#picture
  ".a.a.a"
  "a.a.a."
  "......"
  "......"
  ".b.b.b"
  "b.b.b."
#entity man with owner Ann
#action step to man with target (walk ways up to 1 while empty)
  (move self to target)
#action climb to man with onto (walk ways up to 1 while (not empty))
  (move self to onto)
#action jump to man with over victims
  (move self to (step (toward place over) from over))
#action drop to square
  (new man at self with owner player)
#law "Only your own men" on step climb jump
  (require (= owner player))
#law "Who can jump must jump" on step climb
  (require (not (can jump)))
#law "Nobody climbs three men" on climb
  (require (< (count (contents of onto)) 3))
#law "Only empty squares, and not often" on drop
  (require (and empty (= (mod n 7) 0)))
#sideeffect "Who is jumped over changes sides" on jump
  (set (owner of (top of over)) to player)
#sideeffect "A man at the edge is awake" on step climb jump
  (if (not forward) (changeState awake))
#sideeffect "Time goes on" on step climb jump drop
  (increase n by 1)
#model game
  #onMessage stuck
    (lose player)
"##
    )
}

#[test]
fn directions_that_depend_on_the_state_find_the_same() {
    check(&men(r#"#define ways (if (= state "awake") (directions diagonal) else (directions forward-diagonal))"#));
}

#[test]
fn directions_that_are_always_the_same_find_the_same() {
    check(&men("#define ways (directions diagonal)").replace("walk ways", "walk diagonal"));
}

/// A place in the middle of a line has neighbours on both sides, though a graph has one word for all its directions.
#[test]
fn a_walk_on_a_graph_follows_every_line() {
    let text = r#"#game "Toy" #players "X" #property found
        #model spot #board spot graph #link a b c #link d b e
        #action look to spot (set found to (walk linked))"#;
    assert!(looked_from_b(text).contains("(c a e d)"));
}

/// A line of a graph is a link as it is written, and one of three is also one of at least two.
#[test]
fn a_line_of_a_graph_may_be_longer_than_asked() {
    let text = |line: &str| {
        format!(
            r#"#game "Toy" #players "X" #property found
        #model spot #property mark 1 #board spot graph #link a b c
        #action look to spot (set found to {line})"#
        )
    };
    assert!(looked_from_b(&text("(line 2 of mark)")).contains("(a b c)"));
    assert!(!looked_from_b(&text("(line 2 of mark exactly)")).contains("(a b c)"));
    assert!(!looked_from_b(&text("(line 4 of mark)")).contains("(a b c)"));
    // Where it is only asked whether there is one, native code does not list it.
    assert!(looked_from_b(&text("(if (line 2 of mark) \"yes\" else \"no\")")).contains("yes"));
}

/// What is no thing is a fault at either end of a distance, though the other end is nobody.
#[test]
fn a_distance_from_nobody_to_no_thing_is_a_fault() {
    let text = r#"#game "Toy" #players "X" #property found
        #model spot #board spot graph #link a b c
        #action look to spot (set found to (distance nil (list a) via (list)))"#;
    let loaded = houserules_gdl::read_text("toy", text);
    let rulebook = houserules_machine::lockstep::Lockstep::new(&loaded.definition, &Options::default()).unwrap();
    let mut position = rulebook.open().unwrap();
    let who = position.decision().open_to()[0];
    let choice = position.choices(who)[1].clone();
    position.play(who, &choice).unwrap_err();
}

/// What is shown after somebody has looked from b.
fn looked_from_b(text: &str) -> String {
    let loaded = houserules_gdl::read_text("toy", text);
    let rulebook = houserules_machine::lockstep::Lockstep::new(&loaded.definition, &Options::default()).unwrap();
    let mut position = rulebook.open().unwrap();
    let who = position.decision().open_to()[0];
    let choice = position.choices(who)[1].clone();
    assert_eq!(position.words(who, &choice), "look b");
    position.play(who, &choice).unwrap();
    format!("{:?}", position.view(houserules_kernel::Viewer::All).facts)
}
