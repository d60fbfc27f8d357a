use crate::hearing::{Away, Bus, Heard, Later};
use async_nats::connection::State;
use async_nats::{Client, ConnectOptions};
use bytes::Bytes;
use futures_util::StreamExt;
use std::time::Duration;

/// A NATS server, or several: messages alone, nothing that is kept there.
pub struct Nats {
    client: Client,
}

/// What takes longer does not happen.
const PATIENCE: Duration = Duration::from_secs(2);
/// So often it is looked whether the connection is still there.
const LOOK: Duration = Duration::from_secs(1);
/// Between two tries to connect again, at most.
const LONGEST_PAUSE: u64 = 500;

impl Nats {
    /// By an address such as `nats://host:4222` or `tls://name:password@host`, several with commas between them.
    pub async fn connect(address: &str) -> Result<Self, Away> {
        let options = ConnectOptions::new()
            .name("houserules")
            .ping_interval(LOOK)
            .connection_timeout(PATIENCE)
            .reconnect_delay_callback(|tries| Duration::from_millis((tries as u64 * 50).min(LONGEST_PAUSE)))
            .event_callback(|event| async move { tracing::info!(%event, "bus") });
        let addresses: Vec<&str> = address.split(',').collect();
        let client = options.connect(addresses).await;
        // An address may hold a password.
        let place = address.rsplit_once('@').map_or(address, |(_, place)| place);
        let client = client.map_err(|error| Away(format!("The bus at {place} cannot be reached: {error}.")))?;
        Ok(Nats { client })
    }
}

impl Bus for Nats {
    fn send<'a>(&'a self, subject: &'a str, message: Bytes) -> Later<'a, Result<(), Away>> {
        Box::pin(async move {
            // Without a connection it would be sent when there is one again, and be old by then.
            if self.client.connection_state() != State::Connected {
                return Err(Away("The bus has no connection.".into()));
            }
            match tokio::time::timeout(PATIENCE, self.client.publish(subject.to_owned(), message)).await {
                Ok(Ok(())) => Ok(()),
                Ok(Err(error)) => Err(Away(error.to_string())),
                Err(_) => Err(Away("The bus takes nothing.".into())),
            }
        })
    }

    fn listen<'a>(&'a self, subject: &'a str) -> Later<'a, Result<Heard, Away>> {
        Box::pin(async move {
            let heard = self.client.subscribe(subject.to_owned()).await.map_err(|error| Away(error.to_string()))?;
            Ok(Box::pin(heard.map(|message| message.payload)) as Heard)
        })
    }
}
