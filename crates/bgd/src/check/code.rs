//! Statements and expressions.

use super::Checker;
use crate::names::{Global, Scope};
use crate::syntax::*;
use crate::types::Ty;
use houserules_model::{Diagnostic, Origin};

/// Where a statement stands.
#[derive(Clone, Copy)]
pub(super) struct Within {
    pub loops: u32,
    pub action: bool,
}

impl<'a> Checker<'a> {
    pub(super) fn block(&mut self, body: &'a [Stmt], scope: &mut Scope, within: Within) {
        let outer = scope.len();
        for stmt in body {
            self.stmt(stmt, scope, within);
        }
        scope.truncate(outer);
    }

    fn stmt(&mut self, stmt: &'a Stmt, scope: &mut Scope, within: Within) {
        let inner = Within { loops: within.loops + 1, ..within };
        match &stmt.kind {
            StmtKind::Choose { who, phase } => {
                self.value(who, scope);
                self.expect(who, &Ty::Player, scope);
                self.computer(who, "is never asked");
                if let Some(phase) = phase {
                    let phases: Vec<&str> = self
                        .names
                        .program
                        .actions
                        .iter()
                        .flat_map(|action| action.phases.iter().map(|phase| phase.text.as_str()))
                        .collect();
                    if !phases.contains(&phase.text.as_str()) {
                        self.unknown("phase", &phase.text, phase.origin, phases.into_iter());
                    }
                }
                if self.names.offered(phase.as_ref()).next().is_none() {
                    let label = "There is no action that could be chosen here.";
                    self.error("flow/nothing", "Nothing to choose", stmt.origin, label);
                }
            }
            StmtKind::Call(name, args) => {
                args.iter().for_each(|arg| self.value(arg, scope));
                self.call(name, args, scope, false);
            }
            StmtKind::Move(what, to) => {
                self.value(what, scope);
                self.value(to, scope);
                self.expect(what, &Ty::Object(None), scope);
                self.expect(to, &Ty::Location, scope);
            }
            StmtKind::TurnOrder(order) => {
                self.value(order, scope);
                match self.names.ty(order, scope) {
                    Ty::List(member) if Ty::Player.takes(&member) => {}
                    Ty::Any => {}
                    found => {
                        let label = format!("The order of turns is a list of players, and this is {found}.");
                        self.error("type/mismatch", "No order of turns", order.origin, label);
                    }
                }
            }
            StmtKind::Randomize(what) => {
                self.value(what, scope);
                self.expect(what, &Ty::Object(None), scope);
                if let Ty::Object(Some(kind)) = self.names.ty(what, scope)
                    && !self.randomizes(&kind)
                {
                    let label = format!("Objects of type `{kind}` have no randomizer.");
                    let fault = Diagnostic::error("type/randomizer", "Nothing to draw from", what.origin, label);
                    self.said.push(fault.hint(format!("`{kind}{{ public Randomizer{{ [1, 2, 3] }} }}` would be one.")));
                }
            }
            StmtKind::Repeat => {
                if within.loops > 0 {
                    let label = "`Repeat` begins a round anew, and cannot stand in a loop.";
                    self.error("flow/repeat", "Repeat in a loop", stmt.origin, label);
                }
            }
            StmtKind::Winner(who) | StmtKind::Loser(who) => {
                self.value(who, scope);
                self.expect(who, &Ty::Player, scope);
                if matches!(stmt.kind, StmtKind::Winner(_)) {
                    self.computer(who, "cannot win");
                }
            }
            StmtKind::NextTurn | StmtKind::Finish => {}
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.value(value, scope);
                }
                if within.action && value.is_some() {
                    let label = "Nobody is given this value: an action has none.";
                    self.warning("flow/return", "A value for nobody", stmt.origin, label);
                }
            }
            StmtKind::Assign(target, value) => {
                self.value(value, scope);
                self.target(target, scope);
                let (wanted, given) = (self.names.ty(target, scope), self.names.ty(value, scope));
                if !wanted.takes(&given) {
                    let label = format!("This is {given}, and {wanted} is kept there.");
                    self.error("type/mismatch", "Another kind of value", value.origin, label);
                }
            }
            StmtKind::If(condition, then, other) => {
                self.condition(condition, scope);
                self.block(then, scope, within);
                self.block(other, scope, within);
            }
            StmtKind::While(condition, body) => {
                self.condition(condition, scope);
                if !self.names.is_pure_expr(condition) {
                    let label = "The condition of a loop may change nothing and ask nobody.";
                    self.error("flow/pure", "A condition that changes something", condition.origin, label);
                }
                self.block(body, scope, inner);
            }
            StmtKind::Foreach(name, list, body) => {
                self.value(list, scope);
                self.expect(list, &Ty::list_of(Ty::Any), scope);
                self.new_name(name, scope);
                let member = self.names.member_ty(&self.names.ty(list, scope));
                scope.push((name.text.clone(), member));
                self.block(body, scope, inner);
                scope.pop();
            }
            StmtKind::Var(name, value) => {
                self.value(value, scope);
                self.new_name(name, scope);
                let ty = self.names.ty(value, scope);
                scope.push((name.text.clone(), ty));
            }
            StmtKind::Shuffle(what) => {
                self.value(what, scope);
                match self.names.ty(what, scope) {
                    Ty::Any | Ty::Location => {}
                    Ty::List(_) => self.target(what, scope),
                    found => {
                        let label =
                            format!("The objects of a location or a list can be shuffled, and this is {found}.");
                        self.error("type/mismatch", "Nothing to shuffle", what.origin, label);
                    }
                }
            }
        }
    }

    fn new_name(&mut self, name: &Name, scope: &Scope) {
        if scope.iter().any(|(known, _)| *known == name.text) {
            let label = format!("There is a `{}` already.", name.text);
            self.error("name/twice", "A name is used twice", name.origin, label);
        }
    }

    /// A `Computer` named where only players who may win make sense.
    fn computer(&mut self, who: &Expr, cannot: &str) {
        if let ExprKind::Name(name) = &who.kind
            && let Some(&Global::Player(at)) = self.names.globals.get(name.as_str())
            && !self.names.program.players.list[at].human
        {
            let label = format!("`{name}` is a `Computer` and {cannot}.");
            self.error("game/computer", "A force without a will", who.origin, label);
        }
    }

    fn randomizes(&self, kind: &str) -> bool {
        let of_type = self.names.types.get(kind).is_none_or(|kind| kind.with.randomizer.is_some());
        let mut instances = self.names.program.locations.iter().flat_map(|location| &location.inventory);
        of_type || instances.any(|instance| instance.kind.text == kind && instance.with.randomizer.is_some())
    }

    /// Something that can be assigned to.
    fn target(&mut self, target: &'a Expr, scope: &Scope) {
        match &target.kind {
            ExprKind::Attr(of, name) => {
                self.value(target, scope);
                let known = self.names.holders(&self.names.ty(of, scope)).into_iter();
                let kept = known.into_iter().any(|holder| self.names.attrs.contains_key(&(holder, name.text.clone())));
                if !kept && self.names.attr_ty(of, &name.text, scope).is_some() {
                    let label = "An object is put elsewhere by `move`.";
                    self.error("type/target", "This cannot be assigned to", target.origin, label);
                }
            }
            ExprKind::Member(_, Member::Owner | Member::Value) | ExprKind::Missing => self.value(target, scope),
            ExprKind::Low(_) => self.value(target, scope),
            ExprKind::Index(of, index) => {
                self.value(index, scope);
                self.target(of, scope);
            }
            ExprKind::TurnOrder => {}
            ExprKind::Name(name) => {
                let label = format!("`{name}` stands for the same all through a match.");
                let fault = Diagnostic::error("type/target", "A name cannot be assigned to", target.origin, label);
                self.said.push(fault.hint("What changes is an attribute: `X.Name = value;`."));
            }
            ExprKind::CurrentTurn => {
                let label = "`NextTurn;` and `TurnOrder = [ … ];` change whose turn it is.";
                self.error("type/target", "The turn cannot be assigned to", target.origin, label);
            }
            ExprKind::Member(_, Member::Location) => {
                let label = "An object is put elsewhere by `move`.";
                self.error("type/target", "This cannot be assigned to", target.origin, label);
            }
            _ => {
                let label = "An attribute, a place in a list or a parameter can be.";
                self.error("type/target", "This cannot be assigned to", target.origin, label);
            }
        }
    }

    pub(super) fn condition(&mut self, condition: &'a Expr, scope: &Scope) {
        self.value(condition, scope);
        let ty = self.names.ty(condition, scope);
        if !ty.is_bool() {
            let label = format!("A condition is True or False, and this is {ty}.");
            self.error("type/condition", "No condition", condition.origin, label);
        }
    }

    pub(super) fn number(&mut self, expr: &'a Expr, scope: &Scope) {
        self.value(expr, scope);
        let ty = self.names.ty(expr, scope);
        if !ty.is_number() {
            let label = format!("A number is expected, and this is {ty}.");
            self.error("type/mismatch", "No number", expr.origin, label);
        }
    }

    pub(super) fn expect(&mut self, expr: &Expr, wanted: &Ty, scope: &Scope) {
        let found = self.names.ty(expr, scope);
        if !wanted.takes(&found) {
            let label = format!("Here {wanted} is expected, and this is {found}.");
            self.error("type/mismatch", "Another kind of value", expr.origin, label);
        }
    }

    /// The arguments have been looked at.
    fn call(&mut self, name: &Name, args: &[Expr], scope: &Scope, as_value: bool) {
        let round = self.names.rounds.get(name.text.as_str()).copied();
        let action = self.names.actions.get(name.text.as_str()).copied();
        let params = match (round, action) {
            (Some(round), _) => &round.params,
            (None, Some(action)) if !as_value => &action.params,
            (None, Some(_)) => {
                let label = "An action gives no value; a round does.";
                self.error("type/mismatch", "No value", name.origin, label);
                return;
            }
            (None, None) => {
                let known = self.names.rounds.keys().chain(self.names.actions.keys()).copied();
                let known: Vec<&str> = known.collect();
                self.unknown("round", &name.text, name.origin, known.into_iter());
                return;
            }
        };
        if params.len() != args.len() {
            let label = format!("`{}` takes {}, and here are {}.", name.text, params.len(), args.len());
            self.error("type/arity", "Too many or too few values", name.origin, label);
            return;
        }
        for (param, arg) in params.iter().zip(args) {
            let wanted = self.names.declared(&param.kind.text).unwrap_or(Ty::Any);
            self.expect(arg, &wanted, scope);
        }
        if let (true, Some(round)) = (as_value, round) {
            let mut gives = false;
            each_stmt(&round.body, &mut |stmt| gives |= matches!(stmt.kind, StmtKind::Return(Some(_))));
            if !gives {
                let label = format!("`{}` never says `return`, so there is no value here.", name.text);
                self.warning("flow/return", "A round without a value", name.origin, label);
            }
        }
    }

    /// An expression whose value is wanted.
    pub(super) fn value(&mut self, expr: &'a Expr, scope: &Scope) {
        expr.children(&mut |child| self.value(child, scope));
        let ty = |checker: &Self, expr: &Expr| checker.names.ty(expr, scope);
        match &expr.kind {
            ExprKind::Name(name) if !self.names.globals.contains_key(name.as_str()) => {
                let known: Vec<&str> = self.names.globals.keys().copied().collect();
                self.unknown("name", name, expr.origin, known.into_iter());
            }
            ExprKind::Low(name) if !scope.iter().any(|(known, _)| known == name) => {
                let known: Vec<&str> = scope.iter().map(|(known, _)| known.as_str()).collect();
                self.unknown("parameter", name, expr.origin, known.into_iter());
            }
            ExprKind::Name(_) | ExprKind::Low(_) => {}
            ExprKind::Call(name, args) => self.call(name, args, scope, true),
            ExprKind::Attr(of, name) => self.attr(of, name, scope),
            ExprKind::Member(of, member) => {
                let found = ty(self, of);
                let fits = match member {
                    Member::Contains | Member::Connections | Member::ExistVisible | Member::ValueVisible => {
                        Ty::Location.takes(&found)
                    }
                    Member::Location | Member::Value => Ty::Object(None).takes(&found),
                    Member::Owner => matches!(found, Ty::Any | Ty::Location | Ty::Object(_)),
                };
                if !fits {
                    let label = format!("This is {found}, which has no such thing.");
                    self.error("type/attribute", "No such attribute", expr.origin, label);
                }
                if let (Member::Value, Ty::Object(Some(kind))) = (member, &found) {
                    let counts =
                        self.names.attrs.contains_key(&(crate::names::Holder::Object(kind.clone()), "Value".into()));
                    if !counts && !self.randomizes(kind) {
                        let label = format!("Objects of type `{kind}` have neither a randomizer nor a value.");
                        self.error("type/attribute", "No value", expr.origin, label);
                    }
                }
            }
            ExprKind::IsConnectedTo(from, to) => {
                self.expect(from, &Ty::Location, scope);
                self.expect(to, &Ty::Location, scope);
            }
            ExprKind::Index(of, index) => {
                self.expect(of, &Ty::list_of(Ty::Any), scope);
                self.expect(index, &Ty::Int, scope);
            }
            ExprKind::Count(of) => self.expect(of, &Ty::list_of(Ty::Any), scope),
            ExprKind::Built(built, args) => match built {
                Built::Append | Built::Has | Built::Remove => {
                    self.expect(&args[0], &Ty::list_of(Ty::Any), scope);
                    if *built == Built::Remove {
                        self.expect(&args[1], &Ty::Int, scope);
                    }
                }
                Built::Floor => self.expect(&args[0], &Ty::Double, scope),
                Built::Connection => args.iter().for_each(|arg| self.expect(arg, &Ty::Location, scope)),
            },
            ExprKind::Not(of) => {
                let found = ty(self, of);
                if !found.is_bool() {
                    let label = format!("`!` wants True or False, and this is {found}.");
                    self.error("type/mismatch", "Another kind of value", of.origin, label);
                }
            }
            ExprKind::Binary(op, left, right) => self.operator(*op, left, right, expr.origin, scope),
            _ => {}
        }
    }

    fn attr(&mut self, of: &Expr, name: &Name, scope: &Scope) {
        let holder = self.names.ty(of, scope);
        let known = self.names.attr_ty(of, &name.text, scope);
        let lacks = matches!(&of.kind, ExprKind::Name(global)
            if self.names.globals.contains_key(global.as_str()) && !self.names.always_has(of, &name.text, scope));
        // An object may lie at a named location later, so only attributes are known to be missing.
        let object = matches!(self.names.globals.get(name.text.as_str()), Some(Global::Instance(..)));
        if known.is_some() && (!lacks || (object && holder == Ty::Location)) {
            return;
        }
        let known: Vec<String> = self
            .names
            .attrs
            .keys()
            .filter(|(known, _)| self.names.holders(&holder).contains(known))
            .map(|(_, attr)| attr.clone())
            .collect();
        let label = match houserules_model::nearest(&name.text, known.iter().map(String::as_str)) {
            Some(near) if near != name.text => format!("Did you mean `{near}`?"),
            _ => match &of.kind {
                ExprKind::Name(of) => format!("`{of}` has no attribute `{}`.", name.text),
                _ => format!("This is {holder}, and none has an attribute `{}`.", name.text),
            },
        };
        let mut fault = Diagnostic::error("type/attribute", "No such attribute", name.origin, label);
        if !known.is_empty() {
            fault = fault.note(format!("There are: {}.", known.join(", ")));
        }
        self.said.push(fault);
    }

    fn operator(&mut self, op: Op, left: &Expr, right: &Expr, origin: Origin, scope: &Scope) {
        let (first, second) = (self.names.ty(left, scope), self.names.ty(right, scope));
        match op {
            Op::And | Op::Or => {
                for (side, found) in [(left, &first), (right, &second)] {
                    if !found.is_bool() {
                        let label = format!("`{}` wants True or False, and this is {found}.", op.sign());
                        self.error("type/mismatch", "Another kind of value", side.origin, label);
                    }
                }
            }
            Op::Equal | Op::Differ => {
                if !first.compares(&second) {
                    let label = format!("{first} and {second} cannot be compared.");
                    self.error("type/mismatch", "These cannot be compared", origin, label);
                }
            }
            _ => {
                for (side, found) in [(left, &first), (right, &second)] {
                    if !found.is_number() {
                        let label = format!("`{}` wants numbers, and this is {found}.", op.sign());
                        self.error("type/mismatch", "No number", side.origin, label);
                    }
                }
            }
        }
    }
}
