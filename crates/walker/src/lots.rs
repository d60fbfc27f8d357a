//! How often what is named first of several things is drawn by lot.

/// All of the first pick's lots; a multiple of it would not fit beside those of ten thousand others.
const FIRST: u64 = 1 << 31;

/// `left` of the things numbered from `first` below `n` are still to be named in their order: how often `pick` is the next,
/// in proportion to the others. With it every selection comes equally often, although the later things of the list can be
/// next in far fewer of them.
pub fn of_pick(n: u64, first: u64, left: u64, pick: u64) -> u32 {
    let others = left.saturating_sub(1);
    let mut lot = FIRST;
    for passed in first..pick {
        // Selections without a thing, for each one with it.
        let behind = n.saturating_sub(1 + passed);
        lot = lot * behind.saturating_sub(others) / behind.max(1);
    }
    lot.max(1) as u32
}

#[cfg(test)]
mod tests {
    use super::of_pick;

    #[test]
    fn every_pair_of_five_is_equally_likely() {
        let lots: Vec<u32> = (0..4).map(|pick| of_pick(5, 0, 2, pick)).collect();
        let part = lots[3];
        assert_eq!(lots, [4 * part, 3 * part, 2 * part, part]);
        assert_eq!((1..5).map(|pick| of_pick(5, 1, 1, pick)).collect::<Vec<_>>(), vec![1 << 31; 4]);
    }

    /// Rounding may cost a lot, but not all of them: what can be chosen can be drawn.
    #[test]
    fn nothing_is_impossible_in_a_long_list() {
        assert!((0..300).all(|pick| of_pick(361, 0, 60, pick) > 0));
    }
}
