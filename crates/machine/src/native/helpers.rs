//! What native code calls for everything that is not worth writing out.
#![allow(unsafe_code, reason = "called from native code with the addresses it was compiled with")]

use super::{MISSING, REFUSED, STOP};
use crate::code::*;
use crate::program::Program;
use crate::value::Value;
use crate::vm::{Here, Machine, Run, Stop};

/// A place in the code: function and instruction.
fn site(site: u64) -> (FuncId, usize) {
    ((site >> 32) as FuncId, site as u32 as usize)
}

/// Keeps why it stopped where the caller of native code finds it.
#[inline]
pub(super) fn finish(machine: &mut Machine, program: &Program, at: u64, result: Run<Value>) -> u64 {
    match result {
        Ok(value) => value.0,
        Err(stop) => stopped(machine, program, at, stop),
    }
}

#[cold]
fn stopped(machine: &mut Machine, program: &Program, at: u64, stop: Stop) -> u64 {
    match stop {
        Stop::Refused { rule, reason } => refuse(machine, u64::from(rule), reason.0),
        stop => {
            let (func, pc) = site(at);
            machine.pending = Some(stop.at(program.functions[func as usize].origin(pc)));
            STOP
        }
    }
}

/// A law refuses the action.
pub extern "C" fn refuse(machine: &mut Machine, rule: u64, reason: u64) -> u64 {
    machine.refused = (rule as RuleId, Value(reason));
    REFUSED
}

/// One instruction that neither jumps nor calls; its registers lie in memory.
pub extern "C" fn simple(machine: &mut Machine, program: &Program, at: u64, base: u64) -> u64 {
    let (func, pc) = site(at);
    let result = machine.simple(program, func, base as usize, program.functions[func as usize].code[pc]);
    finish(machine, program, at, result.map(|()| Value::NIL))
}

/// One instruction that calls; its registers lie in memory, its value is given back.
pub extern "C" fn calling(machine: &mut Machine, program: &Program, at: u64, base: u64) -> u64 {
    let (func, pc) = site(at);
    let here = Here { func, base: base as usize };
    let result = machine.carry_out(program, here, program.functions[func as usize].code[pc]);
    match result {
        Ok(Some(value)) => value.0,
        Ok(None) => MISSING,
        Err(stop) => finish(machine, program, at, Err(stop)),
    }
}

pub extern "C" fn rollback(machine: &mut Machine, program: &Program, at: u64, rule: u64, reason: u64) -> u64 {
    let stop = machine.roll_back(program, rule as RuleId, Value(reason));
    finish(machine, program, at, stop.and_then(Err))
}

pub extern "C" fn get_prop(machine: &mut Machine, program: &Program, at: u64, of: u64, prop: u64) -> u64 {
    let value = Value(of);
    let result = match value.as_entity() {
        Some(entity) => Ok(machine.prop(program, prop as PropId, entity)),
        None => machine.get_prop_slow(program, value, prop as PropId),
    };
    finish(machine, program, at, result)
}

pub extern "C" fn set_prop(machine: &mut Machine, program: &Program, at: u64, of: u64, prop: u64, value: u64) -> u64 {
    let result = machine.set_prop(program, Value(of), prop as PropId, Value(value));
    finish(machine, program, at, result.map(|()| Value::NIL))
}

/// Arithmetic and comparison of what is not plainly whole.
pub extern "C" fn number(machine: &mut Machine, program: &Program, at: u64, a: u64, b: u64) -> u64 {
    let (func, pc) = site(at);
    let (a, b) = (Value(a), Value(b));
    let result = match program.functions[func as usize].code[pc] {
        Op::Add { .. } => machine.add(program, a, b),
        Op::Sub { .. } => machine.subtract(program, a, b),
        Op::Le { .. } => machine.less(program, b, a).map(|more| Value::truth(!more)),
        Op::Look { look, .. } => match program.pools.looks[look as usize].quantifier {
            Quantifier::Max => machine.extreme(program, a, b, true),
            Quantifier::Min => machine.extreme(program, a, b, false),
            _ => machine.add(program, a, b),
        },
        _ => machine.less(program, a, b).map(Value::truth),
    };
    finish(machine, program, at, result)
}

pub extern "C" fn equal(machine: &mut Machine, a: u64, b: u64) -> u64 {
    u64::from(machine.equal(Value(a), Value(b)))
}

pub extern "C" fn next_player(machine: &mut Machine, player: u64) -> u64 {
    machine.next_player(Value(player), 1).0
}

/// Lays a list that never changes into the heap.
pub extern "C" fn lay(machine: &mut Machine, list: *const u64) -> u64 {
    // SAFETY: native code has the address from its tables, where a length is followed by so many members.
    let words = unsafe { std::slice::from_raw_parts(list, 1 + *list as usize) };
    let offset = machine.mem.heap.len() as u32;
    machine.mem.heap.extend_from_slice(words);
    Value::list(offset).0
}

pub extern "C" fn move_to(machine: &mut Machine, program: &Program, at: u64, thing: u64, place: u64) -> u64 {
    let result = machine.move_to(program, Value(thing), Value(place));
    finish(machine, program, at, result.map(|()| Value::NIL))
}

pub extern "C" fn remove(machine: &mut Machine, program: &Program, at: u64, thing: u64) -> u64 {
    let result = machine.remove(program, Value(thing));
    finish(machine, program, at, result.map(|()| Value::NIL))
}

/// Something is to be asked: whoever plays takes it all back and lets the interpreter do it, which can stop in the
/// middle; whoever only tries knows that nothing has refused. A question among nothing is none: it has its value.
pub extern "C" fn ask(machine: &mut Machine, program: &Program, at: u64, base: u64) -> u64 {
    let (func, pc) = site(at);
    let result = match machine.is_over() {
        true => Err(Stop::Finished),
        false if !machine.testing => Err(Stop::Asked),
        false => match machine.would_ask(program, base as usize, program.functions[func as usize].code[pc]) {
            Ok(false) => Ok(Value::NIL),
            Ok(true) => Err(Stop::Asked),
            Err(stop) => Err(stop),
        },
    };
    finish(machine, program, at, result)
}

/// A question of the action itself. In random play the answer is drawn at once, as it would be when it was asked for;
/// missing where it has to be asked.
pub extern "C" fn draw_answer(
    machine: &mut Machine,
    program: &Program,
    _at: u64,
    action: u64,
    who: u64,
    among: u64,
) -> u64 {
    drawn(action, || machine.draw_answer(program, Value(who), Value(among)))
}

/// Dice thrown by the action itself, as `draw_answer`.
pub extern "C" fn roll(machine: &mut Machine, _: &Program, _at: u64, action: u64, sides: u64, times: u64) -> u64 {
    let times = (times != MISSING).then_some(Value(times));
    drawn(action, || machine.draw_roll(Value(sides), times))
}

/// A number drawn by the action itself, as `draw_answer`.
pub extern "C" fn random(machine: &mut Machine, _: &Program, _at: u64, action: u64, from: u64, to: u64) -> u64 {
    drawn(action, || machine.draw_between(Value(from), Value(to)))
}

/// A member drawn by the action itself, as `draw_answer`.
pub extern "C" fn random_of(machine: &mut Machine, _: &Program, _at: u64, action: u64, list: u64) -> u64 {
    drawn(action, || machine.draw_member(Value(list)))
}

fn drawn(action: u64, draw: impl FnOnce() -> Option<Value>) -> u64 {
    (action != 0).then(draw).flatten().map_or(MISSING, |value| value.0)
}

pub extern "C" fn toward(machine: &mut Machine, program: &Program, at: u64, a: u64, b: u64) -> u64 {
    let result = machine.toward(program, Value(a), Value(b));
    finish(machine, program, at, result)
}

pub extern "C" fn is_a(machine: &mut Machine, program: &Program, at: u64, of: u64, kind: u64) -> u64 {
    let result = machine.is_a(program, Value(of), Value(kind));
    finish(machine, program, at, result.map(Value::truth))
}

/// Whether a player has a legal choice.
pub extern "C" fn can(machine: &mut Machine, program: &Program, at: u64, label: u64, player: u64) -> u64 {
    if let Some(found) = machine.can_among_few(program, label as LabelId, Value(player)) {
        return Value::truth(found).0;
    }
    let result = machine.can(program, label as LabelId, Value(player));
    finish(machine, program, at, result.map(Value::truth))
}

/// How often the present position stood before.
pub extern "C" fn seen(machine: &mut Machine, program: &Program, at: u64) -> u64 {
    let result = machine.seen(program, None);
    finish(machine, program, at, result)
}

pub extern "C" fn match_key(machine: &mut Machine, program: &Program, at: u64, key: u64, dictionary: u64) -> u64 {
    let result = machine.match_key(program, Value(key), Value(dictionary));
    finish(machine, program, at, result)
}

pub extern "C" fn put_key(
    machine: &mut Machine,
    program: &Program,
    at: u64,
    value: u64,
    key: u64,
    dictionary: u64,
) -> u64 {
    let result = machine.put_key(program, Value(value), Value(key), Value(dictionary));
    finish(machine, program, at, result)
}

pub extern "C" fn set_outcome(machine: &mut Machine, program: &Program, at: u64, winner: u64) -> u64 {
    let result = machine.win(program, Value(winner));
    finish(machine, program, at, result.map(|()| Value::NIL))
}

pub extern "C" fn draw(machine: &mut Machine, program: &Program, _: u64) -> u64 {
    machine.draw(program);
    Value::NIL.0
}

/// Room for more registers.
pub extern "C" fn more_registers(machine: &mut Machine, top: u64) {
    machine.regs.resize(top as usize, 0);
}

pub extern "C" fn more_journal(machine: &mut Machine) {
    machine.mem.journal.make_room(1);
}

pub extern "C" fn room_to_gather(machine: &mut Machine, n: u64) {
    machine.gathered.make_room(n as usize);
}

pub extern "C" fn more_gathered(machine: &mut Machine) {
    machine.gathered.make_room(1);
}

/// What was gathered since `from`, as a list.
pub extern "C" fn gathered(machine: &mut Machine, program: &Program, at: u64, from: u64) -> u64 {
    let from = from as usize;
    let n = (machine.gathered.len() - from) as u64;
    let list = machine.mem.begin();
    machine.mem.heap.extend_from_slice(&machine.gathered[from..]);
    let list = machine.mem.end(list);
    machine.gathered.truncate(from);
    let result = machine.spend(n).and_then(|()| machine.check_memory());
    finish(machine, program, at, result.map(|()| list))
}

/// The budget of steps is used up.
pub extern "C" fn tired(machine: &mut Machine, program: &Program, at: u64) -> u64 {
    machine.steps = 0;
    let result = machine.spend(1);
    finish(machine, program, at, result.map(|()| Value::NIL))
}

/// Too deep, or the host's stack is nearly full: goes on with more of it, or faults.
pub extern "C" fn deeper(machine: &mut Machine, program: &Program, func: u64, action: u64, args: *const u64) -> u64 {
    let n = program.functions[func as usize].n_args as usize;
    // SAFETY: native code lays its arguments there before it calls.
    let args = unsafe { std::slice::from_raw_parts(args, n) };
    let result = machine.deeper(program, func as FuncId, action != 0, args);
    finish(machine, program, func << 32, result)
}

/// The code that answers a message, as an address: 0 if nobody answers, 1 if it has to be found out slowly.
pub extern "C" fn receiver(machine: &mut Machine, program: &Program, label: u64, to: u64) -> u64 {
    let Some(entity) = Value(to).as_entity() else { return u64::from(to != 0) };
    match machine.handler(program, label as LabelId, entity) {
        Some(woven) => program.native().and_then(|native| native.address(woven.full)).map_or(1, |at| at as u64),
        None => 0,
    }
}

/// A field of a thing that is in no table, or a step from it.
pub extern "C" fn field(machine: &mut Machine, program: &Program, at: u64, of: u64) -> u64 {
    let (func, pc) = site(at);
    let result = match program.functions[func as usize].code[pc] {
        Op::GetField { field, .. } => machine.get_field(program, Value(of), field),
        Op::Step { direction, .. } => match Value(of).as_entity() {
            Some(place) => Ok(Value::maybe(program.world.directions.step(direction, place))),
            None => machine.plain_answer(program, Value(of), Answer::Direction(direction), Value::NIL),
        },
        _ => Err(Stop::fault("This instruction reads no field.")),
    };
    finish(machine, program, at, result)
}

/// How many rules are left out of the question being asked.
pub extern "C" fn n_skipped(machine: &mut Machine) -> u64 {
    machine.skipped.len() as u64
}

/// A function that stepped aside for its own rules is left.
pub extern "C" fn unskip(machine: &mut Machine, n: u64) {
    machine.skipped.truncate(n as usize);
}

/// Whether a rule is left out of the question being asked.
pub extern "C" fn skips(machine: &mut Machine, rule: u64) -> u64 {
    u64::from(machine.skipped.contains(&(rule as RuleId)))
}
