//! The tree without its layout: words, numbers, strings and lists of these, each with its origin.

use crate::lexer::is_number;
use crate::{SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};
use houserules_model::{Diagnostic, FileId, Name, Number, Origin};

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Datum {
    pub kind: DatumKind,
    pub origin: Origin,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum DatumKind {
    Word(Name),
    Number(Number),
    Text(Name),
    List(Vec<Datum>),
}

/// A directive and the items after it.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// Without the `#`.
    pub word: Name,
    pub word_origin: Origin,
    pub items: Vec<Datum>,
    pub origin: Origin,
}

/// A whole text: what stands before the first directive, and the directives.
pub(crate) struct Data {
    pub loose: Vec<Datum>,
    pub sections: Vec<Section>,
}

impl Datum {
    /// The word, if it is one without quotes.
    pub fn word(&self) -> Option<&Name> {
        match &self.kind {
            DatumKind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.word().is_some_and(|own| &**own == word)
    }

    /// Says of it and everything inside that it stands there.
    pub fn place(&mut self, origin: Origin) {
        self.origin = origin;
        if let DatumKind::List(items) = &mut self.kind {
            items.iter_mut().for_each(|item| item.place(origin));
        }
    }

    pub fn text(&self) -> Option<&Name> {
        match &self.kind {
            DatumKind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Datum]> {
        match &self.kind {
            DatumKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// What it says where a name is wanted: quotes are optional, and places of a track are called by numbers.
    pub fn name(&self) -> Option<Name> {
        match &self.kind {
            DatumKind::Word(name) | DatumKind::Text(name) => Some(name.clone()),
            DatumKind::Number(number) => Some(number.to_string().into()),
            DatumKind::List(_) => None,
        }
    }
}

pub(crate) fn data(root: &SyntaxNode, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> Data {
    let mut data = Data { loose: Vec::new(), sections: Vec::new() };
    for element in root.children_with_tokens() {
        match element {
            SyntaxElement::Node(node) if node.kind() == SyntaxKind::Section => {
                data.sections.extend(section(&node, file, diagnostics));
            }
            element => data.loose.extend(datum(element, file, diagnostics)),
        }
    }
    data
}

fn section(node: &SyntaxNode, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> Option<Section> {
    let mut elements = node.children_with_tokens();
    let head = elements.next()?.into_token()?;
    let items = elements.filter_map(|element| datum(element, file, diagnostics)).collect();
    Some(Section {
        word: head.text().trim_start_matches('#').into(),
        word_origin: origin(head.text_range(), file),
        items,
        origin: origin(node.text_range(), file),
    })
}

fn datum(element: SyntaxElement, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> Option<Datum> {
    let origin = origin(element.text_range(), file);
    let kind = match element {
        SyntaxElement::Node(node) => {
            DatumKind::List(node.children_with_tokens().filter_map(|inner| datum(inner, file, diagnostics)).collect())
        }
        SyntaxElement::Token(token) => match token.kind() {
            SyntaxKind::Word => DatumKind::Word(token.text().into()),
            SyntaxKind::Text => DatumKind::Text(unquoted(token.text()).into()),
            SyntaxKind::Number => DatumKind::Number(number(&token, origin, diagnostics)),
            _ => return None,
        },
    };
    Some(Datum { kind, origin })
}

/// What is wrong with it is told; in its place stands 0, so that what follows keeps its place.
fn number(token: &SyntaxToken, origin: Origin, diagnostics: &mut Vec<Diagnostic>) -> Number {
    let text = token.text();
    let number = if text.contains('.') {
        text.parse().ok().filter(|value: &f64| value.abs() <= Number::MOST as f64).map(Number::Decimal)
    } else {
        text.parse().ok().filter(|value| (-Number::MOST..=Number::MOST).contains(value)).map(Number::Whole)
    };
    if number.is_none() && is_number(text) {
        let label = format!("Numbers reach from {} to {}.", -Number::MOST, Number::MOST);
        diagnostics.push(Diagnostic::error("text/number", "This number is too big", origin, label));
    }
    number.unwrap_or(Number::Whole(0))
}

/// The text between the quotes; the last quote may be missing.
fn unquoted(token: &str) -> String {
    let inner = token.strip_prefix('"').unwrap_or(token);
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some(c @ ('"' | '\\')) => text.push(c),
                Some(other) => text.extend(['\\', other]),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
    text
}

fn origin(range: rowan::TextRange, file: FileId) -> Origin {
    Origin::new(file, range.start().into(), range.end().into())
}
