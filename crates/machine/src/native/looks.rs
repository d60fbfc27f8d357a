//! Quantifiers as loops.

use super::emit::{Emit, GATHERED_LEN, Word};
use super::{helpers, types};
use crate::code::*;
use crate::layout;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as Label, BlockArg, InstBuilder};

/// Whether a quantifier is written out; the others are left to the interpreter.
pub fn is_native(look: &Look) -> bool {
    !matches!(look.quantifier, Quantifier::Most | Quantifier::Least)
}

/// What is looked through.
enum Range {
    /// Entities without a gap.
    Entities(u32, u32),
    List(Word),
}

impl Emit<'_, '_> {
    pub(super) fn look(&mut self, dst: Reg, look: &Look) {
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
        let (begin, n) = match range {
            Range::Entities(from, to) => (self.constant(u64::from(from)), self.constant(u64::from(to))),
            Range::List(list) => {
                let address = self.list_address(list);
                let n = self.load(address, 0);
                (self.constant(0), n)
            }
        };
        let steps = self.b.ins().isub(n, begin);
        self.spend(steps);
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
            Range::Entities(..) => self.entity(at),
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
        self.test(look.test, it, surely, yes, no);
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
                        self.helper(helpers::gather as *const () as usize, &[self.machine, measure], false);
                    }
                    Q::Sum => {
                        let sum = self.add((so_far, types::ANY), (measure, types::ANY), false);
                        self.b.def_var(found, sum);
                    }
                    _ => {
                        let best = self.helper_here(helpers::number as *const () as usize, &[so_far, measure]);
                        self.b.def_var(found, best);
                    }
                }
                self.b.ins().jump(next, &[]);
            }
        }
        self.at(next);
        let at = self.b.use_var(index);
        let following = self.b.ins().iadd_imm_s(at, 1);
        self.b.def_var(index, following);
        self.b.ins().jump(head, &[]);
        self.at(out);
        if !self.keeps(look) {
            // Whatever the conditions made on the way is no longer needed.
            self.set_heap_len(heap);
        }
        let value = match start {
            Some(start) => self.helper_here(helpers::gathered as *const () as usize, &[start]),
            None => self.b.use_var(found),
        };
        self.set(dst, value);
    }

    /// Whether something made while looking may have been kept: in the result, or by code that changes memory.
    fn keeps(&self, look: &Look) -> bool {
        let changes = self.facts[self.func as usize].writes;
        let coded = matches!(look.test, Test::Code(_)) || matches!(look.measure, Measure::Code(_));
        matches!(look.quantifier, Quantifier::All | Quantifier::Max | Quantifier::Min) || (coded && changes)
    }

    fn things_of(&mut self, kind: u16) -> Range {
        let things = &self.program.extents[kind as usize].things;
        let layout = &self.program.layout;
        let fixed = things.iter().all(|&thing| layout.slot(layout::GONE, thing).is_none());
        let unmade = layout.made_stride <= 1;
        if fixed
            && unmade
            && let (Some(&first), Some(&last)) = (things.first(), things.last())
            && things.len() as u32 == last - first + 1
        {
            return Range::Entities(first, last + 1);
        }
        Range::List(self.things(u64::from(kind)))
    }

    /// Goes on at `yes` or `no`.
    fn test(&mut self, test: Test, it: Word, surely: bool, yes: Label, no: Label) {
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
                let value = self.property(it, types::ENTITY, prop);
                self.b.ins().brif(value, yes, &none, no, &none);
            }
            Test::Nil(prop) => {
                let value = self.property(it, types::ENTITY, prop);
                self.b.ins().brif(value, no, &none, yes, &none);
            }
            Test::Equal(prop, reg) => {
                let value = self.property(it, types::ENTITY, prop);
                let (wanted, mask) = (self.get(reg), self.mask(reg));
                let same = self.equal(value, wanted, mask);
                self.b.ins().brif(same, yes, &none, no, &none);
            }
            Test::Unequal(prop, reg) => {
                let value = self.property(it, types::ENTITY, prop);
                let (wanted, mask) = (self.get(reg), self.mask(reg));
                let same = self.equal(value, wanted, mask);
                self.b.ins().brif(same, no, &none, yes, &none);
            }
            Test::Empty => {
                let value = self.property(it, types::ENTITY, layout::TOP);
                self.b.ins().brif(value, no, &none, yes, &none);
            }
            Test::Occupied => {
                let value = self.property(it, types::ENTITY, layout::TOP);
                self.b.ins().brif(value, yes, &none, no, &none);
            }
            Test::Always | Test::Code(_) => {}
        }
    }

    fn measure(&mut self, measure: Measure, it: Word, surely: bool) -> Word {
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
