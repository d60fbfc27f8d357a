//! One way to lay a text out.

mod common;

use common::{read, sound};
use houserules_gdl::format;
use houserules_model::directives;
use proptest::prelude::*;

fn formatted(text: &str) -> String {
    format(text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
}

#[test]
fn a_text_laid_out_twice_is_laid_out_once_and_means_the_same() {
    for text in common::definitions() {
        let once = formatted(text);
        assert_eq!(formatted(&once), once);
        assert_eq!(sound(&once), sound(text));
    }
}

#[test]
fn a_text_that_is_laid_out_stays_as_it_is() {
    assert_eq!(formatted(houserules_model::examples::DEMO), houserules_model::examples::DEMO);
}

#[test]
fn parts_stand_under_what_they_belong_to() {
    let text = "\n\n\n#model hole ; a pit\n#property stones\n; how it is sown\n#state empty\n#onMessage sow left\n(if (> left 0)\n(again)\nelse\n(do (draw)\n; never\n)\n)\n\n\n\n#board hole graph\n#link a b #link b c\n#variant \"V\"\n#rule \"R\" instead\n( draw )\n#model hole\n#property p    \n  ; the end";
    insta::assert_snapshot!(formatted(text));
}

#[test]
fn a_body_behind_do_at_the_end_of_a_line_does_not_creep_to_the_right() {
    let text = "#setup\n  (if (> (count coin) 3) (do\n    (draw)\n    end))\n  (join (list 1)\n    (list 2))\n";
    assert_eq!(formatted(text), text);
}

#[test]
fn broken_text_is_given_back_as_faults() {
    assert!(format("#setup (draw").is_err());
    assert!(format("#setup draw)").is_err());
    assert!(format("#info a \"b").is_err());
    // What is only misspelt can be laid out.
    assert_eq!(formatted("#setpu   (darw)"), "#setpu (darw)\n");
}

#[test]
fn a_body_without_a_directive_stands_at_the_edge() {
    assert_eq!(formatted("   (var x 1)\n (set x\nto 2)"), "(var x 1)\n(set x\n  to 2)\n");
    assert_eq!(formatted(""), "");
}

proptest! {
    #[test]
    fn any_sound_text_keeps_its_meaning(parts in prop::collection::vec(part(), 0..40)) {
        let text = parts.concat();
        if let Ok(once) = format(&text) {
            prop_assert_eq!(format(&once), Ok(once.clone()));
            prop_assert_eq!(read(&once).definition, read(&text).definition);
            let words = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(words(&once), words(&text));
        }
    }
}

/// A piece of text with some layout behind it.
fn part() -> impl Strategy<Value = String> {
    let names: Vec<String> = directives::all().iter().map(|def| format!("#{}", def.name)).collect();
    let piece = prop_oneof![
        prop::sample::select(names),
        Just("(draw)".to_string()),
        Just("(if x\n(again)\n\nelse (win p))".to_string()),
        Just("( ; odd\n)".to_string()),
        Just("; said\n".to_string()),
        Just("\"two\n  lines\"".to_string()),
        "[a-z]{1,3}",
        "[0-9]{1,3}",
    ];
    (piece, prop::sample::select(vec![" ", "\n", "\n\n\n", "\t", "  \r\n ", ""]))
        .prop_map(|(piece, space)| piece + space)
}
