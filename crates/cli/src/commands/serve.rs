//! `serve`: tables for people elsewhere.

use std::io::Write;
use std::path::Path;

use houserules_server::{Config, Limits, Server};
use houserules_store::Store;
use serde::Deserialize;

use crate::args::Serve;
use crate::failure::Failure;

/// Serves until it is told to stop.
pub fn serve(out: &mut dyn Write, wanted: &Serve) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if let Some(copy) = &wanted.backup {
        runtime.block_on(back_up(&wanted.data, copy)).map_err(Failure::Input)?;
        writeln!(out, "All that is kept in {} is now in {}, too.", wanted.data.display(), copy.display())?;
        return Ok(());
    }
    let config = config(wanted).map_err(Failure::Input)?;
    log(wanted.json_logs);
    let server = runtime.block_on(Server::bind(config)).map_err(Failure::Input)?;
    let address = server.address();
    let shown = wanted.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
    writeln!(out, "Tables at {shown}, kept in {}. Ctrl-C ends.", houserules_store::shown(&wanted.data))?;
    out.flush()?;
    runtime.block_on(server.run(told_to_stop())).map_err(Failure::Input)
}

async fn back_up(data: &Path, copy: &Path) -> Result<(), String> {
    if !houserules_store::is_address(data) && !data.exists() {
        return Err(format!("There is no file {}.", data.display()));
    }
    let store = Store::open(data).await.map_err(|error| error.to_string())?;
    let done = store.back_up(copy).await.map_err(|error| error.to_string());
    store.close().await;
    done
}

/// What a file of limits may say. What it does not say stays as it is.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Wished {
    tables: Option<usize>,
    viewers: Option<usize>,
    sockets: Option<usize>,
    message_bytes: Option<usize>,
    definition_bytes: Option<usize>,
    messages: Option<u32>,
    requests: Option<u32>,
    openings: Option<u32>,
    entries: Option<u32>,
    waiting: Option<usize>,
    write_seconds: Option<u64>,
    level: Option<u8>,
    thinkers: Option<usize>,
    thinking: Option<u32>,
    strangers: Option<usize>,
    stranger_steps: Option<u64>,
    stranger_native: Option<bool>,
    studies: Option<usize>,
    study_seconds: Option<u64>,
    sleep_after: Option<u64>,
    away_after: Option<u64>,
}

fn config(wanted: &Serve) -> Result<Config, String> {
    let wished = match &wanted.limits {
        None => Wished::default(),
        Some(file) => {
            let text = std::fs::read_to_string(file)
                .map_err(|error| format!("{} cannot be read: {error}.", file.display()))?;
            toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?
        }
    };
    let usual = Limits::default();
    let limits = Limits {
        tables: wanted.tables.or(wished.tables).unwrap_or(usual.tables),
        sockets: wished.sockets.unwrap_or(usual.sockets),
        viewers: wished.viewers.unwrap_or(usual.viewers),
        message_bytes: wished.message_bytes.unwrap_or(usual.message_bytes),
        definition_bytes: wished.definition_bytes.unwrap_or(usual.definition_bytes),
        messages: wished.messages.unwrap_or(usual.messages),
        requests: wished.requests.unwrap_or(usual.requests),
        openings: wished.openings.unwrap_or(usual.openings),
        entries: wished.entries.unwrap_or(usual.entries).max(1),
        waiting: wished.waiting.unwrap_or(usual.waiting).max(1),
        write_seconds: wished.write_seconds.unwrap_or(usual.write_seconds),
        level: wanted.level.or(wished.level).unwrap_or(usual.level),
        thinkers: wanted.thinkers.or(wished.thinkers).unwrap_or(usual.thinkers),
        thinking: wished.thinking.unwrap_or(usual.thinking),
        strangers: wished.strangers.unwrap_or(usual.strangers),
        stranger_steps: wished.stranger_steps.unwrap_or(usual.stranger_steps),
        stranger_native: wished.stranger_native.unwrap_or(usual.stranger_native),
        studies: wished.studies.unwrap_or(usual.studies),
        study_seconds: wished.study_seconds.unwrap_or(usual.study_seconds),
        sleep_after: wished.sleep_after.unwrap_or(usual.sleep_after),
        away_after: wished.away_after.unwrap_or(usual.away_after),
    };
    Ok(Config {
        listen: wanted.listen,
        data: wanted.data.clone(),
        bus: wanted.bus.clone(),
        think_elsewhere: wanted.think_elsewhere,
        lease: Config::LEASE,
        public_url: wanted.public_url.clone(),
        behind_proxy: wanted.behind_proxy,
        limits,
    })
}

/// To the error stream; `RUST_LOG` says how much.
fn log(json: bool) {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,sqlx=warn"));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // Somebody else may have begun to log already; that is as good.
    let _ = if json { logs.json().try_init() } else { logs.try_init() };
}

async fn told_to_stop() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
