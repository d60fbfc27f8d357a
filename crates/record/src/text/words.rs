//! Names and words on one line.

/// Words as they stand on a line: line breaks and runs of blanks are one blank.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// A name that something else follows: in quotes where it would otherwise not end with the first blank.
pub(crate) fn quoted(name: &str) -> String {
    let name = one_line(name);
    let plain = !name.is_empty() && !name.contains([' ', '"', '\\']);
    if plain { name } else { format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")) }
}

/// Takes a name off the beginning; none if there is none or its quotes are not closed.
pub(crate) fn bare(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    let Some(inside) = text.strip_prefix('"') else {
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        return (!name.is_empty()).then(|| (name.to_owned(), rest.trim()));
    };
    let mut name = String::new();
    let mut letters = inside.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((name, inside[at + 1..].trim())),
            '\\' => name.push(letters.next()?.1),
            letter => name.push(letter),
        }
    }
    None
}

/// Text of several lines on one.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\r', "").replace('\n', "\\n")
}

pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, false) => plain.push(letter),
            _ => match letters.next() {
                Some('n') => plain.push('\n'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_quoting() {
        for name in ["South", "Player 1", "say \"no\"", "back\\slash", ""] {
            let line = format!("{} and more", quoted(name));
            assert_eq!(bare(&line), Some((name.to_owned(), "and more")), "{line}");
        }
        assert_eq!(bare("\"open"), None);
        assert_eq!(bare("  "), None);
    }

    #[test]
    fn notes_survive_on_one_line() {
        for text in ["two\nlines", "a \\n that is none", "\\"] {
            assert_eq!(unescaped(&escaped(text)), text);
        }
    }
}
