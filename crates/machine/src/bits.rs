//! Sets of bits: which one is drawn.

#![allow(unsafe_code, reason = "instructions that were just looked for")]

use houserules_kernel::Generator;

/// Draws one of all bits that are set in some words: in which word, and where. None if there is none.
#[inline]
pub(crate) fn draw(words: &[u64], generator: &mut Generator) -> Option<(usize, u32)> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has these instructions.
        return unsafe { draw_by_deposit(words, generator) };
    }
    draw_with(words, generator, select_slowly)
}

/// The same for processors that find a set bit by its rank in one instruction.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt")]
fn draw_by_deposit(words: &[u64], generator: &mut Generator) -> Option<(usize, u32)> {
    draw_with(words, generator, |word, rank| std::arch::x86_64::_pdep_u64(1 << rank, word).trailing_zeros())
}

#[inline(always)]
fn draw_with(words: &[u64], generator: &mut Generator, select: impl Fn(u64, u32) -> u32) -> Option<(usize, u32)> {
    let n: u32 = words.iter().map(|word| word.count_ones()).sum();
    if n == 0 {
        return None;
    }
    let rank = generator.below(u64::from(n)) as u32;
    // Without a way out of the loop: in which word it lies cannot be foreseen.
    let (mut at, mut before, mut sum) = (0, 0, 0);
    for word in words {
        sum += word.count_ones();
        let past = rank >= sum;
        at += usize::from(past);
        before = if past { sum } else { before };
    }
    Some((at, select(words[at], rank - before)))
}

/// The position of the set bit with so many set bits below it.
pub(crate) fn select(word: u64, rank: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has it.
        return unsafe { std::arch::x86_64::_pdep_u64(1 << rank, word) }.trailing_zeros();
    }
    select_slowly(word, rank)
}

pub(crate) fn select_slowly(word: u64, mut rank: u32) -> u32 {
    let (mut word, mut at) = (word, 0);
    for width in [32, 16, 8] {
        let low = (word & ((1u64 << width) - 1)).count_ones();
        if rank >= low {
            rank -= low;
            word >>= width;
            at += width;
        }
    }
    for _ in 0..rank {
        word &= word - 1;
    }
    at + word.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_finds_each_set_bit() {
        for word in [1, 0b1011, u64::MAX, 1 << 63, 0xf0f0_1234_0000_8001] {
            let bits: Vec<u32> = (0..64).filter(|bit| word >> bit & 1 == 1).collect();
            let found: Vec<u32> = (0..bits.len() as u32).map(|rank| select(word, rank)).collect();
            assert_eq!(found, bits);
            let slowly: Vec<u32> = (0..bits.len() as u32).map(|rank| select_slowly(word, rank)).collect();
            assert_eq!(slowly, bits);
        }
    }

    #[test]
    fn every_set_bit_is_drawn_equally_often() {
        let words = [0b1011, 0, 1 << 63, 0];
        let (mut drawn, mut generator) = (std::collections::BTreeMap::new(), Generator::new(7));
        for _ in 0..4000 {
            *drawn.entry(draw(&words, &mut generator).unwrap()).or_insert(0) += 1;
        }
        assert_eq!(drawn.keys().copied().collect::<Vec<_>>(), [(0, 0), (0, 1), (0, 3), (2, 63)]);
        assert!(drawn.values().all(|n| (880..1120).contains(n)), "{drawn:?}");
        let slowly = |seed| draw_with(&words, &mut Generator::new(seed), select_slowly);
        assert!((0..50).all(|seed| slowly(seed) == draw(&words, &mut Generator::new(seed))));
        assert_eq!(draw(&[0, 0], &mut generator), None);
    }
}
