//! What people want to know of a game before they play it.

use houserules_model::{Definition, ItemKind, Mode, RuleKind};

/// A game in words.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    pub title: String,
    /// `#info` by its key.
    pub info: Vec<(String, String)>,
    pub players: String,
    /// The fewest and the most who can play.
    pub n_seats: (u32, u32),
    pub variants: Vec<String>,
    /// The settings that each variant brings along.
    pub variant_settings: Vec<Vec<String>>,
    pub settings: Vec<SettingAbout>,
    pub rules: Vec<RuleAbout>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SettingAbout {
    pub name: String,
    pub default: String,
    /// What it may be, in words; empty: anything.
    pub range: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RuleAbout {
    pub name: String,
    pub kind: RuleKind,
    pub mode: Mode,
    /// What it stands on.
    pub labels: Vec<Label>,
}

/// A message label, or `*` for any.
pub type Label = String;

impl About {
    /// What the list of games says of it: `#info summary` or `about`, or the first that there is.
    pub fn summary(&self) -> &str {
        let named = |key: &str| self.info.iter().find(|(known, _)| known == key);
        named("summary").or(named("about")).or(self.info.first()).map_or("", |(_, text)| text)
    }
}

/// Reads off a definition what people want to know.
pub fn about(definition: &Definition) -> About {
    let mut about = About {
        title: definition.name().to_owned(),
        info: Vec::new(),
        players: String::new(),
        n_seats: (1, 1),
        variants: definition.variants().map(|variant| variant.name.to_string()).collect(),
        variant_settings: definition
            .variants()
            .map(|variant| variant.settings().map(|setting| setting.name.to_string()).collect())
            .collect(),
        settings: definition
            .settings()
            .map(|setting| SettingAbout {
                name: setting.name.to_string(),
                default: setting.value.to_string(),
                range: range(setting),
                text: setting.text.as_deref().unwrap_or_default().to_owned(),
            })
            .collect(),
        rules: definition
            .rules()
            .map(|rule| RuleAbout {
                name: rule.name.to_string(),
                kind: rule.kind,
                mode: rule.mode,
                labels: rule.labels.iter().map(|(label, _)| label.to_string()).collect(),
            })
            .collect(),
    };
    for item in definition.seated().items() {
        match &item.kind {
            ItemKind::Info { key, text } => about.info.push((key.to_string(), text.to_string())),
            ItemKind::Players(players) => {
                about.players = seats(players);
                about.n_seats = (players.least, players.most);
            }
            _ => {}
        }
    }
    about
}

fn range(setting: &houserules_model::Setting) -> String {
    match &setting.range {
        Some((least, most)) => format!("from {least} to {most}"),
        None => setting.among.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn seats(players: &houserules_model::Players) -> String {
    let names: Vec<&str> = players.names.iter().map(|player| &*player.name).collect();
    match (players.least == players.most, names.is_empty()) {
        (true, false) => names.join(", "),
        (true, true) => players.least.to_string(),
        (false, true) => format!("{} to {}", players.least, players.most),
        (false, false) => format!("{} to {}: {}", players.least, players.most, names.join(", ")),
    }
}
