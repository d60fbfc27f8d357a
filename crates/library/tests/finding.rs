//! Where games are looked for, and what is said when they are not there.

use houserules_library::{Options, about, find, list, open};
use std::fs;
use std::path::PathBuf;

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("houserules-library-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_game_is_found_by_name() {
    let found = find("tic-tac-toe").unwrap();
    assert_eq!(about(found.definition()).title, "Tic-tac-toe");
    assert_eq!(found.loaded.sources.iter().next().unwrap().1.name, "games/tic-tac-toe/game.gdl");
    assert!(list().contains(&"awele".to_owned()));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest_or_with_all() {
    assert!(find("tic-tac-tow").unwrap_err().contains("Did you mean `tic-tac-toe`?"));
    assert!(find("xiangqi").unwrap_err().contains("tic-tac-toe"));
    assert!(find("").unwrap_err().contains("no game"));
    assert!(find("no/such.gdl").unwrap_err().contains("There is no file no/such.gdl."));
}

/// [FR-2] Rules are changed before a match without building anything: a game of one's own stands on one of the library.
#[test]
fn a_file_anywhere_builds_on_a_game_of_the_library() {
    let folder = Folder::new("own");
    let path = folder.file("mine/my game.gdl", "#game \"Mine\" from \"tic-tac-toe\"\n#set goal 2\n");
    let found = find(&path).unwrap();
    assert!(!found.has_errors(), "{}", found.messages(false));
    assert!(found.compile(&Options::default()).is_ok());
}

#[test]
fn a_folder_is_a_game_and_a_folder_without_one_is_told() {
    let folder = Folder::new("folder");
    folder.file("toy/game.gdl", "#game \"Toy\"\n#players 2\n#turns\n#action pass\n  (draw)\n");
    assert!(open(folder.0.join("toy").to_str().unwrap()).is_ok());
    assert!(open(folder.0.to_str().unwrap()).unwrap_err().contains("There is no game.gdl in the folder"));
}

#[test]
fn names_are_known_however_they_are_capitalised() {
    let off = vec!["only EMPTY cells".to_owned()];
    assert!(find("tic-tac-toe").unwrap().compile(&Options { off, ..Options::default() }).is_ok());
}

#[test]
fn errors_refuse_and_warnings_do_not() {
    let folder = Folder::new("errors");
    let broken = folder.file("broken.gdl", "#game \"Broken\"\n#players 2\n#action hop\n  (hopp)\n");
    let refused = open(&broken).unwrap().compile(&Options::default()).err().unwrap();
    assert!(refused.contains("hopp") && refused.contains("broken.gdl:4"), "{refused}");
    let twice =
        "#game \"Twice\"\n#players 2\n#turns\n#property n 1\n#property n 2\n#action hop\n  (if (> n 1) (draw))\n";
    let found = open(&folder.file("twice.gdl", twice)).unwrap();
    assert!(!found.diagnostics.is_empty() && !found.has_errors(), "{}", found.messages(false));
    assert!(found.compile(&Options::default()).is_ok());
}

#[test]
fn a_mistake_is_told_once() {
    let folder = Folder::new("once");
    let text =
        "#game \"Once\"\n#players \"A\" \"B\" \"A\"\n#turns\n#action hop\n  (draw)\n#variant \"v\"\n  #set speed 3\n";
    let messages = open(&folder.file("once.gdl", text)).unwrap().messages(false);
    assert_eq!(messages.matches("There is no setting “speed” here.").count(), 1, "{messages}");
    assert_eq!(messages.matches("Two players with one name").count(), 1, "{messages}");
    // They are there, only not as they should be.
    assert!(!messages.contains("A game without players"), "{messages}");
}
