//! Who stands where on a small board, as words of bits that follow what is played.

use super::{ANY, FILLED, MOST_WORDS, ODD, OWN, Strides, Watched};
use crate::derived::{Follows, InStep};
use crate::layout::{self, Column};
use crate::memory::Memory;
use crate::program::Program;
use crate::value::Value;
use crate::vm::Machine;
use crate::world::EntityId;

/// A bit for each place in each word, as it was when the journal was so long.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing {
    pub(super) words: [u64; MOST_WORDS],
    step: InStep,
    /// Whether the last draw had to know the roster, too.
    pub(super) asks_roster: bool,
}

impl Standing {
    /// Whether what the next draw needs is all kept here, as it was for the last one.
    #[inline]
    pub fn suffices(&self) -> bool {
        self.step.is_known() && !self.asks_roster
    }
}

impl Follows for Standing {
    #[inline]
    fn cut(&mut self, _: &Memory, journal: usize) {
        self.step.cut(journal);
    }

    #[inline]
    fn settle(&mut self, memory: &Memory) {
        self.step.settle(memory);
    }

    #[inline]
    fn copy_from(&mut self, other: &Standing) {
        *self = *other;
    }

    fn catch_up(machine: &mut Machine, program: &Program) {
        if machine.derived.standing.step.is_known() {
            machine.learn_standing(program);
        }
    }

    #[cfg(debug_assertions)]
    fn differs(machine: &mut Machine, program: &Program) -> Option<String> {
        if !machine.derived.standing.step.is_known() {
            return None;
        }
        machine.learn_standing(program);
        let kept = std::mem::take(&mut machine.derived.standing).words;
        machine.learn_standing(program);
        let anew = machine.derived.standing.words;
        (kept != anew).then(|| format!("{kept:x?}, anew {anew:x?}"))
    }
}

impl Machine {
    /// The bits learn who stands where.
    pub(crate) fn learn_standing(&mut self, program: &Program) {
        if let Some(strides) = &program.strides {
            self.stand(program, strides);
        }
    }

    /// Brings the bits up to date.
    #[inline]
    pub(super) fn stand(&mut self, program: &Program, strides: &Strides) {
        if !self.derived.standing.step.knows(&self.mem) {
            self.stand_anew(program, strides);
        }
    }

    fn stand_anew(&mut self, program: &Program, strides: &Strides) {
        let mut dirty = 0u64;
        match self.derived.standing.step.missed(&self.mem) {
            None => dirty = u64::MAX >> (64 - strides.n),
            Some(missed) => {
                for change in missed {
                    let place = match strides.watched.get(change.slot as usize) {
                        Some(Watched::Nothing) => continue,
                        Some(Watched::Place(at)) => {
                            dirty |= 1 << at;
                            continue;
                        }
                        Some(&Watched::Thing(place)) => self.mem.get(place),
                        None => {
                            let behind = change.slot as u32 - program.layout.made_base;
                            let (block, at) =
                                (behind / program.layout.made_stride, behind % program.layout.made_stride);
                            if !strides.made[at as usize] {
                                continue;
                            }
                            self.prop(program, layout::PLACE, program.layout.first_made + block)
                        }
                    };
                    let at = place.as_entity().map_or(u32::MAX, |place| place.wrapping_sub(strides.first));
                    dirty |= u64::from(at < strides.n) << (at & 63);
                }
            }
        }
        self.derived.standing.words[..usize::from(strides.n_words)].iter_mut().for_each(|word| *word &= !dirty);
        self.derived.standing.words[usize::from(ANY)] = u64::MAX;
        while dirty != 0 {
            let at = dirty.trailing_zeros();
            dirty &= dirty - 1;
            if let Some(top) = Value(self.mem.slots[(strides.tops + at) as usize]).as_entity() {
                let mut held = self.words_of(program, strides, top);
                while held != 0 {
                    self.derived.standing.words[held.trailing_zeros() as usize % MOST_WORDS] |= 1 << at;
                    held &= held - 1;
                }
            }
        }
        self.derived.standing.step = InStep::now(&self.mem);
    }

    /// The words in which the place of a thing on top has its bit.
    #[inline]
    fn words_of(&self, program: &Program, strides: &Strides, top: EntityId) -> u16 {
        let kind = self.kind_of(program, top);
        let [owner, under, state] = &strides.columns[kind as usize];
        let value = |column: &Option<Column>| match *column {
            Some(column) => self.mem.get(program.layout.slot_in(column, top)),
            None => Value::NIL,
        };
        let (owner, under, state) = (value(owner), value(under), value(state));
        let mut held = 1 << FILLED;
        held |= u16::from(owner == Value::entity(1)) << OWN;
        held |= u16::from(owner == Value::entity(2)) << (OWN + 1);
        // A place or a player that lies somewhere is like no thing that code was read for.
        let fixed = program.fixed.get(top as usize) == Some(&true);
        held |= u16::from(fixed || !under.is_nil()) << ODD;
        let classes = &strides.classes[kind as usize];
        if !classes.is_empty() {
            let known = classes.iter().find(|(word, _)| *word == state.0);
            held |= known.map_or(1 << ODD, |&(_, words)| words);
        }
        held
    }
}
