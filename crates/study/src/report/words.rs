//! What a study found, in sentences.

use crate::compare::{Comparison, Difference};
use crate::figure::Figure;
use crate::summary::Summary;

/// The differences that are more than noise, a sentence each.
pub(super) fn differences(base: &Summary, other: &Summary, comparison: &Comparison) -> Vec<String> {
    let found = comparison.differences.iter().filter(|difference| difference.more_than_noise);
    found
        .filter(|difference| !says_the_same(other, &difference.key))
        .filter_map(|difference| {
            let (before, after) = (base.figure(&difference.key)?, other.figure(&difference.key)?);
            Some(format!("{}: {} instead of {}.", told(difference, other), after.words(), before.words()))
        })
        .collect()
}

/// The figures that do not differ by more than noise.
pub(super) fn alike(other: &Summary, comparison: &Comparison) -> Vec<String> {
    let noise = comparison.differences.iter().filter(|difference| !difference.more_than_noise);
    noise
        .filter(|difference| !says_the_same(other, &difference.key))
        .map(|difference| difference.title.clone())
        .collect()
}

/// What stands out in one variant by itself.
pub(super) fn remarks(subject: &Summary) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(advantage) = subject.figure("first_seat_advantage") {
        remarks.push(match (advantage.low > 0.0, advantage.high < 0.0) {
            (true, _) => format!("The first seat has an advantage: {}.", advantage.words()),
            (_, true) => format!("The first seat has a disadvantage: {}.", advantage.words()),
            _ => "No advantage of the first seat shows in so many matches.".into(),
        });
    }
    for (key, words) in [("stuck", "came to a point where nobody could move"), ("cut", "did not end and were cut")] {
        if let Some(figure) = subject.figure(key).filter(|figure| figure.mean > 0.0) {
            remarks.push(format!("{} of the matches {words}.", figure.words()));
        }
    }
    let never: Vec<String> =
        subject.rules.iter().filter(|rule| rule.never).map(|rule| format!("“{}”", rule.name)).collect();
    match never.as_slice() {
        [] => {}
        [rule] => remarks.push(format!("The rule {rule} never mattered.")),
        rules => remarks.push(format!("The rules {} never mattered.", rules.join(", "))),
    }
    remarks
}

/// A figure that follows from another one: where every turn is one choice, turns say what choices say, and of two seats
/// one has the points that the other has not.
pub(super) fn says_the_same(subject: &Summary, key: &str) -> bool {
    let mean = |key: &str| subject.figure(key).map(|figure| figure.mean);
    match key {
        "turns" => mean("turns") == mean("length"),
        "seat_1" | "seat_2" => subject.seats.len() == 2,
        _ => false,
    }
}

fn told(difference: &Difference, other: &Summary) -> String {
    let pick = |more: &str, less: &str| if difference.difference > 0.0 { more.to_owned() } else { less.to_owned() };
    match difference.key.as_str() {
        "first_seat_advantage" => pick("The first seat does better", "The first seat does worse"),
        "draws" => pick("More matches are drawn", "Fewer matches are drawn"),
        "decisive" => pick("More matches have a winner", "Fewer matches have a winner"),
        "cut" => pick("More matches do not end", "Fewer matches do not end"),
        "stuck" => pick("More often nobody can move", "Less often nobody can move"),
        "length" => pick("Matches are longer", "Matches are shorter") + ", in choices",
        "turns" => pick("Matches have more turns", "Matches have fewer turns"),
        "branching" => pick("There is more to choose from", "There is less to choose from"),
        "lead_changes" => pick("The lead changes more often", "The lead changes less often"),
        "drama" => {
            pick("The winner was behind for a larger part", "The winner was behind for a smaller part")
                + " of the match"
        }
        "decided" => pick("Matches are decided later", "Matches are decided earlier") + " in their course",
        key => {
            let nth: Option<usize> = key.strip_prefix("seat_").and_then(|nth| nth.parse().ok());
            match nth.and_then(|nth| other.seats.get(nth.checked_sub(1)?)) {
                Some(name) => name.clone() + &pick(" does better", " does worse"),
                None => difference.title.clone(),
            }
        }
    }
}

impl Summary {
    pub fn figure(&self, key: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.key == key)
    }
}
