//! What can be given another value, and what cannot.

use crate::kinds::Kinds;
use crate::names::suggest;
use crate::outline::Member;
use crate::tree::{computed, given, given_origin};
use crate::walk::{Found, Walk};
use houserules_model::*;

impl Walk<'_, '_> {
    /// `(new property p as v)`, `(update property p to v)`.
    pub(crate) fn own_property(&mut self, slot: &Slot, new: bool) {
        let Some(name) = given(slot) else { return };
        if computed(slot) || new || self.site.view_properties.contains(name) {
            return;
        }
        match self.outline.member(&self.site.own, name) {
            Some(Member::Builtin(_)) => self.check_builtin_set(name, given_origin(slot)),
            Some(member @ (Member::Define(_) | Member::Direction)) => {
                self.cannot_be_set(name, given_origin(slot), &member)
            }
            Some(Member::Property(_)) => {}
            None => self.unknown_member(name, given_origin(slot), &self.site.own.clone()),
        }
    }

    /// `(set word to …)`.
    pub(crate) fn check_set_word(&mut self, name: &Name, origin: Origin) {
        match self.look_up(name) {
            None => {
                let mut diagnostic = Diagnostic::error(
                    "name/unknown",
                    "Unknown word",
                    origin,
                    format!("Nothing here is called `{name}`."),
                );
                let owners = self.owners(name);
                diagnostic = if owners.is_empty() {
                    let known = self.words_here();
                    let near = nearest(name, known.iter().map(|name| &**name)).is_some();
                    let diagnostic = suggest(diagnostic, name, "Known here", known.iter().map(|name| &**name));
                    if near {
                        diagnostic
                    } else {
                        diagnostic.hint(format!(
                            "A new variable is made by `(var {name} …)`, a property by `#property {name}`."
                        ))
                    }
                } else {
                    let (owners, own) = (Kinds::Of(owners).words(), self.site.own.words());
                    diagnostic
                        .note(format!("{owners} has `{name}`, but `self` is {own} here."))
                        .hint(format!("Say whose it is: `(set ({name} of …) to …)`."))
                };
                self.report(diagnostic);
            }
            Some(Found::Define(_)) => {
                self.not_settable(name, origin, "It is a define: its value is computed each time it is asked.")
            }
            Some(Found::Member(member @ (Member::Define(_) | Member::Direction), _)) => {
                self.cannot_be_set(name, origin, &member)
            }
            Some(Found::Member(Member::Builtin(_), _)) => self.check_builtin_set(name, origin),
            Some(Found::Fixed(_)) if !self.site.view_properties.contains(name) => {
                let why = if self.outline.settings.contains_key(name) {
                    "It is a setting: it is chosen before a match and stays as it is."
                } else {
                    "It always means the same."
                };
                self.not_settable(name, origin, why);
            }
            Some(_) => {}
        }
    }

    pub(crate) fn check_builtin_set(&mut self, name: &Name, origin: Origin) {
        let why = match &**name {
            "name" | "kind" | "number" => "It is fixed when the thing is made.",
            "contents" | "top" | "empty" => "It follows from what was moved here. Write `(move … to …)`.",
            "place" => "A thing changes its place by `(move … to …)`.",
            "row" | "column" => "It is fixed by the board.",
            "next" | "previous" => "It follows from the order of the players. Write `(set players to …)`.",
            "seats" => "The players keep their seats. Write `(set players to …)` for another order.",
            _ => return,
        };
        self.not_settable(name, origin, why);
    }

    pub(crate) fn cannot_be_set(&mut self, name: &Name, origin: Origin, member: &Member) {
        let why = match member {
            Member::Define(_) => "It is a define: its value is computed each time it is asked.",
            _ => "It is a direction of the board.",
        };
        self.not_settable(name, origin, why);
    }

    fn not_settable(&mut self, name: &Name, origin: Origin, why: &str) {
        self.report(
            Diagnostic::error("type/set", "This cannot be set", origin, format!("`{name}` cannot be given a value."))
                .note(why),
        );
    }
}
