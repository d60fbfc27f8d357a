//! Go in which each point knows only its neighbours: by messages alone it comes to the same as Go with chains.

use houserules_kernel::{Generator, Offer, Position, SeatId, Shown, Viewer, Who};
use houserules_library::{MachinePosition, Options, find};
use houserules_model::{Expr, ExprKind, Form, ItemKind, RuleKind};

fn start(game: &str, size: &str, off: &[&str]) -> MachinePosition {
    let settings = vec![("size".into(), size.into())];
    let off = off.iter().map(|&rule| rule.into()).collect();
    find(game).unwrap().compile(&Options { settings, off, ..Options::default() }).unwrap().start().unwrap()
}

/// The game with these lines added, on three lines each way.
fn start_with(added: &str, off: &[&str]) -> MachinePosition {
    // What comes after a variant belongs to it.
    let variants = "#variant \"simple ko\"";
    let text = include_str!("../../../games/go-cells/game.gdl").replacen(variants, &format!("{added}\n{variants}"), 1);
    assert!(text.contains(added));
    let found = houserules_library::enclosed("game.gdl", &[("game.gdl".into(), text)]);
    let off = off.iter().map(|&rule| rule.into()).collect();
    let options = Options { settings: vec![("size".into(), "3".into())], off, ..Options::default() };
    found.compile(&options).unwrap_or_else(|told| panic!("{told}")).start().unwrap()
}

fn play(position: &mut dyn Position, points: &str) {
    for point in points.split_whitespace() {
        let who = position.decision().open_to()[0];
        let choices = position.choices(who);
        let choice = choices.iter().find(|choice| position.words(who, choice) == point);
        let choice = choice.unwrap_or_else(|| panic!("{point} cannot be played"));
        position.play(who, choice).unwrap();
    }
}

fn words(position: &mut dyn Position) -> Vec<String> {
    let open = position.decision().open_to();
    open.into_iter()
        .flat_map(|who| position.choices(who).into_iter().map(move |choice| (who, choice)))
        .collect::<Vec<_>>()
        .iter()
        .map(|(who, choice)| position.words(*who, choice))
        .collect()
}

fn property(position: &mut dyn Position, of: &str, name: &str) -> String {
    let view = position.view(Viewer::All);
    let cells = view.boards.iter().flat_map(|board| &board.cells).map(|cell| (&cell.name, &cell.properties));
    let facts = view.facts.iter().map(|thing| (&thing.name, &thing.properties));
    let (_, properties) = cells.chain(facts).find(|(known, _)| *known == of).expect(of);
    match properties.iter().find(|(known, _)| known == name) {
        Some((_, Shown::Value(value))) => value.clone(),
        other => panic!("{of} shows no {name}: {other:?}"),
    }
}

fn refusal(position: &mut dyn Position, point: &str) -> (Option<String>, String) {
    let Who::Seat(seat) = position.decision().open_to()[0] else { panic!("a seat is asked") };
    let offer: Offer = position.offers(seat).into_iter().find(|offer| offer.words == point).unwrap();
    let refused = offer.refused.unwrap_or_else(|| panic!("{point} is not refused"));
    (refused.law, refused.reason)
}

/// [FR-33] [FR-175] [FR-26] Points that ask only their neighbours find the same legal moves, captures and result as a
/// game that looks at whole chains.
#[test]
fn points_that_know_only_neighbours_play_the_same_game() {
    let mut captures = 0;
    for seed in 0..40 {
        let (mut cells, mut chains) = (start("go-cells", "4", &[]), start("go", "4", &[]));
        let mut random = Generator::new(seed);
        for _ in 0..80 {
            let listed = words(&mut cells);
            assert_eq!(listed, words(&mut chains), "seed {seed}");
            if listed.is_empty() {
                break;
            }
            let point = listed[random.below(listed.len() as u64) as usize].clone();
            play(&mut cells, &point);
            play(&mut chains, &point);
        }
        assert_eq!(cells.decision(), chains.decision(), "seed {seed}");
        for player in ["Black", "White"] {
            let taken = property(&mut cells, player, "prisoners");
            assert_eq!(taken, property(&mut chains, player, "prisoners"), "seed {seed}");
            captures += taken.parse::<u32>().unwrap();
        }
    }
    assert!(captures > 100, "only {captures} stones were taken");
}

/// [FR-175] What a point does and what happens to it is said without a look at the board: nothing is found by group,
/// border, line or walk, and the only other points named are those next to it.
#[test]
fn a_point_never_looks_beyond_its_neighbours() {
    let found = find("go-cells").unwrap();
    let mut asked = 0;
    for item in found.definition().items() {
        let of_point = match &item.kind {
            ItemKind::Behavior(behavior) => &*behavior.of == "cell",
            ItemKind::Rule(rule) => rule.to.iter().any(|(model, _)| &**model == "cell"),
            _ => false,
        };
        if of_point {
            item.exprs(&mut |expr| look(expr, &mut asked));
        }
    }
    assert!(asked >= 5, "the points ask their neighbours only {asked} times");
}

fn look(expr: &Expr, asked: &mut u32) {
    match &expr.kind {
        ExprKind::Word(word) => {
            assert!(!matches!(&**word, "cell" | "adjacent" | "diagonal"), "a point looks at {word}");
            *asked += u32::from(&**word == "orthogonal");
        }
        ExprKind::Form(form, _) => {
            let far = [Form::Group, Form::Border, Form::Line, Form::Walk, Form::Leap, Form::Between];
            assert!(!far.contains(form), "a point looks far: {form:?}");
        }
        _ => {}
    }
    expr.children(&mut |part| look(part, asked));
}

/// [FR-176] A point is in `default`, then `withStone`; asked for its liberties it is in `checkingLiberties`, and without any
/// in `captured`, until it has left. Rules that stand in one of these states alone tell how often it was met.
#[test]
fn a_point_goes_through_four_states() {
    let states = ["default", "withStone", "checkingLiberties", "captured"];
    let added: String = states
        .iter()
        .zip(["placeStone", "liberties", "settle", "leave"])
        .map(|(state, message)| {
            format!(
                "#model game #property met-{state} 0
                #sideeffect \"In {state}\" on {message} to cell in {state} (increase (met-{state} of game) by 1)\n"
            )
        })
        .collect();
    let mut position = start_with(&added, &[]);
    let met = |position: &mut MachinePosition| states.map(|state| property(position, "game", &format!("met-{state}")));
    assert_eq!(met(&mut position), ["0"; 4]);
    play(&mut position, "a1");
    // Asked whether it has a liberty, the new stone has one.
    assert_eq!(met(&mut position), ["1", "1", "1", "0"]);
    play(&mut position, "b1 c3");
    assert_eq!(met(&mut position)[3], "0");
    play(&mut position, "a2");
    assert_eq!(met(&mut position)[3], "1", "the stone on a1 has left");
    assert_eq!(property(&mut position, "a1", "stone"), "nil");
}

/// [FR-177] A stone changes the state of its point and is kept with its colour; [FR-179] stones that lose their last
/// liberty leave their points.
#[test]
fn a_stone_is_placed_and_stones_without_liberties_leave() {
    let mut position = start("go-cells", "3", &[]);
    // An empty point is in the state `default`, of which nothing is said.
    let told = |position: &mut MachinePosition, point: &str| {
        let meaning = position.meaning();
        let line = meaning.lines().find_map(|line| line.strip_prefix(&format!("{point:?} ")));
        line.unwrap().replace("lights () ", "").replace(" holds", "").replace("holds", "")
    };
    assert_eq!(told(&mut position, "a1"), "");
    play(&mut position, "a1");
    assert_eq!(told(&mut position, "a1"), "state withStone stone \"Black\"");
    play(&mut position, "b1 c3 a2");
    assert_eq!(told(&mut position, "a1"), "");
    assert_eq!(property(&mut position, "White", "prisoners"), "1");
    // Nobody is left in the middle of a question.
    for (point, colour) in [("b1", "White"), ("a2", "White"), ("c3", "Black")] {
        assert_eq!(told(&mut position, point), format!("state withStone stone {colour:?}"));
    }
}

/// [FR-180] A stone without liberties is rolled back, but not if it takes some.
#[test]
fn suicide_is_rolled_back_unless_it_captures() {
    let mut position = start("go-cells", "3", &[]);
    play(&mut position, "c3 a2 c2 b1");
    let before = position.fingerprint();
    let (rule, reason) = refusal(&mut position, "a1");
    assert_eq!(rule.as_deref(), Some("checkSuicide"));
    assert_eq!(reason, "A stone may not be placed without liberties.");
    assert_eq!(position.fingerprint(), before);
    // Black takes the stone on a2 together with placing the one that has no other liberty.
    play(&mut position, "a3 pass b2");
    play(&mut position, "pass a1");
    assert_eq!(property(&mut position, "a2", "stone"), "nil");
    assert_eq!(property(&mut position, "a1", "stone"), "Black");
}

/// [FR-178] The law opens the checkpoint to which a stone without liberties goes back: what was done before the stone was
/// placed stays. Without the law the whole action is refused.
#[test]
fn a_law_opens_the_checkpoint_of_a_stone() {
    let added = "#model game #property tries 0 #onMessage tried (increase tries by 1)
        #action attempt to cell as \"try-{self}\" (send tried to game) (send placeStone to self)";
    for (off, stays) in [(&[][..], true), (&["openCheckpoint"], false)] {
        let mut position = start_with(added, off);
        play(&mut position, "c3 a2 c2 b1");
        assert_eq!(words(&mut position).iter().any(|known| known == "try-a1"), stays, "{off:?}");
        if stays {
            play(&mut position, "try-a1");
            assert_eq!(position.said(Viewer::All), ["A stone may not be placed without liberties."]);
            assert_eq!(property(&mut position, "game", "tries"), "1");
            assert_eq!(property(&mut position, "a1", "stone"), "nil");
        }
    }
}

/// [FR-181] The last side-effect tells the game that the turn is over, and it passes; without the side-effect nobody is told.
#[test]
fn a_side_effect_tells_that_the_turn_is_over() {
    let added = "#model game #property turns 0
        #sideeffect \"Turns are counted\" on endOfTurn to game (increase turns by 1)";
    let mut position = start_with(added, &[]);
    play(&mut position, "a1");
    assert_eq!(position.decision().open_to(), [Who::Seat(SeatId(1))]);
    assert_eq!(property(&mut position, "game", "turns"), "1");
    let mut position = start_with(added, &["endOfTurn"]);
    play(&mut position, "a1");
    assert_eq!(position.decision().open_to(), [Who::Seat(SeatId(0))]);
    assert_eq!(property(&mut position, "game", "turns"), "0");
}

/// [FR-182] What is placed is first told to the neighbours, then asked for its liberties, and then the turn ends: each rule
/// finds what the one before it has left, and a stone taken back ends no turn.
#[test]
fn rules_on_placing_a_stone_run_in_their_order() {
    let found = find("go-cells").unwrap();
    let on_placing =
        found.definition().rules().filter(|rule| rule.labels.iter().any(|(label, _)| &**label == "placeStone"));
    let told: Vec<(RuleKind, &str)> = on_placing.map(|rule| (rule.kind, &*rule.name)).collect();
    assert_eq!(
        told,
        [
            (RuleKind::Law, "Only empty points"),
            (RuleKind::Law, "openCheckpoint"),
            (RuleKind::SideEffect, "updateLiberties"),
            (RuleKind::SideEffect, "checkSuicide"),
            (RuleKind::AfterLaw, "No position comes back"),
            (RuleKind::SideEffect, "endOfTurn"),
        ]
    );
    // Rules put between them tell how many stones there are then, and how many turns have ended.
    let noted: String = ["updateLiberties", "checkSuicide", "endOfTurn"]
        .map(|rule| {
            format!(
                "#sideeffect \"Before {rule}\" before \"{rule}\" on placeStone to cell in default
                (set (noted of game) to (append (list (count cell where stone) (turns of game)) to (noted of game)))\n"
            )
        })
        .concat();
    let added = format!(
        "#model game #property turns 0 #property noted (list)
        #sideeffect \"Turns are counted\" on endOfTurn to game (increase turns by 1)\n{noted}"
    );
    let mut position = start_with(&added, &[]);
    play(&mut position, "a1 b1 c3 a2");
    // Four stones before the one without liberties leaves, three after; three turns have ended, and the fourth not yet.
    let noted = property(&mut position, "game", "noted");
    assert!(noted.ends_with("(4 3) (3 3) (3 3))"), "{noted}");
    assert_eq!(property(&mut position, "game", "turns"), "4");
}

/// [FR-183] Suicide, ko, scoring, handicap and size are changed by laws and settings, and nothing else.
#[test]
fn go_has_variants_made_of_laws_and_settings() {
    let found = find("go").unwrap();
    let compiled = |variants: &[&str], settings: &[(&str, &str)]| {
        let variants = variants.iter().map(|&variant| variant.into()).collect();
        let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        found.compile(&Options { variants, settings, ..Options::default() }).unwrap().start().unwrap()
    };
    let small: &[(&str, &str)] = &[("size", "3")];
    let listed = |position: &mut dyn Position, point: &str| words(position).iter().any(|known| known == point);
    // Suicide: a1 and b1 would have no liberty. A stone alone would bring a position back.
    for (variants, allowed) in [(&[][..], false), (&["suicide"], true)] {
        let mut position = compiled(variants, small);
        play(&mut position, "a1 a2 c3 b2 pass c1");
        assert_eq!(listed(&mut position, "b1"), allowed, "{variants:?}");
    }
    // Handicap stones stand, and White begins.
    let mut position = compiled(&[], &[("handicap", "4"), ("size", "9")]);
    assert_eq!(property(&mut position, "c3", "stone"), "Black");
    assert_eq!(position.decision().open_to(), [Who::Seat(SeatId(1))]);
    assert_eq!(words(&mut position).len(), 81 - 4 + 1);
    // Territory asks which stones are dead; area does not.
    for (variants, over) in [(&[][..], true), (&["territory"], false)] {
        let mut position = compiled(variants, small);
        play(&mut position, "b2 pass pass");
        assert_eq!(position.is_over(), over, "{variants:?}");
    }
}
