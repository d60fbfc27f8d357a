//! Places in a text as editors count them: lines from 0, and in a line units of UTF-16.

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct At {
    pub line: u32,
    pub character: u32,
}

/// Where a byte lies. Beyond the end is the end.
pub fn at(text: &str, byte: usize) -> At {
    let before = &text[..floor(text, byte)];
    let line = before.matches('\n').count() as u32;
    let begun = before.rfind('\n').map_or(0, |newline| newline + 1);
    At { line, character: before[begun..].encode_utf16().count() as u32 }
}

/// The byte at a place. Beyond the end of a line is its end, beyond the last line the end of the text.
pub fn byte(text: &str, at: At) -> usize {
    let mut begun = 0;
    for _ in 0..at.line {
        match text[begun..].find('\n') {
            Some(newline) => begun += newline + 1,
            None => return text.len(),
        }
    }
    let line = text[begun..].split('\n').next().unwrap_or_default();
    let mut units = 0;
    for (idx, letter) in line.char_indices() {
        if units >= at.character {
            return begun + idx;
        }
        units += letter.len_utf16() as u32;
    }
    begun + line.len()
}

/// The word around a byte, and where it begins: what stands between spaces, parentheses, quotes and braces.
pub fn word(text: &str, byte: usize) -> (usize, &str) {
    let byte = floor(text, byte);
    let ends = |letter: char| letter.is_whitespace() || "()\"{};".contains(letter);
    let start =
        text[..byte].rfind(ends).map_or(0, |found| found + text[found..].chars().next().map_or(1, char::len_utf8));
    let end = text[byte..].find(ends).map_or(text.len(), |found| byte + found);
    (start, &text[start..end])
}

/// Never in the middle of a letter, and never beyond the end.
fn floor(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_bytes_lead_to_each_other_whatever_the_letters() {
        let text = "aé♠\n😀b\n";
        for (byte_idx, _) in text.char_indices() {
            assert_eq!(byte(text, at(text, byte_idx)), byte_idx, "{byte_idx}");
        }
        assert_eq!(at(text, text.len() + 9), At { line: 2, character: 0 });
        assert_eq!(byte(text, At { line: 0, character: 99 }), 6);
        assert_eq!(byte(text, At { line: 99, character: 0 }), text.len());
        assert_eq!(at(text, 9), at(text, 7), "in the middle of a letter is at its beginning");
    }

    #[test]
    fn a_word_ends_at_parentheses_quotes_and_spaces() {
        let text = "(if (not mark) \"no\")";
        assert_eq!(word(text, 10), (9, "mark"));
        assert_eq!(word(text, 9), (9, "mark"));
        assert_eq!(word(text, 13), (9, "mark"));
        assert_eq!(word("#law", 2), (0, "#law"));
        assert_eq!(word("é", 1), (0, "é"));
        assert_eq!(word("", 5), (0, ""));
    }
}
