//! Actions that lead to a place beside the thing that moves, found for all things at once.
//!
//! On a small board the places where something lies, where things of a player lie, and where those lie who may receive an
//! action, are kept as words of bits. Where an attribute is one step away, and laws ask no more than what lies there or
//! behind it, one shift of such a word for each direction tells everybody who can go that way. So nothing is listed: one of
//! all is drawn, and only that one is tried. `signs` reads off the code of attributes and laws what they ask.

mod draw;
mod signs;
mod standing;

pub use standing::Standing;

use crate::layout;
use crate::program::{Handler, Program, Receivers};
use crate::value::Value;
use crate::world::{EntityId, KindId};
use signs::{Question, Signs, Source, Spot, Term};

/// Kinds and states whose ways may differ.
const MOST_CLASSES: u8 = 8;
/// Words of bits that are kept.
const MOST_WORDS: usize = 16;
/// Directions of all actions of a player.
const MOST_ARMS: usize = 24;

// The first words are the same in every game.
/// Nothing; what is asked of it is denied.
const NONE: u8 = 0;
/// Where something lies.
const FILLED: u8 = 1;
/// Where something of the first seat lies on top; the second one follows.
const OWN: u8 = 2;
/// Where the top does not lie alone, or is in a state that nobody knows.
const ODD: u8 = 4;
/// Whatever it is.
const ANY: u8 = 5;
/// Things of some classes; those who may receive an action.
const OTHERS: u8 = 6;

/// How the actions of a game are found by bits.
#[derive(Debug)]
pub struct Strides {
    /// The board: its first place and how many there are.
    first: EntityId,
    n: u32,
    /// Where it is kept what lies on the first place.
    tops: u32,
    /// For each slot of the start what a change of it brings into question.
    watched: Vec<Watched>,
    /// For each kind the words of its states, and in which words of bits a thing is then.
    classes: Vec<Vec<(u64, u16)>>,
    /// The roster's sets whose things are kept as places, and in which word.
    sets: Vec<(usize, u8)>,
    n_words: u8,
    /// Whether no law reads the receiver and more than its own properties, or nothing at all.
    free: bool,
    actions: Vec<Striding>,
    /// For each of two seats the ways of all actions, action by action.
    arms: [Vec<Arm>; 2],
}

/// One action.
#[derive(Debug)]
struct Striding {
    action: usize,
    /// Which argument the place is.
    argument: usize,
    /// Whether some law reads the receiver and more than its own properties.
    each: bool,
    /// Whether whatever is found is legal, as far as the receiver may.
    surely: bool,
    /// For each seat the word of its receivers, and where its arms end.
    seats: [(u8, usize); 2],
}

/// What a change brings into question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Watched {
    Nothing,
    Place(u8),
    /// The place of a thing, which is kept in this slot.
    Thing(u32),
}

/// A direction in which some can go.
#[derive(Clone, PartialEq, Debug)]
struct Arm {
    /// From where a thing stands to the place.
    offset: i32,
    /// The words of those who can, as far as their class says, and as far as they may receive the action.
    among: [u8; 2],
    first: Sifting,
    /// It is enough if one of these holds.
    further: Vec<Sifting>,
}

/// Places for which all these hold.
#[derive(Clone, PartialEq, Debug)]
struct Sifting {
    mask: u64,
    first: [Sifter; 2],
    further: Vec<Sifter>,
}

/// Whether what lies so far on is in a word of bits.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Sifter {
    word: u8,
    /// How far all bits turn when each goes from a place to where it is asked from.
    turn: u8,
    exists: u64,
    /// All ones where the place must not be in it.
    denied: u64,
}

/// An arm before it is known which words there are.
struct Way {
    offset: i32,
    /// A bit for each class.
    classes: u8,
    terms: Vec<Term>,
}

impl Strides {
    /// None where some action needs more than this, and for games of other than two players or one small board.
    pub fn of(program: &Program) -> Option<Strides> {
        let sampler = program.sampler.as_ref()?;
        let [board] = program.world.boards.as_slice() else { return None };
        let (first, end, base) = program.layout.column(layout::TOP);
        let suits = (1..=64).contains(&board.n)
            && program.world.n_seats == 2
            && first <= board.first
            && end >= board.first + board.n
            && !sampler.actions.is_empty();
        if !suits {
            return None;
        }
        let mut strides = Strides {
            first: board.first,
            n: board.n,
            tops: base + board.first - first,
            watched: vec![Watched::Nothing; program.layout.made_base as usize],
            classes: Vec::new(),
            sets: Vec::new(),
            n_words: OTHERS,
            free: true,
            actions: Vec::new(),
            arms: [Vec::new(), Vec::new()],
        };
        let receives = |kind: KindId| sampler.actions.iter().any(|drawn| drawn.by_list[kind as usize].is_some());
        let (classes, n_classes) = classified(program, receives)?;
        let mut combined = Vec::new();
        for drawn in &sampler.actions {
            strides.add(program, drawn.action, &classes, n_classes, &mut combined)?;
        }
        strides.classes = classes
            .iter()
            .map(|states| {
                let words = |class: u8| {
                    let in_word = |&&(of, _): &&(u8, u8)| of >> class & 1 == 1;
                    combined.iter().filter(in_word).fold(0, |words, &(_, word)| words | 1 << word)
                };
                states.iter().map(|&(state, class)| (state, words(class))).collect()
            })
            .collect();
        strides.watch(program)?;
        Some(strides)
    }

    fn add(
        &mut self,
        program: &Program,
        action: usize,
        classes: &[Vec<(u64, u8)>],
        n_classes: u8,
        combined: &mut Vec<(u8, u8)>,
    ) -> Option<()> {
        let code = &program.actions[action];
        let [(attribute, funcs)] = code.with.as_slice() else { return None };
        let Receivers::Kind(wanted) = code.to else { return None };
        let argument = 1 + usize::from(*attribute);
        let mut striding = Striding { action, argument, each: false, surely: true, seats: [(NONE, 0); 2] };
        for seat in 0..2u8 {
            let mut ways: Vec<Way> = Vec::new();
            for (kind, handler) in program.handlers[code.label as usize].iter().enumerate() {
                let split = match handler {
                    _ if !program.is_a[kind][wanted as usize] => continue,
                    Handler::None => continue,
                    Handler::Single(woven) => woven.split?,
                    Handler::ByState(_) => return None,
                };
                striding.each |= split.each.is_some();
                self.free &= split.each.is_none() && split.once.is_none();
                for &(word, class) in &classes[kind] {
                    let state = if word == 0 { Value::text(*program.states.first()?) } else { Value(word) };
                    let signs = Signs { program, board: &program.world.boards[0], seat, state };
                    for mut goal in signs.goals(funcs[kind]?)? {
                        if let Some(test) = split.test {
                            match signs.passing(test, argument, goal.spot) {
                                Some(passing) => goal.terms = signs::both(&goal.terms, &passing),
                                // It is still tried.
                                None => striding.surely = false,
                            }
                        }
                        let offset = goal.spot.offset;
                        match ways.iter_mut().find(|way| way.offset == offset && way.terms == goal.terms) {
                            Some(way) => way.classes |= 1 << class,
                            None if goal.terms.is_empty() => {}
                            None => ways.push(Way { offset, classes: 1 << class, terms: goal.terms }),
                        }
                    }
                }
            }
            let set = program.roster.as_ref()?.like(action * 2 + usize::from(seat));
            let receivers = match self.sets.iter().find(|&&(known, _)| known == set) {
                Some(&(_, word)) => word,
                None => {
                    self.sets.push((set, self.n_words));
                    self.another_word()?
                }
            };
            for way in ways {
                let class = match combined.iter().find(|&&(classes, _)| classes == way.classes) {
                    // What holds for every class needs no look at it.
                    _ if way.classes == u8::MAX >> (MOST_CLASSES - n_classes) => ANY,
                    Some(&(_, word)) => word,
                    None => {
                        combined.push((way.classes, self.n_words));
                        self.another_word()?
                    }
                };
                let mut terms = way.terms.iter().map(Sifting::of);
                let first = terms.next()?;
                let arm = Arm { offset: way.offset, among: [class, receivers], first, further: terms.collect() };
                self.arms[usize::from(seat)].push(arm);
            }
            striding.seats[usize::from(seat)] = (receivers, self.arms[usize::from(seat)].len());
        }
        self.actions.push(striding);
        self.arms.iter().all(|arms| arms.len() <= MOST_ARMS).then_some(())
    }

    fn another_word(&mut self) -> Option<u8> {
        self.n_words += 1;
        (usize::from(self.n_words) <= MOST_WORDS).then_some(self.n_words - 1)
    }

    /// Notes whose place a change brings into question: what lies there, whose it is, or who may receive something.
    fn watch(&mut self, program: &Program) -> Option<()> {
        let roster = program.roster.as_ref()?;
        let place =
            |thing: EntityId| program.layout.slot(layout::PLACE, thing).map_or(Watched::Nothing, Watched::Thing);
        for slot in 0..self.watched.len() {
            if let Some(thing) = roster.thing_of(program, slot as u64) {
                self.watched[slot] = place(thing);
            }
        }
        for prop in [layout::OWNER, layout::STATE, layout::UNDER] {
            let (first, end, base) = program.layout.column(prop);
            (first..end).for_each(|thing| self.watched[(base + thing - first) as usize] = place(thing));
        }
        for at in 0..self.n {
            self.watched[(self.tops + at) as usize] = Watched::Place(at as u8);
        }
        Some(())
    }
}

/// A class for each kind that can receive something and each of its states, as the word by which it is kept; and how many.
fn classified(program: &Program, receives: impl Fn(KindId) -> bool) -> Option<(Vec<Vec<(u64, u8)>>, u8)> {
    let mut classes = vec![Vec::new(); program.world.kinds.len()];
    let mut n = 0;
    for kind in (0..program.world.kinds.len() as KindId).filter(|&kind| receives(kind)) {
        let states = if program.layout.has(layout::STATE, kind) { program.states.len().max(1) } else { 1 };
        for at in 0..states {
            if n == MOST_CLASSES {
                return None;
            }
            // The first state is stored as nothing.
            let word = if at == 0 { Value::NIL } else { Value::text(program.states[at]) };
            classes[kind as usize].push((word.0, n));
            n += 1;
        }
    }
    (n > 0).then_some((classes, n))
}

impl Sifting {
    fn of(term: &Term) -> Sifting {
        let sifter = |&(Question { source, spot: Spot { offset, exists } }, answer): &(Question, bool)| Sifter {
            word: match source {
                Source::Filled => FILLED,
                Source::Of(seat) => OWN + seat,
            },
            turn: offset.rem_euclid(64) as u8,
            exists,
            denied: if answer { 0 } else { u64::MAX },
        };
        let nothing = Sifter { word: NONE, turn: 0, exists: 0, denied: u64::MAX };
        let mut asked = term.answers.iter().map(sifter);
        let first = [asked.next().unwrap_or(nothing), asked.next().unwrap_or(nothing)];
        Sifting { mask: term.mask, first, further: asked.collect() }
    }

    #[inline(always)]
    fn places(&self, words: &[u64; MOST_WORDS]) -> u64 {
        let [one, other] = &self.first;
        let places = self.mask & one.places(words) & other.places(words);
        self.further.iter().fold(places, |places, sifter| places & sifter.places(words))
    }
}

impl Sifter {
    #[inline(always)]
    fn places(&self, words: &[u64; MOST_WORDS]) -> u64 {
        (words[usize::from(self.word) % MOST_WORDS].rotate_right(u32::from(self.turn)) & self.exists) ^ self.denied
    }
}

impl Arm {
    /// The places of those who can go this way.
    #[inline(always)]
    fn hits(&self, words: &[u64; MOST_WORDS]) -> u64 {
        let found = self.further.iter().fold(self.first.places(words), |found, term| found | term.places(words));
        let [class, receivers] = self.among;
        found & words[usize::from(class) % MOST_WORDS] & words[usize::from(receivers) % MOST_WORDS]
    }
}
