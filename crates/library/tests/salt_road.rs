//! Salt Road: plans made in secret and at once, carried out in rotation, with questions on the way.

use houserules_kernel::{Decision, Generator, Position, SeatId, Shown, View, Viewer, Who};
use houserules_library::{MachinePosition, Options, find};

fn open(n_seats: u32, settings: &[(&str, &str)]) -> Result<MachinePosition, String> {
    let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let options = Options { seats: Some(n_seats), settings, ..Options::default() };
    let game = find("salt-road").unwrap().compile(&options).map_err(|error| format!("{error:?}"))?;
    game.start().map_err(|error| error.to_string())
}

fn draw(position: &mut dyn Position, who: Who, generator: &mut Generator) {
    let choices = position.choices(who);
    let choice = &choices[generator.below(choices.len() as u64) as usize];
    position.play(who, choice).unwrap();
}

fn choose(position: &mut dyn Position, who: Who, words: &str) {
    let choices = position.choices(who);
    let choice = choices.iter().find(|choice| position.words(who, choice) == words);
    let choice = choice.unwrap_or_else(|| panic!("{words} cannot be chosen"));
    position.play(who, choice).unwrap();
}

/// Chance and the first villages are settled: everybody plans now.
fn to_planning(position: &mut dyn Position, generator: &mut Generator) {
    while !matches!(position.decision(), Decision::Seats { ref asked, .. } if asked.len() > 1) {
        let who = position.decision().open_to()[0];
        draw(position, who, generator);
    }
}

fn caravans(view: &View) -> Vec<(String, String)> {
    let cells = view.boards.iter().flat_map(|board| &board.cells);
    let pieces =
        cells.flat_map(|cell| cell.pieces.iter().flatten().map(|piece| (piece.name.clone(), cell.name.clone())));
    let mut found: Vec<(String, String)> = pieces.filter(|(name, _)| name.contains("caravan")).collect();
    found.sort();
    found
}

/// [FR-184] Three to six play, and nobody else.
#[test]
fn three_to_six_play() {
    for n_seats in 3..=6 {
        assert!(open(n_seats, &[]).is_ok(), "{n_seats} seats");
    }
    for n_seats in [1, 2, 7] {
        assert!(open(n_seats, &[]).is_err(), "{n_seats} seats");
    }
}

/// [FR-185] [FR-186] Everybody plans six steps, in any order, and no caravan moves before the last step of the last plan.
#[test]
fn nothing_happens_before_all_have_planned() {
    let mut position = open(3, &[]).unwrap();
    let mut generator = Generator::new(5);
    to_planning(&mut position, &mut generator);
    let before = caravans(&position.view(Viewer::Public));
    assert_eq!(before.len(), 3);
    // The third seat plans first: nobody waits for another.
    for seat in [2, 0, 1].map(SeatId) {
        for n in 0..6 {
            assert_eq!(caravans(&position.view(Viewer::Public)), before, "{seat:?} has planned {n} steps");
            let asked = position.decision().open_to();
            assert!(asked.contains(&Who::Seat(seat)), "{seat:?} can plan step {n}");
            choose(&mut position, Who::Seat(seat), ["earth", "ice"][n % 2]);
        }
    }
    assert_ne!(caravans(&position.view(Viewer::Public)), before, "every village has a path of earth");
}

/// [FR-187] Steps are taken one of each player in turn: two who plan to trade once, one late and one early, get the cheapest
/// good in the order of the steps, not of the seats.
#[test]
fn steps_are_taken_in_rotation() {
    let mut met = 0;
    for seed in 0..40 {
        let mut position = open(3, &[("steps", "2")]).unwrap();
        let mut generator = Generator::new(seed);
        to_planning(&mut position, &mut generator);
        // All stand in villages; two of them meet in one by the same kind of path only by luck, so order is seen on one seat.
        let plans = [["rest", "earth"], ["earth", "rest"], ["earth", "earth"]];
        let here = caravans(&position.view(Viewer::Public));
        for (seat, plan) in plans.iter().enumerate() {
            for step in plan {
                choose(&mut position, Who::Seat(SeatId(seat as u8)), step);
            }
        }
        let there = caravans(&position.view(Viewer::Public));
        // There and back again: the third is where it was, the others have gone along their path.
        assert_eq!(here[2], there[2], "seed {seed}");
        assert_ne!(here[0], there[0], "seed {seed}");
        assert_ne!(here[1], there[1], "seed {seed}");
        met += 1;
    }
    assert_eq!(met, 40);
}

/// [FR-188] Somebody who delivers an order is asked in the middle of the steps, alone, and play waits for the answer.
#[test]
fn a_delivery_asks_one_player_in_mid_step() {
    let mut asked = 0;
    for seed in 0..60 {
        let mut position = open(3, &[("markets", "7")]).unwrap();
        let mut generator = Generator::new(seed);
        to_planning(&mut position, &mut generator);
        for _ in 0..3000 {
            let decision = position.decision();
            match &decision {
                Decision::Over(_) => break,
                Decision::Seats { asked: seats, .. } if position.prompt().contains("rewards") => {
                    assert_eq!(seats.len(), 1, "one is asked");
                    assert!(!position.choices(Who::Seat(seats[0])).is_empty());
                    asked += 1;
                }
                _ => {}
            }
            draw(&mut position, decision.open_to()[0], &mut generator);
        }
    }
    assert!(asked > 10, "only {asked} deliveries");
}

/// [FR-189] [FR-190] [FR-191] The plan a seat is making and the goods in its sack are in its own view, and in no other.
#[test]
fn plans_and_sacks_are_private() {
    for seed in 0..5 {
        let (mut one, mut two) = (open(4, &[]).unwrap(), open(4, &[]).unwrap());
        let mut generators = [Generator::new(seed), Generator::new(seed)];
        to_planning(&mut one, &mut generators[0]);
        to_planning(&mut two, &mut generators[1]);
        let secret = SeatId(1);
        for (left, right) in [("earth", "trade"), ("ice", "rest"), ("stone", "earth")] {
            choose(&mut one, Who::Seat(secret), left);
            choose(&mut two, Who::Seat(secret), right);
            for viewer in [Viewer::Public, Viewer::Seat(SeatId(0)), Viewer::Seat(SeatId(2)), Viewer::Seat(SeatId(3))] {
                assert_eq!(one.view(viewer), two.view(viewer), "seed {seed}");
                assert_eq!(one.said(viewer), two.said(viewer), "seed {seed}");
            }
        }
    }
    // A whole match at random: what lies in another's sack is never shown, how much is.
    let mut position = open(3, &[("markets", "7")]).unwrap();
    let mut generator = Generator::new(11);
    let mut full = 0;
    while !position.is_over() {
        let who = position.decision().open_to()[0];
        draw(&mut position, who, &mut generator);
        for seat in (0..3).map(SeatId) {
            for sack in position.view(Viewer::Seat(seat)).things.iter().filter(|thing| thing.kind == "sack") {
                assert_eq!(sack.contents.is_some(), sack.owner == Some(seat), "{}", sack.name);
                full += u32::from(sack.count.unwrap_or(0) > 0);
            }
            let facts = position.view(Viewer::Seat(seat)).facts;
            let plans = facts.iter().flat_map(|fact| fact.properties.iter().filter(|(name, _)| name == "plan"));
            assert_eq!(plans.filter(|(_, shown)| *shown != Shown::Hidden).count(), 1, "one's own plan");
        }
    }
    assert!(full > 100, "sacks were full {full} times");
}
