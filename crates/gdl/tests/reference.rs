//! The reference pages.

use houserules_gdl::{explain, reference, words};
use houserules_model::{directives, forms, words as table};

#[test]
fn every_form_and_directive_is_in_the_reference() {
    let page = reference();
    for def in forms::all() {
        assert!(page.contains(&def.usage()), "{}", def.usage());
        assert!(page.contains(def.summary), "{}", def.usage());
    }
    for def in directives::all() {
        assert!(page.contains(&format!("### `#{}`", def.name)), "#{}", def.name);
        assert!(!def.summary.is_empty() && !def.example.is_empty(), "#{}", def.name);
    }
}

#[test]
fn every_word_and_message_that_is_there_from_the_start_is_in_the_reference() {
    let page = reference();
    for def in table::all() {
        assert!(page.contains(&format!("### `{}`", def.word)) && page.contains(def.summary), "{}", def.word);
        assert!(explain(def.word).is_some_and(|text| text.contains(def.summary)), "{}", def.word);
    }
    for def in table::messages() {
        assert!(explain(def.label).is_some_and(|text| text.contains(def.summary)), "{}", def.label);
    }
}

#[test]
fn every_word_can_be_explained_and_others_cannot() {
    for word in words() {
        assert!(explain(&word).is_some(), "{word}");
    }
    assert_eq!(explain("zebra"), None);
    assert_eq!(explain("#walk"), None);
}

#[test]
fn a_word_that_is_both_a_directive_and_a_form_is_explained_as_both() {
    insta::assert_snapshot!(explain("set").unwrap());
}
