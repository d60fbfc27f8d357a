//! Programs in Ceptre in the terminal.

use std::io::Write;
use std::process::{Command, Stdio};

/// What the program says on its standard output, and with which status.
fn houserules(args: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_houserules")).args(args).env("NO_COLOR", "1").output().unwrap();
    (String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(), output.status.code())
}

/// Two people at one terminal type these lines.
fn typed(game: &str, lines: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserules"));
    command.args(["play", game, "--seats", "human,human"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.env("NO_COLOR", "1").spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// [SP-39] [SP-41] Choices are numbered and labelled, with numbers as numbers, and a number plays one. [SP-40] Option 0
/// quits, and what is typed after it is not played.
#[test]
fn a_program_is_played_by_numbers_and_zero_quits() {
    let went_on = typed("tic-tac-toe.cep", "5\n1\n3\n");
    assert!(went_on.contains("6  Turn: oskar Col/Row: 1/2"), "{went_on}");
    assert!(went_on.contains("oskar: Turn: oskar Col/Row: 1/1\n"), "{went_on}");
    assert!(went_on.contains("1  · O ·\n0  X · ·"), "{went_on}");
    assert!(!went_on.contains("coord") && !went_on.contains("play/1"), "{went_on}");
    let quit = typed("tic-tac-toe.cep", "5\n0\n1\n3\n");
    assert!(quit.contains("1  · O ·") && went_on.starts_with(&quit) && !quit.contains("0  X"), "{quit}");
}

/// [SP-42] The board is a grid with row numbers from 0 at the bottom and column numbers below.
#[test]
fn a_program_is_shown_as_a_board() {
    let (said, _) = houserules(&["show", "othello.cep"]);
    assert!(said.contains("4  · · · B W · · ·"), "{said}");
    assert!(said.contains("3  · · · W B · · ·"), "{said}");
    assert!(said.contains("   0 1 2 3 4 5 6 7"), "{said}");
    let (said, _) = houserules(&["moves", "tic-tac-toe.cep"]);
    assert!(said.contains("1  Turn: oskar Col/Row: 0/0"), "{said}");
}

#[test]
fn programs_are_counted_run_solved_and_drawn() {
    let (said, _) = houserules(&["perft", "tic-tac-toe.cep", "--depth", "3", "--json"]);
    assert!(said.contains("[9,72,504]"), "{said}");
    let (said, _) = houserules(&["run", "nim.cep", "--choose", "1 1", "--json"]);
    assert!(said.contains("\"stage\":\"take\"") && said.contains("\"end\":\"asked\""), "{said}");
    let (said, _) = houserules(&["solve", "tic-tac-toe.cep"]);
    assert!(said.starts_with("A draw."), "{said}");
    let (said, _) = houserules(&["diagram", "othello.cep"]);
    assert!(said.contains("  → flip  done") && said.contains("  → count  cannot"), "{said}");
    // A definition's diagram follows its messages.
    let (said, _) = houserules(&["diagram", "awele"]);
    let action = said.split_once("startSeeding  (begins here, somebody chooses)").unwrap().1;
    assert!(action.contains("    law: Allow Only Current Player") && action.contains("  → seed\n"), "{said}");
    // And the states that its things go through, on which message.
    let states = said.split_once("\nhole: ").unwrap().1;
    assert!(states.contains("  → hole: lastSeed  seed"), "{said}");
    let (said, status) = houserules(&["reach", "tic-tac-toe.cep", "postoken_win xena"]);
    assert!(said.starts_with("Yes, after ") && status == Some(0), "{said}");
    let (said, status) = houserules(&["reach", "nim.cep", "win ann"]);
    assert!(said.contains("There are no facts `win`") && status == Some(2), "{said}");
}

#[test]
fn a_program_with_a_mistake_is_told_where() {
    let path = std::env::temp_dir().join(format!("houserules-ceptre-{}.cep", std::process::id()));
    std::fs::write(&path, "p : pred.\nstage s = { r : p -o pp. }\n#trace _ s {p}.\n").unwrap();
    let (said, status) = houserules(&["check", path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    assert!(said.contains("Unknown predicate") && said.contains(":2:") && said.contains("Did you mean `p`?"), "{said}");
    assert_eq!(status, Some(1));
}
