//! Definition and settings → world.

use super::*;
use crate::constant::{self, Const};
use std::collections::HashMap;

/// Builds the world of a definition. `chosen` are settings given from outside; `seats` how many play; `setup` where they
/// begin.
pub fn build(
    definition: &Definition,
    chosen: &[(String, Const)],
    seats: Option<u32>,
    setup: Option<&Setup>,
) -> Result<World, Vec<Diagnostic>> {
    let mut world = World {
        kinds: Vec::new(),
        entities: Vec::new(),
        names: BTreeMap::new(),
        settings: Vec::new(),
        n_seats: 0,
        first: 0,
        setup: setup.cloned(),
        scores: false,
        turns: Turns::ByRules,
        teams: Vec::new(),
        boards: Vec::new(),
        directions: Directions::default(),
        edges: BTreeMap::new(),
        between: BTreeMap::new(),
        marks: Vec::new(),
        granted: Vec::new(),
    };
    let definition = &*definition.seated();
    let mut builder = Builder { definition, world: &mut world, diagnostics: Vec::new() };
    builder.settings(chosen, setup.map_or(&[], |setup| &setup.words));
    if !builder.kinds() {
        return Err(builder.diagnostics);
    }
    builder.players(seats);
    builder.first(setup.and_then(|setup| setup.turn));
    builder.boards();
    builder.entities();
    builder.pictures(setup);
    builder.states();
    builder.scores();
    let diagnostics = builder.diagnostics;
    if diagnostics.iter().any(Diagnostic::is_error) { Err(diagnostics) } else { Ok(world) }
}

struct Builder<'a> {
    definition: &'a Definition,
    world: &'a mut World,
    diagnostics: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn keep<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|diagnostic| self.diagnostics.push(diagnostic)).ok()
    }

    fn settings(&mut self, chosen: &[(String, Const)], words: &[String]) {
        for (name, _) in chosen {
            if !self.definition.settings().any(|setting| *setting.name == **name) {
                self.diagnostics.push(unknown_setting(self.definition, name));
            }
        }
        let mut words = words.iter();
        for item in self.definition.items() {
            let ItemKind::Setting(setting) = &item.kind else {
                continue;
            };
            let word = words.next().map(|word| Const::typed(word));
            let world = &*self.world;
            let lookup = |name: &str| world.setting(name).cloned();
            let given = chosen.iter().find(|(name, _)| **name == *setting.name).map(|(_, value)| value.clone());
            let usual = constant::evaluate(&setting.value, &lookup);
            let of_position = given.is_none() && word.is_some();
            let given = given.or(word).map(|given| given.as_list_like(usual.as_ref().ok()));
            let value = given.map_or_else(|| usual.clone(), Ok);
            let checked = value.and_then(|value| within(setting, &value, &lookup, item.origin).map(|()| value));
            let checked = match (checked, &usual) {
                // The letters of a position, such as who may castle, are some of the usual ones.
                (Ok(Const::List(letters)), Ok(Const::List(known))) if of_position => {
                    match letters.iter().find(|letter| !known.contains(letter)) {
                        Some(letter) => {
                            let known: Vec<String> = known.iter().map(Const::to_string).collect();
                            Err(refused(setting, item.origin, format!("`{letter}` is none of {}.", known.join(" "))))
                        }
                        None => Ok(Const::List(letters)),
                    }
                }
                (checked, _) => checked,
            };
            // A refused value is told once; without any, everything that uses the setting would be told as well.
            if let Some(value) = self.keep(checked).or(usual.ok()) {
                self.world.settings.push((setting.name.clone(), value));
            }
        }
        self.no_more(words.as_slice());
    }

    /// Behind the values of the settings a position may count the moves, as FEN does, and says nothing else.
    fn no_more(&mut self, rest: &[String]) {
        let counted = rest.first().is_some_and(|word| word.bytes().all(|digit| digit.is_ascii_digit()));
        let Some(word) = rest.get(usize::from(counted)) else { return };
        let names: Vec<&str> = self.definition.settings().map(|setting| &*setting.name).collect();
        let places = ["the rows", "whose turn it is"].into_iter().chain(names).chain(["the number of the move"]);
        let fault = Diagnostic::error(
            "setup/position",
            "This position says too much",
            Origin::NONE,
            format!("Nothing is meant by `{word}`."),
        );
        self.diagnostics
            .push(fault.note(format!("In this order can stand: {}.", places.collect::<Vec<_>>().join(", "))));
    }

    /// False if there are too many.
    fn kinds(&mut self) -> bool {
        let mut names: Vec<Name> = vec!["game".into(), "player".into()];
        for item in self.definition.items() {
            if let ItemKind::Model { name, .. } = &item.kind
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        }
        let is_thing = |item: &Item| matches!(&item.kind, ItemKind::Entity(entity) if *entity.model == *THING);
        if !names.iter().any(|name| **name == *THING) && self.definition.items().iter().any(is_thing) {
            names.push(THING.into());
        }
        let empty = |name: Name| Kind {
            name,
            parent: None,
            properties: Vec::new(),
            symbols: Vec::new(),
            state: None,
            capacity: None,
            supply: None,
            seen: None,
            counted: None,
            looks: Vec::new(),
        };
        if let Some(one_more) = names.get(Budget::MODELS) {
            let origin = self.definition.items().iter().find_map(|item| match &item.kind {
                ItemKind::Model { name, .. } if name == one_more => Some(item.origin),
                _ => None,
            });
            let label =
                format!("A game has at most {} models, each of which knows all that its parents do.", Budget::MODELS);
            let fault = Diagnostic::error("setup/models", "Too many models", origin.unwrap_or(Origin::NONE), label);
            self.diagnostics.push(fault.hint("Let things of one model differ by a property."));
            // Without the others nothing else could be told truly.
            return false;
        }
        self.world.kinds = names.into_iter().map(empty).collect();
        for item in self.definition.items() {
            if let ItemKind::Model { name, parent: Some(parent) } = &item.kind {
                let kind = self.world.kind(name).expect("every model has a kind");
                match self.world.kind(parent) {
                    Some(parent_kind) if self.world.is_a(parent_kind, kind) => self.diagnostics.push(
                        Diagnostic::error(
                            "model/circle",
                            "A model cannot descend from itself",
                            item.origin,
                            format!("`{parent}` is a `{name}` already."),
                        )
                        .hint("Leave out one `is`."),
                    ),
                    Some(parent_kind) => self.world.kinds[kind as usize].parent = Some(parent_kind),
                    None => self.diagnostics.push(boards::unknown_model(self.world, parent, item.origin)),
                }
            }
        }
        // Each model has what its parent has and what is said of itself, so parents are made first.
        let mut is_made = vec![false; self.world.kinds.len()];
        for kind in 0..self.world.kinds.len() {
            let line: Vec<KindId> = self.world.line(kind as KindId).collect();
            for kind in line.into_iter().rev().map(usize::from) {
                if std::mem::replace(&mut is_made[kind], true) {
                    continue;
                }
                let own = self.world.kinds[kind].clone();
                let mut made = match own.parent {
                    Some(parent) => {
                        Kind { name: own.name, parent: own.parent, ..self.world.kinds[usize::from(parent)].clone() }
                    }
                    None => own,
                };
                let name = made.name.clone();
                self.kind_items(&mut made, &name);
                self.world.kinds[kind] = made;
            }
        }
        for item in self.definition.items() {
            if let Some(of) = owner_model(&item.kind)
                && self.world.kind(of).is_none()
            {
                self.diagnostics.push(boards::unknown_model(self.world, of, item.origin));
            }
        }
        true
    }

    /// Whether a rule bound to this name applies to things of a model.
    fn means(&self, to: &Name, model: &str) -> bool {
        if &**to == "*" || self.world.kind(to).is_some() {
            return &**to == "*" || **to == *model;
        }
        self.definition.items().iter().any(|item| match &item.kind {
            ItemKind::Entity(entity) => entity.name.as_ref() == Some(to) && *entity.model == *model,
            ItemKind::Players(players) => model == "player" && players.names.iter().any(|player| player.name == *to),
            // How a place is called is known only when the board is laid out.
            ItemKind::Board(board) => *board.model == *model,
            _ => false,
        })
    }

    fn kind_items(&mut self, kind: &mut Kind, name: &str) {
        // Thousands of properties of hundreds of models would be looked through for each other.
        let mut known: Known = kind.properties.iter().enumerate().map(|(at, own)| (own.name.clone(), at)).collect();
        for item in self.definition.items() {
            match &item.kind {
                ItemKind::Property(property) if *property.of == *name && &*property.name == STATE_PROPERTY => {
                    let first = property.value.as_ref().map(|value| self.first_state(value)).transpose();
                    kind.state = self.keep(first).flatten();
                }
                ItemKind::Property(property) if *property.of == *name => match known.get(&property.name) {
                    Some(&at) => kind.properties[at] = property.clone(),
                    None => {
                        known.insert(property.name.clone(), kind.properties.len());
                        kind.properties.push(property.clone());
                    }
                },
                ItemKind::Behavior(behavior) if *behavior.of == *name => new_properties(kind, &mut known, item),
                ItemKind::Rule(rule) if rule.to.is_empty() || rule.to.iter().any(|(to, _)| self.means(to, name)) => {
                    new_properties(kind, &mut known, item);
                }
                ItemKind::Setup(_) if name == "game" => new_properties(kind, &mut known, item),
                ItemKind::Action(action) if receives(action, name) => new_properties(kind, &mut known, item),
                ItemKind::Look { of, attribute, value } if **of == *name => {
                    kind.looks.retain(|(known, _)| known != attribute);
                    kind.looks.push((attribute.clone(), value.clone()));
                }
                ItemKind::Symbol { of, signs } if **of == *name => kind.symbols = signs.clone(),
                ItemKind::Contents { of, seen, counted } if **of == *name => {
                    kind.seen = seen.clone();
                    kind.counted = counted.clone();
                }
                ItemKind::Capacity { of, most } if **of == *name => {
                    let most = self.count(most);
                    kind.capacity = self.keep(most).map(i64::from);
                }
                ItemKind::Supply { of, model, most } if **of == *name => {
                    let most = most.as_ref().map(|most| self.count(most)).transpose();
                    let Some(most) = self.keep(most) else { continue };
                    match self.world.kind(model) {
                        Some(made) => kind.supply = Some((made, most.map(i64::from))),
                        None => self.diagnostics.push(boards::unknown_model(self.world, model, item.origin)),
                    }
                }
                _ => {}
            }
        }
    }

    /// A state by its name, which may be a number or a setting.
    fn first_state(&self, expr: &Expr) -> Result<Name, Diagnostic> {
        if let ExprKind::Word(name) = &expr.kind
            && self.world.setting(name).is_none()
        {
            return Ok(name.clone());
        }
        let value = constant::evaluate(expr, &|name| self.world.setting(name).cloned())?;
        Ok(value.to_string().into())
    }

    /// Things that begin in no state of their own begin in that of their model.
    fn states(&mut self) {
        let World { kinds, entities, .. } = &mut *self.world;
        for thing in entities.iter_mut().filter(|thing| thing.state.is_none()) {
            thing.state = kinds[thing.kind as usize].state.clone();
        }
    }

    fn count(&self, expr: &Expr) -> Result<u32, Diagnostic> {
        count(expr, &|name| self.world.setting(name).cloned())
    }

    fn players(&mut self, seats: Option<u32>) {
        let default = Players { names: Vec::new(), least: 1, most: 1, are: None };
        let (players, origin) = self
            .definition
            .items()
            .iter()
            .find_map(|item| match &item.kind {
                ItemKind::Players(players) => Some((players.clone(), item.origin)),
                _ => None,
            })
            .unwrap_or((default, Origin::NONE));
        let n_seats = seats.unwrap_or(players.least);
        if n_seats < players.least || n_seats > players.most || n_seats > 64 {
            let range = match (players.least, players.most.min(64)) {
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            let label = format!("The game is for {range} players, not {n_seats}.");
            self.diagnostics.push(Diagnostic::error("setup/seats", "That many cannot play", origin, label));
        }
        let n_seats = n_seats.clamp(players.least.min(64), players.most.min(64)).max(1);
        self.world.n_seats = n_seats;
        self.world.entities.push(thing(GAME_KIND, "game".into(), 1));
        self.world.names.insert("game".into(), GAME);
        for seat in 0..n_seats {
            let name: Name = match players.names.get(seat as usize) {
                Some(player) => player.name.clone(),
                None => format!("Player {}", seat + 1).into(),
            };
            self.world.names.entry(name.clone()).or_insert(1 + seat);
            self.world.entities.push(thing(PLAYER_KIND, name, seat + 1));
        }
        for item in self.definition.items() {
            match &item.kind {
                ItemKind::Turns(turns) => self.world.turns = *turns,
                ItemKind::Teams(teams) => {
                    let teams = teams.iter().map(|team| self.team(team)).collect::<Result<Vec<_>, _>>();
                    self.world.teams = self.keep(teams).unwrap_or_default();
                }
                _ => {}
            }
        }
    }

    fn team(&self, expr: &Expr) -> Result<Vec<u32>, Diagnostic> {
        let fault = |origin| {
            Diagnostic::error(
                "setup/team",
                "A team is a list of players",
                origin,
                "Expected something like `(list North South)`.",
            )
        };
        let ExprKind::Form(Form::List, slots) = &expr.kind else {
            return Err(fault(expr.origin));
        };
        slots[0]
            .exprs()
            .iter()
            .map(|member| match &member.kind {
                ExprKind::Word(name) | ExprKind::Text(name) => self
                    .world
                    .names
                    .get(name)
                    .and_then(|&entity| self.world.entity_seat(entity))
                    .ok_or_else(|| fault(member.origin)),
                _ => Err(fault(member.origin)),
            })
            .collect()
    }

    fn boards(&mut self) {
        for item in self.definition.items() {
            let ItemKind::Board(board) = &item.kind else { continue };
            let links: Vec<&Link> = self
                .definition
                .items()
                .iter()
                .filter_map(|item| match &item.kind {
                    ItemKind::Link(link) if link.board == board.model => Some(link),
                    _ => None,
                })
                .collect();
            let spots: Vec<&Spot> = self
                .definition
                .items()
                .iter()
                .filter_map(|item| match &item.kind {
                    ItemKind::Spot(spot) if spot.board == board.model => Some(spot),
                    _ => None,
                })
                .collect();
            let settings = self.world.settings.clone();
            let size = |expr: &Expr| {
                count(expr, &|name| settings.iter().find(|(known, _)| **known == *name).map(|(_, value)| value.clone()))
            };
            let owners: Vec<EntityId> =
                if board.each_player { (1..=self.world.n_seats).collect() } else { vec![NOBODY] };
            for owner in owners {
                let made = boards::make(self.world, board, &links, &spots, owner, &size, item.origin);
                self.keep(made);
                if owner != NOBODY && self.world.boards.last().is_some_and(|made| made.owner == owner) {
                    let made = self.world.boards.last().expect("just made");
                    let name = board.name.clone().unwrap_or_else(|| board.model.clone());
                    let places = (made.first..made.first + made.n).collect();
                    self.world.granted.push((owner, name, places, true));
                }
            }
        }
        for item in self.definition.items() {
            if let ItemKind::Directions { name, paths } = &item.kind {
                let settings = self.world.settings.clone();
                let size = |expr: &Expr| {
                    count(expr, &|name| {
                        settings.iter().find(|(known, _)| **known == *name).map(|(_, value)| value.clone())
                    })
                };
                let made = boards::named_directions(self.world, name, paths, &size, item.origin);
                self.keep(made);
            }
        }
        self.facing();
        self.edges();
    }

    /// `#edges MODEL between PLACES along DIRECTIONS`: a thing between any two neighbours.
    fn edges(&mut self) {
        for item in self.definition.items() {
            let ItemKind::Edges(edges) = &item.kind else { continue };
            let made = boards::edges(self.world, edges, item.origin);
            self.keep(made);
        }
    }

    /// `#players "White" facing previous`.
    fn facing(&mut self) {
        for item in self.definition.items() {
            let ItemKind::Players(players) = &item.kind else {
                continue;
            };
            for (seat, player) in players.names.iter().enumerate().take(self.world.n_seats as usize) {
                let Some(facing) = &player.facing else { continue };
                match self.world.directions.find(facing) {
                    Some(direction) => {
                        for board in 0..self.world.boards.len() {
                            if self.world.boards[board].compass.contains(&direction) {
                                self.world.directions.facing[seat][board] = Some(direction);
                            }
                        }
                    }
                    None => {
                        let label = format!("No board has the direction `{facing}`.");
                        self.diagnostics.push(Diagnostic::error(
                            "name/direction",
                            "Unknown direction",
                            player.origin,
                            label,
                        ));
                    }
                }
            }
        }
    }

    fn entities(&mut self) {
        for item in self.definition.items() {
            if let ItemKind::Entity(entity) = &item.kind {
                let made = self.entity(entity, item.origin);
                self.keep(made);
            }
        }
    }

    fn entity(&mut self, entity: &Entity, origin: Origin) -> Result<(), Diagnostic> {
        let kind =
            self.world.kind(&entity.model).ok_or_else(|| boards::unknown_model(self.world, &entity.model, origin))?;
        let times = entity.times.as_ref().map(|times| self.count(times)).transpose()?;
        // Every `for each` multiplies: one row of bindings for each thing to make.
        let mut rows: Vec<(EntityId, Vec<(Name, Const)>)> = vec![(NOBODY, Vec::new())];
        for each in &entity.each {
            let mut more = Vec::new();
            for (owner, bound) in &rows {
                match each {
                    ForEach::Player => more.extend((1..=self.world.n_seats).map(|player| (player, bound.clone()))),
                    ForEach::In(name, list) => {
                        let lookup = |word: &str| {
                            bound
                                .iter()
                                .find(|(known, _)| **known == *word)
                                .map(|(_, value)| value.clone())
                                .or_else(|| self.world.setting(word).cloned())
                        };
                        let Const::List(values) = constant::evaluate(list, &lookup)? else {
                            return Err(Diagnostic::error(
                                "setup/list",
                                "`for each` needs a list",
                                list.origin,
                                "This is not a list.",
                            ));
                        };
                        self.room((more.len() + values.len()) as u64, origin)?;
                        more.extend(values.into_iter().map(|value| {
                            let mut bound = bound.clone();
                            bound.push((name.clone(), value));
                            (*owner, bound)
                        }));
                    }
                }
            }
            rows = more;
            // Lists in lists multiply: told before they fill the memory.
            self.room(rows.len() as u64, origin)?;
        }
        let each = times.unwrap_or(1);
        if let Some(seat) = self.seat(entity) {
            let state = entity.with.iter().find(|(name, _)| **name == *STATE_PROPERTY);
            let state = state.map(|(_, value)| self.first_state(value)).transpose()?;
            let own = entity.with.iter().filter(|(name, _)| **name != *STATE_PROPERTY);
            let player = &mut self.world.entities[seat as usize];
            player.state = state;
            player.with = own.map(|(name, value)| (name.clone(), Initial::Computed(value.clone()))).collect();
            player.at = entity.at.clone().map(Initial::Computed);
            return Ok(());
        }
        self.room(rows.len() as u64 * u64::from(each), origin)?;
        let mut numbers: BTreeMap<EntityId, u32> = BTreeMap::new();
        for thing in self.world.entities.iter().filter(|thing| thing.kind == kind) {
            *numbers.entry(thing.owner).or_default() += 1;
        }
        let single = rows.len() == 1 && each == 1;
        let for_player = entity.each.contains(&ForEach::Player);
        for (owner, bound) in rows {
            let mut made = Vec::new();
            for _ in 0..each {
                let number = numbers.entry(owner).or_default();
                *number += 1;
                let number = *number;
                let name = self.entity_name(
                    entity,
                    owner,
                    &bound,
                    number,
                    single,
                    each > 1 || (!for_player && bound.is_empty()),
                );
                let id = self.world.entities.len() as EntityId;
                self.world.names.entry(name.clone()).or_insert(id);
                let is_state = |name: &Name| **name == *STATE_PROPERTY;
                let mut state =
                    bound.iter().find(|(name, _)| is_state(name)).map(|(_, value)| value.to_string().into());
                if let Some((_, value)) = entity.with.iter().find(|(name, _)| is_state(name)) {
                    state = Some(self.first_state(value)?);
                }
                let bound = bound.iter().filter(|(name, _)| !is_state(name));
                let mut with: Vec<(Name, Initial)> =
                    bound.map(|(name, value)| (name.clone(), Initial::Known(value.clone()))).collect();
                let own = entity.with.iter().filter(|(name, _)| !is_state(name));
                with.extend(own.map(|(name, value)| (name.clone(), Initial::Computed(value.clone()))));
                let mut made_thing = thing(kind, name, number);
                made_thing.state = state;
                made_thing.owner = owner;
                made_thing.with = with;
                made_thing.at = entity.at.clone().map(Initial::Computed);
                self.world.entities.push(made_thing);
                made.push(id);
            }
            if for_player {
                match self.world.granted.iter_mut().find(|(player, name, ..)| *player == owner && *name == entity.model)
                {
                    Some((_, _, things, list)) => {
                        things.extend(made);
                        *list = true;
                    }
                    None => self.world.granted.push((owner, entity.model.clone(), made, each > 1)),
                }
            }
        }
        Ok(())
    }

    /// The player that this entity is, where players are the things of a model.
    fn seat(&self, entity: &Entity) -> Option<EntityId> {
        let players = self.definition.items().iter().find_map(|item| match &item.kind {
            ItemKind::Players(players) => Some(players),
            _ => None,
        })?;
        let name = entity.seat_of(players.are.as_ref()?)?;
        let seat = players.names.iter().position(|player| player.name == *name)? as u32;
        (seat < self.world.n_seats).then_some(1 + seat)
    }

    fn room(&self, wanted: u64, origin: Origin) -> Result<(), Diagnostic> {
        if self.world.entities.len() as u64 + wanted <= MOST_ENTITIES as u64 {
            return Ok(());
        }
        let label = format!("A game may have {MOST_ENTITIES}.");
        Err(Diagnostic::error("setup/size", "Too many things", origin, label))
    }

    fn entity_name(
        &self,
        entity: &Entity,
        owner: EntityId,
        bound: &[(Name, Const)],
        number: u32,
        single: bool,
        numbered: bool,
    ) -> Name {
        if let Some(name) = &entity.name
            && single
        {
            return name.clone();
        }
        if single {
            return entity.model.clone();
        }
        let mut words = Vec::new();
        if owner != NOBODY {
            words.push(self.world.entities[owner as usize].name.to_string());
        }
        // A card of two facts, suit and rank, needs no more of a name.
        if entity.name.is_some() || owner != NOBODY || bound.len() < 2 {
            words.push(entity.name.as_ref().unwrap_or(&entity.model).to_string());
        }
        words.extend(bound.iter().map(|(_, value)| value.to_string()));
        if numbered {
            words.push(number.to_string());
        }
        words.join(" ").into()
    }

    fn scores(&mut self) {
        let needs = crate::needs::needs(self.definition, self.world);
        self.world.scores = needs.score;
    }

    /// Whose turn it is in a position that was typed.
    fn first(&mut self, turn: Option<char>) {
        let Some(turn) = turn else { return };
        let begins = |name: &str| name.to_lowercase().starts_with(turn.to_ascii_lowercase());
        match (0..self.world.n_seats).find(|&seat| begins(&self.world.entities[1 + seat as usize].name)) {
            Some(seat) => self.world.first = seat,
            None => self.diagnostics.push(Diagnostic::error(
                "setup/position",
                "It is nobody's turn in this position",
                Origin::NONE,
                format!("No player's name begins with `{turn}`."),
            )),
        }
    }

    /// The start as it is drawn, or as somebody typed it.
    fn pictures(&mut self, setup: Option<&Setup>) {
        let mut drawn = false;
        for item in self.definition.items() {
            if let ItemKind::Picture { property, rows } = &item.kind {
                let result = match setup {
                    Some(setup) if drawn || !setup.pieces.is_empty() => {
                        let pieces = if drawn { &[] } else { setup.pieces.as_slice() };
                        pictures::list(self.world, pieces)
                    }
                    Some(setup) => pictures::typed(self.world, property.as_ref(), setup),
                    None => pictures::draw(self.world, property.as_ref(), rows, item.origin),
                };
                self.keep(result);
                drawn = true;
            }
        }
        if setup.is_some() && !drawn {
            self.diagnostics.push(
                Diagnostic::error("setup/position", "This game takes no position", Origin::NONE, "It draws no start.")
                    .hint("A definition that draws its start with `#picture` can begin from any position."),
            );
        }
    }
}

/// `(new property p as v)` in a behavior declares the property for all things that behave so.
/// The properties of a model by their names: where they stand.
type Known = HashMap<Name, usize>;

fn new_properties(kind: &mut Kind, known: &mut Known, item: &Item) {
    item.exprs(&mut |expr| {
        expr.walk(&mut |inner| {
            if let ExprKind::Form(Form::NewProperty, slots) = &inner.kind
                && let Some(name) = slots[0].name().and_then(NameRef::known)
                && !known.contains_key(name)
            {
                known.insert(name.clone(), kind.properties.len());
                kind.properties.push(Property {
                    of: kind.name.clone(),
                    name: name.clone(),
                    role: Role::Property,
                    value: None,
                    seen: None,
                    untracked: false,
                });
            }
        });
    });
}

fn receives(action: &Action, model: &str) -> bool {
    match &action.to {
        None => model == "game",
        Some(Expr { kind: ExprKind::Word(word), .. }) => **word == *model,
        Some(_) => true,
    }
}

fn thing(kind: KindId, name: Name, number: u32) -> Thing {
    Thing { kind, name, number, column: 0, row: 0, board: None, owner: NOBODY, state: None, with: Vec::new(), at: None }
}

/// A whole number that is not negative.
fn count(expr: &Expr, lookup: &dyn Fn(&str) -> Option<Const>) -> Result<u32, Diagnostic> {
    match constant::evaluate(expr, lookup)? {
        Const::Whole(whole) if (0..=1_000_000).contains(&whole) => Ok(whole as u32),
        other => {
            Err(Diagnostic::error("setup/count", "A whole number is needed", expr.origin, format!("This is {other}."))
                .note("It must not be negative, nor above 1000000."))
        }
    }
}

fn refused(setting: &Setting, origin: Origin, label: String) -> Diagnostic {
    Diagnostic::error("setting/range", format!("The setting `{}` cannot have this value", setting.name), origin, label)
}

fn within(
    setting: &Setting,
    value: &Const,
    lookup: &dyn Fn(&str) -> Option<Const>,
    origin: Origin,
) -> Result<(), Diagnostic> {
    let fault = |label: String| refused(setting, origin, label);
    if value.as_f64().is_some_and(|number| number.abs() > Number::MOST as f64) {
        return Err(fault(format!(
            "Numbers reach from {} to {}, and {value} does not fit.",
            -Number::MOST,
            Number::MOST
        )));
    }
    if let Some((least, most)) = &setting.range {
        let (least, most) = (constant::evaluate(least, lookup)?, constant::evaluate(most, lookup)?);
        let fits = match (value.as_f64(), least.as_f64(), most.as_f64()) {
            (Some(value), Some(least), Some(most)) => least <= value && value <= most,
            _ => false,
        };
        if !fits {
            return Err(fault(format!("It goes from {least} to {most}, and {value} is not in between.")));
        }
    }
    if !setting.among.is_empty() {
        let among =
            setting.among.iter().map(|choice| constant::evaluate(choice, lookup)).collect::<Result<Vec<_>, _>>()?;
        if !among.contains(value) {
            let known: Vec<String> = among.iter().map(Const::to_string).collect();
            return Err(fault(format!("It is one of {}, and {value} is not.", known.join(", "))));
        }
    }
    Ok(())
}

fn unknown_setting(definition: &Definition, name: &str) -> Diagnostic {
    let known: Vec<&str> = definition.settings().map(|setting| &*setting.name).collect();
    let diagnostic =
        Diagnostic::error("name/setting", "Unknown setting", Origin::NONE, format!("There is no setting `{name}`."));
    let brings = |variant: &&Variant| variant.settings().any(|setting| &*setting.name == name);
    if let Some(variant) = definition.variants().find(brings) {
        return diagnostic.hint(format!("It comes with the variant “{}”.", variant.name));
    }
    match nearest(name, known.iter().copied()) {
        Some(near) => diagnostic.hint(format!("Did you mean `{near}`?")),
        None if known.is_empty() => diagnostic.note("This game has no settings."),
        None => diagnostic.note(format!("The settings are: {}.", known.join(", "))),
    }
}

fn owner_model(item: &ItemKind) -> Option<&Name> {
    match item {
        ItemKind::Property(property) => Some(&property.of),
        ItemKind::Define(define) => define.of.as_ref(),
        ItemKind::Behavior(behavior) => Some(&behavior.of),
        ItemKind::Contents { of, .. }
        | ItemKind::Capacity { of, .. }
        | ItemKind::Supply { of, .. }
        | ItemKind::Symbol { of, .. }
        | ItemKind::Look { of, .. } => Some(of),
        _ => None,
    }
}
