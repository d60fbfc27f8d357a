//! Comparing, and, or, not, membership.

use crate::walk::run::{Frame, Runner};
use crate::walk::stop::{Stop, fault};
use crate::walk::value::Value;
use houserules_model::*;

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        Form::Equal | Form::Unequal => {
            let left = runner.slot(&slots[0], frame)?;
            let right = runner.slot(&slots[1], frame)?;
            Ok(Value::of((left == right) == (form == Form::Equal)))
        }
        Form::Less | Form::LessEqual | Form::Greater | Form::GreaterEqual => {
            let left = runner.slot_number(&slots[0], frame)?;
            let right = runner.slot_number(&slots[1], frame)?;
            Ok(Value::of(match form {
                Form::Less => left < right,
                Form::LessEqual => left <= right,
                Form::Greater => left > right,
                _ => left >= right,
            }))
        }
        Form::And => {
            let mut value = Value::True;
            for expr in slots[0].exprs() {
                value = runner.eval(expr, frame)?;
                if !value.truth() {
                    break;
                }
            }
            Ok(value)
        }
        Form::Or => {
            for expr in slots[0].exprs() {
                let value = runner.eval(expr, frame)?;
                if value.truth() {
                    return Ok(value);
                }
            }
            Ok(Value::Nil)
        }
        Form::Not => Ok(Value::of(!runner.slot(&slots[0], frame)?.truth())),
        Form::IsIn => {
            let value = runner.slot(&slots[0], frame)?;
            let list = runner.slot_list(&slots[1], frame)?;
            Ok(Value::of(list.contains(&value)))
        }
        Form::IsA => {
            let value = runner.slot(&slots[0], frame)?;
            let Some(expr) = slots[1].expr() else {
                return Err(fault("A model is missing in the rules here."));
            };
            let wanted = runner.kind(expr, frame)?;
            Ok(Value::of(match value {
                Value::Entity(entity) => runner.book.world.is_a(runner.state.thing(entity).kind, wanted),
                Value::Kind(kind) => runner.book.world.is_a(kind, wanted),
                _ => false,
            }))
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}
