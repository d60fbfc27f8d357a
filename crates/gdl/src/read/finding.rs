//! Other files that come into a game: where they are looked for, and what they may hold.

use super::Reader;
use super::exprs::Exprs;
use crate::datum::{Data, data};
use crate::files::{OUTSIDE, is_below, normal};
use crate::parse::parse;
use houserules_model::{Body, Budget, Diagnostic, Name, Origin, Rule};

impl Reader<'_> {
    pub(super) fn data(&mut self, path: &str, text: &str, place: Origin) -> Option<Data> {
        if self.full {
            return None;
        }
        self.n_read += 1;
        self.n_bytes += text.len();
        if self.n_read > Budget::FILES || self.n_bytes > Budget::TEXT {
            let label = format!("A game has at most {} files of {} KB in all.", Budget::FILES, Budget::TEXT >> 10);
            // Once is enough: behind the first file too many there may be thousands.
            self.full = true;
            self.diagnostics.push(Diagnostic::error("file/too-much", "Too much to read", place, label));
            return None;
        }
        let known = self.sources.find(path).filter(|id| self.sources.get(*id).is_some_and(|file| file.text == text));
        let file = match known {
            Some(file) => file,
            None => self.sources.add(path, text)?,
        };
        let parsed = parse(file, text);
        self.diagnostics.extend(parsed.diagnostics.iter().cloned());
        Some(data(&parsed.root(), file, &mut self.diagnostics))
    }

    /// A file that holds a body and no directive.
    pub(super) fn body_file(&mut self, path: &str, text: &str, place: Origin) -> Body {
        let Some(data) = self.data(path, text, place) else {
            return Vec::new();
        };
        if let Some(section) = data.sections.first() {
            let label = "The file of a rule holds its body alone.";
            let diagnostic =
                Diagnostic::error("file/body", "A directive in the file of a rule", section.word_origin, label);
            self.diagnostics.push(diagnostic.and(place, "It is taken as a body here."));
        }
        Exprs { diagnostics: &mut self.diagnostics }.body(&data.loose)
    }

    /// The file's name; bound to a second pointcut, it is another rule and needs another name.
    pub(super) fn name_by_file(&mut self, rule: &Rule, path: String) -> Name {
        let file = path.rsplit('/').next().unwrap_or(&path);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_string();
        let same = |other: &Rule| {
            (other.kind, &other.labels, &other.to, &other.states) == (rule.kind, &rule.labels, &rule.to, &rule.states)
        };
        if let Some((known, _)) = self.by_file.iter().find(|(other, at)| *at == path && same(other)) {
            return known.name.clone();
        }
        let mut n = 1;
        let mut name: Name = stem.as_str().into();
        while self.by_file.iter().any(|(other, _)| other.name == name) {
            n += 1;
            name = format!("{stem} ({n})").into();
        }
        self.by_file.push((Rule { name: name.clone(), body: Vec::new(), ..rule.clone() }, path));
        name
    }

    /// The first of these files that can be read.
    pub(super) fn find(&mut self, paths: &[String], place: Origin, what: &str) -> Option<(String, String)> {
        let mut tried = Vec::new();
        for path in paths.iter().map(|path| normal(path)) {
            if self.trail.contains(&path) {
                // A game made from one of the same name in the next folder is no circle: look on.
                if path != *paths.last().expect("there is a path to try") && what == "game" {
                    tried.push(format!("{path}: it is being read already"));
                    continue;
                }
                let label = format!("`{path}` would be read while it is being read.");
                let diagnostic =
                    Diagnostic::error("file/circle", "Files that read each other in a circle", place, label);
                self.diagnostics.push(diagnostic.note(format!("The way here: {} → {path}", self.trail.join(" → "))));
                return None;
            }
            if self.trail.len() >= Budget::FILES_DEEP {
                let label = format!("Files may stand {} deep in each other.", Budget::FILES_DEEP);
                self.diagnostics.push(Diagnostic::error("file/too-deep", "Too many files in each other", place, label));
                return None;
            }
            let read = match &self.below {
                None => self.files.read(&path, None),
                Some(own) => {
                    match [Some(own), self.shelf.as_ref()].into_iter().flatten().find(|own| is_below(&path, own)) {
                        Some(folder) => self.files.read(&path, Some(folder)),
                        None => Err(OUTSIDE.into()),
                    }
                }
            };
            match read {
                Ok(text) => return Some((path, text)),
                Err(reason) => tried.push(format!("{path}: {reason}")),
            }
        }
        if let Some(outside) = tried.iter().find(|line| line.ends_with(OUTSIDE)) {
            let path = outside.split(": ").next().unwrap_or_default();
            let label = format!("`{path}` lies outside the folder of the game.");
            let diagnostic = Diagnostic::error("file/outside", format!("This {what} may not be read"), place, label)
                .hint(match what {
                    "game" => "A game in the folder beside this one is named without its path: `from awele`.",
                    _ => "Put a copy of it beside the definition, or in a folder there.",
                });
            self.diagnostics.push(diagnostic);
            return None;
        }
        let circle = tried.iter().any(|line| line.ends_with("it is being read already"));
        let (code, title, label) = match circle {
            true => ("file/circle", format!("This {what} is made from itself"), "Reading it would never end."),
            false => ("file/missing", format!("This {what} cannot be read"), "It was not found, or it is not text."),
        };
        let diagnostic = Diagnostic::error(code, title, place, label);
        self.diagnostics.push(diagnostic.note(format!("Tried:\n    {}", tried.join("\n    "))));
        None
    }
}
