//! Values that cannot be what they are used as.

use crate::kinds::{Kinds, Type, What};
use crate::names::{counted, shape_word, suggest};
use crate::tree::slot;
use crate::walk::Walk;
use houserules_model::forms::Effect;
use houserules_model::*;

impl Walk<'_, '_> {
    /// Something that is asked whether it holds. Only nil does not.
    pub(crate) fn condition(&mut self, expr: &Expr) -> Type {
        let found = self.expr(expr);
        let always =
            matches!(found.what, What::Number | What::Text | What::List(_) | What::Dictionary | What::Direction)
                && !found.nil;
        if always {
            let what = found.what.words();
            let hint = match found.what {
                What::List(_) => "Ask whether anything is in it: `(any …)`; or how many: `(> (count …) 0)`.",
                What::Number => "Compare it: `(> … 0)`.",
                _ => "Compare it with what it should be: `(= … …)`.",
            };
            self.report(
                Diagnostic::warning(
                    "type/condition",
                    "This condition always holds",
                    expr.origin,
                    format!("This is {what}, and only nil counts as false."),
                )
                .note("Also `0`, an empty text and an empty list count as true.")
                .hint(hint),
            );
        }
        found
    }

    pub(crate) fn number(&mut self, expr: &Expr, purpose: &str) {
        let found = self.expr(expr);
        let wrong = matches!(
            found.what,
            What::Text
                | What::List(_)
                | What::Dictionary
                | What::Thing(_)
                | What::Model(_)
                | What::Message
                | What::Direction
                | What::Truth
        );
        let nil = matches!(&expr.kind, ExprKind::Word(name) if &**name == "nil");
        if !wrong && !nil {
            return;
        }
        let what = if nil { "nil" } else { found.what.words() };
        let mut diagnostic =
            Diagnostic::error("type/number", "A number is needed here", expr.origin, format!("This is {what}."))
                .note(format!("A number is needed {purpose}. In play this would stop the action with an error."));
        diagnostic = match (&found.what, &expr.kind) {
            (What::List(_) | What::Model(_), _) => diagnostic.hint("For how many there are, write `(count …)`."),
            (What::Thing(_), ExprKind::Word(name)) => {
                diagnostic.hint(format!("Which number of it? For example `(number of {name})`."))
            }
            (What::Thing(_), _) => diagnostic.hint("Which number of it? For example `(number of …)`."),
            (What::Text, ExprKind::Text(text)) if text.parse::<f64>().is_ok() => {
                diagnostic.hint(format!("Without quotes: `{text}`."))
            }
            _ => diagnostic,
        };
        self.report(diagnostic);
    }

    pub(crate) fn number_slot(&mut self, slot: &Slot, purpose: &str) {
        if let Some(expr) = slot.expr() {
            self.number(expr, purpose);
        }
    }

    pub(crate) fn thing_slot(&mut self, slot: &Slot, purpose: &str) {
        if let Some(expr) = slot.expr() {
            let found = self.expr(expr);
            self.check_is_thing(&found, expr, purpose);
        }
    }

    pub(crate) fn check_is_thing(&mut self, found: &Type, expr: &Expr, purpose: &str) {
        if let ExprKind::Text(name) = &expr.kind {
            if self.named_thing(name).is_none() {
                self.unknown_thing(name, expr.origin);
            }
            return;
        }
        if !matches!(
            found.what,
            What::Number
                | What::Truth
                | What::List(_)
                | What::Dictionary
                | What::Message
                | What::Direction
                | What::Text
        ) {
            return;
        }
        let mut diagnostic = Diagnostic::error(
            "type/thing",
            "A thing is needed here",
            expr.origin,
            format!("This is {}.", found.what.words()),
        )
        .note(format!("An entity is needed {purpose}."));
        if matches!(found.what, What::List(_)) {
            diagnostic = diagnostic.hint("Take one of them: `(first …)`, or go through all: `(foreach x in … …)`.");
        }
        self.report(diagnostic);
    }

    /// The E of `(p of E)`.
    pub(crate) fn check_can_be_asked(&mut self, found: &Type, expr: &Expr, asked: &str) {
        if !matches!(
            found.what,
            What::Number | What::Truth | What::List(_) | What::Dictionary | What::Direction | What::Text
        ) {
            return;
        }
        // A define that answers a text may name an entity.
        if found.what == What::Text {
            return;
        }
        let mut diagnostic = Diagnostic::error(
            "type/thing",
            "A thing is needed here",
            expr.origin,
            format!("This is {}; it has no `{asked}`.", found.what.words()),
        );
        diagnostic = match found.what {
            What::List(_) => diagnostic
                .hint(format!("For all of them `(all {asked} of …)`, for the first `({asked} of (first …))`.")),
            What::Dictionary => diagnostic.hint("The value of a key: `(match KEY in …)`."),
            _ => diagnostic.note("Properties are asked of entities and messages."),
        };
        self.report(diagnostic);
    }

    pub(crate) fn check_is_list(&mut self, found: &Type, expr: &Expr) {
        self.check_is_not_thing(found, expr);
        if matches!(found.what, What::Number | What::Text | What::Truth) {
            let mut diagnostic = Diagnostic::error(
                "type/list",
                "A list is needed here",
                expr.origin,
                format!("This is {}.", found.what.words()),
            );
            diagnostic = match found.what {
                What::Number => diagnostic.hint("The numbers from 1 to N: `(range 1 N)`."),
                _ => diagnostic.hint("A list of values: `(list …)`."),
            };
            self.report(diagnostic);
        }
    }

    /// A thing is not the list of what lies in it.
    fn check_is_not_thing(&mut self, found: &Type, expr: &Expr) {
        if let What::Thing(kinds @ Kinds::Of(_)) = &found.what {
            let label = format!("This is one thing, {}.", kinds.words());
            self.report(
                Diagnostic::warning("type/list", "A list is needed here", expr.origin, label)
                    .hint("What lies in it: `(contents of …)`. A list of this one: `(list …)`."),
            );
        }
    }

    /// A player, or a list of players.
    pub(crate) fn check_is_player(&mut self, expr: &Expr) {
        let found = self.expr(expr);
        if let ExprKind::Text(name) = &expr.kind {
            if self.named_thing(name).is_none() {
                self.unknown_thing(name, expr.origin);
            }
            return;
        }
        let wrong = match &found.what {
            What::Number | What::Truth | What::Dictionary | What::Message | What::Direction => true,
            What::Thing(Kinds::Of(models)) => !models
                .iter()
                .any(|model| self.outline.related_to(&Kinds::one(model)).iter().any(|name| &**name == "player")),
            _ => false,
        };
        if !wrong {
            return;
        }
        let what = match &found.what {
            What::Thing(kinds) => kinds.words(),
            other => other.words().to_string(),
        };
        let diagnostic =
            Diagnostic::error("type/player", "A player is needed here", expr.origin, format!("This is {what}."));
        self.report(match &found.what {
            What::Thing(_) => diagnostic.hint("If its owner is meant, write `(owner of …)`."),
            _ => diagnostic.hint("`player` is who acts; the others are `opponent`, `(next of player)` or their names."),
        });
    }

    pub(crate) fn check_place_at(&mut self, model: &Name, given: usize, origin: Origin) {
        let outline = self.outline;
        let boards: Vec<&Board> = outline
            .boards
            .iter()
            .copied()
            .filter(|board| board.model == *model || board.name.as_ref() == Some(model))
            .collect();
        let Some(board) = boards.first() else {
            let known = outline.boards.iter().map(|board| &*board.model);
            let diagnostic = Diagnostic::error(
                "type/board",
                "Not the places of a board",
                origin,
                format!("No board is made of `{model}`."),
            );
            self.report(suggest(diagnostic, model, "Boards are made of", known));
            return;
        };
        let wanted = match board.shape {
            Shape::Ring { .. } | Shape::Track { .. } => 1,
            Shape::Graph => {
                self.report(
                    Diagnostic::error(
                        "type/board",
                        "A graph has no rows and columns",
                        origin,
                        format!("The places of `{model}` are known by their names."),
                    )
                    .hint("Write the name of the place, as in its `#link`."),
                );
                return;
            }
            _ => 2,
        };
        if given != wanted {
            let words = if wanted == 1 { format!("({model} at NUMBER)") } else { format!("({model} at COLUMN ROW)") };
            self.report(
                Diagnostic::error(
                    "type/arguments",
                    "Too few or too many numbers for a place",
                    origin,
                    format!("A {} needs {}.", shape_word(board), counted(wanted, "number")),
                )
                .hint(format!("Write `{words}`.")),
            );
        }
    }

    /// Values of different kinds are never equal.
    pub(crate) fn check_comparable(
        &mut self,
        form: Form,
        left: &Type,
        right: &Type,
        other: Option<&Expr>,
        origin: Origin,
    ) {
        let group = |what: &What| match what {
            What::Number => Some(0),
            What::Text => Some(1),
            What::List(_) => Some(2),
            What::Dictionary => Some(3),
            What::Thing(_) => Some(4),
            What::Message => Some(5),
            What::Direction => Some(6),
            What::Unknown | What::Nil | What::Truth | What::Model(_) => None,
        };
        let (Some(one), Some(two)) = (group(&left.what), group(&right.what)) else {
            return;
        };
        if one == two {
            return;
        }
        let always = if form == Form::Equal { "never" } else { "always" };
        let label = format!("This {always} holds: {} is not {}.", left.what.words(), right.what.words());
        let diagnostic = Diagnostic::warning("type/equal", "Two different kinds of value are compared", origin, label);
        self.report(match other.map(|other| &other.kind) {
            Some(ExprKind::Text(name)) if self.named_thing(name).is_some() && !name.contains(' ') => {
                diagnostic.hint(format!("For the entity itself write `{name}` without quotes."))
            }
            _ if one == 2 || two == 2 => {
                diagnostic.hint("Whether a list has it: `(is … in …)`. How many it has: `(count …)`.")
            }
            _ if one.max(two) == 4 => {
                diagnostic.hint("Compare one of its properties: `(= (number of …) …)`, `(= (name of …) …)`.")
            }
            _ => diagnostic,
        });
    }

    /// A value in the middle of a body goes nowhere.
    pub(crate) fn check_useless(&mut self, statement: &Expr) {
        if is_value(statement) {
            self.report(
                Diagnostic::warning(
                    "type/useless",
                    "This value is not used",
                    statement.origin,
                    "It is computed and forgotten.",
                )
                .note("Only the last value of a body is its answer; the ones before must do something.")
                .hint("Take it away, or say what to do with it: `(set … to …)`, `(require …)`, `(return …)`."),
            );
        }
    }

    /// `(if c a b)` is two statements here, not a choice between two values.
    pub(crate) fn check_missing_else(&mut self, slots: &[Slot], origin: Origin) -> bool {
        let then = slot(Form::If, slots, "THEN").exprs();
        if let ([first, second], false) = (then, slot(Form::If, slots, "ELSE").given())
            && is_value(first)
            && is_value(second)
        {
            self.report(
                Diagnostic::warning(
                    "type/else",
                    "Two values without `else`",
                    second.origin,
                    "This is computed as well, after the first one.",
                )
                .and(origin, "Without `else` both belong to the same case.")
                .hint("Put `else` between them: `(if CONDITION VALUE else OTHER)`."),
            );
            return true;
        }
        false
    }
}

/// Whether this only computes something.
fn is_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Told(_)
        | ExprKind::Word(_)
        | ExprKind::Call { .. }
        | ExprKind::PlaceAt { .. } => true,
        ExprKind::Form(form, _) => form.def().effect == Effect::Pure,
        ExprKind::Missing => false,
    }
}
