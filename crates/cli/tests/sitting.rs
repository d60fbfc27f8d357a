//! Somebody sits down at the terminal and plays.

#![cfg(unix)]

#[path = "common/pty.rs"]
mod pty;

use std::sync::Mutex;
use std::time::Duration;

use pty::Sitting;

/// How many moves are made in each game.
const MOVES: usize = 5;
/// The slowest game needs a few seconds of it; a computer may have other things to do.
const MOST: Duration = Duration::from_secs(240);

/// [FR-1] Every game of the library is a text that can be begun against level 3 and played for five moves, or to its end.
#[test]
fn every_game_is_played_against_level_three_at_the_terminal() {
    let games = Mutex::new(houserules_library::list());
    std::thread::scope(|scope| {
        let players: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let Some(game) = games.lock().unwrap().pop() else { break };
                        five_moves(&game);
                    }
                })
            })
            .collect();
        players.into_iter().for_each(|player| player.join().unwrap());
    });
}

fn five_moves(game: &str) {
    let mut sitting = Sitting::new(&["play", game, "--seats", "human,level3", "--seed", "1"], MOST);
    let mut n_moves = 0;
    while n_moves < MOVES {
        let shown = sitting.prompt().unwrap_or_else(|| panic!("{game} ended:\n{}", sitting.shown));
        if shown.contains("Play again?") {
            break;
        }
        assert!(shown.contains("to choose:"), "{game}: move {n_moves} was not understood:\n{shown}");
        sitting.type_line("1");
        n_moves += 1;
    }
    if n_moves == MOVES {
        sitting.prompt();
    }
    sitting.type_line("quit");
    let (status, shown) = sitting.end();
    assert!(status.success(), "{game}: {shown}");
}

/// A wrong word costs a line, not the match, and nothing typed is lost.
#[test]
fn what_is_not_understood_is_said_and_asked_again() {
    let mut sitting = Sitting::new(&["play", "tic-tac-toe", "--seats", "human", "--seed", "1"], MOST);
    for (typed, told) in
        [("hop", "“hop” is no choice here."), ("", "X> "), ("(b2", "no choice here"), ("b2", "O to choose")]
    {
        sitting.prompt();
        sitting.type_line(typed);
        let shown = sitting.prompt().unwrap();
        assert!(shown.contains(told), "{typed}: {shown}");
        sitting.type_line("help");
    }
    sitting.prompt();
    sitting.type_line("quit");
    assert!(sitting.end().0.success());
}
