//! Lists, and what holds of one or of all that is in them. A predicate is asked about by handing it over.

use crate::build::Spira;
use crate::term::{Constructor, Predicate, Term, Type};

/// Lists of things of one type.
pub struct List {
    /// The type of the lists themselves.
    pub of: Type,
    item: Type,
    nil: Term,
    cons: Constructor,
}

impl List {
    /// The list of these, in this order.
    pub fn of_all<'a>(&self, items: impl IntoIterator<Item = &'a Term, IntoIter: DoubleEndedIterator>) -> Term {
        items.into_iter().rev().fold(self.nil.clone(), |rest, item| self.cons.of([item, &rest]))
    }
}

impl Spira {
    pub fn list(&mut self, name: &str, item: Type) -> List {
        let of = self.new_type(name);
        let nil = self.constant(&format!("{name}_none"), of);
        let cons = self.constructor(&format!("{name}_and"), &[item, of], of);
        List { of, item, nil, cons }
    }

    /// Whether this holds of something in a list. If it is about facts in the state, the one found is used up.
    pub fn exists(&mut self, name: &str, list: &List, holds: &Predicate) -> Predicate {
        let exists = self.known(name, &[list.of]);
        let (item, rest) = (self.binding(list.item), self.binding(list.of));
        let both = list.cons.of([&item, &rest]);
        self.holds(exists.of([&both]), &[holds.of([&item])]);
        self.holds(exists.of([&both]), &[exists.of([&rest])]);
        exists
    }

    /// Whether this holds of everything in a list. If it is about facts in the state, all of them are used up.
    pub fn for_all(&mut self, name: &str, list: &List, holds: &Predicate) -> Predicate {
        let for_all = self.known(name, &[list.of]);
        let (item, rest) = (self.binding(list.item), self.binding(list.of));
        let both = list.cons.of([&item, &rest]);
        self.holds(for_all.of([&list.nil]), &[]);
        self.holds(for_all.of([&both]), &[holds.of([&item]), for_all.of([&rest])]);
        for_all
    }
}
