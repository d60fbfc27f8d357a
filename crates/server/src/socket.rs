//! One socket per viewer.

use crate::hall::Hall;
use crate::rate::{Bucket, Pace};
use crate::table::task::{Message as ToTable, Out};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use houserules_protocol::{Code, FromClient, Hello, PROTOCOL, Refusal, ToClient};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Who connects says hello within that time.
const HELLO: Duration = Duration::from_secs(10);
/// Nobody is silent for longer; clients send a ping now and then.
pub(crate) const SILENCE: Duration = Duration::from_secs(120);

/// Serves a socket until either side has had enough.
pub async fn serve<S: Socket>(hall: &Arc<Hall>, table: String, from: Option<IpAddr>, socket: S) {
    let (sink, mut stream) = socket.split();
    let patience = Duration::from_secs(hall.shared.config.limits.write_seconds.max(1));
    let mut sink = Writing { sink, patience };
    let refusal = match hello(hall, &table, from, &mut stream).await {
        Ok((to, viewer, outbox)) => {
            talk(hall, &to, viewer, outbox, &mut sink, &mut stream).await;
            let _ = to.send(ToTable::Part { viewer }).await;
            None
        }
        Err(refusal) => Some(refusal),
    };
    if let Some(refusal) = refusal {
        let _ = sink.write(text(&ToClient::Bye { refusal })).await;
    }
    sink.close().await;
}

/// Refuses a socket before anybody has said anything.
pub async fn refuse(socket: WebSocket, refusal: Refusal) {
    let mut sink = Writing { sink: socket.split().0, patience: HELLO };
    let _ = sink.write(text(&ToClient::Bye { refusal })).await;
    sink.close().await;
}

/// A socket, or what looks like one.
pub trait Socket:
    Stream<Item = Result<Message, axum::Error>> + Sink<Message, Error = axum::Error> + Unpin + Send
{
}

impl<S: Stream<Item = Result<Message, axum::Error>> + Sink<Message, Error = axum::Error> + Unpin + Send> Socket for S {}

type Joined = (mpsc::Sender<ToTable>, u64, mpsc::Receiver<Out>);

async fn hello<S: Socket>(
    hall: &Arc<Hall>,
    table: &str,
    from: Option<IpAddr>,
    stream: &mut SplitStream<S>,
) -> Result<Joined, Refusal> {
    let malformed = |words: &str| Refusal::new(Code::RequestMalformed, words);
    let first = tokio::time::timeout(HELLO, stream.next()).await;
    let Ok(Some(Ok(Message::Text(first)))) = first else {
        return Err(malformed("The first message must be `Hello`, as text."));
    };
    let hello: Hello = serde_json::from_str(&first).map_err(|error| malformed(&format!("No `Hello`: {error}.")))?;
    if hello.protocol != PROTOCOL {
        let words = format!("The server speaks version {PROTOCOL}; load the page again.");
        return Err(Refusal::new(Code::RequestVersion, words));
    }
    let roles = hall.roles(table, &hello.tokens).await?;
    if !roles.host && !roles.watch && roles.chairs.is_empty() && roles.invited.is_empty() {
        return Err(Refusal::new(Code::TokenMissing, Code::TokenMissing.meaning()));
    }
    let (out, outbox) = mpsc::channel(hall.shared.config.limits.waiting);
    let viewer = hall
        .ask(table, |reply| ToTable::Join { roles: roles.clone(), from, last: hello.last, out: out.clone(), reply })
        .await?;
    let to = hall.find(table).await?;
    // A seat that was given up between asking what the tokens open and coming in is somebody else's.
    if hall.roles(table, &hello.tokens).await? != roles {
        let _ = to.send(ToTable::Part { viewer }).await;
        return Err(Refusal::new(Code::TokenMissing, Code::TokenMissing.meaning()));
    }
    Ok((to, viewer, outbox))
}

async fn talk<S: Socket>(
    hall: &Hall,
    to: &mpsc::Sender<ToTable>,
    viewer: u64,
    mut outbox: mpsc::Receiver<Out>,
    sink: &mut Writing<S>,
    stream: &mut SplitStream<S>,
) {
    let limits = &hall.shared.config.limits;
    let pace = Pace { per_second: f64::from(limits.messages), at_once: f64::from(3 * limits.messages) };
    let mut bucket = Bucket::full(pace);
    loop {
        tokio::select! {
            // What is waiting goes out first: a client that talks a lot must not starve itself.
            biased;
            out = outbox.recv() => match out {
                Some(out) => match sink.feed(&mut outbox, out).await {
                    Ok(Goes::On) => {}
                    Ok(Goes::NoFurther) | Err(()) => return,
                },
                None => {
                    // The table has let go without a word: this reader was too slow.
                    let refusal = Refusal::new(Code::RequestTooMany, "The connection did not keep up; come back.");
                    let _ = sink.write(text(&ToClient::Bye { refusal })).await;
                    return;
                }
            },
            message = tokio::time::timeout(SILENCE, stream.next()) => {
                let answer = match message {
                    Ok(Some(Ok(Message::Text(said)))) => match bucket.take(pace) {
                        true => match serde_json::from_str::<FromClient>(&said) {
                            Ok(FromClient { id, command }) => {
                                if to.send(ToTable::Command { viewer, id, command }).await.is_err() {
                                    return;
                                }
                                None
                            }
                            Err(error) => Some(Refusal::new(Code::RequestMalformed, format!("{error}."))),
                        },
                        false => Some(Refusal::new(Code::RequestTooMany, Code::RequestTooMany.meaning())),
                    },
                    Ok(Some(Ok(Message::Binary(_)))) => Some(Refusal::new(Code::RequestMalformed, "Messages are text.")),
                    Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => None,
                    Ok(Some(Ok(Message::Close(_))) | Some(Err(_)) | None) | Err(_) => return,
                };
                if let Some(refusal) = answer
                    && sink.write(text(&ToClient::Refused { id: 0, refusal })).await.is_err()
                {
                    return;
                }
            }
        }
    }
}

/// Whether more is to be said.
enum Goes {
    On,
    NoFurther,
}

/// The way out.
pub(crate) struct Writing<S> {
    pub sink: SplitSink<S, Message>,
    /// A message that cannot be written in that time is not going to arrive.
    pub patience: Duration,
}

impl<S: Socket> Writing<S> {
    /// Writes what waits, in one go.
    async fn feed(&mut self, outbox: &mut mpsc::Receiver<Out>, first: Out) -> Result<Goes, ()> {
        let sink = &mut self.sink;
        let all = async {
            let (mut next, mut goes) = (Some(first), Goes::On);
            while let Some(out) = next {
                let text = match out {
                    Out::Text(text) => text,
                    Out::Last(text) => {
                        goes = Goes::NoFurther;
                        text
                    }
                };
                sink.feed(Message::Text(text)).await?;
                next = outbox.try_recv().ok();
            }
            sink.flush().await?;
            Ok::<_, axum::Error>(goes)
        };
        match tokio::time::timeout(self.patience, all).await {
            Ok(Ok(goes)) => Ok(goes),
            _ => Err(()),
        }
    }

    pub async fn close(&mut self) {
        // Whoever does not take it has gone.
        let _ = tokio::time::timeout(self.patience, self.sink.close()).await;
    }

    pub async fn write(&mut self, text: Utf8Bytes) -> Result<(), ()> {
        match tokio::time::timeout(self.patience, self.sink.send(Message::Text(text))).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(()),
        }
    }
}

pub(crate) fn text(message: &ToClient) -> Utf8Bytes {
    message.written().into()
}
