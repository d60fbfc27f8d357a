//! The server as a program: started, copied, told to stop.

mod common;

use common::run;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A folder that is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("houserules-serve-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server that runs until it is dropped.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(data: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_houserules"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data", data])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(',').next());
        Served { address: address.unwrap_or_else(|| panic!("it said: {line}")).to_owned(), child }
    }

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, token: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: {length}\r\n\r\n{body}",
            self.address
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    /// A table of nim, and the host's token.
    fn open(&self) -> (String, String) {
        let (status, body) = self.ask("POST", "/api/tables", "", r#"{"game":"nim"}"#);
        assert_eq!(status, 201, "{body}");
        let opened: serde_json::Value = serde_json::from_str(&body).unwrap();
        (opened["table"].as_str().unwrap().to_owned(), opened["host"].as_str().unwrap().to_owned())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A copy is made while the server runs, and is as good as what it was made of.
#[test]
fn a_copy_of_all_tables_is_made_while_they_are_played() {
    let folder = Folder::new("copy");
    let (data, copy) = (folder.file("tables.db"), folder.file("copy.db"));
    let served = Served::start(&data);
    let (table, host) = served.open();
    let copied = run(&["serve", "--data", &data, "--backup", &copy], "");
    assert_eq!((copied.status, copied.err.as_str()), (0, ""));
    assert_eq!(copied.out, format!("All that is kept in {data} is now in {copy}, too.\n"));
    let later = served.open();
    let again = run(&["serve", "--data", &data, "--backup", &copy], "");
    assert!(again.status != 0 && again.err.contains("is there already; a copy needs a new name."), "{}", again.err);
    let missing = run(&["serve", "--data", &folder.file("no.db"), "--backup", &folder.file("x.db")], "");
    assert!(missing.status != 0 && missing.err.contains("There is no file"), "{}", missing.err);
    drop(served);
    let served = Served::start(&copy);
    let info = |(table, host): &(String, String)| served.ask("GET", &format!("/api/tables/{table}"), host, "");
    let (status, body) = info(&(table, host));
    assert!(status == 200 && body.contains("\"game\":\"nim\""), "{status} {body}");
    assert_eq!(info(&later).0, 401, "opened after the copy was made");
}

#[cfg(unix)]
#[test]
fn a_server_that_is_told_to_stop_ends_in_good_order() {
    let folder = Folder::new("stop");
    let mut served = Served::start(&folder.file("tables.db"));
    served.open();
    let told = Command::new("kill").args(["-TERM", &served.child.id().to_string()]).status();
    assert!(told.is_ok_and(|status| status.success()));
    assert!(served.child.wait().unwrap().success());
    assert!(Path::new(&folder.file("tables.db")).exists());
}

#[test]
fn limits_that_cannot_be_read_are_told_with_their_place() {
    let folder = Folder::new("limits");
    let file = folder.file("limits.toml");
    std::fs::write(&file, "tables = 10\nchairs = 4\n").unwrap();
    let ran = run(&["serve", "--listen", "127.0.0.1:0", "--data", &folder.file("t.db"), "--limits", &file], "");
    assert!(ran.status != 0, "{}", ran.out);
    assert!(ran.err.contains("limits.toml") && ran.err.contains("line 2") && ran.err.contains("chairs"), "{}", ran.err);
}
