//! Calls: of other native code, of helpers, and of whatever the interpreter does better.

use super::emit::*;
use super::{REFUSED, STOP, helpers, making};
use crate::code::*;
use crate::facts;
use crate::facts::types::{self, Known, Row};
use crate::layout;
use crate::program::Handler;
use crate::value::Value;
use crate::world::{EntityId, GAME, GAME_KIND, KindId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{
    Block as Label, BlockArg, ExtFuncData, ExternalName, FuncRef, InstBuilder, MemFlagsData, SigRef, UserExternalName,
};

impl Emit<'_, '_> {
    pub(super) fn call_address(&mut self, address: usize, args: &[Word]) -> Word {
        let sig = self.sig(args.len());
        let address = self.constant(address as u64);
        let call = self.b.ins().call_indirect(sig, address, args);
        self.b.inst_results(call)[0]
    }

    pub(super) fn sig(&mut self, n: usize) -> SigRef {
        if let Some(&sig) = self.sigs.get(&n) {
            return sig;
        }
        let sig = self.b.import_signature(making::signature(self.isa, n));
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

    pub(super) fn or_stop(&mut self, value: Word) {
        let tag = self.b.ins().ushr_imm_u(value, i64::from(TAG + 1));
        let stopped = self.b.ins().icmp_imm_u(IntCC::Equal, tag, (STOP >> (TAG + 1)) as i64);
        debug_assert_eq!(STOP >> (TAG + 1), REFUSED >> (TAG + 1));
        let (out, go_on) = (self.cold(), self.b.create_block());
        self.b.ins().brif(stopped, out, &[], go_on, &[]);
        self.at(out);
        self.give_up(value);
        self.at(go_on);
    }

    /// Whether an instruction is carried out by a helper that reads registers in memory.
    pub(super) fn by_helper(&self, op: &Op) -> bool {
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
            | Op::DirectionList { .. }
            | Op::MoveTo { .. }
            | Op::Remove { .. }
            | Op::Toward { .. }
            | Op::IsA { .. }
            | Op::Can { .. }
            | Op::Match { .. }
            | Op::Put { .. }
            | Op::Next { .. }
            | Op::BlockEnd { .. }
            | Op::Return { .. }
            | Op::Refuse { .. }
            | Op::Rollback { .. } => false,
            Op::Call { func, .. } => self.ids[*func as usize].is_none(),
            _ => true,
        }
    }

    pub(super) fn register_address(&mut self, base: Word) -> Word {
        let regs = self.load(self.machine, REGS);
        let offset = self.b.ins().ishl_imm_u(base, 3);
        self.b.ins().iadd(regs, offset)
    }

    /// Lays what an instruction reads into memory; gives where the registers begin. The room is given back by
    /// whoever asked for it.
    pub(super) fn spill(&mut self, op: &Op) -> Word {
        let base = self.load(self.machine, TOP);
        let top = self.b.ins().iadd_imm_s(base, self.vars.len() as i64);
        let room = self.load(self.machine, REGS_LEN);
        let short = self.b.ins().icmp(IntCC::UnsignedGreaterThan, top, room);
        let (more, go_on) = (self.cold(), self.b.create_block());
        self.b.ins().brif(short, more, &[], go_on, &[]);
        self.at(more);
        self.helper(helpers::more_registers as *const () as usize, &[self.machine, top], false);
        self.b.ins().jump(go_on, &[]);
        self.at(go_on);
        self.store(top, self.machine, TOP);
        let operands = facts::operands(op, &self.program.pools);
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
    pub(super) fn simple(&mut self, op: &Op) {
        let base = self.spill(op);
        self.helper_here(helpers::simple as *const () as usize, &[base]);
        if let Some(dst) = facts::operands(op, &self.program.pools).dst {
            let address = self.register_address(base);
            let value = self.load(address, 8 * dst as usize);
            self.set(dst, value);
        }
        self.store(base, self.machine, TOP);
    }

    /// The walk being written as the interpreter does it; gives its list.
    pub(super) fn calling_walk(&mut self, dst: Reg) -> Word {
        let op = self.code[self.pc];
        self.simple(&op);
        self.get(dst)
    }

    /// An instruction that calls, as the interpreter does it.
    pub(super) fn calling(&mut self, op: &Op) -> Word {
        let base = self.spill(op);
        let value = self.helper_here(helpers::calling as *const () as usize, &[base]);
        self.store(base, self.machine, TOP);
        value
    }

    pub(super) fn func_ref(&mut self, func: FuncId) -> FuncRef {
        if let Some(&known) = self.refs.get(&func) {
            return known;
        }
        let id = self.ids[func as usize].expect("only native functions are called directly");
        let name = UserExternalName { namespace: 0, index: id.as_u32() };
        let name = ExternalName::user(self.b.func.declare_imported_user_function(name));
        let signature = self.sig(2 + self.program.functions[func as usize].n_args as usize);
        let known = self.b.import_function(ExtFuncData { name, signature, colocated: true, patchable: false });
        self.refs.insert(func, known);
        known
    }

    pub(super) fn call(&mut self, func: FuncId, args: &[Word]) -> Word {
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
    pub(super) fn call_found(&mut self, address: Word, args: &[Word], op: &Op) -> Word {
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

    pub(super) fn send(&mut self, dst: Reg, send: &SendSpec, op: &Op) {
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
        let (known, row) = (self.known_thing(to), self.among(to));
        let to = self.get(to);
        let nil = self.constant(0);
        let mut args = vec![to];
        args.resize(n_args, nil);
        for &(name, reg) in &send.with {
            if let Some(at) = attributes.iter().position(|&known| known == name) {
                args[1 + at] = self.get(reg);
            }
        }
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        if let Some(thing) = known
            && self.program.fixed.get(thing as usize) == Some(&true)
        {
            let state = self.program.layout.slot(layout::STATE, thing);
            let kind = self.program.kinds[thing as usize];
            self.send_to_kind(label, kind, &args, done, |emit| match state {
                Some(slot) => emit.slot(slot),
                None => emit.nil(),
            });
            self.at(done);
            return self.set(dst, result);
        }
        if self.send_on_board(label, &args, row, done) {
            self.at(done);
            return self.set(dst, result);
        }
        let (program, number) = (self.program_address(), self.constant(u64::from(label)));
        let address = self.helper(helpers::receiver as *const () as usize, &[self.machine, program, number, to], false);
        let value = self.call_found(address, &args, op);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        self.set(dst, result);
    }

    /// The thing that a register surely holds: it was written just before.
    fn known_thing(&self, reg: Reg) -> Option<EntityId> {
        for pc in (0..self.pc).rev() {
            if self.labels.contains_key(&(pc as u32 + 1)) {
                return None;
            }
            match self.code[pc] {
                Op::Const { dst, value } if dst == reg => return value.as_entity(),
                op if op.target().is_some() || !op.falls_through() => return None,
                op if facts::operands(&op, &self.program.pools).dst == Some(reg) => return None,
                _ => {}
            }
        }
        None
    }

    /// Every action opens a checkpoint of its own, so one more says nothing new as long as nothing is changed.
    pub(super) fn open_checkpoint(&mut self, op: &Op) {
        let in_action = self.b.ins().load(I8, MemFlagsData::trusted(), self.machine, IN_ACTION as i32);
        let began = self.b.ins().uload32(MemFlagsData::trusted(), self.machine, BEGAN as i32);
        let now = self.load(self.machine, JOURNAL_LEN);
        let same = self.b.ins().icmp(IntCC::Equal, began, now);
        let at_first = self.b.ins().band(in_action, same);
        let (other, done) = (self.cold(), self.b.create_block());
        self.b.ins().brif(at_first, done, &[], other, &[]);
        self.at(other);
        self.simple(op);
        self.b.ins().jump(done, &[]);
        self.at(done);
    }

    /// A message to a place of a board, whose kind is known: goes to `done` with the answer. Writes on where the
    /// receiver is something else; true if it cannot be.
    fn send_on_board(&mut self, label: LabelId, args: &[Word], row: Option<Row>, done: Label) -> bool {
        let program = self.program;
        for board in &program.world.boards {
            if matches!(program.handlers[label as usize][board.kind as usize], Handler::None) {
                continue;
            }
            let places = (board.first, board.first + board.n);
            let state = |emit: &mut Self| emit.column(args[0], Some(places), layout::STATE);
            if row.is_some_and(|(from, to)| places.0 <= from && to <= places.1) {
                self.send_to_kind(label, board.kind, args, done, state);
                return true;
            }
            let (here, elsewhere) = (self.b.create_block(), self.b.create_block());
            let among = self.is_among(args[0], places.0, places.1);
            self.b.ins().brif(among, here, &[], elsewhere, &[]);
            self.at(here);
            self.send_to_kind(label, board.kind, args, done, state);
            self.at(elsewhere);
        }
        false
    }

    /// A message to something that cannot leave, of a known kind: goes to `done` with the answer.
    fn send_to_kind(
        &mut self,
        label: LabelId,
        kind: KindId,
        args: &[Word],
        done: Label,
        state: impl FnOnce(&mut Self) -> Word,
    ) {
        let program = self.program;
        match &program.handlers[label as usize][kind as usize] {
            Handler::None => {}
            Handler::Single(woven) => return self.answer_with(woven.full, args, done),
            Handler::ByState(states) => {
                let state = state(self);
                let known = states.iter().enumerate();
                for (at, func) in known.filter_map(|(at, woven)| Some((at, woven.as_ref()?.full))) {
                    // The first state is stored as nothing.
                    let wanted = if at == 0 { 0 } else { Value::text(program.states[at]).0 };
                    let (yes, no) = (self.b.create_block(), self.b.create_block());
                    let wanted = self.constant(wanted);
                    let same = self.b.ins().icmp(IntCC::Equal, state, wanted);
                    self.b.ins().brif(same, yes, &[], no, &[]);
                    self.at(yes);
                    self.answer_with(func, args, done);
                    self.at(no);
                }
            }
        }
        let nil = self.constant(0);
        self.b.ins().jump(done, &[BlockArg::Value(nil)]);
    }

    fn answer_with(&mut self, func: FuncId, args: &[Word], done: Label) {
        if func == self.func && self.passes_on() {
            return self.begin_anew(args);
        }
        // What is passed on goes round until a law refuses it: that is found out before it is called once more.
        if self.facts[func as usize].recurs
            && let Some(end) = self.first_law(func)
        {
            let (refused, quietly, go_on) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
            let known = Known::among(self.tables.receivers[func as usize]);
            self.ask_first_law(func, args, &[known], end, refused);
            self.b.ins().jump(go_on, &[]);
            self.at(refused);
            // So deep, even a message that is refused is a fault.
            let (depth, limit) = (self.load(self.machine, DEPTH), self.load(self.machine, DEEPEST));
            let deep = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, depth, limit);
            self.b.ins().brif(deep, go_on, &[], quietly, &[]);
            self.at(quietly);
            // Inside an action a law stops its own message only, quietly.
            let nil = self.nil();
            self.b.ins().jump(done, &[BlockArg::Value(nil)]);
            self.at(go_on);
        }
        let value = self.call(func, args);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
    }

    /// The game is told that it is over, with the winner.
    pub(super) fn win(&mut self, dst: Reg, winner: Reg, op: &Op) {
        let program = self.program;
        let value = match &program.handlers[program.gameover as usize][GAME_KIND as usize] {
            Handler::Single(woven)
                if self.ids[woven.full as usize].is_some() && program.functions[woven.full as usize].n_args == 2 =>
            {
                let (game, winner) = (self.constant(Value::entity(GAME).0), self.get(winner));
                self.call(woven.full, &[game, winner])
            }
            _ => self.calling(op),
        };
        self.set(dst, value);
    }

    pub(super) fn handlers(&self, label: LabelId) -> Vec<FuncId> {
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
    pub(super) fn get_of(&mut self, dst: Reg, entity: Reg, name: NameId, op: &Op) {
        let of = self.get(entity);
        let answers = self.program.answers.get(&name);
        let one_property = answers.is_some_and(|answers| {
            let mut answers = answers.iter().flatten();
            answers.next().is_some_and(|first| {
                matches!(first, Answer::Property(prop) if *prop != layout::STATE) && answers.all(|other| other == first)
            })
        });
        let told = match one_property {
            true => None,
            false => match self.field_of_all(of, name, op) {
                None => self.asked_of_place(of, name, |emit| emit.calling(op)),
                told => told,
            },
        };
        let value = match told {
            Some(value) => value,
            None => self.answer_of(entity, name, op),
        };
        self.set(dst, value);
    }

    fn answer_of(&mut self, entity: Reg, name: NameId, op: &Op) -> Word {
        let answers: Vec<Answer> = self.program.answers.get(&name).into_iter().flatten().flatten().copied().collect();
        let defines = answers.iter().all(|answer| {
            matches!(answer, Answer::Define(func)
                if self.ids[*func as usize].is_some() && self.program.functions[*func as usize].n_args == 1)
        });
        match answers.first() {
            Some(&Answer::Property(prop))
                if prop != layout::STATE && answers.iter().all(|&answer| answer == Answer::Property(prop)) =>
            {
                let (of, mask) = (self.get(entity), self.mask(entity));
                self.property_or(of, mask, prop, |emit| emit.calling(op))
            }
            Some(&Answer::Field(field)) if answers.iter().all(|&answer| answer == Answer::Field(field)) => {
                let (of, mask) = (self.get(entity), self.mask(entity));
                match field {
                    Field::Top => self.property_or(of, mask, layout::TOP, |emit| emit.calling(op)),
                    _ => self.field_of(of, field, op),
                }
            }
            Some(Answer::Define(_)) if defines => {
                let of = self.get(entity);
                self.ask_define(of, name, op)
            }
            _ => self.calling(op),
        }
    }

    /// As `get_of`, where it matters whether the thing has it at all.
    pub(super) fn get_if_has(&mut self, entity: Reg, name: NameId, op: &Op) -> Word {
        let answers = self.program.answers.get(&name);
        let [board] = self.program.world.boards.as_slice() else { return self.calling(op) };
        let of = self.get(entity);
        match answers.and_then(|answers| answers[board.kind as usize]) {
            Some(Answer::Field(field)) => self.field_of(of, field, op),
            Some(Answer::Define(func))
                if self.ids[func as usize].is_some() && self.program.functions[func as usize].n_args == 1 =>
            {
                let done = self.b.create_block();
                let result = self.b.append_block_param(done, I64);
                let (fast, other) = (self.b.create_block(), self.cold());
                let here = self.is_among(of, board.first, board.first + board.n);
                self.b.ins().brif(here, fast, &[], other, &[]);
                self.at(fast);
                let value = self.call(func, &[of]);
                self.b.ins().jump(done, &[BlockArg::Value(value)]);
                self.at(other);
                let value = self.calling(op);
                self.b.ins().jump(done, &[BlockArg::Value(value)]);
                self.at(done);
                result
            }
            Some(Answer::Property(prop)) if prop != layout::STATE => {
                let (first, end, _) = self.program.layout.column(prop);
                if first > board.first || end < board.first + board.n {
                    return self.calling(op);
                }
                let done = self.b.create_block();
                let result = self.b.append_block_param(done, I64);
                let (fast, other) = (self.b.create_block(), self.cold());
                let here = self.is_among(of, board.first, board.first + board.n);
                self.b.ins().brif(here, fast, &[], other, &[]);
                self.at(fast);
                let value = self.property(of, types::ENTITY, prop);
                self.b.ins().jump(done, &[BlockArg::Value(value)]);
                self.at(other);
                let value = self.calling(op);
                self.b.ins().jump(done, &[BlockArg::Value(value)]);
                self.at(done);
                result
            }
            // Things of other kinds may have it.
            None => self.ask_define(of, name, op),
            _ => self.calling(op),
        }
    }
}
