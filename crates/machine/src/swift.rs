//! Random play: drawing one action, and playing on without ceremony where a game runs as native code.
//!
//! The short way does what `run_on` does, in one go: the slots that only matter inside an action are written without the
//! journal, because they hold nothing before and after. Whatever is out of the ordinary is left to the long way.

use crate::code::FuncId;
use crate::layout;
use crate::memory::Mark;
use crate::native::{MOST_ARGS, Outcome as Ran};
use crate::position::{MachinePosition, Phase};
use crate::program::{ActionCode, Handler, Program};
use crate::sampler::{Sampler, Ticket, Tickets};
use crate::value::Value;
use crate::vm::{Machine, Question, Run, Stop};
use crate::world::{EntityId, GAME, GAME_KIND, KindId};
use houserules_kernel::{Choice, Generator};
use houserules_model::Turns;

/// Tickets drawn before everything is listed after all.
const MOST_DRAWS: u32 = 300;

/// How a try went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tried {
    Played,
    Refused,
}

/// Whether a program can be played this way at all, native code apart.
pub fn suits(program: &Program) -> bool {
    let fixed = |receiver: EntityId| {
        let thing = &program.world.entities[receiver as usize];
        thing.board.is_some() || thing.kind <= 1
    };
    let plain = !program.plain.is_empty() && program.plain.iter().all(|&(_, receiver)| fixed(receiver));
    program.world.turns != Turns::Free
        && (plain || program.sampler.is_some())
        && matches!(program.handlers[program.turn as usize][GAME_KIND as usize], Handler::None)
}

impl MachinePosition {
    /// Plays at random for at most so many actions and says how many; stops where the long way is needed.
    pub(crate) fn swift_moves(&mut self, program: &Program, generator: &mut Generator, most: u64) -> Run<u64> {
        if program.native().is_none() || !program.swift {
            return Ok(0);
        }
        let mut moves = 0;
        // Nothing of this can be undone, so what is passed on from turn to turn needs no journal either.
        self.undo.clear();
        self.machine.forget_changes();
        if let Some(native) = program.native()
            && let (Some(lane), Some(keeper)) = (native.lane(), &program.keeper)
        {
            self.machine.sync_kept(program);
            self.machine.drop_changes();
            let (played, stuck) = self.lane_moves(program, (native, lane, keeper), generator, most)?;
            if stuck {
                return Ok(played);
            }
            moves = played;
        }
        while moves < most && !self.machine.is_over() && self.machine.question.is_none() {
            self.machine.steps = program.budget.steps;
            self.machine.said.clear();
            let heap = self.machine.mem.heap.len();
            let player = self.machine.first_player().as_entity().expect("somebody is to move");
            if !self.draw_action(program, player, generator, true)? {
                self.stuck(program)?;
                break;
            }
            moves += 1;
            if !self.machine.frames.is_empty() {
                break;
            }
            if !self.machine.is_over() {
                self.machine.sync_kept(program);
                self.machine.drop_changes();
            }
            self.machine.mem.sweep(heap, &mut []);
        }
        Ok(moves)
    }

    /// Plays a uniformly random legal action of a player: candidates are drawn and tried until one is legal, and if
    /// that takes too long they are all listed and drawn without replacement. False if there is none.
    ///
    /// What is drawn follows from the position and the generator alone, however the program is run. `lean` is for
    /// those who never go back.
    pub(crate) fn draw_action(
        &mut self,
        program: &Program,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<bool> {
        let made = self.machine.mem.slots[layout::MADE as usize];
        if let Some(sampler) = program.sampler.as_ref().filter(|sampler| sampler.holds(made)) {
            if self.draw_ticket(program, sampler, player, generator, lean)? {
                return Ok(true);
            }
        } else if program.sampler.is_none()
            && !program.plain.is_empty()
            && made == 0
            && let Some(played) = self.draw_plain(program, player, generator, lean)?
        {
            return Ok(played);
        }
        self.draw_listed(program, player, generator)
    }

    /// Draws from the list of all candidates without replacement. False if none is legal.
    pub(crate) fn draw_listed(&mut self, program: &Program, player: EntityId, generator: &mut Generator) -> Run<bool> {
        let (mut candidates, mut fault) = self.machine.candidates(program, player, None, false);
        while !candidates.is_empty() {
            let at = generator.below(candidates.len() as u64) as usize;
            let choice = candidates.swap_remove(at);
            match self.attempt(program, player, &choice) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(stop) => fault = Some(stop),
            }
        }
        fault.map_or(Ok(false), Err)
    }

    /// Draws among actions without attributes. None if that took too long.
    fn draw_plain(
        &mut self,
        program: &Program,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<Option<bool>> {
        let (n, kept) = match self.machine.sync_kept(program) {
            true => (self.machine.kept.count(), true),
            false => (program.plain.len() as u32, false),
        };
        if n == 0 {
            return Ok(Some(false));
        }
        let native = program.native().filter(|_| lean);
        for _ in 0..8 + n / 2 {
            // A rule that asked in the middle of an action has made the bits know what was then taken back.
            if kept && self.machine.kept.is_stale() {
                self.machine.sync_kept(program);
            }
            let rank = generator.below(u64::from(n)) as u32;
            let at = if kept { self.machine.kept.select(rank) } else { rank as usize };
            let (action, receiver) = program.plain[at];
            let address = native.and_then(|native| Some((native, native.plain_address(program, &self.machine, at)?)));
            let tried = match address {
                Some((native, address)) => {
                    let receiver = Value::entity(receiver).0;
                    self.swift_try(program, player, |machine| machine.run_native(native, address, receiver))?
                }
                None if !program.swift && !self.machine.may_be_drawn(program, receiver) => Tried::Refused,
                None => {
                    let label = program.actions[action as usize].label;
                    match self.machine.handler(program, label, receiver) {
                        Some(woven) => {
                            self.try_action(program, player, woven.full, &[Value::entity(receiver).0], lean)?
                        }
                        None => Tried::Refused,
                    }
                }
            };
            if tried == Tried::Played {
                return Ok(Some(true));
            }
        }
        Ok(None)
    }

    /// Draws tickets until one stands for something legal, or too often to go on blindly.
    fn draw_ticket(
        &mut self,
        program: &Program,
        sampler: &Sampler,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<bool> {
        let heap = self.machine.mem.heap.len();
        let mut tickets = std::mem::take(&mut self.machine.tickets);
        self.hand_out(program, sampler, &mut tickets);
        let n = tickets.len();
        let mut result = Ok(false);
        for _ in 0..if n == 0 { 0 } else { MOST_DRAWS } {
            match self.try_ticket(program, sampler, player, tickets.get(generator.below(n)), lean) {
                Ok(Tried::Refused) => self.machine.mem.heap.truncate(heap),
                Ok(Tried::Played) => {
                    result = Ok(true);
                    break;
                }
                Err(stop) => {
                    result = Err(stop);
                    break;
                }
            }
        }
        self.machine.tickets = tickets;
        result
    }

    /// Gives each living receiver its tickets.
    fn hand_out(&mut self, program: &Program, sampler: &Sampler, tickets: &mut Tickets) {
        tickets.clear();
        let first_made = program.layout.first_made;
        let end_made = first_made + self.machine.mem.slots[layout::MADE as usize] as EntityId;
        for &(action, kind) in sampler.actions() {
            let (from_start, made) = match kind {
                None => (&[GAME][..], 0..0),
                Some(kind) => (&program.extents[kind as usize].things[..], first_made..end_made),
            };
            for receiver in from_start.iter().copied().chain(made) {
                let of = self.machine.kind_of(program, receiver);
                if let Some(most) = sampler.most(action, of)
                    && !self.machine.is_gone(program, receiver)
                {
                    tickets.push(action, receiver, most.iter().map(|&most| u64::from(most)).product());
                }
            }
        }
    }

    fn try_ticket(
        &mut self,
        program: &Program,
        sampler: &Sampler,
        player: EntityId,
        ticket: Ticket,
        lean: bool,
    ) -> Run<Tried> {
        let Ticket { action, receiver, mut combination } = ticket;
        let code = &program.actions[action as usize];
        let Some(woven) = self.machine.handler(program, code.label, receiver) else { return Ok(Tried::Refused) };
        let kind = self.machine.kind_of(program, receiver);
        let Some(most) = sampler.most(action, kind) else { return Ok(Tried::Refused) };
        let mut args = [0; MOST_ARGS];
        args[0] = Value::entity(receiver).0;
        let before = self.machine.mem.slots[layout::ACTOR as usize];
        self.machine.mem.slots[layout::ACTOR as usize] = Value::entity(player).0;
        let early = woven.pre.map(|pre| self.machine.ask_laws(program, pre, receiver));
        let drawn = !matches!(early, Some(Err(Stop::Refused { .. })))
            && !self.machine.has_twin_before(program, receiver)
            && self.draw_attributes(program, code, kind, most, &mut combination, &mut args);
        self.machine.mem.slots[layout::ACTOR as usize] = before;
        if !drawn {
            return Ok(Tried::Refused);
        }
        let n_args = program.functions[woven.full as usize].n_args as usize;
        self.try_action(program, player, woven.full, &args[..n_args], lean)
    }

    fn try_action(
        &mut self,
        program: &Program,
        player: EntityId,
        full: FuncId,
        args: &[u64],
        lean: bool,
    ) -> Run<Tried> {
        if let Some(native) = program.native().filter(|_| lean)
            && let Some(address) = native.address(full)
        {
            let n_args = program.functions[full as usize].n_args;
            return self.swift_try(program, player, |machine| {
                match machine.enter_native(native, address, n_args, args, true) {
                    Ok(_) => Ran::Done,
                    Err(Stop::Refused { .. }) => Ran::Refused,
                    Err(_) => Ran::Stopped,
                }
            });
        }
        // What has a fault is met again, and told, when everything is listed.
        Ok(match self.attempt_with(program, player, full, args) {
            Ok(true) => Tried::Played,
            Ok(false) | Err(_) => Tried::Refused,
        })
    }

    /// Draws the attributes that a ticket stands for; false if there are no such ones.
    fn draw_attributes(
        &mut self,
        program: &Program,
        code: &ActionCode,
        kind: KindId,
        most: &[u32],
        combination: &mut u64,
        args: &mut [u64; MOST_ARGS],
    ) -> bool {
        for (&most, (attribute, funcs)) in most.iter().zip(&code.with) {
            let at = (*combination % u64::from(most.max(1))) as usize;
            *combination /= u64::from(most.max(1));
            let Some(func) = funcs[kind as usize] else { return false };
            let n_args = program.functions[func as usize].n_args as usize;
            let native = program.native().and_then(|native| Some((native, native.address(func)?)));
            let listed = match native {
                Some((native, address)) => {
                    self.machine.enter_native(native, address, n_args as u16, &args[..n_args], false)
                }
                None => {
                    let values = args.map(Value);
                    self.machine.call(program, func, &values[..n_args])
                }
            };
            let Ok(listed) = listed else { return false };
            let Some(drawn) = self.machine.drawn_member(program, listed, at) else { return false };
            args[1 + *attribute as usize] = drawn.0;
        }
        true
    }

    fn swift_try(&mut self, program: &Program, player: EntityId, run: impl FnOnce(&mut Machine) -> Ran) -> Run<Tried> {
        let mark = self.machine.mem.mark();
        let heap = self.machine.mem.heap.len();
        self.machine.mem.slots[layout::ACTOR as usize] = Value::entity(player).0;
        self.machine.in_action = true;
        self.machine.answered = false;
        let ran = run(&mut self.machine);
        self.machine.in_action = false;
        if ran != Ran::Done {
            self.machine.mem.slots[layout::ACTOR as usize] = Value::NIL.0;
            self.machine.take_back(mark, heap);
            // What has a fault is met again, and told, when everything is listed.
            return Ok(Tried::Refused);
        }
        let slots = &self.machine.mem.slots;
        let kept = slots[layout::AGAIN as usize] != 0 || slots[layout::ENDED as usize] != 0;
        if program.world.turns == Turns::Passing && !kept {
            self.machine.pass_turn();
        }
        if program.history.is_some() {
            self.machine.remember(program, Value::entity(player))?;
        }
        for slot in [layout::ACTOR, layout::AGAIN, layout::ENDED] {
            self.machine.mem.slots[slot as usize] = Value::NIL.0;
        }
        if !self.machine.leaving.is_empty() {
            self.machine.let_go(program);
        }
        self.machine.clear_checkpoints();
        Ok(Tried::Played)
    }

    /// Tries an action at once; false if it is refused, and then nothing has changed.
    pub(crate) fn attempt(&mut self, program: &Program, player: EntityId, choice: &Choice) -> Run<bool> {
        let mark = self.machine.mem.mark();
        let begun = self.begin_action(program, player, choice);
        let result = begun.and_then(|()| self.run_on(program));
        self.attempted(program, mark, result)
    }

    pub(crate) fn attempted(&mut self, program: &Program, mark: Mark, result: Run<()>) -> Run<bool> {
        let Err(stop) = result else { return Ok(true) };
        let second_try = self.machine.answered;
        // What one try used up must not be missing from the next, which would be told as a fault of its own.
        self.machine.reset_budget(program);
        self.machine.drop_frames(0);
        self.machine.skipped.clear();
        self.machine.rollback(mark);
        self.machine.in_action = false;
        self.phase = Phase::Ready;
        match stop {
            Stop::Refused { .. } if !second_try => Ok(false),
            stop => Err(stop),
        }
    }

    /// As `attempt`, for an action whose arguments are known.
    pub(crate) fn attempt_with(
        &mut self,
        program: &Program,
        player: EntityId,
        full: FuncId,
        args: &[u64],
    ) -> Run<bool> {
        let mark = self.machine.mem.mark();
        self.open_action(program, player);
        let begun = self.machine.push_frame(program, full, 0, true);
        let result = begun.and_then(|base| {
            self.machine.regs[base..base + args.len()].copy_from_slice(args);
            self.run_on(program)
        });
        self.attempted(program, mark, result)
    }

    /// Answers whatever is open at random; false where nobody had a choice. `asked` need not be known.
    pub(crate) fn draw(&mut self, program: &Program, generator: &mut Generator) -> Run<bool> {
        self.machine.reset_budget(program);
        self.machine.said.clear();
        match &self.machine.question {
            Some(Question::Chance(chance)) => {
                let drawn = generator.below(u64::from(chance.n)) as u32;
                if self.machine.answer_chance(program, drawn)? {
                    self.run_on(program)?;
                }
            }
            Some(Question::Ask(asking)) => {
                let player =
                    asking.seats.iter().find(|(_, _, done)| !done).expect("an open question waits for somebody").0;
                let picks = self.machine.picks(asking, player);
                let pick = picks[generator.below(picks.len() as u64) as usize];
                if self.machine.answer_ask(program, player, pick)? {
                    self.run_on(program)?;
                }
            }
            Some(Question::Let(letting)) => {
                let player = letting
                    .seats
                    .iter()
                    .find(|(_, chosen)| chosen.is_none())
                    .expect("an open question waits for somebody")
                    .0;
                let labels = letting.labels.clone();
                let mut legal = Vec::new();
                for candidate in self.machine.candidates(program, player, Some(&labels), false).0 {
                    if matches!(self.machine.legal(program, player, &candidate, &[]), Ok(Ok(()))) {
                        legal.push(candidate);
                    }
                }
                let choice = legal.swap_remove(generator.below(legal.len() as u64) as usize);
                if self.machine.answer_let(program, player, &choice)? {
                    self.run_on(program)?;
                }
            }
            None if program.world.turns == Turns::Free => {
                self.settle(program)?;
                if self.phase != Phase::Ready || self.machine.is_over() {
                    return Ok(false);
                }
                let player = self.asked[0];
                return self.draw_action(program, player, generator, false);
            }
            None => {
                let player = self.machine.first_player().as_entity().expect("somebody is to move");
                if !self.draw_action(program, player, generator, false)? {
                    self.stuck(program)?;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

impl Machine {
    /// Goes back to where a try began.
    pub(crate) fn take_back(&mut self, mark: Mark, heap: usize) {
        if self.mem.changed_since(mark) {
            self.rollback(mark);
        }
        self.mem.heap.truncate(heap);
        self.skipped.clear();
        self.leaving.clear();
        self.clear_checkpoints();
    }
}
