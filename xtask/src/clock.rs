//! Seconds that this thread was given by the computer: other programs take their turns without being counted.

/// Seconds of the processor that this thread has used so far.
#[cfg(unix)]
pub fn thread_seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Elsewhere the clock on the wall must do.
#[cfg(not(unix))]
pub fn thread_seconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Does something again and again for so many seconds of the thread, and says how long it took.
///
/// The clock is read about once a millisecond: reading it takes as long as a short playout.
pub fn repeat<E>(seconds: f64, mut again: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    const SELDOM: f64 = 1e-3;
    let began = thread_seconds();
    let (mut before, mut at_once) = (began, 1_u64);
    loop {
        for _ in 0..at_once {
            again()?;
        }
        let now = thread_seconds();
        if now - began >= seconds {
            return Ok(now - began);
        }
        if now - before < SELDOM {
            at_once *= 2;
        }
        before = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_takes_its_time() {
        let mut n = 0_u64;
        let seconds = repeat(0.01, || {
            n = std::hint::black_box(n + 1);
            Ok::<(), String>(())
        });
        assert!(n > 0 && (0.01..1.0).contains(&seconds.unwrap()));
        assert_eq!(repeat(1.0, || Err("stop")), Err("stop"));
    }
}
