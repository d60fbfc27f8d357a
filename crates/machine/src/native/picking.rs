//! Whether a walk reaches one place, without listing what it reaches.
#![allow(unsafe_code, reason = "native code is entered by address")]

use super::emit::*;
use super::{MISSING, Native};
use crate::code::{MOST_ARGS, Walk};
use crate::picks::{Drawing, Pick};
use crate::program::Program;
use crate::sampler::Picked;
use crate::value::Value;
use crate::vm::{Machine, Run};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder};
use cranelift_frontend::FunctionBuilderContext;
use houserules_kernel::Generator;
use std::mem::offset_of;

/// For each place and number the table of steps that leads there, and the place as a value.
pub(super) fn table(pick: &Pick, ways: &[u64]) -> Box<[u64]> {
    pick.rays.iter().flat_map(|&(way, place)| [ways[way as usize], Value::maybe(place).0]).collect()
}

impl Emit<'_, '_> {
    /// Whether the walk being written is the one to be drawn from.
    pub(super) fn is_picked(&self) -> bool {
        self.pc + 2 == self.code.len() && self.pick.is_some_and(|(at, _)| self.program.picks[at].func == self.func)
    }

    /// Goes straight to the place with the number wanted, and leaves with it, or with nil if something is in the way.
    pub(super) fn pick(&mut self, walk: &Walk) {
        let (at, number) = self.pick.expect("asked before");
        let (pick, tables) = (&self.program.picks[at], self.tables);
        let from = self.get(walk.from);
        let (usual, odd) = (self.b.create_block(), self.cold());
        let on_board = self.is_among(from, pick.first, pick.first + pick.n);
        self.b.ins().brif(on_board, usual, &[], odd, &[]);
        self.at(odd);
        let missing = self.constant(MISSING);
        self.leave(missing);
        self.at(usual);
        let behind = self.behind(from, pick.first);
        let row = self.b.ins().imul_imm_s(behind, i64::from(pick.most));
        let ray = self.b.ins().iadd(row, number);
        let offset = self.b.ins().ishl_imm_u(ray, 4);
        let table = self.constant(tables.picks[at].as_ptr() as u64);
        let address = self.b.ins().iadd(table, offset);
        let (steps, wanted) = (self.load(address, 0), self.load(address, 8));
        let (step, reached, blocked) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let place = self.b.append_block_param(step, I64);
        self.b.ins().brif(wanted, step, &[BlockArg::Value(from)], blocked, &[]);
        self.at(step);
        let next = self.next_place(steps, place);
        let free = self.b.create_block();
        self.test(walk.while_, next, true, Some((pick.first, pick.first + pick.n)), free, blocked);
        self.at(free);
        let there = self.b.ins().icmp(IntCC::Equal, next, wanted);
        self.b.ins().brif(there, reached, &[], step, &[BlockArg::Value(next)]);
        self.at(reached);
        self.leave(wanted);
        self.at(blocked);
        let nil = self.nil();
        self.leave(nil);
    }
}

/// Writes the function that draws until a ticket stands for places that are reached. It gives true then, nil if no more
/// may be drawn, and nothing that is a value where the ticket has to be looked at slowly.
pub(super) fn drawing(source: Source, into: &mut ir::Function, context: &mut FunctionBuilderContext) -> Option<()> {
    let program = source.program;
    let picked = program.sampler.as_ref()?.picked.as_ref()?;
    let config = source.isa.frontend_config();
    let func = program.picks[picked.picks[0]].func;
    let (mut emit, params) = begin(source, func, into, context);
    let drawing = params[2];
    let (head, draw, none) = (emit.b.create_block(), emit.b.create_block(), emit.b.create_block());
    emit.b.ins().jump(head, &[]);
    emit.at(head);
    let left = emit.load(drawing, offset_of!(Drawing, left));
    emit.b.ins().brif(left, draw, &[], none, &[]);
    emit.at(none);
    let nil = emit.nil();
    emit.b.ins().return_(&[nil]);
    emit.at(draw);
    let (generator, n) =
        (emit.load(drawing, offset_of!(Drawing, generator)), emit.load(drawing, offset_of!(Drawing, n)));
    let random = emit.helper(next_random as *const () as usize, &[generator], false);
    // The digits of the ticket's number, the receiver first.
    let (mut low, mut digits) = (random, Vec::new());
    let mosts: Vec<u32> = picked.picks.iter().map(|&at| program.picks[at].most).collect();
    for at in 0..=mosts.len() {
        let bound = match at {
            0 => n,
            _ => emit.constant(u64::from(mosts[at - 1])),
        };
        digits.push(emit.b.ins().umulhi(low, bound));
        low = emit.b.ins().imul(low, bound);
    }
    let bound = emit.b.ins().imul_imm_s(n, i64::from(picked.tickets));
    let (fair, doubtful) = (emit.b.create_block(), emit.cold());
    let surely = emit.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, low, bound);
    emit.b.ins().brif(surely, fair, &[], doubtful, &[]);
    emit.at(doubtful);
    let minus = emit.b.ins().ineg(bound);
    let least = emit.b.ins().urem(minus, bound);
    let enough = emit.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, low, least);
    emit.b.ins().brif(enough, fair, &[], draw, &[]);
    emit.at(fair);
    let left = emit.b.ins().iadd_imm_s(left, -1);
    emit.store(left, drawing, offset_of!(Drawing, left));
    let pairs = emit.load(drawing, offset_of!(Drawing, pairs));
    let offset = emit.b.ins().ishl_imm_u(digits[0], 4);
    let address = emit.b.ins().iadd(pairs, offset);
    let with = &program.actions[picked.action].with;
    let nothing = emit.nil();
    let mut args = [nothing; MOST_ARGS];
    args[0] = emit.load(address, 0);
    args[1 + with[0].0 as usize] = emit.load(address, 8);
    for (at, (attribute, funcs)) in with[1..].iter().enumerate() {
        emit.pick = Some((picked.picks[at], digits[1 + at]));
        let func = funcs[picked.kind as usize].expect("every attribute is picked");
        let n_args = program.functions[func as usize].n_args as usize;
        let place = emit.inline(func, &args[..n_args]);
        let (told, slowly) = (emit.b.create_block(), emit.cold());
        let missing = emit.b.ins().icmp_imm_s(IntCC::Equal, place, MISSING as i64);
        emit.b.ins().brif(missing, slowly, &[], told, &[]);
        emit.at(slowly);
        for (at, &digit) in digits.iter().enumerate() {
            emit.store(digit, drawing, offset_of!(Drawing, digits) + 8 * at);
        }
        emit.b.ins().return_(&[place]);
        emit.at(told);
        let reached = emit.b.create_block();
        emit.b.ins().brif(place, reached, &[], head, &[]);
        emit.at(reached);
        args[1 + *attribute as usize] = place;
    }
    for (at, &arg) in args.iter().enumerate() {
        emit.store(arg, drawing, offset_of!(Drawing, args) + 8 * at);
    }
    let yes = emit.constant(1);
    emit.b.ins().return_(&[yes]);
    emit.b.seal_all_blocks();
    emit.b.finalize(config);
    Some(())
}

extern "C" fn next_random(generator: &mut Generator) -> u64 {
    generator.next()
}

impl Drawing {
    pub(crate) fn lots(&mut self) -> &mut Generator {
        // SAFETY: lent by whoever draws, for as long as this lives, and reached through here only.
        unsafe { &mut *self.generator }
    }

    /// Draws a ticket.
    pub(crate) fn draw(&mut self, program: &Program, picked: &Picked) {
        self.left -= 1;
        let bound = self.n * u64::from(picked.tickets);
        let mut number = self.lots().below(bound);
        for (at, &pick) in picked.picks.iter().enumerate().rev() {
            let most = u64::from(program.picks[pick].most);
            self.digits[1 + at] = number % most;
            number /= most;
        }
        self.digits[0] = number;
    }

    /// The receiver and the first attribute drawn.
    pub(crate) fn pair(&self) -> [u64; 2] {
        // SAFETY: lent by whoever draws; the number is below that of the pairs.
        unsafe { *self.pairs.add(self.digits[0] as usize) }
    }
}

impl Machine {
    /// Draws until a ticket stands for places that are reached, if it can be told natively whether they are.
    pub(crate) fn draw_natively(
        &mut self,
        native: &Native,
        address: usize,
        drawing: &mut Drawing,
    ) -> Run<Option<bool>> {
        let drawn = self.enter_native(native, address, 1, &[drawing as *mut Drawing as u64], false)?;
        Ok((drawn.0 != MISSING).then_some(!drawn.is_nil()))
    }
}
