//! `console`: a game written in BGD, played by typed commands.

mod dump;

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::path::Path;

use dump::Dump;
use houserules_kernel::{Decision, Generator, RefusalKind, Viewer, Who};
use houserules_library::{Bgd, SEATED};
use houserules_model::Budget;
use houserules_record::{Head, Line, LineKind, Match, Record, Refused, Seat, Source, resolve};

use crate::clock;
use crate::failure::Failure;
use crate::games::{self, Found};
use crate::play::saved;

/// Reads commands to their end, or to `Quit`.
pub fn console(out: &mut dyn Write, game: Option<&str>, seed: Option<u64>) -> Result<(), Failure> {
    let mut console = Console {
        out,
        generator: Generator::new(seed.unwrap_or_else(clock::seed)),
        found: None,
        joined: Vec::new(),
        loaded: VecDeque::new(),
        advance: VecDeque::new(),
        refused: Vec::new(),
        now: None,
        over: false,
    };
    if let Some(game) = game {
        console.parse(game)?;
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::Input(format!("The commands cannot be read: {error}.")))?;
        if line.trim() == "Quit" {
            break;
        }
        if let Err(told) = console.command(line.trim()) {
            match told {
                Failure::Input(message) => writeln!(console.out, "{message}")?,
                failure => return Err(failure),
            }
        }
        console.out.flush()?;
    }
    Ok(())
}

struct Console<'a> {
    out: &'a mut dyn Write,
    generator: Generator,
    found: Option<Found>,
    /// Players and who plays them, in the order of turns.
    joined: Vec<(String, String)>,
    /// Lines of a recording that are still to happen.
    loaded: VecDeque<Line>,
    /// Actions that were typed before anybody was asked.
    advance: VecDeque<String>,
    /// What was tried in vain, and after how many lines.
    refused: Vec<(usize, String)>,
    now: Option<Match>,
    over: bool,
}

impl Console<'_> {
    fn command(&mut self, line: &str) -> Result<(), Failure> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => Ok(()),
            ["ParseGame", file] => self.parse(file),
            ["Setup", player, name @ ..] if !name.is_empty() => self.join(player, &name.join(" ")),
            ["Setup", ..] => said("Who plays whom is written `Setup PLAYER NAME`."),
            ["StartGame"] => self.start(),
            ["Action", action @ ..] if !action.is_empty() => match &self.now {
                Some(_) if self.over => said("The game is over."),
                Some(_) => self.act(&action.join(" ")),
                None => {
                    self.advance.push_back(action.join(" "));
                    Ok(())
                }
            },
            ["Actions"] => self.offers(),
            ["Print", "Turn"] => self.print_turn(),
            ["Print", "Game"] => self.print_game(),
            ["Record", "Print"] => {
                let text = self.lines(false)?.join("\n");
                Ok(writeln!(self.out, "{text}")?)
            }
            ["Record", "Print", "Sorted"] => {
                let (actions, draws): (Vec<String>, Vec<String>) = self
                    .lines(false)?
                    .into_iter()
                    .filter(|line| !line.starts_with('S'))
                    .partition(|l| l.starts_with('A'));
                writeln!(self.out, "Actions:")?;
                actions.iter().try_for_each(|line| writeln!(self.out, "{}", &line[2..]))?;
                writeln!(self.out, "Random:")?;
                Ok(draws.iter().try_for_each(|line| writeln!(self.out, "{}", &line[2..]))?)
            }
            ["Record", "Write", file] => self.write(Path::new(file)),
            ["Record", "Load", file] => self.load(Path::new(file)),
            ["Record", "Write"] => said("Please provide a filename."),
            ["Record", "Load"] => said("No file to load specified!"),
            _ => said("Unknown input. There are: ParseGame, Setup, StartGame, Action, Actions, Print, Record, Quit."),
        }
    }

    fn parse(&mut self, file: &str) -> Result<(), Failure> {
        let found = games::find(file)?;
        if found.bgd().is_none() {
            return said(&format!("{file} is not written in BGD; `houserules play {file}` plays it."));
        }
        found.about(&games::Options::default())?;
        self.found = Some(found);
        (self.now, self.over) = (None, false);
        self.joined.clear();
        Ok(())
    }

    fn bgd(&self) -> Result<&Bgd, Failure> {
        let bgd = self.found.as_ref().and_then(Found::bgd);
        bgd.ok_or_else(|| Failure::Input("There is no game yet; `ParseGame FILE` reads one.".into()))
    }

    fn join(&mut self, player: &str, name: &str) -> Result<(), Failure> {
        let list = &self.bgd()?.program().players.list;
        let known = list.iter().find(|known| known.name.text == player);
        if self.now.is_some() {
            return said("Game has already started!");
        }
        match known {
            None => return said(&format!("{player} is not a Player!")),
            Some(known) if !known.human => return said(&format!("{player} is a Computer, and nobody plays it.")),
            Some(_) if self.joined.iter().any(|(taken, _)| taken == player) => {
                return said(&format!("Somebody plays {player} already."));
            }
            Some(_) => self.joined.push((player.to_owned(), name.to_owned())),
        }
        Ok(())
    }

    fn start(&mut self) -> Result<(), Failure> {
        self.bgd()?;
        if self.now.is_some() {
            return said("Game has already started!");
        }
        if self.joined.is_empty() {
            return said("Nobody plays yet; `Setup PLAYER NAME` seats somebody.");
        }
        let names: Vec<&str> = self.joined.iter().map(|(player, _)| player.as_str()).collect();
        let n_humans = self.bgd()?.program().players.list.iter().filter(|player| player.human).count();
        let settings = if n_humans > 1 { vec![(SEATED.to_owned(), names.join(" "))] } else { Vec::new() };
        let seat = |(player, name): &(String, String)| Seat { seat: player.clone(), sitter: name.clone(), at: 0 };
        let head = Head { settings, seats: self.joined.iter().map(seat).collect(), ..Head::default() };
        let found = self.found.as_ref().expect("a game was read");
        self.now = Some(found.start(head, Source::Digest)?);
        self.go_on()
    }

    /// What is left to chance, what was recorded and what was typed in advance, up to the next question.
    fn go_on(&mut self) -> Result<(), Failure> {
        loop {
            let now = self.now.as_mut().expect("a match has begun");
            if let Decision::Over(_) = now.decision() {
                return self.results();
            }
            if let Some(line) = self.loaded.pop_front() {
                let happened = resolve(now, &line.kind);
                let played = happened.and_then(|event| match event {
                    Some(event) => now.apply(&event).map_err(|refused| refused.to_string()),
                    None => Ok(()),
                });
                if let Err(reason) = played {
                    self.loaded.clear();
                    writeln!(self.out, "line {}: {reason}", line.at)?;
                }
                continue;
            }
            if now.decision() == Decision::Nature {
                let choices = now.position().choices(Who::Nature);
                let drawn = choices[self.generator.below(choices.len() as u64) as usize].clone();
                now.play(Who::Nature, &drawn).map_err(|refused| Failure::Input(refused.to_string()))?;
                continue;
            }
            if let Some(action) = self.advance.pop_front() {
                self.prompt()?;
                return self.act(&action);
            }
            return self.prompt();
        }
    }

    fn asked(&mut self) -> Result<(Who, String), Failure> {
        let Some(now) = &self.now else {
            return Err(Failure::Input("The game has not started; `StartGame` does.".into()));
        };
        match now.decision().open_to().first() {
            Some(&Who::Seat(seat)) => Ok((Who::Seat(seat), now.seats()[usize::from(seat.0)].clone())),
            _ => Err(Failure::Input("Nobody is asked.".into())),
        }
    }

    fn prompt(&mut self) -> Result<(), Failure> {
        let (_, name) = self.asked()?;
        Ok(writeln!(self.out, "Choose Action Player: {name}")?)
    }

    fn act(&mut self, words: &str) -> Result<(), Failure> {
        let (_, seat) = self.asked()?;
        let told = self.recognized(words)?;
        let now = self.now.as_mut().expect("a match has begun");
        let line = LineKind::Choice { seat: seat.clone(), words: told.clone() };
        let mut fault = false;
        let played = resolve(now, &line).and_then(|event| match event {
            Some(event) => now.apply(&event).map_err(|refused| {
                fault = matches!(&refused, Refused::Refused(refusal) if refusal.kind == RefusalKind::Fault);
                refused.to_string()
            }),
            None => Ok(()),
        });
        if let Err(reason) = played {
            self.refused.push((now.log().len(), format!("A {seat} {}", self.typed(&told)?)));
            let name = told.split(' ').next().unwrap_or_default();
            writeln!(self.out, "{reason}")?;
            match fault {
                true => writeln!(self.out, "{name} is taken back.")?,
                false => writeln!(self.out, "Unable to perform action {name}. Requirements were not met!")?,
            }
            return match self.advance.pop_front() {
                Some(next) => {
                    self.prompt()?;
                    self.act(&next)
                }
                None => self.prompt(),
            };
        }
        self.go_on()
    }

    /// The words of an action as they are offered, if it is one.
    fn recognized(&self, words: &str) -> Result<String, Failure> {
        let program = self.bgd()?.program();
        let mut parts = words.split_whitespace();
        let name = parts.next().unwrap_or_default();
        let Some(action) = program.actions.iter().find(|action| action.name.text == name) else {
            let known: Vec<&str> = program.actions.iter().map(|action| action.name.text.as_str()).collect();
            return Err(Failure::Input(format!("Actionname not recognized: {name}. There are: {}.", known.join(", "))));
        };
        let values: Vec<&str> = parts.collect();
        if values.len() < action.params.len() {
            return Err(Failure::Input("Not enough arguments supplied!".into()));
        }
        for value in &values {
            if self.typed_value(value, None)?.starts_with("String") {
                return Err(Failure::Input(format!("Could not recognize arguments to variables: {value}.")));
            }
        }
        Ok(format!("{name} {}", values.join(" ")).trim_end().to_owned())
    }

    fn offers(&mut self) -> Result<(), Failure> {
        let (who, _) = self.asked()?;
        let now = self.now.as_mut().expect("a match has begun");
        for choice in now.choices(who) {
            writeln!(self.out, "{}", now.look().words(who, &choice))?;
        }
        Ok(())
    }

    /// Winners first, then losers, each in the order of turns.
    fn results(&mut self) -> Result<(), Failure> {
        self.over = true;
        let now = self.now.as_mut().expect("a match has begun");
        let seats = now.seats();
        let marks = now.running().properties();
        let won = |seat: &String| {
            marks.iter().any(|mark| mark.entity == *seat && mark.property == "Winner" && mark.value == "true")
        };
        writeln!(self.out, "-----Results------")?;
        for seat in seats.iter().filter(|seat| won(seat)) {
            writeln!(self.out, "{seat}: 0, WINNER!")?;
        }
        for seat in seats.iter().filter(|seat| !won(seat)) {
            writeln!(self.out, "{seat}: 0, Loser!")?;
        }
        Ok(())
    }

    fn print_turn(&mut self) -> Result<(), Failure> {
        let (_, seat) = self.asked()?;
        let name = self.joined.iter().find(|(player, _)| *player == seat).map_or("", |(_, name)| name);
        Ok(writeln!(self.out, "It is currently {name}'s Turn ({seat})")?)
    }

    /// Every attribute of everything, and where it lies.
    fn print_game(&mut self) -> Result<(), Failure> {
        let Some(now) = &mut self.now else { return said("The game has not started; `StartGame` does.") };
        let states = now.running().properties();
        let view = now.position().view(Viewer::All);
        let program = self.found.as_ref().and_then(Found::bgd).expect("a game was read").program();
        let known = states.iter().map(|state| ((&*state.entity, &*state.property), &*state.value));
        let text = Dump::new(program, &self.joined, known, &view).text();
        Ok(writeln!(self.out, "{text}")?)
    }

    /// What has happened, line by line; what was refused is a comment.
    fn lines(&mut self, comments: bool) -> Result<Vec<String>, Failure> {
        let Some(now) = &mut self.now else { return Ok(Vec::new()) };
        let record = now.record();
        let mut lines: Vec<String> = if comments {
            self.joined.iter().map(|(player, name)| format!("S {player} {name}")).collect()
        } else {
            Vec::new()
        };
        let mut refused = self.refused.iter().filter(|_| comments).peekable();
        for (at, line) in record.lines.iter().enumerate() {
            while let Some((_, tried)) = refused.next_if(|(after, _)| *after <= at) {
                lines.push(format!("// refused: {tried}"));
            }
            match &line.kind {
                LineKind::Choice { seat, words } => lines.push(format!("A {seat} {}", self.typed(words)?)),
                LineKind::Chance { index, words } => {
                    lines.push(format!("R {index} - {}", self.typed_value(words, None)?));
                }
                _ => {}
            }
        }
        Ok(lines)
    }

    fn write(&mut self, file: &Path) -> Result<(), Failure> {
        saved::is_free(file)?;
        let text: String = self.lines(true)?.iter().map(|line| format!("{line}\r\n")).collect();
        std::fs::write(file, text)
            .map_err(|error| Failure::Input(format!("{} cannot be written: {error}.", file.display())))
    }

    fn load(&mut self, file: &Path) -> Result<(), Failure> {
        if self.now.is_some() {
            return said("Game has already started!");
        }
        let parsed = Record::parse(&games::text(file, Budget::RECORD)?);
        if let Some(fault) = parsed.fault {
            return said(&format!("{}: {fault}", file.display()));
        }
        if self.joined.is_empty() {
            self.joined =
                parsed.record.head.seats.iter().map(|seat| (seat.seat.clone(), seat.sitter.clone())).collect();
        }
        self.loaded = parsed.record.lines.into();
        Ok(writeln!(self.out, "Loading file!")?)
    }

    /// The words of an action with the type of each value.
    fn typed(&self, words: &str) -> Result<String, Failure> {
        let mut parts = words.split_whitespace();
        let name = parts.next().unwrap_or_default().to_owned();
        let program = self.bgd()?.program();
        let action = program.actions.iter().find(|action| action.name.text == name);
        let mut text = name;
        for (at, value) in parts.enumerate() {
            let kind = action.and_then(|action| action.params.get(at)).map(|param| param.kind.text.as_str());
            text += &format!(" {}", self.typed_value(value, kind)?);
        }
        Ok(text)
    }

    fn typed_value(&self, value: &str, kind: Option<&str>) -> Result<String, Failure> {
        Ok(dump::typed(self.bgd()?.program(), &self.joined, value, kind))
    }
}

fn said(message: &str) -> Result<(), Failure> {
    Err(Failure::Input(message.to_owned()))
}
