//! What the rules did, in words.

use houserules_model::RuleKind;
use houserules_record::{Traced, TracedWhat};

/// One line of a message log, what is inside something else further in.
pub fn words(traced: &Traced) -> String {
    let indent = "  ".repeat(traced.depth);
    let kind = |kind: &RuleKind| match kind {
        RuleKind::Law => "law",
        RuleKind::AfterLaw => "law afterwards",
        RuleKind::SideEffect => "side-effect",
    };
    match &traced.what {
        TracedWhat::Message { label, to, attributes, .. } => {
            let with: Vec<String> = attributes.iter().map(|(name, value)| format!(" {name} {value}")).collect();
            let with = if with.is_empty() { String::new() } else { format!(" with{}", with.concat()) };
            format!("{indent}{label} to {to}{with}")
        }
        TracedWhat::Unanswered => format!("{indent}nothing answers"),
        TracedWhat::Rule { kind: of, name, refused: None } => format!("{indent}{} “{name}”", kind(of)),
        TracedWhat::Rule { kind: of, name, refused: Some(reason) } => {
            format!("{indent}{} “{name}” refuses: {reason}", kind(of))
        }
        TracedWhat::Wrote { thing, property, before, after } => {
            format!("{indent}{thing} {property}: {before} → {after}")
        }
        TracedWhat::RolledBack { reason } => format!("{indent}taken back to the checkpoint: {reason}"),
        TracedWhat::Stage => String::new(),
    }
}
