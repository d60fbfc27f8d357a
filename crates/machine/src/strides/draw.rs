//! Drawing from all that can be done, found by bits.

use super::{MOST_ARMS, ODD, OWN, Strides};
use crate::bits;
use crate::layout;
use crate::native::{Gate, MOST_ARGS};
use crate::position::MachinePosition;
use crate::program::Program;
use crate::swift::Tried;
use crate::value::Value;
use crate::vm::{Machine, Run};
use crate::world::EntityId;
use houserules_kernel::Generator;

/// For each arm the places of those who can go that way, action by action.
type Hits = [u64; MOST_ARMS];

impl Machine {
    /// Finds all that a player, who acts, can do. None where that has to be done slowly.
    fn find_strides(&mut self, program: &Program, strides: &Strides, seat: usize, hits: &mut Hits) -> Option<()> {
        if !self.sync_roster(program) {
            return None;
        }
        self.stand(program, strides);
        let words = &self.standing.words;
        if words[usize::from(ODD)] != 0 || self.mem.slots[layout::IN_PLAY as usize] != 2 {
            return None;
        }
        // What is forward, and whose a thing is, was read off the code for a player's own things.
        let others = !words[usize::from(OWN) + seat];
        if strides.actions.iter().any(|striding| words[usize::from(striding.seats[seat].0)] & others != 0) {
            return None;
        }
        for (hits, arm) in hits.iter_mut().zip(&strides.arms[seat]) {
            *hits = arm.hits(words);
        }
        match strides.free {
            true => Some(()),
            false => self.ask_laws_about(program, strides, seat, hits),
        }
    }

    /// Asks the laws that read no more than the receiver. None if something is at fault.
    fn ask_laws_about(&mut self, program: &Program, strides: &Strides, seat: usize, hits: &mut Hits) -> Option<()> {
        let mut from = 0;
        for striding in &strides.actions {
            let to = striding.seats[seat].1;
            if striding.each {
                self.ask_each(program, strides, striding.action, &mut hits[from..to])?;
            }
            from = to;
        }
        self.close_gates(program, strides, seat, hits)
    }

    /// Leaves out those whom laws about them refuse. None if something is at fault.
    fn ask_each(&mut self, program: &Program, strides: &Strides, action: usize, hits: &mut [u64]) -> Option<()> {
        let mut left = any(hits);
        while left != 0 {
            let at = left.trailing_zeros();
            left &= left - 1;
            let receiver = self.standing_on(strides, at)?;
            let woven = self.handler_of(program, action, receiver)?;
            if !self.passes_each(program, woven, receiver).ok()? {
                hits.iter_mut().for_each(|hits| *hits &= !(1 << at));
            }
        }
        Some(())
    }

    /// Leaves out actions that laws forbid whoever receives them. None if something is at fault.
    fn close_gates(&mut self, program: &Program, strides: &Strides, seat: usize, hits: &mut Hits) -> Option<()> {
        let mut from = 0;
        let mut closed = 0;
        for striding in &strides.actions {
            let to = striding.seats[seat].1;
            let gate = program.native().map_or(Gate::Slow, |native| native.gate(striding.action));
            let passes = match gate {
                Gate::Open => true,
                Gate::Unless(other) if let Some(can) = strides.any_found(other, seat, hits) => !can,
                _ => match any(&hits[from..to]) {
                    0 => true,
                    found => {
                        let receiver = self.standing_on(strides, found.trailing_zeros())?;
                        self.passes_once(program, &program.actions[striding.action], receiver).ok()?
                    }
                },
            };
            if !passes {
                closed |= u32::MAX << from & !(u32::MAX << to);
            }
            from = to;
        }
        // Only now: whether one of them can be done may forbid another.
        (0..from).filter(|at| closed >> at & 1 == 1).for_each(|at| hits[at] = 0);
        Some(())
    }

    /// What lies on a place.
    #[inline]
    fn standing_on(&self, strides: &Strides, at: u32) -> Option<EntityId> {
        Value(self.mem.slots[(strides.tops + at) as usize]).as_entity()
    }
}

/// All places together.
#[inline]
fn any(hits: &[u64]) -> u64 {
    hits.iter().fold(0, |all, hits| all | hits)
}

impl Strides {
    /// Whether an action was found for somebody, if whatever is found is legal.
    #[inline]
    fn any_found(&self, action: usize, seat: usize, hits: &Hits) -> Option<bool> {
        let mut from = 0;
        for striding in &self.actions {
            let to = striding.seats[seat].1;
            if striding.action == action {
                return striding.surely.then(|| any(&hits[from..to]) != 0);
            }
            from = to;
        }
        None
    }
}

impl MachinePosition {
    /// Draws from all that a player can do. None where that has to be done slowly.
    pub(crate) fn draw_strides(
        &mut self,
        program: &Program,
        strides: &Strides,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<Option<bool>> {
        let seat = player as usize - 1;
        let machine = &mut self.machine;
        let heap = machine.mem.heap.len();
        let before = std::mem::replace(&mut machine.mem.slots[layout::ACTOR as usize], Value::entity(player).0);
        let mut hits = [0; MOST_ARMS];
        let found = machine.find_strides(program, strides, seat, &mut hits);
        machine.mem.slots[layout::ACTOR as usize] = before;
        machine.mem.heap.truncate(heap);
        if found.is_none() {
            return Ok(None);
        }
        let arms = &strides.arms[seat];
        let hits = &mut hits[..arms.len()];
        let mut faulty = false;
        while let Some((at, place)) = bits::draw(hits, generator) {
            let striding = strides.actions.iter().find(|striding| at < striding.seats[seat].1);
            let striding = striding.expect("every arm belongs to an action");
            let receiver = self.machine.standing_on(strides, place).expect("only places that hold something are found");
            let target = (strides.first + place).wrapping_add_signed(arms[at].offset);
            let mut args = [0; MOST_ARGS];
            args[0] = Value::entity(receiver).0;
            args[striding.argument] = Value::entity(target).0;
            let tried = match self.machine.handler_of(program, striding.action, receiver) {
                Some(woven) => self.try_rest(program, player, woven, &args, lean.then_some(&mut *generator))?,
                None => Tried::Refused,
            };
            if tried == Tried::Played {
                return Ok(Some(true));
            }
            faulty |= tried != Tried::Refused;
            hits[at] &= !(1 << place);
            self.machine.mem.heap.truncate(heap);
        }
        // A fault is met again, and told, when everything is listed.
        Ok((!faulty).then_some(false))
    }
}
