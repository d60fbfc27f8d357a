//! The games of the library that are written in BGD, and what is never lost in them.

use std::collections::BTreeMap;

use houserules_kernel::{Decision, Generator, Position, SeatId, Shown, Viewer, Who, laws};
use houserules_library::{MachinePosition, Options, find};

use super::{choose, property, within};

/// Mens-erger-je-niet obeys the laws of play in all its options, with two to four at the table.
#[test]
fn the_laws_of_play_hold_for_mens_erger_je_niet_in_bgd() {
    let found = find("mens-erger-je-niet.bgd").unwrap();
    for n in 2..=4 {
        for option in ["", "OwnCapture", "MayPass", "ThreeTries", "ClearStart", "JumpGoals"] {
            let value = if option == "JumpGoals" { "False" } else { "True" };
            let settings = (!option.is_empty()).then(|| (option.to_owned(), value.to_owned()));
            let options = Options { seats: Some(n), settings: settings.into_iter().collect(), ..Options::default() };
            let game = found.compile(&options).unwrap();
            laws::hold(&game, 7, 5, 200).unwrap_or_else(|broken| panic!("{n} {option}: {broken}"));
        }
    }
}

/// No two pawns of a colour stand on one field, all sixteen are always there, and steps say where a pawn is.
#[test]
fn pawns_are_where_their_steps_say() {
    let found = find("mens-erger-je-niet.bgd").unwrap();
    let game = found.compile(&Options { seats: Some(4), ..Options::default() }).unwrap();
    let mut generator = Generator::new(3);
    let mut position = game.start().unwrap();
    for _ in 0..600 {
        let Some(&who) = position.decision().open_to().first() else { break };
        let choices = position.choices(who);
        position.play(who, &choices[generator.below(choices.len() as u64) as usize]).unwrap();
        let mut taken = Vec::new();
        for (colour, start) in [("Blue", 1), ("Green", 11), ("Yellow", 21), ("Red", 31)] {
            for n in 1..=4 {
                let pawn = format!("{colour}{n}");
                let steps: i64 = property(&position, &pawn, "Steps").parse().unwrap();
                let place = match steps {
                    0 => format!("Home{colour}"),
                    1..=40 => format!("Field{}", (start + steps - 2) % 40 + 1),
                    _ => format!("Goal{colour}{}", steps - 40),
                };
                assert_eq!(property(&position, &pawn, "place"), place);
                assert!(steps == 0 || !taken.contains(&place), "two pawns on {place}");
                taken.push(place);
            }
        }
    }
}

/// The same game in the language of definitions: pawns are where their steps say there, too.
#[test]
fn pawns_are_where_their_steps_say_in_the_definition() {
    let game = find("mens-erger-je-niet").unwrap().compile(&Options { seats: Some(4), ..Options::default() }).unwrap();
    let mut generator = Generator::new(5);
    let mut position = game.start().unwrap();
    for _ in 0..600 {
        if position.is_over() || !position.play_random(&mut generator).unwrap() {
            break;
        }
        let mut taken: BTreeMap<String, usize> = BTreeMap::new();
        let pawns: Vec<(i64, String)> = {
            let states = position.properties();
            let of = |entity: &str, wanted: &str| {
                let mut found = states.iter().filter(|state| state.entity == entity && state.property == wanted);
                found.next().map(|state| state.value.clone()).unwrap()
            };
            let mut names: Vec<&str> =
                states.iter().filter(|state| state.kind == "pawn").map(|state| state.entity.as_str()).collect();
            names.dedup();
            names.iter().map(|name| (of(name, "steps").parse().unwrap(), of(name, "place"))).collect()
        };
        assert_eq!(pawns.len(), 16);
        for (steps, place) in pawns {
            let kind = match steps {
                -1 => "home",
                0..=39 => "square",
                _ => "goal",
            };
            assert!(kind == "square" || place.contains(kind), "{steps} on {place}");
            *taken.entry(place).or_default() += 1;
        }
        assert!(taken.iter().all(|(place, n)| *n == 1 || place.contains("home")), "{taken:?}");
    }
}

/// A match of Manila, in BGD or as a definition, with so many at the table.
fn manila(name: &str, n: u32) -> MachinePosition {
    let game = find(name).unwrap().compile(&Options { seats: Some(n), ..Options::default() });
    game.unwrap_or_else(|said| panic!("{said}")).start().unwrap()
}

/// Everything that is kept: pesos of players and bank, shares, accomplices.
fn kept(position: &mut MachinePosition) -> (i64, usize, usize) {
    let states = position.properties();
    let number = |wanted: &[&str]| -> i64 {
        let found = states.iter().filter(|state| wanted.contains(&state.property.as_str()));
        found.map(|state| state.value.parse::<i64>().unwrap_or(0)).sum()
    };
    let placed = |kind: &str| {
        let found = states.iter().filter(|state| state.kind == kind && state.property == "place");
        found.filter(|state| state.value != "nil").count()
    };
    (
        number(&["Money", "money", "bank"]),
        placed("Share") + placed("share"),
        placed("Accomplice") + placed("accomplice"),
    )
}

/// What is never created or lost in Manila with so many at the table.
fn kept_in_manila(name: &str, n: u32) -> (i64, usize, usize) {
    let in_bgd = name.ends_with("bgd");
    // Who does not play keeps what is his, too.
    let players = if in_bgd { 5 } else { i64::from(n) };
    let pieces = if in_bgd { 20 } else { 4 * n as usize };
    (1000 + 30 * players, 20, pieces)
}

/// [BG-12] [BG-66] No share, peso or accomplice is created or lost in Manila, and somebody ends as the richest.
#[test]
fn nothing_is_created_or_lost_in_manila() {
    for name in ["manila.bgd", "manila"] {
        for n in 3..=5 {
            for seed in 0..4 {
                nothing_is_lost(manila(name, n), seed, 1, |position| {
                    assert_eq!(kept(position), kept_in_manila(name, n), "{name} with {n}, seed {seed}");
                });
            }
        }
    }
}

/// Plays a match at random to its end, and looks at every so many questions of it and at the end.
fn nothing_is_lost(mut position: MachinePosition, seed: u64, every: u32, mut look: impl FnMut(&mut MachinePosition)) {
    const LONGEST: u32 = 20_000;
    let mut generator = Generator::new(seed);
    let mut n_asked = 0;
    for _ in 0..LONGEST {
        // The deal is not over before somebody is asked.
        if matches!(position.decision(), Decision::Seats { .. }) {
            if n_asked % every == 0 {
                look(&mut position);
            }
            n_asked += 1;
        }
        if position.is_over() || !position.play_random(&mut generator).unwrap() {
            break;
        }
        position.forget();
    }
    let Decision::Over(outcome) = position.decision() else { panic!("no end after {LONGEST}: seed {seed}") };
    assert!(outcome.ranks.to_vec().contains(&1));
    look(&mut position);
}

/// Thousands of matches of both games in both languages, with every number of players: nothing is created or lost.
/// `cargo xtask laws` runs it.
#[test]
#[ignore = "takes minutes: `cargo xtask laws`"]
fn nothing_is_created_or_lost_in_thousands_of_matches() {
    // Looking takes longer than playing; an odd number, so that all phases of a turn are seen.
    const EVERY: u32 = 97;
    let number = std::env::var("HOUSERULES_MATCHES").ok().and_then(|text| text.parse::<u64>().ok());
    let (matches, only) = (number.unwrap_or(2000), std::env::var("HOUSERULES_GAME").ok());
    for name in ["manila.bgd", "manila", "mens-erger-je-niet.bgd", "mens-erger-je-niet"] {
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let found = find(name).unwrap();
        let (least, most) = found.about(&Options::default()).unwrap().n_seats;
        let start = |n| found.compile(&Options { seats: Some(n), ..Options::default() }).unwrap().start().unwrap();
        let starts: Vec<(u32, MachinePosition)> = (least..=most).map(|n| (n, start(n))).collect();
        let next = std::sync::atomic::AtomicU64::new(0);
        let looked = std::sync::atomic::AtomicU64::new(0);
        let play = || {
            loop {
                let seed = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if seed >= matches {
                    break;
                }
                let (n, start) = &starts[seed as usize % starts.len()];
                nothing_is_lost(start.clone(), seed, EVERY, |position| {
                    looked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    match name.starts_with("manila") {
                        true => assert_eq!(kept(position), kept_in_manila(name, *n), "{name} with {n}, seed {seed}"),
                        false => pawns_stand_alone(position, *n, name.ends_with("bgd")),
                    }
                });
            }
        };
        std::thread::scope(|scope| {
            (0..std::thread::available_parallelism().map_or(1, usize::from)).for_each(|_| {
                scope.spawn(play);
            });
        });
        println!("{matches} matches, looked at {} times: nothing was created or lost in {name}", looked.into_inner());
    }
}

/// Sixteen pawns in BGD and four of each player in the definition; where they stand is what their steps say, and alone.
fn pawns_stand_alone(position: &mut MachinePosition, n_players: u32, in_bgd: bool) {
    let states = position.properties();
    let pawns: Vec<_> = states.iter().filter(|state| state.kind.eq_ignore_ascii_case("pawn")).collect();
    let of = |entity: &str, wanted: &str| {
        let mut found = pawns.iter().filter(|state| state.entity == entity && state.property == wanted);
        found.next().map(|state| state.value.clone()).unwrap()
    };
    let mut names: Vec<&str> = pawns.iter().map(|state| state.entity.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), if in_bgd { 16 } else { 4 * n_players as usize });
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        let place = of(name, "place");
        let steps: i64 = match in_bgd {
            true => of(name, "Steps").parse::<i64>().unwrap() - 1,
            false => of(name, "steps").parse().unwrap(),
        };
        let low = place.to_lowercase();
        let kind = match steps {
            -1 => "home",
            0..=39 if in_bgd => "field",
            0..=39 => "square",
            _ => "goal",
        };
        // Squares are called by their number alone.
        assert!(
            kind == "square" && !low.contains("home") && !low.contains("goal") || low.contains(kind),
            "{steps} on {place}"
        );
        *taken.entry(low).or_default() += 1;
    }
    assert!(taken.iter().all(|(place, n)| *n == 1 || place.contains("home")), "{taken:?}");
}

/// Plays on by what is said of each question: the first offered choice that begins with one of the words.
fn follow(position: &mut MachinePosition, mut script: Vec<&str>) {
    script.reverse();
    while let Some(words) = script.last().copied() {
        match position.decision() {
            Decision::Nature => {
                let choices = position.choices(Who::Nature);
                // Rolls are in the script, shuffles are not.
                let rolled = words.parse::<u32>().is_ok();
                let mut found = choices.iter().filter(|choice| !rolled || position.words(Who::Nature, choice) == words);
                let found = found.next().unwrap().clone();
                position.play(Who::Nature, &found).unwrap();
                if rolled {
                    script.pop();
                }
            }
            _ => {
                choose(position, words);
                script.pop();
            }
        }
    }
}

/// The worked check: silk is plundered, jade arrives, nutmeg does not, and everybody is paid what the rules say.
#[test]
fn a_voyage_of_manila_pays_what_the_rules_say() {
    let mut position = manila("manila.bgd", 4);
    let money = |position: &MachinePosition| {
        ["Red", "Blue", "Green", "Yellow"].map(|name| property(position, name, "Money").parse::<i64>().unwrap())
    };
    let auction = ["BidHarbour 1", "LeaveHarbour", "LeaveHarbour", "LeaveHarbour"];
    let duties = ["BuyNothing", "LeaveBehind Ginseng", "StartAt 0", "StartAt 4", "StartAt 5"];
    // Nutmeg 0, silk 4, jade 5; dice are thrown in this order.
    let first = ["Hire Jade", "Hire Silk", "Hire Silk", "Hire Pirates", "1", "2", "3"];
    let second = ["Hire PortA", "Hire YardA", "Hire YardB", "Hire Insurance", "6", "3", "4"];
    let third = ["Decline", "Decline", "Decline", "Decline", "5", "4", "2"];
    follow(&mut position, [&auction[..], &duties, &first, &second].concat());
    assert_eq!(property(&position, "Silk", "Space"), "9");
    assert_eq!(money(&position), [30 - 1 - 3 - 4, 30 - 3 - 4, 30 - 4 - 3, 30 - 5 + 10]);
    let before = money(&position);
    follow(&mut position, third.to_vec());
    let spaces = ["Nutmeg", "Silk", "Jade"].map(|ware| property(&position, ware, "Space"));
    assert_eq!(spaces, ["12", "13", "14"]);
    follow(&mut position, vec!["LeadToShipyard"]);
    let after = money(&position);
    let gained: Vec<i64> = after.iter().zip(before).map(|(after, before)| after - before).collect();
    // Jade and port A; yard A; yard B; the plunder, less two punts in the shipyard.
    assert_eq!(gained, [36 + 6, 6, 8, 30 - 14]);
    let worth = ["Ginseng", "Nutmeg", "Silk", "Jade"].map(|ware| property(&position, ware, "Worth"));
    assert_eq!(worth, ["0", "0", "0", "5"]);
    assert_eq!(property(&position, "Red2", "place"), "CrewRed");
}

/// [BG-16] [BG-17] The shares of others are absent from a view: it is the same whatever they are.
#[test]
fn what_the_shares_of_others_are_is_in_no_view() {
    let mut position = manila("manila.bgd", 3);
    let mut generator = Generator::new(9);
    let mut asked = 0;
    while asked < 60 && !position.is_over() {
        if matches!(position.decision(), Decision::Seats { .. }) {
            asked += 1;
            for (seat, name) in ["Red", "Blue", "Green"].iter().enumerate() {
                let view = position.clone().view(Viewer::Seat(SeatId(seat as u8)));
                for n in 1..=20 {
                    let share = format!("S{n}");
                    let place = property(&position, &share, "place");
                    let seen = within(&view.things, &share).unwrap();
                    let ware = seen.properties.iter().find(|(name, _)| name == "Ware").map(|(_, value)| value);
                    let mine = place == "Sale" || place == format!("Hand{name}");
                    assert_eq!(ware.is_some_and(|ware| *ware != Shown::Hidden), mine, "{share} at {place} for {name}");
                }
            }
        }
        position.play_random(&mut generator).unwrap();
    }
}

/// Manila obeys the laws of play, with three to five at the table, in both languages.
#[test]
fn the_laws_of_play_hold_for_manila() {
    for name in ["manila.bgd", "manila"] {
        for n in 3..=5 {
            let game = find(name).unwrap().compile(&Options { seats: Some(n), ..Options::default() }).unwrap();
            laws::hold(&game, 11, 3, 150).unwrap_or_else(|broken| panic!("{name} with {n}: {broken}"));
        }
    }
}

/// Steps of the pawns that can be moved now, 0 at home in both languages, and the choices that move them.
fn movable(position: &mut MachinePosition, in_bgd: bool) -> BTreeMap<i64, houserules_kernel::Choice> {
    let who = position.decision().open_to()[0];
    let mut found = BTreeMap::new();
    for choice in position.choices(who) {
        let words = position.words(who, &choice);
        let named = words.split_once(' ').unwrap().1.to_owned();
        // What lies on a board may be called by where it lies.
        let states = position.properties();
        let mut pawns = states.iter().filter(|state| state.property == "place" && state.kind.to_lowercase() == "pawn");
        let pawn = pawns.find(|state| state.entity == named || state.value == named).map(|state| state.entity.clone());
        let pawn = pawn.unwrap_or_else(|| panic!("no pawn {named}"));
        let steps: i64 = match in_bgd {
            true => property(position, &pawn, "Steps").parse().unwrap(),
            false => property(position, &pawn, "steps").parse::<i64>().unwrap() + 1,
        };
        found.entry(steps).or_insert(choice);
    }
    found
}

/// The definition and the text in BGD are one game: with the same throws the same pawns can be moved, to the same end.
#[test]
fn both_texts_of_mens_erger_je_niet_are_one_game() {
    let start = |name: &str| {
        let game = find(name).unwrap().compile(&Options { seats: Some(4), ..Options::default() }).unwrap();
        game.start().unwrap()
    };
    for seed in 0..3 {
        let mut generator = Generator::new(seed);
        let (mut text, mut definition) = (start("mens-erger-je-niet.bgd"), start("mens-erger-je-niet"));
        let mut compared = 0;
        loop {
            let nature = definition.decision() == Decision::Nature;
            assert_eq!(text.decision() == Decision::Nature, nature, "seed {seed}");
            if let (Decision::Over(one), Decision::Over(other)) = (text.decision(), definition.decision()) {
                assert_eq!(one.ranks, other.ranks);
                break;
            }
            if nature {
                let drawn = generator.below(6) as usize;
                for position in [&mut text, &mut definition] {
                    let rolls = position.choices(Who::Nature);
                    position.play(Who::Nature, &rolls[drawn]).unwrap();
                }
                continue;
            }
            let (mine, yours) = (movable(&mut text, true), movable(&mut definition, false));
            let steps: Vec<i64> = mine.keys().copied().collect();
            assert!(yours.keys().eq(&steps), "seed {seed}: {steps:?} and {:?}", yours.keys());
            let drawn = steps[generator.below(steps.len() as u64) as usize];
            let (who, other) = (text.decision().open_to()[0], definition.decision().open_to()[0]);
            assert_eq!(who, other);
            text.play(who, &mine[&drawn]).unwrap();
            definition.play(who, &yours[&drawn]).unwrap();
            compared += 1;
        }
        assert!(compared > 100, "only {compared} decisions");
    }
}

/// Nanoseconds that this thread was given by the computer.
fn processor_time() -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells");
    told.split(' ').next().and_then(|time| time.parse().ok()).expect("a number of nanoseconds")
}

/// Random play from the text in BGD, in actions a second of one core; `--release -- --ignored --nocapture` prints it.
///
/// The first program for the language counted passing as an action: each of its actions follows a throw. So throws are
/// counted here, and actions in which a pawn is moved beside them.
#[test]
#[ignore = "says something only in a release build: see CONTRIBUTING.md"]
fn random_play_is_a_hundred_times_faster_than_the_first_program() {
    const FIRST_PROGRAM: f64 = 29_400.0;
    const MATCHES: u64 = 20_000;
    let options = Options { seats: Some(4), ..Options::default() };
    let game = find("mens-erger-je-niet.bgd").unwrap().compile(&options).unwrap();
    let (mut throws, mut moves) = (0_u64, 0_u64);
    for seed in 0..20 {
        let (mut position, mut generator) = (game.start().unwrap(), Generator::new(seed));
        while !position.is_over() {
            match position.decision() {
                Decision::Nature => throws += 1,
                _ => moves += 1,
            }
            position.play_random(&mut generator).unwrap();
        }
    }
    let throws_a_move = throws as f64 / moves as f64;
    let start = game.start().unwrap();
    let mut fastest = 0.0_f64;
    for part in 0..5 {
        let (mut played, began) = (0, processor_time());
        for seed in 0..MATCHES / 5 {
            played += start.clone().playout(&mut Generator::new(part * MATCHES + seed), u64::MAX).unwrap();
        }
        fastest = fastest.max(played as f64 * 1e9 / (processor_time() - began) as f64);
    }
    let (throws, times) = (fastest * throws_a_move, fastest * throws_a_move / FIRST_PROGRAM);
    println!(
        "{fastest:.0} pawns moved and {throws:.0} actions with passing a second of processor time: {times:.0} times the first program"
    );
    assert!(cfg!(debug_assertions) || times >= 100.0, "only {times:.0} times");
}
