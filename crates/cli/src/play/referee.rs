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
        let allowed = loop {
            let Some(typed) = self.terminal.ask(&question)? else { break false };
            match typed.to_lowercase().as_str() {
                "y" | "yes" => break true,
                "n" | "no" | "quit" => break false,
                _ => self.terminal.line("y or n.")?,
            }
        };
        self.running.rule_on(who, choice, allowed, &referee).map_err(told)?;
        if allowed { Ok(()) } else { Err(Failure::Input(format!("{} is not allowed.", warning.words))) }
    }
}

pub(super) fn told(refused: Refused) -> Failure {
    Failure::Input(refused.to_string())
}
