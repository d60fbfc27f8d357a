//! Clients that lose, repeat, delay and reorder what they say, and come back at any moment.

use crate::common::{Running, all_mine, limits};
use houserules_client::{Known, Line};
use houserules_kernel::{Generator, SeatId, Viewer};
use houserules_protocol::proposal::Wish;
use houserules_protocol::rules::{Change, Mode};
use houserules_protocol::{Command, ToClient};
use houserules_server::Limits;

struct Simulated {
    token: String,
    seat: u8,
    line: Option<Line>,
    known: Known,
    /// Said already; some of it is said again later.
    said: Vec<Command>,
}

impl Simulated {
    async fn hear(&mut self, server: &Running, table: &str, generator: &mut Generator) {
        if self.line.is_none() {
            let last = (self.known.n > 0).then_some(self.known.n);
            self.line = Line::join(&server.address, table, &[&self.token], last).await.ok();
        }
        let Some(line) = &mut self.line else { return };
        // Everything until an answer: no clock decides how much is heard.
        let Ok(asked) = line.send(Command::Ping).await else {
            self.line = None;
            return;
        };
        loop {
            let Some(message) = line.next().await else { break };
            self.known.hear(&message).unwrap_or_else(|lost| panic!("seat {}: {lost}\n{message:?}", self.seat));
            match message {
                ToClient::Bye { .. } => break,
                ToClient::Done { id } if id == asked => return,
                // The connection is lost in the middle of it.
                _ if generator.below(30) == 0 => break,
                _ => {}
            }
        }
        self.line = None;
    }

    async fn say(&mut self, command: Command, generator: &mut Generator) {
        self.said.push(command.clone());
        let Some(line) = &mut self.line else { return };
        let times = match generator.below(10) {
            0 => 0,
            1..=2 => 2,
            _ => 1,
        };
        for _ in 0..times {
            if line.send(command.clone()).await.is_err() {
                self.line = None;
                return;
            }
        }
        if generator.below(5) == 0 {
            // Something from long ago arrives now.
            let at = generator.below(self.said.len() as u64) as usize;
            let old = self.said[at].clone();
            if line.send(old).await.is_err() {
                self.line = None;
            }
        }
    }

    fn next(&self, generator: &mut Generator, rule: &str) -> Command {
        let step = self.known.step;
        let seat = self.seat;
        if let Some(open) = self.known.proposals.iter().find(|open| open.waiting.contains(&seat)) {
            return Command::Answer { proposal: open.id, agree: generator.below(3) > 0 };
        }
        match generator.below(20) {
            0 => Command::Propose { wish: Wish::Undo { steps: None }, seat: Some(seat) },
            1 => Command::Say { text: "hello".into(), key: format!("{seat}-{}", generator.below(8)) },
            2 => {
                let mode = if generator.below(2) == 0 { Mode::Off } else { Mode::Enforced };
                let change = Change::Mode { rule: rule.into(), mode };
                Command::Propose { wish: Wish::Change { change }, seat: Some(seat) }
            }
            3 => Command::Choose { step, seat: 1 - seat, choice: 0, insist: false },
            4 => Command::Choose { step: step.saturating_sub(1), seat, choice: 0, insist: false },
            _ => {
                let n = self.known.choices(seat).len() as u64;
                let choice = if n == 0 { 0 } else { generator.below(n) as u32 };
                Command::Choose { step, seat, choice, insist: false }
            }
        }
    }
}

/// Tables leave memory as soon as nobody is there; nobody counts as away, however long a busy computer keeps them.
fn restless() -> Limits {
    Limits { sleep_after: 0, away_after: 1_000_000, ..limits() }
}

/// Gives the server back, and how much happened at the table.
async fn drive(mut server: Running, game: &str, rule: &str, seed: u64, rounds: u64) -> (Running, u32) {
    let mut generator = Generator::new(seed);
    let opened = server.open(&all_mine(game, 2)).await;
    let client = |seat: u8| Simulated {
        token: opened.seats[usize::from(seat)].token.clone(),
        seat,
        line: None,
        known: Known::default(),
        said: Vec::new(),
    };
    let mut clients = [client(0), client(1)];
    for round in 0..rounds {
        if round == rounds / 2 {
            server = server.restart(restless()).await;
            clients.iter_mut().for_each(|client| client.line = None);
        }
        let at = generator.below(2) as usize;
        clients[at].hear(&server, &opened.table, &mut generator).await;
        let command = clients[at].next(&mut generator, rule);
        clients[at].say(command, &mut generator).await;
    }
    // All come back once more, quietly, and stand where a newcomer stands. What was said on a line that is lost now still
    // arrives; until it has, one of two could be told of it and the other not yet.
    clients.iter_mut().for_each(|client| client.line = None);
    server.until_all_have_gone().await;
    for client in &mut clients {
        let last = (client.known.n > 0).then_some(client.known.n);
        let mut line = Line::join(&server.address, &opened.table, &[&client.token], last).await.unwrap();
        let done = line.ask(Command::Ping, &mut client.known).await.unwrap();
        assert!(matches!(done, ToClient::Done { .. }));
        let mut fresh = Known::default();
        let mut other = Line::join(&server.address, &opened.table, &[&client.token], None).await.unwrap();
        other.ask(Command::Ping, &mut fresh).await.unwrap();
        assert_eq!((client.known.n, client.known.step), (fresh.n, fresh.step), "{game} {seed}");
        assert_eq!(client.known.scene, fresh.scene, "{game} {seed}");
        assert_eq!(client.known.log, fresh.log, "{game} {seed}");
        assert_eq!(client.known.question, fresh.question, "{game} {seed}");
        client.line = Some(line);
    }
    // When the match is over, the record is given, and a replay of it shows each of them what they see.
    if clients[0].known.result.is_none() {
        let resigned = clients[0].line.as_mut().unwrap().send(Command::Resign { seat: 0 }).await;
        resigned.unwrap();
    }
    let path = format!("/api/tables/{}/record", opened.table);
    for client in &mut clients {
        client.line.as_mut().unwrap().until(&mut client.known, |known| known.result.is_some()).await.unwrap();
        let record = houserules_client::get(&server.address, &path, Some(&client.token)).await.unwrap();
        let parsed = houserules_record::Record::parse(&record.body);
        assert_eq!(parsed.fault, None, "{game} {seed}: {}", record.body);
        let mut replay = houserules_record::open(parsed.record, None, Default::default()).unwrap().replay;
        assert_eq!(replay.run(), None, "{game} {seed}");
        let replayed = replay.now();
        let (seats, viewer) = (replayed.seats(), Viewer::Seat(SeatId(client.seat)));
        let scene = houserules_server::picture(replayed.position(), seats, viewer, Vec::new());
        assert_eq!(client.known.scene, scene, "{game} {seed}: seat {}", client.seat);
    }
    let n = clients[0].known.n;
    (server, n)
}

/// [TB7] [TB10] [TB11] [TB13] [TB20] [TB36] [TB43] [TB50]: whatever is lost, repeated, late or foreign, all end with
/// equal scenes, equal to those of a replay of the record.
#[tokio::test(flavor = "multi_thread")]
async fn clients_on_a_bad_line_end_where_a_newcomer_stands() {
    let matches: u64 = std::env::var("HOUSERULES_TABLES").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let mut server = Running::with(restless()).await;
    let (mut n_tables, mut happened) = (0, 0);
    for seed in 0..matches {
        for (game, rule) in [
            ("tic-tac-toe", "Only empty cells"),
            ("rock-paper-scissors", "x"),
            ("awele", "Chain Reaction"),
            ("battleships", "Ships do not overlap"),
        ] {
            let driven = drive(server, game, rule, seed, 60).await;
            server = driven.0;
            (n_tables, happened) = (n_tables + 1, happened + driven.1);
        }
    }
    // Three entries are the beginning; a match that one throw decides may have no more than two others.
    assert!(happened > 10 * n_tables, "hardly anything happened: {happened} entries at {n_tables} tables");
}
