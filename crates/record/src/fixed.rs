use crate::Running;
use houserules_kernel::{OpenError, Position, Rulebook};

/// A running game whose rules stay as they are, such as one written by hand.
pub struct Fixed {
    title: String,
    seats: Vec<String>,
    position: Box<dyn Position>,
}

impl Fixed {
    pub fn open(rulebook: &dyn Rulebook) -> Result<Self, OpenError> {
        Ok(Fixed { title: rulebook.name().to_owned(), seats: rulebook.seats(), position: rulebook.open()? })
    }
}

impl Running for Fixed {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn seats(&self) -> Vec<String> {
        self.seats.clone()
    }

    fn position(&mut self) -> &mut dyn Position {
        &mut *self.position
    }

    fn look(&self) -> &dyn Position {
        &*self.position
    }

    fn duplicate(&self) -> Box<dyn Running> {
        let (title, seats) = (self.title.clone(), self.seats.clone());
        Box::new(Fixed { title, seats, position: self.position.duplicate() })
    }
}
