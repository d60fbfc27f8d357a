//! What can be done to a document, and the edits of the text that do it.

use crate::add::New;
use crate::blocks::{self, Found};
use crate::document::{Reading, Refused};
use crate::layout::Layout;
use crate::place;
use crate::text::{Span, TextEdit};
use crate::{editor_lines, given, inside};
use crate::{refactor, rename};
use houserules_gdl::{SyntaxKind, format};
use houserules_model::print::{name as spelled, quoted};
use houserules_model::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A change, as a value. Places are bytes of the text as it stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Change {
    /// The text as it was typed.
    Type {
        text: String,
        /// Whether it goes on with what was typed before.
        #[serde(default)]
        joins: bool,
    },
    /// Other words in the place of a statement, a value or a name.
    Replace {
        at: Span,
        with: String,
    },
    /// A statement, or a directive, goes with the comments that belong to it.
    Remove {
        at: Span,
    },
    /// A statement or a directive beside another one.
    Insert {
        at: Span,
        side: Side,
        text: String,
    },
    /// Something more in a part of a form or of a directive's body.
    Fill {
        at: Span,
        slot: usize,
        text: String,
    },
    /// A part that may be left out is left out.
    Clear {
        at: Span,
        slot: usize,
    },
    Move {
        at: Span,
        to: Span,
        side: Side,
    },
    /// Puts a statement into another one, in the place of its first `()`.
    Wrap {
        at: Span,
        with: String,
    },
    Add {
        what: What,
        name: String,
        /// The model it belongs to, or is made from; of a rule and an action, whom the message goes to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<String>,
        /// The value of a property; of a rule, the message it stands on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
        /// The variant or the view it becomes a part of, by where that is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<Span>,
    },
    /// A model with all that belongs to it. Its children and named entities stay, without it.
    RemoveModel {
        model: String,
    },
    /// The parent of a model; none: it has none.
    Parent {
        model: String,
        parent: Option<String>,
    },
    /// The first value of a model's property; none: the one it inherits, or nil.
    Value {
        of: String,
        property: String,
        value: Option<String>,
    },
    /// What an entity line gives a property; none: what its model says.
    With {
        at: Span,
        property: String,
        value: Option<String>,
    },
    /// Several of these at once.
    Give {
        at: Span,
        values: BTreeMap<String, Option<String>>,
    },
    /// Links a thing to another one by a relation, or by what lies at a path inside its value.
    Link {
        at: Span,
        relation: String,
        #[serde(default)]
        path: Vec<String>,
        /// Of a link that goes into a dictionary.
        #[serde(default)]
        key: Option<String>,
        to: String,
    },
    Unlink {
        at: Span,
        relation: String,
        #[serde(default)]
        path: Vec<String>,
    },
    /// The model a thing is made from; none: it is a mere thing.
    MadeFrom {
        at: Span,
        model: Option<String>,
    },
    /// A thing, and with it the links to it, its place on a layer and in a group.
    RemoveEntity {
        at: Span,
    },
    /// A state of a model, with what it answers.
    RemoveState {
        model: String,
        state: String,
    },
    /// By which appearance things of a model are drawn.
    Look {
        model: String,
        attribute: String,
        property: String,
    },
    /// What is not told of a layer stays.
    Layer {
        name: String,
        #[serde(default)]
        visible: Option<bool>,
        #[serde(default)]
        protected: Option<bool>,
    },
    RemoveLayer {
        name: String,
    },
    /// Where the slot of a relation is drawn. An empty layer is none.
    Slot {
        relation: String,
        of: String,
        #[serde(default)]
        lane: Option<String>,
        #[serde(default)]
        layer: Option<String>,
    },
    /// On which layer things lie; none: on no layer.
    OnLayer {
        entities: Vec<String>,
        layer: Option<String>,
    },
    /// Which things are listed together; none: in no group.
    Group {
        entities: Vec<String>,
        group: Option<String>,
    },
    /// How large the workspace is.
    Size {
        width: u32,
        height: u32,
    },
    /// How far a rule is in force.
    Mode {
        rule: String,
        mode: String,
    },
    /// Another name for what is meant at a place, everywhere.
    Rename {
        at: usize,
        to: String,
    },
    /// A part of a model becomes one of its parent.
    PushUp {
        at: Span,
    },
    /// A statement of a behavior becomes a law or a side-effect of its own.
    Extract {
        at: Span,
        name: String,
    },
    /// Lays the whole text out.
    Format,
    All {
        changes: Vec<Change>,
        /// What it is that was done, where the first of them does not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deed: Option<Deed>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
}

/// What several changes together are to whoever makes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    Place,
    Link,
    Break,
    Add,
    Remove,
    Value,
    Image,
    Slot,
    Layer,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    Before,
    After,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    Model,
    Entity,
    /// Places; the name is that of their model, the value their shape.
    Board,
    Property,
    Relation,
    Appearance,
    Define,
    State,
    Behavior,
    Law,
    AfterLaw,
    SideEffect,
    Action,
    Setting,
    /// An editor's; the name alone says it.
    Layer,
    /// The seats; the name is a list of them, or they are the things of a model.
    Players,
    Turns,
    /// A set of changes; the value is the variant it builds on.
    Variant,
    /// A representation of the things of a model.
    View,
    /// Another value of a setting, inside of a variant.
    Set,
    /// What becomes of a rule inside of a variant: how strictly it holds, or `instead`.
    Rule,
}

pub(crate) type Edits = Result<(Vec<TextEdit>, String), Refused>;

impl Deed {
    fn word(self) -> &'static str {
        match self {
            Deed::Place => "place",
            Deed::Link => "link",
            Deed::Break => "break",
            Deed::Add => "add",
            Deed::Remove => "remove",
            Deed::Value => "value",
            Deed::Image => "image",
            Deed::Slot => "slot",
            Deed::Layer => "on-layer",
        }
    }
}

impl Change {
    /// The kind of step it is.
    pub fn word(&self) -> &'static str {
        match self {
            Change::Type { .. } => "type",
            Change::Replace { .. } => "replace",
            Change::Remove { .. } | Change::RemoveModel { .. } => "remove",
            Change::Insert { .. } | Change::Add { .. } | Change::Fill { .. } => "add",
            Change::Clear { .. } => "clear",
            Change::Move { .. } => "move",
            Change::Wrap { .. } => "wrap",
            Change::Parent { .. } => "parent",
            Change::Value { .. } | Change::With { .. } | Change::Give { .. } => "value",
            Change::Link { .. } => "link",
            Change::Unlink { .. } => "break",
            Change::MadeFrom { .. } => "made-from",
            Change::RemoveEntity { .. } | Change::RemoveState { .. } | Change::RemoveLayer { .. } => "remove",
            Change::Look { .. } => "look",
            Change::Layer { .. } => "layer",
            Change::Slot { .. } => "slot",
            Change::OnLayer { .. } => "on-layer",
            Change::Group { .. } => "group",
            Change::Size { .. } => "size",
            Change::Mode { .. } => "mode",
            Change::Rename { .. } => "rename",
            Change::PushUp { .. } => "push-up",
            Change::Extract { .. } => "extract",
            Change::Format => "format",
            Change::All { deed: Some(deed), .. } => deed.word(),
            Change::All { changes, .. } => changes.first().map_or("type", Change::word),
        }
    }

    /// Whether it is about what only an editor draws with.
    fn is_drawn(&self) -> bool {
        match self {
            Change::All { changes, .. } => changes.iter().all(Change::is_drawn),
            Change::Layer { .. }
            | Change::RemoveLayer { .. }
            | Change::Slot { .. }
            | Change::OnLayer { .. }
            | Change::Group { .. }
            | Change::Size { .. }
            | Change::Add { what: What::Layer, .. } => true,
            _ => false,
        }
    }

    /// Whether nothing was changed that was not meant: directives after one that comes or goes belong to what they did.
    pub(crate) fn holds(&self, before: &Reading, after: &Reading) -> Result<(), Refused> {
        let (old, new) = (counted(before), counted(after));
        let within = |few: &BTreeMap<String, usize>, many: &BTreeMap<String, usize>| {
            few.iter().all(|(item, n)| many.get(item).is_some_and(|there| there >= n))
        };
        let is_item = |at: &Span| inside::items(before).any(|item| Span::from(item.origin) == *at);
        let fits = match self {
            _ if self.is_drawn() => before.definition.for_play() == after.definition.for_play(),
            Change::Give { .. } | Change::Link { .. } | Change::Unlink { .. } => before.own.len() == after.own.len(),
            Change::Add { .. } => within(&old, &new),
            Change::Remove { at } if is_item(at) => within(&new, &old),
            Change::Move { at, .. } if is_item(at) => old == new,
            Change::Format => old == new,
            // The rule is new, and what it was taken from says less.
            Change::Extract { .. } => before.own.len() + 1 == after.own.len() && missing(&old, &new) == 1,
            Change::Replace { .. }
            | Change::Remove { .. }
            | Change::Fill { .. }
            | Change::Clear { .. }
            | Change::Wrap { .. } => before.own.len() == after.own.len(),
            Change::Insert { at, .. } if !is_item(at) => before.own.len() == after.own.len(),
            _ => true,
        };
        match fits {
            true => Ok(()),
            false => Err(Refused::new(
                "edit/others",
                "Other parts of the definition would belong to something else after this change. Change it in the text.",
            )),
        }
    }
}

/// How many items are not there any more as they were.
fn missing(old: &BTreeMap<String, usize>, new: &BTreeMap<String, usize>) -> usize {
    old.iter().map(|(item, n)| n.saturating_sub(new.get(item).copied().unwrap_or_default())).sum()
}

fn counted(reading: &Reading) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    // A state is an item of its own only as long as it answers nothing.
    for item in &reading.own {
        match &item.kind {
            ItemKind::State { .. } => {}
            // What stands in it comes and goes by itself.
            ItemKind::Variant(own) => {
                *counted.entry(format!("variant {} {:?}", own.name, own.from)).or_default() += 1;
                for change in &own.changes {
                    *counted.entry(format!("in {}: {change}", own.name)).or_default() += 1;
                }
            }
            ItemKind::View(own) => {
                *counted.entry(format!("view {} {}", own.name, own.of)).or_default() += 1;
                for (name, value) in &own.properties {
                    let value = value.as_ref().map(Expr::to_string);
                    *counted.entry(format!("in {}: {name} {value:?}", own.name)).or_default() += 1;
                }
                for behavior in &own.behaviors {
                    let behavior = Item::new(ItemKind::Behavior(behavior.clone()), item.origin);
                    *counted.entry(format!("in {}: {behavior}", own.name)).or_default() += 1;
                }
            }
            _ => *counted.entry(item.to_string()).or_default() += 1,
        }
    }
    counted
}

pub(crate) fn stale() -> Refused {
    Refused::new("edit/stale", "The text has changed there in the meantime.")
}

/// The edits of a change, and what it was done to.
pub(crate) fn edits(reading: &Reading, change: &Change) -> Edits {
    let layout = Layout::new(&reading.text);
    let known = |at: Span| if layout.fits(at) { Ok(()) } else { Err(stale()) };
    match change {
        Change::Type { .. } => Ok((Vec::new(), String::new())),
        Change::Replace { at, with } => {
            known(*at)?;
            one_thing(with)?;
            let text = crate::layout::shifted(with.trim(), layout.column(at.start));
            Ok((vec![TextEdit::new(*at, text)], short(reading.at(*at))))
        }
        Change::Remove { at } => {
            known(*at)?;
            Ok((vec![remove(reading, &layout, *at)?], short(reading.at(*at))))
        }
        Change::Insert { at, side, text } => {
            known(*at)?;
            Ok((vec![layout.beside(*at, *side, text.trim())], short(text)))
        }
        Change::Fill { at, slot, text } => {
            let edit = fill(reading, &layout, *at, *slot, text.trim())?;
            Ok((vec![edit], short(text)))
        }
        Change::Clear { at, slot } => {
            let Some(Found::Form(expr) | Found::Loose(expr)) = blocks::find(reading, *at) else { return Err(stale()) };
            let part = blocks::parts(expr, &layout).into_iter().nth(*slot).ok_or_else(stale)?;
            let span = part.whole.filter(|_| part.optional).ok_or_else(stale)?;
            Ok((vec![layout.cut_part(span)], short(reading.at(span))))
        }
        Change::Move { at, to, side } => {
            known(*at)?;
            known(*to)?;
            if at.holds(*to) || to.holds(*at) && inside::items(reading).any(|item| Span::from(item.origin) == *at) {
                return Err(Refused::new("edit/inside", "Nothing can be moved into itself."));
            }
            let text = layout.lifted(*at);
            let put = layout.beside(*to, *side, &text);
            let mut cut = remove(reading, &layout, *at)?;
            // Side by side, the space between them is wanted by both.
            if cut.start < put.start && put.start < cut.end {
                cut.end = put.start;
            }
            Ok((vec![cut, put], short(reading.at(*at))))
        }
        Change::Wrap { at, with } => {
            known(*at)?;
            let hole = with.find("()").ok_or_else(|| Refused::new("edit/no-place", "There is no free place in it."))?;
            let (before, after) = (&with[..hole], &with[hole + 2..]);
            Ok((vec![TextEdit::insert(at.start, before), TextEdit::insert(at.end, after)], short(with)))
        }
        Change::Add { what: What::Layer, name, .. } => editor_lines::add_layer(reading, name),
        Change::Add { what, name, of, state, value, within } => {
            let new = New { what: *what, name, of: of.as_deref(), state: state.as_deref(), value: value.as_deref() };
            let edit = match within {
                Some(at) => new.inside(reading, &layout, *at)?,
                None => new.edit(reading)?,
            };
            Ok((vec![edit], name.clone()))
        }
        Change::RemoveModel { model } => remove_model(reading, &layout, model),
        Change::Parent { model, parent } => set_parent(reading, &layout, model, parent.as_deref()),
        Change::Value { of, property, value } => set_value(reading, &layout, of, property, value.as_deref()),
        Change::With { at, property, value } => {
            given::give(reading, &layout, *at, &BTreeMap::from([(property.clone(), value.clone())]))
        }
        Change::Give { at, values } => given::give(reading, &layout, *at, values),
        Change::Link { at, relation, path, key, to } => {
            given::link(reading, &layout, *at, relation, path, key.as_deref(), to)
        }
        Change::Unlink { at, relation, path } => given::unlink(reading, &layout, *at, relation, path),
        Change::MadeFrom { at, model } => given::made_from(reading, &layout, *at, model.as_deref()),
        Change::RemoveEntity { at } => given::remove(reading, &layout, *at),
        Change::RemoveState { model, state } => given::remove_state(reading, &layout, model, state),
        Change::Look { model, attribute, property } => editor_lines::look(reading, model, attribute, property),
        Change::Layer { name, visible, protected } => editor_lines::layer(reading, name, *visible, *protected),
        Change::RemoveLayer { name } => editor_lines::remove_layer(reading, &layout, name),
        Change::Slot { relation, of, lane, layer } => {
            editor_lines::slot(reading, &layout, relation, of, lane.as_deref(), layer.as_deref())
        }
        Change::OnLayer { entities, layer } => editor_lines::on_layer(reading, &layout, entities, layer.as_deref()),
        Change::Group { entities, group } => editor_lines::group(reading, &layout, entities, group.as_deref()),
        Change::Size { width, height } => editor_lines::size(reading, *width, *height),
        Change::Mode { rule, mode } => set_mode(reading, &layout, rule, mode),
        Change::Rename { at, to } => rename::here(reading, *at, to),
        Change::PushUp { at } => refactor::push_up(reading, *at),
        Change::Extract { at, name } => refactor::extract(reading, &layout, *at, name.trim()),
        Change::Format => {
            let laid = format(&reading.text).map_err(|_| {
                Refused::new("edit/broken", "The text has to be whole before it can be laid out: mend the first error.")
            })?;
            Ok((crate::difference(&reading.text, &laid).into_iter().collect(), String::new()))
        }
        Change::All { changes, name, .. } => {
            let mut all = Vec::new();
            let mut first = name.clone().unwrap_or_default();
            for change in changes {
                let (edits, name) = self::edits(reading, change)?;
                all.extend(edits);
                if first.is_empty() {
                    first = name;
                }
            }
            Ok((all, first))
        }
    }
}

/// What a change does to the other files of the game, each by its path.
pub(crate) fn elsewhere(
    reading: &Reading,
    files: &[(String, String)],
    at: usize,
    change: &Change,
) -> Result<Vec<(String, Vec<TextEdit>)>, Refused> {
    match change {
        Change::Rename { at: byte, to } if files.len() > 1 => rename::elsewhere(reading, files, at, *byte, to),
        _ => Ok(Vec::new()),
    }
}

/// One line, as a step is named.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// What takes the place of one thing is one thing.
pub(crate) fn one_thing(text: &str) -> Result<(), Refused> {
    let parsed = houserules_gdl::parse(FileId(0), text);
    let n = parsed.root().children_with_tokens().filter(|element| !element.kind().is_trivia()).count();
    match (n, parsed.diagnostics.is_empty()) {
        (1, true) => Ok(()),
        _ => Err(Refused::new("edit/not-one", "Here one statement, one value or one name is wanted.")),
    }
}

fn remove(reading: &Reading, layout: &Layout, at: Span) -> Result<TextEdit, Refused> {
    if let Some(item) = reading.own.iter().find(|item| Span::from(item.origin) == at) {
        // A variant and a view go with all that belongs to them, or it would belong to what stands before.
        return Ok(layout.cut(inside::whole(reading, layout, item)));
    }
    if layout.tokens(at).next().is_some_and(|token| token.kind == SyntaxKind::Directive) {
        return Ok(layout.cut(at));
    }
    match blocks::find(reading, at) {
        // A form needs what stands there: it stays, empty.
        Some(found) if !found.may_go() => Ok(TextEdit::new(at, "()")),
        Some(_) => Ok(layout.cut(at)),
        None => Err(stale()),
    }
}

fn fill(reading: &Reading, layout: &Layout, at: Span, slot: usize, text: &str) -> Result<TextEdit, Refused> {
    // The body of a directive.
    if let Some(body) = inside::body_at(reading, layout, at) {
        return Ok(match body.last() {
            Some(last) => layout.beside(last.origin.into(), Side::After, text),
            None => {
                let column = layout.indent(at.start) + 2;
                let text = crate::layout::shifted(text, column);
                TextEdit::insert(at.end, format!("\n{}{text}", " ".repeat(column)))
            }
        });
    }
    let Some(Found::Form(expr) | Found::Loose(expr)) = blocks::find(reading, at) else { return Err(stale()) };
    let parts = blocks::parts(expr, layout);
    let part = parts.get(slot).ok_or_else(stale)?;
    match part.last {
        Some(last) if part.many => Ok(layout.beside(last, Side::After, text)),
        Some(last) => Ok(TextEdit::new(last, crate::layout::shifted(text, layout.column(last.start)))),
        None => {
            let words: Vec<&str> = part.words.iter().copied().chain((!text.is_empty()).then_some(text)).collect();
            Ok(TextEdit::insert(part.place, format!(" {}", words.join(" "))))
        }
    }
}

fn remove_model(reading: &Reading, layout: &Layout, model: &str) -> Edits {
    if !reading.own.iter().any(|item| matches!(&item.kind, ItemKind::Model { name, .. } if **name == *model)) {
        return Err(Refused::new("edit/unknown", format!("There is no model “{model}” in this text.")));
    }
    let mut edits: BTreeMap<usize, TextEdit> = BTreeMap::new();
    let mut put = |edit: TextEdit| edits.insert(edit.start, edit);
    for item in &reading.own {
        let span = Span::from(item.origin);
        match &item.kind {
            ItemKind::Model { name, .. } if **name == *model => {
                put(layout.cut(span));
            }
            ItemKind::Model { parent: Some(parent), .. } if **parent == *model => {
                put(layout.cut_part(is_parent(layout, span).ok_or_else(stale)?));
            }
            ItemKind::Entity(entity) if *entity.model == *model && entity.name.is_some() => {
                put(TextEdit::new(layout.tokens(span).nth(3).ok_or_else(stale)?.span, THING));
            }
            ItemKind::Entity(Entity { model: own, .. }) | ItemKind::Board(Board { model: own, .. })
                if **own == *model =>
            {
                put(layout.cut(span));
            }
            kind if place::owner(kind) == Some(model) => {
                put(layout.cut(span));
            }
            _ => {}
        }
    }
    // `#state` lines of the model are no items where a behavior follows them.
    for span in state_lines(reading, layout, model) {
        put(layout.cut(span));
    }
    Ok((apart(edits.into_values().collect()), model.to_owned()))
}

/// Cuts that meet become one.
pub(crate) fn apart(edits: Vec<TextEdit>) -> Vec<TextEdit> {
    let mut apart: Vec<TextEdit> = Vec::new();
    for edit in edits {
        match apart.last_mut() {
            Some(last) if edit.start < last.end && last.text.is_empty() && edit.text.is_empty() => {
                last.end = last.end.max(edit.end);
            }
            _ => apart.push(edit),
        }
    }
    apart
}

pub(crate) fn state_lines(reading: &Reading, layout: &Layout, model: &str) -> Vec<Span> {
    let mut lines = Vec::new();
    let mut open = false;
    let sections = houserules_gdl::parse(FileId(0), &reading.text).root();
    for section in sections.children().filter(|node| node.kind() == SyntaxKind::Section) {
        let span = Span::new(section.text_range().start().into(), section.text_range().end().into());
        let mut tokens = layout.tokens(span);
        let Some(head) = tokens.next() else { continue };
        match layout.word(head) {
            "#model" => open = tokens.next().is_some_and(|name| unquoted(layout.word(name)) == model),
            "#state" if open => lines.push(span),
            "#view" => open = false,
            _ => {}
        }
    }
    lines
}

pub(crate) fn unquoted(word: &str) -> String {
    match word.strip_prefix('"') {
        Some(inner) => inner.strip_suffix('"').unwrap_or(inner).replace("\\\"", "\"").replace("\\\\", "\\"),
        None => word.to_owned(),
    }
}

/// `is PARENT` of a model.
fn is_parent(layout: &Layout, section: Span) -> Option<Span> {
    let tokens: Vec<_> = layout.tokens(section).collect();
    match tokens.as_slice() {
        [_, _, is, parent, ..] => Some(Span::new(is.span.start, parent.span.end)),
        _ => None,
    }
}

fn set_parent(reading: &Reading, layout: &Layout, model: &str, parent: Option<&str>) -> Edits {
    let circle = || Refused::new("edit/circle", "A model cannot be a kind of itself.");
    let parent_of = |model: &str| {
        reading.definition.items().iter().find_map(|item| match &item.kind {
            ItemKind::Model { name, parent } if **name == *model => parent.clone(),
            _ => None,
        })
    };
    let mut above = parent.map(Into::into);
    for _ in 0..reading.definition.items().len() {
        let Some(name): Option<Name> = above else { break };
        if *name == *model {
            return Err(circle());
        }
        above = parent_of(&name);
    }
    let head = reading.own.iter().find(|item| matches!(&item.kind, ItemKind::Model { name, .. } if **name == *model));
    let Some(head) = head else {
        return Err(Refused::new("edit/unknown", format!("There is no model “{model}” in this text.")));
    };
    let tokens: Vec<_> = layout.tokens(head.origin.into()).collect();
    let edit = match (tokens.as_slice(), parent) {
        ([_, _, _, old, ..], Some(parent)) => TextEdit::new(old.span, spelled(parent)),
        ([_, _, is, old, ..], None) => layout.cut_part(Span::new(is.span.start, old.span.end)),
        ([_, name, ..], Some(parent)) => TextEdit::insert(name.span.end, format!(" is {}", spelled(parent))),
        _ => return Ok((Vec::new(), model.to_owned())),
    };
    Ok((vec![edit], model.to_owned()))
}

fn set_value(reading: &Reading, layout: &Layout, of: &str, property: &str, value: Option<&str>) -> Edits {
    if let Some(value) = value {
        one_thing(value)?;
    }
    let found = reading.own.iter().find_map(|item| match &item.kind {
        ItemKind::Property(own) if *own.of == *of && *own.name == *property => Some((item, own)),
        _ => None,
    });
    let name = property.to_owned();
    let Some((item, own)) = found else {
        // Inherited: it is said again here.
        let inherited = reading.definition.items().iter().find_map(|item| match &item.kind {
            ItemKind::Property(own) if *own.name == *property => Some(own.role),
            _ => None,
        });
        let what = match inherited {
            Some(Role::Relation) => What::Relation,
            Some(Role::Appearance) => What::Appearance,
            _ => What::Property,
        };
        let Some(value) = value else { return Ok((Vec::new(), name)) };
        let new = New { what, name: property, of: Some(of), state: None, value: Some(value) };
        return Ok((vec![new.edit(reading)?], name));
    };
    let edit = match (&own.value, value) {
        (Some(old), Some(value)) => TextEdit::new(old.origin.into(), value),
        (Some(old), None) => layout.cut_part(old.origin.into()),
        (None, Some(value)) => {
            let after = layout.tokens(item.origin.into()).nth(1).ok_or_else(stale)?;
            TextEdit::insert(after.span.end, format!(" {value}"))
        }
        (None, None) => return Ok((Vec::new(), name)),
    };
    Ok((vec![edit], name))
}

fn set_mode(reading: &Reading, layout: &Layout, rule: &str, mode: &str) -> Edits {
    if !["enforced", "advised", "off"].contains(&mode) {
        return Err(Refused::new("edit/mode", "A rule is `enforced`, `advised` or `off`."));
    }
    if reading.definition.rule(rule).is_none() {
        return Err(Refused::new("edit/unknown", format!("There is no rule “{rule}”.")));
    }
    let mut said =
        reading.own.iter().filter(|item| matches!(&item.kind, ItemKind::RuleMode { rule: own, .. } if **own == *rule));
    let own = reading.own.iter().find(|item| matches!(&item.kind, ItemKind::Rule(own) if *own.name == *rule));
    let edit = match (said.next_back(), own) {
        (Some(said), Some(_)) if mode == "enforced" => layout.cut(said.origin.into()),
        (Some(said), _) => {
            let last = layout.tokens(said.origin.into()).last().ok_or_else(stale)?;
            TextEdit::new(last.span, mode)
        }
        (None, _) if reading.definition.rule(rule).is_some_and(|own| word_of(own.mode) == mode) => {
            return Ok((Vec::new(), rule.to_owned()));
        }
        (None, Some(own)) => {
            let text = format!("#rule {} {mode}", quoted(rule));
            layout.beside(own.origin.into(), Side::After, &text)
        }
        (None, None) => place::top(
            reading,
            |kind| matches!(kind, ItemKind::RuleMode { .. }),
            &format!("#rule {} {mode}", quoted(rule)),
        ),
    };
    Ok((vec![edit], rule.to_owned()))
}

pub(crate) fn word_of(mode: Mode) -> &'static str {
    match mode {
        Mode::Enforced => "enforced",
        Mode::Advised => "advised",
        Mode::Off => "off",
    }
}
