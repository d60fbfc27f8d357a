//! Rules that run too long are given up at the same place by the interpreter and by native code, whatever shortcuts there
//! are, and whatever was played before.

use houserules_kernel::{Rulebook, Who};
use houserules_machine::{Game, Options, Shortcuts, compile};
use houserules_model::Budget;

const BUDGET: Budget = Budget { steps: 20_000, depth: 200, words: 50_000 };

/// Whether native code takes part.
#[derive(Clone, Copy)]
enum By {
    Interpreter,
    NativeCode,
    /// The interpreter without these bits of the shortcuts.
    Without(u64),
}

fn game(text: &str, by: By) -> Game {
    let loaded = houserules_gdl::read_text("test", text);
    let faults: Vec<_> = loaded.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    let without = match by {
        By::Without(bits) => Shortcuts::of_bits(bits),
        _ => Shortcuts::default(),
    };
    let options = Options { budget: BUDGET, interpreted: matches!(by, By::Interpreter), without, ..Options::default() };
    let game = compile(&loaded.definition, &options).unwrap_or_else(|faults| panic!("{faults:#?}"));
    if matches!(by, By::NativeCode) {
        game.program().go_native();
    }
    game
}

/// What a game offers at its beginning, and what comes of each choice, as text.
fn told(game: &Game) -> Vec<String> {
    let mut position = game.open().unwrap_or_else(|error| panic!("{error}"));
    let who = position.decision().open_to()[0];
    let Who::Seat(seat) = who else { panic!("somebody is asked") };
    let mut told: Vec<String> =
        position.offers(seat).into_iter().map(|offer| format!("{} {:?}", offer.words, offer.refused)).collect();
    for choice in position.choices(who) {
        let before = position.fingerprint();
        let played = position.play(who, &choice);
        told.push(format!("{} {played:?} {:?}", position.words(who, &choice), position.fingerprint()));
        if played.is_ok() {
            assert!(position.undo(), "what was played can be undone");
        }
        assert_eq!(position.fingerprint(), before, "taken back");
    }
    told
}

/// A choice of so much to do is played by both or by neither, up to far beyond the limit; and the limit is met.
fn same_place(rules: &str, most: u32) {
    let text = |amounts: &str| {
        format!("#game \"Toy\" #players \"X\" \"O\" #turns #property n 0 #property total 0\n{rules}")
            .replace("AMOUNTS", amounts)
    };
    let amounts: Vec<String> = (1..=40).map(|at| (at * most / 40).max(1).to_string()).collect();
    let text = text(&format!("(list {})", amounts.join(" ")));
    let expected = told(&game(&text, By::Interpreter));
    assert!(expected.iter().any(|line| line.contains("too long") || line.contains("for ever")), "{expected:#?}");
    assert!(expected.iter().any(|line| line.contains("Ok(())")), "{expected:#?}");
    for by in [By::NativeCode, By::Without(u64::MAX), By::Without(0x5a5a5a5a)] {
        assert_eq!(told(&game(&text, by)), expected);
    }
}

#[test]
fn a_loop_is_given_up_at_one_place() {
    same_place("#action go with by AMOUNTS (foreach k in (range 1 by) (increase total by k))", 10_000);
    same_place("#action go with by AMOUNTS (set n to by) (while (> n 0) (decrease n by 1))", 10_000);
    same_place(
        "#action go with by AMOUNTS (foreach k in (range 1 by) (if (= (mod k 2) 0) (increase total by (* k k)) else (set total to (max total 3))))",
        4_000,
    );
}

#[test]
fn loops_in_loops_are_given_up_at_one_place() {
    same_place(
        "#action go with by AMOUNTS (foreach k in (range 1 by) (foreach l in (range 1 by) (increase total by 1)))",
        200,
    );
    same_place("#action go with by AMOUNTS (set total to (count (all k in (range 1 by) where (> k 3))))", 10_000);
}

#[test]
fn messages_and_defines_are_given_up_at_one_place() {
    same_place(
        "#define deep k (if (< k 1) 0 else (+ 1 (deep (- k 1)))) #action go with by AMOUNTS (set total to (deep by))",
        400,
    );
    same_place(
        "#define twice k (if (< k 1) 1 else (+ (twice (- k 1)) (twice (- k 1)))) #action go with by AMOUNTS (set total to (twice by))",
        40,
    );
    same_place(
        "#model game #onMessage pass-on left (increase total by 1) (if (> left 1) (send pass-on to game with left (- left 1)))
         #action go with by AMOUNTS (send pass-on to game with left by)",
        400,
    );
}

#[test]
fn what_boards_are_asked_is_given_up_at_one_place() {
    let board = "#model cell #property mark #board cell grid 6 6";
    for asked in [
        "(count (group orthogonal from (cell at 1 1) while (not mark)))",
        "(count (walk adjacent from (cell at 3 3) while (not mark)))",
        "(count cell where (any adjacent where (not mark)))",
        "(if (line 4 of 1 through (cell at 2 2)) 1 else 2)",
        "(count (join (all cell) (all cell where mark)))",
        "(distance (cell at 1 1) (cell at 6 6))",
    ] {
        same_place(
            &format!(
                "{board} #action go with by AMOUNTS (foreach k in (range 1 by) (set total to {asked})) (set (mark of (cell at 1 1)) to 1)"
            ),
            2_000,
        );
    }
}

#[test]
fn what_is_only_tried_is_given_up_at_one_place() {
    same_place(
        "#action wait #action go with by AMOUNTS (foreach k in (range 1 by) (if (can wait) (increase total by 1)))",
        2_000,
    );
    same_place(
        "#action wait (increase n by 1)
         #action go with by AMOUNTS (foreach k in (range 1 by) (set total to (suppose (new message wait to game) n)))",
        2_000,
    );
    same_place(
        "#action go with by AMOUNTS (increase total by 1)
         #law \"Long\" on go (require (every k in (range 1 by) where (> k 0)) \"No.\")",
        6_000,
    );
}
