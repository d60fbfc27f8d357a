//! Whom it is not worth asking for the values of an attribute: told from bits for the places of a small board.
//!
//! Who walks finds nothing if no place beside its own is as the walk wants it. Which places are empty and on which
//! something of a player lies is kept as bits, so that all of them are asked at once: a step in a direction is a shift.
//! Whoever is left is still asked in full.

use super::laid;
use super::operands;
use crate::code::*;
use crate::layout;
use crate::program::Program;
use crate::value::Value;
use crate::vm::Machine;
use crate::world::{BoardInfo, DirId, EntityId, NOBODY};
use std::mem::offset_of;

/// How the places of the only board are kept as bits, and what walks of each action want of them.
#[derive(Debug)]
pub(crate) struct Sieve {
    first: EntityId,
    n: u32,
    /// Where it is kept what lies on the first place.
    tops: u32,
    /// For each slot of the start the place whose bits it changes, `OWNER` where it is kept whose a thing is.
    places: Vec<u8>,
    /// For each action one of these must be found; empty where nothing is known.
    wants: Vec<Vec<Want>>,
}

/// Boards with more directions are walked on place by place.
const MOST_WAYS: usize = 16;
/// Where the code that lists finds out what a walk finds.
pub(super) const HITS: usize = offset_of!(Machine, sifted) + offset_of!(Sifted, hits);

const OWNER: u8 = 64;
const NONE: u8 = 65;

/// What a walk has to find in one of some directions.
#[derive(Clone, Debug)]
struct Want {
    near: Found,
    /// On the place behind that.
    behind: Found,
    /// Nothing else matters.
    exactly: bool,
    arms: Vec<Arm>,
}

/// A direction on the board.
#[derive(Clone, Copy, Debug)]
struct Arm {
    way: DirId,
    /// How far all bits turn when each goes from a place to the one before it.
    turn: u32,
    /// The places that have a next one.
    from: u64,
}

impl Arm {
    /// The places from which a step leads to one of these.
    #[inline]
    fn before(self, places: u64) -> u64 {
        places.rotate_right(self.turn) & self.from
    }
}

/// What lies on a place.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Found {
    Anything,
    Nothing,
    Something,
    OfOpponent,
}

/// Bits for the places of a board, as they were when the journal was so long.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sifted {
    filled: u64,
    /// Those on which something of a seat lies on top.
    of: [u64; 2],
    /// For each direction the places from which the walk last asked for finds something in it.
    hits: [u64; MOST_WAYS],
    synced: usize,
    known: bool,
}

impl Sifted {
    /// Changes are taken back as far as this.
    #[inline]
    pub fn cut(&mut self, journal: usize) {
        self.known &= self.synced <= journal;
    }

    /// The journal begins anew.
    #[inline]
    pub fn forget(&mut self, journal: usize) {
        self.known &= self.synced == journal;
        self.synced = 0;
    }
}

impl Sieve {
    /// None for games of other than two players, or with other than one small board; `listed` has for each action the
    /// functions that list it.
    pub fn of(program: &Program, listed: &[Vec<FuncId>]) -> Option<Sieve> {
        let [board] = program.world.boards.as_slice() else { return None };
        let (first, end, base) = program.layout.column(layout::TOP);
        if board.n > 64 || program.world.n_seats != 2 || first > board.first || end < board.first + board.n {
            return None;
        }
        let wants = |funcs: &Vec<FuncId>| {
            let wants = funcs.iter().map(|&func| want(program, board, func, 0)).collect::<Option<Vec<_>>>();
            wants.unwrap_or_default()
        };
        let wants: Vec<Vec<Want>> = listed.iter().map(wants).collect();
        if wants.iter().all(Vec::is_empty) {
            return None;
        }
        let tops = base + board.first - first;
        let mut places = vec![NONE; program.layout.made_base as usize];
        let (first, end, base) = program.layout.column(layout::OWNER);
        places[base as usize..(base + end - first) as usize].fill(OWNER);
        (0..board.n).for_each(|at| places[(tops + at) as usize] = at as u8);
        Some(Sieve { first: board.first, n: board.n, tops, places, wants })
    }

    /// Whether the bits say all that the walk of an action finds.
    pub fn is_exact(&self, action: usize) -> bool {
        matches!(self.wants[action].as_slice(), [want] if want.exactly)
    }

    /// The board, if something is known of an action: its first place, and how many there are.
    pub fn places(&self, action: usize) -> Option<(EntityId, u32)> {
        (!self.wants[action].is_empty()).then_some((self.first, self.n))
    }
}

/// What a function that gives what a walk finds wants at least; none if it may give something else.
fn want(program: &Program, board: &BoardInfo, func: FuncId, deep: u32) -> Option<Want> {
    let (function, pools) = (&program.functions[func as usize], &program.pools);
    let code = &function.code;
    // Nothing here can be at fault, so nobody misses what is not asked.
    let plain = |op: &Op| {
        matches!(
            op,
            Op::Call { first: 0, n: 1, .. }
                | Op::DirectionList { .. }
                | Op::GetProp { entity: 0, .. }
                | Op::Const { .. }
                | Op::Jump { .. }
                | Op::Walk { .. }
                | Op::Return { .. }
        )
    };
    let written = |reg: Reg| {
        let mut ops = code.iter().filter(move |op| operands::of(op, pools).dst == Some(reg));
        let op = ops.next()?;
        (ops.next().is_none() && reg >= function.n_args).then_some(op)
    };
    let mut returned = code.iter().filter_map(|op| match op {
        Op::Return { src } => Some(*src),
        _ => None,
    });
    let (src, None) = (returned.next()?, returned.next()) else { return None };
    let walk = match *written(src)? {
        Op::Call { func, first: 0, n: 1, .. } if deep < 4 && code.len() == 2 => {
            return want(program, board, func, deep + 1);
        }
        Op::Walk { walk, .. } => &pools.walks[walk as usize],
        _ => return None,
    };
    let Op::GetProp { entity: 0, prop: layout::PLACE, .. } = written(walk.from)? else { return None };
    let (near, until) = (found(code, walk.while_)?, walk.until.map(|until| found(code, until)));
    let condition = |pc: usize| {
        let Test::Code(block) = walk.while_ else { return false };
        (block.start as usize..block.start as usize + CONDITION).contains(&pc)
    };
    let overwritten = code.iter().any(|op| operands::of(op, pools).dst == Some(0));
    if overwritten
        || walk.then.is_some()
        || until == Some(None)
        || matches!(walk.until, Some(Test::Code(_)))
        || !code.iter().enumerate().all(|(pc, op)| plain(op) || condition(pc))
    {
        return None;
    }
    let once = |most: Reg| matches!(written(most), Some(Op::Const { value, .. }) if *value == Value::small(1));
    // Who goes on looks for the end of the walk further away.
    let once = walk.most.is_some_and(once);
    let behind = until.flatten().filter(|_| once).unwrap_or(Found::Anything);
    let mut ways = match &walk.ways {
        Ways::Value(reg) => match *written(*reg)? {
            Op::Call { func, .. } => given(program, func)?,
            Op::DirectionList { directions, .. } => listed(program, directions)?,
            _ => return None,
        },
        ways => all_seats(program, std::slice::from_ref(ways)),
    };
    ways.sort_unstable();
    ways.dedup();
    let exactly = once && ways.iter().all(|&way| usize::from(way) < MOST_WAYS);
    let arms = ways.into_iter().map(|way| arm(program, board, way)).collect::<Option<_>>()?;
    Some(Want { near, behind, exactly, arms })
}

/// How long the only condition is that is known although it is code: that something of the opponent lies there.
const CONDITION: usize = 5;

/// What a walk wants of a place, if that is known.
fn found(code: &[Op], test: Test) -> Option<Found> {
    match test {
        Test::Empty | Test::Nil(layout::TOP) => Some(Found::Nothing),
        Test::Occupied | Test::Some(layout::TOP) => Some(Found::Something),
        Test::Code(block) => match code.get(block.start as usize..block.start as usize + CONDITION) {
            Some(
                &[
                    Op::GetField { dst: top, entity, field: Field::Top },
                    Op::GetProp { dst: owner, entity: of, prop: layout::OWNER },
                    Op::Opponent { dst: opponent },
                    Op::Eq { dst: same, a, b },
                    Op::BlockEnd { src },
                ],
            ) if entity == block.it && of == top && (a, b) == (owner, opponent) && src == same && owner != opponent => {
                Some(Found::OfOpponent)
            }
            _ => None,
        },
        _ => None,
    }
}

/// All directions that a function may give which chooses among some that are written out.
fn given(program: &Program, func: FuncId) -> Option<Vec<DirId>> {
    let mut ways = Vec::new();
    let code = &program.functions[func as usize].code;
    for op in code {
        match op {
            Op::DirectionList { directions, .. } => ways.extend(listed(program, *directions)?),
            Op::Return { src } => {
                let other = |op: &Op| {
                    operands::of(op, &program.pools).dst == Some(*src) && !matches!(op, Op::DirectionList { .. })
                };
                if *src < program.functions[func as usize].n_args || code.iter().any(other) {
                    return None;
                }
            }
            Op::GetState { entity: 0, .. }
            | Op::GetProp { entity: 0, .. }
            | Op::GetSlot { .. }
            | Op::Const { .. }
            | Op::Jump { .. }
            | Op::JumpNil { .. }
            | Op::JumpSome { .. }
            | Op::JumpEq { .. }
            | Op::JumpNe { .. }
            | Op::Player { .. }
            | Op::Opponent { .. } => {}
            _ => return None,
        }
    }
    (!ways.is_empty()).then_some(ways)
}

fn listed(program: &Program, directions: u32) -> Option<Vec<DirId>> {
    let listed = &program.pools.directions[directions as usize];
    let computed = listed.iter().any(|ways| matches!(ways, Ways::Value(_)));
    (!computed).then(|| all_seats(program, listed))
}

fn all_seats(program: &Program, ways: &[Ways]) -> Vec<DirId> {
    (0..program.world.n_seats).flat_map(|seat| laid::directions(program, seat, ways)).collect()
}

/// None if a step does not always lead equally far.
fn arm(program: &Program, board: &BoardInfo, way: DirId) -> Option<Arm> {
    let (mut offset, mut from) = (None, 0);
    let outside = |thing: &EntityId| !(board.first..board.first + board.n).contains(thing);
    let mut others = (0..program.world.entities.len() as EntityId).filter(outside);
    // Whoever stands elsewhere finds nothing either.
    if others.any(|thing| program.ahead.step(way, thing) != NOBODY) {
        return None;
    }
    for at in 0..board.n {
        let next = program.ahead.step(way, board.first + at);
        if next == NOBODY {
            continue;
        }
        let step = next.checked_sub(board.first).filter(|&next| next < board.n)? as i32 - at as i32;
        if *offset.get_or_insert(step) != step {
            return None;
        }
        from |= 1 << at;
    }
    Some(Arm { way, turn: offset.unwrap_or(0).rem_euclid(64) as u32, from })
}

impl Machine {
    /// The places from which a walk of an action can find something at all; none if that is not known here although the
    /// code counts on it.
    #[inline]
    pub(super) fn worth_asking(
        &mut self,
        program: &Program,
        sieve: &Sieve,
        action: usize,
        player: EntityId,
    ) -> Option<u64> {
        let wants = &sieve.wants[action];
        if wants.is_empty() || self.mem.slots[layout::IN_PLAY as usize] != 2 {
            return (!sieve.is_exact(action)).then_some(u64::MAX);
        }
        self.sift(program, sieve);
        let Sifted { filled, of, .. } = self.sifted;
        // Players have the numbers 1 and 2.
        let bits = |found: Found| match found {
            Found::Anything => u64::MAX,
            Found::Nothing => !filled,
            Found::Something => filled,
            Found::OfOpponent => of[usize::from(player == 1)],
        };
        let mut worth = 0;
        for want in wants {
            let (near, behind) = (bits(want.near), bits(want.behind));
            for arm in &want.arms {
                let hits = match want.behind {
                    Found::Anything => arm.before(near),
                    _ => arm.before(near & arm.before(behind)),
                };
                worth |= hits;
                if want.exactly {
                    self.sifted.hits[usize::from(arm.way)] = hits;
                }
            }
        }
        Some(worth)
    }

    /// The bits learn what has changed, if they knew what was before.
    pub(crate) fn sync_sieve(&mut self, program: &Program) {
        if self.sifted.known
            && let Some(sieve) = program.native().and_then(|native| native.tables.sieve.as_ref())
        {
            self.sift(program, sieve);
        }
    }

    /// Brings the bits up to date.
    #[inline]
    fn sift(&mut self, program: &Program, sieve: &Sieve) {
        let n = self.mem.journal.len();
        if !self.sifted.known {
            (0..sieve.n).for_each(|at| self.sift_place(program, sieve, at));
        } else {
            for at in self.sifted.synced..n {
                let slot = self.mem.journal[at].slot;
                match sieve.places.get(slot as usize) {
                    Some(&NONE) => {}
                    Some(&at) if at < OWNER => self.sift_place(program, sieve, u32::from(at)),
                    _ => self.sift_owner(program, sieve, slot as u32),
                }
            }
        }
        (self.sifted.synced, self.sifted.known) = (n, true);
    }

    /// A thing may have another owner: what is known of its place may be another.
    fn sift_owner(&mut self, program: &Program, sieve: &Sieve, slot: u32) {
        let layout = &program.layout;
        let thing = match slot < layout.made_base {
            true => {
                let (first, _, base) = layout.column(layout::OWNER);
                first + (slot - base)
            }
            false => layout.first_made + (slot - layout.made_base) / layout.made_stride,
        };
        if let Some(place) = self.prop(program, layout::PLACE, thing).as_entity()
            && (sieve.first..sieve.first + sieve.n).contains(&place)
        {
            self.sift_place(program, sieve, place - sieve.first);
        }
    }

    fn sift_place(&mut self, program: &Program, sieve: &Sieve, at: u32) {
        let top = Value(self.mem.slots[(sieve.tops + at) as usize]);
        let owner = top.as_entity().map_or(Value::NIL, |top| self.prop(program, layout::OWNER, top));
        let put = |bits: u64, set: bool| bits & !(1 << at) | u64::from(set) << at;
        let Sifted { filled, of: [one, other], .. } = self.sifted;
        self.sifted.filled = put(filled, !top.is_nil());
        self.sifted.of = [put(one, owner == Value::entity(1)), put(other, owner == Value::entity(2))];
    }
}
