//! `require`, `rollback`, `open checkpoint`.

use crate::walk::run::{Frame, Runner};
use crate::walk::stop::Stop;
use crate::walk::value::Value;
use houserules_model::*;

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        // In a law it refuses the message, elsewhere it rolls the action back.
        Form::Require => {
            if runner.slot(&slots[0], frame)?.truth() {
                return Ok(Value::Nil);
            }
            let reason = reason(runner, &slots[1], frame)?;
            match frame.law {
                true => Err(runner.refuse(frame, reason, true)),
                false => Err(runner.roll_back(frame, reason)),
            }
        }
        Form::Rollback => {
            let reason = reason(runner, &slots[0], frame)?;
            Err(runner.roll_back(frame, reason))
        }
        Form::OpenCheckpoint => {
            runner.open_checkpoint();
            Ok(Value::Nil)
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

fn reason(runner: &mut Runner, slot: &Slot, frame: &mut Frame) -> Result<Option<String>, Stop> {
    let value = runner.slot(slot, frame)?;
    Ok(value.truth().then(|| runner.told(&value)))
}
