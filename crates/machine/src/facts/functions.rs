//! What is known about each function, with all it calls.

use super::{Goes, effects};

use crate::code::*;
use crate::program::{Handler, Program, Receivers, Woven};

/// Facts of one function.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Facts {
    /// It may stop for an answer, itself or through what it calls: then its frames have to be data.
    pub stops: bool,
    /// It may come back to itself.
    pub recurs: bool,
    /// It may change memory, lists in the heap apart.
    pub writes: bool,
    /// It may change whose turn it is, or who is in.
    pub turns: bool,
    /// How many instructions it runs at most, what it calls included, but not what loops repeat.
    pub cost: u32,
    /// It counts its steps when it is entered: calls that only ever call each other twice would go on for ever.
    pub pays: bool,
}

/// Functions that take no more than this are paid for by the loops around them.
const CHEAP: u32 = 2_000;

pub fn of(program: &Program) -> Vec<Facts> {
    let n = program.functions.len();
    let mut facts = vec![Facts::default(); n];
    let mut calls: Vec<Vec<FuncId>> = Vec::with_capacity(n);
    for (at, function) in program.functions.iter().enumerate() {
        let mut callees = Vec::new();
        for op in &function.code {
            // A rollback that does not refuse ends the action in the middle: that is left to the interpreter.
            let effects = effects(op);
            facts[at].stops |= effects.asks || program.rolls_partly && matches!(op, Op::Rollback { .. });
            facts[at].writes |= effects.writes;
            facts[at].turns |= effects.turns;
            called(program, op, &mut callees);
        }
        callees.sort_unstable();
        callees.dedup();
        calls.push(callees);
    }
    loop {
        let mut changed = false;
        for at in 0..n {
            let mut now = facts[at];
            for &callee in &calls[at] {
                now.stops |= facts[callee as usize].stops;
                now.writes |= facts[callee as usize].writes;
                now.turns |= facts[callee as usize].turns;
            }
            changed |= now != facts[at];
            facts[at] = now;
        }
        if !changed {
            break;
        }
    }
    for (at, fact) in facts.iter_mut().enumerate() {
        fact.recurs = reaches(&calls, at as FuncId);
        fact.pays = fact.recurs;
    }
    let mut known = vec![false; n];
    for at in 0..n {
        costs(program, &calls, at, &mut facts, &mut known);
    }
    facts
}

/// Finds out what a function and those it calls cost. Whoever comes back to itself pays for itself, so this ends; a
/// chain of thousands that each call the next is gone through without the host's stack.
fn costs(program: &Program, calls: &[Vec<FuncId>], from: usize, facts: &mut [Facts], known: &mut [bool]) {
    let mut open = vec![(from, false)];
    while let Some((at, ready)) = open.pop() {
        if known[at] {
            continue;
        }
        if !ready {
            open.push((at, true));
            open.extend(
                calls[at]
                    .iter()
                    .map(|&callee| callee as usize)
                    .filter(|&callee| !known[callee] && !facts[callee].pays)
                    .map(|callee| (callee, false)),
            );
            continue;
        }
        let code = &program.functions[at].code;
        facts[at].cost = cost(program, code, facts);
        facts[at].pays |= facts[at].cost > CHEAP;
        known[at] = true;
    }
}

/// What instructions cost that are run once.
pub fn cost(program: &Program, code: &[Op], facts: &[Facts]) -> u32 {
    let mut callees = Vec::new();
    code.iter().fold(0_u32, |sum, op| {
        callees.clear();
        called(program, op, &mut callees);
        let dearest =
            callees.iter().map(|&callee| &facts[callee as usize]).filter(|fact| !fact.pays).map(|fact| fact.cost).max();
        sum.saturating_add(1).saturating_add(dearest.unwrap_or(0))
    })
}

/// Which functions random play and the search for choices can enter. The others are not worth the time to compile.
pub fn reached(program: &Program) -> Vec<bool> {
    let mut open: Vec<FuncId> = Vec::new();
    let told = [program.turn, program.stuck, program.gameover];
    for label in told {
        handlers(program, label, &mut open);
    }
    for action in &program.actions {
        let mut woven: Vec<Woven> = Vec::new();
        for handler in &program.handlers[action.label as usize] {
            match handler {
                Handler::None => {}
                Handler::Single(one) => woven.push(*one),
                Handler::ByState(states) => woven.extend(states.iter().flatten()),
            }
        }
        for woven in woven {
            match woven.split {
                Some(split) => {
                    open.push(split.rest);
                    open.extend([split.once, split.own, split.each, split.test].into_iter().flatten());
                }
                None => open.extend([Some(woven.full), Some(woven.test), woven.keep].into_iter().flatten()),
            }
        }
        open.extend(action.with.iter().flat_map(|(_, funcs)| funcs.iter().flatten()));
        if let Receivers::Computed(func) = action.to {
            open.push(func);
        }
    }
    let mut reached = vec![false; program.functions.len()];
    while let Some(func) = open.pop() {
        if !std::mem::replace(&mut reached[func as usize], true) {
            for op in &program.functions[func as usize].code {
                called(program, op, &mut open);
                // What is supposed may be any message.
                if matches!(op, Op::Suppose { .. }) {
                    all_handlers(program, &mut open);
                }
                if let Op::Choices { choices, .. } = op {
                    open.extend(program.pools.choices[*choices as usize].tests.iter().filter_map(|left| match left {
                        Left::Test(test) => Some(*test),
                        Left::Unknown | Left::Nothing => None,
                    }));
                }
            }
        }
    }
    reached
}

/// Whether a function asks whatever happens, and not chance: native code would always have to give up.
pub fn asks_at_once(function: &Function) -> bool {
    let plain = function.code.iter().map(effects).take_while(|effects| effects.goes == Goes::On);
    plain.into_iter().any(|effects| effects.asks && !effects.chance)
}

/// Where a function itself may refuse by a law or take back the action, in the order of its code.
pub fn refusals(function: &Function) -> impl Iterator<Item = RuleId> {
    function.code.iter().filter_map(|op| match *op {
        Op::Refuse { rule, .. } | Op::Rollback { rule, .. } => Some(rule),
        _ => None,
    })
}

/// The action that a law is about which says no more than that nobody may who can make that one: “who can jump must
/// jump”.
pub fn forbidding(program: &Program, law: FuncId) -> Option<usize> {
    let code = &program.functions[law as usize].code;
    let mut said = code
        .iter()
        .enumerate()
        .filter(|(_, op)| !matches!(op, Op::Const { .. } | Op::SkipRule { .. } | Op::EnterRule { .. } | Op::LeaveRule));
    let (_, &Op::Player { dst: acting }) = said.next()? else { return None };
    let (_, &Op::Can { dst: found, label, player }) = said.next()? else { return None };
    let (_, &Op::JumpNil { src, to }) = said.next()? else { return None };
    let (refusing, Op::Refuse { .. }) = said.next()? else { return None };
    let (_, Op::Return { .. }) = said.next()? else { return None };
    if said.next().is_some() || player != acting || src != found || to as usize != refusing + 1 {
        return None;
    }
    let mut actions = program.actions.iter().enumerate().filter(|(_, action)| action.label == label);
    let (action, _) = actions.next()?;
    actions.next().is_none().then_some(action)
}

/// Whether a function is called again by something it calls.
fn reaches(calls: &[Vec<FuncId>], from: FuncId) -> bool {
    let mut seen = vec![false; calls.len()];
    let mut open = calls[from as usize].clone();
    while let Some(next) = open.pop() {
        if next == from {
            return true;
        }
        if !std::mem::replace(&mut seen[next as usize], true) {
            open.extend_from_slice(&calls[next as usize]);
        }
    }
    false
}

/// Every function an instruction may enter.
pub fn called(program: &Program, op: &Op, callees: &mut Vec<FuncId>) {
    let mut answers = |name: &NameId| {
        if let Some(by_kind) = program.answers.get(name) {
            callees.extend(by_kind.iter().flatten().filter_map(|answer| match answer {
                Answer::Define(func) => Some(*func),
                _ => None,
            }));
        }
    };
    match op {
        Op::GetOf { name, .. } | Op::GetIfHas { name, .. } => answers(name),
        Op::GetNamed { .. } => program.answers.keys().for_each(answers),
        Op::Call { func, .. } => callees.push(*func),
        Op::CallOf { name, .. } => {
            callees.extend(program.asked.get(name).into_iter().flatten().flatten().map(|(func, _)| *func));
        }
        Op::Send { send, .. } => match program.pools.sends[*send as usize].label {
            LabelRef::Known(label) => handlers(program, label, callees),
            LabelRef::Computed(_) => all_handlers(program, callees),
        },
        Op::SendValue { .. } => all_handlers(program, callees),
        Op::Forward { message, .. } => handlers(program, program.pools.received[*message as usize].label, callees),
        Op::Win { .. } => handlers(program, program.gameover, callees),
        _ => {}
    }
}

fn all_handlers(program: &Program, callees: &mut Vec<FuncId>) {
    for label in 0..program.labels.len() {
        handlers(program, label as LabelId, callees);
    }
}

fn handlers(program: &Program, label: LabelId, callees: &mut Vec<FuncId>) {
    for handler in &program.handlers[label as usize] {
        match handler {
            Handler::None => {}
            Handler::Single(woven) => callees.push(woven.full),
            Handler::ByState(states) => callees.extend(states.iter().flatten().map(|woven| woven.full)),
        }
    }
}
