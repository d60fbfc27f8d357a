//! Players that may not know everything: what they guess, and what they must not know.

use houserules_kernel::{Choice, Decision, Generator, Position, Rulebook, SeatId, Viewer, Who};
use houserules_library::{Options, find};
use houserules_players::{AlphaBeta, Greedy, Limits, Mcts, Player};

fn game(name: &str, settings: &[(&str, &str)], variants: &[&str]) -> houserules_library::Game {
    let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let variants = variants.iter().map(|&name| name.into()).collect();
    find(name).unwrap().compile(&Options { settings, variants, ..Options::default() }).unwrap()
}

fn everybody(seed: u64) -> Vec<Box<dyn Player>> {
    vec![
        Box::new(Greedy::new(seed)),
        Box::new(AlphaBeta::new(seed, Limits::depth(2))),
        Box::new(Mcts::new(seed, Limits::nodes(60))),
        Box::new(Mcts::new(seed, Limits::nodes(60)).on_threads(2)),
    ]
}

fn chosen(position: &mut dyn Position, who: Who, seed: u64) -> Vec<Choice> {
    everybody(seed).iter_mut().map(|player| player.choose(position, who).unwrap().choice).collect()
}

/// Plays by words, whoever is asked.
fn say(position: &mut dyn Position, who: Who, words: &str) {
    let choices = position.choices(who);
    let choice = choices.iter().find(|choice| position.words(who, choice) == words).expect(words);
    position.play(who, choice).unwrap();
}

/// Two fleets that Ann cannot tell apart: all her players shoot alike.
#[test]
fn fleets_that_look_alike_are_shot_at_alike() {
    let sea = game("battleships", &[("size", "4")], &[]);
    let (ann, bo) = (Who::Seat(SeatId(0)), Who::Seat(SeatId(1)));
    let with_fleet = |fleet: usize, shots: usize| {
        let mut position = sea.open().unwrap();
        for nth in 0..2 {
            let own = position.choices(ann)[0].clone();
            position.play(ann, &own).unwrap();
            let others = position.choices(bo);
            position.play(bo, &others[(fleet * 5 + nth) % others.len()].clone()).unwrap();
        }
        // Shots that are told alike for the fleets that are compared, whatever lies elsewhere.
        for _ in 0..shots {
            for who in [ann, bo] {
                let choices = position.choices(who);
                position.play(who, &choices[choices.len() - 1].clone()).unwrap();
            }
        }
        position
    };
    let mut compared = 0;
    for shots in [0, 1] {
        let mut seen: Vec<(String, Vec<Choice>)> = Vec::new();
        for fleet in 0..3 {
            let mut position = with_fleet(fleet, shots);
            let view =
                format!("{:?}{:?}", position.view(Viewer::Seat(SeatId(0))), position.said(Viewer::Seat(SeatId(0))));
            let choices = chosen(&mut *position, ann, 7);
            if let Some((_, known)) = seen.iter().find(|(known, _)| *known == view) {
                assert_eq!(*known, choices);
                compared += 1;
            }
            seen.push((view, choices));
        }
    }
    assert!(compared >= 2, "only {compared} pairs looked alike");
}

/// What lies in other hands is dealt anew: own cards stay, and what is dealt does not depend on how the cards lie.
#[test]
fn cards_face_down_are_dealt_anew_without_looking_at_them() {
    let whist = game("whist", &[], &[]);
    let dealt = |seed: u64| {
        let mut position = whist.open().unwrap();
        let mut generator = Generator::new(seed);
        while position.decision() == Decision::Nature {
            position.play_random(&mut generator).unwrap();
        }
        position
    };
    let mut position = dealt(3);
    let Some(&Who::Seat(seat)) = position.decision().open_to().first() else { panic!("somebody leads") };
    let view = position.view(Viewer::Seat(seat));
    let mut first = position.redeal(seat, &mut Generator::new(1)).expect("three hands lie face down");
    assert_eq!(first.view(Viewer::Seat(seat)), view);
    assert_ne!(first.view(Viewer::All), position.view(Viewer::All));
    // Dealt once more from what was dealt, the same lots give the same cards: the first deal left no trace.
    let again = first.redeal(seat, &mut Generator::new(1)).unwrap();
    assert_eq!(again.fingerprint(), first.fingerprint());
    let who = Who::Seat(seat);
    // The dealt position has the same past in its view, but cannot be taken back to the start: both are guessed from the view.
    position.forget();
    first.forget();
    assert_eq!(chosen(&mut *position, who, 5), chosen(&mut *first, who, 5));
}

/// A hit that did not sink the ship, and water on three sides: the rest of it lies on the fourth, and is shot at next.
#[test]
fn guessing_finds_the_rest_of_a_ship() {
    let sea = game("battleships", &[("size", "4")], &[]);
    let (ann, bo) = (Who::Seat(SeatId(0)), Who::Seat(SeatId(1)));
    let mut position = sea.open().unwrap();
    for (own, other) in [("a1 north", "b2 north"), ("d4 north", "d4 north")] {
        say(&mut *position, ann, own);
        say(&mut *position, bo, other);
    }
    for (shot, answer) in [("b2", "c1"), ("a2", "c2"), ("c2", "c3"), ("b1", "b1")] {
        say(&mut *position, ann, shot);
        say(&mut *position, bo, answer);
    }
    for seed in 0..3 {
        // Bo answers by what he himself sees, one tree for each of his views: that takes more matches than if he saw all.
        let thought = Mcts::new(seed, Limits::nodes(6_000)).choose(&mut *position, ann).unwrap();
        assert_eq!(thought.line, ["b3"], "seed {seed}: {:?}", thought.considered);
        assert!(thought.value.is_some() && thought.nodes == 6_000);
    }
}

/// On the full sea, with one ship sunk and another hit twice: random fleets that agree with all this are too rare to be
/// dealt, but fleets that went astray can be mended.
#[test]
fn a_fleet_is_guessed_after_many_shots() {
    let sea = game("battleships", &[], &[]);
    let (ann, bo) = (Who::Seat(SeatId(0)), Who::Seat(SeatId(1)));
    let mut position = sea.open().unwrap();
    for anchor in ["d5", "f1", "a10", "h6", "j1"] {
        let own = position.choices(ann)[0].clone();
        position.play(ann, &own).unwrap();
        let way = if anchor == "a10" { "east" } else { "north" };
        say(&mut *position, bo, &format!("{anchor} {way}"));
    }
    let shots = ["d5", "c3", "d6", "a5", "d7", "i9", "d8", "d9", "g4", "f1", "e1", "g1", "f2", "e2", "g2"];
    for shot in shots {
        say(&mut *position, ann, shot);
        let choices = position.choices(bo);
        position.play(bo, choices.last().unwrap()).unwrap();
    }
    let thought = Greedy::new(1).choose(&mut *position, ann).unwrap();
    assert_eq!(thought.line, ["f3"], "{:?}", thought.considered);
    let thought = Mcts::new(1, Limits::nodes(200)).choose(&mut *position, ann).unwrap();
    assert_eq!(thought.line, ["f3"], "{:?}", thought.considered);
}

/// Two matches with other fleets that look alike to Ann, played side by side by players that remember: as long as she
/// cannot tell them apart, she does the same in both.
#[test]
fn a_player_that_remembers_guesses_alike_where_it_has_seen_alike() {
    let sea = game("battleships", &[("size", "4")], &[]);
    let (ann, bo) = (Who::Seat(SeatId(0)), Who::Seat(SeatId(1)));
    let seen = |position: &mut dyn Position| {
        let viewer = Viewer::Seat(SeatId(0));
        (position.view(viewer), position.said(viewer), position.decision())
    };
    let mut compared = 0;
    for (one, other) in [(0, 1), (2, 7), (3, 11)] {
        let mut positions = [one, other].map(|fleet| {
            let mut position = sea.open().unwrap();
            for nth in 0..2 {
                let own = position.choices(ann)[nth].clone();
                position.play(ann, &own).unwrap();
                let others = position.choices(bo);
                position.play(bo, &others[(fleet + nth) % others.len()].clone()).unwrap();
            }
            position
        });
        let mut players = [everybody(5), everybody(5)];
        let [one, other] = &mut positions;
        while seen(&mut **one) == seen(&mut **other) && !one.is_over() {
            let [left, right] = &mut players;
            let mut last = None;
            for (left, right) in left.iter_mut().zip(right) {
                let chosen = left.choose(&mut **one, ann).unwrap().choice;
                assert_eq!(chosen, right.choose(&mut **other, ann).unwrap().choice);
                last = Some(chosen);
                compared += 1;
            }
            for position in [&mut **one, &mut **other] {
                position.play(ann, last.as_ref().unwrap()).unwrap();
                if !position.is_over() {
                    let choices = position.choices(bo);
                    position.play(bo, choices.last().unwrap()).unwrap();
                }
            }
        }
    }
    assert!(compared >= 16, "only {compared} choices could be compared");
}

/// A throw that the other has made already stays unknown, whatever it is, with the match behind it or without.
#[test]
fn a_throw_made_at_the_same_time_stays_unknown() {
    let throwing = game("rock-paper-scissors", &[("goal", "2")], &[]);
    let (ann, bo) = (Who::Seat(SeatId(0)), Who::Seat(SeatId(1)));
    let mut answers: Vec<Vec<Choice>> = Vec::new();
    for secret in ["rock", "paper", "scissors"] {
        let mut position = throwing.open().unwrap();
        say(&mut *position, ann, "rock");
        say(&mut *position, bo, "paper");
        say(&mut *position, ann, secret);
        answers.push(chosen(&mut *position, bo, 3));
    }
    assert_eq!((&answers[0], &answers[0]), (&answers[1], &answers[2]));
}
