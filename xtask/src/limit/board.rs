//! What every game written by hand can do.

use super::draw::Draw;

/// A position of a game written by hand for speed alone.
pub trait Board: Clone {
    fn start() -> Self;
    /// Goes back to the start and plays uniformly random choices to the end.
    fn playout(&mut self, draw: &mut Draw) -> End;
    /// The position after each legal choice; none where the match is over. Need not be fast, but shares with `playout`
    /// whatever decides and plays a choice: what is counted is what was measured.
    fn successors(&self) -> Vec<Self>;
}

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// 0 and 1: the seat that won; 2: a draw.
    pub result: u32,
    /// Choices made.
    pub plies: u32,
}

impl End {
    #[inline]
    pub fn won(seat: u32, plies: u32) -> Self {
        End { result: seat, plies }
    }

    #[inline]
    pub fn drawn(plies: u32) -> Self {
        End { result: 2, plies }
    }

    /// Won by whoever has more.
    #[inline]
    pub fn by_score(first: i32, second: i32, plies: u32) -> Self {
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => End::won(0, plies),
            std::cmp::Ordering::Less => End::won(1, plies),
            std::cmp::Ordering::Equal => End::drawn(plies),
        }
    }
}

/// The number of ways to play 1, 2, … `depth` plies.
pub fn perft<B: Board>(depth: usize) -> Vec<u64> {
    fn count<B: Board>(board: &B, nodes: &mut [u64]) {
        let Some((here, deeper)) = nodes.split_first_mut() else { return };
        for next in board.successors() {
            *here += 1;
            count(&next, deeper);
        }
    }
    let mut nodes = vec![0; depth];
    count(&B::start(), &mut nodes);
    nodes
}
