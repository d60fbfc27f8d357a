//! Expression → value. Each shelf of forms has a file of its own under `forms`.

use super::forms;
use super::run::{Frame, Runner};
use super::state::Life;
use super::stop::{Stop, fault};
use super::value::{LARGEST, Value};
use crate::limits::TELLING;
use crate::world::{EntityId, GAME, KindId};
use houserules_model::forms::Shelf;
use houserules_model::*;

impl<'a> Runner<'a> {
    pub fn eval(&mut self, expr: &Expr, frame: &mut Frame) -> Result<Value, Stop> {
        self.higher(|runner| runner.eval_here(expr, frame))
    }

    fn eval_here(&mut self, expr: &Expr, frame: &mut Frame) -> Result<Value, Stop> {
        if cfg!(debug_assertions)
            && let ExprKind::Form(form, _) = &expr.kind
        {
            super::met::form(*form);
        }
        if matches!(expr.kind, ExprKind::Form(..) | ExprKind::Call { .. }) {
            self.step()?;
        }
        match &expr.kind {
            ExprKind::Number(Number::Whole(whole)) => whole_number(*whole),
            ExprKind::Number(Number::Decimal(decimal)) => number(*decimal),
            ExprKind::Text(text) => Ok(Value::Text(text.clone())),
            ExprKind::Told(pieces) => {
                let mut told = vec![Value::Text(TELLING.into())];
                for piece in pieces {
                    told.push(self.eval(piece, frame)?);
                }
                Ok(Value::list(told))
            }
            ExprKind::Word(word) => self.word(word, frame),
            ExprKind::Form(form, slots) => match form.def().shelf {
                Shelf::Flow => forms::flow::eval(self, *form, slots, frame),
                Shelf::State => forms::keeping::eval(self, *form, slots, frame),
                Shelf::Messages => forms::messaging::eval(self, *form, slots, frame),
                Shelf::Rules => forms::ruling::eval(self, *form, slots, frame),
                Shelf::Arithmetic => forms::arithmetic::eval(self, *form, slots, frame),
                Shelf::Logic => forms::logic::eval(self, *form, slots, frame),
                Shelf::Lists | Shelf::Dictionaries => forms::lists::eval(self, *form, slots, frame),
                Shelf::Looking => forms::looking::eval(self, *form, slots, frame),
                Shelf::Board => forms::board::eval(self, *form, slots, frame),
                Shelf::Doing => forms::doing::eval(self, *form, slots, frame),
                Shelf::Asking => forms::asking::eval(self, *form, slots, frame),
                Shelf::Supposing => forms::supposing::eval(self, *form, slots, frame),
                // Representations draw; they are no part of the logic of a game.
                Shelf::Showing => Ok(Value::Nil),
            },
            ExprKind::Call { name, args, of, .. } => self.ask_with(name, args, of.as_deref(), frame),
            ExprKind::PlaceAt { model, at } => self.place_at(model, at, frame),
            ExprKind::Missing => Err(fault("Something is missing in the rules here.")),
        }
    }

    /// The value in a slot; nil where it was left out.
    pub fn slot(&mut self, slot: &Slot, frame: &mut Frame) -> Result<Value, Stop> {
        match slot.expr() {
            Some(expr) => self.eval(expr, frame),
            None => Ok(Value::Nil),
        }
    }

    pub fn slot_values(&mut self, slot: &Slot, frame: &mut Frame) -> Result<Vec<Value>, Stop> {
        slot.exprs().iter().map(|expr| self.eval(expr, frame)).collect()
    }

    pub fn slot_number(&mut self, slot: &Slot, frame: &mut Frame) -> Result<f64, Stop> {
        let value = self.slot(slot, frame)?;
        self.as_number(&value)
    }

    pub fn slot_whole(&mut self, slot: &Slot, frame: &mut Frame) -> Result<i64, Stop> {
        let value = self.slot(slot, frame)?;
        self.as_whole(&value)
    }

    pub fn slot_list(&mut self, slot: &Slot, frame: &mut Frame) -> Result<Vec<Value>, Stop> {
        match slot.expr() {
            Some(expr) => self.list(expr, frame),
            None => Ok(Vec::new()),
        }
    }

    pub fn slot_entity(&mut self, slot: &Slot, frame: &mut Frame) -> Result<Option<EntityId>, Stop> {
        let value = self.slot(slot, frame)?;
        self.opt_entity(&value)
    }

    pub fn slot_name(&mut self, slot: &Slot, frame: &mut Frame) -> Result<Name, Stop> {
        match slot.name() {
            Some(name) => self.name(name, frame),
            None => Err(fault("A name is missing in the rules here.")),
        }
    }

    pub fn name(&mut self, name: &NameRef, frame: &mut Frame) -> Result<Name, Stop> {
        match name {
            NameRef::Given(name, _) => Ok(name.clone()),
            NameRef::Computed(expr) => {
                let value = self.eval(expr, frame)?;
                self.as_name(&value)
            }
        }
    }

    pub fn pairs(&mut self, slot: &Slot, frame: &mut Frame) -> Result<Vec<(Name, Value)>, Stop> {
        let mut values = Vec::new();
        for (name, value) in slot.pairs() {
            values.push((self.name(name, frame)?, self.eval(value, frame)?));
        }
        Ok(values)
    }

    /// An expression in a list position. A word that names both a model and its only entity means the model here.
    pub fn list(&mut self, expr: &Expr, frame: &mut Frame) -> Result<Vec<Value>, Stop> {
        let value = self.eval(expr, frame)?;
        if let Value::List(list) = &value {
            self.weigh(list.len())?;
        }
        if let (ExprKind::Word(word), Value::Entity(_)) = (&expr.kind, &value)
            && let Some(kind) = self.book.world.kind(word)
        {
            return self.as_list(&Value::Kind(kind));
        }
        self.as_list(&value)
    }

    /// An expression in the position of a model: a model's name comes before a property that is called like it.
    pub fn kind(&mut self, expr: &Expr, frame: &mut Frame) -> Result<KindId, Stop> {
        if let ExprKind::Word(word) = &expr.kind
            && let Some(kind) = self.book.world.kind(word)
        {
            let attribute = frame.message.as_ref().and_then(|message| message.attributes.get(word));
            if frame.variables.iter().all(|(name, _)| name != word) && attribute.is_none() {
                return Ok(kind);
            }
        }
        match self.eval(expr, frame)? {
            Value::Kind(kind) => Ok(kind),
            other => {
                let kind = match &other {
                    Value::Text(name) => self.book.world.kind(name),
                    _ => None,
                };
                kind.ok_or_else(|| fault(format!("{} is no model.", self.told(&other))))
            }
        }
    }

    /// The members of a list. Nil is the empty list; a model is all living things of it, a dictionary its keys.
    pub fn as_list(&self, value: &Value) -> Result<Vec<Value>, Stop> {
        match value {
            Value::Nil => Ok(Vec::new()),
            Value::List(list) => Ok(list.to_vec()),
            Value::Dictionary(pairs) => Ok(pairs.keys().cloned().collect()),
            Value::Kind(kind) => {
                let things = self.state.of_kind(&self.book.world, *kind);
                Ok(things.into_iter().map(Value::Entity).collect())
            }
            other => Err(fault(format!("{} is not a list.", self.told(other)))),
        }
    }

    pub fn as_entities(&self, value: &Value) -> Result<Vec<EntityId>, Stop> {
        let list = match value {
            Value::Entity(_) | Value::Text(_) => vec![value.clone()],
            other => self.as_list(other)?,
        };
        let mut entities = Vec::new();
        for member in &list {
            entities.extend(self.opt_entity(member)?);
        }
        Ok(entities)
    }

    /// An entity or nil. A text is the entity of that name.
    pub fn opt_entity(&self, value: &Value) -> Result<Option<EntityId>, Stop> {
        match value {
            Value::Nil => Ok(None),
            Value::Entity(entity) => Ok(Some(*entity)),
            Value::Text(name) => match self.book.world.names.get(name) {
                Some(&entity) => Ok(Some(entity)),
                None => Err(fault(format!("There is no “{name}”."))),
            },
            other => Err(fault(format!("{} is not an entity.", self.told(other)))),
        }
    }

    pub fn as_name(&self, value: &Value) -> Result<Name, Stop> {
        match value {
            Value::Text(name) => Ok(name.clone()),
            Value::Whole(whole) => Ok(whole.to_string().into()),
            other => Err(fault(format!("{} is not a name.", self.told(other)))),
        }
    }

    pub fn as_number(&self, value: &Value) -> Result<f64, Stop> {
        value.number().ok_or_else(|| fault(format!("{} is not a number.", self.told(value))))
    }

    pub fn as_whole(&self, value: &Value) -> Result<i64, Stop> {
        match value {
            Value::Whole(whole) => Ok(*whole),
            other => Err(fault(format!("{} is not a whole number.", self.told(other)))),
        }
    }

    /// Whether an entity can be met by quantifiers and receive messages.
    pub fn living(&self, entity: EntityId) -> bool {
        self.state.thing(entity).life == Life::Here
    }

    /// A value in words.
    pub fn told(&self, value: &Value) -> String {
        match value {
            Value::Nil => "nil".into(),
            Value::True => "true".into(),
            Value::Whole(whole) => whole.to_string(),
            Value::Decimal(decimal) => decimal.to_string(),
            Value::Text(text) => text.to_string(),
            Value::Entity(entity) => self.state.thing(*entity).name.to_string(),
            Value::Kind(kind) => self.book.world.kinds[*kind as usize].name.to_string(),
            Value::Direction(direction) => self.book.world.directions.names[*direction as usize].to_string(),
            Value::List(list) => {
                let members: Vec<String> = list.iter().map(|member| self.told(member)).collect();
                match members.split_first() {
                    Some((first, pieces)) if first == TELLING => pieces.concat(),
                    _ => format!("({})", members.join(" ")),
                }
            }
            Value::Dictionary(entries) => {
                let mut entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{}: {}", self.told(key), self.told(value))).collect();
                entries.sort();
                format!("{{{}}}", entries.join(", "))
            }
            Value::Message(message) => {
                let mut words = vec![message.label.to_string()];
                words.extend(message.to.filter(|&to| to != GAME).map(|to| self.told(&Value::Entity(to))));
                words.extend(message.attributes.values().filter(|value| value.truth()).map(|value| self.told(value)));
                words.join(" ")
            }
        }
    }
}

pub fn whole_number(whole: i64) -> Result<Value, Stop> {
    if whole.abs() > LARGEST {
        return Err(fault(format!("{whole} is too large a number.")));
    }
    Ok(Value::Whole(whole))
}

pub fn number(number: f64) -> Result<Value, Stop> {
    Value::whole_or_decimal(number).ok_or_else(|| fault(format!("{number} is too large a number.")))
}
