//! What is asked, what happened, and how it ended.

use crate::Seat;
use serde::{Deserialize, Serialize};

/// What the match waits for, as one viewer may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Question {
    /// The seats that have not answered yet.
    pub asked: Vec<Seat>,
    /// `action` begins a ply, and is left out; `answer` is given in the middle of one.
    #[serde(default, skip_serializing_if = "QuestionKind::is_action")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub kind: QuestionKind,
    /// The question in the definition's words; missing: the words of the question before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub prompt: Option<String>,
    /// For the viewer's own seats that are asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub yours: Vec<Yours>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum QuestionKind {
    #[default]
    Action,
    Answer,
    /// Nobody is asked: the match is over.
    Over,
}

impl QuestionKind {
    pub(crate) fn is_action(&self) -> bool {
        *self == QuestionKind::Action
    }
}

/// What one's own seat may choose. The legal choices have a fixed order: a choice is named by its index.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Yours {
    pub seat: Seat,
    #[serde(flatten)]
    pub ways: Ways,
    /// Of choices that pointing does not tell apart: index and words. Those of all choices are told on request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub words: Vec<Words>,
    /// Those that advised rules are against.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub warnings: Vec<Warning>,
    /// Where one question is answered by several choices in turn: those made so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub picking: Option<Picking>,
}

/// What a seat has named of a question that takes several answers, and out of what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Picking {
    /// All that was on offer at first, in words.
    pub options: Vec<String>,
    /// What was named so far, as places in that order.
    pub picked: Vec<u32>,
    /// How many are named in all; missing where one may stop at any time, by the last choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub wanted: Option<u32>,
    /// Each may be named again, and choice 3 is option 3; else choice 0 is the option after the one named last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub again: bool,
}

/// How each choice is made on a screen: the things that are pointed at, one by a click, more by clicks in turn, the first two
/// also by a drag; none: by its words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Ways {
    Ways(Vec<Way>),
    /// One thing each.
    Points(Vec<u32>),
    /// Two things each: what is pointed at first, with all that can come second.
    Pairs(Vec<(u32, Vec<u32>)>),
    /// Against the last ones this client was told of this seat: first those at these places go, the last place first; then
    /// others come to stand at theirs, the first place first: each is told as its place, then its things.
    Differ {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        go: Vec<u32>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        come: Vec<Vec<u32>>,
    },
}

/// The numbers of things.
pub type Way = Vec<u32>;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Words(pub u32, pub String);

impl Ways {
    /// What tells a client that knows the old ways of the new ones, in few bytes.
    pub fn between(old: &[Way], new: &[Way]) -> Self {
        let whole = || Ways::whole(new);
        if let Some((go, come)) = merged(old, new) {
            return Ways::shorter(go, come, new);
        }
        let (mut go, mut come) = (Vec::new(), Vec::new());
        let known: std::collections::BTreeSet<&Way> = old.iter().collect();
        let wanted: std::collections::BTreeSet<&Way> = new.iter().collect();
        // Choices that point at the same things cannot be told apart here.
        if known.len() < old.len() || wanted.len() < new.len() {
            return whole();
        }
        let mut left = Vec::with_capacity(old.len());
        for (at, way) in old.iter().enumerate() {
            if wanted.contains(way) { left.push(way) } else { go.push(at as u32) }
        }
        let mut stays = left.into_iter();
        for (at, way) in new.iter().enumerate() {
            if !known.contains(way) {
                come.push(comes(at, way));
            } else if stays.next() != Some(way) {
                return whole();
            }
        }
        Ways::shorter(go, come, new)
    }

    /// The difference, where it takes less room than all of them.
    fn shorter(go: Vec<u32>, come: Vec<Vec<u32>>, new: &[Way]) -> Self {
        let (whole, differ) = (Ways::whole(new), Ways::Differ { go, come });
        if differ.room() < whole.room() { differ } else { whole }
    }

    /// About as many letters as it is told with.
    fn room(&self) -> usize {
        let digits = |number: &u32| number.checked_ilog10().unwrap_or(0) as usize + 2;
        let list = |numbers: &[u32]| 2 + numbers.iter().map(digits).sum::<usize>();
        match self {
            Ways::Ways(ways) => ways.iter().map(|way| list(way)).sum(),
            Ways::Points(points) => list(points),
            Ways::Pairs(pairs) => pairs.iter().map(|(first, second)| digits(first) + list(second) + 3).sum(),
            Ways::Differ { go, come } => {
                let named = |is: bool, name: &str| if is { name.len() + 6 } else { 0 };
                named(!go.is_empty(), "go")
                    + list(go)
                    + named(!come.is_empty(), "come")
                    + come.iter().map(|told| list(told)).sum::<usize>()
            }
        }
    }

    /// Without anything that was told before.
    pub fn whole(ways: &[Way]) -> Self {
        if !ways.is_empty() && ways.iter().all(|way| way.len() == 1) {
            return Ways::Points(ways.iter().flatten().copied().collect());
        }
        if ways.is_empty() || ways.iter().any(|way| way.len() != 2) {
            return Ways::Ways(ways.to_vec());
        }
        let mut pairs: Vec<(u32, Vec<u32>)> = Vec::new();
        for way in ways {
            match pairs.last_mut() {
                Some((first, second)) if *first == way[0] => second.push(way[1]),
                _ => pairs.push((way[0], vec![way[1]])),
            }
        }
        Ways::Pairs(pairs)
    }

    /// The new ways, for a client that knows the old ones; none if they do not fit.
    pub fn applied(&self, old: &[Way]) -> Option<Vec<Way>> {
        match self {
            Ways::Ways(ways) => Some(ways.clone()),
            Ways::Points(points) => Some(points.iter().map(|&thing| vec![thing]).collect()),
            Ways::Pairs(pairs) => {
                let each =
                    |(first, second): &(u32, Vec<u32>)| second.iter().map(|&second| vec![*first, second]).collect();
                Some(pairs.iter().flat_map(|pair| -> Vec<Way> { each(pair) }).collect())
            }
            Ways::Differ { go, come } => {
                let mut ways = old.to_vec();
                for &at in go.iter().rev() {
                    (ways.len() > at as usize).then(|| ways.remove(at as usize))?;
                }
                for told in come {
                    let (at, way) = told.split_first()?;
                    (ways.len() >= *at as usize).then(|| ways.insert(*at as usize, way.to_vec()))?;
                }
                Some(ways)
            }
        }
    }
}

fn comes(at: usize, way: &Way) -> Vec<u32> {
    std::iter::once(at as u32).chain(way.iter().copied()).collect()
}

/// The difference of ways that are in order, as they mostly are; none if they are not.
fn merged(old: &[Way], new: &[Way]) -> Option<(Vec<u32>, Vec<Vec<u32>>)> {
    let (mut go, mut come) = (Vec::new(), Vec::new());
    let (mut left, mut right) = (0, 0);
    while left < old.len() || right < new.len() {
        match (old.get(left), new.get(right)) {
            (Some(was), Some(is)) if was == is => (left, right) = (left + 1, right + 1),
            (Some(was), is) if is.is_none_or(|is| was < is) => {
                go.push(left as u32);
                left += 1;
            }
            (_, Some(is)) => {
                come.push(comes(right, is));
                right += 1;
            }
            (Some(_), None) | (None, None) => return None,
        }
    }
    let in_order = |ways: &[Way]| ways.is_sorted_by(|one, next| one < next);
    (in_order(old) && in_order(new)).then_some((go, come))
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Warning {
    pub choice: u32,
    pub rule: String,
    pub reason: String,
}

/// A candidate that is refused, and by what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RefusedChoice {
    pub words: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub law: Option<String>,
    pub reason: String,
    /// The things it names, as of a choice that is not refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub points: Way,
}

/// One thing that happened, in words for one viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogLine {
    /// The number of the update it belongs to; missing: of the one it comes with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub n: Option<u32>,
    #[serde(flatten)]
    pub what: LogWhat,
}

/// What a seat chose, told shorter: seat, number of the move, words; without words in secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Chose {
    Open(Seat, u32, String),
    Secret(Seat, u32),
}

impl From<Chose> for LogWhat {
    fn from(chose: Chose) -> Self {
        match chose {
            Chose::Open(seat, number, words) => LogWhat::Chose { seat, number, words: Some(words) },
            Chose::Secret(seat, number) => LogWhat::Chose { seat, number, words: None },
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum LogWhat {
    /// A seat chose. Without words: it chose in secret.
    Chose {
        seat: Seat,
        /// Moves count from 1, the same everywhere.
        #[serde(rename = "move")]
        number: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        words: Option<String>,
    },
    /// Dice, decks.
    Chance {
        words: String,
    },
    /// The definition says something to this viewer.
    Said {
        text: String,
    },
    /// The rules changed. Told in words; `change` says what.
    Changed {
        change: crate::rules::Change,
        by: String,
        /// Who agreed; empty: nobody had to.
        agreed: Vec<String>,
    },
    /// The referee did something by hand.
    Hand {
        by: String,
        entity: String,
        statements: String,
    },
    /// Steps were taken back or done again; moves in effect since.
    Undone {
        steps: u32,
        moves: u32,
    },
    Redone {
        steps: u32,
        moves: u32,
    },
    /// What was decided about a choice that an advised rule is against.
    Ruled {
        seat: Seat,
        words: String,
        rule: String,
        allowed: bool,
        by: String,
    },
    /// People talk.
    Talk {
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        seat: Option<Seat>,
        text: String,
        /// Milliseconds since 1970.
        #[cfg_attr(test, ts(type = "number"))]
        at: u64,
    },
    /// Somebody sat down, left, was replaced.
    Sat {
        seat: Seat,
        name: String,
        sitter: crate::table::SitterKind,
    },
    Left {
        seat: Seat,
        name: String,
    },
    Began {
        /// From 1; a rematch is the next.
        #[serde(rename = "match")]
        number: u32,
    },
    Paused {
        by: String,
    },
    Resumed {
        by: String,
    },
    Proposed {
        proposal: u32,
        by: String,
        what: String,
    },
    Settled {
        proposal: u32,
        agreed: bool,
        by: String,
        what: String,
    },
    Ended {
        result: Result,
    },
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Result {
    /// The rank of each seat, 1 first; equals share a rank.
    pub ranks: Vec<u8>,
    pub how: How,
    /// `South wins.`
    pub words: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// By the rules.
    Played,
    Resigned,
    Agreed,
    Time,
    /// Nobody could go on: a rule has a fault.
    Stopped,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_told_by_their_difference_where_that_is_shorter() {
        let way = |numbers: &[u32]| -> Vec<Way> { numbers.iter().map(|&number| vec![number]).collect() };
        let old = way(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for new in [
            way(&[1, 2, 4, 5, 6, 7, 8, 9]),
            way(&[0, 1, 2, 4, 5, 6, 7, 8, 11]),
            way(&[9, 8]),
            way(&[]),
            way(&[2, 1, 3, 4, 5]),
        ] {
            assert_eq!(Ways::between(&old, &new).applied(&old), Some(new));
        }
        assert_eq!(Ways::between(&old, &way(&[11, 12])), Ways::Points(vec![11, 12]), "all of them are fewer letters");
        let pairs: Vec<Way> = [[4, 9], [4, 7], [2, 8], [4, 1]].map(Vec::from).to_vec();
        assert_eq!(Ways::whole(&pairs), Ways::Pairs(vec![(4, vec![9, 7]), (2, vec![8]), (4, vec![1])]));
        for new in [&pairs[..], &pairs[1..], &[]] {
            assert_eq!(Ways::between(&pairs, new).applied(&pairs).as_deref(), Some(new));
            assert_eq!(Ways::between(&old, new).applied(&old).as_deref(), Some(new));
        }
        assert_eq!(Ways::between(&old, &old[1..]), Ways::Differ { go: vec![0], come: vec![] });
        assert_eq!(Ways::Differ { go: vec![9], come: vec![] }.applied(&old), None);
    }
}
