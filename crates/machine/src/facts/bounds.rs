//! How many values what a function gives can stand for at most.

use super::reader;
use crate::code::*;
use crate::program::Program;
use crate::value::{Kinded, Value};
use crate::world::{DirId, EntityId, KindId};
use std::collections::BTreeMap;

/// Bounds found so far.
pub(crate) type Known = BTreeMap<FuncId, Option<u32>>;

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
pub(crate) fn most_members(program: &Program, func: FuncId, known: &mut Known) -> Option<u32> {
    if let Some(&most) = known.get(&func) {
        return most;
    }
    // A function that calls itself has no bound.
    known.insert(func, None);
    let most = bound(program, &program.functions[func as usize], known);
    known.insert(func, most);
    most
}

fn bound(program: &Program, function: &Function, known: &mut Known) -> Option<u32> {
    let mut first = vec![UNKNOWN; reader::n_regs(function)];
    first[0] = SINGLE;
    let states = reader::flow(function, &program.pools, first, &mut Bounds { program, known })?;
    function.code.iter().zip(&states).try_fold(0, |most: u32, (op, state)| match (op, state) {
        (&Op::Return { src }, Some(regs)) => Some(most.max(regs[src as usize].members?)),
        _ => Some(most),
    })
}

/// How many values a register can stand for at most.
struct Bounds<'a> {
    program: &'a Program,
    known: &'a mut Known,
}

impl reader::Domain for Bounds<'_> {
    type Sign = Bound;

    fn constant(&mut self, value: Value) -> Bound {
        match value.kinded() {
            Kinded::Whole(number) => Bound { members: Some(1), number: Some(number) },
            Kinded::List(_) | Kinded::Dictionary(_) => UNKNOWN,
            Kinded::Kind(kind) => of_kind(self.program, kind),
            _ => SINGLE,
        }
    }

    fn sign(&mut self, op: &Op, regs: &[Bound]) -> Option<Bound> {
        // Loops could gather without end.
        match op {
            Op::Next { .. } | Op::Suppose { .. } => None,
            _ => Some(value(self.program, op, regs, self.known)),
        }
    }

    fn either(&mut self, one: &Bound, other: &Bound) -> Bound {
        either(*one, *other)
    }
}

fn either(a: Bound, b: Bound) -> Bound {
    let most = |a: Option<u32>, b: Option<u32>| Some(a?.max(b?));
    Bound { members: most(a.members, b.members), number: a.number.and_then(|a| Some(a.max(b.number?))) }
}

fn value(program: &Program, op: &Op, state: &[Bound], known: &mut Known) -> Bound {
    let reg = |reg: Reg| state[reg as usize];
    match *op {
        Op::Members { src, .. } | Op::Different { list: src, .. } => reg(src),
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
        Op::DirectionList { directions, .. } => {
            let n = |ways: &Ways| match ways {
                Ways::Set(set) => program.sets[*set as usize].first().map_or(0, Vec::len) as u32,
                Ways::RelativeSet(set) => program.relative_sets[*set as usize].len() as u32,
                Ways::Direction(_) | Ways::Relative(_) | Ways::Value(_) => 1,
            };
            members(program.pools.directions[directions as usize].iter().map(n).sum())
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
                Ways::Value(ways) => match reg(*ways).members {
                    Some(n) => members(rays(program, None, most) * n),
                    None => UNKNOWN,
                },
            }
        }
        Op::Look { look, .. } => {
            let look = &program.pools.looks[look as usize];
            match (look.quantifier, look.domain) {
                (Quantifier::All | Quantifier::Most | Quantifier::Least, Domain::Reg(list)) => {
                    Bound { number: None, ..reg(list) }
                }
                (Quantifier::All | Quantifier::Most | Quantifier::Least, Domain::Kind(kind)) => of_kind(program, kind),
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

/// The things of a kind, unless more can be made in play.
fn of_kind(program: &Program, kind: KindId) -> Bound {
    let board = program.world.boards.iter().any(|board| board.kind == kind);
    match program.layout.made_stride > 1 && !board {
        true => UNKNOWN,
        false => members(program.extents[kind as usize].things.len() as u32),
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
