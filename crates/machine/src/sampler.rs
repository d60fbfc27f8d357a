//! Drawing a random action with attributes without listing them all.
//!
//! Each receiver stands for as many tickets as its attributes could have combinations at most. A ticket is drawn; if
//! its combination does not exist, or a law refuses it, another is drawn. So every legal choice is equally likely, and
//! nothing is listed but the attributes of the receiver drawn.

use crate::code::*;
use crate::program::{Handler, Program, Receivers};
use crate::value::{Kinded, Value};
use crate::vm::Machine;
use crate::world::{DirId, EntityId, KindId};
use std::collections::BTreeMap;

/// A receiver with more tickets than this is not worth drawing.
const MOST_TICKETS: u64 = 1 << 20;
/// So many things may be made before a bound that counts them no longer holds.
const MADE_ALLOWED: u32 = 16;

/// Bounds found so far.
#[derive(Default)]
struct Known {
    of: BTreeMap<FuncId, Option<u32>>,
    /// Some bound counts the things of a kind that can be made.
    counts_things: bool,
}

#[derive(Debug, Default)]
pub struct Sampler {
    /// The actions that can be drawn, and to which kind they go; none: to the game.
    actions: Vec<(u16, Option<KindId>)>,
    /// For each action and kind the most values of each attribute; none if the kind does not receive it.
    most: Vec<Vec<Option<Vec<u32>>>>,
    /// The bounds hold until more things than this have been made.
    most_made: u64,
}

/// Receivers that can be drawn, each with its last ticket.
#[derive(Clone, Debug, Default)]
pub struct Tickets {
    upto: Vec<(u64, u16, EntityId)>,
}

/// What a ticket stands for.
#[derive(Clone, Copy, Debug)]
pub struct Ticket {
    pub action: u16,
    pub receiver: EntityId,
    /// Which combination of attributes.
    pub combination: u64,
}

impl Tickets {
    pub fn clear(&mut self) {
        self.upto.clear();
    }

    pub fn push(&mut self, action: u16, receiver: EntityId, tickets: u64) {
        self.upto.push((self.len() + tickets, action, receiver));
    }

    pub fn len(&self) -> u64 {
        self.upto.last().map_or(0, |&(upto, ..)| upto)
    }

    pub fn get(&self, number: u64) -> Ticket {
        let at = self.upto.partition_point(|&(upto, ..)| upto <= number);
        let before = if at == 0 { 0 } else { self.upto[at - 1].0 };
        let (_, action, receiver) = self.upto[at];
        Ticket { action, receiver, combination: number - before }
    }
}

impl Sampler {
    /// None where some attribute could have any number of values.
    pub fn of(program: &Program) -> Option<Sampler> {
        let mut sampler = Sampler { most_made: u64::MAX, ..Sampler::default() };
        let mut known = Known::default();
        for (at, action) in program.actions.iter().enumerate() {
            let mut by_kind = vec![None; program.world.kinds.len()];
            if !action.when_asked {
                let wanted = match action.to {
                    Receivers::Game => None,
                    Receivers::Kind(kind) => Some(kind),
                    Receivers::Computed(_) => return None,
                };
                if program.labels[action.label as usize].attributes.len() >= crate::native::MOST_ARGS {
                    return None;
                }
                sampler.actions.push((at as u16, wanted));
                for (kind, most) in by_kind.iter_mut().enumerate() {
                    let receives = match wanted {
                        None => kind == crate::world::GAME_KIND as usize,
                        Some(wanted) => program.is_a[kind][wanted as usize],
                    };
                    if receives && !matches!(program.handlers[action.label as usize][kind], Handler::None) {
                        let bounds = action
                            .with
                            .iter()
                            .map(|(_, funcs)| most_members(program, funcs[kind]?, &mut known))
                            .collect::<Option<Vec<u32>>>()?;
                        let tickets = bounds.iter().try_fold(1u64, |n, &most| n.checked_mul(u64::from(most)))?;
                        if tickets > MOST_TICKETS {
                            return None;
                        }
                        *most = Some(bounds);
                    }
                }
            }
            sampler.most.push(by_kind);
        }
        if known.counts_things {
            sampler.most_made = u64::from(MADE_ALLOWED);
        }
        Some(sampler)
    }

    pub fn holds(&self, made: u64) -> bool {
        made <= self.most_made
    }

    pub fn actions(&self) -> &[(u16, Option<KindId>)] {
        &self.actions
    }

    /// The most values of each attribute for a kind.
    pub fn most(&self, action: u16, kind: KindId) -> Option<&[u32]> {
        self.most[action as usize][kind as usize].as_deref()
    }
}

impl Machine {
    /// Whether a thing can receive actions now, and stands for itself.
    pub fn may_be_drawn(&self, program: &Program, receiver: EntityId) -> bool {
        !self.is_gone(program, receiver) && !self.has_twin_before(program, receiver)
    }

    /// The member of a value's list with this number, unless an equal one stands before it.
    pub fn drawn_member(&self, program: &Program, value: Value, at: usize) -> Option<Value> {
        let drawn = match value.kinded() {
            Kinded::List(list) => {
                let members = self.mem.members(list);
                let drawn = Value(*members.get(at)?);
                if members[..at].iter().any(|&other| self.equal(Value(other), drawn)) {
                    return None;
                }
                drawn
            }
            Kinded::Kind(kind) => Value::entity(*self.things(program, kind).get(at)?),
            Kinded::Nil => return None,
            _ if at == 0 => value,
            _ => return None,
        };
        match drawn.as_entity() {
            Some(entity) if self.has_twin_before(program, entity) => None,
            _ => Some(drawn),
        }
    }
}

/// What is known of a register: the most members it can have as a list of values, and the greatest number it can be.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Bound {
    members: Option<u32>,
    number: Option<i64>,
}

const UNKNOWN: Bound = Bound { members: None, number: None };
const SINGLE: Bound = Bound { members: Some(1), number: None };

fn members(n: u32) -> Bound {
    Bound { members: Some(n), number: None }
}

/// The most members a function's value can have.
fn most_members(program: &Program, func: FuncId, known: &mut Known) -> Option<u32> {
    if let Some(&most) = known.of.get(&func) {
        return most;
    }
    // A function that calls itself has no bound.
    known.of.insert(func, None);
    let most = bound(program, &program.functions[func as usize], known);
    known.of.insert(func, most);
    most
}

fn bound(program: &Program, function: &Function, known: &mut Known) -> Option<u32> {
    let n_regs = function.n_regs.max(function.n_args).max(1) as usize;
    let mut states: Vec<Option<Vec<Bound>>> = vec![None; function.code.len() + 1];
    let mut first = vec![UNKNOWN; n_regs];
    first[0] = SINGLE;
    states[0] = Some(first);
    let mut result: u32 = 0;
    for pc in 0..function.code.len() {
        let op = function.code[pc];
        let Some(mut state) = states[pc].take() else { continue };
        let operands = crate::native::operands(&op, &program.pools);
        let value = value(program, &op, &state, known);
        if let Some(dst) = operands.dst {
            state[dst as usize] = value;
        }
        match op {
            Op::Return { src } => result = result.max(state[src as usize].members?),
            // Loops could gather without end.
            Op::Next { .. } | Op::Suppose { .. } => return None,
            _ => {}
        }
        let next = op.target().map(|to| to as usize).into_iter().chain(op.falls_through().then_some(pc + 1));
        for to in next {
            if to <= pc {
                return None;
            }
            match &mut states[to] {
                Some(known) => known.iter_mut().zip(&state).for_each(|(known, new)| *known = either(*known, *new)),
                none => *none = Some(state.clone()),
            }
        }
    }
    Some(result)
}

fn either(a: Bound, b: Bound) -> Bound {
    let most = |a: Option<u32>, b: Option<u32>| Some(a?.max(b?));
    Bound { members: most(a.members, b.members), number: a.number.and_then(|a| Some(a.max(b.number?))) }
}

fn value(program: &Program, op: &Op, state: &[Bound], known: &mut Known) -> Bound {
    let reg = |reg: Reg| state[reg as usize];
    match *op {
        Op::Const { value, .. } => match value.kinded() {
            Kinded::Whole(number) => Bound { members: Some(1), number: Some(number) },
            Kinded::List(_) | Kinded::Dictionary(_) => UNKNOWN,
            Kinded::Kind(kind) => of_kind(program, kind, known),
            _ => SINGLE,
        },
        Op::Move { src, .. } | Op::Members { src, .. } | Op::Different { list: src, .. } => reg(src),
        Op::Call { func, .. } => Bound { members: most_members(program, func, known), number: None },
        Op::GetOf { name, .. } => {
            let mut all: Option<Bound> = None;
            for answer in program.answers.get(&name).into_iter().flatten().flatten() {
                let one = match answer {
                    Answer::Define(func) => Bound { members: most_members(program, *func, known), number: None },
                    Answer::Direction(_) | Answer::Relative(_) => SINGLE,
                    Answer::Set(set) => members(around(program, *set)),
                    Answer::RelativeSet(set) => members(program.relative_sets[*set as usize].len() as u32),
                    Answer::Field(Field::Contents) | Answer::Property(_) => UNKNOWN,
                    Answer::Field(_) => SINGLE,
                };
                all = Some(all.map_or(one, |all| either(all, one)));
            }
            all.unwrap_or(SINGLE)
        }
        Op::List { n, .. } => members(u32::from(n)),
        Op::Join { first, n, .. } => {
            Bound { members: (first..first + n).map(|at| reg(at).members).sum(), number: None }
        }
        Op::StepSet { set, .. } => members(around(program, set)),
        Op::StepRelativeSet { set, .. } => members(program.relative_sets[set as usize].len() as u32),
        Op::Leap { .. } => members(8),
        Op::Walk { walk, .. } => {
            let walk = &program.pools.walks[walk as usize];
            let most = walk.most.map_or(i64::MAX, |most| reg(most).number.unwrap_or(i64::MAX)).max(0) as u64;
            let most = most.min(u64::from(u32::MAX)) as u32;
            match &walk.ways {
                Ways::Set(set) => members(rays(program, Some(*set), most)),
                Ways::Direction(_) | Ways::Relative(_) => members(rays(program, None, most)),
                Ways::RelativeSet(set) => {
                    members(rays(program, None, most) * program.relative_sets[*set as usize].len() as u32)
                }
                Ways::Value(_) => UNKNOWN,
            }
        }
        Op::Look { look, .. } => {
            let look = &program.pools.looks[look as usize];
            match (look.quantifier, look.domain) {
                (Quantifier::All | Quantifier::Most | Quantifier::Least, Domain::Reg(list)) => {
                    Bound { number: None, ..reg(list) }
                }
                (Quantifier::All | Quantifier::Most | Quantifier::Least, Domain::Kind(kind)) => {
                    of_kind(program, kind, known)
                }
                (Quantifier::Any, Domain::Kind(_)) => SINGLE,
                (Quantifier::Every | Quantifier::None | Quantifier::Count | Quantifier::Sum, _) => SINGLE,
                _ => UNKNOWN,
            }
        }
        Op::Group { .. } | Op::Border { .. } | Op::Between { .. } => {
            members(program.world.boards.iter().map(|board| board.n).max().unwrap_or(0))
        }
        Op::Step { .. } | Op::StepRelative { .. } | Op::Player { .. } | Op::Opponent { .. } => SINGLE,
        Op::Eq { .. } | Op::Ne { .. } | Op::Lt { .. } | Op::Le { .. } | Op::Not { .. } | Op::IsA { .. } => SINGLE,
        Op::IsIn { .. } | Op::Add { .. } | Op::Sub { .. } | Op::Mul { .. } | Op::Mod { .. } => SINGLE,
        Op::GetField { field, .. } if field != Field::Contents && field != Field::Team => SINGLE,
        _ => UNKNOWN,
    }
}

/// The things of a kind, those made in play included.
fn of_kind(program: &Program, kind: KindId, known: &mut Known) -> Bound {
    let n = program.extents[kind as usize].things.len() as u32;
    let board = program.world.boards.iter().any(|board| board.kind == kind);
    match program.layout.made_stride > 1 && !board {
        true => {
            known.counts_things = true;
            members(n + MADE_ALLOWED)
        }
        false => members(n),
    }
}

/// The most places around any place, in the directions of a set.
fn around(program: &Program, set: u16) -> u32 {
    let entities = 0..program.world.entities.len() as EntityId;
    entities.map(|from| program.ahead.around(set, from).len() as u32).max().unwrap_or(0)
}

/// The most places on all rays of a set from any place, or on the longest ray there is; `most` on each.
fn rays(program: &Program, set: Option<u16>, most: u32) -> u32 {
    let ray = |way: DirId, from: EntityId| {
        let (mut n, mut place) = (0, program.ahead.step(way, from));
        while place != crate::world::NOBODY && place != from && n < most {
            n += 1;
            place = program.ahead.step(way, place);
            if n as usize > program.world.entities.len() {
                break;
            }
        }
        n
    };
    let mut longest = 0;
    for (from, thing) in program.world.entities.iter().enumerate() {
        let Some(board) = thing.board.map(usize::from) else { continue };
        let from = from as EntityId;
        let n = match set {
            Some(set) => program.sets[set as usize][board].iter().map(|&way| ray(way, from)).sum(),
            None => (0..program.world.directions.names.len()).map(|way| ray(way as DirId, from)).max().unwrap_or(0),
        };
        longest = longest.max(n);
    }
    longest
}
