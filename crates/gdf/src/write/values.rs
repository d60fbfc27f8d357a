//! Values to tags.

use std::collections::HashSet;

use houserules_model::{Expr, ExprKind, Form, Number, Slot};

use super::out::{Out, tag, text};
use crate::read::values::{Type, number};

/// The tag of a value that is known beforehand; none where it is computed, or no tag holds it exactly.
pub(crate) fn value(expr: &Expr) -> Option<(Type, Out)> {
    match &expr.kind {
        ExprKind::Number(known) => {
            let written = known.to_string();
            (number(&written) == Some(*known)).then(|| (Type::Number, text("number", &written)))
        }
        ExprKind::Text(said) => Some((Type::Text, text("string", said))),
        ExprKind::Word(word) if &**word == "nil" => Some((Type::Entity, tag("id", Vec::new()))),
        ExprKind::Form(Form::Entity, slots) => match slots.as_slice() {
            [Slot::Expr(name)] => match &name.kind {
                ExprKind::Text(name) if !name.is_empty() && name.trim() == &**name => {
                    Some((Type::Entity, text("id", name)))
                }
                _ => None,
            },
            _ => None,
        },
        ExprKind::Form(Form::List, slots) => {
            let members = slots[0].exprs().iter().map(|member| Some(value(member)?.1));
            Some((Type::List, tag("list", members.collect::<Option<_>>()?)))
        }
        ExprKind::Form(Form::Dictionary, slots) => {
            let mut known = HashSet::new();
            let entries = slots[0].entries().iter().map(|(key, member)| match &key.kind {
                ExprKind::Text(key) if known.insert(key.clone()) => Some(value(member)?.1.with("key", &**key)),
                _ => None,
            });
            Some((Type::Dictionary, tag("dictionary", entries.collect::<Option<_>>()?)))
        }
        _ => None,
    }
}

/// A value where it has to be of one type, or hold entities only. What does not fit is said in the definition language,
/// with something beside it for those who do not read that.
pub(crate) fn held(expr: &Expr, wanted: Option<Type>, links: bool) -> Out {
    let computed = expr.to_string();
    match value(expr) {
        Some((found, out)) if wanted.is_none_or(|wanted| wanted == found) && (!links || holds_links(expr)) => out,
        Some((_, out)) => out.with("hr:expr", computed),
        None if links => tag("id", Vec::new()).with("hr:expr", computed),
        None => text("number", "0").with("hr:expr", computed),
    }
}

fn holds_links(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Form(Form::List, slots) => slots[0].exprs().iter().all(holds_links),
        ExprKind::Form(Form::Dictionary, slots) => slots[0].entries().iter().all(|(_, member)| holds_links(member)),
        ExprKind::Number(Number::Whole(_) | Number::Decimal(_)) | ExprKind::Text(_) => false,
        _ => true,
    }
}
