use crate::{Form, Name, Origin};

/// Statements in sequence. The value of a body is the value of its last statement.
pub type Body = Vec<Expr>;

/// A statement or expression: there is one kind of tree for both.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub origin: Origin,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Number(Number),
    Text(Name),
    /// A text with values: `"{player} shows {cup}"`. Its pieces in order, those that stand as they are as texts.
    Told(Vec<Expr>),
    /// A bare word, looked up as the reference says: variable, attribute, property of `it`, of `self`, of the game, …
    Word(Name),
    /// A form of the table, its slots in the order of its pattern.
    Form(Form, Vec<Slot>),
    /// `(name args…)` or `(name args… of target)`: a define, a property, a relation, a direction.
    Call {
        name: Name,
        name_origin: Origin,
        args: Vec<Expr>,
        of: Option<Box<Expr>>,
    },
    /// `(cell at 3 2)`.
    PlaceAt {
        model: Name,
        at: Vec<Expr>,
    },
    /// Nothing yet: the grey block of the visual editor, or text that could not be read.
    Missing,
}

/// What stands in one slot of a form.
#[derive(Clone, PartialEq, Debug)]
pub enum Slot {
    /// An optional part that was left out.
    Absent,
    /// An optional word that was given.
    Flag,
    Expr(Box<Expr>),
    Exprs(Vec<Expr>),
    Body(Body),
    Name(NameRef),
    Names(Vec<NameRef>),
    /// Names with values: attributes of a message, properties of a new thing.
    Pairs(Vec<(NameRef, Expr)>),
    /// Keys with values, both computed.
    Entries(Vec<(Expr, Expr)>),
    /// `x in LIST`, or a list or model whose members are called `it`; with `for P`, only what P owns.
    Domain {
        var: Option<Name>,
        list: Box<Expr>,
        owner: Option<Box<Expr>>,
    },
    Cases {
        cases: Vec<Case>,
        otherwise: Option<Body>,
    },
}

/// A name given as a word or string, or computed by a form.
#[derive(Clone, PartialEq, Debug)]
pub enum NameRef {
    Given(Name, Origin),
    Computed(Box<Expr>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub value: Expr,
    pub body: Body,
}

/// A number as written: whole, or with decimals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    Whole(i64),
    Decimal(f64),
}

impl Number {
    /// The largest there is; the smallest is as far below zero. Beyond it results would no longer be exact.
    pub const MOST: i64 = (1 << 47) - 1;
}

impl Expr {
    pub fn new(kind: ExprKind, origin: Origin) -> Self {
        Expr { kind, origin }
    }

    pub fn word(name: &str) -> Self {
        Expr::new(ExprKind::Word(name.into()), Origin::NONE)
    }

    pub fn whole(number: i64) -> Self {
        Expr::new(ExprKind::Number(Number::Whole(number)), Origin::NONE)
    }

    /// Calls `visit` for this expression and everything inside it, parents first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        self.children(&mut |child| child.walk(visit));
    }

    /// Calls `visit` for the expressions directly inside this one.
    pub fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Form(_, slots) => slots.iter().for_each(|slot| slot.children(visit)),
            ExprKind::Call { args, of, .. } => {
                args.iter().for_each(&mut *visit);
                if let Some(target) = of {
                    visit(target);
                }
            }
            ExprKind::PlaceAt { at, .. } => at.iter().for_each(visit),
            ExprKind::Told(pieces) => pieces.iter().for_each(visit),
            ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Word(_) | ExprKind::Missing => {}
        }
    }
}

impl Slot {
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Slot::Expr(expr) => Some(expr),
            _ => None,
        }
    }

    pub fn exprs(&self) -> &[Expr] {
        match self {
            Slot::Exprs(exprs) | Slot::Body(exprs) => exprs,
            _ => &[],
        }
    }

    pub fn name(&self) -> Option<&NameRef> {
        match self {
            Slot::Name(name) => Some(name),
            _ => None,
        }
    }

    pub fn names(&self) -> &[NameRef] {
        match self {
            Slot::Names(names) => names,
            _ => &[],
        }
    }

    pub fn pairs(&self) -> &[(NameRef, Expr)] {
        match self {
            Slot::Pairs(pairs) => pairs,
            _ => &[],
        }
    }

    pub fn entries(&self) -> &[(Expr, Expr)] {
        match self {
            Slot::Entries(entries) => entries,
            _ => &[],
        }
    }

    pub fn given(&self) -> bool {
        !matches!(self, Slot::Absent)
    }

    fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Slot::Absent | Slot::Flag => {}
            Slot::Expr(expr) => visit(expr),
            Slot::Exprs(exprs) | Slot::Body(exprs) => exprs.iter().for_each(visit),
            Slot::Name(name) => name.children(visit),
            Slot::Names(names) => names.iter().for_each(|name| name.children(visit)),
            Slot::Pairs(pairs) => pairs.iter().for_each(|(name, value)| {
                name.children(visit);
                visit(value);
            }),
            Slot::Entries(entries) => entries.iter().for_each(|(key, value)| {
                visit(key);
                visit(value);
            }),
            Slot::Domain { list, owner, .. } => {
                visit(list);
                owner.iter().for_each(|owner| visit(owner));
            }
            Slot::Cases { cases, otherwise } => {
                for case in cases {
                    visit(&case.value);
                    case.body.iter().for_each(&mut *visit);
                }
                otherwise.iter().flatten().for_each(visit);
            }
        }
    }
}

impl NameRef {
    pub fn given(name: &str) -> Self {
        NameRef::Given(name.into(), Origin::NONE)
    }

    /// The name, where it is not computed.
    pub fn known(&self) -> Option<&Name> {
        match self {
            NameRef::Given(name, _) => Some(name),
            NameRef::Computed(_) => None,
        }
    }

    pub fn origin(&self) -> Origin {
        match self {
            NameRef::Given(_, origin) => *origin,
            NameRef::Computed(expr) => expr.origin,
        }
    }

    fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        if let NameRef::Computed(expr) = self {
            visit(expr);
        }
    }
}
