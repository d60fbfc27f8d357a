//! The choices of `(choices …)` one after the other, for questions that may be answered by the first of them.
//!
//! Whoever asks takes the next one only when the last one did not settle the question, and leaves the position as it is
//! between the two. The order is that of the list.

use crate::code::{Choices, FuncId, Left, MOST_ARGS};
use crate::layout;
use crate::program::{Program, Receivers};
use crate::value::Value;
use crate::vm::{Machine, Run};
use crate::world::{EntityId, GAME};

/// How far the choices of one question have been gone through.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cursor {
    choices: u32,
    player: EntityId,
    /// The rules left out, as a list or nil.
    ignoring: Value,
    /// The action, and those who may receive it, as far as they have not been asked for more.
    action: usize,
    receivers: Vec<EntityId>,
    enrolled: bool,
    next: usize,
    asked_once: bool,
    /// What native code has listed for the action instead, as far as it has not been tested.
    listed: Vec<(EntityId, u64)>,
    next_listed: usize,
    /// What the last receiver asked can do: action and arguments.
    found: Vec<(usize, [u64; MOST_ARGS])>,
    at: usize,
    /// How many were given so far.
    given: usize,
    /// Everything as a list, where something is at fault or receivers are computed.
    list: Option<Value>,
    /// How long the heap was before the last message.
    heap: usize,
    /// The steps there were at the beginning.
    steps: u64,
}

impl Machine {
    /// Begins to go through the choices of a player.
    pub(crate) fn begin_choices(&mut self, program: &Program, choices: u32, player: Value) -> Run<()> {
        let seat = self.player_seat(program, player, "`choices`")?;
        if self.cursors.len() == self.n_cursors {
            self.cursors.push(Cursor::default());
        }
        let asked = &program.pools.choices[choices as usize];
        let ignoring = self.ignored(asked);
        let heap = self.mem.heap.len();
        let cursor = &mut self.cursors[self.n_cursors];
        self.n_cursors += 1;
        (cursor.choices, cursor.ignoring, cursor.heap) = (choices, ignoring, heap);
        (cursor.at, cursor.given, cursor.list, cursor.steps) = (0, 0, None, self.steps);
        cursor.found.clear();
        cursor.receivers.clear();
        cursor.listed.clear();
        (cursor.next, cursor.next_listed) = (0, 0);
        // One before the first; nobody has no choices.
        cursor.action = usize::MAX;
        match seat {
            Some(seat) => cursor.player = program.world.seat_entity(seat),
            None => cursor.list = Some(Value::list(crate::vm::EMPTY)),
        }
        if program.roster.is_none() && seat.is_some() {
            let (player, list) = (cursor.player, self.n_cursors - 1);
            let listed = self.list_choices(program, player, asked, ignoring);
            self.cursors[list].list = listed.as_ref().ok().copied();
            if listed.is_err() {
                self.n_cursors -= 1;
            }
            return listed.map(|_| ());
        }
        Ok(())
    }

    /// Whoever lists them all would have asked the others too. Where each of them asks for choices again that is beyond
    /// any measure more, so it is counted as if they had been; who runs out by that leaves it to who counts exactly.
    pub(crate) fn end_choices(&mut self) {
        self.n_cursors -= 1;
        let cursor = &self.cursors[self.n_cursors];
        let (gone, all) = (cursor.next + cursor.next_listed, cursor.receivers.len() + cursor.listed.len());
        let used = cursor.steps.saturating_sub(self.steps);
        let others = used / gone.max(1) as u64 * (all - gone.min(all)) as u64;
        if self.spend(others).is_err() {
            self.steps = 0;
        }
    }

    /// The next choice as a message; nil behind the last one.
    pub(crate) fn next_choice(&mut self, program: &Program) -> Run<Value> {
        let at = self.n_cursors - 1;
        let mut cursor = std::mem::take(&mut self.cursors[at]);
        let next = self.advance(program, &mut cursor);
        self.cursors[at] = cursor;
        next
    }

    fn advance(&mut self, program: &Program, cursor: &mut Cursor) -> Run<Value> {
        let choices = &program.pools.choices[cursor.choices as usize];
        if cursor.list.is_none() && cursor.at == cursor.found.len() {
            self.mem.heap.truncate(cursor.heap);
            // What is asked may ask the same again, without a frame or a native function that counts how deep it is.
            let found = self.in_trial(cursor.player, &choices.ignoring, |machine| {
                machine.nested_within(|machine| machine.find_next(program, cursor, choices))
            });
            if let Err(stop) = found {
                if stop.is_spent() {
                    return Err(stop);
                }
                // What is at fault refuses, or is told where nothing else is left: whoever lists everything knows. Those
                // given so far are the first of the list.
                cursor.list = Some(self.list_choices(program, cursor.player, choices, cursor.ignoring)?);
            }
        }
        if let Some(list) = cursor.list {
            let member = self.mem.members(list.0 as u32).get(cursor.given).copied();
            cursor.given += 1;
            return Ok(member.map_or(Value::NIL, Value));
        }
        let Some((action, args)) = cursor.found.get(cursor.at) else { return Ok(Value::NIL) };
        // A list that is an attribute itself has to stay as long as its receiver is gone through.
        if !cursor.found.iter().flat_map(|(_, args)| args).any(|&word| Value(word).in_heap()) {
            self.mem.heap.truncate(cursor.heap);
        }
        cursor.at += 1;
        cursor.given += 1;
        Ok(self.choice_message(program, choices, *action, args, cursor.ignoring))
    }

    /// Goes on to the next receiver that can do something.
    fn find_next(&mut self, program: &Program, cursor: &mut Cursor, choices: &Choices) -> Run<()> {
        cursor.found.clear();
        cursor.at = 0;
        loop {
            if let Some(&(receiver, value)) = cursor.listed.get(cursor.next_listed) {
                cursor.next_listed += 1;
                let mut args = [0; MOST_ARGS];
                args[0] = Value::entity(receiver).0;
                args[1 + program.actions[cursor.action].with[0].0 as usize] = value;
                if self.passes_test(program, cursor.player, cursor.action, receiver, &choices.tests, &args)? {
                    cursor.found.push((cursor.action, args));
                    return Ok(());
                }
                continue;
            }
            let Some(&receiver) = cursor.receivers.get(cursor.next) else {
                let from = cursor.action.wrapping_add(1);
                let wanted = |&at: &usize| program.actions[at].label == choices.label;
                let Some(action) = (from..program.actions.len()).find(wanted) else { return Ok(()) };
                self.turn_to(program, cursor, action)?;
                continue;
            };
            cursor.next += 1;
            let code = &program.actions[cursor.action];
            if !cursor.enrolled && !self.may_get(program, code, cursor.player, receiver)? {
                continue;
            }
            if !std::mem::replace(&mut cursor.asked_once, true) && !self.passes_once(program, code, receiver)? {
                cursor.next = cursor.receivers.len();
                continue;
            }
            self.find_of(program, cursor.player, cursor.action, receiver, &choices.tests, &mut cursor.found)?;
            if !cursor.found.is_empty() {
                return Ok(());
            }
        }
    }

    /// Begins with another action: those who may receive it, in the order in which they are listed.
    fn turn_to(&mut self, program: &Program, cursor: &mut Cursor, action: usize) -> Run<()> {
        (cursor.action, cursor.next, cursor.asked_once) = (action, 0, false);
        cursor.receivers.clear();
        cursor.listed.clear();
        cursor.next_listed = 0;
        cursor.enrolled = self.roster_holds(program);
        if cursor.enrolled {
            let set = self.roster_set(program, action, cursor.player);
            let nobody = self.derived.enrolled.count(set) == 0;
            if nobody || !self.passes_once(program, &program.actions[action], self.derived.enrolled.select(set, 0))? {
                return Ok(());
            }
            cursor.asked_once = true;
            if self.list_within(program, action, cursor.player, &mut cursor.listed) {
                return Ok(());
            }
        }
        match program.actions[action].to {
            _ if cursor.enrolled => {
                let set = self.roster_set(program, action, cursor.player);
                self.derived.enrolled.list(set, &mut cursor.receivers);
            }
            Receivers::Kind(kind) => {
                cursor.receivers.extend_from_slice(&program.extents[kind as usize].things);
                let first = program.layout.first_made;
                let made = first..first + self.mem.slots[layout::MADE as usize] as EntityId;
                let of_kind = |&thing: &EntityId| program.is_a[self.kind_of(program, thing) as usize][kind as usize];
                cursor.receivers.extend(made.filter(of_kind));
            }
            _ => cursor.receivers.push(GAME),
        }
        Ok(())
    }

    /// What is still to be asked of a receiver and attributes that were listed.
    fn passes_test(
        &mut self,
        program: &Program,
        player: EntityId,
        action: usize,
        receiver: EntityId,
        tests: &[Left],
        args: &[u64; MOST_ARGS],
    ) -> Run<bool> {
        let kind = self.kind_of(program, receiver) as usize;
        let of_split = || self.handler(program, program.actions[action].label, receiver)?.split?.test;
        let Some(test) = still_asked(tests, kind, of_split) else { return Ok(true) };
        let n_args = program.functions[test as usize].n_args as usize;
        Ok(self.tried_with(program, test, player, &args[..n_args], &[])?.is_ok())
    }

    /// All legal choices that go to one receiver, who may receive the action as far as its own properties say.
    pub(crate) fn find_of(
        &mut self,
        program: &Program,
        player: EntityId,
        action: usize,
        receiver: EntityId,
        tests: &[Left],
        found: &mut Vec<(usize, [u64; MOST_ARGS])>,
    ) -> Run<()> {
        let code = &program.actions[action];
        let Some(woven) = self.handler(program, code.label, receiver) else { return Ok(()) };
        let Some(mut split) = woven.split else { return Ok(()) };
        if !self.passes_each(program, woven, receiver)? || self.has_twin_before(program, receiver) {
            return Ok(());
        }
        let kind = self.kind_of(program, receiver) as usize;
        split.test = still_asked(tests, kind, || split.test);
        let mut args = [0; MOST_ARGS];
        args[0] = Value::entity(receiver).0;
        self.find_with(program, player, (action, kind, 0), split, &mut args, found)
    }

    /// The rules that choices are asked for without, as a list or nil.
    pub(crate) fn ignored(&mut self, choices: &Choices) -> Value {
        match choices.ignoring.is_empty() {
            true => Value::NIL,
            false => Value::list(self.mem.alloc(choices.ignoring.iter().map(|&rule| Value::small(u32::from(rule))))),
        }
    }

    /// A choice as a message.
    pub(crate) fn choice_message(
        &mut self,
        program: &Program,
        choices: &Choices,
        action: usize,
        args: &[u64; MOST_ARGS],
        ignoring: Value,
    ) -> Value {
        let names = &program.labels[choices.label as usize].attributes;
        let head = [Value(u64::from(choices.label)), Value(args[0]), ignoring];
        let given = program.actions[action].with.iter().flat_map(|(attribute, _)| {
            let at = *attribute as usize;
            [Value::text(names[at]), Value(args[1 + at])]
        });
        Value::message(self.mem.alloc(head.into_iter().chain(given)))
    }
}

/// What could still refuse an action: what is known of the kind of its receiver, or else of its split.
fn still_asked(tests: &[Left], kind: usize, of_split: impl FnOnce() -> Option<FuncId>) -> Option<FuncId> {
    match tests.get(kind) {
        Some(Left::Nothing) => None,
        Some(Left::Test(test)) => Some(*test),
        Some(Left::Unknown) | None => of_split(),
    }
}
