use houserules_kernel::{Generator, Position, Refusal, Who};

use crate::alphabeta::AlphaBeta;
use crate::evaluator::Copied;
use crate::limits::Limits;
use crate::mcts::Mcts;
use crate::player::{Player, Thought, choices};

/// Plays matches out; where too few fit into its limits to tell anything and the game has an evaluator, looks ahead with
/// that instead.
///
/// A dozen matches among a hundred choices are lots, and whoever takes what looks best at once beats them.
pub(crate) struct Thinking {
    mcts: Mcts,
    matches: Limits,
    positions: Limits,
    evaluator: Option<Box<dyn Copied>>,
    generator: Generator,
}

/// Fewer matches than this are not worth playing out.
const FEW: u64 = 100;
/// So many for each choice make them worth it, but more than `ENOUGH` are wanted nowhere. Tried on games whose evaluator
/// is good, such as Breakthrough and Awele: below that, looking ahead a level lower down wins.
const ENOUGH_EACH: u64 = 500;
const ENOUGH: u64 = 2_000;
/// One that lasts longer is not played to its end to find out how many there will be.
const LONGEST: u64 = 2_000;

impl Thinking {
    /// Of `positions`, nodes come on top of one for each choice.
    pub fn new(
        seed: u64,
        n_threads: usize,
        matches: Limits,
        positions: Limits,
        evaluator: Option<Box<dyn Copied>>,
    ) -> Self {
        let mut mcts = Mcts::new(seed, matches.clone()).on_threads(n_threads);
        mcts.rate_with(evaluator.as_ref().map(|evaluator| evaluator.copied()));
        Thinking { mcts, matches, positions, evaluator, generator: Generator::new(seed) }
    }

    /// How many matches the limits allow from here, by the length of one of them.
    fn n_matches(&mut self, position: &dyn Position) -> u64 {
        let most = self.matches.nodes.unwrap_or(u64::MAX);
        let Some(plies) = self.matches.plies else { return most };
        let mut played = position.duplicate();
        played.forget();
        // One with a fault says nothing; the search will tell of it.
        let length = played.playout(&mut self.generator, LONGEST).unwrap_or(1);
        most.min(plies / length.max(1))
    }
}

impl Player for Thinking {
    fn name(&self) -> String {
        self.mcts.name()
    }

    fn about(&self) -> String {
        self.mcts.about()
    }

    fn choose(&mut self, position: &mut dyn Position, who: Who) -> Result<Thought, Refusal> {
        // Where something is hidden, the search itself asks the evaluator about what few matches cannot tell apart.
        let can_look_ahead = matches!(who, Who::Seat(seat) if position.sees_all(seat))
            && (self.evaluator.is_some() || !position.evaluators().is_empty());
        // Every choice is looked at, however many there are: out of nodes before that, the first would be taken.
        let n_choices = choices(position, who)?.len() as u64;
        let enough = (ENOUGH_EACH * n_choices).clamp(FEW, ENOUGH);
        if !can_look_ahead || n_choices == 1 || self.n_matches(position) >= enough {
            return self.mcts.choose(position, who);
        }
        let nodes = self.positions.nodes.map(|nodes| nodes + n_choices);
        let limits = Limits { nodes, ..self.positions.clone() };
        let mut player = AlphaBeta::new(self.generator.next(), limits);
        player.rate_with(self.evaluator.as_ref().map(|evaluator| evaluator.copied()));
        player.choose(position, who)
    }
}
