//! Everybody who may receive an action, with each value of its attribute, found in one go.
//!
//! For each action with one attribute a function is written that goes through a set of receivers, walks where the
//! attribute walks, and leaves the places behind what was gathered: no list is made for each receiver, and nothing is
//! entered for each of them. Lists that never change are not copied, and one that is the same for all, such as the dice
//! still to be played, is made once. Receivers and values stand in the order in which
//! they are listed slowly.
#![allow(unsafe_code, reason = "lists are read, and code is entered, by address")]

use super::emit::*;
use super::{Native, REFUSED, STOP};
use crate::buffer::Buffer;
use crate::code::*;
use crate::facts::{self, Facts, types};
use crate::layout;
use crate::listing::Found;
use crate::program::{Handler, Program, Receivers, Woven};
use crate::roster::reads_no_receiver;
use crate::value::{Kinded, Value};
use crate::vm::{Machine, Stop};
use crate::world::{DirId, EntityId, KindId, NOBODY};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder};
use cranelift_frontend::{FunctionBuilderContext, Variable};
use std::mem::offset_of;

const ENDS: usize = offset_of!(Machine, found) + offset_of!(Found, ends) + Buffer::<End>::PTR;
const ENDS_LEN: usize = offset_of!(Machine, found) + offset_of!(Found, ends) + Buffer::<End>::LEN;
const ENDS_ROOM: usize = offset_of!(Machine, found) + offset_of!(Found, ends) + Buffer::<End>::ROOM;

/// A receiver with values.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct End {
    /// Its number in the upper half, how many values it and those before it have in the lower.
    whose: u64,
    /// Where its values lie: their place among all that was gathered, doubled and with the lowest bit set; or the
    /// address of a list that never changes.
    from: u64,
}

/// Where a value that was listed lies.
pub(crate) enum Lies {
    /// Among all that was gathered.
    Gathered(usize),
    Here(u64),
}

impl End {
    #[inline]
    pub fn receiver(self) -> EntityId {
        (self.whose >> 32) as EntityId
    }

    /// How many values it and those before it have.
    #[inline]
    pub fn upto(self) -> u32 {
        self.whose as u32
    }

    /// Its value with so many before it.
    #[inline]
    pub fn value(self, at: u32) -> Lies {
        match self.from & 1 {
            1 => Lies::Gathered((self.from >> 1) as usize + at as usize),
            // SAFETY: the code wrote the address of a list of its tables, which live as long as it does, and the
            // caller asks for no more members than it counted.
            _ => Lies::Here(unsafe { *(self.from as *const u64).add(at as usize) }),
        }
    }
}

/// Code that lists an action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lister {
    pub address: usize,
    /// Whatever is listed is legal.
    pub surely: bool,
    /// What is found does not change with the rules that are left out.
    pub firmly: bool,
}

/// What an action does with each kind that can receive it.
struct Receiving {
    kind: KindId,
    listed: FuncId,
    each: Option<FuncId>,
}

/// The kinds that can receive an action, if it has one attribute and all of it is native code.
fn receiving(
    program: &Program,
    facts: &[Facts],
    ids: &[Option<cranelift_module::FuncId>],
    action: usize,
) -> Option<Vec<(Receiving, Woven)>> {
    let code = &program.actions[action];
    let [(_, funcs)] = code.with.as_slice() else { return None };
    let Receivers::Kind(wanted) = code.to else { return None };
    let plain =
        |func: FuncId| ids[func as usize].is_some() && !facts[func as usize].recurs && !facts[func as usize].stops;
    let mut found = Vec::new();
    for (kind, handler) in program.handlers[code.label as usize].iter().enumerate() {
        let woven = match handler {
            Handler::Single(woven) if program.is_a[kind][wanted as usize] => *woven,
            Handler::ByState(_) if program.is_a[kind][wanted as usize] => return None,
            _ => continue,
        };
        let (split, listed) = (woven.split?, funcs[kind]?);
        let quiet = !facts[listed as usize].writes && plain(listed) && split.each.is_none_or(plain);
        if !quiet {
            return None;
        }
        found.push((Receiving { kind: kind as KindId, listed, each: split.each }, woven));
    }
    (!found.is_empty()).then_some(found)
}

/// Whether an action can be listed, and what is known of the list; its code comes later.
pub(super) fn of(
    program: &Program,
    facts: &[Facts],
    ids: &[Option<cranelift_module::FuncId>],
    action: usize,
) -> Option<Lister> {
    let kinds = receiving(program, facts, ids, action)?;
    let skips = |func: FuncId| program.functions[func as usize].code.iter().any(|op| matches!(op, Op::SkipRule { .. }));
    Some(Lister {
        address: 0,
        surely: kinds.iter().all(|(_, woven)| woven.split.is_some_and(|split| split.test.is_none())),
        firmly: !kinds.iter().any(|(of, _)| of.each.is_some_and(skips)),
    })
}

/// Writes the code that lists an action: machine, nothing, where the bits of the receivers lie, and how many words.
pub(super) fn function(
    source: Source,
    action: usize,
    into: &mut ir::Function,
    context: &mut FunctionBuilderContext,
) -> Option<()> {
    let kinds = receiving(source.program, source.facts, source.ids, action)?;
    let config = source.isa.frontend_config();
    let (mut emit, params) = begin(source, kinds[0].0.listed, into, context);
    emit.list_all(&kinds, (params[2], params[3]));
    emit.b.seal_all_blocks();
    emit.b.finalize(config);
    Some(())
}

/// Whether an action has the same values for all who can receive it.
fn is_shared(program: &Program, ids: &[Option<cranelift_module::FuncId>], kinds: &[(Receiving, Woven)]) -> bool {
    let first = kinds[0].0.listed;
    kinds.iter().all(|(of, _)| ids[of.listed as usize] == ids[first as usize])
        && reads_no_receiver(&program.functions[first as usize], &program.pools)
}

impl Emit<'_, '_> {
    fn list_all(&mut self, kinds: &[(Receiving, Woven)], (bits, words): (Word, Word)) {
        // Nothing here changes whose turn it is.
        let (player, opponent) = (self.player(), self.opponent());
        self.sides = (Some(player), Some(opponent));
        let (at, left, total) = (self.b.declare_var(I64), self.b.declare_var(I64), self.b.declare_var(I64));
        let zero = self.constant(0);
        self.b.def_var(at, zero);
        self.b.def_var(total, zero);
        let shared = is_shared(self.program, self.ids, kinds).then(|| {
            let (first, nobody) = (self.load(self.machine, GATHERED_LEN), self.nil());
            self.values_of(kinds[0].0.listed, nobody, first)
        });
        let (head, word, one, visit, next) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let out = self.b.create_block();
        self.b.ins().jump(head, &[]);
        self.at(head);
        let n = self.b.use_var(at);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, n, words);
        self.b.ins().brif(more, word, &[], out, &[]);
        self.at(word);
        let n = self.b.use_var(at);
        let offset = self.b.ins().ishl_imm_u(n, 3);
        let address = self.b.ins().iadd(bits, offset);
        let set = self.load(address, 0);
        self.b.def_var(left, set);
        self.b.ins().jump(one, &[]);
        self.at(one);
        let set = self.b.use_var(left);
        self.b.ins().brif(set, visit, &[], next, &[]);
        self.at(visit);
        let set = self.b.use_var(left);
        let lowest = self.b.ins().ctz(set);
        let below = self.b.ins().iadd_imm_s(set, -1);
        let rest = self.b.ins().band(set, below);
        self.b.def_var(left, rest);
        let n = self.b.use_var(at);
        let first = self.b.ins().ishl_imm_u(n, 6);
        let number = self.b.ins().iadd(first, lowest);
        let receiver = self.entity(number);
        self.list_one(kinds, shared, (receiver, number), total, one);
        self.at(next);
        let n = self.b.use_var(at);
        let following = self.b.ins().iadd_imm_s(n, 1);
        self.b.def_var(at, following);
        self.b.ins().jump(head, &[]);
        self.at(out);
        let n = self.b.use_var(total);
        self.b.ins().return_(&[n]);
        self.ended = true;
    }

    /// Finds the values for one receiver, and goes on at `next`.
    fn list_one(
        &mut self,
        kinds: &[(Receiving, Woven)],
        shared: Option<(Word, Word)>,
        (receiver, number): (Word, Word),
        total: Variable,
        next: ir::Block,
    ) {
        let first = self.load(self.machine, GATHERED_LEN);
        let kind = (kinds.len() > 1).then(|| {
            let none = self.b.create_block();
            let kind = self.kind_or(receiver, none);
            let here = self.b.create_block();
            self.b.ins().jump(here, &[]);
            self.at(none);
            self.b.ins().jump(next, &[]);
            self.at(here);
            kind
        });
        for (of, _) in kinds {
            let other = kind.map(|kind| {
                let (here, other) = (self.b.create_block(), self.b.create_block());
                let same = self.b.ins().icmp_imm_u(IntCC::Equal, kind, i64::from(of.kind));
                self.b.ins().brif(same, here, &[], other, &[]);
                self.at(here);
                other
            });
            let (from, n) = match shared {
                Some(values) => values,
                None => self.values_of(of.listed, receiver, first),
            };
            self.close_receiver(of, (receiver, number), (from, n), first, total, next);
            if let Some(other) = other {
                self.at(other);
            }
        }
        if kind.is_some() {
            self.b.ins().jump(next, &[]);
        }
    }

    /// Finds the values for a receiver behind `first`: where they lie, as an `End` has it, and how many there are.
    fn values_of(&mut self, listed: FuncId, receiver: Word, first: Word) -> (Word, Word) {
        let (laid, nowhere) = (self.b.declare_var(I64), self.constant(0));
        self.b.def_var(laid, nowhere);
        self.laid = Some((laid, false));
        self.sinking = true;
        self.inline(listed, &[receiver]);
        self.found_since(first)
    }

    fn found_since(&mut self, first: Word) -> (Word, Word) {
        let laid = self.laid.take().filter(|&(_, used)| used);
        let end = self.load(self.machine, GATHERED_LEN);
        let n = self.b.ins().isub(end, first);
        let doubled = self.b.ins().ishl_imm_u(first, 1);
        let from = self.b.ins().bor_imm_u(doubled, 1);
        let Some((laid, _)) = laid else { return (from, n) };
        let (known, done) = (self.b.create_block(), self.b.create_block());
        let (to_from, to_n) = (self.b.append_block_param(done, I64), self.b.append_block_param(done, I64));
        let list = self.b.use_var(laid);
        self.b.ins().brif(list, known, &[], done, &[BlockArg::Value(from), BlockArg::Value(n)]);
        self.at(known);
        let n = self.load(list, 0);
        let from = self.b.ins().iadd_imm_s(list, 8);
        self.b.ins().jump(done, &[BlockArg::Value(from), BlockArg::Value(n)]);
        self.at(done);
        (to_from, to_n)
    }

    /// Notes the values of a receiver; leaves them out if a law refuses it, or if another stands for it.
    fn close_receiver(
        &mut self,
        of: &Receiving,
        (receiver, number): (Word, Word),
        (from, n): (Word, Word),
        first: Word,
        total: Variable,
        next: ir::Block,
    ) {
        let some = self.b.create_block();
        self.b.ins().brif(n, some, &[], next, &[]);
        self.at(some);
        let drop_it = self.cold();
        if let Some(each) = of.each.filter(|&each| self.inlines_law(each)) {
            self.refused = Some(drop_it);
            self.inline(each, &[receiver]);
            self.refused = None;
        } else if let Some(each) = of.each {
            let callee = self.func_ref(each);
            let (yes, nil) = (self.constant(1), self.constant(0));
            let mut args = vec![self.machine, yes, receiver];
            args.resize(2 + self.program.functions[each as usize].n_args as usize, nil);
            let call = self.b.ins().call(callee, &args);
            let value = self.b.inst_results(call)[0];
            let refused = self.b.ins().icmp_imm_s(IntCC::Equal, value, REFUSED as i64);
            let passed = self.b.create_block();
            self.b.ins().brif(refused, drop_it, &[], passed, &[]);
            self.at(passed);
            self.or_stop(value);
        }
        let of_board = self.program.world.boards.iter().any(|board| board.kind == of.kind);
        if !of_board || can_be_made(self.program, of.kind) {
            self.unless_alone(receiver, number, drop_it);
        }
        let before = self.b.use_var(total);
        let upto = self.b.ins().iadd(before, n);
        self.b.def_var(total, upto);
        let n = self.load(self.machine, ENDS_LEN);
        let room = self.load(self.machine, ENDS_ROOM);
        let full = self.b.ins().icmp(IntCC::Equal, n, room);
        let (more, lay) = (self.cold(), self.b.create_block());
        self.b.ins().brif(full, more, &[], lay, &[]);
        self.at(more);
        self.helper(more_ends as *const () as usize, &[self.machine], false);
        self.b.ins().jump(lay, &[]);
        self.at(lay);
        let ends = self.load(self.machine, ENDS);
        let offset = self.b.ins().ishl_imm_u(n, 4);
        let address = self.b.ins().iadd(ends, offset);
        let high = self.b.ins().ishl_imm_u(number, 32);
        let whose = self.b.ins().bor(high, upto);
        self.store(whose, address, offset_of!(End, whose));
        self.store(from, address, offset_of!(End, from));
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.store(n, self.machine, ENDS_LEN);
        self.b.ins().jump(next, &[]);
        self.at(drop_it);
        self.store(first, self.machine, GATHERED_LEN);
        self.b.ins().jump(next, &[]);
    }

    /// Goes on at `twin` if an equal thing stands for this one. What lies alone in its place has no rival.
    fn unless_alone(&mut self, receiver: Word, number: Word, twin: ir::Block) {
        let (alone, doubtful) = (self.b.create_block(), self.cold());
        let place = self.property(receiver, types::ENTITY, layout::PLACE);
        let (first, end, _) = self.program.layout.column(layout::TOP);
        let lies = self.is_among(place, first, end);
        let look = self.b.create_block();
        self.b.ins().brif(lies, look, &[], doubtful, &[]);
        self.at(look);
        let top = self.property(place, types::ENTITY, layout::TOP);
        let under = self.property(receiver, types::ENTITY, layout::UNDER);
        let on_top = self.b.ins().icmp(IntCC::Equal, top, receiver);
        let bottom = self.b.ins().icmp_imm_u(IntCC::Equal, under, 0);
        let both = self.b.ins().band(on_top, bottom);
        self.b.ins().brif(both, alone, &[], doubtful, &[]);
        self.at(doubtful);
        let program = self.program_address();
        let has_twin = self.helper(has_twin as *const () as usize, &[self.machine, program, number], false);
        self.b.ins().brif(has_twin, twin, &[], alone, &[]);
        self.at(alone);
    }

    /// Whether a value goes straight to the end of the function from an instruction on.
    fn is_returned(&self, reg: Reg, mut pc: usize) -> bool {
        for _ in 0..8 {
            match self.code.get(pc) {
                Some(Op::Jump { to }) if *to as usize > pc => pc = *to as usize,
                Some(Op::Return { src }) => return *src == reg,
                _ => return false,
            }
        }
        false
    }

    /// Where only the members of a function's value are wanted: leaves those of this instruction behind what was
    /// gathered and ends the function, if nothing else would come of it.
    pub(super) fn sink_op(&mut self, op: &Op) -> bool {
        let Some(dst) = facts::operands(op, &self.program.pools).dst else { return false };
        if !self.is_returned(dst, self.pc + 1) {
            return false;
        }
        match *op {
            Op::Walk { walk, .. } => {
                let walk = &self.program.pools.walks[walk as usize];
                if self.program.world.boards.len() != 1 {
                    return false;
                }
                let first = self.load(self.machine, GATHERED_LEN);
                self.walk(dst, walk, true);
                if !self.walks_apart(walk) {
                    self.helper_here(apart as *const () as usize, &[first]);
                }
            }
            Op::Look { look, .. } => {
                let look = &self.program.pools.looks[look as usize];
                let of_board = |kind: KindId| {
                    self.program.world.boards.iter().any(|board| board.kind == kind) && !can_be_made(self.program, kind)
                };
                let plain = look.quantifier == Quantifier::All
                    && look.measure == Measure::Itself
                    && matches!(look.domain, Domain::Kind(kind) if of_board(kind));
                if !plain {
                    return false;
                }
                match look.domain {
                    Domain::Kind(kind) if look.test == Test::Always && self.all_stay(kind) => {
                        let list = self.tables.laid.all[kind as usize];
                        let n = self.constant(self.program.extents[kind as usize].things.len() as u64);
                        self.spend(n);
                        let list = self.constant(list);
                        self.found_laid(list);
                    }
                    _ => self.look(dst, look, true),
                }
            }
            Op::Call { func, first, n, .. }
                if self.ids[func as usize].is_some()
                    && self.inlined_deep < 4
                    && !self.facts[func as usize].recurs
                    && !self.facts[func as usize].writes =>
            {
                let args: Vec<Word> = (first..first + n).map(|reg| self.get(reg)).collect();
                self.sinking = true;
                self.inline(func, &args);
            }
            Op::GetOf { entity, .. } | Op::StepSet { entity, .. } => {
                let [board] = self.program.world.boards.as_slice() else { return false };
                let set = match *op {
                    Op::StepSet { set, .. } => set,
                    Op::GetOf { name, .. } => {
                        match self.program.answers.get(&name).and_then(|answers| answers[board.kind as usize]) {
                            Some(Answer::Set(set)) => set,
                            _ => return false,
                        }
                    }
                    _ => return false,
                };
                let apart = (board.first..board.first + board.n).all(|place| {
                    let around = self.program.ahead.around(set, place);
                    (1..around.len()).all(|at| !around[..at].contains(&around[at]))
                });
                if !apart {
                    return false;
                }
                let of = self.get(entity);
                let (here, other, done) = (self.b.create_block(), self.cold(), self.b.create_block());
                let among = self.is_among(of, board.first, board.first + board.n);
                self.b.ins().brif(among, here, &[], other, &[]);
                self.at(other);
                let value = match op {
                    Op::StepSet { .. } => {
                        self.simple(op);
                        self.get(dst)
                    }
                    _ => self.calling(op),
                };
                self.hand_over(value);
                self.b.ins().jump(done, &[]);
                self.at(here);
                let tables = self.tables;
                let list = self.tabled(&tables.laid.around[set as usize], of);
                self.found_laid(list);
                self.b.ins().jump(done, &[]);
                self.at(done);
            }
            _ => return false,
        }
        let nil = self.nil();
        self.leave_sunk(nil);
        true
    }

    /// Ends a function whose members were gathered.
    fn leave_sunk(&mut self, value: Word) {
        let BlockExit { value: into, to } = self.inlined.expect("only functions written in place are sunk");
        self.b.def_var(into, value);
        self.b.ins().jump(to, &[]);
        self.ended = true;
    }

    /// Gathers the different members of a value that was made after all.
    pub(super) fn hand_over(&mut self, value: Word) {
        self.helper_here(take_members as *const () as usize, &[value]);
    }

    /// The values of the receiver are the members of a list that never changes.
    fn found_laid(&mut self, list: Word) {
        let (laid, used) = self.laid.as_mut().expect("only what is listed is sunk");
        *used = true;
        self.b.def_var(*laid, list);
    }

    /// Whether a walk can meet no place twice: its directions are known, different, and do not lead to each other.
    fn walks_apart(&self, walk: &Walk) -> bool {
        let program = self.program;
        let sets: Vec<Vec<DirId>> = match &walk.ways {
            Ways::Direction(_) | Ways::Relative(_) => return !self.tables.rounds.iter().any(|&rounds| rounds),
            Ways::Set(set) => program.sets[*set as usize].first().into_iter().cloned().collect(),
            Ways::RelativeSet(set) => (0..program.world.n_seats)
                .map(|seat| super::laid::turned(program, seat, &program.relative_sets[*set as usize]))
                .collect(),
            Ways::Value(reg) if self.routes.contains(reg) => {
                let listed = |directions: &Vec<Ways>| {
                    (0..program.world.n_seats)
                        .map(|seat| super::laid::directions(program, seat, directions).collect())
                        .collect::<Vec<Vec<DirId>>>()
                };
                program.pools.directions.iter().flat_map(listed).collect()
            }
            Ways::Value(_) => return false,
        };
        sets.iter().all(|ways| lead_apart(program, ways))
    }
}

/// Whether nobody who walks on in some directions from any place comes to the same place on two of them.
fn lead_apart(program: &Program, ways: &[DirId]) -> bool {
    let n = program.world.entities.len();
    let mut met = vec![NOBODY; n];
    (0..n as EntityId).filter(|&from| program.world.entities[from as usize].board.is_some()).all(|from| {
        ways.iter().all(|&way| {
            let mut place = program.ahead.step(way, from);
            while place != NOBODY {
                if place == from || std::mem::replace(&mut met[place as usize], from) == from {
                    return false;
                }
                place = program.ahead.step(way, place);
            }
            true
        })
    })
}

/// Directions chosen by a define, where they are only walked in: tables of steps instead of a list.
impl Emit<'_, '_> {
    /// Whether a function gives one of a few lists of directions that are written out, and does nothing else.
    fn gives_routes(&self, func: FuncId) -> bool {
        let function = &self.program.functions[func as usize];
        let facts = &self.facts[func as usize];
        let plain = |op: &Op| match op {
            Op::DirectionList { directions, .. } => {
                !self.program.pools.directions[*directions as usize].iter().any(|ways| matches!(ways, Ways::Value(_)))
            }
            Op::Return { src } => function.code.iter().all(|op| {
                facts::operands(op, &self.program.pools).dst != Some(*src) || matches!(op, Op::DirectionList { .. })
            }),
            Op::GetState { .. }
            | Op::GetProp { .. }
            | Op::GetSlot { .. }
            | Op::Const { .. }
            | Op::Jump { .. }
            | Op::JumpNil { .. }
            | Op::JumpSome { .. }
            | Op::JumpEq { .. }
            | Op::JumpNe { .. }
            | Op::JumpLess { .. }
            | Op::JumpNotLess { .. }
            | Op::Player { .. }
            | Op::Opponent { .. } => true,
            _ => false,
        };
        !facts.recurs
            && function.code.iter().any(|op| matches!(op, Op::DirectionList { .. }))
            && function.code.iter().all(plain)
    }

    /// Writes a call whose directions are only walked in; false if they are not.
    pub(super) fn route(&mut self, op: &Op) -> bool {
        let Op::Call { dst, func, first, n } = *op else { return false };
        let pools = &self.program.pools;
        let defined = self.code.iter().filter(|op| facts::operands(op, pools).dst == Some(dst)).count();
        let walked = self.code.iter().all(|op| {
            let uses = facts::operands(op, pools).uses.iter().filter(|&&reg| reg == dst).count();
            match op {
                Op::Walk { walk, .. } => {
                    let walk = &pools.walks[*walk as usize];
                    let by_way = walk.ways == Ways::Value(dst);
                    uses == usize::from(by_way) && walk.from != dst && walk.most != Some(dst)
                }
                _ => uses == 0,
            }
        });
        // Code inside the walk may read any register by its number only; it was looked at above with the rest.
        let argument = dst < self.program.functions[self.func as usize].n_args;
        if self.program.world.boards.len() != 1
            || defined != 1
            || !walked
            || argument
            || self.inlined_deep >= 6
            || !self.gives_routes(func)
        {
            return false;
        }
        let args: Vec<Word> = (first..first + n).map(|reg| self.get(reg)).collect();
        let routed = std::mem::replace(&mut self.routed, true);
        let table = self.inline(func, &args);
        self.routed = routed;
        self.set(dst, table);
        self.routes.push(dst);
        true
    }
}

/// Whether things of a kind can be made in play.
pub(super) fn can_be_made(program: &Program, kind: KindId) -> bool {
    let is = |of: KindId| program.is_a[of as usize][kind as usize];
    // The model that is made was written just before, and nothing leads in between.
    let known = |function: &Function, pc: usize, reg: Reg| {
        let written = (0..pc).rev().find(|&at| facts::operands(&function.code[at], &program.pools).dst == Some(reg))?;
        let Op::Const { value, .. } = function.code[written] else { return None };
        let entered = |to: u32| to as usize > written && to as usize <= pc;
        match value.kinded() {
            Kinded::Kind(of) if !function.code.iter().any(|op| op.target().is_some_and(entered)) => Some(of),
            _ => None,
        }
    };
    let made_by = |function: &Function| {
        function.code.iter().enumerate().any(|(pc, op)| match op {
            Op::New { new, .. } => known(function, pc, program.pools.news[*new as usize].kind).is_none_or(is),
            _ => false,
        })
    };
    program.layout.made_stride > 1
        && (program.world.kinds.iter().any(|of| of.supply.as_ref().is_some_and(|(of, _)| is(*of)))
            || program.functions.iter().any(made_by))
}

/// Runs the code that lists an action over a set of receivers; says how many it found. None if it gave up, and then it
/// has left nothing behind.
impl Machine {
    pub(crate) fn list_natively(
        &mut self,
        program: &Program,
        native: &Native,
        (action, lister): (usize, &Lister),
        player: EntityId,
    ) -> Option<usize> {
        let set = self.roster_set(program, action, player);
        let (gathered, ends, heap) = (self.gathered.len(), self.found.ends.len(), self.mem.heap.len());
        let (top, depth, skipped) = (self.top, self.depth, self.skipped.len());
        self.guard_stack(native);
        let (bits, words) = self.derived.enrolled.bits_of(set);
        // SAFETY: the code was written with these arguments; it reads the bits, and nothing it calls changes them.
        let word = unsafe {
            std::mem::transmute::<usize, extern "C" fn(*mut Machine, u64, *const u64, u64) -> u64>(lister.address)(
                self,
                0,
                bits,
                words as u64,
            )
        };
        (self.top, self.depth) = (top, depth);
        // A law that steps aside for itself and refuses has not come back.
        self.skipped.truncate(skipped);
        self.mem.heap.truncate(heap);
        if word >> 49 == STOP >> 49 {
            self.pending = None;
            self.gathered.truncate(gathered);
            self.found.ends.truncate(ends);
            return None;
        }
        Some(word as usize)
    }
}

pub(super) extern "C" fn more_ends(machine: &mut Machine) {
    machine.found.ends.make_room(16);
}

/// Whether an equal thing with a smaller number stands for this one.
pub(super) extern "C" fn has_twin(machine: &mut Machine, program: &Program, thing: u64) -> u64 {
    u64::from(machine.has_twin_before(program, thing as EntityId))
}

/// Gathers the different members of a value. Lists as members would have to be kept: that is left to the slow way.
pub(super) extern "C" fn take_members(machine: &mut Machine, program: &Program, _at: u64, value: u64) -> u64 {
    let mut members = std::mem::take(&mut machine.members);
    let from = members.len();
    machine.list_members(program, Value(value), &mut members);
    let in_heap = members[from..].iter().any(|&member| Value(member).in_heap());
    machine.gathered.extend_from_slice(&members[from..]);
    members.truncate(from);
    machine.members = members;
    match in_heap {
        true => {
            machine.pending = Some(Stop::Asked);
            STOP
        }
        false => 0,
    }
}

/// Leaves out what was gathered twice since `from`.
pub(super) extern "C" fn apart(machine: &mut Machine, _program: &Program, _at: u64, from: u64) -> u64 {
    let from = from as usize;
    let mut to = from;
    for at in from..machine.gathered.len() {
        let member = machine.gathered[at];
        if !machine.gathered[from..to].contains(&member) {
            machine.gathered[to] = member;
            to += 1;
        }
    }
    machine.gathered.truncate(to);
    0
}
