//! Boards: places, their names, and which place lies in which direction.

use super::*;
use crate::constant;
use houserules_model::Shape as ShapeDef;
use std::collections::btree_map::Entry;

/// Relative directions, clockwise from straight ahead.
pub const RELATIVE: [&str; 8] =
    ["forward", "forward-right", "right", "backward-right", "backward", "backward-left", "left", "forward-left"];
const RELATIVE_SETS: [(&str, &[usize]); 3] =
    [("forwards", &[7, 0, 1]), ("forward-diagonal", &[7, 1]), ("backward-diagonal", &[5, 3])];

const COMPASS: [(&str, i32, i32); 8] = [
    ("north", 0, 1),
    ("northeast", 1, 1),
    ("east", 1, 0),
    ("southeast", 1, -1),
    ("south", 0, -1),
    ("southwest", -1, -1),
    ("west", -1, 0),
    ("northwest", -1, 1),
];
/// Clockwise from northeast; a row up keeps the column, so that columns slant.
const HEXES: [(&str, i32, i32); 6] = [
    ("northeast", 0, 1),
    ("east", 1, 0),
    ("southeast", 1, -1),
    ("southwest", 0, -1),
    ("west", -1, 0),
    ("northwest", -1, 1),
];

#[derive(Clone, PartialEq, Debug)]
pub struct BoardInfo {
    pub name: Name,
    pub kind: KindId,
    pub first: EntityId,
    pub n: u32,
    pub layout: Layout,
    pub owner: EntityId,
    /// Directions clockwise, for turning and for lines.
    pub compass: Vec<DirId>,
    /// On graphs: straight lines, as linked.
    pub lines: Vec<Vec<EntityId>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    Grid {
        width: u32,
        height: u32,
    },
    /// A grid of which places were cut away: they are not numbered row by row without gaps.
    Cut {
        width: u32,
        height: u32,
    },
    Hexes {
        width: u32,
        height: u32,
    },
    Ring,
    Track,
    Graph,
}

/// All directions of all boards.
#[derive(Clone, Debug, Default)]
pub struct Directions {
    pub names: Vec<Name>,
    /// For each direction and entity, the places one step on. At most one, except where a graph links several.
    steps: Vec<Vec<Vec<EntityId>>>,
    pub opposite: Vec<Option<DirId>>,
    /// Whether some place has several neighbours in this direction: then its value is a list.
    pub many: Vec<bool>,
    /// Named sets, for each board.
    sets: Vec<(Name, Vec<Vec<DirId>>)>,
    /// For each seat, the direction it faces on each board.
    pub facing: Vec<Vec<Option<DirId>>>,
}

impl Directions {
    pub fn find(&self, name: &str) -> Option<DirId> {
        self.names.iter().position(|known| &**known == name).map(|at| at as DirId)
    }

    pub fn is_set(&self, name: &str) -> bool {
        self.sets.iter().any(|(known, _)| &**known == name)
    }

    pub fn set_names(&self) -> impl Iterator<Item = &Name> {
        self.sets.iter().map(|(name, _)| name)
    }

    pub fn is_relative(name: &str) -> bool {
        RELATIVE.contains(&name)
    }

    pub fn is_relative_set(name: &str) -> bool {
        RELATIVE_SETS.iter().any(|(known, _)| *known == name)
    }

    /// The directions of a set on one board.
    pub fn set(&self, name: &str, board: usize) -> &[DirId] {
        self.sets.iter().find(|(known, _)| &**known == name).map_or(&[], |(_, boards)| &boards[board])
    }

    /// Which of [`RELATIVE`] a relative word stands for.
    pub fn relative(name: &str) -> Vec<usize> {
        match RELATIVE.iter().position(|known| *known == name) {
            Some(turn) => vec![turn],
            None => {
                RELATIVE_SETS.iter().find(|(known, _)| *known == name).map_or(Vec::new(), |(_, turns)| turns.to_vec())
            }
        }
    }

    pub fn steps(&self, direction: DirId, from: EntityId) -> &[EntityId] {
        self.steps[direction as usize].get(from as usize).map_or(&[], |places| places)
    }

    /// What a way from one place to the next is called besides `direction`; empty where it has no other name.
    pub fn called(&self, direction: DirId, from: EntityId, to: EntityId) -> String {
        let is_it = |&other: &DirId| other != direction && self.steps(other, from).contains(&to);
        let other = (0..self.names.len() as DirId).find(is_it);
        other.map_or(String::new(), |other| self.names[other as usize].to_string())
    }

    pub fn step(&self, direction: DirId, from: EntityId) -> EntityId {
        self.steps(direction, from).first().copied().unwrap_or(NOBODY)
    }

    /// The absolute direction of a relative one on a board, for a seat.
    pub fn turned(&self, board: &BoardInfo, board_idx: usize, seat: usize, turn: usize) -> Option<DirId> {
        let facing = self.facing.get(seat)?[board_idx]?;
        let at = board.compass.iter().position(|&direction| direction == facing)?;
        let n = board.compass.len();
        let turns = match n {
            8 => turn,
            6 => match turn {
                0 | 1 => turn,
                2 | 6 => return None,
                3..=5 => turn - 1,
                _ => 5,
            },
            2 if turn == 0 => 0,
            2 if turn == 4 => 1,
            _ => return None,
        };
        Some(board.compass[(at + turns) % n])
    }

    fn ensure(&mut self, name: &str, n_entities: usize) -> DirId {
        let at = self.find(name).unwrap_or_else(|| {
            self.names.push(name.into());
            self.steps.push(Vec::new());
            self.opposite.push(None);
            self.many.push(false);
            (self.names.len() - 1) as DirId
        });
        let steps = &mut self.steps[at as usize];
        if steps.len() < n_entities {
            steps.resize(n_entities, Vec::new());
        }
        at
    }

    fn join(&mut self, direction: DirId, from: EntityId, to: EntityId) {
        let steps = &mut self.steps[direction as usize];
        if steps.len() <= from as usize {
            steps.resize(from as usize + 1, Vec::new());
        }
        let places = &mut steps[from as usize];
        if !places.contains(&to) {
            places.push(to);
        }
        if places.len() > 1 {
            self.many[direction as usize] = true;
        }
    }

    fn put_set(&mut self, name: &str, board: usize, directions: Vec<DirId>) {
        let at = self.sets.iter().position(|(known, _)| &**known == name).unwrap_or_else(|| {
            self.sets.push((name.into(), Vec::new()));
            self.sets.len() - 1
        });
        let boards = &mut self.sets[at].1;
        boards.resize(boards.len().max(board + 1), Vec::new());
        boards[board] = directions;
    }

    fn oppose(&mut self, left: DirId, right: DirId) {
        self.opposite[left as usize] = Some(right);
        self.opposite[right as usize] = Some(left);
    }
}

/// Makes the places of one board and joins them.
pub fn make(
    world: &mut World,
    board: &Board,
    links: &[&Link],
    spots: &[&Spot],
    owner: EntityId,
    size: &dyn Fn(&Expr) -> Result<u32, Diagnostic>,
    origin: Origin,
) -> Result<(), Diagnostic> {
    let kind = world.kind(&board.model).ok_or_else(|| unknown_model(world, &board.model, origin))?;
    let index = world.boards.len();
    let first = world.entities.len() as EntityId;
    let mut maker = Maker { world, kind, index: index as u16, owner, board, places: BTreeMap::new() };
    let (layout, compass) = match &board.shape {
        ShapeDef::Grid { width, height, wrapping } => {
            let (width, height) = (size(width)?, size(height)?);
            maker.room(u64::from(width) * u64::from(height), origin)?;
            maker.cells((1..=height as i32).flat_map(|row| (1..=width as i32).map(move |column| (column, row))))?;
            let wrap = wrapping.then_some((width as i32, height as i32));
            let whole = maker.places.len() as u64 == u64::from(width) * u64::from(height);
            let layout = if whole { Layout::Grid { width, height } } else { Layout::Cut { width, height } };
            (layout, maker.compass(&COMPASS, wrap))
        }
        ShapeDef::Rhombus { width, height } => {
            let (width, height) = (size(width)?, size(height)?);
            maker.room(u64::from(width) * u64::from(height), origin)?;
            maker.cells((1..=height as i32).flat_map(|row| (1..=width as i32).map(move |column| (column, row))))?;
            (Layout::Hexes { width, height }, maker.compass(&HEXES, None))
        }
        ShapeDef::Hex { side } => {
            let side = size(side)?;
            maker.room(3 * u64::from(side) * u64::from(side), origin)?;
            let n = side as i32;
            maker.cells((1..2 * n).flat_map(move |row| {
                (1..2 * n).filter(move |column| (column + row - 2 * n).abs() < n).map(move |column| (column, row))
            }))?;
            (Layout::Hexes { width: 2 * side - 1, height: 2 * side - 1 }, maker.compass(&HEXES, None))
        }
        ShapeDef::Triangle { side } => {
            let side = size(side)?;
            maker.room(u64::from(side) * u64::from(side), origin)?;
            let n = side as i32;
            maker.cells((1..=n).flat_map(move |row| (1..=n + 1 - row).map(move |column| (column, row))))?;
            (Layout::Hexes { width: side, height: side }, maker.compass(&HEXES, None))
        }
        ShapeDef::Ring { n } | ShapeDef::Track { n } => {
            let n = size(n)?;
            maker.room(u64::from(n), origin)?;
            let ring = matches!(board.shape, ShapeDef::Ring { .. });
            let compass = maker.track(n, ring);
            (if ring { Layout::Ring } else { Layout::Track }, compass)
        }
        ShapeDef::Graph => (Layout::Graph, Vec::new()),
    };
    let lines = if layout == Layout::Graph { maker.graph(links, spots, origin)? } else { Vec::new() };
    let n = world.entities.len() as u32 - first;
    let name = board.name.clone().unwrap_or_else(|| board.model.clone());
    put_sets(&mut world.directions, index, layout, &compass);
    for seat in 0..world.n_seats as usize {
        let facing = default_facing(layout, seat, world.n_seats as usize).and_then(|name| world.directions.find(name));
        let facings = &mut world.directions.facing;
        facings.resize(facings.len().max(seat + 1), Vec::new());
        facings[seat].push(facing);
    }
    world.boards.push(BoardInfo { name, kind, first, n, layout, owner, compass, lines });
    Ok(())
}

fn put_sets(directions: &mut Directions, board: usize, layout: Layout, compass: &[DirId]) {
    let even: Vec<DirId> = compass.iter().step_by(2).copied().collect();
    let odd: Vec<DirId> = compass.iter().skip(1).step_by(2).copied().collect();
    let (orthogonal, diagonal) = match layout {
        Layout::Grid { .. } | Layout::Cut { .. } => (even, odd),
        Layout::Graph => (directions.find("linked").into_iter().collect(), Vec::new()),
        _ => (compass.to_vec(), Vec::new()),
    };
    let adjacent =
        if matches!(layout, Layout::Grid { .. } | Layout::Cut { .. }) { compass.to_vec() } else { orthogonal.clone() };
    directions.put_set("adjacent", board, adjacent);
    directions.put_set("orthogonal", board, orthogonal);
    directions.put_set("diagonal", board, diagonal);
}

fn default_facing(layout: Layout, seat: usize, n_seats: usize) -> Option<&'static str> {
    match layout {
        Layout::Grid { .. } | Layout::Cut { .. } if n_seats == 2 => Some(["north", "south"][seat]),
        Layout::Grid { .. } | Layout::Cut { .. } => Some(["north", "east", "south", "west"][seat % 4]),
        Layout::Hexes { .. } => Some(["northeast", "southwest", "east", "west", "northwest", "southeast"][seat % 6]),
        Layout::Ring | Layout::Track => Some("next"),
        Layout::Graph => None,
    }
}

/// `#directions NAME …`: a set of new or known directions.
pub fn named_directions(
    world: &mut World,
    name: &Name,
    paths: &DirectionPaths,
    size: &dyn Fn(&Expr) -> Result<u32, Diagnostic>,
    origin: Origin,
) -> Result<(), Diagnostic> {
    for board in 0..world.boards.len() {
        let mut directions = Vec::new();
        match paths {
            DirectionPaths::Leap(left, right) => {
                let (left, right) = (size(left)? as i32, size(right)? as i32);
                for (column, row) in leaps(left, right) {
                    directions.push(offset_direction(world, board, &format!("{name}:{column},{row}"), column, row));
                }
            }
            DirectionPaths::Paths(paths) => {
                for path in paths {
                    match path.as_slice() {
                        [set] if world.directions.is_set(set) => {
                            directions.extend(world.directions.set(set, board).to_vec())
                        }
                        steps => directions.push(path_direction(world, board, steps, origin)?),
                    }
                }
            }
        }
        world.directions.put_set(name, board, directions);
    }
    Ok(())
}

/// The up to eight leaps of a knight-like piece, in a fixed order.
pub fn leaps(left: i32, right: i32) -> Vec<(i32, i32)> {
    let mut leaps: Vec<(i32, i32)> = Vec::new();
    for (column, row) in [(left, right), (right, left)] {
        for (across, up) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            leaps.push((column * across, row * up));
        }
    }
    leaps.sort_unstable();
    leaps.dedup();
    leaps
}

fn offset_direction(world: &mut World, board: usize, name: &str, column: i32, row: i32) -> DirId {
    let info = &world.boards[board];
    let places: BTreeMap<(i32, i32), EntityId> = (info.first..info.first + info.n)
        .map(|place| ((world.entities[place as usize].column, world.entities[place as usize].row), place))
        .collect();
    let direction = world.directions.ensure(name, world.entities.len());
    for (&(x, y), &place) in &places {
        if let Some(&to) = places.get(&(x + column, y + row)) {
            world.directions.join(direction, place, to);
        }
    }
    direction
}

fn path_direction(world: &mut World, board: usize, steps: &[Name], origin: Origin) -> Result<DirId, Diagnostic> {
    let mut path = Vec::new();
    for step in steps {
        path.push(world.directions.find(step).ok_or_else(|| {
            let known: Vec<&str> = world.directions.names.iter().map(|name| &**name).collect();
            Diagnostic::error(
                "name/direction",
                "Unknown direction",
                origin,
                format!("The board has no direction `{step}`."),
            )
            .note(format!("It has: {}.", known.join(", ")))
        })?);
    }
    if let [only] = path.as_slice() {
        return Ok(*only);
    }
    let name = steps.join(" ");
    let direction = world.directions.ensure(&name, world.entities.len());
    let (first, n) = (world.boards[board].first, world.boards[board].n);
    for place in first..first + n {
        let end = path.iter().fold(place, |at, &step| if at == NOBODY { at } else { world.directions.step(step, at) });
        if end != NOBODY {
            world.directions.join(direction, place, end);
        }
    }
    Ok(direction)
}

struct Maker<'a> {
    world: &'a mut World,
    kind: KindId,
    index: u16,
    owner: EntityId,
    board: &'a Board,
    places: BTreeMap<(i32, i32), EntityId>,
}

impl Maker<'_> {
    fn room(&self, wanted: u64, origin: Origin) -> Result<(), Diagnostic> {
        if self.world.entities.len() as u64 + wanted <= MOST_ENTITIES as u64 {
            return Ok(());
        }
        Err(Diagnostic::error(
            "setup/size",
            "This board is too large",
            origin,
            format!("It would have {wanted} places."),
        )
        .note(format!("A game may have {MOST_ENTITIES} things and places.")))
    }

    fn place(&mut self, name: String, column: i32, row: i32, number: u32) -> EntityId {
        let entity = self.world.entities.len() as EntityId;
        let name = match self.world.entity_seat(self.owner) {
            Some(_) => format!("{} {name}", self.world.entities[self.owner as usize].name),
            None => name,
        };
        let name: Name = name.into();
        self.world.names.entry(name.clone()).or_insert(entity);
        self.world.entities.push(Thing {
            kind: self.kind,
            name,
            number,
            column,
            row,
            board: Some(self.index),
            owner: self.owner,
            state: None,
            with: Vec::new(),
            at: None,
        });
        entity
    }

    /// Whether a place of the whole shape is part of the board.
    fn stays(&self, column: i32, row: i32) -> Result<bool, Diagnostic> {
        let Some(condition) = &self.board.cut else { return Ok(true) };
        let value = constant::evaluate(condition, &|name| match name {
            "column" => Some(Const::Whole(column.into())),
            "row" => Some(Const::Whole(row.into())),
            name => self.world.setting(name).cloned(),
        });
        Ok(value? != Const::Nil)
    }

    fn cells(&mut self, coordinates: impl Iterator<Item = (i32, i32)>) -> Result<(), Diagnostic> {
        let all: Vec<(i32, i32)> = coordinates.collect();
        let top = all.iter().map(|&(_, row)| row).max().unwrap_or(0);
        let mut coordinates = Vec::new();
        for (column, row) in all {
            if self.stays(column, row)? {
                coordinates.push((column, row));
            }
        }
        let dark = |(column, row): (i32, i32)| (column + row) % 2 == 0;
        for (number, &(column, row)) in coordinates.iter().enumerate() {
            let name = match self.board.naming.as_deref() {
                Some("numbers") => (number + 1).to_string(),
                // Dark squares have numbers, from the top left on; light ones keep their letters.
                Some("draughts") if dark((column, row)) => {
                    let earlier = |&&(c, r): &&(i32, i32)| dark((c, r)) && (r > row || (r == row && c <= column));
                    coordinates.iter().filter(earlier).count().to_string()
                }
                Some("go") => format!("{}{row}", letters(column, true)),
                Some("top") => format!("{}{}", letters(column, false), top + 1 - row),
                _ => format!("{}{row}", letters(column, false)),
            };
            let place = self.place(name, column, row, number as u32 + 1);
            self.places.insert((column, row), place);
        }
        Ok(())
    }

    fn compass(&mut self, points: &[(&str, i32, i32)], wrap: Option<(i32, i32)>) -> Vec<DirId> {
        let n = self.world.entities.len();
        let mut compass = Vec::new();
        for (name, across, up) in points {
            let direction = self.world.directions.ensure(name, n);
            for (&(column, row), &place) in &self.places {
                let mut to = (column + across, row + up);
                if let Some((width, height)) = wrap {
                    to = ((to.0 - 1).rem_euclid(width) + 1, (to.1 - 1).rem_euclid(height) + 1);
                }
                if let Some(&to) = self.places.get(&to) {
                    self.world.directions.join(direction, place, to);
                }
            }
            compass.push(direction);
        }
        for at in 0..compass.len() / 2 {
            self.world.directions.oppose(compass[at], compass[at + compass.len() / 2]);
        }
        compass
    }

    fn track(&mut self, n: u32, ring: bool) -> Vec<DirId> {
        let label = self.world.kinds[self.kind as usize].name.clone();
        let places: Vec<EntityId> =
            (1..=n).map(|number| self.place(format!("{label} {number}"), number as i32, 1, number)).collect();
        let total = self.world.entities.len();
        let (next, previous) =
            (self.world.directions.ensure("next", total), self.world.directions.ensure("previous", total));
        for (at, &place) in places.iter().enumerate() {
            if ring || at + 1 < places.len() {
                let to = places[(at + 1) % places.len()];
                self.world.directions.join(next, place, to);
                self.world.directions.join(previous, to, place);
            }
        }
        self.world.directions.oppose(next, previous);
        vec![next, previous]
    }

    fn graph(&mut self, links: &[&Link], spots: &[&Spot], origin: Origin) -> Result<Vec<Vec<EntityId>>, Diagnostic> {
        let mut known: BTreeMap<Name, EntityId> = BTreeMap::new();
        let mut lines = Vec::new();
        for spot in spots {
            for scope in self.scopes(&spot.each)? {
                self.room(1, origin)?;
                let name = self.filled(&spot.name, &scope)?;
                let at = |expr: &Expr| self.whole(expr, &scope);
                let number = known.len() as u32 + 1;
                let (column, row) = match &spot.at {
                    Some((column, row)) => (at(column)?, at(row)?),
                    None => (number as i32, 1),
                };
                if let Entry::Vacant(spot) = known.entry(name) {
                    let place = self.place(spot.key().to_string(), column, row, number);
                    spot.insert(place);
                }
            }
        }
        let mut chains: Vec<(&Link, Vec<Name>)> = Vec::new();
        for link in links {
            for scope in self.scopes(&link.each)? {
                let names = link.places.iter().map(|(name, _)| self.filled(name, &scope));
                chains.push((link, names.collect::<Result<_, _>>()?));
                self.room(chains.iter().map(|(_, names)| names.len() as u64).sum(), origin)?;
            }
        }
        for (_, names) in &chains {
            let mut line = Vec::new();
            for name in names {
                let place = match known.get(name) {
                    Some(&place) => place,
                    None => {
                        let number = known.len() as u32 + 1;
                        let place = self.place(name.to_string(), number as i32, 1, number);
                        known.insert(name.clone(), place);
                        place
                    }
                };
                line.push(place);
            }
            lines.push(line);
        }
        let total = self.world.entities.len();
        let linked = self.world.directions.ensure("linked", total);
        self.world.directions.many[linked as usize] = true;
        for ((link, _), line) in chains.iter().zip(&lines) {
            let relation = link.relation.as_ref().map(|name| self.world.directions.ensure(name, total));
            for pair in line.windows(2) {
                for direction in [Some(linked), relation].into_iter().flatten() {
                    self.world.directions.join(direction, pair[0], pair[1]);
                    if !link.one_way {
                        self.world.directions.join(direction, pair[1], pair[0]);
                    }
                }
            }
        }
        Ok(lines)
    }
}

type Scope = Vec<(Name, Const)>;

impl Maker<'_> {
    /// What the names of `for each` stand for, in turn; without any, nothing once.
    fn scopes(&self, each: &[(Name, Expr)]) -> Result<Vec<Scope>, Diagnostic> {
        let mut scopes: Vec<Scope> = vec![Vec::new()];
        for (name, list) in each {
            let mut longer = Vec::new();
            for scope in &scopes {
                let members = match self.constant(list, scope)? {
                    Const::List(members) => members,
                    other => vec![other],
                };
                for member in members {
                    let mut scope = scope.clone();
                    scope.push((name.clone(), member));
                    longer.push(scope);
                }
                self.room(longer.len() as u64, list.origin)?;
            }
            scopes = longer;
        }
        Ok(scopes)
    }

    fn constant(&self, expr: &Expr, scope: &Scope) -> Result<Const, Diagnostic> {
        constant::evaluate(expr, &|name| {
            let own = scope.iter().rev().find(|(known, _)| **known == *name);
            own.map(|(_, value)| value.clone()).or_else(|| self.world.setting(name).cloned())
        })
    }

    fn whole(&self, expr: &Expr, scope: &Scope) -> Result<i32, Diagnostic> {
        match self.constant(expr, scope)? {
            Const::Whole(whole) if whole.abs() <= 100_000 => Ok(whole as i32),
            other => Err(Diagnostic::error(
                "setup/place",
                "A place lies in whole columns and rows",
                expr.origin,
                format!("This is {other}."),
            )),
        }
    }

    /// A name with its values, as a text.
    fn filled(&self, name: &Expr, scope: &Scope) -> Result<Name, Diagnostic> {
        match &name.kind {
            ExprKind::Word(word) => Ok(word.clone()),
            _ => Ok(self.constant(name, scope)?.to_string().into()),
        }
    }
}

/// A thing between any two neighbours, in the order of the places.
pub fn edges(world: &mut World, edges: &Edges, origin: Origin) -> Result<(), Diagnostic> {
    let kind = world.kind(&edges.model).ok_or_else(|| unknown_model(world, &edges.model, origin))?;
    let of = world.kind(&edges.between).ok_or_else(|| unknown_model(world, &edges.between, origin))?;
    let along = edges.along.clone().unwrap_or_else(|| "orthogonal".into());
    let mut number = 0;
    for board in 0..world.boards.len() {
        if world.boards[board].kind != of {
            continue;
        }
        let ways = match world.directions.find(&along) {
            Some(direction) => vec![direction],
            None if world.directions.is_set(&along) => world.directions.set(&along, board).to_vec(),
            None => {
                let label = format!("The board has no direction `{along}`.");
                return Err(Diagnostic::error("name/direction", "Unknown direction", origin, label));
            }
        };
        for place in world.boards[board].first..world.boards[board].first + world.boards[board].n {
            let steps = ways.iter().flat_map(|&way| world.directions.steps(way, place));
            let mut ends: Vec<EntityId> = steps.copied().filter(|&next| next > place).collect();
            ends.sort_unstable();
            ends.dedup();
            for next in ends {
                if world.entities.len() >= MOST_ENTITIES {
                    let label = format!("A game may have {MOST_ENTITIES} things and places.");
                    return Err(Diagnostic::error("setup/size", "There are too many edges", origin, label));
                }
                if world.edges.contains_key(&(place, next)) {
                    continue;
                }
                number += 1;
                let entity = world.entities.len() as EntityId;
                let name: Name =
                    format!("{}-{}", world.entities[place as usize].name, world.entities[next as usize].name).into();
                world.names.entry(name.clone()).or_insert(entity);
                world.edges.insert((place, next), entity);
                world.between.insert(entity, [place, next]);
                world.entities.push(Thing {
                    kind,
                    name,
                    number,
                    column: 0,
                    row: 0,
                    board: None,
                    owner: NOBODY,
                    state: None,
                    with: Vec::new(),
                    at: None,
                });
            }
        }
    }
    Ok(())
}

/// a … z, aa, ab …; Go leaves out the i.
fn letters(column: i32, skip_i: bool) -> String {
    let alphabet: Vec<char> = ('a'..='z').filter(|&letter| !(skip_i && letter == 'i')).collect();
    let mut rest = column - 1;
    let mut word = String::new();
    loop {
        word.insert(0, alphabet[rest as usize % alphabet.len()]);
        rest = rest / alphabet.len() as i32 - 1;
        if rest < 0 {
            return word;
        }
    }
}

pub fn unknown_model(world: &World, name: &str, origin: Origin) -> Diagnostic {
    let known: Vec<&str> = world.kinds.iter().map(|kind| &*kind.name).collect();
    let diagnostic = Diagnostic::error("name/model", "Unknown model", origin, format!("There is no model `{name}`."));
    match nearest(name, known.iter().copied()) {
        Some(near) => diagnostic.hint(format!("Did you mean `{near}`?")),
        None => diagnostic.note(format!("The models are: {}.", known.join(", "))),
    }
}
