//! The items after a directive, taken one by one.

use super::exprs::Exprs;
use crate::datum::{Datum, Section};
use houserules_model::{Body, Diagnostic, Expr, ExprKind, Name, Origin, directives};

pub(crate) struct Cursor<'a> {
    section: &'a Section,
    items: &'a [Datum],
    diagnostics: &'a mut Vec<Diagnostic>,
    /// One message a directive: what comes after the first fault is usually its echo.
    failed: bool,
}

impl<'a> Cursor<'a> {
    pub fn new(section: &'a Section, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Cursor { section, items: &section.items, diagnostics, failed: false }
    }

    pub fn peek(&self) -> Option<&'a Datum> {
        self.items.first()
    }

    pub fn peek_at(&self, n: usize) -> Option<&'a Datum> {
        self.items.get(n)
    }

    pub fn next(&mut self) -> Option<&'a Datum> {
        let (first, rest) = self.items.split_first()?;
        self.items = rest;
        Some(first)
    }

    pub fn at_end(&self) -> bool {
        self.items.is_empty()
    }

    pub fn rest(&mut self) -> &'a [Datum] {
        std::mem::take(&mut self.items)
    }

    pub fn at_word(&self, word: &str) -> bool {
        self.peek().is_some_and(|item| item.is_word(word))
    }

    /// At one word of a phrase after the other.
    pub fn at_words(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(n, word)| self.peek_at(n).is_some_and(|item| item.is_word(word)))
    }

    pub fn eat(&mut self, word: &str) -> bool {
        self.eat_all(&[word])
    }

    pub fn eat_all(&mut self, words: &[&str]) -> bool {
        let there = self.at_words(words);
        if there {
            self.items = &self.items[words.len()..];
        }
        there
    }

    pub fn want(&mut self, word: &str) {
        if !self.eat(word) {
            self.fail(&format!("Here the word `{word}` is expected."));
        }
    }

    /// A name: a word, a string or a number.
    pub fn opt_name(&mut self) -> Option<Name> {
        let name = self.peek()?.name()?;
        self.next();
        Some(name)
    }

    pub fn name(&mut self, what: &str) -> Name {
        match self.opt_name() {
            Some(name) => name,
            None => {
                self.fail(&format!("Here {what} is expected."));
                "?".into()
            }
        }
    }

    pub fn name_here(&mut self, what: &str) -> (Name, Origin) {
        let origin = self.peek().map_or(self.section.word_origin, |item| item.origin);
        (self.name(what), origin)
    }

    /// Names up to a form or one of these words.
    pub fn names_until(&mut self, stops: &[&str]) -> Vec<(Name, Origin)> {
        let mut names = Vec::new();
        while let Some(item) = self.peek() {
            if stops.iter().any(|stop| item.is_word(stop)) {
                break;
            }
            let Some(name) = self.opt_name() else { break };
            names.push((name, item.origin));
        }
        names
    }

    pub fn text(&mut self, what: &str) -> Name {
        match self.peek().and_then(|item| item.text()) {
            Some(text) => {
                self.next();
                text.clone()
            }
            None => {
                self.fail(&format!("Here {what} is expected, in quotes."));
                "".into()
            }
        }
    }

    pub fn expr(&mut self, what: &str) -> Expr {
        match self.next() {
            Some(item) => self.expr_of(item),
            None => {
                self.fail(&format!("Here {what} is missing."));
                Expr::new(ExprKind::Missing, self.section.origin)
            }
        }
    }

    pub fn expr_of(&mut self, item: &Datum) -> Expr {
        Exprs { diagnostics: self.diagnostics }.expr(item)
    }

    /// Everything that is left, as statements.
    pub fn body(&mut self) -> Body {
        let items = self.rest();
        Exprs { diagnostics: self.diagnostics }.body(items)
    }

    pub fn end(&mut self) {
        if !self.at_end() {
            self.fail("Nothing more belongs here.");
            self.rest();
        }
    }

    /// Reports what is wrong at the next item, and how the directive is written.
    pub fn fail(&mut self, label: &str) {
        if std::mem::replace(&mut self.failed, true) {
            return;
        }
        let place = match self.peek() {
            Some(item) => item.origin,
            None => self.section.items.last().map_or(self.section.word_origin, |item| item.origin),
        };
        let label = match self.peek() {
            Some(_) => label.to_string(),
            None => label.replacen("Here", "After this", 1),
        };
        let title = format!("`#{}` is written in another way", self.section.word);
        let mut diagnostic = Diagnostic::error("directive/misfit", title, place, label);
        if let Some(def) = directives::named(&self.section.word) {
            diagnostic =
                diagnostic.note(format!("{}\n    {}", def.usages().collect::<Vec<_>>().join("\n"), def.summary));
        }
        self.diagnostics.push(diagnostic);
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
        self.diagnostics.push(diagnostic);
    }

    pub fn has_failed(&self) -> bool {
        self.failed
    }
}
