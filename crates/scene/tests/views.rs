//! Representations written in a definition, in running play.

use houserules_kernel::{Position, Rulebook, SeatId, Viewer, Who};
use houserules_machine::{Options, compile};
use houserules_scene::stage::{Reaction, Stage, Value, Watching, choice_of};
use houserules_scene::{Motion, Paint, Scene, Shape, Sight};
use std::sync::Arc;

/// A match with one viewer who follows it.
struct Table {
    position: Box<dyn Position>,
    seats: Vec<String>,
    viewer: Viewer,
    watching: Watching,
}

fn stage(text: &str) -> Option<Arc<Stage>> {
    Stage::of(&houserules_gdl::read_text("test", text).definition).map(Arc::new)
}

fn table(text: &str, viewer: Viewer) -> Table {
    let loaded = houserules_gdl::read_text("test", text);
    let faults: Vec<_> = loaded.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    let game = compile(&loaded.definition, &Options::default()).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let mut position = game.open().unwrap();
    let watching = Watching::open(stage(text), position.view(viewer));
    Table { position, seats: game.seats(), viewer, watching }
}

impl Table {
    fn play(&mut self, words: &str) {
        let who = self.position.decision().open_to()[0];
        let choices = self.position.choices(who);
        let choice = choices.iter().find(|choice| self.position.words(who, choice) == words).expect(words);
        self.position.play(who, choice).unwrap();
        self.watching.step(self.position.view(self.viewer));
    }

    fn undo(&mut self) {
        assert!(self.position.undo() && self.watching.undo());
    }

    fn scene(&mut self) -> Scene {
        let sight = Sight::of(&mut *self.position, &self.seats, self.viewer, None);
        self.watching.scene(&sight)
    }

    fn graphic(&mut self, end: &str) -> houserules_scene::Graphic {
        let scene = self.scene();
        scene
            .graphics
            .values()
            .find(|graphic| graphic.id.ends_with(end))
            .cloned()
            .unwrap_or_else(|| panic!("{end}: {:?}", scene.graphics.keys()))
    }

    /// Clicks a graphic as a seat, and plays what that means; gives whether it meant anything.
    fn click(&mut self, end: &str, seat: SeatId) -> bool {
        let id = self.graphic(end).id;
        let Some(reaction) = self.watching.click(&id) else { return false };
        let Some(choice) = choice_of(&mut *self.position, seat, &reaction) else { return false };
        self.position.play(Who::Seat(seat), &choice).unwrap();
        self.watching.step(self.position.view(self.viewer));
        true
    }
}

/// The statements of a representation, word for word: a lantern that is lit by clicks, and asks its keeper.
const LANTERNS: &str = r#"
    #game "Lanterns" #players "Ada" "Ben" #turns
    #model lantern #property lit #property oil 3
    #entity East is lantern #entity West is lantern
    #model game #property answer
    #action kindle to lantern (set lit to (if lit nil else true)) (decrease oil by 1)
    #action ask (set answer to (wait signal decided))
    #law "Without oil it stays dark" on kindle (require (> oil 0))
    #view "Glass" of lantern
      #property flicker 0
      #onMessage start
        (new graphic body)
        (new graphic flame with shape "ellipse" width 20 height 40 fill "gold" opacity (if lit 100 else 10))
        (new graphic level with text oil size 30 dy 50)
        (observe lit notify changing)
        (observe lit after notify changed)
        (observe oil notify burnt)
        (on flame clicked notify (new message kindle to self))
        (on body clicked notify (new message shake with strength 4))
      #onMessage changing
        (update graphic flame attribute rotation to (if old 0 else 5))
      #onMessage changed
        (set flicker to (+ flicker 1))
        (update graphic flame attribute opacity to (if new 100 else 10))
      #onMessage burnt
        (update graphic level attribute dx to (- (* 10 new) (* 10 old)))
        (update graphic level attribute text to new)
        (if (= new 1) (delete graphic body))
      #onMessage shake strength
        (update graphic flame attribute dx to strength)
        (send kindle to self)
    #view "Buttons" of game
      #onMessage start
        (new graphic yes with shape "rectangle" text "Yes") (new graphic no with shape "rectangle")
        (on yes clicked emit decided with "agreed") (on no clicked emit decided with "refused")"#;

const ADA: SeatId = SeatId(0);
const BEN: SeatId = SeatId(1);

/// [FR-57] [FR-60] [FR-125] [FR-126] [FR-131] A representation makes graphics, several of them, by names of its own, with
/// attributes or without.
#[test]
fn a_view_makes_graphics_of_its_own() {
    let mut table = table(LANTERNS, Viewer::Public);
    let flame = table.graphic("Glass.flame");
    assert_eq!((flame.shape.clone(), flame.size.x, flame.size.y, flame.opacity), (Shape::Ellipse, 20, 40, 10));
    assert!(matches!(flame.fill, Paint::Own(..)) && flame.motion == Motion::Glide);
    assert_eq!(table.graphic("Glass.body").shape, Shape::Circle);
    let scene = table.scene();
    assert_eq!(scene.graphics.keys().filter(|id| id.ends_with("Glass.flame")).count(), 2, "one for each lantern");
    // What a view draws is not drawn in the usual way as well.
    assert!(!scene.graphics.values().any(|graphic| graphic.thing == flame.thing && graphic.id.starts_with('t')));
}

/// [FR-128] [FR-129] [FR-132] [FR-133] [FR-55] [FR-56] Observers hear of changes before and after them, with the old value and the new one, and change or
/// delete graphics, [FR-130] their own and no other's.
#[test]
fn observers_hear_what_was_and_what_is() {
    let mut table = table(LANTERNS, Viewer::Public);
    table.play("kindle East");
    let flame = table.graphic("Glass.flame");
    assert_eq!((flame.opacity, flame.turn), (100, 5));
    let scene = table.scene();
    let levels: Vec<_> = scene.graphics.values().filter(|graphic| graphic.id.ends_with("Glass.level")).collect();
    let text = |at: usize| match &levels[at].shape {
        Shape::Text { text, .. } => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!((text(0), text(1)), ("2".into(), "3".into()), "only East has burnt");
    table.play("kindle East");
    let scene = table.scene();
    assert_eq!(scene.graphics.keys().filter(|id| id.ends_with("Glass.body")).count(), 1, "East lost its body");
}

/// [FR-54] [FR-122] What a view remembers goes back with undo, and comes again as before.
#[test]
fn undo_takes_back_what_views_remember() {
    let mut table = table(LANTERNS, Viewer::Public);
    let (start, memory) = (table.scene(), table.watching.memory().clone());
    table.play("kindle East");
    let (lit, lit_memory) = (table.scene(), table.watching.memory().clone());
    table.play("kindle West");
    table.undo();
    assert_eq!(table.scene(), lit);
    assert_eq!(*table.watching.memory(), lit_memory);
    table.undo();
    assert_eq!(table.scene(), start);
    assert_eq!(*table.watching.memory(), memory);
    table.play("kindle East");
    assert_eq!(table.scene(), lit);
}

/// [FR-62] [FR-63] [FR-134] [FR-135] A click delivers the message that was prepared, with its attributes; the view shows it, and sends a message to its
/// thing, [FR-58] to no other.
#[test]
fn a_click_sends_the_prepared_message() {
    let mut table = table(LANTERNS, Viewer::Public);
    assert!(table.graphic("Glass.flame").clickable);
    assert!(table.click("Glass.flame", ADA), "kindle goes straight to the lantern");
    assert_eq!(table.graphic("Glass.flame").opacity, 100);
    assert!(!table.click("Glass.flame", ADA), "it is Ben's turn");
    let still = table.graphic("Glass.flame").at;
    let id = table.graphic("Glass.body").id;
    let reaction = table.watching.click(&id);
    assert!(matches!(&reaction, Some(Reaction::Send(_, message)) if &*message.label == "kindle"), "{reaction:?}");
    assert_eq!(table.graphic("Glass.flame").at, still.by(4, 0), "it shakes before anything is played");
    let choice = choice_of(&mut *table.position, BEN, &reaction.unwrap()).unwrap();
    table.position.play(Who::Seat(BEN), &choice).unwrap();
    table.watching.step(table.position.view(Viewer::Public));
    assert_eq!(table.graphic("Glass.flame").at, still, "what a click showed is over with the next step");
}

/// A click on what the laws refuse is no choice.
#[test]
fn a_click_does_not_go_around_the_laws() {
    let mut table = table(LANTERNS, Viewer::Public);
    for seat in [ADA, BEN, ADA] {
        assert!(table.click("Glass.flame", seat));
    }
    assert!(!table.click("Glass.flame", BEN), "the lantern has no oil");
}

/// [FR-64] [FR-65] [FR-66] [FR-136] [FR-137] [FR-138] A behavior waits for a signal, a click emits it, and its tag is the answer.
#[test]
fn a_forced_question_waits_for_the_signal_of_a_click() {
    let mut table = table(LANTERNS, Viewer::Public);
    table.play("ask");
    assert!(table.click("Buttons.no", ADA));
    let view = table.position.view(Viewer::Public);
    let answer = view.facts[0].properties.iter().find(|(name, _)| name == "answer").unwrap();
    assert_eq!(answer.1, houserules_kernel::Shown::Value("refused".into()));
}

/// [FR-4] A view that is changed during a match begins with what there is, and undo brings the old one back.
#[test]
fn a_view_is_changed_during_a_match() {
    let mut table = table(LANTERNS, Viewer::Public);
    table.play("kindle East");
    let old = table.scene();
    let other = LANTERNS.replace("gold", "red").replace("\"ellipse\"", "\"star\"");
    table.watching.change(stage(&other), table.position.view(Viewer::Public));
    let flame = table.graphic("Glass.flame");
    assert_eq!((flame.shape.clone(), flame.opacity), (Shape::Image("star"), 100));
    assert!(table.watching.undo());
    assert_eq!(table.scene(), old);
}

/// A view that observes what its viewer may not see hears nothing, and draws the same whatever it is.
#[test]
fn a_view_never_knows_what_its_viewer_may_not_see() {
    let text = |face: u32| {
        format!(
            r#"#game "Toy" #players "X" "O" #model card #property face seen by owner
            #entity Ace is card with owner X face {face}
            #action turn to card (set face to (+ face 1))
            #view "Front" of card
              #onMessage start (new graphic front with text face) (observe face after notify seen)
              #onMessage seen (update graphic front attribute text to new)"#
        )
    };
    let scenes = |viewer: Viewer| -> Vec<Scene> {
        let both = [3, 7].map(|face| {
            let mut table = table(&text(face), viewer);
            table.play("turn Ace");
            Scene { ways: Vec::new(), ..table.scene() }
        });
        both.to_vec()
    };
    for viewer in [Viewer::Seat(BEN), Viewer::Public] {
        let both = scenes(viewer);
        assert_eq!(both[0], both[1], "{viewer:?}");
    }
    let both = scenes(Viewer::Seat(ADA));
    assert_ne!(both[0], both[1]);
}

/// [FR-127] A name is given to one graphic only; every mistake costs the view and not the match: the thing is drawn in the usual way, and a reason is given.
#[test]
fn a_view_with_a_fault_is_set_aside_with_a_reason() {
    let faulty = |statements: &str| {
        let text = format!(
            r#"#game "Toy" #players "X" "O" #turns #model lamp #property lit #property power 1
            #entity Left is lamp #action press to lamp (set lit to true) (increase power by 1)
            #view "Bulb" of lamp #property mine 0
              #onMessage start (new graphic bulb) (observe power after notify more) {statements}
              #onMessage more (set mine to new)"#
        );
        let mut table = table(&text, Viewer::Public);
        table.play("press Left");
        let faults = table.watching.memory().faults.clone();
        assert_eq!(faults.len(), 1, "{statements}: {faults:?}");
        let scene = table.scene();
        assert!(!scene.graphics.keys().any(|id| id.contains("Bulb")), "{statements}");
        assert!(scene.graphics.values().any(|graphic| graphic.label.contains("Left")), "{statements}");
        faults[0].to_string()
    };
    let check = |statements: &str, expected: &str| {
        let told = faulty(statements);
        assert!(told.contains(expected), "{statements}: {told}");
    };
    check("(new graphic glow with colour \"red\")", "A graphic has no attribute `colour`");
    check("(new graphic glow with fil \"red\")", "Did you mean `fill`?");
    check("(new graphic glow with fill \"reed\")", "Did you mean `red`?");
    check("(new graphic glow with size 9999999)", "20000 is the most");
    check("(new graphic glow with size (/ 1 0))", "divided by nought");
    check("(new graphic glow with size -4)", "not below nought");
    check("(new graphic glow with shape \"circel\")", "There is no shape or picture `circel`");
    check("(new graphic bulb)", "There is a graphic `bulb` already");
    check("(update graphic blub attribute size to 3)", "Did you mean `bulb`?");
    check("(while true (set mine to 1))", "perhaps a loop does not end");
    check("(foreach i in (range 1 600) (new graphic (+ \"g\" i)))", "A number is wanted");
    check("(foreach i in (range 1 600) (new graphic (first (list i))))", "500 graphics");
    check("(var a \"ab\") (while true (set a to \"{a}{a}\"))", "at most 10000 letters and members");
    check("(var a (list 1)) (while true (set a to (list a a)))", "at most 10000 letters and members");
    check("(set power to 5)", "`power` belongs to Left");
    check("(observe mine notify more)", "is its own property");
    check("(send press to self)", "only when somebody clicks");
    check("(on bulb clicked notify (new message press to X))", "to its own thing only");
    check("(on bulb clicked notify 7)", "A click notifies by a message");
}

/// All views together have a budget as well; beyond it everything is drawn in the usual way.
#[test]
fn a_million_graphics_cost_the_views_and_not_the_match() {
    let lamps: String = (0..12).map(|lamp| format!("#entity lamp{lamp} is lamp ")).collect();
    let text = format!(
        r#"#game "Toy" #players "X" "O" #turns #model lamp #property lit {lamps} #action press to lamp (set lit to true)
        #view "Sparks" of lamp #onMessage start (foreach i in (range 1 450) (new graphic (first (list i))))"#
    );
    let mut table = table(&text, Viewer::Public);
    let faults = table.watching.memory().faults.clone();
    assert!(faults.len() == 1 && faults[0].reason.contains("5000 is the most"), "{faults:?}");
    table.play("press lamp3");
    let scene = table.scene();
    assert!(scene.graphics.len() < 100 && scene.graphics.values().any(|graphic| graphic.label.contains("lamp3")));
}

/// So have the steps of all views together: a loop in each of many costs the views once, and not the match again and again.
#[test]
fn endless_loops_in_many_views_cost_the_views_and_not_the_match() {
    let lamps: String = (0..60).map(|lamp| format!("#entity lamp{lamp} is lamp ")).collect();
    let text = format!(
        r#"#game "Toy" #players "X" "O" #turns #model lamp #property lit {lamps} #action press to lamp (set lit to true)
        #view "Spin" of lamp #property n 0 #onMessage start (while true (set n to (+ n 1)))"#
    );
    let mut table = table(&text, Viewer::Public);
    for _ in 0..40 {
        table.play("press lamp3");
    }
    let faults = table.watching.memory().faults.clone();
    assert!(faults.len() == 1 && faults[0].reason.contains("1000000 steps"), "{faults:?}");
    assert!(table.scene().graphics.values().any(|graphic| graphic.label.contains("lamp3")));
}

/// A view of a model that does not exist is told to its author, and draws nothing.
#[test]
fn a_view_of_nothing_is_told_to_its_author() {
    let text = "#game \"Toy\" #players \"X\" \"O\" #model lamp #entity Left is lamp #action press to lamp (remove self)\n\
                #view \"Bulb\" of lmap #onMessage start (new graphic bulb)";
    let loaded = houserules_gdl::read_text("test", text);
    let found: Vec<_> = loaded.diagnostics.iter().cloned().chain(houserules_check::check(&loaded.definition)).collect();
    let told: Vec<_> = found.iter().filter(|told| told.is_error()).map(|told| format!("{told:?}")).collect();
    assert!(told.iter().any(|told| told.contains("lmap") && told.contains("Did you mean `lamp`?")), "{told:?}");
}

/// Markup in names and texts stays text.
#[test]
fn nothing_in_a_text_becomes_markup() {
    let text = r#"#game "Toy" #players "<b>&" "O" #model lamp #entity "<script>x" is lamp
        #action press to lamp
        #view "Bulb" of lamp #onMessage start
          (new graphic bulb with text "<a href='javascript:1'>&" label "\"><script>" class "x\" onload=\"1" fill "\#c0ffee")"#
        .replace("\\#", "#");
    let mut table = table(&text, Viewer::Public);
    assert!(table.watching.memory().faults.is_empty(), "{:?}", table.watching.memory().faults);
    let picture = houserules_scene::svg(&table.scene(), houserules_scene::Theme::Light);
    assert!(!picture.contains("<script") && !picture.contains("<a ") && !picture.contains("<b>"), "{picture}");
    assert!(picture.contains("&lt;a href=&#39;javascript:1&#39;&gt;&amp;"), "{picture}");
    assert!(table.graphic("Bulb.bulb").class.chars().all(|letter| letter.is_alphanumeric() || letter == ' '));
    let reaction = Reaction::Emit("x".into(), None);
    assert_eq!(choice_of(&mut *table.position, ADA, &reaction), None);
    assert_eq!(Value::Nil.to_string(), "nil");
}
