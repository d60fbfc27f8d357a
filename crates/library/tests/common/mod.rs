//! What tests of the whole library share.

use houserules_library::{Found, Options};

/// On a great board a match takes long and shows nothing that a small one does not.
pub fn small(game: &str) -> Options {
    let settings: &[(&str, &str)] = match game {
        "go" | "go-cells" | "amazons" => &[("size", "4")],
        "gomoku" => &[("size", "7")],
        "hex" => &[("size", "5")],
        "hedges" => &[("size", "4"), ("hedges", "2")],
        "star-halma" => &[("rounds", "20")],
        "hearts" => &[("limit", "1")],
        _ => &[],
    };
    let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    Options { settings, ..Options::default() }
}

/// The game itself, then each of its variants.
pub fn variants(found: &Found) -> Vec<Vec<String>> {
    let named = found.definition().variants().map(|variant| vec![variant.name.to_string()]);
    std::iter::once(Vec::new()).chain(named).collect()
}
