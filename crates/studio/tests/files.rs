//! A game of several files: one list of steps, names that mean the same in all of them.

use houserules_studio::{Change, Document, Picture};

const ROOT: &str = "#game \"G\"\n#players \"X\" \"O\"\n#turns\n#model cell\n  #property mark ; whose it is\n\
    #board cell grid 3 3\n#include \"rules.gdl\"\n";
const RULES: &str = "#action place to cell\n  (set mark to player)\n; no second mark\n#law \"Only empty\" on place\n  \
    (var mine mark)\n  (require (not mine) \"There is {mark} already.\")\n";
const APART: &str = "#model cell\n  #property mark\n";

fn game() -> Document {
    let files = [("game.gdl", ROOT), ("rules.gdl", RULES), ("apart.gdl", APART)];
    Document::of(files.map(|(path, text)| (path.to_owned(), text.to_owned())).into(), 0)
}

fn text<'d>(document: &'d Document, path: &str) -> &'d str {
    &document.files().iter().find(|(own, _)| own == path).unwrap().1
}

fn rename(document: &mut Document, at: usize, to: &str) -> Result<(), String> {
    document.change(&Change::Rename { at, to: to.into() }).map(|_| ()).map_err(|refused| refused.code.to_owned())
}

/// [GM-197] A name is changed in all files that the game consists of, in one step, and in none that it does not include.
#[test]
fn a_name_is_changed_in_every_file_of_the_game() {
    let mut document = game();
    assert!(!document.reading().has_errors());
    rename(&mut document, ROOT.find("mark").unwrap(), "owner-of").unwrap();
    assert_eq!(document.text(), ROOT.replace("mark", "owner-of"));
    let wanted = RULES.replace("set mark", "set owner-of").replace("mine mark", "mine owner-of");
    assert_eq!(text(&document, "rules.gdl"), wanted.replace("{mark}", "{owner-of}"));
    assert_eq!(text(&document, "apart.gdl"), APART, "nothing includes it");
    assert!(!document.reading().has_errors(), "{:?}", document.reading().messages);
    assert_eq!(document.steps().0.len(), 1);
    document.undo().unwrap();
    assert_eq!((text(&document, "game.gdl"), text(&document, "rules.gdl")), (ROOT, RULES));
    document.redo().unwrap();
    assert_eq!(document.path(), "game.gdl", "what is looked at was changed, too");

    // From the other side it is the same.
    let mut document = game();
    assert!(document.turn_to("rules.gdl"));
    rename(&mut document, RULES.find("mark to").unwrap(), "owner-of").unwrap();
    assert_eq!(text(&document, "game.gdl"), ROOT.replace("mark", "owner-of"));
    // A name that one file needs bare is refused for all of them.
    assert_eq!(rename(&mut document, RULES.find("mark to").unwrap(), "two words"), Err("edit/plain".into()));
    // What is there in another file is taken.
    assert_eq!(rename(&mut document, RULES.find("place").unwrap() + 1, "cell"), Ok(()), "messages are no models");
    // A variable is known in its behavior alone.
    let at = document.text().find("mine").unwrap();
    let before = text(&document, "game.gdl").to_owned();
    rename(&mut document, at, "whose").unwrap();
    assert_eq!(text(&document, "game.gdl"), before);
}

/// [GM-199] [GM-200] [GM-201] Steps in several files are taken back in the order in which they were made, and what they changed
/// is looked at.
#[test]
fn steps_in_several_files_are_one_list() {
    let mut document = game();
    document.change(&Change::Type { text: format!("{ROOT}; one\n"), joins: false }).unwrap();
    document.turn_to("rules.gdl");
    document.change(&Change::Type { text: format!("{RULES}; two\n"), joins: true }).unwrap();
    document.change(&Change::Type { text: format!("{RULES}; two and\n"), joins: true }).unwrap();
    rename(&mut document, RULES.find("mark to").unwrap(), "sign").unwrap();
    let (steps, done) = document.steps();
    assert_eq!(steps.iter().map(|step| &*step.what).collect::<Vec<_>>(), ["type", "type", "rename"]);
    let kept = (steps.to_vec(), done, document.files().to_vec());
    document.undo().unwrap();
    document.undo().unwrap();
    assert_eq!((document.path(), document.text()), ("rules.gdl", RULES));
    let stepped = document.undo().unwrap();
    assert_eq!((document.path(), document.text(), stepped.elsewhere), ("game.gdl", ROOT, true));
    assert!(document.undo().is_none());
    document.jump(3).unwrap();
    assert_eq!(document.files(), kept.2);
    // Opened again they can still be taken back.
    let mut again = Document::of(kept.2, 2);
    assert!(again.remember(kept.0.clone(), kept.1));
    while again.undo().is_some() {}
    assert_eq!((text(&again, "game.gdl"), text(&again, "rules.gdl")), (ROOT, RULES));
    assert!(!game().remember(kept.0, kept.1), "they lead to other texts");
}

/// Where a name is made, and every place that means it, is found in all files.
#[test]
fn uses_are_found_in_every_file() {
    let mut document = game();
    let found = |document: &Document, name: &str| {
        let places = document.places(document.text().find(name).unwrap());
        let line = |path: &str, at: usize| text(document, path)[..at].matches('\n').count() + 1;
        places
            .iter()
            .map(|place| {
                format!(
                    "{}:{}{}",
                    place.path,
                    line(&place.path, place.at.start),
                    if place.defines { " made" } else { "" }
                )
            })
            .collect::<Vec<_>>()
    };
    let wanted = ["game.gdl:5 made", "rules.gdl:2", "rules.gdl:5", "rules.gdl:6"];
    assert_eq!(found(&document, "mark"), wanted);
    document.turn_to("rules.gdl");
    assert_eq!(found(&document, "mark to"), wanted);
    assert_eq!(found(&document, "mine"), ["rules.gdl:5 made", "rules.gdl:6"]);
    assert!(document.places(0).is_empty());
}

/// What stands in another file of the game tells where.
#[test]
fn what_stands_in_another_file_is_found_there() {
    let mut document = game();
    let picture = Picture::of(&document);
    let law = picture.play.iter().find(|entry| entry.name == "Only empty").unwrap();
    let there = law.there.as_ref().unwrap();
    assert_eq!((law.at, &*there.path, there.start), (None, "rules.gdl", RULES.find("#law").unwrap()));
    document.turn_to("rules.gdl");
    let picture = Picture::of(&document);
    let cell = picture.models.iter().find(|model| model.name == "cell").unwrap();
    assert_eq!((cell.at, &*cell.there.as_ref().unwrap().path), (None, "game.gdl"));
    assert!(picture.play.iter().all(|entry| entry.there.is_none()));
    document.change(&Change::Type { text: RULES.replace("set mark", "set marc"), joins: false }).unwrap();
    document.turn_to("game.gdl");
    let message = Picture::of(&document).messages.into_iter().find(|message| message.is_error).unwrap();
    assert_eq!(message.there.unwrap().path, "rules.gdl");
}
