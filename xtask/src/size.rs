//! `cargo xtask size`: how much text a game takes.

use std::fs;

use houserules_gdl::parse;
use houserules_library as library;

use crate::games;

/// Lines and tokens without comments and blank lines; a token is a word, a number, a string or a parenthesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    pub lines: usize,
    pub tokens: usize,
}

pub fn run() -> Result<(), String> {
    println!("{:24}  lines  tokens", "game");
    for folder in games::folders()? {
        let found = library::find(&folder.name)?;
        let mut total = Size::default();
        for (_, source) in found.loaded.sources.iter() {
            // What another game brings along is counted there.
            if !source.name.starts_with(&format!("games/{}/", folder.name)) {
                continue;
            }
            let size = size(&fs::read_to_string(crate::cargo::root().join(&source.name)).unwrap_or_default());
            total = Size { lines: total.lines + size.lines, tokens: total.tokens + size.tokens };
        }
        println!("{:24}  {:5}  {:6}", folder.name, total.lines, total.tokens);
    }
    Ok(())
}

pub fn size(text: &str) -> Size {
    let root = parse(houserules_model::FileId(0), text).root();
    let mut at = 0;
    let (mut lines, mut tokens) = (Vec::new(), 0);
    for token in root.descendants_with_tokens().filter_map(|element| element.into_token()) {
        let line = at;
        at += token.text().matches('\n').count();
        if !token.kind().is_trivia() {
            tokens += 1;
            lines.extend(line..=at);
        }
    }
    lines.dedup();
    Size { lines: lines.len(), tokens }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_not_counted() {
        let text = "; a comment\n#game \"Toy\"  ; another\n\n#law \"No\" on hop\n  (require (> n 1))\n";
        assert_eq!(size(text), Size { lines: 3, tokens: 2 + 4 + 8 });
    }
}
