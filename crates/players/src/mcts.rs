use houserules_kernel::{Choice, Decision, Generator, Position, Refusal, SeatId, Who};

use crate::evaluator::{Defined, Evaluator, outcome_value};
use crate::limits::Limits;
use crate::player::{Player, Thought, choices, draw, looking, lots};

/// Monte Carlo tree search: plays matches out at random, and more often from where they ended well.
///
/// UCT (Kocsis and Szepesvári, 2006), where every seat looks for its own good, so any number of seats can play. Chance is
/// a node that draws. What is certain is passed up as such (the solver of Winands, Björnsson and Saito, 2008): a choice
/// that wins for certain is taken, one that loses for certain is left alone.
pub struct Mcts {
    limits: Limits,
    evaluator: Option<Box<dyn Evaluator>>,
    generator: Generator,
}

/// Matches played out where nothing is said.
const USUAL_NODES: u64 = 1_000;
/// How much what was seldom tried is preferred. Values lie between −1 and 1.
const CURIOSITY: f64 = 1.0;
/// A match played out is cut after so many actions, and rated by the evaluator or as a draw.
const LONGEST: u64 = 2_000;
/// Long lines say nothing to anybody.
const LONGEST_LINE: usize = 12;

impl Mcts {
    /// Of the limits, nodes are matches played out; depth plays no part.
    pub fn new(seed: u64, limits: Limits) -> Self {
        Mcts { limits, evaluator: None, generator: Generator::new(seed) }
    }

    /// Rates matches that are cut with this instead of the game's own evaluator.
    pub fn with_evaluator(mut self, evaluator: impl Evaluator + 'static) -> Self {
        self.evaluator = Some(Box::new(evaluator));
        self
    }
}

impl Player for Mcts {
    fn name(&self) -> String {
        "mcts".into()
    }

    fn choose(&mut self, position: &mut dyn Position, who: Who) -> Result<Thought, Refusal> {
        let Some(seat) = looking(position, who) else { return lots(position, who, &mut self.generator) };
        let choices = choices(position, who)?;
        if let [only] = choices.as_slice() {
            return Ok(Thought::blind(position, who, only.clone()));
        }
        let mut limits = self.limits.clone();
        if limits.nodes.is_none() && limits.time.is_none() {
            limits.nodes = Some(USUAL_NODES);
        }
        let mut budget = limits.begin();
        let mut supplied = position.evaluators().into_iter().next().map(Defined::against_others);
        let evaluator = match (&mut self.evaluator, &mut supplied) {
            (Some(evaluator), _) => Some(&mut **evaluator),
            (None, Some(supplied)) => Some(supplied as &mut dyn Evaluator),
            (None, None) => None,
        };
        let mut root = position.duplicate();
        root.forget();
        let mut tree = Tree { nodes: vec![Node::new(who, choices, &*root)], generator: &mut self.generator, evaluator };
        while tree.nodes[0].certain.is_none() && budget.spend(1) {
            tree.simulate(&mut *root.duplicate())?;
        }
        let best = tree.best(0);
        let edge = &tree.nodes[0].edges[best];
        Ok(Thought {
            choice: edge.choice.clone(),
            value: tree.edge_value(edge, seat),
            line: tree.line(&mut *root),
            nodes: budget.nodes,
        })
    }
}

struct Tree<'a> {
    /// The first is the root.
    nodes: Vec<Node>,
    generator: &'a mut Generator,
    evaluator: Option<&'a mut (dyn Evaluator + 'static)>,
}

/// A position in the tree, and what may be chosen there.
struct Node {
    who: Who,
    edges: Vec<Edge>,
    /// Edges tried at least once stand before the others.
    n_tried: usize,
    visits: u32,
    /// The value for each seat, where it is known for certain.
    certain: Option<Values>,
}

struct Edge {
    choice: Choice,
    weight: u32,
    /// The node it leads to, once it was tried.
    child: Option<u32>,
    visits: u32,
    /// Of the values to the one who chooses here.
    sum: f64,
}

/// By seat; seats beyond the end have 0.
type Values = Vec<f64>;

impl Node {
    fn new(who: Who, choices: Vec<Choice>, position: &dyn Position) -> Self {
        let edge = |choice: Choice| {
            let weight = if who == Who::Nature { position.weight(&choice) } else { 1 };
            Edge { choice, weight, child: None, visits: 0, sum: 0.0 }
        };
        Node { who, edges: choices.into_iter().map(edge).collect(), n_tried: 0, visits: 0, certain: None }
    }
}

impl Tree<'_> {
    /// One match: down the tree, one node further, at random to the end, and back up.
    fn simulate(&mut self, position: &mut dyn Position) -> Result<(), Refusal> {
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        let values = loop {
            if let Some(certain) = &self.nodes[at].certain {
                break certain.clone();
            }
            let edge = self.pick(at, position);
            path.push((at, edge));
            let (who, choice) = (self.nodes[at].who, self.nodes[at].edges[edge].choice.clone());
            position.play(who, &choice)?;
            if let Some(child) = self.nodes[at].edges[edge].child {
                at = child as usize;
                continue;
            }
            let child = self.grow(position)?;
            self.nodes[at].edges[edge].child = Some(child as u32);
            break match &self.nodes[child].certain {
                Some(certain) => certain.clone(),
                None => {
                    self.nodes[child].visits += 1;
                    self.play_out(position)
                }
            };
        };
        for &(node, edge) in path.iter().rev() {
            let who = self.nodes[node].who;
            let edge = &mut self.nodes[node].edges[edge];
            edge.visits += 1;
            if let Who::Seat(seat) = who {
                edge.sum += of(&values, seat);
            }
            self.nodes[node].visits += 1;
            if self.nodes[node].certain.is_none() {
                self.nodes[node].certain = self.certainty(node);
            }
        }
        Ok(())
    }

    fn grow(&mut self, position: &mut dyn Position) -> Result<usize, Refusal> {
        let decision = position.decision();
        let node = match (&decision, decision.open_to().first()) {
            (Decision::Over(outcome), _) => Node {
                certain: Some(
                    (0..outcome.ranks.len()).map(|seat| outcome_value(outcome, SeatId(seat as u8))).collect(),
                ),
                ..Node::new(Who::Nature, Vec::new(), position)
            },
            (_, Some(&who)) => Node::new(who, choices(position, who)?, position),
            (_, None) => Node { certain: Some(Vec::new()), ..Node::new(Who::Nature, Vec::new(), position) },
        };
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    /// Which edge to follow: each once, then the most promising. Chance draws.
    fn pick(&mut self, at: usize, position: &dyn Position) -> usize {
        let node = &mut self.nodes[at];
        let Who::Seat(seat) = node.who else {
            let choices: Vec<Choice> = node.edges.iter().map(|edge| edge.choice.clone()).collect();
            return draw(position, Who::Nature, &choices, self.generator);
        };
        if node.n_tried < node.edges.len() {
            let left = (node.edges.len() - node.n_tried) as u64;
            let drawn = node.n_tried + self.generator.below(left) as usize;
            node.edges.swap(node.n_tried, drawn);
            node.n_tried += 1;
            return node.n_tried - 1;
        }
        let node = &self.nodes[at];
        let explore = CURIOSITY * f64::from(node.visits.max(1)).ln().sqrt();
        let mut best = (0, f64::NEG_INFINITY);
        for (idx, edge) in node.edges.iter().enumerate() {
            let score = match self.edge_certain(edge, seat) {
                // Nothing more is learned there.
                Some(value) if value <= -1.0 => -1e9,
                Some(value) => value + explore / f64::from(edge.visits.max(1)).sqrt(),
                None => edge.sum / f64::from(edge.visits) + explore / f64::from(edge.visits).sqrt(),
            };
            if score > best.1 {
                best = (idx, score);
            }
        }
        best.0
    }

    /// What follows from the children for certain: a win that can be chosen, or the best of all when all are known.
    fn certainty(&self, at: usize) -> Option<Values> {
        let node = &self.nodes[at];
        let certain = |edge: &Edge| edge.child.and_then(|child| self.nodes[child as usize].certain.as_ref());
        match node.who {
            Who::Seat(seat) => {
                let mut best: Option<&Values> = None;
                let mut all = true;
                for edge in &node.edges {
                    match certain(edge) {
                        Some(values) if of(values, seat) >= 1.0 => return Some(values.clone()),
                        Some(values) if best.is_none_or(|best| of(values, seat) > of(best, seat)) => {
                            best = Some(values)
                        }
                        Some(_) => {}
                        None => all = false,
                    }
                }
                best.filter(|_| all).cloned()
            }
            Who::Nature => {
                let mut sums: Values = Vec::new();
                let mut total = 0.0;
                for edge in node.edges.iter().filter(|edge| edge.weight > 0) {
                    let values = certain(edge)?;
                    sums.resize(sums.len().max(values.len()), 0.0);
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum += f64::from(edge.weight) * value;
                    }
                    total += f64::from(edge.weight);
                }
                (total > 0.0).then(|| sums.into_iter().map(|sum| sum / total).collect())
            }
        }
    }

    /// At random to the end. A fault of the rules ends it as a draw.
    fn play_out(&mut self, position: &mut dyn Position) -> Values {
        let played = position.playout(self.generator, LONGEST);
        match (position.decision(), &mut self.evaluator) {
            (Decision::Over(outcome), _) => {
                (0..outcome.ranks.len()).map(|seat| outcome_value(&outcome, SeatId(seat as u8))).collect()
            }
            (_, Some(evaluator)) if played.is_ok() => {
                (0..MOST_SEATS).map(|seat| evaluator.rate(position, SeatId(seat))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn edge_certain(&self, edge: &Edge, seat: SeatId) -> Option<f64> {
        let child = &self.nodes[edge.child? as usize];
        child.certain.as_ref().map(|values| of(values, seat))
    }

    fn edge_value(&self, edge: &Edge, seat: SeatId) -> Option<f64> {
        let mean = (edge.visits > 0).then(|| edge.sum / f64::from(edge.visits));
        self.edge_certain(edge, seat).or(mean)
    }

    /// A certain win, or else what was tried most and is not lost for certain.
    fn best(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let Who::Seat(seat) = node.who else { return 0 };
        // Where everything is certain, visits say nothing.
        let settled = node.certain.is_some();
        let rank = |edge: &Edge| match self.edge_certain(edge, seat) {
            Some(value) if value >= 1.0 => (3, 1.0, edge.visits),
            Some(value) if settled => (1, value, edge.visits),
            Some(value) if value <= -1.0 => (0, value, edge.visits),
            _ => (1, 0.0, edge.visits),
        };
        let mut best = 0;
        for idx in 1..node.edges.len() {
            let (this, that) = (rank(&node.edges[idx]), rank(&node.edges[best]));
            // Equals go by their choice, because the tree holds them in the order in which they were tried.
            let earlier = node.edges[idx].choice < node.edges[best].choice;
            if this > that || (this == that && earlier) {
                best = idx;
            }
        }
        best
    }

    fn line(&self, position: &mut dyn Position) -> Vec<String> {
        let mut line = Vec::new();
        let mut at = 0;
        while line.len() < LONGEST_LINE && self.nodes[at].who != Who::Nature && !self.nodes[at].edges.is_empty() {
            let edge = &self.nodes[at].edges[self.best(at)];
            if edge.visits == 0 && at != 0 {
                break;
            }
            line.push(position.words(self.nodes[at].who, &edge.choice));
            let Some(child) = edge.child else { break };
            if position.play(self.nodes[at].who, &edge.choice).is_err() {
                break;
            }
            at = child as usize;
        }
        line
    }
}

/// Nobody sits at a table with more.
const MOST_SEATS: u8 = 16;

fn of(values: &Values, seat: SeatId) -> f64 {
    values.get(usize::from(seat.0)).copied().unwrap_or(0.0)
}
