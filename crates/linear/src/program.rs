//! A program whose names are known and whose types fit. Everything is a number here, in the order of the text.

use houserules_model::Origin;

pub type TypeId = usize;
pub type CtorId = usize;
pub type PredId = usize;
pub type StageId = usize;
pub type RuleId = usize;

#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Said by a line `%% title …`.
    pub title: Option<String>,
    pub types: Vec<Type>,
    pub ctors: Vec<Ctor>,
    pub preds: Vec<Pred>,
    pub clauses: Vec<Clause>,
    pub stages: Vec<Stage>,
    /// Rules of stages and links, in the order of the text.
    pub rules: Vec<Rule>,
    pub queries: Vec<Query>,
    /// The lines that begin with `%%`, word by word.
    pub notes: Vec<Vec<String>>,
}

#[derive(Clone, Debug)]
pub struct Type {
    pub name: String,
    /// What counts as zero and as one more, where terms of this type are kept as numbers.
    pub nat: Option<(CtorId, CtorId)>,
    /// Numbers are written as numbers.
    pub builtin: bool,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Ctor {
    pub name: String,
    pub args: Vec<TypeId>,
    pub of: TypeId,
}

#[derive(Clone, Debug)]
pub struct Pred {
    pub name: String,
    pub args: Vec<TypeId>,
    /// Defined by clauses, never in the state.
    pub backward: bool,
    pub origin: Origin,
}

/// `head <- goal <- goal`
#[derive(Clone, Debug)]
pub struct Clause {
    pub name: String,
    pub head: (PredId, Vec<Pat>),
    pub goals: Vec<Goal>,
    pub n_vars: usize,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub enum Goal {
    /// Of a backward predicate, or of one in the state.
    Holds(PredId, Vec<Pat>),
    Same(Pat, Pat),
    Differs(Pat, Pat),
}

#[derive(Clone, Debug)]
pub struct Stage {
    pub name: String,
    pub interactive: bool,
    pub rules: Vec<RuleId>,
    /// The links that lead away from here.
    pub links: Vec<RuleId>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    pub stage: StageId,
    /// Where a link leads; none: a rule of a stage.
    pub next: Option<StageId>,
    /// Whether a link uses `qui` up.
    pub takes_qui: bool,
    pub premises: Vec<Premise>,
    pub results: Vec<Fact>,
    /// In the order in which they first occur on the left; the anonymous ones among them.
    pub vars: Vec<Var>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub of: TypeId,
}

#[derive(Clone, Debug)]
pub enum Premise {
    Fact { pred: PredId, args: Vec<Pat>, mode: Mode, origin: Origin },
    Goal(Goal),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Plain,
    /// `$`
    Keep,
    /// `!`
    Bang,
}

/// What comes of a rule, or stands in the state at first.
#[derive(Clone, Debug)]
pub struct Fact {
    pub pred: PredId,
    pub args: Vec<Pat>,
    pub persistent: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pat {
    Var(usize),
    Number(u64),
    /// So much more than what the pattern stands for.
    Plus(u64, Box<Pat>),
    Apply(CtorId, Vec<Pat>),
}

#[derive(Clone, Debug)]
pub struct Query {
    pub limit: Option<u64>,
    pub stage: StageId,
    pub initial: Vec<Fact>,
    pub origin: Origin,
}

impl Pat {
    pub fn each_var(&self, each: &mut dyn FnMut(usize)) {
        match self {
            Pat::Var(var) => each(*var),
            Pat::Number(_) => {}
            Pat::Plus(_, inner) => inner.each_var(each),
            Pat::Apply(_, args) => args.iter().for_each(|arg| arg.each_var(each)),
        }
    }

    pub fn is_bound(&self, bound: &[bool]) -> bool {
        let mut all = true;
        self.each_var(&mut |var| all &= bound[var]);
        all
    }
}

impl Goal {
    pub fn each_var(&self, each: &mut dyn FnMut(usize)) {
        match self {
            Goal::Holds(_, args) => args.iter().for_each(|arg| arg.each_var(each)),
            Goal::Same(left, right) | Goal::Differs(left, right) => {
                left.each_var(each);
                right.each_var(each);
            }
        }
    }
}

impl Premise {
    pub fn each_var(&self, each: &mut dyn FnMut(usize)) {
        match self {
            Premise::Fact { args, .. } => args.iter().for_each(|arg| arg.each_var(each)),
            Premise::Goal(goal) => goal.each_var(each),
        }
    }
}

impl Program {
    /// Whether facts of this predicate are seen only by those whom they name.
    pub fn is_secret(&self, pred: PredId) -> bool {
        let name = &self.preds[pred].name;
        self.notes.iter().any(|words| words[0] == "secret" && words[1..].contains(name))
    }

    pub fn has_secrets(&self) -> bool {
        (0..self.preds.len()).any(|pred| self.is_secret(pred))
    }

    /// The rules of a stage and the links that lead away from it.
    pub fn rules_of(&self, stage: StageId) -> impl Iterator<Item = RuleId> + '_ {
        let stage = &self.stages[stage];
        stage.rules.iter().chain(&stage.links).copied()
    }

    /// For each predicate, whether proving it looks at the state: itself, or through the goals of its clauses.
    pub fn looks_at_state(&self) -> Vec<bool> {
        let mut looks: Vec<bool> = self.preds.iter().map(|pred| !pred.backward).collect();
        loop {
            let mut changed = false;
            for clause in &self.clauses {
                let needs = clause.goals.iter().any(|goal| matches!(goal, Goal::Holds(pred, _) if looks[*pred]));
                if needs && !looks[clause.head.0] {
                    looks[clause.head.0] = true;
                    changed = true;
                }
            }
            if !changed {
                return looks;
            }
        }
    }
}
