//! What the walkers of this thread have come upon, for tests that must know what they have tried.

use houserules_model::Form;
use houserules_model::forms;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What was met since it was last asked.
#[derive(Clone, Default, Debug)]
pub struct Met {
    /// The forms that were carried out.
    pub forms: BTreeSet<Form>,
    /// Whether some rules ran out of their budget: where that is, each way to run a game counts for itself.
    pub ran_out: bool,
}

thread_local! {
    static MET: RefCell<Met> = RefCell::default();
}

/// What was met since this was last called; in builds with assertions only.
pub fn take() -> Met {
    MET.with(RefCell::take)
}

/// What was met on another thread.
pub(super) fn add(other: Met) {
    MET.with(|met| {
        let mut met = met.borrow_mut();
        met.forms.extend(other.forms);
        met.ran_out |= other.ran_out;
    });
}

pub(super) fn form(form: Form) {
    debug_assert!((form as usize) < forms::all().len());
    MET.with(|met| met.borrow_mut().forms.insert(form));
}

pub fn ran_out() {
    MET.with(|met| met.borrow_mut().ran_out = true);
}
