//! Drawing from what native code has listed in one go.
//!
//! What is drawn is what `tickets` would draw: the same receivers and values in the same order. Only the ceremony of
//! listing them receiver by receiver is left out.

use crate::buffer::Buffer;
use crate::code::{LabelId, MOST_ARGS};
use crate::native::{End, Gate, Lies, Lister, Native};
use crate::plan::{Draw, Tried};
use crate::position::MachinePosition;
use crate::program::{Program, Woven};
use crate::sampler::Sampler;
use crate::shortcut::Shortcut;
use crate::swift::MOST_DRAWS;
use crate::value::Value;
use crate::vm::{Machine, Run};
use crate::world::EntityId;
use houserules_kernel::Generator;

/// What was listed in the present position.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Each receiver with values, of what is being listed: of an action, and of those that its laws ask about.
    pub ends: Buffer<End>,
    /// The same of all actions listed. What a law asks about while its own action is listed must not stand among that
    /// action's receivers.
    kept_ends: Buffer<End>,
    /// The values of all actions listed, as far as they had to be gathered.
    values: Buffer<u64>,
    /// For each action what was listed, and a bit for each of the first ones: whether it was.
    spans: Vec<Span>,
    known: u64,
    /// Actions that can be drawn: their number in the sampler and either how many receivers stand for a ticket each,
    /// with where they are kept, or what was listed.
    open: Vec<Open>,
    /// Which of the values listed were refused.
    spent: Vec<u32>,
    /// Set while the position stays as it is until it is known what a player can do.
    asking: Option<EntityId>,
}

/// Where an action's receivers and values lie.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first_end: u32,
    /// One behind the last.
    last_end: u32,
    /// Where the values begin, now and when they were gathered.
    first: u32,
    gathered: u32,
    n: u32,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    at: u32,
    n: u32,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// So many receivers without attributes; where they are kept.
    Receivers(u32),
    Listed(Span),
}

impl Found {
    /// What was listed for an action already.
    #[inline]
    fn span(&self, action: usize) -> Option<Span> {
        (action < 64 && self.known >> action & 1 == 1).then(|| self.spans[action])
    }

    #[inline]
    fn keep(&mut self, action: usize, span: Span) {
        if action < 64 {
            if self.spans.len() <= action {
                self.spans.resize(action + 1, Span::default());
            }
            self.spans[action] = span;
            self.known |= 1 << action;
        }
    }

    /// The receiver and the value of what was listed with so many before it.
    fn at(&self, span: Span, rank: u32) -> (EntityId, u64) {
        let mut before = 0;
        for &end in &self.kept_ends[span.first_end as usize..span.last_end as usize] {
            if rank < end.upto() {
                let value = match end.value(rank - before) {
                    Lies::Gathered(at) => self.values[at - span.gathered as usize + span.first as usize],
                    Lies::Here(value) => value,
                };
                return (end.receiver(), value);
            }
            before = end.upto();
        }
        unreachable!("the last one ends behind all ranks")
    }
}

impl Machine {
    /// What native code lists for an action of a player. None where that has to be done slowly.
    #[inline]
    fn listed(
        &mut self,
        program: &Program,
        native: &Native,
        lister: &Lister,
        action: usize,
        player: EntityId,
    ) -> Option<Span> {
        let asking = self.found.asking == Some(player);
        if asking && let Some(span) = self.found.span(action) {
            return Some(span);
        }
        let (begin, gathered) = (self.found.ends.len(), self.gathered.len());
        let n = self.list_natively(program, native, (action, lister), player)? as u32;
        let found = &mut self.found;
        let first_end = found.kept_ends.len() as u32;
        let mut span = Span { first_end, last_end: first_end, first: 0, gathered: gathered as u32, n };
        if asking && (lister.firmly || self.skipped.is_empty()) {
            found.kept_ends.extend_from_slice(&found.ends[begin..]);
            (span.last_end, span.first) = (found.kept_ends.len() as u32, found.values.len() as u32);
            found.values.extend_from_slice(&self.gathered[gathered..]);
            found.keep(action, span);
        }
        found.ends.truncate(begin);
        // A law that refuses takes back what was gathered while it was asked.
        self.gathered.truncate(gathered);
        Some(span)
    }

    /// Every receiver and value that native code lists for an action of a player, in the middle of another action if
    /// need be. False where that has to be done slowly.
    pub(crate) fn list_within(
        &mut self,
        program: &Program,
        action: usize,
        player: EntityId,
        into: &mut Vec<(EntityId, u64)>,
    ) -> bool {
        let Some(native) = program.native() else { return false };
        let Some(lister) = native.lister(action) else { return false };
        let (first_end, gathered) = (self.found.ends.len(), self.gathered.len());
        if self.list_natively(program, native, (action, lister), player).is_none() {
            return false;
        }
        let mut before = 0;
        for &end in &self.found.ends[first_end..] {
            into.extend((0..end.upto() - before).map(|at| match end.value(at) {
                Lies::Gathered(at) => (end.receiver(), self.gathered[at]),
                Lies::Here(value) => (end.receiver(), value),
            }));
            before = end.upto();
        }
        self.found.ends.truncate(first_end);
        self.gathered.truncate(gathered);
        true
    }

    /// Whether the laws that read no receiver let an action pass; none if something is at fault.
    fn passes_gate(&mut self, program: &Program, native: &Native, action: usize, set: usize) -> Option<bool> {
        match native.gate(action) {
            Gate::Open => Some(true),
            Gate::Unless(other) if self.skipped.is_empty() => {
                let asking = self.found.asking?;
                self.can_by_list(program, asking, other).map(|can| !can)
            }
            Gate::Code(address) => {
                let receiver = Value::entity(self.derived.enrolled.select(set, 0)).0;
                self.run_law(native, address, receiver)
            }
            Gate::Unless(_) | Gate::Slow => {
                self.passes_once(program, &program.actions[action], self.derived.enrolled.select(set, 0)).ok()
            }
        }
    }

    /// `(can LABEL)` while it is found out what a player can do. None where that has to be found out slowly.
    #[inline]
    pub(crate) fn can_while_asked(&mut self, program: &Program, label: LabelId, player: Value) -> Option<bool> {
        let asking = self.found.asking.filter(|&asking| player == Value::entity(asking))?;
        let mut actions = program.actions.iter().enumerate().filter(|(_, action)| action.label == label);
        let (action, _) = actions.next()?;
        if actions.next().is_some() {
            return None;
        }
        self.can_by_list(program, asking, action)
    }

    /// Whether some receiver and value make a legal choice of an action. None where that has to be found out slowly.
    pub(crate) fn can_by_list(&mut self, program: &Program, player: EntityId, action: usize) -> Option<bool> {
        let found = self.finds_by_list(program, player, action)?;
        if !found {
            // What is drawn depends on it, so both ways must note it.
            self.derived.enrolled.note_unable(player, action);
        }
        Some(found)
    }

    fn finds_by_list(&mut self, program: &Program, player: EntityId, action: usize) -> Option<bool> {
        let native = program.native()?;
        let lister = native.lister(action).filter(|lister| lister.surely)?;
        if !self.knows_roster() {
            return None;
        }
        let set = self.roster_set(program, action, player);
        if self.derived.enrolled.count(set) == 0 {
            return Some(false);
        }
        if !self.passes_gate(program, native, action, set)? {
            return Some(false);
        }
        self.listed(program, native, lister, action, player).map(|span| span.n > 0)
    }

    /// The code of an action for somebody who may receive it.
    #[inline]
    pub(crate) fn handler_of(&self, program: &Program, action: usize, receiver: EntityId) -> Option<Woven> {
        let sole = program.native().and_then(|native| native.sole(action));
        sole.or_else(|| self.handler(program, program.actions[action].label, receiver))
    }

    /// Finds out what a player can do. False where that has to be done slowly.
    fn find_all_listed(&mut self, program: &Program, native: &Native, sampler: &Sampler, player: EntityId) -> bool {
        let mut open = std::mem::take(&mut self.found.open);
        open.clear();
        for (at, drawn) in sampler.actions.iter().enumerate() {
            let set = self.roster_set(program, drawn.action, player);
            let n = self.derived.enrolled.count(set);
            if n == 0 {
                continue;
            }
            match self.passes_gate(program, native, drawn.action, set) {
                Some(true) => open.push(Open { at: at as u32, n, what: What::Receivers(set as u32) }),
                Some(false) => {}
                None => {
                    self.found.open = open;
                    return false;
                }
            }
        }
        // What the laws of another action have found to be impossible has no tickets.
        let by_receiver = |open: &Open| {
            let drawn = &sampler.actions[open.at as usize];
            drawn.tickets == Some(1) && program.actions[drawn.action].with.is_empty()
        };
        for open in open.iter_mut().filter(|open| by_receiver(open)) {
            if self.derived.enrolled.is_unable(sampler.actions[open.at as usize].action) {
                open.n = 0;
            }
        }
        let mut all = true;
        for open in open.iter_mut().filter(|open| !by_receiver(open)) {
            let drawn = &sampler.actions[open.at as usize];
            if self.derived.enrolled.is_unable(drawn.action) {
                (open.n, open.what) = (0, What::Listed(Span::default()));
                continue;
            }
            let listed = match (drawn.tickets, native.lister(drawn.action)) {
                (None, Some(lister)) => self.listed(program, native, lister, drawn.action, player),
                _ => None,
            };
            match listed {
                Some(span) => (open.n, open.what) = (span.n, What::Listed(span)),
                None => all = false,
            }
        }
        // Those that stand for themselves come first.
        let listed = |open: &Open| matches!(open.what, What::Listed(_));
        if !open.is_sorted_by_key(listed) {
            open.sort_by_key(listed);
        }
        self.found.open = open;
        all
    }
}

impl MachinePosition {
    /// Draws an action of a player from what native code lists.
    pub(crate) fn draw_found(&mut self, program: &Program, player: EntityId, generator: &mut Generator) -> Run<Draw> {
        let (Some(native), Some(sampler)) = (program.native(), &program.sampler) else { return Ok(Draw::Unsuited) };
        let machine = &mut self.machine;
        if !machine.sync_roster(program) {
            return Ok(Draw::Unsuited);
        }
        let heap = machine.mem.heap.len();
        machine.found.ends.clear();
        machine.found.kept_ends.clear();
        machine.found.values.clear();
        machine.found.known = 0;
        machine.found.spent.clear();
        machine.found.asking = Some(player);
        machine.derived.enrolled.begin_asking(player);
        let listed = machine.as_actor(player, |machine| machine.find_all_listed(program, native, sampler, player));
        machine.derived.enrolled.end_asking();
        machine.found.asking = None;
        machine.mem.heap.truncate(heap);
        match listed {
            true => {
                program.permits.take(Shortcut::Listing);
                self.draw_among(program, sampler, player, generator)
            }
            false => Ok(Draw::Unsuited),
        }
    }

    fn draw_among(
        &mut self,
        program: &Program,
        sampler: &Sampler,
        player: EntityId,
        generator: &mut Generator,
    ) -> Run<Draw> {
        let heap = self.machine.mem.heap.len();
        let (mut by_receiver, mut n) = (0, 0);
        for open in &self.machine.found.open {
            n += open.n;
            if let What::Receivers(_) = open.what {
                by_receiver += open.n;
            }
        }
        if n == 0 {
            return Ok(Draw::Nobody);
        }
        let n_listed = n - by_receiver;
        let most = if by_receiver > 0 { 2 + by_receiver / 2 } else { MOST_DRAWS };
        for _ in 0..most {
            let number = generator.below(u64::from(n)) as u32;
            let (mut at, mut rank) = (0, number);
            while rank >= self.machine.found.open[at].n {
                rank -= self.machine.found.open[at].n;
                at += 1;
            }
            let Open { at, what, .. } = self.machine.found.open[at];
            let action = sampler.actions[at as usize].action;
            let code = &program.actions[action];
            let mut args = [0; MOST_ARGS];
            let receiver = match what {
                What::Receivers(set) => self.machine.derived.enrolled.select(set as usize, rank),
                What::Listed(_) if self.machine.found.spent.contains(&number) => continue,
                What::Listed(span) => {
                    let (receiver, value) = self.machine.found.at(span, rank);
                    args[1 + code.with[0].0 as usize] = value;
                    receiver
                }
            };
            args[0] = Value::entity(receiver).0;
            let tried = match what {
                What::Receivers(_) => self.try_receiver(program, player, action, receiver, &args, generator)?,
                What::Listed(_) => match self.machine.handler_of(program, action, receiver) {
                    Some(woven) => self.try_rest(program, player, woven, &args, Some(generator))?,
                    None => Tried::Refused,
                },
            };
            if tried == Tried::Played {
                return Ok(Draw::Played);
            }
            if let What::Listed(_) = what
                && tried == Tried::Refused
            {
                self.machine.found.spent.push(number);
                if self.machine.found.spent.len() as u32 == n_listed && by_receiver == 0 {
                    return Ok(Draw::Nobody);
                }
            }
            self.machine.mem.heap.truncate(heap);
        }
        Ok(if by_receiver > 0 { Draw::TooLong } else { Draw::GaveUp })
    }

    /// Tries an action without attributes, of which more than the receiver's own properties has still to be asked.
    fn try_receiver(
        &mut self,
        program: &Program,
        player: EntityId,
        action: usize,
        receiver: EntityId,
        args: &[u64; MOST_ARGS],
        generator: &mut Generator,
    ) -> Run<Tried> {
        let machine = &mut self.machine;
        let Some(woven) = machine.handler_of(program, action, receiver) else {
            return Ok(Tried::Refused);
        };
        // A law with a fault refuses.
        let passes = machine.as_actor(player, |machine| {
            machine.passes_each(program, woven, receiver) == Ok(true) && !machine.has_twin_before(program, receiver)
        });
        match passes {
            true => self.try_rest(program, player, woven, args, Some(generator)),
            false => Ok(Tried::Refused),
        }
    }
}
