use houserules_model::Mode;
use houserules_model::print::quoted;
use houserules_record::Change;

/// What a player can type besides a choice.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Why choices are refused: all that are, or those that fit the words.
    Why(String),
    Undo,
    Redo,
    Rules,
    Change(Change),
    /// The referee has a thing carry something out.
    Hand {
        entity: String,
        statements: String,
    },
    Note(String),
    /// The properties of everything, or of what fits the words.
    Inspect(String),
    Save(String),
    /// Saves a record of its own that begins like this match.
    Fork(String),
    List,
    Help,
    Quit,
    /// Something is missing; the words say what.
    Unclear(&'static str),
}

pub const HELP: &str = "  a number, a choice, or a part of it   plays it: 5, place b2, b2
  list                                  all choices
  ?  or  ? b2                           what is refused here, and by which rule
  undo, redo                            takes your last move or change back, does it again
  rules                                 the game in short, the rules and which are in force
  off RULE, on RULE                     switches a rule
  rule RULE off|on|advised              advised: warns, and the referee or all of you decide
  rule RULE instead (…)                 gives a rule another body
  add law \"NAME\" on ACTION (…)          adds a rule, or anything else a definition can say
  set SETTING=VALUE                     changes a setting
  hand THING PROPERTY = VALUE           sets a property by hand; hand THING (…) does anything
  inspect  or  inspect THING            the properties of everything
  note TEXT                             writes a comment into the record
  save FILE, fork FILE                  writes the match down; as a match of its own
  quit  or  0                           leaves";

/// The command that was typed, if it is one.
pub fn command(typed: &str) -> Option<Command> {
    if let Some(words) = typed.strip_prefix('?') {
        return Some(Command::Why(words.trim().into()));
    }
    let (word, whole) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    let whole = whole.trim();
    let rest = unquoted(whole);
    match (word.to_lowercase().as_str(), rest.is_empty()) {
        ("quit" | "q" | "exit" | "0", true) => Some(Command::Quit),
        ("help" | "h", true) => Some(Command::Help),
        ("list" | "l", true) => Some(Command::List),
        ("undo" | "u", true) => Some(Command::Undo),
        ("redo", true) => Some(Command::Redo),
        ("rules", true) => Some(Command::Rules),
        ("why", _) => Some(Command::Why(rest)),
        ("off", false) => Some(switch(rest, Mode::Off)),
        ("on", false) => Some(switch(rest, Mode::Enforced)),
        ("rule", false) => Some(rule(whole)),
        ("add", false) => Some(Command::Change(Change::Text(directive(whole)))),
        ("set", false) => Some(match whole.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
                Command::Change(Change::Setting { name, value })
            }
            _ => Command::Unclear("A setting is changed by `set SETTING=VALUE`."),
        }),
        ("hand", false) => Some(hand(whole)),
        ("note", false) => Some(Command::Note(whole.to_owned())),
        ("inspect", _) => Some(Command::Inspect(rest)),
        ("save", _) => Some(Command::Save(rest)),
        ("fork", false) => Some(Command::Fork(rest)),
        _ => None,
    }
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches('"').to_owned()
}

fn switch(rule: String, mode: Mode) -> Command {
    Command::Change(Change::Mode { rule, mode })
}

/// `NAME off`, `NAME instead (…)`.
fn rule(text: &str) -> Command {
    if let Some((name, body)) = text.split_once(" instead") {
        let name = quoted(&unquoted(name));
        return Command::Change(Change::Text(format!("#rule {name} instead\n  {}", body.trim())));
    }
    let (name, mode) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    let mode = match mode {
        "off" => Mode::Off,
        "on" | "enforced" => Mode::Enforced,
        "advised" => Mode::Advised,
        _ => return Command::Unclear("A rule is changed by `rule NAME off`, `on`, `advised` or `instead (…)`."),
    };
    switch(unquoted(name), mode)
}

/// What is added is written as in a definition; the sign before its first word may be left out.
fn directive(text: &str) -> String {
    if text.starts_with('#') { text.to_owned() } else { format!("#{text}") }
}

/// `hole 1 stones = 4`, `hole 1 (set stones to 4)`.
fn hand(text: &str) -> Command {
    if let Some(at) = text.find('(')
        && at > 0
        && !text[..at].contains('=')
    {
        return Command::Hand { entity: unquoted(&text[..at]), statements: text[at..].to_owned() };
    }
    let missing = "Something is set by `hand THING PROPERTY = VALUE`.";
    let Some((left, value)) = text.split_once('=') else { return Command::Unclear(missing) };
    let Some((entity, property)) = left.trim().rsplit_once(char::is_whitespace) else {
        return Command::Unclear(missing);
    };
    Command::Hand { entity: unquoted(entity), statements: format!("(set {} to {})", property.trim(), value.trim()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_choices() {
        assert_eq!(command("? b2"), Some(Command::Why("b2".into())));
        assert_eq!(command("off \"Only empty cells\""), Some(switch("Only empty cells".into(), Mode::Off)));
        assert_eq!(command("0"), Some(Command::Quit));
        assert_eq!(command("place b2"), None);
        assert_eq!(command("on"), None);
    }

    #[test]
    fn changes_of_rules_are_typed() {
        assert_eq!(command("rule No suicide advised"), Some(switch("No suicide".into(), Mode::Advised)));
        let text = |text: &str| Some(Command::Change(Change::Text(text.into())));
        assert_eq!(
            command("rule \"Line\" instead (if (line 2 of mark) (win player))"),
            text("#rule \"Line\" instead\n  (if (line 2 of mark) (win player))")
        );
        assert_eq!(command("add law \"No\" on place (require nil)"), text("#law \"No\" on place (require nil)"));
        let setting = Change::Setting { name: "goal".into(), value: "20".into() };
        assert_eq!(command("set goal=20"), Some(Command::Change(setting)));
        assert!(matches!(command("set goal"), Some(Command::Unclear(_))));
        assert!(matches!(command("rule No suicide"), Some(Command::Unclear(_))));
        for typed in ["hand hole 1 stones = 4", "hand \"hole 1\" (set stones to 4)"] {
            let hand = Command::Hand { entity: "hole 1".into(), statements: "(set stones to 4)".into() };
            assert_eq!(command(typed), Some(hand), "{typed}");
        }
    }
}
