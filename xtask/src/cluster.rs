//! `cargo xtask cluster`: servers that share a database and a bus lose nothing, whatever dies.

use crate::kill::{Gone, join, replayed, turn};
use crate::tables::{Build, Folder, GAME, Kept, Pair, Served, build};
use houserules_client::{Known, Line, get};
use houserules_engines::{Nats, Postgres};
use houserules_kernel::{Generator, SeatId, Viewer};
use houserules_protocol::{Command, ToClient};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub fn run(options: &[&str]) -> Result<(), String> {
    let (mut n_servers, mut n_tables, mut minutes, mut seed, mut pace) = (3, 300, 10.0, 1.0, 3.0);
    let mut how = Build::Debug;
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let mut number = || {
            let value = options.next().and_then(|value| value.parse::<f64>().ok());
            value.ok_or_else(|| format!("`{option}` needs a number."))
        };
        match *option {
            "--servers" => n_servers = number()? as usize,
            "--tables" => n_tables = number()? as usize,
            "--minutes" => minutes = number()?,
            "--seconds-a-move" => pace = number()?,
            "--seed" => seed = number()?,
            "--measure" => how = Build::Measure,
            "--release" => how = Build::Release,
            other => return Err(format!("`cluster` takes no `{other}`.")),
        }
    }
    let program = build(how)?;
    let folder = Folder::new("cluster")?;
    let (mut postgres, mut nats) = (Postgres::start(true)?, Nats::start()?);
    let kept = Kept::Shared { database: postgres.database()?, bus: nats.url() };
    let mut servers = Vec::new();
    for _ in 0..n_servers {
        servers.push(Some(Served::on(&program, &folder, 0, None, &kept)?));
    }
    let addresses: Vec<String> = servers.iter().flatten().map(|served| served.address.clone()).collect();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| error.to_string())?;
    let all = Arc::new(All { addresses, ..All::default() });
    let tables = runtime.block_on(async {
        let mut tables = Vec::new();
        for at in 0..n_tables {
            let pair = Pair::open(&all.addresses[at % n_servers]).await?;
            tables.push(tokio::spawn(play(pair, all.clone(), at as u64, Duration::from_secs_f64(pace))));
        }
        Ok::<_, String>(tables)
    })?;
    println!("{n_tables} tables of {GAME} at {n_servers} servers, {} build, a move every {pace} seconds", how.name());
    let began = Instant::now();
    let mut generator = Generator::new(seed as u64);
    let mut done = [0; 3];
    while began.elapsed().as_secs_f64() < minutes * 60.0 {
        std::thread::sleep(Duration::from_millis(4_000 + generator.below(6_000)));
        let before = all.answered.load(Ordering::Relaxed);
        let (what, words) = match generator.below(5) {
            0 => {
                postgres.stop();
                std::thread::sleep(Duration::from_millis(generator.below(1_000)));
                postgres.again()?;
                (0, "PostgreSQL restarted".to_owned())
            }
            1 => {
                nats.stop();
                std::thread::sleep(Duration::from_millis(generator.below(1_000)));
                nats.again()?;
                (1, "NATS restarted".to_owned())
            }
            _ => {
                let at = generator.below(n_servers as u64) as usize;
                if let Some(mut served) = servers[at].take() {
                    served.kill();
                }
                std::thread::sleep(Duration::from_millis(generator.below(3_000)));
                servers[at] = Some(start_again(&program, &folder, &all.addresses[at], &kept)?);
                (2, format!("server {} killed", at + 1))
            }
        };
        done[what] += 1;
        println!("{:6.1} s  {words} after {before} answers", began.elapsed().as_secs_f64());
    }
    // Quiet for a while, so that everybody is back.
    std::thread::sleep(Duration::from_secs(8));
    all.stop.store(true, Ordering::Relaxed);
    let mut ended = Ended::default();
    runtime.block_on(async {
        for table in tables {
            ended.add(table.await.map_err(|error| error.to_string())??);
        }
        Ok::<_, String>(())
    })?;
    let mut told: Vec<(String, u64)> =
        all.told.lock().map(|told| told.clone().into_iter().collect()).unwrap_or_default();
    told.sort();
    ended.pauses.sort();
    let pause = |part: f64| {
        let at = ((ended.pauses.len() as f64 * part) as usize).min(ended.pauses.len().saturating_sub(1));
        ended.pauses.get(at).map_or(0.0, Duration::as_secs_f64)
    };
    println!(
        "{n_tables} tables, {n_servers} servers, {:.0} seconds: {} servers killed, PostgreSQL restarted {} times, NATS {} times.\n\
         {} choices answered: none lost, none played twice; {} were never answered, and {} of these played. Every table is as \
         its record replays. {} times a client came back.\n\
         The longest that a table could not move: {:.1} s; half of the tables never longer than {:.1} s, nine in ten {:.1} s.\n\
         Told on the way: {}.",
        began.elapsed().as_secs_f64(),
        done[2],
        done[0],
        done[1],
        all.answered.load(Ordering::Relaxed),
        ended.unanswered,
        ended.played_unanswered,
        ended.back,
        pause(1.0),
        pause(0.5),
        pause(0.9),
        told.iter().map(|(code, times)| format!("{code} {times}")).collect::<Vec<_>>().join(", "),
    );
    Ok(())
}

/// At the same port, which the system may not have given back yet; and only when the database is there.
fn start_again(program: &Path, folder: &Folder, address: &str, kept: &Kept) -> Result<Served, String> {
    let port: u16 = address.rsplit(':').next().and_then(|port| port.parse().ok()).ok_or("The server has no port.")?;
    let began = Instant::now();
    loop {
        match Served::on(program, folder, port, None, kept) {
            Ok(served) => return Ok(served),
            Err(error) if began.elapsed() > Duration::from_secs(30) => return Err(error),
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}

/// What all tables share.
#[derive(Default)]
struct All {
    addresses: Vec<String>,
    stop: AtomicBool,
    answered: AtomicU64,
    /// How often clients were told which code.
    told: Mutex<std::collections::BTreeMap<String, u64>>,
}

#[derive(Default)]
struct Ended {
    back: u64,
    unanswered: u64,
    played_unanswered: u64,
    pauses: Vec<Duration>,
}

impl Ended {
    fn add(&mut self, other: Ended) {
        self.back += other.back;
        self.unanswered += other.unanswered;
        self.played_unanswered += other.played_unanswered;
        self.pauses.extend(other.pauses);
    }
}

/// Somebody at a table, who comes in at any server.
struct Person {
    token: String,
    line: Option<Line>,
    known: Known,
}

impl Person {
    async fn come(&mut self, all: &All, table: &str, generator: &mut Generator) -> bool {
        if self.line.is_none() {
            let at = generator.below(all.addresses.len() as u64) as usize;
            let joined = join(&all.addresses[at], table, &self.token, &mut self.known);
            self.line = match tokio::time::timeout(PATIENCE, joined).await {
                Ok(Ok(line)) => Some(line),
                Ok(Err(reason)) => {
                    // The code is the first word of a refusal.
                    let word = reason.split([' ', ':']).next().filter(|word| word.contains('/')).unwrap_or("no answer");
                    if let Ok(mut told) = all.told.lock() {
                        *told.entry(word.to_owned()).or_default() += 1;
                    }
                    None
                }
                Err(_) => None,
            };
        }
        self.line.is_some()
    }
}

/// Whoever hears nothing for so long tries elsewhere.
const PATIENCE: Duration = Duration::from_secs(10);

/// Plays at one table until told to stop; then compares.
async fn play(pair: Pair, all: Arc<All>, seed: u64, pace: Duration) -> Result<Ended, String> {
    let mut generator = Generator::new(seed + 1);
    let table = pair.opened.table.clone();
    let tokens = [&pair.opened.seats[0].token, &pair.opened.seats[1].token].map(Clone::clone);
    let Pair { lines, known, .. } = pair;
    let [first, second] = lines;
    let [knows, also] = known;
    let mut people = [
        Person { token: tokens[0].clone(), line: Some(first), known: knows },
        Person { token: tokens[1].clone(), line: Some(second), known: also },
    ];
    let (mut ended, mut longest, mut answered) = (Ended::default(), Duration::ZERO, BTreeSet::new());
    // Not all at the same moment.
    tokio::time::sleep(pace.mul_f64(generator.below(1000) as f64 / 1000.0)).await;
    while !all.stop.load(Ordering::Relaxed) {
        // From when somebody wants to move until that is answered.
        let began = Instant::now();
        'moves: loop {
            for person in &mut people {
                let was_away = person.line.is_none();
                if !person.come(&all, &table, &mut generator).await {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
                ended.back += u64::from(was_away);
                let line = person.line.as_mut().expect("it has come");
                let (step, random) = (person.known.step, generator.next());
                match turn(line, &mut person.known, random).await {
                    Ok(true) => {
                        all.answered.fetch_add(1, Ordering::Relaxed);
                        if !answered.insert(person.known.n) {
                            return Err(format!(
                                "Table {table}: two choices were answered as number {}.",
                                person.known.n
                            ));
                        }
                        break 'moves;
                    }
                    Ok(false) => {}
                    Err(Gone::Lost(reason)) => return Err(format!("Table {table}, step {step}: {reason}")),
                    Err(Gone::Away(reason)) => {
                        let word = reason.split([' ', ':']).next().filter(|word| word.contains('/'));
                        if let Ok(mut told) = all.told.lock() {
                            *told.entry(word.unwrap_or("connection lost").to_owned()).or_default() += 1;
                        }
                        ended.unanswered += 1;
                        person.line = None;
                    }
                }
            }
            if all.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        longest = longest.max(began.elapsed());
        tokio::time::sleep(pace.saturating_sub(began.elapsed())).await;
    }
    ended.pauses.push(longest);
    let newest = answered.last().copied().unwrap_or(0);
    compare(&all, &table, &mut people, newest, &mut generator).await?;
    // Every move has a line of its own in the log: as many as were answered, and at most those beside that were not.
    let moves: BTreeSet<u32> = people[0].known.log.iter().filter_map(chose).collect();
    if let Some(missing) = answered.iter().find(|n| !moves.contains(n)) {
        return Err(format!("Table {table}: choice {missing} was answered, and there is no such move."));
    }
    ended.played_unanswered = (moves.len() - answered.len()) as u64;
    if ended.played_unanswered > ended.unanswered {
        return Err(format!("Table {table}: {} moves that nobody made.", moves.len() - answered.len()));
    }
    Ok(ended)
}

fn chose(line: &houserules_protocol::play::LogLine) -> Option<u32> {
    matches!(line.what, houserules_protocol::play::LogWhat::Chose { .. }).then_some(line.n).flatten()
}

/// Whether everybody knows what a newcomer is told, and that is what the record leads to.
async fn compare(
    all: &All,
    table: &str,
    people: &mut [Person; 2],
    newest: u32,
    generator: &mut Generator,
) -> Result<(), String> {
    let began = Instant::now();
    for (seat, person) in people.iter_mut().enumerate() {
        let done = loop {
            if person.come(all, table, generator).await
                && let Some(line) = &mut person.line
            {
                let ask = if seat == 0 && person.known.result.is_none() {
                    let own = person.known.you.as_ref().and_then(|you| you.seats.first().copied()).unwrap_or(0);
                    Command::Resign { seat: own }
                } else {
                    Command::Ping
                };
                match line.ask(ask, &mut person.known).await {
                    Ok(ToClient::Done { .. }) if person.known.result.is_some() => break true,
                    Ok(_) => {}
                    Err(_) => person.line = None,
                }
            }
            if began.elapsed() > Duration::from_secs(60) {
                break false;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        if !done {
            return Err(format!("Table {table} does not wake."));
        }
    }
    for (at, person) in people.iter_mut().enumerate() {
        let address = &all.addresses[at % all.addresses.len()];
        let mut fresh = Known::default();
        join(address, table, &person.token, &mut fresh).await?;
        if fresh.n < newest {
            return Err(format!("Table {table}: {newest} was answered, and only {} are kept.", fresh.n));
        }
        if fresh.log != person.known.log || fresh.scene != person.known.scene {
            return Err(format!("Table {table}: what was told is not what is kept."));
        }
        let record = get(address, &format!("/api/tables/{table}/record"), Some(&person.token)).await?;
        let mut replay =
            replayed(&record.body).map_err(|reason| format!("Table {table}: its record does not play: {reason}"))?;
        let own = person.known.you.as_ref().and_then(|you| you.seats.first().copied()).unwrap_or(0);
        let now = replay.now();
        let (seats, viewer) = (now.seats(), Viewer::Seat(SeatId(own)));
        if houserules_server::picture(now.position(), seats, viewer, Vec::new()) != fresh.scene {
            return Err(format!("Table {table}: it does not look as its record says."));
        }
    }
    Ok(())
}
