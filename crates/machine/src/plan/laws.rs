//! When each law of an action is asked.

use crate::code::{FuncId, RuleId};
use crate::facts;
use crate::program::{Handler, Program, Receivers, Woven};

/// When a law is asked, from the cheapest to the dearest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum When {
    /// Once for all receivers.
    Once,
    /// When something changes that it reads; what it said is kept.
    Kept,
    /// Of each receiver, before any attribute is listed.
    Receiver,
    /// Of the choice that was drawn, and of each one listed.
    Choice,
}

/// The laws of an action to some kinds.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Laws {
    pub kinds: Vec<String>,
    pub asked: Vec<(When, Vec<String>)>,
}

/// The laws of an action, kinds with the same ones together.
pub(super) fn of(program: &Program, action: usize) -> Vec<Laws> {
    let code = &program.actions[action];
    let mut found: Vec<Laws> = Vec::new();
    for (kind, handler) in program.handlers[code.label as usize].iter().enumerate() {
        let receives = match code.to {
            Receivers::Game => kind == crate::world::GAME_KIND as usize,
            Receivers::Kind(wanted) => program.is_a[kind][wanted as usize],
            Receivers::Computed(_) => true,
        };
        let woven: Vec<Woven> = match handler {
            _ if !receives => continue,
            Handler::None => continue,
            Handler::Single(woven) => vec![*woven],
            Handler::ByState(states) => states.iter().flatten().copied().collect(),
        };
        let asked = asked(program, &woven);
        let name = program.world.kinds[kind].name.to_string();
        match found.iter_mut().find(|known| known.asked == asked) {
            Some(known) => known.kinds.push(name),
            None => found.push(Laws { kinds: vec![name], asked }),
        }
    }
    found
}

/// The laws of one kind, in whatever state. One that is asked early is not named again.
fn asked(program: &Program, woven: &[Woven]) -> Vec<(When, Vec<String>)> {
    let mut asked: Vec<(When, Vec<RuleId>)> = Vec::new();
    for woven in woven {
        let split = woven.split;
        let stages = [
            (When::Once, split.and_then(|split| split.once)),
            (When::Kept, split.and_then(|split| split.own).or(woven.keep)),
            (When::Receiver, split.and_then(|split| split.each)),
            (When::Choice, split.map_or(Some(woven.test), |split| split.test)),
        ];
        for (when, func) in stages {
            for rule in func.into_iter().flat_map(|func| rules(program, func)) {
                if !asked.iter().any(|(_, known)| known.contains(&rule)) {
                    match asked.iter_mut().find(|(known, _)| *known == when) {
                        Some((_, rules)) => rules.push(rule),
                        None => asked.push((when, vec![rule])),
                    }
                }
            }
        }
    }
    asked.sort_by_key(|(when, _)| *when);
    let name = |rule: RuleId| program.rules.get(rule as usize).map_or("a rule".into(), |rule| rule.name.to_string());
    asked.into_iter().map(|(when, rules)| (when, rules.into_iter().map(name).collect())).collect()
}

/// The rules that may refuse in a function, in the order of its code.
fn rules(program: &Program, func: FuncId) -> Vec<RuleId> {
    let mut found = Vec::new();
    for rule in facts::refusals(&program.functions[func as usize]) {
        if rule != RuleId::MAX && !found.contains(&rule) {
            found.push(rule);
        }
    }
    found
}
