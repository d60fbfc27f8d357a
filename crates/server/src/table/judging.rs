//! What a match that is looked back at was worth, step by step.

use super::task::{Reply, Roles};
use super::{Chair, Table, refuse};
use crate::thinking::Question;
use houserules_kernel::{Decision, Position, SeatId, Who};
use houserules_protocol::replay::{Considered, Hint};
use houserules_protocol::table::{Phase, SitterKind};
use houserules_protocol::{Code, Refusal};
use std::net::IpAddr;

/// How well a match is judged: quickly, because every step is.
const LEVEL: u8 = 4;

impl Table {
    /// What the machine thinks of the match after so many steps, for the first seat that was asked there.
    ///
    /// Another question stops the one before: who goes through a match asks one after the other.
    pub(super) fn judge(&mut self, roles: &Roles, step: u32, from: Option<IpAddr>, reply: Reply<Hint>) {
        let (position, seat) = match self.judged(roles, step) {
            Ok(found) => found,
            Err(refusal) => {
                let _ = reply.send(Err(refusal));
                return;
            }
        };
        let (mut asked, who) = (position.duplicate(), Who::Seat(SeatId(seat)));
        let level = self.shared.config.limits.level.min(LEVEL);
        let question = Question { step, seat, level, from, record: None };
        let thinking = self.shared.thinkers.think(position, question, move |thought| {
            let hint = thought.map(|thought| Hint {
                seat,
                choice: asked.choices(who).iter().position(|choice| *choice == thought.choice).unwrap_or(0) as u32,
                words: asked.words(who, &thought.choice),
                value: thought.value,
                line: thought.line,
                considered: thought
                    .considered
                    .into_iter()
                    .map(|one| Considered { words: one.words, visits: one.visits, value: one.value })
                    .collect(),
            });
            let _ = reply.send(hint.ok_or_else(|| Refusal::new(Code::RecordStep, "Nothing can be said of this step.")));
        });
        self.judging = Some(thinking);
    }

    /// Whether somebody else sits here. Whoever plays all sides at one screen asks for nobody's advantage.
    pub(super) fn has_company(&self, roles: &Roles) -> bool {
        let of_others = |(seat, chair): (usize, &Chair)| {
            chair.sitter == SitterKind::Person && !roles.chairs.contains(&(seat as u8))
        };
        self.chairs.iter().enumerate().any(of_others)
    }

    /// The position after a step, and who is asked there. Judging is a hint: it is given where hints are, and of
    /// secrets only when the match is over.
    fn judged(&mut self, roles: &Roles, step: u32) -> Result<(Box<dyn Position>, u8), Refusal> {
        self.may_look_back(roles)?;
        if self.phase != Phase::Over {
            if !self.hints && self.has_company(roles) {
                return refuse(Code::HintForbidden);
            }
            if self.is_secret() {
                return refuse(Code::RecordSecret);
            }
        }
        let none = |_| Refusal::new(Code::RecordStep, "There is no such step.");
        if step as usize > self.now.log().len() {
            return Err(none(()));
        }
        let mut then = self.now.fork_at("", step as usize).map_err(|_| none(()))?;
        match then.decision() {
            Decision::Seats { asked, .. } if !asked.is_empty() => {
                let position = then.running().strict().unwrap_or_else(|| then.look().duplicate());
                Ok((position, asked[0].0))
            }
            _ => Err(Refusal::new(Code::RecordStep, "Nobody is asked after this step.")),
        }
    }
}
