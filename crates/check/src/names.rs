//! Words and names that mean nothing where they stand.

use crate::kinds::{Kinds, Type, What};
use crate::outline::{EVERY_THING, Member};
use crate::tree::{computed, given, given_origin};
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
        if name.as_ref() == "it" {
            self.report(
                Diagnostic::error(
                    "name/it",
                    "There is no `it` here",
                    origin,
                    "Nothing is being looked at.",
                )
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
            self.report(
                Diagnostic::error("name/direction", "A direction of something that is not a place", origin, format!("`{name}` here means that of `self`, and {own} is not a place of a board."))
                    .hint(format!("For a thing that stands on the board write `({name} of place)`; for the direction itself `(directions {name})`.")),
            );
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
        let mut diagnostic = Diagnostic::error(
            "name/unknown",
            "Unknown word",
            origin,
            format!("Nothing here is called `{name}`."),
        );
        let owners = self.owners(name);
        if !owners.is_empty() {
            let own = self.site.own.words();
            diagnostic = diagnostic
                .note(format!(
                    "{} has `{name}`, but `self` is {own} here.",
                    Kinds::Of(owners).words()
                ))
                .hint(format!("Say whose it is: `({name} of …)`."));
            self.report(diagnostic);
            return;
        }
        if let Some(smaller) = self.place_beyond(name) {
            self.report(diagnostic.note(smaller));
            return;
        }
        let known = self.words_here();
        self.report(suggest(
            diagnostic,
            name,
            "Known here",
            known.iter().map(|name| &**name),
        ));
    }

    pub(crate) fn unknown_call(&mut self, name: &Name, origin: Origin) {
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
        diagnostic = if !owners.is_empty() {
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
            suggest(
                diagnostic,
                name,
                "Defines that can be asked",
                defines.iter().map(|name| &**name),
            )
        };
        self.report(diagnostic);
    }

    pub(crate) fn unknown_member(&mut self, name: &Name, origin: Origin, kinds: &Kinds) {
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
                None if self.outline.boards.is_empty() => diagnostic
                    .note("The game has no board.")
                    .hint("Add `#board MODEL grid 8 8`, or another shape."),
                None => diagnostic.note("Only places of a board have directions.").hint(format!(
                    "For a thing that stands on the board: `({name} of (place of …))`."
                )),
            };
            self.report(diagnostic);
            return;
        }
        let label = match kinds {
            Kinds::Any => format!("Nothing has a property, relation or define `{name}`."),
            kinds => format!(
                "{} has no property, relation or define `{name}`.",
                capital(&kinds.words())
            ),
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
        let diagnostic = Diagnostic::error(
            "name/entity",
            "Unknown entity",
            origin,
            format!("No entity is called “{name}”."),
        );
        self.report(suggest(
            diagnostic,
            name,
            "Entities with a name",
            known.iter().map(|name| &**name),
        ));
    }

    pub(crate) fn unknown_attribute(&mut self, name: &Name, origin: Origin) {
        let outline = self.outline;
        let known = outline
            .labels
            .values()
            .flat_map(|label| &label.attributes)
            .chain(&outline.loose_attributes);
        let diagnostic = Diagnostic::error(
            "name/attribute",
            "Unknown attribute",
            origin,
            format!("No message carries `{name}`."),
        );
        self.report(suggest(
            diagnostic,
            name,
            "Attributes of messages",
            known.map(|name| &**name),
        ));
    }

    pub(crate) fn unknown_direction(&mut self, name: &Name, origin: Origin) {
        let known: Vec<Name> = self
            .outline
            .boards
            .iter()
            .flat_map(|board| self.outline.directions_of(board))
            .collect();
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
            None => self.report(suggest(
                diagnostic,
                name,
                "Directions and sets",
                known.iter().map(|name| &**name),
            )),
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
        let params: String = define
            .params
            .iter()
            .map(|param| format!(" {}", param.to_uppercase()))
            .collect();
        let label = format!(
            "`{name}` takes {}, here it gets {}.",
            counted(wanted, "value"),
            if given == 0 { "none".into() } else { given.to_string() }
        );
        self.report(
            Diagnostic::error(
                "type/arguments",
                "Too few or too many values for a define",
                origin,
                label,
            )
            .hint(format!("Write `({name}{params})`.")),
        );
    }

    pub(crate) fn check_action_name(&mut self, name: &NameRef) {
        let NameRef::Given(label, origin) = name else { return };
        let labels = &self.outline.labels;
        if labels.get(label).is_some_and(|label| label.action.is_some()) {
            return;
        }
        let known = labels
            .iter()
            .filter(|(_, label)| label.action.is_some())
            .map(|(name, _)| &**name);
        let diagnostic = Diagnostic::error(
            "name/action",
            "Unknown action",
            *origin,
            format!("There is no `#action {label}`."),
        );
        self.report(suggest(diagnostic, label, "Actions", known));
    }

    pub(crate) fn check_rule_name(&mut self, name: &NameRef) {
        let NameRef::Given(rule, origin) = name else { return };
        if self.outline.rules.iter().any(|known| known.name == *rule) {
            return;
        }
        let diagnostic = Diagnostic::error(
            "name/rule",
            "Unknown rule",
            *origin,
            format!("There is no rule “{rule}”."),
        );
        self.report(suggest(
            diagnostic,
            rule,
            "Rules",
            self.outline.rules.iter().map(|rule| &*rule.name),
        ));
    }

    /// Where a model is wanted, its name means the model even if a property is called the same.
    pub(crate) fn model_word(&mut self, slot: &Slot) -> Kinds {
        let Some(expr) = slot.expr() else { return Kinds::Any };
        if let ExprKind::Word(name) | ExprKind::Text(name) = &expr.kind {
            if self.outline.models.contains_key(name) {
                return Kinds::one(name);
            }
            let value = matches!(expr.kind, ExprKind::Word(_)) && self.look_up(name).is_some();
            if !value {
                let diagnostic = Diagnostic::error(
                    "name/model",
                    "Unknown model",
                    expr.origin,
                    format!("There is no `#model {name}`."),
                );
                self.report(suggest(
                    diagnostic,
                    name,
                    "Models",
                    self.outline.models.keys().map(|name| &**name),
                ));
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
                && !matches!(
                    self.outline.member(kinds, name),
                    Some(Member::Property(_) | Member::Builtin(_))
                )
            {
                self.unknown_member(name, *origin, kinds);
            }
        }
    }

    /// `(new property p as v)`, `(update property p to v)`.
    pub(crate) fn own_property(&mut self, slot: &Slot, new: bool) {
        let Some(name) = given(slot) else { return };
        if computed(slot) || new || self.site.view_properties.contains(name) {
            return;
        }
        match self.outline.member(&self.site.own, name) {
            Some(Member::Builtin(_)) => self.check_builtin_set(name, given_origin(slot)),
            Some(member @ (Member::Define(_) | Member::Direction)) => {
                self.cannot_be_set(name, given_origin(slot), &member)
            }
            Some(Member::Property(_)) => {}
            None if self.made_by_new_property(name) => {}
            None => self.unknown_member(name, given_origin(slot), &self.site.own.clone()),
        }
    }

    /// `(set word to …)`.
    pub(crate) fn check_set_word(&mut self, name: &Name, origin: Origin) {
        match self.look_up(name) {
            None if self.made_by_new_property(name) => {}
            None => {
                let mut diagnostic = Diagnostic::error(
                    "name/unknown",
                    "Unknown word",
                    origin,
                    format!("Nothing here is called `{name}`."),
                );
                let owners = self.owners(name);
                diagnostic = if owners.is_empty() {
                    let known = self.words_here();
                    let near = nearest(name, known.iter().map(|name| &**name)).is_some();
                    let diagnostic = suggest(diagnostic, name, "Known here", known.iter().map(|name| &**name));
                    if near {
                        diagnostic
                    } else {
                        diagnostic.hint(format!(
                            "A new variable is made by `(var {name} …)`, a property by `#property {name}`."
                        ))
                    }
                } else {
                    let (owners, own) = (Kinds::Of(owners).words(), self.site.own.words());
                    diagnostic
                        .note(format!("{owners} has `{name}`, but `self` is {own} here."))
                        .hint(format!("Say whose it is: `(set ({name} of …) to …)`."))
                };
                self.report(diagnostic);
            }
            Some(Found::Define(_)) => self.not_settable(
                name,
                origin,
                "It is a define: its value is computed each time it is asked.",
            ),
            Some(Found::Member(member @ (Member::Define(_) | Member::Direction), _)) => {
                self.cannot_be_set(name, origin, &member)
            }
            Some(Found::Member(Member::Builtin(_), _)) => self.check_builtin_set(name, origin),
            Some(Found::Fixed(_)) if !self.site.view_properties.contains(name) => {
                let why = if self.outline.settings.contains_key(name) {
                    "It is a setting: it is chosen before a match and stays as it is."
                } else {
                    "It always means the same."
                };
                self.not_settable(name, origin, why);
            }
            Some(_) => {}
        }
    }

    pub(crate) fn check_builtin_set(&mut self, name: &Name, origin: Origin) {
        let why = match &**name {
            "name" | "kind" | "number" => "It is fixed when the thing is made.",
            "contents" | "top" | "empty" => "It follows from what was moved here. Write `(move … to …)`.",
            "place" => "A thing changes its place by `(move … to …)`.",
            "row" | "column" => "It is fixed by the board.",
            "next" | "previous" => "It follows from the order of the players. Write `(set players to …)`.",
            "seats" => "The players keep their seats. Write `(set players to …)` for another order.",
            _ => return,
        };
        self.not_settable(name, origin, why);
    }

    pub(crate) fn cannot_be_set(&mut self, name: &Name, origin: Origin, member: &Member) {
        let why = match member {
            Member::Define(_) => "It is a define: its value is computed each time it is asked.",
            _ => "It is a direction of the board.",
        };
        self.not_settable(name, origin, why);
    }

    fn not_settable(&mut self, name: &Name, origin: Origin, why: &str) {
        self.report(
            Diagnostic::error(
                "type/set",
                "This cannot be set",
                origin,
                format!("`{name}` cannot be given a value."),
            )
            .note(why),
        );
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

    // Variables.

    pub(crate) fn check_variable_name(&mut self, name: &Name, origin: Origin) {
        let what = if forms::with_head(name).next().is_some() {
            "a form of the language"
        } else if self.outline.is_direction(name) {
            "a direction of the board"
        } else if matches!(
            &**name,
            "self" | "it" | "game" | "player" | "opponent" | "message" | "nil" | "true"
        ) {
            "a word of the language"
        } else {
            return;
        };
        self.report(
            Diagnostic::error(
                "name/taken",
                "This name is taken",
                origin,
                format!("`{name}` is {what}."),
            )
            .note("A variable of that name would change what other lines mean.")
            .hint(format!(
                "Take another name, such as `{}`.",
                if name.len() > 12 {
                    "x".into()
                } else {
                    format!("my-{name}")
                }
            )),
        );
    }

    pub(crate) fn check_hidden_property(&mut self, name: &Name, origin: Origin) {
        if let Some(Member::Property(property)) = self.outline.member(&self.site.own, name) {
            if self.site.own == Kinds::Any {
                return;
            }
            let of = &property.of;
            self.report(
                Diagnostic::warning(
                    "name/hides",
                    "A variable hides a property",
                    origin,
                    format!("From here on `{name}` is this variable, not the `{name}` of `{of}`."),
                )
                .hint(format!(
                    "Take another name for the variable; or `(set {name} to …)` if the property was meant."
                )),
            );
        }
    }

    pub(crate) fn check_unread_variables(&mut self) {
        let unread: Vec<(Name, Origin)> = self
            .variables
            .iter()
            .filter(|variable| variable.local && !variable.read)
            .map(|variable| (variable.name.clone(), variable.origin))
            .collect();
        for (name, origin) in unread {
            self.report(
                Diagnostic::warning(
                    "unused/variable",
                    "A variable that nothing reads",
                    origin,
                    format!("`{name}` is never used after this."),
                )
                .hint("Take it away, or use it."),
            );
        }
    }

    // What there is.

    /// The models that have a property or define of this name.
    fn owners(&self, name: &str) -> Vec<Name> {
        let has =
            |model: &crate::outline::Model| model.properties.contains_key(name) || model.defines.contains_key(name);
        let mut owners: Vec<Name> = self
            .outline
            .models
            .iter()
            .filter(|(_, model)| has(model))
            .map(|(name, _)| name.clone())
            .collect();
        if matches!(name, "row" | "column") {
            owners.extend(self.outline.boards.iter().map(|board| board.model.clone()));
        }
        let players = self.outline.each_player.contains_key(name) || matches!(name, "score" | "team");
        if players && !owners.iter().any(|owner| &**owner == "player") {
            owners.push("player".into());
        }
        owners
    }

    fn members_of(&self, kinds: &Kinds) -> Vec<Name> {
        let models = self.outline.related_to(kinds);
        let mut all: Vec<Name> = EVERY_THING.iter().map(|name| (*name).into()).collect();
        for name in &models {
            if let Some(model) = self.outline.models.get(name) {
                all.extend(model.properties.keys().chain(model.defines.keys()).cloned());
            }
            if &**name == "player" {
                all.extend(["score", "team", "next", "previous"].map(Name::from));
                all.extend(self.outline.each_player.keys().cloned());
            }
        }
        for board in self.outline.boards_for(kinds) {
            all.extend(["row".into(), "column".into()]);
            all.extend(self.outline.directions_of(board));
        }
        all
    }

    fn all_defines(&self) -> Vec<Name> {
        let mut all: Vec<Name> = self.outline.defines.keys().cloned().collect();
        all.extend(
            self.outline
                .models
                .values()
                .flat_map(|model| model.defines.keys().cloned()),
        );
        all
    }

    fn thing_names(&self) -> Vec<Name> {
        let outline = self.outline;
        let mut all: Vec<Name> = outline
            .entities
            .keys()
            .cloned()
            .chain(outline.player_names().cloned())
            .collect();
        all.push("game".into());
        all
    }

    /// Every word that would mean something here, without names of places and built-in properties that are rarely meant.
    fn words_here(&self) -> Vec<Name> {
        let outline = self.outline;
        let mut all: Vec<Name> = self
            .variables
            .iter()
            .filter(|variable| variable.visible)
            .map(|variable| variable.name.clone())
            .collect();
        match &self.site.attributes {
            crate::site::Attributes::These(known) => all.extend(known.iter().cloned()),
            crate::site::Attributes::All => all.extend(
                outline
                    .labels
                    .values()
                    .flat_map(|label| label.attributes.iter().cloned()),
            ),
            crate::site::Attributes::None => {}
        }
        all.extend(self.site.view_properties.iter().cloned());
        if let Some(kinds) = self.candidate_kinds() {
            all.extend(self.members_of(&kinds));
        }
        all.extend(self.members_of(&self.site.own));
        all.extend(self.members_of(&Kinds::one("game")));
        all.extend(
            outline
                .defines
                .keys()
                .chain(outline.settings.keys())
                .chain(outline.models.keys())
                .cloned(),
        );
        all.extend(outline.boards.iter().filter_map(|board| board.name.clone()));
        all.extend(self.thing_names());
        all.extend(
            [
                "player", "opponent", "players", "seats", "self", "message", "nil", "true",
            ]
            .map(Name::from),
        );
        all
    }

    /// `(new property p as v)` somewhere makes `p` a property of whoever runs it.
    fn made_by_new_property(&self, name: &str) -> bool {
        let mut made = false;
        for item in &self.outline.items {
            item.exprs(&mut |expr| {
                expr.walk(&mut |expr| {
                    if let ExprKind::Form(form @ Form::NewProperty, slots) = &expr.kind {
                        made |= given(crate::tree::slot(*form, slots, "P")).is_some_and(|known| &**known == name);
                    }
                });
            });
        }
        made
    }

    /// A name of the right shape that the board is too small for.
    fn place_beyond(&self, name: &str) -> Option<String> {
        crate::places::column_and_row(name)?;
        let size = self.outline.boards.iter().find_map(|board| {
            crate::places::size(self.outline, board, crate::places::Pick::Default).map(|size| (board, size))
        });
        let (board, (width, height)) = size?;
        Some(format!(
            "The board of `{}` is {width} wide and {height} high.",
            board.model
        ))
    }

    /// Whom a message goes to.
    pub(crate) fn receiver(&mut self, found: Type, expr: &Expr) -> Type {
        if let ExprKind::Text(name) = &expr.kind {
            return match self.named_thing(name) {
                Some(kind) => kind,
                None => {
                    self.unknown_thing(name, expr.origin);
                    Type::UNKNOWN
                }
            };
        }
        if matches!(
            found.what,
            What::Number | What::Truth | What::Dictionary | What::Direction | What::Message
        ) {
            let message = format!("This is {}.", found.what.words());
            self.report(
                Diagnostic::error(
                    "type/receiver",
                    "A message to something that is not an entity",
                    expr.origin,
                    message,
                )
                .hint("Name an entity: `game`, `self`, `player`, a place or piece, or a list of them."),
            );
            return Type::UNKNOWN;
        }
        match found.what {
            What::List(member) => Type::maybe(*member),
            _ => found,
        }
    }
}

pub fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
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
