//! The sections of a text and what is declared in them.

use super::Parser;
use super::expr::unquoted;
use crate::lex::Kind;
use crate::syntax::*;
use houserules_model::Diagnostic;

/// In the order in which they stand. Words with small letters are extensions.
const SECTIONS: [&str; 10] = [
    "Game",
    "options",
    "Players",
    "Locations",
    "LocationConnections",
    "Objects",
    "Rounds",
    "Actions",
    "StartState",
    "postgame",
];
const NEEDED: [&str; 6] = ["Game", "Players", "Locations", "Objects", "Rounds", "Actions"];

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let head = self.text.lines().map_while(|line| line.trim().strip_prefix("//"));
        let summary = head.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        let mut program = Program { summary, ..Program::default() };
        let mut seen: Vec<usize> = Vec::new();
        let mut lost = false;
        while !self.ended() {
            let (word, origin) = (self.word(), self.origin());
            let Some(at) = SECTIONS.iter().position(|section| *section == word) else {
                if !lost {
                    self.unknown("a section", &SECTIONS);
                }
                lost = true;
                self.bump();
                continue;
            };
            lost = false;
            if seen.contains(&at) {
                let label = format!("There is a section `{word}` already.");
                self.tell(Diagnostic::error("text/order", "A section again", origin, label));
            } else if let Some(later) = seen.iter().find(|known| **known > at) {
                let label = format!("`{word}` stands before `{}`.", SECTIONS[*later]);
                let fault = Diagnostic::error("text/order", "A section in the wrong place", origin, label);
                self.tell(fault.note(format!("The order is: {}.", SECTIONS.join(", "))));
            }
            seen.push(at);
            self.bump();
            match word {
                "Game" => self.title(&mut program),
                "options" => {
                    self.block(|parser| parser.option(&mut program));
                }
                "Players" => self.block(|parser| parser.player(&mut program.players)),
                "Locations" => self.block(|parser| parser.location(&mut program)),
                "LocationConnections" => {
                    self.block(|parser| program.connections.extend(parser.connection()));
                }
                "Objects" => self.block(|parser| program.types.extend(parser.object_type())),
                "Rounds" => self.block(|parser| program.rounds.extend(parser.round())),
                "Actions" => self.block(|parser| parser.actions(&[], &mut program)),
                "StartState" => program.start = Some(self.stmts()),
                _ => program.postgame = Some(self.stmts()),
            }
        }
        self.undeclared(&mut program);
        for needed in NEEDED {
            let missing = !seen.iter().any(|at| SECTIONS[*at] == needed);
            if missing {
                let label = format!("The section `{needed}` is missing.");
                self.tell(Diagnostic::error("text/section", "A section is missing", self.origin(), label));
            }
        }
        if let Some(main) = program.rounds.iter().position(|round| round.name.text == "Main") {
            if main + 1 != program.rounds.len() {
                let label = "Main stands after all other rounds.";
                let origin = program.rounds[main].name.origin;
                self.tell(Diagnostic::error("text/order", "Main is not the last round", origin, label));
            }
        } else if seen.iter().any(|at| SECTIONS[*at] == "Rounds") {
            let label = "A match begins with the round `Main`, and there is none.";
            let fault = Diagnostic::error("text/section", "Main is missing", self.origin(), label);
            self.tell(fault.hint("`Main(){ ChooseAction CurrentTurn; NextTurn; Repeat; }` is one."));
        }
        program
    }

    fn title(&mut self, program: &mut Program) {
        self.sign("=");
        if self.token().kind == Kind::Text {
            program.title = unquoted(self.word());
            self.bump();
        } else {
            self.expected("the name of the game in quotes");
        }
        self.semicolon();
    }

    fn player(&mut self, players: &mut Players) {
        let word = self.word();
        match word {
            "MinPlayers" | "MaxPlayers" => {
                self.bump();
                self.sign("=");
                let number = self.number();
                if number.is_none() {
                    self.skip();
                    return;
                }
                *(if word == "MinPlayers" { &mut players.least } else { &mut players.most }) = number;
                self.semicolon();
                return;
            }
            "even" => {
                self.bump();
                players.even = true;
                self.semicolon();
                return;
            }
            _ => {}
        }
        // The paper leaves the word out.
        let human = !self.at_word("Computer");
        if self.at_word("Human") || !human {
            self.bump();
        }
        let Some(name) = self.id("the name of a player") else { return self.skip() };
        let mut attrs = Vec::new();
        if !self.take_sign(";") {
            self.block(|parser| attrs.extend(parser.attr(false)));
        }
        players.list.push(Player { name, human, attrs });
    }

    /// `Name = value;`
    /// An option, and what the comment behind it says: whoever is to choose reads that.
    fn option(&mut self, program: &mut Program) {
        let Some(option) = self.attr(false) else { return };
        let end = self.tokens[self.at.saturating_sub(1)].end as usize;
        let line = self.text[end..].lines().next().unwrap_or_default();
        if let Some(told) = line.trim_start().strip_prefix("//").map(str::trim).filter(|told| !told.is_empty()) {
            program.about.insert(option.name.text.clone(), told.to_owned());
        }
        program.options.push(option);
    }

    fn attr(&mut self, hidden: bool) -> Option<Attr> {
        let Some(name) = self.id("the name of an attribute") else {
            self.skip();
            return None;
        };
        self.sign("=");
        let value = self.expr();
        self.semicolon();
        Some(Attr { name, value, hidden })
    }

    fn location(&mut self, program: &mut Program) {
        if let (word @ ("square" | "hex"), Kind::Id) = (self.word(), self.ahead(1).kind) {
            return self.grid(word == "hex", program);
        }
        let supply = self.at_word("Supply");
        if supply || self.at_word("Place") {
            self.bump();
        }
        let names = self.ids("the name of a location");
        if names.is_empty() {
            return self.skip();
        }
        let before = self.at;
        for (at, (name, index)) in names.into_iter().enumerate() {
            // The text of a range is read once for each of it, and is wrong only once.
            self.at = before;
            let (quiet, outer) = (self.quiet, self.index);
            self.quiet |= at > 0;
            self.index = index;
            program.locations.push(self.location_body(name, supply));
            (self.quiet, self.index) = (quiet, outer);
        }
    }

    pub(super) fn location_body(&mut self, name: Name, supply: bool) -> Location {
        let (attrs, inventory, supplies) = Default::default();
        let mut location = Location {
            name,
            owner: None,
            exist: None,
            value: None,
            capacity: None,
            attrs,
            inventory,
            supplies,
            supply,
        };
        self.block(|parser| match parser.word() {
            "Owner" => {
                parser.bump();
                parser.sign("=");
                location.owner = parser.owner(false);
                parser.semicolon();
            }
            word @ ("ExistVisible" | "ValueVisible") => {
                parser.bump();
                parser.sign("=");
                let sight = parser.sight();
                *(if word == "ExistVisible" { &mut location.exist } else { &mut location.value }) = sight;
                parser.semicolon();
            }
            "capacity" => {
                parser.bump();
                parser.sign("=");
                location.capacity = Some(parser.expr());
                parser.semicolon();
            }
            "StartingInventory" => {
                parser.bump();
                parser.block(|parser| parser.instance(&mut location.inventory));
            }
            "Supplies" => {
                parser.bump();
                parser.block(|parser| parser.instance(&mut location.supplies));
            }
            _ => location.attrs.extend(parser.attr(false)),
        });
        location
    }

    fn owner(&mut self, of_object: bool) -> Option<Owner> {
        if self.take_word("public") {
            Some(Owner::Public)
        } else if of_object && self.take_word("Location") {
            Some(Owner::Location)
        } else {
            self.id("the name of a player, or `public`").map(Owner::Player)
        }
    }

    fn sight(&mut self) -> Option<Sight> {
        if self.take_word("public") {
            return Some(Sight::Public);
        }
        if self.take_word("None") {
            return Some(Sight::Nobody);
        }
        if !self.take_sign("[") {
            return self.id("a player, `public` or `None`").map(|name| Sight::Players(vec![name]));
        }
        let mut names = Vec::new();
        while !self.ended() {
            match self.id("the name of a player") {
                Some(name) => names.push(name),
                None => break,
            }
            if !self.take_sign(",") {
                break;
            }
        }
        self.sign("]");
        Some(Sight::Players(names))
    }

    /// `Type Name;`, `Type Name1..Name4{ … }`.
    fn instance(&mut self, instances: &mut Vec<Instance>) {
        let Some(kind) = self.id("the type of an object") else { return self.skip() };
        let names = self.ids("the name of an object");
        if names.is_empty() {
            return self.skip();
        }
        let before = self.at;
        for (at, (name, index)) in names.into_iter().enumerate() {
            self.at = before;
            let (quiet, outer) = (self.quiet, self.index);
            self.quiet |= at > 0;
            self.index = index.or(outer);
            let with = if self.take_sign(";") { Features::default() } else { self.features() };
            instances.push(Instance { kind: kind.clone(), name, with });
            (self.quiet, self.index) = (quiet, outer);
        }
    }

    fn features(&mut self) -> Features {
        let mut with = Features::default();
        self.block(|parser| {
            let hidden = parser.at_word("hidden") || parser.at_word("private");
            if hidden || parser.at_word("public") {
                parser.bump();
            }
            match parser.word() {
                "Owner" => {
                    parser.bump();
                    parser.sign("=");
                    with.owner = parser.owner(true);
                    parser.semicolon();
                }
                "Randomizer" => {
                    let start = parser.origin();
                    parser.bump();
                    parser.sign("{");
                    let values = if parser.sign("[") { parser.list("]") } else { Vec::new() };
                    parser.sign("}");
                    let origin = parser.since(start);
                    if with.randomizer.is_some() {
                        let label = "An object has one randomizer at most.";
                        parser.tell(Diagnostic::error("name/twice", "A randomizer again", origin, label));
                    }
                    with.randomizer = Some(Randomizer { values, hidden, origin });
                }
                "Value" => {
                    let name = Name { text: "Value".to_owned(), origin: parser.origin() };
                    parser.bump();
                    parser.sign("=");
                    let value = parser.expr();
                    parser.semicolon();
                    with.attrs.push(Attr { name, value, hidden });
                }
                _ => with.attrs.extend(parser.attr(hidden)),
            }
        });
        with
    }

    fn object_type(&mut self) -> Option<ObjectType> {
        let counter = self.take_word("Counter");
        let Some(name) = self.id("the name of an object type") else {
            self.skip();
            return None;
        };
        let with = self.features();
        Some(ObjectType { name, counter, with })
    }

    /// `Directed{[A, B, C]}`, or `Directed{A B C}` as in the paper, and attributes.
    fn connection(&mut self) -> Option<Connection> {
        let start = self.origin();
        let directed = self.at_word("Directed");
        if !directed && !self.at_word("Undirected") {
            self.unknown("a connection", &["Directed", "Undirected"]);
            self.skip();
            return None;
        }
        self.bump();
        let (mut chain, mut attrs) = (Vec::new(), Vec::new());
        self.block(|parser| {
            if !chain.is_empty() {
                attrs.extend(parser.attr(false));
                return;
            }
            let bracket = parser.take_sign("[");
            while parser.token().kind == Kind::Id && parser.ahead(1).kind != Kind::Sign("=") {
                let names = parser.ids("the name of a location");
                if names.is_empty() {
                    break;
                }
                chain.extend(names.into_iter().map(|(name, _)| name));
                parser.take_sign(",");
            }
            if bracket {
                parser.sign("]");
            } else if chain.is_empty() {
                parser.expected("the name of a location");
            }
        });
        let origin = self.since(start);
        if chain.len() < 2 {
            let label = "A connection joins two locations or more.";
            self.tell(Diagnostic::error("text/expected", "This connects nothing", origin, label));
            return None;
        }
        Some(Connection { directed, chain, attrs, origin })
    }

    fn params(&mut self) -> Vec<Param> {
        let mut params = Vec::new();
        self.sign("(");
        while !self.ended() && !self.at_sign(")") {
            let (origin, text) = (self.origin(), self.word().to_owned());
            if !matches!(self.token().kind, Kind::Id | Kind::Low) {
                self.expected("the type of a parameter");
                break;
            }
            self.bump();
            let kind = Name { text, origin };
            let Some(name) = self.low("the name of a parameter, with a small letter,") else { break };
            let domain = if self.take_word("from") {
                let least = self.expr();
                if !self.take_word("to") {
                    self.expected("`to`");
                }
                Some(Domain::Between(least, self.expr()))
            } else if self.take_word("in") {
                Some(Domain::Among(self.expr()))
            } else {
                None
            };
            params.push(Param { kind, name, domain });
            if !self.take_sign(",") {
                break;
            }
        }
        self.sign(")");
        params
    }

    fn round(&mut self) -> Option<Round> {
        let origin = self.origin();
        let name = if self.take_word("Main") {
            Name { text: "Main".to_owned(), origin }
        } else {
            match self.id("the name of a round") {
                Some(name) => name,
                None => {
                    self.skip();
                    return None;
                }
            }
        };
        let params = self.params();
        Some(Round { name, params, body: self.stmts() })
    }

    fn actions(&mut self, phases: &[Name], program: &mut Program) {
        if phases.is_empty() && self.at_word("phase") {
            self.bump();
            let mut names = Vec::new();
            loop {
                let Some(name) = self.id("the name of a phase") else { return self.skip() };
                names.push(name);
                if !self.take_sign(",") {
                    break;
                }
            }
            self.block(|parser| parser.actions(&names, program));
            return;
        }
        if phases.is_empty() && self.at_word("auction") {
            return self.auction(program);
        }
        let Some(name) = self.id("the name of an action") else { return self.skip() };
        let params = self.params();
        let (mut requires, mut effect) = (Vec::new(), Vec::new());
        self.block(|parser| match parser.word() {
            "requires" => {
                parser.bump();
                parser.block(|parser| {
                    let condition = parser.expr();
                    parser.semicolon();
                    requires.push(condition);
                });
            }
            "effect" => {
                parser.bump();
                effect = parser.stmts();
            }
            _ => {
                parser.unknown("a part of an action", &["requires", "effect"]);
                parser.skip();
            }
        });
        program.actions.push(Action { name, phases: phases.to_vec(), params, requires, effect });
    }
}
