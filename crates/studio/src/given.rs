//! Changes of one thing: what its line gives it, whom it is linked to, what it is made from.

use crate::change::{Edits, one_thing, stale, unquoted};
use crate::document::{Reading, Refused};
use crate::held::{self, within};
use crate::layout::Layout;
use crate::text::{Span, TextEdit, apply};
use houserules_model::print::{name as spelled, quoted};
use houserules_model::*;
use std::collections::{BTreeMap, BTreeSet};

/// The line of a thing in this text.
fn line(reading: &Reading, at: Span) -> Result<&Entity, Refused> {
    let found = reading.own.iter().find_map(|item| match &item.kind {
        ItemKind::Entity(entity) if Span::from(item.origin) == at => Some(entity),
        _ => None,
    });
    found.ok_or_else(stale)
}

/// A model and its parents, the nearest first.
pub(crate) fn chain(definition: &Definition, model: &Name) -> Vec<Name> {
    let mut chain = vec![model.clone()];
    while let Some(parent) = definition.items().iter().find_map(|item| match &item.kind {
        ItemKind::Model { name, parent } if Some(name) == chain.last() => parent.clone(),
        _ => None,
    }) {
        if chain.contains(&parent) {
            break;
        }
        chain.push(parent);
    }
    chain
}

/// What a model knows, in the order in which it is told; what is inherited comes last.
fn known(definition: &Definition, model: &Name) -> Vec<Name> {
    let mut known: Vec<Name> = Vec::new();
    for model in chain(definition, model) {
        for item in definition.items() {
            match &item.kind {
                ItemKind::Property(own) if own.of == model && !known.contains(&own.name) => {
                    known.push(own.name.clone());
                }
                _ => {}
            }
        }
    }
    known
}

/// A name that would end the list of values stands between quotes.
fn with_name(name: &str) -> String {
    if ["for", "at"].contains(&name) { quoted(name) } else { spelled(name) }
}

/// Values of a thing; none is what its model says. A new one stands where its model tells of it.
pub(crate) fn give(reading: &Reading, layout: &Layout, at: Span, values: &BTreeMap<String, Option<String>>) -> Edits {
    for value in values.values().flatten() {
        one_thing(value)?;
    }
    let entity = line(reading, at)?;
    let order = known(&reading.definition, &entity.model);
    let rank = |name: &str| order.iter().position(|own| **own == *name).unwrap_or(order.len());
    let name = values.keys().next().cloned().unwrap_or_default();
    let mut fresh: Vec<(&String, &String)> = Vec::new();
    let mut edits = Vec::new();
    let mut gone = 0;
    // Where the name of a value begins.
    let begins = |value: &Expr| {
        let before = layout.tokens(at).filter(|token| token.span.end <= value.origin.start as usize);
        before.last().map(|token| token.span.start).ok_or_else(stale)
    };
    for (property, value) in values {
        match (entity.with.iter().find(|(own, _)| **own == **property), value) {
            (Some((_, old)), Some(value)) => edits.push(TextEdit::new(old.origin.into(), value)),
            (Some((_, old)), None) => {
                gone += 1;
                edits.push(layout.cut_part(Span::new(begins(old)?, old.origin.end as usize)));
            }
            (None, Some(value)) => fresh.push((property, value)),
            (None, None) => {}
        }
    }
    fresh.sort_by_key(|(property, _)| rank(property));
    let said = |(property, value): &(&String, &String)| format!("{} {value}", with_name(property));
    let (Some((_, first)), Some((_, last))) = (entity.with.first(), entity.with.last()) else {
        if !fresh.is_empty() {
            let all: Vec<String> = fresh.iter().map(said).collect();
            edits.push(TextEdit::insert(at.end, format!(" with {}", all.join(" "))));
        }
        return Ok((edits, name));
    };
    if gone == entity.with.len() && fresh.is_empty() {
        let before: Vec<_> = layout.tokens(at).filter(|token| token.span.end <= begins(first).unwrap_or(0)).collect();
        let with = before.last().filter(|token| layout.word(**token) == "with").ok_or_else(stale)?;
        return Ok((vec![layout.cut_part(Span::new(with.span.start, last.origin.end as usize))], name));
    }
    for new in &fresh {
        let before = entity.with.iter().take_while(|(own, _)| rank(own) <= rank(new.0)).last();
        edits.push(match before {
            Some((_, value)) => TextEdit::insert(value.origin.end as usize, format!(" {}", said(new))),
            None => TextEdit::insert(begins(first)?, format!("{} ", said(new))),
        });
    }
    Ok((edits, name))
}

/// What it takes to know the value of a relation of a thing and to change something inside of it.
struct Relation<'r> {
    /// None: it is said nowhere.
    value: Option<&'r Expr>,
    /// Whether the thing's own line says it.
    is_own: bool,
}

fn relation<'r>(reading: &'r Reading, entity: &'r Entity, relation: &str) -> Result<Relation<'r>, Refused> {
    if let Some((_, value)) = entity.with.iter().find(|(own, _)| **own == *relation) {
        return Ok(Relation { value: Some(value), is_own: true });
    }
    for model in chain(&reading.definition, &entity.model) {
        for item in reading.definition.items() {
            match &item.kind {
                ItemKind::Property(own) if own.of == model && *own.name == *relation => {
                    return Ok(Relation { value: own.value.as_ref(), is_own: false });
                }
                _ => {}
            }
        }
    }
    Err(Refused::new("edit/unknown", format!("“{}” knows no “{relation}”.", entity.model)))
}

/// Edits inside a value: in place where the thing's own line says it, else as a value of its own that differs there.
fn inside(
    reading: &Reading,
    layout: &Layout,
    at: Span,
    name: &str,
    found: &Relation,
    edit: impl Fn(&Layout, isize) -> Option<TextEdit>,
) -> Edits {
    if found.is_own {
        return Ok((vec![edit(layout, 0).ok_or_else(stale)?], name.to_owned()));
    }
    let value = found.value.ok_or_else(stale)?;
    let text = reading.sources.text(value.origin).ok_or_else(stale)?.to_owned();
    let edit = edit(&Layout::new(&text), -(value.origin.start as isize)).ok_or_else(stale)?;
    let made = apply(&text, &[edit]).ok_or_else(stale)?;
    give(reading, layout, at, &BTreeMap::from([(name.to_owned(), Some(made))]))
}

fn shifted(span: Span, by: isize) -> Span {
    Span::new(span.start.saturating_add_signed(by), span.end.saturating_add_signed(by))
}

/// Links a thing to another one: an ID is replaced, to a list it is added, in a dictionary it gets a key.
pub(crate) fn link(
    reading: &Reading,
    layout: &Layout,
    at: Span,
    name: &str,
    path: &[String],
    key: Option<&str>,
    to: &str,
) -> Edits {
    if !held::things(&reading.definition).contains(to) {
        return Err(Refused::new("edit/unknown", format!("There is no “{to}”.")));
    }
    let entity = line(reading, at)?;
    let target = format!("(entity {})", quoted(to));
    let found = relation(reading, entity, name)?;
    let there = found.value.and_then(|value| within(value, path));
    let Some(there) = there else {
        return match path.is_empty() {
            true => give(reading, layout, at, &BTreeMap::from([(name.to_owned(), Some(target))])),
            false => Err(stale()),
        };
    };
    let span = Span::from(there.origin);
    let edit = match &there.kind {
        ExprKind::Form(Form::List, _) => TextEdit::insert(span.end - 1, format!(" {target}")),
        ExprKind::Form(Form::Dictionary, slots) => {
            let key = key.map(str::trim).filter(|key| !key.is_empty());
            let key = key.ok_or_else(|| Refused::new("edit/key", "In a dictionary it needs a key."))?;
            let own = |own: &&(Expr, Expr)| matches!(&own.0.kind, ExprKind::Text(text) if **text == *key);
            match slots[0].entries().iter().find(own) {
                Some((_, old)) => TextEdit::new(old.origin.into(), &target),
                None => TextEdit::insert(span.end - 1, format!(" {} {target}", quoted(key))),
            }
        }
        _ => TextEdit::new(span, &target),
    };
    inside(reading, layout, at, name, &found, |_, by| {
        let span = shifted(Span::new(edit.start, edit.end), by);
        Some(TextEdit::new(span, edit.text.clone()))
    })
}

/// Breaks a link: an ID is nothing again, what lies in a list or a dictionary goes.
pub(crate) fn unlink(reading: &Reading, layout: &Layout, at: Span, name: &str, path: &[String]) -> Edits {
    let entity = line(reading, at)?;
    let found = relation(reading, entity, name)?;
    if path.is_empty() {
        let model = chain(&reading.definition, &entity.model);
        let said = reading.definition.items().iter().any(|item| match &item.kind {
            ItemKind::Property(own) => {
                model.contains(&own.of) && *own.name == *name && own.value.as_ref().is_some_and(|value| !is_nil(value))
            }
            _ => false,
        });
        let value = said.then(|| "nil".to_owned());
        return give(reading, layout, at, &BTreeMap::from([(name.to_owned(), value)]));
    }
    let value = found.value.ok_or_else(stale)?;
    let span = held::whole(value, path).ok_or_else(stale)?;
    inside(reading, layout, at, name, &found, |layout, by| Some(layout.cut_part(shifted(span, by))))
}

fn is_nil(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Missing => true,
        ExprKind::Word(word) => **word == *"nil",
        _ => false,
    }
}

/// Another model, or none; then it is a mere thing.
pub(crate) fn made_from(reading: &Reading, layout: &Layout, at: Span, model: Option<&str>) -> Edits {
    let entity = line(reading, at)?;
    let name = entity.name.clone().unwrap_or_else(|| entity.model.clone()).to_string();
    let model = model.unwrap_or(THING);
    if model != THING && reading.definition.get(&Key::Model(model.into())).is_none() {
        return Err(Refused::new("edit/unknown", format!("There is no model “{model}”.")));
    }
    let nth = if entity.name.is_some() { 3 } else { 1 };
    let old = layout.tokens(at).nth(nth).ok_or_else(stale)?;
    Ok((vec![TextEdit::new(old.span, spelled(model))], name))
}

/// A thing goes, and with it all that named it where things are told apart: links to it, its layer, its group. What rules
/// say of it stays, and is wrong then.
pub(crate) fn remove(reading: &Reading, layout: &Layout, at: Span) -> Edits {
    let Some(name) = line(reading, at)?.name.clone() else {
        return Ok((vec![layout.cut(at)], String::new()));
    };
    let things = held::things(&reading.definition);
    let names_it = |expr: &Expr| held::named(expr, Role::Relation, &things).is_some_and(|own| *own == name);
    let mut edits = vec![layout.cut(at)];
    for item in &reading.own {
        let ItemKind::Entity(entity) = &item.kind else { continue };
        let span = Span::from(item.origin);
        if span == at {
            continue;
        }
        let mut values: BTreeMap<String, Option<String>> = BTreeMap::new();
        for (property, value) in &entity.with {
            if names_it(value) {
                values.insert(property.to_string(), None);
            } else {
                inner(value, &names_it, &mut |span| edits.push(layout.cut_part(span)));
            }
        }
        if !values.is_empty() {
            edits.extend(give(reading, layout, span, &values)?.0);
        }
    }
    edits.extend(crate::editor_lines::listed(reading, layout, &BTreeSet::from([&*name]), |_| true));
    Ok((edits, name.to_string()))
}

/// The stretches of what lies inside a value and is wanted.
fn inner(value: &Expr, wanted: &impl Fn(&Expr) -> bool, found: &mut impl FnMut(Span)) {
    match &value.kind {
        ExprKind::Form(Form::List, slots) => {
            for expr in slots[0].exprs() {
                match wanted(expr) {
                    true => found(expr.origin.into()),
                    false => inner(expr, wanted, found),
                }
            }
        }
        ExprKind::Form(Form::Dictionary, slots) => {
            for (key, expr) in slots[0].entries() {
                match wanted(expr) {
                    true => found(Span::new(key.origin.start as usize, expr.origin.end as usize)),
                    false => inner(expr, wanted, found),
                }
            }
        }
        _ => {}
    }
}

/// A state of a model with all it answers.
pub(crate) fn remove_state(reading: &Reading, layout: &Layout, model: &str, state: &str) -> Edits {
    let mut edits = Vec::new();
    for item in &reading.own {
        let span = Span::from(item.origin);
        let own = match &item.kind {
            ItemKind::Behavior(own) => *own.of == *model && *own.state == *state,
            _ => false,
        };
        if !own {
            continue;
        }
        if reading.own.iter().filter(|other| Span::from(other.origin) == span).count() > 1 {
            return Err(Refused::new(
                "edit/shared",
                "Some of its behaviors answer in other states, too. Take them apart in the text first.",
            ));
        }
        edits.push(layout.cut(span));
    }
    for span in crate::change::state_lines(reading, layout, model) {
        let names: Vec<String> = layout.tokens(span).skip(1).map(|token| unquoted(layout.word(token))).collect();
        if names == [state] {
            edits.push(layout.cut(span));
        }
    }
    let first = reading.own.iter().find(|item| match &item.kind {
        ItemKind::Property(own) => {
            *own.of == *model
                && *own.name == *STATE_PROPERTY
                && own.value.as_ref().is_some_and(|value| unquoted(reading.at(value.origin.into())) == state)
        }
        _ => false,
    });
    edits.extend(first.map(|item| layout.cut(item.origin.into())));
    if edits.is_empty() {
        return Err(Refused::new("edit/unknown", format!("“{model}” has no state “{state}” in this text.")));
    }
    edits.sort_by_key(|edit| (edit.start, edit.end));
    Ok((crate::change::apart(edits), state.to_owned()))
}
