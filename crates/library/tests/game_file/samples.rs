//! The game files that come with the program.

use super::{again, shown, told};
use crate::state;
use houserules_kernel::{Decision, Position, Rulebook, Shown, Viewer};
use houserules_library::{Options, file, find, list_files};

fn open(name: &str) -> Box<dyn Position> {
    let found = find(name).unwrap();
    assert!(found.diagnostics.is_empty(), "{}", found.messages(false));
    found.compile(&Options::default()).unwrap().open().unwrap()
}

/// [GM-6] [GM-247] [GM-248] [GM-249] [GM-250] The tutorial's game, sown by hand, stands as the same game of the library does.
#[test]
fn the_tutorial_sown_by_hand_gives_the_same_counts() {
    let mut tutorial = open("awele-tutorial.gdf.xml");
    let mut game = find("awele-tutorial").unwrap().compile(&Options::default()).unwrap().open().unwrap();
    for hole in [5, 11, 3] {
        told(&mut *tutorial, &format!("Kugeln verteilen Loch {hole}")).unwrap();
        told(&mut *game, &format!("hole {hole}")).unwrap();
        let places = game.view(Viewer::All).boards[0].cells.clone();
        for (at, place) in places.iter().enumerate() {
            let pebbles = match place.properties.iter().find(|(name, _)| name == "number of pebbles") {
                Some((_, Shown::Value(pebbles))) => pebbles.clone(),
                _ => panic!("every hole has pebbles"),
            };
            assert_eq!(shown(&mut *tutorial, &format!("Loch {}", at + 1), "Anzahl Kugeln"), pebbles, "hole {}", at + 1);
        }
    }
    // Helpers can be told as well: a pebble is put into a hole.
    told(&mut *tutorial, "Kugel hinzufügen Loch 1").unwrap();
    assert!(matches!(tutorial.decision(), Decision::Seats { .. }));
}

/// [GM-7] What a referee does by hand is taken back like any other choice.
#[test]
fn what_is_done_by_hand_can_be_undone() {
    let mut tutorial = open("awele-tutorial.gdf.xml");
    let before = tutorial.view(Viewer::All);
    told(&mut *tutorial, "Kugeln verteilen Loch 5").unwrap();
    assert!(tutorial.view(Viewer::All) != before);
    tutorial.undo();
    assert!(tutorial.view(Viewer::All) == before);
}

/// [GM-251] [GM-252] [GM-258] A town: houses and a university are buildings, and their pictures lie beside the file.
#[test]
fn the_town_has_a_hierarchy_of_models() {
    let mut town = open("town.gdf.xml");
    told(&mut *town, "move in The old university").unwrap();
    told(&mut *town, "move in Mill Lane 2").unwrap();
    assert_eq!(shown(&mut *town, "The old university", "people"), "2");
    assert_eq!(shown(&mut *town, "Mill Lane 2", "people"), "2");
    // No room is left, so the house is full and answers no more.
    told(&mut *town, "move in Mill Lane 2").unwrap();
    assert_eq!(state(&*town, "Mill Lane 2").trim_matches('"'), "2");
    assert_eq!(state(&*town, "Mill Lane 1").trim_matches('"'), "1");
    assert_eq!(shown(&mut *town, "Mill Lane 2", "people"), "2");
    told(&mut *town, "teach The old university").unwrap();
    assert_eq!(shown(&mut *town, "The old university", "lectures"), "1");
    told(&mut *town, "go for a walk The old university").unwrap();
    assert_eq!(shown(&mut *town, "Mill Lane 1", "people"), "1");
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for name in list_files() {
        let game = name.strip_suffix(".gdf.xml").unwrap();
        let text = file(game, "game.gdf.xml").unwrap();
        for picture in pictures(&text) {
            assert!(games.join(game).join(&picture).exists(), "{game}: {picture}");
        }
    }
    assert_eq!(pictures(&file("town", "game.gdf.xml").unwrap()).len(), 2);
}

/// Whoever leaves the ending away is told it.
#[test]
fn the_library_tells_the_ending_of_a_game_file() {
    let said = find("town").unwrap_err();
    assert!(said.contains("`town.gdf.xml`"), "{said}");
}

/// The names of pictures that a file holds.
fn pictures(text: &str) -> Vec<String> {
    let texts = text.split("<string>").skip(1).filter_map(|rest| rest.split("</string>").next());
    texts.filter(|text| text.ends_with(".png") || text.ends_with(".svg")).map(str::to_owned).collect()
}

/// [GM-234] The samples are written as this program writes them, and validate by the schema that is shipped.
#[test]
fn samples_are_laid_out_as_usual_and_validate() {
    let names = list_files();
    assert!(names.len() >= 2, "{names:?}");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for name in names {
        let game = name.strip_suffix(".gdf.xml").unwrap();
        let text = file(game, "game.gdf.xml").unwrap();
        assert_eq!(again(&text), text, "`houserules fmt` lays {name} out");
        assert!(!text.contains("hr:"), "{name} needs no additions");
        let status = std::process::Command::new("xmllint")
            .args(["--noout", "--nonet", "--schema"])
            .arg(root.join("crates/gdf/schema/gdf.xsd"))
            .arg(root.join("games").join(game).join("game.gdf.xml"))
            .status()
            .expect("`cargo xtask test` installs xmllint");
        assert!(status.success(), "{name}");
    }
}
