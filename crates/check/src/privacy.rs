//! Behaviors keep to their own entity; laws keep secrets.

use crate::kinds::Kinds;
use crate::outline::{EVERY_THING, Member};
use crate::site::SiteRole;
use crate::tree::is_word;
use crate::walk::{Holder, Walk};
use houserules_model::*;
use std::collections::BTreeSet;

impl Walk<'_, '_> {
    /// A property is read.
    pub(crate) fn check_reading(&mut self, property: &Property, holder: Holder, origin: Origin) {
        self.check_leak(property, holder, origin);
        let Holder::Of(target) = holder else { return };
        // What every thing has, such as an owner, is open to all even where a model computes it anew.
        let open = EVERY_THING.contains(&&*property.name) || self.pure.is_some();
        if open || !self.keeps_to_itself() || self.is_own(target) {
            return;
        }
        let (name, of) = (&property.name, &property.of);
        let (title, label) = ("A behavior reads another entity's property", format!("`{name}` belongs to `{of}`."));
        // What a player does with one thing often looks at another: there the author is only told.
        let diagnostic = match self.site.role {
            SiteRole::ActionBody => Diagnostic::warning("property/foreign-read", title, origin, label),
            _ => Diagnostic::error("property/foreign-read", title, origin, label),
        };
        self.report(
            diagnostic
                .note(
                    "Entities know their own properties; what they need of others reaches them in messages. \
                     Laws and side-effects may read everything.",
                )
                .hint(format!(
                    "Send `{name}` along as an attribute, ask for it with a `#define` of `{of}`, \
                     or write `#properties open` if everybody may know everything."
                )),
        );
    }

    /// `(set (name of target) to …)`.
    pub(crate) fn check_writing(&mut self, member: &Member, name: &Name, origin: Origin, target: &Expr, kinds: &Kinds) {
        match member {
            Member::Property(property) => {
                let open = EVERY_THING.contains(&&*property.name);
                if open || !self.keeps_to_itself() || self.is_own(target) {
                    return;
                }
                let (title, label) =
                    ("A behavior changes another entity's property", format!("`{name}` belongs to `{}`.", property.of));
                // Players of a team share what they win; often the player is one of them.
                let diagnostic = if *kinds == Kinds::one("player") && self.site.own == *kinds {
                    Diagnostic::warning("property/foreign-write", title, origin, label)
                } else {
                    Diagnostic::error("property/foreign-write", title, origin, label)
                };
                self.report(
                    diagnostic
                        .note("A behavior says what its own entity does. Side-effects may change everything.")
                        .hint(format!(
                            "Send the other one a message and let it `(set {name} to …)` itself, \
                             move this into a `#sideeffect`, or write `#properties open`."
                        )),
                );
            }
            Member::Builtin(_) => self.check_builtin_set(name, origin),
            Member::Define(_) | Member::Direction => self.cannot_be_set(name, origin, member),
        }
    }

    pub(crate) fn check_foreign_state(&mut self, target: &Expr) {
        if self.keeps_to_itself() && !self.is_own(target) {
            self.report(
                Diagnostic::error(
                    "property/foreign-state",
                    "A behavior changes another entity's state",
                    target.origin,
                    "Its state belongs to this entity.",
                )
                .note("An entity changes its own state; side-effects may change everything.")
                .hint("Send it a message and let it `(changeState …)` itself."),
            );
        }
    }

    fn keeps_to_itself(&self) -> bool {
        matches!(self.site.role, SiteRole::Behavior | SiteRole::ActionBody) && !self.outline.open_properties
    }

    fn is_own(&self, target: &Expr) -> bool {
        let own_game = is_word(target, "game") && self.site.own == Kinds::one("game");
        let action = self.site.role == SiteRole::ActionBody;
        is_word(target, "self") || own_game || (action && (is_word(target, "player") || is_word(target, "game")))
    }

    /// A law that asks a define looks at everything the define looks at.
    pub(crate) fn check_leak_through(&mut self, define: &Define, origin: Origin) {
        if !self.is_law() || self.site.own_things_only {
            return;
        }
        let Mentioned { anywhere, of_player } = self.mentioned(define);
        let models = self.outline.models.values();
        let hidden = models.flat_map(|model| model.properties.values()).find(|property| match property.seen {
            None | Some(Sight::Everyone) => false,
            // Who acts knows what is their own.
            Some(Sight::Owner | Sight::Myself) => anywhere.contains(&property.name),
            _ => anywhere.contains(&property.name) || of_player.contains(&property.name),
        });
        if let Some(property) = hidden {
            let (asked, name) = (&define.name, &property.name);
            let label = format!("`{asked}` looks at `{name}`, which not everybody may see.");
            self.report(secret(origin, label));
        }
    }

    /// Every name that a define mentions, and those it asks. Its own parameters mean what it is asked with.
    fn mentioned(&self, define: &Define) -> Mentioned {
        let mut mentioned = Mentioned::default();
        let mut waiting: Vec<&Define> = vec![define];
        while let Some(define) = waiting.pop() {
            let mut here: Vec<(Name, bool)> = Vec::new();
            for expr in &define.body {
                expr.walk(&mut |expr| match &expr.kind {
                    ExprKind::Word(name) if !define.params.contains(name) => here.push((name.clone(), false)),
                    ExprKind::Call { name, of, .. } => {
                        let of_player = of.as_ref().is_some_and(|of| is_word(of, "player"));
                        here.push((name.clone(), of_player));
                    }
                    _ => {}
                });
            }
            for (name, of_player) in here {
                let names = if of_player { &mut mentioned.of_player } else { &mut mentioned.anywhere };
                if names.insert(name.clone()) {
                    waiting.extend(self.outline.models.values().filter_map(|model| model.defines.get(&name)));
                    waiting.extend(self.outline.defines.get(&name));
                }
            }
        }
        mentioned
    }

    /// A law that looks at what the player may not see tells it by allowing or refusing.
    fn check_leak(&mut self, property: &Property, holder: Holder, origin: Origin) {
        if !self.is_law() {
            return;
        }
        let words = match &property.seen {
            None | Some(Sight::Everyone) => return,
            Some(Sight::Nobody) => "Nobody",
            Some(Sight::Myself) => "Only the entity itself",
            Some(Sight::Owner) => "Only its owner",
            Some(Sight::Those(_)) => "Only some players",
        };
        let of_player = matches!(holder, Holder::Of(target) if is_word(target, "player"));
        let theirs =
            matches!(property.seen, Some(Sight::Owner | Sight::Myself)) && (of_player || self.site.own_things_only);
        if theirs {
            return;
        }
        let name = &property.name;
        self.report(secret(origin, format!("{words} may see `{name}`.")));
    }
}

/// The names that defines mention: of the player who acts, and of whatever else.
#[derive(Default)]
struct Mentioned {
    anywhere: BTreeSet<Name>,
    of_player: BTreeSet<Name>,
}

fn secret(origin: Origin, label: String) -> Diagnostic {
    Diagnostic::warning("sight/leak", "This law gives a secret away", origin, label)
        .note("Whoever acts is told at once whether the law allows it, and can tell the hidden value from that.")
        .hint(
            "Let a side-effect look at it instead, or add a law such as `(require (= owner player))` \
             if only own things are meant.",
        )
}
