//! Choices and questions in words.

use crate::code::AskMode;
use crate::phrase::{Phrase, alone};
use crate::position::{MachinePosition, is_done};
use crate::value::Value;
use crate::vm::{Machine, Question, mix};
use crate::world::{EntityId, GAME};
use houserules_kernel::{Choice, Picking, SeatId, ThingId, Who};

/// Things that somebody may not know.
pub(crate) type Veiled = [EntityId];

/// The things that a choice names, what chance draws from a list included.
pub(crate) fn named(position: &MachinePosition, choice: &Choice) -> Vec<EntityId> {
    match (&position.machine.question, choice.0.as_slice()) {
        (Some(Question::Chance(chance)), [drawn]) => {
            let members = chance.list.map(|list| position.machine.mem.members(list.0 as u32)).unwrap_or_default();
            let drawn = members.get(*drawn as usize).copied();
            drawn.and_then(|word| Value(word).as_entity()).into_iter().collect()
        }
        _ => points(position, choice).into_iter().map(|thing| thing.0).collect(),
    }
}

/// A choice as people say it, to somebody who may not know some things: these are `?`.
pub(crate) fn of_choice(position: &MachinePosition, who: Who, choice: &Choice, veiled: &Veiled) -> String {
    let (program, machine) = (&position.program, &position.machine);
    match (&machine.question, choice.0.as_slice()) {
        (Some(Question::Chance(chance)), [drawn]) => match chance.list {
            Some(list) => member_words(position, machine.mem.members(list.0 as u32), *drawn as usize, veiled),
            None => (chance.first + *drawn as i64).to_string(),
        },
        (Some(Question::Ask(_)), _) if is_done(choice) => "done".into(),
        (Some(Question::Ask(asking)), [pick]) => {
            member_words(position, machine.mem.members(asking.list.0 as u32), *pick as usize, veiled)
        }
        _ => of_action(position, who, choice, veiled).unwrap_or_else(|| {
            let action = choice.0.first().and_then(|&action| program.actions.get(action as usize));
            action.map_or_else(|| "nothing".into(), |action| action.name.to_string())
        }),
    }
}

/// What a seat has named of a question that takes several answers.
pub(crate) fn picking(position: &MachinePosition, seat: SeatId) -> Option<Picking> {
    let Some(Question::Ask(asking)) = &position.machine.question else { return None };
    let (_, picked, _) = asking.seats.iter().find(|(player, ..)| *player == 1 + EntityId::from(seat.0))?;
    let (wanted, again) = match asking.mode {
        AskMode::One => return None,
        AskMode::Times => (Some(asking.n), true),
        AskMode::Of => (Some(asking.n), false),
        AskMode::Some => (None, false),
    };
    let members = position.machine.mem.members(asking.list.0 as u32);
    let options = (0..members.len()).map(|at| member_words(position, members, at, &[])).collect();
    // With a single answer there is nothing to keep in mind.
    (wanted != Some(1)).then(|| Picking { options, picked: picked.clone(), wanted, again })
}

/// A member of a list on offer; equal ones are told apart by how many came before.
fn member_words(position: &MachinePosition, members: &[u64], at: usize, veiled: &Veiled) -> String {
    let show = |word: u64| match Value(word).as_entity() {
        Some(entity) => thing_words(position, entity, veiled),
        None => position.machine.show(&position.program, Value(word)),
    };
    let Some(&word) = members.get(at) else { return "nothing".into() };
    let words = show(word);
    // Which of the unknown ones it is would tell something.
    if Value(word).as_entity().is_some_and(|entity| veiled.contains(&entity)) {
        return words;
    }
    let before = members[..at].iter().filter(|&&other| show(other) == words).count();
    if before > 0 { format!("{words} ({})", before + 1) } else { words }
}

fn of_action(position: &MachinePosition, who: Who, choice: &Choice, veiled: &Veiled) -> Option<String> {
    let (program, machine) = (&position.program, &position.machine);
    let [action, receiver, attributes @ ..] = choice.0.as_slice() else { return None };
    let code = program.actions.get(*action as usize)?;
    let receiver = EntityId::try_from(*receiver).ok().filter(|&receiver| machine.exists(program, receiver))?;
    let attributes = code
        .with
        .iter()
        .zip(attributes)
        .map(|((attribute, _), &word)| {
            let name = program.labels[code.label as usize].attributes[*attribute as usize];
            let value = Value(word);
            let words = match value.as_entity() {
                _ if word >> 48 == 15 => format!("number {}", (word & 0xffff_ffff) + 1),
                Some(entity) if machine.exists(program, entity) => thing_words(position, entity, veiled),
                Some(_) => String::new(),
                None if !machine.is_known(program, value) => String::new(),
                None => machine.show(program, value),
            };
            (program.texts.get(name).to_string(), words)
        })
        .collect();
    let player = match who {
        Who::Seat(seat) if u32::from(seat.0) >= program.world.n_seats => return None,
        Who::Seat(seat) => machine.name(program, 1 + EntityId::from(seat.0)),
        Who::Nature => "Chance".into(),
    };
    let phrase = Phrase {
        label: &code.name,
        template: code.words.as_deref(),
        player,
        receiver: (receiver != GAME).then(|| thing_words(position, receiver, veiled)),
        place: alone(&program.world, receiver),
        attributes,
    };
    Some(phrase.words())
}

/// The name of the action that a choice is.
pub(crate) fn label(position: &MachinePosition, choice: &Choice) -> Option<String> {
    if matches!(position.machine.question, Some(Question::Chance(_) | Question::Ask(_))) {
        return None;
    }
    let action = position.program.actions.get(*choice.0.first()? as usize)?;
    Some(action.name.to_string())
}

/// The things a choice names: the receiver of an action and what is given along, or the answer to a question.
pub(crate) fn points(position: &MachinePosition, choice: &Choice) -> Vec<ThingId> {
    let (program, machine) = (&position.program, &position.machine);
    let given: Vec<u64> = match (&machine.question, choice.0.as_slice()) {
        (Some(Question::Chance(_)), _) => Vec::new(),
        (Some(Question::Ask(_)), _) if is_done(choice) => Vec::new(),
        (Some(Question::Ask(asking)), [pick]) => {
            machine.mem.members(asking.list.0 as u32).get(*pick as usize).copied().into_iter().collect()
        }
        (_, [_, receiver, attributes @ ..]) => {
            let receiver = EntityId::try_from(*receiver).ok().filter(|&receiver| receiver != GAME);
            receiver.map(|receiver| Value::entity(receiver).0).into_iter().chain(attributes.iter().copied()).collect()
        }
        _ => Vec::new(),
    };
    let things = given.into_iter().filter_map(|word| Value(word).as_entity());
    things.filter(|&thing| machine.exists(program, thing)).map(ThingId).collect()
}

/// A thing in a choice: a piece that lies alone on a place of a board is called by the place.
fn thing_words(position: &MachinePosition, entity: EntityId, veiled: &Veiled) -> String {
    let (program, machine) = (&position.program, &position.machine);
    let place = machine.prop(program, crate::layout::PLACE, entity).as_entity();
    let place = place.filter(|&place| {
        !machine.is_gone(program, entity)
            && program.world.entities.get(place as usize).is_some_and(|place| place.board.is_some())
            && machine.contents(program, place).len() == 1
    });
    match place {
        None if veiled.contains(&entity) => "?".into(),
        place => machine.name(program, place.unwrap_or(entity)),
    }
}

pub(crate) fn hash_question(machine: &Machine, question: &Question, hash: u64) -> u64 {
    match question {
        Question::Chance(chance) => mix(mix(hash, u64::from(chance.n)), chance.first as u64),
        Question::Ask(asking) => {
            asking.seats.iter().fold(machine.hash_value(asking.list, hash), |hash, (player, picked, done)| {
                let hash = mix(mix(hash, u64::from(*player)), u64::from(*done));
                picked.iter().fold(hash, |hash, &pick| mix(hash, u64::from(pick)))
            })
        }
        Question::Let(letting) => letting.seats.iter().fold(hash, |hash, (player, chosen)| {
            chosen.iter().flatten().fold(mix(hash, u64::from(*player)), |hash, &word| mix(hash, word))
        }),
    }
}
