//! Games in XML: read, played by the machine and by the tree-walker, written, read and played again.

mod format;
mod same;
mod samples;
mod statements;
mod things;

use houserules_kernel::{Position, Rulebook, Shown, Viewer, Who};
use houserules_library::gdf::{Remarks, read, write};
use houserules_library::{Found, Options, enclosed};
use houserules_machine::walk;

/// A file without errors.
pub fn found(text: &str) -> Found {
    let found = enclosed("toy", &[("toy.gdf.xml".into(), text.into())]);
    assert!(!found.has_errors(), "{}\n{text}", found.messages(false));
    found
}

/// The file as this program writes it.
pub fn again(text: &str) -> String {
    let reading = read("toy.gdf.xml", text);
    let written = write(&reading.loaded.definition, &reading.remarks);
    let back = read("toy.gdf.xml", &written);
    assert_eq!(back.loaded.definition, reading.loaded.definition, "{text}\n{written}");
    assert_eq!(write(&back.loaded.definition, &back.remarks), written);
    written
}

/// The same game by the machine and by the tree-walker, as it was written and as it is written anew.
pub fn rulebooks(text: &str) -> Vec<Box<dyn Rulebook>> {
    let mut all: Vec<Box<dyn Rulebook>> = Vec::new();
    for text in [text.to_owned(), again(text)] {
        let found = found(&text);
        all.push(Box::new(found.compile(&Options::default()).unwrap()));
        all.push(Box::new(walk::rulebook(found.definition(), &[], None, None).unwrap()));
    }
    all
}

pub fn told(position: &mut dyn Position, words: &str) -> Result<(), String> {
    let seat = *position.decision().open_to().first().ok_or("nobody may do anything")?;
    let choices = position.choices(seat);
    let known: Vec<String> = choices.iter().map(|choice| position.words(seat, choice)).collect();
    let at = known.iter().position(|known| known == words).ok_or(format!("“{words}” is not among {known:?}"))?;
    position.play(seat, &choices[at]).map_err(|refusal| refusal.to_string())
}

/// Answers whatever is left to chance with the first choice, or the last.
pub fn chance(position: &mut dyn Position, last: bool) {
    while let houserules_kernel::Decision::Nature = position.decision() {
        let choices = position.choices(Who::Nature);
        let choice = if last { choices.last() } else { choices.first() };
        position.play(Who::Nature, &choice.expect("chance has an answer").clone()).unwrap();
    }
}

pub fn shown(position: &mut dyn Position, thing: &str, property: &str) -> String {
    let view = position.view(Viewer::All);
    let of = view.things.iter().chain(&view.facts).find(|own| own.name == thing);
    let of = of.unwrap_or_else(|| panic!("there is no {thing}"));
    match of.properties.iter().find(|(name, _)| name == property) {
        Some((_, Shown::Value(value))) => value.clone(),
        Some((_, Shown::Hidden)) => "hidden".into(),
        None => "nil".into(),
    }
}

/// The state a thing is in.
pub fn state(position: &dyn Position, thing: &str) -> String {
    let position = position.as_any().and_then(|any| any.downcast_ref::<houserules_library::MachinePosition>());
    let known = position.expect("the machine plays it").clone().properties();
    let own = known.into_iter().find(|known| known.entity == thing && known.property == "state");
    own.map_or_else(|| "nil".into(), |known| known.value)
}

/// A model whose behavior `go` has these statements; it has a property `result`, and answers `raise` by 1 more beans.
pub fn game(statements: &str) -> String {
    format!(
        r#"<game><name>Toy</name>
<model name="Bowl"><initialStateNumber>1</initialStateNumber>
<property name="result"><id/></property>
<property name="beans"><number>3</number></property>
<relationship name="other"><id/></relationship>
<relationship name="all"><list/></relationship>
<relationship name="ways"><dictionary/></relationship>
<appearance name="Bild X"><number>7</number></appearance>
<state number="1">
<behavior name="go"><statements>{statements}</statements></behavior>
<behavior name="raise"><statements><setProperty name="beans"><entity><myself/></entity><value><operator op="add">
<operand1><getProperty property="beans"><entity><myself/></entity></getProperty></operand1>
<operand2><constant><number>1</number></constant></operand2></operator></value></setProperty>
<return><value><getProperty property="beans"><entity><myself/></entity></getProperty></value></return></statements></behavior>
<behavior name="double"><statements><return><value><operator op="multiply"><operand1><getParameter name="of it"/></operand1>
<operand2><constant><number>2</number></constant></operand2></operator></value></return></statements></behavior>
</state>
<state number="2"><behavior name="go"><statements>{FALLEN}</statements></behavior></state>
</model>
<entity name="Left" parent="Bowl"><relationship name="other"><id>Right</id></relationship>
<relationship name="all"><list><id>Left</id><id>Right</id></list></relationship>
<relationship name="ways"><dictionary><id key="a">Left</id><id key="b">Right</id></dictionary></relationship></entity>
<entity name="Right" parent="Bowl"><property name="beans"><number>5</number></property></entity>
</game>"#
    )
}

/// What an entity in state 2 does when it is told to go.
const FALLEN: &str = r#"<setProperty name="result"><entity><myself/></entity><value><constant><string>fallen</string></constant></value></setProperty>"#;

/// `result` and `beans` of both entities after these statements ran in Left.
pub fn after(statements: &str) -> String {
    let text = game(statements);
    let mut known: Option<Result<String, String>> = None;
    for rulebook in rulebooks(&text) {
        let mut position = rulebook.open().unwrap();
        let done = told(&mut *position, "go Left");
        chance(&mut *position, false);
        let said = done.map(|()| {
            let both = ["Left", "Right"];
            both.map(|name| {
                format!("{} {}", shown(&mut *position, name, "result"), shown(&mut *position, name, "beans"))
            })
            .join(", ")
        });
        match (&known, &said) {
            // Each tells a fault in its own words.
            (None, _) | (Some(Err(_)), Err(_)) => {}
            (Some(known), said) => assert_eq!(known, said, "{statements}"),
        }
        known.get_or_insert(said);
    }
    known.unwrap().unwrap_or_else(|fault| fault)
}

/// The value of a statement, as the game shows it.
pub fn value(statement: &str) -> String {
    let text = after(&format!(
        r#"<setProperty name="result"><entity><myself/></entity><value>{statement}</value></setProperty>"#
    ));
    text.strip_suffix(" 3, nil 5").unwrap_or(&text).to_owned()
}

pub fn number(number: &str) -> String {
    format!("<constant><number>{number}</number></constant>")
}

pub fn text(text: &str) -> String {
    format!("<constant><string>{text}</string></constant>")
}

pub fn operator(op: &str, one: &str, other: &str) -> String {
    format!(r#"<operator op="{op}"><operand1>{one}</operand1><operand2>{other}</operand2></operator>"#)
}

pub fn with_tag(tag: &str, inside: &str) -> String {
    format!("<{tag}>{inside}</{tag}>")
}

/// The definition without what its editor draws.
pub fn digest(text: &str) -> String {
    found(text).compile(&Options::default()).unwrap().digest()
}

#[test]
fn a_file_without_comments_has_none_when_it_is_written() {
    let reading = read("toy.gdf.xml", &game(""));
    assert_eq!(reading.remarks, Remarks::new());
    assert!(!write(&reading.loaded.definition, &reading.remarks).contains("<!--"));
}
