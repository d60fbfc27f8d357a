//! Lists that are the same in every position, ready to be laid into its heap: places around a place, directions.

use crate::code::{Op, Pools, Reg, Ways};
use crate::facts;
use crate::program::Program;
use crate::value::Value;
use crate::world::{DirId, EntityId, KindId, NOBODY};
use std::collections::BTreeMap;

/// Lists by number, each as its length and its members. The addresses are part of the code.
#[derive(Default)]
pub(crate) struct Laid {
    /// The lists themselves.
    lists: Vec<Box<[u64]>>,
    /// For each kind the list of its things at the start.
    pub all: Vec<u64>,
    /// For each set of directions and place the list of the places around it.
    pub around: Vec<Box<[u64]>>,
    /// The same for relative sets: for each seat the address of a table by place.
    pub relative_around: Vec<Box<[u64]>>,
    /// For each relative set and seat the number of directions and the tables of their steps.
    pub relative_ways: Vec<Box<[u64]>>,
    /// The same for each relative direction.
    pub relative_way: Vec<Box<[u64]>>,
    /// For each `(directions …)` and seat the list of directions.
    pub directions: Vec<Box<[u64]>>,
    /// The same as that list, the number of directions and the tables of their steps.
    pub routes: Vec<Box<[u64]>>,
    /// For each two places of the only board the direction from one to the other, or nil; empty if nobody asks.
    pub toward: Box<[u64]>,
    /// For leaps so far across and up, or up and across, the list of the places around each place.
    pub leaps: BTreeMap<(i64, i64), Box<[u64]>>,
    /// For each kind: whether a thing of the start is of it.
    pub members: Vec<Box<[u8]>>,
    /// For each kind: whether another kind is the same or descends from it.
    pub kinds: Vec<Box<[u8]>>,
    /// The addresses of these.
    pub by_kind: Box<[u64]>,
    tables: Vec<Box<[u64]>>,
}

impl Laid {
    pub fn of(program: &Program, ways: &[u64]) -> Laid {
        let mut laid = Laid::default();
        let (world, n_seats) = (&program.world, program.world.n_seats);
        let places = 0..world.entities.len() as EntityId;
        for set in 0..program.sets.len() as u16 {
            let around = |place: EntityId| program.ahead.around(set, place).iter().map(|&place| Value::entity(place));
            let table = places.clone().map(|place| laid.lay(around(place))).collect();
            laid.around.push(table);
        }
        for turns in &program.relative_sets {
            let (mut tables, mut all_ways) = (Vec::new(), Vec::new());
            for seat in 0..n_seats {
                let found = turned(program, seat, turns);
                let steps = |place: EntityId| {
                    let steps = found.iter().flat_map(move |&way| world.directions.steps(way, place));
                    steps.map(|&place| Value::entity(place))
                };
                let table: Box<[u64]> = places.clone().map(|place| laid.lay(steps(place))).collect();
                tables.push(laid.keep(table));
                all_ways.push(laid.lay(found.iter().map(|&way| Value(ways[way as usize]))));
            }
            laid.relative_around.push(tables.into());
            laid.relative_ways.push(all_ways.into());
        }
        for turn in 0..crate::world::RELATIVE.len() {
            let of_seat = |laid: &mut Laid, seat: u32| {
                laid.lay(turned(program, seat, &[turn]).into_iter().map(|way| Value(ways[way as usize])))
            };
            let by_seat: Vec<u64> = (0..n_seats).map(|seat| of_seat(&mut laid, seat)).collect();
            laid.relative_way.push(by_seat.into());
        }
        for listed in &program.pools.directions {
            let by_seat = (0..n_seats).map(|seat| laid.lay(directions(program, seat, listed).map(Value::direction)));
            let by_seat = by_seat.collect::<Vec<u64>>();
            laid.directions.push(by_seat.into());
            let route = |laid: &mut Laid, seat: u32| {
                let found: Vec<DirId> = directions(program, seat, listed).collect();
                let list = laid.directions.last().expect("just pushed")[seat as usize];
                let tables = found.iter().map(|&way| ways[way as usize]);
                laid.keep([list, found.len() as u64].into_iter().chain(tables).collect())
            };
            let by_seat: Vec<u64> = (0..n_seats).map(|seat| route(&mut laid, seat)).collect();
            laid.routes.push(by_seat.into());
        }
        laid.toward = toward(program);
        for function in &program.functions {
            for (pc, op) in function.code.iter().enumerate() {
                if let Op::Leap { a, b, .. } = *op
                    && let Some(far) = leap(&function.code[..pc], &program.pools, (a, b))
                    && !laid.leaps.contains_key(&far)
                {
                    let around = |place: EntityId| leaps(program, far, place).map(Value::entity);
                    let table = places.clone().map(|place| laid.lay(around(place))).collect();
                    laid.leaps.insert(far, table);
                }
            }
        }
        for kind in 0..world.kinds.len() {
            let all = laid.lay(program.extents[kind].things.iter().map(|&thing| Value::entity(thing)));
            laid.all.push(all);
            laid.members.push(program.kinds.iter().map(|&of| u8::from(program.is_a[of as usize][kind])).collect());
            laid.kinds.push(program.is_a.iter().map(|of| u8::from(of[kind])).collect());
        }
        laid.by_kind = laid.kinds.iter().map(|table| table.as_ptr() as u64).collect();
        laid
    }

    fn lay(&mut self, members: impl Iterator<Item = Value>) -> u64 {
        let mut list = vec![0];
        list.extend(members.map(|member| member.0));
        list[0] = list.len() as u64 - 1;
        self.lists.push(list.into());
        self.lists.last().expect("just pushed").as_ptr() as u64
    }

    fn keep(&mut self, table: Box<[u64]>) -> u64 {
        self.tables.push(table);
        self.tables.last().expect("just pushed").as_ptr() as u64
    }

    /// Whether the things of a kind at the start are numbered without a gap: the first, and the one behind the last.
    pub fn range(program: &Program, kind: KindId) -> (EntityId, EntityId, bool) {
        let things = &program.extents[kind as usize].things;
        match (things.first(), things.last()) {
            (Some(&first), Some(&last)) => (first, last + 1, (last - first + 1) as usize == things.len()),
            _ => (0, 0, true),
        }
    }
}

/// How far a leap leads, as far as the code before it says. Code that leads here from elsewhere may say otherwise.
pub(super) fn leap(before: &[Op], pools: &Pools, (a, b): (Reg, Reg)) -> Option<(i64, i64)> {
    let known = |reg: Reg| match before.iter().rev().find(|op| facts::operands(op, pools).dst == Some(reg))? {
        Op::Const { value, .. } => value.as_whole(),
        _ => None,
    };
    Some((known(a)?, known(b)?))
}

/// The places that a leap leads to from a place of the only board.
pub(super) fn leaps(program: &Program, (a, b): (i64, i64), from: EntityId) -> impl Iterator<Item = EntityId> {
    let far = |number: i64| number.clamp(0, 1000) as i32;
    let board = program.world.entities[from as usize].board;
    let leaps = board.filter(|_| program.world.boards.len() == 1).map(|_| crate::world::leaps(far(a), far(b)));
    let thing = &program.world.entities[from as usize];
    let lead = move |(across, up)| crate::vm::place_on(program, 0, thing.column + across, thing.row + up);
    leaps.into_iter().flatten().filter_map(lead)
}

/// Larger boards have no such table.
const MOST_PLACES: u32 = 128;

fn toward(program: &Program) -> Box<[u64]> {
    let asked = |op: &Op| matches!(op, Op::Toward { .. });
    let [board] = program.world.boards.as_slice() else { return Box::default() };
    if board.n > MOST_PLACES || !program.functions.iter().any(|function| function.code.iter().any(asked)) {
        return Box::default();
    }
    let (first, n) = (board.first, board.n as usize);
    let mut table = vec![Value::NIL.0; n * n];
    for from in 0..n {
        for &way in &board.compass {
            let mut place = program.ahead.step(way, first + from as EntityId);
            // Longer than the board is large it leads round.
            for _ in 0..n {
                if place == NOBODY || place == first + from as EntityId {
                    break;
                }
                let entry = &mut table[from * n + (place - first) as usize];
                if *entry == Value::NIL.0 {
                    *entry = Value::direction(way).0;
                }
                place = program.ahead.step(way, place);
            }
        }
    }
    table.into()
}

/// What relative directions are for a seat, on the first board.
pub(super) fn turned(program: &Program, seat: u32, turns: &[usize]) -> Vec<DirId> {
    let Some(board) = program.world.boards.first() else { return Vec::new() };
    turns.iter().filter_map(|&turn| program.world.directions.turned(board, 0, seat as usize, turn)).collect()
}

pub(crate) fn directions(program: &Program, seat: u32, listed: &[Ways]) -> impl Iterator<Item = DirId> {
    let mut found = Vec::new();
    for ways in listed {
        match ways {
            Ways::Direction(way) => found.push(*way),
            Ways::Set(set) => found.extend(program.sets[*set as usize].first().into_iter().flatten()),
            Ways::Relative(turn) => found.extend(turned(program, seat, &[usize::from(*turn)])),
            Ways::RelativeSet(set) => found.extend(turned(program, seat, &program.relative_sets[*set as usize])),
            Ways::Value(_) => {}
        }
    }
    found.into_iter()
}
