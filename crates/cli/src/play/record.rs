use std::io::Write;
use std::path::Path;

use houserules_kernel::Who;

use crate::games::Options;
use crate::play::saved::BEGINNING;

/// What must be kept to play a match again, as lines a person can read.
pub struct Record {
    head: Vec<String>,
    steps: Vec<Step>,
}

/// Who decided, and the line that says what.
struct Step {
    /// Nobody for a rule that was switched.
    who: Option<Who>,
    line: String,
}

impl Record {
    pub fn new(game: &str, options: &Options, seed: u64) -> Self {
        let mut head = vec![format!("{BEGINNING}{game}")];
        head.extend(options.variants.iter().map(|variant| format!("variant {variant}")));
        head.extend(options.off.iter().map(|rule| format!("off {rule}")));
        head.extend(options.settings.iter().map(|(name, value)| format!("set {name}={value}")));
        head.extend(options.position.iter().map(|position| format!("position {position}")));
        head.extend(options.seats.iter().map(|n_seats| format!("players {n_seats}")));
        head.push(format!("seed {seed}"));
        Record { head, steps: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn play(&mut self, who: Who, name: &str, words: &str) {
        self.steps.push(Step { who: Some(who), line: format!("{name}: {words}") });
    }

    pub fn switch(&mut self, rule: &str, on: bool) {
        self.steps.push(Step { who: None, line: format!("{} {rule}", if on { "on" } else { "off" }) });
    }

    pub fn last_choice_of(&self, decides: impl Fn(Who) -> bool) -> Option<usize> {
        self.steps.iter().rposition(|step| step.who.is_some_and(&decides))
    }

    pub fn last_choice(&self) -> Option<usize> {
        self.last_choice_of(|_| true)
    }

    /// Switched rules stay switched.
    pub fn drop_last_choice(&mut self) {
        if let Some(last) = self.last_choice() {
            self.steps.remove(last);
        }
    }

    /// Writes over an older record, but not over anything else.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let told = |error: std::io::Error| format!("{} cannot be written: {error}.", path.display());
        if path.exists() && !std::fs::read_to_string(path).is_ok_and(|text| text.starts_with(BEGINNING)) {
            return Err(format!("{} exists and is no saved match; choose another name.", path.display()));
        }
        let mut file = std::fs::File::create(path).map_err(told)?;
        for line in self.head.iter().chain(self.steps.iter().map(|step| &step.line)) {
            writeln!(file, "{line}").map_err(told)?;
        }
        Ok(())
    }
}
