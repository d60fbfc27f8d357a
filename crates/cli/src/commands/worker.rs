//! `worker`: plays matches and thinks for others, over a bus; and the other side of it, for whoever has matches to be played.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use houserules_arena::{Arena, MatchFile, Meeting, crew};
use houserules_bus::handing::{self, Notice, WORKER, Work};
use houserules_bus::{Nats, Station, random_id};
use houserules_players::Registry;
use houserules_study::Sample;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::args;
use crate::commands::{matches, study};
use crate::failure::Failure;
use crate::games::{self, Found};
use crate::interrupt;

/// What jobs are about. What it says must be enough to play the same matches on another computer.
#[derive(Serialize, Deserialize)]
pub enum Task {
    Study(StudyTask),
    Tournament(TournamentTask),
}

#[derive(Serialize, Deserialize)]
pub struct StudyTask {
    pub game: Sent,
    pub variants: Vec<String>,
    pub off: Vec<String>,
    pub settings: Vec<(String, String)>,
    pub players: Vec<String>,
    pub seed: u64,
    pub longest: u64,
    pub rule_matches: u64,
    /// Of the plan: whoever comes to another one plays another game.
    pub digest: String,
}

#[derive(Serialize, Deserialize)]
pub struct TournamentTask {
    pub game: Sent,
    /// The match file, and how it is called in messages.
    pub text: String,
    pub file: String,
    pub digest: String,
}

/// A game: by its name in the library, or all its files.
#[derive(Serialize, Deserialize)]
pub struct Sent {
    pub name: String,
    pub files: Vec<(String, String)>,
}

impl Sent {
    pub fn of(found: &Found) -> Self {
        let name = found.name().to_owned();
        let files = if found.is_of_library() { Vec::new() } else { found.sources() };
        Sent { name, files }
    }

    fn found(&self) -> Result<Found, String> {
        match self.files.is_empty() {
            true => games::find(&self.name),
            false => Ok(games::enclosed(&self.name, &self.files)),
        }
    }
}

const OTHER_VERSION: &str = "Here the game is another one; both programs must be of the same version.";

/// What a match came to, or why it could not be played.
type Done<T> = Result<T, String>;

/// Works until it is told to stop. Whatever it has not finished then is done by others.
pub fn worker(out: &mut dyn Write, wanted: &args::Worker) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let threads = wanted.threads.map_or_else(crew::cores, usize::from);
    runtime.block_on(async {
        let (station, calls) = station(&wanted.bus, WORKER).await?;
        writeln!(out, "Working for whoever asks on the bus, {threads} at the same time. Ctrl-C ends.")?;
        out.flush()?;
        let stop = interrupt::flag();
        let stopped = async {
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(LOOK).await;
            }
        };
        tokio::select! {
            () = handing::work(calls, threads, Arc::new(make)) => {}
            () = stopped => {}
        }
        station.leave();
        // The farewell goes out.
        tokio::time::sleep(LOOK).await;
        Ok(())
    })
}

const LOOK: Duration = Duration::from_millis(100);

async fn station(
    bus: &str,
    kind: &str,
) -> Result<(Arc<Station>, tokio::sync::mpsc::Receiver<houserules_bus::Call>), Failure> {
    let told = |error: houserules_bus::Away| Failure::Input(error.to_string());
    let bus = Arc::new(Nats::connect(bus).await.map_err(told)?);
    let id = format!("{kind}{}", random_id().map_err(Failure::Input)?);
    Station::start(bus, &id).await.map_err(told)
}

/// What is to be done, by what was said of it.
fn make(head: &[u8]) -> Result<Work, String> {
    if head == houserules_server::THINK {
        return Ok(Arc::new(houserules_server::answer));
    }
    let task: Task = serde_json::from_slice(head).map_err(|error| format!("This is no work known here: {error}."))?;
    match task {
        Task::Study(task) => {
            let found = task.game.found()?;
            let players = task.players.iter().map(|player| player.parse()).collect::<Result<_, _>>()?;
            let wanted = args::Study { players, ..args::Study::of(&task) };
            let plan = study::plan(&found, &wanted).map_err(|failure| match failure {
                Failure::Input(words) => words,
                Failure::Output(error) => error.to_string(),
            })?;
            if plan.digest() != task.digest {
                return Err(OTHER_VERSION.into());
            }
            Ok(work(move |(subject, number): (usize, u64)| {
                if subject >= plan.subjects.len() {
                    return Err("There is no such subject.".to_owned());
                }
                houserules_study::play(&plan, subject, number).map_err(|stopped| stopped.to_string())
            }))
        }
        Task::Tournament(task) => {
            let registry = Registry::standard();
            let found = task.game.found()?;
            let file = MatchFile::parse(&task.file, &task.text, &registry).map_err(|fault| fault.to_string())?;
            let arena = found.arena(matches::as_tournament(file), registry).map_err(|fault| fault.to_string())?;
            if arena.rulebook.digest() != task.digest {
                return Err(OTHER_VERSION.into());
            }
            Ok(work(move |(number, seats): (usize, Vec<usize>)| {
                houserules_arena::play(&arena, number, seats).map_err(|refusal| refusal.to_string())
            }))
        }
    }
}

/// A job and its result in JSON.
fn work<J: DeserializeOwned, T: Serialize>(play: impl Fn(J) -> Done<T> + Send + Sync + 'static) -> Work {
    Arc::new(move |job, _| {
        let job = serde_json::from_slice(job).map_err(|error| error.to_string());
        let done: Done<T> = job.and_then(&play);
        serde_json::to_vec(&done).unwrap_or_default()
    })
}

/// Hands out the matches of a study that are not played yet.
pub fn hand_out_study(
    study: &mut houserules_study::Study,
    task: StudyTask,
    bus: &str,
    mut each: impl FnMut(u64),
) -> Result<(), Failure> {
    let (jobs, mut n_done) = (study.left(), study.n_done());
    hand_out(bus, &Task::Study(task), jobs, |sample: Sample| {
        study.add(sample).map_err(|stopped| Failure::Input(stopped.to_string()))?;
        n_done += 1;
        each(n_done);
        Ok(())
    })
}

pub fn hand_out_tournament(
    tournament: &mut houserules_arena::Tournament,
    arena: &Arena,
    task: (Sent, String),
    bus: &str,
    mut each: impl FnMut(),
) -> Result<(), Failure> {
    let (game, text) = task;
    let (file, digest) = (arena.file.file.clone(), arena.rulebook.digest());
    let task = Task::Tournament(TournamentTask { game, text, file, digest });
    hand_out(bus, &task, tournament.left().into_iter(), |meeting: Meeting| {
        tournament.add(meeting).map_err(|stopped| Failure::Input(stopped.to_string()))?;
        each();
        Ok(())
    })
}

fn hand_out<J: Serialize, T: DeserializeOwned>(
    bus: &str,
    task: &Task,
    jobs: impl Iterator<Item = J>,
    mut each: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let task = serde_json::to_vec(task)?;
    runtime.block_on(async {
        let (station, _calls) = station(bus, "study.").await?;
        let jobs = jobs.map(|job| Bytes::from(serde_json::to_vec(&job).expect("jobs are plain values")));
        let (is_waited_for, began) = (AtomicBool::new(true), Instant::now());
        let taken = |result: Bytes| {
            let done: Done<T> = serde_json::from_slice(&result)
                .map_err(|error| Failure::Input(format!("A worker gave back what cannot be read: {error}.")))?;
            each(done.map_err(Failure::Input)?)
        };
        let handed = handing::hand_out(&station, &task, jobs, interrupt::flag(), taken, |notice| {
            is_waited_for.store(false, Ordering::Relaxed);
            tell(&notice);
        });
        let lonely = async {
            tokio::time::sleep(PATIENCE).await;
            if is_waited_for.load(Ordering::Relaxed) {
                say(&format!(
                    "nobody has come to work after {:.0} seconds; `houserules worker --bus ADDRESS` does, on any computer.",
                    began.elapsed().as_secs_f64()
                ));
            }
            std::future::pending::<()>().await;
        };
        let done = tokio::select! {
            done = handed => done,
            () = lonely => unreachable!("it waits for ever"),
        };
        station.leave();
        tokio::time::sleep(LOOK).await;
        done
    })
}

/// Who has matches to hand out waits so long before wondering.
const PATIENCE: Duration = Duration::from_secs(5);

fn tell(notice: &Notice) {
    match notice {
        Notice::Came(worker) => say(&format!("{worker} works.")),
        Notice::Left { worker, jobs } => say(&format!("{worker} has gone; its {jobs} matches are handed out again.")),
        Notice::Refused { worker, why } => say(&format!("{worker} does not work: {why}")),
    }
}

fn say(words: &str) {
    // Nothing can be done about a closed error stream.
    let _ = writeln!(io::stderr(), "houserules: {words}");
}
