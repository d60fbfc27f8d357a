//! A sprint over few facts: all that is there is one word, each fact a bit of it.
//!
//! What can fire is seen by comparing that word with what each way wants, and nothing waits for anything. A fact that is there
//! twice does not fit in; from there on the same matches are played by a [`Sprint`](crate::sprint::Sprint).

use std::ops::Range;

use crate::course::{Course, Firing};
use crate::net::Net;
use crate::race::Field;
use crate::store::{AtomId, Map};

/// A course whose facts fit into a word.
pub(crate) struct Dash {
    /// The atom of each bit.
    atoms: Vec<AtomId>,
    /// A group is found by where its firings begin.
    groups: Vec<Group>,
    /// Per way of the course.
    wants: Vec<Want>,
    /// Per firing of the course.
    changes: Vec<Change>,
}

/// How it is seen what of a group can come about.
#[derive(Clone)]
enum Group {
    /// Each firing wants one fact, and their bits stand in the same order: from here on, so many.
    Bits(u32, u64),
    Ways(Range<u32>),
}

struct Want {
    facts: u64,
    /// The bit of the firing in its group.
    firing: u64,
    /// In how many ways it can come about, if it can.
    weight: u64,
}

struct Change {
    goes: u64,
    comes: u64,
}

/// What is there.
pub(crate) struct Word<'a> {
    dash: &'a Dash,
    facts: u64,
    /// Which firings of the group that was looked at last can come about.
    can: u64,
}

/// This bit is never there: what wants a fact twice wants this one.
const NEVER: u64 = 1 << 63;
/// And where this one goes and comes, nothing fits.
const MOST_ATOMS: usize = 63;

impl Dash {
    /// None where there are more facts, or more to choose from.
    pub fn of(net: &Net, course: &Course) -> Option<Dash> {
        let atoms: Vec<AtomId> = (0..net.n_atoms as AtomId).filter(|&atom| !course.is_token(atom)).collect();
        if atoms.len() > MOST_ATOMS {
            return None;
        }
        let atoms = in_order(course, atoms);
        let bit_of: Map<AtomId, u32> = atoms.iter().copied().zip(0..).collect();
        let bit = |atom: AtomId| 1_u64 << bit_of[&atom];
        let own = |way: u32| {
            let facts =
                course.needs_of(way).iter().fold(0, |facts, &(atom, n)| facts | if n > 1 { NEVER } else { bit(atom) });
            let way = &course.ways[way as usize];
            let transition = &net.transitions[way.transition as usize];
            Want { facts, firing: 1 << (way.firing % 64), weight: transition.weight(net, |_| 1) }
        };
        let change = |firing: usize| {
            let mut change = Change { goes: 0, comes: 0 };
            for &(atom, by) in course.deltas_of(firing) {
                match by {
                    -1 => change.goes |= bit(atom),
                    1 => change.comes |= bit(atom),
                    _ => change.comes |= NEVER,
                }
            }
            change
        };
        let mut groups = vec![Group::Ways(0..0); course.firings.len().div_ceil(64)];
        for group in groups_of(course) {
            if group.len() > 64 {
                return None;
            }
            let first = course.firings[group.start as usize].ways.start;
            let bits: Option<Vec<u32>> = wanted(course, &group).map(|atoms| atoms.map(|atom| bit_of[&atom]).collect());
            let in_a_row = bits.filter(|bits| bits.windows(2).all(|pair| pair[0] + 1 == pair[1]));
            groups[group.start as usize / 64] = match in_a_row {
                Some(bits) => Group::Bits(bits[0], u64::MAX >> (64 - bits.len())),
                None => Group::Ways(first..course.firings[group.end as usize - 1].ways.end),
            };
        }
        let wants = (0..course.ways.len() as u32).map(own).collect();
        let changes = (0..course.firings.len()).map(change).collect();
        Some(Dash { atoms, groups, wants, changes })
    }

    pub fn with(&self, facts: u64) -> Word<'_> {
        Word { dash: self, facts, can: 0 }
    }

    /// What is there as a word; none where a fact is there twice.
    pub fn facts(&self, counts: &[u32]) -> Option<u64> {
        let mut facts = 0;
        let mut twice = false;
        for (bit, &atom) in self.atoms.iter().enumerate() {
            let count = counts[atom as usize];
            twice |= count > 1;
            facts |= u64::from(count) << bit;
        }
        (!twice).then_some(facts)
    }
}

impl Word<'_> {
    /// Writes down how often each atom is there.
    pub fn tell(&self, token: Option<AtomId>, counts: &mut [u32]) {
        counts.fill(0);
        if let Some(token) = token {
            counts[token as usize] = 1;
        }
        let mut facts = self.facts;
        while facts != 0 {
            counts[self.dash.atoms[facts.trailing_zeros() as usize] as usize] = 1;
            facts &= facts - 1;
        }
    }

    fn can(&self, want: &Want) -> bool {
        self.facts & want.facts == want.facts
    }
}

impl Field for Word<'_> {
    fn look(&mut self, _: &Course, group: &Range<u32>) -> bool {
        self.can = 0;
        if group.is_empty() {
            return false;
        }
        match &self.dash.groups[group.start as usize / 64] {
            Group::Bits(first, all) => self.can = self.facts >> first & all,
            Group::Ways(ways) => {
                for want in &self.dash.wants[ways.start as usize..ways.end as usize] {
                    self.can |= if self.can(want) { want.firing } else { 0 };
                }
            }
        }
        self.can != 0
    }

    fn n(&self) -> u32 {
        self.can.count_ones()
    }

    fn is_one(&self) -> bool {
        self.can & self.can.wrapping_sub(1) == 0
    }

    fn nth(&self, group: &Range<u32>, n: u32) -> u32 {
        let mut can = self.can;
        (0..n).for_each(|_| can &= can - 1);
        group.start + can.trailing_zeros()
    }

    fn each(&self, group: &Range<u32>, mut found: impl FnMut(u32)) {
        let mut can = self.can;
        while can != 0 {
            found(group.start + can.trailing_zeros());
            can &= can - 1;
        }
    }

    fn weight(&self, _: &Net, course: &Course, _: Option<AtomId>, firing: u32) -> u64 {
        let ways = &course.firings[firing as usize].ways;
        let wants = &self.dash.wants[ways.start as usize..ways.end as usize];
        wants.iter().filter(|want| self.can(want)).map(|want| want.weight).fold(0, u64::saturating_add)
    }

    fn fire(&mut self, _: &Course, firing: u32) -> bool {
        let change = &self.dash.changes[firing as usize];
        let left = self.facts & !change.goes;
        let fits = left & change.comes == 0 && change.comes & NEVER == 0;
        if fits {
            self.facts = left | change.comes;
        }
        fits
    }
}

/// The groups of firings that there are.
fn groups_of(course: &Course) -> impl Iterator<Item = Range<u32>> {
    let groups = course.spots.iter().flat_map(|spot| spot.own.iter().map(|(_, own)| own).chain([&spot.links]));
    groups.filter(|group| !group.is_empty()).cloned()
}

/// What the firings of a group want, in their order, where each wants one fact.
fn wanted<'a>(course: &'a Course, group: &Range<u32>) -> Option<impl Iterator<Item = AtomId> + use<'a>> {
    let firings = &course.firings[group.start as usize..group.end as usize];
    let one = |firing: &Firing| match course.needs_of(firing.ways.start) {
        [(atom, 1)] if firing.ways.len() == 1 => Some(*atom),
        _ => None,
    };
    firings.iter().all(|firing| one(firing).is_some()).then(|| firings.iter().filter_map(one))
}

/// Puts side by side what is wanted by firings that stand side by side, most of them first.
fn in_order(course: &Course, atoms: Vec<AtomId>) -> Vec<AtomId> {
    let mut groups: Vec<Range<u32>> = groups_of(course).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mut order: indexmap::IndexSet<AtomId> =
        groups.iter().filter_map(|group| wanted(course, group)).flatten().collect();
    order.extend(atoms);
    order.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use houserules_kernel::Generator;
    use houserules_model::FileId;

    use super::*;
    use crate::fault::Budget;
    use crate::race::{Race, Turns};

    /// Heaps into which balls are dropped, two into one now and then; and notes that may be there twice from some time on.
    const BALLS: &str = "player : type. ann : player. bob : player. place : type. p : place. q : place. r : place.
        other player player : bwd. other ann bob. other bob ann.
        turn player : pred. ball place : pred. left place : pred. heap place : pred. met player : pred. done player : pred.
        stage drop = { drop : turn P * left X * $heap Y -o done P * ball Y. }
        #interactive drop.
        stage meet = { meet : done P * ball X * ball X -o turn P * met P. free : done P * ball p * ball q -o turn P * ball r. }
        look : qui * stage drop * $done P -o stage meet. go : qui * stage meet * done P * other P Q -o stage drop * turn Q.
        back : qui * stage meet * turn P * other P Q -o stage drop * turn Q.
        #trace _ drop {turn ann, left p, left q, left r, left p, heap p, heap q, heap r}.";
    const NOUGHTS: &str = include_str!("../tests/programs/noughts.cep");

    /// Whether a word is kept from the start to the end, and how many matches were compared.
    fn same_matches(text: &str) -> (usize, usize) {
        let program = crate::check(text, FileId(0)).0.unwrap();
        let net = Net::build(Arc::new(program), 0, Budget::default()).unwrap();
        let (short, mut long) = (Course::of(&net), Course::of(&net));
        assert!(short.dash.is_some(), "the facts fit into a word");
        long.dash = None;
        let mut n_words = 0;
        for seed in 0..300 {
            let play = |course: &Course| {
                let mut state = net.start();
                let begin = state.begin(course).unwrap();
                let mut race = Race::new(&net, course, begin.spot, Turns { last: None, n: 0 });
                let mut generator = Generator::new(seed);
                let stop = state.race(&mut race, begin, &mut generator, 40, 1_000).unwrap();
                state.end(race.stage());
                let ended: Vec<(AtomId, u32)> = state.atoms().collect();
                (stop, ended, race.stage(), race.n_choices, race.turns.n, generator)
            };
            let (one, other) = (play(&short), play(&long));
            assert_eq!(one, other, "seed {seed}");
            n_words += usize::from(one.1.iter().all(|(_, count)| *count == 1));
        }
        (n_words, 300)
    }

    #[test]
    fn a_word_plays_the_matches_that_a_sprint_plays() {
        assert_eq!(same_matches(NOUGHTS), (300, 300));
        // The same where a fact that is there twice ends the word in the middle.
        let (n_words, n) = same_matches(&BALLS.replace("left r, left p", "left r"));
        assert!(0 < n_words && n_words < n, "{n_words} of {n}");
    }

    #[test]
    fn what_is_there_twice_is_no_word() {
        let program = crate::check(BALLS, FileId(0)).0.unwrap();
        let net = Net::build(Arc::new(program), 0, Budget::default()).unwrap();
        let (course, start) = (Course::of(&net), net.start());
        let counts: Vec<u32> = (0..net.n_atoms as AtomId).map(|atom| start.count(atom)).collect();
        assert!(course.dash.is_some_and(|dash| dash.facts(&counts).is_none()));
    }
}
