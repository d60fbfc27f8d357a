//! Studies that somebody at a table asked for: many quick matches without people, to see what a change of rules does.

use crate::{clock, from_wire};
use houserules_kernel::Rulebook;
use houserules_players::Recipe;
use houserules_protocol::study::{
    FigureRow, FigureValue, LengthRow, RuleRow, StudyPhase, StudyReport, StudyState, StudyWanted,
};
use houserules_protocol::{Code, Refusal};
use houserules_record::Defined;
use houserules_store::Token;
use houserules_study::report::{Lengths, Report};
use houserules_study::{Figure, Plan, Rule, RuleKind, Study, Subject, Summary};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// All studies under way, and those that ended lately. They are kept in memory alone.
pub struct Studies {
    known: Mutex<BTreeMap<String, Arc<Asked>>>,
    /// So many play at once; the others wait.
    turns: Arc<Semaphore>,
    lasting: Duration,
}

/// A study that somebody asked for.
struct Asked {
    id: String,
    table: String,
    words: String,
    at: u64,
    total: u32,
    done: AtomicU32,
    /// Whether its turn has come; [`Asked::ended`] says the rest.
    playing: AtomicBool,
    stop: AtomicBool,
    /// It was stopped because its time was up.
    overdue: AtomicBool,
    /// What the matches say that are played so far.
    so_far: Mutex<Option<StudyReport>>,
    ended: Mutex<Option<Ended>>,
}

struct Ended {
    phase: StudyPhase,
    why: Option<String>,
    report: Option<StudyReport>,
}

/// Ended studies beyond that are forgotten, the oldest first.
const MOST_KEPT: usize = 256;
/// So often a study says what its matches have said so far.
const TELLS: Duration = Duration::from_secs(1);
/// A match that does not end is cut.
const LONGEST: u64 = 1_000;

/// In so many matches it is looked at what each rule changes: they are played again without it, which takes longer.
const RULE_MATCHES: u64 = 20;
/// Steps in which lengths of matches are counted.
const LENGTHS: u64 = 24;

impl Studies {
    pub fn new(at_once: usize, seconds: u64) -> Self {
        let turns = Arc::new(Semaphore::new(at_once.max(1)));
        Studies { known: Mutex::default(), turns, lasting: Duration::from_secs(seconds) }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Asked>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a study of what a change does to the rules of a table. A change that does not compile is refused at once.
    pub async fn begin(
        &self,
        table: &str,
        rules: Defined,
        wanted: &StudyWanted,
        words: String,
    ) -> Result<StudyState, Refusal> {
        let level = wanted.level.map(|level| format!("level{level}"));
        let recipe: Recipe = level.as_deref().unwrap_or("random").parse().map_err(crate::fault)?;
        let (change, matches) = (wanted.change.as_ref().map(from_wire::change), wanted.matches);
        let plan = tokio::task::spawn_blocking(move || {
            let subject = |label: &str, change| {
                let rulebook: Arc<dyn Rulebook> = Arc::from(rules.rulebook(change)?);
                let rule = |(name, kind, without)| Rule { name, kind: from_model(kind), without };
                let rules = rules.without_each(change)?.into_iter().map(rule).collect();
                Ok::<_, String>(Subject { label: label.into(), rulebook, rules })
            };
            Ok::<_, String>(Plan {
                title: rules.definition().name().to_owned(),
                subjects: std::iter::once(subject("as it is", None))
                    .chain(change.iter().map(|change| subject("with the change", Some(change))))
                    .collect::<Result<_, _>>()?,
                players: vec![recipe],
                matches: u64::from(matches),
                seed: 1,
                longest: LONGEST,
                rule_matches: u64::from(matches).min(RULE_MATCHES),
            })
        });
        let plan = plan.await.map_err(crate::fault)?;
        let plan = plan.map_err(|words| match &wanted.change {
            Some(change) => from_wire::unfit(change, words),
            None => Refusal::new(Code::RuleDoesNotFit, words),
        })?;
        let study = Study::new(plan);
        let asked = Arc::new(Asked {
            id: Token::random().map_err(crate::fault)?.reveal()[..24].to_owned(),
            table: table.to_owned(),
            words,
            at: clock::now(),
            total: study.len() as u32,
            done: AtomicU32::new(0),
            playing: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            overdue: AtomicBool::new(false),
            so_far: Mutex::default(),
            ended: Mutex::default(),
        });
        {
            let mut known = self.known();
            if known.values().any(|other| other.table == table && !other.has_ended()) {
                return Err(Refusal::new(Code::StudyBusy, Code::StudyBusy.meaning()));
            }
            forget(&mut known);
            known.insert(asked.id.clone(), asked.clone());
        }
        let state = asked.state();
        tokio::spawn(play(asked, study, self.turns.clone(), self.lasting));
        Ok(state)
    }

    fn find(&self, table: &str, study: &str) -> Result<Arc<Asked>, Refusal> {
        let found = self.known().get(study).filter(|asked| asked.table == table).cloned();
        found.ok_or_else(|| Refusal::new(Code::StudyUnknown, Code::StudyUnknown.meaning()))
    }

    pub fn state(&self, table: &str, study: &str) -> Result<StudyState, Refusal> {
        Ok(self.find(table, study)?.state())
    }

    /// Stops a study; what was played until then is reported.
    pub fn stop(&self, table: &str, study: &str) -> Result<(), Refusal> {
        self.find(table, study)?.stop();
        Ok(())
    }

    /// Of a table that is deleted nothing stays.
    pub fn forget(&self, table: &str) {
        self.known().retain(|_, asked| {
            if asked.table == table {
                asked.stop();
            }
            asked.table != table
        });
    }

    pub fn close(&self) {
        self.known().values().for_each(|asked| asked.stop());
    }
}

fn forget(known: &mut BTreeMap<String, Arc<Asked>>) {
    while known.len() >= MOST_KEPT {
        let oldest = known.values().filter(|asked| asked.has_ended()).min_by_key(|asked| asked.at);
        let Some(oldest) = oldest.map(|asked| asked.id.clone()) else { return };
        known.remove(&oldest);
    }
}

impl Asked {
    fn ended(&self) -> MutexGuard<'_, Option<Ended>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn so_far(&self) -> MutexGuard<'_, Option<StudyReport>> {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_ended(&self) -> bool {
        self.ended().is_some()
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn state(&self) -> StudyState {
        let ended = self.ended();
        let phase = match &*ended {
            Some(ended) => ended.phase,
            None if self.playing.load(Ordering::Relaxed) => StudyPhase::Playing,
            None => StudyPhase::Waiting,
        };
        StudyState {
            study: self.id.clone(),
            words: self.words.clone(),
            phase,
            done: self.done.load(Ordering::Relaxed),
            total: self.total,
            why: ended.as_ref().and_then(|ended| ended.why.clone()),
            report: ended.as_ref().map_or_else(|| self.so_far().clone(), |ended| ended.report.clone()),
        }
    }
}

async fn play(asked: Arc<Asked>, mut study: Study, turns: Arc<Semaphore>, lasting: Duration) {
    // The semaphore is never closed.
    let Ok(permit) = turns.acquire_owned().await else { return };
    asked.playing.store(true, Ordering::Relaxed);
    let playing = asked.clone();
    let played = tokio::task::spawn_blocking(move || {
        let began = Instant::now();
        // One thread: people at tables must not wait for a study.
        let run = loop {
            let (pause, paused) = (AtomicBool::new(false), Instant::now());
            let run = study.run(1, &pause, |done| {
                playing.done.store(done as u32, Ordering::Relaxed);
                if began.elapsed() > lasting {
                    playing.overdue.store(true, Ordering::Relaxed);
                    playing.stop();
                }
                if paused.elapsed() > TELLS || playing.stop.load(Ordering::Relaxed) {
                    pause.store(true, Ordering::Relaxed);
                }
            });
            if run.is_err() || playing.stop.load(Ordering::Relaxed) || study.n_done() == study.len() {
                break run;
            }
            *playing.so_far() = told(&Report::new(&study.plan, study.summaries()));
        };
        let report = Report::new(&study.plan, study.summaries());
        (run.map_err(|stopped| stopped.to_string()), told(&report), study.n_done() == study.len())
    });
    let ended = match played.await {
        Ok((Err(why), report, _)) => Ended { phase: StudyPhase::Failed, why: Some(why), report },
        Ok((Ok(()), report, true)) => Ended { phase: StudyPhase::Done, why: None, report },
        Ok((Ok(()), report, false)) => {
            let why = match asked.overdue.load(Ordering::Relaxed) {
                true => format!("A study may take {} seconds.", lasting.as_secs()),
                false => "It was stopped.".to_owned(),
            };
            Ended { phase: StudyPhase::Stopped, why: Some(why), report }
        }
        // A mistake of ours costs this study alone.
        Err(error) => {
            let refusal = crate::fault(error);
            Ended { phase: StudyPhase::Failed, why: Some(refusal.words), report: None }
        }
    };
    *asked.ended() = Some(ended);
    drop(permit);
}

fn from_model(kind: houserules_model::RuleKind) -> RuleKind {
    match kind {
        houserules_model::RuleKind::Law | houserules_model::RuleKind::AfterLaw => RuleKind::Law,
        houserules_model::RuleKind::SideEffect => RuleKind::SideEffect,
    }
}

/// What the matches say; none where some kind of them was not played at all.
fn told(report: &Report) -> Option<StudyReport> {
    let (now, changed) = match report.subjects.as_slice() {
        [now, changed] if changed.matches > 0 => (now, Some(changed)),
        [now] => (now, None),
        _ => return None,
    };
    if now.matches == 0 {
        return None;
    }
    let value = |figure: &Figure| FigureValue { mean: figure.mean, error: figure.error(), words: figure.words() };
    let differences =
        report.comparisons.first().map(|comparison| comparison.differences.as_slice()).unwrap_or_default();
    let row = |figure: &Figure| {
        let other = changed.unwrap_or(now).figures.iter().find(|other| other.key == figure.key)?;
        let differs = differences.iter().any(|known| known.key == figure.key && known.more_than_noise);
        let (key, title) = (figure.key.clone(), figure.title.clone());
        Some(FigureRow { key, title, now: value(figure), changed: value(other), differs })
    };
    let length = |step: Lengths| LengthRow {
        from: step.from as u32,
        to: step.to as u32,
        now: step.matches[0] as u32,
        changed: step.matches.get(1).copied().unwrap_or(step.matches[0]) as u32,
    };
    let mattered = |summary: &Summary, name: &str| {
        let rule = summary.rules.iter().find(|rule| rule.name == name)?;
        rule.mattered.as_ref().map(|mattered| mattered.mean)
    };
    // Without a change it is twice the same.
    let other = changed.unwrap_or(now);
    let mut names: Vec<&str> = Vec::new();
    for rule in now.rules.iter().chain(&other.rules) {
        if !names.contains(&&*rule.name) {
            names.push(&rule.name);
        }
    }
    let rule = |name: &str| RuleRow { rule: name.to_owned(), now: mattered(now, name), changed: mattered(other, name) };
    Some(StudyReport {
        lengths: report.lengths(LENGTHS).into_iter().map(length).collect(),
        rules: names.into_iter().map(rule).filter(|row| row.now.is_some() || row.changed.is_some()).collect(),
        rule_matches: now.rule_matches.min(other.rule_matches) as u32,
        matches_now: now.matches as u32,
        matches_changed: changed.map_or(0, |changed| changed.matches as u32),
        players: report.players.join(", "),
        verdict: report.verdicts().concat(),
        findings: report.findings().into_iter().flat_map(|(_, findings)| findings).collect(),
        figures: now.figures.iter().filter_map(row).collect(),
    })
}
