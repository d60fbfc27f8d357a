//! A compiled definition: code, tables, and where every property lies.

use crate::code::*;
use crate::constant::Const;
use crate::history::Counted;
use crate::keeper::Keeper;
use crate::layout::Layout;
use crate::marks::Marked;
use crate::memory::Memory;
use crate::native::Native;
use crate::outlook::Outlook;
use crate::picks::Pick;
use crate::plan::Plan;
use crate::roster::Roster;
use crate::sampler::Sampler;
use crate::shortcut::{Permits, Shortcut, Shortcuts};
use crate::strides::Strides;
use crate::twins::Twins;
use crate::world::{DirId, EntityId, GAME_KIND, KindId, NOBODY, World};
use houserules_model::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// Everything a position needs to know about its game. Never changes once made.
pub struct Program {
    pub name: String,
    pub digest: String,
    pub world: World,
    pub texts: Texts,
    pub layout: Layout,
    pub functions: Vec<Function>,
    pub pools: Pools,
    pub labels: Vec<LabelInfo>,
    /// For each label and kind.
    pub handlers: Vec<Vec<Handler>>,
    /// What a word means for each kind, by the number of the word.
    pub answers: BTreeMap<NameId, Vec<Option<Answer>>>,
    /// Defines with parameters: function and number of parameters, by word and kind.
    pub asked: BTreeMap<NameId, Vec<Option<(FuncId, u16)>>>,
    pub actions: Vec<ActionCode>,
    /// Every action with every receiver there can be, if no action has attributes or computes its receivers.
    pub plain: Vec<(u16, EntityId)>,
    pub keeper: Option<Keeper>,
    pub marked: Option<Marked>,
    pub(crate) outlook: Option<Outlook>,
    /// For games where some action has attributes: who may receive which, and how it is drawn.
    pub roster: Option<Roster>,
    pub sampler: Option<Sampler>,
    /// Where all that can be done is found by bits.
    pub strides: Option<Strides>,
    /// The walks that attributes are drawn from by where their places lie.
    pub picks: Vec<Pick>,
    /// Whether random play can take the short way.
    pub swift: bool,
    /// Who draws and who answers, where the interpreter plays.
    pub(crate) plan: Plan,
    pub rules: Vec<RuleInfo>,
    /// The rules as the definition orders them; numbers may come from an earlier program.
    pub rule_order: Vec<RuleId>,
    pub states: Vec<NameId>,
    pub extents: Vec<Extent>,
    /// Row by row: whether the first kind is the second or descends from it.
    pub is_a: Vec<Vec<bool>>,
    /// Sets of directions, for each board.
    pub sets: Vec<Vec<Vec<DirId>>>,
    pub relative_sets: Vec<Vec<usize>>,
    pub ahead: Ahead,
    /// The kind of each entity of the start.
    pub kinds: Box<[KindId]>,
    /// Which of them are the game, players and places of boards: these neither move nor leave.
    pub fixed: Box<[bool]>,
    /// First values of properties: for each kind, property and function.
    pub initial: Vec<Vec<(PropId, FuncId)>>,
    /// First values of single things, run once: function, entity; the value goes to the property or place.
    /// Which things can stand for each other.
    pub twins: Twins,
    pub history: Option<HistoryCode>,
    /// Whether a checkpoint may be opened when the action has changed something: a rollback to it does not refuse.
    pub rolls_partly: bool,
    /// What a rollback says that gives no reason and stands in no rule.
    pub taken_back: NameId,
    pub counted: Counted,
    pub evaluators: Vec<(Name, FuncId)>,
    /// `seen by EXPR`: the expression, and for each kind the function that gives those who may see.
    pub sights: Vec<(Expr, Vec<Option<FuncId>>)>,
    pub start: LabelId,
    pub turn: LabelId,
    pub stuck: LabelId,
    pub gameover: LabelId,
    pub budget: Budget,
    /// The memory before `start`.
    pub template: Memory,
    pub settings: Vec<SettingInfo>,
    pub locate: Option<Locate>,
    pub(crate) permits: Permits,
    pub(crate) warmth: Warmth,
    /// In builds with assertions: whatever is kept from move to move is compared with what would be found anew.
    pub(crate) checked: bool,
    /// No native code is ever made of it.
    pub(crate) interpreted: bool,
    /// The same program as it is asked where this one has run out; none is that itself.
    pub(crate) exact: Option<OnceLock<Arc<Program>>>,
    /// And as it is played at random there.
    pub(crate) exact_draws: Option<OnceLock<Arc<Program>>>,
}

/// Whether a program is played enough to be worth native code, and that code.
#[derive(Default)]
pub(crate) struct Warmth {
    played: AtomicU32,
    native: OnceLock<Option<Box<Native>>>,
}

/// Steps from place to place, laid out flat for the forms that take many.
#[derive(Clone, Default)]
pub struct Ahead {
    /// For each direction and entity the first place there, or `NOBODY`.
    one: Vec<Box<[EntityId]>>,
    /// For each set of directions the places around each entity: where they begin in `around`, one more at the end.
    starts: Vec<Box<[u32]>>,
    around: Vec<Vec<EntityId>>,
}

impl Ahead {
    pub fn new(world: &World, sets: &[Vec<Vec<DirId>>]) -> Ahead {
        let entities = 0..world.entities.len() as EntityId;
        let one = (0..world.directions.names.len())
            .map(|way| entities.clone().map(|from| world.directions.step(way as DirId, from)).collect())
            .collect();
        let mut ahead = Ahead { one, ..Ahead::default() };
        for set in sets {
            let (mut starts, mut around) = (Vec::new(), Vec::new());
            for from in entities.clone() {
                starts.push(around.len() as u32);
                let board = world.entities[from as usize].board.map(usize::from);
                for &way in board.map_or(&[][..], |board| &set[board]) {
                    around.extend_from_slice(world.directions.steps(way, from));
                }
            }
            starts.push(around.len() as u32);
            ahead.starts.push(starts.into());
            ahead.around.push(around);
        }
        ahead
    }

    /// The first place in a direction, or `NOBODY`.
    #[inline]
    pub fn step(&self, way: DirId, from: EntityId) -> EntityId {
        self.one[way as usize].get(from as usize).copied().unwrap_or(NOBODY)
    }

    /// All places in the directions of a set.
    #[inline]
    pub fn around(&self, set: u16, from: EntityId) -> &[EntityId] {
        match self.starts[set as usize].get(from as usize..from as usize + 2) {
            Some(&[from, to]) => &self.around[set as usize][from as usize..to as usize],
            _ => &[],
        }
    }
}

/// Choices played before native code is made. A person at a table never waits for it.
const WARM: u32 = 400;

impl Program {
    #[inline]
    pub(crate) fn native(&self) -> Option<&Native> {
        self.warmth.native.get()?.as_deref()
    }

    /// Whether native code was made of it.
    pub fn is_native(&self) -> bool {
        self.native().is_some()
    }

    /// Who draws and who answers.
    #[inline]
    pub(crate) fn plan(&self) -> &Plan {
        self.native().map_or(&self.plan, Native::plan)
    }

    /// Whether this program may take a shortcut.
    pub(crate) fn may(&self, shortcut: Shortcut) -> bool {
        self.permits.open(shortcut)
    }

    /// The same program without native code or shortcuts.
    pub(crate) fn bare(&self) -> Program {
        let bare = Program {
            name: self.name.clone(),
            digest: self.digest.clone(),
            world: self.world.clone(),
            texts: self.texts.clone(),
            layout: self.layout.clone(),
            functions: self.functions.clone(),
            pools: self.pools.clone(),
            labels: self.labels.clone(),
            handlers: self.handlers.clone(),
            answers: self.answers.clone(),
            asked: self.asked.clone(),
            actions: self.actions.clone(),
            plain: self.plain.clone(),
            keeper: None,
            marked: None,
            outlook: None,
            roster: None,
            sampler: None,
            strides: None,
            picks: Vec::new(),
            swift: false,
            plan: Plan::default(),
            rules: self.rules.clone(),
            rule_order: self.rule_order.clone(),
            states: self.states.clone(),
            extents: self.extents.clone(),
            is_a: self.is_a.clone(),
            sets: self.sets.clone(),
            relative_sets: self.relative_sets.clone(),
            ahead: self.ahead.clone(),
            kinds: self.kinds.clone(),
            fixed: self.fixed.clone(),
            initial: self.initial.clone(),
            twins: self.twins.clone(),
            history: self.history.clone(),
            rolls_partly: self.rolls_partly,
            taken_back: self.taken_back,
            counted: self.counted.clone(),
            evaluators: self.evaluators.clone(),
            sights: self.sights.clone(),
            start: self.start,
            turn: self.turn,
            stuck: self.stuck,
            gameover: self.gameover,
            budget: self.budget,
            template: self.template.clone(),
            settings: self.settings.clone(),
            locate: self.locate.clone(),
            permits: Permits::without(Shortcuts::of_bits(u64::MAX)),
            warmth: Warmth::default(),
            checked: self.checked,
            interpreted: true,
            exact: None,
            exact_draws: None,
        };
        bare.planned()
    }

    /// The same program without native code and without those shortcuts that do not decide what random play draws.
    pub(crate) fn drawing(&self) -> Program {
        let drawing = Program {
            keeper: self.keeper.clone(),
            outlook: self.outlook.clone(),
            roster: self.roster.clone(),
            sampler: self.sampler.clone(),
            strides: self.strides.clone(),
            picks: self.picks.clone(),
            ..self.bare()
        };
        drawing.planned()
    }

    /// With the plan that fits it.
    pub(crate) fn planned(self) -> Program {
        Program { plan: Plan::of(&self, None), ..self }
    }

    /// The shortcuts taken so far; none in builds without assertions.
    pub fn taken(&self) -> Shortcuts {
        self.permits.taken()
    }

    /// The shortcuts that stand in its native code.
    pub(crate) fn written(&self) -> Shortcuts {
        self.permits.written()
    }

    /// Whether the game does something when a turn begins.
    #[inline]
    pub(crate) fn tells_turns(&self) -> bool {
        !matches!(self.handlers[self.turn as usize][GAME_KIND as usize], Handler::None)
    }

    /// Counts a choice played; makes native code when there were enough.
    #[inline]
    pub(crate) fn warm_up(self: &Arc<Program>) {
        if self.warmth.native.get().is_none() && self.warmth.played.fetch_add(1, Ordering::Relaxed) == WARM {
            self.go_native();
        }
    }

    /// Makes native code at once.
    pub fn go_native(self: &Arc<Program>) {
        self.warmth.native.get_or_init(|| {
            let interpreted = self.interpreted || std::env::var_os("HOUSERULES_INTERPRET").is_some();
            if interpreted { None } else { Native::compile(self).map(Box::new) }
        });
    }
}

/// Says where an origin is, as `file:line`.
pub type Locate = Arc<dyn Fn(Origin) -> Option<String> + Send + Sync>;

#[derive(Clone, Debug)]
pub struct LabelInfo {
    pub name: NameId,
    /// The attributes anybody gives or sets; they stand in the first registers after `self`.
    pub attributes: Vec<NameId>,
}

/// What answers a label for one kind.
#[derive(Clone, Debug, Default)]
pub enum Handler {
    #[default]
    None,
    Single(Woven),
    /// By the index of the state.
    ByState(Vec<Option<Woven>>),
}

/// Laws, behavior and side-effects of one message as one function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Woven {
    pub full: FuncId,
    /// For actions: as far as something could still refuse.
    pub test: FuncId,
    /// For actions without attributes: the laws that look at the receiver and its neighbours only.
    pub keep: Option<FuncId>,
    /// For games in which some action that is always open has attributes.
    pub split: Option<Split>,
}

/// The laws of an action by how early they can be asked, and what is left once they have passed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// The laws that read neither attributes nor the receiver: asked once for all receivers.
    pub once: Option<FuncId>,
    /// The laws that read only the receiver's own properties and who plays: what they say is kept.
    pub own: Option<FuncId>,
    /// The other laws that read no attributes.
    pub each: Option<FuncId>,
    /// Everything but those laws.
    pub rest: FuncId,
    /// The same as far as something could still refuse; none if nothing can.
    pub test: Option<FuncId>,
}

#[derive(Clone)]
pub struct ActionCode {
    pub name: Name,
    pub label: LabelId,
    pub to: Receivers,
    /// Index into the label's attributes, and the function that lists the values, by kind of the receiver.
    pub with: Vec<(u16, Vec<Option<FuncId>>)>,
    pub words: Option<Name>,
    pub when_asked: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Receivers {
    Game,
    Kind(KindId),
    Computed(FuncId),
}

#[derive(Clone, PartialEq, Debug)]
pub struct RuleInfo {
    pub name: Name,
    pub text: NameId,
    pub kind: RuleKind,
    pub mode: Mode,
    pub origin: Origin,
}

/// What counts for "the same position".
#[derive(Clone, Debug)]
pub struct HistoryCode {
    /// Kinds whose things count, as a set over kinds; and properties of the game; and defines of the game.
    pub kinds: Vec<bool>,
    pub props: Vec<PropId>,
    pub defines: Vec<FuncId>,
    pub by_player: bool,
}

impl HistoryCode {
    /// Whether positions laid out alike are surely called the same; what a define says may change with any rule.
    pub fn is_like(&self, other: &HistoryCode) -> bool {
        let defines = !self.defines.is_empty() || !other.defines.is_empty();
        !defines
            && self.by_player == other.by_player
            && self.props == other.props
            && self.kinds.iter().eq(other.kinds.iter().take(self.kinds.len()))
    }
}

#[derive(Clone, Debug)]
pub struct SettingInfo {
    pub name: Name,
    pub value: Const,
    pub range: Option<String>,
    pub text: Option<Name>,
}

/// Texts and names, numbered.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    list: Vec<Name>,
    index: BTreeMap<Name, u32>,
}

impl Texts {
    pub fn id(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.index.get(text) {
            return id;
        }
        let name: Name = text.into();
        self.list.push(name.clone());
        self.index.insert(name, self.list.len() as u32 - 1);
        self.list.len() as u32 - 1
    }

    pub fn find(&self, text: &str) -> Option<u32> {
        self.index.get(text).copied()
    }

    pub fn has(&self, id: u32) -> bool {
        (id as usize) < self.list.len()
    }

    pub fn get(&self, id: u32) -> &Name {
        &self.list[id as usize]
    }
}
