//! Go with passes, positional superko, no suicide and area scoring: chains with counted liberties, each neighbouring
//! pair of a stone and an empty point counting once, and a number for each position that has stood.

use super::board::{Board, End};
use super::draw::Draw;

/// Room for the largest board with a wall around it.
const N: usize = 11 * 11;
const EMPTY: u8 = 2;
const WALL: u8 = 3;
/// Twice 7.5, so that scores are whole.
const KOMI: i32 = 15;

/// A square board of up to nine lines.
#[derive(Clone)]
pub struct Go<const SIZE: usize> {
    stone: [u8; N],
    /// The point that stands for a stone's chain.
    chain: [u8; N],
    /// The next stone of the chain, round and round.
    next: [u8; N],
    /// Of each chain: neighbouring empty points, once for every stone they touch; how many stones; its number.
    liberties: [u16; N],
    stones: [u8; N],
    number: [u64; N],
    /// The empty points in no particular order, and where each stands among them.
    empty: [u8; 81],
    empty_idx: [u8; N],
    n_empty: usize,
    passes: u32,
    plies: u32,
    /// The number of the position: all stones' numbers taken together.
    position: u64,
    seen: Seen,
}

/// The numbers of positions that have stood, scattered over a table; 0 is no number.
#[derive(Clone)]
struct Seen {
    table: Vec<u64>,
    used: Vec<u32>,
}

impl Seen {
    #[inline]
    fn slot(&self, number: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut at = number as usize & mask;
        while self.table[at] != 0 && self.table[at] != number {
            at = (at + 1) & mask;
        }
        at
    }

    #[inline]
    fn holds(&self, number: u64) -> bool {
        self.table[self.slot(number)] == number
    }

    #[inline]
    fn add(&mut self, number: u64) {
        let at = self.slot(number);
        if self.table[at] == number {
            return;
        }
        self.table[at] = number;
        self.used.push(at as u32);
        if self.used.len() * 2 > self.table.len() {
            let numbers: Vec<u64> = self.used.iter().map(|&at| self.table[at as usize]).collect();
            self.table = vec![0; 2 * self.table.len()];
            self.used.clear();
            numbers.into_iter().for_each(|number| self.add(number));
        }
    }

    fn clear(&mut self) {
        for at in self.used.drain(..) {
            self.table[at as usize] = 0;
        }
    }
}

/// A random number for each stone on each point.
static NUMBERS: [[u64; N]; 2] = {
    let mut numbers = [[0; N]; 2];
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut at = 0;
    while at < 2 * N {
        // Vigna's splitmix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        numbers[at / N][at % N] = z ^ z >> 31;
        at += 1;
    }
    numbers
};
/// The number of the empty board.
const NOTHING: u64 = 0x5851_f42d_4c95_7f2d;

impl<const SIZE: usize> Go<SIZE> {
    const STRIDE: usize = SIZE + 2;

    #[inline]
    fn near(at: usize) -> [usize; 4] {
        [at - Self::STRIDE, at - 1, at + 1, at + Self::STRIDE]
    }

    fn seat(&self) -> usize {
        (self.plies & 1) as usize
    }

    fn restart(&mut self) {
        self.stone = [WALL; N];
        self.n_empty = 0;
        for row in 1..=SIZE {
            for column in 1..=SIZE {
                self.leave_empty(row * Self::STRIDE + column);
            }
        }
        self.passes = 0;
        self.plies = 0;
        self.position = NOTHING;
        self.seen.clear();
        self.seen.add(NOTHING);
    }

    #[inline]
    fn leave_empty(&mut self, at: usize) {
        self.stone[at] = EMPTY;
        self.empty[self.n_empty] = at as u8;
        self.empty_idx[at] = self.n_empty as u8;
        self.n_empty += 1;
    }

    #[inline]
    fn exchange(&mut self, one: usize, other: usize) {
        self.empty.swap(one, other);
        self.empty_idx[usize::from(self.empty[one])] = one as u8;
        self.empty_idx[usize::from(self.empty[other])] = other as u8;
    }

    fn pass(&mut self) {
        self.passes += 1;
        self.plies += 1;
    }

    /// Places a stone on an empty point; false, and nothing has changed, where that may not be done.
    #[inline]
    fn place(&mut self, at: usize) -> bool {
        let seat = self.seat();
        let near = Self::near(at);
        let mut liberties = 0;
        for point in near {
            match self.stone[point] {
                EMPTY => liberties += 1,
                WALL => {}
                _ => self.liberties[usize::from(self.chain[point])] -= 1,
            }
        }
        let mut lives = liberties > 0;
        let mut position = self.position ^ NUMBERS[seat][at];
        let mut taken = [0; 4];
        let mut n_taken = 0;
        for point in near {
            let stone = self.stone[point];
            if stone >= EMPTY {
                continue;
            }
            let chain = self.chain[point];
            let breathes = self.liberties[usize::from(chain)] > 0;
            if usize::from(stone) == seat {
                lives |= breathes;
            } else if !breathes && !taken[..n_taken].contains(&chain) {
                taken[n_taken] = chain;
                n_taken += 1;
                lives = true;
                position ^= self.number[usize::from(chain)];
            }
        }
        if !lives || self.seen.holds(position) {
            for point in near {
                if self.stone[point] < EMPTY {
                    self.liberties[usize::from(self.chain[point])] += 1;
                }
            }
            return false;
        }

        self.n_empty -= 1;
        self.exchange(usize::from(self.empty_idx[at]), self.n_empty);
        self.stone[at] = seat as u8;
        self.chain[at] = at as u8;
        self.next[at] = at as u8;
        self.liberties[at] = liberties;
        self.stones[at] = 1;
        self.number[at] = NUMBERS[seat][at];
        for &chain in &taken[..n_taken] {
            self.take(usize::from(chain));
        }
        for point in near {
            if usize::from(self.stone[point]) == seat {
                self.join(usize::from(self.chain[at]), usize::from(self.chain[point]));
            }
        }
        self.position = position;
        self.seen.add(position);
        self.passes = 0;
        self.plies += 1;
        true
    }

    fn take(&mut self, chain: usize) {
        let mut at = chain;
        loop {
            self.leave_empty(at);
            for point in Self::near(at) {
                if self.stone[point] < EMPTY {
                    // Of stones that go with it the count no longer matters.
                    let count = &mut self.liberties[usize::from(self.chain[point])];
                    *count = count.wrapping_add(1);
                }
            }
            at = usize::from(self.next[at]);
            if at == chain {
                return;
            }
        }
    }

    #[inline]
    fn join(&mut self, one: usize, other: usize) {
        if one == other {
            return;
        }
        let (large, small) = if self.stones[one] >= self.stones[other] { (one, other) } else { (other, one) };
        let mut at = small;
        loop {
            self.chain[at] = large as u8;
            at = usize::from(self.next[at]);
            if at == small {
                break;
            }
        }
        self.next.swap(large, small);
        self.liberties[large] += self.liberties[small];
        self.stones[large] += self.stones[small];
        self.number[large] ^= self.number[small];
    }

    /// Stones and empty points that touch one colour alone; twice, with White's bonus.
    fn scores(&self) -> [i32; 2] {
        let mut scores = [0, KOMI];
        let mut visited = [false; N];
        let mut found = [0; 81];
        for row in 1..=SIZE {
            for column in 1..=SIZE {
                let at = row * Self::STRIDE + column;
                match self.stone[at] {
                    EMPTY if !visited[at] => {
                        let (mut n, mut done, mut touched) = (1, 0, 0);
                        found[0] = at as u8;
                        visited[at] = true;
                        while done < n {
                            for point in Self::near(usize::from(found[done])) {
                                match self.stone[point] {
                                    EMPTY if !visited[point] => {
                                        visited[point] = true;
                                        found[n] = point as u8;
                                        n += 1;
                                    }
                                    stone @ (0 | 1) => touched |= 1 << stone,
                                    _ => {}
                                }
                            }
                            done += 1;
                        }
                        match touched {
                            1 => scores[0] += 2 * n as i32,
                            2 => scores[1] += 2 * n as i32,
                            _ => {}
                        }
                    }
                    stone @ (0 | 1) => scores[usize::from(stone)] += 2,
                    _ => {}
                }
            }
        }
        scores
    }
}

impl<const SIZE: usize> Board for Go<SIZE> {
    fn start() -> Self {
        assert!(SIZE <= 9, "there is room for nine lines");
        let mut board = Go {
            stone: [WALL; N],
            chain: [0; N],
            next: [0; N],
            liberties: [0; N],
            stones: [0; N],
            number: [0; N],
            empty: [0; 81],
            empty_idx: [0; N],
            n_empty: 0,
            passes: 0,
            plies: 0,
            position: 0,
            seen: Seen { table: vec![0; 1024], used: Vec::new() },
        };
        board.restart();
        board
    }

    fn playout(&mut self, draw: &mut Draw) -> End {
        self.restart();
        while self.passes < 2 {
            let mut word = draw.word();
            // Points found forbidden go behind those still to be drawn from; the last draw stands for passing.
            let mut left = self.n_empty;
            let mut drawn = 0;
            loop {
                let idx = word.below(left as u32 + 1) as usize;
                if idx == left {
                    self.pass();
                    break;
                }
                if self.place(usize::from(self.empty[idx])) {
                    break;
                }
                left -= 1;
                self.exchange(idx, left);
                drawn += 1;
                if drawn % 8 == 0 {
                    word = draw.word();
                }
            }
        }
        let [black, white] = self.scores();
        End::by_score(black, white, self.plies)
    }

    fn successors(&self) -> Vec<Self> {
        if self.passes == 2 {
            return Vec::new();
        }
        let placed = |idx: usize| {
            let mut next = self.clone();
            next.place(usize::from(self.empty[idx])).then_some(next)
        };
        let mut passed = self.clone();
        passed.pass();
        (0..self.n_empty).filter_map(placed).chain([passed]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::perft;
    use super::*;

    /// On the whole board positions come back too late to be counted.
    #[test]
    fn small_boards_give_the_published_counts_with_superko() {
        assert_eq!(perft::<Go<2>>(8), [5, 21, 68, 156, 316, 604, 1088, 2184]);
        assert_eq!(perft::<Go<3>>(5), [10, 91, 738, 5281, 33384]);
    }
}
