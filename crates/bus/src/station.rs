//! One of those that hear each other, and the links it has.

use crate::frame::{Frame, Kind, opened, opening};
use crate::hearing::{Away, Bus};
use crate::link::{How, Key, Link};
use bytes::Bytes;
use futures_util::StreamExt;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Somebody on a bus, under a name of its own, whom others can call.
///
/// # Invariants
/// - A link carries every message once and in order, or ends.
/// - Whoever notices that something may have been lost ends all its links and says so with its next beat, so that no other
///   station waits on a link that is gone.
pub struct Station {
    id: Arc<str>,
    /// What goes out, in order.
    out: mpsc::UnboundedSender<(String, Bytes)>,
    calls: mpsc::Sender<Call>,
    /// Locked only to look something up, never while anything is awaited.
    state: Mutex<State>,
}

/// Somebody has called.
pub struct Call {
    pub link: Link,
    /// What for.
    pub head: Bytes,
}

struct State {
    links: HashMap<Key, Open>,
    /// Everybody heard lately, oneself included.
    heard: HashMap<Arc<str>, Beat>,
    /// How often this station has ended all its links.
    epoch: u64,
}

struct Beat {
    at: Instant,
    /// None: it has called, and not said yet how often it began anew.
    epoch: Option<u64>,
}

struct Open {
    peer: Arc<str>,
    inbox: mpsc::Sender<Bytes>,
    /// The number of the next frame from the other side, and of the next one to it.
    next_in: u32,
    next_out: u32,
    /// What has come of a message so far.
    parts: Vec<u8>,
    how: Arc<AtomicU8>,
}

/// So often a station says that it is there.
const BEAT: Duration = Duration::from_millis(300);
/// Who is not heard for so long is gone, oneself included.
const SILENCE: Duration = Duration::from_millis(2_500);
/// The epoch of a station that goes.
const FAREWELL: u64 = u64::MAX;
/// NATS takes a megabyte at most.
const PART: usize = 256 * 1024;
/// Messages that wait on a link for whoever was called, and calls that wait.
const ROOM: usize = 1024;
const BEATS: &str = "houserules.beats";

fn subject(station: &str) -> String {
    format!("houserules.at.{station}")
}

/// A name that nobody else has.
pub fn random_id() -> Result<String, String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| format!("The system gives no randomness: {error}."))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Station {
    /// Comes onto a bus. Whoever calls this station is given out by the receiver.
    pub async fn start(bus: Arc<dyn Bus>, id: &str) -> Result<(Arc<Self>, mpsc::Receiver<Call>), Away> {
        let (out, mut outgoing) = mpsc::unbounded_channel::<(String, Bytes)>();
        let (calls, called) = mpsc::channel(ROOM);
        let id: Arc<str> = id.into();
        let own = subject(&id);
        let (mut inbox, mut beats) = (bus.listen(&own).await?, bus.listen(BEATS).await?);
        let state = State { links: HashMap::new(), heard: HashMap::new(), epoch: 0 };
        let station = Arc::new(Station { id, out, calls, state: Mutex::new(state) });
        let weak = Arc::downgrade(&station);
        let pump = weak.clone();
        tokio::spawn(async move {
            while let Some((to, bytes)) = outgoing.recv().await {
                if let Err(error) = bus.send(&to, bytes).await
                    && let Some(station) = pump.upgrade()
                {
                    tracing::debug!(%error, "something could not be sent");
                    station.begin_anew();
                }
            }
        });
        let hears = weak.clone();
        tokio::spawn(async move {
            while let Some(bytes) = inbox.next().await {
                let Some(station) = hears.upgrade() else { return };
                station.take(&bytes);
            }
        });
        let hears = weak.clone();
        tokio::spawn(async move {
            while let Some(bytes) = beats.next().await {
                let Some(station) = hears.upgrade() else { return };
                station.hear(&bytes);
            }
        });
        tokio::spawn(beat(weak));
        Ok((station, called))
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a station was heard lately; of its own id: whether the bus carries anything.
    pub fn hears(&self, station: &str) -> bool {
        self.state().heard.get(station).is_some_and(|beat| beat.at.elapsed() < SILENCE)
    }

    /// All others that were heard lately.
    pub fn others(&self) -> Vec<String> {
        let state = self.state();
        let there = state.heard.iter().filter(|(id, beat)| **id != self.id && beat.at.elapsed() < SILENCE);
        let mut others: Vec<String> = there.map(|(id, _)| id.to_string()).collect();
        others.sort();
        others
    }

    /// A link to another station. If that is not there, it ends soon.
    pub fn call(self: &Arc<Self>, peer: &str, head: &[u8], room: usize) -> Result<Link, String> {
        let mut id = [0; 8];
        getrandom::fill(&mut id).map_err(|error| format!("The system gives no randomness: {error}."))?;
        let key = Key { link: u64::from_le_bytes(id), is_caller: true };
        let peer: Arc<str> = peer.into();
        let link = self.enter(key, &peer, room, 0);
        let mut state = self.state();
        if let Some(open) = state.links.get_mut(&key) {
            self.write(key, open, Kind::Open, opening(&self.id, head));
        }
        Ok(link)
    }

    fn enter(self: &Arc<Self>, key: Key, peer: &Arc<str>, room: usize, next_in: u32) -> Link {
        let (inbox, receiver) = mpsc::channel(room.max(1));
        let how = Arc::new(AtomicU8::new(How::Open as u8));
        let open = Open { peer: peer.clone(), inbox, next_in, next_out: 0, parts: Vec::new(), how: how.clone() };
        self.state().links.insert(key, open);
        Link { key, peer: peer.clone(), station: self.clone(), inbox: receiver, how }
    }

    /// Sends a frame. Only with the state locked: numbers go out in their order.
    fn write(&self, key: Key, open: &mut Open, kind: Kind, body: Bytes) {
        let frame = Frame { kind, link: key.link, by_caller: key.is_caller, number: open.next_out, body };
        open.next_out += 1;
        // The pump ends with the station.
        let _ = self.out.send((subject(&open.peer), frame.write()));
    }

    pub(crate) fn say(&self, key: Key, message: &Bytes) {
        let mut state = self.state();
        let Some(open) = state.links.get_mut(&key) else { return };
        let mut from = 0;
        while message.len() - from > PART {
            self.write(key, open, Kind::Part, message.slice(from..from + PART));
            from += PART;
        }
        self.write(key, open, Kind::Whole, message.slice(from..));
    }

    pub(crate) fn hang_up(&self, key: Key) {
        let mut state = self.state();
        if let Some(mut open) = state.links.remove(&key) {
            self.write(key, &mut open, Kind::Close, Bytes::new());
        }
    }

    /// Ends links, some of them or all, as if the line was cut.
    fn lose(&self, state: &mut State, is_lost: impl Fn(&Open) -> bool, tell: bool) {
        let lost: Vec<Key> = state.links.iter().filter(|(_, open)| is_lost(open)).map(|(key, _)| *key).collect();
        for key in lost {
            if let Some(mut open) = state.links.remove(&key) {
                open.how.store(How::Lost as u8, Ordering::Relaxed);
                if tell {
                    self.write(key, &mut open, Kind::Close, Bytes::new());
                }
            }
        }
    }

    /// Something may have been lost: nothing that was begun goes on.
    fn begin_anew(&self) {
        let mut state = self.state();
        state.epoch += 1;
        self.lose(&mut state, |_| true, false);
    }

    fn hear(&self, bytes: &Bytes) {
        let said = std::str::from_utf8(bytes).ok().and_then(|said| said.split_once(' '));
        let Some((id, Ok(epoch))) = said.map(|(id, epoch)| (id, epoch.parse::<u64>())) else { return };
        let mut state = self.state();
        let before = state.heard.get(id).and_then(|beat| beat.epoch);
        // Its last words are still on their way, on its links.
        if epoch == FAREWELL {
            state.heard.remove(id);
            return;
        }
        if *self.id != *id && before.is_some_and(|before| before != epoch) {
            self.lose(&mut state, |open| *open.peer == *id, false);
        }
        state.heard.insert(id.into(), Beat { at: Instant::now(), epoch: Some(epoch) });
    }

    fn take(self: &Arc<Self>, bytes: &Bytes) {
        let Some(frame) = Frame::read(bytes) else { return };
        let key = Key { link: frame.link, is_caller: !frame.by_caller };
        if frame.kind == Kind::Open {
            let Some((caller, head)) = opened(&frame.body) else { return };
            let caller: Arc<str> = caller.as_str().into();
            // Who has just come may call before the first beat is heard.
            self.state().heard.entry(caller.clone()).or_insert(Beat { at: Instant::now(), epoch: None });
            let link = self.enter(key, &caller, ROOM, 1);
            // A link that nobody takes is closed.
            let _ = self.calls.try_send(Call { link, head });
            return;
        }
        let mut state = self.state();
        // Of a link that has ended here.
        let Some(open) = state.links.get_mut(&key) else { return };
        if open.next_in != frame.number {
            tracing::warn!(peer = %open.peer, "a message of the bus is missing");
            drop(state);
            self.begin_anew();
            return;
        }
        open.next_in += 1;
        match frame.kind {
            Kind::Open => {}
            Kind::Part => open.parts.extend_from_slice(&frame.body),
            Kind::Whole => {
                let message = match open.parts.is_empty() {
                    true => frame.body,
                    false => {
                        open.parts.extend_from_slice(&frame.body);
                        std::mem::take(&mut open.parts).into()
                    }
                };
                let taken = open.inbox.try_send(message);
                if let Err(error) = taken {
                    let how = match error {
                        mpsc::error::TrySendError::Full(_) => How::Overrun,
                        mpsc::error::TrySendError::Closed(_) => How::Closed,
                    };
                    open.how.store(how as u8, Ordering::Relaxed);
                    if let Some(mut open) = state.links.remove(&key) {
                        self.write(key, &mut open, Kind::Close, Bytes::new());
                    }
                }
            }
            Kind::Close => {
                open.how.store(How::Closed as u8, Ordering::Relaxed);
                state.links.remove(&key);
            }
        }
    }

    /// Ends all links in good order and tells everybody.
    pub fn leave(&self) {
        let mut state = self.state();
        state.epoch = FAREWELL;
        self.lose(&mut state, |_| true, true);
        let _ = self.out.send((BEATS.into(), Bytes::from(format!("{} {FAREWELL}", self.id))));
    }

    /// Who has not been heard for long is gone; so is everybody, if one does not even hear oneself.
    fn look(&self) {
        let mut state = self.state();
        let silent: Vec<Arc<str>> =
            state.heard.iter().filter(|(_, beat)| beat.at.elapsed() >= SILENCE).map(|(id, _)| id.clone()).collect();
        for id in silent {
            state.heard.remove(&id);
            if id == self.id {
                tracing::warn!("the bus carries nothing");
                state.epoch += 1;
                self.lose(&mut state, |_| true, false);
            } else {
                tracing::info!(station = %id, "is not heard any more");
                // Where it is only slow, it learns of it in time.
                self.lose(&mut state, |open| open.peer == id, true);
            }
        }
        // Called, but never heard.
        let State { links, heard, .. } = &*state;
        let unheard: Vec<Arc<str>> =
            links.values().map(|open| open.peer.clone()).filter(|peer| !heard.contains_key(peer)).collect();
        if !unheard.is_empty() {
            self.lose(&mut state, |open| unheard.contains(&open.peer), true);
        }
    }
}

async fn beat(station: Weak<Station>) {
    let mut last = Instant::now();
    loop {
        let Some(station) = station.upgrade() else { return };
        // A process that was held up has not read what was said meanwhile: it is not the others who are silent.
        if last.elapsed() < 3 * BEAT {
            station.look();
        }
        last = Instant::now();
        let epoch = station.state().epoch;
        if epoch != FAREWELL {
            let _ = station.out.send((BEATS.into(), Bytes::from(format!("{} {epoch}", station.id))));
        }
        drop(station);
        tokio::time::sleep(BEAT).await;
    }
}
