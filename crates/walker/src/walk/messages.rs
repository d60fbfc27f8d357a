//! What happens when a message reaches an entity: laws, behavior, side-effects and after-laws.

use super::run::{Frame, Runner};
use super::state::Life;
use super::stop::{Halt, Stop, fault};
use super::trace;
use super::value::{Message, Value};
use crate::world::{EntityId, GAME};
use houserules_kernel::{SeatId, Who};
use houserules_model::*;

/// What a message is to the one who is playing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Sent by something that runs. A law that refuses it stops only this message.
    Inner,
    /// The action itself.
    Action,
    /// The action, run only as far as something could still refuse it.
    Trial,
}

impl<'a> Runner<'a> {
    /// A message sent by code.
    pub fn send(&mut self, message: Message, to: EntityId, actor: Option<EntityId>) -> Result<Value, Stop> {
        self.deliver(message, to, actor, Weight::Inner)
    }

    /// An action of a player with all it sets off.
    pub fn act(&mut self, message: Message, player: EntityId) -> Result<Value, Stop> {
        let n_met = self.log.len();
        let to = message.to.unwrap_or(GAME);
        let result = self.acting(|runner| runner.deliver(message, to, Some(player), Weight::Action));
        if let Err(stop) = &result
            && let Halt::Refused(refused) = &**stop
        {
            let own = self.book.world.entity_seat(player).map(|seat| Who::Seat(SeatId(seat as u8)));
            if self.log[n_met..].iter().any(|(who, _)| Some(*who) != own) {
                let law = refused.law.as_deref().unwrap_or("A rule");
                return Err(fault(format!(
                    "“{law}” takes an action back after chance or another player has answered in it."
                )));
            }
        }
        result
    }

    pub fn deliver(
        &mut self,
        mut message: Message,
        to: EntityId,
        actor: Option<EntityId>,
        weight: Weight,
    ) -> Result<Value, Stop> {
        self.step()?;
        if self.state.thing(to).life == Life::Gone {
            return Ok(Value::Nil);
        }
        message.to = Some(to);
        self.without(message.ignoring.clone(), |runner| {
            runner.deeper(|runner| runner.handle(message, to, actor, weight))
        })
    }

    /// Rules that stand aside, as a law does in its own question: in everything that happens and is asked meanwhile.
    fn without<T>(&mut self, rules: Vec<Name>, run: impl FnOnce(&mut Self) -> T) -> T {
        let n_active = self.active.len();
        self.active.extend(rules);
        let result = run(self);
        self.active.truncate(n_active);
        result
    }

    fn handle(
        &mut self,
        message: Message,
        to: EntityId,
        actor: Option<EntityId>,
        weight: Weight,
    ) -> Result<Value, Stop> {
        let book = self.book;
        let label = message.label.clone();
        let trial = weight == Weight::Trial;
        if !trial {
            trace::tell(|| self.traced(&message, to));
        }
        let _inside = trace::inside(trial);
        // A message that nobody answers in this state is none: no law asks about it and nothing follows from it.
        let Some(body) = self.answer_of(to, &label) else {
            trace::tell(|| trace::What::Unanswered);
            return Ok(Value::Nil);
        };
        // The state in a pointcut is the state when the message came.
        let rules = self.rules_for(&message, to);
        let mut frame = Frame::with_message(to, actor, message);
        for rule in rules.iter().filter(|rule| rule.kind == RuleKind::Law) {
            let asked = self.rule(rule, &mut frame);
            trace::rule(rule.kind, &rule.name, &asked);
            if let Err(stop) = asked {
                return match *stop {
                    Halt::Refused(refused) if refused.quiet && weight == Weight::Inner => Ok(Value::Nil),
                    halt => Err(Box::new(halt)),
                };
            }
        }
        let mut posts: Vec<&'a Rule> = rules.into_iter().filter(|rule| rule.kind != RuleKind::Law).collect();
        if weight == Weight::Trial {
            let last = posts.iter().rposition(|rule| book.refusing.post(rule));
            posts.truncate(last.map_or(0, |last| last + 1));
            if posts.is_empty() && !book.refusing.body(body) {
                return Ok(Value::Nil);
            }
        }
        frame.variables.clear();
        frame.rule = None;
        frame.law = false;
        let value = self.whole_body(body, &mut frame)?;
        if &*label == "gameover" && to == GAME {
            let message = frame.message.as_ref().expect("a message is being handled");
            let winner = message.attributes.get("winner").cloned().unwrap_or(Value::Nil);
            self.win(&winner)?;
        }
        for rule in posts {
            trace::tell(|| trace::What::Rule { kind: rule.kind, name: rule.name.to_string(), refused: None });
            let _inside = trace::inside(false);
            self.rule(rule, &mut frame)?;
        }
        Ok(value)
    }

    /// A message in words.
    fn traced(&self, message: &Message, to: EntityId) -> trace::What {
        let attributes = message.attributes.iter().filter(|(name, _)| &***name != "label");
        let attributes = attributes.map(|(name, value)| (name.to_string(), self.told(value))).collect();
        let thing = self.state.thing(to);
        let answers = self.book.behavior(thing.kind, &thing.state, &message.label);
        let answers = answers.map(|own| trace::Answering { model: own.of.to_string(), state: own.state.to_string() });
        trace::What::Message { label: message.label.to_string(), to: self.thing_name(to), attributes, answers }
    }

    pub(super) fn thing_name(&self, thing: EntityId) -> String {
        if thing == GAME { "game".to_owned() } else { self.state.thing(thing).name.to_string() }
    }

    /// Only the laws before the behavior, and of them those that are wanted.
    pub fn laws_alone(
        &mut self,
        message: Message,
        to: EntityId,
        player: EntityId,
        wanted: impl Fn(&Rule) -> bool,
    ) -> Result<Value, Stop> {
        self.without(message.ignoring.clone(), |runner| {
            let rules = runner.rules_for(&message, to);
            let mut frame = Frame::with_message(to, Some(player), message);
            frame.unfinished = true;
            for rule in rules.into_iter().filter(|rule| rule.kind == RuleKind::Law && wanted(rule)) {
                runner.rule(rule, &mut frame)?;
            }
            Ok(Value::Nil)
        })
    }

    /// The rules on a message, in order. Laws being checked are left out of their own questions, and so are ignored ones.
    fn rules_for(&self, message: &Message, to: EntityId) -> Vec<&'a Rule> {
        let thing = self.state.thing(to);
        let world = &self.book.world;
        let any =
            |names: &[(Name, Origin)], wanted: &str| names.iter().any(|(name, _)| &**name == "*" || &**name == wanted);
        self.book
            .rules
            .iter()
            .filter(|rule| any(&rule.labels, &message.label))
            .filter(|rule| rule.states.is_empty() || any(&rule.states, &thing.state))
            .filter(|rule| {
                rule.to.is_empty()
                    || rule.to.iter().any(|(name, _)| {
                        &**name == "*"
                            || world.kind(name).is_some_and(|kind| world.is_a(thing.kind, kind))
                            || world.names.get(name) == Some(&to)
                    })
            })
            .filter(|rule| !self.active.contains(&rule.name))
            .collect()
    }

    /// Runs one rule. A law refuses by `require` or by any `return`; a side-effect just ends there.
    pub fn rule(&mut self, rule: &'a Rule, frame: &mut Frame) -> Result<(), Stop> {
        frame.variables.clear();
        frame.rule = Some(rule.name.clone());
        frame.law = rule.kind == RuleKind::Law;
        let law = rule.kind != RuleKind::SideEffect;
        if law {
            self.active.push(rule.name.clone());
        }
        let result = self.body(&rule.body, frame);
        if law {
            self.active.pop();
        }
        let Err(stop) = result else { return Ok(()) };
        match *stop {
            Halt::Return(reason) if law => {
                let reason = reason.truth().then(|| self.told(&reason));
                match frame.law {
                    true => Err(self.refuse(frame, reason, true)),
                    false => Err(self.roll_back(frame, reason)),
                }
            }
            Halt::Return(_) | Halt::Break | Halt::Continue => Ok(()),
            halt => Err(Box::new(halt)),
        }
    }

    /// The body that answers a message: the entity's behavior, the action's own body, the set-up for `start`.
    fn answer_of(&self, to: EntityId, label: &Name) -> Option<&'a [Expr]> {
        let book = self.book;
        let thing = self.state.thing(to);
        if let Some(behavior) = book.behavior(thing.kind, &thing.state, label) {
            return Some(&behavior.body);
        }
        let goes = |action: &&Action| action.label == *label && book.world.goes_to(action, thing.kind);
        if let Some(action) = book.actions.iter().find(goes) {
            return Some(action.body.as_deref().unwrap_or(&[]));
        }
        match &**label {
            "start" if to == GAME => Some(book.setup.as_deref().unwrap_or(&[])),
            "turn" | "stuck" | "gameover" if to == GAME => Some(&[]),
            _ => None,
        }
    }
}
