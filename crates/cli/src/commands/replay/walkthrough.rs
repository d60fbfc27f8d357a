use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use houserules_kernel::{Decision, SeatId, Viewer, Who, told};
use houserules_record::{Changed, Event, Fault, Happened, LineKind, history, mode_word, resolve, seen};
use houserules_scene::Theme;

use super::{Log, words};
use crate::clock;
use crate::commands::{name_of, result};
use crate::draw;
use crate::failure::Failure;
use crate::picture;
use crate::play::saved::{self, Ready};
use crate::terminal::{self, Terminal};

const HELP: &str = "  Enter, next, next N       on by one line, or by N
  back, back N              back by one, or by N
  N, jump N, start, end     to after line N of the moves
  auto, auto S              plays on by itself, a step every S seconds
  board                     the board again
  choices                   what else could have been chosen here
  changes                   what the last step changed
  seen                      who could see what of it
  as SEAT, as all           looks as this seat from now on
  rules                     the rules in force here
  inspect, inspect THING    the properties of everything
  history THING             what its properties have been
  trace                     what the rules did in the last step
  text FILE, svg FILE       writes the position
  fork FILE                 writes a match that begins like this one, to go on with
  quit                      leaves";

/// A person goes through a record.
pub struct Walkthrough<'a, 't> {
    terminal: &'a mut Terminal<'t>,
    path: PathBuf,
    ready: Ready,
    seats: Vec<String>,
    viewer: Viewer,
    last: Option<Happened>,
    /// The last step in the words that the viewer may hear.
    heard: String,
    /// Why it does not go on from here; told once, below the board.
    end: Option<String>,
}

impl<'a, 't> Walkthrough<'a, 't> {
    pub fn new(terminal: &'a mut Terminal<'t>, path: &Path, mut ready: Ready) -> Self {
        let seats = ready.replay.now().seats();
        let path = path.to_owned();
        Walkthrough { terminal, path, ready, seats, viewer: Viewer::All, last: None, heard: String::new(), end: None }
    }

    pub fn run(mut self) -> Result<(), Failure> {
        self.show()?;
        loop {
            let Some(typed) = self.terminal.ask("replay>")? else { return Ok(()) };
            let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((&typed, ""));
            let rest = rest.trim().trim_matches('"');
            let number = rest.parse::<usize>().ok();
            let at = self.ready.replay.at();
            match (word.to_lowercase().as_str(), number) {
                ("" | "n" | "next" | "step", n) => self.forward(n.unwrap_or(1))?,
                ("b" | "back", n) => self.jump(at.saturating_sub(n.unwrap_or(1)))?,
                ("j" | "jump", Some(n)) => self.jump(n)?,
                ("start", _) => self.jump(0)?,
                ("end", _) => self.jump(usize::MAX)?,
                ("auto", _) => self.auto(rest)?,
                ("board", _) => self.show()?,
                ("choices" | "c", _) => self.choices()?,
                ("changes", _) => self.changes()?,
                ("seen", _) => self.seen()?,
                ("as", _) => self.look_as(rest)?,
                ("rules", _) => self.rules()?,
                ("inspect", _) => self.inspect(rest)?,
                ("history", _) => self.history(rest)?,
                ("trace", _) => self.trace()?,
                ("text" | "svg", _) if !rest.is_empty() => self.export(word == "svg", rest)?,
                ("fork", _) if !rest.is_empty() => self.fork(rest)?,
                ("q" | "quit" | "exit" | "0", _) => return Ok(()),
                ("h" | "help" | "?", _) => self.terminal.line(HELP)?,
                (word, _) => match word.parse::<usize>() {
                    Ok(n) => self.jump(n)?,
                    Err(_) => self.terminal.line(&format!("“{typed}” is not understood; `help` tells what is."))?,
                },
            }
        }
    }

    /// The position, and how it came about.
    fn show(&mut self) -> Result<(), Failure> {
        let paint = self.terminal.paint;
        let replay = &mut self.ready.replay;
        let (at, n) = (replay.at(), replay.len());
        let now = replay.now();
        let title = format!("{}  {at} of {n}", paint.strong(&now.head().title));
        let drawn = draw::view(&now.position().view(self.viewer), &self.seats, paint);
        let decision = now.decision();
        let prompt = now.look().prompt();
        self.terminal.clear()?;
        self.terminal.line(&format!("{title}\n\n{drawn}\n"))?;
        if self.last.is_some() {
            self.terminal.line(&self.heard)?;
        }
        let next = match &decision {
            Decision::Over(outcome) => result(outcome, &self.seats),
            open => {
                let asked: Vec<String> = open.open_to().iter().map(|&who| name_of(who, &self.seats)).collect();
                format!("{} to choose: {prompt}", asked.join(", "))
            }
        };
        self.terminal.line(&paint.faint(&next))?;
        match self.end.take() {
            Some(end) => Ok(self.terminal.line(&end)?),
            None => Ok(()),
        }
    }

    fn forward(&mut self, n: usize) -> Result<(), Failure> {
        for _ in 0..n {
            if !self.step()? {
                break;
            }
        }
        self.show()
    }

    /// One line on; false at the end, and why is told with the board.
    fn step(&mut self) -> Result<bool, Failure> {
        let heard = self.hears();
        match self.ready.replay.step() {
            Ok(Some(happened)) => {
                self.heard = heard.unwrap_or_else(|| words(&happened.line.kind));
                self.last = Some(happened);
                Ok(true)
            }
            Ok(None) => {
                let fault = self.ready.fault.clone();
                self.ends(fault);
                Ok(false)
            }
            Err(fault) => {
                self.ends(Some(fault));
                Ok(false)
            }
        }
    }

    /// What the viewer hears of the next line instead of its words, where it need not see all of it.
    fn hears(&mut self) -> Option<String> {
        let replay = &mut self.ready.replay;
        let line = replay.record().lines.get(replay.at())?.kind.clone();
        let Ok(Some(Event::Play { who, choice, .. })) = resolve(replay.now(), &line) else { return None };
        let own = matches!(who, Who::Seat(seat) if self.viewer == Viewer::Seat(seat));
        if own || self.viewer == Viewer::All {
            return None;
        }
        let name = name_of(who, &self.seats);
        Some(match told(replay.now().position(), self.viewer, who, &choice) {
            Some(words) => format!("{name}: {words}"),
            None => format!("{name} has chosen."),
        })
    }

    fn ends(&mut self, fault: Option<Fault>) {
        self.end = Some(match fault {
            Some(fault) => self.terminal.paint.warning(&format!("{}: {fault}", self.path.display())),
            None => "The record ends here.".into(),
        });
    }

    fn jump(&mut self, n: usize) -> Result<(), Failure> {
        // The last step is taken by itself, so that it can tell what it did.
        let before = n.min(self.ready.replay.len()).saturating_sub(1);
        self.last = None;
        let at = self.ready.replay.jump(before);
        if n == 0 {
            self.ready.replay.jump(0);
        } else if at == before {
            self.step()?;
        } else {
            let fault = self.ready.replay.advance().err();
            self.ends(fault);
        }
        self.show()
    }

    fn auto(&mut self, seconds: &str) -> Result<(), Failure> {
        let seconds = seconds.parse::<f64>().ok().filter(|seconds| (0.0..=60.0).contains(seconds)).unwrap_or(1.0);
        while self.step()? {
            self.show()?;
            // On paper nobody waits.
            if self.terminal.interactive {
                sleep(Duration::from_secs_f64(seconds));
            }
        }
        self.show()
    }

    /// The choices open here, the one that was made marked.
    fn choices(&mut self) -> Result<(), Failure> {
        let replay = &mut self.ready.replay;
        let taken = match replay.record().lines.get(replay.at()).map(|line| line.kind.clone()) {
            Some(LineKind::Choice { words, .. } | LineKind::Chance { words, .. }) => words,
            _ => String::new(),
        };
        let now = replay.now();
        let mut lines = Vec::new();
        for who in now.decision().open_to() {
            let hidden = match self.viewer {
                Viewer::All => false,
                Viewer::Seat(seat) => Who::Seat(seat) != who && !now.position().sees_all(seat),
                Viewer::Public => now.position().view(Viewer::Public) != now.position().view(Viewer::All),
            };
            if hidden {
                lines.push(format!("{}: hidden from this seat", name_of(who, &self.seats)));
                continue;
            }
            for choice in now.choices(who) {
                let words = now.look().words(who, &choice);
                let mark = if words == taken { "→" } else { " " };
                lines.push(format!("{mark} {}: {words}", name_of(who, &self.seats)));
            }
        }
        self.lines(lines, "Nobody can choose anything here.")
    }

    fn changes(&mut self) -> Result<(), Failure> {
        let changed = self.last.as_ref().map(|last| {
            let all = self.viewer == Viewer::All;
            let own = last.seen.iter().find(|(viewer, _)| *viewer == self.viewer);
            if all { last.changed.clone() } else { own.map(|(_, changed)| changed.clone()).unwrap_or_default() }
        });
        let lines = changed.unwrap_or_default().iter().map(Changed::to_string).collect();
        self.lines(lines, "Nothing that shows was changed by the last step.")
    }

    fn seen(&mut self) -> Result<(), Failure> {
        let mut lines = Vec::new();
        for (viewer, changed) in self.last.iter().flat_map(|last| &last.seen) {
            let name = match viewer {
                Viewer::Seat(seat) => name_of(Who::Seat(*seat), &self.seats),
                _ => "without a seat".into(),
            };
            let told: Vec<String> = changed.iter().map(Changed::to_string).collect();
            lines.push(format!("{name}: {}", if told.is_empty() { "nothing".into() } else { told.join("; ") }));
        }
        for line in &lines {
            self.terminal.line(line)?;
        }
        if lines.is_empty() { Ok(self.terminal.line("No step was taken yet.")?) } else { Ok(()) }
    }

    fn look_as(&mut self, name: &str) -> Result<(), Failure> {
        match viewer(name, &self.seats) {
            Ok(viewer) => {
                self.viewer = viewer;
                // What was heard of the last step depends on who looks.
                self.jump(self.ready.replay.at())
            }
            Err(message) => Ok(self.terminal.line(&message)?),
        }
    }

    fn rules(&mut self) -> Result<(), Failure> {
        let rules = self.ready.replay.now().rules();
        let lines = rules.iter().map(|rule| format!("{:7}  {}", mode_word(rule.mode), rule.name)).collect();
        self.lines(lines, "This game has no rules that can be switched.")
    }

    fn inspect(&mut self, wanted: &str) -> Result<(), Failure> {
        let now = self.ready.replay.now();
        let found = match self.viewer {
            Viewer::All => now.running().properties(),
            viewer => seen(&now.position().view(viewer)),
        };
        let wanted = wanted.to_lowercase();
        let lines = found
            .into_iter()
            .filter(|found| format!("{} {}", found.entity, found.property).to_lowercase().contains(&wanted))
            .map(|found| format!("{} {}: {}", found.entity, found.property, found.value))
            .collect();
        self.lines(lines, "There is nothing of that name.")
    }

    fn history(&mut self, wanted: &str) -> Result<(), Failure> {
        if self.viewer != Viewer::All {
            return Ok(self.terminal.line("The whole history is for who may see everything; `as all` does.")?);
        }
        let at = self.ready.replay.at();
        let (known, _) = history(&mut self.ready.replay);
        self.ready.replay.jump(at);
        let wanted = wanted.to_lowercase();
        let lines = known
            .into_iter()
            .filter(|found| format!("{} {}", found.entity, found.property).to_lowercase().contains(&wanted))
            .map(|found| {
                let values: Vec<String> = found
                    .values
                    .iter()
                    .map(|(at, value)| format!("{} ({at})", value.as_deref().unwrap_or("nothing")))
                    .collect();
                format!("{} {}: {}", found.entity, found.property, values.join(" → "))
            })
            .collect();
        self.lines(lines, "There is nothing of that name.")
    }

    /// The log is made by going through the record again up to here.
    fn trace(&mut self) -> Result<(), Failure> {
        if self.viewer != Viewer::All {
            return Ok(self.terminal.line("What the rules did is for who may see everything; `as all` does.")?);
        }
        let replay = &mut self.ready.replay;
        let at = replay.at();
        replay.jump(0);
        let mut log = Log::new(replay);
        let mut told = Vec::new();
        while replay.at() < at {
            let Some(kind) = replay.record().lines.get(replay.at()).map(|line| line.kind.clone()) else { break };
            told = log.next(replay, &kind);
            if !matches!(replay.advance(), Ok(true)) {
                break;
            }
        }
        for line in &told {
            self.terminal.line(line)?;
        }
        if told.is_empty() { Ok(self.terminal.line("The rules did nothing in the last step.")?) } else { Ok(()) }
    }

    fn export(&mut self, as_picture: bool, file: &str) -> Result<(), Failure> {
        let now = self.ready.replay.now();
        let text = match as_picture {
            true => picture::of_match(now, self.viewer, Theme::Light),
            false => {
                let view = now.position().view(self.viewer);
                format!("{}\n", draw::view(&view, &self.seats, crate::paint::Paint::Plain))
            }
        };
        let done = match std::fs::write(file, text) {
            Ok(()) => format!("Written to {file}."),
            Err(error) => format!("{file} cannot be written: {error}."),
        };
        Ok(self.terminal.line(&done)?)
    }

    fn fork(&mut self, file: &str) -> Result<(), Failure> {
        let mut fork = self.ready.replay.now().fork(&format!("{:016x}", clock::seed()));
        let done = match saved::save(&fork.record(), Path::new(file)) {
            Ok(()) => format!("Written to {file}. `houserules play {file}` goes on from here."),
            Err(message) => message,
        };
        Ok(self.terminal.line(&done)?)
    }

    fn lines(&mut self, lines: Vec<String>, nothing: &str) -> Result<(), Failure> {
        if lines.is_empty() {
            return Ok(self.terminal.line(nothing)?);
        }
        for line in terminal::columns(&lines, terminal::width()) {
            self.terminal.line(&line)?;
        }
        Ok(())
    }
}

/// A viewer by the name of the seat, `public` or `all`.
pub(in crate::commands) fn viewer(name: &str, seats: &[String]) -> Result<Viewer, String> {
    match name.to_lowercase().as_str() {
        "all" | "" => Ok(Viewer::All),
        "public" => Ok(Viewer::Public),
        name => match seats.iter().position(|seat| seat.to_lowercase() == name) {
            Some(at) => Ok(Viewer::Seat(SeatId(at as u8))),
            None => Err(format!("There is no seat “{name}”; there are {}, `public` and `all`.", seats.join(", "))),
        },
    }
}
