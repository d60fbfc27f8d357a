//! Plays so many random definitions, and prints the first that differs as small as it can be.

use houserules_machine::Shortcuts;
use houserules_net::{Author, Ended, Grammar, Trial, shrink};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "net [--programs N] [--seed S] [--keep-going] [--write] [--file F]
  plays N random definitions from seed S on in walker, interpreter and native code at once;
  --keep-going does not stop at the first that differs, --write only prints the definition of seed S;
  --file plays one definition as seed S says";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, String> {
    // Differences are told by panics, which are caught; where they arise is of no interest.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut programs, mut seed, mut keep_going, mut only_write) = (1000, 0, false, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || {
            let value = args.next().ok_or_else(|| format!("`{arg}` needs a number."))?;
            value.parse::<u64>().map_err(|_| format!("“{value}” is no number."))
        };
        match arg.as_str() {
            "--programs" => programs = number()?,
            "--seed" => seed = number()?,
            "--keep-going" => keep_going = true,
            "--write" => only_write = true,
            "--file" => {
                let path = args.next().ok_or("`--file` needs a path.")?;
                let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}."))?;
                println!("{:?}", Trial::of(&text, seed)?.run()?);
                return Ok(true);
            }
            _ => return Err(format!("There is no `{arg}`.\n{USAGE}")),
        }
    }
    if only_write {
        println!("{}", Author::new(Grammar::usual(), seed).write("definition").text);
        return Ok(true);
    }
    let (began, mut played, mut choices, mut differences) = (Instant::now(), 0, 0, 0);
    let mut taken = Shortcuts::default();
    let mut unplayable: BTreeMap<String, u64> = BTreeMap::new();
    for seed in seed..seed.saturating_add(programs) {
        let (written, trial) = Trial::written(Grammar::usual(), seed);
        let without = trial.as_ref().map(|trial| trial.without).unwrap_or_default();
        let started = Instant::now();
        let ended = trial.map(|trial| trial.run());
        if started.elapsed().as_secs() > 10 {
            println!("seed {seed}: {:.0} s", started.elapsed().as_secs_f64());
        }
        match ended {
            Err(unreadable) => *unplayable.entry(unreadable).or_default() += 1,
            Ok(Ok(Ended::Unplayable(why))) => *unplayable.entry(why).or_default() += 1,
            Ok(Ok(Ended::Played(what))) => {
                played += 1;
                choices += u64::from(what.choices);
                taken = taken.and(what.taken);
            }
            Ok(Err(difference)) => {
                differences += 1;
                println!("seed {seed}, without {without:?}: {difference}\n");
                let kind = kind_of(&difference).to_owned();
                let fails = |text: &str, natively: bool| {
                    let trial = Trial::of(text, seed).map(|trial| Trial { natively, without, ..trial });
                    let ended = trial.map(|trial| trial.run());
                    matches!(ended, Ok(Err(difference)) if kind_of(&difference) == kind)
                };
                let natively = !fails(&written.text, false);
                let small = shrink(&written.text, &|text| fails(text, natively));
                let shown = Trial::of(&small, seed).map(|trial| Trial { natively, without, ..trial }.run());
                println!("{small}\n\n{}\n", shown.ok().and_then(Result::err).unwrap_or_default());
                if !keep_going {
                    return Ok(false);
                }
            }
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let a_second = programs as f64 / seconds.max(0.001);
    println!(
        "{programs} definitions from seed {seed}, {played} of them played, {choices} choices, {differences} differences, \
         {seconds:.0} s, {a_second:.0} a second"
    );
    println!("shortcuts taken: {taken:?}");
    let mut unplayable: Vec<_> = unplayable.into_iter().collect();
    unplayable.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    for (why, times) in unplayable.into_iter().take(12) {
        println!("{times} not playable: {}", why.lines().take(6).collect::<Vec<_>>().join("\n    "));
    }
    Ok(differences == 0)
}

/// What a difference is about, without the values that differ.
fn kind_of(difference: &str) -> &str {
    let line = difference.lines().next().unwrap_or("");
    line.split(['“', '(']).next().unwrap_or(line)
}
