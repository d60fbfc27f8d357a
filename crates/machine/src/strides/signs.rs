//! What code says of all places of a board at once.
//!
//! Code that finds where a thing can go, or judges it, is followed with a thing that stands on any place: what is known
//! whatever place it is stays a value, and what is not becomes a question about sets of places. Where the code parts, both
//! ways are followed; each end is a list of questions and their answers.

use crate::code::*;
use crate::layout;
use crate::program::Program;
use crate::value::{Kinded, Value};
use crate::world::{BoardInfo, DirId, EntityId, NOBODY};

/// Code with more ways through it than this is not followed.
const MOST_STEPS: u32 = 2_000;
const MOST_DEEP: u32 = 6;

/// A place equally far from the one where the thing stands, whichever that is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    pub offset: i32,
    /// The places from which there is such a place.
    pub exists: u64,
}

/// Which places there are in question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Something lies there.
    Filled,
    /// Something of this seat lies there on top.
    Of(u8),
}

/// Whether what lies on a spot is such.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    pub source: Source,
    pub spot: Spot,
}

/// For the places of the mask: all these questions have these answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    pub mask: u64,
    pub answers: Vec<(Question, bool)>,
}

/// A place that a thing can go to or act on, and when: if one of the terms holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    pub spot: Spot,
    pub terms: Vec<Term>,
}

/// Who acts, in which state; the thing is his.
#[derive(Clone, Copy)]
pub struct Signs<'a> {
    pub program: &'a Program,
    pub board: &'a BoardInfo,
    pub seat: u8,
    pub state: Value,
}

#[derive(Clone, Debug)]
enum Sign {
    Known(Value),
    Me,
    Spot(Spot),
    Top(Spot),
    OwnerOfTop(Spot),
    Ways(Vec<DirId>),
    Goals(Vec<Goal>),
    Unknown,
}

/// A way through the code as far as it was followed.
#[derive(Clone, Debug)]
struct Path {
    term: Term,
}

enum End {
    Value(Sign),
    Refused,
}

/// What code parts by.
enum Truth {
    Known(bool),
    /// It holds for these places.
    Mask(u64),
    /// It holds where the question has this answer.
    Asked(Question, bool),
}

impl Signs<'_> {
    /// Where the function that lists an attribute leads. None if it does more than look at what lies near.
    pub fn goals(&self, func: FuncId) -> Option<Vec<Goal>> {
        let mut steps = 0;
        let mut ends = self.call(func, &[Sign::Me], self.anywhere(), 0, &mut steps)?.into_iter();
        let (Some((End::Value(Sign::Goals(goals)), path)), None) = (ends.next(), ends.next()) else { return None };
        let apart = (1..goals.len()).all(|at| goals[..at].iter().all(|goal| goal.spot.offset != goals[at].spot.offset));
        (path.term == self.anywhere().term && apart).then_some(goals)
    }

    /// When laws let pass that a thing goes to a spot, which they know as an argument. None if they look at more.
    pub fn passing(&self, laws: FuncId, argument: usize, spot: Spot) -> Option<Vec<Term>> {
        let mut args = vec![Sign::Known(Value::NIL); argument + 1];
        args[0] = Sign::Me;
        args[argument] = Sign::Spot(spot);
        let path = Path { term: Term { mask: spot.exists, answers: Vec::new() } };
        let ends = self.call(laws, &args, path, 0, &mut 0)?;
        let passing = ends.into_iter().filter(|(end, _)| matches!(end, End::Value(_)));
        Some(simplified(passing.map(|(_, path)| path.term).collect()))
    }

    fn anywhere(&self) -> Path {
        Path { term: Term { mask: self.all(), answers: Vec::new() } }
    }

    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.board.n)
    }

    fn call(&self, func: FuncId, args: &[Sign], path: Path, deep: u32, steps: &mut u32) -> Option<Vec<(End, Path)>> {
        let function = &self.program.functions[func as usize];
        let n = (function.n_regs.max(function.n_args) as usize).max(args.len());
        let mut regs = vec![Sign::Unknown; n];
        regs[..function.n_args as usize].fill(Sign::Known(Value::NIL));
        regs[..args.len()].clone_from_slice(args);
        self.follow(function, 0, regs, path, deep, steps)
    }

    fn follow(
        &self,
        function: &Function,
        mut pc: usize,
        mut regs: Vec<Sign>,
        mut path: Path,
        deep: u32,
        steps: &mut u32,
    ) -> Option<Vec<(End, Path)>> {
        let sign = |regs: &[Sign], reg: Reg| regs[reg as usize].clone();
        loop {
            *steps += 1;
            let op = *function.code.get(pc).filter(|_| *steps <= MOST_STEPS && deep <= MOST_DEEP)?;
            pc += 1;
            // A condition: what it is, and what is done where it holds and where not.
            let (truth, held, other) = match op {
                Op::JumpNil { src, to } => (self.nil(&regs[src as usize], &path)?, Then::Go(to), Then::On),
                Op::JumpSome { src, to } => (self.nil(&regs[src as usize], &path)?, Then::On, Then::Go(to)),
                Op::JumpEq { a, b, to } => {
                    (self.equal(&regs[a as usize], &regs[b as usize], &path)?, Then::Go(to), Then::On)
                }
                Op::JumpNe { a, b, to } => {
                    (self.equal(&regs[a as usize], &regs[b as usize], &path)?, Then::On, Then::Go(to))
                }
                Op::Eq { dst, a, b } => {
                    let truth = self.equal(&regs[a as usize], &regs[b as usize], &path)?;
                    (truth, Then::Is(dst, true), Then::Is(dst, false))
                }
                Op::Ne { dst, a, b } => {
                    let truth = self.equal(&regs[a as usize], &regs[b as usize], &path)?;
                    (truth, Then::Is(dst, false), Then::Is(dst, true))
                }
                Op::Not { dst, a } => (self.nil(&regs[a as usize], &path)?, Then::Is(dst, true), Then::Is(dst, false)),
                Op::GetField { dst, entity, field: Field::Empty } => {
                    let Sign::Spot(spot) = regs[entity as usize] else { return None };
                    self.surely(spot, &path)?;
                    (self.nil(&Sign::Top(spot), &path)?, Then::Is(dst, true), Then::Is(dst, false))
                }
                Op::GetOf { dst, entity, name } if let Sign::Spot(spot) = regs[entity as usize] => {
                    match self.program.answers.get(&name)?[self.board.kind as usize]? {
                        Answer::Field(Field::Empty) => {
                            self.surely(spot, &path)?;
                            (self.nil(&Sign::Top(spot), &path)?, Then::Is(dst, true), Then::Is(dst, false))
                        }
                        Answer::Field(Field::Top) | Answer::Property(layout::TOP) => {
                            regs[dst as usize] = Sign::Top(spot);
                            continue;
                        }
                        _ => return None,
                    }
                }
                Op::Call { dst, func, first, n } => {
                    let args = &regs[first as usize..(first + n) as usize];
                    let mut ends = Vec::new();
                    for (end, path) in self.call(func, args, path.clone(), deep + 1, steps)? {
                        let End::Value(value) = end else { return None };
                        let mut regs = regs.clone();
                        regs[dst as usize] = value;
                        ends.extend(self.follow(function, pc, regs, path, deep, steps)?);
                    }
                    return Some(ends);
                }
                Op::Refuse { .. } => return Some(vec![(End::Refused, path)]),
                Op::Return { src } | Op::BlockEnd { src } => {
                    return Some(vec![(End::Value(sign(&regs, src)), path)]);
                }
                Op::Jump { to } => {
                    pc = to as usize;
                    continue;
                }
                Op::Walk { dst, walk } => {
                    let walk = &self.program.pools.walks[walk as usize];
                    regs[dst as usize] = Sign::Goals(self.walk(function, walk, &regs, deep, steps)?);
                    continue;
                }
                op => {
                    let (dst, value) = self.plain(op, &regs)?;
                    regs[dst as usize] = value;
                    continue;
                }
            };
            let then = |then: Then, regs: &mut Vec<Sign>| match then {
                Then::On => pc,
                Then::Go(to) => to as usize,
                Then::Is(dst, truth) => {
                    regs[dst as usize] = Sign::Known(Value::truth(truth));
                    pc
                }
            };
            match truth {
                Truth::Known(truth) => pc = then(if truth { held } else { other }, &mut regs),
                truth => {
                    let (mut others, mut other_path) = (regs.clone(), path.clone());
                    path.answer(&truth, true);
                    other_path.answer(&truth, false);
                    let (at, other_at) = (then(held, &mut regs), then(other, &mut others));
                    let mut ends = self.follow(function, at, regs, path, deep, steps)?;
                    ends.extend(self.follow(function, other_at, others, other_path, deep, steps)?);
                    return Some(ends);
                }
            }
        }
    }

    /// What an instruction that asks nothing gives, and where.
    fn plain(&self, op: Op, regs: &[Sign]) -> Option<(Reg, Sign)> {
        let own = Spot { offset: 0, exists: self.all() };
        Some(match op {
            Op::Const { dst, value } => (dst, Sign::Known(value)),
            Op::Move { dst, src } => (dst, regs[src as usize].clone()),
            // Players have the numbers 1 and 2.
            Op::Player { dst } => (dst, Sign::Known(Value::entity(1 + u32::from(self.seat)))),
            Op::Opponent { dst } => (dst, Sign::Known(Value::entity(2 - u32::from(self.seat)))),
            Op::GetState { dst, entity } => match regs[entity as usize] {
                Sign::Me => (dst, Sign::Known(self.state)),
                _ => return None,
            },
            Op::GetProp { dst, entity, prop } => match (&regs[entity as usize], prop) {
                (Sign::Me, layout::PLACE) => (dst, Sign::Spot(own)),
                (Sign::Me, layout::OWNER) => (dst, Sign::Known(Value::entity(1 + u32::from(self.seat)))),
                (Sign::Top(spot), layout::OWNER) => (dst, Sign::OwnerOfTop(*spot)),
                (Sign::Spot(spot), layout::TOP) => (dst, Sign::Top(*spot)),
                _ => return None,
            },
            Op::GetField { dst, entity, field: Field::Top } => match regs[entity as usize] {
                Sign::Spot(spot) => (dst, Sign::Top(spot)),
                _ => return None,
            },
            Op::Step { dst, entity, direction } => match regs[entity as usize] {
                Sign::Spot(spot) => (dst, Sign::Spot(self.step(spot, direction)?)),
                _ => return None,
            },
            Op::StepRelative { dst, entity, turn } => match regs[entity as usize] {
                Sign::Spot(spot) => {
                    let way = *self.ways(&[Ways::Relative(turn)])?.first()?;
                    (dst, Sign::Spot(self.step(spot, way)?))
                }
                _ => return None,
            },
            Op::StepSet { dst, entity, set } => (dst, self.around(&regs[entity as usize], Ways::Set(set))?),
            Op::StepRelativeSet { dst, entity, set } => {
                (dst, self.around(&regs[entity as usize], Ways::RelativeSet(set))?)
            }
            Op::DirectionList { dst, directions } => {
                (dst, Sign::Ways(self.ways(&self.program.pools.directions[directions as usize])?))
            }
            _ => return None,
        })
    }

    /// The directions of a form for who acts, each once; none if they are computed.
    fn ways(&self, listed: &[Ways]) -> Option<Vec<DirId>> {
        if listed.iter().any(|ways| matches!(ways, Ways::Value(_))) {
            return None;
        }
        let mut ways = Vec::new();
        for way in crate::native::directions(self.program, u32::from(self.seat), listed) {
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        Some(ways)
    }

    /// All places beside the thing.
    fn around(&self, from: &Sign, ways: Ways) -> Option<Sign> {
        let Sign::Spot(from) = from else { return None };
        let mut goals = Vec::new();
        for way in self.ways(&[ways])? {
            let spot = self.step(*from, way)?;
            let places = self.board.first..self.board.first + self.board.n;
            if places.into_iter().any(|place| self.program.world.directions.steps(way, place).len() > 1) {
                return None;
            }
            goals.push(Goal { spot, terms: vec![Term { mask: spot.exists, answers: Vec::new() }] });
        }
        goals.retain(|goal| goal.spot.exists != 0);
        (from.offset == 0).then_some(Sign::Goals(goals))
    }

    /// One step further; none if it does not always lead equally far, or can be taken from elsewhere.
    fn step(&self, from: Spot, way: DirId) -> Option<Spot> {
        let Spot { offset, exists } = from;
        let BoardInfo { first, n, .. } = *self.board;
        let step = |place: EntityId| self.program.ahead.step(way, place);
        let elsewhere =
            (0..self.program.world.entities.len() as EntityId).filter(|at| !(first..first + n).contains(at));
        if elsewhere.into_iter().any(|thing| step(thing) != NOBODY) {
            return None;
        }
        let (mut far, mut found) = (None, 0);
        for at in (0..n).filter(|at| exists >> at & 1 == 1) {
            let from = (at as i32 + offset) as u32;
            let next = match step(first + from) {
                NOBODY => continue,
                next => next.checked_sub(first).filter(|&next| next < n)? as i32 - from as i32,
            };
            if *far.get_or_insert(next) != next || next == 0 {
                return None;
            }
            found |= 1 << at;
        }
        Some(Spot { offset: offset + far.unwrap_or(0), exists: found })
    }

    fn walk(&self, function: &Function, walk: &Walk, regs: &[Sign], deep: u32, steps: &mut u32) -> Option<Vec<Goal>> {
        let Sign::Spot(from @ Spot { offset: 0, .. }) = regs[walk.from as usize] else { return None };
        let once = |most: Reg| matches!(regs[most as usize], Sign::Known(value) if value == Value::small(1));
        if walk.then.is_some() || !walk.most.is_some_and(once) {
            return None;
        }
        let ways = match &walk.ways {
            Ways::Value(reg) => match &regs[*reg as usize] {
                Sign::Ways(ways) => ways.clone(),
                _ => return None,
            },
            ways => self.ways(std::slice::from_ref(ways))?,
        };
        let mut goals = Vec::new();
        for way in ways {
            let spot = self.step(from, way)?;
            let mut terms = self.tested(function, walk.while_, spot, spot.exists, regs, deep, steps)?;
            if let Some(until) = walk.until {
                let behind = self.step(spot, way)?;
                let ends = self.tested(function, until, behind, behind.exists, regs, deep, steps)?;
                terms = both(&terms, &ends);
            }
            if spot.exists != 0 {
                goals.push(Goal { spot, terms });
            }
        }
        Some(goals)
    }

    /// When a condition about a spot holds.
    #[expect(clippy::too_many_arguments, reason = "what a condition may read")]
    fn tested(
        &self,
        function: &Function,
        test: Test,
        spot: Spot,
        mask: u64,
        regs: &[Sign],
        deep: u32,
        steps: &mut u32,
    ) -> Option<Vec<Term>> {
        let path = Path { term: Term { mask, answers: Vec::new() } };
        let (value, wanted) = match test {
            Test::Always => return Some(vec![path.term]),
            Test::Empty | Test::Nil(layout::TOP) => (Sign::Top(spot), true),
            Test::Occupied | Test::Some(layout::TOP) => (Sign::Top(spot), false),
            Test::Code(block) => {
                let mut regs = regs.to_vec();
                regs[block.it as usize] = Sign::Spot(spot);
                let mut terms = Vec::new();
                for (end, path) in self.follow(function, block.start as usize, regs, path, deep, steps)? {
                    let End::Value(value) = end else { return None };
                    terms.extend(self.parted(&value, false, path)?);
                }
                return Some(simplified(terms));
            }
            _ => return None,
        };
        self.parted(&value, wanted, path)
    }

    /// Where a value is nothing, or where it is something.
    fn parted(&self, value: &Sign, nil: bool, mut path: Path) -> Option<Vec<Term>> {
        match self.nil(value, &path)? {
            Truth::Known(truth) => Some(if truth == nil { vec![path.term] } else { Vec::new() }),
            truth => {
                path.answer(&truth, nil);
                Some(vec![path.term])
            }
        }
    }

    /// Whether there is such a place wherever the path is.
    fn surely(&self, spot: Spot, path: &Path) -> Option<()> {
        (spot.exists & path.term.mask == path.term.mask).then_some(())
    }

    fn nil(&self, sign: &Sign, path: &Path) -> Option<Truth> {
        match sign {
            Sign::Known(value) => Some(Truth::Known(value.is_nil())),
            Sign::Me => Some(Truth::Known(false)),
            Sign::Spot(spot) => Some(path.within(!spot.exists)),
            Sign::Top(spot) => Some(path.asked(Question { source: Source::Filled, spot: *spot }, false)),
            Sign::OwnerOfTop(_) | Sign::Ways(_) | Sign::Goals(_) | Sign::Unknown => None,
        }
    }

    fn equal(&self, a: &Sign, b: &Sign, path: &Path) -> Option<Truth> {
        match (a, b) {
            (Sign::Known(a), Sign::Known(b)) => {
                let plain = |value: &Value| {
                    matches!(value.kinded(), Kinded::Nil | Kinded::True | Kinded::Entity(_) | Kinded::Text(_))
                };
                (plain(a) && plain(b)).then_some(Truth::Known(a == b))
            }
            (Sign::Spot(a), Sign::Spot(b)) => Some(path.within(match a.offset == b.offset {
                true => !(a.exists ^ b.exists),
                false => !(a.exists | b.exists),
            })),
            (Sign::OwnerOfTop(spot), Sign::Known(who)) | (Sign::Known(who), Sign::OwnerOfTop(spot)) => {
                let seat = who.as_entity()?.checked_sub(1).filter(|&seat| seat < 2)?;
                Some(path.asked(Question { source: Source::Of(seat as u8), spot: *spot }, true))
            }
            _ => None,
        }
    }
}

/// What follows a condition.
#[derive(Clone, Copy)]
enum Then {
    On,
    Go(u32),
    Is(Reg, bool),
}

impl Path {
    /// What is known of a set of places here.
    fn within(&self, places: u64) -> Truth {
        match places & self.term.mask {
            0 => Truth::Known(false),
            mask if mask == self.term.mask => Truth::Known(true),
            mask => Truth::Mask(mask),
        }
    }

    /// Whether a question has this answer here.
    fn asked(&self, question: Question, wanted: bool) -> Truth {
        if question.spot.exists & self.term.mask == 0 {
            return Truth::Known(!wanted);
        }
        let known = self.term.answers.iter().find(|(known, _)| *known == question);
        known.map_or(Truth::Asked(question, wanted), |&(_, answer)| Truth::Known(answer == wanted))
    }

    /// Goes on where a condition holds, or where it does not.
    fn answer(&mut self, truth: &Truth, holds: bool) {
        match *truth {
            Truth::Known(_) => {}
            Truth::Mask(mask) => self.term.mask &= if holds { mask } else { !mask },
            Truth::Asked(question, wanted) => self.term.answers.push((question, wanted == holds)),
        }
    }
}

/// Where one of some terms and one of others hold.
pub fn both(some: &[Term], others: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for one in some {
        for other in others {
            let mut term = Term { mask: one.mask & other.mask, answers: one.answers.clone() };
            for &(question, answer) in &other.answers {
                match one.answers.iter().find(|(known, _)| *known == question) {
                    Some(&(_, known)) if known != answer => term.mask = 0,
                    Some(_) => {}
                    None => term.answers.push((question, answer)),
                }
            }
            found.push(term);
        }
    }
    simplified(found)
}

/// The same with fewer terms: two that differ in one answer only do not ask it.
fn simplified(mut terms: Vec<Term>) -> Vec<Term> {
    terms.retain(|term| term.mask != 0);
    'again: loop {
        for one in 0..terms.len() {
            for other in one + 1..terms.len() {
                if let Some(merged) = merged(&terms[one], &terms[other]) {
                    terms.swap_remove(other);
                    terms[one] = merged;
                    continue 'again;
                }
            }
        }
        return terms;
    }
}

fn merged(one: &Term, other: &Term) -> Option<Term> {
    if one.mask != other.mask || one.answers.len() != other.answers.len() {
        return None;
    }
    let differing = |answer: &&(Question, bool)| !other.answers.contains(answer);
    let mut differ = one.answers.iter().filter(differing);
    let Some(&(question, answer)) = differ.next() else { return Some(one.clone()) };
    if differ.next().is_some() || !other.answers.contains(&(question, !answer)) {
        return None;
    }
    let answers = one.answers.iter().copied().filter(|&(known, _)| known != question).collect();
    Some(Term { mask: one.mask, answers })
}
