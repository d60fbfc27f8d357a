//! What the rules did in each step of a match, told to those who played it.

use crate::common::{Client, Running, all_mine};
use houserules_client::get;
use houserules_protocol::replay::ReplayStep;
use houserules_protocol::table::SettingValue;
use houserules_protocol::{Command, ToClient};

/// Messages and rules of a step, in order.
async fn trace(server: &Running, table: &str, token: &str, step: u32) -> Vec<String> {
    let path = format!("/api/tables/{table}/replay/{step}");
    let step: ReplayStep = get(&server.address, &path, Some(token)).await.unwrap().read().unwrap();
    step.trace.into_iter().map(|traced| traced.words).collect()
}

fn place(trace: &[String], words: &str) -> usize {
    trace.iter().position(|told| told == words).unwrap_or_else(|| panic!("{words:?} is not in {trace:#?}"))
}

/// [FR-40] [FR-178] [FR-182] A law opens a checkpoint before a stone is placed, then side-effects run in the order in which
/// they were written; [FR-181] the last one tells the game, and the turn is over. [FR-176] On the way points are asked as
/// what they are: empty, with a stone, in the middle of a question, captured. A stone without liberties is rolled back to
/// the checkpoint, and says why.
#[tokio::test(flavor = "multi_thread")]
async fn what_points_of_go_ask_each_other_is_told_in_order() {
    let server = Running::start().await;
    let mut wanted = all_mine("go-cells", 2);
    wanted.settings = vec![SettingValue { name: "size".into(), value: "3".into() }];
    let opened = server.open(&wanted).await;
    let tokens = [opened.seats[0].token.as_str(), opened.seats[1].token.as_str()];
    let mut both = Client::join(&server, &opened.table, &tokens).await;
    for (at, point) in ["a1", "b1", "c3", "a2"].into_iter().enumerate() {
        let seat = at as u8 % 2;
        both.until(|known| !known.choices(seat).is_empty()).await;
        both.play(seat, point).await;
    }
    both.until(|known| !known.choices(0).is_empty()).await;
    let before = both.known.scene.clone();
    let ToClient::Why { refused, .. } = both.ask(Command::Why { seat: 0 }).await else { panic!("no reasons") };
    let suicide = refused.iter().find(|refused| refused.words == "a1").expect("a1 is refused");
    assert_eq!(suicide.law.as_deref(), Some("checkSuicide"));
    assert_eq!(suicide.reason, "A stone may not be placed without liberties.");
    both.done(Command::Ping).await;
    assert_eq!(both.known.scene, before);
    // Something is hidden in this game: what rules did is told when it is over.
    assert_eq!(trace(&server, &opened.table, tokens[0], 4).await, Vec::<String>::new());
    both.done(Command::Resign { seat: 0 }).await;
    let told = trace(&server, &opened.table, tokens[0], 4).await;
    let order = [
        "placeStone to a2",
        "“Only empty points”",
        "“openCheckpoint”",
        "“updateLiberties”",
        "“checkSuicide”",
        "“endOfTurn”",
        "endOfTurn to game",
    ];
    let places: Vec<usize> = order.iter().map(|words| place(&told, words)).collect();
    assert!(places.is_sorted(), "{told:#?}");
    // The stone on a1 is asked, counts its neighbours, is captured and leaves; the new one on a2 stays.
    let asked = place(&told, "liberties to a1 colour Black");
    let settled = place(&told, "settle to a1 alive nil");
    let left = place(&told, "leave to a1");
    let counted = place(&told, "“Prisoners are counted”");
    assert!(asked < settled && settled < left && left < counted && counted < places[4], "{told:#?}");
    assert!(place(&told, "settle to a2 alive true") > places[3]);
}

/// [FR-160] A hole sows its seeds into the next ones around the ring, and the game ends the turn and keeps the points.
#[tokio::test(flavor = "multi_thread")]
async fn what_holes_of_awele_tell_each_other_and_the_game_is_told() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("awele", 2)).await;
    let tokens = [opened.seats[0].token.as_str(), opened.seats[1].token.as_str()];
    let mut both = Client::join(&server, &opened.table, &tokens).await;
    let mut steps = Vec::new();
    for (at, hole) in ["hole 6", "hole 12"].into_iter().enumerate() {
        let seat = at as u8;
        both.until(|known| !known.choices(seat).is_empty()).await;
        both.play(seat, hole).await;
        steps.push(trace(&server, &opened.table, tokens[0], at as u32 + 1).await);
    }
    for (told, from, sown) in [(&steps[0], 6, [7, 8, 9, 10]), (&steps[1], 12, [1, 2, 3, 4])] {
        let mut last = place(told, &format!("startSeeding to hole {from}"));
        for hole in sown {
            let words = format!("seed to hole {hole} ");
            let found = told.iter().position(|told| told.starts_with(&words));
            let found = found.unwrap_or_else(|| panic!("{words} is not in {told:#?}"));
            assert!(found > last, "{told:#?}");
            last = found;
        }
        assert!(place(told, "endOfTurn to game") > last, "{told:#?}");
    }
    // Points are the game's: holes tell it what they give.
    let mut n = 2;
    while !steps.iter().flatten().any(|told| told.starts_with("giveStonesToCurrentPlayer to game ")) {
        let seat = n as u8 % 2;
        both.until(|known| !known.choices(seat).is_empty() || known.result.is_some()).await;
        both.done(both.choose(seat, 0)).await;
        n += 1;
        steps.push(trace(&server, &opened.table, tokens[0], n).await);
    }
}

/// [FR-152] Awele, Go and a game of caravans with secret plans are there and played at tables, each to a record that plays
/// again.
#[tokio::test(flavor = "multi_thread")]
async fn the_three_games_of_the_paper_are_played_at_tables() {
    let server = Running::start().await;
    for (game, n) in [("awele", 2), ("go", 2), ("salt-road", 3)] {
        let opened = server.open(&all_mine(game, n)).await;
        let tokens: Vec<&str> = opened.seats.iter().map(|seat| seat.token.as_str()).collect();
        let mut all = Client::join(&server, &opened.table, &tokens).await;
        for _ in 0..12 {
            all.until(|known| (0..n as u8).any(|seat| !known.choices(seat).is_empty())).await;
            let seat = (0..n as u8).find(|seat| !all.known.choices(*seat).is_empty()).unwrap();
            all.done(all.choose(seat, 0)).await;
        }
        all.done(Command::Resign { seat: 0 }).await;
        let path = format!("/api/tables/{}/record", opened.table);
        let record = get(&server.address, &path, Some(tokens[0])).await.unwrap().body;
        let parsed = houserules_record::Record::parse(&record);
        let mut replay = houserules_record::open(parsed.record, None, Default::default()).unwrap().replay;
        assert_eq!(replay.run(), None, "{game}: {record}");
        assert!(replay.now().n_moves() == 12, "{game}");
    }
}
