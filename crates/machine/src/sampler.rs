//! Drawing a random action with attributes without trying them all.
//!
//! Where the attributes of a receiver have few combinations, each receiver stands for as many tickets as there could be;
//! a ticket is drawn, and if its combination does not exist, or a law refuses it, another one is. Otherwise the values of
//! the first attribute are listed for every receiver, and each stands for as many tickets as the further attributes
//! could have combinations. So every legal choice is equally likely.
//!
//! Where it is known of each kind how many combinations it can have at most, receivers with several attributes are not
//! listed before one of their tickets is drawn; from then on they have as many as there are.

use crate::code::*;
use crate::facts::bounds::{Known, most_members};
use crate::program::{Handler, Program, Receivers};
use crate::shortcut::Shortcut;
use crate::value::{Kinded, Value};
use crate::vm::Machine;
use crate::world::{EntityId, KindId};

/// With more combinations than this the first attribute is listed.
const MOST_TICKETS: u32 = 3;
/// With more combinations of further attributes than this they are listed as well.
const MOST_FURTHER: u32 = 1 << 12;

/// With more combinations of places than this, too few of the tickets would stand for something.
const MOST_PICKED: u32 = 1 << 14;

/// How the actions of a game are drawn.
#[derive(Clone, Debug, Default)]
pub struct Sampler {
    pub actions: Vec<Drawn>,
    /// Where attributes are drawn by where their places lie.
    pub picked: Option<Picked>,
}

/// How one action is drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub action: usize,
    /// So many tickets for each receiver; none if attributes are listed.
    pub tickets: Option<u32>,
    /// For each kind how its attributes are drawn by ticket; none if it does not receive the action.
    pub by_ticket: Vec<Option<Attributes>>,
    /// The same where the first ones are listed, and where all are.
    pub by_list: Vec<Option<Attributes>>,
    pub in_full: Vec<Option<Attributes>>,
    /// The most values the first attribute can have, where further ones are drawn.
    pub most_first: Option<u32>,
    /// For each kind how many combinations of attributes there can be at most, where receivers are listed only when they
    /// are drawn.
    pub lazily: Option<Vec<u32>>,
}

/// How the only action is drawn, where things of one kind receive it and the attributes behind the first are places that
/// walks reach.
#[derive(Clone, Debug)]
pub struct Picked {
    pub action: usize,
    pub kind: KindId,
    /// Which of the program's picks each attribute behind the first is.
    pub picks: Vec<usize>,
    /// So many tickets for each receiver and first attribute.
    pub tickets: u32,
}

/// How the attributes of an action to one kind are drawn.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// So many are listed, the further ones are drawn.
    pub listed: usize,
    /// The most values of each that is drawn.
    pub most: Vec<u32>,
    /// The product of these.
    pub further: u32,
}

impl Sampler {
    /// None where receivers are computed.
    pub fn of(program: &Program) -> Option<Sampler> {
        program.roster.as_ref()?;
        let mut sampler = Sampler::default();
        let mut known = Known::default();
        for (at, action) in program.actions.iter().enumerate().filter(|(_, action)| !action.when_asked) {
            let receives = |kind: usize| match action.to {
                Receivers::Game => kind == crate::world::GAME_KIND as usize,
                Receivers::Kind(wanted) => program.is_a[kind][wanted as usize],
                Receivers::Computed(_) => false,
            };
            let answers = |kind: usize| !matches!(program.handlers[action.label as usize][kind], Handler::None);
            let mut bounds: Vec<Option<Vec<Option<u32>>>> = Vec::new();
            for kind in 0..program.world.kinds.len() {
                let of = |funcs: &Vec<Option<FuncId>>, known: &mut Known| most_members(program, funcs[kind]?, known);
                bounds.push(
                    (receives(kind) && answers(kind))
                        .then(|| action.with.iter().map(|(_, funcs)| of(funcs, &mut known)).collect()),
                );
            }
            let few = bounds.iter().flatten().map(|most| product(most)).try_fold(0, |most, n| Some(n?.max(most)));
            let tickets = few.filter(|&few| few <= MOST_TICKETS && program.may(Shortcut::Tickets));
            let of = |way: Way| bounds.iter().map(|most| Some(attributes(most.as_ref()?, way))).collect();
            let by_list: Vec<Option<Attributes>> = of(Way::List);
            let draws = by_list.iter().flatten().any(|attributes| attributes.further > 1);
            let most_first = bounds.iter().flatten().map(|most| *most.first()?).max().flatten().filter(|_| draws);
            let by_ticket = of(if tickets.is_some() { Way::Ticket } else { Way::List });
            // What has one attribute native code lists in one go, and in the order of those who do not.
            let most = |most: &Option<Vec<Option<u32>>>| most.as_ref().and_then(|most| product(most)).unwrap_or(0);
            let waits = program.may(Shortcut::Tickets)
                && tickets.is_none()
                && action.with.len() > 1
                && few.is_some_and(|few| few <= MOST_FURTHER);
            let lazily = waits.then(|| bounds.iter().map(most).collect());
            let in_full = of(Way::Full);
            sampler.actions.push(Drawn { action: at, tickets, by_ticket, by_list, in_full, most_first, lazily });
        }
        sampler.picked = picked(program, &sampler);
        if sampler.picked.is_some() {
            sampler.actions.iter_mut().for_each(|drawn| drawn.lazily = None);
        }
        Some(sampler)
    }
}

/// None unless there is one action, and its attributes behind the first are places which walks reach.
fn picked(program: &Program, sampler: &Sampler) -> Option<Picked> {
    let [drawn] = sampler.actions.as_slice() else { return None };
    let mut kinds = (0..drawn.by_ticket.len()).filter(|&kind| drawn.by_ticket[kind].is_some());
    let (Some(kind), None) = (kinds.next(), kinds.next()) else { return None };
    let pick = |func: FuncId| program.picks.iter().position(|pick| pick.func == func);
    let with = &program.actions[drawn.action].with;
    let picks = with.iter().skip(1).map(|(_, funcs)| pick(funcs[kind]?)).collect::<Option<Vec<usize>>>()?;
    let tickets = picks.iter().try_fold(1u32, |n, &at| n.checked_mul(program.picks[at].most))?;
    let fits = !picks.is_empty() && picks.len() < MOST_ARGS && tickets <= MOST_PICKED;
    fits.then_some(Picked { action: drawn.action, kind: kind as KindId, picks, tickets })
}

/// How attributes are drawn: all by ticket, all but the first, none.
#[derive(Clone, Copy)]
enum Way {
    Ticket,
    List,
    Full,
}

fn attributes(most: &[Option<u32>], way: Way) -> Attributes {
    let listed = match way {
        Way::Ticket => 0,
        Way::List if !most.is_empty() && product(&most[1..]).is_some_and(|n| n <= MOST_FURTHER) => 1,
        Way::List | Way::Full => most.len(),
    };
    let most: Vec<u32> = most[listed..].iter().flatten().copied().collect();
    Attributes { listed, further: most.iter().product(), most }
}

fn product(most: &[Option<u32>]) -> Option<u32> {
    most.iter().try_fold(1u32, |n, most| n.checked_mul((*most)?))
}

impl Drawn {
    /// How the attributes of a kind are listed where each combination listed stands for one ticket: the first ones, if no
    /// further one can have a choice, otherwise all.
    pub fn one_by_one(&self, kind: usize) -> Option<&Attributes> {
        self.by_list[kind].as_ref().filter(|attributes| attributes.further == 1).or(self.in_full[kind].as_ref())
    }
}

/// What can be drawn in one position.
#[derive(Clone, Debug, Default)]
pub struct Tickets {
    /// Actions whose receivers stand for tickets each: the last ticket, how many for each receiver, the action, and
    /// where its receivers are kept.
    pub by_receiver: Vec<(u32, u32, usize, usize)>,
    /// Receivers with listed attributes: the last ticket, the receiver, the action, where the attributes lie in `given`.
    pub listed: Vec<(u32, EntityId, u16, u32)>,
    pub given: Vec<u64>,
    /// Receivers that are listed when they are drawn.
    pub lazy: Vec<Lazy>,
    /// Receivers and first attributes, where the further ones are drawn by where they lie.
    pub pairs: Vec<[u64; 2]>,
    /// Those listed that were refused and have no further attributes.
    pub spent: Vec<bool>,
    /// How many receivers stand for tickets.
    pub n_receivers: u32,
    /// For each action whether all its attributes are listed.
    pub in_full: Vec<bool>,
    /// Actions that no law forbids whoever receives them: number, where their receivers are kept, how many there are.
    pub open: Vec<(usize, usize, u32)>,
}

/// A receiver whose attributes are listed when one of its tickets is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Lazy {
    pub receiver: EntityId,
    /// The number of the action in the sampler.
    pub drawn: u16,
    /// How many tickets it has: as many as there could be, and once it is listed as many as are left.
    pub n: u32,
    /// Where its attributes lie in `given`, once it is listed.
    pub from: Option<u32>,
}

impl Tickets {
    pub fn clear(&mut self) {
        self.lazy.clear();
        self.by_receiver.clear();
        self.listed.clear();
        self.given.clear();
        self.spent.clear();
        self.open.clear();
        self.n_receivers = 0;
        self.in_full.clear();
    }

    pub fn n_by_receiver(&self) -> u32 {
        self.by_receiver.last().map_or(0, |&(upto, ..)| upto)
    }

    pub fn len(&self) -> u32 {
        self.listed.last().map_or(self.n_by_receiver(), |&(upto, ..)| upto)
    }
}

impl Machine {
    /// Whether a thing can receive actions now, and stands for itself.
    pub fn may_be_drawn(&self, program: &Program, receiver: EntityId) -> bool {
        !self.is_gone(program, receiver) && !self.has_twin_before(program, receiver)
    }

    /// The member of a value's list with this number, unless an equal one stands before it.
    pub fn drawn_member(&self, program: &Program, value: Value, at: usize) -> Option<Value> {
        let drawn = match value.kinded() {
            Kinded::List(list) => {
                let members = self.mem.members(list);
                let drawn = Value(*members.get(at)?);
                let known = match drawn.in_heap() {
                    true => members[..at].iter().any(|&other| self.equal(Value(other), drawn)),
                    false => members[..at].contains(&drawn.0),
                };
                if known {
                    return None;
                }
                drawn
            }
            Kinded::Kind(kind) => Value::entity(*self.things(program, kind).get(at)?),
            Kinded::Nil => return None,
            _ if at == 0 => value,
            _ => return None,
        };
        match drawn.as_entity() {
            Some(entity) if self.has_twin_before(program, entity) => None,
            _ => Some(drawn),
        }
    }

    /// The different members of a value's list, each standing for itself, behind what `into` holds.
    pub fn list_members(&self, program: &Program, value: Value, into: &mut Vec<u64>) {
        let from = into.len();
        // Places have no twins, and mostly there is nothing else.
        let mut fixed = true;
        match value.kinded() {
            Kinded::List(list) => {
                // Entities with small numbers are the usual ones: a bit each says which have been met.
                let mut met = [0u64; 8];
                let members = self.mem.members(list);
                into.reserve(members.len());
                for &word in members {
                    let known = match Value(word).as_entity().filter(|&entity| entity < 512) {
                        Some(entity) => {
                            let (word, bit) = (&mut met[entity as usize / 64], 1 << (entity % 64));
                            let known = *word & bit != 0;
                            *word |= bit;
                            fixed &= program.fixed.get(entity as usize) == Some(&true);
                            known
                        }
                        None => {
                            fixed = false;
                            into[from..].iter().any(|&other| self.equal(Value(other), Value(word)))
                        }
                    };
                    if !known {
                        into.push(word);
                    }
                }
            }
            Kinded::Kind(kind) => {
                fixed = false;
                into.extend(self.things(program, kind).into_iter().map(|thing| Value::entity(thing).0))
            }
            Kinded::Nil => {}
            _ => {
                fixed = false;
                into.push(value.0);
            }
        }
        if fixed {
            return;
        }
        let mut to = from;
        for at in from..into.len() {
            if !Value(into[at]).as_entity().is_some_and(|entity| self.has_twin_before(program, entity)) {
                into[to] = into[at];
                to += 1;
            }
        }
        into.truncate(to);
    }
}
