//! How a game is played that says what its things do when they are told, but not who may tell them.

use houserules_model::{
    Action, Behavior, Definition, Edit, Expr, ExprKind, Form, Item, ItemKind, Key, Name, Origin, PlayerName, Players,
    Slot, Turns,
};

/// Who sits there alone.
const REFEREE: &str = "Referee";

/// The definition with a referee who may tell every thing to do whatever it can do without being told more. None where
/// the definition says itself what may be done.
pub fn bench(definition: &Definition) -> Option<Definition> {
    if definition.actions().next().is_some() {
        return None;
    }
    let mut bench = definition.clone();
    let mut put = |kind: ItemKind| {
        bench.apply(Edit::Put(Item::new(kind, Origin::NONE))).expect("nothing here changes another item");
    };
    if definition.get(&Key::Players).is_none() {
        let taken = |name: &str| entities(definition).any(|(known, _)| known.is_some_and(|known| &**known == name));
        let name = (1..).map(|n| if n == 1 { REFEREE.to_owned() } else { format!("{REFEREE} {n}") });
        let name: Name = name.into_iter().find(|name| !taken(name)).expect("there are always more numbers").into();
        let names = vec![PlayerName { name, facing: None, origin: Origin::NONE }];
        put(ItemKind::Players(Players { names, least: 1, most: 1 }));
    }
    if definition.get(&Key::Turns).is_none() {
        put(ItemKind::Turns(Turns::Free));
    }
    for (label, models) in told(definition) {
        let word = |model: &Name| Expr::new(ExprKind::Word(model.clone()), Origin::NONE);
        let to = match models.as_slice() {
            [model] => word(model),
            models => {
                let all = |model: &Name| {
                    let domain = Slot::Domain { var: None, list: Box::new(word(model)), owner: None };
                    Expr::new(ExprKind::Form(Form::All, vec![domain, Slot::Absent]), Origin::NONE)
                };
                let lists = Slot::Exprs(models.iter().map(all).collect());
                Expr::new(ExprKind::Form(Form::Join, vec![lists]), Origin::NONE)
            }
        };
        let action = Action { label, to: Some(to), with: Vec::new(), words: None, when_asked: false, body: None };
        put(ItemKind::Action(action));
    }
    Some(bench)
}

/// The labels that can be told without anything more, and the models that answer, parents before children.
fn told(definition: &Definition) -> Vec<(Name, Vec<Name>)> {
    let mut labels: Vec<(Name, Vec<Name>)> = Vec::new();
    let mut wanting: Vec<&Name> = Vec::new();
    for item in definition.items() {
        let ItemKind::Behavior(behavior) = &item.kind else { continue };
        if wants_more(behavior) {
            wanting.push(&behavior.label);
        }
        let at = labels.iter().position(|(label, _)| *label == behavior.label).unwrap_or_else(|| {
            labels.push((behavior.label.clone(), Vec::new()));
            labels.len() - 1
        });
        let models = &mut labels[at].1;
        let there = models.iter().any(|model| is_a(definition, &behavior.of, model));
        if !there && has_things(definition, &behavior.of) {
            models.retain(|model| !is_a(definition, model, &behavior.of));
            models.push(behavior.of.clone());
        }
    }
    labels.retain(|(label, models)| !models.is_empty() && !wanting.contains(&label));
    labels
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

fn has_things(definition: &Definition, model: &Name) -> bool {
    entities(definition).any(|(_, of)| is_a(definition, of, model))
}

fn entities(definition: &Definition) -> impl Iterator<Item = (Option<&Name>, &Name)> {
    definition.items().iter().filter_map(|item| match &item.kind {
        ItemKind::Entity(entity) => Some((entity.name.as_ref(), &entity.model)),
        ItemKind::Board(board) => Some((None, &board.model)),
        _ => None,
    })
}

fn is_a(definition: &Definition, model: &Name, ancestor: &Name) -> bool {
    let mut here = Some(model.clone());
    // A circle of parents is told elsewhere.
    for _ in 0..100 {
        match here {
            Some(model) if model == *ancestor => return true,
            Some(model) => match definition.get(&Key::Model(model)).map(|item| &item.kind) {
                Some(ItemKind::Model { parent, .. }) => here = parent.clone(),
                _ => return false,
            },
            None => return false,
        }
    }
    false
}
