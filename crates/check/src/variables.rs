//! Names of variables, and variables that nothing reads.

use crate::kinds::Kinds;
use crate::outline::Member;
use crate::walk::Walk;
use houserules_model::*;

impl Walk<'_, '_> {
    pub(crate) fn check_variable_name(&mut self, name: &Name, origin: Origin) {
        let what = if forms::with_head(name).next().is_some() {
            "a form of the language"
        } else if self.outline.is_direction(name) {
            "a direction of the board"
        } else if matches!(&**name, "self" | "game" | "player" | "opponent" | "message" | "nil" | "true") {
            "a word of the language"
        } else {
            return;
        };
        self.report(
            Diagnostic::error("name/taken", "This name is taken", origin, format!("`{name}` is {what}."))
                .note("A variable of that name would change what other lines mean.")
                .hint(format!(
                    "Take another name, such as `{}`.",
                    if name.len() > 12 { "x".into() } else { format!("my-{name}") }
                )),
        );
    }

    pub(crate) fn check_hidden_property(&mut self, name: &Name, origin: Origin) {
        if let Some(Member::Property(property)) = self.outline.member(&self.site.own, name) {
            if self.site.own == Kinds::Any {
                return;
            }
            let of = &property.of;
            self.report(
                Diagnostic::warning(
                    "name/hides",
                    "A variable hides a property",
                    origin,
                    format!("From here on `{name}` is this variable, not the `{name}` of `{of}`."),
                )
                .hint(format!("Take another name for the variable; or `(set {name} to …)` if the property was meant.")),
            );
        }
    }

    pub(crate) fn check_hidden_model(&mut self, name: &Name, origin: Origin) {
        if self.outline.models.contains_key(name) {
            self.report(
                Diagnostic::warning(
                    "name/hides",
                    "A variable hides a model",
                    origin,
                    format!("From here on `{name}` is this variable, not `#model {name}`."),
                )
                .hint(format!("Take another name for the variable, such as `my-{name}`.")),
            );
        }
    }

    pub(crate) fn check_unread_variables(&mut self) {
        let unread: Vec<(Name, Origin)> = self
            .variables
            .iter()
            .filter(|variable| variable.local && !variable.read)
            .map(|variable| (variable.name.clone(), variable.origin))
            .collect();
        for (name, origin) in unread {
            self.report(
                Diagnostic::warning(
                    "unused/variable",
                    "A variable that nothing reads",
                    origin,
                    format!("`{name}` is never used after this."),
                )
                .hint("Take it away, or use it."),
            );
        }
    }
}
