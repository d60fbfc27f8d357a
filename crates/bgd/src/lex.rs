//! From characters to tokens. Broken text is ordinary text: whatever cannot be read is a token of its own.

/// What stands in the text from `start` to `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A word that begins with a capital letter, reserved ones included.
    Id,
    /// A word that begins with a small letter, reserved ones included.
    Low,
    Number,
    /// A text in quotes.
    Text,
    /// A text whose quotes are not closed on its line.
    OpenText,
    Sign(&'static str),
    /// A comment, with what marks it.
    Comment,
    /// `/*` without its end.
    OpenComment,
    /// A character that has no meaning, or digits with letters behind them.
    Stray,
    End,
}

/// Longer signs first: the longest that fits is meant.
const SIGNS: [&str; 24] = [
    "&&", "||", "==", "!=", "<=", ">=", "..", "(", ")", "{", "}", "[", "]", ";", ",", ".", "=", "!", "<", ">", "+",
    "-", "*", "/",
];

/// Words that cannot name anything.
pub const RESERVED: [&str; 69] = [
    "Game",
    "Players",
    "MinPlayers",
    "MaxPlayers",
    "Human",
    "Computer",
    "Locations",
    "ExistVisible",
    "ValueVisible",
    "LocationType",
    "Place",
    "Supply",
    "Counter",
    "CounterType",
    "StartingInventory",
    "Supplies",
    "LocationConnections",
    "Directed",
    "Undirected",
    "ConnectionsAreLocations",
    "ConnectionNames",
    "Objects",
    "Location",
    "Type",
    "Value",
    "ValueType",
    "Sides",
    "SidesShown",
    "Randomizer",
    "Rounds",
    "Main",
    "NextTurn",
    "int",
    "bool",
    "double",
    "string",
    "objectType",
    "public",
    "private",
    "requires",
    "effect",
    "if",
    "else",
    "return",
    "count",
    "PerformAction",
    "ChooseAction",
    "Randomize",
    "Repeat",
    "Winner",
    "Loser",
    "FinishGame",
    "TurnOrder",
    "contains",
    "isConnectedTo",
    "connections",
    "move",
    "Actions",
    "StartState",
    "Concepts",
    "Variables",
    "True",
    "False",
    "Copy",
    "None",
    "Owner",
    "hidden",
    // Not reserved by the language, but a name of its own would never be found.
    "CurrentTurn",
    "Player",
];

/// All tokens, comments among them, and an end.
pub fn lex(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
                Kind::Comment
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => match text[at + 2..].find("*/") {
                Some(end) => {
                    at += 2 + end + 2;
                    Kind::Comment
                }
                None => {
                    at = bytes.len();
                    Kind::OpenComment
                }
            },
            b'"' => {
                at += 1;
                loop {
                    match bytes.get(at) {
                        None | Some(b'\n') => break Kind::OpenText,
                        Some(b'\\') => at = (at + 2).min(bytes.len()),
                        Some(b'"') => {
                            at += 1;
                            break Kind::Text;
                        }
                        Some(_) => at += 1,
                    }
                }
            }
            b'0'..=b'9' => {
                at += run(&bytes[at..], |byte| byte.is_ascii_digit());
                match run(&bytes[at..], |byte| byte.is_ascii_alphanumeric()) {
                    0 => Kind::Number,
                    more => {
                        at += more;
                        Kind::Stray
                    }
                }
            }
            byte if byte.is_ascii_alphabetic() => {
                at += run(&bytes[at..], |byte| byte.is_ascii_alphanumeric());
                if byte.is_ascii_uppercase() { Kind::Id } else { Kind::Low }
            }
            _ => match SIGNS.iter().find(|sign| text[at..].starts_with(**sign)) {
                Some(sign) => {
                    at += sign.len();
                    Kind::Sign(sign)
                }
                None => {
                    at += text[at..].chars().next().map_or(1, char::len_utf8);
                    Kind::Stray
                }
            },
        };
        // An escape may have led into the middle of a character.
        while !text.is_char_boundary(at) {
            at += 1;
        }
        tokens.push(Token { kind, start: start as u32, end: at as u32 });
    }
    tokens.push(Token { kind: Kind::End, start: bytes.len() as u32, end: bytes.len() as u32 });
    tokens
}

fn run(bytes: &[u8], fits: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| fits(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        lex(text).into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn the_longest_sign_is_meant() {
        assert_eq!(kinds("<=..="), [Kind::Sign("<="), Kind::Sign(".."), Kind::Sign("="), Kind::End]);
    }

    #[test]
    fn digits_with_letters_mean_nothing() {
        assert_eq!(kinds("3x 3"), [Kind::Stray, Kind::Number, Kind::End]);
    }

    #[test]
    fn every_byte_belongs_to_a_token_or_is_blank() {
        for text in ["\"a\\", "\"ä\\ö", "é/*", "/* x */ // y", "\"\\é\""] {
            let mut at = 0;
            for token in lex(text) {
                assert!(text[at..token.start as usize].trim().is_empty(), "{text}");
                at = token.end as usize;
            }
            assert_eq!(at, text.len(), "{text}");
        }
    }
}
