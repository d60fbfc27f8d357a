//! Records that somebody brings: each becomes a table that can be looked through and played on.

use crate::hall::Hall;
use crate::table::task::{Message, Roles};
use crate::{clock, games};
use houserules_protocol::game::SourceFile;
use houserules_protocol::table::{OpenTable, SettingValue, TableOpened};
use houserules_protocol::{Code, Refusal};
use houserules_record::{Line, LineKind, Record};
use std::sync::Arc;

/// Of a record that is brought; the longest match of chess that rules allow is shorter.
const MOST_STEPS: usize = 20_000;
/// Rules are compiled again with it.
const A_CHANGE: usize = 100;

/// Opens a table on which everything has happened that a record tells. One that does not fit its rules leaves nothing.
pub async fn bring(hall: &Arc<Hall>, text: &str) -> Result<TableOpened, Refusal> {
    let parsed = Record::parse(text);
    if let Some(fault) = parsed.fault {
        return Err(Refusal::new(Code::RequestMalformed, fault.to_string()));
    }
    // It is played again from its beginning: what goes back and forth takes longer than it is long.
    let steps = |line: &Line| match line.kind {
        LineKind::Undo(n) | LineKind::Redo(n) => n as usize,
        LineKind::Change { .. } | LineKind::Hand { .. } | LineKind::Rule { .. } | LineKind::Set { .. } => A_CHANGE,
        _ => 1,
    };
    let n_steps = parsed.record.lines.iter().map(steps).fold(0, usize::saturating_add);
    if n_steps > MOST_STEPS {
        let words =
            format!("A record of more than {MOST_STEPS} steps is not taken; a change of rules counts as {A_CHANGE}.");
        return Err(Refusal::new(Code::RequestTooLarge, words));
    }
    let head = parsed.record.head;
    let game = match head.rules.is_empty() {
        true => head.game.clone(),
        false => keep(hall, head.rules).await?,
    };
    let wanted = OpenTable {
        game: game.clone(),
        variants: head.variants,
        settings: head.settings.into_iter().map(|(name, value)| SettingValue { name, value }).collect(),
        off: head.off,
        advised: head.advised,
        position: head.position,
        n_seats: head.players.and_then(|players| players.try_into().ok()),
        ..OpenTable::default()
    };
    let played = parsed.record.lines.iter().filter(|line| !matches!(line.kind, LineKind::Note { .. }));
    let lines = played.map(|line| line.kind.to_string()).collect();
    let opened = hall.open(wanted, Some((head.id, lines, game))).await?;
    if hall.ask(&opened.table, |reply| Message::Info { roles: Roles::default(), reply }).await.is_err() {
        hall.delete(&opened.table).await?;
        let words = "What the record tells does not fit the rules it names.";
        return Err(Refusal::new(Code::RequestMalformed, words));
    }
    Ok(opened)
}

/// The rules that a record carries, kept like a definition that somebody brings.
async fn keep(hall: &Hall, rules: Vec<(String, String)>) -> Result<String, Refusal> {
    let files: Vec<SourceFile> = rules.into_iter().map(|(path, text)| SourceFile { path, text }).collect();
    let id = games::id(&files);
    let text = serde_json::to_string(&files).map_err(crate::fault)?;
    hall.shared.store.add_definition(&id, &text, clock::now()).await.map_err(crate::unkept)?;
    Ok(id)
}
