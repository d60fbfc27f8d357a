//! Definition and world → program: words become numbers, forms become code, rules are woven.

mod body;
mod flow;
mod forms;
mod labels;
mod looking;
mod names;
mod reaching;
mod weave;
mod words;

use crate::code::*;
use crate::constant::Const;
use crate::game::Options;
use crate::history::Counted;
use crate::keeper::Keeper;
use crate::layout::Layout;
use crate::marks::Marked;
use crate::outlook::Outlook;
use crate::plan::Plan;
use crate::program::*;
use crate::roster::Roster;
use crate::sampler::Sampler;
use crate::shortcut::{Permits, Shortcut};
use crate::strides::Strides;
use crate::twins::Twins;
use crate::value::Value;
use crate::world::{GAME_KIND, KindId, PLAYER_KIND, World};
use houserules_model::*;
use std::collections::{BTreeMap, BTreeSet};

use body::{Body, Mode as BodyMode};

/// Compiles everything. What cannot be compiled is reported, all of it at once.
///
/// With an `earlier` program its numbers are kept, so that values and, if `running`, stopped behaviors of its
/// positions mean the same in the new one.
pub fn lower(
    definition: &Definition,
    world: World,
    options: &Options,
    earlier: Option<(&Program, bool)>,
) -> Result<Program, Vec<Diagnostic>> {
    let layout = Layout::new(&world, crate::needs::needs(definition, &world));
    if layout.made_base > options.budget.words {
        return Err(vec![too_much(definition, &layout, options.budget)]);
    }
    let mut lower = Lower::new(definition, &world, &layout);
    if let Some((earlier, running)) = earlier {
        lower.keep_numbers(earlier, running);
    }
    lower.number_words();
    lower.number_labels();
    lower.number_rules();
    lower.weave();
    let actions = lower.actions();
    let initial = lower.initial_values();
    let history = lower.history();
    let evaluators = lower.evaluators();
    let things = lower.things();
    let sights = lower.sights();
    lower.finish_defines();
    lower.tests_without_rules();
    let (rolls_partly, taken_back) = (opens_inside(definition), lower.texts.id("It is taken back."));
    if lower.diagnostics.iter().any(Diagnostic::is_error) {
        // A rule is woven into the functions of every model it looks at; its author wrote a mistake in it once.
        let mut told: Vec<Diagnostic> = Vec::new();
        for diagnostic in lower.diagnostics {
            if !told.contains(&diagnostic) {
                told.push(diagnostic);
            }
        }
        return Err(told);
    }
    let Lower { texts, functions, pools, labels, handlers, answers, asked, rules, states, sets, relative_sets, .. } =
        lower;
    let label = |name: &str| {
        let id = texts.find(name).expect("the machine's own labels are numbered first");
        labels.iter().position(|label| label.name == id).expect("the machine's own labels are numbered first")
            as LabelId
    };
    let (start, turn, stuck, gameover) = (label("start"), label("turn"), label("stuck"), label("gameover"));
    let is_a = (0..world.kinds.len())
        .map(|kind| (0..world.kinds.len()).map(|of| world.is_a(kind as KindId, of as KindId)).collect())
        .collect();
    let mut program = Program {
        name: definition.name().to_string(),
        digest: String::new(),
        extents: extents(&world),
        settings: settings(definition, &world),
        functions: functions
            .into_iter()
            .map(|function| function.expect("every reserved function was compiled"))
            .collect(),
        start,
        turn,
        stuck,
        gameover,
        layout,
        texts,
        pools,
        labels,
        handlers,
        answers,
        asked,
        plain: Vec::new(),
        keeper: None,
        marked: None,
        outlook: None,
        counted: Counted::default(),
        roster: None,
        sampler: None,
        strides: None,
        picks: Vec::new(),
        swift: false,
        plan: Plan::default(),
        actions,
        rule_order: definition.rules().map(|rule| rule_id(&rules, &rule.name)).collect(),
        rules,
        states,
        is_a,
        ahead: Ahead::new(&world, &sets),
        kinds: world.entities.iter().map(|thing| thing.kind).collect(),
        fixed: world.entities.iter().map(|thing| thing.board.is_some() || thing.kind <= 1).collect(),
        sets,
        relative_sets,
        initial,
        twins: Twins::of(definition, &world),
        history,
        rolls_partly,
        taken_back,
        evaluators,
        sights,
        budget: options.budget,
        template: Default::default(),
        locate: options.locate.clone(),
        world,
        permits: Permits::without(options.without),
        checked: options.checked,
        interpreted: options.interpreted,
        exact: Some(Default::default()),
        exact_draws: Some(Default::default()),
        warmth: Default::default(),
    };
    program.plain = plain(&program);
    program.counted = Counted::of(&program);
    if program.may(Shortcut::Keeper) {
        program.keeper = Keeper::of(&program);
    }
    if program.may(Shortcut::Marks) {
        program.marked = Marked::of_lines(&program).or_else(|| Marked::of_walks(&program));
    }
    if program.may(Shortcut::Outlook) {
        program.outlook = Outlook::of(&program);
    }
    if program.plain.is_empty() && program.may(Shortcut::Roster) {
        program.roster = Roster::of(&program);
        if program.may(Shortcut::Picks) {
            program.picks = crate::picks::find(&mut program);
        }
        if program.may(Shortcut::Sampler) {
            program.sampler = Sampler::of(&program);
        }
        if program.may(Shortcut::Strides) {
            program.strides = Strides::of(&program);
        }
    }
    program.swift = program.may(Shortcut::Swift) && Plan::is_swift(&program);
    let mut program = program.planned();
    program.digest = digest(definition, &program);
    crate::opening::fill(&mut program, &things).map_err(|fault| vec![fault])?;
    Ok(program)
}

/// More properties of more things than a match can keep.
fn too_much(definition: &Definition, layout: &Layout, budget: Budget) -> Diagnostic {
    let game = definition.items().iter().find(|item| matches!(item.kind, ItemKind::Game { .. }));
    let label = format!(
        "The properties of all its things are {} values, and a match keeps at most {}.",
        layout.made_base, budget.words
    );
    let origin = game.map_or(Origin::NONE, |game| game.origin);
    Diagnostic::error("limit/values", "This game is too large", origin, label)
        .hint("Give each property to the model that needs it, or make fewer things.")
}

fn plain(program: &Program) -> Vec<(u16, u32)> {
    let mut plain = Vec::new();
    for (at, action) in program.actions.iter().enumerate().filter(|(_, action)| !action.when_asked) {
        let receivers: &[u32] = match action.to {
            _ if !action.with.is_empty() => return Vec::new(),
            Receivers::Computed(_) => return Vec::new(),
            Receivers::Game => &[crate::world::GAME],
            Receivers::Kind(kind) => &program.extents[kind as usize].things,
        };
        plain.extend(receivers.iter().map(|&receiver| (at as u16, receiver)));
    }
    plain
}

/// Whether a checkpoint may be opened after something was changed: anywhere but in a law on an action that nobody sends.
fn opens_inside(definition: &Definition) -> bool {
    let mut sent: BTreeSet<&str> = BTreeSet::new();
    let mut all_sent = false;
    for item in definition.items() {
        item.exprs(&mut |top| {
            top.walk(&mut |expr| match &expr.kind {
                ExprKind::Form(Form::Send | Form::SendNew, slots) => match slots[0].name().and_then(NameRef::known) {
                    Some(label) => drop(sent.insert(label)),
                    None => all_sent = true,
                },
                ExprKind::Form(Form::SendMessage, _) => all_sent = true,
                ExprKind::Form(Form::Forward, _) => match &item.kind {
                    ItemKind::Behavior(behavior) => drop(sent.insert(&behavior.label)),
                    ItemKind::Action(action) => drop(sent.insert(&action.label)),
                    _ => all_sent = true,
                },
                _ => {}
            });
        });
    }
    let begins = |label: &str| !sent.contains(label) && definition.actions().any(|action| *action.label == *label);
    definition.items().iter().any(|item| {
        let mut opens = false;
        item.exprs(&mut |top| {
            top.walk(&mut |expr| opens |= matches!(expr.kind, ExprKind::Form(Form::OpenCheckpoint, _)))
        });
        let at_first = match &item.kind {
            ItemKind::Rule(rule) if rule.kind == RuleKind::Law => rule.labels.iter().all(|(label, _)| begins(label)),
            _ => false,
        };
        opens && (all_sent || !at_first)
    })
}

fn rule_id(rules: &[RuleInfo], name: &Name) -> RuleId {
    rules.iter().position(|rule| rule.name == *name).expect("every rule is numbered") as RuleId
}

fn digest(definition: &Definition, program: &Program) -> String {
    let mut hasher = blake3::Hasher::new();
    if let Some(setup) = &program.world.setup {
        hasher.update(format!("{setup:?}\n").as_bytes());
    }
    for item in definition.items() {
        hasher.update(item.to_string().as_bytes());
        hasher.update(b"\n");
    }
    for setting in &program.settings {
        hasher.update(format!("{}={}\n", setting.name, setting.value).as_bytes());
    }
    hasher.update(&program.world.n_seats.to_le_bytes());
    hasher.finalize().to_hex()[..32].to_string()
}

fn extents(world: &World) -> Vec<Extent> {
    (0..world.kinds.len() as KindId)
        .map(|kind| {
            let things: Vec<u32> = (0..world.entities.len() as u32)
                .filter(|&thing| world.is_a(world.entities[thing as usize].kind, kind))
                .collect();
            let range = match (things.first(), things.last()) {
                (Some(&first), Some(&last)) if (last - first + 1) as usize == things.len() => Some((first, last + 1)),
                _ => None,
            };
            Extent { things, range }
        })
        .collect()
}

fn settings(definition: &Definition, world: &World) -> Vec<SettingInfo> {
    definition
        .settings()
        .map(|setting| SettingInfo {
            name: setting.name.clone(),
            value: world.setting(&setting.name).cloned().unwrap_or(Const::Nil),
            range: setting.range.as_ref().map(|(least, most)| format!("{least} to {most}")).or_else(|| {
                let among: Vec<String> = setting.among.iter().map(Expr::to_string).collect();
                (!among.is_empty()).then(|| among.join(", "))
            }),
            text: setting.text.clone(),
        })
        .collect()
}

/// A first value of one thing: the entity, what it is for, the code.
pub struct ThingCode {
    pub entity: u32,
    pub what: ThingValue,
    pub func: FuncId,
}

pub enum ThingValue {
    Property(PropId),
    Place,
}

pub(crate) struct Lower<'a> {
    pub definition: &'a Definition,
    pub world: &'a World,
    pub layout: &'a Layout,
    pub texts: Texts,
    pub functions: Vec<Option<Function>>,
    pub pools: Pools,
    pub labels: Vec<LabelInfo>,
    pub handlers: Vec<Vec<Handler>>,
    pub answers: BTreeMap<NameId, Vec<Option<Answer>>>,
    pub asked: BTreeMap<NameId, Vec<Option<(FuncId, u16)>>>,
    pub rules: Vec<RuleInfo>,
    pub states: Vec<NameId>,
    pub sets: Vec<Vec<Vec<u16>>>,
    pub set_names: Vec<Name>,
    pub relative_sets: Vec<Vec<usize>>,
    pub relative_set_names: Vec<Name>,
    pub diagnostics: Vec<Diagnostic>,
    /// Defines still to compile: the function, whose kind it is for, the define.
    pub queue: Vec<(FuncId, KindId, &'a Define)>,
    /// For each action and kind the laws that are asked early.
    pub early: BTreeMap<(LabelId, KindId), Vec<RuleId>>,
    /// Defines of the game, by name.
    pub globals: BTreeMap<NameId, (FuncId, u16)>,
}

impl<'a> Lower<'a> {
    fn new(definition: &'a Definition, world: &'a World, layout: &'a Layout) -> Self {
        Lower {
            definition,
            world,
            layout,
            texts: Texts::default(),
            functions: Vec::new(),
            pools: Pools::default(),
            labels: Vec::new(),
            handlers: Vec::new(),
            answers: BTreeMap::new(),
            asked: BTreeMap::new(),
            rules: Vec::new(),
            states: Vec::new(),
            sets: Vec::new(),
            set_names: Vec::new(),
            relative_sets: Vec::new(),
            relative_set_names: Vec::new(),
            diagnostics: Vec::new(),
            queue: Vec::new(),
            early: BTreeMap::new(),
            globals: BTreeMap::new(),
        }
    }

    fn keep_numbers(&mut self, earlier: &Program, running: bool) {
        self.texts = earlier.texts.clone();
        self.states = earlier.states.clone();
        if running {
            self.labels = earlier.labels.clone();
            self.rules = earlier.rules.clone();
            self.functions = earlier.functions.iter().cloned().map(Some).collect();
            self.pools = earlier.pools.clone();
        }
    }

    pub fn rule_id(&self, name: &Name) -> RuleId {
        rule_id(&self.rules, name)
    }

    pub fn reserve(&mut self) -> FuncId {
        self.functions.push(None);
        self.functions.len() as FuncId - 1
    }

    pub fn constant(&mut self, value: &Const) -> Option<Value> {
        Some(match value {
            Const::Nil => Value::NIL,
            Const::True => Value::TRUE,
            Const::Whole(whole) => Value::whole(*whole)?,
            Const::Decimal(decimal) => Value::decimal(*decimal)?,
            Const::Text(text) => Value::text(self.texts.id(text)),
            Const::List(_) => return None,
        })
    }

    /// Compiles the defines that were used. Compiling one may ask for more.
    fn finish_defines(&mut self) {
        while let Some((func, kind, define)) = self.queue.pop() {
            let mut body = Body::new(self, kind, BodyMode::Define);
            body.params(&define.params);
            body.function_body(&define.body);
            let function = body.finish(&define.name);
            self.functions[func as usize] = Some(function);
        }
    }

    /// One expression as a function of one thing.
    fn expression(&mut self, kind: KindId, expr: &'a Expr, name: &str) -> FuncId {
        let func = self.reserve();
        let mut body = Body::new(self, kind, BodyMode::Define);
        body.function_body(std::slice::from_ref(expr));
        let function = body.finish(name);
        self.functions[func as usize] = Some(function);
        func
    }

    fn initial_values(&mut self) -> Vec<Vec<(PropId, FuncId)>> {
        let world = self.world;
        let mut initial = Vec::new();
        for (kind, definition) in world.kinds.iter().enumerate() {
            let mut values = Vec::new();
            if kind as KindId == PLAYER_KIND
                && let Some(score) = self.layout.find("score")
                && !definition.properties.iter().any(|property| &*property.name == "score")
            {
                let func = self.reserve();
                let mut body = Body::new(self, kind as KindId, BodyMode::Define);
                let zero = body.constant(Value::small(0), Origin::NONE);
                body.emit(Op::Return { src: zero }, Origin::NONE);
                let function = body.finish("score");
                self.functions[func as usize] = Some(function);
                values.push((score, func));
            }
            for property in &definition.properties {
                if let Some(value) = self.property_value(kind as KindId, &property.name) {
                    let prop = self.layout.find(&property.name).expect("every property has a number");
                    values.push((prop, self.expression(kind as KindId, value, &property.name)));
                }
            }
            initial.push(values);
        }
        initial
    }

    /// The value expression nearest to a kind, borrowed from the definition.
    fn property_value(&self, kind: KindId, name: &str) -> Option<&'a Expr> {
        self.world.line(kind).find_map(|ancestor| {
            let of = &self.world.kinds[ancestor as usize].name;
            self.definition.items().iter().find_map(|item| match &item.kind {
                ItemKind::Property(property) if property.of == *of && &*property.name == name => {
                    Some(property.value.as_ref())
                }
                _ => None,
            })
        })?
    }

    /// The values that `#entity … with … at …` computes for single things.
    fn things(&mut self) -> Vec<ThingCode> {
        let mut codes = Vec::new();
        let world = self.world;
        for (entity, thing) in world.entities.iter().enumerate() {
            for (name, value) in &thing.with {
                let Some(prop) = self.layout.find(name).filter(|&prop| self.layout.has(prop, thing.kind)) else {
                    let kind = &world.kinds[thing.kind as usize].name;
                    let origin =
                        self.definition.get(&Key::Model(kind.clone())).map_or(Origin::NONE, |item| item.origin);
                    self.diagnostics.push(
                        Diagnostic::error(
                            "name/property",
                            "Unknown property",
                            origin,
                            format!("`{kind}` has no property `{name}`."),
                        )
                        .hint(format!("Add `#property {name}` to `#model {kind}`.")),
                    );
                    continue;
                };
                codes.push(ThingCode {
                    entity: entity as u32,
                    what: ThingValue::Property(prop),
                    func: self.first_value(thing.kind, value, name),
                });
            }
            // Where a drawn piece stands is known before.
            if let Some(place) = thing.at.as_ref().filter(|at| !matches!(at, crate::world::Initial::Entity(_))) {
                codes.push(ThingCode {
                    entity: entity as u32,
                    what: ThingValue::Place,
                    func: self.first_value(thing.kind, place, "at"),
                });
            }
        }
        codes
    }

    fn first_value(&mut self, kind: KindId, value: &'a crate::world::Initial, name: &str) -> FuncId {
        use crate::world::Initial;
        let known = match value {
            Initial::Computed(expr) => return self.expression(kind, expr, name),
            Initial::Entity(entity) => Value::entity(*entity),
            Initial::Known(known) => self.constant(known).unwrap_or(Value::NIL),
        };
        let func = self.reserve();
        let mut body = Body::new(self, kind, BodyMode::Define);
        match value {
            Initial::Known(list @ Const::List(_)) => {
                let reg = body.constant_list(list, Origin::NONE);
                body.emit(Op::Return { src: reg }, Origin::NONE);
            }
            _ => {
                let reg = body.constant(known, Origin::NONE);
                body.emit(Op::Return { src: reg }, Origin::NONE);
            }
        }
        let function = body.finish(name);
        self.functions[func as usize] = Some(function);
        func
    }

    fn history(&mut self) -> Option<HistoryCode> {
        let mut used = false;
        for item in self.definition.items() {
            item.exprs(&mut |expr| expr.walk(&mut |inner| used |= matches!(inner.kind, ExprKind::Form(Form::Seen, _))));
        }
        if !used {
            return None;
        }
        let history = self.definition.items().iter().find_map(|item| match &item.kind {
            ItemKind::History(history) => Some(history),
            _ => None,
        });
        let n_kinds = self.world.kinds.len();
        let mut code =
            HistoryCode { kinds: vec![false; n_kinds], props: Vec::new(), defines: Vec::new(), by_player: true };
        let Some(history) = history.filter(|history| !history.things.is_empty()) else {
            code.kinds = vec![true; n_kinds];
            code.by_player = history.is_none_or(|history| history.by_player);
            return Some(code);
        };
        code.by_player = history.by_player;
        for (name, origin) in &history.things {
            if let Some(kind) = self.world.kind(name) {
                for other in 0..n_kinds {
                    code.kinds[other] |= self.world.is_a(other as KindId, kind);
                }
            } else if let Some(prop) = self.layout.find(name).filter(|&prop| self.layout.has(prop, GAME_KIND)) {
                code.props.push(prop);
            } else if let Some(func) = self.global_define(name, 0) {
                code.defines.push(func);
            } else {
                self.unknown(name, *origin, "`#history` takes models, properties of the game and defines.");
            }
        }
        Some(code)
    }

    fn evaluators(&mut self) -> Vec<(Name, FuncId)> {
        let mut evaluators = Vec::new();
        for item in self.definition.items() {
            if let ItemKind::Evaluator { name, value } = &item.kind {
                evaluators.push((name.clone(), self.expression(GAME_KIND, value, name)));
            }
        }
        evaluators
    }

    /// Who may see something, and how a thing looks, where that is computed.
    fn sights(&mut self) -> Vec<(Expr, Vec<Option<FuncId>>)> {
        let definition = self.definition;
        let mut sights: Vec<(Expr, Vec<Option<FuncId>>)> = Vec::new();
        for item in definition.items() {
            let those = |sight: &'a Option<Sight>| match sight {
                Some(Sight::Those(expr)) => Some(expr),
                _ => None,
            };
            let (of, exprs, what) = match &item.kind {
                ItemKind::Property(property) => (&property.of, [those(&property.seen), None], "seen by"),
                ItemKind::Contents { of, seen, counted } => (of, [those(seen), those(counted)], "seen by"),
                ItemKind::Look { of, value, .. } if !is_plain(value) => (of, [Some(value), None], "look"),
                _ => continue,
            };
            let Some(of) = self.world.kind(of) else { continue };
            for expr in exprs.into_iter().flatten() {
                let by_kind = (0..self.world.kinds.len() as KindId)
                    .map(|kind| self.world.is_a(kind, of).then(|| self.expression(kind, expr, what)))
                    .collect();
                sights.push((expr.clone(), by_kind));
            }
        }
        sights
    }

    pub fn unknown(&mut self, name: &str, origin: Origin, note: &str) {
        let known = self.known_words();
        let near = nearest(name, known.iter().map(String::as_str).filter(|known| *known != name)).map(str::to_string);
        let mut diagnostic =
            Diagnostic::error("name/unknown", "Unknown word", origin, format!("Nothing here is called `{name}`."))
                .note(note);
        if let Some(near) = near {
            diagnostic = diagnostic.hint(format!("Did you mean `{near}`?"));
        }
        self.diagnostics.push(diagnostic);
    }
}

/// A number or a text, which needs no code.
fn is_plain(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Number(_) | ExprKind::Text(_))
}
