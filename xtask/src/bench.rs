//! `cargo xtask bench`: how fast games are played at random, and how fast players look ahead.

use std::sync::Arc;
use std::time::{Duration, Instant};

use houserules::playout;
use houserules_kernel::twin::TicTacToe;
use houserules_kernel::{Position, Rulebook};
use houserules_library::Options;
use houserules_machine::walk::rulebook;
use houserules_players::{AlphaBeta, Limits, Mcts, Player, Solver};

use crate::{cargo, ceptre, dozen, games, instructions, limit, recording, scaling, scenes, switch};

/// A line of the table: playouts a second of one game, by who plays it.
pub struct Row {
    pub game: String,
    /// The definition, compiled.
    pub machine: Option<f64>,
    /// The definition, walked as a tree.
    pub walker: Option<f64>,
    /// The same game written by hand.
    pub twin: Option<f64>,
    pub average_length: f64,
}

/// What is measured, and for how long each.
#[derive(PartialEq, Debug)]
struct Wanted<'a> {
    what: What,
    game: Option<&'a str>,
    seconds: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum What {
    /// Every game of the library, and how fast players look ahead.
    Library,
    /// The machine beside the same games written by hand.
    Limit,
    /// Instructions of the processor a move.
    Instructions,
    /// Larger and larger boards, and more threads.
    Scaling,
    /// Changes of rules, compiling and starting up.
    Switch,
    /// What recording costs, and a long record played again.
    Records,
    /// What a scene and a change of it cost, in time and bytes.
    Scenes,
    /// The games in Ceptre beside the interpreter the language comes from.
    Ceptre,
    /// Games of many styles that nothing is tuned on.
    Dozen,
}

pub fn run(options: &[&str]) -> Result<(), String> {
    let wanted = Wanted::parse(options)?;
    if cfg!(debug_assertions) {
        if matches!(wanted.what, What::Switch | What::Instructions) {
            cargo::build("release", "houserules")?;
        }
        // Chores are built for testing; what is measured here is what players get.
        return cargo::run(&[&["run", "--release", "--package", "xtask", "--", "bench"], options].concat());
    }
    match wanted.what {
        What::Library => library(wanted.seconds),
        What::Limit => limit::run(wanted.game, wanted.seconds),
        What::Instructions => instructions::run(wanted.game),
        What::Scaling => scaling::run(wanted.game, wanted.seconds),
        What::Switch => switch::run(wanted.game),
        What::Records => recording::run(wanted.game, wanted.seconds),
        What::Scenes => scenes::run(wanted.game),
        What::Ceptre => ceptre::run(wanted.game, wanted.seconds),
        What::Dozen => dozen::run(wanted.game, wanted.seconds),
    }
}

impl<'a> Wanted<'a> {
    fn parse(mut options: &[&'a str]) -> Result<Self, String> {
        let mut wanted = Wanted { what: What::Library, game: None, seconds: 1.0 };
        loop {
            options = match options {
                [] => return Ok(wanted),
                ["--limit", rest @ ..] => {
                    wanted.what = What::Limit;
                    rest
                }
                ["--instructions", rest @ ..] => {
                    wanted.what = What::Instructions;
                    rest
                }
                ["--scaling", rest @ ..] => {
                    wanted.what = What::Scaling;
                    rest
                }
                ["--records", rest @ ..] => {
                    wanted.what = What::Records;
                    rest
                }
                ["--scenes", rest @ ..] => {
                    wanted.what = What::Scenes;
                    rest
                }
                ["--ceptre", rest @ ..] => {
                    wanted.what = What::Ceptre;
                    rest
                }
                ["--dozen", rest @ ..] => {
                    wanted.what = What::Dozen;
                    rest
                }
                ["--switch", rest @ ..] => {
                    wanted.what = What::Switch;
                    rest
                }
                ["--game", game, rest @ ..] => {
                    wanted.game = Some(game);
                    rest
                }
                ["--seconds", seconds, rest @ ..] => {
                    let number = seconds.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0);
                    wanted.seconds = number.ok_or_else(|| format!("“{seconds}” is no number of seconds."))?;
                    rest
                }
                [other, ..] => {
                    return Err(format!(
                        "`cargo xtask bench` does not know `{other}`; `cargo xtask` lists what it does."
                    ));
                }
            };
        }
    }
}

fn library(seconds: f64) -> Result<(), String> {
    let mut rows = Vec::new();
    for folder in games::folders()? {
        match row(&folder.name, seconds) {
            Ok(row) => rows.push(row),
            Err(message) => println!("{message}"),
        }
    }
    print!("{}", table(&rows));
    println!();
    for name in houserules_library::list_ceptre() {
        let game = houserules_library::find(&name)?.rulebook(&Options::default())?;
        let found = measure(&*game, seconds)?;
        println!("{name:24}  {:>9.0} playouts a second, {:.1} moves long", found.per_second(), found.average_length());
    }
    println!();
    // Named where they are in the library.
    for (game, variant) in
        [("connect-four", ""), ("go", "9x9"), ("othello", ""), ("breakthrough", ""), ("tic-tac-toe", "")]
    {
        if rows.iter().any(|row| row.game == game) {
            let variants = if variant.is_empty() { Vec::new() } else { vec![variant.to_owned()] };
            let rulebook = houserules_library::find(game)?.compile(&Options { variants, ..Options::default() })?;
            print!("{}", search(format!("{game} {variant}").trim_end(), &rulebook, seconds)?);
        }
    }
    let twin = TicTacToe::new(3, 3, 3).map_err(|error| error.to_string())?;
    print!("{}", search("tic-tac-toe, twin", &twin, seconds)?);
    println!("Per second, from the start of the match; a player thinks again until the time is up.");
    Ok(())
}

/// How fast players look ahead in a game; solved where that is quick.
pub fn search(title: &str, rulebook: &dyn Rulebook, seconds: f64) -> Result<String, String> {
    let clock = Instant::now();
    let limits = Limits::default().within(Duration::from_secs_f64(seconds), Arc::new(move || clock.elapsed()));
    let start = rulebook.open().map_err(|error| error.to_string())?;
    let mut mcts = |seed| Box::new(Mcts::new(seed, limits.clone())) as Box<dyn Player>;
    let mcts = speed(&*start, seconds, &mut mcts)?;
    let mut alpha_beta = |seed| Box::new(AlphaBeta::new(seed, limits.clone())) as Box<dyn Player>;
    let alpha_beta = speed(&*start, seconds, &mut alpha_beta)?;
    let mut lines = format!("{title:18}  mcts {mcts:>9.0} matches  alpha-beta {alpha_beta:>9.0} positions");
    if title.starts_with("tic-tac-toe") {
        let began = Instant::now();
        let solved = Solver::new().with_memory(1 << 20).solve(&mut *start.duplicate(), rulebook.seats().len());
        let nodes = solved.map_err(|unsolved| unsolved.to_string())?.nodes;
        let milliseconds = 1000.0 * began.elapsed().as_secs_f64();
        lines.push_str(&format!("  solved in {milliseconds:.1} ms, {nodes} positions"));
    }
    lines.push('\n');
    Ok(lines)
}

/// Nodes a second. A small game is known for certain before the time is up, and then thought about anew.
fn speed(start: &dyn Position, seconds: f64, player: &mut dyn FnMut(u64) -> Box<dyn Player>) -> Result<f64, String> {
    let began = Instant::now();
    let (mut nodes, mut seed) = (0, 1);
    while began.elapsed().as_secs_f64() < seconds {
        let mut position = start.duplicate();
        let who = *position.decision().open_to().first().ok_or("The match is over before it begins.")?;
        nodes += player(seed).choose(&mut *position, who).map_err(|refusal| refusal.to_string())?.nodes;
        seed += 1;
    }
    Ok(nodes as f64 / began.elapsed().as_secs_f64())
}

fn row(game: &str, seconds: f64) -> Result<Row, String> {
    let found = houserules_library::find(game)?;
    let machine = measure(&found.compile(&Options::default())?, seconds)?;
    let walker = rulebook(found.definition(), &[], None, None).map_err(|faults| found.render(&faults, false))?;
    let twin = match game {
        "tic-tac-toe" => {
            let twin = TicTacToe::new(3, 3, 3).map_err(|error| error.to_string())?;
            Some(measure(&twin, seconds)?.per_second())
        }
        _ => None,
    };
    Ok(Row {
        game: game.into(),
        average_length: machine.average_length(),
        machine: Some(machine.per_second()),
        // A game may be too slow for the tree-walker to finish even one match.
        walker: measure(&walker, seconds).ok().map(|found| found.per_second()).filter(|&speed| speed > 0.0),
        twin,
    })
}

/// Random matches of any game for a while.
pub fn measure(rulebook: &dyn Rulebook, seconds: f64) -> Result<playout::Playouts, String> {
    playout::run(rulebook, playout::Until::Elapsed(Duration::from_secs_f64(seconds)), 1)
        .map_err(|failure| format!("{}: {failure:?}", rulebook.name()))
}

/// The rows under their headings; what was not measured is a dash.
pub fn table(rows: &[Row]) -> String {
    let number = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.0}"));
    let ratio = |over: Option<f64>, under: Option<f64>| match (over, under) {
        (Some(over), Some(under)) if under > 0.0 => format!("{:.1}×", over / under),
        _ => "–".into(),
    };
    let width = rows.iter().map(|row| row.game.chars().count()).max().unwrap_or(0).max(4);
    let line = |cells: [&str; 7]| {
        let [game, machine, walker, faster, twin, slower, length] = cells;
        format!("{game:width$}  {machine:>9}  {walker:>9}  {faster:>14}  {twin:>9}  {slower:>12}  {length:>6}\n")
    };
    let mut table = line(["game", "machine", "walker", "machine/walker", "twin", "twin/machine", "length"]);
    for row in rows {
        table.push_str(&line([
            &row.game,
            &number(row.machine),
            &number(row.walker),
            &ratio(row.machine, row.walker),
            &number(row.twin),
            &ratio(row.twin, row.machine),
            &format!("{:.1}", row.average_length),
        ]));
    }
    table.push_str("Playouts a second; length in moves.\n");
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_stand_where_both_sides_were_measured() {
        let row = |game: &str, walker, twin| Row {
            game: game.into(),
            machine: Some(1000.0),
            walker,
            twin,
            average_length: 7.6,
        };
        let table = table(&[row("nim", Some(50.0), None), row("tic-tac-toe", None, Some(1500.0))]);
        assert!(table.contains("20.0×") && table.contains("1.5×") && table.contains('–'), "{table}");
        assert_eq!(
            table.lines().map(|line| line.chars().count()).take(3).max(),
            Some(table.lines().next().unwrap().chars().count())
        );
    }

    #[test]
    fn options_say_what_is_measured() {
        let all = Wanted { what: What::Library, game: None, seconds: 1.0 };
        assert_eq!(Wanted::parse(&[]).unwrap(), all);
        let limit = Wanted { what: What::Limit, game: Some("hex"), seconds: 0.5 };
        assert_eq!(Wanted::parse(&["--limit", "--seconds", "0.5", "--game", "hex"]).unwrap(), limit);
        assert_eq!(Wanted::parse(&["--seconds", "-1"]).unwrap_err(), "“-1” is no number of seconds.");
        assert!(Wanted::parse(&["--fast"]).unwrap_err().contains("`--fast`"));
    }

    #[test]
    fn looking_ahead_is_measured_in_any_game() {
        let line = search("tic-tac-toe, twin", &TicTacToe::new(3, 3, 3).unwrap(), 0.02).unwrap();
        assert!(line.contains("matches") && line.contains("positions") && line.contains("solved in"), "{line}");
    }

    #[test]
    fn any_rulebook_can_be_measured() {
        let measured = measure(&TicTacToe::new(3, 3, 3).unwrap(), 0.02).unwrap();
        assert!(measured.playouts > 0 && (5.0..=9.0).contains(&measured.average_length()));
    }
}
