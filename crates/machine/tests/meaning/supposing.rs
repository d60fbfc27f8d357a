use crate::{choices, open, play, played, property};

const COUNTER: &str = r#"#game "Toy" #players "X" "O" #property n 0 #property result "none"
    #action add with k (list 1 2 3) (increase n by k)
    #law "At most four" after add (require (<= n 4))"#;

#[test]
fn can_and_choices_look_without_changing_anything() {
    let text = format!("{COUNTER} #action look (set result to (list (can add) (count (choices add)) n))");
    let mut position = played(&text, &["add 2", "look"]);
    assert_eq!(property(&mut *position, "game", "result"), "(true 2 2)");
}

#[test]
fn suppose_tells_what_would_be() {
    let text = format!(
        r#"{COUNTER}
        #action look (set result to (all (suppose m n) of m in (choices add ignoring "At most four")))
        #action try (set result to (list (suppose (new message add with k 4) n) (suppose (new message add with k 5) n)))"#
    );
    let mut position = played(&text, &["add 3", "look"]);
    assert_eq!(property(&mut *position, "game", "result"), "(4 5 6)", "tried without the rule ignored");
    assert_eq!(property(&mut *position, "game", "n"), "3");
    let mut position = played(&text, &["try"]);
    assert_eq!(property(&mut *position, "game", "result"), "(4 nil)");
}

/// A law is left out of its own questions, so it cannot ask for ever.
#[test]
fn a_law_may_ask_what_else_could_be_done() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0
        #action add with k (list 1 2 3)
        #law "Not the largest" on add (require (any m in (choices add) where (> (k of m) k)))"#,
    );
    assert_eq!(choices(&mut *position), ["add 1", "add 2"]);
}

#[test]
fn another_player_s_possibilities_can_be_asked() {
    let text = r#"#game "Toy" #players "X" "O" #property result
        #action only
        #action look (set result to (list (can only) (can only for opponent)))
        #law "Only O" on only (require (= player O))"#;
    let mut position = played(text, &["look"]);
    assert_eq!(property(&mut *position, "game", "result"), "(nil true)");
}

#[test]
fn seen_counts_equal_positions_at_the_end_of_actions() {
    let text = r#"#game "Toy" #players "X" "O" #turns #property side "left" #property result #history side
        #action flip (set side to (if (= side "left") "right" else "left"))
        #action look
        #sideeffect "Tell" on look flip (set result to (list (seen) (seen within 1)))"#;
    let mut position = open(text);
    play(&mut *position, "flip").unwrap();
    assert_eq!(property(&mut *position, "game", "result"), "(0 0)");
    play(&mut *position, "flip").unwrap();
    assert_eq!(property(&mut *position, "game", "result"), "(1 0)", "the start counts");
    play(&mut *position, "look").unwrap();
    assert_eq!(property(&mut *position, "game", "result"), "(2 1)");
}

#[test]
fn by_player_the_same_position_of_another_mover_is_another() {
    let text = r#"#game "Toy" #players "X" "O" #turns #property side "left" #property result #history side by player
        #action flip (set side to (if (= side "left") "right" else "left"))
        #action stay
        #sideeffect "Tell" on flip stay (set result to (seen))"#;
    let mut position = open(text);
    play(&mut *position, "stay").unwrap();
    assert_eq!(property(&mut *position, "game", "result"), "0", "X leaves what O had left");
    play(&mut *position, "stay").unwrap();
    assert_eq!(property(&mut *position, "game", "result"), "1");
}

/// What a supposed message ignores is asked again by whatever is looked at after it.
#[test]
fn rules_are_ignored_by_the_supposed_message_alone() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns #board cell grid 2 1 #model cell #property mark
        #action place to cell (set mark to player)
        #action pass
        #law "Taken" on place (require (not mark) "It is taken.")
        #law "Full" on pass (require (any m in (choices place ignoring "Taken") where (suppose m (not (can place)))) "No.")"#,
        &["place a1"],
    );
    assert_eq!(choices(&mut *position), ["place b1", "pass"]);
}

/// What was found without a law is refused by it where it is really sent.
#[test]
fn a_message_that_is_sent_is_asked_by_every_law() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns #board cell grid 2 1 #model cell #property mark
        #action place to cell (set mark to player)
        #action all (foreach m in (choices place ignoring "Not the second") (send m))
        #law "Not the second" on place (require (!= self b1) "Not there.")"#,
        &["all"],
    );
    assert_eq!(property(&mut *position, "a1", "mark"), "X");
    assert_eq!(property(&mut *position, "b1", "mark"), "nil");
}

/// Outside an action `player` is whose turn it is, in what is supposed as well.
#[test]
fn what_is_supposed_may_pass_the_turn() {
    let mut position = open(
        r#"#game "Toy" #players "X" "O" "Z" #turns #property next #property all
        #action leave (lose player)
        #model game #onMessage turn
          (set next to (suppose (new message leave) player))
          (set all to (suppose (new message leave) (list player opponent (count players))))"#,
    );
    assert_eq!(property(&mut *position, "game", "next"), "O");
    assert_eq!(property(&mut *position, "game", "all"), "(O Z 2)");
    play(&mut *position, "leave").unwrap();
    assert_eq!(property(&mut *position, "game", "next"), "Z");
}
