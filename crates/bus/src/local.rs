use crate::hearing::{Away, Bus, Heard, Later};
use bytes::Bytes;
use futures_util::Stream;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// A bus inside of one process. A copy is the same bus.
#[derive(Clone, Default)]
pub struct Local {
    listening: Arc<Mutex<BTreeMap<String, Vec<mpsc::Sender<Bytes>>>>>,
}

/// Messages that wait for one listener; what comes then is lost, as it would be on any bus.
const MOST_WAITING: usize = 64 * 1024;

impl Bus for Local {
    fn send<'a>(&'a self, subject: &'a str, message: Bytes) -> Later<'a, Result<(), Away>> {
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listeners) = listening.get_mut(subject) {
            listeners.retain(|listener| {
                let sent = listener.try_send(message.clone());
                !matches!(sent, Err(mpsc::error::TrySendError::Closed(_)))
            });
            if listeners.is_empty() {
                listening.remove(subject);
            }
        }
        Box::pin(async { Ok(()) })
    }

    fn listen<'a>(&'a self, subject: &'a str) -> Later<'a, Result<Heard, Away>> {
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        listening.entry(subject.to_owned()).or_default().push(sender);
        Box::pin(async { Ok(Box::pin(Inbox(receiver)) as Heard) })
    }
}

struct Inbox(mpsc::Receiver<Bytes>);

impl Stream for Inbox {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Bytes>> {
        self.0.poll_recv(context)
    }
}
