//! Thoughts of workers on other computers: a question with the record of the match, and a thought as an answer.

use houserules_kernel::{Position, SeatId, Who};
use houserules_players::{Considered, Level, Thought};
use houserules_record::Record;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a worker is told when it is asked to think.
pub const THINK: &[u8] = b"think";

#[derive(Serialize, Deserialize)]
pub(crate) struct Asked {
    pub record: String,
    pub seat: u8,
    pub level: u8,
    pub seed: u64,
}

#[derive(Serialize, Deserialize)]
struct Answered {
    /// By its number: the order of choices is the same everywhere.
    choice: usize,
    value: Option<f64>,
    line: Vec<String>,
    nodes: u64,
    considered: Vec<(String, u64, f64)>,
}

/// Thinks about a question; empty where nothing can be said of it. For a worker.
pub fn answer(question: &[u8], stop: &Arc<AtomicBool>) -> Vec<u8> {
    let thought = serde_json::from_slice(question).ok().and_then(|asked: Asked| think(&asked, stop));
    thought.and_then(|thought| serde_json::to_vec(&thought).ok()).unwrap_or_default()
}

fn think(asked: &Asked, stop: &Arc<AtomicBool>) -> Option<Answered> {
    let parsed = Record::parse(&asked.record);
    if parsed.fault.is_some() {
        return None;
    }
    let mut replay = houserules_record::open(parsed.record, None, Default::default()).ok()?.replay;
    if replay.run().is_some() || stop.load(Ordering::Relaxed) {
        return None;
    }
    let now = replay.now();
    let mut position = now.running().strict().unwrap_or_else(|| now.look().duplicate());
    let thought = chosen(&mut *position, asked.seat, asked.level, asked.seed, stop)?;
    let choices = position.choices(Who::Seat(SeatId(asked.seat)));
    Some(Answered {
        choice: choices.iter().position(|choice| *choice == thought.choice)?,
        value: thought.value,
        line: thought.line,
        nodes: thought.nodes,
        considered: thought.considered.into_iter().map(|one| (one.words, one.visits, one.value)).collect(),
    })
}

/// What a player of a level thinks of a position, until it is stopped.
pub(crate) fn chosen(
    position: &mut dyn Position,
    seat: u8,
    level: u8,
    seed: u64,
    stop: &Arc<AtomicBool>,
) -> Option<Thought> {
    let mut player = Level::new(level.clamp(1, 10))?.player(seed, Some(crate::thinking::clock(stop.clone())));
    player.choose(position, Who::Seat(SeatId(seat))).ok()
}

/// The thought that an answer tells of a position.
pub(crate) fn thought(position: &mut dyn Position, seat: u8, answer: &[u8]) -> Option<Thought> {
    let Answered { choice, value, line, nodes, considered } = serde_json::from_slice(answer).ok()?;
    let choice = position.choices(Who::Seat(SeatId(seat))).into_iter().nth(choice)?;
    let considered = considered.into_iter().map(|(words, visits, value)| Considered { words, visits, value });
    Some(Thought { choice, value, line, nodes, considered: considered.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same thought, whoever thinks it.
    #[test]
    fn a_worker_thinks_as_the_server_would() {
        let found = houserules_library::find("connect-four").unwrap();
        let source = houserules_record::Source::Digest;
        let mut now = houserules_record::begin(&found, Default::default(), source).unwrap();
        for at in 0..5 {
            let who = Who::Seat(SeatId(at % 2));
            let choice = now.choices(who)[3].clone();
            now.play(who, &choice).unwrap();
        }
        let stop = Arc::new(AtomicBool::new(false));
        let mut position = now.look().duplicate();
        let here = chosen(&mut *position, 1, 3, 7, &stop).unwrap();
        let asked = Asked { record: now.record().to_string(), seat: 1, level: 3, seed: 7 };
        let told = answer(&serde_json::to_vec(&asked).unwrap(), &stop);
        let there = thought(&mut *position, 1, &told).unwrap();
        assert_eq!((here.choice, here.value, here.line), (there.choice, there.value, there.line));
        assert_eq!(answer(b"nonsense", &stop), Vec::<u8>::new());
    }
}
