//! Awele as six bytes a side; a table says what sowing adds, another draws among the holes that are not empty.

use super::board::{Board, End};
use super::draw::Draw;

const HOLES: usize = 6;
const SEEDS: usize = 48;
/// More than this wins.
const HALF: u32 = 24;

#[derive(Clone)]
pub struct Awele {
    /// The holes of whoever is to sow, then of the other, a byte each in the order of sowing.
    holes: [u64; 2],
    taken: [u32; 2],
    plies: u32,
    /// Every position since the last seeds were taken: none before can come back.
    since: Vec<[u64; 2]>,
    over: bool,
}

/// What sowing a hole does: the seeds added on both sides, and where the last one falls.
#[derive(Clone, Copy)]
struct Sowing {
    added: [u64; 2],
    last: u8,
}

static SOWING: [[Sowing; SEEDS + 1]; HOLES] = {
    let mut table = [[Sowing { added: [0; 2], last: 0 }; SEEDS + 1]; HOLES];
    let mut hole = 0;
    while hole < HOLES {
        let mut at = hole;
        let mut n = 1;
        while n <= SEEDS {
            at = (at + 1) % (2 * HOLES);
            if at == hole {
                at = (at + 1) % (2 * HOLES);
            }
            let mut sowing = table[hole][n - 1];
            sowing.added[at / HOLES] += 1 << (8 * (at % HOLES));
            sowing.last = at as u8;
            table[hole][n] = sowing;
            n += 1;
        }
        hole += 1;
    }
    table
};

/// The members of each set of holes, lowest first.
static MEMBERS: [[u8; HOLES]; 1 << HOLES] = {
    let mut table = [[0; HOLES]; 1 << HOLES];
    let mut set = 0;
    while set < table.len() {
        let (mut hole, mut n) = (0, 0);
        while hole < HOLES {
            if set >> hole & 1 != 0 {
                table[set][n] = hole as u8;
                n += 1;
            }
            hole += 1;
        }
        set += 1;
    }
    table
};

/// The set of holes with seeds in them, six bits.
#[inline]
fn filled(holes: u64) -> u32 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f;
    // No hole ever holds 128 seeds, so the highest bit of each byte is free to say "not empty".
    let marks = (holes + LOW) >> 7 & 0x0101_0101_0101;
    (marks.wrapping_mul(0x0001_0204_0810_2000) >> 48 & 0x3f) as u32
}

/// How many members a set of holes has.
#[inline]
fn size(set: u32) -> u32 {
    static SIZES: [u8; 1 << HOLES] = {
        let mut table = [0; 1 << HOLES];
        let mut set = 0;
        while set < table.len() {
            table[set] = set.count_ones() as u8;
            set += 1;
        }
        table
    };
    u32::from(SIZES[set as usize & 63])
}

fn sum(holes: u64) -> u32 {
    (holes.wrapping_mul(0x0101_0101_0101) >> 40 & 0xff) as u32
}

impl Awele {
    /// Sows a hole with seeds in it; false, and nothing has changed, where that may not be done.
    #[inline]
    fn sow(&mut self, hole: usize) -> bool {
        let [own, other] = self.holes;
        let seeds = (own >> (8 * hole) & 0xff) as usize;
        if other == 0 && hole + seeds < HOLES {
            return false;
        }
        let sowing = &SOWING[hole][seeds];
        let own = (own & !(0xff << (8 * hole))) + sowing.added[0];
        let mut other = other + sowing.added[1];
        let mut taken = 0;
        if let Some(last) = usize::from(sowing.last).checked_sub(HOLES) {
            for at in (0..=last).rev() {
                let seeds = other >> (8 * at) & 0xff;
                if seeds & !1 != 2 {
                    break;
                }
                taken += seeds as u32;
                other &= !(0xff << (8 * at));
            }
            if taken > 0 && other == 0 {
                return false;
            }
        }
        let seat = (self.plies & 1) as usize;
        self.plies += 1;
        self.holes = [other, own];
        if taken > 0 {
            self.taken[seat] += taken;
            self.over = self.taken[seat] > HALF;
            self.since.clear();
        } else if self.since.len() > 3 {
            let before = self.since.iter().rev().skip(1).step_by(2).filter(|&&before| before == self.holes);
            if before.count() >= 2 {
                self.collect();
            }
        }
        self.since.push(self.holes);
        true
    }

    /// Each takes what lies on the own side.
    fn collect(&mut self) {
        let seat = (self.plies & 1) as usize;
        self.taken[seat] += sum(self.holes[0]);
        self.taken[1 - seat] += sum(self.holes[1]);
        self.over = true;
    }

    /// Back to the start without giving back memory.
    #[inline]
    fn restart(&mut self) {
        self.holes = [0x0404_0404_0404; 2];
        self.taken = [0; 2];
        self.plies = 0;
        self.over = false;
        self.since.clear();
        self.since.push(self.holes);
    }
}

impl Board for Awele {
    fn start() -> Self {
        let mut board = Awele { holes: [0; 2], taken: [0; 2], plies: 0, since: Vec::new(), over: false };
        board.restart();
        board
    }

    fn playout(&mut self, draw: &mut Draw) -> End {
        self.restart();
        while !self.over {
            let mut word = draw.word();
            let mut left = filled(self.holes[0]);
            loop {
                if left == 0 {
                    self.collect();
                    break;
                }
                let hole = MEMBERS[left as usize & 63][word.below(size(left)) as usize];
                if self.sow(usize::from(hole)) {
                    break;
                }
                left &= !(1 << hole);
            }
        }
        End::by_score(self.taken[0] as i32, self.taken[1] as i32, self.plies)
    }

    fn successors(&self) -> Vec<Self> {
        if self.over {
            return Vec::new();
        }
        let sown = |hole: usize| {
            let mut next = self.clone();
            (filled(self.holes[0]) >> hole & 1 != 0 && next.sow(hole)).then_some(next)
        };
        (0..HOLES).filter_map(sown).collect()
    }
}
