//! The message log: what the rules did at each step, told by the interpreter that follows the match.

use crate::{Changed, Defined, Event, Match, Property, Running};
use houserules_kernel::{Position, Who};
use houserules_machine::constant::Const;
pub use houserules_machine::walk::trace::{Answering, Traced, What as TracedWhat};
use houserules_machine::walk::trace::{What, listen};
use houserules_machine::walk::{WalkPosition, rulebook};
use houserules_machine::world::Setup;

/// Follows a match event by event and tells what the rules did.
///
/// It follows as far as it can: rules changed in the middle of an action and rulings against a side-effect it cannot
/// repeat, and from there on it says so instead.
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
        // What it would tell from elsewhere would be made up.
        if now.running().meaning().as_ref() != Some(&point.position.meaning()) {
            return Err(lost());
        }
        match step {
            Event::Play { who, choice, overruled } => {
                play(point, now.position(), *who, choice).map_err(|lost| match overruled {
                    true => "A ruling went against a side-effect; from there on the rules are not followed.".to_owned(),
                    false => lost,
                })
            }
            Event::Hand { entity, statements } => {
                let mut copy = defined(now)?;
                let hand = copy.hand(entity, statements)?;
                let (told, heard) = listen(|| {
                    let (settings, seats, setup) = arranged(&copy);
                    point.position.by_hand((hand.to, &hand.model), &hand.with, &settings, seats, setup.as_ref())
                });
                point.position = told.map_err(|_| "What was done by hand cannot be followed.".to_owned())?;
                point.change(&copy)?;
                Ok(done(heard))
            }
            Event::Change(change) => {
                // What the rules will be is known to the match; a copy of it finds out.
                let mut copy = defined(now)?;
                copy.change(change)?;
                point.change(&copy)?;
                Ok(Vec::new())
            }
            _ => Ok(Vec::new()),
        }
    }
}

impl Point {
    /// Goes on under the rules of a match.
    fn change(&mut self, to: &Defined) -> Result<(), String> {
        let (settings, seats, setup) = arranged(to);
        let changed = self.position.change_rules(&to.played(), &settings, seats, setup.as_ref(), to.renewed());
        self.position = changed.map_err(|_| {
            "Rules were changed in the middle of an action; from there on they are not followed.".to_owned()
        })?;
        self.told = 0;
        Ok(())
    }
}

fn defined(now: &mut Match) -> Result<Defined, String> {
    let defined = now.running().as_defined().cloned();
    defined.ok_or_else(|| "The rules of this game cannot be told.".into())
}

/// What was chosen before the match, as the interpreter wants it.
fn arranged(of: &Defined) -> (Vec<(String, Const)>, Option<u32>, Option<Setup>) {
    let options = of.options();
    let settings = options.settings.iter().map(|(name, text)| (name.clone(), Const::typed(text))).collect();
    (settings, options.seats, options.position.as_deref().map(Setup::parse))
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
        while let Some((event, heard)) = self.hear(of) {
            self.shadow.apply(event).expect(AGAIN);
            told.push((self.at, heard));
            self.at += 1;
        }
        told
    }

    /// The next event that was not followed yet: what the rules did in it, and what is not what it was.
    pub fn next(&mut self, of: &Match) -> Option<Followed> {
        let (event, heard) = self.hear(of)?;
        let changed = self.shadow.apply_telling(event).expect(AGAIN);
        self.at += 1;
        Some(Followed { at: self.at - 1, heard, changed })
    }

    fn hear<'m>(&mut self, of: &'m Match) -> Option<(&'m Event, Result<Vec<Traced>, String>)> {
        let event = of.log().get(self.at)?;
        let heard = match &mut self.tracer {
            Some(tracer) => tracer.follow(&mut self.shadow, event),
            None => Err("This game has no rules that could be followed.".into()),
        };
        Some((event, heard))
    }

    /// What things keep after what was followed.
    pub fn properties(&mut self) -> Vec<Property> {
        self.shadow.running().properties()
    }
}

/// An event that was followed.
pub struct Followed {
    pub at: usize,
    /// What the rules did, or why that is not known.
    pub heard: Result<Vec<Traced>, String>,
    pub changed: Vec<Changed>,
}

const AGAIN: &str = "what has happened can happen again";

fn begin(start: &Defined) -> Result<Point, String> {
    let (settings, seats, setup) = arranged(start);
    let book = rulebook(&start.played(), &settings, seats, setup.as_ref())
        .map_err(|_| "The rules cannot be followed.".to_owned())?;
    let (position, heard) = listen(|| WalkPosition::begin(&book));
    Ok(Point { position: position.map_err(|error| error.to_string())?, told: since_stage(&heard) })
}

fn play(
    point: &mut Point,
    position: &mut dyn Position,
    who: Who,
    choice: &houserules_kernel::Choice,
) -> Result<Vec<Traced>, String> {
    let at = position.choices(who).iter().position(|known| known == choice).ok_or_else(lost)?;
    let same = point.position.choices(who).into_iter().nth(at).ok_or_else(lost)?;
    let (played, heard) = listen(|| point.position.play(who, &same));
    played.map_err(|_| lost())?;
    point.position.forget();
    let again = point.told;
    point.told = if point.position.decision().ends_ply() { 0 } else { since_stage(&heard) };
    Ok(done(heard).into_iter().skip(again).collect())
}

fn lost() -> String {
    "The interpreter went another way; from there on the rules are not followed.".into()
}

/// What the rules did, without where a stretch of play began.
fn done(heard: Vec<Traced>) -> Vec<Traced> {
    heard.into_iter().filter(|traced| traced.what != What::Stage).collect()
}

/// How much was told since the last stretch of play began.
fn since_stage(heard: &[Traced]) -> usize {
    heard.iter().rev().take_while(|traced| traced.what != What::Stage).count()
}
