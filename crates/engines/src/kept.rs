//! A process that ends with whoever started it.

use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Somebody who runs a program and stops it when told to, or when nobody is there any more who could tell.
pub struct Kept {
    shell: Child,
}

/// What the program gets beside `$1`, the folder: everything from `$2` on. Told `keep`, or not told anything before the pipe is
/// closed: then the folder goes, too, because nobody else is left who would.
const SHELL: &str = r#"folder=$1; shift; "$@" >>"$folder/log" 2>&1 & running=$!
read -r word || word=gone
kill -INT "$running" 2>/dev/null; wait "$running"
[ "$word" = keep ] || rm -rf "$folder""#;

impl Kept {
    pub fn start(folder: &Path, user: Option<u32>, program: &Path, args: &[&str]) -> Result<Self, String> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(SHELL).arg("kept").arg(folder).arg(program).args(args);
        // Ctrl-C at a terminal goes to whoever started this, not past it.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        as_user(&mut command, user);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let shell = command.spawn().map_err(|error| format!("{} cannot be started: {error}.", program.display()))?;
        Ok(Kept { shell })
    }

    /// Seconds of processor time of the program and all it has started.
    pub fn seconds(&self) -> f64 {
        let mut all = vec![self.shell.id()];
        let mut at = 0;
        while let Some(&process) = all.get(at) {
            let children = format!("/proc/{process}/task/{process}/children");
            let known = std::fs::read_to_string(children).unwrap_or_default();
            all.extend(known.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
            at += 1;
        }
        all.into_iter().map(seconds_of).sum()
    }

    pub fn has_ended(&mut self) -> bool {
        self.shell.try_wait().is_ok_and(|ended| ended.is_some())
    }

    /// Until it has stopped. What it kept in its folder stays.
    pub fn stop(&mut self) {
        if let Some(mut told) = self.shell.stdin.take() {
            // Whoever has ended already needs not be told.
            let _ = told.write_all(b"keep\n");
        }
        let _ = self.shell.wait();
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Of one process, and of those it has waited for.
fn seconds_of(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (11..15).map(ticks).sum::<f64>() / 100.0
}

pub fn as_user(command: &mut Command, user: Option<u32>) {
    if let Some(user) = user {
        std::os::unix::process::CommandExt::uid(command, user);
    }
}

/// A folder that is gone afterwards.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Result<Self, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("houserules-{name}-{}-{number}", std::process::id()));
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

/// A port that nobody has at the moment.
pub fn free_port() -> Result<u16, String> {
    let port = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).and_then(|listener| listener.local_addr());
    port.map(|address| address.port()).map_err(|error| format!("There is no free port: {error}."))
}

/// A program by its name in the places where programs are.
pub fn find(name: &str, places: &[PathBuf]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = places.iter().cloned().chain(std::env::split_paths(&path));
    all.map(|place| place.join(name)).find(|program| program.is_file())
}
