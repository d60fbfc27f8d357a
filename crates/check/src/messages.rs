//! Messages that nobody answers, rules that nothing reaches, actions that do nothing.

use crate::kinds::{Kinds, Type, What};
use crate::names::{capital, suggest};
use crate::outline::Outline;
use crate::tree::{given, given_origin};
use crate::walk::Walk;
use houserules_model::*;

impl Walk<'_, '_> {
    /// Whom a message goes to.
    pub(crate) fn receiver(&mut self, found: Type, expr: &Expr) -> Type {
        if let ExprKind::Text(name) = &expr.kind {
            return match self.named_thing(name) {
                Some(kind) => kind,
                None => {
                    self.unknown_thing(name, expr.origin);
                    Type::UNKNOWN
                }
            };
        }
        if matches!(found.what, What::Number | What::Truth | What::Dictionary | What::Direction | What::Message) {
            let message = format!("This is {}.", found.what.words());
            self.report(
                Diagnostic::error(
                    "type/receiver",
                    "A message to something that is not an entity",
                    expr.origin,
                    message,
                )
                .hint("Name an entity: `game`, `self`, `player`, a place or piece, or a list of them."),
            );
            return Type::UNKNOWN;
        }
        match found.what {
            What::List(member) => Type::maybe(*member),
            _ => found,
        }
    }

    pub(crate) fn check_sending(&mut self, label_slot: &Slot, receiver: Option<&Type>) {
        let Some(name) = given(label_slot) else { return };
        let origin = given_origin(label_slot);
        let outline = self.outline;
        let kinds = receiver.map_or(Kinds::Any, Type::kinds);
        let Some(label) = outline.labels.get(name) else { return };
        let answered = !label.handlers.is_empty() || label.action.is_some_and(|action| action.body.is_some());
        if outline.handled_by(label, &kinds) || in_views(outline, name) {
            return;
        }
        let diagnostic = if answered {
            let who =
                label.handlers.iter().map(|behavior| Kinds::one(&behavior.of)).reduce(Kinds::or).unwrap_or(Kinds::Any);
            let text = format!("{} does not answer `{name}` in any state.", capital(&kinds.words()));
            Diagnostic::warning("message/unhandled", "A message that does nothing", origin, text)
                .note(format!("{} answers it.", capital(&who.words())))
                .hint(format!("Send it there, or add `#onMessage {name}` to `#model {}`.", first_model(&kinds)))
        } else {
            let text = format!("Nobody answers `{name}`.");
            let known = outline.labels.iter().filter(|(_, label)| !label.handlers.is_empty() || label.action.is_some());
            let known: Vec<&str> = known.map(|(name, _)| &**name).collect();
            let diagnostic = Diagnostic::warning("message/unhandled", "A message that does nothing", origin, text)
                .note("In play it would be sent and forgotten.");
            if nearest(name, known.iter().copied()).is_some() {
                suggest(diagnostic, name, "", known)
            } else {
                diagnostic.hint(format!("Add `#onMessage {name}` to `#model {}`.", first_model(&kinds)))
            }
        };
        self.report(diagnostic);
    }
}

fn first_model(kinds: &Kinds) -> &str {
    match kinds {
        Kinds::Of(models) if !models.is_empty() => &models[0],
        _ => "MODEL",
    }
}

fn in_views(outline: &Outline, label: &str) -> bool {
    outline.items.iter().any(|item| match &item.kind {
        ItemKind::View(view) => view.behaviors.iter().any(|behavior| &*behavior.label == label),
        _ => false,
    })
}

/// Rules on messages that never come, actions without effect.
pub fn check(outline: &Outline, found: &mut Vec<Diagnostic>) {
    for item in &outline.items {
        match &item.kind {
            ItemKind::Rule(rule) => rule_labels(outline, rule, found),
            ItemKind::Action(action) => {
                without_effect(outline, action, item.origin, found);
                words(action, item.origin, found);
            }
            _ => {}
        }
    }
}

fn rule_labels(outline: &Outline, rule: &Rule, found: &mut Vec<Diagnostic>) {
    for (name, origin) in rule.labels.iter().filter(|(name, _)| &**name != "*") {
        let comes = outline
            .labels
            .get(name)
            .is_some_and(|label| label.sent || label.machine || label.action.is_some() || !label.handlers.is_empty());
        if comes || outline.computed_labels {
            if let Some(label) = outline.labels.get(name).filter(|label| !is_answered(outline, rule, label)) {
                found.push(unanswered(rule, name, *origin, label));
            }
            continue;
        }
        let real = |label: &crate::outline::Label| {
            label.sent || label.machine || label.action.is_some() || !label.handlers.is_empty()
        };
        let known = outline.labels.iter().filter(|(_, label)| real(label)).map(|(name, _)| &**name);
        let diagnostic = Diagnostic::warning(
            "message/unsent",
            "A rule on a message that never comes",
            *origin,
            format!("Nobody sends or answers `{name}`."),
        )
        .note(format!("The rule “{}” would never be looked at.", rule.name));
        found.push(suggest(diagnostic, name, "Messages of this game", known));
    }
}

/// Whether anybody a rule can meet answers a message, in a state that it names.
fn is_answered(outline: &Outline, rule: &Rule, label: &crate::outline::Label) -> bool {
    if label.machine || label.action.is_some() {
        return true;
    }
    let kinds = outline.related_to(&crate::site::rule_receivers(outline, rule));
    let named = |state: &str| rule.states.iter().any(|(wanted, _)| matches!(&**wanted, "*") || **wanted == *state);
    label.handlers.iter().any(|behavior| {
        let in_state = rule.states.is_empty() || &*behavior.state == "*" || named(&behavior.state);
        in_state && (rule.to.is_empty() || kinds.contains(&behavior.of))
    })
}

fn unanswered(rule: &Rule, name: &Name, origin: Origin, label: &crate::outline::Label) -> Diagnostic {
    let diagnostic = Diagnostic::warning(
        "message/unanswered",
        "A rule on a message that nobody answers",
        origin,
        format!("Nobody whom this rule is about answers `{name}`."),
    )
    .note(format!("A message without an answer is none: the rule “{}” would never be looked at.", rule.name));
    match label.handlers.first() {
        Some(behavior) => diagnostic
            .hint(format!("`#model {}` answers it in state `{}`. Bind the rule to that.", behavior.of, behavior.state)),
        None => diagnostic.hint(format!("Add `#onMessage {name}` to the model that receives it; it may be empty.")),
    }
}

fn without_effect(outline: &Outline, action: &Action, origin: Origin, found: &mut Vec<Diagnostic>) {
    let Some(label) = outline.labels.get(&action.label) else {
        return;
    };
    let any_rule = outline
        .rules
        .iter()
        .any(|rule| rule.kind == RuleKind::SideEffect && rule.labels.iter().any(|(name, _)| &**name == "*"));
    // Passing is something; so is an answer to `let`.
    let passes = outline.turns == Turns::Passing || action.when_asked || any_rule;
    if passes || outline.handled_by(label, &outline.action_receivers(action)) {
        return;
    }
    let name = &action.label;
    let to = outline.action_receivers(action);
    let diagnostic = Diagnostic::error(
        "action/no-effect",
        "An action without effect",
        origin,
        format!("Nothing happens when a player chooses `{name}`."),
    )
    .note(format!(
        "{} has no `#onMessage {name}` in any state, the action has no body, and no side-effect stands on it.",
        capital(&to.words())
    ));
    let known = outline
        .labels
        .iter()
        .filter(|(other, label)| *other != name && !label.handlers.is_empty() && label.action.is_none())
        .map(|(name, _)| &**name);
    found.push(match nearest(name, known) {
        Some(near) => diagnostic.hint(format!("There is `#onMessage {near}`. Did you mean that?")),
        None => diagnostic
            .hint(format!("Write what happens after `#action {name} …`, or add `#sideeffect \"…\" on {name}`.")),
    });
}

/// The names in `as "{player} jumps over {over}"`.
fn words(action: &Action, origin: Origin, found: &mut Vec<Diagnostic>) {
    let Some(text) = &action.words else { return };
    let attributes = action.with.iter().map(|(name, _)| &**name);
    let known: Vec<&str> = attributes.chain(["player", "self", "place"]).collect();
    for name in text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name.trim()) {
        if known.contains(&name) {
            continue;
        }
        let label = format!("`{{{name}}}` is nothing that this choice carries.");
        let diagnostic = Diagnostic::error("name/attribute", "Unknown name in the words of an action", origin, label);
        found.push(suggest(diagnostic, name, "It can say", known.iter().copied()));
    }
}
