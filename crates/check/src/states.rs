//! States that nothing ever enters.

use crate::names::suggest;
use crate::outline::Outline;
use crate::tree::{given, given_origin, slot};
use houserules_model::*;
use std::collections::BTreeSet;

/// The states that things can come into, or nothing when one is computed.
struct Reachable {
    names: BTreeSet<Name>,
    all: bool,
}

pub fn check(outline: &Outline, found: &mut Vec<Diagnostic>) {
    let reachable = reachable(outline);
    entered_for_nothing(outline, &reachable, found);
    if reachable.all {
        return;
    }
    let mut told: BTreeSet<(&Name, &Name)> = BTreeSet::new();
    for item in &outline.items {
        match &item.kind {
            ItemKind::Behavior(behavior)
                if !reachable.has(&behavior.state) && told.insert((&behavior.of, &behavior.state)) =>
            {
                let (state, of) = (&behavior.state, &behavior.of);
                let diagnostic = Diagnostic::warning(
                    "state/unreachable",
                    "A state that is never entered",
                    item.origin,
                    format!("Nothing puts `{of}` into the state `{state}`."),
                )
                .note("Behaviors of that state would never run.");
                found.push(near_state(diagnostic, state, &reachable));
            }
            ItemKind::Rule(rule) => {
                for (state, origin) in rule.states.iter().filter(|(state, _)| !reachable.has(state)) {
                    let diagnostic = Diagnostic::warning(
                        "state/unreachable",
                        "A rule for a state that is never entered",
                        *origin,
                        format!("Nothing comes into the state `{state}`."),
                    )
                    .note(format!("There the rule “{}” would never be looked at.", rule.name));
                    found.push(near_state(diagnostic, state, &reachable));
                }
            }
            ItemKind::Symbol { signs, of } => {
                for state in signs.iter().filter_map(|signs| signs.state.as_ref()).filter(|state| !reachable.has(state))
                {
                    let diagnostic = Diagnostic::warning(
                        "state/unreachable",
                        "A sign for a state that is never entered",
                        item.origin,
                        format!("Nothing puts `{of}` into the state `{state}`."),
                    );
                    found.push(near_state(diagnostic, state, &reachable));
                }
            }
            _ => {}
        }
    }
}

impl Reachable {
    fn has(&self, state: &str) -> bool {
        self.all || state == "*" || self.names.contains(state)
    }
}

fn near_state(diagnostic: Diagnostic, state: &str, reachable: &Reachable) -> Diagnostic {
    match nearest(state, reachable.names.iter().map(|name| &**name)) {
        Some(near) => diagnostic.hint(format!("Did you mean `{near}`?")),
        None => diagnostic.hint(format!("Somewhere there should be `(changeState {state})`.")),
    }
}

/// `changeState` to a state that no behavior, rule, sign or comparison knows is probably a slip.
fn entered_for_nothing(outline: &Outline, reachable: &Reachable, found: &mut Vec<Diagnostic>) {
    let mut known: BTreeSet<Name> = BTreeSet::from(["default".into()]);
    let mut compared: BTreeSet<Name> = BTreeSet::new();
    for item in &outline.items {
        match &item.kind {
            ItemKind::Behavior(behavior) => {
                known.insert(behavior.state.clone());
            }
            ItemKind::State { name, .. } => {
                known.insert(name.clone());
            }
            ItemKind::Rule(rule) => known.extend(rule.states.iter().map(|(state, _)| state.clone())),
            ItemKind::Symbol { signs, .. } => known.extend(signs.iter().filter_map(|signs| signs.state.clone())),
            _ => {}
        }
        // A state may be compared as a text: `(= state "crowned")`.
        item.exprs(&mut |expr| {
            expr.walk(&mut |expr| {
                if let ExprKind::Text(text) = &expr.kind {
                    compared.insert(text.clone());
                }
            });
        });
    }
    let _ = reachable;
    for item in &outline.items {
        item.exprs(&mut |expr| {
            expr.walk(&mut |expr| {
                let ExprKind::Form(form @ Form::ChangeState, slots) = &expr.kind else {
                    return;
                };
                let name = slot(*form, slots, "S");
                if let Some(state) = given(name).filter(|state| !known.contains(*state) && !compared.contains(*state)) {
                    let diagnostic = Diagnostic::warning(
                        "state/unknown",
                        "A state that nothing knows",
                        given_origin(name),
                        format!("No behavior, rule or sign is for the state `{state}`."),
                    )
                    .note("In it the entity answers only what stands under `#state *`.");
                    found.push(suggest(
                        diagnostic,
                        state,
                        "States",
                        known.iter().map(|name| &**name).filter(|name| is_plain(name)),
                    ));
                }
            });
        });
    }
}

fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '-')
}

fn reachable(outline: &Outline) -> Reachable {
    let mut reachable = Reachable { names: BTreeSet::from(["default".into()]), all: false };
    for item in &outline.items {
        match &item.kind {
            ItemKind::Entity(entity) => {
                let own = entity.with.iter().filter(|(name, _)| **name == *STATE_PROPERTY);
                own.for_each(|(_, value)| reachable.put(value));
                reachable.all |=
                    entity.each.iter().any(|each| matches!(each, ForEach::In(name, _) if **name == *STATE_PROPERTY));
            }
            ItemKind::Property(property) if *property.name == *STATE_PROPERTY => {
                property.value.iter().for_each(|value| reachable.put(value));
            }
            _ => {}
        }
        item.exprs(&mut |expr| {
            expr.walk(&mut |expr| {
                let ExprKind::Form(form, slots) = &expr.kind else {
                    return;
                };
                match form {
                    Form::ChangeState => match given(slot(*form, slots, "S")) {
                        Some(state) => {
                            reachable.names.insert(state.clone());
                        }
                        None => reachable.all = true,
                    },
                    Form::New => {
                        for (name, value) in slot(*form, slots, "A").pairs() {
                            if name.known().is_some_and(|name| &**name == "state") {
                                reachable.put(value);
                            }
                        }
                    }
                    Form::Set => {
                        let target = slot(*form, slots, "X").expr().and_then(crate::outline::target_name);
                        if target.is_some_and(|name| &*name == "state") {
                            reachable.all = true;
                        }
                    }
                    _ => {}
                }
            });
        });
    }
    reachable
}

impl Reachable {
    fn put(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Word(name) | ExprKind::Text(name) => {
                self.names.insert(name.clone());
            }
            ExprKind::Number(number) => {
                self.names.insert(number.to_string().into());
            }
            _ => self.all = true,
        }
    }
}
