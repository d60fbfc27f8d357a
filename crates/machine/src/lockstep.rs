//! The tree-walker, the interpreted machine and native code side by side: one position made of three, each move made
//! in all of them.
//!
//! The walker is the meaning. Whatever they say differently stops with the difference, so a test that plays through
//! this plays for every way to run a game.

mod random;

use crate::constant::Const;
use crate::game::{Game, Options, compile};
use crate::position::MachinePosition;
use crate::shortcut::Shortcuts;
use crate::walk::{self, WalkPosition, WalkRulebook};
use crate::world::Setup;
use houserules_kernel::{
    Choice, Decision, Fingerprint, Generator, Offer, OpenError, Position, QuestionKind, Refusal, RefusalKind, Rulebook,
    SeatId, ThingId, View, Viewer, Who,
};
use houserules_model::{Definition, Diagnostic};

/// A rulebook whose positions are played three times.
pub struct Lockstep {
    walk: WalkRulebook,
    machine: Game,
    native: Game,
}

#[derive(Clone)]
struct All {
    walk: WalkPosition,
    machine: MachinePosition,
    /// The same machine with native code from the start; even its fingerprints are the same.
    native: MachinePosition,
}

impl Lockstep {
    pub fn new(definition: &Definition, options: &Options) -> Result<Lockstep, Vec<Diagnostic>> {
        let lockstep = Lockstep::interpreted(definition, options)?;
        lockstep.native.program().go_native();
        Ok(lockstep)
    }

    /// The same with the interpreter in the place of native code, which takes longer to make than a short match to play.
    pub fn interpreted(definition: &Definition, options: &Options) -> Result<Lockstep, Vec<Diagnostic>> {
        // What is kept is found anew at every step: a match may be played to its end on something that is wrong.
        let checked = Options { checked: true, ..options.clone() };
        let (machine, native) = (compile(definition, &checked)?, compile(definition, &checked)?);
        Ok(Lockstep { walk: walked(definition, options)?, machine, native })
    }
}

/// The walker's rulebook.
fn walked(definition: &Definition, options: &Options) -> Result<WalkRulebook, Vec<Diagnostic>> {
    let arranged = crate::game::arrange(definition, options)?;
    let settings: Vec<(String, Const)> =
        options.settings.iter().map(|(name, text)| (name.clone(), Const::typed(text))).collect();
    let setup = options.position.as_deref().map(Setup::parse);
    walk::rulebook_within(options.budget, &arranged, &settings, options.seats, setup.as_ref())
}

impl Lockstep {
    /// A position under other rules, compiled for it as in a match; none where they cannot be, where they do not fit, in
    /// the middle of an action, and where they ask for earlier positions, of which it only has names.
    pub fn changed(position: &dyn Position, definition: &Definition, options: &Options) -> Option<Box<dyn Position>> {
        let All { walk, machine, native } = position.as_any()?.downcast_ref::<All>()?;
        if machine.is_running() || machine.machine.question.is_some() {
            return None;
        }
        let rulebook = walked(definition, options).ok()?;
        let carried = |position: &MachinePosition, natively: bool| {
            let game = position.compile_change(definition, options).ok()?;
            if natively {
                game.program().go_native();
            }
            game.program().history.is_none().then(|| position.adopted(game.program(), &[], None))
        };
        let (machine, native) = (carried(machine, false)?, carried(native, native.program.native().is_some())?);
        match (walk.adopt(rulebook, &[]), machine, native) {
            (Ok(walk), Ok(mut machine), Ok(native)) => {
                assert_eq!(walk.meaning(), machine.meaning(), "under changed rules");
                assert_eq!(native.fingerprint(), machine.fingerprint(), "native code under changed rules");
                let mut changed = All { walk, machine, native };
                changed.forget();
                Some(Box::new(changed))
            }
            (Err(_), Err(_), Err(_)) => None,
            (walk, machine, native) => {
                let [walk, machine, native] = [walk.is_ok(), machine.is_ok(), native.is_ok()];
                panic!("who changes the rules: the walker {walk}, the interpreter {machine}, native code {native}");
            }
        }
    }

    /// The shortcuts that were taken by the interpreter and by native code.
    pub fn taken(&self) -> Shortcuts {
        self.machine.program().taken().and(self.native.program().taken())
    }
}

impl Rulebook for Lockstep {
    fn name(&self) -> &str {
        self.machine.name()
    }

    fn seats(&self) -> Vec<String> {
        assert_eq!(self.walk.seats(), self.machine.seats(), "seats");
        self.machine.seats()
    }

    fn digest(&self) -> String {
        self.machine.digest()
    }

    fn open(&self) -> Result<Box<dyn Position>, OpenError> {
        match (WalkPosition::begin(&self.walk), self.machine.start()) {
            (Ok(walk), Ok(machine)) => Ok(Box::new(All { walk, machine, native: self.native.start()? })),
            (Err(_), Err(error)) => Err(error),
            (Ok(_), Err(error)) => panic!("only the machine cannot open: {error}"),
            (Err(error), Ok(_)) => panic!("only the walker cannot open: {error}"),
        }
    }
}

impl All {
    /// The walker's numbers for a choice of the machine: the one at the same place in the list.
    fn same_choice(&mut self, who: Who, choice: &Choice) -> Option<Choice> {
        let at = self.machine.choices(who).iter().position(|known| known == choice)?;
        self.walk.choices(who).into_iter().nth(at)
    }
}

type Compared = (RefusalKind, Option<String>, Option<String>);

/// Faults are told in each one's own words; laws are not.
fn comparable(refusal: &Refusal) -> Compared {
    match refusal.kind {
        RefusalKind::Law => (refusal.kind, refusal.law.clone(), Some(refusal.reason.clone())),
        RefusalKind::Fault | RefusalKind::NotOffered => (RefusalKind::Fault, None, None),
    }
}

/// What came of playing, as far as it can be compared.
fn alike<T: Clone>(played: &Result<T, Refusal>) -> Result<T, Compared> {
    played.clone().map_err(|refusal| comparable(&refusal))
}

impl Position for All {
    fn decision(&self) -> Decision {
        let decision = self.machine.decision();
        assert_eq!(self.walk.decision(), decision, "the walker's decision, the machine's");
        decision
    }

    fn prompt(&self) -> String {
        self.machine.prompt()
    }

    fn choices(&mut self, who: Who) -> Vec<Choice> {
        let choices = self.machine.choices(who);
        let words: Vec<String> = choices.iter().map(|choice| self.machine.words(who, choice)).collect();
        let walked = self.walk.choices(who);
        let walked = self.walk.all_words(who, &walked);
        assert_eq!(walked, words, "the walker's choices, the machine's");
        assert_eq!(self.native.choices(who), choices, "the choices of native code");
        choices
    }

    fn lot(&self, who: Who, choice: &Choice) -> u32 {
        let lot = self.machine.lot(who, choice);
        assert_eq!(self.native.lot(who, choice), lot, "how often a choice is drawn");
        if matches!(choice.0.as_slice(), [_]) {
            assert_eq!(self.walk.lot(who, choice), lot, "how often a choice is drawn");
        }
        lot
    }

    fn weight(&self, choice: &Choice) -> u32 {
        self.machine.weight(choice)
    }

    fn words(&self, who: Who, choice: &Choice) -> String {
        self.machine.words(who, choice)
    }

    fn label(&self, choice: &Choice) -> Option<String> {
        self.machine.label(choice)
    }

    fn points(&self, who: Who, choice: &Choice) -> Vec<ThingId> {
        self.machine.points(who, choice)
    }

    fn offers(&mut self, seat: SeatId) -> Vec<Offer> {
        // In the middle of an action the walker does not tell what is refused, only what is not.
        let whole = matches!(self.machine.decision(), Decision::Seats { kind: QuestionKind::Action, .. });
        let plain = |offers: &[Offer]| -> Vec<_> {
            let told = offers.iter().filter(|offer| whole || offer.refused.is_none());
            told.map(|offer| (offer.words.clone(), offer.refused.as_ref().map(comparable))).collect()
        };
        let offers = self.machine.offers(seat);
        assert_eq!(plain(&self.walk.offers(seat)), plain(&offers), "the walker's offers, the machine's");
        assert_eq!(plain(&self.native.offers(seat)), plain(&offers), "the offers of native code");
        offers
    }

    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        let same = self.same_choice(who, choice).unwrap_or_else(|| choice.clone());
        let words = self.machine.words(who, choice);
        let played = self.machine.play(who, choice);
        let natively = self.native.play(who, choice);
        assert_eq!(alike(&natively), alike(&played), "native code, playing “{words}”");
        assert_eq!(self.native.fingerprint(), self.machine.fingerprint(), "native code, after “{words}”");
        match (self.walk.play(who, &same), played) {
            (Ok(()), Ok(())) => {
                assert_eq!(self.walk.meaning(), self.machine.meaning(), "after “{words}”");
                Ok(())
            }
            (Err(walked), Err(refusal)) => {
                assert_eq!(comparable(&walked), comparable(&refusal), "refusing “{words}”: {walked} / {refusal}");
                Err(refusal)
            }
            (Ok(()), Err(refusal)) => panic!("only the machine refuses “{words}”: {refusal}"),
            (Err(refusal), Ok(())) => panic!("only the walker refuses “{words}”: {refusal}"),
        }
    }

    fn undo(&mut self) -> bool {
        let undone = self.machine.undo();
        assert_eq!(self.walk.undo(), undone, "undo");
        assert_eq!(self.native.undo(), undone, "undo in native code");
        assert_eq!(self.native.fingerprint(), self.machine.fingerprint(), "undo in native code");
        undone
    }

    fn forget(&mut self) {
        self.walk.forget();
        self.machine.forget();
        self.native.forget();
    }

    fn turn(&self) -> u64 {
        assert_eq!(self.walk.turn(), self.machine.turn(), "turns");
        self.machine.turn()
    }

    fn view(&mut self, viewer: Viewer) -> View {
        let view = self.machine.view(viewer);
        assert_eq!(self.walk.view(viewer), view, "the walker's view, the machine's");
        view
    }

    fn fingerprint(&self) -> Fingerprint {
        self.machine.fingerprint()
    }

    fn duplicate(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn Position) -> bool {
        let Some(other) = other.as_any().and_then(|other| other.downcast_ref::<All>()) else { return false };
        assert!(self.machine.copy_from(&other.machine) && self.native.copy_from(&other.native), "copies");
        self.walk = other.walk.clone();
        assert_eq!(self.machine.fingerprint(), other.machine.fingerprint(), "the copy");
        assert_eq!(self.native.fingerprint(), other.machine.fingerprint(), "the copy in native code");
        true
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }

    fn is_over(&self) -> bool {
        assert_eq!(self.walk.is_over(), self.machine.is_over(), "whether it is over");
        self.machine.is_over()
    }

    fn play_random(&mut self, generator: &mut Generator) -> Result<bool, Refusal> {
        self.draw_once(generator)
    }

    fn playout(&mut self, generator: &mut Generator, most: u64) -> Result<u64, Refusal> {
        self.draw_on(generator, most)
    }

    fn redeal(&mut self, seat: SeatId, generator: &mut Generator) -> Option<Box<dyn Position>> {
        Some(Box::new(self.deal_anew(seat, generator)?))
    }

    fn was_stuck(&self) -> bool {
        assert_eq!(self.native.was_stuck(), self.machine.was_stuck(), "whether somebody was stuck");
        self.machine.was_stuck()
    }

    fn sees_all(&mut self, seat: SeatId) -> bool {
        let sees = self.machine.sees_all(seat);
        assert_eq!(self.walk.sees_all(seat), sees, "whether something is hidden from {seat:?}");
        sees
    }

    fn evaluators(&self) -> Vec<String> {
        assert_eq!(self.walk.evaluators(), self.machine.evaluators(), "evaluators");
        self.machine.evaluators()
    }

    fn evaluate(&mut self, evaluator: &str, seat: SeatId) -> Option<f64> {
        let value = self.machine.evaluate(evaluator, seat);
        assert_eq!(self.walk.evaluate(evaluator, seat), value, "“{evaluator}” for {seat:?}");
        assert_eq!(self.native.evaluate(evaluator, seat), value, "“{evaluator}” for {seat:?} in native code");
        value
    }

    fn said(&self, viewer: Viewer) -> Vec<String> {
        let said = self.machine.said(viewer);
        assert_eq!(self.walk.said(viewer), said, "what is said");
        said
    }
}
