//! Every game of the library in the tree-walker and the machine at once, and beside a game written by hand.

mod common;

use std::time::{Duration, Instant};

use common::{small, variants};
use houserules_kernel::twin::TicTacToe;
use houserules_kernel::{Generator, Position, Rulebook, Viewer, Who};
use houserules_library::{Options, find, list};
use houserules_machine::lockstep::Lockstep;

/// Matches are played for so long, one at least.
const LONGEST: Duration = Duration::from_millis(200);

/// Plays at most `most` decisions; every difference stops with a panic that tells it.
fn play(game: &Lockstep, seed: u64, most: u32) {
    let mut position = game.open().unwrap();
    let mut random = Generator::new(seed);
    for _ in 0..most {
        let decision = position.decision();
        for viewer in [Viewer::All, Viewer::Public] {
            position.view(viewer);
        }
        let Some(&who) = decision.open_to().first() else { break };
        if let Who::Seat(seat) = who {
            position.offers(seat);
        }
        position.play_random(&mut random).unwrap();
        position.turn();
    }
}

#[test]
fn every_game_and_variant_means_in_the_machine_what_the_walker_says() {
    for name in list() {
        let found = find(&name).unwrap();
        for variants in variants(&found) {
            println!("{name} {variants:?}");
            let chosen = Options { variants, ..small(&name) };
            let game = Lockstep::new(found.definition(), &found.options(&chosen)).unwrap();
            let began = Instant::now();
            for seed in 0..20 {
                play(&game, seed, 40);
                if began.elapsed() > LONGEST {
                    break;
                }
            }
        }
    }
}

fn words(position: &mut dyn Position) -> Vec<String> {
    match position.decision().open_to().first() {
        Some(&who) => {
            let choices = position.choices(who);
            choices.iter().map(|choice| position.words(who, choice)).collect()
        }
        None => Vec::new(),
    }
}

/// [CF-12] [CF-13] The definition of tic-tac-toe and the same game written by hand in Rust cannot be told apart.
#[test]
fn tic_tac_toe_plays_like_the_game_written_by_hand() {
    for (width, height, goal) in [(3, 3, 3), (4, 3, 3), (5, 4, 4)] {
        let by_hand = TicTacToe::new(width, height, goal).unwrap();
        let settings = [("width", width), ("height", height), ("goal", goal)];
        let settings = settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let defined = find("tic-tac-toe").unwrap().compile(&Options { settings, ..Options::default() }).unwrap();
        for seed in 0..300 {
            let mut random = Generator::new(seed);
            let (mut left, mut right) = (by_hand.open().unwrap(), defined.open().unwrap());
            loop {
                assert_eq!(left.decision(), right.decision(), "seed {seed}");
                let choices = words(&mut *left);
                assert_eq!(choices, words(&mut *right), "seed {seed}");
                let Some(&who) = left.decision().open_to().first() else { break };
                let at = random.below(choices.len() as u64) as usize;
                for position in [&mut left, &mut right] {
                    let choice = position.choices(who)[at].clone();
                    position.play(who, &choice).unwrap();
                }
            }
        }
    }
}
