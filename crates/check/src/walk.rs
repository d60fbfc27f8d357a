use crate::kinds::{Kinds, Type, What};
use crate::outline::{Member, Outline};
use crate::site::{Attributes, Site, SiteRole, define_site};
use crate::tree::{as_word, given, given_origin, is_word, slot};
use houserules_model::*;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// Reads one site from front to back: looks up every word, follows what values can be, and lets each
/// family of checks say its part.
pub struct Walk<'o, 'a> {
    pub outline: &'o Outline<'a>,
    pub site: &'o Site<'a>,
    pub found: Vec<Diagnostic>,
    pub(crate) variables: Vec<Variable>,
    /// What `it` can be, innermost last.
    candidates: Vec<What>,
    /// Set where nothing may change: what this place is called.
    pub(crate) pure: Option<&'static str>,
    answers: &'o Answers,
}

/// What defines answer, as far as known. Also keeps a define that calls itself from being followed for ever.
#[derive(Default)]
pub struct Answers {
    known: RefCell<BTreeMap<*const Define, Type>>,
    /// How many defines are being followed, one asked by the other.
    depth: Cell<u32>,
    /// Errors met so far in all bodies.
    n_errors: Cell<usize>,
}

/// Deeper chains of defines are not followed: the stack is finite, and real ones ask three or four in a row.
const DEEPEST_ANSWER: u32 = 20;

pub(crate) struct Variable {
    pub name: Name,
    pub origin: Origin,
    pub kind: Type,
    pub read: bool,
    pub visible: bool,
    /// Made by `var`, not by a loop or a parameter.
    pub local: bool,
}

/// Whose property it is.
#[derive(Clone, Copy)]
pub enum Holder<'e> {
    /// The entity whose code runs.
    Own,
    Candidate,
    Game,
    Of(&'e Expr),
}

/// What a word turned out to be.
pub enum Found<'a> {
    Variable(usize),
    Attribute,
    Member(Member<'a>, Holder<'static>),
    Define(&'a Define),
    Fixed(Type),
}

impl<'o, 'a> Walk<'o, 'a> {
    pub fn new(outline: &'o Outline<'a>, site: &'o Site<'a>, answers: &'o Answers) -> Self {
        Walk {
            outline,
            site,
            found: Vec::new(),
            variables: Vec::new(),
            candidates: Vec::new(),
            pure: site.role.pure(),
            answers,
        }
    }

    /// Reads the whole site and gives the type of its last value.
    pub fn run(&mut self) -> Type {
        for (name, origin) in &self.site.params {
            self.check_variable_name(name, *origin);
            self.declare(name.clone(), *origin, Type::UNKNOWN, false);
        }
        let last = self.body(self.site.body.iter().copied());
        self.check_unread_variables();
        last
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            self.answers.n_errors.set(self.answers.n_errors.get() + 1);
        }
        self.found.push(diagnostic);
    }

    /// Whether more errors were met than are told: looking for the word that was meant costs, and nobody reads on.
    pub(crate) fn enough(&self) -> bool {
        self.answers.n_errors.get() > Budget::MESSAGES
    }

    pub(crate) fn body<'e>(&mut self, body: impl Iterator<Item = &'e Expr>) -> Type {
        let statements: Vec<&Expr> = body.collect();
        let mut last = Type::sure(What::Nil).nilable();
        for (at, statement) in statements.iter().enumerate() {
            if at + 1 < statements.len() {
                self.check_useless(statement);
            }
            last = self.expr(statement);
        }
        last
    }

    pub(crate) fn declare(&mut self, name: Name, origin: Origin, kind: Type, local: bool) -> usize {
        self.variables.push(Variable { name, origin, kind, read: false, visible: true, local });
        self.variables.len() - 1
    }

    pub(crate) fn candidate(&self) -> Option<&What> {
        self.candidates.last()
    }

    /// The kinds of what is looked at, if it is a thing.
    pub(crate) fn candidate_kinds(&self) -> Option<Kinds> {
        match self.candidate()? {
            What::Thing(kinds) => Some(kinds.clone()),
            What::Model(model) => Some(Kinds::one(model)),
            What::Unknown => Some(Kinds::Any),
            _ => None,
        }
    }

    pub fn expr(&mut self, expr: &Expr) -> Type {
        match &expr.kind {
            ExprKind::Number(_) => Type::sure(What::Number),
            ExprKind::Text(_) => Type::sure(What::Text),
            ExprKind::Told(pieces) => {
                pieces.iter().for_each(|piece| drop(self.expr(piece)));
                Type::sure(What::Text)
            }
            ExprKind::Missing => Type::UNKNOWN,
            ExprKind::Word(name) => self.word(name, expr.origin),
            ExprKind::PlaceAt { model, at } => {
                at.iter().for_each(|at| self.number(at, "a place on the board"));
                self.check_place_at(model, at.len(), expr.origin);
                Type::maybe(What::Thing(Kinds::one(model)))
            }
            ExprKind::Call { name, name_origin, args, of } => self.call(name, *name_origin, args, of.as_deref()),
            ExprKind::Form(form, slots) => {
                self.check_purity(*form, slots, expr.origin);
                self.form(*form, slots, expr.origin)
            }
        }
    }

    fn word(&mut self, name: &Name, origin: Origin) -> Type {
        match self.look_up(name) {
            Some(found) => self.value_of(found, name, origin),
            None => {
                self.unknown_word(name, origin);
                Type::UNKNOWN
            }
        }
    }

    fn value_of(&mut self, found: Found<'a>, name: &Name, origin: Origin) -> Type {
        match found {
            Found::Variable(at) => {
                self.variables[at].read = true;
                self.variables[at].kind.clone()
            }
            Found::Attribute => Type::UNKNOWN,
            Found::Fixed(kind) => {
                if &**name == "opponent" {
                    self.check_opponent(origin);
                }
                kind
            }
            Found::Define(define) => {
                self.check_leak_through(define, origin);
                self.check_arguments(define, 0, origin);
                self.answer(define)
            }
            Found::Member(member, holder) => self.member(member, holder, name, 0, origin),
        }
    }

    /// The value of a property, define or direction of something.
    fn member(&mut self, member: Member<'a>, holder: Holder, name: &Name, args: usize, origin: Origin) -> Type {
        match member {
            Member::Property(property) => {
                self.check_reading(property, holder, origin);
                let own = matches!(holder, Holder::Own | Holder::Game | Holder::Candidate);
                let what = match property.role {
                    _ if self.outline.is_numeric(name) => {
                        return Type { what: What::Number, nil: !own };
                    }
                    Role::Relation => What::Unknown,
                    _ => What::Unknown,
                };
                Type::maybe(what)
            }
            Member::Define(define) => {
                self.check_leak_through(define, origin);
                self.check_arguments(define, args, origin);
                self.answer(define)
            }
            Member::Builtin(kind) => match holder {
                Holder::Of(_) if !matches!(kind.what, What::List(_)) => kind.nilable(),
                _ => kind,
            },
            Member::Direction => self.direction_value(name, holder),
        }
    }

    fn direction_value(&self, name: &str, holder: Holder) -> Type {
        let kinds = match holder {
            // That of the place where a thing lies.
            Holder::Own if self.outline.boards_for(&self.site.own).is_empty() => Kinds::Any,
            Holder::Own => self.site.own.clone(),
            Holder::Candidate => self.candidate_kinds().unwrap_or(Kinds::Any),
            Holder::Game | Holder::Of(_) => Kinds::Any,
        };
        let boards = self.outline.boards_for(&kinds);
        let places = Kinds::Of(boards.iter().map(|board| board.model.clone()).collect());
        let ring = matches!(name, "next" | "previous");
        match name {
            "orthogonal" | "diagonal" | "adjacent" | "forwards" | "forward-diagonal" | "backward-diagonal" => {
                Type::list(What::Thing(places))
            }
            _ if ring && kinds == Kinds::Any => Type::maybe(What::Thing(Kinds::Any)),
            _ if self.outline.directions.contains(name) => Type::UNKNOWN,
            _ if self.outline.links.iter().any(|link| link.relation.as_deref() == Some(name)) => Type::UNKNOWN,
            "linked" => Type::list(What::Thing(places)),
            _ => Type::maybe(What::Thing(places)),
        }
    }

    /// What a define answers. One that is being followed already, or that returns early, answers anything.
    fn answer(&self, define: &'a Define) -> Type {
        let key = define as *const Define;
        if let Some(known) = self.answers.known.borrow().get(&key) {
            return known.clone();
        }
        if self.answers.depth.get() >= DEEPEST_ANSWER {
            return Type::UNKNOWN;
        }
        self.answers.known.borrow_mut().insert(key, Type::UNKNOWN);
        let mut returns = false;
        for expr in &define.body {
            expr.walk(&mut |expr| returns |= matches!(expr.kind, ExprKind::Form(Form::Return, _)));
        }
        if returns {
            return Type::UNKNOWN;
        }
        let site = define_site(define, Origin::NONE);
        self.answers.depth.set(self.answers.depth.get() + 1);
        let answer = Walk::new(self.outline, &site, self.answers).run();
        self.answers.depth.set(self.answers.depth.get() - 1);
        self.answers.known.borrow_mut().insert(key, answer.clone());
        answer
    }

    /// What a word means here; the order is that of the language.
    pub fn look_up(&self, name: &str) -> Option<Found<'a>> {
        let visible = |variable: &Variable| variable.visible && &*variable.name == name;
        if let Some(at) = self.variables.iter().rposition(visible) {
            return Some(Found::Variable(at));
        }
        if self.is_attribute(name) {
            return Some(Found::Attribute);
        }
        let player = Type::thing("player");
        match name {
            "self" => return Some(Found::Fixed(Type::sure(What::Thing(self.site.own.clone())))),
            "it" => {
                // Outside a condition `it` is nothing; a define may be asked inside one.
                return self.candidate().map(|candidate| Found::Fixed(Type::maybe(candidate.clone())));
            }
            "game" => return Some(Found::Fixed(Type::thing("game"))),
            "player" | "opponent" => return Some(Found::Fixed(player)),
            "message" => return Some(Found::Fixed(Type::sure(What::Message))),
            "nil" => return Some(Found::Fixed(Type::maybe(What::Nil))),
            "true" => return Some(Found::Fixed(Type::sure(What::Truth))),
            _ => {}
        }
        if self.site.view_properties.iter().any(|known| &**known == name) {
            return Some(Found::Fixed(Type::UNKNOWN));
        }
        if let Some(kinds) = self.candidate_kinds() {
            if let Some(member) = self.outline.member(&kinds, name) {
                return Some(Found::Member(member, Holder::Candidate));
            }
        } else if self.candidate() == Some(&What::Message) && self.any_attribute(name) {
            return Some(Found::Attribute);
        }
        if let Some(member) = self.outline.member(&self.site.own, name) {
            return Some(Found::Member(member, Holder::Own));
        }
        if let Some(member) = self.outline.member(&Kinds::one("game"), name) {
            return Some(Found::Member(member, Holder::Game));
        }
        if let Some(define) = self.outline.defines.get(name) {
            return Some(Found::Define(define));
        }
        self.named(name).map(Found::Fixed).or_else(|| self.there(name))
    }

    /// What the place answers where `self` lies: a direction, a row or a column.
    fn there(&self, name: &str) -> Option<Found<'a>> {
        let own = &self.site.own;
        let no_thing = [Kinds::Any, Kinds::one("game"), Kinds::one("player")].contains(own);
        let along = matches!(name, "row" | "column") || self.outline.is_direction(name);
        if no_thing || !along || !self.outline.boards_for(own).is_empty() {
            return None;
        }
        let places = Kinds::Of(self.outline.boards.iter().map(|board| board.model.clone()).collect());
        self.outline.member(&places, name).map(|member| Found::Member(member, Holder::Own))
    }

    /// Settings, entities, players, boards, models, places by name.
    fn named(&self, name: &str) -> Option<Type> {
        let outline = self.outline;
        if let Some(setting) = outline.settings.get(name) {
            return Some(match &setting.value.kind {
                ExprKind::Number(_) => Type::sure(What::Number),
                ExprKind::Form(form, _) if form.def().shelf == forms::Shelf::Arithmetic => Type::sure(What::Number),
                ExprKind::Form(Form::List | Form::Range, _) => Type::list(What::Unknown),
                ExprKind::Text(_) => Type::sure(What::Text),
                ExprKind::Word(word) if outline.setting_words(setting).contains(&word) => Type::sure(What::Text),
                _ => Type::UNKNOWN,
            });
        }
        if let Some(model) = outline.entities.get(name) {
            return Some(Type::thing(model));
        }
        if outline.player_names().any(|player| &**player == name) {
            return Some(Type::thing("player"));
        }
        if let Some(board) = outline.boards.iter().find(|board| board.name.as_deref() == Some(name)) {
            return Some(Type::list(What::Thing(Kinds::one(&board.model))));
        }
        if let Some((name, _)) = outline.models.get_key_value(name) {
            return Some(Type::sure(What::Model(name.clone())));
        }
        crate::places::board_of(outline, name).map(|board| Type::maybe(What::Thing(Kinds::one(&board.model))))
    }

    fn is_attribute(&self, name: &str) -> bool {
        match &self.site.attributes {
            Attributes::None => false,
            Attributes::These(known) => known.contains(name),
            Attributes::All => self.any_attribute(name),
        }
    }

    pub(crate) fn any_attribute(&self, name: &str) -> bool {
        let outline = self.outline;
        name == "label"
            || outline.loose_attributes.contains(name)
            || outline.labels.values().any(|label| label.attributes.contains(name))
    }

    fn call(&mut self, name: &Name, origin: Origin, args: &[Expr], of: Option<&Expr>) -> Type {
        if !args.is_empty() && self.is_misspelt_form(name, args, of.is_some()) {
            self.unknown_call(name, origin);
            return Type::UNKNOWN;
        }
        for arg in args {
            self.expr(arg);
        }
        let Some(target) = of else {
            if args.is_empty() {
                return self.word(name, origin);
            }
            return match self.look_up(name) {
                Some(Found::Define(define)) => {
                    self.check_leak_through(define, origin);
                    self.check_arguments(define, args.len(), origin);
                    self.answer(define)
                }
                Some(Found::Member(member @ Member::Define(_), holder)) => {
                    self.member(member, holder, name, args.len(), origin)
                }
                Some(_) => {
                    self.takes_no_arguments(name, origin, args);
                    Type::UNKNOWN
                }
                None => {
                    self.unknown_call(name, origin);
                    Type::UNKNOWN
                }
            };
        };
        let target_type = self.target_of(target, name);
        self.property_of(name, origin, args.len(), target, &target_type)
    }

    /// The thing that something is asked of.
    fn target_of(&mut self, target: &Expr, asked: &str) -> Type {
        let found = self.expr(target);
        if let ExprKind::Text(name) = &target.kind {
            return match self.named_thing(name) {
                Some(kind) => kind,
                None => {
                    self.unknown_thing(name, target.origin);
                    Type::UNKNOWN
                }
            };
        }
        self.check_can_be_asked(&found, target, asked);
        found
    }

    /// The entity that a text names.
    pub(crate) fn named_thing(&self, name: &str) -> Option<Type> {
        if name == "game" {
            return Some(Type::thing("game"));
        }
        self.named(name).or_else(|| name.starts_with("Player ").then(|| Type::thing("player")))
    }

    pub(crate) fn property_of(
        &mut self,
        name: &Name,
        origin: Origin,
        args: usize,
        target: &Expr,
        found: &Type,
    ) -> Type {
        let kinds = match &found.what {
            What::Message => {
                if !self.any_attribute(name) {
                    self.unknown_attribute(name, origin);
                }
                return Type::UNKNOWN;
            }
            What::Thing(kinds) => kinds.clone(),
            What::Model(model) => Kinds::one(model),
            What::Unknown => {
                if self.any_attribute(name) {
                    return Type::UNKNOWN;
                }
                Kinds::Any
            }
            _ => return Type::UNKNOWN,
        };
        let holder = if is_word(target, "self") {
            Holder::Own
        } else if is_word(target, "it") {
            Holder::Candidate
        } else if is_word(target, "game") {
            Holder::Game
        } else {
            Holder::Of(target)
        };
        if self.site.view_properties.contains(name) {
            return Type::UNKNOWN;
        }
        match self.outline.member(&kinds, name) {
            Some(member) => {
                let kind = self.member(member, holder, name, args, origin);
                if found.nil && !matches!(holder, Holder::Own) { kind.or_nil() } else { kind }
            }
            None => {
                self.unknown_member(name, origin, &kinds);
                Type::UNKNOWN
            }
        }
    }

    // The parts of forms.

    pub(crate) fn slot(&mut self, slot: &Slot) -> Type {
        match slot {
            Slot::Absent | Slot::Flag => Type::UNKNOWN,
            Slot::Expr(expr) => self.expr(expr),
            Slot::Exprs(exprs) => {
                let mut last = Type::UNKNOWN;
                for expr in exprs {
                    last = self.expr(expr);
                }
                last
            }
            Slot::Body(body) => self.body(body.iter()),
            Slot::Name(name) => self.computed_name(name),
            Slot::Names(names) => {
                names.iter().for_each(|name| {
                    self.computed_name(name);
                });
                Type::UNKNOWN
            }
            Slot::Pairs(pairs) => {
                for (name, value) in pairs {
                    self.computed_name(name);
                    self.expr(value);
                }
                Type::UNKNOWN
            }
            Slot::Entries(entries) => {
                for (key, value) in entries {
                    self.expr(key);
                    self.expr(value);
                }
                Type::sure(What::Dictionary)
            }
            Slot::Domain { list, owner, .. } => {
                owner.iter().for_each(|owner| self.check_is_player(owner));
                self.expr(list)
            }
            Slot::Cases { cases, otherwise } => {
                let mut all: Option<Type> = None;
                for case in cases {
                    self.expr(&case.value);
                    let kind = self.body(case.body.iter());
                    all = Some(match all {
                        Some(known) => known.or(kind),
                        None => kind,
                    });
                }
                if let Some(body) = otherwise {
                    let kind = self.body(body.iter());
                    all = all.map(|known| known.or(kind));
                }
                all.unwrap_or(Type::UNKNOWN).nilable()
            }
        }
    }

    fn computed_name(&mut self, name: &NameRef) -> Type {
        match name {
            NameRef::Given(..) => Type::UNKNOWN,
            NameRef::Computed(expr) => self.expr(expr),
        }
    }

    /// Reads slots while each candidate in turn is looked at. Nothing may change there.
    pub(crate) fn looking_at(&mut self, candidate: What, parts: impl FnOnce(&mut Self) -> Type) -> Type {
        self.candidates.push(candidate);
        let before = self.pure;
        self.pure = self.pure.or(Some("a condition"));
        let kind = parts(self);
        self.pure = before;
        self.candidates.pop();
        kind
    }

    /// A quantifier: its domain, then for each candidate the value and the condition.
    pub(crate) fn quantifier(&mut self, form: Form, slots: &[Slot]) -> (What, Type) {
        let (variable, list, owner) = match slot(form, slots, "D") {
            Slot::Domain { var, list, owner } => (var.clone(), Some(&**list), owner.as_deref()),
            Slot::Expr(list) => (None, Some(&**list), None),
            _ => (None, None, None),
        };
        let candidate = list.map_or(What::Unknown, |list| self.domain(list));
        if let Some(owner) = owner {
            self.check_is_player(owner);
        }
        let variable = variable.map(|name| {
            let origin = list.map_or(Origin::NONE, |list| list.origin);
            self.check_variable_name(&name, origin);
            self.declare(name, origin, Type::sure(candidate.clone()), false)
        });
        let value = self.looking_at(candidate.clone(), |walk| {
            let value = walk.slot(slot(form, slots, "E"));
            if let Some(condition) = slot(form, slots, "C").expr() {
                walk.condition(condition);
            }
            value
        });
        if let Some(at) = variable {
            self.variables[at].visible = false;
        }
        (candidate, value)
    }

    /// A model, or something that gives a list. The type of its members.
    pub(crate) fn domain(&mut self, list: &Expr) -> What {
        let found = self.expr(list);
        self.check_is_list(&found, list);
        found.member()
    }

    pub(crate) fn foreach(&mut self, form: Form, slots: &[Slot]) -> Type {
        let member = match slot(form, slots, "L").expr() {
            Some(list) => self.domain(list),
            None => What::Unknown,
        };
        let variable = given(slot(form, slots, "X")).cloned().map(|name| {
            let origin = given_origin(slot(form, slots, "X"));
            self.check_variable_name(&name, origin);
            self.declare(name, origin, Type::sure(member.clone()), false)
        });
        if let Some(condition) = slot(form, slots, "C").expr() {
            self.looking_at(member, |walk| walk.condition(condition));
        }
        self.slot(slot(form, slots, "BODY"));
        if let Some(at) = variable {
            self.variables[at].visible = false;
        }
        Type::UNKNOWN
    }

    /// A direction, a set of them, or something that gives one.
    pub(crate) fn direction(&mut self, slot: &Slot) {
        match slot {
            Slot::Names(names) => {
                for name in names {
                    match name {
                        NameRef::Given(name, origin) => self.direction_name(name, *origin),
                        NameRef::Computed(expr) => {
                            self.expr(expr);
                        }
                    }
                }
            }
            Slot::Name(NameRef::Given(name, origin)) => self.direction_name(name, *origin),
            Slot::Expr(expr) => match as_word(expr) {
                Some((name, origin)) => self.direction_name(name, origin),
                None => {
                    self.expr(expr);
                }
            },
            other => {
                self.slot(other);
            }
        }
    }

    fn direction_name(&mut self, name: &Name, origin: Origin) {
        match self.look_up(name) {
            Some(found @ (Found::Variable(_) | Found::Attribute | Found::Define(_))) => {
                self.value_of(found, name, origin);
            }
            Some(found @ Found::Member(Member::Property(_) | Member::Define(_), _)) => {
                self.value_of(found, name, origin);
            }
            _ if self.outline.is_direction(name) => {}
            _ => self.unknown_direction(name, origin),
        }
    }

    /// The kinds of the places that walks, lines and groups go over.
    pub(crate) fn places(&self) -> What {
        if self.outline.boards.is_empty() {
            return What::Thing(Kinds::Any);
        }
        What::Thing(Kinds::Of(self.outline.boards.iter().map(|board| board.model.clone()).collect()))
    }

    pub(crate) fn is_law(&self) -> bool {
        self.site.role == SiteRole::Law
    }
}

impl Type {
    /// The same, or nil because what it was asked of is nil. Lists stay lists: those of nil are empty.
    fn or_nil(self) -> Type {
        match self.what {
            What::List(_) => self,
            _ => self.nilable(),
        }
    }
}
