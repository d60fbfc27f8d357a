//! Connect Four as two sets of bits: seven a column, the highest of them always empty, so that no line wraps round.

use super::board::{Board, End};
use super::draw::Draw;

#[derive(Clone)]
pub struct ConnectFour {
    discs: [u64; 2],
    /// The lowest empty cell of each column.
    next: u64,
    /// The columns with room, four bits each, in no particular order.
    open: u32,
    n_open: u32,
    plies: u32,
}

const HEIGHT: u32 = 6;
const COLUMN: u64 = (1 << 7) - 1;
/// The cell above each column.
const ABOVE: u64 = {
    let mut above = 0;
    let mut column = 0;
    while column < 7 {
        above |= 1 << (7 * column + HEIGHT);
        column += 1;
    }
    above
};

#[inline]
fn four(discs: u64) -> bool {
    let line = |step: u32| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step)
    };
    line(1) | line(6) | line(7) | line(8) != 0
}

impl ConnectFour {
    /// Drops a disc into the open column of this number; true if that wins.
    #[inline]
    fn drop(&mut self, idx: u32) -> bool {
        let column = self.open >> (4 * idx) & 15;
        let cell = self.next & COLUMN << (7 * column);
        self.next += cell;
        if self.next & ABOVE & COLUMN << (7 * column) != 0 {
            self.n_open -= 1;
            let last = self.open >> (4 * self.n_open) & 15;
            self.open ^= (column ^ last) << (4 * idx);
        }
        let discs = &mut self.discs[(self.plies & 1) as usize];
        *discs |= cell;
        self.plies += 1;
        four(*discs)
    }
}

impl Board for ConnectFour {
    fn start() -> Self {
        ConnectFour { discs: [0; 2], next: ABOVE >> HEIGHT, open: 0x654_3210, n_open: 7, plies: 0 }
    }

    #[inline]
    fn playout(&mut self, draw: &mut Draw) -> End {
        *self = Self::start();
        while self.n_open > 0 {
            let mut word = draw.word();
            for _ in 0..8 {
                if self.drop(word.below(self.n_open)) {
                    return End::won((self.plies - 1) & 1, self.plies);
                }
                if self.n_open == 0 {
                    break;
                }
            }
        }
        End::drawn(self.plies)
    }

    fn successors(&self) -> Vec<Self> {
        if self.discs.iter().any(|&discs| four(discs)) {
            return Vec::new();
        }
        let dropped = |idx| {
            let mut next = self.clone();
            next.drop(idx);
            next
        };
        (0..self.n_open).map(dropped).collect()
    }
}
