//! Which bodies could still refuse an action. Testing a choice stops after the last of them: what comes
//! later only follows from the action and is no part of its legality.
//!
//! Walker and machine ask here, so that both test equally far: where one went further, it would meet a question that
//! means "legal", or a fault that means "not", and the other would not.

use crate::world::World;
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
    pub fn of(definition: &Definition, world: &World) -> Refusing {
        let moves = world.kinds.iter().any(|kind| kind.capacity.is_some());
        let mut refusing = Refusing { moves, ..Refusing::default() };
        while refusing.grow(definition) {}
        refusing
    }

    fn grow(&mut self, definition: &Definition) -> bool {
        let before = (self.labels.len(), self.defines.len(), self.every_label);
        for item in definition.items() {
            match &item.kind {
                ItemKind::Define(define) if self.body(&define.body) => {
                    self.defines.insert(define.name.clone());
                }
                ItemKind::Behavior(behavior) if self.body(&behavior.body) => {
                    self.labels.insert(behavior.label.clone());
                }
                ItemKind::Action(action) if self.body(action.body.as_deref().unwrap_or(&[])) => {
                    self.labels.insert(action.label.clone());
                }
                _ => {}
            }
        }
        for rule in definition.rules().filter(|rule| rule.mode != Mode::Off) {
            if !self.rule(rule) {
                continue;
            }
            for (label, _) in &rule.labels {
                if &**label == "*" {
                    self.every_label = true;
                } else {
                    self.labels.insert(label.clone());
                }
            }
        }
        before != (self.labels.len(), self.defines.len(), self.every_label)
    }

    /// A law before an inner message only stops that message by what it requires, unless it rolls back.
    fn rule(&self, rule: &Rule) -> bool {
        let requires = |expr: &Expr| matches!(expr.kind, ExprKind::Form(Form::Require, _));
        match rule.kind {
            RuleKind::Law => self.finds(&rule.body, |expr| !requires(expr) && self.expr(expr)),
            RuleKind::AfterLaw | RuleKind::SideEffect => self.post(rule),
        }
    }

    /// Whether a rule that runs after the behavior could refuse.
    pub fn post(&self, rule: &Rule) -> bool {
        rule.kind == RuleKind::AfterLaw || rule.kind == RuleKind::SideEffect && self.body(&rule.body)
    }

    fn label(&self, label: &str) -> bool {
        self.every_label || self.labels.contains(label)
    }

    /// Whether a behavior, or what a define gives, could refuse the action.
    pub fn body(&self, body: &[Expr]) -> bool {
        self.finds(body, |expr| self.expr(expr))
    }

    fn finds(&self, body: &[Expr], wanted: impl Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        for top in body {
            top.walk(&mut |expr| found |= wanted(expr));
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
                Form::Win => self.label("gameover"),
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
