//! Kinds of things: what a model says, what its children and its entities take over and change.

use crate::{fault, open, play, played, property, refusal, rulebook, value};
use houserules_kernel::Rulebook;

/// Three generations, and things of the last two.
const FAMILY: &str = r#"
    #game "Toy" #players "X" "O"
    #model thing #property weight 1 #property colour "grey" #property heard 0
      #onMessage hit (set heard to (+ heard 1))
    #model stone is thing #property weight 5 #property crack
      #onMessage hit (set heard to (+ heard 10))
    #model gem is stone #property shine 3
    #entity Pebble is stone
    #entity Ruby is gem with colour "red"
    #action strike to thing (send hit to self)
    #action tap to thing"#;

/// [GM-11] [GM-13] [GM-15] Definitions come down from every ancestor, and a child may give them another value.
/// [GM-16] What an entity is given goes before its model's value, and that before the parent's.
#[test]
fn values_are_inherited_and_the_nearest_goes_first() {
    let mut position = open(FAMILY);
    let mut of = |thing: &str, name: &str| property(&mut *position, thing, name);
    assert_eq!(of("Pebble", "weight"), "5", "the child's value, not the parent's");
    assert_eq!(of("Pebble", "colour"), "grey", "the grandparent's");
    assert_eq!(of("Ruby", "weight"), "5", "through two generations");
    assert_eq!(of("Ruby", "shine"), "3", "what the model adds");
    assert_eq!(of("Ruby", "colour"), "red", "the entity's own");
}

/// [GM-14] A model may add definitions; an entity can only be given values of what its model defines.
#[test]
fn an_entity_cannot_have_what_its_model_does_not_define() {
    let loaded = houserules_gdl::read_text("test", &format!("{FAMILY} #entity Flint is stone with shine 4"));
    let found = houserules_machine::compile(&loaded.definition, &houserules_machine::Options::default());
    let faults = found.map(|_| ()).expect_err("a stone does not shine");
    assert!(faults.iter().any(|fault| format!("{fault:?}").contains("shine")), "{faults:#?}");
}

/// [GM-20] Behaviors are inherited, and answered by the nearest model that has one.
#[test]
fn a_behavior_is_inherited_until_it_is_overridden() {
    let mut position = played(FAMILY, &["strike Pebble", "strike Ruby", "strike Ruby"]);
    assert_eq!(property(&mut *position, "Pebble", "heard"), "10");
    assert_eq!(property(&mut *position, "Ruby", "heard"), "20", "the parent's, not the grandparent's");
}

/// [GM-12] Every entity is of one model, and counts as each of that model's parents.
#[test]
fn an_entity_is_of_one_model_and_counts_as_its_parents() {
    let counted = |expr: &str| {
        let text = FAMILY.replace("#action tap to thing", &format!("#property n #action tap (set n to {expr})"));
        property(&mut *played(&text, &["tap"]), "game", "n")
    };
    assert_eq!(counted("(count thing)"), "2");
    assert_eq!(counted("(count stone)"), "2");
    assert_eq!(counted("(count gem)"), "1");
    assert_eq!(counted("(is Ruby a thing)"), "true");
    assert_eq!(counted("(is Pebble a gem)"), "nil");
    assert_eq!(counted("(kind of Ruby)"), "gem");
}

/// [FR-21] [GM-10] Whatever runs, runs in an entity: a token, a field, a player, or the game, which has no shape.
#[test]
fn code_always_belongs_to_an_entity() {
    let text = r#"#game "Toy" #players "X" "O" #property trail (list)
        #model cell #board cell grid 2 1
        #model man #entity Max is man at a1
        #sideeffect "Who was it" on go ask call (set (trail of game) to (append self to (trail of game)))
        #model player #onMessage call
        #action go
        #action ask to cell (send call to player)
        #action poke to man (send call to X)"#;
    // A thing on the board is told by its place.
    let mut position = played(text, &["go", "ask b1", "poke a1"]);
    assert_eq!(property(&mut *position, "game", "trail"), "(game X b1 X)");
}

/// [FR-22] [FR-23] Players are entities like others: they have properties and answer messages. Who decides for them, a
/// person or the machine, is not said in the game.
#[test]
fn players_are_entities_that_answer_messages() {
    let text = r#"#game "Toy" #players "X" "O" #turns
        #model player #property coins 2 #onMessage pay n (set coins to (- coins n))
        #action buy with n (list 1 2) (send pay to player with n n)"#;
    let mut position = played(text, &["buy 2", "buy 1"]);
    assert_eq!(property(&mut *position, "X", "coins"), "0");
    assert_eq!(property(&mut *position, "O", "coins"), "1");
}

/// Seats may be the things of a model: a player knows and does what that model says, and begins with its own values.
#[test]
fn players_may_be_the_things_of_a_model() {
    let text = r#"#game "Toy" #turns #players are person #property heard
        #model person #property coins 1 #relation follows #onMessage gain by (increase coins by by)
        #entity "Ann B" is person with coins 3 follows "Bo"
        #entity Bo is person
        #entity person 2 times
        #action gift with by (list 2 5) (send gain to player with by by) (set heard to (list (count person) (follows of player) (is player a person)))
        #law "Bo has enough" on gain to Bo (require (< by 5))"#;
    let mut position = open(text);
    play(&mut *position, "gift 5").unwrap();
    assert_eq!(property(&mut *position, "Ann B", "coins"), "8");
    assert_eq!(property(&mut *position, "game", "heard"), "(4 Bo true)");
    play(&mut *position, "gift 5").unwrap();
    assert_eq!(property(&mut *position, "Bo", "coins"), "1");
    play(&mut *position, "gift 2").unwrap();
    play(&mut *position, "gift 2").unwrap();
    assert_eq!(property(&mut *position, "Bo", "coins"), "3");
}

/// [GM-8] A thing knows its neighbours by a relation and says something to those it knows; the answer comes
/// from each one's own rules. [FR-46] A side-effect sends messages to other things.
#[test]
fn things_coordinate_by_messages_to_those_they_know() {
    let text = r#"#game "Toy" #players "X"
        #model bell #relation other #property rung 0
          #onMessage ring left (set rung to (+ rung 1))
        #model drum is bell
          #onMessage ring left (set rung to (+ rung 100))
        #entity A is bell with other (list B C) #entity B is bell with other (list) #entity C is drum with other (list)
        #action ring to (list A) with left (list 1)
        #sideeffect "Those around ring along" on ring to bell
          (if (> left 0) (send ring to other with left (- left 1)))"#;
    let mut position = played(text, &["ring A 1"]);
    let rung = ["A", "B", "C"].map(|bell| property(&mut *position, bell, "rung"));
    assert_eq!(rung, ["1", "1", "100"]);
}

/// [FR-27] A message carries keys with values, and its label decides what answers; [FR-100] the label is an attribute.
#[test]
fn a_message_carries_values_and_its_label_decides() {
    let text = r#"#game "Toy" #players "X" #model game #property heard (list)
        #onMessage first a b (set heard to (list "first" a b (attribute label)))
        #onMessage second a b (set heard to (list "second" b a (attribute label)))
        #action go with which (list "first" "second") (send (which) to game with a 1 b 2)"#;
    for (label, heard) in [("first", "(first 1 2 first)"), ("second", "(second 2 1 second)")] {
        let mut position = played(text, &[&format!("go {label}")]);
        assert_eq!(property(&mut *position, "game", "heard"), heard);
    }
    assert_eq!(value("(label of (new message ring with loud 3))"), "ring");
}

/// [FR-31] A behavior does what it does, whatever is allowed: without the law it runs as it stands.
#[test]
fn a_behavior_does_not_know_what_is_allowed() {
    let text = |law: &str| {
        format!(
            r#"#game "Toy" #players "X" #property n 0 {law}
            #action hop (set n to (+ n 1))"#
        )
    };
    let mut position = open(&text(r#"#law "Once only" on hop (require (= n 0))"#));
    play(&mut *position, "hop").unwrap();
    assert!(rulebook(&text("")).open().is_ok());
    let mut free = played(&text(""), &["hop", "hop", "hop"]);
    assert_eq!(property(&mut *free, "game", "n"), "3");
}

/// [FR-68] [GM-24] [GM-25] A variable and a property hold any value in turn, and lists and dictionaries hold any value,
/// each other among them.
#[test]
fn a_value_of_any_kind_fits_anywhere() {
    let text = r#"#game "Toy" #players "X" #property kept 1
        #action go (var x 1) (set x to "one") (set kept to x) (set x to (list x kept X)) (set kept to x)"#;
    assert_eq!(property(&mut *played(text, &["go"]), "game", "kept"), "(one one X)");
    assert_eq!(value("(list 1 \"b\" nil X (list 2 (dictionary \"k\" (list 3))))"), "(1 b nil X (2 {k: (3)}))");
    assert_eq!(value("(match \"k\" in (match 1 in (dictionary 1 (dictionary \"k\" (list)))))"), "()");
    assert!(fault("(+ 1 (list))").contains("number"));
}

/// [GM-21] One type of number: 7 divided by 2 is no other kind of value than 4.
#[test]
fn whole_numbers_and_decimals_mix() {
    assert_eq!(value("(+ (/ 7 2) (/ 1 2))"), "4");
    assert_eq!(value("(= (/ 8 2) 4)"), "true");
    assert_eq!(value("(at (/ 4 2) of (list 5 6 7))"), "7");
}

/// [GM-26] Only nil is false: 0, the empty text, the empty list and any entity are true.
#[test]
fn only_nil_is_false() {
    for truth in ["0", "-1", "\"\"", "(list)", "(dictionary)", "X", "game", "(new message a)"] {
        assert_eq!(value(&format!("(not {truth})")), "nil", "{truth}");
    }
    assert_eq!(value("(not nil)"), "true");
}

/// [GM-17] [GM-18] A message changes where a thing is and what it is like, and both can be read by rules.
#[test]
fn a_message_changes_both_layers() {
    let text = r#"#game "Toy" #players "X" "O" #turns
        #model cell #board cell grid 2 1
        #model man #property tired
          #onMessage go (move self to (east of place)) (set tired to true) (changeState resting)
        #entity Max is man at a1
        #action go to man
        #action wait
        #law "The tired rest" on go to man (require (and (not tired) (= state "default")) "He is tired.")"#;
    let mut position = played(text, &["go a1"]);
    assert_eq!(refusal(&mut *position, "go b1").unwrap().reason, "He is tired.");
    let view = position.view(houserules_kernel::Viewer::Public);
    let full: Vec<u32> = view.boards[0].cells.iter().map(|cell| cell.count.unwrap_or(0)).collect();
    assert_eq!(full, [0, 1]);
    assert!(position.undo());
    assert_eq!(refusal(&mut *position, "go a1"), None);
}
