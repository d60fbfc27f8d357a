//! The reference pages, written from the tables of directives and forms.

use houserules_model::directives::{self, DirectiveDef, Part};
use houserules_model::examples::DEMO;
use houserules_model::forms::{self, Effect, FormDef, Shelf};
use std::fmt::Write;

/// All directives and forms, as a page of Markdown.
pub fn reference() -> String {
    let mut page = String::from("# The Game Definition Language\n\nWritten by the program from its own tables.\n");
    for (part, title) in PARTS {
        let _ = write!(page, "\n## Directives: {title}\n");
        for def in directives::all().iter().filter(|def| def.part == part) {
            let _ = write!(page, "\n### `#{}`\n\n{}", def.name, directive(def));
        }
    }
    for (shelf, title) in SHELVES {
        let _ = write!(page, "\n## Forms: {title}\n");
        let mut head = "";
        for def in forms::all().iter().filter(|def| def.shelf == shelf) {
            if def.head != head {
                head = def.head;
                let _ = write!(page, "\n### `{head}`\n");
            }
            let _ = write!(page, "\n{}", form(def));
        }
    }
    let _ = write!(page, "\n## The game of the examples\n\n```\n{DEMO}```\n");
    page
}

/// What the tables say about a word: a directive with or without its `#`, or the head of a form.
pub fn explain(word: &str) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(directives::named(word.trim_start_matches('#')).map(directive));
    if !word.starts_with('#') {
        parts.extend(forms::with_head(word).map(form));
    }
    (!parts.is_empty()).then(|| parts.join("\n"))
}

/// Every word that can be explained, directives with their `#`.
pub fn words() -> Vec<String> {
    let mut words: Vec<String> = directives::all().iter().map(|def| format!("#{}", def.name)).collect();
    for def in forms::all() {
        if !words.iter().any(|word| word == def.head) {
            words.push(def.head.into());
        }
    }
    words
}

const PARTS: [(Part, &str); 3] = [(Part::Game, "the game"), (Part::Things, "things"), (Part::Play, "play")];

const SHELVES: [(Shelf, &str); 14] = [
    (Shelf::Flow, "flow of control"),
    (Shelf::State, "variables and properties"),
    (Shelf::Messages, "messages"),
    (Shelf::Rules, "rules"),
    (Shelf::Arithmetic, "arithmetic"),
    (Shelf::Logic, "comparing"),
    (Shelf::Lists, "lists"),
    (Shelf::Dictionaries, "dictionaries"),
    (Shelf::Looking, "looking for things"),
    (Shelf::Board, "along the board"),
    (Shelf::Doing, "things, turns and results"),
    (Shelf::Asking, "questions and chance"),
    (Shelf::Supposing, "what could be done"),
    (Shelf::Showing, "representations"),
];

fn directive(def: &DirectiveDef) -> String {
    let usages: Vec<String> = def.usages().collect();
    let mut text = format!("```\n{}\n```\n{}\n", usages.join("\n"), def.summary);
    sentences(&mut text, def.detail);
    let _ = write!(text, "\nExample:\n```\n{}\n```\n", def.example.replace(" #", "\n#"));
    text
}

fn form(def: &FormDef) -> String {
    let mut text = format!("```\n{}\n```\n{}\n", def.usage(), def.summary);
    sentences(&mut text, def.detail);
    match def.effect {
        Effect::Pure | Effect::Local => {}
        Effect::Writes => text.push_str("It changes the game, so it cannot stand in a law or a define.\n"),
        Effect::Asks => text.push_str("It may wait for an answer, so it cannot stand in a law or a define.\n"),
    }
    for (body, value) in def.example {
        let arrow = if value.is_empty() { String::new() } else { format!(" → {value}") };
        let _ = write!(text, "\n    {body}{arrow}\n");
    }
    text
}

/// One on each line, as Markdown under version control likes it.
fn sentences(text: &mut String, detail: &str) {
    if !detail.is_empty() {
        let _ = writeln!(text, "{}", detail.replace(". ", ".\n"));
    }
}
