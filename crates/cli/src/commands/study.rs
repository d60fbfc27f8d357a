//! `study`: many matches of a game and its variants, and a report.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use houserules_arena::crew;
use houserules_kernel::Rulebook;
use houserules_model::Mode;
use houserules_players::{Recipe, Registry};
use houserules_study::report::{Report, html};
use houserules_study::{Plan, Rule, RuleKind, Study, Subject};

use crate::args::{self, Sitter};
use crate::commands::worker::{self, Sent, StudyTask};
use crate::failure::Failure;
use crate::games::{self, Found, Options};
use crate::interrupt;
use crate::paint::Paint;

/// Status 1 says that it was interrupted; what is done is kept and reported.
pub fn study(out: &mut dyn Write, wanted: &args::Study) -> Result<ExitCode, Failure> {
    let found = games::find(&wanted.game)?;
    let plan = plan(&found, wanted)?;
    let folder = wanted.folder.clone().unwrap_or_else(|| {
        let name = found
            .name()
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or("game")
            .trim_end_matches(".gdl")
            .trim_end_matches(".gdf.xml")
            .trim_end_matches(".cep");
        format!("{name}-study").into()
    });
    let told = |error: io::Error| Failure::Input(format!("{} cannot be used: {error}.", folder.display()));
    std::fs::create_dir_all(&folder).map_err(told)?;
    let opened = Study::open(plan, &folder.join("matches.jsonl"));
    let mut study = opened.map_err(|error| Failure::Input(error.to_string()))?;
    let total = study.len();
    let mut progress = Progress::new(total, study.n_done());
    let each = |done| progress.tell(done);
    let run = match &wanted.bus {
        None => {
            let threads = wanted.threads.map_or_else(crew::cores, usize::from);
            let run = study.run(threads, interrupt::flag(), each);
            run.map_err(|stopped| Failure::Input(stopped.to_string()))
        }
        Some(bus) => {
            let task = task(&found, wanted, &study.plan);
            worker::hand_out_study(&mut study, task, bus, each)
        }
    };
    progress.end();
    // What was played before a fault is worth a report, too.
    let report = Report::new(&study.plan, study.summaries());
    let json = serde_json::to_string_pretty(&report)?;
    std::fs::write(folder.join("report.html"), html(&report)).map_err(told)?;
    std::fs::write(folder.join("report.json"), format!("{json}\n")).map_err(told)?;
    run?;
    if wanted.output.json {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        tell(out, &report)?;
        writeln!(out, "\nThe report: {}", folder.join("report.html").display())?;
    }
    let done = study.n_done();
    if done < total {
        let _ = writeln!(
            io::stderr(),
            "houserules: stopped after {done} of {total} matches. The same command goes on from there."
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn task(found: &Found, wanted: &args::Study, plan: &Plan) -> StudyTask {
    StudyTask {
        game: Sent::of(found),
        variants: wanted.variants.clone(),
        off: wanted.off.clone(),
        settings: wanted.settings.clone(),
        players: plan.players.iter().map(ToString::to_string).collect(),
        seed: plan.seed,
        longest: plan.longest,
        rule_matches: plan.rule_matches,
        digest: plan.digest(),
    }
}

pub fn plan(found: &Found, wanted: &args::Study) -> Result<Plan, Failure> {
    let base = Options { settings: wanted.settings.clone(), ..Options::default() };
    let mut subjects = vec![subject(found, "as it is".into(), &base)?];
    for variant in &wanted.variants {
        let options = Options { variants: vec![variant.clone()], ..base.clone() };
        subjects.push(subject(found, variant.clone(), &options)?);
    }
    for rule in &wanted.off {
        let options = Options { off: vec![rule.clone()], ..base.clone() };
        subjects.push(subject(found, format!("without “{rule}”"), &options)?);
    }
    let players = wanted.players.iter().map(|sitter| match sitter {
        Sitter::Human => {
            Err(Failure::Input("A study is for players without people, such as `random` or `level3`.".into()))
        }
        Sitter::Random => Ok(Recipe { kind: "random".into(), ..Recipe::default() }),
        Sitter::Player(recipe) => {
            // Matches are played at the same time; a player of its own on each core leaves none idle.
            let mut recipe = recipe.clone();
            recipe.settings.threads = None;
            Registry::standard().check(&recipe).map_err(|mistake| Failure::Input(mistake.to_string()))?;
            Ok(recipe)
        }
    });
    Ok(Plan {
        title: found.about(&base)?.title,
        players: players.collect::<Result<_, _>>()?,
        subjects,
        matches: wanted.matches,
        seed: wanted.seed,
        longest: wanted.longest,
        rule_matches: wanted.rule_matches,
    })
}

fn subject(found: &Found, label: String, options: &Options) -> Result<Subject, Failure> {
    let rulebook: Arc<dyn Rulebook> = Arc::from(found.compile(options)?);
    let rules = found.about(options)?.rules.into_iter().filter(|rule| rule.mode != Mode::Off).map(|rule| {
        let mut without = options.clone();
        without.off.push(rule.name.clone());
        Rule {
            kind: match rule.kind {
                houserules_model::RuleKind::Law | houserules_model::RuleKind::AfterLaw => RuleKind::Law,
                houserules_model::RuleKind::SideEffect => RuleKind::SideEffect,
            },
            without: found.compile(&without).ok().map(Arc::from),
            name: rule.name,
        }
    });
    Ok(Subject { label, rulebook, rules: rules.collect() })
}

/// Tells how far it is, now and then, where somebody looks.
struct Progress {
    total: u64,
    before: u64,
    began: Instant,
    last: Option<Instant>,
    shown: bool,
}

impl Progress {
    fn new(total: u64, before: u64) -> Self {
        Progress { total, before, began: Instant::now(), last: None, shown: io::stderr().is_terminal() }
    }

    fn tell(&mut self, done: u64) {
        if !self.shown || self.last.is_some_and(|last| last.elapsed() < Duration::from_millis(200)) {
            return;
        }
        self.last = Some(Instant::now());
        let each = self.began.elapsed().as_secs_f64() / (done - self.before).max(1) as f64;
        let left = each * self.total.saturating_sub(done) as f64;
        // Nothing can be done about a closed error stream.
        let _ = write!(io::stderr(), "\r{done} of {} matches, about {left:.0} seconds left   ", self.total);
    }

    fn end(&self) {
        if self.last.is_some() {
            let _ = write!(io::stderr(), "\r{:60}\r", "");
        }
    }
}

fn tell(out: &mut dyn Write, report: &Report) -> Result<(), Failure> {
    let paint = Paint::for_stdout();
    let Some(base) = report.subjects.first() else { return Ok(()) };
    let titles = base.figures.iter().map(|figure| figure.title.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = report.subjects.iter().map(|subject| subject.label.chars().count().max(16)).collect();
    write!(out, "{:titles$}", "")?;
    for (subject, width) in report.subjects.iter().zip(&widths) {
        write!(out, "  {}", paint.strong(&format!("{:>width$}", subject.label)))?;
    }
    writeln!(out)?;
    for figure in &base.figures {
        write!(out, "{:titles$}", figure.title)?;
        for (subject, width) in report.subjects.iter().zip(&widths) {
            let words = subject.figures.iter().find(|known| known.key == figure.key).map(|known| known.words());
            write!(out, "  {:>width$}", words.unwrap_or_else(|| "–".into()))?;
        }
        let differs = |comparison: &houserules_study::Comparison| {
            comparison.differences.iter().any(|difference| difference.key == figure.key && difference.more_than_noise)
        };
        let marked = report.comparisons.iter().any(differs);
        writeln!(out, "{}", if marked { "  *" } else { "" })?;
    }
    if !report.comparisons.is_empty() {
        writeln!(out, "{}", paint.faint("* differs from the first by more than noise"))?;
    }
    for subject in &report.subjects {
        let never: Vec<String> =
            subject.rules.iter().filter(|rule| rule.never).map(|rule| format!("“{}”", rule.name)).collect();
        if !never.is_empty() {
            writeln!(out, "{}: rules that never mattered: {}", subject.label, never.join(", "))?;
        }
    }
    for (label, findings) in report.findings().into_iter().filter(|(_, findings)| !findings.is_empty()) {
        writeln!(out, "\n{}", paint.strong(&format!("What is different, {label}:")))?;
        for finding in findings {
            writeln!(out, "  {finding}")?;
        }
    }
    Ok(())
}
