//! The interpreter itself: a state being changed, the answers given so far, and what is being counted.

use super::book::Book;
use super::met;
use super::state::State;
use super::stop::{Halt, Question, Refused, Stop, fault, spent};
use super::trace;
use super::turns::Stage;
use super::value::{Message, Value};
use crate::world::EntityId;
use houserules_kernel::{Choice, Who};
use houserules_model::*;
use std::collections::{BTreeMap, VecDeque};

/// A form takes so many times as long as a step of the machine.
const SLOWER: u64 = 20;
/// Expressions nested in each other, those of all open bodies together.
const HIGHEST: u32 = 40_000;
/// From this height on the interpreter continues on a larger stack of its own.
const SWITCH: u32 = 60;
const LARGE_STACK: usize = 512 << 20;

/// Runs bodies on a state. One runner goes from one decision to the next.
///
/// It is given the state a stage began with and the answers given in it; where an answer is missing it stops with
/// [`Halt::Need`]. Going on is running the stage again with one more answer.
pub struct Runner<'a> {
    pub book: &'a Book,
    pub state: State,
    /// Answers given, not yet met again.
    pub answers: VecDeque<(Who, Choice)>,
    /// Answers met in this stage. Those of one question to several seats stand in the order of the seats.
    pub log: Vec<(Who, Choice)>,
    /// The stage being run, and the state it began with.
    pub stage: Stage,
    pub base: State,
    /// Laws being checked: they are left out of their own questions.
    pub active: Vec<Name>,
    /// First values not computed yet. Reading one computes it.
    pub pending: BTreeMap<(EntityId, Name), &'a Expr>,
    /// Saved by `(open checkpoint)`, the innermost last. None where the action had changed nothing yet.
    pub checkpoints: Vec<Option<State>>,
    /// The state in which the action began that is being carried out or tried.
    pub began: Option<State>,
    /// How many actions are being carried out or tried, one inside the other.
    pub actions: u32,
    steps: u64,
    depth: u32,
    height: u32,
}

/// What a running body can see besides the state.
#[derive(Clone)]
pub struct Frame {
    /// The entity whose code runs.
    pub me: EntityId,
    /// Who acts; nobody outside an action.
    pub actor: Option<EntityId>,
    /// The candidate of the innermost `where`.
    pub it: Option<Value>,
    /// The message being handled. Rules and behavior of one message share it.
    pub message: Option<Message>,
    pub variables: Vec<(Name, Value)>,
    /// The rule whose body this is.
    pub rule: Option<Name>,
    /// The rule is a law checked before the behavior.
    pub law: bool,
    /// The message is still being put together: attributes it has not yet are no words.
    pub unfinished: bool,
}

impl Frame {
    pub fn new(me: EntityId, actor: Option<EntityId>) -> Frame {
        Frame { me, actor, it: None, message: None, variables: Vec::new(), rule: None, law: false, unfinished: false }
    }

    pub fn with_message(me: EntityId, actor: Option<EntityId>, message: Message) -> Frame {
        Frame { message: Some(message), ..Frame::new(me, actor) }
    }

    pub fn variable(&mut self, name: &str) -> Option<&mut Value> {
        self.variables.iter_mut().find(|(known, _)| **known == *name).map(|(_, value)| value)
    }

    pub fn set_variable(&mut self, name: &Name, value: Value) {
        match self.variable(name) {
            Some(known) => *known = value,
            None => self.variables.push((name.clone(), value)),
        }
    }
}

impl<'a> Runner<'a> {
    pub fn new(book: &'a Book, state: State) -> Runner<'a> {
        Runner {
            book,
            answers: VecDeque::new(),
            log: Vec::new(),
            stage: Stage::Setup,
            base: state.clone(),
            state,
            active: Vec::new(),
            pending: BTreeMap::new(),
            checkpoints: Vec::new(),
            began: None,
            actions: 0,
            steps: 0,
            depth: 0,
            height: 0,
        }
    }

    /// Counts a step, of one budget for all that is asked at once; a definition that never comes to a decision is stopped.
    pub fn step(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > self.book.budget.steps / SLOWER {
            return Err(spent("The rules ran too long without coming to a decision."));
        }
        Ok(())
    }

    /// Counts the copying of long lists, which takes as long as many steps.
    pub fn weigh(&mut self, length: usize) -> Result<(), Stop> {
        self.steps += length as u64 / 16;
        self.step()
    }

    /// One message or define deeper.
    pub fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        let deepest = self.book.budget.depth;
        if self.depth >= deepest {
            return Err(spent(format!(
                "Messages and defines are nested more than {deepest} deep: do they send each other for ever?"
            )));
        }
        self.depth += 1;
        let value = run(self);
        self.depth -= 1;
        value
    }

    /// One expression higher, on a larger stack when the host's own might not do.
    pub fn higher<T: Send>(&mut self, run: impl FnOnce(&mut Self) -> Result<T, Stop> + Send) -> Result<T, Stop> {
        if self.height >= HIGHEST {
            return Err(spent("Expressions are nested too deeply."));
        }
        self.height += 1;
        let value = if self.height == SWITCH {
            std::thread::scope(|scope| {
                let here = &mut *self;
                let listener = trace::take();
                let thread = std::thread::Builder::new().stack_size(LARGE_STACK).spawn_scoped(scope, move || {
                    trace::give(listener);
                    (run(here), trace::take(), met::take())
                });
                match thread {
                    Ok(thread) => {
                        let (value, listener, met) =
                            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                        trace::give(listener);
                        met::add(met);
                        value
                    }
                    Err(_) => Err(fault("There is no memory for rules nested so deeply.")),
                }
            })
        } else {
            run(self)
        };
        self.height -= 1;
        value
    }

    /// Runs statements; the value of the last one.
    pub fn body(&mut self, body: &[Expr], frame: &mut Frame) -> Result<Value, Stop> {
        let mut value = Value::Nil;
        for statement in body {
            value = self.eval(statement, frame)?;
        }
        Ok(value)
    }

    /// Runs a whole body: `(return v)` ends it with that value.
    pub fn whole_body(&mut self, body: &[Expr], frame: &mut Frame) -> Result<Value, Stop> {
        match self.body(body, frame) {
            Err(stop) => match *stop {
                Halt::Return(value) => Ok(value),
                Halt::Break | Halt::Continue => Ok(Value::Nil),
                halt => Err(Box::new(halt)),
            },
            value => value,
        }
    }

    /// The next answer, or the end of this run. Steps are counted from one answer to the next.
    pub fn answer(&mut self, question: impl FnOnce(&mut Self) -> Question) -> Result<(Who, Choice), Stop> {
        match self.answers.pop_front() {
            Some(answer) => {
                self.steps = 0;
                self.log.push(answer.clone());
                Ok(answer)
            }
            None => Err(Box::new(Halt::Need(question(self)))),
        }
    }

    /// Tries something on a copy of the state, without the answers meant for what is really happening.
    pub fn trying<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let state = self.state.clone();
        let answers = std::mem::take(&mut self.answers);
        let n_met = self.log.len();
        let checkpoints = std::mem::take(&mut self.checkpoints);
        let began = self.began.take();
        let value = {
            let _tried = trace::trying();
            run(self)
        };
        self.state = state;
        self.answers = answers;
        self.log.truncate(n_met);
        self.checkpoints = checkpoints;
        self.began = began;
        value
    }

    /// Carries out or tries an action: whatever it had changed when a checkpoint was opened stays when it is rolled back
    /// to that. One made in another, by `let`, is a part of it.
    pub fn acting<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let outermost = self.began.is_none();
        if outermost {
            self.began = Some(self.state.clone());
        }
        self.actions += 1;
        let value = run(self);
        self.actions -= 1;
        if outermost {
            self.began = None;
            self.checkpoints.clear();
        }
        value
    }

    pub fn open_checkpoint(&mut self) {
        // What was said is no change.
        let stays =
            self.began.as_ref().is_none_or(|began| State { said: began.said.clone(), ..self.state.clone() } != *began);
        self.checkpoints.push(stays.then(|| self.state.clone()));
    }

    /// Restores the innermost checkpoint and ends the action; refuses it where there is none.
    pub fn roll_back(&mut self, frame: &Frame, reason: Option<String>) -> Stop {
        match self.checkpoints.pop().flatten() {
            Some(saved) => {
                let said = std::mem::take(&mut self.state.said);
                self.state = State { said, ..saved };
                let reason = reason.unwrap_or_else(|| reason_of(frame));
                trace::tell(|| trace::What::RolledBack { reason: reason.clone() });
                self.state.said.push((None, reason));
                Box::new(Halt::Finished)
            }
            None if self.actions == 0 => fault("A rollback outside an action needs an open checkpoint."),
            None => self.refuse(frame, reason, false),
        }
    }

    pub fn over(&self) -> bool {
        self.state.outcome.is_some()
    }

    /// Who acts, or else whose turn it is.
    pub fn player(&self, frame: &Frame) -> Option<EntityId> {
        frame.actor.or(self.state.first())
    }

    pub fn refuse(&self, frame: &Frame, reason: Option<String>, quiet: bool) -> Stop {
        let reason = reason.unwrap_or_else(|| reason_of(frame));
        Box::new(Halt::Refused(Refused { law: frame.rule.clone(), reason, quiet }))
    }
}

/// What is said where no reason is given.
fn reason_of(frame: &Frame) -> String {
    match &frame.rule {
        Some(rule) => rule.to_string(),
        None => "It is taken back.".into(),
    }
}
