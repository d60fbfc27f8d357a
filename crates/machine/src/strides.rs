//! Actions that lead to a place near the thing that moves, found for all things at once.
//!
//! On a small board the places where something lies, and where things of a player lie, are kept as words of bits. Where an
//! attribute is one step away, and laws ask no more than what lies there or behind it, one shift of such a word for each
//! direction tells everybody who can go that way; where places are linked otherwise, a word for each place tells where
//! it leads. So nothing is listed: one of all is drawn, and only that one is tried. `signs` reads off the code of
//! attributes and laws what they ask.

mod draw;
mod signs;
mod standing;

pub use standing::Standing;

use crate::code::{FuncId, Op, PropId};
use crate::layout::{self, Column};
use crate::program::{Handler, Program, Receivers, Split};
use crate::value::Value;
use crate::world::{EntityId, KindId};
use signs::{FromNowhere, Guard, Guarded, Lead, Question, Signs, Source, Spot, TARGET, Term};

/// Kinds and states whose ways may differ.
const MOST_CLASSES: u8 = 8;
/// Words of bits that are kept.
const MOST_WORDS: usize = 16;
/// Actions of a game.
const MOST_ACTIONS: usize = 8;

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
/// Things of some classes.
const OTHERS: u8 = 6;

/// What a word of bits may depend on beside where a thing lies.
const STOOD_BY: [PropId; 3] = [layout::OWNER, layout::UNDER, layout::STATE];

/// How the actions of a game are found by bits.
#[derive(Clone, Debug)]
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
    n_words: u8,
    /// For each kind where it is kept whose a thing is, what lies beneath it, and its state.
    columns: Vec<[Option<Column>; 3]>,
    /// For each slot in the block of a thing made in play whether it is one of these.
    made: Vec<bool>,
    actions: Vec<Striding>,
}

/// One action.
#[derive(Clone, Debug)]
struct Striding {
    action: usize,
    /// Which argument the place is; 0 if there is none, and places receive the action themselves.
    argument: usize,
    /// The laws that read neither attributes nor the receiver.
    once: Option<FuncId>,
    /// That action, before this one, which nobody may be able to do for this one to be allowed.
    unless: Option<usize>,
    /// Whether some law reads the receiver and more than its own properties.
    each: bool,
    /// Whether whatever is found is legal, as far as the receiver may.
    surely: bool,
    /// For each of two seats.
    seats: [Leading; 2],
}

/// Where an action leads. With a guard it depends on that: first where it does not hold.
#[derive(Clone, Debug, Default)]
struct Leading {
    guard: Option<Guard>,
    cases: [Option<Case>; 2],
}

#[derive(Clone, Debug)]
enum Case {
    Arms {
        /// In each of these directions one term tells it, which asks no more than two things.
        plain: Vec<PlainArm>,
        others: Vec<Arm>,
    },
    Fan(Box<Fan>),
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
    offset: i8,
    from: Places,
}

/// The same where little is asked.
#[derive(Clone, PartialEq, Debug)]
struct PlainArm {
    offset: i8,
    among: [u8; 2],
    mask: u64,
    asked: [Sifter; 2],
}

/// Places that lead to others.
#[derive(Clone, PartialEq, Debug)]
struct Fan {
    from: Places,
    /// For each place where it leads, and which places it can lead to at all.
    fan: Vec<u64>,
    to: Places,
    nowhere: FromNowhere,
}

/// Places for which one of some terms holds, and which are in two words of bits: whose they are, and of which classes what
/// lies there is.
#[derive(Clone, PartialEq, Debug)]
struct Places {
    among: [u8; 2],
    first: Sifting,
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

/// What was read off the code for a case, before it is known which words there are.
#[derive(PartialEq)]
enum Read {
    Ways(Vec<Way>),
    Fan { from: Way, fan: Vec<u64>, to: Vec<Term>, nowhere: FromNowhere },
}

#[derive(PartialEq)]
struct Way {
    offset: i8,
    /// A bit for each class of what must lie there; none if it does not matter.
    classes: Option<u8>,
    terms: Vec<Term>,
}

/// The classes of a game: for each kind the words of its states and their numbers; how many there are; and which of them
/// have been put together, in which words.
struct Classes {
    by_kind: Vec<Vec<(u64, u8)>>,
    n: u8,
    /// Whether whatever can lie on a place is of one of them.
    everybody: bool,
    together: Vec<(u8, u8)>,
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
            && (1..=MOST_ACTIONS).contains(&sampler.actions.len());
        if !suits {
            return None;
        }
        let mut strides = Strides {
            first: board.first,
            n: board.n,
            tops: base + board.first - first,
            watched: Vec::new(),
            classes: Vec::new(),
            n_words: OTHERS,
            columns: Vec::new(),
            made: vec![false; program.layout.made_stride as usize],
            actions: Vec::new(),
        };
        let receives = |kind: KindId| sampler.actions.iter().any(|drawn| drawn.by_list[kind as usize].is_some());
        let mut classes = Classes::of(program, receives)?;
        for drawn in &sampler.actions {
            strides.add(program, drawn.action, &mut classes)?;
        }
        strides.classes = classes.in_words();
        strides.order(program);
        strides.watch(program);
        Some(strides)
    }

    /// How each action is found.
    pub(crate) fn in_words(&self, program: &Program) -> Vec<String> {
        let told = |striding: &Striding| {
            let cases = striding.seats.iter().flat_map(|seat| seat.cases.iter().flatten());
            let ways = cases
                .map(|case| match case {
                    Case::Arms { plain, others } => Some(plain.len() + others.len()),
                    Case::Fan(_) => None,
                })
                .max()
                .flatten();
            let name = &program.actions[striding.action].name;
            match ways {
                Some(n) => format!("{name}, {n} ways"),
                None => format!("{name}, a set of places for each thing"),
            }
        };
        self.actions.iter().map(told).collect()
    }

    fn add(&mut self, program: &Program, action: usize, classes: &mut Classes) -> Option<()> {
        let code = &program.actions[action];
        let Receivers::Kind(wanted) = code.to else { return None };
        let kinds: Vec<(usize, Split)> = program.handlers[code.label as usize]
            .iter()
            .enumerate()
            .filter(|&(kind, handler)| program.is_a[kind][wanted as usize] && !matches!(handler, Handler::None))
            .map(|(kind, handler)| match handler {
                Handler::Single(woven) => Some((kind, woven.split?)),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let (funcs, argument) = match code.with.as_slice() {
            [] => (None, 0),
            [(attribute, funcs)] => (Some(funcs), 1 + usize::from(*attribute)),
            _ => return None,
        };
        let (&(first_kind, Split { once, .. }), board) = (kinds.first()?, &program.world.boards[0]);
        let places = first_kind == board.kind as usize;
        let alike = |&(kind, split): &(usize, Split)| split.once == once && (kind == board.kind as usize) == places;
        if !kinds.iter().all(alike) || places != funcs.is_none() {
            return None;
        }
        let each = kinds.iter().any(|(_, split)| split.each.is_some());
        let seats = Default::default();
        let mut striding = Striding { action, argument, once, unless: None, each, surely: true, seats };
        for seat in 0..2u8 {
            let mut cases: Vec<Guarded<Read>> = Vec::new();
            for &(kind, split) in &kinds {
                for &(word, class) in &classes.by_kind[kind] {
                    let state = if word == 0 { Value::text(*program.states.first()?) } else { Value(word) };
                    let signs = Signs { program, board, seat, state, places, owned: false };
                    let func = funcs.map_or(Some(None), |funcs| funcs[kind].map(Some))?;
                    for (guard, read) in read(signs, split, func, argument, class, &mut striding.surely)? {
                        match cases.iter_mut().find(|(known, _)| *known == guard) {
                            Some((_, known)) => known.join(read)?,
                            None => cases.push((guard, read)),
                        }
                    }
                }
            }
            striding.seats[usize::from(seat)] = self.leading(cases, classes)?;
        }
        let fans = striding.seats.iter().flat_map(|seat| &seat.cases).any(|case| matches!(case, Some(Case::Fan(_))));
        self.actions.push(striding);
        // Laws about receivers are asked where each has a bit.
        (!each || !fans).then_some(())
    }

    fn leading(&mut self, cases: Vec<Guarded<Read>>, classes: &mut Classes) -> Option<Leading> {
        let mut leading = Leading { guard: cases.first()?.0.map(|(guard, _)| guard), cases: [None, None] };
        for (guard, read) in cases {
            if guard.map(|(guard, _)| guard) != leading.guard {
                return None;
            }
            let case = match read {
                Read::Ways(ways) => {
                    let (mut plain, mut others) = (Vec::new(), Vec::new());
                    for way in ways {
                        let arm = Arm { offset: way.offset, from: self.places(&way, classes)? };
                        match arm.plain() {
                            Some(arm) => plain.push(arm),
                            None => others.push(arm),
                        }
                    }
                    Case::Arms { plain, others }
                }
                Read::Fan { from, fan, to, nowhere } => {
                    let anybody = Way { offset: 0, classes: None, terms: to };
                    let (from, to) = (self.places(&from, classes)?, self.places(&anybody, classes)?);
                    Case::Fan(Box::new(Fan { from, fan, to, nowhere }))
                }
            };
            leading.cases[usize::from(guard.is_some_and(|(_, holds)| holds))] = Some(case);
        }
        Some(leading)
    }

    fn places(&mut self, way: &Way, classes: &mut Classes) -> Option<Places> {
        let class = match way.classes {
            // What holds for everybody needs no look at it.
            None => ANY,
            Some(all) if classes.everybody && all == classes.all() => ANY,
            Some(wanted) => match classes.together.iter().find(|&&(together, _)| together == wanted) {
                Some(&(_, word)) => word,
                None if usize::from(self.n_words) == MOST_WORDS => return None,
                None => {
                    classes.together.push((wanted, self.n_words));
                    self.n_words += 1;
                    self.n_words - 1
                }
            },
        };
        // What is asked in every term of the place itself need not be asked in each.
        let mut terms = way.terms.clone();
        let of_itself = |&(question, answer): &(Question, bool)| question.spot.offset == 0 && answer;
        let asked = terms.first().and_then(|term| term.answers.iter().copied().find(of_itself));
        let common = asked.filter(|answer| terms.iter().all(|term| term.answers.contains(answer)));
        terms.iter_mut().for_each(|term| term.answers.retain(|&answer| Some(answer) != common));
        let among = [common.map_or(ANY, |(question, _)| question.source.word()), class];
        let mut terms = terms.iter().map(Sifting::of);
        let first = terms.next().unwrap_or(Sifting::of(&Term { mask: 0, answers: Vec::new() }));
        Some(Places { among, first, further: terms.collect() })
    }

    /// Puts actions that others forbid behind those.
    fn order(&mut self, program: &Program) {
        let steps_aside =
            |func: FuncId| program.functions[func as usize].code.iter().any(|op| matches!(op, Op::SkipRule { .. }));
        // What is found by bits is what the law would find only where no law is left out while it is asked.
        let firm = |striding: &Striding| {
            let handlers = &program.handlers[program.actions[striding.action].label as usize];
            let aside = handlers.iter().any(|handler| match handler {
                Handler::Single(woven) => woven.split.and_then(|split| split.each).is_some_and(steps_aside),
                _ => false,
            });
            striding.surely && striding.once.is_none() && !aside
        };
        let forbids = |striding: &Striding| {
            let other = crate::facts::forbidding(program, striding.once?)?;
            self.actions.iter().find(|known| known.action == other && firm(known)).map(|known| known.action)
        };
        let forbidden: Vec<Option<usize>> = self.actions.iter().map(forbids).collect();
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for (striding, forbidden) in std::mem::take(&mut self.actions).into_iter().zip(forbidden) {
            match forbidden {
                None => first.push(striding),
                Some(other) => last.push((striding, other)),
            }
        }
        for (mut striding, other) in last {
            striding.unless = first.iter().position(|known| known.action == other);
            self.actions.push(striding);
        }
        self.actions.splice(0..0, first);
    }

    /// Notes whose place a change brings into question: what lies there, whose it is, and in which state.
    fn watch(&mut self, program: &Program) {
        self.watched = vec![Watched::Nothing; program.layout.made_base as usize];
        let columns = |kind: KindId| STOOD_BY.map(|prop| program.layout.column_of(prop, kind));
        self.columns = (0..program.world.kinds.len() as KindId).map(columns).collect();
        for prop in STOOD_BY {
            self.made[program.layout.made_offset(prop) as usize] |= program.layout.made_offset(prop) != 0;
            let (first, end, base) = program.layout.column(prop);
            for thing in first..end {
                let place = program.layout.slot(layout::PLACE, thing);
                self.watched[(base + thing - first) as usize] = place.map_or(Watched::Nothing, Watched::Thing);
            }
        }
        for at in 0..self.n {
            self.watched[(self.tops + at) as usize] = Watched::Place(at as u8);
        }
    }
}

/// What the code of an action says for receivers of one class. Where laws about where it leads cannot be followed, what is
/// found is not surely legal: it is still tried.
fn read(
    signs: Signs,
    split: Split,
    func: Option<FuncId>,
    argument: usize,
    class: u8,
    surely: &mut bool,
) -> Option<Vec<Guarded<Read>>> {
    let anywhere = vec![Term { mask: signs.own().exists, answers: Vec::new() }];
    let own = split.own.map_or(Some(anywhere.clone()), |own| signs.passing(own, None))?;
    // What is forward, and whose a thing is, is known for a player's own things.
    let his = (Question { source: Source::Of(signs.seat), spot: signs.own() }, true);
    if !signs.places && !own.iter().all(|term| term.answers.contains(&his)) {
        return None;
    }
    let signs = Signs { owned: !signs.places, ..signs };
    let mut passing = |spot: Option<Spot>| {
        let Some(test) = split.test else { return anywhere.clone() };
        let passing = signs.passing(test, spot.map(|spot| (argument, spot)));
        let at_target = |term: &Term| {
            term.mask == signs.own().exists && term.answers.iter().all(|(asked, _)| asked.spot.offset == TARGET)
        };
        match passing {
            Some(terms) if spot.is_none_or(|spot| spot.offset != TARGET) || terms.iter().all(at_target) => terms,
            _ => {
                *surely = false;
                anywhere.clone()
            }
        }
    };
    let classes = (!signs.places).then_some(1 << class);
    let Some(func) = func else {
        let terms = signs::both(&own, &passing(None));
        return Some(vec![(None, Read::Ways(vec![Way { offset: 0, classes, terms }]))]);
    };
    let mut found = Vec::new();
    for (guard, lead) in signs.leads(func)? {
        let read = match lead {
            Lead::Goals(goals) => {
                let mut ways = Vec::new();
                for goal in goals {
                    let terms = signs::both(&signs::both(&own, &goal.terms), &passing(Some(goal.spot)));
                    ways.push(Way { offset: goal.spot.offset as i8, classes, terms });
                }
                Read::Ways(ways)
            }
            Lead::Fan(fan, nowhere) => {
                let target = Spot { offset: TARGET, exists: signs.own().exists };
                let from = Way { offset: 0, classes, terms: own.clone() };
                Read::Fan { from, fan, to: passing(Some(target)), nowhere }
            }
        };
        found.push((guard, read));
    }
    Some(found)
}

impl Read {
    /// The same for another class. None where a fan is not the same for both.
    fn join(&mut self, other: Read) -> Option<()> {
        match (self, other) {
            (Read::Ways(ways), Read::Ways(others)) => {
                for other in others {
                    match ways.iter_mut().find(|way| way.offset == other.offset && way.terms == other.terms) {
                        Some(way) => way.classes = way.classes.zip(other.classes).map(|(one, other)| one | other),
                        None => ways.push(other),
                    }
                }
                Some(())
            }
            (
                Read::Fan { from, fan, to, nowhere },
                Read::Fan { from: other, fan: fan_too, to: to_too, nowhere: too },
            ) => {
                from.classes = from.classes.zip(other.classes).map(|(one, other)| one | other);
                let same = from.terms == other.terms && *fan == fan_too && *to == to_too && *nowhere == too;
                same.then_some(())
            }
            _ => None,
        }
    }
}

impl Classes {
    /// A class for each kind that can receive something and each of its states.
    fn of(program: &Program, receives: impl Fn(KindId) -> bool) -> Option<Classes> {
        let is_place = |kind: KindId| program.world.boards.iter().any(|board| board.kind == kind);
        let kinds = 0..program.world.kinds.len() as KindId;
        let mut classes = Classes {
            by_kind: vec![Vec::new(); program.world.kinds.len()],
            n: 0,
            everybody: kinds.skip(2).all(|kind| receives(kind) || is_place(kind)),
            together: Vec::new(),
        };
        for kind in (0..program.world.kinds.len() as KindId).filter(|&kind| receives(kind)) {
            // Places are in no word of bits themselves.
            let is_place = is_place(kind);
            let states = program.layout.has(layout::STATE, kind) && !is_place;
            for at in 0..if states { program.states.len().max(1) } else { 1 } {
                if classes.n == MOST_CLASSES {
                    return None;
                }
                // The first state is stored as nothing.
                let word = if at == 0 { Value::NIL } else { Value::text(program.states[at]) };
                classes.by_kind[kind as usize].push((word.0, if is_place { 0 } else { classes.n }));
                classes.n += u8::from(!is_place);
            }
        }
        // A game of places alone has one class, which is everything.
        classes.n = classes.n.max(1);
        Some(classes)
    }

    fn all(&self) -> u8 {
        u8::MAX >> (MOST_CLASSES - self.n)
    }

    /// For each kind the words of its states, and in which words of bits a thing is then.
    fn in_words(&self) -> Vec<Vec<(u64, u16)>> {
        let words = |class: u8| {
            let holds = |&&(together, _): &&(u8, u8)| together >> class & 1 == 1;
            self.together.iter().filter(holds).fold(0, |words, &(_, word)| words | 1 << word)
        };
        let of_kind = |states: &Vec<(u64, u8)>| states.iter().map(|&(state, class)| (state, words(class))).collect();
        self.by_kind.iter().map(of_kind).collect()
    }
}

impl Source {
    /// The word of such places.
    fn word(self) -> u8 {
        match self {
            Source::Filled => FILLED,
            Source::Of(seat) => OWN + seat,
        }
    }
}

impl Sifting {
    fn of(term: &Term) -> Sifting {
        let sifter = |&(Question { source, spot: Spot { offset, exists } }, answer): &(Question, bool)| Sifter {
            word: source.word(),
            turn: if offset == TARGET { 0 } else { offset.rem_euclid(64) as u8 },
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
    /// The same, if that is all there is to it.
    fn plain(&self) -> Option<PlainArm> {
        let Places { among, first: Sifting { mask, first, further }, further: terms } = &self.from;
        let plain = further.is_empty() && terms.is_empty();
        plain.then_some(PlainArm { offset: self.offset, among: *among, mask: *mask, asked: *first })
    }
}

impl PlainArm {
    #[inline(always)]
    fn from(&self, words: &[u64; MOST_WORDS]) -> u64 {
        let [one, other] = &self.asked;
        let [his, class] = self.among;
        self.mask
            & one.places(words)
            & other.places(words)
            & words[usize::from(his) % MOST_WORDS]
            & words[usize::from(class) % MOST_WORDS]
    }
}

impl Places {
    #[inline(always)]
    fn are(&self, words: &[u64; MOST_WORDS]) -> u64 {
        let found = self.further.iter().fold(self.first.places(words), |found, term| found | term.places(words));
        let [one, other] = self.among;
        found & words[usize::from(one) % MOST_WORDS] & words[usize::from(other) % MOST_WORDS]
    }
}
