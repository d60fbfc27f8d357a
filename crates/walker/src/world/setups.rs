//! A position somebody typed, in the notation of its field.

use super::*;

/// What a typed position says, not yet held against a board.
///
/// It is `ROWS TURN WORD…`, as in chess, or `TURN:PIECES:PIECES`, as in draughts. The words are values for the settings
/// in the order of the definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setup {
    /// The picture, top row first, or nothing where pieces are listed.
    pub rows: Vec<Name>,
    pub pieces: Vec<Listed>,
    /// How the name of the player to move begins.
    pub turn: Option<char>,
    pub words: Vec<String>,
}

/// A piece in a list: whose, whether it is a king, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub owner: char,
    pub king: bool,
    pub place: Name,
}

impl Setup {
    pub fn parse(text: &str) -> Setup {
        if text.contains(':') {
            return Setup::listed(text);
        }
        let mut words = text.split_whitespace().map(str::to_owned);
        let rows = words.next().unwrap_or_default().split('/').map(spread).collect();
        let turn = words.next().and_then(|word| word.chars().next()).filter(|turn| *turn != '-');
        Setup { rows, turn, words: words.collect(), ..Setup::default() }
    }

    fn listed(text: &str) -> Setup {
        let mut parts = text.trim().trim_end_matches('.').split(':');
        let turn = parts.next().and_then(|part| part.trim().chars().next());
        let mut pieces = Vec::new();
        for part in parts {
            let mut letters = part.trim().chars();
            let Some(owner) = letters.next() else { continue };
            for piece in letters.as_str().split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
                let place = piece.trim_start_matches('K');
                // `1-12` is every place from 1 to 12.
                let places = match place.split_once('-').map(|(from, to)| (from.parse(), to.parse::<u32>())) {
                    Some((Ok(from), Ok(to))) if from <= to => {
                        (from..=to.min(from + 999)).map(|place| place.to_string()).collect()
                    }
                    _ => vec![place.to_owned()],
                };
                let listed = |at: String| Listed { owner, king: piece.starts_with('K'), place: at.into() };
                pieces.extend(places.into_iter().map(listed));
            }
        }
        Setup { pieces, turn, ..Setup::default() }
    }
}

/// A number stands for so many empty places.
fn spread(row: &str) -> Name {
    let (mut spread, mut number) = (String::new(), 0);
    for sign in row.chars() {
        match sign.to_digit(10) {
            Some(digit) => number = (number * 10 + digit as usize).min(999),
            None => {
                spread.push_str(&".".repeat(std::mem::take(&mut number)));
                spread.push(sign);
            }
        }
    }
    spread.push_str(&".".repeat(number));
    spread.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_rows_are_empty_places() {
        let setup = Setup::parse("x2/.o./10 o KQ - 3");
        assert_eq!(setup.rows, ["x..".into(), ".o.".into(), Name::from("..........")]);
        assert_eq!(
            (setup.turn, setup.words.as_slice()),
            (Some('o'), ["KQ".into(), "-".into(), "3".to_owned()].as_slice())
        );
    }

    #[test]
    fn pieces_can_be_listed() {
        let setup = Setup::parse("W:W21,K30:B1-2.");
        assert_eq!(&*Setup::parse("W:W5-2").pieces[0].place, "5-2", "no place is called so");
        let told: Vec<String> =
            setup.pieces.iter().map(|piece| format!("{}{}{}", piece.owner, piece.place, piece.king)).collect();
        assert_eq!((setup.turn, told.join(" ")), (Some('W'), "W21false W30true B1false B2false".into()));
    }
}
