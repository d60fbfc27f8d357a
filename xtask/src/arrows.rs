//! `cargo xtask arrows`: who knows whom, among the crates and among the layers of the machine.
//!
//! The arrows between crates are drawn from what cargo knows into ARCHITECTURE.md. The layers of the machine stand in
//! docs/machine.md, each with its modules; who uses whom is read off the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::cargo;

/// Whom each of some things knows.
type Arrows = BTreeMap<String, BTreeSet<String>>;

const PAGE: &str = "ARCHITECTURE.md";
const LAYERS: &str = "docs/machine.md";
const BEGIN: &str = "<!-- arrows, written by `cargo xtask arrows` -->\n";
const END: &str = "<!-- end of arrows -->\n";

pub fn run() -> Result<(), String> {
    let crates = crates()?;
    let path = cargo::root().join(PAGE);
    let text = fs::read_to_string(&path).map_err(|error| format!("{PAGE} cannot be read: {error}."))?;
    let drawn = with_arrows(&text, &crates)?;
    if drawn != text {
        fs::write(&path, drawn).map_err(|error| format!("{PAGE} cannot be written: {error}."))?;
        println!("{PAGE} written anew\n");
    }
    println!("crates ({} in cycles of imports)", in_cycles(&crates));
    for (name, known) in &crates {
        let lines: usize =
            sources(&cargo::root().join("crates").join(name).join("src")).iter().map(|file| file.lines()).sum();
        println!("{lines:>7}  {name:10} → {}", listed(known));
    }
    for name in crates.keys() {
        let layers = layers_of(name)?;
        if !layers.is_empty() {
            println!();
            tell_layers(name, &layers);
        }
    }
    Ok(())
}

/// The crates of the project, and which of them each one uses in what it ships.
fn crates() -> Result<Arrows, String> {
    let output = cargo::cargo(&["metadata", "--offline", "--no-deps", "--format-version", "1"])
        .output()
        .map_err(|error| format!("`cargo metadata` could not be started: {error}."))?;
    let told: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("`cargo metadata` said something else than JSON: {error}."))?;
    let mut arrows = Arrows::new();
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    // A crate is called after its folder, as on the page.
    let folder = |manifest: &str| {
        let path = Path::new(manifest).parent()?;
        let of_crates = path.parent()?.file_name()? == "crates";
        of_crates.then(|| path.file_name()?.to_str().map(str::to_owned)).flatten()
    };
    for package in list(&told["packages"]) {
        let Some(name) = package["manifest_path"].as_str().and_then(folder) else { continue };
        let known = list(&package["dependencies"])
            .iter()
            .filter(|dependency| dependency["kind"].is_null())
            .filter_map(|dependency| Path::new(dependency["path"].as_str()?).file_name()?.to_str().map(str::to_owned))
            .collect();
        arrows.insert(name, known);
    }
    Ok(arrows)
}

/// The page with the arrows between crates as they are.
fn with_arrows(page: &str, crates: &Arrows) -> Result<String, String> {
    let missing = || format!("{PAGE} has no place for the arrows, between `{}` and `{}`.", BEGIN.trim(), END.trim());
    let (before, rest) = page.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    let mut drawn = String::from("```\n");
    let width = crates.keys().map(String::len).max().unwrap_or(0);
    for name in in_order(crates) {
        drawn += format!("{name:width$}  {}", listed(&crates[name])).trim_end();
        drawn.push('\n');
    }
    drawn += "```\n";
    Ok([before, BEGIN, &drawn, END, after].concat())
}

/// Whoever is known comes before those who know it.
fn in_order(arrows: &Arrows) -> Vec<&String> {
    let mut done: Vec<&String> = Vec::new();
    while done.len() < arrows.len() {
        let ready = |name: &&String| !done.contains(name) && arrows[*name].iter().all(|known| done.contains(&known));
        let next = arrows.keys().find(ready).or_else(|| arrows.keys().find(|name| !done.contains(name)));
        done.extend(next);
    }
    done
}

fn listed(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// How many of them know themselves through others.
fn in_cycles(arrows: &Arrows) -> usize {
    let comes_back = |from: &String| {
        let (mut met, mut open) = (BTreeSet::new(), Vec::from_iter(&arrows[from]));
        while let Some(next) = open.pop() {
            if next == from {
                return true;
            }
            if met.insert(next) {
                open.extend(arrows.get(next).into_iter().flatten());
            }
        }
        false
    };
    arrows.keys().filter(|name| comes_back(name)).count()
}

/// A source file of a crate.
struct Source {
    /// The module at the top of the crate that it belongs to.
    module: String,
    text: String,
}

impl Source {
    fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// The modules of its crate that it uses.
    fn uses(&self) -> BTreeSet<String> {
        let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        let code = self.text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let mut used = BTreeSet::new();
        for after in code.split("crate::").skip(1) {
            match after.strip_prefix('{') {
                None => drop(used.insert(word(after))),
                Some(group) => {
                    let group = group.split('}').next().unwrap_or_default();
                    used.extend(group.split(',').map(|part| word(part.trim())));
                }
            }
        }
        used.remove(&self.module);
        used
    }
}

/// The sources of a crate, but the list of its modules.
fn sources(folder: &Path) -> Vec<Source> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for path in fs::read_dir(&next).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs")
                && let Ok(inside) = path.strip_prefix(folder)
                && let Some(first) = inside.components().next()
                && let Ok(text) = fs::read_to_string(&path)
            {
                let module = first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned();
                if module != "lib" && module != "main" {
                    found.push(Source { module, text });
                }
            }
        }
    }
    found
}

/// A layer and its modules.
type Layer = (String, Vec<String>);

/// The layers of a crate from the lowest to the highest, as the page lists them below its name.
fn layers_of(name: &str) -> Result<Vec<Layer>, String> {
    let page =
        fs::read_to_string(cargo::root().join(LAYERS)).map_err(|error| format!("{LAYERS} cannot be read: {error}."))?;
    let heading = format!("## Layers of `{name}`");
    let lines = page.lines().skip_while(|line| *line != heading).skip(1).take_while(|line| !line.starts_with('#'));
    Ok(lines
        .filter_map(|line| {
            let (layer, rest) = line.strip_prefix("- **")?.split_once("**")?;
            let modules = rest.split("; ").next()?.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            Some((layer.to_owned(), modules))
        })
        .collect())
}

/// What stands in the sources of a crate with layers.
struct Survey {
    lines: BTreeMap<String, usize>,
    arrows: Arrows,
    sources: Vec<Source>,
}

impl Survey {
    fn of(name: &str) -> Survey {
        let sources = sources(&cargo::root().join("crates").join(name).join("src"));
        let modules: BTreeSet<String> = sources.iter().map(|source| source.module.clone()).collect();
        let (mut lines, mut arrows) = (BTreeMap::new(), Arrows::new());
        for source in &sources {
            *lines.entry(source.module.clone()).or_default() += source.lines();
            let known = arrows.entry(source.module.clone()).or_default();
            known.extend(source.uses().intersection(&modules).cloned());
        }
        Survey { lines, arrows, sources }
    }

    /// Uses of a higher layer: who, whom.
    fn upward(&self, layers: &[Layer]) -> Vec<(&str, &str)> {
        let rank = |module: &str| layers.iter().position(|(_, modules)| modules.iter().any(|known| known == module));
        let pairs =
            self.arrows.iter().flat_map(|(from, known)| known.iter().map(move |to| (from.as_str(), to.as_str())));
        pairs.filter(|(from, to)| rank(from) < rank(to)).collect()
    }

    /// How many fields a type has, attributes and comments apart.
    fn fields(&self, name: &str) -> Option<usize> {
        let begin = format!("pub struct {name} {{\n");
        let text = self.sources.iter().find_map(|source| source.text.split_once(&begin))?.1;
        let inside = text.split("\n}").next()?;
        Some(inside.lines().filter(|line| !line.trim_start().starts_with("//") && line.contains(": ")).count())
    }
}

fn tell_layers(name: &str, layers: &[Layer]) {
    let survey = Survey::of(name);
    println!("layers of {name} ({} of {} modules in cycles)", in_cycles(&survey.arrows), survey.arrows.len());
    for (layer, modules) in layers {
        let lines: usize = modules.iter().filter_map(|module| survey.lines.get(module)).sum();
        println!("{lines:>7}  {layer:14} {}", modules.join(" "));
    }
    let upward = survey.upward(layers);
    println!("{} uses of a higher layer:", upward.len());
    for (from, to) in upward {
        println!("         {from} → {to}");
    }
    let with_machine = survey.sources.iter().filter(|source| source.text.contains("\nimpl Machine {")).count();
    if let Some(fields) = survey.fields("Machine") {
        println!("`Machine` has {fields} fields, and methods in {with_machine} files");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arrows_between_crates_are_those_of_cargo() {
        let crates = crates().unwrap();
        assert!(crates["machine"].contains("kernel"), "{crates:?}");
        let page = fs::read_to_string(cargo::root().join(PAGE)).unwrap();
        assert!(with_arrows(&page, &crates).unwrap() == page, "{PAGE} is old; `cargo xtask arrows` writes it anew.");
        assert_eq!(in_cycles(&crates), 0);
    }

    #[test]
    fn every_module_of_the_machine_stands_in_one_layer() {
        for name in crates().unwrap().keys() {
            let layers = layers_of(name).unwrap();
            if layers.is_empty() {
                continue;
            }
            let survey = Survey::of(name);
            let mut listed: Vec<&String> = layers.iter().flat_map(|(_, modules)| modules).collect();
            listed.sort();
            assert_eq!(listed, survey.arrows.keys().collect::<Vec<_>>(), "left: {LAYERS}, right: crates/{name}/src");
        }
        assert!(!layers_of("machine").unwrap().is_empty());
    }

    #[test]
    fn cycles_and_groups_of_uses_are_seen() {
        let arrows = |pairs: &[(&str, &[&str])]| -> Arrows {
            pairs.iter().map(|(from, to)| (from.to_string(), to.iter().map(|to| to.to_string()).collect())).collect()
        };
        assert_eq!(in_cycles(&arrows(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])])), 2);
        let text = "use crate::{one, two::Thing};\n// crate::three\nfn f() { crate::four::f() }\n".to_owned();
        let used = Source { module: "one".into(), text }.uses();
        assert_eq!(Vec::from_iter(used), ["four", "two"]);
    }
}
