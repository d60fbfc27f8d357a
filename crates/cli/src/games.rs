//! Where games come from. The only module that knows; a library of definitions plugs in here.

use std::path::Path;

use houserules_kernel::twin::TicTacToe;
use houserules_kernel::{Position, Rulebook};
use houserules_model::nearest;

/// The house rules a match is compiled with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    pub variants: Vec<String>,
    /// Rules switched off, by name.
    pub off: Vec<String>,
    pub settings: Vec<(String, String)>,
    /// How many take part, where the game leaves that open.
    pub seats: Option<u32>,
}

/// A game as the library lists it.
pub struct Entry {
    /// What is typed to name it.
    pub name: String,
    pub summary: String,
}

/// What people want to know of a game before they play it.
pub struct About {
    pub title: String,
    pub summary: String,
    pub variants: Vec<String>,
    pub settings: Vec<Setting>,
    pub rules: Vec<RuleState>,
}

pub struct Setting {
    pub name: String,
    pub default: String,
    /// What it may be, in words.
    pub range: String,
}

/// A rule and whether it is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleState {
    pub name: String,
    pub on: bool,
}

/// Rules that can be switched while a match runs.
pub trait RuleSwitch {
    fn rules(&self) -> Vec<RuleState>;
    /// Takes effect at once; an error is told to the player and leaves everything as it was.
    ///
    /// It is no move: undo passes over it and leaves the rules as they are now.
    fn switch(&mut self, name: &str, on: bool) -> Result<(), String>;
}

/// A match in progress: a position, and the rules it is played by.
pub trait Match: RuleSwitch {
    fn position(&mut self) -> &mut dyn Position;
}

/// A game that was found, not yet compiled.
pub struct Found {
    name: String,
}

/// The games of the library in their usual order.
pub fn list() -> Vec<Entry> {
    vec![Entry { name: TWIN.into(), summary: TWIN_SUMMARY.into() }]
}

/// A game by its name in the library or by the path of its definition.
pub fn find(name_or_path: &str) -> Result<Found, String> {
    if name_or_path == TWIN {
        return Ok(Found { name: TWIN.into() });
    }
    if name_or_path.contains(['/', '\\', '.']) || Path::new(name_or_path).exists() {
        return Err(read(Path::new(name_or_path)).map_or_else(|message| message, |_| UNREADABLE.into()));
    }
    let games = list();
    let names = games.iter().map(|entry| entry.name.as_str());
    Err(match nearest(name_or_path, names) {
        Some(near) => format!("There is no game “{name_or_path}” in the library. Did you mean `{near}`?"),
        None => format!(
            "There is no game “{name_or_path}” in the library. `houserules list` shows what there is; \
             a path to a definition works, too."
        ),
    })
}

impl Found {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn about(&self) -> About {
        let setting = |name: &str, range: &str| Setting { name: name.into(), default: "3".into(), range: range.into() };
        About {
            title: "Tic-tac-toe".into(),
            summary: TWIN_SUMMARY.into(),
            variants: Vec::new(),
            settings: vec![
                setting("width", "from 1 to 26"),
                setting("height", "from 1 to 26"),
                setting("goal", "at least 1"),
            ],
            rules: twin_rules(),
        }
    }

    /// The rules as a match will have them. An error is told to the author or player as it stands.
    pub fn compile(&self, options: &Options) -> Result<Box<dyn Rulebook>, String> {
        let about = self.about();
        if let Some(variant) = options.variants.first() {
            return Err(format!("{} has no variant “{variant}”.", about.title));
        }
        if let Some(rule) = options.off.first() {
            return Err(cannot_switch(rule));
        }
        if options.seats.is_some_and(|n_seats| n_seats != 2) {
            return Err(format!("{} is for 2 players.", about.title));
        }
        let (mut width, mut height, mut goal) = (3, 3, 3);
        for (name, value) in &options.settings {
            let number: usize =
                value.parse().map_err(|_| format!("{name}={value}: “{value}” is not a whole number."))?;
            match name.as_str() {
                "width" => width = number,
                "height" => height = number,
                "goal" => goal = number,
                _ => {
                    let names: Vec<&str> = about.settings.iter().map(|setting| setting.name.as_str()).collect();
                    return Err(match nearest(name, names.iter().copied()) {
                        Some(near) => format!("There is no setting “{name}”. Did you mean `{near}`?"),
                        None => format!("There is no setting “{name}”. Known: {}.", names.join(", ")),
                    });
                }
            }
        }
        let rulebook = TicTacToe::new(width, height, goal).map_err(|error| error.to_string())?;
        Ok(Box::new(rulebook))
    }

    /// A match of this game from the start.
    pub fn start(&self, options: &Options) -> Result<Box<dyn Match>, String> {
        let position = self.compile(options)?.open().map_err(|error| error.to_string())?;
        Ok(Box::new(ByHand { position }))
    }
}

/// What checking a definition found.
pub struct Checked {
    /// The messages as they are shown.
    pub messages: String,
    pub n_errors: usize,
    pub n_warnings: usize,
}

/// Checks the definition at a path; an error is about the file, not about what it says.
pub fn check(path: &Path) -> Result<Checked, String> {
    read(path)?;
    Err(format!("{}: {UNREADABLE}", path.display()))
}

/// The text of a definition in the usual layout.
pub fn format(path: &Path) -> Result<Formatted, String> {
    read(path)?;
    Err(format!("{}: {UNREADABLE}", path.display()))
}

pub struct Formatted {
    pub before: String,
    pub after: String,
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("There is no file {}.", path.display()),
        std::io::ErrorKind::InvalidData => format!("{} is not text.", path.display()),
        _ => format!("{} cannot be read: {error}.", path.display()),
    })
}

const UNREADABLE: &str = "Definitions cannot be read yet; only the game written by hand can be played.";
const TWIN: &str = "tic-tac-toe";
const TWIN_SUMMARY: &str = "Three in a row on nine cells.";

/// A match of a game written in Rust: its rules are fixed.
struct ByHand {
    position: Box<dyn Position>,
}

fn twin_rules() -> Vec<RuleState> {
    ["Only empty cells", "A line of marks wins", "A full board is a draw"]
        .map(|name| RuleState { name: name.into(), on: true })
        .into()
}

fn cannot_switch(rule: &str) -> String {
    let rules = twin_rules();
    let names = rules.iter().map(|rule| rule.name.as_str());
    match rules.iter().find(|known| known.name.eq_ignore_ascii_case(rule)) {
        Some(known) => format!("“{}” cannot be switched: this game is written by hand.", known.name),
        None => match nearest(rule, names) {
            Some(near) => format!("There is no rule “{rule}”. Did you mean “{near}”?"),
            None => format!("There is no rule “{rule}”. `rules` lists them."),
        },
    }
}

impl RuleSwitch for ByHand {
    fn rules(&self) -> Vec<RuleState> {
        twin_rules()
    }

    fn switch(&mut self, name: &str, _on: bool) -> Result<(), String> {
        Err(cannot_switch(name))
    }
}

impl Match for ByHand {
    fn position(&mut self) -> &mut dyn Position {
        &mut *self.position
    }
}
