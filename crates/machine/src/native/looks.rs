//! Quantifiers as loops.

use super::emit::{DIRECTION_TAG, Emit, GATHERED, GATHERED_LEN, GATHERED_ROOM, LIST_TAG, TAG, Word};
use super::helpers;
use crate::code::*;
use crate::facts::{self, types};
use crate::layout;
use crate::value::Value;
use crate::world::{DirId, KindId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as Label, BlockArg, InstBuilder, MemFlagsData};
use cranelift_frontend::Variable;

/// Whether a quantifier is written out; the others are left to the interpreter.
pub fn is_native(look: &Look) -> bool {
    !matches!(look.quantifier, Quantifier::Most | Quantifier::Least)
}

/// What is looked through.
enum Range {
    /// Entities without a gap.
    Entities(u32, u32),
    /// The living things of a kind, of which some can leave or be made in play.
    Things(KindId),
    List(Word),
}

impl Emit<'_, '_> {
    /// Looks through a list or the things of a kind. `sunk` if what is found is to stay where it was gathered.
    pub(super) fn look(&mut self, dst: Reg, look: &Look, sunk: bool) {
        use Quantifier as Q;
        let heap = self.heap_len();
        let (range, surely) = match look.domain {
            Domain::Kind(kind) => (self.things_of(kind), true),
            Domain::Reg(reg) => (Range::List(self.get(reg)), false),
        };
        let found = self.b.declare_var(I64);
        let first = match look.quantifier {
            Q::Every | Q::None => self.constant(1),
            Q::Count | Q::Sum => {
                let zero = self.constant(0);
                self.small(zero)
            }
            _ => self.nil(),
        };
        self.b.def_var(found, first);
        let start = (look.quantifier == Q::All).then(|| self.load(self.machine, GATHERED_LEN));
        let index = self.b.declare_var(I64);
        // Whether all fit is the same from either end, and boards tend to fill from the first place on.
        let backwards = matches!(look.quantifier, Q::Every | Q::None)
            && matches!(range, Range::Entities(..))
            && !matches!(look.test, Test::Code(_));
        let (begin, n) = match range {
            Range::Entities(from, to) => (self.constant(u64::from(from)), self.constant(u64::from(to))),
            Range::Things(kind) => self.numbers_of(kind),
            Range::List(list) => {
                let address = self.list_address(list);
                let n = self.load(address, 0);
                (self.constant(0), n)
            }
        };
        let mut steps = self.b.ins().isub(n, begin);
        if let Test::Code(Block { start, .. }) = look.test {
            let cost = self.round_cost(start as usize, self.regions[&start] as usize);
            if cost > 1 {
                steps = self.b.ins().imul_imm_u(steps, cost as i64);
            }
        }
        self.spend(steps);
        if let Range::Entities(from, to) = range
            && let Some(value) = self.look_by_sets(look, (from, to))
        {
            self.set(dst, value);
            return;
        }
        self.b.def_var(index, begin);
        let (head, body, next, out) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().jump(head, &[]);
        self.at(head);
        let at = self.b.use_var(index);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, at, n);
        self.b.ins().brif(more, body, &[], out, &[]);
        self.at(body);
        let at = self.b.use_var(index);
        let it = match range {
            Range::Entities(from, to) if backwards => {
                let ends = self.constant(u64::from(from) + u64::from(to) - 1);
                let at = self.b.ins().isub(ends, at);
                self.entity(at)
            }
            Range::Entities(..) => self.entity(at),
            Range::Things(kind) => {
                let it = self.entity(at);
                self.unless_living(it, kind, next);
                it
            }
            Range::List(list) => {
                // The heap may have moved since the last one.
                let address = self.list_address(list);
                let offset = self.b.ins().ishl_imm_u(at, 3);
                let address = self.b.ins().iadd(address, offset);
                self.load(address, 8)
            }
        };
        let (yes, no) = match look.quantifier {
            Q::Every => (next, self.b.create_block()),
            Q::None | Q::Any => (self.b.create_block(), next),
            _ => (self.b.create_block(), next),
        };
        let within = match range {
            Range::Entities(from, to) => Some((from, to)),
            Range::Things(_) | Range::List(_) => None,
        };
        let blocks = [
            if let Test::Code(block) = look.test { Some(block) } else { None },
            if let Measure::Code(block) = look.measure { Some(block) } else { None },
        ];
        let n_inside = self.inside.len();
        if let Some((from, to)) = within {
            let kept = blocks.into_iter().flatten().filter(|&block| !self.overwrites(block));
            let kept: Vec<(Reg, u32, u32)> = kept.map(|block| (block.it, from, to)).collect();
            self.inside.extend(kept);
        }
        self.test(look.test, it, surely, within, yes, no);
        match look.quantifier {
            Q::Every => {
                self.at(no);
                let nil = self.nil();
                self.b.def_var(found, nil);
                self.b.ins().jump(out, &[]);
            }
            Q::None => {
                self.at(yes);
                let nil = self.nil();
                self.b.def_var(found, nil);
                self.b.ins().jump(out, &[]);
            }
            Q::Any => {
                self.at(yes);
                self.b.def_var(found, it);
                self.b.ins().jump(out, &[]);
            }
            Q::Count => {
                self.at(yes);
                let count = self.b.use_var(found);
                let more = self.b.ins().iadd_imm_s(count, 1);
                self.b.def_var(found, more);
                self.b.ins().jump(next, &[]);
            }
            _ => {
                self.at(yes);
                let measure = self.measure(look.measure, it, surely);
                let so_far = self.b.use_var(found);
                match look.quantifier {
                    Q::All => {
                        self.gather(measure);
                    }
                    Q::Sum => {
                        let sum = self.add((so_far, types::ANY), (measure, types::ANY), false);
                        self.b.def_var(found, sum);
                    }
                    _ => {
                        let best = self.extreme(so_far, measure, look.quantifier == Q::Max);
                        self.b.def_var(found, best);
                    }
                }
                self.b.ins().jump(next, &[]);
            }
        }
        self.inside.truncate(n_inside);
        self.at(next);
        let at = self.b.use_var(index);
        let mut following = self.b.ins().iadd_imm_s(at, 1);
        if let Range::Things(kind) = range {
            following = self.past_start(following, kind);
        }
        self.b.def_var(index, following);
        self.b.ins().jump(head, &[]);
        self.at(out);
        if !self.keeps(look) {
            // Whatever the conditions made on the way is no longer needed.
            self.set_heap_len(heap);
        }
        let value = match start {
            Some(_) if sunk => return,
            Some(start) => self.helper_here(helpers::gathered as *const () as usize, &[start]),
            None => self.b.use_var(found),
        };
        self.set(dst, value);
    }

    /// Whether code that looks at one thing puts something else in its place.
    fn overwrites(&self, block: Block) -> bool {
        let code = block.start as usize..self.regions[&block.start] as usize;
        self.code[code].iter().any(|op| facts::operands(op, &self.program.pools).dst == Some(block.it))
    }

    /// Whether a condition may gather something itself.
    fn may_gather(&self, test: Test) -> bool {
        let Test::Code(block) = test else { return false };
        let code = block.start as usize..self.regions[&block.start] as usize;
        !self.code[code].iter().all(|op| {
            matches!(
                op,
                Op::GetField { .. }
                    | Op::GetProp { .. }
                    | Op::GetSlot { .. }
                    | Op::Const { .. }
                    | Op::Move { .. }
                    | Op::Player { .. }
                    | Op::Opponent { .. }
                    | Op::Eq { .. }
                    | Op::Ne { .. }
                    | Op::Not { .. }
                    | Op::Jump { .. }
                    | Op::JumpNil { .. }
                    | Op::JumpSome { .. }
                    | Op::JumpEq { .. }
                    | Op::JumpNe { .. }
                    | Op::BlockEnd { .. }
            )
        })
    }

    /// Whether something made while looking may have been kept: in the result, or by code that changes memory.
    fn keeps(&self, look: &Look) -> bool {
        let changes = self.facts[self.func as usize].writes;
        let coded = matches!(look.test, Test::Code(_)) || matches!(look.measure, Measure::Code(_));
        matches!(look.quantifier, Quantifier::All | Quantifier::Max | Quantifier::Min) || (coded && changes)
    }

    /// Whether there are never other things of a kind than at the start.
    pub(super) fn all_stay(&self, kind: KindId) -> bool {
        let things = &self.program.extents[kind as usize].things;
        let layout = &self.program.layout;
        let stays = |thing: u32| self.program.fixed[thing as usize] || layout.slot(layout::GONE, thing).is_none();
        things.iter().all(|&thing| stays(thing)) && !super::lister::can_be_made(self.program, kind)
    }

    fn things_of(&mut self, kind: KindId) -> Range {
        let things = &self.program.extents[kind as usize].things;
        if self.all_stay(kind)
            && let (Some(&first), Some(&last)) = (things.first(), things.last())
            && things.len() as u32 == last - first + 1
        {
            return Range::Entities(first, last + 1);
        }
        Range::Things(kind)
    }

    /// Goes on at `yes` or `no`.
    pub(super) fn test(
        &mut self,
        test: Test,
        it: Word,
        surely: bool,
        within: Option<(u32, u32)>,
        yes: Label,
        no: Label,
    ) {
        match test {
            Test::Always => {
                self.b.ins().jump(yes, &[]);
                return;
            }
            Test::Code(block) => {
                let value = self.block(block, it);
                self.b.ins().brif(value, yes, &[], no, &[]);
                return;
            }
            _ => {}
        }
        if !surely {
            let is_entity = self.is_entity(it);
            let go_on = self.b.create_block();
            self.b.ins().brif(is_entity, go_on, &[], no, &[]);
            self.at(go_on);
        }
        let none: [BlockArg; 0] = [];
        match test {
            Test::Some(prop) => {
                let value = self.column(it, within, prop);
                self.b.ins().brif(value, yes, &none, no, &none);
            }
            Test::Nil(prop) => {
                let value = self.column(it, within, prop);
                self.b.ins().brif(value, no, &none, yes, &none);
            }
            Test::Equal(prop, reg) => {
                let value = self.column(it, within, prop);
                let (wanted, mask) = (self.get(reg), self.mask(reg));
                let same = self.equal(value, wanted, mask);
                self.b.ins().brif(same, yes, &none, no, &none);
            }
            Test::Unequal(prop, reg) => {
                let value = self.column(it, within, prop);
                let (wanted, mask) = (self.get(reg), self.mask(reg));
                let same = self.equal(value, wanted, mask);
                self.b.ins().brif(same, no, &none, yes, &none);
            }
            Test::Empty => {
                let value = self.column(it, within, layout::TOP);
                self.b.ins().brif(value, no, &none, yes, &none);
            }
            Test::Occupied => {
                let value = self.column(it, within, layout::TOP);
                self.b.ins().brif(value, yes, &none, no, &none);
            }
            Test::Always | Test::Code(_) => {}
        }
    }

    /// A property of an entity that is known to be one of a few.
    pub(super) fn column(&mut self, of: Word, within: Option<(u32, u32)>, prop: PropId) -> Word {
        let (first, end, base) = self.program.layout.column(prop);
        match within {
            Some((from, to)) if first <= from && to <= end => {
                let behind = self.behind(of, first);
                let offset = self.b.ins().ishl_imm_u(behind, 3);
                let slots = self.slots();
                let address = self.b.ins().iadd(slots, offset);
                self.load(address, 8 * base as usize)
            }
            _ => self.property(of, types::ENTITY, prop),
        }
    }

    pub(super) fn measure(&mut self, measure: Measure, it: Word, surely: bool) -> Word {
        match measure {
            Measure::Itself => it,
            Measure::Property(prop) if surely => self.property(it, types::ENTITY, prop),
            Measure::Property(prop) => {
                let done = self.b.create_block();
                let result = self.b.append_block_param(done, I64);
                let is_entity = self.is_entity(it);
                let nil = self.nil();
                let go_on = self.b.create_block();
                self.b.ins().brif(is_entity, go_on, &[], done, &[BlockArg::Value(nil)]);
                self.at(go_on);
                let value = self.property(it, types::ENTITY, prop);
                self.b.ins().jump(done, &[BlockArg::Value(value)]);
                self.at(done);
                result
            }
            Measure::Code(block) => self.block(block, it),
        }
    }
}

impl Emit<'_, '_> {
    /// Whether a line is looked for in place: on the only board, along a plain property, in all its directions.
    pub(super) fn is_native_line(&self, line: &Line) -> bool {
        matches!(line.measure, Measure::Property(prop) if self.program.layout.column(prop).0 < self.program.layout.column(prop).1)
            && line.along.is_none()
            && self.program.world.boards.len() == 1
            && !self.program.world.boards[0].compass.is_empty()
            // Around a board some places would be counted twice.
            && !self.program.world.boards[0].compass.iter().any(|&way| self.tables.rounds[way as usize])
    }

    /// Looks for a line. Only one that is there is listed, as the interpreter does it.
    pub(super) fn line(&mut self, dst: Reg, line: &Line, op: &Op) {
        let Measure::Property(prop) = line.measure else { unreachable!("only these are native") };
        let info = &self.program.world.boards[0];
        let (first, end, base) = self.program.layout.column(prop);
        let (n, through) = (self.get(line.n), self.get(line.through));
        let (found, odd, out) = (self.cold(), self.cold(), self.b.create_block());
        let only_asked = self.only_asked(dst);
        // Asked for first: the line may be wanted where the mark was.
        let plainly = self.plainly_set(prop) && self.is_surely_among(line.through, first, end);
        let set = self.just_set(line.through, prop).filter(|_| plainly).map(|src| (self.get(src), self.mask(src)));
        let nil = self.nil();
        self.set(dst, nil);
        // Anything out of the ordinary is left to the interpreter: no place of the board, no plain number.
        let mut ordinary = self.is_whole(n);
        let known =
            self.among(line.through).filter(|_| self.is_surely_among(line.through, info.first, info.first + info.n));
        let set = set.filter(|_| known.is_some());
        if known.is_none() {
            let on_board = self.is_among(through, info.first, info.first + info.n);
            ordinary = self.b.ins().band(ordinary, on_board);
        }
        let go_on = self.b.create_block();
        self.b.ins().brif(ordinary, go_on, &[], odd, &[]);
        self.at(go_on);
        let (value, mask) = set.unwrap_or_else(|| (self.column(through, known, prop), types::ANY));
        if mask & types::NIL != 0 {
            let there = self.b.create_block();
            self.b.ins().brif(value, there, &[], out, &[]);
            self.at(there);
        }
        if mask & types::HEAP != 0 {
            let in_heap = self.in_heap(value);
            let plain = self.b.create_block();
            self.b.ins().brif(in_heap, odd, &[], plain, &[]);
            self.at(plain);
        }
        self.line_by_sets(line, (n, through, value), set.is_some(), (found, out));
        let wanted = self.number_of(n);
        let slots = self.slots();
        let length = self.b.declare_var(I64);
        let behind = self.behind(through, first);
        self.refuse_line(prop, (behind, value, wanted), out);
        let here = self.b.ins().iadd_imm_s(behind, i64::from(base));
        for at in 0..info.compass.len() / 2 {
            let one = info.compass[at];
            let other = self.program.world.directions.opposite[one as usize].unwrap_or(one);
            let single = self.constant(1);
            self.b.def_var(length, single);
            for way in [one, other] {
                self.count_on(way, prop, slots, here, value, length);
            }
            let n = self.b.use_var(length);
            let long = if line.exactly { IntCC::Equal } else { IntCC::SignedGreaterThanOrEqual };
            let is_line = self.b.ins().icmp(long, n, wanted);
            let next = self.b.create_block();
            self.b.ins().brif(is_line, found, &[], next, &[]);
            self.at(next);
        }
        self.b.ins().jump(out, &[]);
        self.end_line(dst, only_asked, (found, odd, out), op);
    }

    /// A line is found: that is all where it is only asked for, otherwise the interpreter lists it, as it does what is
    /// odd. Writes on at `out`.
    pub(super) fn end_line(&mut self, dst: Reg, only_asked: bool, (found, odd, out): (Label, Label, Label), op: &Op) {
        self.at(found);
        if only_asked {
            let there = self.constant(1);
            self.set(dst, there);
            self.b.ins().jump(out, &[]);
        } else {
            self.b.ins().jump(odd, &[]);
        }
        self.at(odd);
        self.simple(op);
        self.b.ins().jump(out, &[]);
        self.at(out);
    }

    /// Counts how often the same value follows in a direction. Beyond the edge lies a slot that holds nothing.
    fn count_on(&mut self, way: DirId, prop: PropId, slots: Word, here: Word, value: Word, length: Variable) {
        let tables = self.tables;
        let (_, _, base) = self.program.layout.column(prop);
        let table = tables.beyond[&prop][way as usize].as_ptr() as u64;
        // As if the table began with the first slot of all.
        let table = self.constant(table.wrapping_sub(4 * u64::from(base)));
        let next = |emit: &mut Self, slot: Word| {
            let offset = emit.b.ins().ishl_imm_u(slot, 2);
            let address = emit.b.ins().iadd(table, offset);
            emit.b.ins().uload32(MemFlagsData::trusted().with_readonly(), address, 0)
        };
        let (head, same, ended) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let slot = self.b.append_block_param(head, I64);
        let start = next(self, here);
        self.b.ins().jump(head, &[BlockArg::Value(start)]);
        self.at(head);
        let offset = self.b.ins().ishl_imm_u(slot, 3);
        let address = self.b.ins().iadd(slots, offset);
        let other = self.load(address, 0);
        let mut equal = self.b.ins().icmp(IntCC::Equal, other, value);
        if tables.rounds[way as usize] {
            let further = self.b.ins().icmp(IntCC::NotEqual, slot, here);
            equal = self.b.ins().band(equal, further);
        }
        self.b.ins().brif(equal, same, &[], ended, &[]);
        self.at(same);
        let n = self.b.use_var(length);
        let more = self.b.ins().iadd_imm_s(n, 1);
        self.b.def_var(length, more);
        let following = next(self, slot);
        self.b.ins().jump(head, &[BlockArg::Value(following)]);
        self.at(ended);
    }

    pub(super) fn next_place(&mut self, table: Word, from: Word) -> Word {
        let behind = self.behind(from, 0);
        let offset = self.b.ins().ishl_imm_u(behind, 3);
        let address = self.b.ins().iadd(table, offset);
        self.load(address, 0)
    }
}

impl Emit<'_, '_> {
    /// Whether walks are taken in place: where there is one board.
    pub(super) fn walks_natively(&self) -> bool {
        self.program.world.boards.len() == 1
    }

    /// Walks in each direction in turn. `sunk` if the places are to stay where they were gathered.
    pub(super) fn walk(&mut self, dst: Reg, walk: &Walk, sunk: bool) {
        let info = &self.program.world.boards[0];
        let out = self.b.create_block();
        let list = self.b.append_block_param(out, I64);
        let from = self.get(walk.from);
        let (usual, odd) = (self.b.create_block(), self.cold());
        let on_board = self.is_among(from, info.first, info.first + info.n);
        self.b.ins().brif(on_board, usual, &[], odd, &[]);
        self.at(usual);
        let most = match walk.most {
            Some(reg) => {
                let most = self.get(reg);
                let whole = self.is_whole(most);
                let go_on = self.b.create_block();
                self.b.ins().brif(whole, go_on, &[], odd, &[]);
                self.at(go_on);
                Some(self.number_of(most))
            }
            None => None,
        };
        let first = self.load(self.machine, GATHERED_LEN);
        let tables = self.tables;
        let (ways, n) = match walk.ways {
            Ways::Set(set) => {
                let table = &tables.sets[set as usize];
                (self.constant(table.as_ptr() as u64), self.constant(table.len() as u64))
            }
            Ways::Direction(way) => (self.constant(&raw const tables.ways[way as usize] as u64), self.constant(1)),
            Ways::Relative(turn) => {
                let table = self.by_seat(&tables.laid.relative_way[turn as usize]);
                (self.b.ins().iadd_imm_s(table, 8), self.load(table, 0))
            }
            Ways::RelativeSet(set) => {
                let table = self.by_seat(&tables.laid.relative_ways[set as usize]);
                (self.b.ins().iadd_imm_s(table, 8), self.load(table, 0))
            }
            Ways::Value(reg) if self.routes.contains(&reg) => {
                let route = self.get(reg);
                (self.b.ins().iadd_imm_s(route, 16), self.load(route, 8))
            }
            Ways::Value(reg) => {
                // A list of directions is gone through where it lies; anything else is left to the interpreter.
                let value = self.get(reg);
                let tag = self.b.ins().ushr_imm_u(value, i64::from(TAG));
                let is_list = self.b.ins().icmp_imm_u(IntCC::Equal, tag, LIST_TAG as i64);
                let go_on = self.b.create_block();
                self.b.ins().brif(is_list, go_on, &[], odd, &[]);
                self.at(go_on);
                let address = self.list_address(value);
                (value, self.load(address, 0))
            }
        };
        // No way can be longer than the board is large, so there need be room only once.
        let most_met = self.b.ins().imul_imm_s(n, i64::from(info.n));
        self.room_to_gather(most_met);
        // Conditions that run code may gather as well: they have to know what is there already.
        let coded = [Some(walk.while_), walk.until, walk.then].iter().flatten().any(|&test| self.may_gather(test));
        let rounds = tables.rounds.iter().any(|&rounds| rounds);
        let len = self.b.declare_var(I64);
        self.b.def_var(len, first);
        let index = self.b.declare_var(I64);
        let place = self.b.declare_var(I64);
        let met = self.b.declare_var(I64);
        let zero = self.constant(0);
        self.b.def_var(index, zero);
        let (head, body, next, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().jump(head, &[]);
        self.at(head);
        let at = self.b.use_var(index);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, at, n);
        self.b.ins().brif(more, body, &[], done, &[]);
        self.at(body);
        let at = self.b.use_var(index);
        let offset = self.b.ins().ishl_imm_u(at, 3);
        let table = match walk.ways {
            Ways::Value(reg) if !self.routes.contains(&reg) => {
                // Conditions may have moved the heap.
                let list = self.list_address(ways);
                let address = self.b.ins().iadd(list, offset);
                let way = self.load(address, 8);
                let tag = self.b.ins().ushr_imm_u(way, i64::from(TAG));
                let is_way = self.b.ins().icmp_imm_u(IntCC::Equal, tag, DIRECTION_TAG as i64);
                let (go_on, other) = (self.b.create_block(), self.cold());
                self.b.ins().brif(is_way, go_on, &[], other, &[]);
                self.at(other);
                self.store(first, self.machine, GATHERED_LEN);
                self.b.ins().jump(odd, &[]);
                self.at(go_on);
                let ways = self.constant(tables.ways.as_ptr() as u64);
                self.table_of_way(ways, way)
            }
            _ => {
                let address = self.b.ins().iadd(ways, offset);
                self.load(address, 0)
            }
        };
        if self.goes_once(walk) {
            // One place in each direction: nothing is counted, and nothing has to be taken back.
            self.take_first(walk, table, from, len, (rounds, coded), next);
            self.at(next);
            let at = self.b.use_var(index);
            let following = self.b.ins().iadd_imm_s(at, 1);
            self.b.def_var(index, following);
            self.b.ins().jump(head, &[]);
            self.at(done);
            self.end_walk(dst, walk, (first, len), sunk, odd, out);
            self.at(out);
            self.set(dst, list);
            return;
        }
        let begin = self.b.use_var(len);
        let start = self.next_place(table, from);
        self.b.def_var(place, start);
        self.b.def_var(met, zero);
        let (step, look, take, halt) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().jump(step, &[]);
        self.at(step);
        let at = self.b.use_var(place);
        let mut stop = self.is_nowhere(at, from, rounds);
        if let Some(most) = most {
            let n = self.b.use_var(met);
            let enough = self.b.ins().icmp(IntCC::SignedGreaterThanOrEqual, n, most);
            stop = self.b.ins().bor(stop, enough);
        }
        self.b.ins().brif(stop, halt, &[], look, &[]);
        self.at(look);
        let at = self.b.use_var(place);
        let within = Some((info.first, info.first + info.n));
        let n_inside = self.inside.len();
        for test in [Some(walk.while_), walk.until, walk.then].into_iter().flatten() {
            if let Test::Code(block) = test
                && !self.overwrites(block)
            {
                self.inside.push((block.it, info.first, info.first + info.n));
            }
        }
        self.test(walk.while_, at, true, within, take, halt);
        self.at(take);
        let at = self.b.use_var(place);
        self.gather_on(at, len, coded);
        let n = self.b.use_var(met);
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.b.def_var(met, n);
        let following = self.next_place(table, at);
        self.b.def_var(place, following);
        self.b.ins().jump(step, &[]);
        self.at(halt);
        let at = self.b.use_var(place);
        let nowhere = self.is_nowhere(at, from, rounds);
        let fits = self.b.create_block();
        match walk.until {
            Some(until) => {
                let (fails, ask) = (self.b.create_block(), self.b.create_block());
                self.b.ins().brif(nowhere, fails, &[], ask, &[]);
                self.at(ask);
                let at = self.b.use_var(place);
                self.test(until, at, true, within, fits, fails);
                self.at(fails);
                self.b.def_var(len, begin);
                if coded {
                    self.store(begin, self.machine, GATHERED_LEN);
                }
                self.b.ins().jump(next, &[]);
            }
            None => {
                self.b.ins().jump(fits, &[]);
            }
        }
        self.at(fits);
        match walk.then {
            Some(then) => {
                let (ask, take) = (self.b.create_block(), self.b.create_block());
                let mut skip = nowhere;
                if let Some(most) = most {
                    let n = self.b.use_var(met);
                    let enough = self.b.ins().icmp(IntCC::SignedGreaterThanOrEqual, n, most);
                    skip = self.b.ins().bor(skip, enough);
                }
                self.b.ins().brif(skip, next, &[], ask, &[]);
                self.at(ask);
                let at = self.b.use_var(place);
                self.test(then, at, true, within, take, next);
                self.at(take);
                let at = self.b.use_var(place);
                self.gather_on(at, len, coded);
                self.b.ins().jump(next, &[]);
            }
            None => {
                self.b.ins().jump(next, &[]);
            }
        }
        self.inside.truncate(n_inside);
        self.at(next);
        let at = self.b.use_var(index);
        let following = self.b.ins().iadd_imm_s(at, 1);
        self.b.def_var(index, following);
        self.b.ins().jump(head, &[]);
        self.at(done);
        self.end_walk(dst, walk, (first, len), sunk, odd, out);
        self.at(out);
        self.set(dst, list);
    }

    /// What a walk has gathered becomes its list, unless it is to stay there; and what is odd is left to the interpreter.
    fn end_walk(&mut self, dst: Reg, walk: &Walk, (first, len): (Word, Variable), sunk: bool, odd: Label, out: Label) {
        let (some, none) = (self.b.create_block(), self.b.create_block());
        let n = self.b.use_var(len);
        self.store(n, self.machine, GATHERED_LEN);
        let empty = self.b.ins().icmp(IntCC::Equal, n, first);
        match sunk {
            true => {
                self.b.ins().jump(none, &[]);
            }
            false => {
                self.b.ins().brif(empty, none, &[], some, &[]);
            }
        }
        self.at(none);
        let value = self.constant(Value::list(crate::vm::EMPTY).0);
        self.b.ins().jump(out, &[BlockArg::Value(value)]);
        self.at(some);
        let value = self.helper_here(helpers::gathered as *const () as usize, &[first]);
        self.b.ins().jump(out, &[BlockArg::Value(value)]);
        self.at(odd);
        // From nowhere, from a name or from a thing that is no place: as the interpreter does it.
        let route = match walk.ways {
            Ways::Value(reg) if self.routes.contains(&reg) => Some((reg, self.get(reg))),
            _ => None,
        };
        if let Some((reg, route)) = route {
            // The interpreter knows the directions as a list.
            let list = self.load(route, 0);
            let list = self.lay(list);
            self.set(reg, list);
        }
        let value = self.calling_walk(dst);
        if let Some((reg, route)) = route {
            self.set(reg, route);
        }
        if sunk {
            self.hand_over(value);
        }
        self.b.ins().jump(out, &[BlockArg::Value(value)]);
    }

    /// Whether a walk takes one place in each direction at most, and looks at the one behind it without code.
    fn goes_once(&self, walk: &Walk) -> bool {
        let Some(most) = walk.most else { return false };
        let mut written = self.code.iter().filter(|op| facts::operands(op, &self.program.pools).dst == Some(most));
        let once = matches!(written.next(), Some(Op::Const { value, .. }) if *value == Value::small(1));
        let argument = most < self.program.functions[self.func as usize].n_args;
        once && !argument
            && written.next().is_none()
            && walk.then.is_none()
            && !matches!(walk.until, Some(Test::Code(_)))
    }

    /// Takes the first place in a direction, if it fits and what lies behind it does; goes on at `next`.
    fn take_first(
        &mut self,
        walk: &Walk,
        table: Word,
        from: Word,
        len: Variable,
        (rounds, coded): (bool, bool),
        next: Label,
    ) {
        let info = &self.program.world.boards[0];
        let within = Some((info.first, info.first + info.n));
        let (look, take) = (self.b.create_block(), self.b.create_block());
        let place = self.next_place(table, from);
        let nowhere = self.is_nowhere(place, from, rounds);
        self.b.ins().brif(nowhere, next, &[], look, &[]);
        self.at(look);
        let n_inside = self.inside.len();
        if let Test::Code(block) = walk.while_
            && !self.overwrites(block)
        {
            self.inside.push((block.it, info.first, info.first + info.n));
        }
        self.test(walk.while_, place, true, within, take, next);
        self.inside.truncate(n_inside);
        self.at(take);
        if let Some(until) = walk.until {
            let (ask, fits) = (self.b.create_block(), self.b.create_block());
            let behind = self.next_place(table, place);
            let nowhere = self.is_nowhere(behind, from, rounds);
            self.b.ins().brif(nowhere, next, &[], ask, &[]);
            self.at(ask);
            self.test(until, behind, true, within, fits, next);
            self.at(fits);
        }
        self.gather_on(place, len, coded);
        self.b.ins().jump(next, &[]);
    }

    /// Whether a walk is at its end: off the board, or back where it began.
    fn is_nowhere(&mut self, at: Word, from: Word, rounds: bool) -> Word {
        let off = self.b.ins().icmp_imm_u(IntCC::Equal, at, 0);
        if !rounds {
            return off;
        }
        let back = self.b.ins().icmp(IntCC::Equal, at, from);
        self.b.ins().bor(off, back)
    }

    /// Room for so many more behind what was gathered.
    pub(super) fn room_to_gather(&mut self, n: Word) {
        let len = self.load(self.machine, GATHERED_LEN);
        let wanted = self.b.ins().iadd(len, n);
        let room = self.load(self.machine, GATHERED_ROOM);
        let short = self.b.ins().icmp(IntCC::UnsignedLessThan, room, wanted);
        let (more, enough) = (self.cold(), self.b.create_block());
        self.b.ins().brif(short, more, &[], enough, &[]);
        self.at(more);
        self.helper(helpers::room_to_gather as *const () as usize, &[self.machine, n], false);
        self.b.ins().jump(enough, &[]);
        self.at(enough);
    }

    /// Lays a value behind what was gathered, where there is room; `told` if others have to know of it at once.
    fn gather_on(&mut self, value: Word, len: Variable, told: bool) {
        let n = self.b.use_var(len);
        let gathered = self.load(self.machine, GATHERED);
        let offset = self.b.ins().ishl_imm_u(n, 3);
        let address = self.b.ins().iadd(gathered, offset);
        self.store(value, address, 0);
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.b.def_var(len, n);
        if told {
            self.store(n, self.machine, GATHERED_LEN);
        }
    }

    /// Lays a value behind what was gathered.
    fn gather(&mut self, value: Word) {
        let n = self.load(self.machine, GATHERED_LEN);
        let room = self.load(self.machine, GATHERED_ROOM);
        let full = self.b.ins().icmp(IntCC::Equal, n, room);
        let (more, lay) = (self.cold(), self.b.create_block());
        self.b.ins().brif(full, more, &[], lay, &[]);
        self.at(more);
        self.helper(helpers::more_gathered as *const () as usize, &[self.machine], false);
        self.b.ins().jump(lay, &[]);
        self.at(lay);
        let gathered = self.load(self.machine, GATHERED);
        let offset = self.b.ins().ishl_imm_u(n, 3);
        let address = self.b.ins().iadd(gathered, offset);
        self.store(value, address, 0);
        let n = self.b.ins().iadd_imm_s(n, 1);
        self.store(n, self.machine, GATHERED_LEN);
    }
}
