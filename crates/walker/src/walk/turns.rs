//! From one decision to the next: an action, the passing of the turn, the machine's own messages.

use super::history;
use super::run::Runner;
use super::stop::{Halt, Stop, fault};
use super::value::Message;
use crate::world::{EntityId, GAME};
use houserules_kernel::{Outcome, SeatId};
use houserules_model::Turns;

/// A stretch of play that a question can interrupt. It is then begun again, with one more answer.
#[derive(Clone, Debug)]
pub enum Stage {
    /// `start` to the game.
    Setup,
    Action {
        player: EntityId,
        message: Message,
    },
    /// `turn` to the game. `idle` counts how often since the last action or answer nothing could be done.
    Turn {
        idle: usize,
    },
    /// Nobody, perhaps, has a choice: then `stuck` to the game.
    Settle {
        idle: usize,
    },
}

const MOST_IDLE: usize = 1000;

impl Runner<'_> {
    /// Runs until players have to choose an action or the match is over: the seats then asked.
    pub fn run(&mut self, mut stage: Stage) -> Result<Vec<SeatId>, Stop> {
        loop {
            self.log.clear();
            self.base = self.state.clone();
            self.stage = stage.clone();
            super::trace::tell(|| super::trace::What::Stage);
            stage = match stage {
                Stage::Setup => self.set_up()?,
                Stage::Action { player, message } => self.action(player, message)?,
                _ if self.over() => return Ok(Vec::new()),
                Stage::Turn { idle } | Stage::Settle { idle } if idle > MOST_IDLE => {
                    return Err(fault(format!("Nobody could choose anything {idle} times in a row.")));
                }
                Stage::Turn { idle } => {
                    self.machine_says("turn")?;
                    // An answer to `turn` that ends the turn begins another.
                    let idle = if self.log.is_empty() { idle } else { 0 };
                    self.after_message(idle + usize::from(self.state.passed))
                }
                Stage::Settle { idle } => {
                    let asked = self.who_can_act()?;
                    if !asked.is_empty() {
                        return Ok(asked);
                    }
                    self.stuck()?;
                    self.after_message(if self.log.is_empty() { idle + 1 } else { 0 })
                }
            };
        }
    }

    fn set_up(&mut self) -> Result<Stage, Stop> {
        self.machine_says("start")?;
        let before_the_first = self.state.players.last().copied();
        self.remember(before_the_first.unwrap_or(GAME))?;
        Ok(Stage::Turn { idle: 0 })
    }

    /// The action; then the turn passes by itself where `#turns` says so and the action has not kept or passed it.
    fn action(&mut self, player: EntityId, message: Message) -> Result<Stage, Stop> {
        self.state.said.clear();
        self.state.begin();
        if let Err(stop) = self.act(message, player)
            && !matches!(*stop, Halt::Finished)
        {
            return Err(stop);
        }
        if self.book.world.turns == Turns::Passing && !self.state.passed {
            self.state.end_turn(None);
        }
        self.remember(player)?;
        Ok(self.after_message(0))
    }

    /// If a turn has begun, the game is told.
    pub(super) fn after_message(&self, idle: usize) -> Stage {
        if self.state.passed { Stage::Turn { idle } } else { Stage::Settle { idle } }
    }

    /// `stuck` to the game. An answer that changes nothing is no answer: a draw.
    fn stuck(&mut self) -> Result<(), Stop> {
        let before = self.state.clone();
        self.machine_says("stuck")?;
        if !self.state.passed && history::unchanged(&before, &self.state) {
            let n_seats = self.book.world.n_seats as usize;
            self.end(Outcome::draw(n_seats));
        }
        Ok(())
    }

    fn who_can_act(&mut self) -> Result<Vec<SeatId>, Stop> {
        let players: Vec<EntityId> = match self.book.world.turns {
            Turns::Free => (1..=self.book.world.n_seats).filter(|player| self.state.players.contains(player)).collect(),
            _ => self.state.first().into_iter().collect(),
        };
        let (mut asked, mut fault) = (Vec::new(), None);
        for player in players {
            let Some(seat) = self.book.world.entity_seat(player) else { continue };
            match self.trying(|runner| runner.open_choices(player, true)) {
                Ok(choices) if choices.is_empty() => {}
                Ok(_) => asked.push(SeatId(seat as u8)),
                Err(stop) => fault = Some(stop),
            }
        }
        // As long as somebody else can choose, the rules have not come to an end.
        match fault {
            Some(fault) if asked.is_empty() => Err(fault),
            _ => Ok(asked),
        }
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
        self.checkpoints.clear();
        match result {
            Err(stop) if !matches!(*stop, Halt::Finished) => Err(stop),
            _ => Ok(()),
        }
    }
}
