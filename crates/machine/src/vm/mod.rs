//! Runs code: frames as data, so that a behavior stopped in the middle is a value like any other.

mod ask;
mod board;
mod calls;
mod checkpoints;
mod exec;
mod lists;
mod look;
mod messages;
mod reach;
mod simple;
mod things;
mod turns;

use crate::buffer::Buffer;
use crate::code::*;
use crate::cursor::Cursor;
use crate::derived::Derived;
use crate::layout;
use crate::listing::Found;
use crate::memory::{Mark, Memory};
use crate::program::Program;
use crate::sampler::Tickets;
use crate::value::{Kinded, Value};
use crate::world::{EntityId, GAME, KindId, NOBODY};
use houserules_kernel::Generator;
use houserules_model::Origin;

pub use ask::{Asking, DONE, Question};
pub(crate) use board::place_on;
pub(crate) use checkpoints::{Checkpoints, Trial};
pub(crate) use messages::{EMPTY, MessageParts};

/// One position's memory and what is running in it.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    pub mem: Memory,
    pub regs: Buffer<u64>,
    /// Where the registers of the next frame begin.
    pub top: usize,
    pub frames: Vec<Frame>,
    /// What the running behavior waits for.
    pub question: Option<Question>,
    /// Rules left out of the question being asked.
    pub skipped: Vec<RuleId>,
    /// Set while a choice is only tried: a question then means that nothing has refused.
    pub testing: bool,
    /// Conditions and tests nested in each other; a question cannot be asked from inside one.
    pub(crate) nested: u32,
    pub steps: u64,
    /// How many of them there are from one answer to the next, and words of memory for all of it.
    pub(crate) allotted: u64,
    pub(crate) room: usize,
    /// Messages and defines inside each other.
    pub(crate) deepest: u64,
    /// Whether anything of the question being answered used up steps, depth or memory.
    pub(crate) ran_out: bool,
    /// Where they ran out in a random choice: what is tried after that runs out at once, and knows no place.
    pub(crate) exhausted: Option<Stop>,
    pub(crate) checkpoints: Checkpoints,
    /// Set once Nature or another seat has answered in this action: taking it back would be a second try.
    pub answered: bool,
    pub in_action: bool,
    /// Actions of a `let` still to be carried out: player and choice.
    pub letting: Vec<(EntityId, Vec<u64>)>,
    pub said: Vec<(Option<EntityId>, String)>,
    /// Things removed in this action. They know their place until it ends.
    pub(crate) leaving: Vec<EntityId>,
    /// What follows from memory and is kept from move to move.
    pub(crate) derived: Derived,
    /// Room reused by drawing from receivers, and by listing their attributes.
    pub(crate) tickets: Tickets,
    pub(crate) members: Vec<u64>,
    /// The choices being gone through, and room for more of them.
    pub(crate) cursors: Vec<Cursor>,
    pub(crate) n_cursors: usize,
    /// In random play a copy of its generator while native code runs that may ask, and whether it was used.
    pub(crate) lots: Option<Generator>,
    pub(crate) drew_lots: bool,
    /// Its generator as the question began that is being answered in one go.
    pub(crate) begun: Option<Generator>,
    /// What native code has listed for the next draw.
    pub(crate) found: Found,
    /// What loops of native code have found so far.
    pub(crate) gathered: Buffer<u64>,
    /// Why native code stopped.
    pub(crate) pending: Option<Stop>,
    /// Which rule refused in native code, and why.
    pub(crate) refused: (RuleId, Value),
    /// How deep recursion in native code is, and the end of the stack it may use.
    pub(crate) depth: u64,
    pub(crate) stack_limit: usize,
    /// Room reused by forms that mark places.
    pub(crate) scratch: Vec<u32>,
    stamp: u32,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    pub func: FuncId,
    pub pc: u32,
    pub base: u32,
    /// Where the caller wants the value.
    pub dst: Reg,
    /// This message is the action itself: a law that refuses it refuses the action.
    pub action: bool,
    /// Carried out for a `let`: who was acting before.
    pub let_for: Option<Value>,
    pub skipped: u16,
}

/// Which function a form stands in, and where its registers begin.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Here {
    pub func: FuncId,
    pub base: usize,
}

/// Why code stopped before its end.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    Refused {
        rule: RuleId,
        reason: Value,
    },
    /// A question is open; the frames stay.
    Asked,
    /// A question after the end of the game: nothing more happens.
    Finished,
    Fault(Box<Fault>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    pub message: String,
    pub origin: Origin,
    /// Steps or depth are used up: whoever asks for choices in the middle of this does not go on to the next one.
    pub spent: bool,
}

impl Stop {
    pub fn fault(message: impl Into<String>) -> Stop {
        Stop::Fault(Box::new(Fault { message: message.into(), origin: Origin::NONE, spent: false }))
    }

    fn spent(message: &str) -> Stop {
        Stop::Fault(Box::new(Fault { message: message.into(), origin: Origin::NONE, spent: true }))
    }

    fn too_deep() -> Stop {
        Stop::spent("Messages or defines call each other for ever, or too deeply.")
    }

    pub(crate) fn is_spent(&self) -> bool {
        matches!(self, Stop::Fault(fault) if fault.spent)
    }

    pub(crate) fn at(mut self, origin: Origin) -> Stop {
        if let Stop::Fault(fault) = &mut self
            && fault.origin.is_none()
        {
            fault.origin = origin;
        }
        self
    }
}

pub type Run<T> = Result<T, Stop>;

/// Conditions inside conditions inside defines use the host's stack: where less than this is left, more is taken.
pub(crate) const STACK_LEFT: usize = 128 << 10;
const MORE_STACK: usize = 2 << 20;

impl Machine {
    /// For what is no question of a player.
    pub fn reset_budget(&mut self, program: &Program) {
        self.allotted = program.budget.steps;
        self.room = program.budget.words as usize;
        self.deepest = program.budget.depth.into();
        self.steps = self.allotted;
        self.exhausted = None;
    }

    /// Becomes a copy of another, in the memory it has.
    pub fn copy_from(&mut self, other: &Machine) {
        let Machine { mem, regs, top, frames, question, skipped, testing, nested, steps, checkpoints, .. } = other;
        self.mem.copy_from(mem);
        // Between two behaviors no register holds anything.
        if !frames.is_empty() {
            self.regs.clone_from(regs);
        }
        self.top = *top;
        copy_list(&mut self.frames, frames);
        self.question.clone_from(question);
        copy_list(&mut self.skipped, skipped);
        (self.testing, self.nested, self.steps) = (*testing, *nested, *steps);
        self.checkpoints.copy_from(checkpoints);
        let Machine { answered, in_action, letting, said, leaving, depth, allotted, room, deepest, .. } = other;
        (self.allotted, self.room, self.deepest) = (*allotted, *room, *deepest);
        self.ran_out = other.ran_out;
        (self.answered, self.in_action, self.depth) = (*answered, *in_action, *depth);
        copy_list(&mut self.letting, letting);
        copy_list(&mut self.said, said);
        copy_list(&mut self.leaving, leaving);
        self.derived.copy_from(&other.derived);
        self.gathered.clear();
        self.pending = None;
    }

    /// Asks laws about a receiver, as if it were the action's.
    pub(crate) fn ask_laws(&mut self, program: &Program, func: FuncId, receiver: EntityId) -> Run<Value> {
        if let Some(native) = program.native()
            && let Some(address) = native.address(func)
        {
            let n_args = program.functions[func as usize].n_args;
            return self.enter_native(native, address, n_args, &[Value::entity(receiver).0], true);
        }
        let floor = self.frames.len();
        let base = self.push_frame(program, func, 0, true)?;
        self.regs[base] = Value::entity(receiver).0;
        let result = self.run_nested(program, floor);
        self.drop_frames(floor);
        result
    }

    pub(crate) fn too_deep(&mut self) -> Stop {
        self.ran_out = true;
        Stop::too_deep()
    }

    /// Counts work done inside a form.
    #[inline]
    pub fn spend(&mut self, steps: u64) -> Run<()> {
        match self.steps.checked_sub(steps) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => {
                self.ran_out = true;
                Err(Stop::spent("This ran too long: the budget of steps between two decisions is used up."))
            }
        }
    }

    pub(crate) fn check_memory(&mut self) -> Run<()> {
        if self.mem.heap.len() + self.mem.slots.len() > self.room {
            self.ran_out = true;
            return Err(Stop::fault("This used too much memory: lists or things without end."));
        }
        Ok(())
    }

    /// Puts a frame for a function on top; the arguments are written by the caller.
    pub fn push_frame(&mut self, program: &Program, func: FuncId, dst: Reg, action: bool) -> Run<usize> {
        if self.frames.len() as u64 >= self.deepest {
            return Err(self.too_deep());
        }
        let base = self.top;
        let function = &program.functions[func as usize];
        let end = base + function.n_regs as usize;
        if self.regs.len() < end {
            self.regs.resize(end, 0);
        }
        self.top = end;
        // Arguments that are not given are nil; the other registers are written before they are read.
        self.regs[base..base + function.n_args as usize].fill(0);
        self.frames.push(Frame {
            func,
            pc: 0,
            base: base as u32,
            dst,
            action,
            let_for: None,
            skipped: self.skipped.len() as u16,
        });
        Ok(base)
    }

    /// Runs a function to its end and gives its value.
    pub fn call(&mut self, program: &Program, func: FuncId, args: &[Value]) -> Run<Value> {
        let floor = self.frames.len();
        let base = self.push_frame(program, func, 0, false)?;
        for (at, arg) in args.iter().enumerate() {
            self.regs[base + at] = arg.0;
        }
        let result = self.nested(|machine| machine.run(program, floor));
        self.drop_frames(floor);
        result
    }

    /// Ends all frames above `floor`.
    pub fn drop_frames(&mut self, floor: usize) {
        if let Some(frame) = self.frames.get(floor) {
            self.top = frame.base as usize;
            self.frames.truncate(floor);
        }
    }

    /// Puts back the frames of a stopped behavior.
    pub fn set_frames(&mut self, program: &Program, frames: Vec<Frame>) {
        self.frames = frames;
        self.top = self
            .frames
            .last()
            .map_or(0, |frame| frame.base as usize + program.functions[frame.func as usize].n_regs as usize);
    }

    /// Runs the frames above `floor` as a test, where nothing may be asked.
    pub fn run_nested(&mut self, program: &Program, floor: usize) -> Run<Value> {
        if self.frames.len() == floor {
            return Ok(Value::NIL);
        }
        self.nested(|machine| machine.run(program, floor))
    }

    /// Runs something from inside a form or test, where nothing may be asked.
    pub(crate) fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        self.nested_with(stacker::remaining_stack().unwrap_or(0), |machine, _| run(machine))
    }

    /// The same where it is known how much of the stack is left; `run` is told whether it runs on another one.
    #[inline]
    pub(crate) fn nested_with<T>(&mut self, left: usize, run: impl FnOnce(&mut Self, bool) -> T) -> T {
        self.nested += 1;
        let result = match left >= STACK_LEFT {
            true => run(self, false),
            false => stacker::grow(MORE_STACK, || run(self, true)),
        };
        self.nested -= 1;
        result
    }

    /// As `nested`, where no frame counts how deep it is.
    pub(crate) fn nested_within<T>(&mut self, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        if u64::from(self.nested) >= self.deepest {
            return Err(self.too_deep());
        }
        self.nested(run)
    }

    #[inline]
    pub fn kind_of(&self, program: &Program, entity: EntityId) -> KindId {
        match program.kinds.get(entity as usize) {
            Some(&kind) => kind,
            None => self.mem.slots[program.layout.made_block(entity) as usize] as KindId,
        }
    }

    pub fn exists(&self, program: &Program, entity: EntityId) -> bool {
        entity < program.layout.first_made + self.mem.get(layout::MADE).0 as u32
    }

    pub fn is_gone(&self, program: &Program, entity: EntityId) -> bool {
        !self.prop(program, layout::GONE, entity).is_nil()
    }

    #[inline]
    pub fn prop(&self, program: &Program, prop: PropId, entity: EntityId) -> Value {
        match program.layout.slot(prop, entity) {
            Some(slot) => self.mem.get(slot),
            None => Value::NIL,
        }
    }

    /// The living things of a kind, children included, in order of number.
    pub fn things(&self, program: &Program, kind: KindId) -> Vec<EntityId> {
        let extent = &program.extents[kind as usize];
        let made = program.layout.first_made..program.layout.first_made + self.mem.get(layout::MADE).0 as u32;
        let made = made.filter(|&thing| program.is_a[self.kind_of(program, thing) as usize][kind as usize]);
        extent.things.iter().copied().chain(made).filter(|&thing| !self.is_gone(program, thing)).collect()
    }

    /// The living things of a kind as a list in the heap.
    pub(crate) fn list_things(&mut self, program: &Program, kind: KindId) -> Value {
        let extent = &program.extents[kind as usize];
        let list = self.mem.begin();
        let tracked = program.layout.props[layout::GONE as usize].kinds.iter().any(|&has| has);
        for &thing in &extent.things {
            if !tracked || !self.is_gone(program, thing) {
                self.mem.heap.push(Value::entity(thing).0);
            }
        }
        let first = program.layout.first_made;
        for thing in first..first + self.mem.get(layout::MADE).0 as u32 {
            if program.is_a[self.kind_of(program, thing) as usize][kind as usize] && !self.is_gone(program, thing) {
                self.mem.heap.push(Value::entity(thing).0);
            }
        }
        self.mem.end(list)
    }

    /// The entity a value stands for; a text is an entity's name. None for nil.
    pub fn entity(&self, program: &Program, value: Value, what: &str) -> Run<Option<EntityId>> {
        match value.kinded() {
            Kinded::Entity(entity) => Ok(Some(entity)),
            Kinded::Nil => Ok(None),
            Kinded::Text(text) => match program.world.names.get(program.texts.get(text)) {
                Some(&entity) => Ok(Some(entity)),
                None => Err(Stop::fault(format!(
                    "{what} needs an entity, and nothing is called “{}”.",
                    program.texts.get(text)
                ))),
            },
            _ => Err(Stop::fault(format!("{what} needs an entity, not {}.", self.quoted(program, value)))),
        }
    }

    pub fn player_seat(&self, program: &Program, value: Value, what: &str) -> Run<Option<u32>> {
        match self.entity(program, value, what)? {
            None => Ok(None),
            Some(entity) => match program.world.entity_seat(entity) {
                Some(seat) => Ok(Some(seat)),
                None => Err(Stop::fault(format!("{what} needs a player, not {}.", self.quoted(program, value)))),
            },
        }
    }

    /// The player who acts; outside an action, the one whose turn it is.
    pub fn player(&self) -> Value {
        let actor = self.mem.get(layout::ACTOR);
        if actor.is_nil() { self.first_player() } else { actor }
    }

    #[inline]
    pub fn is_over(&self) -> bool {
        !self.mem.get(layout::OVER).is_nil()
    }

    /// Whether a plain value stands for something: made-up numbers of a choice may not.
    pub fn is_known(&self, program: &Program, value: Value) -> bool {
        match value.kinded() {
            Kinded::Entity(entity) => self.exists(program, entity),
            Kinded::Text(text) => program.texts.has(text),
            Kinded::Direction(direction) => (direction as usize) < program.world.directions.names.len(),
            Kinded::Kind(kind) => (kind as usize) < program.world.kinds.len(),
            Kinded::Nil | Kinded::List(_) | Kinded::Dictionary(_) | Kinded::Message(_) => false,
            Kinded::True | Kinded::Whole(_) | Kinded::Decimal(_) => true,
        }
    }

    /// A value in words, as people see it.
    pub fn show(&self, program: &Program, value: Value) -> String {
        match value.kinded() {
            Kinded::Nil => "nil".into(),
            Kinded::True => "true".into(),
            Kinded::Whole(whole) => whole.to_string(),
            Kinded::Decimal(decimal) => decimal.to_string(),
            Kinded::Entity(entity) => self.name(program, entity),
            Kinded::Text(text) => program.texts.get(text).to_string(),
            Kinded::Direction(direction) => program.world.directions.names[direction as usize].to_string(),
            Kinded::Kind(kind) => program.world.kinds[kind as usize].name.to_string(),
            Kinded::List(list) => {
                let members: Vec<String> =
                    self.mem.members(list).iter().map(|&word| self.show(program, Value(word))).collect();
                match members.split_first() {
                    Some((first, pieces)) if first == crate::limits::TELLING => pieces.concat(),
                    _ => format!("({})", members.join(" ")),
                }
            }
            Kinded::Dictionary(dictionary) => {
                let mut pairs: Vec<String> = self
                    .mem
                    .members(dictionary)
                    .chunks(2)
                    .map(|pair| {
                        format!("{}: {}", self.show(program, Value(pair[0])), self.show(program, Value(pair[1])))
                    })
                    .collect();
                pairs.sort();
                format!("{{{}}}", pairs.join(", "))
            }
            Kinded::Message(message) => {
                let words = self.mem.members(message);
                let mut text = program.texts.get(program.labels[words[0] as usize].name).to_string();
                if !Value(words[1]).is_nil() && Value(words[1]) != Value::entity(GAME) {
                    text += &format!(" {}", self.show(program, Value(words[1])));
                }
                for pair in words[3..].chunks(2) {
                    if !Value(pair[1]).is_nil() {
                        text += &format!(" {}", self.show(program, Value(pair[1])));
                    }
                }
                text
            }
        }
    }

    /// A value as a fault tells it: a text can be blank, or look like a number.
    pub fn quoted(&self, program: &Program, value: Value) -> String {
        match value.kinded() {
            Kinded::Text(_) => format!("“{}”", self.show(program, value)),
            _ => self.show(program, value),
        }
    }

    /// The number of a thing within its board, or among those of its kind.
    pub fn number_of(&self, program: &Program, entity: EntityId) -> u32 {
        if let Some(thing) = program.world.entities.get(entity as usize) {
            return thing.number;
        }
        let kind = self.kind_of(program, entity);
        let from_start = program.world.entities.iter().filter(|thing| thing.kind == kind).count();
        let made = (program.layout.first_made..entity).filter(|&other| self.kind_of(program, other) == kind).count();
        (from_start + made) as u32 + 1
    }

    pub fn name(&self, program: &Program, entity: EntityId) -> String {
        match program.world.entities.get(entity as usize) {
            Some(thing) => thing.name.to_string(),
            None if entity == NOBODY => "nobody".into(),
            None => {
                let kind = &program.world.kinds[self.kind_of(program, entity) as usize].name;
                format!("{kind} {}", self.number_of(program, entity))
            }
        }
    }

    /// Mixes a value into a hash, lists by content.
    #[inline]
    pub fn hash_value(&self, value: Value, hash: u64) -> u64 {
        match value.in_heap() {
            true => self.hash_members(value, hash),
            false => mix(hash, value.0),
        }
    }

    fn hash_members(&self, value: Value, hash: u64) -> u64 {
        match value.kinded() {
            Kinded::List(offset) | Kinded::Message(offset) => {
                self.mem.members(offset).iter().fold(mix(hash, 0x11), |hash, &word| self.hash_value(Value(word), hash))
            }
            Kinded::Dictionary(offset) => {
                let sum = self.mem.members(offset).chunks(2).fold(0u64, |sum, pair| {
                    sum.wrapping_add(self.hash_value(Value(pair[1]), self.hash_value(Value(pair[0]), 0x22)))
                });
                mix(hash, sum)
            }
            _ => mix(hash, value.0),
        }
    }
}

/// Becomes a copy of another list; mostly both are empty, and nothing needs to be done.
#[inline]
pub(crate) fn copy_list<T: Clone>(list: &mut Vec<T>, other: &Vec<T>) {
    if !(list.is_empty() && other.is_empty()) {
        list.clone_from(other);
    }
}

/// One step of a multiply-and-fold hash; the same on every machine.
#[inline]
pub fn mix(hash: u64, word: u64) -> u64 {
    let product =
        u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * u128::from(0xd6e8_feb8_6659_fd93_u64 ^ word.rotate_left(32));
    (product as u64) ^ ((product >> 64) as u64).rotate_left(23) ^ word.wrapping_mul(0xa076_1d64_78bd_642f)
}
