//! Choosing, resigning, time, chance.

use super::entry::Entry;
use super::task::Roles;
use super::{Table, refuse};
use crate::clock;
use crate::to_wire;
use houserules_kernel::{Choice, Decision, Plies, SeatId, Who};
use houserules_protocol::play::{How, RefusedChoice};
use houserules_protocol::proposal::Wish;
use houserules_protocol::table::Phase;
use houserules_protocol::{Code, Refusal};
use houserules_record::{Event, Refused};
use houserules_scene::stage::choice_of;

/// More refused candidates than that are not told.
const MOST_TOLD: usize = 500;

impl Table {
    /// Carries out a choice of a person and all that follows by chance.
    pub(super) fn choose(
        &mut self,
        roles: &Roles,
        step: u32,
        seat: u8,
        choice: u32,
        insist: bool,
    ) -> Result<Vec<Entry>, Refusal> {
        self.may_play(roles, seat)?;
        if step != self.step {
            return refuse(Code::ChoiceStale);
        }
        let who = Who::Seat(SeatId(seat));
        let choices = self.now.choices(who);
        let Some(choice_played) = choices.get(choice as usize) else { return refuse(Code::ChoiceUnknown) };
        let choice_played = choice_played.clone();
        match self.play(who, &choice_played) {
            Err(refusal) if refusal.code == Code::ChoiceAdvised && insist => {
                self.propose(roles, Some(seat), Wish::Ruling { seat, choice })
            }
            done => done,
        }
    }

    /// A click on what the definition draws by itself: a choice like any other, or nothing but another look for this seat.
    pub(super) fn click(
        &mut self,
        roles: &Roles,
        viewer: u64,
        step: u32,
        graphic: &str,
    ) -> Result<Vec<Entry>, Refusal> {
        let eyes = self.viewers.iter().find(|viewing| viewing.id == viewer).and_then(|viewing| viewing.key.eyes);
        let Some(seat) = eyes.filter(|&seat| self.holds(roles, seat)) else { return refuse(Code::ChoiceNotYours) };
        if step != self.step {
            return refuse(Code::ChoiceStale);
        }
        let Some(reaction) = self.clicked(seat, graphic) else {
            self.publish();
            return Ok(Vec::new());
        };
        self.may_play(roles, seat)?;
        match choice_of(self.now.position(), SeatId(seat), &reaction) {
            Some(choice) => self.play(Who::Seat(SeatId(seat)), &choice),
            None => refuse(Code::ChoiceUnknown),
        }
    }

    /// Whether a seat may choose now, and by this caller.
    pub(super) fn may_play(&self, roles: &Roles, seat: u8) -> Result<(), Refusal> {
        if usize::from(seat) >= self.n_seats() {
            return refuse(Code::SeatUnknown);
        }
        if !self.holds(roles, seat) {
            return refuse(Code::ChoiceNotYours);
        }
        self.is_playing()?;
        if !self.asked().contains(&seat) {
            return refuse(Code::ChoiceNotYours);
        }
        Ok(())
    }

    pub(super) fn is_playing(&self) -> Result<(), Refusal> {
        match self.phase {
            Phase::Lobby => refuse(Code::TableNotStarted),
            Phase::Paused => refuse(Code::TablePaused),
            Phase::Over => refuse(Code::TableOver),
            Phase::Playing => Ok(()),
        }
    }

    /// Plays a choice and draws what is left to chance after it.
    pub(super) fn play(&mut self, who: Who, choice: &Choice) -> Result<Vec<Entry>, Refusal> {
        let warning = self.now.warnings(who).into_iter().find(|warning| warning.choice == *choice);
        let overruled = warning.is_some();
        if let Some(warning) = warning.filter(|_| !self.now.permits(who, choice)) {
            let refusal = Refusal {
                code: Code::ChoiceAdvised,
                words: warning.refusal.reason.clone(),
                law: Some(warning.rule().to_owned()),
            };
            return Err(refusal);
        }
        let mut entries = self.event(Event::Play { who, choice: choice.clone(), overruled }, "", &[])?;
        entries.extend(self.chance()?);
        Ok(entries)
    }

    /// Does what an event says and gives the entry that keeps it. Refused, nothing has changed.
    pub(super) fn event(&mut self, event: Event, by: &str, agreed: &[String]) -> Result<Vec<Entry>, Refusal> {
        let entry = self.entry_of(&event, by, agreed);
        self.n += 1;
        let done = self.happen(&event, by, agreed, self.moment);
        if let Err(refused) = done {
            self.n -= 1;
            return Err(match refused {
                Refused::Refused(refusal) => to_wire::refusal(&refusal),
                Refused::Advised(warning) => to_wire::refusal(&warning.refusal),
                Refused::Unfit(words) => Refusal::new(Code::RuleDoesNotFit, words),
            });
        }
        Ok(vec![entry])
    }

    /// Draws until somebody is asked or the match is over.
    pub(super) fn chance(&mut self) -> Result<Vec<Entry>, Refusal> {
        let mut entries = Vec::new();
        while self.now.decision() == Decision::Nature {
            let choices = self.now.position().choices(Who::Nature);
            let weight = |choice: &Choice| u64::from(self.now.look().weight(choice));
            let total: u64 = choices.iter().map(weight).sum();
            if total == 0 || entries.len() > Plies::MOST_ANSWERS {
                return Err(Refusal::new(Code::ChoiceFault, Plies::endless().reason));
            }
            let mut at = self.generator.below(total);
            let mut drawn = None;
            for choice in &choices {
                let weight = u64::from(self.now.look().weight(choice));
                if at < weight {
                    drawn = Some(choice.clone());
                    break;
                }
                at -= weight;
            }
            let Some(choice) = drawn else { break };
            entries.extend(self.event(Event::Play { who: Who::Nature, choice, overruled: false }, "", &[])?);
        }
        Ok(entries)
    }

    /// Begins a match, with these chairs on the seats.
    pub(super) fn begin(&mut self, order: Vec<u8>) -> Result<Vec<Entry>, Refusal> {
        let mut entries = vec![self.did(Entry::Begin { seats: order })];
        entries.extend(self.chance()?);
        Ok(entries)
    }

    /// Something that is no line of the record.
    pub(super) fn did(&mut self, entry: Entry) -> Entry {
        self.n += 1;
        self.note(&entry, self.moment);
        entry
    }

    pub(super) fn resign(&mut self, roles: &Roles, seat: u8) -> Result<Vec<Entry>, Refusal> {
        if usize::from(seat) >= self.n_seats() {
            return refuse(Code::SeatUnknown);
        }
        if !self.holds(roles, seat) {
            return refuse(Code::ChoiceNotYours);
        }
        if self.phase != Phase::Paused {
            self.is_playing()?;
        }
        self.lose(seat, How::Resigned)
    }

    /// Whoever has no more time loses.
    pub(super) fn flag(&mut self) -> Result<Vec<Entry>, Refusal> {
        match self.clock.flag(self.moment) {
            Some(seat) => self.lose(seat, How::Time),
            None => Ok(Vec::new()),
        }
    }

    fn lose(&mut self, seat: u8, how: How) -> Result<Vec<Entry>, Refusal> {
        let name = self.now.seats()[usize::from(seat)].clone();
        let text = match how {
            How::Time => format!("The time of {name} is up."),
            _ => format!("{name} gives up."),
        };
        let mut entries = self.record_note(&name, &text)?;
        let ranks = (0..self.n_seats()).map(|other| if other == usize::from(seat) { 2 } else { 1 }).collect();
        entries.push(self.did(Entry::Ended { ranks, how }));
        Ok(entries)
    }

    /// A note in the record, for what its lines have no other word for.
    pub(super) fn record_note(&mut self, by: &str, text: &str) -> Result<Vec<Entry>, Refusal> {
        let time = clock::words(self.moment);
        let kind = houserules_record::LineKind::Note { time, by: by.to_owned(), text: text.to_owned() };
        match houserules_record::resolve(&mut self.now, &kind) {
            Ok(Some(event)) => self.event(event, by, &[]),
            _ => Ok(Vec::new()),
        }
    }

    pub(super) fn words(&mut self, roles: &Roles, seat: u8) -> Result<Vec<String>, Refusal> {
        self.may_play(roles, seat)?;
        let who = Who::Seat(SeatId(seat));
        let choices = self.now.choices(who);
        Ok(choices.iter().map(|choice| self.now.look().words(who, choice)).collect())
    }

    pub(super) fn why(&mut self, roles: &Roles, seat: u8) -> Result<Vec<RefusedChoice>, Refusal> {
        self.may_play(roles, seat)?;
        let position = self.now.position();
        let offers = position.offers(SeatId(seat));
        let refused = offers.into_iter().filter_map(|offer| {
            let refusal = offer.refused?;
            let points = position.points(Who::Seat(SeatId(seat)), &offer.choice);
            let points = points.into_iter().map(|thing| thing.0).collect();
            Some(RefusedChoice { words: offer.words, law: refusal.law, reason: refusal.reason, points })
        });
        Ok(refused.take(MOST_TOLD).collect())
    }
}
