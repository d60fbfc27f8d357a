//! Things and places: fields, moving, making, removing.

use super::*;

/// What `GONE` holds once the action that removed a thing has ended; before, it is merely true.
const GONE_FOR_GOOD: Value = Value(1 << 48);

impl Machine {
    pub(crate) fn get_field(&mut self, program: &Program, value: Value, field: Field) -> Run<Value> {
        let entity = match value.as_entity() {
            Some(entity) => entity,
            None => match self.entity(program, value, "This")? {
                Some(entity) => entity,
                None => return Ok(if field == Field::Contents { Value::list(messages::EMPTY) } else { Value::NIL }),
            },
        };
        let thing = program.world.entities.get(entity as usize);
        Ok(match field {
            // A thing made in play is called like its model.
            Field::Name => {
                let kind = &program.world.kinds[self.kind_of(program, entity) as usize].name;
                program.texts.find(thing.map_or(kind, |thing| &thing.name)).map_or(Value::NIL, Value::text)
            }
            Field::Kind => Value::kind(self.kind_of(program, entity)),
            Field::Number => Value::small(self.number_of(program, entity)),
            Field::Row => thing.and_then(|thing| Value::whole(i64::from(thing.row))).unwrap_or(Value::NIL),
            Field::Column => thing.and_then(|thing| Value::whole(i64::from(thing.column))).unwrap_or(Value::NIL),
            Field::Top => self.prop(program, layout::TOP, entity),
            Field::Empty => Value::truth(self.prop(program, layout::TOP, entity).is_nil()),
            Field::Contents => {
                let list = self.mem.begin();
                let mut thing = self.prop(program, layout::TOP, entity);
                while !thing.is_nil() {
                    self.mem.heap.push(thing.0);
                    thing = thing.as_entity().map_or(Value::NIL, |thing| self.prop(program, layout::UNDER, thing));
                }
                self.mem.heap[list as usize + 1..].reverse();
                self.mem.end(list)
            }
            Field::Next => self.next_player(Value::entity(entity), 1),
            Field::Previous => self.next_player(Value::entity(entity), -1),
            // Asked of the game, this field is the order of play.
            Field::Team if entity == GAME => self.players_list(),
            Field::Team => {
                let seat = program.world.entity_seat(entity).unwrap_or(0);
                let team =
                    program.world.teams.iter().find(|team| team.contains(&seat)).cloned().unwrap_or_else(|| vec![seat]);
                Value::list(self.mem.alloc(team.into_iter().map(|seat| Value::entity(program.world.seat_entity(seat)))))
            }
        })
    }

    /// What lies in a place, oldest first.
    pub fn contents(&self, program: &Program, place: EntityId) -> Vec<EntityId> {
        let mut contents = Vec::new();
        let mut thing = self.prop(program, layout::TOP, place);
        while let Some(entity) = thing.as_entity() {
            contents.push(entity);
            thing = self.prop(program, layout::UNDER, entity);
        }
        contents.reverse();
        contents
    }

    pub(crate) fn set_prop(&mut self, program: &Program, entity: Value, prop: PropId, value: Value) -> Run<()> {
        // As a message to nil, so a change to nil: the edge of the board needs no special case.
        let Some(entity) = self.entity(program, entity, "`set`")? else { return Ok(()) };
        let info = &program.layout.props[prop as usize];
        let slot = program.layout.slot(prop, entity).filter(|_| info.kinds[self.kind_of(program, entity) as usize]);
        let Some(slot) = slot else {
            return Err(Stop::fault(format!("{} has no property “{}”.", self.name(program, entity), info.name)));
        };
        if self.has_left(program, entity) {
            return Err(Stop::fault(format!("“{}” cannot be set: the thing has left the game.", info.name)));
        }
        let value = self.held(program, prop, entity, value)?;
        self.mem.set(slot, value);
        Ok(())
    }

    /// What a property of a thing holds where it is given a value: a relation holds things, and a text in it is the thing of that
    /// name.
    pub(crate) fn held(&mut self, program: &Program, prop: PropId, of: EntityId, value: Value) -> Run<Value> {
        if !program.layout.is_relation(prop, self.kind_of(program, of)) || self.only_entities(value) {
            return Ok(value);
        }
        match value.kinded() {
            Kinded::Text(text) if program.world.names.contains_key(program.texts.get(text)) => {
                let named = self.entity(program, value, "A relation")?;
                Ok(named.map_or(Value::NIL, Value::entity))
            }
            Kinded::List(list) => {
                let members: Vec<u64> = self.mem.members(list).to_vec();
                let held = members.into_iter().map(|member| self.held(program, prop, of, Value(member)));
                let held = held.collect::<Run<Vec<Value>>>()?;
                Ok(Value::list(self.mem.alloc(held)))
            }
            _ => Err(Stop::fault(format!(
                "“{}” is a relation: it holds entities, not {}.",
                program.layout.props[prop as usize].name,
                self.quoted(program, value)
            ))),
        }
    }

    fn only_entities(&self, value: Value) -> bool {
        match value.kinded() {
            Kinded::Nil | Kinded::Entity(_) => true,
            Kinded::List(list) => self.mem.members(list).iter().all(|&word| self.only_entities(Value(word))),
            Kinded::Dictionary(pairs) => {
                self.mem.members(pairs).iter().skip(1).step_by(2).all(|&word| self.only_entities(Value(word)))
            }
            _ => false,
        }
    }

    pub(crate) fn move_to(&mut self, program: &Program, thing: Value, place: Value) -> Run<()> {
        if let (Some(thing), Some(place)) = (thing.as_entity(), place.as_entity())
            && self.move_plainly(program, thing, place).is_some()
        {
            return Ok(());
        }
        let place = self.entity(program, place, "`move`")?;
        if let Kinded::List(_) | Kinded::Kind(_) = thing.kinded() {
            let list = self.members_of(program, thing)?;
            for word in self.mem.members(list).to_vec() {
                self.move_to(program, Value(word), place.map_or(Value::NIL, Value::entity))?;
            }
            return Ok(());
        }
        let Some(thing) = self.entity(program, thing, "`move`")? else { return Ok(()) };
        if let Some(place) = place {
            return self.put(program, thing, place);
        }
        // Moved to nil, it lies nowhere.
        if let Some(left) = self.take(program, thing)? {
            self.restock(program, left)?;
        }
        Ok(())
    }

    /// Moves what lies on top of one place to another, where neither counts or restocks what it holds. None if there is
    /// more to it; then nothing has happened.
    #[inline]
    fn move_plainly(&mut self, program: &Program, thing: EntityId, to: EntityId) -> Option<()> {
        let slot = |prop, entity| program.layout.slot(prop, entity);
        let plain = |kind: KindId| {
            let kind = &program.world.kinds[kind as usize];
            kind.capacity.is_none() && kind.supply.is_none()
        };
        let place_slot = slot(layout::PLACE, thing)?;
        let from = self.mem.get(place_slot).as_entity()?;
        let (top_slot, new_top_slot) = (slot(layout::TOP, from)?, slot(layout::TOP, to)?);
        let under_slot = slot(layout::UNDER, thing)?;
        // A place that lies somewhere itself could be made to lie in itself.
        let nested = slot(layout::PLACE, to).is_some_and(|slot| !self.mem.get(slot).is_nil());
        let simple = !nested
            && thing != to
            && self.mem.get(top_slot) == Value::entity(thing)
            && plain(self.kind_of(program, from))
            && plain(self.kind_of(program, to));
        if !simple {
            return None;
        }
        self.mem.set(top_slot, self.mem.get(under_slot));
        self.mem.set(under_slot, self.mem.get(new_top_slot));
        self.mem.set(new_top_slot, Value::entity(thing));
        self.mem.set(place_slot, Value::entity(to));
        Some(())
    }

    /// Lays a thing on top of a place.
    pub fn put(&mut self, program: &Program, thing: EntityId, place: EntityId) -> Run<()> {
        let mut around = Some(place);
        while let Some(inside) = around {
            if inside == thing {
                return Err(Stop::fault(format!("{} cannot lie in itself.", self.name(program, thing))));
            }
            around = self.prop(program, layout::PLACE, inside).as_entity();
        }
        if let Some(most) = program.world.kinds[self.kind_of(program, place) as usize].capacity {
            let here = self.contents(program, place);
            if here.len() as i64 >= most && !here.contains(&thing) {
                return Err(Stop::Refused { rule: RuleId::MAX, reason: Value::entity(place) });
            }
        }
        if let Some(left) = self.lay(program, thing, place)? {
            self.restock(program, left)?;
        }
        Ok(())
    }

    /// The thing becomes the top of a place, whether there is room or not; gives the place it has left.
    pub(crate) fn lay(&mut self, program: &Program, thing: EntityId, place: EntityId) -> Run<Option<EntityId>> {
        let left = self.take(program, thing)?;
        let (under, of) = (self.prop(program, layout::TOP, place), |prop, entity| program.layout.slot(prop, entity));
        let (Some(under_slot), Some(top_slot), Some(place_slot)) =
            (of(layout::UNDER, thing), of(layout::TOP, place), of(layout::PLACE, thing))
        else {
            return Err(Stop::fault("This cannot be moved."));
        };
        self.mem.set(under_slot, under);
        self.mem.set(top_slot, Value::entity(thing));
        self.mem.set(place_slot, Value::entity(place));
        Ok(left)
    }

    /// Takes a thing off its place; gives the place.
    fn take(&mut self, program: &Program, thing: EntityId) -> Run<Option<EntityId>> {
        let Some(place) = self.prop(program, layout::PLACE, thing).as_entity() else { return Ok(None) };
        let slot =
            |prop, entity| program.layout.slot(prop, entity).expect("things that lie somewhere have these slots");
        let under = self.prop(program, layout::UNDER, thing);
        let mut above = self.prop(program, layout::TOP, place);
        if above == Value::entity(thing) {
            self.mem.set(slot(layout::TOP, place), under);
        } else {
            while let Some(entity) = above.as_entity() {
                let next = self.prop(program, layout::UNDER, entity);
                if next == Value::entity(thing) {
                    self.mem.set(slot(layout::UNDER, entity), under);
                    break;
                }
                above = next;
            }
        }
        self.mem.set(slot(layout::PLACE, thing), Value::NIL);
        self.mem.set(slot(layout::UNDER, thing), Value::NIL);
        Ok(Some(place))
    }

    /// A supply that was emptied makes another thing.
    pub fn restock(&mut self, program: &Program, place: EntityId) -> Run<()> {
        let Some((kind, most)) = program.world.kinds[self.kind_of(program, place) as usize].supply else {
            return Ok(());
        };
        if !self.prop(program, layout::TOP, place).is_nil() {
            return Ok(());
        }
        if most.is_some_and(|most| self.things(program, kind).len() as i64 >= most) {
            return Ok(());
        }
        let thing = self.make(program, kind)?;
        self.put(program, thing, place)
    }

    pub(crate) fn remove(&mut self, program: &Program, thing: Value) -> Run<()> {
        if let Kinded::List(list) = thing.kinded() {
            for word in self.mem.members(list).to_vec() {
                self.remove(program, Value(word))?;
            }
            return Ok(());
        }
        let Some(thing) = self.entity(program, thing, "`remove`")? else { return Ok(()) };
        let fixed =
            program.world.entities.get(thing as usize).is_some_and(|known| known.board.is_some() || known.kind <= 1);
        if fixed {
            return Err(Stop::fault(format!("{} cannot leave the game.", self.name(program, thing))));
        }
        let left = self.prop(program, layout::PLACE, thing).as_entity();
        if left.is_some() {
            // It still knows where it lay: rules that run later in the same action may ask.
            let place = self.prop(program, layout::PLACE, thing);
            self.take(program, thing)?;
            self.mem.set(program.layout.slot(layout::PLACE, thing).expect("it lay somewhere"), place);
        }
        if let Some(slot) = program.layout.slot(layout::GONE, thing) {
            self.mem.set(slot, Value::TRUE);
            self.leaving.push(thing);
        }
        if let Some(left) = left {
            self.restock(program, left)?;
        }
        Ok(())
    }

    /// Whether a thing was removed in an earlier action: nobody can speak to it any more.
    #[inline]
    pub fn has_left(&self, program: &Program, entity: EntityId) -> bool {
        self.prop(program, layout::GONE, entity) == GONE_FOR_GOOD
    }

    /// What was removed has now left its place for good.
    pub fn let_go(&mut self, program: &Program) {
        if self.leaving.is_empty() {
            return;
        }
        // What has left the game is no part of the history any more.
        let tallied = self.is_tallied();
        while let Some(thing) = self.leaving.pop() {
            if !self.exists(program, thing) || !self.is_gone(program, thing) {
                continue;
            }
            // Nothing can read these any more, and equal positions should be equal memory.
            for prop in 0..program.layout.props.len() as PropId {
                if let Some(slot) =
                    program.layout.slot(prop, thing).filter(|_| program.layout.has(prop, self.kind_of(program, thing)))
                {
                    self.mem.set(slot, if prop == layout::GONE { GONE_FOR_GOOD } else { Value::NIL });
                }
            }
        }
        if tallied {
            self.stay_tallied();
        }
    }

    /// A new thing with the first values of its kind.
    pub fn make(&mut self, program: &Program, kind: KindId) -> Run<EntityId> {
        if kind <= 1 {
            return Err(Stop::fault("There is one game, and players are not made in play."));
        }
        let made = self.mem.get(layout::MADE).0;
        let entity = program.layout.first_made + made as u32;
        if entity as usize >= crate::world::MOST_ENTITIES {
            return Err(Stop::fault("Too many things were made."));
        }
        self.check_memory()?;
        self.mem.grow(program.layout.made_stride as usize);
        self.mem.slots[program.layout.made_block(entity) as usize] = u64::from(kind);
        self.mem.set(layout::MADE, Value(made + 1));
        if let Some(state) = &program.world.kinds[kind as usize].state
            && let Some(slot) = program.layout.slot(layout::STATE, entity)
        {
            let text = program.texts.find(state).expect("states are numbered");
            self.mem.set(slot, Value::text(text));
        }
        for &(prop, func) in &program.initial[kind as usize] {
            let value = self.call(program, func, &[Value::entity(entity)])?;
            let value = self.held(program, prop, entity, value)?;
            let slot = program.layout.slot(prop, entity).expect("made things have their kind's properties");
            self.mem.set(slot, value);
        }
        Ok(entity)
    }

    pub(super) fn new_thing(&mut self, program: &Program, base: usize, new: &New) -> Run<Value> {
        let kind = Value(self.regs[base + new.kind as usize]);
        let Kinded::Kind(kind) = kind.kinded() else {
            return Err(Stop::fault(format!("`new` needs a model, not {}.", self.quoted(program, kind))));
        };
        let entity = self.make(program, kind)?;
        for &(name, reg) in &new.with {
            let prop = program.layout.find(program.texts.get(name));
            // A property the kind does not have is left out: chess promotes to pieces that remember moving and others that do not.
            if let Some(prop) = prop.filter(|&prop| program.layout.has(prop, kind)) {
                self.set_prop(program, Value::entity(entity), prop, Value(self.regs[base + reg as usize]))?;
            }
        }
        if let Some(at) = new.at
            && let Some(place) = self.entity(program, Value(self.regs[base + at as usize]), "`new … at`")?
        {
            self.put(program, entity, place)?;
        }
        Ok(Value::entity(entity))
    }

    /// Whether an earlier thing is the same in everything, and no rule can tell them apart: that one stands for both.
    #[inline]
    pub fn has_twin_before(&self, program: &Program, entity: EntityId) -> bool {
        program.fixed.get(entity as usize) != Some(&true) && self.has_twin(program, entity)
    }

    fn has_twin(&self, program: &Program, entity: EntityId) -> bool {
        if program.twins.is_single(entity, self.kind_of(program, entity)) {
            return false;
        }
        let place = self.prop(program, layout::PLACE, entity);
        // What lies alone has no rival.
        if let Some(place) = place.as_entity()
            && self.prop(program, layout::TOP, place) == Value::entity(entity)
            && self.prop(program, layout::UNDER, entity).is_nil()
        {
            return false;
        }
        self.has_rival_before(program, entity, place)
    }

    fn has_rival_before(&self, program: &Program, entity: EntityId, place: Value) -> bool {
        let kind = self.kind_of(program, entity);
        let rivals: Vec<EntityId> = match place.as_entity() {
            Some(place) => self.contents(program, place),
            None => self.things(program, kind),
        };
        let like = |&other: &EntityId| other == entity || self.is_like(program, entity, other);
        let before = |other: EntityId| other < entity && !program.twins.is_single(other, kind);
        let found = match place.is_nil() {
            true => rivals.iter().filter(|other| like(other)).any(|&other| before(other)),
            // In a stack only those count between whom nobody else lies: above or below him they would not be the same.
            false => {
                let at = rivals.iter().position(|&other| other == entity).unwrap_or(0);
                let (under, over) = rivals.split_at(at);
                let under = under.iter().rev().take_while(|other| like(other));
                under.chain(over.iter().take_while(|other| like(other))).any(|&other| before(other))
            }
        };
        found && !self.is_kept(program, |other| other == entity || self.is_like(program, entity, other))
    }

    /// Whether two things are equal in everything but their number.
    fn is_like(&self, program: &Program, entity: EntityId, other: EntityId) -> bool {
        self.kind_of(program, other) == self.kind_of(program, entity)
            && (0..program.layout.props.len() as PropId)
                .filter(|&prop| prop != layout::UNDER && prop != layout::TOP)
                .all(|prop| self.equal(self.prop(program, prop, entity), self.prop(program, prop, other)))
            && self.prop(program, layout::TOP, entity).is_nil()
            && self.prop(program, layout::TOP, other).is_nil()
    }

    /// Whether some property holds one of these things, or a list with one of them.
    fn is_kept(&self, program: &Program, wanted: impl Fn(EntityId) -> bool) -> bool {
        let n = program.layout.first_made + self.mem.get(layout::MADE).0 as u32;
        let props = (0..program.layout.props.len() as PropId)
            .filter(|prop| ![layout::UNDER, layout::TOP, layout::PLACE, layout::OWNER].contains(prop))
            .filter(|&prop| program.twins.tells(&program.layout.props[prop as usize].name));
        let mut open: Vec<u64> = props
            .flat_map(|prop| (0..n).map(move |of| (prop, of)))
            .map(|(prop, of)| self.prop(program, prop, of).0)
            .collect();
        while let Some(word) = open.pop() {
            match Value(word).kinded() {
                Kinded::Entity(entity) if wanted(entity) => return true,
                Kinded::List(list) | Kinded::Dictionary(list) => open.extend_from_slice(self.mem.members(list)),
                // Its label and the rules it was found without are no values.
                Kinded::Message(message) => {
                    let words = self.mem.members(message);
                    open.push(words[1]);
                    open.extend_from_slice(&words[super::messages::MESSAGE_HEAD..]);
                }
                _ => {}
            }
        }
        false
    }
}
