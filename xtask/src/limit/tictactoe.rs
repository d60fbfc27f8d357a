//! Tic-tac-toe as two sets of nine bits and a table of all 512 sets.

use super::board::{Board, End};
use super::draw::Draw;

#[derive(Clone)]
pub struct TicTacToe {
    marks: [u16; 2],
    /// The empty cells, four bits each, in no particular order.
    empty: u64,
    n_empty: u32,
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Whether a set of marks holds a line.
static WON: [bool; 512] = {
    let mut won = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < LINES.len() {
            won[set] |= set as u16 & LINES[line] == LINES[line];
            line += 1;
        }
        set += 1;
    }
    won
};

impl TicTacToe {
    /// Marks the empty cell of this number; true if that wins.
    #[inline]
    fn place(&mut self, idx: u32) -> bool {
        let seat = (9 - self.n_empty) & 1;
        self.n_empty -= 1;
        let cell = self.empty >> (4 * idx) & 15;
        let last = self.empty >> (4 * self.n_empty) & 15;
        self.empty ^= (cell ^ last) << (4 * idx);
        let marks = &mut self.marks[seat as usize];
        *marks |= 1 << cell;
        WON[usize::from(*marks) & 511]
    }
}

impl Board for TicTacToe {
    fn start() -> Self {
        TicTacToe { marks: [0; 2], empty: 0x8_7654_3210, n_empty: 9 }
    }

    #[inline]
    fn playout(&mut self, draw: &mut Draw) -> End {
        *self = Self::start();
        let mut word = draw.word();
        for plies in 1..=9 {
            if self.place(word.below(self.n_empty)) {
                return End::won(1 - plies % 2, plies);
            }
        }
        End::drawn(9)
    }

    fn successors(&self) -> Vec<Self> {
        if self.marks.iter().any(|&marks| WON[usize::from(marks)]) {
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
