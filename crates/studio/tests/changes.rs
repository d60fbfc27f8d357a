//! What each change does to a text.

use houserules_studio::{Change, Document, Meaning, Names, Picture, Side, Sort, Span, What};

const GAME: &str = "\
; A game on nine cells.
#game \"Three\"
#players \"X\" \"O\"
#turns
#model cell
  #property mark           ; whose it is
#board cell grid 3 3

; A place is chosen.
#action place to cell
  (set mark to player)

#law \"Only empty cells\" on place
  (require (not mark) \"Taken.\")

; Three in a row.
#sideeffect \"A line wins\" on place
  (if (line 3 of mark)
    (win player))
";

fn open(text: &str) -> Document {
    Document::open("game.gdl", text, Vec::new())
}

fn span(text: &str, what: &str) -> Span {
    let start = text.find(what).unwrap_or_else(|| panic!("{what} is not there"));
    Span::new(start, start + what.len())
}

/// Makes the change, shows that undo gives the text back, and gives the new text.
fn changed(text: &str, change: Change) -> String {
    let mut document = open(text);
    document.change(&change).unwrap_or_else(|refused| panic!("{change:?}: {refused}"));
    let made = document.text().to_owned();
    document.undo().unwrap();
    assert_eq!(document.text(), text, "undo restores the bytes");
    document.redo().unwrap();
    assert_eq!(document.text(), made);
    made
}

fn refused(text: &str, change: Change) -> &'static str {
    let mut document = open(text);
    let refused = document.change(&change).unwrap_err();
    assert_eq!(document.text(), text, "a refused change leaves the document as it was");
    refused.code
}

fn add(what: What, name: &str, of: Option<&str>, value: Option<&str>) -> Change {
    let (of, value) = (of.map(str::to_owned), value.map(str::to_owned));
    Change::Add { what, name: name.into(), of, state: None, value, within: None }
}

#[test]
fn what_is_added_stands_beside_its_like() {
    let text = changed(GAME, add(What::Property, "best cell", Some("cell"), Some("0")));
    assert!(text.contains("#property mark           ; whose it is\n  #property \"best cell\" 0\n#board"), "{text}");
    let text = changed(GAME, add(What::Model, "piece", None, None));
    assert!(text.contains("; whose it is\n\n#model piece\n#board"), "{text}");
    let text = changed("#game \"G\"\n#model cell\n  #property mark\n", add(What::Board, "cell", None, Some("ring 6")));
    assert!(text.ends_with("  #property mark\n#board cell ring 6\n"), "{text}");
    let text = changed(GAME, add(What::SideEffect, "Full", None, Some("place")));
    assert!(text.ends_with("    (win player))\n#sideeffect \"Full\" on place\n"), "{text}");
    let with_variant = format!("{GAME}\n; Larger.\n#variant \"Big\"\n  #rule \"Only empty cells\" off\n");
    let text = changed(&with_variant, add(What::Setting, "size", None, Some("3")));
    assert!(text.contains("#setting size 3\n\n; Larger.\n#variant"), "{text}");
}

#[test]
fn turns_need_no_name() {
    let text = changed("#game \"G\"\n#players \"X\" \"O\"\n", add(What::Turns, "", None, None));
    assert!(text.contains("#players \"X\" \"O\"\n#turns\n"), "{text}");
    assert_eq!(refused(&text, add(What::Turns, "", None, None)), "edit/taken");
}

#[test]
fn a_behavior_goes_into_its_state() {
    let behavior = |state: &str, name: &str| Change::Add {
        what: What::Behavior,
        name: name.into(),
        of: Some("cell".into()),
        state: Some(state.into()),
        value: None,
        within: None,
    };
    let text = changed(GAME, behavior("default", "tick"));
    assert!(text.contains("; whose it is\n  #onMessage tick\n#board"), "{text}");
    let text = changed(&text, behavior("1", "add a stone"));
    assert!(text.contains("  #onMessage tick\n  #state \"1\"\n    #onMessage \"add a stone\"\n#board"), "{text}");
    let text = changed(&text, behavior("1", "tock"));
    assert!(text.contains("\"add a stone\"\n    #onMessage tock\n#board"), "{text}");
}

#[test]
fn statements_come_go_and_move_with_their_comments() {
    let setup = "#game \"G\"\n#setup\n  ; one\n  (var a 1)\n  (var b 2) ; two\n  (if (> a b)\n    (say a) (say b))\n";
    let text = changed(setup, Change::Remove { at: span(setup, "(var a 1)") });
    assert_eq!(text, "#game \"G\"\n#setup\n  (var b 2) ; two\n  (if (> a b)\n    (say a) (say b))\n");
    let text = changed(setup, Change::Remove { at: span(setup, "(> a b)") });
    assert!(text.contains("(if ()\n"), "what a form needs stays, empty: {text}");
    let text =
        changed(setup, Change::Move { at: span(setup, "(var b 2)"), to: span(setup, "(var a 1)"), side: Side::Before });
    assert_eq!(
        text,
        "#game \"G\"\n#setup\n  (var b 2) ; two\n  ; one\n  (var a 1)\n  (if (> a b)\n    (say a) (say b))\n"
    );
    let text =
        changed(setup, Change::Move { at: span(setup, "(var a 1)"), to: span(setup, "(say b)"), side: Side::Before });
    assert!(text.contains("(say a) ; one\n"), "{text}");
    let text = changed(setup, Change::Wrap { at: span(setup, "(say a)"), with: "(while () )".into() });
    assert!(text.contains("(while (say a) ) (say b)"), "{text}");
    let whole = span(setup, "(if (> a b)\n    (say a) (say b))");
    let text = changed(setup, Change::Fill { at: whole, slot: 2, text: "(say 3)".into() });
    assert!(text.contains("(say b) else (say 3))"), "{text}");
    let whole = span(&text, "(if (> a b)\n    (say a) (say b) else (say 3))");
    let text = changed(&text, Change::Clear { at: whole, slot: 2 });
    assert_eq!(text, setup);
}

#[test]
fn a_value_is_changed_where_it_stands() {
    let value = |of: &str, property: &str, value: Option<&str>| Change::Value {
        of: of.into(),
        property: property.into(),
        value: value.map(str::to_owned),
    };
    let text = changed(GAME, value("cell", "mark", Some("7")));
    assert!(text.contains("#property mark 7           ; whose it is"), "{text}");
    assert_eq!(changed(&text, value("cell", "mark", None)), GAME);
    let things =
        "#game \"G\"\n#model hole\n  #property stones 4\n#model store is hole\n#entity \"store A\" is store ; mine\n";
    let text = changed(things, value("store", "stones", Some("0")));
    assert!(text.contains("#model store is hole\n  #property stones 0\n#entity"), "{text}");
    let with = |text: &str, line: &str, value: Option<&str>| {
        let change = Change::With { at: span(text, line), property: "stones".into(), value: value.map(str::to_owned) };
        changed(text, change)
    };
    let text = with(things, "#entity \"store A\" is store", Some("3"));
    assert!(text.contains("is store with stones 3 ; mine"), "{text}");
    assert_eq!(with(&text, "#entity \"store A\" is store with stones 3", None), things);
}

#[test]
fn a_rule_is_switched_by_a_line_and_put_back_without_a_trace() {
    let mode = |mode: &str| Change::Mode { rule: "Only empty cells".into(), mode: mode.into() };
    let off = changed(GAME, mode("off"));
    assert!(off.contains("\"Taken.\")\n#rule \"Only empty cells\" off\n"), "{off}");
    assert!(changed(&off, mode("advised")).contains("#rule \"Only empty cells\" advised"));
    assert_eq!(changed(&off, mode("enforced")), GAME);
}

#[test]
fn a_name_is_changed_everywhere_it_is_meant_and_nowhere_else() {
    let rename =
        |text: &str, at: &str, to: &str| changed(text, Change::Rename { at: span(text, at).start, to: to.into() });
    let text = rename(GAME, "mark           ;", "owner-of");
    assert_eq!(text, GAME.replace("mark", "owner-of"));
    let text = rename(GAME, "cell grid", "field");
    assert_eq!(text.matches("field").count(), 3, "{text}");
    assert!(text.contains("A game on nine cells"), "comments are the author's: {text}");
    let shadow = "#game \"G\"\n#setup (var n 1) (say \"{n} of {+ n 1} n\")\n#define n 3\n";
    let text = rename(shadow, "n 1)", "k");
    assert_eq!(text, "#game \"G\"\n#setup (var k 1) (say \"{k} of {+ k 1} n\")\n#define n 3\n");
    assert_eq!(
        refused(GAME, Change::Rename { at: span(GAME, "mark           ;").start, to: "a b".into() }),
        "edit/plain"
    );
    assert_eq!(
        refused(GAME, Change::Rename { at: span(GAME, "mark           ;").start, to: "cell".into() }),
        "edit/taken"
    );
    let reading = open(GAME);
    let names = Names::of(reading.reading());
    let meaning = Meaning { sort: Sort::Message, name: "place".into() };
    assert_eq!(names.uses(&meaning).count(), 3);
}

#[test]
fn a_model_goes_with_what_belongs_to_it_and_leaves_the_rest() {
    let text = "#game \"G\"\n#model a\n  #property x 1 ; first\n  #state s\n    #onMessage m (set x to 2)\n#model b is a\n  #property y\n#entity \"t\" is a\n#entity a\n";
    let text = changed(text, Change::RemoveModel { model: "a".into() });
    assert_eq!(text, "#game \"G\"\n#model b\n  #property y\n#entity \"t\" is thing\n");
}

#[test]
fn a_parent_is_changed_and_a_circle_refused() {
    let text = "#game \"G\"\n#model a\n#model b is a\n";
    let parent =
        |model: &str, parent: Option<&str>| Change::Parent { model: model.into(), parent: parent.map(str::to_owned) };
    assert_eq!(changed(text, parent("b", None)), "#game \"G\"\n#model a\n#model b\n");
    assert_eq!(refused(text, parent("a", Some("b"))), "edit/circle");
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let at = span(GAME, "(set mark to player)");
    assert_eq!(refused(GAME, Change::Replace { at, with: "(a) (b)".into() }), "edit/not-one");
    assert_eq!(refused(GAME, Change::Replace { at: Span::new(3, 5), with: "x".into() }), "edit/stale");
    assert_eq!(refused(GAME, add(What::Model, "cell", None, None)), "edit/taken");
    assert_eq!(refused(GAME, add(What::Model, " ", None, None)), "edit/name");
    assert_eq!(refused(GAME, Change::Insert { at, side: Side::After, text: "(open".into() }), "edit/breaks");
    // Without the board the property would be the model's.
    let text = "#game \"G\"\n#model cell\n#board cell grid 3 3\n#property round 0\n";
    assert_eq!(refused(text, Change::Remove { at: span(text, "#board cell grid 3 3") }), "edit/others");
}

#[test]
fn what_is_typed_is_one_step_for_a_word() {
    let mut document = open("#game \"A\"\n");
    for text in ["#game \"Ab\"\n", "#game \"Abc\"\n"] {
        document.change(&Change::Type { text: text.into(), joins: true }).unwrap();
    }
    document.change(&Change::Type { text: "#game \"Abc d\"\n".into(), joins: false }).unwrap();
    assert_eq!(document.steps().0.len(), 2);
    document.undo();
    assert_eq!(document.text(), "#game \"Abc\"\n");
    document.undo();
    assert_eq!(document.text(), "#game \"A\"\n");
    assert!(document.undo().is_none());
    document.jump(2).unwrap();
    assert_eq!(document.text(), "#game \"Abc d\"\n");
}

#[test]
fn a_part_is_pushed_up_with_its_comment_as_one_step() {
    let text = "#game \"G\"\n#model place\n  #property seeds 4\n#model hole is place\n  ; Who owns it.\n  #property side 0 ; of two\n#model store is place\n";
    let pushed = changed(text, Change::PushUp { at: span(text, "#property side 0") });
    assert_eq!(
        pushed,
        "#game \"G\"\n#model place\n  #property seeds 4\n  ; Who owns it.\n  #property side 0 ; of two\n#model hole is place\n#model store is place\n"
    );
    assert_eq!(refused(text, Change::PushUp { at: span(text, "#property seeds 4") }), "edit/push-up");
}

#[test]
fn what_is_required_first_becomes_a_law_and_what_comes_last_a_side_effect() {
    let text = "#game \"G\"\n#players \"X\" \"O\"\n#model cell\n  #property mark\n#board cell grid 3 3\n#action place to cell\n  (require (not mark) \"Taken.\")\n  (set mark to player)\n  ; Three in a row.\n  (if (line 3 of mark) (win player)) ; the end\n#sideeffect \"Full\" on place (if (every cell where mark) (draw))\n";
    let extract =
        |text: &str, what: &str, name: &str| changed(text, Change::Extract { at: span(text, what), name: name.into() });
    let law = extract(text, "(require (not mark) \"Taken.\")", "Only empty cells");
    assert!(law.contains("#action place to cell\n  (set mark to player)\n"), "{law}");
    assert!(law.contains("#law \"Only empty cells\" on place to cell\n  (require (not mark) \"Taken.\")\n"), "{law}");
    let effect = extract(&law, "(if (line 3 of mark) (win player))", "A line wins");
    assert!(
        effect.contains("#sideeffect \"A line wins\" on place to cell\n  ; Three in a row.\n  (if (line 3 of mark) (win player)) ; the end\n#sideeffect \"Full\""),
        "before what follows already: {effect}"
    );
    let no = |what: &str, name: &str| refused(text, Change::Extract { at: span(text, what), name: name.into() });
    assert_eq!(no("(set mark to player)", "Mark"), "edit/order");
    assert_eq!(no("(win player)", "Win"), "edit/no-rule");
    assert_eq!(no("(require (not mark) \"Taken.\")", "Full"), "edit/taken");
    let text = "#game \"G\"\n#model cell\n  #property n 0\n  #onMessage go\n    (var k 1)\n    (set n to k)\n";
    assert_eq!(refused(text, Change::Extract { at: span(text, "(set n to k)"), name: "Set".into() }), "edit/variable");
    let text = "#game \"G\"\n#model cell\n  #property n 0\n  #onMessage go\n    (set n to 1)\n#model deep is cell\n  #onMessage go\n    (set n to 2)\n";
    assert_eq!(refused(text, Change::Extract { at: span(text, "(set n to 1)"), name: "Set".into() }), "edit/several");
}

#[test]
fn what_was_done_can_be_taken_back_after_the_text_was_opened_again() {
    let mut first = open(GAME);
    first.change(&add(What::Model, "piece", None, None)).unwrap();
    first.change(&add(What::Property, "worth", Some("piece"), Some("1"))).unwrap();
    first.undo().unwrap();
    let (steps, done) = first.steps();
    let mut again = open(first.text());
    assert!(again.remember(steps.to_vec(), done));
    again.redo().unwrap();
    assert!(again.text().contains("#property worth 1"));
    again.undo().unwrap();
    again.undo().unwrap();
    assert_eq!(again.text(), GAME);
    // Steps that lead elsewhere are none of this text.
    assert!(!open("#game \"Other\"\n").remember(steps.to_vec(), done));
    assert!(open("#game \"Other\"\n").steps().0.is_empty());
}

#[test]
fn a_file_that_is_included_is_checked_as_a_part_of_the_game() {
    let root = (
        "game.gdl".to_owned(),
        "#game \"G\"\n#players \"X\"\n#model cell\n  #property mark\n#include \"rules.gdl\"\n".to_owned(),
    );
    let text = "#action place to cell\n  (set mark to 1)\n  (set marc to 1)\n";
    let document = Document::of(vec![root.clone(), ("rules.gdl".to_owned(), text.to_owned())], 1);
    let told: Vec<String> = document
        .reading()
        .messages
        .iter()
        .filter(|message| message.is_error())
        .map(|message| message.labels[0].text.clone())
        .collect();
    assert!(
        told.iter().any(|told| told.contains("marc")) && !told.iter().any(|told| told.contains("`mark`.")),
        "{told:?}"
    );
    let picture = houserules_studio::Picture::of(&document);
    assert!(
        picture.models.iter().any(|model| model.name == "cell" && model.at.is_none()),
        "it stands in the other file"
    );
    assert!(picture.play.iter().any(|entry| entry.name == "place" && entry.at.is_some()));
    let root_document = Document::open("game.gdl", &root.1, vec![("rules.gdl".into(), text.replace("marc", "mark"))]);
    assert!(!root_document.reading().has_errors(), "{:?}", root_document.reading().messages);
}

/// [GM-198] [GM-199] [GM-200] [GM-201] Whatever is done to a game is a step that can be taken back, each by itself and as
/// many as there were, and done again.
#[test]
fn hundreds_of_steps_are_taken_back_one_by_one_and_done_again() {
    const MOST: usize = 300;
    let mut document = open(GAME);
    let mut texts = vec![GAME.to_owned()];
    for number in 0..MOST {
        let name = format!("thing {number}");
        let change = match number % 5 {
            0 => add(What::Model, &name, None, None),
            1 => add(What::Property, &name, Some("cell"), Some("0")),
            2 => add(What::SideEffect, &name, None, Some("place")),
            3 => Change::Mode { rule: format!("thing {}", number - 1), mode: "off".into() },
            _ => Change::Type { text: format!("{}; line {number}\n", document.text()), joins: false },
        };
        document.change(&change).unwrap_or_else(|refused| panic!("{change:?}: {refused}"));
        assert_eq!(document.steps().0.len(), number + 1, "each change is a step of its own");
        texts.push(document.text().to_owned());
    }
    for before in texts[..MOST].iter().rev() {
        assert!(document.undo().is_some());
        assert_eq!(document.text(), before);
    }
    assert!(document.undo().is_none(), "this is how it began");
    for after in &texts[1..] {
        assert!(document.redo().is_some());
        assert_eq!(document.text(), after);
    }
    assert!(document.redo().is_none());
}

/// [GM-195] A game is a flat list of models, each with its parent, and one of things, each with its model; they follow a
/// change of names.
#[test]
fn models_and_things_are_flat_lists_with_links_back() {
    const FAMILY: &str = "#game \"G\"\n#model stone\n#model gem is stone\n  #property shine 3\n#model box\n\
        #entity Pebble is stone\n#entity Ruby is gem\n#entity Chest is box\n";
    let lists = |document: &Document| {
        let picture = Picture::of(document);
        let models: Vec<String> = picture
            .models
            .iter()
            .filter(|model| model.at.is_some())
            .map(|model| format!("{} < {}", model.name, model.parent.as_deref().unwrap_or("none")))
            .collect();
        let things =
            picture.things.iter().map(|thing| format!("{}: {}", thing.name, thing.of.as_deref().unwrap_or("")));
        (models.join(", "), things.collect::<Vec<_>>().join(", "))
    };
    let mut document = open(FAMILY);
    let told = |models: &str, things: &str| (models.to_owned(), things.to_owned());
    let before = told("stone < none, gem < stone, box < none", "Pebble: stone, Ruby: gem, Chest: box");
    assert_eq!(lists(&document), before);
    document.change(&Change::Rename { at: span(FAMILY, "stone").start, to: "rock".into() }).unwrap();
    assert_eq!(lists(&document), told("rock < none, gem < rock, box < none", "Pebble: rock, Ruby: gem, Chest: box"));
    document.undo();
    assert_eq!(lists(&document), before);
}
