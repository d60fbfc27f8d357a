//! Records that were written once and never again: what they say must stay true.

use houserules_record::{Fault, LineKind, Record, Which, open};
use std::path::PathBuf;

/// Every record in the folder, with its name.
fn kept() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/kept");
    let mut kept: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    kept.sort();
    kept
}

fn replayed(text: &str) -> (u64, Option<Fault>) {
    let parsed = Record::parse(text);
    assert_eq!(parsed.fault, None);
    let mut replay = open(parsed.record, None, Which::Embedded).unwrap().replay;
    let fault = replay.run();
    (replay.now().fingerprint().0, fault)
}

/// [BG-3] A record that an earlier version wrote ends in the position that was written down then: by its own rules, and
/// by fingerprints that say what a position means, not how memory holds it.
#[test]
fn old_records_end_where_they_ended() {
    let kept = kept();
    assert!(kept.len() >= 5, "they are not to be lost");
    for (name, text) in kept {
        let (fingerprint, fault) = replayed(&text);
        assert_eq!(fault, None, "{name}");
        let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap();
        assert_eq!(last, format!("fingerprint {fingerprint:016x}"), "{name}");
    }
}

/// A choice that is left out at the end of any of them is noticed.
#[test]
fn every_choice_counts_for_the_fingerprint() {
    for (name, text) in kept() {
        let mut record = Record::parse(&text).record;
        let is_play = |kind: &LineKind| matches!(kind, LineKind::Choice { .. } | LineKind::Chance { .. });
        let last = record.lines.iter().rposition(|line| is_play(&line.kind)).unwrap();
        record.lines.drain(last..record.lines.len() - 1);
        let fault = replayed(&record.to_string()).1;
        assert!(fault.is_some_and(|fault| fault.reason.contains("another one")), "{name}");
    }
}
