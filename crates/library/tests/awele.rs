//! Awele is made of two entities and eleven rules, each on its message and in its state.

use houserules_kernel::{Offer, Position, Rulebook, SeatId, Shown, Viewer};
use houserules_library::{Options, find};
use houserules_model::RuleKind;

fn start(settings: &[(&str, &str)], off: &[&str]) -> Box<dyn Position> {
    opened(settings, off).unwrap()
}

fn opened(settings: &[(&str, &str)], off: &[&str]) -> Result<Box<dyn Position>, houserules_kernel::OpenError> {
    let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let off = off.iter().map(|&rule| rule.into()).collect();
    let options = Options { settings, off, ..Options::default() };
    find("awele").unwrap().compile(&options).unwrap().open()
}

fn refused_by(position: &mut dyn Position, hole: &str) -> Option<String> {
    let offer: Offer = position.offers(SeatId(0)).into_iter().find(|offer| offer.words == hole).unwrap();
    offer.refused.map(|refusal| refusal.law.unwrap_or(refusal.reason))
}

/// Seeds of the holes, points of both players, and who is to move.
fn told(position: &mut dyn Position) -> (String, String, Vec<houserules_kernel::Who>) {
    let view = position.view(Viewer::All);
    let value = |properties: &[(String, Shown)], of: &str| match properties.iter().find(|(name, _)| name == of) {
        Some((_, Shown::Value(value))) => value.clone(),
        other => panic!("no {of}: {other:?}"),
    };
    let seeds: Vec<String> = view.boards[0].cells.iter().map(|cell| value(&cell.properties, "stones")).collect();
    let game = view.facts.iter().find(|fact| fact.name == "game").unwrap();
    (seeds.join(" "), value(&game.properties, "playerStones"), position.decision().open_to())
}

fn points(south: u32, north: u32) -> String {
    format!("{{North: {north}, South: {south}}}")
}

fn play(position: &mut dyn Position, hole: &str) {
    let who = position.decision().open_to()[0];
    let choices = position.choices(who);
    let choice = choices.iter().find(|choice| position.words(who, choice) == hole);
    position.play(who, choice.unwrap_or_else(|| panic!("{hole} is not open"))).unwrap();
}

/// [FR-172] More than 24 seeds win; with another number in that one place another number wins, and nothing else is another.
#[test]
fn another_number_of_seeds_wins_by_changing_one_number() {
    let stones = |position: &mut dyn Position| {
        let view = position.view(houserules_kernel::Viewer::All);
        let shown = view.facts.iter().flat_map(|fact| &fact.properties).find(|(name, _)| name == "playerStones");
        format!("{shown:?}")
    };
    let mut earlier = 0;
    for seed in 0..20 {
        let (mut printed, mut changed) = (start(&[], &[]), start(&[("goal", "6")], &[]));
        let mut generator = houserules_kernel::Generator::new(seed);
        while !changed.is_over() {
            assert!(!printed.is_over(), "seed {seed}: 24 are more than 6");
            assert_eq!(stones(&mut *printed), stones(&mut *changed), "seed {seed}");
            let who = changed.decision().open_to()[0];
            let choices = changed.choices(who);
            assert_eq!(choices, printed.choices(who), "seed {seed}");
            let choice = &choices[generator.below(choices.len() as u64) as usize];
            changed.play(who, choice).unwrap();
            printed.play(who, choice).unwrap();
        }
        earlier += u32::from(!printed.is_over());
    }
    assert!(earlier > 15, "{earlier} of 20 matches ended earlier");
}

/// [FR-165] [FR-166] [FR-167] [FR-168] [FR-169] [FR-170] [FR-171] Each rule does something in play: without it, a match of the
/// same choices goes another way.
#[test]
fn every_rule_is_missed_when_it_is_off() {
    let rules = [
        "Stones' Capturing",
        "End Of Turn",
        "Last Seed",
        "Chain Reaction",
        "Chain Reaction Avoiding GrandSlam",
        "Game Over",
        "Check Winning Condition",
    ];
    for rule in rules {
        let missed = (0..200).any(|seed| {
            let settings = [("holes", "3"), ("seeds", "3")];
            let mut with = start(&settings, &[]);
            // Without the law that ends it, a chain of captures goes round the board for ever: nothing can be tried.
            let Ok(mut without) = opened(&settings, &[rule]) else { return true };
            let mut generator = houserules_kernel::Generator::new(seed);
            for _ in 0..200 {
                let all = houserules_kernel::Viewer::All;
                if with.decision() != without.decision() || with.view(all) != without.view(all) {
                    return true;
                }
                let Some(&who) = with.decision().open_to().first() else { return false };
                let choices = with.choices(who);
                if choices != without.choices(who) {
                    return true;
                }
                let choice = &choices[generator.below(choices.len() as u64) as usize];
                with.play(who, choice).unwrap();
                without.play(who, choice).unwrap();
            }
            false
        });
        assert!(missed, "{rule}");
    }
}

/// [FR-160] Holes have seeds and can be played, the game has turns and points, and the holes lie in a ring: who sows past
/// the last hole goes on with the first.
#[test]
fn holes_lie_in_a_ring_and_the_game_keeps_turns_and_points() {
    let seat = |n| vec![houserules_kernel::Who::Seat(SeatId(n))];
    let mut position = start(&[("holes", "3"), ("start", "1,1,4,1,1,3")], &[]);
    assert!(matches!(position.view(Viewer::All).boards[0].shape, houserules_kernel::Shape::Ring { .. }));
    assert_eq!(told(&mut *position), ("1 1 4 1 1 3".into(), points(0, 0), seat(0)));
    for (hole, seeds, south, north, next) in [("hole 3", "2 1 0 2 2 4", 0, 0, 1), ("hole 5", "0 1 0 2 0 5", 0, 3, 0)] {
        play(&mut *position, hole);
        assert_eq!(told(&mut *position), (seeds.into(), points(south, north), seat(next)), "{hole}");
    }
}

/// [FR-165] [FR-166] [FR-167] [FR-168] [FR-170] [FR-171] What each rule does, in a move that shows it: with the rule and
/// without.
#[test]
fn each_rule_does_what_it_is_there_for() {
    struct Case {
        rule: &'static str,
        seeds: &'static str,
        hole: &'static str,
        with: (&'static str, u32),
        without: (&'static str, u32),
    }
    for Case { rule, seeds, hole, with, without } in [
        // The last seed takes two; were it seed like any other, nothing would be taken.
        Case {
            rule: "Last Seed",
            seeds: "1,0,1,1,1,0",
            hole: "hole 3",
            with: ("1 0 0 0 1 0", 2),
            without: ("1 0 0 2 1 0", 0),
        },
        // The hole of the last seed and the one before are taken, and the chain goes on to the third.
        Case {
            rule: "Chain Reaction",
            seeds: "1,0,0,3,1,1,1,3",
            hole: "hole 4",
            with: ("1 0 0 0 0 0 0 3", 6),
            without: ("1 0 0 0 2 0 0 3", 4),
        },
    ] {
        let holes = (seeds.split(',').count() / 2).to_string();
        let settings = [("holes", holes.as_str()), ("start", seeds)];
        for (off, (expected, south)) in [(&[][..], with), (&[rule], without)] {
            let mut position = start(&settings, off);
            play(&mut *position, hole);
            let (seeds, score, _) = told(&mut *position);
            assert_eq!((seeds.as_str(), score), (expected, points(south, 0)), "{rule}, off: {off:?}");
        }
    }
    // Four seeds are not taken. Nothing else ends a chain: without the law it would go round the board for ever.
    let four = [("holes", "3"), ("start", "1,0,1,3,1,0")];
    let mut position = start(&four, &[]);
    play(&mut *position, "hole 3");
    assert_eq!((told(&mut *position).0.as_str(), told(&mut *position).1), ("1 0 0 4 1 0", points(0, 0)));
    let error = opened(&four, &["Stones' Capturing"]).err().unwrap();
    assert!(error.to_string().contains("for ever"), "{error}");
    let seat = |n| vec![houserules_kernel::Who::Seat(SeatId(n))];
    for (off, next) in [(&[][..], 1), (&["End Of Turn"], 0)] {
        let mut position = start(&[("holes", "3"), ("start", "1,0,1,1,1,0")], off);
        play(&mut *position, "hole 1");
        assert_eq!(told(&mut *position).2, seat(next), "{off:?}");
    }
    // North could only sow on his own side, and South has nothing left: each takes what lies on his side.
    let ranks = |position: &dyn Position| match position.decision() {
        houserules_kernel::Decision::Over(outcome) => Some(outcome.ranks.to_vec()),
        _ => None,
    };
    for (off, north, ended) in [(&[][..], 1, vec![2, 1]), (&["Game Over"], 0, vec![1, 1])] {
        let mut position = start(&[("holes", "3"), ("start", "0,0,1,0,0,0")], off);
        play(&mut *position, "hole 3");
        assert_eq!((told(&mut *position).1, ranks(&*position)), (points(0, north), Some(ended)), "{off:?}");
    }
    for (off, ended) in [(&[][..], Some(vec![1, 2])), (&["Check Winning Condition"], None)] {
        let mut position = start(&[("holes", "3"), ("goal", "1"), ("start", "1,0,1,1,1,0")], off);
        play(&mut *position, "hole 3");
        assert_eq!(ranks(&*position), ended, "{off:?}");
    }
}

/// What the text says; that it is played so, the tests around show.
#[test]
fn every_rule_stands_on_its_message_and_in_its_state() {
    let found = find("awele").unwrap();
    let told: Vec<String> = found
        .definition()
        .rules()
        .map(|rule| {
            let names = |names: &[(houserules_model::Name, _)]| -> String {
                names.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join(" ")
            };
            let kind = if rule.kind == RuleKind::Law { "law" } else { "side-effect" };
            format!("{kind} {}: {}.{} {}", rule.name, names(&rule.to), names(&rule.labels), names(&rule.states))
        })
        .collect();
    assert_eq!(
        told[..11],
        [
            "law Allow Only Current Player: hole.startSeeding default",
            "law Allow Only Non Empty Hole: hole.startSeeding default",
            "law Let The Opponent Play: hole.startSeeding default",
            "law Open Check-point: hole.startSeeding default",
            "law Stones' Capturing: hole.giveStones default lastSeed",
            "side-effect End Of Turn: hole.startSeeding default",
            "side-effect Last Seed: hole.seed default",
            "side-effect Chain Reaction: hole.giveStones default",
            "side-effect Chain Reaction Avoiding GrandSlam: hole.giveStones lastSeed",
            "side-effect Game Over: game.endOfTurn default",
            "side-effect Check Winning Condition: game.giveStonesToCurrentPlayer default",
        ]
    );
}

/// [FR-35] [FR-161] [FR-162] [FR-163] A law looks at the hole as it is, and refuses in its own name.
#[test]
fn each_law_refuses_what_it_is_there_for() {
    let mut position = start(&[("holes", "3"), ("start", "2,0,1,0,0,0")], &[]);
    assert_eq!(refused_by(&mut *position, "hole 4").as_deref(), Some("Allow Only Current Player"));
    assert_eq!(refused_by(&mut *position, "hole 2").as_deref(), Some("Allow Only Non Empty Hole"));
    assert_eq!(refused_by(&mut *position, "hole 1").as_deref(), Some("Let The Opponent Play"));
    assert_eq!(refused_by(&mut *position, "hole 3"), None);
    let mut position = start(&[("holes", "3"), ("start", "2,0,1,0,0,0")], &["Let The Opponent Play"]);
    assert_eq!(refused_by(&mut *position, "hole 1"), None);
}

/// [FR-120] [FR-169] A grand slam is taken back, and whoever tried it is told why.
#[test]
fn a_grand_slam_is_rolled_back_with_its_reason() {
    let mut position = start(&[("holes", "3"), ("start", "1,0,1,1,0,0")], &[]);
    let offers = position.offers(SeatId(0));
    let offer = offers.into_iter().find(|offer| offer.words == "hole 3").unwrap();
    let refusal = offer.refused.unwrap();
    assert_eq!(refusal.law.as_deref(), Some("Chain Reaction Avoiding GrandSlam"));
    assert_eq!(refusal.reason, "That would take all the seeds of the opponent.");
}

/// [FR-118] [FR-119] [FR-124] [FR-164] The law decides how far back a grand slam goes: on the move itself it forbids it, on
/// the capture it only takes the capture back and abandons the rest. Without the law, the move's own beginning serves.
#[test]
fn the_checkpoint_is_where_its_law_stands() {
    let setup = [("holes", "3"), ("start", "1,0,1,1,0,0")];
    let mut position = start(&setup, &["Open Check-point"]);
    assert_eq!(refused_by(&mut *position, "hole 3").as_deref(), Some("Chain Reaction Avoiding GrandSlam"));

    let text = include_str!("../../../games/awele/game.gdl");
    let law = "#law \"Open Check-point\" on startSeeding to hole in default";
    assert!(text.contains(law));
    let text = text.replace(law, "#law \"Open Check-point\" on giveStones to hole in lastSeed");
    let found = houserules_library::enclosed("game.gdl", &[("game.gdl".into(), text)]);
    let settings = setup.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let game = found.compile(&Options { settings, ..Options::default() }).unwrap();
    let mut position = game.open().unwrap();
    assert_eq!(refused_by(&mut *position, "hole 3"), None);
    let who = houserules_kernel::Who::Seat(SeatId(0));
    let choice = position.choices(who).into_iter().find(|choice| position.words(who, choice) == "hole 3").unwrap();
    position.play(who, &choice).unwrap();
    assert_eq!(position.said(Viewer::All), ["That would take all the seeds of the opponent."]);
    let view = position.view(Viewer::All);
    let cells = view.boards.iter().flat_map(|board| &board.cells);
    let stones: Vec<Shown> =
        cells.map(|cell| cell.properties.iter().find(|(name, _)| name == "stones").unwrap().1.clone()).collect();
    assert_eq!(stones, ["1", "0", "0", "2", "0", "0"].map(|n| Shown::Value(n.into())), "sown, and not captured");
    assert_eq!(position.decision().open_to(), [who], "the turn was to be ended by what is abandoned");
}

/// [FR-173] The six treatments of a grand slam add, replace or leave out rules; no behavior is touched.
#[test]
fn variants_come_from_rules_alone() {
    use houserules_model::ItemKind::{Define, Model, Rule, RuleBody, RuleMode};
    let found = find("awele").unwrap();
    let slams: Vec<_> =
        found.definition().variants().filter(|variant| variant.name.starts_with("grand slam")).collect();
    assert_eq!(slams.len(), 6);
    for variant in slams {
        for item in &variant.changes {
            let is_rule = matches!(item.kind, Rule(_) | RuleMode { .. } | RuleBody { .. });
            // What a rule asks may be written down as a define.
            assert!(is_rule || matches!(item.kind, Define(_) | Model { .. }), "{}: {:?}", variant.name, item.kind);
        }
    }
}
