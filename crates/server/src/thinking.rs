//! The machine's thoughts, on threads of their own.

use houserules_kernel::{Position, SeatId, Who};
use houserules_players::{Clock, Level, Thought};
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

/// Lets so many think at once.
pub struct Thinkers(Arc<Semaphore>);

impl Thinkers {
    pub fn new(n: usize) -> Self {
        Thinkers(Arc::new(Semaphore::new(n.max(1))))
    }

    /// Thinks about a copy of a position, then tells. A thought that was stopped tells nothing.
    pub fn think(
        &self,
        mut position: Box<dyn Position>,
        (step, seat, level): (u32, u8, u8),
        tell: impl FnOnce(Option<Thought>) + Send + 'static,
    ) -> Thinking {
        let stop = Arc::new(AtomicBool::new(false));
        let thinking = Thinking { step, seat, stop: stop.clone() };
        let turns = self.0.clone();
        tokio::spawn(async move {
            // The semaphore is never closed.
            let Ok(permit) = turns.acquire_owned().await else { return };
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let stopped = stop.clone();
            let thought = tokio::task::spawn_blocking(move || {
                let seed = u64::from(step) << 8 | u64::from(seat);
                let mut player = Level::new(level.clamp(1, 10))?.player(seed, Some(clock(stop)));
                player.choose(&mut *position, Who::Seat(SeatId(seat))).ok()
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
