//! Text to tokens. Every byte lands in exactly one token; faults are reported and lexing goes on.

use crate::SyntaxKind;
use houserules_model::print::is_word_sign as is_word;
use houserules_model::{Diagnostic, FileId, Origin, directives};

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Token {
    pub kind: SyntaxKind,
    pub start: usize,
    pub end: usize,
}

pub fn lex(file: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer { file, text, at: 0, diagnostics };
    let mut tokens = Vec::new();
    while lexer.at < text.len() {
        let start = lexer.at;
        let kind = lexer.token();
        debug_assert!(lexer.at > start, "a token takes at least one character");
        tokens.push(Token { kind, start, end: lexer.at });
    }
    tokens
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn token(&mut self) -> SyntaxKind {
        let start = self.at;
        match self.bump() {
            '(' => SyntaxKind::Open,
            ')' => SyntaxKind::Close,
            ';' => {
                self.skip(|c| c != '\n');
                SyntaxKind::Comment
            }
            '"' => self.string(start),
            '#' => {
                self.skip(is_word);
                if self.at > start + 1 {
                    return SyntaxKind::Directive;
                }
                self.report(
                    "text/stray",
                    "A lone `#`",
                    start,
                    "A directive is `#` and a word, without a space between.",
                );
                SyntaxKind::Stray
            }
            c if is_space(c) => {
                self.skip(is_space);
                SyntaxKind::Whitespace
            }
            c if is_word(c) => {
                self.skip(is_word);
                self.word(start)
            }
            c => {
                self.skip(|next| next == c);
                let label = format!("`{}` means nothing here.", c.escape_debug());
                self.report("text/stray", "A sign that does not belong here", start, label);
                SyntaxKind::Stray
            }
        }
    }

    fn word(&mut self, start: usize) -> SyntaxKind {
        let word = &self.text[start..self.at];
        if is_number(word) {
            return SyntaxKind::Number;
        }
        let signs = word.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-');
        if signs && word.contains('.') && word.contains(|c: char| c.is_ascii_digit()) {
            self.report("text/number", "Not a number", start, "A number is written like `3`, `-1` or `7.5`.");
            return SyntaxKind::Stray;
        }
        SyntaxKind::Word
    }

    /// The opening quote has been read.
    fn string(&mut self, start: usize) -> SyntaxKind {
        let mut line_end = None;
        while self.at < self.text.len() {
            match self.bump() {
                '"' => return SyntaxKind::Text,
                '\\' if self.at < self.text.len() => {
                    self.bump();
                }
                '\n' => {
                    line_end.get_or_insert(self.at - 1);
                    if self.at_directive() {
                        break;
                    }
                }
                _ => {}
            }
        }
        // Without its end a string would swallow the rest of the file. It ends with its line instead, before
        // the parentheses there: they were most likely meant to close forms.
        let line = &self.text[start..line_end.unwrap_or(self.text.len())];
        self.at = start + line.trim_end_matches(|c: char| c == ')' || is_space(c)).len();
        self.report("text/unclosed-string", "A string without an end", start, "This string is never closed.");
        self.diagnostics.last_mut().expect("just reported").hint = Some("Put `\"` at its end.".into());
        SyntaxKind::Text
    }

    /// At the beginning of a line with a directive.
    fn at_directive(&self) -> bool {
        let line = self.text[self.at..].trim_start_matches([' ', '\t']);
        let Some(word) = line.strip_prefix('#') else {
            return false;
        };
        let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
        directives::named(&word[..end]).is_some()
    }

    fn bump(&mut self) -> char {
        let c = self.text[self.at..].chars().next().expect("only called before the end");
        self.at += c.len_utf8();
        c
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    }

    fn report(&mut self, code: &'static str, title: &str, start: usize, label: impl Into<String>) {
        let origin = Origin::new(self.file, start as u32, self.at as u32);
        self.diagnostics.push(Diagnostic::error(code, title, origin, label));
    }
}

fn is_space(c: char) -> bool {
    // Editors of some systems begin a file with U+FEFF.
    c.is_whitespace() || c == '\u{feff}'
}

pub fn is_number(word: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    match unsigned.split_once('.') {
        Some((whole, decimals)) => digits(whole) && digits(decimals),
        None => digits(unsigned),
    }
}
