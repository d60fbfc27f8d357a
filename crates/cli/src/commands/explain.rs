//! `explain`: the directives, words and forms of the language, from the tables they are defined in; and the plan of a
//! game.

use std::io::Write;

use houserules_model::{directives, forms, nearest, words};

use crate::args::{Rules, Table};
use crate::failure::Failure;
use crate::games;
use crate::paint::Paint;
use crate::terminal;

pub fn explain(out: &mut dyn Write, word: Option<&str>) -> Result<(), Failure> {
    let Some(word) = word else { return overview(out) };
    let word = word.trim().trim_matches(|sign| sign == '(' || sign == ')');
    if let Some(text) = houserules_gdl::explain(word) {
        return plain(out, &text);
    }
    let words = houserules_gdl::words();
    let known = words.iter().map(String::as_str).chain(directives::all().iter().map(|def| def.name));
    Err(Failure::Input(match nearest(word, known) {
        Some(near) => format!("The language has no word `{word}`. Did you mean `{near}`?"),
        None => format!("The language has no word `{word}`. `houserules explain` lists them all."),
    }))
}

/// How the machine plays a game at random, and finds out who can act.
pub fn plan(out: &mut dyn Write, game: &str, rules: &Rules, table: Table) -> Result<(), Failure> {
    let plan = games::find(game)?.plan(&rules.options(table.n_seats))?;
    let paint = Paint::for_stdout();
    for line in plan.lines() {
        match line.starts_with(' ') {
            true => writeln!(out, "{line}")?,
            false => writeln!(out, "{}", paint.strong(line))?,
        }
    }
    Ok(())
}

/// Markdown is for pages: here the fences go, and what stood between them stands out.
fn plain(out: &mut dyn Write, text: &str) -> Result<(), Failure> {
    let paint = Paint::for_stdout();
    let mut fenced = false;
    for line in text.trim_end().lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            writeln!(out, "{}", paint.strong(line))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn overview(out: &mut dyn Write) -> Result<(), Failure> {
    let paint = Paint::for_stdout();
    let mut show = |title: &str, words: &[String]| -> Result<(), Failure> {
        writeln!(out, "{}", paint.strong(title))?;
        for line in terminal::columns(words, terminal::width() - 2) {
            writeln!(out, "  {line}")?;
        }
        Ok(())
    };
    let directives: Vec<String> = directives::all().iter().map(|def| format!("#{}", def.name)).collect();
    show("Directives", &directives)?;
    for (asked, title) in houserules_gdl::ASKED {
        let known: Vec<String> = words::asked(asked).map(String::from).collect();
        show(&format!("Words {title}"), &known)?;
    }
    let sent: Vec<String> = words::messages().iter().map(|def| def.label.into()).collect();
    show("Messages of the machine", &sent)?;
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
        show(&format!("{shelf:?}"), &heads)?;
    }
    writeln!(out, "\n{}", paint.faint("houserules explain WORD tells more about one of them."))?;
    Ok(())
}
