//! What a viewer sees of the things that a choice names.

use crate::glance::MachineGlance;
use crate::layout;
use crate::position::MachinePosition;
use crate::value::Value;
use crate::view;
use crate::vm::Question;
use crate::words;
use crate::world::EntityId;
use houserules_kernel::{Choice, Position, Viewer, Who, Witnessed};

pub(crate) fn witnessed(
    position: &mut MachinePosition,
    viewer: Viewer,
    who: Who,
    choice: &Choice,
) -> Option<Witnessed> {
    // Nobody follows the cards of a deck that is being shuffled.
    if matches!(&position.machine.question, Some(Question::Chance(chance)) if chance.shuffles()) {
        return None;
    }
    let named = words::named(position, choice);
    let before = Lying::of(position, viewer, &named);
    let after = match position.play(who, choice) {
        Ok(()) => {
            let after = Lying::of(position, viewer, &named);
            position.undo();
            after
        }
        Err(_) => before.clone(),
    };
    let openly =
        before.iter().zip(&after).any(|(before, after)| before.place != after.place && (before.known || after.known));
    let veiled: Vec<EntityId> = named
        .into_iter()
        .zip(before.iter().zip(&after))
        .filter(|(_, (before, after))| !before.known && !after.known)
        .map(|(thing, _)| thing)
        .collect();
    Some(Witnessed { words: words::of_choice(position, who, choice, &veiled), openly })
}

/// Where a thing lies, and whether the viewer knows it there.
#[derive(Clone, PartialEq)]
struct Lying {
    place: Value,
    known: bool,
}

impl Lying {
    fn of(position: &mut MachinePosition, viewer: Viewer, things: &[EntityId]) -> Vec<Lying> {
        let program = position.program.clone();
        let machine = &mut position.machine;
        machine.reset_budget(&program);
        let heap = machine.mem.heap.len();
        let mut lying = Vec::new();
        for &thing in things {
            let gone = machine.is_gone(&program, thing);
            let place = if gone { Value::NIL } else { machine.prop(&program, layout::PLACE, thing) };
            let mut glance = MachineGlance { program: &program, machine: &mut *machine };
            // Who is taken out of play is seen by those who saw it go, and by nobody else.
            let known = !gone && view::knows(&mut glance, viewer, thing);
            lying.push(Lying { place, known });
        }
        machine.mem.heap.truncate(heap);
        lying
    }
}
