//! Defines answered by the kind of the thing that is asked: their code by kind.

use super::emit::*;
use super::helpers;
use crate::code::*;
use crate::program::Program;
use crate::world::KindId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData};
use std::collections::BTreeMap;

/// For each word and kind the address of the code that answers; 0: it has to be found out slowly.
#[derive(Default)]
pub(crate) struct Defines {
    words: BTreeMap<NameId, Box<[u64]>>,
    /// The same for defines with parameters.
    asked: BTreeMap<NameId, Box<[u64]>>,
}

impl Defines {
    /// Room for the addresses, which are known only when everything is compiled.
    pub fn of(program: &Program) -> Defines {
        let room = || vec![0; program.world.kinds.len()].into_boxed_slice();
        Defines {
            words: program.answers.keys().map(|&name| (name, room())).collect(),
            asked: program.asked.keys().map(|&name| (name, room())).collect(),
        }
    }

    pub fn fill(&mut self, program: &Program, addresses: &[Option<usize>]) {
        let address = |func: FuncId| addresses[func as usize].unwrap_or(0) as u64;
        for (name, table) in &mut self.words {
            for (kind, answer) in program.answers[name].iter().enumerate() {
                if let Some(Answer::Define(func)) = answer
                    && program.functions[*func as usize].n_args == 1
                {
                    table[kind] = address(*func);
                }
            }
        }
        for (name, table) in &mut self.asked {
            for (kind, answer) in program.asked[name].iter().enumerate() {
                if let Some((func, params)) = answer
                    && program.functions[*func as usize].n_args == params + 1
                {
                    table[kind] = address(*func);
                }
            }
        }
    }
}

impl Emit<'_, '_> {
    /// A word asked of a thing: by the define of its kind, if that is native code.
    pub(super) fn ask_define(&mut self, of: Word, name: NameId, op: &Op) -> Word {
        let tables = self.tables;
        let Some(table) = tables.defines.words.get(&name) else { return self.calling(op) };
        let Some(number) = self.kept_of_players(name) else { return self.ask_kind(of, table, &[of], op) };
        let (done, ask) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(done, I64);
        self.unless_changed(number, of, 1, done, ask);
        self.at(ask);
        let value = self.ask_kind(of, table, &[of], op);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    /// The number of a define that is kept, if every player answers a word by it.
    fn kept_of_players(&self, name: NameId) -> Option<usize> {
        let program = self.program;
        let answers = program.answers.get(&name)?;
        let answer = |player: u32| match answers[program.kinds[player as usize] as usize] {
            Some(Answer::Define(func)) => {
                self.tables.memos.number(func).filter(|&number| !self.tables.memos.is_by_player(number))
            }
            _ => None,
        };
        let first = answer(1)?;
        (1..=program.world.n_seats).all(|player| answer(player) == Some(first)).then_some(first)
    }

    /// A define with parameters asked of a thing.
    pub(super) fn call_of(&mut self, entity: Reg, name: NameId, (first, n): (Reg, u16), op: &Op) -> Word {
        let tables = self.tables;
        let fits = |params: u16| params + 1 == n;
        let answers = self.program.asked.get(&name);
        let all_fit = answers.is_some_and(|answers| answers.iter().flatten().all(|&(_, params)| fits(params)));
        match tables.defines.asked.get(&name) {
            Some(table) if all_fit => {
                let of = self.get(entity);
                let mut args: Vec<Word> = (first..first + n).map(|reg| self.get(reg)).collect();
                args[0] = of;
                self.ask_kind(of, table, &args, op)
            }
            _ => self.calling(op),
        }
    }

    fn ask_kind(&mut self, of: Word, table: &[u64], args: &[Word], op: &Op) -> Word {
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let slow = self.cold();
        let kind = self.kind_or(of, slow);
        let table = self.constant(table.as_ptr() as u64);
        let offset = self.b.ins().ishl_imm_u(kind, 3);
        let address = self.b.ins().iadd(table, offset);
        let address = self.b.ins().load(I64, MemFlagsData::trusted(), address, 0);
        let fast = self.b.create_block();
        self.b.ins().brif(address, fast, &[], slow, &[]);
        self.at(fast);
        let sig = self.sig(2 + args.len());
        let mut all = vec![self.machine, self.constant(0)];
        all.extend_from_slice(args);
        let call = self.b.ins().call_indirect(sig, address, &all);
        let value = self.b.inst_results(call)[0];
        self.or_stop(value);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(slow);
        let value = self.calling(op);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    /// Whether a thing is of a kind.
    pub(super) fn is_a(&mut self, dst: Reg, a: Reg, kind: Reg) {
        let tables = self.tables;
        let (of, wanted) = (self.get(a), self.get(kind));
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (fast, slow) = (self.b.create_block(), self.cold());
        let tag = self.b.ins().ushr_imm_u(wanted, i64::from(TAG));
        let is_kind = self.b.ins().icmp_imm_u(IntCC::Equal, tag, KIND_TAG as i64);
        self.b.ins().brif(is_kind, fast, &[], slow, &[]);
        self.at(fast);
        let kind = self.kind_or(of, slow);
        let by_kind = self.constant(tables.laid.by_kind.as_ptr() as u64);
        let number = self.b.ins().band_imm_u(wanted, i64::from(u32::MAX));
        let offset = self.b.ins().ishl_imm_u(number, 3);
        let address = self.b.ins().iadd(by_kind, offset);
        let table = self.load(address, 0);
        let address = self.b.ins().iadd(table, kind);
        let is = self.b.ins().uload8(I64, MemFlagsData::trusted().with_readonly(), address, 0);
        self.b.ins().jump(done, &[BlockArg::Value(is)]);
        self.at(slow);
        let value = self.helper_here(helpers::is_a as *const () as usize, &[of, wanted]);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        self.set(dst, result);
    }

    /// The number of a thing's kind; goes on at `other` if it is no thing.
    pub(super) fn kind_or(&mut self, of: Word, other: cranelift_codegen::ir::Block) -> Word {
        let layout = &self.program.layout;
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (known, unknown) = (self.b.create_block(), self.b.create_block());
        let of_start = self.is_among(of, 0, layout.first_made);
        self.b.ins().brif(of_start, known, &[], unknown, &[]);
        self.at(known);
        let kinds = self.constant(self.program.kinds.as_ptr() as u64);
        let number = self.behind(of, 0);
        let offset = self.b.ins().ishl_imm_u(number, KindId::BITS.trailing_zeros() as i64 - 3);
        let address = self.b.ins().iadd(kinds, offset);
        let kind = self.b.ins().uload16(I64, MemFlagsData::trusted().with_readonly(), address, 0);
        self.b.ins().jump(done, &[BlockArg::Value(kind)]);
        self.at(unknown);
        if layout.made_stride > 1 {
            let made = self.is_among(of, layout.first_made, u32::MAX);
            let go_on = self.b.create_block();
            self.b.ins().brif(made, go_on, &[], other, &[]);
            self.at(go_on);
            let behind = self.behind(of, layout.first_made);
            let slots = self.slots();
            let offset = self.b.ins().imul_imm_s(behind, 8 * i64::from(layout.made_stride));
            let block = self.b.ins().iadd(slots, offset);
            let kind = self.load(block, 8 * layout.made_base as usize);
            self.b.ins().jump(done, &[BlockArg::Value(kind)]);
        } else {
            self.b.ins().jump(other, &[]);
        }
        self.at(done);
        result
    }
}
