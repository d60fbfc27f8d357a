//! `cargo xtask reference`: the pages of the language, from the tables that define it.

use std::fs;

use crate::cargo;

const PAGE: &str = "docs/reference/language.md";

pub fn run() -> Result<(), String> {
    let path = cargo::root().join(PAGE);
    let told = |error: std::io::Error| format!("{PAGE} cannot be written: {error}.");
    fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(told)?;
    fs::write(&path, houserules_gdl::reference()).map_err(told)?;
    println!("{PAGE}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_what_the_tables_say() {
        let written = fs::read_to_string(cargo::root().join(PAGE)).unwrap_or_default();
        assert!(written == houserules_gdl::reference(), "{PAGE} is old; `cargo xtask reference` writes it anew.");
    }
}
