//! From what was sent to what is played.

use houserules_model as model;
use houserules_protocol::rules::{Change, Mode};
use houserules_protocol::{Code, Refusal};
use houserules_record as record;

pub fn change(change: &Change) -> record::Change {
    match change {
        Change::Mode { rule, mode } => record::Change::Mode { rule: rule.clone(), mode: self::mode(*mode) },
        Change::Setting { name, value } => record::Change::Setting { name: name.clone(), value: value.clone() },
        Change::Text { text } => record::Change::Text(text.clone()),
    }
}

fn mode(mode: Mode) -> model::Mode {
    match mode {
        Mode::Enforced => model::Mode::Enforced,
        Mode::Advised => model::Mode::Advised,
        Mode::Off => model::Mode::Off,
    }
}

/// A change as it is told again.
pub fn told(change: &record::Change) -> Change {
    match change {
        record::Change::Mode { rule, mode } => Change::Mode { rule: rule.clone(), mode: crate::to_wire::mode(*mode) },
        record::Change::Setting { name, value } => Change::Setting { name: name.clone(), value: value.clone() },
        record::Change::Text(text) => Change::Text { text: text.clone() },
    }
}

/// Why a change cannot be made: a text that does not compile is another matter than a match that does not fit.
pub fn unfit(change: &Change, words: String) -> Refusal {
    let unknown = words.starts_with("There is no rule") || words.starts_with("There is no setting");
    let code = match change {
        _ if unknown => Code::RuleUnknown,
        Change::Text { .. } if words.contains("error") => Code::RuleText,
        _ => Code::RuleDoesNotFit,
    };
    Refusal::new(code, words)
}
