//! One module for each group of commands; this one chooses.

mod annotate;
mod ceptre;
mod console;
mod count;
mod explain;
mod inspect;
mod library;
mod matches;
mod opening;
mod reach;
mod record;
mod replay;
mod serve;
mod solve;
mod source;
mod study;
pub mod worker;

pub use count::{name_of, numbered, result};
pub use explain::explain;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use houserules_scene::Theme;

use crate::args::{Args, Command, Planned, RecordCommand};
use crate::failure::Failure;
use crate::play;
use crate::playout::Until;
use crate::terminal::Terminal;

/// Does what the command line says and gives the exit status.
pub fn run(args: Args) -> ExitCode {
    let done = match args.command {
        None => dispatch(Command::Serve(Box::default())),
        Some(command) => dispatch(command),
    };
    match done {
        Ok(status) => status,
        // The reader has seen enough, as in `houserules list | head -1`.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => told(&format!("cannot write: {error}")),
        Err(Failure::Input(message)) => told(&message),
    }
}

fn told(message: &str) -> ExitCode {
    // Nothing can be done about a closed error stream; the status still tells.
    let _ = writeln!(io::stderr(), "houserules: {message}");
    ExitCode::from(2)
}

fn dispatch(command: Command) -> Result<ExitCode, Failure> {
    if let Command::Lsp = command {
        houserules_lsp::wire::serve(&mut io::stdin().lock(), &mut io::stdout().lock())?;
        return Ok(ExitCode::SUCCESS);
    }
    let out = &mut io::stdout().lock();
    match command {
        Command::Lsp => {}
        Command::List { output } => library::list(out, output)?,
        Command::Show { game, drawn, rules, table, output } => match &drawn.svg {
            Some(file) => library::picture(&game, &rules, table, &drawn, file)?,
            None => library::show(out, &game, &rules, table, output)?,
        },
        Command::Check { paths, output } => return source::check(out, &paths, output),
        Command::Fmt { paths, check } => return source::format(out, &paths, check),
        Command::Convert { game, to, rules, table, out: file } => {
            source::convert(out, &game, to, &rules.options(table.n_seats), file.as_deref())?;
        }
        Command::Split { file } => source::split(out, &file)?,
        Command::Join { logic, look, out: file } => source::join(out, &logic, &look, file.as_deref())?,
        Command::Play { game: None, .. } => opening::open_library(&mut Terminal::standard())?,
        Command::Play { game: Some(game), rules, seats, seed, recording } => {
            let recording = recording.into();
            play::play(
                &mut Terminal::standard(),
                &play::Wanted { game, rules, seats, seed, recording, series: play::Series::default() },
            )?;
        }
        Command::Serve(wanted) => serve::serve(out, &wanted)?,
        Command::Replay { record, from, all, trace, output } => {
            return replay::replay(out, &record, &from, &replay::Wanted { all, trace }, output);
        }
        Command::Annotate { record, from, player, alternatives, seed, out: file, output } => {
            let wanted = annotate::Wanted { player, alternatives, seed, file };
            return annotate::annotate(out, &record, &from, &wanted, output);
        }
        Command::Record { what: RecordCommand::Check { records, from, output } } => {
            return record::check(out, &records, &from, output);
        }
        Command::Record { what: RecordCommand::Export { record, from, at, viewer, out: file, svg, dark } } => {
            let theme = if dark { Theme::Dark } else { Theme::Light };
            let wanted = record::Export { at, viewer, file, svg, theme };
            record::export(out, &record, &from, &wanted)?;
        }
        Command::Inspect { record, from, at, of, history, output } => {
            inspect::inspect(out, &record, &from, &inspect::Wanted { at, of, history }, output)?;
        }
        Command::Moves { game, rules, table, after, output } => {
            count::moves(out, &game, &rules, table, &after, output)?
        }
        Command::Perft { game, rules, table, depth, by, divide, output } => {
            count::perft(out, &game, &rules, table, &count::Perft { depth, by: by.into(), divide }, output)?;
        }
        Command::Playout { game, rules, table, seconds, matches, seed, output } => {
            let elapsed = Until::Elapsed(Duration::from_secs_f64(seconds));
            count::playout(out, &game, &rules, table, matches.map_or(elapsed, Until::Matches), seed, output)?;
        }
        Command::Match { file, quiet, output } => matches::matches(out, &file, quiet, output)?,
        Command::Tournament { file, results, threads, bus, output } => {
            let wished = matches::Wished { results, threads: threads.map(usize::from), bus };
            return matches::tournament(out, &file, &wished, output);
        }
        Command::Worker(wanted) => worker::worker(out, &wanted)?,
        Command::Study(wanted) => return study::study(out, &wanted),
        Command::Solve { game, rules, table, after, memory, seconds, output } => {
            return solve::solve(out, &game, &rules, table, &solve::Wanted { after, memory, seconds }, output);
        }
        Command::Run { file, seed, choose, trace, output } => {
            ceptre::run(out, &file, &ceptre::Wanted { seed, choose, trace }, output)?;
        }
        Command::Reach { game, what, rules, table, after, most, output } => {
            return reach::reach(out, &game, &rules, table, &reach::Wanted { what, after, most }, output);
        }
        Command::Diagram { game, out: file } => ceptre::diagram(out, &game, file.as_deref())?,
        Command::Console { game, seed } => console::console(out, game.as_deref(), seed)?,
        Command::Explain { form: None, planned: Planned { game: Some(game), rules, table } } => {
            explain::plan(out, &game, &rules, table)?;
        }
        Command::Explain { form, .. } => explain(out, form.as_deref())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
