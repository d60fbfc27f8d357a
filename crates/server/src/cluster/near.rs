//! What is said here and meant for a table of another server.

use super::{Answered, Asked};
use crate::door::Address;
use crate::hall::Hall;
use crate::rest::Refused;
use crate::socket::{SILENCE, Writing, text};
use axum::body::{Body, Bytes};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use axum::middleware::Next;
use axum::response::IntoResponse;
use futures_util::StreamExt;
use houserules_bus::{How, Link};
use houserules_protocol::{Code, Refusal, ToClient};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// So often it is looked, while nothing can be written, whether too much waits for that.
const LOOK: Duration = Duration::from_millis(50);

/// The owner of a table, where that is another server.
pub async fn owner(hall: &Arc<Hall>, table: &str, from: Option<IpAddr>) -> Result<Option<Link>, Refusal> {
    match hall.cluster() {
        None => Ok(None),
        Some(cluster) => {
            let asked = Asked::Socket { table: table.to_owned(), from };
            cluster.reach(hall, table, &asked).await
        }
    }
}

/// Carries what is said between a socket and the owner of its table, until either side has had enough.
pub async fn pass(hall: &Hall, mut link: Link, socket: WebSocket) {
    let (sink, mut stream) = socket.split();
    let patience = Duration::from_secs(hall.shared.config.limits.write_seconds.max(1));
    let mut sink = Writing { sink, patience };
    hall.shared.figures.passes();
    let mut is_counted = false;
    loop {
        tokio::select! {
            biased;
            said = link.receive() => match said {
                Some(said) => {
                    let Ok(said) = Utf8Bytes::try_from(said) else { break };
                    let write = sink.write(said);
                    tokio::pin!(write);
                    let written = loop {
                        tokio::select! {
                            written = &mut write => break written,
                            () = tokio::time::sleep(LOOK), if !is_counted => if link.how() == How::Overrun {
                                is_counted = true;
                                hall.shared.figures.dropped(1);
                            },
                        }
                    };
                    if written.is_err() {
                        break;
                    }
                }
                None => {
                    let code = match link.how() {
                        // What it had to say it has said.
                        How::Open | How::Closed => break,
                        How::Lost if hall.is_closing() => Code::ServerClosing,
                        How::Lost => Code::ServerApart,
                        How::Overrun => {
                            hall.shared.figures.dropped(usize::from(!is_counted));
                            Code::RequestTooMany
                        }
                    };
                    let _ = sink.write(text(&ToClient::Bye { refusal: Refusal::new(code, code.meaning()) })).await;
                    break;
                }
            },
            message = tokio::time::timeout(SILENCE, stream.next()) => match message {
                Ok(Some(Ok(Message::Text(said)))) => link.send(&said.into()),
                // Nothing that can be read: the owner says so.
                Ok(Some(Ok(Message::Binary(_)))) => link.send(&Bytes::new()),
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {}
                Ok(Some(Ok(Message::Close(_))) | Some(Err(_)) | None) | Err(_) => break,
            },
        }
    }
    sink.close().await;
    hall.shared.figures.passed();
}

/// Whatever is asked of a table over HTTP is answered by its owner.
pub async fn forward(State(hall): State<Arc<Hall>>, request: Request, next: Next) -> Response<Body> {
    let Some(cluster) = hall.cluster() else { return next.run(request).await };
    let mut parts = request.uri().path().split('/').skip(3);
    let (table, of) = (parts.next().unwrap_or_default().to_owned(), parts.next());
    // Whether a socket may be opened is decided where it comes in.
    if of == Some("socket") {
        return next.run(request).await;
    }
    let asked = asked(&request, table.clone());
    match cluster.reach(&hall, &table, &asked).await {
        Ok(None) => next.run(request).await,
        Ok(Some(link)) => {
            hall.shared.figures.forwarded();
            let most = hall.shared.config.limits.message_bytes.max(2 * hall.shared.config.limits.definition_bytes);
            match axum::body::to_bytes(request.into_body(), most).await {
                Ok(body) => answer(link, body).await.unwrap_or_else(|refusal| Refused(refusal).into_response()),
                Err(_) => Refused(Refusal::new(Code::RequestTooLarge, Code::RequestTooLarge.meaning())).into_response(),
            }
        }
        Err(refusal) => Refused(refusal).into_response(),
    }
}

fn asked(request: &Request, table: String) -> Asked {
    let passed = [header::AUTHORIZATION, header::CONTENT_TYPE];
    let value = |name: HeaderName| Some((name.to_string(), request.headers().get(&name)?.to_str().ok()?.to_owned()));
    Asked::Request {
        table,
        method: request.method().to_string(),
        path: request.uri().path_and_query().map_or_else(String::new, ToString::to_string),
        headers: passed.into_iter().filter_map(value).collect(),
        from: request.extensions().get::<Address>().map(|Address(from)| *from),
    }
}

async fn answer(mut link: Link, body: Bytes) -> Result<Response<Body>, Refusal> {
    let apart = || Refusal::new(Code::ServerApart, Code::ServerApart.meaning());
    link.send(&body);
    let head = link.receive().await.ok_or_else(apart)?;
    let head: Answered = serde_json::from_slice(&head).map_err(crate::fault)?;
    let body = link.receive().await.ok_or_else(apart)?;
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(head.status).map_err(crate::fault)?;
    for (name, value) in head.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    Ok(response)
}
