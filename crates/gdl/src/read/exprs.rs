//! Statements and expressions, by the table of forms.

use super::matching::{Mismatch, Place, matching};
use super::slips;
use crate::datum::{Datum, DatumKind};
use houserules_model::{Body, Case, Diagnostic, Expr, ExprKind, Form, NameRef, Origin, Slot, SlotKind, forms};

/// Reads expressions and collects what is wrong with them.
pub(crate) struct Exprs<'a> {
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

impl Exprs<'_> {
    pub fn body(&mut self, items: &[Datum]) -> Body {
        items.iter().map(|item| self.expr(item)).collect()
    }

    pub fn expr(&mut self, item: &Datum) -> Expr {
        let kind = match &item.kind {
            DatumKind::Word(word) => ExprKind::Word(word.clone()),
            DatumKind::Number(number) => ExprKind::Number(*number),
            DatumKind::Text(text) if text.contains('{') => self.told(text, item.origin),
            DatumKind::Text(text) => ExprKind::Text(text.clone()),
            DatumKind::List(items) => self.list(items, item.origin),
        };
        Expr::new(kind, item.origin)
    }

    /// A text with values between braces; two braces are one that stands for itself.
    fn told(&mut self, text: &str, origin: Origin) -> ExprKind {
        let mut pieces: Vec<Expr> = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            plain.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(behind) = rest.strip_prefix('{') {
                plain.push('{');
                rest = behind;
                continue;
            }
            let Some(end) = rest.find('}') else {
                let label = "A brace opens a value here, and none closes it.";
                let hint = "Write `{player}` for a value, `{{` for a brace that stands for itself.";
                self.report(Diagnostic::error("form/text", "A brace that is not closed", origin, label).hint(hint));
                break;
            };
            match self.piece(&rest[..end], origin).kind {
                ExprKind::Text(text) => plain.push_str(&text),
                kind => {
                    if !plain.is_empty() {
                        pieces.push(Expr::new(ExprKind::Text(std::mem::take(&mut plain).into()), origin));
                    }
                    pieces.push(Expr::new(kind, origin));
                }
            }
            rest = &rest[end + 1..];
        }
        plain.push_str(rest);
        if pieces.is_empty() {
            return ExprKind::Text(plain.into());
        }
        if !plain.is_empty() {
            pieces.push(Expr::new(ExprKind::Text(plain.into()), origin));
        }
        ExprKind::Told(pieces)
    }

    /// What stands between two braces: one expression, or a form without its parentheses.
    fn piece(&mut self, inside: &str, origin: Origin) -> Expr {
        let parsed = crate::parse(origin.file, inside);
        let mut data = crate::datum::data(&parsed.root(), origin.file, self.diagnostics).loose;
        data.iter_mut().for_each(|datum| datum.place(origin));
        if !parsed.diagnostics.is_empty() || data.is_empty() {
            let label = format!("`{{{inside}}}` is no value.");
            let hint = "Write `{player}`, `{worth of crown}`; `{{` for a brace that stands for itself.";
            self.report(Diagnostic::error("form/text", "Nothing to tell between braces", origin, label).hint(hint));
            return Expr::new(ExprKind::Text(inside.into()), origin);
        }
        match data.as_slice() {
            [only] => self.expr(only),
            items => {
                let kind = self.list(items, origin);
                Expr::new(kind, origin)
            }
        }
    }

    /// In a name position.
    pub fn name(&mut self, item: &Datum) -> NameRef {
        match item.name() {
            Some(name) => NameRef::Given(name, item.origin),
            None => NameRef::Computed(Box::new(self.expr(item))),
        }
    }

    fn list(&mut self, items: &[Datum], origin: Origin) -> ExprKind {
        let Some((head, rest)) = items.split_first() else {
            let label = "Between these parentheses a form is missing.";
            self.report(Diagnostic::error("form/empty", "Nothing here yet", origin, label));
            return ExprKind::Missing;
        };
        if let Some(slip) = slips::slip(items, origin) {
            self.report(slip);
            return ExprKind::Missing;
        }
        let Some(word) = head.word() else {
            let label = "A form begins with a word: what to do, or what to look up.";
            let mut diagnostic =
                Diagnostic::error("form/head", "This form does not begin with a word", head.origin, label);
            if head.list().is_some() {
                diagnostic = diagnostic.hint("Write `(do … …)` for several statements, `(list … …)` for a list.");
            }
            self.report(diagnostic);
            return ExprKind::Missing;
        };
        let mut best: Option<Mismatch> = None;
        for def in forms::with_head(word) {
            match matching(def.form.pattern(), rest) {
                Ok(places) => return self.form(def.form, &places, rest),
                Err(mismatch) if best.as_ref().is_none_or(|best| best.at < mismatch.at) => best = Some(mismatch),
                Err(_) => {}
            }
        }
        // A property may be called like a form, as in `(line of ship)`; with more between, it is the form misspelt.
        if let [args @ .., of, target] = rest
            && of.is_word("of")
            && (best.is_none() || args.is_empty())
            && !args.iter().any(|item| item.is_word("of"))
        {
            let args = self.body(args);
            let of = Some(Box::new(self.expr(target)));
            return ExprKind::Call { name: word.clone(), name_origin: head.origin, args, of };
        }
        if let Some(mismatch) = best {
            self.misfit(word, rest, origin, mismatch);
            return ExprKind::Missing;
        }
        match rest {
            [] => ExprKind::Word(word.clone()),
            [at, places @ ..] if at.is_word("at") && !places.is_empty() => {
                ExprKind::PlaceAt { model: word.clone(), at: self.body(places) }
            }
            rest => {
                if let Some(of) = rest.iter().find(|item| item.is_word("of")) {
                    let label = "After `of` one thing is expected, and nothing behind it.";
                    let title = format!("`({word} … of …)` cannot be read");
                    self.report(Diagnostic::error("form/of", title, of.origin, label));
                    return ExprKind::Missing;
                }
                let args = self.body(rest);
                ExprKind::Call { name: word.clone(), name_origin: head.origin, args, of: None }
            }
        }
    }

    fn misfit(&mut self, head: &str, rest: &[Datum], origin: Origin, mismatch: Mismatch) {
        let place = match rest.get(mismatch.at) {
            Some(item) => item.origin,
            None => Origin { start: origin.end.saturating_sub(1).max(origin.start), ..origin },
        };
        let title = format!("`{head}` is written in another way");
        let mut diagnostic = Diagnostic::error("form/misfit", title, place, mismatch.wanted);
        for def in forms::with_head(head) {
            diagnostic = diagnostic.note(format!("{}\n    {}", def.usage(), def.summary));
        }
        self.report(diagnostic);
    }

    fn form(&mut self, form: Form, places: &[Place], items: &[Datum]) -> ExprKind {
        let slots = places.iter().map(|place| match place {
            Place::Absent => Slot::Absent,
            Place::Flag => Slot::Flag,
            Place::At(kind, range) => self.slot(*kind, &items[range.clone()]),
        });
        ExprKind::Form(form, slots.collect())
    }

    fn slot(&mut self, kind: SlotKind, items: &[Datum]) -> Slot {
        match (kind, items) {
            (SlotKind::Expr | SlotKind::Direction | SlotKind::Target, [item]) => Slot::Expr(Box::new(self.expr(item))),
            (SlotKind::Name | SlotKind::Var, [item]) => Slot::Name(self.name(item)),
            (SlotKind::Domain, items) => self.domain(items),
            (SlotKind::Exprs, items) => Slot::Exprs(self.body(items)),
            (SlotKind::Body, items) => Slot::Body(self.body(items)),
            (SlotKind::Names, items) => Slot::Names(items.iter().map(|item| self.name(item)).collect()),
            (SlotKind::Pairs, items) => {
                Slot::Pairs(items.chunks_exact(2).map(|pair| (self.name(&pair[0]), self.expr(&pair[1]))).collect())
            }
            (SlotKind::Entries, items) => {
                Slot::Entries(items.chunks_exact(2).map(|pair| (self.expr(&pair[0]), self.expr(&pair[1]))).collect())
            }
            (SlotKind::Cases, items) => self.cases(items),
            (kind, _) => unreachable!("matching gives {kind:?} another number of items"),
        }
    }

    /// `[x in] LIST [for P]`.
    fn domain(&mut self, items: &[Datum]) -> Slot {
        let (items, owner) = match items {
            [items @ .., word, owner] if word.is_word("for") => (items, Some(Box::new(self.expr(owner)))),
            items => (items, None),
        };
        let (var, list) = match items {
            [var, _, list] => (var.word().cloned(), list),
            [list, ..] => (None, list),
            [] => unreachable!("matching lets no domain pass without a list"),
        };
        Slot::Domain { var, list: Box::new(self.expr(list)), owner }
    }

    fn cases(&mut self, items: &[Datum]) -> Slot {
        let mut cases = Vec::new();
        let mut otherwise = None;
        for item in items {
            let (head, rest) =
                item.list().and_then(|inner| inner.split_first()).expect("matching lets only cases pass");
            if otherwise.is_some() {
                let label = "`(else …)` comes last, so this can never be reached.";
                self.report(Diagnostic::error("form/case", "A case after `else`", item.origin, label));
            }
            match rest.split_first() {
                _ if head.is_word("else") => otherwise = Some(self.body(rest)),
                Some((value, body)) => cases.push(Case { value: self.expr(value), body: self.body(body) }),
                None => {
                    let label = "After `case` a value is expected.";
                    self.report(Diagnostic::error("form/case", "A case without a value", item.origin, label));
                }
            }
        }
        Slot::Cases { cases, otherwise }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}
