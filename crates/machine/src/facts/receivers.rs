//! Which things a function is asked of: whoever is sure to be a cell need not be looked at before its mark is read.

use super::operands;
use crate::code::{FuncId, Op};
use crate::program::{Handler, Program, Woven};
use crate::world::{EntityId, KindId};

/// For each function the row of things among which its receiver is, from one on to before another. None where it may be
/// anything, or where the function puts something else in the receiver's place.
///
/// `firsts` says which functions are compiled once for several: these have the receivers of all.
pub fn of(program: &Program, firsts: &[usize]) -> Vec<Option<(EntityId, EntityId)>> {
    let mut rows: Vec<Row> = vec![Row::Nobody; program.functions.len()];
    // A thing that is made in play stands in no row.
    if program.layout.made_stride > 1 {
        return vec![None; rows.len()];
    }
    for kinds in &program.handlers {
        for (kind, handler) in kinds.iter().enumerate() {
            let row = row(program, kind as KindId);
            let mut asked = |woven: &Woven| {
                let split = woven.split.as_ref();
                let parts = split.map(|split| [split.once, split.own, split.each, Some(split.rest), split.test]);
                let parts = parts.into_iter().flatten().chain([Some(woven.full), Some(woven.test), woven.keep]);
                for func in parts.flatten() {
                    let known = &mut rows[firsts[func as usize]];
                    *known = known.with(row);
                }
            };
            match handler {
                Handler::None => {}
                Handler::Single(woven) => asked(woven),
                Handler::ByState(states) => states.iter().flatten().for_each(asked),
            }
        }
    }
    // Whoever calls a function by its name may call it of anything.
    for op in program.functions.iter().flat_map(|function| &function.code) {
        if let Op::Call { func, .. } = *op {
            rows[firsts[func as usize]] = Row::Anybody;
        }
    }
    let keeps = |func: FuncId| {
        let code = &program.functions[func as usize].code;
        !code.iter().any(|op| operands(op, &program.pools).dst == Some(0))
    };
    let known = |(func, row): (usize, Row)| match row {
        Row::Among(from, to) if keeps(func as FuncId) => Some((from, to)),
        _ => None,
    };
    rows.into_iter().enumerate().map(known).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Row {
    Nobody,
    Among(EntityId, EntityId),
    Anybody,
}

impl Row {
    fn with(self, other: Row) -> Row {
        match (self, other) {
            (Row::Nobody, row) | (row, Row::Nobody) => row,
            (one, other) if one == other => one,
            _ => Row::Anybody,
        }
    }
}

/// The things of a kind, if they stand side by side.
fn row(program: &Program, kind: KindId) -> Row {
    let things = &program.world.entities;
    let is_one = |thing: &EntityId| things[*thing as usize].kind == kind;
    let mut all = (0..things.len() as EntityId).filter(is_one);
    let Some(first) = all.next() else { return Row::Nobody };
    let n = 1 + all.count() as EntityId;
    match (first..first + n).all(|thing| is_one(&thing)) {
        true => Row::Among(first, first + n),
        false => Row::Anybody,
    }
}
