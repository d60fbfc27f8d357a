//! A state of play, as the kernel sees it.

use crate::buffer::Buffer;
use crate::choices::Refused;
use crate::code::{FuncId, RuleId};
use crate::glance::MachineGlance;
use crate::layout;
use crate::memory::Mark;
use crate::program::{Handler, Program};
use crate::value::Value;
use crate::vm::{Asking, DONE, Frame, Machine, Question, Run, Stop, mix};
use crate::world::{EntityId, GAME, GAME_KIND};
use houserules_kernel::{
    Choice, Decision, Fingerprint, Generator, Offer, Outcome, Plies, Position, QuestionKind, Refusal, RefusalKind,
    SeatId, View, Viewer, Who,
};
use houserules_model::Turns;
use std::sync::Arc;

/// A position of a compiled definition.
#[derive(Clone)]
pub struct MachinePosition {
    pub(crate) program: Arc<Program>,
    pub(crate) machine: Machine,
    phase: Phase,
    /// Whose action is awaited, once it is known that they have one.
    asked: Vec<EntityId>,
    pub(crate) undo: Vec<Saved>,
    /// Nobody could act after what was played last.
    was_stuck: bool,
}

/// What the machine is in the middle of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Start,
    Action,
    Turn,
    Stuck,
    /// Nothing runs: an action is awaited, or the match is over.
    Ready,
}

/// Everything that `play` changes besides memory.
#[derive(Clone)]
pub(crate) struct Saved {
    mark: Mark,
    frames: Vec<Frame>,
    /// How long the heap was, and how often it had been compacted.
    heap: usize,
    compactions: u32,
    regs: Buffer<u64>,
    question: Option<Question>,
    phase: Phase,
    asked: Vec<EntityId>,
    answered: bool,
    letting: Vec<(EntityId, Vec<u64>)>,
    said: Vec<(Option<EntityId>, u32)>,
}

/// Nobody plays a thousand times without being able to move; a definition that says so is at fault.
const MOST_STUCK: u32 = 1000;

impl MachinePosition {
    /// The start: `#setup` has run, or waits for its first answer.
    pub(crate) fn start(program: &Arc<Program>) -> Result<MachinePosition, Refusal> {
        let mut machine = Machine::default();
        machine.mem = program.template.clone();
        machine.reset_budget(program);
        let mut position = MachinePosition {
            program: program.clone(),
            machine,
            phase: Phase::Start,
            asked: Vec::new(),
            undo: Vec::new(),
            was_stuck: false,
        };
        let begun = position.machine.tell_game(program, program.start).and_then(|_| position.go_on());
        begun.map_err(|stop| position.refusal(stop))?;
        position.machine.forget_changes();
        position.machine.sync_kept(program);
        Ok(position)
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Bytes of memory, with whatever can be undone but without the rulebook, which all positions share.
    pub fn bytes(&self) -> usize {
        let machine = &self.machine;
        let running = |frames: &Vec<Frame>, regs: &Buffer<u64>| frames.capacity() * size_of::<Frame>() + 8 * regs.room;
        let saved =
            |saved: &Saved| running(&saved.frames, &saved.regs) + saved.asked.capacity() * size_of::<EntityId>();
        size_of::<Self>()
            + machine.mem.bytes()
            + running(&machine.frames, &machine.regs)
            + self.asked.capacity() * size_of::<EntityId>()
            + self.undo.capacity() * size_of::<Saved>()
            + self.undo.iter().map(saved).sum::<usize>()
    }

    /// Whether a behavior is stopped in the middle, now or in something that can be undone.
    pub(crate) fn is_running(&self) -> bool {
        !self.machine.frames.is_empty() || self.undo.iter().any(|saved| !saved.frames.is_empty())
    }

    pub(crate) fn forget_all(&mut self) {
        self.undo.clear();
        self.machine.forget_changes();
    }

    /// After a change of rules: finds out anew who can act.
    pub(crate) fn resume(&mut self) -> Result<(), Refusal> {
        let program = self.program.clone();
        self.machine.kept = Default::default();
        self.machine.tally = Default::default();
        self.machine.reset_budget(&program);
        self.settle(&program).map_err(|stop| self.refusal(stop))
    }

    // Saving and restoring

    fn save(&self) -> Saved {
        let running = !self.machine.frames.is_empty();
        Saved {
            mark: self.machine.mem.mark(),
            frames: self.machine.frames.clone(),
            heap: self.machine.mem.heap.len(),
            compactions: self.machine.mem.compactions,
            regs: if running { self.machine.regs.clone() } else { Buffer::default() },
            question: self.machine.question.clone(),
            phase: self.phase,
            asked: self.asked.clone(),
            answered: self.machine.answered,
            letting: self.machine.letting.clone(),
            said: self.machine.said.clone(),
        }
    }

    fn restore(&mut self, saved: Saved) {
        let machine = &mut self.machine;
        machine.rollback(saved.mark);
        // What was made since is out of reach, unless the heap has been laid out anew.
        if machine.mem.compactions == saved.compactions {
            machine.mem.heap.truncate(saved.heap);
        }
        machine.set_frames(&self.program, saved.frames);
        if !machine.frames.is_empty() {
            machine.regs = saved.regs;
        }
        machine.question = saved.question;
        machine.answered = saved.answered;
        machine.letting = saved.letting;
        machine.said = saved.said;
        machine.in_action = saved.phase == Phase::Action;
        machine.skipped.clear();
        self.phase = saved.phase;
        self.asked = saved.asked;
        self.was_stuck = false;
    }

    // Running

    /// Runs until something is asked or nothing is left to run.
    fn go_on(&mut self) -> Run<()> {
        let program = self.program.clone();
        self.run_on(&program)?;
        self.settle(&program)
    }

    fn run_on(&mut self, program: &Program) -> Run<()> {
        loop {
            if !self.machine.frames.is_empty() {
                match self.machine.run(program, 0) {
                    Ok(_) => {}
                    Err(Stop::Asked) => return Ok(()),
                    Err(Stop::Finished) => {
                        self.machine.drop_frames(0);
                        self.machine.skipped.clear();
                        self.machine.letting.clear();
                    }
                    Err(stop) => return Err(stop),
                }
            }
            match self.phase {
                Phase::Ready => return Ok(()),
                Phase::Start => {
                    self.begin_quiet(program);
                    // Before the first turn, the one who would have moved last.
                    let before = self.machine.next_player(self.machine.first_player(), -1);
                    self.machine.remember(program, before)?;
                    self.begin_turn(program, true)?;
                }
                Phase::Action => {
                    let kept =
                        !self.machine.mem.get(layout::AGAIN).is_nil() || !self.machine.mem.get(layout::ENDED).is_nil();
                    if program.world.turns == Turns::Passing && !kept {
                        self.machine.end_turn(program, None)?;
                    }
                    self.machine.remember(program, self.machine.player())?;
                    let ended = !self.machine.mem.get(layout::ENDED).is_nil();
                    self.machine.in_action = false;
                    self.machine.answered = false;
                    self.machine.mem.set(layout::ACTOR, Value::NIL);
                    self.begin_turn(program, ended)?;
                }
                Phase::Turn | Phase::Stuck => {
                    let ended = !self.machine.mem.get(layout::ENDED).is_nil();
                    self.begin_turn(program, ended)?;
                }
            }
        }
    }

    /// Outside an action nobody acts and no turn was ended.
    fn begin_quiet(&mut self, program: &Program) {
        self.machine.let_go(program);
        for slot in [layout::ACTOR, layout::AGAIN, layout::ENDED] {
            self.machine.mem.set(slot, Value::NIL);
        }
        self.machine.clear_checkpoints();
    }

    fn begin_turn(&mut self, program: &Program, ended: bool) -> Run<()> {
        self.phase = Phase::Ready;
        self.begin_quiet(program);
        let told = !matches!(program.handlers[program.turn as usize][GAME_KIND as usize], Handler::None);
        if ended && told && !self.machine.is_over() && self.machine.tell_game(program, program.turn)? {
            self.phase = Phase::Turn;
        }
        Ok(())
    }

    /// Finds out whose action is awaited; tells the game while nobody can act.
    fn settle(&mut self, program: &Program) -> Run<()> {
        for _ in 0..MOST_STUCK {
            self.asked.clear();
            if self.phase != Phase::Ready || self.machine.is_over() {
                return Ok(());
            }
            let mut fault = None;
            for player in self.may_act(program) {
                match self.machine.has_choice(program, player, None) {
                    Ok(true) => self.asked.push(player),
                    Ok(false) => {}
                    Err(stop) => fault = Some(stop),
                }
            }
            if !self.asked.is_empty() {
                return Ok(());
            }
            if let Some(fault) = fault {
                return Err(fault);
            }
            self.stuck(program)?;
        }
        Err(Stop::fault(format!("Nobody could choose anything {MOST_STUCK} times in a row.")))
    }

    pub(crate) fn stuck(&mut self, program: &Program) -> Run<()> {
        self.was_stuck = true;
        self.begin_quiet(program);
        let before = self.machine.mem.mark();
        if !self.machine.tell_game(program, program.stuck)? {
            self.machine.draw(program);
            return Ok(());
        }
        self.phase = Phase::Stuck;
        self.run_on(program)?;
        // An answer that changes nothing is no answer.
        if self.phase == Phase::Ready && !self.machine.mem.changed_since(before) {
            self.machine.draw(program);
        }
        Ok(())
    }

    /// Sends a thing a message between two actions, as one step that can be undone. Refused, it changes nothing.
    pub(crate) fn tell(&mut self, label: &str, to: EntityId) -> Result<(), Refusal> {
        let program = self.program.clone();
        let known = |info: &crate::program::LabelInfo| **program.texts.get(info.name) == *label;
        let Some(label) = program.labels.iter().position(known) else { return Ok(()) };
        let (saved, heap) = (self.save(), self.machine.mem.heap.len());
        self.machine.reset_budget(&program);
        self.machine.said.clear();
        self.begin_quiet(&program);
        let told = self.machine.push_message(&program, label as crate::code::LabelId, to, &[], 0, false);
        let told = told.and_then(|_| {
            self.phase = Phase::Turn;
            self.run_on(&program)?;
            self.settle(&program)
        });
        match told {
            Ok(()) => {
                self.finish_play(heap, saved);
                Ok(())
            }
            Err(stop) => {
                let refusal = self.refusal(stop);
                self.restore(saved);
                Err(refusal)
            }
        }
    }

    fn may_act(&self, program: &Program) -> Vec<EntityId> {
        match program.world.turns {
            Turns::Free => (1..=program.world.n_seats).filter(|&player| self.machine.still_plays(player)).collect(),
            _ => self.machine.first_player().as_entity().into_iter().collect(),
        }
    }

    fn open_action(&mut self, program: &Program, player: EntityId) {
        self.begin_quiet(program);
        self.machine.mem.set(layout::ACTOR, Value::entity(player));
        self.machine.in_action = true;
        self.machine.answered = false;
        self.phase = Phase::Action;
    }

    fn begin_action(&mut self, program: &Program, player: EntityId, choice: &Choice) -> Run<()> {
        self.open_action(program, player);
        self.machine.push_action(program, choice, 0)
    }

    fn try_play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        let program = self.program.clone();
        program.warm_up();
        self.machine.reset_budget(&program);
        self.machine.said.clear();
        self.was_stuck = false;
        if self.machine.is_over() {
            return Err(Refusal::not_offered("The match is over."));
        }
        let seat = match who {
            Who::Seat(seat) if u32::from(seat.0) < program.world.n_seats => {
                Some(program.world.seat_entity(seat.0.into()))
            }
            Who::Seat(_) => return Err(Refusal::not_offered("There is no such seat.")),
            Who::Nature => None,
        };
        let not_asked = || Refusal::not_offered("It is not for them to choose now.");
        let unknown = || Refusal::not_offered("There is no such choice here.");
        let begun = match (&self.machine.question, seat) {
            (Some(Question::Chance(chance)), None) => match choice.0.as_slice() {
                [drawn] if *drawn < u64::from(chance.n) => self.machine.answer_chance(&program, *drawn as u32),
                _ => return Err(unknown()),
            },
            (Some(Question::Ask(asking)), Some(player)) => match choice.0.as_slice() {
                _ if !waits_for(asking, player) => return Err(not_asked()),
                [pick] if self.machine.picks(asking, player).contains(pick) => {
                    self.machine.answer_ask(&program, player, *pick)
                }
                _ => return Err(unknown()),
            },
            (Some(Question::Let(letting)), Some(player)) => {
                if !letting.seats.iter().any(|(asked, chosen)| *asked == player && chosen.is_none()) {
                    return Err(not_asked());
                }
                let labels = letting.labels.clone();
                self.check_offered(&program, player, Some(&labels), choice)?;
                self.machine.answer_let(&program, player, choice)
            }
            (None, Some(player)) if self.asked.contains(&player) => {
                self.check_offered(&program, player, None, choice)?;
                self.begin_action(&program, player, choice).map(|()| true)
            }
            _ => return Err(not_asked()),
        };
        let went_on = begun.and_then(|complete| if complete { self.go_on() } else { Ok(()) });
        went_on.map_err(|stop| self.refusal(stop))
    }

    /// Refuses what is not among the candidates, and what a law forbids before anything is changed.
    fn check_offered(
        &mut self,
        program: &Program,
        player: EntityId,
        labels: Option<&[u16]>,
        choice: &Choice,
    ) -> Result<(), Refusal> {
        match self.machine.offered(program, player, labels, choice) {
            Ok(true) => {}
            Ok(false) => return Err(Refusal::not_offered("There is no such choice here.")),
            Err(stop) => return Err(self.refusal(stop)),
        }
        if labels.is_some()
            && let Err(refused) = self.machine.legal(program, player, choice, &[]).map_err(|stop| self.refusal(stop))?
        {
            return Err(self.refused(&refused));
        }
        Ok(())
    }

    fn refusal(&self, stop: Stop) -> Refusal {
        match stop {
            Stop::Refused { rule, .. } if self.machine.answered => {
                let name = self.rule_name(rule).unwrap_or("a rule".into());
                let reason = format!(
                    "“{name}” refuses after chance or another player has answered. That would be a second try."
                );
                Refusal { kind: RefusalKind::Fault, law: Some(name), reason }
            }
            Stop::Refused { rule, reason } => self.refused(&Refused { rule, reason }),
            Stop::Fault(fault) => {
                let place = self.program.locate.as_ref().and_then(|locate| locate(fault.origin));
                let reason = match place {
                    Some(place) => format!("The rules have a fault at {place}: {}", fault.message),
                    None => format!("The rules have a fault: {}", fault.message),
                };
                Refusal { kind: RefusalKind::Fault, law: None, reason }
            }
            Stop::Asked | Stop::Finished => Refusal {
                kind: RefusalKind::Fault,
                law: None,
                reason: "Something was asked where nothing can be.".into(),
            },
        }
    }

    fn rule_name(&self, rule: RuleId) -> Option<String> {
        self.program.rules.get(rule as usize).map(|rule| rule.name.to_string())
    }

    fn refused(&self, refused: &Refused) -> Refusal {
        let law = self.rule_name(refused.rule);
        let reason = match (refused.reason.is_nil(), &law) {
            (false, None) if refused.reason.as_entity().is_some() => {
                format!("There is no room for more in `{}`.", self.machine.show(&self.program, refused.reason))
            }
            (false, _) => self.machine.show(&self.program, refused.reason),
            (true, Some(law)) => law.clone(),
            (true, None) => "There is no such choice here.".into(),
        };
        Refusal { kind: RefusalKind::Law, law, reason }
    }

    fn finish_play(&mut self, heap: usize, saved: Saved) {
        self.undo.push(saved);
        let idle = self.machine.frames.is_empty() && self.machine.question.is_none();
        if idle && self.undo.iter().all(|saved| saved.regs.is_empty()) {
            self.machine.mem.sweep(heap, &mut []);
        }
    }

    // Random play

    /// Tries an action at once; false if it is refused, and then nothing has changed.
    pub(crate) fn attempt(&mut self, program: &Program, player: EntityId, choice: &Choice) -> Run<bool> {
        let mark = self.machine.mem.mark();
        let begun = self.begin_action(program, player, choice);
        let result = begun.and_then(|()| self.run_on(program));
        self.attempted(program, mark, result)
    }

    fn attempted(&mut self, program: &Program, mark: Mark, result: Run<()>) -> Run<bool> {
        let Err(stop) = result else { return Ok(true) };
        let second_try = self.machine.answered;
        // What one try used up must not be missing from the next, which would be told as a fault of its own.
        self.machine.reset_budget(program);
        self.machine.drop_frames(0);
        self.machine.skipped.clear();
        self.machine.rollback(mark);
        self.machine.in_action = false;
        self.phase = Phase::Ready;
        match stop {
            Stop::Refused { .. } if !second_try => Ok(false),
            stop => Err(stop),
        }
    }

    /// As `attempt`, for an action whose arguments are known.
    pub(crate) fn attempt_with(
        &mut self,
        program: &Program,
        player: EntityId,
        full: FuncId,
        args: &[u64],
    ) -> Run<bool> {
        let mark = self.machine.mem.mark();
        self.open_action(program, player);
        let begun = self.machine.push_frame(program, full, 0, true);
        let result = begun.and_then(|base| {
            self.machine.regs[base..base + args.len()].copy_from_slice(args);
            self.run_on(program)
        });
        self.attempted(program, mark, result)
    }

    /// Answers whatever is open at random; false where nobody had a choice. `asked` need not be known.
    fn draw(&mut self, program: &Program, generator: &mut Generator) -> Run<bool> {
        self.machine.reset_budget(program);
        self.machine.said.clear();
        match &self.machine.question {
            Some(Question::Chance(chance)) => {
                let drawn = generator.below(u64::from(chance.n)) as u32;
                if self.machine.answer_chance(program, drawn)? {
                    self.run_on(program)?;
                }
            }
            Some(Question::Ask(asking)) => {
                let player =
                    asking.seats.iter().find(|(_, _, done)| !done).expect("an open question waits for somebody").0;
                let picks = self.machine.picks(asking, player);
                let pick = picks[generator.below(picks.len() as u64) as usize];
                if self.machine.answer_ask(program, player, pick)? {
                    self.run_on(program)?;
                }
            }
            Some(Question::Let(letting)) => {
                let player = letting
                    .seats
                    .iter()
                    .find(|(_, chosen)| chosen.is_none())
                    .expect("an open question waits for somebody")
                    .0;
                let labels = letting.labels.clone();
                let mut legal = Vec::new();
                for candidate in self.machine.candidates(program, player, Some(&labels), false).0 {
                    if matches!(self.machine.legal(program, player, &candidate, &[]), Ok(Ok(()))) {
                        legal.push(candidate);
                    }
                }
                let choice = legal.swap_remove(generator.below(legal.len() as u64) as usize);
                if self.machine.answer_let(program, player, &choice)? {
                    self.run_on(program)?;
                }
            }
            None if program.world.turns == Turns::Free => {
                self.settle(program)?;
                if self.phase != Phase::Ready || self.machine.is_over() {
                    return Ok(false);
                }
                let player = self.asked[0];
                return self.draw_action(program, player, generator, false);
            }
            None => {
                let player = self.machine.first_player().as_entity().expect("somebody is to move");
                if !self.draw_action(program, player, generator, false)? {
                    self.stuck(program)?;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn outcome(&self) -> Outcome {
        let layout = &self.program.layout;
        Outcome {
            ranks: (0..layout.n_seats)
                .map(|seat| self.machine.mem.slots[layout.rank(seat) as usize].max(1) as u8)
                .collect(),
        }
    }

    fn seat(&self, player: EntityId) -> SeatId {
        SeatId(self.program.world.entity_seat(player).unwrap_or(0) as u8)
    }
}

fn waits_for(asking: &Asking, player: EntityId) -> bool {
    asking.seats.iter().any(|(asked, _, done)| *asked == player && !done)
}

impl Position for MachinePosition {
    fn decision(&self) -> Decision {
        if self.machine.is_over() {
            return Decision::Over(self.outcome());
        }
        match &self.machine.question {
            Some(Question::Chance(_)) => Decision::Nature,
            Some(Question::Ask(asking)) => Decision::Seats {
                asked: asking
                    .seats
                    .iter()
                    .filter(|(_, _, done)| !done)
                    .map(|(player, ..)| self.seat(*player))
                    .collect(),
                kind: QuestionKind::Answer,
            },
            Some(Question::Let(letting)) => Decision::Seats {
                asked: letting
                    .seats
                    .iter()
                    .filter(|(_, chosen)| chosen.is_none())
                    .map(|(player, _)| self.seat(*player))
                    .collect(),
                kind: QuestionKind::Answer,
            },
            None => Decision::Seats {
                asked: self.asked.iter().map(|&player| self.seat(player)).collect(),
                kind: QuestionKind::Action,
            },
        }
    }

    fn prompt(&self) -> String {
        match &self.machine.question {
            Some(Question::Chance(_)) => "Chance decides.".into(),
            Some(Question::Ask(asking)) if !asking.text.is_nil() => self.machine.show(&self.program, asking.text),
            Some(Question::Ask(_)) => "Choose one.".into(),
            Some(Question::Let(_)) => "Choose an action.".into(),
            None if self.machine.is_over() => "The match is over.".into(),
            None => "Your move.".into(),
        }
    }

    fn choices(&mut self, who: Who) -> Vec<Choice> {
        let program = self.program.clone();
        self.machine.reset_budget(&program);
        if self.machine.is_over() {
            return Vec::new();
        }
        let seat = match who {
            Who::Seat(seat) => Some(1 + u32::from(seat.0)),
            Who::Nature => None,
        };
        let (labels, player) = match (&self.machine.question, seat) {
            (Some(Question::Chance(chance)), None) => {
                return (0..u64::from(chance.n)).map(|at| Choice::of(&[at])).collect();
            }
            (Some(Question::Ask(asking)), Some(player)) => {
                return self.machine.picks(asking, player).into_iter().map(|pick| Choice::of(&[pick])).collect();
            }
            (Some(Question::Let(letting)), Some(player))
                if letting.seats.iter().any(|(asked, chosen)| *asked == player && chosen.is_none()) =>
            {
                (Some(letting.labels.clone()), player)
            }
            (None, Some(player)) if self.asked.contains(&player) => (None, player),
            _ => return Vec::new(),
        };
        let heap = self.machine.mem.heap.len();
        let mut legal = Vec::new();
        for candidate in self.machine.candidates(&program, player, labels.as_deref(), false).0 {
            // A rule with a fault refuses: the choice could not be played either.
            if matches!(self.machine.legal(&program, player, &candidate, &[]), Ok(Ok(()))) {
                legal.push(candidate);
            }
        }
        self.machine.mem.heap.truncate(heap);
        legal
    }

    fn words(&self, who: Who, choice: &Choice) -> String {
        crate::words::of_choice(self, who, choice)
    }

    fn offers(&mut self, seat: SeatId) -> Vec<Offer> {
        let program = self.program.clone();
        self.machine.reset_budget(&program);
        let player = 1 + u32::from(seat.0);
        let who = Who::Seat(seat);
        let labels = match &self.machine.question {
            None if self.asked.contains(&player) => None,
            Some(Question::Let(letting)) if letting.seats.iter().any(|(asked, _)| *asked == player) => {
                Some(letting.labels.clone())
            }
            _ => {
                let choices = self.choices(who);
                return choices
                    .into_iter()
                    .map(|choice| Offer { words: self.words(who, &choice), choice, refused: None })
                    .collect();
            }
        };
        let mut offers = Vec::new();
        for candidate in self.machine.candidates(&program, player, labels.as_deref(), true).0 {
            let refused = match self.machine.legal(&program, player, &candidate, &[]) {
                Ok(Ok(())) => None,
                Ok(Err(refused)) => Some(self.refused(&refused)),
                Err(stop) => Some(self.refusal(stop)),
            };
            offers.push(Offer { words: self.words(who, &candidate), choice: candidate, refused });
        }
        offers
    }

    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        let saved = self.save();
        let heap = self.machine.mem.heap.len();
        match self.try_play(who, choice) {
            Ok(()) => {
                self.finish_play(heap, saved);
                Ok(())
            }
            Err(refusal) => {
                self.restore(saved);
                Err(refusal)
            }
        }
    }

    fn undo(&mut self) -> bool {
        match self.undo.pop() {
            Some(saved) => {
                self.restore(saved);
                true
            }
            None => false,
        }
    }

    fn forget(&mut self) {
        self.undo.clear();
        // A stopped behavior may still roll back to before its action.
        if self.machine.frames.is_empty() {
            self.machine.forget_changes();
        }
    }

    fn turn(&self) -> u64 {
        self.machine.mem.slots[layout::TURN as usize]
    }

    fn view(&mut self, viewer: Viewer) -> View {
        let program = self.program.clone();
        let heap = self.machine.mem.heap.len();
        self.machine.reset_budget(&program);
        let view = crate::view::of(&mut MachineGlance { program: &program, machine: &mut self.machine }, viewer);
        self.machine.mem.heap.truncate(heap);
        view
    }

    fn fingerprint(&self) -> Fingerprint {
        let machine = &self.machine;
        let mut hash = 0xf1;
        for (at, &word) in machine.mem.slots.iter().enumerate() {
            if !matches!(at as u32, layout::TURN | layout::AGAIN | layout::ENDED | layout::ACTOR) && word != 0 {
                hash = machine.hash_value(Value(word), mix(hash, at as u64));
            }
        }
        let n_seen = machine.mem.slots[layout::SEEN as usize] as usize;
        hash = machine.mem.history[..n_seen].iter().fold(hash, |hash, &key| mix(hash, key));
        if !machine.frames.is_empty() {
            hash = mix(hash, machine.mem.slots[layout::ACTOR as usize]);
            for frame in &machine.frames {
                hash = mix(mix(hash, u64::from(frame.func)), u64::from(frame.pc));
                let n = self.program.functions[frame.func as usize].n_args as usize;
                let base = frame.base as usize;
                hash =
                    machine.regs[base..base + n].iter().fold(hash, |hash, &word| machine.hash_value(Value(word), hash));
            }
        }
        if let Some(question) = &machine.question {
            hash = crate::words::hash_question(machine, question, hash);
        }
        Fingerprint(hash)
    }

    fn duplicate(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn Position) -> bool {
        let Some(other) = other.as_any().and_then(|other| other.downcast_ref::<MachinePosition>()) else {
            return false;
        };
        if !Arc::ptr_eq(&self.program, &other.program) {
            self.program = other.program.clone();
        }
        self.machine.copy_from(&other.machine);
        self.phase = other.phase;
        self.asked.clone_from(&other.asked);
        self.undo.clone_from(&other.undo);
        self.was_stuck = other.was_stuck;
        true
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }

    fn is_over(&self) -> bool {
        self.machine.is_over()
    }

    fn play_random(&mut self, generator: &mut Generator) -> Result<bool, Refusal> {
        if self.machine.is_over() {
            return Ok(false);
        }
        let program = self.program.clone();
        program.warm_up();
        let saved = self.save();
        let heap = self.machine.mem.heap.len();
        self.was_stuck = false;
        match self.draw(&program, generator).and_then(|_| self.settle(&program)) {
            Ok(()) => {
                self.finish_play(heap, saved);
                Ok(true)
            }
            Err(stop) => {
                let refusal = self.refusal(stop);
                self.restore(saved);
                Err(refusal)
            }
        }
    }

    fn playout(&mut self, generator: &mut Generator, most: u64) -> Result<u64, Refusal> {
        let program = self.program.clone();
        let mut plies = Plies::default();
        // Being stuck is no ply, but must not go on for ever either.
        let (mut n_plies, mut stuck) = (0, 0);
        while !self.machine.is_over() && stuck < most {
            program.warm_up();
            if self.phase == Phase::Ready && self.machine.question.is_none() {
                let swift = self.swift_moves(&program, generator, most - n_plies).map_err(|stop| self.refusal(stop))?;
                if swift > 0 {
                    n_plies += swift;
                    plies.action();
                }
                if self.machine.is_over() {
                    break;
                }
            }
            // Asking for the decision takes time, and once an action was made only the next action begins a ply.
            let begins = match self.machine.question {
                None => plies.action(),
                Some(_) => !plies.acted() && plies.begins(&self.decision()),
            };
            if begins && n_plies == most {
                break;
            }
            let heap = self.machine.mem.heap.len();
            let drawn = self.draw(&program, generator).map_err(|stop| self.refusal(stop))?;
            n_plies += u64::from(begins && drawn);
            stuck += u64::from(begins && !drawn);
            if self.machine.frames.is_empty() {
                if !self.machine.is_over() {
                    self.machine.sync_kept(&program);
                }
                self.forget();
                self.machine.mem.sweep(heap, &mut []);
            }
        }
        if !self.machine.is_over() {
            self.settle(&program).map_err(|stop| self.refusal(stop))?;
        }
        Ok(n_plies)
    }

    fn sees_all(&mut self, seat: SeatId) -> bool {
        // Of several who are asked at once, the last one looks as if asked alone, and the answers lie in the question.
        let at_once = match &self.machine.question {
            Some(Question::Ask(asking)) => asking.seats.len() > 1,
            Some(Question::Let(letting)) => letting.seats.len() > 1,
            Some(Question::Chance(_)) => false,
            None => self.asked.len() > 1,
        };
        !at_once && self.view(Viewer::Seat(seat)) == self.view(Viewer::All)
    }

    fn opening(&self) -> Option<Box<dyn Position>> {
        let start = MachinePosition::start(&self.program).ok()?;
        Some(Box::new(start))
    }

    fn redeal(&mut self, seat: SeatId, generator: &mut Generator) -> Option<Box<dyn Position>> {
        let dealt = crate::redeal::redeal(self, seat, generator)?;
        Some(Box::new(dealt))
    }

    fn was_stuck(&self) -> bool {
        self.was_stuck
    }

    fn evaluators(&self) -> Vec<String> {
        self.program.evaluators.iter().map(|(name, _)| name.to_string()).collect()
    }

    fn evaluate(&mut self, evaluator: &str, seat: SeatId) -> Option<f64> {
        let program = self.program.clone();
        let func = program.evaluators.iter().find(|(name, _)| &**name == evaluator)?.1;
        if usize::from(seat.0) >= program.layout.n_seats as usize {
            return None;
        }
        let heap = self.machine.mem.heap.len();
        self.machine.reset_budget(&program);
        let player = program.world.seat_entity(seat.0.into());
        let value = self.machine.with_player(player, |machine| machine.call(&program, func, &[Value::entity(GAME)]));
        self.machine.mem.heap.truncate(heap);
        value.ok()?.as_f64()
    }

    fn said(&self, viewer: Viewer) -> Vec<String> {
        let heard = |listener: Option<EntityId>| match (listener, viewer) {
            (None, _) | (_, Viewer::All) => true,
            (Some(player), Viewer::Seat(seat)) => self.seat(player) == seat,
            (Some(_), Viewer::Public) => false,
        };
        self.machine
            .said
            .iter()
            .filter(|(listener, _)| heard(*listener))
            .map(|(_, text)| self.program.texts.get(*text).to_string())
            .collect()
    }
}

/// The choice that ends "any number of these".
pub(crate) fn is_done(choice: &Choice) -> bool {
    choice.0.as_slice() == [DONE]
}
