//! What a game is put together from.

use std::collections::BTreeMap;

use houserules_linear::Game;
use houserules_model::{Diagnostic, FileId};

use crate::term::{Constructor, Fact, Implication, Mistakes, Predicate, Term, TermKind, Type, becomes};

/// A game being built.
pub struct Spira {
    pub(crate) title: String,
    pub(crate) types: Vec<String>,
    /// Declarations in the order in which they were made.
    pub(crate) constructors: Vec<String>,
    pub(crate) predicates: Vec<String>,
    pub(crate) stages: Vec<String>,
    pub(crate) notes: Vec<String>,
    /// Labels of the arguments of a predicate in options.
    pub(crate) labels: BTreeMap<String, Vec<String>>,
    pub(crate) initial: Vec<Fact>,
    pub(crate) start: Option<String>,
    pub(crate) mistakes: Mistakes,
    names: Vec<String>,
    n_bindings: usize,
    player: Type,
    nat: Type,
    zero: Term,
    more: Constructor,
}

/// Whether somebody chooses in a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StageKind {
    Interactive,
    Noninteractive,
}
pub use StageKind::{Interactive, Noninteractive};

/// A stage, with what is there before and after a rule of it has fired.
#[derive(Clone)]
pub struct Stage {
    pub(crate) name: String,
    pub before: Predicate,
    pub after: Predicate,
}

/// Who plays, the stage in which the turn passes on, and who follows whom.
pub struct Players {
    pub all: Vec<Term>,
    pub next: Stage,
    pub follows: Predicate,
}

impl Spira {
    pub fn new(title: &str) -> Spira {
        let mistakes = Mistakes::default();
        let nat = Type(1);
        let zero = Term { kind: TermKind::Apply("z".into(), Vec::new()), of: nat };
        let more = Constructor { name: "s".into(), args: vec![nat], of: nat, mistakes: mistakes.clone() };
        Spira {
            title: title.into(),
            types: vec!["player".into(), "nat".into()],
            constructors: vec!["z : nat.".into(), "s nat : nat.".into()],
            predicates: Vec::new(),
            stages: Vec::new(),
            notes: Vec::new(),
            labels: BTreeMap::new(),
            initial: Vec::new(),
            start: None,
            mistakes,
            names: ["player", "nat", "z", "s"].map(str::to_owned).to_vec(),
            n_bindings: 0,
            player: Type(0),
            nat,
            zero,
            more,
        }
    }

    pub fn player(&self) -> Type {
        self.player
    }

    pub fn nat(&self) -> Type {
        self.nat
    }

    /// A number as a term.
    pub fn number(&self, number: usize) -> Term {
        self.plus(&self.zero, number)
    }

    /// So much more than a term.
    pub fn plus(&self, term: &Term, by: usize) -> Term {
        (0..by).fold(term.clone(), |term, _| self.more.of([&term]))
    }

    pub fn new_type(&mut self, name: &str) -> Type {
        self.named(name);
        self.types.push(name.into());
        Type(self.types.len() - 1)
    }

    pub fn constructor(&mut self, name: &str, args: &[Type], of: Type) -> Constructor {
        self.named(name);
        let line = self.declared(name, args, &self.types[of.0]);
        self.constructors.push(line);
        Constructor { name: name.into(), args: args.to_vec(), of, mistakes: self.mistakes.clone() }
    }

    pub fn constant(&mut self, name: &str, of: Type) -> Term {
        self.constructor(name, &[], of).of([])
    }

    /// Facts that are in the state.
    pub fn predicate(&mut self, name: &str, args: &[Type]) -> Predicate {
        self.declare(name, args, "pred")
    }

    /// Facts that are proved and never used up; [`Spira::holds`] says when.
    pub fn known(&mut self, name: &str, args: &[Type]) -> Predicate {
        self.declare(name, args, "bwd")
    }

    fn declare(&mut self, name: &str, args: &[Type], kind: &str) -> Predicate {
        self.named(name);
        let line = self.declared(name, args, kind);
        self.predicates.push(line);
        Predicate { name: name.into(), args: args.to_vec(), backward: kind == "bwd", mistakes: self.mistakes.clone() }
    }

    fn declared(&self, name: &str, args: &[Type], of: &str) -> String {
        let args: String = args.iter().map(|of| format!(" {}", self.types[of.0])).collect();
        format!("{name}{args} : {of}.")
    }

    fn named(&mut self, name: &str) {
        let fine = name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
        if !fine {
            let told = format!("“{name}” is no name: small letters first, then letters, digits and `_`.");
            self.mistakes.borrow_mut().push(told);
        }
        if self.names.iter().any(|known| known == name) {
            self.mistakes.borrow_mut().push(format!("`{name}` is declared twice."));
        }
        self.names.push(name.into());
    }

    /// A variable; within one rule it stands for one thing.
    pub fn binding(&mut self, of: Type) -> Term {
        let letter = (b'A' + (self.n_bindings % 26) as u8) as char;
        let round = self.n_bindings / 26;
        self.n_bindings += 1;
        let name = if round == 0 { letter.to_string() } else { format!("{letter}{round}") };
        Term { kind: TermKind::Binding(name), of }
    }

    /// Says that something that can be proved holds, if all of these do.
    pub fn holds(&mut self, fact: Fact, goals: &[Fact]) {
        let goals: String = goals.iter().map(|goal| format!(" <- {goal}")).collect();
        self.predicates.push(format!("{fact}{goals}."));
    }

    /// What boards are drawn as: `ground` and `felt`, `wood`, `paper`, `rack` or `chequered`.
    pub fn look(&mut self, what: &str, how: &str) {
        self.notes.push(format!("%% look {what} {how}"));
    }

    /// What is said of the game where games are listed.
    pub fn about(&mut self, words: &str) {
        self.notes.push(format!("%% about {words}"));
    }

    /// Labels for the arguments of a predicate in options; `_` hides one.
    pub fn output_names(&mut self, predicate: &Predicate, labels: &[&str]) {
        self.labels.insert(predicate.name.clone(), labels.iter().map(|label| (*label).to_owned()).collect());
    }

    /// Facts that only those see whom they name.
    pub fn secret(&mut self, predicate: &Predicate) {
        self.notes.push(format!("%% secret {}", predicate.name));
    }

    // ---- who plays

    /// Any number of players, who follow each other in a circle.
    pub fn players(&mut self, names: &[&str]) -> Players {
        let player = self.player;
        let follows = self.known("opp", &[player, player]);
        let all: Vec<Term> = names.iter().map(|name| self.constant(name, player)).collect();
        for (at, one) in all.iter().enumerate() {
            self.holds(follows.of([one, &all[(at + 1) % all.len()]]), &[]);
        }
        self.notes.push(format!("%% seats {}", names.join(" ")));
        let (one, other) = (self.binding(player), self.binding(player));
        let next = self.tokens("next_player");
        let rule = becomes([next.before.of([&one]), follows.of([&one, &other])], [next.after.of([&other])]);
        self.write_stage(&next.name, Noninteractive, &[rule]);
        Players { all, next, follows }
    }

    // ---- stages

    /// A stage for a player: a rule takes the token that the stage was entered with, and leaves the one it is left with.
    /// A player that occurs in no rule may be anybody.
    pub fn stage(&mut self, name: &str, kind: StageKind, player: &Term, rules: Vec<Implication>) -> Stage {
        let stage = self.tokens(name);
        let with_tokens = |rule: Implication| {
            let left = std::iter::once(stage.before.of([player])).chain(rule.left);
            becomes(left, std::iter::once(stage.after.of([player])).chain(rule.right))
        };
        let rules: Vec<Implication> = rules.into_iter().map(with_tokens).collect();
        self.write_stage(name, kind, &rules);
        stage
    }

    pub(crate) fn tokens(&mut self, name: &str) -> Stage {
        let player = self.player;
        let before = self.predicate(&format!("pretoken_{name}"), &[player]);
        let after = self.predicate(&format!("postoken_{name}"), &[player]);
        self.labels.entry(before.name.clone()).or_insert_with(|| vec!["Turn".into()]);
        Stage { name: name.into(), before, after }
    }

    /// What follows when a rule of the stage has fired.
    pub fn then(&mut self, from: &Stage, to: &Stage) {
        let player = self.player;
        let who = self.binding(player);
        let (after, before) = (from.after.of([&who]), to.before.of([&who]));
        let (from, to) = (&from.name, &to.name);
        self.stages
            .push(format!("{from}_to_{to}\n  : qui\n  * stage {from}\n  * {after}\n  -o {before}\n  * stage {to}.\n"));
    }

    /// What follows when no rule of the stage could fire.
    pub fn otherwise(&mut self, from: &Stage, to: &Stage) {
        let player = self.player;
        let who = self.binding(player);
        let (failed, before) = (from.before.of([&who]), to.before.of([&who]));
        let (from, to) = (&from.name, &to.name);
        self.stages.push(format!(
            "{from}_failed_to_{to}\n  : qui\n  * {failed}\n  * stage {from}\n  -o {before}\n  * stage {to}.\n"
        ));
    }

    /// A stage in which the match ends without a winner.
    pub fn draw_stage(&mut self) -> Stage {
        let draw = self.predicate("draw", &[]);
        let player = self.player;
        let who = self.binding(player);
        self.stage("draw", Noninteractive, &who, vec![becomes([], [draw.of([])])])
    }

    /// A stage in which a player who comes there wins.
    pub fn win_stage(&mut self, name: &str) -> Stage {
        let player = self.player;
        let win = self.predicate("win", &[player]);
        let who = self.binding(player);
        self.stage(name, Noninteractive, &who, vec![becomes([], [win.of([&who])])])
    }

    /// Negation: asks whether there are such facts, without using them up, and goes on to one stage or the other.
    pub fn whether(&mut self, name: &str, player: &Term, facts: Vec<Fact>, there: &Stage, absent: &Stage) -> Stage {
        let kept = facts.into_iter().map(Fact::keep);
        let stage = self.stage(name, Noninteractive, player, vec![becomes(kept, [])]);
        self.then(&stage, there);
        self.otherwise(&stage, absent);
        stage
    }

    /// Rules in order: those of a later list are tried only where none of an earlier one could fire. Gives a stage for
    /// each list; [`Spira::then`] says what follows each, [`Spira::otherwise`] what follows the last.
    pub fn in_order(&mut self, name: &str, kind: StageKind, player: &Term, lists: Vec<Vec<Implication>>) -> Vec<Stage> {
        let stage = |spira: &mut Spira, (at, rules)| spira.stage(&format!("{name}_{at}"), kind, player, rules);
        let stages: Vec<Stage> = lists.into_iter().enumerate().map(|list| stage(self, list)).collect();
        stages.windows(2).for_each(|pair| self.otherwise(&pair[0], &pair[1]));
        stages
    }

    /// Counts facts into a number: each becomes what is given instead, and the number one more, until none is left.
    pub fn counting(
        &mut self,
        name: &str,
        fact: Fact,
        instead: Fact,
        sum: impl Fn(&Term) -> Fact,
        then: &Stage,
    ) -> Stage {
        let (player, nat) = (self.player, self.nat);
        let (anybody, number) = (self.binding(player), self.binding(nat));
        let one_more = self.plus(&number, 1);
        let rule = becomes([fact, sum(&number)], [instead, sum(&one_more)]);
        let stage = self.stage(name, Noninteractive, &anybody, vec![rule]);
        self.then(&stage, &stage);
        self.otherwise(&stage, then);
        stage
    }

    // ---- numbers

    /// Less than.
    pub fn less(&mut self) -> Predicate {
        let (m, n) = (self.binding(self.nat), self.binding(self.nat));
        let less = self.known("lt", &[self.nat, self.nat]);
        let (zero, m1, n1) = (self.number(0), self.plus(&m, 1), self.plus(&n, 1));
        self.holds(less.of([&zero, &n1]), &[]);
        self.holds(less.of([&m1, &n1]), &[less.of([&m, &n])]);
        less
    }

    /// Not equal, for numbers.
    pub fn unequal(&mut self) -> Predicate {
        let (m, n) = (self.binding(self.nat), self.binding(self.nat));
        let unequal = self.known("neq", &[self.nat, self.nat]);
        let (zero, m1, n1) = (self.number(0), self.plus(&m, 1), self.plus(&n, 1));
        self.holds(unequal.of([&zero, &n1]), &[]);
        self.holds(unequal.of([&n1, &zero]), &[]);
        self.holds(unequal.of([&m1, &n1]), &[unequal.of([&m, &n])]);
        unequal
    }

    /// The first and the second together are the third.
    pub fn sum(&mut self) -> Predicate {
        let (m, n, k) = (self.binding(self.nat), self.binding(self.nat), self.binding(self.nat));
        let sum = self.known("plus", &[self.nat; 3]);
        let (zero, m1, k1) = (self.number(0), self.plus(&m, 1), self.plus(&k, 1));
        self.holds(sum.of([&zero, &n, &n]), &[]);
        self.holds(sum.of([&m1, &n, &k1]), &[sum.of([&m, &n, &k])]);
        sum
    }

    /// Equal; used to give a value a name of its own in options.
    pub fn equal(&mut self, name: &str, of: Type) -> Predicate {
        let same = self.binding(of);
        let equal = self.known(name, &[of, of]);
        self.holds(equal.of([&same, &same]), &[]);
        equal
    }

    // ---- the start

    pub fn at_first(&mut self, facts: impl IntoIterator<Item = Fact>) {
        self.initial.extend(facts);
    }

    pub fn start(&mut self, stage: &Stage, player: &Term) {
        self.initial.push(stage.before.of([player]));
        self.start = Some(stage.name.clone());
    }

    /// The game, ready to be played; an error says everything that is wrong.
    pub fn game(&self) -> Result<Game, String> {
        let text = self.text()?;
        let (program, faults) = houserules_linear::check(&text, FileId(0));
        let told = |faults: &[Diagnostic]| {
            let lines: Vec<String> =
                faults.iter().map(|fault| format!("{}: {}", fault.title, fault.labels[0].text)).collect();
            lines.join("\n")
        };
        let program = program.ok_or_else(|| told(&faults))?;
        Game::new(program, &self.title, &text).map_err(|fault| fault.to_string())
    }
}
