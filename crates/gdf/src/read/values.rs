//! Value tags.

use std::collections::HashSet;

use houserules_model::{Expr, ExprKind, Form, Name, Number, Origin, Slot};

use super::Reader;
use crate::embedded::{self, Place};
use crate::tags::VALUES;
use crate::xml::{Element, Node, Tag};

/// What kind of value a tag holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Number,
    Text,
    Entity,
    List,
    Dictionary,
}

impl Type {
    pub fn of(tag: &str) -> Option<Type> {
        Some(match tag {
            "number" => Type::Number,
            "string" => Type::Text,
            "id" => Type::Entity,
            "list" => Type::List,
            "dictionary" => Type::Dictionary,
            _ => return None,
        })
    }

    pub fn tag(self) -> &'static str {
        VALUES[self as usize]
    }
}

/// What may stand in a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allowed {
    Anything,
    /// Entities, and lists and dictionaries of them.
    Links,
}

impl<'t> Reader<'t> {
    /// The tag of the value that a definition, an override or a constant holds. A `constant` around it is looked through.
    pub(super) fn held<'e>(&self, element: &'e Element<'t>) -> Option<&'e Element<'t>> {
        let is_value = |child: &&Element| matches!(child.name, Tag::Plain(name) if VALUES.contains(&name));
        let inside = element.child("constant").unwrap_or(element);
        inside.elements().find(is_value)
    }

    /// None: nothing is held, which is nil.
    pub(super) fn value(&mut self, element: &Element<'t>, allowed: Allowed) -> Option<Expr> {
        self.attributes(element, &["key"], &["expr"]);
        let origin = self.head(element);
        if let Some(computed) = element.ours("expr") {
            self.comments_within(element);
            let exact = matches!(computed.value, std::borrow::Cow::Borrowed(_)).then_some(computed.start as u32);
            let (expr, faults) = embedded::expr(&computed.value, Place { whole: self.place_of(computed), exact });
            self.diagnostics.extend(faults);
            return Some(expr.unwrap_or(Expr::new(ExprKind::Missing, origin)));
        }
        let Tag::Plain(tag) = element.name else { return None };
        let kind = match tag {
            "number" => self.number(element, origin, allowed),
            "string" => {
                self.only_text(element);
                let text: Name = element.text().into();
                self.only_links(allowed, origin, "a text");
                ExprKind::Text(text)
            }
            "id" => return self.entity_id(element, origin),
            "list" => {
                let members = self.members(element);
                let members = members.into_iter().map(|member| self.value_or_nil(member, allowed));
                ExprKind::Form(Form::List, vec![Slot::Exprs(members.collect())])
            }
            _ => self.dictionary(element, allowed),
        };
        Some(Expr::new(kind, origin))
    }

    /// The comments of what is there for others.
    fn comments_within(&mut self, element: &Element<'t>) {
        for child in &element.children {
            match child {
                Node::Comment { text, start } => self.remark(*start, text),
                Node::Element(child) => self.comments_within(child),
                Node::Text(_) => {}
            }
        }
    }

    pub(super) fn value_or_nil(&mut self, element: &Element<'t>, allowed: Allowed) -> Expr {
        let origin = self.head(element);
        self.value(element, allowed).unwrap_or_else(|| Expr::new(ExprKind::Word("nil".into()), origin))
    }

    fn members<'e>(&mut self, element: &'e Element<'t>) -> Vec<&'e Element<'t>> {
        self.children(element, VALUES)
    }

    fn dictionary(&mut self, element: &Element<'t>, allowed: Allowed) -> ExprKind {
        let mut entries = Vec::new();
        let mut known = HashSet::new();
        for member in self.members(element) {
            let key = self.name(member, "key");
            let value = self.value_or_nil(member, allowed);
            if known.insert(key.clone()) {
                entries.push((Expr::new(ExprKind::Text(key), self.head(member)), value));
            } else {
                let label = format!("The key `{key}` is there already.");
                self.error("gdf/twice", "Said twice", self.head(member), label, "It is dropped; give it another key.");
            }
        }
        ExprKind::Form(Form::Dictionary, vec![Slot::Entries(entries)])
    }

    fn number(&mut self, element: &Element<'t>, origin: Origin, allowed: Allowed) -> ExprKind {
        self.only_text(element);
        self.only_links(allowed, origin, "a number");
        let text = element.text();
        match number(text.trim()) {
            Some(number) => ExprKind::Number(number),
            None => {
                let shown: String = text.trim().chars().take(30).collect();
                let label = format!("“{shown}” is no number from {} to {}.", -Number::MOST, Number::MOST);
                self.error(
                    "gdf/type",
                    "No number",
                    origin,
                    label,
                    "It is kept as a text; write a number such as 4 or 7.5.",
                );
                ExprKind::Text(text.trim().into())
            }
        }
    }

    fn entity_id(&mut self, element: &Element<'t>, origin: Origin) -> Option<Expr> {
        self.only_text(element);
        let text = element.text();
        let name: Name = text.trim().into();
        if name.is_empty() {
            return None;
        }
        self.somebody(&name, origin);
        Some(entity(name, origin))
    }

    fn somebody(&mut self, name: &Name, origin: Origin) {
        if self.survey.more_things || self.survey.entities.contains(name) {
            return;
        }
        let near = houserules_model::nearest(name, self.survey.entities.iter().map(|name| &**name)).map(str::to_owned);
        let label = format!("There is no entity `{name}`.");
        let hint = match near {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("Add `<entity name=\"{name}\" …>`, or leave the tag empty."),
        };
        self.error("gdf/nobody", "Nobody is called so", origin, label, &hint);
    }

    fn only_links(&mut self, allowed: Allowed, origin: Origin, what: &str) {
        if allowed == Allowed::Links {
            let label = format!("A relationship holds entities; this is {what}.");
            self.error(
                "gdf/type",
                "No entity",
                origin,
                label,
                "Use `id`, or a `property` instead of the relationship.",
            );
        }
    }

    /// The comments and unknown tags around a value.
    pub(super) fn around_value(&mut self, element: &Element<'t>, also: &[&str]) {
        let mut found = false;
        for child in &element.children {
            match child {
                Node::Element(child) => match child.name {
                    Tag::Plain("constant") if !found => {
                        found = true;
                        self.around_value(child, &[]);
                    }
                    Tag::Plain(name) if VALUES.contains(&name) && !found => found = true,
                    Tag::Plain(name) if VALUES.contains(&name) || name == "constant" => {
                        let label = "One value stands here, and this is another.";
                        self.error(
                            "gdf/twice",
                            "Said twice",
                            self.head(child),
                            label,
                            "It is dropped; a `list` holds several.",
                        );
                    }
                    Tag::Plain(name) if also.contains(&name) => {}
                    _ => self.unknown(child, VALUES),
                },
                Node::Text(text) => self.stray_text(&text.text, text.start),
                Node::Comment { text, start } => self.remark(*start, text),
            }
        }
    }
}

/// Whole where it has no decimals, however it is written.
pub(crate) fn number(text: &str) -> Option<Number> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) || text.contains(['i', 'n', 'I', 'N']) {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    match number {
        number if number.abs() > Number::MOST as f64 => None,
        number if number.fract() == 0.0 => Some(Number::Whole(number as i64)),
        number => Some(Number::Decimal(number)),
    }
}

pub(crate) fn entity(name: Name, origin: Origin) -> Expr {
    let name = Expr::new(ExprKind::Text(name), origin);
    Expr::new(ExprKind::Form(Form::Entity, vec![Slot::Expr(Box::new(name))]), origin)
}
