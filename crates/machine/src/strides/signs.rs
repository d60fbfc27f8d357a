//! What code says of all places of a board at once.
//!
//! Code that finds where a thing can go, or judges it, is followed with a thing that stands on any place: what is known
//! whatever place it is stays a value, and what is not becomes a question about sets of places. Where the code parts, both
//! ways are followed; each end is a list of questions and their answers.

use crate::code::*;
use crate::layout;
use crate::program::Program;
use crate::value::{Kinded, Value};
use crate::world::{BoardInfo, DirId, EntityId, NOBODY, PLAYER_KIND};

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

/// Where an attribute leads from each place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lead {
    Goals(Vec<Goal>),
    /// For each place all those it leads to; and whether whoever lies nowhere can go there, too.
    Fan(Vec<u64>, FromNowhere),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FromNowhere {
    Too,
    Never,
}

/// A condition that is the same for all places: how the number that a define gives for somebody compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    pub func: FuncId,
    pub who: EntityId,
    pub number: i64,
    /// Whether it holds above the number; else below.
    pub above: bool,
}

/// What is so where a guard holds, or where it does not; always if there is none.
pub type Guarded<T> = (Option<(Guard, bool)>, T);

/// What is followed from all places at once.
#[derive(Clone, Copy)]
pub struct Signs<'a> {
    pub program: &'a Program,
    pub board: &'a BoardInfo,
    /// Who acts.
    pub seat: u8,
    /// In which state the receiver is.
    pub state: Value,
    /// Whether the places receive the action themselves, and whether things that do are known to be his who acts.
    pub places: bool,
    pub owned: bool,
}

/// A place that may lie anywhere: what is asked of it is asked of it alone.
pub const TARGET: i32 = i32::MAX;

#[derive(Clone, Debug)]
enum Sign {
    Known(Value),
    Me,
    Spot(Spot),
    Top(Spot),
    OwnerOfTop(Spot),
    Ways(Vec<DirId>),
    Lead(Lead),
    /// What a define gives for somebody.
    Defined(FuncId, EntityId),
    Unknown,
}

/// A way through the code as far as it was followed.
#[derive(Clone, Debug)]
struct Path {
    term: Term,
    guard: Option<(Guard, bool)>,
}

enum End {
    Value(Sign),
    Refused,
    /// More than can be followed.
    Unknown,
}

/// What code parts by.
enum Truth {
    Known(bool),
    /// It holds for these places.
    Mask(u64),
    /// It holds where the question has this answer.
    Asked(Question, bool),
    Guarded(Guard),
}

impl Signs<'_> {
    /// Where the function that lists an attribute leads; if that depends on a guard, twice, and one of them may be unknown.
    /// None if it does more than look at what lies near.
    pub fn leads(&self, func: FuncId) -> Option<Vec<Guarded<Lead>>> {
        let mut leads = Vec::new();
        for (end, path) in self.call(func, &[self.me()], self.anywhere(), 0, &mut 0)? {
            match end {
                End::Value(Sign::Lead(lead)) if path.term == self.anywhere().term => leads.push((path.guard, lead)),
                End::Unknown if path.guard.is_some() => {}
                _ => return None,
            }
        }
        let apart = |(_, lead): &Guarded<Lead>| match lead {
            Lead::Goals(goals) => {
                (1..goals.len()).all(|at| goals[..at].iter().all(|goal| goal.spot.offset != goals[at].spot.offset))
            }
            Lead::Fan(..) => true,
        };
        (!leads.is_empty() && leads.iter().all(apart)).then_some(leads)
    }

    /// When laws let an action pass that leads to a spot, if they know one as an argument. None if they look at more.
    pub fn passing(&self, laws: FuncId, goal: Option<(usize, Spot)>) -> Option<Vec<Term>> {
        let mut args = vec![self.me()];
        let mut path = self.anywhere();
        if let Some((argument, spot)) = goal {
            args.resize(argument + 1, Sign::Known(Value::NIL));
            args[argument] = Sign::Spot(spot);
            path.term.mask = spot.exists;
        }
        let mut terms = Vec::new();
        for (end, path) in self.call(laws, &args, path, 0, &mut 0)? {
            match end {
                End::Value(_) if path.guard.is_none() => terms.push(path.term),
                End::Refused if path.guard.is_none() => {}
                _ => return None,
            }
        }
        Some(simplified(terms))
    }

    fn me(&self) -> Sign {
        if self.places { Sign::Spot(self.own()) } else { Sign::Me }
    }

    /// Where the receiver stands, or what it is.
    pub fn own(&self) -> Spot {
        Spot { offset: 0, exists: self.all() }
    }

    /// Who acts. Players have the numbers 1 and 2.
    fn player(&self) -> Sign {
        Sign::Known(Value::entity(1 + u32::from(self.seat)))
    }

    fn anywhere(&self) -> Path {
        Path { term: Term { mask: self.all(), answers: Vec::new() }, guard: None }
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
                Op::JumpLess { a, b, to } => {
                    (self.less(&regs[a as usize], &regs[b as usize], &path)?, Then::Go(to), Then::On)
                }
                Op::JumpNotLess { a, b, to } => {
                    (self.less(&regs[a as usize], &regs[b as usize], &path)?, Then::On, Then::Go(to))
                }
                Op::GetOf { dst, entity, name } if let Sign::Known(who) = regs[entity as usize] => {
                    let who = who.as_entity().filter(|who| (1..=2).contains(who))?;
                    let Answer::Define(func) = self.program.answers.get(&name)?[PLAYER_KIND as usize]? else {
                        return None;
                    };
                    regs[dst as usize] = Sign::Defined(func, who);
                    continue;
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
                        let End::Value(value) = end else {
                            ends.push((End::Unknown, path));
                            continue;
                        };
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
                    regs[dst as usize] = Sign::Lead(Lead::Goals(self.walk(function, walk, &regs, deep, steps)?));
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
                    // What cannot be followed behind a guard does not matter where that is not so.
                    let guarded = matches!(truth, Truth::Guarded(_));
                    let unknown = |path: &Path| guarded.then(|| vec![(End::Unknown, path.clone())]);
                    let ends = self.follow(function, at, regs, path.clone(), deep, steps);
                    let mut ends = ends.or_else(|| unknown(&path))?;
                    let others = self.follow(function, other_at, others, other_path.clone(), deep, steps);
                    ends.extend(others.or_else(|| unknown(&other_path))?);
                    return Some(ends);
                }
            }
        }
    }

    /// What an instruction that asks nothing gives, and where.
    fn plain(&self, op: Op, regs: &[Sign]) -> Option<(Reg, Sign)> {
        Some(match op {
            Op::Const { dst, value } => (dst, Sign::Known(value)),
            Op::Move { dst, src } => (dst, regs[src as usize].clone()),
            Op::Player { dst } => (dst, self.player()),
            Op::Opponent { dst } => (dst, Sign::Known(Value::entity(2 - u32::from(self.seat)))),
            Op::GetState { dst, entity } => match regs[entity as usize] {
                Sign::Me => (dst, Sign::Known(self.state)),
                _ => return None,
            },
            Op::GetProp { dst, entity, prop } => match (&regs[entity as usize], prop) {
                (Sign::Me, layout::PLACE) => (dst, Sign::Spot(self.own())),
                (Sign::Me, layout::OWNER) if self.owned => (dst, self.player()),
                (Sign::Me, layout::OWNER) => (dst, Sign::OwnerOfTop(self.own())),
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
            Op::Look { dst, look } => {
                let look = &self.program.pools.looks[look as usize];
                let all = look.quantifier == Quantifier::All
                    && look.measure == Measure::Itself
                    && look.test == Test::Always
                    && look.domain == Domain::Kind(self.board.kind);
                let places = self.board.first..self.board.first + self.board.n;
                let known = self.program.extents[self.board.kind as usize].things.iter().copied().eq(places);
                let everywhere = || Sign::Lead(Lead::Fan(vec![self.all(); self.board.n as usize], FromNowhere::Too));
                (dst, (all && known).then(everywhere)?)
            }
            Op::StepRelativeSet { dst, entity, set } => {
                (dst, self.around(&regs[entity as usize], Ways::RelativeSet(set))?)
            }
            Op::DirectionList { dst, directions } => {
                (dst, Sign::Ways(self.ways(&self.program.pools.directions[directions as usize])?))
            }
            _ => return None,
        })
    }

    /// The directions of a form for who acts, each once; none if they are computed, or turn with a place's owner.
    fn ways(&self, listed: &[Ways]) -> Option<Vec<DirId>> {
        let known = |ways: &Ways| match ways {
            Ways::Value(_) => false,
            Ways::Relative(_) | Ways::RelativeSet(_) => self.owned,
            Ways::Direction(_) | Ways::Set(_) => true,
        };
        if !listed.iter().all(known) {
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
        let Sign::Spot(from @ Spot { offset: 0, .. }) = from else { return None };
        let ways = self.ways(&[ways])?;
        let goals: Option<Vec<Goal>> = ways.iter().map(|&way| self.beside(*from, way)).collect();
        if let Some(mut goals) = goals {
            goals.retain(|goal| goal.spot.exists != 0);
            return Some(Sign::Lead(Lead::Goals(goals)));
        }
        let mut fan = vec![0; self.board.n as usize];
        for &way in &ways {
            self.only_on_board(way)?;
            for (at, fan) in fan.iter_mut().enumerate() {
                for &next in self.program.world.directions.steps(way, self.board.first + at as EntityId) {
                    let next = next.checked_sub(self.board.first).filter(|&next| next < self.board.n)?;
                    *fan |= 1 << next;
                }
            }
        }
        Some(Sign::Lead(Lead::Fan(fan, FromNowhere::Never)))
    }

    /// The only place in a direction.
    fn beside(&self, from: Spot, way: DirId) -> Option<Goal> {
        let spot = self.step(from, way)?;
        let mut places = self.board.first..self.board.first + self.board.n;
        let single = places.all(|place| self.program.world.directions.steps(way, place).len() <= 1);
        single.then(|| Goal { spot, terms: vec![Term { mask: spot.exists, answers: Vec::new() }] })
    }

    /// Nobody can go that way from elsewhere.
    fn only_on_board(&self, way: DirId) -> Option<()> {
        let board = self.board.first..self.board.first + self.board.n;
        let mut elsewhere = (0..self.program.world.entities.len() as EntityId).filter(|at| !board.contains(at));
        elsewhere.all(|thing| self.program.ahead.step(way, thing) == NOBODY).then_some(())
    }

    /// One step further; none if it does not always lead equally far, or can be taken from elsewhere.
    fn step(&self, from: Spot, way: DirId) -> Option<Spot> {
        let Spot { offset, exists } = from;
        let BoardInfo { first, n, .. } = *self.board;
        let step = |place: EntityId| self.program.ahead.step(way, place);
        self.only_on_board(way).filter(|()| offset != TARGET)?;
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
        let path = Path { term: Term { mask, answers: Vec::new() }, guard: None };
        let (value, wanted) = match test {
            Test::Always => return Some(vec![path.term]),
            Test::Empty | Test::Nil(layout::TOP) => (Sign::Top(spot), true),
            Test::Occupied | Test::Some(layout::TOP) => (Sign::Top(spot), false),
            Test::Code(block) => {
                let mut regs = regs.to_vec();
                regs[block.it as usize] = Sign::Spot(spot);
                let mut terms = Vec::new();
                for (end, path) in self.follow(function, block.start as usize, regs, path, deep, steps)? {
                    let (End::Value(value), None) = (end, path.guard) else { return None };
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
            Sign::OwnerOfTop(_) | Sign::Ways(_) | Sign::Lead(_) | Sign::Defined(..) | Sign::Unknown => None,
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
            // Wherever the target is, only that it is itself is known.
            (Sign::Spot(a), Sign::Spot(b)) if (a.offset == TARGET) != (b.offset == TARGET) => None,
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

impl Signs<'_> {
    /// Whether the first number is below the second. None if both can be anything.
    fn less(&self, a: &Sign, b: &Sign, path: &Path) -> Option<Truth> {
        let (number, above, func, who) = match (a, b) {
            (Sign::Known(number), &Sign::Defined(func, who)) => (number, true, func, who),
            (&Sign::Defined(func, who), Sign::Known(number)) => (number, false, func, who),
            _ => return None,
        };
        let guard = Guard { func, who, number: number.as_whole()?, above };
        match path.guard {
            Some((known, holds)) if known == guard => Some(Truth::Known(holds)),
            Some(_) => None,
            None => Some(Truth::Guarded(guard)),
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
            Truth::Guarded(guard) => self.guard = Some((guard, holds)),
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
