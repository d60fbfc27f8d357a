//! The diagram of a definition: its actions and messages with the rules on each, what sends what, and the states of models.

use houserules_linear::Diagram;
use houserules_model::{Definition, Expr, ExprKind, Form, Item, ItemKind, Mode, Name, RuleKind, Slot};

/// Messages are boxes: an arrow leads to what a behavior or a rule sends. The states that a model goes through are boxes,
/// too, with the messages on which it goes from one to the next.
pub fn diagram(definition: &Definition) -> Diagram {
    let mut diagram = Diagram::default();
    for item in definition.items() {
        if let ItemKind::Action(action) = &item.kind {
            let known = diagram.named(&action.label);
            diagram.begins(known);
        }
    }
    definition.items().iter().for_each(|item| add_message(&mut diagram, item));
    let n_messages = diagram.n_boxes();
    definition.items().iter().for_each(|item| add_states(&mut diagram, item));
    diagram.ends_where_nothing_follows(n_messages);
    diagram
}

fn add_message(diagram: &mut Diagram, item: &Item) {
    let (labels, line): (Vec<&Name>, Option<String>) = match &item.kind {
        ItemKind::Action(action) => (vec![&action.label], None),
        ItemKind::Behavior(behavior) if is_plain(&behavior.state) => {
            (vec![&behavior.label], Some(behavior.of.to_string()))
        }
        ItemKind::Behavior(behavior) => (vec![&behavior.label], Some(format!("{} in {}", behavior.of, behavior.state))),
        ItemKind::Rule(rule) if rule.mode != Mode::Off => {
            let kind = if rule.kind == RuleKind::SideEffect { "then" } else { "law" };
            (rule.labels.iter().map(|(label, _)| label).collect(), Some(format!("{kind}: {}", rule.name)))
        }
        _ => return,
    };
    let sent = names_in(item, &[Form::Send, Form::SendNew]);
    for label in labels {
        let from = diagram.named(label);
        if let Some(line) = &line {
            diagram.line(from, line);
        }
        for other in &sent {
            let to = diagram.named(other);
            diagram.arrow(from, to, "");
        }
    }
}

/// From which state of which model to which other one, and on what.
fn add_states(diagram: &mut Diagram, item: &Item) {
    let next = names_in(item, &[Form::ChangeState]);
    if next.is_empty() {
        return;
    }
    let (models, states, labels): (Vec<&Name>, Vec<&Name>, Vec<&Name>) = match &item.kind {
        ItemKind::Behavior(behavior) => (vec![&behavior.of], vec![&behavior.state], vec![&behavior.label]),
        ItemKind::Rule(rule) if rule.mode != Mode::Off => (names(&rule.to), names(&rule.states), names(&rule.labels)),
        _ => return,
    };
    // A rule for anything says of nothing in particular what state it is in.
    let models: Vec<&str> =
        if models.is_empty() { vec!["anything"] } else { models.iter().map(|name| &***name).collect() };
    let states: Vec<&str> = if states.is_empty() { vec!["*"] } else { states.iter().map(|name| &***name).collect() };
    for (model, state) in models.iter().flat_map(|model| states.iter().map(move |state| (model, state))) {
        let state = if *state == "*" { "any state" } else { state };
        let mut from = diagram.named(&format!("{model}: {state}"));
        for name in &next {
            let to = diagram.named(&format!("{model}: {name}"));
            if from != to {
                labels.iter().for_each(|label| diagram.arrow(from, to, label));
            }
            // What is changed next is changed from there.
            from = to;
        }
    }
}

fn names<T>(list: &[(Name, T)]) -> Vec<&Name> {
    list.iter().map(|(name, _)| name).collect()
}

/// Whether a behavior answers in whatever state there is.
fn is_plain(state: &str) -> bool {
    matches!(state, "*" | "start" | "default")
}

/// The first name in all forms of these kinds, as written.
fn names_in(item: &Item, forms: &[Form]) -> Vec<Name> {
    let mut names = Vec::new();
    let mut look = |expr: &Expr| {
        if let ExprKind::Form(form, slots) = &expr.kind
            && forms.contains(form)
        {
            names.extend(slots.first().and_then(Slot::name).and_then(|name| name.known()).cloned());
        }
    };
    item.exprs(&mut |expr| expr.walk(&mut look));
    names
}
