//! Plays one definition in all ways at once, as a seed says.

use crate::author::{Author, Written};
use crate::grammar::Grammar;
use houserules_kernel::{Decision, Generator, Position, Rulebook, Viewer, Who};
use houserules_machine::lockstep::Lockstep;
use houserules_machine::walk::met::{self, Met};
use houserules_machine::{Options, Shortcuts, compile};
use houserules_model::{Budget, Definition, Diagnostic};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A definition and how it is played.
#[derive(Clone)]
pub struct Trial {
    pub definition: Definition,
    pub seed: u64,
    /// What the machine does without.
    pub without: Shortcuts,
    /// Whether native code takes part. It takes longer to make than a match to play.
    pub natively: bool,
}

/// How a trial ended that found no difference.
#[derive(Clone, Debug)]
pub enum Ended {
    /// It cannot be compiled, or not be opened: why.
    Unplayable(String),
    Played(Played),
}

/// What was played.
#[derive(Clone, Default, Debug)]
pub struct Played {
    pub choices: u32,
    /// The forms the walker has carried out.
    pub met: Met,
    /// The shortcuts the machine has taken.
    pub taken: Shortcuts,
}

/// Choices played one by one.
const MOST_STEPS: u32 = 16;
/// So many choices are played under the same rules where rules are switched.
const SWITCH: u32 = 4;
/// The same where each may use up the whole budget.
const FEW_STEPS: u32 = 4;
/// Rules at random may well run for ever.
const BUDGET: Budget = Budget { steps: 1_000_000, depth: 300, words: 2_000_000 };
/// Where they do, less is enough to see that they are given up at the same places.
const SMALL: Budget = Budget { steps: 200_000, ..BUDGET };
/// What the machine says where a budget is used up.
const SPENT: [&str; 2] = ["This ran too long", "call each other for ever"];
/// Plies of each match played out.
const MOST_PLIES: u64 = 20;

impl Trial {
    /// The definition that an author writes by a seed, played by it; every second one without some shortcuts.
    pub fn written(grammar: &Grammar, seed: u64) -> (Written, Result<Trial, String>) {
        let written = Author::new(grammar, seed).write("definition");
        let mut random = Generator::new(seed ^ 0x5eed);
        let without = match random.below(2) {
            0 => Shortcuts::default(),
            _ => Shortcuts::of_bits(random.next() & random.next()),
        };
        let trial = Trial::of(&written.text, seed).map(|trial| Trial { without, ..trial });
        (written, trial)
    }

    /// Reads a definition; none if it cannot be read.
    pub fn of(text: &str, seed: u64) -> Result<Trial, String> {
        let loaded = houserules_gdl::read_text("random", text);
        match loaded.diagnostics.iter().find(|found| found.is_error()) {
            Some(fault) => Err(houserules_gdl::render(fault, &loaded.sources, false)),
            None => Ok(Trial { definition: loaded.definition, seed, without: Shortcuts::default(), natively: true }),
        }
    }

    /// Plays; a difference is told in words.
    pub fn run(&self) -> Result<Ended, String> {
        met::take();
        let met = RefCell::new(Met::default());
        let ran_out = || {
            let Met { forms, ran_out } = met::take();
            let mut met = met.borrow_mut();
            met.forms.extend(forms);
            met.ran_out |= ran_out;
            met.ran_out
        };
        let options = Options { without: self.without, budget: BUDGET, ..Options::default() };
        let lockstep = if self.natively { Lockstep::new } else { Lockstep::interpreted };
        let run = || {
            let lockstep = lockstep(&self.definition, &options).map_err(|faults| told(&faults))?;
            let mut choices = self.play(&lockstep, &ran_out)?;
            if self.seed.is_multiple_of(4) && !ran_out() {
                choices += self.switch(&lockstep, &options, &ran_out)?;
            }
            Ok((choices, lockstep.taken()))
        };
        let ended = catch_unwind(AssertUnwindSafe(run));
        ran_out();
        let met = met.into_inner();
        match ended {
            // Where a budget ends the walker counts for itself; interpreter and native code are still alike.
            _ if met.ran_out => self.both_run_out(),
            Ok(Ok((choices, taken))) => Ok(Ended::Played(Played { choices, met, taken })),
            Ok(Err(why)) => Ok(Ended::Unplayable(why)),
            Err(panic) => match words(panic) {
                // The machine may run out where the walker has not come to yet.
                text if SPENT.iter().any(|spent| text.contains(spent)) => self.both_run_out(),
                text => Err(text),
            },
        }
    }

    /// Plays rules that run too long in interpreter and native code, which must give up at the same places.
    fn both_run_out(&self) -> Result<Ended, String> {
        let options = Options { without: self.without, budget: SMALL, ..Options::default() };
        let game = || compile(&self.definition, &options).map_err(|faults| told(&faults));
        let (Ok(interpreted), Ok(native)) = (game(), game()) else {
            return Ok(Ended::Unplayable("The rules ran too long.".into()));
        };
        if self.natively {
            native.program().go_native();
        }
        let run = || {
            let (mut one, mut other) = match (interpreted.start(), native.start()) {
                (Ok(one), Ok(other)) => (one, other),
                (one, other) => return assert_eq!(one.err(), other.err(), "opening, which runs too long"),
            };
            let mut random = Generator::new(self.seed);
            for _ in 0..FEW_STEPS {
                let decision = one.decision();
                assert_eq!(other.decision(), decision, "who is asked, by rules that run too long");
                let Some(&who) = decision.open_to().first() else { break };
                let choices = one.choices(who);
                assert_eq!(other.choices(who), choices, "the choices of native code, by rules that run too long");
                assert_eq!(other.view(Viewer::Public), one.view(Viewer::Public), "views, by rules that run too long");
                if choices.is_empty() {
                    break;
                }
                let choice = &choices[random.below(choices.len() as u64) as usize];
                let (played, natively) = (one.play(who, choice), other.play(who, choice));
                assert_eq!(natively, played, "native code, playing by rules that run too long");
                assert_eq!(other.fingerprint(), one.fingerprint(), "native code, by rules that run too long");
                if played.is_err() {
                    break;
                }
            }
            let (mut one, mut other) = (interpreted.start().unwrap(), native.start().unwrap());
            let (mut random, mut natively) = (Generator::new(self.seed), Generator::new(self.seed));
            for most in [1, 1, FEW_STEPS as u64] {
                let (played, fast) = (one.playout(&mut random, most), other.playout(&mut natively, most));
                assert_eq!(fast, played, "native code, playing out by rules that run too long");
                assert_eq!(natively, random, "what native code draws by rules that run too long");
                assert_eq!(
                    other.fingerprint(),
                    one.fingerprint(),
                    "native code, played out by rules that run too long"
                );
            }
        };
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(()) => Ok(Ended::Unplayable("The rules ran too long.".into())),
            Err(panic) => Err(words(panic)),
        }
    }

    /// Up to the first question that takes too long.
    fn play(&self, rulebook: &Lockstep, ran_out: &dyn Fn() -> bool) -> Result<u32, String> {
        let mut position = rulebook.open().map_err(|error| error.to_string())?;
        let mut start = position.duplicate();
        let mut random = Generator::new(self.seed);
        let mut played = 0;
        for _ in 0..MOST_STEPS {
            let decision = position.decision();
            self.look(&mut *position, &decision, &mut random);
            let done = match random.below(3) {
                // By hand: what is listed must be played.
                0 => by_hand(&mut *position, &decision, &mut random),
                _ => position.play_random(&mut random).is_ok_and(|played| played),
            };
            if ran_out() {
                return Ok(played);
            }
            if !done {
                break;
            }
            played += 1;
            match random.below(16) {
                0..4 => {
                    position.undo();
                }
                4 => position.forget(),
                _ => {}
            }
        }
        for _ in 0..2 {
            assert!(position.copy_from(&*start), "a position can become another of its kind");
            if let Ok(plies) = position.playout(&mut random, MOST_PLIES) {
                played += plies as u32;
            }
            if ran_out() {
                return Ok(played);
            }
        }
        // Played from the middle of a match, too, and with more to come.
        for most in [1, 3] {
            if start.playout(&mut random, most).is_err() {
                break;
            }
        }
        Ok(played)
    }

    /// Plays on while rules are switched off and on again.
    fn switch(&self, rulebook: &Lockstep, options: &Options, ran_out: &dyn Fn() -> bool) -> Result<u32, String> {
        let mut random = Generator::new(self.seed ^ 0xc4a9e);
        let rules = self.definition.rules().map(|rule| rule.name.to_string());
        let off: Vec<String> = rules.filter(|_| random.below(3) == 0).collect();
        if off.is_empty() {
            return Ok(0);
        }
        let loose = Options { off, ..options.clone() };
        let mut position = rulebook.open().map_err(|error| error.to_string())?;
        let (mut played, mut rules) = (0, [options, &loose]);
        for step in 0..MOST_STEPS {
            if step % SWITCH == 0
                && let Some(changed) = Lockstep::changed(&*position, &self.definition, rules[1])
            {
                position = changed;
                rules.swap(0, 1);
            }
            let decision = position.decision();
            self.look(&mut *position, &decision, &mut random);
            if !position.play_random(&mut random).is_ok_and(|played| played) || ran_out() {
                break;
            }
            played += 1;
        }
        Ok(played)
    }

    fn look(&self, position: &mut dyn Position, decision: &Decision, random: &mut Generator) {
        position.view(Viewer::All);
        position.view(Viewer::Public);
        position.turn();
        position.said(Viewer::All);
        position.was_stuck();
        for who in decision.open_to() {
            let Who::Seat(seat) = who else { continue };
            position.offers(seat);
            position.view(Viewer::Seat(seat));
            position.evaluate("worth", seat);
            if let Some(mut dealt) = position.redeal(seat, &mut random.clone()) {
                dealt.choices(who);
            }
        }
    }
}

/// Plays one of the listed choices of anybody who is asked.
fn by_hand(position: &mut dyn Position, decision: &Decision, random: &mut Generator) -> bool {
    let open = decision.open_to();
    if open.is_empty() {
        return false;
    }
    let who = open[random.below(open.len() as u64) as usize];
    let choices = position.choices(who);
    if choices.is_empty() {
        return false;
    }
    let choice = &choices[random.below(choices.len() as u64) as usize];
    position.play(who, choice).is_ok()
}

fn words(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

fn told(faults: &[Diagnostic]) -> String {
    let told = faults.iter().map(|fault| {
        let label = fault.labels.first().map_or("", |label| &label.text);
        format!("{} {label} {}", fault.title, fault.hint.as_deref().unwrap_or(""))
    });
    told.collect::<Vec<_>>().join("; ")
}
