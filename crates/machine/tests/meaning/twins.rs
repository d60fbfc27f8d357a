//! Things equal in everything: one is offered for all, but only where no rule and no person can tell them apart.

use super::*;

/// Two pawns without names of their own, in a box together.
fn pawns(rules: &str) -> Vec<String> {
    choices(&mut *open(&format!(
        r#"#game "Toy" #players "X" #property kept
        #model box #model bag #model pawn #property n 0
        #entity box #entity bag
        #entity pawn 2 times at box
        #action take to pawn (move self to bag)
        #law "Not twice" on take (require (= place box))
        {rules}"#
    )))
}

#[test]
fn equal_things_are_offered_as_one() {
    assert_eq!(pawns("").len(), 1);
    assert_eq!(pawns(r#"#law "Alone" on take (require (none pawn where (and (!= it self) (> n 0))))"#).len(), 1);
}

/// Whoever gave them names sees two things.
#[test]
fn things_with_names_are_two() {
    let mut position = open(
        r#"#game "Toy" #players "X" #model end #property gone
        #entity left is end #entity right is end
        #action take to end (set gone to true)
        #law "Once" on take (require (not gone))"#,
    );
    assert_eq!(choices(&mut *position), ["take left", "take right"]);
}

/// Otherwise the only legal move would be lost.
#[test]
fn a_thing_that_a_rule_means_is_offered() {
    let only = |rules: &str| pawns(rules).len();
    assert_eq!(only(r#"#law "The second" on take (require (= number 2))"#), 1);
    assert_eq!(only(r#"#law "The top one" on take (require (= self (top of box)))"#), 1);
    assert_eq!(only(r#"#law "The last" on take (require (= self (last (contents of box))))"#), 1);
    assert_eq!(
        only(
            r#"#model bag #relation favourite #setup (set (favourite of bag) to (last (contents of box))) #law "The favourite" on take (require (= self (favourite of bag)))"#
        ),
        1,
        "a relation leads to one of them"
    );
    assert_eq!(
        only(
            r#"#setup (set kept to (last (contents of box))) #law "The kept one" on take (require (is kept in (list self)))"#
        ),
        1
    );
}

/// In a stack it matters who lies between them.
#[test]
fn equal_things_in_a_stack_with_another_between_them_are_two() {
    let mut position = open(
        r#"#game "Toy" #players "X" #model box #model bag #model pawn #property n 0
        #entity box #entity bag
        #setup (new pawn at box) (new pawn at box with n 1) (new pawn at box)
        #action take to pawn (move self to bag)
        #law "Not twice" on take (require (= place box))"#,
    );
    assert_eq!(choices(&mut *position).len(), 3);
}

/// What players were given at the start holds them all, but as long as nobody asks for it, nobody can tell them apart by it.
#[test]
fn things_given_to_players_are_one_until_somebody_asks_for_them() {
    let offered = |rules: &str| {
        let text = format!(
            r#"#game "Toy" #players "X" "O" #turns
            #model bag #entity bag #model pawn #property n 0
            #entity pawn 2 times for each player
            #action take to pawn (move self to bag)
            #law "Own" on take (require (and (= owner player) (not place)))
            {rules}"#
        );
        choices(&mut *open(&text)).len()
    };
    assert_eq!(offered(""), 1);
    assert_eq!(offered(r#"#law "All" on take (require (is self in (pawn of player)))"#), 2);
}
