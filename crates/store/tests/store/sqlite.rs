//! What holds for SQLite alone: it is a file.

use crate::subject::{Folder, entry, run};
use houserules_store::{Entry, Store, Token, TokenHash};
use sqlx::{AssertSqlSafe, Connection};

/// [TB2] [TB51]
#[test]
fn a_deleted_table_is_gone_from_the_file_and_a_token_was_never_there() {
    let folder = Folder::new("gone");
    let token = Token::random().unwrap();
    run(async {
        let store = Store::open(&folder.file()).await.unwrap();
        store.add_table("one", "", &[(token.hash(), "host".into())], &[], 1).await.unwrap();
        let secret = Entry { body: "a word nobody else would write: xyzzyplugh".into(), ..entry(1) };
        store.append("one", None, vec![secret]).await.unwrap();
        assert_eq!(store.token(&token.hash()).await.unwrap(), Some(("one".into(), "host".into())));
        assert!(store.delete_table("one").await.unwrap());
        assert!(!store.delete_table("one").await.unwrap());
        assert_eq!((store.token(&token.hash()).await.unwrap(), store.table("one").await.unwrap()), (None, None));
        store.close().await;
    });
    for file in std::fs::read_dir(&folder.0).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(!has(token.reveal()) && !has("xyzzyplugh"));
    }
}

#[test]
fn a_copy_holds_what_was_there_and_overwrites_nothing() {
    let folder = Folder::new("copy");
    let copy = folder.0.join("copy.db");
    run(async {
        let store = Store::open(&folder.file()).await.unwrap();
        store.add_table("one", "about", &[], &[entry(1)], 1).await.unwrap();
        store.add_definition("d-1", "[]", 1).await.unwrap();
        store.add_definition("d-1", "[other]", 1).await.unwrap();
        store.back_up(&copy).await.unwrap();
        assert!(store.back_up(&copy).await.is_err());
        store.close().await;
        let copy = Store::open(&copy).await.unwrap();
        assert_eq!(copy.table("one").await.unwrap().unwrap().log, [entry(1)]);
        assert_eq!((copy.definition("d-1").await.unwrap().as_deref(), copy.n_tables().await.unwrap()), (Some("[]"), 1));
        copy.close().await;
    });
}

/// Databases as earlier versions left them, by the number of their last migration. They are never written anew: whoever
/// changes a migration that is out breaks everybody's tables, and one of these tells.
const KEPT: [&str; 2] = [include_str!("../kept/1.sql"), include_str!("../kept/2.sql")];

async fn as_it_was(file: &std::path::Path, sql: &'static str) -> sqlx::SqliteConnection {
    let mut database = sqlx::SqliteConnection::connect(&format!("sqlite://{}?mode=rwc", file.display())).await.unwrap();
    sqlx::raw_sql(sql).execute(&mut database).await.unwrap();
    database
}

#[test]
fn an_old_database_opens_and_goes_on() {
    let folder = Folder::new("old");
    run(async {
        for (at, sql) in KEPT.into_iter().enumerate() {
            let file = folder.0.join(format!("{at}.db"));
            as_it_was(&file, sql).await.close().await.unwrap();
            let store = Store::open(&file).await.unwrap();
            let table = "889a4d0f4eac669be9ff6df2";
            let kept = store.table(table).await.unwrap().unwrap();
            assert!(kept.about.contains("\"game\":\"nim\""), "{}", kept.about);
            let kinds: Vec<(u32, &str)> = kept.log.iter().map(|entry| (entry.number, entry.kind.as_str())).collect();
            assert_eq!(kinds, [(1, "sat"), (2, "bot"), (3, "begin")]);
            assert_eq!(kept.log[2].body, "{\"is\":\"begin\",\"seats\":[0,1]}");
            let token = TokenHash::of("53effa05cef48e179b36d41c6ef1eb218cc7337a87c45a225354668e320fd7a2");
            assert_eq!(store.token(&token).await.unwrap(), Some((table.into(), "chair:0".into())));
            let definition = store.definition("d-b3b6f04e4663197ba69397db95a5697a9fb5b172").await.unwrap().unwrap();
            assert!(definition.contains("#game"), "{definition}");
            store.append(table, None, vec![entry(4)]).await.unwrap();
            assert!(store.append(table, None, vec![entry(4)]).await.is_err(), "numbers are still written once");
            store.close().await;
            let again = Store::open(&file).await.unwrap();
            assert_eq!(again.table(table).await.unwrap().unwrap().log.len(), 4);
            assert!(again.delete_table(table).await.unwrap());
            again.close().await;
        }
    });
}

#[test]
fn a_database_of_a_later_version_is_left_alone() {
    let folder = Folder::new("later");
    run(async {
        let mut database = as_it_was(&folder.file(), KEPT[KEPT.len() - 1]).await;
        let later = "INSERT INTO _sqlx_migrations SELECT 999, 'later', installed_on, success, checksum, 0 FROM _sqlx_migrations WHERE version = 1";
        sqlx::query(AssertSqlSafe(later)).execute(&mut database).await.unwrap();
        database.close().await.unwrap();
        let Err(error) = Store::open(&folder.file()).await else { panic!("it opened") };
        assert!(
            error.words.contains("tables.db cannot be opened as a database") && error.words.contains("999"),
            "{error}"
        );
    });
}

#[test]
fn what_is_no_database_is_left_alone() {
    let folder = Folder::new("no");
    let text = "Dear diary, this is no database, and nobody may write into it.".repeat(100);
    std::fs::write(folder.file(), &text).unwrap();
    run(async { assert!(Store::open(&folder.file()).await.is_err()) });
    assert_eq!(std::fs::read_to_string(folder.file()).unwrap(), text);
}
