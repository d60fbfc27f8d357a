//! Laws of play for scenes, on random matches of every game of the library and for every viewer.

use houserules_kernel::{Decision, Generator, Position, Rulebook, SeatId, View, Viewer};
use houserules_library::{Options, find, list, list_bgd};
use houserules_scene::{Scene, Sight, diff, draw, faults};

/// Matches of each game; `HOUSERULES_MATCHES=2000` plays more.
fn n_matches() -> u64 {
    std::env::var("HOUSERULES_MATCHES").ok().and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// All games of the library, or the one that is asked for.
fn games() -> Vec<String> {
    let only = std::env::var("HOUSERULES_GAME").ok();
    list().into_iter().chain(list_bgd()).filter(|name| only.as_ref().is_none_or(|only| only == name)).collect()
}

/// Steps of a match that are followed.
const STEPS: usize = 60;

fn viewers(n_seats: usize) -> Vec<Viewer> {
    let seats = (0..n_seats).map(|seat| Viewer::Seat(SeatId(seat as u8)));
    seats.chain([Viewer::Public, Viewer::All]).collect()
}

fn scene(position: &mut dyn Position, seats: &[String], viewer: Viewer, before: Option<View>) -> Scene {
    draw(&Sight::of(position, seats, viewer, before))
}

/// Changes applied to what was drawn give what is drawn from nothing, forwards and back; nothing lies outside, and no
/// two cells lie over each other.
#[test]
fn changes_give_the_scene_that_is_drawn_from_nothing() {
    for name in list() {
        let game = find(&name).unwrap().compile(&Options::default()).unwrap();
        let seats = game.seats();
        for seed in 0..n_matches() {
            let mut generator = Generator::new(seed);
            let mut position = game.open().unwrap();
            let mut followed: Vec<Option<Scene>> = vec![None; seats.len() + 2];
            for step in 0..STEPS {
                if !position.play_random(&mut generator).unwrap() {
                    break;
                }
                // Now and then something is taken back, and other things are played.
                if generator.below(7) == 0 {
                    for _ in 0..generator.below(3) {
                        position.undo();
                    }
                }
                for (viewer, followed) in viewers(seats.len()).into_iter().zip(&mut followed) {
                    let before = Sight::before(&*position, viewer);
                    let drawn = scene(&mut *position, &seats, viewer, before);
                    if let Some(followed) = followed {
                        let changes = diff(followed, &drawn);
                        followed.apply(&changes).unwrap();
                        assert!(*followed == drawn, "{name}, seed {seed}, step {step}, {viewer:?}");
                        assert!(diff(followed, &drawn).is_empty());
                    }
                    let wrong = faults(&drawn);
                    assert!(wrong.is_empty(), "{name}, seed {seed}, step {step}, {viewer:?}: {wrong:?}");
                    *followed = Some(drawn);
                }
            }
        }
    }
}

/// A scene is the same when only what its viewer may not see is another.
#[test]
fn a_scene_is_unchanged_when_only_hidden_things_differ() {
    let (mut n_differ, games) = (0, games());
    for name in &games {
        let game = find(name).unwrap().compile(&Options::default()).unwrap();
        let seats = game.seats();
        for seed in 0..n_matches() {
            let mut generator = Generator::new(seed);
            let mut position = game.open().unwrap();
            // A pack is shuffled card by card before anything can be hidden from anybody.
            for step in 0..4 * STEPS {
                if !position.play_random(&mut generator).unwrap() {
                    break;
                }
                let seat = SeatId(generator.below(seats.len() as u64) as u8);
                if step % 3 != 0 || matches!(position.decision(), Decision::Nature) || position.sees_all(seat) {
                    continue;
                }
                let Some(mut other) = position.redeal(seat, &mut generator) else { continue };
                let everything = |position: &mut dyn Position| scene(position, &seats, Viewer::All, None);
                n_differ += u32::from(everything(&mut *position) != everything(&mut *other));
                let own = |position: &mut dyn Position| scene(position, &seats, Viewer::Seat(seat), None);
                assert!(own(&mut *position) == own(&mut *other), "{name}, seed {seed}, step {step}, {seat:?}");
            }
        }
    }
    println!("{n_differ} positions differed in nothing but what is hidden");
    assert!(n_differ > 5 || games.len() < list().len(), "only {n_differ} positions differed in what is hidden");
}

/// Every choice of a seat can be made by pointing at something that is drawn, or by its words.
#[test]
fn every_choice_can_be_made_on_the_screen() {
    for name in list() {
        let game = find(&name).unwrap().compile(&Options::default()).unwrap();
        let seats = game.seats();
        let mut generator = Generator::new(3);
        let mut position = game.open().unwrap();
        for step in 0..STEPS {
            for seat in (0..seats.len()).map(|seat| SeatId(seat as u8)) {
                let drawn = scene(&mut *position, &seats, Viewer::Seat(seat), None);
                for (idx, way) in drawn.ways.iter().enumerate() {
                    let shown = |thing| drawn.graphics.values().any(|graphic| graphic.thing == Some(thing));
                    let pointed = !way.points.is_empty() && way.points.iter().all(|&thing| shown(thing));
                    assert!(pointed || way.words.is_some(), "{name}, step {step}, {seat:?}, choice {idx}: {way:?}");
                    let alike = drawn.ways.iter().filter(|other| *other == way).count();
                    assert_eq!(alike, 1, "{name}, step {step}, {seat:?}: {way:?}");
                }
            }
            if !position.play_random(&mut generator).unwrap() {
                break;
            }
        }
    }
}
