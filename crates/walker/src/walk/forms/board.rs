//! Looking along the board: walks, lines, groups, borders, distances.

use crate::walk::run::{Frame, Runner};
use crate::walk::stop::{Stop, fault};
use crate::walk::value::Value;
use crate::world::{DirId, Directions, EntityId, leaps};
use houserules_model::*;
use std::collections::{BTreeSet, VecDeque};

pub fn eval(runner: &mut Runner, form: Form, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    match form {
        Form::Walk => walk(runner, slots, frame),
        Form::WalkExactly => walk_exactly(runner, slots, frame),
        Form::Line => line(runner, slots, frame),
        Form::Group => {
            let from = runner.from(&slots[1], frame)?;
            let Some(from) = from else { return Ok(Value::list(Vec::new())) };
            let leads = Leads::Ways(runner.directions(&slots[0], from, frame)?);
            reached(runner, from, &leads, &slots[2], &slots[3], frame)
        }
        Form::GroupVia => {
            let from = runner.from(&slots[1], frame)?;
            let Some(from) = from else { return Ok(Value::list(Vec::new())) };
            let Some(via) = slots[0].expr() else { return Ok(Value::list(Vec::new())) };
            reached(runner, from, &Leads::Via(via), &slots[2], &slots[3], frame)
        }
        Form::Border => border(runner, slots, frame),
        Form::Between => {
            let ends = ends(runner, slots, frame)?;
            let way = ends.and_then(|(from, to)| runner.straight(from, to));
            Ok(Value::entities(way.map_or(Vec::new(), |(_, between)| between)))
        }
        Form::Toward => {
            let ends = ends(runner, slots, frame)?;
            let way = ends.and_then(|(from, to)| runner.straight(from, to));
            Ok(way.and_then(|(direction, _)| direction).map_or(Value::Nil, Value::Direction))
        }
        Form::Distance => {
            let Some((from, to)) = ends(runner, slots, frame)? else { return Ok(Value::Nil) };
            let Some(board) = runner.book.board(from) else { return Ok(Value::Nil) };
            let ways = match slots[2].given() {
                true => runner.directions(&slots[2], from, frame)?,
                false => runner.book.world.directions.set("adjacent", board).to_vec(),
            };
            distance(runner, (from, to), &Leads::Ways(ways), &slots[3], &slots[4], frame)
        }
        Form::DistanceVia => {
            let Some(ends) = ends(runner, slots, frame)? else { return Ok(Value::Nil) };
            let Some(via) = slots[2].expr() else { return Ok(Value::Nil) };
            distance(runner, ends, &Leads::Via(via), &slots[3], &slots[4], frame)
        }
        Form::Edge => {
            let edge = ends(runner, slots, frame)?.and_then(|(a, b)| runner.book.world.edge(a, b));
            Ok(Value::maybe(edge))
        }
        Form::Ends => {
            let edge = runner.slot_entity(&slots[0], frame)?;
            Ok(Value::entities(edge.and_then(|edge| runner.book.world.ends(edge)).into_iter().flatten()))
        }
        Form::Opposite => {
            let value = runner.direction_value(&slots[0], frame)?;
            let opposite = runner.book.world.directions.opposite.clone();
            turn_each(&value, &|way| opposite[way as usize])
        }
        Form::Turned => {
            let value = runner.direction_value(&slots[0], frame)?;
            let by = runner.slot_whole(&slots[1], frame)?;
            let world = &runner.book.world;
            turn_each(&value, &|way| world.turned_by(way, by))
        }
        Form::Step => {
            let Some(from) = runner.from(&slots[1], frame)? else {
                return Ok(Value::Nil);
            };
            let directions = runner.directions(&slots[0], from, frame)?;
            let to =
                directions.first().and_then(|&direction| runner.book.world.directions.steps(direction, from).first());
            Ok(Value::maybe(to.copied()))
        }
        Form::Leap => {
            let (left, right) = (runner.slot_whole(&slots[0], frame)?, runner.slot_whole(&slots[1], frame)?);
            let from = runner.from(&slots[2], frame)?;
            let Some((from, board)) = from.and_then(|from| Some((from, runner.book.board(from)?))) else {
                return Ok(Value::list(Vec::new()));
            };
            let here = &runner.book.world.entities[from as usize];
            let small = |n: i64| n.clamp(-1_000_000, 1_000_000) as i32;
            let places = leaps(small(left), small(right))
                .into_iter()
                .filter_map(|(column, row)| runner.place(board, here.column + column, here.row + row));
            Ok(Value::entities(places))
        }
        Form::Directions => {
            let board = runner.board_of(frame.me);
            let mut found = Vec::new();
            for name in slots[0].names() {
                let name = runner.name(name, frame)?;
                let directions = board.and_then(|board| runner.directions_on(board, &name, frame));
                let directions = directions.ok_or_else(|| fault(format!("There is no direction `{name}` here.")))?;
                found.extend(directions.into_iter().map(Value::Direction));
            }
            Ok(Value::list(found))
        }
        _ => unreachable!("{form:?} stands on another shelf"),
    }
}

impl Runner<'_> {
    /// `(cell at 3 2)`: column and row; on tracks and rings the number. Nil where there is none.
    pub fn place_at(&mut self, model: &Name, at: &[Expr], frame: &mut Frame) -> Result<Value, Stop> {
        let mut numbers = Vec::new();
        for expr in at {
            let value = self.eval(expr, frame)?;
            numbers.push(self.as_number(&value)?);
        }
        let (column, row) = match numbers.as_slice() {
            [number] => (*number, 1.0),
            [column, row] => (*column, *row),
            _ => return Err(fault(format!("`({model} at …)` needs a column and a row."))),
        };
        if column.fract() != 0.0 || row.fract() != 0.0 || column.abs() > 1e6 || row.abs() > 1e6 {
            return Ok(Value::Nil);
        }
        let Some(kind) = self.book.world.kind(model) else {
            return Err(fault(format!("There is no model `{model}`.")));
        };
        let boards = &self.book.world.boards;
        let own = self.board_of(frame.me).filter(|&board| boards[board].kind == kind);
        let board = own.or_else(|| boards.iter().position(|board| board.kind == kind));
        let place = board.and_then(|board| self.place(board, column as i32, row as i32));
        Ok(Value::maybe(place))
    }

    fn place(&self, board: usize, column: i32, row: i32) -> Option<EntityId> {
        let info = &self.book.world.boards[board];
        (info.first..info.first + info.n).find(|&place| {
            let place = &self.book.world.entities[place as usize];
            (place.column, place.row) == (column, row)
        })
    }

    /// The board a place belongs to, or a thing lies on; otherwise the first.
    fn board_of(&self, entity: EntityId) -> Option<usize> {
        let place = self.state.thing(entity).place;
        self.book.board(entity).or_else(|| place.and_then(|place| self.book.board(place))).or((!self
            .book
            .world
            .boards
            .is_empty())
        .then_some(0))
    }

    /// Where a form begins: what stands after `from`; without it the candidate or `self`, or where that lies.
    fn from(&mut self, slot: &Slot, frame: &mut Frame) -> Result<Option<EntityId>, Stop> {
        if slot.given() {
            return self.slot_entity(slot, frame);
        }
        let here = frame.it.as_ref().map_or(Some(frame.me), Value::entity);
        Ok(here.and_then(|here| match self.book.board(here) {
            Some(_) => Some(here),
            None => self.state.thing(here).place,
        }))
    }

    /// The directions in a direction slot, for a step from some place: a word for directions, or a value.
    fn directions(&mut self, slot: &Slot, from: EntityId, frame: &mut Frame) -> Result<Vec<DirId>, Stop> {
        let Some(expr) = slot.expr() else { return Ok(Vec::new()) };
        let board = self.board_of(from);
        if let ExprKind::Word(word) = &expr.kind
            && let Some(board) = board
            && let Some(found) = self.directions_on(board, word, frame)
        {
            return Ok(found);
        }
        let value = self.eval(expr, frame)?;
        let values = match &value {
            Value::Direction(_) | Value::Text(_) => vec![value],
            other => self.as_list(other)?,
        };
        let mut directions = Vec::new();
        for value in &values {
            match value {
                Value::Nil => {}
                Value::Direction(direction) => directions.push(*direction),
                Value::Text(name) => match board.and_then(|board| self.directions_on(board, name, frame)) {
                    Some(found) => directions.extend(found),
                    None => return Err(fault(format!("There is no direction “{name}” here."))),
                },
                other => return Err(fault(format!("{} is no direction.", self.told(other)))),
            }
        }
        Ok(directions)
    }

    /// A direction as a value: of a word for one direction that, else a list.
    fn direction_value(&mut self, slot: &Slot, frame: &mut Frame) -> Result<Value, Stop> {
        let Some(expr) = slot.expr() else { return Ok(Value::Nil) };
        if let ExprKind::Word(word) = &expr.kind
            && let Some(board) = self.board_of(frame.me)
            && let Some(found) = self.directions_on(board, word, frame)
        {
            let one = Directions::is_relative(word) || self.book.world.directions.find(word).is_some();
            let mut found = found.into_iter().map(Value::Direction);
            return Ok(if one { found.next().unwrap_or(Value::Nil) } else { Value::list(found.collect()) });
        }
        let value = self.eval(expr, frame)?;
        match &value {
            Value::Nil | Value::Direction(_) | Value::List(_) => Ok(value),
            Value::Text(name) => match self.book.world.directions.find(name) {
                Some(direction) => Ok(Value::Direction(direction)),
                None => Err(fault(format!("There is no direction “{name}”."))),
            },
            other => Err(fault(format!("{} is no direction.", self.told(other)))),
        }
    }

    /// Whether a step can be made: `here` is where it begins, `it` where it ends.
    fn crosses(&mut self, across: &Slot, from: EntityId, to: EntityId, frame: &mut Frame) -> Result<bool, Stop> {
        let Some(condition) = across.expr() else { return Ok(true) };
        let here: Name = "here".into();
        let outer = frame.variable(&here).cloned();
        frame.set_variable(&here, Value::Entity(from));
        let crosses = self.fits(condition, to, frame);
        match outer {
            Some(outer) => frame.set_variable(&here, outer),
            None => frame.variables.retain(|(known, _)| *known != here),
        }
        crosses
    }

    /// The straight ways from a place in one direction, to the edge or until it is met again.
    ///
    /// Where a graph links several places the ways are the lines it was linked by.
    fn rays(&self, direction: DirId, from: EntityId) -> Vec<Vec<EntityId>> {
        let directions = &self.book.world.directions;
        if directions.many[direction as usize]
            && let Some(board) = self.book.board(from)
        {
            let joined = |pair: &[EntityId]| directions.steps(direction, pair[0]).contains(&pair[1]);
            let mut rays = Vec::new();
            for line in &self.book.world.boards[board].lines {
                let back: Vec<EntityId> = line.iter().rev().copied().collect();
                for way in [line, &back] {
                    let Some(at) = way.iter().position(|&place| place == from) else {
                        continue;
                    };
                    let n = way[at..].windows(2).take_while(|pair| joined(pair)).count();
                    if n > 0 {
                        rays.push(way[at + 1..=at + n].to_vec());
                    }
                }
            }
            return rays;
        }
        let mut ray = Vec::new();
        let mut at = from;
        while let Some(&next) = directions.steps(direction, at).first() {
            if next == from || ray.contains(&next) {
                break;
            }
            ray.push(next);
            at = next;
        }
        vec![ray]
    }

    /// The direction from one place straight to another, and the places strictly between.
    fn straight(&self, from: EntityId, to: EntityId) -> Option<(Option<DirId>, Vec<EntityId>)> {
        let board = &self.book.world.boards[self.book.board(from)?];
        if from == to {
            return None;
        }
        for &direction in &board.compass {
            for ray in self.rays(direction, from) {
                if let Some(at) = ray.iter().position(|&place| place == to) {
                    return Some((Some(direction), ray[..at].to_vec()));
                }
            }
        }
        board.lines.iter().find_map(|line| {
            let left = line.iter().position(|&place| place == from)?;
            let right = line.iter().position(|&place| place == to)?;
            let mut between = line[left.min(right) + 1..left.max(right)].to_vec();
            if left > right {
                between.reverse();
            }
            Some((None, between))
        })
    }

    /// Whether a condition holds for a place, which is `it`.
    fn fits(&mut self, condition: &Expr, place: EntityId, frame: &mut Frame) -> Result<bool, Stop> {
        Ok(self.value_at(condition, place, frame)?.truth())
    }

    fn value_at(&mut self, expr: &Expr, place: EntityId, frame: &mut Frame) -> Result<Value, Stop> {
        self.step()?;
        let outer = frame.it.replace(Value::Entity(place));
        let value = self.eval(expr, frame);
        frame.it = outer;
        value
    }
}

fn walk(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let Some(from) = runner.from(&slots[1], frame)? else {
        return Ok(Value::list(Vec::new()));
    };
    let directions = runner.directions(&slots[0], from, frame)?;
    let most = if slots[2].given() { runner.slot_whole(&slots[2], frame)?.max(0) as usize } else { usize::MAX };
    let mut met = Vec::new();
    for direction in directions {
        for ray in runner.rays(direction, from) {
            let mut n = 0;
            let mut stopped_at = next_of(runner, &ray, from, n, &slots[6], frame)?;
            while let Some(place) = stopped_at
                && n < most
            {
                if let Some(condition) = slots[3].expr()
                    && !runner.fits(condition, place, frame)?
                {
                    break;
                }
                n += 1;
                stopped_at = next_of(runner, &ray, from, n, &slots[6], frame)?;
            }
            if let Some(condition) = slots[4].expr() {
                let reached = match stopped_at {
                    Some(place) => runner.fits(condition, place, frame)?,
                    None => false,
                };
                if !reached {
                    continue;
                }
            }
            met.extend(&ray[..n]);
            if let (Some(condition), Some(place)) = (slots[5].expr(), stopped_at)
                && n < most
                && runner.fits(condition, place, frame)?
            {
                met.push(place);
            }
        }
    }
    Ok(Value::entities(met))
}

/// The place after the first `n` of a way, if it has one and the step there can be made.
fn next_of(
    runner: &mut Runner,
    ray: &[EntityId],
    from: EntityId,
    n: usize,
    across: &Slot,
    frame: &mut Frame,
) -> Result<Option<EntityId>, Stop> {
    let Some(&next) = ray.get(n) else { return Ok(None) };
    let last = if n == 0 { from } else { ray[n - 1] };
    Ok(runner.crosses(across, last, next, frame)?.then_some(next))
}

/// The places at the end of exactly so many steps.
fn walk_exactly(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let Some(from) = runner.from(&slots[1], frame)? else {
        return Ok(Value::list(Vec::new()));
    };
    let wanted = runner.slot_whole(&slots[2], frame)?.max(0) as usize;
    let mut met = Vec::new();
    for direction in runner.directions(&slots[0], from, frame)? {
        'rays: for ray in runner.rays(direction, from) {
            for n in 0..wanted {
                let Some(place) = next_of(runner, &ray, from, n, &slots[5], frame)? else { continue 'rays };
                let last = n + 1 == wanted && slots[4].given();
                if let Some(condition) = slots[if last { 4 } else { 3 }].expr()
                    && !runner.fits(condition, place, frame)?
                {
                    continue 'rays;
                }
            }
            met.extend(wanted.checked_sub(1).map(|last| ray[last]));
        }
    }
    Ok(Value::entities(met))
}

/// Each direction turned into another; of one direction one, of several a list.
fn turn_each(value: &Value, turn: &dyn Fn(DirId) -> Option<DirId>) -> Result<Value, Stop> {
    Ok(match value {
        Value::Direction(way) => turn(*way).map_or(Value::Nil, Value::Direction),
        Value::List(list) => {
            let mut turned = Vec::new();
            for member in list.iter().filter(|member| member.truth()) {
                match turn_each(member, turn)? {
                    Value::Nil => {}
                    Value::List(several) => turned.extend(several.iter().cloned()),
                    one => turned.push(one),
                }
            }
            Value::list(turned)
        }
        Value::Nil => Value::Nil,
        _ => return Err(fault("A direction is needed here.")),
    })
}

/// The first straight run of at least (or exactly) N places with equal values, through a place.
fn line(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let n = runner.slot_whole(&slots[0], frame)?.max(0) as usize;
    let Some(expr) = slots[1].expr() else {
        return Ok(Value::Nil);
    };
    let through = if slots[2].given() {
        runner.slot_entity(&slots[2], frame)?
    } else {
        // Inside a `where` the line goes through the candidate.
        match &frame.it {
            Some(it) => runner.opt_entity(it)?,
            None => Some(frame.me),
        }
    };
    let Some(through) = through else { return Ok(Value::Nil) };
    let Some(board) = runner.book.board(through) else {
        return Ok(Value::Nil);
    };
    let value = runner.value_at(expr, through, frame)?;
    if !value.truth() {
        return Ok(Value::Nil);
    }
    let exactly = slots[4].given();
    let long_enough = |run: usize| if exactly { run == n } else { run >= n };
    let info = &runner.book.world.boards[board];
    if info.compass.is_empty() {
        for line in &info.lines {
            if line.contains(&through) && long_enough(line.len()) {
                let mut equal = true;
                for &place in line {
                    equal = equal && runner.value_at(expr, place, frame)? == value;
                }
                if equal {
                    return Ok(Value::entities(line.iter().copied()));
                }
            }
        }
        return Ok(Value::Nil);
    }
    let directions = if slots[3].given() {
        runner.directions(&slots[3], through, frame)?
    } else {
        info.compass[..info.compass.len() / 2].to_vec()
    };
    let mut tried = BTreeSet::new();
    for direction in directions {
        let opposite = runner.book.world.directions.opposite[direction as usize];
        tried.insert(direction);
        if opposite.is_some_and(|opposite| tried.contains(&opposite)) {
            continue;
        }
        let mut run = vec![through];
        for way in [Some(direction), opposite].into_iter().flatten() {
            for ray in runner.rays(way, through) {
                for place in ray {
                    if run.contains(&place) || runner.value_at(expr, place, frame)? != value {
                        break;
                    }
                    run.push(place);
                }
            }
        }
        if long_enough(run.len()) {
            return Ok(Value::entities(run));
        }
    }
    Ok(Value::Nil)
}

/// What leads from one thing to the next.
enum Leads<'e> {
    Ways(Vec<DirId>),
    /// Asked of each thing, which is `it`.
    Via(&'e Expr),
}

/// The things one step on.
fn led(runner: &mut Runner, leads: &Leads, from: EntityId, frame: &mut Frame) -> Result<Vec<EntityId>, Stop> {
    match leads {
        Leads::Ways(directions) => Ok(neighbours(runner, directions, from)),
        Leads::Via(via) => {
            let value = runner.value_at(via, from, frame)?;
            runner.as_entities(&value)
        }
    }
}

fn reached(
    runner: &mut Runner,
    from: EntityId,
    leads: &Leads,
    while_: &Slot,
    across: &Slot,
    frame: &mut Frame,
) -> Result<Value, Stop> {
    let Some(condition) = while_.expr() else {
        return Ok(Value::list(Vec::new()));
    };
    if !runner.fits(condition, from, frame)? {
        return Ok(Value::list(Vec::new()));
    }
    let mut found = vec![from];
    let mut at = 0;
    while at < found.len() {
        for next in led(runner, leads, found[at], frame)? {
            if !found.contains(&next)
                && runner.crosses(across, found[at], next, frame)?
                && runner.fits(condition, next, frame)?
            {
                found.push(next);
            }
        }
        at += 1;
    }
    Ok(Value::entities(found))
}

fn border(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Value, Stop> {
    let list = runner.slot(&slots[1], frame)?;
    let inside = runner.as_entities(&list)?;
    let mut found = Vec::new();
    for &place in &inside {
        let directions = runner.directions(&slots[0], place, frame)?;
        for next in neighbours(runner, &directions, place) {
            if !inside.contains(&next) && !found.contains(&next) {
                found.push(next);
            }
        }
    }
    Ok(Value::entities(found))
}

fn neighbours(runner: &Runner, directions: &[DirId], from: EntityId) -> Vec<EntityId> {
    directions.iter().flat_map(|&direction| runner.book.world.directions.steps(direction, from)).copied().collect()
}

fn ends(runner: &mut Runner, slots: &[Slot], frame: &mut Frame) -> Result<Option<(EntityId, EntityId)>, Stop> {
    let from = runner.slot_entity(&slots[0], frame)?;
    let to = runner.slot_entity(&slots[1], frame)?;
    Ok(from.zip(to))
}

/// How many steps at least.
fn distance(
    runner: &mut Runner,
    (from, to): (EntityId, EntityId),
    leads: &Leads,
    while_: &Slot,
    across: &Slot,
    frame: &mut Frame,
) -> Result<Value, Stop> {
    let mut met = BTreeSet::from([from]);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((thing, steps)) = queue.pop_front() {
        if thing == to {
            return Ok(Value::Whole(steps));
        }
        for next in led(runner, leads, thing, frame)? {
            if met.contains(&next) || !runner.crosses(across, thing, next, frame)? {
                continue;
            }
            met.insert(next);
            let fits = match while_.expr() {
                Some(condition) => runner.fits(condition, next, frame)?,
                None => true,
            };
            if fits {
                queue.push_back((next, steps + 1));
            }
        }
    }
    Ok(Value::Nil)
}
