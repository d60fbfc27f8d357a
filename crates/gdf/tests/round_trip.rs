//! There and back again: text, model, text.

mod common;

use common::{gdl, library, messages, validate, written};
use houserules_gdf::{Remarks, join, read, split, to_gdl, write};
use houserules_model::Definition;

/// What is different between two definitions, item by item.
fn difference(one: &Definition, other: &Definition) -> String {
    let pairs = one.items().iter().zip(other.items());
    match pairs.clone().find(|(one, other)| one != other) {
        Some((one, other)) => format!("{one}\n── is not ──\n{other}\n{:?}\n{:?}", one.kind, other.kind),
        None => format!("{} items and {} items", one.items().len(), other.items().len()),
    }
}

/// Reading what was written gives the same definition, in the same order; writing that gives the same bytes.
#[track_caller]
fn there_and_back(name: &str, definition: &Definition) -> String {
    let text = written(definition);
    let again = read(name, &text);
    assert!(!again.loaded.has_errors(), "{name}: {}\n{text}", messages(&again));
    let back = &again.loaded.definition;
    assert!(back == definition, "{name}: {}\n{text}", difference(definition, back));
    assert_eq!(written(back), text, "{name}");
    text
}

#[test]
fn every_game_of_the_library_survives_and_its_file_validates() {
    let mut files = Vec::new();
    for (name, loaded) in library() {
        assert!(!loaded.has_errors(), "{name}");
        let text = there_and_back(&name, &loaded.definition);
        files.push((format!("{name}.gdf.xml"), text));
    }
    validate(&files).unwrap();
}

#[test]
fn forms_that_tags_say_are_said_by_tags() {
    let definition = gdl(
        "#game \"Toy\"\n#properties open\n#model Bowl\n  #property beans 3\n  #relation next\n  #onMessage sow\n    \
         (var target (property next))\n    (while (and (!= target self) (> (property beans) 0))\n      \
         (send \"add one\" to target with n (+ 1 2))\n      (set target to (property next of target)))\n    \
         (foreach i in (range 1 3) (if (= i 2) (continue) else (break)))\n    (return (list 1 \"x\" nil))",
    );
    let text = there_and_back("toy", &definition);
    assert!(!text.contains("hr:"), "{text}");
}

/// [GDF10] A game falls into what it is and how it looks, each a file that validates, and these give the game again.
#[test]
fn a_file_is_split_and_joined_again() {
    let mut files = Vec::new();
    for game in ["town", "awele-tutorial"] {
        let text = std::fs::read_to_string(common::root().join("games").join(game).join("game.gdf.xml")).unwrap();
        // One comment more of what each of the files holds.
        let text = text.replacen("<appearance", "<!-- Where it lies. -->\n    <appearance", 1);
        let text = text.replacen("    <layer", "    <!-- What lies over what. -->\n    <layer", 1);
        let reading = read(game, &text);
        let (logic, look) = split(&reading.loaded.definition, &reading.remarks);
        let (logic, look) = (write(&logic.0, &logic.1), write(&look.0, &look.1));
        assert!(!logic.contains("<visual>") && !logic.contains("<appearance"), "{logic}");
        assert!(look.contains("<appearance") && !look.contains("<behavior") && !look.contains("<property"), "{look}");
        let [of_logic, of_look] = [&logic, &look].map(|text| read(game, text));
        assert!(!of_logic.loaded.has_errors() && !of_look.loaded.has_errors(), "{}", messages(&of_look));
        let part = |reading: houserules_gdf::Reading| (reading.loaded.definition, reading.remarks);
        let (joined, remarks) = join(part(of_logic), part(of_look));
        assert_eq!(write(&joined, &remarks), text);
        files.extend([(format!("{game}.logic.gdf.xml"), logic), (format!("{game}.look.gdf.xml"), look)]);
    }
    validate(&files).unwrap();
}

/// [GDF8] Comments stay with what they stand before, through both languages.
#[test]
fn comments_survive() {
    let text = common::behaving("<!-- first --><break/><!-- second: a -- b --><while><condition><myself/></condition><statement><block><!-- third --><continue/></block></statement></while>")
        .replace("<model", "<!-- of the bowl -->\n<model")
        .replace("<property name", "<!-- of the beans --><property name")
        .replace("<entity name=\"Left\"", "<!-- of Left\n and more --><entity name=\"Left\"");
    let reading = read("toy", &text);
    let again = write(&reading.loaded.definition, &reading.remarks);
    let before = |comment: &str, what: &str| {
        let at = again.find(&format!("<!-- {comment} -->")).unwrap_or_else(|| panic!("{comment}\n{again}"));
        let rest = again[at..].split_once("-->").unwrap().1.trim_start();
        assert!(rest.starts_with(what), "{comment}\n{again}");
    };
    before("first", "<break/>");
    before("second: a - - b", "<while>");
    before("third", "<continue/>");
    before("of the bowl", "<model");
    before("of the beans", "<property name");
    before("of Left", "<!-- and more -->");
    before("and more", "<entity name=\"Left\"");
    let back = read("toy", &again);
    assert_eq!(write(&back.loaded.definition, &back.remarks), again);
    let gdl = to_gdl(&reading.loaded.definition, &reading.remarks);
    let loaded = houserules_gdl::read_text("toy.gdl", &gdl);
    assert!(loaded.definition == reading.loaded.definition, "{gdl}");
    let through = write(&loaded.definition, &Remarks::of_gdl(&loaded.sources));
    assert_eq!(through, again, "{gdl}");
}

/// Every game of the library is the same text again after XML, with all its comments.
#[test]
fn games_keep_their_comments_through_xml() {
    for (name, loaded) in library() {
        let remarks = Remarks::of_gdl(&loaded.sources);
        let text = write(&loaded.definition, &remarks);
        let comments = |text: &str| text.matches("<!--").count();
        let reading = read(&name, &text);
        assert!(reading.loaded.definition == loaded.definition, "{name}");
        let gdl = to_gdl(&reading.loaded.definition, &reading.remarks);
        let again = houserules_gdl::read_text(&name, &gdl);
        assert!(
            !again.has_errors(),
            "{name}: {}\n{gdl}",
            houserules_gdl::render_all(&again.diagnostics, &again.sources, false)
        );
        assert_eq!(again.definition.items().len(), loaded.definition.items().len(), "{name}");
        let back = write(&again.definition, &Remarks::of_gdl(&again.sources));
        assert_eq!(comments(&back), comments(&text), "{name}\n{gdl}");
    }
}

/// [GDF4] What another editor has put into its own namespace can still be read when the file is written anew.
#[test]
fn markup_of_other_editors_keeps_its_namespace() {
    let text = common::behaving("")
        .replace("<game>", "<game xmlns:x=\"urn:x?a&amp;b\" xmlns:y=\"urn:y\">")
        .replace("</name>", "</name><visual><x:grid size='20'><y:dot y:at=\"1\"/> a </x:grid><plain/></visual>");
    let reading = read("toy", &text);
    assert!(reading.loaded.diagnostics.is_empty(), "{}", messages(&reading));
    let again = write(&reading.loaded.definition, &reading.remarks);
    let kept = "<x:grid xmlns:x=\"urn:x?a&amp;b\" xmlns:y=\"urn:y\" size='20'><y:dot y:at=\"1\"/> a </x:grid><plain/>";
    assert!(again.contains(kept), "{again}");
    let back = read("toy", &again);
    assert_eq!(write(&back.loaded.definition, &back.remarks), again);
    validate(&[("x.gdf.xml".into(), again)]).unwrap();
}
