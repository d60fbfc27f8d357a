//! Runs a program as Ceptre does: rule after rule, until nothing more can happen or somebody has to choose.

use std::sync::Arc;

use houserules_kernel::Generator;

use crate::agenda::Agenda;
use crate::facts::Facts;
use crate::fault::{Budget, Fault};
use crate::matching::{Instance, Matcher, consumed, produced};
use crate::print;
use crate::program::{Fact, Goal, Pat, Premise, Program, StageId};
use crate::prove::Prover;
use crate::store::{Args, Atom, AtomId, Store, Term};

/// A state of a program that is running.
#[derive(Clone)]
pub struct Running {
    pub program: Arc<Program>,
    pub store: Store,
    pub facts: Facts,
    pub stage: StageId,
    prover: Prover,
    /// Per stage its rules, then per stage its links.
    agendas: Vec<Agenda>,
    /// How many of the changes each agenda knows.
    seen: Vec<usize>,
    changes: Vec<AtomId>,
    budget: Budget,
    /// Facts tried for premises since the last decision.
    tries: u64,
    pub fired: u64,
    /// `qui` that no link has used up.
    pub leftover_qui: u64,
}

/// A rule that fired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// `(rule value value)`
    pub fired: String,
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// A rule of the stage, chosen by somebody.
    Choice,
    /// A rule of the stage, by lot.
    Chance,
    /// A link, by lot.
    Link,
    Nothing,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Nothing more can happen.
    Quiet,
    /// Somebody has to choose, and nobody said what.
    Asked,
    /// Option 0 was chosen.
    Stopped,
    /// As many steps as `#trace` allows.
    Limit,
}

const MOST_CHANGES: usize = 1 << 20;

impl Running {
    /// The state that a query begins with.
    pub fn start(program: Arc<Program>, query: usize, budget: Budget) -> Result<Running, Fault> {
        let first = program.queries.get(query).ok_or_else(|| Fault("There is no `#trace` to run.".into()))?;
        let (stage, initial) = (first.stage, first.initial.clone());
        let prover = Prover::new(program.clone(), budget.proof);
        let rules =
            program.stages.iter().map(|stage| &stage.rules).chain(program.stages.iter().map(|stage| &stage.links));
        let agendas: Vec<Agenda> = rules.map(|rules| Agenda::new(&program, &prover, rules)).collect();
        let mut running = Running {
            store: Store::default(),
            facts: Facts::new(program.preds.len()),
            stage,
            prover,
            seen: vec![0; agendas.len()],
            agendas,
            changes: Vec::new(),
            budget,
            tries: 0,
            fired: 0,
            leftover_qui: 0,
            program,
        };
        for fact in &initial {
            let atom = running.intern(fact);
            running.add(atom);
        }
        Ok(running)
    }

    /// The state with these facts in it, in this stage.
    pub fn with_facts(&self, stage: StageId, atoms: &[(Atom, u32)]) -> Running {
        let mut running = self.clone();
        running.facts = Facts::new(self.program.preds.len());
        running.stage = stage;
        running.changes.clear();
        let n_stages = self.program.stages.len();
        let rules = self.program.stages.iter().map(|stage| &stage.rules);
        let rules = rules.chain(self.program.stages.iter().map(|stage| &stage.links));
        running.agendas = rules.map(|rules| Agenda::new(&self.program, &self.prover, rules)).collect();
        running.seen = vec![0; 2 * n_stages];
        for (atom, count) in atoms {
            let id = running.store.atom_id(atom.clone());
            (0..*count).for_each(|_| running.add(id));
        }
        running
    }

    fn intern(&mut self, fact: &Fact) -> AtomId {
        let args: Option<Args> = fact.args.iter().map(|pat| self.store.build(pat, &[])).collect();
        let args = args.expect("the checker lets no variable into a context");
        self.store.atom_id(Atom { pred: fact.pred, args, persistent: fact.persistent })
    }

    fn add(&mut self, atom: AtomId) {
        self.facts.add(&self.store, atom);
        self.changes.push(atom);
    }

    fn agenda(&mut self, which: usize) -> Result<&Agenda, Fault> {
        let seen = self.seen[which];
        let mut changed = self.changes[seen..].to_vec();
        self.seen[which] = self.changes.len();
        changed.sort_unstable();
        changed.dedup();
        let mut matcher = Matcher {
            program: &self.program,
            store: &mut self.store,
            facts: &self.facts,
            prover: &mut self.prover,
            plenty: false,
            tries: self.tries,
            most_tries: self.budget.tries,
        };
        self.agendas[which].update(&mut matcher, &changed, self.budget.ways)?;
        self.tries = matcher.tries;
        if self.changes.len() > MOST_CHANGES {
            self.changes.clear();
            let (rules, seen) = (&self.program, &mut self.seen);
            let all =
                rules.stages.iter().map(|stage| &stage.rules).chain(rules.stages.iter().map(|stage| &stage.links));
            for (at, rules) in all.enumerate() {
                seen[at] = 0;
                if at != which {
                    self.agendas[at] = Agenda::new(&self.program, &self.prover, rules);
                }
            }
        }
        Ok(&self.agendas[which])
    }

    /// Somebody has decided: what follows may take as long again.
    pub fn rest(&mut self) {
        self.tries = 0;
    }

    /// What can happen now.
    pub fn whats_next(&mut self) -> Result<Next, Fault> {
        let (stage, n_stages) = (self.stage, self.program.stages.len());
        if !self.agenda(stage)?.is_empty() {
            return Ok(if self.program.stages[stage].interactive { Next::Choice } else { Next::Chance });
        }
        Ok(if self.agenda(n_stages + stage)?.is_empty() { Next::Nothing } else { Next::Link })
    }

    /// The instances that can fire, in the order in which Ceptre lists them: the last rule first, then by premises, the
    /// oldest fact first.
    pub fn options(&mut self, next: Next) -> Result<Vec<(Instance, u64)>, Fault> {
        let which = match next {
            Next::Nothing => return Ok(Vec::new()),
            Next::Link => self.program.stages.len() + self.stage,
            Next::Choice | Next::Chance => self.stage,
        };
        let mut options: Vec<(Instance, u64)> =
            self.agenda(which)?.iter().map(|(instance, weight)| (instance.clone(), weight)).collect();
        let mut keys = Vec::with_capacity(options.len());
        for (instance, _) in &options {
            keys.push((std::cmp::Reverse(instance.rule), self.ranks(instance)?));
        }
        let mut order: Vec<usize> = (0..options.len()).collect();
        order.sort_by(|&one, &other| keys[one].cmp(&keys[other]));
        let mut taken: Vec<Option<(Instance, u64)>> = options.drain(..).map(Some).collect();
        Ok(order.into_iter().filter_map(|at| taken[at].take()).collect())
    }

    /// Per premise: how old its fact is, or which answer of its proof it is, asked as the rule is written.
    fn ranks(&mut self, instance: &Instance) -> Result<Vec<u64>, Fault> {
        let program = self.program.clone();
        let rule = &program.rules[instance.rule];
        let values: Vec<Option<Term>> = instance.values.iter().map(|&value| Some(value)).collect();
        let mut bound = vec![false; rule.vars.len()];
        let mut atoms = instance.atoms.iter();
        let mut ranks = Vec::new();
        for premise in &rule.premises {
            match premise {
                Premise::Fact { .. } => ranks.extend(atoms.next().map(|&atom| self.facts.age(atom))),
                Premise::Goal(Goal::Holds(pred, args)) => {
                    let known =
                        |store: &mut Store, arg: &Pat| store.build(arg, &values).filter(|_| arg.is_bound(&bound));
                    let known = args.iter().map(|arg| known(&mut self.store, arg)).collect();
                    let answers = self.prover.ask(&mut self.store, &self.facts, *pred, known)?;
                    let own: Option<Args> = args.iter().map(|arg| self.store.build(arg, &values)).collect();
                    let at = answers.iter().position(|answer| Some(&answer.args) == own.as_ref());
                    ranks.push(at.unwrap_or(usize::MAX) as u64);
                }
                Premise::Goal(_) => {}
            }
            premise.each_var(&mut |var| bound[var] = true);
        }
        Ok(ranks)
    }

    /// One of the instances that can fire, by lot.
    pub fn drawn(&mut self, next: Next, generator: &mut Generator) -> Result<Option<Instance>, Fault> {
        let which = match next {
            Next::Nothing => return Ok(None),
            Next::Link => self.program.stages.len() + self.stage,
            Next::Choice | Next::Chance => self.stage,
        };
        Ok(self.agenda(which)?.drawn(&mut |bound| generator.below(bound)).cloned())
    }

    /// Lets a rule fire.
    pub fn fire(&mut self, instance: &Instance) -> Result<(), Fault> {
        let program = self.program.clone();
        let rule = &program.rules[instance.rule];
        let produced = produced(&program, &mut self.store, instance)?;
        for (atom, n) in consumed(&program, &self.store, instance) {
            (0..n).for_each(|_| self.facts.remove(&self.store, atom));
            self.changes.push(atom);
        }
        for atom in produced {
            self.add(atom);
        }
        if let Some(next) = rule.next {
            self.stage = next;
            self.leftover_qui += u64::from(!rule.takes_qui);
        }
        self.fired += 1;
        if self.facts.n_facts() > self.budget.facts {
            let most = self.budget.facts;
            return Err(Fault(format!(
                "There are more than {most} facts; the last came from the rule `{}`.",
                rule.name
            )));
        }
        Ok(())
    }

    /// As `fire`, and says what has changed.
    pub fn step(&mut self, instance: &Instance) -> Result<Step, Fault> {
        let fired = print::instance(&self.program, &self.store, instance);
        let program = self.program.clone();
        let added = produced(&program, &mut self.store, instance)?;
        let removed = consumed(&program, &self.store, instance);
        let show = |running: &Running, atom: AtomId| print::atom(&running.program, &running.store, atom);
        let removed =
            removed.iter().flat_map(|&(atom, n)| (0..n).map(move |_| atom)).map(|atom| show(self, atom)).collect();
        let added = added.iter().map(|&atom| show(self, atom)).collect();
        self.fire(instance)?;
        Ok(Step { fired, removed, added })
    }

    /// Runs on until nothing more can happen, somebody has to choose and the choices are used up, or the limit is reached.
    pub fn run(
        &mut self,
        limit: Option<u64>,
        choices: &[usize],
        generator: &mut Generator,
        log: &mut dyn FnMut(&Running, Step),
    ) -> Result<End, Fault> {
        let mut choices = choices.iter();
        let mut since = 0;
        loop {
            if limit.is_some_and(|limit| self.fired >= limit) {
                return Ok(End::Limit);
            }
            let next = self.whats_next()?;
            let instance = match next {
                Next::Nothing => return Ok(End::Quiet),
                Next::Choice => match choices.next() {
                    None => return Ok(End::Asked),
                    Some(0) => return Ok(End::Stopped),
                    Some(&number) => {
                        let options = self.options(next)?;
                        let n_options = options.len();
                        let chosen = options.into_iter().nth(number - 1);
                        let Some((instance, _)) = chosen else {
                            return Err(Fault(format!(
                                "Option {number} was chosen in the stage `{}`, and there are {n_options}.",
                                self.program.stages[self.stage].name
                            )));
                        };
                        since = 0;
                        self.rest();
                        instance
                    }
                },
                Next::Chance | Next::Link => match self.drawn(next, generator)? {
                    Some(instance) => instance,
                    None => return Ok(End::Quiet),
                },
            };
            since += 1;
            if since > self.budget.firings {
                return Err(endless(
                    &self.program,
                    self.budget.firings,
                    &self.program.rules[instance.rule].name,
                    self.stage,
                ));
            }
            let step = self.step(&instance)?;
            log(self, step);
        }
    }

    /// The facts in Ceptre's spelling, the newest first, each as often as it is there.
    pub fn shown(&self) -> Vec<String> {
        let all = self.facts.newest_first();
        let each = all.iter().flat_map(|&(atom, count)| {
            let text = print::atom(&self.program, &self.store, atom);
            (0..count).map(move |_| text.clone())
        });
        each.chain((0..self.leftover_qui).map(|_| "qui".to_owned())).collect()
    }
}

pub(crate) fn endless(program: &Program, firings: u64, rule: &str, stage: StageId) -> Fault {
    Fault(format!(
        "Rules fire without end: {firings} times without anybody being asked, last `{rule}` in the stage `{}`.",
        program.stages[stage].name
    ))
}
