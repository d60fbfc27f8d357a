//! `match`, `tournament` and `study` as a stranger types them.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("houserules-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(folder: &PathBuf, args: &[&str]) -> (i32, String, String) {
    let program = env!("CARGO_BIN_EXE_houserules");
    let Output { status, stdout, stderr } = Command::new(program).args(args).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

const DUEL: &str = "game = 'tic-tac-toe'\n[[player]]\nplays = 'random'\n[[player]]\nplays = 'alpha-beta'\ndepth = 4\n";

/// [CF-17] The board at the start, each turn who chose what with the board, and who has won.
#[test]
fn a_match_is_shown_board_by_board() {
    let folder = folder("match");
    std::fs::write(folder.join("duel.toml"), DUEL).unwrap();
    let (status, shown, _) = run(&folder, &["match", "duel.toml"]);
    assert_eq!(status, 0);
    assert!(shown.starts_with("3  · · ·"), "{shown}");
    assert!(shown.contains("X (random): place") && shown.contains("O (alpha-beta:4): place"), "{shown}");
    assert!(shown.contains("thinks ") && (shown.contains("wins.") || shown.contains("A draw.")), "{shown}");
    let (_, quiet, _) = run(&folder, &["match", "duel.toml", "--quiet"]);
    assert_eq!((quiet.lines().count(), shown.ends_with(&quiet)), (1, true));
    let (status, _, told) = run(&folder, &["match", "none.toml"]);
    assert_eq!((status, told.contains("none.toml: there is no such file.")), (2, true), "{told}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// [CF-34] [CF-17] People play as often and as long as the file says, and are asked for another only after that.
#[test]
fn people_play_the_matches_of_a_file() {
    let folder = folder("people");
    let people = "[[player]]\nplays = 'human'\n".repeat(2);
    let typed = |head: &str, typed: &str| {
        std::fs::write(folder.join("people.toml"), format!("{head}\n{people}")).unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_houserules"));
        let program = program.args(["match", "people.toml"]).current_dir(&folder);
        let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let twice = typed("game = 'sticks'\nmatches = 2\nsettings = {sticks = 2}", "2\n1\n1\nn\n");
    assert!(twice.contains("Match 1 of 2.") && twice.contains("Match 2 of 2."), "{twice}");
    assert!(twice.contains("First wins.") && twice.contains("Second wins."), "{twice}");
    assert_eq!(twice.matches("Play again?").count(), 1, "{twice}");
    let cut = typed("game = 'sticks'\nlongest = 3", "1\n1\n1\n1\n");
    assert!(cut.contains("Cut after 3 choices without a result."), "{cut}");
    let (status, _, told) = run(&folder, &["match", "people.toml", "--quiet"]);
    assert!(status == 2 && told.contains("A person sits at this match"), "{told}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_tournament_is_kept_and_told_again() {
    let folder = folder("tournament");
    std::fs::write(folder.join("contest.toml"), format!("{DUEL}[tournament]\nrounds = 5\n")).unwrap();
    let (status, table, _) = run(&folder, &["tournament", "contest.toml"]);
    assert!(status == 0 && table.lines().nth(1).unwrap().starts_with("alpha-beta:4"), "{table}");
    let kept = std::fs::read_to_string(folder.join("contest.toml.results.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 1 + 10);
    assert_eq!(run(&folder, &["tournament", "contest.toml"]).1, table);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_study_writes_its_report_and_goes_on() {
    let folder = folder("study");
    let study = ["study", "tic-tac-toe", "--variant", "misere", "--rule-matches", "2", "--matches"];
    let (status, table, _) = run(&folder, &[&study[..], &["20"]].concat());
    assert!(status == 0 && table.contains("misere") && table.contains("±"), "{table}");
    let page = std::fs::read_to_string(folder.join("tic-tac-toe-study/report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>"));
    let (_, json, _) = run(&folder, &[&study[..], &["30", "--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&report["subjects"][1]["matches"], &report["game"]), (&30.into(), &"Tic-tac-toe".into()));
    let (status, _, told) = run(&folder, &["study", "tic-tac-toe", "--seed", "2"]);
    assert!(status == 2 && told.contains("something else"), "{told}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_definition_may_lie_beside_the_match_file() {
    let folder = folder("beside");
    std::fs::create_dir(folder.join("club")).unwrap();
    std::fs::write(folder.join("club/heaps.gdl"), include_str!("../../../games/nim/game.gdl")).unwrap();
    let two = "[[player]]\nplays = 'random'\n".repeat(2);
    std::fs::write(folder.join("club/heaps.toml"), format!("game = 'heaps.gdl'\n{two}")).unwrap();
    let (status, told, error) = run(&folder, &["match", "club/heaps.toml", "--quiet"]);
    assert!(status == 0 && told.contains("wins"), "{told}{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_match_file_names_no_definition_elsewhere() {
    let folder = folder("elsewhere");
    std::fs::create_dir(folder.join("club")).unwrap();
    std::fs::write(folder.join("heaps.gdl"), include_str!("../../../games/nim/game.gdl")).unwrap();
    let two = "[[player]]\nplays = 'random'\n".repeat(2);
    for game in ["../heaps.gdl", "/etc/passwd", &folder.join("heaps.gdl").to_string_lossy()] {
        std::fs::write(folder.join("club/heaps.toml"), format!("game = '{game}'\n{two}")).unwrap();
        let (status, told, error) = run(&folder, &["match", "club/heaps.toml", "--quiet"]);
        assert!(status == 2 && error.contains("heaps.toml:1") && error.contains("lies outside"), "{told}{error}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// `players` stand by strength, and the columns of `against` in the same order: nobody has points against himself.
#[test]
fn a_tournament_in_json_has_one_order_of_players() {
    let folder = folder("order");
    let file = "game = 'tic-tac-toe'\n[[player]]\nplays = 'random'\n[[player]]\nplays = 'mcts:100'\n[tournament]\nrounds = 6\n";
    std::fs::write(folder.join("duel.toml"), file).unwrap();
    let (status, told, error) = run(&folder, &["tournament", "duel.toml", "--json"]);
    assert_eq!(status, 0, "{error}");
    let table: serde_json::Value = serde_json::from_str(&told).unwrap();
    let players = table["players"].as_array().unwrap();
    assert!(players[0]["elo"].as_f64() >= players[1]["elo"].as_f64(), "{told}");
    for (at, player) in players.iter().enumerate() {
        assert_eq!(player["against"][at], 0.0, "{told}");
        assert_eq!(player["against"][1 - at], player["points"], "{told}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
