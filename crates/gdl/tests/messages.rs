//! Messages to authors: each snapshot holds the source and all that is said about it.

mod common;

use common::with_messages;
use houserules_gdl::{Sources, render, render_all};
use houserules_model::{Diagnostic, FileId, Origin};

macro_rules! said {
    ($($name:ident $text:literal;)*) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(with_messages($text));
        })*
    };
}

said! {
    an_unclosed_form_is_told_with_the_directive_that_ends_it
        "#game \"Toy\"\n#setup\n  (if (> n 3)\n    (draw)\n#turns";
    an_unclosed_form_at_the_end_is_told "#setup (foreach c in l (draw)";
    a_parenthesis_too_many_is_told "#setup\n  (draw))";
    an_unclosed_string_ends_with_its_line "#info rules \"Four in a row\n#setup (say \"Hello)\n#turns";
    a_misspelt_directive_is_told_with_the_nearest "#game \"Toy\"\n#sideefect \"Win\" on place (win player)";
    a_strange_directive_is_told_with_the_list "#zebra";
    a_form_that_does_not_fit_is_told_with_how_it_is_written "#setup\n  (set x 3)";
    the_furthest_fit_of_several_is_shown "#setup (ask p \"Which?\" 2 times of l)";
    a_missing_value_is_told "#setup (send take to p with stones 3 hand)";
    a_switch_without_cases_is_told "#setup (switch x 1 2)";
    a_case_after_else_is_told "#setup (switch x (else 1) (case 2 3) (case))";
    a_sign_of_another_language_is_told_with_ours "#setup (if (== n 3) (draw))";
    a_sign_between_its_values_is_told_once "#setup (if (n == 3) (n = 4))\n#define total (1 + n)";
    then_is_told_to_be_left_out "#setup (if (> n 3) then (draw) else (win X))";
    a_chain_of_conditions_is_told_where_its_parentheses_stand "#setup (if (> n 3) (draw) else if (< n 0) (win X))";
    a_loop_of_another_language_is_told_with_ours "#setup (for x in cell (remove x))\n#sideeffect \"All\" on place (for each x in cell (remove x))";
    an_empty_form_is_told "#setup (win ())";
    a_form_that_begins_with_a_form_is_told "#setup ((var x 1) (draw))";
    a_number_that_is_too_big_is_told "#setting size 99999999999999999999 from 1.2.3 to 4";
    something_before_the_first_directive_is_told "tic tac toe\n#turns";
    a_directive_without_its_model_is_told "#turns\n#onMessage sow (draw)";
    a_rule_without_its_message_is_told "#law \"Only empty cells\" (require (not mark))";
    a_rule_without_a_name_is_told "#law on place (require (not mark))";
    two_players_with_one_name_are_told "#players \"X\" \"X\"";
    more_seats_than_names_are_told "#players 2 to 4 named A B";
    a_change_of_a_rule_that_is_not_there_is_told "#law \"Only empty cells\" on place (draw)\n#rule \"Only emty cells\" off";
    a_variant_of_nothing_is_told "#variant \"Big\" from \"Bigg\"\n#variant \"Small\"\n  #set size 2";
    a_board_without_a_shape_is_told "#board cell square 3 3";
    a_sign_that_means_nothing_is_told "#setup {draw}, # x";
    of_in_the_wrong_place_is_told "#setup (worth of a b)";
    a_link_without_a_board_is_told "#link a b";
    a_rule_said_twice_in_one_file_is_a_warning "#law \"R\" on a (return)\n#law \"R\" on b (return)";
}

#[test]
fn a_message_about_nothing_in_particular_has_no_place() {
    let diagnostic = Diagnostic::warning("toy/none", "Nothing to do", Origin::NONE, "There is no file here.")
        .note("A fact.")
        .hint("do something.");
    insta::assert_snapshot!(render(&diagnostic, &Sources::new(), false));
}

#[test]
fn places_in_several_files_are_shown_and_counted() {
    let mut sources = Sources::new();
    sources.add("one.gdl", "#turns\n#turns free\n").unwrap();
    sources.add("two.gdl", "#turns").unwrap();
    let at = |file: u16, start, end| Origin::new(FileId(file), start, end);
    let error = Diagnostic::error("toy/twice", "Said twice", at(0, 7, 18), "Here,").and(at(1, 0, 6), "and here.");
    let warning = Diagnostic::warning("toy/odd", "Odd", at(0, 0, 6), "This.");
    insta::assert_snapshot!(render_all(&[warning, error], &sources, false));
}

#[test]
fn an_origin_beyond_its_file_does_no_harm() {
    let mut sources = Sources::new();
    sources.add("é.gdl", "é").unwrap();
    for (start, end) in [(0, 99), (1, 1), (99, 3), (2, 2), (u32::MAX, 0)] {
        let diagnostic = Diagnostic::error("toy/beyond", "Beyond", Origin::new(FileId(0), start, end), "Here.");
        assert!(render(&diagnostic, &sources, true).contains("Beyond"));
    }
}
