//! The usual layout: lines stay as the author broke them, blanks and indents follow the signs.

use crate::lex::{Kind, Token, lex};
use crate::parse::{Precedence, parse};
use houserules_model::{Diagnostic, FileId};

/// A text laid out, or what stands against reading it.
pub fn fmt(text: &str) -> Result<String, Vec<Diagnostic>> {
    let (_, said) = parse(text, FileId(0), Precedence::default());
    let errors: Vec<Diagnostic> = said.into_iter().filter(Diagnostic::is_error).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut out = String::new();
    let mut depth: usize = 0;
    let mut before: Option<Token> = None;
    for token in lex(text) {
        let spelled = &text[token.start as usize..token.end as usize];
        let gap = &text[before.map_or(0, |before| before.end as usize)..token.start as usize];
        let n_lines = gap.matches('\n').count();
        if token.kind == Kind::Sign("}") || token.kind == Kind::Sign("]") || token.kind == Kind::Sign(")") {
            depth = depth.saturating_sub(1);
        }
        if token.kind == Kind::End {
            break;
        }
        match before {
            None => {}
            Some(_) if n_lines > 0 => {
                out.push('\n');
                if n_lines > 1 {
                    out.push('\n');
                }
                out.push_str(&"  ".repeat(depth));
            }
            Some(last) if apart(last, token) => out.push(' '),
            Some(_) => {}
        }
        // A comment of several lines stays as it is, but for blanks at the ends of its lines.
        let lines: Vec<&str> = spelled.lines().map(str::trim_end).collect();
        out.push_str(&lines.join("\n"));
        if matches!(token.kind, Kind::Sign("{" | "[" | "(")) {
            depth += 1;
        }
        before = Some(token);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    Ok(out)
}

/// Whether a blank stands between two tokens of one line.
fn apart(left: Token, right: Token) -> bool {
    use Kind::Sign;
    match (left.kind, right.kind) {
        (Kind::Comment, _) | (_, Kind::Comment) => true,
        (_, Sign(";" | "," | "." | ".." | ")" | "]")) | (Sign("." | ".." | "(" | "[" | "!"), _) => false,
        // A call, an index, a block of a name; but `if (` would be as good as `if(`.
        (Kind::Id | Kind::Low | Sign(")" | "]"), Sign("(" | "[")) => false,
        (Kind::Id | Kind::Low | Sign(")"), Sign("{")) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::fmt;

    const TEXT: &str = "Game = \"x\" ;  // a game\nPlayers{MinPlayers=1;MaxPlayers =2;\n      Human Ann ;\n\n\n Human Bo{ Home=Camp;  }\n}\nLocations{ Camp{ } }\nObjects{ Die{ public Randomizer{ [1 ,2] } } }\nRounds{ Main( ){\nif( Ann.Home==Camp ){ FinishGame; }\n} }\nActions{ }\n";

    #[test]
    fn blanks_and_indents_follow_the_signs_and_comments_stay() {
        let once = fmt(TEXT).unwrap();
        assert!(once.contains("Game = \"x\"; // a game\n"), "{once}");
        assert!(once.contains("\n  Human Ann;\n\n  Human Bo{ Home = Camp; }\n}\n"), "{once}");
        assert!(once.contains("\n    if(Ann.Home == Camp){ FinishGame; }\n"), "{once}");
        assert_eq!(fmt(&once).unwrap(), once, "a text in the usual layout stays as it is");
    }
}
