//! Matches whose rules change, that are ruled on, saved and gone on with.

mod common;

use common::{choice, play, reload, start, switch};
use houserules_kernel::{Generator, Viewer, Who};
use houserules_model::Mode;
use houserules_record::{
    Change, Event, Head, LineKind, Match, MessageLog, Record, Refused, Replay, Source, Traced, TracedWhat, Which,
    history, open,
};

fn words(now: &mut Match) -> Vec<String> {
    let who = now.decision().open_to()[0];
    let choices = now.choices(who);
    choices.iter().map(|choice| now.look().words(who, choice)).collect()
}

fn moves(now: &mut Match, n: usize, random: &mut Generator) {
    while now.n_moves() < n {
        assert!(common::play_random(now, random), "the match ends after {} moves", now.n_moves());
    }
}

/// A match of Awele that lasts beyond 35 moves with these changes of rules.
fn awele() -> Match {
    'seeds: for seed in 1..200 {
        let mut now = common::start_with("awele", Head { seed: Some(seed), ..Head::default() }, Source::Embedded);
        let mut random = Generator::new(seed);
        for until in [10, 20, 30, 36] {
            while now.n_moves() < until {
                if !common::play_random(&mut now, &mut random) {
                    continue 'seeds;
                }
            }
            match until {
                10 => now.change(switch("Chain Reaction", Mode::Off)).unwrap(),
                20 => now
                    .change(Change::Text(
                        "#law \"Never The First Hole\" on startSeeding to hole\n  (require (!= number 1) \"Not this one.\")"
                            .into(),
                    ))
                    .unwrap(),
                30 => now.change(Change::Setting { name: "goal".into(), value: "40".into() }).unwrap(),
                _ => {}
            }
        }
        return now;
    }
    panic!("no match is long enough");
}

/// A law typed earlier is woven into several functions; that it no longer fits is told once.
#[test]
fn a_law_that_no_longer_fits_is_told_once() {
    let mut now = start("tic-tac-toe", &[]);
    now.change(Change::Text("#law \"Not the corner\" on place\n  (require (!= self c3))".into())).unwrap();
    let refused = now.change(Change::Setting { name: "width".into(), value: "2".into() }).unwrap_err().to_string();
    assert!(refused.contains("Nothing here is called `c3`") && refused.ends_with("1 error"), "{refused}");
}

/// [CF-8] The latest move can be looked at without taking it back.
#[test]
fn the_latest_move_is_there_to_look_at() {
    let mut now = start("tic-tac-toe", &[]);
    assert_eq!(now.steps().next_back(), None);
    for words in ["place b2", "place a1"] {
        let (who, latest) = choice(&mut now, words);
        play(&mut now, words);
        let after = now.fingerprint();
        assert_eq!(now.steps().next_back(), Some(&Event::Play { who, choice: latest, overruled: false }));
        assert_eq!(now.fingerprint(), after);
    }
    now.undo(1);
    assert_eq!(now.steps().len(), 1);
}

/// [FR-3] [FR-10] [FR-11] [BG-3] A rule off at move 10, a law typed at move 20, another winning number at
/// move 30: saved, read and replayed, the match ends in the same position, and each change shows where it was made.
#[test]
fn awele_with_three_changes_of_rules_replays() {
    let mut now = awele();
    let text = now.record().to_string();
    let mut again = reload(&text);
    assert_eq!(again.fingerprint(), now.fingerprint());
    let mode = |now: &Match, name: &str| now.rules().iter().find(|rule| rule.name == name).map(|rule| rule.mode);
    let mut replay = open(Record::parse(&text).record, None, Which::Made).unwrap().replay;
    let mut seen = Vec::new();
    while let Some(happened) = replay.step().unwrap() {
        let n_moves = replay.now().n_moves();
        match happened.line.kind {
            LineKind::Rule { .. } => {
                assert_eq!(mode(replay.now(), "Chain Reaction"), Some(Mode::Off));
                seen.push(n_moves);
            }
            LineKind::Change { text } => {
                assert!(text.starts_with("#law \"Never The First Hole\""));
                assert_eq!(mode(replay.now(), "Never The First Hole"), Some(Mode::Enforced));
                seen.push(n_moves);
            }
            LineKind::Set { value, .. } => {
                assert_eq!(value, "40");
                seen.push(n_moves);
            }
            LineKind::Choice { .. } => assert!(!happened.changed.is_empty(), "a move changes something"),
            _ => {}
        }
    }
    assert_eq!(seen, [10, 20, 30]);
    // Back to before all of it, and forth again.
    assert_eq!(now.jump(0), 0);
    assert_eq!(mode(&now, "Chain Reaction"), Some(Mode::Enforced));
    assert_eq!(mode(&now, "Never The First Hole"), None);
    now.jump(usize::MAX);
    assert_eq!(now.fingerprint(), again.fingerprint());
}

/// [FR-9] No suicide on advice only: it is offered with a warning, a ruling decides, and the record has the ruling.
#[test]
fn advised_suicide_in_go_needs_a_ruling() {
    let head = Head {
        settings: common::pairs(&[("size", "3")]),
        advised: vec!["No suicide".into()],
        referee: Some("consent".into()),
        ..Head::default()
    };
    let mut now = common::start_with("go", head, Source::Embedded);
    for point in ["c3", "a2", "c2", "b1"] {
        play(&mut now, point);
    }
    let (who, suicide) = choice(&mut now, "a1");
    let warnings = now.warnings(who);
    assert_eq!(warnings.iter().map(|warning| warning.words.as_str()).collect::<Vec<_>>(), ["a1"]);
    assert_eq!(warnings[0].refusal.law.as_deref(), Some("No suicide"));
    let before = now.fingerprint();
    let Err(Refused::Advised(warning)) = now.play(who, &suicide) else { panic!("it needs a ruling") };
    assert_eq!(warning.rule(), "No suicide");
    now.rule_on(who, &suicide, false, "consent").unwrap();
    assert!(matches!(now.play(who, &suicide), Err(Refused::Advised(_))), "denied is denied");
    assert_eq!(now.fingerprint(), before);
    now.rule_on(who, &suicide, true, "consent").unwrap();
    now.play(who, &suicide).unwrap();
    assert_ne!(now.fingerprint(), before);
    let text = now.record().to_string();
    assert!(text.contains("ruling denied by consent: Black a1 -- No suicide\n"), "{text}");
    assert!(text.contains("ruling allowed by consent: Black a1 -- No suicide\nA Black a1\n"), "{text}");
    assert_eq!(reload(&text).fingerprint(), now.fingerprint());
    // Without the ruling the move is none.
    let text = text.replace("ruling allowed by consent: Black a1 -- No suicide\n", "");
    let mut replay = open(Record::parse(&text).record, None, Which::Made).unwrap().replay;
    let fault = replay.run().unwrap();
    assert!(fault.reason.contains("no ruling that allows it"), "{fault}");
    // Undone, the board is as before; enforced again, it is no choice.
    assert_eq!(now.undo(1), 1);
    assert_eq!(now.fingerprint(), before);
    now.change(switch("No suicide", Mode::Enforced)).unwrap();
    assert!(!words(&mut now).contains(&"a1".to_owned()));
}

/// [FR-9] A side-effect on advice still works, and only its refusal is a matter of ruling.
#[test]
fn an_advised_side_effect_refuses_only_on_advice() {
    let head = Head { settings: common::pairs(&[("start", "1,0,0,0,0,1,1,0,0,0,0,0")]), ..Head::default() };
    let mut now = common::start_with("awele", head, Source::Digest);
    assert!(!words(&mut now).iter().any(|words| words.contains('6')), "a grand slam is refused");
    now.change(switch("Chain Reaction Avoiding GrandSlam", Mode::Advised)).unwrap();
    let who = now.decision().open_to()[0];
    let warnings = now.warnings(who);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].refusal.reason.contains("all the seeds"), "{:?}", warnings[0].refusal);
    let slam = warnings[0].choice.clone();
    now.rule_on(who, &slam, true, "Ann").unwrap();
    now.play(who, &slam).unwrap();
    let text = now.record().to_string();
    assert_eq!(reload(&text).fingerprint(), now.fingerprint());
    assert_eq!(now.undo(2), 2);
    assert_eq!(now.redo(2), 2, "{text}");
    assert_eq!(reload(&text).fingerprint(), now.fingerprint());
}

/// [FR-9] A referee sets any property by hand; it is recorded and undoable, and what does not fit is refused.
#[test]
fn a_referee_sets_properties_by_hand() {
    let mut now = start("awele", &[]);
    moves(&mut now, 3, &mut Generator::new(5));
    let before = now.fingerprint();
    let hole = now.running().properties().into_iter().find(|found| found.property == "stones").unwrap().entity;
    now.by_hand(&hole, "(set stones to 9)").unwrap();
    let stones = |now: &mut Match| {
        now.running().properties().into_iter().find(|found| found.property == "stones").unwrap().value
    };
    assert_eq!(stones(&mut now), "9");
    let text = now.record().to_string();
    assert!(text.contains("hand \"hole 1\" (set stones to 9)\n"), "{text}");
    assert_eq!(reload(&text).fingerprint(), now.fingerprint());
    let events = now.log().len();
    for (thing, wrong) in [
        ("hole 99", "(set stones to 9)"),
        ("hole 2", "(set stonse to 9)"),
        ("hole 2", "(set stones to"),
        ("hole 2", "(rollback \"no\")"),
        ("game", ""),
    ] {
        let set = now.fingerprint();
        assert!(now.by_hand(thing, wrong).is_err(), "{wrong}");
        assert_eq!((now.fingerprint(), now.log().len()), (set, events), "{wrong}");
    }
    now.undo(1);
    assert_eq!(now.fingerprint(), before);
}

/// A change that does not fit is refused in words, and nothing has changed.
#[test]
fn changes_that_do_not_fit_leave_the_match_alone() {
    let mut now = start("tic-tac-toe", &[]);
    play(&mut now, "place b2");
    let before = (now.fingerprint(), now.log().len());
    for (change, told) in [
        (switch("Only emty cells", Mode::Off), "Did you mean “Only empty cells”?"),
        (Change::Setting { name: "gaol".into(), value: "2".into() }, "Did you mean “goal”?"),
        (Change::Setting { name: "width".into(), value: "2".into() }, "takes away things that are in the match: “c1”"),
        (Change::Setting { name: "goal".into(), value: "99".into() }, "26"),
        (Change::Text("#law \"Odd\" on place (require (= heat 1))".into()), "heat"),
        (Change::Text("#law \"Odd on place".into()), "error"),
        (Change::Text(String::new()), "Nothing was typed"),
        (Change::Text("#rule \"Nothing\" off".into()), "Nothing"),
    ] {
        let message = now.change(change.clone()).unwrap_err().to_string();
        assert!(message.contains(told), "{change:?}: {message}");
        assert_eq!((now.fingerprint(), now.log().len()), before, "{change:?}");
    }
    play(&mut now, "place a1");
}

/// In the middle of an action a change that moves what it uses is refused; one that does not is made.
#[test]
fn a_change_must_fit_what_is_stopped_in_the_middle() {
    let head =
        Head { settings: common::pairs(&[("size", "3")]), variants: vec!["territory".into()], ..Head::default() };
    let mut now = common::start_with("go", head, Source::Digest);
    for words in ["b2", "a1", "pass", "pass"] {
        play(&mut now, words);
    }
    assert!(!now.decision().ends_ply(), "which stones are dead?");
    let before = (now.fingerprint(), now.log().len());
    let message = now.change(Change::Text("#property wind 3".into())).unwrap_err().to_string();
    assert!(message.contains("Answer first"), "{message}");
    assert!(now.by_hand("game", "(say \"hm\")").unwrap_err().to_string().contains("Answer first"));
    assert_eq!((now.fingerprint(), now.log().len()), before);
    now.change(switch("Only empty points", Mode::Off)).unwrap();
    assert!(common::play_random(&mut now, &mut Generator::new(3)));
    assert_eq!(reload(&now.record().to_string()).fingerprint(), now.fingerprint());
}

/// A property and a view are added to the things of a running match.
#[test]
fn properties_and_views_are_added_during_play() {
    let mut now = start("tic-tac-toe", &[]);
    play(&mut now, "place b2");
    now.change(Change::Text(
        "#model cell\n  #property worth 5\n#sideeffect \"Marks pay\" on place (increase (score of player) by worth)"
            .into(),
    ))
    .unwrap();
    play(&mut now, "place a1");
    let score = now.running().properties().into_iter().find(|found| found.entity == "O" && found.property == "score");
    assert_eq!(score.unwrap().value, "5");
    let text = now.record().to_string();
    assert_eq!(reload(&text).fingerprint(), now.fingerprint());
    assert_eq!(now.undo(2), 2);
    play(&mut now, "place c3");
    assert!(!now.running().properties().iter().any(|found| found.property == "worth"));
}

/// A setting that is changed before anybody has moved is no setting that the match began with.
#[test]
fn a_setting_changed_before_the_first_move_is_a_change() {
    let mut now = start("tic-tac-toe", &[]);
    now.change(Change::Setting { name: "goal".into(), value: "2".into() }).unwrap();
    let mut again = reload(&now.record().to_string());
    assert_eq!(again.log(), now.log());
    assert_eq!(again.head().settings, []);
    assert_eq!(again.undo(1), 1);
}

/// Undo and redo go across turns and changes of rules.
#[test]
fn undo_and_redo_cross_changes_of_rules() {
    let mut now = start("tic-tac-toe", &[]);
    let mut before = vec![now.fingerprint()];
    play(&mut now, "place b2");
    before.push(now.fingerprint());
    now.change(switch("Only empty cells", Mode::Off)).unwrap();
    before.push(now.fingerprint());
    play(&mut now, "place b2");
    before.push(now.fingerprint());
    now.change(switch("Only empty cells", Mode::Enforced)).unwrap();
    before.push(now.fingerprint());
    play(&mut now, "place a1");
    before.push(now.fingerprint());
    for n in (0..before.len()).rev().chain(0..before.len()) {
        assert_eq!(now.jump(n), n);
        assert_eq!(now.fingerprint(), before[n], "{n}");
    }
    now.jump(1);
    play(&mut now, "place c3");
    assert_eq!((now.redo(1), now.n_undone()), (0, 0), "another move has been made");
    let text = now.record().to_string();
    let mut again = reload(&text);
    assert_eq!(again.fingerprint(), now.fingerprint());
    assert_eq!(again.steps().len(), 2);
    assert!(again.log().len() > 10, "what was taken back stays in the record");
    again.undo(1);
}

/// A match stopped in the middle of an action is saved with what is still open.
#[test]
fn a_stopped_behavior_is_saved_and_goes_on() {
    let mut now = start("backgammon", &[]);
    let mut random = Generator::new(3);
    let mut stopped = 0;
    while stopped < 3 && common::play_random(&mut now, &mut random) {
        if !now.decision().ends_ply() {
            stopped += 1;
            let mut again = reload(&now.record().to_string());
            assert_eq!(again.fingerprint(), now.fingerprint());
            assert_eq!(words(&mut again), words(&mut now));
        }
    }
    assert_eq!(stopped, 3);
}

/// A fork begins like the match it comes from, names it, and goes its own way.
#[test]
fn a_fork_goes_its_own_way() {
    let mut now = start("tic-tac-toe", &[]);
    play(&mut now, "place b2");
    play(&mut now, "place a1");
    let mut fork = now.fork_at("other", 1).unwrap();
    play(&mut fork, "place c3");
    play(&mut now, "place c3");
    assert_ne!(fork.fingerprint(), now.fingerprint());
    let text = fork.record().to_string();
    assert!(text.contains("id other\n") && text.contains("fork test after 1\n"), "{text}");
    assert_eq!(reload(&text).head().forks, fork.head().forks);
    let again = fork.fork("third");
    assert_eq!(again.head().forks.iter().map(|fork| fork.of.as_str()).collect::<Vec<_>>(), ["test", "other"]);
}

/// [BG-65] What is valid before a fault can still be replayed, and the fault is told with its line.
#[test]
fn edited_and_reordered_records_are_replayed_up_to_the_fault() {
    let mut now = start("tic-tac-toe", &[]);
    for cell in ["b2", "a1", "c3", "a3", "a2"] {
        play(&mut now, &format!("place {cell}"));
    }
    let text = now.record().to_string();
    let check = |text: &str, played: usize, told: &str| {
        let parsed = Record::parse(text);
        assert_eq!(parsed.fault, None);
        let mut replay = open(parsed.record, None, Which::Made).unwrap().replay;
        let fault = replay.run().expect("something is wrong");
        assert!(fault.reason.contains(told), "{fault}");
        assert_eq!(replay.at(), played, "{fault}");
        let line = text.lines().nth(fault.line - 1).unwrap();
        assert!(line.starts_with(['A', 'R', 'u', 'f']), "the fault points at {line}");
    };
    check(&text.replace("A X place c3", "A X place b2"), 2, "Refused by the rule “Only empty cells”");
    check(&text.replace("A X place c3", "A X place d9"), 2, "There are: place");
    check(&text.replace("A X place c3\n", ""), 2, "O is not asked here; X decides");
    check(&text.replace("A O place a1\n", "A Z place a1\n"), 1, "There is no seat “Z”");
    check(&text.replace("A O place a3", "A O place c1"), 5, "The position is another one");
    check(&text.replace("A O place a3", "R 1 - 3"), 3, "Nothing is left to chance");
    check(&text.replace("A O place a3", "undo 9"), 3, "9 steps cannot be taken back; there are 3");
}

/// A record made with other rules says so, and brings its own.
#[test]
fn a_record_of_other_rules_offers_its_own() {
    let play_one = |source| {
        let mut now = common::start_with("tic-tac-toe", Head::default(), source);
        play(&mut now, "place b2");
        now
    };
    let text = play_one(Source::Digest).record().to_string();
    let digest = text.lines().find(|line| line.starts_with("digest ")).unwrap();
    let other = text.replace(digest, "digest 0000");
    let Err(message) = open(Record::parse(&other).record, None, Which::Made) else { panic!("the rules are others") };
    assert!(message.contains("other rules") && message.contains("--rules now"), "{message}");
    let opened = open(Record::parse(&other).record, None, Which::Now).unwrap();
    assert_eq!(opened.notes.len(), 1);
    // Embedded, it is played by what it was made with.
    let text = play_one(Source::Embedded).record().to_string();
    assert!(text.contains("| #game \"Tic-tac-toe\"\n"), "{text}");
    let changed = text.replace("game tic-tac-toe\n", "game nim\n");
    let mut opened = open(Record::parse(&changed).record, None, Which::Made).unwrap();
    assert!(opened.notes[0].contains("The rules of nim have changed since"), "{:?}", opened.notes);
    assert_eq!(opened.replay.run(), None);
    let gone = text.replace("game tic-tac-toe\n", "game lost-game\n");
    let opened = open(Record::parse(&gone).record, None, Which::Made).unwrap();
    assert!(opened.notes[0].contains("no game lost-game here"), "{:?}", opened.notes);
    let edited = text.replace("(win player)", "(win opponent)").replace("game tic-tac-toe\n", "game nim\n");
    let opened = open(Record::parse(&edited).record, None, Which::Made).unwrap();
    assert!(opened.notes.iter().any(|note| note.contains("somebody has edited them")), "{:?}", opened.notes);
}

/// [BG-4] Each step tells what changed, who could see it, and a property has its history.
#[test]
fn steps_tell_what_changed_and_who_saw_it() {
    let mut now = start("tic-tac-toe", &[]);
    play(&mut now, "place b2");
    play(&mut now, "place a1");
    let record = now.record();
    let mut replay = open(record, None, Which::Made).unwrap().replay;
    let happened = replay.step().unwrap().unwrap();
    assert!(happened.changed.iter().any(|changed| changed.to_string() == "b2 mark: nil → X"), "{:?}", happened.changed);
    let (viewer, seen) = &happened.seen[1];
    assert_eq!(*viewer, Viewer::Seat(houserules_kernel::SeatId(1)));
    assert!(seen.iter().any(|changed| changed.entity == "b2"));
    let (known, fault) = history(&mut replay);
    assert_eq!(fault, None);
    let mark = known.iter().find(|history| history.entity == "a1" && history.property == "mark").unwrap();
    assert_eq!(mark.values, [(0, Some("nil".to_owned())), (2, Some("O".to_owned()))]);
    assert_eq!(replay.jump(1), 1);
    assert_eq!(replay.now().n_moves(), 1);
}

/// What one seat wrote in secret is not among what the other could see.
#[test]
fn secrets_are_not_seen_by_others() {
    let mut now = start("rock-paper-scissors", &[]);
    play(&mut now, "rock");
    let mut replay: Replay = open(now.record(), None, Which::Made).unwrap().replay;
    let happened = replay.step().unwrap().unwrap();
    let other = happened.seen.iter().find(|(viewer, _)| *viewer == Viewer::Seat(houserules_kernel::SeatId(1))).unwrap();
    assert!(!other.1.iter().any(|changed| changed.new.as_deref() == Some("rock")), "{:?}", other.1);
}

/// [BG-20] What chance did in the set-up is in the record, and the match replays from it.
#[test]
fn a_random_set_up_is_recorded() {
    let mut now = start("whist", &[]);
    let mut random = Generator::new(2);
    for _ in 0..60 {
        assert!(common::play_random(&mut now, &mut random));
    }
    let record = now.record();
    assert!(matches!(record.lines[0].kind, LineKind::Chance { .. }), "{:?}", record.lines[0]);
    assert_eq!(reload(&record.to_string()).fingerprint(), now.fingerprint());
}

/// An event tells what it changed, and the log what the rules did, while a match is played.
#[test]
fn a_running_match_tells_what_happens() {
    let mut now = start("tic-tac-toe", &[]);
    let mut log = MessageLog::new(&now);
    let (who, mark) = choice(&mut now, "place b2");
    let changed = now.apply_telling(&Event::Play { who, choice: mark, overruled: false }).unwrap();
    assert_eq!(changed.iter().map(ToString::to_string).collect::<Vec<_>>(), ["b2 mark: nil → X"]);
    now.change(switch("Only empty cells", Mode::Off)).unwrap();
    play(&mut now, "place b2");
    now.undo(2);
    play(&mut now, "place a1");
    let told = log.catch_up(&now);
    let heard = |at: usize| -> Vec<String> {
        let rule = |traced: &Traced| match &traced.what {
            TracedWhat::Rule { name, .. } => Some(name.clone()),
            _ => None,
        };
        told[at].1.as_ref().unwrap().iter().filter_map(rule).collect()
    };
    assert_eq!(heard(0), ["Only empty cells", "A line of marks wins", "A full board is a draw"]);
    assert_eq!(heard(2), ["A line of marks wins", "A full board is a draw"], "one rule is off");
    assert_eq!(heard(4), heard(0), "and on again");
    assert!(log.catch_up(&now).is_empty());
}

/// What a referee did by hand and what was ruled to be allowed is in the message log like everything else.
#[test]
fn the_log_follows_a_match_played_by_hand() {
    let head =
        Head { settings: common::pairs(&[("size", "3")]), advised: vec!["No suicide".into()], ..Head::default() };
    let mut now = common::start_with("go", head, Source::Digest);
    let mut log = MessageLog::new(&now);
    for point in ["c3", "a2", "c2", "b1"] {
        play(&mut now, point);
    }
    let (who, suicide) = choice(&mut now, "a1");
    now.rule_on(who, &suicide, true, "Ann").unwrap();
    now.play(who, &suicide).unwrap();
    now.by_hand("a1", "(set stone to nil)").unwrap();
    now.change(Change::Text("#model point\n  #property worth 2".into())).unwrap();
    play(&mut now, "a1");
    let told: Vec<Vec<Traced>> = log.catch_up(&now).into_iter().map(|(_, told)| told.unwrap()).collect();
    let rules = |at: usize| told[at].iter().any(|traced| matches!(traced.what, TracedWhat::Rule { .. }));
    assert!(rules(5) && rules(6) && !rules(7) && rules(8), "{told:?}");
    assert!(told[6].iter().any(|traced| matches!(&traced.what, TracedWhat::Message { to, .. } if to == "a1")));
}

/// The same seed gives the same match.
#[test]
fn the_same_seed_gives_the_same_match() {
    let record = |seed| {
        let mut now = start("dice-race", &[]);
        let mut random = Generator::new(seed);
        while common::play_random(&mut now, &mut random) {}
        now.record().to_string()
    };
    assert_eq!(record(4), record(4));
    assert_ne!(record(4), record(5));
    assert!(record(4).contains("\nR "), "chance is in the record");
    assert!(record(4).contains("\nresult "), "and how it ended");
}

/// A recording of another program is played where the game has its seats and words.
#[test]
fn a_recording_without_a_head_is_played_with_a_game() {
    for text in ["S X Peter\nS O Klaas\nA X place Cell: b2\nA O place Cell: a1\n", "A place X b2\nA place O a1\n"] {
        let parsed = Record::parse(text);
        assert_eq!(parsed.fault, None);
        let Err(message) = open(parsed.record.clone(), None, Which::Made) else { panic!("which game?") };
        assert!(message.contains("--game GAME"), "{message}");
        let mut replay = open(parsed.record, Some("tic-tac-toe"), Which::Made).unwrap().replay;
        assert_eq!(replay.run(), None);
        assert_eq!(replay.now().n_moves(), 2);
        assert!(matches!(replay.now().log()[0], Event::Play { who: Who::Seat(_), .. }));
    }
}

/// Both spellings of the other program: typed values with who plays whom, and the action before the seat.
#[test]
fn recordings_in_both_spellings_are_played() {
    const GIFTS: &str = "#game \"Gifts\"\n#players \"Ann\" \"Bo\"\n#turns\n#model coin\n  #property holder\n\
        #entity ruby is coin\n#action give to coin with whom players\n  (set holder to whom)\n";
    let found = houserules_library::enclosed("gifts", &[("gifts.gdl".into(), GIFTS.into())]);
    let start = houserules_record::Defined::start(&found, &houserules_library::Options::default(), &[]).unwrap();
    for text in [
        "S Ann Anna\r\nS Bo Bob\r\nA Ann give Object: ruby Player: Bo c.b. Bob\r\nA Bo give Object: ruby Player: Ann\r\n",
        "// no seats\nA give Ann ruby Bo\nA give Bo ruby Ann\n",
    ] {
        let mut replay = Replay::new(Record::parse(text).record, Box::new(start.clone())).unwrap();
        assert_eq!(replay.run(), None, "{text}");
        assert_eq!(value(replay.now(), "ruby", "holder").as_deref(), Some("Ann"));
    }
    let wrong = Record::parse("A Ann give Object: ruby Player: Cy c.b. Bo\n").record;
    let fault = Replay::new(wrong, Box::new(start)).unwrap().run().unwrap();
    assert_eq!(fault.line, 1);
}

const COINS: &str = "#game \"Coins\"
#players \"Ann\" \"Bo\"
#turns

#model coin
  #property worth 1
  #property holder
#entity penny is coin
#entity crown is coin with worth 5

#action take to coin
  (increase (score of player) by worth)
  (set holder to player)
";

fn coins() -> Match {
    let found = houserules_library::enclosed("coins", &[("coins.gdl".into(), COINS.into())]);
    houserules_record::begin(&found, Head::default(), Source::Embedded).unwrap()
}

fn value(now: &mut Match, entity: &str, property: &str) -> Option<String> {
    let found = now.running().properties().into_iter();
    found.into_iter().find(|found| found.entity == entity && found.property == property).map(|found| found.value)
}

/// [FR-3] A property and an entity are given other values while things hold them: what play has not changed follows,
/// what it has changed stays.
#[test]
fn a_property_and_an_entity_are_changed_during_play() {
    let mut now = coins();
    let text = |text: &str| Change::Text(text.into());
    now.by_hand("penny", "(set worth to 3)").unwrap();
    now.change(text("#model coin\n  #property worth 7")).unwrap();
    assert_eq!(value(&mut now, "penny", "worth").as_deref(), Some("3"), "set by hand, it stays");
    assert_eq!(value(&mut now, "crown", "worth").as_deref(), Some("5"), "it has a value of its own");
    now.change(text("#entity crown is coin with worth 9")).unwrap();
    assert_eq!(value(&mut now, "crown", "worth").as_deref(), Some("9"));
    play(&mut now, "take crown");
    assert_eq!(value(&mut now, "Ann", "score").as_deref(), Some("9"));
    now.change(text("#entity crown is coin with holder (list 1 2)")).unwrap();
    assert_eq!(value(&mut now, "crown", "holder").as_deref(), Some("Ann"), "play gave it another");
    assert_eq!(value(&mut now, "crown", "worth").as_deref(), Some("7"), "what every coin is worth");
    now.change(text("#entity penny is coin with holder (list 1 (list 2))")).unwrap();
    assert_eq!(value(&mut now, "penny", "holder").as_deref(), Some("(1 (2))"));
    now.change(text("#entity penny is coin with holder (list 3)")).unwrap();
    assert_eq!(value(&mut now, "penny", "holder").as_deref(), Some("(3)"));
    assert_eq!(reload(&now.record().to_string()).fingerprint(), now.fingerprint());
    assert_eq!(now.undo(5), 5);
    assert_eq!(value(&mut now, "crown", "worth").as_deref(), Some("5"));
    let before = (now.fingerprint(), now.log().len());
    for (change, told) in [
        ("#entity pound is coyn with worth 20", "coyn"),
        ("#entity crown is penny", "penny"),
        ("#entity crown is coin with wort 2", "wort"),
        ("#model coin\n  #property worth (+ 1", "error"),
        ("#model coyn\n  #property worth 2\n#law \"No\" on take to coyn (return (= worht 1))", "worht"),
    ] {
        let message = now.change(text(change)).unwrap_err().to_string();
        assert!(message.contains(told), "{change}: {message}");
        assert_eq!((now.fingerprint(), now.log().len()), before, "{change}");
    }
}

/// [FR-4] How things look is changed during play, recorded, and taken back.
#[test]
fn a_look_is_changed_during_play() {
    let mut now = start("nine-mens-morris", &[]);
    moves(&mut now, 1, &mut Generator::new(4));
    let signs = |now: &mut Match| -> Vec<String> {
        let view = now.position().view(Viewer::Public);
        let cells = view.boards.into_iter().flat_map(|board| board.cells);
        cells.map(|cell| cell.mark.sign).filter(|sign| !sign.is_empty()).collect()
    };
    let before = now.fingerprint();
    assert_eq!(signs(&mut now), ["W"]);
    now.change(Change::Text("#model man\n  #symbol \"○\" \"●\"".into())).unwrap();
    assert_eq!(signs(&mut now), ["○"]);
    now.change(Change::Text("#view small of man\n  #onMessage start (new graphic disc with fill \"gold\")".into()))
        .unwrap();
    assert_eq!(now.fingerprint(), before, "another look is no other position");
    let mut again = reload(&now.record().to_string());
    assert_eq!((again.fingerprint(), signs(&mut again)), (before, signs(&mut now)));
    let events = now.log().len();
    for (change, told) in [
        ("#view small of mann", "Did you mean `man`?"),
        ("#model man\n  #look fill (colr of self)", "colr"),
        ("#model man\n  #symbol", "error"),
    ] {
        let message = now.change(Change::Text(change.into())).unwrap_err().to_string();
        assert!(message.contains(told), "{change}: {message}");
        assert_eq!((now.log().len(), now.fingerprint(), signs(&mut now)), (events, before, vec!["○".into()]));
    }
    assert_eq!(now.undo(2), 2);
    assert_eq!(signs(&mut now), ["W"]);
}

/// [FR-3] Who sees what is changed during play.
#[test]
fn who_sees_a_property_is_changed_during_play() {
    let mut now = start("tic-tac-toe", &[]);
    play(&mut now, "place b2");
    let shown = |now: &mut Match, seat| {
        let seen = houserules_record::seen(&now.position().view(Viewer::Seat(houserules_kernel::SeatId(seat))));
        seen.into_iter().find(|found| found.entity == "b2" && found.property == "mark").map(|found| found.value)
    };
    assert_eq!(shown(&mut now, 1).as_deref(), Some("X"));
    now.change(Change::Text("#model cell\n  #property mark seen by mark".into())).unwrap();
    assert_eq!(shown(&mut now, 0).as_deref(), Some("X"));
    assert_eq!(shown(&mut now, 1).as_deref(), Some("hidden"));
    let mut again = reload(&now.record().to_string());
    assert_eq!(shown(&mut again, 1).as_deref(), Some("hidden"));
    assert_eq!(now.undo(1), 1);
    assert_eq!(shown(&mut now, 1).as_deref(), Some("X"));
}
