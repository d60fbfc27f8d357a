//! Matches for tests.

#![allow(dead_code, reason = "each test uses a part of it")]

use houserules_kernel::{Generator, Who};
use houserules_record::{Change, Event, Head, Match, Record, Refused, Source, Which, begin, open};

/// A match of a game in the library.
pub fn start(game: &str, settings: &[(&str, &str)]) -> Match {
    start_with(game, Head { settings: pairs(settings), ..Head::default() }, Source::Digest)
}

pub fn start_with(game: &str, head: Head, source: Source) -> Match {
    let found = houserules_library::find(game).unwrap();
    begin(&found, Head { id: "test".into(), ..head }, source).unwrap_or_else(|message| panic!("{game}: {message}"))
}

pub fn pairs(settings: &[(&str, &str)]) -> Vec<(String, String)> {
    settings.iter().map(|&(name, value)| (name.into(), value.into())).collect()
}

/// Plays the choice with these words for whoever is asked first.
#[track_caller]
pub fn play(now: &mut Match, words: &str) {
    let (who, choice) = choice(now, words);
    now.play(who, &choice).unwrap();
}

#[track_caller]
pub fn choice(now: &mut Match, words: &str) -> (Who, houserules_kernel::Choice) {
    let who = now.decision().open_to()[0];
    let choices = now.choices(who);
    let choice = choices.iter().find(|choice| now.look().words(who, choice) == words);
    (who, choice.unwrap_or_else(|| panic!("“{words}” is not offered")).clone())
}

/// Plays one random choice; false where there is none.
pub fn play_random(now: &mut Match, random: &mut Generator) -> bool {
    play_one(now, random, &mut 0)
}

/// The same, and counts the choices there were.
pub fn play_one(now: &mut Match, random: &mut Generator, n_choices: &mut usize) -> bool {
    let Some(&who) = now.decision().open_to().first() else { return false };
    let choices = now.choices(who);
    if choices.is_empty() {
        return false;
    }
    *n_choices += choices.len();
    let choice = &choices[random.below(choices.len() as u64) as usize];
    match now.play(who, choice) {
        Ok(()) => true,
        // The referee throws a coin.
        Err(Refused::Advised(_)) => {
            let allowed = random.below(2) == 0;
            now.rule_on(who, choice, allowed, "a coin").unwrap();
            !allowed || now.play(who, choice).is_ok()
        }
        Err(_) => false,
    }
}

/// Text to record to match: the whole way.
#[track_caller]
pub fn reload(text: &str) -> Match {
    let parsed = Record::parse(text);
    assert_eq!(parsed.fault, None, "{text}");
    let mut opened = open(parsed.record, None, Which::Made).unwrap();
    assert_eq!(opened.replay.run(), None, "{text}");
    opened.replay.into_match()
}

pub fn switch(rule: &str, mode: houserules_model::Mode) -> Change {
    Change::Mode { rule: rule.into(), mode }
}

/// Events from a place in the log on.
pub fn rest(of: &Match, from: usize) -> Vec<Event> {
    of.log()[from..].to_vec()
}
