//! The text, what it says, and every step that made it so.

use crate::change::{Change, edits};
use crate::text::{Span, TextEdit, apply, difference, inverse};
use houserules_check::check;
use houserules_gdl::{Loaded, Memory, Sources, load, parse, read_items};
use houserules_model::{Definition, Diagnostic, FileId, Item};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// One text that is being made, with the files it builds on.
///
/// What is drawn of it follows from the text, so text and picture cannot disagree. A refused change leaves everything
/// as it was.
pub struct Document {
    path: String,
    /// The file with which the game begins: this one, or one that includes it.
    root: String,
    /// What the text refers to, such as the game it is made from. It is read and never written.
    beside: Vec<(String, String)>,
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

/// Something that was done to the text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// What kind of change it was, such as `add` or `type`.
    pub what: Cow<'static, str>,
    /// What it was done to, as the author calls it.
    pub name: String,
    pub forth: Vec<TextEdit>,
    pub back: Vec<TextEdit>,
}

/// What came of a change: the edits of the text as it was, and what to look at afterwards.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stepped {
    pub edits: Vec<TextEdit>,
    pub at: Option<Span>,
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
        Document::within(path, path, text, beside)
    }

    /// A text that another one of the files includes, with which the game begins.
    pub fn within(root: &str, path: &str, text: &str, beside: Vec<(String, String)>) -> Self {
        let reading = Reading::of(root, path, text, &beside);
        let (path, root) = (path.to_owned(), root.to_owned());
        Document { path, root, beside, reading, version: 0, steps: Vec::new(), done: 0 }
    }

    /// The other files have become others.
    pub fn set_beside(&mut self, beside: Vec<(String, String)>) {
        if beside != self.beside {
            self.beside = beside;
            let reading = self.read(self.text());
            self.put(reading);
        }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    fn read(&self, text: &str) -> Reading {
        Reading::of(&self.root, &self.path, text, &self.beside)
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

    /// Steps that led to this text before it was opened here, of which so many are done. False, and nothing is
    /// remembered, where they do not lead to it.
    pub fn remember(&mut self, steps: Vec<Step>, done: usize) -> bool {
        if steps.len() > MOST_STEPS || done > steps.len() {
            return false;
        }
        let back = steps[..done].iter().rev().try_fold(self.text().to_owned(), |text, step| {
            let before = apply(&text, &step.back)?;
            (apply(&before, &step.forth)? == text).then_some(before)
        });
        let forth = steps[done..].iter().try_fold(self.text().to_owned(), |text, step| {
            let after = apply(&text, &step.forth)?;
            (apply(&after, &step.back)? == text).then_some(after)
        });
        let fits = back.is_some() && forth.is_some();
        if fits {
            (self.steps, self.done) = (steps, done);
        }
        fits
    }

    /// Makes a change, as one step.
    pub fn change(&mut self, change: &Change) -> Result<Stepped, Refused> {
        if let Change::Type { text, joins } = change {
            return Ok(self.typed(text, *joins));
        }
        let (forth, name) = edits(&self.reading, change)?;
        let made = apply(self.text(), &forth)
            .ok_or_else(|| Refused::new("edit/stale", "The text has changed there in the meantime."))?;
        if made == self.reading.text {
            return Ok(Stepped::default());
        }
        let n_broken = |text: &str| parse(FileId(0), text).diagnostics.len();
        if n_broken(&made) > n_broken(self.text()) {
            return Err(Refused::new("edit/breaks", "The text could not be read any more after this change."));
        }
        let reading = self.read(&made);
        change.holds(&self.reading, &reading)?;
        let at = touched(&forth);
        self.keep(Step { what: change.word().into(), name, back: inverse(self.text(), &forth), forth: forth.clone() });
        self.put(reading);
        Ok(Stepped { edits: forth, at })
    }

    /// What was typed becomes one step with what was typed just before, where it `joins`.
    fn typed(&mut self, text: &str, joins: bool) -> Stepped {
        let Some(edit) = difference(self.text(), text) else { return Stepped::default() };
        let edits = vec![edit];
        let at = touched(&edits);
        let back = inverse(self.text(), &edits);
        let is_last = self.done == self.steps.len();
        match self.steps.last_mut().filter(|last| joins && is_last && last.what == "type") {
            Some(last) => {
                // Both lead between the text before the first of them and the text now.
                let before = apply(&self.reading.text, &last.back).expect("a step leads back");
                last.forth = difference(&before, text).into_iter().collect();
                last.back = difference(text, &before).into_iter().collect();
            }
            None => self.keep(Step { what: "type".into(), name: String::new(), forth: edits.clone(), back }),
        }
        self.put(self.read(text));
        Stepped { edits, at }
    }

    /// Takes the last step back; none where nothing was done.
    pub fn undo(&mut self) -> Option<Stepped> {
        let step = self.steps.get(self.done.checked_sub(1)?)?;
        let edits = step.back.clone();
        self.done -= 1;
        Some(self.walked(edits))
    }

    pub fn redo(&mut self) -> Option<Stepped> {
        let edits = self.steps.get(self.done)?.forth.clone();
        self.done += 1;
        Some(self.walked(edits))
    }

    /// Goes to where so many steps are done.
    pub fn jump(&mut self, to: usize) -> Option<Stepped> {
        if to > self.steps.len() || to == self.done {
            return None;
        }
        let before = self.text().to_owned();
        while self.done > to {
            self.undo()?;
        }
        while self.done < to {
            self.redo()?;
        }
        let edits: Vec<TextEdit> = difference(&before, self.text()).into_iter().collect();
        Some(Stepped { at: touched(&edits), edits })
    }

    fn walked(&mut self, edits: Vec<TextEdit>) -> Stepped {
        let made = apply(self.text(), &edits).expect("a step leads from one text to the next");
        self.put(self.read(&made));
        Stepped { at: touched(&edits), edits }
    }

    fn keep(&mut self, step: Step) {
        self.steps.truncate(self.done);
        self.steps.push(step);
        if self.steps.len() > MOST_STEPS {
            self.steps.remove(0);
        }
        self.done = self.steps.len();
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
    /// A text among the files of a game that begins with `root`.
    pub fn of(root: &str, path: &str, text: &str, beside: &[(String, String)]) -> Self {
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
