//! The real program, run as a person runs it: arguments, typed lines, what is printed, the exit status.

mod common;

use common::{Ran, run};

/// The game of most of these tests.
const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/definitions/tic-tac-toe.gdl");

fn play(typed: &str) -> Ran {
    run(&["play", GAME, "--seats", "human,human"], typed)
}

/// What is printed after a typed line, up to the next prompt.
#[track_caller]
fn check_reply(typed: &[&str], expected: &str) {
    let ran = play(&format!("{}\n", typed.join("\n")));
    let replies: Vec<&str> = ran.out.split("> \n").collect();
    assert!(replies[typed.len()].contains(expected), "{typed:?} was answered with\n{}", replies[typed.len()]);
    assert_eq!(ran.status, 0);
}

/// [CF-17] The starting board is printed, each turn the player and the board, then the winner, and another match is offered.
#[test]
fn two_people_play_to_a_win() {
    let ran = play("b2\na1\na2\nb1\nc2\nn\n");
    insta::assert_snapshot!(ran.out);
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
}

/// [CF-14] A tie has no winner. [CF-15] A new match starts from the beginning.
#[test]
fn a_draw_is_told_and_another_match_starts_anew() {
    let ran = play("b2\na1\nc3\nc1\nb1\nb3\na2\nc2\na3\ny\nb2\n");
    assert!(ran.out.contains("A draw.\nPlay again?"), "{}", ran.out);
    assert_eq!(ran.out.matches("3  · · ·\n2  · · ·\n1  · · ·").count(), 2);
    assert_eq!(ran.status, 0);
}

/// [SP-39] Legal moves are a numbered list, and a number plays one.
#[test]
fn a_number_plays_the_choice_it_stands_before() {
    check_reply(&["5"], "2  · X ·");
    check_reply(&["1", "8"], "O: place c3");
}

#[test]
fn a_choice_is_typed_in_words_or_in_part() {
    check_reply(&["place c1"], "X: place c1");
    check_reply(&["PLACE C1"], "X: place c1");
    check_reply(&["c1"], "X: place c1");
    check_reply(&["place"], "Several choices fit:");
}

#[test]
fn a_refused_move_is_explained() {
    let reason = "place b2: Refused by the rule “Only empty cells”: That cell is taken.";
    check_reply(&["b2", "b2"], reason);
    check_reply(&["b2", "? b2"], reason);
    check_reply(&["b2", "?"], reason);
    check_reply(&["?"], "Nothing is refused here.");
    check_reply(&["? b2"], "place b2: Allowed.");
    check_reply(&["? z9"], "Nothing here is called “z9”.");
}

/// [CF-9] Undo takes the latest move back exactly.
#[test]
fn undo_takes_a_move_back() {
    check_reply(&["b2", "undo"], "2  · · ·");
    check_reply(&["b2", "a1", "undo"], "2  · X ·\n1  · · ·");
    check_reply(&["undo"], "There is no move of yours to take back.");
}

#[test]
fn undo_against_the_machine_goes_back_to_ones_own_move() {
    let ran = run(&["play", GAME, "--seed", "3"], "b2\nundo\n");
    assert_eq!(ran.out.matches("3  · · ·\n2  · · ·\n1  · · ·").count(), 2, "{}", ran.out);
}

#[test]
fn a_finished_match_can_be_taken_back() {
    let ran = play("b2\na1\na2\nb1\nc2\nundo\n");
    assert!(ran.out.contains("X wins."), "{}", ran.out);
    assert!(ran.out.ends_with("X> \n"), "{}", ran.out);
}

/// [SP-40] Option 0 quits: what is typed after it is not played.
#[test]
fn option_zero_quits() {
    let (quit, went_on) = (play("0\nb2\n"), play("b2\n"));
    assert_eq!((quit.err.as_str(), quit.status), ("", 0));
    assert!(went_on.out.contains("X: place b2") && !quit.out.contains("place b2\n"), "{}", quit.out);
}

#[test]
fn zero_quit_and_the_end_of_input_leave_cleanly() {
    for typed in ["0\n", "quit\n", "", "b2\n"] {
        let ran = play(typed);
        assert_eq!((ran.err.as_str(), ran.status), ("", 0), "{typed:?}");
    }
    // What is typed after it is no longer read.
    for typed in ["0\nb2\n", "quit\nb2\n"] {
        let ran = play(typed);
        assert_eq!((ran.out.matches("X> ").count(), ran.out.contains("O> ")), (1, false), "{typed:?}: {}", ran.out);
    }
}

#[test]
fn nonsense_gets_a_helpful_line_and_changes_nothing() {
    check_reply(&["b2", "hop"], "“hop” is no choice here.");
    check_reply(&["999999999999999999999999"], "is no choice here.");
    check_reply(&["\u{0}\u{7}"], "is no choice here.");
    check_reply(&["on"], "is no choice here.");
    check_reply(&["save"], "save FILE: the name is missing.");
    check_reply(&["off Only empty sells"], "Did you mean “Only empty cells”?");
    check_reply(&["rules"], "on   A full board is a draw");
    check_reply(&["help"], "undo");
}

#[test]
fn a_saved_match_is_a_record() {
    let folder = std::env::temp_dir().join(format!("houserules-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("match.txt");
    let typed = format!("b2\na1\nundo\nc3\nsave {}\n", path.display());
    run(&["play", GAME, "--seats", "human", "--set", "goal=2", "--seed", "5"], &typed);
    let saved = std::fs::read_to_string(&path).unwrap();
    let other = folder.join("other.txt");
    std::fs::write(&other, "not a match").unwrap();
    let refused = play(&format!("save {}\n", other.display()));
    let kept = std::fs::read_to_string(&other).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(saved.starts_with("houserules record 1\n"), "{saved}");
    for line in [format!("game {GAME}"), "set goal=2".into(), "seed 5".into(), "S X human".into()] {
        assert!(saved.contains(&format!("\n{line}\n")), "{saved}");
    }
    assert!(saved.contains("\nA X place b2\nA O place a1\nundo 1\nA O place c3\n"), "{saved}");
    assert!(saved.contains("\n| #game \"Tic-tac-toe\""), "the rules come along: {saved}");
    assert!(refused.out.contains("is no saved match"), "{}", refused.out);
    assert_eq!(kept, "not a match");
}

/// [CF-18] A random player plays any game and needs no evaluator.
#[test]
fn a_random_match_is_watched_and_follows_from_its_seed() {
    let watch = |seed: &str| run(&["play", GAME, "--seats", "random", "--seed", seed], "").out;
    assert_eq!(watch("1"), watch("1"));
    assert_ne!(watch("1"), watch("2"));
    assert!(watch("1").contains("X: place"));
}

/// [CF-10] Players are put on seats in any order, people and random choice alike.
#[test]
fn a_person_may_take_any_seat() {
    let ran = run(&["play", GAME, "--seats", "random,human", "--seed", "1"], "1\n");
    assert!(ran.out.contains("O to choose") && !ran.out.contains("X to choose"), "{}", ran.out);
    assert_eq!(ran.out.matches("X: place").count(), 2, "{}", ran.out);
}

#[test]
fn an_unknown_game_is_told_with_the_nearest_spelling() {
    let ran = run(&["play", "tic-tac-too"], "");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("Did you mean `tic-tac-toe`?"), "{}", ran.err);
}

#[test]
fn wrong_options_are_told() {
    for (args, expected) in [
        (&["play", GAME, "--variant", "Upside down"][..], "no variant “Upside down”"),
        (&["play", GAME, "--set", "width=wide"], "wide is not in between"),
        (&["play", GAME, "--set", "width=0"], "from 1 to 26"),
        (&["play", GAME, "--set", "width"], "name=value"),
        (&["play", GAME, "--seats", "human,human,human"], "3 sitters for 2 seats"),
        (&["play", "missing/game.gdl"], "There is no file missing/game.gdl."),
        (&["perft", GAME, "--depth", "0"], "0 is not in 1..=1000"),
        (&["playout", GAME, "--seconds", "-1"], "--seconds"),
        (&["moves", GAME, "--after", "b2 b2"], "That cell is taken"),
        (&["moves", GAME, "--after", "b2 q7"], "“q7” is no choice here"),
        (&["explain", "whlie"], "Did you mean `while`?"),
        (&["dance"], "unrecognized subcommand"),
    ] {
        let ran = run(args, "");
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.err.contains(expected), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
}

/// [CF-13] All legal moves of a position are listed.
#[test]
fn moves_after_moves() {
    let ran = run(&["moves", GAME, "--after", "place b2, a1 c3"], "");
    assert!(ran.out.contains("O: Your move. (6 choices)"), "{}", ran.out);
    let over = run(&["moves", "tic-tac-toe", "--after", "a1 a2 b1 b2 c1", "--json"], "");
    assert_eq!(over.out, "{\"game\":\"tic-tac-toe\",\"over\":true,\"asked\":[]}\n");
}

#[test]
fn perft_prints_json_for_programs() {
    let ran = run(&["perft", "tic-tac-toe", "--depth", "4", "--json"], "");
    assert_eq!(ran.out, "{\"game\":\"tic-tac-toe\",\"depth\":4,\"nodes\":[9,72,504,3024]}\n");
    let ran = run(&["perft", GAME, "--depth", "3", "--by", "turn", "--divide"], "");
    assert!(ran.out.contains("place a1  56\n") && ran.out.contains("depth 3  nodes 504"), "{}", ran.out);
}

#[test]
fn playout_prints_json_for_programs() {
    let ran = run(&["playout", GAME, "--seconds", "0.05", "--json"], "");
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    for key in ["playouts", "moves", "seconds", "playouts_per_second", "moves_per_playout", "results"] {
        assert!(!found[key].is_null(), "{key} is missing in {}", ran.out);
    }
    let results = found["results"].as_object().unwrap();
    assert_eq!(results.keys().collect::<Vec<_>>(), ["X", "O", "draw", "cut"], "in the order of the seats");
    let total: u64 = results.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(Some(total), found["playouts"].as_u64());
}

/// A game that never ends is cut, said to be cut, and counted all the same.
#[test]
fn playouts_of_a_game_without_an_end_come_to_one() {
    let file = std::env::temp_dir().join(format!("houserules-endless-{}.gdl", std::process::id()));
    std::fs::write(&file, "#game \"Endless\" #players \"X\" \"O\" #turns #property n 0 #action go (set n to 1)")
        .unwrap();
    let game = file.display().to_string();
    let ran = run(&["playout", &game, "--seconds", "0.2", "--json"], "");
    let told = run(&["playout", &game, "--matches", "2"], "");
    std::fs::remove_file(&file).unwrap();
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(found["moves"].as_u64() > Some(0) && found["moves_per_playout"].as_f64() > Some(0.0), "{}", ran.out);
    assert_eq!((&found["results"]["cut"], &found["results"]["draw"]), (&found["playouts"], &0.into()));
    assert!(told.out.contains("cut     100.0 %  2  not over after"), "{}", told.out);
}

#[test]
fn the_library_opens_where_no_game_is_named() {
    let ran = run(&["play"], "xiangqi\ntic-tac\n2\nb2\nquit\n0\n");
    assert!(ran.out.contains("There is no game “xiangqi”"), "{}", ran.out);
    assert!(ran.out.contains("X: place b2"), "{}", ran.out);
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
}

#[test]
fn list_show_and_explain_print_what_there_is() {
    assert!(run(&["list"], "").out.contains("tic-tac-toe"));
    let shown = run(&["show", GAME], "").out;
    assert!(shown.contains("Only empty cells") && shown.contains("width=3"), "{shown}");
    assert!(run(&["explain", "foreach"], "").out.contains("(foreach X in L [where C] BODY …)"));
    assert!(run(&["explain"], "").out.contains("foreach"));
}

#[test]
fn help_teaches_with_examples() {
    for args in [&["--help"][..], &["play", "--help"], &["perft", "--help"], &["moves", "--help"]] {
        let ran = run(args, "");
        assert!(ran.out.contains("houserules"), "{}", ran.out);
        assert!(ran.out.contains("Example"), "{args:?}");
        assert_eq!(ran.status, 0);
    }
}

#[test]
fn solve_finds_the_value_and_a_line() {
    let ran = run(&["solve", "tic-tac-toe", "--json", "--memory", "8"], "");
    let solved: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(solved["value"], serde_json::json!({"X": 0, "O": 0}));
    let seats: Vec<&String> = solved["value"].as_object().unwrap().keys().collect();
    assert_eq!(seats, ["X", "O"], "in the order of the seats");
    assert_eq!(solved["line"].as_array().unwrap().len(), 9);
    assert!(solved["nodes"].as_u64().unwrap() > 0);
    let ran = run(&["solve", "sticks", "--after", "1"], "");
    assert!(ran.out.starts_with("First wins.\nline   "), "{}", ran.out);
    let ran = run(&["solve", "sticks", "--variant", "misere"], "");
    assert!(ran.out.starts_with("Second wins.\n"), "{}", ran.out);
    let ran = run(&["solve", "dice-race"], "");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("Chance plays a part in this game"), "{}", ran.err);
}

/// [CF-34] People and machines sit at one table, each in its own way.
#[test]
fn opponents_that_look_ahead_sit_at_the_table() {
    let ran =
        run(&["play", "sticks", "--seats", "human,alphabeta:30", "--set", "sticks=6", "--seed", "1"], "1\n1\nn\n");
    assert!(ran.out.contains("Second: 1") && ran.out.contains("Second wins."), "{}", ran.out);
    let ran = run(&["play", "tic-tac-toe", "--seats", "level5,mcts:50", "--seed", "1"], "n\n");
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
    let ran = run(&["play", "tic-tac-toe", "--seats", "level12"], "");
    assert!(ran.err.contains("levels go from 1 to 10"), "{}", ran.err);
    assert_eq!(ran.status, 2);
}

/// As many take part as are named; a match that was saved remembers how many.
#[test]
fn the_number_of_seats_can_be_chosen_where_a_game_leaves_it_open() {
    let ran = run(&["playout", "dice-race", "--seconds", "0.1", "--players", "4", "--json"], "");
    assert!(["Blue", "Green", "Yellow", "Red"].iter().all(|seat| ran.out.contains(seat)), "{}{}", ran.out, ran.err);
    for args in [&["moves", "dice-race"][..], &["perft", "dice-race", "--depth", "1"]] {
        let ran = run(&[args, &["--seats", "3"]].concat(), "");
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
    assert!(run(&["show", "dice-race", "--players", "3"], "").out.contains("Yellow start"));
    let folder = std::env::temp_dir().join(format!("houserules-seats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("match.txt").display().to_string();
    let ran = run(&["play", "dice-race", "--seats", "human,random,random"], &format!("save {path}\n"));
    assert!(ran.out.contains("Yellow") && !ran.out.contains("Red"), "{}", ran.out);
    let again = run(&["play", &path], "");
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(again.out.contains("Yellow") && !again.out.contains("Red"), "{}{}", again.out, again.err);
}

#[test]
fn a_number_of_seats_that_cannot_be_is_told_with_the_range() {
    for (args, told) in [
        (&["moves", "dice-race", "--players", "5"][..], "The game is for 2 to 4 players, not 5."),
        (&["perft", "dice-race", "--depth", "1", "--seats", "1"], "The game is for 2 to 4 players, not 1."),
        (&["playout", "nim", "--players", "3"], "The game is for 2 players, not 3."),
        (&["playout", "nim", "--players", "many"], "invalid value 'many'"),
        (&["play", "dice-race", "--seats", "human,human,human,human,human"], "The game is for 2 to 4 players, not 5."),
    ] {
        let ran = run(args, "");
        assert!(ran.err.contains(told), "{args:?}: {}", ran.err);
        assert_eq!(ran.status, 2, "{args:?}");
    }
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A match begins anywhere that the field has a notation for: rows in chess, lists in draughts.
#[test]
fn a_match_begins_from_a_typed_position() {
    let ran = run(&["perft", "chess", "--depth", "2", "--position", KIWIPETE, "--json"], "");
    assert!(ran.out.contains(r#""nodes":[48,2039]"#), "{}{}", ran.out, ran.err);
    let ran = run(&["moves", "english-draughts", "--position", "W:W21,22,K30:B1,2", "--json"], "");
    assert!(ran.out.contains(r#""choices":["21-17","22-17","22-18","30-26","30-25"]"#), "{}{}", ran.out, ran.err);
    let ran = run(&["play", "chess", "--seats", "human", "--position", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"], "f7g7\nn\n");
    assert!(ran.out.contains("White wins."), "{}{}", ran.out, ran.err);
    let ran = run(&["play", "english-draughts", "--seats", "human", "--position", "B:W18:B14"], "14x23\nn\n");
    assert!(ran.out.contains("Black wins."), "{}{}", ran.out, ran.err);
}

#[test]
fn a_position_that_does_not_fit_is_told() {
    for (game, position, told) in [
        ("chess", "", "It has 1 rows, and the board has 8."),
        ("chess", "rnbqkbnr/8 w", "It has 2 rows, and the board has 8."),
        ("chess", "8/8/8/8/8/8/8/8/8 w - - 0 1", "It has 9 rows, and the board has 8."),
        ("chess", "8/8/9/8/8/8/8/8 w - - 0 1", "Row 3 from the top has 9 places, and the board has 8."),
        ("chess", "4k3/8/8/4x3/8/8/8/4K3 w - - 0 1", "Nothing has the sign `x`."),
        ("chess", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "No player's name begins with `x`."),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - many 1", "It goes from 0 to 149, and many is not in between."),
        ("english-draughts", "W:W33:B1", "There is no place `33`."),
        ("english-draughts", "W:W5:B5", "Two pieces stand on `5`."),
        ("english-draughts", "X:W1:B2", "No player's name begins with `X`."),
        ("english-draughts", "W:Q1:B2", "No player's name begins with `Q`."),
        ("nim", "3/4 F", "This game takes no position"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "There is no place `e9`."),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w KX - 0 1", "`X` is none of K Q k q."),
        ("english-draughts", "W:W5-2:B1", "There is no place `5-2`."),
        ("english-draughts", "W:", "It lists no pieces."),
    ] {
        let ran = run(&["moves", game, "--position", position], "");
        assert!(ran.err.contains(told), "{game} {position:?}: {}{}", ran.out, ran.err);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{game} {position:?}");
    }
}

/// Somebody who has never heard of the game can ask for it in the middle of a match.
#[test]
fn rules_tell_the_game_in_short() {
    let ran = run(&["play", "hex"], "rules\nquit\n");
    let told = ran.out.split("Red> ").nth(1).unwrap();
    assert!(told.contains("on ") && told.lines().all(|line| line.chars().count() <= 80), "{told}");
    let text = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let definition = include_str!("../../../games/hex/game.gdl");
    let rules = definition.lines().find_map(|line| line.strip_prefix("#info rules ")).unwrap();
    assert!(text.contains(rules.trim_matches('"')), "{told}");
}

/// A card that lies open was seen by all; where a ship was placed, only that it was.
#[test]
fn what_everybody_saw_is_told_and_what_nobody_saw_is_not() {
    let ran = run(&["play", "whist", "--seed", "3"], "1\n");
    let news: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("East: ")).collect();
    assert!(!news.is_empty() && !ran.out.contains("has chosen"), "{}", ran.out);
    let ran = run(&["play", "battleships", "--seed", "3"], "1\n1\n");
    assert!(ran.out.contains("Bo has chosen.") && !ran.out.contains("Bo: "), "{}", ran.out);
}
