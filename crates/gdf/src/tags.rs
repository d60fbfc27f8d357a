//! The tables of all tags: what each may hold, and what it means. Reader, writer and reference go by them.

use houserules_model::Form;

/// What a statement does with a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Decides what runs next.
    Flow,
    /// Gives a value.
    Source,
    /// Makes a value of others.
    Pipe,
    /// Takes a value and changes the game with it.
    Sink,
    Send,
    /// Declares a variable.
    Declaration,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Flow => "flow",
            Kind::Source => "source",
            Kind::Pipe => "pipe",
            Kind::Sink => "sink",
            Kind::Send => "send",
            Kind::Declaration => "declaration",
        }
    }
}

/// How often something stands in a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Often {
    Once,
    Perhaps,
    Any,
    Some,
}

/// Tags that describe the game and its things.
#[derive(Clone, Copy, Debug)]
pub struct TagDef {
    pub tag: &'static str,
    /// Where it stands.
    pub within: &'static str,
    pub attributes: &'static [&'static str],
    /// Tags inside; none: text.
    pub inside: &'static [(&'static str, Often)],
    /// What it says, and what that is in the definition language.
    pub says: &'static str,
}

/// A statement, and the form of the language that it is.
#[derive(Clone, Copy, Debug)]
pub struct StatementDef {
    pub tag: &'static str,
    /// The value of the attribute `op`, where a tag has several meanings.
    pub op: &'static str,
    /// What the German editor calls it.
    pub german: &'static str,
    pub kind: Kind,
    /// None: the reader and the writer know more about it than a table can say.
    pub form: Option<Form>,
    /// Attributes, and the slot of the form that each fills.
    pub attributes: &'static [(&'static str, &'static str)],
    pub slots: &'static [SlotDef],
    /// As it is written in the definition language.
    pub gdl: &'static str,
}

/// A tag inside a statement that holds one statement.
#[derive(Clone, Copy, Debug)]
pub struct SlotDef {
    pub tag: &'static str,
    /// The slot of the form that it fills.
    pub fills: &'static str,
    pub holds: Holds,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// A statement that gives a value; nothing: the placeholder.
    One,
    /// The same, and the tag may be missing.
    Perhaps,
    /// Statements: one, or a `block` of them.
    Body,
    /// An entity. `myself` is what the form means without saying so.
    Whom,
}

const fn one(tag: &'static str, fills: &'static str) -> SlotDef {
    SlotDef { tag, fills, holds: Holds::One }
}

const fn perhaps(tag: &'static str, fills: &'static str) -> SlotDef {
    SlotDef { tag, fills, holds: Holds::Perhaps }
}

const fn whom(fills: &'static str) -> SlotDef {
    SlotDef { tag: "entity", fills, holds: Holds::Whom }
}

const fn body(fills: &'static str) -> SlotDef {
    SlotDef { tag: "statement", fills, holds: Holds::Body }
}

const fn statement(
    tag: &'static str,
    german: &'static str,
    kind: Kind,
    form: Option<Form>,
    attributes: &'static [(&'static str, &'static str)],
    slots: &'static [SlotDef],
    gdl: &'static str,
) -> StatementDef {
    StatementDef { tag, op: "", german, kind, form, attributes, slots, gdl }
}

const fn operator(op: &'static str, german: &'static str, form: Form, slots: &'static [SlotDef]) -> StatementDef {
    StatementDef { tag: "operator", op, german, kind: Kind::Pipe, form: Some(form), attributes: &[], slots, gdl: "" }
}

/// Operands that follow each other in one slot of the form.
const SEVERAL: &[SlotDef] = &[one("operand1", "A"), one("operand2", "A")];
const TWO: &[SlotDef] = &[one("operand1", "A"), one("operand2", "B")];
const ALONE: &[SlotDef] = &[one("operand1", "A")];

use Kind::*;

pub const STATEMENTS: &[StatementDef] = &[
    statement("block", "Block", Flow, None, &[], &[], "(do …)"),
    operator("negate", "Negieren", Form::Subtract, ALONE),
    operator("add", "Addieren", Form::Add, SEVERAL),
    operator("subtract", "Subtrahieren", Form::Subtract, SEVERAL),
    operator("multiply", "Multiplizieren", Form::Multiply, SEVERAL),
    operator("division", "Dividieren", Form::Divide, TWO),
    operator("modulus", "Rest", Form::Modulo, TWO),
    operator("equal", "Gleich", Form::Equal, TWO),
    operator("unequal", "Ungleich", Form::Unequal, TWO),
    operator("less", "Kleiner", Form::Less, TWO),
    operator("lequal", "Kleiner oder gleich", Form::LessEqual, TWO),
    operator("greater", "Größer", Form::Greater, TWO),
    operator("gequal", "Größer oder gleich", Form::GreaterEqual, TWO),
    operator("and", "Logisches Und", Form::And, SEVERAL),
    operator("or", "Logisches Oder", Form::Or, SEVERAL),
    operator("not", "Logisches Nicht", Form::Not, ALONE),
    statement(
        "getProperty",
        "Eigenschaft lesen",
        Source,
        Some(Form::Property),
        &[("property", "P")],
        &[whom("E")],
        "(property P of E)",
    ),
    statement(
        "getRelationship",
        "Beziehung lesen",
        Source,
        Some(Form::Property),
        &[("relationship", "P")],
        &[whom("E")],
        "(property P of E)",
    ),
    statement(
        "getAppearance",
        "Aussehen lesen",
        Source,
        Some(Form::Property),
        &[("appearance", "P")],
        &[whom("E")],
        "(property P of E)",
    ),
    statement("setProperty", "Eigenschaft ändern", Sink, None, &[("name", "P")], SET, "(update property P to V)"),
    statement("setRelationship", "Beziehung ändern", Sink, None, &[("name", "P")], SET, "(update property P to V)"),
    statement("setAppearance", "Aussehen ändern", Sink, None, &[("name", "P")], SET, "(update property P to V)"),
    statement(
        "changeState",
        "Zustand wechseln",
        Sink,
        Some(Form::ChangeState),
        &[("number", "S")],
        &[SlotDef { tag: "entity", fills: "E", holds: Holds::Whom }],
        "(changeState S of E)",
    ),
    statement(
        "sendMessage",
        "Nachricht senden",
        Send,
        None,
        &[("message", "L")],
        &[one("entity", "E")],
        "(send L to E with P V …)",
    ),
    statement("getParameter", "Parameter lesen", Source, Some(Form::Attribute), &[("name", "A")], &[], "(attribute A)"),
    statement("myself", "Aktuelle Entität", Source, None, &[], &[], "self"),
    statement(
        "constant",
        "Konstante",
        Source,
        None,
        &[],
        &[],
        "4 · \"text\" · nil · (entity \"name\") · (list …) · (dictionary …)",
    ),
    statement("ifElse", "Wenn", Flow, None, &[], &[], "(if C … else …)"),
    statement("while", "Schleife", Flow, Some(Form::While), &[], &[one("condition", "C"), body("BODY")], "(while C …)"),
    statement(
        "forEach",
        "Für jedes",
        Flow,
        Some(Form::Foreach),
        &[("variable", "X")],
        &[one("list", "L"), body("BODY")],
        "(foreach X in L …)",
    ),
    statement("continue", "Weiter", Flow, Some(Form::Continue), &[], &[], "(continue)"),
    statement("break", "Abbrechen", Flow, Some(Form::Break), &[], &[], "(break)"),
    statement("return", "Verhalten beenden", Flow, Some(Form::Return), &[], &[perhaps("value", "V")], "(return V)"),
    statement(
        "declareVariable",
        "Variable definieren",
        Declaration,
        Some(Form::Var),
        &[("name", "X")],
        &[perhaps("value", "V")],
        "(var X V)",
    ),
    statement("getVariable", "Variable lesen", Source, None, &[("name", "X")], &[], "X"),
    statement("setVariable", "Variable ändern", Sink, None, &[("name", "X")], &[one("value", "V")], "(set X to V)"),
    statement(
        "range",
        "Bereich",
        Pipe,
        Some(Form::Range),
        &[],
        &[one("from", "A"), one("to", "B"), perhaps("step", "STEP")],
        "(range A B STEP)",
    ),
    statement("length", "Länge", Pipe, Some(Form::Count), &[], &[one("element", "D")], "(count D)"),
    statement(
        "listGetAt",
        "Listenwert lesen",
        Pipe,
        Some(Form::At),
        &[],
        &[one("list", "L"), one("index", "I")],
        "(at I of L)",
    ),
    statement(
        "listSetAt",
        "Listenwert ersetzen",
        Pipe,
        Some(Form::Replace),
        &[],
        &[one("list", "L"), one("index", "I"), one("value", "V")],
        "(replace I of L with V)",
    ),
    statement(
        "listAdd",
        "Listenwert anhängen",
        Pipe,
        Some(Form::Append),
        &[],
        &[one("list", "L"), one("value", "V")],
        "(append V to L)",
    ),
    statement(
        "listInsertAt",
        "Listenwert einfügen",
        Pipe,
        Some(Form::Insert),
        &[],
        &[one("list", "L"), one("index", "I"), one("value", "V")],
        "(insert V at I in L)",
    ),
    statement(
        "listRemoveFrom",
        "Listenwert entfernen",
        Pipe,
        Some(Form::RemoveFrom),
        &[],
        &[one("list", "L"), one("index", "I")],
        "(remove I from L)",
    ),
    statement(
        "dictionaryGet",
        "Wörterbuch: lesen",
        Pipe,
        Some(Form::Match),
        &[],
        &[one("dictionary", "D"), one("key", "K")],
        "(match K in D)",
    ),
    statement(
        "dictionaryPut",
        "Wörterbuch: setzen",
        Pipe,
        Some(Form::Put),
        &[],
        &[one("dictionary", "D"), one("key", "K"), one("value", "V")],
        "(put V at K in D)",
    ),
    statement(
        "dictionaryRemove",
        "Wörterbuch: entfernen",
        Pipe,
        Some(Form::RemoveFrom),
        &[],
        &[one("dictionary", "L"), one("key", "I")],
        "(remove K from D)",
    ),
    statement(
        "random",
        "Zufallszahl",
        Pipe,
        Some(Form::Random),
        &[],
        &[one("minimum", "A"), one("maximum", "B")],
        "(random A B)",
    ),
];

const SET: &[SlotDef] = &[whom("E"), one("value", "V")];

/// Other names under which statements and operators are read.
pub const ALSO: &[(&str, &str)] = &[
    ("divide", "division"),
    ("equals", "equal"),
    ("notEquals", "unequal"),
    ("lessOrEqual", "lequal"),
    ("greaterOrEqual", "gequal"),
    ("listRemove", "listRemoveFrom"),
];

use Often::{Any, Once, Perhaps, Some as Several};

pub const VALUES: &[&str] = &["number", "string", "id", "list", "dictionary"];

pub const TAGS: &[TagDef] = &[
    TagDef {
        tag: "game",
        within: "the file",
        attributes: &[],
        inside: &[("name", Once), ("visual", Perhaps), ("model", Any), ("entity", Any)],
        says: "The game. Its behaviors may read and change other entities: `#properties open`.",
    },
    TagDef { tag: "name", within: "game", attributes: &[], inside: &[], says: "What it is called: `#game NAME`." },
    TagDef {
        tag: "model",
        within: "game",
        attributes: &["name"],
        inside: &[
            ("parentModel", Perhaps),
            ("initialStateNumber", Once),
            ("property", Any),
            ("relationship", Any),
            ("appearance", Any),
            ("state", Any),
            ("visual", Perhaps),
        ],
        says: "A kind of thing: `#model NAME`.",
    },
    TagDef {
        tag: "parentModel",
        within: "model",
        attributes: &[],
        inside: &[],
        says: "The model it has everything from that it does not say anew: `is PARENT`. It stands earlier in the file.",
    },
    TagDef {
        tag: "initialStateNumber",
        within: "model",
        attributes: &[],
        inside: &[],
        says: "The state in which its entities begin: `#property state \"1\"`. Missing, it is the parent's, else the lowest, else 0.",
    },
    TagDef {
        tag: "property",
        within: "model, entity",
        attributes: &["name"],
        inside: &[
            ("number", Perhaps),
            ("string", Perhaps),
            ("id", Perhaps),
            ("list", Perhaps),
            ("dictionary", Perhaps),
        ],
        says: "One value. In a model what its entities know: `#property NAME VALUE`; in an entity another value: `with NAME VALUE`.",
    },
    TagDef {
        tag: "relationship",
        within: "model, entity",
        attributes: &["name"],
        inside: &[("id", Perhaps), ("list", Perhaps), ("dictionary", Perhaps), ("visual", Perhaps)],
        says: "Whom an entity knows: entities, or lists and dictionaries of them. `#relation NAME VALUE`.",
    },
    TagDef {
        tag: "appearance",
        within: "model, entity",
        attributes: &["name"],
        inside: &[
            ("number", Perhaps),
            ("string", Perhaps),
            ("id", Perhaps),
            ("list", Perhaps),
            ("dictionary", Perhaps),
        ],
        says: "How an entity looks: `#appearance NAME VALUE`.",
    },
    TagDef {
        tag: "state",
        within: "model",
        attributes: &["number"],
        inside: &[("behavior", Any)],
        says: "What entities in this state answer: `#state NUMBER`. State 0 is `default`.",
    },
    TagDef {
        tag: "behavior",
        within: "state",
        attributes: &["name"],
        inside: &[("statements", Once)],
        says: "What an entity does when it is told so: `#onMessage NAME`.",
    },
    TagDef {
        tag: "statements",
        within: "behavior",
        attributes: &[],
        inside: &[],
        says: "Statements, one after the other.",
    },
    TagDef {
        tag: "entity",
        within: "game",
        attributes: &["name", "parent"],
        inside: &[("property", Any), ("relationship", Any), ("appearance", Any), ("visual", Perhaps)],
        says: "A thing of a model: `#entity NAME is MODEL`. Without a parent it is a `thing`, which has no properties.",
    },
    TagDef {
        tag: "number",
        within: "a value",
        attributes: &["key"],
        inside: &[],
        says: "A number; `4`, `4.0` and `4e0` are the same one.",
    },
    TagDef { tag: "string", within: "a value", attributes: &["key"], inside: &[], says: "A text, blanks and all." },
    TagDef {
        tag: "id",
        within: "a value",
        attributes: &["key"],
        inside: &[],
        says: "An entity by its name: `(entity NAME)`; empty: `nil`.",
    },
    TagDef {
        tag: "list",
        within: "a value",
        attributes: &["key"],
        inside: &[("number", Any), ("string", Any), ("id", Any), ("list", Any), ("dictionary", Any)],
        says: "Values in order: `(list …)`.",
    },
    TagDef {
        tag: "dictionary",
        within: "a value",
        attributes: &["key"],
        inside: &[("number", Any), ("string", Any), ("id", Any), ("list", Any), ("dictionary", Any)],
        says: "Values by their keys: `(dictionary …)`. Each value inside has an attribute `key`.",
    },
    TagDef {
        tag: "visual",
        within: "game, model, relationship, entity",
        attributes: &[],
        inside: &[("layer", Any), ("lane", Perhaps)],
        says: "What only an editor wants to know: `#editor`. Without it the game is the same. Tags that are not known here are kept.",
    },
    TagDef {
        tag: "layer",
        within: "visual",
        attributes: &["name"],
        inside: &[("visible", Perhaps), ("protected", Perhaps)],
        says: "In the game a layer: `#editor layer NAME`; in a relationship or an entity, as text, the layer on which it lies.",
    },
    TagDef { tag: "visible", within: "layer", attributes: &[], inside: &[], says: "`1` or `0`." },
    TagDef { tag: "protected", within: "layer", attributes: &[], inside: &[], says: "`1` or `0`." },
    TagDef {
        tag: "lane",
        within: "visual",
        attributes: &[],
        inside: &[],
        says: "In a relationship the edge where its slot is drawn: `top`, `left`, `right` or `bottom`.",
    },
    TagDef {
        tag: "if",
        within: "ifElse",
        attributes: &[],
        inside: &[("condition", Once), ("statement", Once)],
        says: "A case; the first whose condition holds runs.",
    },
    TagDef { tag: "else", within: "ifElse", attributes: &[], inside: &[], says: "What runs where no condition holds." },
    TagDef {
        tag: "parameter",
        within: "sendMessage",
        attributes: &["name"],
        inside: &[],
        says: "A value that goes with the message.",
    },
];

/// What this program adds, in its own namespace.
pub const ADDITIONS: &[TagDef] = &[
    TagDef {
        tag: "players",
        within: "game",
        attributes: &[],
        inside: &[("seat", Several)],
        says: "Who plays: `#players`.",
    },
    TagDef { tag: "seat", within: "hr:players", attributes: &[], inside: &[], says: "The name of a seat." },
    TagDef {
        tag: "action",
        within: "game",
        attributes: &["label", "to", "as", "when"],
        inside: &[("with", Any), ("statements", Perhaps)],
        says: "What a player may do: `#action`. `when` may be `asked`.",
    },
    TagDef {
        tag: "with",
        within: "hr:action",
        attributes: &["name"],
        inside: &[],
        says: "An attribute of the action, and the list that its values come from, as a statement.",
    },
    TagDef {
        tag: "law",
        within: "game",
        attributes: &["name", "on", "to", "in", "before", "mode", "when"],
        inside: &[("statements", Once)],
        says: "A rule that may refuse: `#law`. Several names are separated by `|`; `when` may be `after`.",
    },
    TagDef {
        tag: "sideeffect",
        within: "game",
        attributes: &["name", "on", "to", "in", "before", "mode"],
        inside: &[("statements", Once)],
        says: "A rule that runs afterwards: `#sideeffect`.",
    },
    TagDef {
        tag: "item",
        within: "game, model",
        attributes: &[],
        inside: &[],
        says: "Any other directives, in the definition language: settings, boards, defines, views, variants.",
    },
    TagDef {
        tag: "workspace",
        within: "visual of the game",
        attributes: &["width", "height"],
        inside: &[],
        says: "How large the plane is on which things are drawn: `#editor workspace WIDTH HEIGHT`.",
    },
    TagDef {
        tag: "group",
        within: "visual of the game",
        attributes: &["name"],
        inside: &[("member", Any)],
        says: "Entities that are listed together: `#editor group NAME ENTITY…`.",
    },
    TagDef { tag: "member", within: "hr:group", attributes: &[], inside: &[], says: "The name of an entity." },
    TagDef {
        tag: "expr",
        within: "a statement",
        attributes: &[],
        inside: &[],
        says: "Any form, in the definition language. Empty it is the placeholder.",
    },
];

/// Attributes that this program adds, and where.
pub const ADDED: &[(&str, &str, &str)] = &[
    ("properties", "game", "`own`: behaviors change only their own entity; nothing is said about it but in `hr:item`."),
    (
        "at",
        "initialStateNumber, property, relationship, appearance, state, behavior, hr:item in a model",
        "Which place it has among the parts of its model, where these stand in another order than here.",
    ),
    (
        "more",
        "property, relationship, appearance in a model",
        "Who may see it, and whether it is tracked: `seen by owner untracked`.",
    ),
    (
        "expr",
        "number, string, id, list, dictionary",
        "A computed value, in the definition language; what the tag holds is for others.",
    ),
    ("name", "state, initialStateNumber, changeState", "The name of a state that is no number."),
    ("attributes", "behavior", "The attributes that its statements use as words."),
    ("state", "entity", "The state in which it begins, where it is not the model's."),
];
