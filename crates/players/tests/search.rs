//! What each player does on games whose truth is known.

use std::collections::BTreeMap;

use houserules_kernel::twin::TicTacToe;
use houserules_kernel::{Choice, Decision, Position, Rulebook, SeatId, Standing, Viewer, Who};
use houserules_library::{Options, find};
use houserules_players::{
    AlphaBeta, AtTheEnd, Defined, Evaluator, Greedy, Level, Limits, Mcts, Player, Random, Recipe, Registry, Settings,
    outcome_value,
};

fn twin() -> TicTacToe {
    TicTacToe::new(3, 3, 3).unwrap()
}

fn game(name: &str, settings: &[(&str, &str)], variants: &[&str]) -> houserules_library::Game {
    let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let variants = variants.iter().map(|&name| name.into()).collect();
    find(name).unwrap().compile(&Options { settings, variants, ..Options::default() }).unwrap()
}

fn asked(position: &dyn Position) -> Who {
    position.decision().open_to()[0]
}

/// The value for seat 0 by plain minimax, of every position that can be reached.
fn minimax(position: &mut dyn Position, known: &mut BTreeMap<u64, f64>) -> f64 {
    let key = position.fingerprint().0;
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let value = match position.decision() {
        Decision::Over(outcome) => outcome_value(&outcome, SeatId(0)),
        decision => {
            let who = decision.open_to()[0];
            let mut values = Vec::new();
            for choice in position.choices(who) {
                position.play(who, &choice).unwrap();
                values.push(minimax(position, known));
                position.undo();
            }
            let pick = if who == Who::Seat(SeatId(0)) { f64::max } else { f64::min };
            values.into_iter().reduce(pick).unwrap()
        }
    };
    known.insert(key, value);
    value
}

/// Calls `each` once in every position that can be reached.
fn everywhere(position: &mut dyn Position, seen: &mut BTreeMap<u64, f64>, each: &mut dyn FnMut(&mut dyn Position)) {
    if seen.insert(position.fingerprint().0, 0.0).is_some() {
        return;
    }
    each(position);
    let Some(&who) = position.decision().open_to().first() else { return };
    for choice in position.choices(who) {
        position.play(who, &choice).unwrap();
        everywhere(position, seen, each);
        position.undo();
    }
}

/// [CF-19] [CF-20] [CF-23] Alpha-beta finds the value of plain minimax and the first best choice, in all positions.
#[test]
fn alpha_beta_equals_minimax_on_all_5478_positions() {
    let mut position = twin().open().unwrap();
    let mut known = BTreeMap::new();
    minimax(&mut *position, &mut known);
    assert_eq!(known.len(), 5478);
    let mut deepening = AlphaBeta::new(1, Limits::depth(9));
    let mut at_once = AlphaBeta::new(1, Limits::depth(9)).at_once();
    everywhere(&mut *position, &mut BTreeMap::new(), &mut |position| {
        let Some(&who) = position.decision().open_to().first() else { return };
        let sign = if who == Who::Seat(SeatId(0)) { 1.0 } else { -1.0 };
        let value = sign * known[&position.fingerprint().0];
        let mut best = Vec::new();
        for choice in position.choices(who) {
            position.play(who, &choice).unwrap();
            if sign * known[&position.fingerprint().0] == value {
                best.push(choice);
            }
            position.undo();
        }
        let thought = at_once.choose(position, who).unwrap();
        assert_eq!((thought.value, &thought.choice), (Some(value), &best[0]));
        let thought = deepening.choose(position, who).unwrap();
        assert_eq!(thought.value, Some(value));
        assert!(best.contains(&thought.choice));
        assert_eq!(thought.line[0], position.words(who, &thought.choice));
    });
}

#[test]
fn a_quick_win_is_taken_and_a_loss_is_put_off() {
    let mut position = played(&twin(), &["place a1", "place a3", "place b1", "place b3"]);
    let who = asked(&*position);
    let thought = AlphaBeta::new(1, Limits::depth(9)).choose(&mut *position, who).unwrap();
    assert_eq!((thought.line, thought.value), (vec!["place c1".to_owned()], Some(1.0)));
    // X threatens two lines; one of them can still be closed, and that lasts longest.
    let mut position = played(&twin(), &["place a1", "place b1", "place b2"]);
    let who = asked(&*position);
    let thought = AlphaBeta::new(1, Limits::depth(9)).choose(&mut *position, who).unwrap();
    assert_eq!((&*thought.line[0], thought.value), ("place c3", Some(-1.0)));
}

fn played(rulebook: &dyn Rulebook, line: &[&str]) -> Box<dyn Position> {
    let mut position = rulebook.open().unwrap();
    for words in line {
        let who = asked(&*position);
        let choice = choice_of(&mut *position, who, words);
        position.play(who, &choice).unwrap();
    }
    position
}

fn choice_of(position: &mut dyn Position, who: Who, words: &str) -> Choice {
    let choices = position.choices(who);
    choices.into_iter().find(|choice| position.words(who, choice) == words).expect(words)
}

/// [CF-24] A win is worth 1, a tie 0, a loss −1, and what is not over nothing.
#[test]
fn the_default_evaluator_knows_only_how_it_ended() {
    let rate = |line: &[&str]| {
        let mut position = played(&twin(), line);
        (AtTheEnd.rate(&mut *position, SeatId(0)), AtTheEnd.rate(&mut *position, SeatId(1)))
    };
    let won = ["place a1", "place a3", "place b1", "place b3", "place c1"];
    assert_eq!(rate(&won), (1.0, -1.0));
    assert_eq!(rate(&won[..4]), (0.0, 0.0));
    let tie = ["b2", "a1", "c3", "c1", "b1", "b3", "a2", "c2", "a3"].map(|cell| format!("place {cell}"));
    assert_eq!(rate(&tie.each_ref().map(String::as_str)), (0.0, 0.0));
}

/// How close each side is to a line: what is open to one and not to the other counts, the more the fuller it is.
#[derive(Clone)]
struct Closeness;

impl Evaluator for Closeness {
    fn evaluate(&mut self, position: &mut dyn Position, seat: SeatId) -> f64 {
        const LINES: [[usize; 3]; 8] =
            [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
        let view = position.view(Viewer::All);
        let marks: Vec<Option<SeatId>> = view.boards[0].cells.iter().map(|cell| cell.mark.seat).collect();
        let worth = |line: &[usize; 3]| {
            let own = line.iter().filter(|&&cell| marks[cell] == Some(seat)).count();
            let others = line.iter().filter(|&&cell| marks[cell].is_some_and(|mark| mark != seat)).count();
            match (own, others) {
                (0, 0) => 0.0,
                (own, 0) => [0.0, 0.01, 0.1][own],
                (0, others) => -[0.0, 0.01, 0.1][others],
                _ => 0.0,
            }
        };
        LINES.iter().map(worth).sum()
    }
}

/// [CF-21] [CF-22] At the cutoff the evaluator decides. [CF-26] Closeness to a line rates what is not over.
#[test]
fn closeness_to_victory_sees_past_the_cutoff() {
    let mut position = twin().open().unwrap();
    let who = asked(&*position);
    let blind = AlphaBeta::new(1, Limits::depth(1)).choose(&mut *position, who).unwrap();
    assert_eq!((&*blind.line[0], blind.value), ("place a1", Some(0.0)));
    let thought = AlphaBeta::new(1, Limits::depth(1)).with_evaluator(Closeness).choose(&mut *position, who).unwrap();
    assert_eq!(thought.line, ["place b2"], "most lines go through the middle");
    assert!(thought.value.unwrap() > 0.0);
    let greedy = Greedy::new(1).with_evaluator(Closeness).choose(&mut *position, who).unwrap();
    assert_eq!((greedy.line, greedy.value), (thought.line, thought.value));
}

/// [CF-27] With its evaluator and a cutoff it looks at far fewer positions than a full search, and does not lose.
#[test]
fn a_cutoff_with_closeness_is_quicker_and_still_does_not_lose() {
    let mut position = twin().open().unwrap();
    let who = asked(&*position);
    let full = AlphaBeta::new(1, Limits::depth(9)).choose(&mut *position, who).unwrap();
    let cut = AlphaBeta::new(1, Limits::depth(3)).with_evaluator(Closeness).choose(&mut *position, who).unwrap();
    assert!(cut.nodes * 5 < full.nodes, "{} and {} positions", cut.nodes, full.nodes);
    let mut specialist = AlphaBeta::new(1, Limits::depth(3)).with_evaluator(Closeness);
    let [_, lost] = duel(&twin(), &mut specialist, &mut Random::new(2), 40);
    assert_eq!(lost, 0);
}

/// A definition supplies its own evaluator.
#[test]
fn the_evaluator_of_a_definition_makes_greed_wise() {
    let sticks = game("sticks", &[], &[]);
    let mut position = sticks.open().unwrap();
    assert_eq!(position.evaluators(), ["Leave a multiple"]);
    let who = asked(&*position);
    let thought = Greedy::new(3).choose(&mut *position, who).unwrap();
    assert_eq!(thought.line, ["1"]);
    let named = Greedy::new(3).with_evaluator(Defined::alone("Leave a multiple"));
    assert_eq!({ named }.choose(&mut *position, who).unwrap().choice, thought.choice);
}

/// [CF-5] Every kind of player can be given an evaluator: those that rate positions play by it, and the others play on.
#[test]
fn every_player_can_be_given_an_evaluator() {
    let game = game("tic-tac-toe", &[], &[]);
    let chosen = |kind: &str, settings: Settings, evaluator: &str| {
        let settings = Settings { evaluator: Some(evaluator.into()), ..settings };
        let recipe = Recipe { kind: kind.into(), settings };
        let mut player = Registry::standard().make(&recipe, 1, None).unwrap();
        let mut position = game.open().unwrap();
        (0..6)
            .map(|_| {
                let who = asked(&*position);
                let choice = player.choose(&mut *position, who).unwrap().choice;
                let words = position.words(who, &choice);
                position.play(who, &choice).unwrap();
                words
            })
            .collect::<Vec<_>>()
    };
    let level = |level: u8| Settings { level: Some(level), ..Settings::default() };
    let depth = Settings { depth: Some(2), ..Settings::default() };
    let nodes = Settings { nodes: Some(60), ..Settings::default() };
    let kinds = [
        ("random", Settings::default(), false),
        ("greedy", Settings::default(), true),
        ("alpha-beta", depth, true),
        ("mcts", nodes, false),
        ("level", level(1), false),
        ("level", level(2), true),
        ("level", level(3), true),
    ];
    let known: std::collections::BTreeSet<&str> = kinds.iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(known.len(), Registry::standard().names().len(), "all kinds");
    for (kind, settings, rates) in kinds {
        let [one, other] = ["closeness", "end"].map(|evaluator| chosen(kind, settings.clone(), evaluator));
        assert_eq!(one != other, rates, "{kind} {settings:?}: {one:?}, {other:?}");
    }
}

/// Players that rate positions take any evaluator, and play by it: one that likes a corner takes it, one that likes the middle
/// takes that. The tree search plays small games out to their end and rates nothing.
#[test]
fn players_that_rate_positions_play_by_the_evaluator_they_are_given() {
    /// Likes one cell, whoever stands there.
    #[derive(Clone)]
    struct Likes(&'static str);
    impl Evaluator for Likes {
        fn evaluate(&mut self, position: &mut dyn Position, seat: SeatId) -> f64 {
            let view = position.view(Viewer::All);
            let cell = view.boards[0].cells.iter().find(|cell| cell.name == self.0).unwrap();
            cell.mark.seat.map_or(0.0, |owner| if owner == seat { 0.9 } else { -0.9 })
        }
    }
    for cell in ["a1", "b2", "c3"] {
        let players: [Box<dyn Player>; 2] = [
            Box::new(Greedy::new(1).with_evaluator(Likes(cell))),
            Box::new(AlphaBeta::new(1, Limits::depth(1)).with_evaluator(Likes(cell))),
        ];
        for mut player in players {
            let mut position = twin().open().unwrap();
            let who = asked(&*position);
            let chosen = player.choose(&mut *position, who).unwrap().choice;
            assert_eq!(position.words(who, &chosen), format!("place {cell}"), "{}", player.name());
        }
    }
}

/// Matches with seats taken in turn: how many the first player won, and how many the other.
fn duel<'a>(rulebook: &dyn Rulebook, one: &'a mut dyn Player, other: &'a mut dyn Player, matches: usize) -> [u32; 2] {
    let mut won = [0, 0];
    for number in 0..matches {
        let mut position = rulebook.open().unwrap();
        let own = SeatId((number % 2) as u8);
        while let Some(&who) = position.decision().open_to().first() {
            let player = if who == Who::Seat(own) { &mut *one } else { &mut *other };
            let choice = player.choose(&mut *position, who).unwrap().choice;
            position.play(who, &choice).unwrap();
        }
        let Decision::Over(outcome) = position.decision() else { unreachable!() };
        match outcome.standing(own) {
            Standing::Won => won[0] += 1,
            Standing::Lost => won[1] += 1,
            Standing::Drew => {}
        }
    }
    won
}

#[test]
fn mcts_beats_random_clearly_and_does_not_lose_tic_tac_toe() {
    let [won, lost] = duel(&twin(), &mut Mcts::new(1, Limits::nodes(300)), &mut Random::new(2), 60);
    assert!(won >= 48 && lost <= 1, "{won} won, {lost} lost of 60");
    let definition = game("tic-tac-toe", &[], &[]);
    let [won, lost] = duel(&definition, &mut Mcts::new(1, Limits::nodes(200)), &mut Random::new(2), 30);
    assert!(won >= 22 && lost <= 1, "{won} won, {lost} lost of 30");
}

/// Where all is certain, the tree says so: a position that is decided is worth exactly 1, 0 or −1.
#[test]
fn mcts_becomes_certain_of_small_games() {
    for (heaps, value) in [(["1", "2", "3"], -1.0), (["1", "1", "3"], 1.0)] {
        let settings = [("heap1", heaps[0]), ("heap2", heaps[1]), ("heap3", heaps[2])];
        let nim = game("nim", &settings, &[]);
        let mut position = nim.open().unwrap();
        let who = asked(&*position);
        let thought = Mcts::new(1, Limits::nodes(20_000)).choose(&mut *position, who).unwrap();
        assert_eq!(thought.value, Some(value), "{heaps:?}");
        assert!(thought.nodes < 20_000);
    }
}

/// Chance and more than two seats: whoever looks ahead gets further than who does not.
#[test]
fn looking_ahead_pays_with_dice_and_several_seats() {
    let race = game("dice-race", &[("length", "6"), ("pawns", "2")], &[]);
    for player in [&mut Mcts::new(1, Limits::nodes(60)) as &mut dyn Player, &mut AlphaBeta::new(1, Limits::depth(1))] {
        let [won, lost] = duel(&race, player, &mut Random::new(2), 40);
        assert!(won > lost, "{}: {won} won, {lost} lost", player.name());
    }
    let found = find("dice-race").unwrap();
    let four = found.compile(&Options { seats: Some(4), ..Options::default() }).unwrap();
    let mut position = four.open().unwrap();
    assert_eq!(four.seats().len(), 4);
    let mut players: Vec<Box<dyn Player>> = vec![
        Box::new(AlphaBeta::new(1, Limits::nodes(300))),
        Box::new(Mcts::new(2, Limits::nodes(20))),
        Box::new(Greedy::new(3)),
        Box::new(Random::new(4)),
    ];
    let mut chance = Random::new(5);
    for _ in 0..60 {
        let Some(&who) = position.decision().open_to().first() else { break };
        let player: &mut dyn Player = match who {
            Who::Seat(seat) => &mut *players[usize::from(seat.0)],
            Who::Nature => &mut chance,
        };
        let choice = player.choose(&mut *position, who).unwrap().choice;
        position.play(who, &choice).unwrap();
    }
}

fn everybody(seed: u64) -> Vec<Box<dyn Player>> {
    let mut players: Vec<Box<dyn Player>> = vec![
        Box::new(Random::new(seed)),
        Box::new(Greedy::new(seed)),
        Box::new(AlphaBeta::new(seed, Limits::depth(3))),
        Box::new(Mcts::new(seed, Limits::nodes(100))),
    ];
    players.extend(Level::ALL.take(6).map(|level| Level::new(level).unwrap().player(seed, None)));
    players
}

/// A player knows no more than its own view: what differs only in secret is answered alike.
#[test]
fn positions_equal_in_a_view_give_equal_choices() {
    let throwing = game("rock-paper-scissors", &[], &["one throw"]);
    let (ann, bo) = (Who::Seat(SeatId(0)), Who::Seat(SeatId(1)));
    for seed in 0..12 {
        let mut chosen = Vec::new();
        for secret in ["rock", "paper", "scissors"] {
            let mut position = throwing.open().unwrap();
            let choice = choice_of(&mut *position, ann, secret);
            position.play(ann, &choice).unwrap();
            let view = position.view(Viewer::Seat(SeatId(1)));
            // Even without a past to look back at.
            position.forget();
            let choices: Vec<Choice> =
                everybody(seed).iter_mut().map(|player| player.choose(&mut *position, bo).unwrap().choice).collect();
            chosen.push((format!("{view:?}"), choices));
        }
        assert!(chosen.iter().all(|this| *this == chosen[0]), "seed {seed}: {chosen:?}");
    }
}

/// [CF-18] Every player plays games of every sort for a while, and equal seeds give equal matches.
#[test]
fn everybody_plays_games_of_every_sort() {
    for name in ["tic-tac-toe", "sticks", "rock-paper-scissors", "awele", "go", "dice-race", "connect-four"] {
        let settings: &[(&str, &str)] = if name == "go" { &[("size", "3")] } else { &[] };
        let play = || {
            // Compiled anew, because what was played before with the same rulebook may change how lots are drawn.
            let rulebook = game(name, settings, &[]);
            let mut players = everybody(7);
            players.truncate(5);
            let mut position = rulebook.open().unwrap();
            for number in 0..12 {
                let Some(&who) = position.decision().open_to().first() else { break };
                let n_players = players.len();
                let thought = players[number % n_players].choose(&mut *position, who).unwrap();
                position.play(who, &thought.choice).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            }
            position.fingerprint()
        };
        assert_eq!(play(), play(), "{name}");
    }
}

#[test]
fn there_are_ten_levels_and_a_higher_one_beats_a_lower_one() {
    assert!({ Level::ALL }.all(|level| Level::new(level).is_some()));
    assert_eq!((Level::new(0), Level::new(11)), (None, None));
    assert_eq!(Level::new(5).unwrap().to_string(), "level5");
    let level = |level, seed| Level::new(level).unwrap().player(seed, None);
    let board = TicTacToe::new(4, 4, 3).unwrap();
    let [won, lost] = duel(&board, &mut *level(6, 1), &mut *level(3, 2), 20);
    assert!(won > lost, "level 6 against 3: {won} to {lost}");
    let [won, lost] = duel(&board, &mut *level(3, 1), &mut *level(1, 2), 20);
    assert!(won > lost + 5, "level 3 against 1: {won} to {lost}");
}

#[test]
fn a_seat_that_is_not_asked_is_told_so() {
    let mut position = twin().open().unwrap();
    for player in &mut everybody(1) {
        assert!(player.choose(&mut *position, Who::Seat(SeatId(1))).is_err());
        assert!(player.choose(&mut *position, Who::Nature).is_err());
    }
}

/// The clock comes from outside; when it says so, a player chooses.
#[test]
fn time_runs_by_the_clock_that_is_handed_in() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;
    let looks = AtomicU64::new(0);
    let clock = Arc::new(move || Duration::from_millis(looks.fetch_add(1, Ordering::Relaxed)));
    let board = TicTacToe::new(6, 6, 5).unwrap();
    let mut position = board.open().unwrap();
    let who = asked(&*position);
    let limits = Limits::default().within(Duration::from_millis(10), clock);
    let thought = Mcts::new(1, limits.clone()).choose(&mut *position, who).unwrap();
    assert_eq!(thought.nodes, 10);
    let thought = AlphaBeta::new(1, limits).choose(&mut *position, who).unwrap();
    assert_eq!(thought.nodes, 640);
}

/// Plies are counted over all matches played out, so that a long game takes no longer than a short one.
#[test]
fn a_limit_of_plies_ends_a_thought_before_the_limit_of_nodes() {
    let board = TicTacToe::new(6, 6, 5).unwrap();
    let mut position = board.open().unwrap();
    let who = asked(&*position);
    let thought = Mcts::new(1, Limits::nodes(1_000).and_plies(600)).choose(&mut *position, who).unwrap();
    // No match has more plies than the board has cells, and none of these is over in fewer than nine.
    assert!((600 / 36..600 / 8).contains(&thought.nodes), "{} matches", thought.nodes);
    let shared = Mcts::new(1, Limits::nodes(1_000).and_plies(600)).on_threads(3);
    assert_eq!(shared.about(), "Plays matches out and prefers what ended well, at most 1000 nodes and 600 plies.");
}

/// Black has the whole board and White passes: nearly everything wins, and a part of the matches is enough to say so.
#[test]
fn a_match_as_good_as_won_is_not_thought_about_at_length() {
    let go = game("go", &[("size", "5")], &[]);
    let mut position = go.open().unwrap();
    let think = |position: &mut dyn Position, nodes| {
        let who = asked(position);
        Mcts::new(1, Limits::nodes(nodes)).choose(position, who).unwrap()
    };
    let open = think(&mut *position, 320);
    assert_eq!(open.nodes, 320, "{:?}", open.value);
    for cell in ["b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4"] {
        for words in [cell, "pass"] {
            let who = asked(&*position);
            let choices = position.choices(who);
            let choice = choices.iter().find(|choice| position.words(who, choice).contains(words)).expect(words);
            position.play(who, choice).unwrap();
        }
    }
    let won = think(&mut *position, 320);
    assert!(won.nodes < 320 && won.value > Some(0.9), "{} matches, {:?}", won.nodes, won.value);
}

/// The tree of one choice is kept for the next: what was learned before counts on top of what is played out now.
#[test]
fn the_tree_is_kept_from_one_choice_to_the_next() {
    let board = TicTacToe::new(5, 5, 4).unwrap();
    let mut position = board.open().unwrap();
    let mut player = Mcts::new(1, Limits::nodes(400));
    let visits = |thought: &houserules_players::Thought| -> u64 {
        thought.considered.iter().map(|considered| considered.visits).sum()
    };
    let who = asked(&*position);
    let first = player.choose(&mut *position, who).unwrap();
    assert_eq!((visits(&first), first.nodes), (400, 400));
    position.play(who, &first.choice).unwrap();
    // The answer that was expected, and the place of the next choice is in the tree.
    let answer = choice_of(&mut *position, Who::Seat(SeatId(1)), &first.line[1]);
    position.play(Who::Seat(SeatId(1)), &answer).unwrap();
    let second = player.choose(&mut *position, who).unwrap();
    assert!(visits(&second) > 400 && second.nodes == 400, "{}", visits(&second));
    // In another match nothing is left of it.
    let mut other = board.open().unwrap();
    let third = player.choose(&mut *other, who).unwrap();
    assert_eq!(visits(&third), 400);
}

/// On several threads the counts are added up, and without a clock everything still follows from the seed.
#[test]
fn several_threads_share_the_work_and_follow_from_the_seed() {
    let board = TicTacToe::new(5, 5, 4).unwrap();
    let think = || {
        let mut position = board.open().unwrap();
        let who = asked(&*position);
        Mcts::new(1, Limits::nodes(600)).on_threads(3).choose(&mut *position, who).unwrap()
    };
    let thought = think();
    assert_eq!((thought.nodes, &thought), (600, &think()));
    assert_eq!(thought.considered.iter().map(|considered| considered.visits).sum::<u64>(), 600);
}

/// [CF-6] Score, material and mobility are read off any game, and a game's own evaluator goes by its name.
#[test]
fn evaluators_are_derived_from_what_a_game_shows() {
    use houserules_players::{Material, Mobility, Recipe, Registry, Score, Settings};
    let othello = game("othello", &[("size", "4")], &[]);
    let mut position = othello.open().unwrap();
    let black = SeatId(0);
    assert_eq!(Material.rate(&mut *position, black), 0.0);
    let who = asked(&*position);
    assert_eq!(who, Who::Seat(black));
    assert!(Mobility.rate(&mut *position, black) > 0.0 && Mobility.rate(&mut *position, SeatId(1)) < 0.0);
    let choice = position.choices(who)[0].clone();
    position.play(who, &choice).unwrap();
    // Four discs to one.
    assert!(Material.rate(&mut *position, black) > 0.3 && Material.rate(&mut *position, SeatId(1)) < -0.3);
    let throwing = game("rock-paper-scissors", &[("goal", "3")], &[]);
    let mut position = throwing.open().unwrap();
    for (seat, words) in [(0, "rock"), (1, "scissors")] {
        let choice = choice_of(&mut *position, Who::Seat(SeatId(seat)), words);
        position.play(Who::Seat(SeatId(seat)), &choice).unwrap();
    }
    assert!(Score.rate(&mut *position, SeatId(0)) > 0.0 && Score.rate(&mut *position, SeatId(1)) < 0.0);
    for name in ["end", "score", "material", "mobility", "discs"] {
        let settings = Settings { evaluator: Some(name.into()), depth: Some(2), ..Settings::default() };
        let recipe = Recipe { kind: "alpha-beta".into(), settings };
        let mut position = othello.open().unwrap();
        let mut player = Registry::standard().make(&recipe, 1, None).unwrap();
        assert!(player.choose(&mut *position, Who::Seat(black)).is_ok(), "{name}");
    }
}

/// [CF-26] [CF-27] Tic-tac-toe ships its evaluator: with it two choices ahead are enough not to lose.
#[test]
fn tic_tac_toe_ships_closeness_to_victory() {
    let definition = game("tic-tac-toe", &[], &[]);
    let mut position = definition.open().unwrap();
    assert_eq!(position.evaluators(), ["closeness"]);
    let who = asked(&*position);
    let thought = AlphaBeta::new(1, Limits::depth(1)).choose(&mut *position, who).unwrap();
    assert_eq!(thought.line, ["place b2"], "most lines go through the middle");
    let [won, lost] = duel(&definition, &mut AlphaBeta::new(1, Limits::depth(2)), &mut Random::new(2), 6);
    assert!(lost == 0 && won >= 4, "{won} won, {lost} lost");
}

/// [CF-3] Every player says what it is in a word and what it does in a sentence.
#[test]
fn everybody_says_what_it_is_and_what_it_does() {
    for player in everybody(1) {
        assert!(!player.name().is_empty() && player.about().ends_with('.'), "{}", player.about());
    }
    let deep = AlphaBeta::new(1, Limits { depth: Some(3), ..Limits::nodes(500) });
    assert_eq!(deep.about(), "Looks ahead choice by choice, at most 3 deep and 500 nodes.");
}
