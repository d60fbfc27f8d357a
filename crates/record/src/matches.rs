use crate::event::{Note, Ruling};
use crate::fingerprint;
use crate::scribe::Scribe;
use crate::text::one_line;
use crate::{Change, Changed, Event, Fork, Head, Record, RuleState, Running, changes};
use houserules_kernel::{Choice, Decision, Fingerprint, Position, Refusal, RefusalKind, Who};

/// A match: a position, everything that led to it, and the rules in force.
///
/// # Invariants
/// - Playing the log from the start gives the same position, the fingerprint included.
/// - Undo takes back choices, changes of rules and what was done by hand, in the reverse order; redo does them again.
/// - What is refused changes nothing, the log included.
pub struct Match {
    head: Head,
    start: Box<dyn Running>,
    running: Box<dyn Running>,
    log: Vec<Event>,
    /// What is in effect: the steps of the log that were not taken back.
    done: Vec<Step>,
    /// Steps taken back, the next to redo last.
    undone: Vec<usize>,
    /// A choice that was ruled to be allowed, until something else happens.
    permit: Option<(Who, Choice)>,
    scribe: Option<Box<Scribe>>,
    /// What somebody may choose, until something happens: whoever plays asks for it several times, and where rules are only
    /// advised everything is tried under them.
    open: Option<Open>,
}

struct Open {
    who: Who,
    choices: Vec<Choice>,
    warnings: Vec<(Choice, Refusal)>,
}

struct Step {
    /// Its place in the log.
    event: usize,
    /// What was before it, where the position cannot take it back by itself.
    before: Option<Box<dyn Running>>,
}

/// Why something was not done. The match is as it was.
#[derive(Clone, PartialEq, Debug)]
pub enum Refused {
    /// A rule, or the machine, refuses it.
    Refused(Refusal),
    /// An advised rule is against it; a ruling may allow it.
    Advised(Warning),
    /// It does not fit, in words.
    Unfit(String),
}

/// What an advised rule says about a choice.
#[derive(Clone, PartialEq, Debug)]
pub struct Warning {
    pub choice: Choice,
    pub words: String,
    pub refusal: Refusal,
}

impl Warning {
    /// The name of the rule, as far as one is to blame.
    pub fn rule(&self) -> &str {
        self.refusal.law.as_deref().unwrap_or(&self.refusal.reason)
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Refused::Refused(refusal) => refusal.fmt(f),
            Refused::Advised(warning) => write!(f, "{} needs a ruling. {}", warning.words, warning.refusal),
            Refused::Unfit(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Refused {}

impl Match {
    pub fn new(mut head: Head, running: Box<dyn Running>) -> Self {
        if head.title.is_empty() {
            head.title = running.title();
        }
        let start = running.duplicate();
        Match {
            head,
            start,
            running,
            log: Vec::new(),
            done: Vec::new(),
            undone: Vec::new(),
            permit: None,
            scribe: None,
            open: None,
        }
    }

    pub fn head(&self) -> &Head {
        &self.head
    }

    pub fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }

    pub fn seats(&self) -> Vec<String> {
        self.running.seats()
    }

    pub fn look(&self) -> &dyn Position {
        self.running.look()
    }

    /// For what only looks; a choice played here would be missing from the record.
    pub fn position(&mut self) -> &mut dyn Position {
        self.running.position()
    }

    pub fn running(&mut self) -> &mut dyn Running {
        &mut *self.running
    }

    pub fn rules(&self) -> Vec<RuleState> {
        self.running.rules()
    }

    pub fn decision(&self) -> Decision {
        self.look().decision()
    }

    /// Tells positions apart by what they mean: it is the same in every version of the program.
    pub fn fingerprint(&mut self) -> Fingerprint {
        match self.running.meaning() {
            Some(meaning) => fingerprint::of(&meaning, &self.decision(), &self.stopped_by()),
            None => self.look().fingerprint(),
        }
    }

    /// The game before anything happened.
    pub fn start(&self) -> &dyn Running {
        &*self.start
    }

    /// Everything that happened, in order.
    pub fn log(&self) -> &[Event] {
        &self.log
    }

    /// The steps in effect: those of the log that were not taken back.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = &Event> + ExactSizeIterator {
        self.done.iter().map(|step| &self.log[step.event])
    }

    /// The steps taken back, the next to redo first.
    pub fn undone(&self) -> impl Iterator<Item = &Event> {
        self.undone.iter().rev().map(|&event| &self.log[event])
    }

    pub fn n_undone(&self) -> usize {
        self.undone.len()
    }

    /// The choices of seats in effect; chance and changes are no moves.
    pub fn n_moves(&self) -> usize {
        self.steps().filter(|event| matches!(event, Event::Play { who: Who::Seat(_), .. })).count()
    }

    /// What may be chosen: all that no enforced rule is against.
    pub fn choices(&mut self, who: Who) -> Vec<Choice> {
        self.open(who).choices.clone()
    }

    /// The choices that advised rules are against.
    pub fn warnings(&mut self, who: Who) -> Vec<Warning> {
        if !self.running.advises() {
            return Vec::new();
        }
        let warnings = self.open(who).warnings.clone();
        let words = |choice: &Choice| self.running.look().words(who, choice);
        warnings.into_iter().map(|(choice, refusal)| Warning { words: words(&choice), choice, refusal }).collect()
    }

    fn open(&mut self, who: Who) -> &Open {
        let known = self.open.take().filter(|open| open.who == who);
        let open = known.unwrap_or_else(|| {
            let mut choices = self.running.position().choices(who);
            let warnings = if self.running.advises() { self.running.warnings(who) } else { Vec::new() };
            for (choice, _) in &warnings {
                if !choices.contains(choice) {
                    choices.push(choice.clone());
                }
            }
            Open { who, choices, warnings }
        });
        self.open.insert(open)
    }

    pub fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refused> {
        if !self.running.advises() {
            self.running.position().play(who, choice).map_err(Refused::Refused)?;
            self.step(Event::Play { who, choice: choice.clone(), overruled: false }, None);
            return Ok(());
        }
        let warning = self.warnings(who).into_iter().find(|warning| warning.choice == *choice);
        let permitted = self.permits(who, choice);
        match warning {
            Some(warning) if !permitted => Err(Refused::Advised(warning)),
            warning => self.apply(&Event::Play { who, choice: choice.clone(), overruled: warning.is_some() }),
        }
    }

    /// Whether a ruling allows exactly this next.
    pub fn permits(&self, who: Who, choice: &Choice) -> bool {
        self.permit.as_ref().is_some_and(|(permitted, allowed)| *permitted == who && allowed == choice)
    }

    /// What was decided about a choice that an advised rule is against. Allowed, it can be played next.
    pub fn rule_on(&mut self, who: Who, choice: &Choice, allowed: bool, by: &str) -> Result<(), Refused> {
        let Some(warning) = self.warnings(who).into_iter().find(|warning| warning.choice == *choice) else {
            return Err(Refused::Unfit("No advised rule is against this; it needs no ruling.".into()));
        };
        let (rule, by) = (warning.rule().to_owned(), by.to_owned());
        self.apply(&Event::Ruling(Box::new(Ruling { who, choice: choice.clone(), allowed, by, rule })))
    }

    pub fn change(&mut self, change: Change) -> Result<(), Refused> {
        // As it will be read again.
        let change = match change {
            Change::Text(text) => Change::Text(text.replace('\r', "").trim_end().to_owned()),
            other => other,
        };
        self.apply(&Event::Change(change))
    }

    /// Statements of a referee that a thing carries out, such as `(set stones to 4)`.
    pub fn by_hand(&mut self, entity: &str, statements: &str) -> Result<(), Refused> {
        self.apply(&Event::Hand { entity: one_line(entity), statements: one_line(statements) })
    }

    pub fn note(&mut self, time: &str, by: &str, text: &str) {
        self.log.push(Event::Note(Box::new(Note { time: time.into(), by: by.into(), text: text.into() })));
    }

    /// Takes back up to `n` steps and says how many.
    pub fn undo(&mut self, n: u32) -> u32 {
        let n = n.min(u32::try_from(self.done.len()).unwrap_or(u32::MAX));
        if n > 0 {
            for _ in 0..n {
                self.undo_one();
            }
            self.permit = None;
            self.log.push(Event::Undo(n));
        }
        n
    }

    /// Does up to `n` steps again that were taken back, and says how many.
    pub fn redo(&mut self, n: u32) -> u32 {
        let mut again = 0;
        while again < n && self.redo_one() {
            again += 1;
        }
        if again > 0 {
            self.permit = None;
            self.log.push(Event::Redo(again));
        }
        again
    }

    /// Goes to where `n` steps are in effect, back or forth as far as there is something; says how many then are.
    pub fn jump(&mut self, n: usize) -> usize {
        let now = self.done.len();
        let steps = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        if n < now {
            self.undo(steps(now - n));
        } else {
            self.redo(steps(n - now));
        }
        self.done.len()
    }

    /// Does what an event says. Refused, nothing has changed.
    pub fn apply(&mut self, event: &Event) -> Result<(), Refused> {
        match event {
            Event::Undo(n) => {
                if *n as usize > self.done.len() {
                    let there = self.done.len();
                    return Err(Refused::Unfit(format!("{n} steps cannot be taken back; there are {there}.")));
                }
                self.undo(*n);
            }
            Event::Redo(n) => {
                if *n as usize > self.undone.len() {
                    let there = self.undone.len();
                    return Err(Refused::Unfit(format!("{n} steps cannot be done again; {there} were taken back.")));
                }
                self.redo(*n);
            }
            Event::Note(_) => self.log.push(event.clone()),
            Event::Ruling(ruling) => {
                self.permit = ruling.allowed.then(|| (ruling.who, ruling.choice.clone()));
                self.log.push(event.clone());
            }
            step => {
                let before = take(&mut *self.running, step)?;
                self.step(step.clone(), before);
            }
        }
        Ok(())
    }

    /// As [`Match::apply`], and tells which properties are not what they were.
    pub fn apply_telling(&mut self, event: &Event) -> Result<Vec<Changed>, Refused> {
        let before = self.running.properties();
        self.apply(event)?;
        Ok(changes(&before, &self.running.properties()))
    }

    /// The record up to now: a match that is over has its result, and the fingerprint says where it stands.
    pub fn record(&mut self) -> Record {
        let mut scribe = self
            .scribe
            .take()
            .unwrap_or_else(|| Box::new(Scribe::new(Match::new(Head::default(), self.start.duplicate()))));
        scribe.catch_up(&self.log);
        let record = Record { head: self.head.clone(), lines: scribe.ending(self) };
        self.scribe = Some(scribe);
        record
    }

    /// A match of its own that begins like this one, up to now. Its record names this one.
    pub fn fork(&self, id: &str) -> Match {
        self.fork_at(id, self.log.len()).expect("what has happened can happen again")
    }

    /// As [`Match::fork`], after the first `n` events of the log.
    pub fn fork_at(&self, id: &str, n: usize) -> Result<Match, Refused> {
        let n = n.min(self.log.len());
        let mut head = self.head.clone();
        head.forks.push(Fork { of: head.id.clone(), after: n });
        head.id = id.to_owned();
        let mut fork = Match::new(head, self.start.duplicate());
        for event in &self.log[..n] {
            fork.apply(event)?;
        }
        Ok(fork)
    }

    fn step(&mut self, event: Event, before: Option<Box<dyn Running>>) {
        self.open = None;
        self.done.push(Step { event: self.log.len(), before });
        self.log.push(event);
        self.undone.clear();
        self.permit = None;
    }

    fn undo_one(&mut self) {
        let Some(step) = self.done.pop() else { return };
        self.open = None;
        match step.before {
            Some(before) => self.running = before,
            None => {
                if !self.running.position().undo() {
                    self.again_from_the_start();
                }
            }
        }
        self.undone.push(step.event);
    }

    /// What was chosen since an action was last awaited, the last first: all that a behavior stopped in the middle knows
    /// besides what stands on the table.
    fn stopped_by(&self) -> Vec<(Who, String)> {
        let mut then = self.running.duplicate();
        let mut chosen = Vec::new();
        for (at, step) in self.done.iter().enumerate().rev() {
            if then.look().decision().ends_ply() {
                break;
            }
            match &step.before {
                Some(before) => then = before.duplicate(),
                None if then.position().undo() => {}
                None => then = self.before(at),
            }
            if let Event::Play { who, choice, .. } = &self.log[step.event] {
                chosen.push((*who, then.look().words(*who, choice)));
            }
        }
        chosen
    }

    /// The game before the step at a place among those in effect.
    fn before(&self, at: usize) -> Box<dyn Running> {
        let mut running = self.start.duplicate();
        for step in &self.done[..at] {
            take(&mut *running, &self.log[step.event]).expect("what has happened can happen again");
        }
        running
    }

    /// A position that has forgotten how to go back is reached anew.
    fn again_from_the_start(&mut self) {
        self.running = self.start.duplicate();
        let steps: Vec<usize> = std::mem::take(&mut self.done).into_iter().map(|step| step.event).collect();
        for event in steps {
            let step = self.log[event].clone();
            let before = take(&mut *self.running, &step).expect("what has happened can happen again");
            self.done.push(Step { event, before });
        }
    }

    fn redo_one(&mut self) -> bool {
        let Some(event) = self.undone.pop() else { return false };
        self.open = None;
        let step = self.log[event].clone();
        match take(&mut *self.running, &step) {
            Ok(before) => {
                self.done.push(Step { event, before });
                true
            }
            // It was taken from this very position; not to lose it is all that can be done.
            Err(_) => {
                self.undone.push(event);
                false
            }
        }
    }
}

/// Takes a step; gives what was before where the position could not take it back by itself.
fn take(running: &mut dyn Running, step: &Event) -> Result<Option<Box<dyn Running>>, Refused> {
    match step {
        Event::Play { who, choice, overruled: false } => {
            running.position().play(*who, choice).map_err(Refused::Refused)?;
            Ok(None)
        }
        Event::Play { who, choice, overruled: true } => {
            let before = running.duplicate();
            running.overrule(*who, choice).map_err(Refused::Refused)?;
            Ok(Some(before))
        }
        Event::Change(change) => {
            let before = running.duplicate();
            running.change(change).map_err(Refused::Unfit)?;
            Ok(Some(before))
        }
        Event::Hand { entity, statements } => {
            let before = running.duplicate();
            running.by_hand(entity, statements).map_err(Refused::Unfit)?;
            Ok(Some(before))
        }
        _ => Err(Refused::Unfit("This is no step.".into())),
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Refused(refusal) => refusal,
            other => Refusal { kind: RefusalKind::NotOffered, law: None, reason: other.to_string() },
        }
    }
}
