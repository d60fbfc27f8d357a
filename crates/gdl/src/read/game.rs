//! Directives that describe the game as a whole.

use super::cursor::Cursor;
use crate::datum::DatumKind;
use houserules_model::{Diagnostic, History, ItemKind, Name, Number, PlayerName, Players, Setting, Turns};

pub(crate) fn info(cursor: &mut Cursor) -> ItemKind {
    let key = cursor.name("a key such as `rules` or `author`");
    // `#info year 1979` needs no quotes: a key has one name for its text.
    let text = cursor.name("the text");
    cursor.end();
    ItemKind::Info { key, text }
}

/// Several names share all that follows them.
pub(crate) fn settings(cursor: &mut Cursor) -> Vec<ItemKind> {
    let mut names = vec![cursor.name("the setting's name")];
    while more_names(cursor) {
        names.push(cursor.name("the setting's name"));
    }
    let value = cursor.expr("its usual value");
    let mut setting = Setting { name: names[0].clone(), value, range: None, among: Vec::new(), text: None };
    while let Some(item) = cursor.peek() {
        if cursor.eat("from") {
            let least = cursor.expr("the least value");
            cursor.want("to");
            setting.range = Some((least, cursor.expr("the greatest value")));
        } else if cursor.eat("among") {
            // A string at the end explains the setting, unless the values themselves are strings.
            let strings = cursor.peek().is_some_and(|item| item.text().is_some());
            while let Some(item) = cursor.peek() {
                if item.is_word("from") || (item.text().is_some() && !strings) {
                    break;
                }
                cursor.next();
                setting.among.push(cursor.expr_of(item));
            }
            if setting.among.is_empty() {
                cursor.fail("Here the values to choose from are missing.");
            }
        } else if let (Some(text), None) = (item.text(), &setting.text) {
            setting.text = Some(text.clone());
            cursor.next();
        } else {
            cursor.end();
        }
    }
    names.into_iter().map(|name| ItemKind::Setting(Setting { name, ..setting.clone() })).collect()
}

/// Whether a word is one more name: behind it the value must still come, and not only the text.
fn more_names(cursor: &Cursor) -> bool {
    let a_word = |at: usize| cursor.peek_at(at).is_some_and(|item| item.word().is_some());
    let ends = |at: usize| cursor.peek_at(at).is_none_or(|item| item.is_word("from") || item.is_word("among"));
    let only_text = cursor.peek_at(1).is_some_and(|item| item.text().is_some()) && ends(2);
    a_word(0) && !ends(0) && !ends(1) && !only_text
}

pub(crate) fn set(cursor: &mut Cursor) -> ItemKind {
    let setting = cursor.name("the setting's name");
    let value = cursor.expr("its value");
    cursor.end();
    ItemKind::Set { setting, value }
}

pub(crate) fn players(cursor: &mut Cursor) -> ItemKind {
    if cursor.eat("are") {
        let model = cursor.name("the model of the players");
        cursor.end();
        return ItemKind::Players(Players { names: Vec::new(), least: 0, most: 0, are: Some(model) });
    }
    let Some(DatumKind::Number(_)) = cursor.peek().map(|item| &item.kind) else {
        let names = player_names(cursor);
        let n = names.len() as u32;
        return ItemKind::Players(Players { names, least: n, most: n, are: None });
    };
    let least = seats(cursor);
    let most = if cursor.eat("to") { seats(cursor) } else { least };
    let names = if cursor.eat("named") { player_names(cursor) } else { Vec::new() };
    cursor.end();
    if most < least {
        cursor.fail("The first number may not be greater than the second.");
    }
    if !names.is_empty() && (names.len() as u32) < most {
        cursor.fail(&format!("There are {most} seats and {} names.", names.len()));
    }
    ItemKind::Players(Players { names, least, most, are: None })
}

/// More seats than this are a slip of the finger.
const MOST_SEATS: i64 = 64;

fn seats(cursor: &mut Cursor) -> u32 {
    match cursor.peek().map(|item| &item.kind) {
        Some(DatumKind::Number(Number::Whole(n))) if (1..=MOST_SEATS).contains(n) => {
            cursor.next();
            *n as u32
        }
        _ => {
            cursor.fail(&format!("Here a number of players is expected, from 1 to {MOST_SEATS}."));
            cursor.next();
            1
        }
    }
}

fn player_names(cursor: &mut Cursor) -> Vec<PlayerName> {
    let mut names: Vec<PlayerName> = Vec::new();
    while let Some(item) = cursor.peek() {
        let name = cursor.name("a player's name");
        if names.iter().any(|other| other.name == name) {
            let label = format!("There already is a player “{name}”.");
            cursor.report(Diagnostic::error("name/twice", "Two players with one name", item.origin, label));
        }
        let facing = cursor.eat("facing").then(|| cursor.name("a direction"));
        if cursor.has_failed() {
            cursor.rest();
        }
        names.push(PlayerName { name, facing, origin: item.origin });
    }
    if names.is_empty() {
        cursor.fail("Here the names of the players are missing, or how many there are.");
    }
    names
}

pub(crate) fn teams(cursor: &mut Cursor) -> ItemKind {
    if cursor.at_end() {
        cursor.fail("Here a list of players is missing.");
    }
    ItemKind::Teams(cursor.body())
}

pub(crate) fn turns(cursor: &mut Cursor) -> ItemKind {
    let turns = if cursor.eat("free") { Turns::Free } else { Turns::Passing };
    cursor.end();
    ItemKind::Turns(turns)
}

pub(crate) fn history(cursor: &mut Cursor) -> ItemKind {
    let things = cursor.names_until(&["by"]);
    let by_player = cursor.eat_all(&["by", "player"]);
    cursor.end();
    ItemKind::History(History { things, by_player })
}

pub(crate) fn properties(cursor: &mut Cursor) -> ItemKind {
    cursor.want("open");
    cursor.end();
    ItemKind::OpenProperties
}

pub(crate) fn setup(cursor: &mut Cursor) -> ItemKind {
    ItemKind::Setup(cursor.body())
}

pub(crate) fn picture(cursor: &mut Cursor) -> ItemKind {
    let property = match cursor.peek().and_then(|item| item.word()) {
        Some(_) => cursor.opt_name(),
        None => None,
    };
    let mut rows: Vec<Name> = Vec::new();
    while !cursor.at_end() && !cursor.has_failed() {
        rows.push(cursor.text("a row of the picture"));
    }
    if rows.is_empty() && property.is_none() {
        cursor.fail("Here the rows of the picture are missing.");
    }
    ItemKind::Picture { property, rows }
}
