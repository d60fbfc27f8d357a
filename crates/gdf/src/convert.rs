//! A definition as a text of the definition language, comments and all.

use houserules_model::{Body, Definition, Editor, Expr, ExprKind, Item, ItemKind, Origin, Slot};

use crate::remarks::Remarks;
use crate::write::after_their_targets;

/// Stands for a comment until the text is there. No definition can have it in a word.
const MARK: char = '\u{1}';

/// The text of a definition with its comments. What an editor draws with is there as well.
pub fn to_gdl(definition: &Definition, remarks: &Remarks) -> String {
    let mut marking = Marking { remarks: remarks.of_items(definition), comments: Vec::new() };
    let mut items: Vec<Item> = Vec::new();
    for item in after_their_targets(definition.items()) {
        let mut item = item.clone();
        for number in marking.before(item.origin) {
            // A line of an editor stands anywhere, and leaves open what is open.
            let line = Editor::Put { entity: mark(number).into(), layer: "".into() };
            items.push(Item::new(ItemKind::Editor(line), Origin::NONE));
        }
        marking.item(&mut item);
        items.push(item);
    }
    let mut text = Definition::with_items(items).0.to_string();
    text = unmarked(&text, &marking.comments);
    for comment in marking.remarks.take_all() {
        text.push_str(&format!("; {comment}\n"));
    }
    let text = houserules_gdl::format(&text).unwrap_or(text);
    let short = with_states_said_once(&text);
    let says = |text: &str| houserules_gdl::read_text("", text).definition;
    // A line of a text that looks like a state is none.
    if says(&short) == says(&text) { houserules_gdl::format(&short).unwrap_or(short) } else { text }
}

/// Behaviors of one state under one line of it, as people write them.
fn with_states_said_once(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut open: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let said = line.trim_start();
        let indent = line.len() - said.len();
        if said.starts_with("#state ") {
            if open == Some(line) {
                continue;
            }
            open = Some(line);
        } else if said.starts_with('#') && open.is_some_and(|state| state.len() - state.trim_start().len() >= indent) {
            open = None;
        }
        short.push_str(line);
    }
    short
}

/// The text with comments in place of their marks, and of what was put around these to make them stand there.
fn unmarked(text: &str, comments: &[String]) -> String {
    let mut all = String::with_capacity(text.len());
    let mut pieces = text.split(MARK);
    all.push_str(pieces.next().unwrap_or_default());
    while let (Some(number), Some(mut rest)) = (pieces.next(), pieces.next()) {
        for (before, after) in [("#editor put \"", "\" on \"\""), ("(", ")")] {
            if let (true, Some(behind)) = (all.ends_with(before), rest.strip_prefix(after)) {
                all.truncate(all.len() - before.len());
                rest = behind;
                break;
            }
        }
        let comment = number.parse().ok().and_then(|number: usize| comments.get(number));
        // A line of its own, and no empty ones around it.
        let begun = all.rsplit('\n').next().is_some_and(|line| !line.trim().is_empty());
        let end = if rest.starts_with('\n') { "" } else { "\n" };
        all.push_str(&format!("{}; {}{end}", if begun { "\n" } else { "" }, comment.map_or("", String::as_str)));
        all.push_str(rest);
    }
    all
}

fn mark(number: usize) -> String {
    format!("{MARK}{number}{MARK}")
}

struct Marking {
    remarks: Remarks,
    comments: Vec<String>,
}

impl Marking {
    /// The numbers of the comments before a place.
    fn before(&mut self, origin: Origin) -> std::ops::Range<usize> {
        let first = self.comments.len();
        if !origin.is_none() {
            self.comments.extend(self.remarks.take_before(origin));
        }
        first..self.comments.len()
    }

    fn item(&mut self, item: &mut Item) {
        match &mut item.kind {
            ItemKind::Behavior(behavior) => self.body(&mut behavior.body),
            ItemKind::Rule(rule) => self.body(&mut rule.body),
            ItemKind::Setup(body) => self.body(body),
            ItemKind::Action(action) => action.body.iter_mut().for_each(|body| self.body(body)),
            _ => {}
        }
    }

    fn body(&mut self, body: &mut Body) {
        let statements = std::mem::take(body);
        for mut statement in statements {
            for number in self.before(statement.origin) {
                body.push(Expr::new(ExprKind::Word(mark(number).into()), Origin::NONE));
            }
            if let ExprKind::Form(_, slots) = &mut statement.kind {
                for slot in slots {
                    if let Slot::Body(inner) = slot {
                        self.body(inner);
                    }
                }
            }
            body.push(statement);
        }
    }
}
