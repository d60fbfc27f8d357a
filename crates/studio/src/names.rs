//! What each name in a text means, and every place that means it.
//!
//! A name of a property means the properties of that name in all models, because it may be asked of any of them; the same
//! holds for attributes and messages. A variable means itself, within its behavior.

use crate::document::Reading;
use crate::layout::{Layout, Token};
use crate::text::Span;
use houserules_gdl::SyntaxKind;
use houserules_model::*;
use std::collections::{BTreeMap, BTreeSet};

/// What a name is the name of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Model,
    /// A property, relation, appearance or define.
    Member,
    Setting,
    /// A thing, a place, a list of places, a player.
    Entity,
    Direction,
    Message,
    Attribute,
    /// By the number of its behavior and of its declaration there.
    Variable(usize, usize),
    State,
    Rule,
    Variant,
    Layer,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Meaning {
    pub sort: Sort,
    pub name: Name,
}

/// A place that means something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    pub at: Span,
    pub meaning: Meaning,
    /// Whether it is said there what the name stands for.
    pub defines: bool,
    pub quoted: bool,
    /// Whether a name in quotes would mean something else here.
    pub bare: bool,
}

/// All names of a text.
pub struct Names {
    uses: Vec<Use>,
    known: BTreeMap<Sort, BTreeSet<Name>>,
}

impl Names {
    pub fn of(reading: &Reading) -> Names {
        Names::within(&reading.text, &reading.own, &reading.definition)
    }

    /// All names of a text with these items, which is a part of a definition.
    pub fn within(text: &str, own: &[Item], definition: &Definition) -> Names {
        let layout = Layout::new(text);
        let mut finder = Finder {
            text,
            definition,
            layout: &layout,
            known: BTreeMap::new(),
            attributes: BTreeMap::new(),
            relations: BTreeSet::new(),
            uses: Vec::new(),
            variables: Vec::new(),
            site: BTreeSet::new(),
            n_site: 0,
            n_declared: 0,
        };
        finder.learn(definition.items());
        finder.learn(own);
        finder.states();
        finder.items(own);
        let mut uses = finder.uses;
        uses.sort_by_key(|found| (found.at, found.meaning.clone()));
        uses.dedup_by(|one, other| one.at == other.at);
        Names { uses, known: finder.known }
    }

    /// What the name at a byte means.
    pub fn at(&self, byte: usize) -> Option<&Meaning> {
        self.uses.iter().find(|found| found.at.start <= byte && byte <= found.at.end).map(|found| &found.meaning)
    }

    pub fn all(&self) -> &[Use] {
        &self.uses
    }

    pub fn uses<'a>(&'a self, meaning: &'a Meaning) -> impl Iterator<Item = &'a Use> {
        self.uses.iter().filter(move |found| found.meaning == *meaning)
    }

    /// The names that another one of this sort must not be equal to.
    pub fn known(&self, sort: &Sort) -> impl Iterator<Item = &Name> {
        let word =
            |sort: &Sort| !matches!(sort, Sort::Message | Sort::State | Sort::Rule | Sort::Variant | Sort::Layer);
        let same = self.known.iter().filter(move |(known, _)| *known == sort || word(known) && word(sort));
        same.flat_map(|(_, names)| names)
    }
}

struct Finder<'a> {
    text: &'a str,
    definition: &'a Definition,
    layout: &'a Layout<'a>,
    known: BTreeMap<Sort, BTreeSet<Name>>,
    /// Of each message: what it carries.
    attributes: BTreeMap<Name, BTreeSet<Name>>,
    relations: BTreeSet<Name>,
    uses: Vec<Use>,
    variables: Vec<(Name, Sort)>,
    /// Attributes that are words where we are.
    site: BTreeSet<Name>,
    n_site: usize,
    n_declared: usize,
}

impl Finder<'_> {
    fn learn(&mut self, items: &[Item]) {
        for item in items {
            let mut put = |sort: Sort, name: &Name| {
                self.known.entry(sort).or_default().insert(name.clone());
            };
            match &item.kind {
                ItemKind::Model { name, .. } => put(Sort::Model, name),
                ItemKind::Property(own) => {
                    put(Sort::Member, &own.name);
                    if own.role == Role::Relation {
                        self.relations.insert(own.name.clone());
                    }
                }
                ItemKind::Define(own) => put(Sort::Member, &own.name),
                ItemKind::Setting(own) => put(Sort::Setting, &own.name),
                ItemKind::Entity(own) => {
                    own.name.iter().for_each(|name| put(Sort::Entity, name));
                    for each in &own.each {
                        if let ForEach::In(name, _) = each {
                            put(Sort::Member, name);
                        }
                    }
                }
                ItemKind::Board(own) => own.name.iter().for_each(|name| put(Sort::Entity, name)),
                ItemKind::Players(own) => own.names.iter().for_each(|player| put(Sort::Entity, &player.name)),
                ItemKind::Directions { name, .. } => put(Sort::Direction, name),
                ItemKind::Link(own) => own.relation.iter().for_each(|name| put(Sort::Member, name)),
                ItemKind::Behavior(own) => {
                    put(Sort::Message, &own.label);
                    put(Sort::State, &own.state);
                    own.attributes.iter().for_each(|name| put(Sort::Attribute, name));
                    self.attributes.entry(own.label.clone()).or_default().extend(own.attributes.iter().cloned());
                }
                ItemKind::Action(own) => {
                    put(Sort::Message, &own.label);
                    own.with.iter().for_each(|(name, _)| put(Sort::Attribute, name));
                    let carried = own.with.iter().map(|(name, _)| name.clone());
                    self.attributes.entry(own.label.clone()).or_default().extend(carried);
                }
                ItemKind::State { name, .. } => put(Sort::State, name),
                ItemKind::Rule(own) => put(Sort::Rule, &own.name),
                ItemKind::Editor(Editor::Layer { name, .. }) => put(Sort::Layer, name),
                ItemKind::Variant(own) => {
                    put(Sort::Variant, &own.name);
                    self.learn(&own.changes);
                }
                _ => {}
            }
            let mut sent = Vec::new();
            item.exprs(&mut |expr| {
                expr.walk(&mut |expr| {
                    if let ExprKind::Form(Form::Send | Form::SendNew | Form::NewMessage, slots) = &expr.kind {
                        let label = slots.iter().find_map(|slot| slot.name().and_then(NameRef::known));
                        let carried = slots.iter().flat_map(|slot| slot.pairs()).filter_map(|(name, _)| name.known());
                        sent.push((label.cloned(), carried.cloned().collect::<Vec<_>>()));
                    }
                });
            });
            for (label, carried) in sent {
                self.known.entry(Sort::Attribute).or_default().extend(carried.iter().cloned());
                self.attributes.entry(label.unwrap_or_else(|| "*".into())).or_default().extend(carried);
            }
        }
    }

    fn knows(&self, sort: Sort, name: &str) -> bool {
        self.known.get(&sort).is_some_and(|names| names.contains(name))
    }

    fn put(&mut self, at: Span, sort: Sort, name: &Name, defines: bool, bare: bool) {
        let quoted = at.of(self.text).starts_with('"');
        self.uses.push(Use {
            at,
            meaning: Meaning { sort, name: name.clone() },
            defines,
            quoted,
            bare: bare && !quoted,
        });
    }

    fn token(&mut self, token: Option<&Token>, sort: Sort, name: &Name, defines: bool) {
        // What a file says elsewhere is at no place here.
        if let Some(token) = token.filter(|token| crate::change::unquoted(self.layout.word(**token)) == **name) {
            self.put(token.span, sort, name, defines, false);
        }
    }

    /// `#state` is no item where behaviors follow it.
    fn states(&mut self) {
        let root = houserules_gdl::parse(FileId(0), self.text).root();
        for section in root.children().filter(|node| node.kind() == SyntaxKind::Section) {
            let span = Span::new(section.text_range().start().into(), section.text_range().end().into());
            let tokens: Vec<Token> = self.layout.tokens(span).collect();
            if tokens.first().is_some_and(|head| self.layout.word(*head) == "#state") {
                for token in &tokens[1..] {
                    let name: Name = crate::change::unquoted(self.layout.word(*token)).into();
                    self.known.entry(Sort::State).or_default().insert(name.clone());
                    self.put(token.span, Sort::State, &name, true, false);
                }
            }
        }
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            self.n_site += 1;
            self.variables.clear();
            self.site.clear();
            self.item(item);
        }
    }

    /// The tokens of a directive outside of its forms.
    fn flat(&self, span: Span) -> Vec<Token> {
        let mut depth = 0;
        let outside = |token: &Token| {
            depth += usize::from(token.kind == SyntaxKind::Open);
            let outside = depth == 0;
            depth -= usize::from(token.kind == SyntaxKind::Close && depth > 0);
            outside
        };
        self.layout.tokens(span).filter(outside).collect()
    }

    fn item(&mut self, item: &Item) {
        let span = Span::from(item.origin);
        let flat = self.flat(span);
        let after = |word: &str| {
            flat.iter().position(|token| self.layout.word(*token) == word).and_then(|at| flat.get(at + 1)).copied()
        };
        let before = |at: usize| flat.iter().rfind(|token| token.span.end <= at).copied();
        let text_of =
            |token: Option<Token>| token.map(|token| Name::from(crate::change::unquoted(self.layout.word(token))));
        let first = flat.get(1);
        match &item.kind {
            ItemKind::Model { name, parent } => {
                self.token(first, Sort::Model, name, true);
                if let Some(parent) = parent {
                    self.token(flat.get(3), Sort::Model, parent, false);
                }
            }
            ItemKind::Property(own) => {
                self.token(first, Sort::Member, &own.name, true);
                let state = *own.name == *STATE_PROPERTY;
                if let Some(value) = &own.value {
                    self.value(value, own.role == Role::Relation, state);
                }
                if let Some(Sight::Those(expr)) = &own.seen {
                    self.expr(expr);
                }
                return;
            }
            ItemKind::Define(own) => {
                self.token(first, Sort::Member, &own.name, true);
                for (nth, param) in own.params.iter().enumerate() {
                    let sort = self.declare(param);
                    self.token(flat.get(2 + nth), sort, param, true);
                }
            }
            ItemKind::Behavior(own) => {
                self.token(first, Sort::Message, &own.label, true);
                for (nth, name) in own.attributes.iter().enumerate() {
                    self.token(flat.get(2 + nth), Sort::Attribute, name, true);
                }
                self.site = self.carried(std::slice::from_ref(&own.label));
            }
            ItemKind::Entity(own) => {
                match &own.name {
                    Some(name) => {
                        self.token(first, Sort::Entity, name, true);
                        self.token(flat.get(3), Sort::Model, &own.model, false);
                    }
                    None => self.token(first, Sort::Model, &own.model, false),
                }
                for each in &own.each {
                    if let ForEach::In(name, list) = each {
                        let at = flat.iter().rposition(|token| token.span.end <= list.origin.start as usize);
                        let token = at.and_then(|at| at.checked_sub(1)).and_then(|at| flat.get(at)).copied();
                        self.token(token.as_ref(), Sort::Member, name, true);
                        self.expr(list);
                    }
                }
                own.times.iter().chain(&own.at).for_each(|expr| self.expr(expr));
                for (name, value) in &own.with {
                    self.token(before(value.origin.start as usize).as_ref(), Sort::Member, name, false);
                    self.value(value, self.relations.contains(name), **name == *STATE_PROPERTY);
                }
                return;
            }
            ItemKind::Board(own) => {
                self.token(first, Sort::Model, &own.model, false);
                if let Some(name) = &own.name {
                    let token = after("named");
                    self.token(token.as_ref(), Sort::Entity, name, true);
                }
            }
            ItemKind::Supply { model, .. } => self.token(first, Sort::Model, model, false),
            ItemKind::Edges(own) => {
                let (between, along) = (after("between"), after("along"));
                self.token(first, Sort::Model, &own.model, false);
                self.token(between.as_ref(), Sort::Model, &own.between, false);
                if let Some(name) = &own.along {
                    self.token(along.as_ref(), Sort::Direction, name, false);
                }
            }
            ItemKind::Directions { name, .. } => {
                self.token(first, Sort::Direction, name, true);
                let rest: Vec<Token> = self.layout.tokens(span).skip(2).collect();
                for token in rest {
                    let name: Name = crate::change::unquoted(self.layout.word(token)).into();
                    if self.knows(Sort::Direction, &name) {
                        self.token(Some(&token), Sort::Direction, &name, false);
                    }
                }
            }
            ItemKind::Action(own) => {
                self.token(first, Sort::Message, &own.label, true);
                self.site = self.carried(std::slice::from_ref(&own.label));
                for (name, domain) in &own.with {
                    self.token(before(domain.origin.start as usize).as_ref(), Sort::Attribute, name, true);
                }
                let words = flat.iter().zip(flat.iter().skip(1)).find(|(one, _)| self.layout.word(**one) == "as");
                if let Some((_, words)) = words.filter(|_| own.words.is_some()) {
                    self.braces(words.span);
                }
                if let Some(Expr { kind: ExprKind::Word(name), origin }) = &own.to
                    && self.knows(Sort::Model, name)
                {
                    // The name of a model may stand in quotes here.
                    self.put((*origin).into(), Sort::Model, name, false, false);
                    own.with.iter().for_each(|(_, domain)| self.expr(domain));
                    own.body.iter().flatten().for_each(|expr| self.expr(expr));
                    return;
                }
            }
            ItemKind::Rule(own) => {
                self.token(first, Sort::Rule, &own.name, true);
                for (label, origin) in own.labels.iter().filter(|(label, _)| **label != *"*") {
                    self.put((*origin).into(), Sort::Message, label, false, false);
                }
                for (name, origin) in own.to.iter().filter(|(name, _)| **name != *"*") {
                    let sort = if self.knows(Sort::Model, name) { Sort::Model } else { Sort::Entity };
                    self.put((*origin).into(), sort, name, false, false);
                }
                for (state, origin) in own.states.iter().filter(|(state, _)| **state != *"*") {
                    self.put((*origin).into(), Sort::State, state, false, false);
                }
                if let Some((name, origin)) = &own.before {
                    self.put((*origin).into(), Sort::Rule, name, false, false);
                }
                let labels: Vec<Name> = own.labels.iter().map(|(label, _)| label.clone()).collect();
                self.site = self.carried(&labels);
            }
            ItemKind::RuleMode { rule, .. } => self.token(first, Sort::Rule, rule, false),
            ItemKind::RuleBody { rule, .. } => {
                self.token(first, Sort::Rule, rule, false);
                let labels = self.definition.rule(rule).map(|rule| rule.labels.clone()).unwrap_or_default();
                self.site = self.carried(&labels.into_iter().map(|(label, _)| label).collect::<Vec<_>>());
            }
            ItemKind::Setting(own) => {
                let value = own.value.origin.start as usize;
                let name = flat.iter().skip(1).take_while(|token| token.span.end <= value);
                let name = name.copied().find(|token| self.layout.word(*token) == &*own.name);
                self.token(name.as_ref(), Sort::Setting, &own.name, true);
            }
            ItemKind::Set { setting, .. } => self.token(first, Sort::Setting, setting, false),
            ItemKind::Players(Players { are: Some(model), .. }) => {
                self.token(after("are").as_ref(), Sort::Model, model, false)
            }
            ItemKind::Players(own) => {
                for player in &own.names {
                    self.put(player.origin.into(), Sort::Entity, &player.name, true, false);
                }
            }
            ItemKind::History(own) => {
                for (name, origin) in &own.things {
                    let sort = if self.knows(Sort::Model, name) { Sort::Model } else { Sort::Member };
                    self.put((*origin).into(), sort, name, false, false);
                }
            }
            ItemKind::Picture { property: Some(name), .. } => self.token(first, Sort::Member, name, false),
            ItemKind::Symbol { signs, .. } => {
                for (nth, token) in
                    flat.iter().enumerate().filter(|(_, token)| self.layout.word(**token) == "in").collect::<Vec<_>>()
                {
                    let _ = token;
                    let state = flat.get(nth + 1).copied();
                    if let Some(name) =
                        text_of(state).filter(|name| signs.iter().any(|signs| signs.state.as_ref() == Some(name)))
                    {
                        self.token(state.as_ref(), Sort::State, &name, false);
                    }
                }
            }
            ItemKind::Link(own) => {
                if let Some(name) = &own.relation {
                    let token = after("as");
                    self.token(token.as_ref(), Sort::Member, name, true);
                }
            }
            ItemKind::View(own) => {
                let token = after("of");
                self.token(token.as_ref(), Sort::Model, &own.of, false);
            }
            ItemKind::Editor(own) => self.editor(own, &flat),
            ItemKind::Variant(own) => {
                self.token(first, Sort::Variant, &own.name, true);
                if let Some(from) = &own.from {
                    self.token(flat.get(3), Sort::Variant, from, false);
                }
                self.items(&own.changes);
                return;
            }
            _ => {}
        }
        item.exprs(&mut |expr| self.expr(expr));
    }

    fn editor(&mut self, own: &Editor, flat: &[Token]) {
        let on = flat.iter().position(|token| self.layout.word(*token) == "on").and_then(|at| flat.get(at + 1));
        match own {
            Editor::Layer { name, .. } => self.token(flat.get(2), Sort::Layer, name, true),
            Editor::Slot { relation, of, layer, .. } => {
                self.token(flat.get(2), Sort::Member, relation, false);
                self.token(flat.get(4), Sort::Model, of, false);
                if let Some(layer) = layer {
                    self.token(on, Sort::Layer, layer, false);
                }
            }
            Editor::Put { entity, layer } => {
                let token =
                    flat.iter().skip(2).find(|token| crate::change::unquoted(self.layout.word(**token)) == **entity);
                self.token(token, Sort::Entity, entity, false);
                self.token(on, Sort::Layer, layer, false);
            }
            Editor::Group { entities, .. } => {
                // The name of the group comes before its members, and may be spelt like one of them.
                for entity in entities {
                    let mut members = flat.iter().skip(3);
                    let token = members.find(|token| crate::change::unquoted(self.layout.word(**token)) == **entity);
                    self.token(token, Sort::Entity, entity, false);
                }
            }
            Editor::Workspace { .. } | Editor::Keep { .. } => {}
        }
    }

    /// What the messages carry, as words.
    fn carried(&self, labels: &[Name]) -> BTreeSet<Name> {
        if labels.iter().any(|label| **label == *"*") {
            return self.known.get(&Sort::Attribute).cloned().unwrap_or_default();
        }
        let any: Name = "*".into();
        labels.iter().chain([&any]).filter_map(|label| self.attributes.get(label)).flatten().cloned().collect()
    }

    fn declare(&mut self, name: &Name) -> Sort {
        self.n_declared += 1;
        let sort = Sort::Variable(self.n_site, self.n_declared);
        self.variables.push((name.clone(), sort));
        self.known.entry(sort).or_default().insert(name.clone());
        sort
    }

    fn meaning(&self, name: &Name) -> Option<Sort> {
        if let Some((_, sort)) = self.variables.iter().rev().find(|(known, _)| known == name) {
            return Some(*sort);
        }
        if self.site.contains(name) {
            return Some(Sort::Attribute);
        }
        [Sort::Member, Sort::Setting, Sort::Entity, Sort::Model, Sort::Direction]
            .into_iter()
            .find(|sort| self.knows(*sort, name))
    }

    fn word(&mut self, name: &Name, at: Span) {
        // What a text says between braces is found there; a file said elsewhere has no place here.
        if let Some(sort) = self.meaning(name).filter(|_| at.of(self.text) == &**name) {
            self.put(at, sort, name, false, true);
        }
    }

    /// A first value: of a relation, texts name things; of the state, it names a state.
    fn value(&mut self, expr: &Expr, relation: bool, state: bool) {
        let at = Span::from(expr.origin);
        match &expr.kind {
            ExprKind::Text(name) | ExprKind::Word(name) if state => self.put(at, Sort::State, name, false, false),
            ExprKind::Number(number) if state => self.put(at, Sort::State, &number.to_string().into(), false, false),
            ExprKind::Text(name) if relation && self.knows(Sort::Entity, name) => {
                self.put(at, Sort::Entity, name, false, false);
            }
            ExprKind::Form(Form::List, slots) if relation => {
                slots.iter().flat_map(|slot| slot.exprs()).for_each(|expr| self.value(expr, relation, state));
            }
            _ => self.expr(expr),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let at = Span::from(expr.origin);
        match &expr.kind {
            ExprKind::Word(name) => self.word(name, at),
            ExprKind::Told(_) => self.braces(at),
            ExprKind::Call { name, name_origin, args, of } => {
                self.word(name, (*name_origin).into());
                args.iter().chain(of.as_deref()).for_each(|inner| self.expr(inner));
            }
            ExprKind::PlaceAt { model, at: places } => {
                let token = self.layout.tokens(at).nth(1);
                self.token(token.as_ref(), Sort::Model, model, false);
                places.iter().for_each(|inner| self.expr(inner));
            }
            ExprKind::Form(form, slots) => self.form(*form, slots, at),
            ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Missing => {}
        }
    }

    fn form(&mut self, form: Form, slots: &[Slot], at: Span) {
        let depth = self.variables.len();
        match (form, slots) {
            (Form::Equal | Form::Unequal, [Slot::Expr(left), Slot::Expr(right)]) => {
                for (one, other) in [(left, right), (right, left)] {
                    let asks = match &one.kind {
                        ExprKind::Word(name) | ExprKind::Call { name, .. } => **name == *STATE_PROPERTY,
                        _ => false,
                    };
                    if let ExprKind::Text(name) = &other.kind
                        && asks
                        && self.knows(Sort::State, name)
                    {
                        self.put(other.origin.into(), Sort::State, name, false, false);
                    }
                }
            }
            (Form::Entity, [Slot::Expr(name)]) => {
                if let ExprKind::Text(name_) = &name.kind
                    && self.knows(Sort::Entity, name_)
                {
                    self.put(name.origin.into(), Sort::Entity, name_, false, false);
                }
            }
            _ => {}
        }
        let kinds = form.pattern().slots();
        // A candidate is known in all parts of its form, those before it as well.
        for slot in slots {
            if let Slot::Domain { var: Some(var), list, .. } = slot {
                let sort = self.declare(var);
                let from = self.layout.tokens(at).filter(|token| token.span.end <= list.origin.start as usize);
                let tokens: Vec<Token> = from.collect();
                let token = tokens.len().checked_sub(2).and_then(|at| tokens.get(at)).copied();
                self.token(token.as_ref(), sort, var, true);
            }
        }
        for (slot, known) in slots.iter().zip(&kinds) {
            match slot {
                Slot::Name(NameRef::Given(name, origin)) => match known.kind {
                    Some(SlotKind::Var) => {
                        let again = self.variables.iter().find(|(own, _)| own == name).map(|(_, sort)| *sort);
                        let sort = match again.filter(|_| form == Form::Var) {
                            Some(sort) => sort,
                            None => self.declare(name),
                        };
                        self.put((*origin).into(), sort, name, true, true);
                    }
                    _ => self.named(form, known.name, name, (*origin).into()),
                },
                Slot::Names(names) => {
                    for name in names {
                        match name {
                            NameRef::Given(name, origin) => self.named(form, known.name, name, (*origin).into()),
                            NameRef::Computed(expr) => self.expr(expr),
                        }
                    }
                }
                Slot::Pairs(pairs) => {
                    for (name, value) in pairs {
                        match name {
                            NameRef::Given(name, origin) => self.named(form, known.name, name, (*origin).into()),
                            NameRef::Computed(expr) => self.expr(expr),
                        }
                        self.expr(value);
                    }
                }
                slot => {
                    let whole = Expr::new(ExprKind::Form(Form::Do, vec![slot.clone()]), Origin::NONE);
                    whole.children(&mut |inner| self.expr(inner));
                }
            }
        }
        // A variable lasts to the end of its behavior, a candidate to the end of its form.
        if matches!(form, Form::Foreach) || slots.iter().any(|slot| matches!(slot, Slot::Domain { .. })) {
            self.variables.truncate(depth);
        }
    }

    /// A name where a form wants one.
    fn named(&mut self, form: Form, slot: &str, name: &Name, at: Span) {
        let sort = match (form, slot) {
            (Form::Property | Form::NewProperty | Form::UpdateProperty | Form::Observe, "P") => Sort::Member,
            (Form::ChangeState, "S") => Sort::State,
            (
                Form::Send | Form::SendNew | Form::NewMessage | Form::Can | Form::Choices | Form::Let | Form::Observe,
                "L",
            ) => Sort::Message,
            (Form::Send | Form::SendNew | Form::NewMessage | Form::Attribute | Form::UpdateAttribute, "A") => {
                Sort::Attribute
            }
            (Form::New, "A") => Sort::Member,
            (Form::Choices, "R") => Sort::Rule,
            (Form::Directions, _) => match self.knows(Sort::Direction, name) {
                true => Sort::Direction,
                false => return,
            },
            (_, "D") => return self.word(name, at),
            _ => return,
        };
        if !at.of(self.text).starts_with('(') {
            self.put(at, sort, name, false, false);
        }
    }

    /// The words between the braces of a text.
    fn braces(&mut self, at: Span) {
        let text = at.of(self.text).to_owned();
        let mut inside = false;
        let mut head = false;
        let mut begun: Option<usize> = None;
        for (byte, letter) in text.char_indices() {
            let of_word = inside && houserules_model::print::is_word_sign(letter);
            if let Some(start) = begun.filter(|_| !of_word) {
                let name: Name = text[start..byte].into();
                let form = forms::with_head(&name).next().is_some();
                if !(head && form)
                    && let Some(sort) = self.meaning(&name)
                {
                    self.put(Span::new(at.start + start, at.start + byte), sort, &name, false, true);
                }
                head = false;
                begun = None;
            }
            match letter {
                '{' if !inside => (inside, head) = (true, true),
                // Two braces are one that stands for itself.
                '{' if head => inside = false,
                '}' => inside = false,
                '(' => head = true,
                _ if of_word && begun.is_none() => begun = Some(byte),
                _ => {}
            }
        }
    }
}
