//! Laws that refuse nothing, or do not say why.

use crate::outline::Outline;
use houserules_model::*;

pub fn check(outline: &Outline, found: &mut Vec<Diagnostic>) {
    for item in &outline.items {
        let ItemKind::Rule(rule) = &item.kind else { continue };
        if rule.kind == RuleKind::SideEffect {
            continue;
        }
        reasons(rule, found);
        if says_something(&rule.body) {
            continue;
        }
        let place = rule.body.last().map_or(item.origin, |last| last.origin);
        let label = "Whatever this gives, the law allows everything.";
        found.push(
            Diagnostic::warning("law/allows-all", "A law that never refuses", place, label)
                .note("A law refuses by `(require …)`, or by a `(return)` that is reached.")
                .hint("If this is the condition, write `(require …)` around it."),
        );
    }
}

/// A law is met by whoever wanted to do something: he is told why not, and the name of the rule is seldom the answer.
fn reasons(rule: &Rule, found: &mut Vec<Diagnostic>) {
    for expr in &rule.body {
        expr.walk(&mut |expr| {
            if let ExprKind::Form(Form::Require, slots) = &expr.kind
                && !slots[1].given()
            {
                let label = "Whoever is refused is told the name of the law only.";
                found.push(
                    Diagnostic::warning("law/reason", "A law that does not say why", expr.origin, label)
                        .hint("Say it in one sentence: `(require … \"That cell is taken.\")`."),
                );
            }
        });
    }
}

/// Whether it can refuse or open a checkpoint. Of what could not be read nothing is known.
fn says_something(body: &Body) -> bool {
    let mut says = false;
    for expr in body {
        expr.walk(&mut |expr| {
            says |= match &expr.kind {
                // A form that changes something has been reported already.
                ExprKind::Form(form, _) => {
                    matches!(form, Form::Require | Form::Return | Form::Rollback | Form::OpenCheckpoint)
                        || matches!(form.def().effect, forms::Effect::Writes | forms::Effect::Asks)
                }
                ExprKind::Missing => true,
                _ => false,
            };
        });
    }
    says
}
