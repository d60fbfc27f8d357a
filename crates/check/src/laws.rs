//! Laws that refuse nothing.

use crate::outline::Outline;
use houserules_model::*;

pub fn check(outline: &Outline, found: &mut Vec<Diagnostic>) {
    for item in &outline.items {
        let ItemKind::Rule(rule) = &item.kind else { continue };
        if rule.kind == RuleKind::SideEffect || says_something(&rule.body) {
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
