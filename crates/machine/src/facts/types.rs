//! Which kinds of value each register can hold at each instruction.

use super::operands;
use crate::code::*;
use crate::program::Program;
use crate::value::{Kinded, Value};
use crate::world::{DirId, EntityId, NOBODY};

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
/// What a message goes to each of.
pub const LISTS: Mask = LIST | KIND;
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

/// What a register can hold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Known {
    pub mask: Mask,
    /// It holds one of a row of things of the start, from one on to before another.
    pub row: Option<Row>,
}

pub type Row = (EntityId, EntityId);

impl Known {
    pub const ANYTHING: Known = Known { mask: ANY, row: None };

    pub const fn only(mask: Mask) -> Known {
        Known { mask, row: None }
    }

    pub fn among(row: Option<Row>) -> Known {
        Known { mask: if row.is_some() { ENTITY } else { ENTITY | NIL }, row }
    }

    /// One or the other. Of two rows only the board around both is known: rows that grow by one thing at a time would take
    /// as long as a board is large.
    fn or(self, other: Known, program: &Program) -> Known {
        let row = match (self.row, other.row) {
            (one, other) if one == other => one,
            (Some((a, b)), Some((c, d))) => {
                let mut boards = program.world.boards.iter().map(|board| (board.first, board.first + board.n));
                boards.find(|&(first, end)| first <= a.min(c) && b.max(d) <= end)
            }
            _ => None,
        };
        Known { mask: self.mask | other.mask, row }
    }
}

/// The registers before each instruction; none where nothing arrives.
pub type States = Vec<Option<Vec<Known>>>;

/// So deep it is asked what a function that is called gives back.
const DEEPEST: u32 = 2;
/// Of longer functions it is not asked.
const LONGEST: usize = 24;

/// What is known where a function is called with arguments of which this much is known.
pub fn infer(program: &Program, function: &Function, args: &[Known]) -> States {
    infer_within(program, function, args, DEEPEST)
}

fn infer_within(program: &Program, function: &Function, args: &[Known], deep: u32) -> States {
    let n = function.n_regs.max(function.n_args).max(1) as usize;
    let mut states: States = vec![None; function.code.len() + 1];
    let mut first = vec![Known::only(NIL); n];
    first[..function.n_args as usize].fill(Known::ANYTHING);
    first[0] = Known::among(None);
    for (known, given) in first.iter_mut().zip(args) {
        *known = *given;
    }
    let mut open = Vec::new();
    let flow = |states: &mut States, open: &mut Vec<usize>, to: usize, state: &[Known]| {
        flow(program, states, open, to, state);
    };
    flow(&mut states, &mut open, 0, &first);
    while let Some(pc) = open.pop() {
        let Some(op) = function.code.get(pc) else { continue };
        let mut state = states[pc].clone().expect("only what was reached is open");
        let operands = operands(op, &program.pools);
        for block in &operands.blocks {
            let mut inside = state.clone();
            inside[block.it as usize] = match op {
                Op::Look { look, .. } if matches!(program.pools.looks[*look as usize].domain, Domain::Kind(_)) => {
                    Known::only(ENTITY)
                }
                Op::Walk { .. } | Op::WalkLines { .. } | Op::Group { .. } | Op::Line { .. } | Op::Finish { .. } => {
                    Known::only(ENTITY)
                }
                _ => Known::ANYTHING,
            };
            if let Some(here) = operands.here {
                inside[here as usize] = Known::ANYTHING;
            }
            flow(&mut states, &mut open, block.start as usize, &inside);
        }
        let value = match *op {
            Op::Call { func, first, n, .. } => {
                let args = &state[first as usize..(first + n) as usize];
                given_back(program, &program.functions[func as usize], args, deep)
            }
            _ => Known { mask: result(program, op, &state), row: row(program, op, &state) },
        };
        if let Some(dst) = operands.dst {
            state[dst as usize] = value;
        }
        match *op {
            Op::Jump { to } => flow(&mut states, &mut open, to as usize, &state),
            Op::JumpNil { src, to } => {
                let mut nil = state.clone();
                nil[src as usize] = Known::only(NIL);
                flow(&mut states, &mut open, to as usize, &nil);
                state[src as usize].mask &= !NIL;
                flow(&mut states, &mut open, pc + 1, &state);
            }
            Op::JumpSome { src, to } => {
                let mut some = state.clone();
                some[src as usize].mask &= !NIL;
                flow(&mut states, &mut open, to as usize, &some);
                state[src as usize] = Known::only(NIL);
                flow(&mut states, &mut open, pc + 1, &state);
            }
            Op::JumpList { src, .. } if state[src as usize].mask & LISTS == 0 => {
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
                state[at as usize] = Known::only(WHOLE);
                flow(&mut states, &mut open, pc + 1, &state);
            }
            Op::Suppose { end, .. } => flow(&mut states, &mut open, end as usize, &state),
            Op::Return { .. } | Op::BlockEnd { .. } | Op::Refuse { .. } | Op::Rollback { .. } => {}
            _ => flow(&mut states, &mut open, pc + 1, &state),
        }
    }
    states
}

/// What a function gives back, where that is quickly found out.
fn given_back(program: &Program, function: &Function, args: &[Known], deep: u32) -> Known {
    if deep == 0 || function.code.len() > LONGEST {
        return Known::ANYTHING;
    }
    // Who is asked is a thing or nothing; what else it might be is not known here.
    let asked = args.first().map(|asked| Known::among(asked.row));
    let args: Vec<Known> = asked.into_iter().chain(args.iter().skip(1).copied()).collect();
    let states = infer_within(program, function, &args, deep - 1);
    let falls_off = states[function.code.len()].is_some().then_some(Known::only(NIL));
    let returns = function.code.iter().zip(&states).filter_map(|(op, state)| match (op, state) {
        (&Op::Return { src }, Some(state)) => Some(state[src as usize]),
        // Inside an action a law stops its own message only, quietly.
        (Op::Refuse { .. }, Some(_)) => Some(Known::only(NIL)),
        _ => None,
    });
    let given = falls_off.into_iter().chain(returns).reduce(|one, other| one.or(other, program));
    given.unwrap_or(Known::ANYTHING)
}

fn flow(program: &Program, states: &mut States, open: &mut Vec<usize>, to: usize, state: &[Known]) {
    match &mut states[to] {
        Some(known) => {
            let mut changed = false;
            for (known, &new) in known.iter_mut().zip(state) {
                let both = known.or(new, program);
                changed |= both != *known;
                *known = both;
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

/// The row of things that the value of an instruction is one of.
fn row(program: &Program, op: &Op, state: &[Known]) -> Option<Row> {
    match *op {
        Op::Const { value, .. } => {
            let thing = value.as_entity().filter(|&thing| thing < program.layout.first_made)?;
            Some((thing, thing + 1))
        }
        Op::Move { src, .. } => state[src as usize].row,
        Op::Step { entity, direction, .. } => steps(program, direction, state[entity as usize].row?),
        _ => None,
    }
}

/// Where a step leads from a row of things, if it leads somewhere from each of them.
fn steps(program: &Program, direction: DirId, (from, to): Row) -> Option<Row> {
    let mut reached: Option<Row> = None;
    for thing in from..to {
        let place = program.world.directions.step(direction, thing);
        if place == NOBODY {
            return None;
        }
        let (first, end) = reached.unwrap_or((place, place + 1));
        reached = Some((first.min(place), end.max(place + 1)));
    }
    reached
}

fn result(program: &Program, op: &Op, state: &[Known]) -> Mask {
    match *op {
        Op::Const { value, .. } => of_value(value),
        Op::Move { src, .. } => state[src as usize].mask,
        Op::Player { .. } | Op::FirstPlayer { .. } => ENTITY,
        Op::New { .. } => ENTITY,
        Op::Step { .. } if row(program, op, state).is_some() => ENTITY,
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
        | Op::WalkLines { .. }
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
