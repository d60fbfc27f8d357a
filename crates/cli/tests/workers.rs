//! Matches that are handed out to other processes, and what is found in them.

use houserules_engines::Nats;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("houserules-workers-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Ended with the test, however that ends.
struct Worker(Child);

impl Worker {
    fn start(bus: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserules"));
        command.args(["worker", "--threads", "1", "--bus", bus]).stdout(Stdio::null()).stderr(Stdio::null());
        Worker(command.spawn().unwrap())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn houserules(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserules"));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn lines(file: &Path) -> usize {
    std::fs::read_to_string(file).map_or(0, |text| text.lines().count())
}

/// Three work, two of them are killed in the middle of it: every match counts once, and the report is the same to the last byte.
#[test]
fn a_study_of_workers_that_die_says_what_one_process_says() {
    let (folder, nats) = (Folder::new("study"), Nats::start().unwrap());
    let (alone, shared) = (folder.0.join("alone"), folder.0.join("shared"));
    let said = ["study", "tic-tac-toe", "--matches", "400", "--variant", "misere", "--players", "level2,random"];
    let (alone_name, shared_name, bus) = (alone.display().to_string(), shared.display().to_string(), nats.url());
    let done = houserules(&said).args(["--out", &alone_name]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut workers = [Worker::start(&bus), Worker::start(&bus), Worker::start(&bus)];
    let study = houserules(&said).args(["--out", &shared_name, "--bus", &bus]).spawn().unwrap();
    let journal = shared.join("matches.jsonl");
    for (at, worker) in workers.iter_mut().take(2).enumerate() {
        let began = Instant::now();
        while lines(&journal) < 50 * (at + 1) && began.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(Duration::from_millis(2));
        }
        worker.0.kill().unwrap();
    }
    let done = study.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && told.contains("has gone"), "{told}");
    let read = |folder: &Path, file: &str| std::fs::read(folder.join(file)).unwrap();
    assert!(read(&alone, "report.json") == read(&shared, "report.json"), "the reports differ");
    let mut numbers: Vec<String> = String::from_utf8(read(&shared, "matches.jsonl"))
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| line.split("\"points\"").next().unwrap().to_owned())
        .collect();
    let n = numbers.len();
    numbers.sort();
    numbers.dedup();
    assert_eq!((n, numbers.len()), (800, 800), "every match counts once");
}

/// A definition that lies on one computer alone is sent along, and so are the players of a tournament.
#[test]
fn a_tournament_with_a_game_of_ones_own_is_handed_out() {
    let (folder, nats) = (Folder::new("cup"), Nats::start().unwrap());
    let game = "#game \"Toy\"\n#players \"A\" \"B\"\n#turns\n#model cell\n  #property mark\n#board cell grid 3 3\n\
        #action place to cell\n  (set mark to player)\n#law \"Only empty cells\" on place\n  (require (not mark))\n\
        #sideeffect \"A line of marks wins\" on place\n  (if (line 3 of mark) (win player))\n";
    std::fs::write(folder.0.join("toy.gdl"), game).unwrap();
    let cup = "game = \"toy.gdl\"\nmatches = 20\nlongest = 50\n[[player]]\nplays = \"random\"\n[[player]]\nplays = \"greedy\"\n";
    let file = folder.0.join("cup.toml");
    std::fs::write(&file, cup).unwrap();
    let (file, bus) = (file.display().to_string(), nats.url());
    let result = |more: &[&str]| {
        let results = folder.0.join(format!("{}.jsonl", more.len())).display().to_string();
        let done = houserules(&["tournament", &file, "--json", "--results", &results]).args(more).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    let alone = result(&[]);
    let _worker = Worker::start(&bus);
    assert_eq!(result(&["--bus", &bus]), alone);
}
