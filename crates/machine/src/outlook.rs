//! For all places of a small board at once: from which of them a walk finds something.
//!
//! "A disc must bracket discs of the opponent" is a law about a walk in many directions. Asked of one candidate after
//! the other it refuses most of them. Who has which places is known as sets of bits (see [`crate::marks`]), and a step
//! in a direction is a shift: a few of them tell for every place whether the walk is empty there. Random play then
//! draws from those for whom it is not. Nothing here decides what is legal: a candidate drawn is still tried.

use crate::code::*;
use crate::keeper::Law;
use crate::layout;
use crate::marks::Marked;
use crate::program::{Handler, Program};
use crate::value::Value;
use crate::vm::Machine;
use crate::world::{DirId, EntityId, NOBODY};

/// The laws of an action of all places that want a walk to find something.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    /// The candidate of the first place; the others follow in their order.
    from: u32,
    marked: Marked,
    laws: Box<[Prospect]>,
    /// Whether no direction leads further than to the eighth place.
    short: bool,
    pub label: LabelId,
    /// Whether nothing else could refuse, but that the place is taken.
    whole: bool,
}

/// A walk that has to find something.
#[derive(Clone, PartialEq, Debug)]
struct Prospect {
    ways: Box<[Shift]>,
    while_: Held,
    until: Option<Held>,
    then: Option<Held>,
}

/// A step in one direction: on every place that has a next one it is the same number of places away.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Shift {
    by: u32,
    /// The places that have a next one.
    has: u64,
}

/// What a place has to hold.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Held {
    what: What,
    /// Or anything but that.
    not: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum What {
    Nothing,
    Actor,
    Opponent,
}

/// The candidates that are left to draw from, a bit for each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrowed([u64; 2]);

/// Candidates beyond this are drawn as they are.
const MOST_CANDIDATES: usize = 128;

impl Outlook {
    /// None where no law is of that kind.
    pub fn of(program: &Program) -> Option<Outlook> {
        let marked = program.marked?;
        if program.plain.len() > MOST_CANDIDATES || program.keeper.is_none() {
            return None;
        }
        let begins = |&from: &usize| program.plain[from].1 == marked.first;
        (0..program.plain.len()).filter(begins).find_map(|from| Outlook::of_action(program, marked, from))
    }

    fn of_action(program: &Program, marked: Marked, from: usize) -> Option<Outlook> {
        let (action, _) = program.plain[from];
        let places = marked.first..marked.first + marked.n;
        if !places.clone().zip(from..).all(|(place, at)| program.plain.get(at) == Some(&(action, place))) {
            return None;
        }
        let kind = program.world.entities[marked.first as usize].kind;
        let alike = |place: EntityId| program.world.entities[place as usize].kind == kind;
        let label = program.actions[action as usize].label;
        let Handler::Single(woven) = &program.handlers[label as usize][kind as usize] else { return None };
        let mut reading = Reading { program, marked, laws: Vec::new() };
        let to_the_end = reading.laws_of(woven.test);
        let laws: Box<[Prospect]> = reading.laws.into();
        if laws.is_empty() || !places.clone().all(alike) {
            return None;
        }
        let refusals = |func: FuncId| {
            program.functions[func as usize].code.iter().filter(|op| matches!(op, Op::Refuse { .. })).count()
        };
        let asked = &program.keeper.as_ref()?.asked[from..from + marked.n as usize];
        let free = asked.iter().zip(marked.base..).all(|(asked, slot)| asked.law.passes_if_nil(slot));
        let whole =
            to_the_end && free && woven.keep.is_some_and(|keep| refusals(woven.test) == refusals(keep) + laws.len());
        let short = laws.iter().all(|law| law.ways.iter().all(|way| way.is_short()));
        Some(Outlook { from: from as u32, marked, laws, short, label, whole })
    }

    /// Whether nothing else could refuse, but that the place is taken.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// The places from which every walk finds something, for who acts.
    fn places(&self, sets: &[u64; 3], seat: usize) -> u64 {
        match self.short {
            true => self.places_by::<3>(sets, seat),
            false => self.places_by::<6>(sets, seat),
        }
    }

    /// The same where rows are so often twice as long that they are as long as any.
    #[inline(always)]
    fn places_by<const ROUNDS: u32>(&self, sets: &[u64; 3], seat: usize) -> u64 {
        let all = self.marked.all();
        let held = |held: Held| {
            let set = match held.what {
                What::Nothing => sets[0],
                What::Actor => sets[1 + seat],
                What::Opponent => sets[2 - seat],
            };
            if held.not { all & !set } else { set }
        };
        self.laws.iter().fold(all, |places, law| {
            let (on, until) = (held(law.while_), law.until.map(held));
            let first = on | law.then.map_or(0, held);
            let found = law.ways.iter().fold(0, |found, way| match until {
                Some(until) => found | way.back(way.run::<ROUNDS>(on, until)),
                None => found | way.back(first),
            });
            places & found
        })
    }
}

impl Shift {
    /// None where a step does not always lead equally far.
    fn of(program: &Program, marked: Marked, way: DirId) -> Option<Shift> {
        let step = |place: EntityId| program.world.directions.step(way, place);
        let on_board = marked.first..marked.first + marked.n;
        let mut far = None;
        let mut has = 0;
        for place in on_board.clone() {
            let next = step(place);
            if next == NOBODY {
                continue;
            }
            let by = i64::from(next) - i64::from(place);
            if !on_board.contains(&next) || by == 0 || *far.get_or_insert(by) != by {
                return None;
            }
            has |= 1 << (place - marked.first);
        }
        let by = far.unwrap_or(0).rem_euclid(64) as u32;
        Some(Shift { by, has })
    }

    /// Whether nobody takes more than seven steps.
    fn is_short(self) -> bool {
        (0..7).fold(self.has, |set, _| self.back(set)) == 0
    }

    /// The places whose next one is in a set.
    #[inline(always)]
    fn back(self, set: u64) -> u64 {
        set.rotate_right(self.by) & self.has
    }

    /// The places of a row that goes on until one of the last ones follows, which is not like them.
    ///
    /// What is known of rows of one place is known of two, then of four: after Kogge and Stone, as chess programs fill.
    #[inline(always)]
    fn run<const ROUNDS: u32>(self, on: u64, last: u64) -> u64 {
        let mut found = on & self.back(last & !on);
        let (mut rows, mut by) = (on & self.has, self.by);
        for _ in 0..ROUNDS {
            found |= rows & found.rotate_right(by);
            rows &= rows.rotate_right(by);
            by = by * 2 % 64;
        }
        found
    }
}

impl Narrowed {
    #[inline]
    pub fn count(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// The candidate with so many before it.
    #[inline(always)]
    pub fn select_with(self, rank: u32, select: impl Fn(u64, u32) -> u32) -> usize {
        let first = self.0[0].count_ones();
        match rank < first {
            true => select(self.0[0], rank) as usize,
            false => 64 + select(self.0[1], rank - first) as usize,
        }
    }

    /// Without one that was refused: it would be again.
    #[inline]
    pub fn remove(&mut self, candidate: usize) {
        self.0[candidate / 64] &= !(1 << (candidate % 64));
    }
}

impl Machine {
    /// The candidates kept, and open, without those of whom a walk is known to find nothing. None where that is not known.
    #[inline]
    pub(crate) fn narrowed(&mut self, outlook: &Outlook, player: u64, open: Option<u64>) -> Option<Narrowed> {
        let places = u128::from(self.in_prospect(outlook, player)?) << outlook.from;
        let others = !(u128::from(outlook.marked.all()) << outlook.from);
        let let_through = places | others;
        let kept = &self.derived.kept.bits;
        let first = kept[0] & open.unwrap_or(u64::MAX) & let_through as u64;
        let second = kept.get(1).map_or(0, |bits| bits & (let_through >> 64) as u64);
        Some(Narrowed([first, second]))
    }

    /// Whether a player can make the action that the outlook is about. None where more than that matters.
    pub(crate) fn can_in_prospect(&mut self, outlook: &Outlook, player: EntityId) -> Option<bool> {
        let places = self.in_prospect(outlook, Value::entity(player).0).filter(|_| outlook.whole)?;
        Some(places & self.derived.marks.sets[0] != 0)
    }

    #[inline]
    fn in_prospect(&mut self, outlook: &Outlook, player: u64) -> Option<u64> {
        let seat = player.wrapping_sub(Value::entity(1).0) as usize;
        if seat > 1 || self.mem.slots[layout::IN_PLAY as usize] != 2 {
            return None;
        }
        if !self.derived.marks.knows(&self.mem) {
            self.derived.marks.catch_up(&self.mem, outlook.marked.base, outlook.marked.n);
        }
        Some(outlook.places(&self.derived.marks.sets, seat))
    }
}

/// Reads the laws of an action from its beginning.
struct Reading<'a> {
    program: &'a Program,
    marked: Marked,
    laws: Vec<Prospect>,
}

/// What a register holds.
#[derive(Clone, PartialEq)]
enum Sign {
    Receiver,
    Nil,
    Who(What),
    /// What a walk from the receiver found, or one of it.
    Walked(Prospect),
    Found(Prospect),
    Other,
}

impl Reading<'_> {
    /// Whether all of it was read. What is not understood ends it: what comes after may be about another position.
    fn laws_of(&mut self, func: FuncId) -> bool {
        let function = &self.program.functions[func as usize];
        let mut signs = vec![Sign::Other; function.n_regs.max(1) as usize];
        signs[0] = Sign::Receiver;
        // As far as a jump has led: a law before that may be passed over.
        let mut reached = 0;
        let mut pc = 0;
        while let Some(op) = function.code.get(pc) {
            // Ways meet here: what only one of them wrote is not known.
            if function.code.iter().any(|op| op.target() == Some(pc as u32)) {
                signs.iter_mut().skip(1).for_each(|sign| *sign = Sign::Other);
            }
            match *op {
                Op::JumpSome { src, to } if to as usize > pc => {
                    let refused = &function.code[pc + 1..to as usize];
                    let refuses = matches!(refused, [Op::Const { .. }, Op::Refuse { .. }]);
                    if let (Sign::Found(law), true, true) = (&signs[src as usize], refuses, reached <= pc) {
                        self.laws.push(law.clone());
                    }
                    reached = reached.max(to as usize);
                }
                Op::JumpNil { to, .. } | Op::JumpEq { to, .. } | Op::JumpNe { to, .. } | Op::Jump { to }
                    if to as usize > pc =>
                {
                    reached = reached.max(to as usize);
                }
                Op::Refuse { .. } => {}
                Op::Return { .. } => return true,
                _ => match self.sign(op, &signs) {
                    Some((dst, sign)) if dst != 0 => signs[dst as usize] = sign,
                    _ => return false,
                },
            }
            pc += 1;
        }
        true
    }

    /// What an instruction writes, if it neither changes anything nor can fail.
    fn sign(&self, op: &Op, signs: &[Sign]) -> Option<(Reg, Sign)> {
        let sign = |reg: Reg| signs[reg as usize].clone();
        Some(match *op {
            Op::Const { dst, value } => (dst, if value.is_nil() { Sign::Nil } else { Sign::Other }),
            Op::Move { dst, src } => (dst, sign(src)),
            Op::Player { dst } => (dst, Sign::Who(What::Actor)),
            Op::Opponent { dst } => (dst, Sign::Who(What::Opponent)),
            Op::FirstPlayer { dst } => (dst, Sign::Other),
            Op::GetProp { dst, entity, .. } if sign(entity) == Sign::Receiver => (dst, Sign::Other),
            Op::Eq { dst, .. } | Op::Ne { dst, .. } | Op::Not { dst, .. } => (dst, Sign::Other),
            Op::Walk { dst, walk } => {
                (dst, Sign::Walked(self.prospect(&self.program.pools.walks[walk as usize], signs)?))
            }
            Op::Call { dst, func, first, n: 1 } if sign(first) == Sign::Receiver => (dst, self.given(func)?),
            Op::Members { dst, src } if let Sign::Walked(_) = sign(src) => (dst, sign(src)),
            Op::Look { dst, look } => {
                let Look { quantifier, domain, test, measure } = self.program.pools.looks[look as usize];
                let (Domain::Reg(list), Quantifier::Any) = (domain, quantifier) else { return None };
                match sign(list) {
                    Sign::Walked(walk) if (test, measure) == (Test::Always, Measure::Itself) => {
                        (dst, Sign::Found(walk))
                    }
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// What a define of the receiver gives, if it does nothing but walk.
    fn given(&self, func: FuncId) -> Option<Sign> {
        let function = &self.program.functions[func as usize];
        let mut signs = vec![Sign::Other; function.n_regs.max(1) as usize];
        signs[0] = Sign::Receiver;
        for op in &function.code {
            match *op {
                Op::Return { src } => return Some(signs[src as usize].clone()),
                Op::Call { .. } => return None,
                _ => {
                    let (dst, sign) = self.sign(op, &signs)?;
                    signs[dst as usize] = sign;
                }
            }
        }
        None
    }

    fn prospect(&self, walk: &Walk, signs: &[Sign]) -> Option<Prospect> {
        let (program, prop) = (self.program, self.marked.prop);
        let held = |test: Test| {
            let who = |reg: Reg| match signs[reg as usize] {
                Sign::Who(who) => Some(who),
                Sign::Nil => Some(What::Nothing),
                _ => None,
            };
            let (of, what, not) = match test {
                Test::Nil(of) => (of, What::Nothing, false),
                Test::Some(of) => (of, What::Nothing, true),
                Test::Empty => (layout::TOP, What::Nothing, false),
                Test::Occupied => (layout::TOP, What::Nothing, true),
                Test::Equal(of, reg) => (of, who(reg)?, false),
                Test::Unequal(of, reg) => (of, who(reg)?, true),
                Test::Always | Test::Code(_) => return None,
            };
            (of == prop).then_some(Held { what, not })
        };
        let known = |test: Option<Test>| match test {
            Some(test) => held(test).map(Some),
            None => Some(None),
        };
        let ways = match walk.ways {
            Ways::Set(set) => program.sets[set as usize].first()?.as_slice(),
            Ways::Direction(ref way) => std::slice::from_ref(way),
            _ => return None,
        };
        let plain = signs[walk.from as usize] == Sign::Receiver && walk.most.is_none();
        if !plain || walk.until.is_some() && walk.then.is_some() {
            return None;
        }
        let ways = ways.iter().map(|&way| Shift::of(program, self.marked, way)).collect::<Option<_>>()?;
        Some(Prospect { ways, while_: held(walk.while_)?, until: known(walk.until)?, then: known(walk.then)? })
    }
}

impl Law {
    /// Whether a candidate is kept exactly if a slot holds nothing.
    pub(crate) fn passes_if_nil(&self, slot: u32) -> bool {
        match *self {
            Law::Table { slots, words, passes } => {
                let alone = slots == [slot, layout::NOTHING, layout::NOTHING] && words[0] == Value::NIL.0;
                alone && passes & 0b11 == 0b01
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a board of five by four, by walking from place to place.
    #[test]
    fn rows_found_at_once_are_those_that_walking_finds() {
        let (columns, rows) = (5i32, 4i32);
        let mut lot = 7u64;
        for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
            let next = |place: i32| {
                let (x, y) = (place % columns + right, place / columns + down);
                ((0..columns).contains(&x) && (0..rows).contains(&y)).then_some(y * columns + x)
            };
            let has = (0..20).filter(|&place| next(place).is_some()).fold(0, |set, place| set | 1u64 << place);
            let shift = Shift { by: (right + columns * down).rem_euclid(64) as u32, has };
            for _ in 0..200 {
                lot = lot.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let (on, last) = (lot >> 40 & 0xf_ffff & (lot >> 13 | lot >> 3), lot >> 20 & 0xf_ffff);
                let walked = |from: i32| {
                    let (mut at, mut n) = (next(from), 0);
                    while let Some(place) = at
                        && on >> place & 1 == 1
                    {
                        (at, n) = (next(place), n + 1);
                    }
                    n > 0 && at.is_some_and(|place| last >> place & 1 == 1)
                };
                let wanted = (0..20).filter(|&place| walked(place)).fold(0, |set, place| set | 1u64 << place);
                assert_eq!(shift.back(shift.run::<3>(on, last)), wanted);
            }
        }
    }
}
