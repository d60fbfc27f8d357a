//! What the names of places say about where they lie.

use houserules_kernel::CellView;

/// The name without that of the board's owner or kind: `North d7` is `d7`, `hole 3` is `3`.
pub(super) fn short(cell: &CellView) -> &str {
    cell.name.rsplit(' ').next().unwrap_or(&cell.name)
}

/// Letters and number of a name such as `d7`.
pub(super) fn lettered(name: &str) -> Option<(&str, &str)> {
    let at = name.find(|letter: char| !letter.is_ascii_lowercase())?;
    let (letters, number) = name.split_at(at);
    (!letters.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then_some((letters, number))
}

/// Column and row of a name such as `d7`, from 1.
pub(super) fn column_and_row(name: &str) -> Option<(i32, i32)> {
    let (letters, number) = lettered(name)?;
    let [letter] = letters.as_bytes() else { return None };
    Some((i32::from(letter - b'a') + 1, number.parse().ok()?))
}
