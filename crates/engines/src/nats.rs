use crate::kept::{Folder, Kept, find, free_port};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A NATS server.
pub struct Nats {
    pub port: u16,
    kept: Kept,
    folder: Folder,
}

impl Nats {
    pub fn start() -> Result<Self, String> {
        let (port, folder) = (free_port()?, Folder::new("nats")?);
        let kept = run(&folder, port)?;
        Ok(Nats { port, kept, folder })
    }

    /// Whether this computer has it.
    pub fn is_installed() -> bool {
        program().is_ok()
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Of processor time, so far.
    pub fn seconds(&self) -> f64 {
        self.kept.seconds()
    }

    pub fn stop(&mut self) {
        self.kept.stop();
    }

    /// Starts it again where it was, after it was stopped.
    pub fn again(&mut self) -> Result<(), String> {
        self.kept = run(&self.folder, self.port)?;
        Ok(())
    }
}

fn run(folder: &Folder, port: u16) -> Result<Kept, String> {
    let mut kept = Kept::start(&folder.0, None, &program()?, &["-a", "127.0.0.1", "-p", &port.to_string()])?;
    let began = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if kept.has_ended() || began.elapsed() > PATIENCE {
            let log = std::fs::read_to_string(folder.0.join("log")).unwrap_or_default();
            return Err(format!("NATS does not start: {log}"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(kept)
}

fn program() -> Result<PathBuf, String> {
    find("nats-server", &["/usr/sbin".into(), "/usr/local/bin".into()])
        .ok_or_else(|| "NATS is missing. Debian has it in `nats-server`; `cargo xtask test` installs it.".into())
}

const PATIENCE: Duration = Duration::from_secs(60);
