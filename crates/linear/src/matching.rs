//! Which instances of a rule the state allows.
//!
//! A search may begin with an atom that takes the place of one premise: then only the instances that use it are found,
//! and what they cost depends on its neighbours and not on the size of the state.

use smallvec::SmallVec;

use crate::facts::Facts;
use crate::fault::Fault;
use crate::program::{Goal, Mode, Pat, Premise, Program, Rule, RuleId};
use crate::prove::{Prover, compare};
use crate::store::{Args, Atom, AtomId, Store, Term, Unbound};

/// A rule with everything in it known.
///
/// Equal atoms are one: three coins out of five are one instance, with a weight that says in how many ways they can be taken.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Instance {
    pub rule: RuleId,
    /// The atom of each premise that is a fact, in the order of the rule.
    pub atoms: SmallVec<[AtomId; 6]>,
    /// What the variables stand for.
    pub values: Args,
    /// What backward proofs rest on.
    pub used: SmallVec<[AtomId; 2]>,
    /// In how many ways the backward premises hold.
    pub proofs: u32,
}

/// What a search needs.
pub struct Matcher<'a> {
    pub program: &'a Program,
    pub store: &'a mut Store,
    pub facts: &'a Facts,
    pub prover: &'a mut Prover,
    /// Whether every atom is there as often as it is wanted, as in a state that only grows.
    pub plenty: bool,
    /// Facts tried for premises so far, and how many may be.
    pub tries: u64,
    pub most_tries: u64,
}

/// What it takes to note that a rule can fire, in facts tried.
const COST_OF_INSTANCE: u64 = 10;

struct Partial {
    bound: Vec<Option<Term>>,
    atoms: Vec<Option<AtomId>>,
    used: SmallVec<[AtomId; 2]>,
    proofs: u32,
}

impl Matcher<'_> {
    /// All instances of a rule; with a seed those in which this atom stands for that premise.
    pub fn search(
        &mut self,
        rule: RuleId,
        seed: Option<(usize, AtomId)>,
        each: &mut dyn FnMut(Instance) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let program = self.program;
        let known = &program.rules[rule];
        let mut partial = Partial {
            bound: vec![None; known.vars.len()],
            atoms: vec![None; known.premises.len()],
            used: SmallVec::new(),
            proofs: 1,
        };
        let mut left: SmallVec<[usize; 8]> = (0..known.premises.len()).collect();
        if let Some((at, atom)) = seed {
            let Premise::Fact { args, .. } = &known.premises[at] else { return Ok(()) };
            let own = &self.store.atom(atom).args;
            let mut trail = Vec::new();
            if !args.iter().zip(own).all(|(pat, &arg)| self.store.matches(pat, arg, &mut partial.bound, &mut trail)) {
                return Ok(());
            }
            partial.atoms[at] = Some(atom);
            left.retain(|premise| *premise != at);
        }
        self.go_on(rule, known, left, &mut partial, each)
    }

    fn go_on(
        &mut self,
        id: RuleId,
        rule: &Rule,
        mut left: SmallVec<[usize; 8]>,
        partial: &mut Partial,
        each: &mut dyn FnMut(Instance) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.try_out(rule, 1 + left.len() as u64 / 4)?;
        if left.is_empty() {
            self.try_out(rule, COST_OF_INSTANCE + (rule.premises.len() * rule.premises.len()) as u64 / 8)?;
            let Some(values) = partial.bound.iter().copied().collect::<Option<Args>>() else { return Ok(()) };
            values.iter().try_for_each(|&value| self.store.admit(value, &rule.name))?;
            let mut used = partial.used.clone();
            used.sort_unstable();
            used.dedup();
            let atoms = partial.atoms.iter().flatten().copied().collect();
            let instance = Instance { rule: id, atoms, values, used, proofs: partial.proofs };
            if self.plenty || self.weight(&instance) > 0 {
                each(instance)?;
            }
            return Ok(());
        }
        let at = self.next(rule, &left, &partial.bound);
        let premise = left.remove(at);
        let mut trail = Vec::new();
        match &rule.premises[premise] {
            Premise::Fact { pred, args, .. } => {
                for atom in self.candidates(*pred, args, &partial.bound) {
                    self.try_out(rule, 1)?;
                    if !self.plenty && self.is_used_up(rule, premise, atom, partial) {
                        continue;
                    }
                    let own = self.store.atom(atom).args.clone();
                    let fits = args
                        .iter()
                        .zip(&own)
                        .all(|(pat, &arg)| self.store.matches(pat, arg, &mut partial.bound, &mut trail));
                    if fits {
                        partial.atoms[premise] = Some(atom);
                        self.go_on(id, rule, left.clone(), partial, each)?;
                        partial.atoms[premise] = None;
                    }
                    trail.drain(..).for_each(|var| partial.bound[var] = None);
                }
            }
            Premise::Goal(Goal::Holds(pred, args)) => {
                let known = args.iter().map(|arg| self.store.build(arg, &partial.bound)).collect();
                let answers = self.prover.ask(self.store, self.facts, *pred, known);
                let answers = answers.map_err(|fault| Fault(format!("In the rule `{}`: {fault}", rule.name)))?;
                for answer in answers.iter() {
                    self.try_out(rule, 1)?;
                    let fits = args
                        .iter()
                        .zip(&answer.args)
                        .all(|(pat, &arg)| self.store.matches(pat, arg, &mut partial.bound, &mut trail));
                    if fits {
                        let (n_used, proofs) = (partial.used.len(), partial.proofs);
                        partial.used.extend(answer.used.iter().copied());
                        partial.proofs = proofs.saturating_mul(answer.proofs);
                        self.go_on(id, rule, left.clone(), partial, each)?;
                        partial.used.truncate(n_used);
                        partial.proofs = proofs;
                    }
                    trail.drain(..).for_each(|var| partial.bound[var] = None);
                }
            }
            Premise::Goal(Goal::Same(one, other)) | Premise::Goal(Goal::Differs(one, other)) => {
                let same = matches!(&rule.premises[premise], Premise::Goal(Goal::Same(..)));
                let holds = compare(self.store, one, other, same, &mut partial.bound, &mut trail);
                let holds = holds.map_err(|()| {
                    Fault(format!("In the rule `{}` something is compared before it is known.", rule.name))
                })?;
                if holds {
                    self.go_on(id, rule, left, partial, each)?;
                }
                trail.drain(..).for_each(|var| partial.bound[var] = None);
            }
        }
        Ok(())
    }

    /// Whether other premises have taken an atom as often as it is there: then nothing that follows is a way to fire.
    fn is_used_up(&self, rule: &Rule, premise: usize, atom: AtomId, partial: &Partial) -> bool {
        let takes = |at: usize| matches!(rule.premises[at], Premise::Fact { mode, .. } if mode != Mode::Bang);
        let others = || partial.atoms.iter().enumerate().filter(|&(at, &other)| other == Some(atom) && takes(at));
        takes(premise) && others().count() as u64 >= u64::from(self.facts.count(atom))
    }

    fn try_out(&mut self, rule: &Rule, tries: u64) -> Result<(), Fault> {
        self.tries += tries;
        if self.tries <= self.most_tries {
            return Ok(());
        }
        let (name, most) = (&rule.name, self.most_tries);
        Err(Fault(format!("It takes more than {most} tries to find out whether rules can fire, last `{name}`.")))
    }

    /// The premise to look at next: whatever is already known, then what can be looked up, then as written. A backward
    /// premise has to wait for what stands before it.
    fn next(&self, rule: &Rule, left: &[usize], bound: &[Option<Term>]) -> usize {
        let mut best = (usize::MAX, 0);
        for (at, &premise) in left.iter().enumerate() {
            let cost = match &rule.premises[premise] {
                Premise::Fact { args, .. } => {
                    let unknown = args.iter().filter(|arg| self.store.find(arg, bound).is_err()).count();
                    if unknown == 0 { 0 } else { 2 + unknown + 8 * usize::from(unknown == args.len()) }
                }
                Premise::Goal(goal) => {
                    let waits = left.iter().any(|&other| other < premise && shares(&rule.premises[other], goal, bound));
                    if waits { 1000 } else { 1 }
                }
            };
            if cost < best.0 {
                best = (cost, at);
            }
        }
        best.1
    }

    /// The atoms that may stand for a premise.
    fn candidates(&self, pred: usize, args: &[Pat], bound: &[Option<Term>]) -> SmallVec<[AtomId; 8]> {
        let mut known: SmallVec<[(usize, Term); 4]> = SmallVec::new();
        for (at, arg) in args.iter().enumerate() {
            match self.store.find(arg, bound) {
                Ok(Some(term)) => known.push((at, term)),
                // There is no such term anywhere, so there is no fact about it.
                Ok(None) => return SmallVec::new(),
                Err(Unbound) => {}
            }
        }
        if known.len() == args.len() {
            let own: Args = known.iter().map(|&(_, term)| term).collect();
            return [false, true]
                .into_iter()
                .filter_map(|persistent| self.store.known_atom(&Atom { pred, args: own.clone(), persistent }))
                .filter(|&atom| self.facts.count(atom) > 0)
                .collect();
        }
        self.facts.candidates(pred, known.into_iter()).collect()
    }

    pub fn weight(&self, instance: &Instance) -> u64 {
        weight(self.program, self.store, instance, |atom| self.facts.count(atom))
    }
}

/// Whether a premise says something of a variable that the goal asks about and that is not known yet.
fn shares(premise: &Premise, goal: &Goal, bound: &[Option<Term>]) -> bool {
    let mut shared = false;
    goal.each_var(&mut |var| {
        if bound[var].is_none() {
            premise.each_var(&mut |other| shared |= other == var);
        }
    });
    shared
}

/// In how many ways the atoms of an instance can be taken from a state; 0 if there are too few.
pub fn weight(program: &Program, store: &Store, instance: &Instance, count: impl Fn(AtomId) -> u32) -> u64 {
    let mut weight = u64::from(instance.proofs);
    for (at, mode) in modes(&program.rules[instance.rule]).enumerate() {
        let atom = instance.atoms[at];
        let before = || instance.atoms[..at].iter().filter(|&&other| other == atom).count() as u64;
        let there = u64::from(count(atom));
        weight = weight.saturating_mul(match mode {
            Mode::Bang => there,
            _ => there.saturating_sub(if store.atom(atom).persistent {
                before()
            } else {
                taken_before(program, instance, at, atom)
            }),
        });
    }
    weight
}

fn taken_before(program: &Program, instance: &Instance, at: usize, atom: AtomId) -> u64 {
    let mut taken = 0;
    for (earlier, mode) in modes(&program.rules[instance.rule]).enumerate().take(at) {
        if instance.atoms[earlier] == atom {
            taken += u64::from(mode != Mode::Bang || taken == 0);
        }
    }
    taken
}

/// How the facts on the left are marked, in their order.
pub fn modes(rule: &Rule) -> impl Iterator<Item = Mode> + '_ {
    rule.premises.iter().filter_map(|premise| match premise {
        Premise::Fact { mode, .. } => Some(*mode),
        Premise::Goal(_) => None,
    })
}

/// What an instance uses up, each atom once with how often.
pub fn consumed(program: &Program, store: &Store, instance: &Instance) -> SmallVec<[(AtomId, u32); 6]> {
    let mut consumed: SmallVec<[(AtomId, u32); 6]> = SmallVec::new();
    for (at, mode) in modes(&program.rules[instance.rule]).enumerate() {
        let atom = instance.atoms[at];
        if store.atom(atom).persistent {
            continue;
        }
        match consumed.iter_mut().find(|(known, _)| *known == atom) {
            // What is marked `!` may be what another premise has taken.
            Some(_) if mode == Mode::Bang => {}
            Some((_, n)) => *n += 1,
            None => consumed.push((atom, 1)),
        }
    }
    for &atom in &instance.used {
        if !consumed.iter().any(|(known, _)| *known == atom) {
            consumed.push((atom, 1));
        }
    }
    consumed
}

/// What an instance makes: first what is kept, then the right side, as written.
pub fn produced(program: &Program, store: &mut Store, instance: &Instance) -> Result<SmallVec<[AtomId; 8]>, Fault> {
    let rule = &program.rules[instance.rule];
    let mut produced: SmallVec<[AtomId; 8]> = modes(rule)
        .zip(&instance.atoms)
        .filter(|&(mode, &atom)| mode == Mode::Keep && !store.atom(atom).persistent)
        .map(|(_, &atom)| atom)
        .collect();
    let bound: Vec<Option<Term>> = instance.values.iter().map(|&value| Some(value)).collect();
    for fact in &rule.results {
        let args: Option<Args> = fact.args.iter().map(|pat| store.build(pat, &bound)).collect();
        let args = args.ok_or_else(|| Fault(format!("The rule `{}` counts beyond all numbers.", rule.name)))?;
        args.iter().try_for_each(|&arg| store.admit(arg, &rule.name))?;
        produced.push(store.atom_id(Atom { pred: fact.pred, args, persistent: fact.persistent }));
    }
    Ok(produced)
}
