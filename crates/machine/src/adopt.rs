//! A running position under a changed program: everything is carried over by name.

use crate::code::PropId;
use crate::derived::Derived;
use crate::layout;
use crate::memory::Memory;
use crate::numbers::Numbers;
use crate::past::Past;
use crate::position::MachinePosition;
use crate::program::Program;
use crate::value::Value;
use crate::world::EntityId;
use houserules_kernel::Refusal;
use houserules_walker::renewed::Renewed;
use std::sync::Arc;

impl MachinePosition {
    /// The position in the new program's memory, with the first values of these properties where they have others now;
    /// refused where something it holds has no place there. What rules may ask about the match so far is told by `past`.
    pub(crate) fn adopted(
        &self,
        program: &Arc<Program>,
        renewed: &[Renewed],
        past: Option<&mut Past>,
    ) -> Result<MachinePosition, String> {
        let adoption = Adoption::between(&self.program, program, renewed)?;
        let mut adopted = self.clone();
        adopted.program = program.clone();
        // What is kept belongs to the other program: other places may lie where they were looked for.
        let machine = &mut adopted.machine;
        machine.derived = Derived::default();
        if adoption.moves() {
            if self.is_running() {
                return Err(
                    "A behavior is stopped in the middle, and the change moves what it uses. Answer first.".into()
                );
            }
            adopted.machine.mem = adoption.carried(&self.machine.mem);
            // Earlier positions were laid out otherwise: they cannot be taken back to.
            adopted.forget_all();
            let restocked = adoption.added().try_for_each(|thing| adopted.machine.restock(program, thing));
            restocked.map_err(|stop| adopted.refusal(stop).reason)?;
        }
        adoption.renew(&mut adopted.machine.mem);
        if let Some(past) = past {
            past.follow(&adoption);
            if !adoption.keeps_history() {
                let keys = past.keys(program).map_err(|stop| adopted.refusal(stop).reason)?;
                adopted.machine.mem.set(layout::SEEN, Value(keys.len() as u64));
                adopted.machine.mem.recall(&keys);
            }
        }
        adopted.resume().map_err(|refusal: Refusal| refusal.reason)?;
        Ok(adopted)
    }
}

/// From one program to another.
pub(crate) struct Adoption<'a> {
    old: &'a Arc<Program>,
    new: &'a Arc<Program>,
    numbers: Numbers,
    renewed: &'a [Renewed],
}

impl<'a> Adoption<'a> {
    fn between(old: &'a Arc<Program>, new: &'a Arc<Program>, renewed: &'a [Renewed]) -> Result<Self, String> {
        let numbers = Numbers::between(&old.world, &new.world)?;
        Ok(Adoption { old, new, numbers, renewed })
    }

    /// Whether anything lies elsewhere in memory, or has another number.
    pub fn moves(&self) -> bool {
        !self.numbers.are_kept() || !same_layout(self.old, self.new)
    }

    /// Whether something that has its first value gets another one.
    pub fn renews(&self) -> bool {
        !self.renewed.is_empty()
    }

    /// Whether positions are called the same in the history before and after.
    fn keeps_history(&self) -> bool {
        match (&self.old.history, &self.new.history) {
            (_, None) => true,
            (Some(old), Some(new)) => {
                let tracked = self.old.counted.tracks_like(&self.new.counted);
                !self.moves() && !self.renews() && tracked && old.is_like(new)
            }
            (None, Some(_)) => false,
        }
    }

    /// The things that were not there before.
    fn added(&self) -> impl Iterator<Item = EntityId> {
        (0..self.new.layout.first_made).filter(|&thing| self.numbers.before(thing).is_none())
    }

    /// Copies every property that both programs have; new ones keep their first values, and new things begin where the
    /// definition puts them, on top of what lies there.
    pub fn carried(&self, memory: &Memory) -> Memory {
        let (old, new, template) = (&self.old.layout, &self.new.layout, &self.new.template);
        let made = memory.get(layout::MADE).0 as u32;
        // What supplies made at the start of the new program was made in this match already.
        let mut slots = template.slots[..new.made_base as usize].to_vec();
        // First values may be lists: they live in the new template's heap, which is put behind the old one.
        let shift = memory.heap.len() as u32;
        for word in &mut slots[layout::ORDER as usize..] {
            *word = shifted(*word, shift);
        }
        let mut heap = mapped(&memory.heap, |word| renumbered(&self.numbers, word));
        heap.extend(mapped(&template.heap, |word| shifted(word, shift)));
        let counters = layout::ORDER as usize + 2 * new.n_seats as usize;
        slots[..counters].copy_from_slice(&memory.slots[..counters]);
        slots.resize((new.made_base + made * new.made_stride) as usize, Value::NIL.0);
        for nth in 0..made {
            let (from, to) = (old.made_block(old.first_made + nth), new.made_block(new.first_made + nth));
            slots[to as usize] = memory.slots[from as usize];
        }
        for (at, prop) in new.props.iter().enumerate() {
            let Some(from) = old.find(&prop.name) else { continue };
            for entity in 0..old.first_made + made {
                let to = new.slot(at as PropId, self.numbers.after(entity));
                if let (Some(from), Some(to)) = (old.slot(from, entity), to) {
                    slots[to as usize] = renumbered(&self.numbers, memory.slots[from as usize]);
                }
            }
        }
        let mut carried = Memory::of(slots.into(), heap.into());
        carried.recall(&memory.history);
        self.put_in_place(&mut carried);
        self.grant(memory, &mut carried);
        carried
    }

    /// The piles of the template are those of the start; new things are put on those of the match.
    fn put_in_place(&self, memory: &mut Memory) {
        let layout = &self.new.layout;
        let had_places = self.old.layout.props[layout::PLACE as usize].kinds.contains(&true);
        if !had_places {
            return;
        }
        let slot = |prop: PropId, thing: EntityId| layout.slot(prop, thing).map(|slot| slot as usize);
        for thing in self.added() {
            for slot in [layout::TOP, layout::UNDER].into_iter().filter_map(|prop| slot(prop, thing)) {
                memory.slots[slot] = Value::NIL.0;
            }
        }
        for thing in self.added() {
            let place = slot(layout::PLACE, thing).and_then(|at| Value(memory.slots[at]).as_entity());
            let top = place.and_then(|place| slot(layout::TOP, place));
            if let (Some(top), Some(under)) = (top, slot(layout::UNDER, thing)) {
                memory.slots[under] = memory.slots[top];
                memory.slots[top] = Value::entity(thing).0;
            }
        }
    }

    /// Players know the things that are theirs; they get to know the new ones.
    fn grant(&self, before: &Memory, memory: &mut Memory) {
        for (player, name, ..) in &self.new.world.granted {
            let slots = self.slots(name, *player);
            let Some((then, now)) = slots else { continue };
            let held = (before, before.get(then));
            let first = (&self.old.template, self.old.template.get(then));
            if same(held, first, &|word| word) {
                self.give_first(memory, now);
            }
        }
    }

    /// Where a property of a thing lies before and after.
    fn slots(&self, property: &str, thing: EntityId) -> Option<(u32, u32)> {
        let (old, new) = (&self.old.layout, &self.new.layout);
        let then = old.slot(old.find(property)?, self.numbers.before(thing)?)?;
        Some((then, new.slot(new.find(property)?, thing)?))
    }

    /// Play may have given a thing another value than it began with; that one stays.
    pub fn renew(&self, memory: &mut Memory) {
        let world = &self.new.world;
        for renewed in self.renewed {
            for (at, thing) in world.entities.iter().enumerate() {
                if !renewed.is_of(world, thing.kind, &thing.name) {
                    continue;
                }
                let Some((then, now)) = self.slots(&renewed.property, at as EntityId) else { continue };
                let before = (&self.old.template, self.old.template.get(then));
                let held = (&*memory, memory.get(now));
                let first = (&self.new.template, self.new.template.get(now));
                let renumbered = |word: u64| renumbered(&self.numbers, word);
                if same(held, before, &renumbered) && !same(first, before, &renumbered) {
                    self.give_first(memory, now);
                }
            }
        }
    }

    fn give_first(&self, memory: &mut Memory, slot: u32) {
        let template = &self.new.template;
        let mut value = template.get(slot);
        if value.in_heap() {
            let shift = memory.heap.len() as u32;
            memory.heap.extend(mapped(&template.heap, |word| shifted(word, shift)));
            value = value.moved(value.0 as u32 + shift);
        }
        memory.set(slot, value);
    }
}

/// A word of memory as the new program has it.
fn renumbered(numbers: &Numbers, word: u64) -> u64 {
    match Value(word).as_entity() {
        Some(thing) if !numbers.are_kept() => Value::entity(numbers.after(thing)).0,
        _ => word,
    }
}

/// Whether two values mean the same, each in its own memory; the words of the second are told as the first has them.
fn same(one: (&Memory, Value), other: (&Memory, Value), told: &dyn Fn(u64) -> u64) -> bool {
    if !(one.1.in_heap() && other.1.in_heap()) {
        return one.1.0 == told(other.1.0);
    }
    let members = |(mem, value): (&Memory, Value)| mem.members(value.0 as u32).to_vec();
    let (left, right) = (members(one), members(other));
    one.1.moved(0) == other.1.moved(0)
        && left.len() == right.len()
        && left.into_iter().zip(right).all(|(left, right)| same((one.0, Value(left)), (other.0, Value(right)), told))
}

/// A heap with every word told otherwise; lengths stay.
fn mapped(heap: &[u64], told: impl Fn(u64) -> u64) -> Vec<u64> {
    let mut words = Vec::with_capacity(heap.len());
    let mut at = 0;
    while at < heap.len() {
        let n = heap[at] as usize;
        words.push(heap[at]);
        words.extend(heap[at + 1..at + 1 + n].iter().map(|&word| told(word)));
        at += 1 + n;
    }
    words
}

/// What points into the heap, when the heap lies further back.
fn shifted(word: u64, shift: u32) -> u64 {
    let value = Value(word);
    if value.in_heap() { value.moved(value.0 as u32 + shift).0 } else { word }
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
