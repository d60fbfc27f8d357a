//! What a word means where it stands, and what kind of thing an expression gives.

use super::body::{Meaning, SELF, Subject, same_op};
use super::*;
use crate::code::gives_places;

impl<'a> Body<'_, 'a> {
    pub fn load(&mut self, meaning: &Meaning, dst: Reg, origin: Origin, word: &Name) {
        match meaning {
            Meaning::Reg(src) if *src != dst => self.emit(Op::Move { dst, src: *src }, origin),
            Meaning::Reg(_) | Meaning::Unknown => {}
            Meaning::Const(value) => self.emit(Op::Const { dst, value: *value }, origin),
            Meaning::Setting(value) => {
                let src = self.constant_list(value, origin);
                self.emit(Op::Move { dst, src }, origin);
            }
            Meaning::Slot(slot) => self.emit(Op::GetSlot { dst, slot: *slot }, origin),
            Meaning::Player => self.emit(Op::Player { dst }, origin),
            Meaning::Opponent => self.emit(Op::Opponent { dst }, origin),
            Meaning::Players => self.emit(Op::Players { dst }, origin),
            Meaning::Seats => {
                let n = self.lower.world.n_seats;
                self.entity_list(1..=n, dst, origin);
            }
            Meaning::Message => match self.received {
                Some(message) => self.emit(Op::ThisMessage { dst, message }, origin),
                None => self.emit(Op::Const { dst, value: Value::NIL }, origin),
            },
            Meaning::Of(entity, answer) => self.answer(*entity, *answer, dst, origin, word),
            Meaning::There(answer) => {
                let place = self.reg();
                self.emit(Op::GetProp { dst: place, entity: SELF, prop: crate::layout::PLACE }, origin);
                match answer {
                    // Only places of a board have rows and columns, and what is no such place must answer nil.
                    Answer::Field(_) => {
                        let name = self.lower.texts.id(word);
                        self.emit(Op::GetOf { dst, entity: place, name }, origin);
                    }
                    answer => self.answer(place, *answer, dst, origin, word),
                }
            }
            Meaning::Perhaps(entity, other) => {
                let name = self.lower.texts.id(word);
                let missing = self.emit_jump(Op::GetIfHas { dst, entity: *entity, name, missing: 0 }, origin);
                let done = self.emit_jump(Op::Jump { to: 0 }, origin);
                self.land(missing);
                if **other == Meaning::Unknown {
                    self.emit(Op::Const { dst, value: Value::NIL }, origin);
                } else {
                    self.load(other, dst, origin, word);
                }
                self.land(done);
            }
            Meaning::Board(board) => {
                let board = &self.lower.world.boards[*board];
                let places = board.first..=board.first + board.n - 1;
                self.entity_list(places, dst, origin);
            }
            Meaning::Global(func) => {
                let first = self.constant(Value::entity(crate::world::GAME), origin);
                self.emit(Op::Call { dst, func: *func, first, n: 1 }, origin);
            }
        }
    }

    pub(super) fn entity_list(&mut self, entities: std::ops::RangeInclusive<u32>, dst: Reg, origin: Origin) {
        let n = entities.clone().count();
        if !self.has_room(n, origin) {
            return;
        }
        let first = self.regs(n);
        for (at, entity) in entities.enumerate() {
            self.emit(Op::Const { dst: first + at as Reg, value: Value::entity(entity) }, origin);
        }
        self.emit(Op::List { dst, first, n: n as u16 }, origin);
    }

    /// What a thing that surely has this answer says.
    pub fn answer(&mut self, entity: Reg, answer: Answer, dst: Reg, origin: Origin, word: &Name) {
        let op = match answer {
            Answer::Property(crate::layout::STATE) => Op::GetState { dst, entity },
            Answer::Property(prop) => match self.lower.layout.slot(prop, crate::world::GAME) {
                Some(slot) if self.is_game(entity) => Op::GetSlot { dst, slot },
                _ => Op::GetProp { dst, entity, prop },
            },
            Answer::Field(field) => Op::GetField { dst, entity, field },
            Answer::Direction(direction) => Op::Step { dst, entity, direction },
            // Of nil they would give no places, where other things give something else it is nil.
            Answer::Set(_) | Answer::RelativeSet(_)
                if entity != SELF
                    && !gives_places(self.lower.answering(word).into_iter().map(|(_, answer)| answer)) =>
            {
                Op::GetOf { dst, entity, name: self.lower.texts.id(word) }
            }
            Answer::Set(set) => Op::StepSet { dst, entity, set },
            Answer::Relative(turn) => Op::StepRelative { dst, entity, turn },
            Answer::RelativeSet(set) => Op::StepRelativeSet { dst, entity, set },
            Answer::Define(func) if entity == SELF => Op::Call { dst, func, first: SELF, n: 1 },
            Answer::Define(_) => Op::GetOf { dst, entity, name: self.lower.texts.id(word) },
        };
        self.emit(op, origin);
    }

    pub(super) fn is_game(&self, entity: Reg) -> bool {
        entity == SELF && self.kind == GAME_KIND
    }

    /// Looks a word up as the reference says.
    pub fn meaning(&mut self, word: &Name) -> Meaning {
        match &**word {
            "nil" => return Meaning::Const(Value::NIL),
            "true" => return Meaning::Const(Value::TRUE),
            _ => {}
        }
        if let Some((_, reg)) = self.locals.iter().rev().find(|(name, _)| name == word) {
            return Meaning::Reg(*reg);
        }
        match &**word {
            "self" => return Meaning::Reg(SELF),
            "it" => return self.its.last().map_or(Meaning::Unknown, |(reg, _)| Meaning::Reg(*reg)),
            "player" => return Meaning::Player,
            "message" => return Meaning::Message,
            _ => {}
        }
        if let Some((_, reg)) = self.attributes.iter().find(|(name, _)| name == word) {
            return Meaning::Reg(*reg);
        }
        match self.its.last().cloned() {
            Some((reg, subject)) => {
                let beyond = self.meaning_beyond(word);
                self.asked_of(reg, &subject, word, beyond)
            }
            None => self.meaning_beyond(word),
        }
    }

    /// The word asked of a thing; where the thing has no answer, `beyond` holds.
    pub(super) fn asked_of(&mut self, reg: Reg, subject: &Subject, word: &Name, beyond: Meaning) -> Meaning {
        match subject {
            Subject::Kinds(kinds) => {
                let answers: Vec<Option<Answer>> =
                    kinds.iter().map(|&kind| self.lower.answer_for(word, kind)).collect();
                match answers.as_slice() {
                    [] => beyond,
                    [first, ..] if first.is_some() && answers.iter().all(|answer| same_op(*answer, *first)) => {
                        Meaning::Of(reg, first.expect("just tested"))
                    }
                    _ if answers.iter().all(Option::is_none) => beyond,
                    _ => Meaning::Perhaps(reg, Box::new(beyond)),
                }
            }
            Subject::Unknown if self.lower.answering(word).is_empty() && !self.lower.is_attribute(word) => beyond,
            Subject::Unknown => Meaning::Perhaps(reg, Box::new(beyond)),
        }
    }

    pub(super) fn meaning_beyond(&mut self, word: &Name) -> Meaning {
        if let Some(answer) = self.lower.answer_for(word, self.kind) {
            return Meaning::Of(SELF, answer);
        }
        match &**word {
            "opponent" => return Meaning::Opponent,
            "players" => return Meaning::Players,
            "seats" => return Meaning::Seats,
            "game" => return Meaning::Const(Value::entity(crate::world::GAME)),
            _ => {}
        }
        if let Some(Answer::Property(prop)) = self.lower.answer_for(word, GAME_KIND)
            && let Some(slot) = self.lower.layout.slot(prop, crate::world::GAME)
            && prop > crate::layout::GONE
        {
            return Meaning::Slot(slot);
        }
        if let Some(Answer::Define(func)) = self.lower.answer_for(word, GAME_KIND) {
            return Meaning::Global(func);
        }
        if let Some(func) = self.lower.global_define(word, 0) {
            return Meaning::Global(func);
        }
        if let Some(value) = self.lower.world.setting(word).cloned() {
            return match self.lower.constant(&value) {
                Some(value) => Meaning::Const(value),
                None => Meaning::Setting(value),
            };
        }
        if let Some(&entity) = self.lower.world.names.get(word) {
            return Meaning::Const(Value::entity(entity));
        }
        let named = self
            .lower
            .world
            .boards
            .iter()
            .position(|board| board.name == *word && self.lower.world.kind(word).is_none());
        if let Some(board) = named.filter(|&board| self.lower.world.boards[board].n > 0) {
            return Meaning::Board(board);
        }
        if let Some(kind) = self.lower.world.kind(word) {
            return Meaning::Const(Value::kind(kind));
        }
        if let Some(answer) = self.lower.answer_there(word, self.kind) {
            return Meaning::There(answer);
        }
        if let Some(direction) = self.lower.world.directions.find(word) {
            return Meaning::Const(Value::direction(direction));
        }
        if self.lower.is_attribute(word) && self.received.is_some() {
            // A rule on several labels: this one has no such attribute.
            return Meaning::Const(Value::NIL);
        }
        let descendants = self.lower.descendants(self.kind);
        if self.lower.answering(word).iter().any(|(kind, _)| descendants.contains(kind)) {
            // Code of a model that only its children complete: `attacks` of a chess piece.
            return Meaning::Perhaps(SELF, Box::new(Meaning::Const(Value::NIL)));
        }
        Meaning::Unknown
    }

    /// What is known about the things in a list or model.
    pub fn members_subject(&mut self, expr: &'a Expr) -> Subject {
        self.subject(expr, 0)
    }

    pub(super) fn places(&self) -> Subject {
        let mut kinds: Vec<KindId> = self.lower.world.boards.iter().map(|board| board.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() { Subject::Unknown } else { Subject::Kinds(kinds) }
    }

    pub(super) fn subject(&mut self, expr: &Expr, depth: u32) -> Subject {
        if depth > 8 {
            return Subject::Unknown;
        }
        match &expr.kind {
            ExprKind::Word(word) => match self.meaning(word) {
                Meaning::Const(value) => match value.kinded() {
                    crate::value::Kinded::Kind(kind) => Subject::Kinds(self.lower.descendants(kind)),
                    crate::value::Kinded::Entity(entity) => Subject::Kinds(vec![self.lower.kind_of(entity)]),
                    _ => Subject::Unknown,
                },
                Meaning::Players | Meaning::Seats | Meaning::Player | Meaning::Opponent => {
                    Subject::Kinds(vec![PLAYER_KIND])
                }
                Meaning::Reg(SELF) => Subject::Kinds(vec![self.kind]),
                Meaning::Reg(reg) => self
                    .its
                    .iter()
                    .rev()
                    .find(|(it, _)| *it == reg)
                    .map_or(Subject::Unknown, |(_, subject)| subject.clone()),
                Meaning::Of(_, answer) | Meaning::There(answer) => self.answer_subject(answer, word, depth),
                Meaning::Board(board) => Subject::Kinds(vec![self.lower.world.boards[board].kind]),
                _ => Subject::Unknown,
            },
            ExprKind::Form(form, slots) => match form {
                Form::Walk | Form::Group | Form::Border | Form::Between | Form::Leap | Form::Line | Form::Step => {
                    self.places()
                }
                Form::All | Form::Any => match &slots[0] {
                    Slot::Domain { list, .. } => self.subject(list, depth + 1),
                    _ => Subject::Unknown,
                },
                _ => Subject::Unknown,
            },
            ExprKind::Call { name, args, of: Some(_), .. } if args.is_empty() => {
                let answers = self.lower.answering(name);
                match answers.first() {
                    Some(&(_, first)) if answers.iter().all(|(_, answer)| same_op(Some(*answer), Some(first))) => {
                        self.answer_subject(first, name, depth)
                    }
                    _ => Subject::Unknown,
                }
            }
            ExprKind::PlaceAt { .. } => self.places(),
            _ => Subject::Unknown,
        }
    }

    pub(super) fn answer_subject(&mut self, answer: Answer, word: &Name, depth: u32) -> Subject {
        match answer {
            Answer::Direction(_) | Answer::Set(_) | Answer::Relative(_) | Answer::RelativeSet(_) => self.places(),
            Answer::Field(Field::Next | Field::Previous | Field::Team) => Subject::Kinds(vec![PLAYER_KIND]),
            Answer::Property(crate::layout::OWNER) => Subject::Unknown,
            Answer::Define(_) => {
                // What a define gives is what its last expression gives, if that does not depend on its own words.
                let last = self.lower.definition.items().iter().find_map(|item| match &item.kind {
                    ItemKind::Define(define) if define.name == *word => define.body.last(),
                    _ => None,
                });
                match last.map(|expr| (&expr.kind, expr)) {
                    Some((
                        ExprKind::Form(
                            Form::Walk | Form::Group | Form::Border | Form::Between | Form::Leap | Form::Line,
                            _,
                        ),
                        _,
                    )) => self.places(),
                    Some((ExprKind::Word(_) | ExprKind::Call { .. }, expr)) => self.subject(expr, depth + 1),
                    _ => Subject::Unknown,
                }
            }
            _ => Subject::Unknown,
        }
    }
}
