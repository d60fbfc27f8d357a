//! The model as text: reading it again gives equal items.
//!
//! Forms are printed by their patterns. A single item reads back as itself, with two exceptions: a rule that is
//! not enforced needs a second directive to say so, and a model's parts bring the model's name with them.

mod items;
mod text;

use crate::{Element, Expr, ExprKind, Form, NameRef, Number, Slot, SlotKind, forms};
use std::fmt;
pub use text::{is_plain_word, is_word_sign, name, quoted};

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Number::Whole(number) => write!(f, "{number}"),
            // Without a point it would be read as a whole number.
            Number::Decimal(number) if number.fract() == 0.0 => write!(f, "{number}.0"),
            Number::Decimal(number) => write!(f, "{number}"),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&expr(self))
    }
}

impl fmt::Display for NameRef {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&name_ref(self))
    }
}

pub(crate) fn expr(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Text(text) => quoted(&text::unbraced(text)),
        ExprKind::Told(pieces) => quoted(&pieces.iter().map(piece).collect::<String>()),
        ExprKind::Word(word) => word.to_string(),
        ExprKind::Form(form, slots) => form_text(*form, slots),
        ExprKind::Call { name, args, of, .. } => {
            let mut parts = vec![name.to_string()];
            parts.extend(args.iter().map(|arg| guarded(arg, &["of"])));
            if let Some(of) = of {
                parts.push("of".into());
                parts.push(self::expr(of));
            }
            format!("({})", parts.join(" "))
        }
        ExprKind::PlaceAt { model, at } => {
            let at: Vec<String> = at.iter().map(self::expr).collect();
            format!("({model} at {})", at.join(" "))
        }
        ExprKind::Missing => "()".into(),
    }
}

/// A piece of a text with values: a form stands between braces instead of parentheses.
fn piece(piece: &Expr) -> String {
    match (&piece.kind, expr(piece)) {
        (ExprKind::Text(text), _) => text::unbraced(text),
        (_, form) => match form.strip_prefix('(').and_then(|form| form.strip_suffix(')')) {
            Some(inside) => format!("{{{inside}}}"),
            None => format!("{{{form}}}"),
        },
    }
}

/// A word that would be taken for a word of the pattern goes between parentheses, unless these would make a form of it:
/// such a word can only stand where it is no word of the pattern.
fn guarded(item: &Expr, words: &[&str]) -> String {
    match &item.kind {
        ExprKind::Word(word) if words.contains(&&**word) && forms::with_head(word).next().is_none() => {
            format!("({word})")
        }
        _ => expr(item),
    }
}

fn name_ref(item: &NameRef) -> String {
    guarded_name(item, &[])
}

fn guarded_name(item: &NameRef, words: &[&str]) -> String {
    match item {
        NameRef::Given(given, _) if words.contains(&&**given) => quoted(given),
        NameRef::Given(given, _) => name(given),
        // Without parentheses it would be a name instead of the value of a word.
        NameRef::Computed(computed) => match &computed.kind {
            ExprKind::Word(word) => format!("({word})"),
            _ => expr(computed),
        },
    }
}

fn form_text(form: Form, slots: &[Slot]) -> String {
    // All words of all forms with this head: a longer form must not be read where a shorter one was meant.
    let mut words = Vec::new();
    for def in forms::with_head(form.head()) {
        collect_words(&def.form.pattern().elements, &mut words);
    }
    let mut printer = Printer { slots: slots.iter(), words, parts: vec![form.head().to_string()] };
    printer.elements(&form.pattern().elements);
    format!("({})", printer.parts.join(" "))
}

fn collect_words(elements: &[Element], words: &mut Vec<&'static str>) {
    for element in elements {
        match element {
            Element::Word(word) => words.push(word),
            Element::Optional(inner) => collect_words(inner, words),
            Element::Slot(..) => {}
        }
    }
}

struct Printer<'a> {
    slots: std::slice::Iter<'a, Slot>,
    words: Vec<&'static str>,
    parts: Vec<String>,
}

impl Printer<'_> {
    fn elements(&mut self, elements: &[Element]) {
        for element in elements {
            match element {
                Element::Word(word) => self.parts.push(word.to_string()),
                Element::Slot(_, kind) => {
                    let slot = self.slots.next().unwrap_or(&Slot::Absent);
                    self.slot(slot, *kind);
                }
                Element::Optional(inner) => self.optional(inner),
            }
        }
    }

    fn optional(&mut self, inner: &[Element]) {
        if let [Element::Word(word)] = inner {
            if self.slots.next().is_some_and(Slot::given) {
                self.parts.push(word.to_string());
            }
            return;
        }
        if self.slots.clone().next().is_some_and(Slot::given) {
            self.elements(inner);
        } else {
            let skipped = inner.iter().filter(|element| matches!(element, Element::Slot(..))).count();
            (0..skipped).for_each(|_| {
                self.slots.next();
            });
        }
    }

    fn slot(&mut self, slot: &Slot, kind: SlotKind) {
        let words = std::mem::take(&mut self.words);
        match slot {
            // A pattern's slot that was never filled: the grey block.
            Slot::Absent | Slot::Flag => {
                if !matches!(kind, SlotKind::Exprs | SlotKind::Body | SlotKind::Names | SlotKind::Pairs) {
                    self.parts.push("()".into());
                }
            }
            Slot::Expr(item) => self.parts.push(expr(item)),
            Slot::Exprs(items) | Slot::Body(items) => {
                self.parts.extend(items.iter().map(|item| guarded(item, &words)));
            }
            Slot::Name(item) => self.parts.push(name_ref(item)),
            Slot::Names(items) => self.parts.extend(items.iter().map(|item| guarded_name(item, &words))),
            Slot::Pairs(pairs) => {
                for (name, value) in pairs {
                    self.parts.push(guarded_name(name, &words));
                    self.parts.push(guarded(value, &words));
                }
            }
            Slot::Entries(entries) => {
                self.parts
                    .extend(entries.iter().flat_map(|(key, value)| [guarded(key, &words), guarded(value, &words)]));
            }
            Slot::Domain { var, list, owner } => {
                if let Some(var) = var {
                    self.parts.push(format!("{var} in"));
                }
                self.parts.push(expr(list));
                if let Some(owner) = owner {
                    self.parts.push(format!("for {}", expr(owner)));
                }
            }
            Slot::Cases { cases, otherwise } => {
                for case in cases {
                    let body: String = case.body.iter().map(|item| format!(" {}", expr(item))).collect();
                    self.parts.push(format!("(case {}{body})", expr(&case.value)));
                }
                if let Some(body) = otherwise {
                    let body: String = body.iter().map(|item| format!(" {}", expr(item))).collect();
                    self.parts.push(format!("(else{body})"));
                }
            }
        }
        self.words = words;
    }
}
