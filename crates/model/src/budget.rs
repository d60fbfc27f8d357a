//! How much a definition may use. All numbers stand here, and `docs/reference/limits.md` tells them to authors.

/// What one definition may use before it is stopped with a message: a stranger's rules are ordinary input.
///
/// Every question about a definition (read it, check it, open it, list choices or offers, show a view, evaluate, play,
/// undo) spends one budget for all of it, so that each is answered within a second or says why not.
///
/// # Stability
/// Records are replayed under the budget of the day: a smaller one may refuse what was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Steps of one question: instructions, members of lists made, places looked at, candidates listed.
    pub steps: u64,
    /// Messages and defines nested in each other.
    pub depth: u32,
    /// Eight-byte words of properties and lists.
    pub words: u32,
}

impl Budget {
    /// Files a game is made of; a circle is found before, but a pyramid of includes doubles on every level.
    pub const FILES: usize = 1_000;
    /// How deep files may stand in each other.
    pub const FILES_DEEP: usize = 32;
    /// Bytes of a definition, all its files together; of a match file as well.
    pub const TEXT: usize = 1 << 20;
    /// Bytes of a record: it holds a definition and a line for each choice.
    pub const RECORD: usize = 32 << 20;
    /// Directives of a definition, all its files together.
    pub const DIRECTIVES: usize = 5_000;
    /// Models of a game: what is said of a model is compiled for each of its children.
    pub const MODELS: usize = 250;
    /// Variants of a game; each is checked as a game of its own.
    pub const VARIANTS: usize = 50;
    /// Messages about one definition; more than this nobody reads.
    pub const MESSAGES: usize = 100;
    /// Things and places of a match, those made in play included.
    pub const THINGS: usize = 10_000;
    /// Members a definition may write down in one list.
    pub const MEMBERS: usize = 10_000;
    /// Candidates of one decision.
    pub const CANDIDATES: usize = 100_000;
}

impl Default for Budget {
    fn default() -> Self {
        Budget { steps: 50_000_000, depth: 2_000, words: 2_000_000 }
    }
}
