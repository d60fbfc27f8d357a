//! Directives in sequence: what is open, and what the next one belongs to.

use super::cursor::Cursor;
use super::{editor, game, play, things};
use crate::datum::Section;
use crate::files::{around, beside, folder, is_below};
use crate::{Files, Sources};
use houserules_model::directives::{self, Belongs};
use houserules_model::{
    Behavior, Budget, Diagnostic, Item, ItemKind, Name, Origin, Role, Rule, RuleKind, Variant, View, nearest,
};
use std::collections::BTreeMap;

/// Reads files into items. One reader reads one game with all it is made of.
pub(crate) struct Reader<'a> {
    pub files: &'a dyn Files,
    pub sources: &'a mut Sources,
    pub diagnostics: Vec<Diagnostic>,
    /// The files being read, the innermost last.
    pub(super) trail: Vec<String>,
    /// The folder of the game being read: nothing it names is read from elsewhere. None: a person names the file.
    pub(super) below: Option<String>,
    /// The folder beside which it lies, while a game is looked for there by its name.
    pub(super) shelf: Option<String>,
    /// Files and bytes read so far, and whether that was too much.
    pub(super) n_read: usize,
    pub(super) n_bytes: usize,
    pub(super) full: bool,
    n_sections: usize,
    n_variants: usize,
    /// Nameless entity lines so far, by model. Counted over all files, so that none replaces another by accident.
    entities: BTreeMap<Name, u32>,
    n_links: u32,
    /// Rules named by their files: each pointcut has a name of its own.
    pub(super) by_file: Vec<(Rule, String)>,
}

/// What is open at some point of a text.
#[derive(Clone, Default)]
struct Open {
    thing: Thing,
    /// None: no `#state` yet.
    states: Option<Vec<Name>>,
    /// States named last that nothing answers in so far.
    empty: Vec<(Name, Origin)>,
    board: Option<Name>,
}

#[derive(Clone, Default)]
enum Thing {
    #[default]
    Nothing,
    Model(Name),
    /// The view that is being collected, the last item so far.
    View(Name),
}

/// Where the items of a text go.
#[derive(Default)]
struct Target {
    items: Vec<Item>,
    in_variant: bool,
}

impl Target {
    /// The list that new items join: the game's, or that of the open variant.
    fn list(&mut self) -> &mut Vec<Item> {
        if self.in_variant
            && let Some(Item { kind: ItemKind::Variant(_), .. }) = self.items.last()
        {
            match &mut self.items.last_mut().expect("just seen").kind {
                ItemKind::Variant(variant) => return &mut variant.changes,
                _ => unreachable!("just seen"),
            }
        }
        &mut self.items
    }

    fn put(&mut self, kind: ItemKind, origin: Origin) {
        self.list().push(Item::new(kind, origin));
    }
}

impl<'a> Reader<'a> {
    pub fn new(files: &'a dyn Files, sources: &'a mut Sources) -> Self {
        Reader {
            files,
            sources,
            diagnostics: Vec::new(),
            trail: Vec::new(),
            below: None,
            shelf: None,
            n_read: 0,
            n_bytes: 0,
            full: false,
            n_sections: 0,
            n_variants: 0,
            entities: BTreeMap::new(),
            n_links: 0,
            by_file: Vec::new(),
        }
    }

    /// The items of a game: the first of these paths that can be read.
    pub fn game(&mut self, paths: &[String]) -> Vec<Item> {
        let Some((path, text)) = self.find(paths, Origin::NONE, "game") else {
            return Vec::new();
        };
        self.below = Some(folder(&path).into());
        self.text(&path, &text)
    }

    pub fn text(&mut self, path: &str, text: &str) -> Vec<Item> {
        let mut target = Target::default();
        self.file(path, text, &mut Open::default(), &mut target, Origin::NONE);
        target.items
    }

    fn file(&mut self, path: &str, text: &str, open: &mut Open, target: &mut Target, place: Origin) {
        let Some(data) = self.data(path, text, place) else {
            return;
        };
        if let Some(first) = data.loose.first() {
            let label = "Before the first directive only comments can stand.";
            let diagnostic =
                Diagnostic::error("directive/missing", "This belongs to no directive", first.origin, label)
                    .hint("A definition begins with `#game NAME`; a directive such as `#setup` begins a body.");
            self.diagnostics.push(diagnostic);
        }
        self.trail.push(path.into());
        for section in &data.sections {
            self.section(section, open, target);
        }
        open.close_states(target);
        self.trail.pop();
    }

    fn section(&mut self, section: &Section, open: &mut Open, target: &mut Target) {
        self.n_sections += 1;
        if self.n_sections > Budget::DIRECTIVES {
            if self.n_sections == Budget::DIRECTIVES + 1 {
                let label =
                    format!("A game has at most {} directives; this and what follows is not read.", Budget::DIRECTIVES);
                let diagnostic = Diagnostic::error("file/too-much", "Too much to read", section.word_origin, label);
                self.diagnostics
                    .push(diagnostic.hint("`#entity N MODEL` and `for each` make many things in one line."));
            }
            return;
        }
        let Some(def) = directives::named(&section.word) else {
            self.unknown(section);
            return;
        };
        if &*section.word != "onMessage" {
            open.close_states(target);
        }
        match def.belongs {
            Belongs::Game => {
                open.thing = Thing::Nothing;
                open.states = None;
            }
            // A view takes properties and behaviors only; what cannot belong to it closes it.
            Belongs::Model | Belongs::ModelOrGame => {
                if let Thing::View(_) = open.thing {
                    open.thing = Thing::Nothing;
                    open.states = None;
                }
            }
            _ => {}
        }
        match &*section.word {
            "game" => self.begin(section, target),
            "include" => self.include(section, open, target),
            "model" => self.model(section, open, target),
            "view" => self.view(section, open, target),
            "variant" => self.variant(section, target),
            "law" => self.rule(section, RuleKind::Law, target),
            "sideeffect" => self.rule(section, RuleKind::SideEffect, target),
            "property" => self.property(section, Role::Property, open, target),
            "relation" => self.property(section, Role::Relation, open, target),
            "appearance" => self.property(section, Role::Appearance, open, target),
            "state" | "onMessage" | "contents" | "capacity" | "supply" | "symbol" | "look" => {
                self.of_model(section, open, target);
            }
            "setting" | "editor" => {
                let mut cursor = Cursor::new(section, &mut self.diagnostics);
                let items = match &*section.word {
                    "setting" => game::settings(&mut cursor),
                    _ => editor::editor(&mut cursor),
                };
                if !cursor.has_failed() {
                    items.into_iter().for_each(|item| target.put(item, section.origin));
                }
            }
            _ => self.plain(section, open, target),
        }
    }

    /// Directives that become one item each.
    fn plain(&mut self, section: &Section, open: &mut Open, target: &mut Target) {
        let mut cursor = Cursor::new(section, &mut self.diagnostics);
        let kind = match &*section.word {
            "info" => game::info(&mut cursor),
            "set" => game::set(&mut cursor),
            "players" => game::players(&mut cursor),
            "teams" => game::teams(&mut cursor),
            "turns" => game::turns(&mut cursor),
            "history" => game::history(&mut cursor),
            "properties" => game::properties(&mut cursor),
            "setup" => game::setup(&mut cursor),
            "picture" => game::picture(&mut cursor),
            "define" => things::define(&mut cursor, open.thing.model().cloned()),
            "entity" => {
                let mut entity = things::entity(&mut cursor);
                if entity.name.is_none() {
                    let n = self.entities.entry(entity.model.clone()).or_default();
                    *n += 1;
                    entity.number = *n;
                }
                ItemKind::Entity(entity)
            }
            "board" => {
                let board = things::board(&mut cursor);
                if let ItemKind::Board(board) = &board {
                    open.board = Some(board.model.clone());
                }
                board
            }
            "directions" => things::directions(&mut cursor),
            "edges" => things::edges(&mut cursor),
            "link" | "place" => {
                self.n_links += 1;
                match open.board.clone() {
                    Some(board) if &*section.word == "place" => things::spot(&mut cursor, board, self.n_links),
                    Some(board) => things::link(&mut cursor, board, self.n_links),
                    None => {
                        let (label, title) = match &*section.word {
                            "place" => {
                                ("It would belong to the board before it; there is none.", "A place without a board")
                            }
                            _ => (
                                "Links join the places of the board before them; there is none.",
                                "A link without a board",
                            ),
                        };
                        let diagnostic = Diagnostic::error("directive/outside", title, section.word_origin, label);
                        cursor.report(diagnostic.hint("Put `#board MODEL graph` before it."));
                        return;
                    }
                }
            }
            "action" => play::action(&mut cursor),
            "rule" => play::rule_change(&mut cursor),
            "evaluator" => play::evaluator(&mut cursor),
            other => unreachable!("the table has a directive that nobody reads: #{other}"),
        };
        if !cursor.has_failed() {
            target.put(kind, section.origin);
        }
    }

    fn begin(&mut self, section: &Section, target: &mut Target) {
        let mut cursor = Cursor::new(section, &mut self.diagnostics);
        let name = cursor.name("the game's name");
        let from = cursor.eat("from").then(|| cursor.name_here("a file"));
        cursor.end();
        let failed = cursor.has_failed();
        if let Some((from, place)) = from.filter(|_| !failed) {
            let here = self.trail.last().cloned().unwrap_or_default();
            let mut paths = vec![format!("{from}.gdl"), format!("{from}/game.gdl")];
            if from.ends_with(".gdl") {
                paths.insert(0, from.to_string());
            }
            // A plain name may be that of a game in the folder beside this one, as in the library.
            let plain = !from.contains(['/', '\\']) && *from != *"..";
            let own = self.below.clone();
            if plain {
                paths.extend([format!("../{from}/game.gdl"), format!("../{from}.gdl")]);
                self.shelf = own.as_deref().map(around);
            }
            let paths: Vec<String> = paths.iter().map(|path| beside(&here, path)).collect();
            let found = self.find(&paths, place, "game");
            self.shelf = None;
            if let Some((path, text)) = found {
                let inside = own.as_deref().is_none_or(|own| is_below(&path, own));
                self.below = if inside { own.clone() } else { Some(folder(&path).into()) };
                let mut base = Target::default();
                self.file(&path, &text, &mut Open::default(), &mut base, place);
                // A variant fits the rules it was written for, and those are exchanged here.
                base.items.retain(|item| !matches!(item.kind, ItemKind::Variant(_)));
                target.items.splice(0..0, base.items);
            }
            self.below = own;
        }
        if target.in_variant {
            let label = "A game begins before its variants.";
            let diagnostic =
                Diagnostic::error("directive/outside", "A game inside a variant", section.word_origin, label);
            self.diagnostics.push(diagnostic);
        } else if !failed {
            target.put(ItemKind::Game { name }, section.origin);
        }
    }

    fn include(&mut self, section: &Section, open: &Open, target: &mut Target) {
        let mut cursor = Cursor::new(section, &mut self.diagnostics);
        let (file, place) = cursor.name_here("a file");
        cursor.end();
        if cursor.has_failed() {
            return;
        }
        let here = self.trail.last().cloned().unwrap_or_default();
        let paths = [beside(&here, &file), beside(&here, &format!("{file}.gdl"))];
        if let Some((path, text)) = self.find(&paths, place, "file") {
            // What the file opens ends with it; a variant it begins as well.
            let in_variant = target.in_variant;
            self.file(&path, &text, &mut open.clone(), target, place);
            target.in_variant = in_variant;
        }
    }

    fn model(&mut self, section: &Section, open: &mut Open, target: &mut Target) {
        let mut cursor = Cursor::new(section, &mut self.diagnostics);
        let (name, parent) = things::model(&mut cursor);
        // Opened even when something behind its name is wrong: what follows belongs to it all the same.
        open.thing = Thing::Model(name.clone());
        // The game and its players are there anyway; naming them only opens them.
        if parent.is_some() || !["game", "player"].contains(&&*name) {
            target.put(ItemKind::Model { name, parent }, section.origin);
        }
    }

    fn view(&mut self, section: &Section, open: &mut Open, target: &mut Target) {
        let mut cursor = Cursor::new(section, &mut self.diagnostics);
        let name = cursor.name("the view's name");
        cursor.want("of");
        let of = cursor.name("a model");
        cursor.end();
        open.thing = Thing::View(of.clone());
        target.put(ItemKind::View(View { name, of, properties: Vec::new(), behaviors: Vec::new() }), section.origin);
    }

    fn variant(&mut self, section: &Section, target: &mut Target) {
        self.n_variants += 1;
        if self.n_variants == Budget::VARIANTS + 1 {
            // Every variant is a game of its own, and all of them are checked.
            let label = format!("A game has at most {} variants.", Budget::VARIANTS);
            self.diagnostics.push(Diagnostic::error("file/too-much", "Too many variants", section.word_origin, label));
            self.n_sections = Budget::DIRECTIVES + 1;
        }
        if self.n_variants > Budget::VARIANTS {
            return;
        }
        let mut cursor = Cursor::new(section, &mut self.diagnostics);
        let name = cursor.name("the variant's name");
        let from = cursor.eat("from").then(|| cursor.name("the name of another variant"));
        cursor.end();
        target.in_variant = false;
        target.put(ItemKind::Variant(Variant { name, from, changes: Vec::new() }), section.origin);
        target.in_variant = true;
    }

    fn property(&mut self, section: &Section, role: Role, open: &Open, target: &mut Target) {
        let mut cursor = Cursor::new(section, &mut self.diagnostics);
        let of = open.thing.model().cloned().unwrap_or_else(|| "game".into());
        let property = things::property(&mut cursor, of, role);
        if cursor.has_failed() {
            return;
        }
        match (&open.thing, target.list().last_mut()) {
            (Thing::View(_), Some(Item { kind: ItemKind::View(view), .. })) => {
                view.properties.push((property.name, property.value));
            }
            _ => target.put(ItemKind::Property(property), section.origin),
        }
    }

    fn of_model(&mut self, section: &Section, open: &mut Open, target: &mut Target) {
        let of = match &open.thing {
            Thing::Model(name) | Thing::View(name) => name.clone(),
            Thing::Nothing => {
                let label = format!("`#{}` belongs to a model, and none is open here.", section.word);
                let diagnostic = Diagnostic::error("directive/outside", "No model is open", section.word_origin, label);
                self.diagnostics.push(diagnostic.hint("Put `#model NAME` before it, or `#model game`."));
                return;
            }
        };
        let mut cursor = Cursor::new(section, &mut self.diagnostics);
        let kinds = match &*section.word {
            "state" => {
                let states = things::state(&mut cursor);
                if matches!(open.thing, Thing::Model(_)) && !cursor.has_failed() {
                    open.empty = states.iter().map(|state| (state.clone(), section.origin)).collect();
                }
                open.states = Some(states);
                return;
            }
            "onMessage" => {
                let (label, attributes) = things::message_head(&mut cursor);
                let body = cursor.body();
                let states = open.states.clone().unwrap_or_else(|| vec!["default".into()]);
                open.empty.clear();
                let behaviors = states.into_iter().map(|state| {
                    let (of, label, attributes, body) = (of.clone(), label.clone(), attributes.clone(), body.clone());
                    Behavior { of, state, label, attributes, body }
                });
                if cursor.has_failed() {
                    return;
                }
                if let (Thing::View(_), Some(Item { kind: ItemKind::View(view), .. })) =
                    (&open.thing, target.list().last_mut())
                {
                    view.behaviors.extend(behaviors);
                    return;
                }
                behaviors.map(ItemKind::Behavior).collect()
            }
            "contents" => vec![things::contents(&mut cursor, of)],
            "capacity" => vec![things::capacity(&mut cursor, of)],
            "supply" => vec![things::supply(&mut cursor, of)],
            "symbol" => vec![things::symbol(&mut cursor, of)],
            _ => things::look(&mut cursor, of),
        };
        if !cursor.has_failed() {
            kinds.into_iter().for_each(|kind| target.put(kind, section.origin));
        }
    }

    fn rule(&mut self, section: &Section, kind: RuleKind, target: &mut Target) {
        let mut cursor = Cursor::new(section, &mut self.diagnostics);
        let play::RuleHead { name, mut rule, file } = play::rule_head(&mut cursor, kind);
        if let Some((file, place)) = file {
            cursor.end();
            if cursor.has_failed() {
                return;
            }
            let here = self.trail.last().cloned().unwrap_or_default();
            let paths = [beside(&here, &file), beside(&here, &format!("{file}.gdl"))];
            let Some((path, text)) = self.find(&paths, place, "file") else {
                return;
            };
            rule.body = self.body_file(&path, &text, place);
            if name.is_none() {
                rule.name = self.name_by_file(&rule, path);
            }
        } else {
            if name.is_none() {
                cursor.fail("The rule has no name; a rule is called by the sentence players would say.");
            }
            rule.body = cursor.body();
            if cursor.has_failed() {
                return;
            }
        }
        target.put(ItemKind::Rule(rule), section.origin);
    }

    fn unknown(&mut self, section: &Section) {
        let names: Vec<&str> = directives::all().iter().map(|def| def.name).collect();
        let label = match nearest(&section.word, names.iter().copied()) {
            Some(near) => format!("Did you mean `#{near}`?"),
            None => format!("There is no directive `#{}`.", section.word),
        };
        let list: Vec<String> = names
            .chunks(9)
            .map(|row| row.iter().map(|name| format!("#{name}")).collect::<Vec<_>>().join("  "))
            .collect();
        let diagnostic = Diagnostic::error("directive/unknown", "Unknown directive", section.word_origin, label);
        self.diagnostics.push(diagnostic.note(format!("These are the directives:\n    {}", list.join("\n    "))));
    }
}

impl Open {
    /// A state in which nothing answers is an item of its own; the others are known by their behaviors.
    fn close_states(&mut self, target: &mut Target) {
        let empty = std::mem::take(&mut self.empty);
        if let Thing::Model(of) = &self.thing {
            for (name, origin) in empty {
                target.put(ItemKind::State { of: of.clone(), name }, origin);
            }
        }
    }
}

impl Thing {
    fn model(&self) -> Option<&Name> {
        match self {
            Thing::Model(name) => Some(name),
            _ => None,
        }
    }
}
