//! What needs the others.

use super::entry::Entry;
use super::task::Roles;
use super::{Open, Table, refuse};
use crate::{clock, from_wire, to_wire};
use houserules_kernel::{SeatId, Who};
use houserules_protocol::play::How;
use houserules_protocol::proposal::{Proposal, Wish};
use houserules_protocol::rules::{Change, Mode};
use houserules_protocol::scene::Scene;
use houserules_protocol::table::{Consent, Phase, SitterKind};
use houserules_protocol::{Code, Refusal};
use houserules_record::Event;

/// Open at once, at most.
const MOST_OPEN: usize = 8;

/// What is wished, in words.
pub(super) fn words(wish: &Wish) -> String {
    match wish {
        Wish::Undo { steps: None } => "take the last decision back".into(),
        Wish::Undo { steps: Some(1) } => "take one step back".into(),
        Wish::Undo { steps: Some(steps) } => format!("take {steps} steps back"),
        Wish::Redo { steps } => format!("do {steps} steps again"),
        Wish::Change { change } => change_words(change),
        Wish::Hand { entity, statements } => format!("by hand, {entity}: {statements}"),
        Wish::Ruling { .. } => "allow what an advised rule is against".into(),
        Wish::Draw => "a draw".into(),
        Wish::Pause => "a pause".into(),
        Wish::Resume => "go on".into(),
        Wish::Rematch => "another match".into(),
        Wish::Hints { on: true } => "hints for everybody".into(),
        Wish::Hints { on: false } => "no more hints".into(),
    }
}

/// A change of rules, in words.
pub(super) fn change_words(change: &Change) -> String {
    match change {
        Change::Mode { rule, mode } => {
            let mode = match mode {
                Mode::Enforced => "enforced",
                Mode::Advised => "advised",
                Mode::Off => "off",
            };
            format!("{rule} → {mode}")
        }
        Change::Setting { name, value } => format!("{name} → {value}"),
        Change::Text { text } if text.starts_with("#game") => "the definition as it is now in the studio".into(),
        Change::Text { text } => {
            let first = text.lines().next().unwrap_or_default();
            format!("new in the rules: {first}")
        }
    }
}

impl Table {
    fn consent(&self, wish: &Wish) -> Consent {
        let manners = self.about.manners();
        match wish {
            Wish::Undo { .. } | Wish::Redo { .. } => manners.undo,
            // Where something is hidden, a rule can be made to tell it: nobody decides that alone.
            Wish::Change { .. } | Wish::Hand { .. } if self.is_secret() && manners.rules != Consent::Nobody => {
                Consent::All
            }
            Wish::Change { .. } | Wish::Hand { .. } => manners.rules,
            Wish::Ruling { .. } => manners.advised,
            _ => Consent::All,
        }
    }

    /// Makes a wish known, or true, where nobody else has to agree.
    pub(super) fn propose(&mut self, roles: &Roles, seat: Option<u8>, wish: Wish) -> Result<Vec<Entry>, Refusal> {
        let chair = match seat {
            Some(seat) if usize::from(seat) >= self.n_seats() => return refuse(Code::SeatUnknown),
            Some(seat) if !self.holds(roles, seat) => return refuse(Code::ChoiceNotYours),
            Some(seat) => Some(self.order[usize::from(seat)]),
            None => roles.chairs.first().copied(),
        };
        if chair.is_none() && !roles.host {
            return refuse(Code::TokenNotAllowed);
        }
        self.may_wish(&wish, chair)?;
        if let Wish::Ruling { seat, .. } = wish {
            // What is allowed is played: nobody wishes for another seat's choice.
            self.may_play(roles, seat)?;
        }
        let consent = self.consent(&wish);
        if consent == Consent::Nobody {
            return refuse(match wish {
                Wish::Undo { .. } | Wish::Redo { .. } => Code::UndoForbidden,
                _ => Code::RuleFixed,
            });
        }
        let same = |open: &&Open| open.wish == wish;
        if let Some(open) = self.proposals.iter().find(same).cloned() {
            // Who wishes the same agrees.
            return match open.chair == chair {
                true => refuse(Code::ProposalSame),
                false => self.answer(roles, open.id, true),
            };
        }
        if self.proposals.len() >= MOST_OPEN {
            return refuse(Code::ProposalMany);
        }
        // A wish that cannot come true is not put to the others.
        self.try_out(&wish, chair)?;
        let mut open = Open { id: self.n + 1, chair, wish: wish.clone(), agreed: Vec::new() };
        open.agreed.extend(&roles.chairs);
        if self.is_agreed(&open, roles.host) {
            return self.fulfil(&open, self.name_of(chair), &[]);
        }
        let mut entries = vec![self.did(Entry::Proposed { chair, wish })];
        let id = self.n;
        for &chair in &roles.chairs {
            entries.push(self.did(Entry::Agreed { proposal: id, chair }));
        }
        Ok(entries)
    }

    fn may_wish(&self, wish: &Wish, chair: Option<u8>) -> Result<(), Refusal> {
        match (wish, self.phase) {
            (Wish::Rematch, Phase::Over) => Ok(()),
            (Wish::Rematch, _) => refuse(Code::TableStarted),
            (Wish::Hints { .. }, _) => Ok(()),
            (_, Phase::Lobby) => refuse(Code::TableNotStarted),
            (Wish::Resume, Phase::Paused) => Ok(()),
            (Wish::Resume, _) => refuse(Code::TableStarted),
            (Wish::Undo { .. }, Phase::Over) => {
                let by_rules = self.result.as_ref().is_some_and(|result| result.how == How::Played);
                if by_rules { Ok(()) } else { refuse(Code::TableOver) }
            }
            (Wish::Undo { steps: None }, _) if chair.is_none() => refuse(Code::ChoiceNotYours),
            _ => self.is_playing(),
        }
    }

    /// Whether a wish could come true now.
    fn try_out(&mut self, wish: &Wish, chair: Option<u8>) -> Result<(), Refusal> {
        match wish {
            Wish::Undo { .. } => self.steps_back(wish, chair).map(|_| ()),
            Wish::Redo { steps } => {
                let there = self.now.n_undone();
                if *steps == 0 || *steps as usize > there { refuse(Code::UndoNothing) } else { Ok(()) }
            }
            Wish::Change { change } => {
                let mut copy = self.now.running().duplicate();
                copy.change(&from_wire::change(change)).map_err(|words| from_wire::unfit(change, words))
            }
            Wish::Hand { entity, statements } => {
                let mut copy = self.now.running().duplicate();
                copy.by_hand(entity, statements).map_err(|words| Refusal::new(Code::RuleDoesNotFit, words))
            }
            Wish::Ruling { seat, choice } => {
                let who = Who::Seat(SeatId(*seat));
                let choice = self.now.choices(who).get(*choice as usize).cloned();
                let advised = |choice| self.now.warnings(who).iter().any(|warning| warning.choice == choice);
                if choice.is_some_and(advised) { Ok(()) } else { refuse(Code::ChoiceUnknown) }
            }
            _ => Ok(()),
        }
    }

    /// How many steps an undo takes: back to before the last decision of who asks.
    fn steps_back(&self, wish: &Wish, chair: Option<u8>) -> Result<u32, Refusal> {
        let n_done = self.now.steps().len();
        let steps = match wish {
            Wish::Undo { steps: Some(steps) } => Some(*steps as usize),
            _ => {
                let seat = chair.map(|chair| self.seat_of_chair(chair));
                let own =
                    |event: &Event| matches!(event, Event::Play { who: Who::Seat(who), .. } if Some(who.0) == seat);
                self.now.steps().rev().position(own).map(|at| at + 1)
            }
        };
        match steps {
            Some(steps) if steps > 0 && steps <= n_done => Ok(steps as u32),
            _ => refuse(Code::UndoNothing),
        }
    }

    /// The chairs of people whose word counts: who is away for a while does not hold up the others.
    fn voters(&self) -> Vec<u8> {
        let here = |chair: &u8| {
            let since = self.away_since[usize::from(*chair)];
            since == 0 || clock::now().saturating_sub(since) < self.shared.config.limits.away_after * 1000
        };
        let person = |chair: &u8| self.chairs[usize::from(*chair)].sitter == SitterKind::Person;
        (0..self.chairs.len() as u8).filter(person).filter(here).collect()
    }

    fn is_agreed(&self, open: &Open, by_host: bool) -> bool {
        let voters = self.voters();
        let agreed = voters.iter().filter(|chair| open.agreed.contains(chair) || open.chair == Some(**chair)).count();
        match self.consent(&open.wish) {
            Consent::All => agreed == voters.len(),
            Consent::Majority => 2 * agreed > voters.len() || voters.is_empty(),
            Consent::Host => by_host,
            Consent::Nobody => false,
        }
    }

    pub(super) fn answer(&mut self, roles: &Roles, id: u32, agree: bool) -> Result<Vec<Entry>, Refusal> {
        let Some(open) = self.proposals.iter().find(|open| open.id == id).cloned() else {
            return refuse(Code::ProposalUnknown);
        };
        let decides = roles.host && self.consent(&open.wish) == Consent::Host;
        let chairs: Vec<u8> = roles.chairs.iter().copied().filter(|chair| !open.agreed.contains(chair)).collect();
        if chairs.is_empty() && !decides {
            return refuse(if roles.chairs.is_empty() { Code::TokenNotAllowed } else { Code::ProposalOwn });
        }
        let by = self.name_of(chairs.first().copied());
        if !agree {
            let mut entries = Vec::new();
            if let Wish::Ruling { seat, choice } = open.wish {
                entries.extend(self.rule_on(seat, choice, false, &by)?);
            }
            entries.push(self.did(Entry::Settled { proposal: id, agreed: false, by }));
            return Ok(entries);
        }
        let mut entries = Vec::new();
        for chair in chairs {
            entries.push(self.did(Entry::Agreed { proposal: id, chair }));
        }
        entries.extend(self.settle_one(id, decides)?);
        Ok(entries)
    }

    /// Lets a proposal come true if all have agreed.
    fn settle_one(&mut self, id: u32, by_host: bool) -> Result<Vec<Entry>, Refusal> {
        let Some(open) = self.proposals.iter().find(|open| open.id == id).cloned() else { return Ok(Vec::new()) };
        if !self.is_agreed(&open, by_host) {
            return Ok(Vec::new());
        }
        let names: Vec<String> = open.agreed.iter().map(|&chair| self.name_of(Some(chair))).collect();
        // What does not fit any more is settled, too; it must not stay open for ever.
        let fits = self.try_out(&open.wish, open.chair);
        let by = self.name_of(open.chair);
        match fits {
            Err(_) => Ok(vec![self.did(Entry::Settled { proposal: id, agreed: false, by: "the rules".into() })]),
            Ok(()) => {
                let mut entries = vec![self.did(Entry::Settled { proposal: id, agreed: true, by: by.clone() })];
                entries.extend(self.fulfil(&open, by, &names)?);
                Ok(entries)
            }
        }
    }

    /// Proposals that only waited for somebody who is away now.
    pub(super) fn settle_all(&mut self) -> Result<Vec<Entry>, Refusal> {
        let ids: Vec<u32> = self.proposals.iter().map(|open| open.id).collect();
        let mut entries = Vec::new();
        for id in ids {
            entries.extend(self.settle_one(id, false)?);
        }
        Ok(entries)
    }

    pub(super) fn withdraw(&mut self, roles: &Roles, id: u32) -> Result<Vec<Entry>, Refusal> {
        let Some(open) = self.proposals.iter().find(|open| open.id == id) else { return refuse(Code::ProposalUnknown) };
        let own = match open.chair {
            Some(chair) => roles.chairs.contains(&chair),
            None => roles.host,
        };
        if !own {
            return refuse(Code::TokenNotAllowed);
        }
        let by = self.name_of(open.chair);
        Ok(vec![self.did(Entry::Settled { proposal: id, agreed: false, by })])
    }

    fn fulfil(&mut self, open: &Open, by: String, agreed: &[String]) -> Result<Vec<Entry>, Refusal> {
        let mut entries = match &open.wish {
            wish @ Wish::Undo { .. } => {
                let steps = self.steps_back(wish, open.chair)?;
                self.event(Event::Undo(steps), &by, agreed)?
            }
            Wish::Redo { steps } => self.event(Event::Redo(*steps), &by, agreed)?,
            Wish::Change { change } => {
                let done = self.event(Event::Change(from_wire::change(change)), &by, agreed);
                done.map_err(|refusal| from_wire::unfit(change, refusal.words))?
            }
            Wish::Hand { entity, statements } => {
                let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
                let (entity, statements) = (one_line(entity), one_line(statements));
                self.event(Event::Hand { entity, statements }, &by, agreed)?
            }
            Wish::Ruling { seat, choice } => {
                let by = if agreed.is_empty() { by.clone() } else { "consent".into() };
                let mut entries = self.rule_on(*seat, *choice, true, &by)?;
                let who = Who::Seat(SeatId(*seat));
                if let Some(choice) = self.now.choices(who).get(*choice as usize).cloned() {
                    entries.extend(self.play(who, &choice)?);
                }
                entries
            }
            Wish::Draw => {
                let mut entries = self.record_note("", "A draw was agreed.")?;
                let ranks = vec![1; self.n_seats()];
                entries.push(self.did(Entry::Ended { ranks, how: How::Agreed }));
                entries
            }
            Wish::Pause => vec![self.did(Entry::Paused { by })],
            Wish::Resume => vec![self.did(Entry::Resumed { by })],
            Wish::Rematch => {
                let mut order = self.order.clone();
                order.rotate_right(1);
                self.begin(order)?
            }
            Wish::Hints { on } => vec![self.did(Entry::Hints { on: *on })],
        };
        entries.extend(self.chance()?);
        Ok(entries)
    }

    pub(super) fn rule_on(&mut self, seat: u8, choice: u32, allowed: bool, by: &str) -> Result<Vec<Entry>, Refusal> {
        let who = Who::Seat(SeatId(seat));
        let warnings = self.now.warnings(who);
        let choices = self.now.choices(who);
        let Some(choice) = choices.get(choice as usize) else { return refuse(Code::ChoiceUnknown) };
        let Some(warning) = warnings.into_iter().find(|warning| warning.choice == *choice) else {
            return Ok(Vec::new());
        };
        let line = houserules_record::LineKind::Ruling {
            allowed,
            by: by.to_owned(),
            seat: self.now.seats()[usize::from(seat)].clone(),
            words: warning.words.clone(),
            rule: warning.rule().to_owned(),
        };
        match houserules_record::resolve(&mut self.now, &line) {
            Ok(Some(event)) => self.event(event, by, &[]),
            Ok(None) => Ok(Vec::new()),
            Err(words) => Err(Refusal::new(Code::RuleDoesNotFit, words)),
        }
    }

    /// What the table would look like if a choice were allowed that an advised rule is against.
    ///
    /// Where something is hidden nobody is told: the choice could turn it over.
    pub(super) fn preview(&mut self, roles: &Roles, id: u32) -> Result<Scene, Refusal> {
        let open = self.proposals.iter().find(|open| open.id == id);
        let Some(&Wish::Ruling { seat, choice }) = open.map(|open| &open.wish) else {
            return refuse(Code::ProposalUnknown);
        };
        self.may_look_back(roles)?;
        if self.is_secret() {
            return refuse(Code::RecordSecret);
        }
        let who = Who::Seat(SeatId(seat));
        let Some(choice) = self.now.choices(who).get(choice as usize).cloned() else {
            return refuse(Code::ChoiceUnknown);
        };
        let mut copy = self.now.running().duplicate();
        copy.overrule(who, &choice).map_err(|refusal| to_wire::refusal(&refusal))?;
        let viewer = super::eyes::viewer(self.eyes_of(roles));
        Ok(super::look::picture(copy.position(), self.now.seats(), viewer, Vec::new()))
    }

    /// The open proposals as everybody sees them.
    pub(super) fn shown_proposals(&self) -> Vec<Proposal> {
        let voters = self.voters();
        let shown = |open: &Open| {
            let waits = |chair: &&u8| !open.agreed.contains(chair) && open.chair != Some(**chair);
            let by = self.name_of(open.chair);
            let words = self::words(&open.wish);
            Proposal {
                id: open.id,
                words: format!("{by} proposes: {words}"),
                by,
                seat: open.chair.map(|chair| self.seat_of_chair(chair)),
                what: open.wish.clone(),
                waiting: voters.iter().filter(waits).map(|&chair| self.seat_of_chair(chair)).collect(),
                agreed: open.agreed.iter().map(|&chair| self.seat_of_chair(chair)).collect(),
            }
        };
        self.proposals.iter().map(shown).collect()
    }
}
