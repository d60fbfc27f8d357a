//! The text, what it says, and every step that made it so.

use crate::change::{Change, edits, elsewhere};
use crate::names::Names;
use crate::rename;
use crate::text::{Span, TextEdit, apply, difference, inverse};
use houserules_check::check;
use houserules_gdl::{Loaded, Memory, Sources, load, parse, read_items};
use houserules_model::{Definition, Diagnostic, FileId, Item};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The texts of a game that is being made, of which one is looked at.
///
/// What is drawn of it follows from the texts, so text and picture cannot disagree. A refused change leaves everything
/// as it was. There is one list of steps for all of them.
pub struct Document {
    /// Path and text of each file; the game begins with the first.
    files: Vec<(String, String)>,
    /// The one that is looked at.
    at: usize,
    reading: Reading,
    version: u64,
    /// What was done; the steps from `done` on are undone.
    steps: Vec<Step>,
    done: usize,
}

/// A text and what it says.
pub struct Reading {
    pub text: String,
    /// The items of this text alone, each with its place in it.
    pub own: Vec<Item>,
    pub definition: Definition,
    pub sources: Sources,
    /// The file of this text among the sources.
    pub file: FileId,
    pub messages: Vec<Diagnostic>,
}

/// Something that was done to one text or several.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// What kind of change it was, such as `add` or `type`.
    pub what: Cow<'static, str>,
    /// What it was done to, as the author calls it.
    pub name: String,
    /// Each of another file; what was looked at first.
    pub strokes: Vec<Stroke>,
}

/// What a step does to one text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stroke {
    pub path: String,
    pub forth: Vec<TextEdit>,
    pub back: Vec<TextEdit>,
}

/// What came of a change: the edits of the text as it was, and what to look at afterwards.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stepped {
    /// Of the file that was looked at, and still is.
    pub edits: Vec<TextEdit>,
    pub at: Option<Span>,
    /// Other files are others, or another one is looked at.
    pub elsewhere: bool,
}

/// A place that means something.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Place {
    pub path: String,
    pub at: Span,
    /// Whether it is said there what the name stands for.
    pub defines: bool,
}

/// Why a change was not made. The code stays, the words may change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub code: &'static str,
    pub words: String,
}

impl Refused {
    pub fn new(code: &'static str, words: impl Into<String>) -> Self {
        Refused { code, words: words.into() }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Refused {}

/// Steps that are remembered.
const MOST_STEPS: usize = 1000;

impl Document {
    /// A text by its path, and the files it may refer to.
    pub fn open(path: &str, text: &str, beside: Vec<(String, String)>) -> Self {
        let own = (path.to_owned(), text.to_owned());
        Document::of(std::iter::once(own).chain(beside).collect(), 0)
    }

    /// All files of a game, the one it begins with first, of which one is looked at.
    pub fn of(files: Vec<(String, String)>, at: usize) -> Self {
        let reading = Reading::among(&files, at);
        Document { files, at, reading, version: 0, steps: Vec::new(), done: 0 }
    }

    /// Another file is looked at. False: there is none of that path.
    pub fn turn_to(&mut self, path: &str) -> bool {
        let Some(at) = self.nth(path) else { return false };
        if at != self.at {
            self.at = at;
            self.read();
        }
        true
    }

    /// One more file, which nothing includes yet.
    pub fn add_file(&mut self, path: &str, text: &str) {
        self.files.push((path.to_owned(), text.to_owned()));
        self.read();
    }

    /// Path and text of each file.
    pub fn files(&self) -> &[(String, String)] {
        &self.files
    }

    pub fn path(&self) -> &str {
        &self.files[self.at].0
    }

    fn nth(&self, path: &str) -> Option<usize> {
        self.files.iter().position(|(own, _)| own == path)
    }

    pub fn text(&self) -> &str {
        &self.reading.text
    }

    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Another one after every change, undo and redo.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What was done, and what of it is undone: the steps from the number on.
    pub fn steps(&self) -> (&[Step], usize) {
        (&self.steps, self.done)
    }

    /// Steps that led to these texts before they were opened here, of which so many are done. False, and nothing is
    /// remembered, where they do not lead to them.
    pub fn remember(&mut self, steps: Vec<Step>, done: usize) -> bool {
        if steps.len() > MOST_STEPS || done > steps.len() {
            return false;
        }
        let text = |files: &[(String, String)], path: &str| {
            files.iter().find(|(own, _)| own == path).map(|(_, text)| text.clone())
        };
        // There and back is where it was.
        let leads = |files: &mut Vec<(String, String)>, step: &Step, forth: bool| {
            step.strokes.iter().all(|stroke| {
                let (there, again) = if forth { (&stroke.forth, &stroke.back) } else { (&stroke.back, &stroke.forth) };
                let Some(before) = text(files, &stroke.path) else { return false };
                let Some(after) = apply(&before, there) else { return false };
                let fits = apply(&after, again).as_ref() == Some(&before);
                files.iter_mut().filter(|(own, _)| *own == stroke.path).for_each(|(_, text)| *text = after.clone());
                fits
            })
        };
        let mut files = self.files.clone();
        let back = steps[..done].iter().rev().all(|step| leads(&mut files, step, false));
        let mut files = self.files.clone();
        let forth = steps[done..].iter().all(|step| leads(&mut files, step, true));
        if back && forth {
            (self.steps, self.done) = (steps, done);
        }
        back && forth
    }

    /// Makes a change, as one step.
    pub fn change(&mut self, change: &Change) -> Result<Stepped, Refused> {
        if let Change::Type { text, joins } = change {
            return Ok(self.typed(text, *joins));
        }
        let (forth, name) = edits(&self.reading, change)?;
        let mut strokes = Vec::new();
        let here = (self.path().to_owned(), forth);
        for (path, forth) in std::iter::once(here).chain(elsewhere(&self.reading, &self.files, self.at, change)?) {
            let text = self.nth(&path).map(|nth| &*self.files[nth].1).unwrap_or_default();
            let made = apply(text, &forth)
                .ok_or_else(|| Refused::new("edit/stale", "The text has changed there in the meantime."))?;
            if made == text {
                continue;
            }
            let n_broken = |text: &str| parse(FileId(0), text).diagnostics.len();
            if n_broken(&made) > n_broken(text) {
                return Err(Refused::new("edit/breaks", "The text could not be read any more after this change."));
            }
            strokes.push((Stroke { back: inverse(text, &forth), forth, path }, made));
        }
        if strokes.is_empty() {
            return Ok(Stepped::default());
        }
        let mut files = self.files.clone();
        for (stroke, made) in &strokes {
            files.iter_mut().filter(|(path, _)| *path == stroke.path).for_each(|(_, text)| text.clone_from(made));
        }
        let reading = Reading::among(&files, self.at);
        change.holds(&self.reading, &reading)?;
        let strokes: Vec<Stroke> = strokes.into_iter().map(|(stroke, _)| stroke).collect();
        let here = strokes.iter().find(|stroke| stroke.path == self.path()).map(|stroke| stroke.forth.clone());
        let edits = here.unwrap_or_default();
        let elsewhere = strokes.iter().any(|stroke| stroke.path != self.path());
        let stepped = Stepped { at: touched(&edits), edits, elsewhere };
        self.keep(Step { what: change.word().into(), name, strokes });
        self.files = files;
        self.put(reading);
        Ok(stepped)
    }

    /// What was typed becomes one step with what was typed just before, where it `joins`.
    fn typed(&mut self, text: &str, joins: bool) -> Stepped {
        let Some(edit) = difference(self.text(), text) else { return Stepped::default() };
        let edits = vec![edit];
        let at = touched(&edits);
        let back = inverse(self.text(), &edits);
        let is_last = self.done == self.steps.len();
        let path = &self.files[self.at].0;
        let last = self.steps.last_mut().filter(|last| joins && is_last && last.what == "type");
        match last.and_then(|last| last.strokes.first_mut()).filter(|stroke| stroke.path == *path) {
            Some(stroke) => {
                // Both lead between the text before the first of them and the text now.
                let before = apply(&self.reading.text, &stroke.back).expect("a step leads back");
                stroke.forth = difference(&before, text).into_iter().collect();
                stroke.back = difference(text, &before).into_iter().collect();
            }
            None => {
                let stroke = Stroke { path: path.clone(), forth: edits.clone(), back };
                self.keep(Step { what: "type".into(), name: String::new(), strokes: vec![stroke] });
            }
        }
        self.files[self.at].1 = text.to_owned();
        self.read();
        Stepped { edits, at, elsewhere: false }
    }

    /// Every place of the game that means what the name at a byte means, those where it is made first.
    pub fn places(&self, byte: usize) -> Vec<Place> {
        let names = Names::of(&self.reading);
        let Some(meaning) = names.at(byte) else { return Vec::new() };
        let others = rename::others(&self.reading, &self.files, self.at, meaning);
        let all = std::iter::once((self.at, &names)).chain(others.iter().map(|(nth, names)| (*nth, names)));
        let mut places: Vec<Place> = all
            .flat_map(|(nth, names)| names.uses(meaning).map(move |found| (nth, found)))
            .map(|(nth, found)| Place { path: self.files[nth].0.clone(), at: found.at, defines: found.defines })
            .collect();
        places.sort_by_key(|place| !place.defines);
        places
    }

    /// Takes the last step back; none where nothing was done.
    pub fn undo(&mut self) -> Option<Stepped> {
        self.jump(self.done.checked_sub(1)?)
    }

    pub fn redo(&mut self) -> Option<Stepped> {
        self.jump(self.done + 1)
    }

    /// Goes to where so many steps are done. Where that changes other files alone, the first of them is looked at.
    pub fn jump(&mut self, to: usize) -> Option<Stepped> {
        if to > self.steps.len() || to == self.done {
            return None;
        }
        let one = to.abs_diff(self.done) == 1;
        let mut walked: Vec<(String, Vec<TextEdit>)> = Vec::new();
        while self.done != to {
            let forth = self.done < to;
            let nth = if forth { self.done } else { self.done - 1 };
            self.done = if forth { self.done + 1 } else { nth };
            for Stroke { path, forth: there, back } in self.steps[nth].strokes.clone() {
                let Some(nth) = self.nth(&path) else { continue };
                let edits = if forth { there } else { back };
                let text = &mut self.files[nth].1;
                *text = apply(text, &edits).expect("a step leads from one text to the next");
                walked.push((path, edits));
            }
        }
        let before = self.reading.text.clone();
        let elsewhere = walked.iter().any(|(path, _)| path != self.path());
        let here = walked.iter().find(|(path, _)| path == self.path()).map(|(_, edits)| edits.clone());
        if here.is_none() {
            self.at = walked.first().and_then(|(path, _)| self.nth(path)).unwrap_or(self.at);
        }
        self.read();
        let edits = match here {
            Some(edits) if one => edits,
            Some(_) => difference(&before, self.text()).into_iter().collect(),
            None => Vec::new(),
        };
        Some(Stepped { at: touched(&edits), edits, elsewhere })
    }

    fn keep(&mut self, step: Step) {
        self.steps.truncate(self.done);
        self.steps.push(step);
        if self.steps.len() > MOST_STEPS {
            self.steps.remove(0);
        }
        self.done = self.steps.len();
    }

    fn read(&mut self) {
        self.put(Reading::among(&self.files, self.at));
    }

    fn put(&mut self, reading: Reading) {
        self.reading = reading;
        self.version += 1;
    }
}

/// Where the text is another one afterwards.
fn touched(edits: &[TextEdit]) -> Option<Span> {
    let first = edits.iter().min_by_key(|edit| edit.start)?;
    let skipped = first.text.len() - first.text.trim_start().len();
    Some(Span::new(first.start + skipped, first.start + first.text.len().max(skipped)))
}

impl Reading {
    /// One of the files of a game that begins with the first.
    pub(crate) fn among(files: &[(String, String)], at: usize) -> Self {
        let (path, text) = &files[at];
        let beside = files.iter().enumerate().filter(|(nth, _)| *nth != at).map(|(_, file)| file);
        Reading::of(&files[0].0, path, text, beside)
    }

    /// A text among the files of a game that begins with `root`.
    pub fn of<'a>(root: &str, path: &str, text: &str, beside: impl IntoIterator<Item = &'a (String, String)>) -> Self {
        // The items of this text alone: what it refers to is looked for nowhere.
        let own = read_items(&mut Sources::new(), path, text).0;
        let mut memory = Memory::new().with(path, text);
        for (path, text) in beside {
            memory = memory.with(path, text);
        }
        let Loaded { definition, sources, diagnostics: mut messages } = load(&memory, root);
        messages.extend(check(&definition));
        messages.dedup_by_key(|message| (message.code, message.title.clone(), message.labels.first().map(place)));
        // What the game does not include has no place in it.
        let file = sources.find(path).unwrap_or(FileId(if path == root { 0 } else { u16::MAX }));
        Reading { text: text.to_owned(), own, definition, sources, file, messages }
    }

    pub fn has_errors(&self) -> bool {
        self.messages.iter().any(Diagnostic::is_error)
    }

    /// The bytes of a place in this text.
    pub fn at(&self, span: Span) -> &str {
        span.of(&self.text)
    }
}

fn place(label: &houserules_model::Label) -> (u16, u32, u32) {
    (label.origin.file.0, label.origin.start, label.origin.end)
}
