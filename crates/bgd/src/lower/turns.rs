//! Main that does the same for each turn: something, a choice, something else, and again.

use super::Writer;
use super::code::Body;
use crate::syntax::*;

/// What Main does before and after the choice of whose turn it is.
#[derive(Clone, Copy)]
pub(super) struct Turns<'a> {
    pub before: &'a [Stmt],
    pub after: &'a [Stmt],
}

impl<'a> Turns<'a> {
    /// None where a choice is made anywhere else, or an action is called: they would be followed by what comes after.
    pub fn of(program: &'a Program) -> Option<Self> {
        let main = program.rounds.iter().find(|round| round.name.text == "Main")?;
        let (last, body) = main.body.split_last()?;
        let at = body.iter().position(|stmt| matches!(stmt.kind, StmtKind::Choose { .. }))?;
        let plain = matches!(&body[at].kind, StmtKind::Choose { who, phase: None } if who.kind_is_current());
        let turns = Turns { before: &body[..at], after: &body[at + 1..] };
        let mut fits = plain && matches!(last.kind, StmtKind::Repeat) && !program.actions.is_empty();
        let is_action = |name: &Name| program.actions.iter().any(|action| action.name.text == name.text);
        let bodies = program.rounds.iter().filter(|round| round.name.text != "Main").map(|round| &round.body[..]);
        let bodies = bodies.chain(program.actions.iter().map(|action| &action.effect[..]));
        let bodies = bodies.chain(program.start.as_deref()).chain(program.postgame.as_deref());
        for body in bodies.chain([turns.before, turns.after]) {
            each_stmt(body, &mut |stmt| {
                fits &= match &stmt.kind {
                    StmtKind::Choose { .. } => false,
                    StmtKind::Call(name, _) => !is_action(name) && name.text != "Main",
                    _ => true,
                };
            });
        }
        // What Main knows is forgotten while somebody chooses, and it cannot begin anew from its halves.
        for half in [turns.before, turns.after] {
            fits &= !half.iter().any(|stmt| matches!(stmt.kind, StmtKind::Var(..)));
            each_stmt(half, &mut |stmt| fits &= !matches!(stmt.kind, StmtKind::Repeat));
        }
        fits.then_some(turns)
    }
}

impl Expr {
    fn kind_is_current(&self) -> bool {
        matches!(self.kind, ExprKind::CurrentTurn)
    }
}

impl Writer<'_> {
    /// The halves of Main as messages.
    pub(super) fn halves(&mut self, turns: Turns) {
        if !turns.before.is_empty() {
            self.lined("#onMessage turn");
            self.header(&[]);
            self.body(turns.before, Body::Half);
        }
        self.lined("#onMessage stuck");
        self.lined("  (send go-on to game)");
        self.lined("#onMessage go-on");
        self.header(&[]);
        self.body(turns.after, Body::Half);
        self.lined("  (end turn to CurrentTurn)");
    }

    /// After each choice Main goes on.
    pub(super) fn going_on(&mut self) {
        let actions = &self.names.program.actions;
        let labels: Vec<String> = actions.iter().map(|action| self.words.called(&action.name.text)).collect();
        self.blank();
        self.lined(&format!("#sideeffect \"Main goes on\" on {}", labels.join(" ")));
        self.lined("  (send go-on to game)");
        if self.names.choice_may_finish(None) {
            let at = self.text.len() - "(send go-on to game)".len();
            self.text.insert_str(at, "(if (not finished) ");
            self.put(")");
        }
    }
}
