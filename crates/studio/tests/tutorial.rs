//! The tutorial's game made from nothing by changes alone: what is drawn of it, its layers and links included.

use houserules_gdf::{read, write};
use houserules_studio::{Change, Deed, Document, Picture, Span, What, game_file};
use std::collections::BTreeMap;

struct Making {
    document: Document,
    texts: Vec<String>,
}

impl Making {
    fn make(&mut self, change: Change) {
        self.texts.push(self.document.text().to_owned());
        self.document.change(&change).unwrap_or_else(|refused| panic!("{change:?}: {refused}"));
        assert_ne!(self.texts.last().unwrap(), self.document.text(), "{change:?}");
    }

    fn add(&mut self, what: What, name: &str, of: Option<&str>, value: Option<&str>) {
        let state = (what == What::Behavior).then(|| "1".to_owned());
        let (of, value) = (of.map(str::to_owned), value.map(str::to_owned));
        self.make(Change::Add { what, name: name.into(), of, state, value, within: None });
    }

    fn at(&self, thing: &str) -> Span {
        let picture = Picture::of(&self.document);
        picture.things.iter().find(|one| one.name == thing).unwrap().at.unwrap()
    }

    fn give(&mut self, thing: &str, values: &[(&str, &str)]) {
        let value = |(name, value): &(&str, &str)| ((*name).to_owned(), Some((*value).to_owned()));
        self.make(Change::Give { at: self.at(thing), values: values.iter().map(value).collect() });
    }

    fn link(&mut self, from: &str, relation: &str, to: &str) {
        let (at, relation) = (self.at(from), relation.to_owned());
        self.make(Change::Link { at, relation, path: Vec::new(), key: None, to: to.into() });
    }

    fn slot(&mut self, relation: &str, of: &str, lane: &str, layer: &str) {
        let (relation, of) = (relation.to_owned(), of.to_owned());
        self.make(Change::Slot { relation, of, lane: Some(lane.into()), layer: Some(layer.into()) });
    }

    fn body(&mut self, message: &str, text: &str) {
        self.add(What::Behavior, message, Some("Loch"), None);
        let picture = Picture::of(&self.document);
        let behaviors = picture.models.iter().flat_map(|model| &model.states).flat_map(|state| &state.behaviors);
        let at = behaviors.filter(|own| own.name == message).find_map(|own| own.at).unwrap();
        for line in text.lines() {
            let at = Span::new(at.start, self.end_of(at.start));
            self.make(Change::Fill { at, slot: 0, text: line.into() });
        }
    }

    fn end_of(&self, start: usize) -> usize {
        let picture = Picture::of(&self.document);
        let behaviors = picture.models.iter().flat_map(|model| &model.states).flat_map(|state| &state.behaviors);
        behaviors.filter_map(|own| own.at).find(|at| at.start == start).unwrap().end
    }
}

/// The hole after another, on a ring of twelve.
fn next(n: usize) -> usize {
    n % 12 + 1
}

fn made() -> Making {
    let document = Document::open("game.gdl", "#game \"Awele\"\n#properties open\n", Vec::new());
    let mut game = Making { document, texts: Vec::new() };
    let look = |game: &mut Making, of: &str, image: &str| {
        game.add(What::Appearance, "Bild X", Some(of), Some("0"));
        game.add(What::Appearance, "Bild Y", Some(of), Some("0"));
        game.add(What::Appearance, "Bild Dateiname", Some(of), Some(image));
        game.add(What::Appearance, "Bild Z-Order", Some(of), Some("0"));
    };
    game.add(What::Model, "Spieler", None, None);
    game.add(What::Model, "Loch", None, None);
    game.add(What::Relation, "Nächster Spieler", Some("Spieler"), None);
    game.add(What::Relation, "Löcher", Some("Spieler"), Some("(list)"));
    look(&mut game, "Spieler", "\"\"");
    game.add(What::Property, "Anzahl Kugeln", Some("Loch"), Some("4"));
    for relation in ["Nächstes Loch", "Vorheriges Loch", "Spieler"] {
        game.add(What::Relation, relation, Some("Loch"), None);
    }
    look(&mut game, "Loch", "\"loch.png\"");
    for (player, y, image) in [(1, "12", "\"spieler1.png\""), (2, "356", "\"spieler2.png\"")] {
        let name = format!("Spieler {player}");
        game.add(What::Entity, &name, Some("Spieler"), None);
        game.give(&name, &[("Bild X", "288"), ("Bild Y", y)]);
        game.give(&name, &[("Bild Dateiname", image)]);
    }
    for hole in 1..=12 {
        game.add(What::Entity, &format!("Loch {hole}"), Some("Loch"), None);
    }
    for hole in 1..=12 {
        let column = if hole <= 6 { hole - 1 } else { 12 - hole };
        let (x, y) = ((38 + 99 * column).to_string(), if hole <= 6 { "120" } else { "250" });
        game.give(&format!("Loch {hole}"), &[("Bild X", &x), ("Bild Y", y)]);
    }
    let layers = ["Spieler", "Nächster Spieler", "Spieler -> Löcher", "Löcher", "Vorheriges Loch", "Nächstes Loch"];
    for layer in layers.into_iter().chain(["Loch -> Spieler"]) {
        game.add(What::Layer, layer, None, None);
    }
    let all = |model: &str, n: usize| (1..=n).map(|n| format!("{model} {n}")).collect::<Vec<_>>();
    game.make(Change::OnLayer { entities: all("Spieler", 2), layer: Some("Spieler".into()) });
    game.make(Change::OnLayer { entities: all("Loch", 12), layer: Some("Löcher".into()) });
    game.slot("Nächster Spieler", "Spieler", "top", "Nächster Spieler");
    game.slot("Löcher", "Spieler", "bottom", "Spieler -> Löcher");
    game.slot("Nächstes Loch", "Loch", "right", "Nächstes Loch");
    game.slot("Vorheriges Loch", "Loch", "left", "Vorheriges Loch");
    game.slot("Spieler", "Loch", "top", "Loch -> Spieler");
    game.link("Spieler 1", "Nächster Spieler", "Spieler 2");
    game.link("Spieler 2", "Nächster Spieler", "Spieler 1");
    for hole in 1..=12 {
        game.link(&format!("Loch {hole}"), "Nächstes Loch", &format!("Loch {}", next(hole)));
        game.link(&format!("Loch {}", next(hole)), "Vorheriges Loch", &format!("Loch {hole}"));
        let player = format!("Spieler {}", if hole <= 6 { 1 } else { 2 });
        game.link(&format!("Loch {hole}"), "Spieler", &player);
        game.link(&player, "Löcher", &format!("Loch {hole}"));
    }
    let of = "Loch".to_owned();
    let value = Change::Value { of: of.clone(), property: "state".into(), value: Some("\"1\"".into()) };
    let state =
        Change::Add { what: What::State, name: "1".into(), of: Some(of), state: None, value: None, within: None };
    game.make(Change::All { changes: vec![value, state], deed: Some(Deed::Add), name: Some("1".into()) });
    game.body("Kugel hinzufügen", "(update property \"Anzahl Kugeln\" to (+ (property \"Anzahl Kugeln\") 1))");
    game.body("Nächstes Loch", "(return (property \"Nächstes Loch\"))");
    game.body(
        "Kugeln verteilen",
        "(var Loch (property \"Nächstes Loch\"))\n\
         (while (and (!= Loch self) (> (property \"Anzahl Kugeln\") 0)) (send \"Kugel hinzufügen\" to Loch) \
         (update property \"Anzahl Kugeln\" to (- (property \"Anzahl Kugeln\") 1)) \
         (set Loch to (send \"Nächstes Loch\" to Loch)))",
    );
    game
}

#[test]
fn the_tutorial_made_by_changes_is_the_game_file_of_the_library() {
    let mut game = made();
    let sample =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/awele-tutorial/game.gdf.xml"));
    let reading = read("game.gdf.xml", &sample.unwrap());
    let (made, wanted) =
        (game_file(game.document.reading()).unwrap(), write(&reading.loaded.definition, &reading.remarks));
    let differing = made.lines().zip(wanted.lines()).find(|(made, wanted)| made != wanted);
    assert_eq!(differing, None, "{}", game.document.text());
    assert_eq!(made, wanted);
    // Every step back and forth again.
    let made = game.document.text().to_owned();
    for text in game.texts.iter().rev() {
        game.document.undo().unwrap();
        assert_eq!(game.document.text(), text);
    }
    assert!(game.document.undo().is_none());
    while game.document.redo().is_some() {}
    assert_eq!(game.document.text(), made);
}

#[test]
fn a_link_is_broken_changed_and_goes_with_its_thing() {
    let mut game = made();
    let before = game.document.text().to_owned();
    game.link("Loch 3", "Nächstes Loch", "Loch 5");
    assert!(
        game.document.text().contains("\"Nächstes Loch\" (entity \"Loch 5\") \"Vorheriges Loch\" (entity \"Loch 2\")")
    );
    let unlink = |game: &Making, from: &str, relation: &str, path: &[&str]| Change::Unlink {
        at: game.at(from),
        relation: relation.into(),
        path: path.iter().map(|step| (*step).to_owned()).collect(),
    };
    game.make(unlink(&game, "Loch 3", "Nächstes Loch", &[]));
    assert!(game.document.text().contains("#entity \"Loch 3\" is Loch with \"Vorheriges Loch\" (entity \"Loch 2\")"));
    game.document.undo();
    game.document.undo();
    assert_eq!(game.document.text(), before);
    game.make(unlink(&game, "Spieler 1", "Löcher", &["1"]));
    assert!(game.document.text().contains("Löcher (list (entity \"Loch 1\") (entity \"Loch 3\")"));
    game.document.undo();
    game.make(Change::RemoveEntity { at: game.at("Loch 3") });
    assert!(!game.document.text().contains("Loch 3"), "{}", game.document.text());
    assert!(!game.document.reading().has_errors());
    game.document.undo();
    game.make(Change::RemoveLayer { name: "Löcher".into() });
    assert!(!game.document.text().contains(" on Löcher"), "{}", game.document.text());
    game.document.undo();
    game.make(Change::RemoveState { model: "Loch".into(), state: "1".into() });
    assert!(!game.document.text().contains("#onMessage") && !game.document.text().contains("#state"));
    game.document.undo();
    assert_eq!(game.document.text(), before);
}

#[test]
fn what_cannot_be_changed_is_refused_with_a_reason() {
    let mut game = made();
    let before = game.document.text().to_owned();
    let at = game.at("Loch 1");
    let values = BTreeMap::from([("Bild X".to_owned(), Some("1 2".to_owned()))]);
    let link = |relation: &str, to: &str| Change::Link {
        at,
        relation: relation.into(),
        path: Vec::new(),
        key: None,
        to: to.into(),
    };
    for (change, code) in [
        (Change::Give { at, values }, "edit/not-one"),
        (link("Nächstes Loch", "Loch 99"), "edit/unknown"),
        (link("Farbe", "Loch 2"), "edit/unknown"),
        (Change::Layer { name: "Wolken".into(), visible: None, protected: None }, "edit/unknown"),
        (Change::OnLayer { entities: vec!["Loch 1".into()], layer: Some("Wolken".into()) }, "edit/unknown"),
        (Change::Size { width: 0, height: 3 }, "edit/size"),
        (Change::MadeFrom { at, model: Some("Wolke".into()) }, "edit/unknown"),
        (
            Change::Add { what: What::Layer, name: "Spieler".into(), of: None, state: None, value: None, within: None },
            "edit/taken",
        ),
    ] {
        assert_eq!(game.document.change(&change).unwrap_err().code, code, "{change:?}");
        assert_eq!(game.document.text(), before);
    }
}
