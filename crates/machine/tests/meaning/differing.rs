//! Small programs that walker, interpreter and native code once ran differently.

use super::*;
use houserules_kernel::{Generator, laws};

/// What a condition compares with is had before the walk; the code of another condition must not overwrite it.
#[test]
fn a_condition_of_a_walk_leaves_the_others_alone() {
    for condition in ["(= mark opponent)", "(do (= mark opponent))", "(and true (= mark opponent))"] {
        let mut position = open(&format!(
            r#"#game "Toy" #players "X" "O" #turns
            #model cell #property mark #board cell track 4
            #setup (set (mark of (cell at 2)) to O) (set (mark of (cell at 3)) to X)
            #action place to cell (set mark to player)
            #law "Brackets" on place (require (any (walk next while {condition} until (= mark player))))"#
        ));
        assert_eq!(choices(&mut *position), ["place cell 1"], "{condition}");
    }
}

/// What was removed is let go when the action ends, whatever was undone in its middle.
#[test]
fn what_was_removed_before_a_roll_is_let_go_after_an_undo() {
    let rulebook = rulebook(
        r#"#game "Toy" #players "X" "O" #turns #property last 0
        #model cell #board cell grid 2 2
        #model man #property worth 3
        #setup (foreach c in cell (new man at c))
        #action hit to cell (remove (top of self))
        #law "Taken" on hit (require (top of self))
        #sideeffect "Dice" on hit (set last to (roll 6))"#,
    );
    laws::hold(&rulebook, 1, 10, 20).unwrap_or_else(|broken| panic!("{broken}"));
}

/// A place made in play is offered with the next action.
#[test]
fn a_place_made_in_play_is_offered_at_once() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns
        #model spot #property mark
        #entity spot
        #action grow (new spot)
        #action place to spot (set mark to player)
        #law "Only empty" on place (require (not mark))
        #law "Few" on grow (require (< (count spot) 3))"#,
    );
    assert_eq!(refusal(&mut *position, "grow"), None);
    assert_eq!(choices(&mut *position), ["grow", "place spot"]);
    play(&mut *position, "place spot").unwrap();
    play(&mut *position, "grow").unwrap();
    assert_eq!(choices(&mut *position).len(), 2);
    let mut random = Generator::new(3);
    while position.play_random(&mut random) == Ok(true) && !position.is_over() {}
}

/// A variable has the value it is given, in a condition too.
#[test]
fn a_variable_made_in_a_condition_is_one() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #property n 0
        #action go (if (var p players) (set n to (count p)) else (set n to 9))
        #action none (if (var q nil) (set n to 5) else (set n to 7))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "2");
    play(&mut *position, "none").unwrap();
    assert_eq!(property(&mut *position, "game", "n"), "7");
}

/// `self` is always somebody, whoever is looked at.
#[test]
fn a_condition_may_be_oneself() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns
        #model cell #board cell grid 2 1
        #model piece #setup (new piece at a1)
        #action place to cell (new piece at self)
        #law "Somebody" after place (require (any piece where self))
        #law "Few" after place (require (< (count piece where self) 3))"#,
    );
    assert_eq!(choices(&mut *position).len(), 2);
    play(&mut *position, "place b1").unwrap();
    assert!(position.is_over());
}

/// A law that asks for the choices of its own action steps aside, wherever in it the question stands.
#[test]
fn choices_of_the_action_itself_in_a_condition() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns
        #model cell #property mark #board cell grid 3 2
        #action place to cell with n (list 1 2) (set mark to n)
        #law "Only empty" on place (require (not mark))
        #law "Not alone" on place
          (require (or (= n 1) (any m in (choices place) where (and (= (n of m) 2) (= (label of m) "place")))))"#,
    );
    assert_eq!(choices(&mut *position).len(), 12);
    let mut random = Generator::new(5);
    while !position.is_over() {
        position.play_random(&mut random).unwrap();
    }
}

/// Chance has limits, and says which.
#[test]
fn a_die_with_too_many_sides_says_so() {
    assert!(fault("(roll 4294967298)").contains("at most"), "{}", fault("(roll 4294967298)"));
    assert!(fault("(roll 0)").contains("at least one side"));
    assert!(fault("(roll 6 times 20000)").contains("at once"));
    assert!(fault("(random 1 4294967298)").contains("at most"));
}

/// A word for a direction asks the place somebody is or lies on; where there is none, it is the direction itself.
#[test]
fn a_word_for_a_direction_is_one_where_nobody_can_be_asked() {
    assert_eq!(value("(if (is north in nil) 1 else 2)"), "2");
    assert_eq!(value("(count (walk (turned north back) from (cell at 1 2)))"), "1");
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns #model cell #board cell track 3
        #action go #action pass
        #law "In nothing" on pass (require (is next in nil))"#,
    );
    assert_eq!(choices(&mut *position), ["go"]);
    assert_eq!(refusal(&mut *position, "pass").map(|refusal| refusal.kind), Some(RefusalKind::Law));
}

/// Whoever is dealt as many cards as his hand can hold has them exchanged one by one.
#[test]
fn full_hands_are_dealt_anew() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns
        #model card #model hand #contents seen by owner #capacity 2
        #model deck #contents seen by nobody
        #entity deck #entity hand for each player
        #entity card at deck for each face in (list 1 2 3 4 5 6)
        #model card #property face
        #setup (foreach p in seats (move (top of deck) to (hand of p)) (move (top of deck) to (hand of p)))
        #action go"#,
    );
    let mut dealt = 0;
    for seed in 1..20 {
        let seat = houserules_kernel::SeatId(0);
        dealt += u32::from(position.redeal(seat, &mut Generator::new(seed)).is_some());
    }
    assert_eq!(dealt, 19);
}

/// A match in which chance answers for ever has no end, and no turn of it goes on for ever.
#[test]
fn turns_that_roll_and_end_at_once_are_played_one_after_the_other() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns #property n 0
        #model game #onMessage turn (set n to (roll 2)) (end turn)
        #action go"#,
    );
    let mut random = Generator::new(1);
    for _ in 0..1100 {
        assert_eq!(position.play_random(&mut random), Ok(true));
    }
    assert_eq!(position.turn(), 1100);
}

/// Nobody wins by `(win nil)`: that is a fault, and `(draw)` is a draw.
#[test]
fn only_players_can_win() {
    for nobody in ["nil", "(list)", "(list nil)", "(first cell)", "3", "cell"] {
        assert!(!fault(&format!("(win {nobody})")).is_empty());
        assert!(!fault(&format!("(do (draw) (win {nobody}))")).is_empty(), "over or not");
    }
    for winners in ["X", "\"X\"", "(list X)", "(list X nil)", "(list X a1)", "(all p in seats where (= p X))"] {
        let position = played(&one("(win WHO)", winners), &["go"]);
        assert_eq!(ranks(&*position), [1, 2], "{winners}");
    }
}

/// Several can lose at once, the first of them behind the others.
#[test]
fn losers_are_out_one_after_the_other() {
    for (losers, out) in [("X", [2, 1]), ("(list O)", [1, 2]), ("(list X O)", [2, 1]), ("seats", [2, 1])] {
        let position = played(&one("(lose WHO)", losers), &["go"]);
        assert_eq!(ranks(&*position), out, "{losers}");
    }
    let position = played(&one("(lose WHO)", "(list nil a1)"), &["go"]);
    assert!(!position.is_over(), "what is no player cannot lose");
    assert!(!fault("(lose 3)").is_empty());
}

/// Only players hear anything.
#[test]
fn what_is_no_player_is_told_nothing() {
    assert!(!fault(r#"(say "Psst." to a1)"#).is_empty());
    assert_eq!(value(r#"(do (say "Psst." to X) 1)"#), "1");
}

fn one(action: &str, who: &str) -> String {
    let action = action.replace("WHO", who);
    format!(
        r#"#game "Toy" #players "X" "O" #turns #model cell #board cell grid 2 1
        #action go {action}"#
    )
}

/// What a signal may bring is asked of the player who waits for it, whoever's turn it is.
#[test]
fn whoever_waits_for_a_signal_acts() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns #property held 0 #model player #property worth number
        #view "Buttons" of game #onMessage start
          (new graphic yes) (on yes clicked emit decided with (worth of player)) (on yes clicked emit decided with 7)
        #action go (let opponent do bid)
        #action bid when asked (set held to (wait signal decided))"#,
        &["go", "bid"],
    );
    assert_eq!(choices(&mut *position), ["2", "7"]);
    play(&mut *position, "2").unwrap();
    assert_eq!(property(&mut *position, "game", "held"), "2");
}

/// `(seen)` before anything was seen.
#[test]
fn a_first_value_has_seen_nothing() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns #property n (seen) #model cell #property k (seen) #board cell grid 2 1
        #model man #property worth (seen)
        #action go to cell (new man at self) (set n to (worth of top))"#,
        &["go a1"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "0");
    assert_eq!(property(&mut *position, "a1", "k"), "0");
}

/// Attributes that ask for the choices of their own action are a fault, found out at once. Native code goes on for as long
/// as it may, and no longer.
#[test]
fn attributes_that_ask_for_the_choices_of_their_own_action_are_a_fault() {
    let text = r#"#game "Toy" #players "X" "O" #turns #model cell #property mark #board cell grid 4 4
        #action go to cell with k (if (any (choices go)) (list 1 2) else (list 1)) (set mark to k)
        #action wait
        #law "Only empty" on go (require (not mark))"#;
    let definition = houserules_gdl::read_text("test", text).definition;
    let slow = Lockstep::interpreted(&definition, &Options::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
    assert_eq!(choices(&mut *slow.open().unwrap()), ["wait"]);
    let budget = houserules_model::Budget { steps: 200_000, ..Default::default() };
    let native = houserules_machine::compile(&definition, &Options { budget, ..Options::default() }).unwrap();
    native.program().go_native();
    if let Ok(mut position) = native.start() {
        position.choices(who(&position)[0]);
    }
}

/// What only some things of a list know is nil of the others.
#[test]
fn a_word_that_one_thing_of_a_list_does_not_know_is_nil_of_it() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns #property n 0 #property m 0
        #model cell #property heat 2 #board cell grid 2 2
        #action go
          (set n to (count (list game a1 b2 X) where heat))
          (set m to (count (list game a1 X) where (is b1 in adjacent)))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "2");
    assert_eq!(property(&mut *position, "game", "m"), "1");
}

/// A message that was made for nobody is sent to nobody, as `(send poke to nil)` is.
#[test]
fn a_message_to_nobody_is_not_sent_to_the_game() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns #property n 0 #property held
        #model game #onMessage poke (set n to 1)
        #action go (var m (new message poke to held)) (send m)
        #action tell (var m (new message poke to game)) (send m)"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "0");
    play(&mut *position, "tell").unwrap();
    assert_eq!(property(&mut *position, "game", "n"), "1");
}

/// An action to some things of a model is no action of the game.
#[test]
fn only_things_of_the_model_can_receive_an_action_to_some_of_them() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns #property held
        #model cell #property mark #board cell grid 2 1
        #action place to (all cell where (not mark)) (set mark to player)
        #law "After" after place (suppose (new message place to held) nil)"#,
    );
    assert_eq!(choices(&mut *position), ["place a1", "place b1"]);
}

/// On a board that wraps around nobody counts twice: two in a column of two are two.
#[test]
fn a_line_around_the_board_counts_each_place_once() {
    let text = |n: u32| {
        format!(
            r#"#game "Toy" #players "X" "O" #model cell #property mark #board cell grid 3 2 wrapping
            #action place to cell (set mark to X)
            #sideeffect "Line" on place (if (line {n} of mark along orthogonal) (win X))"#
        )
    };
    assert!(!played(&text(3), &["place a1", "place a2"]).is_over());
    assert!(played(&text(2), &["place a1", "place a2"]).is_over());
    assert!(played(&text(3), &["place a1", "place b1", "place c1"]).is_over());
    assert!(!played(&text(4), &["place a1", "place b1", "place c1"]).is_over());
}

/// Plays some matches at random in every way at once, and asks everything that can be asked meanwhile.
fn alike(text: &str) {
    let rulebook = rulebook(text);
    for seed in 0..8 {
        let Ok(mut position) = rulebook.open() else { continue };
        let mut random = Generator::new(seed);
        for _ in 0..12 {
            for who in position.decision().open_to() {
                position.choices(who);
                if let Who::Seat(seat) = who {
                    position.offers(seat);
                    position.evaluate("worth", seat);
                }
            }
            if !position.play_random(&mut random).is_ok_and(|played| played) {
                break;
            }
        }
        let mut position = rulebook.open().unwrap();
        let _ = position.playout(&mut random, 20);
    }
}

/// Whoever plays no more has no opponent.
#[test]
fn who_has_lost_has_nobody_against_them() {
    alike(
        r#"#game "Toy" #players "X" "O" "Z" #model cell #board cell ring 6
        #action place to cell (lose player)
        #sideeffect "Win" on place (if (= nil opponent) (win player))"#,
    );
    alike(
        r#"#game "Toy" #players "X" "O" "Y" "Z" #model cell #property mark #board cell grid 3 2
        #model man #setup (new man at (last cell) with owner O)
        #action place to cell
        #action go to man with target adjacent
        #action pass
        #law "Law B" on place (if (suppose (new message place to (last cell)) (can place for opponent)) (require (= mark player)))
        #sideeffect "Win" on place pass (lose player)"#,
    );
}

/// What a side-effect returns goes to nobody, and is computed: it may have a fault.
#[test]
fn a_side_effect_may_fail_while_it_returns() {
    let mut position = open(
        r#"#game "Toy" #players "X" #model cell #board cell track 5
        #action push to cell
        #sideeffect "More" on push (return (abs nil))"#,
    );
    let refused = play(&mut *position, "push cell 1").expect_err("it has a fault");
    assert!(refused.reason.contains("number"), "{}", refused.reason);
}

/// Of nil a set of directions gives no places, unless something else has an answer of that name.
#[test]
fn directions_of_nil_give_no_places() {
    alike(
        r#"#game "Toy" #players "X" #model cell #board cell grid 4 4 #directions next (east)
        #action place to cell (distance (next of (any cell where nil)) nil via nil) (changeState hot of (next of (any adjacent where nil)))
        #action pass
        #law "After" after place"#,
    );
    let mut position = played(
        r#"#game "Toy" #players "X" #model cell #board cell grid 4 4 #directions away (east) (west) #property heard
        #action go (set heard to (list (away of nil) (next of nil) (orthogonal of (any cell where nil)) (column of nil)))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "heard"), "(() nil () nil)");
}

/// `next` is what players answer, too: of a thing that lies nowhere it is nil, though several places may be next to another.
#[test]
fn a_word_for_several_directions_is_nil_of_what_lies_nowhere_if_others_answer_it() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns #board cell rhombus 3 3 #directions next east #directions far (east) (west)
        #model cell #model token #property worth #property seen
        #entity token with worth 2
        #action take to token (set seen to (list next far))
        #law "Nowhere" on take (require (= next nil))"#,
    );
    assert_eq!(choices(&mut *position), ["take token"]);
    play(&mut *position, "take token").unwrap();
    assert_eq!(property(&mut *position, "token", "seen"), "(nil ())");
}

/// What is looked at need not be a place, and then no line goes through it, not even one through who asks.
#[test]
fn a_line_through_what_is_no_thing_is_a_fault() {
    for (looked_at, lines) in [("(list 1 2)", None), ("(list nil)", Some("nil")), ("(list a1 b1)", Some("true"))] {
        let body = format!("(if (any k in {looked_at} where (line 2 of mark)) true else nil)");
        let text = format!(
            r#"#game "Toy" #players "X" "O" #model cell #property mark 1 #board cell grid 2 1
            #property seen #action go (set seen to {body})"#
        );
        let mut position = open(&text);
        match (play(&mut *position, "go"), lines) {
            (Ok(()), Some(lines)) => assert_eq!(property(&mut *position, "game", "seen"), lines),
            (Err(refused), None) => assert_eq!(refused.kind, RefusalKind::Fault),
            (played, _) => panic!("{looked_at}: {played:?}"),
        }
    }
}

/// What a law has found out about another action is known to whoever draws the next choice, in native code as well.
#[test]
fn what_a_law_asks_of_another_action_is_drawn_by_in_every_way() {
    alike(
        r#"#game "Toy" #players "X" "O" #turns #board cell grid 3 2 #model cell #model man #property worth
        #setup (new man at (last cell))
        #action go to man with target adjacent more (list 1 2) (set worth to more)
        #action hop to man with over (= nil opponent)
        #law "Asks" on go (can hop)"#,
    );
    alike(
        r#"#game "Toy" #players "X" "O" #turns #board cell grid 4 4 #model cell #property mark
        #action place to cell
        #action push to cell with n (range 0 2)
        #action pass
        #law "Nobody" on place (require (= mark opponent))
        #law "Asks" on pass (require (can place))"#,
    );
}

/// A relation holds things, from the beginning on and whoever sets it; a text in it is the thing of that name.
#[test]
fn a_relation_holds_things_whoever_gives_it_what() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns #relation best "Loch 2" #property seen
        #model hole #relation ahead #relation both
        #entity "Loch 1" is hole with ahead "Loch 2" both (list "Loch 1" "Loch 2")
        #entity "Loch 2" is hole with ahead (entity "Loch 1")
        #action look to hole (set seen to (list (= (ahead of ahead) self) (= best (entity "Loch 2")) (is self in both)))
        #action turn to hole with other (list "Loch 1") (set best to other)"#,
    );
    assert_eq!(choices(&mut *position), ["look Loch 1", "look Loch 2", "turn Loch 1 Loch 1", "turn Loch 2 Loch 1"]);
    play(&mut *position, "look Loch 1").unwrap();
    assert_eq!(property(&mut *position, "game", "seen"), "(true true true)");
    play(&mut *position, "turn Loch 2 Loch 1").unwrap();
    assert_eq!(property(&mut *position, "game", "best"), "Loch 1");
    let wrong = r#"#game "Toy" #players "X" #model hole #relation ahead #entity A is hole with ahead AHEAD #action go"#;
    for ahead in ["3", r#""nobody""#, "(list A 3)"] {
        let definition = houserules_gdl::read_text("test", &wrong.replace("AHEAD", ahead)).definition;
        assert!(Lockstep::new(&definition, &Options::default()).is_err(), "{ahead}");
    }
}

/// A relation of one model says nothing about a property of that name in another.
#[test]
fn a_property_may_be_called_as_a_relation_of_another_model() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns #property goal 0
        #model man #relation goal #entity Ann is man
        #model hole #property goal 7 #onMessage fill (set goal to "full") #entity pit is hole
        #model cell #property goal 1 #board cell grid 2 2
        #action go (set goal to 3) (send fill to pit) (foreach c in cell (set (goal of c) to (list 1 2))) (set (goal of Ann) to "pit")
        #action wrong (set (goal of Ann) to 3)"#,
    );
    assert_eq!(refusal(&mut *position, "wrong"), None);
    assert!(play(&mut *position, "wrong").is_err(), "it is one of a man");
    play(&mut *position, "go").unwrap();
    let goals = ["game", "pit", "a1", "Ann"].map(|thing| property(&mut *position, thing, "goal"));
    assert_eq!(goals, ["3", "full", "(1 2)", "pit"]);
}

/// Until the action ends what was removed knows where it lay, and what lies around there.
#[test]
fn what_was_removed_knows_where_it_lay() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #turns #property seen #property lain
        #model cell #board cell grid 3 1
        #model man #setup (new man at b1)
        #action go to man (set lain to self) (remove self)
        #action pass
        #sideeffect "Seen" on go (set (seen of game) to (list place east (count (contents of b1)) (any man)))
        #sideeffect "Later" on pass (set seen to (list lain (place of lain)))"#,
    );
    play(&mut *position, "go b1").unwrap();
    assert_eq!(property(&mut *position, "game", "seen"), "(b1 c1 0 nil)");
    play(&mut *position, "pass").unwrap();
    assert!(property(&mut *position, "game", "seen").ends_with(" nil)"));
}

/// Winning is a statement and no question, whatever the game answers to its end.
#[test]
fn winning_gives_no_value() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns #property n 5
        #model game #onMessage gameover (+ n 1)
        #action go (set n to (do (win player)))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "nil");
}

/// Nor does a message that is only changed.
#[test]
fn changing_a_message_gives_no_value() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns #property n 5
        #model cell #onMessage poke k (update message attribute k to 3) #board cell grid 2 1
        #action go (set n to (send poke to (reverse cell) with k 1))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "nil");
}

/// As a message to nobody is not sent, a question to nobody is not asked; and nobody is asked twice.
#[test]
fn a_question_to_nobody_is_not_asked() {
    for (whom, asked, expected) in [
        ("nil", "among (list 1 2)", "nil"),
        ("nil", "2 of (list 1 2)", "()"),
        ("(list nil)", "among (list 1 2)", "{}"),
        ("nil", "some of (list 1 2)", "()"),
    ] {
        let text = format!(
            r#"#game "Toy" #players "X" "O" #turns #property n 5
            #action go (set n to (ask {whom} "?" {asked})) (let nil do bid)
            #action bid when asked"#
        );
        let mut position = played(&text, &["go"]);
        assert_eq!(property(&mut *position, "game", "n"), expected, "{whom} {asked}");
    }
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns #property n 5
        #action go (set n to (ask (list X nil X) "?" among (list 1 2)))"#,
        &["go"],
    );
    assert_eq!(who(&*position).len(), 1);
    play(&mut *position, "2").unwrap();
    assert!(!position.is_over() && choices(&mut *position) == ["go"]);
}

/// A law bound to a state says nothing about receivers in another one, though it reads nothing of them.
#[test]
fn a_law_bound_to_a_state_closes_the_action_for_nobody_else() {
    let text = r#"#game "Toy" #players "X" "O" #turns #board cell grid 3 1 #model cell #property mark
        #action place to cell (set mark to player)
        #action warm to cell with n (list 2) (changeState hot)
        #action pass
        #law "Not hot" on place in hot (require nil)
        #law "Able" on pass (require (can place))"#;
    let mut position = played(text, &["warm a1 2"]);
    assert_eq!(choices(&mut *position), ["place b1", "place c1", "warm a1 2", "warm b1 2", "warm c1 2", "pass"]);
    alike(text);
}

/// Laws are asked in the order of the definition: what an earlier one refuses does not come to a fault of a later one,
/// though that one reads less and could be asked first.
#[test]
fn a_law_that_refuses_keeps_from_the_fault_of_a_later_one() {
    let position = open(
        r#"#game "Toy" #players "X" "O" #turns #board cell grid 4 3 #model cell
        #action place to cell
        #action push to cell with n (list 1)
        #law "Nowhere" on * (require (step forward from nil))
        #law "Faulty" on place (+ nil 3)"#,
    );
    assert!(position.is_over(), "nobody can do anything");
}

/// Where all may act, a fault in what one could do is told only where nobody can do anything.
#[test]
fn a_fault_for_one_player_does_not_stop_the_others() {
    let mut position = open(
        r#"#game "Toy" #players "X" "Z" #turns free #model player #property gold 3
        #action pass
        #law "Rich" on pass (>= (gold of player) 1)
        #sideeffect "Begun" on turn (set (gold of player) to nil)"#,
    );
    assert_eq!(position.decision().open_to().len(), 1, "only who has gold can pass");
    play(&mut *position, "pass").unwrap();
}

#[test]
fn a_place_is_no_steps_away_from_itself_whatever_way_it_is() {
    alike(
        r#"#game "Toy" #players "O" #model cell #board cell hex 2 where (!= row column)
        #model man #setup (foreach c in cell (new man at c with owner O))
        #action go to man
        #evaluator "worth" (distance self self along orthogonal while nil)"#,
    );
}

#[test]
fn a_line_is_sought_in_a_direction_of_ones_own() {
    alike(
        r#"#game "Toy" #players "O" #board cell grid 3 3 #directions next east
        #model cell #property mark
        #model man #property worth
        #setup (new man at (last cell) with owner O worth 2)
        #action go to man with target adjacent (move self to target)
        #action pass
        #law "Law A" on go (if nil (choices go) else (line 2 of mark through next along orthogonal))"#,
    );
}
