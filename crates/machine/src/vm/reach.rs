//! Going from step to step where not every step can be made, and sorting, turning, naming.

use super::*;
use crate::sorting::{self, Key};
use crate::world::DirId;
use std::collections::BTreeSet;

impl Machine {
    /// Whether a step can be made.
    fn crosses(
        &mut self,
        program: &Program,
        here: Here,
        across: Option<Across>,
        from: EntityId,
        to: EntityId,
    ) -> Run<bool> {
        let Some(across) = across else { return Ok(true) };
        self.spend(1)?;
        self.regs[here.base + across.here as usize] = Value::entity(from).0;
        self.regs[here.base + across.block.it as usize] = Value::entity(to).0;
        Ok(!self.block(program, here, across.block.start)?.is_nil())
    }

    /// The place after the first `n` of a way, if it has one and the step there can be made.
    fn next_of(
        &mut self,
        program: &Program,
        here: Here,
        across: Option<Across>,
        (from, ray): (EntityId, &[EntityId]),
        n: usize,
    ) -> Run<Option<EntityId>> {
        let Some(&next) = ray.get(n) else { return Ok(None) };
        let last = if n == 0 { from } else { ray[n - 1] };
        Ok(self.crosses(program, here, across, last, next)?.then_some(next))
    }

    /// A walk along whatever lines there are, on which not every step can be made.
    pub(super) fn walk_across(
        &mut self,
        program: &Program,
        here: Here,
        walk: &Walk,
        across: Option<Across>,
    ) -> Run<Value> {
        let from = Value(self.regs[here.base + walk.from as usize]);
        let Some(from) = self.entity(program, from, "`walk`")? else { return Ok(Value::list(messages::EMPTY)) };
        let most = match walk.most {
            Some(reg) => self.position(program, Value(self.regs[here.base + reg as usize]))?.unwrap_or(0),
            None => usize::MAX,
        };
        let mut met: Vec<u64> = Vec::new();
        for way in self.ways(program, here, &walk.ways, from)? {
            for ray in self.rays(program, way, from) {
                let begin = met.len();
                let mut stopped = self.next_of(program, here, across, (from, &ray), 0)?;
                while let Some(place) = stopped.filter(|_| met.len() - begin < most) {
                    self.spend(1)?;
                    if !self.passes(program, here, walk.while_, Value::entity(place))? {
                        break;
                    }
                    met.push(Value::entity(place).0);
                    stopped = self.next_of(program, here, across, (from, &ray), met.len() - begin)?;
                }
                if let Some(until) = walk.until {
                    let fits = match stopped {
                        Some(place) => self.passes(program, here, until, Value::entity(place))?,
                        None => false,
                    };
                    if !fits {
                        met.truncate(begin);
                        continue;
                    }
                }
                if let (Some(then), Some(place)) = (walk.then, stopped)
                    && met.len() - begin < most
                    && self.passes(program, here, then, Value::entity(place))?
                {
                    met.push(Value::entity(place).0);
                }
            }
        }
        self.new_list(met)
    }

    /// The last places of walks that are exactly as long as wanted.
    pub(super) fn walk_exactly(
        &mut self,
        program: &Program,
        here: Here,
        walk: &Walk,
        across: Option<Across>,
    ) -> Run<Value> {
        let from = Value(self.regs[here.base + walk.from as usize]);
        let Some(from) = self.entity(program, from, "`walk`")? else { return Ok(Value::list(messages::EMPTY)) };
        let wanted = walk.most.map_or(Value::NIL, |reg| Value(self.regs[here.base + reg as usize]));
        let wanted = self.position(program, wanted)?.unwrap_or(0);
        let mut met: Vec<u64> = Vec::new();
        for way in self.ways(program, here, &walk.ways, from)? {
            'rays: for ray in self.rays(program, way, from) {
                for n in 0..wanted {
                    self.spend(1)?;
                    let next = self.next_of(program, here, across, (from, &ray), n)?;
                    let Some(place) = next else { continue 'rays };
                    let test = walk.then.filter(|_| n + 1 == wanted).unwrap_or(walk.while_);
                    if !self.passes(program, here, test, Value::entity(place))? {
                        continue 'rays;
                    }
                }
                met.extend(wanted.checked_sub(1).map(|last| Value::entity(ray[last]).0));
            }
        }
        self.new_list(met)
    }

    pub(super) fn reach(&mut self, program: &Program, here: Here, reach: &Reach) -> Run<Value> {
        let nothing = if reach.to.is_some() { Value::NIL } else { Value::list(messages::EMPTY) };
        let from = Value(self.regs[here.base + reach.from as usize]);
        let from = self.entity(program, from, "The beginning")?;
        let goal = match reach.to {
            Some(reg) => {
                let to = Value(self.regs[here.base + reg as usize]);
                let Some(to) = self.entity(program, to, "`distance`")? else { return Ok(nothing) };
                Some(to)
            }
            None => None,
        };
        // What is no thing is a fault at either end, even where the other end is nobody.
        let Some(from) = from else { return Ok(nothing) };
        // What is no place is nowhere, and so no steps away from itself either.
        let by_ways = !matches!(reach.leads, Leads::Code(_));
        if by_ways && goal.is_some() && self.board_of(program, from).is_none() {
            return Ok(nothing);
        }
        let ways = match &reach.leads {
            Leads::Ways(ways) => self.ways(program, here, ways, from)?,
            Leads::Adjacent => self.ways_around(program, from),
            Leads::Code(_) => Default::default(),
        };
        if goal.is_none() && !self.passes(program, here, reach.while_, Value::entity(from))? {
            return Ok(nothing);
        }
        let mut seen = BTreeSet::from([from]);
        let mut found = vec![(from, 0)];
        let mut at = 0;
        while at < found.len() {
            let (thing, steps) = found[at];
            at += 1;
            if goal == Some(thing) {
                return Ok(Value::small(steps));
            }
            let next = match reach.leads {
                Leads::Code(block) => {
                    self.spend(1)?;
                    self.regs[here.base + block.it as usize] = Value::entity(thing).0;
                    let led = self.block(program, here, block.start)?;
                    self.entities(program, led, "`via`")?
                }
                _ => {
                    let steps = |&way: &DirId| program.world.directions.steps(way, thing);
                    ways.iter().flat_map(steps).copied().collect()
                }
            };
            for next in next {
                self.spend(1)?;
                if !seen.contains(&next) && self.crosses(program, here, reach.across, thing, next)? {
                    seen.insert(next);
                    if self.passes(program, here, reach.while_, Value::entity(next))? {
                        found.push((next, steps + 1));
                    }
                }
            }
        }
        match goal {
            Some(_) => Ok(Value::NIL),
            None => self.new_list(found.into_iter().map(|(thing, _)| Value::entity(thing).0).collect()),
        }
    }

    /// A thing, or the things of a list; nothing where it is nil.
    pub(super) fn entities(&mut self, program: &Program, value: Value, what: &str) -> Run<Vec<EntityId>> {
        if value.as_entity().is_some() || matches!(value.kinded(), Kinded::Text(_)) {
            return Ok(self.entity(program, value, what)?.into_iter().collect());
        }
        let list = self.members_of(program, value)?;
        let members: Vec<u64> = self.mem.members(list).to_vec();
        let mut entities = Vec::new();
        for member in members {
            entities.extend(self.entity(program, Value(member), what)?);
        }
        Ok(entities)
    }

    pub(super) fn edge(&mut self, program: &Program, a: Value, b: Value) -> Run<Value> {
        let (a, b) = (self.entity(program, a, "`crossing`")?, self.entity(program, b, "`crossing`")?);
        let edge = a.zip(b).and_then(|(a, b)| program.world.edge(a, b));
        Ok(edge.map_or(Value::NIL, Value::entity))
    }

    pub(super) fn ends(&mut self, program: &Program, edge: Value) -> Run<Value> {
        let edge = self.entity(program, edge, "`ends-of`")?;
        let ends = edge.and_then(|edge| program.world.ends(edge));
        self.new_list(ends.iter().flatten().map(|&place| Value::entity(place).0).collect())
    }

    pub(super) fn named(&mut self, program: &Program, name: Value) -> Run<Value> {
        match name.kinded() {
            Kinded::Nil => return Err(Stop::fault("nil is not a name.")),
            Kinded::Entity(_) => return Ok(name),
            _ => {}
        }
        let text = self.show(program, name);
        match program.world.names.get(text.as_str()) {
            Some(&entity) => Ok(Value::entity(entity)),
            None => Err(Stop::fault(format!("There is no “{text}”."))),
        }
    }

    pub(super) fn sort_by(&mut self, program: &Program, list: Value, keys: Value) -> Run<Value> {
        let (list, keys) = (self.members_of(program, list)?, self.members_of(program, keys)?);
        let members: Vec<u64> = self.mem.members(list).to_vec();
        let words: Vec<u64> = self.mem.members(keys).to_vec();
        let keys = words.iter().map(|&word| self.key(program, Value(word))).collect::<Run<Vec<Key>>>()?;
        self.spend(members.len() as u64)?;
        self.new_list(sorting::order(&keys).into_iter().map(|at| members[at]).collect())
    }

    fn key(&self, program: &Program, value: Value) -> Run<Key> {
        Ok(match value.kinded() {
            Kinded::Nil => Key::Nil,
            Kinded::Whole(number) => Key::Number(number as f64),
            Kinded::Decimal(number) => Key::Number(number),
            Kinded::Text(text) => Key::Text(program.texts.get(text).clone()),
            Kinded::List(list) => {
                let members = self.mem.members(list).iter().map(|&word| self.key(program, Value(word)));
                Key::List(members.collect::<Run<Vec<Key>>>()?)
            }
            _ => {
                let told = self.quoted(program, value);
                return Err(Stop::fault(format!("`sort` goes by numbers and texts, not by {told}.")));
            }
        })
    }

    pub(super) fn reverse(&mut self, program: &Program, list: Value) -> Run<Value> {
        let list = self.members_of(program, list)?;
        let members = self.mem.members(list).iter().rev().copied().collect();
        self.new_list(members)
    }

    pub(super) fn flatten(&mut self, program: &Program, list: Value) -> Run<Value> {
        let list = self.members_of(program, list)?;
        let mut open: Vec<u64> = self.mem.members(list).iter().rev().copied().collect();
        let mut flat = Vec::new();
        while let Some(word) = open.pop() {
            self.spend(1)?;
            match Value(word).kinded() {
                Kinded::List(inner) => open.extend(self.mem.members(inner).iter().rev()),
                _ => flat.push(word),
            }
        }
        self.new_list(flat)
    }

    /// Each direction turned into another; of one direction one, of several a list.
    pub(super) fn turn_each(
        &mut self,
        program: &Program,
        value: Value,
        turn: &dyn Fn(DirId) -> Option<DirId>,
    ) -> Run<Value> {
        let ways = self.ways_value(program, value)?;
        let mut turned = ways.into_iter().filter_map(turn).map(|way| Value::direction(way).0);
        match value.kinded() {
            Kinded::List(_) => {
                let turned = turned.collect();
                self.new_list(turned)
            }
            _ => Ok(turned.next().map_or(Value::NIL, Value)),
        }
    }
}
