//! The message log: what the rules did at each step, told by the interpreter that follows the match.

use crate::{Defined, Event, Match};
use houserules_kernel::{Position, Who};
use houserules_machine::constant::Const;
pub use houserules_machine::walk::trace::{Traced, What as TracedWhat};
use houserules_machine::walk::trace::{What, listen};
use houserules_machine::walk::{WalkPosition, rulebook};
use houserules_machine::world::Setup;

/// Follows a match event by event and tells what the rules did.
///
/// It follows as far as it can: what is done by hand and rules changed in the middle of an action it cannot repeat, and
/// from there on it says so instead.
pub struct Tracer {
    now: Result<Point, String>,
    done: Vec<Result<Point, String>>,
    undone: Vec<Result<Point, String>>,
}

#[derive(Clone)]
struct Point {
    position: WalkPosition,
    /// What was told since the stretch of play began that a question now interrupts; going on repeats it.
    told: usize,
}

impl Tracer {
    /// From the start of a match.
    pub fn new(start: &Defined) -> Self {
        Tracer { now: begin(start), done: Vec::new(), undone: Vec::new() }
    }

    /// What an event does, asked before it happens in the match.
    pub fn follow(&mut self, now: &mut Match, event: &Event) -> Result<Vec<Traced>, String> {
        match event {
            Event::Undo(n) => {
                for _ in 0..*n {
                    if let Some(before) = self.done.pop() {
                        self.undone.push(std::mem::replace(&mut self.now, before));
                    }
                }
                Ok(Vec::new())
            }
            Event::Redo(n) => {
                for _ in 0..*n {
                    if let Some(after) = self.undone.pop() {
                        self.done.push(std::mem::replace(&mut self.now, after));
                    }
                }
                Ok(Vec::new())
            }
            Event::Note(_) | Event::Ruling(_) => Ok(Vec::new()),
            step => {
                let before = self.now.clone();
                let told = self.step(now, step);
                if let Err(reason) = &told {
                    self.now = Err(reason.clone());
                }
                self.done.push(before);
                self.undone.clear();
                told
            }
        }
    }

    fn step(&mut self, now: &mut Match, step: &Event) -> Result<Vec<Traced>, String> {
        let point = self.now.as_mut().map_err(|reason| reason.clone())?;
        match step {
            Event::Play { who, choice, overruled: false } => play(point, now.position(), *who, choice),
            Event::Play { .. } => Err("A ruling went against the rules; what they did then is not told.".into()),
            Event::Hand { .. } => Err("Something was done by hand; from there on the rules are not followed.".into()),
            Event::Change(change) => {
                // What the rules will be is known to the match; a copy of it finds out.
                let mut copy = now.running().duplicate();
                copy.change(change)?;
                let defined = copy.as_defined().ok_or("The rules of this game cannot be told.")?;
                let (definition, options) = (defined.played(), defined.options());
                let settings = settings(defined);
                let setup = options.position.as_deref().map(Setup::parse);
                let changed = point.position.change_rules(&definition, &settings, options.seats, setup.as_ref());
                point.position = changed.map_err(|_| {
                    "Rules were changed in the middle of an action; from there on they are not followed.".to_owned()
                })?;
                point.told = 0;
                Ok(Vec::new())
            }
            _ => Ok(Vec::new()),
        }
    }
}

/// The message log of a match that is being played: it follows when it is asked.
pub struct MessageLog {
    shadow: Match,
    tracer: Option<Tracer>,
    /// So many events were followed.
    at: usize,
}

impl MessageLog {
    /// Nothing is followed yet; the first time it is asked it tells everything.
    pub fn new(of: &Match) -> Self {
        let mut shadow = of.fork_at("", 0).expect("nothing has to happen");
        let tracer = shadow.running().as_defined().map(Tracer::new);
        MessageLog { shadow, tracer, at: 0 }
    }

    /// What the rules did in each event since the last time, or why that is not known.
    pub fn catch_up(&mut self, of: &Match) -> Vec<(usize, Result<Vec<Traced>, String>)> {
        let mut told = Vec::new();
        for event in &of.log()[self.at.min(of.log().len())..] {
            let heard = match &mut self.tracer {
                Some(tracer) => tracer.follow(&mut self.shadow, event),
                None => Err("This game has no rules that could be followed.".into()),
            };
            self.shadow.apply(event).expect("what has happened can happen again");
            told.push((self.at, heard));
            self.at += 1;
        }
        told
    }
}

fn begin(start: &Defined) -> Result<Point, String> {
    let options = start.options();
    let setup = options.position.as_deref().map(Setup::parse);
    let book = rulebook(&start.played(), &settings(start), options.seats, setup.as_ref())
        .map_err(|_| "The rules cannot be followed.".to_owned())?;
    let (position, heard) = listen(|| WalkPosition::begin(&book));
    Ok(Point { position: position.map_err(|error| error.to_string())?, told: since_stage(&heard) })
}

fn settings(of: &Defined) -> Vec<(String, Const)> {
    of.options().settings.iter().map(|(name, text)| (name.clone(), Const::typed(text))).collect()
}

fn play(
    point: &mut Point,
    position: &mut dyn Position,
    who: Who,
    choice: &houserules_kernel::Choice,
) -> Result<Vec<Traced>, String> {
    let lost = || "The interpreter went another way; from there on the rules are not followed.".to_owned();
    let at = position.choices(who).iter().position(|known| known == choice).ok_or_else(lost)?;
    let same = point.position.choices(who).into_iter().nth(at).ok_or_else(lost)?;
    let (played, heard) = listen(|| point.position.play(who, &same));
    played.map_err(|_| lost())?;
    point.position.forget();
    let again = point.told;
    point.told = if point.position.decision().ends_ply() { 0 } else { since_stage(&heard) };
    let new = heard.into_iter().filter(|traced| traced.what != What::Stage).collect::<Vec<_>>();
    Ok(new.into_iter().skip(again).collect())
}

/// How much was told since the last stretch of play began.
fn since_stage(heard: &[Traced]) -> usize {
    heard.iter().rev().take_while(|traced| traced.what != What::Stage).count()
}
