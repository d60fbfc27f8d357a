use std::path::{Path, PathBuf};

use houserules_kernel::{
    Choice, Decision, Generator, Offer, Outcome, Plies, Position, SeatId, Viewer, Who, has_secrets,
};
use houserules_model::Mode;
use houserules_players::Player;
use houserules_record::{Account, Event, Match, MessageLog, Refused, mode_word};

use crate::clock;
use crate::commands::{name_of, numbered, result};
use crate::draw;
use crate::failure::Failure;
use crate::play::command::{Command, HELP, command};
use crate::play::news::News;
use crate::play::referee::{CONSENT, told};
use crate::play::saved;
use crate::seating::Seating;
use crate::terminal::{self, Terminal};
use crate::thinking::thinks;
use crate::traced;
use crate::typed::{Meaning, by_sign, by_way, meaning, part};

/// Why a session came to an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The match is over and nobody wants another.
    Over,
    /// Another match, please.
    Again,
    Quit,
    /// There is nothing more to read.
    NoInput,
}

/// One match at the terminal.
pub struct Session<'s, 't> {
    pub(super) terminal: &'s mut Terminal<'t>,
    pub(super) running: Match,
    title: String,
    seats: Vec<String>,
    seating: Seating,
    /// Whoever looks ahead, seat by seat.
    players: Vec<Option<Box<dyn Player>>>,
    generator: Generator,
    /// Where the record is kept, if it is.
    file: Option<PathBuf>,
    news: News,
    /// Who looks at the screen, where several people share it.
    looking: Option<SeatId>,
    log: Option<MessageLog>,
    /// Not shown yet.
    traced: Vec<String>,
    /// The game in a few sentences, for those who ask for the rules.
    about: String,
    /// The match is cut after so many choices of seats.
    longest: Option<u64>,
    /// Matches that follow this one without a question.
    to_come: u64,
}

/// Choices beyond so many lines are counted and not shown: the board should stay on the screen.
const MOST_LINES: usize = 10;
/// A match without people stops here; nobody could quit it.
const MOST_CHOICES: usize = 20_000;

impl<'s, 't> Session<'s, 't> {
    pub fn new(
        terminal: &'s mut Terminal<'t>,
        running: Match,
        seating: Seating,
        seed: u64,
        file: Option<PathBuf>,
    ) -> Self {
        let mut generator = Generator::new(seed);
        // Chance goes on from elsewhere than where the match began.
        for _ in 0..running.log().len() {
            generator.below(u64::MAX);
        }
        Session {
            terminal,
            title: running.head().title.clone(),
            seats: running.seats(),
            news: News::new(&seating.humans()),
            players: seating.players(seed),
            seating,
            generator,
            running,
            file,
            looking: None,
            log: None,
            traced: Vec::new(),
            about: String::new(),
            longest: None,
            to_come: 0,
        }
    }

    /// Cuts the match after so many choices of seats.
    pub fn within(mut self, longest: Option<u64>) -> Self {
        self.longest = longest;
        self
    }

    /// So many matches follow this one, whatever people say at its end.
    pub fn before(mut self, to_come: u64) -> Self {
        self.to_come = to_come;
        self
    }

    /// What `rules` tells before it lists them.
    pub fn tell_rules(&mut self, about: &str) {
        self.about = about.to_owned();
    }

    /// Shows what the rules do, from here on.
    pub fn tracing(mut self, wanted: bool) -> Self {
        self.log = wanted.then(|| {
            let mut log = MessageLog::new(&self.running);
            log.catch_up(&self.running);
            log
        });
        self
    }

    fn trace(&mut self) {
        let Some(log) = &mut self.log else { return };
        for (_, told) in log.catch_up(&self.running) {
            let lines = match told {
                Ok(traced) => traced.iter().map(traced::words).collect(),
                Err(reason) => vec![reason],
            };
            self.traced.extend(lines);
        }
    }

    /// What the rules did since it was last shown.
    fn show_trace(&mut self) -> Result<(), Failure> {
        for line in std::mem::take(&mut self.traced) {
            self.terminal.line(&self.terminal.paint.faint(&line))?;
        }
        Ok(())
    }

    pub fn run(mut self) -> Result<Ended, Failure> {
        let ended = self.decisions();
        // What was played is kept, however it ended.
        self.keep()?;
        if let (Ok(_), Some(file)) = (&ended, &self.file) {
            let line = format!("Recorded in {}.", file.display());
            self.terminal.line(&self.terminal.paint.faint(&line))?;
        }
        ended
    }

    fn keep(&mut self) -> Result<(), Failure> {
        if let Some(file) = &self.file {
            saved::save(&self.running.record(), file)?;
        }
        Ok(())
    }

    fn decisions(&mut self) -> Result<Ended, Failure> {
        let mut n_rolls = 0;
        loop {
            self.trace();
            let decision = self.position().decision();
            let asked = decision.open_to();
            n_rolls = if asked == [Who::Nature] { n_rolls + 1 } else { 0 };
            // Rules that roll for ever would never show a board.
            if n_rolls > Plies::MOST_ANSWERS {
                return Err(Failure::Input(Plies::endless().reason));
            }
            let ended = match decision {
                Decision::Over(outcome) => self.over(&outcome)?,
                _ if self.seating.humans().is_empty() && self.running.log().len() >= MOST_CHOICES => {
                    self.terminal.line(&format!("Nobody has won after {MOST_CHOICES} choices; that is enough."))?;
                    Some(Ended::Over)
                }
                _ if self.longest.is_some_and(|longest| self.running.n_moves() as u64 >= longest) => {
                    self.terminal.line(&format!("Cut after {} choices without a result.", self.running.n_moves()))?;
                    Some(if self.to_come > 0 { Ended::Again } else { Ended::Over })
                }
                _ => match asked.iter().find(|&&who| !self.seating.is_human(who)) {
                    Some(&who) => {
                        self.decide(who)?;
                        None
                    }
                    None => match asked.first() {
                        Some(&Who::Seat(seat)) => {
                            let ended = self.person(seat)?;
                            self.keep()?;
                            ended
                        }
                        _ => return Err(Failure::Input("The match is not over, and nobody is asked.".into())),
                    },
                },
            };
            if let Some(ended) = ended {
                return Ok(ended);
            }
        }
    }

    fn position(&mut self) -> &mut dyn Position {
        self.running.position()
    }

    /// The machine decides for a sitter or for Nature.
    fn decide(&mut self, who: Who) -> Result<(), Failure> {
        let player = match who {
            Who::Seat(seat) => self.players.get_mut(usize::from(seat.0)).and_then(Option::as_mut),
            Who::Nature => None,
        };
        match player {
            Some(player) => {
                // Who is no person follows what is only advised, where that leaves anything.
                let strict = self.running.running().strict();
                let mut copy = strict.unwrap_or_else(|| self.running.look().duplicate());
                let thought = player.choose(&mut *copy, who)?;
                // What a player expects could tell what is hidden.
                let told = if has_secrets(&mut *copy) { None } else { thinks(&thought) };
                self.play_unasked(who, &thought.choice)?;
                if let Some(told) = told {
                    self.news.think(&format!("{} {told}", name_of(who, &self.seats)));
                }
                Ok(())
            }
            None => self.draw_lots(who),
        }
    }

    /// A random sitter or Nature decides.
    fn draw_lots(&mut self, who: Who) -> Result<(), Failure> {
        let choices = match self.running.running().strict() {
            Some(mut strict) => strict.choices(who),
            None => self.running.choices(who),
        };
        let weights: Vec<u64> = choices.iter().map(|choice| u64::from(self.position().lot(who, choice))).collect();
        let total: u64 = weights.iter().sum();
        if total == 0 {
            return Err(Failure::Input(format!("{} has nothing to choose from.", name_of(who, &self.seats))));
        }
        let mut at = self.generator.below(total);
        for (choice, weight) in choices.iter().zip(weights) {
            if at < weight {
                return self.play_unasked(who, choice);
            }
            at -= weight;
        }
        unreachable!("a draw below the total weight falls on a choice")
    }

    /// Where the advised rules leave nothing else, nobody objects.
    fn play_unasked(&mut self, who: Who, choice: &Choice) -> Result<(), Failure> {
        if self.running.warnings(who).iter().any(|warning| warning.choice == *choice) {
            self.running.rule_on(who, choice, true, CONSENT).map_err(told)?;
        }
        self.play(who, choice)
    }

    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Failure> {
        let account = Account::of_choice(self.running.position(), who, choice, self.news.viewers());
        match self.running.play(who, choice) {
            Ok(()) => {}
            Err(Refused::Advised(warning)) => {
                self.ruled(who, choice, &warning)?;
                self.running.play(who, choice).map_err(told)?;
            }
            Err(refused) => return Err(told(refused)),
        }
        self.news.add(account.after(self.running.look()), &self.seats);
        Ok(())
    }

    /// A person decides: asks until something has changed.
    fn person(&mut self, seat: SeatId) -> Result<Option<Ended>, Failure> {
        if self.looking != Some(seat)
            && self.must_look_away()
            && let Some(ended) = self.pass_the_screen(seat)?
        {
            return Ok(Some(ended));
        }
        self.looking = Some(seat);
        let who = Who::Seat(seat);
        let choices = self.running.choices(who);
        let words: Vec<String> = choices.iter().map(|choice| self.position().words(who, choice)).collect();
        let shown = self.with_warnings(who, &choices, &words);
        self.show(seat, &shown)?;
        loop {
            let prompt = format!("{}>", self.seats[usize::from(seat.0)]);
            let prompt = self.terminal.paint.seat(Some(seat), &prompt);
            let Some(typed) = self.terminal.ask(&prompt)? else { return Ok(Some(Ended::NoInput)) };
            let exact = words.iter().any(|words| words.eq_ignore_ascii_case(&typed));
            match command(&typed).filter(|_| !exact) {
                Some(Command::Quit) => return Ok(Some(Ended::Quit)),
                Some(Command::Undo) => {
                    if self.undo()? {
                        return Ok(None);
                    }
                }
                Some(Command::Redo) => {
                    if self.redo() {
                        return Ok(None);
                    }
                    self.terminal.line("Nothing was taken back that could be done again.")?;
                }
                Some(Command::Change(change)) => {
                    if self.happen(&Event::Change(change))? {
                        return Ok(None);
                    }
                }
                Some(Command::Hand { entity, statements }) => {
                    if self.happen(&Event::Hand { entity, statements })? {
                        return Ok(None);
                    }
                }
                Some(Command::List) => self.lines(&terminal::columns(&numbered(&shown), terminal::width()))?,
                Some(other) => self.answer(other, seat)?,
                None => match self.meant(seat, &typed, &choices, &words) {
                    Meaning::One(idx) => match self.play(who, &choices[idx]) {
                        Ok(()) => return Ok(None),
                        Err(Failure::Input(message)) => self.warn(&message)?,
                        Err(failure) => return Err(failure),
                    },
                    Meaning::Many(fitting) => self.several(&fitting, &words)?,
                    Meaning::Nothing if typed.is_empty() => {}
                    Meaning::Nothing => self.not_understood(seat, &typed)?,
                },
            }
        }
    }

    /// Whether one of the people at this screen may see something that another one may not. What nobody may see is no
    /// reason to look away.
    fn must_look_away(&mut self) -> bool {
        let people = self.seating.humans();
        if people.len() > 1 && self.running.look().at_once() {
            return true;
        }
        let mut views = people.into_iter().map(|seat| self.running.position().view(Viewer::Seat(seat)));
        let first = views.next();
        views.any(|view| Some(&view) != first.as_ref())
    }

    fn pass_the_screen(&mut self, seat: SeatId) -> Result<Option<Ended>, Failure> {
        self.terminal.clear()?;
        let name = self.seats[usize::from(seat.0)].clone();
        let name = self.terminal.paint.seat(Some(seat), &name);
        loop {
            let Some(typed) = self.terminal.ask(&format!("Pass the screen to {name}, then press Enter."))? else {
                return Ok(Some(Ended::NoInput));
            };
            match command(&typed) {
                _ if typed.is_empty() => return Ok(None),
                Some(Command::Quit) => return Ok(Some(Ended::Quit)),
                // Who typed it may not be the one whose turn it is.
                _ => self.warn(&format!("“{typed}” is not done yet: Enter alone first, then what {name} chooses."))?,
            }
        }
    }

    fn meant(&mut self, seat: SeatId, typed: &str, choices: &[Choice], words: &[String]) -> Meaning {
        let meaning = match meaning(typed, words) {
            Meaning::Nothing => by_sign(typed, words, &self.position().view(Viewer::Seat(seat))),
            meaning => meaning,
        };
        match meaning {
            Meaning::Nothing => by_way(self.position(), Who::Seat(seat), typed, choices, words),
            meaning => meaning,
        }
    }

    fn show(&mut self, seat: SeatId, words: &[String]) -> Result<(), Failure> {
        let paint = self.terminal.paint;
        let viewer = Viewer::Seat(seat);
        let drawn = self.position().view(viewer);
        let drawn = draw::view(&drawn, &self.seats, paint);
        let news = terminal::packed(&self.news.take(viewer), terminal::width().min(80));
        // The question and the line to type on.
        let n_used = drawn.lines().count() + news.len() + 2;
        let room = terminal::height().map_or(usize::MAX, |height| height.saturating_sub(n_used));
        // At least one line is for choices; the blank line goes where the board would lose its first row.
        let (between, room) = if room > 1 { ("\n", room - 1) } else { ("", room) };
        self.terminal.clear()?;
        // On a low screen the board is worth more than its title, and than a list of choices.
        if room > 3 {
            self.terminal.line(&format!("{}\n", paint.strong(&self.title)))?;
        }
        self.terminal.line(&format!("{drawn}{between}"))?;
        self.show_trace()?;
        self.lines(&news)?;
        let prompt = self.position().prompt();
        let name = paint.seat(Some(seat), &self.seats[usize::from(seat.0)]);
        const HINT: &str = "(help: what can be typed)";
        let length = self.seats[usize::from(seat.0)].chars().count() + prompt.chars().count() + HINT.len() + 14;
        let hint = if length <= terminal::width() { paint.faint(HINT) } else { String::new() };
        self.terminal.line(format!("{name} to choose: {prompt}  {hint}").trim_end())?;
        let lines = terminal::columns(&numbered(words), terminal::width());
        let most = (if room > 3 { room - 2 } else { room }).clamp(1, MOST_LINES);
        if lines.len() <= most {
            self.lines(&lines)
        } else {
            self.lines(&lines[..most - 1])?;
            let all = format!("{} choices in all; `list` shows them, and any can be typed.", words.len());
            Ok(self.terminal.line(&paint.faint(&all))?)
        }
    }

    fn lines(&mut self, lines: &[String]) -> Result<(), Failure> {
        for line in lines {
            self.terminal.line(&self.terminal.fitted(line))?;
        }
        Ok(())
    }

    pub(super) fn warn(&mut self, message: &str) -> Result<(), Failure> {
        let message = self.terminal.fitted(message);
        Ok(self.terminal.line(&self.terminal.paint.warning(&message))?)
    }

    /// Commands that change nothing.
    fn answer(&mut self, command: Command, seat: SeatId) -> Result<(), Failure> {
        match command {
            Command::Why(words) => self.why(seat, &words),
            Command::Rules => {
                self.lines(&terminal::wrapped(&self.about.clone(), terminal::width().min(80)))?;
                let rules = self.running.rules();
                if rules.is_empty() {
                    return Ok(self.terminal.line("This game has no rules that can be switched.")?);
                }
                let advised = rules.iter().any(|rule| rule.mode == Mode::Advised);
                for rule in rules {
                    let width = if advised { 7 } else { 3 };
                    self.terminal.line(&format!("{:width$}  {}", mode_word(rule.mode), rule.name))?;
                }
                Ok(())
            }
            Command::Save(path) if path.is_empty() => Ok(self.terminal.line("save FILE: the name is missing.")?),
            Command::Save(_) | Command::Fork(_) if self.running.keeps_secrets() => self.warn(
                "A saved match tells what was chosen in secret, so this one can be saved when it is over. \
                 Begun with `--record FILE`, a match is kept for the whole table from the first move on.",
            ),
            Command::Save(path) => {
                let record = self.running.record();
                self.saved(&record, &path)
            }
            Command::Fork(path) => {
                let mut fork = self.running.fork(&format!("{:016x}", clock::seed()));
                let record = fork.record();
                self.saved(&record, &path)
            }
            Command::Note(text) => {
                let by = self.seats[usize::from(seat.0)].clone();
                self.running.note(&clock::now(), &by, &text);
                Ok(self.terminal.line("Noted.")?)
            }
            Command::Inspect(words) => self.inspect(seat, &words),
            Command::Unclear(what) => Ok(self.terminal.line(what)?),
            _ => Ok(self.terminal.line(HELP)?),
        }
    }

    /// Back to before the last choice of a person; says why where that cannot be.
    fn undo(&mut self) -> Result<bool, Failure> {
        let seating = &self.seating;
        let by_person = |event: &Event| match event {
            Event::Play { who, .. } => seating.is_human(*who),
            _ => true,
        };
        let Some(last) = self.running.steps().rposition(by_person) else {
            self.terminal.line("There is no move of yours to take back.")?;
            return Ok(false);
        };
        let n_steps = self.running.steps().len() - last;
        self.running.undo(u32::try_from(n_steps).unwrap_or(u32::MAX));
        self.news.forget();
        Ok(true)
    }

    /// What a person did, and what others did upon it.
    fn redo(&mut self) -> bool {
        let seating = &self.seating;
        let by_machine = |event: &&Event| matches!(event, Event::Play { who, .. } if !seating.is_human(*who));
        let n_more = self.running.undone().skip(1).take_while(by_machine).count();
        let again = self.running.redo(u32::try_from(1 + n_more).unwrap_or(u32::MAX));
        self.news.forget();
        again > 0
    }

    /// A change of rules or something done by hand; false, and the reason told, where it is refused.
    fn happen(&mut self, event: &Event) -> Result<bool, Failure> {
        let account = Account::of(&mut self.running, event, self.news.viewers());
        let mut changed = self.running.fork("");
        // What does not fit is refused before anybody is asked.
        if changed.apply(event).is_ok()
            && let Some(reason) = self.running.matter_of_consent(event)
            && !self.table_agrees(&reason)?
        {
            self.warn("Not everybody agrees; nothing is changed.")?;
            return Ok(false);
        }
        match self.running.apply(event) {
            Ok(()) => {
                self.news.add(account.after(self.running.look()), &self.seats);
                Ok(true)
            }
            Err(refused) => {
                self.warn(&refused.to_string())?;
                Ok(false)
            }
        }
    }

    fn saved(&mut self, record: &houserules_record::Record, path: &str) -> Result<(), Failure> {
        match saved::save(record, Path::new(path)) {
            Ok(()) => Ok(self.terminal.line(&format!("Saved to {path}."))?),
            Err(message) => self.warn(&message),
        }
    }

    /// The choices in words; those that an advised rule is against say so.
    fn with_warnings(&mut self, who: Who, choices: &[Choice], words: &[String]) -> Vec<String> {
        let warnings = self.running.warnings(who);
        let marked = |(choice, words): (&Choice, &String)| match warnings.iter().find(|found| found.choice == *choice) {
            Some(warning) => format!("{words}  ! {}", warning.rule()),
            None => words.clone(),
        };
        choices.iter().zip(words).map(marked).collect()
    }

    /// What the person may see of everything that fits the words.
    fn inspect(&mut self, seat: SeatId, words: &str) -> Result<(), Failure> {
        let view = self.position().view(Viewer::Seat(seat));
        let wanted = words.to_lowercase();
        let found = houserules_record::seen(&view);
        let lines: Vec<String> = found
            .into_iter()
            .filter(|found| format!("{} {}", found.entity, found.property).to_lowercase().contains(&wanted))
            .map(|found| format!("{} {}: {}", found.entity, found.property, found.value))
            .collect();
        if lines.is_empty() {
            return Ok(self.terminal.line(&format!("There is nothing called “{words}”."))?);
        }
        self.lines(&terminal::columns(&lines, terminal::width()))
    }

    fn several(&mut self, fitting: &[usize], words: &[String]) -> Result<(), Failure> {
        let numbered = numbered(words);
        let fitting: Vec<String> = fitting.iter().map(|&idx| numbered[idx].clone()).collect();
        self.terminal.line("Several choices fit:")?;
        self.lines(&terminal::columns(&fitting, terminal::width()))
    }

    /// A refused choice is told with its reason, as if `?` had been asked.
    fn not_understood(&mut self, seat: SeatId, typed: &str) -> Result<(), Failure> {
        let offers = self.fitting_offers(seat, typed);
        if offers.is_empty() {
            let message =
                format!("“{typed}” is no choice here. Type a number, a choice or a part of it; `help` tells more.");
            return self.warn(&message);
        }
        self.reasons(&offers)
    }

    fn fitting_offers(&mut self, seat: SeatId, typed: &str) -> Vec<Offer> {
        let offers = self.position().offers(seat);
        let words: Vec<String> = offers.iter().map(|offer| offer.words.clone()).collect();
        let meaning = match part(typed, &words) {
            Meaning::Nothing => by_sign(typed, &words, &self.position().view(Viewer::Seat(seat))),
            meaning => meaning,
        };
        match meaning {
            Meaning::One(idx) => vec![offers[idx].clone()],
            Meaning::Many(fitting) => fitting.into_iter().map(|idx| offers[idx].clone()).collect(),
            Meaning::Nothing => Vec::new(),
        }
    }

    fn why(&mut self, seat: SeatId, words: &str) -> Result<(), Failure> {
        let offers = if words.is_empty() {
            self.position().offers(seat).into_iter().filter(|offer| offer.refused.is_some()).collect()
        } else {
            self.fitting_offers(seat, words)
        };
        match (offers.is_empty(), words.is_empty()) {
            (true, true) => Ok(self.terminal.line("Nothing is refused here.")?),
            (true, false) => Ok(self.terminal.line(&format!("Nothing here is called “{words}”."))?),
            _ => self.reasons(&offers),
        }
    }

    /// Choices with the same fate share a line.
    fn reasons(&mut self, offers: &[Offer]) -> Result<(), Failure> {
        let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
        for offer in offers {
            let reason = offer.refused.as_ref().map_or("Allowed.".into(), |refusal| refusal.to_string());
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, words)) => words.push(&offer.words),
                None => reasons.push((reason, vec![&offer.words])),
            }
        }
        for (reason, words) in reasons {
            let more = if words.len() > 8 { format!(" and {} more", words.len() - 8) } else { String::new() };
            let first: Vec<&str> = words.into_iter().take(8).collect();
            self.warn(&format!("{}{more}: {reason}", first.join(", ")))?;
        }
        Ok(())
    }

    /// Shows how it ended; everything may be seen now.
    fn over(&mut self, outcome: &Outcome) -> Result<Option<Ended>, Failure> {
        let paint = self.terminal.paint;
        let drawn = self.position().view(Viewer::All);
        let drawn = draw::view(&drawn, &self.seats, paint);
        self.terminal.clear()?;
        self.terminal.line(&format!("{}\n\n{drawn}\n", paint.strong(&self.title)))?;
        self.show_trace()?;
        let news = self.news.take_rest();
        self.lines(&news)?;
        self.terminal.line(&paint.strong(&result(outcome, &self.seats)))?;
        if self.seating.humans().is_empty() {
            return Ok(Some(Ended::Over));
        }
        if self.to_come > 0 {
            return Ok(Some(Ended::Again));
        }
        loop {
            let Some(typed) = self.terminal.ask("Play again? (y, n, undo, save FILE)")? else {
                return Ok(Some(Ended::NoInput));
            };
            let saving = |command: &Command| matches!(command, Command::Save(_) | Command::Fork(_) | Command::Note(_));
            match (typed.to_lowercase().as_str(), command(&typed)) {
                ("y" | "yes", _) => return Ok(Some(Ended::Again)),
                ("n" | "no" | "", _) | (_, Some(Command::Quit)) => return Ok(Some(Ended::Over)),
                (_, Some(Command::Undo)) if self.undo()? => return Ok(None),
                (_, Some(command)) if saving(&command) => self.answer(command, SeatId(0))?,
                _ => {}
            }
        }
    }
}
