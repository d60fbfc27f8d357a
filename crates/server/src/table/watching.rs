//! A match watched from within: the message log of each step and what things keep, for who makes the game.

use super::task::Roles;
use super::{Table, refuse};
use houserules_model::RuleKind;
use houserules_protocol::table::Phase;
use houserules_protocol::watch::{Held, RuleSort, Watched, WatchedLine, WatchedStep, WatchedWhat};
use houserules_protocol::{Code, Refusal};
use houserules_record::{Changed, MessageLog, Traced, TracedWhat};

/// What was followed of the match that is played. It goes on where it was when it is asked again.
pub(super) struct Watching {
    number: u32,
    log: MessageLog,
    first: Vec<Held>,
    steps: Vec<WatchedStep>,
}

/// Later steps are not followed: everything is kept for who asks next.
const MOST_STEPS: usize = 400;
const MOST_LINES: usize = 500;

impl Table {
    /// What the rules did after a step. Of a match with secrets that is told when it is over: the log knows them all.
    pub(super) fn watched(&mut self, roles: &Roles, after: u32) -> Result<Watched, Refusal> {
        self.may_look_back(roles)?;
        if self.phase == Phase::Lobby {
            return refuse(Code::TableNotStarted);
        }
        if self.phase != Phase::Over && self.is_secret() {
            return refuse(Code::RecordSecret);
        }
        if self.watching.as_ref().is_none_or(|watching| watching.number != self.number) {
            let mut log = MessageLog::new(&self.now);
            let first = log.properties().into_iter();
            let first = first.map(|own| Held { thing: own.entity, property: own.property, value: Some(own.value) });
            let first = first.collect();
            self.watching = Some(Watching { number: self.number, log, first, steps: Vec::new() });
        }
        let Some(watching) = &mut self.watching else { return refuse(Code::TableNotStarted) };
        while watching.steps.len() < MOST_STEPS
            && let Some(followed) = watching.log.next(&self.now)
        {
            let (lines, lost) = match followed.heard {
                Ok(traced) => (traced.into_iter().take(MOST_LINES).filter_map(line).collect(), None),
                Err(reason) => (Vec::new(), Some(reason)),
            };
            let kept =
                |changed: Changed| Held { thing: changed.entity, property: changed.property, value: changed.new };
            let changed = followed.changed.into_iter().map(kept).collect();
            watching.steps.push(WatchedStep { step: followed.at as u32 + 1, lines, lost, changed });
        }
        Ok(Watched {
            number: watching.number,
            first: if after == 0 { watching.first.clone() } else { Vec::new() },
            steps: watching.steps.iter().skip(after as usize).cloned().collect(),
            cut: watching.steps.len() < self.now.log().len(),
        })
    }
}

fn line(traced: Traced) -> Option<WatchedLine> {
    let what = match traced.what {
        TracedWhat::Message { label, to, attributes, answers } => {
            let (model, state) = answers.map(|answers| (answers.model, answers.state)).unzip();
            WatchedWhat::Message { label, to, attributes, model, state }
        }
        TracedWhat::Unanswered => WatchedWhat::Unanswered,
        TracedWhat::Rule { kind, name, refused } => {
            let rule = match kind {
                RuleKind::Law => RuleSort::Law,
                RuleKind::AfterLaw => RuleSort::AfterLaw,
                RuleKind::SideEffect => RuleSort::SideEffect,
            };
            WatchedWhat::Rule { rule, name, refused }
        }
        TracedWhat::Wrote { thing, property, before, after } => WatchedWhat::Wrote { thing, property, before, after },
        TracedWhat::RolledBack { reason } => WatchedWhat::RolledBack { reason },
        TracedWhat::Stage => return None,
    };
    Some(WatchedLine { depth: traced.depth as u32, what })
}
