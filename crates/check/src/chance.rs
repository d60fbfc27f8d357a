//! Rules that could take back what chance or another player has already said.

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
}

pub fn check(outline: &Outline, found: &mut Vec<Diagnostic>) {
    let mut told: BTreeSet<(u16, u32)> = BTreeSet::new();
    for (name, label) in &outline.labels {
        if label.action.is_none() {
            continue;
        }
        let mut course = Course { outline, trail: BTreeSet::new(), budget: 500, asked: None, found: Vec::new() };
        course.message(name);
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

impl Course<'_, '_> {
    fn message(&mut self, name: &Name) {
        if self.budget == 0 || self.trail.len() > 30 || !self.trail.insert(name.clone()) {
            return;
        }
        self.budget -= 1;
        let Some(label) = self.outline.labels.get(name) else {
            return;
        };
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

    fn body(&mut self, body: &Body) {
        body.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        // What stands inside happens first.
        expr.children(&mut |child| self.expr(child));
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
