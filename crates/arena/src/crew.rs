//! All cores at work on a list of jobs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

/// As many as this computer has.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does every job on one of `n_threads` threads and hands each result to `each`, here and in the order they are done.
///
/// When `stop` becomes true no further job is begun; those under way are finished and handed over. An error of `each` stops
/// everything in the same way and is given back.
pub fn run<J: Send, R: Send, E>(
    jobs: impl Iterator<Item = J> + Send,
    n_threads: usize,
    stop: &AtomicBool,
    work: impl Fn(J) -> R + Sync,
    mut each: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let jobs = Mutex::new(jobs);
    let failed = AtomicBool::new(false);
    // Nobody runs ahead of `each`: what is done but not handed over would be lost if everything ended now.
    let (sender, receiver) = mpsc::sync_channel(0);
    std::thread::scope(|scope| {
        for _ in 0..n_threads.max(1) {
            let (sender, jobs, work, failed) = (sender.clone(), &jobs, &work, &failed);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
                    // The lock is held only while a job is taken, never while it is done.
                    let Some(job) = jobs.lock().ok().and_then(|mut jobs| jobs.next()) else { break };
                    if sender.send(work(job)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut done = Ok(());
        for result in receiver {
            if done.is_ok() {
                done = each(result);
                failed.store(done.is_err(), Ordering::Relaxed);
            }
        }
        done
    })
}

/// A seed for one of many matches, so that match 7 is the same match whatever was played before it.
pub fn seed_of(seed: u64, lane: u64, number: u64) -> u64 {
    // The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
    let mut mixed = seed ^ lane.wrapping_mul(0xD1B5_4A32_D192_ED03) ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once_and_stopping_loses_nothing_that_was_begun() {
        let mut seen = Vec::new();
        let stop = AtomicBool::new(false);
        run(
            0..100,
            3,
            &stop,
            |job| job * 2,
            |done| {
                seen.push(done);
                Ok::<(), ()>(())
            },
        )
        .unwrap();
        seen.sort();
        assert_eq!(seen, (0..100).map(|job| job * 2).collect::<Vec<_>>());
        let begun = std::sync::atomic::AtomicU64::new(0);
        let mut handed = 0;
        let work = |_| begun.fetch_add(1, Ordering::Relaxed);
        run(0..1_000_000, 2, &stop, work, |_| {
            handed += 1;
            stop.store(handed == 10, Ordering::Relaxed);
            // Once is enough; without this the flag would be taken back by the results that still come.
            if handed > 10 {
                stop.store(true, Ordering::Relaxed);
            }
            Ok::<(), ()>(())
        })
        .unwrap();
        assert_eq!(handed, begun.load(Ordering::Relaxed));
        assert!(handed < 1_000_000);
    }

    #[test]
    fn an_error_stops_the_work() {
        let stop = AtomicBool::new(false);
        let done = run(0..1_000_000, 2, &stop, |job| job, |job| if job == 5 { Err("enough") } else { Ok(()) });
        assert_eq!(done, Err("enough"));
    }
}
