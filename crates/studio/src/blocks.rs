//! Statements as they are drawn: nested blocks with parts, each with its place in the text.

use crate::document::Reading;
use crate::inside;
use crate::layout::Layout;
use crate::text::Span;
use houserules_gdl::SyntaxKind;
use houserules_model::forms::{Effect, Shelf};
use houserules_model::*;
use serde::Serialize;

/// What a block does with values, which gives it its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Flow,
    Source,
    Pipe,
    Sink,
    Send,
    Declaration,
    Empty,
}

/// A statement or a value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Block {
    pub at: Span,
    pub kind: Kind,
    /// The form, such as `Send`; `Number`, `Text`, `Told`, `Word`, `Call`, `Place` or `Missing`.
    pub form: String,
    /// The word it begins with, or the word it is.
    pub head: String,
    pub text: String,
    /// The comments that belong to it.
    pub notes: Vec<String>,
    pub parts: Vec<Part>,
    /// Whether nothing need take its place.
    pub loose: bool,
}

/// A part of a form, filled or not.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Part {
    /// Its number, by which changes name it.
    pub slot: usize,
    pub name: String,
    /// What can stand there: `expr`, `body`, `name`, …; `flag` for a word.
    pub takes: &'static str,
    pub optional: bool,
    pub given: bool,
    /// The words that lead to it.
    pub words: Vec<&'static str>,
    pub names: Vec<NameAt>,
    pub blocks: Vec<Block>,
    /// Pairs, entries and cases: what leads to values, and the values.
    pub groups: Vec<Group>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NameAt {
    pub at: Span,
    pub name: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Group {
    pub name: Option<NameAt>,
    pub blocks: Vec<Block>,
}

/// The statements of a directive.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Blocks {
    pub at: Span,
    pub what: &'static str,
    pub name: String,
    pub of: Option<String>,
    pub state: Option<String>,
    /// Statements; empty where the directive has values only.
    pub body: Vec<Block>,
    /// Whether it has a body that statements can be added to.
    pub open: bool,
    pub values: Vec<Block>,
    pub notes: Vec<String>,
}

/// How a form is coloured.
pub fn kind(form: Form) -> Kind {
    let def = form.def();
    let expressions = || {
        let slots = form.pattern().slots();
        slots.iter().any(|slot| {
            !matches!(slot.kind, None | Some(SlotKind::Name | SlotKind::Names | SlotKind::Var)) && !slot.optional
        })
    };
    match (form, def.shelf, def.effect) {
        (Form::Var, ..) => Kind::Declaration,
        (Form::Send | Form::SendNew | Form::SendMessage | Form::Forward, ..) => Kind::Send,
        (_, Shelf::Flow | Shelf::Rules, _) => Kind::Flow,
        (_, _, Effect::Writes) | (Form::UpdateAttribute, ..) => Kind::Sink,
        (Form::Property | Form::Attribute, ..) => Kind::Source,
        (_, _, Effect::Asks) => Kind::Source,
        _ if expressions() => Kind::Pipe,
        _ => Kind::Source,
    }
}

/// Whether a statement stands in the body of an item, or of a behavior of a view.
fn is_statement(kind: &ItemKind, expr: &Expr) -> bool {
    let bodies = match kind {
        ItemKind::View(view) => view.behaviors.iter().map(|own| &own.body[..]).collect(),
        kind => body(kind).into_iter().collect::<Vec<_>>(),
    };
    bodies.iter().any(|body| body.iter().any(|own| std::ptr::eq(own, expr)))
}

/// The statements of an item, where it has a body.
pub(crate) fn body(kind: &ItemKind) -> Option<&[Expr]> {
    match kind {
        ItemKind::Setup(body) | ItemKind::RuleBody { body, .. } => Some(body),
        ItemKind::Behavior(own) => Some(&own.body),
        ItemKind::Define(own) => Some(&own.body),
        ItemKind::Rule(own) => Some(&own.body),
        ItemKind::Action(own) => Some(own.body.as_deref().unwrap_or(&[])),
        _ => None,
    }
}

/// What stands at a place.
pub(crate) enum Found<'a> {
    /// Any statement or value.
    Form(&'a Expr),
    /// One that nothing need take the place of.
    Loose(&'a Expr),
    Name,
}

impl Found<'_> {
    pub fn may_go(&self) -> bool {
        matches!(self, Found::Loose(_))
    }
}

/// What stands exactly there, in any item of the text, variants included.
pub(crate) fn find(reading: &Reading, at: Span) -> Option<Found<'_>> {
    find_in(&reading.own, at)
}

fn find_in(items: &[Item], at: Span) -> Option<Found<'_>> {
    for item in items {
        if let ItemKind::Variant(variant) = &item.kind
            && let Some(found) = find_in(&variant.changes, at)
        {
            return Some(found);
        }
        let mut found = None;
        item.exprs(&mut |expr| {
            if found.is_none() {
                let loose = is_statement(&item.kind, expr);
                found = within(expr, at, loose);
            }
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

fn within(expr: &Expr, at: Span, loose: bool) -> Option<Found<'_>> {
    let own = Span::from(expr.origin);
    if own == at {
        return Some(if loose { Found::Loose(expr) } else { Found::Form(expr) });
    }
    if !own.holds(at) {
        return None;
    }
    match &expr.kind {
        ExprKind::Form(_, slots) => slots.iter().find_map(|slot| {
            if names(slot).iter().any(|name| Span::from(name.origin()) == at) {
                return Some(Found::Name);
            }
            let free = matches!(slot, Slot::Body(_) | Slot::Exprs(_));
            inner(slot).into_iter().find_map(|inner| within(inner, at, free || in_cases(slot, inner)))
        }),
        ExprKind::Call { name_origin, .. } if Span::from(*name_origin) == at => Some(Found::Name),
        _ => {
            let mut found = None;
            expr.children(&mut |child| {
                if found.is_none() {
                    found = within(child, at, false);
                }
            });
            found
        }
    }
}

/// Whether it is a statement of a case.
fn in_cases(slot: &Slot, expr: &Expr) -> bool {
    match slot {
        Slot::Cases { cases, otherwise } => {
            let bodies = cases.iter().map(|case| &case.body).chain(otherwise);
            bodies.flatten().any(|own| std::ptr::eq(own, expr))
        }
        _ => false,
    }
}

fn names(slot: &Slot) -> Vec<&NameRef> {
    match slot {
        Slot::Name(name) => vec![name],
        Slot::Names(names) => names.iter().collect(),
        Slot::Pairs(pairs) => pairs.iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    }
}

fn inner(slot: &Slot) -> Vec<&Expr> {
    let mut inner: Vec<&Expr> = Vec::new();
    for name in names(slot) {
        if let NameRef::Computed(expr) = name {
            inner.push(expr);
        }
    }
    match slot {
        Slot::Expr(expr) => inner.push(expr),
        Slot::Exprs(exprs) | Slot::Body(exprs) => inner.extend(exprs),
        Slot::Pairs(pairs) => inner.extend(pairs.iter().map(|(_, value)| value)),
        Slot::Entries(entries) => inner.extend(entries.iter().flat_map(|(key, value)| [key, value])),
        Slot::Domain { list, owner, .. } => inner.extend([&**list].into_iter().chain(owner.as_deref())),
        Slot::Cases { cases, otherwise } => {
            for case in cases {
                inner.push(&case.value);
                inner.extend(&case.body);
            }
            inner.extend(otherwise.iter().flatten());
        }
        Slot::Absent | Slot::Flag | Slot::Name(_) | Slot::Names(_) => {}
    }
    inner
}

/// A part of a form, as changes need it.
pub(crate) struct Place {
    pub name: &'static str,
    pub takes: &'static str,
    pub optional: bool,
    pub words: Vec<&'static str>,
    /// From its first word to its end; none where it is not given.
    pub whole: Option<Span>,
    /// The last thing in it.
    pub last: Option<Span>,
    /// Whether more than one thing can stand in it.
    pub many: bool,
    /// Where something would be put that is not there yet.
    pub place: usize,
}

/// The parts of a form or a call, in order.
pub(crate) fn parts(expr: &Expr, layout: &Layout) -> Vec<Place> {
    let span = Span::from(expr.origin);
    let mut tokens = layout.tokens(span);
    tokens.next();
    let head = tokens.next().map_or(span.end, |head| head.span.end);
    let mut walk = Walk { layout, span, at: head, places: Vec::new() };
    match &expr.kind {
        ExprKind::Form(form, slots) => {
            let mut slots = slots.iter();
            walk.elements(&form.pattern().elements, &mut slots, false);
        }
        ExprKind::Call { args, of, .. } => {
            walk.put("args", "exprs", false, Vec::new(), args.iter().map(|arg| arg.origin.into()).collect(), None);
            let of: Vec<Span> = of.iter().map(|of| of.origin.into()).collect();
            let from = (!of.is_empty()).then(|| walk.next_start());
            walk.put("of", "expr", true, vec!["of"], of, from);
        }
        ExprKind::PlaceAt { at, .. } => {
            walk.put("at", "exprs", false, vec!["at"], at.iter().map(|at| at.origin.into()).collect(), None);
        }
        _ => {}
    }
    walk.places
}

struct Walk<'l, 't> {
    layout: &'l Layout<'t>,
    span: Span,
    /// The end of what was met last.
    at: usize,
    places: Vec<Place>,
}

impl Walk<'_, '_> {
    fn next_start(&self) -> usize {
        self.layout.tokens(Span::new(self.at, self.span.end)).next().map_or(self.at, |token| token.span.start)
    }

    fn elements(&mut self, elements: &[Element], slots: &mut std::slice::Iter<Slot>, optional: bool) {
        let mut words = Vec::new();
        let mut from = None;
        for element in elements {
            match element {
                Element::Word(word) => {
                    words.push(*word);
                    let next = self.layout.tokens(Span::new(self.at, self.span.end)).next();
                    let given = !optional || slots.as_slice().first().is_some_and(Slot::given);
                    if let Some(token) = next.filter(|token| given && self.layout.word(*token) == *word) {
                        from.get_or_insert(token.span.start);
                        self.at = token.span.end;
                    }
                }
                Element::Slot(name, kind) => {
                    let slot = slots.next().unwrap_or(&Slot::Absent);
                    let from = from.take().or_else(|| slot.given().then(|| self.next_start()));
                    let spans = self.spans(slot);
                    self.put(name, takes(*kind), optional, std::mem::take(&mut words), spans, from);
                }
                Element::Optional(inner) => match inner.as_slice() {
                    [Element::Word(word)] => {
                        let given = slots.next().is_some_and(Slot::given);
                        let next = self.layout.tokens(Span::new(self.at, self.span.end)).next();
                        let spans = next.filter(|_| given).map(|token| token.span).into_iter().collect();
                        self.put(word, "flag", true, vec![word], spans, None);
                    }
                    inner => self.elements(inner, slots, true),
                },
            }
        }
    }

    fn spans(&self, slot: &Slot) -> Vec<Span> {
        let wide = |name: Span, value: Span| Span::new(name.start.min(value.start), value.end);
        match slot {
            Slot::Pairs(pairs) => {
                pairs.iter().map(|(name, value)| wide(name.origin().into(), value.origin.into())).collect()
            }
            Slot::Entries(entries) => {
                entries.iter().map(|(key, value)| wide(key.origin.into(), value.origin.into())).collect()
            }
            Slot::Domain { .. } => {
                let last = inner(slot).last().map(|last| last.origin.end as usize);
                last.map(|end| Span::new(self.next_start(), end)).into_iter().collect()
            }
            // The parentheses of the cases belong to them: they are the last part of their form.
            Slot::Cases { .. } => {
                let end = self.layout.tokens(self.span).filter(|token| token.kind == SyntaxKind::Close);
                let ends: Vec<usize> = end.map(|token| token.span.end).collect();
                let end = ends.iter().rev().nth(1).copied();
                end.filter(|end| *end > self.at).map(|end| Span::new(self.next_start(), end)).into_iter().collect()
            }
            Slot::Name(_) | Slot::Names(_) => names(slot).iter().map(|name| name.origin().into()).collect(),
            slot => inner(slot).iter().map(|inner| inner.origin.into()).collect(),
        }
    }

    fn put(
        &mut self,
        name: &'static str,
        takes: &'static str,
        optional: bool,
        words: Vec<&'static str>,
        spans: Vec<Span>,
        from: Option<usize>,
    ) {
        let place = self.at;
        let last = spans.last().copied();
        let whole = last.map(|last| Span::new(from.unwrap_or(spans[0].start), last.end));
        let many = matches!(takes, "exprs" | "body" | "names" | "pairs" | "entries");
        if let Some(last) = last {
            self.at = last.end;
        }
        self.places.push(Place { name, takes, optional, words, whole, last, many, place });
    }
}

fn takes(kind: SlotKind) -> &'static str {
    match kind {
        SlotKind::Expr => "expr",
        SlotKind::Exprs => "exprs",
        SlotKind::Body => "body",
        SlotKind::Name => "name",
        SlotKind::Names => "names",
        SlotKind::Var => "var",
        SlotKind::Pairs => "pairs",
        SlotKind::Entries => "entries",
        SlotKind::Domain => "domain",
        SlotKind::Direction => "direction",
        SlotKind::Target => "target",
        SlotKind::Cases => "cases",
    }
}

impl Blocks {
    /// The statements of the directive in which a byte lies.
    pub fn at(reading: &Reading, byte: usize) -> Option<Blocks> {
        let layout = Layout::new(&reading.text);
        // What follows a directive up to the next one is looked at with it.
        let items = inside::items(reading).filter(|item| item.origin.start as usize <= byte);
        let item = items.max_by_key(|item| item.origin.start)?;
        if let ItemKind::View(view) = &item.kind {
            let parts = inside::parts(&layout, &reading.text, view, item.origin.into());
            if let Some(part) = parts.into_iter().rfind(|part| part.at.start <= byte) {
                return Some(Blocks::of_view(reading, &layout, view, &part));
            }
        }
        let span = Span::from(item.origin);
        let (what, name) = crate::picture::called(&item.kind);
        let statements = body(&item.kind);
        let mut values = Vec::new();
        if statements.is_none() {
            item.exprs(&mut |expr| values.push(block(expr, &layout, reading, false)));
        }
        let (of, state) = match &item.kind {
            ItemKind::Behavior(own) => (Some(own.of.to_string()), Some(own.state.to_string())),
            kind => (crate::place::owner(kind).map(str::to_owned), None),
        };
        Some(Blocks {
            at: span,
            what,
            name,
            of,
            state,
            body: statements.unwrap_or_default().iter().map(|expr| block(expr, &layout, reading, true)).collect(),
            open: statements.is_some(),
            values,
            notes: notes(&layout, reading, span),
        })
    }
}

impl Blocks {
    /// Of a directive that belongs to a view.
    fn of_view(reading: &Reading, layout: &Layout, view: &View, part: &inside::Part) -> Blocks {
        let value = view.properties.iter().find(|(name, _)| part.what == "property" && **name == *part.name);
        let value = value.and_then(|(_, value)| value.as_ref());
        Blocks {
            at: part.at,
            what: part.what,
            name: part.name.clone(),
            of: Some(view.name.to_string()),
            state: part.state.map(str::to_owned),
            body: part.body.iter().map(|expr| block(expr, layout, reading, true)).collect(),
            open: part.what == "behavior",
            values: value.map(|expr| block(expr, layout, reading, false)).into_iter().collect(),
            notes: notes(layout, reading, part.at),
        }
    }
}

fn notes(layout: &Layout, reading: &Reading, span: Span) -> Vec<String> {
    let wide = layout.with_comments(span);
    let outside = |token: &crate::layout::Token| token.span.end <= span.start || token.span.start >= span.end;
    let comments = layout.comments(wide).filter(outside);
    comments.map(|token| reading.at(token.span).trim_start_matches(';').trim().to_owned()).collect()
}

fn block(expr: &Expr, layout: &Layout, reading: &Reading, loose: bool) -> Block {
    let at = Span::from(expr.origin);
    let text = reading.at(at).to_owned();
    let (kind, form, head) = match &expr.kind {
        ExprKind::Number(number) => (Kind::Source, "Number".to_owned(), number.to_string()),
        ExprKind::Text(text) => (Kind::Source, "Text".into(), text.to_string()),
        ExprKind::Told(_) => (Kind::Source, "Told".into(), crate::change::unquoted(&text)),
        ExprKind::Word(word) => (Kind::Source, "Word".into(), word.to_string()),
        ExprKind::Form(form, _) => (self::kind(*form), format!("{form:?}"), form.head().to_owned()),
        ExprKind::Call { name, .. } => (Kind::Source, "Call".into(), name.to_string()),
        ExprKind::PlaceAt { model, .. } => (Kind::Source, "Place".into(), model.to_string()),
        ExprKind::Missing => (Kind::Empty, "Missing".into(), String::new()),
    };
    let parts = match &expr.kind {
        ExprKind::Form(_, slots) => {
            let places = parts(expr, layout);
            places
                .iter()
                .zip(slots)
                .enumerate()
                .map(|(n, (place, slot))| part(n, place, slot, layout, reading))
                .collect()
        }
        ExprKind::Call { args, of, .. } => {
            let places = parts(expr, layout);
            let args = Slot::Exprs(args.clone());
            let of = of.clone().map_or(Slot::Absent, Slot::Expr);
            places
                .iter()
                .zip([&args, &of])
                .enumerate()
                .map(|(n, (place, slot))| part(n, place, slot, layout, reading))
                .collect()
        }
        ExprKind::PlaceAt { at, .. } => {
            let at = Slot::Exprs(at.clone());
            parts(expr, layout).iter().map(|place| part(0, place, &at, layout, reading)).collect()
        }
        _ => Vec::new(),
    };
    Block { at, kind, form, head, text, notes: notes(layout, reading, at), parts, loose }
}

fn part(n: usize, place: &Place, slot: &Slot, layout: &Layout, reading: &Reading) -> Part {
    let name_at = |name: &NameRef| match name {
        NameRef::Given(known, origin) => Some(NameAt { at: (*origin).into(), name: known.to_string() }),
        NameRef::Computed(_) => None,
    };
    let free = matches!(slot, Slot::Body(_) | Slot::Exprs(_));
    let draw = |expr: &Expr| block(expr, layout, reading, free);
    let statement = |expr: &Expr| block(expr, layout, reading, true);
    let mut part = Part {
        slot: n,
        name: place.name.to_owned(),
        takes: place.takes,
        optional: place.optional,
        given: place.whole.is_some(),
        words: place.words.clone(),
        names: Vec::new(),
        blocks: Vec::new(),
        groups: Vec::new(),
    };
    match slot {
        Slot::Pairs(pairs) => {
            let group = |(name, value): &(NameRef, Expr)| Group { name: name_at(name), blocks: vec![draw(value)] };
            part.groups = pairs.iter().map(group).collect();
        }
        Slot::Entries(entries) => {
            part.groups =
                entries.iter().map(|(key, value)| Group { name: None, blocks: vec![draw(key), draw(value)] }).collect();
        }
        Slot::Cases { cases, otherwise } => {
            let case = |case: &Case| Group {
                name: None,
                blocks: std::iter::once(draw(&case.value)).chain(case.body.iter().map(statement)).collect(),
            };
            part.groups = cases.iter().map(case).collect();
            part.blocks = otherwise.iter().flatten().map(statement).collect();
        }
        Slot::Domain { var, list, owner } => {
            if let (Some(var), Some(whole)) = (var, place.whole) {
                let token = layout.tokens(whole).next();
                part.names.extend(token.map(|token| NameAt { at: token.span, name: var.to_string() }));
            }
            part.blocks = std::iter::once(&**list).chain(owner.as_deref()).map(draw).collect();
        }
        Slot::Name(name) => {
            part.names.extend(name_at(name));
            part.blocks = inner(slot).into_iter().map(draw).collect();
        }
        Slot::Names(names) => {
            part.names = names.iter().filter_map(name_at).collect();
            part.blocks = inner(slot).into_iter().map(draw).collect();
        }
        slot => part.blocks = inner(slot).into_iter().map(draw).collect(),
    }
    part
}

/// What is written for a new statement of a form: a placeholder wherever something is needed.
pub fn fresh(form: Form) -> String {
    let slots = form.pattern().slots();
    let slot = |slot: &SlotRef| match slot.kind {
        _ if slot.optional => Slot::Absent,
        Some(SlotKind::Name) => Slot::Name(NameRef::given("name")),
        Some(SlotKind::Var) => Slot::Name(NameRef::given("x")),
        Some(SlotKind::Names) => Slot::Names(vec![NameRef::given("name")]),
        Some(SlotKind::Exprs) => Slot::Exprs(vec![missing(), missing()]),
        Some(SlotKind::Body) => Slot::Body(Vec::new()),
        Some(SlotKind::Pairs) => Slot::Pairs(Vec::new()),
        Some(SlotKind::Entries) => Slot::Entries(vec![(missing(), missing())]),
        Some(SlotKind::Domain) => Slot::Domain { var: None, list: Box::new(missing()), owner: None },
        Some(SlotKind::Cases) => {
            Slot::Cases { cases: vec![Case { value: missing(), body: Vec::new() }], otherwise: None }
        }
        // Whom a message goes to is at first the thing that sends it.
        _ if form == Form::Send && slot.name == "E" => {
            Slot::Expr(Box::new(Expr::new(ExprKind::Word("self".into()), Origin::NONE)))
        }
        _ => Slot::Expr(Box::new(missing())),
    };
    Expr::new(ExprKind::Form(form, slots.iter().map(slot).collect()), Origin::NONE).to_string()
}

fn missing() -> Expr {
    Expr::new(ExprKind::Missing, Origin::NONE)
}
