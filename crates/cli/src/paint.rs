//! Colour, where it helps and the reader can see it.

use std::io::IsTerminal;

use houserules_kernel::SeatId;

/// Whether and how text is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    Colour,
    Plain,
}

/// One for each seat, strong enough on light and dark grounds; further seats begin again.
const SEATS: [&str; 6] = ["1;34", "1;31", "1;32", "1;35", "1;36", "1;33"];

impl Paint {
    /// Colour on terminals, unless `NO_COLOR` is set.
    pub fn for_stdout() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        if wanted && std::io::stdout().is_terminal() { Paint::Colour } else { Paint::Plain }
    }

    pub fn seat(self, seat: Option<SeatId>, text: &str) -> String {
        match seat {
            Some(seat) => self.with(SEATS[usize::from(seat.0) % SEATS.len()], text),
            None => text.into(),
        }
    }

    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    pub fn warning(self, text: &str) -> String {
        self.with("33", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        match self {
            Paint::Colour if !text.trim().is_empty() => format!("\x1b[{code}m{text}\x1b[0m"),
            _ => text.into(),
        }
    }
}
