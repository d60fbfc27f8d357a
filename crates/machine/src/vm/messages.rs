//! Messages, and what words mean for things.

use super::*;
use crate::code::gives_places;
use crate::program::{Handler, Woven};

/// A message in the heap: label, receiver, the rules it was found without (as a list or nil), then attributes in pairs.
pub(crate) const MESSAGE_HEAD: usize = 3;

/// A message taken apart.
pub(crate) struct MessageParts {
    pub label: LabelId,
    pub to: Value,
    /// Rules it was found without, as a list, or nil.
    pub ignoring: Value,
    pub attributes: Vec<(NameId, Value)>,
}

impl Machine {
    pub fn state(&self, program: &Program, entity: EntityId) -> Value {
        let state = self.prop(program, layout::STATE, entity);
        if state.is_nil() { Value::text(program.states[0]) } else { state }
    }

    pub(super) fn change_state(&mut self, program: &Program, entity: Value, state: Value) -> Run<()> {
        let Some(entity) = self.entity(program, entity, "`changeState`")? else { return Ok(()) };
        let text = self.text(program, state)?;
        let slot = program.layout.slot(layout::STATE, entity).ok_or_else(|| Stop::fault("This thing has no state."))?;
        // The first state is stored as nothing, so that a position that came back to it is the same position.
        let value = if text == program.states[0] { Value::NIL } else { Value::text(text) };
        self.mem.set(slot, value);
        Ok(())
    }

    /// What answers a label for an entity in its present state.
    #[inline]
    pub fn handler(&self, program: &Program, label: LabelId, entity: EntityId) -> Option<Woven> {
        if self.has_left(program, entity) {
            return None;
        }
        match &program.handlers[label as usize][self.kind_of(program, entity) as usize] {
            Handler::None => None,
            Handler::Single(woven) => Some(*woven),
            Handler::ByState(states) => {
                let Kinded::Text(state) = self.state(program, entity).kinded() else { return None };
                let at = program.states.iter().position(|&known| known == state)?;
                states[at]
            }
        }
    }

    /// Puts a frame for a message on top; false if nobody answers it.
    pub(super) fn send(&mut self, program: &Program, base: usize, send: &SendSpec, dst: Reg) -> Run<bool> {
        let to = Value(self.regs[base + send.to.expect("a send has a receiver") as usize]);
        let Some(entity) = self.entity(program, to, "A message")? else { return Ok(false) };
        let label = match send.label {
            LabelRef::Known(label) => label,
            LabelRef::Computed(reg) => match self.label_of(program, Value(self.regs[base + reg as usize]))? {
                Some(label) => label,
                None => return Ok(false),
            },
        };
        let Some(woven) = self.handler(program, label, entity) else { return Ok(false) };
        let frame = self.push_frame(program, woven.full, dst, false)?;
        self.regs[frame] = Value::entity(entity).0;
        let attributes = &program.labels[label as usize].attributes;
        for &(name, reg) in &send.with {
            if let Some(at) = attributes.iter().position(|&known| known == name) {
                self.regs[frame + 1 + at] = self.regs[base + reg as usize];
            }
        }
        Ok(true)
    }

    fn label_of(&self, program: &Program, value: Value) -> Run<Option<LabelId>> {
        let text = self.text(program, value)?;
        Ok(program.labels.iter().position(|label| label.name == text).map(|at| at as LabelId))
    }

    pub(super) fn forward(
        &mut self,
        program: &Program,
        base: usize,
        received: &Received,
        to: Value,
        dst: Reg,
    ) -> Run<bool> {
        let Some(entity) = self.entity(program, to, "`forward`")? else { return Ok(false) };
        let Some(woven) = self.handler(program, received.label, entity) else { return Ok(false) };
        let frame = self.push_frame(program, woven.full, dst, false)?;
        self.regs[frame] = Value::entity(entity).0;
        let n = received.attributes.len();
        self.regs.copy_within(base + 1..base + 1 + n, frame + 1);
        Ok(true)
    }

    pub(super) fn new_message(&mut self, program: &Program, base: usize, send: &SendSpec) -> Run<Value> {
        let label = match send.label {
            LabelRef::Known(label) => label,
            LabelRef::Computed(reg) => {
                let value = Value(self.regs[base + reg as usize]);
                self.label_of(program, value)?
                    .ok_or_else(|| Stop::fault(format!("Nobody knows the message {}.", self.show(program, value))))?
            }
        };
        let to = send.to.map_or(Value::NIL, |reg| Value(self.regs[base + reg as usize]));
        let mut words = vec![Value(u64::from(label)), to, Value::NIL];
        for &(name, reg) in &send.with {
            words.extend([Value::text(name), Value(self.regs[base + reg as usize])]);
        }
        Ok(Value::message(self.mem.alloc(words)))
    }

    pub(super) fn this_message(&mut self, program: &Program, base: usize, received: &Received) -> Run<Value> {
        let _ = program;
        let mut words = vec![Value(u64::from(received.label)), Value(self.regs[base]), Value::NIL];
        for &(name, reg) in &received.attributes {
            let value = Value(self.regs[base + reg as usize]);
            if !value.is_nil() {
                words.extend([Value::text(name), value]);
            }
        }
        Ok(Value::message(self.mem.alloc(words)))
    }

    pub(crate) fn message_parts(&self, program: &Program, message: Value) -> Run<MessageParts> {
        let Kinded::Message(offset) = message.kinded() else {
            return Err(Stop::fault(format!("A message is needed here, not {}.", self.quoted(program, message))));
        };
        let words = self.mem.members(offset);
        let attributes = words[MESSAGE_HEAD..].chunks(2).map(|pair| (pair[0] as u32, Value(pair[1]))).collect();
        Ok(MessageParts { label: words[0] as LabelId, to: Value(words[1]), ignoring: Value(words[2]), attributes })
    }

    pub(super) fn send_value(&mut self, program: &Program, message: Value, dst: Reg) -> Run<bool> {
        if message.is_nil() {
            return Ok(false);
        }
        let MessageParts { label, to, attributes, .. } = self.message_parts(program, message)?;
        // To nobody nothing is said.
        let Some(entity) = self.entity(program, to, "A message")? else { return Ok(false) };
        self.push_message(program, label, entity, &attributes, dst, false)
    }

    /// Puts a frame for a message with named attributes on top.
    pub(crate) fn push_message(
        &mut self,
        program: &Program,
        label: LabelId,
        entity: EntityId,
        attributes: &[(NameId, Value)],
        dst: Reg,
        action: bool,
    ) -> Run<bool> {
        let Some(woven) = self.handler(program, label, entity) else { return Ok(false) };
        let frame = self.push_frame(program, woven.full, dst, action)?;
        self.regs[frame] = Value::entity(entity).0;
        for &(name, value) in attributes {
            if let Some(at) = program.labels[label as usize].attributes.iter().position(|&known| known == name) {
                self.regs[frame + 1 + at] = value.0;
            }
        }
        Ok(true)
    }

    /// A message from the machine to the game: `start`, `turn`, `stuck`.
    pub fn tell_game(&mut self, program: &Program, label: LabelId) -> Run<bool> {
        self.push_message(program, label, GAME, &[], 0, false)
    }

    pub(super) fn send_gameover(&mut self, program: &Program, winner: Value, dst: Reg) -> Run<bool> {
        let name = program.labels[program.gameover as usize].attributes[0];
        self.push_message(program, program.gameover, GAME, &[(name, winner)], dst, false)
    }

    pub(super) fn message_attribute(&self, value: Value, name: NameId) -> Option<Value> {
        let Kinded::Message(offset) = value.kinded() else { return None };
        let words = self.mem.members(offset);
        words[MESSAGE_HEAD..].chunks(2).find(|pair| pair[0] == Value::text(name).0).map(|pair| Value(pair[1]))
    }

    /// An attribute of a message; nil for nil; anything else has no properties.
    pub(super) fn attribute_or_nil(&self, program: &Program, value: Value, name: NameId) -> Run<Value> {
        match value.kinded() {
            Kinded::Nil => {
                let answers = program.answers.get(&name).map_or(&[][..], |answers| answers);
                let no_places = gives_places(answers.iter().flatten().copied());
                let nothing = no_places || &**program.texts.get(name) == "contents";
                Ok(if nothing { Value::list(EMPTY) } else { Value::NIL })
            }
            Kinded::Entity(_) | Kinded::Text(_) => Ok(Value::NIL),
            Kinded::Message(offset) => {
                let words = self.mem.members(offset);
                Ok(match &**program.texts.get(name) {
                    "label" => Value::text(program.labels[words[0] as usize].name),
                    _ => self.message_attribute(value, name).unwrap_or(Value::NIL),
                })
            }
            _ => Err(Stop::fault(format!("{} has no “{}”.", self.show(program, value), program.texts.get(name)))),
        }
    }

    pub(super) fn answer_if_has(&self, program: &Program, value: Value, name: NameId) -> Run<Option<Answer>> {
        let Some(entity) = value.as_entity() else { return Ok(None) };
        Ok(program.answers.get(&name).and_then(|answers| answers[self.kind_of(program, entity) as usize]))
    }

    pub(super) fn answer_of(&self, program: &Program, value: Value, name: NameId) -> Run<Option<Answer>> {
        let entity = match value.kinded() {
            Kinded::Entity(entity) => entity,
            Kinded::Text(_) => self.entity(program, value, "This")?.unwrap_or(GAME),
            _ => return Ok(None),
        };
        if entity == GAME && &**program.texts.get(name) == "players" {
            return Ok(Some(Answer::Field(Field::Team)));
        }
        Ok(program.answers.get(&name).and_then(|answers| answers[self.kind_of(program, entity) as usize]))
    }

    pub(crate) fn get_prop_slow(&self, program: &Program, value: Value, prop: PropId) -> Run<Value> {
        match value.kinded() {
            Kinded::Nil => Ok(Value::NIL),
            Kinded::Text(_) => Ok(self
                .entity(program, value, "A property")?
                .map_or(Value::NIL, |entity| self.prop(program, prop, entity))),
            _ => {
                let name = &program.layout.props[prop as usize].name;
                match program.texts.find(name) {
                    Some(name) => self.attribute_or_nil(program, value, name),
                    None => Err(Stop::fault(format!("{} has no “{name}”.", self.show(program, value)))),
                }
            }
        }
    }

    /// Any answer that needs no code to run. `asker` decides which way is forward.
    pub(crate) fn plain_answer(&mut self, program: &Program, value: Value, answer: Answer, asker: Value) -> Run<Value> {
        let Some(entity) = self.entity(program, value, "This")? else {
            return Ok(match answer {
                Answer::Set(_) | Answer::RelativeSet(_) | Answer::Field(Field::Contents) => Value::list(EMPTY),
                _ => Value::NIL,
            });
        };
        Ok(match answer {
            Answer::Property(layout::STATE) => self.state(program, entity),
            Answer::Property(prop) => self.prop(program, prop, entity),
            Answer::Field(field) => self.get_field(program, Value::entity(entity), field)?,
            Answer::Direction(direction) => Value::maybe(program.world.directions.step(direction, entity)),
            Answer::Set(_) | Answer::RelativeSet(_) => {
                let ways = self.ways_of(program, entity, answer, asker);
                let list = self.mem.begin();
                for direction in ways {
                    let steps = program.world.directions.steps(direction, entity);
                    self.mem.heap.extend(steps.iter().map(|&place| Value::entity(place).0));
                }
                self.mem.end(list)
            }
            Answer::Relative(_) => match self.ways_of(program, entity, answer, asker).first() {
                Some(&direction) => Value::maybe(program.world.directions.step(direction, entity)),
                None => Value::NIL,
            },
            Answer::Define(func) => self.call(program, func, &[Value::entity(entity)])?,
        })
    }
}

/// The empty list stands at the beginning of every heap.
pub(crate) const EMPTY: u32 = 0;
