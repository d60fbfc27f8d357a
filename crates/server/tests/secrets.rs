//! What a seat receives does not depend on what it may not know.

mod common;

use common::{Running, all_mine};
use houserules_client::{Known, Line};
use houserules_protocol::{Command, ToClient};

/// Plays a script at a table of two, and gives all bytes that each seat received after the welcome, but for what is random:
/// the name of the table.
async fn captured(server: &Running, game: &str, script: &[(u8, usize)]) -> [Vec<String>; 2] {
    let opened = server.open(&all_mine(game, 2)).await;
    let mut lines = Vec::new();
    let mut bytes = [Vec::new(), Vec::new()];
    let mut known = [Known::default(), Known::default()];
    for seat in 0..2 {
        lines.push(Line::join(&server.address, &opened.table, &[&opened.seats[seat].token], None).await.unwrap());
    }
    for &(seat, choice) in script {
        let at = usize::from(seat);
        hear(&mut lines[at], &mut known[at], &mut bytes[at], |known| !known.choices(seat).is_empty()).await;
        let choose = Command::Choose { step: known[at].step, seat, choice: choice as u32, insist: false };
        lines[at].send(choose).await.unwrap();
        let n = known[at].n;
        for other in 0..2 {
            hear(&mut lines[other], &mut known[other], &mut bytes[other], |known| known.n > n).await;
        }
    }
    bytes.map(|texts| texts.into_iter().map(|text: String| text.replace(&opened.table, "TABLE")).collect())
}

async fn hear(line: &mut Line, known: &mut Known, bytes: &mut Vec<String>, holds: impl Fn(&Known) -> bool) {
    while !holds(known) {
        let text = line.text().await.expect("the table is there");
        let message: ToClient = serde_json::from_str(&text).unwrap();
        known.hear(&message).unwrap();
        // Who is connected when depends on the network, not on the match; an answer is for one's own command.
        if !matches!(message, ToClient::Presence(_) | ToClient::Welcome(_) | ToClient::Done { .. }) {
            bytes.push(text);
        }
    }
}

/// [TB23] [TB24]: two matches that differ only in what Bo answers look the same to Ann until all have answered.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_given_at_the_same_time_cannot_be_told_from_another() {
    let server = Running::start().await;
    let rock = captured(&server, "rock-paper-scissors", &[(1, 0)]).await;
    let paper = captured(&server, "rock-paper-scissors", &[(1, 1)]).await;
    assert_eq!(rock[0], paper[0]);
    assert_ne!(rock[1], paper[1], "Bo is told what he chose");
    assert!(!rock[0].is_empty(), "Ann is told that Bo has chosen");
}

/// [TB23]
#[tokio::test(flavor = "multi_thread")]
async fn where_ships_lie_cannot_be_told_from_the_bytes_of_the_other_sea() {
    let server = Running::start().await;
    // Ann places her ships in the same way, Bo in two ways; then Ann shoots at a cell that is empty in both.
    let script = |bo: [usize; 2]| {
        let mut script = Vec::new();
        for choice in bo {
            script.extend([(0, 0), (1, choice)]);
        }
        script
    };
    let one = captured(&server, "battleships", &script([0, 3])).await;
    let other = captured(&server, "battleships", &script([7, 11])).await;
    assert_eq!(one[0], other[0]);
    assert_ne!(one[1], other[1]);
}
