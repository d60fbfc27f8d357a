//! What a property holds, as far as the instructions just before say.

use super::emit::Emit;
use crate::code::*;
use crate::facts;

impl Emit<'_, '_> {
    /// The register whose value was just written into a property of what another register holds, if both are as they
    /// were.
    pub(super) fn just_set(&self, entity: Reg, prop: PropId) -> Option<Reg> {
        let mut written: Vec<Reg> = Vec::new();
        for pc in (0..self.pc).rev() {
            // Another way leads here.
            if self.labels.contains_key(&(pc as u32 + 1)) {
                return None;
            }
            match self.code[pc] {
                Op::SetProp { entity: of, prop: set, src } => {
                    let same = (of, set) == (entity, prop) && !written.contains(&src) && !written.contains(&entity);
                    return same.then_some(src);
                }
                op if is_harmless(&op) => written.extend(facts::operands(&op, &self.program.pools).dst),
                _ => return None,
            }
        }
        None
    }

    /// Whether a property of what a register holds is surely nil: whoever has another one was refused just before.
    pub(super) fn is_surely_nil(&self, entity: Reg, prop: PropId) -> bool {
        for pc in (0..self.pc).rev() {
            let here = pc + 1;
            if self.labels.contains_key(&(here as u32)) {
                let mut ways = (0..self.code.len()).filter(|&from| self.code[from].target() == Some(here as u32));
                let (Some(from), None) = (ways.next(), ways.next()) else { return false };
                let asked = match (from.checked_sub(1).map(|before| self.code[before]), self.code[from]) {
                    (Some(Op::GetProp { dst, entity: of, prop: read }), Op::JumpNil { src, .. }) => {
                        dst == src && dst != entity && (of, read) == (entity, prop)
                    }
                    _ => false,
                };
                return asked && !self.code[pc].falls_through() && !self.labels.contains_key(&(from as u32));
            }
            let op = &self.code[pc];
            if !is_harmless(op) || facts::operands(op, &self.program.pools).dst == Some(entity) {
                return false;
            }
        }
        false
    }
}

/// Whether an instruction writes a register and nothing else.
fn is_harmless(op: &Op) -> bool {
    matches!(op, Op::Const { .. } | Op::Move { .. } | Op::Player { .. } | Op::Opponent { .. })
}
