//! Models, entities and what they have from each other.

use super::{again, found, rulebooks, shown, told};
use houserules_library::enclosed;

/// A model with a child and a grandchild, and an entity of each.
const FAMILY: &str = r#"<game><name>Family</name>
<model name="Building"><initialStateNumber>1</initialStateNumber>
<property name="rooms"><number>1</number></property><property name="floors"><number>1</number></property>
<appearance name="Bild X"><number>5</number></appearance>
<state number="1"><behavior name="grow"><statements>
<setProperty name="rooms"><entity><myself/></entity><value><operator op="add"><operand1><getProperty property="rooms"><entity><myself/></entity></getProperty></operand1><operand2><constant><number>1</number></constant></operand2></operator></value></setProperty>
<setAppearance name="Bild X"><entity><myself/></entity><value><getProperty property="rooms"><entity><myself/></entity></getProperty></value></setAppearance>
</statements></behavior></state></model>
<model name="House"><parentModel>Building</parentModel><initialStateNumber>1</initialStateNumber><property name="rooms"><number>4</number></property></model>
<model name="Villa"><parentModel>House</parentModel><initialStateNumber>2</initialStateNumber><property name="garden"><string>large</string></property>
<state number="2"><behavior name="grow"><statements><setProperty name="floors"><entity><myself/></entity><value><constant><number>9</number></constant></value></setProperty></statements></behavior></state></model>
<entity name="Shed" parent="Building"/><entity name="Home" parent="House"/>
<entity name="Manor" parent="Villa"><property name="rooms"><number>30</number></property></entity>
<entity name="Idea" parent=""/></game>"#;

/// [GM-11] [GM-13] [GM-14] [GM-15] [GM-16] [GM-206] [GM-213] [GM-259] The entity's own value, else its model's, else that
/// of the nearest ancestor.
#[test]
fn the_nearest_value_counts() {
    for rulebook in rulebooks(FAMILY) {
        let mut position = rulebook.open().unwrap();
        for (entity, rooms, floors) in [("Shed", "1", "1"), ("Home", "4", "1"), ("Manor", "30", "1")] {
            assert_eq!(shown(&mut *position, entity, "rooms"), rooms, "{entity}");
            assert_eq!(shown(&mut *position, entity, "floors"), floors, "{entity}");
        }
        assert_eq!(shown(&mut *position, "Manor", "garden").trim_matches('"'), "large");
        assert_eq!(shown(&mut *position, "Home", "garden"), "nil");
    }
}

/// [GM-8] [GM-17] [GM-20] [GM-205] [GM-210] [GM-211] Behaviors come from the parent, and a child may answer otherwise; each
/// begins in the state that its model says, and a message changes properties and appearances.
#[test]
fn behaviors_are_inherited_and_answered_anew() {
    for rulebook in rulebooks(FAMILY) {
        let mut position = rulebook.open().unwrap();
        for entity in ["Shed", "Home", "Manor"] {
            told(&mut *position, &format!("grow {entity}")).unwrap();
        }
        assert_eq!(shown(&mut *position, "Shed", "rooms"), "2");
        assert_eq!(shown(&mut *position, "Home", "Bild X"), "5");
        assert_eq!(
            (shown(&mut *position, "Manor", "rooms"), shown(&mut *position, "Manor", "floors")),
            ("30".into(), "9".into())
        );
    }
}

/// [GM-10] [GM-12] [GM-212] An entity need not have a model, nor a shape.
#[test]
fn an_entity_without_a_model_takes_part() {
    let text = again(FAMILY);
    assert!(text.contains(r#"<entity name="Idea" parent=""/>"#) && !text.contains("thing"), "{text}");
    let position = found(FAMILY).compile(&Default::default()).unwrap();
    let mut position = houserules_kernel::Rulebook::open(&position).unwrap();
    assert_eq!(shown(&mut *position, "Idea", "rooms"), "nil");
}

/// [GM-258] Hundreds of entities are read, written and played.
#[test]
fn a_game_of_hundreds_of_entities_is_played() {
    let one = r#"<entity name="Home" parent="House"/>"#;
    let many: String = (0..500).map(|n| format!(r#"<entity name="Home {n}" parent="House"/>"#)).collect();
    let text = FAMILY.replace(one, &(one.to_owned() + &many));
    for rulebook in rulebooks(&text) {
        let mut position = rulebook.open().unwrap();
        told(&mut *position, "grow Home 499").unwrap();
        assert_eq!(shown(&mut *position, "Home 499", "rooms"), "5");
        assert_eq!(shown(&mut *position, "Home 498", "rooms"), "4");
    }
}

/// What a model answers can be left to entities that want more, or nobody: then the bench is open all the same.
#[test]
fn a_bench_where_nothing_can_be_told_stays_open() {
    let wanting = r#"<game><name>Toy</name><model name="Bowl"><initialStateNumber>0</initialStateNumber>
<property name="beans"><number>3</number></property><state number="0"><behavior name="fill"><statements>
<setProperty name="beans"><entity><myself/></entity><value><getParameter name="with"/></value></setProperty>
</statements></behavior></state></model><entity name="A" parent="Bowl"/></game>"#;
    let empty = r#"<game><name>Toy</name><entity name="A" parent=""/></game>"#;
    for text in [wanting, empty] {
        for rulebook in rulebooks(text) {
            let mut position = rulebook.open().unwrap();
            told(&mut *position, "close the bench").unwrap();
            assert!(position.is_over());
        }
    }
}

/// A definition without actions is played on the bench as a game file is, and says so.
#[test]
fn a_definition_without_actions_is_played_on_the_bench() {
    let text = "#game \"Toy\"\n#model coin\n  #property side \"heads\"\n  #onMessage flip\n    (set side to \"tails\")\n#entity penny is coin\n";
    let found = enclosed("toy", &[("toy.gdl".into(), text.into())]);
    let told_: Vec<&str> = found.diagnostics.iter().map(|told| told.code).collect();
    assert_eq!(told_, ["game/bench"], "{}", found.messages(false));
    assert_eq!(found.said().actions().count(), 0);
    let rulebook = found.compile(&Default::default()).unwrap();
    let mut position = houserules_kernel::Rulebook::open(&rulebook).unwrap();
    told(&mut *position, "flip penny").unwrap();
    assert!(shown(&mut *position, "penny", "side").contains("tails"));
    // What begins by itself, or in a variant, is no matter of a bench.
    for more in ["#setup (send flip to penny)", "#variant \"v\"\n  #action flip to coin"] {
        let found = enclosed("toy", &[("toy.gdl".into(), format!("{text}{more}\n"))]);
        assert!(found.said() == found.definition(), "{more}");
    }
}

/// [GM-260] [GM-261] An entity that is not there, and a value of another type than defined, are errors with their place.
#[test]
fn values_that_do_not_fit_are_counted_as_errors() {
    let text = FAMILY.replace("<number>30</number>", "<string>many</string>").replace(
        r#"<entity name="Home" parent="House"/>"#,
        r#"<entity name="Home" parent="House"><property name="rooms"><id>Nobody</id></property></entity>"#,
    );
    let found = enclosed("toy", &[("toy.gdf.xml".into(), text)]);
    let codes: Vec<&str> = found.diagnostics.iter().filter(|told| told.is_error()).map(|told| told.code).collect();
    assert_eq!(codes, ["gdf/type", "gdf/nobody", "gdf/type"], "{}", found.messages(false));
    assert!(found.refuse_errors().is_err());
}
