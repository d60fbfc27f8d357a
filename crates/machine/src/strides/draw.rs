//! Drawing from all that can be done, found by bits.

use super::signs::{FromNowhere, Guard};
use super::{Case, MOST_ACTIONS, ODD, Strides, Striding};
use crate::bits;
use crate::code::MOST_ARGS;
use crate::layout;
use crate::plan::{Draw, Tried};
use crate::position::MachinePosition;
use crate::program::Program;
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::{Machine, Run};
use crate::world::EntityId;
use houserules_kernel::Generator;

/// With more words than this, everything is listed.
const MOST_FOUND: usize = 24;

/// All that can be done: words of bits, action by action.
///
/// Where an action has arms, there is a word for each, and its bits are the places of those who can go that way. Where it
/// has a fan, there is a word for each receiver, and its bits are where that can go.
struct Finds {
    words: [u64; MOST_FOUND],
    /// Where the receivers of a fan stand.
    from: [u8; MOST_FOUND],
    n: usize,
    /// For each action where its words end, and which case it is.
    ends: [u8; MOST_ACTIONS],
    cases: [u8; MOST_ACTIONS],
}

impl Finds {
    #[inline]
    fn start(&self, at: usize) -> usize {
        if at == 0 { 0 } else { usize::from(self.ends[at - 1]) }
    }

    fn any(&self, at: usize) -> bool {
        self.words[self.start(at)..usize::from(self.ends[at])].iter().any(|&word| word != 0)
    }
}

impl Machine {
    /// Finds all that a player, who acts, can do. None where that has to be done slowly.
    fn find_strides(&mut self, program: &Program, strides: &Strides, seat: usize, finds: &mut Finds) -> Option<()> {
        self.stand(program, strides);
        if self.derived.standing.words[usize::from(ODD)] != 0 || self.mem.slots[layout::IN_PLAY as usize] != 2 {
            return None;
        }
        for (at, striding) in strides.actions.iter().enumerate() {
            let open = match (striding.unless, striding.once) {
                (Some(other), _) => !finds.any(other),
                // Whoever it is: it is not looked at.
                (None, Some(once)) => self.passes_laws(program, once, strides.first).ok()?,
                (None, None) => true,
            };
            if open {
                finds.cases[at] = self.find_striding(program, strides, striding, seat, finds)?;
            }
            finds.ends[at] = finds.n as u8;
        }
        Some(())
    }

    #[inline]
    fn find_striding(
        &mut self,
        program: &Program,
        strides: &Strides,
        striding: &Striding,
        seat: usize,
        finds: &mut Finds,
    ) -> Option<u8> {
        let leading = &striding.seats[seat];
        let case = match &leading.guard {
            None => 0,
            Some(guard) => usize::from(self.holds(program, guard)?),
        };
        let (words, from) = (&self.derived.standing.words, finds.n);
        match leading.cases[case].as_ref()? {
            Case::Arms { plain, others } => {
                let into = finds.words[from..].get_mut(..plain.len() + others.len())?;
                let (first, last) = into.split_at_mut(plain.len());
                first.iter_mut().zip(plain).for_each(|(word, arm)| *word = arm.from(words));
                last.iter_mut().zip(others).for_each(|(word, arm)| *word = arm.from.are(words));
                finds.n = from + plain.len() + others.len();
            }
            Case::Fan(fan) => {
                let (mut left, to) = (fan.from.are(words), fan.to.are(words));
                if fan.nowhere == FromNowhere::Too
                    && left.count_ones() != self.count_receivers(program, striding, seat)?
                {
                    return None;
                }
                while left != 0 {
                    let at = left.trailing_zeros();
                    left &= left - 1;
                    *finds.words.get_mut(finds.n)? = fan.fan[at as usize] & to;
                    finds.from[finds.n] = at as u8;
                    finds.n += 1;
                }
            }
        }
        if striding.each {
            self.ask_each(program, strides, striding, &mut finds.words[from..finds.n])?;
        }
        Some(case as u8)
    }

    /// How many may receive an action, wherever they lie. None if something is at fault.
    fn count_receivers(&mut self, program: &Program, striding: &Striding, seat: usize) -> Option<u32> {
        self.derived.standing.asks_roster = true;
        let set = striding.action * program.world.n_seats as usize + seat;
        self.sync_roster(program).then(|| self.derived.enrolled.count(set))
    }

    /// Whether a guard holds. None if something is at fault.
    fn holds(&mut self, program: &Program, guard: &Guard) -> Option<bool> {
        let mut args = [0; MOST_ARGS];
        args[0] = Value::entity(guard.who).0;
        let number = self.attribute_list(program, guard.func, &args).ok()?.as_whole()?;
        Some(if guard.above { number > guard.number } else { number < guard.number })
    }

    /// Leaves out those whom laws about them refuse. None if something is at fault.
    fn ask_each(&mut self, program: &Program, strides: &Strides, striding: &Striding, words: &mut [u64]) -> Option<()> {
        let mut left = words.iter().fold(0, |all, word| all | word);
        while left != 0 {
            let at = left.trailing_zeros();
            left &= left - 1;
            let receiver = self.receiver_at(strides, striding, at)?;
            let woven = self.handler_of(program, striding.action, receiver)?;
            if !self.passes_each(program, woven, receiver).ok()? {
                words.iter_mut().for_each(|word| *word &= !(1 << at));
            }
        }
        Some(())
    }

    /// Who receives an action at a place.
    #[inline]
    fn receiver_at(&self, strides: &Strides, striding: &Striding, at: u32) -> Option<EntityId> {
        match striding.argument {
            0 => Some(strides.first + at),
            _ => Value(self.mem.slots[(strides.tops + at) as usize]).as_entity(),
        }
    }
}

impl MachinePosition {
    /// Draws from all that a player can do.
    pub(crate) fn draw_strides(
        &mut self,
        program: &Program,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<Draw> {
        let Some(strides) = &program.strides else { return Ok(Draw::Unsuited) };
        let machine = &mut self.machine;
        let heap = machine.mem.heap.len();
        let mut finds = Finds {
            words: [0; MOST_FOUND],
            from: [0; MOST_FOUND],
            n: 0,
            ends: [0; MOST_ACTIONS],
            cases: [0; MOST_ACTIONS],
        };
        machine.derived.standing.asks_roster = false;
        let seat = player as usize - 1;
        let found = machine.as_actor(player, |machine| machine.find_strides(program, strides, seat, &mut finds));
        machine.mem.heap.truncate(heap);
        machine.derived.standing.asks_roster |= found.is_none();
        if found.is_none() {
            return Ok(Draw::Unsuited);
        }
        program.permits.take(Shortcut::Strides);
        let mut faulty = false;
        while let Some((number, bit)) = bits::draw(&finds.words[..finds.n], generator) {
            let at = finds.ends.iter().position(|&end| number < usize::from(end));
            let at = at.expect("every word belongs to an action");
            let striding = &strides.actions[at];
            let case = &striding.seats[seat].cases[usize::from(finds.cases[at])];
            let (from, to) = match case.as_ref().expect("what was found is known") {
                Case::Arms { plain, others } => {
                    let arm = number - finds.start(at);
                    let offset = plain.get(arm).map_or_else(|| others[arm - plain.len()].offset, |arm| arm.offset);
                    (bit, bit.wrapping_add_signed(i32::from(offset)))
                }
                Case::Fan(_) => (u32::from(finds.from[number]), bit),
            };
            let receiver = self.machine.receiver_at(strides, striding, from);
            let receiver = receiver.expect("only places that hold something are found");
            let mut args = [0; MOST_ARGS];
            // Without an argument the place is the receiver.
            args[striding.argument] = Value::entity(strides.first + to).0;
            args[0] = Value::entity(receiver).0;
            let tried = match self.machine.handler_of(program, striding.action, receiver) {
                Some(woven) => self.try_rest(program, player, woven, &args, lean.then_some(&mut *generator))?,
                None => Tried::Refused,
            };
            if tried == Tried::Played {
                return Ok(Draw::Played);
            }
            faulty |= tried != Tried::Refused;
            finds.words[number] &= !(1 << bit);
            self.machine.mem.heap.truncate(heap);
        }
        // A fault is met again, and told, when everything is listed.
        Ok(if faulty { Draw::Unsuited } else { Draw::Nobody })
    }
}
