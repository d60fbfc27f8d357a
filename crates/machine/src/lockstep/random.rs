//! Random play in all three at once.
//!
//! The interpreter and native code draw by the same generator and must come to the same position; then it is found out
//! which choice that was, among those that are listed, and the walker makes it too.

use super::{All, alike, comparable};
use crate::position::MachinePosition;
use crate::vm::Question;
use houserules_kernel::{Choice, Decision, Generator, Plies, Position, QuestionKind, Refusal, SeatId, Viewer, Who};

/// One answer: whose, and what stood before it was drawn.
struct Drawn<'a> {
    before: &'a mut MachinePosition,
    generator: Generator,
}

impl All {
    pub(super) fn draw_once(&mut self, generator: &mut Generator) -> Result<bool, Refusal> {
        let (mut before, from) = (self.machine.clone(), generator.clone());
        let mut natively = generator.clone();
        let played = self.machine.play_random(generator);
        assert_eq!(alike(&self.native.play_random(&mut natively)), alike(&played), "native code, playing at random");
        assert_eq!(self.native.fingerprint(), self.machine.fingerprint(), "native code, after playing at random");
        match played {
            Ok(true) => {
                assert_eq!(natively, *generator, "native code draws as often as the interpreter");
                let after = self.machine.clone();
                let (who, choice) = self.follow(Drawn { before: &mut before, generator: from }, &after);
                if !self.machine.machine.frames.is_empty() {
                    // What a stopped behavior remembers is no part of a fingerprint: choices that differ in it look alike.
                    assert!(self.machine.undo() && self.native.undo(), "a random choice can be undone");
                    self.machine.play(who, &choice).expect("it was found by playing it");
                    assert_eq!(self.native.play(who, &choice), Ok(()), "native code, playing what was drawn");
                    assert_eq!(self.native.fingerprint(), self.machine.fingerprint(), "native code, playing it");
                }
                Ok(true)
            }
            Ok(false) => {
                assert!(self.walk.is_over(), "only the machine has nothing to draw");
                Ok(false)
            }
            Err(refusal) => {
                self.somebody_is_refused(&refusal);
                Err(refusal)
            }
        }
    }

    /// As the interpreter plays out, step by step and with the walker beside it; then whether both ways to do it in one
    /// go come to the same end.
    pub(super) fn draw_on(&mut self, generator: &mut Generator, most: u64) -> Result<u64, Refusal> {
        let from = generator.clone();
        let (mut swift, mut swiftly) = (self.machine.clone(), from.clone());
        let stepped = self.draw_stepwise(generator, most);
        let in_one_go = swift.playout(&mut swiftly, most);
        let mut natively = from.clone();
        let native = self.native.playout(&mut natively, most);
        let told = |played: &Result<u64, Refusal>| played.as_ref().copied().map_err(comparable);
        assert_eq!(told(&in_one_go), told(&stepped), "the interpreter, playing out and step by step");
        assert_eq!(told(&native), told(&stepped), "native code, playing out");
        if stepped.is_ok() {
            assert_eq!(swift.meaning(), self.machine.meaning(), "the interpreter, playing out and step by step");
            assert_eq!(self.native.meaning(), self.machine.meaning(), "native code, playing out");
            assert_eq!(self.native.fingerprint(), self.machine.fingerprint(), "native code, playing out");
            assert_eq!(self.native.decision(), self.machine.decision(), "native code, playing out");
            assert_eq!(swiftly, *generator, "the interpreter draws as often step by step");
            assert_eq!(natively, *generator, "native code draws as often as the interpreter");
        }
        self.forget();
        stepped
    }

    fn draw_stepwise(&mut self, generator: &mut Generator, most: u64) -> Result<u64, Refusal> {
        let program = self.machine.program.clone();
        let mut plies = Plies::default();
        let (mut n_plies, mut stuck, mut n_answers) = (0, 0, 0);
        let settled = |position: &MachinePosition| {
            let mut settled = position.clone();
            let done = settled.settle_within();
            done.map(|()| settled).map_err(|stop| position.refusal(stop))
        };
        // Played on without asking who can act, as random play does; the walker always asks.
        let mut running = self.machine.clone();
        while !running.is_over() && stuck < most {
            let begins = match running.machine.question {
                None => plies.action(),
                Some(_) => !plies.acted() && plies.begins(&running.decision()),
            };
            if begins && n_plies == most {
                break;
            }
            let (mut before, from) = (self.machine.clone(), generator.clone());
            let drawn = match running.drawn_within(&program, generator, MachinePosition::draw) {
                Ok(drawn) => drawn,
                Err(stop) => {
                    let refusal = running.refusal(stop);
                    self.somebody_is_refused(&refusal);
                    return Err(refusal);
                }
            };
            let after = match settled(&running) {
                Ok(after) => after,
                Err(refusal) => {
                    self.somebody_is_refused(&refusal);
                    return Err(refusal);
                }
            };
            if drawn {
                self.follow(Drawn { before: &mut before, generator: from }, &after);
            } else {
                assert_eq!(after.fingerprint(), before.fingerprint(), "nobody could act, and something has changed");
            }
            self.machine = after;
            n_plies += u64::from(begins && drawn);
            stuck += u64::from(begins && !drawn);
            n_answers = if begins { 0 } else { n_answers + 1 };
            if n_answers > Plies::MOST_ANSWERS {
                return Err(Plies::endless());
            }
        }
        Ok(n_plies)
    }

    /// Finds the choice that leads from one position to the other, and has the walker make it.
    fn follow(&mut self, drawn: Drawn, after: &MachinePosition) -> (Who, Choice) {
        let who = drawn.before.decision().open_to()[0];
        let choices = drawn.before.choices(who);
        let acts = matches!(drawn.before.decision(), Decision::Seats { kind: QuestionKind::Action, .. });
        let mut lots = drawn.generator.clone();
        let player = match who {
            Who::Seat(seat) => Some(drawn.before.program.world.seat_entity(seat.0.into())),
            Who::Nature => None,
        };
        let at = match (&drawn.before.machine.question, player) {
            _ if acts => choices.iter().position(|choice| leads(drawn.before, who, choice, after)),
            // An answer is drawn from the list of all.
            (Some(Question::Ask(asking)), Some(player)) => {
                let pick = drawn.before.machine.drawn_pick(asking, player, &mut lots);
                choices.iter().position(|choice| *choice == Choice::of(&[pick]))
            }
            _ => Some(lots.below(choices.len() as u64) as usize),
        };
        let Some(at) = at else {
            let words: Vec<String> = choices.iter().map(|choice| drawn.before.words(who, choice)).collect();
            panic!("random play did what none of these does: {}", words.join(", "));
        };
        let words = drawn.before.words(who, &choices[at]);
        assert!(leads(drawn.before, who, &choices[at], after), "random play did not do what it drew: {words}");
        let walked = self.walk.choices(who);
        let told: Vec<String> = choices.iter().map(|choice| drawn.before.words(who, choice)).collect();
        assert_eq!(self.walk.all_words(who, &walked), told, "the walker's choices, the machine's");
        if let Err(refusal) = self.walk.play(who, &walked[at]) {
            panic!("only the walker refuses “{words}”, which was drawn: {refusal}");
        }
        let mut after = after.clone();
        assert_eq!(self.walk.meaning(), after.meaning(), "after “{words}” at random");
        assert_eq!(self.walk.decision(), after.decision(), "after “{words}” at random");
        (who, choices[at].clone())
    }

    /// Random play came to a fault: so does the walker, by some choice.
    fn somebody_is_refused(&mut self, refusal: &Refusal) {
        for who in self.walk.decision().open_to() {
            for choice in self.walk.choices(who) {
                let refused = self.walk.play(who, &choice).is_err();
                if refused {
                    return;
                }
                self.walk.undo();
            }
        }
        panic!("only the machine has a fault in random play: {refusal}");
    }

    pub(super) fn deal_anew(&mut self, seat: SeatId, generator: &mut Generator) -> Option<All> {
        let (mut natively, mut walking) = (generator.clone(), generator.clone());
        let machine = crate::redeal::redeal(&self.machine, seat, generator);
        let native = crate::redeal::redeal(&self.native, seat, &mut natively);
        let walk = self.walk.dealt_anew(seat, &mut walking);
        let (Some(mut machine), Some(native), Some(walk)) = (machine.clone(), native.clone(), walk.clone()) else {
            assert!(machine.is_none() && native.is_none() && walk.is_none(), "only some can deal anew");
            return None;
        };
        assert_eq!(native.fingerprint(), machine.fingerprint(), "dealt anew in native code");
        if !self.machine.machine.frames.is_empty() {
            // In the middle of an action the walker is the position before it and the answers since.
            return None;
        }
        assert_eq!(walk.meaning(), machine.meaning(), "dealt anew");
        let viewer = Viewer::Seat(seat);
        assert_eq!(machine.view(viewer), self.machine.view(viewer), "what the seat sees, dealt anew");
        Some(All { walk, machine, native })
    }
}

/// Whether a choice leads to a position. What a stopped behavior remembers cannot be compared.
fn leads(before: &mut MachinePosition, who: Who, choice: &Choice, after: &MachinePosition) -> bool {
    if before.play(who, choice).is_err() {
        return false;
    }
    let alike = before.fingerprint() == after.fingerprint()
        && before.turn() == after.turn()
        && before.said(Viewer::All) == after.said(Viewer::All);
    assert!(before.undo(), "what was played can be undone");
    alike
}
