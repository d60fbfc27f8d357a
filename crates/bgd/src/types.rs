//! What kind of value an expression gives, as far as that can be known before play.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    /// Only play will tell.
    Any,
    Bool,
    Int,
    Double,
    Text,
    Player,
    /// A player, or nobody.
    Owner,
    Location,
    /// An object, of a type if that is known.
    Object(Option<String>),
    Connection,
    List(Box<Ty>),
}

impl Ty {
    pub fn list_of(member: Ty) -> Ty {
        Ty::List(Box::new(member))
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Ty::Any | Ty::Int | Ty::Double)
    }

    pub fn is_bool(&self) -> bool {
        matches!(self, Ty::Any | Ty::Bool)
    }

    /// Whether false could be among the values: only that counts as nothing in a definition.
    pub fn may_be_nothing(&self) -> bool {
        matches!(self, Ty::Any | Ty::Bool | Ty::Owner)
    }

    /// What holds for values of both.
    pub fn join(&self, other: &Ty) -> Ty {
        match (self, other) {
            (left, right) if left == right => left.clone(),
            (Ty::Int | Ty::Double, Ty::Int | Ty::Double) => Ty::Double,
            (Ty::Player | Ty::Owner, Ty::Player | Ty::Owner) => Ty::Owner,
            (Ty::Object(_), Ty::Object(_)) => Ty::Object(None),
            (Ty::List(left), Ty::List(right)) => Ty::list_of(left.join(right)),
            _ => Ty::Any,
        }
    }

    /// Whether a value of the other may be put where this is expected.
    pub fn takes(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Any, _) | (_, Ty::Any) => true,
            (Ty::Double, Ty::Int) => true,
            // Whether the owner is somebody is known only in play.
            (Ty::Owner, Ty::Player) | (Ty::Player, Ty::Owner) => true,
            (Ty::Object(Some(wanted)), Ty::Object(Some(given))) => wanted == given,
            (Ty::Object(_), Ty::Object(_)) => true,
            (Ty::List(_), Ty::List(_)) => true,
            (wanted, given) => wanted == given,
        }
    }

    /// Whether two values may be the same.
    pub fn compares(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::List(_), _) | (_, Ty::List(_)) => false,
            (Ty::Object(_), Ty::Object(_)) => true,
            (left, right) => left.takes(right) || right.takes(left),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ty::Any => f.write_str("a value"),
            Ty::Bool => f.write_str("True or False"),
            Ty::Int => f.write_str("a whole number"),
            Ty::Double => f.write_str("a number"),
            Ty::Text => f.write_str("a text"),
            Ty::Player => f.write_str("a player"),
            Ty::Owner => f.write_str("an owner"),
            Ty::Location => f.write_str("a location"),
            Ty::Object(None) => f.write_str("an object"),
            Ty::Object(Some(kind)) => write!(f, "an object of type {kind}"),
            Ty::Connection => f.write_str("a connection"),
            Ty::List(_) => f.write_str("a list"),
        }
    }
}
