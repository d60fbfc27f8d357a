//! What a player thinks, in words.

use houserules_players::Thought;

/// More choices than this are not told one by one.
const MOST_CONSIDERED: usize = 3;
/// Nor more of the expected line.
const MOST_LINE: usize = 6;

/// `thinks +0.42 after 1000 tries, expects b2, a1; weighed b2 +0.42 (700), a1 +0.10 (200)`; none where nothing was looked at.
pub fn thinks(thought: &Thought) -> Option<String> {
    let value = thought.value?;
    let mut told = format!("thinks {value:+.2} after {} tries", thought.nodes);
    if thought.line.len() > 1 {
        let line: Vec<&str> = thought.line.iter().take(MOST_LINE).map(String::as_str).collect();
        told.push_str(&format!(", expects {}", line.join(", ")));
    }
    if thought.considered.len() > 1 {
        let considered: Vec<String> = thought
            .considered
            .iter()
            .take(MOST_CONSIDERED)
            .map(|considered| format!("{} {:+.2} ({})", considered.words, considered.value, considered.visits))
            .collect();
        told.push_str(&format!("; weighed {}", considered.join(", ")));
    }
    Some(told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserules_kernel::Choice;
    use houserules_players::Considered;

    #[test]
    fn value_line_and_visits_are_told() {
        let considered = |words: &str, visits, value| Considered { words: words.into(), visits, value };
        let thought = Thought {
            choice: Choice::of(&[1]),
            value: Some(0.421),
            line: vec!["b2".into(), "a1".into()],
            nodes: 1000,
            considered: vec![considered("b2", 700, 0.421), considered("a1", 300, -0.1)],
        };
        let told = "thinks +0.42 after 1000 tries, expects b2, a1; weighed b2 +0.42 (700), a1 -0.10 (300)";
        assert_eq!(thinks(&thought).as_deref(), Some(told));
        assert_eq!(thinks(&Thought { value: None, ..thought }), None);
    }
}
