//! Groups of places and what lies around them: found in tables, without asking the board.
#![allow(unsafe_code, reason = "tables made for the layout are read without looking at their length again")]

use super::chains::Link;
use super::helpers::finish;
use crate::code::PropId;
use crate::program::Program;
use crate::value::Value;
use crate::vm::{EMPTY, Machine};
use crate::world::EntityId;

/// Places joined along a set of directions, numbered as the slots of one property are.
///
/// Every place around one of them is one of them.
pub(crate) struct Region {
    pub first: EntityId,
    pub n: u32,
    /// The slot of the first place.
    pub base: u32,
    degree: usize,
    /// For each place the `degree` places around it; where there are fewer, the place itself stands in.
    around: Box<[u32]>,
    /// For each place a chain of its own; empty where a way may lead where none leads back, or where rows and columns have
    /// no bits.
    pub links: Vec<Link>,
}

/// Rows and columns of places, each a bit.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[repr(C)]
pub(crate) struct Span {
    pub rows: u64,
    pub columns: u64,
}

impl Span {
    pub fn add(&mut self, other: Span) {
        (self.rows, self.columns) = (self.rows | other.rows, self.columns | other.columns);
    }
}

/// What a place must hold to fit.
#[derive(Clone, Copy)]
struct Fit {
    /// The slot of the first place.
    base: u64,
    wanted: u64,
    /// Whether it fits by holding what is wanted, or by holding something else.
    same: bool,
}

impl Fit {
    /// # Safety
    /// There must be a slot for the place.
    unsafe fn fits(&self, slots: *const u64, place: u32) -> bool {
        // SAFETY: the caller knows that there is such a slot.
        let held = unsafe { *slots.add(self.base as usize + place as usize) };
        (held == self.wanted) == self.same
    }
}

/// How a search through a group ended.
struct Flooded {
    len: usize,
    steps: u64,
    /// The first place beside the group that was wanted.
    beside: Option<u32>,
}

/// Never a value: everything differs from it.
pub(crate) const ANYTHING: u64 = u64::MAX;

impl Region {
    /// None where a place leads to something without the property.
    pub fn of(program: &Program, set: u16, prop: PropId) -> Option<Region> {
        let (first, end, base) = program.layout.column(prop);
        let places = first..end;
        let around = |place: EntityId| program.ahead.around(set, place);
        let degree = places.clone().map(|place| around(place).len()).max().filter(|&most| most > 0)?;
        let mut table = Vec::with_capacity(degree * places.len());
        for place in places.clone() {
            let known = around(place).iter().copied();
            for next in known.chain(std::iter::repeat_n(place, degree - around(place).len())) {
                table.push(places.contains(&next).then(|| next - first)?);
            }
        }
        let region = Region { first, n: end - first, base, degree, around: table.into(), links: Vec::new() };
        let links = region.single_links(program).unwrap_or_default();
        Some(Region { links, ..region })
    }

    /// The places around one.
    #[inline]
    pub fn around(&self, place: u32) -> &[u32] {
        &self.around[place as usize * self.degree..][..self.degree]
    }

    fn single_links(&self, program: &Program) -> Option<Vec<Link>> {
        let [board] = program.world.boards.as_slice() else { return None };
        let inside = board.first <= self.first && self.first + self.n <= board.first + board.n;
        let bit = |number: i64| u32::try_from(number).ok().and_then(|number| 1u64.checked_shl(number));
        let link = |place: u32| {
            let thing = &program.world.entities[(self.first + place) as usize];
            let span = Span { rows: bit(thing.row.into())?, columns: bit(thing.column.into())? };
            Some(Link { span, next: place })
        };
        // A place that stands in for missing ones leads to itself.
        let mutual = (0..self.n).all(|place| {
            self.around(place).iter().filter(|&&next| next != place).all(|&next| self.around(next).contains(&place))
        });
        (inside && mutual).then(|| (0..self.n).map(link).collect())?
    }

    /// Goes through a group from a place that belongs to it, breadth first, as the definition of a group says. Stops at
    /// the first place beside it that fits `wanted`. The places found lie in the heap, behind its end.
    #[inline]
    fn flood<const D: usize>(
        &self,
        machine: &mut Machine,
        program: &Program,
        from: u32,
        fit: Fit,
        wanted: Option<Fit>,
    ) -> Flooded {
        let degree = if D == 0 { self.degree } else { D };
        // A length, the places, and one that is written before it is known to be new.
        machine.mem.heap.make_room_for(self.n as usize + 2);
        let stamp = machine.fresh_marks(program);
        let end = machine.mem.heap.len();
        // SAFETY: there is room for all places behind the end of the heap; marks and slots reach as far as the places,
        // and the table holds numbers of places only.
        unsafe {
            let found = machine.mem.heap.as_mut_ptr().add(end + 1);
            let slots = machine.mem.slots.as_ptr();
            let marks = machine.scratch.as_mut_ptr().add(self.first as usize);
            let tag = Value::entity(self.first).0;
            *found = tag + u64::from(from);
            *marks.add(from as usize) = stamp;
            let (mut at, mut len) = (0, 1);
            while at < len {
                let place = (*found.add(at) - tag) as usize;
                at += 1;
                let around = self.around.as_ptr().add(place * degree);
                for way in 0..degree {
                    let next = *around.add(way);
                    let mark = marks.add(next as usize);
                    let fits = fit.fits(slots, next);
                    // Without a branch: whether the next place fits can hardly be foreseen. What does not fit may be
                    // marked as well, for it is not asked again.
                    *found.add(len) = tag + u64::from(next);
                    len += usize::from(fits & (*mark != stamp));
                    *mark = stamp;
                    if let Some(wanted) = &wanted
                        && !fits
                        && wanted.fits(slots, next)
                    {
                        return Flooded { len, steps: (at * degree) as u64, beside: Some(next) };
                    }
                }
            }
            Flooded { len, steps: (len * degree) as u64, beside: None }
        }
    }

    /// Searches the group that a place belongs to; none if the place itself does not fit.
    fn search(
        &self,
        machine: &mut Machine,
        program: &Program,
        from: u64,
        fit: Fit,
        wanted: Option<Fit>,
    ) -> Option<Flooded> {
        let from = Value(from).as_entity()? - self.first;
        // SAFETY: native code asks about places of the region only.
        if !unsafe { fit.fits(machine.mem.slots.as_ptr(), from) } {
            return None;
        }
        Some(match self.degree {
            4 => self.flood::<4>(machine, program, from, fit, wanted),
            6 => self.flood::<6>(machine, program, from, fit, wanted),
            8 => self.flood::<8>(machine, program, from, fit, wanted),
            _ => self.flood::<0>(machine, program, from, fit, wanted),
        })
    }
}

/// The places of a group as a list. `from` is a place of the region.
pub extern "C" fn group(
    machine: &mut Machine,
    program: &Program,
    at: u64,
    region: &Region,
    from: u64,
    wanted: u64,
    same: u64,
) -> u64 {
    let fit = Fit { base: u64::from(region.base), wanted, same: same != 0 };
    let Some(flooded) = region.search(machine, program, from, fit, None) else { return Value::list(EMPTY).0 };
    // SAFETY: the search has laid so many members there.
    let list = unsafe { machine.mem.take_in(flooded.len) };
    let result = machine.spend(flooded.steps).and_then(|()| machine.check_memory());
    finish(machine, program, at, result.map(|()| list))
}

/// The first place beside a group that fits; nil if there is none. `from` is a place of the region.
pub extern "C" fn beside(
    machine: &mut Machine,
    program: &Program,
    at: u64,
    region: &Region,
    from: u64,
    wanted: u64,
    same: u64,
    base: u64,
    held: u64,
    holds: u64,
) -> u64 {
    let fit = Fit { base: u64::from(region.base), wanted, same: same != 0 };
    let wanted = Fit { base, wanted: held, same: holds != 0 };
    let Some(flooded) = region.search(machine, program, from, fit, Some(wanted)) else { return Value::NIL.0 };
    let found = flooded.beside.map_or(Value::NIL, |place| Value::entity(region.first + place));
    let result = machine.spend(flooded.steps);
    finish(machine, program, at, result.map(|()| found))
}
