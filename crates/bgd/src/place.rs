//! Puts what was read of a lowered text back to where it comes from, so that messages point into the program.

use crate::Lowered;
use houserules_model::*;

/// The items with their places in the program.
pub fn placed(items: &[Item], lowered: &Lowered) -> Vec<Item> {
    let mut items = items.to_vec();
    items.iter_mut().for_each(|item| Placer(lowered).item(item));
    items
}

struct Placer<'a>(&'a Lowered);

impl Placer<'_> {
    fn put(&self, origin: &mut Origin) {
        if !origin.is_none() {
            *origin = self.0.origin(origin.start);
        }
    }

    fn item(&self, item: &mut Item) {
        self.put(&mut item.origin);
        match &mut item.kind {
            ItemKind::Setting(setting) => {
                self.expr(&mut setting.value);
                setting.among.iter_mut().for_each(|value| self.expr(value));
            }
            ItemKind::Players(players) => players.names.iter_mut().for_each(|player| self.put(&mut player.origin)),
            ItemKind::Setup(body) => self.body(body),
            ItemKind::Property(property) => {
                property.value.iter_mut().for_each(|value| self.expr(value));
                self.sight(&mut property.seen);
            }
            ItemKind::Define(define) => self.body(&mut define.body),
            ItemKind::Behavior(behavior) => self.body(&mut behavior.body),
            ItemKind::Contents { seen, counted, .. } => {
                self.sight(seen);
                self.sight(counted);
            }
            ItemKind::Capacity { most, .. } => self.expr(most),
            ItemKind::Link(link) => link.places.iter_mut().for_each(|(place, origin)| {
                self.expr(place);
                self.put(origin);
            }),
            ItemKind::Spot(spot) => self.expr(&mut spot.name),
            ItemKind::Entity(entity) => {
                entity.at.iter_mut().for_each(|at| self.expr(at));
                entity.with.iter_mut().for_each(|(_, value)| self.expr(value));
            }
            ItemKind::Action(action) => {
                action.to.iter_mut().for_each(|to| self.expr(to));
                action.with.iter_mut().for_each(|(_, domain)| self.expr(domain));
                action.body.iter_mut().for_each(|body| self.body(body));
            }
            ItemKind::Rule(rule) => {
                rule.labels.iter_mut().for_each(|(_, origin)| self.put(origin));
                rule.to.iter_mut().for_each(|(_, origin)| self.put(origin));
                self.body(&mut rule.body);
            }
            // Nothing else is written by lowering.
            _ => {}
        }
    }

    fn sight(&self, sight: &mut Option<Sight>) {
        if let Some(Sight::Those(expr)) = sight {
            self.expr(expr);
        }
    }

    fn body(&self, body: &mut Body) {
        body.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn expr(&self, expr: &mut Expr) {
        self.put(&mut expr.origin);
        match &mut expr.kind {
            ExprKind::Told(parts) => parts.iter_mut().for_each(|part| self.expr(part)),
            ExprKind::Form(_, slots) => slots.iter_mut().for_each(|slot| self.slot(slot)),
            ExprKind::Call { name_origin, args, of, .. } => {
                self.put(name_origin);
                args.iter_mut().for_each(|arg| self.expr(arg));
                of.iter_mut().for_each(|of| self.expr(of));
            }
            ExprKind::PlaceAt { at, .. } => at.iter_mut().for_each(|at| self.expr(at)),
            ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Word(_) | ExprKind::Missing => {}
        }
    }

    fn name(&self, name: &mut NameRef) {
        match name {
            NameRef::Given(_, origin) => self.put(origin),
            NameRef::Computed(expr) => self.expr(expr),
        }
    }

    fn slot(&self, slot: &mut Slot) {
        match slot {
            Slot::Absent | Slot::Flag => {}
            Slot::Expr(expr) => self.expr(expr),
            Slot::Exprs(exprs) | Slot::Body(exprs) => self.body(exprs),
            Slot::Name(name) => self.name(name),
            Slot::Names(names) => names.iter_mut().for_each(|name| self.name(name)),
            Slot::Pairs(pairs) => pairs.iter_mut().for_each(|(name, value)| {
                self.name(name);
                self.expr(value);
            }),
            Slot::Entries(entries) => entries.iter_mut().for_each(|(key, value)| {
                self.expr(key);
                self.expr(value);
            }),
            Slot::Domain { list, owner, .. } => {
                self.expr(list);
                owner.iter_mut().for_each(|owner| self.expr(owner));
            }
            Slot::Cases { cases, otherwise } => {
                for case in cases {
                    self.expr(&mut case.value);
                    self.body(&mut case.body);
                }
                otherwise.iter_mut().for_each(|body| self.body(body));
            }
        }
    }
}
