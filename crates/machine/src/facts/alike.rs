//! Functions that are the same in all but their number: a rule that is the same for many kinds is compiled once.

use crate::code::*;
use crate::program::Program;

/// For each function the first that is just like it, among those chosen.
pub fn firsts(program: &Program, chosen: &[bool]) -> Vec<usize> {
    let mut firsts: Vec<usize> = (0..chosen.len()).collect();
    for at in (0..chosen.len()).filter(|&at| chosen[at]) {
        let earlier = (0..at).filter(|&other| chosen[other] && firsts[other] == other);
        if let Some(first) = earlier.into_iter().find(|&other| alike(program, at, other)) {
            firsts[at] = first;
        }
    }
    firsts
}

fn alike(program: &Program, one: usize, other: usize) -> bool {
    let (one, other) = (&program.functions[one], &program.functions[other]);
    one.n_args == other.n_args
        && one.n_regs == other.n_regs
        && one.code.len() == other.code.len()
        && one.code.iter().zip(&other.code).all(|(one, other)| same(&program.pools, one, other))
}

/// Whether two instructions do the same; their odd-sized operands may lie at different places.
fn same(pools: &Pools, one: &Op, other: &Op) -> bool {
    match (*one, *other) {
        (Op::Look { dst, look }, Op::Look { dst: to, look: with }) => {
            dst == to && pools.looks[look as usize] == pools.looks[with as usize]
        }
        (Op::Walk { dst, walk }, Op::Walk { dst: to, walk: with }) => {
            dst == to && pools.walks[walk as usize] == pools.walks[with as usize]
        }
        (Op::Line { dst, line }, Op::Line { dst: to, line: with }) => {
            dst == to && pools.lines[line as usize] == pools.lines[with as usize]
        }
        (Op::Group { dst, group }, Op::Group { dst: to, group: with }) => {
            dst == to && pools.groups[group as usize] == pools.groups[with as usize]
        }
        (Op::Distance { dst, distance }, Op::Distance { dst: to, distance: with }) => {
            dst == to && pools.distances[distance as usize] == pools.distances[with as usize]
        }
        (Op::DirectionList { dst, directions }, Op::DirectionList { dst: to, directions: with }) => {
            dst == to && pools.directions[directions as usize] == pools.directions[with as usize]
        }
        (Op::PlaceAt { dst, place }, Op::PlaceAt { dst: to, place: with }) => {
            dst == to && pools.places[place as usize] == pools.places[with as usize]
        }
        (Op::Send { dst, send }, Op::Send { dst: to, send: with }) => {
            dst == to && pools.sends[send as usize] == pools.sends[with as usize]
        }
        (Op::New { dst, new }, Op::New { dst: to, new: with }) => {
            dst == to && pools.news[new as usize] == pools.news[with as usize]
        }
        (Op::Choices { dst, choices }, Op::Choices { dst: to, choices: with }) => {
            dst == to && pools.choices[choices as usize] == pools.choices[with as usize]
        }
        (one, other) => one == other,
    }
}
