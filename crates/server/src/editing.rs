//! The language server over a socket: an editor in a browser asks about what is being typed.

use crate::hall::Hall;
use crate::rate::{Bucket, Pace};
use axum::extract::ws::{Message, WebSocket};
use houserules_lsp::Session;
use std::sync::Arc;
use std::time::Duration;

/// An editor that is silent for longer is gone.
const SILENCE: Duration = Duration::from_secs(600);

/// Serves an editor until it has had enough. Nothing of what it says is kept.
pub async fn serve(hall: Arc<Hall>, mut socket: WebSocket) {
    let mut session = Session::new();
    let messages = f64::from(hall.shared.config.limits.messages);
    let pace = Pace { per_second: messages, at_once: 3.0 * messages };
    let mut bucket = Bucket::full(pace);
    while let Ok(Some(Ok(message))) = tokio::time::timeout(SILENCE, socket.recv()).await {
        let Message::Text(text) = message else { continue };
        // Who types too fast waits: a change that was passed over would leave another text here than there.
        while !bucket.take(pace) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // Checking a long text takes longer than a table may wait for its turn.
        let heard = hall.shared.games.aside(move || {
            let said = session.hear(&text);
            (session, said)
        });
        let Ok((again, said)) = heard.await else { return };
        session = again;
        for text in said {
            if socket.send(Message::Text(text.into())).await.is_err() {
                return;
            }
        }
    }
}
