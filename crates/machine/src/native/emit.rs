//! Register code → native code, one function at a time.

use super::facts::Facts;
use super::types::{self, Mask, States};
use super::{MISSING, REFUSED, STOP, Tables, helpers, operands};
use crate::buffer::Buffer;
use crate::code::*;
use crate::layout;
use crate::memory::{Change, Memory};
use crate::program::{Handler, Program};
use crate::value::{MOST, Value};
use crate::vm::Machine;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    self, AbiParam, Block as Label, BlockArg, FuncRef, InstBuilder, MemFlagsData, SigRef, StackSlotData, StackSlotKind,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::JITModule;
use cranelift_module::Module;
use std::collections::BTreeMap;
use std::mem::offset_of;

pub(super) type Word = ir::Value;

const SLOTS: usize = offset_of!(Machine, mem) + offset_of!(Memory, slots) + offset_of!(Buffer<u64>, ptr);
const HEAP: usize = offset_of!(Machine, mem) + offset_of!(Memory, heap) + offset_of!(Buffer<u64>, ptr);
const HEAP_LEN: usize = offset_of!(Machine, mem) + offset_of!(Memory, heap) + offset_of!(Buffer<u64>, len);
const STORED: usize = offset_of!(Machine, mem) + offset_of!(Memory, stored);
const JOURNAL: usize = offset_of!(Machine, mem) + offset_of!(Memory, journal) + offset_of!(Buffer<Change>, ptr);
const JOURNAL_LEN: usize = offset_of!(Machine, mem) + offset_of!(Memory, journal) + offset_of!(Buffer<Change>, len);
const JOURNAL_ROOM: usize = offset_of!(Machine, mem) + offset_of!(Memory, journal) + offset_of!(Buffer<Change>, room);
const REGS: usize = offset_of!(Machine, regs) + offset_of!(Buffer<u64>, ptr);
const REGS_LEN: usize = offset_of!(Machine, regs) + offset_of!(Buffer<u64>, len);
const TOP: usize = offset_of!(Machine, top);
const STEPS: usize = offset_of!(Machine, steps);
const DEPTH: usize = offset_of!(Machine, depth);
const LIMIT: usize = offset_of!(Machine, stack_limit);
pub(super) const GATHERED: usize = offset_of!(Machine, gathered) + offset_of!(Buffer<u64>, ptr);
pub(super) const GATHERED_ROOM: usize = offset_of!(Machine, gathered) + offset_of!(Buffer<u64>, room);
pub(super) const GATHERED_LEN: usize = offset_of!(Machine, gathered) + offset_of!(Buffer<u64>, len);

const TAG: u32 = 48;
const WHOLE_TAG: u64 = 1 << TAG;
const ENTITY_TAG: u64 = 2 << TAG;
const PAYLOAD: u64 = WHOLE_TAG - 1;

/// Where the result of a block of code goes.
#[derive(Clone, Copy)]
struct BlockExit {
    value: Variable,
    to: Label,
}

pub(super) struct Emit<'a, 'b> {
    pub program: &'a Program,
    pub facts: &'a [Facts],
    pub tables: &'a Tables,
    ids: &'a [Option<cranelift_module::FuncId>],
    pub func: FuncId,
    pub code: &'a [Op],
    pub states: States,
    pub b: FunctionBuilder<'b>,
    module: &'a mut JITModule,
    vars: Vec<Variable>,
    pub machine: Word,
    action: Word,
    /// Where the registers lie in memory, if anything needs them there.
    base: Option<Word>,
    /// How many rules were left out when the function began, if it leaves out any itself.
    n_skipped: Option<Word>,
    labels: BTreeMap<u32, Label>,
    regions: BTreeMap<u32, u32>,
    exits: Vec<BlockExit>,
    refs: BTreeMap<FuncId, FuncRef>,
    sigs: BTreeMap<usize, SigRef>,
    /// Nothing can follow in the present block.
    ended: bool,
    /// The instruction being written.
    pc: usize,
}

#[expect(clippy::too_many_arguments, reason = "one call site; a struct would only rename them")]
pub(super) fn function(
    program: &Program,
    facts: &[Facts],
    tables: &Tables,
    ids: &[Option<cranelift_module::FuncId>],
    func: FuncId,
    module: &mut JITModule,
    into: &mut ir::Function,
    context: &mut FunctionBuilderContext,
) {
    let function = &program.functions[func as usize];
    let config = module.target_config();
    let mut b = FunctionBuilder::new(into, context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params = b.block_params(entry).to_vec();
    let n_regs = function.n_regs.max(function.n_args) as usize;
    let vars: Vec<Variable> = (0..n_regs).map(|_| b.declare_var(I64)).collect();
    let mut emit = Emit {
        program,
        facts,
        tables,
        ids,
        func,
        code: &function.code,
        states: types::infer(program, function),
        b,
        module,
        vars,
        machine: params[0],
        action: params[1],
        base: None,
        n_skipped: None,
        labels: BTreeMap::new(),
        regions: BTreeMap::new(),
        exits: Vec::new(),
        refs: BTreeMap::new(),
        sigs: BTreeMap::new(),
        ended: false,
        pc: 0,
    };
    emit.find_labels();
    emit.prologue(&params[2..], n_regs);
    emit.range(0, function.code.len() as u32);
    if !emit.ended {
        let nil = emit.constant(0);
        emit.leave(nil);
    }
    emit.b.seal_all_blocks();
    emit.b.finalize(config);
}

impl Emit<'_, '_> {
    // Shape

    fn find_labels(&mut self) {
        for (pc, op) in self.code.iter().enumerate() {
            let to = match *op {
                Op::Jump { to }
                | Op::JumpNil { to, .. }
                | Op::JumpSome { to, .. }
                | Op::JumpList { to, .. }
                | Op::JumpEq { to, .. }
                | Op::JumpNe { to, .. }
                | Op::JumpLess { to, .. }
                | Op::JumpNotLess { to, .. }
                | Op::SkipRule { to, .. } => Some(to),
                Op::GetIfHas { missing, .. } => Some(missing),
                Op::Next { end, .. } => Some(end),
                Op::Suppose { start, end, .. } => {
                    self.regions.insert(start, end);
                    Some(end)
                }
                _ => {
                    for block in operands::of(op, &self.program.pools).blocks {
                        if let Some(Op::Jump { to }) = self.code.get((block.start as usize).wrapping_sub(1)) {
                            self.regions.insert(block.start, *to);
                        }
                    }
                    None
                }
            };
            let _ = pc;
            if let Some(to) = to
                && !self.labels.contains_key(&to)
            {
                let label = self.b.create_block();
                self.labels.insert(to, label);
            }
        }
    }

    fn prologue(&mut self, args: &[Word], n_regs: usize) {
        let in_memory = self.code.iter().any(|op| self.by_helper(op));
        if self.facts[self.func as usize].recurs {
            self.guard_depth(args);
        }
        if in_memory {
            let base = self.load(self.machine, TOP);
            let top = self.b.ins().iadd_imm_s(base, n_regs as i64);
            let room = self.load(self.machine, REGS_LEN);
            let short = self.b.ins().icmp(IntCC::UnsignedGreaterThan, top, room);
            let (more, go_on) = (self.cold(), self.b.create_block());
            self.b.ins().brif(short, more, &[], go_on, &[]);
            self.at(more);
            self.helper(helpers::more_registers as *const () as usize, &[self.machine, top], false);
            self.b.ins().jump(go_on, &[]);
            self.at(go_on);
            self.store(top, self.machine, TOP);
            self.base = Some(base);
        }
        if self.code.iter().any(|op| matches!(op, Op::EnterRule { .. })) {
            let n = self.helper(helpers::n_skipped as *const () as usize, &[self.machine], false);
            self.n_skipped = Some(n);
        }
        let nil = self.constant(0);
        for at in 0..n_regs {
            let value = args.get(at).copied().unwrap_or(nil);
            self.b.def_var(self.vars[at], value);
        }
    }

    /// Recursion takes the host's stack: too deep it faults, and where little is left it goes on on another one.
    fn guard_depth(&mut self, args: &[Word]) {
        let depth = self.load(self.machine, DEPTH);
        let deeper = self.b.ins().iadd_imm_s(depth, 1);
        self.store(deeper, self.machine, DEPTH);
        let limit = i64::from(self.program.budget.depth);
        let too_deep = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, depth, limit);
        let stack = self.b.ins().get_stack_pointer(I64);
        let end = self.load(self.machine, LIMIT);
        let full = self.b.ins().icmp(IntCC::UnsignedLessThan, stack, end);
        let either = self.b.ins().bor(too_deep, full);
        let (helped, go_on) = (self.cold(), self.b.create_block());
        self.b.ins().brif(either, helped, &[], go_on, &[]);
        self.at(helped);
        let room = self.b.create_sized_stack_slot(StackSlotData::new(
            StackSlotKind::ExplicitSlot,
            8 * args.len().max(1) as u32,
            3,
        ));
        for (at, &arg) in args.iter().enumerate() {
            self.b.ins().stack_store(I64, arg, room, 8 * at as i32);
        }
        let program = self.program_address();
        let func = self.constant(u64::from(self.func));
        let laid = self.b.ins().stack_addr(I64, room, 0);
        let value =
            self.call_address(helpers::deeper as *const () as usize, &[self.machine, program, func, self.action, laid]);
        self.store(depth, self.machine, DEPTH);
        self.b.ins().return_(&[value]);
        self.at(go_on);
    }

    fn leave(&mut self, value: Word) {
        if let Some(n) = self.n_skipped {
            self.helper(helpers::unskip as *const () as usize, &[self.machine, n], false);
        }
        if let Some(base) = self.base {
            self.store(base, self.machine, TOP);
        }
        if self.facts[self.func as usize].recurs {
            let depth = self.load(self.machine, DEPTH);
            let back = self.b.ins().iadd_imm_s(depth, -1);
            self.store(back, self.machine, DEPTH);
        }
        self.b.ins().return_(&[value]);
        self.ended = true;
    }

    /// Writes the instructions of a range, blocks inside it apart.
    fn range(&mut self, from: u32, to: u32) {
        let mut pc = from;
        while pc < to {
            if pc != from
                && let Some(&end) = self.regions.get(&pc)
            {
                pc = end;
                continue;
            }
            if let Some(&label) = self.labels.get(&pc) {
                if !self.ended {
                    self.b.ins().jump(label, &[]);
                }
                self.at(label);
            }
            if !self.ended && self.states[pc as usize].is_some() {
                self.pc = pc as usize;
                self.op(self.code[pc as usize]);
            } else if !self.ended {
                // Nothing arrives here.
                let nil = self.constant(0);
                self.b.ins().return_(&[nil]);
                self.ended = true;
            }
            pc += 1;
        }
    }

    /// Writes a block of code for one thing in place, and gives its value.
    pub(super) fn block(&mut self, block: Block, it: Word) -> Word {
        let end = self.regions[&block.start];
        let (value, to) = (self.b.declare_var(I64), self.b.create_block());
        self.b.def_var(self.vars[block.it as usize], it);
        self.exits.push(BlockExit { value, to });
        let pc = self.pc;
        self.range(block.start, end);
        self.pc = pc;
        self.exits.pop();
        if !self.ended {
            let nil = self.constant(0);
            self.b.def_var(value, nil);
            self.b.ins().jump(to, &[]);
        }
        self.at(to);
        self.b.use_var(value)
    }

    pub(super) fn at(&mut self, label: Label) {
        self.b.switch_to_block(label);
        self.ended = false;
    }

    pub(super) fn cold(&mut self) -> Label {
        let label = self.b.create_block();
        self.b.set_cold_block(label);
        label
    }

    fn label(&self, pc: u32) -> Label {
        self.labels[&pc]
    }

    // Small things

    pub(super) fn constant(&mut self, word: u64) -> Word {
        self.b.ins().iconst(I64, word as i64)
    }

    pub(super) fn load(&mut self, from: Word, at: usize) -> Word {
        self.b.ins().load(I64, MemFlagsData::trusted(), from, at as i32)
    }

    pub(super) fn store(&mut self, word: Word, to: Word, at: usize) {
        self.b.ins().store(MemFlagsData::trusted(), word, to, at as i32);
    }

    pub(super) fn get(&mut self, reg: Reg) -> Word {
        self.b.use_var(self.vars[reg as usize])
    }

    pub(super) fn set(&mut self, reg: Reg, word: Word) {
        self.b.def_var(self.vars[reg as usize], word);
    }

    pub(super) fn mask(&self, reg: Reg) -> Mask {
        self.states[self.pc].as_ref().map_or(types::ANY, |state| state[reg as usize])
    }

    fn program_address(&mut self) -> Word {
        self.constant(self.program as *const Program as u64)
    }

    pub(super) fn site(&mut self) -> Word {
        self.constant(u64::from(self.func) << 32 | self.pc as u64)
    }

    pub(super) fn truth(&mut self, condition: Word) -> Word {
        self.b.ins().uextend(I64, condition)
    }

    fn call_address(&mut self, address: usize, args: &[Word]) -> Word {
        let sig = self.sig(args.len());
        let address = self.constant(address as u64);
        let call = self.b.ins().call_indirect(sig, address, args);
        self.b.inst_results(call)[0]
    }

    fn sig(&mut self, n: usize) -> SigRef {
        if let Some(&sig) = self.sigs.get(&n) {
            return sig;
        }
        let mut signature = self.module.make_signature();
        signature.params.extend(std::iter::repeat_n(AbiParam::new(I64), n));
        signature.returns.push(AbiParam::new(I64));
        let sig = self.b.import_signature(signature);
        self.sigs.insert(n, sig);
        sig
    }

    /// Calls a helper; if it can fail, a stop goes straight on to the caller.
    pub(super) fn helper(&mut self, address: usize, args: &[Word], fails: bool) -> Word {
        let value = self.call_address(address, args);
        if fails {
            self.or_stop(value);
        }
        value
    }

    /// As a helper that takes machine, program and place first.
    pub(super) fn helper_here(&mut self, address: usize, args: &[Word]) -> Word {
        let (program, site) = (self.program_address(), self.site());
        let mut all = vec![self.machine, program, site];
        all.extend_from_slice(args);
        self.helper(address, &all, true)
    }

    fn or_stop(&mut self, value: Word) {
        let tag = self.b.ins().ushr_imm_u(value, i64::from(TAG + 1));
        let stopped = self.b.ins().icmp_imm_u(IntCC::Equal, tag, (STOP >> (TAG + 1)) as i64);
        debug_assert_eq!(STOP >> (TAG + 1), REFUSED >> (TAG + 1));
        let (out, go_on) = (self.cold(), self.b.create_block());
        self.b.ins().brif(stopped, out, &[], go_on, &[]);
        self.at(out);
        self.b.ins().return_(&[value]);
        self.at(go_on);
    }

    /// Counts steps; gives up where none are left.
    pub(super) fn spend(&mut self, steps: Word) {
        let left = self.load(self.machine, STEPS);
        let tired = self.b.ins().icmp(IntCC::UnsignedLessThan, left, steps);
        let (out, go_on) = (self.cold(), self.b.create_block());
        self.b.ins().brif(tired, out, &[], go_on, &[]);
        self.at(out);
        let value = self.helper_here(helpers::tired as *const () as usize, &[]);
        self.b.ins().return_(&[value]);
        self.at(go_on);
        let left = self.b.ins().isub(left, steps);
        self.store(left, self.machine, STEPS);
    }

    fn spend_one(&mut self) {
        let one = self.constant(1);
        self.spend(one);
    }

    // Registers in memory, for whoever reads them there

    /// Whether an instruction is carried out by a helper that reads registers in memory.
    fn by_helper(&self, op: &Op) -> bool {
        match op {
            Op::Look { look, .. } => !super::looks::is_native(&self.program.pools.looks[*look as usize]),
            Op::GetField { field, .. } => {
                !matches!(field, Field::Row | Field::Column | Field::Number | Field::Top | Field::Empty)
            }
            Op::Const { .. }
            | Op::Move { .. }
            | Op::Jump { .. }
            | Op::JumpNil { .. }
            | Op::JumpSome { .. }
            | Op::JumpList { .. }
            | Op::JumpEq { .. }
            | Op::JumpNe { .. }
            | Op::JumpLess { .. }
            | Op::JumpNotLess { .. }
            | Op::Player { .. }
            | Op::Opponent { .. }
            | Op::FirstPlayer { .. }
            | Op::GetProp { .. }
            | Op::SetProp { .. }
            | Op::GetSlot { .. }
            | Op::SetSlot { .. }
            | Op::Step { .. }
            | Op::Add { .. }
            | Op::Sub { .. }
            | Op::Eq { .. }
            | Op::Ne { .. }
            | Op::Lt { .. }
            | Op::Le { .. }
            | Op::Not { .. }
            | Op::Next { .. }
            | Op::BlockEnd { .. }
            | Op::Return { .. }
            | Op::Refuse { .. }
            | Op::Rollback { .. } => false,
            Op::Call { func, .. } => self.ids[*func as usize].is_none(),
            _ => true,
        }
    }

    fn register_address(&mut self, base: Word) -> Word {
        let regs = self.load(self.machine, REGS);
        let offset = self.b.ins().ishl_imm_u(base, 3);
        self.b.ins().iadd(regs, offset)
    }

    /// Lays what an instruction reads into memory; gives where the registers begin.
    fn spill(&mut self, op: &Op) -> Word {
        let base = self.base.expect("the prologue made room");
        let operands = operands::of(op, &self.program.pools);
        let mut uses = operands.uses;
        if !operands.blocks.is_empty() {
            // A block may read any register.
            uses = (0..self.vars.len() as Reg).collect();
        }
        uses.sort_unstable();
        uses.dedup();
        let address = self.register_address(base);
        for reg in uses {
            let value = self.get(reg);
            self.store(value, address, 8 * reg as usize);
        }
        base
    }

    /// An instruction as the interpreter does it.
    fn simple(&mut self, op: &Op) {
        let base = self.spill(op);
        self.helper_here(helpers::simple as *const () as usize, &[base]);
        if let Some(dst) = operands::of(op, &self.program.pools).dst {
            let address = self.register_address(base);
            let value = self.load(address, 8 * dst as usize);
            self.set(dst, value);
        }
    }

    /// The walk being written as the interpreter does it; gives its list.
    pub(super) fn calling_walk(&mut self, dst: Reg) -> Word {
        let op = self.code[self.pc];
        self.simple(&op);
        self.get(dst)
    }

    /// An instruction that calls, as the interpreter does it.
    fn calling(&mut self, op: &Op) -> Word {
        let base = self.spill(op);
        self.helper_here(helpers::calling as *const () as usize, &[base])
    }

    // Memory

    pub(super) fn slots(&mut self) -> Word {
        self.load(self.machine, SLOTS)
    }

    pub(super) fn slot(&mut self, slot: u32) -> Word {
        let slots = self.slots();
        self.load(slots, 8 * slot as usize)
    }

    /// Writes a slot and keeps what it held. `index` counts slots.
    fn write(&mut self, index: Word, value: Word, mask: Mask) {
        let slots = self.slots();
        let offset = self.b.ins().ishl_imm_u(index, 3);
        let address = self.b.ins().iadd(slots, offset);
        let old = self.load(address, 0);
        let same = self.b.ins().icmp(IntCC::Equal, old, value);
        let (change, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(same, done, &[], change, &[]);
        self.at(change);
        self.store(value, address, 0);
        let n = self.load(self.machine, JOURNAL_LEN);
        let room = self.load(self.machine, JOURNAL_ROOM);
        let full = self.b.ins().icmp(IntCC::Equal, n, room);
        let (more, note) = (self.cold(), self.b.create_block());
        self.b.ins().brif(full, more, &[], note, &[]);
        self.at(more);
        self.helper(helpers::more_journal as *const () as usize, &[self.machine], false);
        self.b.ins().jump(note, &[]);
        self.at(note);
        let journal = self.load(self.machine, JOURNAL);
        let offset = self.b.ins().ishl_imm_u(n, 4);
        let entry = self.b.ins().iadd(journal, offset);
        self.store(index, entry, offset_of!(Change, slot));
        self.store(old, entry, offset_of!(Change, old));
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.store(n, self.machine, JOURNAL_LEN);
        if mask & types::HEAP != 0 {
            let tag = self.b.ins().ushr_imm_u(value, i64::from(TAG));
            let above = self.b.ins().iadd_imm_s(tag, -6);
            let in_heap = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, above, 2);
            let known = self.b.ins().load(ir::types::I8, MemFlagsData::trusted(), self.machine, STORED as i32);
            let now = self.b.ins().bor(known, in_heap);
            self.b.ins().store(MemFlagsData::trusted(), now, self.machine, STORED as i32);
        }
        self.b.ins().jump(done, &[]);
        self.at(done);
    }

    /// How far an entity lies behind another, if the value is an entity at all: compared without sign, anything else
    /// is far away.
    pub(super) fn behind(&mut self, value: Word, first: u32) -> Word {
        let first = self.constant(ENTITY_TAG | u64::from(first));
        self.b.ins().isub(value, first)
    }

    /// A property of whatever the value is.
    pub(super) fn property(&mut self, of: Word, mask: Mask, prop: PropId) -> Word {
        let layout = &self.program.layout;
        let (first, end, base) = layout.column(prop);
        let made = layout.made_offset(prop);
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        if end > first {
            let behind = self.behind(of, first);
            let here = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, behind, i64::from(end - first));
            let (fast, other) = (self.b.create_block(), self.cold());
            self.b.ins().brif(here, fast, &[], other, &[]);
            self.at(fast);
            let slots = self.slots();
            let offset = self.b.ins().ishl_imm_u(behind, 3);
            let address = self.b.ins().iadd(slots, offset);
            let value = self.load(address, 8 * base as usize);
            self.b.ins().jump(done, &[BlockArg::Value(value)]);
            self.at(other);
        }
        if made != 0 {
            let behind = self.behind(of, layout.first_made);
            let here = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, behind, i64::from(u32::MAX));
            let (fast, other) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(here, fast, &[], other, &[]);
            self.at(fast);
            let slots = self.slots();
            let offset = self.b.ins().imul_imm_s(behind, 8 * i64::from(layout.made_stride));
            let address = self.b.ins().iadd(slots, offset);
            let value = self.load(address, 8 * (layout.made_base + made) as usize);
            self.b.ins().jump(done, &[BlockArg::Value(value)]);
            self.at(other);
        }
        if mask & types::NIL != 0 {
            let nil = self.constant(0);
            let slow = self.cold();
            self.b.ins().brif(of, slow, &[], done, &[BlockArg::Value(nil)]);
            self.at(slow);
        }
        let number = self.constant(u64::from(prop));
        let value = self.helper_here(helpers::get_prop as *const () as usize, &[of, number]);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    /// Whether setting this property needs no more than writing a slot: every thing in its column has it, none of
    /// them can leave, and it may hold anything.
    fn plainly_set(&self, prop: PropId) -> bool {
        let (first, end, _) = self.program.layout.column(prop);
        let info = &self.program.layout.props[prop as usize];
        prop > layout::GONE
            && info.role != houserules_model::Role::Relation
            && (first..end).all(|entity| {
                let thing = &self.program.world.entities[entity as usize];
                info.kinds[thing.kind as usize] && (thing.board.is_some() || thing.kind <= 1)
            })
    }

    fn set_property(&mut self, entity: Reg, prop: PropId, src: Reg) {
        let (of, value, mask) = (self.get(entity), self.get(src), self.mask(src));
        let (first, end, base) = self.program.layout.column(prop);
        let done = self.b.create_block();
        if end > first && self.plainly_set(prop) {
            let behind = self.behind(of, first);
            let here = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, behind, i64::from(end - first));
            let (fast, other) = (self.b.create_block(), self.cold());
            self.b.ins().brif(here, fast, &[], other, &[]);
            self.at(fast);
            let index = self.b.ins().iadd_imm_s(behind, i64::from(base));
            self.write(index, value, mask);
            self.b.ins().jump(done, &[]);
            self.at(other);
        }
        let number = self.constant(u64::from(prop));
        self.helper_here(helpers::set_prop as *const () as usize, &[of, number, value]);
        self.b.ins().jump(done, &[]);
        self.at(done);
    }

    /// Something of each entity, from a table; otherwise as the interpreter does it, or nil for nil.
    fn table(&mut self, of: Word, mask: Mask, table: &[u64], slow: impl FnOnce(&mut Self) -> Word) -> Word {
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let behind = self.behind(of, 0);
        let known = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, behind, table.len() as i64);
        let (fast, other) = (self.b.create_block(), self.cold());
        self.b.ins().brif(known, fast, &[], other, &[]);
        self.at(fast);
        let address = self.constant(table.as_ptr() as u64);
        let offset = self.b.ins().ishl_imm_u(behind, 3);
        let address = self.b.ins().iadd(address, offset);
        let value = self.b.ins().load(I64, MemFlagsData::trusted().with_readonly(), address, 0);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(other);
        if mask & types::NIL != 0 {
            let nil = self.constant(0);
            let slower = self.cold();
            self.b.ins().brif(of, slower, &[], done, &[BlockArg::Value(nil)]);
            self.at(slower);
        }
        let value = slow(self);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    fn player(&mut self) -> Word {
        let actor = self.slot(layout::ACTOR);
        let first = self.first_player();
        self.b.ins().select(actor, actor, first)
    }

    fn first_player(&mut self) -> Word {
        let head = self.slot(layout::HEAD);
        let slots = self.slots();
        let offset = self.b.ins().ishl_imm_u(head, 3);
        let address = self.b.ins().iadd(slots, offset);
        self.load(address, 8 * layout::ORDER as usize)
    }

    fn opponent(&mut self) -> Word {
        let player = self.player();
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let n = self.slot(layout::IN_PLAY);
        let two = self.b.ins().icmp_imm_u(IntCC::Equal, n, 2);
        let (fast, slow) = (self.b.create_block(), self.cold());
        self.b.ins().brif(two, fast, &[], slow, &[]);
        self.at(fast);
        let (one, other) = (self.slot(layout::ORDER), self.slot(layout::ORDER + 1));
        let is_one = self.b.ins().icmp(IntCC::Equal, player, one);
        let value = self.b.ins().select(is_one, other, one);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(slow);
        let value = self.helper(helpers::next_player as *const () as usize, &[self.machine, player], false);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    // Numbers and equality

    pub(super) fn equal(&mut self, a: Word, b: Word, both: Mask) -> Word {
        let same = self.b.ins().icmp(IntCC::Equal, a, b);
        if both & types::HEAP == 0 {
            return same;
        }
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, ir::types::I8);
        let (differ, slow) = (self.b.create_block(), self.cold());
        self.b.ins().brif(same, done, &[BlockArg::Value(same)], differ, &[]);
        self.at(differ);
        // Both in the heap: tags from 6 to 8.
        let mut in_heap = None;
        for word in [a, b] {
            let tag = self.b.ins().ushr_imm_u(word, i64::from(TAG));
            let above = self.b.ins().iadd_imm_s(tag, -6);
            let inside = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, above, 2);
            in_heap = Some(match in_heap {
                None => inside,
                Some(first) => self.b.ins().band(first, inside),
            });
        }
        self.b.ins().brif(in_heap.expect("two words"), slow, &[], done, &[BlockArg::Value(same)]);
        self.at(slow);
        let value = self.helper(helpers::equal as *const () as usize, &[self.machine, a, b], false);
        let value = self.b.ins().ireduce(ir::types::I8, value);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    fn equal_regs(&mut self, a: Reg, b: Reg) -> Word {
        let both = self.mask(a) & self.mask(b);
        let (a, b) = (self.get(a), self.get(b));
        self.equal(a, b, both)
    }

    pub(super) fn is_whole(&mut self, word: Word) -> Word {
        let tag = self.b.ins().ushr_imm_u(word, i64::from(TAG));
        self.b.ins().icmp_imm_u(IntCC::Equal, tag, 1)
    }

    /// Whether both are whole: none if that is certain.
    fn both_whole(&mut self, a: (Word, Mask), b: (Word, Mask)) -> Option<Word> {
        let mut sure = None;
        for (word, mask) in [a, b] {
            if mask != types::WHOLE {
                let whole = self.is_whole(word);
                sure = Some(match sure {
                    None => whole,
                    Some(other) => self.b.ins().band(other, whole),
                });
            }
        }
        sure
    }

    /// The number in the upper bits, so that comparing and adding need no sign of their own.
    fn raised(&mut self, word: Word) -> Word {
        self.b.ins().ishl_imm_u(word, 16)
    }

    /// Whether a < b, as a condition.
    fn less(&mut self, a: (Word, Mask), b: (Word, Mask)) -> Word {
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, ir::types::I8);
        if let Some(whole) = self.both_whole(a, b) {
            let (fast, slow) = (self.b.create_block(), self.cold());
            self.b.ins().brif(whole, fast, &[], slow, &[]);
            self.at(slow);
            let value = self.helper_here(helpers::number as *const () as usize, &[a.0, b.0]);
            let value = self.b.ins().icmp_imm_u(IntCC::NotEqual, value, 0);
            self.b.ins().jump(done, &[BlockArg::Value(value)]);
            self.at(fast);
        }
        let (left, right) = (self.raised(a.0), self.raised(b.0));
        let value = self.b.ins().icmp(IntCC::SignedLessThan, left, right);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    pub(super) fn add(&mut self, a: (Word, Mask), b: (Word, Mask), minus: bool) -> Word {
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let slow = self.cold();
        if let Some(whole) = self.both_whole(a, b) {
            let fast = self.b.create_block();
            self.b.ins().brif(whole, fast, &[], slow, &[]);
            self.at(fast);
        }
        let (left, right) = (self.raised(a.0), self.raised(b.0));
        let (left, right) = (self.b.ins().sshr_imm_u(left, 16), self.b.ins().sshr_imm_u(right, 16));
        let sum = if minus { self.b.ins().isub(left, right) } else { self.b.ins().iadd(left, right) };
        let above = self.b.ins().iadd_imm_s(sum, MOST);
        let fits = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, above, 2 * MOST);
        let payload = self.b.ins().band_imm_u(sum, PAYLOAD as i64);
        let value = self.b.ins().bor_imm_u(payload, WHOLE_TAG as i64);
        self.b.ins().brif(fits, done, &[BlockArg::Value(value)], slow, &[]);
        self.at(slow);
        let value = self.helper_here(helpers::number as *const () as usize, &[a.0, b.0]);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    // Calls

    fn func_ref(&mut self, func: FuncId) -> FuncRef {
        if let Some(&known) = self.refs.get(&func) {
            return known;
        }
        let id = self.ids[func as usize].expect("only native functions are called directly");
        let known = self.module.declare_func_in_func(id, self.b.func);
        self.refs.insert(func, known);
        known
    }

    fn call(&mut self, func: FuncId, args: &[Word]) -> Word {
        let n_args = self.program.functions[func as usize].n_args as usize;
        let callee = self.func_ref(func);
        let zero = self.constant(0);
        let mut all = vec![self.machine, zero];
        all.extend((0..n_args).map(|at| args.get(at).copied().unwrap_or(zero)));
        let call = self.b.ins().call(callee, &all);
        let value = self.b.inst_results(call)[0];
        self.or_stop(value);
        value
    }

    /// Calls code found at run time: by its address, or slowly where the address is 0 (nobody) or 1 (as the
    /// interpreter does it).
    fn call_found(&mut self, address: Word, args: &[Word], op: &Op) -> Word {
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let zero = self.constant(0);
        let found = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, address, 1);
        let (fast, other, slow) = (self.b.create_block(), self.b.create_block(), self.cold());
        self.b.ins().brif(found, fast, &[], other, &[]);
        self.at(fast);
        let sig = self.sig(2 + args.len());
        let mut all = vec![self.machine, zero];
        all.extend_from_slice(args);
        let call = self.b.ins().call_indirect(sig, address, &all);
        let value = self.b.inst_results(call)[0];
        self.or_stop(value);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(other);
        self.b.ins().brif(address, slow, &[], done, &[BlockArg::Value(zero)]);
        self.at(slow);
        let value = self.calling(op);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    fn send(&mut self, dst: Reg, send: &SendSpec, op: &Op) {
        let (LabelRef::Known(label), Some(to)) = (send.label, send.to) else {
            let value = self.calling(op);
            return self.set(dst, value);
        };
        let attributes = &self.program.labels[label as usize].attributes;
        let n_args = 1 + attributes.len();
        let all_native = self.handlers(label).iter().all(|&func| {
            self.ids[func as usize].is_some() && self.program.functions[func as usize].n_args as usize == n_args
        });
        if !all_native {
            let value = self.calling(op);
            return self.set(dst, value);
        }
        let to = self.get(to);
        let nil = self.constant(0);
        let mut args = vec![to];
        args.resize(n_args, nil);
        for &(name, reg) in &send.with {
            if let Some(at) = attributes.iter().position(|&known| known == name) {
                args[1 + at] = self.get(reg);
            }
        }
        let (program, number) = (self.program_address(), self.constant(u64::from(label)));
        let address = self.helper(helpers::receiver as *const () as usize, &[self.machine, program, number, to], false);
        let value = self.call_found(address, &args, op);
        self.set(dst, value);
    }

    fn handlers(&self, label: LabelId) -> Vec<FuncId> {
        let mut found = Vec::new();
        for handler in &self.program.handlers[label as usize] {
            match handler {
                Handler::None => {}
                Handler::Single(woven) => found.push(woven.full),
                Handler::ByState(states) => found.extend(states.iter().flatten().map(|woven| woven.full)),
            }
        }
        found
    }

    /// A word that may mean different things for different kinds.
    fn get_of(&mut self, dst: Reg, entity: Reg, name: NameId, op: &Op) {
        let answers: Vec<Answer> = self.program.answers.get(&name).into_iter().flatten().flatten().copied().collect();
        let defines = answers.iter().all(|answer| {
            matches!(answer, Answer::Define(func)
                if self.ids[*func as usize].is_some() && self.program.functions[*func as usize].n_args == 1)
        });
        let value = match answers.first() {
            Some(&Answer::Property(prop))
                if prop != layout::STATE && answers.iter().all(|&answer| answer == Answer::Property(prop)) =>
            {
                let (of, mask) = (self.get(entity), self.mask(entity));
                if mask & !(types::ENTITY | types::NIL) == 0 { self.property(of, mask, prop) } else { self.calling(op) }
            }
            Some(Answer::Define(_)) if defines => {
                let of = self.get(entity);
                let (program, number) = (self.program_address(), self.constant(u64::from(name)));
                let address =
                    self.helper(helpers::define as *const () as usize, &[self.machine, program, number, of], false);
                self.call_found(address, &[of], op)
            }
            _ => self.calling(op),
        };
        self.set(dst, value);
    }

    // Instructions

    fn branch(&mut self, condition: Word, to: u32) {
        if (to as usize) <= self.pc {
            self.spend_one();
        }
        let next = self.b.create_block();
        let label = self.label(to);
        self.b.ins().brif(condition, label, &[], next, &[]);
        self.at(next);
    }

    fn op(&mut self, op: Op) {
        match op {
            Op::Const { dst, value } => {
                let value = self.constant(value.0);
                self.set(dst, value);
            }
            Op::Move { dst, src } => {
                let value = self.get(src);
                self.set(dst, value);
            }
            Op::Jump { to } => {
                if (to as usize) <= self.pc {
                    self.spend_one();
                }
                let label = self.label(to);
                self.b.ins().jump(label, &[]);
                self.ended = true;
            }
            Op::JumpNil { src, to } => {
                let word = self.get(src);
                let nil = self.b.ins().icmp_imm_u(IntCC::Equal, word, 0);
                self.branch(nil, to);
            }
            Op::JumpSome { src, to } => {
                let word = self.get(src);
                let some = self.b.ins().icmp_imm_u(IntCC::NotEqual, word, 0);
                self.branch(some, to);
            }
            Op::JumpList { src, to } => {
                let word = self.get(src);
                let tag = self.b.ins().ushr_imm_u(word, i64::from(TAG));
                // A list or a model.
                let above = self.b.ins().iadd_imm_s(tag, -5);
                let list = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, above, 1);
                self.branch(list, to);
            }
            Op::JumpEq { a, b, to } => {
                let same = self.equal_regs(a, b);
                self.branch(same, to);
            }
            Op::JumpNe { a, b, to } => {
                let same = self.equal_regs(a, b);
                let differ = self.b.ins().icmp_imm_u(IntCC::Equal, same, 0);
                self.branch(differ, to);
            }
            Op::JumpLess { a, b, to } => {
                let less = self.less_regs(a, b);
                self.branch(less, to);
            }
            Op::JumpNotLess { a, b, to } => {
                let less = self.less_regs(a, b);
                let not = self.b.ins().icmp_imm_u(IntCC::Equal, less, 0);
                self.branch(not, to);
            }
            Op::Player { dst } => {
                let player = self.player();
                self.set(dst, player);
            }
            Op::Opponent { dst } => {
                let opponent = self.opponent();
                self.set(dst, opponent);
            }
            Op::FirstPlayer { dst } => {
                let player = self.first_player();
                self.set(dst, player);
            }
            Op::GetProp { dst, entity, prop } => {
                let (of, mask) = (self.get(entity), self.mask(entity));
                let value = self.property(of, mask, prop);
                self.set(dst, value);
            }
            Op::SetProp { entity, prop, src } => self.set_property(entity, prop, src),
            Op::GetSlot { dst, slot } => {
                let value = self.slot(slot);
                self.set(dst, value);
            }
            Op::SetSlot { slot, src } => {
                let (index, value, mask) = (self.constant(u64::from(slot)), self.get(src), self.mask(src));
                self.write(index, value, mask);
            }
            Op::GetField { dst, entity, field } => {
                let (of, mask) = (self.get(entity), self.mask(entity));
                // Only things of the start are in the tables, and only things and nil come here by the fast way.
                let tables = self.tables;
                let table: Option<&[u64]> = match field {
                    Field::Row => Some(&tables.rows),
                    Field::Column => Some(&tables.columns),
                    Field::Number => Some(&tables.numbers),
                    _ => None,
                };
                let value = match (table, field) {
                    (Some(table), _) => self.table(of, mask, table, |emit| emit.field_slowly(&op)),
                    (None, Field::Top) if mask & !(types::ENTITY | types::NIL) == 0 => {
                        self.property(of, mask, layout::TOP)
                    }
                    (None, Field::Empty) if mask == types::ENTITY => {
                        let top = self.property(of, mask, layout::TOP);
                        let empty = self.b.ins().icmp_imm_u(IntCC::Equal, top, 0);
                        self.truth(empty)
                    }
                    _ => self.field_slowly(&op),
                };
                self.set(dst, value);
            }
            Op::Step { dst, entity, direction } => {
                let (of, mask) = (self.get(entity), self.mask(entity));
                let tables = self.tables;
                let value = self.table(of, mask, &tables.steps[direction as usize], |emit| emit.field_slowly(&op));
                self.set(dst, value);
            }
            Op::Add { dst, a, b } | Op::Sub { dst, a, b } => {
                let (left, right) = ((self.get(a), self.mask(a)), (self.get(b), self.mask(b)));
                let value = self.add(left, right, matches!(op, Op::Sub { .. }));
                self.set(dst, value);
            }
            Op::Eq { dst, a, b } => {
                let same = self.equal_regs(a, b);
                let value = self.truth(same);
                self.set(dst, value);
            }
            Op::Ne { dst, a, b } => {
                let same = self.equal_regs(a, b);
                let differ = self.b.ins().icmp_imm_u(IntCC::Equal, same, 0);
                let value = self.truth(differ);
                self.set(dst, value);
            }
            Op::Lt { dst, a, b } => {
                let less = self.less_regs(a, b);
                let value = self.truth(less);
                self.set(dst, value);
            }
            Op::Le { dst, a, b } => {
                let value = self.at_most(a, b);
                self.set(dst, value);
            }
            Op::Not { dst, a } => {
                let word = self.get(a);
                let nil = self.b.ins().icmp_imm_u(IntCC::Equal, word, 0);
                let value = self.truth(nil);
                self.set(dst, value);
            }
            Op::Next { dst, list, at, end } => self.next(dst, list, at, end),
            Op::Look { dst, look } => {
                let look = &self.program.pools.looks[look as usize];
                match super::looks::is_native(look) {
                    true => self.look(dst, look),
                    false => self.simple(&op),
                }
            }
            Op::Walk { dst, walk } => {
                let walk = &self.program.pools.walks[walk as usize];
                match self.is_native_walk(walk) {
                    true => self.walk(dst, walk),
                    false => self.simple(&op),
                }
            }
            Op::Line { dst, line } => {
                let line = &self.program.pools.lines[line as usize];
                match self.is_native_line(line) {
                    true => self.line(dst, line, |emit| emit.simple(&op)),
                    false => self.simple(&op),
                }
            }
            Op::BlockEnd { src } => {
                let word = self.get(src);
                if let Some(&BlockExit { value, to }) = self.exits.last() {
                    self.b.def_var(value, word);
                    self.b.ins().jump(to, &[]);
                    self.ended = true;
                }
            }
            Op::Call { dst, func, first, n } if self.ids[func as usize].is_some() => {
                let args: Vec<Word> = (first..first + n).map(|reg| self.get(reg)).collect();
                let value = self.call(func, &args);
                self.set(dst, value);
            }
            Op::Send { dst, send } => self.send(dst, &self.program.pools.sends[send as usize], &op),
            Op::GetOf { dst, entity, name } => self.get_of(dst, entity, name, &op),
            Op::Call { dst, .. }
            | Op::CallOf { dst, .. }
            | Op::GetNamed { dst, .. }
            | Op::SendValue { dst, .. }
            | Op::Forward { dst, .. }
            | Op::Win { dst, .. } => {
                let value = self.calling(&op);
                self.set(dst, value);
            }
            Op::Suppose { dst, end, .. } => {
                let value = self.calling(&op);
                self.set(dst, value);
                let label = self.label(end);
                self.b.ins().jump(label, &[]);
                self.ended = true;
            }
            Op::GetIfHas { dst, missing, .. } => {
                let value = self.calling(&op);
                let lacks = self.b.ins().icmp_imm_s(IntCC::Equal, value, MISSING as i64);
                self.branch(lacks, missing);
                self.set(dst, value);
            }
            Op::Return { src } => {
                let value = self.get(src);
                self.leave(value);
            }
            Op::Refuse { rule, reason } => {
                let (act, not) = (self.cold(), self.b.create_block());
                self.b.ins().brif(self.action, act, &[], not, &[]);
                self.at(act);
                let (rule, reason) = (self.constant(u64::from(rule)), self.get(reason));
                let value = self.helper(helpers::refuse as *const () as usize, &[self.machine, rule, reason], false);
                self.leave(value);
                self.at(not);
                // Inside an action a law stops its own message only, quietly.
                let nil = self.constant(0);
                self.leave(nil);
            }
            Op::Rollback { rule, reason } => {
                let (rule, reason) = (self.constant(u64::from(rule)), self.get(reason));
                let value = self.helper_here(helpers::rollback as *const () as usize, &[rule, reason]);
                self.leave(value);
            }
            Op::SkipRule { rule, to } => {
                let rule = self.constant(u64::from(rule));
                let skips = self.helper(helpers::skips as *const () as usize, &[self.machine, rule], false);
                let skips = self.b.ins().icmp_imm_u(IntCC::NotEqual, skips, 0);
                self.branch(skips, to);
            }
            op => self.simple(&op),
        }
    }

    /// Whether a register is read by the next instruction only, and that asks no more than whether it is nil.
    pub(super) fn only_asked(&self, reg: Reg) -> bool {
        let asks = matches!(
            self.code.get(self.pc + 1),
            Some(Op::JumpNil { src, .. } | Op::JumpSome { src, .. } | Op::Not { a: src, .. }) if *src == reg
        );
        let readers = self.code.iter().filter(|op| operands::of(op, &self.program.pools).uses.contains(&reg)).count();
        asks && readers == 1
    }

    /// A field or step of something that is in no table.
    fn field_slowly(&mut self, op: &Op) -> Word {
        let (Op::GetField { entity, .. } | Op::Step { entity, .. }) = *op else { unreachable!("only these") };
        let of = self.get(entity);
        self.helper_here(helpers::field as *const () as usize, &[of])
    }

    fn less_regs(&mut self, a: Reg, b: Reg) -> Word {
        let (left, right) = ((self.get(a), self.mask(a)), (self.get(b), self.mask(b)));
        self.less(left, right)
    }

    fn at_most(&mut self, a: Reg, b: Reg) -> Word {
        let (left, right) = ((self.get(a), self.mask(a)), (self.get(b), self.mask(b)));
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        if let Some(whole) = self.both_whole(left, right) {
            let (fast, slow) = (self.b.create_block(), self.cold());
            self.b.ins().brif(whole, fast, &[], slow, &[]);
            self.at(slow);
            let value = self.helper_here(helpers::number as *const () as usize, &[left.0, right.0]);
            self.b.ins().jump(done, &[BlockArg::Value(value)]);
            self.at(fast);
        }
        let (low, high) = (self.raised(left.0), self.raised(right.0));
        let value = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, low, high);
        let value = self.truth(value);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    /// Where a list begins in the heap.
    pub(super) fn list_address(&mut self, list: Word) -> Word {
        let heap = self.load(self.machine, HEAP);
        let offset = self.b.ins().band_imm_u(list, i64::from(u32::MAX));
        let offset = self.b.ins().ishl_imm_u(offset, 3);
        self.b.ins().iadd(heap, offset)
    }

    pub(super) fn heap_len(&mut self) -> Word {
        self.load(self.machine, HEAP_LEN)
    }

    pub(super) fn set_heap_len(&mut self, len: Word) {
        self.store(len, self.machine, HEAP_LEN);
    }

    fn next(&mut self, dst: Reg, list: Reg, at: Reg, end: u32) {
        self.spend_one();
        let (list, index) = (self.get(list), self.get(at));
        let address = self.list_address(list);
        let n = self.load(address, 0);
        let index = self.b.ins().band_imm_u(index, i64::from(u32::MAX));
        let over = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, n);
        let (go_on, out) = (self.b.create_block(), self.label(end));
        self.b.ins().brif(over, out, &[], go_on, &[]);
        self.at(go_on);
        let offset = self.b.ins().ishl_imm_u(index, 3);
        let address = self.b.ins().iadd(address, offset);
        let member = self.load(address, 8);
        self.set(dst, member);
        let next = self.b.ins().iadd_imm_s(index, 1);
        let next = self.b.ins().bor_imm_u(next, WHOLE_TAG as i64);
        self.set(at, next);
    }

    pub(super) fn small(&mut self, word: Word) -> Word {
        self.b.ins().bor_imm_u(word, WHOLE_TAG as i64)
    }

    pub(super) fn entity(&mut self, number: Word) -> Word {
        self.b.ins().iadd_imm_s(number, ENTITY_TAG as i64)
    }

    pub(super) fn is_entity(&mut self, word: Word) -> Word {
        let tag = self.b.ins().ushr_imm_u(word, i64::from(TAG));
        self.b.ins().icmp_imm_u(IntCC::Equal, tag, 2)
    }

    pub(super) fn is_among(&mut self, word: Word, first: u32, end: u32) -> Word {
        let behind = self.behind(word, first);
        self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, behind, i64::from(end - first))
    }

    pub(super) fn in_heap(&mut self, word: Word) -> Word {
        let tag = self.b.ins().ushr_imm_u(word, i64::from(TAG));
        let above = self.b.ins().iadd_imm_s(tag, -6);
        self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, above, 2)
    }

    /// A whole number without its tag.
    pub(super) fn number_of(&mut self, word: Word) -> Word {
        let raised = self.raised(word);
        self.b.ins().sshr_imm_u(raised, 16)
    }

    pub(super) fn things(&mut self, kind: u64) -> Word {
        let (program, kind) = (self.program_address(), self.constant(kind));
        self.helper(helpers::things as *const () as usize, &[self.machine, program, kind], false)
    }

    pub(super) fn nil(&mut self) -> Word {
        self.constant(Value::NIL.0)
    }
}
