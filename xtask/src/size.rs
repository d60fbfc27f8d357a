//! `cargo xtask size`: how much text a game takes, and how much of it are the rules of the game as it is usually played:
//! everything but `#variant`, `#info` and `#evaluator`.

use std::fs;

use houserules_gdl::parse;
use houserules_library as library;

use crate::games;

/// Lines and tokens without comments and blank lines; a token is a word, a number, a string or a parenthesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    pub lines: usize,
    pub tokens: usize,
    /// Tokens outside variants, facts for people and advice for players.
    pub rules: usize,
}

pub fn run() -> Result<(), String> {
    println!("{:24}  lines  tokens  rules alone", "game");
    for folder in games::folders()? {
        let found = library::find(&folder.name)?;
        let mut total = Size::default();
        for (_, source) in found.loaded.sources.iter() {
            // What another game brings along is counted there.
            if !source.name.starts_with(&format!("games/{}/", folder.name)) {
                continue;
            }
            let size = size(&fs::read_to_string(crate::cargo::root().join(&source.name)).unwrap_or_default());
            total.lines += size.lines;
            total.tokens += size.tokens;
            total.rules += size.rules;
        }
        println!("{:24}  {:5}  {:6}  {:11}", folder.name, total.lines, total.tokens, total.rules);
    }
    Ok(())
}

pub fn size(text: &str) -> Size {
    let root = parse(houserules_model::FileId(0), text).root();
    let mut at = 0;
    let (mut lines, mut tokens, mut rules) = (Vec::new(), 0, 0);
    let (mut in_variant, mut in_aside) = (false, false);
    for token in root.descendants_with_tokens().filter_map(|element| element.into_token()) {
        let line = at;
        at += token.text().matches('\n').count();
        if !token.kind().is_trivia() {
            // A variant lasts to the next one or to the end.
            if token.text().starts_with('#') {
                in_variant |= token.text() == "#variant";
                in_aside = matches!(token.text(), "#info" | "#evaluator");
            }
            tokens += 1;
            rules += usize::from(!in_variant && !in_aside);
            lines.extend(line..=at);
        }
    }
    lines.dedup();
    Size { lines: lines.len(), tokens, rules }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_not_counted() {
        let text = "; a comment\n#game \"Toy\"  ; another\n\n#law \"No\" on hop\n  (require (> n 1))\n";
        assert_eq!(size(text), Size { lines: 3, tokens: 2 + 4 + 8, rules: 2 + 4 + 8 });
    }

    #[test]
    fn variants_facts_and_evaluators_are_no_rules() {
        let text =
            "#game \"Toy\"\n#info year 2000\n#turns\n#evaluator \"n\" n\n#variant \"Free\"\n  #turns free\n#set n 3\n";
        assert_eq!(size(text), Size { lines: 7, tokens: 2 + 3 + 1 + 3 + 2 + 2 + 3, rules: 2 + 1 });
    }
}
