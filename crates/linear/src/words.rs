//! What is said of an instance: with labels where the program gives some.

use crate::matching::Instance;
use crate::net::Net;
use crate::print;
use crate::program::Program;
use crate::state::NetState;
use crate::store::Store;

/// `Turn: oskar Col/Row: 0/0` where a line `%% RULE Turn Col/Row` gives labels; else the rule and its values.
///
/// A value labelled `_` is not said.
pub fn words(program: &Program, store: &Store, instance: &Instance) -> String {
    let rule = &program.rules[instance.rule];
    let labels = program.notes.iter().find(|words| words[0] == rule.name && words.len() > 1);
    let values = instance.values.iter().map(|&value| print::plain(program, store, value));
    let parts: Vec<String> = match labels {
        Some(labels) => {
            let labelled = labels[1..].iter().zip(values).filter(|(label, _)| *label != "_");
            labelled.map(|(label, value)| format!("{label}: {value}")).collect()
        }
        None => {
            let said = values.zip(&rule.vars).filter(|(_, var)| var.name != "_").map(|(value, _)| value);
            std::iter::once(rule.name.clone()).chain(said).collect()
        }
    };
    if parts.is_empty() { rule.name.clone() } else { parts.join(" ") }
}

/// Words for instances of one list, no two alike.
pub fn distinct(program: &Program, store: &Store, instances: &[&Instance]) -> Vec<String> {
    let mut said: Vec<String> = instances.iter().map(|instance| words(program, store, instance)).collect();
    let full = |at: usize| full(program, store, instances[at]);
    separate(&mut said, |at, words| format!("{words} {}", full(at)));
    let mut seen: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for words in &mut said {
        let n = seen.entry(words.clone()).or_default();
        *n += 1;
        if *n > 1 {
            *words = format!("{words} #{n}");
        }
    }
    said
}

/// The rule and all its values, in parentheses.
fn full(program: &Program, store: &Store, instance: &Instance) -> String {
    let values = instance.values.iter().map(|&value| print::plain(program, store, value));
    let parts: Vec<String> = std::iter::once(program.rules[instance.rule].name.clone()).chain(values).collect();
    format!("({})", parts.join(" "))
}

/// Says more where the same is said twice.
fn separate(said: &mut [String], mut more: impl FnMut(usize, &str) -> String) {
    let mut order: Vec<usize> = (0..said.len()).collect();
    order.sort_by(|&one, &other| said[one].cmp(&said[other]));
    let twice: Vec<usize> = order
        .chunk_by(|&one, &other| said[one] == said[other])
        .filter(|same| same.len() > 1)
        .flatten()
        .copied()
        .collect();
    for at in twice {
        said[at] = more(at, &said[at]);
    }
}

/// What is said of everything that can happen in a net, found once.
pub struct Spoken {
    texts: Vec<String>,
    /// Per transition its text.
    text_of: Vec<u32>,
    /// Per effect its transitions, in the order in which one is looked for that can speak for it.
    speakers: Vec<Vec<u32>>,
}

impl Spoken {
    pub fn of(net: &Net) -> Spoken {
        let mut ids: std::collections::BTreeMap<String, u32> = std::collections::BTreeMap::new();
        let mut text_of = Vec::with_capacity(net.n_transitions());
        for transition in 0..net.n_transitions() {
            let text = words(&net.program, &net.store, net.instance(transition as u32));
            let next = ids.len() as u32;
            text_of.push(*ids.entry(text).or_insert(next));
        }
        let mut texts = vec![String::new(); ids.len()];
        ids.into_iter().for_each(|(text, id)| texts[id as usize] = text);
        let speakers = net.effects.iter().map(|effect| {
            let mut own = effect.transitions.to_vec();
            own.sort_by_cached_key(|&transition| order(&net.program, &net.store, net.instance(transition)));
            own
        });
        Spoken { speakers: speakers.collect(), texts, text_of }
    }

    /// What is said of an effect; where the same is said of another that can happen now, more.
    pub fn words(&self, net: &Net, state: &NetState, effect: usize) -> String {
        let speaker = |effect: usize| self.speakers[effect].iter().copied().find(|&id| state.is_enabled(net, id));
        let Some(own) = speaker(effect).or(self.speakers[effect].first().copied()) else {
            return "no such choice".into();
        };
        let text = &self.texts[self.text_of[own as usize] as usize];
        let group = net.effects[effect].group as usize;
        let alike =
            |other: &usize| speaker(*other).is_some_and(|id| self.text_of[id as usize] == self.text_of[own as usize]);
        let same: Vec<usize> = state.alive(net, group).filter(alike).collect();
        if same.len() < 2 || !same.contains(&effect) {
            return text.clone();
        }
        let full_words = |effect: usize| speaker(effect).map(|id| full(&net.program, &net.store, net.instance(id)));
        let twin = same
            .iter()
            .take_while(|&&other| other != effect)
            .filter(|&&other| full_words(other) == full_words(effect))
            .count();
        match twin {
            0 => format!("{text} {}", full_words(effect).unwrap_or_default()),
            n => format!("{text} {} #{}", full_words(effect).unwrap_or_default(), n + 1),
        }
    }
}

/// The last rule first, then by what it is called: the same with and without a net.
pub fn order(program: &Program, store: &Store, instance: &Instance) -> (std::cmp::Reverse<usize>, String) {
    (std::cmp::Reverse(instance.rule), print::instance(program, store, instance))
}
