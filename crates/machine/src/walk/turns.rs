//! From one decision to the next: an action, the passing of the turn, the machine's own messages.

use super::history;
use super::run::Runner;
use super::stop::{Halt, Stop, fault};
use super::value::Message;
use crate::world::{EntityId, GAME};
use houserules_kernel::{Outcome, SeatId};
use houserules_model::Turns;

/// What was begun and runs until the next decision.
#[derive(Clone, Debug)]
pub enum Started {
    Setup,
    Action { player: EntityId, message: Message },
}

const MOST_STUCK: usize = 1000;

impl Runner<'_> {
    /// Runs what was started until players have to choose an action or the match is over: the seats then asked.
    pub fn run(&mut self, started: &Started) -> Result<Vec<SeatId>, Stop> {
        match started {
            Started::Setup => {
                self.machine_says("start")?;
                let before_the_first = self.state.players.last().copied();
                self.remember(before_the_first.unwrap_or(GAME))?;
                if !self.over() {
                    self.turn_begins()?;
                }
            }
            Started::Action { player, message } => {
                self.state.said.clear();
                self.state.begin();
                self.act(message.clone(), *player)?;
                if self.book.world.turns == Turns::Passing && !self.state.passed {
                    self.state.end_turn(None);
                }
                self.remember(*player)?;
                if self.state.passed && !self.over() {
                    self.turn_begins()?;
                }
            }
        }
        self.settle()
    }

    /// `turn` to the game; and again if its answer ends the turn.
    fn turn_begins(&mut self) -> Result<(), Stop> {
        for _ in 0..MOST_STUCK {
            self.machine_says("turn")?;
            if self.over() || !self.state.passed {
                return Ok(());
            }
        }
        Err(fault("Every turn ends as it begins, for ever."))
    }

    /// `stuck` to the game as long as nobody has a choice. An answer that changes nothing is no answer: a draw.
    fn settle(&mut self) -> Result<Vec<SeatId>, Stop> {
        for _ in 0..MOST_STUCK {
            if self.over() {
                return Ok(Vec::new());
            }
            let asked = self.who_can_act()?;
            if !asked.is_empty() {
                return Ok(asked);
            }
            let before = self.state.clone();
            self.machine_says("stuck")?;
            if self.state.passed && !self.over() {
                self.turn_begins()?;
            }
            if !self.over() && history::unchanged(&before, &self.state) {
                let n_seats = self.book.world.n_seats as usize;
                self.end(Outcome::draw(n_seats));
            }
        }
        Err(fault(format!(
            "Nobody could choose anything {MOST_STUCK} times in a row."
        )))
    }

    fn who_can_act(&mut self) -> Result<Vec<SeatId>, Stop> {
        let players: Vec<EntityId> = match self.book.world.turns {
            Turns::Free => (1..=self.book.world.n_seats)
                .filter(|player| self.state.players.contains(player))
                .collect(),
            _ => self.state.first().into_iter().collect(),
        };
        let mut asked = Vec::new();
        for player in players {
            if let Some(seat) = self.book.world.entity_seat(player)
                && !self.trying(|runner| runner.open_choices(player, true))?.is_empty()
            {
                asked.push(SeatId(seat as u8));
            }
        }
        Ok(asked)
    }

    /// A message from the machine to the game. Nobody acts in it, so a rollback needs a checkpoint of its own.
    fn machine_says(&mut self, label: &str) -> Result<(), Stop> {
        self.state.begin();
        self.checkpoints.clear();
        let message = Message {
            label: label.into(),
            to: Some(GAME),
            attributes: Default::default(),
            ignoring: Vec::new(),
            numbers: Vec::new(),
        };
        let result = self.send(message, GAME, None);
        let checkpoint = self.checkpoints.pop();
        self.checkpoints.clear();
        let Err(stop) = result else { return Ok(()) };
        match (*stop, checkpoint) {
            (Halt::Refused(_), Some(saved)) => {
                self.state = saved;
                Ok(())
            }
            (Halt::Refused(refused), None) => Err(fault(format!(
                "There is no checkpoint to roll back to in `{label}`: {}",
                refused.reason
            ))),
            (halt, _) => Err(Box::new(halt)),
        }
    }
}
