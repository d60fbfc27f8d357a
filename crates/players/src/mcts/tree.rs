//! The tree of a search, and how one match more makes it grow.

use std::collections::BTreeMap;

use houserules_kernel::{Choice, Decision, Generator, Position, Refusal, SeatId, Who};
use smallvec::SmallVec;

use crate::evaluator::{Evaluator, outcome_value};
use crate::player::{choices, first_asked};

/// How much what was seldom tried is preferred. Values lie between −1 and 1.
const CURIOSITY: f64 = 1.0;
/// A match played out is cut after so many actions, and rated by the evaluator or as a draw.
const LONGEST: u64 = 2_000;
/// The average value from which on it no longer matters much what is chosen: 98 won of 100.
const AS_GOOD_AS_WON: f64 = 0.96;
/// Long lines say nothing to anybody.
const LONGEST_LINE: usize = 12;
/// A tree with so many choices in it grows no further; matches are then played out from its leaves. About 150 MB.
const MOST_EDGES: usize = 2_000_000;
/// A position is looked for in the tree of the last choice no further than this.
const MOST_SEARCHED: usize = 20_000;
/// A node that is passed so often keeps its position, so that matches begin there and not at the root again: playing a
/// choice finds out what can be chosen next, and costs many times what copying does.
const KEEP_FROM: u32 = 12;
/// So many nodes do. Positions on large boards take tens of kilobytes.
const MOST_KEPT: usize = 1_000;

pub(super) struct Tree {
    /// The first is the root, and keeps its position.
    nodes: Vec<Node>,
    n_edges: usize,
    n_kept: usize,
    /// From the root down in the match that is played out; kept for its memory.
    path: Vec<(usize, usize)>,
}

/// A position in the tree, and what may be chosen there.
struct Node {
    /// The fingerprint of the position.
    key: u64,
    who: Who,
    /// Listed when the node is reached a second time: most never are, and listing is dear.
    edges: Option<Vec<Edge>>,
    /// Edges tried at least once stand before the others.
    n_tried: usize,
    visits: u32,
    /// The value for each seat, where it is known for certain.
    certain: Option<Values>,
    /// Where many matches pass.
    position: Option<Box<dyn Position>>,
}

struct Edge {
    choice: Choice,
    weight: u32,
    visits: u32,
    /// The node it leads to, once it was tried.
    child: Option<u32>,
    /// Whether that node is certain, so that others need not be looked at for it.
    certain: bool,
    /// Of the values to the one who chooses here.
    sum: f64,
}

/// By seat; seats beyond the end have 0.
pub(super) type Values = SmallVec<[f64; 4]>;

/// What a tree says of one choice at its root.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub visits: u64,
    pub sum: f64,
    pub certain: Option<f64>,
}

impl Tally {
    pub fn value(&self) -> Option<f64> {
        self.certain.or((self.visits > 0).then(|| self.sum / self.visits as f64))
    }

    /// How far the value may well be off.
    pub fn doubt(&self) -> f64 {
        1.0 / (self.visits.max(1) as f64).sqrt()
    }
}

/// Whoever draws and rates while a tree grows.
pub(super) struct Hands<'a> {
    pub generator: &'a mut Generator,
    pub evaluator: Option<&'a mut dyn Evaluator>,
    /// Plies in the match last played out.
    pub plies: u64,
}

impl Tree {
    pub fn new(position: &dyn Position, who: Who, choices: Vec<Choice>) -> Self {
        let n_edges = choices.len();
        let mut root = Node::new(position.fingerprint().0, who);
        root.edges = Some(edges(position, who, choices));
        root.position = Some(position.duplicate());
        Tree { nodes: vec![root], n_edges, n_kept: 1, path: Vec::new() }
    }

    /// The part of the tree below this position, if it was reached in the search for an earlier choice.
    pub fn below(mut self, position: &dyn Position, who: Who, choices: &[Choice]) -> Option<Tree> {
        let at = self.find(position.fingerprint().0, who)?;
        let edges = self.nodes[at].edges.as_ref()?;
        let mut known: Vec<&Choice> = edges.iter().map(|edge| &edge.choice).collect();
        let mut asked: Vec<&Choice> = choices.iter().collect();
        known.sort();
        asked.sort();
        if known != asked {
            return None;
        }
        self.nodes[at].position = Some(position.duplicate());
        let mut kept = Tree { nodes: Vec::new(), n_edges: 0, n_kept: 0, path: self.path };
        let mut queue = std::collections::VecDeque::from([at]);
        let mut n_queued = 1;
        while let Some(old) = queue.pop_front() {
            let mut node = std::mem::replace(&mut self.nodes[old], Node::new(0, Who::Nature));
            for edge in node.edges.iter_mut().flatten() {
                kept.n_edges += 1;
                if let Some(child) = &mut edge.child {
                    queue.push_back(*child as usize);
                    *child = n_queued;
                    n_queued += 1;
                }
            }
            kept.n_kept += usize::from(node.position.is_some());
            kept.nodes.push(node);
        }
        Some(kept)
    }

    fn find(&self, key: u64, who: Who) -> Option<usize> {
        let mut queue = std::collections::VecDeque::from([0_usize]);
        let mut searched = 0;
        while let Some(at) = queue.pop_front() {
            let node = &self.nodes[at];
            if node.key == key && node.who == who {
                return Some(at);
            }
            searched += 1;
            if searched > MOST_SEARCHED {
                return None;
            }
            queue.extend(node.edges.iter().flatten().filter_map(|edge| edge.child.map(|child| child as usize)));
        }
        None
    }

    pub fn is_certain(&self) -> bool {
        self.nodes[0].certain.is_some()
    }

    /// Whether hardly any of the matches played out was not won by the one who chooses at the root, those after its worst
    /// choices included.
    pub fn as_good_as_won(&self) -> bool {
        let root = &self.nodes[0];
        let sum: f64 = root.edges().iter().map(|edge| edge.sum).sum();
        sum >= AS_GOOD_AS_WON * f64::from(root.visits.max(1))
    }

    /// One match: down the tree, one node further, at random to the end, and back up. `position` is whatever the last
    /// match has left, and its memory is used again.
    pub fn simulate(&mut self, position: &mut Box<dyn Position>, hands: &mut Hands) -> Result<(), Refusal> {
        hands.plies = 0;
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let values = self.descend(&mut path, position, hands);
        if let Ok(values) = &values {
            self.pass_up(&path, values);
        }
        self.path = path;
        values.map(|_| ())
    }

    /// Down the tree and to the end of the match; the way is written into `path`.
    fn descend(
        &mut self,
        path: &mut Vec<(usize, usize)>,
        position: &mut Box<dyn Position>,
        hands: &mut Hands,
    ) -> Result<Values, Refusal> {
        // What is picked in nodes that are listed follows from the tree alone, so nothing is played yet.
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            if let Some(certain) = &node.certain {
                return Ok(certain.clone());
            }
            if node.edges.is_none() {
                break;
            }
            let edge = self.pick(at, hands.generator);
            path.push((at, edge));
            match self.nodes[at].edges()[edge].child {
                Some(child) => at = child as usize,
                None => return self.try_out(path, position, hands),
            }
        }
        self.play_along(path, position)?;
        if self.n_edges >= MOST_EDGES {
            return Ok(play_out(&mut **position, hands));
        }
        let who = self.nodes[at].who;
        let listed = choices(&mut **position, who)?;
        let listed = edges(&**position, who, listed);
        self.n_edges += listed.len();
        self.nodes[at].edges = Some(listed);
        let edge = self.pick(at, hands.generator);
        position.play(who, &self.nodes[at].edges()[edge].choice)?;
        path.push((at, edge));
        Ok(self.play_on(at, edge, position, hands))
    }

    /// The last edge of the path leads to no node yet.
    fn try_out(
        &mut self,
        path: &[(usize, usize)],
        position: &mut Box<dyn Position>,
        hands: &mut Hands,
    ) -> Result<Values, Refusal> {
        self.play_along(path, position)?;
        let &(at, edge) = path.last().expect("some edge was picked");
        Ok(self.play_on(at, edge, position, hands))
    }

    /// Brings the position to the end of the path, from the last node on it that keeps one.
    fn play_along(&mut self, path: &[(usize, usize)], position: &mut Box<dyn Position>) -> Result<(), Refusal> {
        let from = path.iter().rposition(|&(at, _)| self.nodes[at].position.is_some()).unwrap_or(0);
        let begin = path.get(from).map_or(0, |&(at, _)| at);
        let kept = self.nodes[begin].position.as_ref().expect("the root keeps its position");
        if !position.copy_from(&**kept) {
            *position = kept.duplicate();
        }
        for (nth, &(at, edge)) in path.iter().enumerate().skip(from) {
            if nth > from && self.nodes[at].visits >= KEEP_FROM && self.n_kept < MOST_KEPT {
                position.forget();
                self.nodes[at].position = Some(position.duplicate());
                self.n_kept += 1;
            }
            position.play(self.nodes[at].who, &self.nodes[at].edges()[edge].choice)?;
        }
        Ok(())
    }

    /// A new node at the end of an edge, and the rest of the match from there.
    fn play_on(&mut self, at: usize, edge: usize, position: &mut Box<dyn Position>, hands: &mut Hands) -> Values {
        let child = self.grow(&**position);
        self.nodes[at].edges_mut()[edge].child = Some(child as u32);
        match &self.nodes[child].certain {
            Some(certain) => certain.clone(),
            None => {
                self.nodes[child].visits += 1;
                play_out(&mut **position, hands)
            }
        }
    }

    /// Counts a match on its way back up, and what has become certain by it.
    fn pass_up(&mut self, path: &[(usize, usize)], values: &Values) {
        for &(at, edge) in path.iter().rev() {
            let who = self.nodes[at].who;
            let child = self.nodes[at].edges()[edge].child;
            let child_is_certain = child.is_some_and(|child| self.nodes[child as usize].certain.is_some());
            let edge = &mut self.nodes[at].edges_mut()[edge];
            edge.visits += 1;
            if let Who::Seat(seat) = who {
                edge.sum += of(values, seat);
            }
            // Only what has just become known can make more certain.
            let is_news = child_is_certain && !std::mem::replace(&mut edge.certain, child_is_certain);
            self.nodes[at].visits += 1;
            if is_news && self.nodes[at].certain.is_none() {
                self.nodes[at].certain = self.certainty(at);
                // Nobody passes here any more.
                if self.nodes[at].certain.is_some() && at > 0 && self.nodes[at].position.take().is_some() {
                    self.n_kept -= 1;
                }
            }
        }
    }

    fn grow(&mut self, position: &dyn Position) -> usize {
        let decision = position.decision();
        let key = position.fingerprint().0;
        let node = match (&decision, first_asked(&decision)) {
            (Decision::Over(outcome), _) => {
                let values = (0..outcome.ranks.len()).map(|seat| outcome_value(outcome, SeatId(seat as u8)));
                Node { certain: Some(values.collect()), ..Node::new(key, Who::Nature) }
            }
            (_, Some(who)) => Node::new(key, who),
            (_, None) => Node { certain: Some(Values::new()), ..Node::new(key, Who::Nature) },
        };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Which edge to follow: each once, then the most promising. Chance draws.
    fn pick(&mut self, at: usize, generator: &mut Generator) -> usize {
        let node = &mut self.nodes[at];
        let edges = node.edges.as_mut().expect("listed before anything is picked");
        let Who::Seat(seat) = node.who else {
            let total: u64 = edges.iter().map(|edge| u64::from(edge.weight)).sum();
            let mut drawn = generator.below(total.max(1));
            for (idx, edge) in edges.iter().enumerate() {
                if drawn < u64::from(edge.weight) {
                    return idx;
                }
                drawn -= u64::from(edge.weight);
            }
            return 0;
        };
        if node.n_tried < edges.len() {
            let left = (edges.len() - node.n_tried) as u64;
            let drawn = node.n_tried + generator.below(left) as usize;
            edges.swap(node.n_tried, drawn);
            node.n_tried += 1;
            return node.n_tried - 1;
        }
        let node = &self.nodes[at];
        let explore = CURIOSITY * f64::from(node.visits.max(1)).ln().sqrt();
        let mut best = (0, f64::NEG_INFINITY);
        for (idx, edge) in node.edges().iter().enumerate() {
            let visits = f64::from(edge.visits.max(1));
            let score = match self.edge_certain(edge, seat) {
                // Nothing more is learned there.
                Some(value) if value <= -1.0 => -1e9,
                Some(value) => value + explore / visits.sqrt(),
                None => edge.sum / visits + explore / visits.sqrt(),
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
        let certain = |edge: &Edge| {
            let child = edge.child.filter(|_| edge.certain)?;
            self.nodes[child as usize].certain.as_ref()
        };
        match node.who {
            Who::Seat(seat) => {
                let mut best: Option<&Values> = None;
                let mut all = true;
                for edge in node.edges() {
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
                let mut sums = Values::new();
                let mut total = 0.0;
                for edge in node.edges().iter().filter(|edge| edge.weight > 0) {
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

    fn edge_certain(&self, edge: &Edge, seat: SeatId) -> Option<f64> {
        let child = &self.nodes[edge.child.filter(|_| edge.certain)? as usize];
        child.certain.as_ref().map(|values| of(values, seat))
    }

    /// What is known of each choice at the root.
    pub fn tallies(&self) -> BTreeMap<Choice, Tally> {
        let Who::Seat(seat) = self.nodes[0].who else { return BTreeMap::new() };
        let tally =
            |edge: &Edge| Tally { visits: edge.visits.into(), sum: edge.sum, certain: self.edge_certain(edge, seat) };
        self.nodes[0].edges().iter().map(|edge| (edge.choice.clone(), tally(edge))).collect()
    }

    /// How play is expected to go on after a choice at the root, in words.
    pub fn line(&self, position: &mut dyn Position, first: &Choice) -> Vec<String> {
        let mut line = Vec::new();
        let mut at = 0;
        while line.len() < LONGEST_LINE {
            let node = &self.nodes[at];
            let Some(edges) = node.edges.as_ref().filter(|_| node.who != Who::Nature) else { break };
            let edge = match at {
                0 => edges.iter().find(|edge| edge.choice == *first),
                _ => self.best(node).filter(|edge| edge.visits > 0),
            };
            let Some(edge) = edge else { break };
            line.push(position.words(node.who, &edge.choice));
            let Some(child) = edge.child else { break };
            if position.play(node.who, &edge.choice).is_err() {
                break;
            }
            at = child as usize;
        }
        line
    }

    fn best<'a>(&self, node: &'a Node) -> Option<&'a Edge> {
        let Who::Seat(seat) = node.who else { return None };
        let tally =
            |edge: &Edge| Tally { visits: edge.visits.into(), sum: edge.sum, certain: self.edge_certain(edge, seat) };
        let rated = node.edges().iter().map(|edge| (edge, tally(edge)));
        // Equals go by their choice, because the tree holds them in the order in which they were tried.
        rated
            .max_by(|(one, rated_one), (other, rated_other)| {
                let settled = node.certain.is_some();
                let order = rank(rated_one, settled).partial_cmp(&rank(rated_other, settled));
                order.unwrap_or(std::cmp::Ordering::Equal).then(other.choice.cmp(&one.choice))
            })
            .map(|(edge, _)| edge)
    }
}

/// A certain win comes first, a certain loss last; between them what was tried most.
pub(super) fn rank(tally: &Tally, settled: bool) -> (u8, f64, u64) {
    match tally.certain {
        Some(value) if value >= 1.0 => (3, 1.0, tally.visits),
        // Where everything is certain, visits say nothing.
        Some(value) if settled => (1, value, tally.visits),
        Some(value) if value <= -1.0 => (0, value, tally.visits),
        _ => (1, 0.0, tally.visits),
    }
}

impl Node {
    fn new(key: u64, who: Who) -> Self {
        Node { key, who, edges: None, n_tried: 0, visits: 0, certain: None, position: None }
    }

    fn edges(&self) -> &[Edge] {
        self.edges.as_deref().unwrap_or_default()
    }

    fn edges_mut(&mut self) -> &mut [Edge] {
        self.edges.as_deref_mut().unwrap_or_default()
    }
}

fn edges(position: &dyn Position, who: Who, choices: Vec<Choice>) -> Vec<Edge> {
    let edge = |choice: Choice| {
        let weight = if who == Who::Nature { position.weight(&choice) } else { 1 };
        Edge { choice, weight, visits: 0, child: None, certain: false, sum: 0.0 }
    };
    choices.into_iter().map(edge).collect()
}

/// At random to the end. A fault of the rules ends it as a draw.
pub(super) fn play_out(position: &mut dyn Position, hands: &mut Hands) -> Values {
    let played = position.playout(hands.generator, LONGEST);
    hands.plies = *played.as_ref().unwrap_or(&LONGEST);
    match (position.decision(), &mut hands.evaluator) {
        (Decision::Over(outcome), _) => {
            (0..outcome.ranks.len()).map(|seat| outcome_value(&outcome, SeatId(seat as u8))).collect()
        }
        (_, Some(evaluator)) if played.is_ok() => {
            (0..MOST_SEATS).map(|seat| evaluator.rate(position, SeatId(seat))).collect()
        }
        _ => Values::new(),
    }
}

/// Nobody sits at a table with more.
const MOST_SEATS: u8 = 16;

pub(super) fn of(values: &[f64], seat: SeatId) -> f64 {
    values.get(usize::from(seat.0)).copied().unwrap_or(0.0)
}
