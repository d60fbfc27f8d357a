//! Numbers. Whole ones stay whole; a quotient is exact; what is too large is a fault.

use crate::walk::eval::{number, whole_number};
use crate::walk::run::{Frame, Runner};
use crate::walk::stop::{Stop, fault};
use crate::walk::value::Value;
use houserules_model::*;

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        Form::Add | Form::Multiply => {
            let values = runner.slot_values(&slots[0], frame)?;
            let start = Value::Whole(if form == Form::Add { 0 } else { 1 });
            values.into_iter().try_fold(start, |left, right| combine(runner, form, &left, &right))
        }
        Form::Subtract => {
            let values = runner.slot_values(&slots[0], frame)?;
            match values.as_slice() {
                [] => Err(fault("There is nothing to subtract.")),
                [only] => combine(runner, form, &Value::Whole(0), only),
                [first, rest @ ..] => {
                    rest.iter().try_fold(first.clone(), |left, right| combine(runner, form, &left, right))
                }
            }
        }
        Form::Divide | Form::Modulo => {
            let left = runner.slot(&slots[0], frame)?;
            let right = runner.slot(&slots[1], frame)?;
            combine(runner, form, &left, &right)
        }
        Form::Floor => number(runner.slot_number(&slots[0], frame)?.floor()),
        Form::Abs => number(runner.slot_number(&slots[0], frame)?.abs()),
        Form::Max | Form::Min => {
            let values = runner.slot_values(&slots[0], frame)?;
            extreme(runner, form == Form::Max, &values)
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

pub fn combine(runner: &Runner, form: Form, left: &Value, right: &Value) -> Result<Value, Stop> {
    if let (Value::Whole(left), Value::Whole(right)) = (left, right) {
        let (left, right) = (*left, *right);
        // Both are below 2^47, so that sums fit; a product may not.
        match form {
            Form::Add => return whole_number(left + right),
            Form::Subtract => return whole_number(left - right),
            Form::Multiply => {
                let product = left.checked_mul(right).ok_or_else(|| fault("A product is too large."))?;
                return whole_number(product);
            }
            Form::Modulo if right != 0 => return whole_number(left - right * floor_division(left, right)),
            _ => {}
        }
    }
    let (left, right) = (runner.as_number(left)?, runner.as_number(right)?);
    if right == 0.0 && matches!(form, Form::Divide | Form::Modulo) {
        return Err(fault("This divides by zero."));
    }
    number(match form {
        Form::Add => left + right,
        Form::Subtract => left - right,
        Form::Multiply => left * right,
        Form::Divide => left / right,
        _ => left - right * (left / right).floor(),
    })
}

fn floor_division(left: i64, right: i64) -> i64 {
    let quotient = left / right;
    if left % right != 0 && (left < 0) != (right < 0) { quotient - 1 } else { quotient }
}

/// The greatest or smallest number; nil is skipped, and of nothing it is nil.
pub fn extreme(runner: &Runner, greatest: bool, values: &[Value]) -> Result<Value, Stop> {
    let mut best: Option<(f64, &Value)> = None;
    for value in values.iter().filter(|value| value.truth()) {
        let number = runner.as_number(value)?;
        let better = best.is_none_or(|(best, _)| if greatest { number > best } else { number < best });
        if better {
            best = Some((number, value));
        }
    }
    Ok(best.map_or(Value::Nil, |(_, value)| value.clone()))
}
