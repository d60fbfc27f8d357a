//! Plain HTTP, one request to a connection.

use houserules_protocol::Refusal;
use houserules_protocol::table::{OpenTable, SeatToken, Sit, TableOpened};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An answer: status, head, body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answered {
    /// The body, if it is what was asked for; else the refusal, or what there is.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        if (200..300).contains(&self.status) {
            return serde_json::from_str(&self.body).map_err(|error| format!("{error}: {}", self.body));
        }
        Err(self.refusal().map_or_else(|| format!("{} {}", self.status, self.body), |refusal| refusal.to_string()))
    }

    pub fn refusal(&self) -> Option<Refusal> {
        serde_json::from_str(&self.body).ok()
    }
}

/// Asks a server at `host:port`.
pub async fn ask<T: Serialize>(
    address: &str,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: Option<&T>,
) -> Result<Answered, String> {
    let told = |error: std::io::Error| format!("{address}: {error}");
    let mut stream = TcpStream::connect(address).await.map_err(told)?;
    let body = body.map(|body| serde_json::to_string(body).map_err(|error| error.to_string())).transpose()?;
    let body = body.unwrap_or_default();
    let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n{token}\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.map_err(told)?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.map_err(told)?;
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(|| format!("{address} gave no answer."))?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| format!("{address} gave no status."))?;
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { unchunked(body) } else { body.to_owned() };
    Ok(Answered { status, head: head.to_owned(), body })
}

fn unchunked(mut text: &str) -> String {
    let mut body = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let Some(size) = usize::from_str_radix(size.trim(), 16).ok().filter(|&size| size > 0) else { break };
        let Some(part) = rest.get(..size) else { break };
        body.push_str(part);
        text = rest.get(size + 2..).unwrap_or_default();
    }
    body
}

pub async fn get(address: &str, path: &str, token: Option<&str>) -> Result<Answered, String> {
    ask::<()>(address, "GET", path, token, None).await
}

pub async fn delete(address: &str, path: &str, token: Option<&str>) -> Result<Answered, String> {
    ask::<()>(address, "DELETE", path, token, None).await
}

pub async fn open(address: &str, wanted: &OpenTable) -> Result<TableOpened, String> {
    ask(address, "POST", "/api/tables", None, Some(wanted)).await?.read()
}

pub async fn sit(address: &str, table: &str, invitation: &str, name: &str) -> Result<SeatToken, String> {
    let path = format!("/api/tables/{table}/seats");
    ask(address, "POST", &path, Some(invitation), Some(&Sit { name: name.to_owned() })).await?.read()
}
