//! The laws of play find what is wrong with a game: a toy is played well, and then with one fault after another.

use houserules_kernel::{
    By, Choice, Decision, Fingerprint, Generator, Offer, OpenError, Outcome, Position, QuestionKind, Refusal, Rulebook,
    SeatId, Shown, ThingView, View, Viewer, Who, divide, laws, perft,
};

/// What is wrong with the toy.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    AnswersAreSeen,
    ThePromptTells,
    UndoKeepsTheCoin,
    WordsAreEqual,
    AnyNumberIsAccepted,
    NatureHasNothing,
    RandomPlayLovesOne,
    OrderChanges,
    DrawsDependOnHistory,
}

/// Two seats hold up one, two or three fingers at once; then a coin falls; the sum decides, or the coin.
#[derive(Clone)]
struct Fingers(Fault);

#[derive(Clone, Default)]
struct Toy {
    fault: Option<Fault>,
    fingers: [u64; 2],
    coin: u64,
    answered: Vec<Who>,
    listed: std::cell::Cell<u64>,
}

impl Rulebook for Fingers {
    fn name(&self) -> &str {
        "Fingers"
    }
    fn seats(&self) -> Vec<String> {
        vec!["Odd".into(), "Even".into()]
    }
    fn digest(&self) -> String {
        format!("{:?}", self.0)
    }
    fn open(&self) -> Result<Box<dyn Position>, OpenError> {
        Ok(Box::new(Toy { fault: Some(self.0), ..Toy::default() }))
    }
}

impl Toy {
    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }
}

impl Position for Toy {
    fn decision(&self) -> Decision {
        let asked: Vec<SeatId> = (0..2).filter(|&seat| self.fingers[seat as usize] == 0).map(SeatId).collect();
        if !asked.is_empty() {
            return Decision::Seats { asked, kind: QuestionKind::Action };
        }
        match self.answered.last() {
            Some(Who::Nature) => {
                Decision::Over(Outcome::win(SeatId(((self.fingers[0] + self.fingers[1] + self.coin) % 2) as u8), 2))
            }
            _ => Decision::Nature,
        }
    }
    fn prompt(&self) -> String {
        match self.has(Fault::ThePromptTells) {
            true => format!("How many fingers, besides {}?", self.fingers[0] + self.fingers[1]),
            false => "How many fingers?".into(),
        }
    }
    fn choices(&mut self, who: Who) -> Vec<Choice> {
        if !self.decision().open_to().contains(&who) {
            return Vec::new();
        }
        let mut numbers: Vec<u64> = match who {
            Who::Seat(_) => vec![1, 2, 3],
            Who::Nature if self.has(Fault::NatureHasNothing) => vec![],
            Who::Nature => vec![1, 2],
        };
        self.listed.set(self.listed.get() + 1);
        if self.has(Fault::OrderChanges) && self.listed.get().is_multiple_of(2) {
            numbers.reverse();
        }
        numbers.into_iter().map(|number| Choice::of(&[number])).collect()
    }
    fn weight(&self, choice: &Choice) -> u32 {
        choice.0[0] as u32
    }
    fn words(&self, _who: Who, choice: &Choice) -> String {
        if self.has(Fault::WordsAreEqual) { "some".into() } else { format!("{:?}", choice.0) }
    }
    fn offers(&mut self, seat: SeatId) -> Vec<Offer> {
        let who = Who::Seat(seat);
        self.choices(who)
            .into_iter()
            .map(|choice| Offer { words: self.words(who, &choice), choice, refused: None })
            .collect()
    }
    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        let asked = self.decision().open_to().contains(&who);
        let listed = self.choices(who).contains(choice);
        if !asked || !(listed || self.has(Fault::AnyNumberIsAccepted) && !choice.0.is_empty()) {
            return Err(Refusal::not_offered("No."));
        }
        match who {
            Who::Seat(seat) => self.fingers[seat.0 as usize] = choice.0[0],
            Who::Nature => self.coin = choice.0[0],
        }
        self.answered.push(who);
        Ok(())
    }
    fn undo(&mut self) -> bool {
        match self.answered.pop() {
            Some(Who::Seat(seat)) => self.fingers[seat.0 as usize] = 0,
            Some(Who::Nature) if self.has(Fault::UndoKeepsTheCoin) => {}
            Some(Who::Nature) => self.coin = 0,
            None => return false,
        }
        true
    }
    fn turn(&self) -> u64 {
        1
    }
    fn view(&mut self, viewer: Viewer) -> View {
        let all_in = self.fingers.iter().all(|&fingers| fingers > 0);
        let fact = |seat: usize| {
            let may = all_in || viewer == Viewer::Seat(SeatId(seat as u8)) || viewer == Viewer::All;
            let shown = match self.fingers[seat] {
                fingers if may || self.fault == Some(Fault::AnswersAreSeen) => Shown::Value(fingers.to_string()),
                _ => Shown::Hidden,
            };
            ThingView {
                name: seat.to_string(),
                kind: "player".into(),
                properties: vec![("fingers".into(), shown)],
                ..ThingView::default()
            }
        };
        View { facts: vec![fact(0), fact(1)], ..View::default() }
    }
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.fingers[0] * 100 + self.fingers[1] * 10 + self.coin)
    }
    fn duplicate(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
    fn play_random(&mut self, generator: &mut Generator) -> Result<bool, Refusal> {
        let Some(&who) = self.decision().open_to().first() else { return Ok(false) };
        let mut drawn = match who {
            Who::Nature => 1 + generator.below(3).min(1),
            Who::Seat(_) => 1 + generator.below(3),
        };
        if self.has(Fault::RandomPlayLovesOne) && generator.below(4) == 0 {
            drawn = 1;
        }
        if self.has(Fault::DrawsDependOnHistory) {
            static DRAWN: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
            drawn = 1 + DRAWN.fetch_add(1, std::sync::atomic::Ordering::Relaxed) / 2 % 2;
        }
        self.play(who, &Choice::of(&[drawn]))?;
        Ok(true)
    }
}

#[test]
fn a_sound_toy_obeys_all_laws() {
    laws::hold(&Fingers(Fault::None), 7, 200, 10).unwrap();
    let mut position = Fingers(Fault::None).open().unwrap();
    laws::uniform(&mut *position, 7, 3_000).unwrap();
}

#[test]
fn each_fault_is_found_and_named() {
    for (fault, law) in [
        (Fault::AnswersAreSeen, "Seats asked together do not matter to each other before all have answered"),
        (Fault::ThePromptTells, "Who sees the same is asked the same"),
        (Fault::UndoKeepsTheCoin, "Undo restores"),
        (Fault::WordsAreEqual, "Choices have distinct words"),
        (Fault::AnyNumberIsAccepted, "Only listed choices are accepted"),
        (Fault::NatureHasNothing, "A decision is never empty"),
        (Fault::OrderChanges, "The order of choices is fixed"),
        (Fault::DrawsDependOnHistory, "The same seed gives the same match"),
    ] {
        let broken = laws::hold(&Fingers(fault), 7, 50, 10).unwrap_err();
        assert_eq!(broken.law, law, "{fault:?}: {broken}");
    }
}

#[test]
fn a_biased_draw_is_found() {
    let mut position = Fingers(Fault::RandomPlayLovesOne).open().unwrap();
    assert!(laws::uniform(&mut *position, 7, 3_000).is_err());
}

#[test]
fn a_failure_tells_seed_and_moves() {
    let broken = laws::hold(&Fingers(Fault::UndoKeepsTheCoin), 7, 1, 10).unwrap_err();
    let told = broken.to_string();
    assert!(told.contains("seed   7") && told.contains("moves  ["), "{told}");
}

/// Both seats and the coin belong to one ply: three times three answers, two sides.
#[test]
fn answers_given_together_and_chance_are_one_ply() {
    for by in [By::Action, By::Turn] {
        let mut position = Fingers(Fault::None).open().unwrap();
        assert_eq!(perft(&mut *position, 2, by).unwrap(), [18, 0]);
        let parts = divide(&mut *position, 1, by).unwrap();
        assert_eq!((parts.len(), parts[1].0.as_str(), parts[1].1), (18, "[1], [1], [2]", 1));
    }
}
