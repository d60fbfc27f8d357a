//! Small games solved, and others refused with a reason.

use std::sync::atomic::AtomicBool;

use houserules_kernel::Rulebook;
use houserules_kernel::twin::TicTacToe;
use houserules_library::{Options, find};
use houserules_players::{Progress, Solution, Solver, Unsolved};

fn game(name: &str, settings: &[(&str, &str)], variants: &[&str]) -> houserules_library::Game {
    let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let variants = variants.iter().map(|&name| name.into()).collect();
    find(name).unwrap().compile(&Options { settings, variants, ..Options::default() }).unwrap()
}

fn solve(rulebook: &dyn Rulebook) -> Result<Solution, Unsolved> {
    Solver::new().with_memory(8 << 20).solve(&mut *rulebook.open().unwrap(), rulebook.seats().len())
}

fn check(rulebook: &dyn Rulebook, value: i8) -> Solution {
    let solution = solve(rulebook).unwrap_or_else(|unsolved| panic!("{}: {unsolved}", rulebook.name()));
    assert_eq!(solution.value, [value, -value], "{}", rulebook.name());
    solution
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let twin = check(&TicTacToe::new(3, 3, 3).unwrap(), 0);
    let definition = check(&game("tic-tac-toe", &[], &[]), 0);
    assert_eq!((definition.line.len(), twin.line.len()), (9, 9));
    assert!(definition.remembered > 0 && definition.nodes >= definition.remembered as u64);
}

#[test]
fn the_first_of_21_sticks_wins_by_taking_one_and_loses_the_other_way_round() {
    assert_eq!(check(&game("sticks", &[], &[]), 1).line[0], "1");
    check(&game("sticks", &[], &["misere"]), -1);
    for (sticks, value) in [("1", 1), ("4", -1), ("8", -1), ("9", 1), ("20", -1)] {
        check(&game("sticks", &[("sticks", sticks)], &[]), value);
    }
    for (sticks, value) in [("1", -1), ("2", 1), ("5", -1), ("17", -1), ("20", 1)] {
        check(&game("sticks", &[("sticks", sticks)], &["misere"]), value);
    }
}

#[test]
fn nim_goes_by_the_sum_of_the_heaps_without_carrying() {
    let nim = |heaps: [u32; 3]| {
        let heaps = heaps.map(|heap| heap.to_string());
        game("nim", &[("heap1", &heaps[0]), ("heap2", &heaps[1]), ("heap3", &heaps[2])], &[])
    };
    for heaps in [[1, 2, 3], [3, 4, 5], [2, 2, 0], [1, 4, 5], [0, 0, 7], [2, 4, 6]] {
        check(&nim(heaps), if heaps[0] ^ heaps[1] ^ heaps[2] == 0 { -1 } else { 1 });
    }
    check(&game("nim", &[], &["four heaps"]), -1);
}

/// However little is remembered, the answer is the same.
#[test]
fn a_small_table_gives_the_same_value_with_more_work() {
    let board = TicTacToe::new(3, 3, 3).unwrap();
    let solve = |bytes| Solver::new().with_memory(bytes).solve(&mut *board.open().unwrap(), 2).unwrap();
    let (small, large) = (solve(1024), solve(1 << 20));
    assert_eq!(small.value, large.value);
    assert!(small.remembered <= 64 && small.nodes > large.nodes);
}

#[test]
fn the_line_is_played_as_well_as_can_be() {
    let nim = game("nim", &[], &[]);
    let solution = check(&nim, 1);
    let mut position = nim.open().unwrap();
    for words in &solution.line {
        let who = position.decision().open_to()[0];
        let choices = position.choices(who);
        let choice = choices.iter().find(|choice| position.words(who, choice) == *words).unwrap().clone();
        position.play(who, &choice).unwrap();
    }
    assert!(position.decision().is_over());
}

#[test]
fn what_cannot_be_solved_is_refused_with_a_reason() {
    let reason = |rulebook: &dyn Rulebook| match solve(rulebook) {
        Err(Unsolved::NotForThis(reason)) => reason,
        other => panic!("{other:?}"),
    };
    assert!(reason(&game("dice-race", &[], &[])).starts_with("Chance plays a part"));
    assert!(reason(&game("rock-paper-scissors", &[], &[])).starts_with("Several seats choose at once"));
    let found = find("dice-race").unwrap();
    let four = found.compile(&Options { seats: Some(4), ..Options::default() }).unwrap();
    assert!(reason(&four).starts_with("There are 4 seats"));
}

#[test]
fn it_tells_how_far_it_is_and_can_be_stopped() {
    let board = TicTacToe::new(5, 5, 5).unwrap();
    let stop = AtomicBool::new(false);
    let mut told: Vec<Progress> = Vec::new();
    let solver = Solver::new().with_memory(1 << 20).until(&stop).with_progress(|progress| {
        told.push(progress);
        stop.store(told.len() == 3, std::sync::atomic::Ordering::Relaxed);
    });
    let solved = solver.solve(&mut *board.open().unwrap(), 2);
    assert!(matches!(solved, Err(Unsolved::Interrupted(_))), "{solved:?}");
    assert_eq!(told.len(), 3);
    assert!(told[2].nodes > told[0].nodes && told[2].remembered <= told[2].room);
}

/// Computed for each of these boards, as for Connect Four on four by four, in published tables.
#[test]
fn small_boards_of_the_classics_are_solved() {
    let four = |name| game(name, &[("width", "4"), ("height", "4")], &[]);
    assert_eq!(check(&four("connect-four"), 0).line.len(), 16);
    check(&game("othello", &[("size", "4")], &[]), -1);
    for (width, value) in [("1", 0), ("2", 0), ("3", 1)] {
        let line = [("width", width), ("height", "1"), ("komi", "0")];
        check(&game("go", &line, &[]), value);
    }
}

/// The first wins on every board without the swap, and exactly with these first moves.
#[test]
fn all_winning_openings_of_small_hex_are_found() {
    for (size, winning) in [("1", &["a1"][..]), ("2", &["a2", "b1"]), ("3", &["a2", "a3", "b2", "c1", "c2"])] {
        let hex = game("hex", &[("size", size)], &[]);
        check(&hex, 1);
        let mut position = hex.open().unwrap();
        let who = position.decision().open_to()[0];
        let mut won = Vec::new();
        for choice in position.choices(who) {
            let words = position.words(who, &choice);
            position.play(who, &choice).unwrap();
            if Solver::new().with_memory(8 << 20).solve(&mut *position, 2).unwrap().value[0] == 1 {
                won.push(words);
            }
            position.undo();
        }
        won.sort();
        assert_eq!(won, winning, "{size}");
    }
}

/// As a second opinion, Kalah by hand in a few lines: seeds of both sides with their stores behind them, mover first.
fn kalah(own: &[u8], other: &[u8]) -> i8 {
    let n = own.len() - 1;
    let mut best = -1;
    for hole in (0..n).filter(|&hole| own[hole] > 0) {
        // Own holes, own store and the other's holes; the other's store is skipped.
        let mut ring: Vec<u8> = own.iter().chain(&other[..n]).copied().collect();
        let seeds = usize::from(std::mem::take(&mut ring[hole]));
        let round = ring.len();
        (1..=seeds).for_each(|step| ring[(hole + step) % round] += 1);
        let last = (hole + seeds) % round;
        let across = 2 * n - last.min(2 * n);
        if last < n && ring[last] == 1 && ring[across] > 0 {
            ring[n] += ring[last] + ring[across];
            (ring[last], ring[across]) = (0, 0);
        }
        let (own, holes) = ring.split_at(n + 1);
        let other: Vec<u8> = holes.iter().chain(&other[n..]).copied().collect();
        let empty = |side: &[u8]| side[..n].iter().all(|&seeds| seeds == 0);
        let sum = |side: &[u8]| side.iter().map(|&seeds| i16::from(seeds)).sum::<i16>();
        let value = match (empty(own) || empty(&other), last == n) {
            (true, _) => (sum(own) - sum(&other)).signum() as i8,
            (false, true) => kalah(own, &other),
            (false, false) => -kalah(&other, own),
        };
        best = best.max(value);
    }
    best
}

#[test]
fn small_boards_of_kalah_are_solved_as_by_hand() {
    for (holes, seeds) in [(2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (4, 1)] {
        let side: Vec<u8> = std::iter::repeat_n(seeds, holes).chain([0]).collect();
        let settings = [("holes", &*holes.to_string()), ("seeds", &*seeds.to_string())];
        check(&game("kalah", &settings, &[]), kalah(&side, &side));
    }
}
