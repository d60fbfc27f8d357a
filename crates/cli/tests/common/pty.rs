//! A person at a terminal: the program runs in one, and what it shows is read as it comes.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

pub struct Sitting {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// Everything that was shown.
    pub shown: String,
    until: Instant,
}

impl Sitting {
    /// Starts the program on a terminal of 80 by 24 characters; it is ended when `most` has passed.
    pub fn new(args: &[&str], most: Duration) -> Sitting {
        let keyboard: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&keyboard, size).unwrap();
        let path = ptsname(&keyboard, Vec::new()).unwrap();
        let terminal = || Stdio::from(OpenOptions::new().read(true).write(true).open(path.to_str().unwrap()).unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserules"));
        command.args(args).env("TERM", "xterm").env("NO_COLOR", "1");
        let child = command.stdin(terminal()).stdout(terminal()).stderr(terminal()).spawn().unwrap();
        // It holds the other end open; while it did, the end of the program would not be seen.
        drop(command);
        let keyboard = File::from(keyboard);
        let mut eyes = keyboard.try_clone().unwrap();
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n) = eyes.read(&mut bytes) {
                if n == 0 || sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        Sitting { child, keyboard, screen, shown: String::new(), until: Instant::now() + most }
    }

    pub fn type_line(&mut self, line: &str) {
        self.keyboard.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Waits for a line to type on, and gives what was shown since the last one; none where the program has ended.
    pub fn prompt(&mut self) -> Option<String> {
        let mut since = String::new();
        loop {
            let left = self.until.saturating_duration_since(Instant::now());
            match self.screen.recv_timeout(left) {
                Ok(bytes) => {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    self.shown.push_str(&text);
                    since.push_str(&text);
                    if since.ends_with("> ") || since.ends_with(") ") && since.contains("Play again?") {
                        return Some(since);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => panic!("Nothing can be typed in time:\n{}", self.shown),
            }
        }
    }

    /// Waits for the program to end.
    pub fn end(mut self) -> (ExitStatus, String) {
        while self.prompt().is_some() {}
        (self.child.wait().unwrap(), std::mem::take(&mut self.shown))
    }
}

impl Drop for Sitting {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
