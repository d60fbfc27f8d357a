use crate::{fault, open, play, property, value};

/// [FR-69] [FR-75] Numbers are exact and have one form.
#[test]
fn a_quotient_is_exact_and_whole_where_it_is_whole() {
    assert_eq!(value("(/ 7 2)"), "3.5");
    assert_eq!(value("(/ 8 2)"), "4");
    assert_eq!(value("(= (/ 8 2) 4)"), "true");
    assert_eq!(value("(+ 3.5 0.5)"), "4");
}

#[test]
fn a_remainder_has_the_sign_of_the_divisor() {
    assert_eq!(value("(mod -1 3)"), "2");
    assert_eq!(value("(mod 1 -3)"), "-2");
    assert_eq!(value("(mod 6 3)"), "0");
}

#[test]
fn dividing_by_zero_and_calculating_with_words_are_faults() {
    assert!(fault("(/ 1 0)").contains("zero"));
    assert!(fault("(mod 1 0)").contains("zero"));
    assert!(fault("(+ 1 \"two\")").contains("two"));
    assert!(fault("(< 1 nil)").contains("nil"));
    assert!(fault("(* 100000000 100000000)").contains("large"));
    assert!(fault("(< 1 \" \")").ends_with("A comparison needs a number, not “ ”."));
}

/// The largest number is 2^47 - 1, however one comes to it.
#[test]
fn beyond_the_largest_number_is_a_fault() {
    assert_eq!(value("(+ 140737488355326 1)"), "140737488355327");
    assert_eq!(value("(- -140737488355326 1)"), "-140737488355327");
    for beyond in
        ["(+ 140737488355327 1)", "(- -140737488355327 1)", "(+ 140737488355327 0.5)", "(* 140737488355327 1.5)"]
    {
        assert!(fault(beyond).contains("large"), "{beyond}");
    }
    for beyond in [
        "(/ 140737488355327 0.5)",
        "(sum it of (list 140737488355327 140737488355327))",
        "(abs (* -2 100000000000000))",
    ] {
        assert!(fault(beyond).contains("large"), "{beyond}");
    }
}

/// [FR-74] Only nil is false.
#[test]
fn zero_the_empty_text_and_the_empty_list_are_true() {
    for truth in ["0", "\"\"", "(list)"] {
        assert_eq!(value(&format!("(if {truth} 1 else 2)")), "1");
    }
    assert_eq!(value("(if nil 1 else 2)"), "2");
}

#[test]
fn and_and_or_give_the_last_value_looked_at() {
    assert_eq!(value("(and 1 2)"), "2");
    assert_eq!(value("(and nil (/ 1 0))"), "nil");
    assert_eq!(value("(or nil 3 (/ 1 0))"), "3");
}

/// [FR-71] [FR-76] Positions start at 0.
#[test]
fn lists_are_read_from_position_zero_and_nil_beyond_the_end() {
    assert_eq!(value("(at 1 of (list 5 6 7))"), "6");
    assert_eq!(value("(at 3 of (list 5 6 7))"), "nil");
    assert_eq!(value("(first (list 5 6))"), "5");
    assert_eq!(value("(position of 6 in (list 5 6))"), "1");
    assert_eq!(value("(insert 9 at 0 in (list 5 6))"), "(9 5 6)");
    assert_eq!(value("(remove 0 from (list 5 6))"), "(6)");
    assert_eq!(value("(different (join (list 1 2) (list 2 3)))"), "(1 2 3)");
    assert_eq!(value("(range 3 1 -1)"), "(3 2 1)");
    assert_eq!(value("(range 2 1)"), "()");
}

/// `for` looks only at what a player owns; whose it is, is asked once and outside.
#[test]
fn quantifiers_look_at_what_a_player_owns() {
    let asked = |expr: &str| {
        let mut position = open(&format!(
            r#"#game "Toy" #players "X" "O" #property result
            #model cell #board cell grid 3 1
            #model coin #property worth 1 #define others (count coin for (next of owner))
            #entity penny is coin with owner X #entity crown is coin with owner O worth 5
            #entity florin is coin with owner X worth 2 #entity lost is coin with worth 9
            #setup (set result to {expr})
            #action go"#
        ));
        property(&mut *position, "game", "result")
    };
    assert_eq!(asked("(all coin for X)"), "(penny florin)");
    assert_eq!(asked("(all coin for nil)"), "(lost)");
    assert_eq!(asked("(all worth of coin for X where (> worth 1))"), "(2)");
    assert_eq!(asked("(any c in coin for O where (> (worth of c) 1))"), "crown");
    assert_eq!(asked("(every coin for X where (< worth 3))"), "true", "others are not asked");
    assert_eq!(asked("(every coin for X where (> worth 1))"), "nil");
    assert_eq!(asked("(every coin for X)"), "true");
    assert_eq!(asked("(none coin for O where (< worth 5))"), "true");
    assert_eq!(asked("(count (list penny crown) for X)"), "1");
    assert_eq!(asked("(sum worth of (list penny crown lost) for nil)"), "9");
    assert_eq!(asked("(most worth of coin for X)"), "(florin)");
    assert_eq!(asked("(list (others of penny) (others of crown))"), "(1 2)", "the owner of self, not of the candidate");
}

/// [FR-72] A missing key is nil.
#[test]
fn dictionaries_are_equal_by_content() {
    assert_eq!(value("(match X in (dictionary X 1 O 2))"), "1");
    assert_eq!(value("(match \"no\" in (dictionary X 1))"), "nil");
    assert_eq!(value("(= (dictionary X 1 O 2) (dictionary O 2 X 1))"), "true");
    assert_eq!(value("(= (put 3 at X in (dictionary X 1)) (dictionary X 3))"), "true");
}

/// Equal dictionaries are gone through equally: numbers by size, texts by their letters, things as they came into being.
#[test]
fn keys_stand_in_one_order_however_they_were_put_in() {
    let mixed = r#"(dictionary "b" 1 3 1 O 1 "a" 1 X 1 1.5 1 -2 1 (cell at 2 1) 1 (cell at 1 1) 1)"#;
    assert_eq!(value(&format!("(all k of k in {mixed})")), "(-2 1.5 3 a b X O a1 b1)");
    assert_eq!(value("(first (put 1 at \"a\" in (dictionary \"b\" 2)))"), "a");
    assert_eq!(value("(join (dictionary O 1 X 2) (list))"), "(X O)");
}

#[test]
fn a_key_is_a_text_a_number_or_an_entity() {
    for key in ["nil", "(list 1)", "(dictionary 1 2)", "(new message a)"] {
        assert!(fault(&format!("(put 1 at {key} in (dictionary))")).contains("key"), "{key}");
        assert!(fault(&format!("(dictionary {key} 1)")).contains("key"), "{key}");
    }
}

/// Nothing is taken away where `position` found nothing.
#[test]
fn removing_at_nil_leaves_the_list_as_it_is() {
    assert_eq!(value("(remove (position of 9 in (list 5 6)) from (list 5 6))"), "(5 6)");
    assert!(fault("(remove 2 from (list 5 6))").contains("beyond"));
}

/// [FR-73] [FR-104] A message is a value.
#[test]
fn messages_are_equal_by_content() {
    assert_eq!(value("(= (new message a with k 1) (new message a with k 1))"), "true");
    assert_eq!(value("(k of (new message a with k 1))"), "1");
    assert_eq!(value("(attribute label of (new message a))"), "a");
}

#[test]
fn quantifiers_share_one_scheme() {
    assert_eq!(value("(count cell where (= row 2))"), "3");
    assert_eq!(value("(any cell where (= row 2))"), "a2");
    assert_eq!(value("(none cell where mark)"), "true");
    assert_eq!(value("(every nil where nil)"), "true");
    assert_eq!(value("(sum row of cell where (= column 1))"), "6");
    assert_eq!(value("(max row of nil)"), "nil");
    assert_eq!(value("(all (* n n) of n in (list 1 2 3) where (> n 1))"), "(4 9)");
    assert_eq!(value("(most (mod n 2) of n in (list 1 2 3))"), "(1 3)");
}

#[test]
fn of_nil_everything_is_nil() {
    assert_eq!(value("(mark of nil)"), "nil");
    assert_eq!(value("(count (contents of nil))"), "0");
    assert_eq!(value("(row of (north of (cell at 1 3)))"), "nil");
}

/// [FR-108] Endless recursion is stopped with a reason, and never takes the host's stack.
#[test]
fn defines_nested_too_deep_are_a_fault() {
    assert_eq!(value("(deep 300)"), "0");
    assert!(fault("(deep 3000)").contains("deep"));
}

#[test]
fn rules_that_never_come_to_a_decision_are_stopped() {
    assert!(fault("(do (while true (var x 1)) end)").contains("too long"));
}

/// [FR-93] [FR-94] A fetched list is a copy.
#[test]
fn changing_a_fetched_list_does_not_change_the_property() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property kept (list 1)
        #action go (var copy kept) (set copy to (append 2 to copy))"#,
    );
    play(&mut *position, "go").unwrap();
    assert_eq!(property(&mut *position, "game", "kept"), "(1)");
}

/// [FR-67] An expression is a form in parentheses, its name first, with forms in it.
#[test]
fn forms_are_written_in_prefix_notation() {
    assert_eq!(value("(+ 1 (* 2 (- 9 4)))"), "11");
}
