//! The statements of representations put to work in one game: a ferry that is called by clicks, crosses a river, and asks.

use houserules_kernel::{Position, Rulebook, SeatId, Shown, Viewer, Who};
use houserules_library::Options;
use houserules_record::{Change, Defined, Head, Match, Record, Replay};
use houserules_scene::stage::{Reaction, Stage, Watching, choice_of};
use houserules_scene::{Graphic, Motion, Scene, Shape, Sight, diff};
use std::path::Path;
use std::sync::Arc;

const FERRY: &str = r#"
    #game "Ferry" #players "Ann" "Bo" #turns
    #property toll "none" #property bell
    #model boat
      #property bank 0
      #property load 0
      #property cargo "nothing"
      #onMessage board
        (set load to (+ load (attribute crates)))
        (set cargo to (attribute what))
    #entity Heron is boat
    #action cross to boat
      (set bank to (- 1 bank))
    #action load to boat with crates (list 1 2) what (list "salt" "wool")
      (send board to self with crates crates what what)
    #action haggle
      (set toll to (wait signal agreed))
    #action ring
      (set bell to (wait signal rung))
    #law "A full boat stays" on load to boat
      (require (<= (+ load crates) 3))

    #view "Hull" of boat
      #property trips 0
      #property tilt 0
      #onMessage start
        (new graphic river)
        (new graphic hull with
          shape "rectangle"
          width 80
          height 40
          fill "brown"
          x (+ 100 (* 200 bank))
          y 150)
        (new graphic cargo with text load x 100 y 100 size 24)
        (observe bank notify leaving)
        (observe bank after notify arrived)
        (observe load notify laden)
        (on hull clicked notify (new message cross to self))
        (on river clicked notify (new message heave with crates 2 what "wool"))
      #onMessage leaving
        (update graphic hull attribute rotation to (if (= new 1) 10 else -10))
        (changeState moored)
      #onMessage laden
        (update graphic cargo attribute text to new)
        (update graphic cargo attribute dx to (* 5 (- new old)))
        (if (= new 3) (delete graphic river))
      #onMessage heave crates what
        (set tilt to (* 3 crates))
        (update graphic hull attribute rotation to tilt)
        (send load to self with crates crates what what)
      #state moored
      #onMessage arrived
        (set trips to (+ trips 1))
        (update graphic hull attribute x to (+ 100 (* 200 new)))
    #view "Papers" of game
      #onMessage start
        (new graphic high with text "A crown" x 110 y 60 width 160 height 30)
        (new graphic low with text "A penny" x 310 y 60 width 160 height 30)
        (new graphic bell with shape "circle" x 460 y 60)
        (on high clicked emit agreed with "crown")
        (on low clicked emit agreed with "penny")
        (on bell clicked emit rung)"#;

const ANN: SeatId = SeatId(0);
const BO: SeatId = SeatId(1);

struct Table {
    position: Box<dyn Position>,
    seats: Vec<String>,
    watching: Watching,
}

fn stage(text: &str) -> Arc<Stage> {
    Arc::new(Stage::of(&houserules_gdl::read_text("ferry", text).definition).unwrap())
}

fn table() -> Table {
    let loaded = houserules_gdl::read_text("ferry", FERRY);
    let faults: Vec<_> = loaded.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    let game = houserules_machine::compile(&loaded.definition, &Default::default()).unwrap();
    let mut position = game.open().unwrap();
    let watching = Watching::open(Some(stage(FERRY)), position.view(Viewer::Public));
    assert!(watching.memory().faults.is_empty(), "{:?}", watching.memory().faults);
    Table { position, seats: game.seats(), watching }
}

impl Table {
    fn scene(&mut self) -> Scene {
        self.watching.scene(&Sight::of(&mut *self.position, &self.seats, Viewer::Public, None))
    }

    fn graphic(&mut self, name: &str) -> Option<Graphic> {
        self.scene().graphics.into_values().find(|graphic| graphic.id.ends_with(name))
    }

    fn property(&mut self, of: &str, wanted: &str) -> String {
        let view = self.position.view(Viewer::Public);
        let all = view.facts.iter().chain(&view.things);
        let thing = all.into_iter().find(|thing| thing.name == of || thing.kind == of).unwrap();
        match &thing.properties.iter().find(|(name, _)| name == wanted).unwrap().1 {
            Shown::Value(value) => value.clone(),
            Shown::Hidden => "hidden".into(),
        }
    }

    fn click(&mut self, name: &str) -> Option<Reaction> {
        let id = self.graphic(name).unwrap().id;
        self.watching.click(&id)
    }

    /// Plays what a click means; false if it means nothing to that seat.
    fn answer(&mut self, seat: SeatId, reaction: &Reaction) -> bool {
        let Some(choice) = choice_of(&mut *self.position, seat, reaction) else { return false };
        self.position.play(Who::Seat(seat), &choice).unwrap();
        self.watching.step(self.position.view(Viewer::Public));
        true
    }

    fn play(&mut self, words: &str) {
        let who = self.position.decision().open_to()[0];
        let choices = self.position.choices(who);
        let choice = choices.iter().find(|choice| self.position.words(who, choice) == words).expect(words);
        self.position.play(who, choice).unwrap();
        self.watching.step(self.position.view(Viewer::Public));
    }
}

/// [FR-59] [FR-125] [FR-126] [FR-131] [FR-60] Graphics on a plane with coordinates, with attributes or without, several of
/// one representation.
#[test]
fn graphics_lie_on_a_plane() {
    let mut table = table();
    let hull = table.graphic("Hull.hull").unwrap();
    assert_eq!((hull.at.x, hull.at.y, hull.size.x, hull.size.y), (100, 150, 80, 40));
    assert_eq!(hull.shape, Shape::Rectangle { round: 0 });
    assert!(table.graphic("Hull.river").is_some() && table.graphic("Hull.cargo").is_some());
    let scene = table.scene();
    assert!(houserules_scene::faults(&scene).is_empty(), "{:?}", houserules_scene::faults(&scene));
}

/// [FR-51] The same logic has more than one representation: a `#view`, the default drawing, and none of them changes it.
#[test]
fn the_same_logic_has_several_representations() {
    let mut table = table();
    let own = table.scene();
    let usual = houserules_scene::draw(&Sight::of(&mut *table.position, &table.seats, Viewer::Public, None));
    assert!(own.graphics.keys().any(|id| id.contains("Hull")));
    assert!(!usual.graphics.keys().any(|id| id.contains("Hull")));
    assert!(usual.graphics.values().any(|graphic| graphic.label.starts_with("Heron, ")));
}

/// [FR-132] [FR-55] [FR-56] [FR-61] [FR-122] An observer animates from old to new: the boat tilts before it is seen to move
/// and glides across, in the state for that; undo takes it back.
#[test]
fn an_observer_animates_from_old_to_new() {
    let mut table = table();
    let start = table.scene();
    let reaction = table.click("Hull.hull").unwrap();
    assert!(table.answer(ANN, &reaction));
    let hull = table.graphic("Hull.hull").unwrap();
    assert_eq!((hull.at.x, hull.turn, hull.motion), (300, 10, Motion::Glide));
    let crossed = table.scene();
    let changes = diff(&start, &crossed);
    assert!(changes.len() <= 5, "a change says what was touched: {changes:?}");
    assert!(table.position.undo() && table.watching.undo());
    assert_eq!(table.scene(), start);
}

/// [FR-62] [FR-63] [FR-134] [FR-135] [FR-129] [FR-58] A click delivers the message that was prepared, with its attributes, to
/// the representation; that shows it and sends a message to its entity, under the laws of whoever clicked.
#[test]
fn a_click_delivers_the_prepared_message_with_its_attributes() {
    let mut table = table();
    let reaction = table.click("Hull.river").unwrap();
    assert_eq!(table.graphic("Hull.hull").unwrap().turn, 6, "seen before anything is played");
    assert!(!table.answer(BO, &reaction), "it is Ann's turn");
    assert!(table.answer(ANN, &reaction));
    assert_eq!((table.property("Heron", "load"), table.property("Heron", "cargo")), ("2".into(), "wool".into()));
    let cargo = table.graphic("Hull.cargo").unwrap();
    assert!(matches!(&cargo.shape, Shape::Text { text, .. } if text == "2"));
    assert_eq!(cargo.at.x, 110, "by how much it changed");
    let reaction = table.click("Hull.river").unwrap();
    assert!(!table.answer(BO, &reaction), "the law refuses four crates");
    table.play("load Heron 1 salt");
    assert!(table.graphic("Hull.river").is_none(), "deleted when the boat is full");
}

/// [FR-64] [FR-65] [FR-66] [FR-136] [FR-137] [FR-138] A behavior waits for a signal and goes on with its tag; in the meantime
/// the display is repainted: a click on the boat still shows.
#[test]
fn a_forced_question_returns_the_tag_of_what_was_clicked() {
    let mut table = table();
    table.play("haggle");
    assert_eq!(table.property("game", "toll"), "none");
    let reaction = table.click("Hull.river").unwrap();
    assert_eq!(table.graphic("Hull.hull").unwrap().turn, 6);
    assert!(!table.answer(ANN, &reaction), "the question stands");
    let reaction = table.click("Papers.low").unwrap();
    assert_eq!(reaction, Reaction::Emit("agreed".into(), Some("penny".into())));
    assert!(!table.answer(BO, &reaction), "Ann is asked");
    assert!(table.answer(ANN, &reaction));
    assert_eq!(table.property("game", "toll"), "penny");
}

/// [FR-139] A tag is optional: without one the answer is true.
#[test]
fn a_signal_without_a_tag_is_an_answer_as_well() {
    let mut table = table();
    table.play("ring");
    let reaction = table.click("Papers.bell").unwrap();
    assert_eq!(reaction, Reaction::Emit("rung".into(), None));
    assert!(table.answer(ANN, &reaction));
    assert_eq!(table.property("game", "bell"), "true");
}

/// All steps of a match in effect, gone through again by a viewer.
fn followed(of: &Match) -> Scene {
    let steps: Vec<_> = of.steps().cloned().collect();
    let mut again = of.fork_at("again", 0).unwrap();
    let stage = |again: &mut Match| Stage::of(again.running().as_defined().unwrap().definition());
    let mut watching = Watching::open(stage(&mut again).map(Arc::new), again.position().view(Viewer::Public));
    watching.follow(0, steps.len(), |step| {
        again.apply(&steps[step - 1]).unwrap();
        Some((stage(&mut again), again.position().view(Viewer::Public)))
    });
    assert!(watching.memory().faults.is_empty(), "{:?}", watching.memory().faults);
    let seats = again.seats();
    let before = Sight::before(again.look(), Viewer::Public);
    watching.scene(&Sight::of(again.position(), &seats, Viewer::Public, before))
}

/// [FR-4] [FR-122] Views are added, changed and changed back during a match: recorded, replayed and undone like a rule.
#[test]
fn views_are_changed_during_a_match_and_recorded() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ferry");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("game.gdl"), FERRY).unwrap();
    let found = houserules_library::find(&folder.display().to_string()).unwrap();
    let running = || Box::new(Defined::start(&found, &Options::default(), &[]).unwrap());
    let mut now = Match::new(Head::default(), running());
    let play = |now: &mut Match, words: &str| {
        let who = now.decision().open_to()[0];
        let choices = now.choices(who);
        let choice = choices.iter().find(|choice| now.look().words(who, choice) == words).expect(words).clone();
        now.play(who, &choice).unwrap();
    };
    play(&mut now, "cross Heron");
    let printed = followed(&now);
    now.change(Change::Text(
        "#view \"Flag\" of boat #onMessage start (new graphic flag with shape \"star\" x 40 y 40)".into(),
    ))
    .unwrap();
    let flagged = followed(&now);
    assert!(flagged.graphics.keys().any(|id| id.ends_with("Flag.flag")));
    now.change(Change::Text(
        "#view \"Flag\" of boat #onMessage start (new graphic flag with shape \"star\" x 40 y 40 fill \"gold\" rotation bank)".into(),
    ))
    .unwrap();
    let golden = followed(&now);
    assert_ne!(golden, flagged);
    play(&mut now, "cross Heron");
    let text = now.record().to_string();
    let mut replay = Replay::new(Record::parse(&text).record, running()).unwrap();
    assert_eq!(replay.run(), None, "{text}");
    assert_eq!(followed(&replay.into_match()), followed(&now));
    assert_eq!(now.undo(1), 1);
    assert_eq!(followed(&now), golden);
    assert_eq!(now.undo(1), 1);
    assert_eq!(followed(&now), flagged);
    assert_eq!(now.undo(1), 1);
    assert_eq!(followed(&now), printed);
    assert_eq!(now.redo(2), 2);
    assert_eq!(followed(&now), golden);
}
