//! Checkpoints: where a rollback goes back to.
//!
//! They are a stack. A rollback restores the innermost one and ends the action; what the action had changed before that
//! one was opened stays. Where that is nothing, or none was opened, the action is refused.

use super::*;
use std::collections::BTreeSet;

/// The checkpoints open in the action being carried out or tried, or in a message of the machine.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Checkpoints {
    /// Where the action began.
    began: Mark,
    /// So many were open when it began: they belong to what it is tried in.
    floor: u32,
    /// None where the action had changed nothing yet.
    open: Vec<Option<Mark>>,
}

/// What a trial interrupts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    in_action: bool,
    testing: bool,
    began: Mark,
    floor: u32,
}

impl Checkpoints {
    /// So many changes had been made when the action began.
    pub(crate) const BEGAN: usize = std::mem::offset_of!(Checkpoints, began) + Mark::CHANGES;

    #[inline]
    pub fn clear(&mut self) {
        self.open.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub fn copy_from(&mut self, other: &Checkpoints) {
        (self.began, self.floor) = (other.began, other.floor);
        copy_list(&mut self.open, &other.open);
    }
}

impl Machine {
    /// An action begins here.
    #[inline]
    pub(crate) fn begin_checkpoints(&mut self) {
        self.checkpoints.clear();
        (self.checkpoints.began, self.checkpoints.floor) = (self.mem.mark(), 0);
    }

    /// From here on an action is only tried.
    #[inline]
    pub(crate) fn begin_trial(&mut self) -> Trial {
        let Checkpoints { began, floor, ref open } = self.checkpoints;
        let trial = Trial { in_action: self.in_action, testing: self.testing, began, floor };
        (self.checkpoints.began, self.checkpoints.floor) = (self.mem.mark(), open.len() as u32);
        (self.in_action, self.testing) = (true, true);
        trial
    }

    #[inline]
    pub(crate) fn end_trial(&mut self, trial: Trial) {
        let Trial { in_action, testing, began, floor } = trial;
        self.checkpoints.open.truncate(self.checkpoints.floor as usize);
        (self.checkpoints.began, self.checkpoints.floor) = (began, floor);
        (self.in_action, self.testing) = (in_action, testing);
    }

    pub(super) fn open_checkpoint(&mut self) {
        let stays = !self.in_action || self.has_changed(self.checkpoints.began);
        let mark = stays.then(|| self.mem.mark());
        self.checkpoints.open.push(mark);
    }

    /// What a rollback stops: the action, or what ran since the innermost checkpoint.
    pub(crate) fn roll_back(&mut self, program: &Program, rule: RuleId, reason: Value) -> Run<Stop> {
        let reason = match program.rules.get(rule as usize) {
            _ if !reason.is_nil() => reason,
            Some(rule) => Value::text(rule.text),
            None => Value::text(program.taken_back),
        };
        let floor = if self.in_action { self.checkpoints.floor as usize } else { 0 };
        let open = &mut self.checkpoints.open;
        let innermost = if open.len() > floor { open.pop() } else { None };
        match innermost.flatten() {
            Some(mark) => {
                self.rollback(mark);
                self.say(program, reason, None)?;
                Ok(Stop::Finished)
            }
            None if self.in_action => Ok(Stop::Refused { rule, reason }),
            None => Err(Stop::fault("A rollback outside an action needs an open checkpoint.")),
        }
    }

    pub fn clear_checkpoints(&mut self) {
        self.checkpoints.clear();
    }

    /// Whether anything is otherwise than at the mark. What was changed and changed back is not.
    fn has_changed(&self, mark: Mark) -> bool {
        let mut met = BTreeSet::from([layout::ACTOR]);
        let changes = &self.mem.journal[Memory::changes_at(mark)..];
        changes.iter().any(|change| {
            let slot = change.slot as u32;
            met.insert(slot) && !self.equal(Value(change.old), self.mem.get(slot))
        })
    }
}
