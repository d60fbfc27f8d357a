//! Chess by a library of its own; mate, stalemate, too little to win with, and seventy-five quiet moves end it.

use cozy_chess::{BitBoard, Color, Piece, PieceMoves};

use super::board::{Board, End};
use super::draw::Draw;

#[derive(Clone)]
pub struct Chess {
    board: cozy_chess::Board,
    /// Moves since a pawn moved or a piece was taken; the library stops counting at a hundred.
    quiet: u32,
    plies: u32,
    hopeless: bool,
}

/// Quiet moves of both together that end a match.
const MOST_QUIET: u32 = 150;

impl Chess {
    /// The moves of each piece, and how many there are.
    #[inline]
    fn moves(&self, found: &mut Vec<PieceMoves>) -> u32 {
        let mut n = 0;
        found.clear();
        self.board.generate_moves(|moves| {
            n += moves.len() as u32;
            found.push(moves);
            false
        });
        n
    }

    fn go(&mut self, played: cozy_chess::Move) {
        self.board.play_unchecked(played);
        self.quiet = if self.board.halfmove_clock() == 0 { 0 } else { self.quiet + 1 };
        self.plies += 1;
        // What was hopeless stays so, and only a piece taken or a pawn promoted changes what there is.
        if self.quiet == 0 {
            self.hopeless = hopeless(&self.board);
        }
    }

    /// How it ends here, given how many moves there are.
    #[inline]
    fn end(&self, n_moves: u32) -> Option<End> {
        if self.hopeless {
            return Some(End::drawn(self.plies));
        }
        if n_moves == 0 {
            let mated = !self.board.checkers().is_empty();
            let winner = u32::from(self.board.side_to_move() == Color::White);
            return Some(if mated { End::won(winner, self.plies) } else { End::drawn(self.plies) });
        }
        (self.quiet >= MOST_QUIET).then(|| End::drawn(self.plies))
    }
}

/// Bishops of one shade, or a single knight.
fn hopeless(board: &cozy_chess::Board) -> bool {
    let mighty = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !mighty.is_empty() {
        return false;
    }
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    let one_shade = (bishops & BitBoard::DARK_SQUARES).is_empty() || (bishops & BitBoard::LIGHT_SQUARES).is_empty();
    one_shade && knights.len() <= u32::from(bishops.is_empty())
}

impl Board for Chess {
    fn start() -> Self {
        Chess { board: cozy_chess::Board::default(), quiet: 0, plies: 0, hopeless: false }
    }

    fn playout(&mut self, draw: &mut Draw) -> End {
        *self = Self::start();
        let mut found = Vec::with_capacity(32);
        loop {
            let n_moves = self.moves(&mut found);
            if let Some(end) = self.end(n_moves) {
                return end;
            }
            let mut n = draw.below(n_moves) as usize;
            for &moves in &found {
                if n < moves.len() {
                    self.go(moves.into_iter().nth(n).expect("fewer than there are"));
                    break;
                }
                n -= moves.len();
            }
        }
    }

    fn successors(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let n_moves = self.moves(&mut found);
        if self.end(n_moves).is_some() {
            return Vec::new();
        }
        let played = |played| {
            let mut next = self.clone();
            next.go(played);
            next
        };
        found.into_iter().flatten().map(played).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_to_win_with_is_found() {
        let is_hopeless = |fen: &str| hopeless(&fen.parse().unwrap());
        assert!(is_hopeless("8/8/4k3/8/8/3K4/8/8 w - - 0 1"));
        assert!(is_hopeless("8/8/4k3/8/8/3KN3/8/8 w - - 0 1"));
        assert!(is_hopeless("8/4b3/4k3/8/8/3KB3/8/4B3 w - - 0 1"));
        assert!(!is_hopeless("8/5b2/4k3/8/8/3KB3/8/4B3 w - - 0 1"));
        assert!(!is_hopeless("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1"));
        assert!(!is_hopeless("8/8/4k1n1/8/8/3KB3/8/8 w - - 0 1"));
        assert!(!is_hopeless("8/8/4k3/8/8/3KP3/8/8 w - - 0 1"));
    }
}
