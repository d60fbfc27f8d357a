//! Where a new directive goes: a part of a model after the last of its kind there, everything before the first variant,
//! for a variant takes what follows it.

use crate::document::Reading;
use crate::layout::Layout;
use crate::text::{Span, TextEdit};
use houserules_model::{Behavior, Item, ItemKind};

/// The model an item is a part of.
pub(crate) fn owner(kind: &ItemKind) -> Option<&str> {
    match kind {
        ItemKind::Property(own) => Some(&own.of),
        ItemKind::Behavior(own) => Some(&own.of),
        ItemKind::Define(own) => own.of.as_deref(),
        ItemKind::State { of, .. }
        | ItemKind::Contents { of, .. }
        | ItemKind::Capacity { of, .. }
        | ItemKind::Supply { of, .. }
        | ItemKind::Symbol { of, .. }
        | ItemKind::Look { of, .. } => Some(of),
        _ => None,
    }
}

/// Puts a part into a model; one that is not opened anywhere is opened at the end.
pub(crate) fn part(reading: &Reading, model: &str, like: impl Fn(&ItemKind) -> bool, text: &str) -> TextEdit {
    let layout = Layout::new(&reading.text);
    let opens = |item: &&Item| matches!(&item.kind, ItemKind::Model { name, .. } if **name == *model);
    let parts = || reading.own.iter().filter(|item| owner(&item.kind) == Some(model));
    let alike = parts().rfind(|item| like(&item.kind));
    let head = reading.own.iter().find(opens);
    match alike.or_else(|| parts().next_back()) {
        // Of the game a property stands anywhere, and what follows it there need not be a part.
        Some(last) if model != "game" || alike.is_some() => {
            below(&layout, last.origin.into(), layout.column(last.origin.start as usize), text)
        }
        _ => match head {
            Some(head) => {
                let span: Span = head.origin.into();
                below(&layout, span, layout.column(span.start) + 2, text)
            }
            None => top(reading, |_| false, &format!("#model {}\n  {text}", houserules_model::print::name(model))),
        },
    }
}

/// Puts a part before all others of its model.
pub(crate) fn first_part(reading: &Reading, model: &str, text: &str) -> TextEdit {
    let layout = Layout::new(&reading.text);
    let head = reading.own.iter().find(|item| matches!(&item.kind, ItemKind::Model { name, .. } if **name == *model));
    match head.map(|head| Span::from(head.origin)) {
        Some(span) => below(&layout, span, layout.column(span.start) + 2, text),
        None => part(reading, model, |_| true, text),
    }
}

/// Puts a behavior into a state of a model.
pub(crate) fn behavior(reading: &Reading, model: &str, state: &str, text: &str) -> TextEdit {
    let layout = Layout::new(&reading.text);
    let here = |item: &&Item| matches!(&item.kind, ItemKind::Behavior(Behavior { of, state: own, .. }) if **of == *model && **own == *state);
    // A section that answers in several states would let the new one answer in all of them.
    let alone = |item: &&Item| {
        let span = item.origin.start;
        reading.own.iter().filter(|other| other.origin.start == span).count() == 1
    };
    if let Some(last) = reading.own.iter().filter(here).rfind(alone) {
        return below(&layout, last.origin.into(), layout.column(last.origin.start as usize), text);
    }
    let empty = |item: &&Item| matches!(&item.kind, ItemKind::State { of, name } if **of == *model && **name == *state);
    if let Some(state) = reading.own.iter().filter(empty).find(alone) {
        return below(&layout, state.origin.into(), layout.column(state.origin.start as usize) + 2, text);
    }
    let states = |kind: &ItemKind| matches!(kind, ItemKind::Behavior(_) | ItemKind::State { .. });
    let any = reading.own.iter().any(|item| owner(&item.kind) == Some(model) && states(&item.kind));
    if state == "default" && !any {
        return part(reading, model, |_| true, text);
    }
    let text = format!("#state {}\n  {}", houserules_model::print::name(state), text.replace('\n', "\n  "));
    // At the end of the model: what stands there is indented like its parts.
    part_at_end(reading, model, &text)
}

fn part_at_end(reading: &Reading, model: &str, text: &str) -> TextEdit {
    let layout = Layout::new(&reading.text);
    let last = reading.own.iter().filter(|item| owner(&item.kind) == Some(model)).max_by_key(|item| item.origin.end);
    let head = reading.own.iter().find(|item| matches!(&item.kind, ItemKind::Model { name, .. } if **name == *model));
    match (last, head) {
        (Some(last), Some(head)) => {
            below(&layout, last.origin.into(), layout.column(head.origin.start as usize) + 2, text)
        }
        _ => part(reading, model, |_| true, text),
    }
}

/// Puts a directive of the game after the last one that is like it, else before the variants.
pub(crate) fn top(reading: &Reading, like: impl Fn(&ItemKind) -> bool, text: &str) -> TextEdit {
    let layout = Layout::new(&reading.text);
    if let Some(last) = reading.own.iter().rfind(|item| like(&item.kind)) {
        return below(&layout, last.origin.into(), layout.column(last.origin.start as usize), text);
    }
    let first = reading.own.iter().find(|item| matches!(item.kind, ItemKind::Variant(_)));
    match first {
        Some(variant) => {
            let at = layout.with_comments(variant.origin.into()).start;
            TextEdit::insert(at, format!("{text}\n\n"))
        }
        None => end(reading, text),
    }
}

/// After the last thing of its model, else after the last thing, else after the last model: things stand together.
pub(crate) fn entity(reading: &Reading, model: &str, text: &str) -> TextEdit {
    let is = |item: &&Item, of: Option<&str>| match &item.kind {
        ItemKind::Entity(own) => of.is_none_or(|of| *own.model == *of),
        _ => false,
    };
    let things = || reading.own.iter();
    let last = things().rfind(|item| is(item, Some(model))).or_else(|| things().rfind(|item| is(item, None)));
    if let Some(last) = last {
        let layout = Layout::new(&reading.text);
        return below(&layout, last.origin.into(), layout.column(last.origin.start as usize), text);
    }
    let model = reading.own.iter().rev().find_map(|item| match &item.kind {
        ItemKind::Model { name, .. } => Some(name),
        _ => None,
    });
    match model {
        Some(last) => {
            let TextEdit { start, text: put, .. } = after_model(reading, last, text);
            TextEdit::insert(start, format!("\n{put}"))
        }
        None => top(reading, |_| false, text),
    }
}

/// After a model and all its parts, where something of the same kind would stand.
pub(crate) fn after_model(reading: &Reading, model: &str, text: &str) -> TextEdit {
    let parts = |item: &&Item| {
        owner(&item.kind) == Some(model)
            || matches!(&item.kind, ItemKind::Model { name, .. } if **name == *model)
            || matches!(&item.kind, ItemKind::Entity(entity) if *entity.model == *model)
    };
    match reading.own.iter().filter(parts).max_by_key(|item| item.origin.end) {
        Some(last) => {
            let layout = Layout::new(&reading.text);
            let wide = layout.with_comments(last.origin.into());
            TextEdit::insert(wide.end, format!("\n{text}"))
        }
        None => top(reading, |kind| matches!(kind, ItemKind::Entity(_)), text),
    }
}

/// At the end of the text.
pub(crate) fn end(reading: &Reading, text: &str) -> TextEdit {
    let end = reading.text.trim_end().len();
    let space = if end == 0 { "" } else { "\n\n" };
    TextEdit::new(Span::new(end, reading.text.len()), format!("{space}{text}\n"))
}

/// After the last view and all that belongs to it, else where other directives go.
pub(crate) fn view(reading: &Reading, text: &str) -> TextEdit {
    let layout = Layout::new(&reading.text);
    match reading.own.iter().rfind(|item| matches!(item.kind, ItemKind::View(_))) {
        Some(last) => {
            let whole = crate::inside::whole(reading, &layout, last);
            let wide = layout.with_comments(whole);
            TextEdit::insert(wide.end, format!("\n\n{text}"))
        }
        None => top(reading, |_| false, text),
    }
}

/// On lines of its own after something, indented so far.
pub(crate) fn below(layout: &Layout, span: Span, column: usize, text: &str) -> TextEdit {
    let wide = layout.with_comments(span);
    let space = " ".repeat(column);
    let lines: Vec<&str> = text.lines().collect();
    TextEdit::insert(wide.end, lines.iter().map(|line| format!("\n{space}{line}")).collect::<String>())
}
