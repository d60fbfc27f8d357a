//! Players, locations, objects and connections.

use super::words::Words;
use super::{SEATED, Writer, quoted};
use crate::names::Holder;
use crate::syntax::*;
use crate::types::Ty;

impl Writer<'_> {
    pub(super) fn heading(&mut self) {
        let program = self.names.program;
        let seats: Vec<String> = self.seated.iter().map(|&at| program.players.list[at].name.text.clone()).collect();
        self.put(&format!("#game {}", quoted(&program.title)));
        if !program.summary.is_empty() {
            self.lined(&format!("#info about {}", quoted(&program.summary)));
        }
        self.lined(&format!("#players {}", seats.iter().map(|seat| quoted(seat)).collect::<Vec<_>>().join(" ")));
        self.lined("#properties open");
        let n_humans = program.players.list.iter().filter(|player| player.human).count();
        if n_humans > 1 {
            let told = "Who plays, in the order of turns";
            self.lined(&format!("#setting {SEATED} {} {}", quoted(&seats.join(" ")), quoted(told)));
        }
        for option in &program.options {
            self.line();
            self.mark(option.name.origin);
            self.put(&format!("#setting {} ", option.name.text));
            match option.value.kind {
                ExprKind::Bool(value) => {
                    self.put(if value { "\"True\"" } else { "\"False\"" });
                    self.put(" among \"True\" \"False\"");
                }
                _ => self.expr(&option.value),
            }
            if let Some(told) = program.about.get(&option.name.text) {
                self.put(&format!(" {}", quoted(told)));
            }
        }
        self.lined(&format!("#property TurnOrder (list {})", seats.join(" ")));
        self.lined("#property turn-number 0");
        self.lined(&format!("#property CurrentTurn {}", seats[0]));
        self.lined("#property finished");
        self.blank();
    }

    pub(super) fn player_models(&mut self) {
        let players = &self.names.program.players.list;
        let attrs = Words::attrs_of(&self.names, &Holder::Player);
        self.lined("#model player");
        self.indent += 1;
        self.lined("#property Winner");
        for attr in &attrs {
            let given: Vec<(&Player, &Attr)> = (self.seated.iter().map(|&at| &players[at]))
                .filter_map(|player| Some((player, player.attrs.iter().find(|own| own.name.text == *attr)?)))
                .collect();
            self.line();
            if let Some((_, first)) = given.first() {
                self.mark(first.name.origin);
            }
            self.put(&format!("#property {}", self.words.attr(attr)));
            match given.as_slice() {
                [] => {}
                [(_, first), others @ ..]
                    if given.len() == self.seated.len() && others.iter().all(|(_, own)| own.value == first.value) =>
                {
                    self.put(" ");
                    self.expr(&first.value);
                }
                given => {
                    self.put(" (switch self");
                    for (player, own) in given {
                        self.put(&format!(" (case {} ", player.name.text));
                        self.expr(&own.value);
                        self.put(")");
                    }
                    self.put(")");
                }
            }
        }
        self.indent -= 1;
        let neutral: Vec<&Player> =
            players.iter().enumerate().filter(|(at, _)| !self.seated.contains(at)).map(|(_, player)| player).collect();
        if neutral.is_empty() {
            return;
        }
        self.lined("#model neutral");
        self.indent += 1;
        self.lined("#property Winner");
        for attr in &attrs {
            self.lined(&format!("#property {}", self.words.attr(attr)));
        }
        self.indent -= 1;
        for player in neutral {
            self.line();
            self.mark(player.name.origin);
            self.put(&format!("#entity {} is neutral", player.name.text));
            self.with(&player.attrs, Vec::new(), None);
        }
    }

    /// `with NAME VALUE …`: what is known, what is written, and what is drawn from.
    fn with(&mut self, attrs: &[Attr], more: Vec<(&str, String)>, randomizer: Option<&Randomizer>) {
        if attrs.is_empty() && more.is_empty() && randomizer.is_none() {
            return;
        }
        self.put(" with");
        for (name, value) in more {
            self.put(&format!(" {name} {value}"));
        }
        for attr in attrs {
            self.put(&format!(" {} ", self.words.attr(&attr.name.text)));
            self.expr(&attr.value);
        }
        if let Some(randomizer) = randomizer {
            self.put(" Value ");
            self.expr(&randomizer.values[0]);
            self.put(" Randomizer ");
            self.list(&randomizer.values);
        }
    }

    pub(super) fn all_players(&self) -> String {
        let names: Vec<&str> = self.names.program.players.list.iter().map(|player| &*player.name.text).collect();
        format!("(list {})", names.join(" "))
    }

    fn sight(&self, sight: &Sight) -> String {
        match sight {
            Sight::Public => self.all_players(),
            Sight::Nobody => "(list)".to_owned(),
            Sight::Players(players) => {
                format!("(list {})", players.iter().map(|name| &*name.text).collect::<Vec<_>>().join(" "))
            }
        }
    }

    pub(super) fn locations(&mut self) {
        let program = self.names.program;
        self.blank();
        self.lined("#model Location");
        self.indent += 1;
        for attr in Words::attrs_of(&self.names, &Holder::Location) {
            self.lined(&format!("#property {}", self.words.attr(&attr)));
        }
        if self.uses.connections {
            self.lined("#relation connections (list)");
        }
        if self.uses.exist_visible {
            let all = self.all_players();
            self.lined(&format!("#property ExistVisible {all}"));
            self.lined("#contents seen by ExistVisible counted by ExistVisible");
        }
        if self.uses.value_visible {
            self.lined("#property ValueVisible (list)");
        }
        if self.uses.supplies {
            self.lined("#property supplies");
        }
        self.indent -= 1;
        self.board();
        for (at, location) in program.locations.iter().enumerate() {
            let mut kind = "Location".to_owned();
            if let Some(capacity) = &location.capacity {
                // How much has room is said of a model.
                kind = format!("{}-place", location.name.text);
                self.lined(&format!("#model {kind} is Location"));
                self.lined("  #capacity ");
                self.expr(capacity);
            }
            let mut more = Vec::new();
            if let Some(Owner::Player(name)) = &location.owner {
                more.push(("owner", name.text.clone()));
            }
            if self.uses.connections {
                let next = self.neighbours(at);
                if !next.is_empty() {
                    more.push(("connections", format!("(list {})", next.join(" "))));
                }
            }
            if let Some(sight) = location.exist.as_ref().filter(|_| self.uses.exist_visible) {
                more.push(("ExistVisible", self.sight(sight)));
            }
            if self.uses.value_visible {
                let seen = match (&location.value, &location.owner) {
                    (Some(sight), _) => Some(self.sight(sight)),
                    (None, Some(Owner::Public)) => Some(self.all_players()),
                    (None, Some(Owner::Player(name))) => Some(format!("(list {})", name.text)),
                    (None, _) => None,
                };
                more.extend(seen.map(|seen| ("ValueVisible", seen)));
            }
            if let Some(supplied) = location.supplies.first() {
                more.push(("supplies", quoted(&supplied.kind.text)));
            }
            if self.spots.contains_key(location.name.text.as_str()) {
                self.place(location, more);
                continue;
            }
            self.line();
            self.mark(location.name.origin);
            self.put(&format!("#entity {} is {kind}", location.name.text));
            self.with(&location.attrs, more, None);
        }
    }

    /// Places of a board are there already; what is known of them is said at the start.
    fn place(&mut self, location: &Location, more: Vec<(&str, String)>) {
        let name = &location.name.text;
        for (property, value) in more {
            self.begun.push(format!("(set ({property} of {name}) to {value})"));
        }
        for attr in &location.attrs {
            let value = self.rendered(|writer| writer.expr(&attr.value));
            self.begun.push(format!("(set ({} of {name}) to {value})", self.words.attr(&attr.name.text)));
        }
    }

    /// Where connections lead from a location, in the order in which they are declared.
    fn neighbours(&self, at: usize) -> Vec<String> {
        let program = self.names.program;
        let own = &program.locations[at].name.text;
        let mut next = Vec::new();
        for connection in &program.connections {
            for pair in connection.chain.windows(2) {
                if pair[0].text == *own {
                    next.push(pair[1].text.clone());
                }
                if !connection.directed && pair[1].text == *own {
                    next.push(pair[0].text.clone());
                }
            }
        }
        next
    }

    /// Connections are things only where they have attributes.
    pub(super) fn connections(&mut self) {
        let attrs = Words::attrs_of(&self.names, &Holder::Connection);
        if attrs.is_empty() {
            return;
        }
        self.blank();
        self.lined("#model connection");
        self.lined("  #relation start");
        self.lined("  #relation goal");
        for attr in &attrs {
            self.lined(&format!("  #property {}", self.words.attr(attr)));
        }
        for connection in &self.names.program.connections {
            for pair in connection.chain.windows(2) {
                let mut ways = vec![(&pair[0].text, &pair[1].text)];
                if !connection.directed {
                    ways.push((&pair[1].text, &pair[0].text));
                }
                for (from, to) in ways {
                    self.line();
                    self.mark(connection.origin);
                    self.put("#entity connection");
                    self.with(&connection.attrs, vec![("start", from.clone()), ("goal", to.clone())], None);
                }
            }
        }
    }

    /// Whether objects of a type do not all draw from the same list.
    fn draws_differ(&self, kind: &str) -> bool {
        let mut instances = self.names.program.locations.iter().flat_map(|location| &location.inventory);
        instances.any(|instance| instance.kind.text == kind && instance.with.randomizer.is_some())
    }

    /// The number of sides, where all objects of a type are dice.
    pub(super) fn sides(&self, kind: &str) -> Option<usize> {
        let randomizer = self.names.types.get(kind)?.with.randomizer.as_ref()?;
        let die = |(at, value): (usize, &Expr)| matches!(value.kind, ExprKind::Int(n) if n == at as i64 + 1);
        let all = randomizer.values.iter().enumerate().all(die);
        (all && randomizer.values.len() > 1 && !self.draws_differ(kind)).then_some(randomizer.values.len())
    }

    pub(super) fn list(&mut self, values: &[Expr]) {
        self.put("(list");
        for value in values {
            self.put(" ");
            self.expr(value);
        }
        self.put(")");
    }

    pub(super) fn objects(&mut self) {
        let program = self.names.program;
        self.blank();
        for kind in &program.types {
            self.line();
            self.mark(kind.name.origin);
            self.put(&format!("#model {}", self.words.kind(&kind.name.text)));
            self.indent += 1;
            let holder = Holder::Object(kind.name.text.clone());
            let attrs = Words::attrs_of(&self.names, &holder);
            let mut face = None;
            for attr in &attrs {
                let usual = kind.with.attrs.iter().find(|own| own.name.text == *attr);
                self.line();
                self.mark(usual.map_or(kind.name.origin, |usual| usual.name.origin));
                self.put(&format!("#property {}", self.words.attr(attr)));
                if let Some(usual) = usual {
                    self.put(" ");
                    self.expr(&usual.value);
                }
                let mut own = program.locations.iter().flat_map(|location| &location.inventory);
                let hides = |with: &Features| with.attrs.iter().any(|own| own.name.text == *attr && own.hidden);
                if hides(&kind.with)
                    || own.any(|instance| instance.kind.text == kind.name.text && hides(&instance.with))
                {
                    self.put(" seen by (ValueVisible of place)");
                    let ty = self.names.attrs.get(&(holder.clone(), attr.clone()));
                    let told = ty.is_some_and(|ty| !ty.may_be_nothing() && !matches!(ty, Ty::List(_)));
                    face = face.or_else(|| told.then(|| self.words.attr(attr)));
                } else if attr == "Value" {
                    self.lined("#look text Value");
                }
            }
            // What is hidden is what tells one from another for whoever may see it, as on a card.
            let valued = attrs.iter().any(|attr| attr == "Value") || self.randomizer(&kind.name.text).is_some();
            if let Some(face) = face.filter(|_| !valued) {
                self.lined(&format!("#look text {face}"));
            }
            if let Some(randomizer) = self.randomizer(&kind.name.text) {
                let hidden = randomizer.hidden;
                self.lined("#property Value ");
                self.expr(&randomizer.values[0]);
                if hidden {
                    self.put(" seen by (ValueVisible of place)");
                } else {
                    self.lined("#look text Value");
                }
                if self.draws_differ(&kind.name.text) {
                    self.lined("#property Randomizer ");
                    self.list(&randomizer.values);
                } else if self.uses.drawing || self.sides(&kind.name.text).is_none() {
                    self.lined("#define Randomizer ");
                    self.list(&randomizer.values);
                }
            }
            self.indent -= 1;
        }
        for location in &program.locations {
            for instance in &location.inventory {
                self.instance(location, instance, Some(&instance.name.text));
            }
        }
        for location in program.locations.iter().filter(|location| location.supply) {
            for instance in &location.supplies {
                self.instance(location, instance, None);
            }
        }
    }

    /// The randomizer of a type, or of the first object that has one of its own.
    fn randomizer(&self, kind: &str) -> Option<Randomizer> {
        let of_type = self.names.types.get(kind).and_then(|kind| kind.with.randomizer.clone());
        let mut instances = self.names.program.locations.iter().flat_map(|location| &location.inventory);
        of_type.or_else(|| {
            instances.find(|own| own.kind.text == kind && own.with.randomizer.is_some())?.with.randomizer.clone()
        })
    }

    fn instance(&mut self, location: &Location, instance: &Instance, name: Option<&str>) {
        let kind = self.words.kind(&instance.kind.text);
        self.line();
        self.mark(instance.name.origin);
        match name {
            Some(name) => self.put(&format!("#entity {name} is {kind} at {}", location.name.text)),
            None => self.put(&format!("#entity {kind} at {}", location.name.text)),
        }
        let mut more = Vec::new();
        let owner = self.names.owner(location, instance).map(|name| name.text.clone());
        more.extend(owner.map(|owner| ("owner", owner)));
        self.with(&instance.with.attrs, more, instance.with.randomizer.as_ref());
    }
}
