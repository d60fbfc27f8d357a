//! Laws of play for those who follow a match: what is drawn again and again, only where something was touched, is what is
//! drawn from nothing, and what a replay of the record gives.

use houserules_kernel::{Generator, SeatId, Viewer};
use houserules_library::{find, list, list_bgd};
use houserules_model::Mode;
use houserules_record::{Change, Event, Head, Match, Record, Refused, Replay, Source, begin};
use houserules_scene::stage::{Stage, Watching};
use houserules_scene::{Audience, Scene, Sight, draw};
use std::sync::Arc;

/// Events of a match that are followed.
const EVENTS: usize = 40;
/// With some rules off there are thousands of choices at a time; a few such decisions are enough.
const MOST_CHOICES: usize = 3_000;

fn viewers(n_seats: usize) -> Vec<Viewer> {
    let seats = (0..n_seats).map(|seat| Viewer::Seat(SeatId(seat as u8)));
    seats.chain([Viewer::Public, Viewer::All]).collect()
}

fn start(game: &str) -> Match {
    // The usual size of some boards would only take longer.
    let settings = if game.starts_with("go") { vec![("size".into(), "7".into())] } else { Vec::new() };
    begin(&find(game).unwrap(), Head { settings, seed: Some(1), ..Head::default() }, Source::Digest).unwrap()
}

/// One choice; false if there is none.
fn play_one(now: &mut Match, random: &mut Generator, n_choices: &mut usize) -> bool {
    let Some(&who) = now.decision().open_to().first() else { return false };
    let choices = now.choices(who);
    *n_choices += choices.len();
    if choices.is_empty() {
        return false;
    }
    let choice = &choices[random.below(choices.len() as u64) as usize];
    match now.play(who, choice) {
        Err(Refused::Advised(_)) => {
            now.rule_on(who, choice, true, "a coin").and_then(|_| now.play(who, choice)).is_ok()
        }
        played => played.is_ok(),
    }
}

fn switch_one(now: &mut Match, random: &mut Generator) {
    let rules = now.rules();
    let change = match random.below(8) {
        0 => Change::Text(vane(random.below(3))),
        // Everything comes to lie elsewhere in memory.
        1 => Change::Text(format!("#property wind{} {}", random.below(3), random.below(3))),
        _ if rules.is_empty() => Change::Text(vane(0)),
        _ => {
            let rule = &rules[random.below(rules.len() as u64) as usize];
            let mode = if rule.mode == Mode::Enforced { Mode::Off } else { Mode::Enforced };
            Change::Mode { rule: rule.name.clone(), mode }
        }
    };
    // What does not fit is refused, and nothing has happened.
    let _ = now.change(change);
}

/// A representation that is added to any game, or takes the place of one of the same name.
fn vane(turn: u64) -> String {
    format!(
        r#"#view "Vane" of player
          #property turns {turn}
          #onMessage start (new graphic vane with shape "arrow" rotation (* 45 turns) label name) (observe score after notify turned)
          #onMessage turned (set turns (+ turns 1)) (update graphic vane attribute rotation to (* 45 turns))"#
    )
    .replace("(set turns (+", "(set turns to (+")
}

/// What the definition draws by itself now.
fn stage(now: &mut Match) -> Option<Stage> {
    now.running().as_defined().and_then(|defined| Stage::of(defined.definition()))
}

/// What is drawn from nothing: the position as it is, and representations by all that they have been told.
fn whole(now: &mut Match, viewer: Viewer) -> Scene {
    let seats = now.seats();
    let before = Sight::before(now.look(), viewer);
    let sight = Sight::of(now.position(), &seats, viewer, before);
    // The usual drawing has no memory.
    if stage(now).is_none() {
        return draw(&sight);
    }
    let steps: Vec<Event> = now.steps().cloned().collect();
    let mut again = now.fork_at("again", 0).unwrap();
    let mut watching = Watching::open(stage(&mut again).map(Arc::new), again.position().view(viewer));
    watching.follow(0, steps.len(), |step| {
        again.apply(&steps[step - 1]).ok()?;
        Some((stage(&mut again), again.position().view(viewer)))
    });
    assert_eq!(watching.n_steps(), steps.len());
    watching.scene(&sight)
}

/// Tells an audience all steps since those that it knows.
fn tell(audience: &mut Audience, now: &mut Match, known: &mut Vec<Event>) {
    let steps: Vec<Event> = now.steps().cloned().collect();
    let n_known = known.iter().zip(&steps).take_while(|(known, step)| known == step).count();
    let mut again = now.fork_at("again", 0).unwrap();
    let mut at = 0;
    audience.staged(now.look(), n_known, steps.len(), |step, viewers| {
        while at < step {
            again.apply(&steps[at]).ok()?;
            at += 1;
        }
        let views = viewers.iter().map(|viewer| again.position().view(*viewer)).collect();
        Some((stage(&mut again), views))
    });
    *known = steps;
}

/// A match with undos, forks and rule switches, followed by everybody.
fn follow(game: &str, of: &Match, seed: u64) {
    let mut random = Generator::new(seed * 7919 + 5 * game.len() as u64);
    let mut now = Match::new(Head { seed: Some(seed), ..of.head().clone() }, of.start().duplicate());
    let seats = now.seats();
    let viewers = viewers(seats.len());
    let mut audience = Audience::open(now.position(), &seats, &viewers);
    let mut followed: Vec<Scene> = (0..viewers.len()).map(|at| audience.scene(at).clone()).collect();
    let mut n_choices = 0;
    let mut known = Vec::new();
    if stage(&mut now).is_some() {
        tell(&mut audience, &mut now, &mut known);
        audience.jumped(now.position());
        followed = (0..viewers.len()).map(|at| audience.scene(at).clone()).collect();
    }
    for event in 0..EVENTS {
        if n_choices > MOST_CHOICES {
            break;
        }
        let mut played = false;
        match random.below(24) {
            0 | 1 => drop(now.undo(1 + random.below(3) as u32)),
            2 => drop(now.redo(1 + random.below(3) as u32)),
            3 => switch_one(&mut now, &mut random),
            4 => now = now.fork(&format!("fork {event}")),
            _ => {
                played = play_one(&mut now, &mut random, &mut n_choices);
                if !played && now.undo(3) == 0 {
                    break;
                }
            }
        }
        let is_staged = audience.is_staged() || stage(&mut now).is_some();
        let changes = match played {
            true => audience.played(now.position()),
            false => {
                if is_staged {
                    tell(&mut audience, &mut now, &mut known);
                }
                audience.jumped(now.position())
            }
        };
        known = now.steps().cloned().collect();
        for (at, viewer) in viewers.iter().enumerate() {
            followed[at].apply(&changes[at]).unwrap();
            assert!(followed[at] == *audience.scene(at), "{game}, seed {seed}, event {event}, {viewer:?}");
            assert!(audience.faults(at).is_empty(), "{game}: {:?}", audience.faults(at));
            let drawn = whole(&mut now, *viewer);
            if followed[at] != drawn {
                let told = houserules_scene::diff(&followed[at], &drawn);
                panic!("{game}, seed {seed}, event {event}, {viewer:?}: {told:#?}");
            }
        }
    }
    let text = now.record().to_string();
    let mut replay = Replay::new(Record::parse(&text).record, of.start().duplicate()).unwrap();
    assert_eq!(replay.run(), None, "{text}");
    let mut again = replay.into_match();
    for (at, viewer) in viewers.iter().enumerate() {
        assert!(whole(&mut again, *viewer) == followed[at], "{game}, seed {seed}, {viewer:?}\n{text}");
    }
}

/// [FR-54] [FR-122] Changes applied give the scene that a replay of the record gives, and the one that is drawn from nothing.
#[test]
fn changes_give_the_scene_that_a_replay_gives() {
    for game in list() {
        let of = start(&game);
        for seed in 0..2 {
            follow(&game, &of, seed);
        }
    }
}

/// Thousands of matches of every game; `cargo xtask laws` runs it.
#[test]
#[ignore = "takes minutes: `cargo xtask laws`"]
fn changes_give_the_scene_that_a_replay_gives_for_thousands_of_matches() {
    let number = std::env::var("HOUSERULES_MATCHES").ok().and_then(|text| text.parse().ok()).unwrap_or(2000);
    let only = std::env::var("HOUSERULES_GAME").ok();
    for game in list().into_iter().chain(list_bgd()).filter(|game| only.as_ref().is_none_or(|only| only == game)) {
        let (of, began) = (start(&game), std::time::Instant::now());
        (0..number).for_each(|seed| follow(&game, &of, 1000 + seed));
        println!("{number} matches of {game}, all viewers: {:.1} s", began.elapsed().as_secs_f32());
    }
}

/// [FR-3] A change of rules that hides something parts those who saw the same, and nobody sees more than they may.
#[test]
fn who_saw_the_same_is_parted_when_something_is_hidden() {
    let mut now = start("tic-tac-toe");
    let seats = now.seats();
    let viewers = viewers(seats.len());
    let mut audience = Audience::open(now.position(), &seats, &viewers);
    let mut followed: Vec<Scene> = (0..viewers.len()).map(|at| audience.scene(at).clone()).collect();
    let mut random = Generator::new(2);
    for step in 0..7 {
        let changes = match step {
            2 => {
                now.change(Change::Text("#model cell\n  #property mark seen by mark".into())).unwrap();
                audience.jumped(now.position())
            }
            5 => {
                assert_eq!(now.undo(3), 3);
                audience.jumped(now.position())
            }
            _ => {
                assert!(play_one(&mut now, &mut random, &mut 0));
                audience.played(now.position())
            }
        };
        for (at, viewer) in viewers.iter().enumerate() {
            followed[at].apply(&changes[at]).unwrap();
            assert!(followed[at] == whole(&mut now, *viewer), "step {step}, {viewer:?}");
        }
        let (public, all) = (&followed[viewers.len() - 2], &followed[viewers.len() - 1]);
        assert_eq!(public == all, !(2..5).contains(&step), "step {step}: the public sees less than the referee");
    }
}

/// Viewers who see the same share one computation.
#[test]
fn who_sees_the_same_is_given_the_same() {
    let mut now = start("hex");
    let seats = now.seats();
    let mut audience = Audience::open(now.position(), &seats, &[Viewer::Public, Viewer::Seat(SeatId(0)), Viewer::All]);
    assert!(play_one(&mut now, &mut Generator::new(3), &mut 0));
    let changes = audience.played(now.position());
    assert!(std::sync::Arc::ptr_eq(&changes[0], &changes[2]));
    assert!(!changes[0].is_empty() && changes[0].len() < 8, "{:?}", changes[0]);
    let mut secret = start("battleships");
    let mut audience = Audience::open(secret.position(), &seats, &[Viewer::Public, Viewer::All]);
    assert!(play_one(&mut secret, &mut Generator::new(3), &mut 0));
    let changes = audience.played(secret.position());
    assert!(!std::sync::Arc::ptr_eq(&changes[0], &changes[1]), "one of them may see more");
}
