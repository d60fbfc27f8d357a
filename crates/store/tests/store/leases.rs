//! Several servers share one PostgreSQL, and each table has one owner.

use crate::subject::{Subject, entry, run};
use houserules_store::{Entry, Fence, Other, Owner, Store, Why};
use std::sync::Arc;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(600);
const SHORT: Duration = Duration::from_millis(50);

async fn server(subject: &Subject, id: &str, lasting: Duration) -> (Store, Arc<str>) {
    let store = Store::open(&subject.data).await.unwrap();
    store.enter(id, lasting).await.unwrap();
    (store, id.into())
}

async fn mine(store: &Store, table: &str, id: &Arc<str>) -> Fence {
    match store.take(table, id).await.unwrap() {
        Some(Owner::Me(fence)) => fence,
        other => panic!("{table} should be {id}'s: {other:?}"),
    }
}

#[test]
fn a_table_belongs_to_whoever_took_it_first_until_it_is_given_back() {
    let subject = Subject::postgres();
    run(async {
        let ((one, a), (other, b)) = (server(&subject, "a", LONG).await, server(&subject, "b", LONG).await);
        one.add_table("t", "", &[], &[], 1).await.unwrap();
        assert_eq!(one.take("no such table", &a).await.unwrap(), None);
        let fence = mine(&one, "t", &a).await;
        assert_eq!(mine(&one, "t", &a).await, fence, "asking again changes nothing");
        assert_eq!(other.take("t", &b).await.unwrap(), Some(Owner::Other("a".into())));
        one.append("t", Some(&fence), vec![entry(1)]).await.unwrap();
        one.release("t", &fence).await.unwrap();
        let next = mine(&other, "t", &b).await;
        assert!(next.number > fence.number);
        let late = one.append("t", Some(&fence), vec![entry(2)]).await.unwrap_err();
        assert_eq!(late.why, Why::Taken);
        // Given back once more by whoever has it no longer, it stays where it is.
        one.release("t", &fence).await.unwrap();
        other.append("t", Some(&next), vec![entry(2)]).await.unwrap();
        assert_eq!(other.table("t").await.unwrap().unwrap().log, [entry(1), entry(2)]);
        assert_eq!(one.others(&a).await.unwrap(), [Other { id: "b".into(), hears: true }]);
        other.renew(&b, LONG, false).await.unwrap();
        assert_eq!(one.others(&a).await.unwrap(), [Other { id: "b".into(), hears: false }]);
    });
}

#[test]
fn a_server_whose_time_has_passed_loses_its_tables_for_ever_and_writes_nothing_any_more() {
    let subject = Subject::postgres();
    run(async {
        let ((one, a), (other, b)) = (server(&subject, "a", SHORT).await, server(&subject, "b", LONG).await);
        for table in ["t", "u"] {
            one.add_table(table, "", &[], &[], 1).await.unwrap();
        }
        let (t, u) = (mine(&one, "t", &a).await, mine(&one, "u", &a).await);
        tokio::time::sleep(2 * SHORT).await;
        // As long as nobody wants what it has, it may come back.
        assert!(one.renew(&a, SHORT, true).await.unwrap());
        one.append("t", Some(&t), vec![entry(1)]).await.unwrap();
        tokio::time::sleep(2 * SHORT).await;
        let next = mine(&other, "t", &b).await;
        assert!(!one.renew(&a, LONG, true).await.unwrap(), "what was declared gone does not come back");
        for (table, fence) in [("t", &t), ("u", &u)] {
            let late = one.append(table, Some(fence), vec![entry(2)]).await.unwrap_err();
            assert_eq!(late.why, Why::Taken, "{table}");
        }
        let token = houserules_store::Token::random().unwrap();
        let late = one.replace_token("t", Some(&t), &token.hash(), "chair:0", "chair:0").await.unwrap_err();
        assert_eq!(late.why, Why::Taken);
        other.append("t", Some(&next), vec![entry(2)]).await.unwrap();
        assert_eq!(mine(&other, "u", &b).await.number, u.number + 1);
    });
}

#[test]
fn a_server_that_leaves_gives_everything_back_at_once() {
    let subject = Subject::postgres();
    run(async {
        let ((one, a), (other, b)) = (server(&subject, "a", LONG).await, server(&subject, "b", LONG).await);
        one.add_table("t", "", &[], &[], 1).await.unwrap();
        mine(&one, "t", &a).await;
        one.leave(&a).await.unwrap();
        mine(&other, "t", &b).await;
    });
}

/// Two servers append to the same tables as fast as they can, while the tables go to and fro between them: every number is
/// written once, by the one who was answered that it was.
#[test]
fn whoever_was_answered_has_written_and_nobody_else() {
    let subject = Subject::postgres();
    run(async {
        let (first, _) = server(&subject, "first", LONG).await;
        for table in 0..3 {
            first.add_table(&format!("t{table}"), "", &[], &[], 1).await.unwrap();
        }
        let play = async |name: &'static str| {
            let (mut answered, mut taken, mut refused) = (Vec::new(), 0, 0);
            for epoch in 0..8 {
                let (store, id) = server(&subject, &format!("{name}{epoch}"), SHORT).await;
                let began = std::time::Instant::now();
                // Goes on for longer than it may: it never knows that its time has passed.
                for at in 0.. {
                    if began.elapsed() > 3 * SHORT {
                        break;
                    }
                    let table = format!("t{}", at % 3);
                    let Ok(Some(Owner::Me(fence))) = store.take(&table, &id).await else { continue };
                    taken += 1;
                    for _ in 0..5 {
                        let number = store.table(&table).await.unwrap().unwrap().log.len() as u32 + 1;
                        let entry = Entry { body: format!("{id} {at}"), ..entry(number) };
                        match store.append(&table, Some(&fence), vec![entry.clone()]).await {
                            Ok(()) => answered.push((table.clone(), entry)),
                            Err(_) => refused += 1,
                        }
                    }
                }
            }
            (answered, taken, refused)
        };
        let ((one, one_took, one_lost), (other, other_took, other_lost)) = tokio::join!(play("a"), play("b"));
        assert!(one_took > 0 && other_took > 0 && one_lost + other_lost > 0, "they were in each other's way");
        let mut answered = one;
        answered.extend(other);
        for table in (0..3).map(|table| format!("t{table}")) {
            let log = first.table(&table).await.unwrap().unwrap().log;
            let numbers: Vec<u32> = log.iter().map(|entry| entry.number).collect();
            assert_eq!(numbers, (1..=log.len() as u32).collect::<Vec<_>>());
            let mut said: Vec<Entry> =
                answered.iter().filter(|(of, _)| *of == table).map(|(_, entry)| entry.clone()).collect();
            said.sort_by_key(|entry| entry.number);
            assert_eq!(said, log, "{table}");
        }
    });
}
