use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use houserules_arena::crew;
use houserules_arena::journal::{Journal, JournalError};
use houserules_kernel::Refusal;

use crate::examine::{Sample, examine};
use crate::plan::Plan;
use crate::summary::{Summary, summarize};

/// A study under way: what is done, and the journal that keeps it.
pub struct Study {
    pub plan: Plan,
    samples: Vec<Sample>,
    /// None: what is played is kept in memory alone.
    journal: Option<Journal>,
}

/// Why a study stopped.
#[derive(Debug)]
pub enum Stopped {
    Journal(JournalError),
    /// A rule of the game has a fault.
    Fault {
        label: String,
        number: u64,
        refusal: Refusal,
    },
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Stopped::Journal(error) => error.fmt(f),
            Stopped::Fault { label, number, refusal } => write!(f, "Match {} of “{label}”: {refusal}", number + 1),
        }
    }
}

impl std::error::Error for Stopped {}

/// Plays one match of a subject: it follows from the plan and its number, wherever it is played.
pub fn play(plan: &Plan, subject: usize, number: u64) -> Result<Sample, Stopped> {
    let label = || plan.subjects[subject].label.clone();
    examine(plan, subject, number).map_err(|refusal| Stopped::Fault { label: label(), number, refusal })
}

fn add(samples: &mut Vec<Sample>, journal: &mut Option<Journal>, sample: Sample) -> Result<(), Stopped> {
    if let Some(journal) = journal {
        journal.add(&sample).map_err(Stopped::Journal)?;
    }
    samples.push(sample);
    Ok(())
}

impl Study {
    /// Without a journal: what is played is gone with it.
    pub fn new(plan: Plan) -> Study {
        Study { plan, samples: Vec::new(), journal: None }
    }

    /// Goes on where the journal stops; a journal of another study is refused.
    pub fn open(plan: Plan, journal: &Path) -> Result<Study, JournalError> {
        let head = format!("{{\"study\":\"{}\"}}", plan.digest());
        let (journal, samples) = Journal::open::<Sample>(journal, &head)?;
        Ok(Study { plan, samples, journal: Some(journal) })
    }

    /// Matches in all.
    pub fn len(&self) -> u64 {
        self.plan.matches * self.plan.subjects.len() as u64
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Matches that are done, of those that are wanted.
    pub fn n_done(&self) -> u64 {
        self.samples.iter().filter(|sample| sample.number < self.plan.matches).count() as u64
    }

    /// Plays what is not played yet, until `stop`; those under way then are finished and kept. `each` is told after every
    /// match how many are done.
    pub fn run(&mut self, n_threads: usize, stop: &AtomicBool, mut each: impl FnMut(u64)) -> Result<(), Stopped> {
        let jobs = self.left();
        let mut n_done = self.n_done();
        let (plan, samples, journal) = (&self.plan, &mut self.samples, &mut self.journal);
        let work = |(subject, number)| play(plan, subject, number);
        crew::run(jobs, n_threads, stop, work, |sample| {
            add(samples, journal, sample?)?;
            n_done += 1;
            each(n_done);
            Ok(())
        })
    }

    /// What is not played yet: a subject, and which of its matches.
    pub fn left(&self) -> impl Iterator<Item = (usize, u64)> + Send + use<> {
        let done: BTreeSet<(usize, u64)> = self.samples.iter().map(|sample| (sample.subject, sample.number)).collect();
        let (matches, subjects) = (self.plan.matches, self.plan.subjects.len());
        // Variants in turn, so that what an interrupted study has of each is about the same.
        let jobs = (0..matches).flat_map(move |number| (0..subjects).map(move |subject| (subject, number)));
        jobs.filter(move |job| !done.contains(job))
    }

    /// A match that was played elsewhere.
    pub fn add(&mut self, sample: Sample) -> Result<(), Stopped> {
        add(&mut self.samples, &mut self.journal, sample)
    }

    /// What the matches say, subject by subject.
    pub fn summaries(&self) -> Vec<Summary> {
        let mut samples: Vec<Sample> =
            self.samples.iter().filter(|sample| sample.number < self.plan.matches).cloned().collect();
        // In the order of their numbers, because sums of fractions depend on it and threads do not keep it.
        samples.sort_by_key(|sample| (sample.subject, sample.number));
        (0..self.plan.subjects.len()).map(|subject| summarize(&self.plan, subject, &samples)).collect()
    }
}
