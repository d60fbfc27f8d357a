//! Rounds and statements.

use super::Writer;
use super::expr::fault;
use super::words::Words;
use crate::syntax::*;
use crate::types::Ty;

/// Whose body is written: what `return` and `FinishGame` do in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Main,
    Round,
    /// A round that has to give a value.
    Valued,
    /// A part of Main that is told by itself.
    Half,
    /// Nothing ends twice.
    Postgame,
}

impl<'a> Writer<'a> {
    /// Rounds that only find something out.
    pub(super) fn defines(&mut self) {
        let rounds: Vec<&Round> = self.names.program.rounds.iter().collect();
        let pure = rounds.into_iter().filter(|round| self.names.pure.contains(round.name.text.as_str()));
        for (at, round) in pure.collect::<Vec<_>>().into_iter().enumerate() {
            if at == 0 {
                self.blank();
            }
            self.line();
            self.mark(round.name.origin);
            self.put(&format!("#define {}", self.words.called(&round.name.text)));
            self.header(&round.params);
            self.round(round);
        }
    }

    /// What a round does. Where its value is wanted, and it comes to its end without one, there is a fault.
    fn round(&mut self, round: &Round) {
        let name = round.name.text.as_str();
        let valued = self.names.valued.contains(name) && !ends(&round.body);
        self.body(&round.body, if valued { Body::Valued } else { Body::Round });
        if valued {
            self.lined(&format!("  (return {})", fault(&format!("value of {name}"))));
        }
    }

    pub(super) fn header(&mut self, params: &[Param]) {
        self.scope = self.names.scope(params);
        self.renamed.clear();
        for param in params {
            let word = Words::low(&param.name.text);
            self.put(&format!(" {word}"));
            self.renamed.push((param.name.text.clone(), word));
        }
    }

    pub(super) fn messages(&mut self) {
        let program = self.names.program;
        self.blank();
        self.lined("#model game");
        self.indent += 1;
        if self.uses.supplies {
            self.supplying();
        }
        if let Some(start) = &program.start {
            self.lined("#onMessage StartState");
            self.header(&[]);
            self.body(start, Body::Round);
        }
        for round in &program.rounds {
            if self.names.pure.contains(round.name.text.as_str()) {
                continue;
            }
            if let Some(turns) = self.turns.filter(|_| round.name.text == "Main") {
                self.halves(turns);
                continue;
            }
            self.line();
            self.mark(round.name.origin);
            self.put(&format!("#onMessage {}", self.words.called(&round.name.text)));
            self.header(&round.params);
            match round.name.text.as_str() {
                "Main" => self.body(&round.body, Body::Main),
                _ => self.round(round),
            }
        }
        if let Some(postgame) = &program.postgame {
            self.lined("#onMessage postgame");
            self.header(&[]);
            self.body(postgame, Body::Postgame);
        }
        self.lined("#onMessage FinishGame");
        if program.postgame.is_some() {
            self.lined("  (send postgame to game)");
        }
        self.lined("  (set finished to true)");
        self.lined("  (foreach p in seats (if (Winner of p) (say \"{p} wins.\") else (say \"{p} loses.\")))");
        self.lined("  (if (any p in seats where (Winner of p)) (finish by (if Winner 1 else 0)) else (draw))");
        self.indent -= 1;
    }

    /// Where the last object of a supply is taken away, there is another one.
    fn supplying(&mut self) {
        self.lined("#onMessage shift thing target");
        self.lined("  (var before (place of thing))");
        self.lined("  (move thing to target)");
        self.lined("  (if (and (supplies of before) (empty of before))");
        self.lined("    (switch (supplies of before)");
        let mut kinds: Vec<&str> = Vec::new();
        for location in &self.names.program.locations {
            let Some(supplied) = location.supplies.first() else { continue };
            if !kinds.contains(&supplied.kind.text.as_str()) {
                kinds.push(&supplied.kind.text);
            }
        }
        for kind in kinds {
            let word = self.words.kind(kind);
            self.lined(&format!("      (case {kind:?} (new {word} at before))"));
        }
        self.put("))");
    }

    pub(super) fn body(&mut self, block: &[Stmt], kind: Body) {
        self.indent += 1;
        let before = self.text.len();
        if self.looped(block, kind) {
            self.ending(kind);
        }
        if self.text.len() == before && !matches!(kind, Body::Half | Body::Valued) {
            self.lined("(return)");
        }
        self.indent -= 1;
    }

    /// What is done, as a loop where it may begin anew; says whether it can come to its end.
    fn looped(&mut self, block: &[Stmt], kind: Body) -> bool {
        let mut repeats = false;
        each_stmt(block, &mut |stmt| repeats |= matches!(stmt.kind, StmtKind::Repeat));
        if !repeats {
            self.block(block, kind);
            return !matches!(block.last(), Some(Stmt { kind: StmtKind::Finish | StmtKind::Return(_), .. }));
        }
        self.lined("(while true");
        self.indent += 1;
        let last = matches!(block.last(), Some(Stmt { kind: StmtKind::Repeat, .. }));
        self.block(if last { &block[..block.len() - 1] } else { block }, kind);
        if !last {
            self.lined("(break)");
        }
        self.indent -= 1;
        self.put(")");
        !last
    }

    /// A round that can stand where it is called: the machine throws dice faster at the beginning of a turn than in a
    /// message that is sent there.
    fn inlined(&self, name: &Name) -> Option<&'a [Stmt]> {
        let name = name.text.as_str();
        let round = *self.names.rounds.get(name)?;
        let mut fits =
            round.params.is_empty() && !self.names.pure.contains(name) && !self.names.finishing.contains(name);
        each_stmt(&round.body, &mut |stmt| {
            fits &= !matches!(stmt.kind, StmtKind::Return(_) | StmtKind::Var(..) | StmtKind::Choose { .. });
        });
        fits.then_some(&round.body)
    }

    /// Main that runs off its end ends the match.
    fn ending(&mut self, kind: Body) {
        if kind == Body::Main {
            self.lined("(send FinishGame to game)");
        }
    }

    fn block(&mut self, block: &[Stmt], kind: Body) {
        let (scope, renamed) = (self.scope.len(), self.renamed.len());
        for stmt in block {
            self.stmt(stmt, kind);
            // What follows is never run, and would only puzzle whoever reads it.
            if matches!(stmt.kind, StmtKind::Finish | StmtKind::Return(_) | StmtKind::Repeat) {
                break;
            }
        }
        self.scope.truncate(scope);
        self.renamed.truncate(renamed);
    }

    /// After something in which the match may have ended.
    fn unless_finished(&mut self, may_finish: bool) {
        if may_finish {
            self.lined("(if finished (return))");
        }
    }

    /// Makes the calls in an expression that change something, in order, before the statement begins.
    fn hoist(&mut self, expr: &Expr) {
        if self.names.is_pure_expr(expr) {
            return;
        }
        expr.children(&mut |child| self.hoist(child));
        if let ExprKind::Call(name, args) = &expr.kind
            && !self.names.pure.contains(name.text.as_str())
        {
            self.n_hoisted += 1;
            let var = format!("result-{}", self.n_hoisted);
            self.line();
            self.mark(expr.origin);
            self.put(&format!("(var {var} "));
            self.send(name, args);
            self.put(")");
            self.unless_finished(self.names.finishing.contains(name.text.as_str()));
            self.hoisted.insert(std::ptr::from_ref(expr), var);
        }
    }

    /// `(send …)` of a round or an action.
    fn send(&mut self, name: &Name, args: &[Expr]) {
        let word = self.words.called(&name.text);
        let (params, receiver): (&[Param], bool) = match self.names.rounds.get(name.text.as_str()) {
            Some(round) => (&round.params, false),
            None => match self.names.actions.get(name.text.as_str()) {
                Some(action) => (&action.params, self.receives(action)),
                None => (&[], false),
            },
        };
        let action = !self.names.rounds.contains_key(name.text.as_str());
        self.put(&format!("(send {word} to "));
        if receiver {
            self.expr(&args[0]);
        } else {
            self.put("game");
        }
        let skipped = usize::from(receiver);
        for (at, (param, arg)) in params.iter().zip(args).enumerate().skip(skipped) {
            if at == skipped {
                self.put(" with");
            }
            self.put(&format!(" {} ", Words::low(&param.name.text)));
            // A player chooses the words.
            if action && param.kind.text == "bool" {
                self.put("(if ");
                self.expr(arg);
                self.put(" \"True\" else \"False\")");
            } else {
                self.wanted(arg, &self.names.declared(&param.kind.text).unwrap_or(Ty::Any));
            }
        }
        self.put(")");
    }

    fn stmt(&mut self, stmt: &Stmt, kind: Body) {
        each_expr(stmt, &mut |expr| self.hoist(expr));
        if !matches!(stmt.kind, StmtKind::Call(..)) {
            self.line();
        }
        self.mark(stmt.origin);
        match &stmt.kind {
            StmtKind::Choose { who, phase } => {
                self.put("(let ");
                self.player(who);
                self.put(" do");
                for action in self.names.offered(phase.as_ref()).collect::<Vec<_>>() {
                    self.put(&format!(" {}", self.words.called(&action.name.text)));
                }
                self.put(")");
                self.unless_finished(self.names.choice_may_finish(phase.as_ref()));
            }
            StmtKind::Call(name, args) => {
                if let Some(body) = self.inlined(name).filter(|_| kind == Body::Half) {
                    self.looped(body, kind);
                    return;
                }
                // A round that only finds something out does nothing here.
                if !self.names.pure.contains(name.text.as_str()) {
                    self.line();
                    self.mark(stmt.origin);
                    self.send(name, args);
                    self.unless_finished(self.names.finishing.contains(name.text.as_str()));
                }
            }
            StmtKind::Move(what, to) => {
                if self.uses.supplies {
                    self.put("(send shift to game with thing ");
                    self.expr(what);
                    self.put(" target ");
                } else {
                    self.put("(move ");
                    self.expr(what);
                    self.put(" to ");
                }
                self.expr(to);
                self.put(")");
            }
            StmtKind::NextTurn => {
                self.put("(set turn-number to (mod (+ turn-number 1) (count TurnOrder)))");
                self.lined("(set CurrentTurn to (at turn-number of TurnOrder))");
            }
            StmtKind::TurnOrder(order) => {
                self.put("(set TurnOrder to ");
                match &order.kind {
                    ExprKind::List(players) => {
                        self.put("(list");
                        for player in players {
                            self.put(" ");
                            self.player(player);
                        }
                        self.put(")");
                    }
                    _ => self.expr(order),
                }
                self.put(")");
                self.lined("(set turn-number to 0)");
                self.lined("(set CurrentTurn to ");
                self.or_fault("(first TurnOrder)", "player in an empty order of turns");
                self.put(")");
            }
            StmtKind::Randomize(what) => {
                self.put("(set (Value of ");
                self.expr(what);
                self.put(") to ");
                let sides = match self.ty(what) {
                    Ty::Object(Some(kind)) => self.sides(&kind),
                    _ => None,
                };
                match sides {
                    Some(sides) => self.put(&format!("(roll {sides})")),
                    None => {
                        self.put("(random of ");
                        let values = self.rendered(|writer| {
                            writer.put("(Randomizer of ");
                            writer.expr(what);
                            writer.put(")");
                        });
                        match self.ty(what) {
                            Ty::Object(Some(_)) => self.put(&values),
                            _ => {
                                let missing = format!("randomizer of {}", self.told(what));
                                self.or_fault(&values, &missing);
                            }
                        }
                        self.put(")");
                    }
                }
                self.put(")");
            }
            StmtKind::Repeat => self.put("(continue)"),
            StmtKind::Winner(who) | StmtKind::Loser(who) => {
                self.put("(set (Winner of ");
                self.player(who);
                self.put(if matches!(stmt.kind, StmtKind::Winner(_)) { ") to true)" } else { ") to nil)" });
            }
            StmtKind::Finish if kind == Body::Postgame => self.put("(return)"),
            StmtKind::Finish => {
                self.put("(send FinishGame to game)");
                self.lined("(return)");
            }
            StmtKind::Return(_) if matches!(kind, Body::Main | Body::Half) => {
                self.put("(send FinishGame to game)");
                self.lined("(return)");
            }
            StmtKind::Return(None) => self.put("(return)"),
            StmtKind::Return(Some(value)) => {
                self.put("(return ");
                self.expr(value);
                self.put(")");
            }
            StmtKind::Assign(target, value) => {
                let ty = self.ty(target);
                let value = self.rendered(|writer| writer.wanted(value, &ty));
                self.assign(target, &value);
            }
            StmtKind::If(condition, then, other) => self.conditional(condition, then, other, kind),
            StmtKind::While(condition, body) => {
                self.put("(while ");
                self.expr(condition);
                self.indent += 1;
                self.block(body, kind);
                self.indent -= 1;
                self.put(")");
            }
            StmtKind::Foreach(name, list, body) => {
                let word = Words::low(&name.text);
                self.put(&format!("(foreach {word} in "));
                self.expr(list);
                let member = self.names.member_ty(&self.ty(list));
                self.scope.push((name.text.clone(), member));
                self.renamed.push((name.text.clone(), word));
                self.indent += 1;
                self.block(body, kind);
                self.indent -= 1;
                self.put(")");
                self.scope.pop();
                self.renamed.pop();
            }
            StmtKind::Var(name, value) => {
                let word = Words::low(&name.text);
                self.put(&format!("(var {word} "));
                self.expr(value);
                self.put(")");
                let ty = self.ty(value);
                self.scope.push((name.text.clone(), ty));
                self.renamed.push((name.text.clone(), word));
            }
            StmtKind::Shuffle(what) if matches!(self.ty(what), Ty::List(_)) => {
                let list = self.rendered(|writer| writer.expr(what));
                self.assign(what, &format!("(shuffle {list})"));
            }
            StmtKind::Shuffle(what) => {
                self.put("(shuffle ");
                self.expr(what);
                self.put(")");
            }
        }
    }

    fn conditional(&mut self, condition: &Expr, then: &[Stmt], other: &[Stmt], kind: Body) {
        self.put("(if ");
        if then.is_empty() && !other.is_empty() {
            self.put("(not ");
            self.expr(condition);
            self.put(")");
        } else {
            self.expr(condition);
        }
        self.indent += 1;
        if then.is_empty() && other.is_empty() {
            self.put(" nil");
        }
        self.block(if then.is_empty() { other } else { then }, kind);
        self.indent -= 1;
        if !then.is_empty() && !other.is_empty() {
            self.lined(" else");
            self.indent += 1;
            self.block(other, kind);
            self.indent -= 1;
        }
        self.put(")");
    }

    /// What writing something gives, without leaving it there.
    pub(super) fn rendered(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let (text, marks) = (self.text.len(), self.marks.len());
        write(self);
        self.marks.truncate(marks);
        self.text.split_off(text)
    }

    fn assign(&mut self, target: &Expr, value: &str) {
        match &target.kind {
            ExprKind::Attr(of, name) => {
                let word = self.words.attr(&name.text);
                self.put(&format!("(set ({word} of "));
                self.holder(of, name);
                self.put(&format!(") to {value})"));
            }
            ExprKind::Member(of, member) => {
                let word = if *member == Member::Owner { "owner" } else { "Value" };
                self.put(&format!("(set ({word} of "));
                self.expr(of);
                self.put(&format!(") to {value})"));
            }
            ExprKind::Index(of, index) => {
                let list = self.rendered(|writer| writer.expr(of));
                let at = self.rendered(|writer| writer.expr(index));
                let missing = self.no_member(&list, &at, of, index);
                let replaced = format!("(replace {at} of {list} with {value})");
                self.assign(of, &format!("(if (< {at} (count {list})) {replaced} else {})", fault(&missing)));
            }
            ExprKind::TurnOrder => self.put(&format!("(set TurnOrder to {value})")),
            ExprKind::Low(name) => self.put(&format!("(set {} to {value})", Words::low(name))),
            // The checker lets nothing else through.
            _ => self.put("nil"),
        }
    }
}

/// Whether what follows a block is never reached.
fn ends(block: &[Stmt]) -> bool {
    match block.last().map(|stmt| &stmt.kind) {
        Some(StmtKind::Return(_) | StmtKind::Finish | StmtKind::Repeat) => true,
        Some(StmtKind::If(_, then, other)) => ends(then) && ends(other),
        Some(StmtKind::While(condition, _)) => matches!(condition.kind, ExprKind::Bool(true)),
        _ => false,
    }
}
