//! The long spelling, as the language was first printed: entities in files, laws and side-effects in files of their
//! own, names in quotes, bodies between `do` and `end`.

use houserules_gdl::{Memory, load};
use houserules_kernel::{Decision, Position, Rulebook, SeatId, Viewer, Who};
use houserules_machine::{Options, compile};

fn files() -> Memory {
    Memory::new()
        .with(
            "toll/game.gdl",
            r#"#game "Toll bridge"
               #players "North" "South"
               #include "gate.gdl"
               #include "purse.gdl"
               #action "cross" to "gate"
               #law on "cross" to "gate" in "default" is "allowOnlyTheTurn"
               #law on "cross" to "gate" in * is "onlyOpenGates"
               #sideeffect on "cross" to "gate" in "default" is "checkTheToll"
               #sideeffect on "cross" to "gate" in "default" is "nextTurn""#,
        )
        .with(
            "toll/gate.gdl",
            r#"#model "gate"
                 #property "keeper"
                 #property "crossed" 0
                 #state "default"
                   #onMessage "cross"
                     (var before (property "crossed"))
                     (update property "crossed" to (+ before 1))
                     (send new message "pay" to "game" with
                         "coins" 5)
                     (if (> (property "crossed") 1)
                         (changeState "shut"))
               #entity "west" is "gate" with "keeper" North
               #entity "east" is "gate" with "keeper" South"#,
        )
        .with(
            "toll/purse.gdl",
            r#"#model "game"
                 #property "tolls" (dictionary North 0 South 0)
                 #onMessage "pay"
                   (var whose (first (property "players")))
                   (update property "tolls" to
                     (put (+ (attribute "coins") (match whose in (property "tolls"))) at whose in (property "tolls")))
                 #onMessage "done"
                   (end turn)"#,
        )
        .with(
            "toll/allowOnlyTheTurn.gdl",
            r#"(var turnOf (first (property "players" of "game")))
               (if (!= (property "keeper") turnOf)
                   (return))"#,
        )
        .with("toll/onlyOpenGates.gdl", r#"(if (= (property "state") "shut") (return "The gate is shut."))"#)
        .with(
            "toll/checkTheToll.gdl",
            r#"(var turnOf (first (property "players" of "game")))
               (var paid (match turnOf in (property "tolls" of "game")))
               (if (> paid 9) (do
                   (send new message "gameover" to "game" with
                       "winner" turnOf)
                   end))"#,
        )
        .with("toll/nextTurn.gdl", r#"(send new message "done" to "game")"#)
}

fn words(position: &mut dyn Position) -> Vec<String> {
    let who = position.decision().open_to()[0];
    let choices = position.choices(who);
    choices.iter().map(|choice| position.words(who, choice)).collect()
}

/// [FR-109] [FR-110] [FR-111] [FR-112] [FR-174] Rules in files of their own, written out in full, are played.
#[test]
fn the_long_spelling_plays() {
    let loaded = load(&files(), "toll");
    assert!(!loaded.has_errors(), "{}", houserules_gdl::render_all(&loaded.diagnostics, &loaded.sources, false));
    let game = compile(&loaded.definition, &Options::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
    assert_eq!(game.seats(), ["North", "South"]);
    let mut position = game.open().unwrap();
    assert_eq!(words(&mut *position), ["cross west"], "only the keeper whose turn it is");
    let offers = position.offers(SeatId(0));
    let east = offers.iter().find(|offer| offer.words == "cross east").unwrap();
    assert_eq!(east.refused.as_ref().unwrap().law.as_deref(), Some("allowOnlyTheTurn"));
    for gate in ["cross west", "cross east", "cross west"] {
        let who = position.decision().open_to()[0];
        let choice = position.choices(who).into_iter().find(|choice| position.words(who, choice) == gate).unwrap();
        position.play(who, &choice).unwrap();
    }
    assert_eq!(position.decision(), Decision::Over(houserules_kernel::Outcome { ranks: vec![1, 2].into() }));
    let view = position.view(Viewer::Public);
    assert!(format!("{:?}", view.facts[0]).contains("{North: 10, South: 5}"));
}

/// [FR-49] Without the rule that ends it, the game goes on.
#[test]
fn without_its_winning_rule_the_game_goes_on() {
    let loaded = load(&files(), "toll");
    let options = Options { off: vec!["checkTheToll".into()], ..Options::default() };
    let mut position = compile(&loaded.definition, &options).unwrap().open().unwrap();
    for _ in 0..4 {
        let who = position.decision().open_to()[0];
        let choice = position.choices(who)[0].clone();
        position.play(who, &choice).unwrap();
    }
    // Both gates are shut now: nobody can move, and that is a draw.
    assert_eq!(position.decision(), Decision::Over(houserules_kernel::Outcome::draw(2)));
    assert!(position.play(Who::Seat(SeatId(0)), &houserules_kernel::Choice::of(&[0, 3])).is_err());
}
