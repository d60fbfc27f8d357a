//! The guide, followed to the letter: every block is written, run or looked for in what the program says.

mod common;

use common::{Ran, run_in};
use std::fs;
use std::path::{Path, PathBuf};

const GUIDE: &str = include_str!("../../../docs/guide/first-game.md");
const FILE: &str = "noughts.gdl";

/// What stands between two lines of three backticks.
fn blocks() -> Vec<&'static str> {
    GUIDE.split("```").skip(1).step_by(2).map(|block| block.trim_matches('\n')).collect()
}

/// A folder of the reader's own, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("houserules-guide-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Writes a block where the guide says: settings before the board, a line that is there already in its place, else last.
fn write(definition: &mut String, block: &str) {
    let first_words = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let known = definition.lines().find(|line| !block.contains('\n') && first_words(line) == first_words(block));
    if let Some(line) = known.map(str::to_owned) {
        *definition = definition.replace(&line, block);
    } else if block.starts_with("#setting") {
        *definition = definition.replacen("#model", &format!("{block}\n\n#model"), 1);
    } else {
        definition.push_str(&format!("{block}\n\n"));
    }
}

/// The words of a command, those in quotes together.
fn arguments(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.skip(1).collect()
}

fn run(folder: &Path, command: &str, typed: &str) -> Ran {
    let arguments = arguments(command);
    run_in(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>(), typed)
}

/// Every line of a block that the guide shows as an answer stands in what was said; times are left out.
fn said(ran: &Ran, block: &str) {
    for line in block.lines().filter(|line| !line.contains("seconds")) {
        let found = ran.out.lines().any(|told| told.trim_end() == line.trim_end() || told.starts_with(line.trim_end()));
        assert!(found, "the guide shows “{line}”, the program says:\n{}{}", ran.out, ran.err);
    }
}

/// [FR-14] [FR-16] A reader writes a game step by step, and sees at every step what has come of it.
#[test]
fn the_guide_is_followed_to_the_letter() {
    let folder = Folder::new();
    let mut definition = String::new();
    let mut last: Option<Ran> = None;
    let (mut n_commands, mut n_answers) = (0, 0);
    let (whole, steps) = blocks().split_last().map(|(whole, steps)| (*whole, steps.to_vec())).unwrap();
    for block in steps {
        if block.starts_with("houserules ") {
            // Marks are placed twice, as the text around asks for.
            let ran = run(&folder.0, block, "b2\nb2\nquit\n");
            let nothing_to_do = !definition.contains("#action");
            assert_eq!(ran.status, i32::from(nothing_to_do), "{block}: {}{}", ran.out, ran.err);
            n_commands += 1;
            last = Some(ran);
        } else if block.starts_with('#') || block.starts_with("  (") {
            write(&mut definition, block);
            fs::write(folder.0.join(FILE), &definition).unwrap();
        } else if let Some(answer) = block.strip_prefix("O> b2\n") {
            let ran = run(&folder.0, &format!("houserules play {FILE} --seats human,human"), "b2\nb2\nquit\n");
            said(&ran, answer);
            n_answers += 1;
        } else if block.starts_with("rules\n") {
            let typed = format!("b2\n{block}\nb2\nrules\non Only empty cells\nrules\nquit\n");
            let ran = run(&folder.0, &format!("houserules play {FILE} --seats human,human"), &typed);
            assert!(ran.out.contains("off  Only empty cells") && ran.out.contains("O: place b2"), "{}", ran.out);
            n_answers += 1;
        } else if block.contains(" wins ") {
            let share = |text: &str| -> Vec<f64> {
                let percent = |line: &str| line.split_once('%')?.0.split_whitespace().next_back()?.parse().ok();
                text.lines()
                    .filter(|line| line.contains(" wins ") || line.contains("draw"))
                    .filter_map(percent)
                    .collect()
            };
            let (shown, found) = (share(block), share(&last.as_ref().unwrap().out));
            let near = shown.iter().zip(&found).all(|(shown, found)| (shown - found).abs() < 4.0);
            assert!(shown.len() == 3 && found.len() == 3 && near, "{shown:?} {found:?}");
            n_answers += 1;
        } else {
            said(last.as_ref().unwrap_or_else(|| panic!("nothing was run before:\n{block}")), block);
            n_answers += 1;
        }
    }
    assert!(n_commands >= 8 && n_answers >= 6, "{n_commands} commands, {n_answers} answers");
    // What was written bit by bit is the game that stands at the end.
    let read = |text: &str| houserules_gdl::read_text(FILE, text).definition;
    assert_eq!(read(&definition), read(whole));
    let ran = run(&folder.0, &format!("houserules perft {FILE} --depth 2 --off \"Only empty cells\""), "");
    said(&ran, "depth 2   nodes 81");
}
