//! Properties, settings and defines that nothing uses.
//!
//! A name that is mentioned anywhere, variants included, counts as used: a warning must be true.

use crate::outline::{EVERY_THING, target_name};
use crate::tree::{computed, given, slot};
use houserules_model::*;
use std::collections::BTreeSet;

#[derive(Default)]
struct Mentions {
    read: BTreeSet<Name>,
    set: BTreeSet<Name>,
    /// A computed name, or text that could not be read: anything may be meant.
    anything: bool,
}

/// What is unused, by name.
pub fn check(definition: &Definition) -> Vec<(Name, Diagnostic)> {
    let mut found = Vec::new();
    let mut mentions = Mentions::default();
    for item in definition.items() {
        mentions.item(item);
        if let ItemKind::Variant(variant) = &item.kind {
            variant.changes.iter().for_each(|item| mentions.item(item));
        }
    }
    if mentions.anything {
        return found;
    }
    for item in definition.items() {
        let unused = match &item.kind {
            ItemKind::Property(property) => {
                property_use(property, item.origin, &mentions).map(|unused| (property.name.clone(), unused))
            }
            ItemKind::Setting(setting) if !mentions.read.contains(&setting.name) => {
                Some((setting.name.clone(), unread_setting(&setting.name, item.origin)))
            }
            ItemKind::Define(define) if !mentions.read.contains(&define.name) => {
                Some((define.name.clone(), unasked_define(&define.name, item.origin)))
            }
            _ => None,
        };
        found.extend(unused);
    }
    found
}

fn unread_setting(name: &str, origin: Origin) -> Diagnostic {
    let label = format!("`{name}` can be chosen, but changes nothing.");
    Diagnostic::warning("unused/setting", "A setting that nothing reads", origin, label)
        .hint(format!("Use the word `{name}` where the rules have a fixed number, or take the setting away."))
}

fn unasked_define(name: &str, origin: Origin) -> Diagnostic {
    Diagnostic::warning("unused/define", "A define that nothing asks", origin, format!("`{name}` is never used."))
        .hint("Use it in a rule, or take it away.")
}

fn property_use(property: &Property, origin: Origin, mentions: &Mentions) -> Option<Diagnostic> {
    let name = &property.name;
    let known = EVERY_THING.contains(&&**name) || matches!(&**name, "score" | "team" | "players");
    if known || property.role == Role::Appearance {
        return None;
    }
    let read = mentions.read.contains(name);
    let set = mentions.set.contains(name) || property.value.is_some();
    if !read {
        let label = if set {
            format!("`{name}` is kept, but no rule looks at it.")
        } else {
            format!("`{name}` is neither set nor read.")
        };
        let diagnostic = Diagnostic::warning("unused/property", "A property that nothing reads", origin, label);
        return Some(diagnostic.hint("Read it in a rule or show it with `#look`, or take it away."));
    }
    if !set {
        let label = format!("`{name}` has no first value and is never set: it is always nil.");
        let diagnostic = Diagnostic::warning("unused/never-set", "A property that nothing sets", origin, label);
        return Some(
            diagnostic
                .hint(format!("Give it a first value, `#property {name} 0`, or `(set {name} to …)` in a behavior.")),
        );
    }
    None
}

impl Mentions {
    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Entity(entity) => {
                self.set.extend(entity.with.iter().map(|(name, _)| name.clone()));
                for each in &entity.each {
                    if let ForEach::In(name, _) = each {
                        self.set.insert(name.clone());
                    }
                }
            }
            ItemKind::Picture { property: Some(property), .. } => {
                self.set.insert(property.clone());
            }
            ItemKind::History(history) => self.read.extend(history.things.iter().map(|(name, _)| name.clone())),
            _ => {}
        }
        item.exprs(&mut |expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Missing => self.anything = true,
            ExprKind::Word(name) | ExprKind::Call { name, .. } => {
                self.read.insert(name.clone());
            }
            ExprKind::Form(form, slots) => {
                let part = |name: &str| slot(*form, slots, name);
                match form {
                    Form::Set | Form::Increase | Form::Decrease => {
                        if let Some(target) = part("X").expr() {
                            self.target(target);
                        }
                        for name in ["V", "N"] {
                            if let Some(value) = part(name).expr() {
                                self.expr(value);
                            }
                        }
                        return;
                    }
                    Form::NewProperty | Form::UpdateProperty => {
                        self.anything |= computed(part("P"));
                        self.set.extend(given(part("P")).cloned());
                    }
                    Form::Property | Form::Observe => {
                        self.anything |= computed(part("P"));
                        self.read.extend(given(part("P")).cloned());
                    }
                    Form::New => {
                        self.set.extend(part("A").pairs().iter().filter_map(|(name, _)| name.known().cloned()));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        expr.children(&mut |child| self.expr(child));
    }

    fn target(&mut self, target: &Expr) {
        match target_name(target) {
            Some(name) => {
                self.set.insert(name);
            }
            None => self.anything = true,
        }
        match &target.kind {
            ExprKind::Form(form @ Form::Property, slots) => {
                if let Some(of) = slot(*form, slots, "E").expr() {
                    self.expr(of);
                }
            }
            _ => target.children(&mut |child| self.expr(child)),
        }
    }
}
