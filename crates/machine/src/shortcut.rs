//! The shorter ways by name, so that a test can do without any of them and know which were taken.
//!
//! Which of them a program may take is decided when it is compiled, and when native code is made of it: whoever plays
//! does not ask. That one was taken is noted in builds with assertions only.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! shortcuts {
    ($($shortcut:ident $what:literal)*) => {
        /// A way to do less work with the same result.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Shortcut { $(#[doc = $what] $shortcut),* }

        impl Shortcut {
            pub const ALL: &[Shortcut] = &[$(Shortcut::$shortcut),*];
        }
    };
}

shortcuts! {
    Keeper "candidates that pass the laws about their neighbourhood are kept"
    Guard "which of them are somebody's own is known"
    Marks "who has which places of a small board is known as sets of bits"
    Outlook "candidates from where no walk finds anything are not drawn"
    Roster "who may receive an action as far as its own properties say is kept"
    Sampler "attributes are drawn instead of listed"
    Tickets "receivers stand for their combinations before these are listed"
    Picks "attributes are drawn from a walk by where its places lie"
    Strides "all that can be done on a small board is found by shifts of bits"
    Listing "native code lists attributes for all receivers in one go"
    Swift "random play goes on without a journal"
    Lane "the same without any ceremony where every candidate is kept"
    Plainly "the same where nothing else has to be asked"
    Watching "candidates learn from native code what an action has changed"
    History "the name of a position is brought up to date instead of made anew"
    Memos "what defines gave that count the things of a kind is kept"
    Windows "lines are found in sets of bits"
    Rays "what walks find is found in sets of bits"
    Pairs "most lines on large boards are refused by one look"
    Reach "who could not lead to a place on an empty board is not asked"
    Chains "which rows and columns a chain reaches is kept"
    Plans "what is beside a chain is found by one search"
    Regions "groups are found in tables"
    Cursor "choices that are only looked through are found one by one"
    Tails "a message passed on as the last thing to do is a jump"
}

/// Some of the shortcuts.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Shortcuts(u64);

impl Shortcuts {
    /// As the bits of a number say, one for each in the order of [`Shortcut::ALL`].
    pub fn of_bits(bits: u64) -> Shortcuts {
        Shortcuts(bits & ((1 << Shortcut::ALL.len()) - 1))
    }

    pub fn with(self, shortcut: Shortcut) -> Shortcuts {
        Shortcuts(self.0 | 1 << shortcut as u32)
    }

    #[inline]
    pub fn has(self, shortcut: Shortcut) -> bool {
        self.0 >> shortcut as u32 & 1 == 1
    }

    pub fn and(self, others: Shortcuts) -> Shortcuts {
        Shortcuts(self.0 | others.0)
    }

    pub fn iter(self) -> impl Iterator<Item = Shortcut> {
        Shortcut::ALL.iter().copied().filter(move |&shortcut| self.has(shortcut))
    }
}

impl fmt::Debug for Shortcuts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Which shortcuts a program may not take, and which it has taken.
#[derive(Default)]
pub(crate) struct Permits {
    without: Shortcuts,
    taken: AtomicU64,
    written: AtomicU64,
}

impl Permits {
    pub fn without(without: Shortcuts) -> Permits {
        Permits { without, ..Permits::default() }
    }

    /// Whether a program may take a shortcut.
    pub fn open(&self, shortcut: Shortcut) -> bool {
        !self.without.has(shortcut)
    }

    /// Remembers that one stands in native code.
    pub fn write(&self, shortcut: Shortcut) {
        self.written.fetch_or(1 << shortcut as u32, Ordering::Relaxed);
        self.take(shortcut);
    }

    pub fn written(&self) -> Shortcuts {
        Shortcuts(self.written.load(Ordering::Relaxed))
    }

    /// Remembers that one was taken.
    #[inline(always)]
    pub fn take(&self, shortcut: Shortcut) {
        if cfg!(debug_assertions) {
            let bit = 1 << shortcut as u32;
            if self.taken.load(Ordering::Relaxed) & bit == 0 {
                self.taken.fetch_or(bit, Ordering::Relaxed);
            }
        }
    }

    pub fn taken(&self) -> Shortcuts {
        Shortcuts(self.taken.load(Ordering::Relaxed))
    }
}
