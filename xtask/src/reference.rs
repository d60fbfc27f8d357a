//! `cargo xtask reference`: the pages of the language and of the game file, from the tables that define them.

use std::fs;

use crate::cargo;

/// A page, and who writes it.
type Page = (&'static str, fn() -> String);

const PAGES: [Page; 2] =
    [("docs/reference/language.md", houserules_gdl::reference), ("docs/reference/gdf.md", houserules_gdf::reference)];

pub fn run() -> Result<(), String> {
    for (page, text) in PAGES {
        let path = cargo::root().join(page);
        let told = |error: std::io::Error| format!("{page} cannot be written: {error}.");
        fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(told)?;
        fs::write(&path, text()).map_err(told)?;
        println!("{page}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_what_the_tables_say() {
        for (page, text) in PAGES {
            let written = fs::read_to_string(cargo::root().join(page)).unwrap_or_default();
            assert!(written == text(), "{page} is old; `cargo xtask reference` writes it anew.");
        }
    }
}
