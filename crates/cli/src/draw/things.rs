use houserules_kernel::{SeatId, Shown, ThingView, View};

use super::cell::written;
use super::{Beside, Draw};

/// What may be known of the game, then of the players, a mark before the one whose turn it is; nothing known, no line.
pub fn facts(draw: &Draw, view: &View, beside: &Beside) -> Vec<String> {
    let told = |fact: &ThingView, (name, shown): &(String, Shown)| {
        let empty = matches!(shown, Shown::Value(value) if matches!(value.as_str(), "0" | "()" | "{}"));
        // Beside a board only what has come about is worth a word; of players one compares.
        let idle = is_game(fact) && empty && !view.boards.is_empty();
        beside.property.as_ref() != Some(name) && is_told(shown) && !idle && !told_elsewhere(view, fact, name, shown)
    };
    let facts: Vec<ThingView> = view
        .facts
        .iter()
        .map(|fact| {
            let properties = fact.properties.iter().filter(|property| told(fact, property)).cloned().collect();
            ThingView { properties, ..fact.clone() }
        })
        .filter(|fact| !fact.properties.is_empty() || fact.count.is_some_and(|count| count > 0))
        .collect();
    let (games, players): (Vec<ThingView>, Vec<ThingView>) = facts.into_iter().partition(is_game);
    let mut lines: Vec<String> = games.iter().map(|game| details(draw, game)).collect();
    let turn = view.turn.map(|turn| draw.seat_name(turn));
    for (line, player) in aligned(draw, &players.iter().collect::<Vec<_>>()).into_iter().zip(&players) {
        lines.push(format!("{} {line}", if turn == Some(&*player.name) { "▸" } else { " " }));
    }
    lines
}

/// What the game keeps for each player is told of the players, and a list of places by the board.
fn told_elsewhere(view: &View, fact: &ThingView, name: &str, shown: &Shown) -> bool {
    let mut players = view.facts.iter().filter(|other| !is_game(other)).peekable();
    let by_player = is_game(fact)
        && players.peek().is_some()
        && players.all(|player| player.properties.iter().any(|(known, _)| known == name));
    let is_place = |word: &str| view.boards.iter().flat_map(|board| &board.cells).any(|cell| cell.name == word);
    let places = match shown {
        Shown::Value(value) => value
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
            .is_some_and(|members| !members.is_empty() && members.split(' ').all(is_place)),
        _ => false,
    };
    by_player || places
}

/// Hands, decks, supplies and other things that lie on no board.
pub fn things(draw: &Draw, things: &[ThingView], beside: &Beside) -> Vec<String> {
    aligned(draw, &things.iter().filter(|thing| !beside.kinds.contains(&thing.kind)).collect::<Vec<_>>())
}

fn is_game(fact: &ThingView) -> bool {
    fact.kind == "game"
}

fn aligned(draw: &Draw, things: &[&ThingView]) -> Vec<String> {
    let width = things.iter().map(|thing| thing.name.chars().count()).max().unwrap_or(0);
    things
        .iter()
        .map(|thing| {
            let room = " ".repeat(width - thing.name.chars().count());
            // The name of a player is coloured like the player's marks.
            let seat = draw.seats.iter().position(|name| *name == thing.name);
            let seat = seat.map(|seat| SeatId(seat as u8)).or(thing.owner);
            format!("{}{room}  {}", draw.paint.seat(seat, &thing.name), details(draw, thing)).trim_end().to_owned()
        })
        .collect()
}

/// What has no value yet is not worth a word.
fn is_told(shown: &Shown) -> bool {
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
        (Some(contents), _) => {
            let names: Vec<&str> = contents.iter().map(called).collect();
            let apart = if names.iter().any(|name| name.contains(' ')) { "  " } else { " " };
            details.push(names.join(apart));
        }
        (None, Some(0)) => {}
        (None, Some(count)) => details.push(format!("{count} hidden")),
        (None, None) => {}
    }
    for (name, shown) in thing.properties.iter().filter(|(_, shown)| is_told(shown)) {
        details.push(match shown {
            Shown::Value(value) => format!("{} {}", draw.paint.faint(name), bare(value)),
            Shown::Hidden => format!("{} {}", draw.paint.faint(name), draw.paint.faint("hidden")),
        });
    }
    details.join("  ")
}

/// Its name; of what has none but its kind and a number, the text that is drawn on it.
fn called(thing: &ThingView) -> &str {
    let nameless = thing.name.strip_prefix(&*thing.kind).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    written(thing).filter(|_| nameless).unwrap_or(&thing.name)
}

/// `(4 1)` as `4 1`; a list in a list keeps its parentheses.
fn bare(value: &str) -> &str {
    let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')'));
    inner.filter(|inner| !inner.contains('(')).unwrap_or(value)
}
