//! Changes of what only an editor draws with: layers, slots, who lies on which layer, groups, the size of the workspace.

use crate::change::{Edits, stale, unquoted};
use crate::document::{Reading, Refused};
use crate::layout::Layout;
use crate::place;
use crate::text::{Span, TextEdit};
use houserules_model::print::{name as spelled, quoted};
use houserules_model::*;
use std::collections::BTreeSet;

fn line<'r>(reading: &'r Reading, key: &EditorKey) -> Option<(&'r Editor, Span)> {
    reading.own.iter().find_map(|item| match &item.kind {
        ItemKind::Editor(own) if own.key() == *key => Some((own, item.origin.into())),
        _ => None,
    })
}

fn text(line: Editor) -> String {
    Item::new(ItemKind::Editor(line), Origin::NONE).to_string().trim_end().to_owned()
}

/// A new line stands after the last one that is like it, else after the last line of an editor.
fn put(reading: &Reading, like: impl Fn(&Editor) -> bool, text: &str) -> TextEdit {
    let alike = |kind: &ItemKind| matches!(kind, ItemKind::Editor(own) if like(own));
    match reading.own.iter().any(|item| alike(&item.kind)) {
        true => place::top(reading, alike, text),
        false => place::top(reading, |kind| matches!(kind, ItemKind::Editor(_)), text),
    }
}

fn named(name: &str) -> Result<&str, Refused> {
    let name = name.trim();
    match name.is_empty() || name.chars().any(char::is_control) {
        true => Err(Refused::new("edit/name", "It needs a name.")),
        false => Ok(name),
    }
}

fn is_layer(reading: &Reading, name: &str) -> Result<(), Refused> {
    match reading.definition.get(&Key::Editor(EditorKey::Layer(name.into()))) {
        Some(_) => Ok(()),
        None => Err(Refused::new("edit/unknown", format!("There is no layer “{name}”."))),
    }
}

pub(crate) fn add_layer(reading: &Reading, name: &str) -> Edits {
    let name = named(name)?;
    if is_layer(reading, name).is_ok() {
        return Err(Refused::new("edit/taken", format!("“{name}” is there already.")));
    }
    let new = Editor::Layer { name: name.into(), visible: true, protected: false };
    Ok((vec![put(reading, |own| matches!(own, Editor::Layer { .. }), &text(new))], name.to_owned()))
}

pub(crate) fn layer(reading: &Reading, name: &str, visible: Option<bool>, protected: Option<bool>) -> Edits {
    let Some((Editor::Layer { visible: seen, protected: kept, .. }, at)) =
        line(reading, &EditorKey::Layer(name.into()))
    else {
        is_layer(reading, name)?;
        return Err(Refused::new("edit/inherited", "It is made in the game that this one builds on."));
    };
    let (visible, protected) = (visible.unwrap_or(*seen), protected.unwrap_or(*kept));
    let new = Editor::Layer { name: name.into(), visible, protected };
    Ok((vec![TextEdit::new(at, text(new))], name.to_owned()))
}

/// What lay on the layer lies on none.
pub(crate) fn remove_layer(reading: &Reading, layout: &Layout, name: &str) -> Edits {
    let (_, at) = line(reading, &EditorKey::Layer(name.into())).ok_or_else(stale)?;
    let mut edits = vec![layout.cut(at)];
    let mut known = BTreeSet::new();
    for item in &reading.own {
        let ItemKind::Editor(own) = &item.kind else { continue };
        let span = Span::from(item.origin);
        match own {
            Editor::Slot { relation, of, lane, layer: Some(layer) } if **layer == *name => edits.push(match lane {
                None => layout.cut(span),
                Some(_) => {
                    let new = Editor::Slot { relation: relation.clone(), of: of.clone(), lane: *lane, layer: None };
                    TextEdit::new(span, text(new))
                }
            }),
            Editor::Put { layer, .. } if **layer == *name && known.insert(span) => edits.push(layout.cut(span)),
            _ => {}
        }
    }
    edits.sort_by_key(|edit| (edit.start, edit.end));
    Ok((crate::change::apart(edits), name.to_owned()))
}

/// At which edge the slot of a relation is drawn, and on which layer; an empty name is none, and what is not told stays.
pub(crate) fn slot(
    reading: &Reading,
    layout: &Layout,
    relation: &str,
    of: &str,
    lane: Option<&str>,
    layer: Option<&str>,
) -> Edits {
    let old = line(reading, &EditorKey::Slot(relation.into(), of.into()));
    let (mut at_edge, mut on) = match old {
        Some((Editor::Slot { lane, layer, .. }, _)) => (*lane, layer.clone()),
        _ => (None, None),
    };
    if let Some(lane) = lane {
        let known = Lane::ALL.into_iter().find(|known| known.word() == lane);
        at_edge = Some(known.ok_or_else(|| Refused::new("edit/lane", "A slot is at the top, left, right or bottom."))?);
    }
    if let Some(layer) = layer {
        if !layer.is_empty() {
            is_layer(reading, layer)?;
        }
        on = (!layer.is_empty()).then(|| layer.into());
    }
    let name = relation.to_owned();
    let empty = at_edge.is_none() && on.is_none();
    let new = Editor::Slot { relation: relation.into(), of: of.into(), lane: at_edge, layer: on };
    let edits = match old {
        Some((_, at)) if empty => vec![layout.cut(at)],
        Some((_, at)) => vec![TextEdit::new(at, text(new))],
        None if empty => Vec::new(),
        None => vec![put(reading, |own| matches!(own, Editor::Slot { .. }), &text(new))],
    };
    Ok((edits, name))
}

/// Puts things on a layer; none: on no layer, always visible.
pub(crate) fn on_layer(reading: &Reading, layout: &Layout, entities: &[String], to: Option<&str>) -> Edits {
    if let Some(to) = to {
        is_layer(reading, to)?;
    }
    let on = |item: &Item| match &item.kind {
        ItemKind::Editor(Editor::Put { layer, entity }) => Some((layer.to_string(), entity.to_string())),
        _ => None,
    };
    let there: BTreeSet<String> =
        reading.own.iter().filter_map(on).filter(|(layer, _)| Some(&**layer) == to).map(|(_, entity)| entity).collect();
    let moving: BTreeSet<&str> =
        entities.iter().map(String::as_str).filter(|entity| !there.contains(*entity)).collect();
    let mut edits = listed(reading, layout, &moving, |own| matches!(own, Editor::Put { .. }));
    if let (Some(to), false) = (to, moving.is_empty()) {
        let names: Vec<String> = entities.iter().filter(|entity| moving.contains(entity.as_str())).cloned().collect();
        let last = reading.own.iter().rfind(|item| on(item).is_some_and(|(layer, _)| layer == to));
        edits.push(match last {
            Some(last) => {
                let tokens: Vec<_> = layout.tokens(last.origin.into()).collect();
                let nth = tokens.iter().position(|token| layout.word(*token) == "on").ok_or_else(stale)?;
                TextEdit::insert(tokens[nth - 1].span.end, format!(" {}", all(&names)))
            }
            None => {
                let text = format!("#editor put {} on {}", all(&names), spelled(to));
                put(reading, |own| matches!(own, Editor::Put { .. }), &text)
            }
        });
    }
    Ok((edits, entities.first().cloned().unwrap_or_default()))
}

/// Lists things together, and nowhere else; none: in no group. A group that is not there is made.
pub(crate) fn group(reading: &Reading, layout: &Layout, entities: &[String], to: Option<&str>) -> Edits {
    let old = to.and_then(|to| line(reading, &EditorKey::Group(to.into())));
    let there = |entity: &str| match old {
        Some((Editor::Group { entities, .. }, _)) => entities.iter().any(|own| **own == *entity),
        _ => false,
    };
    let moving: BTreeSet<&str> = entities.iter().map(String::as_str).filter(|entity| !there(entity)).collect();
    let mut edits = listed(reading, layout, &moving, |own| matches!(own, Editor::Group { .. }));
    let Some(to) = to else { return Ok((edits, entities.first().cloned().unwrap_or_default())) };
    let to = named(to)?;
    let names: Vec<String> = entities.iter().filter(|entity| moving.contains(entity.as_str())).cloned().collect();
    match old {
        Some((_, at)) if !names.is_empty() => edits.push(TextEdit::insert(at.end, format!(" {}", all(&names)))),
        Some(_) => {}
        None => {
            let entities = names.iter().map(|name| name.as_str().into()).collect();
            let new = Editor::Group { name: to.into(), entities };
            edits.push(put(reading, |own| matches!(own, Editor::Group { .. }), &text(new)));
        }
    }
    Ok((edits, to.to_owned()))
}

pub(crate) fn size(reading: &Reading, width: u32, height: u32) -> Edits {
    let fits = |n: u32| (1..=Editor::LARGEST).contains(&n);
    if !fits(width) || !fits(height) {
        let words = format!("A workspace is 1 to {} wide and high.", Editor::LARGEST);
        return Err(Refused::new("edit/size", words));
    }
    let new = Editor::Workspace { width, height };
    let edit = match line(reading, &EditorKey::Workspace) {
        Some((_, at)) => TextEdit::new(at, text(new)),
        None => put(reading, |own| matches!(own, Editor::Workspace { .. }), &text(new)),
    };
    Ok((vec![edit], format!("{width} × {height}")))
}

/// Takes things out of the lines that list them. A line of a layer that lists nobody any more goes.
pub(crate) fn listed(
    reading: &Reading,
    layout: &Layout,
    entities: &BTreeSet<&str>,
    of: impl Fn(&Editor) -> bool,
) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let mut known = BTreeSet::new();
    for item in &reading.own {
        let ItemKind::Editor(own) = &item.kind else { continue };
        let span = Span::from(item.origin);
        if !of(own) || !known.insert(span) {
            continue;
        }
        let tokens: Vec<_> = layout.tokens(span).collect();
        let (from, to, may_be_empty) = match own {
            Editor::Put { .. } => {
                let on = tokens.iter().position(|token| layout.word(*token) == "on").unwrap_or(tokens.len());
                (2, on, false)
            }
            Editor::Group { .. } => (3, tokens.len(), true),
            _ => continue,
        };
        let members = tokens.get(from..to).unwrap_or_default();
        let going: Vec<_> =
            members.iter().filter(|token| entities.contains(&*unquoted(layout.word(**token)))).collect();
        if going.is_empty() {
            continue;
        }
        if going.len() == members.len() && !may_be_empty {
            edits.push(layout.cut(span));
        } else {
            edits.extend(going.iter().map(|token| layout.cut_part(token.span)));
        }
    }
    edits
}

fn all(names: &[String]) -> String {
    let said = |name: &String| if name == "on" { quoted(name) } else { spelled(name) };
    names.iter().map(said).collect::<Vec<_>>().join(" ")
}

/// By which appearance the things of a model are drawn.
pub(crate) fn look(reading: &Reading, model: &str, attribute: &str, property: &str) -> Edits {
    if !["x", "y", "image", "layer"].contains(&attribute) {
        return Err(Refused::new("edit/unknown", format!("Nothing is drawn by “{attribute}”.")));
    }
    let value = format!("(property {})", quoted(named(property)?));
    let own = reading.own.iter().find_map(|item| match &item.kind {
        ItemKind::Look { of, attribute: own, value } if **of == *model && **own == *attribute => Some(value),
        _ => None,
    });
    let edit = match own {
        Some(old) => TextEdit::new(old.origin.into(), value),
        None => place::part(
            reading,
            model,
            |kind| matches!(kind, ItemKind::Look { .. }),
            &format!("#look {attribute} {value}"),
        ),
    };
    Ok((vec![edit], model.to_owned()))
}
