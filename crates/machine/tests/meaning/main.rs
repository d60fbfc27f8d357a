//! What the language means, one claim a test, in games of a few lines.

mod asking;
mod asking_within;
mod boards;
mod checkpoints;
mod differing;
mod drawing;
mod evaluating;
mod matches;
mod messages;
mod models;
mod refusing;
mod representing;
mod rules;
mod seeing;
mod shapes;
mod statements;
mod steps;
mod supposing;
mod telling;
mod turns;
mod twins;
mod unanswered;
mod values;

use houserules_kernel::{Decision, Position, Refusal, RefusalKind, Rulebook, Shown, Viewer, Who};
use houserules_machine::Options;
use houserules_machine::lockstep::Lockstep;

/// The walker and the machine, each move made in both.
pub fn rulebook(text: &str) -> Lockstep {
    let loaded = houserules_gdl::read_text("test", text);
    let faults: Vec<_> = loaded.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    Lockstep::new(&loaded.definition, &Options::default()).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// What is told about a definition that cannot be compiled.
pub fn refused(text: &str) -> String {
    let loaded = houserules_gdl::read_text("test", text);
    match Lockstep::new(&loaded.definition, &Options::default()) {
        Ok(_) => panic!("it compiles"),
        Err(faults) => format!("{faults:#?}"),
    }
}

pub fn open(text: &str) -> Box<dyn Position> {
    rulebook(text).open().unwrap_or_else(|error| panic!("{error}"))
}

/// Opens a game and plays these choices, each in words.
pub fn played(text: &str, choices: &[&str]) -> Box<dyn Position> {
    let mut position = open(text);
    for words in choices {
        play(&mut *position, words).unwrap_or_else(|refusal| panic!("{words}: {refusal}"));
    }
    position
}

pub fn who(position: &dyn Position) -> Vec<Who> {
    position.decision().open_to()
}

/// The choices of the first who is asked, in words.
pub fn choices(position: &mut dyn Position) -> Vec<String> {
    match who(position).first() {
        Some(&who) => choices_of(position, who),
        None => Vec::new(),
    }
}

pub fn choices_of(position: &mut dyn Position, who: Who) -> Vec<String> {
    let choices = position.choices(who);
    choices.iter().map(|choice| position.words(who, choice)).collect()
}

pub fn play(position: &mut dyn Position, words: &str) -> Result<(), Refusal> {
    let who = *who(position).first().expect("somebody is asked");
    play_as(position, who, words)
}

pub fn play_as(position: &mut dyn Position, who: Who, words: &str) -> Result<(), Refusal> {
    let choices = position.choices(who);
    let found = choices.iter().find(|choice| position.words(who, choice) == words);
    match found {
        Some(choice) => position.play(who, choice),
        None => panic!("“{words}” is not among {:?}", choices_of(position, who)),
    }
}

/// Why a candidate is forbidden.
pub fn refusal(position: &mut dyn Position, words: &str) -> Option<Refusal> {
    let Some(&Who::Seat(seat)) = who(position).first() else { panic!("no seat is asked") };
    let offers = position.offers(seat);
    let offer = offers.into_iter().find(|offer| offer.words == words);
    offer.unwrap_or_else(|| panic!("“{words}” is no candidate")).refused
}

/// A property as it stands.
pub fn property(position: &mut dyn Position, of: &str, name: &str) -> String {
    let view = position.view(Viewer::All);
    let things = view.facts.iter().chain(&view.things);
    let cells = view.boards.iter().flat_map(|board| &board.cells);
    let shown = things
        .map(|thing| (&thing.name, &thing.properties))
        .chain(cells.map(|cell| (&cell.name, &cell.properties)))
        .find(|(known, _)| *known == of)
        .and_then(|(_, properties)| properties.iter().find(|(known, _)| known == name));
    match shown {
        Some((_, Shown::Value(value))) => value.clone(),
        other => panic!("{of} shows no {name}: {other:?}"),
    }
}

/// The value of an expression in a small game: two players, `X` and `O`, on a board of 3 by 3 cells.
pub fn value(expr: &str) -> String {
    let mut position = game_with(expr);
    play(&mut *position, "go").unwrap_or_else(|refusal| panic!("{expr}: {refusal}"));
    property(&mut *position, "game", "result")
}

/// The fault an expression comes to.
pub fn fault(expr: &str) -> String {
    let mut position = game_with(expr);
    let before = position.fingerprint();
    let refusal = play(&mut *position, "go").expect_err(expr);
    assert_eq!(refusal.kind, RefusalKind::Fault, "{expr}");
    assert_eq!(position.fingerprint(), before, "a fault changes nothing");
    refusal.reason
}

fn game_with(expr: &str) -> Box<dyn Position> {
    open(&format!(
        r#"#game "Toy" #players "X" "O"
        #model cell #property mark #board cell grid 3 3
        #property result "nothing"
        #define deep n (if (> n 0) (deep (- n 1)) else 0)
        #action go (set result to {expr})"#
    ))
}

pub fn ranks(position: &dyn Position) -> Vec<u8> {
    match position.decision() {
        Decision::Over(outcome) => outcome.ranks.to_vec(),
        other => panic!("not over: {other:?}"),
    }
}
