//! Breakthrough as two sets of 64 bits, turned over after each move so that whoever moves goes up the board.

use super::bits::Members;
use super::board::{Board, End};
use super::draw::Draw;

#[derive(Clone)]
pub struct Breakthrough {
    /// Of whoever is to move, and of the other.
    own: u64,
    other: u64,
    plies: u32,
}

const LEFT: u64 = 0x0101_0101_0101_0101;
const LAST_ROW: u64 = 0xff << 56;

impl Breakthrough {
    /// The squares that can be reached straight, to the left and to the right.
    #[inline]
    fn targets(&self) -> [Members; 3] {
        let straight = self.own << 8 & !(self.own | self.other);
        let left = (self.own & !LEFT) << 7 & !self.own;
        let right = (self.own & !(LEFT << 7)) << 9 & !self.own;
        [straight, left, right].map(Members::of)
    }

    /// Moves by so many squares to one of `targets`; true if that wins.
    #[inline]
    fn go(&mut self, step: u32, square: u32) -> bool {
        let to = 1_u64 << square;
        let own = self.own ^ to ^ to >> step;
        let other = self.other & !to;
        self.own = other.swap_bytes();
        self.other = own.swap_bytes();
        self.plies += 1;
        to & LAST_ROW != 0 || other == 0
    }
}

impl Board for Breakthrough {
    fn start() -> Self {
        Breakthrough { own: 0xffff, other: 0xffff << 48, plies: 0 }
    }

    #[inline]
    fn playout(&mut self, draw: &mut Draw) -> End {
        *self = Self::start();
        loop {
            let [straight, left, right] = self.targets();
            // The foremost pawn has a way to go, so there is something to draw from.
            let n = draw.below(straight.len() + left.len() + right.len());
            let (aside, to_the_right) = (n >= straight.len(), n >= straight.len() + left.len());
            let n = n - straight.len() * u32::from(aside) - left.len() * u32::from(to_the_right);
            let square = straight.or(left, aside).or(right, to_the_right).nth(n);
            if self.go(8 - u32::from(aside) + 2 * u32::from(to_the_right), square) {
                return End::won((self.plies - 1) & 1, self.plies);
            }
        }
    }

    fn successors(&self) -> Vec<Self> {
        // Whoever has just moved is `other`, and goes down the board as it lies now.
        if self.own == 0 || self.other & 0xff != 0 {
            return Vec::new();
        }
        let mut all = Vec::new();
        for (step, targets) in [8, 7, 9].into_iter().zip(self.targets()) {
            for n in 0..targets.len() {
                let mut next = self.clone();
                next.go(step, targets.nth(n));
                all.push(next);
            }
        }
        all
    }
}
