//! Whatever a game is written in, the same choices lead to the same positions.

use houserules_kernel::{Decision, Generator, Position, Rulebook, Viewer, Who};
use houserules_library::gdf::{Remarks, to_gdl, write};
use houserules_library::{Found, Options, enclosed, find, list, list_files};

/// Choices of one match; beyond them it is more of the same.
const PLIES: usize = 120;

fn matches() -> u64 {
    std::env::var("HOUSERULES_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

fn remarks(found: &Found) -> Remarks {
    found.file.as_ref().map_or_else(|| Remarks::of_gdl(&found.loaded.sources), |file| file.remarks.clone())
}

/// The game as `houserules convert` writes it in XML, and that in the definition language again.
fn converted(name: &str, found: &Found) -> [Found; 2] {
    let read = |ending: &str, text: String| {
        let other = enclosed(name, &[(format!("{name}{ending}"), text.clone())]);
        assert!(!other.has_errors(), "{name}: {}\n{text}", other.messages(false));
        assert!(other.said() == found.said(), "{name}{ending} says something else\n{text}");
        other
    };
    let file = read(".gdf.xml", write(found.said(), &remarks(found)));
    let text = read(".gdl", to_gdl(file.said(), &remarks(&file)));
    [file, text]
}

/// Plays the same choices in all of them, and looks at everything after each.
fn played_the_same(name: &str, games: &[&Found], options: &Options, seed: u64) -> usize {
    let mut positions: Vec<Box<dyn Position>> = Vec::new();
    for game in games {
        let rulebook = game.compile(options).unwrap_or_else(|faults| panic!("{name}: {faults}"));
        positions.push(rulebook.open().unwrap_or_else(|error| panic!("{name}: {error}")));
    }
    let mut random = Generator::new(seed);
    for ply in 0..PLIES {
        let mut known: Option<(Who, Vec<String>, usize)> = None;
        let mut state = None;
        for position in &mut positions {
            let seen = (position.decision(), position.fingerprint(), position.view(Viewer::All));
            match &state {
                None => state = Some(seen),
                Some(first) => assert!(*first == seen, "{name}: after {ply} choices of seed {seed}"),
            }
            let who = match position.decision() {
                Decision::Over(_) => continue,
                Decision::Nature => Who::Nature,
                decision => decision.open_to()[0],
            };
            let choices = position.choices(who);
            let words: Vec<String> = choices.iter().map(|choice| position.words(who, choice)).collect();
            let at = match &known {
                None => random.below(choices.len() as u64) as usize,
                Some((first, said, at)) => {
                    assert_eq!((first, said), (&who, &words), "{name}: after {ply} choices of seed {seed}");
                    *at
                }
            };
            position.play(who, &choices[at]).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            known = Some((who, words, at));
        }
        if known.is_none() {
            return ply;
        }
    }
    PLIES
}

/// [GM-4] Every game of the library is played the same as it is, in XML, and in the definition language again: with its
/// usual rules and in every variant.
#[test]
fn games_are_played_the_same_in_both_languages() {
    let mut plies = 0;
    for name in list().into_iter().chain(list_files()) {
        let found = find(&name).unwrap();
        let [file, text] = converted(&name, &found);
        let games = [&found, &file, &text];
        let variants = found.definition().variants().map(|variant| vec![variant.name.to_string()]);
        for (at, variants) in std::iter::once(Vec::new()).chain(variants).enumerate() {
            let options = Options { variants, interpreted: true, ..Options::default() };
            for seed in 1..=matches() {
                plies += played_the_same(&name, &games, &options, seed + 1_000 * at as u64);
            }
        }
    }
    assert!(plies > 3_000, "{plies} choices were played");
}
