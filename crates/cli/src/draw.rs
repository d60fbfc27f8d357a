//! What a viewer may know, drawn with characters.

mod cell;
mod graph;
mod grid;
mod hexes;
mod ring;
mod stacks;
mod things;
mod track;

use houserules_kernel::{BoardView, Mark, SeatId, Shape, Shown, ThingView, View};

use crate::paint::Paint;
use ring::End;
use stacks::Post;

/// As wide as most terminals are.
const LINE: usize = 80;

/// Boards of so many lines have the facts beside them, if there is room.
const HIGH: usize = 12;

/// Draws a view, line by line.
pub fn view(view: &View, seats: &[String], paint: Paint) -> String {
    let draw = Draw { seats, paint };
    let mut parts: Vec<Vec<String>> = Vec::new();
    let mut beside = Beside::default();
    for board in &view.boards {
        let mut lines = Vec::new();
        // One board needs no name; of several, or of one's own board, people ask which it is.
        if view.boards.len() > 1 || board.owner.is_some() {
            lines.push(draw.title(board));
        }
        lines.extend(draw.board(board, view, &mut beside));
        parts.push(lines);
    }
    parts = side_by_side(parts);
    let facts = things::facts(&draw, view, &beside);
    match parts.as_slice() {
        // A high board would push what stands below it off the screen.
        [board] if board.len() >= HIGH => parts = side_by_side(vec![board.clone(), facts]),
        _ => parts.push(facts),
    }
    parts.push(things::things(&draw, &view.things, &beside));
    parts.retain(|lines| !lines.is_empty());
    let lines: Vec<String> = parts.iter().map(|lines| lines.join("\n")).collect();
    lines.join("\n\n")
}

/// What is known besides the boards, line by line.
pub fn facts(view: &View, seats: &[String], paint: Paint) -> Vec<String> {
    let draw = Draw { seats, paint };
    let mut beside = Beside::default();
    if view.boards.iter().any(is_stacked) {
        beside.kinds.extend(posts(&view.things).iter().map(|post| post.name.clone()));
    }
    let mut lines = things::facts(&draw, view, &beside);
    lines.extend(things::things(&draw, &view.things, &beside));
    lines
}

fn is_stacked(board: &BoardView) -> bool {
    matches!(board.shape, Shape::Ring { .. }) && stacks::fits(board)
}

/// What was drawn together with a board and needs no line of its own.
#[derive(Default)]
struct Beside {
    /// A property of the players.
    property: Option<String>,
    /// Kinds of things.
    kinds: Vec<String>,
}

struct Draw<'a> {
    seats: &'a [String],
    paint: Paint,
}

impl Draw<'_> {
    fn board(&self, board: &BoardView, view: &View, beside: &mut Beside) -> Vec<String> {
        match board.shape {
            Shape::Grid { .. } => {
                let edges = edges(board, &view.things);
                beside.kinds.extend(view.things.iter().filter(|thing| is_edge(thing)).map(|thing| thing.kind.clone()));
                grid::draw(self, board, &edges)
            }
            Shape::Hexes { .. } => hexes::draw(self, board),
            Shape::Ring { .. } if is_stacked(board) => {
                let posts = posts(&view.things);
                beside.kinds.extend(posts.iter().map(|post| post.name.clone()));
                stacks::draw(self, &stacks::columns(self, board, &posts))
            }
            Shape::Ring { .. } => {
                let ends = self.ends(board, view, beside);
                ring::draw(self, board, ends.as_ref())
            }
            Shape::Track { .. } => track::draw(self, board),
            Shape::Graph => graph::draw(self, board),
        }
    }

    /// Where the rows of a ring belong to two players: the first number that is known of both.
    fn ends(&self, board: &BoardView, view: &View, beside: &mut Beside) -> Option<(End, End)> {
        let (above, below) = ring::owners(board)?;
        let fact = |seat: SeatId| view.facts.iter().find(|fact| fact.name == self.seat_name(seat));
        let number = |fact: &ThingView, name: &str| match fact.properties.iter().find(|(known, _)| known == name) {
            Some((_, Shown::Value(value))) if value.parse::<f64>().is_ok() => Some(value.clone()),
            _ => None,
        };
        let (left, right) = (fact(above)?, fact(below)?);
        let (name, left, right) = left
            .properties
            .iter()
            .find_map(|(name, _)| Some((name.clone(), number(left, name)?, number(right, name)?)))?;
        beside.property = Some(name);
        // A store that only stands for that number has nothing to add.
        let bare = |thing: &&ThingView| {
            thing.owner.is_some() && thing.properties.is_empty() && thing.count.is_none_or(|count| count == 0)
        };
        beside.kinds.extend(view.things.iter().filter(bare).map(|thing| thing.kind.clone()));
        let end = |seat: SeatId, text: String| End { seat, text, turn: view.turn == Some(seat) };
        Some((end(above, left), end(below, right)))
    }

    fn title(&self, board: &BoardView) -> String {
        match board.owner {
            Some(owner) => format!("{} of {}", self.paint.strong(&board.name), self.seat(owner)),
            None => self.paint.strong(&board.name),
        }
    }

    fn seat(&self, seat: SeatId) -> String {
        self.paint.seat(Some(seat), self.seat_name(seat))
    }

    fn seat_name(&self, seat: SeatId) -> &str {
        self.seats.get(usize::from(seat.0)).map_or("?", |name| name.as_str())
    }
}

/// A thing that lies between two places of a board.
fn is_edge(thing: &ThingView) -> bool {
    thing.look.iter().any(|(attribute, _)| attribute == "between")
}

/// What there is to see between the places of a board, by where its ends lie.
fn edges<'v>(board: &BoardView, things: &'v [ThingView]) -> Vec<([(i32, i32); 2], &'v Mark)> {
    let at = |name: &str| board.cells.iter().find(|cell| cell.name == name).map(|cell| cell.at);
    let ends = |thing: &ThingView| {
        let (_, between) = thing.look.iter().find(|(attribute, _)| attribute == "between")?;
        let (one, other) = between.split_once(' ')?;
        Some([at(one)?, at(other)?])
    };
    let seen = things.iter().filter(|thing| !thing.mark.sign.is_empty());
    seen.filter_map(|thing| Some((ends(thing)?, &thing.mark))).collect()
}

/// Things that the definition puts beside the columns of a board.
fn posts(things: &[ThingView]) -> Vec<Post> {
    let column = |thing: &ThingView| {
        let (_, x) = thing.look.iter().find(|(attribute, _)| attribute == "x")?;
        x.parse::<usize>().ok()
    };
    let post = |thing: &ThingView| {
        let count = thing.count.unwrap_or(0);
        Some(Post { name: thing.kind.clone(), column: column(thing)?, owner: thing.owner, count })
    };
    things.iter().filter_map(post).collect()
}

/// Boards that fit on one line stand there: two seas are compared more easily, and the screen is not high.
fn side_by_side(boards: Vec<Vec<String>>) -> Vec<Vec<String>> {
    const BETWEEN: usize = 3;
    let widths: Vec<usize> =
        boards.iter().map(|lines| lines.iter().map(|line| width(line)).max().unwrap_or(0)).collect();
    let total = widths.iter().sum::<usize>() + BETWEEN * boards.len().saturating_sub(1);
    if boards.len() < 2 || total > LINE {
        return boards;
    }
    let height = boards.iter().map(Vec::len).max().unwrap_or(0);
    let line = |row: usize| {
        let parts = boards.iter().zip(&widths).map(|(lines, &wide)| {
            let text = lines.get(row).map_or("", String::as_str);
            format!("{text}{}", " ".repeat(wide + BETWEEN - width(text)))
        });
        parts.collect::<String>().trim_end().to_owned()
    };
    vec![(0..height).map(line).collect()]
}

/// How many characters are seen; colour takes no room.
fn width(text: &str) -> usize {
    let mut n_seen = 0;
    let mut coding = false;
    for sign in text.chars() {
        match sign {
            '\x1b' => coding = true,
            'm' if coding => coding = false,
            _ => n_seen += usize::from(!coding),
        }
    }
    n_seen
}
