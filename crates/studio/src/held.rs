//! A value as it is shown: what it is, and what lies in it.

use crate::text::Span;
use houserules_model::*;
use serde::Serialize;
use std::collections::HashSet;

/// A value with everything inside of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Held {
    pub kind: ValueKind,
    /// Of an ID the name, of a text what stands between its quotes, else what is written.
    pub text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Lying>,
}

/// What lies in a list or a dictionary.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Lying {
    /// None in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub held: Held,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
    Nothing,
    Number,
    Text,
    Id,
    List,
    Dictionary,
    Computed,
}

/// The names of all things, which tell a text that names one from any other.
pub(crate) fn things(definition: &Definition) -> HashSet<Name> {
    let mut names = HashSet::new();
    for item in definition.items() {
        match &item.kind {
            ItemKind::Entity(own) => names.extend(own.name.clone()),
            ItemKind::Players(own) => names.extend(own.names.iter().map(|player| player.name.clone())),
            _ => {}
        }
    }
    names
}

/// The thing that a value names.
pub(crate) fn named<'e>(expr: &'e Expr, role: Role, things: &HashSet<Name>) -> Option<&'e Name> {
    match &expr.kind {
        ExprKind::Text(name) if role == Role::Relation && things.contains(name) => Some(name),
        ExprKind::Word(name) if things.contains(name) => Some(name),
        ExprKind::Form(Form::Entity, slots) => match slots.as_slice() {
            [Slot::Expr(name)] => match &name.kind {
                ExprKind::Text(name) => Some(name),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

impl Held {
    /// `said` gives what is written for an expression.
    pub(crate) fn of(expr: Option<&Expr>, role: Role, things: &HashSet<Name>, said: &impl Fn(&Expr) -> String) -> Held {
        let held = |kind, text| Held { kind, text, entries: Vec::new() };
        let nothing = if role == Role::Relation { ValueKind::Id } else { ValueKind::Nothing };
        let Some(expr) = expr else { return held(nothing, String::new()) };
        if let Some(name) = named(expr, role, things) {
            return held(ValueKind::Id, name.to_string());
        }
        let inside = |key: Option<String>, expr: &Expr| Lying { key, held: Held::of(Some(expr), role, things, said) };
        match &expr.kind {
            ExprKind::Missing => held(nothing, String::new()),
            ExprKind::Word(word) if &**word == "nil" => held(nothing, String::new()),
            ExprKind::Number(_) => held(ValueKind::Number, said(expr)),
            ExprKind::Text(text) => held(ValueKind::Text, text.to_string()),
            ExprKind::Form(Form::List, slots) => {
                let entries = slots[0].exprs().iter().map(|expr| inside(None, expr)).collect();
                Held { kind: ValueKind::List, text: said(expr), entries }
            }
            ExprKind::Form(Form::Dictionary, slots) => {
                let key = |key: &Expr| match &key.kind {
                    ExprKind::Text(text) => text.to_string(),
                    _ => said(key),
                };
                let entries = slots[0].entries().iter().map(|(own, expr)| inside(Some(key(own)), expr)).collect();
                Held { kind: ValueKind::Dictionary, text: said(expr), entries }
            }
            _ => held(ValueKind::Computed, said(expr)),
        }
    }
}

/// What lies at a path inside of a value: the number of a member, or the key of an entry, and so on.
pub(crate) fn within<'e>(expr: &'e Expr, path: &[String]) -> Option<&'e Expr> {
    let Some((step, rest)) = path.split_first() else { return Some(expr) };
    match &expr.kind {
        ExprKind::Form(Form::List, slots) => within(slots[0].exprs().get(step.parse::<usize>().ok()?)?, rest),
        ExprKind::Form(Form::Dictionary, slots) => {
            let own = |key: &Expr| matches!(&key.kind, ExprKind::Text(text) if **text == **step);
            within(&slots[0].entries().iter().find(|(key, _)| own(key))?.1, rest)
        }
        _ => None,
    }
}

/// The stretch of what goes when the last step of a path goes: of an entry, its key as well.
pub(crate) fn whole(expr: &Expr, path: &[String]) -> Option<Span> {
    let (step, before) = path.split_last()?;
    let value = within(expr, path)?;
    let start = match &within(expr, before)?.kind {
        ExprKind::Form(Form::Dictionary, slots) => {
            let own = |key: &Expr| matches!(&key.kind, ExprKind::Text(text) if **text == **step);
            slots[0].entries().iter().find(|(key, _)| own(key))?.0.origin.start
        }
        _ => value.origin.start,
    };
    Some(Span::new(start as usize, value.origin.end as usize))
}
