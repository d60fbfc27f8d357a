//! `cargo xtask counts`: the counts of `games/*/counts.txt`, counted again.
//!
//! A section of such a file names settings, variants, rules that are off and what a ply is, then counts:
//!
//! ```text
//! # Comments begin with a number sign, and a blank line ends a section.
//! settings width=4 height=4
//! variant "Misère"
//! off "A full board is a draw"
//! by turn
//! depth 3  nodes 3360
//! ```

use std::fs;
use std::time::Instant;

use houserules_kernel::{By, Rulebook, perft};
use houserules_library::Options;

use crate::games::{self, Folder};

/// Counts beyond this are left to `--deep`: the usual run takes seconds.
const USUAL: u64 = 20_000;

/// Counts beyond this take hours, and are left to `--all`.
const DEEP: u64 = 10_000_000;

/// Which lines are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    Usual,
    Deep,
    All,
}

impl Reach {
    fn most(self) -> u64 {
        match self {
            Reach::Usual => USUAL,
            Reach::Deep => DEEP,
            Reach::All => u64::MAX,
        }
    }
}

/// Counts the games named, in that order, or all.
pub fn run(reach: Reach, only: &[&str]) -> Result<(), String> {
    let mut faults = Vec::new();
    let mut folders = games::folders()?;
    if let Some(unknown) = only.iter().find(|name| folders.iter().all(|folder| folder.name != **name)) {
        return Err(format!("There is no game `{unknown}` in games/."));
    }
    if !only.is_empty() {
        folders.retain(|folder| only.contains(&&*folder.name));
        folders.sort_by_key(|folder| only.iter().position(|name| *name == folder.name));
    }
    for folder in folders {
        let began = Instant::now();
        let wrong = check(&folder, reach)?;
        let said = if wrong.is_empty() { "good" } else { "WRONG" };
        println!("{:24}  {said}  {:.1} s", folder.name, began.elapsed().as_secs_f64());
        faults.extend(wrong);
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// What is wrong with the counts of one game, a line each.
pub fn check(folder: &Folder, reach: Reach) -> Result<Vec<String>, String> {
    let path = folder.path.join("counts.txt");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut wrong = Vec::new();
    for section in parse(&text).map_err(|reason| format!("games/{}/counts.txt: {reason}", folder.name))? {
        let lines: Vec<(usize, u64)> =
            section.counts.iter().copied().filter(|&(_, nodes)| nodes <= reach.most()).collect();
        let Some(&(deepest, _)) = lines.iter().max_by_key(|(depth, _)| *depth) else { continue };
        let of_section = |reason: String| format!("{} {}: {reason}", folder.name, section.title());
        let game = games::compile(&folder.name, &section.options).map_err(of_section)?;
        let mut position = game.open().map_err(|error| of_section(error.to_string()))?;
        let found = perft(&mut *position, deepest, section.by).map_err(|refusal| of_section(refusal.to_string()))?;
        for (depth, nodes) in lines {
            if found[depth - 1] != nodes {
                let found = found[depth - 1];
                wrong.push(of_section(format!("depth {depth}: expected {nodes} nodes, found {found}")));
            }
        }
    }
    Ok(wrong)
}

/// The depths and nodes that `counts.txt` gives for a game under these options, counted by action.
#[cfg(test)]
pub fn published(game: &str, options: &Options) -> Result<Vec<(usize, u64)>, String> {
    let path = crate::cargo::root().join("games").join(game).join("counts.txt");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let wanted = Section { options: options.clone(), by: By::Action, counts: Vec::new() }.title();
    let fitting = parse(&text)?.into_iter().filter(|section| section.title() == wanted);
    Ok(fitting.flat_map(|section| section.counts).collect())
}

struct Section {
    options: Options,
    by: By,
    counts: Vec<(usize, u64)>,
}

impl Section {
    fn new() -> Self {
        Section { options: Options::default(), by: By::Action, counts: Vec::new() }
    }

    /// What sets it apart, such as `[Misère, width=4, by turn]`.
    fn title(&self) -> String {
        let mut parts = self.options.variants.clone();
        parts.extend(self.options.off.iter().map(|rule| format!("without “{rule}”")));
        parts.extend(self.options.settings.iter().map(|(name, value)| format!("{name}={value}")));
        parts.extend(self.options.position.clone());
        if self.by == By::Turn {
            parts.push("by turn".into());
        }
        format!("[{}]", parts.join(", "))
    }
}

fn parse(text: &str) -> Result<Vec<Section>, String> {
    let mut sections = Vec::new();
    let mut open = Section::new();
    for (idx, line) in text.lines().chain([""]).enumerate() {
        let line = line.trim();
        if line.is_empty() && !open.counts.is_empty() {
            sections.push(std::mem::replace(&mut open, Section::new()));
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fault = || format!("line {}: “{line}” is not understood.", idx + 1);
        let (word, rest) = line.split_once(' ').ok_or_else(fault)?;
        let rest = rest.trim();
        let name = || rest.trim_matches('"').to_owned();
        match word {
            "settings" => {
                for setting in rest.split_whitespace() {
                    let (name, value) = setting.split_once('=').ok_or_else(fault)?;
                    open.options.settings.push((name.into(), value.into()));
                }
            }
            "variant" => open.options.variants.push(name()),
            "position" => open.options.position = Some(name()),
            "off" => open.options.off.push(name()),
            "players" => open.options.seats = Some(rest.parse().map_err(|_| fault())?),
            "by" if rest == "turn" => open.by = By::Turn,
            "by" if rest == "action" => open.by = By::Action,
            "depth" => match rest.split_whitespace().collect::<Vec<_>>().as_slice() {
                [depth, "nodes", nodes] => {
                    let depth: usize = depth.parse().ok().filter(|depth| *depth > 0).ok_or_else(fault)?;
                    open.counts.push((depth, nodes.replace('_', "").parse().map_err(|_| fault())?));
                }
                _ => return Err(fault()),
            },
            _ => return Err(fault()),
        }
    }
    Ok(sections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_options_and_counts() {
        let text =
            "# All\ndepth 1  nodes 9\n\nsettings width=4 height=2\nvariant \"Very odd\"\nby turn\ndepth 2  nodes 5\n";
        let sections = parse(text).unwrap();
        assert_eq!(
            sections.iter().map(Section::title).collect::<Vec<_>>(),
            ["[]", "[Very odd, width=4, height=2, by turn]"]
        );
        assert_eq!(sections[1].counts, [(2, 5)]);
        assert!(parse("depth 0  nodes 1").is_err() && parse("hop").is_err() && parse("by day").is_err());
    }

    #[test]
    fn every_game_counts_as_its_page_says() {
        let wrong: Vec<String> = games::folders()
            .unwrap()
            .iter()
            .flat_map(|folder| check(folder, Reach::Usual).unwrap_or_else(|reason| vec![reason]))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
