//! Definitions that want too much: each is told so, with the place, and nothing hangs or fills the memory.

use houserules_kernel::{Position, RefusalKind, SeatId, Viewer, Who};
use houserules_library::{Found, Options, enclosed};
use houserules_model::Budget;

const HEAD: &str = "#game \"Toy\"\n#players \"A\" \"B\"\n#turns\n";

/// A text as a game, checked as `houserules check` does it.
fn checked(text: &str) -> Found {
    enclosed("toy", &[("toy.gdl".into(), format!("{HEAD}{text}"))]).tried()
}

#[track_caller]
fn refused(text: &str, told: &str) {
    let found = checked(text);
    let messages = found.messages(false);
    assert!(found.has_errors() && messages.contains(told), "expected “{told}”:\n{messages}");
}

/// A position of a game that compiles.
fn opened(text: &str) -> houserules_library::MachinePosition {
    let found = checked(text);
    found.compile(&Options::default()).unwrap_or_else(|told| panic!("{told}")).start().unwrap()
}

#[test]
fn a_board_larger_than_a_match_can_hold_is_told() {
    refused(
        "#model sea\n#board sea grid 300 300\n#property n\n#action go (set n to (count sea))",
        "This board is too large",
    );
    let largest = checked(
        "#model sea\n#board sea grid 100 99\n#property n\n#action go (set n to (count sea))\n#law \"N\" on go (require (not n) \"Once.\")",
    );
    assert!(!largest.has_errors(), "{}", largest.messages(false));
}

#[test]
fn a_list_longer_than_can_be_written_down_is_told() {
    let list = "1 ".repeat(70_000);
    refused(
        &format!("#property l (list {list})\n#action go (set l to nil)\n#law \"L\" on go (require l \"No.\")"),
        "This list is too long",
    );
    refused(&format!("#action go (set l to (dictionary {}))\n#property l", "1 2 ".repeat(20_000)), "too long");
}

#[test]
fn what_only_the_compiler_finds_is_told_by_the_check() {
    let text = "#properties open\n#model place\n  #property mark\n#board place grid 3 3\n#define around (all (step d from place) of d in (directions adjacent) where (step d))\n\
                #action go to place with t around (set (mark of t) to player)\n";
    let found = checked(text);
    assert!(found.has_errors(), "{}", found.messages(false));
    assert!(found.messages(false).contains("toy.gdl:8"), "{}", found.messages(false));
}

#[test]
fn a_fault_of_one_variant_is_told_with_its_name() {
    let text = "#board place grid 3 3\n#model place #property mark\n#action go to place (set mark to player)\n\
                #variant \"Huge\"\n  #board place grid 300 300\n";
    refused(text, "This happens in the variant “Huge”.");
}

#[test]
fn a_page_of_parentheses_is_told_in_a_few_messages() {
    let found = enclosed("toy", &[("toy.gdl".into(), ")".repeat(1_000_000))]);
    assert!(found.diagnostics.len() <= Budget::MESSAGES + 1, "{}", found.diagnostics.len());
    let messages = found.messages(false);
    assert!(messages.contains("more messages are not shown"), "{}", &messages[messages.len() - 300..]);
    assert!(messages.len() < 2_000_000, "a long line is not drawn whole for each: {}", messages.len());
}

#[test]
fn thousands_of_unknown_words_are_told_in_a_few_messages() {
    let text = format!(
        "#property q\n#action go (set q to 1)\n#sideeffect \"S\" on go {}",
        "(set zz to (foo q 1))\n".repeat(40_000)
    );
    let found = checked(&text);
    assert!(found.has_errors() && found.diagnostics.len() <= Budget::MESSAGES + 1, "{}", found.diagnostics.len());
}

#[test]
fn more_things_than_a_match_can_hold_are_told_before_they_are_made() {
    refused("#model stone\n#entity stone 99000 times\n#action go to stone (draw)", "Too many things");
    let three = "#entity stone for each a in (range 1 1000) for each b in (range 1 1000) for each c in (range 1 1000)";
    refused(
        &format!("#model stone #property a #property b #property c\n{three}\n#action go to stone (draw)"),
        "Too many things",
    );
    let lines: String = (0..99_000).map(|n| format!("#entity s{n} is stone\n")).collect();
    refused(&format!("#model stone\n{}#action go to stone (draw)", &lines[..900_000]), "at most 5000 directives");
}

#[test]
fn more_properties_of_more_things_than_a_match_can_keep_are_told() {
    let properties: String = (0..4_900).map(|n| format!("#property p{n} {n}\n")).collect();
    refused(
        &format!("#board stone grid 100 10\n#model stone\n{properties}#action go to stone (draw)"),
        "This game is too large",
    );
}

#[test]
fn of_more_choices_than_can_be_looked_through_the_first_are_offered() {
    let mut position = opened("#action go with a (range 1 100000) b (range 1 100000) (draw)");
    let choices = position.choices(Who::Seat(SeatId(0)));
    assert_eq!(choices.len(), Budget::CANDIDATES);
    position.play(Who::Seat(SeatId(0)), &choices[99_999]).unwrap();
    assert!(position.is_over());
}

#[test]
fn an_action_that_asks_whether_it_can_be_done_comes_to_an_end() {
    for asked in ["(not (can place))", "(none (choices place))", "(= 0 (count (choices place)))"] {
        let text = format!(
            "#board cell grid 10 10\n#model cell #property mark\n#action place to cell (set mark to player)\n\
             #law \"Once\" on place (require (not mark) \"Taken.\")\n\
             #sideeffect \"Back\" on place (if {asked} (rollback \"No.\"))\n"
        );
        let found = checked(&text);
        let told = found.messages(false);
        assert!(!found.has_errors() || told.contains("ran too long") || told.contains("too deeply"), "{told}");
    }
}

#[test]
fn a_list_that_doubles_with_every_move_is_stopped() {
    let mut position = opened("#property l (list 1 2 3 4)\n#action go (set l to (join l l))");
    let mut refusal = None;
    for n in 0..40 {
        let who = Who::Seat(SeatId(n % 2));
        let choice = position.choices(who).remove(0);
        if let Err(told) = position.play(who, &choice) {
            refusal = Some((n, told));
            break;
        }
    }
    let (n, told) = refusal.expect("forty times doubled it is larger than any memory");
    assert!(told.kind == RefusalKind::Fault && told.reason.contains("too much memory"), "{n}: {told}");
    assert!(n < 20, "{n}");
    let _ = position.view(Viewer::All);
}

/// Native code counts, too: without loops, calls that call twice each would go on for ever.
#[test]
fn defines_that_call_each_other_twice_are_stopped_in_native_code_as_well() {
    let mut text = String::from("#property n\n#define d0 1\n");
    for at in 1..60 {
        text += &format!("#define d{at} (+ d{} d{})\n", at - 1, at - 1);
    }
    text += "#action go (set n to 1)\n#action long (set n to d59)\n#law \"N\" on go (require (not n) \"Once.\")\n#law \"L\" on long (require (> d59 0) \"No.\")\n";
    let found = checked(&text);
    let game = found.compile(&Options::default()).unwrap_or_else(|told| panic!("{told}"));
    game.program().go_native();
    let mut position = game.start().unwrap();
    let offers = position.offers(SeatId(0));
    assert!(
        offers.iter().any(|offer| offer.refused.as_ref().is_some_and(|told| told.reason.contains("ran too long"))),
        "{offers:?}"
    );
}
