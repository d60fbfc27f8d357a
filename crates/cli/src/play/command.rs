/// What a player can type besides a choice.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Why choices are refused: all that are, or those that fit the words.
    Why(String),
    Undo,
    Rules,
    Switch {
        rule: String,
        on: bool,
    },
    Save(String),
    List,
    Help,
    Quit,
}

pub const HELP: &str = "  \
  a number, a choice, or a part of it   plays it: 5, place b2, b2
  list                                  all choices
  ?  or  ? b2                           what is refused here, and by which rule
  undo                                  takes your last move back
  rules                                 the game in short, and the rules in force
  off RULE, on RULE                     switches a rule
  save FILE                             writes the match down
  quit  or  0                           leaves";

/// The command that was typed, if it is one.
pub fn command(typed: &str) -> Option<Command> {
    if let Some(words) = typed.strip_prefix('?') {
        return Some(Command::Why(words.trim().into()));
    }
    let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    let rest = rest.trim().trim_matches('"').to_owned();
    match (word.to_lowercase().as_str(), rest.is_empty()) {
        ("quit" | "q" | "exit" | "0", true) => Some(Command::Quit),
        ("help" | "h", true) => Some(Command::Help),
        ("list" | "l", true) => Some(Command::List),
        ("undo" | "u", true) => Some(Command::Undo),
        ("rules", true) => Some(Command::Rules),
        ("why", _) => Some(Command::Why(rest)),
        ("off", false) => Some(Command::Switch { rule: rest, on: false }),
        ("on", false) => Some(Command::Switch { rule: rest, on: true }),
        ("save", _) => Some(Command::Save(rest)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_choices() {
        assert_eq!(command("? b2"), Some(Command::Why("b2".into())));
        assert_eq!(
            command("off \"Only empty cells\""),
            Some(Command::Switch { rule: "Only empty cells".into(), on: false })
        );
        assert_eq!(command("0"), Some(Command::Quit));
        assert_eq!(command("place b2"), None);
        assert_eq!(command("on"), None);
    }
}
