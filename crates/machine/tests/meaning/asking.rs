use crate::{choices, choices_of, open, play, play_as, played, property, ranks, rulebook, who};
use houserules_kernel::{Decision, Generator, Position, QuestionKind, Rulebook, SeatId, Viewer, Who};
use houserules_machine::{Options, compile};

const X: Who = Who::Seat(SeatId(0));
const O: Who = Who::Seat(SeatId(1));

fn asking(question: &str) -> String {
    format!(
        r#"#game "Toy" #players "X" "O" #property answer "none" #model bag #entity bag #model ball
        #entity red is ball at bag #entity green is ball at bag #entity blue is ball at bag
        #action go (set answer to {question})"#
    )
}

/// [FR-64] [FR-65] A behavior stops for an answer and goes on from the same point.
#[test]
fn a_question_stops_the_action_and_the_answer_goes_on() {
    let mut position = played(&asking(r#"(ask opponent "Which?" among (list 5 6))"#), &["go"]);
    let asked = Decision::Seats { asked: vec![SeatId(1)], kind: QuestionKind::Answer };
    assert_eq!(position.decision(), asked);
    assert_eq!(choices(&mut *position), ["5", "6"]);
    let before = position.fingerprint();
    play(&mut *position, "6").unwrap();
    assert_eq!(property(&mut *position, "game", "answer"), "6");
    assert!(position.undo());
    assert_eq!(position.fingerprint(), before);
}

#[test]
fn several_of_a_list_are_picked_in_its_order() {
    let mut position = played(&asking(r#"(ask player "Two" 2 of (list 5 6 7))"#), &["go"]);
    assert_eq!(choices(&mut *position), ["5", "6"], "7 would leave nothing for the second");
    play(&mut *position, "6").unwrap();
    assert_eq!(choices(&mut *position), ["7"]);
    play(&mut *position, "7").unwrap();
    assert_eq!(property(&mut *position, "game", "answer"), "(6 7)");
}

#[test]
fn some_of_a_list_end_when_the_player_is_done() {
    let mut position = played(&asking(r#"(ask player "Some" some of (list 5 6 7))"#), &["go"]);
    play(&mut *position, "6").unwrap();
    assert_eq!(choices(&mut *position), ["7", "done"]);
    assert_eq!(position.choices(X)[1].0.as_slice(), [u64::MAX]);
    play(&mut *position, "done").unwrap();
    assert_eq!(property(&mut *position, "game", "answer"), "(6)");
}

#[test]
fn repeated_picks_may_be_the_same() {
    let text = asking(r#"(ask player "Twice" 2 times among (list 5 6))"#);
    let mut position = played(&text, &["go", "6", "6"]);
    assert_eq!(property(&mut *position, "game", "answer"), "(6 6)");
}

/// Where several answers are taken, the one who is asked is told what was on offer and what has been said of it.
#[test]
fn what_has_been_answered_so_far_is_told() {
    let after = |question: &str, answers: &[&str]| {
        let definition = houserules_gdl::read_text("toy", &asking(question)).definition;
        let mut position = compile(&definition, &Options::default()).unwrap().open().unwrap();
        for words in [&["go"], answers].concat() {
            play(&mut *position, words).unwrap();
        }
        let told = position.picking(SeatId(0));
        assert!(told.is_none() || position.picking(SeatId(1)).is_none(), "only one of them is asked");
        told.map(|told| (told.options.join(" "), told.picked, told.wanted, told.again))
    };
    let plan = r#"(ask player "Twice" 2 times among (list "salt" "tea"))"#;
    assert_eq!(after(plan, &[]), Some(("salt tea".into(), vec![], Some(2), true)));
    assert_eq!(after(plan, &["tea"]), Some(("salt tea".into(), vec![1], Some(2), true)));
    assert_eq!(after(plan, &["tea", "tea"]), None);
    let two = r#"(ask player "Two" 2 of (list 5 6 7))"#;
    assert_eq!(after(two, &["6"]), Some(("5 6 7".into(), vec![1], Some(2), false)));
    let some = r#"(ask player "Some" some of (list 5 6 7))"#;
    assert_eq!(after(some, &[]), Some(("5 6 7".into(), vec![], None, false)));
    assert_eq!(after(r#"(ask player "Which?" among (list 5 6))"#, &[]), None);
    assert_eq!(after(r#"(ask player "One" 1 of (list 5 6))"#, &[]), None);
}

#[test]
fn nothing_to_choose_from_is_nil_without_a_question() {
    let mut position = played(&asking(r#"(ask player "Which?" among (list))"#), &["go"]);
    assert_eq!(property(&mut *position, "game", "answer"), "nil");
}

#[test]
fn several_players_answer_at_once_and_in_any_order() {
    let text = asking(r#"(ask seats "Which?" among (list 5 6))"#);
    let mut position = played(&text, &["go"]);
    assert_eq!(who(&*position), [X, O]);
    let before = position.view(houserules_kernel::Viewer::All);
    play_as(&mut *position, O, "6").unwrap();
    assert_eq!(who(&*position), [X]);
    assert_eq!(position.view(houserules_kernel::Viewer::All), before, "one answer shows nothing");
    play_as(&mut *position, X, "5").unwrap();
    let last = position.fingerprint();
    assert_eq!(property(&mut *position, "game", "answer"), "{O: 6, X: 5}");
    let mut other = played(&text, &["go"]);
    play_as(&mut *other, X, "5").unwrap();
    play_as(&mut *other, O, "6").unwrap();
    assert_eq!(other.fingerprint(), last);
}

#[test]
fn dice_are_decisions_of_nature() {
    let mut position = played(&asking("(roll 6 times 2)"), &["go"]);
    assert_eq!(position.decision(), Decision::Nature);
    assert_eq!(position.choices(Who::Nature).len(), 6);
    play(&mut *position, "3").unwrap();
    play(&mut *position, "5").unwrap();
    assert_eq!(property(&mut *position, "game", "answer"), "(3 5)");
}

#[test]
fn a_shuffle_swaps_from_the_end() {
    let text = asking("(do (shuffle bag) (all name of (contents of bag)) end)");
    let mut position = played(&text, &["go"]);
    assert_eq!(choices(&mut *position).len(), 3);
    play(&mut *position, "0").unwrap();
    assert_eq!(choices(&mut *position).len(), 2);
    play(&mut *position, "1").unwrap();
    assert_eq!(property(&mut *position, "game", "answer"), "(blue green red)");
}

#[test]
fn the_set_up_may_ask_and_roll() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0
        #setup (set n to (roll 2)) (increase n by (ask X "More?" among (list 10 20)))
        #action go"#,
    );
    assert_eq!(position.decision(), Decision::Nature);
    play(&mut *position, "2").unwrap();
    play(&mut *position, "20").unwrap();
    assert_eq!(property(&mut *position, "game", "n"), "22");
    assert_eq!(choices(&mut *position), ["go"]);
}

#[test]
fn let_offers_actions_that_are_not_free() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #property n 0
        #setup (let O do add) (let O do never)
        #action add with k (list 1 2 3) when asked (increase n by k)
        #action never when asked
        #action go
        #law "Not two" on add (require (!= k 2))
        #law "Never" on never (require nil)"#,
    );
    assert_eq!(who(&*position), [O]);
    assert_eq!(choices(&mut *position), ["add 1", "add 3"]);
    play(&mut *position, "add 3").unwrap();
    assert_eq!(property(&mut *position, "game", "n"), "3");
    assert_eq!(choices(&mut *position), ["go"]);
}

#[test]
fn what_has_become_illegal_among_hidden_actions_is_dropped() {
    let text = r#"#game "Toy" #players "X" "O" #property got (list)
        #model coin #entity gold is coin
        #setup (let seats do grab)
        #action grab to coin when asked (set owner to player) (set (got of game) to (append player to (got of game)))
        #action go
        #law "Still free" on grab (require (not owner))"#;
    let mut position = open(text);
    assert_eq!(choices_of(&mut *position, O), ["grab gold"]);
    play_as(&mut *position, O, "grab gold").unwrap();
    play_as(&mut *position, X, "grab gold").unwrap();
    assert_eq!(property(&mut *position, "game", "got"), "(X)");
}

#[test]
fn a_question_met_in_a_test_means_legal() {
    let mut position = open(
        r#"#game "Toy" #players "X" #action go (ask player "Sure?" among (list "yes"))
        #law "Impossible" after go (require nil)"#,
    );
    assert_eq!(choices(&mut *position), ["go"]);
}

#[test]
fn a_game_that_is_over_asks_nothing_more() {
    let mut position = played(&asking(r#"(do (win player) (ask player "Which?" among (list 5 6)) end)"#), &["go"]);
    assert_eq!(ranks(&*position), [1, 2]);
    assert_eq!(property(&mut *position, "game", "answer"), "none", "what was running has ended");
}

/// [FR-137] [FR-138] A behavior waits for a signal that a representation can emit, and goes on with its tag; everything
/// done before it stays done.
#[test]
fn a_signal_is_waited_for_and_gives_its_tag() {
    let text = r#"#game "Toy" #players "X" #property heard (list)
        #action go (set heard to (list "before")) (set heard to (append (wait signal decided) to heard))
        #view "Buttons" of game
          #onMessage start
            (new graphic yes) (new graphic no)
            (on yes clicked emit decided with "agreed") (on no clicked emit decided with "refused")"#;
    let mut position = played(text, &["go"]);
    assert_eq!(choices(&mut *position), ["agreed", "refused"]);
    assert_eq!(property(&mut *position, "game", "heard"), "(before)");
    play(&mut *position, "refused").unwrap();
    assert_eq!(property(&mut *position, "game", "heard"), "(before refused)");
}

/// Two of five: each of the ten pairs is drawn as often as the others, although the first member can be followed by four
/// and the fourth by one. The distance from ten equal parts stays below what one draw in a thousand exceeds.
#[test]
fn some_of_a_list_are_drawn_by_lot_without_favour() {
    let text = r#"#game "Toy" #players "X" "O" #turns #property taken (list)
        #action take (set taken to (ask player "Which?" 2 of (list 1 2 3 4 5)))
        #sideeffect "End" on take (draw)"#;
    let loaded = houserules_gdl::read_text("test", text);
    let machine = houserules_machine::compile(&loaded.definition, &Default::default()).unwrap();
    for rulebook in [&rulebook(text) as &dyn Rulebook, &machine] {
        let mut drawn: std::collections::BTreeMap<String, u32> = std::collections::BTreeMap::new();
        let mut random = houserules_kernel::Generator::new(4);
        const DRAWS: u32 = 2_000;
        let start = rulebook.open().unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..DRAWS {
            let mut position = start.duplicate();
            while position.play_random(&mut random).unwrap() {}
            *drawn.entry(property(&mut *position, "game", "taken")).or_default() += 1;
        }
        let due = f64::from(DRAWS) / 10.0;
        let apart: f64 = drawn.values().map(|&n| (f64::from(n) - due).powi(2) / due).sum();
        assert_eq!(drawn.len(), 10, "{drawn:?}");
        assert!(apart < 27.9, "{apart}: {drawn:?}");
    }
}

/// Answers that nobody has any more are let go, even where a behavior never ends; what can be undone is still there.
#[test]
fn a_match_that_asks_for_ever_does_not_keep_every_answer() {
    let text = r#"#game "Toy" #players "X" "O" #property throws #property rounds 0
        #setup (var kept (list 1 (list 2 3)))
          (while true
            (set throws to (ask seats "Which?" among (join kept (list 4 (list 5 rounds)))))
            (increase rounds by 1))"#;
    let loaded = houserules_gdl::read_text("test", text);
    let game = compile(&loaded.definition, &Options::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut position = game.start().unwrap();
    let mut random = Generator::new(1);
    let mut sizes = Vec::new();
    for _ in 0..5 {
        for _ in 0..1000 {
            position.play_random(&mut random).unwrap();
            position.forget();
        }
        sizes.push(position.bytes());
    }
    assert!(sizes[4] <= 2 * sizes[0], "{sizes:?}");
    let mut been = Vec::new();
    for _ in 0..1000 {
        been.push((position.fingerprint(), position.view(Viewer::All), position.choices(Who::Seat(SeatId(1)))));
        position.play_random(&mut random).unwrap();
    }
    while let Some(before) = been.pop() {
        assert!(position.undo());
        assert_eq!(
            (position.fingerprint(), position.view(Viewer::All), position.choices(Who::Seat(SeatId(1)))),
            before
        );
    }
}
