//! Which choices there are, and which of them are legal.

use super::messages::Weight;
use super::run::{Frame, Runner};
use super::state::Life;
use super::stop::{Halt, Refused, Stop, fault};
use super::value::{Message, Value};
use crate::world::{EntityId, GAME};
use houserules_kernel::Choice;
use houserules_model::*;

impl<'a> Runner<'a> {
    /// The legal choices of a player: of the actions with these labels, or of all that need not be asked for.
    pub fn choices(
        &mut self,
        player: EntityId,
        labels: Option<&[Name]>,
        ignoring: &[Name],
    ) -> Result<Vec<Message>, Stop> {
        self.deeper(|runner| runner.find(player, labels, ignoring, false))
    }

    /// Whether there is any.
    pub fn can(&mut self, player: EntityId, labels: Option<&[Name]>) -> Result<bool, Stop> {
        Ok(!self.deeper(|runner| runner.find(player, labels, &[], true))?.is_empty())
    }

    /// The choices of a position at rest.
    pub fn open_choices(&mut self, player: EntityId, only_one: bool) -> Result<Vec<Message>, Stop> {
        self.find(player, None, &[], only_one)
    }

    /// Actions in the order of the definition, receivers in order of number, attributes in the order of their lists.
    /// A receiver that a law forbids whatever the attributes are is passed over before they are listed. What has a
    /// fault is passed over, too; if nothing else is left, the fault is told. Where code asks, by labels, and its budget
    /// is used up, that is told at once.
    fn find(
        &mut self,
        player: EntityId,
        labels: Option<&[Name]>,
        ignoring: &[Name],
        only_one: bool,
    ) -> Result<Vec<Message>, Stop> {
        let book = self.book;
        let mut found = Vec::new();
        let mut fault = None;
        let told_at_once = |stop: &Stop| labels.is_some() && matches!(**stop, Halt::Spent(_));
        let mut left = Budget::CANDIDATES;
        for (index, action) in offered(&book.actions, labels) {
            let receivers = match self.receivers(action, player) {
                Ok(receivers) => receivers,
                Err(stop) if told_at_once(&stop) => return Err(stop),
                Err(stop) => {
                    fault = Some(stop);
                    continue;
                }
            };
            for receiver in receivers {
                let message = blank((index, action), receiver, ignoring);
                if !action.with.is_empty() {
                    match self.forbidden(&message, player) {
                        Ok(true) => continue,
                        Err(stop) if told_at_once(&stop) => return Err(stop),
                        // A fault is met again when a whole choice is tested.
                        Ok(false) | Err(_) => {}
                    }
                }
                let mut messages = Vec::new();
                if let Err(stop) = self.attributes(action, message, player, &mut messages) {
                    if told_at_once(&stop) {
                        return Err(stop);
                    }
                    fault = Some(stop);
                    continue;
                }
                if !only_one {
                    messages.truncate(left);
                    left -= messages.len();
                }
                for message in messages {
                    match self.legal(&message, player) {
                        Ok(None) => found.push(message),
                        Ok(Some(_)) => {}
                        Err(stop) if told_at_once(&stop) => return Err(stop),
                        Err(stop) => fault = Some(stop),
                    }
                    if only_one && !found.is_empty() {
                        return Ok(found);
                    }
                }
            }
        }
        match fault {
            Some(fault) if found.is_empty() => Err(fault),
            _ => Ok(found),
        }
    }

    /// Every candidate, legal or not. A receiver whose attributes cannot be listed has none.
    pub fn candidates(&mut self, player: EntityId, labels: Option<&[Name]>) -> Result<Vec<Message>, Stop> {
        let mut all = Vec::new();
        let book = self.book;
        for (index, action) in offered(&book.actions, labels) {
            for receiver in self.receivers(action, player)? {
                let message = blank((index, action), receiver, &[]);
                let mut messages = Vec::new();
                if self.attributes(action, message, player, &mut messages).is_ok() {
                    all.extend(messages);
                }
                if all.len() >= Budget::CANDIDATES {
                    all.truncate(Budget::CANDIDATES);
                    return Ok(all);
                }
            }
        }
        Ok(all)
    }

    /// What forbids a choice. A question or a roll met on the way ends the test: legal.
    pub fn legal(&mut self, message: &Message, player: EntityId) -> Result<Option<Refused>, Stop> {
        let message = message.clone();
        let to = message.to.unwrap_or(GAME);
        self.test(|runner| runner.deliver(message, to, Some(player), Weight::Trial))
    }

    fn test(&mut self, run: impl FnOnce(&mut Self) -> Result<Value, Stop>) -> Result<Option<Refused>, Stop> {
        let result = self.trying(|runner| {
            runner.state.begin();
            runner.acting(run)
        });
        match result {
            Ok(_) => Ok(None),
            Err(stop) => match *stop {
                Halt::Refused(refused) => Ok(Some(refused)),
                Halt::Need(_) | Halt::Finished => Ok(None),
                halt => Err(Box::new(halt)),
            },
        }
    }

    fn receivers(&mut self, action: &Action, player: EntityId) -> Result<Vec<EntityId>, Stop> {
        let Some(domain) = &action.to else {
            return Ok(vec![GAME]);
        };
        let mut frame = Frame::new(GAME, Some(player));
        let members = self.domain(domain, &mut frame)?;
        let mut receivers = self.as_entities(&Value::list(members))?;
        receivers.retain(|&receiver| self.state.thing(receiver).life == Life::Here);
        receivers.sort_unstable();
        receivers.dedup();
        let mut offered: Vec<EntityId> = Vec::new();
        for receiver in receivers {
            if !offered.iter().any(|&other| self.interchangeable(other, receiver)) {
                offered.push(receiver);
            }
        }
        Ok(offered)
    }

    /// A list, a model, or one entity.
    fn domain(&mut self, expr: &Expr, frame: &mut Frame) -> Result<Vec<Value>, Stop> {
        let value = self.eval(expr, frame).map_err(|stop| match *stop {
            Halt::Need(_) => fault("What can be chosen cannot depend on a question or on chance."),
            halt => Box::new(halt),
        })?;
        match (&expr.kind, &value) {
            (ExprKind::Word(word), Value::Entity(_)) => match self.book.world.kind(word) {
                Some(kind) => self.as_list(&Value::Kind(kind)),
                None => Ok(vec![value]),
            },
            (_, Value::Entity(_)) => Ok(vec![value]),
            _ => self.as_list(&value),
        }
    }

    /// The laws that do not read attributes, tried on a message that has none yet.
    fn forbidden(&mut self, message: &Message, player: EntityId) -> Result<bool, Stop> {
        let book = self.book;
        let readers = book.rules.iter().zip(&book.reads_attributes);
        let blind = |rule: &Rule| !readers.clone().any(|(other, reads)| *reads && other.name == rule.name);
        let message = message.clone();
        let to = message.to.unwrap_or(GAME);
        Ok(self.test(|runner| runner.laws_alone(message, to, player, blind))?.is_some())
    }

    /// Fills in the attributes one after the other.
    fn attributes(
        &mut self,
        action: &'a Action,
        message: Message,
        player: EntityId,
        complete: &mut Vec<Message>,
    ) -> Result<(), Stop> {
        let filled = message.numbers.len() - 2;
        let Some((name, domain)) = action.with.get(filled) else {
            complete.push(message);
            return Ok(());
        };
        let to = message.to.unwrap_or(GAME);
        let mut frame = Frame::with_message(to, Some(player), message.clone());
        frame.unfinished = true;
        let mut values: Vec<(Value, u64)> = Vec::new();
        for (position, value) in self.domain(domain, &mut frame)?.into_iter().enumerate() {
            let known = values.iter().any(|(other, _)| match (other, &value) {
                (Value::Entity(other), Value::Entity(one)) => other == one || self.interchangeable(*other, *one),
                (other, value) => other == value,
            });
            if !known {
                let number = number(self, &value, position);
                values.push((value, number));
            }
        }
        for (value, number) in values {
            if complete.len() >= Budget::CANDIDATES {
                break;
            }
            let mut message = message.clone();
            message.attributes.insert(name.clone(), value);
            message.numbers.push(number);
            self.attributes(action, message, player, complete)?;
        }
        Ok(())
    }

    /// Things that no rule can tell apart, equal in everything: the first stands for all. Told like the machine's.
    fn interchangeable(&self, left: EntityId, right: EntityId) -> bool {
        let (one, kind) = (self.state.thing(left), self.state.thing(right).kind);
        let single = |thing: EntityId| self.book.twins.is_single(thing, kind);
        if left == right || !self.alike(left, right) || single(left) || single(right) {
            return false;
        }
        // In a stack only those count between whom nobody else lies: above or below him they would not be the same.
        if let Some(place) = one.place {
            let contents = &self.state.thing(place).contents;
            let at = |thing: EntityId| contents.iter().position(|&other| other == thing).unwrap_or(0);
            let (from, to) = (at(left).min(at(right)), at(left).max(at(right)));
            if !contents[from..=to].iter().all(|&between| between == left || self.alike(left, between)) {
                return false;
            }
        }
        let wanted = |thing: EntityId| thing == left || self.alike(left, thing);
        let told = |(name, value): (&Name, &Value)| self.book.twins.tells(name) && mentions(value, &wanted);
        !self.state.things.iter().any(|thing| thing.properties.iter().any(told))
    }

    fn alike(&self, left: EntityId, right: EntityId) -> bool {
        let (one, other) = (self.state.thing(left), self.state.thing(right));
        one.kind == other.kind
            && one.place == other.place
            && one.state == other.state
            && one.owner == other.owner
            && one.properties == other.properties
            && one.life == other.life
            && one.contents.is_empty()
            && other.contents.is_empty()
    }
}

/// Whether a value is one of these things, or holds one.
fn mentions(value: &Value, wanted: &impl Fn(EntityId) -> bool) -> bool {
    match value {
        Value::Entity(entity) => wanted(*entity),
        Value::List(members) => members.iter().any(|member| mentions(member, wanted)),
        Value::Dictionary(pairs) => pairs.iter().any(|(key, value)| mentions(key, wanted) || mentions(value, wanted)),
        Value::Message(message) => {
            message.to.is_some_and(wanted) || message.attributes.values().any(|value| mentions(value, wanted))
        }
        _ => false,
    }
}

fn offered<'b>(actions: &'b [Action], labels: Option<&[Name]>) -> impl Iterator<Item = (usize, &'b Action)> {
    actions.iter().enumerate().filter(move |(_, action)| match labels {
        Some(labels) => labels.contains(&action.label),
        None => !action.when_asked,
    })
}

fn blank((index, action): (usize, &Action), receiver: EntityId, ignoring: &[Name]) -> Message {
    Message {
        label: action.label.clone(),
        to: Some(receiver),
        attributes: Default::default(),
        ignoring: ignoring.to_vec(),
        numbers: vec![index as u64, receiver.into()],
    }
}

/// A choice of an action in numbers: the action, its receiver, then one number for each attribute.
pub fn encode(message: &Message) -> Choice {
    Choice::of(&message.numbers)
}

/// An attribute in numbers; what is no simple value, by its position in the list it was taken from.
fn number(runner: &Runner, value: &Value, position: usize) -> u64 {
    let tagged = |tag: u64, number: u64| tag << 48 | number & 0xFFFF_FFFF_FFFF;
    match value {
        Value::Nil => 0,
        Value::True => 1,
        Value::Whole(whole) => tagged(1, *whole as u64),
        Value::Entity(entity) => tagged(2, (*entity).into()),
        Value::Text(text) => match runner.book.texts.binary_search(text) {
            Ok(at) => tagged(3, at as u64),
            Err(_) => tagged(15, position as u64),
        },
        Value::Direction(direction) => tagged(4, (*direction).into()),
        Value::Kind(kind) => tagged(5, (*kind).into()),
        _ => tagged(15, position as u64),
    }
}
