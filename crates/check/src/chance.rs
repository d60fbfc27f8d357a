//! Rules that could take back what chance or another player has already said, and rollbacks that go back to no checkpoint.

use crate::outline::Outline;
use crate::tree::{given, is_word, slot};
use houserules_model::*;
use std::collections::BTreeSet;

/// What an action does, in the order in which it does it.
struct Course<'o, 'a> {
    outline: &'o Outline<'a>,
    /// Messages being followed, so that one that sends itself is followed once.
    trail: BTreeSet<Name>,
    /// How many messages may still be followed: definitions that send everything everywhere would take for ever.
    budget: u32,
    /// Where chance or somebody else was first asked.
    asked: Option<(Origin, &'static str)>,
    found: Vec<(Origin, Origin, &'static str)>,
    /// Whether a checkpoint has been opened, and the rollbacks before that.
    open: bool,
    uncovered: Vec<Origin>,
}

pub fn check(outline: &Outline, found: &mut Vec<Diagnostic>) {
    let mut told: BTreeSet<(u16, u32)> = BTreeSet::new();
    let mut told_uncovered: BTreeSet<(u16, u32)> = BTreeSet::new();
    for (name, label) in &outline.labels {
        let machine = matches!(&**name, "start" | "turn" | "stuck");
        if label.action.is_none() && !machine {
            continue;
        }
        let mut course = Course {
            outline,
            trail: BTreeSet::new(),
            budget: 500,
            asked: None,
            found: Vec::new(),
            open: false,
            uncovered: Vec::new(),
        };
        if &**name == "start" {
            outline.items.iter().for_each(|item| {
                if let ItemKind::Setup(body) = &item.kind {
                    course.body(body);
                }
            });
        }
        course.message(name);
        for rollback in course.uncovered {
            if told_uncovered.insert((rollback.file.0, rollback.start)) {
                found.push(uncovered(rollback, name, machine));
            }
        }
        if machine {
            continue;
        }
        for (refusal, asked, what) in course.found {
            if !told.insert((refusal.file.0, refusal.start)) {
                continue;
            }
            found.push(
                Diagnostic::warning(
                    "chance/refusal",
                    "A refusal after chance has spoken",
                    refusal,
                    format!("This can take back `{name}` …"),
                )
                .and(asked, format!("… after {what} here."))
                .note("The player could choose again and get another answer, so play stops here with an error.")
                .hint("Let the rule stand before the question, or make it a law that looks before the action."),
            );
        }
    }
}

fn uncovered(rollback: Origin, name: &Name, machine: bool) -> Diagnostic {
    let label = format!("When `{name}` comes here, no rule has opened a checkpoint.");
    let diagnostic = Diagnostic::warning("rollback/no-checkpoint", "A rollback without a checkpoint", rollback, label);
    match machine {
        true => diagnostic
            .note("Nobody acts here, so there is nothing to go back to: play would stop with an error.")
            .hint("Write `(open checkpoint)` before what may have to be taken back."),
        false => diagnostic.note("It goes back to the beginning of the action, which is refused.").hint(format!(
            "If that is meant, open the checkpoint where one looks for it: `#law \"…\" on {name} (open checkpoint)`."
        )),
    }
}

impl Course<'_, '_> {
    fn message(&mut self, name: &Name) {
        if self.budget == 0 || self.trail.len() > 30 || !self.trail.insert(name.clone()) {
            return;
        }
        self.budget -= 1;
        let Some(label) = self.outline.labels.get(name) else {
            return;
        };
        self.laws(name);
        let bodies = label.handlers.iter().map(|behavior| &behavior.body);
        let bodies: Vec<&Body> = bodies.chain(label.action.and_then(|action| action.body.as_ref())).collect();
        // Only one of the behaviors answers: each is followed from the same point.
        let before = self.asked;
        let mut after = before;
        for body in bodies {
            self.asked = before;
            self.body(body);
            after = after.or(self.asked);
        }
        self.asked = after;
        let rules: Vec<&Rule> =
            self.outline.rules.iter().copied().filter(|rule| rule.mode != Mode::Off && on(rule, name)).collect();
        for rule in rules {
            match rule.kind {
                RuleKind::Law => {}
                RuleKind::SideEffect => self.body(&rule.body),
                RuleKind::AfterLaw => {
                    if let (Some((asked, what)), Some(first)) = (self.asked, rule.body.first()) {
                        self.found.push((first.origin, asked, what));
                    }
                }
            }
        }
        self.trail.remove(name);
    }

    /// Laws come first; they ask nothing.
    fn laws(&mut self, name: &Name) {
        let laws = self.outline.rules.iter().filter(|rule| rule.kind == RuleKind::Law && rule.mode != Mode::Off);
        let laws: Vec<&Rule> = laws.copied().filter(|rule| on(rule, name)).collect();
        for top in laws.iter().flat_map(|rule| &rule.body) {
            top.walk(&mut |expr| self.checkpoint(expr));
        }
    }

    fn checkpoint(&mut self, expr: &Expr) {
        match expr.kind {
            ExprKind::Form(Form::OpenCheckpoint, _) => self.open = true,
            ExprKind::Form(Form::Rollback, _) if !self.open => self.uncovered.push(expr.origin),
            _ => {}
        }
    }

    fn body(&mut self, body: &Body) {
        body.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        // What stands inside happens first.
        expr.children(&mut |child| self.expr(child));
        self.checkpoint(expr);
        let ExprKind::Form(form, slots) = &expr.kind else {
            return;
        };
        match form {
            Form::Roll => self.ask(expr, "the dice were rolled"),
            Form::Random | Form::RandomOf | Form::Shuffle => self.ask(expr, "chance was asked"),
            Form::Ask | Form::AskMany | Form::AskSome | Form::AskTimes | Form::Let => {
                let who = slot(*form, slots, "P").expr();
                if !who.is_some_and(|who| is_word(who, "player")) {
                    self.ask(expr, "another player was asked");
                }
            }
            Form::Require | Form::Rollback => {
                if let Some((asked, what)) = self.asked {
                    self.found.push((expr.origin, asked, what));
                }
            }
            Form::Send | Form::SendNew => {
                if let Some(name) = given(slot(*form, slots, "L")).cloned() {
                    self.message(&name);
                }
            }
            _ => {}
        }
    }

    fn ask(&mut self, expr: &Expr, what: &'static str) {
        self.asked = self.asked.or(Some((expr.origin, what)));
    }
}

fn on(rule: &Rule, name: &str) -> bool {
    rule.labels.iter().any(|(label, _)| &**label == name || &**label == "*")
}
