//! What is said about programs: mistakes, what never happens, and what leads where.

use houserules_linear::{Diagram, check, sanity};
use houserules_model::FileId;

/// The titles and labels of everything that is wrong.
fn told(text: &str) -> Vec<String> {
    let (program, mut said) = check(text, FileId(0));
    said.extend(program.iter().flat_map(sanity));
    said.iter().map(|fault| format!("{}: {}", fault.title, fault.labels[0].text)).collect()
}

fn says(text: &str, part: &str) {
    let told = told(text);
    assert!(told.iter().any(|said| said.contains(part)), "“{part}” is not in {told:#?}");
}

const HEAD: &str = "t : type. a : t. b : t. u : type. c : u. p t : pred. q : pred. k t : bwd. k a. ";

fn with(rest: &str) -> String {
    format!("{HEAD}{rest}")
}

/// [SP-22] Types, numbers of arguments and names are checked.
#[test]
fn mistakes_are_told_with_what_would_fit() {
    let stage = |rule: &str| with(&format!("stage s = {{ r : {rule}. }} #trace _ s {{q}}."));
    says(&stage("p X * pp X -o q"), "Unknown predicate: Did you mean `p`?");
    says(&stage("p c -o q"), "Of another type: `c` is a `u`, and a `t` is expected here.");
    says(&stage("p -o q"), "Too few arguments: `p` takes `t`, and 0 arguments are given.");
    says(&stage("p a b -o q"), "Too many arguments");
    says(&stage("q -o p X"), "A variable from nowhere");
    says(&stage("q -o p _"), "`_` on the right");
    says(&stage("q -o k a"), "A backward predicate as a fact");
    says(&stage("$k X -o q"), "`$` before a backward predicate");
    says(&stage("q * qui -o q"), "`qui` inside a stage");
    says(&stage("q -o stage s"), "`stage` inside a stage");
    says(&with("stage s = {} #trace _ s {p X}."), "A variable in a context");
    says(&with("stage s = {} #trace _ ss {q}."), "Unknown stage: Did you mean `s`?");
    says(&with("stage s = {} #trace _ s {p 3}."), "Numbers are written so only after `#builtin NAT nat.`");
    says(&with("Big : t. stage s = {} #trace _ s {}."), "Declared with a capital letter");
    says(&with("a : t. stage s = {} #trace _ s {}."), "Declared twice");
    says(&with("stage s = {}"), "Nothing says where to begin");
    says(&with("#tracer _ s {}."), "Unknown directive: Did you mean `#trace`?");
    says("p : sense.", "A kind of predicate that is no more");
    says(&with("l : q -o p a. stage s = {} #trace _ s {}."), "This rule never fires");
}

#[test]
fn one_mistake_does_not_hide_the_next() {
    let text = with(
        "stage s = { r : q -o p. r : q q -o q. ) x : @. } w : pred\n v : pred. stage t = { r : zz -o q. } #trace _ s {q}.",
    );
    assert!(told(&text).len() >= 4, "{:#?}", told(&text));
    says(&text, "A period is missing");
    says(&with("stage s = { r : q -o p a } #trace _ s {q}."), "A period is missing");
}

/// Whatever is typed, there is a list of messages and no end of the world.
#[test]
fn broken_text_is_ordinary_text() {
    let whole =
        with("stage s = { r : $p X * k X -o !q. } #interactive s. g : qui * stage s -o stage s. #trace 5 s {p a, {}}.");
    for end in 0..whole.len() {
        told(&whole[..end]);
        told(&whole[end..]);
        told(&whole.replacen(&whole[end..end + 1], ")", 1));
    }
    told(&"(".repeat(100_000));
    told(&"stage s = {".repeat(1_000));
}

/// What only a program would write is refused before it uses up the stack or the memory.
#[test]
fn monstrous_text_is_refused() {
    let traced = |rest: &str| with(&format!("{rest} #trace _ s {{q}}."));
    says(&"stage s = {".repeat(50_000), "Nested too deeply");
    says(&traced(&format!("stage s = {{ r : {}q -o q. }}", "q * ".repeat(20_000))), "Too many premises");
    says(&traced(&format!("stage s = {{}} k b{}.", " <- k a".repeat(20_000))), "Too many premises");
    let doubled: String = (0..40).map(|n| format!("context c{} = {{c{n}, c{n}}} ", n + 1)).collect();
    says(&with(&format!("stage s = {{}} context c0 = {{q}} {doubled} #trace _ s {{c40}}.")), "Too many facts");
}

/// [SP-55] Stages that are never reached, dead ends, rules that never fire, circles.
#[test]
fn what_never_happens_is_said() {
    says(&with("stage s = { r : q -o p a. } stage far = {} #trace _ s {q}."), "The stage `far` is never reached");
    says(
        &with("stage s = { r : q -o p a. } stage t = { u : p X -o q. } g : qui * stage s -o stage t. #trace _ s {q}."),
        "The stage `t` is a dead end",
    );
    says(&with("stage s = { r : p X -o q. } #trace _ s {q}."), "The rule `r` can never fire: No rule makes a fact `p`");
    says(&with("stage s = { r : p b * k b -o q. } #trace _ s {p b}."), "The rule `r` can never fire: What it wants");
    says(&with("stage s = { r : q -o (). } #trace _ s {p a, q}."), "Facts nobody wants: Facts `p` are made");
    says(&with("stage s = {} #trace _ s {q}."), "A predicate nobody uses");
    says(&with("stage s = { r : !q * p X -o (). } #trace _ s {q, p a}."), "Used up in spite of `!`");
    says(&with("stage s = { r : $q -o p a. } #trace _ s {q}."), "The rule `r` fires for ever");
    says(
        &with("stage s = { r : p X -o q. } g : qui * stage s -o stage s. #trace _ s {p a}."),
        "The stage `s` can go round for ever",
    );
}

#[test]
fn a_sound_program_is_left_in_peace() {
    assert_eq!(told(include_str!("programs/noughts.cep")), Vec::<String>::new());
}

/// [SP-54] The diagram has every stage and what leads from one to another.
#[test]
fn a_diagram_shows_stages_and_links() {
    let (program, _) = check(include_str!("programs/noughts.cep"), FileId(0));
    let diagram = Diagram::of_program(&program.unwrap());
    let text = "play  (begins here, somebody chooses)\n    mark\n  → look  moved\n  → over  turn\nlook\n    across\n    up\n    \
                rise\n    fall\n  → play  moved\nover  (nothing follows)\n    full\n";
    assert_eq!(diagram.text(), text);
    let svg = diagram.svg();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("class=\"arrow\"").count(), 3);
    assert_eq!(svg.matches("class=\"name\"").count(), 3);
}
