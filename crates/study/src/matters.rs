//! Whether a rule matters in a match: the same match is played again without it.
//!
//! A rule matters when at some point of the match, without the rule, something else could be chosen, somebody else was
//! asked, the match ended otherwise, or things lay differently. A law that only repeats another one does not matter by this
//! measure, and neither does a side-effect that changes nothing anybody could see.

use std::hash::{DefaultHasher, Hash, Hasher};

use houserules_kernel::{Choice, Position, Rulebook, Viewer, Who};

/// What was chosen, step by step.
pub(crate) type Steps = [(Who, Choice, String)];

/// What a match was like, step by step, in hashes: views of long matches would fill the memory.
pub(crate) fn trace(rulebook: &dyn Rulebook, steps: &Steps) -> Option<Vec<u64>> {
    let mut position = rulebook.open().ok()?;
    let mut trace = vec![moment(&mut *position)];
    for (who, choice, _) in steps {
        position.play(*who, choice).ok()?;
        trace.push(moment(&mut *position));
    }
    Some(trace)
}

/// True if the match is another one under these rules.
pub(crate) fn differs(without: &dyn Rulebook, steps: &Steps, trace: &[u64]) -> bool {
    let Ok(mut position) = without.open() else { return true };
    for (number, &expected) in trace.iter().enumerate() {
        if moment(&mut *position) != expected {
            return true;
        }
        let Some((who, _, words)) = steps.get(number) else { break };
        // By words, because numbers mean something only to the rulebook that gave them.
        let choice = position.choices(*who).into_iter().find(|choice| position.words(*who, choice) == *words);
        if choice.is_none_or(|choice| position.play(*who, &choice).is_err()) {
            return true;
        }
    }
    false
}

fn moment(position: &mut dyn Position) -> u64 {
    let mut hasher = DefaultHasher::new();
    let decision = position.decision();
    format!("{decision:?}").hash(&mut hasher);
    for who in decision.open_to() {
        for choice in position.choices(who) {
            position.words(who, &choice).hash(&mut hasher);
        }
    }
    position.view(Viewer::All).hash(&mut hasher);
    hasher.finish()
}
