//! Expressions and actions.

use super::code::Body;
use super::words::Words;
use super::{Writer, quoted};
use crate::names::Global;
use crate::syntax::*;
use crate::types::Ty;

/// The most that is offered for a whole number without bounds, unless larger ones stand in the program.
const USUAL: i64 = 20;
const LARGEST: i64 = 100;

/// A value in a text. Where its own texts would end that text, it stands there as the program has it.
fn between_braces(value: &str, expr: &Expr) -> String {
    match value.contains(['"', '{']) {
        true => within_quotes(&crate::parse::plainly(expr)),
        false => format!("{{{}}}", value.strip_prefix('(').and_then(|value| value.strip_suffix(')')).unwrap_or(value)),
    }
}

/// Something that stands in a text as it is.
fn within_quotes(text: &str) -> String {
    let quoted = quoted(text);
    quoted[1..quoted.len() - 1].to_owned()
}

/// A fault that names what is not there. Where nothing in the name is known only in play, it would be looked up before.
pub(super) fn fault(missing: &str) -> String {
    let turn = if missing.replace("{{", "").contains('{') { "" } else { " in the turn of {CurrentTurn}" };
    format!("(entity \"{missing}{turn}\")")
}

impl<'a> Writer<'a> {
    pub(super) fn expr(&mut self, expr: &Expr) {
        if let Some(var) = self.hoisted.get(&std::ptr::from_ref(expr)) {
            let var = var.clone();
            self.put(&var);
            return;
        }
        self.mark(expr.origin);
        match &expr.kind {
            ExprKind::Bool(value) => self.put(if *value { "true" } else { "nil" }),
            ExprKind::Int(number) => self.put(&number.to_string()),
            ExprKind::Double(number) => self.put(&format!("{number:?}")),
            ExprKind::Text(text) => self.put(&quoted(text)),
            ExprKind::Name(name) => match self.names.globals.get(name.as_str()) {
                Some(Global::Option(_)) if self.ty(expr) == Ty::Bool => self.put(&format!("(= {name} \"True\")")),
                _ => self.put(name),
            },
            ExprKind::Low(name) => {
                let known = self.renamed.iter().rev().find(|(known, _)| known == name);
                let word = known.map_or_else(|| Words::low(name), |(_, word)| word.clone());
                self.put(&word);
            }
            ExprKind::CurrentTurn => self.put(if self.asking { "player" } else { "CurrentTurn" }),
            ExprKind::TurnOrder => self.put("TurnOrder"),
            ExprKind::List(members) => self.list(members),
            ExprKind::Call(name, args) => {
                let word = self.words.called(&name.text);
                if args.is_empty() {
                    self.put(&word);
                } else {
                    self.form(&word, &args.iter().collect::<Vec<_>>());
                }
            }
            ExprKind::Attr(of, name) => self.attribute(of, name),
            ExprKind::Member(of, Member::Value) => self.value_of(of),
            ExprKind::Member(of, member) => {
                let word = match member {
                    Member::Contains => "contents",
                    Member::Connections => "connections",
                    Member::Location => "place",
                    Member::Owner => "owner",
                    Member::Value => "Value",
                    Member::ExistVisible => "ExistVisible",
                    Member::ValueVisible => "ValueVisible",
                };
                self.put(&format!("({word} of "));
                self.expr(of);
                self.put(")");
            }
            ExprKind::IsConnectedTo(from, to) => {
                self.put("(is ");
                self.expr(to);
                self.put(" in (connections of ");
                self.expr(from);
                self.put("))");
            }
            ExprKind::Index(of, index) => self.index(of, index),
            ExprKind::Count(of) => self.form("count", &[of]),
            ExprKind::Built(built, args) => self.built(*built, args),
            ExprKind::Not(of) => self.form("not", &[of]),
            ExprKind::Binary(op, left, right) => self.operator(*op, left, right),
            ExprKind::Missing => self.put("nil"),
        }
    }

    fn form(&mut self, head: &str, args: &[&Expr]) {
        self.put(&format!("({head}"));
        for arg in args {
            self.put(" ");
            self.expr(arg);
        }
        self.put(")");
    }

    fn operator(&mut self, op: Op, left: &Expr, right: &Expr) {
        // `x == True` is x.
        if let (Op::Equal | Op::Differ, ExprKind::Bool(value)) = (op, &right.kind)
            && self.ty(left) == Ty::Bool
        {
            return match *value == (op == Op::Equal) {
                true => self.expr(left),
                false => self.form("not", &[left]),
            };
        }
        let head = match op {
            Op::And => "and",
            Op::Or => "or",
            Op::Equal => "=",
            other => other.sign(),
        };
        // A row of the same is one form.
        let mut row = vec![right];
        let mut first = left;
        while let ExprKind::Binary(same, before, last) = &first.kind
            && *same == op
            && matches!(op, Op::And | Op::Or | Op::Plus | Op::Times)
        {
            row.push(last);
            first = before;
        }
        row.push(first);
        row.reverse();
        self.form(head, &row);
    }

    /// The value, or a fault that names what is not there.
    pub(super) fn or_fault(&mut self, value: &str, missing: &str) {
        self.put(&format!("(or {value} {})", fault(missing)));
    }

    /// What a fault says of something in the program.
    pub(super) fn told(&mut self, of: &Expr) -> String {
        let value = self.rendered(|writer| writer.expr(of));
        between_braces(&value, of)
    }

    /// Somebody who plays: an owner may be nobody, and then there is a fault.
    pub(super) fn player(&mut self, who: &Expr) {
        if self.ty(who) != Ty::Owner {
            return self.expr(who);
        }
        let missing = match &who.kind {
            ExprKind::Member(of, Member::Owner) => format!("owner of {}", self.told(of)),
            _ => format!("player {}", within_quotes(&crate::parse::plainly(who))),
        };
        let value = self.rendered(|writer| writer.expr(who));
        self.or_fault(&value, &missing);
    }

    /// What is wanted of this type.
    pub(super) fn wanted(&mut self, value: &Expr, ty: &Ty) {
        match ty {
            Ty::Player => self.player(value),
            _ => self.expr(value),
        }
    }

    /// Locations or players with an attribute, and those without it, where both are known by name.
    fn parted(&self, of: &Ty, name: &str) -> Option<(Vec<&'a str>, Vec<&'a str>)> {
        let has = |attrs: &[Attr]| attrs.iter().any(|attr| attr.name.text == name);
        let program = self.names.program;
        let all: Vec<(&str, bool)> = match of {
            Ty::Location => program.locations.iter().map(|own| (&*own.name.text, has(&own.attrs))).collect(),
            Ty::Player | Ty::Owner => {
                program.players.list.iter().map(|own| (&*own.name.text, has(&own.attrs))).collect()
            }
            _ => return None,
        };
        let of = |wanted: bool| all.iter().filter(|(_, has)| *has == wanted).map(|(name, _)| *name).collect();
        Some((of(true), of(false)))
    }

    /// One of two things, by whether somebody has an attribute.
    fn if_it_has(&self, holder: &str, (with, without): &(Vec<&str>, Vec<&str>), then: &str, other: &str) -> String {
        match with.len() > without.len() {
            true => format!("(if (is {holder} in (list {})) {other} else {then})", without.join(" ")),
            false => format!("(if (is {holder} in (list {})) {then} else {other})", with.join(" ")),
        }
    }

    fn attribute(&mut self, of: &Expr, name: &Name) {
        let holds = self.ty(of);
        let known = self.names.holders(&holds);
        let kept = known.into_iter().any(|holder| self.names.attrs.contains_key(&(holder, name.text.clone())));
        let holder = self.rendered(|writer| writer.player(of));
        let whose = self.told(of);
        if !kept {
            // An object, asked for at the location where it lies.
            let missing = fault(&format!("object {} at {whose}", name.text));
            self.put(&format!("(if (= (place of {}) {holder}) {} else {missing})", name.text, name.text));
            return;
        }
        let value = format!("({} of {holder})", self.words.attr(&name.text));
        let ty = self.names.attr_ty(of, &name.text, &self.scope).unwrap_or(Ty::Any);
        if self.names.always_has(of, &name.text, &self.scope) {
            return self.put(&value);
        }
        let missing = format!("attribute {} of {whose}", name.text);
        if !ty.may_be_nothing() {
            return self.or_fault(&value, &missing);
        }
        match self.parted(&holds, &name.text) {
            Some(parted) => {
                let text = self.if_it_has(&holder, &parted, &value, &fault(&missing));
                self.put(&text);
            }
            None => self.put(&value),
        }
    }

    /// Somebody or something that has an attribute, or a fault.
    pub(super) fn holder(&mut self, of: &Expr, name: &Name) {
        let holder = self.rendered(|writer| writer.player(of));
        let sure = self.names.always_has(of, &name.text, &self.scope);
        match self.parted(&self.ty(of), &name.text).filter(|_| !sure) {
            Some(parted) => {
                let missing = fault(&format!("attribute {} of {}", name.text, self.told(of)));
                let text = self.if_it_has(&holder, &parted, &holder, &missing);
                self.put(&text);
            }
            None => self.put(&holder),
        }
    }

    /// What was thrown or counted.
    fn value_of(&mut self, of: &Expr) {
        let text = self.rendered(|writer| writer.expr(of));
        let value = format!("(Value of {text})");
        let ty = self.names.value_ty(&self.ty(of));
        if matches!(self.ty(of), Ty::Object(Some(_))) || ty.may_be_nothing() {
            return self.put(&value);
        }
        let missing = format!("value of {}", self.told(of));
        self.or_fault(&value, &missing);
    }

    fn index(&mut self, of: &Expr, index: &Expr) {
        let list = self.rendered(|writer| writer.expr(of));
        let at = self.rendered(|writer| writer.expr(index));
        let missing = self.no_member(&list, &at, of, index);
        let value = format!("(at {at} of {list})");
        if matches!(of.kind, ExprKind::TurnOrder) || !self.names.member_ty(&self.ty(of)).may_be_nothing() {
            self.or_fault(&value, &missing);
        } else {
            self.put(&format!("(if (< {at} (count {list})) {value} else {})", fault(&missing)));
        }
    }

    /// The fault where a list is not so long.
    pub(super) fn no_member(&self, list: &str, at: &str, of: &Expr, index: &Expr) -> String {
        let which = if matches!(index.kind, ExprKind::Int(_)) { at.to_owned() } else { between_braces(at, index) };
        let length = match list.contains(['"', '{']) {
            true => format!("in {}", within_quotes(&crate::parse::plainly(of))),
            false => format!("of a list of {{count {list}}}"),
        };
        format!("member {which} {length}")
    }

    fn built(&mut self, built: Built, args: &[Expr]) {
        let texts: Vec<String> = args.iter().map(|arg| self.rendered(|writer| writer.expr(arg))).collect();
        let text = match (built, texts.as_slice()) {
            (Built::Append, [list, value]) => format!("(append {value} to {list})"),
            (Built::Remove, [list, index]) => format!("(remove {index} from {list})"),
            (Built::Has, [list, value]) => format!("(is {value} in {list})"),
            (Built::Floor, [number]) => format!("(floor {number})"),
            (Built::Connection, [from, to]) => {
                format!("(any connection where (and (= start {from}) (= goal {to})))")
            }
            _ => "nil".to_owned(),
        };
        self.put(&text);
    }

    /// Whether an action is sent to its first parameter: an object or location that stays what it is.
    pub(super) fn receives(&self, action: &Action) -> bool {
        let Some(first) = action.params.first().filter(|first| first.domain.is_none()) else { return false };
        if self.wants_own(action, first) {
            return false;
        }
        let mut set = false;
        each_stmt(&action.effect, &mut |stmt| {
            if let StmtKind::Assign(target, _) = &stmt.kind {
                set |= matches!(&target.kind, ExprKind::Low(name) if *name == first.name.text);
            }
        });
        !set && matches!(self.names.declared(&first.kind.text), Some(Ty::Location | Ty::Object(_)))
    }

    /// Whether an action is only for objects of whose turn it is: then nobody has to look at the others.
    fn wants_own(&self, action: &Action, param: &Param) -> bool {
        let is_owner = |expr: &Expr| {
            matches!(&expr.kind, ExprKind::Member(of, Member::Owner)
                if matches!(&of.kind, ExprKind::Low(name) if *name == param.name.text))
        };
        let is_current = |expr: &Expr| matches!(expr.kind, ExprKind::CurrentTurn);
        let wanted = |condition: &Expr| {
            matches!(&condition.kind, ExprKind::Binary(Op::Equal, left, right)
                if is_owner(left) && is_current(right) || is_current(left) && is_owner(right))
        };
        matches!(self.names.declared(&param.kind.text), Some(Ty::Object(_))) && action.requires.iter().any(wanted)
    }

    pub(super) fn actions(&mut self) {
        for action in &self.names.program.actions {
            self.blank();
            self.action(action);
        }
        if self.turns.is_some() {
            self.going_on();
        }
    }

    fn action(&mut self, action: &Action) {
        let word = self.words.called(&action.name.text);
        self.line();
        self.mark(action.name.origin);
        self.put(&format!("#action {word}"));
        let receives = self.receives(action);
        self.scope = self.names.scope(&action.params);
        self.renamed.clear();
        let mut told = action.name.text.clone();
        for (at, param) in action.params.iter().enumerate() {
            let low = Words::low(&param.name.text);
            if at == 0 && receives {
                let kind = match param.kind.text.as_str() {
                    "Location" => "Location".to_owned(),
                    kind => self.words.kind(kind),
                };
                self.put(&format!(" to {kind}"));
                told += " {self}";
                self.renamed.push((param.name.text.clone(), "self".to_owned()));
                continue;
            }
            if at == usize::from(receives) {
                self.put(" with");
            }
            self.put(&format!(" {low} "));
            self.mark(param.name.origin);
            self.domain(action, at);
            told += &format!(" {{{low}}}");
            let value = if param.kind.text == "bool" { format!("(= {low} \"True\")") } else { low };
            self.renamed.push((param.name.text.clone(), value));
        }
        self.put(&format!(" as \"{told}\""));
        if self.turns.is_none() {
            self.put(" when asked");
        }
        let (scope, renamed) = (self.scope.clone(), self.renamed.clone());
        self.body(&action.effect, Body::Round);
        for condition in &action.requires {
            (self.scope, self.renamed) = (scope.clone(), renamed.clone());
            let mut name = format!("{}: {}", action.name.text, crate::parse::plainly(condition));
            while !self.laws.insert(name.clone()) {
                name += " again";
            }
            self.line();
            self.mark(condition.origin);
            self.put(&format!("#law {} on {word}", quoted(&name)));
            self.indent += 1;
            self.lined("(require ");
            self.asking = self.turns.is_some();
            self.expr(condition);
            self.asking = false;
            self.put(")");
            self.indent -= 1;
        }
    }

    /// What a player may choose a parameter from.
    fn domain(&mut self, action: &Action, at: usize) {
        let param = &action.params[at];
        match &param.domain {
            Some(Domain::Between(least, most)) => return self.form("range", &[least, most]),
            Some(Domain::Among(list)) => return self.expr(list),
            None => {}
        }
        let text = match self.names.declared(&param.kind.text) {
            Some(Ty::Int) => {
                let (least, most) = self.bounds(action, at);
                format!("(range {least} {most})")
            }
            Some(Ty::Double) => {
                let halves: Vec<String> = (0..=20).map(|half| format!("{}", f64::from(half) / 2.0)).collect();
                format!("(list {})", halves.join(" "))
            }
            Some(Ty::Bool) => "(list \"True\" \"False\")".to_owned(),
            Some(Ty::Player) => self.all_players(),
            Some(Ty::Location) => "Location".to_owned(),
            Some(Ty::Object(Some(kind))) if self.wants_own(action, param) => {
                let whose = if self.turns.is_some() { "player" } else { "CurrentTurn" };
                format!("(all {} for {whose})", self.words.kind(&kind))
            }
            Some(Ty::Object(Some(kind))) => self.words.kind(&kind),
            _ if param.kind.text == "objectType" => {
                let kinds: Vec<String> = self.names.types.keys().map(|kind| quoted(kind)).collect();
                format!("(list {})", kinds.join(" "))
            }
            _ => format!("(list {})", self.texts().join(" ")),
        };
        self.put(&text);
    }

    /// The least and the most of a whole number: what the action requires of it, as far as that is known before.
    fn bounds(&mut self, action: &Action, at: usize) -> (String, String) {
        let own = &action.params[at].name.text;
        let later: Vec<&str> = action.params[at..].iter().map(|param| &*param.name.text).collect();
        let known = |expr: &Expr| {
            let mut free = true;
            expr.walk(&mut |inside| {
                free &= !matches!(&inside.kind, ExprKind::Low(name) if later.contains(&name.as_str()));
            });
            free
        };
        let is_own = |expr: &Expr| matches!(&expr.kind, ExprKind::Low(name) if name == own);
        let (mut least, mut most) = (None, None);
        let mut conditions: Vec<&Expr> = action.requires.iter().collect();
        while let Some(condition) = conditions.pop() {
            let ExprKind::Binary(op, left, right) = &condition.kind else { continue };
            let (op, bound) = match (op, is_own(left), is_own(right)) {
                (Op::And, ..) => {
                    conditions.extend([&**left, &**right]);
                    continue;
                }
                (op, true, false) if known(right) => (*op, right),
                (Op::Less, false, true) if known(left) => (Op::More, left),
                (Op::LessEqual, false, true) if known(left) => (Op::MoreEqual, left),
                (Op::More, false, true) if known(left) => (Op::Less, left),
                (Op::MoreEqual, false, true) if known(left) => (Op::LessEqual, left),
                (Op::Equal, false, true) if known(left) => (Op::Equal, left),
                _ => continue,
            };
            let text = self.rendered(|writer| writer.expr(bound));
            let beside = |by: i64| match bound.kind {
                ExprKind::Int(number) => (number + by).to_string(),
                _ if by > 0 => format!("(+ {text} {by})"),
                _ => format!("(- {text} {})", -by),
            };
            match op {
                Op::More => least = Some(beside(1)),
                Op::MoreEqual => least = Some(text),
                Op::Less => most = Some(beside(-1)),
                Op::LessEqual => most = Some(text),
                Op::Equal => (least, most) = (Some(text.clone()), Some(text)),
                _ => {}
            }
        }
        (least.unwrap_or_else(|| "0".to_owned()), most.unwrap_or_else(|| self.largest().to_string()))
    }

    fn literals(&self) -> Vec<&'a Expr> {
        let program = self.names.program;
        let mut found: Vec<&'a Expr> = Vec::new();
        let mut add = |expr: &'a Expr| expr.walk(&mut |inside| found.push(inside));
        let attrs = program.players.list.iter().flat_map(|player| &player.attrs);
        let attrs = attrs.chain(program.locations.iter().flat_map(|location| &location.attrs));
        let attrs = attrs.chain(program.types.iter().flat_map(|kind| &kind.with.attrs));
        let instances = program.locations.iter().flat_map(|location| &location.inventory);
        attrs.chain(instances.flat_map(|instance| &instance.with.attrs)).for_each(|attr| add(&attr.value));
        program.actions.iter().flat_map(|action| &action.requires).for_each(&mut add);
        let bodies = program.rounds.iter().map(|round| &round.body);
        for body in bodies.chain(program.actions.iter().map(|action| &action.effect)) {
            each_stmt(body, &mut |stmt| each_expr(stmt, &mut add));
        }
        found
    }

    fn largest(&self) -> i64 {
        let numbers = self.literals().into_iter().filter_map(|expr| match expr.kind {
            ExprKind::Int(number) => Some(number),
            _ => None,
        });
        numbers.max().unwrap_or(0).clamp(USUAL, LARGEST)
    }

    fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for expr in self.literals() {
            if let ExprKind::Text(text) = &expr.kind {
                let text = quoted(text);
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        texts
    }
}
