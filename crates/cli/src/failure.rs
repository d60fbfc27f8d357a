//! How a command fails.

use std::io;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The input was not understood or does not fit; the words say what to do about it.
    Input(String),
    /// Writing failed. A reader that has seen enough is no failure.
    Output(io::Error),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::Input(message)
    }
}

impl From<houserules_kernel::OpenError> for Failure {
    fn from(error: houserules_kernel::OpenError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<houserules_kernel::Refusal> for Failure {
    fn from(refusal: houserules_kernel::Refusal) -> Self {
        Failure::Input(refusal.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Failure::Output(error.into())
    }
}
