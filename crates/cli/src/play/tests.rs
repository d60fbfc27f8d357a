//! A toy with secrets and a rule to switch, played through the real session.

use std::io::Cursor;

use houserules_kernel::{
    Choice, Decision, Fingerprint, Offer, OpenError, Outcome, Position, QuestionKind, Refusal, RefusalKind, Rulebook,
    SeatId, Shown, ThingView, View, Viewer, Who,
};

use houserules_model::{Mode, RuleKind};
use houserules_record::{Change, Head, Match, RuleState, Running};

use crate::args::Sitter;
use crate::play::session::{Ended, Session};
use crate::seating::Seating;
use crate::terminal::Terminal;

/// Both write a number down at once; the greater wins. A rule forbids the three.
struct Numbers;

#[derive(Clone)]
struct Papers {
    written: [Option<u64>; 2],
    order: Vec<usize>,
    three_allowed: bool,
}

impl Rulebook for Numbers {
    fn name(&self) -> &str {
        "Numbers"
    }
    fn seats(&self) -> Vec<String> {
        vec!["Ann".into(), "Bo".into()]
    }
    fn digest(&self) -> String {
        "numbers".into()
    }
    fn open(&self) -> Result<Box<dyn Position>, OpenError> {
        Ok(Box::new(Papers { written: [None, None], order: Vec::new(), three_allowed: false }))
    }
}

impl Position for Papers {
    fn decision(&self) -> Decision {
        match self.written {
            [Some(ann), Some(bo)] if ann == bo => Decision::Over(Outcome::draw(2)),
            [Some(ann), Some(bo)] => Decision::Over(Outcome::win(SeatId(u8::from(bo > ann)), 2)),
            _ => Decision::Seats {
                asked: (0..2).filter(|&seat| self.written[seat as usize].is_none()).map(SeatId).collect(),
                kind: QuestionKind::Answer,
            },
        }
    }
    fn prompt(&self) -> String {
        "Which number?".into()
    }
    fn choices(&mut self, who: Who) -> Vec<Choice> {
        let Who::Seat(seat) = who else { return Vec::new() };
        self.offers(seat).into_iter().filter(|offer| offer.refused.is_none()).map(|offer| offer.choice).collect()
    }
    fn words(&self, _who: Who, choice: &Choice) -> String {
        format!("write {}", ["none", "one", "two", "three"].get(choice.0[0] as usize).unwrap_or(&"much"))
    }
    fn offers(&mut self, seat: SeatId) -> Vec<Offer> {
        if !self.decision().open_to().contains(&Who::Seat(seat)) {
            return Vec::new();
        }
        let refusal = Refusal { kind: RefusalKind::Law, law: Some("No threes".into()), reason: "No threes".into() };
        let offer = |number: u64| Offer {
            choice: Choice::of(&[number]),
            words: self.words(Who::Seat(seat), &Choice::of(&[number])),
            refused: (number == 3 && !self.three_allowed).then(|| refusal.clone()),
        };
        (1..=3).map(offer).collect()
    }
    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        if !self.choices(who).contains(choice) {
            return Err(Refusal::not_offered("No."));
        }
        let Who::Seat(seat) = who else { return Err(Refusal::not_offered("No.")) };
        self.written[usize::from(seat.0)] = Some(choice.0[0]);
        self.order.push(usize::from(seat.0));
        Ok(())
    }
    fn undo(&mut self) -> bool {
        let Some(seat) = self.order.pop() else { return false };
        self.written[seat] = None;
        true
    }
    fn turn(&self) -> u64 {
        1
    }
    fn view(&mut self, viewer: Viewer) -> View {
        let fact = |seat: usize| ThingView {
            name: ["Ann", "Bo"][seat].into(),
            kind: "player".into(),
            properties: vec![(
                "number".into(),
                match self.written[seat] {
                    Some(number) if viewer == Viewer::All || viewer == Viewer::Seat(SeatId(seat as u8)) => {
                        Shown::Value(number.to_string())
                    }
                    _ => Shown::Hidden,
                },
            )],
            ..ThingView::default()
        };
        View { facts: vec![fact(0), fact(1)], ..View::default() }
    }
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.written.iter().fold(0, |sum, number| sum * 10 + number.unwrap_or(0)))
    }
    fn duplicate(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
    fn said(&self, viewer: Viewer) -> Vec<String> {
        if viewer == Viewer::Seat(SeatId(1)) { vec!["The pen clicks.".into()] } else { Vec::new() }
    }
}

impl Running for Papers {
    fn title(&self) -> String {
        "Numbers".into()
    }
    fn seats(&self) -> Vec<String> {
        Numbers.seats()
    }
    fn position(&mut self) -> &mut dyn Position {
        self
    }
    fn look(&self) -> &dyn Position {
        self
    }
    fn duplicate(&self) -> Box<dyn Running> {
        Box::new(self.clone())
    }
    fn rules(&self) -> Vec<RuleState> {
        let mode = if self.three_allowed { Mode::Off } else { Mode::Enforced };
        vec![RuleState { name: "No threes".into(), kind: RuleKind::Law, mode }]
    }
    fn change(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::Mode { rule, mode } if rule == "No threes" => {
                self.three_allowed = *mode == Mode::Off;
                Ok(())
            }
            Change::Mode { rule, .. } => Err(format!("There is no rule “{rule}”.")),
            _ => Err("No.".into()),
        }
    }
}

fn played(sitters: &[Sitter], typed: &str) -> (Ended, String) {
    played_on(Screen::Paper, sitters, typed)
}

#[derive(PartialEq)]
enum Screen {
    Paper,
    Terminal,
}

fn played_on(screen: Screen, sitters: &[Sitter], typed: &str) -> (Ended, String) {
    let mut shown = Vec::new();
    let mut terminal = Terminal::over(Cursor::new(typed.as_bytes()), &mut shown);
    terminal.interactive = screen == Screen::Terminal;
    let seating = Seating::new(sitters, &Numbers.seats()).unwrap();
    let papers = Papers { written: [None, None], order: Vec::new(), three_allowed: false };
    let now = Match::new(Head::default(), Box::new(papers));
    let ended = Session::new(&mut terminal, now, seating, 1, None).run().unwrap();
    drop(terminal);
    (ended, String::from_utf8(shown).unwrap())
}

#[test]
fn people_at_one_screen_do_not_see_each_others_secrets() {
    let (ended, shown) = played(&[Sitter::Human], "\nwrite two\n\none\nn\n");
    assert_eq!(ended, Ended::Over);
    let (_, of_bo) = shown.split_once("Pass the screen to Bo, then press Enter.").unwrap();
    let (of_bo, at_the_end) = of_bo.split_once("Bo> ").unwrap();
    assert!(of_bo.contains("Ann has chosen.") && of_bo.contains("The pen clicks."), "{of_bo}");
    assert!(of_bo.contains("Ann  number hidden") && !of_bo.contains("Ann: write"), "{of_bo}");
    assert!(at_the_end.contains("Ann  number 2") && at_the_end.contains("Ann wins."), "{at_the_end}");
}

#[test]
fn one_person_needs_not_pass_the_screen_and_is_not_told_what_chance_wrote() {
    let (_, shown) = played(&[Sitter::Random, Sitter::Human], "zero\n");
    assert!(!shown.contains("Pass the screen"), "{shown}");
    assert!(shown.contains("Ann has chosen.") && !shown.contains("Ann: write"), "{shown}");
}

/// A law that is switched off in the middle of a match no longer refuses, and undoing a move leaves it off. Where
/// something is hidden all have to agree.
#[test]
fn a_rule_is_switched_while_playing() {
    let typed = "three\noff Threes\noff No threes\ny\nrules\nthree\nundo\nthree\n";
    let (ended, shown) = played(&[Sitter::Human, Sitter::Random], typed);
    assert_eq!(ended, Ended::NoInput);
    let parts: Vec<&str> = shown.split("Ann> \n").collect();
    assert!(parts[1].contains("write three: Refused by the rule “No threes”."), "{}", parts[1]);
    assert!(parts[2].contains("There is no rule “Threes”."), "{}", parts[2]);
    assert!(parts[3].contains("3  write three"), "{}", parts[3]);
    assert!(parts[4].contains("off  No threes"), "{}", parts[4]);
    assert!(shown.contains("Play again?"), "{shown}");
}

/// [SP-44] The screen is cleared and drawn anew after each choice, and what is wrong is said below it.
#[test]
fn a_terminal_is_cleared_for_each_choice_and_paper_is_not() {
    const CLEAR: &str = "\x1b[2J";
    let typed = "hop\none\nundo\ntwo\n";
    let (_, shown) = played_on(Screen::Terminal, &[Sitter::Human, Sitter::Random], typed);
    let screens: Vec<&str> = shown.split(CLEAR).skip(1).collect();
    assert_eq!(screens.len(), 4, "start, end, start again, end again: {shown}");
    assert!(screens[0].contains("“hop” is no choice here."), "{}", screens[0]);
    assert!(!played(&[Sitter::Human, Sitter::Random], typed).1.contains(CLEAR));
}
