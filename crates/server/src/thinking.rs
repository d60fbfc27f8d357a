//! The machine's thoughts, on threads of their own.

use crate::rate::{Buckets, Pace};
use houserules_kernel::{Position, SeatId, Who};
use houserules_players::{Clock, Level, Thought};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Somebody is being thought for. Dropped, the thought is stopped.
pub struct Thinking {
    pub step: u32,
    pub seat: u8,
    stop: Arc<AtomicBool>,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Lets so many think at once, and for each address no longer than it may.
pub struct Thinkers {
    turns: Arc<Semaphore>,
    seconds: Arc<Buckets<Option<IpAddr>>>,
}

/// What is thought about, and for whom.
pub struct Question {
    pub step: u32,
    pub seat: u8,
    pub level: u8,
    /// Whose time it takes: of whoever asked, or moved last; none: nobody is there.
    pub from: Option<IpAddr>,
}

impl Thinkers {
    /// So many at once; so many seconds a minute for each address.
    pub fn new(n: usize, seconds: u32) -> Self {
        let seconds = f64::from(seconds.max(1));
        Self::at_pace(n, Pace { per_second: seconds / 60.0, at_once: 5.0 * seconds })
    }

    fn at_pace(n: usize, pace: Pace) -> Self {
        Thinkers { turns: Arc::new(Semaphore::new(n.max(1))), seconds: Arc::new(Buckets::new(pace)) }
    }

    /// Thinks about a copy of a position, then tells. A thought that was stopped tells nothing.
    pub fn think(
        &self,
        mut position: Box<dyn Position>,
        Question { step, seat, level, from }: Question,
        tell: impl FnOnce(Option<Thought>) + Send + 'static,
    ) -> Thinking {
        let stop = Arc::new(AtomicBool::new(false));
        let thinking = Thinking { step, seat, stop: stop.clone() };
        let (turns, seconds) = (self.turns.clone(), self.seconds.clone());
        tokio::spawn(async move {
            while let Some(wait) = seconds.wait(from) {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                tokio::time::sleep(wait).await;
            }
            // The semaphore is never closed.
            let Ok(permit) = turns.acquire_owned().await else { return };
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let stopped = stop.clone();
            let thought = tokio::task::spawn_blocking(move || {
                let seed = u64::from(step) << 8 | u64::from(seat);
                let began = Instant::now();
                let mut player = Level::new(level.clamp(1, 10))?.player(seed, Some(clock(stop)));
                let thought = player.choose(&mut *position, Who::Seat(SeatId(seat))).ok();
                seconds.charge(from, began.elapsed().as_secs_f64());
                thought
            });
            // A thought that panics is a mistake of ours, and costs this thought alone.
            let thought = thought.await.ok().flatten();
            drop(permit);
            if !stopped.load(Ordering::Relaxed) {
                tell(thought);
            }
        });
        thinking
    }
}

/// Time that jumps to the end of all thoughts when they are to stop.
fn clock(stop: Arc<AtomicBool>) -> Clock {
    let began = Instant::now();
    Arc::new(move || match stop.load(Ordering::Relaxed) {
        true => Duration::from_secs(1_000_000_000),
        false => began.elapsed(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserules_kernel::Rulebook;
    use tokio::sync::mpsc;

    /// [TB49]: whoever has used up their time waits; others do not wait for them, and whoever does not want to know any more is not
    /// thought for.
    #[tokio::test(flavor = "multi_thread")]
    async fn the_machine_thinks_for_one_address_no_longer_than_it_may() {
        let nim = houserules_library::find("nim").unwrap().compile(&Default::default()).unwrap();
        let thinkers = Thinkers::at_pace(2, Pace { per_second: 1e-9, at_once: 1e-9 });
        let (told, mut heard) = mpsc::unbounded_channel();
        let ask = |step: u32, from: &str| {
            let told = told.clone();
            let question = Question { step, seat: 0, level: 1, from: Some(from.parse().unwrap()) };
            thinkers.think(nim.open().unwrap(), question, move |thought| {
                told.send((step, thought.is_some())).unwrap();
            })
        };
        let _first = ask(1, "192.0.2.1");
        assert_eq!(heard.recv().await, Some((1, true)));
        let _second = ask(2, "192.0.2.1");
        for step in 3..6 {
            let _other = ask(step, &format!("198.51.100.{step}"));
            assert_eq!(heard.recv().await, Some((step, true)), "the second of the first one is not before it");
        }
        assert!(heard.try_recv().is_err());
    }
}
