//! Statements, by the table.

use std::collections::{HashMap, HashSet};

use houserules_model::{Body, Diagnostic, Expr, ExprKind, Form, Name, NameRef, Origin, Slot, SlotKind, nearest};

use super::Reader;
use super::survey::Tagged;
use super::values::Allowed;
use crate::embedded;
use crate::tags::{ALSO, Holds, STATEMENTS, StatementDef};
use crate::words;
use crate::xml::{self, Element, Node, Tag};

/// The variables of a behavior: a frame for each open block, from what the file calls them to what they are called.
#[derive(Default)]
pub(crate) struct Scope {
    frames: Vec<HashMap<String, Name>>,
    used: HashSet<Name>,
    depth: usize,
}

impl Scope {
    fn find(&self, name: &str) -> Option<&Name> {
        self.frames.iter().rev().find_map(|frame| frame.get(name))
    }

    fn here(&self, name: &str) -> bool {
        self.frames.last().is_some_and(|frame| frame.contains_key(name))
    }
}

impl<'t> Reader<'t> {
    /// The body in the `statements` of a behavior or a rule.
    pub(super) fn statements_of(&mut self, element: &Element<'t>) -> Body {
        let found = self.children(element, &["statements"]);
        match found.as_slice() {
            [] => {
                self.missing(element, "What it does is missing.", "Write `<statements>…</statements>` inside it.");
                Vec::new()
            }
            [first, others @ ..] => {
                for other in others {
                    let label = "One `statements` stands here, and this is another.";
                    self.error(
                        "gdf/twice",
                        "Said twice",
                        self.head(other),
                        label,
                        "Put all statements into the first.",
                    );
                }
                self.attributes(first, &[], &[]);
                self.body_of(first)
            }
        }
    }

    pub(super) fn body_of(&mut self, element: &Element<'t>) -> Body {
        self.several(element, &mut Scope::default())
    }

    /// One statement in a tag of its own, such as the list of an attribute of an action.
    pub(super) fn statement_of(&mut self, element: &Element<'t>) -> Expr {
        self.single(element, &mut Scope { frames: vec![HashMap::new()], ..Scope::default() })
    }

    /// All statements of a block.
    fn several(&mut self, element: &Element<'t>, scope: &mut Scope) -> Body {
        scope.frames.push(HashMap::new());
        let mut body = Vec::new();
        for child in &element.children {
            match child {
                Node::Element(child) => body.extend(self.statement(child, scope)),
                Node::Text(text) => self.stray_text(&text.text, text.start),
                Node::Comment { text, start } => self.remark(*start, text),
            }
        }
        scope.frames.pop();
        body
    }

    /// The one statement of a slot; nothing inside is the placeholder.
    fn single(&mut self, element: &Element<'t>, scope: &mut Scope) -> Expr {
        let mut found: Option<Expr> = None;
        for child in &element.children {
            match child {
                Node::Element(child) if found.is_some() => {
                    let label = "One statement stands here, and this is another.";
                    self.error(
                        "gdf/twice",
                        "Said twice",
                        self.head(child),
                        label,
                        "It is dropped; a `block` holds several.",
                    );
                }
                Node::Element(child) => found = self.statement(child, scope),
                Node::Text(text) => self.stray_text(&text.text, text.start),
                Node::Comment { text, start } => self.remark(*start, text),
            }
        }
        found.unwrap_or_else(|| self.placeholder(element))
    }

    fn placeholder(&mut self, element: &Element<'t>) -> Expr {
        let origin = self.head(element);
        self.error("gdf/missing", "Nothing here yet", origin, "Here a statement is missing.", "Put one inside.");
        Expr::new(ExprKind::Missing, origin)
    }

    /// Statements of a slot that is a body: a block, or one statement.
    fn body(&mut self, element: &Element<'t>, scope: &mut Scope) -> Body {
        let elements: Vec<&Element<'t>> = element.elements().collect();
        match elements.as_slice() {
            [block] if block.is("block") => {
                for child in &element.children {
                    if let Node::Comment { text, start } = child {
                        self.remark(*start, text);
                    }
                }
                self.attributes(block, &[], &[]);
                self.nested(block, scope, |reader, scope| reader.several(block, scope)).unwrap_or_default()
            }
            _ => {
                scope.frames.push(HashMap::new());
                let one = self.single(element, scope);
                scope.frames.pop();
                vec![one]
            }
        }
    }

    /// Goes one deeper, but not too deep.
    fn nested<T>(
        &mut self,
        element: &Element<'t>,
        scope: &mut Scope,
        inside: impl FnOnce(&mut Self, &mut Scope) -> T,
    ) -> Option<T> {
        if scope.depth >= xml::STATEMENTS {
            let label = format!("Statements may stand {} deep in each other; this one is deeper.", xml::STATEMENTS);
            let hint = "Make a behavior of its own of what is inside.";
            self.error("gdf/large", "Too many statements inside each other", self.head(element), label, hint);
            return None;
        }
        scope.depth += 1;
        let result = inside(self, scope);
        scope.depth -= 1;
        Some(result)
    }

    /// None: no statement, which is told.
    fn statement(&mut self, element: &Element<'t>, scope: &mut Scope) -> Option<Expr> {
        let origin = self.head(element);
        let kind = self.nested(element, scope, |reader, scope| reader.kind(element, scope));
        match kind {
            Some(kind) => Some(Expr::new(kind?, origin)),
            None => Some(Expr::new(ExprKind::Missing, origin)),
        }
    }

    fn kind(&mut self, element: &Element<'t>, scope: &mut Scope) -> Option<ExprKind> {
        let origin = self.head(element);
        let tag = match element.name {
            Tag::Ours("expr") => return Some(self.gdl(element)),
            Tag::Plain(tag) => ALSO.iter().find(|(also, _)| *also == tag).map_or(tag, |(_, tag)| tag),
            _ => "",
        };
        let Some(first) = STATEMENTS.iter().position(|def| def.tag == tag) else {
            let known: Vec<&str> = STATEMENTS.iter().map(|def| def.tag).collect();
            self.unknown_statement(element, &known);
            return None;
        };
        let def = match tag {
            "operator" => self.operator(element)?,
            _ => &STATEMENTS[first],
        };
        Some(match tag {
            "block" => {
                self.attributes(element, &[], &[]);
                ExprKind::Form(Form::Do, vec![Slot::Body(self.several(element, scope)), Slot::Absent])
            }
            "myself" => {
                self.attributes(element, &[], &[]);
                self.children(element, &[]);
                ExprKind::Word("self".into())
            }
            "constant" => {
                self.attributes(element, &[], &[]);
                self.around_value(element, &[]);
                match self.held(element) {
                    Some(held) => self.value_or_nil(held, Allowed::Anything).kind,
                    None => {
                        self.missing(element, "A value is missing.", "Write one, such as `<number>0</number>`.");
                        ExprKind::Missing
                    }
                }
            }
            "ifElse" => self.if_else(element, scope),
            "setProperty" | "setRelationship" | "setAppearance" => self.set(element, def, scope),
            "sendMessage" => self.send(element, def, scope),
            "getVariable" => {
                self.attributes(element, &["name"], &[]);
                self.children(element, &[]);
                ExprKind::Word(self.variable(element, scope))
            }
            "setVariable" => {
                self.attributes(element, &["name"], &[]);
                let [value] = self.slots(element, def, scope, &["value"]);
                let target = Expr::new(ExprKind::Word(self.variable(element, scope)), origin);
                ExprKind::Form(Form::Set, vec![Slot::Expr(Box::new(target)), Slot::Expr(Box::new(value))])
            }
            _ => self.by_table(element, def, scope),
        })
    }

    fn unknown_statement(&mut self, element: &Element<'t>, known: &[&str]) {
        let name = element.name.shown();
        let label = match nearest(&name, known.iter().copied()) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("`{name}` is no statement."),
        };
        let fault = Diagnostic::warning("gdf/unknown", "Unknown statement", self.head(element), label);
        self.tell(fault.hint("It is skipped with all that is in it."));
    }

    fn operator(&mut self, element: &Element<'t>) -> Option<&'static StatementDef> {
        let said = self.name(element, "op");
        let op = ALSO.iter().find(|(also, _)| **also == *said).map_or(&*said, |(_, op)| op);
        let known = STATEMENTS.iter().filter(|def| !def.op.is_empty());
        let found = known.clone().find(|def| def.op == op);
        if found.is_none() {
            let names: Vec<&str> = known.map(|def| def.op).collect();
            let label = match nearest(op, names.iter().copied()) {
                Some(near) => format!("There is no operator `{op}`. Did you mean `{near}`?"),
                None => format!("There is no operator `{op}`."),
            };
            let hint = format!("Operators are {}.", names.join(", "));
            self.error("gdf/unknown", "Unknown operator", self.head(element), label, &hint);
        }
        found
    }

    /// Statements that are a form of the table, slot by slot.
    fn by_table(&mut self, element: &Element<'t>, def: &'static StatementDef, scope: &mut Scope) -> ExprKind {
        let form = def.form.expect("the others are read by name");
        let pattern = form.pattern().slots();
        let empty = |kind: Option<SlotKind>| match kind {
            Some(SlotKind::Exprs) => Slot::Exprs(Vec::new()),
            _ => Slot::Absent,
        };
        let mut filled: Vec<Slot> = pattern.iter().map(|slot| empty(slot.kind)).collect();
        let place = |name: &str| pattern.iter().position(|slot| slot.name == name).expect("the table fits the forms");
        let mut known: Vec<&str> = def.attributes.iter().map(|(attribute, _)| *attribute).collect();
        if !def.op.is_empty() {
            known.push("op");
        }
        // Every definition may be called by `name` as well.
        known.push("name");
        let ours: &[&str] = if form == Form::ChangeState { &["name"] } else { &[] };
        self.attributes(element, &known, ours);
        let tags: Vec<&str> = def.slots.iter().map(|slot| slot.tag).collect();
        let children = self.slot_tags(element, def, &tags);
        // What a variable is first set to cannot use it yet.
        let declared_first = form == Form::Foreach;
        scope.frames.push(HashMap::new());
        for (slot, child) in def.slots.iter().zip(children) {
            if declared_first && slot.holds == Holds::Body {
                for (attribute, fills) in def.attributes {
                    filled[place(fills)] = self.named(element, def, attribute, scope);
                }
            }
            let at = place(slot.fills);
            match (slot.holds, child) {
                (Holds::Perhaps, None) => {}
                (Holds::Whom, None) if form == Form::ChangeState => {}
                (Holds::Whom, Some(child)) if is_myself(child) => self.around_myself(child),
                (Holds::Body, Some(child)) => filled[at] = Slot::Body(self.body(child, scope)),
                (Holds::Body, None) => filled[at] = Slot::Body(vec![self.no_slot(element, slot.tag)]),
                (_, child) => {
                    let value = match child {
                        Some(child) => self.single(child, scope),
                        None => self.no_slot(element, slot.tag),
                    };
                    filled[at] = match (std::mem::replace(&mut filled[at], Slot::Absent), pattern[at].kind) {
                        (Slot::Exprs(mut before), _) => {
                            before.push(value);
                            Slot::Exprs(before)
                        }
                        (_, Some(SlotKind::Domain)) => Slot::Domain { var: None, list: Box::new(value), owner: None },
                        _ => Slot::Expr(Box::new(value)),
                    };
                }
            }
        }
        scope.frames.pop();
        if !declared_first {
            for (attribute, fills) in def.attributes {
                filled[place(fills)] = self.named(element, def, attribute, scope);
            }
        }
        ExprKind::Form(form, filled)
    }

    /// The name in an attribute, as the slot of a form.
    fn named(&mut self, element: &Element<'t>, def: &StatementDef, attribute: &str, scope: &mut Scope) -> Slot {
        let origin = element.attribute(attribute).map_or(self.head(element), |attribute| self.place_of(attribute));
        let name = match def.form {
            Some(Form::Var | Form::Foreach) => self.declared(element, attribute, scope),
            Some(Form::ChangeState) => match self.state_in_slot(element) {
                Some(state) => state,
                None => self.state_said(element),
            },
            _ => {
                let attribute =
                    if element.attribute(attribute).is_some() { attribute } else { self.or_name(element, attribute) };
                let name = self.name(element, attribute);
                match Tagged::of(attribute).or_else(|| Tagged::of(&def.tag[3..].to_lowercase())) {
                    Some(role) if def.form == Some(Form::Property) => self.survey.called(role, &name),
                    _ => name,
                }
            }
        };
        Slot::Name(NameRef::Given(name, origin))
    }

    fn or_name<'a>(&self, element: &Element<'t>, attribute: &'a str) -> &'a str {
        if element.attribute("name").is_some() { "name" } else { attribute }
    }

    /// `changeState` was once written with a slot `state` that holds a constant.
    fn state_in_slot(&mut self, element: &Element<'t>) -> Option<Name> {
        let held = element.child("state")?.child("constant")?.child("number")?;
        let number = held.text().trim().parse::<f64>().ok().filter(|number| number.fract() == 0.0)?;
        Some(super::things::state_name(number as i64))
    }

    /// Declares a variable; its name may have to be another one.
    fn declared(&mut self, element: &Element<'t>, attribute: &str, scope: &mut Scope) -> Name {
        let said = self.name(element, attribute);
        let origin = self.head(element);
        let mut name = words::variable(&said);
        if *name != *said {
            let label = format!("`{said}` cannot be the name of a variable here.");
            let hint = format!("It is read as `{name}`.");
            self.warning("gdf/word", "This name is no word", origin, label, &hint);
            self.remarks.put(self.file, origin.start.saturating_sub(1), format!("{name} was: {said}"));
        }
        if scope.here(&said) {
            let label = format!("This block has a variable `{said}` already.");
            self.warning("gdf/scope", "Declared twice", origin, label, "Use `setVariable`, or another name.");
        } else if scope.find(&said).is_some() {
            let plain = name.clone();
            name = (2..)
                .map(|n| Name::from(format!("{plain}-{n}")))
                .find(|name| !scope.used.contains(name))
                .expect("endless");
            let label = format!("A block around this one has a variable `{said}`.");
            let hint = format!("The inner one is read as `{name}`.");
            self.warning("gdf/scope", "A variable hides another", origin, label, &hint);
        }
        scope.used.insert(name.clone());
        if let Some(frame) = scope.frames.last_mut() {
            frame.insert(said.to_string(), name.clone());
        }
        name
    }

    /// What a variable is called that is read or changed.
    fn variable(&mut self, element: &Element<'t>, scope: &mut Scope) -> Name {
        let said = self.name(element, "name");
        if let Some(name) = scope.find(&said) {
            return name.clone();
        }
        let known: Vec<&str> = scope.frames.iter().flat_map(|frame| frame.keys().map(String::as_str)).collect();
        let label = match nearest(&said, known.iter().copied()) {
            Some(near) => format!("No variable `{said}` is declared here. Did you mean `{near}`?"),
            None => format!("No variable `{said}` is declared here."),
        };
        let hint = format!("Declare it before, in this block or one around it: `<declareVariable name=\"{said}\"/>`.");
        self.error("gdf/scope", "Unknown variable", self.head(element), label, &hint);
        words::variable(&said)
    }

    /// The tags of the slots, in the order of the table; whatever else is inside is told.
    fn slot_tags<'e>(
        &mut self,
        element: &'e Element<'t>,
        def: &StatementDef,
        tags: &[&'static str],
    ) -> Vec<Option<&'e Element<'t>>> {
        let mut found: Vec<Option<&Element<'t>>> = vec![None; tags.len()];
        for child in &element.children {
            let child = match child {
                Node::Element(child) => child,
                Node::Text(text) => {
                    self.stray_text(&text.text, text.start);
                    continue;
                }
                Node::Comment { text, start } => {
                    self.remark(*start, text);
                    continue;
                }
            };
            match tags.iter().position(|tag| child.is(tag)) {
                Some(at) if found[at].is_none() => {
                    self.attributes(child, &[], &[]);
                    found[at] = Some(child);
                }
                Some(_) => {
                    let label = format!("`{}` is there already.", child.name.shown());
                    self.error("gdf/twice", "Said twice", self.head(child), label, "It is dropped.");
                }
                None if child.is("operand2") && !def.op.is_empty() => {
                    let label = format!("`{}` has one operand.", def.op);
                    self.warning(
                        "gdf/unknown",
                        "One operand too many",
                        self.head(child),
                        label,
                        "The second is dropped.",
                    );
                }
                None if child.is("state") && def.tag == "changeState" => {}
                None => self.unknown(child, tags),
            }
        }
        found
    }

    fn slots<const N: usize>(
        &mut self,
        element: &Element<'t>,
        def: &StatementDef,
        scope: &mut Scope,
        tags: &[&'static str; N],
    ) -> [Expr; N] {
        let children = self.slot_tags(element, def, tags);
        scope.frames.push(HashMap::new());
        let mut filled = children.into_iter().zip(tags).map(|(child, tag)| match child {
            Some(child) => self.single(child, scope),
            None => self.no_slot(element, tag),
        });
        let values = std::array::from_fn(|_| filled.next().expect("as many as tags"));
        drop(filled);
        scope.frames.pop();
        values
    }

    fn no_slot(&mut self, element: &Element<'t>, tag: &str) -> Expr {
        let label = format!("`{tag}` is missing.");
        self.missing(element, &label, &format!("Write `<{tag}>…</{tag}>` inside it."));
        Expr::new(ExprKind::Missing, self.head(element))
    }

    fn set(&mut self, element: &Element<'t>, def: &'static StatementDef, scope: &mut Scope) -> ExprKind {
        let role = Tagged::of(&def.tag[3..].to_lowercase()).expect("the three setting tags end with a role");
        self.attributes(element, &["name", role.tag()], &[]);
        let attribute = if element.attribute("name").is_none() && element.attribute(role.tag()).is_some() {
            role.tag()
        } else {
            "name"
        };
        let name = self.name(element, attribute);
        let name = NameRef::Given(self.survey.called(role, &name), self.head(element));
        let whom = element.child("entity");
        if whom.is_some_and(is_myself) {
            self.around_myself(whom.expect("just asked"));
            let children = self.slot_tags(element, def, &["entity", "value"]);
            scope.frames.push(HashMap::new());
            let value = match children[1] {
                Some(child) => self.single(child, scope),
                None => self.no_slot(element, "value"),
            };
            scope.frames.pop();
            return ExprKind::Form(Form::UpdateProperty, vec![Slot::Name(name), Slot::Expr(Box::new(value))]);
        }
        let [whom, value] = self.slots(element, def, scope, &["entity", "value"]);
        let property = ExprKind::Form(Form::Property, vec![Slot::Name(name), Slot::Expr(Box::new(whom))]);
        let target = Expr::new(property, self.head(element));
        ExprKind::Form(Form::Set, vec![Slot::Expr(Box::new(target)), Slot::Expr(Box::new(value))])
    }

    fn send(&mut self, element: &Element<'t>, def: &'static StatementDef, scope: &mut Scope) -> ExprKind {
        self.attributes(element, &["message"], &[]);
        let label = self.name(element, "message");
        let origin = element.attribute("message").map_or(self.head(element), |attribute| self.place_of(attribute));
        let mut whom = None;
        let mut pairs: Vec<(NameRef, Expr)> = Vec::new();
        let mut known: HashMap<Name, Origin> = HashMap::new();
        scope.frames.push(HashMap::new());
        for child in self.children(element, &["entity", "parameter"]) {
            if child.is("entity") {
                self.attributes(child, &[], &[]);
                let said = self.single(child, scope);
                if whom.is_some() {
                    let label = "`entity` is there already.";
                    self.error("gdf/twice", "Said twice", self.head(child), label, "It is dropped.");
                }
                whom.get_or_insert(said);
                continue;
            }
            self.attributes(child, &["name"], &[]);
            let name = self.name(child, "name");
            let value = self.single(child, scope);
            let origin = self.head(child);
            match known.insert(name.clone(), origin) {
                None => pairs.push((NameRef::Given(name, origin), value)),
                Some(first) => {
                    let label = format!("The parameter `{name}` is there already.");
                    let fault =
                        Diagnostic::error("gdf/twice", "Said twice", origin, label).and(first, "The first one.");
                    self.tell(fault.hint("It is dropped; give it another name."));
                }
            }
        }
        scope.frames.pop();
        let whom = whom.unwrap_or_else(|| self.no_slot(element, def.slots[0].tag));
        let pairs = if pairs.is_empty() { Slot::Absent } else { Slot::Pairs(pairs) };
        ExprKind::Form(Form::Send, vec![Slot::Name(NameRef::Given(label, origin)), Slot::Expr(Box::new(whom)), pairs])
    }

    /// Further cases nest in the `else` of the one before.
    fn if_else(&mut self, element: &Element<'t>, scope: &mut Scope) -> ExprKind {
        self.attributes(element, &[], &[]);
        let mut cases: Vec<(Expr, Body, Origin)> = Vec::new();
        let mut otherwise: Option<Body> = None;
        for child in self.children(element, &["if", "else"]) {
            self.attributes(child, &[], &[]);
            if child.is("else") {
                if otherwise.is_some() {
                    let label = "`else` is there already.";
                    self.error("gdf/twice", "Said twice", self.head(child), label, "It is dropped.");
                    continue;
                }
                otherwise = Some(self.body(child, scope));
                continue;
            }
            let (mut condition, mut body) = (None, None);
            scope.frames.push(HashMap::new());
            for part in self.children(child, &["condition", "statement"]) {
                self.attributes(part, &[], &[]);
                match part.is("condition") {
                    true => condition = Some(self.single(part, scope)),
                    false => body = Some(self.body(part, scope)),
                }
            }
            scope.frames.pop();
            let condition = condition.unwrap_or_else(|| self.no_slot(child, "condition"));
            let body = body.unwrap_or_else(|| vec![self.no_slot(child, "statement")]);
            cases.push((condition, body, self.head(child)));
        }
        if cases.is_empty() {
            self.missing(
                element,
                "A case is missing.",
                "Write `<if><condition>…</condition><statement>…</statement></if>`.",
            );
            return ExprKind::Missing;
        }
        // A case is a statement in the one before.
        if cases.len() + scope.depth > xml::STATEMENTS {
            let label =
                format!("It has {} cases; statements may stand {} deep in each other.", cases.len(), xml::STATEMENTS);
            self.error("gdf/large", "Too many cases", self.head(element), label, "Use a dictionary instead.");
            cases.truncate(1);
        }
        let mut rest = otherwise.map_or(Slot::Absent, Slot::Body);
        loop {
            let Some((condition, body, origin)) = cases.pop() else { return ExprKind::Missing };
            let kind = ExprKind::Form(Form::If, vec![Slot::Expr(Box::new(condition)), Slot::Body(body), rest]);
            if cases.is_empty() {
                return kind;
            }
            rest = Slot::Body(vec![Expr::new(kind, origin)]);
        }
    }

    /// A form in the definition language.
    fn gdl(&mut self, element: &Element<'t>) -> ExprKind {
        self.attributes(element, &[], &[]);
        self.only_text(element);
        let text = element.text();
        if text.trim().is_empty() {
            return self.placeholder(element).kind;
        }
        let (expr, faults) = embedded::expr(&text, self.place(element));
        self.diagnostics.extend(faults);
        expr.map_or(ExprKind::Missing, |expr| expr.kind)
    }

    fn around_myself(&mut self, slot: &Element<'t>) {
        for child in &slot.children {
            if let Node::Comment { text, start } = child {
                self.remark(*start, text);
            }
        }
    }
}

/// Whether a slot holds nothing but `myself`.
fn is_myself(slot: &Element) -> bool {
    let mut elements = slot.elements();
    elements.next().is_some_and(|first| first.is("myself")) && elements.next().is_none()
}
