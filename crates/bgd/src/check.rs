//! What is wrong with a program, before anybody plays it.

mod code;

use crate::names::{Global, Names, Scope};
use crate::syntax::*;
use crate::types::Ty;
use houserules_model::{Diagnostic, Origin, nearest};
use indexmap::IndexMap;

/// Everything that is wrong. A program with errors is not played.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    let names = Names::new(program);
    let mut checker = Checker { names, said: Vec::new() };
    checker.players();
    checker.unique();
    checker.things();
    checker.connections();
    checker.code();
    checker.said
}

struct Checker<'a> {
    names: Names<'a>,
    said: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    fn error(&mut self, code: &'static str, title: &str, origin: Origin, label: impl Into<String>) {
        self.said.push(Diagnostic::error(code, title, origin, label));
    }

    fn warning(&mut self, code: &'static str, title: &str, origin: Origin, label: impl Into<String>) {
        self.said.push(Diagnostic::warning(code, title, origin, label));
    }

    fn unknown<'n>(&mut self, what: &str, name: &str, origin: Origin, known: impl Iterator<Item = &'n str> + Clone) {
        let label = match nearest(name, known.clone()) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("There is no {what} `{name}`."),
        };
        let mut fault = Diagnostic::error("name/unknown", format!("Unknown {what}"), origin, label);
        let known: Vec<&str> = known.take(12).collect();
        if !known.is_empty() {
            fault = fault.note(format!("There are: {}.", known.join(", ")));
        }
        self.said.push(fault);
    }

    fn players(&mut self) {
        let players = &self.names.program.players;
        let n_humans = players.list.iter().filter(|player| player.human).count() as u32;
        let (least, most) = (players.least, players.most);
        if let Some((0, origin)) = least {
            self.error("game/players", "Too few players", origin, "At least one takes part.");
        }
        if let (Some((fewest, origin)), Some((most, _))) = (least, most)
            && fewest > most
        {
            let label = format!("At least {fewest} and at most {most} cannot both be.");
            self.error("game/players", "No number of players fits", origin, label);
        }
        if let Some((most, origin)) = most
            && n_humans > most
        {
            let label = format!("{n_humans} players who may win are declared, and at most {most} may take part.");
            self.error("game/players", "More players than may take part", origin, label);
        }
        if let Some((fewest, origin)) = least
            && n_humans < fewest
        {
            let label = format!("{fewest} have to take part, and only {n_humans} who may win are declared.");
            self.error("game/players", "Fewer players than have to take part", origin, label);
        }
        if n_humans == 0 {
            let origin = least.or(most).map_or(Origin::NONE, |(_, origin)| origin);
            self.error("game/players", "Nobody plays", origin, "There is no `Human` among the players.");
        } else if n_humans > 16 {
            let origin = players.list[0].name.origin;
            self.error("game/players", "Too many players", origin, "At most 16 can sit at a table.");
        }
    }

    fn unique(&mut self) {
        let program = self.names.program;
        let mut things: Vec<&Name> = program.options.iter().map(|option| &option.name).collect();
        things.extend(program.players.list.iter().map(|player| &player.name));
        things.extend(program.locations.iter().map(|location| &location.name));
        things.extend(program.locations.iter().flat_map(|location| location.inventory.iter().map(|own| &own.name)));
        self.twice(things);
        self.twice(program.types.iter().map(|kind| &kind.name).collect());
        let mut called: Vec<&Name> = program.rounds.iter().map(|round| &round.name).collect();
        called.extend(program.actions.iter().map(|action| &action.name));
        self.twice(called);
    }

    fn twice(&mut self, names: Vec<&Name>) {
        let mut known: IndexMap<&str, Origin> = IndexMap::new();
        for name in names {
            if let Some(first) = known.insert(&name.text, name.origin) {
                let label = format!("There is a `{}` already.", name.text);
                let fault = Diagnostic::error("name/twice", "A name is used twice", name.origin, label);
                self.said.push(fault.and(first, "The first one."));
            }
        }
    }

    fn things(&mut self) {
        let program = self.names.program;
        self.attrs(&program.options);
        for option in &program.options {
            let constant = matches!(
                option.value.kind,
                ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Double(_) | ExprKind::Text(_)
            );
            if !constant {
                let label = "An option is a number, a text, True or False.";
                self.error("type/mismatch", "No value for an option", option.value.origin, label);
            }
        }
        for player in &program.players.list {
            self.attrs(&player.attrs);
        }
        for location in &program.locations {
            self.location(location);
        }
        for kind in &program.types {
            self.features(&kind.with);
            let valued = kind.with.attrs.iter().any(|attr| attr.name.text == "Value");
            if kind.counter && !valued {
                let label = "A counter has a value, such as `public Value = 0;`.";
                self.error("type/counter", "A counter without a value", kind.name.origin, label);
            }
            if valued && kind.with.randomizer.is_some() {
                let label = "The value of a randomizer is one of its list.";
                self.error("type/counter", "Two values", kind.name.origin, label);
            }
        }
    }

    fn location(&mut self, location: &'a Location) {
        self.attrs(&location.attrs);
        self.owner(location.owner.as_ref());
        for sight in [&location.exist, &location.value].into_iter().flatten() {
            if let Sight::Players(players) = sight {
                players.iter().for_each(|player| self.player(player));
            }
        }
        if let Some(capacity) = &location.capacity {
            self.value(capacity, &Vec::new());
            if !matches!(capacity.kind, ExprKind::Int(_)) {
                let label = "How many objects have room is a whole number.";
                self.error("type/mismatch", "No capacity", capacity.origin, label);
            }
        }
        for attr in &location.attrs {
            if let Some(Global::Instance(..)) = self.names.globals.get(attr.name.text.as_str()) {
                let label = format!("An object is called `{}`, too; here the attribute is meant.", attr.name.text);
                self.warning("name/hidden", "An object cannot be reached", attr.name.origin, label);
            }
        }
        for instance in location.inventory.iter().chain(&location.supplies) {
            if !self.names.types.contains_key(instance.kind.text.as_str()) {
                let known: Vec<&str> = self.names.types.keys().copied().collect();
                self.unknown("object type", &instance.kind.text, instance.kind.origin, known.into_iter());
                continue;
            }
            self.features(&instance.with);
            let of_type = &self.names.types[instance.kind.text.as_str()].with;
            for attr in &instance.with.attrs {
                let Some(usual) = of_type.attrs.iter().find(|usual| usual.name.text == attr.name.text) else {
                    continue;
                };
                let (wanted, given) = (self.type_of(&usual.value), self.type_of(&attr.value));
                if !wanted.takes(&given) {
                    let label = format!("`{}` is {wanted}, and this is {given}.", attr.name.text);
                    self.error("type/mismatch", "Another kind of value", attr.value.origin, label);
                }
            }
        }
        match (location.supply, location.supplies.is_empty()) {
            (true, true) => {
                let label = "What never runs out here is missing: `Supplies{ Coin Coin; }`.";
                self.error("type/supply", "A supply of nothing", location.name.origin, label);
            }
            (false, false) => {
                let label = "Only a `Supply` has `Supplies`.";
                self.error("type/supply", "A place does not supply", location.name.origin, label);
            }
            _ => {}
        }
    }

    fn type_of(&self, expr: &Expr) -> Ty {
        self.names.ty(expr, &Vec::new())
    }

    /// Attributes of one holder, with values that are known before play.
    fn attrs(&mut self, attrs: &'a [Attr]) {
        self.twice(attrs.iter().map(|attr| &attr.name).collect());
        for attr in attrs {
            self.constant(&attr.value);
        }
    }

    fn constant(&mut self, value: &'a Expr) {
        self.value(value, &Vec::new());
        let mut fixed = true;
        value.walk(&mut |inside| {
            fixed &= matches!(
                inside.kind,
                ExprKind::Bool(_)
                    | ExprKind::Int(_)
                    | ExprKind::Double(_)
                    | ExprKind::Text(_)
                    | ExprKind::Name(_)
                    | ExprKind::List(_)
                    | ExprKind::Binary(..)
                    | ExprKind::Missing
            );
        });
        if !fixed {
            let label = "Play has not begun here: a number, a text, a name, True, False or a list is expected.";
            self.error("type/constant", "This is not known before play", value.origin, label);
        }
    }

    fn features(&mut self, with: &'a Features) {
        self.attrs(&with.attrs);
        self.owner(with.owner.as_ref());
        let Some(randomizer) = &with.randomizer else { return };
        if randomizer.values.is_empty() {
            let label = "A randomizer has one value at least.";
            self.error("type/randomizer", "Nothing to draw from", randomizer.origin, label);
        }
        randomizer.values.iter().for_each(|value| self.constant(value));
    }

    fn owner(&mut self, owner: Option<&Owner>) {
        if let Some(Owner::Player(name)) = owner {
            self.player(name);
        }
    }

    fn player(&mut self, name: &Name) {
        if !matches!(self.names.globals.get(name.text.as_str()), Some(Global::Player(_))) {
            let known = self.names.program.players.list.iter().map(|player| player.name.text.as_str());
            let known: Vec<&str> = known.collect();
            self.unknown("player", &name.text, name.origin, known.into_iter());
        }
    }

    fn connections(&mut self) {
        for connection in &self.names.program.connections {
            self.attrs(&connection.attrs);
            for name in &connection.chain {
                if !matches!(self.names.globals.get(name.text.as_str()), Some(Global::Location(_))) {
                    let known = self.names.program.locations.iter().map(|location| location.name.text.as_str());
                    let known: Vec<&str> = known.collect();
                    self.unknown("location", &name.text, name.origin, known.into_iter());
                }
            }
        }
    }

    fn code(&mut self) {
        let program = self.names.program;
        for round in &program.rounds {
            if round.name.text == "Main" && !round.params.is_empty() {
                let label = "Nobody gives Main anything: it has no parameters.";
                self.error("type/arity", "Main with parameters", round.name.origin, label);
            }
            let mut scope = self.params(&round.params);
            self.block(&round.body, &mut scope, code::Within { loops: 0, action: false });
        }
        for action in &program.actions {
            let mut scope = self.params(&action.params);
            for condition in &action.requires {
                self.condition(condition, &scope);
                if !self.names.is_pure_expr(condition) {
                    let label =
                        "What an action requires is asked of every choice, so it may change nothing and ask nobody.";
                    self.error("flow/pure", "A requirement that changes something", condition.origin, label);
                }
            }
            self.block(&action.effect, &mut scope, code::Within { loops: 0, action: true });
        }
        for body in [&program.start, &program.postgame].into_iter().flatten() {
            self.block(body, &mut Vec::new(), code::Within { loops: 0, action: false });
        }
    }

    fn params(&mut self, params: &'a [Param]) -> Scope {
        self.twice(params.iter().map(|param| &param.name).collect());
        for (at, param) in params.iter().enumerate() {
            if self.names.declared(&param.kind.text).is_none() {
                let mut known: Vec<&str> = vec!["int", "bool", "double", "string", "objectType", "Location", "Player"];
                known.extend(self.names.types.keys().copied());
                self.unknown("type", &param.kind.text, param.kind.origin, known.into_iter());
            }
            let before = self.names.scope(&params[..at]);
            match &param.domain {
                Some(Domain::Between(least, most)) => {
                    for bound in [least, most] {
                        self.number(bound, &before);
                    }
                }
                Some(Domain::Among(list)) => {
                    self.value(list, &before);
                    self.expect(list, &Ty::list_of(Ty::Any), &before);
                }
                None => {}
            }
        }
        self.names.scope(params)
    }
}
