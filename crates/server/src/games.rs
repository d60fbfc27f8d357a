//! The games one can play here: those of the library, and those that were brought.

use crate::pictures::{self, Picture};
use crate::{Limits, to_wire};
use houserules_gdl::Sources;
use houserules_library::{About, Found, Options, about, enclosed, minutes};
use houserules_model::Budget;
use houserules_model::{Definition, ItemKind, Sight};
use houserules_protocol::game::{GameCard, GamePage, InfoLine, SourceFile};
use houserules_protocol::rules::{Range, RuleInfo, SettingInfo, VariantInfo};
use houserules_protocol::{Code, Refusal};
use houserules_record::Start;
use houserules_store::Store;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::Semaphore;

/// Games that were read, and how matches of them begin: all tables of a game share its compiled rules.
pub struct Games {
    read: Mutex<Recent<Arc<Found>>>,
    begun: Mutex<Recent<Start>>,
    cards: OnceLock<Vec<GameCard>>,
    /// So many texts of strangers are read, checked and compiled at once.
    turns: Arc<Semaphore>,
}

/// What was used last; more than that is forgotten.
struct Recent<T> {
    known: BTreeMap<String, T>,
    order: VecDeque<String>,
}

const MOST_KEPT: usize = 256;

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Recent { known: BTreeMap::new(), order: VecDeque::new() }
    }
}

impl<T: Clone> Recent<T> {
    fn get(&self, key: &str) -> Option<T> {
        self.known.get(key).cloned()
    }

    fn put(&mut self, key: String, value: T) {
        if self.known.insert(key.clone(), value).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > MOST_KEPT {
            if let Some(oldest) = self.order.pop_front() {
                self.known.remove(&oldest);
            }
        }
    }
}

/// The name under which a text is kept: it follows from the text alone.
pub fn id(files: &[SourceFile]) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        for part in [&file.path, &file.text] {
            hasher.update(&(part.len() as u64).to_be_bytes());
            hasher.update(part.as_bytes());
        }
    }
    format!("d-{}", &hasher.finalize().to_hex()[..40])
}

pub fn files(sources: &Sources) -> Vec<SourceFile> {
    sources.iter().map(|(_, source)| SourceFile { path: source.name.clone(), text: source.text.clone() }).collect()
}

/// Reads a text as if it were alone in the world: no file of this computer is looked at.
pub fn read(files: &[SourceFile]) -> Found {
    let files: Vec<(String, String)> = pictures::texts(files).into_iter().map(|file| (file.path, file.text)).collect();
    enclosed(files.first().map_or("", |(path, _)| path), &files)
}

impl Games {
    pub fn new(strangers: usize) -> Self {
        let (read, begun, cards) = Default::default();
        Games { read, begun, cards, turns: Arc::new(Semaphore::new(strangers.max(1))) }
    }

    /// Does what a text of a stranger asks for where it holds up nobody but other strangers.
    pub async fn aside<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
        let turn = self.turns.clone().acquire_owned().await.map_err(crate::fault)?;
        // Whoever asked may be gone before it is done; it is still under way then.
        let work = move || {
            let done = work();
            drop(turn);
            done
        };
        tokio::task::spawn_blocking(work).await.map_err(crate::fault)
    }

    /// A game by its id: a name of the library, or one that was kept.
    pub async fn find(&self, id: &str, store: &Store) -> Result<Arc<Found>, Refusal> {
        let unknown = || Refusal::new(Code::GameUnknown, format!("There is no game “{id}”."));
        if let Some(found) = lock(&self.read).get(id) {
            return Ok(found);
        }
        let found = if id.starts_with("d-") {
            let files = kept(id, store).await?.ok_or_else(unknown)?;
            self.aside(move || read(&files)).await?
        } else if library().any(|name| name == id) {
            // Only names of the library come here; a path would open files of this computer.
            houserules_library::find(id).map_err(|_| unknown())?
        } else {
            return Err(unknown());
        };
        let found = Arc::new(found);
        lock(&self.read).put(id.to_owned(), found.clone());
        Ok(found)
    }

    /// A picture that a game brings.
    pub async fn picture(&self, id: &str, name: &str, store: &Store) -> Result<Option<Picture>, Refusal> {
        match id.starts_with("d-") {
            true => Ok(kept(id, store).await?.and_then(|files| pictures::kept(&files, name))),
            false => Ok(pictures::shipped(id, name)),
        }
    }

    /// All of them that were sent along with a game, by their names.
    pub async fn pictures(&self, id: &str, store: &Store) -> Result<Vec<SourceFile>, Refusal> {
        Ok(if id.starts_with("d-") { kept(id, store).await?.unwrap_or_default() } else { Vec::new() })
    }

    /// A match of a game before anything has happened.
    pub fn begin(
        &self,
        id: &str,
        found: &Found,
        options: &Options,
        advised: &[String],
        limits: &Limits,
    ) -> Result<Start, Refusal> {
        let Options { variants, off, settings, seats, position, budget, interpreted, .. } = options;
        let key = format!(
            "{id} {variants:?} {off:?} {settings:?} {seats:?} {position:?} {budget:?} {interpreted} {advised:?}"
        );
        if let Some(begun) = lock(&self.begun).get(&key) {
            return Ok(begun);
        }
        if let Err(words) = found.refuse_errors() {
            return Err(Refusal::new(Code::GameFaulty, words));
        }
        let begun = Start::guarded(found, options, advised, Some(stranger(limits)))
            .map_err(|words| Refusal::new(Code::GameOptions, words.trim_end()))?;
        lock(&self.begun).put(key, begun.clone());
        Ok(begun)
    }

    /// All games of the library.
    pub fn cards(&self) -> &[GameCard] {
        self.cards.get_or_init(|| {
            let card = |name: String| houserules_library::find(&name).ok().map(|found| card(&name, &found));
            library().filter_map(card).collect()
        })
    }
}

/// The files of a definition that was brought.
async fn kept(id: &str, store: &Store) -> Result<Option<Vec<SourceFile>>, Refusal> {
    let kept = store.definition(id).await.map_err(crate::unkept)?;
    kept.map(|kept| serde_json::from_str(&kept).map_err(crate::fault)).transpose()
}

/// The names of the games of the library; some are written in other languages, too.
fn library() -> impl Iterator<Item = String> {
    use houserules_library::{list, list_bgd, list_ceptre, list_files};
    list().into_iter().chain(list_ceptre()).chain(list_bgd()).chain(list_files())
}

fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a definition is played: one that somebody brought under a budget, and by the interpreter alone, unless the operator
/// allows more.
pub fn options(is_brought: bool, limits: &Limits) -> Options {
    Options {
        budget: if is_brought { stranger(limits) } else { Budget::default() },
        interpreted: is_brought && !limits.stranger_native,
        ..Options::default()
    }
}

/// For what somebody wrote whom nobody here knows.
fn stranger(limits: &Limits) -> Budget {
    Budget { steps: limits.stranger_steps, depth: 500, words: 1_000_000 }
}

/// Whether anything may be hidden from somebody.
pub fn hides(found: &Found) -> bool {
    match found.ceptre.as_ref().and_then(|ceptre| ceptre.program.as_ref()) {
        Some(program) => program.has_secrets(),
        None => has_secrets(found.definition()),
    }
}

/// The same, by what a definition says.
pub fn has_secrets(definition: &Definition) -> bool {
    let hides = |sight: &Option<Sight>| !matches!(sight, None | Some(Sight::Everyone));
    definition.items().iter().any(|item| match &item.kind {
        ItemKind::Property(property) => hides(&property.seen),
        ItemKind::Contents { seen, counted, .. } => hides(seen) || hides(counted),
        _ => false,
    })
}

/// What a game is written in.
fn language(found: &Found) -> &'static str {
    match found {
        Found { ceptre: Some(_), .. } => "ceptre",
        Found { bgd: Some(_), .. } => "bgd",
        Found { file: Some(_), .. } => "xml",
        _ => "gdl",
    }
}

pub fn card(id: &str, found: &Found) -> GameCard {
    let definition = found.definition();
    let about = found.about(&Options::default()).unwrap_or_else(|_| about(definition));
    let info = |key: &str| about.info.iter().find(|(known, _)| known == key).map(|(_, text)| text.clone());
    let mut tags = Vec::new();
    if hides(found) {
        tags.push("hidden".to_owned());
    }
    if uses(definition, &["roll", "shuffle", "random"]) {
        tags.push("chance".to_owned());
    }
    tags.extend(
        info("tags").into_iter().flat_map(|tags| {
            tags.split([',', ' ']).filter(|tag| !tag.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        }),
    );
    GameCard {
        id: id.to_owned(),
        title: about.title.clone(),
        summary: about.summary().to_owned(),
        least_seats: seats(about.n_seats.0),
        most_seats: seats(about.n_seats.1),
        seats: seat_names(&about),
        tags,
        minutes: info("minutes").and_then(|said| said.trim().parse().ok()).or_else(|| minutes(id)),
        language: language(found).into(),
        n_variants: about.variants.len() as u32,
        rules: about.rules.iter().map(|rule| rule.name.clone()).collect(),
        picture: format!("/api/games/{id}/picture.svg"),
    }
}

/// Whether any form with one of these words stands anywhere.
fn uses(definition: &Definition, words: &[&str]) -> bool {
    let mut found = false;
    for item in definition.items() {
        item.exprs(&mut |expr| {
            expr.walk(&mut |expr| {
                if let houserules_model::ExprKind::Form(form, _) = &expr.kind {
                    found |= words.contains(&form.head());
                }
            });
        });
    }
    found
}

fn seats(n: u32) -> u8 {
    u8::try_from(n).unwrap_or(u8::MAX)
}

fn seat_names(about: &About) -> Vec<String> {
    let (_, names) = about.players.split_once(": ").unwrap_or(("", &about.players));
    match names.contains(|letter: char| letter.is_alphabetic()) && !names.contains(" to ") {
        true => names.split(", ").map(str::to_owned).collect(),
        false => (1..=about.n_seats.0).map(|number| format!("Player {number}")).collect(),
    }
}

pub fn page(id: &str, found: &Found) -> GamePage {
    let (definition, sources) = (found.definition(), &found.loaded.sources);
    let about = found.about(&Options::default()).unwrap_or_else(|_| about(definition));
    let variant = |item: &houserules_model::Item| match &item.kind {
        ItemKind::Variant(variant) => Some(VariantInfo {
            name: variant.name.to_string(),
            text: sources.text(item.origin).unwrap_or_default().to_owned(),
        }),
        _ => None,
    };
    GamePage {
        card: card(id, found),
        info: about.info.iter().map(|(key, text)| InfoLine { key: key.clone(), text: text.clone() }).collect(),
        // A game in BGD has the rules of the one that it stands beside.
        words: houserules_library::file(id.strip_suffix(".bgd").unwrap_or(id), "rules.md")
            .filter(|_| !id.starts_with("d-")),
        rules: rules(definition, sources, definition),
        settings: settings(definition, &[]),
        variants: definition.items().iter().filter_map(variant).collect(),
        files: files(sources),
        diagnostics: found.diagnostics.iter().map(|fault| to_wire::diagnostic(fault, sources)).collect(),
    }
}

/// The rules as they stand, beside those of the print.
pub fn rules(now: &Definition, sources: &Sources, printed: &Definition) -> Vec<RuleInfo> {
    let items = now.items().iter().filter_map(|item| match &item.kind {
        ItemKind::Rule(rule) => Some((rule, item.origin)),
        _ => None,
    });
    items
        .map(|(rule, origin)| {
            let before = printed.rule(&rule.name);
            RuleInfo {
                name: rule.name.to_string(),
                kind: to_wire::rule_kind(rule.kind),
                mode: to_wire::mode(rule.mode),
                printed: before.map(|before| to_wire::mode(before.mode)),
                on: rule.labels.iter().map(|(label, _)| label.to_string()).collect(),
                text: sources.text(origin).unwrap_or_default().trim_end().to_owned(),
                rewritten: before.is_some_and(|before| before.body != rule.body),
            }
        })
        .collect()
}

/// The settings with the values given so far.
pub fn settings(definition: &Definition, given: &[(String, String)]) -> Vec<SettingInfo> {
    let number = |expr: &houserules_model::Expr| expr.to_string().parse::<i64>().ok();
    let info = |setting: &houserules_model::Setting| {
        let printed = setting.value.to_string();
        let value = given.iter().rev().find(|(name, _)| **name == *setting.name).map(|(_, value)| value.clone());
        SettingInfo {
            name: setting.name.to_string(),
            value: value.unwrap_or_else(|| printed.clone()),
            printed,
            range: setting
                .range
                .as_ref()
                .and_then(|(least, most)| Some(Range { least: number(least)?, most: number(most)? })),
            among: setting.among.iter().map(ToString::to_string).collect(),
            about: setting.text.as_deref().unwrap_or_default().to_owned(),
        }
    };
    definition.settings().map(info).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_chance_are_read_off_the_definition() {
        let tags = |name: &str| card(name, &houserules_library::find(name).unwrap()).tags;
        assert_eq!(tags("chess"), Vec::<String>::new());
        assert_eq!(tags("battleships"), ["hidden"]);
        assert!(tags("backgammon").contains(&"chance".to_owned()), "{:?}", tags("backgammon"));
        assert!(tags("whist").contains(&"hidden".to_owned()));
    }

    #[test]
    fn what_somebody_brought_is_interpreted_unless_the_operator_allows_more() {
        let limits = |stranger_native| Limits { stranger_native, ..Limits::default() };
        assert!(options(true, &limits(false)).interpreted);
        assert!(!options(true, &limits(true)).interpreted);
        assert!(!options(false, &limits(false)).interpreted);
        assert!(options(true, &limits(false)).budget.steps < options(false, &limits(false)).budget.steps);
    }

    #[test]
    fn a_text_has_one_id_and_another_text_another() {
        let file = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
        assert_eq!(id(&[file("a", "bc")]), id(&[file("a", "bc")]));
        assert_ne!(id(&[file("a", "bc")]), id(&[file("ab", "c")]));
    }
}
