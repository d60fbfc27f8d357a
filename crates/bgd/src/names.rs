//! What the names of a program stand for, and what its expressions give.

use crate::syntax::*;
use crate::types::Ty;
use indexmap::{IndexMap, IndexSet};
use std::cell::RefCell;

/// What a plain name may stand for.
#[derive(Clone, Copy, Debug)]
pub enum Global {
    Player(usize),
    Location(usize),
    /// The location it begins at, and where in its list.
    Instance(usize, usize),
    Option(usize),
}

/// Whose attributes are meant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Holder {
    Player,
    Location,
    Object(String),
    Connection,
}

/// A program with its names looked up.
pub struct Names<'a> {
    pub program: &'a Program,
    pub globals: IndexMap<&'a str, Global>,
    pub types: IndexMap<&'a str, &'a ObjectType>,
    pub rounds: IndexMap<&'a str, &'a Round>,
    pub actions: IndexMap<&'a str, &'a Action>,
    /// The types of attributes, whoever has them.
    pub attrs: IndexMap<(Holder, String), Ty>,
    /// Rounds that only find something out.
    pub pure: IndexSet<&'a str>,
    /// Rounds and actions after which the match may be over.
    pub finishing: IndexSet<&'a str>,
    /// Types whose objects all belong to somebody, from beginning to end.
    owned: IndexSet<&'a str>,
    /// Rounds of which somewhere only the value is wanted, and nowhere only what they do.
    pub valued: IndexSet<&'a str>,
    returns: RefCell<IndexMap<String, Option<Ty>>>,
}

/// Parameters and local variables with their types; later ones hide earlier ones.
pub type Scope = Vec<(String, Ty)>;

impl<'a> Names<'a> {
    pub fn new(program: &'a Program) -> Self {
        let mut globals = IndexMap::new();
        for (at, option) in program.options.iter().enumerate() {
            globals.entry(option.name.text.as_str()).or_insert(Global::Option(at));
        }
        for (at, player) in program.players.list.iter().enumerate() {
            globals.entry(player.name.text.as_str()).or_insert(Global::Player(at));
        }
        for (at, location) in program.locations.iter().enumerate() {
            globals.entry(location.name.text.as_str()).or_insert(Global::Location(at));
        }
        for (at, location) in program.locations.iter().enumerate() {
            for (nth, instance) in location.inventory.iter().enumerate() {
                globals.entry(instance.name.text.as_str()).or_insert(Global::Instance(at, nth));
            }
        }
        let mut names = Names {
            program,
            globals,
            types: program.types.iter().map(|kind| (kind.name.text.as_str(), kind)).collect(),
            rounds: program.rounds.iter().map(|round| (round.name.text.as_str(), round)).collect(),
            actions: program.actions.iter().map(|action| (action.name.text.as_str(), action)).collect(),
            attrs: IndexMap::new(),
            pure: IndexSet::new(),
            finishing: IndexSet::new(),
            owned: IndexSet::new(),
            valued: IndexSet::new(),
            returns: RefCell::default(),
        };
        names.find_owned();
        names.collect_attrs();
        names.find_pure();
        names.find_finishing();
        names.find_valued();
        names
    }

    pub fn instance(&self, (at, nth): (usize, usize)) -> &'a Instance {
        &self.program.locations[at].inventory[nth]
    }

    fn collect_attrs(&mut self) {
        let mut found: Vec<(Holder, &Attr)> = Vec::new();
        for player in &self.program.players.list {
            found.extend(player.attrs.iter().map(|attr| (Holder::Player, attr)));
        }
        for location in &self.program.locations {
            found.extend(location.attrs.iter().map(|attr| (Holder::Location, attr)));
            for instance in location.inventory.iter().chain(&location.supplies) {
                let holder = Holder::Object(instance.kind.text.clone());
                found.extend(instance.with.attrs.iter().map(|attr| (holder.clone(), attr)));
            }
        }
        for connection in &self.program.connections {
            found.extend(connection.attrs.iter().map(|attr| (Holder::Connection, attr)));
        }
        for kind in &self.program.types {
            let holder = Holder::Object(kind.name.text.clone());
            found.extend(kind.with.attrs.iter().map(|attr| (holder.clone(), attr)));
        }
        for (holder, attr) in found {
            let ty = self.ty(&attr.value, &Vec::new());
            let known = self.attrs.entry((holder, attr.name.text.clone())).or_insert_with(|| ty.clone());
            *known = known.join(&ty);
        }
    }

    /// Nobody owns nothing of a type if all of its objects begin with an owner, and no owner is ever changed.
    fn find_owned(&mut self) {
        let program = self.program;
        let mut changes = false;
        let bodies = program.rounds.iter().map(|round| &round.body);
        let bodies = bodies.chain(program.actions.iter().map(|action| &action.effect));
        for body in bodies.chain(&program.start).chain(&program.postgame) {
            each_stmt(body, &mut |stmt| {
                changes |= matches!(&stmt.kind, StmtKind::Assign(target, _)
                    if matches!(target.kind, ExprKind::Member(_, Member::Owner)));
            });
        }
        if changes {
            return;
        }
        let supplied = |kind: &str| {
            program.locations.iter().flat_map(|location| &location.supplies).any(|own| own.kind.text == kind)
        };
        for &kind in self.types.keys() {
            let mut owners = program.locations.iter().flat_map(|location| {
                let own = location.inventory.iter().filter(|instance| instance.kind.text == kind);
                own.map(|instance| self.owner(location, instance))
            });
            if !supplied(kind) && owners.all(|owner| owner.is_some()) {
                self.owned.insert(kind);
            }
        }
    }

    /// Whoever owns the location owns what is created there, unless something else is said.
    pub fn owner(&self, location: &'a Location, instance: &'a Instance) -> Option<&'a Name> {
        let of_type = self.types.get(instance.kind.text.as_str()).and_then(|kind| kind.with.owner.as_ref());
        match instance.with.owner.as_ref().or(of_type) {
            Some(Owner::Public) => None,
            Some(Owner::Player(name)) => Some(name),
            Some(Owner::Location) | None => match &location.owner {
                Some(Owner::Player(name)) => Some(name),
                _ => None,
            },
        }
    }

    /// A round is pure if it changes nothing and asks nobody, and neither does any round that it calls.
    fn find_pure(&mut self) {
        let mut pure: IndexSet<&str> = self.rounds.keys().copied().filter(|name| *name != "Main").collect();
        loop {
            let before = pure.len();
            pure = pure.iter().copied().filter(|name| self.is_pure(&self.rounds[*name].body, &pure)).collect();
            if pure.len() == before {
                break;
            }
        }
        self.pure = pure;
    }

    fn is_pure(&self, body: &[Stmt], pure: &IndexSet<&str>) -> bool {
        let mut all = true;
        each_stmt(body, &mut |stmt| {
            all &= match &stmt.kind {
                StmtKind::Return(_)
                | StmtKind::If(..)
                | StmtKind::While(..)
                | StmtKind::Foreach(..)
                | StmtKind::Var(..)
                | StmtKind::Repeat => true,
                StmtKind::Assign(target, _) => matches!(target.kind, ExprKind::Low(_)),
                _ => false,
            };
            each_expr(stmt, &mut |expr| all &= self.calls_only(expr, pure));
        });
        all
    }

    fn calls_only(&self, expr: &Expr, pure: &IndexSet<&str>) -> bool {
        let mut all = true;
        expr.walk(&mut |inside| {
            if let ExprKind::Call(name, _) = &inside.kind {
                let name = name.text.as_str();
                // What is not there is told elsewhere.
                all &= pure.contains(name) || !(self.rounds.contains_key(name) || self.actions.contains_key(name));
            }
        });
        all
    }

    fn find_valued(&mut self) {
        let program = self.program;
        let (mut valued, mut done) = (IndexSet::new(), IndexSet::new());
        let mut look = |expr: &'a Expr| {
            expr.walk(&mut |inside| {
                if let ExprKind::Call(name, _) = &inside.kind {
                    valued.insert(name.text.as_str());
                }
            });
        };
        let bodies = program.rounds.iter().map(|round| &round.body);
        let bodies = bodies.chain(program.actions.iter().map(|action| &action.effect));
        for body in bodies.chain(&program.start).chain(&program.postgame) {
            each_stmt(body, &mut |stmt| {
                each_expr(stmt, &mut look);
                if let StmtKind::Call(name, _) = &stmt.kind
                    && !self.pure.contains(name.text.as_str())
                {
                    done.insert(name.text.as_str());
                }
            });
        }
        for action in &program.actions {
            action.requires.iter().for_each(&mut look);
            for param in &action.params {
                match &param.domain {
                    Some(Domain::Between(least, most)) => [least, most].into_iter().for_each(&mut look),
                    Some(Domain::Among(list)) => look(list),
                    None => {}
                }
            }
        }
        valued.retain(|name| !done.contains(name));
        self.valued = valued;
    }

    /// Whether an expression changes nothing.
    pub fn is_pure_expr(&self, expr: &Expr) -> bool {
        self.calls_only(expr, &self.pure)
    }

    fn find_finishing(&mut self) {
        let bodies: Vec<(&str, &Block)> = (self.rounds.iter().map(|(name, round)| (*name, &round.body)))
            .chain(self.actions.iter().map(|(name, action)| (*name, &action.effect)))
            .collect();
        loop {
            let before = self.finishing.len();
            for (name, body) in &bodies {
                if self.finishing_block(body) {
                    self.finishing.insert(name);
                }
            }
            if self.finishing.len() == before {
                return;
            }
        }
    }

    /// Whether the match may be over after these statements.
    pub fn finishing_block(&self, body: &[Stmt]) -> bool {
        let mut may = false;
        each_stmt(body, &mut |stmt| {
            may |= match &stmt.kind {
                StmtKind::Finish => true,
                StmtKind::Choose { phase, .. } => self.choice_may_finish(phase.as_ref()),
                StmtKind::Call(name, _) => self.finishing.contains(name.text.as_str()),
                _ => false,
            };
            each_expr(stmt, &mut |expr| may |= self.expr_may_finish(expr));
        });
        may
    }

    pub fn expr_may_finish(&self, expr: &Expr) -> bool {
        let mut may = false;
        expr.walk(&mut |inside| {
            if let ExprKind::Call(name, _) = &inside.kind {
                may |= self.finishing.contains(name.text.as_str());
            }
        });
        may
    }

    pub fn choice_may_finish(&self, phase: Option<&Name>) -> bool {
        self.offered(phase).any(|action| self.finishing.contains(action.name.text.as_str()))
    }

    /// The actions of a phase; those of no phase are offered in all.
    pub fn offered(&self, phase: Option<&Name>) -> impl Iterator<Item = &'a Action> {
        let wanted = phase.map(|phase| phase.text.clone());
        self.program.actions.iter().filter(move |action| match &wanted {
            Some(wanted) => action.phases.is_empty() || action.phases.iter().any(|phase| phase.text == *wanted),
            None => true,
        })
    }

    /// The type a parameter is declared with.
    pub fn declared(&self, kind: &str) -> Option<Ty> {
        Some(match kind {
            "int" => Ty::Int,
            "bool" => Ty::Bool,
            "double" => Ty::Double,
            "string" | "objectType" => Ty::Text,
            "Location" => Ty::Location,
            "Player" => Ty::Player,
            _ if self.types.contains_key(kind) => Ty::Object(Some(kind.to_owned())),
            _ => return None,
        })
    }

    pub fn scope(&self, params: &[Param]) -> Scope {
        let ty = |param: &Param| self.declared(&param.kind.text).unwrap_or(Ty::Any);
        params.iter().map(|param| (param.name.text.clone(), ty(param))).collect()
    }

    /// What a round gives back.
    pub fn returned(&self, name: &str) -> Ty {
        if let Some(known) = self.returns.borrow().get(name) {
            // Asked while it is being found out: it calls itself.
            return known.clone().unwrap_or(Ty::Any);
        }
        let Some(round) = self.rounds.get(name) else { return Ty::Any };
        self.returns.borrow_mut().insert(name.to_owned(), None);
        let mut found: Option<Ty> = None;
        let mut scope = self.scope(&round.params);
        self.return_types(&round.body, &mut scope, &mut found);
        let ty = found.unwrap_or(Ty::Any);
        self.returns.borrow_mut().insert(name.to_owned(), Some(ty.clone()));
        ty
    }

    fn return_types(&self, body: &[Stmt], scope: &mut Scope, found: &mut Option<Ty>) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Return(Some(value)) => {
                    let ty = self.ty(value, scope);
                    *found = Some(found.as_ref().map_or(ty.clone(), |known| known.join(&ty)));
                }
                StmtKind::Var(name, value) => {
                    let ty = self.ty(value, scope);
                    scope.push((name.text.clone(), ty));
                }
                StmtKind::If(_, then, other) => {
                    self.return_types(then, scope, found);
                    self.return_types(other, scope, found);
                }
                StmtKind::While(_, body) => self.return_types(body, scope, found),
                StmtKind::Foreach(name, list, body) => {
                    let member = self.member_ty(&self.ty(list, scope));
                    scope.push((name.text.clone(), member));
                    self.return_types(body, scope, found);
                }
                _ => {}
            }
        }
    }

    pub fn member_ty(&self, list: &Ty) -> Ty {
        match list {
            Ty::List(member) => (**member).clone(),
            _ => Ty::Any,
        }
    }

    /// What an expression gives.
    pub fn ty(&self, expr: &Expr, scope: &Scope) -> Ty {
        match &expr.kind {
            ExprKind::Bool(_) | ExprKind::Not(_) | ExprKind::IsConnectedTo(..) => Ty::Bool,
            ExprKind::Int(_) | ExprKind::Count(_) => Ty::Int,
            ExprKind::Double(_) => Ty::Double,
            ExprKind::Text(_) => Ty::Text,
            ExprKind::Name(name) => match self.globals.get(name.as_str()) {
                Some(Global::Player(_)) => Ty::Player,
                Some(Global::Location(_)) => Ty::Location,
                Some(&Global::Instance(at, nth)) => Ty::Object(Some(self.instance((at, nth)).kind.text.clone())),
                Some(&Global::Option(at)) => self.ty(&self.program.options[at].value, &Vec::new()),
                None => Ty::Any,
            },
            ExprKind::Low(name) => {
                scope.iter().rev().find(|(known, _)| known == name).map_or(Ty::Any, |(_, ty)| ty.clone())
            }
            ExprKind::CurrentTurn => Ty::Player,
            ExprKind::TurnOrder => Ty::list_of(Ty::Player),
            ExprKind::List(members) => {
                let mut types = members.iter().map(|member| self.ty(member, scope));
                let first = types.next();
                Ty::list_of(first.map_or(Ty::Any, |first| types.fold(first, |known, ty| known.join(&ty))))
            }
            ExprKind::Call(name, _) => self.returned(&name.text),
            ExprKind::Attr(of, name) => self.attr_ty(of, &name.text, scope).unwrap_or(Ty::Any),
            ExprKind::Member(of, member) => match member {
                Member::Contains => Ty::list_of(Ty::Object(None)),
                Member::Connections => Ty::list_of(Ty::Location),
                Member::Location => Ty::Location,
                Member::Owner => match self.ty(of, scope) {
                    Ty::Object(Some(kind)) if self.owned.contains(kind.as_str()) => Ty::Player,
                    _ => Ty::Owner,
                },
                Member::ExistVisible | Member::ValueVisible => Ty::list_of(Ty::Player),
                Member::Value => self.value_ty(&self.ty(of, scope)),
            },
            ExprKind::Index(of, _) => self.member_ty(&self.ty(of, scope)),
            ExprKind::Built(built, args) => match built {
                Built::Append => {
                    let (list, value) = (self.ty(&args[0], scope), self.ty(&args[1], scope));
                    let empty = matches!(&args[0].kind, ExprKind::List(members) if members.is_empty());
                    Ty::list_of(if empty { value } else { self.member_ty(&list).join(&value) })
                }
                Built::Remove => self.ty(&args[0], scope),
                Built::Has => Ty::Bool,
                Built::Floor => Ty::Int,
                Built::Connection => Ty::Connection,
            },
            ExprKind::Binary(op, left, right) => match op {
                Op::Plus | Op::Minus | Op::Times => match (self.ty(left, scope), self.ty(right, scope)) {
                    (Ty::Int, Ty::Int) => Ty::Int,
                    (Ty::Any, _) | (_, Ty::Any) => Ty::Any,
                    _ => Ty::Double,
                },
                // Whole where it divides evenly, so what it is only play can tell.
                Op::Divided => Ty::Any,
                _ => Ty::Bool,
            },
            ExprKind::Missing => Ty::Any,
        }
    }

    /// The values of objects of these types, whether thrown or counted.
    pub fn value_ty(&self, of: &Ty) -> Ty {
        let mut found: Option<Ty> = None;
        let mut add = |ty: Ty| found = Some(found.as_ref().map_or(ty.clone(), |known| known.join(&ty)));
        let none = Vec::new();
        let mut features = |with: &Features| {
            for value in with.randomizer.iter().flat_map(|randomizer| &randomizer.values) {
                add(self.ty(value, &none));
            }
            for attr in with.attrs.iter().filter(|attr| attr.name.text == "Value") {
                add(self.ty(&attr.value, &none));
            }
        };
        let fits = |kind: &str| !matches!(of, Ty::Object(Some(wanted)) if wanted != kind);
        self.program.types.iter().filter(|kind| fits(&kind.name.text)).for_each(|kind| features(&kind.with));
        for location in &self.program.locations {
            let instances = location.inventory.iter().chain(&location.supplies);
            instances.filter(|instance| fits(&instance.kind.text)).for_each(|instance| features(&instance.with));
        }
        found.unwrap_or(Ty::Any)
    }

    /// Who may be meant by something whose attribute is asked.
    pub fn holders(&self, of: &Ty) -> Vec<Holder> {
        let objects = || self.types.keys().map(|kind| Holder::Object((*kind).to_owned()));
        match of {
            Ty::Player | Ty::Owner => vec![Holder::Player],
            Ty::Location => vec![Holder::Location],
            Ty::Object(Some(kind)) => vec![Holder::Object(kind.clone())],
            Ty::Object(None) => objects().collect(),
            Ty::Connection => vec![Holder::Connection],
            Ty::Any => [Holder::Player, Holder::Location, Holder::Connection].into_iter().chain(objects()).collect(),
            _ => Vec::new(),
        }
    }

    /// What an attribute holds; nothing where nobody who may be meant has it.
    pub fn attr_ty(&self, of: &Expr, name: &str, scope: &Scope) -> Option<Ty> {
        let holders = self.holders(&self.ty(of, scope));
        let types = holders.into_iter().filter_map(|holder| self.attrs.get(&(holder, name.to_owned())));
        if let Some(ty) = types.cloned().reduce(|left, right| left.join(&right)) {
            return Some(ty);
        }
        // An object that lies at a location can be asked for by its name.
        match self.globals.get(name) {
            Some(&Global::Instance(at, nth)) if matches!(self.ty(of, scope), Ty::Location | Ty::Any) => {
                Some(Ty::Object(Some(self.instance((at, nth)).kind.text.clone())))
            }
            _ => None,
        }
    }

    /// Whether everybody who may be meant has the attribute.
    pub fn always_has(&self, of: &Expr, name: &str, scope: &Scope) -> bool {
        let has = |attrs: &[Attr]| attrs.iter().any(|attr| attr.name.text == name);
        if let ExprKind::Name(global) = &of.kind {
            return match self.globals.get(global.as_str()) {
                Some(&Global::Player(at)) => has(&self.program.players.list[at].attrs),
                Some(&Global::Location(at)) => has(&self.program.locations[at].attrs),
                Some(&Global::Instance(at, nth)) => {
                    let instance = self.instance((at, nth));
                    let of_type = self.types.get(instance.kind.text.as_str());
                    has(&instance.with.attrs) || of_type.is_some_and(|kind| has(&kind.with.attrs))
                }
                _ => false,
            };
        }
        self.holders(&self.ty(of, scope)).into_iter().all(|holder| match holder {
            Holder::Player => self.program.players.list.iter().all(|player| has(&player.attrs)),
            Holder::Location => self.program.locations.iter().all(|location| has(&location.attrs)),
            Holder::Connection => self.program.connections.iter().all(|connection| has(&connection.attrs)),
            Holder::Object(kind) => self.types.get(kind.as_str()).is_some_and(|kind| has(&kind.with.attrs)),
        })
    }
}
