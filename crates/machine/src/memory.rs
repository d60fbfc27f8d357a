//! The state of play as flat memory: slots of eight bytes, a heap of lists, a journal to take changes back.

use crate::buffer::Buffer;
use crate::value::Value;

/// Slots, heap and journal of one position.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub slots: Buffer<u64>,
    /// Lists, dictionaries and messages: a length, then the members. Never changed once written.
    pub heap: Buffer<u64>,
    pub(crate) journal: Buffer<Change>,
    /// Whether a heap value was stored in a slot since the last [`Memory::sweep`].
    pub(crate) stored: bool,
    /// How long the heap was after the last compaction, and how many there were.
    settled: usize,
    pub compactions: u32,
    /// Keys of earlier positions; those beyond the count in the slots are stale.
    pub history: Vec<u64>,
    /// A bit for some of their bits: a key without its bit is not among them.
    met: [u64; MET],
}

/// Words of bits for keys of earlier positions.
const MET: usize = 16;

/// What a slot held before.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Change {
    pub slot: u64,
    pub old: u64,
}

/// A point to go back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    journal: u32,
    slots: u32,
    stored: bool,
}

impl Mark {
    /// Where it says how many changes the journal held.
    pub(crate) const CHANGES: usize = std::mem::offset_of!(Mark, journal);
}

impl Memory {
    pub fn of(slots: Buffer<u64>, heap: Buffer<u64>) -> Memory {
        Memory { slots, heap, ..Memory::default() }
    }

    #[inline]
    pub fn get(&self, slot: u32) -> Value {
        Value(self.slots[slot as usize])
    }

    #[inline]
    pub fn set(&mut self, slot: u32, value: Value) {
        let old = std::mem::replace(&mut self.slots[slot as usize], value.0);
        if old != value.0 {
            self.journal.push(Change { slot: u64::from(slot), old });
            self.stored |= value.in_heap();
        }
    }

    /// Becomes a copy of another, in the memory it has.
    pub fn copy_from(&mut self, other: &Memory) {
        self.slots.clone_from(&other.slots);
        // Mostly there is nothing in the heap but the empty list, which is at its beginning for ever.
        match self.heap.is_empty() || other.heap.len() > 1 {
            true => self.heap.clone_from(&other.heap),
            false => self.heap.truncate(other.heap.len()),
        }
        match other.journal.is_empty() {
            true => self.journal.clear(),
            false => self.journal.clone_from(&other.journal),
        }
        (self.stored, self.settled, self.compactions) = (other.stored, other.settled, other.compactions);
        if !self.history.is_empty() || !other.history.is_empty() {
            self.history.clone_from(&other.history);
            self.met = other.met;
        }
    }

    /// Writes a key behind the first `n` of earlier positions.
    #[inline]
    pub fn remember(&mut self, n: usize, key: u64) {
        self.history.truncate(n);
        self.history.push(key);
        self.met[key as usize / 64 % MET] |= 1 << (key % 64);
    }

    /// These keys instead of all others.
    pub fn recall(&mut self, keys: &[u64]) {
        (self.history, self.met) = (Vec::with_capacity(keys.len()), [0; MET]);
        keys.iter().enumerate().for_each(|(n, &key)| self.remember(n, key));
    }

    /// How often a key is among those of earlier positions from one on to another.
    #[inline]
    pub fn times(&self, from: usize, to: usize, key: u64) -> usize {
        match self.met[key as usize / 64 % MET] >> (key % 64) & 1 {
            0 => 0,
            _ => self.history[from..to].iter().filter(|&&known| known == key).count(),
        }
    }

    #[inline]
    pub fn mark(&self) -> Mark {
        Mark { journal: self.journal.len() as u32, slots: self.slots.len() as u32, stored: self.stored }
    }

    /// Takes back every change since the mark.
    #[inline]
    pub fn rollback(&mut self, mark: Mark) {
        let from = mark.journal as usize;
        for &Change { slot, old } in self.journal.get(from..).unwrap_or_default().iter().rev() {
            self.slots[slot as usize] = old;
        }
        self.journal.truncate(from);
        self.slots.truncate(mark.slots as usize);
        self.stored = mark.stored;
    }

    /// How many changes the journal held at the mark.
    pub fn changes_at(mark: Mark) -> usize {
        mark.journal as usize
    }

    pub fn changed_since(&self, mark: Mark) -> bool {
        self.journal.len() > mark.journal as usize
    }

    /// Room for the slots of a thing made in play.
    pub fn grow(&mut self, n: usize) {
        self.slots.resize(self.slots.len() + n, Value::NIL.0);
    }

    /// Forgets how to go back.
    #[inline]
    pub fn forget(&mut self) {
        self.journal.clear();
    }

    pub fn members(&self, offset: u32) -> &[u64] {
        let len = self.heap[offset as usize] as usize;
        &self.heap[offset as usize + 1..offset as usize + 1 + len]
    }

    pub fn alloc(&mut self, members: impl IntoIterator<Item = Value>) -> u32 {
        let offset = self.heap.len();
        self.heap.push(0);
        self.heap.extend(members.into_iter().map(|value| value.0));
        self.heap[offset] = (self.heap.len() - offset - 1) as u64;
        offset as u32
    }

    /// A list with the same members.
    pub fn copy_of(&mut self, offset: u32) -> u32 {
        let copy = self.heap.len() as u32;
        for at in offset as usize..=offset as usize + self.heap[offset as usize] as usize {
            self.heap.push(self.heap[at]);
        }
        copy
    }

    /// Begins a list whose members are pushed one by one.
    pub fn begin(&mut self) -> u32 {
        self.heap.push(0);
        self.heap.len() as u32 - 1
    }

    pub fn end(&mut self, offset: u32) -> Value {
        self.heap[offset as usize] = (self.heap.len() - offset as usize - 1) as u64;
        Value::list(offset)
    }

    /// Makes a list of members that were written behind the end of the heap, with a word before them for their number.
    ///
    /// # Safety
    /// So many members were written there.
    #[allow(unsafe_code, reason = "native code writes lists in place")]
    pub(crate) unsafe fn take_in(&mut self, n: usize) -> Value {
        let offset = self.heap.len() as u32;
        self.heap.push(n as u64);
        // SAFETY: the caller wrote them.
        unsafe { self.heap.take_in(n) };
        Value::list(offset)
    }

    /// Drops what the last action left in the heap, if none of it was kept. `mark` is the heap's length before it.
    #[inline]
    pub fn sweep(&mut self, mark: usize, roots: &mut [&mut [u64]]) {
        if !self.stored {
            self.heap.truncate(mark);
            return;
        }
        if self.has_grown() {
            self.compact(roots);
        }
        self.stored = false;
        self.settled = self.settled.max(1);
    }

    /// Whether the heap is twice what it was when it was last gone through.
    pub fn has_grown(&self) -> bool {
        self.heap.len() > 4096 && self.heap.len() > 2 * self.settled
    }

    /// Lets go in the middle of a behavior what neither slots, journal nor roots have. Registers that are not read any
    /// more may hold anything: what points at no list becomes nil.
    pub fn sweep_running(&mut self, roots: &mut [&mut [u64]]) {
        let mut known = vec![None; self.heap.len()];
        for word in roots.iter_mut().flat_map(|words| words.iter_mut()) {
            if Value(*word).in_heap() && !is_list(&self.heap, *word as u32 as usize, &mut known) {
                *word = Value::NIL.0;
            }
        }
        self.compact(roots);
    }

    /// Bytes taken on the heap of the computer.
    pub fn bytes(&self) -> usize {
        8 * (self.slots.room() + self.heap.room() + self.history.capacity()) + self.journal.room() * size_of::<Change>()
    }

    /// Copies what is still reachable from slots, journal and roots, and lets the rest go.
    fn compact(&mut self, roots: &mut [&mut [u64]]) {
        let old = std::mem::take(&mut self.heap);
        let mut moved = std::collections::BTreeMap::new();
        // Whatever is empty points to the beginning: nothing else may come to lie there.
        self.heap.push(0);
        moved.insert(0, 0);
        for word in self.slots.iter_mut().chain(self.journal.iter_mut().map(|change| &mut change.old)) {
            *word = keep(Value(*word), &old, &mut self.heap, &mut moved).0;
        }
        for words in roots {
            for word in words.iter_mut() {
                *word = keep(Value(*word), &old, &mut self.heap, &mut moved).0;
            }
        }
        self.settled = self.heap.len();
        self.compactions = self.compactions.wrapping_add(1);
    }
}

/// Whether a list begins there: its members lie in the heap, and lists among them before it, as they do when it is made.
fn is_list(heap: &[u64], at: usize, known: &mut [Option<bool>]) -> bool {
    if let Some(&Some(is)) = known.get(at) {
        return is;
    }
    let members = heap.get(at).and_then(|&n| heap.get(at + 1..)?.get(..n as usize));
    let earlier = |word: u64| !Value(word).in_heap() || (word as u32 as usize) < at;
    let is = members.is_some_and(|members| {
        members.iter().all(|&word| earlier(word))
            && members.iter().all(|&word| !Value(word).in_heap() || is_list(heap, word as u32 as usize, known))
    });
    if at < heap.len() {
        known[at] = Some(is);
    }
    is
}

fn keep(value: Value, old: &[u64], heap: &mut Buffer<u64>, moved: &mut std::collections::BTreeMap<u32, u32>) -> Value {
    if !value.in_heap() {
        return value;
    }
    let from = value.0 as u32;
    if let Some(&to) = moved.get(&from) {
        return value.moved(to);
    }
    let len = old[from as usize] as usize;
    let members: Vec<u64> = old[from as usize + 1..from as usize + 1 + len]
        .iter()
        .map(|&word| keep(Value(word), old, heap, moved).0)
        .collect();
    let to = heap.len() as u32;
    heap.push(len as u64);
    heap.extend(members);
    moved.insert(from, to);
    value.moved(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_list_stays_empty_when_the_heap_is_laid_out_anew() {
        let mut memory = Memory { slots: vec![0].into(), heap: vec![0].into(), ..Memory::default() };
        let kept = memory.alloc([Value::small(7)]);
        memory.set(0, Value::list(kept));
        let mark = memory.heap.len();
        memory.alloc((0..5000).map(Value::small));
        memory.sweep(mark, &mut []);
        assert_eq!(memory.compactions, 1);
        assert!(memory.members(0).is_empty());
        assert_eq!(memory.members(memory.get(0).0 as u32), [Value::small(7).0]);
    }
}
