//! What happens between servers: tables that change their owner, and networks that fail.

use crate::common::{Client, Running, all_mine, limits};
use houserules_client::{Known, Line, get, open};
use houserules_engines::{Cut, Nats, Postgres};
use houserules_protocol::{Code, Command, ToClient};
use houserules_server::{Config, Server};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// A server that reaches its database and its bus over networks that can fail.
struct Frail {
    address: String,
    database: Cut,
    bus: Cut,
    served: JoinHandle<Result<(), String>>,
}

fn engines() -> &'static (Postgres, Nats) {
    static ENGINES: OnceLock<(Postgres, Nats)> = OnceLock::new();
    ENGINES.get_or_init(|| (Postgres::start(false).unwrap(), Nats::start().unwrap()))
}

impl Frail {
    async fn start(database: &str) -> Self {
        let (postgres, nats) = engines();
        let (to_database, to_bus) = (Cut::to(postgres.port).unwrap(), Cut::to(nats.port).unwrap());
        let own = |port: u16| format!(":{port}");
        let config = Config {
            listen: "127.0.0.1:0".parse().unwrap(),
            data: database.replace(&own(postgres.port), &own(to_database.port())).into(),
            bus: Some(format!("nats://127.0.0.1:{}", to_bus.port())),
            think_elsewhere: false,
            lease: Config::LEASE,
            public_url: None,
            behind_proxy: false,
            limits: limits(),
        };
        let server = Server::bind(config).await.unwrap();
        let address = server.address().to_string();
        let served = tokio::spawn(server.run(std::future::pending()));
        Frail { address, database: to_database, bus: to_bus, served }
    }

    async fn is_well(&self) -> bool {
        get(&self.address, "/healthz", None).await.is_ok_and(|answer| answer.status == 200)
    }
}

impl Drop for Frail {
    fn drop(&mut self) {
        self.served.abort();
    }
}

/// Only so that a test that fails ends at all.
const PATIENCE: Duration = Duration::from_secs(120);

async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("it takes too long")
}

/// Comes in, however often it is refused; gives the codes it was told.
async fn come(address: &str, table: &str, token: &str, known: &mut Known) -> (Line, Vec<Code>) {
    let mut told = Vec::new();
    let began = Instant::now();
    loop {
        assert!(began.elapsed() < PATIENCE, "{table} cannot be reached: {told:?}");
        let last = (known.n > 0).then_some(known.n);
        let Ok(mut line) = Line::join(address, table, &[token], last).await else { continue };
        match until_bye(&mut line, Command::Ping, known).await {
            None => return (line, told),
            Some(code) => told.push(code),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Says something and hears until it is answered, or until a goodbye, whose code is given.
async fn until_bye(line: &mut Line, command: Command, known: &mut Known) -> Option<Code> {
    let Ok(asked) = line.send(command).await else { return Some(last_words(line, known).await) };
    while let Some(message) = soon(line.next()).await {
        known.hear(&message).unwrap();
        match message {
            ToClient::Done { id } if id == asked => return None,
            ToClient::Update(update) if update.done == Some(asked) => return None,
            ToClient::Bye { refusal } => return Some(refusal.code),
            ToClient::Refused { refusal, .. } => panic!("{refusal}"),
            _ => {}
        }
    }
    panic!("the connection ended without a word");
}

async fn last_words(line: &mut Line, known: &mut Known) -> Code {
    while let Some(message) = soon(line.next()).await {
        known.hear(&message).unwrap();
        if let ToClient::Bye { refusal } = message {
            return refusal.code;
        }
    }
    panic!("the connection ended without a word");
}

/// The first choice of the seat that is asked.
fn choose(known: &Known, seat: u8) -> Command {
    assert!(!known.choices(seat).is_empty(), "seat {seat} is not asked");
    Command::Choose { step: known.step, seat, choice: 0, insist: false }
}

/// [TB71]
#[tokio::test(flavor = "multi_thread")]
async fn both_servers_answer_the_same_link_and_everybody_sees_the_same() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let tokens = [0, 1].map(|seat: usize| opened.seats[seat].token.as_str());
    let mut known = [Known::default(), Known::default()];
    let [first, second] = &mut known;
    let (mut here, _) = come(server.opens_at(), &opened.table, tokens[0], first).await;
    let (mut there, _) = come(&server.address, &opened.table, tokens[1], second).await;
    assert_eq!(server.figure("passed_sockets").await, 1);
    assert_eq!(until_bye(&mut here, choose(first, 0), first).await, None);
    let before = second.n;
    soon(there.until(second, |known| known.n > before)).await.unwrap();
    assert_eq!(until_bye(&mut there, choose(second, 1), second).await, None);
    let n = second.n;
    soon(here.until(first, |known| known.n >= n)).await.unwrap();
    assert_eq!((&first.log, first.n, first.step), (&second.log, second.n, second.step));
    let path = format!("/api/tables/{}/record", opened.table);
    let one = get(server.opens_at(), &path, Some(tokens[0])).await.unwrap();
    let other = get(&server.address, &path, Some(tokens[0])).await.unwrap();
    assert_eq!((one.status, &one.body), (200, &other.body));
    assert!(one.body.contains("place"), "{}", one.body);
    assert!(server.figure("passed_requests_total").await >= 1);
    assert_eq!(server.figure("tables_awake").await, 1);
}

/// [TB73] [TB74]: a server that the others do not hear any more gives its tables up; both who sit there are told and play on
/// elsewhere.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_cut_off_from_the_others_gives_its_tables_to_them() {
    let database = engines().0.database().unwrap();
    let (lonely, other) = (Frail::start(&database).await, Frail::start(&database).await);
    let opened = open(&lonely.address, &all_mine("tic-tac-toe", 2)).await.unwrap();
    let tokens = [0, 1].map(|seat: usize| opened.seats[seat].token.as_str());
    let (mut ada, mut ben) = (Known::default(), Known::default());
    let (mut near, _) = come(&lonely.address, &opened.table, tokens[0], &mut ada).await;
    let (mut far, _) = come(&other.address, &opened.table, tokens[1], &mut ben).await;
    assert_eq!(until_bye(&mut near, choose(&ada, 0), &mut ada).await, None);
    let n = ada.n;
    soon(far.until(&mut ben, |known| known.n >= n)).await.unwrap();
    lonely.bus.cut();
    assert_eq!(last_words(&mut far, &mut ben).await, Code::ServerApart);
    assert_eq!(last_words(&mut near, &mut ada).await, Code::ServerApart);
    assert!(!lonely.is_well().await);
    // Both miss nothing, and the table is nowhere else.
    let (mut far, _) = come(&other.address, &opened.table, tokens[1], &mut ben).await;
    assert_eq!(until_bye(&mut far, choose(&ben, 1), &mut ben).await, None);
    let mut refused = Line::join(&lonely.address, &opened.table, &[tokens[0]], Some(ada.n)).await.unwrap();
    assert_eq!(last_words(&mut refused, &mut ada).await, Code::ServerApart);
    let (_near, _) = come(&other.address, &opened.table, tokens[0], &mut ada).await;
    assert_eq!((&ada.log, ada.n, ada.step), (&ben.log, ben.n, ben.step));
    lonely.bus.mend();
    soon(async {
        while !lonely.is_well().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    // It is at the other one now, and can be reached here again.
    let mut fresh = Known::default();
    let (mut near, _) = come(&lonely.address, &opened.table, tokens[0], &mut fresh).await;
    assert_eq!(until_bye(&mut near, choose(&fresh, 0), &mut fresh).await, None);
    let n = fresh.n;
    soon(far.until(&mut ben, |known| known.n >= n)).await.unwrap();
    assert_eq!((&fresh.log, fresh.n, fresh.step), (&ben.log, ben.n, ben.step));
}

/// [TB73] [TB74]: a server that has lost the database answers nothing it could not keep; what it was told then has not happened.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_cut_off_from_the_database_says_so_and_the_table_goes_on_elsewhere() {
    let database = engines().0.database().unwrap();
    let (lonely, other) = (Frail::start(&database).await, Frail::start(&database).await);
    let opened = open(&lonely.address, &all_mine("tic-tac-toe", 2)).await.unwrap();
    let tokens = [0, 1].map(|seat: usize| opened.seats[seat].token.as_str());
    let (mut ada, mut ben) = (Known::default(), Known::default());
    let (mut near, _) = come(&lonely.address, &opened.table, tokens[0], &mut ada).await;
    let (mut far, _) = come(&other.address, &opened.table, tokens[1], &mut ben).await;
    lonely.database.cut();
    // Not `done`: nobody keeps it.
    assert_eq!(until_bye(&mut near, choose(&ada, 0), &mut ada).await, Some(Code::ServerNoDatabase));
    assert_eq!(last_words(&mut far, &mut ben).await, Code::ServerNoDatabase);
    assert!(!lonely.is_well().await);
    let (mut far, _) = come(&other.address, &opened.table, tokens[0], &mut ben).await;
    let moves = |known: &Known| known.log.len();
    assert_eq!(moves(&ben), moves(&ada), "what was not answered has not happened");
    assert_eq!(until_bye(&mut far, choose(&ben, 0), &mut ben).await, None);
    lonely.database.mend();
    let (_near, told) = come(&lonely.address, &opened.table, tokens[0], &mut ada).await;
    assert!(told.iter().all(|code| matches!(code, Code::ServerNoDatabase | Code::ServerApart)), "{told:?}");
    assert_eq!((&ada.log, ada.n, ada.step), (&ben.log, ben.n, ben.step));
    let numbers: Vec<u32> = {
        let store = houserules_store::Store::open(database.as_ref()).await.unwrap();
        let log = store.table(&opened.table).await.unwrap().unwrap().log;
        log.iter().map(|entry| entry.number).collect()
    };
    assert_eq!(numbers, (1..=numbers.len() as u32).collect::<Vec<_>>());
}

/// [TB72]: one server goes in good order while people play; the other goes on.
#[tokio::test(flavor = "multi_thread")]
async fn tables_of_a_server_that_closes_go_on_at_another_at_once() {
    let database = engines().0.database().unwrap();
    let stays = Frail::start(&database).await;
    let config = Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        data: database.clone().into(),
        bus: Some(engines().1.url()),
        think_elsewhere: false,
        lease: Config::LEASE,
        public_url: None,
        behind_proxy: false,
        limits: limits(),
    };
    let server = Server::bind(config).await.unwrap();
    let address = server.address().to_string();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let served = tokio::spawn(server.run(async move { drop(ended.await) }));
    let mut tables = Vec::new();
    for _ in 0..20 {
        let opened = open(&address, &all_mine("tic-tac-toe", 2)).await.unwrap();
        let mut known = Known::default();
        let (mut line, _) = come(&address, &opened.table, &opened.seats[0].token, &mut known).await;
        assert_eq!(until_bye(&mut line, choose(&known, 0), &mut known).await, None);
        tables.push((opened, line, known));
    }
    drop(end);
    for (opened, line, known) in &mut tables {
        assert_eq!(last_words(line, known).await, Code::TableMoved);
        let mut other = Known::default();
        let (mut line, _) = come(&stays.address, &opened.table, &opened.seats[1].token, &mut other).await;
        assert_eq!(other.log, known.log);
        assert_eq!(until_bye(&mut line, choose(&other, 1), &mut other).await, None);
    }
    soon(served).await.unwrap().unwrap();
}

/// Somebody else's table is left alone where there is no bus: without hearing each other two servers would tell two stories.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_bus_a_table_has_one_server_all_the_same() {
    let database = engines().0.database().unwrap();
    let start = async || {
        let config = Config {
            listen: "127.0.0.1:0".parse().unwrap(),
            data: database.clone().into(),
            bus: None,
            think_elsewhere: false,
            lease: Config::LEASE,
            public_url: None,
            behind_proxy: false,
            limits: limits(),
        };
        let server = Server::bind(config).await.unwrap();
        let address = server.address().to_string();
        (address, tokio::spawn(server.run(std::future::pending())))
    };
    let ((one, first), (other, second)) = (start().await, start().await);
    let opened = open(&one, &all_mine("tic-tac-toe", 2)).await.unwrap();
    let (token, mut known) = (&opened.seats[0].token, Known::default());
    let (_line, _) = come(&one, &opened.table, token, &mut known).await;
    let mut refused = Line::join(&other, &opened.table, &[token], None).await.unwrap();
    assert_eq!(last_words(&mut refused, &mut Known::default()).await, Code::ServerApart);
    first.abort();
    second.abort();
}

/// A test that asks for a client of the suite, so that both ways of coming in are held against each other.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_slept_wakes_wherever_somebody_comes() {
    let server = Running::with(houserules_server::Limits { sleep_after: 0, ..limits() }).await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let tokens = [0, 1].map(|seat: usize| opened.seats[seat].token.as_str());
    let mut ada = Client::join(&server, &opened.table, &[tokens[0]]).await;
    ada.play(0, "place b2").await;
    ada.line.close().await;
    soon(async {
        while server.figure("tables_awake").await > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    let mut ben = Known::default();
    let (_line, _) = come(&server.address, &opened.table, tokens[1], &mut ben).await;
    assert_eq!(server.figure("passed_sockets").await, 0, "it is where somebody came");
    assert_eq!(ben.log, ada.known.log);
}
