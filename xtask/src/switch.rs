//! `cargo xtask bench --switch`: how long a change of rules takes, compiling a game, and starting the program.

use std::process::{Command, Stdio};
use std::time::Instant;

use houserules_kernel::{Generator, Position};
use houserules_library::{self as library, Options};
use houserules_model::Diagnostic;

/// Each time is the best of so many: the others tell more about the computer than about the program.
const TRIES: usize = 5;

/// Moves made before the rules are changed.
const BEFORE: usize = 8;

/// What one game takes, in milliseconds.
struct Row {
    read: f64,
    compile: f64,
    n_rules: usize,
    /// Rules that cannot be switched in the middle of this match.
    n_refused: usize,
    worst: f64,
    worst_rule: String,
}

pub fn run(game: Option<&str>) -> Result<(), String> {
    print!("{}", cells(["game", "read", "compile", "rules", "refused", "worst", "rule"]));
    let mut worst: Option<(f64, String)> = None;
    for name in library::list().iter().filter(|name| game.is_none_or(|game| game == name.as_str())) {
        let row = row(name)?;
        print!(
            "{}",
            cells([
                name,
                &format!("{:.1}", row.read),
                &format!("{:.1}", row.compile),
                &row.n_rules.to_string(),
                &row.n_refused.to_string(),
                &format!("{:.1}", row.worst),
                &row.worst_rule,
            ])
        );
        if worst.as_ref().is_none_or(|(most, _)| row.worst > *most) {
            worst = Some((row.worst, format!("{name}, “{}”", row.worst_rule)));
        }
    }
    if let Some((most, what)) = worst {
        println!("The slowest switch of a rule takes {most:.1} ms: {what}.");
    }
    println!("Milliseconds, the best of {TRIES}. Read: from text to definition, checked. Worst: one rule switched off");
    println!("{BEFORE} moves into a match, compiled, the position taken over. Both with native code.");
    for args in [&["--version"][..], &["show", "tic-tac-toe"], &["play", "tic-tac-toe"]] {
        match start_up(args) {
            Ok(milliseconds) => println!("houserules {:18}  {milliseconds:>6.1} ms", args.join(" ")),
            Err(reason) => println!("houserules {:18}  {reason}", args.join(" ")),
        }
    }
    Ok(())
}

fn row(name: &str) -> Result<Row, String> {
    let (read, found) = best(|| library::find(name))?;
    let options = Options::default();
    let (compile, game) = best(|| {
        let game = found.compile(&options)?;
        game.program().go_native();
        Ok::<_, String>(game)
    })?;
    let mut position = game.start().map_err(|error| error.to_string())?;
    let mut generator = Generator::new(1);
    for _ in 0..BEFORE {
        position.play_random(&mut generator).map_err(|refusal| refusal.to_string())?;
    }
    let rules: Vec<String> = game.rules().map(|rule| rule.name.to_string()).collect();
    let mut row = Row { read, compile, n_rules: rules.len(), n_refused: 0, worst: 0.0, worst_rule: "–".into() };
    for rule in rules {
        let options = found.options(&Options { off: vec![rule.clone()], ..Options::default() });
        let switch = || {
            let changed = position.change_rules(found.definition(), &options)?;
            changed.0.program().go_native();
            Ok::<_, Vec<Diagnostic>>(changed)
        };
        match best(switch) {
            Err(_) => row.n_refused += 1,
            Ok((took, _)) if took > row.worst => (row.worst, row.worst_rule) = (took, rule),
            Ok(_) => {}
        }
    }
    Ok(row)
}

/// The shortest time in milliseconds, and what came of it.
fn best<T, E>(mut done: impl FnMut() -> Result<T, E>) -> Result<(f64, T), E> {
    let mut shortest: Option<(f64, T)> = None;
    for _ in 1..TRIES {
        shortest = Some(quicker(shortest, timed(&mut done)?));
    }
    Ok(quicker(shortest, timed(&mut done)?))
}

fn timed<T, E>(done: &mut impl FnMut() -> Result<T, E>) -> Result<(f64, T), E> {
    let began = Instant::now();
    let made = done()?;
    Ok((1000.0 * began.elapsed().as_secs_f64(), made))
}

fn quicker<T>(known: Option<(f64, T)>, new: (f64, T)) -> (f64, T) {
    match known {
        Some(known) if known.0 <= new.0 => known,
        _ => new,
    }
}

/// From the start of the program that was built beside this one to its end, with nothing typed.
fn start_up(args: &[&str]) -> Result<f64, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = own.with_file_name(format!("houserules{}", std::env::consts::EXE_SUFFIX));
    let run = || {
        let mut command = Command::new(&program);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().map_err(|error| format!("could not be started: {error}."))
    };
    Ok(best(run)?.0)
}

fn cells(cells: [&str; 7]) -> String {
    let [game, read, compile, rules, refused, worst, rule] = cells;
    format!("{game:18}  {read:>6}  {compile:>7}  {rules:>5}  {refused:>7}  {worst:>6}  {rule}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_switched() {
        let row = row("tic-tac-toe").unwrap();
        assert_eq!((row.n_rules, row.n_refused), (3, 0));
        assert!(row.worst > 0.0 && row.worst_rule != "–");
    }

    #[test]
    fn the_shortest_time_counts() {
        let mut n = 0;
        let (took, made) = best(|| {
            n += 1;
            Ok::<_, String>(n)
        })
        .unwrap();
        assert!(n == TRIES && (1..=TRIES).contains(&made) && took >= 0.0);
    }
}
