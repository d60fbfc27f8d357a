//! The games built with Spira, counted, played at random and written down.

use houserules_kernel::{By, Decision, Position, Rulebook, SeatId, Viewer, Who, laws, perft};
use houserules_linear::{Game, LinearPosition};
use houserules_players::Solver;
use houserules_spira::{Interactive, Noninteractive, Spira, becomes, games};

fn counted(spira: &Spira, depth: usize) -> Vec<u64> {
    let game = spira.game().unwrap();
    perft(&mut *game.open().unwrap(), depth, By::Action).unwrap()
}

/// The counts of the same game written as a definition, under a heading of its file.
fn twin(text: &str, heading: &str, depth: usize) -> Vec<u64> {
    let section = if heading.is_empty() { text } else { text.split_once(heading).unwrap().1 };
    let numbers =
        section.lines().skip_while(|line| !line.starts_with("depth")).take_while(|line| line.starts_with("depth"));
    numbers.take(depth).map(|line| line.rsplit(' ').next().unwrap().parse().unwrap()).collect()
}

/// Plays the first choice with these words in it.
fn play(position: &mut LinearPosition, words: &str) {
    let who = position.decision().open_to()[0];
    let choices = position.choices(who);
    let said: Vec<String> = choices.iter().map(|choice| position.words(who, choice)).collect();
    let at = said.iter().position(|said| said.contains(words)).unwrap_or_else(|| panic!("{words}: {said:?}"));
    position.play(who, &choices[at]).unwrap();
}

/// [SP-45] [SP-33] [SP-34] [SP-35] Tic-tac-toe with a draw, its board and its lines.
#[test]
fn tic_tac_toe_counts_as_its_twin() {
    let counts = include_str!("../../../games/tic-tac-toe/counts.txt");
    assert_eq!(counted(&games::tic_tac_toe(), 9), twin(counts, "", 9));
}

/// [SP-47] The place above becomes free when one is filled.
#[test]
fn connect_four_counts_as_its_twin() {
    let counts = include_str!("../../../games/connect-four/counts.txt");
    assert_eq!(counted(&games::connect_four(7, 6, 4), 5), twin(counts, "", 5));
    assert_eq!(counted(&games::connect_four(4, 4, 3), 8), twin(counts, "settings width=4 height=4 goal=3", 8));
}

/// [SP-46] Who cannot move ends the match; discs are counted, most win.
#[test]
fn othello_counts_as_its_twin() {
    let counts = include_str!("../../../games/othello/counts.txt");
    assert_eq!(counted(&games::othello(8), 5), twin(counts, "", 5));
    let ends_early = "settings size=4\nvariant \"ends at the first pass\"";
    assert_eq!(counted(&games::othello(4), 6), twin(counts, ends_early, 6));
}

#[test]
fn nim_counts_as_its_twin() {
    let counts = include_str!("../../../games/nim/counts.txt");
    assert_eq!(counted(&games::nim(&[3, 4, 5], 5), 5), twin(counts, "", 5));
}

/// [SP-48] [SP-50] [SP-49] All games keep the laws of play, those with secrets and those with pieces among them.
#[test]
fn the_laws_of_play_hold() {
    let small = [games::tic_tac_toe(), games::nim(&[2, 3], 3), games::rock_paper_scissors(), games::skirmish()];
    for spira in small.iter().chain([&games::battleships(3), &games::connect_four(4, 4, 3), &games::othello(4)]) {
        laws::hold(&spira.game().unwrap(), 1, 3, 60).unwrap();
    }
}

/// [SP-48] On four by four there are 336 fleets; a shot hits or misses, a ship sinks, and without ships one has lost.
#[test]
fn battleships_are_hidden_hit_and_sunk() {
    let game = games::battleships(4).game().unwrap();
    let mut position = game.start().unwrap();
    // 24 places for the boat and 16 for the cutter.
    assert_eq!(position.choices(Who::Seat(SeatId(0))).len(), 40);
    for words in [
        "Col: 0 Row: 0 Ship: boat",
        "Col: 0 Row: 0 Ship: boat",
        "Col: 3 Row: 3 Ship: cutter",
        "Col: 3 Row: 3 Ship: cutter",
    ] {
        play(&mut position, words);
    }
    assert_eq!(position.stage(), "shoot");
    let secret = |position: &mut LinearPosition, viewer| format!("{:?}", position.view(viewer)).contains("deck");
    assert!(secret(&mut position, Viewer::Seat(SeatId(0))) && secret(&mut position, Viewer::All));
    assert!(!secret(&mut position, Viewer::Public));
    let decks = |position: &LinearPosition, owner: &str| -> Vec<String> {
        let own = |fact: &String| fact.starts_with(&format!("(deck {owner}"));
        position.facts().into_iter().filter(own).collect()
    };
    let places = decks(&position, "bob");
    assert_eq!(places.len(), 3);
    // How often `s` stands before each `z` is the column and the row.
    let mut shots = places.iter().map(|fact| {
        let numbers: Vec<usize> =
            fact.split_once("(coord ").unwrap().1.split('z').map(|part| part.matches('s').count()).collect();
        format!("Col/Row: {}/{}", numbers[0], numbers[1])
    });
    let (first, second, third) = (shots.next().unwrap(), shots.next().unwrap(), shots.next().unwrap());
    play(&mut position, &first);
    assert!(position.facts().iter().any(|fact| fact.starts_with("(hit bob")));
    play(&mut position, "Col/Row: 2/0");
    assert!(position.facts().iter().any(|fact| fact.starts_with("(miss alice")));
    play(&mut position, &second);
    play(&mut position, "Col/Row: 2/1");
    play(&mut position, &third);
    assert_eq!(position.decision(), Decision::Over(houserules_kernel::Outcome::win(SeatId(0), 2)));
    assert_eq!(position.facts().iter().filter(|fact| fact.starts_with("(sunk bob")).count(), 2);
}

/// [SP-51] What chess is made of: places that hold pieces, pieces that know whose and what they are, each kind with its own
/// steps, over others or not, taking those of the other side alone; and who takes the king wins.
#[test]
fn pieces_move_take_and_fall_as_in_chess() {
    let number = |n: usize| {
        (0..n).fold("z".to_owned(), |inner, _| if inner == "z" { "s z".into() } else { format!("s ({inner})") })
    };
    let bracketed = |n: usize| if n == 0 { "z".to_owned() } else { format!("({})", number(n)) };
    let on = |who: &str, what: &str, (column, row): (usize, usize)| {
        format!("(on {who} {what} (coord {} {}))", bracketed(column), bracketed(row))
    };
    // Plays the choice by which a piece comes to stand somewhere; false if there is none.
    let comes = |position: &mut LinearPosition, who: &str, what: &str, to: (usize, usize)| {
        let wanted = on(who, what, to);
        let seat = position.decision().open_to()[0];
        position.choices(seat).iter().any(|choice| {
            position.play(seat, choice).unwrap();
            let came = position.facts().contains(&wanted);
            if !came {
                position.undo();
            }
            came
        })
    };
    let game = games::skirmish().game().unwrap();
    let mut position = game.start().unwrap();
    // Two leaps for each knight, over whatever stands there, and four steps for the king, none onto its own knight.
    assert_eq!(position.choices(Who::Seat(SeatId(0))).len(), 2 + 2 + 4);
    assert!(comes(&mut position, "white", "n", (1, 2)) && comes(&mut position, "black", "n", (2, 2)));
    let taken = |position: &LinearPosition, what: &str| position.facts().contains(&format!("(taken {what})"));
    assert!(comes(&mut position, "white", "n", (3, 3)) && taken(&position, "black n"));
    assert!(comes(&mut position, "black", "king", (3, 3)) && taken(&position, "white n"));
    // Their king took one knight, and stands a leap away from no other.
    assert!(!comes(&mut position, "white", "n", (3, 3)) && comes(&mut position, "white", "n", (1, 1)));
    assert!(comes(&mut position, "black", "n", (0, 3)) && matches!(position.decision(), Decision::Seats { .. }));
    while position.undo() {}
    assert!(comes(&mut position, "white", "n", (1, 1)) && comes(&mut position, "black", "n", (1, 2)));
    assert!(comes(&mut position, "white", "n", (2, 3)) && taken(&position, "black king"));
    assert_eq!(position.decision(), Decision::Over(houserules_kernel::Outcome::win(SeatId(0), 2)));
}

/// [SP-50] Nobody sees what the other shows before both have.
#[test]
fn hands_are_hidden_until_both_lie_there() {
    let mut position = games::rock_paper_scissors().game().unwrap().start().unwrap();
    play(&mut position, "Shows: paper");
    assert!(!format!("{:?}", position.view(Viewer::Seat(SeatId(1)))).contains("paper"));
    play(&mut position, "Shows: rock");
    assert_eq!(position.decision(), Decision::Over(houserules_kernel::Outcome::win(SeatId(0), 2)));
    assert!(format!("{:?}", position.view(Viewer::Public)).contains("paper"));
}

/// [SP-39] [SP-41] Options are labelled, with numbers as numbers; what is hidden is not said.
/// [SP-53] State and choices are handed out as they are, to whatever draws them.
#[test]
fn options_have_labels_and_boards_have_cells() {
    let mut position = games::tic_tac_toe().game().unwrap().start().unwrap();
    let who = Who::Seat(SeatId(0));
    let choices = position.choices(who);
    assert_eq!(position.words(who, &choices[0]), "Turn: oskar Col/Row: 0/0");
    assert_eq!(choices.len(), 9);
    play(&mut position, "Col/Row: 2/1");
    let view = position.view(Viewer::Public);
    let cell = view.boards[0].cells.iter().find(|cell| cell.name == "2/1").unwrap();
    assert_eq!((cell.mark.sign.as_str(), cell.mark.seat), ("O", Some(SeatId(0))));
    assert_eq!(view.boards[0].cells.len(), 9);
    let othello = games::othello(8).game().unwrap();
    let mut start = othello.start().unwrap();
    let said: Vec<String> = start.choices(who).iter().map(|choice| start.words(who, choice)).collect();
    assert_eq!(said.len(), 4);
    for place in ["4/5", "5/4", "3/2", "2/3"] {
        assert!(said.contains(&format!("Turn: black Col/Row: {place}")), "{said:?}");
    }
}

/// [SP-31] A game is written down as a program, which gives the same game. [SP-59] It can begin anywhere.
#[test]
fn a_text_is_the_game() {
    let text = games::tic_tac_toe().text().unwrap();
    for line in [
        "stage next_player = {",
        "%% play/1 Turn Col/Row",
        "#interactive play.",
        "play_failed_to_draw",
        "#trace _ play",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
    let begun = text.replace("tile free (coord z z)", "tile oskar (coord z z)");
    let (program, _) = houserules_linear::check(&begun, houserules_model::FileId(0));
    let mut position = Game::new(program.unwrap(), "begun", &begun).unwrap().start().unwrap();
    assert_eq!(position.choices(Who::Seat(SeatId(0))).len(), 8);
}

/// [SP-1] Little code: without blank lines, tic-tac-toe takes fewer than 50 lines and Othello about 70.
#[test]
fn games_are_short() {
    let source = include_str!("../src/games.rs");
    let lines = |name: &str| {
        let body = source.split_once(&format!("pub fn {name}(")).unwrap().1.split_once("\n}\n").unwrap().0;
        body.lines().filter(|line| !line.trim().is_empty()).count()
    };
    assert!(lines("tic_tac_toe") <= 20, "{}", lines("tic_tac_toe"));
    assert!(lines("othello") <= 75, "{}", lines("othello"));
}

/// [SP-22] [SP-29] What is applied to the wrong arguments is told.
#[test]
fn mistakes_are_told_all_at_once() {
    let mut g = Spira::new("wrong");
    let board = g.simple_board(2, 2);
    let (p, n) = (g.binding(g.player()), g.binding(g.nat()));
    board.tile.of([&p, &n]);
    board.tile.of([&p]);
    g.constant("Capital", g.player());
    g.constant("free", g.player());
    let told = g.text().unwrap_err();
    for part in [
        "Argument 2 of `tile`",
        "`tile` takes 2 arguments, and 1 are given",
        "“Capital” is no name",
        "`free` is declared twice",
    ] {
        assert!(told.contains(part), "{told}");
    }
}

/// [SP-2] Three players follow each other. [SP-3] A cross is cut out of a grid. [SP-30] What lies there at first.
#[test]
fn three_players_take_turns_on_a_cross() {
    let mut g = Spira::new("Cross");
    let players = g.players(&["red", "green", "blue"]);
    let board = games::cross(&mut g, 1);
    let (p, at) = (g.binding(g.player()), g.binding(board.coord_type));
    let put = becomes([board.tile.of([&board.free, &at])], [board.tile.of([&p, &at])]);
    let put_stage = g.stage("play", Interactive, &p, vec![put]);
    g.then(&put_stage, &players.next);
    g.then(&players.next, &put_stage);
    let taken = g.place(&board, 1, 1);
    g.put(board.tile.of([&players.all[2], &taken]));
    g.start(&put_stage, &players.all[0]);
    let game = g.game().unwrap();
    assert_eq!(game.seats(), ["red", "green", "blue"]);
    let mut position = game.start().unwrap();
    assert_eq!(position.view(Viewer::All).boards[0].cells.len(), 21);
    assert_eq!(position.choices(Who::Seat(SeatId(0))).len(), 20);
    for seat in [0, 1, 2, 0] {
        assert_eq!(position.decision().open_to(), [Who::Seat(SeatId(seat))]);
        play(&mut position, "Turn");
    }
}

/// [SP-4] [SP-16] A die is a stage with a rule for each side. [SP-28] Two moves a turn are two stages.
#[test]
fn a_die_is_thrown_and_a_turn_has_two_moves() {
    let mut g = Spira::new("Race");
    let players = g.players(&["ann", "bob"]);
    let (ring, after) = g.ring(6);
    let die = g.predicate("die", &[g.nat()]);
    let (p, x, y) = (g.binding(g.player()), g.binding(g.nat()), g.binding(g.nat()));
    let throws = (1..=6).map(|side| becomes([], [die.of([&g.number(side)])])).collect();
    let throw = g.stage("throw", Noninteractive, &p, throws);
    let put = becomes([ring.tile.of([&ring.free, &x]), after.of([&x, &y])], [ring.tile.of([&p, &x])]);
    let first = g.stage("first", Interactive, &p, vec![put.clone()]);
    let second = g.stage("second", Interactive, &p, vec![put]);
    g.then(&throw, &first);
    g.then(&first, &second);
    g.then(&second, &players.next);
    g.then(&players.next, &first);
    g.start(&throw, &players.all[0]);
    let mut position = g.game().unwrap().start().unwrap();
    assert_eq!(position.decision(), Decision::Nature);
    assert_eq!(position.choices(Who::Nature).len(), 6);
    play(&mut position, "throw/3");
    assert!(position.facts().contains(&"(die (s (s (s z))))".to_owned()));
    for seat in [0, 0, 1, 1] {
        assert_eq!(position.decision().open_to(), [Who::Seat(SeatId(seat))]);
        play(&mut position, "Turn");
    }
    assert!(matches!(position.view(Viewer::All).boards[0].shape, houserules_kernel::Shape::Ring { n: 6 }));
}

/// [SP-52] Hexagons and boards of any form take one line.
#[test]
fn other_boards_are_as_easy() {
    let mut g = Spira::new("Three in a line of hexagons");
    let players = g.players(&["ann", "bob"]);
    let board = g.hex_board(3, 3);
    let (p, at) = (g.binding(g.player()), g.binding(board.coord_type));
    let put = becomes([board.tile.of([&board.free, &at])], [board.tile.of([&p, &at])]);
    let play_stage = g.stage("play", Interactive, &p, vec![put]);
    let lines = g.in_a_line(&board, 3, &p);
    assert_eq!(lines.len(), 3);
    let win = g.stage("win", Noninteractive, &p, lines);
    g.then(&play_stage, &win);
    g.otherwise(&win, &players.next);
    g.then(&players.next, &play_stage);
    g.start(&play_stage, &players.all[0]);
    let mut position = g.game().unwrap().start().unwrap();
    // Up and left is a line; up and right is none.
    for place in ["2/0", "0/0", "1/1", "1/0", "0/2"] {
        play(&mut position, &format!("Col/Row: {place}"));
    }
    assert_eq!(position.decision(), Decision::Over(houserules_kernel::Outcome::win(SeatId(0), 2)));
    let mut g = Spira::new("Star");
    let players = g.players(&["ann", "bob"]);
    let (places, tile, joined, free) =
        g.graph(&["hub", "east", "west", "north"], &[("hub", "east"), ("hub", "west"), ("hub", "north")]);
    let p = g.binding(g.player());
    let (one, other) = (places[0].clone(), places[1].clone());
    g.put(tile.of([&players.all[0], &one]));
    let there = g.stage("idle", Noninteractive, &p, vec![]);
    let step = becomes(
        [tile.of([&p, &one]), joined.of([&one, &other]), tile.of([&free, &other])],
        [tile.of([&p, &other]), tile.of([&free, &one])],
    );
    let go = g.stage("go", Interactive, &p, vec![step]);
    g.then(&go, &there);
    g.start(&go, &players.all[0]);
    let mut position = g.game().unwrap().start().unwrap();
    let board = position.view(Viewer::All).boards.remove(0);
    assert_eq!(board.cells.iter().map(|cell| cell.linked.len()).collect::<Vec<_>>(), [3, 1, 1, 1]);
    play(&mut position, "Turn");
    assert!(position.facts().contains(&"(tile ann east)".to_owned()));
}

/// [SP-57] Rule order and negation are sugar that becomes plain Ceptre.
#[test]
fn rules_have_an_order_and_absence_can_be_asked_for() {
    let mut g = Spira::new("Order");
    let players = g.players(&["ann", "bob"]);
    let (gold, tin, got) = (g.predicate("gold", &[]), g.predicate("tin", &[]), g.predicate("got", &[g.nat()]));
    let p = g.binding(g.player());
    let (one, two) = (g.number(1), g.number(2));
    let draw = g.draw_stage();
    let win = g.win_stage("rich");
    let lists = vec![vec![becomes([gold.of([])], [got.of([&two])])], vec![becomes([tin.of([])], [got.of([&one])])]];
    let stages = g.in_order("take", Noninteractive, &p, lists);
    let asks = g.whether("any_gold", &p, vec![gold.of([])], &win, &draw);
    stages.iter().for_each(|stage| g.then(stage, &asks));
    g.at_first([gold.of([]), tin.of([])]);
    g.start(&stages[0], &players.all[0]);
    let position = g.game().unwrap().start().unwrap();
    // Gold before tin; then there is none, and nobody is rich.
    assert!(position.facts().contains(&"(got (s (s z)))".to_owned()) && position.facts().contains(&"draw".to_owned()));
}

/// The texts in the library are those that Spira writes; `HOUSERULES_WRITE=1` writes them anew.
#[test]
fn the_library_has_what_spira_writes() {
    for (name, spira) in games::all() {
        let path = format!("{}/../../games/{name}/game.cep", env!("CARGO_MANIFEST_DIR"));
        let text = spira.text().unwrap();
        if std::env::var_os("HOUSERULES_WRITE").is_some() {
            std::fs::create_dir_all(std::path::Path::new(&path).parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "games/{name}/game.cep is not what Spira writes; HOUSERULES_WRITE=1 writes it anew.");
    }
}

/// [SP-23] [SP-24] A stage is entered with a token of a player and left with another. [SP-25] [SP-26] What follows success
/// and failure. [SP-32] The turn passes on to the opponent.
#[test]
fn tokens_lead_from_stage_to_stage() {
    let start = games::tic_tac_toe().game().unwrap().start().unwrap();
    let has = |position: &LinearPosition, fact: &str| position.facts().iter().any(|known| known == fact);
    let played = |places: &[&str]| {
        let mut position = games::tic_tac_toe().game().unwrap().start().unwrap();
        places.iter().for_each(|place| play(&mut position, &format!("Col/Row: {place}")));
        position
    };
    assert!(has(&start, "(pretoken_play oskar)"));
    assert!(has(&played(&["1/1"]), "(pretoken_play xena)"));
    let won = played(&["0/0", "0/1", "1/0", "1/1", "2/0"]);
    assert!(has(&won, "(postoken_win oskar)") && won.stage() == "win");
    let full = played(&["1/1", "0/0", "2/2", "2/0", "1/0", "1/2", "0/1", "2/1", "0/2"]);
    assert!(has(&full, "draw") && full.stage() == "draw");
}

/// [SP-37] What is marked as kept stays: the disc at the far end. [SP-38] A stage may work on anybody's facts: all discs
/// are counted, whoever could not move.
#[test]
fn discs_are_kept_turned_and_counted() {
    let mut position = games::othello(4).game().unwrap().start().unwrap();
    let discs =
        |position: &LinearPosition, of: &str| position.facts().iter().filter(|fact| fact.starts_with(of)).count();
    play(&mut position, "Turn: black");
    assert_eq!((discs(&position, "(tile black"), discs(&position, "(tile white")), (4, 1));
    let mut generator = houserules_kernel::Generator::new(5);
    position.playout(&mut generator, u64::MAX).unwrap();
    assert!(position.is_over());
    let points = |who: &str| {
        let fact = position.facts().into_iter().find(|fact| fact.starts_with(&format!("(points {who}"))).unwrap();
        fact.matches("(s ").count()
    };
    assert_eq!(points("black"), discs(&position, "(counted black"));
    assert_eq!(points("white"), discs(&position, "(counted white"));
    let Decision::Over(outcome) = position.decision() else { panic!("a playout ends") };
    assert_eq!(outcome.ranks[0] < outcome.ranks[1], points("black") > points("white"));
}

/// [SP-36] Less than, not equal and sums.
#[test]
fn numbers_are_compared_and_added() {
    let mut g = Spira::new("Numbers");
    let players = g.players(&["ann", "bob"]);
    let (less, unequal, sum) = (g.less(), g.unequal(), g.sum());
    let (has, made) = (g.predicate("has", &[g.nat()]), g.predicate("made", &[g.nat(), g.nat()]));
    g.output_names(&has, &["Number"]);
    let (p, x, y, z) = (g.binding(g.player()), g.binding(g.nat()), g.binding(g.nat()), g.binding(g.nat()));
    let pair = || [has.of([&x]), has.of([&y])];
    let lower = becomes(pair().into_iter().chain([less.of([&x, &y]), sum.of([&x, &y, &z])]), [made.of([&x, &z])]);
    let other = becomes(pair().into_iter().chain([unequal.of([&x, &y])]), [made.of([&y, &y])]);
    let add = g.stage("add", Interactive, &p, vec![lower, other]);
    g.at_first([g.number(2), g.number(3), g.number(2)].map(|number| has.of([&number])));
    g.start(&add, &players.all[0]);
    let mut position = g.game().unwrap().start().unwrap();
    // One way to the lower with the higher, and two ways to be unequal.
    assert_eq!(position.choices(Who::Seat(SeatId(0))).len(), 3);
    let choice = position.choices(Who::Seat(SeatId(0))).pop().unwrap();
    position.play(Who::Seat(SeatId(0)), &choice).unwrap();
    assert!(position.facts().contains(&"(made (s (s z)) (s (s (s (s (s z))))))".to_owned()), "{:?}", position.facts());
}

/// [SP-57] Lists, with what holds of all of them or of one; a predicate is handed over to whoever asks about it.
#[test]
fn lists_are_asked_for_all_and_for_one() {
    let mut g = Spira::new("Rafts");
    let players = g.players(&["ann", "bob"]);
    let place = g.new_type("place");
    let [north, east, south] = ["north", "east", "south"].map(|name| g.constant(name, place));
    let places = g.list("places", place);
    let (free, hit) = (g.predicate("free", &[place]), g.predicate("hit", &[place]));
    let (raft, sunk) = (g.predicate("raft", &[places.of]), g.predicate("sunk", &[places.of]));
    let warned = g.predicate("warned", &[]);
    g.output_names(&free, &["At"]);
    let all_hit = g.for_all("all_hit", &places, &hit);
    let windy = g.known("windy", &[place]);
    g.holds(windy.of([&east]), &[]);
    let somewhere_windy = g.exists("somewhere_windy", &places, &windy);
    let (p, at, on) = (g.binding(g.player()), g.binding(place), g.binding(places.of));
    let shoot = g.stage("shoot", Interactive, &p, vec![becomes([free.of([&at])], [hit.of([&at])])]);
    let sink = becomes([raft.of([&on]), all_hit.of([&on])], [sunk.of([&on])]);
    let sink = g.stage("sink", Noninteractive, &p, vec![sink]);
    let warn = becomes([sunk.of([&on]).keep(), somewhere_windy.of([&on])], [warned.of([])]);
    let warn = g.stage("warn", Noninteractive, &p, vec![warn]);
    g.then(&shoot, &sink);
    g.then(&sink, &warn);
    g.otherwise(&sink, &players.next);
    g.then(&players.next, &shoot);
    g.at_first([&north, &east, &south].map(|place| free.of([place])));
    g.at_first([raft.of([&places.of_all([&north, &east])])]);
    g.start(&shoot, &players.all[0]);
    let mut position = g.game().unwrap().start().unwrap();
    let sunk = |position: &LinearPosition| position.facts().iter().any(|fact| fact.starts_with("(sunk"));
    play(&mut position, "At: north");
    play(&mut position, "At: south");
    assert!(!sunk(&position));
    play(&mut position, "At: east");
    // The hits on the raft are used up, the other one is left.
    assert!(sunk(&position) && position.facts().contains(&"(hit south)".to_owned()));
    assert!(!position.facts().contains(&"(hit east)".to_owned()) && position.facts().contains(&"warned".to_owned()));
}

/// [SP-4] Cards lie in a deck, are dealt by lot, and only their owner sees them.
#[test]
fn cards_are_dealt_and_hidden() {
    let mut g = Spira::new("Deal");
    let players = g.players(&["ann", "bob"]);
    let card = g.new_type("card");
    let cards = ["ace", "king", "queen"].map(|name| g.constant(name, card));
    let (deck, hand) = (g.predicate("deck", &[card]), g.predicate("hand", &[g.player(), card]));
    g.secret(&hand);
    g.secret(&deck);
    let (p, c) = (g.binding(g.player()), g.binding(card));
    let draw = becomes([deck.of([&c])], [hand.of([&p, &c])]);
    let deal = g.stage("deal", Noninteractive, &p, vec![draw.clone()]);
    let take = g.stage("take", Interactive, &p, vec![draw]);
    g.then(&deal, &take);
    g.at_first(cards.iter().map(|card| deck.of([card])));
    g.start(&deal, &players.all[0]);
    let mut position = g.game().unwrap().start().unwrap();
    assert_eq!((position.decision(), position.choices(Who::Nature).len()), (Decision::Nature, 3));
    play(&mut position, "queen");
    assert!(position.facts().contains(&"(hand ann queen)".to_owned()));
    assert_eq!(position.choices(Who::Seat(SeatId(0))).len(), 2);
    let seen = |position: &mut LinearPosition, viewer| format!("{:?}", position.view(viewer));
    assert!(seen(&mut position, Viewer::Seat(SeatId(0))).contains("queen"));
    assert!(!seen(&mut position, Viewer::Seat(SeatId(1))).contains("queen"));
}

/// What random play does in one go could be chosen, all that can be chosen is met, and where it stops is what choosing
/// leads to, facts and all.
#[test]
fn random_play_in_one_go_takes_each_choice_that_is_there() {
    for (spira, n_plies) in [
        (games::tic_tac_toe(), 7),
        (games::connect_four(4, 4, 3), 9),
        (games::othello(4), 12),
        (games::nim(&[2, 3], 3), 4),
        (games::skirmish(), 6),
        (games::battleships(3), 9),
        (games::rock_paper_scissors(), 2),
    ] {
        let game = spira.game().unwrap();
        let mut position = game.start().unwrap();
        let mut generator = houserules_kernel::Generator::new(7);
        for _ in 0..n_plies {
            let Some(&who) = position.decision().open_to().first() else { break };
            let mut reached = std::collections::BTreeMap::new();
            for choice in position.choices(who) {
                let mut after = position.duplicate();
                after.play(who, &choice).unwrap();
                reached.entry(after.fingerprint().0).or_insert((after.decision(), 0));
            }
            let mut other = position.duplicate();
            for _ in 0..40 * reached.len() {
                assert!(other.copy_from(&position));
                assert_eq!(other.playout(&mut generator, 1).unwrap(), 1);
                let (decision, n) =
                    reached.get_mut(&other.fingerprint().0).expect("random play takes a choice that is there");
                *n += 1;
                assert_eq!(other.decision(), *decision);
                let seat = other.duplicate().decision().open_to().first().copied();
                assert_eq!(other.choices(seat.unwrap_or(who)).is_empty(), seat.is_none());
            }
            // Each is as likely as the others: twelve of forty would be five deviations off.
            assert!(reached.values().all(|(_, n)| (12..=80).contains(n)), "{}: {reached:?}", game.name());
            position.forget();
            position.playout(&mut generator, 1).unwrap();
        }
        let mut whole = game.start().unwrap();
        whole.playout(&mut generator, u64::MAX).unwrap();
        assert!(whole.is_over() && !whole.facts().is_empty() && whole.duplicate().fingerprint() == whole.fingerprint());
    }
}

/// [SP-54] What play goes through is what the diagram has arrows for. [SP-55] All of it is reached, and nothing is warned of.
#[test]
fn the_diagram_has_all_that_play_goes_through() {
    use houserules_linear::run::{Next, Running};
    for spira in [games::tic_tac_toe(), games::othello(4), games::nim(&[2, 3], 3), games::connect_four(4, 4, 3)] {
        let (program, _) = houserules_linear::check(&spira.text().unwrap(), houserules_model::FileId(0));
        let program = std::sync::Arc::new(program.unwrap());
        let unreached =
            |told: &houserules_model::Diagnostic| told.title.contains("never") || told.title.contains("dead end");
        assert!(!houserules_linear::sanity(&program).iter().any(unreached));
        let mut gone: std::collections::BTreeSet<(String, String)> = Default::default();
        let mut generator = houserules_kernel::Generator::new(2);
        for _ in 0..200 {
            let mut running = Running::start(program.clone(), 0, Default::default()).unwrap();
            loop {
                let next = running.whats_next().unwrap();
                let Some(instance) = running.drawn(next, &mut generator).unwrap() else { break };
                let from = program.stages[running.stage].name.clone();
                running.fire(&instance).unwrap();
                if next == Next::Link {
                    gone.insert((from, program.stages[running.stage].name.clone()));
                }
            }
        }
        let text = houserules_linear::Diagram::of_program(&program).text();
        let mut from = String::new();
        let mut drawn: std::collections::BTreeSet<(String, String)> = Default::default();
        for line in text.lines() {
            match line.strip_prefix("  → ") {
                Some(to) => {
                    drawn.insert((from.clone(), to.split("  ").next().unwrap().to_owned()));
                }
                None if !line.starts_with(' ') => from = line.split("  ").next().unwrap().to_owned(),
                None => {}
            }
        }
        assert_eq!(gone, drawn);
    }
}

/// [SP-56] Who wins when nobody errs is found out.
#[test]
fn small_games_are_solved() {
    let value = |spira: Spira| {
        let mut position = spira.game().unwrap().open().unwrap();
        Solver::new().with_memory(1 << 24).solve(&mut *position, 2).unwrap().value.clone()
    };
    assert!(value(games::tic_tac_toe()).iter().all(|&value| value == 0));
    let nim = |heaps: &[usize]| value(games::nim(heaps, 5))[0] > 0;
    assert!(nim(&[3, 4, 5]) && nim(&[1, 2, 4]) && !nim(&[1, 2, 3]) && !nim(&[1, 4, 5]));
}
