//! Pictures by the program, and the guide to them followed to the letter.

mod common;

use common::run_in;
use std::fs;
use std::path::PathBuf;

const GUIDE: &str = include_str!("../../../docs/guide/views.md");

/// A folder of the reader's own, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("houserules-views-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn run(&self, args: &[&str]) -> common::Ran {
        run_in(&self.0, args, "")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
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

#[test]
fn the_guide_to_views_does_what_it_says() {
    let folder = Folder::new("guide");
    let mut n_pictures = 0;
    for block in GUIDE.split("```").skip(1).step_by(2).map(|block| block.trim_matches('\n')) {
        if block.starts_with("#game") {
            fs::write(folder.0.join("lanterns.gdl"), block).unwrap();
            let checked = folder.run(&["check", "lanterns.gdl"]);
            assert_eq!(checked.status, 0, "{}{}", checked.out, checked.err);
            continue;
        }
        let arguments = arguments(block);
        let ran = folder.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((ran.status, &*ran.err), (0, ""), "{block}");
        n_pictures += 1;
    }
    assert_eq!(n_pictures, 2);
    let lanterns = folder.read("lanterns.svg");
    // One flame is bright, one is not; the oil of East has gone down.
    assert_eq!(lanterns.matches("opacity=\"0.15\"").count(), 1, "{lanterns}");
    assert!(lanterns.contains(">2</text>") && lanterns.contains(">3</text>"), "{lanterns}");
    assert!(folder.read("chess.svg").contains("<title>White knight on f3</title>"));
}

#[test]
fn a_picture_shows_a_seat_no_more_than_it_may_see() {
    let folder = Folder::new("whist");
    for (viewer, file) in [("North", "n.svg"), ("public", "p.svg")] {
        let ran = folder.run(&["show", "whist", "--svg", file, "--viewer", viewer]);
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
    let (north, public) = (folder.read("n.svg"), folder.read("p.svg"));
    let titles = |picture: &str, suit: &str| {
        picture.lines().filter(|line| line.contains("<title>") && line.contains(suit)).count()
    };
    let cards = |picture: &str| ["♣", "♦", "♥", "♠"].iter().map(|suit| titles(picture, suit)).sum::<usize>();
    assert_eq!((cards(&north), cards(&public)), (13, 0));
}

#[test]
fn a_wrong_viewer_or_move_is_told() {
    let folder = Folder::new("wrong");
    let ran = folder.run(&["show", "chess", "--svg", "c.svg", "--viewer", "Green"]);
    assert!(ran.status != 0 && ran.err.contains("There is no seat"), "{}", ran.err);
    let ran = folder.run(&["show", "chess", "--svg", "c.svg", "--after", "e9"]);
    assert!(ran.status != 0 && ran.err.contains("e9"), "{}", ran.err);
    let ran = folder.run(&["show", "chess", "--svg", "nowhere/c.svg"]);
    assert!(ran.status != 0 && ran.err.contains("cannot be written"), "{}", ran.err);
}

/// [FR-4] A view that is added during a match is recorded, drawn from then on, and gone when it is taken back.
#[test]
fn a_view_added_during_a_match_is_drawn_from_its_record() {
    let folder = Folder::new("added");
    let definition = GUIDE.split("```").find(|block| block.contains("#game \"Lanterns\"")).unwrap();
    fs::write(folder.0.join("lanterns.gdl"), definition.trim_matches('\n')).unwrap();
    let typed = "kindle East\nadd #view \"Glass\" of lantern #onMessage start (new graphic star with shape \"star\" label \"a star\")\n\
                 kindle West\nundo\nundo\nquit\n";
    let ran = run_in(&folder.0, &["play", "lanterns.gdl", "--seats", "human,human", "--record", "m.txt"], typed);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    let stars = |at: &str| {
        let ran = folder.run(&["record", "export", "m.txt", "--at", at, "--svg", "b.svg"]);
        assert_eq!(ran.status, 0, "{at}: {}", ran.err);
        folder.read("b.svg").matches("<title>a star</title>").count()
    };
    let counts: Vec<usize> = ["1", "2", "3", "4", "5"].map(stars).to_vec();
    assert_eq!(counts, [0, 2, 2, 2, 0], "{}", folder.read("m.txt"));
}
