//! Games written in Ceptre, found and read like the others.

use std::sync::{Arc, OnceLock};

use houserules_gdl::{Loaded, Sources};
use houserules_linear::{Game, Program};
use houserules_machine::Options;
use houserules_model::{Definition, FileId};

use crate::About;

/// How the name of a program ends.
pub const ENDING: &str = ".cep";

/// A program that was read; none of it where it has errors.
#[derive(Clone)]
pub struct Ceptre {
    pub program: Option<Program>,
    pub text: String,
    name: String,
    game: Arc<OnceLock<Result<Game, String>>>,
}

impl std::fmt::Debug for Ceptre {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Ceptre").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Reads a program; the definition beside it is empty.
pub(crate) fn read(path: &str, text: &str) -> (Loaded, Ceptre) {
    let mut sources = Sources::new();
    let file = sources.add(path, text).unwrap_or(FileId(0));
    let (program, mut diagnostics) = houserules_linear::check(text, file);
    if let Some(program) = &program {
        diagnostics.extend(houserules_linear::sanity(program));
    }
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).trim_end_matches(ENDING);
    let folder = path.rsplit(['/', '\\']).nth(1).filter(|_| name == "game");
    let ceptre =
        Ceptre { program, text: text.to_owned(), name: folder.unwrap_or(name).to_owned(), game: Arc::default() };
    (Loaded { definition: Definition::default(), sources, diagnostics }, ceptre)
}

impl Ceptre {
    /// The game, made once. House rules are of the definition language.
    pub fn compile(&self, options: &Options) -> Result<Game, String> {
        self.refuse(options)?;
        let made = self.game.get_or_init(|| match &self.program {
            Some(program) => Game::new(program.clone(), &self.name, &self.text).map_err(|fault| fault.to_string()),
            None => Err("The program has errors.".into()),
        });
        made.clone()
    }

    fn refuse(&self, options: &Options) -> Result<(), String> {
        let unknown = |what: &str, name: &str| {
            Err(format!("A game written in Ceptre has no {what}, so there is no “{name}”. Its rules are its text."))
        };
        if let Some(variant) = options.variants.first() {
            return unknown("variants", variant);
        }
        if let Some(rule) = options.off.first() {
            return unknown("rules to switch off", rule);
        }
        if let Some((setting, _)) = options.settings.first() {
            return unknown("settings", setting);
        }
        if let Some(position) = &options.position {
            return unknown("positions to begin from but that of its `#trace`", position);
        }
        Ok(())
    }

    pub fn about(&self, options: &Options) -> Result<About, String> {
        let game = self.compile(options)?;
        let seats = houserules_kernel::Rulebook::seats(&game);
        let n_seats = seats.len() as u32;
        let program = game.program();
        let said = |words: &&Vec<String>| words[0] == "about" && words.len() > 1;
        let info = program.notes.iter().filter(said).map(|words| ("about".to_owned(), words[1..].join(" ")));
        Ok(About {
            title: houserules_kernel::Rulebook::name(&game).to_owned(),
            info: info.collect(),
            players: seats.join(", "),
            n_seats: (n_seats, n_seats),
            variants: Vec::new(),
            variant_settings: Vec::new(),
            settings: Vec::new(),
            rules: Vec::new(),
        })
    }
}
