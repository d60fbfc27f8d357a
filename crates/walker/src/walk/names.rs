//! What a word means, and what an entity can be asked.

use super::run::{Frame, Runner};
use super::state::Life;
use super::stop::{Stop, fault};
use super::trace;
use super::value::Value;
use crate::world::{DirId, Directions, EntityId, GAME, GAME_KIND, KindId, PLAYER_KIND};
use houserules_model::*;

impl<'a> Runner<'a> {
    /// A bare word: variable, attribute, what `it` has, what `self` has, what the game has, setting, name.
    pub fn word(&mut self, word: &Name, frame: &mut Frame) -> Result<Value, Stop> {
        match &**word {
            "nil" => return Ok(Value::Nil),
            "true" => return Ok(Value::True),
            _ => {}
        }
        if let Some(value) = frame.variable(word) {
            return Ok(value.clone());
        }
        match &**word {
            "self" => return Ok(Value::Entity(frame.me)),
            "it" => return Ok(frame.it.clone().unwrap_or(Value::Nil)),
            "player" => return Ok(Value::maybe(self.player(frame))),
            "message" => {
                let message = frame.message.clone();
                return Ok(message.map_or(Value::Nil, |message| Value::Message(message.into())));
            }
            _ => {}
        }
        if let Some(message) = &frame.message {
            if let Some(value) = message.attributes.get(word) {
                return Ok(value.clone());
            }
            if !frame.unfinished && self.book.has_attribute(&message.label, word) {
                return Ok(Value::Nil);
            }
        }
        if let Some(it) = frame.it.clone()
            && let Some(value) = self.ask(&it, word, frame)?
        {
            return Ok(value);
        }
        if let Some(value) = self.ask(&Value::Entity(frame.me), word, frame)? {
            return Ok(value);
        }
        match &**word {
            "opponent" => {
                let player = self.player(frame);
                return Ok(Value::maybe(player.and_then(|player| self.state.beside(player, 1))));
            }
            "seats" => return Ok(Value::entities(1..=self.book.world.n_seats)),
            _ => {}
        }
        if let Some(value) = self.ask(&Value::Entity(GAME), word, frame)? {
            return Ok(value);
        }
        if let Some(value) = self.named(word) {
            return Ok(value);
        }
        if let Some(value) = self.there(word, frame) {
            return Ok(value);
        }
        if let Some(direction) = self.book.world.directions.find(word) {
            return Ok(Value::Direction(direction));
        }
        // A rule on several labels may name an attribute that this one does not have.
        if self.book.all_attributes.contains(word) {
            return Ok(Value::Nil);
        }
        // What lies in a list nobody knows beforehand: what only others know is nil of whoever does not.
        let (world, mine) = (&self.book.world, self.state.thing(frame.me).kind);
        let mut kinds = (0..world.kinds.len() as KindId).filter(|&kind| frame.it.is_some() || world.is_a(kind, mine));
        if kinds.any(|kind| self.book.answers(kind, word)) {
            return Ok(Value::Nil);
        }
        Err(fault(format!("Nothing here is called `{word}`.")))
    }

    /// A direction, a row or a column of the place where `self` lies; nil or no places where that has none.
    fn there(&self, word: &Name, frame: &Frame) -> Option<Value> {
        let world = &self.book.world;
        let kind = self.state.thing(frame.me).kind;
        if matches!(kind, GAME_KIND | PLAYER_KIND) || self.book.board(frame.me).is_some() {
            return None;
        }
        let on = |place: EntityId| match &**word {
            "row" | "column" => self.row_or_column(place, word),
            word => self.direction_of(place, word, frame),
        };
        world.boards.iter().filter(|board| board.n > 0).find_map(|board| on(board.first))?;
        let nowhere = if self.book.gives_places(word) { Value::list(Vec::new()) } else { Value::Nil };
        Some(self.state.thing(frame.me).place.and_then(on).unwrap_or(nowhere))
    }

    fn row_or_column(&self, entity: EntityId, name: &str) -> Option<Value> {
        self.book.board(entity)?;
        let place = &self.book.world.entities[entity as usize];
        Some(Value::Whole(i64::from(if name == "row" { place.row } else { place.column })))
    }

    /// Settings, entities, boards, models.
    fn named(&self, word: &str) -> Option<Value> {
        let world = &self.book.world;
        if let Some(setting) = world.setting(word) {
            return Some(Value::constant(setting));
        }
        if let Some(&entity) = world.names.get(word) {
            return Some(Value::Entity(entity));
        }
        if let Some(kind) = world.kind(word) {
            return Some(Value::Kind(kind));
        }
        let boards: Vec<_> = world.boards.iter().filter(|board| *board.name == *word).collect();
        (!boards.is_empty()).then(|| {
            let places = boards.iter().flat_map(|board| board.first..board.first + board.n);
            Value::entities(places)
        })
    }

    /// The value of a property, relation, define or direction of something, if it has one of that name.
    pub fn ask(&mut self, whom: &Value, name: &Name, frame: &Frame) -> Result<Option<Value>, Stop> {
        match whom {
            Value::Entity(entity) => self.ask_entity(*entity, name, frame),
            Value::Message(message) => Ok(match &**name {
                "label" => Some(Value::Text(message.label.clone())),
                _ => message.attributes.get(name).cloned(),
            }),
            _ => Ok(None),
        }
    }

    fn ask_entity(&mut self, entity: EntityId, name: &Name, frame: &Frame) -> Result<Option<Value>, Stop> {
        let thing = self.state.thing(entity);
        let kind = thing.kind;
        if let Some(value) = self.property(entity, name)? {
            return Ok(Some(value));
        }
        let thing = self.state.thing(entity);
        let value = match &**name {
            // A thing made in play is called like its model.
            "name" if entity as usize >= self.book.world.entities.len() => {
                Some(Value::Text(self.book.world.kinds[kind as usize].name.clone()))
            }
            "name" => Some(Value::Text(thing.name.clone())),
            "kind" => Some(Value::Kind(kind)),
            "number" => Some(Value::Whole(thing.number.into())),
            "contents" => Some(Value::entities(thing.contents.iter().copied())),
            "top" => Some(Value::maybe(thing.contents.last().copied())),
            "empty" => Some(Value::of(thing.contents.is_empty())),
            "next" if kind == PLAYER_KIND => Some(Value::maybe(self.state.beside(entity, 1))),
            "previous" if kind == PLAYER_KIND => {
                let back = self.state.players.len().saturating_sub(1);
                Some(Value::maybe(self.state.beside(entity, back)))
            }
            "players" if kind == GAME_KIND => Some(Value::entities(self.state.players.iter().copied())),
            "row" | "column" => self.row_or_column(entity, name),
            _ => None,
        };
        if value.is_some() {
            return Ok(value);
        }
        if let Some(define) = self.book.define(kind, name)
            && define.params.is_empty()
        {
            return self.call(define, Vec::new(), entity, frame).map(Some);
        }
        Ok(self.direction_of(entity, name, frame))
    }

    /// What an entity keeps: its properties, and its state, owner and place.
    pub fn property(&mut self, entity: EntityId, name: &Name) -> Result<Option<Value>, Stop> {
        if !self.pending.is_empty()
            && let Some(first) = self.pending.remove(&(entity, name.clone()))
        {
            let value = self.eval(first, &mut Frame::new(entity, None))?;
            self.set_property(entity, name, value, true)?;
        }
        let thing = self.state.thing(entity);
        Ok(match &**name {
            "state" => Some(Value::Text(thing.state.clone())),
            "owner" => Some(Value::maybe(thing.owner)),
            "place" => Some(Value::maybe(thing.place)),
            _ => thing.properties.get(name).cloned(),
        })
    }

    /// Changes what an entity keeps. `new` says whether it may be a property it has not had before.
    pub fn set_property(&mut self, entity: EntityId, name: &Name, value: Value, new: bool) -> Result<(), Stop> {
        // What is moved is told of where it is moved, for most is moved by other words.
        let listened = trace::is_heard() && &**name != "place";
        let before = listened.then(|| self.kept(entity, name));
        self.keep_property(entity, name, value, new)?;
        if let Some(before) = before {
            let after = self.kept(entity, name);
            self.tell_written(entity, name, before, after);
        }
        Ok(())
    }

    /// What an entity keeps, in words.
    pub(super) fn kept(&self, entity: EntityId, name: &str) -> String {
        let thing = self.state.thing(entity);
        match name {
            "state" => thing.state.to_string(),
            "owner" => self.told(&Value::maybe(thing.owner)),
            "place" => self.told(&Value::maybe(thing.place)),
            "players" if entity == GAME => self.told(&Value::entities(self.state.players.iter().copied())),
            _ => thing.properties.get(name).map_or_else(|| "nil".into(), |value| self.told(value)),
        }
    }

    pub(super) fn tell_written(&self, entity: EntityId, property: &str, before: String, after: String) {
        if before != after {
            let thing = self.thing_name(entity);
            trace::tell(|| trace::What::Wrote { thing, property: property.to_owned(), before, after });
        }
    }

    fn keep_property(&mut self, entity: EntityId, name: &Name, value: Value, new: bool) -> Result<(), Stop> {
        if self.state.thing(entity).life == Life::Gone {
            return Err(fault(format!("`{name}` cannot be set: the thing has left the game.")));
        }
        match &**name {
            "owner" => self.state.thing_mut(entity).owner = self.opt_entity(&value)?,
            "state" => {
                let state = self.as_name(&value)?;
                self.state.thing_mut(entity).state = state;
            }
            "place" => {
                let place = self.opt_entity(&value)?;
                self.move_to(entity, place)?;
            }
            "players" if entity == GAME => {
                let players = self.as_entities(&value)?;
                if let Some(other) = players.iter().find(|&&player| self.book.world.entity_seat(player).is_none()) {
                    let name = self.state.thing(*other).name.clone();
                    return Err(fault(format!("`{name}` cannot be one of the players.")));
                }
                self.state.set_players(players);
            }
            _ => {
                let value = if self.is_relation(entity, name) { self.held(name, value)? } else { value };
                let thing = self.state.thing_mut(entity);
                if !new && !thing.properties.contains_key(name) {
                    let kind = &self.book.world.kinds[thing.kind as usize].name;
                    return Err(fault(format!("A {kind} has no property `{name}` to set.")));
                }
                thing.properties.insert(name.clone(), value);
            }
        }
        Ok(())
    }

    pub fn is_relation(&self, entity: EntityId, name: &Name) -> bool {
        let kind = self.state.thing(entity).kind;
        let mut declared = self.book.world.kinds[kind as usize].properties.iter();
        declared.any(|known| known.name == *name && known.role == Role::Relation)
    }

    /// What a relation holds where it is given a value: things, and for a text the thing of that name.
    fn held(&self, name: &Name, value: Value) -> Result<Value, Stop> {
        match &value {
            Value::Text(text) if self.book.world.names.contains_key(text) => Ok(Value::maybe(self.opt_entity(&value)?)),
            Value::List(list) => {
                let held: Result<Vec<Value>, Stop> =
                    list.iter().map(|member| self.held(name, member.clone())).collect();
                Ok(Value::list(held?))
            }
            held if only_entities(held) => Ok(value),
            _ => Err(fault(format!("`{name}` is a relation and cannot hold {}.", self.told(&value)))),
        }
    }

    /// A define: its parameters are its only variables, and it sees no message.
    pub fn call(&mut self, define: &'a Define, args: Vec<Value>, me: EntityId, frame: &Frame) -> Result<Value, Stop> {
        if args.len() != define.params.len() {
            return Err(fault(format!(
                "`{}` takes {} values and was given {}.",
                define.name,
                define.params.len(),
                args.len()
            )));
        }
        let mut inner = Frame::new(me, frame.actor);
        inner.variables = define.params.iter().cloned().zip(args).collect();
        // `require` in a define refuses for the rule that asked.
        inner.rule = frame.rule.clone();
        inner.law = frame.law;
        self.step()?;
        self.deeper(|runner| runner.whole_body(&define.body, &mut inner))
    }

    /// `(name args…)` and `(name args… of target)`.
    pub fn ask_with(
        &mut self,
        name: &Name,
        args: &[Expr],
        of: Option<&Expr>,
        frame: &mut Frame,
    ) -> Result<Value, Stop> {
        let book = self.book;
        let mut values = Vec::new();
        for arg in args {
            values.push(self.eval(arg, frame)?);
        }
        let Some(target) = of else {
            if args.is_empty() {
                return self.word(name, frame);
            }
            let candidates = [frame.it.as_ref().and_then(Value::entity), Some(frame.me), Some(GAME)];
            for entity in candidates.into_iter().flatten() {
                if let Some(define) = book.define(self.state.thing(entity).kind, name) {
                    return self.call(define, values, entity, frame);
                }
            }
            return Err(fault(format!("There is no define `{name}` here.")));
        };
        let target = self.eval(target, frame)?;
        self.ask_of(name, values, &target, frame)
    }

    /// `(name args… of target)`, the target known. Of nil everything is nil, or no places.
    pub fn ask_of(&mut self, name: &Name, args: Vec<Value>, target: &Value, frame: &Frame) -> Result<Value, Stop> {
        let target = match target {
            Value::Nil if &**name == "contents" || self.book.gives_places(name) => return Ok(Value::list(Vec::new())),
            Value::Nil => return Ok(Value::Nil),
            Value::Text(_) => Value::maybe(self.opt_entity(target)?),
            Value::Entity(_) | Value::Message(_) => target.clone(),
            Value::Kind(kind) if &**name == "name" => {
                return Ok(Value::Text(self.book.world.kinds[*kind as usize].name.clone()));
            }
            other => return Err(fault(format!("{} has no `{name}`.", self.told(other)))),
        };
        if args.is_empty() {
            return Ok(self.ask(&target, name, frame)?.unwrap_or(Value::Nil));
        }
        let entity = target.entity().unwrap_or(GAME);
        match self.book.define(self.state.thing(entity).kind, name) {
            Some(define) => self.call(define, args, entity, frame),
            None => Err(fault(format!("{} has no define `{name}`.", self.told(&target)))),
        }
    }

    /// A direction or set of directions asked of a place: the place next to it, or the list of them.
    fn direction_of(&self, entity: EntityId, name: &str, frame: &Frame) -> Option<Value> {
        let directions = &self.book.world.directions;
        let board = self.book.board(entity)?;
        if let Some(direction) = directions.find(name)
            && self.book.board_directions[board].contains(&direction)
        {
            let steps = directions.steps(direction, entity);
            return Some(if directions.many[direction as usize] {
                Value::entities(steps.iter().copied())
            } else {
                Value::maybe(steps.first().copied())
            });
        }
        let found = self.directions_on(board, name, frame)?;
        if Directions::is_relative(name) {
            let step = found.first().and_then(|&direction| directions.steps(direction, entity).first());
            return Some(Value::maybe(step.copied()));
        }
        let places = found.iter().flat_map(|&direction| directions.steps(direction, entity));
        Some(Value::entities(places.copied()))
    }

    /// The directions a word stands for on a board, or None if it is no word for directions there.
    ///
    /// Relative ones turn with the facing of the owner of `self`, or of the player where it has none.
    pub fn directions_on(&self, board: usize, name: &str, frame: &Frame) -> Option<Vec<DirId>> {
        let directions = &self.book.world.directions;
        if directions.is_set(name) {
            return Some(directions.set(name, board).to_vec());
        }
        if Directions::is_relative(name) || Directions::is_relative_set(name) {
            let info = &self.book.world.boards[board];
            if info.compass.is_empty() {
                return None;
            }
            let owner = self.state.thing(frame.me).owner;
            let facer = owner.filter(|&owner| self.book.world.entity_seat(owner).is_some()).or(self.player(frame));
            let seat = facer.and_then(|player| self.book.world.entity_seat(player))? as usize;
            let turned =
                Directions::relative(name).into_iter().filter_map(|turn| directions.turned(info, board, seat, turn));
            return Some(turned.collect());
        }
        let direction = directions.find(name)?;
        self.book.board_directions[board].contains(&direction).then(|| vec![direction])
    }
}

fn only_entities(value: &Value) -> bool {
    match value {
        Value::Nil | Value::Entity(_) => true,
        Value::List(list) => list.iter().all(only_entities),
        Value::Dictionary(pairs) => pairs.values().all(only_entities),
        _ => false,
    }
}
