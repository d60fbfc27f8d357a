//! A server for a test, in a folder of its own.

use houserules_client::{Known, Line, get, open};
use houserules_protocol::table::{OpenTable, SitterWish, TableOpened};
use houserules_protocol::{Code, Command, ToClient};
use houserules_server::{Config, Hall, Limits, Server};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::sync::oneshot;

/// Gone with whoever has it.
pub struct Folder(PathBuf);

pub struct Running {
    pub address: String,
    pub hall: Arc<Hall>,
    folder: Folder,
    end: Option<oneshot::Sender<()>>,
    served: Option<tokio::task::JoinHandle<Result<(), String>>>,
}

/// Only so that a test that fails ends at all: a busy computer is no reason to fail.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(600);

static NEXT: AtomicU32 = AtomicU32::new(0);

pub fn limits() -> Limits {
    Limits { messages: 100_000, requests: 100_000, openings: 1_000_000, ..Limits::default() }
}

impl Running {
    pub async fn start() -> Self {
        Self::with(limits()).await
    }

    pub async fn with(limits: Limits) -> Self {
        Self::on(new_folder(), limits).await
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
        Self::on(folder, limits()).await
    }

    /// A server that nobody runs, and its folder.
    pub async fn bind(limits: Limits) -> (Server, Folder) {
        let folder = new_folder();
        (bind(&folder, limits).await, Folder(folder))
    }

    async fn on(folder: PathBuf, limits: Limits) -> Self {
        let server = bind(&folder, limits).await;
        let (address, hall) = (server.address().to_string(), server.hall());
        let (end, ended) = oneshot::channel();
        let served = tokio::spawn(server.run(async move {
            let _ = ended.await;
        }));
        Running { address, hall, folder: Folder(folder), end: Some(end), served: Some(served) }
    }

    /// Ends as if told to, and starts anew on what is kept.
    pub async fn restart(mut self, limits: Limits) -> Self {
        let folder = self.stop().await;
        Self::on(folder, limits).await
    }

    async fn stop(&mut self) -> PathBuf {
        drop(self.end.take());
        if let Some(served) = self.served.take() {
            served.await.unwrap().unwrap();
            let beside = std::fs::metadata(self.folder.0.join("tables.db-wal")).map_or(0, |file| file.len());
            assert_eq!(beside, 0, "the database is one file when a server has stopped");
        }
        std::mem::take(&mut self.folder.0)
    }

    pub async fn open(&self, wanted: &OpenTable) -> TableOpened {
        open(&self.address, wanted).await.unwrap()
    }

    /// One of the figures that the operator is told.
    pub async fn figure(&self, name: &str) -> u64 {
        let text = get(&self.address, "/metrics", None).await.unwrap().body;
        let line = text.lines().find(|line| line.starts_with(&format!("houserules_{name} ")));
        line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or_else(|| panic!("{name} is not in {text}"))
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

async fn bind(folder: &std::path::Path, limits: Limits) -> Server {
    let config = Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        data: folder.join("tables.db"),
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
