//! A state of play as the kernel sees it.
//!
//! Rules that must fire have fired: a position waits for a seat, for chance, or it is over. Chance is asked only where it
//! makes a difference: where every order leads to the same question or the same end, one of them is taken.

use std::collections::BTreeSet;
use std::sync::Arc;

use houserules_kernel::{
    Choice, Decision, Fingerprint, Generator, Offer, Outcome, Plies, Position, QuestionKind, Refusal, SeatId, ThingId,
    View, Viewer, Who,
};

use crate::fault::Fault;
use crate::game::Rules;
use crate::matching::Instance;
use crate::race::{Race, Stop, Turns};
use crate::run::{Next, endless};
use crate::seats::Seats;
use crate::store::{Store, Term, mix};
use crate::words;
use crate::world::{Fired, Way, World};

pub struct LinearPosition {
    pub(crate) rules: Arc<Rules>,
    pub(crate) world: World,
    open: Open,
    turn: u64,
    /// Who was asked last.
    last: Option<usize>,
    plies: Vec<Ply>,
    /// Looks at what could happen, since the last decision.
    n_looks: u64,
}

/// What a position waits for.
#[derive(Clone, PartialEq, Debug)]
enum Open {
    Seat(usize),
    Chance(Next),
    Over(Outcome),
}

/// What a choice has done, so that it can be taken back.
struct Ply {
    fired: Vec<Fired>,
    open: Open,
    turn: u64,
    last: Option<usize>,
}

/// States that are gone through to see whether the order matters.
const MOST_ORDERS: usize = 300;
/// Where there are more, so many neighbours are compared with the first.
const MOST_NEIGHBOURS: usize = 8;

impl LinearPosition {
    pub(crate) fn start(rules: Arc<Rules>) -> Result<Self, Fault> {
        let world = match &rules.net {
            Some(net) => World::Net(net.start()),
            None => World::Open(Box::new(rules.outside.clone())),
        };
        let open = Open::Over(Outcome::draw(rules.seats.n_seats()));
        let mut position = LinearPosition { rules, world, open, turn: 0, last: None, plies: Vec::new(), n_looks: 0 };
        let mut fired = Vec::new();
        position.settle(&mut fired)?;
        if let World::Net(state) = &mut position.world {
            state.remember();
        }
        Ok(position)
    }

    /// The program this is a state of.
    pub fn program(&self) -> &crate::program::Program {
        &self.rules.program
    }

    pub(crate) fn store(&self) -> &Store {
        match (&self.world, &self.rules.net) {
            (World::Net(_), Some(net)) => &net.store,
            (World::Open(running), _) => &running.store,
            (World::Net(_), None) => unreachable!("a state of the net comes with its net"),
        }
    }

    /// The facts in Ceptre's spelling, each as often as it is there, in the order of the alphabet.
    pub fn facts(&self) -> Vec<String> {
        let show = |atom| crate::print::atom(&self.rules.program, self.store(), atom);
        let each = |(atom, count): (u32, u32)| std::iter::repeat_n(show(atom), count as usize);
        let mut facts: Vec<String> = self.world.atoms().into_iter().flat_map(each).collect();
        facts.sort();
        facts
    }

    /// A fact that somebody typed, in Ceptre's spelling; an error says what there is instead.
    pub fn fact(&self, typed: &str) -> Result<String, String> {
        let typed = typed.trim().trim_end_matches('.');
        let inner = typed.strip_prefix('(').and_then(|typed| typed.strip_suffix(')')).unwrap_or(typed);
        let mut words = inner.split_whitespace();
        let name = words.next().unwrap_or_default();
        let preds = || self.rules.program.preds.iter().filter(|pred| !pred.backward);
        let bare = name.trim_start_matches('!');
        if !preds().any(|pred| pred.name == bare) {
            let known: Vec<&str> = preds().map(|pred| pred.name.as_str()).collect();
            return Err(match houserules_model::nearest(bare, known.iter().copied()) {
                Some(near) => format!("There are no facts `{bare}`. Did you mean `{near}`?"),
                None => format!("There are no facts `{bare}`. There are: {}.", known.join(", ")),
            });
        }
        Ok(if words.next().is_none() { inner.to_owned() } else { format!("({inner})") })
    }

    pub fn stage(&self) -> &str {
        &self.rules.program.stages[self.world.stage()].name
    }

    /// Lets everything happen that must, up to the next question or the end.
    fn settle(&mut self, fired: &mut Vec<Fired>) -> Result<(), Fault> {
        let rules = self.rules.clone();
        let net = rules.net.as_ref();
        let mut n_fired = 0;
        self.n_looks = 0;
        if let World::Open(running) = &mut self.world {
            running.rest();
        }
        loop {
            let next = self.world.next(net)?;
            match next {
                Next::Nothing => {
                    self.open = Open::Over(self.outcome());
                    return self.come_home(fired);
                }
                Next::Choice => {
                    self.come_home(fired)?;
                    let seat = self.asked()?;
                    self.open = Open::Seat(seat);
                    if self.last != Some(seat) {
                        self.turn += 1;
                        self.last = Some(seat);
                    }
                    return Ok(());
                }
                Next::Chance | Next::Link => {
                    let ways = self.ways(next)?;
                    if ways.len() > 1 && !self.all_the_same(next, &ways)? {
                        self.open = Open::Chance(next);
                        return self.come_home(fired);
                    }
                    if n_fired == rules.budget.firings || self.n_looks > rules.budget.looks {
                        let rule = self.rule_name(&ways[0]);
                        return Err(endless(&rules.program, n_fired, &rule, self.world.stage()));
                    }
                    n_fired += 1;
                    if let World::Open(running) = &self.world {
                        // All of it is kept, for whoever takes it back.
                        self.n_looks += 20 * running.facts.n_atoms() as u64;
                    }
                    fired.push(self.world.fire(net, &rules.outside, &ways[0])?);
                }
            }
        }
    }

    /// What can happen next, counted: outside the net each way is searched for and compared with the others.
    fn ways(&mut self, next: Next) -> Result<Vec<Way>, Fault> {
        let ways = self.world.ways(self.rules.net.as_ref(), next)?;
        let each = if let World::Net(_) = self.world { 1 } else { 100 };
        self.n_looks += each * (1 + ways.len() as u64);
        Ok(ways)
    }

    /// A running program whose facts the net all knows goes on in the net.
    fn come_home(&mut self, fired: &mut Vec<Fired>) -> Result<(), Fault> {
        let (World::Open(running), Some(net)) = (&self.world, &self.rules.net) else { return Ok(()) };
        let mut state = net.start();
        let mut wanted = vec![0_u32; net.n_atoms];
        for (atom, count) in running.facts.newest_first() {
            // Its store began as the net's, so equal terms have equal numbers.
            match net.store.known_atom(running.store.atom(atom)) {
                Some(known) if net.is_admitted(known) => wanted[known as usize] = count,
                _ => return Ok(()),
            }
        }
        state.become_counts(net, running.stage, &wanted);
        let before = std::mem::replace(&mut self.world, World::Net(state));
        fired.push(Fired::Whole(before));
        Ok(())
    }

    fn rule_name(&self, way: &Way) -> String {
        let rule = match (way, &self.rules.net) {
            (Way::Effect(effect), Some(net)) => net.spoken(*effect).rule,
            (Way::Instances(same), _) => same[0].0.rule,
            _ => return String::new(),
        };
        self.rules.program.rules[rule].name.clone()
    }

    /// The first seat that can choose something.
    fn asked(&mut self) -> Result<usize, Fault> {
        if let (World::Net(state), Some(net)) = (&self.world, &self.rules.net) {
            let groups = net.of_stage[state.stage].0.clone();
            return Ok(groups.clone().position(|group| state.n_alive(group) > 0).unwrap_or(0));
        }
        let ways = self.world.ways(None, Next::Choice)?;
        Ok(ways.iter().map(|way| self.mover(way)).min().unwrap_or(0))
    }

    fn mover(&self, way: &Way) -> usize {
        match way {
            Way::Effect(effect) => {
                let net = self.rules.net.as_ref().expect("an effect comes with its net");
                self.rules.seats.mover(&self.rules.program, &net.store, net.spoken(*effect))
            }
            Way::Instances(same) => self.rules.seats.mover(&self.rules.program, self.store(), &same[0].0),
        }
    }

    fn outcome(&self) -> Outcome {
        let program = &self.rules.program;
        let atoms = self.world.atoms().into_iter().map(|(atom, _)| atom);
        self.rules.seats.outcome(program, self.store(), self.world.stage(), atoms)
    }

    // ---- whether the order matters

    /// Whether all ways lead to the same question or the same end.
    fn all_the_same(&mut self, next: Next, ways: &[Way]) -> Result<bool, Fault> {
        let mut search = Search { seen: BTreeSet::new(), end: None, left: MOST_ORDERS };
        match self.explore(next, &mut search)? {
            Found::Same => Ok(true),
            Found::Different => Ok(false),
            Found::Unknown => self.neighbours_agree(ways),
        }
    }

    fn explore(&mut self, next: Next, search: &mut Search) -> Result<Found, Fault> {
        let rules = self.rules.clone();
        let net = rules.net.as_ref();
        let end = match next {
            Next::Choice => Some(Err(self.world.hash(net))),
            Next::Nothing => Some(Ok(self.outcome())),
            Next::Chance | Next::Link => None,
        };
        if let Some(end) = end {
            return Ok(match &search.end {
                Some(known) if *known != end => Found::Different,
                _ => {
                    search.end = Some(end);
                    Found::Same
                }
            });
        }
        if !search.seen.insert(self.world.hash(net)) {
            return Ok(Found::Same);
        }
        if search.left == 0 || self.n_looks > rules.budget.looks {
            return Ok(Found::Unknown);
        }
        search.left -= 1;
        let mut known = Found::Same;
        for way in self.ways(next)? {
            let fired = self.world.fire(net, &rules.outside, &way)?;
            let after = self.world.next(net).and_then(|next| self.explore(next, search));
            self.world.take_back(net, fired);
            match after? {
                Found::Different => return Ok(Found::Different),
                Found::Unknown => known = Found::Unknown,
                Found::Same => {}
            }
        }
        Ok(known)
    }

    /// Whether after the first way and after each of some others there is a way to the same state.
    fn neighbours_agree(&mut self, ways: &[Way]) -> Result<bool, Fault> {
        let Some((first, others)) = ways.split_first() else { return Ok(true) };
        let mut reached = BTreeSet::new();
        self.after(first, &mut |hash| {
            reached.insert(hash);
            false
        })?;
        let step = others.len().div_ceil(MOST_NEIGHBOURS).max(1);
        for other in others.iter().step_by(step) {
            if !self.after(other, &mut |hash| reached.contains(&hash))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Shows the states after a way, after whatever must follow it, and after one more step and what must follow that, until
    /// one is taken for `found`.
    fn after(&mut self, way: &Way, found: &mut dyn FnMut(u64) -> bool) -> Result<bool, Fault> {
        let mut fired = Vec::new();
        let is_found = self.followed(way, &mut fired, found).and_then(|met| match met {
            Met::Found => Ok(true),
            Met::Nothing => Ok(false),
            Met::Fork(next) => {
                for way in self.ways(next)? {
                    let mut further = Vec::new();
                    let met = self.followed(&way, &mut further, found);
                    self.take_all_back(further);
                    if let Met::Found = met? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        });
        self.take_all_back(fired);
        is_found
    }

    /// Lets a way come about, and then what can only happen in one way, until a state is taken for `found`.
    fn followed(
        &mut self,
        way: &Way,
        fired: &mut Vec<Fired>,
        found: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Met, Fault> {
        let rules = self.rules.clone();
        let net = rules.net.as_ref();
        fired.push(self.world.fire(net, &rules.outside, way)?);
        for _ in 0..MOST_ORDERS {
            if found(self.world.hash(net)) {
                return Ok(Met::Found);
            }
            let next = self.world.next(net)?;
            if matches!(next, Next::Choice | Next::Nothing) {
                break;
            }
            let ways = self.ways(next)?;
            if ways.len() > 1 {
                return Ok(Met::Fork(next));
            }
            fired.push(self.world.fire(net, &rules.outside, &ways[0])?);
        }
        Ok(Met::Nothing)
    }

    fn take_all_back(&mut self, fired: Vec<Fired>) {
        let rules = self.rules.clone();
        fired.into_iter().rev().for_each(|fired| self.world.take_back(rules.net.as_ref(), fired));
    }

    // ---- choices

    /// What `who` can choose, each with its choice; looking changes nothing but what is kept for the next look.
    fn listed(&self, who: Who) -> Vec<(Choice, Way)> {
        let next = match (&self.open, who) {
            (Open::Seat(seat), Who::Seat(id)) if Seats::id(*seat) == id => Next::Choice,
            (Open::Chance(next), Who::Nature) => *next,
            _ => return Vec::new(),
        };
        if let (World::Net(state), Some(net)) = (&self.world, &self.rules.net) {
            let (own, links) = net.of_stage[state.stage].clone();
            let groups = match (&self.open, next) {
                (Open::Seat(seat), _) => own.start + seat..own.start + seat + 1,
                (_, Next::Link) => links..links + 1,
                _ => own,
            };
            let effects = groups.flat_map(|group| state.alive(net, group));
            return effects.map(|effect| (Choice::of(&[effect as u64]), Way::Effect(effect))).collect();
        }
        let mut world = self.world.clone();
        let ways = world.ways(None, next).unwrap_or_default();
        let seat = if let Open::Seat(seat) = self.open { Some(seat) } else { None };
        let ways = ways.into_iter().filter(|way| seat.is_none_or(|seat| self.mover(way) == seat));
        let mut listed: Vec<(Choice, Way)> = Vec::new();
        for way in ways {
            let Way::Instances(same) = &way else { continue };
            let mut choice = self.encoded(&same[0].0);
            while listed.iter().any(|(known, _)| *known == choice) {
                choice.0.push(0);
            }
            listed.push((choice, way));
        }
        listed
    }

    /// A choice outside the net: the rule and its values, spelled out.
    fn encoded(&self, instance: &Instance) -> Choice {
        let mut choice = Choice::of(&[OUTSIDE + instance.rule as u64]);
        for &value in &instance.values {
            encode(self.store(), value, &mut choice);
        }
        choice
    }

    fn way(&self, who: Who, choice: &Choice) -> Result<Way, Refusal> {
        if let Open::Over(_) = self.open {
            return Err(Refusal::not_offered("The match is over."));
        }
        let asked = match self.open {
            Open::Seat(seat) => who == Who::Seat(Seats::id(seat)),
            _ => who == Who::Nature,
        };
        if !asked {
            return Err(Refusal::not_offered("It is another seat's turn."));
        }
        if let (World::Net(state), Some(net), [effect]) = (&self.world, &self.rules.net, choice.0.as_slice()) {
            let effect = usize::try_from(*effect).unwrap_or(usize::MAX);
            if effect < net.effects.len() && state.is_alive(net, effect) {
                let group = net.effects[effect].group as usize;
                let (own, links) = net.of_stage[state.stage].clone();
                let fits = match self.open {
                    Open::Seat(seat) => group == own.start + seat,
                    Open::Chance(Next::Link) => group == links,
                    _ => own.contains(&group),
                };
                if fits {
                    return Ok(Way::Effect(effect));
                }
            }
            return Err(Refusal::not_offered("There is no such choice."));
        }
        let listed = self.listed(who).into_iter().find(|(known, _)| known == choice);
        listed.map(|(_, way)| way).ok_or_else(|| Refusal::not_offered("There is no such choice."))
    }

    fn carry_out(&mut self, way: &Way) -> Result<(), Refusal> {
        let rules = self.rules.clone();
        let net = rules.net.as_ref();
        let (open, turn, last) = (self.open.clone(), self.turn, self.last);
        let mut fired = Vec::new();
        let done = self.world.fire(net, &rules.outside, way).and_then(|first| {
            fired.push(first);
            self.settle(&mut fired)
        });
        if let Err(fault) = done {
            fired.into_iter().rev().for_each(|fired| self.world.take_back(net, fired));
            (self.open, self.turn, self.last) = (open, turn, last);
            return Err(Refusal::fault(fault.to_string()));
        }
        self.plies.push(Ply { fired, open, turn, last });
        Ok(())
    }

    /// Plays at random in the net, without keeping anything; gives the plies played. Stops where the net ends.
    fn rush(&mut self, generator: &mut Generator, most: u64) -> Result<u64, Fault> {
        let rules = self.rules.clone();
        let (World::Net(state), Some(net), Some(course)) = (&mut self.world, &rules.net, &rules.course) else {
            return Ok(0);
        };
        let Some(begin) = state.begin(course) else { return Ok(0) };
        let mut race = Race::new(net, course, begin.spot, Turns { last: self.last, n: self.turn });
        let stop = state.race(&mut race, begin, generator, most, rules.budget.firings)?;
        let (stage, n_plies) = (race.stage(), race.n_choices);
        (self.last, self.turn) = (race.turns.last, race.turns.n);
        if stop == Stop::Over {
            state.end(stage);
            let there = course.telling.iter().copied().filter(|&atom| state.count(atom) > 0);
            self.open = Open::Over(rules.seats.outcome(&rules.program, &net.store, stage, there));
            return Ok(n_plies);
        }
        state.arrive(net, stage);
        if let Stop::Leaves(effect) = stop {
            self.world.fire(Some(net), &rules.outside, &Way::Effect(effect))?;
        }
        self.settle(&mut Vec::new())?;
        Ok(n_plies)
    }
}

/// Choices outside the net begin with this and the rule.
const OUTSIDE: u64 = 1 << 40;

fn encode(store: &Store, term: Term, into: &mut Choice) {
    match (term.as_number(), store.node(term)) {
        (Some(number), _) => into.0.push(2 * number + 1),
        (None, Some((ctor, args))) => {
            into.0.push(2 * ctor as u64);
            args.iter().for_each(|&arg| encode(store, arg, into));
        }
        (None, None) => {}
    }
}

struct Search {
    seen: BTreeSet<u64>,
    end: Option<Result<Outcome, u64>>,
    left: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Found {
    Same,
    Different,
    /// There are too many orders.
    Unknown,
}

/// Where a way leads that is followed as long as there is only one.
enum Met {
    /// To a state that was looked for.
    Found,
    /// To a state with several ways.
    Fork(Next),
    /// To a question or the end, or too far.
    Nothing,
}

impl Position for LinearPosition {
    fn decision(&self) -> Decision {
        match &self.open {
            Open::Seat(seat) => Decision::Seats { asked: vec![Seats::id(*seat)], kind: QuestionKind::Action },
            Open::Chance(_) => Decision::Nature,
            Open::Over(outcome) => Decision::Over(outcome.clone()),
        }
    }

    fn prompt(&self) -> String {
        match &self.open {
            Open::Seat(_) => format!("Choose: {}.", self.stage()),
            Open::Chance(_) => format!("Chance decides: {}.", self.stage()),
            Open::Over(_) => "The match is over.".into(),
        }
    }

    fn choices(&mut self, who: Who) -> Vec<Choice> {
        self.listed(who).into_iter().map(|(choice, _)| choice).collect()
    }

    fn weight(&self, choice: &Choice) -> u32 {
        let weight = self.way(Who::Nature, choice).map_or(1, |way| self.world.weight(self.rules.net.as_ref(), &way));
        u32::try_from(weight).unwrap_or(u32::MAX)
    }

    fn words(&self, who: Who, choice: &Choice) -> String {
        if let (World::Net(state), Some(net), Some(spoken)) = (&self.world, &self.rules.net, &self.rules.words) {
            return match choice.0.as_slice() {
                [effect] if (*effect as usize) < net.effects.len() => spoken.words(net, state, *effect as usize),
                _ => "no such choice".into(),
            };
        }
        let listed = self.listed(who);
        let Some(at) = listed.iter().position(|(known, _)| known == choice) else { return "no such choice".into() };
        let first = |way: &'_ Way| match way {
            Way::Instances(same) => Some(same[0].0.clone()),
            Way::Effect(_) => None,
        };
        let instances: Vec<Instance> = listed.iter().filter_map(|(_, way)| first(way)).collect();
        let instances: Vec<&Instance> = instances.iter().collect();
        words::distinct(&self.rules.program, self.store(), &instances).swap_remove(at)
    }

    fn points(&self, who: Who, choice: &Choice) -> Vec<ThingId> {
        match (self.way(who, choice), &self.rules.net) {
            (Ok(Way::Effect(effect)), Some(net)) => {
                let mover = self.mover(&Way::Effect(effect));
                crate::board::points(self, &net.effects[effect].deltas, mover)
            }
            _ => Vec::new(),
        }
    }

    fn offers(&mut self, seat: SeatId) -> Vec<Offer> {
        let who = Who::Seat(seat);
        let choices = self.choices(who);
        choices.into_iter().map(|choice| Offer { words: self.words(who, &choice), choice, refused: None }).collect()
    }

    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        let way = self.way(who, choice)?;
        self.carry_out(&way)
    }

    fn undo(&mut self) -> bool {
        let Some(ply) = self.plies.pop() else { return false };
        let rules = self.rules.clone();
        ply.fired.into_iter().rev().for_each(|fired| self.world.take_back(rules.net.as_ref(), fired));
        (self.open, self.turn, self.last) = (ply.open, ply.turn, ply.last);
        true
    }

    fn forget(&mut self) {
        self.plies.clear();
    }

    fn turn(&self) -> u64 {
        self.turn
    }

    fn view(&mut self, viewer: Viewer) -> View {
        crate::board::view(self, viewer)
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(mix(self.world.hash(self.rules.net.as_ref())))
    }

    fn duplicate(&self) -> Box<dyn Position> {
        let fired = |fired: &Fired| match fired {
            Fired::Effect(effect, stage) => Fired::Effect(*effect, *stage),
            Fired::Whole(world) => Fired::Whole(world.clone()),
        };
        let ply = |ply: &Ply| Ply {
            fired: ply.fired.iter().map(fired).collect(),
            open: ply.open.clone(),
            turn: ply.turn,
            last: ply.last,
        };
        Box::new(LinearPosition {
            rules: self.rules.clone(),
            world: self.world.clone(),
            open: self.open.clone(),
            turn: self.turn,
            last: self.last,
            plies: self.plies.iter().map(ply).collect(),
            n_looks: 0,
        })
    }

    fn copy_from(&mut self, other: &dyn Position) -> bool {
        let Some(other) = other.as_any().and_then(|other| other.downcast_ref::<LinearPosition>()) else { return false };
        if !Arc::ptr_eq(&self.rules, &other.rules) || !other.plies.is_empty() {
            return false;
        }
        match (&mut self.world, &other.world) {
            (World::Net(own), World::Net(theirs)) => own.copy_from(theirs),
            (own, theirs) => *own = theirs.clone(),
        }
        self.open.clone_from(&other.open);
        (self.turn, self.last) = (other.turn, other.last);
        self.plies.clear();
        true
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }

    fn opening(&self) -> Option<Box<dyn Position>> {
        let position = LinearPosition::start(self.rules.clone()).ok()?;
        Some(Box::new(position))
    }

    fn play_random(&mut self, generator: &mut Generator) -> Result<bool, Refusal> {
        let who = match self.open {
            Open::Over(_) => return Ok(false),
            Open::Seat(seat) => Who::Seat(Seats::id(seat)),
            Open::Chance(_) => Who::Nature,
        };
        let listed = self.listed(who);
        let weigh = |way: &Way| match who {
            Who::Nature => self.world.weight(self.rules.net.as_ref(), way).min(u64::from(u32::MAX)),
            Who::Seat(_) => 1,
        };
        let total: u64 = listed.iter().map(|(_, way)| weigh(way)).sum();
        let mut at = generator.below(total.max(1));
        for (_, way) in &listed {
            let weight = weigh(way);
            if at < weight {
                self.carry_out(way)?;
                return Ok(true);
            }
            at -= weight;
        }
        Err(Refusal::not_offered("Nobody can choose anything here, and the match is not over."))
    }

    fn playout(&mut self, generator: &mut Generator, most: u64) -> Result<u64, Refusal> {
        let mut n_plies = 0;
        let mut n_rolls = 0;
        loop {
            if let World::Net(_) = self.world {
                self.plies.clear();
                n_plies += self.rush(generator, most - n_plies).map_err(|fault| Refusal::fault(fault.to_string()))?;
                if let World::Net(_) = self.world
                    && (self.is_over() || matches!(self.open, Open::Seat(_)) && n_plies == most)
                {
                    return Ok(n_plies);
                }
            }
            let begins = matches!(self.open, Open::Seat(_));
            if begins && n_plies == most || !self.play_random(generator)? {
                return Ok(n_plies);
            }
            n_plies += u64::from(begins);
            n_rolls = if begins { 0 } else { n_rolls + 1 };
            if n_rolls > 100 * Plies::MOST_ANSWERS {
                return Err(Plies::endless());
            }
            self.plies.clear();
        }
    }
}
