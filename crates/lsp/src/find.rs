//! Where names are made and used, what a text consists of, and what mends a mistake.

use crate::diagnose::Found;
use crate::session::range;
use houserules_studio::{Change, Document, Names, Reading, Sort, TextEdit, called};
use serde_json::{Value, json};

fn names(uri: &str, text: &str) -> Names {
    Names::of(&Reading::of(uri, uri, text, &[]))
}

/// Where what is meant at a place is made.
pub fn definition(uri: &str, text: &str, byte: usize) -> Value {
    locations(uri, text, byte, true)
}

pub fn references(uri: &str, text: &str, byte: usize) -> Value {
    locations(uri, text, byte, false)
}

fn locations(uri: &str, text: &str, byte: usize, only_defining: bool) -> Value {
    let names = names(uri, text);
    let Some(meaning) = names.at(byte) else { return Value::Null };
    let found = names.uses(meaning).filter(|found| found.defines || !only_defining);
    found.map(|found| json!({ "uri": uri, "range": range(text, found.at.start, found.at.end) })).collect()
}

/// The name at a place, where it could be another one.
pub fn renamable(uri: &str, text: &str, byte: usize) -> Value {
    let names = names(uri, text);
    let Some(meaning) = names.at(byte) else { return Value::Null };
    let here = names.uses(meaning).find(|found| found.at.start <= byte && byte <= found.at.end);
    here.map_or(
        Value::Null,
        |found| json!({ "range": range(text, found.at.start, found.at.end), "placeholder": &*meaning.name }),
    )
}

pub fn rename(uri: &str, text: &str, byte: usize, to: &str) -> Result<Value, String> {
    let mut document = Document::open(uri, text, Vec::new());
    let done = document.change(&Change::Rename { at: byte, to: to.to_owned() });
    let stepped = done.map_err(|refused| refused.words)?;
    Ok(json!({ "changes": { uri: edits(text, &stepped.edits) } }))
}

pub fn edits(text: &str, edits: &[TextEdit]) -> Value {
    edits.iter().map(|edit| json!({ "range": range(text, edit.start, edit.end), "newText": edit.text })).collect()
}

/// The directives of a text, parts below their models.
pub fn symbols(uri: &str, text: &str) -> Value {
    let reading = Reading::of(uri, uri, text, &[]);
    let mut symbols: Vec<Value> = Vec::new();
    for item in &reading.own {
        let (what, name) = called(&item.kind);
        let kind = match what {
            "model" => 5,
            "property" | "relation" | "appearance" => 7,
            "define" => 12,
            "behavior" | "action" => 6,
            "law" | "after-law" | "side-effect" | "rule" => 24,
            "entity" | "board" => 19,
            "setting" | "set" => 14,
            "variant" => 3,
            _ => 13,
        };
        let lies = range(text, item.origin.start as usize, item.origin.end as usize);
        let name = if name.is_empty() { what.to_owned() } else { name };
        let symbol = json!({ "name": name, "detail": what, "kind": kind, "range": lies, "selectionRange": lies, "children": [] });
        let part = matches!(
            what,
            "property" | "relation" | "appearance" | "define" | "behavior" | "state" | "look" | "symbol" | "capacity"
        );
        match symbols.last_mut().filter(|last| part && last["kind"] == 5) {
            Some(model) => {
                // A model reaches as far as its parts.
                model["range"]["end"] = symbol["range"]["end"].clone();
                if let Some(children) = model["children"].as_array_mut() {
                    children.push(symbol);
                }
            }
            None => symbols.push(symbol),
        }
    }
    Value::Array(symbols)
}

/// What a message proposes, as an edit: `Did you mean …?` puts the other word there.
pub fn fix(uri: &str, text: &str, found: &Found) -> Option<Value> {
    let words = [found.hint.as_deref(), Some(&*found.words)];
    let meant = words.into_iter().flatten().find_map(|words| {
        let (_, rest) = words.split_once("Did you mean ")?;
        let (open, close) = if rest.starts_with('`') { ('`', '`') } else { ('“', '”') };
        Some(rest.strip_prefix(open)?.split_once(close)?.0.to_owned())
    })?;
    let there = text.get(found.start..found.end)?;
    if there.is_empty() || there.contains('\n') || meant.contains(' ') != there.contains(' ') && !there.starts_with('"')
    {
        return None;
    }
    let edit = TextEdit { start: found.start, end: found.end, text: meant.clone() };
    Some(json!({
        "title": format!("Change to {meant}"),
        "kind": "quickfix",
        "isPreferred": true,
        "edit": { "changes": { uri: edits(text, &[edit]) } },
    }))
}

/// The word by which editors call what a name is the name of.
pub fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Model => "model",
        Sort::Member => "property",
        Sort::Setting => "setting",
        Sort::Entity => "thing",
        Sort::Direction => "direction",
        Sort::Message => "message",
        Sort::Attribute => "attribute",
        Sort::Variable(..) => "variable",
        Sort::State => "state",
        Sort::Rule => "rule",
        Sort::Variant => "variant",
        Sort::Layer => "layer",
    }
}
