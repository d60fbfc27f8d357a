//! Whether a server may answer for tables: it says to the database again and again that it is there.
//!
//! The database counts the time from when it is told, the server from before it tells: so a server that is not heard any more
//! gives its tables up before anybody else can take them.

use super::Cluster;
use crate::hall::Hall;
use houserules_protocol::Code;
use std::sync::{Arc, Weak};
use std::time::Instant;

/// How a server stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    Well {
        /// Unless it tells the database again.
        until: Instant,
    },
    /// The others hear each other, and not this one: whoever comes here would wait for those there in vain.
    Apart,
    NoDatabase,
}

/// So often in a lease it is said that the server is there.
const RENEWALS: u32 = 5;

impl Standing {
    /// Why it may not answer for tables.
    pub fn code(self, now: Instant) -> Option<Code> {
        match self {
            Standing::Well { until } => (now >= until).then_some(Code::ServerNoDatabase),
            Standing::Apart => Some(Code::ServerApart),
            Standing::NoDatabase => Some(Code::ServerNoDatabase),
        }
    }
}

/// Keeps it up, until the hall is gone.
pub async fn keep(hall: Weak<Hall>, cluster: Arc<Cluster>) {
    loop {
        let Some(hall) = hall.upgrade() else { return };
        let (server, standing) = {
            let now = cluster.now();
            (now.server.clone(), now.standing)
        };
        let asked = Instant::now();
        let looked = look(&hall, &cluster, &server, asked);
        // Whatever the database does, everything is given up in time.
        let looked = match standing {
            Standing::Well { until } => tokio::time::timeout_at(until.into(), looked).await.ok().flatten(),
            _ => looked.await,
        };
        let next = match looked {
            Some(next) => next,
            None if standing.code(Instant::now()).is_none() => standing,
            None => Standing::NoDatabase,
        };
        cluster.now().standing = next;
        if let Some(code) = next.code(Instant::now()) {
            if standing.code(asked).is_none() {
                tracing::error!(?code, "all tables are given up");
            }
            hall.give_up(code);
        }
        let pause = hall.shared.config.lease / RENEWALS;
        drop(hall);
        tokio::time::sleep(pause).await;
    }
}

/// How it stands by what the database says; none if it says nothing.
async fn look(hall: &Hall, cluster: &Cluster, server: &Arc<str>, asked: Instant) -> Option<Standing> {
    let (store, lease) = (&hall.shared.store, hall.shared.config.lease);
    let hears = cluster.station.hears(cluster.station.id());
    let told = async {
        if !store.renew(server, lease, hears).await? {
            // Declared gone, so nothing is its own any more: it is another server from now on.
            tracing::error!("this server was held up for so long that its tables were given to others");
            hall.give_up(Code::TableMoved);
            let next = renamed(server);
            store.enter(&next, lease).await?;
            cluster.now().server = next;
        }
        let others = if hears { Vec::new() } else { store.others(server).await? };
        Ok::<_, houserules_store::StoreError>(others.iter().any(|other| other.hears))
    };
    match told.await {
        Ok(true) => Some(Standing::Apart),
        Ok(false) => Some(Standing::Well { until: asked + lease }),
        Err(error) => {
            tracing::warn!(%error, "the database was not told that this server is there");
            None
        }
    }
}

fn renamed(server: &str) -> Arc<str> {
    let (station, epoch) = server.rsplit_once('-').unwrap_or((server, "0"));
    format!("{station}-{}", epoch.parse::<u64>().unwrap_or(0) + 1).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_server_whose_time_has_passed_answers_for_nothing() {
        let now = Instant::now();
        let well = Standing::Well { until: now + Duration::from_secs(3) };
        assert_eq!(well.code(now), None);
        assert_eq!(well.code(now + Duration::from_secs(3)), Some(Code::ServerNoDatabase));
        assert_eq!((&*renamed("ab-0"), &*renamed("ab-9")), ("ab-1", "ab-10"));
    }
}
