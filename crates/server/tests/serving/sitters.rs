//! People who leave and come back, ask for help, watch, and decide alone.

use crate::common::{Client, Running, all_mine, limits, me};
use houserules_client::{ask, get, sit};
use houserules_protocol::play::{How, LogWhat};
use houserules_protocol::proposal::Wish;
use houserules_protocol::replay::Hint;
use houserules_protocol::rules::{Change, Mode};
use houserules_protocol::scene::Layer;
use houserules_protocol::table::{ClockKind, Consent, ForkAt, OpenTable, Phase, SitterKind, SitterWish, TableOpened};
use houserules_protocol::{Code, Command, ToClient};
use houserules_server::Limits;

fn sitter(client: &Client, seat: usize) -> SitterKind {
    client.known.table.as_ref().unwrap().seats[seat].sitter
}

fn things(client: &Client) -> usize {
    client.known.scene.graphics.iter().filter(|graphic| graphic.layer == Layer::Things).count()
}

/// [TB48] [TB4] [TB50]: before a match the host lets two people change seats; links go with the people, and after a restart
/// everybody sits where they sat.
#[tokio::test(flavor = "multi_thread")]
async fn seats_are_swapped_before_a_match() {
    let server = Running::start().await;
    let sitters = vec![me("Ada"), SitterWish::Open];
    let opened = server.open(&OpenTable { sitters, at_once: false, ..all_mine("tic-tac-toe", 2) }).await;
    let swap = Command::Swap { seat: 1, with: 0 };
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut host = Client::join(&server, &opened.table, &[&opened.host]).await;
    assert_eq!(ada.refused(swap.clone()).await, Code::TokenNotAllowed);
    assert_eq!(host.refused(Command::Swap { seat: 0, with: 2 }).await, Code::SeatUnknown);
    host.done(swap.clone()).await;
    ada.until(|known| known.you.as_ref().is_some_and(|you| you.seats == [1] && you.eyes == Some(1))).await;
    let seats = &ada.known.table.as_ref().unwrap().seats;
    assert_eq!((seats[0].sitter, seats[0].chair, seats[1].name.as_str()), (SitterKind::Open, Some(1), "Ada"));
    assert_eq!((seats[1].title.as_str(), seats[1].chair), ("O", Some(0)));
    // The invitation was sent to Ben before.
    let seat = sit(&server.address, &opened.table, &opened.invitations[1].token, "Ben").await.unwrap();
    assert_eq!(seat.seat, 0);
    let server = server.restart(limits()).await;
    let mut host = Client::join(&server, &opened.table, &[&opened.host]).await;
    let mut ben = Client::join(&server, &opened.table, &[&seat.token]).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    host.done(Command::Start).await;
    assert_eq!(host.refused(swap).await, Code::TableStarted);
    ben.until(|known| !known.choices(0).is_empty()).await;
    ben.play(0, "place b2").await;
    ada.until(|known| known.choices(1).len() == 8).await;
    ada.play(1, "place a1").await;
}

/// [TB32]: handed over and taken back.
#[tokio::test(flavor = "multi_thread")]
async fn a_sitter_hands_the_seat_to_the_machine_and_takes_it_back() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("awele", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    // Not for somebody who is here.
    assert_eq!(ben.refused(Command::PutBot { seat: 0, level: 1 }).await, Code::TokenNotAllowed);
    assert_eq!(ada.refused(Command::PutBot { seat: 0, level: 11 }).await, Code::RequestMalformed);
    ada.done(Command::PutBot { seat: 0, level: 1 }).await;
    ben.until(|known| !known.choices(1).is_empty()).await;
    assert!(matches!(sitter(&ben, 0), SitterKind::Bot { level: 1, stands_in: true }));
    assert_eq!(ben.known.table.as_ref().unwrap().seats[0].name, "P0");
    // While the machine sits there, nobody plays for it, and only the sitter takes it back.
    assert_eq!(ada.refused(ada.choose(0, 0)).await, Code::ChoiceNotYours);
    assert_eq!(ben.refused(Command::TakeBack { seat: 0 }).await, Code::TokenNotAllowed);
    ada.done(Command::TakeBack { seat: 0 }).await;
    ben.done(ben.choose(1, 0)).await;
    ada.until(|known| !known.choices(0).is_empty()).await;
    ada.done(ada.choose(0, 0)).await;
    assert_eq!(sitter(&ada, 0), SitterKind::Person);
}

/// [TB32] [TB34]: for somebody who has left, the others put the machine there; on returning the seat is theirs again.
#[tokio::test(flavor = "multi_thread")]
async fn the_machine_stands_in_for_somebody_who_left() {
    let server = Running::with(Limits { away_after: 0, ..limits() }).await;
    let opened = server.open(&all_mine("awele", 2)).await;
    let ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    let mut watching = Client::join(&server, &opened.table, &[&opened.watch]).await;
    ada.line.close().await;
    loop {
        if let Some(ToClient::Presence(presence)) = ben.line.next().await
            && presence.here == [false, true]
        {
            break;
        }
    }
    assert_eq!(watching.refused(Command::PutBot { seat: 0, level: 1 }).await, Code::TokenNotAllowed);
    ben.done(Command::PutBot { seat: 0, level: 1 }).await;
    ben.until(|known| !known.choices(1).is_empty()).await;
    assert!(ben.known.log.iter().any(|line| matches!(line.what, LogWhat::Chose { seat: 0, .. })));
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    assert_eq!(sitter(&ada, 0), SitterKind::Person);
    ben.done(ben.choose(1, 0)).await;
    ada.until(|known| !known.choices(0).is_empty()).await;
    ada.done(ada.choose(0, 0)).await;
    // Who is away does not hold up the others, either.
    ada.line.close().await;
    let change = Change::Mode { rule: "Chain Reaction".into(), mode: Mode::Off };
    ben.done(Command::Propose { wish: Wish::Change { change }, seat: None }).await;
    ben.until(|known| known.table.as_ref().is_some_and(|table| table.n_changes == 1)).await;
}

/// [TB5] [TB21]: the host gives a seat to somebody else while the machine stands in for its sitter, who is still there.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_lost_a_seat_neither_plays_it_nor_sees_what_it_sees() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("battleships", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut host = Client::join(&server, &opened.table, &[&opened.host]).await;
    ada.done(Command::PutBot { seat: 0, level: 1 }).await;
    let ToClient::Invitation { token, .. } = host.ask(Command::Invite { seat: 0 }).await else {
        panic!("no invitation")
    };
    let cleo = sit(&server.address, &opened.table, &token, "Cleo").await.unwrap();
    let mut cleo = Client::join(&server, &opened.table, &[&cleo.token]).await;
    let nobody =
        |client: &Client| client.known.you.as_ref().is_some_and(|you| you.seats.is_empty() && you.eyes.is_none());
    ada.until(|known| known.you.as_ref().is_some_and(|you| you.seats.is_empty())).await;
    assert!(nobody(&ada));
    for command in [ada.choose(0, 0), Command::TakeBack { seat: 0 }, Command::Resign { seat: 0 }] {
        let refused = ada.refused(command.clone()).await;
        assert!([Code::ChoiceNotYours, Code::TokenNotAllowed].contains(&refused), "{command:?}: {refused:?}");
    }
    assert_eq!(ada.refused(Command::Look { seat: Some(0) }).await, Code::ChoiceNotYours);
    let mut old =
        houserules_client::Line::join(&server.address, &opened.table, &[&opened.seats[0].token], None).await.unwrap();
    let bye = old.next().await;
    assert!(matches!(&bye, Some(ToClient::Bye { refusal }) if refusal.code == Code::TokenMissing), "{bye:?}");
    cleo.until(|known| known.you.as_ref().is_some_and(|you| you.seats == [0])).await;
}

/// [TB5] [TB21]: a seat is given up at any moment of another device's coming in by its link; the one who comes holds nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_is_given_up_while_its_sitter_comes_in_elsewhere_is_nobody_s() {
    let server = Running::start().await;
    for _ in 0..30 {
        let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
        let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
        let tokens = [opened.seats[0].token.as_str()];
        let coming = houserules_client::Line::join(&server.address, &opened.table, &tokens, None);
        let (coming, _) = tokio::join!(coming, ada.done(Command::Leave { seat: 0 }));
        let ben = sit(&server.address, &opened.table, &opened.invitations[0].token, "Ben").await.unwrap();
        let mut ben = Client::join(&server, &opened.table, &[&ben.token]).await;
        let mut coming = coming.unwrap();
        let choose = ben.choose(0, 0);
        // Gone, or there and without a seat.
        if coming.send(choose).await.is_ok() {
            let mut answer = None;
            while answer.is_none() {
                answer = match coming.next().await {
                    Some(ToClient::Refused { refusal, .. } | ToClient::Bye { refusal }) => Some(refusal.code),
                    Some(ToClient::Done { .. }) => panic!("a seat was played by somebody who had given it up"),
                    Some(_) => None,
                    None => Some(Code::TokenMissing),
                };
            }
            assert!([Some(Code::ChoiceNotYours), Some(Code::TokenMissing)].contains(&answer), "{answer:?}");
        }
        ben.done(ben.choose(0, 0)).await;
    }
}

/// [TB21] [TB27]: what a ruling allows is played, so nobody wishes for one about another seat, or about what no rule is against.
#[tokio::test(flavor = "multi_thread")]
async fn a_ruling_is_no_way_to_play_for_somebody_else() {
    let server = Running::start().await;
    let mut wanted = all_mine("tic-tac-toe", 2);
    wanted.manners.advised = Consent::Host;
    let opened = server.open(&wanted).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token, &opened.host]).await;
    let ruling = |seat: u8| Command::Propose { wish: Wish::Ruling { seat, choice: 0 }, seat: None };
    assert_eq!(ben.refused(ruling(0)).await, Code::ChoiceNotYours);
    assert_eq!(ada.refused(ruling(0)).await, Code::ChoiceUnknown);
    assert_eq!(ben.refused(ruling(7)).await, Code::SeatUnknown);
    assert_eq!(things(&ada), 0);
    ada.play(0, "place a1").await;
}

/// [TB35]
#[tokio::test(flavor = "multi_thread")]
async fn where_the_host_decides_nobody_else_is_asked_and_where_nobody_does_it_is_refused() {
    let server = Running::start().await;
    let mut wanted = all_mine("tic-tac-toe", 2);
    (wanted.manners.rules, wanted.manners.undo) = (Consent::Host, Consent::Nobody);
    let opened = server.open(&wanted).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token, &opened.host]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    let change = |mode| {
        let change = Change::Mode { rule: "Only empty cells".into(), mode };
        Command::Propose { wish: Wish::Change { change }, seat: None }
    };
    ada.done(change(Mode::Off)).await;
    ben.until(|known| known.table.as_ref().is_some_and(|table| table.n_changes == 1)).await;
    // Ben's wish waits for the host, whose word is enough.
    ben.done(change(Mode::Enforced)).await;
    ada.until(|known| known.proposals.len() == 1).await;
    let proposal = ada.known.proposals[0].id;
    ada.done(Command::Answer { proposal, agree: true }).await;
    ben.until(|known| known.table.as_ref().is_some_and(|table| table.n_changes == 2)).await;
    ada.play(0, "place a1").await;
    let undo = Command::Propose { wish: Wish::Undo { steps: None }, seat: Some(0) };
    assert_eq!(ada.refused(undo).await, Code::UndoForbidden);

    let mut fixed = all_mine("tic-tac-toe", 2);
    fixed.manners.rules = Consent::Nobody;
    let opened = server.open(&fixed).await;
    let mut host = Client::join(&server, &opened.table, &[&opened.seats[0].token, &opened.host]).await;
    assert_eq!(host.refused(change(Mode::Off)).await, Code::RuleFixed);
}

/// [TB40]: a fork of a match with secrets would tell them.
#[tokio::test(flavor = "multi_thread")]
async fn a_match_with_secrets_is_forked_by_a_host_who_plays_alone_and_begins_where_wanted() {
    let server = Running::start().await;
    let fork = async |of: &TableOpened, token: &str, step: Option<u32>| {
        let path = format!("/api/tables/{}/fork", of.table);
        let at = ForkAt { step, sitters: vec![me("Ada"), me("Ada")] };
        ask(&server.address, "POST", &path, Some(token), Some(&at)).await.unwrap()
    };
    let opened = server.open(&all_mine("battleships", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    ada.until(|known| !known.choices(0).is_empty()).await;
    ada.done(ada.choose(0, 0)).await;
    for token in [&opened.host, &opened.seats[0].token, &opened.watch] {
        assert_eq!(fork(&opened, token, None).await.refusal().unwrap().code, Code::RecordSecret);
    }
    let alone = OpenTable { sitters: vec![me("Ada"), SitterWish::Bot { level: 1 }], ..all_mine("battleships", 2) };
    let opened = server.open(&alone).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token, &opened.host]).await;
    ada.until(|known| !known.choices(0).is_empty()).await;
    let first = ada.known.choices(0).len();
    // The machine answers at the same time, and whatever was chosen before that comes too late.
    loop {
        match ada.ask(ada.choose(0, 0)).await {
            ToClient::Done { .. } => break,
            ToClient::Refused { refusal, .. } if refusal.code == Code::ChoiceStale => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(fork(&opened, &opened.host, Some(0)).await.refusal().unwrap().code, Code::RecordSecret);
    let host_and_seat = format!("{},{}", opened.host, opened.seats[0].token);
    let forked: TableOpened = fork(&opened, &host_and_seat, Some(0)).await.read().unwrap();
    let again = Client::join(&server, &forked.table, &[&forked.seats[0].token]).await;
    assert_eq!(again.known.choices(0).len(), first);

    let open = server.open(&all_mine("tic-tac-toe", 2)).await;
    let mut both = Client::join(&server, &open.table, &[&open.seats[0].token, &open.seats[1].token]).await;
    both.play(0, "place a1").await;
    both.until(|known| !known.choices(1).is_empty()).await;
    both.play(1, "place b2").await;
    assert_eq!(fork(&open, &open.host, Some(3)).await.refusal().unwrap().code, Code::RecordStep);
    let forked: TableOpened = fork(&open, &open.host, Some(1)).await.read().unwrap();
    let tokens = [forked.seats[0].token.as_str(), forked.seats[1].token.as_str()];
    let mut other = Client::join(&server, &forked.table, &tokens).await;
    assert_eq!((other.known.choices(1).len(), things(&other)), (8, 1));
    assert_eq!(other.known.table.as_ref().unwrap().forked_from.as_deref(), Some(open.table.as_str()));
    other.play(1, "place c3").await;
    both.until(|known| known.choices(0).len() == 7).await;
}

/// [TB45]
#[tokio::test(flavor = "multi_thread")]
async fn hints_are_for_one_s_own_seat_and_where_the_table_allows_them() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    assert_eq!(ada.refused(Command::Hint { seat: 0 }).await, Code::HintForbidden);
    assert_eq!(ada.refused(Command::Evaluate).await, Code::HintForbidden);
    // With the others' consent they are.
    ada.done(Command::Propose { wish: Wish::Hints { on: true }, seat: None }).await;
    ben.until(|known| known.proposals.len() == 1).await;
    ben.done(Command::Answer { proposal: ben.known.proposals[0].id, agree: true }).await;
    ada.until(|known| known.table.as_ref().is_some_and(|table| table.manners.hints)).await;
    for (seat, words) in [(0, "place a1"), (1, "place a2"), (0, "place b1"), (1, "place b2")] {
        let client = if seat == 0 { &mut ada } else { &mut ben };
        client.until(|known| !known.choices(seat).is_empty()).await;
        client.play(seat, words).await;
    }
    ada.until(|known| known.choices(0).len() == 5).await;
    let ToClient::Hint { hint, .. } = ada.ask(Command::Hint { seat: 0 }).await else { panic!("no hint") };
    assert_eq!((hint.seat, hint.words.as_str()), (0, "place c1"), "the winning move");
    let ToClient::Words { words, .. } = ada.ask(Command::Words { seat: 0 }).await else { panic!("no words") };
    assert_eq!(words[hint.choice as usize], hint.words);
    assert!(hint.value.is_some_and(|value| value > 0.5), "{hint:?}");
    let ToClient::Value { values, .. } = ben.ask(Command::Evaluate).await else { panic!("no value") };
    assert!(values.len() == 2 && values[0] > 0.5 && values[1] < -0.5, "{values:?}");
    // Not asked, and not his.
    assert_eq!(ben.refused(Command::Hint { seat: 1 }).await, Code::ChoiceNotYours);
    assert_eq!(ben.refused(Command::Hint { seat: 0 }).await, Code::ChoiceNotYours);
    assert_eq!(ben.refused(Command::Hint { seat: 9 }).await, Code::SeatUnknown);
}

/// [TB46]: whist would be told to East by a friend who watches South's hand being played.
#[tokio::test(flavor = "multi_thread")]
async fn spectators_see_what_happened_some_moves_later_and_learn_it_nowhere_else() {
    let server = Running::start().await;
    let mut wanted = all_mine("tic-tac-toe", 2);
    wanted.manners.spectator_delay = 2;
    wanted.manners.clock = ClockKind::Match { seconds: 86_400, increment: 0 };
    let opened = server.open(&wanted).await;
    let both = [opened.seats[0].token.as_str(), opened.seats[1].token.as_str()];
    let mut players = Client::join(&server, &opened.table, &both).await;
    let mut watching = Client::join(&server, &opened.table, &[&opened.watch]).await;
    let script = ["place a1", "place a2", "place b1", "place b2", "place c1"];
    let mut seen = Vec::new();
    for (number, words) in script.iter().enumerate() {
        let seat = number as u8 % 2;
        players.until(|known| !known.choices(seat).is_empty()).await;
        players.play(seat, words).await;
        // An answer to something said after the move comes after what was told of the move.
        watching.done(Command::Ping).await;
        seen.push((things(&watching), told(&watching)));
        if number == 3 {
            for path in ["record", "replay", "replay/1"] {
                let path = format!("/api/tables/{}/{path}", opened.table);
                let refused = get(&server.address, &path, Some(&opened.watch)).await.unwrap();
                assert_eq!(refused.refusal().unwrap().code, Code::RecordSecret, "{path}");
                assert_eq!(get(&server.address, &path, Some(&opened.seats[0].token)).await.unwrap().status, 200);
            }
            // Somebody who comes now sees what the others who watch see.
            let late = Client::join(&server, &opened.table, &[&opened.watch]).await;
            assert_eq!((things(&late), &late.known.log), (2, &watching.known.log));
            assert_eq!(late.known.clocks.as_ref().map(|clocks| &clocks.running), Some(&vec![0]), "two moves ago");
            assert_eq!(late.known.clocks, watching.known.clocks);
        }
    }
    assert_eq!(seen, [(0, 0), (0, 0), (1, 1), (2, 2), (5, 5)], "all of it when the match is over");
    assert_eq!(watching.known.table.as_ref().unwrap().phase, Phase::Over);
    assert_eq!(watching.known.result, players.known.result);
}

/// Moves that somebody was told of.
fn told(client: &Client) -> usize {
    client.known.log.iter().filter(|line| matches!(line.what, LogWhat::Chose { .. })).count()
}

/// [TB46] [TB50]: a server that starts anew tells spectators nothing earlier, and nothing twice.
#[tokio::test(flavor = "multi_thread")]
async fn spectators_stay_behind_when_a_table_wakes() {
    let server = Running::start().await;
    let mut wanted = all_mine("tic-tac-toe", 2);
    wanted.manners.spectator_delay = 2;
    let opened = server.open(&wanted).await;
    let both = [opened.seats[0].token.as_str(), opened.seats[1].token.as_str()];
    let mut players = Client::join(&server, &opened.table, &both).await;
    let mut watching = Client::join(&server, &opened.table, &[&opened.watch]).await;
    for (seat, words) in [(0, "place a1"), (1, "place a2"), (0, "place b1")] {
        players.until(|known| !known.choices(seat).is_empty()).await;
        players.play(seat, words).await;
    }
    watching.done(Command::Ping).await;
    let before = watching.known.clone();
    let server = server.restart(limits()).await;
    let mut line =
        houserules_client::Line::join(&server.address, &opened.table, &[&opened.watch], Some(before.n)).await.unwrap();
    line.ask(Command::Ping, &mut watching.known).await.unwrap();
    assert_eq!((watching.known.n, &watching.known.log), (before.n, &before.log));
    assert_eq!((watching.known.scene, told_of(&before.log)), (before.scene, 1));
}

fn told_of(log: &[houserules_protocol::play::LogLine]) -> usize {
    log.iter().filter(|line| matches!(line.what, LogWhat::Chose { .. })).count()
}

/// [TB25]: nobody knows the dice beforehand, and the record knows them afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn dice_are_thrown_by_the_server_and_the_record_has_no_seed() {
    let server = Running::start().await;
    let mut throws = Vec::new();
    for _ in 0..3 {
        let opened = server.open(&all_mine("whist", 4)).await;
        let mut client = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
        client.until(|known| known.question.is_some()).await;
        client.done(Command::Resign { seat: 0 }).await;
        let path = format!("/api/tables/{}/record", opened.table);
        let record = get(&server.address, &path, Some(&opened.seats[0].token)).await.unwrap().body;
        let drawn: Vec<String> = record.lines().filter(|line| line.starts_with("R ")).map(str::to_owned).collect();
        assert_eq!(drawn.len(), 51, "{record}");
        assert!(!record.lines().any(|line| line.starts_with("seed")), "{record}");
        let parsed = houserules_record::Record::parse(&record);
        let mut replay = houserules_record::open(parsed.record, None, Default::default()).unwrap().replay;
        assert_eq!(replay.run(), None, "what was drawn is enough to play it again");
        throws.push(drawn);
    }
    assert!(throws[0] != throws[1] && throws[1] != throws[2] && throws[0] != throws[2]);
}

/// [TB47]
#[tokio::test(flavor = "multi_thread")]
async fn what_a_step_was_worth_is_told_where_hints_are_and_of_secrets_when_the_match_is_over() {
    let server = Running::start().await;
    let judged = async |opened: &TableOpened, step: u32| {
        let path = format!("/api/tables/{}/replay/{step}/judgement", opened.table);
        get(&server.address, &path, Some(&opened.seats[0].token)).await.unwrap()
    };
    let strict = server.open(&all_mine("tic-tac-toe", 2)).await;
    assert_eq!(judged(&strict, 0).await.refusal().unwrap().code, Code::HintForbidden);
    // Whoever sits on all seats is told: it is nobody else's advantage.
    let path = format!("/api/tables/{}/replay/0/judgement", strict.table);
    let both = format!("{},{}", strict.seats[0].token, strict.seats[1].token);
    assert_eq!(get(&server.address, &path, Some(&both)).await.unwrap().status, 200);
    let helped = |game: &str| {
        let mut wanted = all_mine(game, 2);
        wanted.manners.hints = true;
        wanted
    };
    let open = server.open(&helped("tic-tac-toe")).await;
    let hint: Hint = judged(&open, 0).await.read().unwrap();
    assert!(hint.seat == 0 && hint.words.starts_with("place"), "{hint:?}");
    assert_eq!(judged(&open, 99).await.refusal().unwrap().code, Code::RecordStep);
    let secret = server.open(&helped("rock-paper-scissors")).await;
    assert_eq!(judged(&secret, 0).await.refusal().unwrap().code, Code::RecordSecret);
    let mut ada = Client::join(&server, &secret.table, &[&secret.seats[0].token]).await;
    ada.done(Command::Resign { seat: 0 }).await;
    assert_eq!(judged(&secret, 0).await.status, 200);
}

/// [TB33] [TB37]: a pause, a draw, and taking back and doing again what two people agree on.
#[tokio::test(flavor = "multi_thread")]
async fn people_agree_on_pauses_draws_and_on_doing_again_what_was_taken_back() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let mut ada = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let mut ben = Client::join(&server, &opened.table, &[&opened.seats[1].token]).await;
    ada.play(0, "place b2").await;
    let agree = async |one: &mut Client, other: &mut Client, wish: Wish| {
        one.done(Command::Propose { wish, seat: None }).await;
        other.until(|known| known.proposals.len() == 1).await;
        other.done(Command::Answer { proposal: other.known.proposals[0].id, agree: true }).await;
        one.until(|known| known.proposals.is_empty()).await;
    };
    agree(&mut ada, &mut ben, Wish::Undo { steps: None }).await;
    ada.until(|known| known.choices(0).len() == 9).await;
    assert_eq!(things(&ada), 0);
    agree(&mut ben, &mut ada, Wish::Redo { steps: 1 }).await;
    ben.until(|known| known.choices(1).len() == 8).await;
    assert_eq!(things(&ben), 1);
    agree(&mut ada, &mut ben, Wish::Pause).await;
    ben.until(|known| known.choices(1).is_empty()).await;
    assert_eq!(ben.refused(ben.choose(1, 0)).await, Code::TablePaused);
    agree(&mut ben, &mut ada, Wish::Resume).await;
    ben.until(|known| known.choices(1).len() == 8).await;
    ben.play(1, "place a1").await;
    agree(&mut ada, &mut ben, Wish::Draw).await;
    ben.until(|known| known.result.is_some()).await;
    let result = ben.known.result.clone().unwrap();
    assert_eq!((result.ranks.as_slice(), result.how), (&[1, 1][..], How::Agreed));
    // What was agreed stands in the record.
    let path = format!("/api/tables/{}/record", opened.table);
    let record = get(&server.address, &path, Some(&opened.watch)).await.unwrap().body;
    assert!(record.contains("A draw was agreed."), "{record}");
}
