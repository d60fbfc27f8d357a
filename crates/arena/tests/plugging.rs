//! A game, a player and an evaluator that nobody has heard of before, met by the referee as it is.

use houserules_arena::{Arena, MatchFile, Referee, Step, Watcher};
use houserules_kernel::{
    Choice, Decision, Fingerprint, Offer, OpenError, Outcome, Position, QuestionKind, Refusal, Rulebook, SeatId, View,
    Viewer, Who,
};
use houserules_players::{Player, Recipe, Registry, Thought};

/// A heap of stones; each takes one, two or three, and who takes the last one wins.
struct Heap(u64);

#[derive(Clone)]
struct Stones {
    left: u64,
    taken: Vec<u64>,
}

impl Rulebook for Heap {
    fn name(&self) -> &str {
        "Heap"
    }
    fn seats(&self) -> Vec<String> {
        vec!["First".into(), "Second".into()]
    }
    fn digest(&self) -> String {
        format!("heap of {}", self.0)
    }
    fn open(&self) -> Result<Box<dyn Position>, OpenError> {
        Ok(Box::new(Stones { left: self.0, taken: Vec::new() }))
    }
}

impl Stones {
    fn seat(&self) -> SeatId {
        SeatId((self.taken.len() % 2) as u8)
    }
}

impl Position for Stones {
    fn decision(&self) -> Decision {
        match self.left {
            0 => Decision::Over(Outcome::win(SeatId(1 - self.seat().0), 2)),
            _ => Decision::Seats { asked: vec![self.seat()], kind: QuestionKind::Action },
        }
    }
    fn prompt(&self) -> String {
        "How many?".into()
    }
    fn choices(&mut self, who: Who) -> Vec<Choice> {
        let most = if who == Who::Seat(self.seat()) { self.left.min(3) } else { 0 };
        (1..=most).map(|n| Choice::of(&[n])).collect()
    }
    fn words(&self, _who: Who, choice: &Choice) -> String {
        choice.0[0].to_string()
    }
    fn offers(&mut self, seat: SeatId) -> Vec<Offer> {
        let choices = self.choices(Who::Seat(seat)).into_iter();
        choices.map(|choice| Offer { words: choice.0[0].to_string(), choice, refused: None }).collect()
    }
    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        if !self.choices(who).contains(choice) {
            return Err(Refusal::not_offered("So many are not there."));
        }
        self.left -= choice.0[0];
        self.taken.push(choice.0[0]);
        Ok(())
    }
    fn undo(&mut self) -> bool {
        let taken = self.taken.pop();
        self.left += taken.unwrap_or_default();
        taken.is_some()
    }
    fn turn(&self) -> u64 {
        self.taken.len() as u64
    }
    fn view(&mut self, _viewer: Viewer) -> View {
        View { turn: Some(self.seat()), ..View::default() }
    }
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(2 * self.left + u64::from(self.seat().0))
    }
    fn duplicate(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
    fn evaluators(&self) -> Vec<String> {
        vec!["fours".into()]
    }
    /// Who leaves a multiple of four is glad.
    fn evaluate(&mut self, evaluator: &str, seat: SeatId) -> Option<f64> {
        let glad = self.left.is_multiple_of(4) == (self.seat() != seat);
        (evaluator == "fours").then_some(if glad { 1.0 } else { -1.0 })
    }
}

/// Always takes the last of its choices.
struct Last;

impl Player for Last {
    fn name(&self) -> String {
        "last".into()
    }
    fn about(&self) -> String {
        "Takes the last choice.".into()
    }
    fn choose(&mut self, position: &mut dyn Position, who: Who) -> Result<Thought, Refusal> {
        let choice = position.choices(who).pop().ok_or_else(|| Refusal::not_offered("Nothing is left."))?;
        let line = vec![position.words(who, &choice)];
        Ok(Thought { choice, value: None, line, nodes: 0, considered: Vec::new() })
    }
}

/// What was chosen, in words.
#[derive(Default)]
struct Heard(Vec<String>);

impl Watcher for Heard {
    fn played(&mut self, _: &mut dyn Position, step: &Step) {
        self.0.push(step.words.to_owned());
    }
}

fn registry() -> Registry {
    Registry::standard().with("last", "takes the last choice", &[], |_, _, _| Box::new(Last))
}

fn play(rulebook: &dyn Rulebook, recipes: [&str; 2]) -> (Vec<String>, Vec<u8>) {
    let make = |recipe: &str| registry().make(&recipe.parse::<Recipe>().unwrap(), 1, None).unwrap();
    let (mut players, mut heard) = (recipes.map(make).into_iter().collect::<Vec<_>>(), Heard::default());
    let played = Referee { rulebook, seed: 1, longest: 100 }.play(&mut players, &mut heard).unwrap();
    (heard.0, played.outcome.expect("stones run out").ranks.to_vec())
}

/// [CF-1] [CF-31] The referee knows neither: a game written here is played by a player written here, by each other and
/// by those that were there before, whom nobody has told of the game.
#[test]
fn a_new_game_and_a_new_player_are_played_by_what_is_there() {
    assert_eq!(play(&Heap(10), ["last", "last"]), (["3", "3", "3", "1"].map(str::to_owned).to_vec(), vec![2, 1]));
    for kind in ["alpha-beta:12", "mcts:400", "greedy", "level4"] {
        // Ten stones are won by who leaves eight; only who looks at the game can know.
        let (heard, ranks) = play(&Heap(10), [kind, "last"]);
        assert_eq!((heard[0].as_str(), ranks), ("2", vec![1, 2]), "{kind}: {heard:?}");
    }
    let twin = houserules_kernel::twin::TicTacToe::new(3, 3, 3).unwrap();
    assert_eq!(play(&twin, ["last", "last"]).0[..3], ["place c3", "place b3", "place a3"]);
}

/// [CF-30] A file names the board, the players and what they rate by; each is made by whoever is registered under that name.
#[test]
fn board_players_and_evaluators_are_made_by_name() {
    let heard = |text: &str| {
        let arena = Arena::build(MatchFile::parse("duel.toml", text, &registry()).unwrap(), registry()).unwrap();
        let mut players: Vec<Box<dyn Player>> = (0..2).map(|idx| arena.player(idx, 1).unwrap()).collect();
        let mut heard = Heard::default();
        let referee = Referee { rulebook: &*arena.rulebook, seed: 1, longest: 100 };
        referee.play(&mut players, &mut heard).unwrap();
        (arena.rulebook.name().to_owned(), heard.0)
    };
    let file =
        |game: &str, one: &str| format!("game = '{game}'\n[[player]]\nplays = {one}\n[[player]]\nplays = 'last'\n");
    let (name, moves) = heard(&file("tic-tac-toe", "'last'"));
    assert_eq!((name.as_str(), &moves[..2]), ("Tic-tac-toe", &["place c3".to_owned(), "place b3".to_owned()][..]));
    assert_eq!(heard(&file("sticks", "'last'")).0, "21 sticks");
    // The middle lies on most lines; whoever only knows how it ended takes any cell.
    let closeness = heard(&file("tic-tac-toe", "'greedy'\nevaluator = 'closeness'")).1;
    let end = heard(&file("tic-tac-toe", "'greedy'\nevaluator = 'end'")).1;
    assert_eq!(closeness[0], "place b2");
    assert_ne!(end[0], "place b2");
    let told = MatchFile::parse("duel.toml", &file("tic-tac-toe", "'lats'"), &registry()).err().unwrap();
    assert!(told.to_string().contains("Did you mean `last`?"), "{told}");
}
