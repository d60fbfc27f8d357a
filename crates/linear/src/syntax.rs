//! What a text says, before anybody has asked whether its names exist.

/// From the first byte up to but not including the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.end) }
    }
}

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Two or more; a context may have thousands.
    Comma(Vec<Expr>),
    Colon(Box<Expr>, Box<Expr>),
    /// `left -o right`, whichever way round it was written.
    Becomes(Box<Expr>, Box<Expr>),
    /// `head <- goal`
    From(Box<Expr>, Box<Expr>),
    /// `goal -> head`
    To(Box<Expr>, Box<Expr>),
    Tensor(Vec<Expr>),
    Bang(Box<Expr>),
    Dollar(Box<Expr>),
    Same(Box<Expr>, Box<Expr>),
    Differs(Box<Expr>, Box<Expr>),
    /// `stage NAME` inside a rule.
    Stage(Name),
    Apply(String, Vec<Expr>),
    Unit,
    Wild,
    Number(u64),
    Pred,
}

#[derive(Clone, Debug)]
pub enum Item {
    Statement(Expr),
    Stage { name: Name, items: Vec<Item> },
    Context { name: Name, elements: Option<Expr> },
    Directive { name: Name, arguments: Vec<Expr>, span: Span },
}
