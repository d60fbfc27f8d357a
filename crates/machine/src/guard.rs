//! Candidates that belong to somebody: nobody else need try them.

use crate::code::{Function, Op, PropId, Reg};
use crate::layout;
use crate::program::{Handler, Program};
use crate::value::SHIFT;
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
        /// What a register holds.
        #[derive(Clone, Copy, PartialEq)]
        enum Sign {
            Own(PropId),
            Who { by_turn: bool },
            Truth(bool),
            Other,
        }
        let mut signs = vec![Sign::Other; function.n_regs.max(1) as usize];
        let mut met = None;
        let (mut pc, mut left) = (0, function.code.len());
        while let Some(op) = function.code.get(pc)
            && left > 0
        {
            (pc, left) = (pc + 1, left - 1);
            let mut differ = |a: Reg, b: Reg| match (signs[a as usize], signs[b as usize]) {
                (Sign::Own(prop), Sign::Who { by_turn }) | (Sign::Who { by_turn }, Sign::Own(prop)) => {
                    *met.get_or_insert((prop, by_turn)) == (prop, by_turn)
                }
                _ => false,
            };
            match *op {
                Op::GetProp { dst, entity: 0, prop } => signs[dst as usize] = Sign::Own(prop),
                Op::FirstPlayer { dst } => signs[dst as usize] = Sign::Who { by_turn: true },
                Op::Player { dst } => signs[dst as usize] = Sign::Who { by_turn: false },
                Op::Const { dst, .. } => signs[dst as usize] = Sign::Other,
                Op::Move { dst, src } => signs[dst as usize] = signs[src as usize],
                Op::Eq { dst, a, b } if differ(a, b) => signs[dst as usize] = Sign::Truth(false),
                Op::Ne { dst, a, b } if differ(a, b) => signs[dst as usize] = Sign::Truth(true),
                Op::Not { dst, a } if let Sign::Truth(truth) = signs[a as usize] => {
                    signs[dst as usize] = Sign::Truth(!truth);
                }
                Op::Jump { to } => pc = to as usize,
                Op::JumpEq { a, b, .. } if differ(a, b) => {}
                Op::JumpNe { a, b, to } if differ(a, b) => pc = to as usize,
                Op::JumpNil { src, to } | Op::JumpSome { src, to } => {
                    let Sign::Truth(truth) = signs[src as usize] else { return Guard::NONE };
                    if truth == matches!(op, Op::JumpSome { .. }) {
                        pc = to as usize;
                    }
                }
                Op::Refuse { .. } => {
                    let slot = met.and_then(|(prop, by_turn)| Some((program.layout.slot(prop, receiver)?, by_turn)));
                    return slot.map_or(Guard::NONE, |(slot, by_turn)| Guard { slot, by_turn });
                }
                _ => return Guard::NONE,
            }
        }
        Guard::NONE
    }

    /// Whether the property, which is this word, is another thing than who is meant. Anything else is left to the law.
    #[inline]
    pub fn refuses(self, word: u64, actor: u64, first: u64) -> bool {
        let who = if self.by_turn { first } else { actor };
        word != who && (word ^ who) >> SHIFT == 0
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
