use std::fmt;

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub file: String,
    /// From 1; none if it is about the file as a whole.
    pub line: Option<usize>,
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for Fault {}

/// The names that there are, for a message.
pub(crate) fn known<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// That there is nothing of this name, what may have been meant, and what there is.
pub(crate) fn unknown(what: &str, name: &str, names: &[&str]) -> String {
    let near = houserules_model::nearest(name, names.iter().copied());
    let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
    match names {
        [] => format!("There is no {what} `{name}`; there is none at all here."),
        _ => format!("There is no {what} `{name}`.{near} Known: {}.", known(names.iter().copied())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_file_line_and_what_is_known() {
        let message = unknown("player", "rando", &["random", "mcts"]);
        let fault = Fault { file: "duel.toml".into(), line: Some(3), message };
        assert_eq!(
            fault.to_string(),
            "duel.toml:3: There is no player `rando`. Did you mean `random`? Known: `random`, `mcts`."
        );
    }
}
