//! What one viewer may know of a position. The walker and the machine both show themselves through this, so
//! there is one place that decides what is secret.

use crate::world::{BoardLayout, DirId, EntityId, GAME, GAME_KIND, Kind, KindId, PLAYER_KIND, World};
use houserules_kernel::{BoardView, CellView, Link, Mark, SeatId, Shape, Shown, ThingId, ThingView, View, Viewer};
use houserules_model::forms::Shelf;
use houserules_model::{Expr, ExprKind, Name, Sight};

/// What a view is made of.
pub trait Glance {
    fn world(&self) -> &World;
    /// Things are numbered up to here, those made in play included.
    fn n_things(&self) -> EntityId;
    fn kind_of(&self, entity: EntityId) -> KindId;
    fn name(&self, entity: EntityId) -> String;
    fn is_gone(&self, entity: EntityId) -> bool;
    fn state(&self, entity: EntityId) -> String;
    fn owner(&self, entity: EntityId) -> Option<EntityId>;
    fn place(&self, entity: EntityId) -> Option<EntityId>;
    fn contents(&self, entity: EntityId) -> Vec<EntityId>;
    fn first_player(&self) -> Option<EntityId>;
    /// The players still in, whose turn it is first.
    fn order(&self) -> Vec<EntityId>;
    /// Who has left the order of play while it goes on, the first to go first.
    fn out(&self) -> Vec<EntityId>;
    /// For each position of the history, at which place an equal one stood first.
    fn recurrence(&self) -> Vec<usize>;
    fn property(&self, entity: EntityId, name: &str) -> Told;
    /// What an expression of the definition gives for a thing; none if it has a fault.
    fn computed(&mut self, expr: &Expr, of: EntityId) -> Option<Told>;
}

/// A value on its way to a viewer: things are not named yet, because the viewer may not know them.
pub enum Told {
    Nil,
    True,
    Text(String),
    Entity(EntityId),
    List(Vec<Told>),
    Pairs(Vec<(Told, Told)>),
}

pub fn of(glance: &mut dyn Glance, viewer: Viewer) -> View {
    let boards = (0..glance.world().boards.len()).map(|board| Looker { glance, viewer }.board(board)).collect();
    let (facts, things) = loose(glance, viewer, true);
    View { boards, facts, things, turn: turn(glance) }
}

/// Whose turn it is.
pub fn turn(glance: &mut dyn Glance) -> Option<SeatId> {
    let player = glance.first_player()?;
    glance.world().entity_seat(player).map(|seat| SeatId(seat as u8))
}

/// The game and the players; and, where they are wanted, the things that lie on no board.
pub fn loose(glance: &mut dyn Glance, viewer: Viewer, wanted: bool) -> (Vec<ThingView>, Vec<ThingView>) {
    let mut looker = Looker { glance, viewer };
    let (mut facts, mut things) = (Vec::new(), Vec::new());
    if !wanted {
        // The game comes first, then the players, before everything else.
        for fact in 0..=looker.glance.world().n_seats {
            let kind = looker.glance.kind_of(fact);
            if (kind == GAME_KIND || kind == PLAYER_KIND) && !looker.glance.is_gone(fact) {
                facts.push(looker.thing(fact));
            }
        }
        return (facts, things);
    }
    for entity in 0..looker.glance.n_things() {
        let kind = looker.glance.kind_of(entity);
        let fixed = looker.glance.world().entities.get(entity as usize).is_some_and(|thing| thing.board.is_some());
        if fixed || looker.glance.is_gone(entity) {
            continue;
        }
        if let Some(ends) = looker.glance.world().ends(entity) {
            things.push(looker.edge(entity, ends));
        } else if kind == GAME_KIND || kind == PLAYER_KIND {
            facts.push(looker.thing(entity));
        } else if looker.glance.place(entity).is_none() {
            // A thing that lies somewhere shows in what it lies in.
            things.push(looker.thing(entity));
        }
    }
    (facts, things)
}

/// One place of a board.
pub fn cell(glance: &mut dyn Glance, viewer: Viewer, board: usize, place: EntityId) -> CellView {
    let info = &glance.world().boards[board];
    let (first, graph) = (info.first, info.layout == BoardLayout::Graph);
    Looker { glance, viewer }.cell(place, first, graph)
}

/// Whether anything of the things of a kind may be hidden from anybody.
pub fn hides(kind: &Kind) -> bool {
    kind.seen.is_some() || kind.counted.is_some() || kind.properties.iter().any(|known| known.seen.is_some())
}

/// Whether a thing of a kind looks different only when it changes itself, or what lies in it.
pub fn is_plain(kind: &Kind) -> bool {
    let computed = |sight: &Option<Sight>| matches!(sight, Some(Sight::Those(_)));
    // Where contents are hidden, the name of a thing elsewhere can be hidden by moving it.
    kind.seen.is_none()
        && kind.counted.is_none()
        && !kind.properties.iter().any(|known| computed(&known.seen))
        && kind.looks.iter().all(|(_, value)| matches!(value.kind, ExprKind::Number(_) | ExprKind::Text(_)))
}

/// The places whose contents a seat may not see, with these. None if it may not even know how much lies there.
pub fn face_down(glance: &mut dyn Glance, seat: SeatId) -> Option<Vec<(EntityId, Vec<EntityId>)>> {
    let mut looker = Looker { glance, viewer: Viewer::Seat(seat) };
    let mut places = Vec::new();
    for place in 0..looker.glance.n_things() {
        let contents = looker.glance.contents(place);
        if contents.is_empty() || looker.glance.is_gone(place) || looker.sees_contents(place) {
            continue;
        }
        if !looker.counts_contents(place) {
            return None;
        }
        places.push((place, contents));
    }
    Some(places)
}

/// So deep things are seen to lie in things.
const DEEPEST: u32 = 4;

/// Whether a viewer may know which thing this is: it lies nowhere, or in places whose contents the viewer sees.
pub fn knows(glance: &mut dyn Glance, viewer: Viewer, thing: EntityId) -> bool {
    let mut looker = Looker { glance, viewer };
    let mut inner = thing;
    while let Some(place) = looker.glance.place(inner) {
        if !looker.sees_contents(place) {
            return false;
        }
        inner = place;
    }
    true
}

struct Looker<'a> {
    glance: &'a mut dyn Glance,
    viewer: Viewer,
}

impl Looker<'_> {
    fn seat(&self, player: EntityId) -> Option<SeatId> {
        self.glance.world().entity_seat(player).map(|seat| SeatId(seat as u8))
    }

    /// Whether the viewer is among those who may see something of a thing.
    fn may(&mut self, sight: Option<&Sight>, of: EntityId) -> bool {
        let player = match self.viewer {
            Viewer::All => return true,
            Viewer::Public => None,
            Viewer::Seat(seat) => Some(1 + EntityId::from(seat.0)),
        };
        match sight {
            None | Some(Sight::Everyone) => true,
            Some(Sight::Nobody) => false,
            Some(Sight::Myself) => player == Some(of),
            Some(Sight::Owner) => player.is_some() && self.glance.owner(of) == player,
            // What cannot be decided is shown to nobody.
            Some(Sight::Those(expr)) => player.is_some_and(|player| match self.glance.computed(expr, of) {
                Some(Told::Entity(one)) => one == player,
                Some(Told::List(those)) => those.iter().any(|one| matches!(one, Told::Entity(one) if *one == player)),
                _ => false,
            }),
        }
    }

    fn sees_contents(&mut self, place: EntityId) -> bool {
        let kind = self.glance.kind_of(place) as usize;
        let sight = self.glance.world().kinds[kind].seen.clone();
        self.may(sight.as_ref(), place)
    }

    fn counts_contents(&mut self, place: EntityId) -> bool {
        let kind = self.glance.kind_of(place) as usize;
        let sight = self.glance.world().kinds[kind].counted.clone();
        self.sees_contents(place) || self.may(sight.as_ref(), place)
    }

    /// A value in words, without the names of things that lie where the viewer cannot see them.
    fn words(&mut self, told: &Told) -> String {
        match told {
            Told::Nil => "nil".into(),
            Told::True => "true".into(),
            Told::Text(text) => text.clone(),
            Told::Entity(entity) => {
                let hidden = self.glance.place(*entity).is_some_and(|place| !self.sees_contents(place));
                if hidden { "?".into() } else { self.glance.name(*entity) }
            }
            Told::List(members) => {
                let members: Vec<String> = members.iter().map(|member| self.words(member)).collect();
                match members.split_first() {
                    Some((first, pieces)) if first == crate::limits::TELLING => pieces.concat(),
                    _ => format!("({})", members.join(" ")),
                }
            }
            Told::Pairs(pairs) => {
                let mut pairs: Vec<String> =
                    pairs.iter().map(|(key, value)| format!("{}: {}", self.words(key), self.words(value))).collect();
                pairs.sort();
                format!("{{{}}}", pairs.join(", "))
            }
        }
    }

    /// The names of its properties, and who may see them. Their first values are whole expressions: to copy these along
    /// would cost more than all the rest of a view.
    fn declared(&self, entity: EntityId) -> Vec<(Name, Option<Sight>)> {
        let properties = &self.glance.world().kinds[self.glance.kind_of(entity) as usize].properties;
        properties.iter().map(|property| (property.name.clone(), property.seen.clone())).collect()
    }

    fn properties(&mut self, entity: EntityId) -> Vec<(String, Shown)> {
        let declared = self.declared(entity);
        let mut shown = Vec::new();
        for (name, seen) in &declared {
            // What may not be seen looks the same whether there is something or not.
            let value = if self.may(seen.as_ref(), entity) {
                let told = self.glance.property(entity, name);
                Shown::Value(self.words(&told))
            } else {
                Shown::Hidden
            };
            shown.push((name.to_string(), value));
        }
        if self.glance.kind_of(entity) == PLAYER_KIND {
            shown.extend(self.kept_by_game(entity));
        }
        let scores = self.glance.world().scores && self.glance.kind_of(entity) == PLAYER_KIND;
        if scores && !declared.iter().any(|(name, _)| &**name == "score") {
            let told = self.glance.property(entity, "score");
            shown.push(("score".into(), Shown::Value(self.words(&told))));
        }
        shown
    }

    /// A dictionary with an entry for every player and for nobody else.
    fn is_by_player(&self, told: &Told) -> bool {
        let Told::Pairs(pairs) = told else { return false };
        let is_player = |key: &Told| matches!(key, Told::Entity(key) if self.seat(*key).is_some());
        pairs.len() == self.glance.world().n_seats as usize && pairs.iter().all(|(key, _)| is_player(key))
    }

    /// The player's entries in what the game keeps for each player.
    fn kept_by_game(&mut self, player: EntityId) -> Vec<(String, Shown)> {
        let mut kept = Vec::new();
        for (name, seen) in self.declared(GAME) {
            let told = self.glance.property(GAME, &name);
            if !self.is_by_player(&told) || !self.may(seen.as_ref(), GAME) {
                continue;
            }
            let Told::Pairs(pairs) = &told else { continue };
            let own = pairs.iter().find(|(key, _)| matches!(key, Told::Entity(key) if *key == player));
            kept.extend(own.map(|(_, value)| (name.to_string(), Shown::Value(self.words(value)))));
        }
        kept
    }

    fn thing(&mut self, entity: EntityId) -> ThingView {
        self.thing_within(entity, 0)
    }

    /// Things in things in things: a definition may have laid them in a circle.
    fn thing_within(&mut self, entity: EntityId, depth: u32) -> ThingView {
        let kind = self.glance.kind_of(entity) as usize;
        let held = self.glance.contents(entity);
        // Nothing in a thing that is not meant to hold something is not worth a word.
        let holds = self.glance.world().kinds[kind].holds() || !held.is_empty();
        let contents = (holds && depth < DEEPEST && self.sees_contents(entity))
            .then(|| held.iter().map(|&inner| self.thing_within(inner, depth + 1)).collect());
        let counted = holds && self.counts_contents(entity);
        ThingView {
            id: ThingId(entity),
            name: self.glance.name(entity),
            kind: self.glance.world().kinds[kind].name.to_string(),
            owner: self.glance.owner(entity).and_then(|owner| self.seat(owner)),
            mark: self.piece(entity),
            state: self.shown_state(entity),
            properties: self.properties(entity),
            contents,
            count: counted.then_some(held.len() as u32),
            look: self.looks(entity),
        }
    }

    /// A thing between two places: `between` says which. It has a sign where there is something to see: something lies
    /// there, it has left its first state, or a property is not nil.
    fn edge(&mut self, entity: EntityId, ends: [EntityId; 2]) -> ThingView {
        let mut edge = self.thing(entity);
        let own = self.mark(entity);
        let kind = &self.glance.world().kinds[self.glance.kind_of(entity) as usize];
        let at_first = self.glance.state(entity) == kind.state.as_deref().unwrap_or("default");
        let has_no_signs = kind.symbols.is_empty();
        if own.sign.is_empty() && at_first {
            edge.mark = Mark::default();
        } else if has_no_signs {
            edge.mark = own;
        }
        edge.look.push(("between".into(), ends.map(|end| self.glance.name(end)).join(" ")));
        edge
    }

    /// How a thing looks, as far as that gives nothing away.
    fn looks(&mut self, entity: EntityId) -> Vec<(String, String)> {
        let kind = self.glance.kind_of(entity) as usize;
        if self.glance.world().kinds[kind].looks.is_empty() {
            return Vec::new();
        }
        let looks = self.glance.world().kinds[kind].looks.clone();
        let mut shown = Vec::new();
        for (attribute, value) in &looks {
            let told = match &value.kind {
                ExprKind::Number(number) => Some(Told::Text(number.to_string())),
                ExprKind::Text(text) => Some(Told::Text(text.to_string())),
                _ if self.may_read(value, entity) => self.glance.computed(value, entity),
                _ => None,
            };
            if let Some(told) = told.filter(|told| !matches!(told, Told::Nil)) {
                shown.push((attribute.to_string(), self.words(&told)));
            }
        }
        shown
    }

    /// Whether an expression about a thing reads only what the viewer may know. Where anything is hidden, this is sure
    /// only of plain properties.
    fn may_read(&mut self, expr: &Expr, of: EntityId) -> bool {
        if self.viewer == Viewer::All || !self.glance.world().kinds.iter().any(hides) {
            return true;
        }
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Text(_) => true,
            ExprKind::Word(word) => {
                let own = self.declared(of).into_iter().find(|(name, _)| name == word);
                match own {
                    Some((_, seen)) => self.may(seen.as_ref(), of),
                    None => {
                        matches!(&**word, "nil" | "true" | "name" | "number" | "row" | "column" | "owner" | "state")
                    }
                }
            }
            ExprKind::Form(form, _) if matches!(form.def().shelf, Shelf::Arithmetic | Shelf::Logic | Shelf::Flow) => {
                let mut parts = Vec::new();
                expr.children(&mut |part| parts.push(part));
                parts.into_iter().all(|part| self.may_read(part, of))
            }
            _ => false,
        }
    }

    fn board(&mut self, at: usize) -> BoardView {
        let info = &self.glance.world().boards[at];
        let shape = match info.layout {
            BoardLayout::Grid { width, height } | BoardLayout::Cut { width, height } => Shape::Grid { width, height },
            BoardLayout::Hexes { width, height } => Shape::Hexes { width, height },
            BoardLayout::Ring => Shape::Ring { n: info.n },
            BoardLayout::Track => Shape::Track { n: info.n },
            BoardLayout::Graph => Shape::Graph,
        };
        let (name, first, n, owner) = (info.name.to_string(), info.first, info.n, info.owner);
        let info_kind = info.kind;
        let look = fixed_looks(&self.glance.world().kinds[info.kind as usize].looks);
        let graph = info.layout == BoardLayout::Graph;
        let cells = (first..first + n).map(|place| self.cell(place, first, graph)).collect();
        let world = self.glance.world();
        let facing = |facings: &Vec<Option<DirId>>| match facings.get(at).copied().flatten() {
            Some(direction) => world.directions.names[direction as usize].to_string(),
            None => String::new(),
        };
        let facing = world.directions.facing.iter().map(facing).collect();
        let kind = world.kinds[info_kind as usize].name.to_string();
        BoardView { name, kind, shape, owner: self.seat(owner), cells, look, facing }
    }

    fn cell(&mut self, place: EntityId, first: EntityId, graph: bool) -> CellView {
        let world = self.glance.world();
        let thing = &world.entities[place as usize];
        let linked = match world.directions.find("linked") {
            Some(linked) if graph => {
                let told = |&to: &EntityId| Link { to: to - first, kind: world.directions.called(linked, place, to) };
                world.directions.steps(linked, place).iter().map(told).collect()
            }
            _ => Vec::new(),
        };
        let (name, at) = (thing.name.to_string(), (thing.column, thing.row));
        let held = self.glance.contents(place);
        let counted = self.counts_contents(place);
        let seen = !held.is_empty() && self.sees_contents(place);
        CellView {
            id: ThingId(place),
            name,
            at,
            mark: self.mark(place),
            count: (counted && !held.is_empty()).then_some(held.len() as u32),
            pieces: seen.then(|| held.iter().map(|&piece| self.thing(piece)).collect()),
            properties: self.properties(place),
            look: self.looks(place),
            linked,
        }
    }

    /// The sign of the top piece; else a player held in a property; else the first property with something to show.
    fn mark(&mut self, place: EntityId) -> Mark {
        if self.sees_contents(place)
            && let Some(&top) = self.glance.contents(place).last()
        {
            return self.piece(top);
        }
        let mut first = None;
        for (name, seen) in self.declared(place).iter().filter(|(name, _)| &**name != "owner") {
            if !self.may(seen.as_ref(), place) {
                continue;
            }
            let told = self.glance.property(place, name);
            if let Told::Entity(entity) = told
                && let Some(seat) = self.seat(entity)
            {
                let sign = self.glance.name(entity).chars().take(1).collect();
                return Mark { sign, seat: Some(seat) };
            }
            let sign = match &told {
                Told::Nil => continue,
                Told::True => name.chars().take(1).collect(),
                Told::Entity(entity) => self.words(&Told::Entity(*entity)).chars().take(1).collect(),
                other => self.words(other),
            };
            let seat = self.glance.owner(place).and_then(|owner| self.seat(owner));
            first.get_or_insert(Mark { sign, seat });
        }
        first.unwrap_or_default()
    }

    /// A state is seen where the definition has a sign for it, and nowhere else.
    fn shown_state(&self, entity: EntityId) -> Option<String> {
        let kind = &self.glance.world().kinds[self.glance.kind_of(entity) as usize];
        let signed = |state: &String| kind.symbols.iter().any(|signs| signs.state.as_deref() == Some(&**state));
        if kind.symbols.iter().all(|signs| signs.state.is_none()) {
            return None;
        }
        Some(self.glance.state(entity)).filter(signed)
    }

    fn piece(&self, piece: EntityId) -> Mark {
        let kind = &self.glance.world().kinds[self.glance.kind_of(piece) as usize];
        let seat = self.glance.owner(piece).and_then(|owner| self.seat(owner));
        let state = self.glance.state(piece);
        let signs = kind
            .symbols
            .iter()
            .find(|signs| signs.state.as_deref() == Some(&*state))
            .or_else(|| kind.symbols.iter().find(|signs| signs.state.is_none()));
        let sign = signs.and_then(|signs| match signs.signs.as_slice() {
            [only] => Some(only),
            many => many.get(seat?.0 as usize),
        });
        let sign = sign.map_or_else(|| kind.name.chars().take(1).collect(), |sign| sign.to_string());
        Mark { sign, seat }
    }
}

/// How every place of a board looks, whatever happens: numbers and texts only.
fn fixed_looks(looks: &[(Name, Expr)]) -> Vec<(String, String)> {
    let fixed = |(attribute, value): &(Name, Expr)| match &value.kind {
        ExprKind::Number(number) => Some((attribute.to_string(), number.to_string())),
        ExprKind::Text(text) => Some((attribute.to_string(), text.to_string())),
        _ => None,
    };
    looks.iter().filter_map(fixed).collect()
}
