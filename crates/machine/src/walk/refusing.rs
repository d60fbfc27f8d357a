//! Which bodies could still refuse an action. Testing a choice stops after the last of them: what comes
//! later only follows from the action and is no part of its legality.

use super::book::Book;
use houserules_model::*;
use std::collections::BTreeSet;

/// Labels and defines whose code can roll an action back, directly or through what it sends and asks.
#[derive(Default)]
pub struct Refusing {
    labels: BTreeSet<Name>,
    defines: BTreeSet<Name>,
    /// Some rule for `*` refuses, so every message could.
    every_label: bool,
    /// Some place has a capacity, so every move could be refused.
    moves: bool,
}

impl Refusing {
    /// Grows the sets until nothing is added.
    pub fn of(book: &Book) -> Refusing {
        let mut refusing =
            Refusing { moves: book.world.kinds.iter().any(|kind| kind.capacity.is_some()), ..Refusing::default() };
        while refusing.grow(book) {}
        refusing
    }

    fn grow(&mut self, book: &Book) -> bool {
        let before = (self.labels.len(), self.defines.len(), self.every_label);
        for define in book.defines() {
            if self.body(&define.body) {
                self.defines.insert(define.name.clone());
            }
        }
        for behavior in book.behaviors() {
            if self.body(&behavior.body) {
                self.labels.insert(behavior.label.clone());
            }
        }
        for action in &book.actions {
            if action.body.as_ref().is_some_and(|body| self.body(body)) {
                self.labels.insert(action.label.clone());
            }
        }
        for rule in &book.rules {
            if self.rule(rule) {
                for (label, _) in &rule.labels {
                    if &**label == "*" {
                        self.every_label = true;
                    } else {
                        self.labels.insert(label.clone());
                    }
                }
            }
        }
        before != (self.labels.len(), self.defines.len(), self.every_label)
    }

    /// A law before an inner message only stops that message, unless it rolls back.
    fn rule(&self, rule: &Rule) -> bool {
        match rule.kind {
            RuleKind::Law => rule.body.iter().any(|expr| has_form(expr, Form::Rollback)),
            RuleKind::AfterLaw => true,
            RuleKind::SideEffect => self.body(&rule.body),
        }
    }

    /// Whether a rule that runs after the behavior could refuse.
    pub fn post(&self, rule: &Rule) -> bool {
        rule.kind == RuleKind::AfterLaw || self.body(&rule.body)
    }

    pub fn label(&self, label: &Name) -> bool {
        self.every_label || self.labels.contains(label)
    }

    pub fn body(&self, body: &[Expr]) -> bool {
        let mut found = false;
        for top in body {
            top.walk(&mut |expr| found |= self.expr(expr));
        }
        found
    }

    fn expr(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Word(name) | ExprKind::Call { name, .. } => self.defines.contains(name),
            ExprKind::Form(form, slots) => match form {
                Form::Require | Form::Rollback => true,
                Form::Send | Form::SendNew => match slots[0].name().and_then(NameRef::known) {
                    Some(label) => self.label(label),
                    None => self.any_label(),
                },
                Form::SendMessage | Form::Forward => self.any_label(),
                Form::Win => self.label(&"gameover".into()),
                Form::Move | Form::New | Form::Set => self.moves,
                // `(property (what) of x)` may come to any define.
                Form::Property => {
                    !self.defines.is_empty()
                        && slots[0]
                            .name()
                            .is_some_and(|name| name.known().is_none_or(|name| self.defines.contains(name)))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn any_label(&self) -> bool {
        self.every_label || !self.labels.is_empty()
    }
}

fn has_form(expr: &Expr, wanted: Form) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| found |= matches!(inner.kind, ExprKind::Form(form, _) if form == wanted));
    found
}
