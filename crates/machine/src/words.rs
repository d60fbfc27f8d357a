//! Choices and questions in words.

use crate::position::{MachinePosition, is_done};
use crate::value::Value;
use crate::vm::{Machine, Question, mix};
use crate::world::GAME;
use houserules_kernel::{Choice, Who};

/// A choice as people say it.
pub(crate) fn of_choice(position: &MachinePosition, who: Who, choice: &Choice) -> String {
    let (program, machine) = (&position.program, &position.machine);
    match (&machine.question, choice.0.as_slice()) {
        (Some(Question::Chance(chance)), [drawn]) => match chance.list {
            Some(list) => machine
                .mem
                .members(list.0 as u32)
                .get(*drawn as usize)
                .map_or_else(|| "nothing".into(), |&word| machine.show(program, Value(word))),
            None => (chance.first + *drawn as i64).to_string(),
        },
        (Some(Question::Ask(_)), _) if is_done(choice) => "done".into(),
        (Some(Question::Ask(asking)), [pick]) => {
            let members = machine.mem.members(asking.list.0 as u32);
            let Some(&word) = members.get(*pick as usize) else { return "nothing".into() };
            let words = match Value(word).is_nil() {
                true => "continue".into(),
                false => machine.show(program, Value(word)),
            };
            // Equal things on offer are told apart by how many came before.
            let before = members[..*pick as usize]
                .iter()
                .filter(|&&other| machine.show(program, Value(other)) == machine.show(program, Value(word)))
                .count();
            if before > 0 { format!("{words} ({})", before + 1) } else { words }
        }
        _ => of_action(position, who, choice),
    }
}

fn of_action(position: &MachinePosition, who: Who, choice: &Choice) -> String {
    let (program, machine) = (&position.program, &position.machine);
    let [action, receiver, attributes @ ..] = choice.0.as_slice() else { return "nothing".into() };
    let Some(code) = program.actions.get(*action as usize) else { return "nothing".into() };
    let receiver = *receiver as u32;
    if !machine.exists(program, receiver) {
        return code.name.to_string();
    }
    let name = thing_name(position, receiver);
    let values: Vec<(String, String)> = code
        .with
        .iter()
        .zip(attributes)
        .map(|((attribute, _), &word)| {
            let attribute = program.labels[code.label as usize].attributes[*attribute as usize];
            let value = Value(word);
            let text = if word >> 48 == 15 {
                format!("number {}", (word & 0xffff_ffff) + 1)
            } else if value.is_nil() || value.in_heap() {
                String::new()
            } else {
                match value.as_entity() {
                    Some(entity) if machine.exists(program, entity) => thing_name(position, entity),
                    Some(_) => String::new(),
                    None => machine.show(program, value),
                }
            };
            (program.texts.get(attribute).to_string(), text)
        })
        .collect();
    if let Some(template) = &code.words {
        let player = match who {
            Who::Seat(seat) => machine.name(program, 1 + u32::from(seat.0)),
            Who::Nature => "Chance".into(),
        };
        let filled = values
            .iter()
            .fold(template.replace("{player}", &player).replace("{self}", &name), |text, (attribute, value)| {
                text.replace(&format!("{{{attribute}}}"), value)
            });
        return filled;
    }
    let mut words = vec![code.name.to_string()];
    if receiver != GAME {
        words.push(name);
    }
    words.extend(values.into_iter().map(|(_, value)| value).filter(|value| !value.is_empty()));
    words.join(" ")
}

/// A thing in a choice: a piece is called by its place, if it is alone there.
fn thing_name(position: &MachinePosition, entity: u32) -> String {
    let (program, machine) = (&position.program, &position.machine);
    let place = machine.prop(program, crate::layout::PLACE, entity).as_entity();
    let Some(place) = place.filter(|_| !machine.is_gone(program, entity)) else { return machine.name(program, entity) };
    let on_board = program.world.entities.get(place as usize).is_some_and(|place| place.board.is_some());
    if on_board && machine.contents(program, place).len() == 1 {
        machine.name(program, place)
    } else {
        machine.name(program, entity)
    }
}

pub(crate) fn hash_question(machine: &Machine, question: &Question, hash: u64) -> u64 {
    match question {
        Question::Chance(chance) => mix(mix(hash, u64::from(chance.n)), chance.first as u64),
        Question::Ask(asking) => {
            asking.seats.iter().fold(machine.hash_value(asking.list, hash), |hash, (player, picked, done)| {
                picked.iter().fold(mix(mix(hash, u64::from(*player)), u64::from(*done)), |hash, &pick| {
                    mix(hash, u64::from(pick))
                })
            })
        }
        Question::Let(letting) => letting.seats.iter().fold(hash, |hash, (player, chosen)| {
            chosen.iter().flatten().fold(mix(hash, u64::from(*player)), |hash, &word| mix(hash, word))
        }),
    }
}
