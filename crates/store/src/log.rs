//! Appending to logs: many tables share one commit.

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, AssertSqlSafe, Connection};
use std::sync::{Arc, LazyLock};
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
    pub entries: Vec<Entry>,
    pub done: oneshot::Sender<Result<(), String>>,
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
pub(crate) fn writer(pool: AnyPool, turns: Turns) -> (mpsc::Sender<Append>, tokio::task::JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(MOST_WAITING);
    (sender, tokio::spawn(write(Writer { pool, turns, connection: None }, receiver)))
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
        let told = match writer.commit(waiting.iter()).await {
            Ok(()) => waiting.drain(..).map(|append| (append.done, Ok(()))).collect(),
            // One of them is to blame, and the others should not pay for it.
            Err(_) => {
                let mut told = Vec::with_capacity(waiting.len());
                for append in waiting.drain(..) {
                    let alone = writer.commit(std::iter::once(&append)).await;
                    told.push((append.done, alone.map_err(|error| error.to_string())));
                }
                told
            }
        };
        for (done, result) in told {
            // Whoever no longer waits has gone.
            let _ = done.send(result);
        }
    }
}

struct Writer {
    pool: AnyPool,
    turns: Turns,
    /// Kept from commit to commit, as long as it does its work.
    connection: Option<PoolConnection<Any>>,
}

impl Writer {
    async fn commit(&mut self, appends: impl Iterator<Item = &Append>) -> Result<(), sqlx::Error> {
        let rows: Vec<(&str, &Entry)> =
            appends.flat_map(|append| append.entries.iter().map(|entry| (append.table.as_str(), entry))).collect();
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.pool.acquire().await?,
        };
        let _turn = self.turns.take().await;
        let mut transaction = connection.begin().await?;
        let mut left = &rows[..];
        while let Some(size) = SIZES.iter().rposition(|size| *size <= left.len()) {
            let (chunk, rest) = left.split_at(SIZES[size]);
            insert(&mut transaction, &STATEMENTS[size], chunk).await?;
            left = rest;
        }
        transaction.commit().await?;
        self.connection = Some(connection);
        Ok(())
    }
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
