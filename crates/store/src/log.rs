//! Appending to logs: many tables share one commit.

use crate::error::{StoreError, Why};
use crate::lease::{self, Fence};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, AssertSqlSafe, Connection, Row};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard, mpsc, oneshot};

/// One thing that happened at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// From 1, without gaps.
    pub number: u32,
    pub kind: String,
    pub body: String,
    /// Milliseconds since 1970.
    pub at: u64,
}

pub(crate) struct Append {
    pub table: String,
    /// None: nobody else can write.
    pub fence: Option<Fence>,
    pub entries: Vec<Entry>,
    pub done: oneshot::Sender<Result<(), StoreError>>,
}

/// So many appends wait at most; whoever comes then waits with them.
const MOST_WAITING: usize = 4096;
/// So many go into one commit at most, so that the first of them does not wait for ever.
const MOST_AT_ONCE: usize = 512;
/// Rows of one statement, twice as many with each, so that few statements are prepared. No more than that: to take one
/// statement back SQLite keeps the pages it touches, up to sixteen in memory and more of them in a file.
const SIZES: [usize; 4] = [1, 2, 4, 8];
const COLUMNS: usize = 5;

/// Starts the one task that writes logs. It ends when nobody can send to it any more.
pub(crate) fn writer(
    pool: AnyPool,
    turns: Turns,
    patience: Option<Duration>,
) -> (mpsc::Sender<Append>, tokio::task::JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(MOST_WAITING);
    (sender, tokio::spawn(write(Writer { pool, turns, patience, connection: None }, receiver)))
}

/// SQLite lets one write at a time, and whoever finds it busy looks again now and then and gives up after a while: a log that
/// is always written would keep everybody else out. Here they wait in a line.
#[derive(Clone)]
pub(crate) struct Turns(Option<Arc<Mutex<()>>>);

impl Turns {
    pub fn new(is_needed: bool) -> Self {
        Turns(is_needed.then(Arc::default))
    }

    /// Writing may begin, until this is dropped.
    pub async fn take(&self) -> Option<OwnedMutexGuard<()>> {
        match &self.0 {
            Some(line) => Some(line.clone().lock_owned().await),
            None => None,
        }
    }
}

async fn write(mut writer: Writer, mut receiver: mpsc::Receiver<Append>) {
    let mut waiting = Vec::new();
    while receiver.recv_many(&mut waiting, MOST_AT_ONCE).await > 0 {
        for (append, result) in writer.write(std::mem::take(&mut waiting)).await {
            // Whoever no longer waits has gone.
            let _ = append.done.send(result);
        }
    }
}

type Written = (Append, Result<(), StoreError>);

struct Writer {
    pool: AnyPool,
    turns: Turns,
    /// How long the database may take for one commit, where it is not in this process.
    patience: Option<Duration>,
    /// Kept from commit to commit, as long as it does its work.
    connection: Option<PoolConnection<Any>>,
}

impl Writer {
    async fn write(&mut self, appends: Vec<Append>) -> Vec<Written> {
        let (fenced, free): (Vec<Append>, Vec<Append>) = appends.into_iter().partition(|append| append.fence.is_some());
        let mut written = Vec::with_capacity(fenced.len() + free.len());
        if !free.is_empty() {
            written.extend(self.write_all(free).await);
        }
        let mut left = fenced;
        // Usually all of them show the same server.
        while let Some(server) = left.first().and_then(|append| append.fence.as_ref()).map(|fence| fence.server.clone())
        {
            let own = |append: &Append| append.fence.as_ref().is_some_and(|fence| fence.server == server);
            let (now, later) = left.into_iter().partition(own);
            written.extend(self.write_all(now).await);
            left = later;
        }
        written
    }

    async fn write_all(&mut self, appends: Vec<Append>) -> Vec<Written> {
        match self.commit(&appends).await {
            Ok(refused) => told(appends, &refused),
            // Each of them would wait as long as all together.
            Err(error) if error.why == Why::Away || appends.len() == 1 => {
                appends.into_iter().map(|append| (append, Err(error.clone()))).collect()
            }
            // One of them is to blame, and the others should not pay for it.
            Err(_) => {
                let mut written = Vec::with_capacity(appends.len());
                for append in appends {
                    let alone = vec![append];
                    match self.commit(&alone).await {
                        Ok(refused) => written.extend(told(alone, &refused)),
                        Err(error) => written.extend(alone.into_iter().map(|append| (append, Err(error.clone())))),
                    }
                }
                written
            }
        }
    }

    /// Writes all of them or none, but those whose table belongs to somebody else: gives their tables.
    async fn commit(&mut self, appends: &[Append]) -> Result<BTreeSet<String>, StoreError> {
        let Some(patience) = self.patience else { return self.commit_now(appends).await };
        match tokio::time::timeout(patience, self.commit_now(appends)).await {
            Ok(Err(error)) if error.why == Why::Away => {
                self.give_up();
                Err(error)
            }
            Ok(done) => done,
            Err(_) => {
                self.give_up();
                Err(StoreError::away("The database does not answer."))
            }
        }
    }

    /// A connection in the middle of something answers the next question with the answer to the last one.
    fn give_up(&mut self) {
        if let Some(connection) = self.connection.take() {
            drop(connection.detach());
        }
    }

    async fn commit_now(&mut self, appends: &[Append]) -> Result<BTreeSet<String>, StoreError> {
        if self.connection.is_none() {
            self.connection = Some(self.pool.acquire().await?);
        }
        let _turn = self.turns.take().await;
        let connection = self.connection.as_mut().expect("there is one");
        let done = match appends.first().and_then(|append| append.fence.as_ref()) {
            Some(fence) => fenced(connection, &fence.server, appends).await,
            None => free(connection, appends).await.map(|()| BTreeSet::new()),
        };
        if done.is_err() {
            self.give_up();
        }
        done.map_err(StoreError::from)
    }
}

fn told(appends: Vec<Append>, refused: &BTreeSet<String>) -> Vec<Written> {
    let result = |append: &Append| match refused.contains(&append.table) {
        true => Err(StoreError::taken(&append.table)),
        false => Ok(()),
    };
    appends.into_iter().map(|append| (result(&append), append)).map(|(result, append)| (append, result)).collect()
}

async fn free(connection: &mut PoolConnection<Any>, appends: &[Append]) -> Result<(), sqlx::Error> {
    let rows: Vec<(&str, &Entry)> =
        appends.iter().flat_map(|append| append.entries.iter().map(|entry| (append.table.as_str(), entry))).collect();
    let mut transaction = connection.begin().await?;
    let mut left = &rows[..];
    while let Some(size) = SIZES.iter().rposition(|size| *size <= left.len()) {
        let (chunk, rest) = left.split_at(SIZES[size]);
        insert(&mut transaction, &STATEMENTS[size], chunk).await?;
        left = rest;
    }
    transaction.commit().await
}

/// Those of one server, in one statement.
async fn fenced(
    connection: &mut PoolConnection<Any>,
    server: &str,
    appends: &[Append],
) -> Result<BTreeSet<String>, sqlx::Error> {
    let row = |append: &Append, entry: &Entry| {
        let fence = append.fence.as_ref().map_or(0, |fence| fence.number);
        serde_json::json!({
            "table_id": append.table, "number": entry.number, "kind": entry.kind, "body": entry.body, "at": entry.at,
            "fence": fence,
        })
    };
    let rows: Vec<serde_json::Value> =
        appends.iter().flat_map(|append| append.entries.iter().map(move |entry| row(append, entry))).collect();
    let rows = serde_json::Value::from(rows).to_string();
    let written = sqlx::query(lease::APPEND).bind(server.to_owned()).bind(rows).fetch_all(&mut **connection).await?;
    let mut is_written = BTreeSet::new();
    for row in &written {
        is_written.insert((row.try_get::<String, _>(0)?, row.try_get::<i64, _>(1)?));
    }
    let missing = |append: &&Append| {
        append.entries.iter().any(|entry| !is_written.contains(&(append.table.clone(), i64::from(entry.number))))
    };
    Ok(appends.iter().filter(missing).map(|append| append.table.clone()).collect())
}

async fn insert(
    transaction: &mut sqlx::Transaction<'_, sqlx::Any>,
    sql: &'static str,
    rows: &[(&str, &Entry)],
) -> Result<(), sqlx::Error> {
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for (table, entry) in rows {
        query = query
            .bind((*table).to_owned())
            .bind(i64::from(entry.number))
            .bind(entry.kind.clone())
            .bind(entry.body.clone())
            .bind(entry.at as i64);
    }
    query.execute(&mut **transaction).await.map(|_| ())
}

static STATEMENTS: LazyLock<[String; SIZES.len()]> = LazyLock::new(|| SIZES.map(statement));

fn statement(rows: usize) -> String {
    let row = |row: usize| {
        let columns: Vec<String> = (1..=COLUMNS).map(|column| format!("${}", row * COLUMNS + column)).collect();
        format!("({})", columns.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("INSERT INTO log (table_id, number, kind, body, at) VALUES {}", rows.join(", "))
}
