//! Words and strings as the reader takes them.

/// Signs that may stand in a word: those of names, of operators and of file paths.
pub fn is_word_sign(c: char) -> bool {
    c.is_alphanumeric() || "-_+*/=<>!?.'%&:@$^~|".contains(c)
}

/// Whether a name can stand without quotes. Digits alone would be a number; that is a name too where names stand.
pub fn is_plain_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_sign) && !looks_like_number(text)
}

/// A name where a name is expected: in quotes only if it needs them.
pub fn name(text: &str) -> String {
    if is_plain_word(text) { text.into() } else { quoted(text) }
}

/// On one line, whatever it holds: a line that begins with a directive would end the string.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// A text in which no brace begins a value.
pub fn unbraced(text: &str) -> String {
    text.replace('{', "{{")
}

/// Numbers, and what the reader refuses as a number: `01`, `1.5`, `.5`.
fn looks_like_number(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-')
}
