use crate::outline::Outline;
use crate::walk::{Answers, Walk};
use crate::{chance, game, laws, messages, models, site, states, usage};
use houserules_model::*;
use std::collections::BTreeSet;

/// Everything that can be said about a definition without playing it, in the order of its text.
///
/// The game as it stands is read first, then the game with each variant; of a variant only what is new
/// and stands in its own lines is told.
///
/// What is played on the bench is read as it is played there.
pub fn check(definition: &Definition) -> Vec<Diagnostic> {
    let Some(bench) = definition.bench() else { return whole(definition) };
    let mut found = whole(&bench);
    // A referee may tell whatever there is to tell, with any attributes; and whom a thing knows is there for people to
    // follow, too.
    found.retain(|told| told.code != "name/attribute" && (told.is_error() || !told.code.starts_with("unused/")));
    let start = definition.items().first().map_or(Origin::NONE, |item| item.origin);
    let label = "Nothing says what players may do.";
    let told = Diagnostic::warning("game/bench", "A game that is played on the bench", start, label);
    let told = told.note("A referee tells the things what to do, whatever it is.");
    found.push(told.hint("Say what a player may do: `#action place to cell (set mark to player)`."));
    tidy(found)
}

fn whole(definition: &Definition) -> Vec<Diagnostic> {
    let mut found = one(definition);
    // What is still being built has a use for what nothing uses yet.
    let is_begun = found.iter().any(|told| told.severity == Severity::ToDo);
    let unused = if is_begun { Vec::new() } else { usage::check(definition) };
    found.extend(
        unused.into_iter().filter(|(name, _)| !suggested(&found, name)).map(|(_, unused)| unused).collect::<Vec<_>>(),
    );
    let mut told: BTreeSet<Told> = found.iter().map(told_as).collect();
    for (variant, origin) in variants(definition) {
        let fresh = match definition.with_variant(&variant.name) {
            Ok(changed) => {
                let spans = spans(variant);
                one(&changed).into_iter().filter(|diagnostic| inside(&spans, diagnostic)).collect()
            }
            Err(VariantError::Broken(diagnostic)) => vec![*diagnostic],
            Err(error) => vec![variant_fault(origin, &error)],
        };
        found.extend(fresh.into_iter().filter(|diagnostic| told.insert(told_as(diagnostic))));
    }
    tidy(found)
}

/// The checks of one definition, its variants aside.
fn one(definition: &Definition) -> Vec<Diagnostic> {
    let definition = definition.seated();
    let outline = Outline::of(&definition);
    let mut found = Vec::new();
    models::check(&outline, &mut found);
    game::check(&outline, &mut found);
    let answers = Answers::default();
    for site in site::sites(&outline) {
        let mut walk = Walk::new(&outline, &site, &answers);
        walk.run();
        found.append(&mut walk.found);
    }
    laws::check(&outline, &mut found);
    messages::check(&outline, &mut found);
    states::check(&outline, &mut found);
    chance::check(&outline, &mut found);
    found
}

/// Whether the name is what another message thinks was meant: then it is not unused, only misspelt.
fn suggested(found: &[Diagnostic], name: &str) -> bool {
    let (word, form) = (format!("`{name}`"), format!("`({name} "));
    found
        .iter()
        .filter_map(|diagnostic| diagnostic.hint.as_ref())
        .any(|hint| hint.contains(&word) || hint.contains(&form))
}

/// What makes two messages the same: origins compare as equal everywhere, so the place is spelled out.
type Told = (&'static str, (u16, u32, u32), String);

fn told_as(diagnostic: &Diagnostic) -> Told {
    let place = diagnostic.labels.first().map_or(Origin::NONE, |label| label.origin);
    let text = diagnostic.labels.first().map_or(String::new(), |label| label.text.clone());
    (diagnostic.code, (place.file.0, place.start, place.end), text)
}

fn tidy(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut told = BTreeSet::new();
    let mut found: Vec<Diagnostic> = found.into_iter().filter(|diagnostic| told.insert(told_as(diagnostic))).collect();
    found.sort_by_key(|diagnostic| told_as(diagnostic).1);
    found
}

fn variants(definition: &Definition) -> impl Iterator<Item = (&Variant, Origin)> {
    definition.items().iter().filter_map(|item| match &item.kind {
        ItemKind::Variant(variant) => Some((variant, item.origin)),
        _ => None,
    })
}

/// As the reader says it, so that whoever shows both can leave one out.
fn variant_fault(origin: Origin, error: &VariantError) -> Diagnostic {
    Diagnostic::error("change/variant", "This variant cannot be played", origin, error.to_string())
}

/// The stretches of text that belong to a variant.
fn spans(variant: &Variant) -> Vec<Origin> {
    let mut spans = Vec::new();
    for item in &variant.changes {
        spans.push(item.origin);
        item.exprs(&mut |expr| spans.push(expr.origin));
    }
    spans
}

fn inside(spans: &[Origin], diagnostic: &Diagnostic) -> bool {
    let Some(label) = diagnostic.labels.first() else {
        return false;
    };
    let at = label.origin;
    spans.iter().any(|span| span.file == at.file && span.start <= at.start && at.end <= span.end)
}
