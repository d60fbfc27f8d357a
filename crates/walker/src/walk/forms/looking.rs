//! Quantifiers: one scheme for all of them.

use super::arithmetic::{combine, extreme};
use crate::walk::run::{Frame, Runner};
use crate::walk::stop::{Stop, fault};
use crate::walk::value::Value;
use houserules_model::*;

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        Form::Every => {
            let mut every = true;
            candidates(runner, &slots[0], None, frame, &mut |runner, _, frame| {
                every = slots[1].expr().map_or(Ok(Value::True), |condition| runner.eval(condition, frame))?.truth();
                Ok(every)
            })?;
            Ok(Value::of(every))
        }
        Form::None | Form::Any => {
            let mut found = None;
            candidates(runner, &slots[0], slots[1].expr(), frame, &mut |_, candidate, _| {
                found = Some(candidate.clone());
                Ok(false)
            })?;
            Ok(match form {
                Form::None => Value::of(found.is_none()),
                _ => found.unwrap_or(Value::Nil),
            })
        }
        Form::All => Ok(Value::list(fitting(runner, &slots[0], &slots[1], frame)?)),
        Form::Count => Ok(Value::Whole(fitting(runner, &slots[0], &slots[1], frame)?.len() as i64)),
        Form::Sum => {
            let values = fitting(runner, &slots[0], &slots[1], frame)?;
            sum(runner, values)
        }
        Form::AllOf => Ok(Value::list(values(runner, slots, frame)?)),
        Form::SumOf => {
            let values = values(runner, slots, frame)?;
            sum(runner, values)
        }
        Form::MaxOf | Form::MinOf => {
            let values = values(runner, slots, frame)?;
            extreme(runner, form == Form::MaxOf, &values)
        }
        Form::Most | Form::Least => {
            let pairs = valued(runner, slots, frame)?;
            let values: Vec<Value> = pairs.iter().map(|(_, value)| value.clone()).collect();
            let best = extreme(runner, form == Form::Most, &values)?;
            let chosen = pairs.into_iter().filter(|(_, value)| value.truth() && *value == best);
            Ok(Value::list(chosen.map(|(candidate, _)| candidate).collect()))
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

/// What is done with each candidate: false ends the looking.
type Look<'l, 'a> = dyn FnMut(&mut Runner<'a>, &Value, &mut Frame) -> Result<bool, Stop> + 'l;

/// Meets the candidates of a domain in order. Each is `it` in turn, and the variable if there is one.
fn candidates<'a>(
    runner: &mut Runner<'a>,
    domain: &Slot,
    condition: Option<&Expr>,
    frame: &mut Frame,
    look: &mut Look<'_, 'a>,
) -> Result<(), Stop> {
    let Slot::Domain { var, list, owner } = domain else {
        return Err(fault("There is nothing to look at here."));
    };
    let list = runner.list(list, frame)?;
    let owner = owner.as_ref().map(|owner| runner.eval(owner, frame)).transpose()?;
    let outer_it = frame.it.clone();
    let outer_variable = var.as_ref().map(|name| frame.variable(name).cloned());
    let mut result = Ok(());
    for candidate in list {
        frame.it = Some(candidate.clone());
        if let Some(name) = var {
            frame.set_variable(name, candidate.clone());
        }
        match consider(runner, &candidate, owner.as_ref(), condition, frame, look) {
            Ok(true) => {}
            Ok(false) => break,
            Err(stop) => {
                result = Err(stop);
                break;
            }
        }
    }
    frame.it = outer_it;
    match (var, outer_variable) {
        (Some(name), Some(Some(value))) => frame.set_variable(name, value),
        (Some(name), _) => frame.variables.retain(|(known, _)| known != name),
        _ => {}
    }
    result
}

fn consider<'a>(
    runner: &mut Runner<'a>,
    candidate: &Value,
    owner: Option<&Value>,
    condition: Option<&Expr>,
    frame: &mut Frame,
    look: &mut Look<'_, 'a>,
) -> Result<bool, Stop> {
    runner.step()?;
    if let Some(owner) = owner
        && runner.ask_of(&"owner".into(), Vec::new(), candidate, frame)? != *owner
    {
        return Ok(true);
    }
    let fits = match condition {
        Some(condition) => runner.eval(condition, frame)?.truth(),
        None => true,
    };
    if fits { look(runner, candidate, frame) } else { Ok(true) }
}

fn fitting(runner: &mut Runner, domain: &Slot, condition: &Slot, frame: &mut Frame) -> Result<Vec<Value>, Stop> {
    let mut fitting = Vec::new();
    candidates(runner, domain, condition.expr(), frame, &mut |_, candidate, _| {
        fitting.push(candidate.clone());
        Ok(true)
    })?;
    Ok(fitting)
}

/// `E of DOMAIN [where C]`: each candidate with its value of E.
fn valued(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Vec<(Value, Value)>, Stop> {
    let Some(expr) = slots[0].expr() else {
        return Err(fault("There is nothing to look for here."));
    };
    let mut pairs = Vec::new();
    candidates(runner, &slots[1], slots[2].expr(), frame, &mut |runner, candidate, frame| {
        let value = runner.eval(expr, frame)?;
        pairs.push((candidate.clone(), value));
        Ok(true)
    })?;
    Ok(pairs)
}

/// `(sort DOMAIN by E)`.
pub fn sort_by(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let pairs = valued(runner, &[slots[1].clone(), slots[0].clone(), Slot::Absent], frame)?;
    let (list, keys): (Vec<Value>, Vec<Value>) = pairs.into_iter().unzip();
    super::lists::sorted(runner, list, &keys)
}

fn values(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Vec<Value>, Stop> {
    let pairs = valued(runner, slots, frame)?;
    Ok(pairs.into_iter().map(|(_, value)| value).collect())
}

fn sum(runner: &Runner, values: Vec<Value>) -> Result<Value, Stop> {
    values.into_iter().try_fold(Value::Whole(0), |left, right| combine(runner, Form::Add, &left, &right))
}
