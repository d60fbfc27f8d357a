//! Who decides about what is only advised.

use houserules_kernel::{Choice, Who};
use houserules_record::{Refused, Warning};

use super::session::Session;
use crate::failure::Failure;

/// What stands in a record where everybody at the table decides.
pub const CONSENT: &str = "consent";

impl Session<'_, '_> {
    /// A person wants what an advised rule is against: the reason is told, the referee asked, the ruling written down.
    pub(super) fn ruled(&mut self, who: Who, choice: &Choice, warning: &Warning) -> Result<(), Failure> {
        let referee = self.running.head().referee.clone().unwrap_or_else(|| CONSENT.into());
        let advice = match &warning.refusal.law {
            Some(law) if *law == warning.refusal.reason => format!("The rule “{law}” advises against it."),
            Some(law) => format!("The rule “{law}” advises against it: {}", warning.refusal.reason),
            None => warning.refusal.reason.clone(),
        };
        self.warn(&advice)?;
        let question = if referee.eq_ignore_ascii_case(CONSENT) {
            format!("Do all agree to {} nevertheless? (y, n)", warning.words)
        } else {
            format!("{referee} is the referee. Is {} allowed? (y, n)", warning.words)
        };
        let allowed = self.yes(&question)?;
        self.running.rule_on(who, choice, allowed, &referee).map_err(told)?;
        if allowed { Ok(()) } else { Err(Failure::Input(format!("{} is not allowed.", warning.words))) }
    }

    /// What a change would give away is read to all people at the table, and they decide.
    pub(super) fn table_agrees(&mut self, reason: &str) -> Result<bool, Failure> {
        self.warn(reason)?;
        self.yes("Do all at the table agree to it nevertheless? (y, n)")
    }

    fn yes(&mut self, question: &str) -> Result<bool, Failure> {
        loop {
            let Some(typed) = self.terminal.ask(question)? else { return Ok(false) };
            match typed.to_lowercase().as_str() {
                "y" | "yes" => return Ok(true),
                "n" | "no" | "quit" => return Ok(false),
                _ => self.terminal.line("y or n.")?,
            }
        }
    }
}

pub(super) fn told(refused: Refused) -> Failure {
    Failure::Input(refused.to_string())
}
