//! One value in eight bytes: a tag in the top sixteen bits, the rest is payload. Decimals are shifted out of
//! the way of the tags, so that every bit pattern means one thing and equal plain values have equal bits.

use crate::limits::MOST;
use crate::world::{DirId, EntityId, KindId};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Value(pub u64);

pub(crate) const SHIFT: u32 = 48;
const PAYLOAD: u64 = (1 << SHIFT) - 1;
const WHOLE: u64 = 1;
const ENTITY: u64 = 2;
const TEXT: u64 = 3;
const DIRECTION: u64 = 4;
const KIND: u64 = 5;
const LIST: u64 = 6;
const DICTIONARY: u64 = 7;
const MESSAGE: u64 = 8;
/// Added to the bits of a decimal; the smallest tag a decimal can then have.
const DECIMAL: u64 = 16;

/// A value taken apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kinded {
    Nil,
    True,
    Whole(i64),
    Decimal(f64),
    Entity(EntityId),
    Text(u32),
    Direction(DirId),
    Kind(KindId),
    List(u32),
    Dictionary(u32),
    Message(u32),
}

impl Value {
    pub const NIL: Value = Value(0);
    pub const TRUE: Value = Value(1);
    /// Whatever points into the heap is no smaller than this; decimals are not, either.
    pub(crate) const FIRST_IN_HEAP: u64 = LIST << SHIFT;

    #[inline]
    fn tagged(tag: u64, payload: u64) -> Value {
        Value(tag << SHIFT | payload)
    }

    /// None beyond ±2^47.
    #[inline]
    pub fn whole(number: i64) -> Option<Value> {
        (-MOST..=MOST).contains(&number).then(|| Value::tagged(WHOLE, number as u64 & PAYLOAD))
    }

    /// For numbers known to be small: counts, positions.
    #[inline]
    pub fn small(number: u32) -> Value {
        Value::tagged(WHOLE, u64::from(number))
    }

    /// Whole where it is whole, so that 4 and 4.0 are one value; none if it is not a number or too large.
    pub fn decimal(number: f64) -> Option<Value> {
        if !number.is_finite() || number.abs() > MOST as f64 {
            return None;
        }
        if number.fract() == 0.0 {
            return Value::whole(number as i64);
        }
        Some(Value(number.to_bits().wrapping_add(DECIMAL << SHIFT)))
    }

    #[inline]
    pub fn entity(entity: EntityId) -> Value {
        Value::tagged(ENTITY, u64::from(entity))
    }

    /// Nil for `NOBODY`.
    #[inline]
    pub fn maybe(entity: EntityId) -> Value {
        if entity == crate::world::NOBODY { Value::NIL } else { Value::entity(entity) }
    }

    #[inline]
    pub fn truth(condition: bool) -> Value {
        Value(u64::from(condition))
    }

    pub fn text(text: u32) -> Value {
        Value::tagged(TEXT, u64::from(text))
    }

    pub fn direction(direction: DirId) -> Value {
        Value::tagged(DIRECTION, u64::from(direction))
    }

    pub fn kind(kind: KindId) -> Value {
        Value::tagged(KIND, u64::from(kind))
    }

    pub fn list(offset: u32) -> Value {
        Value::tagged(LIST, u64::from(offset))
    }

    pub fn dictionary(offset: u32) -> Value {
        Value::tagged(DICTIONARY, u64::from(offset))
    }

    pub fn message(offset: u32) -> Value {
        Value::tagged(MESSAGE, u64::from(offset))
    }

    #[inline]
    pub fn is_nil(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub fn as_entity(self) -> Option<EntityId> {
        (self.0 >> SHIFT == ENTITY).then_some(self.0 as u32)
    }

    #[inline]
    pub fn as_whole(self) -> Option<i64> {
        (self.0 >> SHIFT == WHOLE).then_some(((self.0 << 16) as i64) >> 16)
    }

    #[inline]
    pub fn as_list(self) -> Option<u32> {
        (self.0 >> SHIFT == LIST).then_some(self.0 as u32)
    }

    /// Whether it points into the heap: a list, a dictionary or a message.
    #[inline]
    pub fn in_heap(self) -> bool {
        (LIST..=MESSAGE).contains(&(self.0 >> SHIFT))
    }

    /// The same kind of heap value at another place.
    pub fn moved(self, offset: u32) -> Value {
        Value(self.0 & !PAYLOAD | u64::from(offset))
    }

    pub fn as_f64(self) -> Option<f64> {
        match self.kinded() {
            Kinded::Whole(whole) => Some(whole as f64),
            Kinded::Decimal(decimal) => Some(decimal),
            _ => None,
        }
    }

    pub fn kinded(self) -> Kinded {
        let payload = self.0 as u32;
        match self.0 >> SHIFT {
            0 if self.0 == 0 => Kinded::Nil,
            0 => Kinded::True,
            WHOLE => Kinded::Whole(((self.0 << 16) as i64) >> 16),
            ENTITY => Kinded::Entity(payload),
            TEXT => Kinded::Text(payload),
            DIRECTION => Kinded::Direction(payload as DirId),
            KIND => Kinded::Kind(payload as KindId),
            LIST => Kinded::List(payload),
            DICTIONARY => Kinded::Dictionary(payload),
            MESSAGE => Kinded::Message(payload),
            _ => Kinded::Decimal(f64::from_bits(self.0.wrapping_sub(DECIMAL << SHIFT))),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.kinded().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [FR-69] Whole and decimal numbers are one type: what is whole is stored as whole.
    #[test]
    fn four_and_four_point_nought_are_one_value() {
        assert_eq!(Value::decimal(4.0), Value::whole(4));
        assert_eq!(Value::decimal(-0.0), Value::whole(0));
        for number in [7.5, -7.5, 1e13 + 0.5, -1e13 - 0.5, 1e-300, 0.1] {
            assert_eq!(Value::decimal(number).unwrap().kinded(), Kinded::Decimal(number));
        }
    }

    #[test]
    fn whole_numbers_survive_up_to_the_limit() {
        for number in [0, 1, -1, 42, -42, MOST, -MOST] {
            assert_eq!(Value::whole(number).unwrap().as_whole(), Some(number));
        }
        assert_eq!(Value::whole(MOST + 1), None);
        assert_eq!(Value::decimal(MOST as f64 + 1.0), None);
        assert_eq!(Value::decimal(-1e300), None);
        assert_eq!(Value::decimal(f64::NAN), None);
    }
}
