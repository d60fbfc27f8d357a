mod tree;
mod unseen;

use std::collections::BTreeMap;

use houserules_kernel::{Choice, Generator, Position, Refusal, SeatId, Who};

use crate::evaluator::{Copied, Defined, Evaluator};
use crate::greedy::on_average;
use crate::hidden::Memory;
use crate::limits::Limits;
use crate::player::{Considered, Player, Thought, choices, lots};
use tree::{Hands, Tally, Tree, rank};
use unseen::Unseen;

/// Monte Carlo tree search: plays matches out at random, and more often from where they ended well.
///
/// UCT (Kocsis and Szepesvári, 2006), where every seat looks for its own good, so any number of seats can play. Chance is
/// a node that draws. What is certain is passed up as such (the solver of Winands, Björnsson and Saito, 2008): a choice
/// that wins for certain is taken, one that loses for certain is left alone. The tree is kept from one choice to the next.
/// A match that is as good as won is not thought about at length.
///
/// On several threads each grows a tree of its own, and their counts are added up. Without a clock that follows from the
/// seed and the number of threads.
///
/// Where something is hidden, matches are dealt anew that agree with all that the seat has seen, and what is learned from
/// them is kept by what the seat would see; that is done on one thread.
pub struct Mcts {
    limits: Limits,
    n_threads: usize,
    evaluator: Option<Box<dyn Copied>>,
    generator: Generator,
    /// Of the last choice, one a thread.
    trees: Vec<Tree>,
    memory: Memory,
}

/// Matches played out where nothing is said.
const USUAL_NODES: u64 = 1_000;
/// So many matches are dealt anew where something is hidden, or fewer where few are played out.
const MOST_WORLDS: u64 = 32;
const LEAST_A_WORLD: u64 = 4;
/// Where nearly everything wins, one part in so many of what is allowed is thought enough; it is looked at now and then.
const ENOUGH_TO_STOP: u64 = 8;
const LOOK_EVERY: u64 = 32;

impl Mcts {
    /// Of the limits, nodes are matches played out; depth plays no part.
    pub fn new(seed: u64, limits: Limits) -> Self {
        Mcts {
            limits,
            n_threads: 1,
            evaluator: None,
            generator: Generator::new(seed),
            trees: Vec::new(),
            memory: Memory::default(),
        }
    }

    /// Thinks on so many cores; what is limited by nodes is shared out among them.
    pub fn on_threads(mut self, n_threads: usize) -> Self {
        self.n_threads = n_threads.max(1);
        self
    }

    /// Rates matches that are cut with this instead of the game's own evaluator.
    pub fn with_evaluator(mut self, evaluator: impl Evaluator + Clone + 'static) -> Self {
        self.evaluator = Some(Box::new(evaluator));
        self
    }

    pub(crate) fn rate_with(&mut self, evaluator: Option<Box<dyn Copied>>) {
        self.evaluator = evaluator;
    }

    fn evaluator(&self, position: &dyn Position) -> Option<Box<dyn Copied>> {
        match &self.evaluator {
            Some(evaluator) => Some(evaluator.copied()),
            None => {
                let supplied = position.evaluators().into_iter().next();
                supplied.map(|name| Box::new(Defined::against_others(name)) as Box<dyn Copied>)
            }
        }
    }

    fn limits(&self) -> Limits {
        let mut limits = self.limits.clone();
        if limits.nodes.is_none() && limits.time.is_none() {
            limits.nodes = Some(USUAL_NODES);
        }
        limits
    }

    /// With everything face up: one search, on as many threads as there are.
    fn face_up(&mut self, position: &mut dyn Position, who: Who, choices: &[Choice]) -> Result<Thought, Refusal> {
        let mut root = position.duplicate();
        root.forget();
        let kept = std::mem::take(&mut self.trees).into_iter();
        let mut trees: Vec<Tree> = kept.filter_map(|tree| tree.below(&*root, who, choices)).collect();
        trees.truncate(self.n_threads);
        while trees.len() < self.n_threads {
            trees.push(Tree::new(&*root, who, choices.to_vec()));
        }
        let limits = self.limits().shared(self.n_threads as u64);
        let evaluator = self.evaluator(&*root);
        let tasks = trees.into_iter().map(|tree| Task {
            tree,
            position: root.duplicate(),
            limits: limits.clone(),
            evaluator: evaluator.as_ref().map(|evaluator| evaluator.copied()),
            generator: Generator::new(self.generator.next()),
        });
        let mut n_nodes = 0;
        for grown in at_once(tasks.collect()) {
            let (tree, nodes) = grown?;
            n_nodes += nodes;
            self.trees.push(tree);
        }
        let mut tallies: BTreeMap<Choice, Tally> = BTreeMap::new();
        for tree in &self.trees {
            for (choice, tally) in tree.tallies() {
                let sum = tallies.entry(choice).or_default();
                sum.visits += tally.visits;
                sum.sum += tally.sum;
                sum.certain = sum.certain.or(tally.certain);
            }
        }
        let settled = self.trees.iter().any(Tree::is_certain);
        let best = best(&tallies, |tally| rank(tally, settled));
        let knows = |tree: &&Tree| tree.tallies().get(&best).map_or(0, |tally| tally.visits);
        let line = self.trees.iter().max_by_key(knows).map(|tree| tree.line(&mut *root, &best)).unwrap_or_default();
        Ok(thought(position, who, best, line, n_nodes, &tallies))
    }

    /// What is hidden is dealt anew, again and again; nothing of the true position is looked at but what the seat sees.
    fn guessing(&mut self, position: &mut dyn Position, seat: SeatId, choices: &[Choice]) -> Result<Thought, Refusal> {
        let who = Who::Seat(seat);
        let limits = self.limits();
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let n_worlds = (nodes / LEAST_A_WORLD).clamp(1, MOST_WORLDS) as usize;
        let mut worlds = self.memory.worlds(position, seat, choices, n_worlds, &mut self.generator);
        if worlds.is_empty() {
            return lots(position, who, &mut self.generator);
        }
        let mut evaluator = self.evaluator(position);
        let mut generator = Generator::new(self.generator.next());
        let rates = evaluator.as_deref_mut().map(Copied::as_evaluator);
        let mut hands = Hands { generator: &mut generator, evaluator: rates, plies: 0 };
        let mut tree = Unseen::new(seat);
        let mut budget = limits.begin();
        for world in worlds.iter().cycle() {
            if !budget.spend(1) {
                break;
            }
            let mut world = world.duplicate();
            world.forget();
            // A match that was only guessed may have a fault that the true one has not; it still counts as tried.
            let _ = tree.simulate(&mut *world, &mut hands);
            budget.played(hands.plies);
        }
        let (tallies, n_nodes) = (tree.tallies(), budget.nodes);
        if tallies.is_empty() {
            return lots(position, who, &mut self.generator);
        }
        // What is surely good, not what was only tried often: guesses differ, and values rise late.
        let surely = |tally: &Tally| tally.value().unwrap_or(-2.0) - tally.doubt();
        let mut best = best(&tallies, surely);
        if let Some(evaluator) = &mut evaluator {
            let least = tallies.get(&best).map_or(-2.0, surely);
            let hopeful = |tally: &Tally| tally.value().unwrap_or(0.0) + tally.doubt() >= least;
            let equals: Vec<Choice> =
                tallies.iter().filter(|(_, tally)| hopeful(tally)).map(|(choice, _)| choice.clone()).collect();
            // Among many choices few matches are played out for each: what they cannot tell apart, the evaluator does.
            let values = on_average(&mut worlds, seat, &equals, evaluator.as_evaluator()).unwrap_or_default();
            let mut highest = f64::NEG_INFINITY;
            for (choice, value) in equals.into_iter().zip(values) {
                if value > highest {
                    (best, highest) = (choice, value);
                }
            }
        }
        self.memory.note(position, &best);
        let line = vec![position.words(who, &best)];
        Ok(thought(position, who, best, line, n_nodes, &tallies))
    }
}

impl Player for Mcts {
    fn name(&self) -> String {
        "mcts".into()
    }

    fn about(&self) -> String {
        format!("Plays matches out and prefers what ended well, {}.", self.limits())
    }

    fn choose(&mut self, position: &mut dyn Position, who: Who) -> Result<Thought, Refusal> {
        let Who::Seat(seat) = who else { return lots(position, who, &mut self.generator) };
        let choices = choices(position, who)?;
        if let [only] = choices.as_slice() {
            return Ok(Thought::blind(position, who, only.clone()));
        }
        match position.sees_all(seat) {
            true => self.face_up(position, who, &choices),
            false => self.guessing(position, seat, &choices),
        }
    }
}

/// The first of those that come highest.
fn best<R: PartialOrd>(tallies: &BTreeMap<Choice, Tally>, rank: impl Fn(&Tally) -> R) -> Choice {
    let mut best: Option<(&Choice, R)> = None;
    for (choice, tally) in tallies {
        let rank = rank(tally);
        if best.as_ref().is_none_or(|(_, highest)| rank > *highest) {
            best = Some((choice, rank));
        }
    }
    best.map(|(choice, _)| choice.clone()).unwrap_or_default()
}

fn thought(
    position: &dyn Position,
    who: Who,
    choice: Choice,
    line: Vec<String>,
    nodes: u64,
    tallies: &BTreeMap<Choice, Tally>,
) -> Thought {
    let considered = |(choice, tally): (&Choice, &Tally)| {
        let value = tally.value()?;
        Some(Considered { words: position.words(who, choice), visits: tally.visits, value })
    };
    let mut considered: Vec<Considered> = tallies.iter().filter_map(considered).collect();
    considered.sort_by(|one, other| other.visits.cmp(&one.visits).then(other.value.total_cmp(&one.value)));
    let value = tallies.get(&choice).and_then(Tally::value);
    Thought { choice, value, line, nodes, considered }
}

/// One tree to grow.
struct Task {
    tree: Tree,
    /// In whose memory matches are played out.
    position: Box<dyn Position>,
    limits: Limits,
    evaluator: Option<Box<dyn Copied>>,
    generator: Generator,
}

impl Task {
    fn grow(mut self) -> Result<(Tree, u64), Refusal> {
        let mut budget = self.limits.begin();
        let evaluator = self.evaluator.as_deref_mut().map(Copied::as_evaluator);
        let mut hands = Hands { generator: &mut self.generator, evaluator, plies: 0 };
        while !self.tree.is_certain() && budget.spend(1) {
            self.tree.simulate(&mut self.position, &mut hands)?;
            budget.played(hands.plies);
            let looks = budget.nodes.is_multiple_of(LOOK_EVERY) && budget.has_spent(ENOUGH_TO_STOP);
            if looks && self.tree.as_good_as_won() {
                break;
            }
        }
        Ok((self.tree, budget.nodes))
    }
}

/// Each on a thread of its own; the results in the order of the tasks.
fn at_once(mut tasks: Vec<Task>) -> Vec<Result<(Tree, u64), Refusal>> {
    let Some(last) = tasks.pop() else { return Vec::new() };
    std::thread::scope(|scope| {
        let running: Vec<_> = tasks.into_iter().map(|task| scope.spawn(|| task.grow())).collect();
        let last = last.grow();
        let mut done: Vec<_> = running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        done.push(last);
        done
    })
}
