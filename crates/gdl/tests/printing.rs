//! Items to text and back.

mod common;

use common::{expr, read, sound};
use houserules_model::examples::DEMO;
use houserules_model::*;
use proptest::prelude::*;

#[test]
fn a_printed_definition_reads_back_as_itself() {
    for text in common::definitions() {
        let definition = sound(text);
        let printed = definition.to_string();
        let again = sound(&printed);
        for item in definition.items() {
            let other = item.key().and_then(|key| again.get(&key).cloned());
            assert_eq!(other.as_ref(), Some(item), "{printed}");
        }
        assert_eq!(again.items().len(), definition.items().len(), "{printed}");
        assert_eq!(again.to_string(), printed);
    }
}

#[test]
fn every_printed_item_reads_back_as_itself() {
    for text in common::definitions() {
        for item in sound(text).items() {
            // A rule that is not enforced, and links, places and nameless entities that were counted, need what is around them.
            let alone = match &item.kind {
                ItemKind::Link(_) | ItemKind::Spot(_) | ItemKind::Entity(_) | ItemKind::Variant(_) => continue,
                ItemKind::Rule(rule) if rule.before.is_some() => continue,
                _ => item.to_string(),
            };
            let again = sound(&alone);
            assert_eq!(again.items().last(), Some(item), "{alone}");
        }
    }
}

#[test]
fn texts_with_values_read_back_as_themselves() {
    for text in [
        r#"(say "{player} has {count hand}, {{not} {(list 1 2)}")"#,
        r#"(say "{worth of crown}{n}")"#,
        r#"(require c "a {if c x else y} }")"#,
        r#"(say "{{")"#,
    ] {
        let definition = sound(&format!("#setup {text}"));
        let printed = definition.to_string();
        assert_eq!(read(&printed).definition.items(), definition.items(), "{printed}");
    }
}

/// A model may be called by more than a plain word.
#[test]
fn the_receivers_of_an_action_are_quoted_where_they_have_to_be() {
    let definition = read("#action swap to \"Every player gets one\" (draw)").definition;
    let printed = definition.to_string();
    assert_eq!(read(&printed).definition.items(), definition.items(), "{printed}");
}

#[test]
fn printing_guards_words_that_would_be_read_otherwise() {
    for text in [
        "(if c (else) else (end))",
        "(max a (of) b)",
        "(property (what))",
        "(property \"two words\" of e)",
        "(send \"to\" to e with \"with\" 1)",
        "(choices place for p ignoring \"A rule\" \"ignoring\")",
        "(f (of) x)",
        "(f at)",
        "(let p do \"do\" b)",
        "(finish by a then (then) b)",
        "(new pawn with s at owner Black)",
        "-3",
        "4.0",
        r#""a \"b\" \\ c\nd""#,
        "(dictionary 1 2 \"a\" (list))",
        "(foreach x in l where c (draw) x)",
        "(switch x (case (draw)) (else))",
    ] {
        // `(end)` is no form by itself and cannot be a value.
        let text = text.replace("(end)", "x");
        let first = expr(&text);
        assert_eq!(expr(&first.to_string()), first, "{text} printed as {first}");
    }
}

#[test]
fn a_define_of_nobody_after_a_model_stays_one_of_nobody() {
    let mut definition = sound("#model m #property p");
    let define = sound("#define d 1").items()[0].clone();
    definition.apply(Edit::Put(define.clone())).unwrap();
    let again = sound(&definition.to_string());
    assert_eq!(again.get(&define.key().unwrap()), Some(&define));
}

#[test]
fn what_comes_after_a_variant_is_not_swallowed_by_it() {
    let mut definition = sound("#setting n 1 #variant V #set n 2");
    let rule = sound("#law R on a (draw)").items()[0].clone();
    definition.apply(Edit::Put(rule)).unwrap();
    let again = sound(&definition.to_string());
    assert_eq!((again.rules().count(), again.variants().next().unwrap().changes.len()), (1, 1));
}

#[test]
fn a_switched_off_rule_is_printed_as_switched_off() {
    let definition = sound("#law R on a (draw) #rule R off");
    assert_eq!(sound(&definition.to_string()), definition);
}

/// A text of words, numbers, strings and forms, as an author could write it.
fn some_expr() -> impl Strategy<Value = String> {
    let word = "[a-z][a-z-]{0,4}|of|in|to|at|where|else|with|true|nil";
    let leaf = prop_oneof![word, "-?[0-9]{1,4}", "[0-9]{1,3}\\.[0-9]{1,3}", "\"[a-z \\\\\\\\]{0,5}\""];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let heads =
            prop::sample::select(forms::all().iter().map(|def| def.head).chain(["foo", "cell"]).collect::<Vec<_>>());
        let filled =
            (prop::sample::select(forms::all().to_vec()), prop::collection::vec(inner.clone(), 12), any::<u8>());
        prop_oneof![
            (heads, prop::collection::vec(inner, 0..5)).prop_map(|(head, rest)| format!("({head} {})", rest.join(" "))),
            filled.prop_map(|(def, fill, bits)| {
                let mut text = String::from(def.head);
                let mut fill = fill.into_iter();
                write(&def.form.pattern().elements, &mut fill, bits, &mut text);
                format!("({text})")
            }),
        ]
    })
}

fn write(elements: &[Element], fill: &mut dyn Iterator<Item = String>, bits: u8, text: &mut String) {
    for element in elements {
        match element {
            Element::Word(word) => text.push_str(&format!(" {word}")),
            Element::Slot(_, SlotKind::Cases) => text.push_str(" (case 1 2) (else 3)"),
            Element::Slot(_, SlotKind::Var) => text.push_str(" x"),
            Element::Slot(..) => text.push_str(&format!(" {}", fill.next().unwrap_or_default())),
            Element::Optional(inner) if bits & 1 == 1 => write(inner, fill, bits >> 1, text),
            Element::Optional(_) => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_expression_can_be_read_can_be_printed_and_read_again(text in some_expr()) {
        let source = format!("#evaluator e {text}");
        let loaded = read(&source);
        if loaded.diagnostics.is_empty() {
            let printed = loaded.definition.to_string();
            let again = read(&printed);
            prop_assert!(again.diagnostics.is_empty(), "{}\n{}", printed, common::messages(&printed));
            prop_assert_eq!(again.definition, loaded.definition, "{}\n{}", text, printed);
        }
    }

    #[test]
    fn names_of_any_signs_survive(text in "\\PC{0,12}") {
        let item = Item::new(ItemKind::Game { name: text.as_str().into() }, Origin::NONE);
        let again = sound(&item.to_string());
        prop_assert_eq!(&again.items()[0], &item);
        let label = sound(&format!("#action {}", print::name(&text)));
        prop_assert_eq!(&*label.actions().next().unwrap().label, text.as_str());
    }
}

#[test]
fn the_game_of_the_examples_is_printed_readably() {
    insta::assert_snapshot!(sound(DEMO).to_string());
}

/// [GM-5] What only an editor wants to know stands beside the game, and reads back as itself.
#[test]
fn what_an_editor_draws_with_reads_back_as_itself() {
    let text = "#game \"Toy\"\n#editor layer \"the coins\" hidden protected\n#editor layer on\n#model coin\n  #relation of\n  \
                #editor slot \"of\" of coin right on \"the coins\"\n  #property worth 1\n  #state spent\n#entity penny is coin\n\
                #editor put penny \"on\" on on\n#editor keep game \"<grid a=\\\"1\\\"/>\"\n#editor keep model coin \"x\"\n\
                #editor keep slot of of coin \"y\"\n#editor keep entity penny \"z\"\n#editor workspace 960 540\n\
                #editor group \"all the coins\" penny \"on\"\n#editor group none";
    let definition = sound(text);
    let printed = definition.to_string();
    assert_eq!(sound(&printed).items(), definition.items(), "{printed}");
    let editor = |item: &&Item| matches!(item.kind, ItemKind::Editor(_));
    assert_eq!(definition.items().iter().filter(editor).count(), 12, "{printed}");
    assert!(definition.for_play().items().iter().all(|item| !editor(&item)));
    // An editor's lines close no model: the property after one is still the coin's.
    assert!(definition.get(&Key::Property("coin".into(), "worth".into())).is_some());
}

#[test]
fn a_state_in_which_nothing_answers_is_kept_and_the_others_are_known_by_their_behaviors() {
    let definition = sound(
        "#game \"Toy\"\n#model coin\n  #state new spent\n  #state lost\n    #onMessage find (return 1)\n  #state gone",
    );
    let states: Vec<String> = definition
        .items()
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::State { name, .. } => Some(name.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(states, ["new", "spent", "gone"]);
    let printed = definition.to_string();
    assert_eq!(sound(&printed).items(), definition.items(), "{printed}");
}
