//! Runs the bodies of a view. It is a small language of its own inside the language: whatever only computes, and the
//! statements that draw. Nothing here can reach the match.

use super::known::Known;
use super::{Actor, Drawn, Hook, Message, State, Value, attributes};
use houserules_kernel::{Shown, View};
use houserules_model::{Behavior, Body, Expr, ExprKind, Form, Name, NameRef, Number, Slot, nearest};
use std::collections::BTreeMap;

/// Expressions looked at in answer to one message.
const STEPS: u32 = 100_000;
/// Expressions within each other.
const DEPTH: u32 = 100;
/// Graphics of one view.
const GRAPHICS: usize = 500;
/// Letters of a text, members of a list.
const LONGEST: usize = 10_000;

pub(super) struct Run<'a> {
    view: &'a houserules_model::View,
    actor: &'a mut Actor,
    known: &'a Known,
    now: &'a View,
    /// Somebody has clicked: a message may be sent.
    clicked: bool,
    pub sent: Option<Message>,
    vars: BTreeMap<Name, Value>,
    steps: u32,
    /// What all views together may still look at.
    left: &'a mut u32,
    depth: u32,
}

/// Why a body ends before its end.
enum Stop {
    Return,
    Break,
    Continue,
    Fault(String),
}

type Done<T> = Result<T, Stop>;

fn fault<T>(reason: impl Into<String>) -> Done<T> {
    Err(Stop::Fault(reason.into()))
}

impl<'a> Run<'a> {
    pub fn new(
        view: &'a houserules_model::View,
        actor: &'a mut Actor,
        known: &'a Known,
        now: &'a View,
        left: &'a mut u32,
    ) -> Run<'a> {
        let vars = BTreeMap::new();
        Run { view, actor, known, now, clicked: false, sent: None, vars, steps: STEPS, left, depth: 0 }
    }

    /// In answer to a click.
    pub fn clicked(self) -> Run<'a> {
        Run { clicked: true, ..self }
    }

    pub fn behave(&mut self, behavior: &Behavior, told: &[(Name, Value)]) -> Result<(), String> {
        self.vars = told.iter().cloned().collect();
        match self.body(&behavior.body) {
            Ok(_) | Err(Stop::Return | Stop::Break | Stop::Continue) => Ok(()),
            Err(Stop::Fault(reason)) => Err(reason),
        }
    }

    pub fn value(&mut self, expr: &Expr) -> Result<Value, String> {
        match self.eval(expr) {
            Ok(value) => Ok(value),
            Err(Stop::Fault(reason)) => Err(reason),
            Err(_) => Ok(Value::Nil),
        }
    }

    /// A value that is not too large: one that is made of itself twice, again and again, soon fills any memory. What is
    /// large is paid for as well, since it is copied.
    fn bounded(&mut self, value: Value) -> Done<Value> {
        let size = value.size();
        if size > LONGEST {
            return fault(format!("A text or list has at most {LONGEST} letters and members, and this has {size}."));
        }
        self.steps = self.steps.saturating_sub((size / 16) as u32);
        *self.left = self.left.saturating_sub((size / 16) as u32);
        Ok(value)
    }

    fn body(&mut self, body: &Body) -> Done<Value> {
        let mut last = Value::Nil;
        for statement in body {
            last = self.eval(statement)?;
        }
        Ok(last)
    }

    fn eval(&mut self, expr: &Expr) -> Done<Value> {
        if self.steps == 0 {
            return fault(format!("It ran for more than {STEPS} steps; perhaps a loop does not end."));
        }
        if self.depth == DEPTH {
            return fault(format!("Its expressions lie more than {DEPTH} deep in each other."));
        }
        if *self.left == 0 {
            return fault("All views together ran for too long.");
        }
        self.steps -= 1;
        *self.left -= 1;
        self.depth += 1;
        let value = self.eval_here(expr);
        self.depth -= 1;
        value
    }

    fn eval_here(&mut self, expr: &Expr) -> Done<Value> {
        match &expr.kind {
            ExprKind::Number(Number::Whole(whole)) => Ok(Value::Number(*whole as f64)),
            ExprKind::Number(Number::Decimal(decimal)) => Ok(Value::Number(*decimal)),
            ExprKind::Text(text) => Ok(Value::Text(text.to_string())),
            ExprKind::Told(pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    text += &self.eval(piece)?.to_string();
                }
                self.bounded(Value::Text(text))
            }
            ExprKind::Word(word) => self.word(word),
            ExprKind::Form(form, slots) => self.form(*form, slots),
            ExprKind::Call { name, args, of, .. } if args.is_empty() => self.of(name, of.as_deref()),
            ExprKind::Call { name, .. } => {
                fault(format!("`{name}` cannot be asked by a view: it reads properties only."))
            }
            ExprKind::PlaceAt { .. } => fault("A view cannot look up places: it knows its own thing."),
            ExprKind::Missing => fault("Something is missing here."),
        }
    }

    /// A variable or attribute, a property of the view, of its thing, of the game.
    fn word(&mut self, word: &str) -> Done<Value> {
        if let Some(value) = self.vars.get(word).or_else(|| self.actor.properties.get(word)) {
            return Ok(value.clone());
        }
        match word {
            "self" => return Ok(Value::Text(self.known.name.clone())),
            "nil" => return Ok(Value::Nil),
            "true" => return Ok(Value::True),
            "state" => return Ok(Value::Text(self.actor.state.0.to_string())),
            _ => {}
        }
        if let Some(value) = self.known.property(word) {
            return Ok(value);
        }
        let game = self.now.facts.iter().find(|fact| fact.kind == "game");
        let property = game.and_then(|game| game.properties.iter().find(|(name, _)| name == word));
        match property {
            Some((_, Shown::Value(value))) => Ok(Value::shown(value)),
            // What may not be seen is as good as nothing; so is what nobody knows: the checker has told the author.
            Some((_, Shown::Hidden)) | None => match self.is_name(word) {
                true => Ok(Value::Text(word.into())),
                false => Ok(Value::Nil),
            },
        }
    }

    fn is_name(&self, word: &str) -> bool {
        self.now.facts.iter().any(|fact| fact.name == word)
    }

    /// `(p of E)`: of the view's own thing, of a player, of the game.
    fn of(&mut self, name: &str, of: Option<&Expr>) -> Done<Value> {
        let Some(of) = of else { return self.word(name) };
        let whose = self.eval(of)?.to_string();
        if whose == self.known.name {
            return Ok(self.known.property(name).unwrap_or_default());
        }
        let fact = self.now.facts.iter().find(|fact| fact.name == whose);
        let found = fact.and_then(|fact| fact.properties.iter().find(|(known, _)| known == name));
        Ok(match found {
            Some((_, Shown::Value(value))) => Value::shown(value),
            _ => Value::Nil,
        })
    }

    fn form(&mut self, form: Form, slots: &[Slot]) -> Done<Value> {
        match form {
            Form::If => {
                let holds = self.slot(&slots[0])?.holds();
                self.body_of(if holds { &slots[1] } else { &slots[2] })
            }
            Form::Switch => {
                let value = self.slot(&slots[0])?;
                let Slot::Cases { cases, otherwise } = &slots[1] else { return Ok(Value::Nil) };
                for case in cases {
                    if self.eval(&case.value)? == value {
                        return self.body(&case.body);
                    }
                }
                otherwise.as_ref().map_or(Ok(Value::Nil), |body| self.body(body))
            }
            Form::Foreach => self.foreach(slots),
            Form::While => {
                while self.slot(&slots[0])?.holds() {
                    match self.body_of(&slots[1]) {
                        Err(Stop::Break) => break,
                        Ok(_) | Err(Stop::Continue) => {}
                        Err(stop) => return Err(stop),
                    }
                }
                Ok(Value::Nil)
            }
            Form::Do => self.body_of(&slots[0]),
            Form::Return => Err(Stop::Return),
            Form::Break => Err(Stop::Break),
            Form::Continue => Err(Stop::Continue),
            Form::Var => {
                let value = self.slot(&slots[1])?;
                let name = self.name(&slots[0])?;
                self.vars.insert(name, value);
                Ok(Value::Nil)
            }
            Form::Set => {
                let value = self.slot(&slots[1])?;
                self.set(&slots[0], value)
            }
            Form::Increase | Form::Decrease => {
                let sign = if form == Form::Increase { 1.0 } else { -1.0 };
                let by = self.number(&slots[1])?;
                let old = self.number(&slots[0])?;
                self.set(&slots[0], Value::Number(old + sign * by))
            }
            Form::Property => {
                let name = self.name(&slots[0])?;
                self.of(&name, slots[1].expr())
            }
            Form::NewProperty | Form::UpdateProperty => {
                let value = self.slot(&slots[1])?;
                let name = self.name(&slots[0])?;
                self.put(&name, value)
            }
            Form::ChangeState => {
                self.actor.state = State(self.name(&slots[0])?);
                Ok(Value::Nil)
            }
            Form::Attribute => {
                let name = self.name(&slots[0])?;
                Ok(self.vars.get(&name).cloned().unwrap_or_default())
            }
            Form::NewMessage => {
                let message = self.message(&slots[0], &slots[1], &slots[2])?;
                self.bounded(Value::Message(Box::new(message)))
            }
            Form::Send | Form::SendNew => {
                let message = self.message(&slots[0], &slots[1], &slots[2])?;
                self.send(message)
            }
            Form::SendMessage => match self.slot(&slots[0])? {
                Value::Message(message) => self.send(*message),
                other => fault(format!("`send` wants a message, and this is {other}.")),
            },
            Form::NewGraphic => {
                let id = self.name(&slots[0])?;
                if self.actor.graphics.contains_key(&id) {
                    return fault(format!("There is a graphic `{id}` already: `(update graphic {id} …)` changes it."));
                }
                if self.actor.graphics.len() == GRAPHICS {
                    return fault(format!("It has {GRAPHICS} graphics, and that is the most."));
                }
                let mut drawn = Drawn::default();
                for (name, value) in self.pairs(&slots[1])? {
                    attributes::check(&name, &value).or_else(fault)?;
                    drawn.0.insert(name, value);
                }
                self.actor.graphics.insert(id, drawn);
                Ok(Value::Nil)
            }
            Form::UpdateGraphic => {
                let (id, name) = (self.name(&slots[0])?, self.name(&slots[1])?);
                let value = self.slot(&slots[2])?;
                attributes::check(&name, &value).or_else(fault)?;
                self.graphic(&id)?.0.insert(name, value);
                Ok(Value::Nil)
            }
            Form::DeleteGraphic => {
                let id = self.name(&slots[0])?;
                self.graphic(&id)?;
                self.actor.graphics.remove(&id);
                self.actor.hooks.remove(&id);
                Ok(Value::Nil)
            }
            Form::Observe => {
                let (property, label) = (self.name(&slots[0])?, self.name(&slots[2])?);
                if self.view.properties.iter().any(|(own, _)| *own == property) {
                    return fault(format!(
                        "`{property}` is its own property: only those of its thing can be observed."
                    ));
                }
                let watch = (property, slots[1].given(), label);
                if !self.actor.observed.contains(&watch) {
                    self.actor.observed.push(watch);
                }
                Ok(Value::Nil)
            }
            Form::OnClickedNotify => {
                let id = self.name(&slots[0])?;
                self.graphic(&id)?;
                let hook = match self.slot(&slots[1])? {
                    Value::Message(message) => Hook::Notify(*message),
                    Value::Text(label) => Hook::Notify(Message { label: label.into(), attributes: Vec::new() }),
                    other => return fault(format!("A click notifies by a message, and this is {other}.")),
                };
                self.actor.hooks.insert(id, hook);
                Ok(Value::Nil)
            }
            Form::OnClickedEmit => {
                let (id, signal) = (self.name(&slots[0])?, self.name(&slots[1])?);
                self.graphic(&id)?;
                let tag = if slots[2].given() { Some(self.slot(&slots[2])?.to_string()) } else { None };
                self.actor.hooks.insert(id, Hook::Emit(signal, tag));
                Ok(Value::Nil)
            }
            _ => self.computed(form, slots),
        }
    }

    /// Forms that only compute.
    fn computed(&mut self, form: Form, slots: &[Slot]) -> Done<Value> {
        let number = |result: f64| match result.is_finite() {
            true => Ok(Value::Number(result)),
            false => fault("A number has become larger than there are numbers, or was divided by nought."),
        };
        match form {
            Form::Add => number(self.numbers(&slots[0])?.into_iter().sum()),
            Form::Multiply => number(self.numbers(&slots[0])?.into_iter().product()),
            Form::Subtract => {
                let numbers = self.numbers(&slots[0])?;
                match numbers.as_slice() {
                    [] => number(0.0),
                    [only] => number(-only),
                    [first, rest @ ..] => number(first - rest.iter().sum::<f64>()),
                }
            }
            Form::Divide => number(self.number(&slots[0])? / self.number(&slots[1])?),
            Form::Modulo => {
                let (left, right) = (self.number(&slots[0])?, self.number(&slots[1])?);
                number(left - right * libm::floor(left / right))
            }
            Form::Floor => number(libm::floor(self.number(&slots[0])?)),
            Form::Abs => number(self.number(&slots[0])?.abs()),
            Form::Max | Form::Min => {
                let numbers = self.numbers(&slots[0])?;
                let pick = if form == Form::Max { f64::max } else { f64::min };
                Ok(numbers.into_iter().reduce(pick).map_or(Value::Nil, Value::Number))
            }
            Form::Equal => Ok(Value::truth(self.slot(&slots[0])? == self.slot(&slots[1])?)),
            Form::Unequal => Ok(Value::truth(self.slot(&slots[0])? != self.slot(&slots[1])?)),
            Form::Less => Ok(Value::truth(self.number(&slots[0])? < self.number(&slots[1])?)),
            Form::LessEqual => Ok(Value::truth(self.number(&slots[0])? <= self.number(&slots[1])?)),
            Form::Greater => Ok(Value::truth(self.number(&slots[0])? > self.number(&slots[1])?)),
            Form::GreaterEqual => Ok(Value::truth(self.number(&slots[0])? >= self.number(&slots[1])?)),
            Form::And | Form::Or => {
                let mut last = Value::truth(form == Form::And);
                for expr in slots[0].exprs() {
                    last = self.eval(expr)?;
                    if last.holds() == (form == Form::Or) {
                        break;
                    }
                }
                Ok(last)
            }
            Form::Not => Ok(Value::truth(!self.slot(&slots[0])?.holds())),
            Form::IsIn => {
                let value = self.slot(&slots[0])?;
                Ok(Value::truth(self.list(&slots[1])?.contains(&value)))
            }
            Form::List => {
                let members: Done<Vec<Value>> = slots[0].exprs().iter().map(|expr| self.eval(expr)).collect();
                self.bounded(Value::List(members?))
            }
            Form::Range => {
                let (from, to) = (self.number(&slots[0])?, self.number(&slots[1])?);
                if to - from > LONGEST as f64 {
                    return fault(format!("A list has at most {LONGEST} members."));
                }
                let n = (to - from + 1.0).max(0.0) as usize;
                Ok(Value::List((0..n).map(|at| Value::Number(from + at as f64)).collect()))
            }
            Form::First => Ok(self.list(&slots[0])?.first().cloned().unwrap_or_default()),
            Form::Last => Ok(self.list(&slots[0])?.last().cloned().unwrap_or_default()),
            Form::At => {
                let at = self.number(&slots[0])?;
                let list = self.list(&slots[1])?;
                Ok(if at < 0.0 { Value::Nil } else { list.get(at as usize).cloned().unwrap_or_default() })
            }
            Form::Append => {
                let value = self.slot(&slots[0])?;
                let mut list = self.list(&slots[1])?;
                if list.len() >= LONGEST {
                    return fault(format!("A list has at most {LONGEST} members."));
                }
                list.push(value);
                self.bounded(Value::List(list))
            }
            other => {
                let head = other.def().head;
                fault(format!(
                    "`{head}` cannot stand in a view: it knows only what its viewer may see of its own thing."
                ))
            }
        }
    }

    fn foreach(&mut self, slots: &[Slot]) -> Done<Value> {
        let name = self.name(&slots[0])?;
        for member in self.list(&slots[1])? {
            self.vars.insert(name.clone(), member);
            if slots[2].given() && !self.slot(&slots[2])?.holds() {
                continue;
            }
            match self.body_of(&slots[3]) {
                Err(Stop::Break) => break,
                Ok(_) | Err(Stop::Continue) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(Value::Nil)
    }

    fn body_of(&mut self, slot: &Slot) -> Done<Value> {
        match slot {
            Slot::Body(body) | Slot::Exprs(body) => self.body(body),
            Slot::Expr(expr) => self.eval(expr),
            _ => Ok(Value::Nil),
        }
    }

    fn slot(&mut self, slot: &Slot) -> Done<Value> {
        slot.expr().map_or(Ok(Value::Nil), |expr| self.eval(expr))
    }

    fn number(&mut self, slot: &Slot) -> Done<f64> {
        match self.slot(slot)? {
            Value::Number(number) => Ok(number),
            other => fault(format!("A number is wanted, and this is {other}.")),
        }
    }

    fn numbers(&mut self, slot: &Slot) -> Done<Vec<f64>> {
        let mut numbers = Vec::new();
        for expr in slot.exprs() {
            match self.eval(expr)? {
                Value::Number(number) => numbers.push(number),
                other => return fault(format!("A number is wanted, and this is {other}.")),
            }
        }
        Ok(numbers)
    }

    fn list(&mut self, slot: &Slot) -> Done<Vec<Value>> {
        match self.slot(slot)? {
            Value::List(members) => Ok(members),
            Value::Nil => Ok(Vec::new()),
            other => fault(format!("A list is wanted, and this is {other}.")),
        }
    }

    fn name(&mut self, slot: &Slot) -> Done<Name> {
        match slot {
            Slot::Name(NameRef::Given(name, _)) => Ok(name.clone()),
            Slot::Name(NameRef::Computed(expr)) => Ok(self.eval(expr)?.to_string().into()),
            _ => fault("A name is missing."),
        }
    }

    fn pairs(&mut self, slot: &Slot) -> Done<Vec<(Name, Value)>> {
        let mut pairs = Vec::new();
        for (name, value) in slot.pairs() {
            let name = match name {
                NameRef::Given(name, _) => name.clone(),
                NameRef::Computed(expr) => self.eval(expr)?.to_string().into(),
            };
            pairs.push((name, self.eval(value)?));
        }
        Ok(pairs)
    }

    fn graphic(&mut self, id: &Name) -> Done<&mut Drawn> {
        let known: Vec<Name> = self.actor.graphics.keys().cloned().collect();
        match self.actor.graphics.get_mut(id) {
            Some(drawn) => Ok(drawn),
            None => {
                let near = nearest(id, known.iter().map(|name| &**name));
                let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
                fault(format!("There is no graphic `{id}`.{near}"))
            }
        }
    }

    /// A variable that there is, else a property of the view itself.
    fn set(&mut self, target: &Slot, value: Value) -> Done<Value> {
        let name = match target.expr().map(|expr| &expr.kind) {
            Some(ExprKind::Word(word)) => word.clone(),
            _ => return fault("A view changes its own properties and nothing else."),
        };
        if let Some(known) = self.vars.get_mut(&name) {
            *known = value;
            return Ok(Value::Nil);
        }
        self.put(&name, value)
    }

    fn put(&mut self, name: &Name, value: Value) -> Done<Value> {
        if self.known.property(name).is_some() && !self.actor.properties.contains_key(name) {
            return fault(format!("`{name}` belongs to {}, and a view cannot change it.", self.known.name));
        }
        self.actor.properties.insert(name.clone(), value);
        Ok(Value::Nil)
    }

    fn message(&mut self, label: &Slot, to: &Slot, with: &Slot) -> Done<Message> {
        if to.given() && self.slot(to)? != Value::Text(self.known.name.clone()) {
            return fault("A view sends messages to its own thing only: `to self`.");
        }
        Ok(Message { label: self.name(label)?, attributes: self.pairs(with)? })
    }

    fn send(&mut self, message: Message) -> Done<Value> {
        if !self.clicked {
            return fault("A view sends a message only when somebody clicks.");
        }
        self.sent = Some(message);
        Ok(Value::Nil)
    }
}
