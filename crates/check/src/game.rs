//! What a game as a whole needs: players, something to do, settings and pictures that fit.

use crate::models::declared;
use crate::outline::Outline;
use crate::places::{self, Pick};
use houserules_model::*;
use std::collections::BTreeSet;

pub fn check(outline: &Outline, found: &mut Vec<Diagnostic>) {
    let start = outline.items.first().map_or(Origin::NONE, |item| item.origin);
    if outline.players.is_none() {
        found.push(
            Diagnostic::to_do("game/players", "A game without players", start, "Nobody is there to play it.")
                .hint("Add `#players \"White\" \"Black\"`, or `#players 2 to 4`."),
        );
    }
    let can_begin = outline.items.iter().any(|item| matches!(item.kind, ItemKind::Action(_) | ItemKind::Setup(_)))
        || outline.labels.get("start").is_some_and(|label| !label.handlers.is_empty())
        || outline.labels.get("turn").is_some_and(|label| !label.handlers.is_empty());
    if !can_begin {
        found.push(
            Diagnostic::to_do(
                "game/nothing",
                "A game in which nothing can happen",
                start,
                "There is no action and no setup.",
            )
            .note("Nobody would have a choice: the game would end at once, in a draw.")
            .hint("Say what a player may do: `#action place to cell (set mark to player)`."),
        );
    }
    let mut earlier: BTreeSet<Name> = BTreeSet::new();
    for item in &outline.items {
        match &item.kind {
            ItemKind::Setting(setting) => {
                only_earlier(outline, setting, &earlier, found);
                earlier.insert(setting.name.clone());
                default_fits(outline, setting, found);
            }
            ItemKind::Board(board) => {
                has_places(outline, board, item.origin, found);
                known_naming(board, item.origin, found);
            }
            ItemKind::Symbol { signs, .. } => enough_signs(outline, signs, item.origin, found),
            ItemKind::Picture { property, rows } => picture(outline, property.as_ref(), rows, item.origin, found),
            ItemKind::Players(Players { are: Some(model), names, .. }) if names.is_empty() => {
                if !declared(outline, model) {
                    continue;
                }
                let label = format!("Nothing that is a `{model}` has a name yet.");
                found.push(
                    Diagnostic::to_do("game/players", "A game without players", item.origin, label)
                        .hint(format!("Add `#entity \"White\" is {model}` and `#entity \"Black\" is {model}`.")),
                );
            }
            ItemKind::Players(players) if players.least == 0 || players.least > players.most => {
                let label = format!("From {} to {} players.", players.least, players.most);
                found.push(
                    Diagnostic::error("game/players", "No possible number of players", item.origin, label)
                        .hint("Give the smaller number first, and at least 1: `#players 2 to 4`."),
                );
            }
            _ => {}
        }
        place_names(outline, item, found);
    }
}

/// The value of a setting may use those that stand before it.
fn only_earlier(outline: &Outline, setting: &Setting, earlier: &BTreeSet<Name>, found: &mut Vec<Diagnostic>) {
    setting.value.walk(&mut |expr| {
        let ExprKind::Word(name) = &expr.kind else { return };
        if outline.settings.contains_key(name) && !earlier.contains(name) {
            let label = format!("`{name}` is not known yet when `{}` is computed.", setting.name);
            let diagnostic = Diagnostic::error("setting/order", "A setting that uses a later one", expr.origin, label);
            found.push(diagnostic.hint("A setting may use those above it: change their order."));
        }
    });
}

/// Another word would leave the places with their usual names, and nobody would be told.
fn known_naming(board: &Board, origin: Origin, found: &mut Vec<Diagnostic>) {
    let Some(naming) = board.naming.as_ref().filter(|naming| !NAMINGS.contains(&&***naming)) else { return };
    let label = format!("Places cannot be named by `{naming}`.");
    let diagnostic = Diagnostic::error("board/naming", "Unknown way of naming places", origin, label);
    let diagnostic = diagnostic.note(format!("After `naming` can stand: {}.", NAMINGS.join(", ")));
    found.push(match nearest(naming, NAMINGS) {
        Some(near) => diagnostic.hint(format!("Did you mean `{near}`?")),
        None => diagnostic,
    });
}

fn has_places(outline: &Outline, board: &Board, origin: Origin, found: &mut Vec<Diagnostic>) {
    for (pick, words) in [(Pick::Default, ""), (Pick::Smallest, " at its smallest setting")] {
        let at = |expr| places::number(outline, expr, pick);
        let sizes = match &board.shape {
            Shape::Grid { width, height, .. } | Shape::Rhombus { width, height } => vec![at(width), at(height)],
            Shape::Hex { side: n } | Shape::Triangle { side: n } | Shape::Ring { n } | Shape::Track { n } => {
                vec![at(n)]
            }
            Shape::Graph => Vec::new(),
        };
        if let Some(size) = sizes.into_iter().flatten().find(|size| *size < 1.0 || size.fract() != 0.0) {
            let label = format!("A side of it would be {size} long{words}.");
            let diagnostic = Diagnostic::error("game/board", "A board that cannot be made", origin, label);
            found.push(diagnostic.hint("Sizes are whole numbers from 1."));
            return;
        }
    }
}

/// One sign for all, or one for each seat.
fn enough_signs(outline: &Outline, signs: &[Signs], origin: Origin, found: &mut Vec<Diagnostic>) {
    let Some(players) = outline.players else { return };
    for signs in signs.iter().map(|signs| signs.signs.len()).filter(|n| *n > 1 && (*n as u32) < players.most) {
        let label = format!("{signs} signs for up to {} players.", players.most);
        let diagnostic = Diagnostic::warning("picture/signs", "Fewer signs than players", origin, label);
        found.push(diagnostic.hint("Give one sign for all, or one for each seat."));
    }
}

fn default_fits(outline: &Outline, setting: &Setting, found: &mut Vec<Diagnostic>) {
    let at = |expr: &Expr| places::number(outline, expr, Pick::Default);
    let name = &setting.name;
    if let (Some(_), ExprKind::Text(text)) = (&setting.range, &setting.value.kind) {
        let label = format!("`{name}` is the text “{text}”.");
        let diagnostic =
            Diagnostic::error("setting/range", "A setting with a range is a number", setting.value.origin, label);
        found.push(match text.parse::<f64>() {
            Ok(number) => diagnostic.hint(format!("Without quotes: `{number}`.")),
            Err(_) => diagnostic.hint("Write a number, or `among` and the texts that can be chosen."),
        });
    }
    if let (Some((least, most)), Some(value)) = (&setting.range, at(&setting.value)) {
        let (low, high) = (at(least), at(most));
        if let (Some(low), Some(high)) = (low, high)
            && low > high
        {
            found.push(
                Diagnostic::error(
                    "setting/range",
                    "A range that holds nothing",
                    least.origin,
                    format!("{low} is more than {high}."),
                )
                .hint(format!("Write the smaller one first: `from {high} to {low}`.")),
            );
            return;
        }
        if low.is_some_and(|low| value < low) || high.is_some_and(|high| value > high) {
            let range = format!(
                "from {} to {}",
                low.map_or("…".into(), |low| low.to_string()),
                high.map_or("…".into(), |high| high.to_string())
            );
            found.push(
                Diagnostic::error(
                    "setting/range",
                    "A setting outside its range",
                    setting.value.origin,
                    format!("`{name}` is {value}, but goes {range}."),
                )
                .hint("Change the value, or widen the range."),
            );
        }
    }
    let same = |value: &Expr| match (&value.kind, &setting.value.kind) {
        (ExprKind::Word(one) | ExprKind::Text(one), ExprKind::Word(two) | ExprKind::Text(two)) => one == two,
        (one, two) => one == two,
    };
    if !setting.among.is_empty() && !setting.among.iter().any(same) {
        found.push(
            Diagnostic::error(
                "setting/range",
                "A setting that is not among its values",
                setting.value.origin,
                format!("`{name}` cannot be chosen like this."),
            )
            .hint("Add the value after `among`, or begin with one that stands there."),
        );
    }
}

fn picture(outline: &Outline, property: Option<&Name>, rows: &[Name], origin: Origin, found: &mut Vec<Diagnostic>) {
    let width = |row: &Name| row.chars().count();
    let widest = rows.iter().map(width).max().unwrap_or(0);
    if let Some(at) = rows.iter().position(|row| width(row) != widest) {
        found.push(
            Diagnostic::error(
                "picture/rows",
                "Rows of different length",
                origin,
                format!("Row {} has {} signs, another one has {widest}.", at + 1, width(&rows[at])),
            )
            .hint("Every row needs as many signs as the others; `.` is an empty place."),
        );
    }
    let board = outline
        .boards
        .iter()
        .find(|board| !matches!(board.shape, Shape::Ring { .. } | Shape::Track { .. } | Shape::Graph));
    let Some(board) = board else {
        found.push(
            Diagnostic::error(
                "picture/board",
                "A picture without a board",
                origin,
                "There is no board with rows to draw on.",
            )
            .hint("Add `#board MODEL grid 8 8`."),
        );
        return;
    };
    for (pick, words) in [(Pick::Default, ""), (Pick::Smallest, " at its smallest setting")] {
        if let Some((columns, lines)) = places::size(outline, board, pick)
            && (widest as f64 > columns || rows.len() as f64 > lines)
        {
            let label = format!("The picture is {widest} by {}, the board {columns} by {lines}{words}.", rows.len());
            let diagnostic = if pick == Pick::Default {
                Diagnostic::error("picture/size", "A picture larger than the board", origin, label)
            } else {
                Diagnostic::warning("picture/size", "A picture larger than the board", origin, label)
            };
            found.push(diagnostic.hint("Take rows or columns away, or set the board up in `#setup`."));
            break;
        }
    }
    let known = match property {
        Some(property) => {
            let model = outline.ancestry(&board.model);
            let has =
                |model: &Name| outline.models.get(model).is_some_and(|model| model.properties.contains_key(property));
            if !model.iter().any(has) && &**property != "owner" {
                let name = &board.model;
                found.push(
                    Diagnostic::error(
                        "name/property",
                        "Unknown property",
                        origin,
                        format!("`{name}` has no property `{property}`."),
                    )
                    .hint(format!("Add `#property {property}` to `#model {name}`.")),
                );
            }
            outline.player_names().filter_map(|name| name.chars().next()).map(String::from).collect()
        }
        None => signs(outline),
    };
    let mut told = BTreeSet::new();
    for sign in rows.iter().flat_map(|row| row.chars()).filter(|sign| *sign != '.' && !sign.is_whitespace()) {
        if !known.contains(&sign.to_string()) && told.insert(sign) {
            let whose = if property.is_some() { "No player's name begins with it." } else { "No `#symbol` has it." };
            let all: Vec<&str> = known.iter().map(String::as_str).collect();
            let diagnostic = Diagnostic::error(
                "picture/sign",
                "An unknown sign in the picture",
                origin,
                format!("What is `{sign}`? {whose}"),
            );
            found.push(if all.is_empty() {
                diagnostic.hint(format!("Give a model the sign: `#symbol \"{sign}\"`."))
            } else {
                diagnostic.note(format!("Known signs: {}", all.join(" ")))
            });
        }
    }
}

fn signs(outline: &Outline) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for item in &outline.items {
        if let ItemKind::Symbol { signs, .. } = &item.kind {
            all.extend(signs.iter().flat_map(|signs| &signs.signs).map(|sign| sign.to_string()));
        }
    }
    all
}

/// A place that is written by name, on a board that can be chosen too small for it.
fn place_names(outline: &Outline, item: &Item, found: &mut Vec<Diagnostic>) {
    item.exprs(&mut |expr| {
        expr.walk(&mut |expr| {
            let ExprKind::Word(name) = &expr.kind else { return };
            let Some((column, row)) = places::column_and_row(name) else {
                return;
            };
            let Some(board) = places::board_of(outline, name) else {
                return;
            };
            let is_other = outline.models.contains_key(name)
                || outline.settings.contains_key(name)
                || outline.entities.contains_key(name);
            if is_other || matches!(board.shape, Shape::Graph) || places::holds(outline, board, name, Pick::Smallest) {
                return;
            }
            let Some((width, height)) = places::size(outline, board, Pick::Smallest) else {
                return;
            };
            found.push(
                Diagnostic::warning(
                    "name/place",
                    "A place that is not always there",
                    expr.origin,
                    format!("At its smallest setting the board is {width} by {height}, without `{name}`."),
                )
                .hint(format!("`({} at {column} {row})` is the same place, and nil where there is none.", board.model)),
            );
        });
    });
}
