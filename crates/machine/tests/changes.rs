//! Rules switched, replaced and added on a running position.

use houserules_kernel::{Choice, Decision, Generator, Position, Viewer, Who};
use houserules_machine::{Game, MachinePosition, Options, compile};
use houserules_model::{Definition, Edit};

fn read(text: &str) -> Definition {
    let loaded = houserules_gdl::read_text("test", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    loaded.definition
}

fn start(definition: &Definition) -> (Game, MachinePosition) {
    let game = compile(definition, &Options::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let position = game.start().unwrap();
    (game, position)
}

fn play(position: &mut dyn Position, words: &str) {
    let who = position.decision().open_to()[0];
    let choices = position.choices(who);
    let choice = choices.iter().find(|choice| position.words(who, choice) == words);
    let choice = choice.unwrap_or_else(|| panic!("“{words}” is not offered")).clone();
    position.play(who, &choice).unwrap();
}

fn offered(position: &mut dyn Position) -> Vec<String> {
    let who = position.decision().open_to()[0];
    let choices = position.choices(who);
    choices.iter().map(|choice| position.words(who, choice)).collect()
}

/// Puts items typed during play into a definition.
fn changed(definition: &Definition, text: &str) -> Definition {
    let mut sources = houserules_gdl::Sources::default();
    let (items, faults) = houserules_gdl::read_items(&mut sources, "change", text);
    assert!(faults.is_empty(), "{faults:?}");
    let mut changed = definition.clone();
    for item in items {
        changed.apply(Edit::Put(item)).unwrap();
    }
    changed
}

const ROW: &str = r#"
    #game "Row" #players "X" "O" #turns
    #model cell #property mark
    #board cell grid 4 1
    #action place to cell (set mark to player)
    #law "Only empty cells" on place (require (not mark))
    #law "Never at the edge" on place (require (and east west))
    #sideeffect "Two in a row win" on place (if (line 2 of mark) (win player))
"#;

/// [FR-3] [FR-10] A law switched off during play is gone from the next choice on, and the position stays.
#[test]
fn a_law_is_switched_off_and_on_during_play() {
    let definition = read(ROW);
    let (_, mut position) = start(&definition);
    play(&mut position, "place b1");
    assert_eq!(offered(&mut position), ["place c1"]);
    let off = Options { off: vec!["Never at the edge".into()], ..Options::default() };
    let (_, mut loose) = position.change_rules(&definition, &off).unwrap();
    assert_eq!(offered(&mut loose), ["place a1", "place c1", "place d1"]);
    let (_, mut strict) = loose.change_rules(&definition, &Options::default()).unwrap();
    assert_eq!(offered(&mut strict), ["place c1"]);
    assert_eq!(strict.fingerprint(), position.fingerprint());
    // A move made before the change is taken back under the new rules.
    assert!(loose.undo());
    assert_eq!(offered(&mut loose), ["place a1", "place b1", "place c1", "place d1"]);
}

/// [FR-5] [FR-6] [FR-11] One rule is replaced, another added, and nothing else is touched.
#[test]
fn rules_are_replaced_and_added_during_play() {
    let definition = read(ROW);
    let (_, mut position) = start(&definition);
    play(&mut position, "place b1");
    let house = changed(
        &definition,
        r#"#rule "Two in a row win" instead (if (line 3 of mark) (win player))
           #law "Not beside another mark" on place (require (none adjacent where mark))
           #rule "Never at the edge" off"#,
    );
    let (game, mut position) = position.change_rules(&house, &Options::default()).unwrap();
    assert_eq!(offered(&mut position), ["place d1"]);
    assert_eq!(game.rules().count(), 4);
}

/// What a rule remembers can be added during play: the things on the board stay as they are.
#[test]
fn a_property_can_be_added_during_play() {
    let definition = read(ROW);
    let (_, mut position) = start(&definition);
    play(&mut position, "place b1");
    let house = changed(
        &definition,
        r#"#model cell #property worth 5
           #sideeffect "Marks pay" on place (increase (score of player) by worth)"#,
    );
    let (_, mut position) = position.change_rules(&house, &Options::default()).unwrap();
    play(&mut position, "place c1");
    let view = position.view(Viewer::Public);
    let score = view.facts[2].properties.iter().find(|(name, _)| name == "score").unwrap();
    assert_eq!(format!("{:?}", score.1), r#"Value("5")"#);
    assert_eq!(view.boards[0].cells[1].mark.sign, "X");
}

/// A change that needs another board is refused, and the match goes on as it was.
#[test]
fn a_change_that_does_not_fit_is_refused() {
    let definition = read(ROW);
    let (_, mut position) = start(&definition);
    play(&mut position, "place b1");
    let house = changed(&definition, "#board cell grid 2 1");
    let Err(faults) = position.change_rules(&house, &Options::default()) else { panic!("it does not fit") };
    assert_eq!(faults[0].labels[0].text, "The change takes away things that are in the match: “c1”, “d1”.");
    let broken = changed(&definition, r#"#law "Odd" on place (require (= heat 1))"#);
    assert!(position.change_rules(&broken, &Options::default()).is_err());
    assert_eq!(offered(&mut position), ["place c1"]);
}

const ROUNDS: &str = r#"
    #game "Rounds" #players "X" "O"
    #property said 0
    #model game
      #onMessage round
        (var answer (ask player "How many?" among (list 1 2 3)))
        (set said to (+ said answer))
    #setup
      (while true (send round to game))
    #sideeffect "Ten ends it" on round to game (if (>= said 10) (draw))
"#;

/// A behavior that is stopped in the middle ends with its old code; the next message follows the new rules.
#[test]
fn a_stopped_behavior_ends_with_its_old_code() {
    let definition = read(ROUNDS);
    let (_, mut position) = start(&definition);
    play(&mut position, "3");
    let house = changed(&definition, r#"#rule "Ten ends it" instead (if (>= said 6) (draw))"#);
    let (_, mut position) = position.change_rules(&house, &Options::default()).unwrap();
    play(&mut position, "3");
    assert!(!position.decision().is_over(), "the round that was running still ends by the old rule");
    play(&mut position, "1");
    assert!(position.decision().is_over(), "the next one ends by the new rule");
    assert!(position.undo() && position.undo(), "and both can be taken back");
    assert_eq!(offered(&mut position), ["1", "2", "3"]);
}

/// Switching a rule off and on again changes nothing, at any point of a random match.
#[test]
fn off_and_on_again_is_nothing() {
    let definition = read(ROW);
    let off = Options { off: vec!["Only empty cells".into()], ..Options::default() };
    for seed in 0..50 {
        let (_, mut position) = start(&definition);
        let mut random = Generator::new(seed);
        while !matches!(position.decision(), Decision::Over(_)) {
            let (_, between) = position.change_rules(&definition, &off).unwrap();
            let (_, mut again) = between.change_rules(&definition, &Options::default()).unwrap();
            assert_eq!(again.fingerprint(), position.fingerprint(), "seed {seed}");
            assert_eq!(offered(&mut again), offered(&mut position), "seed {seed}");
            position = again;
            position.play_random(&mut random).unwrap();
        }
    }
}

/// Numbers that no decision gave are refused, whatever they are.
#[test]
fn made_up_choices_are_refused() {
    let (_, mut position) = start(&read(ROW));
    let before = position.fingerprint();
    let mut random = Generator::new(7);
    for _ in 0..5000 {
        let n = random.below(6);
        let numbers: Vec<u64> = (0..n).map(|_| random.next() >> random.below(64)).collect();
        let choice = Choice::of(&numbers);
        for who in [Who::Nature, Who::Seat(houserules_kernel::SeatId(0)), Who::Seat(houserules_kernel::SeatId(9))] {
            position.words(who, &choice);
            if position.play(who, &choice).is_ok() {
                position.undo();
            }
            assert_eq!(position.fingerprint(), before);
        }
    }
}
