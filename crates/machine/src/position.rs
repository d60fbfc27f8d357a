//! A state of play, as the kernel sees it.

use crate::buffer::Buffer;
use crate::derived::Derived;
use crate::glance::MachineGlance;
use crate::layout;
use crate::memory::Mark;
use crate::past::Past;
use crate::program::Program;
use crate::value::Value;
use crate::vm::{Checkpoints, DONE, Frame, Machine, Question, Run, mix};
use crate::world::{EntityId, GAME};
use houserules_kernel::{
    Choice, Decision, Fingerprint, Followed, Generator, Offer, Outcome, Picking, Plies, Position, QuestionKind,
    Refusal, SeatId, ThingId, Touched, View, Viewer, Who, Witnessed,
};
use std::sync::Arc;

/// A position of a compiled definition.
#[derive(Clone)]
pub struct MachinePosition {
    pub(crate) program: Arc<Program>,
    pub(crate) machine: Machine,
    pub(crate) phase: Phase,
    /// Whose action is awaited, once it is known that they have one.
    pub(crate) asked: Vec<EntityId>,
    pub(crate) undo: Vec<Saved>,
    /// Nobody could act after what was played last.
    pub(crate) was_stuck: bool,
}

/// What the machine is in the middle of.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Phase {
    Start,
    Action,
    Turn,
    Stuck,
    /// Nothing runs: an action is awaited, or the match is over.
    #[default]
    Ready,
}

/// Everything that `play` changes besides memory.
#[derive(Clone, Default)]
pub(crate) struct Saved {
    pub(crate) mark: Mark,
    pub(crate) frames: Vec<Frame>,
    /// How long the heap was, and how often it had been compacted.
    pub(crate) heap: usize,
    pub(crate) compactions: u32,
    pub(crate) regs: Buffer<u64>,
    pub(crate) question: Option<Question>,
    pub(crate) phase: Phase,
    pub(crate) asked: Vec<EntityId>,
    pub(crate) answered: bool,
    pub(crate) letting: Vec<(EntityId, Vec<u64>)>,
    pub(crate) said: Vec<(Option<EntityId>, String)>,
    /// Things removed in the action that is stopped in the middle, and where its rollbacks go back to.
    pub(crate) leaving: Vec<EntityId>,
    pub(crate) checkpoints: Checkpoints,
}

impl MachinePosition {
    /// The start: `#setup` has run, or waits for its first answer.
    pub(crate) fn start(program: &Arc<Program>, past: Option<&mut Past>) -> Result<MachinePosition, Refusal> {
        let mut position = MachinePosition::fresh(program);
        let anew = |position: &mut Self, _| *position = MachinePosition::fresh(&position.program);
        let begun = position.within(|position| position.begin(), anew);
        begun.map_err(|stop| position.refusal(stop))?;
        if let Some(past) = past {
            past.look_through(&position);
        }
        position.machine.forget_changes();
        position.machine.sync_kept(program);
        // Every copy of the start begins with what is known here.
        if let Some(marked) = &program.marked {
            position.machine.derived.marks.catch_up(&position.machine.mem, marked.base, marked.n);
        }
        if position.machine.sync_roster(program) {
            position.machine.learn_standing(program);
            position.machine.forget_changes();
        }
        Ok(position)
    }

    /// Before anything has run.
    fn fresh(program: &Arc<Program>) -> MachinePosition {
        let mut machine = Machine::default();
        machine.mem = program.template.clone();
        MachinePosition {
            program: program.clone(),
            machine,
            phase: Phase::Start,
            asked: Vec::new(),
            undo: Vec::new(),
            was_stuck: false,
        }
    }

    fn begin(&mut self) -> Run<()> {
        let program = self.program.clone();
        self.machine.tell_game(&program, program.start)?;
        self.go_on()
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Bytes of memory, with whatever can be undone but without the rulebook, which all positions share.
    pub fn bytes(&self) -> usize {
        let machine = &self.machine;
        let running =
            |frames: &Vec<Frame>, regs: &Buffer<u64>| frames.capacity() * size_of::<Frame>() + 8 * regs.room();
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
    pub fn is_running(&self) -> bool {
        !self.machine.frames.is_empty() || self.undo.iter().any(|saved| !saved.frames.is_empty())
    }

    pub(crate) fn forget_all(&mut self) {
        self.undo.clear();
        self.machine.forget_changes();
    }

    /// After a change of rules: finds out anew who can act.
    pub(crate) fn resume(&mut self) -> Result<(), Refusal> {
        let program = self.program.clone();
        self.machine.derived = Derived::default();
        self.machine.reset_budget(&program);
        self.settle(&program).map_err(|stop| self.refusal(stop))
    }

    pub(crate) fn outcome(&self) -> Outcome {
        let layout = &self.program.layout;
        let mut outcome = Outcome { ranks: Default::default() };
        for seat in 0..layout.n_seats {
            outcome.ranks.push(self.machine.mem.slots[layout.rank(seat) as usize].max(1) as u8);
        }
        outcome
    }

    pub(crate) fn seat(&self, player: EntityId) -> SeatId {
        SeatId(self.program.world.entity_seat(player).unwrap_or(0) as u8)
    }

    /// The choices somebody has.
    fn list(&mut self, who: Who) -> Vec<Choice> {
        let program = self.program.clone();
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
            if self.machine.is_legal(&program, player, &candidate, &[]) == Ok(true) {
                legal.push(candidate);
            }
        }
        self.machine.mem.heap.truncate(heap);
        legal
    }

    fn offered(&mut self, seat: SeatId) -> Vec<Offer> {
        let program = self.program.clone();
        let player = 1 + u32::from(seat.0);
        let who = Who::Seat(seat);
        let labels = match &self.machine.question {
            None if self.asked.contains(&player) => None,
            Some(Question::Let(letting)) if letting.seats.iter().any(|(asked, _)| *asked == player) => {
                Some(letting.labels.clone())
            }
            _ => {
                let choices = self.list(who);
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

    fn play_once(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
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
        self.within(|position| position.list(who), |_, _| {})
    }

    fn lot(&self, who: Who, choice: &Choice) -> u32 {
        match (&self.machine.question, who, choice.0.as_slice()) {
            (Some(Question::Ask(asking)), Who::Seat(seat), [pick]) => {
                self.machine.lot(asking, 1 + u32::from(seat.0), *pick)
            }
            (_, Who::Nature, _) => self.weight(choice),
            _ => 1,
        }
    }

    fn words(&self, who: Who, choice: &Choice) -> String {
        crate::words::of_choice(self, who, choice, &[])
    }

    fn label(&self, choice: &Choice) -> Option<String> {
        crate::words::label(self, choice)
    }

    fn points(&self, _who: Who, choice: &Choice) -> Vec<ThingId> {
        crate::words::points(self, choice)
    }

    fn picking(&self, seat: SeatId) -> Option<Picking> {
        crate::words::picking(self, seat)
    }

    fn offers(&mut self, seat: SeatId) -> Vec<Offer> {
        self.within(|position| position.offered(seat), |_, _| {})
    }

    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        let played = self.within(|position| position.play_once(who, choice), taken_back);
        self.machine.check_derived(&self.program);
        played
    }

    fn undo(&mut self) -> bool {
        match self.undo.pop() {
            Some(saved) => {
                self.restore(saved);
                self.machine.check_derived(&self.program);
                true
            }
            None => false,
        }
    }

    fn forget(&mut self) {
        self.undo.clear();
        // A stopped behavior may still roll back, to before its action or to a checkpoint.
        let rolls_back = self.machine.in_action || !self.machine.checkpoints.is_empty();
        if self.machine.frames.is_empty() || !rolls_back {
            self.machine.forget_changes();
        }
    }

    fn turn(&self) -> u64 {
        self.machine.mem.slots[layout::TURN as usize]
    }

    fn view(&mut self, viewer: Viewer) -> View {
        let heap = self.machine.mem.heap.len();
        let seen = |position: &mut Self| {
            let program = position.program.clone();
            crate::view::of(&mut MachineGlance { program: &program, machine: &mut position.machine }, viewer)
        };
        let view = self.within(seen, |_, _| {});
        self.machine.mem.heap.truncate(heap);
        view
    }

    fn follow(&mut self, viewer: Viewer, followed: &mut Followed) -> Touched {
        crate::follow::follow(self, viewer, followed)
    }

    fn is_open(&self) -> bool {
        !self.program.world.kinds.iter().any(crate::view::hides)
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
        crate::vm::copy_list(&mut self.undo, &other.undo);
        self.was_stuck = other.was_stuck;
        self.machine.check_derived(&self.program);
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
        let drawn = self.drawn_within(&program, generator, |position, program, generator| {
            position.draw(program, generator)?;
            position.settle(program)
        });
        match drawn {
            Ok(()) => {
                self.finish_play(heap, saved);
                self.machine.check_derived(&program);
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
        let (mut n_plies, was_stuck) = match self.phase == Phase::Ready && self.machine.question.is_none() {
            true => self.lane_moves(generator, most).map_err(|stop| self.refusal(stop))?.unwrap_or_default(),
            false => (0, false),
        };
        if self.machine.is_over() {
            return Ok(n_plies);
        }
        let program = self.program.clone();
        let mut plies = Plies::default();
        if n_plies > 0 {
            plies.action();
        }
        // Being stuck is no ply, but must not go on for ever either.
        let mut stuck = u64::from(was_stuck);
        let mut n_answers = 0;
        while !self.machine.is_over() && stuck < most {
            program.warm_up();
            if self.phase == Phase::Ready && self.machine.question.is_none() {
                let (swift, was_stuck) =
                    self.swift_moves(&program, generator, most - n_plies).map_err(|stop| self.refusal(stop))?;
                if swift > 0 {
                    n_plies += swift;
                    n_answers = 0;
                    plies.action();
                }
                if self.machine.is_over() {
                    break;
                }
                // The interpreter, too, tells the game once for each time that it counts.
                if was_stuck {
                    plies.action();
                    stuck += 1;
                    continue;
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
            let drawn = self.drawn_within(&program, generator, Self::draw).map_err(|stop| self.refusal(stop))?;
            n_plies += u64::from(begins && drawn);
            stuck += u64::from(begins && !drawn);
            n_answers = if begins { 0 } else { n_answers + 1 };
            if n_answers > Plies::MOST_ANSWERS {
                return Err(Plies::endless());
            }
            if self.machine.frames.is_empty() {
                if !self.machine.is_over() {
                    self.machine.keep_up(&program);
                    self.machine.check_derived(&program);
                }
                self.forget();
                self.machine.mem.sweep(heap, &mut []);
            }
        }
        if !self.machine.is_over() {
            self.settle_within().map_err(|stop| self.refusal(stop))?;
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

    fn at_once(&self) -> bool {
        match &self.machine.question {
            Some(Question::Ask(asking)) => asking.seats.len() > 1,
            Some(Question::Let(letting)) => letting.seats.len() > 1,
            _ => false,
        }
    }

    fn witnessed(&mut self, viewer: Viewer, who: Who, choice: &Choice) -> Option<Witnessed> {
        crate::witness::witnessed(self, viewer, who, choice)
    }

    fn opening(&self) -> Option<Box<dyn Position>> {
        let start = MachinePosition::start(&self.program, None).ok()?;
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
        let player = program.world.seat_entity(seat.0.into());
        let rated = |position: &mut Self| {
            let program = position.program.clone();
            position.machine.as_actor(player, |machine| machine.call(&program, func, &[Value::entity(GAME)]))
        };
        let value = self.within(rated, |_, _| {});
        self.machine.mem.heap.truncate(heap);
        value.ok()?.as_f64()
    }

    fn said(&self, viewer: Viewer) -> Vec<String> {
        let heard = |listener: Option<EntityId>| match (listener, viewer) {
            (None, _) | (_, Viewer::All) => true,
            (Some(player), Viewer::Seat(seat)) => self.seat(player) == seat,
            (Some(_), Viewer::Public) => false,
        };
        self.machine.said.iter().filter(|(listener, _)| heard(*listener)).map(|(_, text)| text.clone()).collect()
    }
}

/// What was played is taken back to be played anew.
fn taken_back(position: &mut MachinePosition, played: Result<(), Refusal>) {
    if played.is_ok() {
        position.undo();
    }
}

/// The choice that ends "any number of these".
pub(crate) fn is_done(choice: &Choice) -> bool {
    choice.0.as_slice() == [DONE]
}
