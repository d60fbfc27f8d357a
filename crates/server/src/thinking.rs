//! The machine's thoughts, on threads of their own.

use crate::elsewhere::{self as others, Asked, THINK};
use crate::rate::{Buckets, Pace};
use houserules_bus::Station;
use houserules_bus::handing::{self, WORKER};
use houserules_kernel::Position;
use houserules_players::{Clock, Thought};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
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
    /// Who knows workers that think instead.
    elsewhere: OnceLock<Arc<Station>>,
    /// Whose turn it is among these.
    next: AtomicUsize,
}

/// What is thought about, and for whom.
pub struct Question {
    pub step: u32,
    pub seat: u8,
    pub level: u8,
    /// Whose time it takes: of whoever asked, or moved last; none: nobody is there.
    pub from: Option<IpAddr>,
    /// The match so far, for somebody elsewhere; none: it is thought about here.
    pub record: Option<String>,
}

/// What takes no longer than telling somebody else of it is thought here.
const QUICK: u8 = 3;

impl Thinkers {
    /// So many at once; so many seconds a minute for each address.
    pub fn new(n: usize, seconds: u32) -> Self {
        let seconds = f64::from(seconds.max(1));
        Self::at_pace(n, Pace { per_second: seconds / 60.0, at_once: 5.0 * seconds })
    }

    fn at_pace(n: usize, pace: Pace) -> Self {
        let (turns, seconds) = (Arc::new(Semaphore::new(n.max(1))), Arc::new(Buckets::new(pace)));
        Thinkers { turns, seconds, elsewhere: OnceLock::new(), next: AtomicUsize::new(0) }
    }

    /// From now on workers are asked, as long as there are any.
    pub fn think_elsewhere(&self, station: Arc<Station>) {
        // Once, when the server starts.
        let _ = self.elsewhere.set(station);
    }

    /// Whether a question should come with the record of the match.
    pub fn wants_record(&self, level: u8) -> bool {
        let is_worker = |id: &String| id.starts_with(WORKER);
        level > QUICK && self.elsewhere.get().is_some_and(|station| station.others().iter().any(is_worker))
    }

    /// Thinks about a copy of a position, then tells. A thought that was stopped tells nothing.
    pub fn think(
        &self,
        mut position: Box<dyn Position>,
        Question { step, seat, level, from, record }: Question,
        tell: impl FnOnce(Option<Thought>) + Send + 'static,
    ) -> Thinking {
        let stop = Arc::new(AtomicBool::new(false));
        let thinking = Thinking { step, seat, stop: stop.clone() };
        let (turns, seconds) = (self.turns.clone(), self.seconds.clone());
        let (elsewhere, at) = (self.elsewhere.get().cloned(), self.next.fetch_add(1, Ordering::Relaxed));
        tokio::spawn(async move {
            while let Some(wait) = seconds.wait(from) {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                tokio::time::sleep(wait).await;
            }
            let seed = u64::from(step) << 8 | u64::from(seat);
            if let (Some(station), Some(record)) = (elsewhere, record) {
                let (began, asked) = (Instant::now(), Asked { record, seat, level, seed });
                let asked = serde_json::to_vec(&asked).unwrap_or_default();
                let answer = tokio::select! {
                    answer = handing::ask_one(&station, THINK, &asked, at) => answer,
                    // Letting go of the question stops the worker.
                    () = stopped(&stop) => return,
                };
                seconds.charge(from, began.elapsed().as_secs_f64());
                // Whoever died of it, or is of another version, is no reason not to move.
                if let Some(thought) = answer.and_then(|answer| others::thought(&mut *position, seat, &answer)) {
                    return tell(Some(thought));
                }
            }
            // The semaphore is never closed.
            let Ok(permit) = turns.acquire_owned().await else { return };
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let stopped = stop.clone();
            let thought = tokio::task::spawn_blocking(move || {
                let began = Instant::now();
                let thought = others::chosen(&mut *position, seat, level, seed, &stop);
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

async fn stopped(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

/// So often it is looked whether a thought of somebody elsewhere is still wanted.
const LOOK: Duration = Duration::from_millis(20);

/// Time that jumps to the end of all thoughts when they are to stop.
pub(crate) fn clock(stop: Arc<AtomicBool>) -> Clock {
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
            let question = Question { step, seat: 0, level: 1, from: Some(from.parse().unwrap()), record: None };
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
