use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The named generator of every match: xoshiro256++ with ranges and shuffles of our own, because
/// libraries change theirs between versions and a record must replay for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generator(Xoshiro256PlusPlus);

impl Generator {
    pub fn new(seed: u64) -> Self {
        Generator(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    #[inline]
    #[expect(clippy::should_implement_trait, reason = "an endless iterator would invite `collect`")]
    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 up to but not including `bound`, all equally likely (Lemire's multiplication with rejection).
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a draw needs something to draw from");
        loop {
            let product = u128::from(self.next()) * u128::from(bound);
            let low = product as u64;
            if low >= bound || is_fair(low, bound) {
                return (product >> 64) as u64;
            }
        }
    }

    /// Fisher and Yates, from the end.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// Whether a number drawn belongs to a share that is as large as the others. Seldom asked, and a division.
#[cold]
fn is_fair(low: u64, bound: u64) -> bool {
    low >= bound.wrapping_neg() % bound
}
