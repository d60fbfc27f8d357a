//! Whether a player can act at all: receiver by receiver, until one legal choice is found.

use crate::code::{Choices, LabelId, Left, MOST_ARGS};
use crate::program::{ActionCode, Program, Split};
use crate::value::{Kinded, Value};
use crate::vm::{Machine, Run};
use crate::world::EntityId;

impl Machine {
    /// Whether a player has a legal choice. None where receivers are computed, or where something is at fault.
    pub(crate) fn has_enrolled_choice(
        &mut self,
        program: &Program,
        player: EntityId,
        labels: Option<&[LabelId]>,
    ) -> Option<Run<bool>> {
        program.roster.as_ref()?;
        let heap = self.mem.heap.len();
        let found = self.in_trial(player, &[], |machine| {
            let wanted = |action: &ActionCode| match labels {
                Some(labels) => labels.contains(&action.label),
                None => !action.when_asked,
            };
            let mut found = Ok(false);
            for (at, _) in program.actions.iter().enumerate().filter(|(_, action)| wanted(action)) {
                if found == Ok(false) {
                    found = machine.can_do(program, player, at);
                }
            }
            found
        });
        self.mem.heap.truncate(heap);
        match found {
            // Looked for once more, and in each of these once more, it would take for ever.
            Err(stop) if labels.is_some() && stop.is_spent() => Some(Err(stop)),
            found => found.ok().map(Ok),
        }
    }

    fn can_do(&mut self, program: &Program, player: EntityId, action: usize) -> Run<bool> {
        if let Some(found) = self.can_by_list(program, player, action) {
            return Ok(found);
        }
        let code = &program.actions[action];
        let (mut asked_once, mut surely) = (false, self.knows_roster());
        let found = self.any_enrolled(program, action, player, |machine, receiver| {
            if !std::mem::replace(&mut asked_once, true) && !machine.passes_once(program, code, receiver)? {
                return Ok(Some(false));
            }
            let Some(woven) = machine.handler(program, code.label, receiver) else { return Ok(None) };
            let Some(split) = woven.split else { return Ok(None) };
            if !machine.passes_each(program, woven, receiver)? || machine.has_twin_before(program, receiver) {
                return Ok(None);
            }
            let kind = machine.kind_of(program, receiver) as usize;
            let mut args = [0; MOST_ARGS];
            args[0] = Value::entity(receiver).0;
            // What a test finds may change with the rules that are left out while it is asked.
            surely &= split.test.is_none();
            let found = machine.can_with(program, player, (action, kind, 0), split, &mut args)?;
            Ok(found.then_some(true))
        })?;
        if !found && surely {
            self.derived.enrolled.note_unable(player, action);
        }
        Ok(found)
    }

    /// Whether some attributes from one on make a legal choice.
    fn can_with(
        &mut self,
        program: &Program,
        player: EntityId,
        (action, kind, at): (usize, usize, usize),
        split: Split,
        args: &mut [u64; MOST_ARGS],
    ) -> Run<bool> {
        let code = &program.actions[action];
        let Some((attribute, funcs)) = code.with.get(at) else {
            let Some(test) = split.test else { return Ok(true) };
            let n_args = program.functions[test as usize].n_args as usize;
            // A rule with a fault refuses; if nothing else is left, it is told by whoever lists everything.
            return Ok(self.tried_with(program, test, player, &args[..n_args], &[])?.is_ok());
        };
        let Some(func) = funcs[kind] else { return Ok(false) };
        let heap = self.mem.heap.len();
        let listed = self.attribute_list(program, func, args)?;
        let n = match listed.kinded() {
            Kinded::List(list) => self.mem.members(list).len(),
            Kinded::Nil => 0,
            Kinded::Kind(kind) => self.things(program, kind).len(),
            _ => 1,
        };
        let mut found = false;
        for number in 0..n {
            let Some(member) = self.drawn_member(program, listed, number) else { continue };
            args[1 + *attribute as usize] = member.0;
            found = self.can_with(program, player, (action, kind, at + 1), split, args)?;
            args[1 + *attribute as usize] = Value::NIL.0;
            if found {
                break;
            }
        }
        self.mem.heap.truncate(heap);
        Ok(found)
    }

    /// The legal choices of a player as messages, receiver by receiver. None where receivers are computed, or where
    /// something is at fault.
    pub(crate) fn enrolled_choices(
        &mut self,
        program: &Program,
        player: EntityId,
        choices: &Choices,
        ignoring: Value,
    ) -> Option<Run<Value>> {
        program.roster.as_ref()?;
        let heap = self.mem.heap.len();
        let mut found = Vec::new();
        let listed = self.in_trial(player, &choices.ignoring, |machine| {
            let mut listed = Ok(());
            let wanted = |action: &ActionCode| action.label == choices.label;
            for (at, _) in program.actions.iter().enumerate().filter(|(_, action)| wanted(action)) {
                listed = listed.and_then(|()| machine.find_all(program, player, at, &choices.tests, &mut found));
            }
            listed
        });
        match listed {
            Ok(()) => {}
            Err(stop) if stop.is_spent() => return Some(Err(stop)),
            Err(_) => return None,
        }
        if !found.iter().flat_map(|(_, args)| args).any(|&word| Value(word).in_heap()) {
            self.mem.heap.truncate(heap);
        }
        let messages: Vec<Value> =
            found.iter().map(|(action, args)| self.choice_message(program, choices, *action, args, ignoring)).collect();
        Some(Ok(Value::list(self.mem.alloc(messages))))
    }

    fn find_all(
        &mut self,
        program: &Program,
        player: EntityId,
        action: usize,
        tests: &[Left],
        found: &mut Vec<(usize, [u64; MOST_ARGS])>,
    ) -> Run<()> {
        let code = &program.actions[action];
        let mut asked_once = false;
        self.any_enrolled(program, action, player, |machine, receiver| {
            if !std::mem::replace(&mut asked_once, true) && !machine.passes_once(program, code, receiver)? {
                return Ok(Some(false));
            }
            machine.find_of(program, player, action, receiver, tests, found)?;
            Ok(None)
        })?;
        Ok(())
    }

    /// All legal choices with the attributes given so far.
    pub(crate) fn find_with(
        &mut self,
        program: &Program,
        player: EntityId,
        (action, kind, at): (usize, usize, usize),
        split: Split,
        args: &mut [u64; MOST_ARGS],
        found: &mut Vec<(usize, [u64; MOST_ARGS])>,
    ) -> Run<()> {
        let code = &program.actions[action];
        let Some((attribute, funcs)) = code.with.get(at) else {
            let legal = match split.test {
                Some(test) => {
                    let n_args = program.functions[test as usize].n_args as usize;
                    self.tried_with(program, test, player, &args[..n_args], &[])?.is_ok()
                }
                None => true,
            };
            found.extend(legal.then_some((action, *args)));
            return Ok(());
        };
        let Some(func) = funcs[kind] else { return Ok(()) };
        let listed = self.attribute_list(program, func, args)?;
        let mut members = Vec::new();
        self.list_members(program, listed, &mut members);
        for member in members {
            args[1 + *attribute as usize] = member;
            self.find_with(program, player, (action, kind, at + 1), split, args, found)?;
        }
        args[1 + *attribute as usize] = Value::NIL.0;
        Ok(())
    }
}
