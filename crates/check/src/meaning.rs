//! What each form looks at, and what its value can be.

use crate::kinds::{Kinds, Type, What};
use crate::tree::{as_word, given, given_origin, slot};
use crate::walk::Walk;
use houserules_model::*;

impl Walk<'_, '_> {
    pub(crate) fn form(&mut self, form: Form, slots: &[Slot], origin: Origin) -> Type {
        let part = |name: &str| slot(form, slots, name);
        let number = Type::sure(What::Number);
        match form {
            Form::If => {
                if let Some(condition) = part("C").expr() {
                    self.condition(condition);
                }
                let then = if self.check_missing_else(slots, origin) {
                    part("THEN").exprs().iter().map(|value| self.expr(value)).last().unwrap_or(Type::UNKNOWN)
                } else {
                    self.slot(part("THEN"))
                };
                match part("ELSE") {
                    Slot::Absent => then.nilable(),
                    otherwise => {
                        let otherwise = self.slot(otherwise);
                        then.or(otherwise)
                    }
                }
            }
            Form::While => {
                if let Some(condition) = part("C").expr() {
                    self.condition(condition);
                }
                self.slot(part("BODY"));
                Type::UNKNOWN
            }
            Form::Require => {
                if let Some(condition) = part("C").expr() {
                    self.condition(condition);
                }
                self.slot(part("REASON"));
                Type::UNKNOWN
            }
            Form::Switch => {
                self.slot(part("X"));
                self.slot(part("CASES"))
            }
            Form::Foreach => self.foreach(form, slots),
            Form::Do => self.slot(part("BODY")),
            Form::Var => {
                let kind = self.slot(part("V"));
                if let Some(name) = given(part("X")).cloned() {
                    let origin = given_origin(part("X"));
                    self.check_variable_name(&name, origin);
                    self.check_hidden_property(&name, origin);
                    self.check_hidden_model(&name, origin);
                    // It may be given other values later; that it stays a thing of the same kind is likely enough.
                    let kind = if matches!(kind.what, What::Thing(_)) { kind.nilable() } else { Type::UNKNOWN };
                    self.declare(name, origin, kind, true);
                }
                Type::UNKNOWN
            }
            Form::Set | Form::Increase | Form::Decrease => {
                match form {
                    Form::Set => {
                        self.slot(part("V"));
                    }
                    _ => self.number_slot(part("N"), "to add or subtract"),
                }
                if let Some(target) = part("X").expr() {
                    self.target(target);
                }
                Type::UNKNOWN
            }
            Form::Property => self.property(form, slots, origin),
            Form::NewProperty | Form::UpdateProperty => {
                self.slot(part("V"));
                self.own_property(part("P"), form == Form::NewProperty);
                Type::UNKNOWN
            }
            Form::ChangeState => {
                self.slot(part("S"));
                if let Some(target) = part("E").expr() {
                    let found = self.expr(target);
                    self.check_is_thing(&found, target, "change its state");
                    self.check_foreign_state(target);
                }
                Type::UNKNOWN
            }
            Form::Send | Form::SendNew | Form::NewMessage => {
                self.slot(part("L"));
                let receiver = part("E").expr().map(|receiver| {
                    let found = self.expr(receiver);
                    self.receiver(found, receiver)
                });
                self.slot(part("A"));
                self.check_sending(part("L"), receiver.as_ref());
                if form == Form::NewMessage { Type::sure(What::Message) } else { Type::UNKNOWN }
            }
            Form::Forward => {
                if let Some(receiver) = part("E").expr() {
                    let found = self.expr(receiver);
                    self.receiver(found, receiver);
                }
                Type::UNKNOWN
            }
            Form::Attribute => {
                match part("M").expr() {
                    Some(message) => {
                        self.expr(message);
                    }
                    None => {
                        self.slot(part("A"));
                    }
                }
                if let Some(name) = given(part("A"))
                    && !self.any_attribute(name)
                {
                    self.unknown_attribute(name, given_origin(part("A")));
                }
                Type::UNKNOWN
            }
            Form::Add | Form::Subtract | Form::Multiply | Form::Max | Form::Min => {
                for expr in part("A").exprs() {
                    self.number(expr, "in arithmetic");
                }
                if matches!(form, Form::Max | Form::Min) { number.nilable() } else { number }
            }
            Form::Divide | Form::Modulo | Form::Floor | Form::Abs => {
                self.number_slot(part("A"), "in arithmetic");
                self.number_slot(part("B"), "in arithmetic");
                number
            }
            Form::Less | Form::LessEqual | Form::Greater | Form::GreaterEqual => {
                self.number_slot(part("A"), "for a comparison by size");
                self.number_slot(part("B"), "for a comparison by size");
                Type::maybe(What::Truth)
            }
            Form::And => {
                let mut last = Type::sure(What::Truth);
                for (at, expr) in part("A").exprs().iter().enumerate() {
                    // The last one may be meant as the value.
                    last = if at + 1 < part("A").exprs().len() { self.condition(expr) } else { self.expr(expr) };
                }
                last.nilable()
            }
            Form::Or => {
                let mut all: Option<Type> = None;
                for (at, expr) in part("A").exprs().iter().enumerate() {
                    let kind = if at + 1 < part("A").exprs().len() { self.condition(expr) } else { self.expr(expr) };
                    all = Some(match all {
                        Some(known) => known.or(kind),
                        None => kind,
                    });
                }
                all.unwrap_or(Type::UNKNOWN).nilable()
            }
            Form::Not => {
                if let Some(condition) = part("A").expr() {
                    self.condition(condition);
                }
                Type::maybe(What::Truth)
            }
            Form::Equal | Form::Unequal => {
                let (left, right) = (self.slot(part("A")), self.slot(part("B")));
                self.check_comparable(form, &left, &right, part("B").expr(), origin);
                Type::maybe(What::Truth)
            }
            Form::IsIn => {
                self.slot(part("X"));
                if let Some(list) = part("L").expr() {
                    self.domain(list);
                }
                Type::maybe(What::Truth)
            }
            Form::IsA => {
                self.slot(part("X"));
                self.model_word(part("M"));
                Type::maybe(What::Truth)
            }
            Form::List => {
                let mut all: Option<Type> = None;
                for expr in part("A").exprs() {
                    let kind = self.expr(expr);
                    all = Some(match all {
                        Some(known) => known.or(kind),
                        None => kind,
                    });
                }
                Type::list(all.map_or(What::Unknown, |kind| kind.what))
            }
            Form::Range => {
                self.number_slot(part("A"), "to begin a range");
                self.number_slot(part("B"), "to end a range");
                self.number_slot(part("STEP"), "as a step");
                Type::list(What::Number)
            }
            Form::First | Form::Last | Form::RandomOf => {
                let member = part("L").expr().map_or(What::Unknown, |list| self.domain(list));
                Type::maybe(member)
            }
            Form::At => {
                self.number_slot(part("I"), "as a position");
                let member = part("L").expr().map_or(What::Unknown, |list| self.domain(list));
                Type::maybe(member)
            }
            Form::FirstOf => {
                self.number_slot(part("N"), "to say how many");
                let member = part("L").expr().map_or(What::Unknown, |list| self.domain(list));
                Type::list(member)
            }
            Form::Position => {
                self.slot(part("V"));
                self.slot(part("L"));
                number.nilable()
            }
            Form::SortBy => Type::list(self.quantifier(form, slots).0),
            Form::Flatten => {
                part("L").expr().map(|list| self.domain(list));
                Type::list(What::Unknown)
            }
            Form::Different | Form::Sort | Form::Reverse => {
                let member = part("L").expr().map_or(What::Unknown, |list| self.domain(list));
                Type::list(member)
            }
            Form::Append | Form::Insert | Form::Replace => {
                self.slot(part("V"));
                self.slot(part("I"));
                self.slot(part("L"));
                Type::list(What::Unknown)
            }
            Form::Join => {
                let mut all: Option<Type> = None;
                for list in part("A").exprs() {
                    let member = Type::sure(self.domain(list));
                    all = Some(match all {
                        Some(known) => known.or(member),
                        None => member,
                    });
                }
                Type::list(all.map_or(What::Unknown, |kind| kind.what))
            }
            Form::Dictionary | Form::Put => {
                slots.iter().for_each(|slot| {
                    self.slot(slot);
                });
                Type::sure(What::Dictionary)
            }
            Form::Every | Form::None => {
                self.quantifier(form, slots);
                Type::maybe(What::Truth)
            }
            Form::Any => Type::maybe(self.quantifier(form, slots).0),
            Form::All | Form::Most | Form::Least => Type::list(self.quantifier(form, slots).0),
            Form::AllOf => Type::list(self.quantifier(form, slots).1.what),
            Form::Count | Form::Sum | Form::SumOf => {
                self.quantifier(form, slots);
                number
            }
            Form::MaxOf | Form::MinOf => {
                self.quantifier(form, slots);
                number.nilable()
            }
            Form::GroupVia | Form::DistanceVia => {
                self.thing_slot(part("C"), "to begin at");
                self.thing_slot(part("A"), "to measure from");
                self.thing_slot(part("B"), "to measure to");
                self.looking_at(What::Thing(Kinds::Any), |walk| walk.slot(part("E")));
                self.steps(What::Thing(Kinds::Any), part("X"), part("W"));
                if form == Form::GroupVia { Type::list(What::Thing(Kinds::Any)) } else { number.nilable() }
            }
            Form::Edge => {
                self.thing_slot(part("A"), "to look between");
                self.thing_slot(part("B"), "to look between");
                let models = self.outline.edges.iter().map(|edges| edges.model.clone()).collect();
                Type::maybe(What::Thing(Kinds::Of(models)))
            }
            Form::Ends => {
                self.thing_slot(part("E"), "that lies between two places");
                Type::list(self.places())
            }
            Form::Opposite | Form::Turned => {
                self.direction(part("D"));
                self.number_slot(part("N"), "of turns");
                Type::UNKNOWN
            }
            Form::Entity => {
                self.slot(part("NAME"));
                match part("NAME").expr().map(|name| (&name.kind, name.origin)) {
                    Some((ExprKind::Text(name), origin)) => match self.named_thing(name) {
                        Some(kind) => kind,
                        None if self.outline.numbered => Type::sure(What::Thing(Kinds::Any)),
                        None => {
                            self.unknown_thing(name, origin);
                            Type::UNKNOWN
                        }
                    },
                    _ => Type::sure(What::Thing(Kinds::Any)),
                }
            }
            Form::Walk | Form::WalkExactly | Form::Group => {
                self.direction(part("D"));
                self.thing_slot(part("C"), "to begin at");
                self.number_slot(part("N"), "to say how far");
                let places = self.places();
                self.looking_at(places.clone(), |walk| {
                    for name in ["X", "Y", "Z"] {
                        if let Some(condition) = part(name).expr() {
                            walk.condition(condition);
                        }
                    }
                    Type::UNKNOWN
                });
                self.steps(places.clone(), &Slot::Absent, part("W"));
                Type::list(places)
            }
            Form::Line => {
                self.number_slot(part("N"), "to say how long");
                let places = self.places();
                self.looking_at(places.clone(), |walk| walk.slot(part("E")));
                self.thing_slot(part("C"), "to go through");
                self.direction(part("D"));
                Type::list(places).nilable()
            }
            Form::Border => {
                self.direction(part("D"));
                if let Some(list) = part("L").expr() {
                    self.domain(list);
                }
                Type::list(self.places())
            }
            Form::Between => {
                self.thing_slot(part("A"), "to look between");
                self.thing_slot(part("B"), "to look between");
                Type::list(self.places())
            }
            Form::Toward | Form::Distance => {
                self.thing_slot(part("A"), "to measure from");
                self.thing_slot(part("B"), "to measure to");
                self.direction(part("D"));
                let places = self.places();
                if form == Form::Distance {
                    self.steps(places, part("X"), part("W"));
                }
                if form == Form::Toward { Type::maybe(What::Direction) } else { number.nilable() }
            }
            Form::Step => {
                self.direction(part("D"));
                self.thing_slot(part("C"), "to step from");
                Type::maybe(self.places())
            }
            Form::Leap => {
                self.number_slot(part("A"), "to leap by");
                self.number_slot(part("B"), "to leap by");
                self.thing_slot(part("C"), "to leap from");
                Type::list(self.places())
            }
            Form::Directions => {
                self.direction(part("D"));
                Type::list(What::Direction)
            }
            Form::Move => {
                if let Some(moved) = part("X").expr() {
                    let found = self.expr(moved);
                    if !matches!(found.what, What::List(_)) {
                        self.check_is_thing(&found, moved, "to be moved, or a list of them");
                    }
                }
                self.thing_slot(part("P"), "to move to");
                Type::UNKNOWN
            }
            Form::EndTurn | Form::Win | Form::Lose => {
                if let Some(who) = part("P").expr() {
                    self.check_is_player(who);
                }
                Type::UNKNOWN
            }
            Form::Finish => {
                self.looking_at(What::Thing(Kinds::one("player")), |walk| {
                    walk.slot(part("E"));
                    walk.slot(part("MORE"))
                });
                Type::UNKNOWN
            }
            Form::New => {
                let kinds = self.model_word(part("M"));
                self.thing_slot(part("P"), "to put it on");
                self.check_given_properties(part("A"), &kinds);
                self.slot(part("A"));
                Type::sure(What::Thing(kinds))
            }
            Form::Roll => {
                self.number_slot(part("N"), "of sides");
                self.number_slot(part("K"), "of dice");
                if part("K").given() { Type::list(What::Number) } else { number }
            }
            Form::Random => {
                self.number_slot(part("A"), "to begin with");
                self.number_slot(part("B"), "to end with");
                number
            }
            Form::Let => {
                if let Some(who) = part("P").expr() {
                    self.check_is_player(who);
                }
                self.slot(part("L"));
                for name in part("L").names() {
                    self.check_action_name(name);
                }
                Type::UNKNOWN
            }
            Form::Can | Form::Choices => {
                if let Some(name) = part("L").name() {
                    self.check_action_name(name);
                }
                if let Some(who) = part("P").expr() {
                    self.check_is_player(who);
                }
                for name in part("R").names() {
                    self.check_rule_name(name);
                }
                slots.iter().filter(|slot| matches!(slot, Slot::Name(_) | Slot::Names(_))).for_each(|slot| {
                    self.slot(slot);
                });
                if form == Form::Can { Type::maybe(What::Truth) } else { Type::list(What::Message) }
            }
            Form::Seen => {
                self.number_slot(part("N"), "of positions");
                number
            }
            Form::Observe => {
                slots.iter().for_each(|slot| {
                    self.slot(slot);
                });
                if let Some(name) = given(part("P")).filter(|name| self.outline.member(&self.site.own, name).is_none())
                {
                    self.unknown_member(name, given_origin(part("P")), &self.site.own.clone());
                }
                Type::UNKNOWN
            }
            Form::Suppose => {
                self.slot(part("M"));
                self.slot(part("E")).nilable()
            }
            _ => {
                for slot in slots {
                    self.slot(slot);
                }
                Type::UNKNOWN
            }
        }
    }

    /// Conditions on what is stepped on, and on the steps, in which `here` is where one begins.
    fn steps(&mut self, things: What, while_: &Slot, across: &Slot) {
        self.looking_at(things.clone(), |walk| {
            if let Some(condition) = while_.expr() {
                walk.condition(condition);
            }
            if let Some(condition) = across.expr() {
                let here = walk.declare("here".into(), condition.origin, Type::sure(things), false);
                walk.condition(condition);
                walk.variables[here].visible = false;
            }
            Type::UNKNOWN
        });
    }

    /// `(property p)` and `(property p of e)`.
    fn property(&mut self, form: Form, slots: &[Slot], origin: Origin) -> Type {
        let name_slot = slot(form, slots, "P");
        self.slot(name_slot);
        let target = slot(form, slots, "E").expr();
        let Some(name) = given(name_slot).cloned() else {
            if let Some(target) = target {
                self.expr(target);
            }
            return Type::UNKNOWN;
        };
        let here = if given_origin(name_slot).is_none() { origin } else { given_origin(name_slot) };
        match target {
            Some(target) => {
                let of =
                    ExprKind::Call { name, name_origin: here, args: Vec::new(), of: Some(Box::new(target.clone())) };
                self.expr(&Expr::new(of, origin))
            }
            None => {
                let own = Expr::new(ExprKind::Word("self".into()), origin);
                let found = Type::sure(What::Thing(self.site.own.clone()));
                self.property_of(&name, here, 0, &own, &found)
            }
        }
    }

    /// What is changed by `set`, `increase` and `decrease`.
    fn target(&mut self, target: &Expr) {
        if let Some((name, origin)) = as_word(target) {
            self.check_set_word(name, origin);
            return;
        }
        match &target.kind {
            ExprKind::Call { name, name_origin, of: Some(of), .. } => self.set_property_of(name, *name_origin, of),
            ExprKind::Form(form @ Form::Property, slots) => {
                let name = slot(*form, slots, "P");
                self.slot(name);
                match (given(name), slot(*form, slots, "E").expr()) {
                    (Some(given), Some(of)) => self.set_property_of(given, given_origin(name), of),
                    (None, Some(of)) => {
                        self.expr(of);
                    }
                    (_, None) => self.own_property(name, false),
                }
            }
            _ => {
                self.expr(target);
            }
        }
    }

    fn set_property_of(&mut self, name: &Name, origin: Origin, of: &Expr) {
        let before = self.found.len();
        let found = self.expr(of);
        self.check_is_thing(&found, of, "set something of it");
        if self.found.len() > before {
            return;
        }
        let kinds = found.kinds();
        match self.outline.member(&kinds, name) {
            Some(member) => self.check_writing(&member, name, origin, of, &kinds),
            None => self.unknown_member(name, origin, &kinds),
        }
    }
}
