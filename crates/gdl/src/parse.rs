//! Tokens to the lossless tree: forms in sections, and nothing lost.

use crate::lexer::{Token, lex};
use crate::{SyntaxKind, SyntaxNode};
use houserules_model::{Budget, Diagnostic, FileId, Origin};
use rowan::{GreenNode, GreenNodeBuilder, Language};

/// What was read of one text. The tree is always there, however broken the text.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub green: GreenNode,
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    pub fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }
}

/// Forms deeper than this are not read. Real definitions stay below twenty; without a bound, a file of
/// parentheses would overflow the stack of everything that walks the tree.
pub const DEEPEST: usize = 256;

pub fn parse(file: FileId, text: &str) -> Parsed {
    let mut diagnostics = Vec::new();
    let tokens = lex(file, text, &mut diagnostics);
    let mut parser = Parser {
        file,
        text,
        builder: GreenNodeBuilder::new(),
        open: Vec::new(),
        too_deep: 0,
        in_section: false,
        trivia: Vec::new(),
        diagnostics,
    };
    parser.start(SyntaxKind::Root);
    for token in tokens {
        parser.token(token);
    }
    parser.end_section(None);
    parser.builder.finish_node();
    Parsed { green: parser.builder.finish(), diagnostics: parser.diagnostics }
}

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    builder: GreenNodeBuilder<'static>,
    /// The opening parentheses of the forms we are in.
    open: Vec<Token>,
    /// Open parentheses beyond the deepest form that is read.
    too_deep: usize,
    in_section: bool,
    /// Space and comments after the last item: they belong to the section only if another item follows.
    trivia: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn token(&mut self, token: Token) {
        match token.kind {
            SyntaxKind::Directive if self.open.is_empty() || self.begins_line(token) => {
                self.end_section(Some(token));
                self.start(SyntaxKind::Section);
                self.in_section = true;
                self.put(token);
            }
            SyntaxKind::Directive => {
                let title = "A directive inside a form";
                self.report("text/directive-inside", title, token, "Close the form first, or begin a new line here.");
                self.put(Token { kind: SyntaxKind::Stray, ..token });
            }
            SyntaxKind::Whitespace | SyntaxKind::Comment if self.open.is_empty() => self.trivia.push(token),
            SyntaxKind::Open => self.open(token),
            SyntaxKind::Close => self.close(token),
            _ if self.too_deep > 0 && !token.kind.is_trivia() => self.put(Token { kind: SyntaxKind::Stray, ..token }),
            _ => self.put(token),
        }
    }

    fn open(&mut self, token: Token) {
        if self.open.len() < DEEPEST {
            self.flush();
            self.start(SyntaxKind::Form);
            self.put(token);
            self.open.push(token);
            return;
        }
        if self.too_deep == 0 {
            let label = format!("Forms may stand {DEEPEST} deep in each other; this one is deeper.");
            self.report("text/too-deep", "Too many forms inside each other", token, label);
        }
        self.too_deep += 1;
        self.put(Token { kind: SyntaxKind::Stray, ..token });
    }

    fn close(&mut self, token: Token) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            self.put(Token { kind: SyntaxKind::Stray, ..token });
        } else if self.open.pop().is_some() {
            self.put(token);
            self.builder.finish_node();
        } else {
            self.report("text/unopened", "One parenthesis too many", token, "This closes nothing.");
            self.put(Token { kind: SyntaxKind::Stray, ..token });
        }
    }

    /// Before the next directive, or at the end of the text.
    fn end_section(&mut self, next: Option<Token>) {
        if let Some(first) = self.open.first().copied() {
            let n = self.open.len() + self.too_deep;
            let mut diagnostic = Diagnostic::error(
                "text/unclosed",
                "A parenthesis is never closed",
                self.origin(first),
                if n == 1 { "Opened here.".to_string() } else { format!("Opened here, the first of {n}.") },
            );
            diagnostic = match next {
                Some(next) => diagnostic.and(self.origin(next), "Still open where this begins."),
                None => diagnostic.note("The text ends before it is closed."),
            };
            self.diagnostics
                .push(diagnostic.hint(format!("Add {} after the last form that belongs to it.", closers(n))));
        }
        for _ in self.open.drain(..) {
            self.builder.finish_node();
        }
        self.too_deep = 0;
        if std::mem::take(&mut self.in_section) {
            self.builder.finish_node();
        }
        self.flush();
    }

    fn put(&mut self, token: Token) {
        self.flush();
        self.builder.token(crate::syntax::Gdl::kind_to_raw(token.kind), &self.text[token.start..token.end]);
    }

    fn flush(&mut self) {
        for token in std::mem::take(&mut self.trivia) {
            self.builder.token(crate::syntax::Gdl::kind_to_raw(token.kind), &self.text[token.start..token.end]);
        }
    }

    fn start(&mut self, kind: SyntaxKind) {
        self.builder.start_node(crate::syntax::Gdl::kind_to_raw(kind));
    }

    fn begins_line(&self, token: Token) -> bool {
        let before = self.text[..token.start].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    fn origin(&self, token: Token) -> Origin {
        Origin::new(self.file, token.start as u32, token.end as u32)
    }

    fn report(&mut self, code: &'static str, title: &str, token: Token, label: impl Into<String>) {
        // A page of closing parentheses would be told one by one.
        if self.diagnostics.len() <= Budget::MESSAGES {
            self.diagnostics.push(Diagnostic::error(code, title, self.origin(token), label));
        }
    }
}

fn closers(n: usize) -> String {
    if n <= 8 { format!("`{}`", ")".repeat(n)) } else { format!("{n} closing parentheses") }
}
