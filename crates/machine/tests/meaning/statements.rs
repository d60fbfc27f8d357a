//! Every statement that a behavior can be made of.

use crate::{choices, open, play, played, property, value};

/// The value of the last expression of a body.
fn after(body: &str) -> String {
    value(&format!("(do {body} end)"))
}

/// What a coin hears when it is told to `go`, with this body and these other behaviors.
fn heard(body: &str, others: &str) -> String {
    let text = format!(
        r#"#game "Toy" #players "X"
        #model coin
          #property worth 5 #property heard "nothing" #relation partner #appearance colour "gold"
          #onMessage go {body}
          {others}
        #entity penny is coin with partner crown #entity crown is coin with worth 7
        #action begin (send go to penny)"#
    );
    let mut position = played(&text, &["begin"]);
    property(&mut *position, "penny", "heard")
}

/// [GM-27] [GM-70] [GM-71] [GM-72] Statements run one after the other, and share their variables.
#[test]
fn a_block_runs_in_sequence() {
    assert_eq!(after("(var n 2) (set n to (* n 3)) (set n to (+ n 1)) n"), "7");
    assert_eq!(after("(var n) n"), "nil");
    assert_eq!(after("(var n 1) (if true (var m 5) (set n to m)) n"), "5");
}

/// [GM-28] [GM-29] [GM-30] [GM-31] [GM-32] [GM-33]
#[test]
fn numbers_are_calculated_with() {
    let sums = [
        ("(- 3)", "-3"),
        ("(+ 7 2)", "9"),
        ("(- 7 2)", "5"),
        ("(* 7 2)", "14"),
        ("(/ 7 2)", "3.5"),
        ("(mod 7 2)", "1"),
    ];
    for (sum, result) in sums {
        assert_eq!(value(sum), result, "{sum}");
    }
}

/// [GM-34] [GM-35] [GM-36] [GM-37] [GM-38] [GM-39]
#[test]
fn values_are_compared() {
    for (form, less, same, more) in [
        ("=", "nil", "true", "nil"),
        ("!=", "true", "nil", "true"),
        ("<", "true", "nil", "nil"),
        ("<=", "true", "true", "nil"),
        (">", "nil", "nil", "true"),
        (">=", "nil", "true", "true"),
    ] {
        assert_eq!(value(&format!("(list ({form} 1 2) ({form} 2 2) ({form} 3 2))")), format!("({less} {same} {more})"));
    }
}

/// [GM-40] [GM-41] [GM-42]
#[test]
fn conditions_are_joined_and_turned_round() {
    assert_eq!(
        value("(list (and 1 nil) (and nil 1) (or nil nil) (or nil 1) (not nil) (not 0))"),
        "(nil nil nil 1 true nil)"
    );
}

/// [GM-44] [GM-45] [GM-46] [GM-47] [GM-57] An entity reads and writes itself, and reads whom it knows.
#[test]
fn properties_and_relations_are_read_and_written() {
    assert_eq!(
        heard("(set worth to 6) (set heard to (list worth (worth of self) (name of partner)))", ""),
        "(6 6 crown)"
    );
    assert_eq!(heard("(set partner to nil) (set heard to partner)", ""), "nil");
    assert_eq!(heard("(set partner to self) (set heard to (name of partner))", ""), "penny");
}

/// [GM-48] What is no thing cannot be known.
#[test]
fn a_relation_holds_nothing_but_things() {
    let text = r#"#game "Toy" #players "X" #model coin #relation partner #onMessage go what (set partner to what)
        #entity penny is coin
        #action number (send go to penny with what 3)
        #action list (send go to penny with what (list penny))
        #action deep (send go to penny with what (list penny (list 3)))"#;
    let mut position = open(text);
    assert!(play(&mut *position, "number").unwrap_err().reason.contains("3"));
    assert!(play(&mut *position, "deep").is_err());
    assert!(play(&mut *position, "list").is_ok());
}

/// [GM-18] [GM-19] [GM-49] [GM-50] How a thing looks is read and written like what it knows.
#[test]
fn an_appearance_is_read_and_written() {
    assert_eq!(
        heard("(set heard to colour) (set colour to \"red\") (set heard to (list heard colour))", ""),
        "(gold red)"
    );
}

/// [GM-51] [GM-52] [GM-53] [GM-55] A message is answered in the present state, and its answer is a value.
#[test]
fn a_state_decides_which_behavior_answers() {
    let others = "#onMessage ask (return 1) #state tired #onMessage ask (return 2)";
    let body = "(set heard to (list (send ask to self))) (changeState tired) (set heard to (append (send ask to self) to heard))";
    assert_eq!(heard(body, others), "(1 2)");
}

/// [GM-54] [GM-56] Parameters go by name, in any order, and one that was not sent is nil.
#[test]
fn a_message_carries_parameters() {
    let others = "#onMessage take much less (return (list much less))";
    let body = "(set heard to (list (send take to self with less 1 much 9) (send take to self with much 3)))";
    assert_eq!(heard(body, others), "((9 1) (3 nil))");
}

/// [GM-58] A number, a text, a thing, a list and a dictionary can be written down.
#[test]
fn there_are_constants_of_every_type() {
    assert_eq!(value("(list 2.5 \"text\" a1 (list 1) (count (dictionary \"k\" 1)))"), "(2.5 text a1 (1) 1)");
}

/// [GM-59] [GM-60] [FR-79] [FR-80] [FR-81]
#[test]
fn the_first_case_that_holds_runs() {
    let sign = |n: i32| after(&format!("(if (< {n} 0) \"minus\" else (if (> {n} 0) \"plus\" else \"zero\"))"));
    assert_eq!([sign(-4), sign(0), sign(4)], ["minus", "zero", "plus"]);
    assert_eq!(after("(if nil 1)"), "nil");
    let case = |n: i32| after(&format!("(var x 0) (switch {n} (case 1 (set x to 10)) (case 2 (set x to 20))) x"));
    assert_eq!([case(1), case(2), case(3)], ["10", "20", "0"]);
}

/// [FR-83] [GM-61] [GM-64] [GM-66] `continue` asks the condition again, `break` does not.
#[test]
fn a_loop_runs_while_its_condition_holds() {
    assert_eq!(after("(var n 0) (while (< n 5) (increase n by 2)) n"), "6");
    assert_eq!(
        after("(var n 0) (var s 0) (while (< n 5) (increase n by 1) (if (= n 3) (continue)) (increase s by n)) s"),
        "12"
    );
    assert_eq!(after("(var n 0) (while true (increase n by 1) (if (= n 4) (break))) n"), "4");
}

/// [FR-82] [GM-62] [GM-63] [GM-65] [GM-66] Of a dictionary the keys are gone through.
#[test]
fn a_loop_goes_through_lists_and_keys() {
    assert_eq!(after("(var s 0) (foreach n in (list 1 2 4) (increase s by n)) s"), "7");
    assert_eq!(after("(var s 0) (foreach n in (list 1 2 4) (if (= n 2) (continue)) (increase s by n)) s"), "5");
    assert_eq!(after("(var s 0) (foreach n in (list 1 2 4) (if (= n 4) (break)) (increase s by n)) s"), "3");
    assert_eq!(after("(var s 0) (foreach k in (dictionary 4 10 2 30) (increase s by k)) s"), "6");
}

/// [FR-85] [GM-67] [GM-68] What stands after it does not run.
#[test]
fn a_return_ends_the_behavior() {
    let others = "#onMessage early (if true (return 4)) (return 5) #onMessage bare (return) (set worth to 0)";
    assert_eq!(heard("(set heard to (list (send early to self) (send bare to self) worth))", others), "(4 nil 5)");
}

/// [FR-77] [FR-78] A variable lives in its behavior: the next one knows nothing of it, and a nested one has its own.
#[test]
fn a_variable_belongs_to_its_behavior() {
    let others = "#onMessage other (var x 7) (set x to (+ x 1)) (return x)";
    let body = "(var x 1) (set x to (+ x 1)) (set heard to (list x (send other to self) x))";
    assert_eq!(heard(body, others), "(2 8 2)");
}

/// [FR-84] `(do … end)` stands where one statement does.
#[test]
fn a_group_of_statements_stands_for_one() {
    assert_eq!(
        after("(var n 0) (if true (do (increase n by 1) (increase n by 2) end) else (do (set n to 9) end)) n"),
        "3"
    );
}

/// [FR-92] [FR-95] [FR-96] [FR-97] [FR-98] The long spellings do what the short ones do; a name may be computed.
#[test]
fn properties_and_messages_in_the_long_spelling() {
    let others = "#onMessage take much (update property worth to (+ (property worth) (attribute much)))";
    let body = r#"(new property depth as 3) (send new message take to self with much (property depth))
        (set heard to (list (property worth) (property worth of self) (property (first (list "worth" "depth"))) (property "depth" of self)))"#;
    assert_eq!(heard(body, others), "(8 8 8 3)");
}

/// [GM-73] A variable may be called like a property, and hides it without changing it.
#[test]
fn a_variable_may_have_the_name_of_a_property() {
    assert_eq!(heard("(var worth 1) (set worth to 2) (set heard to (list worth (worth of self)))", ""), "(2 5)");
}

/// A variable hides a model as it hides a property: where a model is expected, its value is what counts.
#[test]
fn a_variable_may_have_the_name_of_a_model() {
    let token = "#model token";
    assert_eq!(heard("(new coin) (set heard to (count coin))", ""), "3");
    let kind = heard("(var coin token) (set heard to (kind of (new coin)))", token);
    assert_eq!(kind, "token");
    assert_eq!(heard("(var coin token) (set heard to (if (is self a coin) 1 else 2))", token), "2");
}

/// [GM-74] [GM-75] [GM-76] [GM-77] [GM-78] [GM-79] [GM-80]
#[test]
fn lists_are_made_and_changed() {
    for (form, result) in [
        ("(range 1 7 3)", "(1 4 7)"),
        ("(count (list 5 6 7))", "3"),
        ("(at 2 of (list 5 6 7))", "7"),
        ("(replace 0 of (list 5 6) with 9)", "(9 6)"),
        ("(append 9 to (list 5 6))", "(5 6 9)"),
        ("(insert 9 at 1 in (list 5 6))", "(5 9 6)"),
        ("(remove 1 from (list 5 6 7))", "(5 7)"),
    ] {
        assert_eq!(value(form), result, "{form}");
    }
}

/// [GM-75] [GM-81] [GM-82] [GM-83]
#[test]
fn dictionaries_are_made_and_changed() {
    for (form, result) in [
        ("(count (dictionary \"a\" 1 \"b\" 2))", "2"),
        ("(match \"b\" in (dictionary \"a\" 1 \"b\" 2))", "2"),
        ("(match \"a\" in (put 3 at \"a\" in (dictionary \"a\" 1)))", "3"),
        ("(count (put 3 at \"c\" in (dictionary \"a\" 1)))", "2"),
        ("(match \"a\" in (remove \"a\" from (dictionary \"a\" 1)))", "nil"),
    ] {
        assert_eq!(value(form), result, "{form}");
    }
}

/// [GM-84] Both bounds can come.
#[test]
fn a_random_number_includes_its_bounds() {
    let text = r#"#game "Toy" #players "X" #property n #action go (set n to (random 2 4))"#;
    let mut position = played(text, &["go"]);
    assert_eq!(choices(&mut *position), ["2", "3", "4"]);
}

/// [GM-85] Every statement takes any other.
#[test]
fn statements_stand_in_each_other() {
    assert_eq!(
        value("(+ (if (> (count (list 1 2)) 1) (max 3 (* 2 2)) else 0) (sum n of n in (range 1 (- 4 1))))"),
        "10"
    );
}
