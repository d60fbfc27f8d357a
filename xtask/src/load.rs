//! `cargo xtask load`: how many moves a second, how soon the other one knows, how many bytes, how much memory.

use crate::tables::{Build, Folder, GAME, Kept, Pair, Served, build, stay_on};
use houserules_client::{Known, Line, open};
use houserules_engines::{Nats, Postgres};
use houserules_kernel::Generator;
use std::path::Path;
use std::time::{Duration, Instant};

/// Tables at once, and moves a second at each; none: as fast as they go.
const RUNS: [(usize, Option<f64>); 7] =
    [(1, None), (50, None), (200, None), (200, Some(2.0)), (200, Some(100.0)), (2000, None), (2000, Some(2.0))];

pub fn run(options: &[&str]) -> Result<(), String> {
    let (mut seconds, mut idle, mut most, mut how) = (5.0, 10_000, usize::MAX, Build::Measure);
    let (mut core, mut servers) = (None, None);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let mut number = || {
            let value = options.next().and_then(|value| value.parse::<f64>().ok());
            value.ok_or_else(|| format!("`{option}` needs a number."))
        };
        match *option {
            "--debug" => how = Build::Debug,
            "--release" => how = Build::Release,
            "--seconds" => seconds = number()?,
            "--idle" => idle = number()? as usize,
            "--most" => most = number()? as usize,
            "--core" => core = Some(number()? as usize),
            "--servers" => servers = Some(number()? as usize),
            other => return Err(format!("`load` takes no `{other}`.")),
        }
    }
    let program = build(how)?;
    // The server has a core to itself, and whoever plays has another: neither is measured by what the other one takes.
    let others = core.map(|core| usize::from(core == 0));
    if let Some(others) = others {
        stay_on(std::process::id(), others)?;
        println!("the server on core {}, clients on core {others}", core.unwrap_or_default());
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| error.to_string())?;
    println!("{GAME}, durable writes, {} build", how.name());
    if let Some(most) = servers {
        return side_by_side(&program, &runtime, most, Duration::from_secs_f64(seconds));
    }
    println!(
        "tables  pace  moves/s  moves per second of the server's processor  p50 ms  p99 ms  bytes/move  with rematches  kB/table"
    );
    for (n, pace) in RUNS.into_iter().filter(|(n, _)| *n <= most) {
        let folder = Folder::new("load")?;
        let served = Served::start_on(&program, &folder, 0, core)?;
        let line = runtime.block_on(measure(&served, n, pace, Duration::from_secs_f64(seconds)))?;
        println!("{line}");
    }
    if idle > 0 {
        let folder = Folder::new("load")?;
        println!("{}", runtime.block_on(rest(&program, &folder, idle, core))?);
    }
    Ok(())
}

/// One server with a file, then one to so many that share PostgreSQL and NATS, with people of a table at one server and at two.
fn side_by_side(
    program: &Path,
    runtime: &tokio::runtime::Runtime,
    most: usize,
    lasting: Duration,
) -> Result<(), String> {
    const TABLES: usize = 200;
    println!("{TABLES} tables, as fast as they go; microseconds of processor time for a move");
    println!("servers  kept in     people at    moves/s  p50 ms  p99 ms  servers  PostgreSQL  NATS");
    for n in 0..=most {
        let ways: &[bool] = if n < 2 { &[false] } else { &[false, true] };
        for &is_apart in ways {
            let folder = Folder::new("load")?;
            let engines = if n > 0 { Some((Postgres::start(true)?, Nats::start()?)) } else { None };
            let kept = match &engines {
                Some((postgres, nats)) => Kept::Shared { database: postgres.database()?, bus: nats.url() },
                None => Kept::File,
            };
            let served = (0..n.max(1)).map(|_| Served::on(program, &folder, 0, None, &kept));
            let served = served.collect::<Result<Vec<_>, _>>()?;
            let (moves, waits, passed, work) = runtime.block_on(async {
                let mut pairs = Vec::new();
                for at in 0..TABLES {
                    let (one, other) = (at % served.len(), (at + usize::from(is_apart)) % served.len());
                    pairs.push(Pair::open_at(&served[one].address, &served[other].address).await?);
                }
                let work = || {
                    let engines = engines.as_ref().map_or((0.0, 0.0), |(one, other)| (one.seconds(), other.seconds()));
                    [served.iter().map(Served::seconds).sum(), engines.0, engines.1]
                };
                let (began, before) = (Instant::now(), work());
                let until = began + lasting;
                let tasks: Vec<_> =
                    pairs.into_iter().enumerate().map(|(at, pair)| tokio::spawn(play(pair, at, None, until))).collect();
                let (mut moves, mut waits) = (0, Vec::new());
                for task in tasks {
                    let played = task.await.map_err(|error| error.to_string())??;
                    moves += played.moves;
                    waits.extend(played.waits);
                }
                let after: [f64; 3] = work();
                let spent: Vec<f64> = (0..3).map(|at| 1e6 * (after[at] - before[at]) / moves.max(1) as f64).collect();
                Ok::<_, String>((moves, waits, began.elapsed().as_secs_f64(), spent))
            })?;
            let mut waits = waits;
            waits.sort_unstable();
            let at = |part: f64| {
                waits.get((waits.len() as f64 * part) as usize).map_or(0.0, |wait| wait.as_secs_f64() * 1000.0)
            };
            println!(
                "{:7}  {:10}  {:11}  {:7.0}  {:6.2}  {:6.2}  {:7.0}  {:10.0}  {:4.0}",
                n.max(1),
                if n > 0 { "PostgreSQL" } else { "SQLite" },
                if is_apart { "two servers" } else { "one server" },
                moves as f64 / passed,
                at(0.5),
                at(0.99),
                work[0],
                work[1],
                work[2],
            );
        }
    }
    Ok(())
}

/// Tables at which nobody is: what they take of the memory, and how soon they are back when the server starts anew.
async fn rest(program: &Path, folder: &Folder, n: usize, core: Option<usize>) -> Result<String, String> {
    let served = Served::start_on(program, folder, 0, core)?;
    // The first one compiles the game for all. Some have been played at for a while.
    let mut played = Vec::new();
    for at in 0..PLAYED {
        let mut pair = Pair::open(&served.address).await?;
        let mut generator = Generator::new(at as u64 + 1);
        for _ in 0..20 {
            pair.turn(generator.next()).await?;
        }
        played.push((pair.opened.table.clone(), pair.opened.seats[0].token.clone()));
    }
    let before = served.memory();
    for _ in 0..n {
        open(&served.address, &Pair::wanted()).await?;
    }
    let (before, after) = (before / 1_000_000, served.memory() / 1_000_000);
    drop(served);
    let served = Served::start_on(program, folder, 0, core)?;
    let mut waits = Vec::new();
    for (table, token) in &played {
        let began = Instant::now();
        let mut line = Line::join(&served.address, table, &[token], None).await?;
        line.until(&mut Known::default(), |known| known.table.is_some()).await?;
        waits.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    let first = waits.remove(0);
    waits.sort_by(f64::total_cmp);
    Ok(format!(
        "{n} tables at which nobody is: {after} MB in all, {before} MB before them. Waking one of 20 moves: {:.1} ms, {:.1} \
         ms at most; {first:.1} ms with compiling the game.",
        waits[waits.len() / 2],
        waits[waits.len() - 1],
    ))
}

/// Tables that are woken.
const PLAYED: usize = 50;

async fn measure(served: &Served, n: usize, pace: Option<f64>, lasting: Duration) -> Result<String, String> {
    // The first table compiles the game for all.
    let mut pairs = vec![Pair::open(&served.address).await?];
    let before = served.memory();
    for _ in 1..n {
        pairs.push(Pair::open(&served.address).await?);
    }
    let per_table = if n > 1 { served.memory().saturating_sub(before) / (n as u64 - 1) / 1024 } else { 0 };
    let (began, work) = (Instant::now(), served.seconds());
    let until = began + lasting;
    let tasks: Vec<_> =
        pairs.into_iter().enumerate().map(|(at, pair)| tokio::spawn(play(pair, at, pace, until))).collect();
    let (mut waits, mut moves, mut bytes, mut between) = (Vec::new(), 0, 0, 0);
    for task in tasks {
        let played = task.await.map_err(|error| error.to_string())??;
        waits.extend(played.waits);
        moves += played.moves;
        bytes += played.bytes;
        between += played.between;
    }
    let passed = began.elapsed().as_secs_f64();
    let work = served.seconds() - work;
    waits.sort_unstable();
    let at =
        |part: f64| waits.get((waits.len() as f64 * part) as usize).map_or(0.0, |wait| wait.as_secs_f64() * 1000.0);
    let pace = pace.map_or("-".to_owned(), |pace| pace.to_string());
    Ok(format!(
        "{n:6}  {pace:>4}  {:7.0}  {:42.0}  {:6.2}  {:6.2}  {:10.0}  {:14.0}  {per_table:8}",
        moves as f64 / passed,
        moves as f64 / work.max(0.01),
        at(0.5),
        at(0.99),
        // Both sides are told of a move.
        (bytes - between) as f64 / (2 * moves.max(1)) as f64,
        bytes as f64 / (2 * moves.max(1)) as f64,
    ))
}

struct Played {
    waits: Vec<Duration>,
    moves: u64,
    bytes: u64,
    /// Of them, those between two matches.
    between: u64,
}

async fn play(mut pair: Pair, at: usize, pace: Option<f64>, until: Instant) -> Result<Played, String> {
    let mut generator = Generator::new(at as u64 + 1);
    let before = pair.received();
    let mut waits = Vec::new();
    // Not all at the same moment.
    let mut next = Instant::now() + Duration::from_micros(generator.below(500_000) * u64::from(pace.is_some()));
    while Instant::now() < until {
        if let Some(pace) = pace {
            tokio::time::sleep_until(next.into()).await;
            next += Duration::from_secs_f64(1.0 / pace);
        }
        waits.push(pair.turn(generator.next()).await?);
    }
    Ok(Played { waits, moves: pair.moves, bytes: pair.received() - before, between: pair.between })
}
