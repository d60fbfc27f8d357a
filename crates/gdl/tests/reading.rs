//! Text to items.

mod common;

use common::{codes, expr, read, sound};
use houserules_model::*;

fn form(text: &str) -> (Form, Vec<Slot>) {
    match expr(text).kind {
        ExprKind::Form(form, slots) => (form, slots),
        other => panic!("{text} is no form: {other:?}"),
    }
}

#[test]
fn a_definition_with_every_directive_is_read_without_faults() {
    let definition = sound(common::MARKET);
    assert_eq!(definition.name(), "Market day");
    assert_eq!(definition.variants().count(), 2);
}

#[test]
fn every_directive_of_the_table_is_used_in_the_big_definition() {
    for def in directives::all().iter().filter(|def| def.name != "include") {
        assert!(common::MARKET.contains(&format!("#{}", def.name)), "#{}", def.name);
    }
}

#[test]
fn the_examples_of_all_directives_are_read_without_faults() {
    for def in directives::all().iter().filter(|def| def.name != "include") {
        let found: Vec<_> = codes(def.example).into_iter().filter(|code| *code != "change/nothing").collect();
        assert!(found.is_empty(), "#{}: {}", def.name, common::messages(def.example));
    }
}

#[test]
fn the_examples_of_all_forms_are_read_and_use_their_form() {
    for def in forms::all() {
        assert!(!def.example.is_empty(), "{:?} has no example", def.form);
        let mut uses = false;
        for (body, _) in def.example {
            let definition = sound(&format!("#setup {body}"));
            let Some(Item { kind: ItemKind::Setup(body), .. }) = definition.items().first() else { panic!() };
            for statement in body {
                statement.walk(&mut |inner| uses |= matches!(inner.kind, ExprKind::Form(form, _) if form == def.form));
            }
        }
        assert!(uses, "the examples of {:?} show another form", def.form);
    }
}

#[test]
fn every_form_fills_exactly_the_slots_of_its_pattern() {
    for text in common::definitions() {
        for item in sound(text).items() {
            item.exprs(&mut |expr| {
                expr.walk(&mut |inner| {
                    if let ExprKind::Form(form, slots) = &inner.kind {
                        assert_eq!(slots.len(), form.pattern().slots().len(), "{inner}");
                    }
                });
            });
        }
    }
}

/// Prefix notation, every expression in parentheses
/// [FR-69] numbers, whole and with decimals
/// [FR-70] strings in double quotes
#[test]
fn numbers_strings_and_words_are_themselves() {
    assert_eq!(expr("-12").kind, ExprKind::Number(Number::Whole(-12)));
    assert_eq!(expr("7.5").kind, ExprKind::Number(Number::Decimal(7.5)));
    assert_eq!(expr("\"two words\"").kind, ExprKind::Text("two words".into()));
    assert_eq!(expr(r#""say \"no\"\n""#).kind, ExprKind::Text("say \"no\"\n".into()));
    assert_eq!(expr("nil").kind, ExprKind::Word("nil".into()));
    assert_eq!(expr("forward-left").kind, ExprKind::Word("forward-left".into()));
}

/// [FR-76] `!=`, `>`, `(first L)`, `(match K in D)`
#[test]
fn printed_operators_are_forms() {
    assert_eq!(form("(!= a b)").0, Form::Unequal);
    assert_eq!(form("(> a b)").0, Form::Greater);
    assert_eq!(form("(first l)").0, Form::First);
    assert_eq!(form("(match k in d)").0, Form::Match);
}

/// [FR-77] `(var x v)`
/// [FR-78] assigning to a variable
#[test]
fn variables_are_named_and_set() {
    assert_eq!(form("(var x 3)").1[0], Slot::Name(NameRef::given("x")));
    assert_eq!(form("(var x)").1[1], Slot::Absent);
    assert_eq!(form("(set x to 3)").1[0], Slot::Expr(Box::new(Expr::word("x"))));
}

/// [FR-79] `if` with and without `else`
#[test]
fn if_takes_any_number_of_statements_on_both_sides_of_else() {
    let (_, slots) = form("(if c (draw) (again) else (win p))");
    assert_eq!((slots[1].exprs().len(), slots[2].exprs().len()), (2, 1));
    assert_eq!(form("(if c (draw))").1[2], Slot::Absent);
}

/// [FR-80] `switch` with any number of cases
#[test]
fn switch_has_cases_and_perhaps_an_else() {
    let (_, slots) = form("(switch x (case 1 a b) (case \"two\" c) (else d))");
    let Slot::Cases { cases, otherwise } = &slots[1] else { panic!() };
    assert_eq!((cases.len(), cases[0].body.len(), otherwise.is_some()), (2, 2, true));
}

/// [FR-82] `foreach`
/// [FR-83] `while`
#[test]
fn loops_have_bodies_and_foreach_perhaps_a_condition() {
    let (_, slots) = form("(foreach c in cells where (not mark) (draw) (again))");
    assert!(slots[2].given());
    assert_eq!(slots[3].exprs().len(), 2);
    assert_eq!(form("(while c (draw) (again))").1[1].exprs().len(), 2);
}

/// [FR-84] `(do … end)` groups statements
#[test]
fn the_word_end_of_do_is_no_statement() {
    assert_eq!(form("(do (draw) (again) end)").1[0].exprs().len(), 2);
    assert_eq!(form("(do (draw))").1[0].exprs().len(), 1);
}

/// [FR-85] `(return)` with and without a value
#[test]
fn return_may_have_a_value() {
    assert_eq!(form("(return)").1, [Slot::Absent]);
    assert!(form("(return 3)").1[0].given());
}

/// [FR-86] comments
#[test]
fn comments_and_layout_mean_nothing() {
    let spread = "; before\n#game \"Toy\" ; behind\n#setup\n\n  (draw ; inside\n )";
    assert_eq!(sound(spread), sound("#game \"Toy\" #setup (draw)"));
}

/// [FR-87] `#state` opens a section
/// [FR-88] any number of behaviors in a state
/// [FR-89] before any state, behaviors answer in `default`
#[test]
fn behaviors_answer_in_the_states_named_before_them() {
    let definition = sound(
        "#model hole #onMessage a (draw) #state x y #onMessage b p q (draw) #onMessage c #model pit #onMessage d",
    );
    let found: Vec<(String, usize)> = definition
        .items()
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Behavior(own) => Some((format!("{}/{}/{}", own.of, own.state, own.label), own.attributes.len())),
            _ => None,
        })
        .collect();
    let expected = [
        ("hole/default/a", 0),
        ("hole/x/b", 2),
        ("hole/y/b", 2),
        ("hole/x/c", 0),
        ("hole/y/c", 0),
        ("pit/default/d", 0),
    ];
    assert_eq!(found, expected.map(|(name, n)| (name.to_string(), n)));
}

/// [FR-92] `(new property P as V)`
/// [FR-95] `(update property P to V)`
/// [FR-96] `(property P of E)`
/// [FR-97] a computed name
#[test]
fn quotes_are_optional_in_name_positions_and_forms_compute_names() {
    assert_eq!(expr("(property mark)"), expr("(property \"mark\")"));
    assert_eq!(form("(new property mark as 3)").0, Form::NewProperty);
    assert_eq!(form("(update property mark to 3)").0, Form::UpdateProperty);
    let (_, slots) = form("(property (what) of here)");
    assert_eq!(slots[0], Slot::Name(NameRef::Computed(Box::new(Expr::word("what")))));
}

/// [FR-98] `(send new message L to E with A V …)`
/// [FR-101] `(update message attribute K to V)`
/// [FR-102] `(forward message to E)`
/// [FR-104] a message that is not sent
#[test]
fn messages_are_sent_forwarded_changed_and_made() {
    let (_, slots) = form("(send new message \"over\" to \"game\" with \"winner\" p \"by\" 3)");
    assert_eq!(slots[2].pairs().len(), 2);
    assert_eq!(form("(send m)").0, Form::SendMessage);
    assert_eq!(form("(forward message to e)").0, Form::Forward);
    assert_eq!(form("(update message attribute k to v)").0, Form::UpdateAttribute);
    assert_eq!(form("(new message l with a 1)").0, Form::NewMessage);
}

#[test]
fn a_word_in_parentheses_is_the_value_of_the_word_unless_it_is_a_form() {
    assert_eq!(expr("(what)"), Expr::word("what"));
    assert_eq!(form("(draw)").0, Form::Draw);
    assert_eq!(form("(list)").1, [Slot::Exprs(vec![])]);
}

#[test]
fn other_words_ask_a_thing_or_nobody() {
    let ExprKind::Call { name, args, of, .. } = expr("(belongs White of c)").kind else { panic!() };
    assert_eq!((&*name, args.len(), of.is_some()), ("belongs", 1, true));
    let ExprKind::Call { args, of, .. } = expr("(attacked square by)").kind else { panic!() };
    assert_eq!((args.len(), of), (2, None));
    let ExprKind::PlaceAt { model, at } = expr("(cell at 3 (+ 1 1))").kind else { panic!() };
    assert_eq!((&*model, at.len()), ("cell", 2));
}

#[test]
fn a_form_whose_words_do_not_fit_may_still_be_a_property_of_something() {
    assert!(matches!(expr("(line of ship)").kind, ExprKind::Call { of: Some(_), .. }));
}

#[test]
fn quantifiers_name_their_candidate_or_call_it_it() {
    let Slot::Domain { var, .. } = &form("(any x in l where (> x 1))").1[0] else { panic!() };
    assert_eq!(var.as_deref(), Some("x"));
    let Slot::Domain { var, owner, .. } = &form("(any x in l for p where (> x 1))").1[0] else { panic!() };
    assert!(var.as_deref() == Some("x") && owner.is_some());
    assert_eq!(form("(sum worth of coin for p)").0, Form::SumOf);
    assert_eq!(form("(max worth of coin)").0, Form::MaxOf);
    assert_eq!(form("(max 0 (max worth of coin))").0, Form::Max);
    assert_eq!(form("(ask p \"t\" among l)").0, Form::Ask);
    assert_eq!(form("(ask p \"t\" 2 of l)").0, Form::AskMany);
    assert_eq!(form("(ask p \"t\" some of l)").0, Form::AskSome);
    assert_eq!(form("(ask p \"t\" 2 times among l)").0, Form::AskTimes);
}

#[test]
fn a_define_has_leading_words_as_parameters_and_the_rest_as_body() {
    let define = |text: &str| match &sound(text).items()[0].kind {
        ItemKind::Define(define) => (define.params.len(), define.body.len()),
        other => panic!("{other:?}"),
    };
    assert_eq!(define("#define ends targets"), (0, 1));
    assert_eq!(define("#define spot n p (at n of p)"), (2, 1));
    assert_eq!(define("#define spot n (var x 1) x"), (1, 2));
    assert_eq!(define("#define twelve p 12"), (1, 1));
}

#[test]
fn what_follows_a_model_belongs_to_it_up_to_what_cannot() {
    let definition = sound("#property a #model m #property b #define c 1 #turns #property d #define e 1");
    let owners: Vec<String> = definition
        .items()
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Property(own) => Some(format!("{}.{}", own.of, own.name)),
            ItemKind::Define(own) => Some(format!("{}.{}", own.of.as_deref().unwrap_or("-"), own.name)),
            _ => None,
        })
        .collect();
    assert_eq!(owners, ["game.a", "m.b", "m.c", "game.d", "-.e"]);
}

/// [FR-110] `#law on L to E in S is FILE` is read with files; here with its body
/// [FR-114] `*` for the label
/// [FR-115] `*` for the state
/// [FR-116] `*` for both
#[test]
fn the_head_of_a_rule_may_come_in_any_order_and_with_stars() {
    let rule = |text: &str| sound(text).rules().last().expect("a rule").clone();
    let first = rule("#law \"R\" on a b to m in s t (draw)");
    assert_eq!(first, rule("#law R in s t to m on a b (draw)"));
    assert_eq!((first.labels.len(), first.states.len()), (2, 2));
    assert_eq!(&*rule("#law R on * in * (draw)").labels[0].0, "*");
    assert_eq!(rule("#law R after a (draw)").kind, RuleKind::AfterLaw);
    assert_eq!(rule("#sideeffect R on a (draw)").kind, RuleKind::SideEffect);
}

#[test]
fn a_variant_holds_everything_up_to_the_next() {
    let definition = sound("#setting n 3 #variant A #set n 4 #model m #property p #variant B from A #property q");
    let n: Vec<usize> = definition.variants().map(|variant| variant.changes.len()).collect();
    assert_eq!(n, [3, 1]);
    assert_eq!(definition.items().len(), 3);
}

#[test]
fn players_are_named_or_counted() {
    let players = |text: &str| match &sound(text).items()[0].kind {
        ItemKind::Players(players) => (players.least, players.most, players.names.len()),
        other => panic!("{other:?}"),
    };
    assert_eq!(players("#players A B"), (2, 2, 2));
    assert_eq!(players("#players 3 to 6"), (3, 6, 0));
    assert_eq!(players("#players 2 to 3 named A B facing north C"), (2, 3, 3));
}

#[test]
fn nameless_entities_and_links_are_counted() {
    let definition = sound("#model m #entity m #entity x is m #entity m 3 times #board b graph #link a b #link b a");
    let numbers: Vec<u32> = definition
        .items()
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Entity(entity) => Some(entity.number),
            ItemKind::Link(link) => Some(link.number),
            _ => None,
        })
        .collect();
    assert_eq!(numbers, [1, 0, 2, 1, 2]);
}

#[test]
fn every_fault_is_told_at_once() {
    let text = "#gmae X\n#setup (set x 3) (if\n#players\n#law on\n#turns maybe\n#setup )";
    let found = codes(text);
    assert_eq!(found.len(), 9, "{}", common::messages(text));
}

#[test]
fn a_broken_part_leaves_the_others_readable() {
    let loaded = read("#game \"Toy\"\n#setup (foreach\n#turns\n#action place (set x to\n#turns free");
    assert!(loaded.has_errors());
    assert_eq!(loaded.definition.name(), "Toy");
    assert_eq!(loaded.definition.actions().count(), 1);
}
