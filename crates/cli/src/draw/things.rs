use houserules_kernel::{Shown, ThingView};

use super::Draw;

/// The game and the players with what may be known of them; nothing known, no line.
pub fn facts(draw: &Draw, facts: &[ThingView]) -> Vec<String> {
    // Nobody asks whether something lies on a player; where something does, it is told.
    let told: Vec<ThingView> = facts
        .iter()
        .map(|fact| match fact.count {
            Some(0) => ThingView { contents: None, count: None, ..fact.clone() },
            _ => fact.clone(),
        })
        .filter(|fact| !fact.properties.is_empty() || fact.contents.is_some() || fact.count.is_some())
        .collect();
    aligned(draw, &told.iter().collect::<Vec<_>>())
}

/// Hands, decks, supplies and other things that lie on no board.
pub fn things(draw: &Draw, things: &[ThingView]) -> Vec<String> {
    aligned(draw, &things.iter().collect::<Vec<_>>())
}

fn aligned(draw: &Draw, things: &[&ThingView]) -> Vec<String> {
    let width = things.iter().map(|thing| thing.name.chars().count()).max().unwrap_or(0);
    things
        .iter()
        .map(|thing| {
            let room = " ".repeat(width - thing.name.chars().count());
            // The name of a player is coloured like the player's marks.
            let seat = draw.seats.iter().position(|name| *name == thing.name);
            let seat = seat.map(|seat| houserules_kernel::SeatId(seat as u8)).or(thing.owner);
            format!("{}{room}  {}", draw.paint.seat(seat, &thing.name), details(draw, thing)).trim_end().to_owned()
        })
        .collect()
}

fn details(draw: &Draw, thing: &ThingView) -> String {
    let mut details: Vec<String> = Vec::new();
    match (&thing.contents, thing.count) {
        (Some(contents), _) if contents.is_empty() => details.push(draw.paint.faint("empty")),
        (Some(contents), _) => details.push(contents.join(" ")),
        (None, Some(count)) => details.push(format!("{count} hidden")),
        (None, None) => {}
    }
    for (name, shown) in &thing.properties {
        details.push(match shown {
            Shown::Value(value) => format!("{} {value}", draw.paint.faint(name)),
            Shown::Hidden => format!("{} {}", draw.paint.faint(name), draw.paint.faint("hidden")),
        });
    }
    details.join("  ")
}
