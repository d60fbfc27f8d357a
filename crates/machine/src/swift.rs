//! Random play without ceremony, for games that run as native code.
//!
//! It does what `draw` and `run_on` do, in one go: the slots that only matter inside an action are written without the
//! journal, because they hold nothing before and after. Whatever is out of the ordinary is left to the long way.

use crate::layout;
use crate::native::{MOST_ARGS, Native, Outcome as Ran};
use crate::position::MachinePosition;
use crate::program::{ActionCode, Handler, Program};
use crate::sampler::{Sampler, Ticket, Tickets};
use crate::value::Value;
use crate::vm::{Machine, Run, Stop};
use crate::world::{EntityId, GAME, GAME_KIND, KindId};
use houserules_kernel::Generator;
use houserules_model::Turns;

/// Tickets drawn before everything is listed after all.
const MOST_DRAWS: u32 = 300;

/// How a try went.
enum Tried {
    Played,
    Refused,
    /// Something stopped it that the long way has to look at.
    Unclear,
}

/// Whether a program can be played this way at all, native code apart.
pub fn suits(program: &Program) -> bool {
    let fixed = |receiver: EntityId| {
        let thing = &program.world.entities[receiver as usize];
        thing.board.is_some() || thing.kind <= 1
    };
    let plain = !program.plain.is_empty() && program.plain.iter().all(|&(_, receiver)| fixed(receiver));
    program.world.turns == Turns::Passing
        && (plain || program.sampler.is_some())
        && matches!(program.handlers[program.turn as usize][GAME_KIND as usize], Handler::None)
}

impl MachinePosition {
    /// Plays at random for at most so many actions and says how many; stops where the long way is needed.
    pub(crate) fn swift_moves(&mut self, program: &Program, generator: &mut Generator, most: u64) -> Run<u64> {
        let Some(native) = program.native().filter(|_| program.swift) else { return Ok(0) };
        let mut moves = 0;
        // Nothing of this can be undone, so what is passed on from turn to turn needs no journal either.
        self.undo.clear();
        self.machine.forget_changes();
        while moves < most && !self.machine.is_over() && self.machine.question.is_none() {
            self.machine.steps = program.budget.steps;
            let heap = self.machine.mem.heap.len();
            let played = match &program.sampler {
                Some(sampler) => self.draw_ticket(program, native, sampler, generator)?,
                None if self.machine.mem.slots[layout::MADE as usize] == 0 => {
                    self.swift_move(program, native, generator)?
                }
                None => false,
            };
            if !played {
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

    /// Draws until something is legal, or too often to go on blindly.
    fn swift_move(&mut self, program: &Program, native: &Native, generator: &mut Generator) -> Run<bool> {
        let player = self.machine.first_player();
        let (n, kept) = match self.machine.sync_kept(program) {
            true => (self.machine.kept.count(), true),
            false => (program.plain.len() as u32, false),
        };
        if n == 0 {
            return Ok(false);
        }
        for _ in 0..8 + n / 2 {
            let rank = generator.below(u64::from(n)) as u32;
            let at = if kept { self.machine.kept.select(rank) } else { rank as usize };
            let Some(address) = native.plain_address(program, &self.machine, at) else { return Ok(false) };
            let receiver = Value::entity(program.plain[at].1).0;
            match self.swift_try(program, player, |machine| machine.run_native(native, address, receiver))? {
                Tried::Played => return Ok(true),
                Tried::Refused => {}
                Tried::Unclear => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Draws tickets until one stands for something legal, or too often to go on blindly.
    fn draw_ticket(
        &mut self,
        program: &Program,
        native: &Native,
        sampler: &Sampler,
        generator: &mut Generator,
    ) -> Run<bool> {
        if !sampler.holds(self.machine.mem.slots[layout::MADE as usize]) {
            return Ok(false);
        }
        let player = self.machine.first_player();
        let heap = self.machine.mem.heap.len();
        let mut tickets = std::mem::take(&mut self.machine.tickets);
        if tickets.grow_old(self.machine.mem.slots[layout::MADE as usize]) {
            self.hand_out(program, sampler, &mut tickets);
        }
        let n = tickets.len();
        let mut result = Ok(false);
        for _ in 0..if n == 0 { 0 } else { MOST_DRAWS } {
            match self.try_ticket(program, native, sampler, player, tickets.get(generator.below(n))) {
                Ok(Tried::Refused) => self.machine.mem.heap.truncate(heap),
                Ok(Tried::Played) => {
                    result = Ok(true);
                    break;
                }
                Ok(Tried::Unclear) => {
                    self.machine.mem.heap.truncate(heap);
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
        tickets.begin();
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
        native: &Native,
        sampler: &Sampler,
        player: Value,
        ticket: Ticket,
    ) -> Run<Tried> {
        let Ticket { action, receiver, mut combination } = ticket;
        let code = &program.actions[action as usize];
        if self.machine.is_gone(program, receiver) {
            return Ok(Tried::Refused);
        }
        let Some(woven) = self.machine.handler(program, code.label, receiver) else { return Ok(Tried::Refused) };
        let kind = self.machine.kind_of(program, receiver);
        let Some(most) = sampler.most(action, kind) else { return Ok(Tried::Refused) };
        let n_args = 1 + program.labels[code.label as usize].attributes.len();
        if n_args > MOST_ARGS {
            return Ok(Tried::Unclear);
        }
        let mut args = [0; MOST_ARGS];
        args[0] = Value::entity(receiver).0;
        self.machine.mem.slots[layout::ACTOR as usize] = player.0;
        if let Some(pre) = woven.pre
            && let Some(address) = native.address(pre)
        {
            let n_args = program.functions[pre as usize].n_args;
            let ran = self.machine.enter_native(native, address, n_args, &args[..1], true);
            if matches!(ran, Err(Stop::Refused { .. })) {
                self.machine.mem.slots[layout::ACTOR as usize] = Value::NIL.0;
                return Ok(Tried::Refused);
            }
        }
        let drawn = !self.machine.has_twin_before(program, receiver)
            && self.draw_attributes(program, native, code, kind, most, &mut combination, &mut args);
        self.machine.mem.slots[layout::ACTOR as usize] = Value::NIL.0;
        if !drawn {
            return Ok(Tried::Refused);
        }
        match native.address(woven.full) {
            Some(address) => {
                let n_args = program.functions[woven.full as usize].n_args;
                self.swift_try(program, player, |machine| {
                    match machine.enter_native(native, address, n_args, &args[..n_args as usize], true) {
                        Ok(_) => Ran::Done,
                        Err(Stop::Refused { .. }) => Ran::Refused,
                        Err(_) => Ran::Stopped,
                    }
                })
            }
            None => {
                let player = player.as_entity().expect("somebody is to move");
                match self.attempt_with(program, player, woven.full, &args[..n_args])? {
                    true => Ok(Tried::Played),
                    false => Ok(Tried::Refused),
                }
            }
        }
    }

    /// Draws the attributes that a ticket stands for; false if there are no such ones.
    #[expect(clippy::too_many_arguments, reason = "one call site a few lines above")]
    fn draw_attributes(
        &mut self,
        program: &Program,
        native: &Native,
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
            let listed = match native.address(func) {
                Some(address) => self.machine.enter_native(native, address, n_args as u16, &args[..n_args], false),
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

    fn swift_try(&mut self, program: &Program, player: Value, run: impl FnOnce(&mut Machine) -> Ran) -> Run<Tried> {
        let mark = self.machine.mem.mark();
        let heap = self.machine.mem.heap.len();
        self.machine.mem.slots[layout::ACTOR as usize] = player.0;
        self.machine.in_action = true;
        self.machine.answered = false;
        let ran = run(&mut self.machine);
        self.machine.in_action = false;
        if ran != Ran::Done {
            self.machine.mem.slots[layout::ACTOR as usize] = Value::NIL.0;
            if self.machine.mem.changed_since(mark) {
                self.machine.rollback(mark);
            }
            self.machine.mem.heap.truncate(heap);
            self.machine.skipped.clear();
            self.machine.leaving.clear();
            self.machine.clear_checkpoints();
            return Ok(if ran == Ran::Refused { Tried::Refused } else { Tried::Unclear });
        }
        let slots = &self.machine.mem.slots;
        if slots[layout::AGAIN as usize] == 0 && slots[layout::ENDED as usize] == 0 {
            self.machine.pass_turn();
        }
        if program.history.is_some() {
            self.machine.remember(program, player)?;
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
}
