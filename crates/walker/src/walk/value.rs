//! What an expression can be worth.

use crate::constant::Const;
use crate::world::{DirId, EntityId, KindId};
use houserules_model::Name;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of the language. Lists, dictionaries and messages are values too: a changed one is another one.
///
/// Equality is by content. Numbers are kept whole where they are whole, so 4 and 4.0 are one value.
#[derive(Clone, Debug)]
pub enum Value {
    Nil,
    True,
    Whole(i64),
    Decimal(f64),
    Text(Name),
    Entity(EntityId),
    Kind(KindId),
    Direction(DirId),
    List(Arc<Vec<Value>>),
    Dictionary(Arc<BTreeMap<Value, Value>>),
    Message(Arc<Message>),
}

/// A message: its label, who receives it, and what it says.
#[derive(Clone, Debug)]
pub struct Message {
    pub label: Name,
    pub to: Option<EntityId>,
    pub attributes: BTreeMap<Name, Value>,
    /// A choice found by `choices … ignoring` is tried without these rules. No part of the content.
    pub ignoring: Vec<Name>,
    /// As a choice of a player, in numbers. No part of the content either.
    pub numbers: Vec<u64>,
}

/// Numbers stay within 48 bits, so that every whole one is a choice number and an exact decimal.
pub const LARGEST: i64 = crate::limits::MOST;

impl Value {
    /// Only nil is false.
    pub fn truth(&self) -> bool {
        !matches!(self, Value::Nil)
    }

    pub fn of(condition: bool) -> Value {
        if condition { Value::True } else { Value::Nil }
    }

    pub fn list(members: Vec<Value>) -> Value {
        Value::List(Arc::new(members))
    }

    pub fn entities(entities: impl IntoIterator<Item = EntityId>) -> Value {
        Value::list(entities.into_iter().map(Value::Entity).collect())
    }

    pub fn maybe(entity: Option<EntityId>) -> Value {
        entity.map_or(Value::Nil, Value::Entity)
    }

    pub fn entity(&self) -> Option<EntityId> {
        match self {
            Value::Entity(entity) => Some(*entity),
            _ => None,
        }
    }

    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Whole(whole) => Some(*whole as f64),
            Value::Decimal(decimal) => Some(*decimal),
            _ => None,
        }
    }

    /// A number in its one form: whole where it is whole. None when it is too large to be one.
    pub fn whole_or_decimal(number: f64) -> Option<Value> {
        if !number.is_finite() || number.abs() > LARGEST as f64 {
            None
        } else if number.fract() == 0.0 {
            Some(Value::Whole(number as i64))
        } else {
            Some(Value::Decimal(number))
        }
    }

    pub fn constant(constant: &Const) -> Value {
        match constant {
            Const::Nil => Value::Nil,
            Const::True => Value::True,
            Const::Whole(whole) => Value::Whole(*whole),
            Const::Decimal(decimal) => Value::Decimal(*decimal),
            Const::Text(text) => Value::Text(text.clone()),
            Const::List(list) => Value::list(list.iter().map(Value::constant).collect()),
        }
    }

    /// The rank of its type, for the order of dictionary keys.
    fn rank(&self) -> u8 {
        match self {
            Value::Nil => 0,
            Value::True => 1,
            Value::Whole(_) | Value::Decimal(_) => 2,
            Value::Text(_) => 3,
            Value::Entity(_) => 4,
            Value::Kind(_) => 5,
            Value::Direction(_) => 6,
            Value::List(_) => 7,
            Value::Dictionary(_) => 8,
            Value::Message(_) => 9,
        }
    }
}

/// The order in which the keys of a dictionary are gone through: numbers by size, texts by their letters, things in the
/// order in which they came into being.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Whole(left), Value::Whole(right)) => left.cmp(right),
            (Value::Decimal(left), Value::Decimal(right)) => left.total_cmp(right),
            (Value::Whole(_), Value::Decimal(_)) | (Value::Decimal(_), Value::Whole(_)) => {
                let number = |value: &Value| value.number().unwrap_or_default();
                number(self).total_cmp(&number(other))
            }
            (Value::Text(left), Value::Text(right)) => left.cmp(right),
            (Value::Entity(left), Value::Entity(right)) => left.cmp(right),
            (Value::Kind(left), Value::Kind(right)) => left.cmp(right),
            (Value::Direction(left), Value::Direction(right)) => left.cmp(right),
            (Value::List(left), Value::List(right)) => left.cmp(right),
            (Value::Dictionary(left), Value::Dictionary(right)) => left.cmp(right),
            (Value::Message(left), Value::Message(right)) => {
                (&left.label, left.to, &left.attributes).cmp(&(&right.label, right.to, &right.attributes))
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}
