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
}
