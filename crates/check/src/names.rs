//! Words and names that mean nothing where they stand.

use crate::kinds::Kinds;
use crate::outline::{EVERY_THING, Member};
use crate::walk::{Found, Walk};
use houserules_model::*;

/// Adds what was probably meant, or else the names there are.
pub fn suggest<'n>(
    diagnostic: Diagnostic,
    word: &str,
    what: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    let mut known: Vec<&str> = known.into_iter().filter(|name| *name != word).collect();
    known.sort_unstable();
    known.dedup();
    if let Some(near) = nearest(word, known.iter().copied()) {
        return diagnostic.hint(format!("Did you mean `{near}`?"));
    }
    // Directions and what every thing has are many, and seldom what was meant.
    let plain = |name: &&str| !is_usual_direction(name) && !EVERY_THING.contains(name);
    if known.iter().any(plain) && !what.starts_with("Directions") {
        known.retain(plain);
    }
    if known.is_empty() {
        return diagnostic;
    }
    let more = if known.len() > 24 { " …" } else { "" };
    known.truncate(24);
    diagnostic.note(format!("{what}: {}{more}", known.join(" ")))
}

impl Walk<'_, '_> {
    pub(crate) fn unknown_word(&mut self, name: &Name, origin: Origin) {
        if self.enough() {
            return;
        }
        if name.as_ref() == "it" {
            self.report(
                Diagnostic::error("name/it", "There is no `it` here", origin, "Nothing is being looked at.")
                    .note("`it` is the candidate of a `where`, a `while` or an `of`.")
                    .hint("Write `self` for the entity whose code this is."),
            );
            return;
        }
        let on_board = self.site.own != Kinds::Any && !self.outline.boards_for(&self.site.own).is_empty();
        if is_usual_direction(name) && on_board {
            self.unknown_member(name, origin, &self.site.own.clone());
            return;
        }
        if self.outline.is_direction(name) && self.site.own != Kinds::one("game") {
            let own = self.site.own.words();
            let label = format!("`{name}` here means that of `self`, and {own} is not a place of a board.");
            let title = "A direction of something that is not a place";
            self.report(Diagnostic::error("name/direction", title, origin, label).hint(format!(
                "Say of which place, `({name} of …)`; for the direction itself write `(directions {name})`."
            )));
            return;
        }
        if forms::with_head(name).next().is_some() {
            let pattern = forms::with_head(name).next().map_or("", |def| def.pattern);
            self.report(
                Diagnostic::error(
                    "name/form",
                    "A form needs parentheses",
                    origin,
                    format!("`{name}` is a form of the language, not a value."),
                )
                .hint(
                    format!("It is written `({name} {pattern})`; `houserules explain {name}` says more.")
                        .replace(" )", ")"),
                ),
            );
            return;
        }
        let mut diagnostic =
            Diagnostic::error("name/unknown", "Unknown word", origin, format!("Nothing here is called `{name}`."));
        let owners = self.owners(name);
        if let Some(ours) = elsewhere(name) {
            self.report(diagnostic.hint(format!("Here this is `{ours}`.")));
            return;
        }
        if !owners.is_empty() {
            let own = self.site.own.words();
            diagnostic = diagnostic
                .note(format!("{} has `{name}`, but `self` is {own} here.", Kinds::Of(owners).words()))
                .hint(format!("Say whose it is: `({name} of …)`."));
            self.report(diagnostic);
            return;
        }
        let settings = self.outline.settings.values();
        if let Some(setting) = settings.into_iter().find(|setting| self.outline.setting_words(setting).contains(&name))
        {
            let of = &setting.name;
            self.report(
                diagnostic
                    .note(format!("It is one of the words that `{of}` can be."))
                    .hint(format!("In a rule it is written `\"{name}\"`.")),
            );
            return;
        }
        if let Some(smaller) = self.place_beyond(name) {
            self.report(diagnostic.note(smaller));
            return;
        }
        let known = self.words_here();
        self.report(suggest(diagnostic, name, "Known here", known.iter().map(|name| &**name)));
    }

    /// Whether a word that nothing is called by is a slip for a form that is written like this: with these words, or
    /// `of`, between its parts. What stands there can only be judged once the form is spelt right.
    pub(crate) fn is_misspelt_form(&self, name: &Name, args: &[Expr], of: bool) -> bool {
        if self.look_up(name).is_some() || !self.owners(name).is_empty() || self.outline.is_direction(name) {
            return false;
        }
        let Some(head) = nearest(name, forms::all().iter().map(|def| def.head)) else { return false };
        let said = |word: &str| {
            of && word == "of" || args.iter().any(|arg| matches!(&arg.kind, ExprKind::Word(said) if **said == *word))
        };
        forms::with_head(head).any(|def| def.form.pattern().words().any(said))
    }

    pub(crate) fn unknown_call(&mut self, name: &Name, origin: Origin) {
        if self.enough() {
            return;
        }
        let heads = forms::all().iter().map(|def| def.head);
        let defines: Vec<Name> = self.all_defines();
        let known: Vec<&str> = heads.chain(defines.iter().map(|name| &**name)).collect();
        let near = nearest(name, known.iter().copied());
        let mut diagnostic = Diagnostic::error(
            "name/form",
            "Unknown form",
            origin,
            format!("There is no form and no define called `{name}` here."),
        );
        let owners = self.owners(name);
        diagnostic = if let Some(ours) = elsewhere(name) {
            diagnostic.hint(format!("Here this is `{ours}`."))
        } else if !owners.is_empty() {
            diagnostic
                .note(format!("{} can be asked for it.", Kinds::Of(owners).words()))
                .hint(format!("Say of whom: `({name} … of …)`."))
        } else if let Some(near) = near {
            diagnostic.hint(format!("Did you mean `({near} …)`?"))
        } else if defines.is_empty() {
            diagnostic.hint(format!(
                "Add `#define {name} PARAMETER… VALUE`, or see `houserules explain` for the forms there are."
            ))
        } else {
            suggest(diagnostic, name, "Defines that can be asked", defines.iter().map(|name| &**name))
        };
        self.report(diagnostic);
    }

    pub(crate) fn unknown_member(&mut self, name: &Name, origin: Origin, kinds: &Kinds) {
        if self.enough() {
            return;
        }
        if self.outline.is_direction(name) || is_usual_direction(name) {
            let boards = self.outline.boards_for(kinds);
            let diagnostic = Diagnostic::error(
                "name/direction",
                "No such direction",
                origin,
                format!("{} has no `{name}`.", capital(&kinds.words())),
            );
            let diagnostic = match boards.first() {
                Some(board) => {
                    let known = self.outline.directions_of(board);
                    diagnostic.note(format!("Its board is a {} with: {}", shape_word(board), join(&known)))
                }
                None if self.outline.boards.is_empty() => {
                    diagnostic.note("The game has no board.").hint("Add `#board MODEL grid 8 8`, or another shape.")
                }
                None => diagnostic
                    .note("Only places of a board have directions.")
                    .hint(format!("For a thing that stands on the board: `({name} of (place of …))`.")),
            };
            self.report(diagnostic);
            return;
        }
        let label = match kinds {
            Kinds::Any => format!("Nothing has a property, relation or define `{name}`."),
            kinds => format!("{} has no property, relation or define `{name}`.", capital(&kinds.words())),
        };
        let mut diagnostic = Diagnostic::error("name/property", "Unknown property", origin, label);
        let owners = self.owners(name);
        if owners.is_empty() {
            let known = self.members_of(kinds);
            let near = nearest(name, known.iter().map(|name| &**name)).is_some();
            diagnostic = suggest(diagnostic, name, "It has", known.iter().map(|name| &**name));
            if let (false, Kinds::Of(models)) = (near, kinds)
                && let Some(model) = models.first()
            {
                diagnostic = diagnostic.hint(format!("Add `#property {name}` to `#model {model}`."));
            }
        } else {
            diagnostic = diagnostic.note(format!("{} has it.", capital(&Kinds::Of(owners).words())));
        }
        self.report(diagnostic);
    }

    pub(crate) fn unknown_thing(&mut self, name: &Name, origin: Origin) {
        let known: Vec<Name> = self.thing_names();
        let diagnostic =
            Diagnostic::error("name/entity", "Unknown entity", origin, format!("No entity is called “{name}”."));
        self.report(suggest(diagnostic, name, "Entities with a name", known.iter().map(|name| &**name)));
    }

    pub(crate) fn unknown_attribute(&mut self, name: &Name, origin: Origin) {
        let outline = self.outline;
        let known = outline.labels.values().flat_map(|label| &label.attributes).chain(&outline.loose_attributes);
        let diagnostic =
            Diagnostic::error("name/attribute", "Unknown attribute", origin, format!("No message carries `{name}`."));
        self.report(suggest(diagnostic, name, "Attributes of messages", known.map(|name| &**name)));
    }

    pub(crate) fn unknown_direction(&mut self, name: &Name, origin: Origin) {
        let known: Vec<Name> = self.outline.boards.iter().flat_map(|board| self.outline.directions_of(board)).collect();
        let label = format!("No board of this game has a direction `{name}`.");
        let diagnostic = Diagnostic::error("name/direction", "Unknown direction", origin, label);
        if self.outline.boards.is_empty() {
            let diagnostic = diagnostic.note("The game has no board.");
            self.report(diagnostic.hint("Add `#board MODEL grid 8 8`, or another shape."));
            return;
        }
        // A variable or attribute may hold a direction.
        let words: Vec<Name> = self.words_here();
        let near = nearest(name, known.iter().map(|name| &**name)).is_some();
        match nearest(name, words.iter().map(|name| &**name)).filter(|_| !near) {
            Some(word) => self.report(diagnostic.hint(format!("Did you mean `{word}`?"))),
            None => self.report(suggest(diagnostic, name, "Directions and sets", known.iter().map(|name| &**name))),
        }
    }

    pub(crate) fn takes_no_arguments(&mut self, name: &Name, origin: Origin, args: &[Expr]) {
        let first = args.first().map_or(origin, |arg| arg.origin);
        self.report(
            Diagnostic::error(
                "type/arguments",
                "Nothing can follow this word",
                origin,
                format!("`{name}` is a value, not a define."),
            )
            .and(first, "What stands here would be given to it.")
            .hint(format!("Of something else: `({name} of …)`. Of this: `{name}`.")),
        );
    }

    pub(crate) fn check_arguments(&mut self, define: &Define, given: usize, origin: Origin) {
        let wanted = define.params.len();
        if given == wanted {
            return;
        }
        let name = &define.name;
        let params: String = define.params.iter().map(|param| format!(" {}", param.to_uppercase())).collect();
        let label = format!(
            "`{name}` takes {}, here it gets {}.",
            counted(wanted, "value"),
            if given == 0 { "none".into() } else { given.to_string() }
        );
        self.report(
            Diagnostic::error("type/arguments", "Too few or too many values for a define", origin, label)
                .hint(format!("Write `({name}{params})`.")),
        );
    }

    pub(crate) fn check_action_name(&mut self, name: &NameRef) {
        let NameRef::Given(label, origin) = name else { return };
        let labels = &self.outline.labels;
        if labels.get(label).is_some_and(|label| label.action.is_some()) {
            return;
        }
        let known = labels.iter().filter(|(_, label)| label.action.is_some()).map(|(name, _)| &**name);
        let diagnostic =
            Diagnostic::error("name/action", "Unknown action", *origin, format!("There is no `#action {label}`."));
        self.report(suggest(diagnostic, label, "Actions", known));
    }

    pub(crate) fn check_rule_name(&mut self, name: &NameRef) {
        let NameRef::Given(rule, origin) = name else { return };
        if self.outline.rules.iter().any(|known| known.name == *rule) {
            return;
        }
        let diagnostic = Diagnostic::error("name/rule", "Unknown rule", *origin, format!("There is no rule “{rule}”."));
        self.report(suggest(diagnostic, rule, "Rules", self.outline.rules.iter().map(|rule| &*rule.name)));
    }

    /// Where a model is wanted, its name means the model even if a property is called the same.
    pub(crate) fn model_word(&mut self, slot: &Slot) -> Kinds {
        let Some(expr) = slot.expr() else { return Kinds::Any };
        if let ExprKind::Word(name) | ExprKind::Text(name) = &expr.kind {
            let found = if matches!(expr.kind, ExprKind::Word(_)) { self.look_up(name) } else { None };
            let hidden = matches!(found, Some(Found::Variable(_) | Found::Attribute));
            if self.outline.models.contains_key(name) && !hidden {
                return Kinds::one(name);
            }
            let value = found.is_some();
            if !value {
                let diagnostic = Diagnostic::error(
                    "name/model",
                    "Unknown model",
                    expr.origin,
                    format!("There is no `#model {name}`."),
                );
                self.report(suggest(diagnostic, name, "Models", self.outline.models.keys().map(|name| &**name)));
                return Kinds::Any;
            }
        }
        self.expr(expr);
        Kinds::Any
    }

    /// `with p v …` of a new thing.
    pub(crate) fn check_given_properties(&mut self, slot: &Slot, kinds: &Kinds) {
        for (name, _) in slot.pairs() {
            if let NameRef::Given(name, origin) = name
                && !matches!(self.outline.member(kinds, name), Some(Member::Property(_) | Member::Builtin(_)))
            {
                self.unknown_member(name, *origin, kinds);
            }
        }
    }

    pub(crate) fn check_opponent(&mut self, origin: Origin) {
        if self.outline.for_two() {
            return;
        }
        self.report(
            Diagnostic::error(
                "game/opponent",
                "`opponent` in a game that is not for two",
                origin,
                "Which of the others is meant?",
            )
            .hint("Write `(next of player)` for the next one, or `(all players where (!= it player))` for all others."),
        );
    }
}

pub fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

pub fn join(names: &[Name]) -> String {
    names.iter().map(|name| &**name).collect::<Vec<_>>().join(" ")
}

pub fn counted(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}"),
        1 => format!("one {what}"),
        n => format!("{n} {what}s"),
    }
}

pub fn shape_word(board: &Board) -> &'static str {
    match board.shape {
        Shape::Grid { .. } => "grid",
        Shape::Rhombus { .. } => "rhombus",
        Shape::Hex { .. } => "hex",
        Shape::Triangle { .. } => "triangle",
        Shape::Ring { .. } => "ring",
        Shape::Track { .. } => "track",
        Shape::Graph => "graph",
    }
}

fn is_usual_direction(name: &str) -> bool {
    const USUAL: &[&str] = &[
        "linked",
        "north",
        "northeast",
        "east",
        "southeast",
        "south",
        "southwest",
        "west",
        "northwest",
        "orthogonal",
        "diagonal",
        "adjacent",
    ];
    USUAL.contains(&name) || crate::outline::RELATIVE.contains(&name)
}

/// What a word of other languages is called here.
fn elsewhere(name: &str) -> Option<&'static str> {
    let ours = match name {
        "print" | "echo" | "display" | "alert" => "(say …)",
        "len" | "length" | "size" | "countif" => "(count …)",
        "average" | "total" => "(sum …)",
        "True" | "TRUE" => "true",
        "False" | "FALSE" | "false" | "None" | "null" | "NULL" => "nil",
        "!" => "(not …)",
        "def" | "function" => "#define",
        "random" | "randint" | "rand" => "(roll …)",
        _ => return None,
    };
    Some(ours)
}
