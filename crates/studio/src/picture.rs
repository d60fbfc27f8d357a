//! What is drawn of a document: its models and what belongs to them, things, rules, and messages.

use crate::change::unquoted;
use crate::document::{Document, Reading};
use crate::given::chain;
use crate::held::{self, Held};
use crate::inside;
use crate::layout::Layout;
use crate::text::Span;
use crate::workspace::{Looks, Workspace};
use houserules_gdl::SyntaxKind;
use houserules_model::*;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A document seen from above.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Picture {
    pub version: u64,
    pub title: String,
    pub models: Vec<ModelEntry>,
    /// Things, boards and what else makes some.
    pub things: Vec<Entry>,
    /// Actions, laws and side-effects, the setup.
    pub play: Vec<Entry>,
    /// Settings, players and what else a game begins with.
    pub game: Vec<Entry>,
    pub variants: Vec<Entry>,
    pub workspace: Workspace,
    pub messages: Vec<Message>,
}

/// A line of the tree.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Entry {
    pub what: &'static str,
    pub name: String,
    /// What stands behind the name: the model of a thing, the message of a rule.
    pub of: Option<String>,
    /// None: inherited from the game that this one builds on.
    pub at: Option<Span>,
    /// Of a rule: how far it is in force.
    pub mode: Option<&'static str>,
    /// Values that a thing is given.
    pub values: Vec<Row>,
    /// The directives of a variant or a view.
    pub inside: Vec<Entry>,
    /// Where it stands in another file of the game.
    pub there: Option<There>,
    pub n_errors: usize,
    pub n_warnings: usize,
}

/// A place in a file that is not looked at.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct There {
    pub path: String,
    pub start: usize,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ModelEntry {
    pub name: String,
    pub parent: Option<String>,
    pub at: Option<Span>,
    pub rows: Vec<Row>,
    pub states: Vec<StateEntry>,
    pub defines: Vec<Entry>,
    /// By which appearances its things are drawn.
    pub looks: Looks,
    pub there: Option<There>,
    pub n_errors: usize,
    pub n_warnings: usize,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StateEntry {
    pub name: String,
    pub initial: bool,
    /// Where it is named; none where nothing says that it is there but a behavior in another file.
    pub name_at: Option<Span>,
    pub behaviors: Vec<Entry>,
}

/// A property with its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub name: String,
    pub role: &'static str,
    pub value: Option<String>,
    pub held: Held,
    /// The model that says so.
    pub from: String,
    /// Said again here, in the place of what is inherited.
    pub changed: bool,
    pub inherited: bool,
    pub at: Option<Span>,
    pub value_at: Option<Span>,
}

/// Something that is wrong, or probably not meant.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Message {
    pub is_error: bool,
    pub code: &'static str,
    pub title: String,
    pub text: String,
    pub hint: Option<String>,
    /// None: it lies in another file, or nowhere.
    pub at: Option<Span>,
    pub there: Option<There>,
}

/// What an item is, and what it is called.
pub fn called(kind: &ItemKind) -> (&'static str, String) {
    match kind {
        ItemKind::Game { name } => ("game", name.to_string()),
        ItemKind::Info { key, .. } => ("info", key.to_string()),
        ItemKind::Setting(own) => ("setting", own.name.to_string()),
        ItemKind::Set { setting, .. } => ("set", setting.to_string()),
        ItemKind::Players(Players { are: Some(model), .. }) => ("players", model.to_string()),
        ItemKind::Players(own) => {
            ("players", own.names.iter().map(|player| player.name.to_string()).collect::<Vec<_>>().join(", "))
        }
        ItemKind::Teams(_) => ("teams", String::new()),
        ItemKind::Turns(_) => ("turns", String::new()),
        ItemKind::History(_) => ("history", String::new()),
        ItemKind::OpenProperties => ("properties", String::new()),
        ItemKind::Setup(_) => ("setup", String::new()),
        ItemKind::Picture { .. } => ("picture", String::new()),
        ItemKind::Model { name, .. } => ("model", name.to_string()),
        ItemKind::Property(own) => (role(own.role), own.name.to_string()),
        ItemKind::Define(own) => ("define", own.name.to_string()),
        ItemKind::Behavior(own) => ("behavior", own.label.to_string()),
        ItemKind::State { name, .. } => ("state", name.to_string()),
        ItemKind::Contents { of, .. } => ("contents", of.to_string()),
        ItemKind::Capacity { of, .. } => ("capacity", of.to_string()),
        ItemKind::Supply { model, .. } => ("supply", model.to_string()),
        ItemKind::Symbol { of, .. } => ("symbol", of.to_string()),
        ItemKind::Look { attribute, .. } => ("look", attribute.to_string()),
        ItemKind::Entity(own) => ("entity", own.name.clone().unwrap_or_else(|| own.model.clone()).to_string()),
        ItemKind::Board(own) => ("board", own.name.clone().unwrap_or_else(|| own.model.clone()).to_string()),
        ItemKind::Directions { name, .. } => ("directions", name.to_string()),
        ItemKind::Link(_) => ("link", String::new()),
        ItemKind::Spot(_) => ("place", String::new()),
        ItemKind::Edges(own) => ("edges", own.model.to_string()),
        ItemKind::Action(own) => ("action", own.label.to_string()),
        ItemKind::Rule(own) => (rule_kind(own.kind), own.name.to_string()),
        ItemKind::RuleMode { rule, .. } | ItemKind::RuleBody { rule, .. } => ("rule", rule.to_string()),
        ItemKind::Evaluator { name, .. } => ("evaluator", name.to_string()),
        ItemKind::View(own) => ("view", own.name.to_string()),
        ItemKind::Editor(_) => ("editor", String::new()),
        ItemKind::Variant(own) => ("variant", own.name.to_string()),
    }
}

pub(crate) fn rule_kind(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Law => "law",
        RuleKind::AfterLaw => "after-law",
        RuleKind::SideEffect => "side-effect",
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Property => "property",
        Role::Relation => "relation",
        Role::Appearance => "appearance",
    }
}

impl Entry {
    fn n(&self, errors: bool) -> usize {
        if errors { self.n_errors } else { self.n_warnings }
    }
}

impl Picture {
    pub fn of(document: &Document) -> Picture {
        let reading = document.reading();
        let messages = messages(reading);
        let layout = Layout::new(&reading.text);
        let drawing = Drawing::new(reading, &layout, &messages);
        let entries = |kinds: &[&str]| drawing.entries(kinds);
        Picture {
            version: document.version(),
            title: reading.definition.name().to_owned(),
            models: drawing.models(),
            things: entries(&["entity", "board", "edges", "directions"]),
            play: entries(&["setup", "action", "law", "after-law", "side-effect", "evaluator", "view"]),
            game: entries(&["game", "players", "turns", "history", "setting"]),
            variants: entries(&["variant"]),
            workspace: Workspace::of(reading, &layout),
            messages,
        }
    }
}

/// The names behind `#state`, by their models.
fn named_states(layout: &Layout) -> HashMap<(String, String), Span> {
    let mut states = HashMap::new();
    let (mut model, mut within) = (String::new(), "");
    for token in layout.all() {
        let word = layout.word(token);
        match token.kind {
            SyntaxKind::Directive => within = word,
            _ if within == "#model" => {
                model = unquoted(word);
                within = "";
            }
            SyntaxKind::Open => within = "",
            _ if within == "#state" => {
                states.entry((model.clone(), unquoted(word))).or_insert(token.span);
            }
            _ => {}
        }
    }
    states
}

fn messages(reading: &Reading) -> Vec<Message> {
    let drawn = |message: &Diagnostic| {
        let here = message.labels.iter().find(|label| label.origin.file == reading.file);
        let said = here.or(message.labels.first()).map(|label| label.text.clone()).unwrap_or_default();
        let notes = message.notes.iter().cloned();
        Message {
            is_error: message.is_error(),
            code: message.code,
            title: message.title.clone(),
            text: std::iter::once(said).filter(|said| !said.is_empty()).chain(notes).collect::<Vec<_>>().join("\n"),
            hint: message.hint.clone(),
            at: here.map(|label| Span::from(label.origin)),
            there: message.labels.first().and_then(|label| there(reading, label.origin)),
        }
    };
    reading.messages.iter().map(drawn).collect()
}

/// The place of something that stands in another file.
fn there(reading: &Reading, origin: Origin) -> Option<There> {
    let source = reading.sources.get(origin.file).filter(|_| origin.file != reading.file)?;
    Some(There { path: source.name.clone(), start: origin.start as usize })
}

struct Drawing<'a> {
    reading: &'a Reading,
    layout: &'a Layout<'a>,
    messages: &'a [Message],
    things: HashSet<Name>,
    /// What each model knows, which all its things know.
    known: RefCell<HashMap<Name, Rc<Vec<Row>>>>,
    /// Where rules are made, whose mode may be said elsewhere.
    rules: HashMap<(&'static str, String), Span>,
    /// Where the states of models are named.
    states: HashMap<(String, String), Span>,
}

impl<'a> Drawing<'a> {
    fn new(reading: &'a Reading, layout: &'a Layout<'a>, messages: &'a [Message]) -> Self {
        let own = reading.own.iter().filter(|item| matches!(item.kind, ItemKind::Rule(_)));
        Drawing {
            reading,
            layout,
            messages,
            things: held::things(&reading.definition),
            known: RefCell::default(),
            rules: own.rev().map(|item| (called(&item.kind), item.origin.into())).collect(),
            states: named_states(layout),
        }
    }

    /// The place of an item, if it stands in this text.
    fn at(&self, item: &Item) -> Option<Span> {
        (item.origin.file == self.reading.file).then(|| item.origin.into())
    }

    fn n(&self, span: Option<Span>, errors: bool) -> usize {
        let Some(span) = span else { return 0 };
        let here = |message: &&Message| message.is_error == errors && message.at.is_some_and(|at| span.holds(at));
        self.messages.iter().filter(here).count()
    }

    fn entry(&self, item: &Item) -> Entry {
        let (what, name) = called(&item.kind);
        // A rule whose mode is said elsewhere stands where it is made.
        let at = match &item.kind {
            ItemKind::Rule(_) => self.rules.get(&(what, name.clone())).copied().or_else(|| self.at(item)),
            _ => self.at(item),
        };
        let of = match &item.kind {
            ItemKind::Entity(own) => Some(own.model.to_string()),
            ItemKind::Rule(own) => {
                Some(own.labels.iter().map(|(label, _)| label.to_string()).collect::<Vec<_>>().join(", "))
            }
            ItemKind::Action(own) => {
                own.to.as_ref().map(|to| self.reading.sources.text(to.origin).unwrap_or_default().to_owned())
            }
            ItemKind::Setting(own) => self.reading.sources.text(own.value.origin).map(str::to_owned),
            _ => None,
        };
        let mode = match &item.kind {
            ItemKind::Rule(own) => Some(crate::change::word_of(own.mode)),
            ItemKind::RuleMode { mode, .. } => Some(crate::change::word_of(*mode)),
            _ => None,
        };
        let values = match &item.kind {
            ItemKind::Entity(own) => self.given(own, item),
            _ => Vec::new(),
        };
        let inside = self.inside(item);
        let n = |errors| self.n(at, errors) + inside.iter().map(|entry| entry.n(errors)).sum::<usize>();
        let (n_errors, n_warnings) = (n(true), n(false));
        let there = there(self.reading, item.origin);
        Entry { what, name, of, at, mode, values, inside, there, n_errors, n_warnings }
    }

    /// What belongs to a variant or a view.
    fn inside(&self, item: &Item) -> Vec<Entry> {
        let ItemKind::View(view) = &item.kind else {
            return inside::changes(item).iter().map(|change| self.entry(change)).collect();
        };
        let Some(at) = self.at(item) else { return Vec::new() };
        let parts = inside::parts(self.layout, &self.reading.text, view, at);
        let entry = |part: inside::Part| {
            let at = Some(part.at);
            let of = part.state.filter(|state| *state != "default").map(str::to_owned);
            let (n_errors, n_warnings) = (self.n(at, true), self.n(at, false));
            let (what, name) = (part.what, part.name);
            let (values, inside) = (Vec::new(), Vec::new());
            Entry { what, name, of, at, mode: None, values, inside, there: None, n_errors, n_warnings }
        };
        parts.into_iter().map(entry).collect()
    }

    fn entries(&self, kinds: &[&str]) -> Vec<Entry> {
        let items = self.reading.definition.items().iter();
        items.filter(|item| kinds.contains(&called(&item.kind).0)).map(|item| self.entry(item)).collect()
    }

    fn models(&self) -> Vec<ModelEntry> {
        let items = self.reading.definition.items();
        let mut models: Vec<(Name, Option<Name>, Option<Span>)> =
            ["game", "player"].map(|name| (name.into(), None, None)).into();
        for item in items {
            if let ItemKind::Model { name, parent } = &item.kind {
                models.retain(|(known, ..)| known != name);
                models.push((name.clone(), parent.clone(), self.at(item)));
            }
        }
        models.into_iter().map(|(name, parent, at)| self.model(name, parent, at)).collect()
    }

    fn model(&self, name: Name, parent: Option<Name>, at: Option<Span>) -> ModelEntry {
        let items = self.reading.definition.items();
        let mut states: Vec<StateEntry> = Vec::new();
        let mut defines = Vec::new();
        let (mut n_errors, mut n_warnings) = (self.n(at, true), self.n(at, false));
        let initial = items.iter().find_map(|item| match &item.kind {
            ItemKind::Property(own) if *own.name == *STATE_PROPERTY && own.of == name => self.text(own.value.as_ref()),
            _ => None,
        });
        for item in items.iter().filter(|item| crate::place::owner(&item.kind) == Some(&*name)) {
            let entry = self.entry(item);
            n_errors += entry.n_errors;
            n_warnings += entry.n_warnings;
            match &item.kind {
                ItemKind::Define(_) => defines.push(entry),
                ItemKind::Behavior(own) => {
                    self.state(&mut states, &own.of, &own.state, &initial).behaviors.push(entry);
                }
                ItemKind::State { of, name } => {
                    self.state(&mut states, of, name, &initial);
                }
                _ => {}
            }
        }
        let rows = self.rows(&name).to_vec();
        let looks = Looks::of(&self.reading.definition, &chain(&self.reading.definition, &name));
        ModelEntry {
            name: name.to_string(),
            parent: parent.map(|name| name.to_string()),
            at,
            rows,
            states,
            defines,
            looks,
            there: items.iter().find_map(|item| match &item.kind {
                ItemKind::Model { name: own, .. } if *own == name => there(self.reading, item.origin),
                _ => None,
            }),
            n_errors,
            n_warnings,
        }
    }

    /// What a model knows: its own, then what its parents say, the nearest first.
    fn rows(&self, model: &Name) -> Rc<Vec<Row>> {
        if let Some(known) = self.known.borrow().get(model) {
            return known.clone();
        }
        let mut rows: Vec<Row> = Vec::new();
        let mut at: HashMap<Name, usize> = HashMap::new();
        for own_model in chain(&self.reading.definition, model) {
            for item in self.reading.definition.items() {
                let ItemKind::Property(own) = &item.kind else { continue };
                if own.of != own_model {
                    continue;
                }
                match at.get(&own.name) {
                    Some(at) => rows[*at].changed |= !rows[*at].inherited,
                    None => {
                        at.insert(own.name.clone(), rows.len());
                        rows.push(self.row(own, item, own_model != *model));
                    }
                }
            }
        }
        let rows = Rc::new(rows);
        self.known.borrow_mut().insert(model.clone(), rows.clone());
        rows
    }

    fn state<'s>(
        &self,
        states: &'s mut Vec<StateEntry>,
        model: &str,
        name: &str,
        initial: &Option<String>,
    ) -> &'s mut StateEntry {
        let at = states.iter().position(|state| state.name == name);
        let at = at.unwrap_or_else(|| {
            let first = initial.as_deref().map_or("default", |initial| initial.trim_matches('"'));
            let name_at = self.states.get(&(model.to_string(), name.to_owned())).copied();
            let initial = name == first;
            states.push(StateEntry { name: name.to_owned(), initial, name_at, behaviors: Vec::new() });
            states.len() - 1
        });
        &mut states[at]
    }

    fn text(&self, expr: Option<&Expr>) -> Option<String> {
        expr.map(|expr| self.reading.sources.text(expr.origin).map_or_else(|| expr.to_string(), str::to_owned))
    }

    fn row(&self, own: &Property, item: &Item, inherited: bool) -> Row {
        let value_at = own.value.as_ref().filter(|_| self.at(item).is_some()).map(|value| value.origin.into());
        Row {
            name: own.name.to_string(),
            role: role(own.role),
            value: self.text(own.value.as_ref()),
            held: self.held(own.value.as_ref(), own.role),
            from: own.of.to_string(),
            changed: false,
            inherited,
            at: self.at(item).filter(|_| !inherited),
            value_at: value_at.filter(|_| !inherited),
        }
    }

    fn held(&self, value: Option<&Expr>, role: Role) -> Held {
        Held::of(value, role, &self.things, &|expr| self.text(Some(expr)).unwrap_or_default())
    }

    /// What a thing knows: what its line says, else its model.
    fn given(&self, own: &Entity, item: &Item) -> Vec<Row> {
        let here = self.at(item);
        let said = |row: &Row| match own.with.iter().find(|(name, _)| **name == *row.name) {
            Some((_, value)) => Row {
                name: row.name.clone(),
                role: row.role,
                value: self.text(Some(value)),
                held: self.held(Some(value), if row.role == "relation" { Role::Relation } else { Role::Property }),
                from: row.from.clone(),
                changed: true,
                inherited: false,
                at: here,
                value_at: here.map(|_| value.origin.into()),
            },
            None => Row { inherited: true, changed: false, at: here, value_at: None, ..row.clone() },
        };
        self.rows(&own.model).iter().map(said).collect()
    }
}
