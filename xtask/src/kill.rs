//! `cargo xtask kill`: a server that dies at any moment loses nothing that it has answered.

use crate::tables::{Build, Folder, GAME, Pair, Served, build};
use houserules_client::{Known, Line, get};
use houserules_kernel::Generator;
use houserules_protocol::{Command, ToClient};
use houserules_record::Record;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub fn run(options: &[&str]) -> Result<(), String> {
    let (mut n_tables, mut n_kills) = (100, 50);
    for pair in options.chunks(2) {
        let number = pair.get(1).and_then(|value| value.parse::<usize>().ok());
        match (pair[0], number) {
            ("--tables", Some(n)) => n_tables = n,
            ("--kills", Some(n)) => n_kills = n,
            (option, _) => return Err(format!("`kill` takes `--tables N` and `--kills N`, not `{option}`.")),
        }
    }
    let program = build(Build::Debug)?;
    let folder = Folder::new("kill")?;
    let mut served = Served::start(&program, &folder, 0)?;
    let address = served.address.clone();
    let port: u16 = address.rsplit(':').next().and_then(|port| port.parse().ok()).ok_or("The server has no port.")?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| error.to_string())?;
    let stop = Arc::new(AtomicBool::new(false));
    let answered = Arc::new(AtomicU64::new(0));
    let tables = runtime.block_on(async {
        let mut tables = Vec::new();
        for at in 0..n_tables {
            let pair = Pair::open(&address).await?;
            tables.push(tokio::spawn(play(pair, address.clone(), at as u64, stop.clone(), answered.clone())));
        }
        Ok::<_, String>(tables)
    })?;
    let mut generator = Generator::new(1);
    let mut slowest = Duration::ZERO;
    for kill in 1..=n_kills {
        // In the middle of play: on a busy computer it takes a while until everybody is back.
        let (before, enough) = (answered.load(Ordering::Relaxed), 1 + generator.below(4 * n_tables as u64));
        let waiting = Instant::now();
        while answered.load(Ordering::Relaxed) < before + enough {
            if waiting.elapsed() > PATIENCE {
                return Err(format!("Nobody came back within {} seconds.", PATIENCE.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(1 + generator.below(20)));
        }
        served.kill();
        let began = Instant::now();
        served = Served::start(&program, &folder, port)?;
        slowest = slowest.max(began.elapsed());
        println!("{kill} of {n_kills}: killed after {} answers", answered.load(Ordering::Relaxed));
    }
    std::thread::sleep(Duration::from_millis(500));
    stop.store(true, Ordering::Relaxed);
    let mut back = 0;
    runtime.block_on(async {
        for table in tables {
            back += table.await.map_err(|error| error.to_string())??;
        }
        Ok::<_, String>(())
    })?;
    println!(
        "{n_tables} tables of {GAME}, {n_kills} kills, {} choices answered, none lost; {back} times a client came back; \
         the server was up again after {} ms at most.",
        answered.load(Ordering::Relaxed),
        slowest.as_millis()
    );
    Ok(())
}

const PATIENCE: Duration = Duration::from_secs(120);

/// Plays at one table until told to stop, coming back whenever the server is gone; then compares. Says how often it came back.
async fn play(
    pair: Pair,
    address: String,
    seed: u64,
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicU64>,
) -> Result<u64, String> {
    let mut generator = Generator::new(seed + 1);
    let (table, tokens) = (pair.opened.table.clone(), pair.opened.seats.clone());
    let Pair { lines, mut known, .. } = pair;
    let mut lines = lines.map(Some);
    let mut acknowledged = 0;
    let mut back = 0;
    while !stop.load(Ordering::Relaxed) {
        for chair in 0..2 {
            if lines[chair].is_none() {
                lines[chair] = join(&address, &table, &tokens[chair].token, &mut known[chair]).await.ok();
                back += u64::from(lines[chair].is_some());
            }
        }
        let [Some(_), Some(_)] = &lines else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        for chair in 0..2 {
            let (line, known) = (lines[chair].as_mut().expect("both are there"), &mut known[chair]);
            let step = known.step;
            match turn(line, known, generator.next()).await {
                Ok(true) => {
                    answered.fetch_add(1, Ordering::Relaxed);
                    acknowledged = acknowledged.max(known.n);
                }
                Ok(false) => {}
                Err(Gone::Lost(reason)) => return Err(format!("Table {table}, step {step}: {reason}")),
                Err(Gone::Away(_)) => lines[chair] = None,
            }
        }
    }
    for chair in 0..2 {
        let mut fresh = Known::default();
        let began = Instant::now();
        while join(&address, &table, &tokens[chair].token, &mut fresh).await.is_err() {
            if began.elapsed() > Duration::from_secs(20) {
                return Err(format!("Table {table} does not wake."));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        if fresh.n < acknowledged {
            return Err(format!("Table {table}: {acknowledged} was answered, and only {} are kept.", fresh.n));
        }
        let told: Vec<_> = fresh.log.iter().take(known[chair].log.len()).collect();
        if told != known[chair].log.iter().collect::<Vec<_>>() {
            return Err(format!("Table {table}: what was told is not what is kept."));
        }
    }
    let path = format!("/api/tables/{table}/record");
    let record = get(&address, &path, Some(&tokens[0].token)).await?;
    replayed(&record.body).map_err(|reason| format!("Table {table}: its record does not play: {reason}"))?;
    Ok(back)
}

/// What a record leads to: through a whole match, line by line.
pub fn replayed(text: &str) -> Result<houserules_record::Replay, String> {
    let parsed = Record::parse(text);
    if let Some(fault) = parsed.fault {
        return Err(fault.to_string());
    }
    let opened = houserules_record::open(parsed.record, None, Default::default())?;
    let mut replay = opened.replay;
    match replay.run() {
        None => Ok(replay),
        Some(fault) => Err(fault.to_string()),
    }
}

/// Why a client has to come back.
pub enum Gone {
    /// The connection has ended; what it said last.
    Away(String),
    /// It was told what cannot be.
    Lost(String),
}

pub async fn join(address: &str, table: &str, token: &str, known: &mut Known) -> Result<Line, String> {
    let last = (known.n > 0).then_some(known.n);
    let mut line = Line::join(address, table, &[token], last).await?;
    line.ask(Command::Ping, known).await?;
    Ok(line)
}

/// Chooses if asked; true if that was answered.
pub async fn turn(line: &mut Line, known: &mut Known, random: u64) -> Result<bool, Gone> {
    let hear = async {
        line.ask(Command::Ping, known).await?;
        let seat = known.you.as_ref().and_then(|you| you.seats.first().copied()).unwrap_or(0);
        if known.result.is_some() {
            let wish = houserules_protocol::proposal::Wish::Rematch;
            line.ask(Command::Propose { wish, seat: None }, known).await?;
            return Ok(false);
        }
        let n = known.choices(seat).len() as u64;
        if n == 0 {
            return Ok(false);
        }
        let choose = Command::Choose { step: known.step, seat, choice: (random % n) as u32, insist: false };
        let answer = line.ask(choose, known).await?;
        Ok::<bool, String>(matches!(answer, ToClient::Done { .. }))
    };
    match tokio::time::timeout(Duration::from_secs(10), hear).await {
        Ok(Ok(done)) => Ok(done),
        // What a client says that was told nonsense; everything else is a connection that has ended.
        Ok(Err(reason)) if ["fit", "again", " after "].iter().any(|word| reason.contains(word)) => {
            Err(Gone::Lost(reason))
        }
        Ok(Err(reason)) => Err(Gone::Away(reason)),
        Err(_) => Err(Gone::Away("No answer.".into())),
    }
}
