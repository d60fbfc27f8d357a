//! What came in at another server and is meant for a table here. It is served as if it had come in here.

use super::{Answered, Asked, HERE};
use crate::door::Address;
use crate::hall::Hall;
use crate::socket;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::extract::ws::{Message, Utf8Bytes};
use axum::{Error, Router};
use futures_util::{Sink, Stream};
use houserules_bus::{Call, Link};
use houserules_store::Owner;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::sync::mpsc;
use tower::ServiceExt;

/// Answers others until they cannot call any more; `routes` answers what is asked of tables.
pub async fn serve(hall: Arc<Hall>, routes: Router, mut calls: mpsc::Receiver<Call>) {
    while let Some(call) = calls.recv().await {
        tokio::spawn(answer(hall.clone(), routes.clone(), call));
    }
}

async fn answer(hall: Arc<Hall>, routes: Router, Call { mut link, head }: Call) {
    let Ok(asked) = serde_json::from_slice::<Asked>(&head) else {
        tracing::warn!(peer = link.peer(), "a server of another version asks what is not known here");
        return;
    };
    let (Asked::Socket { table, .. } | Asked::Request { table, .. }) = &asked;
    if !is_here(&hall, table).await {
        return;
    }
    link.send(&Bytes::from_static(HERE));
    match asked {
        Asked::Socket { table, from } => {
            hall.shared.figures.came();
            socket::serve(&hall, table, from, Passed(link)).await;
            hall.shared.figures.went();
        }
        Asked::Request { method, path, headers, from, .. } => {
            let Some(body) = link.receive().await else { return };
            let mut request = Request::builder().method(&*method).uri(path);
            for (name, value) in headers {
                request = request.header(name, value);
            }
            if let Some(from) = from {
                request = request.extension(Address(from));
            }
            let Ok(request) = request.body(Body::from(body)) else { return };
            let Ok(response) = routes.oneshot(request).await;
            let (head, body) = response.into_parts();
            let value = |(name, value): (&axum::http::HeaderName, &axum::http::HeaderValue)| {
                Some((name.to_string(), value.to_str().ok()?.to_owned()))
            };
            let head =
                Answered { status: head.status.as_u16(), headers: head.headers.iter().filter_map(value).collect() };
            let (Ok(head), Ok(body)) = (serde_json::to_vec(&head), axum::body::to_bytes(body, usize::MAX).await) else {
                return;
            };
            link.send(&head.into());
            link.send(&body);
            // Until it was taken: a link that is let go says nothing more.
            let _ = link.receive().await;
        }
    }
}

async fn is_here(hall: &Hall, table: &str) -> bool {
    if hall.is_closing() {
        return false;
    }
    if hall.is_awake(table) {
        return true;
    }
    let Some(Ok(server)) = hall.cluster().map(|cluster| cluster.server()) else { return false };
    matches!(hall.shared.store.take(table, &server).await, Ok(Some(Owner::Me(_))))
}

/// A link that looks like a socket.
struct Passed(Link);

impl Stream for Passed {
    type Item = Result<Message, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Self::Item>> {
        let said = ready!(self.0.poll_receive(context));
        Poll::Ready(said.map(|said| Utf8Bytes::try_from(said).map(Message::Text).map_err(Error::new)))
    }
}

impl Sink<Message> for Passed {
    type Error = Error;

    fn poll_ready(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn start_send(self: Pin<&mut Self>, message: Message) -> Result<(), Error> {
        if let Message::Text(said) = message {
            self.0.send(&said.into());
        }
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }
}
