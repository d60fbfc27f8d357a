use houserules_kernel::{Shown, ThingView};

use super::Draw;

/// The game and the players with what may be known of them; nothing known, no line.
pub fn facts(draw: &Draw, facts: &[ThingView]) -> Vec<String> {
    let told: Vec<&ThingView> = facts
        .iter()
        .filter(|fact| fact.properties.iter().any(is_told) || fact.count.is_some_and(|count| count > 0))
        .collect();
    aligned(draw, &told)
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

/// What has no value yet is not worth a word.
fn is_told((_, shown): &(String, Shown)) -> bool {
    !matches!(shown, Shown::Value(value) if value == "nil")
}

fn details(draw: &Draw, thing: &ThingView) -> String {
    let mut details: Vec<String> = Vec::new();
    match (&thing.contents, thing.count) {
        // A hand without cards is empty; a coin that nothing lies in is just a coin.
        (Some(contents), _) if contents.is_empty() => {
            if thing.properties.is_empty() {
                details.push(draw.paint.faint("empty"));
            }
        }
        (Some(contents), _) => details.push(contents.join(" ")),
        (None, Some(0)) => {}
        (None, Some(count)) => details.push(format!("{count} hidden")),
        (None, None) => {}
    }
    for (name, shown) in thing.properties.iter().filter(|property| is_told(property)) {
        details.push(match shown {
            Shown::Value(value) => format!("{} {value}", draw.paint.faint(name)),
            Shown::Hidden => format!("{} {}", draw.paint.faint(name), draw.paint.faint("hidden")),
        });
    }
    details.join("  ")
}
