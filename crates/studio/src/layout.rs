//! Where things lie in a text: which comments belong to what, how far lines are indented, what a cut leaves behind.
//!
//! A comment on lines of its own directly above something belongs to it, and one at the end of a line belongs to what
//! ends there last. What belongs to something goes where it goes.

use crate::change::Side;
use crate::text::{Span, TextEdit};
use houserules_gdl::{SyntaxKind, parse};
use houserules_model::FileId;

pub(crate) struct Layout<'t> {
    text: &'t str,
    tokens: Vec<Token>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: SyntaxKind,
    pub span: Span,
}

impl<'t> Layout<'t> {
    pub fn new(text: &'t str) -> Self {
        let root = parse(FileId(0), text).root();
        let tokens = root.descendants_with_tokens().filter_map(|element| element.into_token());
        let token = |token: houserules_gdl::SyntaxToken| {
            let range = token.text_range();
            Token { kind: token.kind(), span: Span::new(range.start().into(), range.end().into()) }
        };
        Layout { text, tokens: tokens.map(token).collect() }
    }

    pub fn word(&self, token: Token) -> &'t str {
        token.span.of(self.text)
    }

    /// The tokens inside a stretch, space and comments left out.
    pub fn tokens(&self, span: Span) -> impl Iterator<Item = Token> {
        let from = self.tokens.partition_point(|token| token.span.start < span.start);
        let inside = self.tokens[from..].iter().take_while(move |token| token.span.end <= span.end);
        inside.copied().filter(|token| !token.kind.is_trivia())
    }

    /// All tokens, space and comments left out.
    pub fn all(&self) -> impl Iterator<Item = Token> {
        self.tokens.iter().copied().filter(|token| !token.kind.is_trivia())
    }

    /// The comments inside a stretch.
    pub fn comments(&self, span: Span) -> impl Iterator<Item = Token> {
        self.tokens.iter().copied().filter(move |token| token.kind == SyntaxKind::Comment && span.holds(token.span))
    }

    /// Whether a stretch begins and ends where tokens do.
    pub fn fits(&self, span: Span) -> bool {
        span.start < span.end
            && self.tokens.iter().any(|token| token.span.start == span.start && !token.kind.is_trivia())
            && self.tokens.iter().any(|token| token.span.end == span.end && !token.kind.is_trivia())
    }

    fn line(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |newline| newline + 1)
    }

    pub fn begins_line(&self, at: usize) -> bool {
        self.text[self.line(at)..at].trim().is_empty()
    }

    pub fn column(&self, at: usize) -> usize {
        self.text[self.line(at)..at].chars().count()
    }

    /// How far the line is indented in which something stands.
    pub fn indent(&self, at: usize) -> usize {
        let line = &self.text[self.line(at)..];
        line.chars().take_while(|letter| *letter == ' ' || *letter == '\t').count()
    }

    /// The last token that ends before a place, space left out.
    fn before(&self, at: usize) -> Option<Token> {
        let n = self.tokens.partition_point(|token| token.span.end <= at);
        self.tokens[..n].iter().rev().find(|token| token.kind != SyntaxKind::Whitespace).copied()
    }

    fn after(&self, at: usize) -> Option<Token> {
        let from = self.tokens.partition_point(|token| token.span.start < at);
        self.tokens[from..].iter().find(|token| token.kind != SyntaxKind::Whitespace).copied()
    }

    /// A stretch with the comments that belong to it.
    pub fn with_comments(&self, span: Span) -> Span {
        let mut wide = span;
        if let Some(comment) = self.after(span.end).filter(|token| token.kind == SyntaxKind::Comment)
            && !self.text[span.end..comment.span.start].contains('\n')
        {
            wide.end = comment.span.end;
        }
        while self.begins_line(wide.start)
            && let Some(comment) = self.before(wide.start).filter(|token| token.kind == SyntaxKind::Comment)
            && self.begins_line(comment.span.start)
            && self.text[comment.span.end..wide.start].matches('\n').count() == 1
        {
            wide.start = comment.span.start;
        }
        wide
    }

    /// Takes a stretch away, with its comments and the space it needed.
    pub fn cut(&self, span: Span) -> TextEdit {
        self.cut_from(span, self.with_comments(span))
    }

    /// Takes a part of a directive or form away; a comment behind it is about the whole.
    pub fn cut_part(&self, span: Span) -> TextEdit {
        self.cut_from(span, span)
    }

    fn cut_from(&self, span: Span, wide: Span) -> TextEdit {
        let begins = self.begins_line(wide.start);
        let rest = &self.text[wide.end..];
        let ends = rest.split('\n').next().unwrap_or_default().trim().is_empty();
        if begins && ends {
            let start = self.line(wide.start);
            let mut end = rest.find('\n').map_or(self.text.len(), |newline| wide.end + newline + 1);
            // Two empty lines would be left where one was.
            let empty_before = start == 0 || self.text[..start].ends_with("\n\n");
            let next = self.text[end..].split('\n').next().unwrap_or_default();
            if empty_before && next.trim().is_empty() && end < self.text.len() {
                end = self.text[end..].find('\n').map_or(self.text.len(), |newline| end + newline + 1);
            }
            return TextEdit::new(Span::new(start, end), "");
        }
        if wide.end > span.end {
            // A comment ends its line: the line break behind it stays.
            let start = span.start - spaces_before(self.text, wide.start);
            return TextEdit::new(Span::new(start.min(wide.start), wide.end), "");
        }
        match self.before(wide.start) {
            // What follows must not fall into the comment.
            Some(token) if token.kind == SyntaxKind::Comment => {
                let end = wide.end + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
                TextEdit::new(Span::new(wide.start, end), "")
            }
            Some(token) if token.kind == SyntaxKind::Open => {
                let next = self.after(wide.end).map_or(wide.end, |next| next.span.start);
                let comment = self.after(wide.end).is_some_and(|next| next.kind == SyntaxKind::Comment);
                TextEdit::new(Span::new(wide.start, if comment { wide.end } else { next }), "")
            }
            Some(token) => {
                // A line that goes on with something else keeps its break.
                let closes = self.after(wide.end).is_none_or(|next| next.kind == SyntaxKind::Close);
                if begins && !closes {
                    let end = self.after(wide.end).map_or(wide.end, |next| next.span.start);
                    return TextEdit::new(Span::new(wide.start, end), "");
                }
                TextEdit::new(Span::new(token.span.end, wide.end), "")
            }
            None => TextEdit::new(wide, ""),
        }
    }

    /// Puts a text before or after something that is there, on a line of its own if that has one.
    pub fn beside(&self, span: Span, side: Side, text: &str) -> TextEdit {
        let wide = self.with_comments(span);
        let column = self.column(span.start);
        let own_line = self.begins_line(span.start);
        let space = " ".repeat(column);
        match (side, own_line) {
            (Side::Before, true) => TextEdit::insert(wide.start, format!("{}\n{space}", shifted(text, column))),
            (Side::Before, false) => TextEdit::insert(span.start, format!("{} ", shifted(text, column))),
            (Side::After, true) => TextEdit::insert(wide.end, format!("\n{space}{}", shifted(text, column))),
            (Side::After, false) if wide.end > span.end => TextEdit::insert(
                wide.end,
                format!("\n{}{}", " ".repeat(self.indent(span.start) + 2), shifted(text, column)),
            ),
            (Side::After, false) => TextEdit::insert(span.end, format!(" {}", shifted(text, column))),
        }
    }

    /// The bytes of something with what belongs to it, as if it stood at the edge.
    pub fn lifted(&self, span: Span) -> String {
        let wide = self.with_comments(span);
        unshifted(wide.of(self.text), self.column(wide.start))
    }
}

fn spaces_before(text: &str, at: usize) -> usize {
    text[..at].len() - text[..at].trim_end_matches([' ', '\t']).len()
}

/// A text whose further lines are indented by so much more. What stands between quotes stays.
pub(crate) fn shifted(text: &str, by: usize) -> String {
    relaid(text, |indent| indent + by)
}

fn unshifted(text: &str, by: usize) -> String {
    relaid(text, |indent| indent.saturating_sub(by))
}

fn relaid(text: &str, indent: impl Fn(usize) -> usize) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let mut made = String::new();
    let root = parse(FileId(0), text).root();
    for token in root.descendants_with_tokens().filter_map(|element| element.into_token()) {
        match token.text().rsplit_once('\n') {
            Some((breaks, spaces)) if token.kind() == SyntaxKind::Whitespace => {
                made.push_str(breaks);
                made.push('\n');
                made.push_str(&" ".repeat(indent(spaces.chars().count())));
            }
            _ => made.push_str(token.text()),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where `what` stands in a text.
    fn span(text: &str, what: &str) -> Span {
        let start = text.find(what).unwrap();
        Span::new(start, start + what.len())
    }

    fn cut(text: &str, what: &str) -> String {
        crate::apply(text, &[Layout::new(text).cut(span(text, what))]).unwrap()
    }

    #[test]
    fn a_cut_takes_the_line_its_comments_and_nothing_else() {
        let text = "#setup\n  ; first\n  (a) ; of a\n  ; second\n  (b)\n\n  ; third\n  (c))";
        assert_eq!(cut(text, "(a)"), "#setup\n  ; second\n  (b)\n\n  ; third\n  (c))");
        assert_eq!(cut(text, "(b)"), "#setup\n  ; first\n  (a) ; of a\n\n  ; third\n  (c))");
        assert_eq!(cut("#setup (do (a) (b) (c))", "(b)"), "#setup (do (a) (c))");
        assert_eq!(cut("#setup (do\n  (a)\n  (b))", "(b)"), "#setup (do\n  (a))");
        assert_eq!(cut("#setup (do\n  (a) ; x\n  (b))", "(b)"), "#setup (do\n  (a) ; x\n  )");
    }

    #[test]
    fn what_is_put_beside_something_stands_as_it_does() {
        let text = "#setup\n  ; first\n  (a) ; of a\n";
        let put =
            |side, new: &str| crate::apply(text, &[Layout::new(text).beside(span(text, "(a)"), side, new)]).unwrap();
        assert_eq!(put(Side::Before, "(b)"), "#setup\n  (b)\n  ; first\n  (a) ; of a\n");
        assert_eq!(put(Side::After, "(b\n  c)"), "#setup\n  ; first\n  (a) ; of a\n  (b\n    c)\n");
    }
}
