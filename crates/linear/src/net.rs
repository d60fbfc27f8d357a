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
use crate::state::NetState;
use crate::store::{Args, Atom, AtomId, Store, Term};

pub struct Net {
    pub program: Arc<Program>,
    pub store: Store,
    pub seats: Seats,
    /// Whether every fact that can ever come about is known.
    pub complete: bool,
    pub n_atoms: usize,
    pub(crate) transitions: Vec<Transition>,
    pub effects: Vec<Effect>,
    pub(crate) buckets: Vec<Bucket>,
    /// Per atom: the buckets that are open while it is there.
    pub(crate) guarded: Vec<SmallVec<[u32; 2]>>,
    /// Per atom: the transitions that want it besides their guard, and how often, by their buckets.
    pub(crate) watchers: Vec<Vec<(u32, Watchers)>>,
    /// What each atom adds to the hash when it is there once.
    pub(crate) once: Vec<u64>,
    /// Per group: its buckets.
    pub(crate) groups: Vec<std::ops::Range<usize>>,
    /// Per stage: its groups, one for each seat if people choose, and the group of its links.
    pub of_stage: Vec<(std::ops::Range<usize>, usize)>,
    admitted: Vec<bool>,
    start: NetState,
}

/// A rule filled in; equal ones in effect are one [`Effect`].
pub(crate) struct Transition {
    pub effect: u32,
    pub instance: Instance,
    /// What it wants besides its guard, and how often.
    pub needs: Needs,
    /// Every premise takes another atom, so the weight is the product of what is there.
    pub plain: bool,
}

impl Transition {
    /// In how many ways its atoms can be taken from a state.
    pub fn weight(&self, net: &Net, count: impl Fn(AtomId) -> u32) -> u64 {
        if !self.plain {
            return weight(&net.program, &net.store, &self.instance, count);
        }
        let proofs = u64::from(self.instance.proofs);
        self.instance.atoms.iter().fold(proofs, |product, &atom| product.saturating_mul(u64::from(count(atom))))
    }
}

/// What changes when a rule fires, whichever way it was enabled.
pub struct Effect {
    pub group: u32,
    pub bucket: u32,
    pub deltas: SmallVec<[(AtomId, i32); 6]>,
    pub next: Option<StageId>,
    pub transitions: SmallVec<[u32; 2]>,
    /// Makes facts that the net does not know.
    pub leaves: bool,
}

/// Effects of one group that use up the same atom, their guard: while it is missing, none of them can come about.
///
/// In most games that is whose turn it is, which comes and goes with every rule. Without buckets each coming would be told
/// to every transition of the stage.
pub(crate) struct Bucket {
    pub group: usize,
    pub guard: Option<AtomId>,
    /// Begins at a word of bits.
    pub effects: std::ops::Range<usize>,
    pub transitions: std::ops::Range<usize>,
    /// What it takes to look at all of it.
    pub cost: u32,
}

/// More would fill memory, and be slower than looking at the facts that are there.
const MOST_ATOMS: usize = 20_000;
const MOST_TRANSITIONS: usize = 120_000;
/// Terms of more levels stay out: rules that build ever larger ones would fill the net with them.
const DEEPEST_KNOWN: u32 = 200;
const MOST_PROOF_STEPS: u64 = 3_000_000;
/// Terms that take more names to write down stay out, too.
const LONGEST_KNOWN: u64 = 1_000;
/// Facts tried for premises.
const MOST_TRIES: u64 = 30_000_000;

struct Builder {
    program: Arc<Program>,
    store: Store,
    facts: Facts,
    prover: Prover,
    found: indexmap::IndexSet<Instance>,
    admitted: Vec<bool>,
    largest: u64,
    tries: u64,
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
            tries: 0,
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
                    || self.store.atom(atom).args.iter().any(|&arg| {
                        self.store.depth(arg) > DEEPEST_KNOWN
                            || self.store.size(arg) > LONGEST_KNOWN
                            || largest(&self.store, arg) > self.largest
                    });
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
            tries: self.tries,
            most_tries: MOST_TRIES,
        };
        matcher.search(rule, seed, &mut |instance| {
            fresh.push(instance);
            if fresh.len() > most { Err(Fault("Too many ways to fill a rule in.".into())) } else { Ok(()) }
        })?;
        self.tries = matcher.tries;
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
        let mut drafts: indexmap::IndexMap<Same, Draft> = indexmap::IndexMap::new();
        for at in order {
            let (deltas, leaves) = self.outcome(&found[at]);
            let key = (groups[at], deltas, program.rules[found[at].rule].next);
            let draft = drafts.entry(key).or_insert(Draft { instances: Vec::new(), leaves });
            draft.instances.push(at);
        }
        let needs: Vec<Needs> = found.iter().map(|instance| needs(&program, &self.store, instance)).collect();
        let n_atoms = self.store.n_atoms();
        let mut wanted = vec![0_usize; n_atoms];
        needs.iter().flatten().for_each(|&(atom, _)| wanted[atom as usize] += 1);
        let mut drafts: Vec<(Option<AtomId>, Same, Draft)> =
            drafts.into_iter().map(|(same, draft)| (guard(&same.1, &draft, &needs, &wanted), same, draft)).collect();
        drafts.sort_by_key(|(guard, same, _)| (same.0, *guard));

        let mut net = Net {
            once: (0..n_atoms as AtomId).map(|atom| weigh(self.store.atom_hash(atom), 1)).collect(),
            program,
            store: self.store,
            seats,
            complete,
            n_atoms,
            transitions: Vec::new(),
            effects: Vec::new(),
            buckets: Vec::new(),
            guarded: vec![SmallVec::new(); n_atoms],
            watchers: vec![Vec::new(); n_atoms],
            groups: vec![0..0; n_groups],
            of_stage,
            admitted: self.admitted,
            start: NetState::default(),
        };
        for (guard, (group, deltas, next), draft) in drafts {
            let same = net.buckets.last().is_some_and(|last| (last.group, last.guard) == (group, guard));
            if !same {
                net.begin_bucket(group, guard);
            }
            let bucket = net.buckets.len() - 1;
            let transitions = draft.instances.iter().map(|&at| {
                let own: Needs = needs[at].iter().copied().filter(|(atom, _)| Some(*atom) != guard).collect();
                net.add_transition(bucket, found[at].clone(), own)
            });
            let transitions = transitions.collect();
            let (group, bucket) = (group as u32, bucket as u32);
            let deltas = SmallVec::from_vec(deltas);
            net.effects.push(Effect { group, bucket, deltas, next, transitions, leaves: draft.leaves });
            net.buckets[bucket as usize].effects.end = net.effects.len();
        }
        net.start = NetState::new(&net, initial, stage);
        net
    }

    /// What an instance changes, and whether that leads out of the net.
    fn outcome(&mut self, instance: &Instance) -> (Vec<(AtomId, i32)>, bool) {
        let mut deltas: Vec<(AtomId, i32)> = Vec::new();
        let mut change = |atom: AtomId, by: i32| match deltas.iter_mut().find(|(known, _)| *known == atom) {
            Some((_, sum)) => *sum += by,
            None => deltas.push((atom, by)),
        };
        for (atom, n) in consumed(&self.program, &self.store, instance) {
            change(atom, -(n as i32));
        }
        // What an instance makes was made once before, and cannot fail now.
        let made = produced(&self.program, &mut self.store, instance).unwrap_or_default();
        made.iter().for_each(|&atom| change(atom, 1));
        deltas.retain(|(_, by)| *by != 0);
        deltas.sort_unstable();
        (deltas, made.iter().any(|&atom| !self.is_admitted(atom)))
    }
}

impl Net {
    /// A bucket begins at a word of its own, so that its bits can be counted without masks.
    fn begin_bucket(&mut self, group: usize, guard: Option<AtomId>) {
        let empty = || Effect {
            group: u32::MAX,
            bucket: u32::MAX,
            deltas: SmallVec::new(),
            next: None,
            transitions: SmallVec::new(),
            leaves: false,
        };
        self.effects.resize_with(self.effects.len().next_multiple_of(64), empty);
        let at = self.buckets.len();
        if let Some(guard) = guard {
            self.guarded[guard as usize].push(at as u32);
        }
        let own = &mut self.groups[group];
        *own = if own.end == 0 { at..at + 1 } else { own.start..at + 1 };
        let (first, next) = (self.effects.len(), self.transitions.len());
        self.buckets.push(Bucket { group, guard, effects: first..first, transitions: next..next, cost: 0 });
    }

    fn add_transition(&mut self, bucket: usize, instance: Instance, needs: Needs) -> u32 {
        let id = self.transitions.len() as u32;
        for &(atom, need) in &needs {
            let watchers = &mut self.watchers[atom as usize];
            match watchers.last_mut() {
                Some((known, list)) if *known == bucket as u32 => list.push((id, need)),
                _ => watchers.push((bucket as u32, vec![(id, need)])),
            }
        }
        let own = &mut self.buckets[bucket];
        own.transitions.end = id as usize + 1;
        own.cost += 1 + needs.len() as u32;
        let distinct = (0..instance.atoms.len()).all(|at| !instance.atoms[..at].contains(&instance.atoms[at]));
        let plain = distinct && modes(&self.program.rules[instance.rule]).all(|mode| mode != Mode::Bang);
        self.transitions.push(Transition { effect: self.effects.len() as u32, instance, needs, plain });
        id
    }
}

/// The group, the changes and the stage that follows: what makes two instances one effect.
type Same = (usize, Vec<(AtomId, i32)>, Option<StageId>);

/// The instances of an effect.
struct Draft {
    instances: Vec<usize>,
    leaves: bool,
}

type Needs = SmallVec<[(AtomId, u32); 6]>;

/// Transitions, each with how often it wants an atom.
type Watchers = Vec<(u32, u32)>;

/// Fewer are looked at one by one.
const FEWEST_GUARDED: usize = 8;

/// What an effect uses up that most others want, too: whose turn it is, in most games.
fn guard(deltas: &[(AtomId, i32)], draft: &Draft, needs: &[Needs], wanted: &[usize]) -> Option<AtomId> {
    let once = |atom: AtomId| draft.instances.iter().all(|&at| needs[at].contains(&(atom, 1)));
    let used_up = deltas.iter().filter(|(_, by)| *by < 0).map(|&(atom, _)| atom);
    used_up
        .filter(|&atom| wanted[atom as usize] >= FEWEST_GUARDED && once(atom))
        .max_by_key(|&atom| (wanted[atom as usize], std::cmp::Reverse(atom)))
}

/// What has to be there for an instance to fire, each atom once with how often.
fn needs(program: &Program, store: &Store, instance: &Instance) -> Needs {
    let mut needs: Needs = consumed(program, store, instance);
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
