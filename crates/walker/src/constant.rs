//! Values known before a match: settings, sizes of boards, numbers of things.

use houserules_model::*;

#[derive(Clone, PartialEq, Debug)]
pub enum Const {
    Nil,
    True,
    Whole(i64),
    Decimal(f64),
    Text(Name),
    List(Vec<Const>),
}

impl Const {
    /// A value typed on the command line: a number if it is one, otherwise text.
    pub fn typed(text: &str) -> Const {
        match text.trim() {
            "nil" => Const::Nil,
            "true" => Const::True,
            word => match (word.parse::<i64>(), word.parse::<f64>()) {
                (Ok(whole), _) => Const::Whole(whole),
                (_, Ok(decimal)) if decimal.is_finite() => Const::number(decimal),
                _ => Const::Text(word.into()),
            },
        }
    }

    /// A list where the usual value is one: members with commas or spaces between, also as the language writes a list;
    /// a word letter by letter, `-` none.
    pub fn as_list_like(self, usual: Option<&Const>) -> Const {
        match (usual, self) {
            (Some(Const::List(_)), Const::Text(text)) if text.contains([',', ' ', '(']) => {
                let inside = text.trim().trim_start_matches('(').trim_end_matches(')');
                let members = inside.strip_prefix("list").unwrap_or(inside).split([',', ' ']);
                Const::List(members.filter(|member| !member.is_empty()).map(Const::typed).collect())
            }
            (Some(Const::List(_)), Const::Text(text)) if &*text == "-" => Const::List(Vec::new()),
            (Some(Const::List(_)), Const::Text(text)) => {
                Const::List(text.chars().map(|letter| Const::typed(&letter.to_string())).collect())
            }
            (Some(Const::List(_)), single @ (Const::Whole(_) | Const::Decimal(_))) => Const::List(vec![single]),
            (_, value) => value,
        }
    }

    /// Whole where it is whole: 4 and 4.0 are one number.
    pub fn number(value: f64) -> Const {
        if value.fract() == 0.0 && value.abs() < 1e15 { Const::Whole(value as i64) } else { Const::Decimal(value) }
    }

    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Const::Whole(whole) => Some(*whole as f64),
            Const::Decimal(decimal) => Some(*decimal),
            _ => None,
        }
    }

    fn truth(&self) -> bool {
        *self != Const::Nil
    }

    fn of(condition: bool) -> Const {
        if condition { Const::True } else { Const::Nil }
    }
}

impl std::fmt::Display for Const {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Const::Nil => f.write_str("nil"),
            Const::True => f.write_str("true"),
            Const::Whole(whole) => write!(f, "{whole}"),
            Const::Decimal(decimal) => write!(f, "{decimal}"),
            Const::Text(text) => f.write_str(text),
            Const::List(list) => {
                f.write_str("(")?;
                for (at, value) in list.iter().enumerate() {
                    write!(f, "{}{value}", if at > 0 { " " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Evaluates an expression that may use only numbers, texts, lists and the names given.
pub fn evaluate(expr: &Expr, lookup: &dyn Fn(&str) -> Option<Const>) -> Result<Const, Diagnostic> {
    Evaluator { lookup }.expr(expr, 0)
}

struct Evaluator<'a> {
    lookup: &'a dyn Fn(&str) -> Option<Const>,
}

impl Evaluator<'_> {
    fn expr(&self, expr: &Expr, depth: u32) -> Result<Const, Diagnostic> {
        if depth > 200 {
            return Err(fault(expr, "This is nested too deeply."));
        }
        match &expr.kind {
            ExprKind::Number(Number::Whole(whole)) => Ok(Const::Whole(*whole)),
            ExprKind::Number(Number::Decimal(decimal)) => Ok(Const::number(*decimal)),
            ExprKind::Text(text) => Ok(Const::Text(text.clone())),
            ExprKind::Told(pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    text.push_str(&self.expr(piece, depth + 1)?.to_string());
                }
                Ok(Const::Text(text.into()))
            }
            ExprKind::Word(word) => match &**word {
                "nil" => Ok(Const::Nil),
                "true" => Ok(Const::True),
                name => (self.lookup)(name)
                    .ok_or_else(|| fault(expr, format!("`{name}` is not known before a match begins."))),
            },
            ExprKind::Form(form, slots) => self.form(expr, *form, slots, depth),
            _ => Err(fault(expr, "Only numbers, texts, lists and settings can be used here.")),
        }
    }

    fn form(&self, expr: &Expr, form: Form, slots: &[Slot], depth: u32) -> Result<Const, Diagnostic> {
        let value = |at: usize| match slots[at].expr() {
            Some(inner) => self.expr(inner, depth + 1),
            None => Ok(Const::Nil),
        };
        let all = |at: usize| {
            slots[at].exprs().iter().map(|inner| self.expr(inner, depth + 1)).collect::<Result<Vec<_>, _>>()
        };
        let number = |value: &Const| value.as_f64().ok_or_else(|| fault(expr, format!("`{value}` is not a number.")));
        let numbers = |at: usize| all(at)?.iter().map(&number).collect::<Result<Vec<f64>, _>>();
        let compare = |test: fn(f64, f64) -> bool| Ok(Const::of(test(number(&value(0)?)?, number(&value(1)?)?)));
        let list = |at: usize| match value(at)? {
            Const::List(list) => Ok(list),
            other => Err(fault(expr, format!("`{other}` is not a list."))),
        };
        match form {
            Form::Add => Ok(Const::number(numbers(0)?.iter().sum())),
            Form::Multiply => Ok(Const::number(numbers(0)?.iter().product())),
            Form::Subtract => match numbers(0)?.as_slice() {
                [] => Err(fault(expr, "There is nothing to subtract.")),
                [only] => Ok(Const::number(-only)),
                [first, rest @ ..] => Ok(Const::number(first - rest.iter().sum::<f64>())),
            },
            Form::Divide | Form::Modulo => {
                let (left, right) = (number(&value(0)?)?, number(&value(1)?)?);
                if right == 0.0 {
                    return Err(fault(expr, "This divides by zero."));
                }
                Ok(Const::number(if form == Form::Divide { left / right } else { left.rem_euclid(right) }))
            }
            Form::Floor => Ok(Const::number(number(&value(0)?)?.floor())),
            Form::Abs => Ok(Const::number(number(&value(0)?)?.abs())),
            Form::Max => Ok(numbers(0)?.into_iter().reduce(f64::max).map_or(Const::Nil, Const::number)),
            Form::Min => Ok(numbers(0)?.into_iter().reduce(f64::min).map_or(Const::Nil, Const::number)),
            Form::Equal => Ok(Const::of(value(0)? == value(1)?)),
            Form::Unequal => Ok(Const::of(value(0)? != value(1)?)),
            Form::Less => compare(|left, right| left < right),
            Form::LessEqual => compare(|left, right| left <= right),
            Form::Greater => compare(|left, right| left > right),
            Form::GreaterEqual => compare(|left, right| left >= right),
            Form::Not => Ok(Const::of(!value(0)?.truth())),
            Form::And => Ok(all(0)?
                .into_iter()
                .reduce(|left, right| if left.truth() { right } else { left })
                .unwrap_or(Const::True)),
            Form::Or => Ok(all(0)?.into_iter().find(Const::truth).unwrap_or(Const::Nil)),
            Form::If => {
                let body = if value(0)?.truth() { slots[1].exprs() } else { slots[2].exprs() };
                body.last().map_or(Ok(Const::Nil), |last| self.expr(last, depth + 1))
            }
            Form::List => Ok(Const::List(all(0)?)),
            Form::Join => {
                let mut joined = Vec::new();
                for part in all(0)? {
                    match part {
                        Const::List(list) => joined.extend(list),
                        other => return Err(fault(expr, format!("`{other}` is not a list."))),
                    }
                }
                Ok(Const::List(joined))
            }
            Form::Range => {
                let (from, to) = (number(&value(0)?)?, number(&value(1)?)?);
                let step = if slots[2].given() { number(&value(2)?)? } else { 1.0 };
                if step == 0.0 || ((to - from) / step) > 100_000.0 {
                    return Err(fault(expr, "This range never ends, or is longer than 100000."));
                }
                let n = ((to - from) / step).floor();
                Ok(Const::List(
                    (0..=n as i64).filter(|_| n >= 0.0).map(|at| Const::number(from + at as f64 * step)).collect(),
                ))
            }
            Form::First => Ok(list(0)?.into_iter().next().unwrap_or(Const::Nil)),
            Form::Last => Ok(list(0)?.into_iter().next_back().unwrap_or(Const::Nil)),
            Form::At => {
                let at = number(&value(0)?)?;
                Ok(list(1)?.into_iter().nth(at.max(0.0) as usize).unwrap_or(Const::Nil))
            }
            Form::Count => match &slots[0] {
                Slot::Domain { var: None, list, owner: None } => match self.expr(list, depth + 1)? {
                    Const::List(list) => Ok(Const::Whole(list.len() as i64)),
                    other => Err(fault(expr, format!("`{other}` is not a list."))),
                },
                _ => Err(fault(expr, "This cannot be counted before a match begins.")),
            },
            _ => Err(fault(expr, format!("`{}` cannot be used before a match begins.", form.head()))),
        }
    }
}

fn fault(expr: &Expr, label: impl Into<String>) -> Diagnostic {
    Diagnostic::error("setup/constant", "This must be known before a match begins", expr.origin, label)
        .hint("Use numbers, texts, lists and settings here.")
}

#[cfg(test)]
mod tests {
    use super::Const;

    #[test]
    fn a_list_is_typed_with_commas_with_spaces_or_as_in_the_language() {
        let numbers = Const::List(vec![Const::Whole(1), Const::Whole(3), Const::Whole(10)]);
        for text in ["1,3,10", "1, 3, 10", "1 3 10", "(list 1 3 10)", " (1 3 10) "] {
            assert_eq!(Const::typed(text).as_list_like(Some(&Const::List(Vec::new()))), numbers, "{text}");
        }
        let letters = Const::List(vec![Const::Text("K".into()), Const::Text("q".into())]);
        assert_eq!(Const::typed("Kq").as_list_like(Some(&letters)), letters);
        assert_eq!(Const::typed("-").as_list_like(Some(&letters)), Const::List(Vec::new()));
    }
}
