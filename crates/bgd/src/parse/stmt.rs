//! Statements.

use super::Parser;
use crate::lex::Kind;
use crate::syntax::{Block, Expr, ExprKind, Stmt, StmtKind};
use houserules_model::Diagnostic;

const BEGINNINGS: [&str; 14] = [
    "ChooseAction",
    "move",
    "NextTurn",
    "TurnOrder",
    "Randomize",
    "Repeat",
    "Winner",
    "Loser",
    "FinishGame",
    "return",
    "if",
    "while",
    "foreach",
    "var",
];

impl Parser<'_> {
    pub(super) fn stmts(&mut self) -> Block {
        let mut body = Vec::new();
        self.block(|parser| match parser.at_word("auction") && parser.ahead(1).kind == Kind::Id {
            true => parser.auctioned(&mut body),
            false => body.extend(parser.stmt()),
        });
        body
    }

    fn stmt(&mut self) -> Option<Stmt> {
        let start = self.origin();
        let kind = self.stmt_kind()?;
        Some(Stmt { kind, origin: self.since(start) })
    }

    fn stmt_kind(&mut self) -> Option<StmtKind> {
        let (kind, word) = (self.token().kind, self.word());
        let next = self.ahead(1).kind;
        if matches!(kind, Kind::Id | Kind::Low) {
            match word {
                "if" => return Some(self.conditional()),
                "while" if next == Kind::Sign("(") => {
                    self.bump();
                    let condition = self.condition();
                    return Some(StmtKind::While(condition, self.stmts()));
                }
                "foreach" if next == Kind::Low => {
                    self.bump();
                    let name = self.low("the name of a variable")?;
                    if !self.take_word("in") {
                        self.expected("`in`");
                    }
                    let list = self.expr();
                    return Some(StmtKind::Foreach(name, list, self.stmts()));
                }
                _ => {}
            }
        }
        let made = match word {
            "ChooseAction" => {
                self.bump();
                let who = self.expr();
                let phase = if self.take_word("in") { self.id("the name of a phase") } else { None };
                StmtKind::Choose { who, phase }
            }
            "move" => self.moving(),
            // The spelling of the paper, unless it is called like a round.
            "Move" if next != Kind::Sign("(") => self.moving(),
            "NextTurn" => {
                self.bump();
                StmtKind::NextTurn
            }
            "TurnOrder" if next == Kind::Sign("=") => {
                self.bump();
                self.bump();
                StmtKind::TurnOrder(self.expr())
            }
            "Randomize" => {
                self.bump();
                StmtKind::Randomize(self.expr())
            }
            "Repeat" => {
                self.bump();
                StmtKind::Repeat
            }
            "Winner" => {
                self.bump();
                StmtKind::Winner(self.expr())
            }
            "Loser" => {
                self.bump();
                StmtKind::Loser(self.expr())
            }
            "FinishGame" => {
                self.bump();
                StmtKind::Finish
            }
            "Finish" if next == Kind::Sign(";") => {
                self.bump();
                StmtKind::Finish
            }
            "return" => {
                self.bump();
                StmtKind::Return(if self.at_sign(";") { None } else { Some(self.expr()) })
            }
            "var" if next == Kind::Low => {
                self.bump();
                let name = self.low("the name of a variable")?;
                self.sign("=");
                StmtKind::Var(name, self.expr())
            }
            "shuffle" if matches!(next, Kind::Id | Kind::Low) => {
                self.bump();
                StmtKind::Shuffle(self.expr())
            }
            "else" => {
                let label = "There is no `if` right before it.";
                self.tell(Diagnostic::error("text/expected", "An `else` alone", self.origin(), label));
                self.bump();
                self.skip();
                return None;
            }
            _ if matches!(kind, Kind::Id | Kind::Low | Kind::Sign("(")) => return self.plain(),
            _ => {
                self.unknown("a statement", &BEGINNINGS);
                self.skip();
                return None;
            }
        };
        self.semicolon();
        Some(made)
    }

    fn moving(&mut self) -> StmtKind {
        self.bump();
        let what = self.expr();
        StmtKind::Move(what, self.expr())
    }

    fn condition(&mut self) -> Expr {
        self.sign("(");
        let condition = self.expr();
        self.sign(")");
        condition
    }

    fn conditional(&mut self) -> StmtKind {
        self.bump();
        let condition = self.condition();
        let then = self.stmts();
        let other = if !self.take_word("else") {
            Vec::new()
        } else if self.at_word("if") {
            // An `if` right after `else` is an extension; it stands in a block of its own.
            let start = self.origin();
            if !self.enter() {
                self.skip();
                return StmtKind::If(condition, then, Vec::new());
            }
            let kind = self.conditional();
            self.depth -= 1;
            vec![Stmt { kind, origin: self.since(start) }]
        } else {
            self.stmts()
        };
        StmtKind::If(condition, then, other)
    }

    /// A call or an assignment.
    fn plain(&mut self) -> Option<StmtKind> {
        let before = self.at;
        let target = self.expr();
        if self.take_sign("=") {
            let value = self.expr();
            self.semicolon();
            return Some(StmtKind::Assign(target, value));
        }
        match target.kind {
            ExprKind::Call(name, args) => {
                self.semicolon();
                Some(StmtKind::Call(name, args))
            }
            ExprKind::Missing => {
                self.skip();
                None
            }
            ExprKind::Name(_) if !self.at_sign(";") => {
                self.at = before;
                self.unknown("a statement", &BEGINNINGS);
                self.bump();
                self.skip();
                None
            }
            _ => {
                let label = "A value alone does nothing.";
                let fault = Diagnostic::error("text/expected", "This is no statement", target.origin, label);
                self.tell(fault.hint("`X.Name = value;` assigns, `Round();` runs a round."));
                self.skip();
                None
            }
        }
    }
}
