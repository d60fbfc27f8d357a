use std::cmp::Reverse;

use crate::{Budget, Origin};

/// A message to the author of a definition: a title, the place, the facts, what to type next.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    /// A stable code in a family, such as `name/unknown`.
    pub code: &'static str,
    pub title: String,
    /// The first label is the place; others point at what it clashes with.
    pub labels: Vec<Label>,
    /// The facts: what would happen in play, which names are known.
    pub notes: Vec<String>,
    /// What to type next.
    pub hint: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    pub origin: Origin,
    pub text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Warning,
    /// Nothing is wrong, but it cannot be played yet.
    ToDo,
    Error,
}

impl Diagnostic {
    pub fn error(code: &'static str, title: impl Into<String>, origin: Origin, label: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, title, origin, label)
    }

    pub fn warning(code: &'static str, title: impl Into<String>, origin: Origin, label: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, title, origin, label)
    }

    pub fn to_do(code: &'static str, title: impl Into<String>, origin: Origin, label: impl Into<String>) -> Self {
        Self::new(Severity::ToDo, code, title, origin, label)
    }

    fn new(
        severity: Severity,
        code: &'static str,
        title: impl Into<String>,
        origin: Origin,
        label: impl Into<String>,
    ) -> Self {
        let labels = vec![Label { origin, text: label.into() }];
        Diagnostic { severity, code, title: title.into(), labels, notes: Vec::new(), hint: None }
    }

    pub fn and(mut self, origin: Origin, text: impl Into<String>) -> Self {
        self.labels.push(Label { origin, text: text.into() });
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Whether it keeps the definition from being played: an error, or what is still to do.
    pub fn is_error(&self) -> bool {
        self.severity >= Severity::ToDo
    }

    /// The messages that are told, the errors first where there are too many, and how many are not.
    pub fn bounded(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let n = diagnostics.len();
        if n <= Budget::MESSAGES {
            return diagnostics;
        }
        diagnostics.sort_by_key(|diagnostic| Reverse(diagnostic.severity));
        let errors = diagnostics[0].is_error();
        diagnostics.truncate(Budget::MESSAGES);
        let title = format!("{} more messages are not shown", n - Budget::MESSAGES);
        let severity = if errors { Severity::Error } else { Severity::Warning };
        diagnostics.push(Self::new(
            severity,
            "text/more",
            title,
            Origin::NONE,
            "Mend the first ones, and check again.",
        ));
        diagnostics
    }
}

/// The known name most like `word`, if one is near enough to be a slip of the finger.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Comparing takes as long as one word times the other: a slip is looked for in words, not in a page without a blank.
    if word.len() > LONGEST {
        return None;
    }
    known
        .into_iter()
        .filter(|name| name.len() <= LONGEST)
        .map(|name| (distance(word, name), begins_otherwise(word, name), name))
        .filter(|(distance, _, name)| *distance <= 1 + name.chars().count().min(word.chars().count()) / 4)
        .min()
        .map(|(_, _, name)| name)
}

const LONGEST: usize = 200;

/// Among equally near words the one with the same first letter is meant: for `no` it is `not`, and not `do`.
fn begins_otherwise(left: &str, right: &str) -> bool {
    left.chars().next() != right.chars().next()
}

/// Edits between two words, a swap of neighbours counting as one (Damerau, restricted form).
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) =
        (left.to_lowercase().chars().collect(), right.to_lowercase().chars().collect());
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let same = usize::from(left[i - 1] != right[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_first_letter_decides_between_equally_near_words() {
        assert_eq!(nearest("no", ["do", "not"]), Some("not"));
        assert_eq!(nearest("stoen", ["token", "stone"]), Some("stone"));
        assert_eq!(nearest("wall", ["pawn"]), None);
    }
}
