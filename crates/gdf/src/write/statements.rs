//! Statements to tags, by the table; what it has not is said in the definition language.

use houserules_model::{Expr, ExprKind, Form, Name, NameRef, Role, Slot, SlotKind};

use super::Writing;
use super::out::{Out, tag, text};
use super::values;
use crate::read::survey::Tagged;
use crate::tags::{Holds, STATEMENTS, StatementDef};
use crate::words;

/// The variables that a reader of the file knows: a frame for each open block.
#[derive(Default)]
pub(crate) struct Scope {
    frames: Vec<Vec<Name>>,
    depth: usize,
}

/// Deeper statements are said in the definition language: a reader of tags goes only so deep.
const DEEPEST: usize = 40;

impl Scope {
    fn knows(&self, name: &Name) -> bool {
        self.frames.iter().flatten().any(|known| known == name)
    }

    /// Whether a tag would declare just this variable, and not another one.
    fn can_declare(&self, name: &Name) -> bool {
        *words::variable(name) == **name && !self.knows(name)
    }

    fn declare(&mut self, name: &Name) {
        self.frames.last_mut().expect("a block is open").push(name.clone());
    }
}

impl Writing<'_> {
    /// The statements of a behavior or a rule.
    pub(super) fn statements(&mut self, body: &[Expr]) -> Out {
        tag("statements", self.several(body, &mut Scope::default()))
    }

    /// A single statement in a tag.
    pub(super) fn alone(&mut self, expr: &Expr) -> Vec<Out> {
        self.single(expr, &mut Scope { frames: vec![Vec::new()], depth: 0 })
    }

    fn several(&mut self, body: &[Expr], scope: &mut Scope) -> Vec<Out> {
        scope.frames.push(Vec::new());
        let mut outs = Vec::new();
        for expr in body {
            outs.extend(self.comments(expr.origin));
            outs.push(self.statement(expr, scope));
        }
        scope.frames.pop();
        outs
    }

    /// What stands in a slot; the placeholder is nothing.
    fn single(&mut self, expr: &Expr, scope: &mut Scope) -> Vec<Out> {
        if expr.kind == ExprKind::Missing {
            return Vec::new();
        }
        let mut outs = self.comments(expr.origin);
        outs.push(self.statement(expr, scope));
        outs
    }

    /// A body in a slot: one statement stands alone, unless it would be taken for the body itself.
    fn body(&mut self, body: &[Expr], scope: &mut Scope) -> Vec<Out> {
        match body {
            [one] if !matches!(one.kind, ExprKind::Form(Form::Do, _)) => {
                scope.frames.push(Vec::new());
                let outs = self.single(one, scope);
                scope.frames.pop();
                outs
            }
            body => vec![tag("block", self.several(body, scope))],
        }
    }

    fn statement(&mut self, expr: &Expr, scope: &mut Scope) -> Out {
        let written = match &expr.kind {
            ExprKind::Missing => Some(tag("hr:expr", Vec::new())),
            ExprKind::Word(word) if &**word == "self" => Some(tag("myself", Vec::new())),
            ExprKind::Word(word) if scope.knows(word) => Some(tag("getVariable", Vec::new()).with("name", &**word)),
            ExprKind::Form(form, slots) if scope.depth < DEEPEST => {
                scope.depth += 1;
                let written = self.form(*form, slots, scope);
                scope.depth -= 1;
                written
            }
            _ => None,
        };
        written
            .or_else(|| values::value(expr).map(|(_, value)| tag("constant", vec![value])))
            .unwrap_or_else(|| text("hr:expr", &expr.to_string()))
    }

    fn form(&mut self, form: Form, slots: &[Slot], scope: &mut Scope) -> Option<Out> {
        match (form, slots) {
            (Form::Do, [Slot::Body(body), Slot::Absent]) => Some(tag("block", self.several(body, scope))),
            (Form::If, [Slot::Expr(condition), Slot::Body(then), otherwise]) => {
                let mut cases = vec![self.case(condition, then, scope)];
                self.otherwise(otherwise, &mut cases, scope)?;
                Some(tag("ifElse", cases))
            }
            (Form::UpdateProperty, [Slot::Name(NameRef::Given(name, _)), Slot::Expr(value)]) => {
                let whom = vec![tag("myself", Vec::new())];
                Some(self.set(name, whom, value, scope))
            }
            (Form::Set, [Slot::Expr(target), Slot::Expr(value)]) => match &target.kind {
                ExprKind::Word(word) if scope.knows(word) => {
                    scope.frames.push(Vec::new());
                    let value = self.single(value, scope);
                    scope.frames.pop();
                    Some(tag("setVariable", vec![tag("value", value)]).with("name", &**word))
                }
                ExprKind::Form(Form::Property, target) => match target.as_slice() {
                    [Slot::Name(NameRef::Given(name, _)), Slot::Expr(whom)] => {
                        scope.frames.push(Vec::new());
                        let whom = self.whom(whom, scope);
                        scope.frames.pop();
                        Some(self.set(name, whom, value, scope))
                    }
                    _ => None,
                },
                _ => None,
            },
            (Form::Send, [Slot::Name(NameRef::Given(label, _)), Slot::Expr(whom), pairs]) => {
                self.send(label, whom, pairs, scope)
            }
            _ => {
                let def = self.def(form, slots)?;
                self.by_table(def, slots, scope)
            }
        }
    }

    /// The line of the table for a form; where several say the same, the one that fits best.
    fn def(&self, form: Form, slots: &[Slot]) -> Option<&'static StatementDef> {
        let mut defs = STATEMENTS.iter().filter(|def| def.form == Some(form));
        match (form, slots) {
            (Form::Property, [Slot::Name(NameRef::Given(name, _)), _]) => {
                let role = Tagged::of_role(self.roles.get(name).copied().unwrap_or(Role::Property));
                defs.find(|def| def.attributes[0].0 == role.tag())
            }
            (Form::Subtract, [Slot::Exprs(items)]) => defs.find(|def| def.slots.len() == items.len()),
            (Form::RemoveFrom, [Slot::Expr(key), Slot::Expr(from)]) => {
                let tag = if self.is_dictionary(key, from) { "dictionaryRemove" } else { "listRemoveFrom" };
                defs.find(|def| def.tag == tag)
            }
            _ => defs.next(),
        }
    }

    /// Whether something is taken out of a dictionary, as far as one can see.
    fn is_dictionary(&self, key: &Expr, from: &Expr) -> bool {
        let made = |expr: &Expr| matches!(expr.kind, ExprKind::Form(Form::Dictionary | Form::Put, _));
        let defined = match &from.kind {
            ExprKind::Form(Form::Property, slots) => match &slots[0] {
                Slot::Name(NameRef::Given(name, _)) => self.dictionaries.contains(name),
                _ => false,
            },
            _ => false,
        };
        matches!(key.kind, ExprKind::Text(_)) || made(from) || defined
    }

    fn by_table(&mut self, def: &'static StatementDef, slots: &[Slot], scope: &mut Scope) -> Option<Out> {
        let form = def.form?;
        let pattern = form.pattern().slots();
        let place = |name: &str| pattern.iter().position(|slot| slot.name == name).expect("the table fits the forms");
        // Everything that is given must have a place in the tag.
        let mut said: Vec<usize> = def.attributes.iter().map(|(_, fills)| place(fills)).collect();
        said.extend(def.slots.iter().map(|slot| place(slot.fills)));
        if slots.iter().enumerate().any(|(at, slot)| slot.given() && !said.contains(&at)) {
            return None;
        }
        let several = |at: usize| said.iter().filter(|other| **other == at).count();
        for slot in def.slots {
            let at = place(slot.fills);
            let fits = match (&slots[at], slot.holds) {
                (Slot::Expr(_), Holds::One | Holds::Perhaps | Holds::Whom) => true,
                (Slot::Absent, Holds::Perhaps | Holds::Whom) => true,
                (Slot::Exprs(items), Holds::One) => items.len() == several(at),
                (Slot::Domain { var: None, owner: None, .. }, Holds::One) => true,
                (Slot::Body(_), Holds::Body) => true,
                _ => false,
            };
            if !fits {
                return None;
            }
        }
        let mut out = tag(def.tag, Vec::new());
        if !def.op.is_empty() {
            out = out.with("op", def.op);
        }
        let mut declares = None;
        for (attribute, fills) in def.attributes {
            let Slot::Name(NameRef::Given(name, _)) = &slots[place(fills)] else { return None };
            if matches!(pattern[place(fills)].kind, Some(SlotKind::Var)) {
                if !scope.can_declare(name) {
                    return None;
                }
                declares = Some(name);
            }
            out = match form {
                Form::ChangeState => self.numbered(out, name),
                _ => out.with(attribute, &**name),
            };
        }
        let Out::Tag { inside, .. } = &mut out else { return None };
        scope.frames.push(Vec::new());
        let mut taken = vec![0; slots.len()];
        for slot in def.slots {
            let at = place(slot.fills);
            if slot.holds == Holds::Body
                && let Some(name) = declares
            {
                scope.declare(name);
            }
            let held = match &slots[at] {
                Slot::Absent if slot.holds == Holds::Whom => vec![tag("myself", Vec::new())],
                Slot::Expr(whom) if slot.holds == Holds::Whom => self.whom(whom, scope),
                Slot::Expr(expr) => self.single(expr, scope),
                Slot::Exprs(items) => {
                    taken[at] += 1;
                    self.single(&items[taken[at] - 1], scope)
                }
                Slot::Domain { list, .. } => self.single(list, scope),
                Slot::Body(body) => self.body(body, scope),
                _ => continue,
            };
            inside.push(tag(slot.tag, held));
        }
        scope.frames.pop();
        if let (Form::Var, Some(name)) = (form, declares) {
            scope.declare(name);
        }
        Some(out)
    }

    /// An entity where the form would mean this one without saying so: said all the same, it is said as a word.
    fn whom(&mut self, whom: &Expr, scope: &mut Scope) -> Vec<Out> {
        match &whom.kind {
            ExprKind::Word(word) if &**word == "self" => vec![text("hr:expr", "self")],
            _ => self.single(whom, scope),
        }
    }

    fn set(&mut self, name: &Name, whom: Vec<Out>, value: &Expr, scope: &mut Scope) -> Out {
        let set = match self.roles.get(name) {
            Some(Role::Relation) => "setRelationship",
            Some(Role::Appearance) => "setAppearance",
            Some(Role::Property) | None => "setProperty",
        };
        scope.frames.push(Vec::new());
        let value = self.single(value, scope);
        scope.frames.pop();
        tag(set, vec![tag("entity", whom), tag("value", value)]).with("name", &**name)
    }

    fn send(&mut self, label: &Name, whom: &Expr, pairs: &Slot, scope: &mut Scope) -> Option<Out> {
        let known = |(name, _): &(NameRef, Expr)| name.known().is_some();
        // A slot with no pairs is not the same as none; and a name must not be there twice.
        let mut names: Vec<&Name> = pairs.pairs().iter().filter_map(|(name, _)| name.known()).collect();
        names.sort();
        names.dedup();
        let said = pairs.pairs();
        if pairs.given() && said.is_empty() || !said.iter().all(known) || names.len() < said.len() {
            return None;
        }
        scope.frames.push(Vec::new());
        let mut inside = vec![tag("entity", self.single(whom, scope))];
        for (name, value) in said {
            let name = name.known().map_or(String::new(), |name| name.to_string());
            inside.push(tag("parameter", self.single(value, scope)).with("name", name));
        }
        scope.frames.pop();
        Some(tag("sendMessage", inside).with("message", &**label))
    }

    fn case(&mut self, condition: &Expr, then: &[Expr], scope: &mut Scope) -> Out {
        scope.frames.push(Vec::new());
        let condition = self.single(condition, scope);
        let then = self.body(then, scope);
        scope.frames.pop();
        tag("if", vec![tag("condition", condition), tag("statement", then)])
    }

    /// An `else` with nothing but another `if` is one more case.
    fn otherwise(&mut self, slot: &Slot, cases: &mut Vec<Out>, scope: &mut Scope) -> Option<()> {
        let mut slot = slot;
        loop {
            match slot {
                Slot::Absent => return Some(()),
                Slot::Body(body) => match body.as_slice() {
                    [Expr { kind: ExprKind::Form(Form::If, slots), origin }] if cases.len() < DEEPEST => {
                        match slots.as_slice() {
                            [Slot::Expr(condition), Slot::Body(then), rest] => {
                                cases.extend(self.comments(*origin));
                                cases.push(self.case(condition, then, scope));
                                slot = rest;
                            }
                            _ => return None,
                        }
                    }
                    body => {
                        cases.push(tag("else", self.body(body, scope)));
                        return Some(());
                    }
                },
                _ => return None,
            }
        }
    }
}
