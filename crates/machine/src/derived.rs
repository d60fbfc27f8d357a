//! What follows from memory, and is kept so that it need not be found anew.
//!
//! Whoever keeps something reads in the journal what has changed since, and says how far it has come by an [`InStep`]. All
//! of it is owned here: what is taken back, forgotten or copied is told to all of them in one place.

use crate::history::Tally;
use crate::keeper::Kept;
use crate::marks::Marks;
use crate::memory::{Change, Memory};
use crate::native::{Chains, Given};
use crate::program::Program;
use crate::roster::Enrolled;
use crate::strides::Standing;
use crate::vm::Machine;

/// How far something is in step with the journal: it knows all changes before this one.
///
/// Native code compares it with the length of the journal, as a number of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(crate) struct InStep(pub u64);

impl InStep {
    /// Longer than any journal: nothing is known.
    pub const NOWHERE: InStep = InStep(u64::MAX);
    /// Where a journal begins.
    pub const BEGINNING: InStep = InStep(0);

    /// In step with all changes.
    #[inline]
    pub fn now(memory: &Memory) -> InStep {
        InStep(memory.journal.len() as u64)
    }

    /// Whether all changes are known.
    #[inline]
    pub fn knows(self, memory: &Memory) -> bool {
        self == InStep::now(memory)
    }

    /// Whether anything is known.
    #[inline]
    pub fn is_known(self) -> bool {
        self != InStep::NOWHERE
    }

    /// The changes that are not known yet; none where nothing is known.
    #[inline]
    pub fn missed(self, memory: &Memory) -> Option<&[Change]> {
        memory.journal.get(self.0 as usize..)
    }

    /// Changes are taken back as far as this. Whoever knew some of them knows nothing any more.
    #[inline]
    pub fn cut(&mut self, journal: usize) {
        if self.0 > journal as u64 {
            *self = InStep::NOWHERE;
        }
    }

    /// The journal begins anew. Whoever has missed something knows nothing any more.
    #[inline]
    pub fn settle(&mut self, memory: &Memory) {
        if self.is_known() {
            *self = if self.knows(memory) { InStep::BEGINNING } else { InStep::NOWHERE };
        }
    }
}

impl Default for InStep {
    fn default() -> InStep {
        InStep::NOWHERE
    }
}

/// Something kept from move to move.
///
/// How it learns what it has missed is its own affair: some have to ask laws for that, others read what was changed.
pub(crate) trait Follows: Default {
    /// Changes are about to be taken back as far as this.
    fn cut(&mut self, memory: &Memory, journal: usize);
    /// The journal is about to begin anew.
    fn settle(&mut self, memory: &Memory);
    /// Becomes a copy of another, in the memory it has.
    fn copy_from(&mut self, other: &Self);
    /// Finds out what it has missed, if it knew anything before and is going to be asked again.
    fn catch_up(machine: &mut Machine, program: &Program);
    /// What differs between what is kept and what would be found anew, both in step.
    #[cfg(debug_assertions)]
    fn differs(machine: &mut Machine, program: &Program) -> Option<String>;
}

/// Registers what is kept: a line for each.
macro_rules! derived {
    ($($(#[doc = $what:literal])* $name:ident: $kept:ty,)*) => {
        /// All that follows the journal of one machine.
        #[derive(Clone, Debug, Default)]
        #[repr(C)]
        pub(crate) struct Derived { $($(#[doc = $what])* pub $name: $kept,)* }

        impl Derived {
            /// Changes are about to be taken back as far as this.
            #[inline]
            pub fn cut(&mut self, memory: &Memory, journal: usize) {
                $(self.$name.cut(memory, journal);)*
            }

            /// The journal is about to begin anew.
            #[inline]
            pub fn settle(&mut self, memory: &Memory) {
                $(self.$name.settle(memory);)*
            }

            /// Becomes a copy of another, in the memory it has.
            pub fn copy_from(&mut self, other: &Derived) {
                $(self.$name.copy_from(&other.$name);)*
            }
        }

        impl Machine {
            /// Whatever is asked for from move to move learns what has changed.
            pub(crate) fn keep_up(&mut self, program: &Program) {
                $(<$kept as Follows>::catch_up(self, program);)*
            }

            /// Stops where something kept is not what would be found anew.
            #[cfg(debug_assertions)]
            pub(crate) fn compare_with_anew(&self, program: &Program) {
                $(
                    let mut machine = self.clone();
                    machine.reset_budget(program);
                    let differs = <$kept as Follows>::differs(&mut machine, program);
                    assert_eq!(differs, None, "`{}` is not what it would be if it was found anew", stringify!($name));
                )*
            }
        }
    };
}

derived! {
    /// Candidates that pass the laws which look at their neighbourhood only.
    kept: Kept,
    /// Who has which places of a small board.
    marks: Marks,
    /// Which places hang together.
    chains: Chains,
    /// The part of the history's name for this position that is kept up to date.
    tally: Tally,
    /// Which places of a small board hold what. Before the roster, which it may spare.
    standing: Standing,
    /// The things that may receive each action, as far as their own properties say.
    enrolled: Enrolled,
    /// What defines gave that look through all things of a kind.
    memos: Given,
}

impl Machine {
    /// Takes back every change since the mark.
    #[inline]
    pub fn rollback(&mut self, mark: crate::memory::Mark) {
        self.derived.cut(&self.mem, Memory::changes_at(mark));
        self.mem.rollback(mark);
    }

    /// Forgets how to go back.
    pub fn forget_changes(&mut self) {
        self.derived.settle(&self.mem);
        self.mem.forget();
    }

    /// Stops where something kept is not what would be found anew; in builds without assertions, and for programs that do
    /// not ask for it, nothing.
    #[inline(always)]
    pub(crate) fn check_derived(&self, program: &Program) {
        #[cfg(debug_assertions)]
        // What ran out has let through what it might have refused, and is found anew with the next question.
        if program.checked && !self.ran_out && self.exhausted.is_none() {
            self.compare_with_anew(program);
        }
        #[cfg(not(debug_assertions))]
        let _ = program;
    }
}
