//! Games in BGD in the terminal: checked, laid out, played, recorded, replayed, converted.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Ran, run_in};

/// A game in which Ann and Bo throw a die and whoever wants stops.
const TOY: &str = "Game = \"toy\";\nPlayers{ MinPlayers = 2; MaxPlayers = 3; Human Ann; Human Bo; Human Cy; }\n\
    Locations{ Table{ Owner = public; Sum = 0; StartingInventory{ Die D1; Gem Ruby; } } Chest{ Owner = Bo; } }\n\
    Objects{ Die{ public Randomizer{ [10, 20, 30] } } Gem{ } }\n\
    Rounds{ Main(){ Randomize D1; ChooseAction CurrentTurn; NextTurn; Repeat; } }\n\
    Actions{ Add(int n){ requires{ n > 0; n < 4; } effect{ Table.Sum = Table.Sum + D1.Value + n; } }\n\
    Hide(Gem g, Location l){ requires{ g.Location != l; } effect{ move g l; } }\n\
    Stop(){ requires{ Table.Sum > 0; } effect{ Winner CurrentTurn; FinishGame; } } }\n";

/// A folder with the toy in it, which goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("houserules-bgd-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("toy.bgd"), TOY).unwrap();
        Folder(path)
    }

    fn run(&self, args: &[&str], typed: &str) -> Ran {
        run_in(&self.0, args, typed)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const RECORDING: &str = "S Bo Bob\r\nS Ann Alice\r\nR 1 - Int: 20\r\nA Bo Add Int: 2\r\nR 0 - Int: 10\r\n\
    A Ann Hide Object: Ruby Location: Chest\r\nR 2 - Int: 30\r\nA Bo Stop\r\n";

/// [BG-73] Nobody has to know the language to play, and who misspells a word of it is told the right one, with the place.
#[test]
fn whatever_takes_a_game_takes_a_text_in_bgd() {
    let folder = Folder::new("everything");
    let ran = folder.run(&["check", "toy.bgd"], "");
    assert_eq!((ran.out.as_str(), ran.status), ("toy.bgd: no errors, no warnings.\n", 0));
    let ran = folder.run(&["show", "toy.bgd"], "");
    assert!(ran.out.contains("2 to 3: Ann, Bo, Cy") && ran.out.contains("Table"), "{}", ran.out);
    let ran = folder.run(&["moves", "toy.bgd", "--after", "10", "--set", "seated=Cy Bo"], "");
    assert!(ran.out.contains("Cy") && ran.out.contains("Hide Ruby Chest"), "{}", ran.out);
    let ran = folder.run(&["perft", "toy.bgd", "--depth", "2", "--json"], "");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = folder.run(&["playout", "toy.bgd", "--matches", "20", "--players", "3"], "");
    assert!(ran.out.contains("Cy wins"), "{}{}", ran.out, ran.err);
    folder.write("bad.bgd", &TOY.replace("Table.Sum > 0", "Tabel.Sum > 0"));
    let ran = folder.run(&["check", "bad.bgd"], "");
    assert!(ran.out.contains("bad.bgd:8:19") && ran.out.contains("Did you mean `Table`?"), "{}", ran.out);
    assert_eq!(ran.status, 1);
    let ran = folder.run(&["fmt", "--check", "toy.bgd"], "");
    assert_eq!((ran.out.as_str(), ran.status), ("toy.bgd\n", 1));
}

/// The same seed gives the same matches, so both make the same of every choice.
#[test]
fn a_converted_game_plays_identically() {
    let folder = Folder::new("convert");
    let race = folder.run(&["convert", "mens-erger-je-niet.bgd", "--to", "gdl", "--players", "3"], "");
    folder.write("race.gdl", &race.out);
    let toy = folder.run(&["convert", "toy.bgd", "--to", "gdl", "--players", "3", "--out", "toy.gdl"], "");
    assert_eq!(toy.status, 0, "{}", toy.err);
    for (text, definition) in [("toy.bgd", "toy.gdl"), ("mens-erger-je-niet.bgd", "race.gdl")] {
        let without_speed = |ran: Ran| ran.out.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
        let played = |game: &str, more: &[&str]| {
            let args = [&["playout", game, "--matches", "40", "--seed", "5"], more].concat();
            let ran = folder.run(&args, "");
            assert_eq!(ran.status, 0, "{}", ran.err);
            without_speed(ran)
        };
        assert_eq!(played(text, &["--players", "3"]), played(definition, &[]), "{text}");
    }
    let ran = folder.run(&["convert", "toy.bgd", "--to", "gdf", "--players", "3"], "");
    assert!(ran.out.starts_with("<?xml") && ran.status == 0, "{}", ran.err);
}

/// [BG-2] [BG-3] [BG-61] [BG-62] [BG-63] [BG-64] A recording of the language is replayed, in all its spellings.
#[test]
fn recordings_are_replayed_in_all_spellings() {
    let folder = Folder::new("recordings");
    let older = RECORDING.replace(" - Int", ": Int").replace("A Bo Add", "A Add Bo").replace("Object: ", "");
    let unsigned: String = RECORDING.split_inclusive('\n').filter(|line| !line.starts_with('S')).collect();
    for (name, text) in [("new.txt", RECORDING.to_owned()), ("old.txt", older), ("unsigned.txt", unsigned)] {
        folder.write(name, &text);
        let ran = folder.run(&["replay", name, "--game", "toy.bgd", "--json"], "");
        assert!(
            ran.out.contains("\"result\":\"Bo wins") && !ran.out.contains("fault"),
            "{name}: {}{}",
            ran.out,
            ran.err
        );
        let ran = folder.run(&["inspect", name, "--game", "toy.bgd", "--json"], "");
        for known in [
            r#"{"entity":"Table","property":"Sum","value":"22"}"#,
            r#"{"entity":"Ruby","property":"place","value":"Chest"}"#,
            r#"{"entity":"game","property":"CurrentTurn","value":"Bo"}"#,
        ] {
            assert!(ran.out.contains(known), "{name}: {known}\n{}{}", ran.out, ran.err);
        }
    }
}

/// [BG-65] What does not fit is told with its line, and what comes before it stands.
#[test]
fn a_recording_that_does_not_fit_is_told_at_its_line() {
    let folder = Folder::new("unfit");
    for (from, to, line, said) in [
        ("R 1 - Int: 20", "R 7 - Int: 20", 3, "no outcome 7"),
        ("R 1 - Int: 20", "R 1 - Int: 30", 3, "“20”"),
        ("Add Int: 2", "Add Int: 9", 4, "no choice here"),
        ("A Ann Hide", "A Bo Hide", 6, "not asked here"),
        ("Location: Chest", "Location: Table", 6, "no choice here"),
    ] {
        folder.write("bad.txt", &RECORDING.replace(from, to));
        let ran = folder.run(&["replay", "bad.txt", "--game", "toy.bgd", "--json"], "");
        assert!(ran.out.contains(&format!("\"line\":{line},")) && ran.out.contains(said), "{to}: {}", ran.out);
        assert_eq!(ran.status, 1);
    }
}

/// [BG-57] [BG-59] [BG-65] The console plays, records and goes on where a recording ends.
#[test]
fn the_console_plays_records_and_goes_on() {
    let folder = Folder::new("console");
    let begun: String = RECORDING.split_inclusive('\n').take(4).collect();
    folder.write("begun.txt", &begun);
    let typed = "Setup Nobody Nick\nRecord Load begun.txt\nStartGame\nAction Add 9\nAction Fly\nAction Hide Ruby\n\
        Action Hide Ruby Chest\nPrint Turn\nAction Stop\nRecord Print\nRecord Write whole.txt\nDance\n";
    let ran = folder.run(&["console", "toy.bgd", "--seed", "4"], typed);
    for said in [
        "Nobody is not a Player!",
        "Loading file!",
        "Choose Action Player: Ann",
        "Unable to perform action Add. Requirements were not met!",
        "Actionname not recognized: Fly",
        "Not enough arguments supplied!",
        "It is currently Bob's Turn (Bo)",
        "-----Results------\nBo: 0, WINNER!\nAnn: 0, Loser!",
        "A Ann Hide Object: Ruby Location: Chest",
        "Unknown input",
    ] {
        assert!(ran.out.contains(said), "{said}\n{}{}", ran.out, ran.err);
    }
    let whole = fs::read_to_string(folder.0.join("whole.txt")).unwrap();
    assert!(whole.starts_with("S Bo Bob\r\nS Ann Alice\r\nR 1 - Int: 20\r\nA Bo Add Int: 2\r\n"), "{whole}");
    assert!(whole.contains("// refused: A Ann Add Int: 9\r\n") && whole.ends_with("A Bo Stop\r\n"), "{whole}");
    let ran = folder.run(&["replay", "whole.txt", "--game", "toy.bgd", "--json"], "");
    assert!(ran.out.contains("Bo wins") && ran.status == 0, "{}", ran.out);
}

/// [BG-4] What is printed of a game is said as its text says it, with what lies where.
#[test]
fn the_console_prints_a_game_in_its_own_words() {
    let folder = Folder::new("printed");
    let text = TOY
        .replace("Sum = 0;", "Sum = 0; Open = False; Seen = [Ann, [1, 2.5]];")
        .replace("Gem{ }", "Gem{ hidden Stop = 7; }");
    folder.write("toy.bgd", &text);
    let typed = "Setup Bo Bob\nSetup Ann Alice\nStartGame\nAction Hide Ruby Chest\nPrint Game\n";
    let ran = folder.run(&["console", "toy.bgd", "--seed", "4"], typed);
    let (_, printed) = ran.out.split_once("Players:\n").unwrap_or_else(|| panic!("{}{}", ran.out, ran.err));
    let printed = printed.replace("Int: 20", "Int: N").replace("Int: 10", "Int: N").replace("Int: 30", "Int: N");
    assert_eq!(
        printed,
        "Player: Ann c.b. Alice\nPlayer: Bo c.b. Bob\nPlayer: Cy c.b. Nobody\nCurrentTurn: Player: Ann c.b. Alice\n\
         Locations:\nChest\n\tOwner: Owner: Bo\n\tInventory:\n\tGem Ruby\n\t\tOwner: Owner: Public\n\t\tStop: Int: 7\n\
         Table\n\tOwner: Owner: Public\n\tSum: Int: 0\n\tOpen: Bool: false\n\
         \tSeen: List: [Player: Ann c.b. Alice, List: [Int: 1, Double: 2.5, ], ]\n\tInventory:\n\tDie D1\n\
         \t\tOwner: Owner: Public\n\t\tRandomizer Value: Int: N\n\
         Actions:\nAdd(int n)\nHide(Gem g, Location l)\nStop()\n"
    );
}

#[test]
fn a_match_played_from_a_text_is_saved_with_it_and_goes_on() {
    let folder = Folder::new("saved");
    let args = ["play", "toy.bgd", "--seats", "random,random", "--seed", "2", "--record", "match.txt"];
    let ran = folder.run(&args, "n\n");
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    fs::remove_file(folder.0.join("toy.bgd")).unwrap();
    let ran = folder.run(&["replay", "match.txt", "--json"], "");
    assert!(ran.out.contains(" wins") && ran.status == 0, "{}{}", ran.out, ran.err);
}
