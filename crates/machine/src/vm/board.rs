//! Looking along the board: walks, lines, groups, borders, distances.

use super::*;
use crate::world::DirId;
use smallvec::{SmallVec, smallvec};

/// The directions of a form: rarely more than eight.
pub(crate) type DirList = SmallVec<[DirId; 8]>;

/// A condition on a place that needs no code, made ready for many places.
#[derive(Clone, Copy)]
struct Probe {
    first: EntityId,
    n: u32,
    base: u32,
    wanted: Value,
    /// What a place gets whose property is what is wanted, and one whose property is not.
    same: bool,
    always: bool,
}

impl Probe {
    #[inline]
    fn passes(&self, machine: &Machine, place: EntityId) -> bool {
        if self.always {
            return true;
        }
        let behind = place.wrapping_sub(self.first);
        let value = if behind < self.n { machine.mem.get(self.base + behind) } else { Value::NIL };
        machine.equal(value, self.wanted) == self.same
    }
}

impl Machine {
    /// The board a place belongs to.
    pub(super) fn board_of(&self, program: &Program, place: EntityId) -> Option<usize> {
        program.world.entities.get(place as usize)?.board.map(usize::from)
    }

    /// The directions an answer stands for at a place. `asker` decides which way is forward: its owner faces
    /// somewhere, or else the player does.
    pub(super) fn ways_of(&self, program: &Program, place: EntityId, answer: Answer, asker: Value) -> DirList {
        let Some(board) = self.board_of(program, place) else { return DirList::new() };
        match answer {
            Answer::Direction(direction) => smallvec![direction],
            Answer::Set(set) => SmallVec::from_slice(&program.sets[set as usize][board]),
            Answer::Relative(turn) => self.turned(program, board, asker, &[turn as usize]),
            Answer::RelativeSet(set) => self.turned(program, board, asker, &program.relative_sets[set as usize]),
            Answer::Property(_) | Answer::Define(_) | Answer::Field(_) => DirList::new(),
        }
    }

    /// All directions of the board that a place is on.
    pub(super) fn ways_around(&self, program: &Program, place: EntityId) -> DirList {
        let board = self.board_of(program, place);
        board.map_or(DirList::new(), |board| SmallVec::from_slice(program.world.directions.set("adjacent", board)))
    }

    fn turned(&self, program: &Program, board: usize, asker: Value, turns: &[usize]) -> DirList {
        let owner = asker.as_entity().map_or(Value::NIL, |asker| self.prop(program, layout::OWNER, asker));
        let facing = if owner.is_nil() { self.player() } else { owner };
        let seat = facing.as_entity().and_then(|player| program.world.entity_seat(player)).unwrap_or(0);
        let info = &program.world.boards[board];
        turns.iter().filter_map(|&turn| program.world.directions.turned(info, board, seat as usize, turn)).collect()
    }

    /// The directions of a form at a place.
    pub(super) fn ways(&mut self, program: &Program, here: Here, ways: &Ways, place: EntityId) -> Run<DirList> {
        let asker = Value(self.regs[here.base]);
        let value = match ways {
            Ways::Value(reg) => Value(self.regs[here.base + *reg as usize]),
            _ => Value::NIL,
        };
        self.ways_for(program, ways, Value::entity(place), asker, value)
    }

    /// The directions of a walk from a place, as native code asks for them.
    pub(crate) fn ways_for(
        &mut self,
        program: &Program,
        ways: &Ways,
        from: Value,
        asker: Value,
        value: Value,
    ) -> Run<DirList> {
        let Some(place) = from.as_entity() else { return Ok(DirList::new()) };
        Ok(match ways {
            Ways::Direction(direction) => smallvec![*direction],
            Ways::Set(set) => self.ways_of(program, place, Answer::Set(*set), asker),
            Ways::Relative(turn) => self.ways_of(program, place, Answer::Relative(*turn), asker),
            Ways::RelativeSet(set) => self.ways_of(program, place, Answer::RelativeSet(*set), asker),
            Ways::Value(_) => self.ways_value(program, value)?,
        })
    }

    pub(super) fn ways_value(&mut self, program: &Program, value: Value) -> Run<DirList> {
        match value.kinded() {
            Kinded::Nil => Ok(DirList::new()),
            Kinded::Direction(direction) => Ok(smallvec![direction]),
            Kinded::Text(text) => match program.world.directions.find(program.texts.get(text)) {
                Some(direction) => Ok(smallvec![direction]),
                None => Err(Stop::fault(format!("There is no direction “{}”.", program.texts.get(text)))),
            },
            Kinded::List(list) => {
                let mut ways = DirList::new();
                for at in 0..self.mem.members(list).len() {
                    let word = self.mem.members(list)[at];
                    ways.extend(self.ways_value(program, Value(word))?);
                }
                Ok(ways)
            }
            _ => Err(Stop::fault(format!("A direction is needed, not {}.", self.quoted(program, value)))),
        }
    }

    pub(super) fn step_value(&mut self, program: &Program, direction: Value, from: Value) -> Run<Value> {
        let Some(from) = self.entity(program, from, "`step`")? else { return Ok(Value::NIL) };
        let ways = self.ways_value(program, direction)?;
        Ok(ways.first().map_or(Value::NIL, |&way| Value::maybe(program.ahead.step(way, from))))
    }

    pub(super) fn direction_list(&mut self, program: &Program, asker: Value, ways: &[Ways]) -> Run<Value> {
        let mut list: Vec<Value> = Vec::new();
        for way in ways {
            match way {
                Ways::Direction(direction) => list.push(Value::direction(*direction)),
                Ways::Set(set) => {
                    let directions = program.sets[*set as usize].first().cloned().unwrap_or_default();
                    list.extend(directions.into_iter().map(Value::direction));
                }
                Ways::Relative(turn) if !program.world.boards.is_empty() => {
                    list.extend(self.turned(program, 0, asker, &[*turn as usize]).into_iter().map(Value::direction));
                }
                Ways::RelativeSet(set) if !program.world.boards.is_empty() => {
                    let turns = &program.relative_sets[*set as usize];
                    list.extend(self.turned(program, 0, asker, turns).into_iter().map(Value::direction));
                }
                Ways::Relative(_) | Ways::RelativeSet(_) | Ways::Value(_) => {}
            }
        }
        Ok(Value::list(self.mem.alloc(list)))
    }

    /// Whether a thing passes a test.
    #[inline]
    pub(super) fn passes(&mut self, program: &Program, here: Here, test: Test, thing: Value) -> Run<bool> {
        let Some(entity) = thing.as_entity() else {
            return match test {
                Test::Always => Ok(true),
                Test::Code(block) => self.passes_code(program, here, block, thing),
                _ => Ok(false),
            };
        };
        Ok(match test {
            Test::Always => true,
            Test::Some(prop) => !self.prop(program, prop, entity).is_nil(),
            Test::Nil(prop) => self.prop(program, prop, entity).is_nil(),
            Test::Equal(prop, reg) => {
                let wanted = Value(self.regs[here.base + reg as usize]);
                self.equal(self.prop(program, prop, entity), wanted)
            }
            Test::Unequal(prop, reg) => {
                let unwanted = Value(self.regs[here.base + reg as usize]);
                !self.equal(self.prop(program, prop, entity), unwanted)
            }
            Test::Empty => self.prop(program, layout::TOP, entity).is_nil(),
            Test::Occupied => !self.prop(program, layout::TOP, entity).is_nil(),
            Test::Code(block) => return self.passes_code(program, here, block, thing),
        })
    }

    fn passes_code(&mut self, program: &Program, here: Here, block: Block, thing: Value) -> Run<bool> {
        self.regs[here.base + block.it as usize] = thing.0;
        Ok(!self.block(program, here, block.start)?.is_nil())
    }

    /// A condition made ready, if it needs no code.
    fn probe(&self, program: &Program, here: Here, test: Test) -> Option<Probe> {
        let (prop, wanted, same) = match test {
            Test::Code(_) => return None,
            Test::Always => (layout::TOP, Value::NIL, true),
            Test::Some(prop) => (prop, Value::NIL, false),
            Test::Nil(prop) => (prop, Value::NIL, true),
            Test::Equal(prop, reg) => (prop, Value(self.regs[here.base + reg as usize]), true),
            Test::Unequal(prop, reg) => (prop, Value(self.regs[here.base + reg as usize]), false),
            Test::Empty => (layout::TOP, Value::NIL, true),
            Test::Occupied => (layout::TOP, Value::NIL, false),
        };
        let (first, end, base) = program.layout.column(prop);
        Some(Probe { first, n: end - first, base, wanted, same, always: test == Test::Always })
    }

    /// The straight ways from a place in one direction, to the edge or until it is met again; where a graph links several
    /// places, the lines it was linked by.
    pub(super) fn rays(&self, program: &Program, way: DirId, from: EntityId) -> Vec<Vec<EntityId>> {
        let directions = &program.world.directions;
        let Some(board) = self.board_of(program, from).filter(|_| directions.many[way as usize]) else {
            let mut ray = Vec::new();
            let mut place = program.ahead.step(way, from);
            while place != NOBODY && place != from && !ray.contains(&place) {
                ray.push(place);
                place = program.ahead.step(way, place);
            }
            return vec![ray];
        };
        let joined = |pair: &[EntityId]| directions.steps(way, pair[0]).contains(&pair[1]);
        let mut rays = Vec::new();
        for line in &program.world.boards[board].lines {
            let back: Vec<EntityId> = line.iter().rev().copied().collect();
            for line in [line, &back] {
                let Some(at) = line.iter().position(|&place| place == from) else { continue };
                let n = line[at..].windows(2).take_while(|pair| joined(pair)).count();
                if n > 0 {
                    rays.push(line[at + 1..=at + n].to_vec());
                }
            }
        }
        rays
    }

    pub(super) fn walk(&mut self, program: &Program, here: Here, walk: &Walk) -> Run<Value> {
        let from = Value(self.regs[here.base + walk.from as usize]);
        let Some(from) = self.entity(program, from, "`walk`")? else { return Ok(Value::list(messages::EMPTY)) };
        let most = match walk.most {
            Some(reg) => self.position(program, Value(self.regs[here.base + reg as usize]))?.unwrap_or(0),
            None => usize::MAX,
        };
        let ways = self.ways(program, here, &walk.ways, from)?;
        let probes = [Some(walk.while_), walk.until, walk.then].map(|test| match test {
            Some(test) => self.probe(program, here, test).map(Some),
            None => Some(None),
        });
        if let [Some(Some(while_)), Some(until), Some(then)] = probes {
            return self.walk_plainly(program, from, most, &ways, while_, until, then);
        }
        let mut met: Vec<u64> = Vec::new();
        for way in ways {
            let begin = met.len();
            let mut place = program.ahead.step(way, from);
            while place != NOBODY && place != from && met.len() - begin < most {
                self.spend(1)?;
                if !self.passes(program, here, walk.while_, Value::entity(place))? {
                    break;
                }
                met.push(Value::entity(place).0);
                place = program.ahead.step(way, place);
            }
            let stopped = (place != NOBODY && place != from).then_some(place);
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
        self.new_list(met)
    }

    /// A walk whose conditions need no code: the places met go straight into the heap.
    #[expect(clippy::too_many_arguments, reason = "one call site a few lines above")]
    fn walk_plainly(
        &mut self,
        program: &Program,
        from: EntityId,
        most: usize,
        ways: &[DirId],
        while_: Probe,
        until: Option<Probe>,
        then: Option<Probe>,
    ) -> Run<Value> {
        let list = self.mem.begin();
        let mut steps = 0;
        for &way in ways {
            let begin = self.mem.heap.len();
            let mut met = 0;
            let mut place = program.ahead.step(way, from);
            while place != NOBODY && place != from && met < most {
                steps += 1;
                if !while_.passes(self, place) {
                    break;
                }
                self.mem.heap.push(Value::entity(place).0);
                met += 1;
                place = program.ahead.step(way, place);
            }
            let stopped = (place != NOBODY && place != from).then_some(place);
            if let Some(until) = until
                && !stopped.is_some_and(|place| until.passes(self, place))
            {
                self.mem.heap.truncate(begin);
                continue;
            }
            if let (Some(then), Some(place)) = (then, stopped)
                && met < most
                && then.passes(self, place)
            {
                self.mem.heap.push(Value::entity(place).0);
            }
        }
        self.spend(steps)?;
        self.check_memory()?;
        Ok(self.mem.end(list))
    }

    fn measured(&mut self, program: &Program, here: Here, measure: Measure, place: EntityId) -> Run<Value> {
        match measure {
            Measure::Itself => Ok(Value::entity(place)),
            Measure::Property(prop) => Ok(self.prop(program, prop, place)),
            Measure::Code(block) => {
                self.regs[here.base + block.it as usize] = Value::entity(place).0;
                self.block(program, here, block.start)
            }
        }
    }

    pub(super) fn line(&mut self, program: &Program, here: Here, line: &Line) -> Run<Value> {
        let n = self.position(program, Value(self.regs[here.base + line.n as usize]))?.unwrap_or(0);
        let through = Value(self.regs[here.base + line.through as usize]);
        let Some(place) = self.entity(program, through, "`line`")? else { return Ok(Value::NIL) };
        let Some(board) = self.board_of(program, place) else { return Ok(Value::NIL) };
        let value = self.measured(program, here, line.measure, place)?;
        if value.is_nil() {
            return Ok(Value::NIL);
        }
        let info = &program.world.boards[board];
        if info.compass.is_empty() {
            return self.graph_line(program, here, line, place, value, n);
        }
        let along = match &line.along {
            Some(ways) => self.ways(program, here, ways, place)?,
            None => DirList::new(),
        };
        for at in 0..info.compass.len() / 2 {
            let one = info.compass[at];
            let other = program.world.directions.opposite[one as usize].unwrap_or(one);
            if line.along.is_some() && !along.contains(&one) && !along.contains(&other) {
                continue;
            }
            let ahead = self.run_length(program, here, line, place, one, value)?;
            // On a board that wraps around a way may end where it began: behind are those that are ahead.
            let round = program.ahead.step(one, (0..ahead).fold(place, |at, _| program.ahead.step(one, at))) == place;
            let behind = if round { 0 } else { self.run_length(program, here, line, place, other, value)? };
            let length = 1 + ahead + behind;
            if (line.exactly && length == n) || (!line.exactly && length >= n) {
                let list = self.mem.begin();
                self.mem.heap.push(Value::entity(place).0);
                for (way, n) in [(one, ahead), (other, behind)] {
                    let mut next = place;
                    for _ in 0..n {
                        next = program.ahead.step(way, next);
                        self.mem.heap.push(Value::entity(next).0);
                    }
                }
                return Ok(self.mem.end(list));
            }
        }
        Ok(Value::NIL)
    }

    /// How many places with an equal value follow in one direction.
    fn run_length(
        &mut self,
        program: &Program,
        here: Here,
        line: &Line,
        from: EntityId,
        way: DirId,
        value: Value,
    ) -> Run<usize> {
        let mut n = 0;
        let mut place = program.ahead.step(way, from);
        if let Measure::Property(prop) = line.measure {
            let (first, end, base) = program.layout.column(prop);
            let probe = Probe { first, n: end - first, base, wanted: value, same: true, always: false };
            while place != NOBODY && place != from && probe.passes(self, place) {
                n += 1;
                place = program.ahead.step(way, place);
            }
            self.spend(n as u64)?;
            return Ok(n);
        }
        while place != NOBODY && place != from {
            self.spend(1)?;
            let other = self.measured(program, here, line.measure, place)?;
            if !self.equal(other, value) {
                break;
            }
            n += 1;
            place = program.ahead.step(way, place);
        }
        Ok(n)
    }

    /// On a graph the straight lines are the links as written.
    fn graph_line(
        &mut self,
        program: &Program,
        here: Here,
        line: &Line,
        place: EntityId,
        value: Value,
        n: usize,
    ) -> Run<Value> {
        let board = self.board_of(program, place).expect("the place was on a board");
        for link in &program.world.boards[board].lines {
            let fits = if line.exactly { link.len() == n } else { link.len() >= n };
            if !fits || !link.contains(&place) {
                continue;
            }
            let mut same = true;
            for &other in link {
                self.spend(1)?;
                let other = self.measured(program, here, line.measure, other)?;
                same &= self.equal(other, value);
            }
            if same {
                return self.new_list(link.iter().map(|&place| Value::entity(place).0).collect());
            }
        }
        Ok(Value::NIL)
    }

    /// A new stamp for marking places; those marked before no longer count.
    #[inline]
    pub(crate) fn fresh_marks(&mut self, program: &Program) -> u32 {
        if self.scratch.len() != program.world.entities.len() {
            self.scratch.resize(program.world.entities.len(), 0);
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.scratch.fill(0);
            self.stamp = 1;
        }
        self.stamp
    }

    pub(super) fn group(&mut self, program: &Program, here: Here, group: &Group) -> Run<Value> {
        let from = Value(self.regs[here.base + group.from as usize]);
        let Some(from) = self.entity(program, from, "`group`")? else { return Ok(Value::list(messages::EMPTY)) };
        if let (Ways::Set(set), Some(probe)) = (&group.ways, self.probe(program, here, group.while_)) {
            return self.group_plainly(program, from, *set, probe);
        }
        if !self.passes(program, here, group.while_, Value::entity(from))? {
            return Ok(Value::list(messages::EMPTY));
        }
        let ways = self.ways(program, here, &group.ways, from)?;
        // A condition may itself look for groups, so the marks are taken along.
        let mut seen = vec![false; program.world.entities.len()];
        let mut found = vec![from];
        if let Some(seen) = seen.get_mut(from as usize) {
            *seen = true;
        }
        let mut at = 0;
        while at < found.len() {
            let place = found[at];
            at += 1;
            for &way in &ways {
                for &next in program.world.directions.steps(way, place) {
                    self.spend(1)?;
                    let known = std::mem::replace(&mut seen[next as usize], true);
                    if !known && self.passes(program, here, group.while_, Value::entity(next))? {
                        found.push(next);
                    }
                }
            }
        }
        self.new_list(found.into_iter().map(|place| Value::entity(place).0).collect())
    }

    /// A group whose condition needs no code: found in the heap itself.
    fn group_plainly(&mut self, program: &Program, from: EntityId, set: u16, probe: Probe) -> Run<Value> {
        if from as usize >= program.world.entities.len() || !probe.passes(self, from) {
            return Ok(Value::list(messages::EMPTY));
        }
        let stamp = self.fresh_marks(program);
        let list = self.mem.begin();
        self.mem.heap.push(Value::entity(from).0);
        self.scratch[from as usize] = stamp;
        let mut steps = 0;
        let mut at = list as usize + 1;
        // Only equal lists can be the same without being the same word.
        let by_word = !probe.wanted.in_heap() && !probe.always;
        let column = self.mem.slots.get(probe.base as usize..(probe.base + probe.n) as usize);
        if let (true, Some(column)) = (by_word, column) {
            while at < self.mem.heap.len() {
                let place = self.mem.heap[at] as u32;
                at += 1;
                let around = program.ahead.around(set, place);
                steps += around.len() as u64;
                for &next in around {
                    let mark = &mut self.scratch[next as usize];
                    if *mark != stamp {
                        *mark = stamp;
                        let word = column.get(next.wrapping_sub(probe.first) as usize).copied().unwrap_or(0);
                        if (word == probe.wanted.0) == probe.same {
                            self.mem.heap.push(Value::entity(next).0);
                        }
                    }
                }
            }
        } else {
            while at < self.mem.heap.len() {
                let place = self.mem.heap[at] as u32;
                at += 1;
                for &next in program.ahead.around(set, place) {
                    steps += 1;
                    let known = std::mem::replace(&mut self.scratch[next as usize], stamp) == stamp;
                    if !known && probe.passes(self, next) {
                        self.mem.heap.push(Value::entity(next).0);
                    }
                }
            }
        }
        self.spend(steps)?;
        self.check_memory()?;
        Ok(self.mem.end(list))
    }

    pub(super) fn border(&mut self, program: &Program, here: Here, border: &Border) -> Run<Value> {
        let inside = self.members_of(program, Value(self.regs[here.base + border.list as usize]))?;
        let stamp = self.fresh_marks(program);
        let n = self.mem.members(inside).len();
        let mut places: SmallVec<[EntityId; 32]> = SmallVec::with_capacity(n);
        for at in 0..n {
            let value = Value(self.mem.members(inside)[at]);
            let place = match value.as_entity() {
                Some(place) => Some(place),
                None => self.entity(program, value, "`border`")?,
            };
            if let Some(place) = place
                && let Some(mark) = self.scratch.get_mut(place as usize)
            {
                *mark = stamp;
                places.push(place);
            }
        }
        let list = self.mem.begin();
        let mut steps = 0;
        for place in places {
            if let Ways::Set(set) = border.ways {
                let around = program.ahead.around(set, place);
                steps += around.len() as u64;
                for &next in around {
                    let mark = &mut self.scratch[next as usize];
                    if *mark != stamp {
                        *mark = stamp;
                        self.mem.heap.push(Value::entity(next).0);
                    }
                }
                continue;
            }
            for way in self.ways(program, here, &border.ways, place)? {
                for &next in program.world.directions.steps(way, place) {
                    steps += 1;
                    if std::mem::replace(&mut self.scratch[next as usize], stamp) != stamp {
                        self.mem.heap.push(Value::entity(next).0);
                    }
                }
            }
        }
        self.spend(steps)?;
        self.check_memory()?;
        Ok(self.mem.end(list))
    }

    /// The direction in which `to` lies from `from`, and the places strictly between.
    fn straight(&mut self, program: &Program, from: EntityId, to: EntityId) -> Run<Option<(DirId, Vec<EntityId>)>> {
        let Some(board) = self.board_of(program, from) else { return Ok(None) };
        for &way in &program.world.boards[board].compass {
            let mut between = Vec::new();
            let mut place = program.ahead.step(way, from);
            while place != NOBODY && place != from && place != to {
                self.spend(1)?;
                between.push(place);
                place = program.ahead.step(way, place);
            }
            if place == to && to != from {
                return Ok(Some((way, between)));
            }
        }
        Ok(None)
    }

    pub(super) fn between(&mut self, program: &Program, a: Value, b: Value) -> Run<Value> {
        let (Some(from), Some(to)) = (self.entity(program, a, "`between`")?, self.entity(program, b, "`between`")?)
        else {
            return Ok(Value::list(messages::EMPTY));
        };
        let between = self.straight(program, from, to)?.map_or(Vec::new(), |(_, between)| between);
        self.new_list(between.into_iter().map(|place| Value::entity(place).0).collect())
    }

    pub(crate) fn toward(&mut self, program: &Program, a: Value, b: Value) -> Run<Value> {
        let (Some(from), Some(to)) = (self.entity(program, a, "`toward`")?, self.entity(program, b, "`toward`")?)
        else {
            return Ok(Value::NIL);
        };
        let Some(board) = self.board_of(program, from).filter(|_| from != to) else { return Ok(Value::NIL) };
        let mut steps = 0;
        for &way in &program.world.boards[board].compass {
            let mut place = program.ahead.step(way, from);
            while place != NOBODY && place != from && place != to {
                steps += 1;
                place = program.ahead.step(way, place);
                // A way that leads round without coming back here never ends.
                if steps % 256 == 0 {
                    self.spend(256)?;
                }
            }
            if place == to {
                self.spend(steps % 256)?;
                return Ok(Value::direction(way));
            }
        }
        self.spend(steps % 256)?;
        Ok(Value::NIL)
    }

    /// The fewest steps from one place to another, by breadth.
    pub(super) fn distance(&mut self, program: &Program, here: Here, distance: &Distance) -> Run<Value> {
        let (a, b) =
            (Value(self.regs[here.base + distance.a as usize]), Value(self.regs[here.base + distance.b as usize]));
        let (Some(from), Some(to)) = (self.entity(program, a, "`distance`")?, self.entity(program, b, "`distance`")?)
        else {
            return Ok(Value::NIL);
        };
        let Some(board) = self.board_of(program, from) else { return Ok(Value::NIL) };
        let ways = match &distance.along {
            Some(ways) => self.ways(program, here, ways, from)?,
            None => SmallVec::from_slice(program.world.directions.set("adjacent", board)),
        };
        let stamp = self.fresh_marks(program);
        self.scratch[from as usize] = stamp;
        let mut reached = vec![(from, 0)];
        let mut at = 0;
        while at < reached.len() {
            let (place, steps) = reached[at];
            at += 1;
            if place == to {
                return Ok(Value::small(steps));
            }
            for &way in &ways {
                for &next in program.world.directions.steps(way, place) {
                    self.spend(1)?;
                    if std::mem::replace(&mut self.scratch[next as usize], stamp) != stamp {
                        reached.push((next, steps + 1));
                    }
                }
            }
        }
        Ok(Value::NIL)
    }

    pub(super) fn leap(&mut self, program: &Program, a: Value, b: Value, from: Value) -> Run<Value> {
        let Some(from) = self.entity(program, from, "`leap`")? else { return Ok(Value::list(messages::EMPTY)) };
        let (a, b) =
            (self.position(program, a)?.unwrap_or(0).min(1000), self.position(program, b)?.unwrap_or(0).min(1000));
        let Some(thing) = program.world.entities.get(from as usize) else { return Ok(Value::list(messages::EMPTY)) };
        let Some(board) = self.board_of(program, from) else { return Ok(Value::list(messages::EMPTY)) };
        let mut found = Vec::new();
        for (across, up) in crate::world::leaps(a as i32, b as i32) {
            if let Some(place) = place_on(program, board, thing.column + across, thing.row + up) {
                found.push(Value::entity(place).0);
            }
        }
        self.new_list(found)
    }

    pub(super) fn place_at(&mut self, program: &Program, here: Here, wanted: &PlaceAt) -> Run<Value> {
        let mut at = Vec::new();
        for &reg in &wanted.at {
            match Value(self.regs[here.base + reg as usize]).as_whole() {
                Some(number) => at.push(i32::try_from(number).unwrap_or(-1)),
                // Between two columns there is no place.
                None => return Ok(Value::NIL),
            }
        }
        let (column, row) = match at.as_slice() {
            [number] => (*number, 1),
            [column, row] => (*column, *row),
            _ => return Err(Stop::fault("A place is found by column and row.")),
        };
        for (board, info) in program.world.boards.iter().enumerate() {
            if info.kind == wanted.kind {
                return Ok(place_on(program, board, column, row).map_or(Value::NIL, Value::entity));
            }
        }
        Ok(Value::NIL)
    }
}

/// The place of a board in a column and a row.
pub(crate) fn place_on(program: &Program, board: usize, column: i32, row: i32) -> Option<EntityId> {
    use crate::world::BoardLayout;
    let info = &program.world.boards[board];
    match info.layout {
        BoardLayout::Grid { width, height } => {
            let inside = (1..=width as i32).contains(&column) && (1..=height as i32).contains(&row);
            inside.then(|| info.first + (row as u32 - 1) * width + (column as u32 - 1))
        }
        _ => {
            let is_there = |place: &EntityId| {
                let thing = &program.world.entities[*place as usize];
                thing.column == column && thing.row == row
            };
            // Most often places are numbered as they are counted.
            let likely = (1..=i64::from(info.n)).contains(&i64::from(column)).then(|| info.first + column as u32 - 1);
            likely.filter(is_there).or_else(|| (info.first..info.first + info.n).find(is_there))
        }
    }
}
