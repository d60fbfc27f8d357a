//! One of several servers that share a database: which tables are its own, and how those of the others are reached.
//!
//! Start reading at [`Cluster`]. [`standing`] keeps the server's own lease and gives everything up in time; [`near`] passes on
//! what is said here and meant for another server, [`far`] answers what others pass on.

pub mod far;
pub mod near;
pub mod standing;

use crate::hall::Hall;
use houserules_bus::{Bus, Link, Station};
use houserules_protocol::{Code, Refusal};
use houserules_store::{Fence, Owner, Store};
use serde::{Deserialize, Serialize};
use standing::Standing;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// What a server needs to know to be one of several.
pub struct Cluster {
    station: Arc<Station>,
    now: Mutex<Now>,
}

struct Now {
    /// The name under which tables are its own: that of its station, and how often it was declared gone.
    server: Arc<str>,
    standing: Standing,
}

/// What another server is asked for.
#[derive(Serialize, Deserialize)]
pub(crate) enum Asked {
    Socket {
        table: String,
        from: Option<IpAddr>,
    },
    /// Its body is the first message.
    Request {
        table: String,
        method: String,
        path: String,
        /// Names and values.
        headers: Vec<(String, String)>,
        from: Option<IpAddr>,
    },
}

/// What is answered to a request, before its body.
#[derive(Serialize, Deserialize)]
pub(crate) struct Answered {
    pub status: u16,
    pub headers: Vec<(String, String)>,
}

/// The first thing that is said to a caller: the table is here. Otherwise the link is closed.
pub(crate) const HERE: &[u8] = b"here";

/// So many leases somebody who comes is kept waiting for a table that is about to change its owner.
const HOLD: u32 = 2;
/// So often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(100);
/// An owner that is there says so by then.
const ANSWER: Duration = Duration::from_secs(3);

impl Cluster {
    /// Comes onto the bus and tells the database. Others call by the receiver.
    pub async fn start(
        store: &Store,
        bus: Arc<dyn Bus>,
        lease: Duration,
    ) -> Result<(Arc<Self>, mpsc::Receiver<houserules_bus::Call>), String> {
        let id = houserules_bus::random_id()?;
        let (station, calls) = Station::start(bus, &id).await.map_err(|error| error.to_string())?;
        let server: Arc<str> = format!("{id}-0").into();
        let entered = Instant::now();
        store.enter(&server, lease).await.map_err(|error| error.to_string())?;
        let standing = Standing::Well { until: entered + lease };
        Ok((Arc::new(Cluster { station, now: Mutex::new(Now { server, standing }) }), calls))
    }

    /// Its place on the bus.
    pub fn station(&self) -> &Arc<Station> {
        &self.station
    }

    fn now(&self) -> std::sync::MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name under which it may take tables now; the refusal says why it may not.
    fn server(&self) -> Result<Arc<str>, Refusal> {
        let now = self.now();
        match now.standing.code(Instant::now()) {
            None => Ok(now.server.clone()),
            Some(code) => crate::table::refuse(code),
        }
    }

    pub fn is_well(&self) -> bool {
        self.server().is_ok()
    }

    /// Servers that are heard, this one included.
    pub fn n_servers(&self) -> usize {
        // Workers are no servers.
        let others = self.station.others().iter().filter(|id| !id.contains('.')).count();
        others + usize::from(self.station.hears(self.station.id()))
    }

    /// Makes a table that is nobody's this server's own, and gives what has to be shown to write to it.
    pub async fn take(&self, store: &Store, table: &str) -> Result<Fence, Refusal> {
        match store.take(table, &self.server()?).await.map_err(crate::unkept)? {
            Some(Owner::Me(fence)) => Ok(fence),
            Some(Owner::Other(_)) => crate::table::refuse(Code::TableMoved),
            None => crate::table::refuse(Code::TableUnknown),
        }
    }

    /// A link to the server that has a table; none: this one has it, or nobody has such a table.
    async fn reach(&self, hall: &Hall, table: &str, asked: &Asked) -> Result<Option<Link>, Refusal> {
        let head = serde_json::to_vec(asked).map_err(crate::fault)?;
        let began = Instant::now();
        loop {
            if hall.is_awake(table) {
                return Ok(None);
            }
            match hall.shared.store.take(table, &self.server()?).await.map_err(crate::unkept)? {
                Some(Owner::Me(_)) | None => return Ok(None),
                Some(Owner::Other(server)) => {
                    if let Some(link) = self.call(hall, &server, &head).await? {
                        return Ok(Some(link));
                    }
                }
            }
            if began.elapsed() > HOLD * hall.shared.config.lease {
                return crate::table::refuse(Code::ServerApart);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn call(&self, hall: &Hall, server: &str, head: &[u8]) -> Result<Option<Link>, Refusal> {
        let peer = server.rsplit_once('-').map_or(server, |(station, _)| station);
        if !self.station.hears(peer) {
            return Ok(None);
        }
        let room = hall.shared.config.limits.waiting;
        let mut link = self.station.call(peer, head, room).map_err(crate::fault)?;
        let answered = tokio::time::timeout(ANSWER, link.receive()).await;
        Ok(matches!(answered, Ok(Some(said)) if &*said == HERE).then_some(link))
    }

    /// Everything that is still its own is anybody's; nobody reaches it any more.
    pub async fn leave(&self, store: &Store) {
        self.station.leave();
        let server = self.now().server.clone();
        if let Err(error) = store.leave(&server).await {
            tracing::warn!(%error, "the others find out by themselves that this server has gone");
        }
    }
}
