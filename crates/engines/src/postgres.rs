use crate::kept::{Folder, Kept, as_user, find, free_port};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A PostgreSQL server.
pub struct Postgres {
    pub port: u16,
    is_durable: bool,
    /// As whom it runs: it refuses to run as root.
    user: Option<u32>,
    kept: Kept,
    folder: Folder,
    next: AtomicU32,
}

impl Postgres {
    /// `is_durable`: what was answered is on the disk, even if the power fails. Tests are quicker without.
    pub fn start(is_durable: bool) -> Result<Self, String> {
        let (port, folder, user) = (free_port()?, Folder::new("postgres")?, user()?);
        if let Some(user) = user {
            std::os::unix::fs::chown(&folder.0, Some(user), None)
                .map_err(|error| format!("{} cannot be given away: {error}.", folder.0.display()))?;
        }
        let mut initdb = Command::new(program("initdb")?);
        initdb.arg("-D").arg(folder.0.join("data")).args(["-A", "trust", "-U", "postgres"]);
        initdb.args(["-E", "UTF8", "--locale=C", "--no-sync"]).current_dir(&folder.0);
        as_user(&mut initdb, user);
        let made = initdb.output().map_err(|error| format!("initdb cannot be started: {error}."))?;
        if !made.status.success() {
            return Err(format!("PostgreSQL makes no database: {}", String::from_utf8_lossy(&made.stderr)));
        }
        let kept = run(&folder, user, port, is_durable)?;
        Ok(Postgres { port, is_durable, user, kept, folder, next: AtomicU32::new(0) })
    }

    /// Whether this computer has it.
    pub fn is_installed() -> bool {
        ["initdb", "postgres", "createdb", "pg_isready"].into_iter().all(|name| program(name).is_ok())
    }

    /// A new database with nothing in it.
    pub fn database(&self) -> Result<String, String> {
        let name = format!("tables{}", self.next.fetch_add(1, Ordering::Relaxed));
        let port = self.port.to_string();
        let made = Command::new(program("createdb")?)
            .args(["-h", "127.0.0.1", "-p", &port, "-U", "postgres", &name])
            .output()
            .map_err(|error| format!("createdb cannot be started: {error}."))?;
        match made.status.success() {
            true => Ok(self.url(&name)),
            false => Err(format!("There is no new database: {}", String::from_utf8_lossy(&made.stderr))),
        }
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Of processor time, so far.
    pub fn seconds(&self) -> f64 {
        self.kept.seconds()
    }

    pub fn stop(&mut self) {
        self.kept.stop();
    }

    /// Starts it again on what it kept, after it was stopped.
    pub fn again(&mut self) -> Result<(), String> {
        self.kept = run(&self.folder, self.user, self.port, self.is_durable)?;
        Ok(())
    }
}

fn run(folder: &Folder, user: Option<u32>, port: u16, is_durable: bool) -> Result<Kept, String> {
    let (data, beside, port) = (folder.0.join("data"), folder.0.display().to_string(), port.to_string());
    let data = data.display().to_string();
    let mut args = vec!["-D", &data, "-p", &port, "-h", "127.0.0.1", "-k", &beside];
    args.extend(["-c", "max_connections=200", "-c", "jit=off"]);
    if !is_durable {
        args.extend(["-c", "fsync=off", "-c", "full_page_writes=off"]);
    }
    let mut kept = Kept::start(&folder.0, user, &program("postgres")?, &args)?;
    let began = Instant::now();
    loop {
        let asked = Command::new(program("pg_isready")?).args(["-q", "-h", "127.0.0.1", "-p", &port]).status();
        if asked.is_ok_and(|answer| answer.success()) {
            return Ok(kept);
        }
        if kept.has_ended() || began.elapsed() > PATIENCE {
            let log = std::fs::read_to_string(folder.0.join("log")).unwrap_or_default();
            return Err(format!("PostgreSQL does not start: {log}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Debian keeps its programs in a folder for each version.
fn program(name: &str) -> Result<PathBuf, String> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut places: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    places.sort();
    places.reverse();
    find(name, &places)
        .ok_or_else(|| "PostgreSQL is missing. Debian has it in `postgresql`; `cargo xtask test` installs it.".into())
}

fn user() -> Result<Option<u32>, String> {
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    if !is_root {
        return Ok(None);
    }
    let known = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let line = known.lines().find_map(|line| line.strip_prefix("postgres:"));
    let user = line.and_then(|line| line.split(':').nth(1)?.parse().ok());
    user.map(Some).ok_or_else(|| "PostgreSQL does not run as root, and there is no user `postgres`.".into())
}

const PATIENCE: Duration = Duration::from_secs(60);
