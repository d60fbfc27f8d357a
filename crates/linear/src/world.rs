//! A state of play, in the net where it is known there, and otherwise as a running program.

use crate::fault::Fault;
use crate::matching::{Instance, consumed, produced};
use crate::net::Net;
use crate::program::StageId;
use crate::run::{Next, Running};
use crate::state::NetState;
use crate::store::AtomId;

#[derive(Clone)]
pub enum World {
    Net(NetState),
    Open(Box<Running>),
}

/// Something that can happen; what comes to the same is one.
#[derive(Clone, Debug)]
pub enum Way {
    Effect(usize),
    /// The instances with their weights; each has the same effect.
    Instances(Vec<(Instance, u64)>),
}

/// What has happened, so that it can be taken back.
pub enum Fired {
    Effect(usize, StageId),
    /// The state before.
    Whole(World),
}

impl World {
    pub fn stage(&self) -> StageId {
        match self {
            World::Net(state) => state.stage,
            World::Open(running) => running.stage,
        }
    }

    pub fn hash(&self, net: Option<&Net>) -> u64 {
        let facts = match (self, net) {
            (World::Net(state), Some(net)) => state.hash(net),
            (World::Open(running), _) => running.facts.hash(),
            (World::Net(_), None) => unreachable!("a state of the net comes with its net"),
        };
        crate::store::mix(facts ^ crate::store::mix(self.stage() as u64))
    }

    pub fn next(&mut self, net: Option<&Net>) -> Result<Next, Fault> {
        match (self, net) {
            (World::Net(state), Some(net)) => {
                let (own, links) = &net.of_stage[state.stage];
                if own.clone().any(|group| state.n_alive(group) > 0) {
                    let interactive = net.program.stages[state.stage].interactive;
                    return Ok(if interactive { Next::Choice } else { Next::Chance });
                }
                Ok(if state.n_alive(*links) > 0 { Next::Link } else { Next::Nothing })
            }
            (World::Open(running), _) => running.whats_next(),
            (World::Net(_), None) => unreachable!("a state of the net comes with its net"),
        }
    }

    /// What can happen, in an order that follows from the state alone.
    pub fn ways(&mut self, net: Option<&Net>, next: Next) -> Result<Vec<Way>, Fault> {
        match (self, net) {
            (World::Net(state), Some(net)) => {
                let (own, links) = net.of_stage[state.stage].clone();
                let groups = match next {
                    Next::Nothing => 0..0,
                    Next::Link => links..links + 1,
                    Next::Choice | Next::Chance => own,
                };
                Ok(groups.flat_map(|group| state.alive(net, group)).map(Way::Effect).collect())
            }
            (World::Open(running), _) => {
                let mut ways: Vec<(Key, Vec<(Instance, u64)>)> = Vec::new();
                for (instance, weight) in running.options(next)? {
                    let key = key(running, &instance)?;
                    match ways.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, same)) => same.push((instance, weight)),
                        None => ways.push((key, vec![(instance, weight)])),
                    }
                }
                // In the order of what is said about them, because ages are history.
                let order = |instance: &Instance| crate::words::order(&running.program, &running.store, instance);
                ways.iter_mut().for_each(|(_, same)| same.sort_by_cached_key(|(instance, _)| order(instance)));
                ways.sort_by_cached_key(|(_, same)| order(&same[0].0));
                Ok(ways.into_iter().map(|(_, same)| Way::Instances(same)).collect())
            }
            (World::Net(_), None) => unreachable!("a state of the net comes with its net"),
        }
    }

    pub fn weight(&self, net: Option<&Net>, way: &Way) -> u64 {
        match (self, way, net) {
            (World::Net(state), Way::Effect(effect), Some(net)) => state.weight(net, *effect),
            (_, Way::Instances(same), _) => same.iter().fold(0, |sum, (_, weight)| sum.saturating_add(*weight)),
            _ => 0,
        }
    }

    /// Lets it happen; a state that the net does not know goes on as a running program.
    pub fn fire(&mut self, net: Option<&Net>, outside: &Running, way: &Way) -> Result<Fired, Fault> {
        match (&mut *self, way, net) {
            (World::Net(state), Way::Effect(effect), Some(net)) if !net.effects[*effect].leaves => {
                Ok(Fired::Effect(*effect, state.fire(net, *effect)))
            }
            (World::Net(state), Way::Effect(effect), Some(net)) => {
                let atoms: Vec<_> = state.atoms().map(|(atom, count)| (net.store.atom(atom).clone(), count)).collect();
                let mut running = outside.clone();
                running.store = net.store.clone();
                let mut running = running.with_facts(state.stage, &atoms);
                running.fire(net.spoken(*effect))?;
                let before = std::mem::replace(self, World::Open(Box::new(running)));
                Ok(Fired::Whole(before))
            }
            (World::Open(running), Way::Instances(same), _) => {
                let mut after = running.clone();
                after.fire(&same[0].0)?;
                let before = std::mem::replace(self, World::Open(after));
                Ok(Fired::Whole(before))
            }
            _ => Err(Fault("What was chosen belongs to another state.".into())),
        }
    }

    pub fn take_back(&mut self, net: Option<&Net>, fired: Fired) {
        match (&mut *self, fired, net) {
            (World::Net(state), Fired::Effect(effect, stage), Some(net)) => state.take_back(net, effect, stage),
            (_, Fired::Whole(before), _) => *self = before,
            _ => unreachable!("what is taken back was the last thing to happen"),
        }
    }

    /// The atoms that are there, by the numbers of this world's store.
    pub fn atoms(&self) -> Vec<(AtomId, u32)> {
        match self {
            World::Net(state) => state.atoms().collect(),
            World::Open(running) => {
                let mut atoms = running.facts.newest_first();
                atoms.sort_unstable();
                atoms
            }
        }
    }
}

type Key = (Vec<(AtomId, i64)>, Option<StageId>);

/// Equal where the same comes of it.
fn key(running: &mut Running, instance: &Instance) -> Result<Key, Fault> {
    let program = running.program.clone();
    let mut deltas: Vec<(AtomId, i64)> = Vec::new();
    let mut change = |atom: AtomId, by: i64| match deltas.iter_mut().find(|(known, _)| *known == atom) {
        Some((_, sum)) => *sum += by,
        None => deltas.push((atom, by)),
    };
    for (atom, n) in consumed(&program, &running.store, instance) {
        change(atom, -i64::from(n));
    }
    produced(&program, &mut running.store, instance)?.iter().for_each(|&atom| change(atom, 1));
    deltas.retain(|(_, by)| *by != 0);
    deltas.sort_unstable();
    Ok((deltas, program.rules[instance.rule].next))
}
