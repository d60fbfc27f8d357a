//! The same seed gives the same match, interpreted or in native code.

#[allow(dead_code, reason = "each test file needs some of it")]
mod common;

use common::{small, variants};
use houserules_kernel::{Generator, Rulebook};
use houserules_library::{Options, find, list};

/// Below what makes a program go native by itself.
const MOST: u64 = 90;

#[test]
fn a_seed_decides_a_match_however_it_is_run() {
    for name in list() {
        let found = find(&name).unwrap();
        for variants in variants(&found) {
            let options = Options { variants: variants.clone(), ..small(&name) };
            let (cold, native) = (found.compile(&options).unwrap(), found.compile(&options).unwrap());
            native.program().go_native();
            for seed in 1..=2 {
                let played = |game: &dyn Rulebook| {
                    let mut position = game.open().unwrap();
                    let moves = position.playout(&mut Generator::new(seed), MOST).unwrap();
                    (moves, position.fingerprint())
                };
                assert_eq!(played(&native), played(&cold), "{name} {variants:?}, seed {seed}");
            }
        }
    }
}
