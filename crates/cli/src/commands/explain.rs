//! `explain`: the forms of the language, from the table they are defined in.

use std::io::Write;

use houserules_model::forms::{self, FormDef};
use houserules_model::nearest;

use crate::failure::Failure;
use crate::paint::Paint;
use crate::terminal;

pub fn explain(out: &mut dyn Write, form: Option<&str>) -> Result<(), Failure> {
    let Some(form) = form else { return overview(out) };
    let head = form.trim().trim_matches(|sign| sign == '(' || sign == ')');
    let defs: Vec<&FormDef> = forms::with_head(head).collect();
    if defs.is_empty() {
        let heads = forms::all().iter().map(|def| def.head);
        return Err(Failure::Input(match nearest(head, heads) {
            Some(near) => format!("There is no form `{head}`. Did you mean `{near}`?"),
            None => format!("There is no form `{head}`. `houserules explain` lists them all."),
        }));
    }
    let paint = Paint::for_stdout();
    for def in defs {
        writeln!(out, "{}\n    {}\n", paint.strong(&usage(def)), def.summary)?;
    }
    Ok(())
}

fn overview(out: &mut dyn Write) -> Result<(), Failure> {
    let paint = Paint::for_stdout();
    let mut shelves: Vec<forms::Shelf> = forms::all().iter().map(|def| def.shelf).collect();
    shelves.sort();
    shelves.dedup();
    for shelf in shelves {
        let mut heads: Vec<String> = Vec::new();
        for def in forms::all().iter().filter(|def| def.shelf == shelf) {
            if !heads.iter().any(|head| head == def.head) {
                heads.push(def.head.into());
            }
        }
        writeln!(out, "{}", paint.strong(&format!("{shelf:?}")))?;
        for line in terminal::columns(&heads, terminal::width() - 2) {
            writeln!(out, "  {line}")?;
        }
    }
    writeln!(out, "\n{}", paint.faint("houserules explain FORM tells more about one of them."))?;
    Ok(())
}

/// `(if C THEN [else ELSE])`: the pattern without the kinds of its slots.
fn usage(def: &FormDef) -> String {
    let words: Vec<String> = def
        .pattern
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| {
            let (name, kind) = word.split_once(':').unwrap_or((word, ""));
            let closing: String = kind.chars().filter(|&sign| sign == ']').collect();
            format!("{name}{closing}")
        })
        .collect();
    format!("({})", [&[def.head.to_owned()], words.as_slice()].concat().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_shown_without_kinds() {
        let def = forms::with_head("if").next().unwrap();
        assert_eq!(usage(def), "(if C THEN [else ELSE])");
    }
}
