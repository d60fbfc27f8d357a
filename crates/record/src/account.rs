//! What happened in a match, in words, for whoever looks at it.

use crate::{Change, Event, Match, Refused, mode_word};
use houserules_kernel::{Choice, Position, Viewer, Who, has_secrets, told};

/// One thing that a viewer is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Told {
    /// Somebody chose; without words where the viewer only learns that.
    Chose { who: Who, words: Option<String> },
    /// The rules said it.
    Said(String),
    /// Anything else: rules changed, steps taken back.
    Happened(String),
}

impl Told {
    /// As a line for people; none where there is nothing to say.
    pub fn line(&self, seats: &[String]) -> Option<String> {
        Some(match self {
            Told::Chose { who: Who::Nature, words } => format!("Chance: {}", words.as_ref()?),
            Told::Chose { who: Who::Seat(seat), words } => {
                let name = seats.get(usize::from(seat.0)).map_or("Somebody", String::as_str);
                match words {
                    Some(words) => format!("{name}: {words}"),
                    None => format!("{name} has chosen."),
                }
            }
            Told::Said(line) | Told::Happened(line) => line.clone(),
        })
    }
}

/// What an event is to some viewers: made before it happens, because later nobody could say what was visible then.
///
/// An event is shown to whom it was visible when it happened, with what was visible then; what is revealed later is told
/// by the game, not by its past. [`houserules_kernel::told`] says what that means for a choice.
pub struct Account {
    viewers: Vec<(Viewer, Vec<Told>)>,
    /// Whether the rules may have said something.
    plays: bool,
}

impl Account {
    /// Of a choice.
    pub fn of_choice(position: &mut dyn Position, who: Who, choice: &Choice, viewers: &[Viewer]) -> Self {
        let mut account = Vec::new();
        for &viewer in viewers {
            account.push((viewer, vec![Told::Chose { who, words: told(position, viewer, who, choice) }]));
        }
        Account { viewers: account, plays: true }
    }

    /// Of whatever is about to happen.
    pub fn of(now: &mut Match, event: &Event, viewers: &[Viewer]) -> Self {
        match event {
            Event::Play { who, choice, .. } => Account::of_choice(now.position(), *who, choice, viewers),
            event => {
                let told: Vec<Told> = words(event).into_iter().map(Told::Happened).collect();
                Account { viewers: viewers.iter().map(|&viewer| (viewer, told.clone())).collect(), plays: false }
            }
        }
    }

    /// What each viewer is told when it has happened, in the order in which they were named.
    pub fn after(self, position: &dyn Position) -> Vec<Vec<Told>> {
        let plays = self.plays;
        let with_said = |(viewer, mut told): (Viewer, Vec<Told>)| {
            if plays {
                told.extend(position.said(viewer).into_iter().map(Told::Said));
            }
            told
        };
        self.viewers.into_iter().map(with_said).collect()
    }
}

impl Match {
    /// As [`Match::apply`], and tells each viewer of it.
    pub fn apply_for(&mut self, event: &Event, viewers: &[Viewer]) -> Result<Vec<Vec<Told>>, Refused> {
        let account = Account::of(self, event, viewers);
        self.apply(event)?;
        Ok(account.after(self.look()))
    }

    /// Everything that happened so far as one viewer may know it, a list for each event of the log: for whoever comes to
    /// a table late. It plays the match again; who sits at the table all the time uses [`Match::apply_for`].
    pub fn account(&self, viewer: Viewer) -> Result<Vec<Vec<Told>>, Refused> {
        let mut again = Match::new(self.head().clone(), self.start().duplicate());
        let mut account = Vec::new();
        for event in self.log() {
            account.extend(again.apply_for(event, &[viewer])?);
        }
        Ok(account)
    }

    /// Why all at the table have to agree before rules are changed or something is done by hand; none where they need not.
    ///
    /// Where something is hidden, whoever changes a rule can make it ask what he may not know, and be told by what is
    /// offered to him afterwards. Nobody can say of every rule whether it does; so it is read to everybody.
    pub fn matter_of_consent(&mut self, event: &Event) -> Option<String> {
        if !matches!(event, Event::Change(_) | Event::Hand { .. }) || !self.keeps_secrets() {
            return None;
        }
        let mut reason = format!(
            "Proposed: {} Not everything lies open here, and a rule can give away what is hidden.",
            words(event)?
        );
        if let Event::Change(change) = event
            && let Some(leak) = self.running().leaks(change)
        {
            reason = format!("{reason}\n{leak}");
        }
        Some(reason)
    }

    /// Whether its record tells anybody what he may not know: something is or was hidden, and the match is not over.
    pub fn keeps_secrets(&self) -> bool {
        if self.decision().is_over() {
            return false;
        }
        let mut again = Match::new(self.head().clone(), self.start().duplicate());
        has_secrets(again.position())
            || self.log().iter().any(|event| again.apply(event).is_ok() && has_secrets(again.position()))
    }
}

/// What is no choice is public.
fn words(event: &Event) -> Option<String> {
    let steps = |n: u32| if n == 1 { "One step".to_owned() } else { format!("{n} steps") };
    Some(match event {
        Event::Play { .. } => return None,
        Event::Change(Change::Mode { rule, mode }) => format!("The rule “{rule}” is {} from now on.", mode_word(*mode)),
        Event::Change(Change::Setting { name, value }) => format!("{name} is {value} from now on."),
        Event::Change(Change::Text(text)) => format!("The rules are changed: {}.", one_line(text)),
        Event::Hand { entity, statements } => format!("By hand, {entity}: {statements}."),
        Event::Undo(n) => format!("{} taken back.", steps(*n)),
        Event::Redo(n) => format!("{} done again.", steps(*n)),
        Event::Note(note) if note.by.is_empty() => note.text.clone(),
        Event::Note(note) => format!("{} notes: {}", note.by, note.text),
        Event::Ruling(ruling) => {
            let verdict = if ruling.allowed { "allows" } else { "does not allow" };
            format!("{} {verdict} what “{}” advises against.", ruling.by, ruling.rule)
        }
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
