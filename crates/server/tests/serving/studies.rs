//! What does this rule do to the game? Asked from a table.

use crate::common::{Client, Running, all_mine, limits};
use houserules_client::{Answered, ask, delete, get};
use houserules_protocol::Code;
use houserules_protocol::rules::{Change, Mode};
use houserules_protocol::study::{LengthRow, StudyPhase, StudyState, StudyWanted};
use houserules_protocol::table::TableOpened;
use houserules_server::Limits;
use std::time::Duration;

fn off(rule: &str, matches: u32) -> StudyWanted {
    StudyWanted { change: Some(Change::Mode { rule: rule.into(), mode: Mode::Off }), matches, level: None }
}

async fn begin(server: &Running, opened: &TableOpened, token: &str, wanted: &StudyWanted) -> Answered {
    let path = format!("/api/tables/{}/studies", opened.table);
    ask(&server.address, "POST", &path, Some(token), Some(wanted)).await.unwrap()
}

async fn state(server: &Running, opened: &TableOpened, study: &str) -> StudyState {
    let path = format!("/api/tables/{}/studies/{study}", opened.table);
    get(&server.address, &path, Some(&opened.watch)).await.unwrap().read().unwrap()
}

/// Asks again until a study has ended.
async fn ended(server: &Running, opened: &TableOpened, study: &str) -> StudyState {
    loop {
        let state = state(server, opened, study).await;
        if !matches!(state.phase, StudyPhase::Waiting | StudyPhase::Playing) {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// [TB60] [TB61] [TB62]: without the law that cells are taken once, tic-tac-toe lasts longer; the report says so,
/// and the table goes on as it was.
#[tokio::test(flavor = "multi_thread")]
async fn a_study_tells_what_a_rule_does_to_the_game() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let client = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let before = client.known.clone();
    let wanted = off("Only empty cells", 60);
    assert_eq!(begin(&server, &opened, &opened.watch, &wanted).await.refusal().unwrap().code, Code::TokenNotAllowed);
    let begun: StudyState = begin(&server, &opened, &opened.seats[1].token, &wanted).await.read().unwrap();
    assert_eq!((begun.words.as_str(), begun.total, begun.report), ("Only empty cells → off", 120, None));
    let state = ended(&server, &opened, &begun.study).await;
    assert_eq!((state.phase, state.done, &state.why), (StudyPhase::Done, 120, &None));
    let report = state.report.unwrap();
    assert_eq!((report.matches_now, report.matches_changed, report.players.as_str()), (60, 60, "random"));
    let length = report.figures.iter().find(|figure| figure.key == "length").unwrap();
    assert!(length.differs && length.changed.mean > length.now.mean, "{length:?}");
    assert!(length.now.mean > 5.0 && length.now.mean < 9.0 && length.now.error > 0.0, "{length:?}");
    assert!(report.verdict.contains("matches are longer"), "{}", report.verdict);
    assert!(report.findings.iter().any(|finding| finding.starts_with("Matches are longer: ")), "{report:?}");
    let counted = |of: fn(&LengthRow) -> u32| report.lengths.iter().map(of).sum::<u32>();
    assert_eq!((counted(|row| row.now), counted(|row| row.changed)), (60, 60));
    assert_eq!(report.rule_matches, 20);
    let rule = |name: &str| report.rules.iter().find(|row| row.rule == name).unwrap();
    // Every match has taken cells on which nothing may be placed; what is off can do nothing.
    assert_eq!((rule("Only empty cells").now, rule("Only empty cells").changed), (Some(1.0), None));
    assert!(rule("A line of marks wins").changed.is_some_and(|part| part > 0.9), "{:?}", report.rules);
    let after = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    assert_eq!((after.known.n, &after.known.scene), (before.n, &before.scene));
}

/// [TB60] [TB62]: asked without a change, a study tells what the game is like as it stands, and nothing else is played.
#[tokio::test(flavor = "multi_thread")]
async fn a_study_without_a_change_tells_what_the_game_is_like() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let wanted = StudyWanted { change: None, matches: 100, level: None };
    let begun: StudyState = begin(&server, &opened, &opened.host, &wanted).await.read().unwrap();
    assert_eq!((begun.words.as_str(), begun.total), ("", 100));
    let report = ended(&server, &opened, &begun.study).await.report.unwrap();
    assert_eq!((report.matches_now, report.matches_changed), (100, 0));
    assert_eq!((report.verdict.as_str(), report.findings.len()), ("", 0));
    let length = report.figures.iter().find(|figure| figure.key == "length").unwrap();
    assert!(length.now.mean > 6.0 && length.now.mean < 9.0 && !length.differs, "{length:?}");
}

/// [TB61] [TB62]
#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_does_not_compile_and_a_study_of_another_table_are_refused() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let other = server.open(&all_mine("tic-tac-toe", 2)).await;
    let text = |text: &str| StudyWanted { change: Some(Change::Text { text: text.into() }), matches: 1, level: None };
    let host = opened.host.as_str();
    for (wanted, code) in [
        (off("No such rule", 10), Code::RuleUnknown),
        (text("#law \"x\" on place\n  (require ("), Code::RuleText),
        (off("Only empty cells", 0), Code::RequestMalformed),
        (off("Only empty cells", 1001), Code::RequestMalformed),
        (StudyWanted { level: Some(4), ..off("Only empty cells", 1) }, Code::RequestMalformed),
    ] {
        assert_eq!(begin(&server, &opened, host, &wanted).await.refusal().unwrap().code, code, "{wanted:?}");
    }
    let begun: StudyState = begin(&server, &opened, host, &off("Only empty cells", 1)).await.read().unwrap();
    let path = format!("/api/tables/{}/studies/{}", other.table, begun.study);
    let foreign = get(&server.address, &path, Some(&other.host)).await.unwrap();
    assert_eq!((foreign.status, foreign.refusal().unwrap().code), (404, Code::StudyUnknown));
    assert_eq!(ended(&server, &opened, &begun.study).await.phase, StudyPhase::Done);
}

/// [TB63] [TB64].
#[tokio::test(flavor = "multi_thread")]
async fn a_study_can_be_stopped_and_there_is_one_at_a_time() {
    // However busy the computer is.
    let server = Running::with(Limits { study_seconds: 100_000, ..limits() }).await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let long = StudyWanted { level: Some(3), ..off("Only empty cells", 1000) };
    let begun: StudyState = begin(&server, &opened, &opened.host, &long).await.read().unwrap();
    let second = begin(&server, &opened, &opened.host, &long).await;
    assert_eq!(second.refusal().unwrap().code, Code::StudyBusy);
    // At another table it waits for its turn.
    let other = server.open(&all_mine("nim", 2)).await;
    while state(&server, &opened, &begun.study).await.done < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let waiting: StudyState =
        begin(&server, &other, &other.host, &off("Who takes the last counter wins", 1)).await.read().unwrap();
    assert_eq!(state(&server, &other, &waiting.study).await.phase, StudyPhase::Waiting);
    let path = format!("/api/tables/{}/studies/{}", opened.table, begun.study);
    assert_eq!(delete(&server.address, &path, Some(&opened.watch)).await.unwrap().status, 403);
    assert_eq!(delete(&server.address, &path, Some(&opened.host)).await.unwrap().status, 204);
    let stopped = ended(&server, &opened, &begun.study).await;
    assert_eq!((stopped.phase, stopped.why.as_deref()), (StudyPhase::Stopped, Some("It was stopped.")));
    assert!(stopped.done >= 2 && stopped.done < 2000, "{stopped:?}");
    let report = stopped.report.unwrap();
    assert_eq!(report.matches_now + report.matches_changed, stopped.done);
    assert_eq!(ended(&server, &other, &waiting.study).await.phase, StudyPhase::Done);
}

/// [TB62]: while it runs it says what the matches have said so far, and of more of them each time.
#[tokio::test(flavor = "multi_thread")]
async fn a_study_tells_its_figures_while_it_runs() {
    // So long that a busy computer cannot end it before it has told twice.
    let server = Running::with(Limits { study_seconds: 600, ..limits() }).await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let long = StudyWanted { level: Some(3), ..off("A line of marks wins", 1000) };
    let begun: StudyState = begin(&server, &opened, &opened.host, &long).await.read().unwrap();
    let mut counted = Vec::new();
    while counted.len() < 2 {
        let state = state(&server, &opened, &begun.study).await;
        assert_eq!((state.phase, &state.why), (StudyPhase::Playing, &None), "it was over before it told twice");
        if let Some(report) = state.report {
            let n = report.matches_now + report.matches_changed;
            assert!(n > 0 && n <= state.done && !report.figures.is_empty(), "{report:?}");
            if counted.last() != Some(&n) {
                counted.push(n);
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(counted.is_sorted(), "{counted:?}");
    let path = format!("/api/tables/{}/studies/{}", opened.table, begun.study);
    assert_eq!(delete(&server.address, &path, Some(&opened.host)).await.unwrap().status, 204);
    assert_eq!(ended(&server, &opened, &begun.study).await.phase, StudyPhase::Stopped);
}

/// [TB64]
#[tokio::test(flavor = "multi_thread")]
async fn a_study_whose_time_is_up_reports_what_it_has() {
    let server = Running::with(Limits { study_seconds: 0, ..limits() }).await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let begun: StudyState = begin(&server, &opened, &opened.host, &off("Only empty cells", 50)).await.read().unwrap();
    let stopped = ended(&server, &opened, &begun.study).await;
    assert_eq!((stopped.phase, stopped.why.as_deref()), (StudyPhase::Stopped, Some("A study may take 0 seconds.")));
    assert!(stopped.done > 0 && stopped.done < 100, "{stopped:?}");
}
