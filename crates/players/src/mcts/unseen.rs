//! The search where something is hidden: one tree for all that the seat cannot tell apart.
//!
//! Information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012). Each match is played out from another
//! guess, but what is learned is kept by what the seat would see: searching each guess by itself with everything face up
//! would plan with knowledge that the seat will not have.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use houserules_kernel::{Choice, Generator, Position, Refusal, SeatId, Viewer, Who};

use super::tree::{Hands, Tally, of, play_out};
use crate::player::{choices, draw};

/// How much what was seldom tried is preferred.
const CURIOSITY: f64 = 0.7;

pub(super) struct Unseen {
    seat: SeatId,
    nodes: Vec<Node>,
}

#[derive(Default)]
struct Node {
    edges: BTreeMap<Choice, Edge>,
    /// By what the seat sees after a choice; so answers it may not know lead to the same node.
    children: BTreeMap<u64, usize>,
}

#[derive(Default)]
struct Edge {
    visits: u32,
    /// How often it could be chosen: not in every guess it can.
    offered: u32,
    /// Of the values to the one who chooses.
    sum: f64,
}

impl Unseen {
    pub fn new(seat: SeatId) -> Self {
        Unseen { seat, nodes: vec![Node::default()] }
    }

    /// One match from a guess: down the tree, one node further, at random to the end, and back up.
    pub fn simulate(&mut self, world: &mut dyn Position, hands: &mut Hands) -> Result<(), Refusal> {
        let mut path: Vec<(usize, Who, Choice)> = Vec::new();
        let mut at = 0;
        hands.plies = 0;
        while let Some(&who) = world.decision().open_to().first() {
            let choices = choices(world, who)?;
            let (choice, fresh) = match who {
                Who::Nature => (choices[draw(world, who, &choices, hands.generator)].clone(), false),
                Who::Seat(_) => self.pick(at, choices, hands.generator),
            };
            world.play(who, &choice)?;
            path.push((at, who, choice));
            let seen = self.seen(world);
            let next = self.nodes.len();
            let child = *self.nodes[at].children.entry(seen).or_insert(next);
            if child == next {
                self.nodes.push(Node::default());
            }
            at = child;
            if fresh || child == next {
                break;
            }
        }
        let values = play_out(world, hands);
        for (node, who, choice) in path {
            if let (Who::Seat(seat), Some(edge)) = (who, self.nodes[node].edges.get_mut(&choice)) {
                edge.visits += 1;
                edge.sum += of(&values, seat);
            }
        }
        Ok(())
    }

    /// Any that was not tried yet, or else the most promising; and whether it was not tried.
    fn pick(&mut self, at: usize, choices: Vec<Choice>, generator: &mut Generator) -> (Choice, bool) {
        let node = &mut self.nodes[at];
        for choice in &choices {
            node.edges.entry(choice.clone()).or_default().offered += 1;
        }
        let untried: Vec<&Choice> = choices.iter().filter(|choice| node.edges[choice].visits == 0).collect();
        if !untried.is_empty() {
            return (untried[generator.below(untried.len() as u64) as usize].clone(), true);
        }
        let score = |choice: &Choice| {
            let edge = &node.edges[choice];
            let visits = f64::from(edge.visits);
            edge.sum / visits + CURIOSITY * (f64::from(edge.offered).ln() / visits).sqrt()
        };
        let best = choices
            .iter()
            .map(|choice| (choice, score(choice)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        (best.map(|(choice, _)| choice.clone()).unwrap_or_default(), false)
    }

    fn seen(&self, world: &mut dyn Position) -> u64 {
        let viewer = Viewer::Seat(self.seat);
        let mut hasher = DefaultHasher::new();
        world.view(viewer).hash(&mut hasher);
        world.said(viewer).hash(&mut hasher);
        world.decision().open_to().hash(&mut hasher);
        hasher.finish()
    }

    /// What is known of each choice at the root.
    pub fn tallies(&self) -> BTreeMap<Choice, Tally> {
        let tally = |edge: &Edge| Tally { visits: edge.visits.into(), sum: edge.sum, certain: None };
        self.nodes[0].edges.iter().map(|(choice, edge)| (choice.clone(), tally(edge))).collect()
    }
}
