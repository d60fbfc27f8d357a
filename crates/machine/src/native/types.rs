//! Which kinds of value each register can hold at each instruction.

use super::operands;
use crate::code::*;
use crate::program::Program;
use crate::value::{Kinded, Value};

/// A set of kinds of value.
pub type Mask = u16;

pub const NIL: Mask = 1;
pub const TRUE: Mask = 2;
pub const WHOLE: Mask = 4;
pub const DECIMAL: Mask = 8;
pub const ENTITY: Mask = 16;
pub const TEXT: Mask = 32;
pub const DIRECTION: Mask = 64;
pub const KIND: Mask = 128;
pub const LIST: Mask = 256;
pub const DICTIONARY: Mask = 512;
pub const MESSAGE: Mask = 1024;
pub const ANY: Mask = 2047;
pub const HEAP: Mask = LIST | DICTIONARY | MESSAGE;
const TRUTH: Mask = NIL | TRUE;
const NUMBER: Mask = WHOLE | DECIMAL;

pub fn of_value(value: Value) -> Mask {
    match value.kinded() {
        Kinded::Nil => NIL,
        Kinded::True => TRUE,
        Kinded::Whole(_) => WHOLE,
        Kinded::Decimal(_) => DECIMAL,
        Kinded::Entity(_) => ENTITY,
        Kinded::Text(_) => TEXT,
        Kinded::Direction(_) => DIRECTION,
        Kinded::Kind(_) => KIND,
        Kinded::List(_) => LIST,
        Kinded::Dictionary(_) => DICTIONARY,
        Kinded::Message(_) => MESSAGE,
    }
}

/// The registers before each instruction; none where nothing arrives.
pub type States = Vec<Option<Vec<Mask>>>;

pub fn infer(program: &Program, function: &Function) -> States {
    let n = function.n_regs.max(function.n_args).max(1) as usize;
    let mut states: States = vec![None; function.code.len() + 1];
    let mut first = vec![NIL; n];
    first[..function.n_args as usize].fill(ANY);
    first[0] = ENTITY | NIL;
    let mut open = Vec::new();
    flow(&mut states, &mut open, 0, &first);
    while let Some(pc) = open.pop() {
        let Some(op) = function.code.get(pc) else { continue };
        let mut state = states[pc].clone().expect("only what was reached is open");
        let operands = operands::of(op, &program.pools);
        for block in &operands.blocks {
            let mut inside = state.clone();
            inside[block.it as usize] = match op {
                Op::Look { look, .. } if matches!(program.pools.looks[*look as usize].domain, Domain::Kind(_)) => {
                    ENTITY
                }
                Op::Walk { .. } | Op::Group { .. } | Op::Line { .. } | Op::Finish { .. } => ENTITY,
                _ => ANY,
            };
            flow(&mut states, &mut open, block.start as usize, &inside);
        }
        let value = result(program, op, &state);
        if let Some(dst) = operands.dst {
            state[dst as usize] = value;
        }
        match *op {
            Op::Jump { to } => flow(&mut states, &mut open, to as usize, &state),
            Op::JumpNil { src, to } => {
                let mut nil = state.clone();
                nil[src as usize] = NIL;
                flow(&mut states, &mut open, to as usize, &nil);
                state[src as usize] &= !NIL;
                flow(&mut states, &mut open, pc + 1, &state);
            }
            Op::JumpSome { src, to } => {
                let mut some = state.clone();
                some[src as usize] &= !NIL;
                flow(&mut states, &mut open, to as usize, &some);
                state[src as usize] = NIL;
                flow(&mut states, &mut open, pc + 1, &state);
            }
            Op::JumpList { to, .. }
            | Op::JumpEq { to, .. }
            | Op::JumpNe { to, .. }
            | Op::JumpLess { to, .. }
            | Op::JumpNotLess { to, .. }
            | Op::SkipRule { to, .. } => {
                flow(&mut states, &mut open, to as usize, &state);
                flow(&mut states, &mut open, pc + 1, &state);
            }
            Op::GetIfHas { missing, .. } => {
                flow(&mut states, &mut open, missing as usize, &state);
                flow(&mut states, &mut open, pc + 1, &state);
            }
            Op::Next { at, end, .. } => {
                flow(&mut states, &mut open, end as usize, &state);
                state[at as usize] = WHOLE;
                flow(&mut states, &mut open, pc + 1, &state);
            }
            Op::Suppose { end, .. } => flow(&mut states, &mut open, end as usize, &state),
            Op::Return { .. } | Op::BlockEnd { .. } | Op::Refuse { .. } | Op::Rollback { .. } => {}
            _ => flow(&mut states, &mut open, pc + 1, &state),
        }
    }
    states
}

fn flow(states: &mut States, open: &mut Vec<usize>, to: usize, state: &[Mask]) {
    match &mut states[to] {
        Some(known) => {
            let mut changed = false;
            for (known, &new) in known.iter_mut().zip(state) {
                changed |= new & !*known != 0;
                *known |= new;
            }
            if changed {
                open.push(to);
            }
        }
        none => {
            *none = Some(state.to_vec());
            open.push(to);
        }
    }
}

fn result(program: &Program, op: &Op, state: &[Mask]) -> Mask {
    match *op {
        Op::Const { value, .. } => of_value(value),
        Op::Move { src, .. } => state[src as usize],
        Op::Player { .. } | Op::FirstPlayer { .. } => ENTITY,
        Op::New { .. } => ENTITY,
        Op::Opponent { .. } | Op::Step { .. } | Op::StepRelative { .. } => ENTITY | NIL,
        Op::GetField { field, .. } => match field {
            Field::Row | Field::Column | Field::Number => WHOLE | NIL,
            Field::Top | Field::Next | Field::Previous => ENTITY | NIL,
            Field::Empty => TRUTH,
            Field::Kind => KIND | NIL,
            Field::Name => TEXT | NIL,
            Field::Contents | Field::Team => LIST | NIL,
        },
        Op::Add { .. } | Op::Sub { .. } | Op::Mul { .. } | Op::Div { .. } | Op::Mod { .. } => NUMBER,
        Op::Floor { .. } | Op::Abs { .. } => NUMBER,
        Op::Eq { .. } | Op::Ne { .. } | Op::Lt { .. } | Op::Le { .. } | Op::Not { .. } => TRUTH,
        Op::IsIn { .. } | Op::IsA { .. } | Op::Can { .. } => TRUTH,
        Op::Players { .. }
        | Op::StepSet { .. }
        | Op::StepRelativeSet { .. }
        | Op::List { .. }
        | Op::Range { .. }
        | Op::FirstN { .. }
        | Op::Join { .. }
        | Op::Different { .. }
        | Op::Members { .. }
        | Op::Walk { .. }
        | Op::Group { .. }
        | Op::Border { .. }
        | Op::Between { .. }
        | Op::Leap { .. }
        | Op::DirectionList { .. }
        | Op::Choices { .. } => LIST,
        Op::Line { .. } => LIST | NIL,
        Op::Seen { .. } => WHOLE,
        Op::Look { look, .. } => {
            let look = &program.pools.looks[look as usize];
            match look.quantifier {
                Quantifier::Every | Quantifier::None => TRUTH,
                Quantifier::Any if matches!(look.domain, Domain::Kind(_)) => ENTITY | NIL,
                Quantifier::Count => WHOLE,
                Quantifier::Sum => NUMBER,
                Quantifier::All | Quantifier::Most | Quantifier::Least => LIST,
                _ => ANY,
            }
        }
        _ => ANY,
    }
}
