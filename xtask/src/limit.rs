//! `cargo xtask bench --limit`: the machine beside the same games written by hand for speed alone.
//!
//! Both play in turn on one thread, so that a busy computer slows both; the ratio of the two is the figure.
//! Both must tell the same of a game: how long it lasts, who wins, in how many ways it can be played.

mod awele;
mod bits;
mod board;
mod breakthrough;
mod chess;
mod connect_four;
mod draw;
mod go;
mod hex;
mod othello;
mod tally;
mod tictactoe;

use houserules_kernel::{By, Decision, Generator, Position, Rulebook, SeatId, Standing, perft};
use houserules_library::{Game, Options};

use crate::{clock, games};
use board::{Board, End};
use draw::Draw;
pub use tally::{MOST, Tally};

/// A game that is written by hand beside its definition.
pub struct Yardstick {
    /// The game of the library.
    pub game: &'static str,
    variants: &'static [&'static str],
    settings: &'static [(&'static str, &'static str)],
    /// The ratio that must be reached, and the one to aim at.
    pub must: f64,
    pub aim: f64,
    /// How deep both count.
    depth: usize,
    slice: fn(&mut Draw, f64) -> Tally,
    count: fn(usize) -> Vec<u64>,
    #[cfg(test)]
    many: fn(&mut Draw, u64) -> Tally,
}

pub const YARDSTICKS: &[Yardstick] = &[
    yardstick::<tictactoe::TicTacToe>("tic-tac-toe", 15.0, 5.0, 9),
    yardstick::<connect_four::ConnectFour>("connect-four", 11.0, 6.0, 6),
    yardstick::<othello::Othello>("othello", 40.0, 6.0, 6),
    yardstick::<awele::Awele>("awele", 20.0, 8.0, 6),
    yardstick::<breakthrough::Breakthrough>("breakthrough", 45.0, 12.0, 3),
    yardstick::<hex::Hex>("hex", 7.5, 2.0, 2),
    Yardstick { settings: &[("size", "9")], ..yardstick::<go::Go<9>>("go", 20.0, 8.0, 2) },
    Yardstick { variants: &["repetition goes on"], ..yardstick::<chess::Chess>("chess", 32.0, 12.0, 3) },
];

const fn yardstick<B: Board>(game: &'static str, must: f64, aim: f64, depth: usize) -> Yardstick {
    Yardstick {
        game,
        variants: &[],
        settings: &[],
        must,
        aim,
        depth,
        slice: slice::<B>,
        count: board::perft::<B>,
        #[cfg(test)]
        many: many::<B>,
    }
}

/// What was found about one game.
pub struct Row {
    pub title: String,
    pub limit: Tally,
    pub machine: Tally,
    pub must: f64,
    pub aim: f64,
    /// What the two tell differently; none: they agree.
    pub differs: Option<String>,
}

/// Seconds that one of the two plays before the other has its turn.
const SLICE: f64 = 0.1;

pub fn run(game: Option<&str>, seconds: f64) -> Result<(), String> {
    let chosen: Vec<&Yardstick> =
        YARDSTICKS.iter().filter(|yardstick| game.is_none_or(|game| game == yardstick.game)).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = YARDSTICKS.iter().map(|yardstick| yardstick.game).collect();
        return Err(format!("“{}” is not written by hand; these are: {}.", game.unwrap_or_default(), known.join(", ")));
    }
    print!("{}", heading());
    let mut differ = Vec::new();
    for yardstick in chosen {
        let row = yardstick.measure(seconds)?;
        print!("{}", line(&row));
        differ.extend(row.differs.map(|what| format!("{}: {what}", row.title)));
    }
    println!(
        "Playouts a second of the processor on one thread, {seconds} s each in turns of {SLICE} s; length in plies.\n\
         z: the largest difference of length and results in standard errors; up to {MOST} is chance."
    );
    if differ.is_empty() { Ok(()) } else { Err(differ.join("\n")) }
}

impl Yardstick {
    fn title(&self) -> String {
        let settings = self.settings.iter().map(|(name, value)| format!("{name}={value}"));
        let parts: Vec<String> = self.variants.iter().map(|&variant| variant.to_owned()).chain(settings).collect();
        if parts.is_empty() { self.game.to_owned() } else { format!("{}, {}", self.game, parts.join(", ")) }
    }

    fn options(&self) -> Options {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        Options {
            variants: self.variants.iter().map(|&variant| variant.to_owned()).collect(),
            settings: self.settings.iter().map(owned).collect(),
            ..Options::default()
        }
    }

    /// Both in turn for so many seconds each.
    pub fn measure(&self, seconds: f64) -> Result<Row, String> {
        let game = games::compile(self.game, &self.options())?;
        let start = game.open().map_err(|error| error.to_string())?;
        let mut differs = self.miscounted(&game)?;
        let (mut draw, mut generator) = (Draw::new(1), Generator::new(1));
        let (mut limit, mut machine) = (Tally::default(), Tally::default());
        while limit.seconds < seconds || machine.seconds < seconds {
            let most = SLICE.min(seconds);
            limit.join(&(self.slice)(&mut draw, most));
            machine.join(&machine_slice(&*start, &mut generator, most)?);
        }
        let distance = limit.distance(&machine);
        if distance > MOST && differs.is_none() {
            differs = Some(format!(
                "lengths or results are {distance:.1} standard errors apart: by hand {}, the machine {}.",
                limit.told(),
                machine.told()
            ));
        }
        Ok(Row { title: self.title(), limit, machine, must: self.must, aim: self.aim, differs })
    }

    /// The first depth at which the two count differently.
    fn miscounted(&self, game: &Game) -> Result<Option<String>, String> {
        let mut position = game.open().map_err(|error| error.to_string())?;
        let counted = perft(&mut *position, self.depth, By::Action).map_err(|refusal| refusal.to_string())?;
        let by_hand = (self.count)(self.depth);
        let first = (0..self.depth).find(|&at| counted[at] != by_hand[at]);
        Ok(first.map(|at| format!("depth {}: by hand {} nodes, the machine {}.", at + 1, by_hand[at], counted[at])))
    }
}

fn slice<B: Board>(draw: &mut Draw, seconds: f64) -> Tally {
    let mut tally = Tally::default();
    let mut board = B::start();
    let Ok(took) = clock::repeat(seconds, || {
        tally.add(board.playout(draw));
        Ok::<(), std::convert::Infallible>(())
    });
    tally.seconds = took;
    tally
}

/// Matches of the machine, each on a copy of the start, always to the end: those cut off would be the long ones.
fn machine_slice(start: &dyn Position, generator: &mut Generator, seconds: f64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut position = start.duplicate();
    tally.seconds = clock::repeat(seconds, || {
        tally.add(machine_playout(start, &mut position, generator)?);
        Ok::<(), String>(())
    })?;
    Ok(tally)
}

/// One match in the memory of the one before.
fn machine_playout(
    start: &dyn Position,
    position: &mut Box<dyn Position>,
    generator: &mut Generator,
) -> Result<End, String> {
    if !position.copy_from(start) {
        *position = start.duplicate();
    }
    let mut plies = 0;
    while !position.is_over() {
        plies += position.playout(generator, 1 << 20).map_err(|refusal| refusal.to_string())? as u32;
    }
    let Decision::Over(outcome) = position.decision() else { return Err("A match that is over has no end.".into()) };
    let won = |seat: &u32| outcome.standing(SeatId(*seat as u8)) == Standing::Won;
    Ok(End { result: (0..2).find(won).unwrap_or(2), plies })
}

fn heading() -> String {
    cells(["game", "limit", "machine", "ratio", "must", "aim", "length", "z", "agree"])
}

fn line(row: &Row) -> String {
    cells([
        &row.title,
        &format!("{:.0}", row.limit.per_second()),
        &format!("{:.0}", row.machine.per_second()),
        &format!("{:.1}", row.limit.per_second() / row.machine.per_second()),
        &row.must.to_string(),
        &row.aim.to_string(),
        &format!("{:.1}", row.machine.average_length()),
        &format!("{:.1}", row.limit.distance(&row.machine)),
        if row.differs.is_none() { "yes" } else { "NO" },
    ])
}

fn cells(cells: [&str; 9]) -> String {
    let [game, limit, machine, ratio, must, aim, length, z, agree] = cells;
    format!("{game:26}  {limit:>9}  {machine:>9}  {ratio:>6}  {must:>5}  {aim:>4}  {length:>6}  {z:>4}  {agree:>5}\n")
}

/// So many playouts, whatever time they take.
#[cfg(test)]
fn many<B: Board>(draw: &mut Draw, n: u64) -> Tally {
    let mut tally = Tally::default();
    let mut board = B::start();
    for _ in 0..n {
        tally.add(board.playout(draw));
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts;

    /// Every game by hand gives the published counts, as far as they are small.
    #[test]
    fn games_by_hand_give_the_published_counts() {
        for yardstick in YARDSTICKS {
            let published = counts::published(yardstick.game, &yardstick.options()).unwrap();
            let depth = published.iter().filter(|(_, nodes)| *nodes <= 300_000).map(|(depth, _)| *depth).max().unwrap();
            let counted = (yardstick.count)(depth);
            assert!(depth >= 2, "{}", yardstick.game);
            for (depth, nodes) in published.iter().filter(|(at, _)| *at <= depth) {
                assert_eq!(counted[depth - 1], *nodes, "{} at depth {depth}", yardstick.game);
            }
        }
    }

    /// The same seeds every time, so that chance cannot fail it one day.
    #[test]
    fn games_by_hand_and_their_definitions_agree() {
        for yardstick in YARDSTICKS {
            let game = games::compile(yardstick.game, &yardstick.options()).unwrap();
            let start = game.open().unwrap();
            let mut generator = Generator::new(7);
            let by_hand = (yardstick.many)(&mut Draw::new(7), 2_000);
            let mut machine = Tally::default();
            let mut position = start.duplicate();
            for _ in 0..if yardstick.game == "chess" { 10 } else { 60 } {
                machine.add(machine_playout(&*start, &mut position, &mut generator).unwrap());
            }
            let distance = by_hand.distance(&machine);
            assert!(distance < MOST, "{}: {distance}, {}; {}", yardstick.game, by_hand.told(), machine.told());
        }
    }

    #[test]
    fn a_game_that_is_not_written_by_hand_is_refused_with_the_list() {
        let message = run(Some("nim"), 0.01).unwrap_err();
        assert!(message.contains("“nim”") && message.contains("othello"), "{message}");
    }
}
