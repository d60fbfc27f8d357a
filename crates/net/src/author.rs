//! Writes definitions at random.

use crate::grammar::{Grammar, Part};
use houserules_kernel::Generator;
use std::collections::BTreeSet;

/// Writes by a grammar, as a seed says.
pub struct Author<'a> {
    grammar: &'a Grammar,
    random: Generator,
    /// The words in scope, the innermost last.
    scope: Vec<String>,
    used: BTreeSet<usize>,
}

/// A definition, and the productions of the grammar it is made of.
#[derive(Clone, Debug)]
pub struct Written {
    pub text: String,
    pub used: BTreeSet<usize>,
}

/// Deeper than this nothing is nested unless the grammar says so.
const USUAL_DEPTH: u32 = 3;

impl<'a> Author<'a> {
    pub fn new(grammar: &'a Grammar, seed: u64) -> Author<'a> {
        Author { grammar, random: Generator::new(seed), scope: Vec::new(), used: BTreeSet::new() }
    }

    pub fn write(mut self, name: &str) -> Written {
        let mut text = String::new();
        self.make(name, USUAL_DEPTH, &mut text);
        Written { text, used: self.used }
    }

    fn make(&mut self, name: &str, depth: u32, text: &mut String) {
        let open = self.grammar.open(name, depth, &self.scope);
        let weights = || open.iter().map(|&at| self.grammar.productions()[at].weight);
        let total: u64 = weights().sum();
        assert!(total > 0, "<{name}> cannot be made with {:?} in scope", self.scope);
        let mut drawn = self.random.below(total);
        let picked = weights().position(|weight| {
            let here = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            here
        });
        let at = open[picked.expect("a draw below the total falls on one")];
        self.used.insert(at);
        let before = self.scope.len();
        let mut opened = Vec::new();
        for part in &self.grammar.productions()[at].parts {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Made(name, at_most) => self.make(name, at_most.unwrap_or(depth.saturating_sub(1)), text),
                Part::Opens(words) => {
                    opened.push(self.scope.len());
                    self.scope.extend(words.iter().cloned());
                }
                Part::Closes => self.scope.truncate(opened.pop().expect("what is closed was opened")),
            }
        }
        self.scope.truncate(before);
    }
}
