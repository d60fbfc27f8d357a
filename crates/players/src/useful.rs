use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use houserules_kernel::Choice;

/// How often a choice has ended the search of a position, wherever that was: the order in which choices are tried, known
/// as the history heuristic (Schaeffer, 1983).
#[derive(Default)]
pub(crate) struct Useful {
    counts: HashMap<Choice, u64, BuildHasherDefault<Mixer>>,
}

impl Useful {
    /// Once more, and how much that counts.
    pub fn was(&mut self, choice: &Choice, weight: u64) {
        match self.counts.get_mut(choice) {
            Some(count) => *count += weight,
            None => {
                self.counts.insert(choice.clone(), weight);
            }
        }
    }

    /// The most useful first; equals as they were.
    pub fn order(&self, choices: &mut [Choice]) {
        if !self.counts.is_empty() && choices.len() > 1 {
            choices.sort_by_cached_key(|choice| std::cmp::Reverse(self.counts.get(choice).copied().unwrap_or(0)));
        }
    }
}

/// Turns the few numbers of a choice into one. Every choice of every position is looked up, and the hasher of the standard
/// library, made for keys from strangers, would take longer than the search does.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        // A multiplier with well mixed bits; the upper half comes down, because tables look at the lower bits.
        let mixed = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_useful_come_first_and_equals_stay() {
        let choice = |number: u64| Choice::of(&[number, 1]);
        let mut useful = Useful::default();
        useful.was(&choice(3), 1);
        useful.was(&choice(4), 5);
        let mut choices: Vec<Choice> = (1..=5).map(choice).collect();
        useful.order(&mut choices);
        assert_eq!(choices, [4, 3, 1, 2, 5].map(choice));
    }
}
