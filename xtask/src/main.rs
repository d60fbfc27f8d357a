//! Every chore is a command: `cargo xtask` lists them.

mod arrows;
mod bench;
mod cargo;
mod ceptre;
mod clock;
mod cluster;
mod counts;
mod dozen;
mod features;
mod fuzz;
mod games;
mod instructions;
mod kill;
mod laws;
mod limit;
mod load;
mod minutes;
mod pages;
mod pictures;
mod plays;
mod protocol;
mod recording;
mod reference;
mod scaling;
mod scenes;
mod schema;
mod size;
mod strength;
mod switch;
mod tables;
mod test;
mod web;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask test                  formats, lints, all tests
cargo xtask features [--list]     which features of docs/features.md a passing test proves
cargo xtask arrows                who knows whom: draws the crates into ARCHITECTURE.md, prints the layers of the machine
cargo xtask bench [--seconds S]   random matches a second, and how fast players look ahead
cargo xtask bench --ceptre        random matches of the games in Ceptre, beside the original [--game NAME] [--seconds S]
cargo xtask bench --dozen         games of a dozen styles that nothing is tuned on [--game NAME] [--seconds S]
cargo xtask bench --limit         the same games written by hand beside the machine [--game NAME] [--seconds S]
cargo xtask bench --instructions  how many instructions a random move takes, counted by valgrind [--game NAME]
cargo xtask bench --scaling       what larger boards and more threads do [--game NAME] [--seconds S]
cargo xtask bench --records       what recording costs, and how fast a long record replays [--game NAME] [--seconds S]
cargo xtask bench --scenes        time and bytes of a scene and of a change of it [--game NAME]
cargo xtask bench --switch        how long a change of rules, compiling and starting take [--game NAME]
cargo xtask strength [--level L] [--against L] [--matches N] [--game G]
                                  how often a level beats another; 8, 1 and 100, if nothing is said
cargo xtask strength --ladder L [--matches N] [--game G]
                                  whether each level up to L is at least as strong as the one below it
cargo xtask laws [--matches N] [--game G]
                                  the laws of play on random matches of every game; 2000, if nothing is said
cargo xtask kill [--tables N] [--kills N]
                                  a server killed at any moment loses nothing it has answered; 100 and 50, if nothing is said
cargo xtask cluster [--servers N] [--tables N] [--minutes M] [--seconds-a-move S] [--seed N] [--measure | --release]
                                  servers that share a database lose nothing, whatever dies; 3, 300, 10 and 3, if nothing is said
cargo xtask load [--seconds S] [--most TABLES] [--idle TABLES] [--debug | --release]
                                  moves a second, delay, bytes and memory at 1 to 2000 tables, and of 10000 at rest
cargo xtask load --servers N      one server with a file, and up to N that share PostgreSQL and NATS, side by side
cargo xtask schema [--examples N]  the server against its own OpenAPI document
cargo xtask counts [--deep | --all] [GAME]…
                                  the counts of games/*/counts.txt, counted again
cargo xtask pictures [--game G]   draws every game for every viewer onto sheets, and looks for what is wrong
cargo xtask protocol              writes the protocol's types for the browser and its list of codes anew
cargo xtask fuzz [--programs N] [--seed S]
                                  random definitions in walker, interpreter and native code at once; 10000, if nothing is said
cargo xtask fuzz --target NAME [--seconds S]
                                  coverage-guided input for one of the targets in fuzz/
cargo xtask minutes               reckons anew how long people need for a match of each game: games/minutes.txt
cargo xtask plays                 writes games/*/plays/first.play anew
cargo xtask reference             writes docs/reference/language.md anew
cargo xtask size                  lines and tokens of each game
cargo xtask web                   builds web/dist anew, the bundle that the program carries
cargo xtask vscode                packs the extension for VS Code into target/
cargo xtask browser               plays in a real browser against the real program
cargo xtask screenshots           every page at two sizes, light and dark, on one sheet below target/screenshots
cargo xtask figures               bytes of script, time to the first board, time from a click to a moved piece";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["test"] => test::run(),
        ["arrows"] => arrows::run(),
        ["features"] => features::run(features::Detail::Missing),
        ["features", "--list"] => features::run(features::Detail::Proofs),
        ["counts", "--deep", games @ ..] => counts::run(counts::Reach::Deep, games),
        ["counts", "--all", games @ ..] => counts::run(counts::Reach::All, games),
        ["counts", games @ ..] => counts::run(counts::Reach::Usual, games),
        ["laws", options @ ..] => laws::run(options),
        ["pictures", options @ ..] => pictures::run(options),
        ["fuzz", options @ ..] => fuzz::run(options),
        ["kill", options @ ..] => kill::run(options),
        ["cluster", options @ ..] => cluster::run(options),
        ["load", options @ ..] => load::run(options),
        ["minutes"] => minutes::run(),
        ["plays"] => plays::run(),
        ["protocol"] => protocol::run(),
        ["reference"] => reference::run(),
        ["schema", options @ ..] => schema::run(options),
        ["size"] => size::run(),
        ["web"] => web::build(),
        ["vscode"] => web::vscode(),
        ["browser"] => web::browser(),
        ["screenshots"] => web::shown("screenshots"),
        ["figures"] => web::shown("figures"),
        ["strength", rest @ ..] => strength(rest),
        ["bench", options @ ..] => bench::run(options),
        [] | ["help" | "--help"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("There is no chore `{}`.\n{USAGE}", args.join(" "))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn strength(mut args: &[&str]) -> Result<(), String> {
    let mut meeting = strength::Meeting { level: 8, against: 1, matches: 100 };
    let (mut only, mut ladder) = (None, None);
    while let [option, value, rest @ ..] = args {
        let number = || value.parse::<u64>().map_err(|_| format!("“{value}” is no number."));
        let level = || number().map(|level| level.min(255) as u8);
        match *option {
            "--level" => meeting.level = level()?,
            "--against" => meeting.against = level()?,
            "--ladder" => ladder = Some(level()?.min(10)),
            "--matches" => meeting.matches = number()?,
            "--game" => only = Some(*value),
            _ => return Err(format!("`strength` takes no `{option}`.\n{USAGE}")),
        }
        args = rest;
    }
    match args {
        [] => match ladder {
            Some(most) => strength::ladder(most, meeting.matches, only),
            None => strength::run(meeting, only),
        },
        [option, ..] => Err(format!("`{option}` needs a value.")),
    }
}
