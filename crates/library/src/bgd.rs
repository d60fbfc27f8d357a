//! Games written in BGD, found and read like the others, and played as the definitions they come to.

use std::sync::{Arc, Mutex, PoisonError};

use houserules_bgd::syntax::Program;
use houserules_bgd::{Cast, Precedence, SEATED};
use houserules_gdl::{Loaded, Sources};
use houserules_machine::Options;
use houserules_model::{Definition, Diagnostic, FileId, Item, ItemKind, Origin, PlayerName, Players};

use crate::{About, about};

/// How the name of a text ends.
pub const ENDING: &str = ".bgd";
/// The setting that chooses how operators bind, where that makes a difference.
pub const PRECEDENCE: &str = "precedence";

/// A definition with what it was made for.
type Made = ((Cast, Precedence), Definition);

/// A text that was read.
#[derive(Clone, Debug)]
pub struct Bgd {
    /// Read in the usual way, and as the first program for the language read it where that differs.
    usual: Arc<Program>,
    original: Option<Arc<Program>>,
    /// What was already written, by who sits at the table and how operators bind.
    made: Arc<Mutex<Vec<Made>>>,
}

/// Reads a text; the definition is the one for as many as can play.
pub(crate) fn read(path: &str, text: &str) -> (Loaded, Bgd) {
    let mut sources = Sources::new();
    let file = sources.add(path, text).unwrap_or(FileId(0));
    let (program, mut diagnostics) = houserules_bgd::parse(text, file, Precedence::Conventional);
    let differs = diagnostics.iter().any(|said| said.code == "text/reading");
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(houserules_bgd::check(&program));
    }
    let sound = !diagnostics.iter().any(Diagnostic::is_error);
    let original = differs.then(|| Arc::new(houserules_bgd::parse(text, file, Precedence::Original).0));
    let bgd = Bgd { usual: Arc::new(program), original, made: Arc::default() };
    let definition = if sound { bgd.shown(&mut diagnostics) } else { Definition::default() };
    (Loaded { definition, sources, diagnostics: Diagnostic::bounded(diagnostics) }, bgd)
}

impl Bgd {
    pub fn program(&self) -> &Program {
        &self.usual
    }

    /// The text of the definition that plays under these options.
    pub fn text(&self, options: &Options) -> Result<String, String> {
        let (cast, precedence) = self.chosen(options)?;
        let text = houserules_bgd::lower(self.read_as(precedence)?, &cast).text;
        Ok(houserules_gdl::format(&text).unwrap_or(text))
    }

    /// The definition that plays under these options.
    pub(crate) fn definition(&self, options: &Options) -> Result<Definition, String> {
        let chosen = self.chosen(options)?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = made.iter().find(|(known, _)| *known == chosen) {
            return Ok(known.clone());
        }
        let (definition, faults) = self.write(self.read_as(chosen.1)?, &chosen.0);
        if let Some(fault) = faults.into_iter().find(Diagnostic::is_error) {
            return Err(format!("{}: {}", fault.title, fault.labels.first().map_or("", |label| &label.text)));
        }
        made.push((chosen, definition.clone()));
        Ok(definition)
    }

    pub fn about(&self, definition: &Definition, options: &Options) -> About {
        let mut about = about(definition);
        if options.seats.is_none() && !options.settings.iter().any(|(name, _)| name == SEATED) {
            about.n_seats = Cast::bounds(&self.usual);
            let (least, most) = about.n_seats;
            if least != most {
                let most_names = Cast::first(&self.usual, Some(most)).map(|cast| cast.names(&self.usual).join(", "));
                about.players = format!("{least} to {most}: {}", most_names.unwrap_or_default());
            }
        }
        about
    }

    /// The setting that seats these players in this order; none where they are not all players of this game.
    pub fn seating(&self, names: &[String]) -> Option<(String, String)> {
        let names = names.join(" ");
        Cast::named(&self.usual, &names).ok().map(|_| (SEATED.to_owned(), names))
    }

    fn chosen(&self, options: &Options) -> Result<(Cast, Precedence), String> {
        let given = |wanted: &str| {
            let mut fitting = options.settings.iter().rev().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
            fitting.next().map(|(_, value)| value.as_str())
        };
        let cast = match given(SEATED) {
            Some(names) => Cast::named(&self.usual, names)?,
            None => Cast::first(&self.usual, options.seats)?,
        };
        let precedence = match given(PRECEDENCE) {
            Some("original") if self.original.is_some() => Precedence::Original,
            _ => Precedence::Conventional,
        };
        Ok((cast, precedence))
    }

    fn read_as(&self, precedence: Precedence) -> Result<&Program, String> {
        match (&self.original, precedence) {
            (Some(original), Precedence::Original) => {
                // Read in the other way, it may be wrong where it was right.
                match houserules_bgd::check(original).into_iter().find(Diagnostic::is_error) {
                    Some(fault) => Err(format!("With the original precedence: {}.", fault.title)),
                    None => Ok(original),
                }
            }
            _ => Ok(&self.usual),
        }
    }

    fn write(&self, program: &Program, cast: &Cast) -> (Definition, Vec<Diagnostic>) {
        let mut lowered = houserules_bgd::lower(program, cast);
        if self.original.is_some() {
            lowered.text += &format!(
                "#setting {PRECEDENCE} \"conventional\" among \"conventional\" \"original\" \"How operators bind\"\n"
            );
        }
        let read = houserules_gdl::read_text("the definition", &lowered.text);
        let (definition, mut faults) =
            Definition::with_items(houserules_bgd::placed(read.definition.items(), &lowered));
        faults.extend(read.diagnostics);
        for label in faults.iter_mut().flat_map(|fault| &mut fault.labels) {
            label.origin = lowered.origin(label.origin.start);
        }
        (definition, faults)
    }

    /// The definition for as many as can play, which says of itself how few can.
    fn shown(&self, diagnostics: &mut Vec<Diagnostic>) -> Definition {
        let (least, most) = Cast::bounds(&self.usual);
        let cast = match Cast::first(&self.usual, Some(most)) {
            Ok(cast) => cast,
            Err(reason) => {
                diagnostics.push(Diagnostic::error("game/players", "Nobody can play this", Origin::NONE, reason));
                return Definition::default();
            }
        };
        let (definition, faults) = self.write(&self.usual, &cast);
        diagnostics.extend(faults.into_iter().filter(Diagnostic::is_error));
        let name = |name: &str| PlayerName { name: name.into(), facing: None, origin: Origin::NONE };
        let names = cast.names(&self.usual).into_iter().map(name).collect();
        let range = ItemKind::Players(Players { names, least, most, are: None });
        let ranged = |item: &Item| match &item.kind {
            ItemKind::Players(_) => Item::new(range.clone(), item.origin),
            _ => item.clone(),
        };
        Definition::with_items(definition.items().iter().map(ranged).collect::<Vec<_>>()).0
    }
}
