//! Counting positions: the test that finds a wrong rule when everything looks right.

use crate::{Decision, Plies, Position, QuestionKind, Refusal, SeatId, Who};

/// How long a ply is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// One action and the answers given during it.
    Action,
    /// All actions of one player's turn.
    Turn,
}

/// The number of ways to play 1, 2, … `depth` plies.
///
/// Answers in the middle of a ply and the outcomes of chance are branches like any other. Seats that
/// are asked at the same time answer one after the other, in the order of the seats. A question asked
/// outside any action, in the set-up, is a ply of its own; chance before the first action belongs to
/// that action. A finished match has no successors.
///
/// The position ends where it was, unless a listed choice is refused: then it stays where that happened.
pub fn perft(position: &mut dyn Position, depth: usize, by: By) -> Result<Vec<u64>, Refusal> {
    let mut nodes = vec![0; depth];
    count(position, by, &mut nodes)?;
    Ok(nodes)
}

/// The number of ways to play `depth` plies, told apart by the first one, in words.
pub fn divide(position: &mut dyn Position, depth: usize, by: By) -> Result<Vec<(String, u64)>, Refusal> {
    let mut parts = Vec::new();
    if depth == 0 {
        return Ok(parts);
    }
    each_ply(position, by, &mut |position, said| {
        let below = if depth == 1 { 1 } else { perft(position, depth - 1, by)?[depth - 2] };
        parts.push((said.join(", "), below));
        Ok(())
    })?;
    Ok(parts)
}

fn count(position: &mut dyn Position, by: By, nodes: &mut [u64]) -> Result<(), Refusal> {
    let Some((here, deeper)) = nodes.split_first_mut() else { return Ok(()) };
    let mut walk = Walk { by, words: None };
    walk.go(position, &Begun::default(), &mut |position, _| {
        *here += 1;
        count(position, by, deeper)
    })
}

/// Calls `each` in every position one ply further on, with the words of the choices that lead there.
fn each_ply(position: &mut dyn Position, by: By, each: &mut Each) -> Result<(), Refusal> {
    Walk { by, words: Some(Vec::new()) }.go(position, &Begun::default(), each)
}

type Each<'a> = dyn FnMut(&mut dyn Position, &[String]) -> Result<(), Refusal> + 'a;

struct Walk {
    by: By,
    /// The words of the choices of this ply so far, where somebody wants them.
    words: Option<Vec<String>>,
}

/// How far a ply has come.
#[derive(Clone, Default)]
struct Begun {
    /// The kind of its first question to a seat, and the turn in which that was asked.
    first: Option<(QuestionKind, u64)>,
    /// Seats asked together with the last one that answered, and still to answer.
    pending: Vec<SeatId>,
    by_chance: bool,
    n_answers: usize,
}

impl Walk {
    fn go(&mut self, position: &mut dyn Position, begun: &Begun, each: &mut Each) -> Result<(), Refusal> {
        if begun.n_answers > Plies::MOST_ANSWERS {
            return Err(Plies::endless());
        }
        let n_answers = begun.n_answers + 1;
        match position.decision() {
            Decision::Over(_) if begun.first.is_none() && !begun.by_chance => Ok(()),
            Decision::Over(_) => each(position, self.words.as_deref().unwrap_or_default()),
            Decision::Nature => {
                let begun = Begun { by_chance: true, pending: Vec::new(), n_answers, ..begun.clone() };
                self.branch(position, Who::Nature, &begun, each)
            }
            Decision::Seats { asked, kind } => {
                let same_question = !asked.is_empty() && asked == begun.pending;
                if !same_question && self.ends(position, begun, kind) {
                    return each(position, self.words.as_deref().unwrap_or_default());
                }
                let first = begun.first.or(Some((kind, position.turn())));
                let Some((&seat, others)) = asked.split_first() else { return Ok(()) };
                let begun = Begun { first, pending: others.to_vec(), by_chance: begun.by_chance, n_answers };
                self.branch(position, Who::Seat(seat), &begun, each)
            }
        }
    }

    fn ends(&self, position: &dyn Position, begun: &Begun, kind: QuestionKind) -> bool {
        match (begun.first, self.by) {
            (None, _) => false,
            (Some((QuestionKind::Answer, _)), _) => true,
            (Some(_), By::Action) => kind == QuestionKind::Action,
            (Some((_, turn)), By::Turn) => position.turn() != turn,
        }
    }

    fn branch(&mut self, position: &mut dyn Position, who: Who, begun: &Begun, each: &mut Each) -> Result<(), Refusal> {
        for choice in position.choices(who) {
            if let Some(words) = &mut self.words {
                words.push(position.words(who, &choice));
            }
            position.play(who, &choice)?;
            self.go(position, begun, each)?;
            position.undo();
            if let Some(words) = &mut self.words {
                words.pop();
            }
        }
        Ok(())
    }
}
