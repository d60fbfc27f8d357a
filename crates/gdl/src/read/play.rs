//! Directives that say how the game is played: actions, rules, variants, evaluators.

use super::cursor::Cursor;
use houserules_model::{Action, Diagnostic, Expr, ExprKind, ItemKind, Mode, Name, Origin, Rule, RuleKind};

pub(crate) fn action(cursor: &mut Cursor) -> ItemKind {
    let label = cursor.name("the label of a message");
    let mut action = Action { label, to: None, with: Vec::new(), words: None, when_asked: false, body: None };
    while let Some(item) = cursor.peek() {
        if item.list().is_some() || cursor.has_failed() {
            break;
        }
        if cursor.eat("to") {
            action.to = Some(named(cursor.expr("who receives it")));
        } else if cursor.eat("with") {
            while cursor.peek().is_some_and(|item| item.list().is_none()) && !at_end_of_attributes(cursor) {
                let attribute = cursor.name("an attribute");
                action.with.push((attribute, cursor.expr("a list of its values")));
            }
        } else if cursor.eat("as") {
            action.words = Some(cursor.text("how the choice is worded"));
        } else if cursor.eat_all(&["when", "asked"]) {
            action.when_asked = true;
        } else {
            cursor.fail("Here `to`, `with`, `as`, `when asked` or the body can stand.");
        }
    }
    if !cursor.at_end() {
        action.body = Some(cursor.body());
    }
    ItemKind::Action(action)
}

/// The receivers may be a model by name, and names may be quoted.
fn named(mut domain: Expr) -> Expr {
    if let ExprKind::Text(name) = &domain.kind {
        domain.kind = ExprKind::Word(name.clone());
    }
    domain
}

fn at_end_of_attributes(cursor: &Cursor) -> bool {
    cursor.at_words(&["when", "asked"])
        || cursor.at_word("to")
        || (cursor.at_word("as") && cursor.peek_at(1).is_some_and(|item| item.text().is_some()))
}

/// A rule as its head says it; where the body comes from is still open.
pub(crate) struct RuleHead {
    pub name: Option<Name>,
    pub rule: Rule,
    pub file: Option<(Name, Origin)>,
}

const KEYWORDS: [&str; 6] = ["on", "after", "to", "in", "before", "is"];

pub(crate) fn rule_head(cursor: &mut Cursor, kind: RuleKind) -> RuleHead {
    let unnamed = cursor.peek().is_none_or(|item| KEYWORDS.iter().any(|word| item.is_word(word)));
    let name = if unnamed { None } else { cursor.opt_name() };
    let mut rule = Rule {
        name: name.clone().unwrap_or_else(|| "?".into()),
        kind,
        labels: Vec::new(),
        to: Vec::new(),
        states: Vec::new(),
        before: None,
        mode: Mode::Enforced,
        body: Vec::new(),
    };
    let mut file = None;
    while let Some(item) = cursor.peek() {
        if item.list().is_some() || cursor.has_failed() {
            break;
        }
        if cursor.eat("on") {
            labels(cursor, &mut rule, item.origin);
        } else if cursor.eat("after") {
            if kind == RuleKind::Law {
                rule.kind = RuleKind::AfterLaw;
            }
            labels(cursor, &mut rule, item.origin);
        } else if cursor.eat("to") {
            rule.to = some_names(cursor, "a model");
        } else if cursor.eat("in") {
            rule.states = some_names(cursor, "a state");
        } else if cursor.eat("before") {
            rule.before = Some(cursor.name_here("the name of a rule"));
        } else if cursor.eat("is") {
            file = Some(cursor.name_here("a file"));
        } else {
            cursor.fail("Here `on`, `to`, `in`, `before`, `is` or the body can stand.");
        }
    }
    if rule.labels.is_empty() {
        cursor.fail("Here `on` and the label of a message are missing.");
    }
    RuleHead { name, rule, file }
}

fn labels(cursor: &mut Cursor, rule: &mut Rule, place: Origin) {
    if !rule.labels.is_empty() {
        let label = "The messages of this rule are already given.";
        cursor.report(Diagnostic::error("directive/twice", "`on` and `after` in one rule", place, label));
    }
    rule.labels = some_names(cursor, "the label of a message");
}

fn some_names(cursor: &mut Cursor, what: &str) -> Vec<(Name, Origin)> {
    let names = cursor.names_until(&KEYWORDS);
    if names.is_empty() {
        cursor.fail(&format!("Here {what} is missing."));
    }
    names
}

pub(crate) fn rule_change(cursor: &mut Cursor) -> ItemKind {
    let rule = cursor.name("the name of a rule");
    if cursor.eat("instead") {
        return ItemKind::RuleBody { rule, body: cursor.body() };
    }
    let mode = if cursor.eat("enforced") {
        Mode::Enforced
    } else if cursor.eat("advised") {
        Mode::Advised
    } else {
        if !cursor.eat("off") {
            cursor.fail("Here `enforced`, `advised`, `off` or `instead` and a body are expected.");
        }
        Mode::Off
    };
    cursor.end();
    ItemKind::RuleMode { rule, mode }
}

pub(crate) fn evaluator(cursor: &mut Cursor) -> ItemKind {
    let name = cursor.name("a name");
    let value = cursor.expr("an expression");
    cursor.end();
    ItemKind::Evaluator { name, value }
}
