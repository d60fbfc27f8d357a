//! What runs around a behavior, in the order in which it runs.

use crate::document::Reading;
use crate::text::Span;
use houserules_model::*;
use serde::Serialize;

/// The laws and side-effects of a message, as they look at one behavior or rule.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Around {
    pub label: String,
    /// The model that answers; none where the cursor stands in a rule for any.
    pub of: Option<String>,
    pub state: Option<String>,
    /// The behavior itself.
    pub at: Option<Span>,
    pub before: Vec<AroundRule>,
    pub after: Vec<AroundRule>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AroundRule {
    pub name: String,
    pub kind: &'static str,
    pub mode: &'static str,
    /// None: it comes from the game that this one builds on.
    pub at: Option<Span>,
    /// It stands for other messages, too.
    pub several: bool,
}

impl Around {
    /// Of the behavior, action or rule in which a byte lies.
    pub fn at(reading: &Reading, byte: usize) -> Option<Around> {
        let item = reading
            .own
            .iter()
            .filter(|item| item.origin.start as usize <= byte)
            .max_by_key(|item| item.origin.start)?;
        let (label, of, state) = match &item.kind {
            ItemKind::Behavior(own) => (own.label.clone(), Some(own.of.clone()), Some(own.state.clone())),
            ItemKind::Action(own) => {
                let model = own.to.as_ref().and_then(|to| match &to.kind {
                    ExprKind::Word(name) => Some(name.clone()),
                    _ => None,
                });
                (own.label.clone(), model, None)
            }
            ItemKind::Rule(own) => {
                let model = own.to.first().map(|(name, _)| name.clone());
                (own.labels.first()?.0.clone(), model, own.states.first().map(|(name, _)| name.clone()))
            }
            _ => return None,
        };
        let rules: Vec<(RuleKind, AroundRule)> = reading
            .definition
            .rules()
            .filter(|rule| is_about(reading, rule, &label, of.as_deref(), state.as_deref()))
            .map(|rule| (rule.kind, drawn(reading, rule)))
            .collect();
        let part = |law: bool| {
            rules.iter().filter(move |(kind, _)| (*kind == RuleKind::Law) == law).map(|(_, rule)| rule.clone())
        };
        let at = reading.own.iter().find(|item| match &item.kind {
            ItemKind::Behavior(own) => {
                own.label == label
                    && of.as_ref().is_none_or(|of| own.of == *of)
                    && state.as_ref().is_none_or(|state| own.state == *state)
            }
            ItemKind::Action(own) => own.label == label && own.body.is_some(),
            _ => false,
        });
        Some(Around {
            label: label.to_string(),
            of: of.map(|of| of.to_string()),
            state: state.map(|state| state.to_string()),
            at: at.map(|item| item.origin.into()),
            before: part(true).collect(),
            after: part(false).collect(),
        })
    }
}

fn drawn(reading: &Reading, rule: &Rule) -> AroundRule {
    let own = reading.own.iter().find(|item| matches!(&item.kind, ItemKind::Rule(own) if own.name == rule.name));
    AroundRule {
        name: rule.name.to_string(),
        kind: crate::picture::rule_kind(rule.kind),
        mode: crate::change::word_of(rule.mode),
        at: own.map(|item| item.origin.into()),
        several: rule.labels.len() > 1 || rule.labels.iter().any(|(label, _)| **label == *"*"),
    }
}

fn is_about(reading: &Reading, rule: &Rule, label: &str, of: Option<&str>, state: Option<&str>) -> bool {
    let any = |names: &[(Name, Origin)], fits: &dyn Fn(&str) -> bool| {
        names.is_empty() || names.iter().any(|(name, _)| **name == *"*" || fits(name))
    };
    let kind_of = |wanted: &str| {
        of.is_none_or(|of| is_a(reading, of, wanted) || is_a(reading, wanted, of) || is_thing_of(reading, wanted, of))
    };
    any(&rule.labels, &|own| own == label)
        && any(&rule.to, &kind_of)
        && any(&rule.states, &|own| state.is_none_or(|state| state == own || state == "*"))
}

fn is_a(reading: &Reading, model: &str, other: &str) -> bool {
    let mut now: Option<Name> = Some(model.into());
    for _ in 0..=reading.definition.items().len() {
        let Some(name) = now else { return false };
        if *name == *other {
            return true;
        }
        now = reading.definition.items().iter().find_map(|item| match &item.kind {
            ItemKind::Model { name: own, parent } if *own == name => parent.clone(),
            _ => None,
        });
    }
    false
}

fn is_thing_of(reading: &Reading, thing: &str, model: &str) -> bool {
    reading.definition.items().iter().any(|item| match &item.kind {
        ItemKind::Entity(own) => own.name.as_deref() == Some(thing) && is_a(reading, &own.model, model),
        _ => false,
    })
}
