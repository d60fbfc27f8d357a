//! A definition made ready to be looked up: which behavior, which define, which rules.

use crate::refusing::Refusing;
use crate::twins::Twins;
use crate::world::{DirId, Directions, EntityId, Kind, KindId, PLAYER_KIND, World};
use houserules_model::*;
use std::collections::{BTreeMap, BTreeSet};

/// A definition beside its world. Nothing in it changes during a match.
pub struct Book {
    pub definition: Definition,
    pub world: World,
    pub actions: Vec<Action>,
    /// The rules that hold, in order. Those switched off or only advised are left out.
    pub rules: Vec<Rule>,
    /// Whether each rule reads attributes of its message, or might.
    pub reads_attributes: Vec<bool>,
    behaviors: BTreeMap<(KindId, Name, Name), Behavior>,
    /// By the kind they belong to; the game's own and those of nobody together.
    defines: BTreeMap<(KindId, Name), Define>,
    /// For each label, the attributes its behaviors, actions and senders give it.
    attributes: BTreeMap<Name, BTreeSet<Name>>,
    /// All attributes of all labels.
    pub all_attributes: BTreeSet<Name>,
    /// All texts that stand in the definition, sorted: a text in a choice is its position here.
    pub texts: Vec<Name>,
    pub setup: Option<Body>,
    pub history: Option<History>,
    /// Whether any rule asks `seen`. If none does, no history is kept.
    pub asks_seen: bool,
    /// For each board, the directions its places have.
    pub board_directions: Vec<BTreeSet<DirId>>,
    pub refusing: Refusing,
    pub twins: Twins,
    pub budget: Budget,
}

impl Book {
    pub fn new(definition: &Definition, world: World, budget: Budget) -> Book {
        let mut book = Book {
            definition: definition.clone(),
            actions: definition.actions().cloned().collect(),
            rules: definition.rules().filter(|rule| rule.mode == Mode::Enforced).cloned().collect(),
            behaviors: BTreeMap::new(),
            defines: BTreeMap::new(),
            attributes: BTreeMap::new(),
            all_attributes: BTreeSet::new(),
            reads_attributes: Vec::new(),
            texts: Vec::new(),
            setup: None,
            history: None,
            asks_seen: false,
            board_directions: board_directions(&world),
            refusing: Refusing::of(definition, &world),
            twins: Twins::of(definition, &world),
            world,
            budget,
        };
        for item in definition.items() {
            book.read(item);
        }
        book.texts.sort();
        book.texts.dedup();
        book.reads_attributes = book.rules.iter().map(|rule| book.reads(rule)).collect();
        book
    }

    fn reads(&self, rule: &Rule) -> bool {
        let mut reads = false;
        for top in &rule.body {
            top.walk(&mut |expr| {
                reads |= match &expr.kind {
                    ExprKind::Word(name) | ExprKind::Call { name, .. } => {
                        &**name == "message" || self.all_attributes.contains(name)
                    }
                    ExprKind::Form(form, _) => matches!(form, Form::Attribute | Form::UpdateAttribute | Form::Forward),
                    _ => false,
                }
            });
        }
        reads
    }

    fn read(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Setup(body) => self.setup = Some(body.clone()),
            ItemKind::History(history) => self.history = Some(history.clone()),
            ItemKind::Behavior(behavior) => {
                if let Some(kind) = self.world.kind(&behavior.of) {
                    for attribute in &behavior.attributes {
                        self.attribute(&behavior.label, attribute);
                    }
                    let key = (kind, behavior.state.clone(), behavior.label.clone());
                    self.behaviors.insert(key, behavior.clone());
                }
            }
            ItemKind::Define(define) => {
                let kind = define.of.as_ref().map_or(Some(0), |of| self.world.kind(of));
                if let Some(kind) = kind {
                    self.defines.insert((kind, define.name.clone()), define.clone());
                }
            }
            ItemKind::Action(action) => {
                for (attribute, _) in &action.with {
                    self.attribute(&action.label, attribute);
                }
            }
            _ => {}
        }
        let mut found = Vec::new();
        item.exprs(&mut |top| top.walk(&mut |expr| found.push(expr.clone())));
        for expr in found {
            if let ExprKind::Text(text) = &expr.kind {
                self.texts.push(text.clone());
            }
            let ExprKind::Form(form, slots) = &expr.kind else {
                continue;
            };
            match form {
                Form::Seen => self.asks_seen = true,
                Form::Send | Form::SendNew => {
                    for (attribute, _) in slots[2].pairs() {
                        if let (Some(label), Some(attribute)) =
                            (slots[0].name().and_then(NameRef::known), attribute.known())
                        {
                            self.attribute(label, attribute);
                        }
                    }
                }
                Form::UpdateAttribute => {
                    if let Some(attribute) = slots[0].name().and_then(NameRef::known) {
                        self.all_attributes.insert(attribute.clone());
                    }
                }
                _ => {}
            }
        }
    }

    fn attribute(&mut self, label: &Name, attribute: &Name) {
        self.attributes.entry(label.clone()).or_default().insert(attribute.clone());
        self.all_attributes.insert(attribute.clone());
    }

    /// Whether messages with this label may have this attribute. If one has not, it is nil there.
    pub fn has_attribute(&self, label: &str, attribute: &str) -> bool {
        self.attributes.get(label).is_some_and(|known| known.contains(attribute))
    }

    /// What answers a message: over the whole line of descent in the present state, then in `*`.
    pub fn behavior(&self, kind: KindId, state: &Name, label: &Name) -> Option<&Behavior> {
        [state.clone(), "*".into()].into_iter().find_map(|state| {
            self.world.line(kind).find_map(|kind| self.behaviors.get(&(kind, state.clone(), label.clone())))
        })
    }

    /// The answer of a kind to a question, its own before its parents'.
    pub fn define(&self, kind: KindId, name: &Name) -> Option<&Define> {
        self.world.line(kind).find_map(|kind| self.defines.get(&(kind, name.clone())))
    }

    /// Whether things of a kind have an answer to a word: a property, a define, or what places and players have.
    pub fn answers(&self, kind: KindId, word: &Name) -> bool {
        let World { kinds, boards, directions, .. } = &self.world;
        let of_places = || {
            let turns = boards.iter().any(|board| !board.compass.is_empty());
            let relative = Directions::is_relative(word) || Directions::is_relative_set(word);
            matches!(&**word, "row" | "column")
                || directions.find(word).is_some()
                || directions.is_set(word)
                || turns && relative
        };
        kinds[kind as usize].properties.iter().any(|property| property.name == *word)
            || self.define(kind, word).is_some_and(|define| define.params.is_empty())
            || kind == PLAYER_KIND && matches!(&**word, "next" | "previous" | "team" | "score")
            || boards.iter().any(|board| board.kind == kind) && of_places()
    }

    /// Whether a word gives places of whatever answers it: a set of directions, if nothing else is called so.
    pub fn gives_places(&self, word: &Name) -> bool {
        let World { kinds, boards, directions, .. } = &self.world;
        let turns = boards.iter().any(|board| !board.compass.is_empty());
        let is_set = directions.is_set(word)
            || directions.find(word).is_some_and(|direction| directions.many[direction as usize])
            || turns && Directions::is_relative_set(word);
        let said = |(kind, known): (usize, &Kind)| {
            known.properties.iter().any(|property| property.name == *word)
                || self.define(kind as KindId, word).is_some_and(|define| define.params.is_empty())
        };
        is_set
            && !boards.is_empty()
            && !matches!(&**word, "next" | "previous" | "team")
            && !kinds.iter().enumerate().any(said)
    }

    pub fn action(&self, label: &str) -> Option<(usize, &Action)> {
        self.actions.iter().enumerate().find(|(_, action)| *action.label == *label)
    }

    /// The board a place belongs to.
    pub fn board(&self, entity: EntityId) -> Option<usize> {
        self.world.entities.get(entity as usize)?.board.map(usize::from)
    }
}

fn board_directions(world: &World) -> Vec<BTreeSet<DirId>> {
    let n = world.directions.names.len() as DirId;
    world
        .boards
        .iter()
        .map(|board| {
            let places = board.first..board.first + board.n;
            let leads_on = |direction: DirId| {
                let mut places = places.clone();
                places.any(|place| !world.directions.steps(direction, place).is_empty())
            };
            (0..n).filter(|&direction| board.compass.contains(&direction) || leads_on(direction)).collect()
        })
        .collect()
}
