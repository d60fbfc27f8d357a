//! `#picture`: the start drawn as rows of signs.

use super::*;

/// Puts what a picture shows on the first board with columns and rows.
pub fn draw(world: &mut World, property: Option<&Name>, rows: &[Name], origin: Origin) -> Result<(), Diagnostic> {
    let fault = |title: &str, label: String| Diagnostic::error("setup/picture", title, origin, label);
    let Some(board) = world
        .boards
        .iter()
        .find(|board| !matches!(board.layout, boards::Layout::Ring | boards::Layout::Track | boards::Layout::Graph))
    else {
        return Err(fault("A picture needs a board", "There is no board with columns and rows to draw on.".into()));
    };
    let places: BTreeMap<(i32, i32), EntityId> = (board.first..board.first + board.n)
        .map(|place| ((world.entities[place as usize].column, world.entities[place as usize].row), place))
        .collect();
    let (width, height) =
        places.keys().fold((0, 0), |(width, height), &(column, row)| (width.max(column), height.max(row)));
    let drawn_width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0) as i32;
    if drawn_width > width || rows.len() as i32 > height {
        return Err(fault(
            "The picture is larger than the board",
            format!("It is {drawn_width} by {}, the board {width} by {height}.", rows.len()),
        ));
    }
    let (left, down) = ((width - drawn_width) / 2, (height - rows.len() as i32) / 2);
    for (up, row) in rows.iter().rev().enumerate() {
        for (across, sign) in row.chars().enumerate() {
            if sign == '.' || sign == ' ' {
                continue;
            }
            let Some(&place) = places.get(&(across as i32 + 1 + left, up as i32 + 1 + down)) else {
                return Err(fault("The picture leaves the board", format!("There is no place under `{sign}`.")));
            };
            match property {
                Some(property) => {
                    let seat =
                        (0..world.n_seats).find(|&seat| world.entities[1 + seat as usize].name.starts_with(sign));
                    let seat =
                        seat.ok_or_else(|| fault("Unknown sign", format!("No player's name begins with `{sign}`.")))?;
                    world.marks.push((place, property.clone(), seat));
                }
                None => piece(world, sign, place).ok_or_else(|| {
                    fault("Unknown sign", format!("No model has the sign `{sign}`."))
                        .hint("Give a model the sign with `#symbol`.")
                })?,
            }
        }
    }
    Ok(())
}

/// Puts what somebody typed on the board: every row whole, only signs that there are, and no words for other places.
pub fn typed(world: &mut World, property: Option<&Name>, setup: &setups::Setup) -> Result<(), Diagnostic> {
    let fault = |label: String| Diagnostic::error("setup/position", "This position does not fit", Origin::NONE, label);
    let rows = &setup.rows;
    if rows.is_empty() {
        let hint = "Say whose turn it is, then whose pieces stand where, such as `W:W21,K30:B1-4`.";
        return Err(fault("It lists no pieces.".into()).hint(hint));
    }
    let like_a_place = |word: &&String| {
        let number = word.trim_start_matches(|sign: char| sign.is_ascii_lowercase());
        number.len() < word.len() && !number.is_empty() && number.chars().all(|sign| sign.is_ascii_digit())
    };
    if let Some(word) = setup.words.iter().filter(like_a_place).find(|word| !world.names.contains_key(word.as_str())) {
        return Err(fault(format!("There is no place `{word}`.")));
    }
    let size = world.boards.iter().find_map(|board| match board.layout {
        boards::Layout::Grid { width, height } => Some((width as usize, height as usize)),
        _ => None,
    });
    if let Some((width, height)) = size {
        if rows.len() != height {
            let hint = "Write the rows from the top with `/` between them; a number stands for so many empty places.";
            return Err(fault(format!("It has {} rows, and the board has {height}.", rows.len())).hint(hint));
        }
        let wrong = rows.iter().map(|row| row.chars().count()).enumerate().find(|(_, n)| *n != width);
        if let Some((idx, n)) = wrong {
            return Err(fault(format!("Row {} from the top has {n} places, and the board has {width}.", idx + 1)));
        }
    }
    let known: Vec<String> = match property {
        Some(_) => {
            (1..=world.n_seats).map(|seat| world.entities[seat as usize].name.chars().take(1).collect()).collect()
        }
        None => {
            let symbols = world.kinds.iter().flat_map(|kind| &kind.symbols);
            symbols.flat_map(|signs| signs.signs.iter().map(ToString::to_string)).collect()
        }
    };
    let signs = rows.iter().flat_map(|row| row.chars()).filter(|sign| !matches!(sign, '.' | ' '));
    if let Some(sign) = signs.map(String::from).find(|sign| !known.contains(sign)) {
        let note = format!("These are the signs: {}", known.join(" "));
        return Err(fault(format!("Nothing has the sign `{sign}`.")).note(note));
    }
    draw(world, property, rows, Origin::NONE)
}

/// Puts the pieces of a list on their places: the first model with a sign for each player, kings in its other state.
pub fn list(world: &mut World, pieces: &[setups::Listed]) -> Result<(), Diagnostic> {
    let fault = |label: String| Diagnostic::error("setup/position", "This position does not fit", Origin::NONE, label);
    let mut taken = Vec::new();
    for piece in pieces {
        let begins = |seat: &u32| world.entities[1 + *seat as usize].name.starts_with(piece.owner);
        let seat = (0..world.n_seats).find(begins);
        let seat = seat.ok_or_else(|| fault(format!("No player's name begins with `{}`.", piece.owner)))?;
        let known = |signs: &&Signs| signs.state.is_some() == piece.king && signs.signs.len() > seat as usize;
        let found = world.kinds.iter().enumerate().find_map(|(kind, definition)| {
            definition.symbols.iter().find(known).map(|signs| (kind as KindId, signs.state.clone(), Some(seat)))
        });
        let found = found.ok_or_else(|| fault("No model has a sign for such a piece.".into()))?;
        let place = world.names.get(&piece.place).copied();
        let place = place.ok_or_else(|| fault(format!("There is no place `{}`.", piece.place)))?;
        if taken.contains(&place) {
            return Err(fault(format!("Two pieces stand on `{}`.", piece.place)));
        }
        taken.push(place);
        put(world, found, place);
    }
    Ok(())
}

fn piece(world: &mut World, sign: char, place: EntityId) -> Option<()> {
    let text = sign.to_string();
    let found = world.kinds.iter().enumerate().find_map(|(kind, definition)| {
        definition.symbols.iter().find_map(|signs| {
            let at = signs.signs.iter().position(|known| **known == *text)?;
            Some((kind as KindId, signs.state.clone(), (signs.signs.len() > 1).then_some(at as u32)))
        })
    })?;
    put(world, found, place);
    Some(())
}

fn put(world: &mut World, (kind, state, seat): (KindId, Option<Name>, Option<u32>), place: EntityId) {
    let number = world.entities.iter().filter(|thing| thing.kind == kind).count() as u32 + 1;
    let owner = seat.filter(|&seat| seat < world.n_seats).map_or(NOBODY, |seat| world.seat_entity(seat));
    let kind_name = world.kinds[kind as usize].name.clone();
    let name = match owner {
        NOBODY => format!("{kind_name} {number}"),
        owner => format!("{} {kind_name} {number}", world.entities[owner as usize].name),
    };
    world.entities.push(Thing {
        kind,
        name: name.into(),
        number,
        column: 0,
        row: 0,
        board: None,
        owner,
        state,
        with: Vec::new(),
        at: Some(Initial::Entity(place)),
    });
}
