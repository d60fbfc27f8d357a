use std::fmt;

/// Why something could not be kept or found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoreError {
    pub why: Why,
    pub words: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The database does not answer. What was asked of it may have happened or not.
    Away,
    /// The table belongs to another server now. Nothing was written.
    Taken,
    Other,
}

impl StoreError {
    pub(crate) fn other(words: impl Into<String>) -> Self {
        StoreError { why: Why::Other, words: words.into() }
    }

    pub(crate) fn away(words: impl Into<String>) -> Self {
        StoreError { why: Why::Away, words: words.into() }
    }

    pub(crate) fn taken(table: &str) -> Self {
        StoreError { why: Why::Taken, words: format!("Table {table} belongs to another server.") }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for StoreError {}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let why = if is_away(&error) { Why::Away } else { Why::Other };
        StoreError { why, words: error.to_string() }
    }
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        StoreError::other(error.to_string())
    }
}

/// The connection and not what was asked is to blame.
pub(crate) fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => {
            let code = error.code().unwrap_or_default().into_owned();
            // Of PostgreSQL: connections, an operator's word, too many at once, a statement that took too long.
            code.starts_with("08") || code.starts_with("57") || code.starts_with("53") || code.starts_with("25P")
        }
        _ => false,
    }
}
