//! Items to tags, in their order. What no tag says is said in the definition language, in a tag that others skip.

mod out;
mod statements;
mod things;
mod values;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use houserules_model::{
    Action, Definition, Editor, EditorKey, Expr, ExprKind, Form, Item, ItemKind, Key, Mode, Name, Origin, Players,
    Role, Rule, RuleKind,
};

use crate::remarks::Remarks;
use crate::xml;
use out::{Out, tag, text};

/// The text of a game file. Reading it gives an equal definition.
pub fn write(definition: &Definition, remarks: &Remarks) -> String {
    let mut writing = Writing::new(definition, remarks.of_items(definition));
    writing.game();
    let Writing { outs, own_properties, .. } = writing;
    let root = tag("game", outs);
    out::file(if own_properties { root.with("hr:properties", "own") } else { root })
}

/// Whether markup can stand in a file without breaking it.
pub(crate) fn is_whole(markup: &str) -> bool {
    let text = format!("<visual>{markup}</visual>");
    let tree = xml::parse(&text, houserules_model::FileId(0));
    tree.diagnostics.is_empty() && tree.root.is_some_and(|root| root.is("visual") && root.end == text.len())
}

pub(crate) struct Writing<'d> {
    items: Vec<&'d Item>,
    remarks: Remarks,
    outs: Vec<Out>,
    /// Items that no tag says, one after the other.
    waiting: Vec<&'d Item>,
    own_properties: bool,
    /// What names are of, where that is one thing in the whole definition.
    roles: HashMap<Name, Role>,
    /// Names that are of several roles.
    unclear: HashSet<Name>,
    /// Properties that hold dictionaries.
    dictionaries: HashSet<Name>,
    models: HashMap<Name, things::Kind<'d>>,
    states: BTreeMap<Name, i64>,
    editor: HashMap<EditorKey, (&'d Editor, Origin)>,
    layers: Vec<(&'d Name, bool, bool, Origin)>,
    /// The workspace, and groups of entities.
    listed: Vec<(&'d Editor, Origin)>,
    /// What of it has found its place.
    drawn: HashSet<EditorKey>,
}

impl<'d> Writing<'d> {
    fn new(definition: &'d Definition, remarks: Remarks) -> Self {
        let items = after_their_targets(definition.items());
        let mut writing = Writing {
            items,
            remarks,
            outs: Vec::new(),
            waiting: Vec::new(),
            own_properties: false,
            roles: HashMap::new(),
            unclear: HashSet::new(),
            dictionaries: HashSet::new(),
            models: HashMap::new(),
            states: states(definition),
            editor: HashMap::new(),
            layers: Vec::new(),
            listed: Vec::new(),
            drawn: HashSet::new(),
        };
        for item in definition.items() {
            match &item.kind {
                ItemKind::Property(property) => {
                    let known = writing.roles.entry(property.name.clone()).or_insert(property.role);
                    if *known != property.role {
                        writing.unclear.insert(property.name.clone());
                    }
                    if matches!(&property.value, Some(Expr { kind: ExprKind::Form(Form::Dictionary, _), .. })) {
                        writing.dictionaries.insert(property.name.clone());
                    }
                }
                ItemKind::Editor(editor) => {
                    if let Editor::Layer { name, visible, protected } = editor {
                        writing.layers.push((name, *visible, *protected, item.origin));
                    }
                    if let Editor::Workspace { .. } | Editor::Group { .. } = editor {
                        writing.listed.push((editor, item.origin));
                    }
                    writing.editor.insert(editor.key(), (editor, item.origin));
                }
                _ => {}
            }
        }
        writing.models = things::kinds(definition);
        writing
    }

    fn game(&mut self) {
        let mut items = std::mem::take(&mut self.items).into_iter().peekable();
        let called = items.peek().and_then(|item| match &item.kind {
            ItemKind::Game { name } if !name.is_empty() && name.trim() == &**name => Some((name, item.origin)),
            _ => None,
        });
        let Some((name, origin)) = called else {
            // A definition need not say how it is called, nor begin with it.
            self.own_properties = true;
            self.outs.push(text("name", "Untitled"));
            return self.rest(items.collect());
        };
        let comments = self.comments(origin);
        self.outs.extend(comments);
        self.outs.push(text("name", name));
        items.next();
        match items.next_if(|item| item.kind == ItemKind::OpenProperties) {
            Some(open) => {
                let comments = self.comments(open.origin);
                self.outs.extend(comments);
            }
            None => self.own_properties = true,
        }
        self.rest(items.collect())
    }

    fn rest(&mut self, items: Vec<&'d Item>) {
        self.layers();
        let mut at = 0;
        while at < items.len() {
            at += self.item(&items, at);
        }
        self.flush();
        let left: Vec<&'d Item> = items.into_iter().filter(|item| self.is_left(item)).collect();
        for item in left {
            self.wait(item);
        }
        self.flush();
        let last = self.remarks.take_all();
        self.outs.extend(last.into_iter().map(Out::Comment));
    }

    /// Writes an item, and what belongs to it; gives how many there were.
    fn item(&mut self, items: &[&'d Item], at: usize) -> usize {
        let item = items[at];
        let out = match &item.kind {
            ItemKind::Editor(_) => return 1,
            ItemKind::Model { name, .. } if self.goes_without_saying(name, items.get(at + 1)) => return 1,
            ItemKind::Model { name, parent } if self.is_model(name, parent.as_ref()) => {
                let n = self.parts(items, at);
                self.flush();
                let comments = self.comments(item.origin);
                self.outs.extend(comments);
                let model = self.model(name, parent.as_ref(), &items[at + 1..at + n]);
                self.outs.push(model);
                return n;
            }
            ItemKind::Entity(entity) if self.is_entity(entity) => {
                self.flush();
                let comments = self.comments(item.origin);
                self.outs.extend(comments);
                let entity = self.entity(entity);
                self.outs.push(entity);
                return 1;
            }
            ItemKind::Players(players) if is_plain(players) => {
                self.flush();
                let seats = players.names.iter().map(|player| text("hr:seat", &player.name));
                tag("hr:players", seats.collect())
            }
            ItemKind::Action(action) if is_action(action) => {
                self.flush();
                let comments = self.comments(item.origin);
                self.outs.extend(comments);
                self.action(action)
            }
            ItemKind::Rule(rule) if is_rule(rule) => {
                self.flush();
                let comments = self.comments(item.origin);
                self.outs.extend(comments);
                self.rule(rule)
            }
            _ => {
                self.wait(item);
                return 1;
            }
        };
        let comments = self.comments(item.origin);
        self.outs.extend(comments);
        self.outs.push(out);
        1
    }

    fn comments(&mut self, origin: Origin) -> Vec<Out> {
        if origin.is_none() {
            return Vec::new();
        }
        self.remarks.take_before(origin).into_iter().map(Out::Comment).collect()
    }

    /// Puts an item to those that no tag says. Some must not follow others in one text.
    fn wait(&mut self, item: &'d Item) {
        let wants_nothing_open = match &item.kind {
            ItemKind::Define(define) => define.of.is_none(),
            ItemKind::Property(property) => &*property.of == "game",
            ItemKind::Variant(_) => true,
            _ => false,
        };
        let open = self.waiting.iter().any(|other| {
            matches!(
                other.kind,
                ItemKind::Model { .. }
                    | ItemKind::Property(_)
                    | ItemKind::Define(_)
                    | ItemKind::Behavior(_)
                    | ItemKind::State { .. }
                    | ItemKind::Contents { .. }
                    | ItemKind::Capacity { .. }
                    | ItemKind::Supply { .. }
                    | ItemKind::Symbol { .. }
                    | ItemKind::Look { .. }
                    | ItemKind::View(_)
                    | ItemKind::Variant(_)
            )
        });
        let after_variant = matches!(self.waiting.last(), Some(Item { kind: ItemKind::Variant(_), .. }));
        // Comments stand before the text, so what has one begins another.
        let remarked = !self.waiting.is_empty() && !item.origin.is_none() && self.remarks.has_before(item.origin);
        if open && wants_nothing_open || after_variant || remarked {
            self.flush();
        }
        self.waiting.push(item);
    }

    fn flush(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let Some(first) = waiting.first() else { return };
        let comments = self.comments(first.origin);
        self.outs.extend(comments);
        self.outs.push(directives(&waiting, &self.boards()));
    }

    fn boards(&self) -> HashMap<Name, &'d Item> {
        self.models.iter().filter_map(|(name, kind)| Some((name.clone(), kind.board?))).collect()
    }

    fn action(&mut self, action: &Action) -> Out {
        let mut inside = Vec::new();
        for (name, domain) in &action.with {
            inside.push(tag("hr:with", self.alone(domain)).with("name", &**name));
        }
        if let Some(body) = &action.body {
            inside.push(self.statements(body));
        }
        let mut out = tag("hr:action", inside).with("label", &*action.label);
        if let Some(to) = &action.to {
            out = out.with("to", to.to_string());
        }
        if let Some(words) = &action.words {
            out = out.with("as", &**words);
        }
        if action.when_asked { out.with("when", "asked") } else { out }
    }

    fn rule(&mut self, rule: &Rule) -> Out {
        let joined = |names: &[(Name, Origin)]| names.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join("|");
        let kind = if rule.kind == RuleKind::SideEffect { "hr:sideeffect" } else { "hr:law" };
        let mut out = tag(kind, vec![self.statements(&rule.body)]).with("name", &*rule.name);
        out = out.with("on", joined(&rule.labels));
        for (attribute, names) in [("to", &rule.to), ("in", &rule.states)] {
            if !names.is_empty() {
                out = out.with(attribute, joined(names));
            }
        }
        if let Some((before, _)) = &rule.before {
            out = out.with("before", &**before);
        }
        out = match rule.mode {
            Mode::Enforced => out,
            Mode::Advised => out.with("mode", "advised"),
            Mode::Off => out.with("mode", "off"),
        };
        if rule.kind == RuleKind::AfterLaw { out.with("when", "after") } else { out }
    }
}

/// Items in the definition language. A link is read only after its board, which may be said again.
fn directives(items: &[&Item], boards: &HashMap<Name, &Item>) -> Out {
    let mut lines: Vec<String> = Vec::new();
    let mut last: Option<&Name> = None;
    for item in items {
        let on = match &item.kind {
            ItemKind::Board(board) => {
                last = Some(&board.model);
                None
            }
            ItemKind::Link(link) => Some(&link.board),
            ItemKind::Spot(spot) => Some(&spot.board),
            _ => None,
        };
        if let Some(board) = on
            && last != Some(board)
        {
            lines.extend(boards.get(board).map(|board| board.to_string()));
            last = Some(board);
        }
        lines.push(item.to_string());
    }
    tag("hr:item", vec![Out::Text(format!("\n{}\n", lines.join("\n").trim_end()))])
}

/// A rule put before another one is read when the other is there.
pub(crate) fn after_their_targets(items: &[Item]) -> Vec<&Item> {
    let target = |item: &Item| match &item.kind {
        ItemKind::Rule(Rule { before: Some((before, _)), .. }) => Some(Key::Rule(before.clone())),
        _ => None,
    };
    let mut waiting: HashMap<Key, Vec<&Item>> = HashMap::new();
    let keys: HashMap<Key, usize> = items.iter().enumerate().filter_map(|(at, item)| Some((item.key()?, at))).collect();
    let mut ordered = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match target(item).filter(|key| keys.get(key).is_some_and(|other| *other > at)) {
            Some(key) => waiting.entry(key).or_default().push(item),
            None => {
                ordered.push(item);
                let mut next = item.key().into_iter().collect::<Vec<_>>();
                while let Some(ready) = next.pop().and_then(|key| waiting.remove(&key)) {
                    next.extend(ready.iter().filter_map(|item| item.key()));
                    ordered.extend(ready);
                }
            }
        }
    }
    ordered
}

/// The numbers of all states: their own, or one that is free.
fn states(definition: &Definition) -> BTreeMap<Name, i64> {
    let mut names: Vec<Name> = Vec::new();
    let mut put = |name: &Name| {
        if !names.contains(name) {
            names.push(name.clone());
        }
    };
    for item in definition.items() {
        match &item.kind {
            ItemKind::Behavior(behavior) => put(&behavior.state),
            ItemKind::State { name, .. } => put(name),
            ItemKind::Property(property) if &*property.name == "state" => {
                if let Some(Expr { kind: ExprKind::Text(state), .. }) = &property.value {
                    put(state);
                }
            }
            _ => {}
        }
        item.exprs(&mut |expr| {
            expr.walk(&mut |expr| {
                if let ExprKind::Form(Form::ChangeState, slots) = &expr.kind
                    && let Some(name) = slots[0].name().and_then(houserules_model::NameRef::known)
                {
                    put(name);
                }
            })
        });
    }
    let own = |name: &Name| match name.parse::<i64>() {
        Ok(number) if number != 0 && number.to_string() == **name => Some(number),
        _ if &**name == "default" => Some(0),
        _ => None,
    };
    let mut numbers: BTreeMap<Name, i64> = names.iter().filter_map(|name| Some((name.clone(), own(name)?))).collect();
    let mut taken: BTreeSet<i64> = numbers.values().copied().chain([0]).collect();
    for name in names.iter().filter(|name| own(name).is_none()) {
        let free = (1..).find(|number| !taken.contains(number)).expect("there are always more numbers");
        taken.insert(free);
        numbers.insert(name.clone(), free);
    }
    numbers
}

fn is_plain(players: &Players) -> bool {
    let n = players.names.len() as u32;
    let named = |name: &Name| !name.is_empty() && name.trim() == &**name;
    n > 0
        && (players.least, players.most) == (n, n)
        && players.names.iter().all(|player| player.facing.is_none() && named(&player.name))
}

fn is_action(action: &Action) -> bool {
    let mut names: Vec<&Name> = action.with.iter().map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    let to = match &action.to {
        None => true,
        Some(Expr { kind: ExprKind::Word(word), .. }) => {
            !word.is_empty() && word.trim() == &**word && !word.starts_with('(')
        }
        Some(to) => to.to_string().starts_with('(') && to.kind != ExprKind::Missing,
    };
    to && names.len() == action.with.len() && action.with.iter().all(|(_, domain)| domain.kind != ExprKind::Missing)
}

fn is_rule(rule: &Rule) -> bool {
    let plain = |(name, _): &(Name, Origin)| !name.is_empty() && name.trim() == &**name && !name.contains('|');
    !rule.labels.is_empty() && rule.labels.iter().chain(&rule.to).chain(&rule.states).chain(&rule.before).all(plain)
}
