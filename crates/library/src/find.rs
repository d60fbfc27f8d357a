//! A game by name or path, with everything that is wrong with it.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use houserules_gdf::{Reading, read};
use houserules_gdl::{Disk, Files, Loaded, Sources, load, read_file, render_all};
use houserules_kernel::Rulebook;
use houserules_machine::{Game, Locate, Options, arrange, compile};
use houserules_model::{Definition, Diagnostic, Origin, nearest};

use crate::bgd::{self, Bgd};
use crate::ceptre::{self, Ceptre};
use crate::game_file::{self, GameFile};
use crate::shelf::{self, DiskThenLibrary, Embedded, list};
use crate::{About, about};

/// A game that was found and read, not yet compiled.
#[derive(Clone, Debug)]
pub struct Found {
    /// What was typed to name it: a name of the library, or a path.
    pub name: String,
    pub loaded: Loaded,
    /// What the reader and the checker say.
    pub diagnostics: Vec<Diagnostic>,
    /// The program, where it is written in Ceptre; the definition is empty then.
    pub ceptre: Option<Ceptre>,
    /// The text, where it is written in BGD; the definition is the one it comes to.
    pub bgd: Option<Bgd>,
    /// Where it is XML.
    pub file: Option<GameFile>,
    /// What the text says, where more is played: see [`Found::said`].
    text: Option<Definition>,
}

/// A game by its name in the library, or by the path of its definition or folder. An error says what to type instead.
pub fn find(name_or_path: &str) -> Result<Found, String> {
    let names = list();
    if names.iter().any(|name| name == name_or_path) {
        let loaded = load(&Embedded, &shelf::path(name_or_path));
        return Ok(Found::new(name_or_path, loaded));
    }
    let in_ceptre = shelf::list_ceptre();
    if in_ceptre.iter().any(|name| name == name_or_path) {
        let game = name_or_path.trim_end_matches(ceptre::ENDING);
        let text = shelf::file(game, "game.cep").unwrap_or_default();
        return Ok(Found::of_ceptre(name_or_path, &format!("games/{game}/game.cep"), &text));
    }
    if shelf::list_bgd().iter().any(|name| name == name_or_path) {
        let game = name_or_path.trim_end_matches(bgd::ENDING);
        let text = shelf::file(game, "game.bgd").unwrap_or_default();
        return Ok(Found::of_bgd(name_or_path, &format!("games/{game}/game.bgd"), &text));
    }
    if let Some(game) = name_or_path.strip_suffix(game_file::ENDING)
        && let Some(text) = shelf::file(game, shelf::GAME_FILE)
    {
        return Ok(Found::of_file(name_or_path, &format!("games/{game}/{}", shelf::GAME_FILE), &text));
    }
    if name_or_path.contains(['/', '\\', '.']) || Path::new(name_or_path).exists() {
        return open(name_or_path);
    }
    let others = shelf::list_files().into_iter().chain(shelf::list_ceptre()).chain(shelf::list_bgd());
    let called_so = |other: &String| other.strip_prefix(name_or_path).is_some_and(|rest| rest.starts_with('.'));
    if let Some(other) = others.into_iter().find(called_so) {
        return Err(format!("The library has “{name_or_path}” in another language only: type `{other}`."));
    }
    Err(match nearest(name_or_path, names.iter().map(String::as_str)) {
        Some(near) => format!("There is no game “{name_or_path}” in the library. Did you mean `{near}`?"),
        None if names.is_empty() => {
            format!("There is no game “{name_or_path}”, and the library is empty. A path to a definition works.")
        }
        None => format!(
            "There is no game “{name_or_path}” in the library. It has: {}. A path to a definition works, too.",
            names.join(", ")
        ),
    })
}

/// What to [`find`] where a file such as a match file or a record names a game: one of the library, or one that lies
/// below the folder of that file. Somebody else may have written it, so it can mean nothing else on this computer.
pub fn named_in(folder: Option<&Path>, name: &str) -> Result<String, String> {
    if list().iter().any(|known| known == name) || !name.contains(['/', '\\', '.']) {
        return Ok(name.to_owned());
    }
    let way_out = "Name the game yourself, by its path, or put that file and the game into one folder.";
    let Some(folder) = folder else {
        return Err(format!("There is no game {name} in the library, and no file can be meant here. {way_out}"));
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(name);
    match (std::fs::canonicalize(&path), std::fs::canonicalize(folder)) {
        (Ok(real), Ok(folder)) if real.starts_with(&folder) => Ok(path.to_string_lossy().into_owned()),
        (Err(_), _) if Path::new(name).is_relative() => {
            Err(format!("There is no {name} in the folder {}. {way_out}", folder.display()))
        }
        _ => Err(format!("{name} lies outside the folder {} and is not read. {way_out}", folder.display())),
    }
}

/// A game by the path of its definition or folder. An error is about the file, not about what it says.
pub fn open(path: &str) -> Result<Found, String> {
    let on_disk = Path::new(path);
    let inside = |name: &str| format!("{}/{name}", path.trim_end_matches('/'));
    let file = match on_disk.is_dir() {
        true if !Path::new(&inside("game.gdl")).exists() && Path::new(&inside(shelf::GAME_FILE)).exists() => {
            inside(shelf::GAME_FILE)
        }
        true => inside("game.gdl"),
        false => path.to_owned(),
    };
    if !Path::new(&file).exists() {
        return Err(match on_disk.is_dir() {
            true => format!("There is no game.gdl in the folder {path}."),
            false => format!("There is no file {path}."),
        });
    }
    let told = |reason: String| format!("{file} cannot be read: {reason}.");
    if file.ends_with(game_file::ENDING) {
        let text = read_file(Path::new(&file), houserules_gdf::LONGEST).map_err(told)?;
        return Ok(Found::of_file(path, &file, &text));
    }
    let text = Disk.read(&file, None).map_err(told)?;
    if file.ends_with(ceptre::ENDING) {
        return Ok(Found::of_ceptre(path, &file, &text));
    }
    if file.ends_with(bgd::ENDING) {
        return Ok(Found::of_bgd(path, &file, &text));
    }
    Ok(Found::new(path, load(&DiskThenLibrary, &file)))
}

/// A game whose files are at hand, such as those kept in a record: each with its path, the definition first.
pub fn enclosed(name: &str, files: &[(String, String)]) -> Found {
    if let Some((path, text)) = files.first().filter(|(path, _)| path.ends_with(ceptre::ENDING)) {
        return Found::of_ceptre(name, path, text);
    }
    if let Some((path, text)) = files.first().filter(|(path, _)| path.ends_with(bgd::ENDING)) {
        return Found::of_bgd(name, path, text);
    }
    if let Some((path, text)) = files.first().filter(|(path, _)| path.ends_with(game_file::ENDING)) {
        return Found::of_file(name, path, text);
    }
    let memory = files.iter().fold(houserules_gdl::Memory::new(), |memory, (path, text)| memory.with(path, text));
    let first = files.first().map_or("", |(path, _)| path);
    Found::new(name, load(&memory, first))
}

impl Found {
    fn of_ceptre(name: &str, path: &str, text: &str) -> Self {
        let (loaded, ceptre) = ceptre::read(path, text);
        Found {
            name: name.to_owned(),
            diagnostics: loaded.diagnostics.clone(),
            loaded,
            ceptre: Some(ceptre),
            bgd: None,
            file: None,
            text: None,
        }
    }

    fn of_bgd(name: &str, path: &str, text: &str) -> Self {
        let (loaded, bgd) = bgd::read(path, text);
        Found {
            name: name.to_owned(),
            diagnostics: loaded.diagnostics.clone(),
            loaded,
            ceptre: None,
            bgd: Some(bgd),
            file: None,
            text: None,
        }
    }

    /// The definition that these options are about: in BGD another one for each seating.
    fn under(&self, options: &Options) -> Result<Cow<'_, Definition>, String> {
        match &self.bgd {
            None => Ok(Cow::Borrowed(self.definition())),
            Some(bgd) => bgd.definition(options).map(Cow::Owned),
        }
    }

    fn of_file(name: &str, path: &str, text: &str) -> Self {
        let Reading { loaded, remarks } = read(path, text);
        let mut found = Found::new(name, loaded);
        // Tags tell variables from models and properties, and have no way to say what a player may do.
        let nobody = found.diagnostics.iter().any(|told| told.code == "gdf/nobody");
        found.diagnostics.retain(|told| match told.code {
            "name/hides" | "game/bench" => false,
            // Told already, by the reader of the file.
            "name/entity" => !nobody,
            _ => true,
        });
        Found { file: Some(GameFile { remarks }), ..found }
    }

    /// The rules as a match will have them, whatever they are written in.
    pub fn rulebook(&self, options: &Options) -> Result<Box<dyn Rulebook>, String> {
        match &self.ceptre {
            None => Ok(Box::new(self.compile(options)?)),
            Some(ceptre) => {
                self.refuse_errors()?;
                Ok(Box::new(ceptre.compile(options)?))
            }
        }
    }

    /// What people want to know before a match with these variants and rules.
    pub fn about(&self, options: &Options) -> Result<About, String> {
        self.refuse_errors()?;
        match (&self.ceptre, &self.bgd) {
            (None, None) => Ok(about(&self.arrange(options)?)),
            (Some(ceptre), _) => ceptre.about(options),
            (None, Some(bgd)) => Ok(bgd.about(&self.arrange(options)?, options)),
        }
    }

    fn new(name: &str, loaded: Loaded) -> Self {
        let mut diagnostics = loaded.diagnostics.clone();
        // What could not be read is missing, and a warning that it is would only distract from the errors.
        let unread = unread(&loaded);
        let missing = |diagnostic: &Diagnostic| {
            !unread.is_empty() && names(diagnostic).all(|name| unread.iter().any(|word| word == name))
        };
        let checked = houserules_check::check(&loaded.definition);
        // What a game does not use of the one it is made from is no fault of either.
        let own = loaded.sources.iter().next().map(|(file, _)| file);
        let inherited = |diagnostic: &Diagnostic| {
            let file = diagnostic.labels.first().map(|label| label.origin.file);
            let text = file.and_then(|file| loaded.sources.get(file)).map_or("", |source| &source.text);
            file != own && text.contains("#game")
        };
        // Reader and checker both look at variants, and both miss the players that could not be read.
        let said: Vec<_> = loaded.diagnostics.iter().map(what_and_where).collect();
        let without_players =
            |diagnostic: &Diagnostic| diagnostic.code == "game/players" && unread.iter().any(|word| word == "players");
        let again = |diagnostic: &Diagnostic| said.contains(&what_and_where(diagnostic)) || without_players(diagnostic);
        let told = |diagnostic: &Diagnostic| {
            !again(diagnostic) && (diagnostic.is_error() || !(missing(diagnostic) || inherited(diagnostic)))
        };
        diagnostics.extend(checked.into_iter().filter(told));
        let diagnostics = Diagnostic::bounded(diagnostics);
        let (mut loaded, mut text) = (loaded, None);
        if let Some(bench) = loaded.definition.bench() {
            text = Some(std::mem::replace(&mut loaded.definition, bench));
        }
        Found { name: name.to_owned(), loaded, diagnostics, ceptre: None, bgd: None, file: None, text }
    }

    /// The same, compiled and opened as well: with the usual options and in every variant. What only the compiler finds
    /// is among the messages then, so that whoever checks a game can play it.
    pub fn tried(mut self) -> Self {
        if self.has_errors() {
            return self;
        }
        let variants = self.definition().variants().map(|variant| vec![variant.name.to_string()]);
        for variants in std::iter::once(Vec::new()).chain(variants).collect::<Vec<_>>() {
            let options = Options { variants: variants.clone(), ..Options::default() };
            let faults = match &self.ceptre {
                None => match self.under(&options).map(|definition| compile(&definition, &self.options(&options))) {
                    Ok(Ok(game)) => game.start().err().into_iter().map(|error| fault(error.to_string())).collect(),
                    Ok(Err(faults)) => faults,
                    Err(reason) => vec![fault(reason)],
                },
                Some(ceptre) => {
                    let opened =
                        ceptre.compile(&options).and_then(|game| game.open().map_err(|error| error.to_string()));
                    opened.err().into_iter().map(fault).collect()
                }
            };
            for mut fault in faults {
                if self.diagnostics.iter().any(|said| what_and_where(said) == what_and_where(&fault)) {
                    continue;
                }
                fault.notes.extend(variants.iter().map(|variant| format!("This happens in the variant “{variant}”.")));
                self.diagnostics.push(fault);
            }
        }
        self.diagnostics = Diagnostic::bounded(std::mem::take(&mut self.diagnostics));
        self
    }

    /// What is played.
    pub fn definition(&self) -> &Definition {
        &self.loaded.definition
    }

    /// What the text says. Where that is nothing of what may be done, a referee is added who tells the things what to do.
    pub fn said(&self) -> &Definition {
        self.text.as_ref().unwrap_or(&self.loaded.definition)
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// All messages as they are shown.
    pub fn messages(&self, colour: bool) -> String {
        render_all(&self.diagnostics, &self.loaded.sources, colour)
    }

    /// Messages about this game that came later, as they are shown.
    pub fn render(&self, diagnostics: &[Diagnostic], colour: bool) -> String {
        render_all(diagnostics, &self.loaded.sources, colour)
    }

    /// The game under these options, or every message that stands against it. Warnings do not.
    pub fn compile(&self, options: &Options) -> Result<Game, String> {
        self.refuse_errors()?;
        if self.ceptre.is_some() {
            return Err(format!("{} is written in Ceptre; this wants a game in the definition language.", self.name));
        }
        compile(&*self.under(options)?, &self.options(options)).map_err(|faults| self.render(&faults, false))
    }

    /// The definition with variants and switches put into it, or why that cannot be done.
    pub fn arrange(&self, options: &Options) -> Result<Definition, String> {
        arrange(&*self.under(options)?, &self.options(options)).map_err(|faults| self.render(&faults, false))
    }

    /// The errors as they are shown, if there are any.
    pub fn refuse_errors(&self) -> Result<(), String> {
        let errors: Vec<Diagnostic> =
            self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).cloned().collect();
        if errors.is_empty() { Ok(()) } else { Err(self.render(&errors, false)) }
    }

    /// Options as the machine wants them: names as the definition spells them, faults with their file and line.
    pub fn options(&self, options: &Options) -> Options {
        let definition = self.definition();
        let mut options = options.clone();
        for variant in &mut options.variants {
            spell(variant, definition.variants().map(|known| &*known.name));
        }
        for rule in &mut options.off {
            spell(rule, definition.rules().map(|known| &*known.name));
        }
        for (setting, _) in &mut options.settings {
            spell(setting, definition.settings().map(|known| &*known.name));
        }
        if options.locate.is_none() {
            options.locate = Some(locate(&self.loaded.sources));
        }
        options
    }
}

/// Tells faults of a match where in these texts they come from.
pub fn locate(sources: &Sources) -> Locate {
    let sources = sources.clone();
    Arc::new(move |origin: Origin| {
        let name = &sources.get(origin.file)?.name;
        Some(format!("{name}:{}", sources.place(origin)?.line))
    })
}

fn fault(reason: String) -> Diagnostic {
    Diagnostic::error("setup/fault", "The match cannot begin", Origin::NONE, reason)
}

/// People do not remember which words of a rule's name are capital.
fn spell<'a>(name: &mut String, mut known: impl Iterator<Item = &'a str>) {
    if let Some(known) = known.find(|known| known.to_lowercase() == name.to_lowercase()) {
        *name = known.to_owned();
    }
}

/// What makes two messages the same; origins compare as equal everywhere, so the place is spelled out.
fn what_and_where(diagnostic: &Diagnostic) -> (&str, Option<(u16, u32, &str)>) {
    let label = diagnostic.labels.first();
    (diagnostic.code, label.map(|label| (label.origin.file.0, label.origin.start, &*label.text)))
}

/// The words of all directives that the reader could not make sense of.
fn unread(loaded: &Loaded) -> Vec<String> {
    let mut words = Vec::new();
    for diagnostic in loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
        let Some(origin) = diagnostic.labels.first().map(|label| label.origin) else { continue };
        let Some(source) = loaded.sources.get(origin.file) else { continue };
        let mut at = 0;
        let mut directive = String::new();
        for line in source.text.split_inclusive('\n') {
            if line.trim_start().starts_with('#') {
                if at > origin.start as usize {
                    break;
                }
                directive.clear();
            }
            directive.push_str(line);
            at += line.len();
        }
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '-';
        words.extend(directive.split(|sign| !is_part(sign)).map(str::to_owned));
    }
    words
}

/// What a message names in backticks.
fn names(diagnostic: &Diagnostic) -> impl Iterator<Item = &str> {
    diagnostic.labels.iter().flat_map(|label| label.text.split('`').skip(1).step_by(2))
}
