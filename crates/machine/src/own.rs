//! Laws about a receiver's own properties as a table: which of them hold a certain word, and whether that passes.

use crate::code::*;
use crate::layout::{self, Column, Layout};
use crate::program::Program;
use crate::value::{Kinded, Value};
use crate::vm::Machine;
use crate::world::{EntityId, KindId};

/// Properties of a table.
const MOST_PROPS: usize = 3;

/// For each combination of properties that hold their word or another one a bit: whether it passes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OwnTable {
    /// Where they lie; none of a property that the kind does not have.
    columns: [Option<Column>; MOST_PROPS],
    words: [u64; MOST_PROPS],
    n: u8,
    passes: u8,
}

impl OwnTable {
    /// None if more matters than which properties hold which words.
    pub fn of(function: &Function, player: EntityId, layout: &Layout, kind: KindId) -> Option<OwnTable> {
        let mut asking = Asking { function, player, props: Vec::new(), other: 0 };
        let mut passes = 0;
        for other in 0..1u8 << MOST_PROPS {
            asking.other = other;
            passes |= u8::from(asking.passes()?) << other;
        }
        let n = asking.props.len() as u8;
        let mut table = OwnTable { columns: [None; MOST_PROPS], words: [0; MOST_PROPS], n, passes };
        for (at, (prop, word)) in asking.props.into_iter().enumerate() {
            (table.columns[at], table.words[at]) = (layout.column_of(prop, kind), word.0);
        }
        Some(table)
    }

    #[inline]
    pub fn lets_pass(&self, machine: &Machine, program: &Program, thing: EntityId) -> bool {
        let mut other = 0;
        for at in 0..usize::from(self.n) {
            let column = self.columns[at];
            let word = column.map_or(0, |column| machine.mem.slots[program.layout.slot_in(column, thing) as usize]);
            other |= u8::from(word != self.words[at]) << at;
        }
        self.passes >> other & 1 == 1
    }
}

#[derive(Clone, Copy)]
enum Sign {
    Known(Value),
    Prop(PropId),
    Unknown,
}

/// A try of the laws with some properties holding their word and the others anything else.
struct Asking<'a> {
    function: &'a Function,
    player: EntityId,
    props: Vec<(PropId, Value)>,
    /// Which properties hold something else.
    other: u8,
}

impl Asking<'_> {
    /// Whether a property holds this word; none if it was compared with another one, or if equal values may be
    /// different words.
    fn holds(&mut self, prop: PropId, word: Value) -> Option<bool> {
        if !matches!(word.kinded(), Kinded::Nil | Kinded::True | Kinded::Entity(_) | Kinded::Text(_) | Kinded::Kind(_))
        {
            return None;
        }
        let at = match self.props.iter().position(|&(known, _)| known == prop) {
            Some(at) => at,
            None if self.props.len() < MOST_PROPS => {
                self.props.push((prop, word));
                self.props.len() - 1
            }
            None => return None,
        };
        (self.props[at].1 == word).then_some(self.other >> at & 1 == 0)
    }

    fn is_nil(&mut self, sign: Sign) -> Option<bool> {
        match sign {
            Sign::Known(value) => Some(value.is_nil()),
            Sign::Prop(prop) => self.holds(prop, Value::NIL),
            Sign::Unknown => None,
        }
    }

    fn equal(&mut self, a: Sign, b: Sign) -> Option<bool> {
        match (a, b) {
            (Sign::Known(a), Sign::Known(b)) if !a.in_heap() && a.as_f64().is_none() => Some(a == b),
            (Sign::Prop(prop), Sign::Known(word)) | (Sign::Known(word), Sign::Prop(prop)) => self.holds(prop, word),
            _ => None,
        }
    }

    fn passes(&mut self) -> Option<bool> {
        let code = &self.function.code;
        let mut state = vec![Sign::Unknown; self.function.n_regs.max(self.function.n_args).max(1) as usize];
        let mut pc = 0;
        while let Some(op) = code.get(pc) {
            let at = pc;
            pc += 1;
            let sign = |state: &[Sign], reg: Reg| state[reg as usize];
            match *op {
                Op::Const { dst, value } => state[dst as usize] = Sign::Known(value),
                Op::Move { dst, src } => state[dst as usize] = sign(&state, src),
                Op::Player { dst } => state[dst as usize] = Sign::Known(Value::entity(self.player)),
                Op::GetProp { dst, entity: 0, prop } => state[dst as usize] = Sign::Prop(prop),
                Op::GetField { dst, entity: 0, field: Field::Top } => state[dst as usize] = Sign::Prop(layout::TOP),
                Op::GetField { dst, entity: 0, field: Field::Empty } => {
                    state[dst as usize] = Sign::Known(Value::truth(self.holds(layout::TOP, Value::NIL)?));
                }
                Op::Eq { dst, a, b } => {
                    let same = self.equal(sign(&state, a), sign(&state, b))?;
                    state[dst as usize] = Sign::Known(Value::truth(same));
                }
                Op::Ne { dst, a, b } => {
                    let same = self.equal(sign(&state, a), sign(&state, b))?;
                    state[dst as usize] = Sign::Known(Value::truth(!same));
                }
                Op::Not { dst, a } => {
                    state[dst as usize] = Sign::Known(Value::truth(self.is_nil(sign(&state, a))?));
                }
                Op::Jump { to } => pc = to as usize,
                Op::JumpNil { src, to } if self.is_nil(sign(&state, src))? => pc = to as usize,
                Op::JumpSome { src, to } if !self.is_nil(sign(&state, src))? => pc = to as usize,
                Op::JumpEq { a, b, to } if self.equal(sign(&state, a), sign(&state, b))? => pc = to as usize,
                Op::JumpNe { a, b, to } if !self.equal(sign(&state, a), sign(&state, b))? => pc = to as usize,
                Op::JumpNil { .. } | Op::JumpSome { .. } | Op::JumpEq { .. } | Op::JumpNe { .. } => {}
                Op::Refuse { .. } => return Some(false),
                Op::Return { .. } => return Some(true),
                _ => return None,
            }
            // A loop is more than a glance.
            if pc <= at {
                return None;
            }
        }
        Some(true)
    }
}
