//! The state of play: how often each atom is there, found by predicate and argument.

use indexmap::IndexSet;
use std::collections::VecDeque;
use std::hash::BuildHasherDefault;

use crate::store::{AtomId, Map, Mixer, Store, Term, mix};

type Set = IndexSet<AtomId, BuildHasherDefault<Mixer>>;

/// A multiset of atoms. Equal atoms are counted, and remember only when each came.
#[derive(Clone, Default)]
pub struct Facts {
    /// When each of the equal atoms came, the oldest first.
    ages: Vec<VecDeque<u64>>,
    by_pred: Vec<Set>,
    by_arg: Map<(usize, usize, Term), Set>,
    next_age: u64,
    n_facts: u64,
    sum: u64,
}

impl Facts {
    pub fn new(n_preds: usize) -> Self {
        Facts { by_pred: vec![Set::default(); n_preds], ..Facts::default() }
    }

    pub fn count(&self, atom: AtomId) -> u32 {
        self.ages.get(atom as usize).map_or(0, |ages| ages.len() as u32)
    }

    /// When the oldest of these came.
    pub fn age(&self, atom: AtomId) -> u64 {
        self.ages.get(atom as usize).and_then(|ages| ages.front()).copied().unwrap_or(u64::MAX)
    }

    pub fn n_facts(&self) -> u64 {
        self.n_facts
    }

    /// How many different atoms there are.
    pub fn n_atoms(&self) -> usize {
        self.by_pred.iter().map(Set::len).sum()
    }

    /// Equal for equal multisets, whenever what came.
    pub fn hash(&self) -> u64 {
        self.sum
    }

    pub fn add(&mut self, store: &Store, atom: AtomId) {
        if self.ages.len() <= atom as usize {
            self.ages.resize(atom as usize + 1, VecDeque::new());
        }
        let count = self.ages[atom as usize].len() as u64;
        self.sum = self.sum.wrapping_sub(weigh(store.atom_hash(atom), count));
        self.sum = self.sum.wrapping_add(weigh(store.atom_hash(atom), count + 1));
        self.ages[atom as usize].push_back(self.next_age);
        self.next_age += 1;
        self.n_facts += 1;
        if count == 0 {
            let known = store.atom(atom);
            self.by_pred[known.pred].insert(atom);
            for (at, &arg) in known.args.iter().enumerate() {
                self.by_arg.entry((known.pred, at, arg)).or_default().insert(atom);
            }
        }
    }

    /// The oldest goes first.
    pub fn remove(&mut self, store: &Store, atom: AtomId) {
        let count = u64::from(self.count(atom));
        assert!(count > 0, "only what is there can be used up");
        self.sum = self.sum.wrapping_sub(weigh(store.atom_hash(atom), count));
        self.sum = self.sum.wrapping_add(weigh(store.atom_hash(atom), count - 1));
        self.ages[atom as usize].pop_front();
        self.n_facts -= 1;
        if count == 1 {
            let known = store.atom(atom);
            self.by_pred[known.pred].swap_remove(&atom);
            for (at, &arg) in known.args.iter().enumerate() {
                if let Some(set) = self.by_arg.get_mut(&(known.pred, at, arg)) {
                    set.swap_remove(&atom);
                }
            }
        }
    }

    /// The atoms of a predicate, as few as the arguments that are known allow to look at.
    pub fn candidates(
        &self,
        pred: usize,
        known: impl Iterator<Item = (usize, Term)>,
    ) -> impl Iterator<Item = AtomId> + '_ {
        let mut best: Option<&Set> = self.by_pred.get(pred);
        for (at, arg) in known {
            let set = self.by_arg.get(&(pred, at, arg));
            if set.map_or(0, Set::len) < best.map_or(0, Set::len) {
                best = set;
            }
        }
        best.into_iter().flatten().copied()
    }

    /// Every atom that is there, with how often, the newest first.
    pub fn newest_first(&self) -> Vec<(AtomId, u32)> {
        let mut all: Vec<(AtomId, u32)> = self.by_pred.iter().flatten().map(|&atom| (atom, self.count(atom))).collect();
        all.sort_by_key(|&(atom, _)| std::cmp::Reverse(self.ages[atom as usize].back().copied()));
        all
    }
}

/// What so many equal atoms add to the hash of a state.
pub(crate) fn weigh(hash: u64, count: u64) -> u64 {
    if count == 0 { 0 } else { mix(hash ^ mix(count)) }
}
