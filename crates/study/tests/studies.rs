//! Studies of games whose truth is known.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use houserules_kernel::Rulebook;
use houserules_library::{Options, about, find};
use houserules_players::Recipe;
use houserules_study::report::{Report, html};
use houserules_study::{Plan, Rule, RuleKind, Study, Subject, Summary};

fn subject(game: &str, label: &str, options: &Options) -> Subject {
    let found = find(game).unwrap();
    let rules = about(&found.arrange(options).unwrap()).rules.into_iter().map(|rule| {
        let mut without = options.clone();
        without.off.push(rule.name.clone());
        let without = found.compile(&without).ok().map(|game| Arc::new(game) as Arc<dyn Rulebook>);
        let kind = match rule.kind {
            houserules_model::RuleKind::SideEffect => RuleKind::SideEffect,
            _ => RuleKind::Law,
        };
        Rule { name: rule.name, kind, without }
    });
    Subject { label: label.into(), rulebook: Arc::new(found.compile(options).unwrap()), rules: rules.collect() }
}

fn plan(subjects: Vec<Subject>, matches: u64) -> Plan {
    let players = vec![Recipe { kind: "random".into(), ..Recipe::default() }];
    Plan { title: "A game".into(), subjects, players, matches, seed: 1, longest: 300, rule_matches: 8 }
}

fn with_variant(variant: &str) -> Options {
    Options { variants: vec![variant.into()], ..Options::default() }
}

fn kept(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("houserules-study-{name}-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn studied(name: &str, plan: Plan) -> (Report, Vec<Summary>) {
    let path = kept(name);
    let mut study = Study::open(plan, &path).unwrap();
    study.run(2, &AtomicBool::new(false), |_| {}).unwrap();
    std::fs::remove_file(path).unwrap();
    let summaries = study.summaries();
    (Report::new(&study.plan, summaries.clone()), summaries)
}

fn figure(summary: &Summary, key: &str) -> (f64, f64, f64) {
    let figure = summary.figures.iter().find(|figure| figure.key == key).expect(key);
    (figure.mean, figure.low, figure.high)
}

/// Of 255168 random games in their proportions X wins 58.5, O 28.8 and nobody 12.7 in a hundred.
#[test]
fn figures_of_tic_tac_toe_hold_the_truth_within_their_errors() {
    let subjects = vec![
        subject("tic-tac-toe", "as it is", &Options::default()),
        subject("tic-tac-toe", "misere", &with_variant("misere")),
    ];
    let (report, summaries) = studied("figures", plan(subjects, 400));
    let plain = &summaries[0];
    for (key, truth) in [("seat_1", 0.585 + 0.127 / 2.0), ("draws", 0.127), ("decisive", 0.873), ("length", 7.6)] {
        let (_, low, high) = figure(plain, key);
        // Twice the error: of many such lines one would fail by chance.
        let slack = (high - low) / 2.0;
        assert!(low - slack < truth && truth < high + slack, "{key}: {truth} in {low} to {high}");
    }
    // In misère the seats change places; draws and length stay as they are.
    let differs = |key: &str| {
        let differences = &report.comparisons[0].differences;
        differences.iter().find(|difference| difference.key == key).unwrap().more_than_noise
    };
    assert!(differs("seat_1") && differs("first_seat_advantage"));
    assert!(!differs("draws") && !differs("length"));
    // A line is not longer in coming, so marks are in the way as often as before.
    let rules = &report.comparisons[0].rules;
    assert!(rules.iter().any(|rule| rule.key == "Only empty cells" && !rule.more_than_noise), "{rules:?}");
    let findings = report.findings();
    let [("misere", findings)] = findings.as_slice() else { panic!("{findings:?}") };
    // Said once, though the points of both seats differ with it.
    let of_seats: Vec<&String> = findings.iter().filter(|finding| finding.contains(" does ")).collect();
    let [finding] = of_seats.as_slice() else { panic!("{findings:?}") };
    assert!(finding.starts_with("The first seat does worse: −"), "{finding}");
}

/// Which rules refuse, which matter, and which never do: a full board ends the match as a draw even without its rule.
#[test]
fn rules_are_known_by_what_they_do() {
    let (_, summaries) = studied("rules", plan(vec![subject("tic-tac-toe", "as it is", &Options::default())], 60));
    let rule = |name: &str| summaries[0].rules.iter().find(|rule| rule.name == name).unwrap();
    let law = rule("Only empty cells");
    assert!(
        law.refused_at.mean > 0.5 && law.refused.mean > 1.0 && law.n_mattered() == Some((8, 8)) && !law.never,
        "{law:?}"
    );
    // Each figure has its error.
    assert!(law.refused_at.low < law.refused_at.mean && law.refused_at.mean < law.refused_at.high, "{law:?}");
    assert!(law.refused.error() > 0.0 && law.mattered.as_ref().is_some_and(|mattered| mattered.low < 1.0));
    assert_eq!(rule("A line of marks wins").refused.mean, 0.0);
    assert!(rule("A line of marks wins").n_mattered() > Some((0, 8)));
    let idle = rule("A full board is a draw");
    assert!(idle.never && idle.n_mattered() == Some((0, 8)) && idle.at_most.is_some(), "{idle:?}");
    assert_eq!((summaries[0].matches, summaries[0].rule_matches), (60, 8));
}

/// Without its rule for a full board, tic-tac-toe comes to a point where nobody can move, and that is counted.
#[test]
fn dead_positions_and_endless_matches_are_counted() {
    let off = Options { off: vec!["A full board is a draw".into()], ..Options::default() };
    let mut endless = plan(vec![subject("tic-tac-toe", "no end", &off)], 60);
    let (_, summaries) = studied("stuck", endless);
    let ((stuck, ..), (draws, ..)) = (figure(&summaries[0], "stuck"), figure(&summaries[0], "draws"));
    assert!(stuck > 0.0 && stuck == draws, "{stuck} and {draws}");
    endless = plan(vec![subject("awele", "cut", &Options::default())], 6);
    endless.longest = 10;
    let (_, summaries) = studied("cut", endless);
    assert_eq!(figure(&summaries[0], "cut").0, 1.0);
    assert_eq!(figure(&summaries[0], "length").0, 10.0);
}

#[test]
fn an_interrupted_study_loses_nothing_that_was_played_and_ends_the_same() {
    let subjects =
        || vec![subject("nim", "as it is", &Options::default()), subject("nim", "four", &with_variant("four heaps"))];
    let path = kept("parts");
    let stop = AtomicBool::new(false);
    let mut first = Study::open(plan(subjects(), 30), &path).unwrap();
    first.run(2, &stop, |done| stop.store(done >= 7, Ordering::Relaxed)).unwrap();
    let before = first.n_done();
    assert!((7..60).contains(&before));
    drop(first);
    // As a crash leaves it: half a line at the end.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}{{\"subject\":0,\"num")).unwrap();
    let mut rest = Study::open(plan(subjects(), 30), &path).unwrap();
    assert_eq!(rest.n_done(), before);
    rest.run(2, &AtomicBool::new(false), |_| {}).unwrap();
    let (_, at_once) = studied("whole", plan(subjects(), 30));
    assert_eq!(rest.summaries(), at_once);
    // More matches can be added later; another seed is another study.
    assert_eq!(Study::open(plan(subjects(), 40), &path).unwrap().n_done(), 60);
    let other = Plan { seed: 2, ..plan(subjects(), 30) };
    assert!(Study::open(other, &path).map(|_| ()).unwrap_err().to_string().contains("something else"));
    std::fs::remove_file(path).unwrap();
}

/// The page needs nothing from elsewhere, and no name can break out of it.
#[test]
fn the_report_stands_alone() {
    let mut one = subject("nim", "as it is", &Options::default());
    one.label = "<script>alert(1)</script>".into();
    let subjects = vec![one, subject("nim", "four", &with_variant("four heaps"))];
    let (report, _) = studied("report", plan(subjects, 10));
    let page = html(&report);
    assert!(page.contains("<svg") && page.contains("How it was measured"));
    for outside in ["http://", "https://", "src=", "href=", "<script"] {
        assert!(!page.contains(outside), "{outside}");
    }
    // Seats, ends, lengths and branching of both, and what stands out in the second.
    assert_eq!((page.matches("<svg").count(), page.matches("<figure").count()), (4, 5));
    // Each drawing says what it shows to those who cannot see it.
    assert_eq!((page.matches("</title><desc>").count(), page.matches("<desc></desc>").count()), (4, 0));
    assert!(page.contains("What stands out in “four”") && page.contains("players who choose at random"));
}

/// Players sit on every seat equally often, so that strength does not look like luck of the seat.
#[test]
fn players_change_seats() {
    let mut plan = plan(vec![subject("nim", "as it is", &Options::default())], 10);
    plan.players.push(Recipe { kind: "greedy".into(), ..Recipe::default() });
    assert_eq!((plan.seating(2, 0), plan.seating(2, 1)), (vec![0, 1], vec![1, 0]));
    plan.players.pop();
    assert_eq!((plan.seating(3, 0), plan.seating(3, 1)), (vec![0, 0, 0], vec![0, 0, 0]));
}
