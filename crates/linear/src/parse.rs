//! From tokens to statements. After a mistake it goes on with the next statement, so that one message does not hide the
//! others.

use houserules_model::{Diagnostic, FileId, Origin};

use crate::lex::{Kind, Token, lex};
use crate::syntax::{Expr, ExprKind, Item, Name, Span};

/// A text, as far as it can be read.
pub struct Parsed {
    pub items: Vec<Item>,
    /// The lines that begin with `%%`.
    pub notes: Vec<(Span, String)>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Parentheses nested deeper than anybody writes would use up the stack.
const DEEPEST: usize = 200;

/// Somebody who sends a picture by mistake does not want a message about each byte of it.
const MOST_MESSAGES: usize = 50;

pub fn parse(text: &str, file: FileId) -> Parsed {
    let (tokens, notes) = lex(text);
    let mut parser = Parser { text, file, tokens, at: 0, depth: 0, n_stages: 0, diagnostics: Vec::new() };
    let items = parser.items(false);
    let notes = notes
        .into_iter()
        .map(|(start, note)| (Span { start, end: start + 2 + note.len() as u32 }, note.to_owned()))
        .collect();
    parser.diagnostics.truncate(MOST_MESSAGES);
    Parsed { items, notes, diagnostics: parser.diagnostics }
}

struct Parser<'a> {
    text: &'a str,
    file: FileId,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// Stages that are open: one in a well-formed text.
    n_stages: usize,
    diagnostics: Vec<Diagnostic>,
}

/// A message was given; the caller looks for the next statement.
struct Lost;

impl Parser<'_> {
    fn peek(&self) -> Kind {
        self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        let token = self.tokens[self.at];
        Span { start: token.start, end: token.end }
    }

    fn before(&self) -> Span {
        let token = self.tokens[self.at.saturating_sub(1)];
        Span { start: token.start, end: token.end }
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn take(&mut self, kind: Kind) -> bool {
        let is = self.peek() == kind;
        if is {
            self.next();
        }
        is
    }

    fn word(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn error(&mut self, title: &str, span: Span, label: impl Into<String>, hint: Option<&str>) -> Lost {
        let origin = Origin::new(self.file, span.start, span.end);
        let mut diagnostic = Diagnostic::error("ceptre/syntax", title, origin, label);
        if let Some(hint) = hint {
            diagnostic = diagnostic.hint(hint);
        }
        self.diagnostics.push(diagnostic);
        Lost
    }

    fn items(&mut self, in_stage: bool) -> Vec<Item> {
        let mut items = Vec::new();
        loop {
            match self.peek() {
                Kind::End => return items,
                Kind::CloseBrace if in_stage => return items,
                Kind::CloseBrace => {
                    let span = self.span();
                    self.error("A brace too many", span, "Nothing is open here.", Some("Take it away."));
                    self.next();
                }
                Kind::Period => {
                    self.next();
                }
                _ => match self.item() {
                    Ok(item) => items.push(item),
                    Err(Lost) => self.recover(in_stage),
                },
            }
            if self.diagnostics.len() > MOST_MESSAGES {
                return items;
            }
        }
    }

    /// Goes on behind the next period, or at what can only be the beginning of something.
    fn recover(&mut self, in_stage: bool) {
        loop {
            match self.peek() {
                Kind::End | Kind::Directive | Kind::Context => return,
                Kind::CloseBrace if in_stage => return,
                Kind::Period => {
                    self.next();
                    return;
                }
                Kind::Stage if self.begins_stage() => return,
                _ => {
                    self.next();
                }
            }
        }
    }

    /// `stage NAME = {` and not the fact `stage NAME` of a link.
    fn begins_stage(&self) -> bool {
        let kind = |ahead: usize| self.tokens.get(self.at + ahead).map_or(Kind::End, |token| token.kind);
        kind(0) == Kind::Stage
            && kind(1) == Kind::Name
            && (kind(2) == Kind::OpenBrace || kind(2) == Kind::Equals && kind(3) == Kind::OpenBrace)
    }

    fn item(&mut self) -> Result<Item, Lost> {
        match self.peek() {
            Kind::Stage if self.begins_stage() => {
                self.next();
                let name = self.name()?;
                let open = self.open_brace()?;
                if self.n_stages > DEEPEST {
                    self.at = self.tokens.len() - 1;
                    return Err(self.error("Nested too deeply", open, "Nobody could read this.", None));
                }
                self.n_stages += 1;
                let items = self.items(true);
                self.n_stages -= 1;
                self.close_brace(open)?;
                self.take(Kind::Period);
                Ok(Item::Stage { name, items })
            }
            Kind::Context => {
                self.next();
                let name = self.name()?;
                let open = self.open_brace()?;
                let elements = if self.peek() == Kind::CloseBrace { None } else { Some(self.expr(0)?) };
                self.close_brace(open)?;
                self.take(Kind::Period);
                Ok(Item::Context { name, elements })
            }
            Kind::Directive => {
                let span = self.span();
                self.next();
                let name = Name { text: self.word(span)[1..].to_owned(), span };
                let mut arguments = Vec::new();
                while self.at_atomic() {
                    arguments.push(self.atomic()?);
                }
                self.period()?;
                Ok(Item::Directive { name, arguments, span: span.to(self.before()) })
            }
            _ => {
                let expr = self.expr(0)?;
                self.period()?;
                Ok(Item::Statement(expr))
            }
        }
    }

    fn name(&mut self) -> Result<Name, Lost> {
        let span = self.span();
        if self.take(Kind::Name) {
            return Ok(Name { text: self.word(span).to_owned(), span });
        }
        Err(self.error("A name is missing", span, "A name is expected here, such as `play`.", None))
    }

    fn open_brace(&mut self) -> Result<Span, Lost> {
        self.take(Kind::Equals);
        let span = self.span();
        if self.take(Kind::OpenBrace) {
            return Ok(span);
        }
        Err(self.error("A brace is missing", span, "`{` is expected here.", None))
    }

    fn close_brace(&mut self, open: Span) -> Result<(), Lost> {
        let span = self.span();
        if self.take(Kind::CloseBrace) {
            return Ok(());
        }
        Err(match self.peek() {
            Kind::End => self.error("A brace is not closed", open, "This one.", Some("Add `}` where it ends.")),
            _ => self.error("A brace is missing", span, "`}` or a comma is expected here.", None),
        })
    }

    fn period(&mut self) -> Result<(), Lost> {
        if self.take(Kind::Period) {
            return Ok(());
        }
        let before = self.before();
        let span = self.span();
        Err(match self.peek() {
            Kind::Stray => {
                let label = format!("`{}` means nothing in Ceptre.", self.word(span).escape_default());
                self.error("A strange character", span, label, None)
            }
            Kind::Close => {
                self.error("A parenthesis too many", span, "Nothing is open here, or a period is missing.", None)
            }
            _ => self.error(
                "A period is missing",
                Span { start: before.end, end: before.end + u32::from(before.end < self.text.len() as u32) },
                "The statement should end here.",
                Some("Every statement ends in a period."),
            ),
        })
    }

    /// `least` is how strongly an operator has to bind to belong to this expression.
    fn expr(&mut self, least: u8) -> Result<Expr, Lost> {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.depth = 0;
            let span = self.span();
            return Err(self.error("Nested too deeply", span, "Nobody could read this.", None));
        }
        let expr = self.operators(least);
        self.depth = self.depth.saturating_sub(1);
        expr
    }

    fn operators(&mut self, least: u8) -> Result<Expr, Lost> {
        let mut left_closed = matches!(self.peek(), Kind::Open | Kind::OpenBrace);
        let mut left = self.prefix()?;
        loop {
            let operator = self.peek();
            // How strongly it binds, and how strongly what stands on its right has to.
            let (power, right) = match operator {
                Kind::Comma => (10, 11),
                Kind::Colon => (20, 20),
                Kind::Given | Kind::From => (30, 31),
                Kind::Becomes | Kind::To => (40, 40),
                Kind::Star => (50, 51),
                Kind::Same | Kind::Differs => (80, 81),
                _ => return Ok(left),
            };
            if power < least {
                return Ok(left);
            }
            let sign = self.span();
            self.next();
            let nothing = matches!(self.peek(), Kind::Period | Kind::Close | Kind::CloseBrace);
            let rest = match operator {
                Kind::Becomes if nothing => Expr { kind: ExprKind::Unit, span: sign },
                _ => self.expr(right)?,
            };
            let span = left.span.to(rest.span);
            // Lists are gathered instead of nested: nobody's stack is as deep as a context may be long.
            if let (Kind::Comma, ExprKind::Comma(parts)) | (Kind::Star, ExprKind::Tensor(parts)) =
                (operator, &mut left.kind)
                && !left_closed
            {
                parts.push(rest);
                left.span = span;
                continue;
            }
            left_closed = false;
            if matches!(operator, Kind::Comma | Kind::Star) {
                let parts = vec![left, rest];
                left = Expr {
                    kind: if operator == Kind::Comma { ExprKind::Comma(parts) } else { ExprKind::Tensor(parts) },
                    span,
                };
                continue;
            }
            let (left_box, rest) = (Box::new(left), Box::new(rest));
            let kind = match operator {
                Kind::Colon => ExprKind::Colon(left_box, rest),
                Kind::Given => ExprKind::Becomes(rest, left_box),
                Kind::Becomes => ExprKind::Becomes(left_box, rest),
                Kind::From => ExprKind::From(left_box, rest),
                Kind::To => ExprKind::To(left_box, rest),
                Kind::Same => ExprKind::Same(left_box, rest),
                _ => ExprKind::Differs(left_box, rest),
            };
            left = Expr { kind, span };
        }
    }

    fn prefix(&mut self) -> Result<Expr, Lost> {
        let span = self.span();
        match self.peek() {
            Kind::Bang | Kind::Dollar => {
                let keeps = self.next().kind == Kind::Dollar;
                let inner = Box::new(self.expr(60)?);
                let span = span.to(inner.span);
                Ok(Expr { kind: if keeps { ExprKind::Dollar(inner) } else { ExprKind::Bang(inner) }, span })
            }
            Kind::Stage => {
                self.next();
                let name = self.name()?;
                let span = span.to(name.span);
                Ok(Expr { kind: ExprKind::Stage(name), span })
            }
            _ => {
                let head = self.atomic()?;
                let mut arguments = Vec::new();
                while self.at_atomic() {
                    arguments.push(self.atomic()?);
                }
                if arguments.is_empty() {
                    return Ok(head);
                }
                let span = head.span.to(arguments.last().map_or(head.span, |last| last.span));
                match head.kind {
                    ExprKind::Apply(name, none) if none.is_empty() => {
                        Ok(Expr { kind: ExprKind::Apply(name, arguments), span })
                    }
                    ExprKind::Pred => {
                        let at = Span { start: head.span.end, end: arguments[0].span.end };
                        Err(self.error(
                            "A period is missing",
                            at,
                            "`pred` takes nothing behind it.",
                            Some("End the declaration with a period."),
                        ))
                    }
                    _ => Err(self.error(
                        "Only a name takes arguments",
                        span,
                        "What stands first here is no name.",
                        Some("Is a period or a `*` missing?"),
                    )),
                }
            }
        }
    }

    fn at_atomic(&self) -> bool {
        matches!(self.peek(), Kind::Open | Kind::OpenBrace | Kind::Name | Kind::Wild | Kind::Pred | Kind::Number)
    }

    fn atomic(&mut self) -> Result<Expr, Lost> {
        let span = self.span();
        let kind = match self.peek() {
            Kind::Name => ExprKind::Apply(self.word(span).to_owned(), Vec::new()),
            Kind::Wild => ExprKind::Wild,
            Kind::Pred => ExprKind::Pred,
            Kind::Number => match self.word(span).parse() {
                Ok(number) if number < LARGEST => ExprKind::Number(number),
                _ => return Err(self.error("A number too large", span, "Numbers go up to 10^18.", None)),
            },
            Kind::Open | Kind::OpenBrace => {
                let close = if self.peek() == Kind::Open { Kind::Close } else { Kind::CloseBrace };
                self.next();
                if self.take(close) {
                    return Ok(Expr { kind: ExprKind::Unit, span: span.to(self.before()) });
                }
                let inner = self.expr(0)?;
                if !self.take(close) {
                    let sign = if close == Kind::Close { ")" } else { "}" };
                    let at = self.span();
                    return Err(self.error(
                        "A parenthesis is not closed",
                        at,
                        format!("`{sign}` is expected here."),
                        None,
                    ));
                }
                return Ok(Expr { span: span.to(self.before()), ..inner });
            }
            Kind::End => {
                return Err(self.error(
                    "The text ends too early",
                    self.before(),
                    "Something is missing after this.",
                    None,
                ));
            }
            Kind::Stray => {
                let label = format!("`{}` means nothing in Ceptre.", self.word(span).escape_default());
                return Err(self.error("A strange character", span, label, None));
            }
            _ => {
                let label = format!("`{}` cannot stand here.", self.word(span));
                return Err(self.error("Something else is expected", span, label, None));
            }
        };
        self.next();
        Ok(Expr { kind, span })
    }
}

/// Numbers share their eight bytes with the mark that they are numbers.
const LARGEST: u64 = 1_000_000_000_000_000_000;
