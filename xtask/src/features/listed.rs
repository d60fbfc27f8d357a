use std::path::Path;

/// A line of `docs/features.md`: `- **FR-36** law can prevent the behaviour`.
pub struct Feature {
    pub number: String,
    pub text: String,
}

impl Feature {
    pub fn prefix(&self) -> &str {
        self.number.split_once('-').map_or(&self.number, |(prefix, _)| prefix)
    }

    pub fn index(&self) -> u32 {
        self.number.split_once('-').and_then(|(_, index)| index.parse().ok()).unwrap_or(0)
    }
}

pub fn read(path: &Path) -> Result<Vec<Feature>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let features = text.lines().filter_map(|line| {
        let (number, text) = line.strip_prefix("- **")?.split_once("** ")?;
        Some(Feature { number: number.into(), text: text.into() })
    });
    Ok(features.collect())
}
