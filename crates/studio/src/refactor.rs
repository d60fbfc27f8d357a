//! Refactorings: several edits of the text that leave the game as it is, made as one step.

use crate::blocks;
use crate::change::unquoted;
use crate::document::{Reading, Refused};
use crate::layout::{Layout, shifted};
use crate::names::{Names, Sort};
use crate::place;
use crate::text::{Span, TextEdit};
use houserules_model::print::{name as spelled, quoted};
use houserules_model::*;

type Edits = Result<(Vec<TextEdit>, String), Refused>;

fn stale() -> Refused {
    Refused::new("edit/stale", "The text has changed there in the meantime.")
}

/// A part of a model becomes one of its parent.
pub(crate) fn push_up(reading: &Reading, at: Span) -> Edits {
    let item = reading.own.iter().find(|item| Span::from(item.origin) == at).ok_or_else(stale)?;
    let key = item.key().ok_or_else(stale)?;
    let (own, _) = Definition::with_items(reading.own.clone());
    let splices =
        houserules_gdl::push_up(&reading.text, &own, &key).map_err(|why| Refused::new("edit/push-up", why))?;
    let edits = splices.into_iter();
    let edits = edits.map(|splice| TextEdit::new(Span::new(splice.range.start, splice.range.end), splice.text));
    Ok((edits.collect(), crate::called(&item.kind).1))
}

/// A statement of a behavior or an action becomes a rule of its own, which can be switched: what is required first a law,
/// what comes last a side-effect.
pub(crate) fn extract(reading: &Reading, layout: &Layout, at: Span, name: &str) -> Edits {
    let no = |code, words: &str| Refused::new(code, words);
    if name.trim().is_empty() {
        return Err(no("edit/name", "It needs a name."));
    }
    if reading.definition.rule(name).is_some() {
        return Err(Refused::new("edit/taken", format!("“{name}” is there already.")));
    }
    let home = reading.own.iter().find(|item| {
        matches!(item.kind, ItemKind::Behavior(_) | ItemKind::Action(_)) && Span::from(item.origin).holds(at)
    });
    let home = home.ok_or_else(|| no("edit/no-rule", "Only statements of a behavior or an action become a rule."))?;
    let body = blocks::body(&home.kind).unwrap_or_default();
    let nth = body.iter().position(|statement| Span::from(statement.origin) == at);
    let nth =
        nth.ok_or_else(|| no("edit/no-rule", "Only a whole statement becomes a rule, none inside another one."))?;
    let requires = |statement: &Expr| matches!(statement.kind, ExprKind::Form(Form::Require, _));
    let law = body[..=nth].iter().all(requires);
    if !law && nth + 1 < body.len() {
        return Err(no(
            "edit/order",
            "It would run at another time: only what is required before all else, or the last statement, can be a rule.",
        ));
    }
    if !law && ends_it(&body[nth]) {
        return Err(no("edit/order", "It says what the behavior answers, which a rule cannot."));
    }
    alone(reading, home)?;
    let names = Names::of(reading);
    let inside = |place: Span| at.holds(place);
    let outer = names.all().iter().find(|found| {
        matches!(found.meaning.sort, Sort::Variable(..))
            && inside(found.at)
            && names.uses(&found.meaning).any(|made| made.defines && !inside(made.at))
    });
    if let Some(found) = outer {
        let words = format!("It uses the variable “{}”, which a rule does not know.", found.meaning.name);
        return Err(Refused::new("edit/variable", words));
    }
    let head = head(home, law, name);
    let text = format!("{head}\n  {}", shifted(&layout.lifted(at), 2));
    // It stands on the message at once before what already follows it, or after what is already asked.
    let label = label(home).ok_or_else(stale)?;
    let mut rules = reading.own.iter().filter(|item| match &item.kind {
        ItemKind::Rule(rule) => {
            (rule.kind == RuleKind::Law) == law && rule.labels.iter().any(|(own, _)| **own == **label || **own == *"*")
        }
        _ => false,
    });
    let beside = if law { rules.next_back() } else { rules.next() };
    let side = if law { crate::Side::After } else { crate::Side::Before };
    let put = match beside {
        Some(rule) => layout.beside(rule.origin.into(), side, &text),
        None => place::top(reading, |kind| matches!(kind, ItemKind::Rule(_)), &text),
    };
    Ok((vec![layout.cut(at), put], name.to_owned()))
}

fn label(home: &Item) -> Option<&Name> {
    match &home.kind {
        ItemKind::Behavior(own) => Some(&own.label),
        ItemKind::Action(own) => Some(&own.label),
        _ => None,
    }
}

fn head(home: &Item, law: bool, name: &str) -> String {
    let (label, to, state) = match &home.kind {
        ItemKind::Behavior(own) => {
            (Some(&own.label), Some(&own.of), Some(&own.state).filter(|state| !["default", "*"].contains(&&***state)))
        }
        ItemKind::Action(own) => {
            let to = own.to.as_ref().and_then(|to| match &to.kind {
                ExprKind::Word(model) => Some(model),
                _ => None,
            });
            (Some(&own.label), to, None)
        }
        _ => (None, None, None),
    };
    let word = if law { "law" } else { "sideeffect" };
    let mut head = format!("#{word} {} on {}", quoted(name), label.map(|label| spelled(label)).unwrap_or_default());
    if let Some(to) = to {
        head += &format!(" to {}", spelled(to));
    }
    if let Some(state) = state {
        head += &format!(" in {}", spelled(state));
    }
    head
}

/// A rule on the message would stand for other behaviors of it, too.
fn alone(reading: &Reading, home: &Item) -> Result<(), Refused> {
    let label = label(home).ok_or_else(stale)?;
    let others = reading.definition.items().iter().filter(|item| item.key() != home.key());
    for item in others {
        let same = match &item.kind {
            ItemKind::Behavior(other) => other.label == *label,
            ItemKind::Action(other) => other.label == *label && other.body.is_some(),
            _ => false,
        };
        if same {
            let words = format!("“{label}” is answered elsewhere, too; a rule on it would run there as well.");
            return Err(Refused::new("edit/several", words));
        }
    }
    Ok(())
}

/// Whether a statement may end the behavior it stands in.
fn ends_it(statement: &Expr) -> bool {
    let text = statement.to_string();
    let tokens = houserules_gdl::parse(FileId(0), &text).root().descendants_with_tokens();
    let words: Vec<String> = tokens
        .filter_map(|element| element.into_token())
        .filter(|token| !token.kind().is_trivia())
        .map(|token| unquoted(token.text()))
        .collect();
    words.windows(2).any(|pair| pair[0] == "(" && ["return", "break", "continue"].contains(&&*pair[1]))
}
