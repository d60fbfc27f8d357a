//! Definitions written at random, played by walker, interpreter and native code at once.

use houserules_machine::Shortcut;
use houserules_machine::Shortcuts;
use houserules_model::Form;
use houserules_model::forms::{self, Shelf};
use houserules_net::{Author, Ended, Grammar, Trial};
use std::collections::BTreeSet;

/// So many in every run, as they come; `cargo xtask fuzz` plays as many as one likes.
const PROGRAMS: u64 = 150;
/// Then those that hold what was not played before, each the richest in that of so many.
const LOOKED_AT: u64 = 100;
const MOST_PROGRAMS: u64 = 330;

/// Reached by programs that random choices alone do not find in a few hundred: `shortcuts.rs` of the machine plays them.
const ELSEWHERE: &[Shortcut] = &[Shortcut::Strides];

/// What was played, by all programs together.
#[derive(Default)]
struct Played {
    programs: u64,
    written: BTreeSet<usize>,
    met: BTreeSet<Form>,
    taken: Shortcuts,
    unplayable: Vec<(u64, String)>,
}

impl Played {
    fn play(&mut self, grammar: &Grammar, seed: u64) {
        self.programs += 1;
        let (definition, trial) = Trial::written(grammar, seed);
        match trial.map(|trial| trial.run()) {
            Ok(Ok(Ended::Played(what))) => {
                self.taken = self.taken.and(what.taken);
                if what.choices > 2 {
                    self.written.extend(definition.used);
                    self.met.extend(what.met.forms);
                }
            }
            Ok(Ok(Ended::Unplayable(why))) | Err(why) => self.unplayable.push((seed, why)),
            Ok(Err(difference)) => panic!(
                "seed {seed}: {difference}\n\n{}\n\n`cargo xtask fuzz --programs 1 --seed {seed}` makes it small.",
                definition.text
            ),
        }
    }
}

/// They differ nowhere; and all that the grammar can write is written and played, most forms are carried out, and every
/// shortcut is taken.
#[test]
fn programs_written_at_random_are_played_alike_in_every_way() {
    let grammar = Grammar::usual();
    let all = grammar.productions().len();
    let mut played = Played::default();
    (0..PROGRAMS).for_each(|seed| played.play(grammar, seed));
    let unplayable = &played.unplayable;
    assert!(unplayable.len() as u64 * 4 <= PROGRAMS, "too few can be played: {unplayable:#?}");
    let mut seeds = PROGRAMS..;
    while played.written.len() < all && played.programs < MOST_PROGRAMS {
        let fresh = |seed: &u64| {
            let used = Author::new(grammar, *seed).write("definition").used;
            used.difference(&played.written).count()
        };
        let next = seeds.by_ref().take(LOOKED_AT as usize).max_by_key(fresh).expect("there is always another seed");
        played.play(grammar, next);
    }
    let Played { programs, written, met, taken, .. } = played;
    println!("{programs} programs");
    let unwritten: Vec<String> = (0..all)
        .filter(|at| !written.contains(at))
        .map(|at| format!("{}: {}", grammar.productions()[at].of, grammar.productions()[at].text))
        .collect();
    assert!(unwritten.is_empty(), "never written in a program that was played: {unwritten:#?}");
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
