//! Whatever stands in a file, the checker gives messages and nothing else happens.

use houserules_check::check;
use houserules_gdl::{read_text, render};
use proptest::prelude::*;

/// Games that use most of the language once, and are in order.
const TOWERS: &str = include_str!("towers.gdl");
const BAZAAR: &str = include_str!("bazaar.gdl");

/// Text that tends to break things where it lands.
const PIECES: &[&str] = &[
    "(",
    ")",
    "\"",
    "#model a is b\n#model b is a\n",
    "#define f (f)\n",
    "(f of f)",
    " it ",
    " self ",
    " nil ",
    "#state * ",
    "#variant \"V\" from \"V\"\n",
    "(set self to it)",
    "-",
    "9999999999999999999",
    "(while true)",
    "#setting n n from n to n\n",
    "(send go to self)",
    "#model ",
    " of ",
    " where ",
    "#board cell grid n 0\n",
    "(cell at)",
    " 1 ",
    "#players 0 to 0\n",
    "é",
];

fn changed(mut text: String, edits: &[(usize, usize, usize)]) -> String {
    for (at, taken, piece) in edits {
        let boundary = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (from, to) = (boundary(at % (text.len() + 1)), boundary(at % (text.len() + 1) + taken));
        text.replace_range(from..to, PIECES[piece % PIECES.len()]);
    }
    text
}

#[test]
fn the_games_that_are_edited_are_in_order() {
    in_order("towers.gdl", TOWERS);
    in_order("bazaar.gdl", BAZAAR);
}

fn in_order(name: &str, text: &str) {
    let loaded = read_text(name, text);
    let all: Vec<String> = loaded
        .diagnostics
        .iter()
        .chain(&check(&loaded.definition))
        .map(|diagnostic| render(diagnostic, &loaded.sources, false))
        .collect();
    assert_eq!(all.join("\n"), "");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_edit_of_a_game_is_answered(edits in prop::collection::vec((any::<usize>(), 0usize..40, any::<usize>()), 1..8)) {
        for text in [TOWERS, BAZAAR] {
            let text = changed(text.to_string(), &edits);
            let loaded = read_text("edited.gdl", &text);
            for diagnostic in check(&loaded.definition) {
                prop_assert!(!diagnostic.labels.is_empty());
                render(&diagnostic, &loaded.sources, false);
            }
        }
    }
}

#[test]
fn everything_sending_everything_ends() {
    let mut text = String::from("#game \"Echo\"\n#players \"Ann\" \"Bo\"\n#model bell\n#entity bell\n");
    for label in 0..40 {
        text.push_str(&format!("#onMessage ring{label}\n"));
        for other in 0..40 {
            text.push_str(&format!("  (send ring{other} to self)\n"));
        }
    }
    text.push_str("#action ring0 to bell\n");
    for n in 0..60 {
        text.push_str(&format!("#define d{n} (+ d{} d{})\n", (n + 1) % 60, (n + 7) % 60));
    }
    check(&read_text("echo.gdl", &text).definition);
}

#[test]
fn long_chains_and_deep_nests_end() {
    let mut text = String::from("#game \"Chain\"\n#players \"Ann\" \"Bo\"\n#model m0\n#property deep seen by nobody\n");
    for n in 0..60 {
        text.push_str(&format!("#define d{n} (not d{})\n#onMessage l{n} (send l{} to self)\n", n + 1, n + 1));
    }
    for n in 1..40 {
        text.push_str(&format!("#model m{n} is m{}\n", n - 1));
    }
    text.push_str("#action l0 to m0\n#law \"Deep\" on l0\n  (require (and d0 ");
    text.push_str(&"(not ".repeat(5000));
    text.push_str(&")".repeat(5000));
    text.push_str("))\n#law \"Less deep\" on l0\n  (require ");
    text.push_str(&"(if nil ".repeat(houserules_gdl::DEEPEST - 4));
    text.push_str(&")".repeat(houserules_gdl::DEEPEST - 4));
    text.push_str(")\n");
    check(&read_text("chain.gdl", &text).definition);
}
