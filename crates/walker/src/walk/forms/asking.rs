//! Questions to players, chance, and actions made on request.

use crate::limits::{MOST_OUTCOMES, MOST_ROLLS};
use crate::walk::choices::encode;
use crate::walk::run::{Frame, Runner};
use crate::walk::stop::{Asked, Halt, Options, Question, Stop, fault};
use crate::walk::value::{Message, Value};
use crate::world::EntityId;
use houserules_kernel::{Choice, SeatId, Who};
use houserules_model::*;
use std::collections::BTreeMap;

/// The answer that says "that is all" to `ask … some of`.
pub const DONE: u64 = u64::MAX;

/// Once there is an outcome nothing more is asked or rolled: a question ends whatever is running.
pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    if runner.over() {
        return Err(Box::new(Halt::Finished));
    }
    match form {
        Form::Roll => {
            let sides = runner.slot_whole(&slots[0], frame)?;
            let times = if slots[1].given() { Some(runner.slot_whole(&slots[1], frame)?) } else { None };
            if sides < 1 {
                return Err(fault("A die has at least one side."));
            }
            if times.is_some_and(|times| times > MOST_ROLLS as i64) {
                return Err(fault(format!("At most {MOST_ROLLS} dice are rolled at once.")));
            }
            let die = numbers(1, sides)?;
            let prompt = format!("A die with {sides} sides is rolled");
            match times {
                None => chance(runner, &prompt, &die),
                Some(times) => {
                    let mut rolled = Vec::new();
                    for _ in 0..times {
                        runner.step()?;
                        rolled.push(chance(runner, &prompt, &die)?);
                    }
                    Ok(Value::list(rolled))
                }
            }
        }
        Form::RandomOf => {
            let list = runner.slot_list(&slots[0], frame)?;
            chance(runner, "Chance picks", &list)
        }
        Form::Random => {
            let from = runner.slot_whole(&slots[0], frame)?;
            let to = runner.slot_whole(&slots[1], frame)?;
            chance(runner, "Chance picks a number", &numbers(from, to)?)
        }
        Form::Shuffle => shuffle(runner, slots, frame),
        Form::Ask | Form::AskTimes | Form::AskMany | Form::AskSome => ask(runner, form, slots, frame),
        Form::Let => let_do(runner, slots, frame),
        Form::WaitSignal => {
            let signal = runner.slot_name(&slots[0], frame)?;
            let tags = tags(runner, &signal, frame.actor)?;
            let player = Value::maybe(runner.player(frame));
            ask_each(runner, &player, format!("Waiting for {signal}"), &tags, Picks::One)
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

fn numbers(from: i64, to: i64) -> Result<Vec<Value>, Stop> {
    if to < from {
        return Err(fault(format!("There is no chance number from {from} to {to}.")));
    }
    if to - from >= MOST_OUTCOMES as i64 {
        return Err(fault(format!("Chance picks among at most {MOST_OUTCOMES} numbers.")));
    }
    Ok((from..=to).map(Value::Whole).collect())
}

/// One decision of Nature. Of nothing nothing is picked.
fn chance(runner: &mut Runner, prompt: &str, options: &[Value]) -> Result<Value, Stop> {
    if options.is_empty() {
        return Ok(Value::Nil);
    }
    let (_, choice) = runner.answer(|_| Question::Chance { prompt: prompt.into(), options: options.to_vec() })?;
    Ok(options[position(&choice)?].clone())
}

fn position(choice: &Choice) -> Result<usize, Stop> {
    match choice.0.first() {
        Some(&at) => Ok(at as usize),
        None => Err(fault("An answer is empty.")),
    }
}

/// Fisher and Yates from the end: each step is a decision of Nature among the places up to there.
fn shuffle(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let what = runner.slot(&slots[0], frame)?;
    let place = match &what {
        Value::Entity(_) | Value::Text(_) => runner.opt_entity(&what)?,
        _ => None,
    };
    let mut order = match place {
        Some(place) => runner.state.thing(place).contents.iter().map(|&thing| Value::Entity(thing)).collect(),
        None => runner.as_list(&what)?,
    };
    for last in (1..order.len()).rev() {
        runner.step()?;
        let positions: Vec<Value> = (0..=last as i64).map(Value::Whole).collect();
        let (_, choice) = runner.answer(|_| Question::Chance { prompt: "Shuffling".into(), options: positions })?;
        order.swap(last, position(&choice)?);
    }
    match place {
        Some(place) => {
            runner.state.thing_mut(place).contents = order.iter().filter_map(Value::entity).collect();
            Ok(Value::Nil)
        }
        None => Ok(Value::list(order)),
    }
}

/// How many members one seat picks, and which are still open after some.
#[derive(Clone, Copy)]
enum Picks {
    One,
    /// So many, the same again if wanted.
    Times(usize),
    /// So many different ones, in the order of the list.
    Different(usize),
    /// Any number, in the order of the list.
    Some,
}

impl Picks {
    /// The positions still open, and whether "that is all" may be said; None when the seat has finished.
    fn open(self, n: usize, picked: &[u64]) -> Option<(std::ops::Range<usize>, bool)> {
        let later = picked.last().map_or(0, |&last| (last as usize).saturating_add(1));
        let open = match self {
            Picks::One => (picked.is_empty().then_some(0..n)?, false),
            Picks::Times(times) => ((picked.len() < times).then_some(0..n)?, false),
            Picks::Different(wanted) => {
                let missing = wanted.min(n).checked_sub(picked.len() + 1)?;
                (later..n - missing, false)
            }
            Picks::Some if picked.last() == Some(&DONE) => return None,
            Picks::Some => (later..n, true),
        };
        (!open.0.is_empty()).then_some(open)
    }

    fn value(self, options: &[Value], picked: &[u64]) -> Value {
        let values: Vec<Value> =
            picked.iter().filter(|&&at| at != DONE).map(|&at| options[at as usize].clone()).collect();
        match self {
            Picks::One => values.into_iter().next().unwrap_or(Value::Nil),
            _ => Value::list(values),
        }
    }
}

fn ask(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let whom = runner.slot(&slots[0], frame)?;
    let text = runner.slot(&slots[1], frame)?;
    let prompt = runner.told(&text);
    let picks = match form {
        Form::Ask => Picks::One,
        Form::AskSome => Picks::Some,
        _ => {
            let n = runner.slot_whole(&slots[2], frame)?.max(0) as usize;
            if form == Form::AskTimes { Picks::Times(n) } else { Picks::Different(n) }
        }
    };
    let options = match slots.last() {
        Some(slot) => runner.slot_list(slot, frame)?,
        None => Vec::new(),
    };
    ask_each(runner, &whom, prompt, &options, picks)
}

/// Asks one player, or all of a list at once and unseen: then a dictionary by player.
fn ask_each(runner: &mut Runner, whom: &Value, prompt: String, options: &[Value], picks: Picks) -> Result<Value, Stop> {
    let asked = seats(runner, whom)?;
    let n_met = runner.log.len();
    let mut picked: Vec<Vec<u64>> = vec![Vec::new(); asked.len()];
    loop {
        let open: Vec<Asked> = asked
            .iter()
            .zip(&picked)
            .filter_map(|(&(_, seat), picked)| {
                let (range, done) = picks.open(options.len(), picked)?;
                let from = range.map(|at| (at as u64, options[at].clone())).collect();
                let left = match picks {
                    Picks::Different(wanted) => Some(wanted.min(options.len()) - picked.len()),
                    _ => None,
                };
                Some(Asked { seat, options: Options::Members { from, done, n: options.len(), left } })
            })
            .collect();
        if open.is_empty() {
            break;
        }
        let (who, choice) = runner.answer(|_| Question::Seats { prompt: prompt.clone(), asked: open })?;
        let at = asked.iter().position(|&(_, seat)| who == Who::Seat(seat));
        let at = at.ok_or_else(|| fault("Somebody answered who was not asked."))?;
        picked[at].extend(choice.0.first());
        in_order_of_seats(runner, n_met);
    }
    if is_list(whom) {
        let entries: BTreeMap<Value, Value> = asked
            .iter()
            .zip(&picked)
            .map(|(&(player, _), picked)| (Value::Entity(player), picks.value(options, picked)))
            .collect();
        return Ok(Value::Dictionary(entries.into()));
    }
    Ok(picks.value(options, picked.first().map_or(&[], |picked| picked)))
}

/// In which order seats answered that were asked together makes no difference, so it is not kept.
fn in_order_of_seats(runner: &mut Runner, n_met: usize) {
    runner.log[n_met..].sort_by_key(|(who, _)| *who);
}

fn is_list(whom: &Value) -> bool {
    !matches!(whom, Value::Nil | Value::Entity(_) | Value::Text(_))
}

fn seats(runner: &Runner, whom: &Value) -> Result<Vec<(EntityId, SeatId)>, Stop> {
    let mut seats: Vec<(EntityId, SeatId)> = Vec::new();
    for player in runner.as_entities(whom)? {
        let seat = runner.book.world.entity_seat(player);
        let seat = seat.ok_or_else(|| fault(format!("`{}` is no player.", runner.state.thing(player).name)))?;
        if seats.iter().all(|&(known, _)| known != player) {
            seats.push((player, SeatId(seat as u8)));
        }
    }
    Ok(seats)
}

/// Players make one of these actions each, under its laws.
fn let_do(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let whom = runner.slot(&slots[0], frame)?;
    let mut labels = Vec::new();
    for name in slots[1].names() {
        labels.push(runner.name(name, frame)?);
    }
    let players = seats(runner, &whom)?;
    let mut offered: Vec<(EntityId, SeatId, Vec<Message>)> = Vec::new();
    for (player, seat) in players {
        let choices = runner.choices(player, Some(&labels), &[])?;
        if !choices.is_empty() {
            offered.push((player, seat, choices));
        }
    }
    let n_met = runner.log.len();
    let mut chosen: BTreeMap<EntityId, Message> = BTreeMap::new();
    while chosen.len() < offered.len() {
        let asked = offered
            .iter()
            .filter(|(player, ..)| !chosen.contains_key(player))
            .map(|(_, seat, choices)| Asked { seat: *seat, options: Options::Actions(choices.clone()) })
            .collect();
        let (who, choice) = runner.answer(|_| Question::Seats { prompt: "Choose an action".into(), asked })?;
        let found = offered.iter().find(|(_, seat, _)| who == Who::Seat(*seat));
        let message = found.and_then(|(player, _, choices)| {
            let message = choices.iter().find(|message| encode(message) == choice)?;
            Some((*player, message.clone()))
        });
        let (player, message) = message.ok_or_else(|| fault("An answer fits no action that was offered."))?;
        chosen.insert(player, message);
        in_order_of_seats(runner, n_met);
    }
    for (player, ..) in &offered {
        let message = chosen[player].clone();
        // Tested on the position before; what the others did since may have made it illegal.
        if !runner.over() && runner.legal(&message, *player)?.is_none() {
            carry_out(runner, &message, *player)?;
        }
    }
    Ok(Value::Nil)
}

/// One that is refused after all is taken back.
fn carry_out(runner: &mut Runner, message: &Message, player: EntityId) -> Result<(), Stop> {
    let before = runner.state.clone();
    match runner.act(message.clone(), player) {
        Ok(_) => Ok(()),
        Err(stop) => match *stop {
            Halt::Refused(_) => {
                runner.state = before;
                Ok(())
            }
            halt => Err(Box::new(halt)),
        },
    }
}

/// What representations can emit with a signal: the tag of each, or true where it has none. What nobody emits nobody can
/// wait for.
fn tags(runner: &mut Runner, signal: &Name, actor: Option<EntityId>) -> Result<Vec<Value>, Stop> {
    let book = runner.book;
    let mut tags = Vec::new();
    for item in book.definition.items() {
        let ItemKind::View(view) = &item.kind else { continue };
        let Some(kind) = book.world.kind(&view.of) else {
            continue;
        };
        let mut emitters = Vec::new();
        item.exprs(&mut |top| top.walk(&mut |expr| emitters.push(expr)));
        for entity in runner.state.of_kind(&book.world, kind) {
            for expr in &emitters {
                let ExprKind::Form(Form::OnClickedEmit, slots) = &expr.kind else {
                    continue;
                };
                if slots[1].name().and_then(NameRef::known) != Some(signal) {
                    continue;
                }
                let tag = match slots[2].expr() {
                    Some(tag) => runner.eval(tag, &mut Frame::new(entity, actor))?,
                    None => Value::True,
                };
                if !tags.contains(&tag) {
                    tags.push(tag);
                }
            }
        }
    }
    Ok(tags)
}
