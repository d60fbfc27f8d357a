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
