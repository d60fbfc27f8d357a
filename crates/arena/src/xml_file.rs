//! A match file in the XML of Cohen's framework: `<game>`, in it `<gameFactory>`, in it `<boardClass>` and `<player>`s.
//!
//! Java names are understood as far as they say something: `edu.lhup.ai.tictactoe.Board` is the game tic-tac-toe,
//! `edu.lhup.ai.RandomPlayer` the random player, `edu.lhup.ai.tictactoe.Evaluator` the game's own evaluator and
//! `edu.lhup.ai.Evaluator` the default one. Our own names can stand there as well.

use std::collections::BTreeMap;

use houserules_players::{Recipe, Registry, Settings};
use roxmltree::{Document, Node};

use crate::fault::{Fault, known, unknown};
use crate::match_file::{At, Chair, MatchFile, PlayerEntry, USUAL_LONGEST};
use crate::toml_file::named;

pub(crate) fn parse(file: &str, text: &str, registry: &Registry) -> Result<MatchFile, Fault> {
    let document = Document::parse(text).map_err(|error| Fault {
        file: file.into(),
        line: Some(error.pos().row as usize),
        message: format!("This is no XML: {error}."),
    })?;
    Reader { file, document: &document, registry }.game()
}

struct Reader<'a> {
    file: &'a str,
    document: &'a Document<'a>,
    registry: &'a Registry,
}

/// The game's own evaluator, whatever it is called.
pub(crate) const OWN_EVALUATOR: &str = "its own";

impl<'a> Reader<'a> {
    fn game(&self) -> Result<MatchFile, Fault> {
        let root = self.document.root_element();
        if root.tag_name().name() != "game" {
            return Err(self.fault(root, "The outermost element is `<game>`.".into()));
        }
        let [factory] = self.children(root, &["gameFactory"])?[..] else {
            return Err(self.fault(root, "In `<game>` stands one `<gameFactory>`.".into()));
        };
        let parts = self.children(factory, &["boardClass", "player"])?;
        let mut boards = parts.iter().filter(|node| node.tag_name().name() == "boardClass");
        let (Some(&board), None) = (boards.next(), boards.next()) else {
            return Err(self.fault(factory, "In `<gameFactory>` stands one `<boardClass>`.".into()));
        };
        let game = At { line: self.line(board), is: game_of(&self.text(board)?) };
        let players = parts.iter().filter(|node| node.tag_name().name() == "player");
        let players = players.map(|&node| self.player(node)).collect::<Result<Vec<_>, _>>()?;
        Ok(MatchFile {
            file: self.file.into(),
            game,
            variants: Vec::new(),
            off: Vec::new(),
            settings: Vec::new(),
            position: None,
            seats: None,
            players,
            matches: 1,
            seed: 1,
            longest: USUAL_LONGEST,
            tournament: None,
        })
    }

    fn player(&self, node: Node<'a, 'a>) -> Result<PlayerEntry, Fault> {
        let parts = self.children(node, &["playerClass", "cutoff", "evaluator"])?;
        for (nth, part) in parts.iter().enumerate() {
            // Which of two would count is not for us to guess.
            let name = part.tag_name().name();
            if parts[..nth].iter().any(|earlier| earlier.tag_name().name() == name) {
                return Err(self.fault(*part, format!("`<{name}>` stands twice in this `<player>`.")));
            }
        }
        let part = |name: &str| parts.iter().copied().find(|part| part.tag_name().name() == name);
        let Some(class) = part("playerClass") else {
            return Err(self.fault(node, "In `<player>` stands a `<playerClass>`.".into()));
        };
        let name = self.text(class)?;
        let line = self.line(class);
        let Some(Recipe { kind, mut settings }) = self.recipe(&name) else {
            let names = self.registry.names();
            let theirs = ["RandomPlayer", "MinMaxAlphaBetaPlayer", "HumanPlayer"];
            let names: Vec<&str> = names.iter().map(String::as_str).chain(["human"]).chain(theirs).collect();
            let last = name.rsplit('.').next().unwrap_or(&name);
            return Err(self.fault(class, unknown("player", last, &names)));
        };
        if kind == "human" {
            return match part("cutoff").or(part("evaluator")) {
                Some(part) => Err(self.fault(part, format!("A person takes no `<{}>`.", part.tag_name().name()))),
                None => Ok(PlayerEntry { name: None, who: At { line, is: Chair::Human }, lines: BTreeMap::new() }),
            };
        }
        let mut lines = BTreeMap::new();
        if let Some(cutoff) = part("cutoff") {
            let text = self.text(cutoff)?;
            let Some(number) = text.parse::<u32>().ok().filter(|&number| number > 0) else {
                return Err(self.fault(cutoff, format!("“{text}” is no number above 0.")));
            };
            let takes = self.registry.makers().iter().find(|maker| maker.name == kind).map(|maker| &maker.takes);
            let takes = |setting| takes.is_none_or(|takes| takes.contains(&setting));
            match (takes("depth"), takes("nodes")) {
                (true, _) => settings.depth = Some(number),
                (false, true) => settings.nodes = Some(number.into()),
                (false, false) => return Err(self.fault(cutoff, format!("`{kind}` takes no `<cutoff>`."))),
            }
            lines.extend(["nodes", "depth"].map(|setting| (setting, self.line(cutoff))));
        }
        if let Some(evaluator) = part("evaluator") {
            let [class] = self.children(evaluator, &["evaluatorClass"])?[..] else {
                return Err(self.fault(evaluator, "In `<evaluator>` stands one `<evaluatorClass>`.".into()));
            };
            settings.evaluator = Some(evaluator_of(&self.text(class)?));
            lines.insert("evaluator", self.line(class));
        }
        Ok(PlayerEntry { name: None, who: At { line, is: Chair::Player(Recipe { kind, settings }) }, lines })
    }

    /// A class of the framework, or one of our own names, `level5` and `mcts:1000` included.
    fn recipe(&self, class: &str) -> Option<Recipe> {
        match kind_of(class, self.registry) {
            Some(kind) => Some(Recipe { kind, settings: Settings::default() }),
            None => named(class, Settings::default(), self.registry).ok(),
        }
    }

    /// The elements inside, all of which must be among those named.
    fn children(&self, node: Node<'a, 'a>, names: &[&str]) -> Result<Vec<Node<'a, 'a>>, Fault> {
        let text = |child: &Node| child.is_text() && child.text().is_some_and(|text| !text.trim().is_empty());
        if let Some(stray) = node.children().find(text) {
            let words = stray.text().unwrap_or_default().trim();
            let line = stray.range().start + stray.text().unwrap_or_default().find(words).unwrap_or(0);
            let line = self.document.text_pos_at(line).row as usize;
            let message = format!("“{words}” stands in `<{}>` and says nothing.", node.tag_name().name());
            return Err(Fault { file: self.file.into(), line: Some(line), message });
        }
        let children: Vec<Node> = node.children().filter(Node::is_element).collect();
        match children.iter().find(|child| !names.contains(&child.tag_name().name())) {
            None => Ok(children),
            Some(&child) => {
                let name = child.tag_name().name();
                let message = format!(
                    "`<{name}>` does not belong in `<{}>`. Known: {}.",
                    node.tag_name().name(),
                    known(names.iter().copied())
                );
                Err(self.fault(child, message))
            }
        }
    }

    fn text(&self, node: Node<'a, 'a>) -> Result<String, Fault> {
        // Names may be broken over lines; no name has a space in it.
        let text: String = node.text().unwrap_or_default().split_whitespace().collect();
        match text.is_empty() {
            true => Err(self.fault(node, format!("`<{}>` is empty.", node.tag_name().name()))),
            false => Ok(text),
        }
    }

    fn line(&self, node: Node) -> usize {
        self.document.text_pos_at(node.range().start).row as usize
    }

    fn fault(&self, node: Node, message: String) -> Fault {
        Fault { file: self.file.into(), line: Some(self.line(node)), message }
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// `edu.lhup.ai.tictactoe.Board` is the game of the library whose name has these letters.
fn game_of(class: &str) -> String {
    let Some(package) = class.strip_suffix(".Board") else { return class.into() };
    let name = package.rsplit('.').next().unwrap_or(package);
    let games = houserules_library::list();
    games.into_iter().find(|game| plain(game) == plain(name)).unwrap_or_else(|| name.into())
}

fn kind_of(class: &str, registry: &Registry) -> Option<String> {
    let name = class.rsplit('.').next().unwrap_or(class);
    let plain_name = plain(name);
    let short = plain_name.strip_suffix("player").unwrap_or(&plain_name);
    let short = short.strip_prefix("minmax").filter(|rest| !rest.is_empty()).unwrap_or(short);
    let names = registry.names();
    names.into_iter().chain(["human".into()]).find(|kind| *kind == class || plain(kind) == short)
}

fn evaluator_of(class: &str) -> String {
    match class.strip_suffix(".Evaluator") {
        // The framework's own knows only how it ended; one beside a board belongs to that game.
        Some(package) if package.ends_with(".ai") => "end".into(),
        Some(_) => OWN_EVALUATOR.into(),
        None if class == "Evaluator" => "end".into(),
        None => class.into(),
    }
}
