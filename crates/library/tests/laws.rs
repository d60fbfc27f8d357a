//! The laws of play, for every game of the library and each of its variants, played at random.

use houserules_kernel::laws;
use houserules_library::{Options, about, find, list};

const SEED: u64 = 5;

#[test]
fn the_laws_of_play_hold_for_every_game_and_variant() {
    let mut broken = Vec::new();
    for name in list() {
        let found = find(&name).unwrap();
        let variants = about(found.definition()).variants;
        for variants in std::iter::once(Vec::new()).chain(variants.into_iter().map(|variant| vec![variant])) {
            let what = format!("{name} {variants:?}");
            let game = found.compile(&Options { variants, ..Options::default() }).unwrap();
            if let Err(fault) = laws::hold(&game, SEED, 2, 30) {
                broken.push(format!("{what}: {fault:?}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
