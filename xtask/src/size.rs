//! `cargo xtask size`: how much text a game takes, how much of it is left without its variants, and how much of that are
//! rules: not facts for people, wording, looks, or advice for players.

use std::collections::BTreeSet;
use std::fs;

use houserules_gdl::parse;
use houserules_library as library;

use crate::games;

/// Lines and tokens without comments and blank lines; a token is a word, a number, a string or a parenthesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    pub lines: usize,
    pub tokens: usize,
    /// Tokens before the first variant.
    pub plain: usize,
    /// Of these, the tokens that decide what is legal and who wins.
    pub rules: usize,
}

pub fn run() -> Result<(), String> {
    println!("{:24}  lines  tokens  without variants  rules alone", "game");
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
            total.plain += size.plain;
            total.rules += size.rules;
        }
        let Size { lines, tokens, plain, rules } = total;
        println!("{:24}  {lines:5}  {tokens:6}  {plain:16}  {rules:11}", folder.name);
    }
    println!("\n{:24}  lines  lines in the paper", "in BGD, without comments");
    for name in library::list_bgd() {
        let game = name.trim_end_matches(".bgd");
        let text = library::file(game, "game.bgd").unwrap_or_default();
        let paper = PAPER.iter().find(|(known, _)| *known == game).map(|(_, lines)| lines.to_string());
        println!("{name:24}  {:5}  {:>18}", bgd_lines(&text), paper.unwrap_or_default());
    }
    let source = fs::read_to_string(crate::cargo::root().join("crates/spira/src/games.rs"));
    print!("{}", spira(&source.map_err(|error| format!("The games in Spira cannot be read: {error}."))?));
    Ok(())
}

/// Lines of the games in Spira, beside those of the paper that had the idea.
fn spira(source: &str) -> String {
    let mut said = format!("\n{:24}  lines  in the paper\n", "game in Spira");
    for (name, paper) in [
        ("tic_tac_toe", "50"),
        ("connect_four", "–"),
        ("othello", "100"),
        ("nim", "–"),
        ("rock_paper_scissors", "–"),
        ("battleships", "–"),
        ("skirmish", "–"),
    ] {
        let body = source.split_once(&format!("pub fn {name}(")).and_then(|(_, rest)| rest.split_once("\n}\n"));
        let lines = body.map_or(0, |(body, _)| 1 + body.lines().filter(|line| !line.trim().is_empty()).count());
        said += &format!("{name:24}  {lines:5}  {paper:>12}\n");
    }
    said
}

/// How long its authors' descriptions are, as the paper on BGD says.
const PAPER: [(&str, usize); 2] = [("mens-erger-je-niet", 400), ("manila", 1100)];

/// Lines with something on them that is no comment.
fn bgd_lines(text: &str) -> usize {
    let (mut lines, mut inside) = (0, false);
    for line in text.lines() {
        let (mut rest, mut something) = (line, false);
        while !rest.is_empty() {
            if inside {
                let Some(end) = rest.find("*/") else { break };
                (inside, rest) = (false, &rest[end + 2..]);
                continue;
            }
            // No text in quotes of a game holds the beginning of a comment.
            let begins = [rest.find("//"), rest.find("/*")].into_iter().flatten().min().unwrap_or(rest.len());
            something |= !rest[..begins].trim().is_empty();
            inside = rest[begins..].starts_with("/*");
            rest = if inside { &rest[begins + 2..] } else { "" };
        }
        lines += usize::from(something);
    }
    lines
}

pub fn size(text: &str) -> Size {
    let root = parse(houserules_model::FileId(0), text).root();
    let mut at = 0;
    let (mut lines, mut tokens) = (Vec::new(), Vec::new());
    for token in root.descendants_with_tokens().filter_map(|element| element.into_token()) {
        let line = at;
        at += token.text().matches('\n').count();
        if !token.kind().is_trivia() {
            tokens.push(token.text().to_owned());
            lines.extend(line..=at);
        }
    }
    lines.dedup();
    // A variant lasts to the next one or to the end.
    let plain = tokens.iter().position(|token| token == "#variant").unwrap_or(tokens.len());
    Size { lines: lines.len(), tokens: tokens.len(), plain, rules: rules(&tokens[..plain]) }
}

/// A directive and what follows it.
type Directive<'a> = &'a [String];

fn rules(tokens: &[String]) -> usize {
    let (mut advice, mut rules): (Vec<Directive>, Vec<Directive>) = tokens
        .chunk_by(|_, next| !next.starts_with('#'))
        .filter(|directive| !matches!(directive[0].as_str(), "#info" | "#look"))
        .partition(|directive| directive[0] == "#evaluator");
    // A define that only advice asks is advice as well.
    loop {
        let asked: BTreeSet<&str> = rules.iter().flat_map(|directive| words_asked(directive)).collect();
        let advised: BTreeSet<&str> = advice.iter().flat_map(|directive| words_asked(directive)).collect();
        let (more, rest) = rules.iter().partition(|directive| {
            directive[0] == "#define" && advised.contains(name(directive)) && !asked.contains(name(directive))
        });
        advice.extend::<Vec<Directive>>(more);
        let before = std::mem::replace(&mut rules, rest);
        if rules.len() == before.len() {
            return rules.iter().map(|directive| directive.len() - wording(directive)).sum();
        }
    }
}

fn name<'a>(directive: Directive<'a>) -> &'a str {
    directive.get(1).map_or("", String::as_str)
}

/// All words of a directive, but not those in which a define asks itself.
fn words_asked<'a>(directive: Directive<'a>) -> impl Iterator<Item = &'a str> {
    let itself = if directive[0] == "#define" { name(directive) } else { "" };
    directive.iter().map(String::as_str).filter(move |word| *word != itself)
}

/// How many tokens only word something: a choice with `as "…"`, a setting with its text, places with `naming …`.
fn wording(directive: Directive) -> usize {
    let is_text = |token: &String| token.starts_with('"');
    match directive[0].as_str() {
        "#action" => 2 * directive.windows(2).filter(|pair| pair[0] == "as" && is_text(&pair[1])).count(),
        "#board" => 2 * directive.iter().filter(|token| *token == "naming").count(),
        // The first string may be the value.
        "#setting" => usize::from(directive.len() > 3 && directive.last().is_some_and(is_text)),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_not_counted() {
        let text = "; a comment\n#game \"Toy\"  ; another\n\n#law \"No\" on hop\n  (require (> n 1))\n";
        let tokens = 2 + 4 + 8;
        assert_eq!(size(text), Size { lines: 3, tokens, plain: tokens, rules: tokens });
    }

    #[test]
    fn a_game_in_spira_is_measured_by_its_function() {
        let source = "pub fn nim(a: u8) -> Spira {\n    one();\n\n    two()\n}\npub fn other() {}\n";
        assert!(spira(source).contains("nim                           4"), "{}", spira(source));
        let games = fs::read_to_string(crate::cargo::root().join("crates/spira/src/games.rs")).unwrap();
        assert!(spira(&games).lines().skip(2).all(|line| !line.contains("     0  ")), "{}", spira(&games));
    }

    #[test]
    fn comments_of_bgd_are_not_counted() {
        let text = "// a comment\nGame = \"Toy\"; // another\n\n/* one\nmore */ Players{ /* two */\n /**/\n}\n";
        assert_eq!(bgd_lines(text), 3);
    }

    #[test]
    fn variants_facts_and_evaluators_are_no_rules() {
        let text =
            "#game \"Toy\"\n#info year 2000\n#turns\n#evaluator \"n\" n\n#variant \"Free\"\n  #turns free\n#set n 3\n";
        let plain = 2 + 3 + 1 + 3;
        assert_eq!(size(text), Size { lines: 7, tokens: plain + 2 + 2 + 3, plain, rules: 2 + 1 });
    }

    #[test]
    fn a_define_that_only_evaluators_ask_is_no_rule() {
        let text = "#define worth 3\n#define deep n (deep worth)\n#define near 1\n#evaluator \"e\" (deep 1)\n#law \"L\" on hop near\n";
        assert_eq!(size(text).rules, 3 + 5);
    }

    #[test]
    fn wording_is_no_rule() {
        let text = "#setting sign \"x\"\n#setting n 3 from 1 to 9 \"How many\"\n#action hop to cell as \"{self}\"\n#board cell grid 8 8 naming go\n";
        assert_eq!(size(text).rules, 3 + 7 + 4 + 5);
    }
}
