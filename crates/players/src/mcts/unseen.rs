//! The search where something is hidden: what is learned is kept by what whoever chooses can see.
//!
//! Information set Monte Carlo tree search with several observers (Cowling, Powley and Whitehouse, 2012). Each match is
//! played out from another guess, but everybody chooses by what he himself would know: searching each guess by itself with
//! everything face up would plan with knowledge that nobody has, and others who saw what the seat wrote down in secret
//! would have an answer to everything.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use houserules_kernel::{Choice, Generator, Position, Refusal, SeatId, Viewer, Who};

use super::tree::{Hands, Tally, of, play_out};
use crate::player::{choices, draw};

/// How much what was seldom tried is preferred.
const CURIOSITY: f64 = 0.7;

pub(super) struct Unseen {
    seat: SeatId,
    /// By who chooses, what he sees and what he has chosen since the root.
    nodes: BTreeMap<u64, Node>,
}

/// The root has no name: there it is the seat that chooses, whoever else is asked at the same time.
const ROOT: u64 = 0;

#[derive(Default)]
struct Node {
    edges: BTreeMap<Choice, Edge>,
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
        Unseen { seat, nodes: BTreeMap::new() }
    }

    /// One match from a guess: down the tree, one node further, at random to the end, and back up.
    pub fn simulate(&mut self, world: &mut dyn Position, hands: &mut Hands) -> Result<(), Refusal> {
        let mut path: Vec<(u64, SeatId, Choice)> = Vec::new();
        hands.plies = 0;
        let mut next = Some(Who::Seat(self.seat));
        while let Some(who) = next {
            let choices = choices(world, who)?;
            let (choice, fresh) = match who {
                Who::Nature => (choices[draw(world, who, &choices, hands.generator)].clone(), false),
                Who::Seat(seat) => {
                    let node = if path.is_empty() { ROOT } else { known(world, seat, &path) };
                    let (choice, fresh) = self.pick(node, choices, hands.generator);
                    path.push((node, seat, choice.clone()));
                    (choice, fresh)
                }
            };
            world.play(who, &choice)?;
            if fresh {
                break;
            }
            next = world.decision().open_to().first().copied();
        }
        let values = play_out(world, hands);
        for (node, seat, choice) in path {
            if let Some(edge) = self.nodes.get_mut(&node).and_then(|node| node.edges.get_mut(&choice)) {
                edge.visits += 1;
                edge.sum += of(&values, seat);
            }
        }
        Ok(())
    }

    /// Any that was not tried yet, or else the most promising; and whether it was not tried.
    fn pick(&mut self, at: u64, choices: Vec<Choice>, generator: &mut Generator) -> (Choice, bool) {
        let node = self.nodes.entry(at).or_default();
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

    /// What is known of each choice at the root.
    pub fn tallies(&self) -> BTreeMap<Choice, Tally> {
        let tally = |edge: &Edge| Tally { visits: edge.visits.into(), sum: edge.sum, certain: None };
        let root = self.nodes.get(&ROOT).into_iter().flat_map(|root| &root.edges);
        root.map(|(choice, edge)| (choice.clone(), tally(edge))).collect()
    }
}

/// What a seat knows when it is to choose; never that of the root.
fn known(world: &mut dyn Position, seat: SeatId, path: &[(u64, SeatId, Choice)]) -> u64 {
    let viewer = Viewer::Seat(seat);
    let mut hasher = DefaultHasher::new();
    (seat, path.len()).hash(&mut hasher);
    path.iter().filter(|(_, by, _)| *by == seat).for_each(|(_, _, choice)| choice.hash(&mut hasher));
    world.view(viewer).hash(&mut hasher);
    world.said(viewer).hash(&mut hasher);
    world.decision().open_to().hash(&mut hasher);
    hasher.finish() | 1
}
