//! A server for a test, in a folder of its own; or two of them that share a PostgreSQL and a NATS: then tables are opened at
//! the one, and everybody comes in at the other.

use houserules_client::{Known, Line, get, open};
use houserules_engines::{Nats, Postgres};
use houserules_protocol::table::{OpenTable, SitterWish, TableOpened};
use houserules_protocol::{Code, Command, ToClient};
use houserules_server::{Config, Hall, Limits, Server};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use tokio::sync::oneshot;

/// Gone with whoever has it.
pub struct Folder(PathBuf);

pub struct Running {
    /// Where people come in.
    pub address: String,
    /// The hall in which the tables are.
    pub hall: Arc<Hall>,
    data: Data,
    /// The one that has the tables, then the one where people come in, if that is another.
    served: Vec<One>,
}

struct One {
    address: String,
    hall: Arc<Hall>,
    end: oneshot::Sender<()>,
    served: tokio::task::JoinHandle<Result<(), String>>,
}

/// Where tables are kept.
enum Data {
    File(Folder),
    Shared { database: String, bus: String },
}

/// One suite, two subjects: this file is part of two programs.
pub const IS_SHARED: bool = matches!(env!("CARGO_CRATE_NAME").as_bytes(), b"sharing");

impl Data {
    fn new() -> Self {
        if !IS_SHARED {
            return Data::File(Folder(new_folder()));
        }
        static ENGINES: OnceLock<(Postgres, Nats)> = OnceLock::new();
        let (postgres, nats) = ENGINES.get_or_init(|| (Postgres::start(false).unwrap(), Nats::start().unwrap()));
        Data::Shared { database: postgres.database().unwrap(), bus: nats.url() }
    }
}

/// Only so that a test that fails ends at all: a busy computer is no reason to fail.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(600);

/// Nobody dies in these tests: a computer that is held up is no reason to lose a table.
const LEASE: std::time::Duration = std::time::Duration::from_secs(30);

static NEXT: AtomicU32 = AtomicU32::new(0);

pub fn limits() -> Limits {
    Limits { messages: 100_000, requests: 100_000, openings: 1_000_000, ..Limits::default() }
}

impl Running {
    pub async fn start() -> Self {
        Self::with(limits()).await
    }

    pub async fn with(limits: Limits) -> Self {
        Self::on(Data::new(), limits).await
    }

    /// On a database that was kept as SQL.
    pub async fn on_kept(sql: &'static str) -> Self {
        use sqlx::Connection;
        let folder = new_folder();
        std::fs::create_dir_all(&folder).unwrap();
        let url = format!("sqlite://{}?mode=rwc", folder.join("tables.db").display());
        let mut database = sqlx::SqliteConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(sql).execute(&mut database).await.unwrap();
        database.close().await.unwrap();
        Self::on(Data::File(Folder(folder)), limits()).await
    }

    /// A server that nobody runs, and its folder.
    pub async fn bind(limits: Limits) -> (Server, Folder) {
        let data = Data::File(Folder(new_folder()));
        let server = bind(&data, limits).await;
        let Data::File(folder) = data else { unreachable!("it is a file") };
        (server, folder)
    }

    async fn on(data: Data, limits: Limits) -> Self {
        let mut served = vec![One::on(&data, limits.clone()).await];
        if matches!(data, Data::Shared { .. }) {
            served.push(One::on(&data, limits).await);
        }
        let (address, hall) = (served[served.len() - 1].address.clone(), served[0].hall.clone());
        Running { address, hall, data, served }
    }

    /// Ends as if told to, and starts anew on what is kept.
    pub async fn restart(self, limits: Limits) -> Self {
        for one in self.served {
            drop(one.end);
            one.served.await.unwrap().unwrap();
        }
        if let Data::File(folder) = &self.data {
            let beside = std::fs::metadata(folder.0.join("tables.db-wal")).map_or(0, |file| file.len());
            assert_eq!(beside, 0, "the database is one file when a server has stopped");
        }
        Self::on(self.data, limits).await
    }

    pub fn opens_at(&self) -> &str {
        &self.served[0].address
    }

    /// Opens a table, which then is at the first server.
    pub async fn open(&self, wanted: &OpenTable) -> TableOpened {
        let opened = open(self.opens_at(), wanted).await.unwrap();
        if IS_SHARED {
            let path = format!("/api/tables/{}", opened.table);
            get(self.opens_at(), &path, Some(&opened.watch)).await.unwrap();
        }
        opened
    }

    /// One of the figures that the operator is told, of all servers together.
    pub async fn figure(&self, name: &str) -> u64 {
        let mut sum = 0;
        for one in &self.served {
            let text = get(&one.address, "/metrics", None).await.unwrap().body;
            let line = text.lines().find(|line| line.starts_with(&format!("houserules_{name} ")));
            let value: Option<u64> = line.and_then(|line| line.rsplit(' ').next()?.parse().ok());
            sum += value.unwrap_or_else(|| panic!("{name} is not in {text}"));
        }
        sum
    }

    /// Until the server has let go of all sockets: by then their tables have received all that was said on them.
    pub async fn until_all_have_gone(&self) {
        let gone = async {
            while self.figure("viewers").await > 0 {
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(PATIENCE, gone).await.expect("a socket that nobody is at stays open");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

fn new_folder() -> PathBuf {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("houserules-server-{}-{number}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

impl One {
    async fn on(data: &Data, limits: Limits) -> Self {
        let server = bind(data, limits).await;
        let (address, hall) = (server.address().to_string(), server.hall());
        let (end, ended) = oneshot::channel();
        let served = tokio::spawn(server.run(async move {
            let _ = ended.await;
        }));
        One { address, hall, end, served }
    }
}

async fn bind(data: &Data, limits: Limits) -> Server {
    let (data, bus) = match data {
        Data::File(folder) => (folder.0.join("tables.db"), None),
        Data::Shared { database, bus } => (database.into(), Some(bus.clone())),
    };
    let config = Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        data,
        bus,
        think_elsewhere: false,
        lease: LEASE,
        public_url: None,
        behind_proxy: false,
        limits,
    };
    Server::bind(config).await.unwrap()
}

pub fn me(name: &str) -> SitterWish {
    SitterWish::Me { name: name.into() }
}

/// A table of a game whose seats are all taken by the opener.
pub fn all_mine(game: &str, n: usize) -> OpenTable {
    let sitters = (0..n).map(|seat| me(&format!("P{seat}"))).collect();
    OpenTable { game: game.into(), sitters, at_once: true, ..OpenTable::default() }
}

/// Somebody at a table: a line, and what is known.
pub struct Client {
    pub line: Line,
    pub known: Known,
}

impl Client {
    pub async fn join(server: &Running, table: &str, tokens: &[&str]) -> Self {
        let mut line = Line::join(&server.address, table, tokens, None).await.unwrap();
        let mut known = Known::default();
        line.until(&mut known, |known| known.table.is_some()).await.unwrap();
        Client { line, known }
    }

    pub async fn ask(&mut self, command: Command) -> ToClient {
        self.line.ask(command, &mut self.known).await.unwrap()
    }

    pub async fn done(&mut self, command: Command) {
        let answer = self.ask(command.clone()).await;
        assert!(matches!(answer, ToClient::Done { .. }), "{command:?}: {answer:?}");
    }

    pub async fn refused(&mut self, command: Command) -> Code {
        match self.ask(command.clone()).await {
            ToClient::Refused { refusal, .. } => refusal.code,
            other => panic!("{command:?} was not refused: {other:?}"),
        }
    }

    pub fn choose(&self, seat: u8, choice: u32) -> Command {
        Command::Choose { step: self.known.step, seat, choice, insist: false }
    }

    /// The choice with these words.
    pub async fn play(&mut self, seat: u8, words: &str) {
        let ToClient::Words { words: all, .. } = self.ask(Command::Words { seat }).await else { panic!("no words") };
        let choice = all.iter().position(|known| known == words).unwrap_or_else(|| panic!("{words} is not in {all:?}"));
        self.done(self.choose(seat, choice as u32)).await;
    }

    pub async fn until(&mut self, holds: impl Fn(&Known) -> bool) {
        let waited = tokio::time::timeout(PATIENCE, self.line.until(&mut self.known, holds));
        waited.await.expect("it did not come to that").unwrap();
    }
}
