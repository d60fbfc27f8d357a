use std::fmt;

/// Why a choice was not played. The position is as it was before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub kind: RefusalKind,
    /// The rule that refused, by its name, where one did.
    pub law: Option<String>,
    /// The reason in words.
    pub reason: String,
}

/// What kind of thing stands against a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalKind {
    /// A rule forbids it.
    Law,
    /// The choice is not among the candidates, or that seat is not asked.
    NotOffered,
    /// The definition has a fault: a run-time error, or a budget used up.
    Fault,
}

impl Refusal {
    pub fn not_offered(reason: impl Into<String>) -> Self {
        Refusal { kind: RefusalKind::NotOffered, law: None, reason: reason.into() }
    }

    pub fn fault(reason: impl Into<String>) -> Self {
        Refusal { kind: RefusalKind::Fault, law: None, reason: reason.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.law {
            Some(law) if *law == self.reason => write!(f, "Refused by the rule “{law}”."),
            Some(law) => write!(f, "Refused by the rule “{law}”: {}", self.reason),
            None => write!(f, "{}", self.reason),
        }
    }
}

impl std::error::Error for Refusal {}

/// Why a rulebook could not open a position: its set-up failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenError(pub String);

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OpenError {}
