//! A running position under a changed program: everything is carried over by name.

use crate::code::PropId;
use crate::layout;
use crate::memory::Memory;
use crate::position::MachinePosition;
use crate::program::Program;
use crate::value::Value;
use crate::world::{EntityId, KindId, World};
use houserules_kernel::Refusal;
use std::sync::Arc;

impl MachinePosition {
    /// The position in the new program's memory, with the first values of these properties where they have others now;
    /// refused where something it holds has no place there.
    pub(crate) fn adopted(&self, program: &Arc<Program>, renewed: &[Renewed]) -> Result<MachinePosition, String> {
        same_things(&self.program.world, &program.world)?;
        let mut adopted = self.clone();
        adopted.program = program.clone();
        if !same_layout(&self.program, program) {
            if self.is_running() {
                return Err(
                    "A behavior is stopped in the middle, and the change moves what it uses. Answer first.".into()
                );
            }
            self.carry_over(&mut adopted, program);
        }
        for property in renewed {
            adopted.renew(&self.program, property);
        }
        adopted.resume().map_err(|refusal: Refusal| refusal.reason)?;
        Ok(adopted)
    }

    /// Copies every property that both programs have; new ones keep their first values.
    fn carry_over(&self, adopted: &mut MachinePosition, program: &Program) {
        let (old, new) = (&self.program.layout, &program.layout);
        let made = self.machine.mem.get(layout::MADE).0 as usize;
        let mut slots = program.template.slots.clone();
        // First values may be lists: they live in the new template's heap, which is put behind the old one.
        let shift = self.machine.mem.heap.len() as u32;
        let moved = |word: u64| {
            let value = Value(word);
            if value.in_heap() { value.moved(value.0 as u32 + shift).0 } else { word }
        };
        for word in &mut slots[layout::ORDER as usize..] {
            *word = moved(*word);
        }
        let mut heap = self.machine.mem.heap.clone();
        heap.extend(rebased(&program.template.heap, shift));
        slots[..layout::ORDER as usize + 2 * new.n_seats as usize]
            .copy_from_slice(&self.machine.mem.slots[..layout::ORDER as usize + 2 * old.n_seats as usize]);
        slots.resize(slots.len() + made * new.made_stride as usize, Value::NIL.0);
        for entity in old.first_made..old.first_made + made as u32 {
            slots[new.made_block(entity) as usize] = self.machine.mem.slots[old.made_block(entity) as usize];
        }
        for (at, prop) in new.props.iter().enumerate() {
            let Some(from) = old.find(&prop.name) else { continue };
            for entity in 0..old.first_made + made as u32 {
                if let (Some(from), Some(to)) = (old.slot(from, entity), new.slot(at as PropId, entity)) {
                    slots[to as usize] = self.machine.mem.slots[from as usize];
                }
            }
        }
        adopted.machine.mem.slots = slots;
        adopted.machine.mem.heap = heap;
        // Earlier positions were laid out otherwise: they cannot be taken back to.
        adopted.forget_all();
    }

    /// Play may have given a thing another value than it began with; that one stays.
    fn renew(&mut self, earlier: &Program, renewed: &Renewed) {
        let program = self.program.clone();
        let world = &program.world;
        let find = |program: &Program| program.layout.find(&renewed.property);
        let (Some(now), Some(then)) = (find(&program), find(earlier)) else { return };
        for (at, thing) in world.entities.iter().enumerate() {
            let entity = at as EntityId;
            if !renewed.is_of(world, thing.kind, &thing.name) {
                continue;
            }
            let (Some(slot), Some(then)) = (program.layout.slot(now, entity), earlier.layout.slot(then, entity)) else {
                continue;
            };
            let first = (&program.template, program.template.get(slot));
            let before = (&earlier.template, earlier.template.get(then));
            let held = (&self.machine.mem, self.machine.mem.get(slot));
            if !same(held, before) || same(before, first) {
                continue;
            }
            let shift = self.machine.mem.heap.len() as u32;
            let mut value = first.1;
            if value.in_heap() {
                self.machine.mem.heap.extend(rebased(&program.template.heap, shift));
                value = value.moved(value.0 as u32 + shift);
            }
            self.machine.mem.set(slot, value);
        }
    }
}

/// A property whose first value is another one after a change: of all things of a model, or of one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renewed {
    pub model: String,
    pub entity: Option<String>,
    pub property: String,
}

impl Renewed {
    pub(crate) fn is_of(&self, world: &World, kind: KindId, name: &str) -> bool {
        *world.kinds[kind as usize].name == *self.model && self.entity.as_ref().is_none_or(|entity| entity == name)
    }
}

/// Whether two values mean the same, each in its own memory.
fn same(one: (&Memory, Value), other: (&Memory, Value)) -> bool {
    if !(one.1.in_heap() && other.1.in_heap()) {
        return one.1 == other.1;
    }
    let members = |(mem, value): (&Memory, Value)| mem.members(value.0 as u32).to_vec();
    let (left, right) = (members(one), members(other));
    one.1.moved(0) == other.1.moved(0)
        && left.len() == right.len()
        && left.into_iter().zip(right).all(|(left, right)| same((one.0, Value(left)), (other.0, Value(right))))
}

/// A heap moved to another place: lengths stay, references move.
fn rebased(heap: &[u64], shift: u32) -> Vec<u64> {
    let mut moved = Vec::with_capacity(heap.len());
    let mut at = 0;
    while at < heap.len() {
        let n = heap[at] as usize;
        moved.push(heap[at]);
        for &word in &heap[at + 1..at + 1 + n] {
            let value = Value(word);
            moved.push(if value.in_heap() { value.moved(value.0 as u32 + shift).0 } else { word });
        }
        at += 1 + n;
    }
    moved
}

fn same_layout(old: &Program, new: &Program) -> bool {
    let (old, new) = (&old.layout, &new.layout);
    old.made_base == new.made_base
        && old.made_stride == new.made_stride
        && old.props.len() == new.props.len()
        && old
            .props
            .iter()
            .zip(&new.props)
            .enumerate()
            .all(|(at, (left, right))| left.name == right.name && old.column(at as PropId) == new.column(at as PropId))
}

/// Values name things, models and directions by number, so those that exist must keep theirs.
fn same_things(old: &World, new: &World) -> Result<(), String> {
    if old.n_seats != new.n_seats {
        return Err("The number of players cannot change during a match.".into());
    }
    let things = old.entities.len() == new.entities.len()
        && old
            .entities
            .iter()
            .zip(&new.entities)
            .all(|(left, right)| left.name == right.name && left.kind == right.kind);
    if !things {
        return Err("The change needs other things on the board than there are.".into());
    }
    let kinds = old.kinds.len() <= new.kinds.len()
        && old.kinds.iter().zip(&new.kinds).all(|(left, right)| left.name == right.name);
    let directions = old.directions.names.len() <= new.directions.names.len()
        && old.directions.names.iter().zip(&new.directions.names).all(|(left, right)| left == right);
    if !kinds || !directions {
        return Err("The change takes away or reorders models or directions that are in use.".into());
    }
    Ok(())
}
