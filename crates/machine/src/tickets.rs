//! Handing out tickets: who may be drawn now, and with which attributes.

use crate::code::{FuncId, MOST_ARGS};
use crate::program::{ActionCode, Program, Woven};
use crate::sampler::{Attributes, Drawn, Lazy, Sampler, Tickets};
use crate::value::Value;
use crate::vm::{Machine, Run, Stop};
use crate::world::EntityId;

impl Machine {
    /// Hands out the tickets of a player, who acts; false if something is at fault, which has to be told. With `all`
    /// whatever can be listed is.
    pub(crate) fn hand_out(
        &mut self,
        program: &Program,
        sampler: &Sampler,
        player: EntityId,
        tickets: &mut Tickets,
        all: bool,
    ) -> bool {
        tickets.clear();
        if !self.sync_roster(program) {
            return false;
        }
        self.derived.enrolled.begin_asking(player);
        let handed_out = self.hand_out_asked(program, sampler, player, tickets, all);
        self.derived.enrolled.end_asking();
        tickets.spent.resize(tickets.listed.len(), false);
        handed_out.is_ok()
    }

    fn hand_out_asked(
        &mut self,
        program: &Program,
        sampler: &Sampler,
        player: EntityId,
        tickets: &mut Tickets,
        all: bool,
    ) -> Run<()> {
        // All laws that read no receiver come first: what they find out about other actions need not be found again.
        for (at, drawn) in sampler.actions.iter().enumerate() {
            let set = self.roster_set(program, drawn.action, player);
            let n = self.derived.enrolled.count(set);
            if n > 0
                && self.passes_once(program, &program.actions[drawn.action], self.derived.enrolled.select(set, 0))?
            {
                tickets.open.push((at, set, n));
            }
        }
        tickets.in_full.resize(sampler.actions.len(), false);
        let mut upto = 0;
        for at in 0..tickets.open.len() {
            let (at, set, n) = tickets.open[at];
            let drawn = &sampler.actions[at];
            if let Some(each) = drawn.tickets.filter(|_| !all)
                && !self.derived.enrolled.is_unable(drawn.action)
            {
                upto += n * each;
                tickets.n_receivers += n;
                tickets.by_receiver.push((upto, each, at, set));
            }
        }
        for at in 0..tickets.open.len() {
            let (at, ..) = tickets.open[at];
            let drawn = &sampler.actions[at];
            if self.derived.enrolled.is_unable(drawn.action) {
                continue;
            }
            if let Some(most) = drawn.lazily.as_ref().filter(|_| !all) {
                self.any_enrolled(program, drawn.action, player, |machine, receiver| {
                    let n = most[machine.kind_of(program, receiver) as usize];
                    tickets.lazy.push(Lazy { receiver, drawn: at as u16, n, from: None });
                    Ok(None)
                })?;
            } else if all || drawn.tickets.is_none() {
                self.list_action(program, (at, drawn), player, tickets)?;
            }
        }
        Ok(())
    }

    fn list_action(
        &mut self,
        program: &Program,
        (at, drawn): (usize, &Drawn),
        player: EntityId,
        tickets: &mut Tickets,
    ) -> Run<()> {
        let (n_listed, n_given) = (tickets.listed.len(), tickets.given.len());
        let mut n_receivers = 0;
        self.any_enrolled(program, drawn.action, player, |machine, receiver| {
            n_receivers += 1;
            machine.list_tickets(program, (at, drawn), receiver, tickets).map(|()| None)
        })?;
        // The further attributes are likely to have as small a part of what they could have as the first one: if so few
        // of their tickets stand for something that to list them is less work, they are listed.
        let n = (tickets.listed.len() - n_listed) as u64;
        if drawn.most_first.is_some_and(|most| n > 0 && 4 * n * n < n_receivers * u64::from(most)) {
            tickets.listed.truncate(n_listed);
            tickets.given.truncate(n_given);
            tickets.in_full[at] = true;
            self.any_enrolled(program, drawn.action, player, |machine, receiver| {
                machine.list_tickets(program, (at, drawn), receiver, tickets).map(|()| None)
            })?;
        }
        Ok(())
    }

    /// The tickets of one receiver whose attributes are listed.
    fn list_tickets(
        &mut self,
        program: &Program,
        (at, drawn): (usize, &Drawn),
        receiver: EntityId,
        tickets: &mut Tickets,
    ) -> Run<()> {
        let code = &program.actions[drawn.action];
        let kind = self.kind_of(program, receiver) as usize;
        let by_kind = if tickets.in_full[at] { &drawn.in_full } else { &drawn.by_list };
        let Some(attributes) = &by_kind[kind] else { return Ok(()) };
        let Some(woven) = self.handler(program, code.label, receiver) else { return Ok(()) };
        if !self.passes_each(program, woven, receiver)? || self.has_twin_before(program, receiver) {
            return Ok(());
        }
        let mut args = [0; MOST_ARGS];
        args[0] = Value::entity(receiver).0;
        let heap = self.mem.heap.len();
        let (first, mut upto) = (tickets.given.len(), tickets.len());
        if attributes.listed == 0 {
            tickets.listed.push((upto + 1, receiver, at as u16, first as u32));
            return Ok(());
        }
        self.list_given(program, code, kind, (0, attributes.listed), &mut args, &mut tickets.given)?;
        // A list that is an attribute itself has to stay until it is drawn.
        if !tickets.given[first..].iter().any(|&given| Value(given).in_heap()) {
            self.mem.heap.truncate(heap);
        }
        let listed = (first..tickets.given.len()).step_by(attributes.listed).map(|from| {
            upto += attributes.further;
            (upto, receiver, at as u16, from as u32)
        });
        tickets.listed.extend(listed);
        Ok(())
    }

    /// Lists the attributes of a receiver that was drawn.
    pub(crate) fn list_lazy(
        &mut self,
        program: &Program,
        drawn: &Drawn,
        lazy: &mut Lazy,
        given: &mut Vec<u64>,
    ) -> Run<()> {
        let code = &program.actions[drawn.action];
        let receiver = lazy.receiver;
        let kind = self.kind_of(program, receiver) as usize;
        (lazy.from, lazy.n) = (Some(given.len() as u32), 0);
        let Some(woven) = self.handler(program, code.label, receiver) else { return Ok(()) };
        let Some(attributes) = drawn.one_by_one(kind) else { return Ok(()) };
        if !self.passes_each(program, woven, receiver)? || self.has_twin_before(program, receiver) {
            return Ok(());
        }
        let mut args = [0; MOST_ARGS];
        args[0] = Value::entity(receiver).0;
        let (first, heap) = (given.len(), self.mem.heap.len());
        self.list_given(program, code, kind, (0, attributes.listed), &mut args, given)?;
        if !given[first..].iter().any(|&given| Value(given).in_heap()) {
            self.mem.heap.truncate(heap);
        }
        lazy.n = ((given.len() - first) / attributes.listed) as u32;
        Ok(())
    }

    /// Lists the values of the attributes of a receiver from one to another, all combinations one after the other.
    fn list_given(
        &mut self,
        program: &Program,
        code: &ActionCode,
        kind: usize,
        (at, end): (usize, usize),
        args: &mut [u64; MOST_ARGS],
        into: &mut Vec<u64>,
    ) -> Run<()> {
        let (attribute, funcs) = &code.with[at];
        let Some(func) = funcs[kind] else { return Ok(()) };
        let listed = self.attribute_list(program, func, args)?;
        if at + 1 == end && at == 0 {
            self.list_members(program, listed, into);
            return Ok(());
        }
        let mut members = std::mem::take(&mut self.members);
        let from = members.len();
        self.list_members(program, listed, &mut members);
        let upto = members.len();
        self.members = members;
        let mut result = Ok(());
        for number in from..upto {
            args[1 + *attribute as usize] = self.members[number];
            if at + 1 < end {
                result = result.and_then(|()| self.list_given(program, code, kind, (at + 1, end), args, into));
            } else {
                into.extend(code.with[..end].iter().map(|(attribute, _)| args[1 + *attribute as usize]));
            }
        }
        args[1 + *attribute as usize] = Value::NIL.0;
        self.members.truncate(from);
        result
    }

    /// The value of the function that lists an attribute.
    pub(crate) fn attribute_list(&mut self, program: &Program, func: FuncId, args: &[u64; MOST_ARGS]) -> Run<Value> {
        let n_args = program.functions[func as usize].n_args as usize;
        match program.native().and_then(|native| Some((native, native.address(func)?))) {
            Some((native, address)) => self.enter_native(native, address, n_args as u16, &args[..n_args], false),
            None => {
                let values = args.map(Value);
                self.call(program, func, &values[..n_args])
            }
        }
    }

    /// Whether the laws that read no receiver let an action pass.
    pub(crate) fn passes_once(&mut self, program: &Program, code: &ActionCode, receiver: EntityId) -> Run<bool> {
        let once = self.handler(program, code.label, receiver).and_then(|woven| woven.split?.once);
        once.map_or(Ok(true), |once| self.passes_laws(program, once, receiver))
    }

    /// The same of the laws that read a receiver and more than its own properties.
    pub(crate) fn passes_each(&mut self, program: &Program, woven: Woven, receiver: EntityId) -> Run<bool> {
        let each = woven.split.and_then(|split| split.each);
        each.map_or(Ok(true), |each| self.passes_laws(program, each, receiver))
    }

    pub(crate) fn passes_laws(&mut self, program: &Program, laws: FuncId, receiver: EntityId) -> Run<bool> {
        if let Some(native) = program.native()
            && let Some(address) = native.address(laws)
            && program.functions[laws as usize].n_args <= 4
            && let Some(passes) = self.run_law(native, address, Value::entity(receiver).0)
        {
            return Ok(passes);
        }
        // What stopped them is told by asking again.
        let skipped = self.skipped.len();
        let asked = self.ask_laws(program, laws, receiver);
        // A law that steps aside for itself and refuses has not come back.
        self.skipped.truncate(skipped);
        match asked {
            Ok(_) => Ok(true),
            Err(Stop::Refused { .. }) => Ok(false),
            Err(stop) => Err(stop),
        }
    }

    /// Draws the attributes that a ticket stands for; false if there are no such ones.
    pub(crate) fn draw_attributes(
        &mut self,
        program: &Program,
        code: &ActionCode,
        kind: usize,
        attributes: &Attributes,
        mut combination: u32,
        args: &mut [u64; MOST_ARGS],
    ) -> bool {
        if attributes.listed == 0 && Value(args[0]).as_entity().is_some_and(|of| self.has_twin_before(program, of)) {
            return false;
        }
        for (&most, (attribute, funcs)) in attributes.most.iter().zip(&code.with[attributes.listed..]) {
            let at = (combination % most.max(1)) as usize;
            combination /= most.max(1);
            let Some(func) = funcs[kind] else { return false };
            let Ok(listed) = self.attribute_list(program, func, args) else { return false };
            let Some(drawn) = self.drawn_member(program, listed, at) else { return false };
            args[1 + *attribute as usize] = drawn.0;
        }
        combination == 0
    }
}
