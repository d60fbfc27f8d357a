//! Edits of a definition: values with an inverse.

use houserules_model::*;

fn rule(name: &str, before: Option<&str>) -> Item {
    let rule = Rule {
        name: name.into(),
        kind: RuleKind::Law,
        labels: vec![("go".into(), Origin::NONE)],
        to: Vec::new(),
        states: Vec::new(),
        before: before.map(|other| (other.into(), Origin::NONE)),
        mode: Mode::Enforced,
        body: vec![Expr::word("true")],
    };
    Item::new(ItemKind::Rule(rule), Origin::NONE)
}

fn setting(name: &str, value: i64) -> Item {
    let setting = Setting { name: name.into(), value: Expr::whole(value), range: None, among: Vec::new(), text: None };
    Item::new(ItemKind::Setting(setting), Origin::NONE)
}

fn mode(rule: &str, mode: Mode) -> Item {
    Item::new(ItemKind::RuleMode { rule: rule.into(), mode }, Origin::NONE)
}

fn toy() -> Definition {
    let (definition, faults) =
        Definition::with_items([setting("size", 3), rule("First", None), rule("Second", None), rule("Third", None)]);
    assert_eq!(faults, []);
    definition
}

fn names(definition: &Definition) -> Vec<&str> {
    definition.rules().map(|rule| &*rule.name).collect()
}

/// Whatever is changed, the inverse of the edit restores the definition exactly.
#[test]
fn every_edit_has_an_inverse() {
    let edits = [
        Edit::Put(rule("Fourth", None)),
        Edit::Put(rule("Earlier", Some("Second"))),
        Edit::Put(mode("First", Mode::Off)),
        Edit::Put(Item::new(ItemKind::Set { setting: "size".into(), value: Expr::whole(9) }, Origin::NONE)),
        Edit::Put(Item::new(ItemKind::RuleBody { rule: "Third".into(), body: Vec::new() }, Origin::NONE)),
        Edit::Remove(Key::Rule("Second".into())),
        Edit::All(vec![
            Edit::Remove(Key::Rule("First".into())),
            Edit::Put(setting("goal", 4)),
            Edit::Put(mode("Third", Mode::Off)),
        ]),
    ];
    for edit in edits {
        let mut definition = toy();
        let inverse = definition.apply(edit.clone()).unwrap();
        assert_ne!(definition, toy(), "{edit:?} changes something");
        let again = definition.apply(inverse).unwrap();
        assert_eq!(definition, toy(), "taking back {edit:?}");
        // Undone twice is done again.
        let mut redone = toy();
        redone.apply(edit).unwrap();
        definition.apply(again).unwrap();
        assert_eq!(definition, redone);
    }
}

/// A long row of edits is taken back one by one, and done again.
#[test]
fn a_row_of_edits_is_undone_and_redone() {
    let mut definition = toy();
    let mut inverses = Vec::new();
    for at in 0..200 {
        let edit = match at % 4 {
            0 => Edit::Put(rule(&format!("Rule {at}"), Some("Second"))),
            1 => Edit::Put(mode("First", if at % 8 == 1 { Mode::Off } else { Mode::Enforced })),
            2 => Edit::Put(setting("size", at)),
            _ => Edit::Remove(Key::Rule(format!("Rule {}", at - 3).into())),
        };
        inverses.push(definition.apply(edit).unwrap());
    }
    let changed = definition.clone();
    let redo: Vec<Edit> = inverses.into_iter().rev().map(|inverse| definition.apply(inverse).unwrap()).collect();
    assert_eq!(definition, toy());
    for edit in redo.into_iter().rev() {
        definition.apply(edit).unwrap();
    }
    assert_eq!(definition, changed);
}

#[test]
fn edits_that_fail_change_nothing() {
    let mut definition = toy();
    let unknown = Edit::Put(mode("Nobody", Mode::Off));
    assert!(matches!(definition.apply(unknown.clone()), Err(EditError::NothingToChange { .. })));
    assert!(matches!(definition.apply(Edit::Remove(Key::Turns)), Err(EditError::NotThere(_))));
    assert!(matches!(definition.apply(Edit::Insert(0, rule("First", None))), Err(EditError::AlreadyThere(_))));
    let all = Edit::All(vec![Edit::Remove(Key::Rule("First".into())), Edit::Put(setting("goal", 4)), unknown]);
    assert!(definition.apply(all).is_err());
    assert_eq!(definition, toy());
}

/// A rule is put before another by name; the same name again keeps its place.
#[test]
fn rules_keep_their_order() {
    let mut definition = toy();
    definition.apply(Edit::Put(rule("Zeroth", Some("First")))).unwrap();
    definition.apply(Edit::Put(rule("Second", None))).unwrap();
    assert_eq!(names(&definition), ["Zeroth", "First", "Second", "Third"]);
}

/// Variants stand side by side with the game, and build on each other.
#[test]
fn a_variant_is_the_game_with_changes() {
    let variant = |name: &str, from: Option<&str>, changes: Vec<Item>| {
        let variant = Variant { name: name.into(), from: from.map(Name::from), changes };
        Item::new(ItemKind::Variant(variant), Origin::NONE)
    };
    let mut definition = toy();
    for item in [
        variant("loose", None, vec![mode("First", Mode::Off)]),
        variant("looser", Some("loose"), vec![mode("Second", Mode::Off)]),
        variant("round", Some("round"), Vec::new()),
        variant("broken", None, vec![mode("Nobody", Mode::Off)]),
    ] {
        definition.apply(Edit::Put(item)).unwrap();
    }
    let off = |definition: &Definition| definition.rules().filter(|rule| rule.mode == Mode::Off).count();
    assert_eq!(off(&definition), 0);
    assert_eq!(off(&definition.with_variant("looser").unwrap()), 2);
    assert_eq!(off(&definition), 0, "the game itself has not changed");
    let fault = |name: &str| definition.with_variant(name).unwrap_err().to_string();
    assert_eq!(fault("loser"), "There is no variant “loser”. Did you mean “looser”?");
    assert_eq!(fault("round"), "The variant “round” builds on itself.");
    assert_eq!(fault("broken"), "No such rule: There is no rule “Nobody” here.");
}
