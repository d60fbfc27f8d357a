//! A server as its own process, and people at its tables, for the chores that try it out.

use crate::cargo;
use houserules_client::{Known, Line, open};
use houserules_protocol::proposal::Wish;
use houserules_protocol::table::{OpenTable, SitterWish, TableOpened};
use houserules_protocol::{Code, Command, ToClient};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// How the program is built: trials take any, measurements want a fast one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    Debug,
    Measure,
    Release,
}

impl Build {
    pub fn name(self) -> &'static str {
        match self {
            Build::Debug => "debug",
            Build::Measure => "measure",
            Build::Release => "release",
        }
    }
}

/// The program, built; or, where `HOUSERULES_PROGRAM` names one, that.
pub fn build(build: Build) -> Result<PathBuf, String> {
    if let Some(program) = std::env::var_os("HOUSERULES_PROGRAM") {
        return Ok(program.into());
    }
    let profile = if build == Build::Debug { "dev" } else { build.name() };
    cargo::build(profile, "houserules")?;
    Ok(cargo::root().join("target").join(build.name()).join("houserules"))
}

/// Keeps a process, with all its threads, on one core.
pub fn stay_on(process: u32, core: usize) -> Result<(), String> {
    let mut command = std::process::Command::new("taskset");
    command.args(["-acp", &core.to_string(), &process.to_string()]).stdout(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("Core {core} cannot be had ({status}).")),
        Err(error) => Err(format!("`taskset` cannot be started: {error}.")),
    }
}

/// A folder that is gone afterwards.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Result<Self, String> {
        let path = cargo::root().join("target").join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).map_err(|error| format!("{} cannot be made: {error}.", path.display()))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server that is running.
pub struct Served {
    pub child: Child,
    /// `host:port`
    pub address: String,
}

/// Where tables are kept.
pub enum Kept {
    /// In a file in the folder.
    File,
    Shared {
        database: String,
        bus: String,
    },
}

impl Served {
    /// Starts it; port 0 takes any.
    pub fn start(program: &Path, folder: &Folder, port: u16) -> Result<Self, String> {
        Self::start_on(program, folder, port, None)
    }

    /// Starts it on one core of the computer alone.
    pub fn start_on(program: &Path, folder: &Folder, port: u16, core: Option<usize>) -> Result<Self, String> {
        Self::on(program, folder, port, core, &Kept::File)
    }

    pub fn on(program: &Path, folder: &Folder, port: u16, core: Option<usize>, kept: &Kept) -> Result<Self, String> {
        let data = match kept {
            Kept::File => folder.0.join("tables.db").into_os_string(),
            Kept::Shared { database, .. } => database.into(),
        };
        let limits = folder.0.join("limits.toml");
        let text = "messages = 1000000\nrequests = 1000000\nopenings = 1000000000\ntables = 100000\nsockets = 100000\nsleep_after = 3600\nentries = 4000000000\n";
        std::fs::write(&limits, text).map_err(|error| format!("{} cannot be written: {error}.", limits.display()))?;
        let mut command = match core {
            Some(core) => {
                let mut command = std::process::Command::new("taskset");
                command.args(["-c", &core.to_string()]).arg(program);
                command
            }
            None => std::process::Command::new(program),
        };
        let mut child = command
            .arg("serve")
            .args(["--listen", &format!("127.0.0.1:{port}")])
            .args(["--data".as_ref(), data.as_os_str()])
            .args(match kept {
                Kept::File => Vec::new(),
                Kept::Shared { bus, .. } => vec!["--bus", bus],
            })
            .args(["--limits".as_ref(), limits.as_os_str()])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}.", program.display()))?;
        let out = child.stdout.take().ok_or("The server has no output.")?;
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(',').next());
        let address = address.ok_or_else(|| format!("The server said: {line}"))?.to_owned();
        Ok(Served { child, address })
    }

    /// Bytes of memory in use, where the system tells.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) * 1024
    }

    /// Seconds of processor time so far.
    pub fn seconds(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        (ticks(11) + ticks(12)) / 100.0
    }

    /// Ends it at once, in the middle of whatever it does.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A table with two people at it.
pub struct Pair {
    pub opened: TableOpened,
    pub lines: [Line; 2],
    pub known: [Known; 2],
    pub moves: u64,
    /// Bytes that both received between two matches: to agree on another, and what it begins with.
    pub between: u64,
}

pub const GAME: &str = "connect-four";

impl Pair {
    /// A table with two people who begin at once.
    pub fn wanted() -> OpenTable {
        let me = |name: &str| SitterWish::Me { name: name.into() };
        OpenTable { game: GAME.into(), sitters: vec![me("Ada"), me("Ben")], at_once: true, ..OpenTable::default() }
    }

    pub async fn open(address: &str) -> Result<Self, String> {
        Self::open_at(address, address).await
    }

    /// A table of one server, with the second person coming in at another.
    pub async fn open_at(address: &str, other: &str) -> Result<Self, String> {
        let opened = open(address, &Self::wanted()).await?;
        let tokens = [&*opened.seats[0].token, &*opened.seats[1].token];
        let mut lines = [
            Line::join(address, &opened.table, &tokens[..1], None).await?,
            Line::join(other, &opened.table, &tokens[1..], None).await?,
        ];
        let mut known = [Known::default(), Known::default()];
        for (line, known) in lines.iter_mut().zip(&mut known) {
            line.until(known, |known| known.table.is_some()).await?;
        }
        Ok(Pair { opened, lines, known, moves: 0, between: 0 })
    }

    /// Bytes that both have received.
    pub fn received(&self) -> u64 {
        self.lines.iter().map(|line| line.received).sum()
    }

    /// One move, and how long until the other one knew of it. A match that is over is followed by another.
    pub async fn turn(&mut self, random: u64) -> Result<Duration, String> {
        if self.known[0].result.is_some() || self.known[1].result.is_some() {
            let before = self.received();
            self.rematch().await?;
            self.between += self.received() - before;
        }
        let own = |known: &Known| known.you.as_ref().and_then(|you| you.seats.first().copied()).unwrap_or(0);
        let asked = |known: &Known| !known.choices(own(known)).is_empty();
        let chair = usize::from(!asked(&self.known[0]));
        let (seat, step) = (own(&self.known[chair]), self.known[chair].step);
        let choices = self.known[chair].choices(seat).len() as u64;
        if choices == 0 {
            return Err("Nobody is asked.".into());
        }
        let choice = (random % choices) as u32;
        let began = Instant::now();
        let id = self.lines[chair].send(Command::Choose { step, seat, choice, insist: false }).await?;
        let other = 1 - chair;
        self.lines[other].until(&mut self.known[other], |known| known.step > step).await?;
        let passed = began.elapsed();
        match self.lines[chair].answer(id, &mut self.known[chair]).await? {
            ToClient::Done { .. } => {
                self.moves += 1;
                Ok(passed)
            }
            refused => Err(format!("{refused:?}")),
        }
    }

    async fn rematch(&mut self) -> Result<(), String> {
        for chair in 0..2 {
            let wish = Command::Propose { wish: Wish::Rematch, seat: None };
            let answer = self.lines[chair].ask(wish, &mut self.known[chair]).await?;
            match answer {
                ToClient::Done { .. } => {}
                ToClient::Refused { refusal, .. } if refusal.code == Code::ProposalSame => {}
                other => return Err(format!("{other:?}")),
            }
        }
        for chair in 0..2 {
            self.lines[chair].until(&mut self.known[chair], |known| known.result.is_none()).await?;
        }
        Ok(())
    }
}
