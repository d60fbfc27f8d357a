//! Going through code with something known about each register.
//!
//! What a register can be known as is the affair of who asks: see [`Domain`]. Here is what holds for all of them: where
//! code goes on, that a way back would be a loop and is not followed, and that what is not understood ends it.

use super::{Goes, effects, operands};
use crate::code::{Function, Op, Pools};
use crate::value::Value;

/// What a register can be known as, and what follows from that.
pub(crate) trait Domain {
    type Sign: Clone;

    fn constant(&mut self, value: Value) -> Self::Sign;

    /// What an instruction writes; whatever, if it writes nothing. None where it is more than can be followed.
    fn sign(&mut self, op: &Op, regs: &[Self::Sign]) -> Option<Self::Sign>;

    /// Where a jump that depends on registers leads; none where that is not known.
    fn way(&mut self, _op: &Op, _regs: &[Self::Sign]) -> Option<Way> {
        None
    }

    /// What is known where two ways meet.
    fn either(&mut self, one: &Self::Sign, other: &Self::Sign) -> Self::Sign;
}

/// Where a jump leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    On,
    Away,
    /// Both ways have to be followed.
    Both,
}

impl Way {
    pub fn away_if(jumps: bool) -> Way {
        if jumps { Way::Away } else { Way::On }
    }
}

/// Room for the registers of a function.
pub(crate) fn n_regs(function: &Function) -> usize {
    function.n_regs.max(function.n_args).max(1) as usize
}

/// Whether laws may let pass: whether some way that is followed ends otherwise than by a refusal. None where they cannot be
/// followed.
pub(crate) fn passes<D: Domain>(
    function: &Function,
    pools: &Pools,
    regs: Vec<D::Sign>,
    domain: &mut D,
) -> Option<bool> {
    passes_from((function, pools), 0, regs, domain)
}

fn passes_from<D: Domain>(
    (function, pools): (&Function, &Pools),
    from: usize,
    mut regs: Vec<D::Sign>,
    domain: &mut D,
) -> Option<bool> {
    let mut pc = from;
    while let Some(op) = function.code.get(pc) {
        let next = match *op {
            Op::Refuse { .. } => return Some(false),
            Op::Return { .. } => return Some(true),
            Op::Const { dst, value } => {
                regs[dst as usize] = domain.constant(value);
                pc + 1
            }
            Op::Move { dst, src } => {
                regs[dst as usize] = regs[src as usize].clone();
                pc + 1
            }
            Op::Jump { to } => to as usize,
            Op::JumpNil { to, .. }
            | Op::JumpSome { to, .. }
            | Op::JumpEq { to, .. }
            | Op::JumpNe { to, .. }
            | Op::JumpLess { to, .. }
            | Op::JumpNotLess { to, .. } => match domain.way(op, &regs)? {
                Way::On => pc + 1,
                Way::Away => to as usize,
                Way::Both if to as usize <= pc => return None,
                Way::Both => {
                    let on = passes_from((function, pools), pc + 1, regs.clone(), domain)?;
                    return Some(on | passes_from((function, pools), to as usize, regs, domain)?);
                }
            },
            _ => {
                let sign = domain.sign(op, &regs)?;
                if effects(op).goes != Goes::On {
                    return None;
                }
                if let Some(dst) = operands(op, pools).dst {
                    regs[dst as usize] = sign;
                }
                pc + 1
            }
        };
        // A loop is more than a glance.
        if next <= pc {
            return None;
        }
        pc = next;
    }
    Some(true)
}

/// What is known before each instruction, whichever way leads there; nothing where none does. None where the code cannot
/// be followed.
pub(crate) fn flow<D: Domain>(
    function: &Function,
    pools: &Pools,
    first: Vec<D::Sign>,
    domain: &mut D,
) -> Option<Vec<Option<Vec<D::Sign>>>> {
    let mut known: Vec<Option<Vec<D::Sign>>> = vec![None; function.code.len() + 1];
    known[0] = Some(first);
    for (pc, op) in function.code.iter().enumerate() {
        let Some(mut regs) = known[pc].clone() else { continue };
        match *op {
            Op::Const { dst, value } => regs[dst as usize] = domain.constant(value),
            Op::Move { dst, src } => regs[dst as usize] = regs[src as usize].clone(),
            Op::Refuse { .. } | Op::Return { .. } => {}
            Op::Jump { .. }
            | Op::JumpNil { .. }
            | Op::JumpSome { .. }
            | Op::JumpEq { .. }
            | Op::JumpNe { .. }
            | Op::JumpLess { .. }
            | Op::JumpNotLess { .. } => {}
            _ => {
                let sign = domain.sign(op, &regs)?;
                if let Some(dst) = operands(op, pools).dst {
                    regs[dst as usize] = sign;
                }
            }
        }
        let next = op.target().map(|to| to as usize).into_iter().chain(op.falls_through().then_some(pc + 1));
        for to in next {
            if to <= pc {
                return None;
            }
            known[to] = Some(match known[to].take() {
                Some(known) => known.iter().zip(&regs).map(|(one, other)| domain.either(one, other)).collect(),
                None => regs.clone(),
            });
        }
    }
    Some(known)
}
