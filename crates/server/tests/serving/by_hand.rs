//! Game files in XML at a table: what they say nothing about is done by hand.

use crate::common::{Client, Running, all_mine};
use houserules_client::{ask, get};
use houserules_protocol::game::{Definition, Kept, SourceFile};
use houserules_protocol::play::LogWhat;
use houserules_protocol::proposal::Wish;
use houserules_protocol::{Code, Command};

fn by_hand(entity: &str, statements: &str) -> Command {
    Command::Propose { wish: Wish::Hand { entity: entity.into(), statements: statements.into() }, seat: None }
}

/// The record of a table, played again from the start.
async fn replayed(server: &Running, table: &str, token: &str) -> houserules_record::Replay {
    let record = get(&server.address, &format!("/api/tables/{table}/record"), Some(token)).await.unwrap();
    let parsed = houserules_record::Record::parse(&record.body);
    assert_eq!(parsed.fault, None);
    let mut replay = houserules_record::open(parsed.record, None, Default::default()).unwrap().replay;
    assert_eq!(replay.run(), None, "{}", record.body);
    replay
}

/// [GM-6] [GM-7] The tutorial's game has no actions: a referee tells its holes what to do, by choices and by hand, takes it
/// back, and the record plays it again.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_file_without_actions_is_played_by_a_referee() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("awele-tutorial.gdf.xml", 1)).await;
    let token = &opened.seats[0].token;
    let mut referee = Client::join(&server, &opened.table, &[token, &opened.host]).await;
    for hole in [5, 11, 3] {
        referee.play(0, &format!("Kugeln verteilen Loch {hole}")).await;
    }
    referee.done(by_hand("Loch 1", "(send \"Kugel hinzufügen\" to self)")).await;
    referee.until(|known| known.log.iter().any(|line| matches!(line.what, LogWhat::Hand { .. }))).await;
    assert_eq!(referee.refused(by_hand("Loch 99", "(send x to self)")).await, Code::RuleDoesNotFit);
    let mut replay = replayed(&server, &opened.table, token).await;
    let count = |replay: &mut houserules_record::Replay, hole: &str| {
        let known = replay.now().running().properties();
        let own = known.into_iter().find(|own| own.entity == hole && own.property == "Anzahl Kugeln");
        own.map(|own| own.value)
    };
    // Four were in each; three holes were sown out.
    assert_eq!(count(&mut replay, "Loch 3").as_deref(), Some("0"));
    assert_eq!(count(&mut replay, "Loch 1").as_deref(), Some("6"));
    referee.done(Command::Propose { wish: Wish::Undo { steps: None }, seat: Some(0) }).await;
    referee.until(|known| known.log.iter().any(|line| matches!(line.what, LogWhat::Undone { .. }))).await;
    let mut replay = replayed(&server, &opened.table, token).await;
    assert_eq!(count(&mut replay, "Loch 1").as_deref(), Some("5"));
}

/// Two lamps, and a message that wants to be told more.
const LAMPS: &str = r#"<game xmlns:hr="urn:houserules:gdf:1"><name>Lamps</name>
<hr:players><hr:seat>East</hr:seat><hr:seat>West</hr:seat></hr:players>
<model name="Lamp"><initialStateNumber>0</initialStateNumber><property name="oil"><number>2</number></property>
<state number="0"><behavior name="fill"><statements><setProperty name="oil"><entity><myself/></entity>
<value><getParameter name="with"/></value></setProperty></statements></behavior></state></model>
<entity name="A" parent="Lamp"/><entity name="B" parent="Lamp"/></game>"#;

/// Where two sit, what is done by hand is done when the other one agrees.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_by_hand_needs_the_consent_of_the_others() {
    let server = Running::start().await;
    let files = vec![SourceFile { path: "lamps.gdf.xml".into(), text: LAMPS.into() }];
    let kept = ask(&server.address, "POST", "/api/definitions", None, Some(&Definition { files })).await.unwrap();
    let kept: Kept = kept.read().unwrap();
    let opened = server.open(&all_mine(&kept.id, 2)).await;
    let mut east = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut west = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    east.done(by_hand("B", "(send fill to self with with 7)")).await;
    west.until(|known| known.proposals.len() == 1).await;
    assert!(west.known.log.iter().all(|line| !matches!(line.what, LogWhat::Hand { .. })));
    let proposal = west.known.proposals[0].id;
    west.done(Command::Answer { proposal, agree: true }).await;
    east.until(|known| known.log.iter().any(|line| matches!(line.what, LogWhat::Hand { .. }))).await;
    let mut replay = replayed(&server, &opened.table, &opened.seats[0].token).await;
    let oil = replay.now().running().properties().into_iter().find(|own| own.entity == "B" && own.property == "oil");
    assert_eq!(oil.map(|own| own.value).as_deref(), Some("7"));
}
