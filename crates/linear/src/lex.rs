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
    Name,
    Number,
    /// `#` and a word.
    Directive,
    Pred,
    Stage,
    Context,
    OpenBrace,
    CloseBrace,
    Open,
    Close,
    Period,
    Colon,
    Comma,
    Equals,
    Wild,
    Bang,
    Dollar,
    Star,
    /// `<-`
    From,
    /// `->`
    To,
    /// `o-`
    Given,
    /// `-o`
    Becomes,
    Same,
    Differs,
    /// A character that has no meaning.
    Stray,
    End,
}

/// The tokens, and the lines of side information that begin with `%%`, each with where it begins.
pub fn lex(text: &str) -> (Vec<Token>, Vec<(u32, &str)>) {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut notes = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            b'%' => {
                let line_end = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
                if bytes.get(at + 1) == Some(&b'%') {
                    notes.push((at as u32, text[at + 2..line_end].trim()));
                }
                at = line_end;
                continue;
            }
            b'#' => {
                at += 1 + bytes[at + 1..].iter().take_while(|&&byte| begins(byte) || byte == b'_').count();
                if at == start + 1 { Kind::Stray } else { Kind::Directive }
            }
            b'0' => {
                at += 1;
                Kind::Number
            }
            b'1'..=b'9' => {
                at += bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                Kind::Number
            }
            byte if begins(byte) => {
                let long = at + bytes[at..].iter().take_while(|&&byte| goes_on(byte)).count();
                // `->` is as long as no name, and `o-` and `-o` are names of the same length: the symbol wins.
                if text[at..].starts_with("->") && long == at + 1 {
                    at += 2;
                    Kind::To
                } else {
                    at = long;
                    match &text[start..at] {
                        "pred" => Kind::Pred,
                        "stage" => Kind::Stage,
                        "context" => Kind::Context,
                        "o-" => Kind::Given,
                        "-o" => Kind::Becomes,
                        _ => Kind::Name,
                    }
                }
            }
            byte => {
                let two = text.get(at..at + 2);
                let (kind, length) = match (two, byte) {
                    (Some("<-"), _) => (Kind::From, 2),
                    (Some("=="), _) => (Kind::Same, 2),
                    (Some("<>"), _) => (Kind::Differs, 2),
                    (_, b'{') => (Kind::OpenBrace, 1),
                    (_, b'}') => (Kind::CloseBrace, 1),
                    (_, b'(') => (Kind::Open, 1),
                    (_, b')') => (Kind::Close, 1),
                    (_, b'.') => (Kind::Period, 1),
                    (_, b':') => (Kind::Colon, 1),
                    (_, b',') => (Kind::Comma, 1),
                    (_, b'=') => (Kind::Equals, 1),
                    (_, b'_') => (Kind::Wild, 1),
                    (_, b'!') => (Kind::Bang, 1),
                    (_, b'$') => (Kind::Dollar, 1),
                    (_, b'*') => (Kind::Star, 1),
                    _ => (Kind::Stray, text[at..].chars().next().map_or(1, char::len_utf8)),
                };
                at += length;
                kind
            }
        };
        tokens.push(Token { kind, start: start as u32, end: at as u32 });
    }
    tokens.push(Token { kind: Kind::End, start: bytes.len() as u32, end: bytes.len() as u32 });
    (tokens, notes)
}

fn begins(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'-' | b'\\')
}

fn goes_on(byte: u8) -> bool {
    begins(byte) || byte.is_ascii_digit() || matches!(byte, b'_' | b'\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        lex(text).0.iter().map(|token| token.kind).filter(|&kind| kind != Kind::End).collect()
    }

    #[test]
    fn the_longest_word_wins_and_a_symbol_beats_a_name() {
        assert_eq!(kinds("a-o b"), [Kind::Name, Kind::Name]);
        assert_eq!(kinds("a -o b"), [Kind::Name, Kind::Becomes, Kind::Name]);
        assert_eq!(kinds("-oops predicate pred"), [Kind::Name, Kind::Name, Kind::Pred]);
        assert_eq!(kinds("007"), [Kind::Number; 3]);
        assert_eq!(kinds("_x - -> <- o-"), [Kind::Wild, Kind::Name, Kind::Name, Kind::To, Kind::From, Kind::Given]);
    }

    #[test]
    fn side_information_is_kept_and_other_comments_are_not() {
        let (tokens, notes) = lex("a % nothing\r\n%% play/1 Turn Col/Row\nb");
        assert_eq!(tokens.len(), 3);
        assert_eq!(notes, [(13, "play/1 Turn Col/Row")]);
    }

    #[test]
    fn any_text_is_tokens() {
        for text in ["é € @ \u{0}", "#", "# x", "%%", "%", "<", "==="] {
            lex(text);
        }
    }
}
