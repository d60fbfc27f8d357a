//! What holds for every database.

use crate::subject::{Subject, entry, on_both, run};
use houserules_store::{Store, Token};

on_both! {
    a_log_is_there_again_in_order_after_closing,
    a_number_is_written_once_and_others_do_not_pay_for_it,
    a_deleted_table_is_gone,
    tokens_are_renewed_and_taken_away_by_role,
    a_definition_stays_as_it_was_kept_first,
    others_get_their_turn_while_a_log_is_written_all_the_time,
    what_is_typed_is_kept_as_it_was,
}

fn a_log_is_there_again_in_order_after_closing(subject: &Subject) {
    run(async {
        let store = Store::open(&subject.data).await.unwrap();
        store.add_table("one", "about", &[], &[entry(1)], 1).await.unwrap();
        // More than one statement's worth, and some left over.
        store.append("one", None, (2..=100).map(entry).collect()).await.unwrap();
        store.close().await;
        let store = Store::open(&subject.data).await.unwrap();
        let kept = store.table("one").await.unwrap().unwrap();
        assert_eq!((kept.about.as_str(), kept.log), ("about", (1..=100).map(entry).collect()));
        assert_eq!(store.table("two").await.unwrap(), None);
        store.close().await;
    });
}

fn a_number_is_written_once_and_others_do_not_pay_for_it(subject: &Subject) {
    run(async {
        let store = Store::open(&subject.data).await.unwrap();
        for table in ["one", "two"] {
            store.add_table(table, "", &[], &[], 1).await.unwrap();
        }
        let (first, second, other) = tokio::join!(
            store.append("one", None, vec![entry(1)]),
            store.append("one", None, vec![entry(1), entry(2)]),
            store.append("two", None, vec![entry(1)]),
        );
        assert_eq!((first.is_ok(), second.is_ok(), other.is_ok()), (true, false, true));
        assert_eq!(store.table("one").await.unwrap().unwrap().log, [entry(1)]);
        store.close().await;
    });
}

fn tokens_are_renewed_and_taken_away_by_role(subject: &Subject) {
    run(async {
        let store = Store::open(&subject.data).await.unwrap();
        let (old, new) = (Token::random().unwrap(), Token::random().unwrap());
        store.add_table("one", "", &[(old.hash(), "invite:0".into())], &[], 1).await.unwrap();
        store.replace_token("one", None, &new.hash(), "invite:0", "invite:0").await.unwrap();
        assert_eq!(store.token(&old.hash()).await.unwrap(), None);
        assert!(store.token(&new.hash()).await.unwrap().is_some());
        store.delete_tokens("one", None, "invite:0").await.unwrap();
        assert_eq!(store.token(&new.hash()).await.unwrap(), None);
        store.close().await;
    });
}

/// While a log is written without a pause, tables are still opened and deleted: nobody finds the database busy for long.
fn others_get_their_turn_while_a_log_is_written_all_the_time(subject: &Subject) {
    run(async {
        let store = Store::open(&subject.data).await.unwrap();
        store.add_table("log", "", &[], &[], 1).await.unwrap();
        let (done, mut written) = (std::cell::Cell::new(false), 0);
        let busy = async {
            while !done.get() {
                written += 1;
                store.append("log", None, vec![entry(written)]).await.unwrap();
            }
        };
        let others = async {
            for at in 0..20 {
                let id = format!("table {at}");
                store.add_table(&id, "", &[], &[entry(1)], 1).await.unwrap();
                assert!(store.delete_table(&id).await.unwrap());
            }
            done.set(true);
        };
        tokio::join!(busy, others);
        assert_eq!(store.table("log").await.unwrap().unwrap().log.len(), written as usize);
        store.close().await;
    });
}

/// [TB51]
fn a_deleted_table_is_gone(subject: &Subject) {
    let token = Token::random().unwrap();
    run(async {
        let store = Store::open(&subject.data).await.unwrap();
        for id in ["one", "two"] {
            store.add_table(id, "", &[], &[entry(1)], 1).await.unwrap();
        }
        store.replace_token("one", None, &token.hash(), "host", "host").await.unwrap();
        assert_eq!(store.token(&token.hash()).await.unwrap(), Some(("one".into(), "host".into())));
        assert!(store.delete_table("one").await.unwrap());
        assert!(!store.delete_table("one").await.unwrap());
        assert_eq!((store.token(&token.hash()).await.unwrap(), store.table("one").await.unwrap()), (None, None));
        assert!(store.append("one", None, vec![entry(2)]).await.is_err(), "a table that is gone has no log");
        assert_eq!(store.n_tables().await.unwrap(), 1);
        store.close().await;
    });
}

fn a_definition_stays_as_it_was_kept_first(subject: &Subject) {
    run(async {
        let store = Store::open(&subject.data).await.unwrap();
        store.add_definition("d-1", "[]", 1).await.unwrap();
        store.add_definition("d-1", "[other]", 1).await.unwrap();
        assert_eq!(store.definition("d-1").await.unwrap().as_deref(), Some("[]"));
        assert_eq!(store.definition("d-2").await.unwrap(), None);
        store.close().await;
    });
}

/// Quotes, signs of every script and what JSON writes in another way: logs are sent to some databases inside of JSON.
fn what_is_typed_is_kept_as_it_was(subject: &Subject) {
    let body = "{\"text\":\"\\\"'; DROP TABLE log; -- \u{1f3b2} \u{5c07}\u{68cb} \\u0000 \\n\"}\t\n\u{7f}\u{2028}";
    run(async {
        let store = Store::open(&subject.data).await.unwrap();
        store.add_table("o'ne \u{1f3b2}", body, &[], &[], 1).await.unwrap();
        let mut fence = None;
        if store.is_shared() {
            store.enter("me", std::time::Duration::from_secs(60)).await.unwrap();
            let owner = store.take("o'ne \u{1f3b2}", &"me".into()).await.unwrap();
            let Some(houserules_store::Owner::Me(own)) = owner else { panic!("{owner:?}") };
            fence = Some(own);
        }
        let odd = houserules_store::Entry {
            body: body.into(),
            kind: "talk".into(),
            number: 1,
            at: u64::from(u32::MAX) * 400,
        };
        store.append("o'ne \u{1f3b2}", fence.as_ref(), vec![odd.clone()]).await.unwrap();
        let kept = store.table("o'ne \u{1f3b2}").await.unwrap().unwrap();
        assert_eq!((kept.about.as_str(), kept.log), (body, vec![odd]));
        store.close().await;
    });
}
