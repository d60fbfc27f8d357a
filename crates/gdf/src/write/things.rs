//! Models with their parts, entities, and what an editor knows of them.

use std::collections::HashMap;

use houserules_model::{
    Behavior, Definition, Drawn, Editor, EditorKey, Entity, Expr, ExprKind, Item, ItemKind, Name, Property, Role, print,
};

use super::out::{Out, tag, text};
use super::values::{held, value};
use super::{Writing, directives, is_whole};
use crate::read::survey::{THING, Tagged};
use crate::read::values::Type;

/// What is known of a model.
#[derive(Default)]
pub(crate) struct Kind<'d> {
    declared: bool,
    parent: Option<Name>,
    definitions: HashMap<Name, &'d Property>,
    n_parts: usize,
    /// The board whose places are of this model.
    pub board: Option<&'d Item>,
}

pub(crate) fn kinds(definition: &Definition) -> HashMap<Name, Kind<'_>> {
    let mut kinds: HashMap<Name, Kind> = HashMap::new();
    for item in definition.items() {
        match &item.kind {
            ItemKind::Model { name, parent } => {
                let kind = kinds.entry(name.clone()).or_default();
                kind.declared = true;
                kind.parent = parent.clone();
            }
            ItemKind::Property(property) => {
                let kind = kinds.entry(property.of.clone()).or_default();
                kind.n_parts += 1;
                kind.definitions.insert(property.name.clone(), property);
            }
            ItemKind::Board(board) => kinds.entry(board.model.clone()).or_default().board = Some(item),
            other => {
                if let Some(of) = owner(other) {
                    kinds.entry(of.clone()).or_default().n_parts += 1;
                }
            }
        }
    }
    kinds
}

/// The model that an item is a part of.
fn owner(kind: &ItemKind) -> Option<&Name> {
    match kind {
        ItemKind::Property(Property { of, .. })
        | ItemKind::Behavior(Behavior { of, .. })
        | ItemKind::State { of, .. }
        | ItemKind::Contents { of, .. }
        | ItemKind::Capacity { of, .. }
        | ItemKind::Supply { of, .. }
        | ItemKind::Symbol { of, .. }
        | ItemKind::Look { of, .. } => Some(of),
        ItemKind::Define(define) => define.of.as_ref(),
        _ => None,
    }
}

fn is_trimmed(name: &str) -> bool {
    !name.is_empty() && name.trim() == name
}

/// What stands in a model, in the order of the file.
enum Part<'d> {
    Initial(&'d Name),
    Definition(&'d Property),
    Others(Vec<&'d Item>),
    Behavior(&'d Behavior),
    State(&'d Name),
}

impl<'d> Writing<'d> {
    /// The model of entities without one stands in no file.
    pub(super) fn goes_without_saying(&self, name: &Name, next: Option<&&'d Item>) -> bool {
        let used = matches!(next, Some(Item { kind: ItemKind::Entity(entity), .. }) if entity.model == *name);
        used && &**name == THING && self.models.get(name).is_some_and(|kind| kind.n_parts == 0 && kind.parent.is_none())
    }

    pub(super) fn is_model(&self, name: &Name, parent: Option<&Name>) -> bool {
        let reserved = |name: &Name| ["game", "player"].contains(&&**name);
        let known = parent.is_none_or(|parent| {
            is_trimmed(parent) && !reserved(parent) && self.models.get(parent).is_some_and(|kind| kind.declared)
        });
        !reserved(name) && known
    }

    /// How many items are a model and its parts.
    pub(super) fn parts(&self, items: &[&'d Item], at: usize) -> usize {
        let ItemKind::Model { name, .. } = &items[at].kind else { return 1 };
        let belongs = |item: &&&Item| owner(&item.kind) == Some(name) || matches!(item.kind, ItemKind::Editor(_));
        let mut n = 1 + items[at + 1..].iter().take_while(belongs).count();
        // What an editor knows of something else follows, and is found there.
        while matches!(items[at + n - 1].kind, ItemKind::Editor(_)) {
            n -= 1;
        }
        n
    }

    pub(super) fn model(&mut self, name: &Name, parent: Option<&Name>, items: &[&'d Item]) -> Out {
        let said: Vec<&'d Item> =
            items.iter().copied().filter(|item| !matches!(item.kind, ItemKind::Editor(_))).collect();
        let mut parts: Vec<(usize, Part)> = Vec::new();
        for (at, item) in said.iter().enumerate() {
            let part = match &item.kind {
                ItemKind::Property(property) => match self.definition_part(property) {
                    Some(part) => part,
                    None => Part::Others(vec![item]),
                },
                ItemKind::Behavior(behavior) => Part::Behavior(behavior),
                ItemKind::State { name, .. } => Part::State(name),
                _ => Part::Others(vec![item]),
            };
            match (parts.last_mut(), part) {
                (Some((_, Part::Others(before))), Part::Others(more)) => before.extend(more),
                (_, part) => parts.push((at, part)),
            }
        }
        let order = file_order(&parts);
        let moved = !order.is_sorted();
        let mut inside = Vec::new();
        if let Some(parent) = parent {
            inside.push(text("parentModel", parent));
        }
        if let Some((at, _)) = parts.iter().find(|(_, part)| matches!(part, Part::Initial(_))) {
            inside.extend(self.comments(said[*at].origin));
        }
        inside.push(self.initial(name, &parts, moved));
        let mut state: Option<&Name> = None;
        for part in order.iter().map(|at| parts.iter().find(|(own, _)| own == at).expect("all are there")) {
            let (at, part) = part;
            if matches!(part, Part::Initial(_)) {
                continue;
            }
            let place = |out: Out| if moved { out.with("hr:at", at.to_string()) } else { out };
            let comments = self.comments(said[*at].origin);
            let own = match part {
                Part::Initial(_) => unreachable!("it stands before the others"),
                Part::Definition(property) => place(self.definition(property, parent)),
                Part::Others(items) => place(directives(items, &HashMap::new())),
                Part::State(name) => {
                    state = Some(name);
                    place(self.numbered(tag("state", Vec::new()), name))
                }
                Part::Behavior(behavior) => {
                    let own = place(self.behavior(behavior));
                    if state != Some(&behavior.state) {
                        state = Some(&behavior.state);
                        inside.push(self.numbered(tag("state", Vec::new()), &behavior.state));
                    }
                    if let Some(Out::Tag { inside, .. }) = inside.last_mut() {
                        inside.extend(comments);
                        inside.push(own);
                    }
                    continue;
                }
            };
            inside.extend(comments);
            inside.push(own);
        }
        let kept = self.kept(Drawn::Model(name.clone()));
        if !kept.is_empty() {
            inside.push(tag("visual", kept));
        }
        tag("model", inside).with("name", &**name)
    }

    /// None: no tag says it.
    fn definition_part(&self, property: &'d Property) -> Option<Part<'d>> {
        if &*property.name == "state" {
            return match (&property.value, property.role, &property.seen, property.untracked) {
                (Some(Expr { kind: ExprKind::Text(state), .. }), Role::Property, None, false) => {
                    Some(Part::Initial(state))
                }
                _ => None,
            };
        }
        (!self.unclear.contains(&property.name)).then_some(Part::Definition(property))
    }

    /// The state in which its entities begin. It says whether that is the model's own word where nothing else tells.
    fn initial(&self, model: &Name, parts: &[(usize, Part)], moved: bool) -> Out {
        let own = parts.iter().find_map(|(at, part)| match part {
            Part::Initial(state) => Some((*at, *state)),
            _ => None,
        });
        let inherited = self.models.get(model).and_then(|kind| kind.parent.as_ref());
        let inherited = inherited.map_or(0, |parent| self.initial_of(parent));
        let Some((at, state)) = own else { return text("initialStateNumber", &inherited.to_string()) };
        let number = self.states.get(state).copied().unwrap_or(0);
        let mut out = text("initialStateNumber", &number.to_string());
        if crate::read::things::state_name(number) != *state {
            out = out.with("hr:name", &**state);
        }
        if moved || number == inherited { out.with("hr:at", at.to_string()) } else { out }
    }

    fn initial_of(&self, model: &Name) -> i64 {
        let mut model = Some(model);
        // A circle of parents is somebody's mistake, and no reason not to write.
        for _ in 0..=self.models.len() {
            let Some(kind) = model.and_then(|model| self.models.get(model)) else { return 0 };
            if let Some(Property { value: Some(Expr { kind: ExprKind::Text(state), .. }), .. }) =
                kind.definitions.get("state")
            {
                return self.states.get(state).copied().unwrap_or(0);
            }
            model = kind.parent.as_ref();
        }
        0
    }

    /// A tag with the number of a state, and its name where that is no number.
    pub(super) fn numbered(&self, out: Out, state: &Name) -> Out {
        let number = self.states.get(state).copied().unwrap_or(0);
        let out = out.with("number", number.to_string());
        if crate::read::things::state_name(number) == *state { out } else { out.with("hr:name", &**state) }
    }

    fn definition(&mut self, property: &Property, parent: Option<&Name>) -> Out {
        let role = Tagged::of_role(property.role);
        let links = role == Tagged::Relationship;
        let wanted = parent.and_then(|parent| self.defined(parent, &property.name)).and_then(type_of);
        let value = match &property.value {
            None if wanted.is_none_or(|wanted| wanted == Type::Entity) => tag("id", Vec::new()),
            // Another model says that it is something; here it is nothing, which is more than a tag without a value.
            Some(Expr { kind: ExprKind::Word(word), .. }) if &**word == "nil" => {
                tag("id", Vec::new()).with("hr:expr", "nil")
            }
            Some(value) => held(value, wanted, links),
            None => tag("id", Vec::new()),
        };
        let mut inside = vec![value];
        let drawn = self.slot(&property.of, &property.name, role);
        if !drawn.is_empty() {
            inside.push(tag("visual", drawn));
        }
        let out = tag(role.tag(), inside).with("name", &*property.name);
        match more(property) {
            Some(more) => out.with("hr:more", more),
            None => out,
        }
    }

    /// What a model or an ancestor of it defines.
    fn defined(&self, model: &Name, name: &Name) -> Option<&'d Property> {
        let mut model = Some(model);
        for _ in 0..=self.models.len() {
            let kind = self.models.get(model?)?;
            if let Some(property) = kind.definitions.get(name) {
                return Some(property);
            }
            model = kind.parent.as_ref();
        }
        None
    }

    fn behavior(&mut self, behavior: &Behavior) -> Out {
        let out = tag("behavior", vec![self.statements(&behavior.body)]).with("name", &*behavior.label);
        if behavior.attributes.is_empty() {
            return out;
        }
        out.with("hr:attributes", behavior.attributes.iter().map(|name| &**name).collect::<Vec<_>>().join(" "))
    }

    pub(super) fn is_entity(&self, entity: &Entity) -> bool {
        let Entity { name: Some(_), model, times: None, each, at: None, with, .. } = entity else { return false };
        let defined = with.iter().enumerate().all(|(at, (name, value))| match &**name {
            "state" => at == 0 && matches!(value.kind, ExprKind::Text(_)),
            _ => self.defined(model, name).is_some() && !self.unclear.contains(name),
        });
        let declared = self.models.get(model).is_some_and(|kind| kind.declared);
        let mut names: Vec<&Name> = with.iter().map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        each.is_empty() && defined && declared && names.len() == with.len() && !["game", "player"].contains(&&**model)
    }

    pub(super) fn entity(&mut self, entity: &'d Entity) -> Out {
        let name = entity.name.clone().unwrap_or_default();
        let bare = &*entity.model == THING && self.models.get(&entity.model).is_some_and(|kind| kind.n_parts == 0);
        let parent = if bare { "" } else { &*entity.model };
        let mut out = tag("entity", Vec::new()).with("name", &*name).with("parent", parent);
        let mut inside = Vec::new();
        for (own, value) in &entity.with {
            if &**own == "state" {
                if let ExprKind::Text(state) = &value.kind {
                    out = out.with("hr:state", &**state);
                }
                continue;
            }
            let property = self.defined(&entity.model, own);
            let role = Tagged::of_role(property.map_or(Role::Property, |property| property.role));
            let wanted = property.and_then(type_of);
            let held = held(value, wanted, role == Tagged::Relationship);
            inside.push(tag(role.tag(), vec![held]).with("name", &**own));
        }
        let mut drawn = Vec::new();
        if let Some((Editor::Put { layer, .. }, _)) = self.editor.get(&EditorKey::Put(name.clone()))
            && self.is_layer(layer)
        {
            drawn.push(text("layer", layer));
            self.drawn.insert(EditorKey::Put(name.clone()));
        }
        drawn.extend(self.kept(Drawn::Entity(name)));
        if !drawn.is_empty() {
            inside.push(tag("visual", drawn));
        }
        let Out::Tag { inside: children, .. } = &mut out else { return out };
        *children = inside;
        out
    }

    /// The layers of the game, and what else an editor keeps for it.
    pub(super) fn layers(&mut self) {
        let mut inside = Vec::new();
        for (name, visible, protected, origin) in std::mem::take(&mut self.layers) {
            self.drawn.insert(EditorKey::Layer(name.clone()));
            inside.extend(self.comments(origin));
            let flag = |set: bool| if set { "1" } else { "0" };
            let flags = vec![text("visible", flag(visible)), text("protected", flag(protected))];
            inside.push(tag("layer", flags).with("name", &**name));
        }
        for (editor, origin) in std::mem::take(&mut self.listed) {
            let own = match editor {
                Editor::Workspace { width, height } => {
                    let own = tag("hr:workspace", Vec::new()).with("width", width.to_string());
                    own.with("height", height.to_string())
                }
                Editor::Group { name, entities } if entities.iter().all(|entity| is_trimmed(entity)) => {
                    let members = entities.iter().map(|entity| text("hr:member", entity)).collect();
                    tag("hr:group", members).with("name", &**name)
                }
                _ => continue,
            };
            self.drawn.insert(editor.key());
            inside.extend(self.comments(origin));
            inside.push(own);
        }
        inside.extend(self.kept(Drawn::Game));
        if !inside.is_empty() {
            self.outs.push(tag("visual", inside));
        }
    }

    fn is_layer(&self, name: &Name) -> bool {
        is_trimmed(name) && self.editor.contains_key(&EditorKey::Layer(name.clone()))
    }

    fn slot(&mut self, model: &Name, relation: &Name, role: Tagged) -> Vec<Out> {
        if role != Tagged::Relationship {
            return Vec::new();
        }
        let mut drawn = Vec::new();
        let key = EditorKey::Slot(relation.clone(), model.clone());
        if let Some((Editor::Slot { lane, layer, .. }, _)) = self.editor.get(&key)
            && layer.as_ref().is_none_or(|layer| self.is_layer(layer))
            && (lane.is_some() || layer.is_some())
        {
            drawn.extend(lane.map(|lane| text("lane", lane.word())));
            drawn.extend(layer.iter().map(|layer| text("layer", layer)));
            self.drawn.insert(key);
        }
        drawn.extend(self.kept(Drawn::Slot(relation.clone(), model.clone())));
        drawn
    }

    fn kept(&mut self, of: Drawn) -> Vec<Out> {
        let key = EditorKey::Keep(of);
        match self.editor.get(&key) {
            Some((Editor::Keep { text, .. }, _)) if is_whole(text) && !text.is_empty() => {
                let out = Out::Raw(text.to_string());
                self.drawn.insert(key);
                vec![out]
            }
            _ => Vec::new(),
        }
    }

    /// Whether something of an editor has found no tag: its thing is said in the definition language, or is not there.
    pub(super) fn is_left(&self, item: &Item) -> bool {
        matches!(&item.kind, ItemKind::Editor(editor) if !self.drawn.contains(&editor.key()))
    }
}

/// The parts as the file has them: definitions by their roles, then what no tag says, then the states.
fn file_order(parts: &[(usize, Part)]) -> Vec<usize> {
    let mut states: Vec<&Name> = Vec::new();
    for (_, part) in parts {
        let state = match part {
            Part::Behavior(behavior) => &behavior.state,
            Part::State(name) => name,
            _ => continue,
        };
        if !states.contains(&state) {
            states.push(state);
        }
    }
    let state = |name: &Name| states.iter().position(|state| *state == name).unwrap_or(0);
    let mut order: Vec<(usize, usize, usize)> = parts
        .iter()
        .map(|(at, part)| {
            let (group, within) = match part {
                Part::Initial(_) => (0, 0),
                Part::Definition(property) => (1 + Tagged::of_role(property.role) as usize, 0),
                Part::Others(_) => (4, 0),
                Part::Behavior(behavior) => (5, state(&behavior.state)),
                Part::State(name) => (5, state(name)),
            };
            (group, within, *at)
        })
        .collect();
    order.sort();
    order.into_iter().map(|(_, _, at)| at).collect()
}

/// The type that a definition gives to its values; none where it is computed.
fn type_of(property: &Property) -> Option<Type> {
    match &property.value {
        None => Some(Type::Entity),
        Some(Expr { kind: ExprKind::Word(word), .. }) if &**word == "nil" => None,
        Some(expr) => {
            let out = held(expr, None, property.role == Role::Relation);
            let computed = matches!(&out, Out::Tag { attributes, .. } if !attributes.is_empty());
            value(expr).map(|(found, _)| found).filter(|_| !computed)
        }
    }
}

/// Who may see a property, and whether it is tracked, as the directive says it.
fn more(property: &Property) -> Option<String> {
    if property.seen.is_none() && !property.untracked {
        return None;
    }
    let bare = Property { value: None, role: Role::Property, of: "game".into(), ..property.clone() };
    let said = Item::new(ItemKind::Property(bare), houserules_model::Origin::NONE).to_string();
    said.strip_prefix(&format!("#property {} ", print::name(&property.name))).map(str::to_owned)
}
