//! The reference pages, written from the tables of directives and forms.

use houserules_model::directives::{self, DirectiveDef, Part};
use houserules_model::examples::DEMO;
use houserules_model::forms::{self, Effect, FormDef, Shelf};
use houserules_model::words::{self, Asked, MessageDef, WordDef};
use std::fmt::Write;

/// All directives, words, messages and forms, as a page of Markdown.
pub fn reference() -> String {
    let mut page = String::from("# The Game Definition Language\n\nWritten by the program from its own tables.\n");
    for (part, title) in PARTS {
        let _ = write!(page, "\n## Directives: {title}\n");
        for def in directives::all().iter().filter(|def| def.part == part) {
            let _ = write!(page, "\n### `#{}`\n\n{}", def.name, directive(def));
        }
    }
    for (asked, title) in ASKED {
        let _ = write!(page, "\n## Words that are there from the start: {title}\n");
        for def in words::all().iter().filter(|def| def.asked == asked) {
            let _ = write!(page, "\n### `{}`\n\n{}", def.word, self::word(def));
        }
    }
    page.push_str("\n## Messages that the machine sends\n");
    for def in words::messages() {
        let _ = write!(page, "\n### `{}`\n\n{}", def.label, message(def));
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

/// What the tables say about a word: a directive with or without its `#`, the head of a form, a word that is there
/// from the start, a message of the machine.
pub fn explain(word: &str) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(directives::named(word.trim_start_matches('#')).map(directive));
    if !word.starts_with('#') {
        parts.extend(words::named(word).map(self::word));
        parts.extend(words::messages().iter().filter(|def| def.label == word).map(message));
        parts.extend(forms::with_head(word).map(form));
    }
    (!parts.is_empty()).then(|| parts.join("\n"))
}

/// Every word that can be explained, directives with their `#`.
pub fn words() -> Vec<String> {
    let mut words: Vec<String> = directives::all().iter().map(|def| format!("#{}", def.name)).collect();
    let known = words::all().iter().map(|def| def.word);
    let sent = words::messages().iter().map(|def| def.label);
    for word in known.chain(sent).chain(forms::all().iter().map(|def| def.head)) {
        if !words.iter().any(|known| known == word) {
            words.push(word.into());
        }
    }
    words
}

const PARTS: [(Part, &str); 3] = [(Part::Game, "the game"), (Part::Things, "things"), (Part::Play, "play")];

/// What words are asked of, and how a page calls that.
pub const ASKED: [(Asked, &str); 9] = [
    (Asked::Nobody, "anywhere"),
    (Asked::Things, "of every thing"),
    (Asked::Places, "of places"),
    (Asked::Board, "of boards"),
    (Asked::Players, "of players"),
    (Asked::Game, "of the game"),
    (Asked::Message, "of messages"),
    (Asked::Direction, "directions"),
    (Asked::Directions, "several directions"),
];

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

fn word(def: &WordDef) -> String {
    let mut text = format!("```\n{}\n```\n{}\n", def.usage().replace(" · ", "\n"), def.summary);
    sentences(&mut text, def.detail);
    examples(&mut text, def.example);
    text
}

fn message(def: &MessageDef) -> String {
    let attributes: String = def.attributes.iter().map(|name| format!(" {name}")).collect();
    let mut text = format!("```\n#onMessage {}{attributes} BODY\n```\n{}\n", def.label, def.summary);
    sentences(&mut text, def.detail);
    let _ = writeln!(text, "The machine sends it to the game; behaviors, laws and side-effects may answer it.");
    let _ = write!(text, "\nExample:\n```\n{}\n```\n", def.example);
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
    examples(&mut text, def.example);
    text
}

fn examples(text: &mut String, examples: &[(&str, &str)]) {
    for (body, value) in examples {
        let arrow = if value.is_empty() { String::new() } else { format!(" → {value}") };
        let _ = write!(text, "\n    {body}{arrow}\n");
    }
}

/// One on each line, as Markdown under version control likes it.
fn sentences(text: &mut String, detail: &str) {
    if !detail.is_empty() {
        let _ = writeln!(text, "{}", detail.replace(". ", ".\n"));
    }
}
