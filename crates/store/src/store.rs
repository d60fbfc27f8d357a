use crate::error::StoreError;
use crate::lease::{self, Fence, Other, Owner};
use crate::log::{self, Append, Entry, Turns};
use crate::token::TokenHash;
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::{AnyPool, Connection, Row};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// Everything that is kept.
///
/// # Invariants
/// - What was appended is on the disk when [`Store::append`] answers.
/// - The entries of a log are numbered from 1 without gaps; a number is written once.
pub struct Store {
    pool: AnyPool,
    is_sqlite: bool,
    /// Whoever writes has taken one.
    turns: Turns,
    /// Taken away to end the writer.
    appends: mpsc::Sender<Append>,
    writer: std::sync::Mutex<Option<tokio::task::JoinHandle<()>>>,
}

/// A table as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    pub about: String,
    pub log: Vec<Entry>,
}

type Result<T> = std::result::Result<T, StoreError>;

impl Store {
    /// The database in a file, made if there is none; or PostgreSQL, by an address such as `postgres://host/name`.
    pub async fn open(data: &Path) -> Result<Self> {
        if is_address(data) {
            let address = data.to_string_lossy();
            return Self::connect(&address).await.map_err(|error| {
                let words = format!("{} cannot be opened as a database: {error}.", shown(data));
                StoreError { words, ..error }
            });
        }
        let shown = data.display();
        Self::connect(&format!("sqlite://{shown}?mode=rwc"))
            .await
            .map_err(|error| StoreError::other(format!("{shown} cannot be opened as a database: {error}.")))
    }

    /// By an address such as `sqlite://tables.db`.
    pub async fn connect(url: &str) -> Result<Self> {
        install_default_drivers();
        let is_sqlite = url.starts_with("sqlite:");
        // What is no database says so at once: a pool would try again and again.
        let mut first = within(is_sqlite, async { Ok(sqlx::AnyConnection::connect(url).await?) }).await?;
        if is_sqlite {
            prepare(&mut first, is_sqlite).await?;
        }
        // Before anybody is in a hurry: a new version may have much to do.
        sqlx::migrate!("./migrations").run(&mut first).await?;
        first.close().await?;
        let options = AnyPoolOptions::new()
            .max_connections(if is_sqlite { 5 } else { 12 })
            .acquire_timeout(if is_sqlite { Duration::from_secs(30) } else { PATIENCE })
            // A file does not go away by itself: asking whether it is still there would cost as much as a question.
            .test_before_acquire(!is_sqlite)
            .after_connect(move |connection, _| Box::pin(prepare(connection, is_sqlite)));
        let pool = options.connect(url).await?;
        let turns = Turns::new(is_sqlite);
        let (appends, writer) = log::writer(pool.clone(), turns.clone(), (!is_sqlite).then_some(PATIENCE));
        Ok(Store { pool, is_sqlite, turns, appends, writer: std::sync::Mutex::new(Some(writer)) })
    }

    /// Whether several servers may share it.
    pub fn is_shared(&self) -> bool {
        !self.is_sqlite
    }

    async fn within<T>(&self, asked: impl Future<Output = Result<T>>) -> Result<T> {
        within(self.is_sqlite, asked).await
    }

    /// A server is there, and will be gone when it is not renewed for so long.
    pub async fn enter(&self, server: &str, lasting: Duration) -> Result<()> {
        self.within(lease::enter(&self.pool, server, lasting)).await
    }

    /// False if it was declared gone: none of its tables are its own any more.
    pub async fn renew(&self, server: &str, lasting: Duration, hears: bool) -> Result<bool> {
        self.within(lease::renew(&self.pool, server, lasting, hears)).await
    }

    /// A server goes in good order: its tables are anybody's.
    pub async fn leave(&self, server: &str) -> Result<()> {
        self.within(lease::leave(&self.pool, server)).await
    }

    /// The other servers that are there.
    pub async fn others(&self, server: &str) -> Result<Vec<Other>> {
        self.within(lease::others(&self.pool, server)).await
    }

    /// Whose a table is. If it is nobody's, it becomes this server's. None: there is no such table.
    pub async fn take(&self, table: &str, server: &Arc<str>) -> Result<Option<Owner>> {
        self.within(lease::take(&self.pool, table, server)).await
    }

    /// Gives a table back, so that any server may take it.
    pub async fn release(&self, table: &str, fence: &Fence) -> Result<()> {
        self.within(lease::release(&self.pool, table, fence)).await
    }

    /// A new table with its tokens and the beginning of its log.
    pub async fn add_table(
        &self,
        id: &str,
        about: &str,
        tokens: &[(TokenHash, String)],
        log: &[Entry],
        now: u64,
    ) -> Result<()> {
        self.within(async {
            let _turn = self.turns.take().await;
            let mut transaction = self.pool.begin().await?;
            sqlx::query("INSERT INTO tables (id, about, opened) VALUES ($1, $2, $3)")
                .bind(id.to_owned())
                .bind(about.to_owned())
                .bind(now as i64)
                .execute(&mut *transaction)
                .await?;
            for (hash, role) in tokens {
                add_token(&mut transaction, id, hash, role).await?;
            }
            for entry in log {
                sqlx::query("INSERT INTO log (table_id, number, kind, body, at) VALUES ($1, $2, $3, $4, $5)")
                    .bind(id.to_owned())
                    .bind(i64::from(entry.number))
                    .bind(entry.kind.clone())
                    .bind(entry.body.clone())
                    .bind(entry.at as i64)
                    .execute(&mut *transaction)
                    .await?;
            }
            Ok(transaction.commit().await?)
        })
        .await
    }

    /// Adds to a log. Answers when it is on the disk. Where there is a fence, only as long as that is the newest.
    pub async fn append(&self, table: &str, fence: Option<&Fence>, entries: Vec<Entry>) -> Result<()> {
        let (done, answered) = oneshot::channel();
        let append = Append { table: table.to_owned(), fence: fence.cloned(), entries, done };
        let gone = || StoreError::away("The database is closed.");
        self.appends.send(append).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    pub async fn table(&self, id: &str) -> Result<Option<Kept>> {
        self.within(async {
            let row = sqlx::query("SELECT about FROM tables WHERE id = $1")
                .bind(id.to_owned())
                .fetch_optional(&self.pool)
                .await?;
            let Some(row) = row else { return Ok(None) };
            let rows = sqlx::query("SELECT number, kind, body, at FROM log WHERE table_id = $1 ORDER BY number")
                .bind(id.to_owned())
                .fetch_all(&self.pool)
                .await?;
            let entry = |row: &sqlx::any::AnyRow| {
                Ok::<_, sqlx::Error>(Entry {
                    number: row.try_get::<i64, _>(0)? as u32,
                    kind: row.try_get(1)?,
                    body: row.try_get(2)?,
                    at: row.try_get::<i64, _>(3)? as u64,
                })
            };
            let log = rows.iter().map(entry).collect::<std::result::Result<_, _>>()?;
            Ok(Some(Kept { about: row.try_get(0)?, log }))
        })
        .await
    }

    /// Deletes a table and all that belongs to it; false if there is none.
    pub async fn delete_table(&self, id: &str) -> Result<bool> {
        self.within(async {
            let _turn = self.turns.take().await;
            let mut transaction = self.pool.begin().await?;
            for sql in ["DELETE FROM log WHERE table_id = $1", "DELETE FROM tokens WHERE table_id = $1"] {
                sqlx::query(sql).bind(id.to_owned()).execute(&mut *transaction).await?;
            }
            let gone =
                sqlx::query("DELETE FROM tables WHERE id = $1").bind(id.to_owned()).execute(&mut *transaction).await?;
            transaction.commit().await?;
            Ok(gone.rows_affected() > 0)
        })
        .await
    }

    pub async fn n_tables(&self) -> Result<u64> {
        self.within(async {
            let row = sqlx::query("SELECT COUNT(*) FROM tables").fetch_one(&self.pool).await?;
            Ok(row.try_get::<i64, _>(0)? as u64)
        })
        .await
    }

    /// What a token opens: a table and a role in it.
    pub async fn token(&self, hash: &TokenHash) -> Result<Option<(String, String)>> {
        self.within(async {
            let row = sqlx::query("SELECT table_id, role FROM tokens WHERE hash = $1")
                .bind(hash.as_str().to_owned())
                .fetch_optional(&self.pool)
                .await?;
            Ok(match row {
                Some(row) => Some((row.try_get(0)?, row.try_get(1)?)),
                None => None,
            })
        })
        .await
    }

    /// Adds a token and takes away those of another role, which may be the same: that renews it.
    pub async fn replace_token(
        &self,
        table: &str,
        fence: Option<&Fence>,
        hash: &TokenHash,
        role: &str,
        instead_of: &str,
    ) -> Result<()> {
        self.within(async {
            let _turn = self.turns.take().await;
            let mut transaction = self.pool.begin().await?;
            hold(&mut transaction, table, fence).await?;
            remove_tokens(&mut transaction, table, instead_of).await?;
            add_token(&mut transaction, table, hash, role).await?;
            Ok(transaction.commit().await?)
        })
        .await
    }

    pub async fn delete_tokens(&self, table: &str, fence: Option<&Fence>, role: &str) -> Result<()> {
        self.within(async {
            let _turn = self.turns.take().await;
            let mut transaction = self.pool.begin().await?;
            hold(&mut transaction, table, fence).await?;
            remove_tokens(&mut transaction, table, role).await?;
            Ok(transaction.commit().await?)
        })
        .await
    }

    /// Keeps a definition under its digest. One that is there already stays.
    pub async fn add_definition(&self, id: &str, files: &str, now: u64) -> Result<()> {
        self.within(async {
            let _turn = self.turns.take().await;
            sqlx::query("INSERT INTO definitions (id, files, added) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING")
                .bind(id.to_owned())
                .bind(files.to_owned())
                .bind(now as i64)
                .execute(&self.pool)
                .await?;
            Ok(())
        })
        .await
    }

    pub async fn definition(&self, id: &str) -> Result<Option<String>> {
        self.within(async {
            let row = sqlx::query("SELECT files FROM definitions WHERE id = $1")
                .bind(id.to_owned())
                .fetch_optional(&self.pool)
                .await?;
            Ok(match row {
                Some(row) => Some(row.try_get(0)?),
                None => None,
            })
        })
        .await
    }

    /// A copy of everything in a file that must not be there yet, while tables go on.
    pub async fn back_up(&self, file: &Path) -> Result<()> {
        if !self.is_sqlite {
            return Err(StoreError::other(
                "PostgreSQL has copies of its own: `pg_dump --format=custom --file=COPY ADDRESS`.",
            ));
        }
        if file.exists() {
            return Err(StoreError::other(format!("{} is there already; a copy needs a new name.", file.display())));
        }
        sqlx::query("VACUUM INTO $1").bind(file.display().to_string()).execute(&self.pool).await?;
        Ok(())
    }

    /// Brings all that is kept into the one file, so that a copy of that file alone is whole. Not while others write.
    pub async fn gather(&self) -> Result<()> {
        let _turn = self.turns.take().await;
        if self.is_sqlite {
            sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&self.pool).await?;
        }
        Ok(())
    }

    /// Whether the database answers.
    pub async fn is_well(&self) -> bool {
        self.within(async { Ok(sqlx::query("SELECT 1").fetch_one(&self.pool).await?) }).await.is_ok()
    }

    /// Ends when everything that was appended is written.
    pub async fn close(self) {
        let Store { pool, appends, writer, .. } = self;
        drop(appends);
        let writer = writer.lock().ok().and_then(|mut writer| writer.take());
        if let Some(writer) = writer {
            // A writer that panicked has told those who waited.
            let _ = writer.await;
        }
        pool.close().await;
    }
}

/// Whether tables are kept at an address and not in a file.
pub fn is_address(data: &Path) -> bool {
    let said = data.to_string_lossy();
    said.starts_with("postgres://") || said.starts_with("postgresql://")
}

/// Where tables are kept, as it may be shown: without a password.
pub fn shown(data: &Path) -> String {
    let said = data.display().to_string();
    match said.split_once("://").filter(|_| is_address(data)) {
        Some((kind, rest)) => format!("{kind}://{}", rest.rsplit_once('@').map_or(rest, |(_, place)| place)),
        None => said,
    }
}

/// A database elsewhere may not answer at all.
const PATIENCE: Duration = Duration::from_secs(3);

async fn within<T>(is_sqlite: bool, asked: impl Future<Output = Result<T>>) -> Result<T> {
    if is_sqlite {
        return asked.await;
    }
    match tokio::time::timeout(PATIENCE, asked).await {
        Ok(answer) => answer,
        Err(_) => Err(StoreError::away("The database does not answer.")),
    }
}

async fn hold(transaction: &mut sqlx::Transaction<'_, sqlx::Any>, table: &str, fence: Option<&Fence>) -> Result<()> {
    let Some(fence) = fence else { return Ok(()) };
    match lease::hold(transaction, table, fence).await? {
        true => Ok(()),
        false => Err(StoreError::taken(table)),
    }
}

async fn prepare(connection: &mut sqlx::AnyConnection, is_sqlite: bool) -> std::result::Result<(), sqlx::Error> {
    let pragmas: &[&'static str] = match is_sqlite {
        true => &[
            "PRAGMA busy_timeout = 5000",
            "PRAGMA journal_mode = WAL",
            // Answered means on the disk, even if the power fails.
            "PRAGMA synchronous = FULL",
            "PRAGMA foreign_keys = ON",
            // What is deleted is overwritten.
            "PRAGMA secure_delete = ON",
        ],
        // What nobody waits for any more must not happen later.
        false => &["SET statement_timeout = '2500ms'", "SET idle_in_transaction_session_timeout = '5s'"],
    };
    for &pragma in pragmas {
        sqlx::query(pragma).execute(&mut *connection).await?;
    }
    Ok(())
}

async fn add_token(
    transaction: &mut sqlx::Transaction<'_, sqlx::Any>,
    table: &str,
    hash: &TokenHash,
    role: &str,
) -> Result<()> {
    sqlx::query("INSERT INTO tokens (hash, table_id, role) VALUES ($1, $2, $3)")
        .bind(hash.as_str().to_owned())
        .bind(table.to_owned())
        .bind(role.to_owned())
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

async fn remove_tokens(transaction: &mut sqlx::Transaction<'_, sqlx::Any>, table: &str, role: &str) -> Result<()> {
    sqlx::query("DELETE FROM tokens WHERE table_id = $1 AND role = $2")
        .bind(table.to_owned())
        .bind(role.to_owned())
        .execute(&mut **transaction)
        .await?;
    Ok(())
}
