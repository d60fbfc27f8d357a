//! A program as a rulebook.

use std::sync::Arc;

use houserules_kernel::{OpenError, Position, Rulebook};

use crate::board::Layout;
use crate::course::Course;
use crate::fault::{Budget, Fault};
use crate::net::Net;
use crate::position::LinearPosition;
use crate::program::Program;
use crate::run::Running;
use crate::seats::Seats;
use crate::words::Spoken;

/// More cannot sit at a table.
const MOST_SEATS: usize = 64;

/// A program, ready to be played.
#[derive(Clone)]
pub struct Game {
    pub(crate) rules: Arc<Rules>,
}

pub(crate) struct Rules {
    pub name: String,
    pub digest: String,
    pub program: Arc<Program>,
    pub net: Option<Net>,
    /// The net, laid out for random play.
    pub course: Option<Course>,
    /// At the start, for states that the net does not know.
    pub outside: Running,
    pub seats: Seats,
    /// What is said of what can happen in the net.
    pub words: Option<Spoken>,
    pub layout: Layout,
    pub budget: Budget,
}

impl Game {
    /// The game of a program's first `#trace`. `name` is said where the program has no title.
    pub fn new(program: Program, name: &str, text: &str) -> Result<Game, Fault> {
        Game::within(program, name, text, Budget::default())
    }

    pub fn within(program: Program, name: &str, text: &str, budget: Budget) -> Result<Game, Fault> {
        let program = Arc::new(program);
        let outside = Running::start(program.clone(), 0, budget)?;
        let net = Net::build(program.clone(), 0, budget);
        let seats = match &net {
            Some(net) => net.seats.clone(),
            None => Seats::of(&program, &outside.store, &[]),
        };
        if seats.n_seats() > MOST_SEATS {
            let n = seats.n_seats();
            return Err(Fault(format!(
                "{n} players decide something, and a match has up to {MOST_SEATS}. A line `%% seats ann bob` says who plays."
            )));
        }
        let (words, course) = (net.as_ref().map(Spoken::of), net.as_ref().map(Course::of));
        let layout = Layout::of(&program, net.as_ref(), &outside, &seats);
        let name = program.title.clone().unwrap_or_else(|| name.to_owned());
        let digest = blake3::hash(text.as_bytes()).to_hex()[..16].to_owned();
        Ok(Game {
            rules: Arc::new(Rules { name, digest, program, net, course, outside, seats, words, layout, budget }),
        })
    }

    /// The same game, played without the net: the slow and simple way.
    pub fn without_net(&self) -> Game {
        let rules = &self.rules;
        Game {
            rules: Arc::new(Rules {
                name: rules.name.clone(),
                digest: rules.digest.clone(),
                program: rules.program.clone(),
                net: None,
                course: None,
                outside: rules.outside.clone(),
                seats: rules.seats.clone(),
                words: None,
                layout: rules.layout.clone(),
                budget: rules.budget,
            }),
        }
    }

    pub fn program(&self) -> &Program {
        &self.rules.program
    }

    /// Whether all that can ever come about was found beforehand.
    pub fn is_closed(&self) -> bool {
        self.rules.net.as_ref().is_some_and(|net| net.complete)
    }

    pub fn start(&self) -> Result<LinearPosition, Fault> {
        LinearPosition::start(self.rules.clone())
    }
}

impl Rulebook for Game {
    fn name(&self) -> &str {
        &self.rules.name
    }

    fn seats(&self) -> Vec<String> {
        self.rules.seats.names.clone()
    }

    fn digest(&self) -> String {
        self.rules.digest.clone()
    }

    fn open(&self) -> Result<Box<dyn Position>, OpenError> {
        let position = self.start().map_err(|fault| OpenError(fault.to_string()))?;
        Ok(Box::new(position))
    }
}
