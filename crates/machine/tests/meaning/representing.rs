//! How things look: said beside the rules, read from what they know, and never the other way round.

use crate::{choices, open, play, played, refusal};
use houserules_kernel::{Position, SeatId, Shown, ThingView, Viewer};

/// A lamp that is drawn, and a switch that is not.
const LAMPS: &str = r#"
    #game "Toy" #players "X" "O" #turns
    #model lamp #property lit #property power 60
      #look fill (if lit "yellow" else "black") size power
    #model box
    #entity Left is lamp #entity Right is lamp with power 100 #entity Fuse is box
    #action press to lamp (set lit to (not lit))
    #action hold to lamp (set lit to true) (set power to 5)
    #sideeffect "It burns out" on hold to lamp (rollback "The bulb would break.")"#;

fn thing(position: &mut dyn Position, name: &str) -> ThingView {
    let view = position.view(Viewer::Public);
    view.things.into_iter().find(|thing| thing.name == name).expect(name)
}

fn look(position: &mut dyn Position, name: &str) -> Vec<String> {
    thing(position, name).look.into_iter().map(|(attribute, value)| format!("{attribute} {value}")).collect()
}

/// [FR-52] What is drawn follows what is so, move by move and back; [FR-53] it reads the properties of its thing.
#[test]
fn a_look_mirrors_what_its_thing_knows() {
    let mut position = open(LAMPS);
    assert_eq!(look(&mut *position, "Left"), ["fill black", "size 60"]);
    assert_eq!(look(&mut *position, "Right"), ["fill black", "size 100"]);
    play(&mut *position, "press Left").unwrap();
    assert_eq!(look(&mut *position, "Left"), ["fill yellow", "size 60"]);
    assert_eq!(look(&mut *position, "Right"), ["fill black", "size 100"]);
    assert!(position.undo());
    assert_eq!(look(&mut *position, "Left"), ["fill black", "size 60"]);
}

/// [FR-50] A thing may do without a look.
#[test]
fn not_everything_is_drawn() {
    let mut position = open(LAMPS);
    assert!(look(&mut *position, "Fuse").is_empty());
    assert!(!look(&mut *position, "Left").is_empty());
}

/// [FR-122] What was rolled back is not drawn either.
#[test]
fn a_rollback_restores_what_is_shown() {
    let mut position = played(LAMPS, &["press Right"]);
    let before = position.view(Viewer::Public);
    assert_eq!(refusal(&mut *position, "hold Left").unwrap().reason, "The bulb would break.");
    assert_eq!(position.view(Viewer::Public), before);
}

/// [FR-5] [FR-6] A look and a whole representation are added and taken away without a word changed in the rules, and the
/// game goes as before.
#[test]
fn representations_stand_beside_the_rules() {
    let plain = LAMPS.replace(r#"#look fill (if lit "yellow" else "black") size power"#, "");
    let drawn = format!(
        r#"{LAMPS}
        #view "Bulb" of lamp #property glow 0
          #onMessage start (new graphic bulb with size 3) (observe lit after notify changed)
          #onMessage changed (set glow to (+ glow 1)) (update graphic bulb attribute fill to new)"#
    );
    for text in [&*plain, LAMPS, &*drawn] {
        let mut position = played(text, &["press Left", "press Left", "press Right"]);
        assert_eq!(choices(&mut *position), ["press Left", "press Right"]);
        let known = |name: &str, shown: &str| (name.to_owned(), Shown::Value(shown.into()));
        assert_eq!(thing(&mut *position, "Right").properties, [known("lit", "true"), known("power", "100")]);
        assert_eq!(look(&mut *position, "Right").is_empty(), text == plain);
    }
}

/// What is hidden from a viewer cannot be seen by how a thing looks either.
#[test]
fn a_look_gives_nothing_away() {
    let text = r#"#game "Toy" #players "X" "O"
        #model card #property face seen by owner #property back "blue"
          #define high (> face 5)
          #look text face fill back size (if high 2 else 1) shape (if (> face 5) "round" else "square")
        #entity Ace is card with owner X face 9
        #action go"#;
    let mut position = open(text);
    let mut shown = |viewer: Viewer| -> Vec<String> {
        let look = position.view(viewer).things[0].look.clone();
        look.into_iter().map(|(attribute, value)| format!("{attribute} {value}")).collect()
    };
    assert_eq!(shown(Viewer::All), ["text 9", "fill blue", "size 2", "shape round"]);
    // What a define reads is not looked into: it is kept back even from who might see it.
    assert_eq!(shown(Viewer::Seat(SeatId(0))), ["text 9", "fill blue", "shape round"]);
    assert_eq!(shown(Viewer::Seat(SeatId(1))), ["fill blue"]);
    assert_eq!(shown(Viewer::Public), ["fill blue"]);
}

/// A representation has states and answers messages in them, and properties of its own, which the game
/// itself does not know.
#[test]
fn a_representation_has_states_and_properties_of_its_own() {
    let text = format!(
        r#"{LAMPS}
        #view "Bulb" of lamp #property glow 0
          #onMessage start (new graphic bulb with size 3)
          #state dimmed
          #onMessage changed (set glow to (+ glow 1))"#
    );
    let loaded = houserules_gdl::read_text("test", &text);
    let views: Vec<_> = loaded
        .definition
        .items()
        .iter()
        .filter_map(|item| match &item.kind {
            houserules_model::ItemKind::View(view) => Some(view),
            _ => None,
        })
        .collect();
    let [view] = views.as_slice() else { panic!("one view is kept: {views:?}") };
    assert_eq!((&*view.name, &*view.of, &*view.properties[0].0), ("Bulb", "lamp", "glow"));
    let answers: Vec<(&str, &str)> = view.behaviors.iter().map(|answer| (&*answer.state, &*answer.label)).collect();
    assert_eq!(answers, [("default", "start"), ("dimmed", "changed")]);
    let properties = thing(&mut *open(&text), "Left").properties;
    assert!(!properties.iter().any(|(name, _)| name == "glow"), "{properties:?}");
}
