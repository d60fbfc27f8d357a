//! A definition's text and everything the checker says about it, as one text to look at.

use houserules_check::check;
use houserules_gdl::{Loaded, read_text, render};

/// A game for two on nine cells that is in order; tests add to it.
pub const GRID: &str = r#"#game "Toy"
#players "Ann" "Bo"
#turns
#model cell
  #property mark
#board cell grid 3 3
#action place to cell
  (set mark to player)
#law "Only empty cells" on place
  (require (not mark) "No.")
"#;

/// The messages about a whole definition.
pub fn messages(text: &str) -> String {
    let Loaded { definition, sources, diagnostics } = read_text("toy.gdl", text);
    assert!(diagnostics.is_empty(), "the reader already complains: {diagnostics:#?}");
    let found = check(&definition);
    let shown: Vec<String> = found.iter().map(|diagnostic| render(diagnostic, &sources, false)).collect();
    shown.join("\n")
}

/// The messages about [`GRID`] with something added.
pub fn added(text: &str) -> String {
    messages(&format!("{GRID}\n{text}"))
}
