//! Questions to seats and to chance: what is asked, and what an answer does.

use super::*;
use crate::limits::{MOST_OUTCOMES, MOST_ROLLS};
use houserules_kernel::Choice;

/// What the running behavior waits for.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    Chance(Chance),
    Ask(Asking),
    Let(Letting),
}

impl Question {
    /// The values it holds.
    pub(crate) fn values<'a>(&'a mut self, values: &mut Vec<&'a mut [u64]>) {
        use std::slice::from_mut;
        match self {
            Question::Chance(chance) => {
                values.extend(chance.list.as_mut().map(|list| from_mut(&mut list.0)));
                match &mut chance.then {
                    Then::Give => {}
                    Then::Collect { rolled, .. } => values.push(rolled),
                    Then::Shuffle { members, .. } => values.push(members),
                }
            }
            Question::Ask(asking) => values.extend([from_mut(&mut asking.text.0), from_mut(&mut asking.list.0)]),
            // Choices are numbers: what lies in the heap is told in them by its position.
            Question::Let(_) => {}
        }
    }
}

/// One draw of Nature: so many equally likely outcomes.
#[derive(Clone, PartialEq, Debug)]
pub struct Chance {
    pub n: u32,
    /// What the outcomes are, where they are a list; otherwise numbers from `first` on.
    pub list: Option<Value>,
    pub first: i64,
    then: Then,
    dst: u32,
}

impl Chance {
    /// Whether it is one exchange of two in a shuffle.
    pub fn shuffles(&self) -> bool {
        matches!(self.then, Then::Shuffle { .. })
    }
}

/// What happens with a draw.
#[derive(Clone, PartialEq, Debug)]
enum Then {
    Give,
    /// So many more rolls, and those there are.
    Collect {
        left: u32,
        rolled: Vec<u64>,
    },
    /// Fisher and Yates from the end: these members, the place they go back to.
    Shuffle {
        members: Vec<u64>,
        last: usize,
        place: Option<EntityId>,
    },
}

/// A question to one or more seats.
#[derive(Clone, PartialEq, Debug)]
pub struct Asking {
    pub text: Value,
    pub mode: AskMode,
    pub n: u32,
    pub list: Value,
    /// Who is asked, and the positions each has picked so far.
    pub seats: Vec<(EntityId, Vec<u32>, bool)>,
    /// A list of players was asked: the answer is a dictionary.
    several: bool,
    dst: u32,
}

/// Actions that players are asked to make.
#[derive(Clone, PartialEq, Debug)]
pub struct Letting {
    pub labels: Vec<LabelId>,
    pub seats: Vec<(EntityId, Option<Vec<u64>>)>,
    dst: u32,
    dst_reg: Reg,
}

/// The choice that ends "any number of these".
pub const DONE: u64 = u64::MAX;

impl Machine {
    /// Whether an instruction asks anything, where a choice is only tried. If not, it has its value: a question among
    /// nothing is none, and whatever comes after it may still refuse.
    pub(crate) fn would_ask(&mut self, program: &Program, base: usize, op: Op) -> Run<bool> {
        if u64::from(self.nested) >= self.deepest {
            return Err(self.too_deep());
        }
        let open = self.question.take();
        let asked = self.ask(program, base, op);
        self.question = open;
        asked
    }

    /// Opens the question of an instruction; false if there is nothing to ask.
    pub(super) fn ask(&mut self, program: &Program, base: usize, op: Op) -> Run<bool> {
        let value = |machine: &Machine, reg: Reg| Value(machine.regs[base + reg as usize]);
        match op {
            Op::Roll { dst, sides, times, given } => {
                let sides = self.position(program, value(self, sides))?.unwrap_or(0);
                if sides == 0 {
                    return Err(Stop::fault("A die has at least one side."));
                }
                if sides > MOST_OUTCOMES {
                    return Err(Stop::fault(format!("A die has at most {MOST_OUTCOMES} sides.")));
                }
                let times = if given { self.position(program, value(self, times))?.unwrap_or(0) } else { 1 };
                if times == 0 {
                    return self.give(base, dst, Value::list(messages::EMPTY));
                }
                if times > MOST_ROLLS {
                    return Err(Stop::fault(format!("At most {MOST_ROLLS} dice are rolled at once.")));
                }
                let times = times as u32;
                let then = if given { Then::Collect { left: times - 1, rolled: Vec::new() } } else { Then::Give };
                self.question = Some(Question::Chance(Chance {
                    n: sides as u32,
                    list: None,
                    first: 1,
                    then,
                    dst: base as u32 + u32::from(dst),
                }));
            }
            Op::Random { dst, from, to } => {
                let (from, to) = (value(self, from).as_whole(), value(self, to).as_whole());
                let (Some(from), Some(to)) = (from, to) else {
                    return Err(Stop::fault("`random` needs two whole numbers."));
                };
                if to < from {
                    return Err(Stop::fault("`random` needs a first number that is not above the second."));
                }
                if to - from >= MOST_OUTCOMES as i64 {
                    return Err(Stop::fault(format!("Chance picks among at most {MOST_OUTCOMES} numbers.")));
                }
                let n = (to - from + 1) as u32;
                self.question = Some(Question::Chance(Chance {
                    n,
                    list: None,
                    first: from,
                    then: Then::Give,
                    dst: base as u32 + u32::from(dst),
                }));
            }
            Op::RandomOf { dst, list } => {
                let list = self.members_of(program, value(self, list))?;
                let n = self.mem.members(list).len() as u32;
                if n == 0 {
                    return self.give(base, dst, Value::NIL);
                }
                self.question = Some(Question::Chance(Chance {
                    n,
                    list: Some(Value::list(list)),
                    first: 0,
                    then: Then::Give,
                    dst: base as u32 + u32::from(dst),
                }));
            }
            Op::Shuffle { dst, what } => {
                let what = value(self, what);
                let (members, place) = match what.kinded() {
                    Kinded::Entity(place) => (
                        self.contents(program, place).into_iter().map(|thing| Value::entity(thing).0).collect(),
                        Some(place),
                    ),
                    _ => {
                        let list = self.members_of(program, what)?;
                        (self.mem.members(list).to_vec(), None)
                    }
                };
                let last = members.len().saturating_sub(1);
                if last == 0 {
                    return self.give(base, dst, what);
                }
                self.question = Some(Question::Chance(Chance {
                    n: last as u32 + 1,
                    list: None,
                    first: 0,
                    then: Then::Shuffle { members, last, place },
                    dst: base as u32 + u32::from(dst),
                }));
            }
            Op::Ask { dst, ask } => return self.ask_seats(program, base, dst, &program.pools.asks[ask as usize]),
            Op::Let { dst, player, labels } => {
                let labels = program.pools.lets[labels as usize].clone();
                let mut seats = Vec::new();
                for player in self.players_of(program, value(self, player))? {
                    if self.has_choice(program, player, Some(&labels))? {
                        seats.push((player, None));
                    }
                }
                if seats.is_empty() {
                    return self.give(base, dst, Value::NIL);
                }
                self.question =
                    Some(Question::Let(Letting { labels, seats, dst: base as u32 + u32::from(dst), dst_reg: dst }));
            }
            Op::Wait { dst, signal } => {
                let mut tags: Vec<Value> = Vec::new();
                for emitters in &program.pools.waits[signal as usize] {
                    for thing in self.things(program, emitters.kind) {
                        for &tag in &emitters.tags {
                            let tag = match tag {
                                Some(tag) => self.call(program, tag, &[Value::entity(thing)])?,
                                None => Value::TRUE,
                            };
                            if !tags.iter().any(|&known| self.equal(known, tag)) {
                                tags.push(tag);
                            }
                        }
                    }
                }
                // What nobody emits nobody can wait for.
                if tags.is_empty() {
                    return self.give(base, dst, Value::NIL);
                }
                let list = self.mem.alloc(tags);
                let player = self.player().as_entity().expect("somebody is always to move");
                self.question = Some(Question::Ask(Asking {
                    text: Value::NIL,
                    mode: AskMode::One,
                    n: 1,
                    list: Value::list(list),
                    seats: vec![(player, Vec::new(), false)],
                    several: false,
                    dst: base as u32 + u32::from(dst),
                }));
            }
            other => unreachable!("{other:?} asks nothing"),
        }
        Ok(true)
    }

    /// Draws one of the answers that a player could give, where random play has lent its generator.
    pub(crate) fn draw_answer(&mut self, program: &Program, who: Value, among: Value) -> Option<Value> {
        let player = who.as_entity().filter(|&player| program.world.entity_seat(player).is_some())?;
        let list = among.as_list()?;
        let n = self.mem.members(list).len();
        // Nothing to choose from: nothing is asked.
        if n == 0 && self.draws_lots() {
            return Some(Value::NIL);
        }
        let drawn = self.draw_lot(n)?;
        self.answered |= Value::entity(player) != self.mem.get(layout::ACTOR);
        Some(Value(self.mem.members(list)[drawn]))
    }

    /// Dice thrown by random play; none where the interpreter has to ask, or to say what is wrong.
    pub(crate) fn draw_roll(&mut self, sides: Value, times: Option<Value>) -> Option<Value> {
        let sides = usize::try_from(sides.as_whole()?).ok().filter(|sides| (1..=MOST_OUTCOMES).contains(sides))?;
        let face = |drawn: usize| Value::small(drawn as u32 + 1);
        let Some(times) = times else { return self.draw_chance(sides).map(face) };
        let times = usize::try_from(times.as_whole()?).ok().filter(|times| (1..=64).contains(times))?;
        let list = self.mem.begin();
        for _ in 0..times {
            let rolled = face(self.draw_chance(sides)?);
            self.mem.heap.push(rolled.0);
        }
        self.steps = self.steps.checked_sub(times as u64)?;
        Some(self.mem.end(list))
    }

    /// A number drawn by random play, as `draw_roll`.
    pub(crate) fn draw_between(&mut self, from: Value, to: Value) -> Option<Value> {
        let (from, to) = (from.as_whole()?, to.as_whole()?);
        let n = usize::try_from(to.checked_sub(from)?).ok().filter(|&n| n < MOST_OUTCOMES)? + 1;
        let drawn = self.draw_chance(n)?;
        Value::whole(from + drawn as i64)
    }

    /// A member drawn by random play, as `draw_roll`.
    pub(crate) fn draw_member(&mut self, list: Value) -> Option<Value> {
        let list = list.as_list()?;
        let n = self.mem.members(list).len();
        if n == 0 && self.draws_lots() {
            return Some(Value::NIL);
        }
        let drawn = self.draw_chance(n)?;
        Some(Value(self.mem.members(list)[drawn]))
    }

    /// Whether random play has lent its generator, and something may be asked here.
    fn draws_lots(&self) -> bool {
        self.lots.is_some() && !self.is_over() && !self.testing && self.nested == 0
    }

    fn draw_chance(&mut self, n: usize) -> Option<usize> {
        let drawn = self.draw_lot(n)?;
        self.answered = true;
        Some(drawn)
    }

    fn draw_lot(&mut self, n: usize) -> Option<usize> {
        if n == 0 || !self.draws_lots() {
            return None;
        }
        let drawn = self.lots.as_mut()?.below(n as u64) as usize;
        self.drew_lots = true;
        // Every decision has a budget of its own.
        self.steps = self.allotted;
        self.said.clear();
        Some(drawn)
    }

    fn give(&mut self, base: usize, dst: Reg, value: Value) -> Run<bool> {
        self.regs[base + dst as usize] = value.0;
        Ok(false)
    }

    fn players_of(&mut self, program: &Program, value: Value) -> Run<Vec<EntityId>> {
        let values: Vec<Value> = match value.kinded() {
            Kinded::List(list) => self.mem.members(list).iter().map(|&word| Value(word)).collect(),
            _ => vec![value],
        };
        let mut players = Vec::new();
        for value in values {
            // Nobody is not asked, and nobody is asked twice.
            let Some(seat) = self.player_seat(program, value, "A question")? else { continue };
            let player = program.world.seat_entity(seat);
            if !players.contains(&player) {
                players.push(player);
            }
        }
        Ok(players)
    }

    fn ask_seats(&mut self, program: &Program, base: usize, dst: Reg, ask: &Ask) -> Run<bool> {
        let who = Value(self.regs[base + ask.who as usize]);
        let several = who.as_list().is_some();
        let players = self.players_of(program, who)?;
        let list = Value(self.regs[base + ask.among as usize]);
        let n_options = self.mem.members(list.0 as u32).len() as u32;
        let n = match ask.n {
            Some(reg) => self.position(program, Value(self.regs[base + reg as usize]))?.unwrap_or(0) as u32,
            None => 1,
        };
        // Fewer things than wanted: all of them are taken. Nothing to choose from: nothing is asked.
        let n = if ask.mode == AskMode::Of { n.min(n_options) } else { n };
        let empty = n_options == 0 || n == 0;
        if empty || players.is_empty() {
            let nothing = if ask.mode == AskMode::One { Value::NIL } else { Value::list(messages::EMPTY) };
            let value = if several {
                self.by_player(players.iter().map(|&player| (player, nothing)).collect())
            } else {
                nothing
            };
            return self.give(base, dst, value);
        }
        self.question = Some(Question::Ask(Asking {
            text: Value(self.regs[base + ask.text as usize]),
            mode: ask.mode,
            n,
            list,
            seats: players.into_iter().map(|player| (player, Vec::new(), false)).collect(),
            several,
            dst: base as u32 + u32::from(dst),
        }));
        Ok(true)
    }

    /// The positions a seat may pick now.
    pub fn picks(&self, asking: &Asking, player: EntityId) -> Vec<u64> {
        let Some((_, picked, done)) = asking.seats.iter().find(|(asked, ..)| *asked == player) else {
            return Vec::new();
        };
        if *done {
            return Vec::new();
        }
        let n_options = self.mem.members(asking.list.0 as u32).len() as u32;
        let after = picked.last().map_or(0, |&last| last + 1);
        match asking.mode {
            AskMode::One | AskMode::Times => (0..u64::from(n_options)).collect(),
            AskMode::Of => {
                let left = asking.n - picked.len() as u32;
                (u64::from(after)..=u64::from(n_options - left)).collect()
            }
            AskMode::Some => (u64::from(after)..u64::from(n_options)).chain([DONE]).collect(),
        }
    }

    /// How often a pick is drawn by lot, in proportion to the other picks.
    pub fn lot(&self, asking: &Asking, player: EntityId, pick: u64) -> u32 {
        let Some((_, picked, _)) = asking.seats.iter().find(|(asked, ..)| *asked == player) else { return 1 };
        match asking.mode {
            AskMode::Of => {
                let n = self.mem.members(asking.list.0 as u32).len() as u64;
                let first = picked.last().map_or(0, |&last| u64::from(last) + 1);
                crate::lots::of_pick(n, first, u64::from(asking.n) - picked.len() as u64, pick)
            }
            _ => 1,
        }
    }

    /// Takes Nature's answer. True when the behavior can go on.
    pub fn answer_chance(&mut self, program: &Program, drawn: u32) -> Run<bool> {
        let Some(Question::Chance(chance)) = &mut self.question else { unreachable!("asked while a draw is open") };
        self.answered = true;
        let (dst, first) = (chance.dst as usize, chance.first);
        let value = match chance.list {
            Some(list) => Value(self.mem.members(list.0 as u32)[drawn as usize]),
            None => Value::whole(first + i64::from(drawn)).expect("a die is small"),
        };
        let value = match &mut chance.then {
            Then::Give => value,
            Then::Collect { left, rolled } => {
                rolled.push(value.0);
                if *left > 0 {
                    *left -= 1;
                    return Ok(false);
                }
                let rolled = std::mem::take(rolled);
                self.new_list(rolled)?
            }
            Then::Shuffle { members, last, place } => {
                members.swap(*last, drawn as usize);
                *last -= 1;
                if *last > 0 {
                    chance.n = *last as u32 + 1;
                    return Ok(false);
                }
                let (members, place) = (std::mem::take(members), *place);
                match place {
                    None => self.new_list(members)?,
                    Some(place) => {
                        self.restack(program, place, &members);
                        Value::entity(place)
                    }
                }
            }
        };
        self.regs[dst] = value.0;
        self.question = None;
        Ok(true)
    }

    /// Lays the contents of a place in another order.
    fn restack(&mut self, program: &Program, place: EntityId, members: &[u64]) {
        let mut under = Value::NIL;
        for &word in members {
            let thing = Value(word).as_entity().expect("contents are things");
            self.mem.set(program.layout.slot(layout::UNDER, thing).expect("it lies here"), under);
            under = Value(word);
        }
        self.mem.set(program.layout.slot(layout::TOP, place).expect("a place"), under);
    }

    /// Takes a seat's answer to `ask`. True when all have answered.
    pub fn answer_ask(&mut self, player: EntityId, pick: u64) -> Run<bool> {
        let Some(Question::Ask(asking)) = &mut self.question else { unreachable!("asked while a question is open") };
        let (mode, n) = (asking.mode, asking.n);
        let seat = asking.seats.iter_mut().find(|(asked, ..)| *asked == player).expect("only those asked answer");
        if pick == DONE {
            seat.2 = true;
        } else {
            seat.1.push(pick as u32);
            let n_options = self.mem.members(asking.list.0 as u32).len() as u32;
            seat.2 = match mode {
                AskMode::One => true,
                AskMode::Times | AskMode::Of => seat.1.len() as u32 >= n,
                AskMode::Some => pick as u32 + 1 == n_options,
            };
        }
        if asking.seats.iter().any(|(_, _, done)| !done) {
            return Ok(false);
        }
        let Some(Question::Ask(asking)) = self.question.take() else { unreachable!("still open") };
        let actor = self.mem.get(layout::ACTOR);
        self.answered |= asking.seats.iter().any(|(player, ..)| Value::entity(*player) != actor);
        let mut answers = Vec::new();
        for (player, picked, _) in &asking.seats {
            let values: Vec<u64> =
                picked.iter().map(|&at| self.mem.members(asking.list.0 as u32)[at as usize]).collect();
            let value = if asking.mode == AskMode::One { Value(values[0]) } else { self.new_list(values)? };
            answers.push((*player, value));
        }
        let value = if asking.several { self.by_player(answers) } else { answers[0].1 };
        self.regs[asking.dst as usize] = value.0;
        Ok(true)
    }

    /// Takes a seat's choice of an action to make. True when all have chosen and the first was begun.
    pub fn answer_let(&mut self, program: &Program, player: EntityId, choice: &Choice) -> Run<bool> {
        let Some(Question::Let(letting)) = &mut self.question else { unreachable!("asked while actions are open") };
        let seat = letting.seats.iter_mut().find(|(asked, _)| *asked == player).expect("only those asked answer");
        seat.1 = Some(choice.0.to_vec());
        if letting.seats.iter().any(|(_, chosen)| chosen.is_none()) {
            return Ok(false);
        }
        let Some(Question::Let(letting)) = self.question.take() else { unreachable!("still open") };
        self.regs[letting.dst as usize] = Value::NIL.0;
        self.letting = letting
            .seats
            .into_iter()
            .rev()
            .map(|(player, chosen)| (player, chosen.expect("all have chosen")))
            .collect();
        self.next_let(program, letting.dst_reg)?;
        Ok(true)
    }

    /// Begins the next action of a `let`. One that has become illegal meanwhile is dropped.
    pub(super) fn next_let(&mut self, program: &Program, dst: Reg) -> Run<bool> {
        while let Some((player, chosen)) = self.letting.pop() {
            let choice = Choice::of(&chosen);
            let before = self.mem.get(layout::ACTOR);
            if self.legal(program, player, &choice, &[])?.is_err() {
                continue;
            }
            self.mem.set(layout::ACTOR, Value::entity(player));
            self.push_action(program, &choice, dst)?;
            let top = self.frames.last_mut().expect("just pushed");
            top.let_for = Some(before);
            return Ok(true);
        }
        Ok(false)
    }
}
