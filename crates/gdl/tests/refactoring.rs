//! Parts of models go up to their parents, and nothing else changes.

use houserules_gdl::{push_up, read_text, spliced};
use houserules_model::{Definition, ItemKind, Key};

fn sound(text: &str) -> Definition {
    let loaded = read_text("toy.gdl", text);
    assert!(!loaded.has_errors(), "{}", houserules_gdl::render_all(&loaded.diagnostics, &loaded.sources, false));
    loaded.definition
}

#[track_caller]
fn up(text: &str, part: &Key) -> String {
    let splices = push_up(text, &sound(text), part).unwrap_or_else(|reason| panic!("{reason}"));
    let (made, back) = spliced(text, &splices);
    assert_eq!(spliced(&made, &back).0, text, "taken back it is the same text");
    made
}

const TOWN: &str = "#game \"Town\"\n#players \"A\"\n#model building\n  #property rooms 1 ; at least\n\n#model house is building\n  \
    ; Whoever lives here.\n  #property people 0\n  #define full (>= people rooms)\n  #state open\n    #onMessage enter\n      \
    ; One more.\n      (increase people by 1)\n  #property garden nil\n\n#model shop is building\n#entity h is house\n";

/// A part goes with its comments, and to the end of its parent.
#[test]
fn parts_go_up_with_their_comments() {
    let made = up(TOWN, &Key::Property("house".into(), "people".into()));
    assert!(
        made.contains("#property rooms 1 ; at least\n  ; Whoever lives here.\n  #property people 0\n\n#model house"),
        "{made}"
    );
    assert_eq!(made.matches("; Whoever lives here.").count(), 1);
    let made = up(TOWN, &Key::Behavior("house".into(), "open".into(), "enter".into()));
    let expected = "at least\n  #state open\n    #onMessage enter\n      ; One more.\n      (increase people by 1)\n\n#model house";
    assert!(made.contains(expected), "{made}");
    assert_eq!(made.matches("#state open").count(), 1, "the state goes with its last behavior\n{made}");
    let made = up(TOWN, &Key::Define(Some("house".into()), "full".into()));
    assert!(made.contains("at least\n  #define full (>= people rooms)\n\n#model house"), "{made}");
}

/// What cannot go up says why.
#[test]
fn what_cannot_go_up_says_why() {
    let refused = |text: &str, part: Key| push_up(text, &sound(text), &part).unwrap_err();
    let rooms = |of: &str| Key::Property(of.into(), "rooms".into());
    assert!(refused(TOWN, rooms("building")).contains("comes from no other model"));
    assert!(refused(TOWN, rooms("house")).contains("no such part"));
    let twice = TOWN.replace("#property people 0", "#property rooms 4");
    assert!(refused(&twice, rooms("house")).contains("says this itself"));
    let dense = TOWN.replace("#property people 0\n  #define", "#property people 0 #define");
    assert!(refused(&dense, Key::Property("house".into(), "people".into())).contains("lay the text out first"));
    assert!(refused(TOWN, Key::Model("house".into())).contains("Only properties"));
}

/// Whatever goes up in any game of the library does so alone: every other part says what it said, in its place.
#[test]
fn parts_of_all_games_go_up_alone() {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut n = 0;
    for game in std::fs::read_dir(games).unwrap() {
        let Ok(text) = std::fs::read_to_string(game.unwrap().path().join("game.gdl")) else { continue };
        // Every model of the game gets a parent, which is what an author does who wants to share something.
        let loaded = read_text("toy.gdl", &text);
        let free = loaded.definition.items().iter().find_map(|item| match &item.kind {
            ItemKind::Model { name, parent: None } if !["game", "player"].contains(&&**name) => {
                Some((name.clone(), item.origin))
            }
            _ => None,
        });
        let Some((model, origin)) = free else { continue };
        let head = format!("#model {model}");
        let at = origin.start as usize;
        if !text[at..].starts_with(&head) || loaded.has_errors() {
            continue;
        }
        let text =
            format!("{}#model shared-by-all\n\n{head} is shared-by-all{}", &text[..at], &text[at + head.len()..]);
        let loaded = read_text("toy.gdl", &text);
        let parts: Vec<Key> = loaded.definition.items().iter().filter_map(|item| item.key()).collect();
        let comments = text.matches(';').count();
        for part in parts {
            let Ok(splices) = push_up(&text, &loaded.definition, &part) else { continue };
            let (made, back) = spliced(&text, &splices);
            assert_eq!(made.matches(';').count(), comments, "comments survive\n{made}");
            assert_eq!(spliced(&made, &back).0, text);
            n += 1;
        }
    }
    assert!(n > 30, "{n} parts went up");
}
