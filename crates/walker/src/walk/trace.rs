//! What the interpreter does, told to whoever listens: messages, laws asked, refusals, side-effects, values written.
//!
//! Only what is done counts. What is merely tried, to find out what is legal, is not told.

use super::stop::Halt;
use houserules_model::RuleKind;
use std::cell::RefCell;

/// One thing the interpreter did, in order; things inside others are deeper.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traced {
    pub depth: usize,
    pub what: What,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A message reached a thing; what it says besides its label, in words.
    Message { label: String, to: String, attributes: Vec<(String, String)>, answers: Option<Answering> },
    /// The message found nothing that answers it.
    Unanswered,
    /// A rule ran. A law that refused gave a reason.
    Rule { kind: RuleKind, name: String, refused: Option<String> },
    /// A thing keeps something else than before.
    Wrote { thing: String, property: String, before: String, after: String },
    /// What was written since the innermost checkpoint is as it was then, and the action ends.
    RolledBack { reason: String },
    /// A stretch of play begins: what a question interrupts is begun again from here.
    Stage,
}

/// The behavior that answers a message: the model that says it, and the state it stands in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answering {
    pub model: String,
    pub state: String,
}

/// Who listens, on its way from one thread to another.
#[derive(Default)]
pub(super) struct Listener {
    heard: Vec<Traced>,
    depth: usize,
    /// Inside so many trials.
    tried: usize,
}

thread_local! {
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
}

/// Runs something and gives what the interpreter did in it.
pub fn listen<T>(run: impl FnOnce() -> T) -> (T, Vec<Traced>) {
    let before = LISTENER.with(|listener| listener.replace(Some(Listener::default())));
    let result = run();
    let heard = LISTENER.with(|listener| listener.replace(before));
    (result, heard.map(|listener| listener.heard).unwrap_or_default())
}

pub(super) fn take() -> Option<Listener> {
    LISTENER.with(|listener| listener.replace(None))
}

pub(super) fn give(listener: Option<Listener>) {
    LISTENER.with(|known| known.replace(listener));
}

/// Whether somebody listens to what is done now.
pub(super) fn is_heard() -> bool {
    LISTENER.with(|listener| listener.borrow().as_ref().is_some_and(|listener| listener.tried == 0))
}

/// Tells a listener; making the words is left out when nobody listens.
pub(super) fn tell(what: impl FnOnce() -> What) {
    LISTENER.with(|listener| {
        if let Some(listener) = listener.borrow_mut().as_mut()
            && listener.tried == 0
        {
            listener.heard.push(Traced { depth: listener.depth, what: what() });
        }
    });
}

/// As long as it lives, nothing is told: what happens is merely tried.
pub(super) fn trying() -> Trying {
    change(|listener| listener.tried += 1);
    Trying
}

pub(super) struct Trying;

impl Drop for Trying {
    fn drop(&mut self) {
        change(|listener| listener.tried -= 1);
    }
}

pub(super) fn rule(kind: RuleKind, name: &str, result: &Result<(), super::stop::Stop>) {
    tell(|| {
        let refused = match result.as_ref().err().map(|stop| &**stop) {
            Some(Halt::Refused(refused)) => Some(refused.reason.clone()),
            _ => None,
        };
        What::Rule { kind, name: name.to_owned(), refused }
    });
}

/// As long as it lives, what is told is inside a message; inside one that is merely tried, nothing is.
pub(super) struct Inside {
    trial: bool,
}

pub(super) fn inside(trial: bool) -> Inside {
    change(|listener| {
        listener.depth += 1;
        listener.tried += usize::from(trial);
    });
    Inside { trial }
}

impl Drop for Inside {
    fn drop(&mut self) {
        change(|listener| {
            listener.depth -= 1;
            listener.tried -= usize::from(self.trial);
        });
    }
}

fn change(how: impl FnOnce(&mut Listener)) {
    LISTENER.with(|listener| {
        if let Some(listener) = listener.borrow_mut().as_mut() {
            how(listener);
        }
    });
}
