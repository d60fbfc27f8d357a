//! A diagnostic as people read it: title, place, label on the spot, the facts, what to type next.

use crate::{Source, Sources};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use houserules_model::{Diagnostic, FileId, Label, Severity};
use std::cmp::Reverse;
use std::ops::Range;

/// Colour is for terminals only.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::ToDo => Level::INFO.with_name("to do"),
        Severity::Warning => Level::WARNING,
    };
    let placed: Vec<&Label> =
        diagnostic.labels.iter().filter(|label| sources.get(label.origin.file).is_some()).collect();
    let mut files: Vec<FileId> = Vec::new();
    for label in &placed {
        if !files.contains(&label.origin.file) {
            files.push(label.origin.file);
        }
    }
    let group = Group::with_title(level.primary_title(diagnostic.title.as_str()));
    let group = group.elements(files.iter().filter_map(|file| {
        let labels: Vec<&Label> = placed.iter().copied().filter(|label| label.origin.file == *file).collect();
        Some(snippet(sources.get(*file)?, &labels, *file == files[0]))
    }));
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.decor_style(DecorStyle::Unicode).render(&[group]);
    // A label that stands in no file still has something to say.
    let unplaced = diagnostic.labels.iter().filter(|label| sources.get(label.origin.file).is_none());
    for line in unplaced.map(|label| &label.text).filter(|text| !text.is_empty()).chain(&diagnostic.notes) {
        text.push('\n');
        text.push_str(line);
    }
    if let Some(hint) = &diagnostic.hint {
        text.push_str("\nHint: ");
        text.push_str(hint);
    }
    text.push('\n');
    text
}

/// All of them, the errors first, with a line that counts them.
pub fn render_all(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    let mut text = render_each(diagnostics, sources, colour);
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let mut counts = Vec::new();
    for severity in [Severity::Error, Severity::ToDo, Severity::Warning] {
        match (severity, diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()) {
            (_, 0) => {}
            (Severity::Error, n) => counts.push(format!("{n} error{}", plural(n))),
            (Severity::ToDo, n) => counts.push(format!("{n} to do")),
            (Severity::Warning, n) => counts.push(format!("{n} warning{}", plural(n))),
        }
    }
    if !counts.is_empty() {
        text.push_str(&counts.join(", "));
        text.push('\n');
    }
    text
}

/// The errors, what is to do, then the warnings, for who counts them himself.
pub fn render_each(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|diagnostic| Reverse(diagnostic.severity));
    sorted.into_iter().map(|diagnostic| render(diagnostic, sources, colour) + "\n").collect()
}

fn snippet<'a>(source: &'a Source, labels: &[&'a Label], main: bool) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let spans: Vec<Range<usize>> = labels.iter().map(|label| span(&source.text, label)).collect();
    // Only the lines in question: drawing from a long file would cost its whole length for every message.
    let first = spans.iter().map(|span| span.start).min().unwrap_or(0);
    let last = spans.iter().map(|span| span.end).max().unwrap_or(0);
    let start = source.text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = source.text[last..].find('\n').map_or(source.text.len(), |at| last + at);
    // Nor from a long line: a page without a break would be drawn anew for each.
    let start = start.max(boundary(&source.text, first.saturating_sub(LONGEST)));
    let end = end.min(boundary(&source.text, last + LONGEST));
    let line = source.text[..start].bytes().filter(|b| *b == b'\n').count() + 1;
    let annotations = labels.iter().zip(spans).enumerate().map(|(n, (label, span))| {
        let kind = if n == 0 && main { AnnotationKind::Primary } else { AnnotationKind::Context };
        kind.span(span.start - start..span.end - start).label(label.text.as_str())
    });
    Snippet::source(&source.text[start..end]).line_start(line).path(source.name.as_str()).annotations(annotations)
}

/// Bytes of a line that are drawn before and behind what a message is about.
const LONGEST: usize = 2_000;

/// The last place at or before this one that is between two letters.
fn boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The part of a label on its first line: one that runs over a whole body would bury the message in brackets.
fn span(text: &str, label: &Label) -> Range<usize> {
    let fit = |at: u32| boundary(text, at as usize);
    let (start, end) = (fit(label.origin.start), fit(label.origin.end.max(label.origin.start)));
    let line = text[start..end].find('\n').map_or(end, |at| start + at);
    start..start + text[start..line].trim_end().len()
}
