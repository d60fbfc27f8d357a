//! The rules with everything filled in: which facts there can be, and what uses and makes which.
//!
//! Facts that can ever come about are found by letting every rule fire from the initial ones without using anything up.
//! Then firing a rule is counting, and which rules can fire is known by what was counted last.
//!
//! There may be no end of such facts. Then some are left out, and a rule that would make one of those leads out of the net.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::facts::{Facts, weigh};
use crate::fault::{Budget, Fault};
use crate::matching::{Instance, Matcher, consumed, modes, produced, weight};
use crate::program::{Goal, Mode, Pat, Premise, Program, StageId};
use crate::prove::Prover;
use crate::seats::Seats;
use crate::store::{Args, Atom, AtomId, Map, Store, Term};

pub struct Net {
    pub program: Arc<Program>,
    pub store: Store,
    pub seats: Seats,
    /// Whether every fact that can ever come about is known.
    pub complete: bool,
    pub n_atoms: usize,
    transitions: Vec<Transition>,
    pub effects: Vec<Effect>,
    /// Per atom: the transitions that want it, and how often.
    watchers: Vec<Vec<(u32, u32)>>,
    /// What each atom adds to the hash when it is there once.
    once: Vec<u64>,
    groups: Vec<Group>,
    /// Per stage: its groups, one for each seat if people choose, and the group of its links.
    pub of_stage: Vec<(std::ops::Range<usize>, usize)>,
    admitted: Vec<bool>,
    start: NetState,
}

/// A rule filled in; equal ones in effect are one [`Effect`].
struct Transition {
    effect: u32,
    instance: Instance,
    /// Every premise takes another atom, so the weight is the product of what is there.
    plain: bool,
}

/// What changes when a rule fires, whichever way it was enabled.
pub struct Effect {
    pub group: u32,
    pub deltas: SmallVec<[(AtomId, i32); 6]>,
    pub next: Option<StageId>,
    pub transitions: SmallVec<[u32; 2]>,
    /// Makes facts that the net does not know.
    pub leaves: bool,
}

struct Group {
    /// Its effects lie from here to there, the first at the beginning of a word of bits.
    first: usize,
    end: usize,
}

/// A state as the net knows it.
#[derive(Clone)]
pub struct NetState {
    pub stage: StageId,
    pub hash: u64,
    counts: Vec<u32>,
    missing: Vec<u16>,
    /// Per effect, how many of its transitions can fire.
    ways: Vec<u32>,
    bits: Vec<u64>,
    n_alive: Vec<u32>,
}

/// More would fill memory, and be slower than looking at the facts that are there.
const MOST_ATOMS: usize = 20_000;
const MOST_TRANSITIONS: usize = 120_000;
const MOST_PROOF_STEPS: u64 = 3_000_000;

struct Builder {
    program: Arc<Program>,
    store: Store,
    facts: Facts,
    prover: Prover,
    found: indexmap::IndexSet<Instance>,
    admitted: Vec<bool>,
    largest: u64,
}

impl Net {
    /// The net of a query; none where rules cannot be filled in beforehand, or in too many ways.
    pub fn build(program: Arc<Program>, query: usize, budget: Budget) -> Option<Net> {
        let first = &program.queries[query];
        let mut builder = Builder {
            store: Store::default(),
            facts: Facts::new(program.preds.len()),
            prover: Prover::new(program.clone(), budget.proof),
            found: indexmap::IndexSet::new(),
            admitted: Vec::new(),
            largest: 1 + first.initial.len() as u64,
            program: program.clone(),
        };
        let mut initial: Vec<AtomId> = Vec::new();
        for fact in &first.initial {
            let args: Args = fact.args.iter().map(|pat| builder.store.build(pat, &[])).collect::<Option<Args>>()?;
            for &arg in &args {
                builder.largest = builder.largest.max(largest(&builder.store, arg) + 1);
            }
            initial.push(builder.store.atom_id(Atom { pred: fact.pred, args, persistent: fact.persistent }));
        }
        for rule in &program.rules {
            rule.results.iter().flat_map(|fact| &fact.args).for_each(|arg| raise(arg, &mut builder.largest));
        }
        let complete = builder.close(&initial, budget).ok()?;
        Some(builder.finish(&initial, first.stage, complete))
    }

    pub fn start(&self) -> NetState {
        self.start.clone()
    }

    /// Whether the net knows what an atom does.
    pub fn is_admitted(&self, atom: AtomId) -> bool {
        self.admitted.get(atom as usize).copied().unwrap_or(false)
    }

    pub fn instance(&self, transition: u32) -> &Instance {
        &self.transitions[transition as usize].instance
    }

    pub fn n_transitions(&self) -> usize {
        self.transitions.len()
    }

    /// The instance that stands for an effect in words.
    pub fn spoken(&self, effect: usize) -> &Instance {
        self.instance(self.effects[effect].transitions[0])
    }

    pub fn effects_of(&self, group: usize) -> std::ops::Range<usize> {
        self.groups[group].first..self.groups[group].end
    }
}

impl Builder {
    /// Admits facts one by one, each with the instances that it completes; false if some had to stay out.
    fn close(&mut self, initial: &[AtomId], budget: Budget) -> Result<bool, Fault> {
        let program = self.program.clone();
        let mut queue: std::collections::VecDeque<AtomId> = initial.iter().copied().collect();
        let mut complete = true;
        let looks = |premise: &Premise, prover: &Prover| matches!(premise, Premise::Goal(Goal::Holds(pred, _)) if prover.looks(*pred));
        let volatile: Vec<usize> = (0..program.rules.len())
            .filter(|&rule| program.rules[rule].premises.iter().any(|premise| looks(premise, &self.prover)))
            .collect();
        let without_facts: Vec<usize> = (0..program.rules.len())
            .filter(|&rule| !program.rules[rule].premises.iter().any(|premise| matches!(premise, Premise::Fact { .. })))
            .collect();
        let mut wanted: Vec<Vec<(usize, usize)>> = vec![Vec::new(); program.preds.len()];
        for (rule, known) in program.rules.iter().enumerate() {
            for (at, premise) in known.premises.iter().enumerate() {
                if let Premise::Fact { pred, .. } = premise {
                    wanted[*pred].push((rule, at));
                }
            }
        }
        for rule in without_facts {
            self.gather(rule, None, budget, &mut queue)?;
        }
        loop {
            while let Some(atom) = queue.pop_front() {
                if self.is_admitted(atom) {
                    continue;
                }
                let is_initial = initial.contains(&atom);
                let full = self.facts.n_atoms() >= MOST_ATOMS
                    || self.found.len() >= MOST_TRANSITIONS
                    || self.prover.spent() > MOST_PROOF_STEPS
                    || self.store.atom(atom).args.iter().any(|&arg| largest(&self.store, arg) > self.largest);
                if full && !is_initial {
                    complete = false;
                    continue;
                }
                self.admitted.resize(self.store.n_atoms().max(self.admitted.len()), false);
                self.admitted[atom as usize] = true;
                self.facts.add(&self.store, atom);
                let pred = self.store.atom(atom).pred;
                for &(rule, premise) in &wanted[pred] {
                    self.gather(rule, Some((premise, atom)), budget, &mut queue)?;
                }
            }
            // What is proved from the state has no premise to begin at, and is gone through again.
            let before = self.found.len();
            for &rule in &volatile {
                self.gather(rule, None, budget, &mut queue)?;
            }
            if self.found.len() == before && queue.is_empty() {
                return Ok(complete);
            }
        }
    }

    fn is_admitted(&self, atom: AtomId) -> bool {
        self.admitted.get(atom as usize).copied().unwrap_or(false)
    }

    fn gather(
        &mut self,
        rule: usize,
        seed: Option<(usize, AtomId)>,
        budget: Budget,
        queue: &mut std::collections::VecDeque<AtomId>,
    ) -> Result<(), Fault> {
        let program = self.program.clone();
        let mut fresh = Vec::new();
        let most = budget.ways.min(4 * MOST_TRANSITIONS);
        let mut matcher = Matcher {
            program: &program,
            store: &mut self.store,
            facts: &self.facts,
            prover: &mut self.prover,
            plenty: true,
        };
        matcher.search(rule, seed, &mut |instance| {
            fresh.push(instance);
            if fresh.len() > most { Err(Fault("Too many ways to fill a rule in.".into())) } else { Ok(()) }
        })?;
        for mut instance in fresh {
            // Counts do not matter yet; in proofs they would.
            if !instance.used.is_empty() {
                instance.proofs = 1;
            }
            if self.found.contains(&instance) {
                continue;
            }
            for atom in produced(&program, &mut self.store, &instance)? {
                if !self.is_admitted(atom) {
                    queue.push_back(atom);
                }
            }
            self.found.insert(instance);
            if self.found.len() > 4 * MOST_TRANSITIONS {
                return Err(Fault("Too many ways to fill rules in.".into()));
            }
        }
        Ok(())
    }

    fn finish(mut self, initial: &[AtomId], stage: StageId, complete: bool) -> Net {
        let program = self.program.clone();
        let found: Vec<Instance> = std::mem::take(&mut self.found).into_iter().collect();
        let seats = Seats::of(&program, &self.store, &found);
        // One group for each seat that may choose in a stage, one for chance, one for links.
        let mut of_stage = Vec::new();
        let mut n_groups = 0;
        for stage in &program.stages {
            let n = if stage.interactive { seats.names.len() } else { 1 };
            of_stage.push((n_groups..n_groups + n, n_groups + n));
            n_groups += n + 1;
        }
        let group_of = |instance: &Instance| {
            let rule = &program.rules[instance.rule];
            let (own, links) = of_stage[rule.stage].clone();
            match rule.next {
                Some(_) => links,
                None if program.stages[rule.stage].interactive => {
                    own.start + seats.mover(&program, &self.store, instance)
                }
                None => own.start,
            }
        };
        let groups: Vec<usize> = found.iter().map(group_of).collect();
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|&at| (groups[at], std::cmp::Reverse(found[at].rule), found[at].atoms.clone(), at));
        let mut effects: Vec<Effect> = Vec::new();
        let mut transitions: Vec<Transition> = Vec::new();
        let mut known: Map<Same, usize> = Map::default();
        let mut bounds = vec![(0, 0); n_groups];
        let mut n_begun = 0;
        let empty = || Effect {
            group: u32::MAX,
            deltas: SmallVec::new(),
            next: None,
            transitions: SmallVec::new(),
            leaves: false,
        };
        let n_all = self.store.n_atoms();
        for at in order {
            // A group begins at a word of its own, so that its bits can be counted without masks.
            while n_begun <= groups[at] {
                effects.resize_with(effects.len().next_multiple_of(64), empty);
                bounds[n_begun] = (effects.len(), effects.len());
                n_begun += 1;
            }
            let instance = &found[at];
            let mut deltas: Vec<(AtomId, i32)> = Vec::new();
            let mut change = |atom: AtomId, by: i32| match deltas.iter_mut().find(|(known, _)| *known == atom) {
                Some((_, sum)) => *sum += by,
                None => deltas.push((atom, by)),
            };
            for (atom, n) in consumed(&program, &self.store, instance) {
                change(atom, -(n as i32));
            }
            // What an instance makes was made once before, and cannot fail now.
            let made = produced(&program, &mut self.store, instance).unwrap_or_default();
            let leaves = made.iter().any(|&atom| !self.admitted.get(atom as usize).copied().unwrap_or(false));
            made.iter().for_each(|&atom| change(atom, 1));
            deltas.retain(|(_, by)| *by != 0);
            deltas.sort_unstable();
            let next = program.rules[instance.rule].next;
            let key = (groups[at], deltas.clone(), next);
            let effect = *known.entry(key).or_insert_with(|| {
                let deltas = SmallVec::from_vec(deltas);
                effects.push(Effect { group: groups[at] as u32, deltas, next, transitions: SmallVec::new(), leaves });
                effects.len() - 1
            });
            effects[effect].transitions.push(transitions.len() as u32);
            let rule = &program.rules[instance.rule];
            let distinct = (0..instance.atoms.len()).all(|at| !instance.atoms[..at].contains(&instance.atoms[at]));
            let plain = distinct && modes(rule).all(|mode| mode != Mode::Bang);
            transitions.push(Transition { effect: effect as u32, instance: instance.clone(), plain });
            bounds[groups[at]].1 = effects.len();
        }
        bounds[n_begun..].fill((effects.len(), effects.len()));
        let n_atoms = self.store.n_atoms().max(n_all);
        let mut watchers: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n_atoms];
        let mut missing = vec![0_u16; transitions.len()];
        for (id, transition) in transitions.iter().enumerate() {
            for (atom, need) in needs(&program, &self.store, &transition.instance) {
                watchers[atom as usize].push((id as u32, need));
                missing[id] += 1;
            }
        }
        let once = (0..n_atoms as AtomId).map(|atom| weigh(self.store.atom_hash(atom), 1)).collect();
        let n_words = effects.len().div_ceil(64);
        let start = NetState {
            stage,
            hash: 0,
            counts: vec![0; n_atoms],
            missing,
            ways: vec![0; effects.len()],
            bits: vec![0; n_words],
            n_alive: vec![0; n_groups],
        };
        let groups = bounds.into_iter().map(|(first, end)| Group { first, end }).collect();
        let mut net = Net {
            program,
            store: self.store,
            seats,
            complete,
            n_atoms,
            transitions,
            effects,
            watchers,
            once,
            groups,
            of_stage,
            admitted: self.admitted,
            start,
        };
        let mut state = net.start.clone();
        for id in 0..net.transitions.len() {
            if state.missing[id] == 0 {
                state.enable(&net, id as u32);
            }
        }
        for &atom in initial {
            state.change(&net, atom, 1);
        }
        net.start = state;
        net
    }
}

/// The group, the changes and the stage that follows: what makes two instances one effect.
type Same = (usize, Vec<(AtomId, i32)>, Option<StageId>);

/// What has to be there for an instance to fire, each atom once with how often.
fn needs(program: &Program, store: &Store, instance: &Instance) -> SmallVec<[(AtomId, u32); 6]> {
    let mut needs: SmallVec<[(AtomId, u32); 6]> = consumed(program, store, instance);
    for (at, mode) in modes(&program.rules[instance.rule]).enumerate() {
        let atom = instance.atoms[at];
        if store.atom(atom).persistent {
            match needs.iter_mut().find(|(known, _)| *known == atom) {
                Some(_) if mode == Mode::Bang => {}
                Some((_, n)) => *n += 1,
                None => needs.push((atom, 1)),
            }
        }
    }
    needs
}

/// The largest number in a term.
fn largest(store: &Store, term: Term) -> u64 {
    match (term.as_number(), store.node(term)) {
        (Some(number), _) => number,
        (None, Some((_, args))) => args.iter().map(|&arg| largest(store, arg)).max().unwrap_or(0),
        (None, None) => 0,
    }
}

fn raise(pat: &Pat, most: &mut u64) {
    match pat {
        Pat::Number(number) => *most = (*most).max(number + 1),
        Pat::Plus(_, inner) => raise(inner, most),
        Pat::Apply(_, args) => args.iter().for_each(|arg| raise(arg, most)),
        Pat::Var(_) => {}
    }
}

impl NetState {
    pub fn count(&self, atom: AtomId) -> u32 {
        self.counts.get(atom as usize).copied().unwrap_or(0)
    }

    /// The atoms that are there, with how often.
    pub fn atoms(&self) -> impl Iterator<Item = (AtomId, u32)> + '_ {
        self.counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(atom, &count)| (atom as AtomId, count))
    }

    pub fn n_alive(&self, group: usize) -> u32 {
        self.n_alive[group]
    }

    /// The effects of a group that can come about, in their order.
    pub fn alive<'a>(&'a self, net: &'a Net, group: usize) -> impl Iterator<Item = usize> + 'a {
        let Group { first, end } = net.groups[group];
        (first / 64..end.div_ceil(64)).flat_map(move |word| {
            let mut bits = self.bits[word];
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                (bits != 0).then(|| {
                    bits &= bits - 1;
                    word * 64 + bit as usize
                })
            })
        })
    }

    /// The `n`th effect of a group that can come about.
    pub fn nth(&self, net: &Net, group: usize, mut n: u32) -> usize {
        let Group { first, end } = net.groups[group];
        for word in first / 64..end.div_ceil(64) {
            let mut bits = self.bits[word];
            if bits.count_ones() > n {
                (0..n).for_each(|_| bits &= bits - 1);
                return word * 64 + bits.trailing_zeros() as usize;
            }
            n -= bits.count_ones();
        }
        unreachable!("a draw below their number falls on an effect")
    }

    /// Whether a transition can fire.
    pub fn is_enabled(&self, transition: u32) -> bool {
        self.missing[transition as usize] == 0
    }

    pub fn is_alive(&self, effect: usize) -> bool {
        self.bits.get(effect / 64).is_some_and(|bits| bits >> (effect % 64) & 1 == 1)
    }

    /// In how many ways an effect can come about now.
    pub fn weight(&self, net: &Net, effect: usize) -> u64 {
        let count = |atom: AtomId| self.counts[atom as usize];
        let weigh = |transition: &Transition| match transition.plain {
            true => {
                let atoms = transition.instance.atoms.iter();
                atoms.fold(u64::from(transition.instance.proofs), |product, &atom| {
                    product.saturating_mul(u64::from(count(atom)))
                })
            }
            false => weight(&net.program, &net.store, &transition.instance, count),
        };
        let ways = net.effects[effect].transitions.iter().filter(|&&id| self.missing[id as usize] == 0);
        ways.map(|&id| weigh(&net.transitions[id as usize])).fold(0, u64::saturating_add)
    }

    /// Lets an effect come about; it must not lead out of the net. The stage before is what `take_back` wants.
    #[inline]
    pub fn fire(&mut self, net: &Net, effect: usize) -> StageId {
        let before = self.stage;
        let known = &net.effects[effect];
        for &(atom, by) in &known.deltas {
            self.change(net, atom, by);
        }
        if let Some(next) = known.next {
            self.stage = next;
        }
        before
    }

    pub fn take_back(&mut self, net: &Net, effect: usize, stage: StageId) {
        for &(atom, by) in net.effects[effect].deltas.iter().rev() {
            self.change(net, atom, -by);
        }
        self.stage = stage;
    }

    #[inline]
    fn change(&mut self, net: &Net, atom: AtomId, by: i32) {
        let at = atom as usize;
        let before = self.counts[at];
        let after = before.wrapping_add_signed(by);
        self.counts[at] = after;
        let share = |count: u32| match count {
            0 => 0,
            1 => net.once[at],
            _ => weigh(net.store.atom_hash(atom), u64::from(count)),
        };
        self.hash = self.hash.wrapping_sub(share(before)).wrapping_add(share(after));
        if after > before {
            for &(transition, need) in &net.watchers[at] {
                if before < need && after >= need {
                    self.missing[transition as usize] -= 1;
                    if self.missing[transition as usize] == 0 {
                        self.enable(net, transition);
                    }
                }
            }
        } else {
            for &(transition, need) in &net.watchers[at] {
                if before >= need && after < need {
                    if self.missing[transition as usize] == 0 {
                        self.disable(net, transition);
                    }
                    self.missing[transition as usize] += 1;
                }
            }
        }
    }

    fn enable(&mut self, net: &Net, transition: u32) {
        let effect = net.transitions[transition as usize].effect as usize;
        self.ways[effect] += 1;
        if self.ways[effect] == 1 {
            self.bits[effect / 64] |= 1 << (effect % 64);
            self.n_alive[net.effects[effect].group as usize] += 1;
        }
    }

    fn disable(&mut self, net: &Net, transition: u32) {
        let effect = net.transitions[transition as usize].effect as usize;
        self.ways[effect] -= 1;
        if self.ways[effect] == 0 {
            self.bits[effect / 64] &= !(1 << (effect % 64));
            self.n_alive[net.effects[effect].group as usize] -= 1;
        }
    }

    /// Becomes the state with these counts in this stage.
    pub fn become_counts(&mut self, net: &Net, stage: StageId, wanted: &[u32]) {
        self.stage = stage;
        for (atom, &count) in wanted.iter().enumerate() {
            let by = i64::from(count) - i64::from(self.counts[atom]);
            if by != 0 {
                self.change(net, atom as AtomId, by as i32);
            }
        }
    }

    /// Becomes another one, in the memory it has.
    pub fn copy_from(&mut self, other: &NetState) {
        self.stage = other.stage;
        self.hash = other.hash;
        self.counts.copy_from_slice(&other.counts);
        self.missing.copy_from_slice(&other.missing);
        self.ways.copy_from_slice(&other.ways);
        self.bits.copy_from_slice(&other.bits);
        self.n_alive.copy_from_slice(&other.n_alive);
    }
}
