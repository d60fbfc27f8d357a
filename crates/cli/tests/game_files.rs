//! Game files in XML in the terminal.

use std::path::PathBuf;
use std::process::Command;

/// What the program says, and with which status.
fn houserules(args: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_houserules")).args(args).env("NO_COLOR", "1").output().unwrap();
    (String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(), output.status.code())
}

/// A folder of its own, taken away at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("houserules-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn sample(game: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("game.gdf.xml");
    std::fs::read_to_string(path).unwrap()
}

/// [GM-203] A game file is checked, shown, counted and studied like a definition.
#[test]
fn a_game_file_is_taken_wherever_a_definition_is() {
    let (said, status) = houserules(&["check", "town.gdf.xml", "awele-tutorial.gdf.xml"]);
    assert_eq!((said.as_str(), status), ("2 games: no errors, no warnings.\n", Some(0)));
    let (said, _) = houserules(&["show", "awele-tutorial.gdf.xml"]);
    assert!(said.contains("Awele") && said.contains("Referee"), "{said}");
    let (said, _) = houserules(&["perft", "awele-tutorial.gdf.xml", "--depth", "2", "--json"]);
    assert!(said.contains("[36,1296]"), "{said}");
    let folder = Folder::new("study");
    let mut study = Command::new(env!("CARGO_BIN_EXE_houserules"));
    let study = study.args(["study", "town.gdf.xml", "--matches", "4"]).current_dir(&folder.0).output().unwrap();
    assert!(study.status.success(), "{}", String::from_utf8_lossy(&study.stderr));
    assert!(folder.0.join("town-study/report.json").exists());
}

/// A game is the same in both languages: the same choices lead to the same positions.
#[test]
fn a_converted_game_is_played_the_same() {
    let folder = Folder::new("convert");
    let (xml, text) = (folder.path("ttt.gdf.xml"), folder.path("ttt.gdl"));
    assert_eq!(houserules(&["convert", "tic-tac-toe", "--to", "gdf", "--out", &xml]), (String::new(), Some(0)));
    assert_eq!(houserules(&["convert", &xml, "--to", "gdl", "--out", &text]), (String::new(), Some(0)));
    let counts = |game: &str| houserules(&["perft", game, "--depth", "4", "--json"]).0;
    let nodes = |said: String| said.split("\"nodes\":").nth(1).map(|rest| rest.split(']').next().unwrap().to_owned());
    assert!(nodes(counts("tic-tac-toe")).is_some());
    assert_eq!(nodes(counts(&xml)), nodes(counts("tic-tac-toe")));
    assert_eq!(nodes(counts(&text)), nodes(counts("tic-tac-toe")));
    let (said, status) = houserules(&["convert", "tic-tac-toe", "--to", "gdf", "--out", &xml]);
    assert!(said.contains("is there already") && status == Some(2), "{said}");
    let (said, status) = houserules(&["convert", "nim.cep", "--to", "gdl"]);
    assert!(said.contains("written in Ceptre") && status == Some(2), "{said}");
}

/// [GM-235] A file is split into what the game is and how it looks, and put together again.
#[test]
fn a_game_file_is_split_and_joined() {
    let folder = Folder::new("split");
    let path = folder.path("town.gdf.xml");
    std::fs::write(&path, sample("town")).unwrap();
    let (said, status) = houserules(&["split", &path]);
    assert_eq!(status, Some(0), "{said}");
    let (logic, look) = (folder.path("town.logic.gdf.xml"), folder.path("town.look.gdf.xml"));
    let (said, status) = houserules(&["perft", &logic, "--depth", "1", "--json"]);
    assert!(said.contains("[7]") && status == Some(0), "{said}");
    let (said, _) = houserules(&["join", &logic, &look]);
    assert_eq!(said, sample("town"));
    let (said, status) = houserules(&["split", &path]);
    assert!(said.contains("is there already") && status == Some(2), "{said}");
}

#[test]
fn a_broken_game_file_is_told_where_and_left_alone() {
    let folder = Folder::new("broken");
    let path = folder.path("town.gdf.xml");
    let broken = sample("town").replacen("</model>", "</modell>", 1);
    std::fs::write(&path, &broken).unwrap();
    let (said, status) = houserules(&["check", &path]);
    assert!(said.contains("error: Broken markup") && said.contains("town.gdf.xml:"), "{said}");
    assert_eq!(status, Some(1));
    let (said, status) = houserules(&["fmt", &path]);
    assert!(said.contains("is left as it is") && status == Some(2), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), broken);
    std::fs::write(&path, sample("town").replace("\n  ", "\n")).unwrap();
    assert_eq!(houserules(&["fmt", &path]).1, Some(0));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), sample("town"));
}
