use crate::station::Station;
use bytes::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// A way between two stations, on which messages come whole and in order until it ends.
pub struct Link {
    pub(crate) key: Key,
    pub(crate) peer: Arc<str>,
    pub(crate) station: Arc<Station>,
    pub(crate) inbox: mpsc::Receiver<Bytes>,
    pub(crate) how: Arc<AtomicU8>,
}

/// Both ends may be in one station.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    pub link: u64,
    /// This end called.
    pub is_caller: bool,
}

/// How a link has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// It has not.
    Open = 0,
    /// The other side has closed it: everything it said has come.
    Closed = 1,
    /// Something may be missing, or the other side is gone.
    Lost = 2,
    /// More came than was taken.
    Overrun = 3,
}

impl Link {
    /// The next message; none when the link has ended.
    pub async fn receive(&mut self) -> Option<Bytes> {
        self.inbox.recv().await
    }

    pub fn poll_receive(&mut self, context: &mut Context) -> Poll<Option<Bytes>> {
        self.inbox.poll_recv(context)
    }

    /// Says something. Where the link has ended nobody hears it.
    pub fn send(&self, message: &Bytes) {
        self.station.say(self.key, message);
    }

    /// Somebody else may speak on this link as well.
    pub fn voice(&self) -> Voice {
        Voice { key: self.key, station: self.station.clone() }
    }

    pub fn how(&self) -> How {
        match self.how.load(Ordering::Relaxed) {
            0 => How::Open,
            1 => How::Closed,
            2 => How::Lost,
            _ => How::Overrun,
        }
    }

    /// The station at the other end.
    pub fn peer(&self) -> &str {
        &self.peer
    }
}

/// Speaks on a link that somebody else listens to.
#[derive(Clone)]
pub struct Voice {
    key: Key,
    station: Arc<Station>,
}

impl Voice {
    pub fn say(&self, message: &Bytes) {
        self.station.say(self.key, message);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.station.hang_up(self.key);
    }
}
