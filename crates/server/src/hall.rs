//! All tables: those that are awake, and how the others wake.

use crate::Config;
use crate::clock;
use crate::cluster::Cluster;
use crate::figures::Figures;
use crate::games::{self, Games};
use crate::rate::Holds;
use crate::studies::Studies;
use crate::table::entry::{About, Entry};
use crate::table::task::{Ended, Message, Roles};
use crate::table::{Begun, Table};
use crate::thinking::Thinkers;
use houserules_library::{Found, Options};
use houserules_protocol::table::{OpenTable, SeatToken, SitterWish, TableOpened};
use houserules_protocol::{Code, Refusal};
use houserules_store::{Store, Token, TokenHash};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// What all tables share.
pub struct Shared {
    pub config: Config,
    pub store: Store,
    pub games: Games,
    pub thinkers: Thinkers,
    pub studies: Studies,
    pub figures: Figures,
    next: AtomicU64,
}

impl Shared {
    pub fn next_id(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

/// Where tables are found.
pub struct Hall {
    pub shared: Arc<Shared>,
    /// Locked only to look something up, never while anything is awaited.
    awake: Mutex<Awake>,
    closing: AtomicBool,
    /// Sockets of each address.
    pub sockets: Holds<IpAddr>,
    /// Where brought definitions run, so that a slow one takes no thread from anybody else.
    strangers: tokio::runtime::Handle,
    /// Set once, where several servers share a database.
    cluster: OnceLock<Arc<Cluster>>,
}

#[derive(Default)]
struct Awake {
    tables: BTreeMap<String, mpsc::Sender<Message>>,
    /// Closed after a fault of ours, until the server starts anew.
    faulty: BTreeSet<String>,
    /// How many tables have left. What was read of a table before one left may be old by now.
    n_left: u64,
}

/// Messages that wait for one table; whoever comes then waits.
const MOST_WAITING: usize = 1024;

impl Hall {
    pub fn new(config: Config, store: Store, strangers: tokio::runtime::Handle) -> Arc<Self> {
        let thinkers = Thinkers::new(config.limits.thinkers, config.limits.thinking);
        let studies = Studies::new(config.limits.studies, config.limits.study_seconds);
        let (games, figures, next) = (Games::new(config.limits.strangers), Figures::default(), AtomicU64::new(1));
        let shared = Shared { config, store, games, thinkers, studies, figures, next };
        let (awake, closing) = (Mutex::default(), AtomicBool::new(false));
        let sockets = Holds::new(shared.config.limits.sockets);
        Arc::new(Hall { shared: Arc::new(shared), awake, closing, sockets, strangers, cluster: OnceLock::new() })
    }

    /// From now on it shares its tables with other servers.
    pub fn share(&self, cluster: Arc<Cluster>) {
        // A server is one of several from the start or not at all.
        let _ = self.cluster.set(cluster);
    }

    pub fn cluster(&self) -> Option<&Arc<Cluster>> {
        self.cluster.get()
    }

    /// Whether it may answer for tables.
    pub fn is_well(&self) -> bool {
        self.cluster().is_none_or(|cluster| cluster.is_well())
    }

    pub fn is_awake(&self, table: &str) -> bool {
        self.is_well() && self.awake().tables.get(table).is_some_and(|to| !to.is_closed())
    }

    /// Tables may be somebody else's soon: nobody is answered by them any more.
    pub fn give_up(&self, code: Code) {
        let tables: Vec<mpsc::Sender<Message>> = self.awake().tables.values().cloned().collect();
        for to in tables.into_iter().filter(|to| !to.is_closed()) {
            self.shared.figures.gave_up();
            // One that is busy reads it later, and can keep nothing until then.
            let _ = to.try_send(Message::Close { refusal: Refusal::new(code, code.meaning()) });
        }
    }

    fn awake(&self) -> std::sync::MutexGuard<'_, Awake> {
        self.awake.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn n_awake(&self) -> usize {
        self.awake().tables.len()
    }

    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// What tokens allow at a table. Those of other tables count for nothing.
    pub async fn roles(&self, table: &str, tokens: &[String]) -> Result<Roles, Refusal> {
        let mut roles = Roles::default();
        for token in tokens.iter().take(MOST_TOKENS) {
            let found = self.shared.store.token(&TokenHash::of(token)).await.map_err(crate::unkept)?;
            let Some((of, role)) = found.filter(|(of, _)| of == table) else { continue };
            debug_assert_eq!(of, table);
            match role.split_once(':') {
                Some(("chair", chair)) => roles.chairs.extend(chair.parse::<u8>().ok()),
                Some(("invite", chair)) => roles.invited.extend(chair.parse::<u8>().ok()),
                None if role == "host" => roles.host = true,
                _ => roles.watch = true,
            }
        }
        roles.chairs.sort_unstable();
        roles.chairs.dedup();
        Ok(roles)
    }

    /// Opens a table; `lines` are of another match that it goes on from.
    pub async fn open(
        self: &Arc<Self>,
        wanted: OpenTable,
        forked: Option<(String, Vec<String>, String)>,
    ) -> Result<TableOpened, Refusal> {
        if self.is_closing() {
            return crate::table::refuse(Code::ServerClosing);
        }
        let (shared, now) = (&self.shared, clock::now());
        let source = forked.as_ref().map_or(wanted.game.as_str(), |(_, _, definition)| definition);
        let found = shared.games.find(source, &shared.store).await?;
        let files = games::files(&found.loaded.sources);
        let definition = games::id(&files);
        let about = About {
            game: wanted.game.clone(),
            definition,
            wanted,
            forked_from: forked.as_ref().map(|(of, ..)| of.clone()),
        };
        let n_seats = self.begin(&about, &found).await?.start.running().seats().len();
        if about.wanted.sitters.len() > n_seats {
            let words = format!("The game has {n_seats} seats.");
            return Err(Refusal::new(Code::SeatUnknown, words));
        }
        let id = Token::random().map_err(crate::fault)?.reveal()[..24].to_owned();
        let token = || Token::random().map_err(crate::fault);
        let (host, watch) = (token()?, token()?);
        let mut tokens = vec![(host.hash(), "host".to_owned()), (watch.hash(), "watch".to_owned())];
        let (mut invitations, mut seats, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        for seat in 0..n_seats as u8 {
            let invitation = token()?;
            tokens.push((invitation.hash(), format!("invite:{seat}")));
            invitations.push(SeatToken { seat, token: invitation.reveal().to_owned() });
            match about.wanted.sitters.get(usize::from(seat)) {
                None | Some(SitterWish::Open) => {}
                Some(SitterWish::Me { name }) => {
                    let own = token()?;
                    tokens.push((own.hash(), format!("chair:{seat}")));
                    seats.push(SeatToken { seat, token: own.reveal().to_owned() });
                    entries.push(Entry::Sat { chair: seat, name: crate::rest::name(name)? });
                }
                Some(SitterWish::Bot { level }) => {
                    let most = shared.config.limits.level.min(10);
                    if *level < 1 || *level > most {
                        let words = format!("Levels go from 1 to {most}.");
                        return Err(Refusal::new(Code::RequestMalformed, words));
                    }
                    entries.push(Entry::Bot { chair: seat, level: *level, away: false });
                }
            }
        }
        if let Some((_, lines, _)) = forked {
            entries.push(Entry::Begin { seats: (0..n_seats as u8).collect() });
            entries.extend(lines.into_iter().map(Entry::line));
        }
        let kept: Vec<houserules_store::Entry> = entries
            .iter()
            .enumerate()
            .map(|(at, entry)| houserules_store::Entry {
                number: at as u32 + 1,
                kind: entry.kind().to_owned(),
                body: serde_json::to_string(entry).expect("entries are plain values"),
                at: now,
            })
            .collect();
        let text = serde_json::to_string(&files).map_err(crate::fault)?;
        shared.store.add_definition(&about.definition, &text, now).await.map_err(crate::unkept)?;
        let kept_about = serde_json::to_string(&about).map_err(crate::fault)?;
        shared.store.add_table(&id, &kept_about, &tokens, &kept, now).await.map_err(crate::unkept)?;
        shared.figures.opened();
        // A table that begins at once begins now.
        if about.wanted.at_once {
            self.ask(&id, |reply| Message::Info { roles: Roles::default(), reply }).await?;
        }
        let (host, watch) = (host.reveal().to_owned(), watch.reveal().to_owned());
        Ok(TableOpened { table: id, host, watch, invitations, seats })
    }

    async fn begin(&self, about: &About, found: &Arc<Found>) -> Result<Begun, Refusal> {
        let wanted = about.wanted.clone();
        let options = Options {
            variants: wanted.variants,
            off: wanted.off,
            settings: wanted.settings.into_iter().map(|given| (given.name, given.value)).collect(),
            seats: wanted.n_seats.map(u32::from),
            position: wanted.position,
            ..games::options(about.is_brought(), &self.shared.config.limits)
        };
        let (shared, definition, text) = (self.shared.clone(), about.definition.clone(), found.clone());
        let begin = move || shared.games.begin(&definition, &text, &options, &wanted.advised, &shared.config.limits);
        let start = if about.is_brought() { self.shared.games.aside(begin).await?? } else { begin()? };
        Ok(Begun { start, found: found.clone(), secrets: games::hides(found) })
    }

    /// Sends a table what makes a reply, and waits for it. A table that fell asleep meanwhile is woken again.
    pub async fn ask<T>(
        self: &Arc<Self>,
        table: &str,
        message: impl Fn(oneshot::Sender<Result<T, Refusal>>) -> Message,
    ) -> Result<T, Refusal> {
        for _ in 0..3 {
            let to = self.find(table).await?;
            let (reply, answer) = oneshot::channel();
            if to.send(message(reply)).await.is_ok()
                && let Ok(answer) = answer.await
            {
                return answer;
            }
        }
        crate::table::refuse(if self.is_closing() { Code::ServerClosing } else { Code::TableClosed })
    }

    /// The way to a table, which is woken if it sleeps.
    pub async fn find(self: &Arc<Self>, id: &str) -> Result<mpsc::Sender<Message>, Refusal> {
        loop {
            if let Some(to) = self.wake(id).await? {
                return Ok(to);
            }
        }
    }

    /// The same, once; none if what is kept of it changed meanwhile.
    async fn wake(self: &Arc<Self>, id: &str) -> Result<Option<mpsc::Sender<Message>>, Refusal> {
        if self.is_closing() {
            return crate::table::refuse(Code::ServerClosing);
        }
        let n_left = {
            let awake = self.awake();
            if awake.faulty.contains(id) {
                return crate::table::refuse(Code::TableClosed);
            }
            if let Some(to) = awake.tables.get(id).filter(|to| !to.is_closed()) {
                return Ok(Some(to.clone()));
            }
            if awake.tables.len() >= self.shared.config.limits.tables {
                return crate::table::refuse(Code::TableFull);
            }
            // Its task may have ended, and what it has to leave in order not be in order yet.
            let settles = awake.tables.contains_key(id) && self.cluster().is_some();
            (!settles).then_some(awake.n_left)
        };
        let Some(n_left) = n_left else {
            tokio::time::sleep(SETTLES).await;
            return Ok(None);
        };
        let fence = match self.cluster() {
            Some(cluster) => Some(cluster.take(&self.shared.store, id).await?),
            None => None,
        };
        let kept = self.shared.store.table(id).await.map_err(crate::unkept)?;
        let Some(kept) = kept else { return crate::table::refuse(Code::TableUnknown) };
        let about: About = serde_json::from_str(&kept.about).map_err(crate::fault)?;
        let found = self.shared.games.find(&about.definition, &self.shared.store).await?;
        let begun = self.begin(&about, &found).await?;
        let typed = |kept: &houserules_store::Entry| {
            serde_json::from_str(&kept.body).is_ok_and(|entry: Entry| entry.is_typed())
        };
        let apart = about.is_brought() || about.forked_from.is_some() || kept.log.iter().any(typed);
        let (to, inbox) = mpsc::channel(MOST_WAITING);
        {
            let mut awake = self.awake();
            // Somebody else may have woken it meanwhile; there must be one only.
            if let Some(other) = awake.tables.get(id) {
                return Ok((!other.is_closed()).then(|| other.clone()));
            }
            // Or woken it and played, and it is asleep again.
            if awake.n_left != n_left {
                return Ok(None);
            }
            awake.tables.insert(id.to_owned(), to.clone());
        }
        let (hall, id, me) = (self.clone(), id.to_owned(), to.clone());
        let run = async move {
            let woken = Woken { about, log: kept.log, begun, fence: fence.clone(), apart };
            let ended = hall.run(id.clone(), woken, inbox, me.clone()).await;
            if let Some(fence) = fence
                && let Err(error) = hall.shared.store.release(&id, &fence).await
            {
                tracing::warn!(table = %id, %error, "the table stays this server's own");
            }
            let mut awake = hall.awake();
            awake.n_left += 1;
            if awake.tables.get(&id).is_some_and(|known| known.same_channel(&me)) {
                awake.tables.remove(&id);
            }
            match ended {
                Ok(Ok(ended)) => tracing::debug!(table = %id, ?ended, "a table has left"),
                Ok(Err(reason)) => {
                    tracing::error!(table = %id, reason, "a table cannot wake");
                    awake.faulty.insert(id);
                }
                Err(error) => {
                    tracing::error!(table = %id, %error, "a fault closed a table");
                    hall.shared.figures.fault();
                    awake.faulty.insert(id);
                }
            }
        };
        tokio::spawn(run);
        Ok(Some(to))
    }

    /// Runs a table to its end: what strangers wrote, typed or brought, on threads of its own.
    async fn run(
        &self,
        id: String,
        Woken { about, log, begun, fence, apart }: Woken,
        mut inbox: mpsc::Receiver<Message>,
        me: mpsc::Sender<Message>,
    ) -> Result<Result<Ended, String>, tokio::task::JoinError> {
        let shared = self.shared.clone();
        let here = if apart { self.strangers.clone() } else { tokio::runtime::Handle::current() };
        let strangers = self.strangers.clone();
        let woken = here.spawn(async move {
            let mut table = Table::wake(&id, about, &log, begun, shared)?;
            table.fence = fence;
            drop(log);
            let mut ended = table.run(&mut inbox, &me, apart).await;
            if ended == Ended::Typed {
                let going_on = strangers.spawn(async move { table.run(&mut inbox, &me, true).await });
                ended = match going_on.await {
                    Ok(ended) => ended,
                    Err(fault) => match fault.try_into_panic() {
                        Ok(reason) => std::panic::resume_unwind(reason),
                        Err(_) => Ended::Closed,
                    },
                };
            }
            Ok(ended)
        });
        woken.await
    }

    pub async fn delete(self: &Arc<Self>, id: &str) -> Result<(), Refusal> {
        self.let_go(id).await;
        self.shared.studies.forget(id);
        self.shared.store.delete_table(id).await.map_err(crate::unkept)?;
        // Whoever read it before and has not woken it yet reads again; whoever has woken it meanwhile is told as well.
        self.awake().n_left += 1;
        self.let_go(id).await;
        Ok(())
    }

    /// Tells those at a table that it was deleted, if it is awake, and waits until it has ended.
    async fn let_go(&self, id: &str) {
        let to = self.awake().tables.get(id).cloned();
        if let Some(to) = to {
            let refusal = Refusal::new(Code::TableUnknown, "The table was deleted.");
            let _ = to.send(Message::Close { refusal }).await;
            to.closed().await;
        }
    }

    /// Tells everybody to come back later. What was answered is kept already.
    pub async fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.shared.studies.close();
        let tables: Vec<mpsc::Sender<Message>> = std::mem::take(&mut self.awake().tables).into_values().collect();
        // With other servers beside it few at a time: those there go on at once, while the others still play here.
        let (code, at_once) = match self.cluster() {
            Some(_) => (Code::TableMoved, AT_ONCE),
            None => (Code::ServerClosing, tables.len().max(1)),
        };
        for tables in tables.chunks(at_once) {
            for to in tables {
                let _ = to.send(Message::Close { refusal: Refusal::new(code, code.meaning()) }).await;
            }
            for to in tables {
                to.closed().await;
            }
        }
        // Goodbyes still have to go out: a process that ended now would take them with it.
        let (began, figures) = (Instant::now(), &self.shared.figures);
        while figures.n_viewers() > figures.n_passing() && began.elapsed() < GOODBYE {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        // Then those who sit elsewhere, and came in here.
        if let Some(cluster) = self.cluster() {
            cluster.leave(&self.shared.store).await;
        }
        while figures.n_viewers() > 0 && began.elapsed() < GOODBYE {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

/// What a table is woken from.
struct Woken {
    about: About,
    log: Vec<houserules_store::Entry>,
    begun: Begun,
    fence: Option<houserules_store::Fence>,
    /// On threads of its own.
    apart: bool,
}

/// So long until it is looked again whether a table has been left in order.
const SETTLES: Duration = Duration::from_millis(5);
/// Tables that are handed over at the same time when a server closes.
const AT_ONCE: usize = 16;
/// Whoever has not taken a goodbye by then finds a closed door.
const GOODBYE: Duration = Duration::from_secs(3);
/// More tokens than that nobody has of one table.
const MOST_TOKENS: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    /// A hall with a folder of its own, and a wish for a table of nim.
    async fn hall(name: &str) -> (Arc<Hall>, std::path::PathBuf, OpenTable) {
        let folder = std::env::temp_dir().join(format!("houserules-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let config = Config {
            listen: "127.0.0.1:0".parse().unwrap(),
            data: folder.join("tables.db"),
            bus: None,
            think_elsewhere: false,
            lease: Config::LEASE,
            public_url: None,
            behind_proxy: false,
            limits: Limits::default(),
        };
        let store = Store::open(&config.data).await.unwrap();
        let hall = Hall::new(config, store, tokio::runtime::Handle::current());
        let me = || SitterWish::Me { name: "Ada".into() };
        let sitters = vec![me(), me()];
        (hall, folder, OpenTable { game: "nim".into(), sitters, at_once: true, ..OpenTable::default() })
    }

    /// [TB51]: a table is deleted at any moment of its waking. Nobody sits at it afterwards.
    #[tokio::test]
    async fn a_table_that_is_deleted_while_it_wakes_is_gone() {
        let (hall, folder, wanted) = hall("waking").await;
        for moment in 0..40 {
            let opened = hall.open(OpenTable { at_once: false, ..wanted.clone() }, None).await.unwrap();
            let delete = async {
                for _ in 0..moment {
                    tokio::task::yield_now().await;
                }
                hall.delete(&opened.table).await
            };
            let (found, deleted) = tokio::join!(hall.find(&opened.table), delete);
            deleted.unwrap();
            if let Ok(to) = found {
                to.closed().await;
            }
            assert_eq!(hall.find(&opened.table).await.unwrap_err().code, Code::TableUnknown);
            assert_eq!(hall.n_awake(), 0, "at moment {moment}");
        }
        let _ = std::fs::remove_dir_all(&folder);
    }

    /// [TB42]: a choice that comes after the time was up, and before anybody has looked at the clock.
    #[tokio::test]
    async fn a_choice_that_comes_when_the_time_is_up_comes_too_late() {
        use houserules_protocol::play::How;
        use houserules_protocol::socket::result_after;
        use houserules_protocol::table::{ClockKind, Phase};
        use houserules_protocol::{Command, ToClient};
        let (hall, folder, mut wanted) = hall("clock").await;
        wanted.manners.clock = ClockKind::Match { seconds: 1, increment: 60 };
        let opened = hall.open(wanted, None).await.unwrap();
        let (out, mut heard) = mpsc::channel(64);
        let roles = Roles { chairs: vec![0], ..Roles::default() };
        let join = |reply| Message::Join { roles: roles.clone(), from: None, last: None, out: out.clone(), reply };
        let viewer = hall.ask(&opened.table, join).await.unwrap();
        let to = hall.find(&opened.table).await.unwrap();
        let next = |message: crate::table::task::Out| match message {
            crate::table::task::Out::Text(text) | crate::table::task::Out::Last(text) => ToClient::read(&text).unwrap(),
        };
        let ToClient::Welcome(welcome) = next(heard.recv().await.unwrap()) else { panic!("no welcome") };
        // Nobody else gets a turn meanwhile: when the table looks, time and choice are both there.
        std::thread::sleep(Duration::from_millis(1_100));
        let command = Command::Choose { step: welcome.step, seat: 0, choice: 0, insist: false };
        to.send(Message::Command { viewer, id: 1, command }).await.ok().unwrap();
        let (mut result, mut answer) = (None, None);
        while answer.is_none() {
            match next(heard.recv().await.unwrap()) {
                ToClient::Update(update) => {
                    result = result_after(None, update.log.iter().map(|line| &line.what)).cloned().or(result);
                }
                ToClient::Refused { refusal, .. } => answer = Some(refusal.code),
                ToClient::Done { .. } => panic!("it was played"),
                _ => {}
            }
        }
        assert_eq!((answer, result.map(|result| result.how)), (Some(Code::TableOver), Some(How::Time)));
        let roles = Roles::default();
        let info = hall.ask(&opened.table, |reply| Message::Info { roles: roles.clone(), reply }).await.unwrap();
        assert_eq!(info.phase, Phase::Over);
        let _ = std::fs::remove_dir_all(&folder);
    }

    /// [TB53]: a mistake of ours in the middle of a table.
    #[tokio::test]
    async fn a_fault_closes_one_table_and_keeps_its_record() {
        let (hall, folder, wanted) = hall("hall").await;
        let (one, other) = (hall.open(wanted.clone(), None).await.unwrap(), hall.open(wanted, None).await.unwrap());
        let record = |of: &TableOpened| {
            let (hall, table) = (hall.clone(), of.table.clone());
            async move {
                let roles = Roles { host: true, ..Roles::default() };
                hall.ask(&table, |reply| Message::Record { roles: roles.clone(), reply }).await
            }
        };
        record(&one).await.unwrap();
        let to = hall.find(&one.table).await.unwrap();
        let kept = hall.shared.store.table(&one.table).await.unwrap();
        to.send(Message::Fault).await.ok().unwrap();
        to.closed().await;
        // Whoever comes, comes to a closed door, and what was kept is kept.
        while hall.awake().tables.contains_key(&one.table) {
            tokio::task::yield_now().await;
        }
        assert_eq!(record(&one).await.unwrap_err().code, Code::TableClosed);
        assert_eq!(hall.shared.store.table(&one.table).await.unwrap(), kept);
        assert!(hall.shared.figures.text(0, 1).contains("houserules_faults_total 1"));
        record(&other).await.unwrap();
        // When the server starts anew, the table is given another try.
        hall.awake().faulty.clear();
        record(&one).await.unwrap();
        let _ = std::fs::remove_dir_all(&folder);
    }
}
