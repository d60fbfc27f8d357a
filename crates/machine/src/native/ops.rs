//! Each instruction in turn.

use super::emit::*;
use super::{MISSING, helpers};
use crate::code::*;
use crate::facts;
use crate::facts::types::{self, Known};
use crate::layout;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder};

impl Emit<'_, '_> {
    pub(super) fn branch(&mut self, condition: Word, to: u32) {
        if (to as usize) <= self.pc {
            self.spend_round(to as usize, self.pc);
        }
        let next = self.b.create_block();
        let label = self.label(to);
        self.b.ins().brif(condition, label, &[], next, &[]);
        self.at(next);
    }

    pub(super) fn op(&mut self, op: Op) {
        let written = self.sink && self.sink_op(&op)
            || self.looks_through_choices(&op)
            || self.span(&op)
            || self.plan(&op)
            || self.finds_by_rays(&op)
            || self.route(&op);
        if !written {
            self.op_as_it_is(op);
        }
    }

    /// One instruction, whatever follows it.
    pub(super) fn op_as_it_is(&mut self, op: Op) {
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
                    self.spend_round(to as usize, self.pc);
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
            Op::JumpList { src, .. } if self.mask(src) & types::LISTS == 0 => {}
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
                let known = self.among(entity);
                let value = match known {
                    Some(_) => self.column(of, known, prop),
                    None => self.property(of, mask, prop),
                };
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
                let known = self.among(entity);
                let value = match (table, field) {
                    (None, Field::Top) if known.is_some() => self.column(of, known, layout::TOP),
                    (None, Field::Empty) if known.is_some() => {
                        let top = self.column(of, known, layout::TOP);
                        let empty = self.b.ins().icmp_imm_u(IntCC::Equal, top, 0);
                        self.truth(empty)
                    }
                    (Some(table), _) if known.is_some() => self.known_in_table(of, table),
                    (Some(table), _) => self.table(of, mask, table, |emit| emit.field_slowly(&op)),
                    (None, Field::Top) => self.property_or(of, mask, layout::TOP, |emit| emit.field_slowly(&op)),
                    (None, Field::Empty) => self.empty(of, mask, &op),
                    _ => self.field_slowly(&op),
                };
                self.set(dst, value);
            }
            Op::StepRelative { dst, entity, turn } if self.program.world.boards.len() == 1 => {
                self.step_relative(dst, entity, turn, &op);
            }
            Op::Step { dst, entity, direction } => {
                let (of, mask) = (self.get(entity), self.mask(entity));
                let table = &self.tables.steps[direction as usize];
                let value = match self.among(entity) {
                    Some(_) => self.known_in_table(of, table),
                    None => self.table(of, mask, table, |emit| emit.field_slowly(&op)),
                };
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
                    true => self.look(dst, look, false),
                    false => self.simple(&op),
                }
            }
            Op::Walk { dst, walk } => {
                let walk = &self.program.pools.walks[walk as usize];
                match self.walks_natively() {
                    true if self.is_picked() => self.pick(walk),
                    true if self.walk_by_rays(dst, walk, self.finding) => {}
                    true => self.walk(dst, walk, false),
                    false => self.simple(&op),
                }
            }
            Op::Line { dst, line } => {
                let line = &self.program.pools.lines[line as usize];
                match self.is_native_line(line) {
                    true => self.line(dst, line, &op),
                    false if self.is_linked_line() => self.linked_line(dst, line, &op),
                    false => self.simple(&op),
                }
            }
            Op::Match { dst, key, dictionary } => {
                let (key, dictionary) = (self.get(key), self.get(dictionary));
                let value = self.helper_here(helpers::match_key as *const () as usize, &[key, dictionary]);
                self.set(dst, value);
            }
            Op::Put { dst, value, key, dictionary } => {
                let args = [self.get(value), self.get(key), self.get(dictionary)];
                let value = self.helper_here(helpers::put_key as *const () as usize, &args);
                self.set(dst, value);
            }
            Op::Seen { dst, given: false, .. } => {
                let value = self.helper_here(helpers::seen as *const () as usize, &[]);
                self.set(dst, value);
            }
            Op::EndTurn { given: false, .. } => self.end_turn(),
            Op::OpenCheckpoint => self.open_checkpoint(&op),
            Op::Group { dst, group } => self.group(dst, &self.program.pools.groups[group as usize], &op),
            Op::Members { dst, src } if self.mask(src) == types::LIST => {
                let list = self.get(src);
                self.set(dst, list);
            }
            Op::Members { dst, src } => self.members(dst, src, &op),
            Op::Join { n: 2, .. } => self.direct(super::lists::join as *const () as usize, &op),
            Op::Different { .. } => self.direct(super::lists::different as *const () as usize, &op),
            Op::PlaceAt { dst, place } => self.place_at(dst, &self.program.pools.places[place as usize], &op),
            Op::Players { dst } if self.is_first_only(dst) => {
                // Only the first of them is asked for.
                let player = self.first_player();
                self.set(dst, player);
            }
            Op::First { dst, list } if self.follows_players(list) => {
                let player = self.get(list);
                self.set(dst, player);
            }
            Op::First { dst, list } => self.first(dst, list, &op),
            Op::ChangeState { entity, state } if self.mask(state) == types::TEXT => {
                self.change_state(entity, state, &op);
            }
            Op::GetState { dst, entity } => self.state(dst, entity, &op),
            Op::DirectionList { dst, directions } => self.direction_list(dst, directions),
            Op::StepValue { dst, direction, from } => self.step_value(dst, direction, from, &op),
            Op::StepSet { dst, entity, .. } | Op::StepRelativeSet { dst, entity, .. } => {
                self.around(dst, entity, &op);
            }
            Op::IsIn { dst, a, list } => self.is_in(dst, a, list, &op),
            Op::Leap { dst, a, b, from } => self.leap(dst, (a, b), from, &op),
            Op::MoveTo { thing, place } => self.move_to(thing, place, &op),
            Op::Remove { .. } => self.direct(helpers::remove as *const () as usize, &op),
            Op::Toward { dst, a, b } => self.toward(dst, a, b, &op),
            Op::IsA { dst, a, kind } => self.is_a(dst, a, kind),
            Op::Can { label, player, dst } => {
                let (label, player) = (self.constant(u64::from(label)), self.get(player));
                let value = self.helper_here(helpers::can as *const () as usize, &[label, player]);
                self.set(dst, value);
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
                let value = match self.inlines(func) {
                    true => {
                        let known: Vec<Known> = (first..first + n).map(|reg| self.known_argument(reg, first)).collect();
                        self.inline_knowing(func, &args, &known)
                    }
                    false => self.call(func, &args),
                };
                self.set(dst, value);
            }
            Op::Send { dst, send } => self.send(dst, &self.program.pools.sends[send as usize], &op),
            Op::GetOf { dst, entity, name } => {
                let of = self.get(entity);
                self.unless_out_of_reach(of, name);
                self.get_of(dst, entity, name, &op);
            }
            Op::CallOf { dst, entity, name, first, n } => {
                let value = self.call_of(entity, name, (first, n), &op);
                self.set(dst, value);
            }
            Op::Call { dst, .. } | Op::GetNamed { dst, .. } | Op::SendValue { dst, .. } | Op::Forward { dst, .. } => {
                let value = self.calling(&op);
                self.set(dst, value);
            }
            Op::Win { dst, player } => self.win(dst, player, &op),
            Op::SetOutcome { winner } => {
                let winner = self.get(winner);
                self.helper_here(helpers::set_outcome as *const () as usize, &[winner]);
            }
            Op::Draw => {
                self.helper_here(helpers::draw as *const () as usize, &[]);
            }
            Op::Suppose { dst, message, start, end } => self.suppose(dst, message, start, end),
            Op::GetIfHas { dst, entity, name, missing } => {
                let of = self.get(entity);
                self.unless_out_of_reach(of, name);
                let value = self.get_if_has(entity, name, &op);
                let lacks = self.b.ins().icmp_imm_s(IntCC::Equal, value, MISSING as i64);
                self.branch(lacks, missing);
                self.set(dst, value);
            }
            Op::Return { src } => {
                let value = self.get(src);
                self.leave(value);
            }
            Op::Refuse { .. } if let Some(refused) = self.refused => {
                self.b.ins().jump(refused, &[]);
                self.ended = true;
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
            Op::Ask { dst, ask } if self.is_drawn(ask) => {
                let ask = &self.program.pools.asks[ask as usize];
                let args = [self.action, self.get(ask.who), self.get(ask.among)];
                self.draw_or_ask(helpers::draw_answer as *const () as usize, &args, dst, &op);
            }
            Op::Roll { dst, sides, times, given } if self.asks_itself() => {
                let times = if given { self.get(times) } else { self.constant(super::MISSING) };
                let args = [self.action, self.get(sides), times];
                self.draw_or_ask(helpers::roll as *const () as usize, &args, dst, &op);
            }
            Op::Random { dst, from, to } if self.asks_itself() => {
                let args = [self.action, self.get(from), self.get(to)];
                self.draw_or_ask(helpers::random as *const () as usize, &args, dst, &op);
            }
            Op::RandomOf { dst, list } if self.asks_itself() => {
                let args = [self.action, self.get(list)];
                self.draw_or_ask(helpers::random_of as *const () as usize, &args, dst, &op);
            }
            op if facts::effects(&op).asks => self.ask(&op),
            op => self.simple(&op),
        }
    }

    /// A question whose answer random play may draw.
    fn draw_or_ask(&mut self, helper: usize, args: &[Word], dst: Reg, op: &Op) {
        let drawn = self.helper_here(helper, args);
        let (ask, done) = (self.cold(), self.b.create_block());
        let value = self.b.append_block_param(done, I64);
        let missing = self.b.ins().icmp_imm_s(IntCC::Equal, drawn, MISSING as i64);
        self.b.ins().brif(missing, ask, &[], done, &[BlockArg::Value(drawn)]);
        self.at(ask);
        self.ask(op);
        let asked = self.get(dst);
        self.b.ins().jump(done, &[BlockArg::Value(asked)]);
        self.at(done);
        self.set(dst, value);
    }

    /// A question that stops, unless there is nothing to ask.
    fn ask(&mut self, op: &Op) {
        let base = self.spill(op);
        self.helper_here(helpers::ask as *const () as usize, &[base]);
        if let Some(dst) = facts::operands(op, &self.program.pools).dst {
            let address = self.register_address(base);
            let value = self.load(address, 8 * dst as usize);
            self.set(dst, value);
        }
        self.store(base, self.machine, TOP);
    }

    /// What is known of an argument; the first one is who is asked.
    fn known_argument(&self, reg: Reg, first: Reg) -> Known {
        let row = self.among(reg);
        if reg == first { Known::among(row) } else { Known { row, ..self.known(reg) } }
    }

    /// Whether a question has one answer of one player, and is asked by the message itself.
    fn is_drawn(&self, ask: u32) -> bool {
        let ask = &self.program.pools.asks[ask as usize];
        ask.mode == AskMode::One && ask.n.is_none() && self.asks_itself()
    }

    /// Whether something is asked by the message itself: not inside a condition.
    fn asks_itself(&self) -> bool {
        self.exits.is_empty() && self.inlined.is_none()
    }

    /// Whether a register is read by the next instruction only, and that asks no more than whether it is nil.
    pub(super) fn only_asked(&self, reg: Reg) -> bool {
        match self.code.get(self.pc + 1) {
            Some(Op::JumpNil { src, to } | Op::JumpSome { src, to }) if *src == reg => {
                self.is_dead(reg, vec![self.pc + 2, *to as usize])
            }
            Some(Op::Not { a, .. }) if *a == reg => self.is_dead(reg, vec![self.pc + 2]),
            _ => false,
        }
    }

    /// Whether the players are listed for the sake of the first one only.
    fn is_first_only(&self, reg: Reg) -> bool {
        matches!(self.code.get(self.pc + 1), Some(Op::First { list, dst }) if *list == reg
            && (*dst == reg || self.is_dead(reg, vec![self.pc + 2])))
            && !self.labels.contains_key(&(self.pc as u32 + 1))
    }

    fn follows_players(&self, reg: Reg) -> bool {
        let before = self.pc.wrapping_sub(1);
        let players = matches!(self.code.get(before), Some(Op::Players { dst }) if *dst == reg);
        let Some(Op::First { dst, .. }) = self.code.get(self.pc) else { return false };
        players && !self.labels.contains_key(&(self.pc as u32)) && (*dst == reg || self.is_dead(reg, vec![self.pc + 1]))
    }

    /// Whether nobody reads a register on any way from here before it is written anew.
    pub(super) fn is_dead(&self, reg: Reg, mut open: Vec<usize>) -> bool {
        let mut seen = vec![false; self.code.len() + 1];
        while let Some(pc) = open.pop() {
            if pc >= self.code.len() || std::mem::replace(&mut seen[pc], true) {
                continue;
            }
            let operands = facts::operands(&self.code[pc], &self.program.pools);
            if operands.uses.contains(&reg) {
                return false;
            }
            open.extend(operands.blocks.iter().map(|block| block.start as usize));
            if operands.dst == Some(reg) && operands.blocks.is_empty() {
                // On the other way it is not written.
                if let Op::GetIfHas { missing: to, .. } | Op::Next { end: to, .. } = self.code[pc] {
                    open.push(to as usize);
                }
                continue;
            }
            open.extend(self.code[pc].target().map(|to| to as usize));
            if self.code[pc].falls_through() {
                open.push(pc + 1);
            }
        }
        true
    }

    pub(super) fn next(&mut self, dst: Reg, list: Reg, at: Reg, end: u32) {
        // The jump back counts the rest of the loop.
        let one = self.constant(1);
        self.spend(one);
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
}
