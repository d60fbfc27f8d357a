use crate::{choices, open, play, play_as, played, property, ranks, rulebook, who};
use houserules_kernel::{RefusalKind, Rulebook, SeatId, Who};

const fn seat(number: u8) -> Who {
    Who::Seat(SeatId(number))
}

#[test]
fn only_the_player_whose_turn_it_is_may_act() {
    let mut position = open(r#"#game "Toy" #players "X" "O" #turns #action go"#);
    assert_eq!(who(&*position), [seat(0)]);
    let choice = position.choices(seat(0))[0].clone();
    assert_eq!(position.play(seat(1), &choice).unwrap_err().kind, RefusalKind::NotOffered);
    play(&mut *position, "go").unwrap();
    assert_eq!(who(&*position), [seat(1)]);
    assert_eq!(position.turn(), 1);
}

#[test]
fn without_turns_the_rules_pass_the_turn() {
    let mut position = open(r#"#game "Toy" #players "X" "O" #action go #action done (end turn)"#);
    play(&mut *position, "go").unwrap();
    assert_eq!((who(&*position), position.turn()), (vec![seat(0)], 0));
    play(&mut *position, "done").unwrap();
    assert_eq!((who(&*position), position.turn()), (vec![seat(1)], 1));
}

#[test]
fn again_keeps_the_turn_whatever_comes_after() {
    let position = played(r#"#game "Toy" #players "X" "O" #turns #action go (again) (end turn)"#, &["go"]);
    assert_eq!((who(&*position), position.turn()), (vec![seat(0)], 0));
}

#[test]
fn a_turn_ended_in_the_action_does_not_pass_twice() {
    let text = r#"#game "Toy" #players "A" "B" "C" #turns
        #action go (end turn to C)"#;
    let position = played(text, &["go"]);
    assert_eq!(who(&*position), [seat(2)]);
}

#[test]
fn in_free_turns_everybody_with_a_choice_is_asked() {
    let mut position = open(
        r#"#game "Toy" #players "A" "B" "C" #turns free #property last
        #action go (set last to player)
        #law "Not twice in a row" on go (require (!= last player))"#,
    );
    assert_eq!(who(&*position), [seat(0), seat(1), seat(2)]);
    play_as(&mut *position, seat(1), "go").unwrap();
    assert_eq!(who(&*position), [seat(0), seat(2)]);
}

#[test]
fn the_game_is_told_when_a_turn_begins_also_the_first() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns #property told (list)
        #model game #onMessage turn (set told to (append player to told))
        #action go"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "told"), "(X O)");
}

#[test]
fn a_player_without_a_choice_is_stuck() {
    let text = |answer: &str| {
        format!(
            r#"#game "Toy" #players "X" "O" #turns {answer}
            #action go
            #law "Only X" on go (require (= player X))"#
        )
    };
    let position = played(&text("#model game #onMessage stuck (lose player)"), &["go"]);
    assert_eq!(ranks(&*position), [1, 2]);
    let position = played(&text(""), &["go"]);
    assert_eq!(ranks(&*position), [1, 1], "unanswered: a draw");
    let position = played(&text("#model game #onMessage stuck (var x 1)"), &["go"]);
    assert_eq!(ranks(&*position), [1, 1], "answered without any change: a draw");
    let position = played(&text("#model game #onMessage stuck (end turn)"), &["go"]);
    assert_eq!(who(&*position), [seat(0)]);
}

#[test]
fn being_stuck_for_ever_is_a_fault() {
    let error = rulebook(
        r#"#game "Toy" #players "X" "O" #property n 0
        #model game #onMessage stuck (increase n by 1)"#,
    )
    .open()
    .err();
    assert!(error.is_some_and(|error| error.to_string().contains("times in a row")));
}

#[test]
fn with_more_than_two_a_loser_leaves_and_the_last_one_in_wins() {
    let mut position = open(r#"#game "Toy" #players "A" "B" "C" #turns #action resign (lose player) #action wait"#);
    play(&mut *position, "wait").unwrap();
    play(&mut *position, "resign").unwrap();
    assert_eq!(who(&*position), [seat(2)], "the turn has passed to the next one still in");
    play(&mut *position, "wait").unwrap();
    assert_eq!(who(&*position), [seat(0)]);
    play(&mut *position, "resign").unwrap();
    assert_eq!(ranks(&*position), [2, 3, 1]);
}

#[test]
fn a_finish_ranks_all_and_equals_share() {
    let position = played(
        r#"#game "Toy" #players "A" "B" "C" "D" #model player #property coins 0 #property cards 0
        #action go
          (set (coins of B) to 5) (set (coins of C) to 5) (set (cards of C) to 1)
          (finish by coins then cards)"#,
        &["go"],
    );
    assert_eq!(ranks(&*position), [3, 2, 1, 3]);
}

#[test]
fn a_team_wins_together() {
    let position = played(
        r#"#game "Toy" #players "N" "E" "S" "W" #teams (list N S) (list E W)
        #action go (win (team of player))"#,
        &["go"],
    );
    assert_eq!(ranks(&*position), [1, 2, 1, 2]);
}

#[test]
fn another_order_of_play_makes_the_first_one_s_turn() {
    let position =
        played(r#"#game "Toy" #players "A" "B" "C" #turns #action go (set players to (list C B A))"#, &["go"]);
    assert_eq!(who(&*position), [seat(2)]);
}

#[test]
fn player_is_the_actor_throughout_an_action() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #property heard (list)
        #model game #onMessage note (set heard to (append player to heard))
        #action go (end turn) (send note to game)
        #sideeffect "After" on go (send note to game) (set heard to (append (first players) to heard))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "heard"), "(X X O)");
}

#[test]
fn choices_stand_in_the_order_of_actions_receivers_and_attributes() {
    let mut position = open(
        r#"#game "Toy" #players "X"
        #model cell #board cell grid 2 1
        #action mark to (list b1 a1) with way (list 2 1) and (list nil way)
        #action pass
        #action hidden when asked"#,
    );
    assert_eq!(
        choices(&mut *position),
        [
            "mark a1 2",
            "mark a1 2 2",
            "mark a1 1",
            "mark a1 1 1",
            "mark b1 2",
            "mark b1 2 2",
            "mark b1 1",
            "mark b1 1 1",
            "pass"
        ]
    );
    let choice = position.choices(seat(0))[3].clone();
    let a1 = 2;
    assert_eq!(choice.0.as_slice(), [0, a1, 1 << 48 | 1, 1 << 48 | 1]);
}

#[test]
fn of_equal_things_only_the_first_is_offered() {
    let mut position = open(
        r#"#game "Toy" #players "X" #model man #property colour #model box
        #entity box
        #entity man with colour "red" #entity man with colour "blue" #entity man with colour "red"
        #action take to man (move self to box)"#,
    );
    assert_eq!(choices(&mut *position), ["take man", "take man"]);
    play(&mut *position, "take man").unwrap();
    assert_eq!(choices(&mut *position), ["take man", "take man", "take man"], "one now lies elsewhere");
}

#[test]
fn choices_have_words_of_their_own() {
    let mut position = open(
        r#"#game "Toy" #players "Ann" #model man #property colour
        #entity red is man with colour 1 #entity blue is man with colour 2
        #action take to man with how (list "gently" "fast") as "{player} takes {how}""#,
    );
    assert_eq!(
        choices(&mut *position),
        ["Ann takes gently (red)", "Ann takes fast (red)", "Ann takes gently (blue)", "Ann takes fast (blue)"]
    );
}
