//! Variables, properties, attributes, states.

use crate::walk::eval::{number, whole_number};
use crate::walk::run::{Frame, Runner};
use crate::walk::stop::{Stop, fault};
use crate::walk::value::Value;
use crate::world::GAME;
use houserules_model::*;

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        Form::Var => {
            let name = runner.slot_name(&slots[0], frame)?;
            let value = runner.slot(&slots[1], frame)?;
            frame.set_variable(&name, value.clone());
            Ok(value)
        }
        Form::Set => {
            let value = runner.slot(&slots[1], frame)?;
            assign(runner, target(&slots[0])?, value, frame)
        }
        Form::Increase | Form::Decrease => {
            let target = target(&slots[0])?;
            let old = runner.eval(target, frame)?;
            let by = runner.slot(&slots[1], frame)?;
            let sign = if form == Form::Increase { 1 } else { -1 };
            let new = match (&old, &by) {
                (Value::Whole(old), Value::Whole(by)) => whole_number(old + sign * by)?,
                _ => number(runner.as_number(&old)? + sign as f64 * runner.as_number(&by)?)?,
            };
            assign(runner, target, new, frame)
        }
        Form::Property => {
            let name = runner.slot_name(&slots[0], frame)?;
            let whom = match slots[1].expr() {
                Some(expr) => runner.eval(expr, frame)?,
                None => Value::Entity(frame.me),
            };
            runner.ask_of(&name, Vec::new(), &whom, frame)
        }
        Form::NewProperty | Form::UpdateProperty => {
            let name = runner.slot_name(&slots[0], frame)?;
            let value = runner.slot(&slots[1], frame)?;
            runner.set_property(frame.me, &name, value.clone(), form == Form::NewProperty)?;
            Ok(value)
        }
        Form::Entity => {
            let value = runner.slot(&slots[0], frame)?;
            match &value {
                Value::Nil => Err(fault("nil is not a name.")),
                Value::Entity(_) => Ok(value),
                name => Ok(Value::maybe(runner.opt_entity(&Value::Text(runner.told(name).into()))?)),
            }
        }
        Form::ChangeState => {
            let state = runner.slot_name(&slots[0], frame)?;
            let whom = match slots[1].expr() {
                Some(expr) => {
                    let value = runner.eval(expr, frame)?;
                    runner.opt_entity(&value)?
                }
                None => Some(frame.me),
            };
            if let Some(entity) = whom {
                runner.set_property(entity, &"state".into(), Value::Text(state), false)?;
            }
            Ok(Value::Nil)
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

fn target(slot: &Slot) -> Result<&Expr, Stop> {
    slot.expr().ok_or_else(|| fault("There is nothing to set here."))
}

/// A variable; an attribute of the message; a property of this entity; of the game. Or `(p of e)`. Gives the value.
fn assign(runner: &mut Runner, target: &Expr, value: Value, frame: &mut Frame) -> Result<Value, Stop> {
    let given = value.clone();
    match &target.kind {
        ExprKind::Word(word) => assign_word(runner, word, value, frame)?,
        ExprKind::Call { name, args, of, .. } if args.is_empty() => match of {
            None => assign_word(runner, name, value, frame)?,
            Some(whom) => assign_of(runner, name, whom, value, frame)?,
        },
        ExprKind::Form(Form::Property, slots) => {
            let name = runner.slot_name(&slots[0], frame)?;
            match slots[1].expr() {
                Some(whom) => assign_of(runner, &name, whom, value, frame)?,
                None => runner.set_property(frame.me, &name, value, false)?,
            }
        }
        ExprKind::Form(Form::Attribute, slots) => {
            let name = runner.slot_name(&slots[0], frame)?;
            if let Some(message) = &mut frame.message {
                message.attributes.insert(name, value);
            }
        }
        _ => return Err(fault("This cannot be set.")),
    }
    Ok(given)
}

fn assign_of(runner: &mut Runner, name: &Name, whom: &Expr, value: Value, frame: &mut Frame) -> Result<(), Stop> {
    let whom = runner.eval(whom, frame)?;
    match runner.opt_entity(&whom)? {
        Some(entity) => runner.set_property(entity, name, value, false),
        None => Ok(()),
    }
}

fn assign_word(runner: &mut Runner, word: &Name, value: Value, frame: &mut Frame) -> Result<(), Stop> {
    if let Some(variable) = frame.variable(word) {
        *variable = value;
        return Ok(());
    }
    if let Some(message) = &mut frame.message
        && (message.attributes.contains_key(word) || runner.book.has_attribute(&message.label, word))
    {
        message.attributes.insert(word.clone(), value);
        return Ok(());
    }
    if runner.property(frame.me, word)?.is_some() {
        return runner.set_property(frame.me, word, value, false);
    }
    runner.set_property(GAME, word, value, false)
}
