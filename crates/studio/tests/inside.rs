//! What stands inside of variants and views is drawn, added and changed as everything else is.

use houserules_studio::{Blocks, Change, Document, Entry, Picture, Side, Span, What};

const GAME: &str = "#game \"Three\"\n#players \"X\" \"O\"\n#turns\n#setting size 3\n#model cell\n  #property mark\n\
    #board cell grid size size\n#action place to cell\n  (set mark to player)\n\
    #law \"Only empty\" on place\n  (require (not mark))\n\
    #view \"Sign\" of cell\n  #property times 0\n  #onMessage start\n    ; the sign\n    \
    (new graphic sign with text \"x\")\n    (observe mark notify changed)\n  #onMessage changed\n\n\
    #variant \"Large\"\n  #set size 4\n  ; it may be taken\n  #rule \"Only empty\" off\n\n\
    #variant \"Wild\" from \"Large\"\n  #law \"No corner\" on place\n    (require true)\n";

fn open() -> Document {
    let document = Document::open("game.gdl", GAME, Vec::new());
    assert!(!document.reading().has_errors(), "{:?}", document.reading().messages);
    document
}

fn variants(document: &Document) -> Vec<Entry> {
    Picture::of(document).variants
}

fn view(document: &Document) -> Entry {
    Picture::of(document).play.into_iter().find(|entry| entry.what == "view").unwrap()
}

fn names(entry: &Entry) -> Vec<(&str, &str)> {
    entry.inside.iter().map(|entry| (entry.what, &*entry.name)).collect()
}

fn add(within: Option<Span>, what: What, name: &str, of: Option<&str>, value: Option<&str>) -> Change {
    let text = |text: Option<&str>| text.map(str::to_owned);
    Change::Add { what, name: name.into(), of: text(of), state: None, value: text(value), within }
}

fn made(document: &mut Document, change: &Change) {
    let before = document.text().to_owned();
    document.change(change).unwrap_or_else(|refused| panic!("{change:?}: {refused}"));
    let after = document.text().to_owned();
    document.undo().unwrap();
    assert_eq!(document.text(), before);
    document.redo().unwrap();
    assert_eq!(document.text(), after);
    assert!(!document.reading().has_errors(), "{after}\n{:?}", document.reading().messages);
}

#[test]
fn variants_and_views_show_what_stands_in_them() {
    let document = open();
    let drawn = variants(&document);
    assert_eq!(names(&drawn[0]), [("set", "size"), ("rule", "Only empty")]);
    assert_eq!(drawn[0].inside[1].mode, Some("off"));
    assert_eq!(names(&drawn[1]), [("law", "No corner")]);
    assert_eq!(names(&view(&document)), [("property", "times"), ("behavior", "start"), ("behavior", "changed")]);
    let start = view(&document).inside[1].at.unwrap();
    let blocks = Blocks::at(document.reading(), start.start).unwrap();
    assert_eq!((blocks.what, &*blocks.name, blocks.of.as_deref()), ("behavior", "start", Some("Sign")));
    assert!(blocks.open && blocks.body.len() == 2 && blocks.body.iter().all(|block| block.loose), "{blocks:?}");
    assert_eq!(blocks.body[0].notes, ["the sign"]);
    let empty = Blocks::at(document.reading(), view(&document).inside[2].at.unwrap().start).unwrap();
    assert!(empty.open && empty.body.is_empty());
    let law = Blocks::at(document.reading(), drawn[1].inside[0].at.unwrap().start).unwrap();
    assert_eq!((law.what, law.body.len()), ("law", 1));
}

#[test]
fn statements_of_a_view_are_added_moved_and_removed() {
    let mut document = open();
    let empty = view(&document).inside[2].at.unwrap();
    made(&mut document, &Change::Fill { at: empty, slot: 0, text: "(set times to (+ times 1))".into() });
    assert!(document.text().contains("  #onMessage changed\n    (set times to (+ times 1))\n"), "{}", document.text());
    let start = view(&document).inside[1].at.unwrap();
    let body = Blocks::at(document.reading(), start.start).unwrap().body;
    made(&mut document, &Change::Move { at: body[0].at, to: body[1].at, side: Side::After });
    let body = Blocks::at(document.reading(), start.start).unwrap().body;
    assert_eq!((&*body[0].head, body[1].notes.len()), ("observe", 1), "the comment goes along");
    made(&mut document, &Change::Remove { at: body[0].at });
    assert!(!document.text().contains("(observe"));
    let whole = Picture::of(&document).play.into_iter().find(|entry| entry.what == "view").unwrap().at.unwrap();
    made(&mut document, &add(Some(whole), What::Behavior, "burnt", None, None));
    assert_eq!(names(&view(&document)).last(), Some(&("behavior", "burnt")));
    // A view goes with all that belongs to it.
    made(&mut document, &Change::Remove { at: whole });
    assert!(!document.text().contains("#onMessage") && document.text().contains("#law \"Only empty\""));
}

#[test]
fn rules_settings_and_behaviors_are_added_to_a_variant_alone() {
    let mut document = open();
    let play = Picture::of(&document).play.len();
    let at = |document: &Document, nth: usize| variants(document)[nth].at;
    let first = at(&document, 0);
    made(&mut document, &add(first, What::Law, "No middle", None, Some("place")));
    made(&mut document, &add(first, What::Property, "worth", Some("cell"), Some("1")));
    made(&mut document, &add(first, What::Property, "again", Some("cell"), Some("2")));
    let second = at(&document, 1);
    made(&mut document, &add(second, What::Set, "size", None, Some("5")));
    made(&mut document, &add(second, What::Property, "count", None, Some("0")));
    // Until something stands in it, it has a place that is empty.
    document.change(&add(second, What::Rule, "Only empty", None, Some("instead"))).unwrap();
    let drawn = variants(&document);
    let rules: [(&str, &str); 6] = [
        ("set", "size"),
        ("rule", "Only empty"),
        ("law", "No middle"),
        ("model", "cell"),
        ("property", "worth"),
        ("property", "again"),
    ];
    assert_eq!(names(&drawn[0]), rules, "{}", document.text());
    assert_eq!(
        names(&drawn[1]),
        [("property", "count"), ("law", "No corner"), ("set", "size"), ("rule", "Only empty")],
        "{}",
        document.text()
    );
    assert_eq!(Picture::of(&document).play.len(), play, "the game itself is as it was");
    // What runs instead is made of blocks.
    let instead = drawn[1].inside[3].at.unwrap();
    let blocks = Blocks::at(document.reading(), instead.start).unwrap();
    assert!(blocks.open);
    made(&mut document, &Change::Replace { at: blocks.body[0].at, with: "(require (> row 1))".into() });
    let at = variants(&document)[1].inside[3].at.unwrap();
    made(&mut document, &Change::Fill { at, slot: 0, text: "(require true)".into() });
    assert!(
        document.text().contains("  #rule \"Only empty\" instead\n    (require (> row 1))\n    (require true)"),
        "{}",
        document.text()
    );
    let n = document.text().matches("#law").count();
    let law = variants(&document)[0].inside[2].at.unwrap();
    made(&mut document, &Change::Remove { at: law });
    assert_eq!(document.text().matches("#law").count(), n - 1);
    assert!(document.text().contains("; it may be taken\n  #rule \"Only empty\" off"));
}

#[test]
fn variants_and_views_are_made_and_go_with_what_is_in_them() {
    let mut document = open();
    made(&mut document, &add(None, What::Variant, "Small", None, Some("Wild")));
    assert!(document.text().ends_with("\n\n#variant \"Small\" from \"Wild\"\n"), "{}", document.text());
    let small = variants(&document)[2].at;
    made(&mut document, &add(small, What::SideEffect, "Again", None, Some("place")));
    assert_eq!(names(&variants(&document)[2]), [("side-effect", "Again")]);
    made(&mut document, &add(None, What::View, "Other", Some("cell"), None));
    assert_eq!(names(&view(&document)).len(), 3, "the first keeps what it has");
    let refused = document.change(&add(None, What::Variant, "Wild", None, None)).unwrap_err();
    assert_eq!(refused.code, "edit/taken");
    let small = variants(&document)[2].at.unwrap();
    made(&mut document, &Change::Remove { at: small });
    assert_eq!(variants(&document).len(), 2);
    assert!(!document.text().contains("Again"));
}
