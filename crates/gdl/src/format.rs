//! One way to lay a text out. Only space changes: comments, words and the author's line breaks stay.

use crate::parse::parse;
use crate::{SyntaxKind, SyntaxToken};
use houserules_model::directives::{self, Belongs};
use houserules_model::{Diagnostic, FileId};

/// The text laid out; broken text gives its faults instead, for a guess could tear apart what belongs together.
///
/// Formatting twice gives the same as once, and the items read from the result equal those read before.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(FileId(0), text);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    let tokens: Vec<SyntaxToken> =
        parsed.root().descendants_with_tokens().filter_map(|element| element.into_token()).collect();
    let indents = indents(&tokens);
    let mut layout = Layout::new(text);
    for (at, token) in tokens.iter().enumerate() {
        match token.kind() {
            SyntaxKind::Whitespace => layout.newlines += token.text().matches('\n').count(),
            SyntaxKind::Comment => {
                let next = tokens[at + 1..].iter().position(|token| !token.kind().is_trivia()).map(|n| at + 1 + n);
                let indent = match next {
                    None => 0,
                    Some(next) => indents[next].unwrap_or(layout.section + 2),
                };
                layout.comment(token, indent);
            }
            SyntaxKind::Directive => {
                let indent = indents[at].unwrap_or(0);
                layout.section = indent;
                layout.place(token, indent);
            }
            SyntaxKind::Open => {
                layout.place(token, layout.section + 2);
                layout.open();
            }
            SyntaxKind::Close => layout.close(token),
            _ => layout.place(token, layout.section + 2),
        }
    }
    if !layout.text.is_empty() {
        layout.text.push('\n');
    }
    Ok(layout.text)
}

struct Layout<'a> {
    source: &'a str,
    text: String,
    /// Characters on the present line.
    column: isize,
    /// Line breaks of the source since the last token.
    newlines: usize,
    open: Vec<Open>,
    /// Where the present line begins.
    edge: isize,
    /// The indent of the directive we are in; before the first one bodies stand at the edge.
    section: isize,
    last: Option<SyntaxKind>,
}

/// A form whose end has not come yet.
struct Open {
    /// Of its parenthesis.
    column: isize,
    /// Where the line begins that it stands in.
    edge: isize,
    n_items: usize,
    /// Where its further lines begin; settled by the first of them.
    inner: Option<isize>,
}

impl<'a> Layout<'a> {
    fn new(source: &'a str) -> Self {
        Layout {
            source,
            text: String::new(),
            column: 0,
            newlines: 0,
            open: Vec::new(),
            edge: 0,
            section: -2,
            last: None,
        }
    }

    fn open(&mut self) {
        self.open.push(Open { column: self.column - 1, edge: self.edge, n_items: 0, inner: None });
    }

    /// Where a new line of the innermost form begins.
    ///
    /// Under its parenthesis; but behind `(do` at the end of a line, under the line, or bodies would creep to the right.
    fn inner(&mut self, outside: isize) -> isize {
        match self.open.last_mut() {
            Some(open) => {
                let base = if open.n_items <= 1 { open.edge } else { open.column };
                *open.inner.get_or_insert(base + 2)
            }
            None => outside,
        }
    }

    /// Puts a token on this line or, where the author broke it, on a new one.
    fn place(&mut self, token: &SyntaxToken, outside: isize) {
        // `else` stands between its bodies, neither here nor there.
        let back = isize::from(!self.open.is_empty() && token.text() == "else");
        match self.last {
            None => {
                self.pad(outside);
                self.edge = self.column;
            }
            Some(last) if last == SyntaxKind::Comment || (last != SyntaxKind::Open && self.newlines > 0) => {
                let indent = self.inner(outside) - back;
                self.line(indent);
            }
            Some(SyntaxKind::Open) => {}
            Some(_) => self.pad(1),
        }
        if let Some(open) = self.open.last_mut() {
            open.n_items += 1;
        }
        self.write(token.text(), token.kind());
    }

    fn close(&mut self, token: &SyntaxToken) {
        let open = self.open.pop();
        if self.last == Some(SyntaxKind::Comment) {
            self.newlines = 1;
            self.line(open.map_or(0, |open| open.column));
        }
        self.write(token.text(), token.kind());
    }

    fn comment(&mut self, token: &SyntaxToken, outside: isize) {
        let start = usize::from(token.text_range().start());
        match self.last {
            None => self.pad(outside),
            Some(last) if self.newlines > 0 || last == SyntaxKind::Comment => {
                let indent = self.inner(outside);
                self.line(indent);
            }
            // Behind something: where it was, so that comments below each other stay so.
            Some(_) => {
                let line = self.source[..start].rfind('\n').map_or(0, |at| at + 1);
                let column = self.source[line..start].chars().count() as isize;
                self.pad((column - self.column).max(1));
            }
        }
        self.write(token.text().trim_end(), token.kind());
    }

    /// A new line, after an empty one where the author left some.
    fn line(&mut self, indent: isize) {
        self.text.push_str(if self.newlines > 1 { "\n\n" } else { "\n" });
        self.column = 0;
        self.pad(indent);
        self.edge = self.column;
    }

    fn pad(&mut self, n: isize) {
        let n = n.max(0);
        self.text.extend(std::iter::repeat_n(' ', n as usize));
        self.column += n;
    }

    fn write(&mut self, text: &str, kind: SyntaxKind) {
        self.text.push_str(text);
        self.column = match text.rfind('\n') {
            Some(at) => text[at + 1..].chars().count() as isize,
            None => self.column + text.chars().count() as isize,
        };
        self.newlines = 0;
        self.last = Some(kind);
    }
}

/// How far each directive is indented: parts of a variant, of a model, of a state, links of a board.
fn indents(tokens: &[SyntaxToken]) -> Vec<Option<isize>> {
    let (mut variant, mut model, mut state, mut board) = (0, 0, 0, 0);
    let indent = |token: &SyntaxToken| {
        if token.kind() != SyntaxKind::Directive {
            return None;
        }
        let word = &token.text()[1..];
        let belongs = directives::named(word).map_or(Belongs::Game, |def| def.belongs);
        if belongs == Belongs::Game && !matches!(word, "link" | "place") {
            (model, state, board) = (0, 0, 0);
        }
        Some(match word {
            "variant" => {
                variant = 2;
                0
            }
            "model" | "view" => {
                model = 2;
                variant
            }
            "board" => {
                board = 2;
                variant
            }
            "link" | "place" => {
                (model, state) = (0, 0);
                variant + board
            }
            "state" => {
                state = 2;
                variant + model
            }
            "onMessage" => variant + model + state,
            "info" => variant,
            _ if belongs == Belongs::Game => variant,
            _ => variant + model,
        })
    };
    tokens.iter().map(indent).collect()
}
