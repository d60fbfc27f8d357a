//! Lists, whose positions start at 0, and dictionaries.

use crate::sorting::{self, Key};
use crate::walk::eval::number;
use crate::walk::run::{Frame, Runner};
use crate::walk::stop::{Stop, fault};
use crate::walk::value::Value;
use houserules_model::*;
use std::collections::BTreeMap;

const LONGEST: f64 = 100_000.0;

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        Form::List => Ok(Value::list(runner.slot_values(&slots[0], frame)?)),
        Form::Range => range(runner, slots, frame),
        Form::FirstOf => {
            let n = runner.slot_whole(&slots[0], frame)?.max(0) as usize;
            let list = runner.slot_list(&slots[1], frame)?;
            Ok(Value::list(list.into_iter().take(n).collect()))
        }
        Form::First => Ok(first(runner.slot_list(&slots[0], frame)?.into_iter().next())),
        Form::Last => Ok(first(runner.slot_list(&slots[0], frame)?.into_iter().next_back())),
        Form::At => {
            let at = runner.slot_whole(&slots[0], frame)?;
            let list = runner.slot_list(&slots[1], frame)?;
            Ok(first(usize::try_from(at).ok().and_then(|at| list.into_iter().nth(at))))
        }
        Form::Position => {
            let value = runner.slot(&slots[0], frame)?;
            let list = runner.slot_list(&slots[1], frame)?;
            let at = list.iter().position(|member| *member == value);
            Ok(at.map_or(Value::Nil, |at| Value::Whole(at as i64)))
        }
        Form::Append => {
            let value = runner.slot(&slots[0], frame)?;
            let mut list = runner.slot_list(&slots[1], frame)?;
            list.push(value);
            Ok(Value::list(list))
        }
        Form::Insert => {
            let value = runner.slot(&slots[0], frame)?;
            let at = runner.slot_whole(&slots[1], frame)?;
            let mut list = runner.slot_list(&slots[2], frame)?;
            let at = within(at, list.len() + 1)?;
            list.insert(at, value);
            Ok(Value::list(list))
        }
        Form::Replace => {
            let at = runner.slot_whole(&slots[0], frame)?;
            let mut list = runner.slot_list(&slots[1], frame)?;
            let at = within(at, list.len())?;
            list[at] = runner.slot(&slots[2], frame)?;
            Ok(Value::list(list))
        }
        Form::RemoveFrom => {
            let at = runner.slot(&slots[0], frame)?;
            let from = runner.slot(&slots[1], frame)?;
            if let Value::Dictionary(entries) = &from {
                let mut entries = (**entries).clone();
                entries.remove(&at);
                return Ok(Value::Dictionary(entries.into()));
            }
            let mut list = runner.as_list(&from)?;
            // `(remove (position of x in l) from l)` where x is not in the list takes nothing away.
            if !at.truth() {
                return Ok(from);
            }
            let at = within(runner.as_whole(&at)?, list.len())?;
            list.remove(at);
            Ok(Value::list(list))
        }
        Form::Join => {
            let mut joined = Vec::new();
            for expr in slots[0].exprs() {
                joined.extend(runner.list(expr, frame)?);
            }
            if joined.len() as f64 > LONGEST {
                return Err(fault("A list is too long."));
            }
            Ok(Value::list(joined))
        }
        Form::Different => {
            let mut different = Vec::new();
            for member in runner.slot_list(&slots[0], frame)? {
                if !different.contains(&member) {
                    different.push(member);
                }
            }
            Ok(Value::list(different))
        }
        Form::SortBy => super::looking::sort_by(runner, slots, frame),
        Form::Sort => {
            let list = runner.slot_list(&slots[0], frame)?;
            let keys = list.clone();
            sorted(runner, list, &keys)
        }
        Form::Reverse => {
            let mut list = runner.slot_list(&slots[0], frame)?;
            list.reverse();
            Ok(Value::list(list))
        }
        Form::Flatten => {
            let mut open = runner.slot_list(&slots[0], frame)?;
            open.reverse();
            let mut flat = Vec::new();
            while let Some(member) = open.pop() {
                runner.step()?;
                match member {
                    Value::List(inner) => open.extend(inner.iter().rev().cloned()),
                    other => flat.push(other),
                }
            }
            Ok(Value::list(flat))
        }
        Form::Dictionary => {
            let mut entries = BTreeMap::new();
            for (key, value) in slots[0].entries() {
                let key = runner.eval(key, frame)?;
                let value = runner.eval(value, frame)?;
                entries.insert(as_key(runner, key)?, value);
            }
            Ok(Value::Dictionary(entries.into()))
        }
        Form::Match => {
            let key = runner.slot(&slots[0], frame)?;
            let entries = dictionary(runner, &slots[1], frame)?;
            Ok(entries.get(&key).cloned().unwrap_or(Value::Nil))
        }
        Form::Put => {
            let value = runner.slot(&slots[0], frame)?;
            let key = runner.slot(&slots[1], frame)?;
            let mut entries = dictionary(runner, &slots[2], frame)?;
            entries.insert(as_key(runner, key)?, value);
            Ok(Value::Dictionary(entries.into()))
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

/// A list in the order of its keys.
pub fn sorted(runner: &Runner, list: Vec<Value>, keys: &[Value]) -> Result<Value, Stop> {
    let keys = keys.iter().map(|key| sort_key(runner, key)).collect::<Result<Vec<Key>, Stop>>()?;
    Ok(Value::list(sorting::order(&keys).into_iter().map(|at| list[at].clone()).collect()))
}

fn sort_key(runner: &Runner, value: &Value) -> Result<Key, Stop> {
    Ok(match value {
        Value::Nil => Key::Nil,
        Value::Whole(number) => Key::Number(*number as f64),
        Value::Decimal(number) => Key::Number(*number),
        Value::Text(text) => Key::Text(text.clone()),
        Value::List(list) => Key::List(list.iter().map(|key| sort_key(runner, key)).collect::<Result<_, Stop>>()?),
        other => return Err(fault(format!("`sort` goes by numbers and texts, not by {}.", runner.told(other)))),
    })
}

fn first(member: Option<Value>) -> Value {
    member.unwrap_or(Value::Nil)
}

fn within(at: i64, n: usize) -> Result<usize, Stop> {
    match usize::try_from(at) {
        Ok(at) if at < n => Ok(at),
        _ => Err(fault(format!("A list has no position {at}."))),
    }
}

fn dictionary(runner: &mut Runner, slot: &Slot, frame: &mut Frame) -> Result<BTreeMap<Value, Value>, Stop> {
    match runner.slot(slot, frame)? {
        Value::Nil => Ok(BTreeMap::new()),
        Value::Dictionary(entries) => {
            runner.weigh(entries.len())?;
            Ok((*entries).clone())
        }
        other => Err(fault(format!("{} is no dictionary.", runner.told(&other)))),
    }
}

fn as_key(runner: &Runner, key: Value) -> Result<Value, Stop> {
    match key {
        Value::Nil | Value::List(_) | Value::Dictionary(_) | Value::Message(_) => {
            Err(fault(format!("{} is no key.", runner.told(&key))))
        }
        key => Ok(key),
    }
}

/// Both ends are included; a negative step counts down.
fn range(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let from = runner.slot_number(&slots[0], frame)?;
    let to = runner.slot_number(&slots[1], frame)?;
    let step = if slots[2].given() { runner.slot_number(&slots[2], frame)? } else { 1.0 };
    if step == 0.0 || (to - from) / step > LONGEST {
        return Err(fault("A range never ends, or is too long."));
    }
    let n = ((to - from) / step).floor();
    let mut members = Vec::new();
    let mut at = 0.0;
    while at <= n {
        members.push(number(from + at * step)?);
        at += 1.0;
    }
    Ok(Value::list(members))
}
