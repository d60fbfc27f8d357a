//! The reference page, written from the tables of tags.

use std::fmt::Write;

use crate::ENDING;
use crate::tags::{ADDED, ADDITIONS, ALSO, Holds, Kind, Often, STATEMENTS, StatementDef, TAGS, TagDef};
use crate::xml::NAMESPACE;

/// All tags and attributes, as a page of Markdown.
pub fn reference() -> String {
    let mut page = String::from("# The game file\n\nWritten by the program from its own tables.\n\n");
    let _ = writeln!(page, "A game in XML; the name of the file ends with `{ENDING}`.");
    page.push_str(
        "Tags may stand in any order, but a parent model before its children and a model before its entities.\n",
    );
    page.push_str("Mark: nothing, once; `?`, at most once; `*`, any number; `+`, one or more.\n");
    page.push_str("The schema is `crates/gdf/schema/gdf.xsd`.\n");
    page.push_str("\n## Tags\n");
    table(&mut page, TAGS, "");
    page.push_str(
        "\n## Statements\n\nA tag inside a statement holds one statement; nothing inside is the placeholder.\n",
    );
    page.push_str("`statement`, `else` and `statements` hold a body: one statement, or a `block` of several.\n");
    page.push_str("`entity` with `myself` inside is the usual case of a form that says nothing.\n");
    page.push_str(
        "A statement that makes a list or a dictionary gives a new one, and positions are counted from 0.\n\n",
    );
    page.push_str("| tag | German name | kind | inside | in the definition language |\n|---|---|---|---|---|\n");
    for def in STATEMENTS {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | `{}` |",
            head(def),
            def.german,
            def.kind.word(),
            slots(def),
            gdl(def)
        );
    }
    page.push_str("\nThe kinds: ");
    let kinds = [
        (Kind::Flow, "decides what runs next"),
        (Kind::Source, "gives a value"),
        (Kind::Pipe, "makes a value of others"),
        (Kind::Sink, "takes a value and changes the game"),
        (Kind::Send, "sends a message"),
        (Kind::Declaration, "declares a variable"),
    ];
    let kinds: Vec<String> = kinds.iter().map(|(kind, says)| format!("{} {says}", kind.word())).collect();
    let _ = writeln!(page, "{}.", kinds.join(", "));
    let also: Vec<String> = ALSO.iter().map(|(also, tag)| format!("`{also}` for `{tag}`")).collect();
    let _ = writeln!(page, "Read as well: {}.", also.join(", "));
    let _ = write!(page, "\n## Additions\n\nTags of the namespace `{NAMESPACE}`, here with the prefix `hr`.\n");
    page.push_str("Other readers skip them and get models, entities and values; a file that needs none has none.\n");
    table(&mut page, ADDITIONS, "hr:");
    page.push_str("\n| attribute | of | what it says |\n|---|---|---|\n");
    for (name, of, says) in ADDED {
        let _ = writeln!(page, "| `hr:{name}` | {of} | {says} |");
    }
    page
}

fn table(page: &mut String, tags: &[TagDef], prefix: &str) {
    page.push_str("\n| tag | stands in | inside | what it says |\n|---|---|---|---|\n");
    for def in tags {
        let attributes: String = def.attributes.iter().map(|name| format!(" {name}")).collect();
        let inside: Vec<String> = def
            .inside
            .iter()
            .map(|(tag, often)| {
                let mark = match often {
                    Often::Once => "",
                    Often::Perhaps => "?",
                    Often::Any => "*",
                    Often::Some => "+",
                };
                let ours = ADDITIONS.iter().any(|def| def.tag == *tag) && !TAGS.iter().any(|def| def.tag == *tag);
                format!("`{}{tag}`{mark}", if ours { prefix } else { "" })
            })
            .collect();
        let inside = match (def.tag, inside.is_empty()) {
            (_, false) => inside.join(" "),
            ("statements" | "else", _) => "statements".into(),
            ("parameter" | "with", _) => "a statement".into(),
            ("workspace", _) => "nothing".into(),
            _ => "text".into(),
        };
        let _ = writeln!(
            page,
            "| `{prefix}{}{attributes}` | {} | {inside} | {} |",
            def.tag,
            def.within,
            def.says.replace('|', "\\|")
        );
    }
}

fn head(def: &StatementDef) -> String {
    let attributes: String = def.attributes.iter().map(|(name, _)| format!(" {name}")).collect();
    match def.op {
        "" => format!("{}{attributes}", def.tag),
        op => format!("{} op=\"{op}\"", def.tag),
    }
}

fn slots(def: &StatementDef) -> String {
    let mark = |holds: Holds| if holds == Holds::Perhaps { "?" } else { "" };
    let mut slots: Vec<String> = def.slots.iter().map(|slot| format!("`{}`{}", slot.tag, mark(slot.holds))).collect();
    match def.tag {
        "block" => slots.push("statements".into()),
        "constant" => slots.push("a value".into()),
        "ifElse" => slots.push("`if`+ `else`?".into()),
        "sendMessage" => slots.push("`parameter`*".into()),
        _ => {}
    }
    if slots.is_empty() { "nothing".into() } else { slots.join(" ") }
}

fn gdl(def: &StatementDef) -> String {
    match (def.form, def.op) {
        (Some(form), op) if !op.is_empty() => {
            let operands = if def.slots.len() == 1 { "A" } else { "A B" };
            format!("({} {operands})", form.head())
        }
        _ => def.gdl.into(),
    }
}
