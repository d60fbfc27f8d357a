//! What a match has been through is known to rules that change, and things are added to it.

mod common;

use common::{play, reload, start, switch};
use houserules_kernel::Generator;
use houserules_model::Mode;
use houserules_record::{Change, Head, Match, MessageLog, Source};

fn text(text: &str) -> Change {
    Change::Text(text.into())
}

fn offered(now: &mut Match, words: &str) -> bool {
    let who = now.decision().open_to()[0];
    now.choices(who).iter().any(|choice| now.look().words(who, choice) == words)
}

fn why_not(now: &mut Match, words: &str) -> String {
    let houserules_kernel::Who::Seat(seat) = now.decision().open_to()[0] else { panic!("a seat is asked") };
    let offer = now.position().offers(seat).into_iter().find(|offer| offer.words == words);
    offer.and_then(|offer| offer.refused).map_or(String::new(), |refused| refused.to_string())
}

/// The interpreter that explains the match has not lost it, and the record replays.
#[track_caller]
fn holds(now: &mut Match) {
    for (_, told) in MessageLog::new(now).catch_up(now) {
        told.unwrap();
    }
    let text = now.record().to_string();
    assert_eq!(reload(&text).fingerprint(), now.fingerprint(), "{text}");
}

/// Black has just taken at b2, and White would take back at c2.
fn ko() -> Match {
    let mut now = start("go", &[("size", "5")]);
    for words in ["a2", "d2", "b3", "c3", "b1", "c1", "e5", "b2", "c2"] {
        play(&mut now, words);
    }
    assert!(why_not(&mut now, "b2").contains("No position comes back"));
    now
}

/// [FR-3] A position that stood before a change of rules is still known after it, however the change lays out memory or
/// counts what is the same.
#[test]
fn superko_remembers_across_changes_of_rules() {
    for change in [
        "#property wind 3",
        "#model cell\n  #property worth 5\n  #property moss",
        "#model player\n  #property hat",
        "#model cell\n  #property stone nil\n  #property height (list 1 2)",
        "#history cell passes",
        "#law \"Not on Sundays\" on place (require (!= self e1))",
        "#model cloud\n  #property stone\n#entity cumulus is cloud",
    ] {
        let mut now = ko();
        now.change(text(change)).unwrap_or_else(|refused| panic!("{change}: {refused}"));
        assert!(!offered(&mut now, "b2"), "{change}");
        assert!(why_not(&mut now, "b2").contains("No position comes back"), "{change}");
        now.change(text("#model cell\n  #property again 7")).unwrap();
        assert!(!offered(&mut now, "b2"), "{change}, and another one");
        holds(&mut now);
        assert_eq!(now.undo(2), 2);
        assert!(!offered(&mut now, "b2"));
    }
}

/// A history told otherwise tells the past otherwise, too.
#[test]
fn the_past_is_told_as_the_rules_now_tell_it() {
    let mut now = ko();
    for words in ["e1", "a5", "pass"] {
        play(&mut now, words);
    }
    // By player the position that White would bring back is one that White left as well.
    now.change(text("#history cell by player")).unwrap();
    holds(&mut now);
    now.change(text("#history passes")).unwrap();
    assert!(!offered(&mut now, "d4"), "with nothing but passes counted every move brings a position back");
    holds(&mut now);
}

/// Rules that were off, or not there at all, know what happened before them.
#[test]
fn a_rule_that_comes_later_knows_what_was_before() {
    let mut now = ko();
    now.change(switch("No position comes back", Mode::Off)).unwrap();
    assert!(offered(&mut now, "b2"));
    now.change(switch("No position comes back", Mode::Enforced)).unwrap();
    assert!(!offered(&mut now, "b2"));
    holds(&mut now);

    let mut now = start("breakthrough", &[]);
    now.change(text("#action wait as \"wait\" (say \"…\")")).unwrap();
    play(&mut now, "wait");
    play(&mut now, "wait");
    now.change(text("#law \"Nothing comes back\" after wait (require (= (seen) 0))")).unwrap();
    assert!(!offered(&mut now, "wait"), "the start has come back twice");
    holds(&mut now);
}

/// A threefold repetition in chess is one although a rule was added on the way.
#[test]
fn chess_counts_repetitions_across_a_change() {
    let mut now = common::start_with("chess", Head::default(), Source::Digest);
    let knights = |now: &mut Match| {
        for part in ["g1 f3", "g8 f6", "f3 g1", "f6 g8"] {
            let (from, to) = part.split_once(' ').unwrap();
            let who = now.decision().open_to()[0];
            let choices = now.choices(who);
            let found = choices.iter().find(|choice| {
                let words = now.look().words(who, choice);
                words.contains(from) && words.contains(to)
            });
            let found = found.unwrap_or_else(|| panic!("{part}")).clone();
            now.play(who, &found).unwrap();
        }
    };
    let claims = |now: &mut Match| {
        let who = now.decision().open_to()[0];
        let choices = now.choices(who);
        choices.iter().any(|choice| now.look().words(who, choice).contains("draw"))
    };
    knights(&mut now);
    now.change(text("#model piece\n  #property tired")).unwrap();
    assert!(!claims(&mut now));
    knights(&mut now);
    assert!(claims(&mut now), "the start has stood three times");
    holds(&mut now);
}

/// [FR-3] Things are added to a running match: an entity, and a larger board by a setting.
#[test]
fn things_are_added_during_play() {
    let mut now = start("tic-tac-toe", &[]);
    for words in ["place a1", "place b2", "place a2"] {
        play(&mut now, words);
    }
    let before = now.fingerprint();
    now.change(Change::Setting { name: "width".into(), value: "4".into() }).unwrap();
    assert!(offered(&mut now, "place d3") && !offered(&mut now, "place b2"));
    holds(&mut now);
    play(&mut now, "place d3");
    play(&mut now, "place a3");
    assert!(matches!(now.decision(), houserules_kernel::Decision::Over(_)), "a1, a2, a3 is a line as before");
    holds(&mut now);
    assert_eq!(now.undo(3), 3);
    assert_eq!(now.fingerprint(), before);
    assert!(!offered(&mut now, "place d3"));

    let mut now = start("nine-mens-morris", &[]);
    let mut random = Generator::new(5);
    for _ in 0..6 {
        common::play_random(&mut now, &mut random);
    }
    now.change(text("#entity extra is man for each player")).unwrap();
    holds(&mut now);
    for _ in 0..20 {
        common::play_random(&mut now, &mut random);
    }
    holds(&mut now);
}

/// A board that grows keeps what lies on it, and knows again what has been.
#[test]
fn a_go_board_grows() {
    let mut now = ko();
    now.change(Change::Setting { name: "size".into(), value: "6".into() }).unwrap();
    assert!(offered(&mut now, "f6") && !offered(&mut now, "c3"));
    assert!(!offered(&mut now, "b2"), "on the larger board it would come back as well");
    holds(&mut now);
    let smaller = now.change(Change::Setting { name: "size".into(), value: "4".into() }).unwrap_err();
    assert!(smaller.to_string().contains("takes away"), "{smaller}");
}
