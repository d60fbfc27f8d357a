use crate::Known;
use futures_util::{SinkExt, StreamExt};
use houserules_protocol::{Command, FromClient, Hello, PROTOCOL, ToClient};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Bytes, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A connection to a table.
pub struct Line {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u32,
    /// Bytes of all messages received.
    pub received: u64,
}

impl Line {
    /// Connects and says hello; what is known already is not asked for again.
    pub async fn join(address: &str, table: &str, tokens: &[&str], last: Option<u32>) -> Result<Self, String> {
        let mut line = Self::connect(address, table).await?;
        let tokens = tokens.iter().map(|&token| token.to_owned()).collect();
        let hello = Hello { protocol: PROTOCOL, tokens, last };
        line.send_text(&serde_json::to_string(&hello).map_err(|error| error.to_string())?).await?;
        Ok(line)
    }

    /// Connects and says nothing.
    pub async fn connect(address: &str, table: &str) -> Result<Self, String> {
        Self::connect_to(address, &format!("/api/tables/{table}/socket")).await
    }

    /// Connects to any path and says nothing.
    pub async fn connect_to(address: &str, path: &str) -> Result<Self, String> {
        let url = format!("ws://{address}{path}");
        let (socket, _) = connect_async(url).await.map_err(|error| error.to_string())?;
        Ok(Line { socket, next: 0, received: 0 })
    }

    /// Says something and gives the number under which it will be answered.
    pub async fn send(&mut self, command: Command) -> Result<u32, String> {
        self.next += 1;
        let said = FromClient { id: self.next, command };
        self.send_text(&serde_json::to_string(&said).map_err(|error| error.to_string())?).await?;
        Ok(self.next)
    }

    pub async fn send_text(&mut self, text: &str) -> Result<(), String> {
        self.socket.send(Message::text(text)).await.map_err(|error| error.to_string())
    }

    pub async fn send_bytes(&mut self, bytes: Vec<u8>) -> Result<(), String> {
        self.socket.send(Message::Binary(Bytes::from(bytes))).await.map_err(|error| error.to_string())
    }

    /// The next message as it was sent; none when the connection has ended.
    pub async fn text(&mut self) -> Option<String> {
        loop {
            match self.socket.next().await? {
                Ok(Message::Text(text)) => {
                    self.received += text.len() as u64;
                    return Some(text.to_string());
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    pub async fn next(&mut self) -> Option<ToClient> {
        let text = self.text().await?;
        Some(ToClient::read(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    /// Hears messages until one is an answer to this number.
    pub async fn answer(&mut self, id: u32, known: &mut Known) -> Result<ToClient, String> {
        loop {
            let message = self.next().await.ok_or("The connection has ended.")?;
            known.hear(&message).map_err(|lost| lost.to_string())?;
            let answered = match &message {
                ToClient::Done { id }
                | ToClient::Refused { id, .. }
                | ToClient::Words { id, .. }
                | ToClient::Why { id, .. }
                | ToClient::Hint { id, .. }
                | ToClient::Value { id, .. }
                | ToClient::Diagnosis { id, .. }
                | ToClient::Preview { id, .. }
                | ToClient::Rules { id, .. }
                | ToClient::Invitation { id, .. } => Some(*id),
                ToClient::Bye { refusal } => return Err(refusal.to_string()),
                ToClient::Update(update) if update.done == Some(id) => return Ok(ToClient::Done { id }),
                _ => None,
            };
            if answered == Some(id) {
                return Ok(message);
            }
        }
    }

    /// Says something and hears until it is answered.
    pub async fn ask(&mut self, command: Command, known: &mut Known) -> Result<ToClient, String> {
        let id = self.send(command).await?;
        self.answer(id, known).await
    }

    /// Hears until something holds of what is known.
    pub async fn until(&mut self, known: &mut Known, holds: impl Fn(&Known) -> bool) -> Result<(), String> {
        while !holds(known) {
            let message = self.next().await.ok_or("The connection has ended.")?;
            if let ToClient::Bye { refusal } = &message {
                return Err(refusal.to_string());
            }
            known.hear(&message).map_err(|lost| lost.to_string())?;
        }
        Ok(())
    }

    pub async fn close(mut self) {
        // Whoever has gone already needs no goodbye.
        let _ = self.socket.close(None).await;
    }
}
