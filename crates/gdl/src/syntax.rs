//! The kinds of pieces a text is made of, and the tree they form.

/// Tokens first, then the nodes they stand in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u16)]
pub enum SyntaxKind {
    Whitespace,
    Comment,
    Open,
    Close,
    /// `#word`
    Directive,
    Word,
    Number,
    /// A string, with its quotes.
    Text,
    /// Something that can stand nowhere. Kept, so that the tree holds every byte of the text.
    Stray,
    /// What stands between two parentheses, with them.
    Form,
    /// A directive and what follows it.
    Section,
    Root,
}

impl SyntaxKind {
    pub fn is_trivia(self) -> bool {
        matches!(self, SyntaxKind::Whitespace | SyntaxKind::Comment)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Gdl {}

impl rowan::Language for Gdl {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        use SyntaxKind::*;
        const KINDS: [SyntaxKind; 12] =
            [Whitespace, Comment, Open, Close, Directive, Word, Number, Text, Stray, Form, Section, Root];
        KINDS[usize::from(raw.0)]
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

pub type SyntaxNode = rowan::SyntaxNode<Gdl>;
pub type SyntaxToken = rowan::SyntaxToken<Gdl>;
pub type SyntaxElement = rowan::SyntaxElement<Gdl>;
