use crate::SeatId;
use smallvec::SmallVec;

/// How a match ended, seat by seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The rank of each seat, 1 first; equals share a rank.
    pub ranks: SmallVec<[u8; 16]>,
}

/// What an outcome is to one seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Standing {
    Lost,
    Drew,
    Won,
}

impl Outcome {
    pub fn draw(n_seats: usize) -> Self {
        Outcome { ranks: SmallVec::from_elem(1, n_seats) }
    }

    pub fn win(winner: SeatId, n_seats: usize) -> Self {
        Outcome { ranks: (0..n_seats).map(|seat| if seat == winner.0 as usize { 1 } else { 2 }).collect() }
    }

    /// First alone or with others is won, unless everybody is first: that is a draw.
    pub fn standing(&self, seat: SeatId) -> Standing {
        let ranks = self.ranks.as_slice();
        if ranks.len() > 1 && ranks.iter().all(|&rank| rank == ranks[0]) {
            return Standing::Drew;
        }
        if ranks[seat.0 as usize] == 1 { Standing::Won } else { Standing::Lost }
    }
}
