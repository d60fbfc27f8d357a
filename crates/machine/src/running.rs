//! What a choice sets off: running behaviors, passing turns, finding out who can act, going back.

use crate::buffer::Buffer;
use crate::choices::Refused;
use crate::code::RuleId;
use crate::layout;
use crate::position::{MachinePosition, Phase, Saved};
use crate::program::Program;
use crate::value::Value;
use crate::vm::{Asking, Question, Run, Stop};
use crate::world::EntityId;
use houserules_kernel::{Choice, Refusal, RefusalKind, Who};
use houserules_model::Turns;

/// Nobody plays a thousand times without being able to move; a definition that says so is at fault.
const MOST_STUCK: u32 = 1000;

impl MachinePosition {
    pub(crate) fn save(&self) -> Saved {
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
            leaving: self.machine.leaving.clone(),
            checkpoints: self.machine.checkpoints.clone(),
        }
    }

    pub(crate) fn restore(&mut self, saved: Saved) {
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
        machine.leaving = saved.leaving;
        machine.checkpoints = saved.checkpoints;
        machine.in_action = saved.phase == Phase::Action;
        machine.skipped.clear();
        self.phase = saved.phase;
        self.asked = saved.asked;
        self.was_stuck = false;
    }

    /// Runs until something is asked or nothing is left to run.
    pub(crate) fn go_on(&mut self) -> Run<()> {
        let program = self.program.clone();
        self.run_on(&program)?;
        self.settle(&program)
    }

    pub(crate) fn run_on(&mut self, program: &Program) -> Run<()> {
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
    pub(crate) fn begin_quiet(&mut self, program: &Program) {
        self.machine.let_go(program);
        for slot in [layout::ACTOR, layout::AGAIN, layout::ENDED] {
            self.machine.mem.set(slot, Value::NIL);
        }
        self.machine.clear_checkpoints();
    }

    pub(crate) fn begin_turn(&mut self, program: &Program, ended: bool) -> Run<()> {
        self.phase = Phase::Ready;
        self.begin_quiet(program);
        if ended && program.tells_turns() && !self.machine.is_over() && self.machine.tell_game(program, program.turn)? {
            self.phase = Phase::Turn;
        }
        Ok(())
    }

    /// Finds out whose action is awaited; tells the game while nobody can act.
    pub(crate) fn settle(&mut self, program: &Program) -> Run<()> {
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

    pub(crate) fn may_act(&self, program: &Program) -> Vec<EntityId> {
        match program.world.turns {
            Turns::Free => (1..=program.world.n_seats).filter(|&player| self.machine.still_plays(player)).collect(),
            _ => self.machine.first_player().as_entity().into_iter().collect(),
        }
    }

    pub(crate) fn open_action(&mut self, program: &Program, player: EntityId) {
        self.begin_quiet(program);
        self.machine.mem.set(layout::ACTOR, Value::entity(player));
        self.machine.in_action = true;
        self.machine.answered = false;
        self.machine.begin_checkpoints();
        self.phase = Phase::Action;
    }

    pub(crate) fn begin_action(&mut self, program: &Program, player: EntityId, choice: &Choice) -> Run<()> {
        self.open_action(program, player);
        self.machine.push_action(program, choice, 0)
    }

    pub(crate) fn try_play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        let program = self.program.clone();
        program.warm_up();
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
                [pick] if self.machine.picks(asking, player).contains(pick) => self.machine.answer_ask(player, *pick),
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
    pub(crate) fn check_offered(
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

    pub(crate) fn refusal(&self, stop: Stop) -> Refusal {
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

    pub(crate) fn rule_name(&self, rule: RuleId) -> Option<String> {
        self.program.rules.get(rule as usize).map(|rule| rule.name.to_string())
    }

    pub(crate) fn refused(&self, refused: &Refused) -> Refusal {
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

    pub(crate) fn finish_play(&mut self, heap: usize, saved: Saved) {
        self.undo.push(saved);
        let idle = self.machine.frames.is_empty() && self.machine.question.is_none();
        if idle && self.undo.iter().all(|saved| saved.regs.is_empty()) {
            self.machine.mem.sweep(heap, &mut []);
        } else if self.machine.mem.has_grown() {
            self.sweep_running();
        }
    }

    /// A match that never stops asking never comes to rest: what nobody has any more is let go all the same.
    fn sweep_running(&mut self) {
        let machine = &mut self.machine;
        let mut roots: Vec<&mut [u64]> = vec![&mut machine.regs[..machine.top]];
        if let Some(question) = &mut machine.question {
            question.values(&mut roots);
        }
        for saved in &mut self.undo {
            roots.push(&mut saved.regs);
            if let Some(question) = &mut saved.question {
                question.values(&mut roots);
            }
        }
        machine.mem.sweep_running(&mut roots);
    }
}

fn waits_for(asking: &Asking, player: EntityId) -> bool {
    asking.seats.iter().any(|(asked, _, done)| *asked == player && !done)
}
