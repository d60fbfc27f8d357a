//! People at a table.

use crate::common::{Client, Running, all_mine, me};
use houserules_client::{get, sit};
use houserules_protocol::play::{How, LogWhat};
use houserules_protocol::scene::Layer;
use houserules_protocol::table::{OpenTable, Phase, SitterKind, SitterWish};
use houserules_protocol::{Code, Command, ToClient};

/// [TB1] [TB4] [TB9] [TB12] [TB20] [TB21] [TB22] [TB30] [FR-18]: two people play a match by links, each at their own
/// end of a network. [FR-17]: the same definition is drawn as a scene for a browser, and its record is played again by what
/// the terminal plays with.
#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_a_match_by_links() {
    let server = Running::start().await;
    let wanted = OpenTable {
        game: "tic-tac-toe".into(),
        sitters: vec![me("Ada"), SitterWish::Open],
        at_once: true,
        ..OpenTable::default()
    };
    let opened = server.open(&wanted).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token, &opened.host]).await;
    assert_eq!(ada.known.table.as_ref().unwrap().phase, Phase::Lobby);
    assert_eq!(ada.refused(Command::Start).await, Code::SeatOpen);
    let seat = sit(&server.address, &opened.table, &opened.invitations[1].token, "Ben").await.unwrap();
    let taken = sit(&server.address, &opened.table, &opened.invitations[1].token, "Eve").await.unwrap_err();
    assert!(taken.starts_with("seat/taken"), "{taken}");
    let mut ben = Client::join(&server, &opened.table, &[&seat.token]).await;
    ada.until(|known| known.question.as_ref().is_some_and(|question| question.asked == [0])).await;
    assert_eq!(ada.known.choices(0).len(), 9);
    // Not his turn, not his seat, not there.
    assert_eq!(ben.refused(ben.choose(1, 0)).await, Code::ChoiceNotYours);
    assert_eq!(ben.refused(ben.choose(0, 0)).await, Code::ChoiceNotYours);
    assert_eq!(ada.refused(ada.choose(0, 9)).await, Code::ChoiceUnknown);
    assert_eq!(ada.refused(ada.choose(7, 0)).await, Code::SeatUnknown);
    let first = ada.choose(0, 0);
    ada.done(first.clone()).await;
    // The same message again, and one that comes late.
    assert!(matches!(ada.refused(first).await, Code::ChoiceNotYours | Code::ChoiceStale));
    ben.until(|known| known.choices(1).len() == 8).await;
    let stale = Command::Choose { step: ben.known.step - 1, seat: 1, choice: 0, insist: false };
    assert_eq!(ben.refused(stale).await, Code::ChoiceStale);
    let mut turn = 1;
    while ada.known.result.is_none() {
        let (client, seat) = if turn % 2 == 0 { (&mut ada, 0) } else { (&mut ben, 1) };
        client.until(|known| !known.choices(seat).is_empty() || known.result.is_some()).await;
        if client.known.result.is_none() {
            client.done(client.choose(seat, 0)).await;
        }
        turn += 1;
        ada.until(|known| known.step > 0).await;
        if turn > 9 {
            break;
        }
    }
    ada.until(|known| known.result.is_some()).await;
    ben.until(|known| known.result.is_some()).await;
    // Each has their own side of the table near; what lies on the board is the same.
    let things = |client: &Client| -> Vec<String> {
        let things = client.known.scene.graphics.iter().filter(|graphic| graphic.layer == Layer::Things);
        things.map(|graphic| graphic.label.clone()).collect()
    };
    assert_eq!((things(&ada), &ada.known.result), (things(&ben), &ben.known.result));
    assert!(things(&ada).len() >= 5, "{:?}", things(&ada));
    assert_eq!(ada.known.result.as_ref().unwrap().how, How::Played);
    assert_eq!(ada.refused(ada.choose(0, 0)).await, Code::TableOver);
    // [TB52]: the record is one that the command line reads.
    let record =
        get(&server.address, &format!("/api/tables/{}/record", opened.table), Some(&seat.token)).await.unwrap();
    assert_eq!(record.status, 200);
    let parsed = houserules_record::Record::parse(&record.body);
    assert_eq!(parsed.fault, None);
    let mut replay = houserules_record::open(parsed.record, None, Default::default()).unwrap().replay;
    assert_eq!(replay.run(), None);
}

/// [TB31] [TB37]
#[tokio::test(flavor = "multi_thread")]
async fn the_machine_answers_and_undo_against_it_is_free() {
    let server = Running::start().await;
    let wanted = OpenTable {
        game: "awele".into(),
        sitters: vec![me("Ada"), SitterWish::Bot { level: 2 }],
        at_once: true,
        ..OpenTable::default()
    };
    let opened = server.open(&wanted).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token, &opened.host]).await;
    let begin = ada.known.scene.clone();
    ada.done(ada.choose(0, 2)).await;
    ada.until(|known| !known.choices(0).is_empty() && known.log.len() >= 4).await;
    let moved = |what: &LogWhat| matches!(what, LogWhat::Chose { seat: 1, .. });
    assert!(ada.known.log.iter().any(|line| moved(&line.what)));
    let wish = houserules_protocol::proposal::Wish::Undo { steps: None };
    ada.done(Command::Propose { wish, seat: Some(0) }).await;
    ada.until(|known| known.log.iter().any(|line| matches!(line.what, LogWhat::Undone { steps: 2, .. }))).await;
    assert_eq!(ada.known.scene, begin);
    assert!(matches!(ada.known.table.as_ref().unwrap().seats[1].sitter, SitterKind::Bot { level: 2, .. }));
}

/// A program in Ceptre is played like any other game: by a person and the machine, drawn, recorded and woken again.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_in_ceptre_is_played_at_a_table() {
    let server = Running::start().await;
    let wanted = OpenTable {
        game: "othello.cep".into(),
        sitters: vec![me("Ada"), SitterWish::Bot { level: 1 }],
        at_once: true,
        ..OpenTable::default()
    };
    let opened = server.open(&wanted).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token, &opened.host]).await;
    assert_eq!(ada.known.choices(0).len(), 4);
    ada.done(ada.choose(0, 0)).await;
    ada.until(|known| !known.choices(0).is_empty() && known.log.len() >= 3).await;
    let discs = ada.known.scene.graphics.iter().filter(|graphic| graphic.layer == Layer::Things).count();
    assert_eq!(discs, 6);
    let server = server.restart(crate::common::limits()).await;
    let again = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    assert_eq!(again.known.scene, ada.known.scene);
    let path = format!("/api/tables/{}/record", opened.table);
    let record = get(&server.address, &path, Some(&opened.seats[0].token)).await.unwrap();
    let parsed = houserules_record::Record::parse(&record.body);
    let mut replay = houserules_record::open(parsed.record, None, Default::default()).unwrap().replay;
    assert_eq!(replay.run(), None);
}

/// [TB5] [TB6] [TB44]
#[tokio::test(flavor = "multi_thread")]
async fn tokens_open_what_they_are_for() {
    let server = Running::start().await;
    let (one, other) = (server.open(&all_mine("nim", 2)).await, server.open(&all_mine("nim", 2)).await);
    let path = format!("/api/tables/{}", one.table);
    for (token, status) in
        [(None, 401), (Some(other.host.as_str()), 401), (Some("x"), 401), (Some(one.watch.as_str()), 200)]
    {
        assert_eq!(get(&server.address, &path, token).await.unwrap().status, status, "{token:?}");
    }
    let mut watching = Client::join(&server, &one.table, &[&one.watch]).await;
    let mut player = Client::join(&server, &one.table, &[&one.seats[0].token]).await;
    let mut again = Client::join(&server, &one.table, &[&one.seats[0].token]).await;
    assert!(watching.known.choices(0).is_empty());
    assert_eq!(watching.refused(watching.choose(0, 0)).await, Code::ChoiceNotYours);
    again.done(again.choose(0, 0)).await;
    player.until(|known| known.question.as_ref().is_some_and(|question| question.asked == [1])).await;
    player.done(Command::Leave { seat: 0 }).await;
    let gone = houserules_client::Line::join(&server.address, &one.table, &[&one.seats[0].token], None).await;
    let message = gone.unwrap().next().await.unwrap();
    let houserules_protocol::ToClient::Bye { refusal } = message else { panic!("{message:?}") };
    assert_eq!(refusal.code, Code::TokenMissing);
    // Whoever has the invitation can sit there now.
    sit(&server.address, &one.table, &one.invitations[0].token, "Cleo").await.unwrap();
}

/// [TB33] [TB34] [TB36] [TB38] [TB14]
#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_rules_needs_the_others_and_can_be_withdrawn() {
    use houserules_protocol::proposal::Wish;
    use houserules_protocol::rules::{Change, Mode};
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    let off = |rule: &str| {
        let change = Change::Mode { rule: rule.into(), mode: Mode::Off };
        Command::Propose { wish: Wish::Change { change }, seat: None }
    };
    let text =
        |text: &str| Command::Propose { wish: Wish::Change { change: Change::Text { text: text.into() } }, seat: None };
    assert_eq!(ada.refused(off("No such rule")).await, Code::RuleUnknown);
    assert_eq!(ada.refused(text("#law \"x\" on place\n  (require (")).await, Code::RuleText);
    let before = ben.known.clone();
    ada.done(off("Only empty cells")).await;
    ben.until(|known| known.proposals.len() == 1).await;
    assert_eq!((ben.known.proposals[0].waiting.as_slice(), &ben.known.scene), (&[1][..], &before.scene));
    let proposal = ben.known.proposals[0].id;
    assert_eq!(ada.refused(Command::Answer { proposal, agree: true }).await, Code::ProposalOwn);
    assert_eq!(ben.refused(Command::Withdraw { proposal }).await, Code::TokenNotAllowed);
    ada.done(Command::Withdraw { proposal }).await;
    ada.until(|known| known.proposals.is_empty()).await;
    ben.until(|known| known.proposals.is_empty()).await;
    ada.done(off("Only empty cells")).await;
    ben.until(|known| known.proposals.len() == 1).await;
    let proposal = ben.known.proposals[0].id;
    ben.done(Command::Answer { proposal, agree: true }).await;
    ada.until(|known| known.table.as_ref().is_some_and(|table| table.n_changes == 1)).await;
    ada.play(0, "place b2").await;
    ben.until(|known| !known.choices(1).is_empty()).await;
    // Without the law every cell can be chosen, also the one that is taken.
    assert_eq!(ben.known.choices(1).len(), 9);
    ben.play(1, "place b2").await;
}

/// [TB26] [TB27] [TB65]
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_names_its_law_and_an_advised_rule_asks_the_others() {
    let server = Running::start().await;
    let wanted = OpenTable { advised: vec!["Only empty cells".into()], ..all_mine("tic-tac-toe", 2) };
    let opened = server.open(&wanted).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    ada.play(0, "place b2").await;
    ben.until(|known| !known.choices(1).is_empty()).await;
    let warnings = ben.known.question.as_ref().unwrap().yours[0].warnings.clone();
    assert_eq!((warnings.len(), warnings[0].rule.as_str()), (1, "Only empty cells"));
    let choice = warnings[0].choice;
    assert_eq!(ben.refused(ben.choose(1, choice)).await, Code::ChoiceAdvised);
    ben.done(Command::Choose { step: ben.known.step, seat: 1, choice, insist: true }).await;
    ada.until(|known| known.proposals.len() == 1).await;
    let proposal = ada.known.proposals[0].id;
    let ToClient::Preview { scene, .. } = ada.ask(Command::Preview { proposal }).await else { panic!() };
    assert_eq!(ada.refused(Command::Preview { proposal: proposal + 1 }).await, Code::ProposalUnknown);
    let marks = |scene: &houserules_protocol::scene::Scene| -> Vec<String> {
        let marks = scene.graphics.iter().filter(|graphic| graphic.id.starts_with('m'));
        marks.map(|graphic| graphic.label.clone()).collect()
    };
    assert_eq!((marks(&ada.known.scene), marks(&scene)), (vec!["X".into()], vec!["O".into()]));
    ada.done(Command::Answer { proposal, agree: true }).await;
    ada.until(|known| !known.choices(0).is_empty()).await;
    assert_eq!(marks(&ada.known.scene), ["O"]);
    assert!(ada.known.log.iter().any(|line| matches!(&line.what, LogWhat::Ruled { allowed: true, .. })));

    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let mut both = Client::join(&server, &opened.table, &[&opened.seats[0].token, &opened.seats[1].token]).await;
    both.play(0, "place b2").await;
    both.until(|known| !known.choices(1).is_empty()).await;
    let ToClient::Why { refused, .. } = both.ask(Command::Why { seat: 1 }).await else { panic!() };
    assert_eq!(refused.len(), 1);
    assert_eq!((refused[0].words.as_str(), refused[0].law.as_deref()), ("place b2", Some("Only empty cells")));
    assert_eq!(refused[0].reason, "That cell is taken.");
}

/// [TB39] [TB11]: after a rematch everybody is told what changed, and not the whole table again.
#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_is_told_as_a_change() {
    use houserules_protocol::proposal::Wish;
    let server = Running::start().await;
    let opened = server.open(&all_mine("connect-four", 2)).await;
    let tokens = [opened.seats[0].token.as_str(), opened.seats[1].token.as_str()];
    let mut clients = [
        Client::join(&server, &opened.table, &tokens[..1]).await,
        Client::join(&server, &opened.table, &tokens[1..]).await,
    ];
    clients[0].done(clients[0].choose(0, 3)).await;
    clients[1].until(|known| !known.choices(1).is_empty()).await;
    let welcome = serde_json::to_string(&clients[0].known.scene).unwrap().len() as u64;
    clients[1].done(Command::Resign { seat: 1 }).await;
    let before = clients[0].line.received;
    for client in &mut clients {
        client.done(Command::Propose { wish: Wish::Rematch, seat: None }).await;
    }
    clients[0].until(|known| known.you.as_ref().is_some_and(|you| you.seats == [1])).await;
    clients[1].until(|known| known.choices(0).len() == 7).await;
    let told = clients[0].line.received - before;
    assert!(2 * told < welcome, "{told} bytes, where a whole scene has {welcome}");
    clients[1].done(clients[1].choose(0, 2)).await;
    for (client, seat) in clients.iter_mut().zip([1, 0]) {
        client.until(|known| known.question.as_ref().is_some_and(|question| question.asked == [1])).await;
        let fresh = Client::join(&server, &opened.table, &[tokens[usize::from(1 - seat as u8)]]).await;
        assert_eq!((&client.known.scene, &client.known.question), (&fresh.known.scene, &fresh.known.question));
    }
}

/// [TB35] [TB39] [TB40] [TB41]
#[tokio::test(flavor = "multi_thread")]
async fn resigning_ends_a_match_a_rematch_rotates_seats_and_a_fork_goes_on_alone() {
    use houserules_client::ask;
    use houserules_protocol::proposal::Wish;
    use houserules_protocol::table::{ForkAt, TableOpened};
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token, &opened.host]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    ada.play(0, "place a1").await;
    ben.until(|known| !known.choices(1).is_empty()).await;
    let path = format!("/api/tables/{}/fork", opened.table);
    let fork = ForkAt { step: None, sitters: vec![me("Ada"), me("Ada")] };
    let forked: TableOpened =
        ask(&server.address, "POST", &path, Some(&opened.host), Some(&fork)).await.unwrap().read().unwrap();
    let alone = Client::join(&server, &forked.table, &[&forked.seats[0].token, &forked.seats[1].token]).await;
    assert_eq!(alone.known.choices(1).len(), 8);
    ben.done(Command::Resign { seat: 1 }).await;
    ada.until(|known| known.result.is_some()).await;
    let result = ada.known.result.clone().unwrap();
    assert_eq!((result.ranks.as_slice(), result.how), (&[1, 2][..], How::Resigned));
    ben.done(Command::Propose { wish: Wish::Rematch, seat: Some(1) }).await;
    ada.until(|known| known.proposals.len() == 1).await;
    let proposal = ada.known.proposals[0].id;
    ada.done(Command::Answer { proposal, agree: true }).await;
    ben.until(|known| known.you.as_ref().is_some_and(|you| you.seats == [0]) && !known.choices(0).is_empty()).await;
    ada.until(|known| known.you.as_ref().is_some_and(|you| you.seats == [1])).await;
    assert_eq!((ben.known.choices(0).len(), ben.known.table.as_ref().unwrap().number), (9, 2));
    ben.play(0, "place c3").await;
    ada.until(|known| known.choices(1).len() == 8).await;
}

/// [TB29] [TB24]: the record of the match says it as well.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_chosen_in_secret_is_told_when_the_match_is_over() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("rock-paper-scissors", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    let told = |client: &Client| -> Vec<Option<String>> {
        let chose = |what: &LogWhat| match what {
            LogWhat::Chose { seat: 0, number: 1, words } => Some(words.clone()),
            _ => None,
        };
        client.known.log.iter().filter_map(|line| chose(&line.what)).collect()
    };
    ada.done(ada.choose(0, 0)).await;
    ben.until(|known| known.log.iter().any(|line| matches!(line.what, LogWhat::Chose { .. }))).await;
    let known = told(&ada);
    assert!(known.len() == 1 && known[0].is_some(), "{known:?}");
    assert_eq!(told(&ben), [None]);
    ben.done(Command::Resign { seat: 1 }).await;
    ben.until(|known| known.result.is_some()).await;
    assert_eq!(told(&ben), [None, known[0].clone()]);
    ada.until(|known| known.result.is_some()).await;
    assert_eq!(told(&ada), known, "nobody is told twice");
}

/// [TB42]
#[tokio::test(flavor = "multi_thread")]
async fn whose_time_is_up_loses_and_the_record_says_so() {
    use houserules_protocol::table::ClockKind;
    let server = Running::start().await;
    let mut wanted = all_mine("tic-tac-toe", 2);
    wanted.manners.clock = ClockKind::Match { seconds: 1, increment: 0 };
    let opened = server.open(&wanted).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    ada.until(|known| known.result.is_some()).await;
    let result = ada.known.result.clone().unwrap();
    assert_eq!((result.ranks.as_slice(), result.how), (&[2, 1][..], How::Time));
    let path = format!("/api/tables/{}/record", opened.table);
    let record = get(&server.address, &path, Some(&opened.watch)).await.unwrap().body;
    assert!(record.contains("The time of X is up."), "{record}");
}

/// [FR-4]: a view is added to a match that is being played, everybody sees what it draws, who comes later sees the same, and
/// undo takes it away again.
#[tokio::test(flavor = "multi_thread")]
async fn a_view_that_is_added_during_a_match_is_drawn_for_everybody() {
    use houserules_protocol::proposal::Wish;
    use houserules_protocol::rules::Change;
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let tokens = [opened.seats[0].token.as_str(), opened.seats[1].token.as_str()];
    let mut ada = Client::join(&server, &opened.table, &tokens[..1]).await;
    let mut ben = Client::join(&server, &opened.table, &tokens[1..]).await;
    ada.play(0, "place b2").await;
    let text = "#view \"Lamp\" of cell\n  #onMessage start\n    (new graphic flame with shape \"circle\" width 20 height 20 \
        fill \"gold\")\n    (observe mark after notify marked)\n  #onMessage marked\n    (update graphic flame attribute fill \
        to \"ink\")\n";
    let change = Change::Text { text: text.into() };
    let propose = Command::Propose { wish: Wish::Change { change }, seat: None };
    ada.done(propose).await;
    ben.until(|known| known.proposals.len() == 1).await;
    ben.done(Command::Answer { proposal: ben.known.proposals[0].id, agree: true }).await;
    let flames = |known: &houserules_client::Known| -> Vec<String> {
        let all = known.scene.graphics.iter().filter(|graphic| graphic.id.contains("flame"));
        all.map(|graphic| graphic.fill.clone()).collect()
    };
    ben.until(|known| flames(known).len() == 9).await;
    ben.play(1, "place a1").await;
    ada.until(|known| !known.choices(0).is_empty()).await;
    let lit = flames(&ada.known);
    let n_lit = lit.iter().filter(|fill| *fill == "ink").count();
    assert_eq!(n_lit, 1, "the cell that was marked since: {lit:?}");
    let fresh = Client::join(&server, &opened.table, &tokens[..1]).await;
    assert_eq!(fresh.known.scene, ada.known.scene);
    for _ in 0..2 {
        ada.done(Command::Propose { wish: Wish::Undo { steps: Some(1) }, seat: None }).await;
        ben.until(|known| known.proposals.len() == 1).await;
        ben.done(Command::Answer { proposal: ben.known.proposals[0].id, agree: true }).await;
        ada.until(|known| known.proposals.is_empty()).await;
        ben.until(|known| known.proposals.is_empty()).await;
    }
    assert_eq!(flames(&ben.known), Vec::<String>::new());
}
