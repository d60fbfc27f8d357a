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

/// [FR-39] A law reads the properties of entities that have no part in the message, by name; [FR-44] so does a side-effect.
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
    assert_eq!(property(&mut *position, "Lamp", "state"), "default");
    let both = ["pressed", "dimmed"];
    for (choice, after) in [("turn Lamp", ["0", "100"]), ("push Lamp", ["1", "100"]), ("turn Lamp", ["1", "101"])] {
        play(&mut *position, choice).unwrap();
        assert_eq!(both.map(|name| property(&mut *position, "Lamp", name)), after);
    }
    assert_eq!(property(&mut *position, "Lamp", "state"), "lit");
    play(&mut *position, "push Lamp").unwrap();
    assert_eq!(property(&mut *position, "Lamp", "pressed"), "11");
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
