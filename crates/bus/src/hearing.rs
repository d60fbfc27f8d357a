use bytes::Bytes;
use futures_util::Stream;
use std::fmt;
use std::pin::Pin;

/// Messages of a subject, as they come.
pub type Heard = Pin<Box<dyn Stream<Item = Bytes> + Send>>;
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Carries messages to whoever listens to a subject at the moment.
///
/// Messages of one sender to one listener come in order. Any of them may be missing, and nobody tells.
pub trait Bus: Send + Sync + 'static {
    fn send<'a>(&'a self, subject: &'a str, message: Bytes) -> Later<'a, Result<(), Away>>;

    /// Everything sent to a subject from now on.
    fn listen<'a>(&'a self, subject: &'a str) -> Later<'a, Result<Heard, Away>>;
}

/// The bus carries nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Away(pub String);

impl fmt::Display for Away {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Away {}
