//! How often somebody may do something.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many at once, refilled at a pace.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub per_second: f64,
    pub at_once: f64,
}

/// What is left for one.
#[derive(Clone, Debug)]
pub struct Bucket {
    left: f64,
    seen: Instant,
}

impl Bucket {
    pub fn full(pace: Pace) -> Self {
        Bucket { left: pace.at_once, seen: Instant::now() }
    }

    /// Takes one; false if none is left.
    pub fn take(&mut self, pace: Pace) -> bool {
        self.refill(pace);
        if self.left < 1.0 {
            return false;
        }
        self.left -= 1.0;
        true
    }

    /// What is missing until one can be had, in seconds; none: it can be had now.
    fn missing(&mut self, pace: Pace) -> Option<f64> {
        self.refill(pace);
        (self.left <= 0.0).then(|| -self.left / pace.per_second)
    }

    fn refill(&mut self, pace: Pace) {
        let now = Instant::now();
        let passed = now.duration_since(self.seen).as_secs_f64();
        self.left = (self.left + passed * pace.per_second).min(pace.at_once);
        self.seen = now;
    }

    fn is_full(&self, pace: Pace) -> bool {
        self.left + self.seen.elapsed().as_secs_f64() * pace.per_second >= pace.at_once
    }
}

/// A bucket for everybody who was there lately.
pub struct Buckets<K> {
    pace: Pace,
    known: Mutex<HashMap<K, Bucket>>,
}

/// Beyond so many, those that are full again are forgotten; beyond twice as many, everything is.
const MOST: usize = 10_000;
/// In seconds.
const LONGEST_WAIT: f64 = 60.0;

impl<K: Hash + Eq> Buckets<K> {
    pub fn new(pace: Pace) -> Self {
        Buckets { pace, known: Mutex::default() }
    }

    pub fn take(&self, key: K) -> bool {
        self.of(key, |bucket| bucket.take(self.pace))
    }

    /// Takes what was used; what was too much has to be made up for.
    pub fn charge(&self, key: K, amount: f64) {
        self.of(key, |bucket| bucket.left -= amount);
    }

    /// How long somebody has to wait until something is left; none: not at all.
    pub fn wait(&self, key: K) -> Option<Duration> {
        let missing = self.of(key, |bucket| bucket.missing(self.pace));
        // Whoever waits looks again.
        missing.map(|seconds| Duration::from_secs_f64(seconds.clamp(0.001, LONGEST_WAIT)))
    }

    fn of<T>(&self, key: K, with: impl FnOnce(&mut Bucket) -> T) -> T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.retain(|_, bucket| !bucket.is_full(self.pace));
        }
        if known.len() >= 2 * MOST {
            known.clear();
        }
        with(known.entry(key).or_insert_with(|| Bucket::full(self.pace)))
    }
}

/// How many of something everybody has at once.
pub struct Holds<K> {
    most: usize,
    held: Arc<Mutex<HashMap<K, usize>>>,
}

/// One of them. Dropped, it is given back.
pub struct Held<K: Hash + Eq> {
    key: K,
    of: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Hash + Eq + Clone> Holds<K> {
    pub fn new(most: usize) -> Self {
        Holds { most, held: Arc::default() }
    }

    /// One more for somebody; none if they have as many as allowed.
    pub fn hold(&self, key: K) -> Option<Held<K>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let n = held.entry(key.clone()).or_default();
        if *n >= self.most {
            return None;
        }
        *n += 1;
        Some(Held { key, of: self.held.clone() })
    }
}

impl<K: Hash + Eq> Drop for Held<K> {
    fn drop(&mut self) {
        let mut held = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = held.get_mut(&self.key) {
            *n -= 1;
            if *n == 0 {
                held.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_can_be_had_again() {
        let holds = Holds::new(2);
        let (one, two) = (holds.hold("a"), holds.hold("a"));
        assert!(one.is_some() && two.is_some() && holds.hold("a").is_none() && holds.hold("b").is_some());
        drop(one);
        assert!(holds.hold("a").is_some());
    }

    #[test]
    fn what_was_too_much_has_to_be_made_up_for() {
        let buckets = Buckets::new(Pace { per_second: 0.5, at_once: 3.0 });
        buckets.charge("one", 2.0);
        assert_eq!(buckets.wait("one"), None);
        buckets.charge("one", 11.0);
        let wait = buckets.wait("one").unwrap().as_secs_f64();
        assert!(wait <= 20.0 && wait > 10.0, "{wait}");
        assert_eq!(buckets.wait("other"), None);
    }

    #[test]
    fn so_many_are_allowed_at_once_to_each() {
        let buckets = Buckets::new(Pace { per_second: 0.001, at_once: 3.0 });
        let taken: Vec<bool> = (0..5).map(|_| buckets.take("one")).collect();
        assert_eq!(taken, [true, true, true, false, false]);
        assert!(buckets.take("other"));
    }
}
