//! Tournaments: who meets whom, and what is left after an interruption.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use houserules_arena::{Arena, MatchFile, Meeting, Tournament};
use houserules_players::Registry;

const FILE: &str = "game = 'tic-tac-toe'
[[player]]
name = 'ahead'
plays = 'mcts'
nodes = 40
[[player]]
name = 'any'
plays = 'random'
[[player]]
name = 'other'
plays = 'random'
[tournament]
kind = 'KIND'
rounds = 4
";

fn arena(kind: &str) -> Arena {
    let registry = Registry::standard();
    let file = MatchFile::parse("contest.toml", &FILE.replace("KIND", kind), &registry).unwrap();
    Arena::build(file, registry).unwrap()
}

fn kept(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("houserules-{name}-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn sorted(tournament: &Tournament) -> Vec<Meeting> {
    let mut done = tournament.done().to_vec();
    done.sort_by_key(|meeting| meeting.number);
    done
}

/// [CF-32] Everybody meets everybody on both seats, and who looks ahead is rated highest.
#[test]
fn everybody_meets_everybody_on_every_seat() {
    let arena = arena("round robin");
    let path = kept("round-robin");
    let mut tournament = Tournament::open(&arena, &path).unwrap();
    assert_eq!(tournament.len(), 3 * 2 * 4);
    tournament.run(2, &AtomicBool::new(false), |_| {}).unwrap();
    let done = sorted(&tournament);
    for pair in [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]] {
        assert_eq!(done.iter().filter(|meeting| meeting.seats == pair).count(), 4, "{pair:?}");
    }
    let ratings = tournament.ratings();
    assert!(ratings[0].elo > ratings[1].elo + 50.0 && ratings[0].elo > ratings[2].elo + 50.0, "{ratings:?}");
    assert!(ratings.iter().all(|rating| rating.games == 16 && rating.error > 20.0 && rating.error < 400.0));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn in_a_gauntlet_only_the_first_meets_the_others() {
    let arena = arena("gauntlet");
    let path = kept("gauntlet");
    let tournament = Tournament::open(&arena, &path).unwrap();
    assert_eq!(tournament.len(), 2 * 2 * 4);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn an_interrupted_tournament_goes_on_to_the_same_end() {
    let arena = arena("round robin");
    let (whole, parts) = (kept("whole"), kept("parts"));
    let mut at_once = Tournament::open(&arena, &whole).unwrap();
    at_once.run(1, &AtomicBool::new(false), |_| {}).unwrap();
    let stop = AtomicBool::new(false);
    let mut first = Tournament::open(&arena, &parts).unwrap();
    let mut n = 0;
    first
        .run(2, &stop, |_| {
            n += 1;
            stop.store(n >= 5, Ordering::Relaxed);
        })
        .unwrap();
    assert!(first.done().len() >= 5 && first.done().len() < first.len());
    let mut rest = Tournament::open(&arena, &parts).unwrap();
    assert_eq!(rest.done().len(), first.done().len());
    rest.run(2, &AtomicBool::new(false), |_| {}).unwrap();
    assert_eq!(sorted(&rest), sorted(&at_once));
    // Another tournament does not go on with these results.
    let other = self::arena("gauntlet");
    assert!(Tournament::open(&other, &parts).map(|_| ()).unwrap_err().to_string().contains("something else"));
    for path in [whole, parts] {
        std::fs::remove_file(path).unwrap();
    }
}

/// Results that somebody has edited are told with the line, not counted.
#[test]
fn edited_results_are_told_with_their_line() {
    let arena = arena("gauntlet");
    let path = kept("edited");
    drop(Tournament::open(&arena, &path).unwrap());
    let head = std::fs::read_to_string(&path).unwrap();
    for line in [
        r#"{"number":0,"seats":[9,0],"ranks":[1,2],"choices":5}"#,
        r#"{"number":99,"seats":[0,1],"ranks":[1,2],"choices":5}"#,
        r#"{"number":0,"seats":[0,1],"ranks":[1],"choices":5}"#,
    ] {
        std::fs::write(&path, format!("{head}{line}\n")).unwrap();
        let told = Tournament::open(&arena, &path).map(|_| ()).unwrap_err().to_string();
        assert!(told.contains(".jsonl:2: ") && told.contains("edited"), "{told}");
    }
    std::fs::remove_file(path).unwrap();
}
