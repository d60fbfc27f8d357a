//! What a study found, in sentences.

use crate::compare::{Comparison, Difference};
use crate::figure::{Figure, Kind};
use crate::summary::Summary;

/// The differences that are more than noise, a sentence each.
pub(super) fn differences(base: &Summary, other: &Summary, comparison: &Comparison) -> Vec<String> {
    let found = comparison.differences.iter().filter(|difference| difference.more_than_noise);
    found
        .filter(|difference| !says_the_same(other, &difference.key))
        .filter_map(|difference| {
            let (before, after) = (base.figure(&difference.key)?, other.figure(&difference.key)?);
            let by = match after.kind == Kind::Mean && before.mean > 0.0 {
                true => relative(after.mean / before.mean - 1.0),
                false => String::new(),
            };
            Some(format!("{}: {} instead of {}{by}.", told(difference, other), after.words(), before.words()))
        })
        .collect()
}

/// By how many hundredths something is more or less, where that is one at all.
fn relative(by: f64) -> String {
    match (100.0 * by).round() {
        0.0 => String::new(),
        by if by > 0.0 => format!(", {by:.0} % more"),
        by => format!(", {:.0} % less", -by),
    }
}

/// What a variant does to the game, in a sentence or two without numbers.
pub(super) fn verdict(other: &Summary, comparison: &Comparison) -> String {
    let differs = |key: &str| {
        let found = comparison.differences.iter().find(|difference| difference.key == key);
        found.map(|difference| difference.more_than_noise)
    };
    let noticed = comparison.differences.iter().filter(|difference| difference.more_than_noise);
    let changed: Vec<String> = noticed
        .filter(|difference| !says_the_same(other, &difference.key))
        .map(|difference| {
            let told = told(difference, other);
            // Names of seats keep their capital.
            if difference.key.starts_with("seat_") { told } else { uncapital(&told) }
        })
        .collect();
    let same: Vec<&str> = [
        ("first_seat_advantage", "which seat wins"),
        ("draws", "how often a match is drawn"),
        ("length", "how long a match lasts"),
    ]
    .into_iter()
    .filter(|(key, _)| differs(key) == Some(false))
    .map(|(_, words)| words)
    .collect();
    if changed.is_empty() {
        return "Nothing changes that so many matches can show.".into();
    }
    let changed = format!("In this form of the game {}.", and(&changed));
    match same.as_slice() {
        [] => changed,
        same => {
            let stay = if same.len() > 1 { "stay as they were" } else { "stays as it was" };
            format!("{changed} As far as so many matches show, {} {stay}.", and(same))
        }
    }
}

/// What the rules do that only one of two has.
pub(super) fn rules_apart(base: &Summary, other: &Summary) -> Vec<String> {
    let only = |one: &Summary, two: &Summary| -> Vec<String> {
        let missing = one.rules.iter().filter(|rule| two.rules.iter().all(|known| known.name != rule.name));
        missing
            .filter_map(|rule| {
                let refused = (rule.refused.mean > 0.0)
                    .then(|| format!("refused something at {} of the decisions", rule.refused_at.words()));
                let mattered = rule.n_mattered().map(|(n, of)| format!("mattered in {n} of {of} matches"));
                let did: Vec<String> = refused.into_iter().chain(mattered).collect();
                (!did.is_empty()).then(|| format!("“{}” {}.", rule.name, and(&did)))
            })
            .collect()
    };
    let gone = only(base, other).into_iter().map(|rule| format!("Where it was in force, {rule}"));
    gone.chain(only(other, base).into_iter().map(|rule| format!("Here, {rule}"))).collect()
}

/// A difference with its sign and its error.
pub(super) fn signed(difference: &Difference, kind: Kind) -> String {
    let (scale, unit, digits) = if kind == Kind::Mean { (1.0, "", 2) } else { (100.0, " %", 1) };
    let by = scale * difference.difference;
    // Rounded to nothing there is no sign.
    let sign = match by {
        by if format!("{:.digits$}", by.abs()).bytes().all(|byte| matches!(byte, b'0' | b'.')) => "",
        by if by > 0.0 => "+",
        _ => "−",
    };
    format!("{sign}{:.digits$}{unit} ±{:.digits$}", by.abs(), scale * difference.error)
}

/// A number in groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut told = digits[..first].to_owned();
    for at in (first..digits.len()).step_by(3) {
        if !told.is_empty() {
            told.push(',');
        }
        told.push_str(&digits[at..at + 3]);
    }
    told
}

fn and<S: AsRef<str>>(parts: &[S]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.as_ref().into(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

fn uncapital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
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
        "length" => pick("Matches are longer", "Matches are shorter"),
        "turns" => pick("Matches have more turns", "Matches have fewer turns"),
        "branching" => pick("There is more to choose from", "There is less to choose from"),
        "lead_changes" => pick("The lead changes more often", "The lead changes less often"),
        "drama" => {
            pick("The winner is behind for a larger part", "The winner is behind for a smaller part") + " of the match"
        }
        "decided" => pick("The match is decided later", "The match is decided earlier") + " in its course",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_read_in_groups() {
        assert_eq!([0, 12, 999, 2000, 53028, 1234567].map(grouped), ["0", "12", "999", "2,000", "53,028", "1,234,567"]);
    }

    fn figure(key: &str, mean: f64) -> Figure {
        Figure {
            key: key.into(),
            title: key.into(),
            kind: if key == "length" { Kind::Mean } else { Kind::Share },
            mean,
            low: mean,
            high: mean,
            n: 100,
            variance: 0.1,
        }
    }

    fn summary(label: &str) -> Summary {
        let figures = vec![figure("draws", 0.1), figure("length", 50.0)];
        Summary {
            label: label.into(),
            matches: 100,
            seats: vec!["South".into(), "North".into()],
            figures,
            rules: Vec::new(),
            rule_matches: 20,
            looked: 10,
            lengths: Default::default(),
            branching_by_tenth: Vec::new(),
        }
    }

    fn rule(name: &str, refused: f64, mattered: u64) -> crate::summary::RuleSummary {
        let kind = "law".into();
        crate::summary::RuleSummary {
            name: name.into(),
            kind,
            refused_at: figure("refused_at", refused),
            refused: figure("refused", refused),
            mattered: Some(Figure { n: 20, ..figure("mattered", mattered as f64 / 20.0) }),
            never: false,
            at_most: None,
        }
    }

    #[test]
    fn what_a_change_does_is_said_in_plain_words() {
        let (base, mut other) = (summary("as it is"), summary("quick"));
        let told = verdict(&other, &crate::compare(&base, &other));
        assert_eq!(told, "Nothing changes that so many matches can show.");
        other.figures[1].mean = 40.0;
        let comparison = crate::compare(&base, &other);
        assert_eq!(
            verdict(&other, &comparison),
            "In this form of the game matches are shorter. As far as so many matches show, how often a match is drawn \
             stays as it was."
        );
        assert_eq!(
            differences(&base, &other, &comparison),
            ["Matches are shorter: 40.00 ±0.00 instead of 50.00 ±0.00, 20 % less."]
        );
    }

    #[test]
    fn a_rule_that_only_one_has_is_told_with_what_it_did() {
        let (mut base, mut other) = (summary("as it is"), summary("another"));
        base.rules = vec![rule("Both have it", 0.5, 20), rule("Feed", 0.006, 5)];
        other.rules = vec![rule("Both have it", 0.5, 20), rule("Fast", 0.0, 3)];
        assert_eq!(
            rules_apart(&base, &other),
            [
                "Where it was in force, “Feed” refused something at 0.6 % ±0.0 of the decisions and mattered in 5 of 20 matches.",
                "Here, “Fast” mattered in 3 of 20 matches."
            ]
        );
    }
}
