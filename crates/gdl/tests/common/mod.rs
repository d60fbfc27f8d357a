//! What all the tests of the language use.
#![allow(dead_code)]

use houserules_gdl::{Loaded, read_text, render};
use houserules_model::examples::DEMO;
use houserules_model::{Definition, Expr, ExprKind, Item, ItemKind};

pub const MARKET: &str = include_str!("../games/market.gdl");

/// Definitions that must survive everything that is done to them here.
pub fn definitions() -> Vec<&'static str> {
    vec![MARKET, DEMO]
}

pub fn read(text: &str) -> Loaded {
    read_text("toy.gdl", text)
}

/// The definition of a text without faults.
pub fn sound(text: &str) -> Definition {
    let loaded = read(text);
    assert!(loaded.diagnostics.is_empty(), "{}\n{text}", messages(text));
    loaded.definition
}

/// All messages of a text, as an author sees them.
pub fn messages(text: &str) -> String {
    let loaded = read(text);
    loaded.diagnostics.iter().map(|own| render(own, &loaded.sources, false)).collect::<Vec<_>>().join("\n")
}

/// The source and its messages together, for snapshots.
pub fn with_messages(text: &str) -> String {
    format!("{text}\n────────\n{}", messages(text))
}

pub fn codes(text: &str) -> Vec<&'static str> {
    read(text).diagnostics.iter().map(|own| own.code).collect()
}

/// An expression, read as a define.
pub fn expr(text: &str) -> Expr {
    let definition = sound(&format!("#define shown (list {text})"));
    let Some(Item { kind: ItemKind::Define(define), .. }) = definition.items().first() else {
        panic!("no define: {text}")
    };
    match &define.body[0].kind {
        ExprKind::Form(_, slots) => slots[0].exprs()[0].clone(),
        other => panic!("{other:?}"),
    }
}
