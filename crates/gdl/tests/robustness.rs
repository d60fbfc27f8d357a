//! Nothing that can be typed stops the reader.

mod common;

use common::{MARKET, read};
use houserules_gdl::{DEEPEST, format, parse, render};
use houserules_model::FileId;
use proptest::prelude::*;

/// Everything that can be done with a text, in one go.
fn survive(text: &str) {
    let parsed = parse(FileId(0), text);
    assert_eq!(parsed.root().text().to_string(), text, "the tree holds every byte");
    let loaded = read(text);
    for diagnostic in loaded.diagnostics.iter().take(20) {
        render(diagnostic, &loaded.sources, true);
    }
    let printed = loaded.definition.to_string();
    read(&printed);
    let _ = format(text);
}

#[test]
fn deep_forms_are_refused_without_a_crash() {
    for n in [DEEPEST, DEEPEST + 1, 100_000] {
        let text = format!("#setup {}draw{}\n#turns", "(not ".repeat(n), ")".repeat(n));
        survive(&text);
        let codes = common::codes(&text);
        assert_eq!(codes.contains(&"text/too-deep"), n > DEEPEST, "{n} deep: {codes:?}");
        survive(&"(".repeat(n));
        survive(&")".repeat(n.min(2000)));
    }
}

#[test]
fn nested_forms_with_several_readings_take_no_time() {
    // `max` has two patterns; trying each of them on every level would take 2 to the 200th steps.
    let text = format!("#evaluator e {}1{}", "(max 0 ".repeat(200), ")".repeat(200));
    assert!(read(&text).diagnostics.is_empty());
}

#[test]
fn odd_numbers_and_signs_do_no_harm() {
    for text in
        ["-", "--1", "1.", ".5", "-.5", "1.2.3", "9223372036854775807", "-9223372036854775808", "1e5", "\u{feff}#turns"]
    {
        survive(&format!("#evaluator e {text}"));
    }
    survive(&format!("#evaluator e {}.5", "9".repeat(400)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_is_survived(text in "\\PC{0,80}|[#()\"; \\\\a-z0-9.\n\r\t-]{0,120}") {
        survive(&text);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_edit_of_a_definition_is_survived(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, "[#()\"; a-z0-9\n]{0,6}"), 1..4)
    ) {
        let mut chars: Vec<char> = MARKET.chars().collect();
        for (at, length, new) in edits {
            let start = at.index(chars.len() + 1);
            let end = (start + length).min(chars.len());
            chars.splice(start..end, new.chars());
        }
        survive(&chars.into_iter().collect::<String>());
    }
}
