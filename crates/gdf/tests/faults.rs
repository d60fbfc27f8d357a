//! What the reader says to files that are not right: the code, the place, what it makes of them.

mod common;

use common::{behaving, messages, sound, written};
use houserules_gdf::{LONGEST, NODES, Reading, read};
use houserules_model::{Drawn, Editor, EditorKey, ExprKind, Form, ItemKind, Key, Lane, Severity, Slot};

/// The messages as code, severity and line; they all have a hint.
fn told(reading: &Reading) -> Vec<(&'static str, Severity, usize)> {
    let told = reading.loaded.diagnostics.iter();
    told.map(|told| {
        assert!(told.hint.is_some() || !told.notes.is_empty(), "{}", messages(reading));
        let place = reading.loaded.sources.place(told.labels[0].origin).expect("every message has a place");
        (told.code, told.severity, place.line)
    })
    .collect()
}

use Severity::{Error, Warning};

const MODEL: &str = r#"<model name="Bowl"><initialStateNumber>0</initialStateNumber>
<property name="beans"><number>3</number></property><relationship name="other"><id/></relationship></model>"#;

fn game(inside: &str) -> String {
    format!("<game><name>Toy</name>\n{inside}\n</game>")
}

fn names(reading: &Reading) -> Vec<String> {
    let items = reading.loaded.definition.items().iter();
    items
        .filter_map(|item| match &item.kind {
            ItemKind::Model { name, .. } => Some(name.to_string()),
            ItemKind::Entity(entity) => entity.name.as_ref().map(|name| name.to_string()),
            ItemKind::Property(property) => Some(property.name.to_string()),
            ItemKind::Behavior(behavior) => Some(behavior.label.to_string()),
            _ => None,
        })
        .collect()
}

#[test]
fn broken_markup_is_told_and_read_as_far_as_it_goes() {
    let reading = read(
        "toy",
        &game(&format!("{MODEL}\n<entity name=\"A\" parent=\"Bowl\">\n<property name=\"beans\"></entity>")),
    );
    assert_eq!(told(&reading)[0], ("gdf/xml", Error, 5));
    assert!(messages(&reading).contains("The tag `property` is closed by `entity`."), "{}", messages(&reading));
    assert_eq!(names(&reading), ["Bowl", "beans", "other", "A"]);
    let cut = game(MODEL);
    for end in 1..cut.len() {
        if cut.is_char_boundary(end) {
            let reading = read("toy", &cut[..end]);
            assert!(end >= cut.trim_end().len() || reading.loaded.has_errors(), "{}", &cut[..end]);
        }
    }
    let reading = read("toy", &cut[..cut.len() - 20]);
    assert_eq!(names(&reading), ["Bowl", "beans", "other"], "{}", messages(&reading));
    for (text, line) in [
        ("no markup at all", 1),
        ("<game>\n<name>A & B</name></game>", 2),
        ("<game>\n<name a='1' a='2'>x</name></game>", 2),
        ("<game><name>x</name></game>\n<game/>", 2),
        ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<game><name>x</name></game>", 1),
        ("<game><name>x</name>\n</model></game>", 2),
        ("<game><name>x</name>\n&nbsp;</game>", 2),
        ("<game><name>x\u{1}</name></game>", 1),
    ] {
        let reading = read("toy", text);
        assert!(told(&reading).contains(&("gdf/xml", Error, line)), "{text}\n{}", messages(&reading));
    }
}

#[test]
fn entities_and_instructions_are_refused_and_nothing_is_expanded() {
    let bomb: String = (1..30).map(|n| format!("<!ENTITY e{n} \"&e{};&e{};\">", n - 1, n - 1)).collect();
    for text in [
        format!("<!DOCTYPE game [<!ENTITY e0 \"ha\">{bomb}]>\n<game><name>&e29;</name></game>"),
        "<!DOCTYPE game SYSTEM \"file:///etc/passwd\"><game><name>x</name></game>".into(),
        "<?xml-stylesheet href=\"x.xsl\"?><game><name>x</name></game>".into(),
    ] {
        let reading = read("toy", &text);
        assert_eq!(told(&reading), [("gdf/dtd", Error, 1)]);
        assert!(reading.loaded.definition.items().is_empty());
    }
}

#[test]
fn files_that_are_too_large_are_not_read() {
    let long = " ".repeat(LONGEST + 1);
    let many = game(&"<x/>".repeat(NODES));
    let deep = "<game>".to_owned() + &"<model>".repeat(600);
    let entities = game(&"<entity name=\"A\" parent=\"\"/>".repeat(6_000));
    for text in [long, many, deep, entities] {
        let reading = read("toy", &text);
        assert_eq!(reading.loaded.diagnostics[0].code, "gdf/large");
        assert!(reading.loaded.definition.items().is_empty());
    }
    let statement = "<return><value>".repeat(130) + &"</value></return>".repeat(130);
    let reading = read("toy", &behaving(&statement));
    assert!(reading.loaded.diagnostics.iter().any(|told| told.code == "gdf/large"), "{}", messages(&reading));
    let case = "<if><condition><myself/></condition><statement><break/></statement></if>";
    let reading = read("toy", &behaving(&format!("<ifElse>{}</ifElse>", case.repeat(5_000))));
    assert!(reading.loaded.diagnostics.iter().any(|told| told.code == "gdf/large"), "{}", messages(&reading));
}

#[test]
fn a_file_of_something_else_is_told_so() {
    let reading = read("toy", "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"\"/></svg>");
    assert_eq!(told(&reading), [("gdf/root", Error, 1)]);
    assert!(messages(&reading).contains("This is a file of `svg`, not of a game."));
    assert_eq!(told(&read("toy", "")), [("gdf/root", Error, 1)]);
}

#[test]
fn unknown_tags_and_attributes_are_skipped() {
    let reading = read(
        "toy",
        &game(&format!(
            "<modle name=\"X\"><state/></modle>\n{}",
            MODEL.replace("name=\"Bowl\"", "name=\"Bowl\" size=\"3\"")
        )),
    );
    assert_eq!(told(&reading), [("gdf/unknown", Warning, 2), ("gdf/attribute", Warning, 3)]);
    assert!(messages(&reading).contains("Did you mean `model`?"));
    assert_eq!(names(&reading), ["Bowl", "beans", "other"]);
}

#[test]
fn what_is_missing_gets_a_name_or_a_placeholder() {
    let reading = read("toy", &game("<entity parent=\"\"/>"));
    assert_eq!(told(&reading), [("gdf/missing", Error, 2)]);
    assert_eq!(names(&reading), ["thing", "unnamed 1"]);
    for (statement, missing) in [
        ("<while><condition><myself/></condition></while>", 1),
        ("<operator op=\"add\"><operand1><myself/></operand1></operator>", 1),
        ("<operator op=\"add\"><operand1/><operand2><myself/></operand2></operator>", 1),
        ("<getProperty><entity><myself/></entity></getProperty>", 1),
        ("<setProperty name=\"beans\"/>", 2),
        ("<ifElse/>", 1),
        ("<constant/>", 1),
        ("<hr:expr xmlns:hr=\"urn:houserules:gdf:1\"/>", 1),
    ] {
        let reading = read("toy", &behaving(statement));
        let codes: Vec<_> = told(&reading).into_iter().map(|(code, severity, _)| (code, severity)).collect();
        assert_eq!(codes, vec![("gdf/missing", Error); missing], "{statement}\n{}", messages(&reading));
    }
}

#[test]
fn what_is_there_twice_gets_another_name_or_is_dropped() {
    let twice =
        game(&format!("{MODEL}\n{MODEL}\n<entity name=\"A\" parent=\"Bowl\"/>\n<entity name=\"A\" parent=\"Bowl\"/>"));
    let reading = read("toy", &twice);
    assert_eq!(told(&reading), [("gdf/twice", Error, 4), ("gdf/twice", Error, 7)]);
    assert_eq!(names(&reading), ["Bowl", "beans", "other", "Bowl (2)", "beans", "other", "A", "A (2)"]);
    assert_eq!(reading.loaded.diagnostics[0].labels.len(), 2, "both places are shown");
    let behavior = "<behavior name=\"go\"><statements/></behavior>";
    for (inside, expected) in [
        ("<property name=\"n\"><id/></property><property name=\"n\"><id/></property>".into(), vec!["M", "n", "n (2)"]),
        (format!("<state number=\"0\">{behavior}{behavior}</state>"), vec!["M", "go", "go (2)"]),
        ("<state number=\"1\"/><state number=\"1\"/>".into(), vec!["M"]),
    ] {
        let text = game(&format!("<model name=\"M\"><initialStateNumber>0</initialStateNumber>{inside}</model>"));
        let reading = read("toy", &text);
        assert_eq!(told(&reading), [("gdf/twice", Error, 2)], "{inside}");
        assert_eq!(names(&reading), expected);
    }
    let parameter = "<parameter name=\"a\"><myself/></parameter>";
    let send = format!("<sendMessage message=\"x\"><entity><myself/></entity>{parameter}{parameter}</sendMessage>");
    let keys = "<constant><dictionary><number key=\"a\">1</number><number key=\"a\">2</number></dictionary></constant>";
    for statement in [&*send, keys, "<return><value><myself/><myself/></value></return>"] {
        assert_eq!(told(&read("toy", &behaving(statement))), [("gdf/twice", Error, 5)], "{statement}");
    }
    let layers = read("toy", &game("<visual><layer name=\"L\"/><layer name=\"L\"/></visual>"));
    assert_eq!(told(&layers), [("gdf/twice", Error, 2)]);
    assert!(layers.loaded.definition.get(&Key::Editor(EditorKey::Layer("L (2)".into()))).is_some());
}

#[test]
fn one_name_for_a_property_and_a_relationship_becomes_two() {
    let text = behaving("<setRelationship name=\"beans\"><entity><myself/></entity><value><getRelationship relationship=\"beans\"><entity><myself/></entity></getRelationship></value></setRelationship>")
        .replace("name=\"other\"", "name=\"beans\"");
    let reading = read("toy", &text);
    assert_eq!(told(&reading), [("gdf/one-name", Warning, 1)]);
    assert!(names(&reading).contains(&"beans (relationship)".into()));
    let text = reading.loaded.definition.to_string();
    assert!(
        text.contains("(update property \"beans (relationship)\" to (property \"beans (relationship)\"))"),
        "{text}"
    );
    sound(&written(&reading.loaded.definition));
}

#[test]
fn children_before_parents_are_put_in_order() {
    let child = "<model name=\"C\"><parentModel>Bowl</parentModel><initialStateNumber>0</initialStateNumber></model>";
    let reading = read("toy", &game(&format!("<entity name=\"A\" parent=\"C\"/>\n{child}\n{MODEL}")));
    assert_eq!(told(&reading), [("gdf/order", Warning, 2)]);
    assert_eq!(names(&reading), ["Bowl", "beans", "other", "C", "A"]);
}

#[test]
fn parents_that_are_not_there_or_go_in_a_circle_are_left_out() {
    let model = |name: &str, parent: &str| {
        format!(
            "<model name=\"{name}\"><parentModel>{parent}</parentModel><initialStateNumber>0</initialStateNumber></model>\n"
        )
    };
    let reading = read("toy", &game(&model("A", "Bole")));
    assert_eq!(told(&reading), [("gdf/parent", Error, 2)]);
    let reading = read("toy", &game(&(model("A", "B") + &model("B", "C") + &model("C", "A"))));
    assert_eq!(told(&reading).iter().filter(|(code, ..)| *code == "gdf/parent").count(), 1, "{}", messages(&reading));
    let parents = reading
        .loaded
        .definition
        .items()
        .iter()
        .filter(|item| matches!(&item.kind, ItemKind::Model { parent: None, .. }));
    assert_eq!(parents.count(), 1);
    let long: String = (0..150).map(|n| model(&format!("M{n}"), &format!("M{}", n + 1))).collect();
    let reading = read("toy", &game(&long));
    assert!(reading.loaded.diagnostics.iter().any(|told| told.labels[0].text.contains("at most 100 ancestors")));
    let reading = read("toy", &game("<entity name=\"A\" parent=\"Bole\"/>"));
    assert_eq!(told(&reading), [("gdf/parent", Error, 2), ("gdf/parent", Error, 2)][..1]);
}

#[test]
fn an_entity_cannot_change_what_its_model_does_not_define() {
    let entity = "<entity name=\"A\" parent=\"Bowl\"><property name=\"peas\"><number>1</number></property></entity>";
    let reading = read("toy", &game(&format!("{MODEL}\n{entity}")));
    assert_eq!(told(&reading), [("gdf/undefined", Error, 4)]);
    assert!(reading.loaded.definition.to_string().contains("with peas 1"), "it is kept");
}

#[test]
fn values_of_the_wrong_type_are_kept_and_told() {
    let entity = |inside: &str| game(&format!("{MODEL}\n<entity name=\"A\" parent=\"Bowl\">{inside}</entity>"));
    for (inside, kept) in [
        ("<property name=\"beans\"><number>many</number></property>", "\"many\""),
        ("<property name=\"beans\"><number>1e300</number></property>", "\"1e300\""),
        ("<property name=\"beans\"><number>NaN</number></property>", "\"NaN\""),
        ("<property name=\"beans\"><string>x</string></property>", "\"x\""),
        (
            "<relationship name=\"other\"><list><id>A</id><string>x</string></list></relationship>",
            "(list (entity \"A\") \"x\")",
        ),
    ] {
        let reading = read("toy", &entity(inside));
        assert!(told(&reading).iter().all(|told| *told == ("gdf/type", Error, 4)), "{}", messages(&reading));
        assert!(!told(&reading).is_empty(), "{inside}");
        let text = reading.loaded.definition.to_string();
        assert!(text.contains(kept), "{text}");
    }
    let reading = read("toy", &game(&MODEL.replace("<initialStateNumber>0", "<initialStateNumber>one")));
    assert_eq!(told(&reading), [("gdf/type", Error, 2)]);
}

#[test]
fn a_name_that_nobody_has_is_kept_and_told() {
    let entity =
        "<entity name=\"Left\" parent=\"Bowl\"><relationship name=\"other\"><id>Letf</id></relationship></entity>";
    let reading = read("toy", &game(&format!("{MODEL}\n{entity}")));
    assert_eq!(told(&reading), [("gdf/nobody", Error, 4)]);
    assert!(messages(&reading).contains("Did you mean `Left`?"));
    assert!(reading.loaded.definition.to_string().contains("(entity \"Letf\")"));
}

#[test]
fn visual_tags_that_make_no_sense_have_usual_values() {
    let layers = "<visual><layer name=\"L\"><visible>yes</visible></layer></visual>";
    let model = MODEL.replace("<id/></rel", "<id/><visual><lane>middle</lane><layer>M</layer></visual></rel");
    let reading = read("toy", &game(&format!("{layers}\n{model}")));
    assert_eq!(told(&reading), [("gdf/visual", Warning, 2), ("gdf/visual", Warning, 4), ("gdf/visual", Warning, 4)]);
    let editor = |key: EditorKey| match &reading.loaded.definition.get(&Key::Editor(key)).unwrap().kind {
        ItemKind::Editor(editor) => editor.clone(),
        _ => unreachable!(),
    };
    assert_eq!(
        editor(EditorKey::Layer("L".into())),
        Editor::Layer { name: "L".into(), visible: true, protected: false }
    );
    let slot = Editor::Slot { relation: "other".into(), of: "Bowl".into(), lane: Some(Lane::Top), layer: None };
    assert_eq!(editor(EditorKey::Slot("other".into(), "Bowl".into())), slot);
    // A tag that is never closed would take the rest of the file with it.
    let broken = read("toy", "<game><name>x</name><visual><grid></visual></game>");
    assert!(broken.loaded.definition.get(&Key::Editor(EditorKey::Keep(Drawn::Game))).is_none());
}

#[test]
fn variables_whose_names_are_no_words_get_others() {
    let use_ = |name: &str| {
        behaving(&format!(
            "<declareVariable name=\"{name}\"><value><constant><number>1</number></constant></value></declareVariable>\
             <return><value><getVariable name=\"{name}\"/></value></return>"
        ))
    };
    for (name, word) in [
        ("Nächstes Loch", "Nächstes-Loch"),
        ("list", "my-list"),
        ("player", "my-player"),
        ("7", "my-7"),
        ("a(b", "a-b"),
    ] {
        let reading = read("toy", &use_(name));
        assert_eq!(told(&reading), [("gdf/word", Warning, 5)], "{name}");
        let text = reading.loaded.definition.to_string();
        assert!(text.contains(&format!("(var {word} 1)")) && text.contains(&format!("(return {word})")), "{text}");
        assert!(
            houserules_gdf::to_gdl(&reading.loaded.definition, &reading.remarks)
                .contains(&format!("; {word} was: {name}"))
        );
    }
    let reading = read(
        "toy",
        &game(
            "<model name=\"player\"><initialStateNumber>0</initialStateNumber></model>\n<entity name=\"A\" parent=\"player\"/>",
        ),
    );
    assert_eq!(told(&reading), [("gdf/word", Warning, 2)]);
    assert_eq!(names(&reading), ["player (model)", "A"]);
}

#[test]
fn variables_are_known_in_their_block_only() {
    let declare = "<declareVariable name=\"n\"/>";
    let inner = read(
        "toy",
        &behaving(&format!(
            "{declare}<block>{declare}<return><value><getVariable name=\"n\"/></value></return></block>"
        )),
    );
    assert_eq!(told(&inner), [("gdf/scope", Warning, 5)]);
    assert!(inner.loaded.definition.to_string().contains("(do (var n-2) (return n-2))"));
    let outside = read(
        "toy",
        &behaving(&format!("<block>{declare}</block><return><value><getVariable name=\"n\"/></value></return>")),
    );
    assert_eq!(told(&outside), [("gdf/scope", Error, 5)]);
    let unknown = read("toy", &behaving("<setVariable name=\"n\"><value><myself/></value></setVariable>"));
    assert_eq!(told(&unknown), [("gdf/scope", Error, 5)]);
}

#[test]
fn forms_in_the_definition_language_are_checked_where_they_stand() {
    let expr = |text: &str| behaving(&format!("\n<hr:expr xmlns:hr=\"urn:houserules:gdf:1\">{text}</hr:expr>"));
    let reading = read("toy", &expr("(if\n  (range 1) 2)"));
    assert_eq!(told_place(&reading), [("form/misfit", 7, 11)], "{}", messages(&reading));
    let reading = read("toy", &expr("1 2"));
    assert_eq!(reading.loaded.diagnostics[0].code, "gdf/expr");
    let reading = sound(&expr("(+ 1 2)"));
    let behavior = reading.loaded.definition.get(&Key::Behavior("Bowl".into(), "default".into(), "go".into())).unwrap();
    let ItemKind::Behavior(behavior) = &behavior.kind else { panic!() };
    let ExprKind::Form(Form::Add, slots) = &behavior.body[0].kind else { panic!() };
    let Slot::Exprs(items) = &slots[0] else { panic!() };
    assert_eq!(reading.loaded.sources.text(items[1].origin), Some("2"));
}

fn told_place(reading: &Reading) -> Vec<(&'static str, usize, usize)> {
    let place = |told: &houserules_model::Diagnostic| reading.loaded.sources.place(told.labels[0].origin).unwrap();
    reading.loaded.diagnostics.iter().map(|told| (told.code, place(told).line, place(told).column)).collect()
}
