//! Defines about a player or the game that look through all things of a kind: what they gave is kept until something
//! changes that they read. One that asks who plays is kept for each player.

use super::MISSING;
use super::facts::Facts;
use crate::code::*;
use crate::layout;
use crate::program::Program;
use crate::roster::reads_no_receiver;
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::Machine;
use crate::world::EntityId;

/// Which defines are kept, and which slots they read.
#[derive(Debug, Default)]
pub(crate) struct Memos {
    funcs: Vec<FuncId>,
    /// Which of them are about the player, whomever they are asked of.
    by_player: Vec<bool>,
    /// For each slot a bit for each define that reads it.
    slots: Box<[u8]>,
    /// The same for the block of a thing made in play.
    made: Box<[u8]>,
    made_base: u32,
    made_stride: u32,
    /// The game and the players.
    pub(super) n_askers: u32,
}

/// What a define gave, when the journal was so long.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Memo {
    pub(super) value: u64,
    /// `UNKNOWN` if it does not hold any more.
    pub(super) at: u64,
}

const UNKNOWN: u64 = u64::MAX;

const MOST_FUNCS: usize = 8;
/// What was found before so many changes is found anew.
const MOST_CHANGES: usize = 32;

/// What a function reads.
#[derive(Default)]
struct Reads {
    props: Vec<PropId>,
    slots: Vec<u32>,
    things: bool,
    player: bool,
}

/// None if it reads more than properties, or looks through nothing.
fn reads(program: &Program, facts: &[Facts], func: FuncId) -> Option<Reads> {
    let mut reads = Reads::default();
    add_reads(program, facts, func, &mut reads)?;
    // Whoever it is asked of and whoever plays would have to be told apart at once.
    let of_both = reads.player && !reads_no_receiver(&program.functions[func as usize], &program.pools);
    (reads.things && !of_both).then_some(reads)
}

fn add_reads(program: &Program, facts: &[Facts], func: FuncId, reads: &mut Reads) -> Option<()> {
    for op in &program.functions[func as usize].code {
        match op {
            Op::GetProp { prop, .. } => reads.props.push(*prop),
            // What the turn is changes without the journal.
            Op::GetSlot { slot, .. } if *slot >= layout::ORDER + 2 * program.world.n_seats => reads.slots.push(*slot),
            Op::Player { .. } => reads.player = true,
            Op::Call { func, .. } if !facts[*func as usize].recurs => add_reads(program, facts, *func, reads)?,
            Op::GetOf { name, .. } => {
                for answer in program.answers.get(name)?.iter().flatten() {
                    match answer {
                        Answer::Property(prop) => reads.props.push(*prop),
                        Answer::Field(Field::Row | Field::Column | Field::Number | Field::Kind) => {}
                        _ => return None,
                    }
                }
            }
            Op::Look { look, .. } => {
                let look = &program.pools.looks[*look as usize];
                let Domain::Kind(_) = look.domain else { return None };
                // One that ends at the first hit takes less time than to find out whether it was asked before.
                let ends_early = matches!(look.quantifier, Quantifier::Any | Quantifier::None | Quantifier::Every);
                match look.test {
                    Test::Always => {}
                    Test::Some(prop) | Test::Nil(prop) | Test::Equal(prop, _) | Test::Unequal(prop, _) => {
                        reads.props.push(prop);
                    }
                    Test::Empty | Test::Occupied => reads.props.push(layout::TOP),
                    // The code stands in the same function.
                    Test::Code(_) if ends_early => return None,
                    Test::Code(_) => {}
                }
                match look.measure {
                    Measure::Property(prop) => reads.props.push(prop),
                    Measure::Itself | Measure::Code(_) => {}
                }
                reads.things = true;
            }
            Op::Const { .. }
            | Op::Move { .. }
            | Op::Jump { .. }
            | Op::JumpNil { .. }
            | Op::JumpSome { .. }
            | Op::JumpEq { .. }
            | Op::JumpNe { .. }
            | Op::JumpLess { .. }
            | Op::JumpNotLess { .. }
            | Op::Add { .. }
            | Op::Sub { .. }
            | Op::Mul { .. }
            | Op::Eq { .. }
            | Op::Ne { .. }
            | Op::Lt { .. }
            | Op::Le { .. }
            | Op::Not { .. }
            | Op::IsA { .. }
            | Op::BlockEnd { .. }
            | Op::Return { .. } => {}
            _ => return None,
        }
    }
    Some(())
}

impl Memos {
    pub fn of(program: &Program, facts: &[Facts]) -> Memos {
        let layout = &program.layout;
        let mut memos = Memos {
            funcs: Vec::new(),
            by_player: Vec::new(),
            slots: vec![0; layout.made_base as usize].into(),
            made: vec![0; layout.made_stride as usize].into(),
            made_base: layout.made_base,
            made_stride: layout.made_stride,
            n_askers: program.world.n_seats + 1,
        };
        let defines = program.answers.values().flatten().flatten();
        let mut defines: Vec<FuncId> = defines
            .filter_map(|answer| match answer {
                Answer::Define(func) => Some(*func),
                _ => None,
            })
            .collect();
        defines.sort_unstable();
        defines.dedup();
        for func in defines.into_iter().filter(|_| program.may(Shortcut::Memos)) {
            let (function, Facts { stops, writes, recurs, .. }) =
                (&program.functions[func as usize], facts[func as usize]);
            if function.n_args != 1 || stops || writes || recurs || memos.funcs.len() == MOST_FUNCS {
                continue;
            }
            let Some(mut read) = reads(program, facts, func) else { continue };
            let bit = 1 << memos.funcs.len();
            memos.funcs.push(func);
            program.permits.write(Shortcut::Memos);
            memos.by_player.push(read.player);
            // Things come and go.
            read.props.push(layout::GONE);
            memos.slots[layout::MADE as usize] |= bit;
            for slot in read.slots {
                memos.slots[slot as usize] |= bit;
            }
            for prop in read.props {
                let (first, end, base) = layout.column(prop);
                for slot in base..base + (end - first) {
                    memos.slots[slot as usize] |= bit;
                }
                match layout.made_offset(prop) {
                    0 => {}
                    at => memos.made[at as usize] |= bit,
                }
            }
        }
        memos
    }

    /// The number of a define that is kept.
    pub fn number(&self, func: FuncId) -> Option<usize> {
        self.funcs.iter().position(|&known| known == func)
    }

    /// What the defines that are kept are called.
    pub fn names(&self, program: &Program) -> Vec<String> {
        self.funcs.iter().map(|&func| program.functions[func as usize].name.clone()).collect()
    }

    /// Whether a define that is kept is about the player, whomever it is asked of.
    pub fn is_by_player(&self, number: usize) -> bool {
        self.by_player[number]
    }

    #[inline]
    fn readers(&self, slot: u64) -> u8 {
        match self.slots.get(slot as usize) {
            Some(&readers) => readers,
            None => self.made[((slot as u32 - self.made_base) % self.made_stride) as usize],
        }
    }

    /// Whether what a define gave still holds.
    #[inline]
    fn holds(&self, machine: &Machine, number: usize, memo: Memo) -> bool {
        memo.at != UNKNOWN
            && machine.mem.journal[memo.at as usize..].iter().all(|change| self.readers(change.slot) >> number & 1 == 0)
    }
}

impl Machine {
    /// Changes are taken back as far as this.
    #[inline]
    pub(crate) fn cut_memos(&mut self, journal: usize) {
        for memo in self.memos.iter_mut() {
            if memo.at > journal as u64 {
                memo.at = UNKNOWN;
            }
        }
    }

    /// The journal is about to begin anew: finds out what still holds.
    #[inline]
    pub(crate) fn settle_memos(&mut self, program: &Program) {
        if self.memos.is_empty() {
            return;
        }
        let Some(native) = program.native() else { return self.memos.clear() };
        let (memos, n) = (native.memos(), self.mem.journal.len());
        // For each of the last changes who reads something that was changed since.
        let mut readers = [0; MOST_CHANGES];
        let first = n.saturating_sub(MOST_CHANGES);
        let mut since = 0;
        for at in (first..n).rev() {
            since |= memos.readers(self.mem.journal[at].slot);
            readers[at - first] = since;
        }
        let of_defines = self.memos.chunks_mut(memos.n_askers as usize).enumerate();
        for (number, memo) in of_defines.flat_map(|(number, of)| of.iter_mut().map(move |memo| (number, memo))) {
            let holds = match memo.at.checked_sub(first as u64) {
                Some(behind) if memo.at < n as u64 => readers[behind as usize] >> number & 1 == 0,
                Some(_) => memo.at == n as u64,
                // So many changes are not looked through again: it is found out anew.
                None => false,
            };
            memo.at = if holds { n as u64 } else { UNKNOWN };
        }
    }

    /// The journal begins anew.
    #[inline]
    pub(crate) fn forget_memos(&mut self) {
        let n = self.mem.journal.len() as u64;
        for memo in self.memos.iter_mut() {
            memo.at = if memo.at == n { 0 } else { UNKNOWN };
        }
    }
}

fn index(memos: &Memos, number: u64, of: u64) -> Option<usize> {
    let asker: EntityId = Value(of).as_entity().filter(|&asker| asker < memos.n_askers)?;
    Some(number as usize * memos.n_askers as usize + asker as usize)
}

/// What a define gave, if nothing has changed that it reads.
pub(super) extern "C" fn recall(machine: &mut Machine, memos: &Memos, number: u64, of: u64) -> u64 {
    let Some(at) = index(memos, number, of) else { return MISSING };
    match machine.memos.get(at) {
        Some(&memo) if memos.holds(machine, number as usize, memo) => {
            machine.memos[at].at = machine.mem.journal.len() as u64;
            memo.value
        }
        _ => MISSING,
    }
}

/// Keeps what a define gave.
pub(super) extern "C" fn keep(machine: &mut Machine, memos: &Memos, number: u64, of: u64, value: u64) {
    let Some(at) = index(memos, number, of).filter(|_| !Value(value).in_heap()) else { return };
    if machine.memos.is_empty() {
        machine.memos.resize(memos.funcs.len() * memos.n_askers as usize, Memo { value: 0, at: UNKNOWN });
    }
    machine.memos[at] = Memo { value, at: machine.mem.journal.len() as u64 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_define_gave_is_forgotten_when_something_it_reads_changes() {
        let mut machine = Machine::default();
        machine.mem.slots = vec![0; 4].into();
        let memos = Memos {
            funcs: vec![0],
            by_player: vec![false],
            slots: vec![0, 0, 1, 0].into(),
            made: vec![0].into(),
            made_base: 4,
            made_stride: 1,
            n_askers: 3,
        };
        let player = Value::entity(1).0;
        assert_eq!(recall(&mut machine, &memos, 0, player), MISSING);
        keep(&mut machine, &memos, 0, player, Value::small(7).0);
        machine.mem.set(1, Value::small(3));
        assert_eq!(recall(&mut machine, &memos, 0, player), Value::small(7).0);
        assert_eq!(recall(&mut machine, &memos, 0, Value::entity(2).0), MISSING);
        let mark = machine.mem.mark();
        machine.mem.set(2, Value::small(3));
        assert_eq!(recall(&mut machine, &memos, 0, player), MISSING);
        keep(&mut machine, &memos, 0, player, Value::small(8).0);
        machine.rollback(mark);
        assert_eq!(recall(&mut machine, &memos, 0, player), MISSING);
    }
}
