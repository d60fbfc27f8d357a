//! Backward chaining: what follows from the clauses, all of it, with what was found kept.
//!
//! A goal is asked with some arguments known; answers have all of them. A goal that asks itself again gets the answers
//! found so far, and is asked anew until none are added, so that clauses which call themselves in a circle end.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::facts::Facts;
use crate::fault::Fault;
use crate::program::{Clause, Goal, Pat, PredId, Program};
use crate::store::{Args, AtomId, Map, Store, Term};

/// One way in which a goal holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub args: Args,
    /// In how many ways it was proved.
    pub proofs: u32,
    /// The atoms of the state that the proof rests on, without those that are there for ever.
    pub used: SmallVec<[AtomId; 2]>,
}

type Asked = (PredId, SmallVec<[Option<Term>; 4]>);
type Answers = Arc<Vec<Answer>>;

#[derive(Clone)]
pub struct Prover {
    program: Arc<Program>,
    /// The clauses of each predicate.
    clauses: Arc<Vec<Vec<usize>>>,
    looks: Arc<Vec<bool>>,
    table: Map<Asked, Answers>,
    /// Goals being proved, with their answers so far and whether they have asked themselves.
    open: Vec<(Asked, Answers, bool)>,
    open_at: Map<Asked, usize>,
    /// How many of the open goals have asked themselves.
    n_again: usize,
    /// Predicates whose goals are not proved in the order in which they are written: that did not end.
    reordered: Vec<bool>,
    steps: u64,
    most_steps: u64,
    budget: u64,
    n_kept: usize,
    /// Steps of all proofs together.
    spent: u64,
}

/// In the order in which goals are written they may enumerate for ever; so it is tried only for a while.
const AS_WRITTEN: u64 = 20_000;
/// Answers kept in the table.
const MOST_KEPT: usize = 1_000_000;
/// Clauses that call each other.
const DEEPEST: usize = 20_000;

impl Prover {
    pub fn new(program: Arc<Program>, budget: u64) -> Self {
        let mut clauses = vec![Vec::new(); program.preds.len()];
        for (id, clause) in program.clauses.iter().enumerate() {
            clauses[clause.head.0].push(id);
        }
        let n_preds = program.preds.len();
        let looks = Arc::new(program.looks_at_state());
        Prover {
            program,
            clauses: Arc::new(clauses),
            looks,
            table: Map::default(),
            open: Vec::new(),
            open_at: Map::default(),
            n_again: 0,
            spent: 0,
            reordered: vec![false; n_preds],
            steps: 0,
            most_steps: 0,
            budget,
            n_kept: 0,
        }
    }

    /// Whether proving this looks at the state.
    pub fn looks(&self, pred: PredId) -> bool {
        self.looks[pred]
    }

    /// Steps of all proofs so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// All answers to a goal whose known arguments are given.
    pub fn ask(
        &mut self,
        store: &mut Store,
        facts: &Facts,
        pred: PredId,
        known: SmallVec<[Option<Term>; 4]>,
    ) -> Result<Answers, Fault> {
        self.steps = 0;
        if !self.reordered[pred] {
            self.most_steps = AS_WRITTEN.min(self.budget);
            match self.call(store, facts, (pred, known.clone())) {
                Err(Stop::Steps(_)) => {
                    self.reordered[pred] = true;
                    self.open.clear();
                    self.open_at.clear();
                    self.n_again = 0;
                    self.steps = 0;
                }
                other => return other.map_err(|stop| self.told(stop)),
            }
        }
        self.most_steps = self.budget;
        let answers = self.call(store, facts, (pred, known));
        answers.map_err(|stop| self.told(stop))
    }

    fn told(&mut self, stop: Stop) -> Fault {
        self.open.clear();
        self.open_at.clear();
        self.n_again = 0;
        match stop {
            Stop::Steps(clause) => {
                let name = self.named(clause);
                Fault(format!("The backward rule {name} does not come to an end: {} steps were taken.", self.budget))
            }
            Stop::Fault(fault) => fault,
        }
    }

    fn named(&self, clause: usize) -> String {
        let clause = &self.program.clauses[clause];
        let pred = &self.program.preds[clause.head.0].name;
        if clause.name.starts_with('`') { format!("of `{pred}`") } else { format!("`{}` of `{pred}`", clause.name) }
    }

    fn call(&mut self, store: &mut Store, facts: &Facts, asked: Asked) -> Result<Answers, Stop> {
        if !self.program.preds[asked.0].backward {
            return Ok(Arc::new(in_state(store, facts, &asked)));
        }
        if let Some(answers) = self.table.get(&asked) {
            return Ok(answers.clone());
        }
        if let Some(&at) = self.open_at.get(&asked) {
            self.n_again += usize::from(!std::mem::replace(&mut self.open[at].2, true));
            return Ok(self.open[at].1.clone());
        }
        if self.open.len() > DEEPEST {
            let pred = &self.program.preds[asked.0].name;
            return Err(Stop::Fault(Fault(format!(
                "The backward rules of `{pred}` call each other more than {DEEPEST} times."
            ))));
        }
        let depth = self.open.len();
        self.open.push((asked.clone(), Answers::default(), false));
        self.open_at.insert(asked.clone(), depth);
        let mut whole;
        let answers = loop {
            let mut found = Found::default();
            whole = true;
            for at in 0..self.clauses[asked.0].len() {
                let clause = self.clauses[asked.0][at];
                stacker::maybe_grow(64 << 10, 1 << 20, || self.clause(store, facts, &asked, clause, &mut found))?;
            }
            // What was asked again further up is not known whole before that one is.
            if self.n_again > usize::from(self.open[depth].2) {
                whole = false;
            }
            let again = self.open[depth].2;
            let grown = found.answers.len() > self.open[depth].1.len();
            if again {
                found.answers.iter_mut().for_each(|answer| answer.proofs = 1);
            }
            let answers: Answers = Arc::new(found.answers);
            if !again || !grown {
                break answers;
            }
            self.open[depth].1 = answers;
        };
        let again = self.open.pop().is_some_and(|(_, _, again)| again);
        self.n_again -= usize::from(again);
        self.open_at.remove(&asked);
        if whole && !self.looks[asked.0] {
            self.n_kept += answers.len() + 1;
            if self.n_kept > MOST_KEPT {
                self.table.clear();
                self.n_kept = 0;
            }
            self.table.insert(asked, answers.clone());
        }
        Ok(answers)
    }

    fn clause(
        &mut self,
        store: &mut Store,
        facts: &Facts,
        asked: &Asked,
        id: usize,
        found: &mut Found,
    ) -> Result<(), Stop> {
        self.step(id)?;
        let program = self.program.clone();
        let clause = &program.clauses[id];
        let mut bound = vec![None; clause.n_vars];
        let mut trail = Vec::new();
        for (pat, known) in clause.head.1.iter().zip(&asked.1) {
            if let Some(known) = known
                && !store.matches(pat, *known, &mut bound, &mut trail)
            {
                return Ok(());
            }
        }
        let left: SmallVec<[usize; 8]> = (0..clause.goals.len()).collect();
        let mut ways = Ways { id, clause, found, asked };
        self.goals(store, facts, &mut ways, left, &mut bound, 1, &mut SmallVec::new())
    }

    fn step(&mut self, clause: usize) -> Result<(), Stop> {
        self.steps += 1;
        self.spent += 1;
        if self.steps > self.most_steps { Err(Stop::Steps(clause)) } else { Ok(()) }
    }

    #[expect(clippy::too_many_arguments, reason = "the whole of a proof so far")]
    fn goals(
        &mut self,
        store: &mut Store,
        facts: &Facts,
        ways: &mut Ways,
        mut left: SmallVec<[usize; 8]>,
        bound: &mut Vec<Option<Term>>,
        proofs: u32,
        used: &mut SmallVec<[AtomId; 2]>,
    ) -> Result<(), Stop> {
        if left.is_empty() {
            return self.proved(store, ways, bound, proofs, used);
        }
        let next = if self.reordered[ways.asked.0] { self.most_known(store, ways.clause, &left, bound) } else { 0 };
        let goal = &ways.clause.goals[left.remove(next)];
        let mut trail = Vec::new();
        match goal {
            Goal::Same(one, other) | Goal::Differs(one, other) => {
                let same = matches!(goal, Goal::Same(..));
                if compare(store, one, other, same, bound, &mut trail).map_err(|()| self.unbound(ways.id))? {
                    self.goals(store, facts, ways, left, bound, proofs, used)?;
                }
                trail.drain(..).for_each(|var| bound[var] = None);
            }
            Goal::Holds(pred, args) => {
                let known = args.iter().map(|arg| store.build(arg, bound)).collect();
                let answers = self.call(store, facts, (*pred, known))?;
                for answer in answers.iter() {
                    self.step(ways.id)?;
                    let fits =
                        args.iter().zip(&answer.args).all(|(pat, &arg)| store.matches(pat, arg, bound, &mut trail));
                    if fits {
                        let n_used = used.len();
                        used.extend(answer.used.iter().copied());
                        let proofs = proofs.saturating_mul(answer.proofs);
                        self.goals(store, facts, ways, left.clone(), bound, proofs, used)?;
                        used.truncate(n_used);
                    }
                    trail.drain(..).for_each(|var| bound[var] = None);
                }
            }
        }
        Ok(())
    }

    fn proved(
        &mut self,
        store: &mut Store,
        ways: &mut Ways,
        bound: &[Option<Term>],
        proofs: u32,
        used: &SmallVec<[AtomId; 2]>,
    ) -> Result<(), Stop> {
        let args: Option<Args> = ways.clause.head.1.iter().map(|pat| store.build(pat, bound)).collect();
        let Some(args) = args else {
            return Err(self.unbound(ways.id));
        };
        let mut used = used.clone();
        used.sort_unstable();
        used.dedup();
        ways.found.add(Answer { args, proofs, used });
        Ok(())
    }

    fn unbound(&self, clause: usize) -> Stop {
        let name = self.named(clause);
        Stop::Fault(Fault(format!(
            "The backward rule {name} leaves open what it stands for: an argument is known neither before nor after."
        )))
    }

    /// The goal that has most of its arguments known: it has the fewest answers, as a rule.
    fn most_known(&self, store: &mut Store, clause: &Clause, left: &[usize], bound: &[Option<Term>]) -> usize {
        let mut unknown = |goal: &Goal| match goal {
            Goal::Holds(_, args) => args.iter().filter(|arg| store.build(arg, bound).is_none()).count(),
            Goal::Same(one, other) => {
                usize::from(store.build(one, bound).is_none() && store.build(other, bound).is_none()) * 9
            }
            Goal::Differs(one, other) => {
                usize::from(store.build(one, bound).is_none() || store.build(other, bound).is_none()) * 9
            }
        };
        (0..left.len()).min_by_key(|&at| unknown(&clause.goals[left[at]])).unwrap_or(0)
    }
}

/// Whether two patterns are, or are not, the same; one that is not bound becomes the other.
pub(crate) fn compare(
    store: &mut Store,
    one: &Pat,
    other: &Pat,
    same: bool,
    bound: &mut [Option<Term>],
    trail: &mut Vec<usize>,
) -> Result<bool, ()> {
    match (store.build(one, bound), store.build(other, bound), same) {
        (Some(one), Some(other), _) => Ok((one == other) == same),
        (Some(known), None, true) => Ok(store.matches(other, known, bound, trail)),
        (None, Some(known), true) => Ok(store.matches(one, known, bound, trail)),
        _ => Err(()),
    }
}

enum Stop {
    /// Too many steps, the last in this clause.
    Steps(usize),
    Fault(Fault),
}

#[derive(Default)]
struct Found {
    answers: Vec<Answer>,
    at: Map<(Args, SmallVec<[AtomId; 2]>), usize>,
}

impl Found {
    fn add(&mut self, answer: Answer) {
        let key = (answer.args.clone(), answer.used.clone());
        match self.at.get(&key) {
            Some(&at) => self.answers[at].proofs = self.answers[at].proofs.saturating_add(answer.proofs),
            None => {
                self.at.insert(key, self.answers.len());
                self.answers.push(answer);
            }
        }
    }
}

struct Ways<'a> {
    id: usize,
    clause: &'a Clause,
    found: &'a mut Found,
    asked: &'a Asked,
}

fn in_state(store: &Store, facts: &Facts, (pred, known): &Asked) -> Vec<Answer> {
    let given = || known.iter().enumerate().filter_map(|(at, arg)| Some((at, (*arg)?)));
    let fits = |atom: &AtomId| {
        let args = &store.atom(*atom).args;
        given().all(|(at, arg)| args[at] == arg)
    };
    let mut atoms: Vec<AtomId> = facts.candidates(*pred, given()).filter(fits).collect();
    atoms.sort_by_key(|&atom| facts.age(atom));
    let answer = |atom: AtomId| {
        let known = store.atom(atom);
        let used = if known.persistent { SmallVec::new() } else { SmallVec::from_slice(&[atom]) };
        Answer { args: known.args.clone(), proofs: facts.count(atom), used }
    };
    atoms.into_iter().map(answer).collect()
}
