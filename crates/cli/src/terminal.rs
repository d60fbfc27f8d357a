//! The screen and the keyboard, as little of them as is needed.

use std::io::{self, BufRead, IsTerminal, Write};

use crate::paint::Paint;

/// Where a person reads and types: a terminal, or a file and a pipe in tests.
pub struct Terminal<'a> {
    input: Box<dyn BufRead + 'a>,
    output: Box<dyn Write + 'a>,
    pub paint: Paint,
    /// Both ends are a terminal: the screen may be cleared.
    pub interactive: bool,
}

impl Terminal<'_> {
    pub fn standard() -> Terminal<'static> {
        Terminal {
            input: Box::new(io::stdin().lock()),
            output: Box::new(io::stdout().lock()),
            paint: Paint::for_stdout(),
            interactive: io::stdin().is_terminal() && io::stdout().is_terminal(),
        }
    }

    /// Reads and writes elsewhere, without colour: for tests.
    pub fn over<'a>(input: impl BufRead + 'a, output: impl Write + 'a) -> Terminal<'a> {
        Terminal { input: Box::new(input), output: Box::new(output), paint: Paint::Plain, interactive: false }
    }

    pub fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    /// Sentences, broken between words where the screen ends. Lines laid out in columns stay as they are.
    pub fn fitted(&self, text: &str) -> String {
        if !self.interactive {
            return text.to_owned();
        }
        let fit = |line: &str| match line.contains("  ") || line.chars().count() <= width() {
            true => line.to_owned(),
            false => wrapped(line, width()).join("\n"),
        };
        text.lines().map(fit).collect::<Vec<_>>().join("\n")
    }

    /// Asks and waits for a line; `None` when there is nothing more to read.
    pub fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.output, "{prompt} ")?;
        self.output.flush()?;
        let mut bytes = Vec::new();
        // Read as bytes, because a stray byte that is no text should get an answer and not end the match.
        let n_read = self.input.read_until(b'\n', &mut bytes)?;
        if n_read == 0 {
            writeln!(self.output)?;
            return Ok(None);
        }
        if !self.interactive {
            // Nobody typed the line break that a terminal would show.
            writeln!(self.output)?;
        }
        Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
    }

    pub fn clear(&mut self) -> io::Result<()> {
        if self.interactive {
            write!(self.output, "\x1b[2J\x1b[3J\x1b[H")?;
        }
        Ok(())
    }
}

/// How many characters fit on a line.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)).clamp(20, 200)
}

/// How many lines fit on the screen, if it is one.
pub fn height() -> Option<usize> {
    terminal_size::terminal_size().map(|(_, height)| usize::from(height.0))
}

/// Short lines, several on one where they fit: a roll of dice is not worth a line of its own.
pub fn packed(lines: &[String], width: usize) -> Vec<String> {
    const BETWEEN: &str = " · ";
    let mut packed: Vec<String> = Vec::new();
    for line in lines {
        match packed.last_mut() {
            Some(last) if last.chars().count() + BETWEEN.len() + line.chars().count() <= width => {
                last.push_str(BETWEEN);
                last.push_str(line);
            }
            _ => packed.push(line.clone()),
        }
    }
    packed
}

/// A paragraph in lines of at most so many characters, as far as its words allow.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A paragraph behind a head that takes `indent` characters, its further lines below its first one. What is read by
/// another program stays on one line.
pub fn hanging(head: &str, indent: usize, text: &str) -> String {
    let lines = match height() {
        Some(_) => wrapped(text, width().saturating_sub(indent).max(20)),
        None => vec![text.to_owned()],
    };
    format!("{head}{}", lines.join(&format!("\n{}", " ".repeat(indent)))).trim_end().to_owned()
}

/// Entries in as many columns as fit, read downwards.
pub fn columns(entries: &[String], width: usize) -> Vec<String> {
    let widest = entries.iter().map(|entry| entry.chars().count()).max().unwrap_or(0);
    let n_columns = ((width + 2) / (widest + 2)).clamp(1, entries.len().max(1));
    let n_rows = entries.len().div_ceil(n_columns);
    (0..n_rows)
        .map(|row| {
            let cells = entries.iter().skip(row).step_by(n_rows).map(|entry| format!("{entry:widest$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}
