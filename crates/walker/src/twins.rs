//! Which things no rule can tell apart: equal in everything, one of them is offered for all.
//!
//! Here stands what a definition says about it; whether two things are equal now, whether they lie in one row of equals
//! and whether nothing refers to one of them is asked of a position. Walker and machine ask both in the same way: a thing
//! that is left out wrongly is a move that is lost.

use crate::world::{EntityId, GAME_KIND, KindId, PLAYER_KIND, World};
use houserules_model::*;
use std::collections::BTreeSet;

/// What can be told apart whatever it is equal in.
#[derive(Clone, Default, Debug)]
pub struct Twins {
    /// By entity: those of the world that have a name of their own, are places or edges, players or the game.
    single: Vec<bool>,
    /// By kind: rules ask for their numbers, names or order, or for one certain thing.
    apart: Vec<bool>,
    /// What players were given by `for each player` and no rule asks them for.
    unasked: BTreeSet<Name>,
}

impl Twins {
    pub fn of(definition: &Definition, world: &World) -> Twins {
        let called = called(definition, world);
        let single = |(at, thing): (usize, &crate::world::Thing)| {
            let entity = at as EntityId;
            entity <= world.n_seats || thing.board.is_some() || world.is_edge(entity) || called.contains(&*thing.name)
        };
        let apart = |kind: KindId| {
            matches!(kind, GAME_KIND | PLAYER_KIND)
                || definition
                    .items()
                    .iter()
                    .any(|item| tells_apart(item, world, kind, about(item, definition, world, kind)))
        };
        Twins {
            single: world.entities.iter().enumerate().map(single).collect(),
            apart: (0..world.kinds.len() as KindId).map(apart).collect(),
            unasked: unasked(definition, world),
        }
    }

    /// Whether a property tells of the things that it holds.
    pub fn tells(&self, property: &str) -> bool {
        !self.unasked.contains(property)
    }

    /// Whether nobody else can be offered for a thing of this kind.
    #[inline]
    pub fn is_single(&self, entity: EntityId, kind: KindId) -> bool {
        self.single.get(entity as usize) == Some(&true) || self.apart[kind as usize]
    }
}

/// Names that authors gave to single things, and whatever else a definition calls by a name. The word for a kind is the
/// name of nobody, though a thing without a name is called so.
fn called<'a>(definition: &'a Definition, world: &World) -> BTreeSet<&'a str> {
    let mut called = BTreeSet::new();
    for item in definition.items() {
        match &item.kind {
            ItemKind::Entity(Entity { name: Some(name), .. }) => drop(called.insert(&**name)),
            ItemKind::Rule(rule) => {
                called.extend(rule.to.iter().map(|(to, _)| &**to).filter(|to| world.kind(to).is_none()));
            }
            _ => {}
        }
        item.exprs(&mut |top| {
            top.walk(&mut |expr| {
                if let ExprKind::Text(name) | ExprKind::Word(name) = &expr.kind
                    && world.kind(name).is_none()
                {
                    called.insert(name);
                }
            });
        });
    }
    called
}

fn unasked(definition: &Definition, world: &World) -> BTreeSet<Name> {
    let mut unasked: BTreeSet<Name> = world.granted.iter().map(|(_, name, ..)| name.clone()).collect();
    for item in definition.items() {
        let of_players = about(item, definition, world, PLAYER_KIND);
        item.exprs(&mut |top| {
            top.walk(&mut |expr| match &expr.kind {
                ExprKind::Call { name, .. } => drop(unasked.remove(name)),
                ExprKind::Word(name) if of_players => drop(unasked.remove(name)),
                // A name that is computed may be any.
                ExprKind::Form(Form::Property, _) => unasked.clear(),
                _ => {}
            });
        });
    }
    unasked
}

/// Whether what an item says is said of things of a kind, as `self`.
fn about(item: &Item, definition: &Definition, world: &World, kind: KindId) -> bool {
    let of = |model: &str| world.kind(model).is_none_or(|of| world.is_a(kind, of) || world.is_a(of, kind));
    match &item.kind {
        ItemKind::Behavior(behavior) => of(&behavior.of),
        ItemKind::Define(define) => define.of.as_deref().is_some_and(of),
        ItemKind::Property(property) => of(&property.of),
        ItemKind::Action(action) => world.goes_to(action, kind),
        ItemKind::Rule(rule) if rule.to.is_empty() => {
            rule.labels.iter().any(|(label, _)| &**label == "*" || is_answered(definition, world, kind, label))
        }
        ItemKind::Rule(rule) => rule.to.iter().any(|(to, _)| of(to)),
        _ => false,
    }
}

/// Whether things of a kind answer a message, in some state.
fn is_answered(definition: &Definition, world: &World, kind: KindId, label: &str) -> bool {
    definition.items().iter().any(|item| match &item.kind {
        ItemKind::Behavior(behavior) => {
            *behavior.label == *label
                && world.kind(&behavior.of).is_some_and(|of| world.is_a(kind, of) || world.is_a(of, kind))
        }
        ItemKind::Action(action) => *action.label == *label && world.goes_to(action, kind),
        _ => false,
    })
}

fn tells_apart(item: &Item, world: &World, kind: KindId, about: bool) -> bool {
    let word = |expr: &Expr, wanted: &str| matches!(&expr.kind, ExprKind::Word(name) if &**name == wanted);
    let mut found = false;
    item.exprs(&mut |top| {
        top.walk(&mut |expr| {
            found |= match &expr.kind {
                ExprKind::Word(name) => &**name == "top" || about && matches!(&**name, "number" | "name"),
                ExprKind::Call { name, .. } => matches!(&**name, "top" | "number" | "name"),
                // A name that is computed may be anybody's.
                ExprKind::Form(Form::Entity, slots) => {
                    !matches!(slots[0].expr().map(|name| &name.kind), Some(ExprKind::Text(_)))
                }
                // Another one than oneself is another one for each of them.
                ExprKind::Form(Form::Equal | Form::Unequal, slots) if about => {
                    let sides = [slots[0].expr(), slots[1].expr()];
                    let either = |wanted: &str| sides.iter().flatten().any(|side| word(side, wanted));
                    either("self") && !either("it")
                }
                ExprKind::Form(Form::First | Form::Last | Form::FirstOf | Form::At | Form::Position, _) => {
                    lists(expr, world, kind)
                }
                _ => false,
            };
        });
    });
    found
}

/// Whether an expression asks for the contents of a place, or for the things of a kind, in their order.
fn lists(expr: &Expr, world: &World, kind: KindId) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| {
        found |= match &inner.kind {
            ExprKind::Call { name, .. } if &**name == "contents" => true,
            ExprKind::Word(name) => &**name == "contents" || world.kind(name).is_some_and(|of| world.is_a(kind, of)),
            _ => false,
        };
    });
    found
}
