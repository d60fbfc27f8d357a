//! Othello as two sets of 64 bits: where to place by shifting the whole board, what turns over by carries along rays.

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

/// The cells in each direction from each cell: four ways up, then the same four down.
static RAYS: [[u64; 8]; 64] = {
    const WAYS: [(i32, i32); 8] = [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut at = 0;
    while at < 64 * 8 {
        let (cell, way) = (at / 8, at % 8);
        let (mut column, mut row) = ((cell % 8) as i32 + WAYS[way].0, (cell / 8) as i32 + WAYS[way].1);
        while column >= 0 && column < 8 && row >= 0 && row < 8 {
            rays[cell][way] |= 1 << (row * 8 + column);
            column += WAYS[way].0;
            row += WAYS[way].1;
        }
        at += 1;
    }
    rays
};

/// The discs of `other` bracketed by a disc of `own` on this cell.
#[inline]
fn bracketed(cell: u32, own: u64, other: u64) -> u64 {
    let [up @ .., _, _, _, _] = &RAYS[cell as usize & 63];
    let [_, _, _, _, down @ ..] = &RAYS[cell as usize & 63];
    let mut turned = 0;
    for ray in up {
        // A carry runs through the other's discs and stops at the first cell that is not.
        let end = (other | !ray).wrapping_add(1) & own & ray;
        turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for ray in down {
        // The lowest bit is there only so that there is a highest; where it is not on the ray it ends nothing.
        let first = (1 << 63) >> ((!other & ray) | 1).leading_zeros();
        let end = first & own & ray;
        turned |= end.wrapping_neg() << 1 & ray;
    }
    turned
}

impl Othello {
    #[inline]
    fn place(&mut self, cell: u32) {
        let turned = bracketed(cell, self.own, self.other);
        let own = self.own | 1 << cell | turned;
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
                self.place(cells.nth(n));
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
            n => (0..n).map(|n| after(&|next| next.place(cells.nth(n)))).collect(),
        }
    }
}
