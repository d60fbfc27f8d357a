use crate::{Body, Expr, Name, Origin};

/// One thing a definition says. The unit of change: putting an item whose [`Key`] is already there
/// replaces it in its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub origin: Origin,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ItemKind {
    Game {
        name: Name,
    },
    Info {
        key: Name,
        text: Name,
    },
    Setting(Setting),
    /// In a variant: another value for a setting.
    Set {
        setting: Name,
        value: Expr,
    },
    Players(Players),
    Teams(Vec<Expr>),
    Turns(Turns),
    History(History),
    /// Behaviors, too, may read and change other entities' properties.
    OpenProperties,
    Setup(Body),
    Picture {
        property: Option<Name>,
        rows: Vec<Name>,
    },
    Model {
        name: Name,
        parent: Option<Name>,
    },
    Property(Property),
    Define(Define),
    Behavior(Behavior),
    /// A state without a behavior of its own.
    State {
        of: Name,
        name: Name,
    },
    Contents {
        of: Name,
        seen: Option<Sight>,
        counted: Option<Sight>,
    },
    Capacity {
        of: Name,
        most: Expr,
    },
    Supply {
        of: Name,
        model: Name,
        most: Option<Expr>,
    },
    Symbol {
        of: Name,
        signs: Vec<Signs>,
    },
    Look {
        of: Name,
        attribute: Name,
        value: Expr,
    },
    Entity(Entity),
    Board(Board),
    Directions {
        name: Name,
        paths: DirectionPaths,
    },
    Link(Link),
    Spot(Spot),
    Edges(Edges),
    Action(Action),
    Rule(Rule),
    /// Sets the mode of a rule that is already there.
    RuleMode {
        rule: Name,
        mode: Mode,
    },
    /// Gives a rule that is already there another body at the same place.
    RuleBody {
        rule: Name,
        body: Body,
    },
    Evaluator {
        name: Name,
        value: Expr,
    },
    View(View),
    /// What only a visual editor wants to know.
    Editor(Editor),
    Variant(Variant),
}

/// What tells items apart: putting an item with an equal key replaces the old one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    Game,
    Info(Name),
    Setting(Name),
    Players,
    Teams,
    Turns,
    History,
    OpenProperties,
    Setup,
    Picture(Option<Name>),
    Model(Name),
    Property(Name, Name),
    Define(Option<Name>, Name),
    Behavior(Name, Name, Name),
    State(Name, Name),
    Contents(Name),
    Capacity(Name),
    Supply(Name),
    Symbol(Name),
    Look(Name, Name),
    Entity(Name, u32),
    Board(Name),
    Directions(Name),
    Link(u32),
    Spot(u32),
    Edges(Name),
    Action(Name),
    Rule(Name),
    Evaluator(Name),
    View(Name),
    Editor(EditorKey),
    Variant(Name),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    pub name: Name,
    pub value: Expr,
    pub range: Option<(Expr, Expr)>,
    pub among: Vec<Expr>,
    pub text: Option<Name>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Players {
    /// Without names (`3 to 6`) seats are called "Player 1" and so on.
    pub names: Vec<PlayerName>,
    pub least: u32,
    pub most: u32,
    /// The seats are the things of this model; [`Definition::seated`] names them.
    ///
    /// [`Definition::seated`]: crate::Definition::seated
    pub are: Option<Name>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct PlayerName {
    pub name: Name,
    pub facing: Option<Name>,
    pub origin: Origin,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turns {
    /// No `#turns`: only the player whose turn it is may act, and the rules pass the turn.
    ByRules,
    /// `#turns`: it also passes by itself after every action that has not kept or passed it.
    Passing,
    /// `#turns free`: whoever the laws allow may act.
    Free,
}

/// What "the same position" means.
#[derive(Clone, PartialEq, Debug)]
pub struct History {
    /// Models, properties and defines of the game; empty: everything.
    pub things: Vec<(Name, Origin)>,
    /// Who moved last counts too.
    pub by_player: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// The model it belongs to; `game` when none was open.
    pub of: Name,
    pub name: Name,
    pub role: Role,
    pub value: Option<Expr>,
    pub seen: Option<Sight>,
    /// Kept out of `#history`.
    pub untracked: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Property,
    /// Holds entities only, alone or in lists and dictionaries.
    Relation,
    /// How the entity looks.
    Appearance,
}

/// Who may see something.
#[derive(Clone, PartialEq, Debug)]
pub enum Sight {
    Everyone,
    Nobody,
    Myself,
    Owner,
    /// A player or a list of players, computed when a view is made.
    Those(Expr),
}

/// A pure answer, asked like a property.
#[derive(Clone, PartialEq, Debug)]
pub struct Define {
    pub of: Option<Name>,
    pub name: Name,
    pub params: Vec<Name>,
    pub body: Body,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Behavior {
    pub of: Name,
    /// `*` answers in every state without an answer of its own.
    pub state: Name,
    pub label: Name,
    pub attributes: Vec<Name>,
    pub body: Body,
}

/// Signs for pictures and typed boards: one per seat, or one for all.
#[derive(Clone, PartialEq, Debug)]
pub struct Signs {
    /// Only in this state; none: in all others.
    pub state: Option<Name>,
    pub signs: Vec<Name>,
}

/// The model of entities that have none of their own. It is there as soon as one is made of it.
pub const THING: &str = "thing";

/// A property of this name says in which state things of its model begin.
pub const STATE_PROPERTY: &str = "state";

#[derive(Clone, PartialEq, Debug)]
pub struct Entity {
    /// The name of the only one, if it has one of its own.
    pub name: Option<Name>,
    pub model: Name,
    /// Counts the nameless entity lines of this model, so that two of them stay apart.
    pub number: u32,
    pub times: Option<Expr>,
    pub each: Vec<ForEach>,
    pub at: Option<Expr>,
    pub with: Vec<(Name, Expr)>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ForEach {
    Player,
    In(Name, Expr),
}

/// The ways of naming the places of a board that can stand after `naming`.
pub const NAMINGS: [&str; 4] = ["numbers", "draughts", "go", "top"];

#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    pub model: Name,
    pub shape: Shape,
    pub name: Option<Name>,
    pub each_player: bool,
    /// `where CONDITION`: which places of the shape it has; it may read `row` and `column`.
    pub cut: Option<Expr>,
    /// `naming WORD`: how its places are called, one of [`NAMINGS`]; none: the usual names of the shape.
    pub naming: Option<Name>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    Grid { width: Expr, height: Expr, wrapping: bool },
    Rhombus { width: Expr, height: Expr },
    Hex { side: Expr },
    Triangle { side: Expr },
    Ring { n: Expr },
    Track { n: Expr },
    Graph,
}

#[derive(Clone, PartialEq, Debug)]
pub enum DirectionPaths {
    /// Each path is one or more steps: `(east east north)`, or a single direction or set.
    Paths(Vec<Vec<Name>>),
    Leap(Expr, Expr),
}

/// On a graph: a chain of neighbours, and a straight line.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// The model of the board it belongs to.
    pub board: Name,
    /// Counts the links of the definition, so that equal links stay apart.
    pub number: u32,
    /// Names as texts, which may have values of `each` between braces.
    pub places: Vec<(Expr, Origin)>,
    pub relation: Option<Name>,
    pub one_way: bool,
    /// `for each NAME in LIST`: once for each.
    pub each: Vec<(Name, Expr)>,
}

/// `#place`: a place of a graph, and where it is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Spot {
    /// The model of the board it belongs to.
    pub board: Name,
    /// Counts the places of the definition, so that they stay apart.
    pub number: u32,
    pub name: Expr,
    /// Column and row.
    pub at: Option<(Expr, Expr)>,
    pub each: Vec<(Name, Expr)>,
}

/// A thing between any two neighbouring places.
#[derive(Clone, PartialEq, Debug)]
pub struct Edges {
    pub model: Name,
    /// The model of the places.
    pub between: Name,
    /// Which neighbours; those that share a side where nothing is said.
    pub along: Option<Name>,
}

/// What a player may do.
#[derive(Clone, PartialEq, Debug)]
pub struct Action {
    pub label: Name,
    /// Who receives the message: a model, or a form giving a list. None: the game.
    pub to: Option<Expr>,
    pub with: Vec<(Name, Expr)>,
    /// `as "{player} jumps over {over}"`.
    pub words: Option<Name>,
    /// Offered only by `let`.
    pub when_asked: bool,
    /// A behavior for every state without its own.
    pub body: Option<Body>,
}

/// A law or side-effect, and where it applies.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    pub name: Name,
    pub kind: RuleKind,
    /// Message labels; `*` is any.
    pub labels: Vec<(Name, Origin)>,
    /// Models, children included, or entities by name; empty: any.
    pub to: Vec<(Name, Origin)>,
    /// States; empty or `*`: any.
    pub states: Vec<(Name, Origin)>,
    /// Put before this rule.
    pub before: Option<(Name, Origin)>,
    pub mode: Mode,
    pub body: Body,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleKind {
    /// Checked before the behavior; may refuse.
    Law,
    /// Checked after it, in order with the side-effects; refusing rolls the action back.
    AfterLaw,
    /// Runs after the behavior.
    SideEffect,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Enforced,
    /// The table is warned, a referee decides.
    Advised,
    Off,
}

/// A representation of the entities of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    pub name: Name,
    pub of: Name,
    pub properties: Vec<(Name, Option<Expr>)>,
    pub behaviors: Vec<Behavior>,
}

/// Layers, lanes and what else an editor draws with. Nothing of it plays a part in a match.
#[derive(Clone, PartialEq, Debug)]
pub enum Editor {
    Layer {
        name: Name,
        visible: bool,
        protected: bool,
    },
    /// At which edge of the things of a model the slot of a relation is drawn, and on which layer.
    Slot {
        relation: Name,
        of: Name,
        lane: Option<Lane>,
        layer: Option<Name>,
    },
    /// On which layer an entity is drawn.
    Put {
        entity: Name,
        layer: Name,
    },
    /// How large the plane is on which things are drawn.
    Workspace {
        width: u32,
        height: u32,
    },
    /// Entities that are listed together.
    Group {
        name: Name,
        entities: Vec<Name>,
    },
    /// Markup of another editor, kept as it is.
    Keep {
        of: Drawn,
        text: Name,
    },
}

/// An edge of a thing as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    Top,
    Left,
    Right,
    Bottom,
}

/// What an editor draws.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Drawn {
    Game,
    Model(Name),
    /// A relation of a model.
    Slot(Name, Name),
    Entity(Name),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EditorKey {
    Layer(Name),
    /// A relation of a model.
    Slot(Name, Name),
    Put(Name),
    Workspace,
    Group(Name),
    Keep(Drawn),
}

impl Editor {
    /// The most a workspace is wide or high.
    pub const LARGEST: u32 = 100_000;

    pub fn key(&self) -> EditorKey {
        match self {
            Editor::Layer { name, .. } => EditorKey::Layer(name.clone()),
            Editor::Slot { relation, of, .. } => EditorKey::Slot(relation.clone(), of.clone()),
            Editor::Put { entity, .. } => EditorKey::Put(entity.clone()),
            Editor::Workspace { .. } => EditorKey::Workspace,
            Editor::Group { name, .. } => EditorKey::Group(name.clone()),
            Editor::Keep { of, .. } => EditorKey::Keep(of.clone()),
        }
    }
}

impl Lane {
    pub const ALL: [Lane; 4] = [Lane::Top, Lane::Left, Lane::Right, Lane::Bottom];

    pub fn word(self) -> &'static str {
        match self {
            Lane::Top => "top",
            Lane::Left => "left",
            Lane::Right => "right",
            Lane::Bottom => "bottom",
        }
    }

    pub fn named(word: &str) -> Option<Lane> {
        Lane::ALL.into_iter().find(|lane| lane.word() == word)
    }
}

/// A named set of rule changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    pub name: Name,
    pub from: Option<Name>,
    pub changes: Vec<Item>,
}

impl Variant {
    /// The settings it adds or declares anew.
    pub fn settings(&self) -> impl Iterator<Item = &Setting> {
        self.changes.iter().filter_map(|item| match &item.kind {
            ItemKind::Setting(setting) => Some(setting),
            _ => None,
        })
    }
}

impl Item {
    pub fn new(kind: ItemKind, origin: Origin) -> Self {
        Item { kind, origin }
    }

    /// None for items that only change another one.
    pub fn key(&self) -> Option<Key> {
        Some(match &self.kind {
            ItemKind::Game { .. } => Key::Game,
            ItemKind::Info { key, .. } => Key::Info(key.clone()),
            ItemKind::Setting(setting) => Key::Setting(setting.name.clone()),
            ItemKind::Set { .. } | ItemKind::RuleMode { .. } | ItemKind::RuleBody { .. } => return None,
            ItemKind::Players(_) => Key::Players,
            ItemKind::Teams(_) => Key::Teams,
            ItemKind::Turns(_) => Key::Turns,
            ItemKind::History(_) => Key::History,
            ItemKind::OpenProperties => Key::OpenProperties,
            ItemKind::Setup(_) => Key::Setup,
            ItemKind::Picture { property, .. } => Key::Picture(property.clone()),
            ItemKind::Model { name, .. } => Key::Model(name.clone()),
            ItemKind::Property(property) => Key::Property(property.of.clone(), property.name.clone()),
            ItemKind::Define(define) => Key::Define(define.of.clone(), define.name.clone()),
            ItemKind::Behavior(behavior) => {
                Key::Behavior(behavior.of.clone(), behavior.state.clone(), behavior.label.clone())
            }
            ItemKind::State { of, name } => Key::State(of.clone(), name.clone()),
            ItemKind::Contents { of, .. } => Key::Contents(of.clone()),
            ItemKind::Capacity { of, .. } => Key::Capacity(of.clone()),
            ItemKind::Supply { of, .. } => Key::Supply(of.clone()),
            ItemKind::Symbol { of, .. } => Key::Symbol(of.clone()),
            ItemKind::Look { of, attribute, .. } => Key::Look(of.clone(), attribute.clone()),
            ItemKind::Entity(entity) => {
                Key::Entity(entity.name.clone().unwrap_or_else(|| entity.model.clone()), entity.number)
            }
            ItemKind::Board(board) => Key::Board(board.name.clone().unwrap_or_else(|| board.model.clone())),
            ItemKind::Directions { name, .. } => Key::Directions(name.clone()),
            ItemKind::Link(link) => Key::Link(link.number),
            ItemKind::Spot(spot) => Key::Spot(spot.number),
            ItemKind::Edges(edges) => Key::Edges(edges.model.clone()),
            ItemKind::Action(action) => Key::Action(action.label.clone()),
            ItemKind::Rule(rule) => Key::Rule(rule.name.clone()),
            ItemKind::Evaluator { name, .. } => Key::Evaluator(name.clone()),
            ItemKind::View(view) => Key::View(view.name.clone()),
            ItemKind::Editor(editor) => Key::Editor(editor.key()),
            ItemKind::Variant(variant) => Key::Variant(variant.name.clone()),
        })
    }

    /// Whether it says something about play. What does not is left out before a definition is compiled, so that a
    /// match has the same name whatever an editor has drawn.
    pub fn plays(&self) -> bool {
        !matches!(self.kind, ItemKind::State { .. } | ItemKind::Editor(_))
    }

    /// Every body and expression of the item, variants left out.
    pub fn exprs<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ItemKind::Setting(setting) => {
                visit(&setting.value);
                if let Some((least, most)) = &setting.range {
                    visit(least);
                    visit(most);
                }
                setting.among.iter().for_each(visit);
            }
            ItemKind::Set { value, .. } | ItemKind::Look { value, .. } | ItemKind::Evaluator { value, .. } => {
                visit(value)
            }
            ItemKind::Teams(teams) => teams.iter().for_each(visit),
            ItemKind::Setup(body) | ItemKind::RuleBody { body, .. } => body.iter().for_each(visit),
            ItemKind::Property(property) => {
                property.value.iter().for_each(&mut *visit);
                sight(&property.seen, visit);
            }
            ItemKind::Define(define) => define.body.iter().for_each(visit),
            ItemKind::Behavior(behavior) => behavior.body.iter().for_each(visit),
            ItemKind::Contents { seen, counted, .. } => {
                sight(seen, visit);
                sight(counted, visit);
            }
            ItemKind::Capacity { most, .. } => visit(most),
            ItemKind::Supply { most, .. } => most.iter().for_each(visit),
            ItemKind::Entity(entity) => {
                entity.times.iter().for_each(&mut *visit);
                for each in &entity.each {
                    if let ForEach::In(_, list) = each {
                        visit(list);
                    }
                }
                entity.at.iter().for_each(&mut *visit);
                entity.with.iter().for_each(|(_, value)| visit(value));
            }
            ItemKind::Board(board) => {
                match &board.shape {
                    Shape::Grid { width, height, .. } | Shape::Rhombus { width, height } => {
                        visit(width);
                        visit(height);
                    }
                    Shape::Hex { side: n } | Shape::Triangle { side: n } | Shape::Ring { n } | Shape::Track { n } => {
                        visit(n)
                    }
                    Shape::Graph => {}
                }
                board.cut.iter().for_each(visit);
            }
            ItemKind::Link(link) => {
                link.places.iter().for_each(|(place, _)| visit(place));
                link.each.iter().for_each(|(_, list)| visit(list));
            }
            ItemKind::Spot(spot) => {
                visit(&spot.name);
                spot.at.iter().for_each(|(column, row)| {
                    visit(column);
                    visit(row);
                });
                spot.each.iter().for_each(|(_, list)| visit(list));
            }
            ItemKind::Directions { paths: DirectionPaths::Leap(left, right), .. } => {
                visit(left);
                visit(right);
            }
            ItemKind::Action(action) => {
                action.to.iter().for_each(&mut *visit);
                action.with.iter().for_each(|(_, domain)| visit(domain));
                action.body.iter().flatten().for_each(visit);
            }
            ItemKind::Rule(rule) => rule.body.iter().for_each(visit),
            ItemKind::View(view) => {
                view.properties.iter().filter_map(|(_, value)| value.as_ref()).for_each(&mut *visit);
                view.behaviors.iter().flat_map(|behavior| &behavior.body).for_each(visit);
            }
            ItemKind::Game { .. }
            | ItemKind::Info { .. }
            | ItemKind::Players(_)
            | ItemKind::Turns(_)
            | ItemKind::History(_)
            | ItemKind::OpenProperties
            | ItemKind::Picture { .. }
            | ItemKind::Model { .. }
            | ItemKind::Symbol { .. }
            | ItemKind::Directions { .. }
            | ItemKind::Edges(_)
            | ItemKind::State { .. }
            | ItemKind::Editor(_)
            | ItemKind::RuleMode { .. }
            | ItemKind::Variant(_) => {}
        }
    }
}

fn sight<'a>(sight: &'a Option<Sight>, visit: &mut dyn FnMut(&'a Expr)) {
    if let Some(Sight::Those(expr)) = sight {
        visit(expr);
    }
}
