use houserules_kernel::ThingId;

/// A set of things.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

/// Numbers of things beyond this are no machine's: whoever made them up is not given the memory.
const MOST: u32 = 1 << 22;

impl Bits {
    pub fn insert(&mut self, thing: ThingId) {
        if thing.0 >= MOST {
            return;
        }
        let at = (thing.0 / 64) as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (thing.0 % 64);
    }

    pub fn contains(&self, thing: &ThingId) -> bool {
        self.0.get((thing.0 / 64) as usize).is_some_and(|word| word >> (thing.0 % 64) & 1 == 1)
    }
}

impl FromIterator<ThingId> for Bits {
    fn from_iter<I: IntoIterator<Item = ThingId>>(things: I) -> Bits {
        let mut bits = Bits::default();
        things.into_iter().for_each(|thing| bits.insert(thing));
        bits
    }
}
