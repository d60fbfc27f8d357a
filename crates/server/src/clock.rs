//! How much time each seat has left.

use houserules_protocol::table::{ClockKind, Clocks};

/// Milliseconds since 1970.
pub fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// `2026-01-31T12:00:00Z`, by counting in years that begin in March (Hinnant, "chrono-compatible low-level date algorithms").
pub fn words(at: u64) -> String {
    let seconds = at / 1000;
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The clocks of a match. Time runs for those who are asked.
#[derive(Clone, Debug)]
pub struct Clock {
    kind: ClockKind,
    left: Vec<u64>,
    running: Vec<u8>,
    since: u64,
}

/// Shorter than that, nobody's time runs while the server does not.
const BY_LETTER: u64 = 86_400_000;

impl Clock {
    pub fn new(kind: ClockKind, n_seats: usize) -> Self {
        Clock { kind, left: vec![full(kind); n_seats], running: Vec::new(), since: 0 }
    }

    pub fn runs(&self) -> bool {
        self.kind != ClockKind::None && !self.running.is_empty()
    }

    /// From now on, time runs for these; `moved` has just chosen.
    pub fn turn(&mut self, asked: &[u8], moved: Option<u8>, now: u64) {
        self.pass(now);
        match (self.kind, moved) {
            (ClockKind::Match { increment, .. }, Some(moved)) => {
                if let Some(left) = self.left.get_mut(usize::from(moved)) {
                    *left += u64::from(increment) * 1000;
                }
            }
            (ClockKind::Move { .. }, _) => {
                for &seat in asked.iter().filter(|&&seat| Some(seat) == moved || !self.running.contains(&seat)) {
                    if let Some(left) = self.left.get_mut(usize::from(seat)) {
                        *left = full(self.kind);
                    }
                }
            }
            _ => {}
        }
        self.running = if self.kind == ClockKind::None { Vec::new() } else { asked.to_vec() };
    }

    /// The server was away: short clocks stood still meanwhile.
    pub fn wake(&mut self, now: u64) {
        if full(self.kind) < BY_LETTER {
            self.since = now;
        }
    }

    /// The first whose time is up.
    pub fn flag(&mut self, now: u64) -> Option<u8> {
        self.pass(now);
        self.running.iter().copied().find(|&seat| self.left[usize::from(seat)] == 0)
    }

    /// Milliseconds until somebody's time is up.
    pub fn next(&self, now: u64) -> Option<u64> {
        let passed = now.saturating_sub(self.since);
        self.running.iter().map(|&seat| self.left[usize::from(seat)].saturating_sub(passed)).min()
    }

    pub fn shown(&mut self, now: u64) -> Option<Clocks> {
        if self.kind == ClockKind::None {
            return None;
        }
        self.pass(now);
        Some(Clocks { left: self.left.clone(), running: self.running.clone() })
    }

    fn pass(&mut self, now: u64) {
        let passed = now.saturating_sub(self.since);
        for &seat in &self.running {
            let left = &mut self.left[usize::from(seat)];
            *left = left.saturating_sub(passed);
        }
        self.since = now;
    }
}

fn full(kind: ClockKind) -> u64 {
    match kind {
        ClockKind::None => u64::MAX,
        ClockKind::Match { seconds, .. } | ClockKind::Move { seconds } => u64::from(seconds) * 1000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [TB42]
    #[test]
    fn time_runs_for_whoever_is_asked() {
        let mut clock = Clock::new(ClockKind::Match { seconds: 10, increment: 2 }, 2);
        clock.turn(&[0], None, 1_000);
        clock.turn(&[1], Some(0), 4_000);
        assert_eq!(clock.shown(5_000).unwrap(), Clocks { left: vec![9_000, 9_000], running: vec![1] });
        assert_eq!((clock.flag(13_999), clock.next(13_999)), (None, Some(1)));
        assert_eq!(clock.flag(14_000), Some(1));
        // Nobody's: paused.
        clock.turn(&[], None, 14_000);
        assert_eq!((clock.flag(99_000), clock.runs()), (None, false));
    }

    #[test]
    fn time_for_a_move_begins_anew_with_each() {
        let mut clock = Clock::new(ClockKind::Move { seconds: 5 }, 2);
        clock.turn(&[0, 1], None, 0);
        clock.turn(&[1], Some(0), 3_000);
        assert_eq!(clock.shown(3_000).unwrap().left, [2_000, 2_000]);
        clock.turn(&[0], Some(1), 4_000);
        assert_eq!(clock.shown(4_000).unwrap().left[0], 5_000);
        clock.wake(50_000);
        assert_eq!(clock.next(51_000), Some(4_000));
    }

    #[test]
    fn times_are_told_as_dates() {
        assert_eq!(words(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(words(1_769_860_799_123), "2026-01-31T11:59:59Z");
    }
}
