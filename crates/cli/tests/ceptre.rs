//! Programs in Ceptre in the terminal.

use std::process::Command;

/// What the program says on its standard output, and with which status.
fn houserules(args: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_houserules")).args(args).env("NO_COLOR", "1").output().unwrap();
    (String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(), output.status.code())
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
