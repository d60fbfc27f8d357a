//! What the games of the library have in common and what not: how much is told apart, drawn, asked and done for players.

use std::collections::BTreeSet;

use houserules_kernel::{Decision, Generator, Position, QuestionKind, Rulebook, SeatId, Shape, Viewer, Who};
use houserules_library::{Options, find, list};
use houserules_model::ItemKind;

fn start(name: &str, seats: Option<u32>) -> Box<dyn Position> {
    let options = Options { seats, ..Options::default() };
    find(name).unwrap().compile(&options).unwrap().open().unwrap()
}

/// The models of a definition, without what every game has.
fn models(name: &str) -> BTreeSet<String> {
    let found = find(name).unwrap();
    let declared = found.definition().items().iter().filter_map(|item| match &item.kind {
        ItemKind::Model { name, .. } => Some(name.to_string()),
        _ => None,
    });
    declared.filter(|model| model != "game" && model != "player").collect()
}

/// [FR-153] Few kinds of things, and many.
#[test]
fn games_have_few_and_many_kinds_of_things() {
    for few in ["tic-tac-toe", "go", "awele", "hex"] {
        assert_eq!(models(few).len(), 1, "{few}: {:?}", models(few));
    }
    assert!(models("chess").len() >= 7, "{:?}", models("chess"));
}

/// [FR-154] Ring, grid and free graph.
#[test]
fn boards_are_rings_grids_and_graphs() {
    let shape = |name: &str| start(name, None).view(Viewer::Public).boards[0].shape;
    assert_eq!(shape("awele"), Shape::Ring { n: 12 });
    assert_eq!(shape("go"), Shape::Grid { width: 19, height: 19 });
    assert_eq!(shape("nine-mens-morris"), Shape::Graph);
    assert!(matches!(shape("hex"), Shape::Hexes { .. }));
    assert!(matches!(shape("backgammon"), Shape::Track { .. } | Shape::Ring { .. }));
}

/// [FR-155] [FR-191] All see the same, or each sees what is his and what is public.
#[test]
fn interfaces_are_public_alone_or_private_as_well() {
    let views = |position: &mut dyn Position| {
        [Viewer::Public, Viewer::Seat(SeatId(0)), Viewer::Seat(SeatId(1))].map(|viewer| position.view(viewer))
    };
    for public in ["awele", "go"] {
        let [all, first, second] = views(&mut *start(public, None));
        assert!(all == first && first == second, "{public}");
    }
    let mut whist = start("whist", None);
    let mut random = Generator::new(1);
    while let Decision::Nature = whist.decision() {
        whist.play_random(&mut random).unwrap();
    }
    let [all, first, second] = views(&mut *whist);
    assert!(all != first && first != second && all != second, "each has a hand of his own");
    let hand = |view: &houserules_kernel::View, owner: u8| {
        view.things.iter().find(|thing| thing.owner == Some(SeatId(owner)) && thing.count == Some(13)).unwrap().clone()
    };
    assert_eq!(hand(&first, 0).contents.map(|cards| cards.len()), Some(13));
    assert_eq!(hand(&first, 1).contents, None);
    assert_eq!(hand(&all, 0).contents, None);
}

/// [FR-1] A game is its text: one that no part of the program has ever heard of is played to its end.
#[test]
fn a_game_nobody_knew_is_played_from_its_text() {
    let text = r#"#game "Stepping stones" #players "Ann" "Bo" #turns
        #model stone #property wet #board stone track 7
        #action step to stone (set wet to player)
        #law "Dry stones only" on step (require (not wet) "It is wet.")
        #sideeffect "Three in a row win" on step (if (line 3 of wet) (win player))"#;
    let found = houserules_library::enclosed("stones", &[("stones.gdl".into(), text.into())]);
    assert!(found.diagnostics.is_empty(), "{}", found.messages(false));
    let mut position = found.compile(&Options::default()).unwrap().open().unwrap();
    for at in [1, 7, 2, 6, 3] {
        let who = position.decision().open_to()[0];
        let choices = position.choices(who);
        let choice = choices.iter().find(|choice| position.words(who, choice).ends_with(&at.to_string())).unwrap();
        position.play(who, choice).unwrap();
    }
    let houserules_kernel::Decision::Over(outcome) = position.decision() else { panic!("three stones lie in a row") };
    assert_eq!(outcome.ranks.to_vec(), [1, 2]);
}

/// [FR-156] Matches of two, and of three to six, are played to their end.
#[test]
fn matches_of_two_and_of_three_to_six_come_to_an_end() {
    for (name, n_seats) in [("awele", 2), ("salt-road", 3), ("salt-road", 4), ("salt-road", 5), ("salt-road", 6)] {
        let options = Options { seats: Some(n_seats), ..Options::default() };
        let mut position = find(name).unwrap().compile(&options).unwrap().open().unwrap();
        position.playout(&mut houserules_kernel::Generator::new(7), 20_000).unwrap();
        let houserules_kernel::Decision::Over(outcome) = position.decision() else { panic!("{name} goes on") };
        assert_eq!(outcome.ranks.len(), n_seats as usize, "{name}");
    }
}

/// [FR-152] Awele, Go, cell by cell and as it is usually told, and a game of travellers with secret plans come along, and are
/// played to their end.
#[test]
fn the_three_proofs_of_concept_are_played() {
    for (name, settings) in [("awele", None), ("go", Some("5")), ("go-cells", Some("5")), ("salt-road", None)] {
        let settings = settings.map(|size: &str| ("size".into(), size.into())).into_iter().collect();
        let game = find(name).unwrap().compile(&Options { settings, ..Options::default() }).unwrap();
        let mut position = game.open().unwrap();
        let plies = position.playout(&mut Generator::new(11), 20_000).unwrap();
        assert!(position.is_over() && plies > 10, "{name}: {plies} plies");
    }
}

/// A game says how many it is for.
#[test]
fn games_are_for_two_and_for_more() {
    let seats = |name: &str, seats: Option<u32>| {
        let options = Options { seats, ..Options::default() };
        find(name).unwrap().compile(&options).map(|game| game.seats().len())
    };
    assert_eq!(seats("awele", None), Ok(2));
    assert_eq!(seats("whist", None), Ok(4));
    assert_eq!([2, 3, 4].map(|n| seats("dice-race", Some(n)).unwrap()), [2, 3, 4]);
    assert!(seats("dice-race", Some(7)).is_err());
}

/// [FR-13] [FR-157] Nothing is done for players of Hex but to see who has won; at Whist cards are shuffled, dealt and
/// taken up, tricks are won and counted without anybody touching them.
#[test]
fn mundane_tasks_are_done_for_the_players() {
    let mut hex = start("hex", None);
    let before = hex.view(Viewer::All);
    let Who::Seat(seat) = hex.decision().open_to()[0] else { panic!("a seat is asked") };
    let choice = hex.choices(Who::Seat(seat))[0].clone();
    hex.play(Who::Seat(seat), &choice).unwrap();
    let after = hex.view(Viewer::All);
    let changed = before.boards[0].cells.iter().zip(&after.boards[0].cells).filter(|(one, two)| one != two).count();
    assert_eq!(changed, 1, "only the stone that was placed");

    let mut whist = start("whist", None);
    let mut random = Generator::new(1);
    let mut n_shuffled = 0;
    while let Decision::Nature = whist.decision() {
        whist.play_random(&mut random).unwrap();
        n_shuffled += 1;
    }
    assert_eq!(n_shuffled, 51, "a shuffle of 52 cards");
    for _ in 0..52 {
        assert!(
            matches!(whist.decision(), Decision::Seats { kind: QuestionKind::Action, .. }),
            "only cards are asked for"
        );
        whist.play_random(&mut random).unwrap();
    }
    let view = whist.view(Viewer::All);
    let left: u32 = view.things.iter().filter(|thing| thing.owner.is_some()).filter_map(|thing| thing.count).sum();
    assert_eq!(left, 0, "no card is left in a hand");
}

/// [FR-66] [FR-158] A move and nothing more, or questions in the middle of what happens, to others as well.
#[test]
fn players_are_asked_at_the_start_of_a_turn_or_in_the_middle() {
    let kinds = |name: &str| {
        let mut kinds: BTreeSet<&str> = BTreeSet::new();
        let mut random = Generator::new(3);
        let mut position = start(name, None);
        for _ in 0..400 {
            match position.decision() {
                Decision::Seats { kind: QuestionKind::Action, .. } => kinds.insert("action"),
                Decision::Seats { kind: QuestionKind::Answer, .. } => kinds.insert("answer"),
                Decision::Nature => kinds.insert("chance"),
                Decision::Over(_) => break,
            };
            position.play_random(&mut random).unwrap();
        }
        kinds.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(kinds("awele"), ["action"]);
    assert_eq!(kinds("othello"), ["action"]);
    assert_eq!(kinds("nine-mens-morris"), ["action", "answer"]);
    assert_eq!(kinds("backgammon"), ["action", "chance"]);
}

/// [FR-159] Many variants, and few or none.
#[test]
fn games_have_many_variants_or_few() {
    let n_variants = |name: &str| find(name).unwrap().definition().variants().count();
    assert!(n_variants("awele") >= 6);
    assert!(n_variants("amazons") == 0 && n_variants("hex") <= 1);
    assert!(list().iter().map(|name| n_variants(name)).sum::<usize>() > 40);
}

/// [FR-12] The size of the board, the length of a line, seeds in a hole and seeds that win are numbers to be changed.
#[test]
fn parameters_are_ordinary_values() {
    let opened = |name: &str, settings: &[(&str, &str)]| {
        let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        find(name).unwrap().compile(&Options { settings, ..Options::default() }).unwrap().open().unwrap()
    };
    let board = |mut position: Box<dyn Position>| position.view(Viewer::Public).boards.remove(0);
    let seeds = |position| board(position).cells.iter().map(|cell| cell.mark.sign.clone()).collect::<Vec<_>>();
    assert_eq!(seeds(opened("awele", &[("seeds", "2"), ("holes", "3")])), ["2"; 6]);
    assert_eq!(board(opened("go", &[("size", "7")])).shape, Shape::Grid { width: 7, height: 7 });
    // The same four moves of the first player win where two in a line are enough.
    for (length, over) in [("2", true), ("3", false)] {
        let mut position = opened("tic-tac-toe", &[("width", "4"), ("goal", length)]);
        for point in ["a1", "a3", "b1"] {
            let who = position.decision().open_to()[0];
            let choices = position.choices(who);
            let choice = choices.iter().find(|choice| position.words(who, choice).ends_with(point)).unwrap();
            position.play(who, choice).unwrap();
        }
        assert_eq!(position.is_over(), over, "length {length}");
    }
}
