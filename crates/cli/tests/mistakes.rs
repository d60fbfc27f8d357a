//! Bad input of every sort: a clear message on the error stream, the right status, no panic, nothing changed.

mod common;

use common::{run, run_in};
use std::fs;
use std::path::PathBuf;

/// A file in a folder of its own, gone when the test is over.
struct File(PathBuf);

impl File {
    fn new(name: &str, bytes: &[u8]) -> Self {
        static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("houserules-mistakes-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        File(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.0.parent().unwrap());
    }
}

const TEN_MISTAKES: &str = include_str!("definitions/ten-mistakes.gdl");
const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/definitions/tic-tac-toe.gdl");

/// A game whose only action runs this body.
fn toy(body: &str) -> File {
    let text = format!("#game \"Toy\"\n#players \"Ann\" \"Bo\"\n#turns\n#property n 0\n#action hop\n  {body}\n");
    File::new("toy.gdl", text.as_bytes())
}

/// [FR-8] [FR-19] The checker is a tool of its own: it reads a source, and says all that is wrong with it at once, each with its
/// place; what it has nothing against is played.
#[test]
fn a_file_with_ten_mistakes_gets_ten_messages() {
    let file = File::new("ten.gdl", TEN_MISTAKES.as_bytes());
    let ran = run(&["check", file.path()], "");
    assert_eq!(ran.status, 1);
    let folder = file.0.parent().unwrap().to_str().unwrap();
    insta::assert_snapshot!(ran.out.replace(folder, "…"));
    assert_eq!(ran.err, "");
    let json = run(&["check", file.path(), "--json"], "");
    let messages: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert!(messages.as_array().unwrap().len() >= 10, "{}", json.out);
    assert_eq!(json.status, 1);
}

/// [FR-24] [FR-25] A behavior knows what belongs to its own entity: a game in which it reads or changes what belongs to
/// another does not begin, unless all is open; by a message to the other one the same is played.
#[test]
fn a_behavior_keeps_to_its_own_entity() {
    let game = |open: &str, sow: &str| {
        File::new(
            "holes.gdl",
            format!(
                "#game \"Holes\"\n#players \"Ann\" \"Bo\"\n#turns\n{open}\n#board hole ring 3\n#model hole\n  #property seeds 2\n  #look text seeds\n\
                 {sow}\n#action sow to hole\n#law \"Seeds\" on sow (require (> seeds 0) \"It is empty.\")\n"
            )
            .as_bytes(),
        )
    };
    let play = |open: &str, sow: &str| {
        let file = game(open, sow);
        run(&["play", file.path(), "--seats", "human"], "sow hole 1\nquit\n")
    };
    let changes = "  #onMessage sow\n    (set (seeds of next) to 4)\n    (set seeds to 0)";
    let reads = "  #onMessage sow\n    (set seeds to (- (seeds of next) 2))";
    for (sow, told) in [(changes, "changes another entity's property"), (reads, "reads another entity's property")] {
        let refused = play("", sow);
        assert!(refused.status == 2 && refused.err.contains(told), "{}{}", refused.out, refused.err);
        assert!(!refused.out.contains("to choose"), "{}", refused.out);
        let open = play("#properties open", sow);
        assert!(open.status == 0 && open.out.contains("Ann: sow hole 1"), "{}{}", open.out, open.err);
    }
    let sends = "  #onMessage take\n    (set seeds to (+ seeds 2))\n  #onMessage sow\n    (send take to next)\n    (set seeds to 0)";
    let sent = play("", sends);
    assert!(sent.status == 0 && sent.out.contains("Ann: sow hole 1"), "{}{}", sent.out, sent.err);
    assert_eq!(board_after(&sent.out), board_after(&play("#properties open", changes).out));
}

/// The board as it is drawn after the first move.
fn board_after(shown: &str) -> &str {
    let rest = shown.split_once("Ann> ").unwrap_or_else(|| panic!("{shown}")).1;
    rest.split_once("Ann: sow hole 1").unwrap_or_else(|| panic!("{shown}")).0
}

/// A rule typed during a match comes from nowhere: it reads no file, and tells nothing of one.
#[test]
fn a_rule_typed_in_play_reads_no_file() {
    let secret = File::new("secret.gdl", b"swordfish");
    let path = secret.path();
    let typed = format!(
        "add law \"Peek\" on place is \"{path}\"\nadd #include \"{path}\"\nadd #include secret\nadd #include \"/etc/passwd\"\nquit\n"
    );
    let ran = run_in(secret.0.parent().unwrap(), &["play", "tic-tac-toe", "--seats", "human"], &typed);
    assert_eq!(ran.out.matches("This file cannot be read").count(), 4, "{}", ran.out);
    assert!(!ran.out.contains("swordfish") && !ran.out.contains("root:"), "{}", ran.out);
}

/// Devices and pipes have no end: whatever takes a file refuses them.
#[cfg(unix)]
#[test]
fn what_has_no_end_is_no_file() {
    for args in [["check", "/dev/zero"], ["replay", "/dev/zero"], ["match", "/dev/zero"], ["match", "/dev/stdin"]] {
        let ran = run(&args, "");
        assert!(ran.status != 0 && ran.err.contains("it is no plain file"), "{args:?}: {}{}", ran.out, ran.err);
    }
}

/// A syntax error does not keep the other nine from being told, warnings among them.
#[test]
fn ten_kinds_of_mistakes_are_told_at_once() {
    let file = File::new("ten.gdl", include_bytes!("definitions/ten-kinds.gdl"));
    let ran = run(&["check", file.path()], "");
    assert_eq!(ran.status, 1);
    let folder = file.0.parent().unwrap().to_str().unwrap();
    insta::assert_snapshot!(ran.out.replace(folder, "…"));
    let told = |line: &&str| line.starts_with("error: ") || line.starts_with("warning: ");
    assert_eq!(ran.out.lines().filter(told).count(), 10, "{}", ran.out);
}

/// A game that is only begun has no errors, and cannot be played yet.
#[test]
fn what_is_still_to_do_is_no_error() {
    let file = File::new("begun.gdl", b"#game \"Begun\"\n#model cell\n  #property mark\n#board cell grid 3 3\n");
    let ran = run(&["check", file.path()], "");
    assert!(ran.status == 1 && ran.out.ends_with("begun.gdl: no errors, 2 to do, no warnings.\n"), "{}", ran.out);
    let ran = run(&["play", file.path(), "--seats", "human"], "quit\n");
    assert!(ran.status != 0 && ran.err.contains("to do: A game without players"), "{}{}", ran.out, ran.err);
    let json = run(&["check", file.path(), "--json"], "");
    assert_eq!(json.out.matches("\"severity\":\"to do\"").count(), 2, "{}", json.out);
}

#[test]
fn a_file_in_order_is_met_with_silence() {
    let ran = run(&["check", GAME], "");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.ends_with("no errors, no warnings.\n"), "{}", ran.out);
}

#[test]
fn several_files_are_all_checked() {
    let ran = run(&["check", GAME, toy("(hopp)").path(), "missing.gdl"], "");
    assert!(ran.out.contains("hopp"), "{}", ran.out);
    assert!(ran.err.contains("There is no file missing.gdl."), "{}", ran.err);
    assert_eq!(ran.status, 2);
}

#[test]
fn broken_text_and_any_bytes_are_told() {
    for (bytes, expected) in [
        (&b"#game \"Toy\n#action ((((("[..], "error"),
        (b"\xff\xfe\x00\x80", "not text"),
        // Nothing is wrong with an empty page; everything is still to do.
        (b"", "to do"),
        (b"\x00\x01(((", "error"),
        ("#game ".repeat(2000).as_bytes(), "error"),
        ("(".repeat(100_000).as_bytes(), "error"),
    ] {
        let file = File::new("broken.gdl", bytes);
        for command in ["check", "play", "moves", "show", "playout"] {
            let ran = run(&[command, file.path()], "");
            assert!(ran.status == 1 || ran.status == 2, "{command}: {} {}", ran.status, ran.err);
            assert!(format!("{}{}", ran.out, ran.err).contains(expected), "{command}: {} {}", ran.out, ran.err);
        }
    }
}

#[test]
fn a_name_with_spaces_and_other_letters_works() {
    let text = fs::read(GAME).unwrap();
    let file = File::new("mein schönes Spiel.gdl", &text);
    let ran = run(&["perft", file.path(), "--depth", "2"], "");
    assert!(ran.out.contains("nodes 72"), "{}{}", ran.out, ran.err);
}

#[test]
fn unknown_variants_settings_and_rules_are_told_with_the_nearest() {
    for (option, value, expected) in [
        ("--variant", "Miser", "Did you mean “Misère”?"),
        ("--set", "widht=4", "Did you mean `width`?"),
        ("--off", "Only empty sells", "Did you mean “Only empty cells”?"),
        ("--set", "width=99999999999999999999", "width"),
        ("--set", "width=-1", "width"),
        ("--set", "width=1e300", "width"),
    ] {
        let ran = run(&["moves", GAME, option, value], "");
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{option} {value}");
        assert!(ran.err.contains(expected), "{option} {value}: {}", ran.err);
    }
}

/// A fault is told with its file and line and costs one action.
#[test]
fn faults_in_rules_are_told_with_their_place() {
    for (body, expected) in [
        ("(while true (increase n by 1))", "steps"),
        ("(send hop to game)", "deep"),
        ("(set n to (/ 1 n))", "zero"),
        ("(set n to (mod 1 n))", "zero"),
    ] {
        let file = toy(body);
        let ran = run(&["play", file.path(), "--seats", "human"], "1\nhop\nquit\n");
        assert_eq!(ran.status, 0, "{body}: {}", ran.err);
        assert!(ran.out.to_lowercase().contains(expected), "{body}: {}", ran.out);
        assert!(ran.out.contains("toy.gdl:6"), "{body}: {}", ran.out);
        let ran = run(&["playout", file.path(), "--seconds", "0.1"], "");
        assert_eq!(ran.status, 2, "{body}: {}", ran.out);
        assert!(ran.err.contains("toy.gdl:6"), "{body}: {}", ran.err);
    }
}

/// [FR-3] Rules change during a match. [FR-36] A law refuses, and is named.
#[test]
fn a_rule_goes_off_in_play_and_undo_takes_that_back_in_its_turn() {
    let typed = "b2\nb2\noff only empty cells\nb2\nundo\nrules\nundo\nrules\nundo\nredo\nb2\nquit\n";
    let ran = run(&["play", GAME, "--seats", "human"], typed);
    let replies: Vec<&str> = ran.out.split("> \n").collect();
    let refused = "place b2: Refused by the rule “Only empty cells”: That cell is taken.";
    assert!(replies[2].contains(refused), "{}", replies[2]);
    assert!(replies[3].contains("place b2"), "{}", replies[3]);
    assert!(replies[4].contains("O: place b2"), "{}", replies[4]);
    assert!(replies[5].contains("2  · X ·"), "{}", replies[5]);
    assert!(replies[6].contains("off  Only empty cells"), "{}", replies[6]);
    assert!(replies[8].contains("on   Only empty cells"), "{}", replies[8]);
    assert!(replies[9].contains("2  · · ·"), "{}", replies[9]);
    assert!(replies[10].contains("2  · X ·"), "{}", replies[10]);
    assert!(replies[11].contains(refused), "{}", replies[11]);
}

#[test]
fn a_saved_match_goes_on() {
    let file = File::new("match.txt", b"");
    fs::remove_file(&file.0).unwrap();
    let typed = format!("b2\noff Only empty cells\nb2\nsave {}\n", file.path());
    run(&["play", GAME, "--seats", "human"], &typed);
    let ran = run(&["play", file.path(), "--seats", "human"], "rules\nundo\nundo\nundo\nquit\n");
    assert!(ran.out.contains("2  · O ·") && ran.out.contains("off  Only empty cells"), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("2  · · ·"), "{}", ran.out);
    fs::write(file.0.with_file_name("toy.gdl"), fs::read(GAME).unwrap()).unwrap();
    fs::write(&file.0, "houserules record 1\ngame toy.gdl\nA X place b2\nA O hop\n").unwrap();
    let ran = run(&["play", file.path(), "--seats", "human"], "");
    assert!(ran.out.contains("line 4: “hop” is no choice here."), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("2  · X ·"), "what comes before is played: {}", ran.out);
    fs::write(&file.0, "houserules record 1\ngame toy.gdl\nhop\n").unwrap();
    let ran = run(&["play", file.path()], "");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("line 3: “hop” is not understood."), "{}", ran.err);
}

#[test]
fn formatting_changes_layout_only_and_broken_files_not_at_all() {
    let file = File::new("loose.gdl", b"#game   \"Toy\" ; a comment\n#players 2\n#action hop\n      (draw)\n");
    let ran = run(&["fmt", "--check", file.path()], "");
    assert_eq!(ran.status, 1, "{}", ran.err);
    let ran = run(&["fmt", file.path()], "");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let after = fs::read_to_string(&file.0).unwrap();
    assert!(after.contains("; a comment") && after.contains("\n  (draw)"), "{after}");
    assert_eq!(run(&["fmt", "--check", file.path()], "").status, 0);
    let broken = File::new("broken.gdl", b"#game \"Toy\"\n(((");
    assert_eq!(run(&["fmt", broken.path()], "").status, 2);
    assert_eq!(fs::read(&broken.0).unwrap(), b"#game \"Toy\"\n(((");
}

/// Every form and directive of the tables, as a person would type it.
#[test]
fn every_word_of_the_language_is_explained() {
    let mut words: Vec<String> =
        houserules_model::directives::all().iter().map(|def| format!("#{}", def.name)).collect();
    words.extend(houserules_model::forms::all().iter().map(|def| def.head.to_owned()));
    words.sort();
    words.dedup();
    assert!(words.len() > 100, "{words:?}");
    for word in words {
        let mut out = Vec::new();
        houserules::commands::explain(&mut out, Some(&word)).unwrap_or_else(|_| panic!("{word}"));
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains(word.trim_start_matches('#')), "{word}: {text}");
    }
    for word in ["board", "(while", "="] {
        assert_eq!(run(&["explain", word], "").status, 0, "{word}");
    }
}

#[test]
fn an_unknown_word_of_the_language_is_told_with_the_nearest() {
    for (word, near) in [("#bord", "#board"), ("foreech", "foreach"), ("#sidefect", "#sideeffect"), ("wile", "while")] {
        let ran = run(&["explain", word], "");
        assert!(ran.err.contains(&format!("Did you mean `{near}`?")), "{word}: {}", ran.err);
        assert_eq!(ran.status, 2);
    }
    assert!(run(&["explain", "zzzzzz"], "").err.contains("`houserules explain` lists them all"));
}

/// Rules may roll for ever; nobody waits for them.
#[test]
fn a_set_up_that_rolls_for_ever_is_told() {
    let text = "#game \"Toy\"\n#players \"Ann\" \"Bo\"\n#property n 0\n#setup (while (< n 7) (set n to (roll 6)))\n#action hop\n  (draw)\n";
    let file = File::new("rolls.gdl", text.as_bytes());
    for args in [&["perft", file.path(), "--depth", "2"][..], &["playout", file.path()], &["play", file.path()]] {
        let ran = run(args, "hop\n");
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.out);
        assert!(ran.err.contains("A ply does not end"), "{args:?}: {}", ran.err);
    }
}

/// A setting without bounds still has those of numbers.
#[test]
fn a_setting_beyond_all_numbers_is_refused() {
    let text = "#game \"Toy\"\n#players \"Ann\" \"Bo\"\n#setting much 3\n#property n 0\n#action hop\n  (set n to (+ n much))\n  (if (> n 9) (draw))\n";
    let file = File::new("much.gdl", text.as_bytes());
    for value in ["1e300", "99999999999999999999", "140737488355328", "-140737488355328"] {
        let ran = run(&["moves", file.path(), "--set", &format!("much={value}")], "");
        assert_eq!(ran.status, 2, "{value}: {}", ran.out);
        assert!(ran.err.contains("does not fit"), "{value}: {}", ran.err);
    }
    assert_eq!(run(&["moves", file.path(), "--set", "much=140737488355327"], "").status, 0);
}
