//! What reader and checker say about rules and notation, seen in play.

use crate::{choices, open, play, played, property, ranks, refusal, value};

/// [FR-38] A law takes back what its action has done so far, and says why; whatever was before stands.
#[test]
fn a_law_rolls_back_to_the_last_valid_situation() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property n 0 #property m 0
        #action go (set n to (+ n 1)) (set m to n)
        #action stay
        #law "Twice is enough" after go (if (> n 2) (rollback "You went twice."))"#,
    );
    play(&mut *position, "go").unwrap();
    play(&mut *position, "go").unwrap();
    assert_eq!(choices(&mut *position), ["stay"]);
    let refused = refusal(&mut *position, "go").unwrap();
    assert_eq!((refused.law.as_deref(), &*refused.reason), (Some("Twice is enough"), "You went twice."));
    play(&mut *position, "stay").unwrap();
    assert_eq!(["n", "m"].map(|name| property(&mut *position, "game", name)), ["2", "2"]);
}

/// [FR-39] [FR-96] A law reads the properties of entities that have no part in the message, by name; [FR-44] so does a
/// side-effect.
#[test]
fn rules_read_the_properties_of_every_entity() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property total 0
        #model coin #property worth 1
        #entity penny is coin #entity crown is coin with worth 5
        #action spend to coin (set worth to 0)
        #law "The dearest first" on spend
          (require (and (> worth 0) (>= worth (property worth of crown)) (>= worth (property worth of penny))))
        #sideeffect "What is left" on spend
          (set total to (+ (property worth of penny) (property worth of crown)))"#,
    );
    assert_eq!(choices(&mut *position), ["spend crown"]);
    play(&mut *position, "spend crown").unwrap();
    assert_eq!(property(&mut *position, "game", "total"), "1");
    assert_eq!(choices(&mut *position), ["spend penny"]);
}

/// [FR-47] A side-effect sends `gameover` with its winner, and the match is over.
#[test]
fn a_side_effect_ends_the_game_by_message() {
    let text = r#"#game "Toy" #players "X" "O" #property n 0
        #action go (set n to (+ n 1))
        #sideeffect "The third time" on go (if (= n 3) (send gameover to game with winner opponent))"#;
    assert_eq!(choices(&mut *played(text, &["go", "go"])), ["go"]);
    assert_eq!(ranks(&*played(text, &["go", "go", "go"])), [2, 1]);
}

/// [FR-67] The operator stands first, and what it works on may again be an expression in parentheses; [FR-70] a text stands in
/// double quotes, blanks and other quotes included. [FR-86] What stands after a semicolon is for people.
#[test]
fn expressions_are_written_with_the_operator_first() {
    assert_eq!(value("(+ 1 (* 2 (- 9 5)))"), "9");
    assert_eq!(value(r#""a 'b' c""#), "a 'b' c");
    assert_eq!(value("(+ 1 ; (* 100\n 2)"), "3");
}

/// [FR-87] Behaviors of a state answer in that state only, [FR-88] as many as there are; [FR-89] everything begins in `default`.
#[test]
fn a_state_has_its_own_answers_and_default_comes_first() {
    let text = r#"#game "Toy" #players "X"
        #model lamp #property pressed 0 #property dimmed 0
          #onMessage press (set pressed to (+ pressed 1)) (changeState lit)
          #onMessage dim (set dimmed to (+ dimmed 100))
          #state lit
          #onMessage press (set pressed to (+ pressed 10)) (changeState default)
          #onMessage dim (set dimmed to (+ dimmed 1))
        #entity Lamp is lamp
        #action push to lamp (send press to self)
        #action turn to lamp (send dim to self)"#;
    let mut position = open(text);
    let both = ["pressed", "dimmed"];
    for (choice, after) in [("turn Lamp", ["0", "100"]), ("push Lamp", ["1", "100"]), ("turn Lamp", ["1", "101"])] {
        play(&mut *position, choice).unwrap();
        assert_eq!(both.map(|name| property(&mut *position, "Lamp", name)), after);
    }
    // Back from the other state, the first one answers again.
    for (choice, after) in [("push Lamp", ["11", "101"]), ("turn Lamp", ["11", "201"])] {
        play(&mut *position, choice).unwrap();
        assert_eq!(both.map(|name| property(&mut *position, "Lamp", name)), after);
    }
}

/// [FR-113] One rule stands on several messages, to several kinds of things, and acts on each.
#[test]
fn one_rule_is_bound_to_many_messages() {
    let text = r#"#game "Toy" #players "X" #property n 0
        #model coin #model bill #model ring
        #entity Coin is coin #entity Bill is bill #entity Ring is ring
        #action take to (list Coin Bill Ring)
        #action drop to (list Coin Bill Ring)
        #action look to (list Coin Bill Ring)
        #sideeffect "Counted" on take drop to coin bill (increase n by 1)"#;
    for (action, counted) in [("take", ["1", "1", "0"]), ("drop", ["1", "1", "0"]), ("look", ["0", "0", "0"])] {
        let after = ["Coin", "Bill", "Ring"]
            .map(|thing| property(&mut *played(text, &[&format!("{action} {thing}")]), "game", "n"));
        assert_eq!(after, counted, "{action}");
    }
}

/// [FR-36] A bare return in a law prevents the behavior. [FR-37] Nothing is changed, and the side-effects do not run; [FR-42] the
/// laws after it are not asked: the second one here cannot even be computed.
#[test]
fn a_veto_stops_what_comes_after_it() {
    let text = |law: &str| {
        format!(
            r#"#game "Toy" #players "X" #property n 0 #property effects 0
            #model game #onMessage inner (set n to (+ n 1))
            #action go (send inner to game)
            {law}
            #law "Impossible" on inner (require (> (/ 1 n) 5))
            #sideeffect "Seen" on inner (increase effects by 1)"#
        )
    };
    let mut position = played(&text(r#"#law "Never" on inner (return)"#), &["go", "go"]);
    assert_eq!(["n", "effects"].map(|name| property(&mut *position, "game", name)), ["0", "0"]);
    let fault = play(&mut *open(&text("")), "go").unwrap_err();
    assert!(fault.reason.contains("zero"), "{fault}");
}

/// [FR-75] Numbers, texts, lists and dictionaries have their operators, and lists and dictionaries are changed by them.
#[test]
fn every_type_has_its_operators() {
    for (expr, result) in [
        ("(- (* 2 3) (/ 9 3))", "3"),
        ("(mod 17 5)", "2"),
        ("(list (< 1 2) (>= 1 2) (= \"a\" \"a\") (!= \"a\" \"b\"))", "(true nil true true)"),
        ("(and (or nil 3) (not nil))", "true"),
        ("(at 1 of (insert 8 at 1 in (append 9 to (list 7))))", "8"),
        ("(replace 0 of (remove 1 from (list 1 2 3)) with 5)", "(5 3)"),
        ("(match \"b\" in (put 4 at \"b\" in (dictionary \"a\" 1)))", "4"),
        ("(match \"a\" in (remove \"a\" from (dictionary \"a\" 1)))", "nil"),
        ("(+ (count (list 7 8)) (count (dictionary \"a\" 1)))", "3"),
    ] {
        assert_eq!(value(expr), result, "{expr}");
    }
}

/// [FR-93] What is fetched is a copy, of a list as of a dictionary; [FR-94] it changes nothing until the property is updated.
#[test]
fn fetched_values_are_copies_until_they_are_put_back() {
    let text = |kept: &str, change: &str, put: &str| {
        format!(
            r#"#game "Toy" #players "X" #property kept {kept}
            #action go (var copy (property kept)) (set copy to {change}) {put}"#
        )
    };
    for (kept, change, before, after) in [
        ("(list 1)", "(append 2 to copy)", "(1)", "(1 2)"),
        ("(dictionary \"a\" 1)", "(put 2 at \"a\" in copy)", "{a: 1}", "{a: 2}"),
    ] {
        let seen = |put: &str| property(&mut *played(&text(kept, change, put), &["go"]), "game", "kept");
        assert_eq!(seen(""), before);
        assert_eq!(seen("(update property kept to copy)"), after);
    }
}

/// [FR-105] A sender goes on when the receiver is done, and so does who forwards: what they see next is what was done there.
#[test]
fn a_sender_waits_for_the_receiver() {
    let text = r#"#game "Toy" #players "X" #property trail (list)
        #model game #onMessage note what (set trail to (append what to trail))
        #model clerk #onMessage work
          (send note to game with what "begun") (send note to game with what "done")
        #model porter #onMessage work
          (send note to game with what "before") (forward message to clerk) (send note to game with what "after")
        #entity clerk #entity porter
        #action go (send work to porter) (send note to game with what "home")"#;
    assert_eq!(property(&mut *played(text, &["go"]), "game", "trail"), "(before begun done after home)");
}

/// [FR-114] A star for the label is every message in that state; [FR-115] a star for the state is that label in every state.
#[test]
fn a_star_takes_every_message_or_every_state() {
    let text = r#"#game "Toy" #players "X" #property lit 0 #property pressed 0
        #model lamp
          #onMessage press (changeState bright)
          #onMessage wipe nil
          #state bright
          #onMessage press (changeState default)
          #onMessage wipe nil
        #entity Lamp is lamp
        #action press to lamp #action wipe to lamp
        #sideeffect "While it is bright" on * to lamp in bright (increase (lit of game) by 1)
        #sideeffect "However it is" on press to lamp in * (increase (pressed of game) by 1)"#;
    let mut position = played(text, &["wipe Lamp", "press Lamp", "wipe Lamp", "press Lamp", "wipe Lamp"]);
    assert_eq!(["lit", "pressed"].map(|name| property(&mut *position, "game", name)), ["2", "2"]);
}

/// [FR-121] A rollback far inside takes back what other entities have done for the same move; [FR-124] what was still to be done
/// is not done.
#[test]
fn a_rollback_takes_back_what_others_did() {
    let text = r#"#game "Toy" #players "X" #property n 0 #property later 0
        #model coin #property worth 1 #onMessage rise by (set worth to (+ worth by))
        #entity Penny is coin #entity Crown is coin
        #model game #onMessage both (send rise to Penny with by 5) (send rise to Crown with by 5) (set later to 1)
        #action go (set n to 1) (send both to game) (set later to 2)
        #action stay
        #sideeffect "Too dear" on rise (if (= self Crown) (rollback "The crown is dear enough."))
        #sideeffect "After all" on go (set later to 3)"#;
    let mut position = open(text);
    assert_eq!(choices(&mut *position), ["stay"]);
    assert_eq!(refusal(&mut *position, "go").unwrap().reason, "The crown is dear enough.");
    play(&mut *position, "stay").unwrap();
    assert_eq!(["n", "later"].map(|name| property(&mut *position, "game", name)), ["0", "0"]);
    assert_eq!(["Penny", "Crown"].map(|coin| property(&mut *position, coin, "worth")), ["1", "1"]);
}

/// [GM-44] [GM-45] [GM-46] [GM-47] Properties and relationships are read and changed on whatever entity a statement gives.
#[test]
fn properties_of_computed_entities_are_read_and_changed() {
    let text = r#"#game "Toy" #players "X" #properties open #property heard
        #model coin #property worth 1 #relation partner
        #entity Penny is coin with partner Crown #entity Crown is coin with worth 5 partner Penny #entity Groat is coin
        #action go
          (set (property worth of (partner of Penny)) to (+ 1 (property worth of (partner of Penny))))
          (set (property partner of (first (list Groat))) to (property partner of Crown))
          (set heard to (list (worth of Crown) (name of (partner of Groat))))"#;
    assert_eq!(property(&mut *played(text, &["go"]), "game", "heard"), "(6 Penny)");
}
