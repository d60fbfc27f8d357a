//! Laws, defines, conditions and domains only look.

use crate::site::SiteRole;
use crate::tree::{as_word, slot};
use crate::walk::{Found, Walk};
use houserules_model::forms::{Effect, Shelf};
use houserules_model::*;

impl Walk<'_, '_> {
    pub(crate) fn check_purity(&mut self, form: Form, slots: &[Slot], origin: Origin) {
        let def = form.def();
        if def.shelf == Shelf::Showing && self.site.role != SiteRole::View {
            let head = format!("({} …)", def.head);
            self.report(
                Diagnostic::error(
                    "view/outside",
                    "Only a representation draws",
                    origin,
                    format!("`{head}` belongs into a `#view`."),
                )
                .note("Entities know the rules of the game, representations know how it looks.")
                .hint("Put it under `#view NAME of MODEL`, into the `#onMessage` that should draw."),
            );
            return;
        }
        let Some(place) = self.pure else { return };
        let only_law = matches!(form, Form::Require | Form::Rollback | Form::OpenCheckpoint);
        let in_law = self.is_law() && place == "a law";
        let changes = match def.effect {
            Effect::Pure => false,
            Effect::Asks => true,
            Effect::Writes => !self.changes_variable(form, slots),
            Effect::Local => form == Form::UpdateAttribute || (only_law && !in_law),
        };
        if !changes {
            return;
        }
        let head = def.head;
        let diagnostic = if def.effect == Effect::Asks {
            Diagnostic::error(
                "law/asks",
                format!("Nothing can be asked or rolled in {place}"),
                origin,
                format!("`({head} …)` stops and waits for an answer."),
            )
            .note(why(place))
        } else if only_law {
            Diagnostic::error(
                "law/refuses",
                format!("Nothing can be refused in {place}"),
                origin,
                format!("`({head} …)` ends an action."),
            )
            .note("It is asked in the middle of other rules; it can only give an answer.")
        } else if matches!(form, Form::Send | Form::SendNew | Form::SendMessage | Form::Forward) {
            Diagnostic::error(
                "law/sends",
                format!("No message can be sent from {place}"),
                origin,
                "Whoever answers this message may change the game.",
            )
            .note(why(place))
        } else {
            Diagnostic::error(
                "law/writes",
                format!("Nothing can be changed in {place}"),
                origin,
                if form == Form::UpdateAttribute {
                    "This changes the message.".into()
                } else {
                    format!("`({head} …)` changes the game.")
                },
            )
            .note(why(place))
        };
        let hint = match place {
            "a law" if def.effect == Effect::Asks => {
                "Ask or roll in a behavior, keep the answer in a property, and let the law look at that."
            }
            "a law" if only_law => "Ask for the condition itself.",
            "a law" => {
                "Move it into a `#sideeffect` on the same message; it runs after the behavior. \
                 To ask something of a thing, write a `#define`."
            }
            _ if only_law => "Give the condition as the value, and `require` it in a law.",
            "a define" => "Compute the value without it, or make this an `#onMessage` and send it from a side-effect.",
            _ => "Do it before, in a behavior or side-effect, and look at the result here.",
        };
        self.report(diagnostic.hint(hint));
    }

    /// `set` on a variable of the same body changes nothing else.
    fn changes_variable(&self, form: Form, slots: &[Slot]) -> bool {
        if !matches!(form, Form::Set | Form::Increase | Form::Decrease) {
            return false;
        }
        let target = slot(form, slots, "X").expr().and_then(as_word);
        target.is_some_and(|(name, _)| matches!(self.look_up(name), Some(Found::Variable(_)) | None))
    }
}

fn why(place: &str) -> &'static str {
    match place {
        "a law" => {
            "Laws are tried on every choice a player might make. \
             One that did more than look would change the game before anybody has chosen."
        }
        "a define" => "Defines are asked by laws while choices are listed, so they may only look.",
        "an evaluator" => {
            "An evaluator is asked thousands of times while a computer player thinks, so it may only look."
        }
        "the domain of an action" => {
            "The choices of a player are listed before anything happens, so this may only look."
        }
        "a first value" => "First values are computed before the game begins.",
        _ => "It is tried on one candidate after the other, so it may only look.",
    }
}
