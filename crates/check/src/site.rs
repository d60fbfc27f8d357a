use crate::kinds::Kinds;
use crate::outline::Outline;
use crate::tree::{is_word, slot};
use houserules_model::*;
use std::collections::BTreeSet;

/// A body or expression of the definition, and what holds there.
pub struct Site<'a> {
    pub role: SiteRole,
    /// The kinds `self` can be of.
    pub own: Kinds,
    pub attributes: Attributes,
    /// Properties of the representation that this stands in.
    pub view_properties: Vec<Name>,
    pub params: Vec<(Name, Origin)>,
    pub body: Vec<&'a Expr>,
    /// Laws on the same messages make sure that `self` belongs to who acts.
    pub own_things_only: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteRole {
    Behavior,
    ActionBody,
    Setup,
    Law,
    SideEffect,
    View,
    Define,
    /// Which receivers and attributes an action has.
    Domain,
    Evaluator,
    /// A first value, a size, a look: computed, never run as rules.
    Value,
}

pub enum Attributes {
    /// No message is being handled.
    None,
    These(BTreeSet<Name>),
    /// Any label: any attribute.
    All,
}

impl SiteRole {
    /// What it is called where nothing may change, or nothing if it may.
    pub fn pure(self) -> Option<&'static str> {
        match self {
            SiteRole::Law => Some("a law"),
            SiteRole::Define => Some("a define"),
            SiteRole::Domain => Some("the domain of an action"),
            SiteRole::Evaluator => Some("an evaluator"),
            SiteRole::Value => Some("a first value"),
            SiteRole::Behavior | SiteRole::ActionBody | SiteRole::Setup | SiteRole::SideEffect | SiteRole::View => None,
        }
    }
}

/// Every body and expression of the definition that can be looked at.
pub fn sites<'a>(outline: &Outline<'a>) -> Vec<Site<'a>> {
    let mut sites = Vec::new();
    for item in outline.items.iter().copied() {
        add(outline, item, &mut sites);
    }
    sites
}

fn add<'a>(outline: &Outline<'a>, item: &'a Item, sites: &mut Vec<Site<'a>>) {
    let site = |role, own: Kinds, body: Vec<&'a Expr>| Site {
        role,
        own,
        attributes: Attributes::None,
        view_properties: Vec::new(),
        params: Vec::new(),
        body,
        own_things_only: false,
    };
    let value = |own: &str, expr: &'a Expr| site(SiteRole::Value, Kinds::one(own), vec![expr]);
    match &item.kind {
        ItemKind::Behavior(behavior) => sites.push(Site {
            attributes: of_labels(outline, std::iter::once(&behavior.label)),
            ..site(SiteRole::Behavior, Kinds::one(&behavior.of), behavior.body.iter().collect())
        }),
        ItemKind::Define(define) => sites.push(define_site(define, item.origin)),
        ItemKind::Rule(rule) => {
            let role = if rule.kind == RuleKind::SideEffect { SiteRole::SideEffect } else { SiteRole::Law };
            sites.push(Site {
                attributes: of_labels(outline, rule.labels.iter().map(|(label, _)| label)),
                own_things_only: own_things_only(outline, rule),
                ..site(role, rule_receivers(outline, rule), rule.body.iter().collect())
            });
        }
        ItemKind::Action(action) => {
            let own = outline.action_receivers(action);
            if let Some(to) = &action.to {
                sites.push(site(SiteRole::Domain, Kinds::one("game"), vec![to]));
            }
            for (at, (_, domain)) in action.with.iter().enumerate() {
                let earlier = action.with[..at].iter().map(|(name, _)| name.clone()).collect();
                let attributes = Attributes::These(earlier);
                sites.push(Site { attributes, ..site(SiteRole::Domain, own.clone(), vec![domain]) });
            }
            if let Some(body) = &action.body {
                sites.push(Site {
                    attributes: of_labels(outline, std::iter::once(&action.label)),
                    ..site(SiteRole::ActionBody, own, body.iter().collect())
                });
            }
        }
        ItemKind::Setup(body) => sites.push(Site {
            attributes: Attributes::These(BTreeSet::new()),
            ..site(SiteRole::Setup, Kinds::one("game"), body.iter().collect())
        }),
        ItemKind::Evaluator { value, .. } => sites.push(site(SiteRole::Evaluator, Kinds::one("game"), vec![value])),
        ItemKind::Setting(setting) => {
            // A plain word that names no setting is a word to choose, unless it looks like a slip.
            let slip = |name: &Name| {
                let others = outline.settings.keys().filter(|other| **other != setting.name).map(|other| &**other);
                setting.among.is_empty() && nearest(name, others).is_some()
            };
            let word = |expr: &Expr| match &expr.kind {
                ExprKind::Word(name) => !outline.settings.contains_key(name) && !slip(name),
                _ => false,
            };
            item.exprs(&mut |expr| {
                if !word(expr) {
                    sites.push(value("game", expr));
                }
            });
        }
        ItemKind::Property(property) => {
            item.exprs(&mut |expr| sites.push(value(&property.of, expr)));
        }
        ItemKind::Contents { of, .. }
        | ItemKind::Capacity { of, .. }
        | ItemKind::Supply { of, .. }
        | ItemKind::Look { of, .. } => {
            item.exprs(&mut |expr| sites.push(value(of, expr)));
        }
        ItemKind::Entity(entity) => {
            let mut params: Vec<(Name, Origin)> = Vec::new();
            let mut put = |own: &str, params: &[(Name, Origin)], expr| {
                sites.push(Site { params: params.to_vec(), ..site(SiteRole::Value, Kinds::one(own), vec![expr]) });
            };
            entity.times.iter().for_each(|times| put("game", &[], times));
            for each in &entity.each {
                if let ForEach::In(name, list) = each {
                    put("game", &params, list);
                    params.push((name.clone(), Origin::NONE));
                }
            }
            entity.at.iter().for_each(|at| put(&entity.model, &params, at));
            entity.with.iter().for_each(|(_, value)| put(&entity.model, &params, value));
        }
        ItemKind::Board(board) => {
            let known: Vec<(Name, Origin)> = ["row", "column"].map(|name| (name.into(), Origin::NONE)).into();
            item.exprs(&mut |expr| {
                let params = if board.cut.as_ref() == Some(expr) { known.clone() } else { Vec::new() };
                sites.push(Site { params, ..value("game", expr) });
            });
        }
        ItemKind::Link(Link { each, .. }) | ItemKind::Spot(Spot { each, .. }) => {
            let known: Vec<(Name, Origin)> = each.iter().map(|(name, _)| (name.clone(), Origin::NONE)).collect();
            item.exprs(&mut |expr| sites.push(Site { params: known.clone(), ..value("game", expr) }));
        }
        ItemKind::View(view) => {
            let names: Vec<Name> = view.properties.iter().map(|(name, _)| name.clone()).collect();
            for (_, first) in &view.properties {
                if let Some(first) = first {
                    sites.push(Site { view_properties: names.clone(), ..value(&view.of, first) });
                }
            }
            for behavior in &view.behaviors {
                let mut attributes = of_labels(outline, std::iter::once(&behavior.label));
                if let Attributes::These(known) = &mut attributes {
                    known.extend(behavior.attributes.iter().cloned());
                }
                sites.push(Site {
                    attributes,
                    view_properties: names.clone(),
                    ..site(SiteRole::View, Kinds::one(&view.of), behavior.body.iter().collect())
                });
            }
        }
        _ => item.exprs(&mut |expr| sites.push(value("game", expr))),
    }
}

pub fn define_site(define: &Define, origin: Origin) -> Site<'_> {
    Site {
        role: SiteRole::Define,
        own: Kinds::one(define.of.as_deref().unwrap_or("game")),
        attributes: Attributes::None,
        view_properties: Vec::new(),
        params: define.params.iter().map(|param| (param.clone(), origin)).collect(),
        body: define.body.iter().collect(),
        own_things_only: false,
    }
}

/// The kinds a rule can meet: those it names, or all that its messages reach.
pub fn rule_receivers(outline: &Outline, rule: &Rule) -> Kinds {
    let named = rule.to.iter().map(|(name, _)| match outline.named_thing(name) {
        Some(model) => Kinds::one(&model),
        None if outline.models.contains_key(name) => Kinds::one(name),
        None => Kinds::Any,
    });
    let reached = rule.labels.iter().map(|(label, _)| outline.receivers(label));
    let kinds = if rule.to.is_empty() { reached.reduce(Kinds::or) } else { named.reduce(Kinds::or) };
    kinds.unwrap_or(Kinds::Any)
}

fn of_labels<'n>(outline: &Outline, labels: impl Iterator<Item = &'n Name>) -> Attributes {
    let mut all: BTreeSet<Name> = outline.loose_attributes.clone();
    all.insert("label".into());
    for name in labels {
        if &**name == "*" {
            return Attributes::All;
        }
        if let Some(label) = outline.labels.get(name) {
            all.extend(label.attributes.iter().cloned());
        }
    }
    Attributes::These(all)
}

/// Whether some law on one of the rule's messages says `(= owner player)`, or all of them go to things that
/// `for each player` made for who acts.
fn own_things_only(outline: &Outline, rule: &Rule) -> bool {
    let goes_to_own = |(label, _): &(Name, Origin)| {
        let action = outline.labels.get(label).and_then(|label| label.action);
        let to = action.and_then(|action| action.to.as_ref());
        to.is_some_and(|to| match &to.kind {
            ExprKind::Call { name, of: Some(of), .. } => {
                outline.each_player.contains_key(name) && is_word(of, "player")
            }
            _ => false,
        })
    };
    if !rule.labels.is_empty() && rule.labels.iter().all(goes_to_own) {
        return true;
    }
    let shares = |law: &&&Rule| law.labels.iter().any(|(label, _)| rule.labels.iter().any(|(other, _)| other == label));
    outline.rules.iter().filter(|law| law.kind == RuleKind::Law).filter(shares).any(|law| {
        let mut found = false;
        for expr in &law.body {
            expr.walk(&mut |expr| {
                if let ExprKind::Form(Form::Equal, slots) = &expr.kind {
                    let sides = [slot(Form::Equal, slots, "A").expr(), slot(Form::Equal, slots, "B").expr()];
                    let is = |word: &str| sides.iter().flatten().any(|side| is_word(side, word));
                    found |= is("owner") && is("player");
                }
            });
        }
        found
    })
}
