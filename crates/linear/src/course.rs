//! The net laid out for random play: what can fire where, with all that must follow.
//!
//! In most games there is one fact that says in which part of a turn whose turn it is. Together with the stage it is a spot
//! here, no fact: what cannot fire on a spot is not looked at there. A firing leads on to the next spot at which anything is
//! open, with everything done that could not be otherwise.

use std::ops::Range;

use crate::dash::Dash;
use crate::net::{Effect, Net};
use crate::program::{Mode, PredId, Premise, Program, StageId};
use crate::store::{AtomId, Map};

pub(crate) struct Course {
    pub spots: Vec<Spot>,
    pub firings: Vec<Firing>,
    pub ways: Vec<Way>,
    /// Of all ways, what each wants and how often; what seldom comes about stands first.
    pub needs: Vec<(AtomId, u32)>,
    /// Of all firings, what each changes.
    pub deltas: Vec<(AtomId, i32)>,
    /// All that can be there in one word, if it fits.
    pub dash: Option<Dash>,
    /// The atoms that say something about the end.
    pub telling: Vec<AtomId>,
    /// Per atom, whether it is part of a spot.
    is_token: Vec<bool>,
    tokens: Vec<AtomId>,
    spot_ids: Map<(StageId, Option<AtomId>), u32>,
}

/// A stage, and the token that is there.
pub(crate) struct Spot {
    pub stage: StageId,
    pub token: Option<AtomId>,
    /// Somebody chooses here.
    pub interactive: bool,
    /// One for each seat that can choose anything here; one where nobody chooses, or none.
    pub own: Vec<(usize, Range<u32>)>,
    pub links: Range<u32>,
}

/// An effect on a spot; their numbers begin at a word of bits for each group.
#[derive(Default)]
pub(crate) struct Firing {
    pub effect: u32,
    pub ways: Range<u32>,
    pub deltas: Range<u32>,
    /// The spot that follows.
    pub next: u32,
    /// How many rules fire.
    pub fires: u32,
    /// Makes facts that the net does not know.
    pub leaves: bool,
}

/// A transition on a spot.
pub(crate) struct Way {
    pub needs: Range<u32>,
    pub firing: u32,
    pub transition: u32,
}

/// Rules that must fire one after the other; more are taken one by one, as they may go round for ever.
const LONGEST_CHAIN: usize = 16;
/// Steps of looking for tokens.
const MOST_STEPS: usize = 5_000;

impl Course {
    pub fn of(net: &Net) -> Course {
        let tokens = tokens(&net.program);
        let most = 4 * net.effects.len() + 1_000;
        let whole = || Course::with(net, &vec![false; tokens.len()], usize::MAX);
        let mut course = Course::with(net, &tokens, most).or_else(whole).expect("without tokens there is no limit");
        let came = crate::sprint::appearances(net, &course);
        for way in &course.ways {
            let needs = &mut course.needs[way.needs.start as usize..way.needs.end as usize];
            // Stable, so that among what never came in between what few effects make stays first.
            needs.sort_by_key(|&(atom, _)| came[atom as usize]);
        }
        course.dash = Dash::of(net, &course);
        course
    }

    /// None if effects stand on too many spots.
    fn with(net: &Net, tokens: &[bool], most: usize) -> Option<Course> {
        let program = &net.program;
        let pred = |atom: AtomId| net.store.atom(atom).pred;
        let all = 0..net.n_atoms as AtomId;
        let mut n_makers = vec![0_u32; net.n_atoms];
        for (atom, by) in net.effects.iter().flat_map(|effect| &effect.deltas) {
            n_makers[*atom as usize] += u32::from(*by > 0);
        }
        let seats = crate::seats::Seats::default();
        let mut course = Course {
            spots: Vec::new(),
            firings: Vec::new(),
            ways: Vec::new(),
            needs: Vec::new(),
            deltas: Vec::new(),
            dash: None,
            telling: all.clone().filter(|&atom| seats.is_telling(program, pred(atom))).collect(),
            is_token: all.clone().map(|atom| tokens[pred(atom)]).collect(),
            tokens: all.filter(|&atom| tokens[pred(atom)]).collect(),
            spot_ids: Map::default(),
        };
        let start = net.start();
        let token = course.tokens.iter().copied().find(|&atom| start.count(atom) > 0);
        course.spot(program, start.stage, token);
        let mut at = 0;
        while at < course.spots.len() {
            course.fill(net, at, &n_makers);
            if course.firings.len() > most.saturating_add(64 * course.spots.len()) {
                return None;
            }
            at += 1;
        }
        course.chain();
        Some(course)
    }

    pub fn is_token(&self, atom: AtomId) -> bool {
        self.is_token[atom as usize]
    }

    /// Where a state with these facts is in this stage; none if that was never met from the start.
    pub fn find(&self, stage: StageId, count: impl Fn(AtomId) -> u32) -> Option<u32> {
        let token = self.tokens.iter().copied().find(|&atom| count(atom) > 0);
        self.spot_ids.get(&(stage, token)).copied()
    }

    fn spot(&mut self, program: &Program, stage: StageId, token: Option<AtomId>) -> u32 {
        let next = self.spots.len() as u32;
        let id = *self.spot_ids.entry((stage, token)).or_insert(next);
        if id == next {
            let interactive = program.stages[stage].interactive;
            self.spots.push(Spot { stage, token, interactive, own: Vec::new(), links: 0..0 });
        }
        id
    }

    fn fill(&mut self, net: &Net, at: usize, n_makers: &[u32]) {
        let (own, links) = net.of_stage[self.spots[at].stage].clone();
        let own = own.map(|group| self.group(net, at, group, n_makers)).enumerate();
        let own = own.filter(|(_, group)| !group.is_empty()).collect();
        let links = self.group(net, at, links, n_makers);
        (self.spots[at].own, self.spots[at].links) = (own, links);
    }

    /// The firings of a group of effects on a spot, in their order.
    fn group(&mut self, net: &Net, at: usize, group: usize, n_makers: &[u32]) -> Range<u32> {
        self.firings.resize_with(self.firings.len().next_multiple_of(64), Firing::default);
        let first = self.firings.len() as u32;
        for bucket in net.groups[group].clone() {
            let bucket = &net.buckets[bucket];
            for effect in bucket.effects.clone() {
                self.firing(net, at, (effect, &net.effects[effect]), bucket.guard, n_makers);
            }
        }
        first..self.firings.len() as u32
    }

    fn firing(
        &mut self,
        net: &Net,
        at: usize,
        (id, effect): (usize, &Effect),
        guard: Option<AtomId>,
        n_makers: &[u32],
    ) {
        let firing = self.firings.len() as u32;
        let token = self.spots[at].token;
        let first = self.ways.len() as u32;
        for &transition in &effect.transitions {
            let own = &net.transitions[transition as usize].needs;
            let needs = own.iter().copied().chain(guard.map(|guard| (guard, 1)));
            let is_token = |atom: AtomId| self.is_token[atom as usize];
            // There is never more than one token.
            if needs.clone().any(|(atom, n)| is_token(atom) && (Some(atom) != token || n > 1)) {
                continue;
            }
            let mut needs: Vec<(AtomId, u32)> = needs.filter(|(atom, _)| !is_token(*atom)).collect();
            needs.sort_by_key(|&(atom, _)| (n_makers[atom as usize], atom));
            let range = self.needs.len() as u32..(self.needs.len() + needs.len()) as u32;
            self.needs.extend(needs);
            self.ways.push(Way { needs: range, firing, transition });
        }
        let ways = first..self.ways.len() as u32;
        if ways.is_empty() {
            return;
        }
        let made = effect.deltas.iter().find(|(atom, by)| *by > 0 && self.is_token[*atom as usize]);
        let next_token = made.map(|(atom, _)| *atom).or(token);
        let stage = effect.next.unwrap_or(self.spots[at].stage);
        let next = if effect.leaves { at as u32 } else { self.spot(&net.program, stage, next_token) };
        let first = self.deltas.len() as u32;
        let own = effect.deltas.iter().copied().filter(|(atom, _)| !self.is_token[*atom as usize]);
        self.deltas.extend(own);
        let deltas = first..self.deltas.len() as u32;
        self.firings.push(Firing { effect: id as u32, ways, deltas, next, fires: 1, leaves: effect.leaves });
    }

    /// Lets every firing lead on over the spots at which only one thing can happen.
    fn chain(&mut self) {
        let forced: Vec<Option<u32>> = self.spots.iter().map(|spot| self.forced(spot)).collect();
        for id in (0..self.firings.len()).filter(|&id| !self.firings[id].ways.is_empty()).collect::<Vec<usize>>() {
            let mut deltas: Vec<(AtomId, i32)> = self.deltas_of(id).to_vec();
            let (mut next, mut n) = (self.firings[id].next, 0);
            while !self.firings[id].leaves
                && n < LONGEST_CHAIN
                && let Some(&Some(following)) = forced.get(next as usize)
            {
                // Each is as it was made, or leads further already, and then all of it is taken.
                for &(atom, by) in self.deltas_of(following as usize) {
                    match deltas.iter_mut().find(|(known, _)| *known == atom) {
                        Some((_, sum)) => *sum += by,
                        None => deltas.push((atom, by)),
                    }
                }
                n += self.firings[following as usize].fires as usize;
                next = self.firings[following as usize].next;
            }
            if n > 0 {
                deltas.retain(|(_, by)| *by != 0);
                let first = self.deltas.len() as u32;
                self.deltas.extend(deltas);
                let firing = &mut self.firings[id];
                firing.deltas = first..self.deltas.len() as u32;
                (firing.next, firing.fires) = (next, firing.fires + n as u32);
            }
        }
    }

    pub fn deltas_of(&self, firing: usize) -> &[(AtomId, i32)] {
        let range = &self.firings[firing].deltas;
        &self.deltas[range.start as usize..range.end as usize]
    }

    pub fn needs_of(&self, way: u32) -> &[(AtomId, u32)] {
        let range = &self.ways[way as usize].needs;
        &self.needs[range.start as usize..range.end as usize]
    }

    /// The only thing that can happen on a spot, whatever else is there.
    fn forced(&self, spot: &Spot) -> Option<u32> {
        let group = match spot.own.first() {
            Some(_) if spot.interactive => return None,
            Some((_, own)) => own,
            None => &spot.links,
        };
        let only = if group.len() == 1 { group.start } else { return None };
        let firing = &self.firings[only as usize];
        let always = firing.ways.clone().any(|way| self.ways[way as usize].needs.is_empty());
        (always && !firing.leaves).then_some(only)
    }
}

/// Predicates of which exactly one fact is there at any time: every rule makes as many of them as it uses up.
///
/// Spira keeps by such facts where in a turn a match is, and whoever writes Ceptre by hand mostly does, too.
fn tokens(program: &Program) -> Vec<bool> {
    let n_preds = program.preds.len();
    let mut fits: Vec<bool> = program.preds.iter().map(|pred| !pred.backward).collect();
    let mut n_first = vec![0_usize; n_preds];
    let mut n_wanted = vec![0_usize; n_preds];
    let first = program.queries.first().map_or(&[][..], |query| &query.initial);
    first.iter().for_each(|fact| n_first[fact.pred] += 1);
    let made = first.iter().chain(program.rules.iter().flat_map(|rule| &rule.results));
    made.filter(|fact| fact.persistent).for_each(|fact| fits[fact.pred] = false);
    for premise in program.rules.iter().flat_map(|rule| &rule.premises) {
        if let Premise::Fact { pred, mode, .. } = premise {
            n_wanted[*pred] += 1;
            fits[*pred] &= *mode != Mode::Bang;
        }
    }
    // What a proof rests on is used up without being named.
    for goal in program.clauses.iter().flat_map(|clause| &clause.goals) {
        if let crate::program::Goal::Holds(pred, _) = goal {
            fits[*pred] = false;
        }
    }
    let balances: Vec<Vec<(PredId, i32)>> = program
        .rules
        .iter()
        .map(|rule| {
            let mut balance: Vec<(PredId, i32)> = Vec::new();
            let mut change = |pred: PredId, by: i32| match balance.iter_mut().find(|(known, _)| *known == pred) {
                Some((_, sum)) => *sum += by,
                None => balance.push((pred, by)),
            };
            for premise in &rule.premises {
                if let Premise::Fact { pred, mode: Mode::Plain, .. } = premise {
                    change(*pred, -1);
                }
            }
            rule.results.iter().for_each(|fact| change(fact.pred, 1));
            balance
        })
        .collect();
    let mut begins: Vec<PredId> = (0..n_preds).filter(|&pred| fits[pred] && n_first[pred] == 1).collect();
    begins.sort_by_key(|&pred| std::cmp::Reverse(n_wanted[pred]));
    let mut search = Balance { rules: &balances, fits: &fits, n_first: &n_first, left: MOST_STEPS };
    for pred in begins {
        let mut chosen = vec![pred];
        if search.close(&mut chosen) {
            return (0..n_preds).map(|pred| chosen.contains(&pred)).collect();
        }
    }
    vec![false; n_preds]
}

struct Balance<'a> {
    rules: &'a [Vec<(PredId, i32)>],
    fits: &'a [bool],
    n_first: &'a [usize],
    left: usize,
}

impl Balance<'_> {
    /// Takes further predicates in until no rule makes more or fewer of them than it uses up.
    fn close(&mut self, chosen: &mut Vec<PredId>) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let sum = |rule: &[(PredId, i32)]| -> i32 {
            rule.iter().filter(|(pred, _)| chosen.contains(pred)).map(|(_, by)| by).sum()
        };
        let Some((rule, sum)) = self.rules.iter().map(|rule| (rule, sum(rule))).find(|(_, sum)| *sum != 0) else {
            return true;
        };
        for &(pred, by) in rule {
            if by.signum() == -sum.signum() && self.fits[pred] && self.n_first[pred] == 0 && !chosen.contains(&pred) {
                chosen.push(pred);
                if self.close(chosen) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }
}
