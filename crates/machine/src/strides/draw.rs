//! Drawing from all that can be done, found by bits.

use super::signs::Guard;
use super::{Case, MOST_ACTIONS, ODD, Strides, Striding};
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
use std::ops::Range;

/// With more words than this, everything is listed.
const MOST_FOUND: usize = 32;

/// All that can be done: words of bits, action by action, and what they mean.
struct Finds {
    words: [u64; MOST_FOUND],
    means: [Means; MOST_FOUND],
    n: usize,
    /// For each action where its words end.
    ends: [usize; MOST_ACTIONS],
}

/// What the bits of a word are.
#[derive(Clone, Copy)]
enum Means {
    /// The places of those who can go so far.
    By(i8),
    /// Where what stands on a place can go.
    From(u8),
}

/// Whether an action is forbidden whoever receives it.
#[derive(Clone, Copy, PartialEq)]
enum Gated {
    Open,
    Closed,
    /// If another one can be done.
    Unless(usize),
}

impl Finds {
    #[inline]
    fn push(&mut self, word: u64, means: Means) -> Option<()> {
        (*self.words.get_mut(self.n)?, self.means[self.n]) = (word, means);
        self.n += 1;
        Some(())
    }

    #[inline]
    fn of(&self, at: usize) -> Range<usize> {
        (if at == 0 { 0 } else { self.ends[at - 1] })..self.ends[at]
    }

    fn any(&self, at: usize) -> bool {
        self.words[self.of(at)].iter().any(|&word| word != 0)
    }
}

impl Machine {
    /// Finds all that a player, who acts, can do. None where that has to be done slowly.
    fn find_strides(&mut self, program: &Program, strides: &Strides, seat: usize, finds: &mut Finds) -> Option<()> {
        self.stand(program, strides);
        if self.standing.words[usize::from(ODD)] != 0 || self.mem.slots[layout::IN_PLAY as usize] != 2 {
            return None;
        }
        let mut gates = [Gated::Open; MOST_ACTIONS];
        for (at, striding) in strides.actions.iter().enumerate() {
            gates[at] = self.gated(program, strides, striding)?;
            if gates[at] != Gated::Closed {
                self.find_striding(program, strides, striding, seat, finds)?;
            }
            finds.ends[at] = finds.n;
        }
        for (at, gate) in gates.iter().enumerate().take(strides.actions.len()) {
            if let Gated::Unless(other) = *gate
                && finds.any(other)
            {
                let range = finds.of(at);
                finds.words[range].fill(0);
            }
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
    ) -> Option<()> {
        let leading = &striding.seats[seat];
        let case = match &leading.guard {
            None => 0,
            Some(guard) => usize::from(self.holds(program, guard)?),
        };
        let (words, from) = (&self.standing.words, finds.n);
        match leading.cases[case].as_ref()? {
            Case::Arms(arms) => {
                for arm in arms {
                    finds.push(arm.from.are(words), Means::By(arm.offset))?;
                }
            }
            Case::Fan(fan) => {
                let (mut left, to) = (fan.from.are(words), fan.to.are(words));
                while left != 0 {
                    let at = left.trailing_zeros();
                    left &= left - 1;
                    finds.push(fan.fan[at as usize] & to, Means::From(at as u8))?;
                }
            }
        }
        match striding.each {
            true => self.ask_each(program, strides, striding, &mut finds.words[from..finds.n]),
            false => Some(()),
        }
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

    /// Asks the laws that read no receiver. None if something is at fault.
    fn gated(&mut self, program: &Program, strides: &Strides, striding: &Striding) -> Option<Gated> {
        let Some(once) = striding.once else { return Some(Gated::Open) };
        if let Some(Gate::Unless(other)) = program.native().map(|native| native.gate(striding.action))
            && let Some(at) = strides.actions.iter().position(|known| known.action == other && known.surely)
        {
            return Some(Gated::Unless(at));
        }
        // Whoever it is: it is not looked at.
        let passes = self.passes_laws(program, once, strides.first).ok()?;
        Some(if passes { Gated::Open } else { Gated::Closed })
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
    /// Draws from all that a player can do. None where that has to be done slowly.
    pub(crate) fn draw_strides(
        &mut self,
        program: &Program,
        strides: &Strides,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<Option<bool>> {
        let machine = &mut self.machine;
        let heap = machine.mem.heap.len();
        let before = std::mem::replace(&mut machine.mem.slots[layout::ACTOR as usize], Value::entity(player).0);
        let mut finds =
            Finds { words: [0; MOST_FOUND], means: [Means::By(0); MOST_FOUND], n: 0, ends: [0; MOST_ACTIONS] };
        let found = machine.find_strides(program, strides, player as usize - 1, &mut finds);
        machine.mem.slots[layout::ACTOR as usize] = before;
        machine.mem.heap.truncate(heap);
        machine.standing.sufficed = found.is_some();
        if found.is_none() {
            return Ok(None);
        }
        let mut faulty = false;
        while let Some((number, bit)) = bits::draw(&finds.words[..finds.n], generator) {
            let at = finds.ends.iter().position(|&end| number < end).expect("every word belongs to an action");
            let striding = &strides.actions[at];
            let (from, to) = match finds.means[number] {
                Means::By(offset) => (bit, bit.wrapping_add_signed(i32::from(offset))),
                Means::From(place) => (u32::from(place), bit),
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
                return Ok(Some(true));
            }
            faulty |= tried != Tried::Refused;
            finds.words[number] &= !(1 << bit);
            self.machine.mem.heap.truncate(heap);
        }
        // A fault is met again, and told, when everything is listed.
        Ok((!faulty).then_some(false))
    }
}
