//! Changes drawn by lot, on every game of the library.

use houserules_gdl::{SyntaxKind, parse};
use houserules_model::{FileId, ItemKind};
use houserules_studio::{Block, Blocks, Change, Document, Names, Picture, Side, Span, What};

struct Game {
    path: String,
    text: String,
    beside: Vec<(String, String)>,
}

/// Every game that is one text, or builds on another one.
fn games() -> Vec<Game> {
    let shelf = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut names: Vec<String> = std::fs::read_dir(&shelf)
        .unwrap()
        .filter_map(|folder| folder.ok()?.file_name().into_string().ok())
        .filter(|name| shelf.join(name).join("game.gdl").is_file())
        .collect();
    names.sort();
    let path = |name: &str| format!("{name}/game.gdl");
    let texts: Vec<(String, String)> =
        names.iter().map(|name| (path(name), std::fs::read_to_string(shelf.join(path(name))).unwrap())).collect();
    let game = |name: &String| {
        let text = texts.iter().find(|(own, _)| *own == path(name)).unwrap().1.clone();
        let builds = text.lines().any(|line| line.starts_with("#game") && line.contains(" from "));
        let beside =
            if builds { texts.iter().filter(|(own, _)| *own != path(name)).cloned().collect() } else { Vec::new() };
        Game { path: path(name), text, beside }
    };
    names.iter().map(game).collect()
}

/// A generator of our own: the same seed gives the same changes everywhere.
struct Lots(u64);

impl Lots {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let n = of.len();
        of.get(self.below(n))
    }
}

fn flat<'b>(blocks: &'b [Block], all: &mut Vec<&'b Block>) {
    for block in blocks {
        all.push(block);
        for part in &block.parts {
            flat(&part.blocks, all);
            part.groups.iter().for_each(|group| flat(&group.blocks, all));
        }
    }
}

fn comments(text: &str) -> Vec<String> {
    let root = parse(FileId(0), text).root();
    let tokens = root.descendants_with_tokens().filter_map(|element| element.into_token());
    let mut comments: Vec<String> = tokens
        .filter(|token| token.kind() == SyntaxKind::Comment)
        .map(|token| token.text().trim().to_owned())
        .collect();
    comments.sort();
    comments
}

fn draw(document: &Document, lots: &mut Lots) -> Option<Change> {
    let reading = document.reading();
    let picture = Picture::of(document);
    // What stands in variants and views is changed like everything else.
    let inside =
        picture.variants.iter().chain(&picture.play).flat_map(|entry| &entry.inside).filter_map(|entry| entry.at);
    let directives: Vec<Span> = reading.own.iter().map(|item| item.origin.into()).chain(inside).collect();
    let directive = *lots.one(&directives)?;
    let blocks = Blocks::at(reading, directive.start)?;
    let mut all = Vec::new();
    flat(&blocks.body, &mut all);
    let (one, other) =
        (lots.one(&all).map(|block| block.at), lots.one(&all).filter(|block| block.loose).map(|block| block.at));
    let side = if lots.below(2) == 0 { Side::Before } else { Side::After };
    let model = lots.one(&picture.models)?.name.clone();
    let name = format!("new {}", lots.below(10_000));
    let row = |lots: &mut Lots| {
        let rows = &picture.models.iter().find(|entry| entry.name == model)?.rows;
        lots.one(rows).map(|row| (row.name.clone(), row.at))
    };
    Some(match lots.below(24) {
        0 => Change::Replace { at: one?, with: "(+ 1 2)".into() },
        1 | 2 => Change::Remove { at: one? },
        3 => Change::Insert { at: other?, side, text: "; new\n(say \"x\")".into() },
        4 => Change::Move { at: lots.one(&all).filter(|block| block.loose)?.at, to: other?, side },
        5 => Change::Wrap { at: other?, with: "(if true ())".into() },
        6 => {
            let block = lots.one(&all).filter(|block| !block.parts.is_empty())?;
            let part = lots.one(&block.parts).filter(|part| ["expr", "body", "exprs"].contains(&part.takes))?;
            match part.given && part.optional {
                true => Change::Clear { at: block.at, slot: part.slot },
                false => Change::Fill { at: block.at, slot: part.slot, text: "(+ 3 4)".into() },
            }
        }
        7 => Change::Fill { at: directive, slot: 0, text: "(say \"end\")".into() },
        8 => {
            let what = *lots.one(&[What::Property, What::Relation, What::Appearance])?;
            Change::Add { what, name, of: Some(model), state: None, value: Some("0".into()), within: None }
        }
        9 => {
            let what =
                *lots.one(&[What::Model, What::Entity, What::Law, What::SideEffect, What::Action, What::Setting])?;
            Change::Add { what, name, of: None, state: None, value: None, within: None }
        }
        10 => Change::Add {
            what: What::Behavior,
            name,
            of: Some(model),
            state: Some(format!("{}", lots.below(2))),
            value: None,
            within: None,
        },
        11 => {
            let rule = lots.one(&picture.play).filter(|entry| entry.mode.is_some())?.name.clone();
            Change::Mode { rule, mode: (*lots.one(&["enforced", "advised", "off"])?).into() }
        }
        12 => Change::Remove { at: directive },
        13 => {
            let to = *lots.one(&directives)?;
            Change::Move { at: directive, to, side }
        }
        14 => Change::Parent {
            model,
            parent: (lots.below(3) > 0).then(|| lots.one(&picture.models).map(|entry| entry.name.clone())).flatten(),
        },
        15 => {
            let value = (lots.below(3) > 0).then(|| format!("{}", lots.below(100)));
            Change::Value { property: row(lots)?.0, of: model, value }
        }
        16 => {
            let thing = lots.one(&picture.things).filter(|thing| thing.what == "entity")?;
            let property = lots.one(&thing.values)?.name.clone();
            let value = (lots.below(3) > 0).then(|| format!("{}", lots.below(100)));
            Change::With { at: thing.at?, property, value }
        }
        17 => Change::PushUp { at: row(lots)?.1? },
        // Any statement, or the last one, which is more often one that can be a rule.
        18 => match lots.below(2) {
            0 => Change::Extract { at: lots.one(&all)?.at, name },
            _ => {
                let homes =
                    reading.own.iter().filter(|item| matches!(item.kind, ItemKind::Action(_) | ItemKind::Behavior(_)));
                let home = *lots.one(&homes.collect::<Vec<_>>())?;
                let body = Blocks::at(reading, home.origin.start as usize)?.body;
                Change::Extract { at: body.last()?.at, name }
            }
        },
        19 => {
            let things = picture
                .things
                .iter()
                .filter(|thing| thing.what == "entity" && thing.name != *thing.of.as_deref().unwrap_or_default());
            let things: Vec<String> = things.filter(|_| lots.below(2) == 0).map(|thing| thing.name.clone()).collect();
            Change::Group { group: (lots.below(4) > 0).then(|| format!("group {}", lots.below(3))), entities: things }
        }
        22 => {
            let within = lots.one(&picture.variants)?.at;
            let what = *lots.one(&[What::Law, What::SideEffect, What::Property, What::Define, What::Behavior])?;
            let of = (lots.below(3) > 0 && !matches!(what, What::Law | What::SideEffect)).then_some(model);
            Change::Add { what, name, of, state: None, value: None, within }
        }
        23 => {
            let within = lots.one(&picture.play).filter(|entry| entry.what == "view")?.at;
            Change::Add { what: What::Behavior, name, of: None, state: None, value: None, within }
        }
        20 if lots.below(4) == 0 => Change::RemoveModel { model },
        20 => Change::Format,
        _ => {
            let names = Names::of(reading);
            let found = lots.one(names.all())?;
            Change::Rename { at: found.at.start, to: format!("renamed-{}", lots.below(100_000)) }
        }
    })
}

/// [GM-194] [GM-196]
#[test]
fn text_and_picture_agree_undo_restores_the_bytes_and_comments_survive() {
    let n: usize = std::env::var("HOUSERULES_CHANGES").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let (mut n_made, mut n_refused) = (0, 0);
    let mut kinds = std::collections::BTreeMap::<&str, usize>::new();
    let mut refusals = std::collections::BTreeMap::<&str, usize>::new();
    for (nth, game) in games().into_iter().enumerate() {
        let mut document = Document::open(&game.path, &game.text, game.beside.clone());
        let mut lots = Lots(nth as u64 + 1);
        for turn in 0..n {
            let Some(change) = draw(&document, &mut lots) else { continue };
            let before = document.text().to_owned();
            let told = || format!("{} {turn}: {change:?}\n{before}", game.path);
            let old_comments = comments(&before);
            match document.change(&change) {
                Err(refused) => {
                    n_refused += 1;
                    *refusals.entry(refused.code).or_default() += 1;
                    assert_eq!(document.text(), before, "{}", told());
                    continue;
                }
                Ok(stepped) if stepped.edits.is_empty() => continue,
                Ok(_) => n_made += 1,
            }
            *kinds.entry(change.word()).or_default() += 1;
            let made = document.text().to_owned();
            document.undo().unwrap();
            assert_eq!(document.text(), before, "{}", told());
            document.redo().unwrap();
            assert_eq!(document.text(), made, "{}", told());
            assert!(
                parse(FileId(0), &made).diagnostics.len() <= parse(FileId(0), &before).diagnostics.len(),
                "{}",
                told()
            );
            // The picture of the text is the picture of a document that was opened with it.
            let fresh = Document::of(document.files().to_vec(), 0);
            let (mut own, fresh) = (Picture::of(&document), Picture::of(&fresh));
            own.version = fresh.version;
            assert_eq!(own, fresh, "{}", told());
            let keeps = !matches!(
                change,
                Change::Remove { .. } | Change::RemoveModel { .. } | Change::Replace { .. } | Change::Clear { .. }
            );
            if keeps {
                let now = comments(&made);
                assert!(old_comments.iter().all(|comment| now.contains(comment)), "{}\n---\n{made}", told());
            }
        }
        while document.undo().is_some() {}
        let own = (game.path.clone(), game.text.clone());
        let files: Vec<_> = std::iter::once(own).chain(game.beside.clone()).collect();
        assert!(document.files() == files, "{}", game.path);
    }
    println!("{n_made} changes made, {n_refused} refused: {refusals:?}");
    println!("{kinds:?}");
    for kind in ["add", "remove", "replace", "move", "wrap", "value", "mode", "rename", "parent", "extract", "format"] {
        assert!(kinds.contains_key(kind), "no `{kind}` was made: {kinds:?}");
    }
    assert!(n_made > 2 * n_refused, "{n_made} made, {n_refused} refused: {refusals:?}");
}

/// [GM-197]
#[test]
fn any_name_of_any_game_can_be_changed_without_an_error() {
    let mut n = 0;
    // All of them with HOUSERULES_CHANGES, else every fourth.
    let every = if std::env::var_os("HOUSERULES_CHANGES").is_some() { 1 } else { 4 };
    for (nth, game) in games().into_iter().enumerate() {
        let document = Document::open(&game.path, &game.text, game.beside.clone());
        let n_errors = |document: &Document| {
            let errors = document.reading().messages.iter().filter(|message| message.is_error());
            errors.map(|message| format!("{} {:?}", message.title, message.labels)).collect::<Vec<_>>()
        };
        let before = n_errors(&document).len();
        let names = Names::of(document.reading());
        let mut meanings: Vec<_> =
            names.all().iter().filter(|found| found.defines).map(|found| (found.meaning.clone(), found.at)).collect();
        meanings.sort();
        meanings.dedup_by(|one, other| one.0 == other.0);
        for (meaning, at) in meanings.into_iter().skip(nth % every).step_by(every) {
            let mut document = Document::open(&game.path, &game.text, game.beside.clone());
            // What play itself says, or a game that this one builds on, keeps its name.
            let machine =
                ["start", "turn", "stuck", "gameover", "game", "player", "state", "default"].contains(&&*meaning.name);
            if machine || !game.beside.is_empty() {
                continue;
            }
            // Pictures call players by their first letter.
            let first = meaning.name.chars().next().filter(|first| first.is_alphabetic()).unwrap_or('z');
            match document.change(&Change::Rename { at: at.start, to: format!("{first}zz-other") }) {
                Ok(_) => n += 1,
                Err(refused) => panic!("{}: {meaning:?}: {refused}", game.path),
            }
            let after = n_errors(&document);
            assert!(after.len() <= before, "{}: {meaning:?}: {after:?}", game.path);
        }
    }
    println!("{n} names changed");
    assert!(n > 600 / every, "{n}");
}
