//! Refactorings: small edits of a text after which a game says the same in a better place.
//!
//! Each makes its edits, reads what came of them and looks whether just that was changed which was meant; otherwise it is
//! refused, and the text stays as it is.

use std::ops::Range;

use houserules_model::{Behavior, Define, Definition, FileId, Item, ItemKind, Key, Name, Property, print};

use crate::{SyntaxKind, SyntaxNode, parse, read_text};

/// A piece of text that takes the place of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Splice {
    pub range: Range<usize>,
    pub text: String,
}

/// The text after splices that do not overlap, in the order of their places; and those that take them back.
pub fn spliced(text: &str, splices: &[Splice]) -> (String, Vec<Splice>) {
    let (mut made, mut back, mut at) = (String::new(), Vec::new(), 0);
    for splice in splices {
        made.push_str(&text[at..splice.range.start]);
        let start = made.len();
        made.push_str(&splice.text);
        back.push(Splice { range: start..made.len(), text: text[splice.range.clone()].to_owned() });
        at = splice.range.end;
    }
    made.push_str(&text[at..]);
    (made, back)
}

/// Makes a part of a model one of the model it comes from, so that whatever else comes from that has it, too. The text is
/// that of one file, and the definition what it says.
pub fn push_up(text: &str, definition: &Definition, part: &Key) -> Result<Vec<Splice>, String> {
    let item = definition.get(part).ok_or("There is no such part of a model.")?;
    let of = owner(item).ok_or("Only properties, defines and behaviors of a model go up to its parent.")?;
    let parent = match definition.get(&Key::Model(of.clone())).map(|model| &model.kind) {
        Some(ItemKind::Model { parent: Some(parent), .. }) => parent,
        _ => return Err(format!("`{of}` comes from no other model.")),
    };
    let moved = with_owner(item, parent);
    if definition.get(&moved.key().expect("it had one")).is_some() {
        return Err(format!("`{parent}` says this itself; take it away in one of them."));
    }
    let home = definition.get(&Key::Model(parent.clone())).ok_or(format!("There is no model `{parent}`."))?;
    if [item, home].iter().any(|item| item.origin.is_none() || item.origin.file != FileId(0)) {
        return Err(format!("`{of}` and `{parent}` have to stand in this file."));
    }
    if definition.items().iter().filter(|other| same_place(other, item)).count() > 1 {
        return Err("It is said together with others; say each alone first.".into());
    }
    let root = parse(FileId(0), text).root();
    let own = lines(&root, text, item).ok_or("It stands on one line with others; lay the text out first.")?;
    let last = definition
        .items()
        .iter()
        .filter(|other| owner(other) == Some(parent) || same_place(other, home))
        .filter(|other| other.origin.file == FileId(0))
        .max_by_key(|other| other.origin.start)
        .unwrap_or(home);
    let after = lines(&root, text, last).ok_or("The parent stands on one line with others; lay the text out first.")?;
    let expected = says(definition.items().iter().map(|other| if same_key(other, item) { &moved } else { other }));
    // The state it stands in may have nothing else, and goes with it then.
    for taken in [Some(own.clone()), with_state_before(text, own.clone())].into_iter().flatten() {
        let put = inserted(text, last, &moved, home, &own, after.end);
        let mut splices =
            vec![Splice { range: taken, text: String::new() }, Splice { range: after.end..after.end, text: put }];
        splices.sort_by_key(|splice| splice.range.start);
        let read = read_text("refactored", &spliced(text, &splices).0);
        if !read.has_errors() && says(read.definition.items().iter()) == expected {
            return Ok(splices);
        }
    }
    Err("Other parts would mean something else after it. Change it in the text.".into())
}

/// The model of a part that can go up.
fn owner(item: &Item) -> Option<&Name> {
    match &item.kind {
        ItemKind::Property(Property { of, .. })
        | ItemKind::Behavior(Behavior { of, .. })
        | ItemKind::Define(Define { of: Some(of), .. }) => Some(of),
        _ => None,
    }
}

fn with_owner(item: &Item, model: &Name) -> Item {
    let mut item = item.clone();
    match &mut item.kind {
        ItemKind::Property(Property { of, .. })
        | ItemKind::Behavior(Behavior { of, .. })
        | ItemKind::Define(Define { of: Some(of), .. }) => *of = model.clone(),
        _ => {}
    }
    item
}

fn same_place(one: &Item, other: &Item) -> bool {
    (one.origin.file, one.origin.start) == (other.origin.file, other.origin.start)
}

/// What items say, in whatever order models have their parts.
fn says<'a>(items: impl Iterator<Item = &'a Item>) -> (Vec<String>, Vec<String>) {
    let (mut parts, mut others) = (Vec::new(), Vec::new());
    for item in items {
        let list = if owner(item).is_some() { &mut parts } else { &mut others };
        list.push(format!("{:?} {item}", item.key()));
    }
    parts.sort();
    (parts, others)
}

fn same_key(one: &Item, other: &Item) -> bool {
    one.key().is_some_and(|key| other.key() == Some(key))
}

/// Where the line begins in which a place lies, and where it ends with its break.
fn line(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
    start..text[at..].find('\n').map_or(text.len(), |after| at + after + 1)
}

/// The lines of a directive, with the comments directly above; none where others stand on them.
fn lines(root: &SyntaxNode, text: &str, item: &Item) -> Option<Range<usize>> {
    let sections: Vec<SyntaxNode> = root.descendants().filter(|node| node.kind() == SyntaxKind::Section).collect();
    let said = |node: &SyntaxNode| -> Option<Range<usize>> {
        let mut tokens = node.descendants_with_tokens().filter_map(|element| element.into_token());
        let first = tokens.find(|token| !token.kind().is_trivia())?;
        let last = tokens.filter(|token| !token.kind().is_trivia()).last().unwrap_or_else(|| first.clone());
        Some(usize::from(first.text_range().start())..usize::from(last.text_range().end()))
    };
    let places: Vec<Range<usize>> = sections.iter().filter_map(said).collect();
    let own = places.iter().find(|place| place.contains(&(item.origin.start as usize)))?.clone();
    let mut whole = line(text, own.start).start..line(text, own.end.saturating_sub(1).max(own.start)).end;
    let others = |place: &Range<usize>| *place != own && place.start < whole.end && place.end > whole.start;
    if places.iter().any(others) {
        return None;
    }
    while whole.start > 0 {
        let above = line(text, whole.start - 1);
        if !text[above.clone()].trim_start().starts_with(';') {
            break;
        }
        whole.start = above.start;
    }
    Some(whole)
}

/// The lines with that of the state they stand in, if that is the line above.
fn with_state_before(text: &str, own: Range<usize>) -> Option<Range<usize>> {
    let above = line(text, own.start.checked_sub(1)?);
    let said = text[above.clone()].trim_start();
    // What is said of the state would go with it.
    (said.starts_with("#state ") && !said.contains(';')).then_some(above.start..own.end)
}

/// The lines as they stand behind the last part of the parent.
fn inserted(text: &str, last: &Item, moved: &Item, home: &Item, own: &Range<usize>, at: usize) -> String {
    let indent = |at: u32| {
        let line = &text[line(text, at as usize)];
        line.len() - line.trim_start_matches(' ').len()
    };
    let part = indent(home.origin.start) + 2;
    let mut put = String::new();
    if at > 0 && !text[..at].ends_with('\n') {
        put.push('\n');
    }
    let mut wanted = part;
    if let ItemKind::Behavior(behavior) = &moved.kind {
        let open = match &last.kind {
            ItemKind::Behavior(other) => Some(&other.state),
            _ => None,
        };
        if open != Some(&behavior.state) {
            put.push_str(&format!("{:part$}#state {}\n", "", print::name(&behavior.state)));
        }
        wanted = if &*behavior.state == "default" && open.is_some() { indent(last.origin.start) } else { part + 2 };
    }
    let had = indent(own.start as u32);
    for line in text[own.clone()].lines() {
        let kept = line.trim_start_matches(' ');
        let deeper = (line.len() - kept.len()).saturating_sub(had);
        if kept.trim().is_empty() {
            put.push('\n');
        } else {
            put.push_str(&format!("{:1$}{kept}\n", "", wanted + deeper));
        }
    }
    put
}
