//! Texts with values.

use crate::{choices, open, play, played, property, value};
use houserules_kernel::Viewer;

fn said(text: &str) -> Vec<String> {
    played(text, &["go"]).said(Viewer::All)
}

fn game(body: &str) -> String {
    format!(
        r#"#game "Toy" #players "X" "O" #model cell #board cell grid 2 2
        #model card #property rank #entity ace is card with rank 1 #entity "two of hearts" is card with rank 2
        #property result #property n 3
        #action go (set n to n)
        #sideeffect "Tell" on go {body}"#
    )
}

#[test]
fn a_text_has_the_values_of_words_and_forms() {
    assert_eq!(said(&game(r#"(say "{player} has {n} of {count card}: {rank of ace}.")"#)), ["X has 3 of 2: 1."]);
    assert_eq!(said(&game(r#"(var best ace) (say "{best}{best}, {last card}")"#)), ["aceace, two of hearts"]);
    assert_eq!(said(&game(r#"(say "{nil} {(list 1 ace)} {+ 1 2}")"#)), ["nil (1 ace) 3"]);
}

#[test]
fn two_braces_are_one() {
    assert_eq!(said(&game(r#"(say "{{n} is {n}")"#)), ["{n} is 3"]);
    assert_eq!(said(&game(r#"(say "no values }")"#)), ["no values }"]);
}

#[test]
fn say_says_whatever_it_is_given() {
    assert_eq!(said(&game("(say ace)")), ["ace"]);
    assert_eq!(said(&game("(say 5)")), ["5"]);
    assert_eq!(said(&game("(say (list 1 ace))")), ["(1 ace)"]);
    assert_eq!(said(&game("(say (dictionary \"b\" 1 \"a\" ace))")), ["{a: ace, b: 1}"]);
    assert_eq!(said(&game("(say (new message go))")), ["go"]);
    assert_eq!(said(&game("(say (new card))")), ["card 3"]);
}

#[test]
fn questions_and_options_tell_values() {
    let text =
        game(r#"(set result to (ask player "{player}, which of {n}?" among (list "keep {n}" "drop {rank of ace}")))"#);
    let mut position = played(&text, &["go"]);
    assert_eq!(choices(&mut *position), ["keep 3", "drop 1"]);
    play(&mut *position, "drop 1").unwrap();
    assert_eq!(property(&mut *position, "game", "result"), "drop 1");
}

#[test]
fn a_refusal_tells_values() {
    for law in [
        r#"(require (> n 5) "Only {n} are left.")"#,
        r#"(if (< n 5) (return "Only {n} are left."))"#,
        r#"(if (< n 5) (rollback "Only {n} are left."))"#,
    ] {
        let text = game("(set n to 3)") + &format!("\n#action stop\n#law \"Enough\" on stop {law}");
        let mut position = open(&text);
        let refused = crate::refusal(&mut *position, "stop").expect("a law refuses");
        assert_eq!(refused.reason, "Only 3 are left.", "{law}");
    }
}

#[test]
fn a_text_that_is_kept_is_shown_as_told() {
    assert_eq!(value(r#""{player} on {cell at 1 1}""#), "X on a1");
    assert_eq!(value(r#"(= "{player}" "{player}")"#), "true");
}

#[test]
fn a_brace_that_is_not_closed_and_nothing_between_braces_are_told() {
    for text in [r#"(say "{n")"#, r#"(say "{}")"#, r#"(say "{(count}")"#] {
        let loaded = houserules_gdl::read_text("test", &game(text));
        assert!(loaded.has_errors(), "{text}");
    }
}

#[test]
fn names_that_are_no_plain_words_can_be_meant() {
    assert_eq!(said(&game(r#"(say (rank of (entity "two of hearts")))"#)), ["2"]);
    assert_eq!(said(&game(r#"(say (rank of (entity (name of (entity "two of hearts")))))"#)), ["2"]);
    assert_eq!(said(&game(r#"(say (= (entity "ace") ace))"#)), ["true"]);
    assert_eq!(said(&game(r#"(var suit "hearts") (say (rank of (entity "two of {suit}")))"#)), ["2"]);
}
