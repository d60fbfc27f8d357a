//! A program as it is written, ranges of locations and objects written out.

use houserules_model::Origin;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub origin: Origin,
}

/// A whole text. What is missing in a broken one is empty here.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub title: String,
    /// What the comment at the head of the text says.
    pub summary: String,
    pub options: Vec<Attr>,
    /// What the comment behind an option says of it, by the option's name.
    pub about: BTreeMap<String, String>,
    pub players: Players,
    pub locations: Vec<Location>,
    pub connections: Vec<Connection>,
    pub types: Vec<ObjectType>,
    /// Main is the last of them.
    pub rounds: Vec<Round>,
    pub actions: Vec<Action>,
    pub start: Option<Block>,
    pub postgame: Option<Block>,
}

#[derive(Clone, Debug, Default)]
pub struct Players {
    pub least: Option<(u32, Origin)>,
    pub most: Option<(u32, Origin)>,
    /// Only so many as two can be divided by.
    pub even: bool,
    pub list: Vec<Player>,
}

#[derive(Clone, Debug)]
pub struct Player {
    pub name: Name,
    /// May win; the others are forces without a will.
    pub human: bool,
    pub attrs: Vec<Attr>,
}

/// `Name = value;`
#[derive(Clone, Debug)]
pub struct Attr {
    pub name: Name,
    pub value: Expr,
    pub hidden: bool,
}

#[derive(Clone, Debug)]
pub struct Location {
    pub name: Name,
    pub owner: Option<Owner>,
    pub exist: Option<Sight>,
    pub value: Option<Sight>,
    pub capacity: Option<Expr>,
    pub attrs: Vec<Attr>,
    pub inventory: Vec<Instance>,
    /// What never runs out here.
    pub supplies: Vec<Instance>,
    pub supply: bool,
}

#[derive(Clone, Debug)]
pub enum Owner {
    Public,
    /// The owner of the location where it is created.
    Location,
    Player(Name),
}

#[derive(Clone, Debug)]
pub enum Sight {
    Public,
    Nobody,
    Players(Vec<Name>),
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub kind: Name,
    pub name: Name,
    pub with: Features,
}

#[derive(Clone, Debug)]
pub struct ObjectType {
    pub name: Name,
    pub counter: bool,
    pub with: Features,
}

/// What an object type or an instance says of itself. A counter's value is an attribute `Value`.
#[derive(Clone, Debug, Default)]
pub struct Features {
    pub owner: Option<Owner>,
    pub attrs: Vec<Attr>,
    pub randomizer: Option<Randomizer>,
}

#[derive(Clone, Debug)]
pub struct Randomizer {
    pub values: Vec<Expr>,
    pub hidden: bool,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Connection {
    pub directed: bool,
    pub chain: Vec<Name>,
    pub attrs: Vec<Attr>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Round {
    pub name: Name,
    pub params: Vec<Param>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub kind: Name,
    pub name: Name,
    pub domain: Option<Domain>,
}

/// What a player may choose a parameter from.
#[derive(Clone, Debug)]
pub enum Domain {
    Between(Expr, Expr),
    Among(Expr),
}

#[derive(Clone, Debug)]
pub struct Action {
    pub name: Name,
    /// Where any are named, it is offered only in these.
    pub phases: Vec<Name>,
    pub params: Vec<Param>,
    pub requires: Vec<Expr>,
    pub effect: Block,
}

pub type Block = Vec<Stmt>;

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Choose { who: Expr, phase: Option<Name> },
    Call(Name, Vec<Expr>),
    Move(Expr, Expr),
    NextTurn,
    TurnOrder(Expr),
    Randomize(Expr),
    Repeat,
    Winner(Expr),
    Loser(Expr),
    Finish,
    Return(Option<Expr>),
    Assign(Expr, Expr),
    If(Expr, Block, Block),
    While(Expr, Block),
    Foreach(Name, Expr, Block),
    Var(Name, Expr),
    Shuffle(Expr),
}

/// Equal when they read alike, wherever they stand.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub origin: Origin,
    /// How many expressions stand in each other here.
    pub depth: u32,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(String),
    /// A player, location, object or option.
    Name(String),
    /// A parameter or local variable.
    Low(String),
    CurrentTurn,
    TurnOrder,
    List(Vec<Expr>),
    Call(Name, Vec<Expr>),
    Attr(Box<Expr>, Name),
    Member(Box<Expr>, Member),
    IsConnectedTo(Box<Expr>, Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Count(Box<Expr>),
    Built(Built, Vec<Expr>),
    Not(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    /// Could not be read.
    Missing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Member {
    Contains,
    Connections,
    Location,
    Owner,
    Value,
    ExistVisible,
    ValueVisible,
}

/// Extensions that look like calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Built {
    Append,
    Remove,
    Has,
    Floor,
    /// The connection from one location to another, with its attributes.
    Connection,
}

impl Built {
    pub const ALL: [(&str, Built, usize); 5] = [
        ("append", Built::Append, 2),
        ("remove", Built::Remove, 2),
        ("has", Built::Has, 2),
        ("floor", Built::Floor, 1),
        ("connection", Built::Connection, 2),
    ];
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    And,
    Or,
    Equal,
    Differ,
    Less,
    LessEqual,
    More,
    MoreEqual,
    Times,
    Divided,
    Plus,
    Minus,
}

impl Op {
    pub const ALL: [(&str, Op); 12] = [
        ("&&", Op::And),
        ("||", Op::Or),
        ("==", Op::Equal),
        ("!=", Op::Differ),
        ("<", Op::Less),
        ("<=", Op::LessEqual),
        (">", Op::More),
        (">=", Op::MoreEqual),
        ("*", Op::Times),
        ("/", Op::Divided),
        ("+", Op::Plus),
        ("-", Op::Minus),
    ];

    pub fn of(sign: &str) -> Option<Op> {
        Self::ALL.iter().find(|(known, _)| *known == sign).map(|(_, op)| *op)
    }

    pub fn sign(self) -> &'static str {
        Self::ALL.iter().find(|(_, op)| *op == self).map_or("", |(sign, _)| sign)
    }
}

impl Expr {
    pub fn new(kind: ExprKind, origin: Origin) -> Self {
        let mut expr = Expr { kind, origin, depth: 1 };
        let mut deepest = 0;
        expr.children(&mut |child| deepest = deepest.max(child.depth));
        expr.depth += deepest;
        expr
    }

    pub fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::List(members) => members.iter().for_each(visit),
            ExprKind::Call(_, args) | ExprKind::Built(_, args) => args.iter().for_each(visit),
            ExprKind::Attr(of, _) | ExprKind::Member(of, _) | ExprKind::Count(of) | ExprKind::Not(of) => visit(of),
            ExprKind::IsConnectedTo(left, right) | ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) => {
                visit(left);
                visit(right);
            }
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Double(_)
            | ExprKind::Text(_)
            | ExprKind::Name(_)
            | ExprKind::Low(_)
            | ExprKind::CurrentTurn
            | ExprKind::TurnOrder
            | ExprKind::Missing => {}
        }
    }

    /// This expression and everything in it, parents first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        self.children(&mut |child| child.walk(visit));
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        use ExprKind::*;
        match (&self.kind, &other.kind) {
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Double(a), Double(b)) => a == b,
            (Text(a), Text(b)) | (Name(a), Name(b)) | (Low(a), Low(b)) => a == b,
            (CurrentTurn, CurrentTurn) | (TurnOrder, TurnOrder) | (Missing, Missing) => true,
            (List(a), List(b)) => a == b,
            (Call(a, left), Call(b, right)) => a.text == b.text && left == right,
            (Attr(left, a), Attr(right, b)) => a.text == b.text && left == right,
            (Member(left, a), Member(right, b)) => a == b && left == right,
            (Built(a, left), Built(b, right)) => a == b && left == right,
            (IsConnectedTo(a, b), IsConnectedTo(c, d)) | (Index(a, b), Index(c, d)) => a == c && b == d,
            (Count(a), Count(b)) | (Not(a), Not(b)) => a == b,
            (Binary(a, b, c), Binary(d, e, f)) => a == d && b == e && c == f,
            _ => false,
        }
    }
}

/// Every statement of a block and of the blocks in it.
pub fn each_stmt<'a>(block: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt)) {
    for stmt in block {
        visit(stmt);
        match &stmt.kind {
            StmtKind::If(_, then, other) => {
                each_stmt(then, visit);
                each_stmt(other, visit);
            }
            StmtKind::While(_, body) | StmtKind::Foreach(_, _, body) => each_stmt(body, visit),
            _ => {}
        }
    }
}

/// The expressions directly in a statement.
pub fn each_expr<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Expr)) {
    match &stmt.kind {
        StmtKind::Choose { who: only, .. }
        | StmtKind::TurnOrder(only)
        | StmtKind::Randomize(only)
        | StmtKind::Winner(only)
        | StmtKind::Loser(only)
        | StmtKind::If(only, ..)
        | StmtKind::While(only, _)
        | StmtKind::Foreach(_, only, _)
        | StmtKind::Var(_, only)
        | StmtKind::Shuffle(only)
        | StmtKind::Return(Some(only)) => visit(only),
        StmtKind::Move(left, right) | StmtKind::Assign(left, right) => {
            visit(left);
            visit(right);
        }
        StmtKind::Call(_, args) => args.iter().for_each(visit),
        StmtKind::NextTurn | StmtKind::Repeat | StmtKind::Finish | StmtKind::Return(None) => {}
    }
}
