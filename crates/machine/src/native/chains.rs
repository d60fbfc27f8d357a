//! Which places hang together by holding the same, kept from move to move.
//!
//! A place that is taken joins the chains around it; as long as none is given up or changes hands, what a chain reaches
//! is found without going through it. Where anything else happens the chains are made anew.
#![allow(unsafe_code, reason = "tables made for the layout are read without looking at their length again")]

use super::regions::{Region, Span};
use crate::derived::{Follows, InStep};
use crate::memory::{Change, Memory};
use crate::program::Program;
use crate::value::Value;
use crate::vm::Machine;

/// For each place of a region the chain it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    links: Vec<Link>,
    /// Changes of the journal up to here are in the links.
    step: InStep,
    /// The slots of the places.
    base: u32,
    /// Whether so many questions follow each other that it is worth while to make the chains anew.
    pub busy: bool,
    /// What was found otherwise.
    found: Span,
}

/// A place of a chain leads to another one of it; the last one knows what all of them reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub span: Span,
    pub next: u32,
}

impl Default for Chains {
    fn default() -> Chains {
        Chains { links: Vec::new(), step: InStep::NOWHERE, base: 0, busy: false, found: Span::default() }
    }
}

impl Chains {
    /// The last place of the chain that a place belongs to.
    #[inline]
    fn last(&mut self, mut place: u32) -> u32 {
        debug_assert!((place as usize) < self.links.len());
        loop {
            // SAFETY: a link for each place of the region, and links lead to places only.
            unsafe {
                let next = self.links.get_unchecked(place as usize).next;
                if next == place {
                    return place;
                }
                // The next one who comes this way has half as far to go.
                let after = self.links.get_unchecked(next as usize).next;
                self.links.get_unchecked_mut(place as usize).next = after;
                place = after;
            }
        }
    }

    /// A place that is taken joins those around it that hold the same.
    #[inline]
    fn join(&mut self, region: &Region, slots: &[u64], place: u32) {
        let column = &slots[region.base as usize..(region.base + region.n) as usize];
        let held = column[place as usize];
        let mut end = self.last(place);
        for &beside in region.around(place) {
            // SAFETY: the table holds places of the region only.
            if unsafe { *column.get_unchecked(beside as usize) } != held || beside == place {
                continue;
            }
            let other = self.last(beside);
            if other != end {
                let Span { rows, columns } = self.links[end as usize].span;
                self.links[end as usize].next = other;
                let span = &mut self.links[other as usize].span;
                (span.rows, span.columns) = (span.rows | rows, span.columns | columns);
                end = other;
            }
        }
    }

    #[inline(never)]
    fn settle_known(&mut self, memory: &Memory) {
        let among = |change: &Change| change.slot.wrapping_sub(u64::from(self.base)) < self.links.len() as u64;
        let missed = self.step.missed(memory).is_none_or(|missed| missed.iter().any(among));
        self.step = if missed { InStep::NOWHERE } else { InStep::BEGINNING };
    }

    /// Learns of every change. False where the chains are not known.
    fn catch_up(&mut self, region: &Region, memory: &Memory) -> bool {
        if self.step.is_known() && self.base == region.base {
            for at in self.step.0 as usize..memory.journal.len() {
                let Change { slot, old } = memory.journal[at];
                let place = slot.wrapping_sub(u64::from(region.base));
                if place >= u64::from(region.n) {
                    continue;
                }
                if old != Value::NIL.0 {
                    self.step = InStep::NOWHERE;
                    break;
                }
                self.join(region, &memory.slots, place as u32);
            }
        } else {
            self.step = InStep::NOWHERE;
        }
        if !self.step.is_known() {
            if !self.busy {
                return false;
            }
            self.make_anew(region, memory);
        }
        self.step = InStep::now(memory);
        true
    }

    #[inline(never)]
    fn make_anew(&mut self, region: &Region, memory: &Memory) {
        self.links.clone_from(&region.links);
        self.base = region.base;
        for place in 0..region.n {
            if memory.slots[(region.base + place) as usize] != Value::NIL.0 {
                self.join(region, &memory.slots, place);
            }
        }
    }

    /// Goes through a chain.
    #[inline(never)]
    fn search(&mut self, region: &Region, slots: &[u64], from: u32, wanted: u64) {
        self.found = Span::default();
        let (mut open, mut met) = (vec![from], vec![false; region.n as usize]);
        met[from as usize] = true;
        while let Some(place) = open.pop() {
            self.found.add(region.links[place as usize].span);
            for &beside in region.around(place) {
                let holds = slots[(region.base + beside) as usize] == wanted;
                if holds && !std::mem::replace(&mut met[beside as usize], true) {
                    open.push(beside);
                }
            }
        }
    }
}

impl Follows for Chains {
    #[inline]
    fn cut(&mut self, _: &Memory, journal: usize) {
        self.step.cut(journal);
    }

    #[inline(always)]
    fn settle(&mut self, memory: &Memory) {
        if self.step.is_known() {
            self.settle_known(memory);
        }
    }

    fn copy_from(&mut self, other: &Chains) {
        if other.step.is_known() {
            self.links.clone_from(&other.links);
        }
        (self.step, self.base) = (other.step, other.base);
    }

    /// Whoever asks catches up.
    fn catch_up(_: &mut Machine, _: &Program) {}

    #[cfg(debug_assertions)]
    fn differs(machine: &mut Machine, program: &Program) -> Option<String> {
        let region = program.native()?.tables.chains()?;
        let Machine { derived, mem, .. } = machine;
        let chains = &mut derived.chains;
        if !chains.step.is_known() || !chains.catch_up(region, mem) {
            return None;
        }
        for place in 0..region.n {
            let held = mem.slots[(region.base + place) as usize];
            if held == Value::NIL.0 {
                continue;
            }
            let last = chains.last(place);
            let kept = chains.links[last as usize].span;
            chains.search(region, &mem.slots, place, held);
            if kept != chains.found {
                return Some(format!("at place {place} {kept:?}, anew {:?}", chains.found));
            }
        }
        None
    }
}

/// The rows and columns of the places that hang together with one by holding what is wanted. `from` is a place of the
/// region, and what is wanted is neither nil nor in the heap.
pub extern "C" fn reached<'a>(machine: &'a mut Machine, region: &Region, from: u64, wanted: u64) -> &'a Span {
    let place = from.wrapping_sub(Value::entity(region.first).0) as u32;
    let known = machine.derived.chains.step.knows(&machine.mem) && machine.derived.chains.base == region.base;
    let holds = machine.mem.slots[(region.base + place) as usize] == wanted;
    if holds && (known || machine.derived.chains.catch_up(region, &machine.mem)) {
        let last = machine.derived.chains.last(place);
        return &machine.derived.chains.links[last as usize].span;
    }
    match holds {
        true => machine.derived.chains.search(region, &machine.mem.slots, place, wanted),
        false => machine.derived.chains.found = Span::default(),
    }
    &machine.derived.chains.found
}

/// The rows and columns of places in a list.
pub extern "C" fn listed<'a>(machine: &'a mut Machine, region: &Region, list: u64) -> &'a Span {
    let mut found = Span::default();
    for &place in machine.mem.members(list as u32) {
        let place = place.wrapping_sub(Value::entity(region.first).0) as usize;
        found.add(region.links.get(place).map_or(Span::default(), |link| link.span));
    }
    machine.derived.chains.found = found;
    &machine.derived.chains.found
}
