//! What could be done, and what was. All of it is undone.

use crate::walk::run::{Frame, Runner};
use crate::walk::stop::{Halt, Stop, fault};
use crate::walk::value::{Message, Value};
use crate::world::EntityId;
use houserules_model::*;

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        Form::Can => {
            let label = runner.slot_name(&slots[0], frame)?;
            let Some(player) = who(runner, &slots[1], frame)? else {
                return Ok(Value::Nil);
            };
            let can = runner.trying(|runner| runner.can(player, Some(&[label])))?;
            Ok(Value::of(can))
        }
        Form::Choices => {
            let label = runner.slot_name(&slots[0], frame)?;
            let mut ignoring = Vec::new();
            for name in slots[2].names() {
                ignoring.push(runner.name(name, frame)?);
            }
            let Some(player) = who(runner, &slots[1], frame)? else {
                return Ok(Value::list(Vec::new()));
            };
            let found = runner.trying(|runner| runner.choices(player, Some(&[label]), &ignoring))?;
            Ok(Value::list(found.into_iter().map(|message| Value::Message(message.into())).collect()))
        }
        Form::Suppose => match runner.slot(&slots[0], frame)? {
            Value::Nil => Ok(Value::Nil),
            Value::Message(message) => {
                let Some(expr) = slots[1].expr() else {
                    return Ok(Value::Nil);
                };
                runner.trying(|runner| suppose(runner, (*message).clone(), expr, frame))
            }
            other => Err(fault(format!("{} is no message.", runner.told(&other)))),
        },
        Form::Seen => {
            let present = match runner.player(frame) {
                Some(player) => runner.snapshot(player)?,
                None => return Ok(Value::Whole(0)),
            };
            let history = runner.state.history.clone();
            let within =
                if slots[0].given() { runner.slot_whole(&slots[0], frame)?.max(0) as usize } else { history.len() };
            let n = history.iter().rev().take(within).filter(|&entry| *entry == present).count();
            Ok(Value::Whole(n as i64))
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

fn who(runner: &mut Runner, slot: &Slot, frame: &mut Frame) -> Result<Option<EntityId>, Stop> {
    if slot.given() { runner.slot_entity(slot, frame) } else { Ok(runner.player(frame)) }
}

/// The message with all it sets off, but no passing of the turn; it goes as far as the first question in it.
fn suppose(runner: &mut Runner, message: Message, expr: &Expr, frame: &mut Frame) -> Result<Value, Stop> {
    let Some(player) = runner.player(frame) else {
        return Ok(Value::Nil);
    };
    match runner.act(message, player) {
        Ok(_) => {}
        Err(stop) => match *stop {
            Halt::Refused(_) => return Ok(Value::Nil),
            Halt::Need(_) | Halt::Finished => {}
            halt => return Err(Box::new(halt)),
        },
    }
    runner.eval(expr, frame)
}
