//! Who looks, and what may be told to whom.

use houserules_kernel::{SeatId, Viewer};

/// Whose eyes a client looks with: a seat's, or nobody's.
pub type Eyes = Option<u8>;

pub fn viewer(eyes: Eyes) -> Viewer {
    match eyes {
        Some(seat) => Viewer::Seat(SeatId(seat)),
        None => Viewer::Public,
    }
}

/// A set of eyes, as bits: seats from the first, nobody's the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Set(pub u64);

impl Set {
    pub const ALL: Set = Set(u64::MAX);

    fn bit(eyes: Eyes) -> u64 {
        match eyes {
            Some(seat) => 1 << u64::from(seat).min(62),
            None => 1 << 63,
        }
    }

    pub fn one(eyes: Eyes) -> Self {
        Set(Self::bit(eyes))
    }

    pub fn has(self, eyes: Eyes) -> bool {
        self.0 & Self::bit(eyes) != 0
    }

    pub fn with(self, eyes: Eyes) -> Self {
        Set(self.0 | Self::bit(eyes))
    }

    pub fn without(self, other: Set) -> Self {
        Set(self.0 & !other.0)
    }
}
