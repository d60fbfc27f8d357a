//! Names of models, parents, boards, players: circles, gaps and clashes.

use crate::names::suggest;
use crate::outline::Outline;
use houserules_model::*;
use std::collections::{BTreeMap, BTreeSet};

pub fn check(outline: &Outline, found: &mut Vec<Diagnostic>) {
    parents(outline, found);
    unknown_models(outline, found);
    clashes(outline, found);
    doubles(outline, found);
    entities(outline, found);
}

pub(crate) fn declared(outline: &Outline, model: &str) -> bool {
    matches!(model, "game" | "player")
        || outline.models.get(model).is_some_and(|known| known.origin.is_some() || model == THING)
}

fn model_names<'o>(outline: &'o Outline) -> impl Iterator<Item = &'o str> {
    outline.models.keys().map(|name| &**name).filter(|name| declared(outline, name))
}

fn unknown(outline: &Outline, name: &str, origin: Origin) -> Diagnostic {
    let diagnostic = Diagnostic::error("name/model", "Unknown model", origin, format!("There is no `#model {name}`."));
    let diagnostic = suggest(diagnostic, name, "Models", model_names(outline));
    if diagnostic.hint.is_some() { diagnostic } else { diagnostic.hint(format!("Add `#model {name}`.")) }
}

fn parents(outline: &Outline, found: &mut Vec<Diagnostic>) {
    let mut told: BTreeSet<Name> = BTreeSet::new();
    for (name, model) in &outline.models {
        let (Some(parent), Some(origin)) = (&model.parent, model.origin) else {
            continue;
        };
        if !declared(outline, parent) {
            found.push(unknown(outline, parent, origin));
            continue;
        }
        let line = outline.ancestry(name);
        let end = line.last().and_then(|last| outline.models.get(last)).and_then(|last| last.parent.as_ref());
        if end != Some(name) || told.contains(name) {
            continue;
        }
        told.extend(line.iter().cloned());
        let circle: Vec<String> = line.iter().chain(std::iter::once(name)).map(|name| format!("`{name}`")).collect();
        let mut diagnostic = Diagnostic::error(
            "model/cycle",
            "A model is its own parent",
            origin,
            format!("`{name}` comes from itself: {}.", circle.join(" is ")),
        )
        .hint("Leave out `is …` at one of them.");
        for other in line.iter().skip(1) {
            if let Some(origin) = outline.models.get(other).and_then(|model| model.origin) {
                diagnostic = diagnostic.and(origin, "This is part of the circle.");
            }
        }
        found.push(diagnostic);
    }
}

/// Models that directives name.
fn unknown_models(outline: &Outline, found: &mut Vec<Diagnostic>) {
    for item in &outline.items {
        let name = match &item.kind {
            ItemKind::Entity(entity) => &entity.model,
            ItemKind::Board(board) => &board.model,
            ItemKind::Supply { model, .. } => model,
            ItemKind::View(view) => &view.of,
            ItemKind::Rule(rule) => {
                rule_names(outline, rule, found);
                continue;
            }
            ItemKind::History(history) => {
                for (name, origin) in &history.things {
                    let game = outline
                        .models
                        .get("game")
                        .is_some_and(|game| game.properties.contains_key(name) || game.defines.contains_key(name));
                    if !declared(outline, name) && !game && !outline.defines.contains_key(name) {
                        let game = outline.models.get("game").into_iter().flat_map(|game| game.properties.keys());
                        let known = model_names(outline).chain(game.map(|name| &**name));
                        let diagnostic = Diagnostic::error(
                            "name/history",
                            "Unknown thing in the history",
                            *origin,
                            format!("`{name}` is neither a model nor a property or define of the game."),
                        );
                        found.push(suggest(diagnostic, name, "It can name", known));
                    }
                }
                continue;
            }
            ItemKind::Players(players) => {
                for player in &players.names {
                    if let Some(facing) = player.facing.as_ref().filter(|facing| !outline.is_direction(facing)) {
                        let known: Vec<Name> =
                            outline.boards.iter().flat_map(|board| outline.directions_of(board)).collect();
                        let diagnostic = Diagnostic::error(
                            "name/direction",
                            "Unknown direction",
                            player.origin,
                            format!("No board of this game has a direction `{facing}`."),
                        );
                        found.push(suggest(diagnostic, facing, "Directions", known.iter().map(|name| &**name)));
                    }
                }
                continue;
            }
            ItemKind::Directions { paths: DirectionPaths::Paths(paths), .. } => {
                for step in paths.iter().flatten().filter(|step| !outline.is_direction(step)) {
                    let known: Vec<Name> =
                        outline.boards.iter().flat_map(|board| outline.directions_of(board)).collect();
                    let diagnostic = Diagnostic::error(
                        "name/direction",
                        "Unknown direction",
                        item.origin,
                        format!("No board of this game has a direction `{step}`."),
                    );
                    found.push(suggest(diagnostic, step, "Directions", known.iter().map(|name| &**name)));
                }
                continue;
            }
            _ => continue,
        };
        if !declared(outline, name) {
            found.push(unknown(outline, name, item.origin));
        }
    }
}

fn rule_names(outline: &Outline, rule: &Rule, found: &mut Vec<Diagnostic>) {
    for (name, origin) in &rule.to {
        if !declared(outline, name) && outline.named_thing(name).is_none() && &**name != "*" {
            found.push(unknown(outline, name, *origin));
        }
    }
    if let Some((before, origin)) = &rule.before
        && !outline.rules.iter().any(|rule| rule.name == *before)
    {
        let diagnostic = Diagnostic::error(
            "name/rule",
            "Unknown rule",
            *origin,
            format!("There is no rule “{before}” to stand before."),
        );
        found.push(suggest(diagnostic, before, "Rules", outline.rules.iter().map(|rule| &*rule.name)));
    }
}

/// One word for two things: a model, a player, an entity, a setting.
fn clashes(outline: &Outline, found: &mut Vec<Diagnostic>) {
    let mut taken: BTreeMap<&str, (&'static str, Origin)> = BTreeMap::new();
    for item in &outline.items {
        let mut names: Vec<(&str, &'static str, Origin)> = Vec::new();
        match &item.kind {
            ItemKind::Model { name, .. } => names.push((name, "a model", item.origin)),
            ItemKind::Setting(setting) => names.push((&setting.name, "a setting", item.origin)),
            ItemKind::Entity(Entity { name: Some(name), .. }) => names.push((name, "an entity", item.origin)),
            ItemKind::Board(Board { name: Some(name), .. }) => names.push((name, "a board", item.origin)),
            // Otherwise they are entities, and stand there.
            ItemKind::Players(players) if players.are.is_none() => {
                names.extend(players.names.iter().map(|player| (&*player.name, "a player", player.origin)))
            }
            _ => {}
        }
        // A plain word is never taken for a form, so only what is written with parentheses clashes.
        let word = match &item.kind {
            ItemKind::Define(define) if define.of.is_some() || !define.params.is_empty() => Some(&define.name),
            ItemKind::Model { name, .. } => Some(name),
            _ => None,
        };
        if let Some(name) = word.filter(|name| forms::with_head(name).next().is_some()) {
            found.push(like_a_form(name, item.origin));
        }
        for (name, what, origin) in names {
            match taken.get(name) {
                Some((other, there)) => found.push(
                    Diagnostic::error(
                        "name/twice",
                        "One name for two things",
                        origin,
                        format!("`{name}` is {what} here."),
                    )
                    .and(*there, format!("And {other} here."))
                    .note("A word in a rule could mean either.")
                    .hint("Give one of them another name."),
                ),
                None => {
                    taken.insert(name, (what, origin));
                }
            }
        }
    }
}

fn like_a_form(name: &str, origin: Origin) -> Diagnostic {
    Diagnostic::error("name/taken", "This name is taken", origin, format!("`{name}` is a form of the language."))
        .note(format!("`({name} …)` would always be read as the form."))
        .hint("Take another name.")
}

/// Parameters and attributes given twice.
fn doubles(outline: &Outline, found: &mut Vec<Diagnostic>) {
    for item in &outline.items {
        let (names, what): (Vec<&Name>, &str) = match &item.kind {
            ItemKind::Define(define) => (define.params.iter().collect(), "parameter"),
            ItemKind::Behavior(behavior) => (behavior.attributes.iter().collect(), "attribute"),
            ItemKind::Action(action) => (action.with.iter().map(|(name, _)| name).collect(), "attribute"),
            _ => continue,
        };
        let mut seen = BTreeSet::new();
        for name in names {
            if !seen.insert(name) {
                found.push(
                    Diagnostic::error(
                        "name/twice",
                        format!("A {what} given twice"),
                        item.origin,
                        format!("`{name}` stands here twice."),
                    )
                    .hint(format!("Give each {what} a name of its own.")),
                );
            }
        }
    }
}

/// What entities are made with.
fn entities(outline: &Outline, found: &mut Vec<Diagnostic>) {
    use crate::{kinds::Kinds, outline::Member};
    for item in &outline.items {
        let ItemKind::Entity(entity) = &item.kind else { continue };
        if !declared(outline, &entity.model) {
            continue;
        }
        let each = entity.each.iter().filter_map(|each| match each {
            ForEach::In(name, list) => Some((name, list)),
            ForEach::Player => None,
        });
        for (name, value) in entity.with.iter().map(|(name, value)| (name, value)).chain(each) {
            let kinds = Kinds::one(&entity.model);
            if matches!(outline.member(&kinds, name), Some(Member::Property(_) | Member::Builtin(_))) {
                continue;
            }
            let model = &entity.model;
            let known = outline
                .ancestry(model)
                .into_iter()
                .filter_map(|model| outline.models.get(&model))
                .flat_map(|model| model.properties.keys());
            let diagnostic = Diagnostic::error(
                "name/property",
                "Unknown property",
                value.origin,
                format!("This is given as `{name}`, but `{model}` has no such property."),
            );
            let diagnostic = suggest(diagnostic, name, "It has", known.map(|name| &**name));
            found.push(if diagnostic.hint.is_some() {
                diagnostic
            } else {
                diagnostic.hint(format!("Add `#property {name}` to `#model {model}`."))
            });
        }
    }
}
