//! `if`, `switch`, `foreach`, `while`, `do`, `return`, `break`, `continue`.

use crate::walk::run::{Frame, Runner};
use crate::walk::stop::{Halt, Stop};
use crate::walk::value::Value;
use houserules_model::*;

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        Form::If => {
            let branch = if runner.slot(&slots[0], frame)?.truth() { 1 } else { 2 };
            runner.body(slots[branch].exprs(), frame)
        }
        Form::Switch => switch(runner, slots, frame),
        Form::Foreach => foreach(runner, slots, frame),
        Form::While => {
            while runner.slot(&slots[0], frame)?.truth() {
                runner.step()?;
                let round = runner.body(slots[1].exprs(), frame);
                if ends_loop(round)? {
                    break;
                }
            }
            Ok(Value::Nil)
        }
        Form::Do => runner.body(slots[0].exprs(), frame),
        Form::Return => {
            let value = runner.slot(&slots[0], frame)?;
            Err(Box::new(Halt::Return(value)))
        }
        Form::Break => Err(Box::new(Halt::Break)),
        Form::Continue => Err(Box::new(Halt::Continue)),
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

fn switch(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let value = runner.slot(&slots[0], frame)?;
    let Slot::Cases { cases, otherwise } = &slots[1] else {
        return Ok(Value::Nil);
    };
    for case in cases {
        if runner.eval(&case.value, frame)? == value {
            return runner.body(&case.body, frame);
        }
    }
    match otherwise {
        Some(body) => runner.body(body, frame),
        None => Ok(Value::Nil),
    }
}

/// The list is fixed at the start; the condition is tested when a member's turn comes.
fn foreach(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let variable = runner.slot_name(&slots[0], frame)?;
    for member in runner.slot_list(&slots[1], frame)? {
        runner.step()?;
        frame.set_variable(&variable, member.clone());
        if let Some(condition) = slots[2].expr() {
            let outer = frame.it.replace(member);
            let fits = runner.eval(condition, frame);
            frame.it = outer;
            if !fits?.truth() {
                continue;
            }
        }
        let round = runner.body(slots[3].exprs(), frame);
        if ends_loop(round)? {
            break;
        }
    }
    Ok(Value::Nil)
}

/// Whether a round ended with `break`.
fn ends_loop(round: Result<Value, Stop>) -> Result<bool, Stop> {
    match round {
        Ok(_) => Ok(false),
        Err(stop) => match *stop {
            Halt::Break => Ok(true),
            Halt::Continue => Ok(false),
            halt => Err(Box::new(halt)),
        },
    }
}
