//! Native code for functions that never stop in the middle.
//!
//! The register code is the input: what a function does in native code is what the interpreter would do with it,
//! instruction by instruction. Forms and rare instructions call back into the machine. Native code cannot stop for an
//! answer: where it would have to, it gives up, and whoever tried it takes everything back and lets the interpreter do
//! the same, whose frames are data. Only functions that never stop are entered where nothing could be taken back.

mod answers;
mod calls;
mod chains;
mod dispatch;
mod emit;
mod even;
mod extents;
mod helpers;
mod inline;
mod known;
mod laid;
mod lane;
mod links;
mod lister;
mod lists;
mod looks;
mod making;
mod memos;
mod moving;
mod ops;
mod pairs;
mod picking;
mod places;
mod plainly;
mod plans;
mod rays;
mod reach;
mod regions;
mod spans;
mod supposing;
mod tails;
mod values;
mod watching;
mod windows;

pub(crate) use chains::Chains;
pub(crate) use laid::directions;
pub(crate) use lister::{End, Lies, Lister};
pub(crate) use memos::Given;

use crate::code::{FuncId, MOST_ARGS, Measure, PropId};
use crate::facts;
use crate::layout;
use crate::plan::Plan;
use crate::program::{Handler, Program, Woven};
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::{Machine, Run, Stop};
use crate::world::{EntityId, GAME_KIND, NOBODY};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use lane::Lane;
use making::Piece;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Not a value: the machine holds why it stopped.
pub(crate) const STOP: u64 = 12 << 48;
/// Not a value: a law refused, and the machine holds which.
pub(crate) const REFUSED: u64 = 13 << 48;
/// Not a value: the thing does not have what was asked for.
pub(crate) const MISSING: u64 = 14 << 48;

/// Longer functions stay with the interpreter: nobody waits for them to be compiled.
const MOST_CODE: usize = 6_000;
/// Below this much stack, recursion goes on on a new one.
const STACK_LEFT: usize = 96 << 10;
const MORE_STACK: usize = 4 << 20;

/// The native code of a program.
pub struct Native {
    addresses: Vec<Option<usize>>,
    /// For each candidate of `plain` the code of its action; 0 where that depends on more than the receiver.
    plain: Vec<usize>,
    lane: Option<Lane>,
    /// Draws the attributes of the only action, where they are places that walks reach.
    drawing: Option<usize>,
    /// For each action the code that lists it, where there is such code.
    listers: Vec<Option<Lister>>,
    all_listed: bool,
    /// For each action how the laws that read no receiver are asked.
    gates: Vec<Gate>,
    /// For each action the code of its only handler, if there is one for all who can receive it.
    soles: Vec<Option<Woven>>,
    /// Functions that take the receiver and nothing else, and never stop.
    single: Vec<bool>,
    /// Functions that may stop for an answer.
    stops: Vec<bool>,
    recurs: bool,
    begins_turns: bool,
    /// Who draws and who answers.
    plan: Plan,
    module: Option<JITModule>,
    /// What the code reads by address.
    tables: Tables,
}

// SAFETY: the code is never changed once made, and the module is only touched to free it.
#[allow(unsafe_code, reason = "the module has a pointer to its code")]
unsafe impl Send for Native {}
// SAFETY: as above.
#[allow(unsafe_code, reason = "the module has a pointer to its code")]
unsafe impl Sync for Native {}

/// Things that never change in play, laid out for native code. The addresses are part of the code.
pub(crate) struct Tables {
    /// For each direction and entity the next place as a value.
    pub steps: Vec<Box<[u64]>>,
    /// The address of each table of steps, by direction.
    pub ways: Box<[u64]>,
    /// The same for each set of directions, on the first board.
    pub sets: Vec<Box<[u64]>>,
    /// For each relative direction and seat the address of the table of steps on the first board; 0: there is none.
    pub relative: Vec<Box<[u64]>>,
    /// For properties that lines are looked for along, and each direction: from each slot of the property to that of
    /// the next place.
    pub beyond: BTreeMap<PropId, Vec<Box<[u32]>>>,
    /// For sets of directions and properties that groups are looked for along.
    pub regions: BTreeMap<(u16, PropId), Box<regions::Region>>,
    pub pairs: pairs::Pairs,
    /// Whether going on in a direction can lead back.
    pub rounds: Vec<bool>,
    pub tracked: Option<windows::Tracked>,
    pub rays: Option<rays::Rays>,
    pub reaches: reach::Reaches,
    /// For each function the things among which its receiver is.
    pub receivers: Vec<Option<(EntityId, EntityId)>>,
    /// Row, column and number of each entity as values.
    pub rows: Box<[u64]>,
    pub columns: Box<[u64]>,
    pub numbers: Box<[u64]>,
    pub laid: laid::Laid,
    /// For each pick and place the directions and places that can be reached, as tables of steps and values.
    pub picks: Vec<Box<[u64]>>,
    pub links: links::Links,
    pub defines: dispatch::Defines,
    pub memos: Box<memos::Memos>,
}

impl Tables {
    fn of(program: &Program, facts: &[facts::Facts]) -> Tables {
        let world = &program.world;
        let whole = |number: i64| Value::whole(number).unwrap_or(Value::NIL).0;
        let steps: Vec<Box<[u64]>> = (0..world.directions.names.len())
            .map(|way| {
                (0..world.entities.len() as u32)
                    .map(|from| Value::maybe(world.directions.step(way as _, from)).0)
                    .collect()
            })
            .collect();
        let address = |way: usize| steps[way].as_ptr() as u64;
        let ways: Box<[u64]> = (0..steps.len()).map(address).collect();
        let rounds: Vec<bool> = (0..world.directions.names.len()).map(|way| leads_back(program, way as _)).collect();
        Tables {
            laid: laid::Laid::of(program, &ways),
            picks: program.picks.iter().map(|pick| picking::table(pick, &ways)).collect(),
            links: links::Links::of(program),
            defines: dispatch::Defines::of(program),
            memos: Box::new(memos::Memos::of(program, facts)),
            relative: (0..crate::world::RELATIVE.len())
                .map(|turn| {
                    let seat = |seat: u32| {
                        let board = world.boards.first()?;
                        world.directions.turned(board, 0, seat as usize, turn).map(|way| address(way as usize))
                    };
                    (0..world.n_seats).map(|at| seat(at).unwrap_or(0)).collect()
                })
                .collect(),
            sets: program
                .sets
                .iter()
                .map(|boards| boards.first().into_iter().flatten().map(|&way| address(way as usize)).collect())
                .collect(),
            ways,
            steps,
            beyond: lines(program),
            regions: plans::regions(program),
            pairs: pairs::Pairs::of(program, &rounds),
            tracked: windows::Tracked::of(program, &rounds),
            rays: rays::Rays::of(program),
            reaches: reach::Reaches::of(program),
            receivers: Vec::new(),
            rounds,
            rows: world.entities.iter().map(|thing| whole(i64::from(thing.row))).collect(),
            columns: world.entities.iter().map(|thing| whole(i64::from(thing.column))).collect(),
            numbers: world.entities.iter().map(|thing| Value::small(thing.number).0).collect(),
        }
    }
}

impl Tables {
    /// The region of whose places it is known which hang together.
    fn chains(&self) -> Option<&regions::Region> {
        self.regions.values().find(|region| !region.links.is_empty()).map(|region| &**region)
    }

    /// The region of a group whose places are known as chains, and the register that says what they hold.
    fn chained(&self, group: &crate::code::Group) -> Option<(&regions::Region, crate::code::Reg)> {
        let (crate::code::Ways::Set(set), crate::code::Test::Equal(prop, wanted)) = (&group.ways, group.while_) else {
            return None;
        };
        // Chains are known of one region only.
        let (known, region) = self.regions.iter().find(|(_, region)| !region.links.is_empty())?;
        (*known == (*set, prop)).then_some((&**region, wanted))
    }
}

fn lines(program: &Program) -> BTreeMap<PropId, Vec<Box<[u32]>>> {
    let mut found = BTreeMap::new();
    for line in &program.pools.lines {
        let Measure::Property(prop) = line.measure else { continue };
        let (first, end, _) = program.layout.column(prop);
        let beyond = |way: usize| {
            let next = |from: EntityId| match program.world.directions.step(way as _, from) {
                NOBODY => layout::NOTHING,
                place => program.layout.slot(prop, place).unwrap_or(layout::NOTHING),
            };
            (first..end).map(next).collect()
        };
        found.entry(prop).or_insert_with(|| (0..program.world.directions.names.len()).map(beyond).collect());
    }
    found
}

/// Whether somebody who goes on in one direction can come around.
fn leads_back(program: &Program, way: crate::world::DirId) -> bool {
    let n = program.world.entities.len();
    (0..n as u32).any(|from| {
        let mut place = from;
        for _ in 0..=n {
            place = program.ahead.step(way, place);
            if place == crate::world::NOBODY {
                return false;
            }
        }
        true
    })
}

impl Drop for Native {
    #[allow(unsafe_code, reason = "only its owner knows that code is no longer run")]
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: a program is dropped when no position plays it, so none of its code is running.
            unsafe { module.free_memory() };
        }
    }
}

impl Native {
    /// Compiles whatever never stops. The code knows the program by its address, so that must not move, and it is owned
    /// by the program, so that lives as long. None where this computer is not supported.
    pub(crate) fn compile(program: &Arc<Program>) -> Option<Native> {
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        flags.set("use_colocated_libcalls", "false").ok()?;
        flags.set("is_pic", "false").ok()?;
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa.clone(), default_libcall_names()));
        let facts = facts::of_functions(program);
        let mut tables = Tables::of(program, &facts);
        let reached = facts::reached(program);
        let chosen: Vec<bool> = program
            .functions
            .iter()
            .zip(&reached)
            .map(|(function, &reached)| {
                reached
                    && !facts::asks_at_once(function)
                    && (1..=MOST_ARGS).contains(&(function.n_args as usize))
                    && function.code.len() <= MOST_CODE
            })
            .collect();
        // Who calls something that stays with the interpreter reaches it through a helper; a direct call needs code.
        let firsts = facts::alike::firsts(program, &chosen);
        tables.receivers = facts::receivers::of(program, &firsts);
        let mut pieces = Vec::new();
        let mut declare = |piece: Piece, n_args: usize| {
            let signature = making::signature(&*isa, 2 + n_args);
            let id = module.declare_anonymous_function(&signature).ok()?;
            pieces.push((piece, id));
            Some(id)
        };
        let mut ids = Vec::new();
        for (at, function) in program.functions.iter().enumerate() {
            let id = match chosen[at] {
                true if firsts[at] < at => ids[firsts[at]],
                true => Some(declare(Piece::Function(at as FuncId), function.n_args as usize)?),
                false => None,
            };
            ids.push(id);
        }
        let mut listers = Vec::new();
        if let Some(sampler) = &program.sampler {
            if sampler.picked.is_some() {
                declare(Piece::Drawing, 1)?;
            }
            let actions = (0..program.actions.len()).filter(|_| program.may(Shortcut::Listing));
            listers = actions.map(|action| lister::of(program, &facts, &ids, action)).collect();
            for action in (0..listers.len()).filter(|&action| listers[action].is_some()) {
                declare(Piece::List(action), 2)?;
            }
        }
        listers.resize_with(program.actions.len(), || None);
        let source = emit::Source { program, facts: &facts, tables: &tables, ids: &ids, isa: &*isa };
        let made = making::all(source, &pieces)?;
        for made in &made {
            module.define_function_bytes(made.id, made.alignment, &made.code, &made.relocations).ok()?;
        }
        module.finalize_definitions().ok()?;
        let address = |id| module.get_finalized_function(id) as usize;
        let addresses: Vec<Option<usize>> = ids.iter().map(|id| id.map(address)).collect();
        let mut drawing = None;
        for made in &made {
            match made.piece {
                Piece::Function(_) => {}
                Piece::Drawing => drawing = Some(address(made.id)),
                Piece::List(action) => {
                    listers[action] = listers[action].map(|lister| Lister { address: address(made.id), ..lister });
                }
            }
        }
        if std::env::var_os("HOUSERULES_PERF").is_some() {
            map(made.iter().map(|made| (making::name(source, made.piece), address(made.id), made.code.len())));
        }
        tables.defines.fill(program, &addresses);
        let recurs = facts.iter().any(|facts| facts.recurs);
        let single = program
            .functions
            .iter()
            .zip(&facts)
            .map(|(function, facts)| function.n_args == 1 && !facts.stops)
            .collect();
        let stops = facts.iter().map(|facts| facts.stops).collect();
        let mut native = Native {
            addresses,
            plain: Vec::new(),
            lane: None,
            drawing,
            listers,
            all_listed: false,
            gates: Vec::new(),
            soles: Vec::new(),
            single,
            stops,
            recurs,
            begins_turns: false,
            plan: Plan::default(),
            module: Some(module),
            tables,
        };
        native.plain = program
            .plain
            .iter()
            .map(|&(action, receiver)| {
                let kind = program.world.entities[receiver as usize].kind;
                match &program.handlers[program.actions[action as usize].label as usize][kind as usize] {
                    Handler::Single(woven) => native.single(woven.full).unwrap_or(0),
                    _ => 0,
                }
            })
            .collect();
        // A law about the turn refuses an action only; nobody acts when a turn begins.
        let refuses = |func: FuncId| {
            program.functions[func as usize].code.iter().any(|op| matches!(op, crate::code::Op::Refuse { .. }))
        };
        let tellable = |woven: &Woven| native.address(woven.full).is_some() && !refuses(woven.full);
        native.begins_turns = match &program.handlers[program.turn as usize][GAME_KIND as usize] {
            Handler::None => true,
            Handler::Single(woven) => tellable(woven),
            Handler::ByState(states) => states.iter().flatten().all(tellable),
        };
        native.lane = lane::of(program, &native);
        for action in &program.actions {
            let handlers = || program.handlers[action.label as usize].iter();
            let mut woven = handlers().filter_map(|handler| match handler {
                Handler::Single(woven) => Some(*woven),
                _ => None,
            });
            let alone = handlers().filter(|handler| !matches!(handler, Handler::None)).count() == 1;
            let sole = woven.next().filter(|_| alone);
            native.soles.push(sole);
            native.gates.push(match sole.and_then(|woven| woven.split).map(|split| split.once) {
                Some(None) => Gate::Open,
                Some(Some(once)) if let Some(other) = facts::forbidding(program, once) => Gate::Unless(other),
                Some(Some(once)) if program.functions[once as usize].n_args <= 4 => {
                    native.complete(once).map_or(Gate::Slow, Gate::Code)
                }
                _ => Gate::Slow,
            });
        }
        // Only what can be listed whatever rules are left out is asked for without asking the law itself.
        for at in 0..native.gates.len() {
            if let Gate::Unless(other) = native.gates[at] {
                let firm = native.listers[other].is_some_and(|lister| lister.surely && lister.firmly);
                if !firm || native.gates[other] != Gate::Open {
                    native.gates[at] = Gate::Slow;
                }
            }
        }
        let drawn = |drawn: &crate::sampler::Drawn| {
            program.actions[drawn.action].with.is_empty()
                || (drawn.tickets.is_none() && native.listers[drawn.action].is_some())
        };
        native.all_listed = program.sampler.as_ref().is_some_and(|sampler| sampler.actions.iter().all(drawn));
        native.plan = Plan::of(program, Some(&native));
        Some(native)
    }

    #[inline]
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The functions that play can reach and that are not native code.
    pub(crate) fn left_out(&self, program: &Program) -> Vec<FuncId> {
        let reached = facts::reached(program);
        (0..self.addresses.len() as FuncId)
            .filter(|&func| reached[func as usize] && self.addresses[func as usize].is_none())
            .collect()
    }

    pub(crate) fn memos(&self) -> &memos::Memos {
        &self.tables.memos
    }

    #[inline]
    pub(crate) fn gate(&self, action: usize) -> Gate {
        self.gates[action]
    }

    #[inline]
    pub(crate) fn sole(&self, action: usize) -> Option<Woven> {
        self.soles[action]
    }

    /// The code that lists an action.
    #[inline]
    pub(crate) fn lister(&self, action: usize) -> Option<&Lister> {
        self.listers[action].as_ref()
    }

    /// Whether every action can be drawn from what native code lists.
    #[inline]
    pub(crate) fn lists(&self) -> bool {
        self.all_listed
    }

    pub(crate) fn lane(&self) -> Option<&Lane> {
        self.lane.as_ref()
    }

    /// The code that draws attributes by where their places lie.
    pub(crate) fn drawing(&self) -> Option<usize> {
        self.drawing
    }

    /// The code of a function that takes the receiver and nothing else.
    #[inline]
    pub(crate) fn single(&self, func: FuncId) -> Option<usize> {
        self.addresses[func as usize].filter(|_| self.single[func as usize])
    }

    /// The code that answers for a candidate of `plain`.
    #[inline]
    pub(crate) fn plain_address(&self, program: &Program, machine: &Machine, at: usize) -> Option<usize> {
        match self.plain[at] {
            0 => {
                let (action, receiver) = program.plain[at];
                let woven = machine.handler(program, program.actions[action as usize].label, receiver)?;
                self.single(woven.full)
            }
            address => Some(address),
        }
    }

    /// The code of a function that never stops for an answer.
    #[inline]
    pub(crate) fn complete(&self, func: FuncId) -> Option<usize> {
        self.addresses[func as usize].filter(|_| !self.stops[func as usize])
    }

    /// Whether all that the game does when a turn begins is native code.
    #[inline]
    pub(crate) fn begins_turns(&self) -> bool {
        self.begins_turns
    }

    /// Whether a function may stop for an answer.
    #[inline]
    pub(crate) fn may_stop(&self, func: FuncId) -> bool {
        self.stops[func as usize]
    }

    /// The code of a function. Where it would have to stop for an answer it gives up, and the caller has to take back
    /// what it did.
    #[inline]
    pub(crate) fn address(&self, func: FuncId) -> Option<usize> {
        self.addresses[func as usize]
    }
}

/// Tells a profiler which function lies where: `perf` looks for such a file.
fn map(functions: impl Iterator<Item = (String, usize, usize)>) {
    let mut text = String::new();
    for (name, address, size) in functions {
        text += &format!("{address:x} {size:x} {name}\n");
    }
    let path = std::env::temp_dir().join(format!("perf-{}.map", std::process::id()));
    let written = std::fs::OpenOptions::new().create(true).append(true).open(path);
    // A profile without names is still a profile.
    let _ = written.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
}

/// How the laws of an action that read no receiver are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gate {
    /// There are none.
    Open,
    /// Whoever can make this action may not make the other.
    Unless(usize),
    Code(usize),
    Slow,
}

/// How native code ended, where nobody asks for more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Done,
    Refused,
    Stopped,
}

/// Where the stacks that native code uses end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    top: usize,
    gathered: usize,
    depth: u64,
    skipped: usize,
}

impl Machine {
    /// Runs native code that takes the receiver and nothing else, as the action.
    #[inline]
    pub(crate) fn run_native(&mut self, native: &Native, address: usize, receiver: u64) -> Outcome {
        self.guard_stack(native);
        self.run_guarded(address, receiver)
    }

    /// The same where the end of the stack is known.
    #[inline]
    pub(crate) fn run_guarded(&mut self, address: usize, receiver: u64) -> Outcome {
        let rest = self.rest();
        match self.enter_single(address, receiver) {
            STOP => {
                self.put_at_rest(rest);
                Outcome::Stopped
            }
            REFUSED => {
                self.put_at_rest(rest);
                Outcome::Refused
            }
            _ => Outcome::Done,
        }
    }

    /// The same where the caller puts the machine at rest if it did not come to its end.
    #[inline]
    pub(crate) fn run_bare(&mut self, address: usize, receiver: u64) -> Outcome {
        match self.enter_single(address, receiver) {
            STOP => Outcome::Stopped,
            REFUSED => Outcome::Refused,
            _ => Outcome::Done,
        }
    }

    #[allow(unsafe_code, reason = "native code is entered by address")]
    #[inline]
    fn enter_single(&mut self, address: usize, receiver: u64) -> u64 {
        // SAFETY: as in `enter_native`.
        unsafe {
            std::mem::transmute::<usize, extern "C" fn(*mut Machine, u64, u64) -> u64>(address)(self, 1, receiver)
        }
    }

    /// How far the machine's own stacks reach.
    #[inline]
    pub(crate) fn rest(&self) -> Rest {
        Rest { top: self.top, gathered: self.gathered.len(), depth: self.depth, skipped: self.skipped.len() }
    }

    /// After native code that did not come to its end.
    #[inline]
    pub(crate) fn put_at_rest(&mut self, rest: Rest) {
        self.top = rest.top;
        self.depth = rest.depth;
        self.gathered.truncate(rest.gathered);
        // A law that steps aside for itself and refuses has not come back.
        self.skipped.truncate(rest.skipped);
        self.pending = None;
    }

    /// Asks laws that are native code and take at most four arguments; none if they stopped.
    #[allow(unsafe_code, reason = "native code is entered by address")]
    #[inline]
    pub(crate) fn run_law(&mut self, native: &Native, address: usize, receiver: u64) -> Option<bool> {
        let (top, gathered, depth, skipped) = (self.top, self.gathered.len(), self.depth, self.skipped.len());
        self.guard_stack(native);
        // SAFETY: as in `enter_native`; arguments beyond those of the function are in registers it does not read.
        let word = unsafe {
            std::mem::transmute::<usize, extern "C" fn(*mut Machine, u64, u64, u64, u64, u64) -> u64>(address)(
                self, 1, receiver, 0, 0, 0,
            )
        };
        (self.top, self.depth) = (top, depth);
        // A law that steps aside for itself and refuses has not come back.
        self.skipped.truncate(skipped);
        match word {
            REFUSED => {
                self.gathered.truncate(gathered);
                Some(false)
            }
            STOP => {
                self.gathered.truncate(gathered);
                self.pending = None;
                None
            }
            _ => Some(true),
        }
    }

    #[inline]
    pub(crate) fn guard_stack(&mut self, native: &Native) {
        if native.recurs {
            self.end_stack(stacker::remaining_stack().unwrap_or(0));
        }
    }

    /// Native code may use so much of the stack, but for what helpers need.
    #[inline]
    fn end_stack(&mut self, left: usize) {
        let mark = 0u8;
        let here = &raw const mark as usize;
        self.stack_limit = (here - left.min(here)).saturating_add(STACK_LEFT);
    }

    /// Runs native code from inside a form, on another stack where little is left of this one.
    #[inline]
    pub(crate) fn nested_natively<T>(&mut self, native: &Native, run: impl FnOnce(&mut Self) -> T) -> T {
        let left = stacker::remaining_stack().unwrap_or(0);
        self.nested_with(left, |machine, grown| {
            match grown {
                true => machine.guard_stack(native),
                false => machine.end_stack(left),
            }
            run(machine)
        })
    }

    /// Whether there is enough stack for what is nested, asked by native code, which knows where the stack ends if anything
    /// recurs.
    #[inline]
    pub(crate) fn has_stack(&self, native: &Native) -> bool {
        let mark = 0u8;
        let left = match native.recurs {
            true => (&raw const mark as usize).saturating_sub(self.stack_limit) + STACK_LEFT,
            false => stacker::remaining_stack().unwrap_or(0),
        };
        left >= crate::vm::STACK_LEFT
    }

    /// Runs native code; arguments that are not given are nil.
    #[inline]
    pub(crate) fn enter_native(
        &mut self,
        native: &Native,
        address: usize,
        n_args: u16,
        given: &[u64],
        action: bool,
    ) -> Run<Value> {
        let (top, gathered, depth) = (self.top, self.gathered.len(), self.depth);
        self.guard_stack(native);
        let word = self.enter(address, n_args, given, action);
        self.top = top;
        self.depth = depth;
        match word {
            REFUSED => {
                self.gathered.truncate(gathered);
                Err(Stop::Refused { rule: self.refused.0, reason: self.refused.1 })
            }
            STOP => {
                self.gathered.truncate(gathered);
                Err(self.pending.take().expect("who stops says why"))
            }
            word => Ok(Value(word)),
        }
    }

    /// The same as the action, where nobody asks what it gave or why it stopped.
    #[inline]
    pub(crate) fn run_action(&mut self, native: &Native, address: usize, given: &[u64]) -> Outcome {
        let rest = self.rest();
        self.guard_stack(native);
        let word = self.enter(address, given.len() as u16, given, true);
        match word {
            REFUSED | STOP => {
                self.put_at_rest(rest);
                if word == REFUSED { Outcome::Refused } else { Outcome::Stopped }
            }
            _ => {
                (self.top, self.depth) = (rest.top, rest.depth);
                Outcome::Done
            }
        }
    }

    #[allow(unsafe_code, reason = "native code is entered by address")]
    #[inline]
    fn enter(&mut self, address: usize, n_args: u16, given: &[u64], action: bool) -> u64 {
        let mut args = [0; MOST_ARGS];
        args[..given.len()].copy_from_slice(given);
        let [a, b, c, d, e, f] = args;
        let machine: *mut Machine = self;
        let flag = u64::from(action);
        // SAFETY: the address is that of a function with this many arguments, compiled for this program; the code
        // reaches the machine through the pointer only, and nobody else uses it meanwhile.
        unsafe {
            use std::mem::transmute as as_fn;
            match n_args {
                1 => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64) -> u64>(address)(machine, flag, a),
                2 => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64, u64) -> u64>(address)(machine, flag, a, b),
                3 => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64, u64, u64) -> u64>(address)(
                    machine, flag, a, b, c,
                ),
                4 => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64, u64, u64, u64) -> u64>(address)(
                    machine, flag, a, b, c, d,
                ),
                5 => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64, u64, u64, u64, u64) -> u64>(address)(
                    machine, flag, a, b, c, d, e,
                ),
                _ => as_fn::<usize, extern "C" fn(*mut Machine, u64, u64, u64, u64, u64, u64, u64) -> u64>(address)(
                    machine, flag, a, b, c, d, e, f,
                ),
            }
        }
    }

    /// Goes on with a recursive function on a new stack.
    fn deeper(&mut self, program: &Program, func: FuncId, action: bool, args: &[u64]) -> Run<Value> {
        if self.depth >= self.deepest {
            return Err(self.too_deep());
        }
        let native = program.native().expect("this is called from native code");
        let address = native.address(func).expect("the code that called");
        let limit = self.stack_limit;
        let result = stacker::grow(MORE_STACK, || self.enter_native(native, address, args.len() as u16, args, action));
        self.stack_limit = limit;
        result
    }
}
