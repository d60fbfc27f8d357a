//! From tokens to a program. Broken text is ordinary text: what cannot be read is told and passed over.

mod auction;
mod expr;
mod grid;
mod sections;
mod stmt;

pub(crate) use expr::plainly;

use crate::lex::{Kind, RESERVED, Token, lex};
use crate::syntax::{Name, Program};
use houserules_model::{Diagnostic, FileId, Origin, nearest};

/// How operators bind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Precedence {
    /// As everywhere: `* /`, `+ -`, comparisons, `&&`, `||`.
    #[default]
    Conventional,
    /// As the first program for the language had it: `&& ||`, index, `!`, comparisons, `* /`, `+ -`.
    Original,
}

/// A program as far as it could be read, and what is wrong with it.
pub fn parse(text: &str, file: FileId, precedence: Precedence) -> (Program, Vec<Diagnostic>) {
    let mut parser = Parser::new(text, file, precedence);
    let program = parser.program();
    (program, parser.diagnostics)
}

/// Expressions and blocks in each other.
pub(crate) const DEEPEST: u32 = 60;
/// Locations or objects that one range makes.
const RANGE: i64 = 1000;

struct Parser<'a> {
    text: &'a str,
    file: FileId,
    tokens: Vec<Token>,
    at: usize,
    precedence: Precedence,
    diagnostics: Vec<Diagnostic>,
    /// Blocks and brackets that are open.
    depth: u32,
    /// What is being read twice to compare says nothing.
    quiet: bool,
    /// The number of the location or object that a range makes.
    index: Option<i64>,
    too_deep: bool,
    /// Auctions that are declared, and those that are held.
    auctions: Vec<String>,
    held: Vec<Name>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, file: FileId, precedence: Precedence) -> Self {
        let mut diagnostics = Vec::new();
        let mut tokens = lex(text);
        for token in &tokens {
            let origin = Origin::new(file, token.start, token.end);
            let said = match token.kind {
                Kind::Stray => Some(("This means nothing", "Names are letters and digits and begin with a letter.")),
                Kind::OpenText => Some(("This text does not end", "A text ends with `\"` on the same line.")),
                Kind::OpenComment => Some(("This comment does not end", "It ends with `*/`.")),
                _ => None,
            };
            if let Some((title, label)) = said {
                diagnostics.push(Diagnostic::error("text/stray", title, origin, label));
            }
        }
        tokens.retain(|token| !matches!(token.kind, Kind::Comment | Kind::OpenComment | Kind::Stray));
        let (at, depth) = (0, 0);
        Parser {
            text,
            file,
            tokens,
            at,
            precedence,
            diagnostics,
            depth,
            quiet: false,
            index: None,
            too_deep: false,
            auctions: Vec::new(),
            held: Vec::new(),
        }
    }

    fn token(&self) -> Token {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    fn spelled(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn word(&self) -> &'a str {
        self.spelled(self.token())
    }

    fn origin(&self) -> Origin {
        let token = self.token();
        Origin::new(self.file, token.start, token.end)
    }

    /// From a place to the last token that was read.
    fn since(&self, start: Origin) -> Origin {
        let last = self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)];
        Origin::new(self.file, start.start, last.end.max(start.end))
    }

    fn bump(&mut self) {
        if self.at < self.tokens.len() - 1 {
            self.at += 1;
        }
    }

    fn ended(&self) -> bool {
        self.token().kind == Kind::End
    }

    fn at_sign(&self, sign: &str) -> bool {
        matches!(self.token().kind, Kind::Sign(known) if known == sign)
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.token().kind, Kind::Id | Kind::Low) && self.word() == word
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let there = self.at_sign(sign);
        if there {
            self.bump();
        }
        there
    }

    fn take_word(&mut self, word: &str) -> bool {
        let there = self.at_word(word);
        if there {
            self.bump();
        }
        there
    }

    fn tell(&mut self, diagnostic: Diagnostic) {
        if !self.quiet {
            self.diagnostics.push(diagnostic);
        }
    }

    fn expected(&mut self, what: &str) {
        let found = match self.token().kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.word()),
        };
        let label = format!("Here {what} is expected, and there is {found}.");
        self.tell(Diagnostic::error("text/expected", "Something else is expected", self.origin(), label));
    }

    fn sign(&mut self, sign: &str) -> bool {
        let there = self.take_sign(sign);
        if !there {
            self.expected(&format!("`{sign}`"));
        }
        there
    }

    /// The `;` after something; without it, reading goes on where the next thing begins.
    fn semicolon(&mut self) {
        if !self.take_sign(";") {
            self.expected("`;`");
            self.skip();
        }
    }

    /// Passes over what cannot be read: to after the next `;`, or before the `}` that closes this block.
    fn skip(&mut self) {
        let mut open = 0;
        while !self.ended() {
            match self.token().kind {
                Kind::Sign("{") => open += 1,
                Kind::Sign("}") if open == 0 => return,
                Kind::Sign("}") => {
                    open -= 1;
                    if open == 0 {
                        self.bump();
                        return;
                    }
                }
                Kind::Sign(";") if open == 0 => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// `{`, things, `}`.
    fn block(&mut self, mut thing: impl FnMut(&mut Self)) {
        if !self.sign("{") {
            return;
        }
        if !self.enter() {
            self.skip_block();
            return;
        }
        while !self.ended() && !self.at_sign("}") {
            let before = self.at;
            thing(self);
            if self.at == before {
                // Nothing was read: without this the same would be tried for ever.
                self.bump();
            }
        }
        self.depth -= 1;
        self.sign("}");
    }

    fn skip_block(&mut self) {
        let mut open = 1;
        while !self.ended() && open > 0 {
            match self.token().kind {
                Kind::Sign("{") => open += 1,
                Kind::Sign("}") => open -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// One deeper, unless that is too deep.
    fn enter(&mut self) -> bool {
        if self.depth >= DEEPEST {
            self.deep();
            return false;
        }
        self.depth += 1;
        true
    }

    fn deep(&mut self) {
        if !self.too_deep && !self.quiet {
            self.too_deep = true;
            let label = format!("More than {DEEPEST} stand in each other here.");
            let fault = Diagnostic::error("text/too-deep", "Too much in each other", self.origin(), label);
            self.tell(fault.hint("A round takes a part of it."));
        }
    }

    /// A name that begins with a capital letter.
    fn id(&mut self, what: &str) -> Option<Name> {
        let origin = self.origin();
        let text = self.word();
        match self.token().kind {
            Kind::Id if !RESERVED.contains(&text) => {
                self.bump();
                Some(Name { text: text.to_owned(), origin })
            }
            Kind::Id | Kind::Low if RESERVED.contains(&text) => {
                let label = format!("`{text}` is a word of the language; {what} is expected here.");
                self.tell(Diagnostic::error("name/reserved", "A reserved word", origin, label));
                None
            }
            Kind::Low => {
                let capital = text[..1].to_uppercase() + &text[1..];
                let label = format!("{what} begins with a capital letter.");
                let fault = Diagnostic::error("text/expected", "A small letter", origin, label);
                self.tell(fault.hint(format!("Write `{capital}`.")));
                None
            }
            _ => {
                self.expected(what);
                None
            }
        }
    }

    /// A name, or a range of names such as `B1..B10`, each with its number.
    fn ids(&mut self, what: &str) -> Vec<(Name, Option<i64>)> {
        let Some(first) = self.id(what) else { return Vec::new() };
        if !self.take_sign("..") {
            return vec![(first, None)];
        }
        let Some(last) = self.id(what) else { return Vec::new() };
        let (stem, from) = numbered(&first.text);
        let (other, to) = numbered(&last.text);
        let origin = first.origin.to(last.origin);
        match (from, to) {
            (Some(from), Some(to)) if stem == other && from <= to && to - from < RANGE => {
                (from..=to).map(|n| (Name { text: format!("{stem}{n}"), origin }, Some(n))).collect()
            }
            _ => {
                let label = "A range goes from a name with a number to the same name with a higher one.";
                let fault = Diagnostic::error("text/range", "This is no range", origin, label);
                self.tell(fault.hint(format!("Such as `Field1..Field10`; at most {RANGE} at once.")));
                Vec::new()
            }
        }
    }

    /// A name that begins with a small letter.
    fn low(&mut self, what: &str) -> Option<Name> {
        let (origin, text) = (self.origin(), self.word());
        if self.token().kind == Kind::Low && !RESERVED.contains(&text) {
            self.bump();
            return Some(Name { text: text.to_owned(), origin });
        }
        self.expected(what);
        None
    }

    fn number(&mut self) -> Option<(u32, Origin)> {
        let origin = self.origin();
        if self.token().kind != Kind::Number {
            self.expected("a number");
            return None;
        }
        let value = self.word().parse();
        self.bump();
        if value.is_err() {
            self.tell(Diagnostic::error("text/number", "Too large a number", origin, "It does not fit here."));
        }
        Some((value.ok()?, origin))
    }

    /// An unknown word where one of a few is expected.
    fn unknown(&mut self, what: &str, known: &[&str]) {
        let word = self.word();
        let label = match nearest(word, known.iter().copied()) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("Here {what} is expected: {}.", known.join(", ")),
        };
        self.tell(Diagnostic::error("text/expected", "Something else is expected", self.origin(), label));
    }
}

/// `B10` is `B` and 10.
fn numbered(name: &str) -> (&str, Option<i64>) {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    (stem, name[stem.len()..].parse().ok())
}

/// Expressions alone, for tests.
#[cfg(test)]
pub(crate) fn expression(text: &str, precedence: Precedence) -> (crate::syntax::Expr, Vec<Diagnostic>) {
    let mut parser = Parser::new(text, FileId(0), precedence);
    let expr = parser.expr();
    (expr, parser.diagnostics)
}
