//! Where games come from. The only module that knows; everything else sees a `Rulebook` and its `Position`s.

use std::path::{Path, PathBuf};

use houserules_kernel::Rulebook;
use houserules_library as library;
use houserules_library::About;
use houserules_record::{Head, Match, Source, begin};
use houserules_scene::stage::Stage;

/// The house rules a match is compiled with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    pub variants: Vec<String>,
    /// Rules switched off, by name.
    pub off: Vec<String>,
    pub settings: Vec<(String, String)>,
    /// How many take part, where the game leaves that open.
    pub seats: Option<u32>,
    /// Where the match begins, in the notation of the field.
    pub position: Option<String>,
}

impl From<&Options> for library::Options {
    fn from(options: &Options) -> Self {
        library::Options {
            variants: options.variants.clone(),
            off: options.off.clone(),
            settings: options.settings.clone(),
            seats: options.seats,
            position: options.position.clone(),
            ..library::Options::default()
        }
    }
}

/// A game as the library lists it.
pub struct Entry {
    /// What is typed to name it.
    pub name: String,
    pub title: String,
    pub summary: String,
}

/// A game that was found, not yet compiled.
pub struct Found {
    inner: library::Found,
}

/// The games of the library in their usual order.
pub fn list() -> Vec<Entry> {
    let entry = |name: String| {
        let about = library::find(&name).ok().map(|found| library::about(found.definition()));
        let (title, summary) = about.map_or(Default::default(), |about| (about.title.clone(), about.summary().into()));
        Entry { name, title, summary }
    };
    library::list().into_iter().map(entry).collect()
}

/// A game by its name in the library or by the path of its definition.
pub fn find(name_or_path: &str) -> Result<Found, String> {
    Ok(Found { inner: library::find(name_or_path)? })
}

/// What a file such as a record means by the name of a game.
pub fn named_in(file: &Path, name: &str) -> Result<String, String> {
    library::named_in(file.parent(), name)
}

/// A game whose files come from elsewhere: no file of this computer is looked at.
pub fn enclosed(name: &str, files: &[(String, String)]) -> Found {
    Found { inner: library::enclosed(name, files) }
}

impl Found {
    /// Whether every computer with this program has it.
    pub fn is_of_library(&self) -> bool {
        let name = &self.inner.name;
        let all = library::list().into_iter().chain(library::list_ceptre()).chain(library::list_bgd());
        all.chain(library::list_files()).any(|known| known == *name)
    }

    /// Its files, with their texts.
    pub fn sources(&self) -> Vec<(String, String)> {
        self.inner.loaded.sources.iter().map(|(_, source)| (source.name.clone(), source.text.clone())).collect()
    }

    /// What a match file says, played by this game.
    pub fn arena(
        &self,
        file: houserules_arena::MatchFile,
        registry: houserules_players::Registry,
    ) -> Result<houserules_arena::Arena, houserules_arena::Fault> {
        houserules_arena::Arena::of(&self.inner, file, registry)
    }

    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The files it was read from.
    pub fn files(&self) -> Vec<String> {
        self.inner.loaded.sources.iter().map(|(_, source)| source.name.clone()).collect()
    }

    /// What there is to know before a match with these variants and rules.
    pub fn about(&self, options: &Options) -> Result<About, String> {
        self.inner.about(&options.into())
    }

    /// The rules as a match will have them. An error is told to the author or player as it stands.
    pub fn compile(&self, options: &Options) -> Result<Box<dyn Rulebook>, String> {
        self.inner.rulebook(&options.into())
    }

    /// How the machine plays it at random, and finds out who can act, in words.
    pub fn plan(&self, options: &Options) -> Result<String, String> {
        Ok(self.inner.compile(&options.into())?.program().plan_in_words())
    }

    /// What each setting is under these options.
    pub fn settings(&self, options: &Options) -> Result<Vec<String>, String> {
        if self.inner.ceptre.is_some() {
            return Ok(Vec::new());
        }
        let game = self.inner.compile(&options.into())?;
        Ok(game.settings().iter().map(|setting| setting.value.to_string()).collect())
    }

    /// The program, if it is one without errors.
    pub fn program(&self) -> Result<library::linear::Program, String> {
        self.inner.refuse_errors()?;
        let program = self.inner.ceptre.as_ref().and_then(|ceptre| ceptre.program.clone());
        program.ok_or_else(|| format!("{} is not written in Ceptre; `houserules play` plays it.", self.inner.name))
    }

    /// The game as a program in Ceptre, where it is one.
    pub fn ceptre(&self) -> Option<&library::Ceptre> {
        self.inner.ceptre.as_ref()
    }

    /// The definition with variants and switches put into it.
    pub fn arranged(&self, options: &Options) -> Result<houserules_model::Definition, String> {
        self.inner.refuse_errors()?;
        self.inner.arrange(&options.into())
    }

    /// The game as a text in BGD, where it is one.
    pub fn bgd(&self) -> Option<&library::Bgd> {
        self.inner.bgd.as_ref()
    }

    /// What the definition draws by itself, if anything.
    pub fn stage(&self, options: &Options) -> Result<Option<Stage>, String> {
        Ok(Stage::of(&self.inner.arrange(&options.into())?))
    }

    /// A match of this game from the start, by what the head says.
    pub fn start(&self, head: Head, source: Source) -> Result<Match, String> {
        begin(&self.inner, head, source)
    }
}

/// What checking a definition found.
pub struct Checked {
    pub path: String,
    /// The messages as they are shown.
    pub messages: String,
    pub found: library::Found,
}

/// Checks the definitions at a path or of a game in the library; an error is about the file, not about what it says.
pub fn check(path: &str, colour: bool) -> Result<Vec<Checked>, String> {
    let messages =
        |found: &library::Found| houserules_gdl::render_each(&found.diagnostics, &found.loaded.sources, colour);
    let checked = |path: String, found: library::Found| {
        let found = found.tried();
        Checked { path, messages: messages(&found), found }
    };
    if !Path::new(path).exists()
        && let Ok(found) = library::find(path)
    {
        return Ok(vec![checked(path.to_owned(), found)]);
    }
    let paths = definitions(Path::new(path))?;
    paths.into_iter().map(|path| Ok(checked(path.clone(), library::open(&path)?))).collect()
}

/// A file, the game in a folder, or the games in the folders of a folder.
fn definitions(path: &Path) -> Result<Vec<String>, String> {
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let is_game = |folder: &Path| folder.join("game.gdl").exists() || folder.join("game.gdf.xml").exists();
    if !path.is_dir() || is_game(path) {
        return Ok(vec![shown(path)]);
    }
    let mut games: Vec<String> = entries(path)?
        .into_iter()
        .filter(|inside| is_game(inside) || is_definition(inside))
        .map(|inside| shown(&inside))
        .collect();
    games.sort();
    if games.is_empty() { Err(format!("There is no game in the folder {}.", path.display())) } else { Ok(games) }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let told = |error: std::io::Error| format!("{} cannot be read: {error}.", folder.display());
    std::fs::read_dir(folder).map_err(told)?.map(|entry| Ok(entry.map_err(told)?.path())).collect()
}

fn is_definition(path: &Path) -> bool {
    let name = path.to_string_lossy();
    [".gdl", ".bgd", library::GAME_FILE_ENDING].iter().any(|ending| name.ends_with(ending))
}

/// All definition files at a path: itself, or those in the folder and in the folders below.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for inside in entries(path)? {
        if inside.is_dir() && !inside.is_symlink() {
            files.extend(self::files(&inside)?);
        } else if is_definition(&inside) {
            files.push(inside);
        }
    }
    files.sort();
    Ok(files)
}

/// The text of a definition in the usual layout.
pub fn format(path: &Path) -> Result<Formatted, String> {
    if path.to_string_lossy().ends_with(library::GAME_FILE_ENDING) {
        return format_file(path);
    }
    let before = text(path, houserules_model::Budget::TEXT)?;
    let laid_out = match path.extension().is_some_and(|kind| kind == "bgd") {
        true => library::format_bgd(&before),
        false => houserules_gdl::format(&before),
    };
    let after = laid_out.map_err(|faults| {
        let mut sources = houserules_gdl::Sources::new();
        sources.add(path.to_string_lossy(), before.as_str());
        format!("{} is left as it is.\n{}", path.display(), houserules_gdl::render_all(&faults, &sources, false))
    })?;
    Ok(Formatted { before, after })
}

/// A game file without faults: what cannot be read cannot be written.
fn game_file(path: &Path) -> Result<(String, library::gdf::Reading), String> {
    let text = text(path, library::gdf::LONGEST)?;
    let reading = library::gdf::read(&path.to_string_lossy(), &text);
    if reading.loaded.has_errors() {
        let messages = houserules_gdl::render_all(&reading.loaded.diagnostics, &reading.loaded.sources, false);
        return Err(format!("{} is left as it is.\n{messages}", path.display()));
    }
    Ok((text, reading))
}

/// The two parts of a game file, and where they go.
pub fn split(path: &Path) -> Result<[(PathBuf, String); 2], String> {
    let (_, reading) = game_file(path)?;
    let (logic, look) = library::gdf::split(&reading.loaded.definition, &reading.remarks);
    let name = path.to_string_lossy();
    let name = name.strip_suffix(library::GAME_FILE_ENDING).unwrap_or(&name).to_owned();
    let beside = |part: &str| PathBuf::from(format!("{name}.{part}{}", library::GAME_FILE_ENDING));
    Ok([("logic", logic), ("look", look)]
        .map(|(part, (definition, remarks))| (beside(part), library::gdf::write(&definition, &remarks))))
}

/// The game file whose two parts these are.
pub fn join(logic: &Path, look: &Path) -> Result<String, String> {
    let ((_, logic), (_, look)) = (game_file(logic)?, game_file(look)?);
    let part = |reading: library::gdf::Reading| (reading.loaded.definition, reading.remarks);
    let (joined, remarks) = library::gdf::join(part(logic), part(look));
    Ok(library::gdf::write(&joined, &remarks))
}

/// A game file as this program writes it.
fn format_file(path: &Path) -> Result<Formatted, String> {
    let (before, reading) = game_file(path)?;
    Ok(Formatted { after: library::gdf::write(&reading.loaded.definition, &reading.remarks), before })
}

/// The languages in which a definition can be written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Language {
    /// The definition language.
    Gdl,
    /// An XML game file.
    Gdf,
}

/// A game in another language. Comments come along; one in BGD is written for the seats of the options.
pub fn convert(name_or_path: &str, to: Language, options: &Options) -> Result<String, String> {
    let mut found = library::find(name_or_path)?;
    if found.ceptre.is_some() {
        return Err(format!("{name_or_path} is written in Ceptre, which has no models and entities to write down."));
    }
    if found.loaded.has_errors() {
        return Err(found.messages(false));
    }
    if let Some(bgd) = &found.bgd {
        let text = bgd.text(&options.into())?;
        if to == Language::Gdl {
            return Ok(text);
        }
        found = library::enclosed(name_or_path, &[("game.gdl".to_owned(), text)]);
    }
    let remarks = match &found.file {
        Some(file) => file.remarks.clone(),
        None => library::gdf::Remarks::of_gdl(&found.loaded.sources),
    };
    Ok(match to {
        Language::Gdl => library::gdf::to_gdl(found.said(), &remarks),
        Language::Gdf => library::gdf::write(found.said(), &remarks),
    })
}

pub struct Formatted {
    pub before: String,
    pub after: String,
}

/// The text of a file of at most so many bytes, or why it cannot be read.
pub fn text(path: &Path, most: usize) -> Result<String, String> {
    if !path.exists() {
        return Err(format!("There is no file {}.", path.display()));
    }
    library::read_file(path, most).map_err(|reason| format!("{} cannot be read: {reason}.", path.display()))
}
