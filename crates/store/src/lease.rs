//! Which server a table belongs to, where several share one database: PostgreSQL.
//!
//! A server says again and again that it is there. One that has not said so for a while may be declared gone, for ever, by
//! whoever wants one of its tables; only then the table can be taken. An append first holds on to the row of its server, so
//! that it either is written before the server is declared gone, or not at all: it is one statement, so no connection can be
//! lost in the middle of it. All times are the database's.

use crate::error::StoreError;
use sqlx::{AnyPool, Row};
use std::sync::Arc;
use std::time::Duration;

type Result<T> = std::result::Result<T, StoreError>;

/// What a server shows to write to a table: that the table was given to it, and how often it was given to anybody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fence {
    pub server: Arc<str>,
    pub number: i64,
}

/// Whose a table is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    Me(Fence),
    Other(String),
}

/// Another server that is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Other {
    pub id: String,
    /// It hears the others.
    pub hears: bool,
}

/// The database's time in milliseconds.
macro_rules! now {
    () => {
        "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
    };
}

/// Servers that were gone so long are forgotten.
const FORGOTTEN: i64 = 24 * 3600 * 1000;

/// A server is there, for so long.
pub(crate) async fn enter(pool: &AnyPool, id: &str, lasting: Duration) -> Result<()> {
    sqlx::query(concat!("DELETE FROM servers WHERE ends < ", now!(), " - $1")).bind(FORGOTTEN).execute(pool).await?;
    sqlx::query(concat!("INSERT INTO servers (id, ends, hears, gone) VALUES ($1, ", now!(), " + $2, 1, 0)"))
        .bind(id.to_owned())
        .bind(lasting.as_millis() as i64)
        .execute(pool)
        .await?;
    Ok(())
}

/// It is still there; false if it was declared gone.
pub(crate) async fn renew(pool: &AnyPool, id: &str, lasting: Duration, hears: bool) -> Result<bool> {
    let sql = concat!("UPDATE servers SET ends = ", now!(), " + $2, hears = $3 WHERE id = $1 AND gone = 0");
    let done = sqlx::query(sql).bind(id.to_owned()).bind(lasting.as_millis() as i64).bind(i64::from(hears));
    Ok(done.execute(pool).await?.rows_affected() == 1)
}

/// It goes in good order: whatever is still its own is anybody's.
pub(crate) async fn leave(pool: &AnyPool, id: &str) -> Result<()> {
    sqlx::query("UPDATE servers SET gone = 1 WHERE id = $1").bind(id.to_owned()).execute(pool).await?;
    Ok(())
}

pub(crate) async fn others(pool: &AnyPool, id: &str) -> Result<Vec<Other>> {
    let sql = concat!("SELECT id, hears FROM servers WHERE gone = 0 AND ends >= ", now!(), " AND id <> $1 ORDER BY id");
    let rows = sqlx::query(sql).bind(id.to_owned()).fetch_all(pool).await?;
    let other = |row: &sqlx::any::AnyRow| Ok(Other { id: row.try_get(0)?, hears: row.try_get::<i64, _>(1)? == 1 });
    rows.iter().map(other).collect()
}

/// Whose a table is; nobody's becomes the own. None: there is no such table.
pub(crate) async fn take(pool: &AnyPool, table: &str, id: &Arc<str>) -> Result<Option<Owner>> {
    // 2: it is there. 1: it should be, but its time has passed. 0: it is gone, or nobody has the table.
    const ASKED: &str = concat!(
        "SELECT COALESCE(l.server, ''), COALESCE(l.fence, 0), CAST(CASE WHEN s.id IS NULL OR s.gone = 1 THEN 0 WHEN s.ends < ",
        now!(),
        " THEN 1 ELSE 2 END AS BIGINT) FROM tables t LEFT JOIN leases l ON l.table_id = t.id ",
        "LEFT JOIN servers s ON s.id = l.server WHERE t.id = $1"
    );
    loop {
        let Some(row) = sqlx::query(ASKED).bind(table.to_owned()).fetch_optional(pool).await? else { return Ok(None) };
        let (server, fence, state): (String, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if server == **id {
            return Ok(Some(Owner::Me(Fence { server: id.clone(), number: fence })));
        }
        if state == 2 {
            return Ok(Some(Owner::Other(server)));
        }
        if state == 1 {
            // Waits for what it is writing at this moment. It may also have come back since.
            let sql = concat!("UPDATE servers SET gone = 1 WHERE id = $1 AND ends < ", now!());
            if sqlx::query(sql).bind(server.clone()).execute(pool).await?.rows_affected() == 0 {
                continue;
            }
        }
        let taken = match fence {
            0 => {
                sqlx::query("INSERT INTO leases (table_id, server, fence) VALUES ($1, $2, 1) ON CONFLICT DO NOTHING")
                    .bind(table.to_owned())
                    .bind(id.to_string())
                    .execute(pool)
                    .await?
            }
            _ => {
                let sql = "UPDATE leases SET server = $2, fence = fence + 1 WHERE table_id = $1 AND server = $3 AND fence = $4";
                sqlx::query(sql)
                    .bind(table.to_owned())
                    .bind(id.to_string())
                    .bind(server)
                    .bind(fence)
                    .execute(pool)
                    .await?
            }
        };
        if taken.rows_affected() == 1 {
            return Ok(Some(Owner::Me(Fence { server: id.clone(), number: fence + 1 })));
        }
    }
}

/// The table is nobody's, if it still was one's own.
pub(crate) async fn release(pool: &AnyPool, table: &str, fence: &Fence) -> Result<()> {
    sqlx::query("UPDATE leases SET server = '' WHERE table_id = $1 AND server = $2 AND fence = $3")
        .bind(table.to_owned())
        .bind(fence.server.to_string())
        .bind(fence.number)
        .execute(pool)
        .await?;
    Ok(())
}

/// Inside a transaction: the table stays one's own until the transaction ends. False if it is not.
pub(crate) async fn hold(
    transaction: &mut sqlx::Transaction<'_, sqlx::Any>,
    table: &str,
    fence: &Fence,
) -> std::result::Result<bool, sqlx::Error> {
    let there = sqlx::query("SELECT id FROM servers WHERE id = $1 AND gone = 0 FOR SHARE")
        .bind(fence.server.to_string())
        .fetch_optional(&mut **transaction)
        .await?;
    let own = sqlx::query("SELECT fence FROM leases WHERE table_id = $1 AND server = $2 AND fence = $3 FOR SHARE")
        .bind(table.to_owned())
        .bind(fence.server.to_string())
        .bind(fence.number)
        .fetch_optional(&mut **transaction)
        .await?;
    Ok(there.is_some() && own.is_some())
}

/// Writes what still may be written, all in one statement; says which rows were.
pub(crate) const APPEND: &str = "\
    WITH there AS (SELECT id FROM servers WHERE id = $1 AND gone = 0 FOR SHARE) \
    INSERT INTO log (table_id, number, kind, body, at) \
    SELECT new.table_id, new.number, new.kind, new.body, new.at \
    FROM json_to_recordset(CAST($2 AS JSON)) \
        AS new (table_id TEXT, number BIGINT, kind TEXT, body TEXT, at BIGINT, fence BIGINT) \
    JOIN leases l ON l.table_id = new.table_id AND l.server = $1 AND l.fence = new.fence \
    WHERE EXISTS (SELECT id FROM there) \
    RETURNING table_id, number";
