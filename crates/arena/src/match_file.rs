use std::collections::BTreeMap;
use std::path::Path;

use houserules_library::read_file;
use houserules_model::Budget;
use houserules_players::{Recipe, Registry};

use crate::fault::Fault;
use crate::{toml_file, xml_file};

/// What a file says about a match or a tournament. Names are not looked up yet.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchFile {
    /// How it is called in messages.
    pub file: String,
    /// A name of the library, or a path.
    pub game: At<String>,
    pub variants: Vec<At<String>>,
    /// Rules switched off.
    pub off: Vec<At<String>>,
    pub settings: Vec<(At<String>, String)>,
    /// Where the match begins, in the notation of the field.
    pub position: Option<At<String>>,
    /// Seats at the table, where the game leaves that open and there are more players than seats.
    pub seats: Option<At<u32>>,
    /// In the order of the seats.
    pub players: Vec<PlayerEntry>,
    /// How often the match is played.
    pub matches: u64,
    pub seed: u64,
    /// A match is cut after so many choices.
    pub longest: u64,
    pub tournament: Option<Rounds>,
}

/// Somebody who plays, as the file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerEntry {
    /// What the player is called in results; its recipe, if nothing is said.
    pub name: Option<String>,
    pub who: At<Chair>,
    /// The lines in which its settings stand.
    pub lines: BTreeMap<&'static str, usize>,
}

impl PlayerEntry {
    /// Where a setting stands, or the player where there is none.
    pub(crate) fn line_of(&self, setting: Option<&str>) -> usize {
        setting.and_then(|setting| self.lines.get(setting).copied()).unwrap_or(self.who.line)
    }
}

/// A person at the terminal, or a player by recipe.
#[derive(Clone, Debug, PartialEq)]
pub enum Chair {
    Human,
    Player(Recipe),
}

/// Something and the line it stands in.
#[derive(Clone, Debug, PartialEq)]
pub struct At<T> {
    pub line: usize,
    pub is: T,
}

/// How players meet in a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    pub pairing: Pairing,
    /// How often each meeting is played in each seating.
    pub rounds: u64,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Everybody against everybody.
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
}

impl Pairing {
    pub(crate) const KNOWN: [(&str, Pairing); 2] =
        [("round robin", Pairing::RoundRobin), ("gauntlet", Pairing::Gauntlet)];
}

/// A match that is not over after so many choices is cut, where nothing is said.
pub(crate) const USUAL_LONGEST: u64 = 5_000;

impl MatchFile {
    /// Reads a file: TOML, or XML if it begins with `<`.
    pub fn read(path: &Path, registry: &Registry) -> Result<MatchFile, Fault> {
        let file = path.display().to_string();
        let told = |message: String| Fault { file: file.clone(), line: None, message };
        let text = read_file(path, Budget::TEXT).map_err(|reason| told(format!("{reason}.")))?;
        let mut parsed = Self::parse(&file, &text, registry)?;
        let named = houserules_library::named_in(path.parent(), &parsed.game.is);
        parsed.game.is = named.map_err(|message| Fault { line: Some(parsed.game.line), ..told(message) })?;
        Ok(parsed)
    }

    /// Reads the text of a file, which is called `file` in messages.
    pub fn parse(file: &str, text: &str, registry: &Registry) -> Result<MatchFile, Fault> {
        // Some editors begin a file with a mark for the order of bytes, which says nothing here.
        let text = text.trim_start_matches('\u{feff}');
        let parsed = match text.trim_start().starts_with('<') {
            true => xml_file::parse(file, text, registry)?,
            false => toml_file::parse(file, text, registry)?,
        };
        for player in &parsed.players {
            if let Chair::Player(recipe) = &player.who.is {
                let told = |mistake: houserules_players::Mistake| Fault {
                    file: file.into(),
                    line: Some(player.line_of(mistake.setting())),
                    message: mistake.to_string(),
                };
                registry.check(recipe).map_err(told)?;
            }
        }
        Ok(parsed)
    }
}
