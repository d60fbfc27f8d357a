//! Laws about a receiver's own properties as a table: which of them hold a certain word, and whether that passes.

use crate::code::*;
use crate::facts::reader::{self, Domain, Way};
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
    pub fn of(function: &Function, pools: &Pools, player: EntityId, layout: &Layout, kind: KindId) -> Option<OwnTable> {
        let mut asking = Asking { player, props: Vec::new(), other: 0 };
        let mut passes = 0;
        for other in 0..1u8 << MOST_PROPS {
            asking.other = other;
            let first = vec![Sign::Unknown; reader::n_regs(function)];
            passes |= u8::from(reader::passes(function, pools, first, &mut asking)?) << other;
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

#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Known(Value),
    Prop(PropId),
    Unknown,
}

/// A try of the laws with some properties holding their word and the others anything else.
struct Asking {
    player: EntityId,
    props: Vec<(PropId, Value)>,
    /// Which properties hold something else.
    other: u8,
}

impl Asking {
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
}

impl Domain for Asking {
    type Sign = Sign;

    fn constant(&mut self, value: Value) -> Sign {
        Sign::Known(value)
    }

    fn sign(&mut self, op: &Op, regs: &[Sign]) -> Option<Sign> {
        let sign = |reg: Reg| regs[reg as usize];
        let truth = |truth: bool| Some(Sign::Known(Value::truth(truth)));
        match *op {
            Op::Player { .. } => Some(Sign::Known(Value::entity(self.player))),
            Op::GetProp { entity: 0, prop, .. } => Some(Sign::Prop(prop)),
            Op::GetField { entity: 0, field: Field::Top, .. } => Some(Sign::Prop(layout::TOP)),
            Op::GetField { entity: 0, field: Field::Empty, .. } => truth(self.holds(layout::TOP, Value::NIL)?),
            Op::Eq { a, b, .. } => truth(self.equal(sign(a), sign(b))?),
            Op::Ne { a, b, .. } => truth(!self.equal(sign(a), sign(b))?),
            Op::Not { a, .. } => truth(self.is_nil(sign(a))?),
            _ => None,
        }
    }

    fn way(&mut self, op: &Op, regs: &[Sign]) -> Option<Way> {
        let sign = |reg: Reg| regs[reg as usize];
        match *op {
            Op::JumpNil { src, .. } => self.is_nil(sign(src)).map(Way::away_if),
            Op::JumpSome { src, .. } => self.is_nil(sign(src)).map(|nil| Way::away_if(!nil)),
            Op::JumpEq { a, b, .. } => self.equal(sign(a), sign(b)).map(Way::away_if),
            Op::JumpNe { a, b, .. } => self.equal(sign(a), sign(b)).map(|equal| Way::away_if(!equal)),
            _ => None,
        }
    }

    fn either(&mut self, one: &Sign, other: &Sign) -> Sign {
        if one == other { *one } else { Sign::Unknown }
    }
}
