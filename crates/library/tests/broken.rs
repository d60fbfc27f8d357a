//! Definitions of the library with random edits, read, checked, compiled and played: faults are told, nothing panics.

use houserules_gdl::read_text;
use houserules_kernel::{Generator, Rulebook};
use houserules_library::{find, list};
use houserules_machine::{Options, compile};
use houserules_model::Budget;

/// Takes a piece of a text away, doubles it, swaps it with another, or puts a word of the language in.
fn edited(text: &str, random: &mut Generator) -> String {
    let mut pieces: Vec<&str> = text.split_inclusive([' ', '\n', '(', ')']).collect();
    let words = [
        "nil ",
        "(",
        ")",
        "player ",
        "self ",
        "it ",
        "0 ",
        "-1 ",
        "99999 ",
        "\"x\" ",
        "of ",
        "where ",
        "cell ",
        "#model a ",
        "next ",
    ];
    for _ in 0..1 + random.below(4) {
        let (at, other) = (random.below(pieces.len() as u64) as usize, random.below(pieces.len() as u64) as usize);
        match random.below(4) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(other, pieces[at]),
            2 => pieces.swap(at, other),
            _ => pieces.insert(at, words[random.below(words.len() as u64) as usize]),
        }
    }
    pieces.concat()
}

/// What happened to one edited definition.
fn survives(text: &str, seed: u64) -> bool {
    let loaded = read_text("edited", text);
    houserules_check::check(&loaded.definition);
    let budget = Budget { steps: 200_000, depth: 200, words: 200_000 };
    let settings = [("size", "3"), ("width", "3"), ("height", "3")];
    let settings =
        settings.iter().filter(|(name, _)| loaded.definition.settings().any(|setting| *setting.name == **name));
    let settings = settings.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let Ok(game) = compile(&loaded.definition, &Options { budget, settings, ..Options::default() }) else {
        return false;
    };
    let Ok(mut position) = game.open() else { return false };
    let mut random = Generator::new(seed);
    for _ in 0..12 {
        if !position.play_random(&mut random).unwrap_or(false) {
            break;
        }
        if random.below(3) == 0 {
            position.undo();
        }
    }
    true
}

#[test]
fn edited_definitions_never_panic() {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (first, n) = (number("HOUSERULES_SEED", 0), number("HOUSERULES_EDITS", 60));
    let (mut played, mut total) = (0, 0);
    for name in list() {
        // Printed whole, so that a game that builds on another stands alone.
        let text = find(&name).unwrap().definition().to_string();
        for seed in first..first + n {
            let text = edited(&text, &mut Generator::new(seed));
            println!("{name}, seed {seed}:\n{text}");
            played += u64::from(survives(&text, seed));
            total += 1;
        }
    }
    assert!(played * 20 > total, "{played} of {total} edited definitions could still be played");
}
