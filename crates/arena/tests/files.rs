//! What match files say, and what is told about mistakes in them.

use houserules_arena::{Arena, Chair, Fault, MatchFile, Referee, Watcher};
use houserules_kernel::{Position, Who};
use houserules_players::{Player, Registry};

fn build(text: &str) -> Result<Arena, Fault> {
    let registry = Registry::standard();
    Arena::build(MatchFile::parse("duel.toml", text, &registry)?, registry)
}

/// The configuration of the framework that pits the random player against alpha-beta.
const LISTING: &str = "<game>
  <gameFactory>
    <boardClass>edu.lhup.ai.tictactoe.
      Board</boardClass>
    <player>
      <playerClass>edu.lhup.ai.RandomPlayer</playerClass>
    </player>
    <player>
      <playerClass>edu.lhup.ai.MinMaxAlphaBetaPlayer</playerClass>
      <cutoff>1000</cutoff>
      <evaluator>
        <evaluatorClass>edu.lhup.ai.Evaluator</evaluatorClass>
      </evaluator>
    </player>
  </gameFactory>
</game>";

fn play(arena: &Arena) -> houserules_arena::Played {
    let players = (0..arena.file.players.len()).map(|idx| arena.player(idx, 1 + idx as u64).unwrap());
    let mut players: Vec<Box<dyn Player>> = players.collect();
    let referee = Referee { rulebook: &*arena.rulebook, seed: arena.file.seed, longest: arena.file.longest };
    referee.play(&mut players, &mut ()).unwrap()
}

/// [CF-2] [CF-22] [CF-28] [CF-29] The XML of the framework puts a match together, cutoff and evaluator included.
#[test]
fn the_xml_of_the_framework_is_read() {
    let arena = build(LISTING).unwrap();
    assert_eq!(arena.rulebook.name(), "Tic-tac-toe");
    assert_eq!(arena.names(), ["random", "alpha-beta:1000 (evaluator=end)"]);
    let played = play(&arena);
    // Alpha-beta that looks to the end does not lose.
    let outcome = played.outcome.unwrap();
    assert!(outcome.ranks[1] <= outcome.ranks[0], "{outcome:?}");
    // Beside its board stands the game's own evaluator, and a person can sit anywhere.
    let own = LISTING.replace("edu.lhup.ai.Evaluator", "edu.lhup.ai.tictactoe.Evaluator");
    assert_eq!(build(&own).unwrap().names()[1], "alpha-beta:1000 (evaluator=closeness)");
    let human = LISTING.replace("RandomPlayer", "HumanPlayer");
    assert_eq!(build(&human).unwrap().file.players[0].who.is, Chair::Human);
}

/// [CF-10] [CF-15] The referee knows neither game nor players, and each match begins anew.
#[test]
fn a_match_is_put_together_by_a_file() {
    let arena = build(
        "game = 'awele'\nvariants = ['grand slam: all']\noff = ['let the opponent play']\nlongest = 400\n\
         [settings]\nholes = 3\n[[player]]\nname = 'Ann'\nplays = 'greedy'\nevaluator = 'seeds'\n\
         [[player]]\nplays = 'mcts'\nnodes = 20\n",
    )
    .unwrap();
    assert_eq!(arena.names(), ["Ann", "mcts:20"]);
    assert_eq!((play(&arena), arena.file.longest), (play(&arena), 400));
}

#[test]
fn as_many_seats_as_players_where_the_game_leaves_that_open() {
    let three = "[[player]]\nplays = 'random'\n".repeat(3);
    let arena = build(&format!("game = 'dice-race'\n{three}")).unwrap();
    assert_eq!(arena.rulebook.seats().len(), 3);
    assert_eq!(arena.names(), ["random #1", "random #2", "random #3"]);
    assert!(play(&arena).outcome.is_some_and(|outcome| outcome.ranks.len() == 3));
}

/// [CF-12] The game says whose turn it is: at Kalah some move twice, at Connect Four nobody does.
#[test]
fn the_game_decides_who_is_asked_next() {
    struct Order(Vec<Who>);
    impl Watcher for Order {
        fn asked(&mut self, _: &mut dyn Position, who: Who) {
            self.0.push(who);
        }
    }
    let twice = |game: &str| {
        let arena = build(&format!("game = '{game}'\n{}", "[[player]]\nplays = 'random'\n".repeat(2))).unwrap();
        let mut players: Vec<Box<dyn Player>> = (0..2).map(|idx| arena.player(idx, 1 + idx as u64).unwrap()).collect();
        let mut order = Order(Vec::new());
        let referee = Referee { rulebook: &*arena.rulebook, seed: 1, longest: 200 };
        let played = referee.play(&mut players, &mut order).unwrap();
        assert_eq!(order.0.len() as u64, played.choices, "{game}");
        order.0.windows(2).filter(|pair| pair[0] == pair[1]).count()
    };
    assert!(twice("kalah") > 0);
    assert_eq!(twice("connect-four"), 0);
}

/// A short form says one number; the other settings stand beside it.
#[test]
fn short_forms_take_further_settings() {
    let arena = build(
        "game = 'nim'\n[[player]]\nplays = 'level3'\nthreads = 2\n[[player]]\nplays = 'alpha-beta:4'\nevaluator = 'end'\n",
    );
    assert_eq!(arena.unwrap().names(), ["level3 (threads=2)", "alpha-beta:4 (evaluator=end)"]);
    let xml = LISTING.replace("edu.lhup.ai.RandomPlayer", "level3");
    assert_eq!(build(&xml).unwrap().names()[0], "level3");
}

#[test]
fn mistakes_in_the_xml_are_told_in_its_words() {
    let own = "edu.lhup.ai.nim.Board</boardClass>";
    for (text, told) in [
        (LISTING.replace("<cutoff>1000", "<cutoff>9</cutoff>\n<cutoff>1000"), "duel.toml:11: `<cutoff>` stands twice"),
        (LISTING.replace("MinMaxAlphaBeta", "Random"), "duel.toml:10: `random` takes no `<cutoff>`."),
        (LISTING.replace("MinMaxAlphaBeta", "Human"), "duel.toml:10: A person takes no `<cutoff>`."),
        (LISTING.replace("<cutoff>1000", "deep\n<cutoff>1000"), "duel.toml:10: “deep” stands in `<player>`"),
        (
            LISTING
                .replace("edu.lhup.ai.tictactoe.\n      Board</boardClass>", own)
                .replace("edu.lhup.ai.Evaluator", "edu.lhup.ai.nim.Evaluator"),
            "duel.toml:11: Nim supplies no evaluator of its own. Known: `end`, `score`",
        ),
    ] {
        let fault = build(&text).err().unwrap_or_else(|| panic!("{text}")).to_string();
        assert!(fault.starts_with(told), "{fault}");
    }
}

/// A match that does not end is cut, and said to be.
#[test]
fn what_does_not_end_is_cut() {
    let two = "[[player]]\nplays = 'random'\n".repeat(2);
    let played = play(&build(&format!("game = 'awele'\nlongest = 5\n{two}")).unwrap());
    assert_eq!((played.outcome, played.choices), (None, 5));
}

/// Some editors put a mark for the order of bytes at the beginning of a file.
#[test]
fn a_mark_at_the_beginning_changes_nothing() {
    for text in [LISTING, "game = 'nim'\n[[player]]\nplays = 'random'\n[[player]]\nplays = 'random'\n"] {
        let marked = build(&format!("\u{feff}{text}")).unwrap();
        assert_eq!(marked.file, build(text).unwrap().file);
    }
}

#[test]
fn mistakes_name_the_file_the_line_and_what_is_known() {
    let two = "[[player]]\nplays = 'random'\n".repeat(2);
    for (text, told) in [
        (
            "game = 'tic-tac-to'",
            "duel.toml:1: There is no game “tic-tac-to” in the library. Did you mean `tic-tac-toe`?",
        ),
        ("game = 'nim'\ngam = 3", "duel.toml:2: Unknown key `gam`, expected one of `game`, `variants`"),
        ("game = 3", "duel.toml:1: Invalid type: integer `3`, expected a string."),
        ("game = 'nim", "duel.toml:1: "),
        // Without quotes these begin like `true`, `nan` and `inf`.
        ("game = tic-tac-toe", "duel.toml:1: Text stands in quotes"),
        ("game = nim", "duel.toml:1: Text stands in quotes"),
        ("\ngame = go", "duel.toml:2: Text stands in quotes"),
        ("variants = []", "Missing key `game`"),
        ("game = 'nim'\nmatches = 0", "duel.toml:2: `matches` is a number above 0."),
        ("game = 'nim'\noff = [\n 'No']", "duel.toml:3: There is no rule `No`. Known: "),
        ("game = 'sticks'\nvariants = ['miser']", "duel.toml:2: There is no variant `miser`. Did you mean `misere`?"),
        ("game = 'nim'\n[settings]\nheap9 = 3", "duel.toml:3: There is no setting `heap9`."),
        (
            "game = 'nim'\n[[player]]\nplays = 'rando'",
            "duel.toml:3: There is no player `rando`. Did you mean `random`?",
        ),
        (
            "game = 'nim'\n[[player]]\nplays = 'mcts'\ndepth = 3",
            "duel.toml:4: `mcts` takes no `depth`. It takes: `nodes`",
        ),
        (
            "game = 'nim'\n[[player]]\nplays = 'level'\nlevel = 11",
            "duel.toml:4: There is no level 11; levels go from 1 to 10",
        ),
        ("game = 'nim'\n[[player]]\nplays = 'level12'", "duel.toml:3: There is no level “12”; levels go from 1 to 10"),
        ("game = 'nim'\n[[player]]\nplays = 'mcts:0'", "duel.toml:3: “0” is no number above 0"),
        (
            "game = 'nim'\n[[player]]\nplays = 'mcts:9'\nnodes = 3",
            "duel.toml:3: `mcts:9` says the `nodes` already, and it is given again.",
        ),
        ("game = 'nim'\n[[player]]\nplays = 'human'\ndepth = 1", "duel.toml:3: A person takes no `depth`."),
        ("game = 'nim'\n[[player]]\nplays = 'random'", "duel.toml:3: One player for 2 seats"),
        (
            "game = 'nim'\n[tournament]\nkind = 'cup'",
            "duel.toml:3: There is no kind of tournament `cup`. Known: `round robin`",
        ),
        ("game = 'nim'\n[tournament]\n", "duel.toml:1: A tournament needs two players or more"),
        (
            "game = 'nim'\n[[player]]\nplays = 'greedy'\nevaluator = 'scroe'\n[[player]]\nplays='random'",
            "duel.toml:4: There is no evaluator `scroe`. Did you mean `score`? Known: `end`, `score`",
        ),
        ("game = 'nim'\nmatches = -1", "duel.toml:2: Invalid value: integer `-1`, expected a whole number from 0 on."),
        ("game = 'nim'\nplayer = 'random'", "duel.toml:2: Invalid type: string \"random\", expected a list."),
        ("game = 'connect-four'\n[settings]\nheight = 6\nwidth = 99", "duel.toml:4: error: The setting `width`"),
        ("game = 'nim'\nseed = 1\nposition = 'a1'", "duel.toml:3: error: This game takes no position"),
        ("game = 'nim'\nseats = 5", "duel.toml:2: error: That many cannot play"),
        (&format!("game = 'nim'\n{two}[[player]]\nplays = 'random'"), "duel.toml:7: 3 players for 2 seats"),
        ("<game>\n<board/></game>", "duel.toml:2: `<board>` does not belong in `<game>`. Known: `gameFactory`."),
        ("<game>\n<gameFactory></game>", "duel.toml:2: This is no XML"),
        (
            "<game><gameFactory>\n<boardClass>a.tictactoe.Board</boardClass>\n<player/></gameFactory></game>",
            "duel.toml:3: In `<player>` stands a `<playerClass>`.",
        ),
        (
            "<game><gameFactory><boardClass>nim</boardClass>\n<player><playerClass>x.OddPlayer</playerClass></player></gameFactory></game>",
            "duel.toml:2: There is no player `OddPlayer`. Known: `random`",
        ),
        (
            "<game><gameFactory><boardClass>nim</boardClass>\n<player><playerClass>x.RandmPlayer</playerClass></player></gameFactory></game>",
            "duel.toml:2: There is no player `RandmPlayer`. Did you mean `RandomPlayer`?",
        ),
    ] {
        let fault = build(text).map(|_| ()).unwrap_err().to_string();
        assert!(fault.contains(told), "{text}\n  {fault}\n  {told}");
    }
    assert!(build(&format!("game = 'nim'\n{two}")).is_ok());
}

/// [CF-4] [CF-11] Each turn makes exactly one choice, in the order that the game decides, until it is over.
#[test]
fn each_turn_makes_exactly_one_choice() {
    struct Turns(Vec<(houserules_kernel::Who, u64)>);
    impl houserules_arena::Watcher for Turns {
        fn played(&mut self, position: &mut dyn houserules_kernel::Position, step: &houserules_arena::Step) {
            // What was played last can be taken back, and nothing but that.
            let after = position.fingerprint();
            assert!(position.undo());
            position.play(step.who, step.choice).unwrap();
            assert_eq!(position.fingerprint(), after);
            self.0.push((step.who, position.turn()));
        }
    }
    let arena = build(LISTING).unwrap();
    let mut players: Vec<Box<dyn Player>> = (0..2).map(|idx| arena.player(idx, 5).unwrap()).collect();
    let mut turns = Turns(Vec::new());
    let referee = Referee { rulebook: &*arena.rulebook, seed: 1, longest: 100 };
    let played = referee.play(&mut players, &mut turns).unwrap();
    assert_eq!(turns.0.len() as u64, played.choices);
    assert!(turns.0.windows(2).all(|pair| pair[0].0 != pair[1].0 && pair[0].1 < pair[1].1), "{:?}", turns.0);
}

/// [CF-16] [CF-25] A move of tic-tac-toe puts the piece of its player, X or O, on a place that was empty.
#[test]
fn a_move_puts_a_piece_on_a_place() {
    use houserules_kernel::{CellView, SeatId, Viewer, Who};
    let arena = build(LISTING).unwrap();
    let mut position = arena.rulebook.open().unwrap();
    let cells = |position: &mut dyn houserules_kernel::Position| position.view(Viewer::Public).boards[0].cells.clone();
    let empty = |cell: &CellView| cell.mark.seat.is_none();
    for (seat, place, piece) in [(0, "b2", "X"), (1, "a3", "O"), (0, "c1", "X")] {
        let who = Who::Seat(SeatId(seat));
        let before = cells(&mut *position);
        let choices = position.choices(who);
        let choice = choices.iter().find(|choice| position.words(who, choice).ends_with(place)).unwrap();
        position.play(who, choice).unwrap();
        let after = cells(&mut *position);
        let changed: Vec<(&CellView, &CellView)> =
            before.iter().zip(&after).filter(|(before, after)| before != after).collect();
        let [(was, is)] = changed.as_slice() else { panic!("{changed:?}") };
        assert!(empty(was) && is.name == place, "{was:?} {is:?}");
        assert_eq!((is.mark.sign.as_str(), is.mark.seat), (piece, Some(SeatId(seat))));
    }
    assert_eq!(cells(&mut *position).iter().filter(|cell| empty(cell)).count(), 6);
}
