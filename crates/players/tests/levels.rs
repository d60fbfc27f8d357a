//! How levels compare: none is weaker than the one below it, and none plays worse than chance where dice are hidden.
//!
//! Everything follows from seeds. `cargo xtask strength --ladder` plays many more matches of many more games.

use houserules_kernel::{Decision, Rulebook, SeatId, Standing, Who};
use houserules_library::{Game, Options, enclosed, find};
use houserules_players::{Level, Player};

fn game(name: &str, settings: &[(&str, &str)]) -> Game {
    let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    find(name).unwrap().compile(&Options { settings, ..Options::default() }).unwrap()
}

fn level(level: u8, seed: u64) -> Box<dyn Player> {
    Level::new(level).unwrap().player(seed, None)
}

/// What a level gets against another in so many matches, seats in turn: 2 for each won, 1 for each drawn or cut.
fn points(rulebook: &dyn Rulebook, own_level: u8, against: u8, matches: u64) -> u64 {
    const LONGEST: usize = 300;
    let mut points = 0;
    for number in 0..matches {
        let own = SeatId((number % 2) as u8);
        let (mut one, mut other) = (level(own_level, 2 * number), level(against, 2 * number + 1));
        let mut position = rulebook.open().unwrap();
        for _ in 0..LONGEST {
            let Some(&who) = position.decision().open_to().first() else { break };
            let player = if who == Who::Seat(own) { &mut one } else { &mut other };
            let choice = player.choose(&mut *position, who).unwrap().choice;
            position.play(who, &choice).unwrap();
        }
        points += match position.decision() {
            Decision::Over(outcome) => match outcome.standing(own) {
                Standing::Won => 2,
                Standing::Drew => 1,
                Standing::Lost => 0,
            },
            _ => 1,
        };
    }
    points
}

/// Games with an evaluator and without, short and long, with few choices and with many.
#[test]
fn a_level_is_never_weaker_than_the_one_below_it() {
    let games = [
        ("connect-four", game("connect-four", &[])),
        ("breakthrough", game("breakthrough", &[])),
        ("awele", game("awele", &[])),
        ("hedges", game("hedges", &[("size", "5"), ("hedges", "3")])),
        ("tic-tac-toe", game("tic-tac-toe", &[])),
    ];
    for (name, game) in &games {
        for upper in 2..=4 {
            let matches = 6;
            let points = points(game, upper, upper - 1, matches);
            assert!(points >= matches, "{name}: level {upper} got {points} of {}", 2 * matches);
        }
    }
}

/// On a great board only a dozen matches can be played out: lots, where each choice leads one step on or back. Looking
/// ahead with the evaluator goes straight on.
#[test]
fn a_level_that_can_try_little_looks_ahead_instead() {
    for name in ["hedges", "star-halma"] {
        let game = game(name, &[]);
        for number in 3..=4 {
            let mut position = game.open().unwrap();
            let before = position.evaluate("way", SeatId(0)).unwrap();
            for _ in 0..6 {
                let who = position.decision().open_to()[0];
                let player = if who == Who::Seat(SeatId(0)) { number } else { 1 };
                let thought = level(player, 7).choose(&mut *position, who).unwrap();
                assert!(thought.nodes < 5_000, "{name}: {} positions", thought.nodes);
                position.play(who, &thought.choice).unwrap();
            }
            let after = position.evaluate("way", SeatId(0)).unwrap();
            assert!(after > before + 2.0, "{name}, level {number}: {before} before, {after} after three moves");
        }
    }
}

/// Both throw three dice in secret and outbid each other on how many show a number, until one doubts it.
const BLUFF: &str = r#"
#game "Bluff"
#players "Ann" "Bo"
#turns
#property number 0
#property face 0
#property bidder
#define shown f (sum (count d in (dice of p) where (= d f)) of p in seats)
#model player
  #property dice (list) seen by self
#setup
  (foreach p in seats (set (dice of p) to (roll 6 times 3)))
#action bid with n (range 1 6) f (range 1 6) as "{n} times {f}"
#law "Higher than before" on bid
  (require (or (> n number) (and (= n number) (> f face))) "That is not higher.")
#sideeffect "The bid stands" on bid
  (set number to n)
  (set face to f)
  (set bidder to player)
#action doubt
#law "There is a bid" on doubt
  (require bidder "There is no bid yet.")
#sideeffect "The dice are shown" on doubt
  (if (>= (shown face) number) (win bidder) else (win player))
"#;

fn bluff() -> Game {
    let found = enclosed("bluff.gdl", &[("bluff.gdl".into(), BLUFF.into())]);
    assert!(found.diagnostics.is_empty(), "{}", found.messages(false));
    found.compile(&Options::default()).unwrap()
}

/// Bids over hidden dice are weighed by the own dice and by what the other has bid.
#[test]
fn bids_over_hidden_dice_are_made_better_than_by_chance() {
    let bluff = bluff();
    let matches = 40;
    for upper in [3, 4] {
        let points = points(&bluff, upper, 1, matches);
        assert!(points >= matches * 4 / 3, "level {upper} got {points} of {} against chance", 2 * matches);
    }
}
