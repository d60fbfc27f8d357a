//! The instances of some rules that the state allows, kept up to date by what has changed.

use smallvec::SmallVec;

use crate::fault::Fault;
use crate::matching::{Instance, Matcher};
use crate::program::{Goal, Premise, Program, RuleId};
use crate::prove::Prover;
use crate::store::{AtomId, Map};

#[derive(Clone)]
pub struct Agenda {
    rules: Vec<RuleId>,
    /// Per predicate: the premises that a fact of it may stand for, by rule.
    wanted: Vec<Vec<(RuleId, usize)>>,
    /// Per predicate: the rules that look at facts of it in backward proofs, and are gone through as a whole.
    watched: Vec<Vec<RuleId>>,
    slots: Vec<Option<Entry>>,
    free: Vec<usize>,
    /// The slots that are taken, in no particular order, so that a random one is a single draw.
    live: Vec<usize>,
    known: Map<Instance, usize>,
    /// The entries that rest on an atom; some may be gone, and then the stamp is another one.
    by_atom: Map<AtomId, Vec<(usize, u64)>>,
    total: u64,
    heaviest: u64,
    stamp: u64,
    fresh: bool,
}

#[derive(Clone)]
struct Entry {
    instance: Instance,
    weight: u64,
    stamp: u64,
    /// Where it stands among the live ones.
    at: usize,
}

impl Agenda {
    pub fn new(program: &Program, prover: &Prover, rules: &[RuleId]) -> Self {
        let mut wanted = vec![Vec::new(); program.preds.len()];
        let mut watched = vec![Vec::new(); program.preds.len()];
        for &rule in rules {
            for (at, premise) in program.rules[rule].premises.iter().enumerate() {
                match premise {
                    Premise::Fact { pred, .. } => wanted[*pred].push((rule, at)),
                    Premise::Goal(Goal::Holds(pred, _)) if prover.looks(*pred) => {
                        for seen in reached(program, *pred) {
                            if !watched[seen].contains(&rule) {
                                watched[seen].push(rule);
                            }
                        }
                    }
                    Premise::Goal(_) => {}
                }
            }
        }
        Agenda {
            rules: rules.to_vec(),
            wanted,
            watched,
            slots: Vec::new(),
            free: Vec::new(),
            live: Vec::new(),
            known: Map::default(),
            by_atom: Map::default(),
            total: 0,
            heaviest: 1,
            stamp: 0,
            fresh: false,
        }
    }

    pub fn len(&self) -> usize {
        self.live.len()
    }

    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    fn entry(&self, at: usize) -> Option<&Entry> {
        self.slots[self.live[at]].as_ref()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Instance, u64)> {
        (0..self.live.len()).filter_map(|at| self.entry(at)).map(|entry| (&entry.instance, entry.weight))
    }

    /// One of them, each as likely as its weight says. Where all weigh the same it costs one draw.
    pub fn drawn(&self, below: &mut dyn FnMut(u64) -> u64) -> Option<&Instance> {
        if self.is_empty() {
            return None;
        }
        for _ in 0..32 {
            let entry = self.entry(below(self.len() as u64) as usize)?;
            if entry.weight == self.heaviest || below(self.heaviest) < entry.weight {
                return Some(&entry.instance);
            }
        }
        let mut at = below(self.total.max(1));
        for (instance, weight) in self.iter() {
            if at < weight {
                return Some(instance);
            }
            at -= weight;
        }
        self.iter().last().map(|(instance, _)| instance)
    }

    /// Brings it up to date, after these atoms have come or gone.
    pub fn update(&mut self, matcher: &mut Matcher, changed: &[AtomId], most: usize) -> Result<(), Fault> {
        let much = changed.len() > 64 + 4 * matcher.facts.n_atoms();
        if !self.fresh || much {
            self.clear();
            self.fresh = true;
            for at in 0..self.rules.len() {
                self.gather(matcher, self.rules[at], None, most)?;
            }
            return Ok(());
        }
        let mut again: SmallVec<[RuleId; 4]> = SmallVec::new();
        for &atom in changed {
            for (slot, stamp) in self.by_atom.remove(&atom).unwrap_or_default() {
                if self.is_live(slot, stamp) {
                    self.remove(slot);
                }
            }
            for &rule in &self.watched[matcher.store.atom(atom).pred] {
                if !again.contains(&rule) {
                    again.push(rule);
                }
            }
        }
        for &atom in changed {
            if matcher.facts.count(atom) == 0 {
                continue;
            }
            let pred = matcher.store.atom(atom).pred;
            for at in 0..self.wanted[pred].len() {
                let (rule, premise) = self.wanted[pred][at];
                if !again.contains(&rule) {
                    self.gather(matcher, rule, Some((premise, atom)), most)?;
                }
            }
        }
        for rule in again {
            let is_own = |slot: &usize| self.slots[*slot].as_ref().is_some_and(|entry| entry.instance.rule == rule);
            for slot in self.live.iter().copied().filter(is_own).collect::<Vec<usize>>() {
                self.remove(slot);
            }
            self.gather(matcher, rule, None, most)?;
        }
        Ok(())
    }

    fn gather(
        &mut self,
        matcher: &mut Matcher,
        rule: RuleId,
        seed: Option<(usize, AtomId)>,
        most: usize,
    ) -> Result<(), Fault> {
        let mut found = Vec::new();
        let room = most.saturating_sub(self.len());
        let name = &matcher.program.rules[rule].name;
        matcher.search(rule, seed, &mut |instance| {
            found.push(instance);
            if found.len() > room {
                return Err(Fault(format!("The rule `{name}` can fire in more than {most} ways at once.")));
            }
            Ok(())
        })?;
        for instance in found {
            let weight = matcher.weight(&instance);
            self.insert(instance, weight);
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.free.clear();
        self.live.clear();
        self.known.clear();
        self.by_atom.clear();
        (self.total, self.heaviest) = (0, 1);
    }

    fn is_live(&self, slot: usize, stamp: u64) -> bool {
        self.slots[slot].as_ref().is_some_and(|entry| entry.stamp == stamp)
    }

    fn insert(&mut self, instance: Instance, weight: u64) {
        if self.known.contains_key(&instance) {
            return;
        }
        self.stamp += 1;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        for &atom in instance.atoms.iter().chain(&instance.used) {
            let mut held = self.by_atom.remove(&atom).unwrap_or_default();
            // An atom that stays for long would gather all entries there ever were.
            if held.len() >= 64 && held.len().is_power_of_two() {
                held.retain(|&(slot, stamp)| self.is_live(slot, stamp));
            }
            if held.last() != Some(&(slot, self.stamp)) {
                held.push((slot, self.stamp));
            }
            self.by_atom.insert(atom, held);
        }
        self.known.insert(instance.clone(), slot);
        self.total = self.total.saturating_add(weight);
        self.heaviest = self.heaviest.max(weight);
        self.slots[slot] = Some(Entry { instance, weight, stamp: self.stamp, at: self.live.len() });
        self.live.push(slot);
    }

    fn remove(&mut self, slot: usize) {
        let Some(entry) = self.slots[slot].take() else { return };
        self.known.remove(&entry.instance);
        self.total = self.total.saturating_sub(entry.weight);
        self.live.swap_remove(entry.at);
        if let Some(&moved) = self.live.get(entry.at)
            && let Some(moved) = &mut self.slots[moved]
        {
            moved.at = entry.at;
        }
        self.free.push(slot);
        if self.live.is_empty() {
            (self.total, self.heaviest) = (0, 1);
        }
    }
}

/// The predicates of the state that proofs of this one look at.
fn reached(program: &Program, pred: usize) -> Vec<usize> {
    let mut seen = vec![false; program.preds.len()];
    let mut open = vec![pred];
    while let Some(next) = open.pop() {
        if std::mem::replace(&mut seen[next], true) {
            continue;
        }
        for clause in program.clauses.iter().filter(|clause| clause.head.0 == next) {
            open.extend(clause.goals.iter().filter_map(|goal| match goal {
                Goal::Holds(pred, _) => Some(*pred),
                _ => None,
            }));
        }
    }
    (0..seen.len()).filter(|&pred| seen[pred] && !program.preds[pred].backward).collect()
}
