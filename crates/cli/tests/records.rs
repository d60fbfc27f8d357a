//! Recording, replaying, judging and ruling, as a person types it.

mod common;

use common::{Ran, run_in};
use std::path::PathBuf;

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("houserules-records-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn run(&self, args: &[&str], typed: &str) -> Ran {
        run_in(&self.0, args, typed)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// [BG-2] [BG-3] A match without people needs no terminal; the same seed gives the same record, and it replays.
#[test]
fn a_match_is_recorded_and_replayed() {
    let folder = Folder::new("replayed");
    for file in ["one.txt", "two.txt"] {
        let args = ["play", "kalah", "--seats", "random,greedy", "--seed", "11", "--record", file];
        let ran = folder.run(&args, "");
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    }
    let text = folder.read("one.txt");
    assert_eq!(text, folder.read("two.txt"));
    assert!(text.contains("S South random\nS North greedy\n"), "{text}");
    let ran = folder.run(&["replay", "one.txt", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let moves = text.lines().filter(|line| line.starts_with("A ")).count();
    assert_eq!(json["moves"], moves);
    let fingerprint = text.lines().find_map(|line| line.strip_prefix("fingerprint ")).unwrap();
    assert_eq!(json["fingerprint"], fingerprint);
    assert!(json["result"].as_str().is_some_and(|result| result.ends_with('.')), "{json}");
    let ran = folder.run(&["record", "check", "one.txt", "two.txt"], "");
    assert_eq!(ran.status, 0, "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 2);
    folder.write("letter.txt", "Dear Ann,");
    for (file, free) in [("one.txt", "--record one-2.txt"), ("letter.txt", "--record letter-2.txt")] {
        let before = folder.read(file);
        let ran = folder.run(&["play", "kalah", "--seats", "random", "--record", file], "");
        assert_eq!((ran.status, folder.read(file)), (2, before), "nothing is written over: {}", ran.err);
        assert!(ran.err.contains("exists already") && ran.err.contains(free), "{}", ran.err);
    }
}

/// Who names a game wants its rules, and is told where they are not those of the record.
#[test]
fn a_record_is_replayed_by_the_rules_of_the_game_that_is_named() {
    let folder = Folder::new("named");
    folder.run(&["play", "tic-tac-toe", "--seats", "human", "--record", "m.txt"], "b2\na1\nquit\n");
    let law = "#law \"Never the middle\" on place (require (!= self b2) \"Not there.\")\n\n#law";
    folder.write("mine.gdl", &include_str!("../../../games/tic-tac-toe/game.gdl").replacen("#law", law, 1));
    let ran = folder.run(&["record", "check", "m.txt", "--game", "mine.gdl"], "");
    assert!(ran.status == 1 && ran.out.contains("Not there."), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("other rules than mine.gdl has now"), "{}", ran.out);
    let ran = folder.run(&["record", "check", "m.txt", "--game", "mine.gdl", "--rules", "embedded"], "");
    assert!(ran.status == 2 && ran.err.contains("--game"), "{}{}", ran.out, ran.err);
}

/// A record comes from anybody, and what it names is looked for in its own folder only.
#[test]
fn the_head_of_a_record_names_no_file_elsewhere() {
    let folder = Folder::new("elsewhere");
    std::fs::create_dir_all(folder.0.join("inner")).unwrap();
    folder.write("secret.gdl", "swordfish");
    for game in ["../secret.gdl", "/etc/passwd", &folder.0.join("secret.gdl").to_string_lossy()] {
        folder.run(
            &["play", "tic-tac-toe", "--seats", "human", "--digest-only", "--record", "inner/m.txt"],
            "b2\nquit\n",
        );
        let text = folder.read("inner/m.txt").replace("tic-tac-toe", game);
        folder.write("inner/m.txt", &text);
        let ran = folder.run(&["record", "check", "inner/m.txt"], "");
        assert!(ran.status != 0 && ran.err.contains("lies outside the folder"), "{game}: {}{}", ran.out, ran.err);
        assert!(!ran.err.contains("swordfish") && !ran.err.contains("root:"), "{}", ran.err);
        std::fs::remove_file(folder.0.join("inner/m.txt")).unwrap();
    }
}

/// [BG-4] Stepping shows the board, the choices not taken, what changed and who saw it.
#[test]
fn a_record_is_gone_through_step_by_step() {
    let folder = Folder::new("steps");
    folder.run(&["play", "tic-tac-toe", "--seats", "human", "--record", "m.txt"], "b2\na1\nnote so far\nc3\nquit\n");
    let typed = "\nnext 2\nback\nchoices\nchanges\nseen\nas O\njump 9\nstart\nhistory b2\ntrace\nas all\ntrace\nrules\nhelp\nhop\nquit\n";
    let ran = folder.run(&["replay", "m.txt"], typed);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let shown: Vec<&str> = ran.out.split("replay> \n").collect();
    for (at, told) in [
        (0, "0 of 5"),
        (1, "2  · X ·"),
        (2, "so far"),
        (3, "O: place a1"),
        (4, "X: place c3"),
        (5, "a1 mark: nil → O"),
        (6, "X: a1 mark: nil → O"),
        (7, "2 of 5"),
        (8, "5 of 5"),
        (9, "0 of 5"),
        (10, "for who may see everything"),
        (11, "for who may see everything"),
        (13, "The rules did nothing"),
        (14, "Only empty cells"),
        (15, "choices"),
        (16, "“hop” is not understood"),
    ] {
        assert!(shown[at].contains(told), "{at} should tell {told}:\n{}", shown[at]);
    }
}

/// Who looks through the eyes of a seat is not told what that seat could not see, and hears where the record ends.
#[test]
fn a_seat_does_not_hear_the_secrets_of_another() {
    let folder = Folder::new("secrets");
    folder.run(&["play", "rock-paper-scissors", "--seats", "random", "--seed", "1", "--record", "m.txt"], "");
    let text = folder.read("m.txt");
    let mut moves = text.lines().filter_map(|line| line.strip_prefix("A "));
    let (seat, secret) = moves.next().unwrap().split_once(' ').unwrap();
    let (other, _) = moves.next().unwrap().split_once(' ').unwrap();
    let ran = folder
        .run(&["replay", "m.txt"], &format!("as {other}\nnext\nchoices\ntrace\nas {seat}\njump 99\nnext\nquit\n"));
    let shown: Vec<&str> = ran.out.split("replay> \n").collect();
    let heard = |at: usize| shown[at].contains(&format!("{seat}: {secret}"));
    assert!(!heard(2) && shown[2].contains(&format!("{seat} has chosen.")), "{}", shown[2]);
    assert!(shown[4].contains("`as all` does"), "{}", shown[4]);
    assert!(heard(5), "one's own choice is no secret: {}", shown[5]);
    assert!(shown[7].ends_with("The record ends here.\n"), "{}", shown[7]);
}

/// The log names messages, laws and side-effects, through questions in the middle of an action as well.
#[test]
fn a_trace_tells_messages_laws_and_side_effects() {
    let folder = Folder::new("trace");
    folder.run(&["play", "awele", "--seats", "random,random", "--seed", "3", "--record", "m.txt"], "");
    let ran = folder.run(&["replay", "m.txt", "--trace"], "");
    assert_eq!(ran.status, 0, "{}", ran.err);
    for told in [
        "startSeeding to hole",
        "law “Allow Only Current Player”",
        "law “Stones' Capturing” refuses",
        "side-effect “End Of Turn”",
        "stones: 4 → 0",
    ] {
        assert!(ran.out.contains(told), "{told}");
    }
    let ran = folder.run(&["replay", "m.txt", "--trace", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let first = &json["steps"][0];
    assert!(first["trace"][0].as_str().unwrap().starts_with("startSeeding to hole"), "{first}");
    let emptied = first["changed"].as_array().unwrap().iter().find(|changed| changed["new"] == "0").unwrap();
    assert_eq!((emptied["property"].as_str(), emptied["old"].as_str()), (Some("stones"), Some("4")));
    let typed = "b2\noff Only empty cells\nundo\nundo\nredo\nquit\n";
    let ran = folder.run(&["play", "tic-tac-toe", "--seats", "human,random", "--seed", "1", "--trace"], typed);
    assert!(
        ran.out.contains("law “Only empty cells”\n  b2 mark: nil → X\n  side-effect “A line of marks wins”"),
        "{}",
        ran.out
    );
    folder.run(&["play", "backgammon", "--seats", "random,random", "--seed", "3", "--record", "b.txt"], "");
    let ran = folder.run(&["replay", "b.txt", "--trace"], "");
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(!ran.out.contains("went another way"), "the interpreter follows to the end");
}

/// [FR-9] A choice that is only advised against is offered with a mark, the referee is asked, the ruling is recorded.
#[test]
fn an_advised_rule_asks_the_referee() {
    let folder = Folder::new("advised");
    let typed = "c3\na2\nc2\nb1\na1\nmaybe\nn\na1\ny\nrule No suicide on\nrules\nquit\n";
    let args = ["play", "go", "--set", "size=3", "--advised", "no suicide", "--seats", "human", "--record", "m.txt"];
    let ran = folder.run(&[&args[..], &["--referee", "Ann"]].concat(), typed);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for told in [
        "a1  ! No suicide",
        "The rule “No suicide” advises against it: The stone would have no liberty.\nAnn is the referee. Is a1 allowed? (y, n)",
        "y or n.",
        "a1 is not allowed.",
        "Black: a1",
        "on   No suicide",
    ] {
        assert!(ran.out.contains(told), "{told}:\n{}", ran.out);
    }
    let text = folder.read("m.txt");
    assert!(text.contains("ruling denied by Ann: Black a1 -- No suicide\n"), "{text}");
    assert!(text.contains("ruling allowed by Ann: Black a1 -- No suicide\nA Black a1\nrule on No suicide\n"), "{text}");
    assert_eq!(folder.run(&["record", "check", "m.txt"], "").status, 0);
}

/// [FR-3] [FR-5] [FR-6] Rules are typed, replaced and set during play; what does not fit is told and changes nothing.
#[test]
fn rules_are_typed_during_play() {
    let folder = Folder::new("typed");
    let typed = "b2\nadd law \"Never the corner\" on place (require (not (is self in (list a1 c3))) \"Not there.\")\na1\n\
        rule A line of marks wins instead (if (line 2 of mark) (win opponent))\nset goal=2\nset gaol=2\nset width=2\n\
        hand c1 mark = X\nhand c9 mark = X\ninspect c1\nundo\nadd law broken (\nrules\nquit\n";
    let ran = folder.run(&["play", "tic-tac-toe", "--seats", "human", "--record", "m.txt"], typed);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let shown: Vec<&str> = ran.out.split("> \n").collect();
    for (at, told) in [
        (3, "place a1: Refused by the rule “Never the corner”: Not there."),
        (6, "Did you mean “goal”?"),
        (7, "Nothing here is called `c3`."),
        (8, "1  · · X"),
        (9, "There is nothing called “c9”. Did you mean"),
        (10, "c1 mark: X"),
        (11, "1  · · ·"),
        (12, "error"),
        (13, "on   Never the corner"),
    ] {
        assert!(shown[at].contains(told), "{at} should tell {told}:\n{}", shown[at]);
    }
    let text = folder.read("m.txt");
    for line in ["change 1\n| #law \"Never the corner\" on place", "set goal=2\n", "hand c1 (set mark to X)\nundo 1\n"]
    {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    assert_eq!(folder.run(&["record", "check", "m.txt"], "").status, 0);
}

/// A blunder is found, and the judged record still replays.
#[test]
fn annotating_finds_the_blunder() {
    let folder = Folder::new("judged");
    // O does not stop the line.
    folder.run(&["play", "tic-tac-toe", "--seats", "human", "--record", "m.txt"], "b2\na1\na2\nb1\nc2\nn\n");
    let args = ["annotate", "m.txt", "--player", "alphabeta:9", "--out", "judged.txt"];
    let ran = folder.run(&args, "");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let line = ran.out.lines().find(|line| line.contains("O: place b1")).unwrap();
    assert!(line.contains("blunder") && line.contains("better: place c2"), "{}", ran.out);
    let text = folder.read("judged.txt");
    assert!(text.contains("note - alpha-beta:9: "), "{text}");
    assert_eq!(folder.run(&["record", "check", "judged.txt"], "").status, 0);
    let ran = folder.run(&["annotate", "m.txt", "--player", "alphabeta:9", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json[3]["verdict"], "blunder");
    let ran = folder.run(&["annotate", "m.txt", "--player", "human"], "");
    assert_eq!(ran.status, 2);
}

/// Positions leave a record as text and as pictures, as this or that seat saw them.
#[test]
fn positions_are_exported() {
    let folder = Folder::new("exported");
    folder.run(&["play", "nine-mens-morris", "--seats", "random", "--seed", "2", "--record", "m.txt"], "");
    let ran = folder.run(&["record", "export", "m.txt", "--at", "4", "--out", "b.svg"], "");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let picture = folder.read("b.svg");
    assert!(picture.starts_with("<svg ") && picture.contains("<polyline ") && picture.contains("<title>a1</title>"));
    assert_eq!(folder.run(&["record", "export", "m.txt", "--out", "b.txt", "--viewer", "public"], "").status, 0);
    assert!(!folder.read("b.txt").is_empty());
    let ran = folder.run(&["record", "export", "m.txt", "--at", "99999"], "");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("There is no line 99999"), "{}", ran.err);
    let ran = folder.run(&["record", "export", "m.txt", "--viewer", "Nobody"], "");
    assert!(ran.err.contains("There is no seat"), "{}", ran.err);
    let ran = folder.run(&["inspect", "m.txt", "--history", "--of", "man 1", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(!json[0]["history"].as_array().unwrap().is_empty(), "{json}");
}

/// [BG-65] A truncated or edited record is told with its line, and what comes before can be replayed and played on.
#[test]
fn faults_in_records_are_told_with_their_line() {
    let folder = Folder::new("faults");
    folder.run(&["play", "tic-tac-toe", "--seats", "random", "--seed", "1", "--record", "m.txt", "--digest-only"], "");
    let text = folder.read("m.txt");
    let cut = &text[..text.find("A O").unwrap() + 5];
    folder.write("cut.txt", cut);
    let ran = folder.run(&["record", "check", "cut.txt"], "");
    assert_eq!(ran.status, 1);
    let line = cut.lines().count();
    assert!(
        ran.out.contains(&format!("cut.txt:{line}: ")) && ran.out.contains("can be replayed: 1 moves"),
        "{}",
        ran.out
    );
    let ran = folder.run(&["replay", "cut.txt", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((json["moves"].as_u64(), json["fault"]["line"].as_u64()), (Some(1), Some(line as u64)));
    folder.write("other.txt", &text.replace("digest ", "digest 0"));
    let ran = folder.run(&["replay", "other.txt", "--json"], "");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("other rules") && ran.err.contains("--rules now"), "{}", ran.err);
    assert_eq!(folder.run(&["replay", "other.txt", "--json", "--rules", "now"], "").status, 0);
    folder.write("no.txt", "Dear Ann,\n");
    let ran = folder.run(&["replay", "no.txt"], "");
    assert!(ran.err.contains("no.txt: line 1: “Dear” is not understood"), "{}", ran.err);
    let ran = folder.run(&["replay", "missing.txt"], "");
    assert!(ran.err.contains("There is no file missing.txt."), "{}", ran.err);
    folder.write("old.bgr", "S X Peter\r\nS O Klaas\r\nA X place Cell: b2\r\nA place O a1\r\n");
    let ran = folder.run(&["replay", "old.bgr", "--json", "--game", "tic-tac-toe"], "");
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
}

/// What a person took back is done again together with what others did upon it.
#[test]
fn redo_does_a_move_and_its_answer_again() {
    let folder = Folder::new("redo");
    let typed = "b2\nundo\nredo\nsave m.txt\nquit\n";
    folder.run(&["play", "tic-tac-toe", "--seats", "human,random", "--seed", "1"], typed);
    let text = folder.read("m.txt");
    assert!(text.contains("\nundo 2\nredo 2\nfingerprint "), "{text}");
}

/// A fork made while going through a record is played on.
#[test]
fn a_fork_is_played_on() {
    let folder = Folder::new("fork");
    folder.run(&["play", "tic-tac-toe", "--seats", "random", "--seed", "1", "--record", "m.txt"], "");
    let ran = folder.run(&["replay", "m.txt"], "next 2\nfork f.txt\nquit\n");
    assert!(ran.out.contains("`houserules play f.txt` goes on from here."), "{}", ran.out);
    let ran = folder.run(&["play", "f.txt", "--seats", "random", "--seed", "5", "--record", "g.txt"], "");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = folder.read("g.txt");
    let id = folder.read("m.txt").lines().find_map(|line| line.strip_prefix("id ").map(str::to_owned)).unwrap();
    assert!(text.contains(&format!("\nfork {id} after 2\n")), "{text}");
    assert!(text.contains("\nresult "), "{text}");
}
