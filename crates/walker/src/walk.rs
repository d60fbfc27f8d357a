//! The meaning of the language: an interpreter that runs the trees of a definition as they stand.
//!
//! It is slow and simple on purpose. Words are looked up by name while running, the state is one plain struct
//! that is copied whenever something is tried, and a question in the middle of an action is answered by running
//! the action again from its beginning with one more answer. A faster machine is right when it gives the same
//! choices in the same order, the same refusals and the same results.
//!
//! Start reading at [`turns`], which goes from one decision to the next, then `messages`, which says what
//! happens when a message reaches an entity, then `names`, which says what a word means.

mod book;
mod carry;
mod changing;
mod choices;
mod eval;
mod forms;
mod history;
mod messages;
pub mod met;
mod names;
mod opening;
mod position;
mod run;
mod state;
mod stop;
pub mod trace;
mod turns;
mod value;
mod view;
mod words;

pub use position::WalkPosition;

use crate::constant::Const;
use crate::world::{self, Setup};
use book::Book;
use houserules_kernel::{OpenError, Position, Rulebook};
use houserules_model::{Budget, Definition, Diagnostic};
use std::sync::Arc;

/// A definition ready to be interpreted.
#[derive(Clone)]
pub struct WalkRulebook {
    book: Arc<Book>,
    digest: String,
}

/// Makes a rulebook of a definition whose variants are already applied.
pub fn rulebook(
    definition: &Definition,
    settings: &[(String, Const)],
    seats: Option<u32>,
    setup: Option<&Setup>,
) -> Result<WalkRulebook, Vec<Diagnostic>> {
    rulebook_within(Budget::default(), definition, settings, seats, setup)
}

/// The same where rules may use only so much.
pub fn rulebook_within(
    budget: Budget,
    definition: &Definition,
    settings: &[(String, Const)],
    seats: Option<u32>,
    setup: Option<&Setup>,
) -> Result<WalkRulebook, Vec<Diagnostic>> {
    let world = world::build(definition, settings, seats, setup)?;
    let digest = words::digest(&definition.for_play(), &world);
    Ok(WalkRulebook { book: Arc::new(Book::new(definition, world, budget)), digest })
}

impl Rulebook for WalkRulebook {
    fn name(&self) -> &str {
        self.book.definition.name()
    }

    fn seats(&self) -> Vec<String> {
        let players = &self.book.world.entities[1..=self.book.world.n_seats as usize];
        players.iter().map(|player| player.name.to_string()).collect()
    }

    fn digest(&self) -> String {
        self.digest.clone()
    }

    fn open(&self) -> Result<Box<dyn Position>, OpenError> {
        Ok(Box::new(WalkPosition::open(self.book.clone())?))
    }
}
