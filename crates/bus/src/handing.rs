//! Jobs handed out to workers that come and go.
//!
//! A worker is a station whose name begins with [`WORKER`]. Whoever has jobs calls all that are heard, says what the jobs are
//! about, and sends each worker as many as it can do. A worker that is gone gives back what it had; a result counts once.

use crate::link::Link;
use crate::station::{Call, Station};
use bytes::{BufMut, Bytes, BytesMut};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};

/// How names of workers begin.
pub const WORKER: &str = "worker.";

/// Does a job, and leaves off when it is told to; what it gives then is not heard.
pub type Work = Arc<dyn Fn(&[u8], &Arc<AtomicBool>) -> Vec<u8> + Send + Sync>;
/// What a task is, or why it cannot be done here.
pub type Make = dyn Fn(&[u8]) -> Result<Work, String> + Send + Sync;

/// Jobs that wait at a worker for each that it does: it need not wait for the next one.
const AHEAD: usize = 2;
/// So often it is looked who has come.
const LOOK: Duration = Duration::from_millis(100);

const READY: u8 = b'r';
const REFUSED: u8 = b'x';
const JOB: u8 = b'j';
const DONE: u8 = b'd';

fn said(kind: u8, number: u64, rest: &[u8]) -> Bytes {
    let mut bytes = BytesMut::with_capacity(9 + rest.len());
    bytes.put_u8(kind);
    bytes.put_u64_le(number);
    bytes.put_slice(rest);
    bytes.freeze()
}

fn heard(bytes: &Bytes) -> Option<(u8, u64, Bytes)> {
    let number = u64::from_le_bytes(bytes.get(1..9)?.try_into().ok()?);
    Some((bytes[0], number, bytes.slice(9..)))
}

/// What came of handing out, beside results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    Came(String),
    /// Jobs it had are handed out again.
    Left {
        worker: String,
        jobs: usize,
    },
    /// It cannot do these jobs, and says why.
    Refused {
        worker: String,
        why: String,
    },
}

/// Hands out every job until all are done. When `stop` becomes true no further job is handed out, and those under way are
/// waited for. `each` gets every result once, in any order; its error ends everything.
pub async fn hand_out<E>(
    station: &Arc<Station>,
    task: &[u8],
    jobs: impl Iterator<Item = Bytes>,
    stop: &AtomicBool,
    mut each: impl FnMut(Bytes) -> Result<(), E>,
    mut tell: impl FnMut(Notice),
) -> Result<(), E> {
    let mut hands = Hands { waiting: VecDeque::new(), jobs: jobs.enumerate(), done: BTreeSet::new(), has_all: false };
    let mut workers: BTreeMap<String, Worker> = BTreeMap::new();
    let mut refused = BTreeSet::new();
    let (heard_from, mut hears) = mpsc::channel::<(String, Option<Bytes>)>(64);
    loop {
        for name in station.others() {
            if name.starts_with(WORKER) && !workers.contains_key(&name) && !refused.contains(&name) {
                let Ok(link) = station.call(&name, task, 1024) else { continue };
                let voice = link.voice();
                tokio::spawn(listen(link, name.clone(), heard_from.clone()));
                workers.insert(name, Worker { voice, room: 0, has: BTreeMap::new() });
            }
        }
        if !stop.load(Ordering::Relaxed) {
            for worker in workers.values_mut() {
                while worker.has.len() < worker.room
                    && let Some((number, job)) = hands.next()
                {
                    worker.voice.say(&said(JOB, number, &job));
                    worker.has.insert(number, job);
                }
            }
        }
        let under_way = workers.values().any(|worker| !worker.has.is_empty());
        let nothing_left = stop.load(Ordering::Relaxed) || hands.is_empty();
        if !under_way && nothing_left {
            return Ok(());
        }
        let Ok(Some((name, said))) = tokio::time::timeout(LOOK, hears.recv()).await else { continue };
        let Some(worker) = workers.get_mut(&name) else { continue };
        match said.as_ref().map(heard) {
            Some(Some((READY, room, _))) => {
                worker.room = AHEAD * room.max(1) as usize;
                tell(Notice::Came(name));
            }
            Some(Some((DONE, number, result))) => {
                worker.has.remove(&number);
                if hands.done.insert(number) {
                    each(result)?;
                }
            }
            Some(Some((REFUSED, _, why))) => {
                refused.insert(name.clone());
                workers.remove(&name);
                tell(Notice::Refused { worker: name, why: String::from_utf8_lossy(&why).into_owned() });
            }
            // It is gone, or says what nobody understands.
            None | Some(_) => {
                if let Some(worker) = workers.remove(&name) {
                    tell(Notice::Left { worker: name, jobs: worker.has.len() });
                    hands.waiting.extend(worker.has.into_iter().filter(|(number, _)| !hands.done.contains(number)));
                }
            }
        }
    }
}

struct Worker {
    voice: crate::link::Voice,
    /// Jobs it takes at once; none until it is ready.
    room: usize,
    has: BTreeMap<u64, Bytes>,
}

/// What is still to do.
struct Hands<J> {
    /// Given back.
    waiting: VecDeque<(u64, Bytes)>,
    jobs: J,
    done: BTreeSet<u64>,
    has_all: bool,
}

impl<J: Iterator<Item = (usize, Bytes)>> Hands<J> {
    fn next(&mut self) -> Option<(u64, Bytes)> {
        if let Some(given_back) = self.waiting.pop_front() {
            return Some(given_back);
        }
        let next = self.jobs.next().map(|(number, job)| (number as u64, job));
        self.has_all = next.is_none();
        next
    }

    /// Looks for one more, because whoever has jobs may not know how many.
    fn is_empty(&mut self) -> bool {
        if self.waiting.is_empty() && !self.has_all {
            let next = self.next();
            self.waiting.extend(next);
        }
        self.waiting.is_empty() && self.has_all
    }
}

async fn listen(mut link: Link, name: String, to: mpsc::Sender<(String, Option<Bytes>)>) {
    loop {
        let said = tokio::select! {
            said = link.receive() => said,
            // Nobody wants to know any more.
            () = to.closed() => return,
        };
        let has_ended = said.is_none();
        if to.send((name.clone(), said)).await.is_err() || has_ended {
            return;
        }
    }
}

/// Does jobs for whoever calls, so many at once. `make` says what a task is, or why it cannot be done here.
pub async fn work(mut calls: mpsc::Receiver<Call>, threads: usize, make: Arc<Make>) {
    let turns = Arc::new(Semaphore::new(threads.max(1)));
    while let Some(Call { link, head }) = calls.recv().await {
        tokio::spawn(serve(link, head, threads, make.clone(), turns.clone()));
    }
}

async fn serve(mut link: Link, head: Bytes, threads: usize, make: Arc<Make>, turns: Arc<Semaphore>) {
    let made = tokio::task::spawn_blocking(move || make(&head)).await;
    let work = match made {
        Ok(Ok(work)) => work,
        Ok(Err(why)) => return refuse(link, &why).await,
        // A mistake of ours: whoever called finds others.
        Err(error) => return refuse(link, &error.to_string()).await,
    };
    link.send(&said(READY, threads as u64, b""));
    let stop = Arc::new(AtomicBool::new(false));
    while let Some(told) = link.receive().await {
        let Some((JOB, number, job)) = heard(&told) else { continue };
        let (work, stop, turns, voice) = (work.clone(), stop.clone(), turns.clone(), link.voice());
        tokio::spawn(async move {
            // The semaphore is never closed.
            let Ok(permit) = turns.acquire_owned().await else { return };
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let done = tokio::task::spawn_blocking(move || work(&job, &stop)).await;
            drop(permit);
            if let Ok(result) = done {
                voice.say(&said(DONE, number, &result));
            }
        });
    }
    stop.store(true, Ordering::Relaxed);
}

async fn refuse(mut link: Link, why: &str) {
    link.send(&said(REFUSED, 0, why.as_bytes()));
    // Until it was heard.
    let _ = link.receive().await;
}

/// One job for whichever worker takes it first of all; none if there is no worker, or it dies of it.
pub async fn ask_one(station: &Arc<Station>, task: &[u8], job: &[u8], from: usize) -> Option<Bytes> {
    let workers: Vec<String> = station.others().into_iter().filter(|name| name.starts_with(WORKER)).collect();
    let name = workers.get(from.checked_rem(workers.len())?)?;
    let mut link = station.call(name, task, 16).ok()?;
    let (READY, ..) = heard(&link.receive().await?)? else { return None };
    link.send(&said(JOB, 0, job));
    match heard(&link.receive().await?)? {
        (DONE, _, result) => Some(result),
        _ => None,
    }
}
