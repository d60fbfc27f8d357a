//! What can be typed after `houserules`. The help texts teach: each command shows itself in use.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use houserules_scene::Theme;

use crate::games::{Language, Options};
pub use crate::sitter::{DEFAULT_SEATS, Sitter};

/// Describe a board game, play it, change its rules.
///
/// Without a command it starts a server on this computer and prints its address: open it in a browser.
#[derive(Parser, Debug)]
#[command(name = "houserules", version, after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  houserules                                       tables for a browser, on this computer
  houserules play                                  choose a game from the library and play here
  houserules play tic-tac-toe                      you against the computer
  houserules play tic-tac-toe --seats human,human  two people at one screen
  houserules play nim --seats human,level5         an opponent that looks ahead
  houserules solve nim                             who wins when nobody errs
  houserules play tic-tac-toe --set width=5        on a wider board
  houserules moves tic-tac-toe --after \"b2 a1\"     what can be done after two moves
  houserules perft tic-tac-toe --depth 5           count the ways to play
  houserules match duel.toml                       the match that a file describes
  houserules tournament contest.toml               who is how strong, in a game and with players of a file
  houserules study awele --matches 2000            what its rules do: balance, length, drama, a report
  houserules replay match.txt                      go through a match that was recorded
  houserules explain while                         what a form of the language does

GAME is a name of the library or a path to a definition. `houserules show GAME` lists its variants,
settings and rules: what --variant, --set and --off accept.
The exit status is 0 on success, 1 when a check found something, 2 when the input was not understood.";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// List the games of the library.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Show a game: its players, variants, settings and rules, and how it starts.
    #[command(
        after_help = "Examples:\n  houserules show chess\n  houserules show chess --svg board.svg --after \"e4 e5\"\n  \
        houserules show whist --svg hand.svg --viewer North"
    )]
    Show {
        /// A name of the library, or the path of a definition.
        game: String,
        #[command(flatten)]
        drawn: Drawn,
        #[command(flatten)]
        rules: Rules,
        #[command(flatten)]
        table: Table,
        #[command(flatten)]
        output: Output,
    },
    /// Check definitions and report everything that is wrong with them.
    #[command(after_help = "Example:\n  houserules check my-game.gdl")]
    Check {
        /// Files, folders of games, or names of the library.
        #[arg(required = true)]
        paths: Vec<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Lay definitions out in the usual way; comments stay.
    #[command(after_help = "Examples:\n  houserules fmt my-game.gdl\n  houserules fmt --check games/*/game.gdl")]
    Fmt {
        /// Files, or folders of games.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Change nothing; name the files that would change and exit with status 1.
        #[arg(long)]
        check: bool,
    },
    /// Write a game down in another language; comments come along.
    #[command(after_help = "Examples:\n  houserules convert my-game.gdf.xml --to gdl\n  \
        houserules convert chess --to gdf --out chess.gdf.xml\n  \
        houserules convert race.bgd --to gdl --players 4 --out race.gdl")]
    Convert {
        /// A name of the library, or the path of a definition.
        game: String,
        /// The language to write it in.
        #[arg(long, value_enum)]
        to: Language,
        #[command(flatten)]
        rules: Rules,
        #[command(flatten)]
        table: Table,
        /// The file to write; without it the text is printed.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Part a game file into what the game is and how it looks: NAME.logic.gdf.xml and NAME.look.gdf.xml beside it.
    #[command(after_help = "Example:\n  houserules split my-game.gdf.xml")]
    Split {
        /// The game file.
        file: PathBuf,
    },
    /// Put the two parts of a game file together again.
    #[command(
        after_help = "Example:\n  houserules join my-game.logic.gdf.xml my-game.look.gdf.xml --out my-game.gdf.xml"
    )]
    Join {
        /// What the game is.
        logic: PathBuf,
        /// How it looks.
        look: PathBuf,
        /// The file to write; without it the text is printed.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Play a game in the terminal.
    #[command(after_help = PLAY_EXAMPLES)]
    Play {
        /// A name of the library, the path of a definition, or a saved match that goes on. Without it the library is shown.
        game: Option<String>,
        #[command(flatten)]
        rules: Rules,
        /// Who sits where, in the order of the seats: `human`, `random`, `greedy`, `level1` to `level10`, `mcts:N` with N
        /// matches played out, `alpha-beta:N` looking N choices ahead. The last one sits on all that are left. Where a game
        /// leaves open how many take part, as many do as are named here.
        #[arg(long, value_delimiter = ',', default_value = DEFAULT_SEATS)]
        seats: Vec<Sitter>,
        /// Dice, decks and random opponents follow from this number.
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
        #[command(flatten)]
        recording: Recording,
    },
    /// Serve tables that people join by a link.
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(Box<Serve>),
    /// Answer an editor over standard input and output, in the language server's protocol.
    Lsp,
    /// Go through a record: step by step, with the board, the choices not taken and who saw what.
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay {
        /// The file a match was recorded in.
        record: PathBuf,
        #[command(flatten)]
        from: From,
        /// Show every step at once instead of asking.
        #[arg(long)]
        all: bool,
        /// Show the messages, laws and side-effects of every step.
        #[arg(long)]
        trace: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Judge every move of a record: its value, what was better, and the blunders.
    #[command(after_help = "Examples:\n  houserules annotate match.txt --player mcts:500\n  \
        houserules annotate match.txt --player alphabeta:4 --out judged.txt")]
    Annotate {
        /// The file a match was recorded in.
        record: PathBuf,
        #[command(flatten)]
        from: From,
        /// Who judges; as in `--seats`.
        #[arg(long, default_value = "mcts:200")]
        player: Sitter,
        /// So many better choices are named.
        #[arg(long, value_name = "N", default_value_t = 3)]
        alternatives: usize,
        /// Where chance plays a part in judging, it follows from this number.
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Write the record with the judgements as notes.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        output: Output,
    },
    /// Check records, or take a position out of one.
    Record {
        #[command(subcommand)]
        what: RecordCommand,
    },
    /// Show every property of everything at a point of a record, and what each has been.
    #[command(
        after_help = "Examples:\n  houserules inspect match.txt\n  houserules inspect match.txt --at 10 --of \"hole 3\"\n  \
        houserules inspect match.txt --history --of stones"
    )]
    Inspect {
        /// The file a match was recorded in.
        record: PathBuf,
        #[command(flatten)]
        from: From,
        /// After so many lines; at the end unless told.
        #[arg(long, value_name = "N")]
        at: Option<usize>,
        /// Only things and properties with this in their name.
        #[arg(long, value_name = "WORDS", default_value = "")]
        of: String,
        /// All values a property has had, each with the line after which it was so.
        #[arg(long)]
        history: bool,
        #[command(flatten)]
        output: Output,
    },
    /// List the choices open at the start, or after some moves.
    #[command(
        after_help = "Examples:\n  houserules moves tic-tac-toe\n  houserules moves tic-tac-toe --after \"b2 a1\"\n  \
        houserules moves tic-tac-toe --after \"place b2, place a1\""
    )]
    Moves {
        /// A name of the library, or the path of a definition.
        game: String,
        #[command(flatten)]
        rules: Rules,
        #[command(flatten)]
        table: Table,
        /// Moves to play first: in words or parts of them, with spaces or commas between.
        #[arg(long, value_name = "MOVES", default_value = "")]
        after: String,
        #[command(flatten)]
        output: Output,
    },
    /// Count the ways to play: the test that finds a wrong rule when everything looks right.
    #[command(after_help = "Examples:\n  houserules perft tic-tac-toe --depth 9\n  \
        houserules perft tic-tac-toe --depth 3 --divide\n  houserules perft tic-tac-toe --depth 4 --json")]
    Perft {
        /// A name of the library, or the path of a definition.
        game: String,
        #[command(flatten)]
        rules: Rules,
        #[command(flatten)]
        table: Table,
        /// How many plies deep.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
        depth: u32,
        /// What a ply is: one action with the answers given during it, or a whole turn.
        #[arg(long, default_value = "action")]
        by: By,
        /// Tell the count apart by the first ply.
        #[arg(long)]
        divide: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Play at random for a while and tell how fast it went and who won.
    #[command(after_help = "Example:\n  houserules playout tic-tac-toe --seconds 2 --seed 1")]
    Playout {
        /// A name of the library, or the path of a definition.
        game: String,
        #[command(flatten)]
        rules: Rules,
        #[command(flatten)]
        table: Table,
        /// For how long.
        #[arg(long, value_name = "S", default_value_t = 1.0, allow_negative_numbers = true, value_parser = seconds)]
        seconds: f64,
        /// So many matches, however long they take.
        #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
        matches: Option<u64>,
        /// The matches follow from this number.
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        output: Output,
    },
    /// Run a program in Ceptre: rule after rule, until nothing more can happen or somebody has to choose.
    #[command(
        after_help = "Examples:\n  houserules run shop.cep\n  houserules run shop.cep --choose \"1 1 2\" --trace\n  \
        houserules run shop.cep --seed 7 --json"
    )]
    Run {
        /// The path of a program, or a name of the library such as `nim.cep`.
        file: String,
        /// What is left to chance follows from this number.
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// The numbers of the options to choose, one after the other; 0 stops.
        #[arg(long, value_name = "NUMBERS", default_value = "")]
        choose: String,
        /// Tell what each rule has used up and made.
        #[arg(long)]
        trace: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Ask whether something can come about, and be shown how.
    #[command(
        after_help = "Examples:\n  houserules reach game.cep \"win alice\"\n  houserules reach tic-tac-toe \"O wins\"\n  \
        houserules reach tic-tac-toe draw"
    )]
    Reach {
        /// A name of the library, or the path of a definition.
        game: String,
        /// A fact of a program in Ceptre such as `win alice`, or how a match ends: `NAME wins`, `draw`.
        what: String,
        #[command(flatten)]
        rules: Rules,
        #[command(flatten)]
        table: Table,
        /// Moves to play first: in words or parts of them, with spaces or commas between.
        #[arg(long, value_name = "MOVES", default_value = "")]
        after: String,
        /// Give up after so many positions.
        #[arg(long, value_name = "N", default_value_t = 2_000_000)]
        most: u64,
        #[command(flatten)]
        output: Output,
    },
    /// Draw the stages of a program in Ceptre and what leads from one to another; of a definition, its messages and rules.
    #[command(
        after_help = "Examples:\n  houserules diagram othello.cep\n  houserules diagram othello.cep --out stages.svg"
    )]
    Diagram {
        /// A name of the library, or the path of a definition.
        game: String,
        /// The file to write, an SVG picture; the screen, as text, unless told.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Find out how a match ends when everybody plays as well as can be.
    #[command(
        after_help = "Examples:\n  houserules solve tic-tac-toe\n  houserules solve nim --set heap1=7 --json\n  \
        houserules solve tic-tac-toe --after \"b2 a1\" --memory 512 --seconds 60"
    )]
    Solve {
        /// A name of the library, or the path of a definition.
        game: String,
        #[command(flatten)]
        rules: Rules,
        #[command(flatten)]
        table: Table,
        /// Moves to play first: in words or parts of them, with spaces or commas between.
        #[arg(long, value_name = "MOVES", default_value = "")]
        after: String,
        /// Megabytes for remembering positions; with fewer it takes longer.
        #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        memory: u32,
        /// Give up after so long.
        #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
        seconds: Option<f64>,
        #[command(flatten)]
        output: Output,
    },
    /// Play the match that a file describes.
    #[command(after_help = MATCH_EXAMPLES)]
    Match {
        /// A match file: TOML, or the XML of Cohen's framework.
        file: PathBuf,
        /// Tell only how it ended.
        #[arg(long)]
        quiet: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Let the players of a file meet each other, and tell how strong each is.
    #[command(after_help = TOURNAMENT_EXAMPLES)]
    Tournament {
        /// A match file with any number of players.
        file: PathBuf,
        /// Where results are kept, so that an interrupted tournament goes on; beside the file, if nothing is said.
        #[arg(long, value_name = "FILE")]
        results: Option<PathBuf>,
        /// Matches played at the same time; as many as there are cores, if nothing is said.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
        /// NATS, over which the matches are handed out to `houserules worker` processes: `nats://HOST:4222`.
        #[arg(long, value_name = "ADDRESS", conflicts_with = "threads")]
        bus: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Play many matches of a game and its variants, and report what they say.
    #[command(after_help = STUDY_EXAMPLES)]
    Study(Study),
    /// Play matches and think for studies, tournaments and servers on other computers.
    #[command(after_help = WORKER_EXAMPLES)]
    Worker(Worker),
    /// Play a game written in BGD by commands: ParseGame, Setup, StartGame, Action, Print, Record.
    #[command(after_help = CONSOLE_EXAMPLES)]
    Console {
        /// The text of the game, as if `ParseGame` were typed first.
        game: Option<String>,
        /// What is left to chance follows from this number.
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
    },
    /// Explain a form or directive of the language, or list them all; or how the machine plays a game.
    #[command(
        after_help = "Examples:\n  houserules explain\n  houserules explain foreach\n  houserules explain \"#board\"\n  \
        houserules explain --plan othello"
    )]
    Explain {
        /// The first word of the form, or the directive with or without its `#`.
        form: Option<String>,
        #[command(flatten)]
        planned: Planned,
    },
}

/// What is studied, and how.
#[derive(ClapArgs, Clone, Debug)]
pub struct Study {
    /// A name of the library, or the path of a definition.
    pub game: String,
    /// A variant to set beside the game as it is; may be given several times.
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,
    /// A rule: the game without it is set beside the game as it is; may be given several times.
    #[arg(long, value_name = "RULE")]
    pub off: Vec<String>,
    /// A setting for all of them; may be given several times.
    #[arg(long = "set", value_name = "SETTING=VALUE", value_parser = setting)]
    pub settings: Vec<(String, String)>,
    /// Who plays: `random`, `greedy`, `level1` to `level10`, `mcts:N`, `alpha-beta:N`. They change seats from match to
    /// match.
    #[arg(long, value_delimiter = ',', default_value = "random")]
    pub players: Vec<Sitter>,
    /// Matches of the game and of each variant.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub matches: u64,
    /// The matches follow from this number.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A match is cut after so many choices, and counted as such.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub longest: u64,
    /// In so many matches each rule is left out once, to see whether it matters.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub rule_matches: u64,
    /// Matches played at the same time; as many as there are cores, if nothing is said.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// NATS, over which the matches are handed out to `houserules worker` processes: `nats://HOST:4222`.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "threads")]
    pub bus: Option<String>,
    /// The folder for the report and for the matches; GAME-study, if nothing is said.
    #[arg(long = "out", value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

impl Study {
    /// What a study is about that somebody else hands out.
    pub fn of(task: &crate::commands::worker::StudyTask) -> Self {
        Study {
            game: task.game.name.clone(),
            variants: task.variants.clone(),
            off: task.off.clone(),
            settings: task.settings.clone(),
            players: Vec::new(),
            matches: 1,
            seed: task.seed,
            longest: task.longest,
            rule_matches: task.rule_matches,
            threads: None,
            bus: None,
            folder: None,
            output: Output { json: false },
        }
    }
}

/// Where to work, and how much.
#[derive(ClapArgs, Debug, Clone)]
pub struct Worker {
    /// NATS, over which work is handed out: `nats://HOST:4222`.
    #[arg(long, value_name = "ADDRESS")]
    pub bus: String,
    /// Matches and thoughts at the same time; as many as there are cores, if nothing is said.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

const WORKER_EXAMPLES: &str = "\
Examples:
  houserules worker --bus nats://10.0.0.5:4222
  houserules study awele --matches 100000 --bus nats://10.0.0.5:4222
  houserules tournament cup.toml --bus nats://10.0.0.5:4222

Workers come and go as they like; what one had not finished is handed out again, and every match counts once.";

const STUDY_EXAMPLES: &str = "\
Examples:
  houserules study awele
  houserules study awele --off \"Let The Opponent Play\" --matches 2000
  houserules study tic-tac-toe --variant misere --players level3

Ctrl-C stops after the matches under way; the same command goes on, and with more --matches it goes further.";

const MATCH_EXAMPLES: &str = "\
Example of a file:
  game = \"tic-tac-toe\"
  [[player]]
  plays = \"random\"
  [[player]]
  plays = \"alpha-beta\"
  depth = 9

  houserules match duel.toml";

const TOURNAMENT_EXAMPLES: &str = "\
Example of a file:
  game = \"connect-four\"
  [[player]]
  plays = \"level5\"
  [[player]]
  plays = \"alpha-beta\"
  depth = 4
  [[player]]
  plays = \"random\"
  [tournament]
  kind = \"round robin\"
  rounds = 10

  houserules tournament contest.toml

Ctrl-C stops after the matches under way; the same command goes on.";
const REPLAY_EXAMPLES: &str = "\
Examples:
  houserules play awele --seats random,random --seed 7 --record match.txt
  houserules replay match.txt
  houserules replay match.txt --all
  houserules replay match.txt --json
  houserules replay old.bgr --game my-game.gdl

While going through, `help` lists what can be typed.";

#[derive(Subcommand, Debug)]
pub enum RecordCommand {
    /// Play records through and report the first line that does not fit; the exit status is 1 if there is one.
    Check {
        /// Files that matches were recorded in.
        #[arg(required = true)]
        records: Vec<PathBuf>,
        #[command(flatten)]
        from: From,
        #[command(flatten)]
        output: Output,
    },
    /// Write the position after some lines as text or as an SVG picture.
    #[command(after_help = "Examples:\n  houserules record export match.txt --at 10 --out board.svg\n  \
        houserules record export match.txt --viewer South")]
    Export {
        /// The file a match was recorded in.
        record: PathBuf,
        #[command(flatten)]
        from: From,
        /// After so many lines; at the end unless told.
        #[arg(long, value_name = "N")]
        at: Option<usize>,
        /// As this seat saw it, or `public`; everything unless told.
        #[arg(long, value_name = "SEAT")]
        viewer: Option<String>,
        /// The file to write; an SVG picture if its name ends so. The screen unless told.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Write an SVG picture to this file, whatever its name.
        #[arg(long, value_name = "FILE", conflicts_with = "out")]
        svg: Option<PathBuf>,
        /// A picture for a dark room.
        #[arg(long)]
        dark: bool,
    },
}

/// Where the rules of a record come from.
#[derive(ClapArgs, Clone, Debug, Default)]
pub struct From {
    /// The game whose rules it is played by, instead of those the record names or brings along.
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Which rules: those it was `made` with, those `embedded` in it, or the game's as they are `now`.
    #[arg(long = "rules", value_name = "WHICH", default_value = "made")]
    pub which: RulesOf,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RulesOf {
    #[default]
    Made,
    Embedded,
    Now,
}

impl std::convert::From<RulesOf> for houserules_record::Which {
    fn from(which: RulesOf) -> Self {
        match which {
            RulesOf::Made => houserules_record::Which::Made,
            RulesOf::Embedded => houserules_record::Which::Embedded,
            RulesOf::Now => houserules_record::Which::Now,
        }
    }
}

/// How a match is recorded and ruled on.
#[derive(ClapArgs, Clone, Debug, Default)]
pub struct Recording {
    /// Write the match down in this file.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Let the record name its rules by digest only, instead of bringing them along.
    #[arg(long)]
    pub digest_only: bool,
    /// A rule that only warns, by its name; may be given several times.
    #[arg(long, value_name = "RULE")]
    pub advised: Vec<String>,
    /// Who decides about what is only advised: a name, or `consent` of all.
    #[arg(long, value_name = "WHO")]
    pub referee: Option<String>,
    /// Show the messages, laws and side-effects of every step; what is hidden shows, too.
    #[arg(long)]
    pub trace: bool,
}

impl std::convert::From<Recording> for crate::play::Recording {
    fn from(recording: Recording) -> Self {
        let Recording { record, digest_only, advised, referee, trace } = recording;
        crate::play::Recording { file: record, digest_only, advised, referee, trace }
    }
}

const PLAY_EXAMPLES: &str = "\
Examples:
  houserules play tic-tac-toe --seats human,human
  houserules play tic-tac-toe --seats human,level5
  houserules play tic-tac-toe --off \"Only empty cells\"
  houserules play tic-tac-toe --set width=4 --set height=4 --seed 7
  houserules play tic-tac-toe --seats random,random --seed 7 --record match.txt
  houserules play match.txt --seats human,human
  houserules play go --set size=9 --advised \"No suicide\" --referee Ann

While playing, `help` lists what can be typed.";

/// The house rules of a match.
#[derive(ClapArgs, Clone, Debug, Default)]
pub struct Rules {
    /// A variant of the game; may be given several times.
    #[arg(long = "variant", value_name = "NAME")]
    pub variants: Vec<String>,
    /// A rule to switch off, by its name; may be given several times.
    #[arg(long, value_name = "RULE")]
    pub off: Vec<String>,
    /// A setting; may be given several times.
    #[arg(long = "set", value_name = "SETTING=VALUE", value_parser = setting)]
    pub settings: Vec<(String, String)>,
    /// Where the match begins: rows from the top with `/` between, as in FEN, whose turn it is, and values of settings.
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
    /// How operators bind in a game written in BGD: `conventional`, or `original` as its first program had it.
    #[arg(long, value_name = "ORDER")]
    pub precedence: Option<Precedence>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precedence {
    Conventional,
    Original,
}

impl Rules {
    pub fn options(&self, n_seats: Option<u32>) -> Options {
        let mut settings = self.settings.clone();
        if self.precedence == Some(Precedence::Original) {
            settings.push((houserules_library::PRECEDENCE.to_owned(), "original".to_owned()));
        }
        Options {
            variants: self.variants.clone(),
            off: self.off.clone(),
            settings,
            seats: n_seats,
            position: self.position.clone(),
        }
    }
}

/// A picture of a game.
#[derive(ClapArgs, Clone, Debug, Default)]
pub struct Drawn {
    /// Write a picture of the board to this file instead.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// As this seat sees it, or `public`; everything unless told.
    #[arg(long, value_name = "SEAT", requires = "svg")]
    pub viewer: Option<String>,
    /// After these moves, in the game's words with spaces between; chance beyond them is drawn, always the same.
    #[arg(long, value_name = "MOVES", requires = "svg")]
    pub after: Option<String>,
    /// A picture for a dark room.
    #[arg(long, requires = "svg")]
    pub dark: bool,
}

impl Drawn {
    pub fn theme(&self) -> Theme {
        if self.dark { Theme::Dark } else { Theme::Light }
    }
}

const CONSOLE_EXAMPLES: &str = "\
Commands:
  ParseGame FILE          read a game
  Setup PLAYER NAME       let somebody play a player; who is named first moves first
  StartGame               begin
  Action NAME VALUE…      do something; the values are names, numbers, True or False
  Actions                 list what can be done
  Print Turn | Game       whose turn it is; everything there is
  Record Print [Sorted]   what has happened
  Record Write FILE       write that down
  Record Load FILE        let it happen again, before StartGame; play goes on where it ends
  Quit                    end

Commands may come from a file: houserules console race.bgd < commands.txt";

/// A game whose plan is told.
#[derive(ClapArgs, Clone, Debug)]
pub struct Planned {
    /// How random moves of this game are drawn, who says whether somebody can act, when each law is asked, and what is
    /// kept from move to move: for whoever wants it to be fast.
    #[arg(long = "plan", value_name = "GAME", conflicts_with = "form")]
    pub game: Option<String>,
    #[command(flatten)]
    pub rules: Rules,
    #[command(flatten)]
    pub table: Table,
}

/// How many sit at the table.
#[derive(ClapArgs, Clone, Copy, Debug, Default)]
pub struct Table {
    /// How many take part, in a game that leaves it open; as few as can be unless told.
    #[arg(long = "players", visible_alias = "seats", value_name = "N")]
    pub n_seats: Option<u32>,
}

#[derive(ClapArgs, Clone, Copy, Debug)]
pub struct Output {
    /// Print JSON for another program.
    #[arg(long)]
    pub json: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    Action,
    Turn,
}

impl std::convert::From<By> for houserules_kernel::By {
    fn from(by: By) -> Self {
        match by {
            By::Action => houserules_kernel::By::Action,
            By::Turn => houserules_kernel::By::Turn,
        }
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().into(), value.trim().into())),
        _ => Err("a setting is written name=value, such as width=5".into()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("a number of seconds above 0, at most a day".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Args::command().debug_assert();
    }
}

const SERVE_EXAMPLES: &str = "\
Examples:
  houserules serve                                  on this computer alone
  houserules serve --listen 0.0.0.0:4000            for everybody in the network
  houserules serve --data /var/lib/houserules/tables.db --public-url https://play.example.org --behind-proxy
  houserules serve --data tables.db --backup copy.db";

/// Where to serve, and how much is allowed.
#[derive(ClapArgs, Debug, Clone)]
pub struct Serve {
    /// Address and port.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:4000")]
    pub listen: std::net::SocketAddr,
    /// The file in which tables are kept; made if there is none. Or PostgreSQL: `postgres://USER@HOST/DATABASE`.
    #[arg(long, value_name = "FILE | ADDRESS", default_value = "houserules.db")]
    pub data: PathBuf,
    /// NATS, over which servers that share a PostgreSQL hear each other: `nats://HOST:4222`.
    #[arg(long, value_name = "ADDRESS")]
    pub bus: Option<String>,
    /// How people reach it from outside; only pages from there may connect.
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// A reverse proxy stands before it, and says in `X-Forwarded-For` who comes.
    #[arg(long)]
    pub behind_proxy: bool,
    /// Let `houserules worker` processes on the bus think for the machine, as long as there are any.
    #[arg(long, requires = "bus")]
    pub think_elsewhere: bool,
    /// Limits from a file, such as `tables = 500`.
    #[arg(long, value_name = "FILE")]
    pub limits: Option<PathBuf>,
    /// Tables in memory at once.
    #[arg(long, value_name = "N")]
    pub tables: Option<usize>,
    /// The highest level of the machine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    pub level: Option<u8>,
    /// Threads for the machine's thoughts.
    #[arg(long, value_name = "N")]
    pub thinkers: Option<usize>,
    /// Write a copy of all that is kept to a new file, and end.
    #[arg(long, value_name = "FILE")]
    pub backup: Option<PathBuf>,
    /// Logs as lines of JSON.
    #[arg(long)]
    pub json_logs: bool,
}

impl Default for Serve {
    fn default() -> Self {
        Serve {
            listen: std::net::SocketAddr::from(([127, 0, 0, 1], 4000)),
            data: "houserules.db".into(),
            bus: None,
            think_elsewhere: false,
            public_url: None,
            behind_proxy: false,
            limits: None,
            tables: None,
            level: None,
            thinkers: None,
            backup: None,
            json_logs: false,
        }
    }
}
