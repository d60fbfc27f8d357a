//! Tests that compare the pages with the project.

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use crate::cargo;

    fn page(name: &str) -> String {
        fs::read_to_string(cargo::root().join(name)).unwrap()
    }

    #[test]
    fn the_architecture_has_a_paragraph_for_each_crate_and_a_crate_for_each_paragraph() {
        let folders: BTreeSet<String> = fs::read_dir(cargo::root().join("crates"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let paragraphs: BTreeSet<String> = page("ARCHITECTURE.md")
            .lines()
            .filter_map(|line| Some(line.strip_prefix("**`")?.split_once("`**")?.0.to_owned()))
            .filter(|name| name != "xtask")
            .collect();
        assert_eq!(paragraphs, folders, "left: ARCHITECTURE.md, right: crates/");
    }

    #[test]
    fn links_between_pages_lead_somewhere() {
        for name in [
            "README.md",
            "ARCHITECTURE.md",
            "GLOSSARY.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "docs/guide/first-game.md",
        ] {
            let text = page(name);
            let folder = cargo::root().join(name).parent().unwrap().to_owned();
            for after in text.split("](").skip(1) {
                let target = after.split([')', '#']).next().unwrap();
                if target.is_empty() || target.contains("://") {
                    continue;
                }
                assert!(folder.join(target).exists(), "{name} links to {target}, which is not there");
            }
        }
    }
    /// [CF-33] Whoever writes a game, a player or an evaluator in Rust finds every public thing explained; `cargo doc` makes
    /// pages of it.
    #[test]
    fn what_others_build_upon_is_explained() {
        fn sources(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => sources(&path, found),
                    false => found.push(path),
                }
            }
        }
        let kinds = ["struct", "enum", "trait", "fn", "type", "const"].map(|kind| format!("pub {kind} "));
        let mut n_explained = 0;
        for name in ["kernel", "players", "arena", "study"] {
            let mut files = Vec::new();
            sources(&cargo::root().join("crates").join(name).join("src"), &mut files);
            for file in files {
                let text = fs::read_to_string(&file).unwrap();
                if file.ends_with("lib.rs") {
                    assert!(text.starts_with("//! "), "{} does not say what it is", file.display());
                }
                let mut before = "";
                for line in text.lines().filter(|line| !line.starts_with("#[")) {
                    if kinds.iter().any(|kind| line.starts_with(kind)) {
                        assert!(before.starts_with("/// "), "{}: `{line}` is not explained", file.display());
                        n_explained += 1;
                    }
                    before = line;
                }
            }
        }
        assert!(n_explained > 80, "only {n_explained} were looked at");
    }
}
