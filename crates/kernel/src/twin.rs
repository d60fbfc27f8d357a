//! Tic-tac-toe written by hand: the worked example for whoever implements a game in Rust.
//!
//! It is also the twin of the same game written as a definition: both must offer the same choices and
//! count the same positions, and the distance between their speeds says what a definition costs.

use crate::{
    BoardView, CellView, Choice, Decision, Fingerprint, Generator, Mark, Offer, OpenError, Outcome, Position,
    QuestionKind, Refusal, RefusalKind, Rulebook, SeatId, Shape, Shown, ThingId, View, Viewer, Who,
};

/// Two players place marks in turn; a straight line of `goal` marks wins, a full board is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TicTacToe {
    width: usize,
    height: usize,
    goal: usize,
}

impl TicTacToe {
    /// A board of up to 26 columns and rows, and how long a line wins.
    pub fn new(width: usize, height: usize, goal: usize) -> Result<Self, OpenError> {
        if !(1..=26).contains(&width) || !(1..=26).contains(&height) {
            return Err(OpenError(format!("A board of {width} by {height}: both must be from 1 to 26.")));
        }
        if goal == 0 {
            return Err(OpenError("A line of 0 marks is none: the goal must be at least 1.".into()));
        }
        Ok(TicTacToe { width, height, goal })
    }

    fn n_cells(self) -> usize {
        self.width * self.height
    }

    /// `a1 b1 c1 a2 …`, row by row from the bottom.
    fn cell_name(self, cell: usize) -> String {
        format!("{}{}", (b'a' + (cell % self.width) as u8) as char, cell / self.width + 1)
    }
}

impl Rulebook for TicTacToe {
    fn name(&self) -> &str {
        "Tic-tac-toe"
    }

    fn seats(&self) -> Vec<String> {
        vec!["X".into(), "O".into()]
    }

    fn digest(&self) -> String {
        format!("tic-tac-toe by hand {}x{} goal {}", self.width, self.height, self.goal)
    }

    fn open(&self) -> Result<Box<dyn Position>, OpenError> {
        let n_cells = self.n_cells() as u16;
        Ok(Box::new(Board {
            rules: *self,
            marks: vec![EMPTY; usize::from(n_cells)],
            free: (0..n_cells).collect(),
            free_idx: (0..n_cells).collect(),
            n_placed: 0,
            placed: Vec::new(),
            state: State::Open,
        }))
    }
}

/// No seat's mark.
const EMPTY: u8 = u8::MAX;
const LAW: &str = "Only empty cells";

#[derive(Clone)]
struct Board {
    rules: TicTacToe,
    /// The seat whose mark lies on each cell.
    marks: Vec<u8>,
    /// The empty cells in no particular order, so that a random one is a single draw.
    free: Vec<u16>,
    /// Where each cell stands in `free`; of a marked cell: where it stood.
    free_idx: Vec<u16>,
    n_placed: u16,
    /// The marked cells, oldest first, as far as they can be taken back.
    placed: Vec<u16>,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    Won(u8),
    Drawn,
}

impl Board {
    fn to_move(&self) -> u8 {
        (self.n_placed % 2) as u8
    }

    fn place(&mut self, cell: u16) {
        let seat = self.to_move();
        self.marks[usize::from(cell)] = seat;
        let idx = self.free_idx[usize::from(cell)];
        self.free.swap_remove(usize::from(idx));
        if let Some(&moved) = self.free.get(usize::from(idx)) {
            self.free_idx[usize::from(moved)] = idx;
        }
        self.n_placed += 1;
        self.placed.push(cell);
        if self.line_through(cell) {
            self.state = State::Won(seat);
        } else if self.free.is_empty() {
            self.state = State::Drawn;
        }
    }

    /// The exact reverse of `place`: even the order of the empty cells comes back, and with it what a
    /// seed draws.
    fn take_back(&mut self, cell: u16) {
        self.marks[usize::from(cell)] = EMPTY;
        let idx = self.free_idx[usize::from(cell)];
        if let Some(&moved) = self.free.get(usize::from(idx)) {
            self.free_idx[usize::from(moved)] = self.free.len() as u16;
            self.free.push(moved);
            self.free[usize::from(idx)] = cell;
        } else {
            self.free.push(cell);
        }
        self.n_placed -= 1;
        self.state = State::Open;
    }

    fn line_through(&self, cell: u16) -> bool {
        let (width, height) = (self.rules.width as isize, self.rules.height as isize);
        let (column, row) = (cell as isize % width, cell as isize / width);
        let mark = self.marks[usize::from(cell)];
        let run = |dx: isize, dy: isize| {
            let (mut x, mut y, mut n) = (column + dx, row + dy, 0);
            while (0..width).contains(&x) && (0..height).contains(&y) && self.marks[(y * width + x) as usize] == mark {
                (x, y, n) = (x + dx, y + dy, n + 1);
            }
            n
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| 1 + run(dx, dy) + run(-dx, -dy) >= self.rules.goal)
    }

    /// The cell that a choice means, or why it cannot be played.
    fn allowed(&self, who: Who, choice: &Choice) -> Result<u16, Refusal> {
        if self.state != State::Open {
            return Err(Refusal::not_offered("The match is over."));
        }
        if who != Who::Seat(SeatId(self.to_move())) {
            return Err(Refusal::not_offered("It is another seat's turn."));
        }
        match *choice.0 {
            [0, cell] if cell < self.marks.len() as u64 => match self.marks[cell as usize] {
                EMPTY => Ok(cell as u16),
                _ => Err(taken()),
            },
            _ => Err(Refusal::not_offered("There is no such choice.")),
        }
    }
}

fn taken() -> Refusal {
    Refusal { kind: RefusalKind::Law, law: Some(LAW.into()), reason: "That cell is taken.".into() }
}

impl Position for Board {
    fn decision(&self) -> Decision {
        match self.state {
            State::Open => Decision::Seats { asked: vec![SeatId(self.to_move())], kind: QuestionKind::Action },
            State::Won(seat) => Decision::Over(Outcome::win(SeatId(seat), 2)),
            State::Drawn => Decision::Over(Outcome::draw(2)),
        }
    }

    fn prompt(&self) -> String {
        "Where to place a mark?".into()
    }

    fn choices(&mut self, who: Who) -> Vec<Choice> {
        if self.state != State::Open || who != Who::Seat(SeatId(self.to_move())) {
            return Vec::new();
        }
        (0..self.marks.len())
            .filter(|&cell| self.marks[cell] == EMPTY)
            .map(|cell| Choice::of(&[0, cell as u64]))
            .collect()
    }

    fn words(&self, _who: Who, choice: &Choice) -> String {
        match *choice.0 {
            [0, cell] if cell < self.marks.len() as u64 => format!("place {}", self.rules.cell_name(cell as usize)),
            _ => "no such choice".into(),
        }
    }

    fn label(&self, _choice: &Choice) -> Option<String> {
        Some("place".into())
    }

    fn points(&self, _who: Who, choice: &Choice) -> Vec<ThingId> {
        match *choice.0 {
            [0, cell] if cell < self.marks.len() as u64 => vec![ThingId(cell as u32)],
            _ => Vec::new(),
        }
    }

    fn offers(&mut self, seat: SeatId) -> Vec<Offer> {
        if self.state != State::Open || seat.0 != self.to_move() {
            return Vec::new();
        }
        (0..self.marks.len())
            .map(|cell| Offer {
                choice: Choice::of(&[0, cell as u64]),
                words: format!("place {}", self.rules.cell_name(cell)),
                refused: (self.marks[cell] != EMPTY).then(taken),
            })
            .collect()
    }

    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        let cell = self.allowed(who, choice)?;
        self.place(cell);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let Some(cell) = self.placed.pop() else { return false };
        self.take_back(cell);
        true
    }

    fn forget(&mut self) {
        self.placed.clear();
    }

    fn turn(&self) -> u64 {
        u64::from(self.n_placed) + 1
    }

    fn view(&mut self, _viewer: Viewer) -> View {
        let seats = self.rules.seats();
        let cells = (0..self.marks.len()).map(|cell| {
            let seat = (self.marks[cell] != EMPTY).then_some(SeatId(self.marks[cell]));
            let sign = seat.map(|seat| seats[usize::from(seat.0)].clone());
            CellView {
                id: ThingId(cell as u32),
                name: self.rules.cell_name(cell),
                at: ((cell % self.rules.width) as i32 + 1, (cell / self.rules.width) as i32 + 1),
                mark: Mark { sign: sign.clone().unwrap_or_default(), seat },
                properties: vec![("mark".into(), Shown::Value(sign.unwrap_or_else(|| "nil".into())))],
                ..CellView::default()
            }
        });
        let board = BoardView {
            name: "cell".into(),
            kind: "cell".into(),
            shape: Shape::Grid { width: self.rules.width as u32, height: self.rules.height as u32 },
            cells: cells.collect(),
            ..BoardView::default()
        };
        let turn = (self.state == State::Open).then(|| SeatId(self.to_move()));
        View { boards: vec![board], turn, ..View::default() }
    }

    fn fingerprint(&self) -> Fingerprint {
        // FNV-1a: two lines, and the same on every machine.
        let hash = |hash: u64, &mark: &u8| (hash ^ u64::from(mark)).wrapping_mul(0x0000_0100_0000_01b3);
        Fingerprint(self.marks.iter().fold(0xcbf2_9ce4_8422_2325, hash))
    }

    fn duplicate(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn play_random(&mut self, generator: &mut Generator) -> Result<bool, Refusal> {
        if self.state != State::Open {
            return Ok(false);
        }
        let cell = self.free[generator.below(self.free.len() as u64) as usize];
        self.place(cell);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{By, laws, perft};

    fn classic() -> TicTacToe {
        TicTacToe::new(3, 3, 3).unwrap()
    }

    fn played(cells: &[u64]) -> Box<dyn Position> {
        let mut position = classic().open().unwrap();
        for (turn, &cell) in cells.iter().enumerate() {
            position.play(Who::Seat(SeatId(turn as u8 % 2)), &Choice::of(&[0, cell])).unwrap();
        }
        position
    }

    /// [CF-9] [CF-13] A move is played and taken back exactly, and all legal moves are listed.
    #[test]
    fn the_laws_of_play_hold() {
        laws::hold(&classic(), 1, 2000, 20).unwrap();
        laws::hold(&TicTacToe::new(5, 4, 3).unwrap(), 2, 30, 20).unwrap();
        laws::hold(&TicTacToe::new(1, 1, 1).unwrap(), 3, 2, 2).unwrap();
    }

    /// [CF-18] A random player draws uniformly from the legal moves.
    #[test]
    fn random_play_is_uniform() {
        laws::uniform(&mut *classic().open().unwrap(), 4, 9_000).unwrap();
        laws::uniform(&mut *played(&[4, 0, 8]), 5, 6_000).unwrap();
    }

    #[test]
    fn the_published_counts_come_out() {
        let nodes = perft(&mut *classic().open().unwrap(), 9, By::Action).unwrap();
        assert_eq!(nodes, [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
    }

    #[test]
    fn counting_by_turn_equals_counting_by_action_where_a_turn_is_one_action() {
        let mut position = classic().open().unwrap();
        assert_eq!(perft(&mut *position, 5, By::Turn), perft(&mut *position, 5, By::Action));
    }

    #[test]
    fn there_are_5478_reachable_positions() {
        fn visit(position: &mut dyn Position, seen: &mut BTreeSet<Fingerprint>) {
            if !seen.insert(position.fingerprint()) {
                return;
            }
            for who in position.decision().open_to() {
                for choice in position.choices(who) {
                    position.play(who, &choice).unwrap();
                    visit(position, seen);
                    assert!(position.undo());
                }
            }
        }
        let mut seen = BTreeSet::new();
        visit(&mut *classic().open().unwrap(), &mut seen);
        assert_eq!(seen.len(), 5478);
    }

    /// [CF-14] A position names its winner; a tie has none.
    #[test]
    fn a_line_wins_and_a_full_board_is_a_draw() {
        assert_eq!(played(&[0, 3, 1, 4, 2]).decision(), Decision::Over(Outcome::win(SeatId(0), 2)));
        assert_eq!(played(&[4, 0, 8, 2, 1, 7, 3, 5, 6]).decision(), Decision::Over(Outcome::draw(2)));
    }

    /// [CF-7] A move is played on top of the others. [CF-11] Seats are asked in turn until the match is over.
    #[test]
    fn seats_are_asked_in_turn_until_the_match_is_over() {
        let mut position = classic().open().unwrap();
        for (seat, cell) in [(0, 0), (1, 3), (0, 1), (1, 4), (0, 2)] {
            assert_eq!(position.decision().open_to(), [Who::Seat(SeatId(seat))]);
            position.play(Who::Seat(SeatId(seat)), &Choice::of(&[0, cell])).unwrap();
        }
        assert_eq!(position.decision().open_to(), []);
    }

    #[test]
    fn a_taken_cell_is_refused_by_its_law() {
        let refusal = played(&[4]).play(Who::Seat(SeatId(1)), &Choice::of(&[0, 4])).unwrap_err();
        assert_eq!(refusal.to_string(), "Refused by the rule “Only empty cells”: That cell is taken.");
    }
}
