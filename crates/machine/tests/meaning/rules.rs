use crate::{choices, open, play, played, property, ranks, refusal, rulebook};
use houserules_kernel::{RefusalKind, Rulebook};

/// [FR-34] [FR-36] [FR-37] [FR-41] [FR-42] The first law that refuses gives the reason, and nothing has happened.
#[test]
fn the_first_law_that_refuses_gives_the_reason() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0
        #action go (increase n by 1) #action stay
        #law "Never" on go (require nil)
        #law "Not either" on go (return "because")"#,
    );
    assert_eq!(choices(&mut *position), ["stay"]);
    let refusal = refusal(&mut *position, "go").unwrap();
    assert_eq!((refusal.law.as_deref(), &*refusal.reason), (Some("Never"), "Never"));
    assert_eq!(property(&mut *position, "game", "n"), "0");
}

/// [FR-36] [FR-85] A bare return in a law refuses, and a reason may be returned.
#[test]
fn a_law_refuses_by_returning() {
    let mut position = open(
        r#"#game "Toy" #players "X" #action go #action stay
        #law "Never" on go (if true (return "because"))"#,
    );
    assert_eq!(refusal(&mut *position, "go").unwrap().reason, "because");
}

/// A law on a message that is not the action stops that message only.
#[test]
fn a_refusal_inside_is_quiet() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0 #property heard
        #model game #onMessage inner (increase n by 1)
        #action go (set heard to (send inner to game)) (increase n by 10)
        #law "No inner" on inner (require nil)"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "10");
    assert_eq!(property(&mut *position, "game", "heard"), "nil");
}

/// [FR-45] [FR-121] [FR-124] A rollback in a nested message cancels the whole action.
#[test]
fn a_rollback_inside_takes_the_action_back() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0
        #model game #onMessage inner (increase n by 1)
        #action go (increase n by 1) (send inner to game) #action stay
        #sideeffect "No" on inner (rollback "No further.")"#,
    );
    assert_eq!(choices(&mut *position), ["stay"]);
    let refusal = refusal(&mut *position, "go").unwrap();
    assert_eq!((refusal.kind, &*refusal.reason), (RefusalKind::Law, "No further."));
}

/// [FR-43] [FR-48] [FR-117] Side-effects and after-laws run in the order of the definition.
#[test]
fn rules_after_the_behavior_run_in_order() {
    let text = |limit: u32| {
        format!(
            r#"#game "Toy" #players "X" #property n 0
            #action go (set n to 1) #action stay
            #sideeffect "Double" on go (set n to (* 2 n))
            #law "Small" after go (require (<= n {limit}))
            #sideeffect "More" on go (increase n by 5)"#
        )
    };
    let mut position = played(&text(2), &["go"]);
    assert_eq!(property(&mut *position, "game", "n"), "7");
    assert_eq!(choices(&mut *open(&text(1))), ["stay"]);
}

/// What only follows from a choice is no part of its legality: here it could not even be computed.
#[test]
fn consequences_are_not_tested() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0
        #action go (set n to 1)
        #law "Fine" after go (require (= n 1))
        #sideeffect "Impossible" on go (set n to (/ 1 0))"#,
    );
    assert_eq!(choices(&mut *position), ["go"]);
    assert_eq!(play(&mut *position, "go").unwrap_err().kind, RefusalKind::Fault);
}

/// [FR-114] [FR-115] [FR-116] A star stands for any label and any state.
#[test]
fn a_star_in_a_pointcut_is_any_label_or_state() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0
        #model lamp #state lit #onMessage press (return 1)
        #entity lamp
        #action go (changeState lit of lamp) (send press to lamp)
        #sideeffect "Count" on * to lamp in * (increase (n of game) by 1)
        #sideeffect "Only dark" on press to lamp in default (increase (n of game) by 100)"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "1");
}

/// The state in a pointcut is the state when the message came.
#[test]
fn a_behavior_that_changes_state_still_meets_the_rules_of_the_old_one() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0
        #model lamp #onMessage press (changeState lit)
        #entity lamp
        #action go (send press to lamp)
        #sideeffect "Was dark" on press to lamp in default (increase (n of game) by 1)
        #sideeffect "Was lit" on press to lamp in lit (increase (n of game) by 10)"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "1");
}

/// [FR-49] A rule that is off does not run; one put before another runs before it.
#[test]
fn rules_are_switched_and_ordered_by_name() {
    let text = r#"#game "Toy" #players "X" #property n 1
        #action go
        #sideeffect "Double" on go (set n to (* 2 n))
        #sideeffect "Win" on go (win player)
        #rule "Win" off
        #sideeffect "Add" before "Double" on go (increase n by 1)"#;
    let mut position = played(text, &["go"]);
    assert_eq!(property(&mut *position, "game", "n"), "4");
}

/// The first outcome stands.
#[test]
fn the_first_outcome_stands_and_what_runs_runs_on() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #property n 0
        #action go (win opponent) (win player) (increase n by 1) (set n to (if (roll 6) 100 else n))"#,
        &["go"],
    );
    assert_eq!(ranks(&*position), [2, 1]);
    assert_eq!(property(&mut *position, "game", "n"), "1");
}

/// A rollback takes an outcome back like everything else.
#[test]
fn a_win_can_be_rolled_back() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #action go (win player) #action stay
        #law "Not so" after go (require nil)"#,
    );
    assert_eq!(choices(&mut *position), ["stay"]);
}

/// [FR-118] [FR-119] [FR-123] Outside an action a rollback needs a checkpoint.
#[test]
fn a_rollback_in_the_set_up_goes_back_to_its_checkpoint() {
    let text = |before: &str| {
        format!(
            r#"#game "Toy" #players "X" #property n 0
            #setup (set n to 1) {before} (set n to 2) (rollback "no")
            #action go"#
        )
    };
    let mut position = open(&text("(open checkpoint)"));
    assert_eq!(property(&mut *position, "game", "n"), "1");
    let error = rulebook(&text("")).open().err().expect("there is no checkpoint");
    assert!(error.to_string().contains("checkpoint"), "{error}");
}

/// A second try after a roll would be free: that is a fault, and it names the rule.
#[test]
fn taking_back_after_chance_is_a_fault() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0
        #action go (set n to (roll 6))
        #law "Only sixes" after go (require (= n 6))"#,
        &["go"],
    );
    let fault = play(&mut *position, "1").unwrap_err();
    assert_eq!(fault.kind, RefusalKind::Fault);
    assert!(fault.reason.contains("Only sixes"));
    play(&mut *position, "6").unwrap();
}

/// A place with a capacity refuses what it cannot hold.
#[test]
fn a_full_place_refuses_a_move() {
    let mut position = open(
        r#"#game "Toy" #players "X"
        #model box #capacity 1 #model coin #property value
        #entity box #entity big is coin with value 5 #entity small is coin with value 1
        #action drop to coin (move self to box)
        #action stay
        #law "Once" on drop (require (not place))"#,
    );
    assert_eq!(choices(&mut *position), ["drop big", "drop small", "stay"]);
    play(&mut *position, "drop big").unwrap();
    assert_eq!(choices(&mut *position), ["stay"]);
    assert!(refusal(&mut *position, "drop small").unwrap().reason.contains("room"));
}

/// `top` of a supply is never nil as long as it lasts.
#[test]
fn a_supply_makes_the_next_thing_when_one_is_taken() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0
        #model coin #model bank #supply coin 3 #model purse
        #entity bank #entity purse
        #action take (move (top of bank) to purse)
        #law "While it lasts" on take (require (top of bank))"#,
        &["take", "take", "take"],
    );
    assert_eq!(ranks(&*position), [1]);
    let view = position.view(houserules_kernel::Viewer::All);
    let purse = view.things.iter().find(|thing| thing.name == "purse").unwrap();
    assert_eq!(purse.count, Some(3));
}

/// A rule may be bound to one player by name: it holds for what that player does, and for nobody else.
#[test]
fn a_rule_is_bound_to_one_player() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns
        #model player #onMessage pay n (increase (score of self) by n)
        #action take with n (list 1 2) (send pay to player with n n)
        #law "X takes one" on pay to X (require (= n 1) "X takes only one.")
        #sideeffect "End" on take (if (= player O) (finish by score))"#,
    );
    for (player, score) in [("X", "0"), ("O", "2")] {
        play(&mut *position, "take 2").unwrap();
        assert_eq!(property(&mut *position, player, "score"), score);
    }
}

/// [FR-39] A law reads the properties of every entity, and [FR-44] so does a side-effect.
#[test]
fn laws_and_side_effects_read_every_entity() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns #property sum 0
        #model jar #property coins 2 #entity left is jar #entity right is jar
        #action take to jar (decrease coins by 1)
        #law "Not from the smaller" on take (require (>= coins (property coins of right)))
        #sideeffect "Sum" on take (set sum to (+ (property coins of left) (property coins of right)))"#,
    );
    play(&mut *position, "take left").unwrap();
    assert_eq!(property(&mut *position, "game", "sum"), "3");
    assert_eq!(choices(&mut *position), ["take right"]);
    assert_eq!(refusal(&mut *position, "take left").unwrap().law.as_deref(), Some("Not from the smaller"));
}

/// [FR-38] A law rolls back, and everything is as it was before.
#[test]
fn a_law_rolls_back() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0 #action go (increase n by 1) #action stay
        #law "Only twice" on go (if (> n 1) (rollback "Twice is enough."))"#,
    );
    for _ in 0..2 {
        play(&mut *position, "go").unwrap();
    }
    assert_eq!(refusal(&mut *position, "go").unwrap().reason, "Twice is enough.");
    assert_eq!((property(&mut *position, "game", "n").as_str(), choices(&mut *position)), ("2", vec!["stay".into()]));
}

/// [FR-47] A side-effect says that the game is over, and who has won, by the message `gameover` with `winner`.
#[test]
fn a_side_effect_ends_the_game_by_gameover() {
    let position = played(
        r#"#game "Toy" #players "X" "O" #action go
        #sideeffect "O has won" on go (send gameover to game with winner O)"#,
        &["go"],
    );
    assert_eq!(ranks(&*position), [2, 1]);
}
