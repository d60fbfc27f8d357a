//! Matches by correspondence: days for a move, whether the server runs or not.

use crate::common::{Client, Running, all_mine, limits};
use houserules_protocol::play::How;
use houserules_protocol::table::{ClockKind, Phase};
use houserules_store::Token;
use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400_000;

/// The same table again, as if all that was kept of it were so much older.
async fn aged(server: &Running, table: &str, by: u64) -> (String, Vec<Token>) {
    let store = &server.hall.shared.store;
    let mut kept = store.table(table).await.unwrap().unwrap();
    kept.log.iter_mut().for_each(|entry| entry.at -= by);
    let id = Token::random().unwrap().reveal()[..24].to_owned();
    let tokens = vec![Token::random().unwrap(), Token::random().unwrap()];
    let roles: Vec<_> = (0..2).map(|chair| (tokens[chair].hash(), format!("chair:{chair}"))).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64;
    store.add_table(&id, &kept.about, &roles, &kept.log, now - by).await.unwrap();
    (id, tokens)
}

/// [TB42]: days go by while nobody looks and the server is down; whoever has been silent for too long has lost when somebody
/// looks again, and a clock of minutes stands still meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_of_days_runs_while_the_server_does_not() {
    let server = Running::start().await;
    let open = async |seconds: u32| {
        let mut wanted = all_mine("tic-tac-toe", 2);
        wanted.manners.clock = ClockKind::Move { seconds };
        let opened = server.open(&wanted).await;
        let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
        ada.play(0, "place b2").await;
        opened.table
    };
    let (days, minutes) = (open(3 * 86_400).await, open(600).await);
    let two = aged(&server, &days, 2 * DAY).await;
    let four = aged(&server, &days, 4 * DAY).await;
    let short = aged(&server, &minutes, 2 * DAY).await;
    let server = server.restart(limits()).await;

    let (table, tokens) = &two;
    let mut ben = Client::join(&server, table, &[tokens[1].reveal()]).await;
    let clocks = ben.known.clocks.clone().unwrap();
    assert_eq!(clocks.running, [1]);
    assert!(clocks.left[1] <= DAY && clocks.left[1] > DAY / 2, "a day is left, but for how long this test takes");
    ben.play(1, "place a1").await;

    let (table, tokens) = &four;
    let mut ada = Client::join(&server, table, &[tokens[0].reveal()]).await;
    ada.until(|known| known.result.is_some()).await;
    let result = ada.known.result.clone().unwrap();
    assert_eq!((result.ranks.as_slice(), result.how), (&[1, 2][..], How::Time));

    let (table, tokens) = &short;
    let mut ben = Client::join(&server, table, &[tokens[1].reveal()]).await;
    assert_eq!(ben.known.table.as_ref().unwrap().phase, Phase::Playing);
    ben.play(1, "place a1").await;
}
