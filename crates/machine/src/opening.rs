//! The memory before the first message: first values, marks, pieces in their places.

use crate::code::*;
use crate::layout;
use crate::lower::{ThingCode, ThingValue};
use crate::program::Program;
use crate::value::Value;
use crate::vm::{Machine, Run, Stop};
use crate::world::{Initial, NOBODY};
use houserules_model::Diagnostic;

/// Fills the program's template.
pub fn fill(program: &mut Program, things: &[ThingCode]) -> Result<(), Diagnostic> {
    let mut machine = Machine::default();
    machine.mem.slots = vec![Value::NIL.0; program.layout.made_base as usize].into();
    // The empty list stands at the beginning of every heap.
    machine.mem.alloc([]);
    machine.reset_budget(program);
    match open(&mut machine, program, things) {
        Ok(()) => {
            machine.mem.forget();
            program.template = machine.mem;
            Ok(())
        }
        Err(Stop::Fault(fault)) => {
            Err(Diagnostic::error("setup/fault", "The start cannot be set up", fault.origin, fault.message.clone()))
        }
        Err(_) => Err(Diagnostic::error(
            "setup/fault",
            "The start cannot be set up",
            houserules_model::Origin::NONE,
            "A first value is refused.",
        )),
    }
}

fn open(machine: &mut Machine, program: &Program, things: &[ThingCode]) -> Run<()> {
    let world = &program.world;
    machine.mem.set(layout::IN_PLAY, Value(u64::from(world.n_seats)));
    for seat in 0..world.n_seats {
        machine.mem.set(layout::ORDER + seat, Value::entity(world.seat_entity((seat + world.first) % world.n_seats)));
    }
    let set = |machine: &mut Machine, prop: PropId, entity: u32, value: Value| {
        if let Some(slot) = program.layout.slot(prop, entity) {
            machine.mem.set(slot, value);
        }
    };
    for (entity, thing) in world.entities.iter().enumerate() {
        if thing.owner != NOBODY {
            set(machine, layout::OWNER, entity as u32, Value::entity(thing.owner));
        }
        if let Some(state) = &thing.state {
            let text = program.texts.find(state).expect("states are numbered");
            set(machine, layout::STATE, entity as u32, Value::text(text));
        }
    }
    for (player, name, given, list) in &world.granted {
        let prop = program.layout.find(name).expect("granted properties are numbered");
        let value = if *list {
            Value::list(machine.mem.alloc(given.iter().map(|&thing| Value::entity(thing))))
        } else {
            Value::entity(given[0])
        };
        set(machine, prop, *player, value);
    }
    // First values may ask where a drawn piece stands.
    for (entity, thing) in world.entities.iter().enumerate() {
        if let Some(Initial::Entity(place)) = thing.at {
            machine.put(program, entity as u32, place)?;
        }
    }
    first_values(machine, program)?;
    for (entity, name, seat) in &world.marks {
        match program.layout.find(name) {
            Some(prop) => set(machine, prop, *entity, Value::entity(world.seat_entity(*seat))),
            None => return Err(Stop::fault(format!("The picture draws “{name}”, and no model has such a property."))),
        }
    }
    for code in things {
        let value = machine.call(program, code.func, &[Value::entity(code.entity)])?;
        match code.what {
            ThingValue::Property(prop) => {
                let value = machine.held(program, prop, code.entity, value)?;
                set(machine, prop, code.entity, value);
            }
            ThingValue::Place => {
                if let Some(place) = machine.entity(program, value, "`at`")? {
                    machine.put(program, code.entity, place)?;
                }
            }
        }
    }
    for entity in 0..world.entities.len() as u32 {
        machine.restock(program, entity)?;
    }
    Ok(())
}

/// First values may depend on each other in any order, so they are computed until nothing changes. What has a fault
/// because another value is still missing is tried again.
fn first_values(machine: &mut Machine, program: &Program) -> Run<()> {
    for _ in 0..MOST_ROUNDS {
        let mark = machine.mem.mark();
        let mut fault = None;
        for (entity, thing) in program.world.entities.iter().enumerate() {
            for &(prop, func) in &program.initial[thing.kind as usize] {
                let value = machine.call(program, func, &[Value::entity(entity as u32)]);
                let value = value.and_then(|value| machine.held(program, prop, entity as u32, value));
                match (value, program.layout.slot(prop, entity as u32)) {
                    (Ok(value), Some(slot)) if !machine.equal(machine.mem.get(slot), value) => {
                        machine.mem.set(slot, value)
                    }
                    (Err(stop), _) => fault = Some(stop),
                    _ => {}
                }
            }
        }
        if !machine.mem.changed_since(mark) {
            return fault.map_or(Ok(()), Err);
        }
    }
    Err(Stop::fault("The first values of the properties depend on each other in a circle."))
}

/// Longer chains of first values than this were never met.
const MOST_ROUNDS: u32 = 12;
