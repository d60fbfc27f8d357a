use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use houserules_kernel::Refusal;
use houserules_players::Player;
use serde::{Deserialize, Serialize};

use crate::build::Arena;
use crate::crew::{self, seed_of};
use crate::elo::{Rating, Results};
use crate::journal::{Journal, JournalError};
use crate::match_file::Pairing;
use crate::referee::Referee;

/// Everybody meets, with seats rotated, as often as the file says.
pub struct Tournament<'a> {
    arena: &'a Arena,
    /// In the order in which they are played: who sits where.
    meetings: Vec<Vec<usize>>,
    done: Vec<Meeting>,
    journal: Journal,
}

/// One match of a tournament that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Meeting {
    /// Which of the meetings it was.
    pub number: usize,
    /// The player on each seat.
    pub seats: Vec<usize>,
    /// The rank of each seat; empty if the match was cut, which counts as a draw.
    pub ranks: Vec<u8>,
    pub choices: u64,
}

/// Why a tournament stopped.
#[derive(Debug)]
pub enum Stopped {
    Journal(JournalError),
    /// A rule of the game has a fault.
    Fault(Refusal),
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Stopped::Journal(error) => error.fmt(f),
            Stopped::Fault(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for Stopped {}

impl<'a> Tournament<'a> {
    /// Goes on where the journal stops; a journal of another tournament is refused.
    pub fn open(arena: &'a Arena, journal: &Path) -> Result<Tournament<'a>, JournalError> {
        let meetings = meetings(arena);
        let said = (&arena.file.players, arena.file.seed, arena.file.longest, &arena.file.tournament);
        let digest = blake3::hash(format!("{} {said:?}", arena.rulebook.digest()).as_bytes());
        let head = format!("{{\"tournament\":\"{}\"}}", digest.to_hex());
        let (kept, done) = Journal::open::<Meeting>(journal, &head)?;
        let known = |meeting: &Meeting| {
            meetings.get(meeting.number) == Some(&meeting.seats)
                && (meeting.ranks.is_empty() || meeting.ranks.len() == meeting.seats.len())
        };
        // The head is line 1.
        if let Some(at) = done.iter().position(|meeting| !known(meeting)) {
            return Err(JournalError::Other(format!(
                "{}:{}: this is no match of the tournament; somebody has edited it.",
                journal.display(),
                at + 2
            )));
        }
        let journal = kept;
        Ok(Tournament { arena, meetings, done, journal })
    }

    /// Matches in all.
    pub fn len(&self) -> usize {
        self.meetings.len()
    }

    pub fn is_empty(&self) -> bool {
        self.meetings.is_empty()
    }

    pub fn done(&self) -> &[Meeting] {
        &self.done
    }

    /// Plays what is not played yet, until `stop`. `each` is told of every match that is over.
    pub fn run(&mut self, n_threads: usize, stop: &AtomicBool, mut each: impl FnMut(&Meeting)) -> Result<(), Stopped> {
        let arena = self.arena;
        let left = self.left();
        let (journal, done) = (&mut self.journal, &mut self.done);
        crew::run(
            left.into_iter(),
            n_threads,
            stop,
            |(number, seats)| play(arena, number, seats),
            |played| {
                let meeting = played.map_err(Stopped::Fault)?;
                each(&meeting);
                add(done, journal, meeting)
            },
        )
    }

    /// What is not played yet: which of the meetings, and who sits where.
    pub fn left(&self) -> Vec<(usize, Vec<usize>)> {
        let done: BTreeSet<usize> = self.done.iter().map(|meeting| meeting.number).collect();
        self.meetings.iter().cloned().enumerate().filter(|(number, _)| !done.contains(number)).collect()
    }

    /// A match that was played elsewhere.
    pub fn add(&mut self, meeting: Meeting) -> Result<(), Stopped> {
        add(&mut self.done, &mut self.journal, meeting)
    }

    /// Who won what against whom, by the ranks of every two at a table.
    pub fn results(&self) -> Results {
        let mut results = Results::new(self.arena.file.players.len());
        for meeting in &self.done {
            for (one, &player) in meeting.seats.iter().enumerate() {
                for (other, &opponent) in meeting.seats.iter().enumerate().skip(one + 1) {
                    if player == opponent {
                        continue;
                    }
                    let points = match (meeting.ranks.get(one), meeting.ranks.get(other)) {
                        (Some(one), Some(other)) if one < other => 1.0,
                        (Some(one), Some(other)) if one > other => 0.0,
                        _ => 0.5,
                    };
                    results.add(player, opponent, points);
                }
            }
        }
        results
    }

    pub fn ratings(&self) -> Vec<Rating> {
        self.results().ratings()
    }
}

/// Every group that meets, in every rotation of the seats, once a round.
fn meetings(arena: &Arena) -> Vec<Vec<usize>> {
    let Some(rounds) = &arena.file.tournament else { return Vec::new() };
    let n_seats = arena.rulebook.seats().len();
    let n_players = arena.file.players.len();
    let groups: Vec<Vec<usize>> = match rounds.pairing {
        // The first against each other one; at larger tables the others sit on all seats that are left.
        Pairing::Gauntlet => (1..n_players)
            .map(|other| {
                (0..n_seats)
                    .map(|seat| if seat == 0 { 0 } else { 1 + (other - 1 + seat - 1) % (n_players - 1) })
                    .collect()
            })
            .collect(),
        Pairing::RoundRobin if n_players < n_seats => {
            vec![(0..n_seats).map(|seat| seat % n_players).collect()]
        }
        Pairing::RoundRobin => groups(n_players, n_seats),
    };
    let mut meetings = Vec::new();
    for _ in 0..rounds.rounds {
        for group in &groups {
            for turn in 0..n_seats {
                let mut seats = group.clone();
                seats.rotate_right(turn);
                meetings.push(seats);
            }
        }
    }
    meetings
}

/// All ways to choose so many of the players, in order.
fn groups(n_players: usize, size: usize) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new()];
    for _ in 0..size {
        groups = groups
            .into_iter()
            .flat_map(|group: Vec<usize>| {
                let next = group.last().map_or(0, |last| last + 1);
                (next..n_players).map(move |player| group.iter().copied().chain([player]).collect())
            })
            .collect();
    }
    groups
}

fn add(done: &mut Vec<Meeting>, journal: &mut Journal, meeting: Meeting) -> Result<(), Stopped> {
    journal.add(&meeting).map_err(Stopped::Journal)?;
    done.push(meeting);
    Ok(())
}

/// Plays one of the meetings: it follows from the file and its number, wherever it is played.
pub fn play(arena: &Arena, number: usize, seats: Vec<usize>) -> Result<Meeting, Refusal> {
    let seed = |lane: u64| seed_of(arena.file.seed, lane, number as u64);
    let players = seats.iter().enumerate().map(|(seat, &player)| arena.player(player, seed(1 + seat as u64)));
    let mut players: Vec<Box<dyn Player>> = players
        .collect::<Option<_>>()
        .ok_or_else(|| Refusal::not_offered("A tournament is for players without people."))?;
    let referee = Referee { rulebook: &*arena.rulebook, seed: seed(0), longest: arena.file.longest };
    let played = referee.play(&mut players, &mut ())?;
    let ranks = played.outcome.map(|outcome| outcome.ranks.to_vec()).unwrap_or_default();
    Ok(Meeting { number, seats, ranks, choices: played.choices })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_all_ways_to_choose() {
        assert_eq!(groups(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(groups(4, 3).len(), 4);
        assert!(groups(2, 3).is_empty());
    }
}
