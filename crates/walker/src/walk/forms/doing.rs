//! Moving, making and removing things; turns; results.

use crate::walk::run::{Frame, Runner};
use crate::walk::state::Life;
use crate::walk::stop::{Halt, Refused, Stop, fault};
use crate::walk::trace;
use crate::walk::value::{Message, Value};
use crate::world::{EntityId, GAME, KindId, MOST_ENTITIES};
use houserules_kernel::Outcome;
use houserules_model::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        Form::Move => {
            let what = runner.slot(&slots[0], frame)?;
            let place = runner.slot_entity(&slots[1], frame)?;
            for thing in runner.as_entities(&what)? {
                runner.move_to(thing, place)?;
            }
            Ok(Value::Nil)
        }
        Form::Remove => {
            let what = runner.slot(&slots[0], frame)?;
            for thing in runner.as_entities(&what)? {
                runner.remove(thing)?;
            }
            Ok(Value::Nil)
        }
        Form::New => new(runner, slots, frame),
        Form::EndTurn => {
            let to = if slots[0].given() {
                let to = runner.slot_entity(&slots[0], frame)?;
                let player = to.filter(|player| runner.state.players.contains(player));
                Some(player.ok_or_else(|| fault("The turn can only pass to a player who is still in."))?)
            } else {
                None
            };
            runner.state.end_turn(to);
            Ok(Value::Nil)
        }
        Form::Again => {
            runner.state.kept = true;
            Ok(Value::Nil)
        }
        Form::Win => {
            let winner = runner.slot(&slots[0], frame)?;
            let message = Message {
                label: "gameover".into(),
                to: Some(GAME),
                attributes: BTreeMap::from([("winner".into(), winner)]),
                ignoring: Vec::new(),
                numbers: Vec::new(),
            };
            runner.send(message, GAME, frame.actor)?;
            Ok(Value::Nil)
        }
        Form::Lose => {
            let losers = runner.slot(&slots[0], frame)?;
            for loser in runner.as_entities(&losers)? {
                runner.lose(loser);
            }
            Ok(Value::Nil)
        }
        Form::Draw => {
            let n_seats = runner.book.world.n_seats as usize;
            runner.end(Outcome::draw(n_seats));
            Ok(Value::Nil)
        }
        Form::Finish => finish(runner, slots, frame),
        Form::Say => {
            let text = runner.slot(&slots[0], frame)?;
            let to = runner.slot_entity(&slots[1], frame)?;
            if let Some(other) = to.filter(|&to| runner.book.world.entity_seat(to).is_none()) {
                let name = runner.told(&Value::Entity(other));
                return Err(fault(format!("{name} hears nothing: it is no player.")));
            }
            let line = (to, runner.told(&text));
            runner.state.said.push(line);
            Ok(Value::Nil)
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

impl Runner<'_> {
    /// A thing leaves its place and becomes the top of another, if there is room.
    pub fn move_to(&mut self, thing: EntityId, place: Option<EntityId>) -> Result<(), Stop> {
        self.step()?;
        if !self.living(thing) {
            let name = self.state.thing(thing).name.clone();
            return Err(fault(format!("`{name}` has left the game and cannot be moved.")));
        }
        let mut around = place;
        while let Some(outer) = around {
            if outer == thing {
                return Err(fault("A thing cannot be put into itself."));
            }
            around = self.state.thing(outer).place;
        }
        let from = self.state.thing(thing).place;
        self.state.put(thing, place);
        self.tell_moved(thing, from, place);
        if let Some(place) = place {
            let there = self.state.thing(place);
            let capacity = self.book.world.kinds[there.kind as usize].capacity;
            if capacity.is_some_and(|most| there.contents.len() as i64 > most) {
                return Err(Box::new(Halt::Refused(Refused {
                    law: None,
                    reason: format!("There is no room for more in `{}`.", there.name),
                    quiet: false,
                })));
            }
        }
        if let Some(from) = from {
            self.resupply(from)?;
        }
        Ok(())
    }

    fn tell_moved(&self, thing: EntityId, from: Option<EntityId>, to: Option<EntityId>) {
        if trace::is_heard() {
            let [before, after] = [from, to].map(|place| self.told(&Value::maybe(place)));
            self.tell_written(thing, "place", before, after);
        }
    }

    pub fn remove(&mut self, thing: EntityId) -> Result<(), Stop> {
        if !self.living(thing) {
            return Ok(());
        }
        let from = self.state.thing(thing).place;
        self.state.put(thing, None);
        // It still knows where it lay: rules that run later in the same action may ask.
        self.state.thing_mut(thing).place = from;
        self.state.thing_mut(thing).life = Life::Leaving;
        self.tell_moved(thing, from, None);
        match from {
            Some(from) => self.resupply(from),
            None => Ok(()),
        }
    }

    /// A supply that has been emptied makes the next thing, as long as it may.
    pub fn resupply(&mut self, place: EntityId) -> Result<(), Stop> {
        let there = self.state.thing(place);
        let Some((kind, most)) = self.book.world.kinds[there.kind as usize].supply else {
            return Ok(());
        };
        if !there.contents.is_empty() || most.is_some_and(|most| i64::from(there.supplied) >= most) {
            return Ok(());
        }
        self.state.thing_mut(place).supplied += 1;
        let owner = self.state.thing(place).owner;
        let made = self.make(kind, owner)?;
        self.state.put(made, Some(place));
        Ok(())
    }

    /// A new thing of a kind, its properties at their first values.
    pub fn make(&mut self, kind: KindId, owner: Option<EntityId>) -> Result<EntityId, Stop> {
        if self.state.things.len() >= MOST_ENTITIES {
            return Err(fault("There are too many things."));
        }
        let entity = self.state.things.len() as EntityId;
        let number = self.state.things.iter().filter(|thing| thing.kind == kind).count() as u32 + 1;
        let kind_name = &self.book.world.kinds[kind as usize].name;
        let name = format!("{kind_name} {number}");
        let thing = self.blank(kind, name.into(), number, owner);
        self.state.things.push(Arc::new(thing));
        self.first_values(entity)?;
        Ok(entity)
    }

    /// Sets the outcome, if there is none yet.
    pub fn end(&mut self, outcome: Outcome) {
        self.state.outcome.get_or_insert(outcome);
    }

    /// A player, or each of a team, wins and the others lose.
    pub fn win(&mut self, winner: &Value) -> Result<(), Stop> {
        let winners = self.as_entities(winner)?;
        let seats: Vec<u32> = winners.iter().filter_map(|&winner| self.book.world.entity_seat(winner)).collect();
        if seats.is_empty() {
            return Err(fault(format!("{} cannot win: it is no player.", self.told(winner))));
        }
        let ranks = (0..self.book.world.n_seats).map(|seat| if seats.contains(&seat) { 1 } else { 2 });
        self.end(Outcome { ranks: ranks.collect() });
        Ok(())
    }

    /// A player is out, behind all still in; the last one in wins.
    fn lose(&mut self, loser: EntityId) {
        if self.over() || !self.state.players.contains(&loser) {
            return;
        }
        let n_seats = self.book.world.n_seats as usize;
        self.state.out.push(loser);
        let rest: Vec<EntityId> = self.state.players.iter().copied().filter(|&player| player != loser).collect();
        self.state.set_players(rest);
        if self.state.players.len() <= 1 {
            let mut ranks = vec![1; n_seats];
            for (at, &player) in self.state.out.iter().rev().enumerate() {
                if let Some(seat) = self.book.world.entity_seat(player) {
                    ranks[seat as usize] = (self.state.players.len() + at + 1) as u8;
                }
            }
            self.end(Outcome { ranks: ranks.into() });
        }
    }
}

/// The value of `new` is the new thing. Properties its kind has not are left out.
fn new(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let Some(expr) = slots[0].expr() else {
        return Err(fault("A model is missing in the rules here."));
    };
    let kind = runner.kind(expr, frame)?;
    let place = runner.slot_entity(&slots[1], frame)?;
    let given = runner.pairs(&slots[2], frame)?;
    let owner = match given.iter().find(|(name, _)| &**name == "owner") {
        Some((_, value)) => runner.opt_entity(value)?,
        None => None,
    };
    let made = runner.make(kind, owner)?;
    for (name, value) in given {
        if runner.property(made, &name)?.is_some() && &*name != "place" {
            runner.set_property(made, &name, value, false)?;
        }
    }
    if place.is_some() {
        runner.move_to(made, place)?;
    }
    Ok(Value::Entity(made))
}

/// All seats ranked by E, greatest first; equals share a rank. Those who have lost stay behind all others.
fn finish(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let exprs: Vec<&Expr> = slots[0].expr().into_iter().chain(slots[1].exprs()).collect();
    let mut scores: Vec<Vec<f64>> = Vec::new();
    for player in 1..=runner.book.world.n_seats {
        let lost = runner.state.out.iter().position(|&out| out == player);
        let mut score = vec![lost.map_or(f64::INFINITY, |at| at as f64)];
        for expr in &exprs {
            let outer = frame.it.replace(Value::Entity(player));
            let value = runner.eval(expr, frame);
            frame.it = outer;
            score.push(match value? {
                Value::Nil => f64::NEG_INFINITY,
                value => runner.as_number(&value)?,
            });
        }
        scores.push(score);
    }
    let better = |left: &[f64], right: &[f64]| left.partial_cmp(right) == Some(Ordering::Greater);
    let ranks = scores.iter().map(|own| 1 + scores.iter().filter(|other| better(other, own)).count() as u8);
    let ranks = ranks.collect();
    runner.end(Outcome { ranks });
    Ok(Value::Nil)
}
