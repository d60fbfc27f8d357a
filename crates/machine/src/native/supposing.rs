//! What would be: `suppose`, and questions about choices that need no list of them.
//!
//! "Any of my moves after which …" is written as a list of moves and a look through it. Here such a row of instructions
//! is found, through the define that gives the list, and the choices are found one by one until the question is settled.
#![allow(unsafe_code, reason = "called from native code with the addresses it was compiled with")]

use super::emit::{Emit, Word};
use super::helpers;
use crate::choices::Supposed;
use crate::code::*;
use crate::facts;
use crate::program::Program;
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::Machine;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, StackSlot, StackSlotData, StackSlotKind};

/// Something begun that has to be ended whichever way a function is left.
#[derive(Clone, Copy)]
pub(super) enum Open {
    Supposed(StackSlot),
    Choices,
}

/// Who is asked for choices.
enum Asked {
    Player,
    Reg(Reg),
}

impl Emit<'_, '_> {
    /// Leaves the function where something has stopped it.
    pub(super) fn give_up(&mut self, value: Word) {
        for at in (0..self.open.len()).rev() {
            self.close(self.open[at]);
        }
        self.b.ins().return_(&[value]);
    }

    fn close(&mut self, open: Open) {
        match open {
            Open::Supposed(room) => {
                let supposed = self.b.ins().stack_addr(I64, room, 0);
                self.helper(end_suppose as *const () as usize, &[self.machine, supposed], false);
            }
            Open::Choices => {
                self.helper(end_choices as *const () as usize, &[self.machine], false);
            }
        }
    }

    pub(super) fn suppose(&mut self, dst: Reg, message: Reg, start: u32, end: u32) {
        let size = size_of::<Supposed>().next_multiple_of(8) as u32;
        let room = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3));
        let (message, supposed) = (self.get(message), self.b.ins().stack_addr(I64, room, 0));
        let begun = self.helper_here(begin_suppose as *const () as usize, &[message, supposed]);
        let (go_on, done) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(done, I64);
        let nil = self.nil();
        self.b.ins().brif(begun, go_on, &[], done, &[BlockArg::Value(nil)]);
        self.at(go_on);
        // What is supposed may have put somebody out.
        let sides = std::mem::take(&mut self.sides);
        self.open.push(Open::Supposed(room));
        let it = self.get(dst);
        let value = self.block(Block { start, it: dst }, it);
        self.open.pop();
        self.sides = sides;
        self.close(Open::Supposed(room));
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        self.set(dst, result);
        let label = self.label(end);
        self.b.ins().jump(label, &[]);
        self.ended = true;
    }

    /// Writes a row of instructions that lists choices only to look through them as a loop that finds them one by one;
    /// false if none begins here.
    pub(super) fn looks_through_choices(&mut self, op: &Op) -> bool {
        if !self.program.may(Shortcut::Cursor) {
            return false;
        }
        let (list, choices, asked) = match *op {
            Op::Choices { dst, choices } => {
                (dst, choices, Asked::Reg(self.program.pools.choices[choices as usize].player))
            }
            Op::Call { dst, func, .. } => match chosen(&self.program.functions[func as usize], &self.program.pools) {
                Some(choices) => (dst, choices, Asked::Player),
                None => return false,
            },
            _ => return false,
        };
        let Some((pc, dst, look)) = self.question_about(list) else { return false };
        let look = &self.program.pools.looks[look as usize];
        let player = match asked {
            Asked::Player => self.player(),
            Asked::Reg(reg) => self.get(reg),
        };
        self.program.permits.write(Shortcut::Cursor);
        let choices = self.constant(u64::from(choices));
        self.helper_here(begin_choices as *const () as usize, &[choices, player]);
        self.pc = pc;
        self.choice_by_choice(dst, look);
        self.written = pc + 1;
        true
    }

    /// The look that goes through a list which is read by nobody else, and changes nothing on the way.
    fn question_about(&self, mut list: Reg) -> Option<(usize, Reg, u32)> {
        let mut lists = vec![list];
        let mut pc = self.pc + 1;
        loop {
            match *self.code.get(pc)? {
                Op::Members { dst, src } if src == list && !self.labels.contains_key(&(pc as u32)) => {
                    list = dst;
                    lists.push(list);
                }
                // Past the code of the condition.
                Op::Jump { to } if self.regions.get(&(pc as u32 + 1)) == Some(&to) => {
                    let arrivals = self.code.iter().filter(|op| op.target() == Some(to)).count();
                    if arrivals != 1 || self.labels.contains_key(&(pc as u32)) {
                        return None;
                    }
                    pc = to as usize;
                    continue;
                }
                Op::Look { dst, look } => {
                    let asked = &self.program.pools.looks[look as usize];
                    let settles = matches!(asked.quantifier, Quantifier::Any | Quantifier::None | Quantifier::Every);
                    let unread = lists.iter().all(|&reg| reg == dst || self.is_dead(reg, vec![pc + 1]));
                    let pure = match asked.test {
                        Test::Code(block) => self.only_looks(block.start, &lists),
                        _ => true,
                    };
                    let fits = settles && unread && pure && asked.domain == Domain::Reg(list);
                    return fits.then_some((pc, dst, look));
                }
                _ => return None,
            }
            pc += 1;
        }
    }

    /// Whether the code of a condition changes nothing, and does not read the list.
    fn only_looks(&self, start: u32, lists: &[Reg]) -> bool {
        let code = &self.code[start as usize..self.regions[&start] as usize];
        code.iter().all(|op| {
            let mut called = Vec::new();
            facts::called(self.program, op, &mut called);
            let quiet = |&func: &FuncId| !self.facts[func as usize].writes && !self.facts[func as usize].stops;
            let operands = facts::operands(op, &self.program.pools);
            !facts::effects(op).writes
                && !facts::effects(op).asks
                && called.iter().all(quiet)
                && !operands.uses.iter().any(|used| lists.contains(used))
        })
    }

    fn choice_by_choice(&mut self, dst: Reg, look: &Look) {
        let heap = self.heap_len();
        let (head, out) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(out, I64);
        self.open.push(Open::Choices);
        self.b.ins().jump(head, &[]);
        self.at(head);
        self.spend_round(self.pc, self.pc + 1);
        let message = self.helper_here(next_choice as *const () as usize, &[]);
        let (body, hit, miss) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let none = match look.quantifier {
            Quantifier::Any => self.nil(),
            _ => self.constant(1),
        };
        self.b.ins().brif(message, body, &[], out, &[BlockArg::Value(none)]);
        self.at(body);
        self.test(look.test, message, false, None, hit, miss);
        let (settled, open) = match look.quantifier {
            Quantifier::Every => (miss, hit),
            _ => (hit, miss),
        };
        self.at(open);
        self.b.ins().jump(head, &[]);
        self.at(settled);
        let value = match look.quantifier {
            Quantifier::Any => message,
            _ => self.nil(),
        };
        self.b.ins().jump(out, &[BlockArg::Value(value)]);
        self.at(out);
        self.open.pop();
        self.close(Open::Choices);
        if look.quantifier != Quantifier::Any {
            self.set_heap_len(heap);
        }
        self.set(dst, result);
    }
}

/// The choices that a function lists for the player, if it does nothing else.
fn chosen(function: &Function, pools: &Pools) -> Option<u32> {
    match *function.code.as_slice() {
        [Op::Player { dst: player }, Op::Choices { dst, choices }, Op::Return { src }]
            if dst == src && pools.choices[choices as usize].player == player =>
        {
            Some(choices)
        }
        _ => None,
    }
}

pub extern "C" fn begin_choices(machine: &mut Machine, program: &Program, at: u64, choices: u64, player: u64) -> u64 {
    let result = machine.begin_choices(program, choices as u32, Value(player));
    helpers::finish(machine, program, at, result.map(|()| Value::NIL))
}

pub extern "C" fn next_choice(machine: &mut Machine, program: &Program, at: u64) -> u64 {
    let result = machine.next_choice(program);
    helpers::finish(machine, program, at, result)
}

pub extern "C" fn end_choices(machine: &mut Machine) -> u64 {
    machine.end_choices();
    Value::NIL.0
}

/// Carries out what is supposed; nil if it is refused.
pub extern "C" fn begin_suppose(
    machine: &mut Machine,
    program: &Program,
    at: u64,
    message: u64,
    into: *mut Supposed,
) -> u64 {
    let result = machine.begin_suppose(program, Value(message)).map(|begun| match begun {
        Some(supposed) => {
            // SAFETY: native code has room there for one.
            unsafe { into.write(supposed) };
            Value::TRUE
        }
        None => Value::NIL,
    });
    helpers::finish(machine, program, at, result)
}

pub extern "C" fn end_suppose(machine: &mut Machine, supposed: *const Supposed) -> u64 {
    // SAFETY: written by `begin_suppose`.
    machine.end_suppose(unsafe { *supposed });
    Value::NIL.0
}
