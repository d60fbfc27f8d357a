//! Rules in play: what they are, and what a change would do.

use super::Table;
use super::task::Roles;
use crate::{from_wire, games, to_wire};
use houserules_gdl::read_items;
use houserules_kernel::{Viewer, Who};
use houserules_protocol::rules::{Change, Diagnosis, RuleInfo, SettingInfo};
use houserules_record::Event;
use std::time::{Duration, Instant};

/// Looking back must not keep others waiting.
const LOOK_BACK: Duration = Duration::from_millis(100);

impl Table {
    pub(super) fn rules(&mut self) -> (Vec<RuleInfo>, Vec<SettingInfo>) {
        match (self.now.running().as_defined(), self.start.running().as_defined()) {
            (Some(defined), Some(printed)) => (
                games::rules(defined.definition(), defined.sources(), printed.definition()),
                games::settings(defined.definition(), &defined.options().settings),
            ),
            _ => (Vec::new(), Vec::new()),
        }
    }

    /// How many changes of rules are in effect.
    pub(super) fn n_changes(&self) -> u32 {
        self.now.steps().filter(|event| matches!(event, Event::Change(_))).count() as u32
    }

    /// What would come of a change, tried on a copy.
    pub(super) fn diagnose(&mut self, roles: &Roles, change: &Change) -> Diagnosis {
        let mut diagnosis =
            Diagnosis { fits: false, why: None, diagnostics: Vec::new(), looked_at: 0, would_differ: Vec::new() };
        let Some(defined) = self.now.running().as_defined().cloned() else {
            diagnosis.why = Some("The rules of this game cannot be changed.".into());
            return diagnosis;
        };
        if let Change::Text { text } = change {
            let mut sources = defined.sources().clone();
            let (_, faults) = read_items(&mut sources, "typed", text);
            diagnosis.diagnostics = faults.iter().map(|fault| to_wire::diagnostic(fault, &sources)).collect();
        }
        let wanted = from_wire::change(change);
        let mut copy = self.now.running().duplicate();
        match copy.change(&wanted) {
            Ok(()) => diagnosis.fits = true,
            Err(words) => diagnosis.why = Some(words),
        }
        // What happened in secret would show by what would have gone otherwise.
        if diagnosis.fits && !self.is_secret() && self.may_look_back(roles).is_ok() {
            self.look_back(&wanted, &mut diagnosis);
        }
        diagnosis
    }

    /// Plays the match again beside one with the change, and notes the moves that would have gone otherwise.
    fn look_back(&mut self, change: &houserules_record::Change, diagnosis: &mut Diagnosis) {
        let began = Instant::now();
        let (mut plain, mut changed) = (self.now.start().duplicate(), self.now.start().duplicate());
        if changed.change(change).is_err() {
            return;
        }
        let mut n_moves = 0;
        for event in self.now.steps() {
            let Event::Play { who, choice, overruled: false } = event else { return };
            if began.elapsed() > LOOK_BACK {
                return;
            }
            n_moves += u32::from(matches!(who, Who::Seat(_)));
            let words = plain.look().words(*who, choice);
            let choices = changed.position().choices(*who);
            let same = choices.iter().find(|other| changed.look().words(*who, other) == words).cloned();
            if plain.position().play(*who, choice).is_err() {
                return;
            }
            let played = same.is_some_and(|same| changed.position().play(*who, &same).is_ok());
            let equal = played && changed.position().view(Viewer::All) == plain.position().view(Viewer::All);
            diagnosis.looked_at = n_moves;
            if !equal {
                if matches!(who, Who::Seat(_)) {
                    diagnosis.would_differ.push(n_moves);
                }
                changed = plain.duplicate();
                if changed.change(change).is_err() {
                    return;
                }
            }
        }
    }
}
