//! Numbers, equality, what a value is.

use super::emit::*;
use super::helpers;
use crate::code::*;
use crate::facts::types::{self, Mask};
use crate::limits::MOST;
use crate::value::Value;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder};

/// Numbers below this are counted with without looking whether they become too great.
const COUNTED: i64 = 1 << 40;

impl Emit<'_, '_> {
    pub(super) fn truth(&mut self, condition: Word) -> Word {
        self.b.ins().uextend(I64, condition)
    }

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

    pub(super) fn equal_regs(&mut self, a: Reg, b: Reg) -> Word {
        let both = self.mask(a) & self.mask(b);
        let (a, b) = (self.get(a), self.get(b));
        self.equal(a, b, both)
    }

    pub(super) fn is_whole(&mut self, word: Word) -> Word {
        let tag = self.b.ins().ushr_imm_u(word, i64::from(TAG));
        self.b.ins().icmp_imm_u(IntCC::Equal, tag, 1)
    }

    /// Whether both are whole: none if that is certain.
    pub(super) fn both_whole(&mut self, a: (Word, Mask), b: (Word, Mask)) -> Option<Word> {
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
    pub(super) fn raised(&mut self, word: Word) -> Word {
        self.b.ins().ishl_imm_u(word, 16)
    }

    /// Whether a < b, as a condition.
    pub(super) fn less(&mut self, a: (Word, Mask), b: (Word, Mask)) -> Word {
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
        if let Some(number) = self.counts_by(b.0) {
            return self.add_known(a.0, number, (a.0, b.0), minus);
        }
        if let Some(number) = self.counts_by(a.0).filter(|_| !minus) {
            return self.add_known(b.0, number, (a.0, b.0), minus);
        }
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

    /// The whole number that a word surely is, if it is one to count by.
    fn counts_by(&self, word: Word) -> Option<i64> {
        let dfg = &self.b.func.dfg;
        let ir::ValueDef::Result(inst, _) = dfg.value_def(dfg.resolve_aliases(word)) else { return None };
        let ir::InstructionData::UnaryImm { opcode: ir::Opcode::Iconst, imm } = dfg.insts[inst] else { return None };
        Value(imm.bits() as u64).as_whole().filter(|number| (0..COUNTED).contains(number))
    }

    /// A number so much greater or less: neither counts below nothing nor far beyond, and what does is left to a helper.
    fn add_known(&mut self, from: Word, by: i64, (a, b): (Word, Word), minus: bool) -> Word {
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let slow = self.cold();
        let value = self.b.ins().iadd_imm_s(from, if minus { -by } else { by });
        // The lesser of the two is a whole number, and not below nothing: then so is the other.
        let least = if minus { value } else { from };
        let tag = self.constant(WHOLE_TAG);
        let above = self.b.ins().isub(least, tag);
        let usual = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, above, COUNTED);
        self.b.ins().brif(usual, done, &[BlockArg::Value(value)], slow, &[]);
        self.at(slow);
        let value = self.helper_here(helpers::number as *const () as usize, &[a, b]);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    pub(super) fn less_regs(&mut self, a: Reg, b: Reg) -> Word {
        let (left, right) = ((self.get(a), self.mask(a)), (self.get(b), self.mask(b)));
        self.less(left, right)
    }

    pub(super) fn at_most(&mut self, a: Reg, b: Reg) -> Word {
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

    pub(super) fn nil(&mut self) -> Word {
        self.constant(Value::NIL.0)
    }
}
