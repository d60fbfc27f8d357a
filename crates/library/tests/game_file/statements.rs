//! What every statement does.

use super::{after, number, operator, text, value, with_tag};
use houserules_library::gdf::tags::{Kind, STATEMENTS, StatementDef};

const NIL: &str = "<constant><id/></constant>";
const LIST: &str = "<constant><list><number>7</number><number>8</number><number>9</number></list></constant>";
const DICTIONARY: &str =
    r#"<constant><dictionary><number key="a">1</number><number key="b">2</number></dictionary></constant>"#;

fn slots(tag: &str, slots: &[(&str, &str)]) -> String {
    with_tag(tag, &slots.iter().map(|(tag, inside)| with_tag(tag, inside)).collect::<String>())
}

/// [GM-29] [GM-30] [GM-31] [GM-32] [GM-33] [GM-216] Arithmetic, exact.
#[test]
fn operators_reckon() {
    for (op, expected) in
        [("add", "9.5"), ("subtract", "5.5"), ("multiply", "15"), ("division", "3.75"), ("modulus", "1.5")]
    {
        assert_eq!(value(&operator(op, &number("7.5"), &number("2"))), expected, "{op}");
    }
    assert_eq!(value(&operator("modulus", &number("-1"), &number("3"))), "2");
    assert!(value(&operator("division", &number("1"), &number("0"))).contains("zero"));
}

/// [GM-28] [GM-42] [GM-43] One operand is enough, and a second one is ignored.
#[test]
fn operators_with_one_operand_ignore_the_second() {
    assert_eq!(value(&format!(r#"<operator op="negate"><operand1>{}</operand1></operator>"#, number("4"))), "-4");
    assert_eq!(value(&operator("negate", &number("4"), &number("9"))), "-4");
    assert_eq!(value(&operator("not", NIL, &number("9"))), "true");
    assert_eq!(value(&operator("not", &number("0"), NIL)), "nil");
}

/// [GM-34] [GM-35] [GM-36] [GM-37] [GM-38] [GM-39] Comparing.
#[test]
fn operators_compare() {
    let signs =
        [("equal", "=="), ("unequal", "!="), ("less", "<"), ("lequal", "<="), ("greater", ">"), ("gequal", ">=")];
    for (op, sign) in signs {
        for (one, other) in [(1, 2), (2, 2), (3, 2)] {
            let holds = match sign {
                "==" => one == other,
                "!=" => one != other,
                "<" => one < other,
                "<=" => one <= other,
                ">" => one > other,
                _ => one >= other,
            };
            let found = value(&operator(op, &number(&one.to_string()), &number(&other.to_string())));
            assert_eq!(found, if holds { "true" } else { "nil" }, "{one} {op} {other}");
        }
    }
    assert_eq!(value(&operator("equal", &text("a"), &text("a"))), "true");
    assert_eq!(value(&operator("equal", "<myself/>", "<constant><id>Left</id></constant>")), "true");
    assert_eq!(value(&operator("equal", "<myself/>", "<constant><id>Right</id></constant>")), "nil");
}

/// [GM-26] [GM-40] [GM-41] Only nil is false: 0, the empty text and the empty list are true.
#[test]
fn only_nil_is_false() {
    for (held, truth) in [
        (number("0"), true),
        (text(""), true),
        ("<constant><list/></constant>".into(), true),
        ("<constant><dictionary/></constant>".into(), true),
        ("<myself/>".into(), true),
        (NIL.into(), false),
    ] {
        let is = |truth: bool| if truth { "yes" } else { "no" };
        let chosen = after(&format!(
            r#"<ifElse><if><condition>{held}</condition><statement>{}</statement></if><else>{}</else></ifElse>"#,
            result(&text("yes")),
            result(&text("no")),
        ));
        assert_eq!(chosen, format!("{} 3, nil 5", is(truth)), "{held}");
        let both = value(&operator("and", &held, &number("1")));
        assert_eq!(both, if truth { "1" } else { "nil" }, "{held}");
        let either = value(&operator("or", NIL, &held));
        assert_eq!(either == "nil", !truth, "{held}");
    }
}

fn result(value: &str) -> String {
    format!(r#"<setProperty name="result"><entity><myself/></entity><value>{value}</value></setProperty>"#)
}

fn get(what: &str, name: &str, whom: &str) -> String {
    format!(r#"<get{what} {}="{name}"><entity>{whom}</entity></get{what}>"#, what.to_lowercase())
}

fn set(what: &str, name: &str, whom: &str, value: &str) -> String {
    format!(r#"<set{what} name="{name}"><entity>{whom}</entity><value>{value}</value></set{what}>"#)
}

/// [GM-44] [GM-45] [GM-46] [GM-49] [GM-19] [GM-57] [GM-217] [GM-218] Properties, relationships and appearances are read
/// of this entity and of others.
#[test]
fn what_an_entity_holds_can_be_read() {
    assert_eq!(value(&get("Property", "beans", "<myself/>")), "3");
    assert_eq!(value(&get("Relationship", "other", "<myself/>")), "Right");
    assert_eq!(value(&get("Appearance", "Bild X", "<myself/>")), "7");
    let right = get("Relationship", "other", "<myself/>");
    assert_eq!(value(&get("Property", "beans", &right)), "5");
    assert_eq!(value(&get("Property", "beans", NIL)), "nil", "of nobody there is nothing");
}

/// [GM-45] [GM-47] [GM-50] [GM-18] They are changed in the same way, and a message may change all of them.
#[test]
fn what_an_entity_holds_can_be_changed() {
    let right = get("Relationship", "other", "<myself/>");
    assert_eq!(after(&set("Property", "beans", &right, &number("9"))), "nil 3, nil 9");
    let all = set("Relationship", "other", "<myself/>", "<myself/>")
        + &set("Appearance", "Bild X", "<myself/>", &number("11"))
        + &result(&operator("equal", &get("Relationship", "other", "<myself/>"), "<myself/>"));
    assert_eq!(after(&all), "true 3, nil 5");
    let drawn =
        set("Appearance", "Bild X", "<myself/>", &number("11")) + &result(&get("Appearance", "Bild X", "<myself/>"));
    assert_eq!(after(&drawn), "11 3, nil 5");
}

/// [GM-48] A relationship takes entities, and lists and dictionaries of them, and nothing else.
#[test]
fn a_relationship_holds_entities_only() {
    let kept = "<constant><list><id>Left</id><list><id>Right</id></list></list></constant>";
    assert_eq!(after(&set("Relationship", "all", "<myself/>", kept)), "nil 3, nil 5");
    assert_eq!(after(&set("Relationship", "all", "<myself/>", &text("Right"))), "nil 3, nil 5", "it is Right's name");
    for wrong in
        [number("3"), text("Nobody"), "<constant><list><id>Left</id><number>1</number></list></constant>".into()]
    {
        let said = after(&set("Relationship", "all", "<myself/>", &wrong));
        assert!(said.contains("all") && !said.ends_with("nil 5"), "{wrong}: {said}");
    }
}

/// [GM-51] [GM-52] [GM-229] A message is answered by the behavior of the state that an entity is in.
#[test]
fn the_state_decides_which_behavior_answers() {
    let again = r#"<changeState number="2"><entity><myself/></entity></changeState><sendMessage message="go"><entity><myself/></entity></sendMessage>"#;
    assert_eq!(after(again), "fallen 3, nil 5");
    let other = format!(
        r#"<changeState number="2"><entity>{}</entity></changeState><sendMessage message="raise"><entity>{0}</entity></sendMessage>"#,
        get("Relationship", "other", "<myself/>")
    );
    assert_eq!(after(&other), "nil 3, nil 5", "in state 2 nobody answers `raise`");
}

/// [GM-53] [GM-54] [GM-55] [GM-56] [GM-9] [GM-219] Messages go to entities that one knows, with parameters, and give a value.
#[test]
fn messages_are_sent_with_parameters_and_answered_with_values() {
    let raise = format!(
        r#"<sendMessage message="raise"><entity>{}</entity></sendMessage>"#,
        get("Relationship", "other", "<myself/>")
    );
    assert_eq!(after(&raise), "nil 3, nil 6");
    assert_eq!(after(&result(&raise)), "6 3, nil 6");
    let double = format!(
        r#"<sendMessage message="double"><parameter name="of it">{}</parameter><entity><myself/></entity><parameter name="spare">{}</parameter></sendMessage>"#,
        number("21"),
        text("x")
    );
    assert_eq!(value(&double), "42");
}

/// [GM-262] A message to nobody, or that nobody answers, does nothing and gives nil.
#[test]
fn a_message_that_nobody_answers_gives_nil() {
    for whom in [NIL, "<myself/>"] {
        let send = format!(r#"<sendMessage message="vanish"><entity>{whom}</entity></sendMessage>"#);
        assert_eq!(value(&send), "nil", "{whom}");
    }
}

/// [GM-58] [GM-21] [GM-22] [GM-23] [GM-24] [GM-25] [GM-220] [GM-214] Constants of all five types, in each other.
#[test]
fn constants_are_of_five_types() {
    for (held, expected) in [
        ("<number>4.0</number>", "4"),
        ("<number>-7.5</number>", "-7.5"),
        ("<number>4e0</number>", "4"),
        ("<string>  a &lt;b&gt; </string>", "  a <b> "),
        ("<id>Right</id>", "Right"),
        ("<id></id>", "nil"),
    ] {
        assert_eq!(value(&with_tag("constant", held)).trim_matches('"'), expected, "{held}");
    }
    let nested = r#"<constant><list><number>1</number><dictionary><list key="k"><id>Left</id></list></dictionary></list></constant>"#;
    let member = slots("listGetAt", &[("list", nested), ("index", &number("1"))]);
    let inner = slots("dictionaryGet", &[("dictionary", &member), ("key", &text("k"))]);
    assert_eq!(value(&slots("listGetAt", &[("list", &inner), ("index", &number("0"))])), "Left");
}

/// [GM-59] [GM-60] [GM-221] The first case that holds runs; none, and what `else` says.
#[test]
fn the_first_case_that_holds_runs() {
    let case = |condition: &str, said: &str| {
        format!("<if><condition>{condition}</condition><statement>{}</statement></if>", result(&text(said)))
    };
    let cases = |cases: &str| with_tag("ifElse", cases);
    let (yes, no) = (number("0"), NIL.to_owned());
    assert_eq!(after(&cases(&(case(&no, "a") + &case(&yes, "b") + &case(&yes, "c")))), "b 3, nil 5");
    assert_eq!(after(&cases(&(case(&no, "a") + &case(&no, "b")))), "nil 3, nil 5");
    let other = with_tag("else", &result(&text("other")));
    assert_eq!(after(&cases(&(case(&no, "a") + &case(&no, "b") + &other))), "other 3, nil 5");
}

const COUNT_UP: &str = r#"<setVariable name="n"><value><operator op="add"><operand1><getVariable name="n"/></operand1><operand2><constant><number>1</number></constant></operand2></operator></value></setVariable>"#;

fn variable(name: &str, value: &str) -> String {
    format!(r#"<declareVariable name="{name}"><value>{value}</value></declareVariable>"#)
}

fn is_n(number_: &str) -> String {
    operator("equal", r#"<getVariable name="n"/>"#, &number(number_))
}

fn if_then(condition: &str, then: &str) -> String {
    format!("<ifElse><if><condition>{condition}</condition><statement>{then}</statement></if></ifElse>")
}

/// [GM-27] [GM-61] [GM-64] [GM-66] [GM-70] [GM-71] [GM-72] [GM-215] [GM-222] [GM-223] Loops, variables and blocks.
#[test]
fn a_loop_runs_while_its_condition_holds() {
    let skips = if_then(&is_n("3"), "<continue/>");
    let stops = if_then(&is_n("6"), "<break/>");
    let sum = r#"<setVariable name="sum"><value><operator op="add"><operand1><getVariable name="sum"/></operand1><operand2><getVariable name="n"/></operand2></operator></value></setVariable>"#;
    let less = operator("less", r#"<getVariable name="n"/>"#, &number("9"));
    let statements = variable("n", &number("0"))
        + &variable("sum", &number("0"))
        + &format!(
            "<while><condition>{less}</condition><statement><block>{COUNT_UP}{skips}{stops}{sum}</block></statement></while>"
        )
        + &result(r#"<getVariable name="sum"/>"#);
    // 1 + 2 + 4 + 5: three is skipped, and at six it ends.
    assert_eq!(after(&statements), "12 3, nil 5");
    // A single statement needs no block.
    let single = variable("n", &number("0"))
        + &format!("<while><condition>{less}</condition><statement>{COUNT_UP}</statement></while>")
        + &result(r#"<getVariable name="n"/>"#);
    assert_eq!(after(&single), "9 3, nil 5");
}

fn for_each(list: &str, body: &str) -> String {
    format!(r#"<forEach variable="x"><list>{list}</list><statement><block>{body}</block></statement></forEach>"#)
}

/// [GM-62] [GM-63] [GM-65] [GM-224] Each member of a list, each key of a dictionary; `continue` goes to the next.
#[test]
fn for_each_goes_through_members_and_keys() {
    let sum = r#"<setVariable name="n"><value><operator op="add"><operand1><getVariable name="n"/></operand1><operand2><getVariable name="x"/></operand2></operator></value></setVariable>"#;
    let eight = if_then(&operator("equal", r#"<getVariable name="x"/>"#, &number("8")), "<continue/>");
    let statements =
        variable("n", &number("0")) + &for_each(LIST, &(eight + sum)) + &result(r#"<getVariable name="n"/>"#);
    assert_eq!(after(&statements), "16 3, nil 5");
    let keys = variable("n", "<constant><list/></constant>")
        + &for_each(
            DICTIONARY,
            r#"<setVariable name="n"><value><listAdd><list><getVariable name="n"/></list><value><getVariable name="x"/></value></listAdd></value></setVariable>"#,
        )
        + &result(&slots("listGetAt", &[("list", r#"<getVariable name="n"/>"#), ("index", &number("1"))]));
    assert_eq!(after(&keys).replace('"', ""), "b 3, nil 5");
}

/// [GM-67] [GM-68] A behavior ends where it returns, with a value or without.
#[test]
fn return_ends_a_behavior() {
    assert_eq!(after(&format!("<return/>{}", result(&text("late")))), "nil 3, nil 5");
    assert_eq!(
        value(&format!(
            r#"<sendMessage message="raise"><entity>{}</entity></sendMessage>"#,
            "<constant><id>Right</id></constant>"
        )),
        "6 3, nil 6"
    );
}

/// [GM-69] A variable lasts as long as its block; an inner one of the same name is another.
#[test]
fn a_variable_lasts_as_long_as_its_block() {
    let statements = variable("n", &number("1"))
        + &with_tag("block", &(variable("n", &number("5")) + COUNT_UP))
        + &result(r#"<getVariable name="n"/>"#);
    assert_eq!(after(&statements), "1 3, nil 5");
}

/// [GM-73] A variable may be called like a property.
#[test]
fn a_variable_may_be_called_like_a_property() {
    let statements = variable("beans", &number("40"))
        + &result(&operator("add", r#"<getVariable name="beans"/>"#, &get("Property", "beans", "<myself/>")));
    assert_eq!(after(&statements), "43 3, nil 5");
}

/// [GM-74] [GM-225] Both ends are in it.
#[test]
fn a_range_has_both_ends() {
    let range = |from: &str, to: &str, step: &str| {
        let step = if step.is_empty() { String::new() } else { with_tag("step", &number(step)) };
        let range = format!("<range><from>{}</from><to>{}</to>{step}</range>", number(from), number(to));
        let last = |at: &str| slots("listGetAt", &[("list", &range), ("index", &number(at))]);
        let length = value(&with_tag("length", &with_tag("element", &range)));
        let end: i64 = length.parse().unwrap();
        (length, value(&last("0")), value(&last(&(end - 1).to_string())))
    };
    assert_eq!(range("2", "5", ""), ("4".into(), "2".into(), "5".into()));
    assert_eq!(range("1", "9", "4"), ("3".into(), "1".into(), "9".into()));
    assert_eq!(range("3", "1", "-1"), ("3".into(), "3".into(), "1".into()));
}

/// [GM-75] Of lists and of dictionaries.
#[test]
fn length_counts_members_and_keys() {
    assert_eq!(value(&with_tag("length", &with_tag("element", LIST))), "3");
    assert_eq!(value(&with_tag("length", &with_tag("element", DICTIONARY))), "2");
}

/// [GM-76] [GM-77] [GM-78] [GM-79] [GM-80] [GM-226] Lists, counted from 0; each statement gives a new list.
#[test]
fn lists_are_read_and_made_anew() {
    let at = |list: &str, index: &str| value(&slots("listGetAt", &[("list", list), ("index", &number(index))]));
    assert_eq!((at(LIST, "0"), at(LIST, "2"), at(LIST, "3")), ("7".into(), "9".into(), "nil".into()));
    let index = number("1");
    let changed = [
        ("listSetAt", vec![("list", LIST), ("index", &*index), ("value", "<myself/>")], ["7", "Left", "9", "nil"]),
        ("listAdd", vec![("list", LIST), ("value", "<myself/>")], ["7", "8", "9", "Left"]),
        ("listInsertAt", vec![("list", LIST), ("index", &index), ("value", "<myself/>")], ["7", "Left", "8", "9"]),
        ("listRemoveFrom", vec![("list", LIST), ("index", &index)], ["7", "9", "nil", "nil"]),
    ];
    for (tag, parts, expected) in changed {
        let made = slots(tag, &parts);
        for (index, expected) in expected.iter().enumerate() {
            assert_eq!(at(&made, &index.to_string()), *expected, "{tag} {index}");
        }
    }
}

/// [GM-81] [GM-82] [GM-83] [GM-227] A key is replaced if it is there, and added if it is not.
#[test]
fn dictionaries_are_read_and_made_anew() {
    let get = |from: &str, key: &str| value(&slots("dictionaryGet", &[("dictionary", from), ("key", &text(key))]));
    assert_eq!((get(DICTIONARY, "b"), get(DICTIONARY, "c")), ("2".into(), "nil".into()));
    let put =
        |key: &str| slots("dictionaryPut", &[("dictionary", DICTIONARY), ("key", &text(key)), ("value", &number("9"))]);
    assert_eq!((get(&put("a"), "a"), get(&put("a"), "b")), ("9".into(), "2".into()));
    assert_eq!((get(&put("c"), "c"), get(&put("c"), "a")), ("9".into(), "1".into()));
    let removed = slots("dictionaryRemove", &[("dictionary", DICTIONARY), ("key", &text("a"))]);
    assert_eq!((get(&removed, "a"), get(&removed, "b")), ("nil".into(), "2".into()));
}

/// [GM-84] [GM-228] Both bounds can come, and nothing beyond them.
#[test]
fn chance_has_both_bounds() {
    let text = super::game(&result(&slots("random", &[("minimum", &number("3")), ("maximum", &number("5"))])));
    for (last, expected) in [(false, "3"), (true, "5")] {
        for rulebook in super::rulebooks(&text) {
            let mut position = rulebook.open().unwrap();
            super::told(&mut *position, "go Left").unwrap();
            assert_eq!(position.choices(houserules_kernel::Who::Nature).len(), 3);
            super::chance(&mut *position, last);
            assert_eq!(super::shown(&mut *position, "Left", "result"), expected);
        }
    }
}

/// [GM-85] Every slot takes any statement, as deep as one likes.
#[test]
fn statements_stand_in_each_other() {
    let mut deep = number("0");
    for _ in 0..45 {
        deep = operator("add", &deep, &number("1"));
    }
    assert_eq!(value(&deep), "45");
    let block = with_tag("block", &(variable("n", &number("6")) + r#"<getVariable name="n"/>"#));
    assert_eq!(value(&operator("add", &block, &number("1"))), "7");
}

/// A statement of the table, with something in each slot.
fn example(def: &StatementDef) -> String {
    let op = if def.op.is_empty() { String::new() } else { format!(r#" op="{}""#, def.op) };
    let attributes: String = def
        .attributes
        .iter()
        .map(|(name, _)| {
            let said = match (def.tag, *name) {
                ("getProperty" | "setProperty", _) => "beans",
                ("getRelationship" | "setRelationship", _) => "other",
                ("getAppearance" | "setAppearance", _) => "Bild X",
                ("changeState", _) => "2",
                ("sendMessage", _) => "raise",
                _ => "n",
            };
            format!(r#" {name}="{said}""#)
        })
        .collect();
    let slots: String = def
        .slots
        .iter()
        .map(|slot| {
            let one = number("1");
            let inside = match (def.tag, slot.tag) {
                (_, "entity") | ("setRelationship", "value") => "<myself/>",
                (_, "list" | "element") => LIST,
                (_, "dictionary") => DICTIONARY,
                (_, "key") => r#"<constant><string>a</string></constant>"#,
                ("while", "condition") => NIL,
                (_, "statement") => "<block/>",
                _ => &one,
            };
            with_tag(slot.tag, inside)
        })
        .collect();
    let inside = match def.tag {
        "constant" => "<number>1</number>".into(),
        "ifElse" => format!("<if>{}{}</if>", with_tag("condition", NIL), with_tag("statement", "<block/>")),
        _ => slots,
    };
    format!("<{tag}{op}{attributes}>{inside}</{tag}>", tag = def.tag)
}

/// [GM-86] [GM-253] Every statement has a kind, and does what its kind says: a source or a pipe gives a value and changes
/// nothing, a sink changes something and takes no place of a value, a message does both.
#[test]
fn statements_do_what_their_kind_says() {
    const UNTOUCHED: &str = "nil 3, nil 5";
    let declared = variable("n", &number("4"));
    // What reads a parameter is told by somebody who sends it: its own test has one.
    for def in STATEMENTS.iter().filter(|def| def.tag != "getParameter") {
        let own = example(def);
        let before = if def.tag == "declareVariable" { "" } else { &declared };
        let alone = || after(&format!("{before}{own}"));
        let value = || after(&format!("{before}{}", result(&own)));
        match def.kind {
            Kind::Source | Kind::Pipe => {
                assert_eq!(alone(), UNTOUCHED, "{own}");
                // Of 1 and 1 none is less.
                let nil = ["unequal", "less", "greater", "not"].contains(&def.op);
                let value = value();
                assert!((value == UNTOUCHED) == nil && value.ends_with(" 3, nil 5"), "{own}: {value}");
            }
            Kind::Send => assert_eq!((alone(), value()), ("nil 4, nil 5".into(), "4 4, nil 5".into()), "{own}"),
            Kind::Sink => {
                let seen = match def.tag {
                    "setProperty" => get("Property", "beans", "<myself/>"),
                    "setRelationship" => operator("equal", &get("Relationship", "other", "<myself/>"), "<myself/>"),
                    "setAppearance" => get("Appearance", "Bild X", "<myself/>"),
                    "setVariable" => r#"<getVariable name="n"/>"#.into(),
                    _ => r#"<sendMessage message="raise"><entity><myself/></entity></sendMessage>"#.into(),
                };
                let without = after(&format!("{before}{}", result(&seen)));
                let with = after(&format!("{before}{own}{}", result(&seen)));
                assert!(with != without && !with.contains("gdf"), "{own}: {with}");
            }
            Kind::Flow | Kind::Declaration => {
                let inside = if ["continue", "break"].contains(&def.tag) { for_each(LIST, &own) } else { own.clone() };
                assert_eq!(after(&format!("{before}{inside}")), UNTOUCHED, "{own}");
            }
        }
    }
}
