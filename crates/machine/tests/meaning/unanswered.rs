//! Messages that nobody answers, and whom rules are bound to.

use super::*;

/// A message that nobody answers in that state is none: laws do not ask about it, and nothing follows from it.
#[test]
fn rules_pass_over_a_message_that_nobody_answers() {
    let text = |state: &str| {
        format!(
            r#"#game "Toy" #players "X" #property n 0
            #model lamp #property told #state open #onMessage press (set told to true)
            #entity lamp
            #action go (changeState {state} of lamp) (send press to lamp) (increase n by 1)
            #action stay
            #law "Never" on press to lamp (rollback "Never.")
            #sideeffect "Counted" on press to lamp (increase (n of game) by 10)"#
        )
    };
    let mut position = played(&text("shut"), &["go"]);
    assert_eq!(property(&mut *position, "game", "n"), "1");
    assert_eq!(choices(&mut *open(&text("open"))), ["stay"]);
}

/// The body of an action answers for those who can receive it, and for nobody else.
#[test]
fn an_action_sent_to_something_else_does_nothing() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0 #property seen
        #model cell #property mark #board cell grid 1 1
        #model lamp #property mark #entity lamp
        #action place to cell (set mark to player)
        #action go (send place to lamp) (set seen to (suppose (new message place to lamp) (mark of lamp)))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "lamp", "mark"), "nil");
    assert_eq!(property(&mut *position, "game", "seen"), "nil");
}

/// A star stands for any receiver.
#[test]
fn a_star_in_a_pointcut_is_any_receiver() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0
        #action go (increase n by 1) #action stay
        #law "Twice" on go to * (require (< n 2) "Twice is enough.")
        #sideeffect "Ten" on go to * (increase n by 10)"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "11");
    assert_eq!(choices(&mut *position), ["stay"]);
}

/// A rule bound to one thing may give it a property.
#[test]
fn a_rule_bound_to_one_thing_makes_a_property() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property n 0
        #model lamp #property lit #onMessage press (set lit to true)
        #entity red is lamp #entity green is lamp
        #action go (send press to lamp) (set n to (uses of red))
        #sideeffect "Uses" on press to red (new property uses as 7)"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "n"), "7");
}

/// A signal without a tag is true; one that nobody emits is not waited for; a tag may be the thing itself.
#[test]
fn a_signal_gives_what_was_emitted_with_it() {
    let heard = |signal: &str| {
        let mut position = played(
            &format!(
                r#"#game "Toy" #players "X" #property heard "none"
                #model lamp #entity red is lamp #entity green is lamp
                #action go (set heard to (wait signal {signal}))
                #view "Buttons" of game #onMessage start (new graphic yes) (on yes clicked emit pressed)
                #view "Lamps" of lamp #onMessage start (new graphic disc) (on disc clicked emit chosen with self)"#
            ),
            &["go"],
        );
        let offered = choices(&mut *position);
        match offered.last() {
            Some(last) if last != "go" => play(&mut *position, last).unwrap(),
            _ => {}
        }
        (offered.join(" "), property(&mut *position, "game", "heard"))
    };
    let told = |offered: &str, heard: &str| (offered.to_owned(), heard.to_owned());
    assert_eq!(heard("pressed"), told("true", "true"));
    assert_eq!(heard("chosen"), told("red green", "green"));
    assert_eq!(heard("never"), told("go", "nil"), "nobody is asked");
}

/// So may be a rule about one player.
#[test]
fn a_rule_may_be_bound_to_a_player() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns
        #model player #property points 0 #onMessage gain (increase points by 1)
        #action go (send gain to seats)
        #sideeffect "X gains twice" on gain to X (increase points by 10)"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "X", "points"), "11");
    assert_eq!(property(&mut *position, "O", "points"), "1");
}
