//! The members of a set of 64 bits, counted and found by number without a loop.

/// A set whose members can be drawn.
#[derive(Clone, Copy)]
pub struct Members {
    set: u64,
    /// In each byte, how many members lie in it and below.
    sums: u64,
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// Where in a byte its bit of each number stands.
static IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][n] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl Members {
    #[inline]
    pub fn of(set: u64) -> Self {
        let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        Members { set, sums: bytes.wrapping_mul(ONES) }
    }

    #[inline]
    pub fn len(&self) -> u32 {
        (self.sums >> 56) as u32
    }

    /// The other set if `wanted`, by arithmetic: a jump that nobody can foresee costs more than both.
    #[inline]
    pub fn or(self, other: Members, wanted: bool) -> Self {
        let mask = u64::from(wanted).wrapping_neg();
        Members { set: self.set ^ (self.set ^ other.set) & mask, sums: self.sums ^ (self.sums ^ other.sums) & mask }
    }

    /// The place of the member with this number, counted from 0; there must be so many.
    #[inline]
    pub fn nth(&self, n: u32) -> u32 {
        // A sum is at most 64, so a borrow never leaves its byte.
        let below = (((u64::from(n) * ONES) | (0x80 * ONES)) - self.sums) >> 7 & ONES;
        let shift = 8 * (below.wrapping_mul(ONES) >> 56) as u32;
        let before = (self.sums << 8 >> shift & 0xff) as u32;
        let byte = (self.set >> shift & 0xff) as usize;
        shift + u32::from(IN_BYTE[byte][(n - before) as usize & 7])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_by_number() {
        for set in [1, 1 << 63, u64::MAX, 0x8100_0000_1234_5679, 0xffff_ffff_ffff_ff00] {
            let members = Members::of(set);
            assert_eq!(members.len(), set.count_ones());
            let found: Vec<u32> = (0..members.len()).map(|n| members.nth(n)).collect();
            assert_eq!(found, (0..64).filter(|bit| set >> bit & 1 != 0).collect::<Vec<_>>(), "{set:x}");
        }
        assert_eq!(Members::of(0).len(), 0);
    }
}
