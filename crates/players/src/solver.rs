use std::collections::HashSet;
use std::fmt;
use std::num::NonZeroU8;
use std::sync::atomic::{AtomicBool, Ordering};

use houserules_kernel::{Decision, Position, Refusal, SeatId, Standing, Who};

use crate::table::Table;
use crate::useful::Useful;

/// Finds out how a match ends when everybody plays as well as can be.
///
/// For one seat, or two of which one wins what the other loses; without chance, with everything face up, and for games that
/// must end. It says so where one of these does not hold. Alpha-beta to the end of the match, with a table of a fixed
/// size; positions are told apart by fingerprint.
pub struct Solver<'a> {
    most_bytes: usize,
    stop: Option<&'a AtomicBool>,
    progress: Option<Box<dyn FnMut(Progress) + 'a>>,
}

/// How far the work has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions looked at.
    pub nodes: u64,
    /// Positions in the table, and how many fit.
    pub remembered: usize,
    pub room: usize,
}

/// What a game is worth when nobody errs, and what it took to find out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// For each seat 1, 0 or −1: won, drawn, lost.
    pub value: Vec<i8>,
    /// A best choice each time, in words, to the end of the match.
    pub line: Vec<String>,
    /// Positions looked at.
    pub nodes: u64,
    /// Positions in the table at the end.
    pub remembered: usize,
}

/// Why there is no solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// The solver is not for such a game; the reason is a sentence.
    NotForThis(String),
    /// Somebody stopped it.
    Interrupted(Progress),
    /// A rule of the game has a fault.
    Fault(Refusal),
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unsolved::NotForThis(reason) => f.write_str(reason),
            Unsolved::Interrupted(progress) => {
                write!(f, "Stopped after {} positions, without a result.", progress.nodes)
            }
            Unsolved::Fault(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for Unsolved {}

impl From<Refusal> for Unsolved {
    fn from(refusal: Refusal) -> Self {
        Unsolved::Fault(refusal)
    }
}

/// Nodes between two reports, and between two looks whether to stop: in a slow game that is a moment, too.
const REPORT_EVERY: u64 = 1 << 10;
/// Each of the first nodes is searched for secrets, and later one of so many: views are dear.
const SECRETS_EVERY: u64 = 1 << 10;
const USUAL_BYTES: usize = 256 << 20;

impl<'a> Solver<'a> {
    pub fn new() -> Self {
        Solver { most_bytes: USUAL_BYTES, stop: None, progress: None }
    }

    /// The table never takes more than this; a smaller one takes longer.
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.most_bytes = bytes;
        self
    }

    /// Stops soon after this becomes true.
    pub fn until(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    pub fn with_progress(mut self, progress: impl FnMut(Progress) + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    pub fn solve(self, position: &mut dyn Position, n_seats: usize) -> Result<Solution, Unsolved> {
        if !(1..=2).contains(&n_seats) {
            let reason = format!("There are {n_seats} seats; only games for one or two can be solved.");
            return Err(Unsolved::NotForThis(reason));
        }
        let mut search = Search {
            n_seats,
            stop: self.stop,
            progress: self.progress,
            table: Table::new(self.most_bytes),
            useful: Useful::default(),
            path: HashSet::new(),
            nodes: 0,
        };
        // A copy, so that whatever happens the position is as it was.
        let mut position = position.duplicate();
        let value = search.value(&mut *position, -1, 1)?;
        let line = search.line(&mut *position, value)?;
        let value = if n_seats == 2 { vec![value, -value] } else { vec![value] };
        Ok(Solution { value, line, nodes: search.nodes, remembered: search.table.n_used() })
    }
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// All values are the first seat's.
struct Search<'a> {
    n_seats: usize,
    stop: Option<&'a AtomicBool>,
    progress: Option<Box<dyn FnMut(Progress) + 'a>>,
    table: Table<Bounds>,
    /// How often a choice ended the search of a position, for the order in which choices are tried.
    useful: Useful,
    /// The positions between the root and here.
    path: HashSet<u64>,
    nodes: u64,
}

impl Search<'_> {
    /// Exact between `alpha` and `beta`, a bound outside.
    fn value(&mut self, position: &mut dyn Position, mut alpha: i8, mut beta: i8) -> Result<i8, Unsolved> {
        self.count()?;
        let Some(seat) = self.seat(position)? else { return self.outcome(position) };
        let key = position.fingerprint().0;
        let (mut low, mut high) = self.table.get(key).map_or((-1, 1), |bounds| bounds.pair());
        if low >= beta || low == high {
            return Ok(low);
        }
        if high <= alpha {
            return Ok(high);
        }
        (alpha, beta) = (alpha.max(low), beta.min(high));
        let (lowest, highest) = (alpha, beta);
        if !self.path.insert(key) {
            let reason = "A position comes back after some moves, so a match need not end; that cannot be solved here.";
            return Err(Unsolved::NotForThis(reason.into()));
        }
        let first = seat == SeatId(0);
        let who = Who::Seat(seat);
        let before = self.nodes;
        let mut best = if first { -1 } else { 1 };
        let mut listed = position.choices(who);
        self.useful.order(&mut listed);
        for choice in listed {
            position.play(who, &choice)?;
            let value = stacker::maybe_grow(64 << 10, 1 << 20, || self.value(position, alpha, beta))?;
            position.undo();
            if first {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta {
                self.useful.was(&choice, 1);
                break;
            }
        }
        self.path.remove(&key);
        if best > lowest {
            low = low.max(best);
        }
        if best < highest {
            high = high.min(best);
        }
        self.table.put(key, Bounds::new(low, high), self.nodes - before);
        Ok(best)
    }

    fn count(&mut self) -> Result<(), Unsolved> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(REPORT_EVERY) {
            let progress = Progress { nodes: self.nodes, remembered: self.table.n_used(), room: self.table.room() };
            if let Some(report) = &mut self.progress {
                report(progress);
            }
            if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Unsolved::Interrupted(progress));
            }
        }
        Ok(())
    }

    /// Who is to choose; none at the end.
    fn seat(&mut self, position: &mut dyn Position) -> Result<Option<SeatId>, Unsolved> {
        let not_for_this = |reason: &str| Err(Unsolved::NotForThis(reason.into()));
        let seat = match position.decision() {
            Decision::Over(_) => return Ok(None),
            Decision::Nature => {
                return not_for_this("Chance plays a part in this game; only games without can be solved.");
            }
            Decision::Seats { asked, .. } if asked.len() != 1 => {
                return not_for_this("Several seats choose at once in this game; only games in turns can be solved.");
            }
            Decision::Seats { asked, .. } => asked[0],
        };
        let look = self.nodes <= SECRETS_EVERY || self.nodes.is_multiple_of(SECRETS_EVERY);
        if look && !position.sees_all(seat) {
            return not_for_this("Something is hidden in this game; only games with everything face up can be solved.");
        }
        Ok(Some(seat))
    }

    fn outcome(&self, position: &dyn Position) -> Result<i8, Unsolved> {
        let Decision::Over(outcome) = position.decision() else { unreachable!("nobody is to choose") };
        let value = |seat| match outcome.standing(SeatId(seat)) {
            Standing::Won => 1,
            Standing::Drew => 0,
            Standing::Lost => -1,
        };
        if self.n_seats == 2 && value(0) != -value(1) {
            let reason =
                "Both can win or lose together in this game; only games of one against the other can be solved.";
            return Err(Unsolved::NotForThis(reason.into()));
        }
        Ok(value(0))
    }

    /// The first choice that keeps the value, again and again.
    fn line(&mut self, position: &mut dyn Position, value: i8) -> Result<Vec<String>, Unsolved> {
        let mut position = position.duplicate();
        let mut line = Vec::new();
        while let Some(seat) = self.seat(&mut *position)? {
            let who = Who::Seat(seat);
            let mut found = false;
            for choice in position.choices(who) {
                let words = position.words(who, &choice);
                position.play(who, &choice)?;
                if self.value(&mut *position, -1, 1)? == value {
                    line.push(words);
                    found = true;
                    break;
                }
                position.undo();
            }
            assert!(found, "some choice keeps the value of a position");
        }
        Ok(line)
    }
}

/// Between what the value of a position lies.
#[derive(Clone, Copy)]
struct Bounds {
    /// −1 to 1, plus 2, so that an entry of the table that holds nothing takes no room for saying so.
    low: NonZeroU8,
    high: u8,
}

impl Bounds {
    fn new(low: i8, high: i8) -> Self {
        let above = |value: i8| (value + 2).clamp(1, 3) as u8;
        Bounds { low: NonZeroU8::new(above(low)).unwrap_or(NonZeroU8::MIN), high: above(high) }
    }

    fn pair(self) -> (i8, i8) {
        (self.low.get() as i8 - 2, self.high as i8 - 2)
    }
}
