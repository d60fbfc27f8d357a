//! What one viewer may know of a position.

use super::run::{Frame, Runner};
use super::state::Life;
use super::value::Value;
use crate::world::{BoardLayout as Layout, EntityId, GAME_KIND, PLAYER_KIND};
use houserules_kernel::{BoardView, CellView, Mark, SeatId, Shape, Shown, ThingView, View, Viewer};
use houserules_model::{Name, Sight};

pub fn of(runner: &mut Runner, viewer: Viewer) -> View {
    let mut looker = Looker { runner, viewer };
    let n_boards = looker.runner.book.world.boards.len();
    let boards = (0..n_boards).map(|board| looker.board(board)).collect();
    let mut facts = Vec::new();
    let mut things = Vec::new();
    for entity in 0..looker.runner.state.things.len() as EntityId {
        let thing = looker.runner.state.thing(entity);
        if thing.life != Life::Here || looker.runner.book.board(entity).is_some() {
            continue;
        }
        let fact = thing.kind == GAME_KIND || thing.kind == PLAYER_KIND;
        // A thing that lies somewhere shows in what it lies in.
        if fact {
            facts.push(looker.thing(entity));
        } else if thing.place.is_none() {
            things.push(looker.thing(entity));
        }
    }
    let turn = looker.runner.state.first();
    View { boards, facts, things, turn: turn.and_then(|player| looker.seat(player)) }
}

struct Looker<'r, 'a> {
    runner: &'r mut Runner<'a>,
    viewer: Viewer,
}

impl Looker<'_, '_> {
    fn seat(&self, player: EntityId) -> Option<SeatId> {
        let seat = self.runner.book.world.entity_seat(player);
        seat.map(|seat| SeatId(seat as u8))
    }

    /// Whether the viewer is among those who may see something of an entity.
    fn may(&mut self, sight: Option<&Sight>, of: EntityId) -> bool {
        let Some(sight) = sight else { return true };
        let player = match self.viewer {
            Viewer::All => return true,
            Viewer::Public => None,
            Viewer::Seat(seat) => Some(self.runner.book.world.seat_entity(seat.0.into())),
        };
        match sight {
            Sight::Everyone => true,
            Sight::Nobody => false,
            Sight::Myself => player == Some(of),
            Sight::Owner => player.is_some() && self.runner.state.thing(of).owner == player,
            Sight::Those(expr) => {
                let mut frame = Frame::new(of, None);
                let those = self.runner.eval(expr, &mut frame);
                let those = those.and_then(|value| self.runner.as_entities(&value));
                player.is_some_and(|player| those.is_ok_and(|those| those.contains(&player)))
            }
        }
    }

    /// Whether the viewer may see that a thing is there, and which: the place it lies in says so.
    fn sees_contents(&mut self, place: EntityId) -> bool {
        let kind = self.runner.state.thing(place).kind as usize;
        let sight = self.runner.book.world.kinds[kind].seen.clone();
        self.may(sight.as_ref(), place)
    }

    fn counts_contents(&mut self, place: EntityId) -> bool {
        let kind = self.runner.state.thing(place).kind as usize;
        let sight = self.runner.book.world.kinds[kind].counted.clone();
        self.may(sight.as_ref(), place)
    }

    fn properties(&mut self, entity: EntityId) -> Vec<(String, Shown)> {
        let kind = self.runner.state.thing(entity).kind as usize;
        let declared = &self.runner.book.world.kinds[kind].properties;
        let all: Vec<(Name, Value)> = self.runner.state.thing(entity).properties.clone().into_iter().collect();
        let mut shown = Vec::new();
        for (name, value) in all {
            let sight = declared.iter().find(|property| property.name == name);
            let sight = sight.and_then(|property| property.seen.clone());
            // What may not be seen looks the same whether there is something or not.
            let value = if self.may(sight.as_ref(), entity) { Shown::Value(self.told(&value)) } else { Shown::Hidden };
            shown.push((name.to_string(), value));
        }
        shown
    }

    /// A value in words, without the names of things the viewer may not know.
    fn told(&mut self, value: &Value) -> String {
        match value {
            Value::Entity(entity) => {
                let place = self.runner.state.thing(*entity).place;
                if place.is_some_and(|place| !self.sees_contents(place)) { "?".into() } else { self.runner.told(value) }
            }
            Value::List(list) => {
                let members: Vec<String> = list.iter().map(|member| self.told(member)).collect();
                format!("({})", members.join(" "))
            }
            Value::Dictionary(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{} {}", self.told(key), self.told(value))).collect();
                format!("({})", entries.join(", "))
            }
            other => self.runner.told(other),
        }
    }

    fn thing(&mut self, entity: EntityId) -> ThingView {
        let thing = self.runner.state.thing(entity);
        let (name, kind, owner, held) = (thing.name.clone(), thing.kind, thing.owner, thing.contents.clone());
        let contents = self
            .sees_contents(entity)
            .then(|| held.iter().map(|&inner| self.runner.state.thing(inner).name.to_string()).collect());
        let counted = contents.is_some() || self.counts_contents(entity);
        ThingView {
            name: name.to_string(),
            kind: self.runner.book.world.kinds[kind as usize].name.to_string(),
            owner: owner.and_then(|owner| self.seat(owner)),
            properties: self.properties(entity),
            contents,
            count: counted.then_some(held.len() as u32),
        }
    }

    fn board(&mut self, board: usize) -> BoardView {
        let info = self.runner.book.world.boards[board].clone();
        let shape = match info.layout {
            Layout::Grid { width, height } => Shape::Grid { width, height },
            Layout::Hexes { width, height } => Shape::Hexes { width, height },
            Layout::Ring => Shape::Ring { n: info.n },
            Layout::Track => Shape::Track { n: info.n },
            Layout::Graph => Shape::Graph,
        };
        let cells = (info.first..info.first + info.n)
            .map(|place| self.cell(place, info.first, info.layout == Layout::Graph))
            .collect();
        BoardView { name: info.name.to_string(), shape, owner: self.seat(info.owner), cells }
    }

    fn cell(&mut self, place: EntityId, first: EntityId, graph: bool) -> CellView {
        let world = &self.runner.book.world;
        let fixed = &world.entities[place as usize];
        let linked = match world.directions.find("linked") {
            Some(linked) if graph => world.directions.steps(linked, place).iter().map(|&to| to - first).collect(),
            _ => Vec::new(),
        };
        let (name, at) = (fixed.name.to_string(), (fixed.column, fixed.row));
        let n = self.runner.state.thing(place).contents.len() as u32;
        let counted = self.sees_contents(place) || self.counts_contents(place);
        CellView {
            name,
            at,
            mark: self.mark(place),
            count: counted.then_some(n),
            properties: self.properties(place),
            linked,
        }
    }

    /// The sign of the top piece; else the first letter of a player held in a property; else the only property.
    fn mark(&mut self, place: EntityId) -> Mark {
        if self.sees_contents(place)
            && let Some(&top) = self.runner.state.thing(place).contents.last()
        {
            return self.piece(top);
        }
        let kind = self.runner.state.thing(place).kind as usize;
        let declared = self.runner.book.world.kinds[kind].properties.clone();
        let mut seen = Vec::new();
        for property in declared.iter().filter(|property| &*property.name != "owner") {
            if self.may(property.seen.as_ref(), place) {
                seen.extend(self.runner.state.thing(place).properties.get(&property.name).cloned());
            }
        }
        for value in &seen {
            if let Some(seat) = value.entity().and_then(|entity| self.seat(entity)) {
                let sign = self.runner.told(value).chars().take(1).collect();
                return Mark { sign, seat: Some(seat) };
            }
        }
        match seen.as_slice() {
            [only @ (Value::Whole(_) | Value::Decimal(_) | Value::Text(_))] => Mark {
                sign: self.runner.told(only),
                seat: self.runner.state.thing(place).owner.and_then(|owner| self.seat(owner)),
            },
            _ => Mark::default(),
        }
    }

    fn piece(&self, piece: EntityId) -> Mark {
        let thing = self.runner.state.thing(piece);
        let kind = &self.runner.book.world.kinds[thing.kind as usize];
        let seat = thing.owner.and_then(|owner| self.seat(owner));
        let signs = kind
            .symbols
            .iter()
            .find(|signs| signs.state.as_ref() == Some(&thing.state))
            .or_else(|| kind.symbols.iter().find(|signs| signs.state.is_none()));
        let sign = signs.and_then(|signs| match signs.signs.as_slice() {
            [only] => Some(only),
            many => many.get(seat?.0 as usize),
        });
        let sign = sign.map_or_else(|| kind.name.chars().take(1).collect(), |sign| sign.to_string());
        Mark { sign, seat }
    }
}
