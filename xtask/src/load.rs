//! `cargo xtask load`: how many moves a second, how soon the other one knows, how many bytes, how much memory.

use crate::tables::{Folder, GAME, Pair, Served, build};
use houserules_kernel::Generator;
use std::time::{Duration, Instant};

/// Tables at once, and moves a second at each; none: as fast as they go.
const RUNS: [(usize, Option<f64>); 6] =
    [(1, None), (50, None), (200, None), (200, Some(2.0)), (2000, None), (2000, Some(2.0))];

pub fn run(options: &[&str]) -> Result<(), String> {
    let (mut seconds, mut release) = (5.0, true);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--debug" => release = false,
            "--seconds" => {
                let value = options.next().and_then(|value| value.parse().ok());
                seconds = value.ok_or("`--seconds` needs a number.")?;
            }
            other => return Err(format!("`load` takes no `{other}`.")),
        }
    }
    let program = build(release)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| error.to_string())?;
    println!("{GAME}, durable writes, {} build", if release { "release" } else { "debug" });
    println!("tables  pace  moves/s  moves per second of the server's processor  p50 ms  p99 ms  bytes/move  kB/table");
    for (n, pace) in RUNS {
        let folder = Folder::new("load")?;
        let served = Served::start(&program, &folder, 0)?;
        let line = runtime.block_on(measure(&served, n, pace, Duration::from_secs_f64(seconds)))?;
        println!("{line}");
    }
    Ok(())
}

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
    let (mut waits, mut moves, mut bytes) = (Vec::new(), 0, 0);
    for task in tasks {
        let played = task.await.map_err(|error| error.to_string())??;
        waits.extend(played.waits);
        moves += played.moves;
        bytes += played.bytes;
    }
    let passed = began.elapsed().as_secs_f64();
    let work = served.seconds() - work;
    waits.sort_unstable();
    let at =
        |part: f64| waits.get((waits.len() as f64 * part) as usize).map_or(0.0, |wait| wait.as_secs_f64() * 1000.0);
    let pace = pace.map_or("-".to_owned(), |pace| pace.to_string());
    Ok(format!(
        "{n:6}  {pace:>4}  {:7.0}  {:42.0}  {:6.2}  {:6.2}  {:10.0}  {per_table:8}",
        moves as f64 / passed,
        moves as f64 / work.max(0.01),
        at(0.5),
        at(0.99),
        // Both sides are told of a move.
        bytes as f64 / (2 * moves.max(1)) as f64,
    ))
}

struct Played {
    waits: Vec<Duration>,
    moves: u64,
    bytes: u64,
}

async fn play(mut pair: Pair, at: usize, pace: Option<f64>, until: Instant) -> Result<Played, String> {
    let mut generator = Generator::new(at as u64 + 1);
    let before: u64 = pair.lines.iter().map(|line| line.received).sum();
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
    let after: u64 = pair.lines.iter().map(|line| line.received).sum();
    Ok(Played { waits, moves: pair.moves, bytes: after - before })
}
