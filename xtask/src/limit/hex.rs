//! Hex 11×11 without the swap: chains as a forest of cells, the four edges as cells of their owner.

use super::board::{Board, End};
use super::draw::Draw;

const SIZE: usize = 11;
/// With the edges around it.
const STRIDE: usize = SIZE + 2;
const N: usize = STRIDE * STRIDE;
const NOBODY: u8 = 2;
/// One cell of each edge, the two of a seat together: top and bottom, left and right.
const EDGES: [[usize; 2]; 2] = [[1, (SIZE + 1) * STRIDE + 1], [STRIDE, STRIDE + SIZE + 1]];

#[derive(Clone)]
pub struct Hex {
    owner: [u8; N],
    /// A cell nearer to the root of its chain, or itself.
    parent: [u8; N],
    /// The empty cells in no particular order.
    empty: [u8; SIZE * SIZE],
    n_empty: u32,
}

static START: Hex = start();

const fn start() -> Hex {
    let mut hex = Hex { owner: [NOBODY; N], parent: [0; N], empty: [0; SIZE * SIZE], n_empty: 0 };
    let mut at = 0;
    while at < N {
        let (row, column) = (at / STRIDE, at % STRIDE);
        let (outer_row, outer_column) = (row == 0 || row > SIZE, column == 0 || column > SIZE);
        hex.parent[at] = at as u8;
        if outer_row && !outer_column {
            hex.owner[at] = 0;
            hex.parent[at] = EDGES[0][if row == 0 { 0 } else { 1 }] as u8;
        } else if outer_column && !outer_row {
            hex.owner[at] = 1;
            hex.parent[at] = EDGES[1][if column == 0 { 0 } else { 1 }] as u8;
        } else if !outer_row {
            hex.empty[hex.n_empty as usize] = at as u8;
            hex.n_empty += 1;
        }
        at += 1;
    }
    hex
}

impl Hex {
    fn plies(&self) -> u32 {
        (SIZE * SIZE) as u32 - self.n_empty
    }

    #[inline]
    fn root(&mut self, mut at: u8) -> u8 {
        loop {
            let parent = self.parent[usize::from(at)];
            if parent == at {
                return at;
            }
            // Halving the way up keeps it short for the next one.
            let above = self.parent[usize::from(parent)];
            self.parent[usize::from(at)] = above;
            at = above;
        }
    }

    #[inline]
    fn is_joined(&mut self, seat: usize) -> bool {
        self.root(EDGES[seat][0] as u8) == self.root(EDGES[seat][1] as u8)
    }

    /// Places a stone on the empty cell of this number; true if that wins.
    #[inline]
    fn place(&mut self, idx: u32) -> bool {
        let seat = (self.plies() & 1) as usize;
        self.n_empty -= 1;
        let last = self.empty[self.n_empty as usize];
        let at = std::mem::replace(&mut self.empty[idx as usize], last);
        let cell = usize::from(at);
        self.owner[cell] = seat as u8;
        let mut joined = 0;
        for near in [cell - STRIDE, cell - STRIDE + 1, cell - 1, cell + 1, cell + STRIDE - 1, cell + STRIDE] {
            if self.owner[near] == seat as u8 {
                let root = self.root(near as u8);
                self.parent[usize::from(root)] = at;
                joined += 1;
            }
        }
        joined > 1 && self.is_joined(seat)
    }
}

impl Board for Hex {
    fn start() -> Self {
        START.clone()
    }

    #[inline]
    fn playout(&mut self, draw: &mut Draw) -> End {
        *self = Self::start();
        loop {
            let mut word = draw.word();
            for _ in 0..4 {
                // A full board joins somebody's edges, so there is always an empty cell here.
                if self.place(word.below(self.n_empty)) {
                    return End::won((self.plies() - 1) & 1, self.plies());
                }
            }
        }
    }

    fn successors(&self) -> Vec<Self> {
        let mut known = self.clone();
        if known.is_joined(0) || known.is_joined(1) {
            return Vec::new();
        }
        let placed = |idx| {
            let mut next = self.clone();
            next.place(idx);
            next
        };
        (0..self.n_empty).map(placed).collect()
    }
}
