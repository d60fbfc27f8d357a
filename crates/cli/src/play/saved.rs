//! A match that was written down, read again.

use std::path::Path;

use crate::games::Options;

/// What a saved match says.
#[derive(Debug, PartialEq)]
pub struct Saved {
    pub game: String,
    pub options: Options,
    pub seed: u64,
    pub steps: Vec<Step>,
}

#[derive(Debug, PartialEq)]
pub enum Step {
    /// Who chose, and the words of the choice.
    Choice {
        name: String,
        words: String,
    },
    Switch {
        rule: String,
        on: bool,
    },
}

/// How every saved match begins.
pub const BEGINNING: &str = "game ";

/// The saved match at a path; none where something else lies, such as a definition.
pub fn read(path: &Path) -> Option<Result<Saved, String>> {
    let text = std::fs::read_to_string(path).ok()?;
    text.starts_with(BEGINNING)
        .then(|| parse(&text).map_err(|(line, reason)| format!("{}:{line}: {reason}", path.display())))
}

fn parse(text: &str) -> Result<Saved, (usize, String)> {
    let mut saved = Saved { game: String::new(), options: Options::default(), seed: 1, steps: Vec::new() };
    let mut begun = false;
    for (idx, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fault = |reason: String| (idx + 1, reason);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.to_owned();
        match (begun, word) {
            (false, "game") => saved.game = rest,
            (false, "variant") => saved.options.variants.push(rest),
            (false, "off") => saved.options.off.push(rest),
            (false, "position") => saved.options.position = Some(rest),
            (false, "players") => {
                saved.options.seats = Some(rest.parse().map_err(|_| fault(format!("“{rest}” is no number.")))?);
            }
            (false, "set") => {
                let Some((name, value)) = rest.split_once('=') else {
                    return Err(fault("a setting is written name=value".into()));
                };
                saved.options.settings.push((name.into(), value.into()));
            }
            (false, "seed") => {
                saved.seed = rest.parse().map_err(|_| fault(format!("“{rest}” is no number.")))?;
                begun = true;
            }
            (true, "on" | "off") if !line.contains(": ") => {
                saved.steps.push(Step::Switch { rule: rest, on: word == "on" });
            }
            _ => match line.split_once(": ") {
                Some((name, words)) if begun => {
                    saved.steps.push(Step::Choice { name: name.into(), words: words.into() });
                }
                _ => return Err(fault(format!("“{line}” is not understood."))),
            },
        }
    }
    Ok(saved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_match_is_read_line_by_line() {
        let saved = parse("game nim\nset heaps=2\noff Rule\nseed 5\nAnn: take 2\noff Another\n").unwrap();
        assert_eq!((saved.game.as_str(), saved.seed), ("nim", 5));
        assert_eq!(saved.options.off, ["Rule"]);
        assert_eq!(
            saved.steps,
            [
                Step::Choice { name: "Ann".into(), words: "take 2".into() },
                Step::Switch { rule: "Another".into(), on: false }
            ]
        );
        assert_eq!(parse("game nim\nset heaps\n").unwrap_err().0, 2);
        assert_eq!(parse("game nim\nseed 1\nhm\n").unwrap_err().0, 3);
    }
}
