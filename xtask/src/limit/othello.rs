//! Othello as two sets of 64 bits; all eight directions at once by shifting.

use super::bits::Members;
use super::board::{Board, End};
use super::draw::Draw;

#[derive(Clone)]
pub struct Othello {
    /// Of whoever is to place, and of the other.
    own: u64,
    other: u64,
    plies: u32,
}

/// Cells that are not in an outer column: a line through them goes on to the left and right.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Up to six discs of `through` in a row from `from` on, one way and the other.
#[inline]
fn rays(from: u64, through: u64, step: u32) -> (u64, u64) {
    let two = through & through << step;
    let mut up = through & from << step;
    up |= through & up << step;
    up |= two & up << (2 * step);
    up |= two & up << (2 * step);
    let two = through & through >> step;
    let mut down = through & from >> step;
    down |= through & down >> step;
    down |= two & down >> (2 * step);
    down |= two & down >> (2 * step);
    (up, down)
}

/// Where a disc of `own` brackets some of `other`.
#[inline]
fn placeable(own: u64, other: u64) -> u64 {
    let way = |through: u64, step: u32| {
        let (up, down) = rays(own, through, step);
        up << step | down >> step
    };
    let inner = other & INNER;
    (way(inner, 1) | way(other, 8) | way(inner, 7) | way(inner, 9)) & !(own | other)
}

/// The discs of `other` bracketed by a disc of `own` on this cell.
#[inline]
fn bracketed(cell: u64, own: u64, other: u64) -> u64 {
    let way = |through: u64, step: u32| {
        let (up, down) = rays(cell, through, step);
        let closed = |ray: u64, end: u64| if end & own != 0 { ray } else { 0 };
        closed(up, (up << step | cell << step) & own) | closed(down, (down >> step | cell >> step) & own)
    };
    let inner = other & INNER;
    way(inner, 1) | way(other, 8) | way(inner, 7) | way(inner, 9)
}

impl Othello {
    #[inline]
    fn place(&mut self, cell: u64) {
        let turned = bracketed(cell, self.own, self.other);
        let own = self.own | cell | turned;
        self.own = self.other & !turned;
        self.other = own;
        self.plies += 1;
    }

    fn pass(&mut self) {
        std::mem::swap(&mut self.own, &mut self.other);
        self.plies += 1;
    }
}

impl Board for Othello {
    fn start() -> Self {
        Othello { own: 1 << 28 | 1 << 35, other: 1 << 27 | 1 << 36, plies: 0 }
    }

    #[inline]
    fn playout(&mut self, draw: &mut Draw) -> End {
        *self = Self::start();
        loop {
            let cells = Members::of(placeable(self.own, self.other));
            if cells.len() > 0 {
                let n = draw.below(cells.len());
                self.place(1 << cells.nth(n));
            } else if placeable(self.other, self.own) != 0 {
                self.pass();
            } else {
                let discs = [self.own.count_ones() as i32, self.other.count_ones() as i32];
                let black = (self.plies & 1) as usize;
                return End::by_score(discs[black], discs[1 - black], self.plies);
            }
        }
    }

    fn successors(&self) -> Vec<Self> {
        let cells = Members::of(placeable(self.own, self.other));
        let after = |play: &dyn Fn(&mut Self)| {
            let mut next = self.clone();
            play(&mut next);
            next
        };
        match cells.len() {
            0 if placeable(self.other, self.own) == 0 => Vec::new(),
            0 => vec![after(&Othello::pass)],
            n => (0..n).map(|n| after(&|next| next.place(1 << cells.nth(n)))).collect(),
        }
    }
}
