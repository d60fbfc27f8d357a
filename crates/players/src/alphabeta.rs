use houserules_kernel::{Choice, Decision, Generator, Position, Refusal, SeatId, Who};

use crate::evaluator::{AtTheEnd, Copied, Defined, Evaluator, outcome_value};
use crate::hidden::Memory;
use crate::limits::{Budget, Limits};
use crate::player::{Player, Thought, VOTERS, choices, lots, vote};
use crate::table::Table;
use crate::useful::Useful;

/// Looks ahead choice by choice and leaves out what cannot matter.
///
/// Seen from one seat: its own choices make the value as high as they can, those of all others as low as they can (with
/// more than two seats that is the paranoid assumption), and chance gives the average. Depth counts choices of seats.
/// Of equally good choices the first in the list is taken, at the depth at which the search ends.
pub struct AlphaBeta {
    limits: Limits,
    evaluator: Option<Box<dyn Copied>>,
    generator: Generator,
    deepening: bool,
    memory: Memory,
}

/// For the table of positions.
const MOST_BYTES: usize = 64 << 20;
/// Without a limit of any kind nobody would ever choose.
const USUAL_NODES: u64 = 200_000;

impl AlphaBeta {
    pub fn new(seed: u64, limits: Limits) -> Self {
        AlphaBeta {
            limits,
            evaluator: None,
            generator: Generator::new(seed),
            deepening: true,
            memory: Memory::default(),
        }
    }

    /// Rates with this instead of the game's own evaluator.
    pub fn with_evaluator(mut self, evaluator: impl Evaluator + Clone + 'static) -> Self {
        self.evaluator = Some(Box::new(evaluator));
        self
    }

    pub(crate) fn rate_with(&mut self, evaluator: Option<Box<dyn Copied>>) {
        self.evaluator = evaluator;
    }

    /// Goes to the full depth at once. A quick win is then no better than a slow one.
    pub fn at_once(mut self) -> Self {
        self.deepening = false;
        self
    }
}

impl Player for AlphaBeta {
    fn name(&self) -> String {
        "alpha-beta".into()
    }

    fn about(&self) -> String {
        format!("Looks ahead choice by choice, {}.", self.limits)
    }

    fn choose(&mut self, position: &mut dyn Position, who: Who) -> Result<Thought, Refusal> {
        let Who::Seat(seat) = who else { return lots(position, who, &mut self.generator) };
        let mut evaluator: Box<dyn Copied> = match (&self.evaluator, position.evaluators().into_iter().next()) {
            (Some(evaluator), _) => evaluator.copied(),
            (None, Some(name)) => Box::new(Defined::against_others(name)),
            (None, None) => Box::new(AtTheEnd),
        };
        let evaluator = evaluator.as_evaluator();
        let Ahead { limits, deepening } = self.ahead();
        if position.sees_all(seat) {
            return Ahead { limits, deepening }.look(position, seat, evaluator);
        }
        // One lot of positions after the other, so that all together keep within the limits.
        let each = limits.in_turn(VOTERS, 1);
        vote(position, seat, &mut self.memory, &mut self.generator, |world| {
            Ahead { limits: each.clone(), deepening }.look(world, seat, evaluator)
        })
    }
}

impl AlphaBeta {
    fn ahead(&self) -> Ahead {
        let mut limits = self.limits.clone();
        if limits.depth.is_none() && limits.nodes.is_none() && limits.time.is_none() {
            limits.nodes = Some(USUAL_NODES);
        }
        Ahead { limits, deepening: self.deepening }
    }
}

/// How to look ahead from one position.
struct Ahead {
    limits: Limits,
    deepening: bool,
}

impl Ahead {
    fn look(
        &self,
        position: &mut dyn Position,
        seat: SeatId,
        evaluator: &mut dyn Evaluator,
    ) -> Result<Thought, Refusal> {
        let (who, limits) = (Who::Seat(seat), &self.limits);
        // A copy, so that whatever happens the position is as it was.
        let position = &mut *position.duplicate();
        let choices = choices(position, who)?;
        let mut search = Search {
            seat,
            evaluator,
            budget: limits.begin(),
            table: Table::new(MOST_BYTES),
            useful: Useful::default(),
            cut: false,
        };
        let most = limits.depth.unwrap_or(u32::MAX).max(1);
        let mut best: Option<(usize, f64)> = None;
        let mut depth = if self.deepening { 1 } else { most };
        loop {
            search.cut = false;
            let found = search.root(position, who, &choices, best, depth)?;
            // A lost position is lost at every depth; the choice made before that was known holds out longer.
            match (found, best) {
                (Some((_, value)), Some((idx, _))) if value <= -1.0 => best = Some((idx, value)),
                (Some(found), _) => best = Some(found),
                (None, _) => {}
            }
            let decided = best.is_some_and(|(_, value)| value.abs() >= 1.0);
            if found.is_none() || decided || !search.cut || depth >= most {
                break;
            }
            depth += 1;
        }
        // Out of nodes before anything was known: the first choice is as good as any.
        let (idx, value) = best.unwrap_or((0, 0.0));
        let nodes = search.budget.nodes;
        let line = search.line(position, who, &choices[idx])?;
        Ok(Thought { choice: choices[idx].clone(), value: Some(value), line, nodes, considered: Vec::new() })
    }
}

struct Search<'a> {
    seat: SeatId,
    evaluator: &'a mut dyn Evaluator,
    budget: Budget,
    table: Table<Known>,
    /// How often a choice was too good to be allowed, for the order in which choices are tried.
    useful: Useful,
    /// Whether the depth has cut anything off: if not, looking deeper finds nothing new.
    cut: bool,
}

#[derive(Clone)]
struct Known {
    depth: u32,
    value: f64,
    bound: Bound,
    best: Choice,
    /// Whether the value rests on something cut off by the depth.
    cut: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// Long lines say nothing to anybody.
const LONGEST_LINE: usize = 12;

impl Search<'_> {
    /// The first of the best choices and its value; none if the limits were reached.
    fn root(
        &mut self,
        position: &mut dyn Position,
        who: Who,
        choices: &[Choice],
        before: Option<(usize, f64)>,
        depth: u32,
    ) -> Result<Option<(usize, f64)>, Refusal> {
        let mut order: Vec<usize> = (0..choices.len()).collect();
        if let Some((idx, _)) = before {
            order.remove(idx);
            order.insert(0, idx);
        }
        let mut best: Option<(usize, f64)> = None;
        for idx in order {
            // A choice earlier in the list must only be as good to be taken, a later one better.
            let alpha = match best {
                Some((best_idx, value)) if idx < best_idx => value.next_down(),
                Some((_, value)) => value,
                None => f64::NEG_INFINITY,
            };
            position.play(who, &choices[idx])?;
            let value = self.value(position, depth - 1, alpha, f64::INFINITY);
            position.undo();
            let Some(value) = value? else { return Ok(None) };
            if best.is_none_or(|(best_idx, best)| value > best || (value == best && idx < best_idx)) {
                best = Some((idx, value));
            }
        }
        Ok(best)
    }

    /// The value between `alpha` and `beta`, or a bound outside; none if the limits were reached.
    fn value(
        &mut self,
        position: &mut dyn Position,
        depth: u32,
        mut alpha: f64,
        mut beta: f64,
    ) -> Result<Option<f64>, Refusal> {
        if !self.budget.spend(64) {
            return Ok(None);
        }
        let who = match position.decision() {
            Decision::Over(outcome) => return Ok(Some(outcome_value(&outcome, self.seat))),
            Decision::Nature => Who::Nature,
            Decision::Seats { asked, .. } => match asked.first() {
                Some(&seat) => Who::Seat(seat),
                None => return Ok(Some(0.0)),
            },
        };
        if depth == 0 {
            self.cut = true;
            return Ok(Some(self.evaluator.rate(position, self.seat)));
        }
        if who == Who::Nature {
            let choices = choices(position, who)?;
            return self.average(position, &choices, depth);
        }
        let key = position.fingerprint().0;
        let known = self.table.get(key);
        if let Some(known) = known
            && (known.depth >= depth || !known.cut)
        {
            let holds = match known.bound {
                Bound::Exact => true,
                Bound::AtLeast => known.value >= beta,
                Bound::AtMost => known.value <= alpha,
            };
            if holds {
                self.cut |= known.cut;
                return Ok(Some(known.value));
            }
        }
        // Listed only now: that is dear, and what is known needs no list.
        let choices = self.ordered(choices(position, who)?, known);
        let (lowest, highest) = (alpha, beta);
        let high = who == Who::Seat(self.seat);
        let cut_before = std::mem::replace(&mut self.cut, false);
        let before = self.budget.nodes;
        let mut best = (if high { f64::NEG_INFINITY } else { f64::INFINITY }, choices[0].clone());
        for choice in choices {
            position.play(who, &choice)?;
            let value = stacker::maybe_grow(64 << 10, 1 << 20, || self.value(position, depth - 1, alpha, beta));
            position.undo();
            let Some(value) = value? else { return Ok(None) };
            if (high && value > best.0) || (!high && value < best.0) {
                best = (value, choice);
            }
            if high {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            // Nothing is better than a win, so the rest need not be looked at.
            let decided = if high { best.0 >= 1.0 } else { best.0 <= -1.0 };
            if alpha >= beta || decided {
                self.useful.was(&best.1, 1 + u64::from(depth));
                break;
            }
        }
        let bound = match best.0 {
            value if value >= highest && value < 1.0 => Bound::AtLeast,
            value if value <= lowest && value > -1.0 => Bound::AtMost,
            _ => Bound::Exact,
        };
        // A win or a loss is never the guess of an evaluator, so nothing cut off can change it.
        let cut = self.cut && best.0.abs() < 1.0;
        let work = self.budget.nodes - before;
        self.table.put(key, Known { depth, value: best.0, bound, best: best.1, cut }, work);
        self.cut |= cut_before;
        Ok(Some(best.0))
    }

    /// What chance gives on average. Outcomes are not left out: each counts.
    fn average(&mut self, position: &mut dyn Position, choices: &[Choice], depth: u32) -> Result<Option<f64>, Refusal> {
        let (mut sum, mut total) = (0.0, 0.0);
        for choice in choices {
            let weight = f64::from(position.weight(choice));
            if weight == 0.0 {
                continue;
            }
            position.play(Who::Nature, choice)?;
            let value = stacker::maybe_grow(64 << 10, 1 << 20, || {
                self.value(position, depth, f64::NEG_INFINITY, f64::INFINITY)
            });
            position.undo();
            let Some(value) = value? else { return Ok(None) };
            sum += weight * value;
            total += weight;
        }
        Ok(Some(if total > 0.0 { sum / total } else { 0.0 }))
    }

    /// What was best here before comes first, then what was often useful elsewhere.
    fn ordered(&self, mut choices: Vec<Choice>, known: Option<&Known>) -> Vec<Choice> {
        self.useful.order(&mut choices);
        let first = known.and_then(|known| choices.iter().position(|choice| *choice == known.best));
        if let Some(first) = first {
            choices[..=first].rotate_right(1);
        }
        choices
    }

    fn line(&self, position: &mut dyn Position, who: Who, choice: &Choice) -> Result<Vec<String>, Refusal> {
        let mut position = position.duplicate();
        let mut line = vec![position.words(who, choice)];
        position.play(who, choice)?;
        while line.len() < LONGEST_LINE {
            let asked = position.decision().open_to();
            let Some(known) = self.table.get(position.fingerprint().0) else { break };
            let Some(&who) = asked.first() else { break };
            line.push(position.words(who, &known.best));
            if position.play(who, &known.best).is_err() {
                line.pop();
                break;
            }
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_nodes_is_kept_and_the_position_comes_back() {
        use houserules_kernel::Rulebook;
        let board = houserules_kernel::twin::TicTacToe::new(4, 4, 4).unwrap();
        let mut position = board.open().unwrap();
        let before = position.fingerprint();
        let mut player = AlphaBeta::new(1, Limits::nodes(2_000));
        let thought = player.choose(&mut *position, Who::Seat(SeatId(0))).unwrap();
        assert!(thought.nodes <= 2_000 && !thought.line.is_empty());
        assert_eq!(position.fingerprint(), before);
    }
}
