use super::words::{bare, unescaped};
use super::{Fault, Fork, Line, LineKind, Parsed, Record, Seat};
use houserules_model::{Mode, nearest};

/// Reads as far as it goes. Blank lines and lines that begin with `//` say nothing.
pub(super) fn parse(text: &str) -> Parsed {
    let mut reader = Reader { lines: unfolded(text), next: 0, record: Record::default(), ours: false, begun: false };
    let mut fault = None;
    while reader.next < reader.lines.len() {
        let (at, line) = reader.lines[reader.next].clone();
        reader.next += 1;
        if let Err(reason) = reader.line(at, &line) {
            fault = Some(Fault { line: at, reason });
            break;
        }
    }
    Parsed { record: reader.record, fault }
}

struct Reader {
    lines: Vec<(usize, String)>,
    next: usize,
    record: Record,
    /// It begins as records written here do.
    ours: bool,
    /// The head is over.
    begun: bool,
}

const HEAD_WORDS: [&str; 15] = [
    "id", "game", "title", "digest", "variant", "off", "advised", "set", "position", "players", "seed", "referee",
    "fork", "rules", "S",
];
const BODY_WORDS: [&str; 12] =
    ["A", "R", "rule", "set", "change", "hand", "undo", "redo", "note", "ruling", "result", "fingerprint"];

/// The lines that say something, numbered. A printed recording may break after a `Type:`; what follows belongs to it.
fn unfolded(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (idx, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        // Rules keep their layout.
        if line.starts_with('|') {
            lines.push((idx + 1, line.trim_end_matches('\r').to_owned()));
            continue;
        }
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        if let Some((_, before)) = lines.last_mut()
            && before.starts_with("A ")
            && before.ends_with(':')
            && !line.contains(' ')
        {
            before.push(' ');
            before.push_str(line);
            continue;
        }
        lines.push((idx + 1, line.to_owned()));
    }
    lines
}

impl Reader {
    fn line(&mut self, at: usize, line: &str) -> Result<(), String> {
        if let Some(version) = line.strip_prefix(Record::BEGINNING) {
            if at != 1 && (self.ours || self.begun) {
                return Err("Another record begins here.".into());
            }
            self.ours = true;
            return match version.trim() {
                "1" => Ok(()),
                other => Err(format!("This record is of version {other}; this program reads version 1.")),
            };
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        // After the seats a setting is one that was changed before the first move.
        let late = word == "set" && !self.record.head.seats.is_empty();
        if !self.begun && !late && HEAD_WORDS.contains(&word) {
            return self.head(at, word, rest);
        }
        if BODY_WORDS.contains(&word) {
            self.begun = true;
            let kind = self.body(word, rest)?;
            self.record.lines.push(Line { at, kind });
            return Ok(());
        }
        Err(if HEAD_WORDS.contains(&word) {
            format!("“{word}” belongs to the head, before the first move.")
        } else if line.starts_with('|') {
            "A line of rules stands where none is expected.".into()
        } else if !self.ours && !self.begun {
            format!("“{word}” is not understood; this does not look like a record.")
        } else if let Some(near) = nearest(word, HEAD_WORDS.into_iter().chain(BODY_WORDS)) {
            format!("“{word}” is not understood. Did you mean `{near}`?")
        } else {
            format!("“{word}” is not understood.")
        })
    }

    fn head(&mut self, at: usize, word: &str, rest: &str) -> Result<(), String> {
        let head = &mut self.record.head;
        let text = rest.to_owned();
        match word {
            "id" => head.id = text,
            "game" => head.game = text,
            "title" => head.title = text,
            "digest" => head.digest = text,
            "variant" => head.variants.push(text),
            "off" => head.off.push(text),
            "advised" => head.advised.push(text),
            "set" => head.settings.push(setting(rest)?),
            "position" => head.position = Some(text),
            "players" => head.players = Some(number(rest)?),
            "seed" => head.seed = Some(number(rest)?),
            "referee" => head.referee = Some(text),
            "fork" => {
                let fork = rest.rsplit_once(" after ").ok_or("A fork is written `fork ID after N`.")?;
                head.forks.push(Fork { of: fork.0.trim().to_owned(), after: number(fork.1)? });
            }
            "rules" => {
                let (n, path) = rest.split_once(' ').unwrap_or((rest, ""));
                let lines = self.block("rules", number(n)?)?;
                self.record.head.rules.push((path.trim().to_owned(), lines));
            }
            _ => {
                let (seat, sitter) = bare(rest).ok_or("A seat is written `S SEAT NAME`.")?;
                if head.seats.iter().any(|known| known.seat == seat) {
                    return Err(format!("The seat “{seat}” is taken already."));
                }
                head.seats.push(Seat { seat, sitter: sitter.to_owned(), at });
            }
        }
        Ok(())
    }

    fn body(&mut self, word: &str, rest: &str) -> Result<LineKind, String> {
        Ok(match word {
            "A" => {
                let (seat, words) = bare(rest).ok_or("An action is written `A SEAT WORDS`.")?;
                if words.is_empty() {
                    return Err(format!("What {seat} did is missing; the line may be cut off."));
                }
                LineKind::Choice { seat, words: words.to_owned() }
            }
            "R" => chance(rest)?,
            "rule" => {
                let (mode, rule) = rest.split_once(' ').unwrap_or((rest, ""));
                let mode = mode_of(mode).ok_or("A rule is switched by `rule on`, `rule advised` or `rule off`.")?;
                if rule.trim().is_empty() {
                    return Err("The name of the rule is missing.".into());
                }
                LineKind::Rule { mode, rule: rule.trim().to_owned() }
            }
            "set" => {
                let (name, value) = setting(rest)?;
                LineKind::Set { name, value }
            }
            "change" => LineKind::Change { text: self.block("change", number(rest)?)? },
            "hand" => match bare(rest) {
                Some((entity, statements)) if !statements.is_empty() => {
                    LineKind::Hand { entity, statements: statements.to_owned() }
                }
                _ => return Err("What is done by hand is written `hand THING (set PROPERTY to VALUE)`.".into()),
            },
            "undo" => LineKind::Undo(number(rest)?),
            "redo" => LineKind::Redo(number(rest)?),
            "note" => {
                let note = || "A note is written `note TIME BY: TEXT`, with `-` for an unknown time.";
                let (time, rest) = bare(rest).ok_or_else(note)?;
                let (by, text) = speaker(rest).ok_or_else(note)?;
                let time = if time == "-" { String::new() } else { time };
                LineKind::Note { time, by, text: unescaped(&text) }
            }
            "ruling" => {
                ruling(rest).ok_or("A ruling is written `ruling allowed by WHO: SEAT WORDS -- RULE`, or `denied`.")?
            }
            "result" => {
                let mut ranks = Vec::new();
                for part in rest.split(", ") {
                    let (seat, rank) = bare(part).ok_or("A result is written `result SEAT RANK, SEAT RANK`.")?;
                    ranks.push((seat, number(rank)?));
                }
                LineKind::Result(ranks)
            }
            _ => LineKind::Fingerprint(
                u64::from_str_radix(rest, 16).map_err(|_| format!("“{rest}” is no fingerprint."))?,
            ),
        })
    }

    /// The `n` lines of a block.
    fn block(&mut self, word: &str, n: usize) -> Result<String, String> {
        let mut lines = Vec::new();
        while lines.len() < n {
            match self.lines.get(self.next) {
                Some((_, line)) if line.starts_with('|') => {
                    let line = &line[1..];
                    lines.push(line.strip_prefix(' ').unwrap_or(line).to_owned());
                    self.next += 1;
                }
                _ => return Err(format!("`{word}` ends after {} of {n} lines; the rest is missing.", lines.len())),
            }
        }
        Ok(lines.join("\n"))
    }
}

/// `2 - 3`, or as older recordings have it `2: Int: 3`, or the index alone.
fn chance(rest: &str) -> Result<LineKind, String> {
    let (index, words) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let index = index.trim_end_matches(':');
    let index = index.parse().map_err(|_| format!("Chance is written `R INDEX - WORDS`; “{index}” is no index."))?;
    let words = words.trim();
    let words = words.strip_prefix("- ").unwrap_or(words).trim();
    Ok(LineKind::Chance { index, words: words.to_owned() })
}

/// `WHO: TEXT`
fn speaker(text: &str) -> Option<(String, String)> {
    if text.starts_with('"') {
        let (by, rest) = bare(text)?;
        return Some((by, rest.strip_prefix(':')?.trim().to_owned()));
    }
    let (by, rest) = text.split_once(':')?;
    Some((by.trim().to_owned(), rest.trim().to_owned()))
}

fn ruling(rest: &str) -> Option<LineKind> {
    let (verdict, rest) = rest.split_once(" by ")?;
    let (by, rest) = speaker(rest)?;
    let (seat, rest) = bare(&rest)?;
    let (words, rule) = rest.rsplit_once(" -- ")?;
    let allowed = match verdict {
        "allowed" => true,
        "denied" => false,
        _ => return None,
    };
    Some(LineKind::Ruling { allowed, by, seat, words: words.trim().to_owned(), rule: rule.trim().to_owned() })
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("A setting is written `set NAME=VALUE`.".into()),
    }
}

fn mode_of(word: &str) -> Option<Mode> {
    match word {
        "on" | "enforced" => Some(Mode::Enforced),
        "advised" => Some(Mode::Advised),
        "off" => Some(Mode::Off),
        _ => None,
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("“{}” is no number that fits here.", text.trim()))
}
