//! Fast random numbers: good enough for playouts, and nothing that a record depends on.

/// Wang Yi's wyrand: one multiplication a word.
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Draw(seed)
    }

    #[inline]
    pub fn word(&mut self) -> Word {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        Word((product >> 64) as u64 ^ product as u64)
    }

    /// A number below `bound`, which is small: the bias is less than `bound` in 2^64.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        self.word().below(bound)
    }
}

/// A random word that is used up by several small draws: after draws below a, b and c the bias is a·b·c in 2^64.
pub struct Word(u64);

impl Word {
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let product = u128::from(self.0) * u128::from(bound);
        self.0 = product as u64;
        (product >> 64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_even() {
        let mut draw = Draw::new(1);
        let mut pairs = [[0_u32; 5]; 7];
        for _ in 0..70_000 {
            let mut word = draw.word();
            pairs[word.below(7) as usize][word.below(5) as usize] += 1;
        }
        // 2000 each, give or take 45.
        assert!(pairs.iter().flatten().all(|n| (1800..2200).contains(n)), "{pairs:?}");
    }
}
