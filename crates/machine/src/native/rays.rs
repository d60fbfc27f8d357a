//! Walks on a small board as sets of bits: which places lie in a direction never changes, and who has which places is
//! known as sets, so the first place that stops a walk is the lowest or the highest bit of what is left of a direction.

use super::emit::{Emit, Word};
use super::helpers;
use super::windows::SETS;
use crate::code::*;
use crate::marks::Marked;
use crate::program::Program;
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::Machine;
use crate::world::{DirId, EntityId, NOBODY};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as Label, BlockArg, InstBuilder};
use std::collections::BTreeMap;

/// The directions of the walks of a program, by what is written there.
pub(crate) struct Rays {
    marked: Marked,
    by_set: BTreeMap<u16, Box<Fan>>,
    by_way: BTreeMap<DirId, Box<Fan>>,
}

/// What lies in some directions from each place.
pub(super) struct Fan {
    /// For each direction whether the numbers of places go up.
    up: Box<[bool]>,
    /// For each place and direction the places there.
    rays: Box<[u64]>,
    /// The first place of the board.
    first: EntityId,
}

impl Rays {
    /// None where nothing is known as sets.
    pub fn of(program: &Program) -> Option<Rays> {
        let marked = program.marked.filter(|_| program.may(Shortcut::Rays))?;
        let mut rays = Rays { marked, by_set: BTreeMap::new(), by_way: BTreeMap::new() };
        for walk in program.pools.walks.iter().filter(|walk| marked.tells(walk)) {
            match walk.ways {
                Ways::Set(set) => {
                    let ways = program.sets[set as usize].first().map_or(&[][..], Vec::as_slice);
                    if let Some(fan) = Fan::of(program, marked, ways) {
                        rays.by_set.insert(set, Box::new(fan));
                    }
                }
                Ways::Direction(way) => {
                    if let Some(fan) = Fan::of(program, marked, &[way]) {
                        rays.by_way.insert(way, Box::new(fan));
                    }
                }
                _ => {}
            }
        }
        Some(rays)
    }

    fn fan(&self, walk: &Walk) -> Option<&Fan> {
        let fan = match walk.ways {
            Ways::Set(set) => self.by_set.get(&set),
            Ways::Direction(way) => self.by_way.get(&way),
            _ => None,
        };
        fan.map(|fan| &**fan).filter(|_| self.marked.tells(walk))
    }
}

impl Fan {
    /// None where a direction leads up in one place and down in another, or off the board to others.
    fn of(program: &Program, marked: Marked, ways: &[DirId]) -> Option<Fan> {
        let places = marked.first..marked.first + marked.n;
        let mut fan = Fan { up: Box::default(), rays: Box::default(), first: marked.first };
        let (mut up, mut rays) = (vec![None; ways.len()], Vec::new());
        for from in places.clone() {
            for (at, &way) in ways.iter().enumerate() {
                let (mut place, mut ray) = (from, 0);
                loop {
                    let next = program.world.directions.step(way, place);
                    if next == NOBODY {
                        break;
                    }
                    let goes_up = next > place;
                    if next == place || !places.contains(&next) || *up[at].get_or_insert(goes_up) != goes_up {
                        return None;
                    }
                    ray |= 1 << (next - marked.first);
                    place = next;
                }
                rays.push(ray);
            }
        }
        fan.up = up.into_iter().map(|up| up.unwrap_or(true)).collect();
        fan.rays = rays.into();
        Some(fan)
    }

    /// What lies in each direction from a place.
    #[inline(always)]
    fn from(&self, place: u64) -> &[u64] {
        let n = self.up.len();
        &self.rays[n * place as usize..][..n]
    }
}

/// What a walk takes in a direction where the numbers go up or down: the places before the one that stops it, if that is
/// one it `waits` for; otherwise that one too, if it is among the last ones.
#[inline(always)]
fn taken(ray: u64, up: bool, on: u64, last: u64, waits: bool) -> u64 {
    let stops = ray & !on;
    // Beyond the edge lies nothing that a walk could be waiting for.
    let (first, before) = match up {
        true => {
            let first = stops & stops.wrapping_neg();
            (first, first.wrapping_sub(1))
        }
        false if stops == 0 => (0, u64::MAX),
        false => {
            let first = 1 << (63 - stops.leading_zeros());
            (first, !(first | (first - 1)))
        }
    };
    let ends = first & last;
    match waits {
        true if ends == 0 => 0,
        true => ray & before,
        false => ray & before | ends,
    }
}

/// Whether a walk finds anything.
extern "C" fn finds(fan: &Fan, place: u64, on: u64, last: u64, waits: u64) -> u64 {
    let rays = fan.from(place);
    let mut all = 0;
    for (&ray, &up) in rays.iter().zip(&fan.up) {
        all |= taken(ray, up, on, last, waits != 0);
    }
    u64::from(all != 0)
}

/// What a walk finds, as a list.
extern "C" fn walked(
    machine: &mut Machine,
    program: &Program,
    at: u64,
    fan: &Fan,
    place: u64,
    on: u64,
    last: u64,
    waits: u64,
) -> u64 {
    let from = machine.mem.heap.len();
    let rays = fan.from(place);
    for (&ray, &up) in rays.iter().zip(&fan.up) {
        let mut taken = taken(ray, up, on, last, waits != 0);
        if taken != 0 && machine.mem.heap.len() == from {
            machine.mem.begin();
        }
        while taken != 0 {
            let next = if up { taken.trailing_zeros() } else { 63 - taken.leading_zeros() };
            machine.mem.heap.push(Value::entity(fan.first + next).0);
            taken &= !(1 << next);
        }
    }
    let n = machine.mem.heap.len() - from;
    if n == 0 {
        return Value::list(crate::vm::EMPTY).0;
    }
    let list = machine.mem.end(from as u32);
    let result = machine.spend(n as u64).and_then(|()| machine.check_memory());
    helpers::finish(machine, program, at, result.map(|()| list))
}

impl Emit<'_, '_> {
    /// A walk that is told by sets: what it finds as a list, or only whether there is anything. False where it has to be
    /// walked.
    pub(super) fn walk_by_rays(&mut self, dst: Reg, walk: &Walk, only_asked: bool) -> bool {
        let tables = self.tables;
        let Some(rays) = &tables.rays else { return false };
        let Some(fan) = rays.fan(walk) else { return false };
        self.program.permits.write(Shortcut::Rays);
        self.program.permits.write(Shortcut::Marks);
        let (odd, out) = (self.cold(), self.b.create_block());
        let result = self.b.append_block_param(out, I64);
        let from = self.get(walk.from);
        let on_board = self.is_among(from, rays.marked.first, rays.marked.first + rays.marked.n);
        self.or_else(on_board, odd);
        self.catch_up_marks(rays.marked);
        let on = self.set_of(walk.while_, odd);
        let last = match walk.until.or(walk.then) {
            Some(test) => self.set_of(test, odd),
            None => self.constant(0),
        };
        let place = self.behind(from, rays.marked.first);
        let (table, waits) = (self.constant(fan as *const Fan as u64), self.constant(walk.until.is_some().into()));
        let args = [table, place, on, last, waits];
        let value = match only_asked {
            true => self.helper(finds as *const () as usize, &args, false),
            false => self.helper_here(walked as *const () as usize, &args),
        };
        self.b.ins().jump(out, &[BlockArg::Value(value)]);
        self.at(odd);
        let mut value = self.calling_walk(dst);
        if only_asked {
            let list = self.list_address(value);
            let n = self.load(list, 0);
            let some = self.b.ins().icmp_imm_u(IntCC::NotEqual, n, 0);
            value = self.truth(some);
        }
        self.b.ins().jump(out, &[BlockArg::Value(value)]);
        self.at(out);
        self.set(dst, result);
        true
    }

    /// Whether a walk, or a define that does nothing but walk, finds anything, where it is asked for no more than that;
    /// writes the instructions up to the question. False where no such row begins.
    pub(super) fn finds_by_rays(&mut self, op: &Op) -> bool {
        let tables = self.tables;
        let Some(rays) = &tables.rays else { return false };
        let (Op::Call { dst: list, .. } | Op::Walk { dst: list, .. }) = *op else { return false };
        let (Some(&Op::Members { dst: members, src }), Some(&Op::Look { dst, look })) =
            (self.code.get(self.pc + 1), self.code.get(self.pc + 2))
        else {
            return false;
        };
        let look = &self.program.pools.looks[look as usize];
        let any = look.quantifier == Quantifier::Any && (look.test, look.measure) == (Test::Always, Measure::Itself);
        let (begin, end) = (self.pc, self.pc + 2);
        let apart = self.labels.contains_key(&(begin as u32 + 1)) || self.labels.contains_key(&(end as u32));
        if !any || look.domain != Domain::Reg(members) || src != list || apart {
            return false;
        }
        self.pc = end;
        let unread = |reg: Reg| reg == dst || self.is_dead(reg, vec![end + 1]);
        let only_asked = self.only_asked(dst) && unread(list) && unread(members);
        self.pc = begin;
        let written = only_asked
            && match *op {
                Op::Walk { walk, .. } => self.walk_by_rays(list, &self.program.pools.walks[walk as usize], true),
                Op::Call { func, first, n, .. } if self.walks_alone(rays, func) => {
                    let args: Vec<Word> = (first..first + n).map(|reg| self.get(reg)).collect();
                    self.finding = true;
                    let value = self.inline(func, &args);
                    self.finding = false;
                    self.set(list, value);
                    true
                }
                _ => false,
            };
        if written {
            let found = self.get(list);
            self.set(dst, found);
            self.written = end + 1;
        }
        written
    }

    /// Whether a function does nothing but take a walk that sets tell.
    fn walks_alone(&self, rays: &Rays, func: FuncId) -> bool {
        let function = &self.program.functions[func as usize];
        let [before @ .., Op::Walk { dst, walk }, Op::Return { src }] = &function.code[..] else { return false };
        let plain =
            |op: &Op| matches!(op, Op::Player { .. } | Op::Opponent { .. } | Op::Const { .. } | Op::GetProp { .. });
        dst == src
            && before.iter().all(plain)
            && self.tables.memos.number(func).is_none()
            && rays.fan(&self.program.pools.walks[*walk as usize]).is_some()
    }

    /// The places that pass a test, bits beyond the board apart; goes on at `odd` where the sets do not tell.
    fn set_of(&mut self, test: Test, odd: Label) -> Word {
        let (set, not) = match test {
            Test::Nil(_) | Test::Empty => (self.load(self.machine, SETS), false),
            Test::Some(_) | Test::Occupied => (self.load(self.machine, SETS), true),
            Test::Equal(_, reg) | Test::Unequal(_, reg) => {
                let value = self.get(reg);
                let seat = self.behind(value, 1);
                let of_player = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, seat, 2);
                self.or_else(of_player, odd);
                let offset = self.b.ins().ishl_imm_u(seat, 3);
                let address = self.b.ins().iadd(self.machine, offset);
                (self.load(address, SETS + 8), matches!(test, Test::Unequal(..)))
            }
            Test::Always | Test::Code(_) => unreachable!("only what sets tell"),
        };
        if not { self.b.ins().bnot(set) } else { set }
    }

    fn or_else(&mut self, condition: Word, odd: Label) {
        let go_on = self.b.create_block();
        self.b.ins().brif(condition, go_on, &[], odd, &[]);
        self.at(go_on);
    }
}

#[cfg(test)]
mod tests {
    /// A row of seven places, walked by hand.
    #[test]
    fn a_walk_takes_what_lies_before_the_first_that_stops_it() {
        let rays = |place: u32| [0x7f & (u64::MAX << place << 1), (1 << place) - 1];
        let taken = |place, on, last, waits| {
            let [above, below] = rays(place);
            [super::taken(above, true, on, last, waits), super::taken(below, false, on, last, waits)]
        };
        assert_eq!(taken(3, 0b0110110, 0b1000001, true), [0b0110000, 0b0000110]);
        assert_eq!(taken(3, 0b0110110, 0b1000000, true), [0b0110000, 0]);
        assert_eq!(taken(3, 0b0110110, 0b1000000, false), [0b1110000, 0b0000110]);
        assert_eq!(taken(3, u64::MAX, 0, false), [0b1110000, 0b0000111]);
        assert_eq!(taken(3, u64::MAX, u64::MAX, true), [0, 0]);
        assert_eq!(taken(0, 0, 0b10, false), [0b10, 0]);
    }
}
