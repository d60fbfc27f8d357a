//! What other readers skip: who plays, what may be done, rules, and whatever else the definition language can say.

use houserules_model::{Action, Expr, ExprKind, ItemKind, Mode, Name, Origin, PlayerName, Players, Rule, RuleKind};

use super::Reader;
use crate::embedded::{self, Place};
use crate::xml::{Attribute, Element, Tag};

impl<'t> Reader<'t> {
    /// False: it is no addition.
    pub(super) fn addition(&mut self, element: &Element<'t>) -> bool {
        match element.name {
            Tag::Ours("players") => self.players(element),
            Tag::Ours("action") => self.action(element),
            Tag::Ours("law") => self.rule(element, RuleKind::Law),
            Tag::Ours("sideeffect") => self.rule(element, RuleKind::SideEffect),
            Tag::Ours("item") => self.directives(element, ""),
            _ => return false,
        }
        true
    }

    /// Directives in the definition language. In a model they belong to it.
    pub(super) fn directives(&mut self, element: &Element<'t>, opening: &str) {
        self.attributes(element, &[], &["at"]);
        self.only_text(element);
        let piece = embedded::items(opening, &element.text(), self.place(element));
        self.diagnostics.extend(piece.diagnostics);
        for (at, text) in piece.comments {
            self.remarks.put(self.file, at, text);
        }
        for mut item in piece.items {
            self.count_up(&mut item.kind);
            self.items.push(item);
        }
    }

    /// What has no name is told apart by its number, over the whole file.
    fn count_up(&mut self, kind: &mut ItemKind) {
        match kind {
            ItemKind::Entity(entity) if entity.name.is_none() => {
                let n = self.named.entities.entry(entity.model.clone()).or_default();
                *n += 1;
                entity.number = *n;
            }
            ItemKind::Link(link) => {
                self.named.n_links += 1;
                link.number = self.named.n_links;
            }
            ItemKind::Spot(spot) => {
                self.named.n_links += 1;
                spot.number = self.named.n_links;
            }
            ItemKind::Variant(variant) => variant.changes.iter_mut().for_each(|item| self.count_up(&mut item.kind)),
            _ => {}
        }
    }

    fn players(&mut self, element: &Element<'t>) {
        self.attributes(element, &[], &[]);
        let origin = self.head(element);
        let mut names = Vec::new();
        self.between_tags(element);
        for seat in element.elements() {
            match seat.is_ours("seat") {
                true => {
                    self.only_text(seat);
                    names.push(PlayerName { name: seat.text().trim().into(), facing: None, origin: self.head(seat) });
                }
                false => self.unknown(seat, &["hr:seat"]),
            }
        }
        if names.is_empty() {
            return self.missing(element, "The players are missing.", "Write `<hr:seat>…</hr:seat>` for each.");
        }
        let n = names.len() as u32;
        self.put(ItemKind::Players(Players { names, least: n, most: n, are: None }), origin);
    }

    fn action(&mut self, element: &Element<'t>) {
        self.attributes(element, &["label", "to", "as", "when"], &[]);
        let label = self.name(element, "label");
        let origin = self.head(element);
        let to = element.attribute("to").and_then(|to| self.receivers(to));
        let words = element.attribute("as").map(|words| Name::from(&*words.value));
        let when_asked = element.attribute("when").is_some_and(|when| when.value.trim() == "asked");
        let mut with: Vec<(Name, Expr)> = Vec::new();
        let mut body = None;
        self.between_tags(element);
        for child in element.elements() {
            if child.is_ours("with") {
                self.attributes(child, &["name"], &[]);
                let name = self.name(child, "name");
                let domain = self.statement_of(child);
                with.push((name, domain));
            } else if child.is("statements") && body.is_none() {
                self.attributes(child, &[], &[]);
                // Without statements it is the behavior that answers, as where there is no such tag.
                body = Some(self.body_of(child)).filter(|body| !body.is_empty());
            } else {
                self.unknown(child, &["hr:with", "statements"]);
            }
        }
        self.put(ItemKind::Action(Action { label, to, with, words, when_asked, body }), origin);
    }

    /// The name of a model, or a form that gives a list.
    fn receivers(&mut self, attribute: &Attribute) -> Option<Expr> {
        let text = attribute.value.trim();
        let place = self.place_of(attribute);
        if !text.starts_with('(') {
            return Some(Expr::new(ExprKind::Word(text.into()), place));
        }
        let (expr, faults) = embedded::expr(text, Place { whole: place, exact: None });
        self.diagnostics.extend(faults);
        expr
    }

    fn rule(&mut self, element: &Element<'t>, kind: RuleKind) {
        let law = kind == RuleKind::Law;
        let known: &[&str] = &["name", "on", "to", "in", "before", "mode", "when"];
        self.attributes(element, &known[..if law { 7 } else { 6 }], &[]);
        let name = self.name(element, "name");
        let origin = self.head(element);
        if element.attribute("on").is_none() {
            self.missing(
                element,
                "The attribute `on` is missing.",
                "Write on which messages the rule stands: `on=\"…\"`.",
            );
        }
        let names = |attribute: &str| -> Vec<(Name, Origin)> {
            let found = element.attribute(attribute);
            let all =
                found.iter().flat_map(|found| found.value.split('|').map(|name| (name.trim(), self.place_of(found))));
            all.filter(|(name, _)| !name.is_empty()).map(|(name, origin)| (name.into(), origin)).collect()
        };
        let (labels, to, states) = (names("on"), names("to"), names("in"));
        let before = names("before").into_iter().next();
        let mode = match element.attribute("mode").map(|mode| mode.value.trim()) {
            None | Some("enforced") => Mode::Enforced,
            Some("advised") => Mode::Advised,
            Some("off") => Mode::Off,
            Some(other) => {
                let label = format!("“{other}” is none of `enforced`, `advised` and `off`.");
                self.warning("gdf/attribute", "Unknown mode", origin, label, "It is read as `enforced`.");
                Mode::Enforced
            }
        };
        let after = element.attribute("when").is_some_and(|when| when.value.trim() == "after");
        let kind = if law && after { RuleKind::AfterLaw } else { kind };
        let body = self.statements_of(element);
        self.put(ItemKind::Rule(Rule { name, kind, labels, to, states, before, mode, body }), origin);
    }
}
