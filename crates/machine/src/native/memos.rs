//! Defines about a player or the game that look through all things of a kind: what they gave is kept until something
//! changes that they read. One that asks who plays is kept for each player.

use super::MISSING;
use crate::buffer::Buffer;
use crate::code::*;
use crate::derived::{Follows, InStep};
use crate::facts::Facts;
use crate::layout;
use crate::memory::{Change, Memory};
use crate::program::Program;
use crate::roster::reads_no_receiver;
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::Machine;
use crate::world::EntityId;
#[cfg(debug_assertions)]
use crate::world::GAME;

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

/// What a define gave, when the journal was so long; nowhere if it does not hold any more.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Memo {
    pub(super) value: u64,
    pub(super) step: InStep,
}

/// What defines gave in one position: those of one define together, for the game and each player.
#[derive(Clone, Debug, Default)]
pub struct Given {
    pub(super) list: Buffer<Memo>,
}

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
        let reads = |change: &Change| self.readers(change.slot) >> number & 1 == 1;
        memo.step.missed(&machine.mem).is_some_and(|missed| !missed.iter().any(reads))
    }
}

impl Follows for Given {
    #[inline]
    fn cut(&mut self, _: &Memory, journal: usize) {
        self.list.iter_mut().for_each(|memo| memo.step.cut(journal));
    }

    #[inline]
    fn settle(&mut self, memory: &Memory) {
        self.list.iter_mut().for_each(|memo| memo.step.settle(memory));
    }

    /// Nobody asks so often for what was found before a copy that it would be worth copying.
    fn copy_from(&mut self, _: &Given) {
        self.list.clear();
    }

    /// Finds out what still holds.
    #[inline]
    fn catch_up(machine: &mut Machine, program: &Program) {
        if !machine.derived.memos.list.is_empty() {
            match program.native() {
                Some(native) => machine.derived.memos.learn(native.memos(), &machine.mem),
                None => machine.derived.memos.list.clear(),
            }
        }
    }

    #[cfg(debug_assertions)]
    fn differs(machine: &mut Machine, program: &Program) -> Option<String> {
        let memos = program.native()?.memos();
        let n_askers = memos.n_askers as usize;
        for at in 0..machine.derived.memos.list.len() {
            let (number, asker) = (at / n_askers, (at % n_askers) as EntityId);
            let memo = machine.derived.memos.list[at];
            if !memos.holds(machine, number, memo) {
                continue;
            }
            // About whoever plays, or about who is asked.
            let func = memos.funcs[number];
            let anew = match memos.by_player[number] {
                true => machine.as_actor(asker, |machine| machine.call(program, func, &[Value::entity(GAME)])),
                false => machine.call(program, func, &[Value::entity(asker)]),
            };
            if anew != Ok(Value(memo.value)) {
                let name = &program.functions[func as usize].name;
                return Some(format!("`{name}` of {asker}: {:?}, anew {anew:?}", Value(memo.value)));
            }
        }
        None
    }
}

impl Given {
    fn learn(&mut self, memos: &Memos, memory: &Memory) {
        let n = memory.journal.len();
        // For each of the last changes who reads something that was changed since.
        let mut readers = [0; MOST_CHANGES];
        let first = n.saturating_sub(MOST_CHANGES);
        let mut since = 0;
        for at in (first..n).rev() {
            since |= memos.readers(memory.journal[at].slot);
            readers[at - first] = since;
        }
        let of_defines = self.list.chunks_mut(memos.n_askers as usize).enumerate();
        for (number, memo) in of_defines.flat_map(|(number, of)| of.iter_mut().map(move |memo| (number, memo))) {
            let holds = match memo.step.0.checked_sub(first as u64) {
                Some(behind) if memo.step.0 < n as u64 => readers[behind as usize] >> number & 1 == 0,
                Some(_) => memo.step.knows(memory),
                // So many changes are not looked through again: it is found out anew.
                None => false,
            };
            memo.step = if holds { InStep::now(memory) } else { InStep::NOWHERE };
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
    match machine.derived.memos.list.get(at) {
        Some(&memo) if memos.holds(machine, number as usize, memo) => {
            machine.derived.memos.list[at].step = InStep::now(&machine.mem);
            memo.value
        }
        _ => MISSING,
    }
}

/// Keeps what a define gave.
pub(super) extern "C" fn keep(machine: &mut Machine, memos: &Memos, number: u64, of: u64, value: u64) {
    let Some(at) = index(memos, number, of).filter(|_| !Value(value).in_heap()) else { return };
    let given = &mut machine.derived.memos.list;
    if given.is_empty() {
        given.resize(memos.funcs.len() * memos.n_askers as usize, Memo { value: 0, step: InStep::NOWHERE });
    }
    given[at] = Memo { value, step: InStep::now(&machine.mem) };
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
