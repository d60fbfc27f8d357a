//! How a definition is played that says what its things do when they are told, but not who may tell them.

use std::collections::{HashMap, HashSet};

use crate::{
    Action, Behavior, Definition, Edit, Expr, ExprKind, Form, Item, ItemKind, Key, Name, Origin, PlayerName, Players,
    Slot, Turns,
};

/// Who sits there alone.
const REFEREE: &str = "Referee";
/// A model has at most so many ancestors.
const ANCESTORS: usize = 100;
/// The only choice where nothing can be told without being told more; otherwise the match would be over at once.
const CLOSE: &str = "close the bench";

impl Definition {
    /// The definition with a referee who may tell every thing to do whatever it can do without being told more. None where
    /// the definition says itself how a match begins, and where it has no things.
    pub fn bench(&self) -> Option<Definition> {
        if can_begin(self.items()) {
            return None;
        }
        let things = Things::of(self);
        let told = things.told(self);
        // Places alone, with nothing that they do, are no game yet.
        if told.is_empty() && !self.items().iter().any(|item| matches!(item.kind, ItemKind::Entity(_))) {
            return None;
        }
        let mut bench = self.clone();
        let mut put = |kind: ItemKind| {
            bench.apply(Edit::Put(Item::new(kind, Origin::NONE))).expect("nothing here changes another item");
        };
        if self.get(&Key::Players).is_none() {
            let names = (1..).map(|n| if n == 1 { REFEREE.to_owned() } else { format!("{REFEREE} {n}") });
            let name = names.into_iter().find(|name| !things.names.contains(&**name));
            let name: Name = name.expect("there are always more numbers").into();
            let names = vec![PlayerName { name, facing: None, origin: Origin::NONE }];
            put(ItemKind::Players(Players { names, least: 1, most: 1, are: None }));
        }
        if self.get(&Key::Turns).is_none() {
            put(ItemKind::Turns(Turns::Free));
        }
        if told.is_empty() {
            put(ItemKind::Action(action(CLOSE.into(), None, Some(vec![form(Form::Draw, Vec::new())]))));
        }
        for (label, models) in told {
            put(ItemKind::Action(action(label, Some(all(&models)), None)));
        }
        Some(bench)
    }
}

/// Whether anything happens by itself or may be done, in a variant at least.
fn can_begin(items: &[Item]) -> bool {
    items.iter().any(|item| match &item.kind {
        ItemKind::Action(_) | ItemKind::Setup(_) => true,
        ItemKind::Behavior(own) => &*own.of == "game" && ["start", "turn"].contains(&&*own.label),
        ItemKind::Variant(variant) => can_begin(&variant.changes),
        _ => false,
    })
}

fn action(label: Name, to: Option<Expr>, body: Option<Vec<Expr>>) -> Action {
    Action { label, to, with: Vec::new(), words: None, when_asked: false, body }
}

/// The things of some models, as a list where it is not one model.
fn all(models: &[Name]) -> Expr {
    let word = |model: &Name| Expr::new(ExprKind::Word(model.clone()), Origin::NONE);
    if let [model] = models {
        return word(model);
    }
    let all = |model: &Name| {
        let domain = Slot::Domain { var: None, list: Box::new(word(model)), owner: None };
        form(Form::All, vec![domain, Slot::Absent])
    };
    form(Form::Join, vec![Slot::Exprs(models.iter().map(all).collect())])
}

fn form(form: Form, slots: Vec<Slot>) -> Expr {
    Expr::new(ExprKind::Form(form, slots), Origin::NONE)
}

struct Things<'d> {
    parents: HashMap<&'d Name, &'d Name>,
    /// Models that have things, themselves or by a model that comes from them.
    of: HashSet<&'d Name>,
    names: HashSet<&'d str>,
}

impl<'d> Things<'d> {
    fn of(definition: &'d Definition) -> Self {
        let mut things = Things { parents: HashMap::new(), of: HashSet::new(), names: HashSet::new() };
        let mut models: HashSet<&Name> = HashSet::new();
        for item in definition.items() {
            match &item.kind {
                ItemKind::Model { name, parent: Some(parent) } => {
                    things.parents.insert(name, parent);
                }
                ItemKind::Entity(entity) => {
                    models.insert(&entity.model);
                    things.names.extend(entity.name.as_deref());
                }
                ItemKind::Board(board) => {
                    models.insert(&board.model);
                }
                _ => {}
            }
        }
        things.of = models.into_iter().flat_map(|model| things.line(model).collect::<Vec<_>>()).collect();
        things
    }

    /// A model and its ancestors. A circle of parents is told elsewhere.
    fn line<'t>(&'t self, model: &'d Name) -> impl Iterator<Item = &'d Name> + use<'t, 'd> {
        std::iter::successors(Some(model), |model| self.parents.get(model).copied()).take(ANCESTORS + 1)
    }

    /// The labels that can be told without anything more, and the models that answer, parents before children.
    fn told(&self, definition: &'d Definition) -> Vec<(Name, Vec<Name>)> {
        let mut labels: Vec<(&Name, Vec<&Name>)> = Vec::new();
        let mut places: HashMap<&Name, usize> = HashMap::new();
        let mut wanting: HashSet<&Name> = HashSet::new();
        let mut answering: HashSet<(usize, &Name)> = HashSet::new();
        for item in definition.items() {
            let ItemKind::Behavior(behavior) = &item.kind else { continue };
            if wants_more(behavior) {
                wanting.insert(&behavior.label);
            }
            let at = *places.entry(&behavior.label).or_insert_with(|| {
                labels.push((&behavior.label, Vec::new()));
                labels.len() - 1
            });
            if self.of.contains(&behavior.of) && answering.insert((at, &behavior.of)) {
                labels[at].1.push(&behavior.of);
            }
        }
        // Whoever comes from a model that answers is among its things.
        for (at, (_, models)) in labels.iter_mut().enumerate() {
            models.retain(|model| !self.line(model).skip(1).any(|above| answering.contains(&(at, above))));
        }
        labels.retain(|(label, models)| !models.is_empty() && !wanting.contains(label));
        labels.into_iter().map(|(label, models)| (label.clone(), models.into_iter().cloned().collect())).collect()
    }
}

/// Whether a behavior reads what comes with its message.
fn wants_more(behavior: &Behavior) -> bool {
    let mut reads = !behavior.attributes.is_empty();
    for statement in &behavior.body {
        statement.walk(&mut |expr| {
            reads |= matches!(&expr.kind, ExprKind::Form(Form::Attribute, slots) if !slots[1].given());
        });
    }
    reads
}
