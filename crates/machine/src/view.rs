//! What one viewer may know of a position.

use crate::layout;
use crate::position::MachinePosition;
use crate::program::Program;
use crate::value::{Kinded, Value};
use crate::vm::Machine;
use crate::world::{BoardLayout, EntityId, GAME};
use houserules_kernel::{BoardView, CellView, Mark, SeatId, Shape, Shown, ThingView, View, Viewer};
use houserules_model::{Property, Sight};

pub(crate) fn of_position(position: &mut MachinePosition, viewer: Viewer) -> View {
    let program = position.program.clone();
    let heap = position.machine.mem.heap.len();
    position.machine.reset_budget(&program);
    let turn = position.machine.first_player().as_entity().and_then(|player| program.world.entity_seat(player));
    let mut looker = Looker { program: &program, machine: &mut position.machine, viewer };
    let view = View {
        boards: (0..program.world.boards.len()).map(|board| looker.board(board)).collect(),
        facts: (0..=program.world.n_seats).map(|entity| looker.thing(entity)).collect(),
        things: looker.loose(),
        turn: turn.map(|seat| SeatId(seat as u8)),
    };
    position.machine.mem.heap.truncate(heap);
    view
}

struct Looker<'a> {
    program: &'a Program,
    machine: &'a mut Machine,
    viewer: Viewer,
}

impl Looker<'_> {
    /// Whether the viewer is among those who may see something of a thing.
    fn may(&mut self, sight: &Option<Sight>, of: EntityId) -> bool {
        let seat = match self.viewer {
            Viewer::All => return true,
            Viewer::Public => None,
            Viewer::Seat(seat) => Some(Value::entity(1 + u32::from(seat.0))),
        };
        match sight {
            None | Some(Sight::Everyone) => true,
            Some(Sight::Nobody) => false,
            Some(Sight::Myself) => seat == Some(Value::entity(of)),
            Some(Sight::Owner) => {
                let owner = self.machine.prop(self.program, layout::OWNER, of);
                !owner.is_nil() && seat == Some(owner)
            }
            Some(Sight::Those(expr)) => self.is_among(expr, of, seat),
        }
    }

    /// `seen by` a property of the thing that holds a player or a list of players.
    fn is_among(&mut self, expr: &houserules_model::Expr, of: EntityId, seat: Option<Value>) -> bool {
        let Some(seat) = seat else { return false };
        let Some(func) = self.program.sights.iter().find(|(known, _)| known == expr).map(|(_, func)| func) else {
            return false;
        };
        let kind = self.machine.kind_of(self.program, of) as usize;
        let Some(func) = func.get(kind).copied().flatten() else { return false };
        match self.machine.call(self.program, func, &[Value::entity(of)]) {
            Ok(value) => match value.kinded() {
                Kinded::List(list) => self.machine.mem.members(list).contains(&seat.0),
                _ => value == seat,
            },
            // What cannot be decided is not shown.
            Err(_) => false,
        }
    }

    fn properties(&mut self, entity: EntityId) -> Vec<(String, Shown)> {
        let kind = self.machine.kind_of(self.program, entity);
        let definitions: Vec<Property> = self.program.world.kinds[kind as usize].properties.clone();
        let mut shown = Vec::new();
        for property in &definitions {
            let Some(prop) = self.program.layout.find(&property.name) else { continue };
            if !self.may(&property.seen, entity) {
                shown.push((property.name.to_string(), Shown::Hidden));
                continue;
            }
            let value = self.machine.prop(self.program, prop, entity);
            if !value.is_nil() {
                shown.push((property.name.to_string(), Shown::Value(self.machine.show(self.program, value))));
            }
        }
        if let Some(score) = self.program.layout.find("score")
            && self.program.world.entity_seat(entity).is_some()
            && !definitions.iter().any(|property| &*property.name == "score")
        {
            let value = self.machine.prop(self.program, score, entity);
            shown.push(("score".into(), Shown::Value(self.machine.show(self.program, value))));
        }
        shown
    }

    fn owner(&self, entity: EntityId) -> Option<SeatId> {
        let owner = self.machine.prop(self.program, layout::OWNER, entity).as_entity()?;
        self.program.world.entity_seat(owner).map(|seat| SeatId(seat as u8))
    }

    /// What lies in a place: the things, and how many, each only for those who may know.
    fn contents(&mut self, place: EntityId) -> (Option<Vec<EntityId>>, Option<u32>) {
        let kind = self.machine.kind_of(self.program, place) as usize;
        let (seen, counted) =
            (self.program.world.kinds[kind].seen.clone(), self.program.world.kinds[kind].counted.clone());
        let contents = self.machine.contents(self.program, place);
        let n = contents.len() as u32;
        let counted = self.may(&counted, place).then_some(n);
        (self.may(&seen, place).then_some(contents), counted)
    }

    fn board(&mut self, at: usize) -> BoardView {
        let info = &self.program.world.boards[at];
        let shape = match info.layout {
            BoardLayout::Grid { width, height } => Shape::Grid { width, height },
            BoardLayout::Hexes { width, height } => Shape::Hexes { width, height },
            BoardLayout::Ring => Shape::Ring { n: info.n },
            BoardLayout::Track => Shape::Track { n: info.n },
            BoardLayout::Graph => Shape::Graph,
        };
        let (first, n, owner) = (info.first, info.n, info.owner);
        let cells =
            (first..first + n).map(|place| self.cell(place, first, info.layout == BoardLayout::Graph)).collect();
        BoardView {
            name: info.name.to_string(),
            shape,
            owner: self.program.world.entity_seat(owner).map(|seat| SeatId(seat as u8)),
            cells,
        }
    }

    fn cell(&mut self, place: EntityId, first: EntityId, graph: bool) -> CellView {
        let thing = &self.program.world.entities[place as usize];
        let linked = match self.program.world.directions.find("linked") {
            Some(linked) if graph => {
                self.program.world.directions.steps(linked, place).iter().map(|&other| other - first).collect()
            }
            _ => Vec::new(),
        };
        let (contents, count) = self.contents(place);
        let mark = match contents.as_deref() {
            Some([.., top]) => self.sign(*top),
            _ => self.property_mark(place),
        };
        CellView {
            name: thing.name.to_string(),
            at: (thing.column, thing.row),
            mark,
            count: count.filter(|&count| count > 1),
            properties: self.properties(place),
            linked,
        }
    }

    /// How a thing is drawn: its sign, or the first letter of its kind.
    fn sign(&self, entity: EntityId) -> Mark {
        let kind = &self.program.world.kinds[self.machine.kind_of(self.program, entity) as usize];
        let seat = self.owner(entity);
        let state = self.machine.state(self.program, entity);
        let in_state = kind.symbols.iter().find(|signs| {
            signs
                .state
                .as_ref()
                .is_some_and(|wanted| self.program.texts.find(wanted).is_some_and(|text| Value::text(text) == state))
        });
        let signs = in_state.or_else(|| kind.symbols.iter().find(|signs| signs.state.is_none()));
        let sign = signs.and_then(|signs| match (signs.signs.len(), seat) {
            (1, _) | (_, None) => signs.signs.first(),
            (_, Some(seat)) => signs.signs.get(seat.0 as usize),
        });
        Mark { sign: sign.map_or_else(|| kind.name.chars().take(1).collect(), |sign| sign.to_string()), seat }
    }

    /// A place without things shows its first property that has something to show.
    fn property_mark(&mut self, place: EntityId) -> Mark {
        let kind = self.machine.kind_of(self.program, place);
        for property in &self.program.world.kinds[kind as usize].properties.clone() {
            let Some(prop) = self.program.layout.find(&property.name) else { continue };
            if !self.may(&property.seen, place) {
                continue;
            }
            let value = self.machine.prop(self.program, prop, place);
            match value.kinded() {
                Kinded::Nil => {}
                Kinded::Entity(entity) => {
                    let name = self.machine.name(self.program, entity);
                    let seat = self
                        .program
                        .world
                        .entity_seat(entity)
                        .map(|seat| SeatId(seat as u8))
                        .or_else(|| self.owner(entity));
                    return Mark { sign: name.chars().take(1).collect(), seat };
                }
                Kinded::True => return Mark { sign: property.name.chars().take(1).collect(), seat: None },
                _ => return Mark { sign: self.machine.show(self.program, value), seat: self.owner(place) },
            }
        }
        Mark::default()
    }

    fn thing(&mut self, entity: EntityId) -> ThingView {
        let (contents, count) = if entity == GAME { (None, None) } else { self.contents(entity) };
        ThingView {
            name: self.machine.name(self.program, entity),
            kind: self.program.world.kinds[self.machine.kind_of(self.program, entity) as usize].name.to_string(),
            owner: self.owner(entity),
            properties: self.properties(entity),
            contents: contents
                .filter(|contents| !contents.is_empty())
                .map(|contents| contents.into_iter().map(|thing| self.describe(thing)).collect()),
            count: count.filter(|&count| count > 0),
        }
    }

    /// A thing in a hand or pile, with what tells it apart.
    fn describe(&self, entity: EntityId) -> String {
        self.machine.name(self.program, entity)
    }

    /// Things that lie on no board and in no other thing.
    fn loose(&mut self) -> Vec<ThingView> {
        let made = self.machine.mem.get(layout::MADE).0 as u32;
        let all = 1 + self.program.world.n_seats..self.program.layout.first_made + made;
        let mut things = Vec::new();
        for entity in all {
            let on_board = self.program.world.entities.get(entity as usize).is_some_and(|thing| thing.board.is_some());
            let lies = !self.machine.prop(self.program, layout::PLACE, entity).is_nil();
            if !on_board && !lies && !self.machine.is_gone(self.program, entity) {
                things.push(self.thing(entity));
            }
        }
        things
    }
}
