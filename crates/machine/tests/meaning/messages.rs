use crate::{choices, fault, open, play, played, property};
use houserules_kernel::Viewer;

const LAMP: &str = r#"#game "Lamp" #players "X"
    #property heard "nothing"
    #model lamp
      #state default
        #onMessage press (changeState lit) (return "was dark")
      #state lit
        #onMessage press (changeState default) (return "was lit")
      #state *
        #onMessage ask (return state)
    #entity lamp"#;

/// [FR-28] [FR-29] [FR-30] [FR-90] [FR-91] Entity, state and label decide what answers.
#[test]
fn the_same_label_is_answered_by_the_present_state() {
    let text = format!("{LAMP} #action go (set heard to (list (send press to lamp) (send press to lamp)))");
    let mut position = played(&text, &["go"]);
    assert_eq!(property(&mut *position, "game", "heard"), "(was dark was lit)");
}

#[test]
fn a_star_answers_in_every_state_without_an_answer_of_its_own() {
    let text = format!("{LAMP} #action go (send press to lamp) (set heard to (send ask to lamp))");
    let mut position = played(&text, &["go"]);
    assert_eq!(property(&mut *position, "game", "heard"), "lit");
}

/// [FR-32] No handler, no effect: side-effects do not run either.
#[test]
fn a_message_without_a_handler_does_nothing() {
    let text = format!(
        r#"{LAMP} #action go (send break to lamp)
        #sideeffect "Noticed" on break (set heard to "something")"#
    );
    let mut position = played(&text, &["go"]);
    assert_eq!(property(&mut *position, "game", "heard"), "nothing");
}

/// [FR-99] A recipient may be named by a text.
#[test]
fn a_text_is_the_entity_of_that_name() {
    let text = format!(r#"{LAMP} #action go (set heard to (send new message "ask" to "lamp"))"#);
    let mut position = played(&text, &["go"]);
    assert_eq!(property(&mut *position, "game", "heard"), "default");
    assert!(fault("(send ask to \"nobody\")").contains("nobody"));
}

/// [FR-101] [FR-103] An attribute set during a message is a word for its later rules.
#[test]
fn later_rules_see_a_changed_attribute() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property heard
        #action go (update message attribute loud to 3)
        #sideeffect "Hear" on go (set heard to loud)"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "heard"), "3");
}

/// A message is passed on to each of a list, and its value is what the last one answered.
#[test]
fn a_message_is_forwarded_to_several() {
    let text = r#"#game "Porter" #players "X"
        #property heard
        #property got 0
        #model door #onMessage knock (increase (got of game) by times) (return got)
        #entity left is door
        #entity right is door
        #model porter #onMessage knock (return (forward message to (all door)))
        #entity porter
        #action go (set heard to (send knock to porter with times 2))"#;
    let mut position = played(text, &["go"]);
    assert_eq!(property(&mut *position, "game", "heard"), "4");
}

/// [FR-102] A forwarded message takes its attributes along, laws and side-effects included.
#[test]
fn a_forwarded_message_keeps_its_attributes() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property heard
        #model door #onMessage knock times (return (* 2 times))
        #model porter #onMessage knock times (update message attribute times to (+ times 1)) (forward message to door)
        #entity door #entity porter
        #action go (set heard to (send knock to porter with times 1))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "heard"), "4");
}

/// [FR-106] [FR-107] A sender waits, and can be sent to meanwhile.
#[test]
fn messages_go_there_and_back() {
    let mut position = played(
        r#"#game "Toy" #players "X"
        #model side #property n 0
          #onMessage ping left (increase n by 1) (if (> left 0) (send ping to other with left (- left 1)))
          #relation other
        #entity one is side with other two #entity two is side with other one
        #action go (send ping to one with left 9)"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "one", "n"), "5");
    assert_eq!(property(&mut *position, "two", "n"), "5");
}

#[test]
fn children_answer_before_their_parents() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property heard
        #model animal #onMessage speak (return "hm") #define legs 4
        #model bird is animal #onMessage speak (return "tweet") #define legs 2
        #entity cow is animal #entity hen is bird
        #action go (set heard to (list (send speak to cow) (send speak to hen) (legs of cow) (legs of hen) (count animal)))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "heard"), "(hm tweet 4 2 2)");
}

/// [FR-92] A behavior may give its entity a new property.
#[test]
fn a_property_can_be_made_in_play() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property heard
        #action go (new property colour as "red") (set heard to (property "colour"))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "heard"), "red");
}

#[test]
fn a_removed_thing_can_be_read_until_the_action_ends() {
    let text = r#"#game "Toy" #players "X" #property heard #property kept
        #model man #property colour "red"
        #action go (set kept to (new man)) (remove kept)
        #action look
        #sideeffect "Still red" on go (set heard to (list (colour of kept) (count man)))
        #sideeffect "Gone" on look (set heard to (list (colour of kept) (count man)))"#;
    let mut position = open(text);
    play(&mut *position, "go").unwrap();
    assert_eq!(property(&mut *position, "game", "heard"), "(red 0)");
    play(&mut *position, "look").unwrap();
    assert_eq!(property(&mut *position, "game", "heard"), "(nil 0)");
}

/// [FR-108] Entities that send each other for ever are stopped with a reason.
#[test]
fn endless_messages_are_a_fault() {
    let mut position = open(
        r#"#game "Toy" #players "X"
        #model side #relation other #onMessage ping (foreach x in (list 1) (if true (send ping to other)))
        #entity one is side with other two #entity two is side with other one
        #action go (send ping to one)"#,
    );
    let refusal = play(&mut *position, "go").unwrap_err();
    assert!(refusal.reason.contains("for ever"), "{refusal}");
}

/// A ring of cells that pass a message on as the last thing they do, with something to say after the last one.
const RELAY: &str = r#"#game "Toy" #players "X" #property heard
    #board cell ring 5
    #model cell #property seeds 0
      #onMessage pass left
        (set seeds to (+ seeds 1))
        (if (> left 1) (send pass to next with left (- left 1)))
    #action go to cell with n (list 1 7 600 3000) as "{self} {n}"
      (send pass to self with left n)
    #sideeffect "The last one tells" on pass to cell
      (if (= left 1) (set heard to self))"#;

/// [FR-108] To pass a message on takes as deep a message whether or not anything is left to do after it.
#[test]
fn a_message_passed_on_goes_round_and_only_so_deep() {
    let mut position = played(RELAY, &["cell 2 7", "cell 3 1"]);
    assert_eq!(property(&mut *position, "game", "heard"), "cell 3");
    let seeds: Vec<String> = (1..=5).map(|at| property(&mut *position, &format!("cell {at}"), "seeds")).collect();
    assert_eq!(seeds, ["1", "2", "3", "1", "1"]);
    let refusal = play(&mut *position, "cell 1 3000").unwrap_err();
    assert!(refusal.reason.contains("deep"), "{refusal}");
    assert_eq!(property(&mut *position, "cell 1", "seeds"), "1", "nothing of it stays");
}

/// What a message sets off by sending itself again is done before its own side-effects run: the last one tells first.
#[test]
fn side_effects_of_a_message_that_sends_itself_run_from_the_inside() {
    let mut position = played(
        r#"#game "Toy" #players "X" #property heard (list)
        #model game #onMessage count n (set heard to (append n to heard)) (if (> n 1) (send count to game with n (- n 1)))
        #action go (send count to game with n 3)
        #sideeffect "Told" on count (set heard to (append (- n) to heard))"#,
        &["go"],
    );
    assert_eq!(property(&mut *position, "game", "heard"), "(3 2 1 -1 -2 -3)");
}

const SLEEPERS: &str = r#"
    #game "Sleepers" #players "X" "O" #turns
    #setting first 4
    #model hole
      #property state 3
      #state 3
        #onMessage go (changeState 4)
      #state 4
        #onMessage go (changeState awake)
    #model deep is hole
    #model late is hole
      #property state first
    #entity a is hole
    #entity b is hole with state awake
    #entity c is deep
    #entity d is late
    #entity hole for each state in (list 3 "awake")
    #entity e is thing
    #action poke to hole (send go to self)
    #action dig (new deep)
    #law "The sleeping are poked" on poke (require (!= state "awake") "It is awake.")
    #sideeffect "Told" on poke (say "{self} {state}")"#;

/// A model says in which state its things begin, what is made in play included; a thing may say otherwise.
#[test]
fn things_begin_in_the_state_that_their_model_says() {
    let mut position = open(SLEEPERS);
    assert_eq!(choices(&mut *position), ["poke a", "poke c", "poke d", "poke hole 3", "dig"]);
    for (words, told) in [("poke a", "a 4"), ("poke d", "d awake"), ("poke c", "c 4"), ("poke a", "a awake")] {
        play(&mut *position, words).unwrap();
        assert_eq!(position.said(Viewer::Public), [told]);
    }
    play(&mut *position, "dig").unwrap();
    assert_eq!(choices(&mut *position).len(), 4, "{:?}", choices(&mut *position));
}

/// An entity may have no model of its own: it is there, has a name, and answers nothing.
#[test]
fn an_entity_needs_no_model() {
    let text = r#"
        #game "Stone" #players "X" "O" #turns
        #model cell
        #board cell grid 2 1
        #entity stone is thing at a1
        #action push
        #sideeffect "It moves" on push (move stone to (if (= (place of stone) a1) b1 else a1)) (say "{kind of stone} {place of stone}")"#;
    let position = played(text, &["push"]);
    assert_eq!(position.said(Viewer::Public), ["thing b1"]);
}
