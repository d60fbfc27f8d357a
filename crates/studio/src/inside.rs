//! What stands inside of variants and views: directives that are no items of the definition itself.

use crate::blocks;
use crate::document::Reading;
use crate::layout::Layout;
use crate::text::Span;
use houserules_gdl::{SyntaxKind, parse};
use houserules_model::{Behavior, Expr, FileId, Item, ItemKind, View};

/// Every item of the text, those in variants after theirs.
pub(crate) fn items(reading: &Reading) -> impl Iterator<Item = &Item> {
    reading.own.iter().flat_map(|item| std::iter::once(item).chain(changes(item)))
}

/// What a variant changes.
pub(crate) fn changes(item: &Item) -> &[Item] {
    match &item.kind {
        ItemKind::Variant(own) => &own.changes,
        _ => &[],
    }
}

/// A directive that belongs to a view.
pub(crate) struct Part<'a> {
    pub at: Span,
    /// `property`, `state` or `behavior`.
    pub what: &'static str,
    pub name: String,
    /// Of a behavior its state.
    pub state: Option<&'a str>,
    pub body: &'a [Expr],
}

/// The directives of a view, in the order in which they stand.
pub(crate) fn parts<'a>(layout: &Layout, text: &str, view: &'a View, at: Span) -> Vec<Part<'a>> {
    let mut behaviors = view.behaviors.iter();
    let mut parts = Vec::new();
    let root = parse(FileId(0), text).root();
    let sections = root.children().filter(|node| node.kind() == SyntaxKind::Section);
    for section in sections.skip_while(|node| usize::from(node.text_range().start()) <= at.start) {
        let wide = Span::new(section.text_range().start().into(), section.text_range().end().into());
        let tokens: Vec<_> = layout.tokens(wide).collect();
        let (Some(head), Some(last)) = (tokens.first(), tokens.last()) else { break };
        let what = match layout.word(*head) {
            "#property" | "#relation" | "#appearance" => "property",
            "#state" => "state",
            "#onMessage" => "behavior",
            _ => break,
        };
        let at = Span::new(head.span.start, last.span.end);
        let name = tokens.get(1).map(|token| crate::change::unquoted(layout.word(*token))).unwrap_or_default();
        // One that answers in several states is there once for each of them.
        let own: Option<&Behavior> = (what == "behavior")
            .then(|| {
                behaviors.find(|own| *own.label == *name && own.body.iter().all(|one| at.holds(one.origin.into())))
            })
            .flatten();
        let (body, state) = (own.map_or(&[][..], |own| &own.body), own.map(|own| &*own.state));
        parts.push(Part { at, what, name, state, body });
    }
    parts
}

/// Each view of the text with what belongs to it.
pub(crate) fn views<'a>(reading: &'a Reading, layout: &Layout) -> Vec<(&'a Item, &'a View, Vec<Part<'a>>)> {
    let views = items(reading).filter_map(|item| match &item.kind {
        ItemKind::View(view) => Some((item, view)),
        _ => None,
    });
    views.map(|(item, view)| (item, view, parts(layout, &reading.text, view, item.origin.into()))).collect()
}

/// The statements of the directive that stands exactly there, where it has a body.
pub(crate) fn body_at<'a>(reading: &'a Reading, layout: &Layout, at: Span) -> Option<&'a [Expr]> {
    let own = items(reading).find(|item| Span::from(item.origin) == at);
    if let Some(body) = own.and_then(|item| blocks::body(&item.kind)) {
        return Some(body);
    }
    let mut parts = views(reading, layout).into_iter().flat_map(|(_, _, parts)| parts);
    parts.find(|part| part.at == at && part.what == "behavior").map(|part| part.body)
}

/// An item with everything that belongs to it.
pub(crate) fn whole(reading: &Reading, layout: &Layout, item: &Item) -> Span {
    let own = Span::from(item.origin);
    let last = match &item.kind {
        ItemKind::Variant(_) => changes(item).iter().map(|change| whole(reading, layout, change).end).max(),
        ItemKind::View(view) => parts(layout, &reading.text, view, own).last().map(|part| part.at.end),
        _ => None,
    };
    Span::new(own.start, last.unwrap_or(own.end).max(own.end))
}
