//! Expressions, in both ways operators may bind.

use super::{DEEPEST, Parser, Precedence};
use crate::lex::{Kind, RESERVED};
use crate::syntax::{Built, Expr, ExprKind, Member, Op};
use houserules_model::{Diagnostic, Origin};

/// Higher binds tighter.
#[derive(Clone, Copy)]
struct Binding {
    and: u8,
    or: u8,
    index: u8,
    not: u8,
    comparing: u8,
    times: u8,
    plus: u8,
}

const CONVENTIONAL: Binding = Binding { or: 1, and: 2, comparing: 3, plus: 4, times: 5, not: 6, index: 7 };
const ORIGINAL: Binding = Binding { plus: 1, times: 2, comparing: 3, not: 4, index: 5, and: 6, or: 6 };

impl Binding {
    fn of(self, op: Op) -> u8 {
        match op {
            Op::And => self.and,
            Op::Or => self.or,
            Op::Equal | Op::Differ | Op::Less | Op::LessEqual | Op::More | Op::MoreEqual => self.comparing,
            Op::Times | Op::Divided => self.times,
            Op::Plus | Op::Minus => self.plus,
        }
    }
}

impl Parser<'_> {
    /// A whole expression. Where the two ways to read it differ, that is told.
    pub(super) fn expr(&mut self) -> Expr {
        let before = self.at;
        let expr = self.binary(0);
        if self.quiet {
            return expr;
        }
        let after = self.at;
        let chosen = self.precedence;
        self.at = before;
        self.quiet = true;
        self.precedence = match chosen {
            Precedence::Conventional => Precedence::Original,
            Precedence::Original => Precedence::Conventional,
        };
        let depth = self.depth;
        let other = self.binary(0);
        let differs = (self.at, &other) != (after, &expr);
        (self.at, self.depth, self.quiet, self.precedence) = (after, depth, false, chosen);
        if differs && !has_missing(&expr) {
            let told = match chosen {
                Precedence::Conventional => "the first program for the language",
                Precedence::Original => "the usual order of operators",
            };
            let mut places = Vec::new();
            differing(&expr, &other, &mut places);
            for (own, other) in places {
                let label = format!("By {told} this would be {}.", plainly(other));
                let fault = Diagnostic::warning("text/reading", "This can be read in two ways", own.origin, label);
                let fault = fault.note(format!("It is read as {}.", plainly(own)));
                self.tell(fault.hint("Parentheses make it plain."));
            }
        }
        expr
    }

    fn binary(&mut self, least: u8) -> Expr {
        let start = self.origin();
        if !self.enter() {
            self.bump();
            return Expr::new(ExprKind::Missing, start);
        }
        let table = match self.precedence {
            Precedence::Conventional => CONVENTIONAL,
            Precedence::Original => ORIGINAL,
        };
        let mut left = if self.at_sign("!") {
            self.bump();
            let inside = self.binary(table.not);
            self.made(ExprKind::Not(Box::new(inside)), start)
        } else {
            self.primary()
        };
        loop {
            if left.depth > DEEPEST {
                self.deep();
                left = Expr::new(ExprKind::Missing, left.origin);
            }
            if self.at_sign(".") {
                left = self.member(left, start);
                continue;
            }
            if self.at_sign("[") && table.index >= least {
                self.bump();
                let index = self.binary(0);
                self.sign("]");
                left = self.made(ExprKind::Index(Box::new(left), Box::new(index)), start);
                continue;
            }
            let Kind::Sign(sign) = self.token().kind else { break };
            let Some(op) = Op::of(sign).filter(|op| table.of(*op) >= least) else { break };
            self.bump();
            let right = self.binary(table.of(op) + 1);
            left = self.made(ExprKind::Binary(op, Box::new(left), Box::new(right)), start);
        }
        self.depth -= 1;
        left
    }

    fn made(&self, kind: ExprKind, start: Origin) -> Expr {
        Expr::new(kind, self.since(start))
    }

    fn member(&mut self, of: Expr, start: Origin) -> Expr {
        self.bump();
        let of = Box::new(of);
        let word = self.word();
        let member = match word {
            "contains" => Member::Contains,
            "connections" => Member::Connections,
            "Location" => Member::Location,
            "Owner" => Member::Owner,
            "Value" => Member::Value,
            "ExistVisible" => Member::ExistVisible,
            "ValueVisible" => Member::ValueVisible,
            "isConnectedTo" => {
                self.bump();
                self.sign("(");
                let to = self.binary(0);
                self.sign(")");
                return self.made(ExprKind::IsConnectedTo(of, Box::new(to)), start);
            }
            _ => {
                return match self.id("the name of an attribute") {
                    Some(name) => self.made(ExprKind::Attr(of, name), start),
                    None => self.made(ExprKind::Missing, start),
                };
            }
        };
        self.bump();
        if matches!(member, Member::Contains | Member::Connections) {
            self.sign("(");
            self.sign(")");
        }
        self.made(ExprKind::Member(of, member), start)
    }

    /// Expressions with commas between, up to a closing sign.
    pub(super) fn list(&mut self, close: &str) -> Vec<Expr> {
        let mut members = Vec::new();
        if !self.at_sign(close) {
            loop {
                if !self.range(&mut members) {
                    members.push(self.binary(0));
                }
                if !self.take_sign(",") {
                    break;
                }
            }
        }
        self.sign(close);
        members
    }

    /// `Field1..Field10` in a list stands for all of them.
    fn range(&mut self, members: &mut Vec<Expr>) -> bool {
        if self.token().kind != Kind::Id || self.ahead(1).kind != Kind::Sign("..") {
            return false;
        }
        let names = self.ids("a name").into_iter();
        members.extend(names.map(|(name, _)| Expr::new(ExprKind::Name(name.text), name.origin)));
        true
    }

    fn primary(&mut self) -> Expr {
        let start = self.origin();
        let (token, word) = (self.token(), self.word());
        let kind = match token.kind {
            Kind::Number => return self.literal(start),
            Kind::Text => {
                self.bump();
                ExprKind::Text(unquoted(word))
            }
            Kind::Sign("(") => {
                self.bump();
                let inside = self.binary(0);
                self.sign(")");
                return Expr { origin: self.since(start), ..inside };
            }
            Kind::Sign("[") => {
                self.bump();
                let members = self.list("]");
                ExprKind::List(members)
            }
            Kind::Id | Kind::Low => match word {
                "True" | "False" => {
                    self.bump();
                    ExprKind::Bool(word == "True")
                }
                "CurrentTurn" => {
                    self.bump();
                    ExprKind::CurrentTurn
                }
                "TurnOrder" => {
                    self.bump();
                    ExprKind::TurnOrder
                }
                "count" => {
                    self.bump();
                    self.sign("(");
                    let list = self.binary(0);
                    self.sign(")");
                    ExprKind::Count(Box::new(list))
                }
                "index" if self.index.is_some() => {
                    self.bump();
                    ExprKind::Int(self.index.unwrap_or_default())
                }
                _ if RESERVED.contains(&word) => {
                    let label = format!("`{word}` is a word of the language; a value is expected here.");
                    self.tell(Diagnostic::error("name/reserved", "A reserved word", start, label));
                    ExprKind::Missing
                }
                _ if token.kind == Kind::Low => return self.low_word(start),
                _ => {
                    let Some(name) = self.id("a value") else { return self.made(ExprKind::Missing, start) };
                    if self.take_sign("(") {
                        let args = self.list(")");
                        ExprKind::Call(name, args)
                    } else {
                        ExprKind::Name(name.text)
                    }
                }
            },
            _ => {
                self.expected("a value");
                ExprKind::Missing
            }
        };
        self.made(kind, start)
    }

    fn low_word(&mut self, start: Origin) -> Expr {
        let Some(name) = self.low("a value") else { return self.made(ExprKind::Missing, start) };
        if !self.at_sign("(") {
            return self.made(ExprKind::Low(name.text), start);
        }
        self.bump();
        let args = self.list(")");
        let Some((_, built, n)) = Built::ALL.iter().find(|(known, ..)| *known == name.text) else {
            let known: Vec<&str> = Built::ALL.iter().map(|(known, ..)| *known).collect();
            let label = format!("Rounds begin with a capital letter; what is built in is {}.", known.join(", "));
            self.tell(Diagnostic::error("name/unknown", "Unknown round", name.origin, label));
            return self.made(ExprKind::Missing, start);
        };
        if args.len() != *n {
            let label = format!("`{}` takes {n}, and here are {}.", name.text, args.len());
            self.tell(Diagnostic::error("type/arity", "Too many or too few values", name.origin, label));
            return self.made(ExprKind::Missing, start);
        }
        self.made(ExprKind::Built(*built, args), start)
    }

    fn literal(&mut self, start: Origin) -> Expr {
        let whole = self.word();
        self.bump();
        let mut text = whole.to_owned();
        if self.at_sign(".") && self.ahead(1).kind == Kind::Number {
            self.bump();
            text = format!("{whole}.{}", self.word());
            self.bump();
            return match text.parse() {
                Ok(number) if number <= f64::from(i32::MAX) => self.made(ExprKind::Double(number), start),
                _ => self.too_large(start),
            };
        }
        match text.parse::<i32>() {
            Ok(number) => self.made(ExprKind::Int(i64::from(number)), start),
            Err(_) => self.too_large(start),
        }
    }

    fn too_large(&mut self, start: Origin) -> Expr {
        let origin = self.since(start);
        self.tell(Diagnostic::error("text/number", "Too large a number", origin, "Numbers go up to 2147483647."));
        Expr::new(ExprKind::Missing, origin)
    }
}

fn has_missing(expr: &Expr) -> bool {
    let mut missing = false;
    expr.walk(&mut |inside| missing |= matches!(inside.kind, ExprKind::Missing));
    missing
}

/// Without its quotes and with what is escaped as it is meant.
pub(super) fn unquoted(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.trim_matches('"').chars();
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    if let Some(inside) = inside {
        letters = inside.chars();
    }
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.extend(letters.next()),
            letter => plain.push(letter),
        }
    }
    plain
}

/// An expression with its parentheses, but for those around all of it.
pub(crate) fn plainly(expr: &Expr) -> String {
    let text = shown(expr);
    match expr.kind {
        ExprKind::Binary(..) => text[1..text.len() - 1].to_owned(),
        _ => text,
    }
}

/// The places where two readings of a text differ.
fn differing<'e>(left: &'e Expr, right: &'e Expr, places: &mut Vec<(&'e Expr, &'e Expr)>) {
    if left == right {
        return;
    }
    match (&left.kind, &right.kind) {
        (ExprKind::List(own), ExprKind::List(other)) if own.len() == other.len() => {
            own.iter().zip(other).for_each(|(own, other)| differing(own, other, places));
        }
        (ExprKind::Call(name, own), ExprKind::Call(same, other))
            if name.text == same.text && own.len() == other.len() =>
        {
            own.iter().zip(other).for_each(|(own, other)| differing(own, other, places));
        }
        _ => places.push((left, right)),
    }
}

/// An expression with all its parentheses.
fn shown(expr: &Expr) -> String {
    let list = |args: &[Expr]| args.iter().map(shown).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        ExprKind::Int(number) => number.to_string(),
        ExprKind::Double(number) => format!("{number:?}"),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Name(name) | ExprKind::Low(name) => name.clone(),
        ExprKind::CurrentTurn => "CurrentTurn".to_owned(),
        ExprKind::TurnOrder => "TurnOrder".to_owned(),
        ExprKind::List(members) => format!("[{}]", list(members)),
        ExprKind::Call(name, args) => format!("{}({})", name.text, list(args)),
        ExprKind::Attr(of, name) => format!("{}.{}", shown(of), name.text),
        ExprKind::Member(of, member) => {
            let member = match member {
                Member::Contains => "contains()",
                Member::Connections => "connections()",
                Member::Location => "Location",
                Member::Owner => "Owner",
                Member::Value => "Value",
                Member::ExistVisible => "ExistVisible",
                Member::ValueVisible => "ValueVisible",
            };
            format!("{}.{member}", shown(of))
        }
        ExprKind::IsConnectedTo(from, to) => format!("{}.isConnectedTo({})", shown(from), shown(to)),
        ExprKind::Index(of, index) => format!("{}[{}]", shown(of), shown(index)),
        ExprKind::Count(of) => format!("count({})", shown(of)),
        ExprKind::Built(built, args) => {
            let name = Built::ALL.iter().find(|(_, known, _)| known == built).map_or("", |(name, ..)| name);
            format!("{name}({})", list(args))
        }
        ExprKind::Not(of) => format!("!{}", shown(of)),
        ExprKind::Binary(op, left, right) => format!("({} {} {})", shown(left), op.sign(), shown(right)),
        ExprKind::Missing => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Precedence, expression};
    use super::shown;

    fn both(text: &str) -> (String, String, bool) {
        let (usual, said) = expression(text, Precedence::Conventional);
        let (original, _) = expression(text, Precedence::Original);
        (shown(&usual), shown(&original), said.iter().any(|said| said.code == "text/reading"))
    }

    #[test]
    fn operators_bind_as_everywhere_or_as_in_the_first_program() {
        for (text, usual, original) in [
            ("2 + 3 * 4", "(2 + (3 * 4))", "(2 + (3 * 4))"),
            ("10 - 2 - 3", "((10 - 2) - 3)", "((10 - 2) - 3)"),
            ("T || F && F", "(T || (F && F))", "((T || F) && F)"),
            ("!F && F", "(!F && F)", "!(F && F)"),
            ("!T || T", "(!T || T)", "!(T || T)"),
            ("a == 1 && b == 2", "((a == 1) && (b == 2))", "((a == (1 && b)) == 2)"),
            ("x + 1 == 6", "((x + 1) == 6)", "(x + (1 == 6))"),
            ("a && l[0]", "(a && l[0])", "(a && l)[0]"),
            ("a.contains()[0].Owner != b", "(a.contains()[0].Owner != b)", "(a.contains()[0].Owner != b)"),
            ("(a == 1) && (b == 2)", "((a == 1) && (b == 2))", "((a == 1) && (b == 2))"),
            ("1 . 5", "1.5", "1.5"),
        ] {
            let (found, other, told) = both(text);
            assert_eq!((found.as_str(), other.as_str()), (usual, original), "{text}");
            assert_eq!(told, usual != original, "a difference is told, and nothing else: {text}");
        }
    }
}
