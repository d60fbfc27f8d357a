//! `reach`: whether something can come about, with the way there as proof.

use std::collections::HashSet;
use std::io::Write;
use std::process::ExitCode;

use houserules_kernel::{Decision, Position, Refusal, SeatId, Standing};
use houserules_library::linear::LinearPosition;
use serde::Serialize;

use crate::args::{Output, Rules, Table};
use crate::commands::count::{compiled, name_of};
use crate::failure::Failure;
use crate::typed;

pub struct Wanted {
    pub what: String,
    pub after: String,
    pub most: u64,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    what: String,
    /// None: not found out.
    reachable: Option<bool>,
    /// The way there, choice by choice.
    trace: Vec<String>,
    positions: u64,
}

/// Status 1 says that it cannot come about, or that it was not found out.
pub fn reach(
    out: &mut dyn Write,
    game: &str,
    rules: &Rules,
    table: Table,
    wanted: &Wanted,
    output: Output,
) -> Result<ExitCode, Failure> {
    let (name, rulebook) = compiled(game, rules, table)?;
    let seats = rulebook.seats();
    let mut position = rulebook.open()?;
    typed::play_moves(&mut *position, &wanted.after)?;
    let goal = Goal::read(&wanted.what, &seats, &*position)?;
    let mut search = Search { goal, seats, seen: HashSet::new(), n: 0, most: wanted.most, trace: Vec::new() };
    let reachable = search.go(&mut *position)?;
    let answer = Answer { game: name, what: wanted.what.clone(), reachable, trace: search.trace, positions: search.n };
    if output.json {
        serde_json::to_writer(&mut *out, &answer)?;
        writeln!(out)?;
    } else {
        match answer.reachable {
            Some(true) => writeln!(out, "Yes, after {} choices:", answer.trace.len())?,
            Some(false) => writeln!(out, "No: it is in none of the {} positions there are.", answer.positions)?,
            None => writeln!(
                out,
                "Not found in {} positions, and there are more. --most N looks further.",
                answer.positions
            )?,
        }
        for (at, choice) in answer.trace.iter().enumerate() {
            writeln!(out, "{:3}  {choice}", at + 1)?;
        }
    }
    out.flush()?;
    Ok(if answer.reachable == Some(true) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is looked for.
enum Goal {
    Fact(String),
    Wins(usize),
    Draw,
}

impl Goal {
    fn read(what: &str, seats: &[String], position: &dyn Position) -> Result<Goal, Failure> {
        let words: Vec<&str> = what.split_whitespace().collect();
        if let [name, "wins"] = words[..]
            && let Some(seat) = seats.iter().position(|seat| seat.to_lowercase() == name.to_lowercase())
        {
            return Ok(Goal::Wins(seat));
        }
        let program = position.as_any().and_then(|position| position.downcast_ref::<LinearPosition>());
        match program {
            Some(program) => program.fact(what).map(Goal::Fact).map_err(Failure::Input),
            None if words == ["draw"] => Ok(Goal::Draw),
            None => Err(Failure::Input(format!(
                "“{what}” is nothing that can be looked for here; `{} wins` is, and `draw`.",
                seats.first().map_or("NAME", String::as_str)
            ))),
        }
    }

    fn holds(&self, position: &dyn Position) -> bool {
        match (self, position.decision()) {
            (Goal::Fact(fact), _) => position
                .as_any()
                .and_then(|position| position.downcast_ref::<LinearPosition>())
                .is_some_and(|position| position.facts().contains(fact)),
            (Goal::Wins(seat), Decision::Over(outcome)) => outcome.standing(SeatId(*seat as u8)) == Standing::Won,
            (Goal::Draw, Decision::Over(outcome)) => outcome.standing(SeatId(0)) == Standing::Drew,
            _ => false,
        }
    }
}

struct Search {
    goal: Goal,
    seats: Vec<String>,
    seen: HashSet<u64>,
    n: u64,
    most: u64,
    trace: Vec<String>,
}

impl Search {
    /// Goes through positions without going through one twice; none when there are too many. Without recursion: a match
    /// may be long.
    fn go(&mut self, position: &mut dyn Position) -> Result<Option<bool>, Refusal> {
        let mut open: Vec<std::vec::IntoIter<(houserules_kernel::Who, houserules_kernel::Choice)>> = Vec::new();
        loop {
            let fresh = self.seen.insert(position.fingerprint().0);
            if fresh {
                self.n += 1;
                if self.goal.holds(position) {
                    return Ok(Some(true));
                }
                if self.n >= self.most {
                    self.trace.clear();
                    return Ok(None);
                }
            }
            let mut choices = Vec::new();
            if fresh && let Some(&who) = position.decision().open_to().first() {
                choices = position.choices(who).into_iter().map(|choice| (who, choice)).collect();
            }
            open.push(choices.into_iter());
            loop {
                let Some(last) = open.last_mut() else { return Ok(Some(false)) };
                if let Some((who, choice)) = last.next() {
                    self.trace.push(format!("{}: {}", name_of(who, &self.seats), position.words(who, &choice)));
                    position.play(who, &choice)?;
                    break;
                }
                open.pop();
                self.trace.pop();
                if !open.is_empty() {
                    position.undo();
                }
            }
        }
    }
}
