//! What is known about each function before it becomes native code.

use crate::code::*;
use crate::program::{Handler, Program};

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
}

pub fn of(program: &Program) -> Vec<Facts> {
    let n = program.functions.len();
    let mut facts = vec![Facts::default(); n];
    let mut calls: Vec<Vec<FuncId>> = Vec::with_capacity(n);
    for (at, function) in program.functions.iter().enumerate() {
        let mut callees = Vec::new();
        for op in &function.code {
            facts[at].stops |= asks(op);
            facts[at].writes |= writes(op);
            facts[at].turns |= turns(op);
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
    }
    facts
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

fn asks(op: &Op) -> bool {
    matches!(
        op,
        Op::Roll { .. }
            | Op::RandomOf { .. }
            | Op::Random { .. }
            | Op::Shuffle { .. }
            | Op::Ask { .. }
            | Op::Let { .. }
            | Op::Wait { .. }
    )
}

fn turns(op: &Op) -> bool {
    matches!(
        op,
        Op::SetPlayers { .. } | Op::EndTurn { .. } | Op::Lose { .. } | Op::Finish { .. } | Op::SendValue { .. }
    )
}

fn writes(op: &Op) -> bool {
    matches!(
        op,
        Op::SetPlayers { .. }
            | Op::SetProp { .. }
            | Op::SetSlot { .. }
            | Op::SetNamed { .. }
            | Op::ChangeState { .. }
            | Op::SendValue { .. }
            | Op::Rollback { .. }
            | Op::OpenCheckpoint
            | Op::MoveTo { .. }
            | Op::New { .. }
            | Op::Remove { .. }
            | Op::EndTurn { .. }
            | Op::Again
            | Op::Win { .. }
            | Op::SetOutcome { .. }
            | Op::Lose { .. }
            | Op::Draw
            | Op::Finish { .. }
            | Op::Say { .. }
    )
}

/// Every function an instruction may enter.
fn called(program: &Program, op: &Op, callees: &mut Vec<FuncId>) {
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
