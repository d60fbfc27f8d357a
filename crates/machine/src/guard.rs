//! Candidates that belong to somebody: nobody else need try them.

use crate::code::{Function, Op, PropId, Reg};
use crate::facts::reader::{self, Domain, Way};
use crate::layout;
use crate::program::{Handler, Program};
use crate::value::{SHIFT, Value};
use crate::world::EntityId;

/// A property of the receiver that has to be who plays, or the first law of all refuses: there is no need to ask it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Guard {
    /// The slot of the property; one that holds nothing where there is no such law.
    pub slot: u32,
    /// Who is meant is whose turn it is, rather than who acts.
    pub by_turn: bool,
}

impl Guard {
    pub const NONE: Guard = Guard { slot: layout::NOTHING, by_turn: false };

    /// Reads an action from its beginning as if the property were another player, up to where that is refused.
    pub fn of(program: &Program, function: &Function, receiver: EntityId) -> Guard {
        let mut another = Another { met: None };
        let first = vec![Sign::Other; reader::n_regs(function)];
        match (reader::passes(function, &program.pools, first, &mut another), another.met) {
            (Some(false), Some((prop, by_turn))) => {
                program.layout.slot(prop, receiver).map_or(Guard::NONE, |slot| Guard { slot, by_turn })
            }
            _ => Guard::NONE,
        }
    }

    /// Whether the property, which is this word, is another thing than who is meant. Anything else is left to the law.
    #[inline]
    pub fn refuses(self, word: u64, actor: u64, first: u64) -> bool {
        let who = if self.by_turn { first } else { actor };
        word != who && (word ^ who) >> SHIFT == 0
    }
}

/// What a register holds, where a property of the receiver is another player than who is meant.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Own(PropId),
    Who { by_turn: bool },
    Truth(bool),
    Other,
}

struct Another {
    /// The property, and who is meant: no second one is compared.
    met: Option<(PropId, bool)>,
}

impl Another {
    fn differ(&mut self, one: Sign, other: Sign) -> bool {
        match (one, other) {
            (Sign::Own(prop), Sign::Who { by_turn }) | (Sign::Who { by_turn }, Sign::Own(prop)) => {
                *self.met.get_or_insert((prop, by_turn)) == (prop, by_turn)
            }
            _ => false,
        }
    }
}

impl Domain for Another {
    type Sign = Sign;

    fn constant(&mut self, _: Value) -> Sign {
        Sign::Other
    }

    fn sign(&mut self, op: &Op, regs: &[Sign]) -> Option<Sign> {
        let sign = |reg: Reg| regs[reg as usize];
        match *op {
            Op::GetProp { entity: 0, prop, .. } => Some(Sign::Own(prop)),
            Op::FirstPlayer { .. } => Some(Sign::Who { by_turn: true }),
            Op::Player { .. } => Some(Sign::Who { by_turn: false }),
            Op::Eq { a, b, .. } => self.differ(sign(a), sign(b)).then_some(Sign::Truth(false)),
            Op::Ne { a, b, .. } => self.differ(sign(a), sign(b)).then_some(Sign::Truth(true)),
            Op::Not { a, .. } => match sign(a) {
                Sign::Truth(truth) => Some(Sign::Truth(!truth)),
                _ => None,
            },
            _ => None,
        }
    }

    fn way(&mut self, op: &Op, regs: &[Sign]) -> Option<Way> {
        let sign = |reg: Reg| regs[reg as usize];
        match *op {
            Op::JumpEq { a, b, .. } => self.differ(sign(a), sign(b)).then_some(Way::On),
            Op::JumpNe { a, b, .. } => self.differ(sign(a), sign(b)).then_some(Way::Away),
            Op::JumpNil { src, .. } | Op::JumpSome { src, .. } => match sign(src) {
                Sign::Truth(truth) => Some(Way::away_if(truth == matches!(op, Op::JumpSome { .. }))),
                _ => None,
            },
            _ => None,
        }
    }

    fn either(&mut self, one: &Sign, other: &Sign) -> Sign {
        if one == other { *one } else { Sign::Other }
    }
}

/// For each of a few candidates whose it is, where nobody can change that in play: nobody else draws it.
#[derive(Clone, Debug)]
pub(crate) struct Guards {
    /// The slot of the property, candidate by candidate.
    slots: Box<[Guard]>,
    pub by_turn: bool,
}

/// Seats whose candidates are told apart.
pub(crate) const MOST_SEATS: usize = 8;

impl Guards {
    /// None where it would be no gain, or where whose a candidate is may change.
    pub fn of(program: &Program) -> Option<Guards> {
        if program.plain.len() > 64 || program.world.n_seats as usize > MOST_SEATS {
            return None;
        }
        let slots: Box<[Guard]> = program.plain.iter().map(|&of| of_candidate(program, of)).collect();
        let mut guarded = slots.iter().filter(|&&guard| guard != Guard::NONE);
        let by_turn = guarded.next()?.by_turn;
        if guarded.any(|guard| guard.by_turn != by_turn) {
            return None;
        }
        let changes = |op: &Op| match *op {
            Op::SetNamed { .. } => true,
            Op::SetSlot { slot, .. } => slots.iter().any(|guard| guard.slot == slot),
            Op::SetProp { prop, .. } => {
                let slot = |&(_, receiver): &(u16, EntityId)| program.layout.slot(prop, receiver);
                program.plain.iter().filter_map(slot).any(|slot| slots.iter().any(|guard| guard.slot == slot))
            }
            _ => false,
        };
        let changes = program.functions.iter().any(|function| function.code.iter().any(changes));
        (!changes).then_some(Guards { slots, by_turn })
    }

    /// The candidates that are not somebody else's, as long as they are in their first state.
    pub fn open_to(&self, memory: &[u64], who: u64) -> u64 {
        let open = |guard: &Guard| !guard.refuses(memory[guard.slot as usize], who, who);
        self.slots.iter().rev().fold(0, |set, guard| set << 1 | u64::from(open(guard)))
    }
}

/// The guard of a candidate in its first state.
fn of_candidate(program: &Program, (action, receiver): (u16, EntityId)) -> Guard {
    let kind = program.world.entities[receiver as usize].kind;
    let woven = match &program.handlers[program.actions[action as usize].label as usize][kind as usize] {
        Handler::None => None,
        Handler::Single(woven) => Some(*woven),
        Handler::ByState(states) => states[0],
    };
    woven.map_or(Guard::NONE, |woven| Guard::of(program, &program.functions[woven.full as usize], receiver))
}
