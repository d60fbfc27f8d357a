//! Numbers, lists, dictionaries, equality.

use super::exec::number_value;
use super::*;
use std::cmp::Ordering;

impl Machine {
    pub(super) fn number(&self, program: &Program, value: Value, what: &str) -> Run<f64> {
        value
            .as_f64()
            .ok_or_else(|| Stop::fault(format!("{what} needs a number, not {}.", self.quoted(program, value))))
    }

    #[inline]
    pub(crate) fn add(&self, program: &Program, a: Value, b: Value) -> Run<Value> {
        if let (Some(a), Some(b)) = (a.as_whole(), b.as_whole())
            && let Some(sum) = Value::whole(a + b)
        {
            return Ok(sum);
        }
        number_value(self.number(program, a, "`+`")? + self.number(program, b, "`+`")?)
    }

    #[inline]
    pub(crate) fn subtract(&self, program: &Program, a: Value, b: Value) -> Run<Value> {
        if let (Some(a), Some(b)) = (a.as_whole(), b.as_whole())
            && let Some(difference) = Value::whole(a - b)
        {
            return Ok(difference);
        }
        number_value(self.number(program, a, "`-`")? - self.number(program, b, "`-`")?)
    }

    pub(super) fn multiply(&self, program: &Program, a: Value, b: Value) -> Run<Value> {
        if let (Some(left), Some(right)) = (a.as_whole(), b.as_whole()) {
            return left
                .checked_mul(right)
                .and_then(Value::whole)
                .ok_or_else(|| Stop::fault("This number is too large."));
        }
        number_value(self.number(program, a, "`*`")? * self.number(program, b, "`*`")?)
    }

    pub(super) fn divide(&self, program: &Program, a: Value, b: Value) -> Run<Value> {
        let (a, b) = (self.number(program, a, "`/`")?, self.number(program, b, "`/`")?);
        if b == 0.0 {
            return Err(Stop::fault("This divides by zero."));
        }
        number_value(a / b)
    }

    pub(super) fn modulo(&self, program: &Program, a: Value, b: Value) -> Run<Value> {
        if let (Some(left), Some(right)) = (a.as_whole(), b.as_whole()) {
            if right == 0 {
                return Err(Stop::fault("This divides by zero."));
            }
            let rest = left % right;
            let signed = if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest };
            return Ok(Value::whole(signed).expect("a remainder is smaller than its divisor"));
        }
        let (a, b) = (self.number(program, a, "`mod`")?, self.number(program, b, "`mod`")?);
        if b == 0.0 {
            return Err(Stop::fault("This divides by zero."));
        }
        number_value(a - b * (a / b).floor())
    }

    #[inline]
    pub(crate) fn less(&self, program: &Program, a: Value, b: Value) -> Run<bool> {
        if let (Some(a), Some(b)) = (a.as_whole(), b.as_whole()) {
            return Ok(a < b);
        }
        Ok(self.number(program, a, "A comparison")? < self.number(program, b, "A comparison")?)
    }

    /// The greater or smaller of two; nil is skipped.
    pub(crate) fn extreme(&self, program: &Program, a: Value, b: Value, greatest: bool) -> Run<Value> {
        if a.is_nil() || b.is_nil() {
            return Ok(if a.is_nil() { b } else { a });
        }
        Ok(if self.less(program, a, b)? == greatest { b } else { a })
    }

    #[inline]
    pub fn equal(&self, a: Value, b: Value) -> bool {
        a == b || (a.in_heap() && b.in_heap() && self.equal_in_heap(a, b))
    }

    /// The same, and long lists are counted.
    #[inline]
    pub(super) fn equal_counted(&mut self, a: Value, b: Value) -> Run<bool> {
        if a != b && a.in_heap() && b.in_heap() {
            self.spend(self.mem.members(a.0 as u32).len() as u64 / 16)?;
        }
        Ok(self.equal(a, b))
    }

    fn equal_in_heap(&self, a: Value, b: Value) -> bool {
        match (a.kinded(), b.kinded()) {
            (Kinded::List(a), Kinded::List(b)) | (Kinded::Message(a), Kinded::Message(b)) => {
                let (a, b) = (self.mem.members(a), self.mem.members(b));
                a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.equal(Value(a), Value(b)))
            }
            (Kinded::Dictionary(a), Kinded::Dictionary(b)) => {
                let (a, b) = (self.mem.members(a), self.mem.members(b));
                a.len() == b.len()
                    && a.chunks(2).all(|pair| {
                        b.chunks(2).any(|other| {
                            self.equal(Value(pair[0]), Value(other[0])) && self.equal(Value(pair[1]), Value(other[1]))
                        })
                    })
            }
            _ => false,
        }
    }

    pub(super) fn new_list(&mut self, members: Vec<u64>) -> Run<Value> {
        self.spend(members.len() as u64)?;
        let offset = self.mem.alloc(members.into_iter().map(Value));
        self.check_memory()?;
        Ok(Value::list(offset))
    }

    /// The members of two values as one list. Lists never change: with nothing to add, one stands for both.
    pub(crate) fn join(&mut self, program: &Program, one: Value, other: Value) -> Run<Value> {
        let (one, other) = (self.members_of(program, one)?, self.members_of(program, other)?);
        let (before, behind) = (self.mem.members(one), self.mem.members(other));
        if behind.is_empty() || before.is_empty() {
            let n = (before.len() + behind.len()) as u64;
            let list = Value::list(if behind.is_empty() { one } else { other });
            return self.spend(n).map(|()| list);
        }
        let members = before.iter().chain(behind).copied().collect();
        self.new_list(members)
    }

    /// The members a value stands for, as a list in the heap: a list, a model's things, a dictionary's keys, nothing for nil.
    pub(super) fn members_of(&mut self, program: &Program, value: Value) -> Run<u32> {
        match value.kinded() {
            Kinded::List(list) => {
                // Whatever asks for the members goes through them.
                self.spend(self.mem.members(list).len() as u64 / 16)?;
                Ok(list)
            }
            Kinded::Nil => Ok(self.mem.alloc([])),
            Kinded::Kind(kind) => {
                let list = self.list_things(program, kind).0 as u32;
                self.spend(self.mem.members(list).len() as u64)?;
                self.check_memory()?;
                Ok(list)
            }
            Kinded::Dictionary(dictionary) => {
                let keys: Vec<Value> =
                    self.mem.members(dictionary).iter().step_by(2).map(|&word| Value(word)).collect();
                Ok(self.mem.alloc(keys))
            }
            _ => Err(Stop::fault(format!("A list is needed here, not {}.", self.quoted(program, value)))),
        }
    }

    pub(crate) fn position(&self, program: &Program, value: Value) -> Run<Option<usize>> {
        match value.as_whole() {
            Some(at) => Ok(usize::try_from(at).ok()),
            None => Err(Stop::fault(format!("A position is a whole number, not {}.", self.quoted(program, value)))),
        }
    }

    pub(crate) fn different(&mut self, program: &Program, list: Value) -> Run<Value> {
        let list = self.members_of(program, list)?;
        let first = self.mem.begin();
        for at in 0..self.mem.members(list).len() {
            let word = self.mem.members(list)[at];
            self.spend((self.mem.heap.len() - first as usize) as u64 / 16)?;
            let known = &self.mem.heap[first as usize + 1..];
            if !known.iter().any(|&known| self.equal(Value(known), Value(word))) {
                self.mem.heap.push(word);
            }
        }
        self.spend((self.mem.heap.len() - first as usize - 1) as u64)?;
        self.check_memory()?;
        Ok(self.mem.end(first))
    }

    pub(super) fn first_n(&mut self, program: &Program, n: Value, list: Value) -> Run<Value> {
        let list = self.members_of(program, list)?;
        let n = self.position(program, n)?.unwrap_or(0);
        let members: Vec<u64> = self.mem.members(list).iter().take(n).copied().collect();
        self.new_list(members)
    }

    pub(super) fn range(&mut self, program: &Program, from: Value, to: Value, step: Value) -> Run<Value> {
        let (from, to) = (self.number(program, from, "`range`")?, self.number(program, to, "`range`")?);
        let step = self.number(program, step, "`range`")?;
        if step == 0.0 {
            return Err(Stop::fault("A range with step 0 has no end."));
        }
        let n = ((to - from) / step).floor();
        let n = if n < 0.0 { 0 } else { n as u64 + 1 };
        self.spend(n)?;
        if n > u64::from(program.budget.words) {
            return Err(Stop::fault("This range is too long."));
        }
        let members =
            (0..n).map(|at| number_value(from + at as f64 * step).map(|value| value.0)).collect::<Run<Vec<u64>>>()?;
        self.new_list(members)
    }

    pub(super) fn is_in(&mut self, program: &Program, value: Value, list: Value) -> Run<bool> {
        if let (Kinded::Kind(kind), Some(entity)) = (list.kinded(), value.as_entity()) {
            return Ok(
                program.is_a[self.kind_of(program, entity) as usize][kind as usize] && !self.is_gone(program, entity)
            );
        }
        let heap = self.mem.heap.len();
        let list = self.members_of(program, list)?;
        self.spend(self.mem.members(list).len() as u64)?;
        let found = self.mem.members(list).iter().any(|&word| self.equal(Value(word), value));
        self.mem.heap.truncate(heap);
        Ok(found)
    }

    pub(crate) fn is_a(&self, program: &Program, value: Value, kind: Value) -> Run<bool> {
        let Kinded::Kind(kind) = kind.kinded() else {
            return Err(Stop::fault(format!("`is a` needs a model, not {}.", self.quoted(program, kind))));
        };
        Ok(match value.kinded() {
            Kinded::Entity(entity) => program.is_a[self.kind_of(program, entity) as usize][kind as usize],
            Kinded::Kind(other) => program.is_a[other as usize][kind as usize],
            _ => false,
        })
    }

    pub(super) fn dictionary(&mut self, program: &Program, from: usize, n: usize) -> Run<Value> {
        let mut pairs: Vec<u64> = Vec::new();
        for at in 0..n {
            let (key, value) = (self.regs[from + 2 * at], self.regs[from + 2 * at + 1]);
            self.put_pair(program, &mut pairs, Value(key), Value(value))?;
        }
        Ok(Value::dictionary(self.mem.alloc(pairs.into_iter().map(Value))))
    }

    fn put_pair(&self, program: &Program, pairs: &mut Vec<u64>, key: Value, value: Value) -> Run<()> {
        if key.is_nil() || key.in_heap() {
            return Err(Stop::fault(format!(
                "A key is a text, a number or an entity, not {}.",
                self.quoted(program, key)
            )));
        }
        match pairs.chunks_mut(2).find(|pair| pair[0] == key.0) {
            Some(pair) => pair[1] = value.0,
            None => {
                let after = |pair: &&[u64]| self.key_order(program, Value(pair[0]), key) == Ordering::Greater;
                let at = 2 * pairs.chunks(2).take_while(|pair| !after(pair)).count();
                pairs.splice(at..at, [key.0, value.0]);
            }
        }
        Ok(())
    }

    /// A dictionary of what each player answered.
    pub(super) fn by_player(&mut self, mut answers: Vec<(EntityId, Value)>) -> Value {
        answers.sort_by_key(|(player, _)| *player);
        let pairs: Vec<Value> =
            answers.into_iter().flat_map(|(player, value)| [Value::entity(player), value]).collect();
        Value::dictionary(self.mem.alloc(pairs))
    }

    /// Keys stand in one order, however they were put in: equal dictionaries are gone through equally.
    fn key_order(&self, program: &Program, a: Value, b: Value) -> Ordering {
        let rank = |key: Value| match key.kinded() {
            Kinded::Whole(_) | Kinded::Decimal(_) => 1,
            Kinded::Text(_) => 2,
            Kinded::Entity(_) => 3,
            Kinded::Kind(_) => 4,
            Kinded::Direction(_) => 5,
            _ => 0,
        };
        match (a.kinded(), b.kinded()) {
            (Kinded::Text(a), Kinded::Text(b)) => program.texts.get(a).cmp(program.texts.get(b)),
            _ => match (a.as_f64(), b.as_f64()) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                _ => rank(a).cmp(&rank(b)).then(a.0.cmp(&b.0)),
            },
        }
    }

    fn pairs_of(&self, program: &Program, value: Value, what: &str) -> Run<&[u64]> {
        match value.kinded() {
            Kinded::Dictionary(offset) => Ok(self.mem.members(offset)),
            Kinded::Nil => Ok(&[]),
            _ => Err(Stop::fault(format!("{what} needs a dictionary, not {}.", self.quoted(program, value)))),
        }
    }

    pub(crate) fn match_key(&self, program: &Program, key: Value, dictionary: Value) -> Run<Value> {
        let pairs = self.pairs_of(program, dictionary, "`match`")?;
        Ok(pairs.chunks(2).find(|pair| pair[0] == key.0).map_or(Value::NIL, |pair| Value(pair[1])))
    }

    pub(crate) fn put_key(&mut self, program: &Program, value: Value, key: Value, dictionary: Value) -> Run<Value> {
        let pairs = self.pairs_of(program, dictionary, "`put`")?;
        let (n, known) = (pairs.len(), pairs.chunks(2).position(|pair| pair[0] == key.0));
        self.spend(n as u64)?;
        // Mostly a count goes up: the other pairs stay, and nothing has to be put in order.
        if let (Some(at), Kinded::Dictionary(offset)) = (known, dictionary.kinded()) {
            self.check_memory()?;
            let copy = self.mem.copy_of(offset);
            self.mem.heap[copy as usize + 2 + 2 * at] = value.0;
            return Ok(Value::dictionary(copy));
        }
        let mut pairs = self.pairs_of(program, dictionary, "`put`")?.to_vec();
        self.put_pair(program, &mut pairs, key, value)?;
        self.check_memory()?;
        Ok(Value::dictionary(self.mem.alloc(pairs.into_iter().map(Value))))
    }

    pub(super) fn remove_from(&mut self, program: &Program, at: Value, from: Value) -> Run<Value> {
        if let Kinded::Dictionary(offset) = from.kinded() {
            let pairs: Vec<Value> = self
                .mem
                .members(offset)
                .chunks(2)
                .filter(|pair| pair[0] != at.0)
                .flatten()
                .map(|&word| Value(word))
                .collect();
            return Ok(Value::dictionary(self.mem.alloc(pairs)));
        }
        let list = self.members_of(program, from)?;
        let mut members = self.mem.members(list).to_vec();
        // `(remove (position of x in l) from l)` where x is not in the list takes nothing away.
        if at.is_nil() {
            return Ok(from);
        }
        match self.position(program, at)?.filter(|&at| at < members.len()) {
            Some(at) => drop(members.remove(at)),
            None => return Err(Stop::fault("`remove` beyond the end of the list.")),
        }
        self.new_list(members)
    }

    pub(super) fn text(&self, program: &Program, value: Value) -> Run<u32> {
        match value.kinded() {
            Kinded::Text(text) => Ok(text),
            Kinded::Direction(direction) => {
                let name = &program.world.directions.names[direction as usize];
                program.texts.find(name).ok_or_else(|| Stop::fault(format!("Nothing is called “{name}”.")))
            }
            _ => Err(Stop::fault(format!("A name is a text, not {}.", self.quoted(program, value)))),
        }
    }
}
