/// What is known of positions, by fingerprint.
///
/// Takes up to a fixed amount of memory, and no more than it needs until then. Positions lie in pairs: of two that meet,
/// the one that took more work stays, and the newest.
pub(crate) struct Table<T> {
    entries: Vec<Option<Entry<T>>>,
    n_used: usize,
    most: usize,
}

#[derive(Clone)]
struct Entry<T> {
    key: u64,
    work: u32,
    known: T,
}

/// Entries at the beginning, where that many are allowed.
const AT_FIRST: usize = 1 << 12;

impl<T: Clone> Table<T> {
    /// Never takes more than so many bytes, but room for two.
    pub fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Option<Entry<T>>>()).max(2);
        // The largest power of two that fits.
        let most = 1 << most.ilog2();
        Table { entries: vec![None; most.min(AT_FIRST)], n_used: 0, most }
    }

    /// Positions that are remembered.
    pub fn n_used(&self) -> usize {
        self.n_used
    }

    /// Positions that could be.
    pub fn room(&self) -> usize {
        self.most
    }

    pub fn get(&self, key: u64) -> Option<&T> {
        self.pair(key).iter().flatten().find(|entry| entry.key == key).map(|entry| &entry.known)
    }

    pub fn put(&mut self, key: u64, known: T, work: u64) {
        let entry = Entry { key, work: work.min(u32::MAX.into()) as u32, known };
        if self.n_used > self.entries.len() / 2 && self.entries.len() < self.most {
            self.grow();
        }
        self.place(entry);
    }

    fn grow(&mut self) {
        let twice = vec![None; self.entries.len() * 2];
        self.n_used = 0;
        for entry in std::mem::replace(&mut self.entries, twice).into_iter().flatten() {
            self.place(entry);
        }
    }

    fn place(&mut self, entry: Entry<T>) {
        let at = self.first(entry.key);
        let pair = &self.entries[at..at + 2];
        let same = pair.iter().position(|old| old.as_ref().is_some_and(|old| old.key == entry.key));
        let empty = pair.iter().position(Option::is_none);
        let which = match (same, empty, &pair[0]) {
            (Some(which), ..) => which,
            (None, Some(which), _) => {
                self.n_used += 1;
                which
            }
            (None, None, Some(first)) if entry.work >= first.work => 0,
            (None, None, _) => 1,
        };
        self.entries[at + which] = Some(entry);
    }

    fn first(&self, key: u64) -> usize {
        (key as usize).wrapping_mul(2) & (self.entries.len() - 1)
    }

    fn pair(&self, key: u64) -> &[Option<Entry<T>>] {
        let at = self.first(key);
        &self.entries[at..at + 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_within_its_memory_and_what_took_most_work() {
        let mut table = Table::new(2 * size_of::<Option<Entry<u64>>>() + 8);
        assert_eq!(table.room(), 2);
        table.put(8, 80_u64, 100);
        table.put(16, 160, 5);
        table.put(24, 240, 7);
        assert_eq!((table.get(8), table.get(16), table.get(24)), (Some(&80), None, Some(&240)));
        assert_eq!(table.n_used(), 2);
    }

    #[test]
    fn a_table_that_grows_forgets_nothing() {
        let mut table = Table::new(64 << 20);
        let mut generator = houserules_kernel::Generator::new(1);
        let keys: Vec<u64> = (0..40_000).map(|_| generator.next()).collect();
        keys[..2000].iter().for_each(|&key| table.put(key, key, 2));
        let kept = |table: &Table<u64>| keys[..2000].iter().filter(|&&key| table.get(key) == Some(&key)).count();
        let before = kept(&table);
        keys[2000..].iter().for_each(|&key| table.put(key, key, 1));
        assert!(table.entries.len() > AT_FIRST && 10 * kept(&table) > 8 * before, "{} of {before}", kept(&table));
    }
}
