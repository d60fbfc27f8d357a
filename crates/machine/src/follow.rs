//! A view brought up to date by comparing memory with what it was: only what differs is looked at again.
//!
//! It does not matter how the one position became the other: played, taken back, or a copy of somebody else's.

use crate::buffer::Buffer;
use crate::code::PropId;
use crate::glance::MachineGlance;
use crate::layout::{self, Layout};
use crate::position::MachinePosition;
use crate::program::Program;
use crate::value::Value;
use crate::view;
use crate::world::{EntityId, GAME_KIND, PLAYER_KIND};
use houserules_kernel::{Followed, Position, Touched, Viewer};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What memory held when the view was made.
struct Trace {
    program: Arc<Program>,
    viewer: Viewer,
    slots: Buffer<u64>,
}

pub(crate) fn follow(position: &mut MachinePosition, viewer: Viewer, followed: &mut Followed) -> Touched {
    let touched = match followed.trace.as_mut().and_then(|trace| trace.downcast_mut::<Trace>()) {
        Some(trace) if trace.viewer == viewer && Arc::ptr_eq(&trace.program, &position.program) => {
            differing(position, trace)
        }
        _ => None,
    };
    let Some(touched) = touched else {
        let view = position.view(viewer);
        let trace = Trace { program: position.program.clone(), viewer, slots: position.machine.mem.slots.clone() };
        *followed = Followed { view, trace: Some(Box::new(trace)) };
        return Touched::All;
    };
    if let Some(trace) = followed.trace.as_mut().and_then(|trace| trace.downcast_mut::<Trace>()) {
        trace.slots.clone_from(&position.machine.mem.slots);
    }
    let program = position.program.clone();
    let heap = position.machine.mem.heap.len();
    position.machine.reset_budget(&program);
    let mut glance = MachineGlance { program: &program, machine: &mut position.machine };
    let Entities { cells, facts, things } = touched;
    let (mut moved, mut told, mut loose) = (Vec::new(), false, None);
    let seen = &mut followed.view;
    for (board, place) in cells {
        let at = (place - program.world.boards[board].first) as usize;
        let now = view::cell(&mut glance, viewer, board, place);
        if let Some(known) = seen.boards.get_mut(board).and_then(|board| board.cells.get_mut(at))
            && *known != now
        {
            moved.push((board, at, std::mem::replace(known, now)));
        }
    }
    if facts || things {
        let (now, lying) = view::loose(&mut glance, viewer, things);
        told = now != seen.facts;
        seen.facts = now;
        if things {
            loose = (lying != seen.things).then(|| std::mem::replace(&mut seen.things, lying));
        }
    }
    let turn = view::turn(&mut glance);
    told |= turn != seen.turn;
    seen.turn = turn;
    position.machine.mem.heap.truncate(heap);
    Touched::Parts { cells: moved, facts: told, things: loose }
}

/// What is to be looked at again.
#[derive(Default)]
struct Entities {
    cells: BTreeSet<(usize, EntityId)>,
    facts: bool,
    things: bool,
}

/// None if a change may show elsewhere than in the thing that has changed.
fn differing(position: &MachinePosition, trace: &Trace) -> Option<Entities> {
    let (program, machine) = (&*position.program, &position.machine);
    if !program.world.kinds.iter().all(view::is_plain) {
        return None;
    }
    let mut found = Entities::default();
    let (before, now) = (&*trace.slots, &*machine.mem.slots);
    let n_both = before.len().min(now.len());
    for (slot, (&was, &is)) in before.iter().zip(now).enumerate() {
        // A list at the same place of the heap may be another list by now.
        if was != is || Value(is).in_heap() {
            differs(&mut found, position, slot, was, is)?;
        }
    }
    // Things made since, or no longer made.
    found.things |= before.len() != now.len();
    for slot in n_both..before.len().max(now.len()) {
        let held = |slots: &[u64]| slots.get(slot).copied().unwrap_or(Value::NIL.0);
        if !is_kind(&program.layout, slot) {
            differs(&mut found, position, slot, held(before), held(now))?;
        }
    }
    Some(found)
}

fn is_kind(layout: &Layout, slot: usize) -> bool {
    (slot as u32).checked_sub(layout.made_base).is_some_and(|behind| behind.is_multiple_of(layout.made_stride))
}

/// A slot holds something else than before. None as above.
fn differs(found: &mut Entities, position: &MachinePosition, slot: usize, was: u64, is: u64) -> Option<()> {
    let layout = &position.program.layout;
    // By its kind a thing made in play has its name, and so have others after it.
    if is_kind(layout, slot) {
        return None;
    }
    if let Some((entity, prop)) = property_of(layout, slot as u32) {
        // What lies nowhere is shown beside the boards.
        let lay = prop == layout::PLACE && (Value(was).as_entity().is_none() || Value(is).as_entity().is_none());
        found.things |= lay || prop == layout::GONE;
        if slot < position.machine.mem.slots.len() {
            add(found, position, entity);
        }
        if prop == layout::PLACE
            && let Some(left) = Value(was).as_entity()
        {
            add(found, position, left);
        }
    }
    Some(())
}

/// Where a thing shows: in a cell, among the facts, or among the things.
fn add(found: &mut Entities, position: &MachinePosition, entity: EntityId) {
    let (program, machine) = (&*position.program, &position.machine);
    let n_things = program.layout.first_made + machine.mem.get(layout::MADE).0 as EntityId;
    if entity >= n_things {
        found.things = true;
        return;
    }
    let mut root = entity;
    // No chain of things in things is longer than there are things; a definition may have laid them in a circle.
    for _ in 0..DEEPEST {
        if let Some(board) = program.world.entities.get(root as usize).and_then(|thing| thing.board) {
            found.cells.insert((board as usize, root));
            return;
        }
        match machine.prop(program, layout::PLACE, root).as_entity() {
            Some(place) => root = place,
            None => break,
        }
    }
    let kind = machine.kind_of(program, root);
    match kind == GAME_KIND || kind == PLAYER_KIND {
        true => found.facts = true,
        false => found.things = true,
    }
}

/// Deeper than views look.
const DEEPEST: usize = 8;

/// Whose property a slot holds, and which; none if it is nobody's.
fn property_of(layout: &Layout, slot: u32) -> Option<(EntityId, PropId)> {
    let props = 0..layout.props.len() as PropId;
    if let Some(behind) = slot.checked_sub(layout.made_base) {
        let (nth, offset) = (behind / layout.made_stride, behind % layout.made_stride);
        let prop = props.into_iter().find(|&prop| layout.made_offset(prop) == offset)?;
        return Some((layout.first_made + nth, prop));
    }
    props.into_iter().find_map(|prop| {
        let (first, end, base) = layout.column(prop);
        (end > first && slot >= base && slot < base + (end - first)).then(|| (first + (slot - base), prop))
    })
}
