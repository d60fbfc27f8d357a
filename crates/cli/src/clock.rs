//! What time it is, in numbers and in words.

use std::time::{SystemTime, UNIX_EPOCH};

/// A number that was never there before.
pub fn seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64)
}

/// `2026-01-31T12:00:00Z`
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    words(seconds)
}

fn words(seconds: u64) -> String {
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The date so many days after the first of January 1970, by counting in years that begin in March (Hinnant,
/// "chrono-compatible low-level date algorithms").
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn seconds_are_told_as_dates() {
        assert_eq!(words(0), "1970-01-01T00:00:00Z");
        assert_eq!(words(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(words(1_769_860_799), "2026-01-31T11:59:59Z");
        assert_eq!(words(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
