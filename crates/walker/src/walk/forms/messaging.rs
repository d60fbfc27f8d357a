//! Sending, forwarding, and messages as values.

use crate::walk::run::{Frame, Runner};
use crate::walk::stop::{Stop, fault};
use crate::walk::value::{Message, Value};
use houserules_model::*;

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        Form::Send | Form::SendNew => {
            let label = runner.slot_name(&slots[0], frame)?;
            let to = runner.slot(&slots[1], frame)?;
            let attributes = runner.pairs(&slots[2], frame)?.into_iter().collect();
            let message = Message { label, to: None, attributes, ignoring: Vec::new(), numbers: Vec::new() };
            send(runner, message, &to, frame)
        }
        Form::SendMessage => match runner.slot(&slots[0], frame)? {
            Value::Nil => Ok(Value::Nil),
            Value::Message(message) => {
                let to = Value::maybe(message.to);
                // What it was found without stands aside where it is supposed, not where it is really sent.
                let sent = Message { ignoring: Vec::new(), ..(*message).clone() };
                send(runner, sent, &to, frame)
            }
            other => Err(fault(format!("{} is no message.", runner.told(&other)))),
        },
        Form::Forward => {
            let to = runner.slot(&slots[0], frame)?;
            match frame.message.clone() {
                Some(message) => send(runner, message, &to, frame),
                None => Err(fault("There is no message to forward here.")),
            }
        }
        Form::UpdateAttribute => {
            let name = runner.slot_name(&slots[0], frame)?;
            let value = runner.slot(&slots[1], frame)?;
            match &mut frame.message {
                Some(message) => message.attributes.insert(name, value),
                None => return Err(fault("There is no message to change here.")),
            };
            Ok(Value::Nil)
        }
        Form::Attribute => {
            let name = runner.slot_name(&slots[0], frame)?;
            let message = match slots[1].expr() {
                Some(expr) => runner.eval(expr, frame)?,
                None => frame.message.clone().map_or(Value::Nil, |message| Value::Message(message.into())),
            };
            Ok(runner.ask(&message, &name, frame)?.unwrap_or(Value::Nil))
        }
        Form::NewMessage => {
            let label = runner.slot_name(&slots[0], frame)?;
            let to = runner.slot_entity(&slots[1], frame)?;
            let attributes = runner.pairs(&slots[2], frame)?.into_iter().collect();
            let message = Message { label, to, attributes, ignoring: Vec::new(), numbers: Vec::new() };
            Ok(Value::Message(message.into()))
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

/// To a list one after the other; the value is that of the last. To nil nothing happens.
fn send(runner: &mut Runner, message: Message, to: &Value, frame: &Frame) -> Result<Value, Stop> {
    let mut value = Value::Nil;
    for entity in runner.as_entities(to)? {
        value = runner.send(message.clone(), entity, frame.actor)?;
    }
    Ok(value)
}
