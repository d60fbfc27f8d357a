//! Drawing from a walk by where its places lie.
//!
//! A walk in all directions lists many places, of which one is wanted. The places that it could reach from where it
//! begins are known beforehand, and each of them is reached in one way only. So one of these is drawn, and nothing needs
//! to be looked at but the places on the way to it.

use crate::code::*;
use crate::plan::{Draw, Tried};
use crate::position::MachinePosition;
use crate::program::Program;
use crate::sampler::Picked;
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::{Machine, Run};
use crate::world::{DirId, EntityId, NOBODY};
use houserules_kernel::Generator;

/// Larger tables than this are not worth their memory.
const MOST_RAYS: usize = 1 << 16;

/// Tickets drawn before all attributes are listed.
const MOST_PICKS: u64 = 256;

/// A function that walks, and all places it could reach.
#[derive(Clone, Debug)]
pub struct Pick {
    pub func: FuncId,
    /// Gives where the walk begins.
    origin: FuncId,
    /// The places of the board: the first, and how many.
    pub first: EntityId,
    pub n: u32,
    /// So many could be reached from any of them at most.
    pub most: u32,
    /// For each place so many of them; nobody where there are fewer.
    pub rays: Vec<(DirId, EntityId)>,
}

/// The walks that attributes are drawn from. Adds the functions that say where they begin.
pub fn find(program: &mut Program) -> Vec<Pick> {
    let mut funcs: Vec<FuncId> = Vec::new();
    for action in program.actions.iter().filter(|action| !action.when_asked) {
        funcs.extend(action.with.iter().flat_map(|(_, by_kind)| by_kind.iter().flatten()));
    }
    let mut picks = Vec::new();
    for func in funcs {
        let Some((set, from)) = only_walks(program, &program.functions[func as usize]) else { continue };
        let Some((most, rays)) = rays(program, set) else { continue };
        let mut function = program.functions[func as usize].clone();
        let at = function.code.len() - 2;
        function.code[at] = Op::Return { src: from };
        let board = &program.world.boards[0];
        let (first, n) = (board.first, board.n);
        let origin = program.functions.len() as FuncId;
        program.functions.push(function);
        picks.push(Pick { func, origin, first, n, most, rays });
    }
    picks
}

/// The directions and the start of a walk, if a function does nothing but walk as far as it can.
fn only_walks(program: &Program, function: &Function) -> Option<(u16, Reg)> {
    let [before @ .., Op::Walk { dst, walk }, Op::Return { src }] = function.code.as_slice() else { return None };
    let walk = &program.pools.walks[*walk as usize];
    let Ways::Set(set) = walk.ways else { return None };
    let plain = walk.most.is_none() && walk.until.is_none() && walk.then.is_none() && dst == src;
    let arrives = |op: &Op| {
        !matches!(op, Op::Return { .. } | Op::Suppose { .. })
            && op.target().is_none_or(|to| to as usize <= before.len())
    };
    let fits = plain
        && (function.n_args as usize) < MOST_ARGS
        && before.iter().all(arrives)
        && program.world.boards.len() == 1;
    fits.then_some((set, walk.from))
}

/// For each place of the only board the places in the directions of a set, and how many there are at most. None where a
/// place could be reached in two ways, or where there are too many.
fn rays(program: &Program, set: u16) -> Option<(u32, Vec<(DirId, EntityId)>)> {
    let board = &program.world.boards[0];
    let mut by_place: Vec<Vec<(DirId, EntityId)>> = Vec::new();
    for from in board.first..board.first + board.n {
        let mut found: Vec<(DirId, EntityId)> = Vec::new();
        let mut known = vec![false; board.n as usize];
        for &way in &program.sets[set as usize][0] {
            let mut place = program.ahead.step(way, from);
            while place != NOBODY && place != from {
                if std::mem::replace(known.get_mut(place.wrapping_sub(board.first) as usize)?, true) {
                    return None;
                }
                found.push((way, place));
                place = program.ahead.step(way, place);
            }
        }
        by_place.push(found);
    }
    let most = by_place.iter().map(Vec::len).max().filter(|&most| most > 0)?;
    if most * by_place.len() > MOST_RAYS {
        return None;
    }
    for found in &mut by_place {
        found.resize(most, (0, NOBODY));
    }
    Some((most as u32, by_place.into_iter().flatten().collect()))
}

impl Machine {
    /// The place with this number among those that a walk could reach, if it does reach it.
    pub(crate) fn picked(
        &mut self,
        program: &Program,
        pick: &Pick,
        number: u32,
        args: &[u64; MOST_ARGS],
    ) -> Run<Option<Value>> {
        let from = self.attribute_list(program, pick.origin, args)?;
        let list = self.attribute_list(program, pick.func, args)?;
        let place = from.as_entity().map(|from| from.wrapping_sub(pick.first)).filter(|&place| place < pick.n);
        // From where there is no board, the members are numbered as they are listed.
        let Some(place) = place else { return Ok(self.drawn_member(program, list, number as usize)) };
        let (_, wanted) = pick.rays[(place * pick.most + number) as usize];
        let wanted = Value::maybe(wanted);
        let members = list.as_list().map_or(&[][..], |list| self.mem.members(list));
        Ok((!wanted.is_nil() && members.contains(&wanted.0)).then_some(wanted))
    }
    /// The attributes that a ticket stands for; false unless all of them are reached.
    fn pick_all(
        &mut self,
        program: &Program,
        picked: &Picked,
        digits: &[u64; MOST_ARGS],
        args: &mut [u64; MOST_ARGS],
    ) -> bool {
        let heap = self.mem.heap.len();
        let with = &program.actions[picked.action].with[1..];
        let reached = picked.picks.iter().zip(with).zip(&digits[1..]).all(|((&at, (attribute, _)), &number)| {
            // What cannot be listed is told by whoever lists everything.
            let found = self.picked(program, &program.picks[at], number as u32, args).ok().flatten();
            args[1 + *attribute as usize] = found.unwrap_or(Value::NIL).0;
            found.is_some()
        });
        self.mem.heap.truncate(heap);
        reached
    }
}

/// What a draw needs, and what came of it. Native code reads and writes it.
#[repr(C)]
pub(crate) struct Drawing {
    pub generator: *mut Generator,
    /// Tickets that may still be drawn.
    pub left: u64,
    /// How many receivers with a first attribute there are, and which.
    pub n: u64,
    pub pairs: *const [u64; 2],
    /// Which of these was drawn, and the number of each further attribute.
    pub digits: [u64; MOST_ARGS],
    pub args: [u64; MOST_ARGS],
}

impl MachinePosition {
    /// Draws places that walks might reach until they are reached and nothing refuses them.
    pub(crate) fn draw_picks(
        &mut self,
        program: &Program,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<Draw> {
        let Some(picked) = program.sampler.as_ref().and_then(|sampler| sampler.picked.as_ref()) else {
            return Ok(Draw::Unsuited);
        };
        let mut pairs = std::mem::take(&mut self.machine.tickets.pairs);
        let listed = self.machine.as_actor(player, |machine| machine.list_pairs(program, picked, player, &mut pairs));
        let drawn = match (listed, pairs.is_empty()) {
            (Ok(true), true) => Ok(Draw::Nobody),
            (Ok(true), false) => self.draw_pairs(program, picked, player, &pairs, generator, lean),
            _ => Ok(Draw::Unsuited),
        };
        self.machine.tickets.pairs = pairs;
        if drawn != Ok(Draw::Unsuited) {
            program.permits.take(Shortcut::Picks);
        }
        drawn
    }

    fn draw_pairs(
        &mut self,
        program: &Program,
        picked: &Picked,
        player: EntityId,
        pairs: &[[u64; 2]],
        generator: &mut Generator,
        lean: bool,
    ) -> Run<Draw> {
        let mut drawing = Drawing {
            generator,
            left: MOST_PICKS,
            n: pairs.len() as u64,
            pairs: pairs.as_ptr(),
            digits: [0; MOST_ARGS],
            args: [0; MOST_ARGS],
        };
        let code = &program.actions[picked.action];
        while self.machine.as_actor(player, |machine| machine.draw_ticket_of(program, picked, &mut drawing)) {
            let Some(receiver) = Value(drawing.args[0]).as_entity() else { continue };
            let Some(woven) = self.machine.handler(program, code.label, receiver) else { continue };
            let args = drawing.args;
            let lots = lean.then(|| drawing.lots());
            if self.try_rest(program, player, woven, &args, lots)? == Tried::Played {
                return Ok(Draw::Played);
            }
        }
        Ok(Draw::Unsuited)
    }
}

impl Machine {
    /// Draws until a ticket stands for places that are reached; false if none did.
    fn draw_ticket_of(&mut self, program: &Program, picked: &Picked, drawing: &mut Drawing) -> bool {
        let native = program.native().and_then(|native| Some((native, native.drawing()?)));
        while drawing.left > 0 {
            let drawn = match native {
                Some((native, address)) => self.draw_natively(native, address, drawing),
                None => {
                    drawing.draw(program, picked);
                    Ok(None)
                }
            };
            let reached = match drawn {
                Ok(Some(reached)) => reached,
                Ok(None) => {
                    let [receiver, first] = drawing.pair();
                    drawing.args = [0; MOST_ARGS];
                    drawing.args[0] = receiver;
                    drawing.args[1 + program.actions[picked.action].with[0].0 as usize] = first;
                    self.pick_all(program, picked, &drawing.digits, &mut drawing.args)
                }
                Err(_) => false,
            };
            if reached {
                return true;
            }
        }
        false
    }

    /// Lists who may receive the action, with each value of its first attribute; false where something is at fault.
    fn list_pairs(
        &mut self,
        program: &Program,
        picked: &Picked,
        player: EntityId,
        pairs: &mut Vec<[u64; 2]>,
    ) -> Run<bool> {
        pairs.clear();
        if !self.sync_roster(program) {
            return Ok(false);
        }
        let code = &program.actions[picked.action];
        let mut asked_once = false;
        self.any_enrolled(program, picked.action, player, |machine, receiver| {
            if !std::mem::replace(&mut asked_once, true) && !machine.passes_once(program, code, receiver)? {
                return Ok(Some(false));
            }
            let Some(woven) = machine.handler(program, code.label, receiver) else { return Ok(None) };
            if !machine.passes_each(program, woven, receiver)? || machine.has_twin_before(program, receiver) {
                return Ok(None);
            }
            let Some(func) = code.with[0].1[picked.kind as usize] else { return Ok(None) };
            let mut args = [0; MOST_ARGS];
            args[0] = Value::entity(receiver).0;
            let heap = machine.mem.heap.len();
            let listed = machine.attribute_list(program, func, &args)?;
            machine.pair(program, args[0], listed, pairs);
            // A list that is an attribute itself has to stay until it is drawn.
            if !pairs.last().is_some_and(|pair| Value(pair[1]).in_heap()) {
                machine.mem.heap.truncate(heap);
            }
            Ok(None)
        })?;
        Ok(true)
    }

    /// A receiver with each of the different members of a list.
    fn pair(&mut self, program: &Program, receiver: u64, listed: Value, pairs: &mut Vec<[u64; 2]>) {
        let from = pairs.len();
        // Places of the start are the usual ones: a bit each says which have been met.
        let mut met = [0u64; 8];
        for &word in listed.as_list().map_or(&[][..], |list| self.mem.members(list)) {
            let place = Value(word).as_entity().filter(|&place| place < 512).unwrap_or(NOBODY) as usize;
            if program.fixed.get(place) != Some(&true) {
                pairs.truncate(from);
                break;
            }
            let bit = 1 << (place % 64);
            if met[place / 64] & bit == 0 {
                pairs.push([receiver, word]);
            }
            met[place / 64] |= bit;
        }
        if pairs.len() == from {
            let mut members = std::mem::take(&mut self.members);
            let first = members.len();
            self.list_members(program, listed, &mut members);
            pairs.extend(members[first..].iter().map(|&word| [receiver, word]));
            members.truncate(first);
            self.members = members;
        }
    }
}
