use crate::kinds::{Kinds, Type, What};
use crate::tree::{given, slot};
use houserules_model::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A definition seen from above: who has what, who answers what, which words stand for what.
///
/// It can be made of any definition. Where parents go in a circle or are missing, the chain just ends.
pub struct Outline<'a> {
    pub items: Vec<&'a Item>,
    pub models: BTreeMap<Name, Model<'a>>,
    /// Defines outside any model.
    pub defines: BTreeMap<Name, &'a Define>,
    pub settings: BTreeMap<Name, &'a Setting>,
    pub players: Option<&'a Players>,
    /// Entities with a name of their own, and their models.
    pub entities: BTreeMap<Name, Name>,
    /// What every player has because of `for each player`.
    pub each_player: BTreeMap<Name, Type>,
    pub boards: Vec<&'a Board>,
    /// Places that links name, and the relations they make.
    pub links: Vec<&'a Link>,
    pub spots: Vec<&'a Spot>,
    pub edges: Vec<&'a Edges>,
    pub directions: BTreeSet<Name>,
    pub labels: BTreeMap<Name, Label<'a>>,
    /// Attributes of messages whose label is computed: any message may have them.
    pub loose_attributes: BTreeSet<Name>,
    /// Some message has a computed label.
    pub computed_labels: bool,
    /// Some line makes several things: their names are known when the game is built.
    pub numbered: bool,
    pub rules: Vec<&'a Rule>,
    pub turns: Turns,
    pub open_properties: bool,
    /// Answers of `related`, which every word asks for.
    relatives: RefCell<BTreeMap<Name, Vec<Name>>>,
    /// Properties made by `(new property …)` while the game runs.
    made: BTreeSet<Name>,
    /// Properties that hold nothing but numbers.
    numeric: BTreeSet<Name>,
}

#[derive(Default)]
pub struct Model<'a> {
    pub parent: Option<Name>,
    pub origin: Option<Origin>,
    pub properties: BTreeMap<Name, &'a Property>,
    pub defines: BTreeMap<Name, &'a Define>,
    pub behaviors: Vec<&'a Behavior>,
}

/// A message label: who answers, what it carries.
#[derive(Default)]
pub struct Label<'a> {
    pub handlers: Vec<&'a Behavior>,
    pub action: Option<&'a Action>,
    pub attributes: BTreeSet<Name>,
    pub sent: bool,
    pub side_effect: bool,
    /// Sent by the machine itself.
    pub machine: bool,
}

/// What a name means when it is asked of a thing.
#[derive(Clone)]
pub enum Member<'a> {
    Property(&'a Property),
    Define(&'a Define),
    /// Every thing, every place or every player has it.
    Builtin(Type),
    Direction,
}

pub const EVERY_THING: &[&str] = &["name", "kind", "number", "state", "owner", "place", "contents", "top", "empty"];
pub const MACHINE_LABELS: &[&str] = &["start", "turn", "stuck", "gameover"];

impl<'a> Outline<'a> {
    pub fn of(definition: &'a Definition) -> Self {
        let mut outline = Outline {
            items: definition.items().iter().filter(|item| !matches!(item.kind, ItemKind::Variant(_))).collect(),
            models: BTreeMap::new(),
            defines: BTreeMap::new(),
            settings: BTreeMap::new(),
            players: None,
            entities: BTreeMap::new(),
            each_player: BTreeMap::new(),
            boards: Vec::new(),
            links: Vec::new(),
            spots: Vec::new(),
            edges: Vec::new(),
            directions: BTreeSet::new(),
            labels: BTreeMap::new(),
            loose_attributes: BTreeSet::new(),
            computed_labels: false,
            numbered: false,
            rules: Vec::new(),
            turns: Turns::ByRules,
            open_properties: false,
            relatives: RefCell::default(),
            made: BTreeSet::new(),
            numeric: BTreeSet::new(),
        };
        for model in ["game", "player"] {
            outline.models.entry(model.into()).or_default();
        }
        for label in MACHINE_LABELS {
            outline.label(&(*label).into()).machine = true;
        }
        outline.label(&"gameover".into()).attributes.insert("winner".into());
        for item in outline.items.clone() {
            outline.note(item);
        }
        outline.note_messages();
        outline.note_numbers();
        outline
    }

    fn label(&mut self, name: &Name) -> &mut Label<'a> {
        self.labels.entry(name.clone()).or_default()
    }

    fn model(&mut self, name: &Name) -> &mut Model<'a> {
        self.models.entry(name.clone()).or_default()
    }

    fn note(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Setting(setting) => {
                self.settings.insert(setting.name.clone(), setting);
            }
            ItemKind::Players(players) => self.players = Some(players),
            ItemKind::Turns(turns) => self.turns = *turns,
            ItemKind::OpenProperties => self.open_properties = true,
            ItemKind::Model { name, parent } => {
                let model = self.model(name);
                model.parent = parent.clone();
                model.origin = Some(item.origin);
            }
            // It says in which state things begin; what is read is the state, which every thing has.
            ItemKind::Property(property) if *property.name == *STATE_PROPERTY => {}
            ItemKind::Property(property) => {
                self.model(&property.of).properties.insert(property.name.clone(), property);
            }
            ItemKind::Define(define) => match &define.of {
                Some(model) => {
                    self.model(model).defines.insert(define.name.clone(), define);
                }
                None => {
                    self.defines.insert(define.name.clone(), define);
                }
            },
            ItemKind::Behavior(behavior) => {
                self.model(&behavior.of).behaviors.push(behavior);
                let label = self.label(&behavior.label);
                label.handlers.push(behavior);
                label.attributes.extend(behavior.attributes.iter().cloned());
            }
            ItemKind::Entity(entity) => {
                if *entity.model == *THING {
                    self.model(&entity.model);
                }
                let name = entity.name.as_ref().unwrap_or(&entity.model);
                self.numbered |= entity.times.is_some() || !entity.each.is_empty();
                if entity.each.iter().any(|each| matches!(each, ForEach::Player)) {
                    let many = entity.times.is_some() || entity.each.len() > 1;
                    let one = What::Thing(Kinds::one(&entity.model));
                    self.each_player.insert(name.clone(), if many { Type::list(one) } else { Type::sure(one) });
                } else if let Some(name) = &entity.name {
                    self.entities.insert(name.clone(), entity.model.clone());
                }
            }
            ItemKind::Board(board) => {
                self.boards.push(board);
                if board.each_player {
                    let name = board.name.as_ref().unwrap_or(&board.model);
                    self.each_player.insert(name.clone(), Type::list(What::Thing(Kinds::one(&board.model))));
                }
            }
            ItemKind::Link(link) => self.links.push(link),
            ItemKind::Spot(spot) => self.spots.push(spot),
            ItemKind::Edges(edges) => {
                self.edges.push(edges);
                self.numbered = true;
            }
            ItemKind::Directions { name, .. } => {
                self.directions.insert(name.clone());
            }
            ItemKind::Action(action) => {
                let label = self.label(&action.label);
                label.action = Some(action);
                label.attributes.extend(action.with.iter().map(|(name, _)| name.clone()));
            }
            ItemKind::Rule(rule) => {
                self.rules.push(rule);
                if rule.kind == RuleKind::SideEffect {
                    for (label, _) in rule.labels.iter().filter(|(label, _)| &**label != "*") {
                        self.label(label).side_effect = true;
                    }
                }
            }
            _ => {}
        }
    }

    /// Attributes that messages get where they are sent, and where rules and behaviors add them.
    fn note_messages(&mut self) {
        for item in self.items.clone() {
            let labels: Vec<Name> = match &item.kind {
                ItemKind::Behavior(behavior) => vec![behavior.label.clone()],
                ItemKind::Action(action) => vec![action.label.clone()],
                ItemKind::Rule(rule) => rule.labels.iter().map(|(label, _)| label.clone()).collect(),
                ItemKind::Setup(_) => vec!["start".into()],
                _ => Vec::new(),
            };
            let mut made = Vec::new();
            let mut added = Vec::new();
            let mut sent: Vec<(Option<Name>, Vec<Name>)> = Vec::new();
            item.exprs(&mut |expr| {
                expr.walk(&mut |expr| {
                    let ExprKind::Form(form, slots) = &expr.kind else {
                        return;
                    };
                    match form {
                        Form::NewProperty => made.extend(given(slot(*form, slots, "P")).cloned()),
                        Form::UpdateAttribute => added.extend(given(slot(*form, slots, "A")).cloned()),
                        Form::Send | Form::SendNew | Form::NewMessage => {
                            let pairs = slot(*form, slots, "A").pairs();
                            let names = pairs.iter().filter_map(|(name, _)| name.known().cloned()).collect();
                            sent.push((given(slot(*form, slots, "L")).cloned(), names));
                        }
                        Form::Observe => {
                            let names = vec!["old".into(), "new".into()];
                            sent.push((given(slot(*form, slots, "L")).cloned(), names));
                        }
                        _ => {}
                    }
                });
            });
            self.made.extend(made);
            for label in labels {
                if &*label == "*" {
                    self.loose_attributes.extend(added.iter().cloned());
                } else {
                    self.label(&label).attributes.extend(added.iter().cloned());
                }
            }
            for (label, names) in sent {
                match label {
                    Some(label) => {
                        let label = self.label(&label);
                        label.sent = true;
                        label.attributes.extend(names);
                    }
                    None => {
                        self.computed_labels = true;
                        self.loose_attributes.extend(names);
                    }
                }
            }
        }
    }

    /// A property is a number when it begins as one and nothing but numbers is ever put into it.
    fn note_numbers(&mut self) {
        let mut numeric: BTreeSet<Name> = BTreeSet::new();
        let mut other: BTreeSet<Name> = BTreeSet::new();
        let mut put = |name: Name, value: Option<&Expr>| {
            let number = value.is_some_and(|value| self.obviously_number(value));
            if number {
                numeric.insert(name)
            } else {
                other.insert(name)
            };
        };
        for item in &self.items {
            match &item.kind {
                ItemKind::Property(property) => put(property.name.clone(), property.value.as_ref()),
                ItemKind::Entity(entity) => {
                    entity.with.iter().for_each(|(name, value)| put(name.clone(), Some(value)));
                    for each in &entity.each {
                        if let ForEach::In(name, _) = each {
                            put(name.clone(), None);
                        }
                    }
                }
                ItemKind::Picture { property: Some(property), .. } => put(property.clone(), None),
                _ => {}
            }
            item.exprs(&mut |expr| {
                expr.walk(&mut |expr| {
                    let ExprKind::Form(form, slots) = &expr.kind else {
                        return;
                    };
                    match form {
                        Form::Set => {
                            if let Some(name) = slot(*form, slots, "X").expr().and_then(target_name) {
                                put(name, slot(*form, slots, "V").expr());
                            }
                        }
                        Form::NewProperty | Form::UpdateProperty => {
                            if let Some(name) = given(slot(*form, slots, "P")) {
                                put(name.clone(), slot(*form, slots, "V").expr());
                            }
                        }
                        Form::New => {
                            for (name, value) in slot(*form, slots, "A").pairs() {
                                if let Some(name) = name.known() {
                                    put(name.clone(), Some(value));
                                }
                            }
                        }
                        _ => {}
                    }
                });
            });
        }
        self.numeric = numeric.difference(&other).cloned().collect();
    }

    fn obviously_number(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Number(_) => true,
            ExprKind::Word(name) => {
                let number = |setting: &&Setting| matches!(setting.value.kind, ExprKind::Number(_));
                self.settings.get(name).is_some_and(number)
            }
            ExprKind::Form(form, _) => {
                let arithmetic = form.def().shelf == forms::Shelf::Arithmetic;
                (arithmetic && !matches!(form, Form::Max | Form::Min)) || matches!(form, Form::Count | Form::Seen)
            }
            _ => false,
        }
    }

    pub fn is_numeric(&self, property: &str) -> bool {
        self.numeric.contains(property)
    }

    /// The model and its parents, nearest first. Ends where a circle would begin.
    pub fn ancestry(&self, model: &str) -> Vec<Name> {
        let mut line: Vec<Name> = Vec::new();
        let mut next = self.models.get_key_value(model);
        while let Some((name, model)) = next {
            if line.contains(name) {
                break;
            }
            line.push(name.clone());
            next = model.parent.as_ref().and_then(|parent| self.models.get_key_value(parent));
        }
        line
    }

    /// Every model a thing called `model` can be: the model, its parents and its children.
    fn related(&self, model: &str) -> Vec<Name> {
        if let Some(known) = self.relatives.borrow().get(model) {
            return known.clone();
        }
        let mut all = self.ancestry(model);
        for name in self.models.keys() {
            let line = self.ancestry(name);
            if line.iter().any(|above| &**above == model) {
                all.extend(line);
            }
        }
        all.sort();
        all.dedup();
        self.relatives.borrow_mut().insert(model.into(), all.clone());
        all
    }

    pub fn related_to(&self, kinds: &Kinds) -> Vec<Name> {
        match kinds {
            Kinds::Any => self.models.keys().cloned().collect(),
            Kinds::Of(models) => {
                let mut all: Vec<Name> = models.iter().flat_map(|model| self.related(model)).collect();
                all.sort();
                all.dedup();
                all
            }
        }
    }

    /// What `name` is when asked of a thing of these kinds, if such things can have it.
    pub fn member(&self, kinds: &Kinds, name: &str) -> Option<Member<'a>> {
        let related = self.related_to(kinds);
        // The nearest answer first: the model itself and its parents, then what only some children have.
        let nearest = match kinds {
            Kinds::Of(models) => models.iter().flat_map(|model| self.ancestry(model)).collect(),
            Kinds::Any => Vec::new(),
        };
        for model in nearest.iter().chain(&related) {
            let Some(model) = self.models.get(model) else { continue };
            if let Some(property) = model.properties.get(name) {
                return Some(Member::Property(property));
            }
            if let Some(define) = model.defines.get(name) {
                return Some(Member::Define(define));
            }
        }
        let any = *kinds == Kinds::Any;
        let is = |model: &str| any || related.iter().any(|known| &**known == model);
        if is("player")
            && let Some(found) = self.each_player.get(name)
        {
            return Some(Member::Builtin(found.clone()));
        }
        if is("game") && matches!(name, "players" | "seats") {
            return Some(Member::Builtin(Type::list(What::Thing(Kinds::one("player")))));
        }
        let boards: Vec<&Board> = self.boards_of(&related, any);
        if !boards.is_empty() && self.has_direction(&boards, name) {
            return Some(Member::Direction);
        }
        let number = Type::sure(What::Number);
        Some(Member::Builtin(match name {
            "name" => Type::sure(What::Text),
            "number" => number,
            "state" => Type::sure(What::Text),
            "kind" => Type::sure(What::Unknown),
            "owner" => Type::maybe(What::Thing(Kinds::one("player"))),
            "place" => Type::maybe(What::Thing(Kinds::Any)),
            "contents" => Type::list(What::Thing(Kinds::Any)),
            "top" => Type::maybe(What::Thing(Kinds::Any)),
            "empty" => Type::maybe(What::Truth),
            "row" | "column" if !boards.is_empty() => number,
            "score" if is("player") => number,
            "team" if is("player") => Type::list(What::Thing(Kinds::one("player"))).nilable(),
            "next" | "previous" if is("player") => Type::sure(What::Thing(Kinds::one("player"))),
            _ if self.made.contains(name) => Type::UNKNOWN,
            _ => return None,
        }))
    }

    fn boards_of(&self, models: &[Name], any: bool) -> Vec<&'a Board> {
        self.boards.iter().filter(|board| any || models.contains(&board.model)).copied().collect()
    }

    /// The boards whose places can be of these kinds.
    pub fn boards_for(&self, kinds: &Kinds) -> Vec<&'a Board> {
        self.boards_of(&self.related_to(kinds), *kinds == Kinds::Any)
    }

    /// Whether one of these boards has the direction, set of directions or relation.
    pub fn has_direction(&self, boards: &[&Board], name: &str) -> bool {
        self.directions.contains(name)
            || boards.iter().any(|board| self.directions_of(board).iter().any(|d| &**d == name))
    }

    /// Whether any board of the game has it.
    pub fn is_direction(&self, name: &str) -> bool {
        self.has_direction(&self.boards, name)
    }

    pub fn directions_of(&self, board: &Board) -> Vec<Name> {
        let parts: &[&[&str]] = match board.shape {
            Shape::Grid { .. } => &[COMPASS, SETS, RELATIVE],
            Shape::Rhombus { .. } | Shape::Hex { .. } | Shape::Triangle { .. } => &[SIX, SETS, RELATIVE],
            Shape::Ring { .. } | Shape::Track { .. } => {
                &[&["next", "previous", "forward", "backward", "orthogonal", "adjacent"]]
            }
            Shape::Graph => &[&["linked", "orthogonal", "adjacent"]],
        };
        let mut all: Vec<Name> = parts.iter().flat_map(|part| part.iter()).map(|name| (*name).into()).collect();
        let links = self.links.iter().filter(|link| link.board == board.model);
        all.extend(links.filter_map(|link| link.relation.clone()));
        all.extend(self.directions.iter().cloned());
        all
    }

    /// The things a message with this label can reach: who answers it, and whom the action is for.
    pub fn receivers(&self, label: &str) -> Kinds {
        let Some(label) = self.labels.get(label) else {
            return Kinds::Any;
        };
        let mut kinds: Option<Kinds> = None;
        let mut add = |more: Kinds| {
            kinds = Some(match kinds.take() {
                Some(known) => known.or(more),
                None => more,
            });
        };
        label.handlers.iter().for_each(|behavior| add(Kinds::one(&behavior.of)));
        if let Some(action) = label.action {
            add(self.action_receivers(action));
        }
        if label.machine {
            add(Kinds::one("game"));
        }
        kinds.unwrap_or(Kinds::Any)
    }

    /// Whom an action is for.
    pub fn action_receivers(&self, action: &Action) -> Kinds {
        match &action.to {
            None => Kinds::one("game"),
            Some(to) => self.domain_kinds(to),
        }
    }

    /// The kinds of the members of a domain, where its text says so.
    fn domain_kinds(&self, domain: &Expr) -> Kinds {
        match &domain.kind {
            ExprKind::Word(name) if self.models.contains_key(name) => Kinds::one(name),
            ExprKind::Word(name) if matches!(&**name, "players" | "seats") => Kinds::one("player"),
            ExprKind::Word(name) => match self.boards.iter().find(|board| board.name.as_ref() == Some(name)) {
                Some(board) => Kinds::one(&board.model),
                None => match self.entities.get(name) {
                    Some(model) => Kinds::one(model),
                    None => Kinds::Any,
                },
            },
            ExprKind::Form(form @ (Form::All | Form::Most | Form::Least), slots) => match slot(*form, slots, "D") {
                Slot::Domain { list, .. } => self.domain_kinds(list),
                _ => Kinds::Any,
            },
            _ => Kinds::Any,
        }
    }

    /// Whether a thing of these kinds answers the label in some state, or a rule acts on it.
    pub fn handled_by(&self, label: &Label, kinds: &Kinds) -> bool {
        // An action answers by itself, so a rule on it runs; on a message that nobody answers none does.
        if label.machine || label.action.is_some_and(|action| label.side_effect || action.body.is_some()) {
            return true;
        }
        let related = self.related_to(kinds);
        label.handlers.iter().any(|behavior| related.contains(&behavior.of))
    }

    /// Words, not values of words, that settings can have: `brisk` in `#setting pace brisk among slow brisk`.
    pub fn setting_words(&self, setting: &'a Setting) -> Vec<&'a Name> {
        let all = std::iter::once(&setting.value).chain(&setting.among);
        all.filter_map(|value| match &value.kind {
            ExprKind::Word(name) if !setting.among.is_empty() && !self.settings.contains_key(name) => Some(name),
            ExprKind::Text(name) => Some(name),
            _ => None,
        })
        .collect()
    }

    pub fn for_two(&self) -> bool {
        self.players.is_none_or(|players| players.least == 2 && players.most == 2)
    }

    /// The model of a thing or a player with this name.
    pub fn named_thing(&self, name: &Name) -> Option<Name> {
        let player = || self.player_names().any(|player| player == name).then(|| "player".into());
        player().or_else(|| self.entities.get(name).cloned())
    }

    pub fn player_names(&self) -> impl Iterator<Item = &'a Name> {
        self.players.into_iter().flat_map(|players| players.names.iter().map(|player| &player.name))
    }
}

const COMPASS: &[&str] = &["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
const SIX: &[&str] = &["east", "northeast", "northwest", "west", "southwest", "southeast"];
const SETS: &[&str] = &["orthogonal", "diagonal", "adjacent"];
pub const RELATIVE: &[&str] = &[
    "forward",
    "backward",
    "left",
    "right",
    "forward-left",
    "forward-right",
    "backward-left",
    "backward-right",
    "forwards",
    "forward-diagonal",
    "backward-diagonal",
];

/// The name that a target changes: `mark` in `mark`, `(mark of c)` and `(property mark of c)`.
pub fn target_name(target: &Expr) -> Option<Name> {
    match &target.kind {
        ExprKind::Word(name) => Some(name.clone()),
        ExprKind::Call { name, .. } => Some(name.clone()),
        ExprKind::Form(form @ Form::Property, slots) => given(slot(*form, slots, "P")).cloned(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserules_model::words::{self, Asked};

    fn shapes() -> Definition {
        let text = "#game \"All shapes\" #players \"A\" \"B\" #teams (list A) (list B)
            #model cell #board cell grid 3 3 #model hexagon #board hexagon hex 2
            #model stop #board stop ring 4 #model town #board town graph #link here there";
        houserules_gdl::read_text("shapes.gdl", text).definition
    }

    #[test]
    fn the_checker_knows_every_word_of_the_table() {
        let definition = shapes();
        let outline = Outline::of(&definition);
        for def in words::all() {
            let kinds = match def.asked {
                Asked::Nobody | Asked::Message | Asked::Board => continue,
                Asked::Things => Kinds::one("town"),
                Asked::Places | Asked::Direction | Asked::Directions => Kinds::Any,
                Asked::Players => Kinds::one("player"),
                Asked::Game => Kinds::one("game"),
            };
            assert!(outline.member(&kinds, def.word).is_some(), "{}", def.word);
        }
        for def in words::messages() {
            let label = outline.labels.get(def.label).filter(|label| label.machine);
            let known: Option<Vec<&str>> = label.map(|label| label.attributes.iter().map(|name| &**name).collect());
            assert_eq!(known.as_deref(), Some(def.attributes), "{}", def.label);
        }
    }

    #[test]
    fn the_table_has_every_word_that_the_checker_knows() {
        let definition = shapes();
        let outline = Outline::of(&definition);
        let has = |word: &str, all: &[Asked]| words::named(word).any(|def| all.contains(&def.asked));
        for word in EVERY_THING {
            assert!(has(word, &[Asked::Things]), "{word}");
        }
        for board in &outline.boards {
            for word in outline.directions_of(board) {
                assert!(has(&word, &[Asked::Direction, Asked::Directions]), "{word}");
            }
        }
        for label in MACHINE_LABELS {
            assert!(words::messages().iter().any(|def| def.label == *label), "{label}");
        }
    }
}
