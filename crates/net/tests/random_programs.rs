//! Definitions written at random, played by walker, interpreter and native code at once.

use houserules_machine::Shortcut;
use houserules_machine::Shortcuts;
use houserules_model::Form;
use houserules_model::forms::{self, Shelf};
use houserules_net::{Ended, Grammar, Trial};
use std::collections::BTreeSet;

/// So many in every run; `cargo xtask fuzz` plays as many as one likes.
const PROGRAMS: u64 = 210;

/// Reached by programs that random choices alone do not find in a few hundred: `shortcuts.rs` of the machine plays them.
const ELSEWHERE: &[Shortcut] = &[Shortcut::Strides];

/// They differ nowhere; and most of what the grammar can write is written and played, most forms are carried out, and every
/// shortcut is taken.
#[test]
fn programs_written_at_random_are_played_alike_in_every_way() {
    let grammar = Grammar::usual();
    let (mut written, mut met, mut taken) = (BTreeSet::new(), BTreeSet::new(), Shortcuts::default());
    let (mut played, mut unplayable) = (0, Vec::new());
    for seed in 0..PROGRAMS {
        let (definition, trial) = Trial::written(grammar, seed);
        match trial.map(|trial| trial.run()) {
            Ok(Ok(Ended::Played(what))) => {
                played += 1;
                taken = taken.and(what.taken);
                if what.choices > 2 {
                    written.extend(definition.used);
                    met.extend(what.met.forms);
                }
            }
            Ok(Ok(Ended::Unplayable(why))) | Err(why) => unplayable.push((seed, why)),
            Ok(Err(difference)) => panic!(
                "seed {seed}: {difference}\n\n{}\n\n`cargo xtask fuzz --programs 1 --seed {seed}` makes it small.",
                definition.text
            ),
        }
    }
    assert!(unplayable.len() as u64 * 4 <= PROGRAMS, "too few can be played: {unplayable:#?}");
    assert!(played > 0);
    let unwritten: Vec<String> = (0..grammar.productions().len())
        .filter(|at| !written.contains(at))
        .map(|at| format!("{}: {}", grammar.productions()[at].of, grammar.productions()[at].text))
        .collect();
    // A few hundred programs do not hold everything that can be nested in everything; more are for `cargo xtask fuzz`.
    let all = grammar.productions().len();
    assert!(unwritten.len() * 5 <= all, "never written in a program that was played: {unwritten:#?}");
    let unmet: Vec<Form> = forms::all()
        .iter()
        // Views draw; they are no part of the logic of a game.
        .filter(|form| form.shelf != Shelf::Showing && !met.contains(&form.form))
        .map(|form| form.form)
        .collect();
    assert!(unmet.len() * 6 <= forms::all().len(), "never carried out: {unmet:?}");
    let untaken: Vec<&Shortcut> =
        Shortcut::ALL.iter().filter(|&&shortcut| !taken.has(shortcut) && !ELSEWHERE.contains(&shortcut)).collect();
    assert!(untaken.is_empty(), "never taken: {untaken:?}");
}
