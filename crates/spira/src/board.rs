//! Boards: places, what lies on them, and lines.

use crate::build::Spira;
use crate::term::{Constructor, Fact, Implication, Predicate, Term, Type, becomes};

/// Places and what lies on each.
pub struct Board {
    /// The type of places.
    pub coord_type: Type,
    /// A place by its column and row; on a ring by its number.
    pub coord: Constructor,
    /// What lies on a place.
    pub tile: Predicate,
    /// Nobody.
    pub free: Term,
    form: Form,
}

/// How places lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Rectangle,
    /// Six neighbours: a step up and left is one, too.
    Hexagons,
    Ring,
}

impl Spira {
    /// Columns and rows, all free.
    pub fn simple_board(&mut self, columns: usize, rows: usize) -> Board {
        self.masked_board(columns, rows, |_, _| true)
    }

    /// A rectangle of which only some places are there.
    pub fn masked_board(&mut self, columns: usize, rows: usize, there: impl Fn(usize, usize) -> bool) -> Board {
        let board = self.places(Form::Rectangle);
        self.lay(&board, columns, rows, there);
        board
    }

    /// A rhombus of hexagons.
    pub fn hex_board(&mut self, columns: usize, rows: usize) -> Board {
        let board = self.places(Form::Hexagons);
        self.notes.push(format!("%% board hex {}", board.tile.name));
        self.lay(&board, columns, rows, |_, _| true);
        board
    }

    /// Places in a circle; the fact `after` says which follows which.
    pub fn ring(&mut self, n: usize) -> (Board, Predicate) {
        let board = self.places(Form::Ring);
        self.notes.push(format!("%% board ring {}", board.tile.name));
        let after = self.known("after", &[board.coord_type; 2]);
        for at in 0..n {
            let place = self.number(at);
            self.holds(after.of([&place, &self.number((at + 1) % n)]), &[]);
            self.initial.push(board.tile.of([&board.free, &place]));
        }
        (board, after)
    }

    /// Places with names, joined as one likes; the fact `joined` goes both ways.
    pub fn graph(&mut self, names: &[&str], edges: &[(&str, &str)]) -> (Vec<Term>, Predicate, Predicate, Term) {
        let place = self.new_type("place");
        let player = self.player();
        let places: Vec<Term> = names.iter().map(|name| self.constant(name, place)).collect();
        let free = self.constant("free", player);
        let tile = self.predicate("tile", &[player, place]);
        let joined = self.known("joined", &[place, place]);
        self.notes.push("%% board graph tile".into());
        self.output_names(&tile, &["_", "Place"]);
        for (one, other) in edges {
            let at = |name: &str| names.iter().position(|known| *known == name);
            match (at(one), at(other)) {
                (Some(one), Some(other)) => {
                    self.holds(joined.of([&places[one], &places[other]]), &[]);
                    self.holds(joined.of([&places[other], &places[one]]), &[]);
                }
                _ => self.mistakes.borrow_mut().push(format!("`{one}` and `{other}` are not both places.")),
            }
        }
        places.iter().for_each(|place| self.initial.push(tile.of([&free, place])));
        (places, tile, joined, free)
    }

    fn places(&mut self, form: Form) -> Board {
        let (nat, player) = (self.nat(), self.player());
        let free = self.constant("free", player);
        let (coord_type, coord) = match form {
            Form::Ring => {
                let number =
                    Constructor { name: "s".into(), args: vec![nat], of: nat, mistakes: self.mistakes.clone() };
                (nat, number)
            }
            _ => {
                let coord_type = self.new_type("coordType");
                (coord_type, self.constructor("coord", &[nat, nat], coord_type))
            }
        };
        let tile = self.predicate("tile", &[player, coord_type]);
        self.output_names(&tile, &["_", if form == Form::Ring { "Place" } else { "Col/Row" }]);
        Board { coord_type, coord, tile, free, form }
    }

    fn lay(&mut self, board: &Board, columns: usize, rows: usize, there: impl Fn(usize, usize) -> bool) {
        for column in 0..columns {
            for row in (0..rows).filter(|&row| there(column, row)) {
                let place = self.place(board, column, row);
                self.initial.push(board.tile.of([&board.free, &place]));
            }
        }
    }

    pub fn place(&self, board: &Board, column: usize, row: usize) -> Term {
        board.coord.of([&self.number(column), &self.number(row)])
    }

    /// What lies on a place at first, instead of what lay there.
    pub fn put(&mut self, tile: Fact) {
        let place = tile.args.last().cloned();
        self.initial.retain(|known| known.name != tile.name || known.args.last().cloned() != place);
        self.initial.push(tile);
    }

    /// So many places in a row from a place on, in a direction; the first is at least so far from the edge as it must be.
    pub fn ray(&mut self, board: &Board, n: usize, (dx, dy): (i32, i32)) -> Vec<Term> {
        let nat = self.nat();
        let (x, y) = (self.binding(nat), self.binding(nat));
        let along = |by: i32, at: usize| if by < 0 { n - 1 - at } else { by as usize * at };
        (0..n).map(|at| board.coord.of([&self.plus(&x, along(dx, at)), &self.plus(&y, along(dy, at))])).collect()
    }

    /// Rules that hold where so many tiles of one player lie in a line; they stay where they are.
    pub fn in_a_line(&mut self, board: &Board, n: usize, who: &Term) -> Vec<Implication> {
        let directions: &[(i32, i32)] = match board.form {
            Form::Hexagons => &[(1, 0), (0, 1), (-1, 1)],
            _ => &[(1, 0), (0, 1), (1, 1), (1, -1)],
        };
        let mut rules = Vec::new();
        for &direction in directions {
            let places = self.ray(board, n, direction);
            rules.push(becomes(places.iter().map(|place| board.tile.of([who, place]).keep()), []));
        }
        rules
    }
}
