//! What a server does when something goes wrong, and for how much it can be asked.

use crate::common::{Client, IS_SHARED, Running, all_mine, limits};
use houserules_client::{Known, Line, ask, get};
use houserules_protocol::play::{LogLine, LogWhat};
use houserules_protocol::{Code, Command, ToClient};
use houserules_server::Limits;
use std::time::Duration;

/// The last message, which must be a goodbye.
async fn goodbye(line: &mut Line, known: &mut Known) -> Code {
    let mut said = None;
    while let Some(message) = line.next().await {
        assert_eq!(said, None, "something came after a goodbye: {message:?}");
        match message {
            ToClient::Bye { refusal } => said = Some(refusal.code),
            other => known.hear(&other).unwrap(),
        }
    }
    said.expect("a goodbye")
}

/// [TB16]: someone who asks for a lot and reads nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_does_not_keep_up_is_dropped_and_comes_back() {
    let server = Running::with(Limits { waiting: 8, write_seconds: 600, ..limits() }).await;
    let opened = server.open(&all_mine("chess", 2)).await;
    let mut slow = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut quick = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    // The rules of chess, until no buffer between here and there takes more of them; then it cannot even be asked for.
    while server.figure("slow_readers_total").await == 0 {
        for _ in 0..50 {
            let _ = tokio::time::timeout(Duration::from_millis(1), slow.line.send(Command::Rules)).await;
        }
        // The table goes on for everybody else meanwhile.
        quick.done(Command::Ping).await;
    }
    // Once; or by the owner of the table and by the server where it came in, which both have lines that may fill.
    let dropped = server.figure("slow_readers_total").await;
    assert!(dropped == 1 || (IS_SHARED && dropped == 2), "{dropped}");
    assert_eq!(goodbye(&mut slow.line, &mut slow.known).await, Code::RequestTooMany);
    quick.done(Command::Say { text: "where are you?".into(), key: "1".into() }).await;
    let n = slow.known.n;
    let mut line = Line::join(&server.address, &opened.table, &[&opened.seats[0].token], Some(n)).await.unwrap();
    line.ask(Command::Ping, &mut slow.known).await.unwrap();
    quick.done(Command::Ping).await;
    assert_eq!((slow.known.n, &slow.known.log), (quick.known.n, &quick.known.log));
}

/// [TB55] [TB72] [TB13]: what was said before it closed is there when it is back.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_closes_says_so_and_everybody_comes_back() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    ada.play(0, "place b2").await;
    let server = server.restart(limits()).await;
    for (client, seat) in [(&mut ada, 0_usize), (&mut ben, 1)] {
        let code = if IS_SHARED { Code::TableMoved } else { Code::ServerClosing };
        assert_eq!(goodbye(&mut client.line, &mut client.known).await, code);
        let (n, token) = (client.known.n, &opened.seats[seat].token);
        let before = client.known.clone();
        let mut line = Line::join(&server.address, &opened.table, &[token], Some(n)).await.unwrap();
        line.ask(Command::Ping, &mut client.known).await.unwrap();
        assert_eq!((&client.known.scene, &client.known.log), (&before.scene, &before.log));
        client.line = line;
    }
    assert_eq!(server.figure("slow_readers_total").await, 0);
    ben.play(1, "place a1").await;
}

/// [TB53]: what was kept of one table makes no sense. It is closed, its record stays, and the others go on.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_cannot_wake_is_closed_and_the_others_go_on() {
    let server = Running::start().await;
    let (broken, whole) = (server.open(&all_mine("nim", 2)).await, server.open(&all_mine("nim", 2)).await);
    let mut client = Client::join(&server, &broken.table, &[&broken.seats[0].token]).await;
    client.done(client.choose(0, 0)).await;
    let server = server.restart(limits()).await;
    let store = &server.hall.shared.store;
    let before = store.table(&broken.table).await.unwrap().unwrap().log;
    let number = before.len() as u32 + 1;
    let nonsense = houserules_store::Entry { number, kind: "line".into(), body: "{}".into(), at: 0 };
    store.append(&broken.table, None, vec![nonsense]).await.unwrap();
    let path = format!("/api/tables/{}", broken.table);
    let closed = get(&server.address, &path, Some(&broken.host)).await.unwrap();
    assert_eq!((closed.status, closed.refusal().unwrap().code), (410, Code::TableClosed));
    let mut line = Line::join(&server.address, &broken.table, &[&broken.seats[0].token], None).await.unwrap();
    assert_eq!(goodbye(&mut line, &mut Known::default()).await, Code::TableClosed);
    assert_eq!(store.table(&broken.table).await.unwrap().unwrap().log[..before.len()], before);
    let mut other = Client::join(&server, &whole.table, &[&whole.seats[0].token]).await;
    other.done(other.choose(0, 0)).await;
}

/// [TB13] [TB53]: somebody else wrote the next number of the log. Nobody is told of a move that could not be kept.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_kept_has_not_happened() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("nim", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    let foreign = houserules_protocol::play::LogWhat::Resumed { by: "nobody".into() };
    let entry = houserules_store::Entry {
        number: ada.known.n + 1,
        kind: "resumed".into(),
        body: "{\"is\":\"resumed\",\"by\":\"nobody\"}".into(),
        at: 0,
    };
    server.hall.shared.store.append(&opened.table, None, vec![entry]).await.unwrap();
    ada.line.send(ada.choose(0, 0)).await.unwrap();
    assert_eq!(goodbye(&mut ada.line, &mut ada.known).await, Code::ServerFault);
    assert_eq!(goodbye(&mut ben.line, &mut ben.known).await, Code::ServerFault);
    let again = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    assert_eq!(again.known.log.last().unwrap().what, foreign);
    assert_eq!(again.known.scene, ada.known.scene);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_opens_so_many_tables_definitions_and_sockets() {
    let server = Running::with(Limits { openings: 3, sockets: 2, ..limits() }).await;
    let opened = server.open(&all_mine("nim", 2)).await;
    let toy = houserules_protocol::game::Definition {
        files: vec![houserules_protocol::game::SourceFile { path: "toy.gdl".into(), text: String::new() }],
    };
    let post = async |path: &str| ask(server.opens_at(), "POST", path, None, Some(&toy)).await.unwrap();
    assert_eq!(post("/api/definitions").await.status, 422);
    assert_eq!(post("/api/definitions/check").await.status, 200, "only looked at");
    server.open(&all_mine("nim", 2)).await;
    let refused = post("/api/definitions").await;
    assert_eq!((refused.status, refused.refusal().unwrap().code), (429, Code::RequestTooMany));
    let fourth = ask(server.opens_at(), "POST", "/api/tables", None, Some(&all_mine("nim", 2))).await.unwrap();
    assert_eq!(fourth.status, 429);
    let one = Client::join(&server, &opened.table, &[&opened.watch]).await;
    let _two = Client::join(&server, &opened.table, &[&opened.watch]).await;
    assert!(Line::connect(&server.address, &opened.table).await.err().is_some_and(|error| error.contains("429")));
    one.line.close().await;
    // Given back when the server has noticed.
    while Line::connect(&server.address, &opened.table).await.is_err() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Somebody binds a server and thinks better of it, or stops it in the middle of whatever it does.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_dropped_among_others_at_work_takes_nobody_down() {
    drop(Running::bind(limits()).await);
    let (server, folder) = Running::bind(limits()).await;
    let address = server.address().to_string();
    let served = tokio::spawn(server.run(std::future::pending()));
    let opened = houserules_client::open(&address, &all_mine("nim", 2)).await.unwrap();
    let mut line = Line::join(&address, &opened.table, &[&opened.host], None).await.unwrap();
    line.until(&mut Known::default(), |known| known.table.is_some()).await.unwrap();
    served.abort();
    assert!(served.await.unwrap_err().is_cancelled(), "it did not panic");
    drop(folder);
}

/// [TB50]: a table that an earlier version opened wakes, with the rules it was opened by, and goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_an_old_database_is_played_on() {
    let server = Running::on_kept(include_str!("../../../store/tests/kept/1.sql")).await;
    let token = "53effa05cef48e179b36d41c6ef1eb218cc7337a87c45a225354668e320fd7a2";
    let mut ada = Client::join(&server, "889a4d0f4eac669be9ff6df2", &[token]).await;
    let table = ada.known.table.clone().unwrap();
    assert_eq!((table.game.as_str(), table.seats[0].name.as_str()), ("nim", "Ada"));
    ada.done(ada.choose(0, 0)).await;
    // The machine sits opposite.
    ada.until(|known| !known.choices(0).is_empty()).await;
    let moves = |known: &Known| {
        let chose = |line: &&LogLine| matches!(line.what, LogWhat::Chose { .. });
        known.log.iter().filter(chose).count()
    };
    assert_eq!(moves(&ada.known), 2);
}

/// [TB57]: what goes back and forth, or changes rules again and again, takes longer than it is long.
#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_takes_too_long_to_play_again_is_not_taken() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    ada.play(0, "place b2").await;
    let path = format!("/api/tables/{}/record", opened.table);
    let record = get(&server.address, &path, Some(&opened.watch)).await.unwrap().body;
    let played: String =
        record.lines().filter(|line| !line.starts_with("fingerprint")).map(|line| format!("{line}\n")).collect();
    let bring = async |text: String| ask(&server.address, "POST", "/api/records", None, Some(&text)).await.unwrap();
    assert_eq!(bring(played.clone()).await.status, 201);
    for more in ["undo 1\nredo 1\n".repeat(10_001), "undo 4000000000\n".repeat(2), "set a=1\n".repeat(201)] {
        let refused = bring(format!("{played}{more}")).await;
        assert_eq!((refused.status, refused.refusal().unwrap().code), (413, Code::RequestTooLarge));
    }
}

/// Rules typed at a table of the library are a stranger's, as those of a definition that was brought.
#[tokio::test(flavor = "multi_thread")]
async fn typed_rules_are_played_under_the_budget_of_strangers() {
    use houserules_protocol::proposal::Wish;
    use houserules_protocol::rules::Change;
    let server = Running::with(Limits { stranger_steps: 20_000, ..limits() }).await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let both = [opened.seats[0].token.as_str(), opened.seats[1].token.as_str()];
    let mut ada = Client::join(&server, &opened.table, &both).await;
    // Without it the machine would be at this for a second, and be done in time.
    let loops = "abcde".chars().map(|name| format!("(foreach {name} in cell ")).collect::<String>();
    let text = format!("#sideeffect \"Counting\" on place\n  {loops}(set mark to mark)){}", ")".repeat(4));
    ada.done(Command::Propose { wish: Wish::Change { change: Change::Text { text } }, seat: None }).await;
    assert_eq!(ada.refused(ada.choose(0, 0)).await, Code::ChoiceFault);
}

/// Talk is kept, and somebody who never stops must not fill the disk.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_keeps_so_much_and_no_more() {
    let server = Running::with(Limits { entries: 10, ..limits() }).await;
    let opened = server.open(&all_mine("nim", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut said = 0;
    let refused = loop {
        match ada.ask(Command::Say { text: "hello".into(), key: format!("{said}") }).await {
            ToClient::Done { .. } => said += 1,
            ToClient::Refused { refusal, .. } => break refusal.code,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((refused, ada.known.n), (Code::TableFull, 10));
    assert_eq!(ada.refused(ada.choose(0, 0)).await, Code::TableFull);
    ada.done(Command::Look { seat: Some(0) }).await;
    // The others go on.
    let other = server.open(&all_mine("nim", 2)).await;
    let mut ben = Client::join(&server, &other.table, &[&other.seats[0].token]).await;
    ben.done(ben.choose(0, 0)).await;
}
