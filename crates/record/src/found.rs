//! From a head to a game that runs.

use crate::{Defined, Fixed, Head, LineKind, Match, Record, Replay, Running, Seat};
use houserules_library::{Bgd, Found, Options, SEATED, enclosed, find, named_in};
use houserules_model::Budget;
use std::path::Path;

/// Which rules a record is played by, where it brings its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Which {
    /// Those it was made with: the library's if they are the same, else its own.
    #[default]
    Made,
    /// Its own.
    Embedded,
    /// The library's or the file's as they are now, even if they have changed.
    Now,
}

/// Whether a record brings the rules along or only names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Embedded,
    Digest,
}

/// A record ready to be gone through.
pub struct Opened {
    pub replay: Replay,
    /// What the user should know about the rules it is played by.
    pub notes: Vec<String>,
}

/// A match from the start, with the head filled in: title, digest, seats, and the rules themselves if they come along.
pub fn begin(found: &Found, mut head: Head, source: Source) -> Result<Match, String> {
    let Start { running, digest } = Start::new(found, &options(&head), &head.advised)?;
    head.digest = digest;
    if head.game.is_empty() {
        head.game.clone_from(&found.name);
    }
    if source == Source::Embedded {
        head.rules = files(found);
    }
    for seat in running.seats() {
        if !head.seats.iter().any(|known| known.seat == seat) {
            head.seats.push(Seat { seat, sitter: String::new(), at: 0 });
        }
    }
    if head.id.is_empty() {
        head.id = id(&head);
    }
    Ok(Match::new(head, running))
}

/// A game before anything has happened, whatever it is written in.
pub struct Start {
    running: Box<dyn Running>,
    digest: String,
}

impl Start {
    /// One that is no definition has rules that stay as they are.
    pub fn new(found: &Found, options: &Options, advised: &[String]) -> Result<Start, String> {
        Start::guarded(found, options, advised, None)
    }

    /// The same where strangers may type rules, which are played under this budget and by the interpreter alone.
    pub fn guarded(
        found: &Found,
        options: &Options,
        advised: &[String],
        typed: Option<Budget>,
    ) -> Result<Start, String> {
        if found.ceptre.is_none() {
            let defined = Defined::guarded(found, options, advised, typed)?;
            let digest = if advised.is_empty() { defined.digest() } else { found.rulebook(options)?.digest() };
            return Ok(Start { running: Box::new(defined), digest });
        }
        if let Some(rule) = advised.first() {
            return Err(format!("A game written in Ceptre has no rules that can be advised, so there is no “{rule}”."));
        }
        let rulebook = found.rulebook(options)?;
        let running = Box::new(Fixed::open(&*rulebook).map_err(|error| error.to_string())?);
        Ok(Start { running, digest: rulebook.digest() })
    }

    /// Of the rules as they would be if nothing were only advised: records know them by that.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    pub fn running(&self) -> &dyn Running {
        &*self.running
    }
}

impl Clone for Start {
    fn clone(&self) -> Self {
        Start { running: self.running.duplicate(), digest: self.digest.clone() }
    }
}

/// Follows from what is in the head, so that the same seed gives the same record.
fn id(head: &Head) -> String {
    let mut text = format!("{} {:?} {:?} {:?}", head.digest, head.seed, head.advised, head.position);
    for seat in &head.seats {
        text += &format!(" {} {}", seat.seat, seat.sitter);
    }
    // Fowler, Noll and Vo; it only tells records apart.
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// Finds the rules of a record and makes it ready to play; `game` where the record does not name one, or another is to
/// be played. A record that lies in no folder names games of the library only.
pub fn open(record: Record, game: Option<&str>, which: Which) -> Result<Opened, String> {
    open_in(record, None, game, which)
}

/// The same for a record that lies in a folder: what it names itself is looked for below it.
pub fn open_in(record: Record, folder: Option<&Path>, game: Option<&str>, which: Which) -> Result<Opened, String> {
    let head = &record.head;
    let which = match (game, which) {
        (Some(_), Which::Embedded) => {
            return Err(
                "`--game` names other rules than those in the record, which `--rules embedded` asks for.".into()
            );
        }
        // Who names a game wants its rules.
        (Some(_), _) => Which::Now,
        (None, which) => which,
    };
    let mut options = options(head);
    if let (true, Some(Ok(found))) = (head.digest.is_empty(), game.map(find))
        && let Some(bgd) = &found.bgd
        && !options.settings.iter().any(|(name, _)| name == SEATED)
    {
        options.settings.extend(bgd.seating(&seated(&record, bgd)));
    }
    // Recordings of another program only list who takes part.
    let listed = u32::try_from(head.seats.len()).ok().filter(|&n| n > 0 && head.digest.is_empty());
    if let (None, Some(n), Some(Ok(found))) = (options.seats, listed, game.map(find)) {
        let so_many = Options { seats: Some(n), ..options.clone() };
        if found.rulebook(&so_many).is_ok() {
            options = so_many;
        }
    }
    let options = options;
    let mut notes = Vec::new();
    let digest = |found: &Found| found.rulebook(&options).map(|game| game.digest());
    let same = |digest: &Result<String, String>| digest.as_ref().is_ok_and(|digest| *digest == head.digest);
    let own = (!head.rules.is_empty()).then(|| enclosed(&head.game, &head.rules));
    let name = game.unwrap_or(&head.game);
    let now = match (name.is_empty(), which) {
        (_, Which::Embedded) => None,
        (true, _) if own.is_none() => {
            return Err("The record does not say which game it is of. `--game GAME` does.".into());
        }
        (true, _) => None,
        (false, _) => Some(game.map_or_else(|| named_in(folder, name).and_then(|name| find(&name)), find)),
    };
    let unchanged = match &now {
        Some(Ok(now)) if !head.digest.is_empty() => same(&digest(now)),
        _ => false,
    };
    let mut brought = false;
    let found = match (which, own, now) {
        (Which::Embedded, None, _) => {
            return Err("The record has no rules of its own; it only gives their digest.".into());
        }
        (Which::Embedded, Some(own), _) => {
            brought = true;
            own
        }
        (Which::Now, _, Some(now)) => {
            let now = now?;
            if !head.digest.is_empty() && !unchanged {
                notes.push(format!("This record was made with other rules than {name} has now."));
            }
            now
        }
        (_, own, Some(Ok(now))) if head.digest.is_empty() || unchanged || own.is_none() => {
            if !head.digest.is_empty() && !unchanged {
                return Err(format!(
                    "This record was made with other rules than {name} has now ({} then), and it has no rules of its own. \
                     `--rules now` tries the present ones.",
                    head.digest
                ));
            }
            now
        }
        (_, Some(own), now) => {
            let why = match now {
                Some(Err(_)) => format!("There is no game {name} here"),
                Some(Ok(_)) => format!("The rules of {name} have changed since"),
                None => "The record names no game".to_owned(),
            };
            notes.push(format!("{why}; it is played by the rules in the record. `--rules now` takes others."));
            brought = true;
            own
        }
        (_, None, Some(Err(reason))) => return Err(reason),
        (_, None, _) => return Err("The record does not say which game it is of. `--game GAME` does.".into()),
    };
    if brought && !head.digest.is_empty() && digest(&found)? != head.digest {
        notes.push("The rules in the record are not those it was made with; somebody has edited them.".into());
    }
    let Start { running, .. } = Start::new(&found, &options, &head.advised)?;
    let replay = Replay::new(record, running).map_err(|fault| fault.to_string())?;
    Ok(Opened { replay, notes })
}

/// Who plays in a recording of another program: those it lists, or else those who choose, in that order.
fn seated(record: &Record, bgd: &Bgd) -> Vec<String> {
    if !record.head.seats.is_empty() {
        return record.head.seats.iter().map(|seat| seat.seat.clone()).collect();
    }
    let mut names: Vec<String> = Vec::new();
    for line in &record.lines {
        let LineKind::Choice { seat, words } = &line.kind else { continue };
        let second = words.split_whitespace().next().unwrap_or_default();
        let is_player = |name: &&str| bgd.program().players.list.iter().any(|player| player.name.text == **name);
        let Some(name) = [seat.as_str(), second].into_iter().find(is_player) else { continue };
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn options(head: &Head) -> Options {
    Options {
        variants: head.variants.clone(),
        off: head.off.clone(),
        settings: head.settings.clone(),
        seats: head.players,
        position: head.position.clone(),
        ..Options::default()
    }
}

/// The texts of a game with their paths, the definition first.
pub fn files(found: &Found) -> Vec<(String, String)> {
    found.loaded.sources.iter().map(|(_, source)| (source.name.clone(), source.text.clone())).collect()
}
