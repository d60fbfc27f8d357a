//! What the counts of chess do not reach: draws, claims, and who may castle.

use houserules_kernel::{Decision, Position, Rulebook, Who};
use houserules_library::{Options, find};

/// Begins from a position in FEN and plays these moves, each in its own words.
fn after(fen: &str, moves: &[&str]) -> Box<dyn Position> {
    let options = Options { position: Some(fen.into()), ..Options::default() };
    let mut position = find("chess").unwrap().compile(&options).unwrap().open().unwrap();
    for words in moves {
        let (who, choices) = choices(&mut *position);
        let at = choices.iter().position(|known| known.1 == *words);
        let at = at.unwrap_or_else(|| panic!("{fen}: {words} is none of {choices:?}"));
        position.play(who, &choices[at].0).unwrap();
    }
    position
}

fn choices(position: &mut dyn Position) -> (Who, Vec<(houserules_kernel::Choice, String)>) {
    let who = *position.decision().open_to().first().expect("the match is not over");
    let choices = position.choices(who).into_iter().map(|choice| (choice.clone(), position.words(who, &choice)));
    (who, choices.collect())
}

fn can(position: &mut dyn Position, words: &str) -> bool {
    choices(position).1.iter().any(|(_, known)| known.contains(words))
}

/// The ranks of White and Black, or None while the match goes on.
fn ranks(position: &dyn Position) -> Option<Vec<u8>> {
    match position.decision() {
        Decision::Over(outcome) => Some(outcome.ranks.to_vec()),
        _ => None,
    }
}

fn is_draw(position: &dyn Position) -> bool {
    ranks(position).is_some_and(|ranks| ranks[0] == ranks[1])
}

#[test]
fn castling_follows_the_rights_of_the_position() {
    let both = "r3k2r/8/8/8/8/8/8/R3K2R w";
    assert!(can(&mut *after(&format!("{both} KQkq - 0 1"), &[]), "castles with h1"));
    assert!(!can(&mut *after(&format!("{both} Qkq - 0 1"), &[]), "castles with h1"));
    assert!(can(&mut *after(&format!("{both} Qkq - 0 1"), &[]), "castles with a1"));
    assert!(!can(&mut *after(&format!("{both} - - 0 1"), &[]), "castles"));
    // A king that has come back does not castle, nor does a rook.
    assert!(!can(&mut *after(&format!("{both} KQkq - 0 1"), &["e1e2", "a8a7", "e2e1", "a7a8"]), "castles"));
    let rook_back = &mut *after(&format!("{both} KQkq - 0 1"), &["h1h2", "a8a7", "h2h1", "a7a8"]);
    assert!(!can(rook_back, "castles with h1") && can(rook_back, "castles with a1"));
}

/// A rook made of a pawn has never stood at the start, wherever it stands.
#[test]
fn a_promoted_rook_does_not_castle() {
    let position = &mut *after("4K3/7P/8/8/8/8/8/k7 w KQkq - 0 1", &["h7h8rook", "a1a2"]);
    assert!(!can(position, "castles") && can(position, "h8h1"));
}

#[test]
fn a_match_that_nobody_can_win_is_drawn() {
    // Taking the last pawn leaves what is said.
    for (fen, take, drawn) in [
        ("4k3/8/8/8/8/8/p7/K7 w - - 0 1", "a1a2", true),
        ("4k3/8/8/8/8/8/p7/K1N5 w - - 0 1", "a1a2", true),
        ("4k3/8/8/8/8/8/p7/K1NN4 w - - 0 1", "a1a2", false),
        ("2n1k3/8/8/8/8/8/p7/K1N5 w - - 0 1", "a1a2", false),
        ("2b1k3/8/8/8/8/8/p7/KB6 w - - 0 1", "a1a2", true),
        ("3bk3/8/8/8/8/8/p7/KB6 w - - 0 1", "a1a2", false),
        ("2b1k3/8/8/8/8/3B4/p7/KB6 w - - 0 1", "a1a2", true),
        ("4k3/8/8/8/8/8/p7/KB1N4 w - - 0 1", "a1a2", false),
        ("4k2r/8/8/8/8/8/p7/K7 w - - 0 1", "a1a2", false),
    ] {
        assert_eq!(is_draw(&*after(fen, &[take])), drawn, "{fen}");
    }
}

#[test]
fn the_third_time_is_claimed_and_the_fifth_is_drawn() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let back_and_forth = ["g1f3", "g8f6", "f3g1", "f6g8"];
    // What stands before the first move is not counted, so the knights begin later.
    let moves = |n: usize| [&["e2e4", "e7e5"][..], &back_and_forth.repeat(n)].concat();
    let times = |n: usize| after(start, &moves(n));
    assert!(!can(&mut *times(1), "claim"));
    assert!(can(&mut *times(2), "claim"));
    let mut third = times(3);
    assert!(can(&mut *third, "claim") && ranks(&*third).is_none());
    assert!(is_draw(&*times(4)));
    assert!(is_draw(&*after(start, &[&moves(2)[..], &["claim a draw"]].concat())));
}

#[test]
fn quiet_moves_end_the_match_unless_they_mate() {
    let fen = |clock: u32| format!("7k/8/5KQ1/8/8/8/8/8 w - - {clock} 1");
    assert!(!can(&mut *after(&fen(99), &[]), "claim"));
    assert!(can(&mut *after(&fen(100), &[]), "claim"));
    assert!(can(&mut *after(&fen(99), &["g6e4", "h8g8"]), "claim"));
    assert!(is_draw(&*after(&fen(149), &["g6e4"])));
    // Mate on the same move wins, and the mated player claims nothing.
    assert_eq!(ranks(&*after(&fen(149), &["g6g7"])).map(|ranks| ranks[0] < ranks[1]), Some(true));
    assert_eq!(ranks(&*after(&fen(120), &["g6g7"])).map(|ranks| ranks[0] < ranks[1]), Some(true));
    assert!(is_draw(&*after("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", &["g5g6"])), "stalemate");
}

/// Behind the fields of a position stands at most the number of the move.
#[test]
fn a_position_that_says_too_much_is_refused() {
    let compile = |fen: &str| {
        let options = Options { position: Some(fen.into()), ..Options::default() };
        find("chess").unwrap().compile(&options).map(|_| ())
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
    assert_eq!(compile(start), Ok(()));
    assert_eq!(compile(&format!("{start} 1")), Ok(()));
    for more in ["1 and more", "soon"] {
        let told = compile(&format!("{start} {more}")).unwrap_err();
        let word = more.split_whitespace().nth(1).unwrap_or(more);
        assert!(told.contains(&format!("Nothing is meant by `{word}`.")), "{told}");
        assert!(told.contains("the rows, whose turn it is, castling, leapt, clock, the number of the move"), "{told}");
    }
}
