//! What the rules did in a match, for who makes the game.

use crate::common::{Client, Running, all_mine};
use houserules_client::{Answered, get};
use houserules_protocol::Code;
use houserules_protocol::table::TableOpened;
use houserules_protocol::watch::{RuleSort, Watched, WatchedWhat};

async fn asked(server: &Running, opened: &TableOpened, token: &str, after: u32) -> Answered {
    get(&server.address, &format!("/api/tables/{}/watched/{after}", opened.table), Some(token)).await.unwrap()
}

/// [TB70]: what happened since the last time is told once, each step with its messages, laws and values.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_match_tells_messages_laws_and_values_step_by_step() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let token = &opened.seats[0].token;
    let mut client = Client::join(&server, &opened.table, &[token, &opened.seats[1].token]).await;
    let told: Watched = asked(&server, &opened, token, 0).await.read().unwrap();
    assert!(told.steps.is_empty() && told.first.iter().any(|held| held.thing == "b2" && held.property == "mark"));
    client.done(client.choose(0, 0)).await;
    client.until(|known| !known.choices(1).is_empty()).await;
    let told: Watched = asked(&server, &opened, token, 0).await.read().unwrap();
    let [step] = told.steps.as_slice() else { panic!("{told:?}") };
    let lines: Vec<(u32, &WatchedWhat)> = step.lines.iter().map(|line| (line.depth, &line.what)).collect();
    assert!(matches!(lines[0], (0, WatchedWhat::Message { label, .. }) if label == "place"), "{lines:?}");
    let law = |what: &WatchedWhat| matches!(what, WatchedWhat::Rule { rule: RuleSort::Law, name, refused: None } if name == "Only empty cells");
    assert!(law(lines[1].1) && lines[1].0 == 1, "{lines:?}");
    let wrote = lines.iter().find_map(|(_, what)| match what {
        WatchedWhat::Wrote { thing, property, before, after } => Some((thing, property, before, after)),
        _ => None,
    });
    let (thing, property, before, after) = wrote.unwrap();
    assert_eq!((property.as_str(), before.as_str(), after.as_str()), ("mark", "nil", "X"));
    let changed = step.changed.iter().find(|held| held.property == "mark").unwrap();
    assert_eq!((&changed.thing, changed.value.as_deref()), (thing, Some("X")));
    // Only what is new.
    client.done(client.choose(1, 0)).await;
    client.until(|known| !known.choices(0).is_empty()).await;
    let told: Watched = asked(&server, &opened, token, 1).await.read().unwrap();
    assert_eq!((told.steps.len(), told.steps[0].step, told.first.len()), (1, 2, 0));
}

/// [TB70]: where something is secret, nothing is told before the end, not even to those who sit there.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_match_with_secrets_is_told_when_it_is_over() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("rock-paper-scissors", 2)).await;
    let token = &opened.seats[0].token;
    let client = Client::join(&server, &opened.table, &[token]).await;
    assert_eq!(asked(&server, &opened, token, 0).await.refusal().unwrap().code, Code::RecordSecret);
    assert_eq!(asked(&server, &opened, &opened.host, 0).await.refusal().unwrap().code, Code::RecordSecret);
    client.line.close().await;
}
