//! Legal choices from actions and laws alone.
//!
//! A choice is legal when no law refuses it and nothing rolls it back. It is tried only as far as something
//! could still refuse; a question or a roll met on the way means that nothing has.

use crate::code::*;
use crate::layout;
use crate::memory::Mark;
use crate::native::Native;
use crate::plan::Answerer;
use crate::program::{ActionCode, Program, Receivers, Woven};
use crate::value::{Kinded, Value};
use crate::vm::{Here, Machine, MessageParts, Run, Stop, Trial};
use crate::world::{EntityId, GAME};
use houserules_kernel::Choice;
use houserules_model::Budget;
use std::collections::HashSet;

/// Marks an attribute that is no plain value: its position in its list stands for it.
const BY_POSITION: u64 = 15 << 48;

/// Why a candidate is not legal.
#[derive(Clone, PartialEq, Debug)]
pub struct Refused {
    pub rule: RuleId,
    pub reason: Value,
}

/// Steps for trying something and taking it back, besides what it does.
const TRIED: u64 = 16;

/// So few values are looked through faster than they are put into a set.
const FEW: usize = 64;

/// What the numbers of a choice mean.
struct Meant {
    action: usize,
    receiver: EntityId,
    /// Attributes by their position in the label.
    given: Vec<(u16, Value)>,
}

impl Machine {
    /// All candidates of a player, in their fixed order, and the last fault met while listing them. More than anybody
    /// could look through are not listed.
    pub fn candidates(
        &mut self,
        program: &Program,
        player: EntityId,
        labels: Option<&[LabelId]>,
        every: bool,
    ) -> (Vec<Choice>, Option<Stop>) {
        let mut candidates = Vec::new();
        let fault = self.each_candidate(program, player, labels, every, &mut |_, choice| {
            candidates.push(choice);
            candidates.len() < Budget::CANDIDATES
        });
        (candidates, fault)
    }

    /// Visits the candidates of a player in their fixed order, until `visit` says that this is enough. What cannot be
    /// listed is passed over, and the last such fault is given. Unless `every` is wanted, receivers that a law refuses
    /// whatever the attributes are passed over before the attributes are listed.
    ///
    /// Where code asks, by labels, and its budget is used up, nothing is passed over: an action that asks for its own
    /// choices would try every way into its depths.
    fn each_candidate(
        &mut self,
        program: &Program,
        player: EntityId,
        labels: Option<&[LabelId]>,
        every: bool,
        visit: &mut dyn FnMut(&mut Self, Choice) -> bool,
    ) -> Option<Stop> {
        let mut fault = None;
        for (at, action) in program.actions.iter().enumerate() {
            match labels {
                Some(labels) if !labels.contains(&action.label) => continue,
                None if action.when_asked => continue,
                _ => {}
            }
            let receivers = match self.receivers(program, player, action.to) {
                Ok(receivers) => receivers,
                Err(stop) if labels.is_some() && stop.is_spent() => return Some(stop),
                Err(stop) => {
                    fault = Some(stop);
                    continue;
                }
            };
            for receiver in receivers {
                if let Err(stop) = self.spend(1) {
                    return Some(stop);
                }
                let Some(woven) = self.handler(program, action.label, receiver) else { continue };
                if self.has_twin_before(program, receiver) {
                    continue;
                }
                if action.with.is_empty() {
                    if !visit(self, Choice::of(&[at as u64, u64::from(receiver)])) {
                        return fault;
                    }
                    continue;
                }
                if !every {
                    match self.refuses_early(program, player, receiver, woven) {
                        Ok(true) => continue,
                        Err(stop) if labels.is_some() && stop.is_spent() => return Some(stop),
                        // It is met again in the whole test.
                        Ok(false) | Err(_) => {}
                    }
                }
                let mut complete = Vec::new();
                let listed = self.as_actor(player, |machine| {
                    let mut words = vec![at as u64, u64::from(receiver)];
                    machine.attributes(program, at, receiver, &mut words, &mut Vec::new(), &mut complete)
                });
                match listed {
                    Ok(()) => {
                        for choice in complete {
                            if !visit(self, choice) {
                                return fault;
                            }
                        }
                    }
                    Err(stop) if labels.is_some() && stop.is_spent() => return Some(stop),
                    Err(stop) => fault = Some(stop),
                }
            }
        }
        fault
    }

    /// Whether a law that does not read the attributes refuses.
    fn refuses_early(&mut self, program: &Program, player: EntityId, receiver: EntityId, woven: Woven) -> Run<bool> {
        let Some(split) = woven.split else { return Ok(false) };
        let receiver = Value::entity(receiver).0;
        let mut fault = None;
        for laws in [split.once, split.own, split.each].into_iter().flatten() {
            match self.tried_with(program, laws, player, &[receiver], &[]) {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Ok(true),
                Err(stop) => fault = Some(stop),
            }
        }
        fault.map_or(Ok(false), Err)
    }

    pub fn receivers(&mut self, program: &Program, player: EntityId, to: Receivers) -> Run<Vec<EntityId>> {
        match to {
            Receivers::Game => Ok(vec![GAME]),
            Receivers::Kind(kind) => Ok(self.things(program, kind)),
            Receivers::Computed(func) => {
                let value = self.as_actor(player, |machine| machine.call(program, func, &[Value::entity(GAME)]))?;
                let mut receivers: Vec<EntityId> = match value.kinded() {
                    Kinded::List(list) => {
                        self.mem.members(list).iter().filter_map(|&word| Value(word).as_entity()).collect()
                    }
                    Kinded::Kind(kind) => self.things(program, kind),
                    Kinded::Entity(entity) => vec![entity],
                    Kinded::Nil => Vec::new(),
                    _ => {
                        return Err(Stop::fault(format!(
                            "An action goes to things, not to {}.",
                            self.show(program, value)
                        )));
                    }
                };
                receivers.sort_unstable();
                receivers.dedup();
                Ok(receivers)
            }
        }
    }

    fn may_receive(&mut self, program: &Program, player: EntityId, to: Receivers, receiver: EntityId) -> Run<bool> {
        match to {
            Receivers::Game => Ok(receiver == GAME),
            Receivers::Kind(kind) => Ok(program.is_a[self.kind_of(program, receiver) as usize][kind as usize]
                && !self.is_gone(program, receiver)),
            Receivers::Computed(_) => Ok(self.receivers(program, player, to)?.contains(&receiver)),
        }
    }

    /// Runs as if a player acted, and puts the one back who does.
    #[inline]
    pub(crate) fn as_actor<T>(&mut self, player: EntityId, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.mem.slots[layout::ACTOR as usize], Value::entity(player).0);
        let result = run(self);
        self.mem.slots[layout::ACTOR as usize] = before;
        result
    }

    /// Finds out what a player could do without some rules: an action begins here that is only tried. Whoever changes
    /// something takes it back before this ends.
    #[inline]
    pub(crate) fn in_trial<T>(&mut self, player: EntityId, ignoring: &[RuleId], run: impl FnOnce(&mut Self) -> T) -> T {
        let skipped = self.skipped.len();
        self.skipped.extend_from_slice(ignoring);
        let trial = self.begin_trial();
        let result = self.as_actor(player, run);
        self.end_trial(trial);
        self.skipped.truncate(skipped);
        result
    }

    fn attributes(
        &mut self,
        program: &Program,
        action: usize,
        receiver: EntityId,
        words: &mut Vec<u64>,
        given: &mut Vec<(u16, Value)>,
        candidates: &mut Vec<Choice>,
    ) -> Run<()> {
        let code = &program.actions[action];
        let Some((attribute, by_kind)) = code.with.get(given.len()) else {
            candidates.push(Choice::of(words));
            return Ok(());
        };
        let Some(func) = by_kind[self.kind_of(program, receiver) as usize] else { return Ok(()) };
        let values = self.attribute_values(program, func, receiver, code.label, given)?;
        self.spend(values.len() as u64)?;
        // What lies in the heap may be equal without being the same; the rest is found again by its word.
        let mut seen: HashSet<u64> = HashSet::new();
        let mut deep: Vec<Value> = Vec::new();
        for (at, &value) in values.iter().enumerate() {
            let known = if value.in_heap() {
                self.spend(deep.len() as u64)?;
                let known = deep.iter().any(|&other| self.equal(other, value));
                deep.push(value);
                known
            } else if values.len() <= FEW {
                values[..at].contains(&value)
            } else {
                !seen.insert(value.0)
            };
            if known || value.as_entity().is_some_and(|entity| self.has_twin_before(program, entity)) {
                continue;
            }
            if candidates.len() >= Budget::CANDIDATES {
                break;
            }
            words.push(if value.in_heap() { BY_POSITION | at as u64 } else { value.0 });
            given.push((*attribute, value));
            self.attributes(program, action, receiver, words, given, candidates)?;
            given.pop();
            words.pop();
        }
        Ok(())
    }

    /// The values an attribute may have, given the earlier ones.
    fn attribute_values(
        &mut self,
        program: &Program,
        func: FuncId,
        receiver: EntityId,
        label: LabelId,
        given: &[(u16, Value)],
    ) -> Run<Vec<Value>> {
        let value = match program.labels[label as usize].attributes.len() < MOST_ARGS {
            true => {
                let mut args = [0; MOST_ARGS];
                args[0] = Value::entity(receiver).0;
                for &(attribute, value) in given {
                    args[1 + attribute as usize] = value.0;
                }
                self.attribute_list(program, func, &args)?
            }
            false => {
                let mut args = vec![Value::NIL; 1 + program.labels[label as usize].attributes.len()];
                args[0] = Value::entity(receiver);
                for &(attribute, value) in given {
                    args[1 + attribute as usize] = value;
                }
                self.call(program, func, &args)?
            }
        };
        Ok(match value.kinded() {
            Kinded::List(list) => self.mem.members(list).iter().map(|&word| Value(word)).collect(),
            Kinded::Kind(kind) => self.things(program, kind).into_iter().map(Value::entity).collect(),
            Kinded::Nil => Vec::new(),
            _ => vec![value],
        })
    }

    /// What the numbers of a choice mean: receiver and attributes. None if they are not an action's choice at all.
    fn meaning(&mut self, program: &Program, player: EntityId, choice: &Choice) -> Run<Option<Meant>> {
        let [action, receiver, attributes @ ..] = choice.0.as_slice() else { return Ok(None) };
        let Some(code) = program.actions.get(*action as usize) else { return Ok(None) };
        let receiver = *receiver as EntityId;
        if attributes.len() != code.with.len() || choice.0[1] > u64::from(u32::MAX) || !self.exists(program, receiver) {
            return Ok(None);
        }
        let mut given = Vec::new();
        for (at, &word) in attributes.iter().enumerate() {
            let (attribute, by_kind) = &code.with[at];
            let value = if word >> 48 == BY_POSITION >> 48 {
                let Some(func) = by_kind[self.kind_of(program, receiver) as usize] else { return Ok(None) };
                let label = code.label;
                let values =
                    self.as_actor(player, |machine| machine.attribute_values(program, func, receiver, label, &given))?;
                match values.get((word ^ BY_POSITION) as usize) {
                    Some(value) => *value,
                    None => return Ok(None),
                }
            } else {
                Value(word)
            };
            given.push((*attribute, value));
        }
        Ok(Some(Meant { action: *action as usize, receiver, given }))
    }

    /// Whether a choice is among the candidates: its receiver and attributes come from their lists.
    pub fn offered(
        &mut self,
        program: &Program,
        player: EntityId,
        labels: Option<&[LabelId]>,
        choice: &Choice,
    ) -> Run<bool> {
        // Made-up numbers must not reach the heap: anything that is not a plain value is no attribute.
        let plain = |word: u64| word == 0 || word >> 48 == BY_POSITION >> 48 || self.is_known(program, Value(word));
        if !choice.0.iter().skip(2).all(|&word| plain(word)) {
            return Ok(false);
        }
        let Some(Meant { action, receiver, given }) = self.meaning(program, player, choice)? else { return Ok(false) };
        let code = &program.actions[action];
        let allowed = match labels {
            Some(labels) => labels.contains(&code.label),
            None => !code.when_asked,
        };
        if !allowed || !self.may_receive(program, player, code.to, receiver)? || self.has_twin_before(program, receiver)
        {
            return Ok(false);
        }
        for at in 0..given.len() {
            let Some(func) = code.with[at].1[self.kind_of(program, receiver) as usize] else { return Ok(false) };
            let values = self.as_actor(player, |machine| {
                machine.attribute_values(program, func, receiver, code.label, &given[..at])
            })?;
            let wanted = given[at].1;
            if !values.iter().any(|&value| self.equal(value, wanted)) {
                return Ok(false);
            }
            if let Some(entity) = wanted.as_entity()
                && self.has_twin_before(program, entity)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Puts the frame of an action on top. An entity in a state that does not answer refuses.
    pub fn push_action(&mut self, program: &Program, choice: &Choice, dst: Reg) -> Run<()> {
        if let &[action, receiver] = choice.0.as_slice() {
            let label = program.actions[action as usize].label;
            return self.push_begun(program, label, receiver as EntityId, &[], dst);
        }
        let player = self.player().as_entity().expect("somebody acts");
        let Meant { action, receiver, given } =
            self.meaning(program, player, choice)?.ok_or_else(|| Stop::fault("There is no such choice."))?;
        self.push_begun(program, program.actions[action].label, receiver, &given, dst)
    }

    fn push_begun(
        &mut self,
        program: &Program,
        label: LabelId,
        receiver: EntityId,
        given: &[(u16, Value)],
        dst: Reg,
    ) -> Run<()> {
        let Some(woven) = self.handler(program, label, receiver) else {
            return Err(Stop::Refused { rule: RuleId::MAX, reason: Value::NIL });
        };
        let frame = self.push_frame(program, woven.full, dst, true)?;
        self.regs[frame] = Value::entity(receiver).0;
        for &(attribute, value) in given {
            self.regs[frame + 1 + attribute as usize] = value.0;
        }
        Ok(())
    }

    /// Tries something and takes it back. The inner result says whether it was refused.
    fn tried(
        &mut self,
        player: EntityId,
        ignoring: &[RuleId],
        run: impl FnOnce(&mut Self) -> Run<Value>,
    ) -> Run<Result<(), Refused>> {
        self.spend(TRIED)?;
        let (mark, floor, heap) = (self.mem.mark(), self.frames.len(), self.mem.heap.len());
        let result = self.in_trial(player, ignoring, |machine| {
            let result = run(machine);
            machine.drop_frames(floor);
            if machine.mem.changed_since(mark) {
                machine.rollback(mark);
            }
            result
        });
        if !matches!(result, Err(Stop::Refused { reason, .. }) if reason.in_heap()) {
            self.mem.heap.truncate(heap);
        }
        match result {
            Ok(_) | Err(Stop::Asked | Stop::Finished) => Ok(Ok(())),
            Err(Stop::Refused { rule, reason }) => Ok(Err(Refused { rule, reason })),
            Err(fault) => Err(fault),
        }
    }

    /// Whether a candidate is legal, without the reason why not. Laws that need no attributes are asked first.
    pub fn is_legal(&mut self, program: &Program, player: EntityId, choice: &Choice, ignoring: &[RuleId]) -> Run<bool> {
        let Some(Meant { action, receiver, given }) = self.meaning(program, player, choice)? else { return Ok(false) };
        let Some(woven) = self.handler(program, program.actions[action].label, receiver) else { return Ok(false) };
        let Some(split) = woven.split.filter(|_| given.len() < MOST_ARGS) else {
            return Ok(self.legal(program, player, choice, ignoring)?.is_ok());
        };
        let mut args = [0; MOST_ARGS];
        args[0] = Value::entity(receiver).0;
        for (attribute, value) in given {
            args[1 + attribute as usize] = value.0;
        }
        let mut n_args = 1;
        for func in [split.once, split.own, split.each, split.test].into_iter().flatten() {
            if Some(func) == split.test {
                n_args = program.functions[func as usize].n_args as usize;
            }
            match self.tried_with(program, func, player, &args[..n_args], ignoring) {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Ok(false),
                Err(stop) if stop.is_spent() => return Err(stop),
                // A law that stands before it may refuse: then nobody comes to the fault.
                Err(_) => return Ok(self.legal(program, player, choice, ignoring)?.is_ok()),
            }
        }
        Ok(true)
    }

    /// Tries a function of an action and takes it back.
    pub(crate) fn tried_with(
        &mut self,
        program: &Program,
        func: FuncId,
        player: EntityId,
        args: &[u64],
        ignoring: &[RuleId],
    ) -> Run<Result<(), Refused>> {
        if let Some(native) = program.native()
            && let Some(address) = native.address(func)
        {
            let n_args = program.functions[func as usize].n_args;
            let mut all = [0; MOST_ARGS];
            all[..args.len()].copy_from_slice(args);
            return self.tried(player, ignoring, |machine| {
                machine.nested(|machine| machine.enter_native(native, address, n_args, &all[..n_args as usize], true))
            });
        }
        self.tried(player, ignoring, |machine| {
            let floor = machine.frames.len();
            let frame = machine.push_frame(program, func, 0, true)?;
            machine.regs[frame..frame + args.len()].copy_from_slice(args);
            machine.run_nested(program, floor)
        })
    }

    /// Whether a candidate is legal.
    pub fn legal(
        &mut self,
        program: &Program,
        player: EntityId,
        choice: &Choice,
        ignoring: &[RuleId],
    ) -> Run<Result<(), Refused>> {
        let unknown = Refused { rule: RuleId::MAX, reason: Value::NIL };
        let Some(Meant { action, receiver, given }) = self.meaning(program, player, choice)? else {
            return Ok(Err(unknown));
        };
        let label = program.actions[action].label;
        let Some(woven) = self.handler(program, label, receiver) else { return Ok(Err(unknown)) };
        let mut args = vec![0; program.functions[woven.test as usize].n_args as usize];
        args[0] = Value::entity(receiver).0;
        for (attribute, value) in given {
            args[1 + attribute as usize] = value.0;
        }
        self.tried_with(program, woven.test, player, &args, ignoring)
    }

    /// Whether a player has a legal choice at all: whoever knows it says so, in the order of the plan.
    pub fn has_choice(&mut self, program: &Program, player: EntityId, labels: Option<&[LabelId]>) -> Run<bool> {
        for answerer in &program.plan().answerers {
            let found = match answerer {
                Answerer::Listing => None,
                Answerer::Outlook => self.has_choice_in_prospect(program, player, labels).map(Ok),
                Answerer::Lane => self.has_choice_in_lane(program, player, labels).map(Ok),
                Answerer::Roster => self.has_enrolled_choice(program, player, labels),
                Answerer::Everything => break,
            };
            if let Some(found) = found {
                return found;
            }
        }
        self.has_any_choice(program, player, labels)
    }

    /// The same, candidate after candidate.
    fn has_any_choice(&mut self, program: &Program, player: EntityId, labels: Option<&[LabelId]>) -> Run<bool> {
        let heap = self.mem.heap.len();
        // A rule with a fault refuses; if nothing else is left, the fault is told.
        let (mut found, mut faulty) = (false, None);
        let unlisted = self.each_candidate(program, player, labels, false, &mut |machine, choice| {
            match machine.is_legal(program, player, &choice, &[]) {
                Ok(legal) => found = legal,
                Err(stop) => {
                    let spent = labels.is_some() && stop.is_spent();
                    faulty = Some(stop);
                    return !spent;
                }
            }
            !found
        });
        self.mem.heap.truncate(heap);
        match faulty.or(unlisted) {
            Some(fault) if !found => Err(fault),
            _ => Ok(found),
        }
    }

    /// The same for the action that the outlook is about. None where more than that matters.
    fn has_choice_in_prospect(
        &mut self,
        program: &Program,
        player: EntityId,
        labels: Option<&[LabelId]>,
    ) -> Option<bool> {
        let outlook = program.outlook.as_ref()?;
        if labels == Some(&[outlook.label]) { self.can_in_prospect(outlook, player) } else { None }
    }

    /// The same among the candidates kept. None where none are kept, or where something is at fault.
    fn has_choice_in_lane(&mut self, program: &Program, player: EntityId, labels: Option<&[LabelId]>) -> Option<bool> {
        let native = program.native()?;
        let lane = native.lane()?;
        // What is only offered when asked for is not among them.
        let asked =
            |action: &ActionCode| action.when_asked && labels.is_some_and(|labels| labels.contains(&action.label));
        if program.actions.iter().any(asked) {
            return None;
        }
        self.can_in_lane(program, (native, lane), player, labels)
    }

    /// `(can LABEL for P)`.
    pub(crate) fn can(&mut self, program: &Program, label: LabelId, player: Value) -> Run<bool> {
        if let Some(found) = self.can_while_asked(program, label, player) {
            return Ok(found);
        }
        let seat = match player.as_entity().and_then(|player| program.world.entity_seat(player)) {
            None => self.player_seat(program, player, "`can`")?,
            seat => seat,
        };
        match seat {
            Some(seat) => {
                let player = program.world.seat_entity(seat);
                self.nested_within(|machine| machine.has_choice(program, player, Some(&[label])))
            }
            None => Ok(false),
        }
    }

    /// `(choices LABEL for P ignoring RULE…)`.
    pub(crate) fn choices_value(&mut self, program: &Program, base: usize, choices: &Choices) -> Run<Value> {
        let player = Value(self.regs[base + choices.player as usize]);
        let Some(seat) = self.player_seat(program, player, "`choices`")? else {
            return Ok(Value::list(crate::vm::EMPTY));
        };
        let ignoring = self.ignored(choices);
        self.list_choices(program, program.world.seat_entity(seat), choices, ignoring)
    }

    /// The legal choices of a player as messages.
    pub(crate) fn list_choices(
        &mut self,
        program: &Program,
        player: EntityId,
        choices: &Choices,
        ignoring: Value,
    ) -> Run<Value> {
        self.nested_within(|machine| machine.list_all_choices(program, player, choices, ignoring))
    }

    fn list_all_choices(
        &mut self,
        program: &Program,
        player: EntityId,
        choices: &Choices,
        ignoring: Value,
    ) -> Run<Value> {
        if let Some(messages) = self.enrolled_choices(program, player, choices, ignoring) {
            return messages;
        }
        let mut messages = Vec::new();
        let (candidates, mut fault) = self.candidates(program, player, Some(&[choices.label]), false);
        if let Some(spent) = fault.take_if(|stop| stop.is_spent()) {
            return Err(spent);
        }
        for candidate in candidates {
            let legal = match self.is_legal(program, player, &candidate, &choices.ignoring) {
                Ok(legal) => legal,
                Err(stop) if stop.is_spent() => return Err(stop),
                Err(stop) => {
                    fault = Some(stop);
                    false
                }
            };
            if legal && let Some(Meant { receiver, given, .. }) = self.meaning(program, player, &candidate)? {
                let attributes = &program.labels[choices.label as usize].attributes;
                let mut words = vec![Value(u64::from(choices.label)), Value::entity(receiver), ignoring];
                for (attribute, value) in given {
                    words.extend([Value::text(attributes[attribute as usize]), value]);
                }
                messages.push(Value::message(self.mem.alloc(words)));
            }
        }
        match fault {
            Some(fault) if messages.is_empty() => Err(fault),
            _ => Ok(Value::list(self.mem.alloc(messages))),
        }
    }

    /// `(suppose M E)`: E after M and all it sets off; nil if M is refused.
    pub(crate) fn suppose(&mut self, program: &Program, here: Here, message: Value, start: u32) -> Run<Value> {
        let heap = self.mem.heap.len();
        let value = match self.begin_suppose(program, message)? {
            Some(supposed) => {
                let value = self.block(program, here, start);
                self.end_suppose(supposed);
                value
            }
            None => Ok(Value::NIL),
        };
        // A search of thousands of trials, each in another, must not keep the lists of all of them.
        if !value.as_ref().is_ok_and(|value| value.in_heap()) {
            self.mem.heap.truncate(heap);
        }
        value
    }

    /// Carries out a message that is only supposed. None if it is refused, or nothing; then nothing has changed.
    pub(crate) fn begin_suppose(&mut self, program: &Program, message: Value) -> Run<Option<Supposed>> {
        if message.is_nil() {
            return Ok(None);
        }
        let MessageParts { label, to, ignoring, attributes } = self.message_parts(program, message)?;
        let receiver = self.entity(program, to, "`suppose`")?.unwrap_or(GAME);
        let supposed = Supposed {
            mark: self.mem.mark(),
            floor: self.frames.len() as u32,
            skipped: self.skipped.len() as u32,
            trial: self.begin_trial(),
        };
        if let Some(list) = ignoring.as_list() {
            for at in 0..self.mem.members(list).len() {
                self.skipped.push(self.mem.members(list)[at] as RuleId);
            }
        }
        let (player, acting) = (self.player(), self.mem.get(layout::ACTOR));
        self.mem.set(layout::ACTOR, player);
        let result = match self.native_of(program, label, receiver) {
            Some((native, address, n_args)) => {
                let mut args = [0; MOST_ARGS];
                args[0] = Value::entity(receiver).0;
                let names = &program.labels[label as usize].attributes;
                for (name, value) in attributes.iter() {
                    if let Some(at) = names.iter().position(|known| known == name) {
                        args[1 + at] = value.0;
                    }
                }
                self.nested_within(|machine| {
                    machine.enter_native(native, address, n_args, &args[..n_args as usize], true)
                })
            }
            None => match self.push_message(program, label, receiver, &attributes, 0, true) {
                Ok(_) => self.run_nested(program, supposed.floor as usize),
                Err(stop) => Err(stop),
            },
        };
        self.drop_frames(supposed.floor as usize);
        // Ignored by the message alone, not by what is asked about after it; and whoever made it has acted.
        self.skipped.truncate(supposed.skipped as usize);
        self.mem.set(layout::ACTOR, acting);
        match result {
            Ok(_) | Err(Stop::Asked | Stop::Finished) => Ok(Some(supposed)),
            Err(stop) => {
                self.end_suppose(supposed);
                if matches!(stop, Stop::Refused { .. }) { Ok(None) } else { Err(stop) }
            }
        }
    }

    /// Takes back what was supposed.
    pub(crate) fn end_suppose(&mut self, supposed: Supposed) {
        self.end_trial(supposed.trial);
        self.drop_frames(supposed.floor as usize);
        self.skipped.truncate(supposed.skipped as usize);
        self.rollback(supposed.mark);
    }

    /// The native code that answers a message as a whole, and how many arguments it takes.
    fn native_of<'a>(
        &self,
        program: &'a Program,
        label: LabelId,
        receiver: EntityId,
    ) -> Option<(&'a Native, usize, u16)> {
        let native = program.native()?;
        let woven = self.handler(program, label, receiver)?;
        let address = native.address(woven.full)?;
        Some((native, address, program.functions[woven.full as usize].n_args))
    }
}

/// Where everything stood before something was supposed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Supposed {
    mark: Mark,
    floor: u32,
    skipped: u32,
    trial: Trial,
}
