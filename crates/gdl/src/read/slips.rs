//! What people write who come from another language: each slip is told once, with the form that was meant.

use crate::datum::{Datum, DatumKind};
use houserules_model::{Diagnostic, Origin, forms};

/// Signs that other languages write between two values, and what they are called here.
const SIGNS: [(&str, &str); 16] = [
    ("==", "="),
    ("=", "="),
    ("!=", "!="),
    ("<>", "!="),
    ("<", "<"),
    (">", ">"),
    ("<=", "<="),
    (">=", ">="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("and", "and"),
    ("or", "or"),
    ("&&", "and"),
    ("||", "or"),
];

/// A form that is written as another language would write it.
pub(super) fn slip(items: &[Datum], origin: Origin) -> Option<Diagnostic> {
    let (head, rest) = items.split_first()?;
    sign(head, rest)
        .or_else(|| infix(items))
        .or_else(|| condition(head, rest))
        .or_else(|| repetition(head, rest, origin))
}

/// `(== a b)`.
fn sign(head: &Datum, rest: &[Datum]) -> Option<Diagnostic> {
    let word = head.word()?;
    let (_, ours) = SIGNS.iter().find(|(theirs, _)| **theirs == **word)?;
    if **ours == **word || rest.len() < 2 {
        return None;
    }
    let label = format!("This is written `{ours}` here.");
    Some(Diagnostic::error("form/slip", "A sign of another language", head.origin, label).hint(shown(ours, rest)))
}

/// `(a = b)`: a sign between what it compares.
fn infix(items: &[Datum]) -> Option<Diagnostic> {
    let [left, sign, right, ..] = items else { return None };
    let word = sign.word()?;
    let (_, ours) = SIGNS.iter().find(|(theirs, _)| **theirs == **word)?;
    // A form takes what stands behind its name, and `(- - 1)` is no sum.
    let a_form = left.word().is_some_and(|word| forms::with_head(word).next().is_some());
    if a_form || left.word().is_some_and(|word| SIGNS.iter().any(|(theirs, _)| **theirs == **word)) {
        return None;
    }
    let label = "What is done stands first, and then with what.";
    let diagnostic = Diagnostic::error("form/infix", format!("`{word}` stands between its values"), sign.origin, label);
    let asked = shown(ours, &[left.clone(), right.clone()]);
    Some(match (&**word, left.word()) {
        ("=", Some(name)) => diagnostic.hint(format!("{asked} To change it: `(set {name} to …)`.")),
        _ => diagnostic.hint(asked),
    })
}

/// `(if C then A)`, `(if C A else if D B)`, `(elif …)`.
fn condition(head: &Datum, rest: &[Datum]) -> Option<Diagnostic> {
    let (slip, hint) = if head.is_word("if") {
        let behind = rest.get(1..)?;
        let then = behind.iter().find(|item| item.is_word("then"));
        let chained = behind.windows(2).find(|pair| pair[0].is_word("else") && pair[1].is_word("if"));
        let joined = behind.iter().find(|item| ["elif", "elsif", "elseif"].iter().any(|word| item.is_word(word)));
        match (then, chained, joined) {
            (Some(then), ..) => (then, "Leave `then` out: `(if CONDITION WHAT else WHAT)`."),
            (_, Some(pair), _) => (&pair[1], CHAINED),
            (.., Some(joined)) => (joined, CHAINED),
            _ => return None,
        }
    } else if ["elif", "elsif", "elseif"].iter().any(|word| head.is_word(word)) {
        (head, CHAINED)
    } else {
        return None;
    };
    let word = slip.word()?;
    let label = match &**word {
        "if" => "This begins another form.".to_owned(),
        _ => format!("`{word}` is no part of `if` here."),
    };
    Some(Diagnostic::error("form/slip", "A condition of another language", slip.origin, label).hint(hint))
}

const CHAINED: &str = "The second condition has its own parentheses: `(if C WHAT else (if D WHAT else WHAT))`.";

/// `(for x in list …)`.
fn repetition(head: &Datum, rest: &[Datum], origin: Origin) -> Option<Diagnostic> {
    let looping = rest.iter().take(3).any(|item| item.is_word("in") || item.is_word("each"));
    if !head.is_word("for") || !looping {
        return None;
    }
    let label = "Here this is one word, `foreach`.";
    let place = Origin { end: head.origin.end, ..origin };
    Some(
        Diagnostic::error("form/slip", "A loop of another language", place, label)
            .hint("Write `(foreach x in LIST …)`; `(while CONDITION …)` goes on as long as it holds."),
    )
}

/// The form that was meant, as far as it is short.
fn shown(sign: &str, values: &[Datum]) -> String {
    let value = |item: &Datum| match &item.kind {
        DatumKind::Word(word) => word.to_string(),
        DatumKind::Number(number) => number.to_string(),
        DatumKind::Text(text) => format!("\"{text}\""),
        DatumKind::List(_) => "…".into(),
    };
    let values: Vec<String> = values.iter().take(3).map(value).collect();
    format!("Write `({sign} {})`.", values.join(" "))
}
