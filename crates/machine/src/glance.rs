//! The machine's memory as views are made of it.

use crate::layout;
use crate::program::Program;
use crate::value::{Kinded, Value};
use crate::view::{Glance, Told};
use crate::vm::Machine;
use crate::world::{EntityId, KindId, World};
use houserules_model::Expr;

pub(crate) struct MachineGlance<'a> {
    pub program: &'a Program,
    pub machine: &'a mut Machine,
}

impl MachineGlance<'_> {
    fn told(&self, value: Value) -> Told {
        let all = |offset| self.machine.mem.members(offset).iter().map(|&word| self.told(Value(word)));
        match value.kinded() {
            Kinded::Nil => Told::Nil,
            Kinded::True => Told::True,
            Kinded::Entity(entity) => Told::Entity(entity),
            Kinded::List(list) => Told::List(all(list).collect()),
            Kinded::Dictionary(pairs) => Told::Pairs(
                self.machine
                    .mem
                    .members(pairs)
                    .chunks(2)
                    .map(|pair| (self.told(Value(pair[0])), self.told(Value(pair[1]))))
                    .collect(),
            ),
            _ => Told::Text(self.machine.show(self.program, value)),
        }
    }
}

impl Glance for MachineGlance<'_> {
    fn world(&self) -> &World {
        &self.program.world
    }

    fn n_things(&self) -> EntityId {
        self.program.layout.first_made + self.machine.mem.get(layout::MADE).0 as u32
    }

    fn kind_of(&self, entity: EntityId) -> KindId {
        self.machine.kind_of(self.program, entity)
    }

    fn name(&self, entity: EntityId) -> String {
        self.machine.name(self.program, entity)
    }

    fn is_gone(&self, entity: EntityId) -> bool {
        self.machine.is_gone(self.program, entity)
    }

    fn state(&self, entity: EntityId) -> String {
        self.machine.show(self.program, self.machine.state(self.program, entity))
    }

    fn owner(&self, entity: EntityId) -> Option<EntityId> {
        self.machine.prop(self.program, layout::OWNER, entity).as_entity()
    }

    fn place(&self, entity: EntityId) -> Option<EntityId> {
        self.machine.prop(self.program, layout::PLACE, entity).as_entity()
    }

    fn contents(&self, entity: EntityId) -> Vec<EntityId> {
        self.machine.contents(self.program, entity)
    }

    fn first_player(&self) -> Option<EntityId> {
        self.machine.first_player().as_entity()
    }

    fn order(&self) -> Vec<EntityId> {
        self.machine.ring().filter_map(Value::as_entity).collect()
    }

    fn out(&self) -> Vec<EntityId> {
        let world = &self.program.world;
        // Who goes while so many are in gets that rank.
        let rank = |seat: u32| self.machine.mem.slots[self.program.layout.rank(seat) as usize];
        let mut out: Vec<(u64, EntityId)> = (0..world.n_seats)
            .map(|seat| (rank(seat), world.seat_entity(seat)))
            .filter(|&(rank, player)| rank > 0 && !self.machine.still_plays(player))
            .collect();
        out.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        out.into_iter().map(|(_, player)| player).collect()
    }

    fn recurrence(&self) -> Vec<usize> {
        let n = self.machine.mem.slots[layout::SEEN as usize] as usize;
        houserules_walker::meaning::recurrence(&self.machine.mem.history[..n])
    }

    fn property(&self, entity: EntityId, name: &str) -> Told {
        match self.program.layout.find(name) {
            Some(prop) => self.told(self.machine.prop(self.program, prop, entity)),
            None => Told::Nil,
        }
    }

    fn computed(&mut self, expr: &Expr, of: EntityId) -> Option<Told> {
        let kind = self.kind_of(of) as usize;
        let (_, by_kind) = self.program.sights.iter().find(|(known, _)| known == expr)?;
        let value = self.machine.call(self.program, by_kind[kind]?, &[Value::entity(of)]).ok()?;
        Some(self.told(value))
    }
}
