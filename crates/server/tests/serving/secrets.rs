//! What a seat receives does not depend on what it may not know.

use crate::common::{Running, all_mine};
use houserules_client::{Known, Line};
use houserules_protocol::{Command, ToClient};
use houserules_store::{Entry, Token};

/// All that one seat hears, as it came.
struct Ear {
    seat: u8,
    line: Line,
    known: Known,
    /// But for what is random: the name of the table.
    bytes: Vec<String>,
    table: String,
}

impl Ear {
    async fn join(server: &Running, table: &str, seat: u8, token: &str) -> Self {
        let line = Line::join(&server.address, table, &[token], None).await.unwrap();
        let mut ear = Ear { seat, line, known: Known::default(), bytes: Vec::new(), table: table.to_owned() };
        // Everybody is there before anything happens: how much stands in a welcome is the network's doing.
        ear.hear(|known| known.table.is_some()).await;
        ear
    }

    async fn hear(&mut self, holds: impl Fn(&Known) -> bool) {
        while !holds(&self.known) {
            let text = self.line.text().await.expect("the table is there");
            let message = ToClient::read(&text).unwrap();
            self.known.hear(&message).unwrap();
            // Who is connected when depends on the network, not on the match; an answer is for one's own command.
            match message {
                ToClient::Presence(_) | ToClient::Done { .. } => {}
                ToClient::Welcome(mut welcome) => {
                    welcome.presence.here.clear();
                    welcome.table.seats.iter_mut().for_each(|seat| seat.here = false);
                    self.keep(&serde_json::to_string(&welcome).unwrap());
                }
                _ => self.keep(&text),
            }
        }
    }

    fn keep(&mut self, text: &str) {
        self.bytes.push(text.replace(&self.table, "TABLE"));
    }

    async fn choose(&mut self, choice: usize) {
        let seat = self.seat;
        self.hear(|known| !known.choices(seat).is_empty()).await;
        let step = self.known.step;
        self.line.send(Command::Choose { step, seat, choice: choice as u32, insist: false }).await.unwrap();
    }

    /// The choice with these words.
    async fn play(&mut self, words: &str) {
        let seat = self.seat;
        self.hear(|known| !known.choices(seat).is_empty()).await;
        let asked = self.line.ask(Command::Words { seat }, &mut self.known).await.unwrap();
        let ToClient::Words { words: all, .. } = asked else { panic!("no words: {asked:?}") };
        let choice = all.iter().position(|known| known == words).unwrap_or_else(|| panic!("{words} is not in {all:?}"));
        self.choose(choice).await;
    }
}

/// A table of which everything is known, and can be done again with other secrets.
struct Kept {
    about: String,
    log: Vec<Entry>,
    n_seats: u8,
}

impl Kept {
    async fn of(server: &Running, table: &str, n_seats: u8) -> Self {
        let kept = server.hall.shared.store.table(table).await.unwrap().unwrap();
        Kept { about: kept.about, log: kept.log, n_seats }
    }

    /// The same table once more, and an ear at each seat.
    async fn again(&self, server: &Running) -> Vec<Ear> {
        let table = Token::random().unwrap().reveal()[..24].to_owned();
        let tokens: Vec<Token> = (0..self.n_seats).map(|_| Token::random().unwrap()).collect();
        let hashes: Vec<_> =
            tokens.iter().enumerate().map(|(seat, token)| (token.hash(), format!("chair:{seat}"))).collect();
        server.hall.shared.store.add_table(&table, &self.about, &hashes, &self.log, 1).await.unwrap();
        let mut ears = Vec::new();
        for (seat, token) in tokens.iter().enumerate() {
            ears.push(Ear::join(server, &table, seat as u8, token.reveal()).await);
        }
        ears
    }

    /// The lines of the log in which chance has drawn.
    fn draws(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.log.iter_mut().filter(|entry| entry.body.contains("\"line\":\"R "))
    }
}

/// Plays a script at a table of two, and gives all bytes that each seat received.
async fn captured(server: &Running, game: &str, script: &[(u8, usize)]) -> [Vec<String>; 2] {
    let opened = server.open(&all_mine(game, 2)).await;
    let mut ears = Vec::new();
    for seat in 0..2 {
        ears.push(Ear::join(server, &opened.table, seat, &opened.seats[usize::from(seat)].token).await);
    }
    for &(seat, choice) in script {
        ears[usize::from(seat)].choose(choice).await;
        let n = ears[usize::from(seat)].known.n;
        for ear in &mut ears {
            ear.hear(|known| known.n > n).await;
        }
    }
    [std::mem::take(&mut ears[0].bytes), std::mem::take(&mut ears[1].bytes)]
}

/// [TB23] [TB24] [FR-140]: two matches that differ only in what Bo answers look the same to Ann until all have answered; and
/// while Ann is still asked, Bo acts and Ann sees that he has.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_given_at_the_same_time_cannot_be_told_from_another() {
    let server = Running::start().await;
    let rock = captured(&server, "rock-paper-scissors", &[(1, 0)]).await;
    let paper = captured(&server, "rock-paper-scissors", &[(1, 1)]).await;
    assert_eq!(rock[0], paper[0]);
    assert_ne!(rock[1], paper[1], "Bo is told what he chose");
    assert!(rock[0].len() > 1, "Ann is told that Bo has chosen");
}

/// [TB23]
#[tokio::test(flavor = "multi_thread")]
async fn where_ships_lie_cannot_be_told_from_the_bytes_of_the_other_sea() {
    let server = Running::start().await;
    // Ann places her ships in the same way, Bo in two ways.
    let script = |bo: [usize; 2]| bo.into_iter().flat_map(|choice| [(0, 0), (1, choice)]).collect::<Vec<_>>();
    let one = captured(&server, "battleships", &script([0, 3])).await;
    let other = captured(&server, "battleships", &script([7, 11])).await;
    assert_eq!(one[0], other[0]);
    assert_ne!(one[1], other[1]);
}

/// [TB23]: East and South have exchanged a card of one suit. North hears the same from the deal to the end of a trick in
/// which neither of them plays it.
#[tokio::test(flavor = "multi_thread")]
async fn who_holds_a_card_of_whist_cannot_be_told_from_the_bytes_of_another_hand() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("whist", 4)).await;
    let one = Kept::of(&server, &opened.table, 4).await;
    // Draws of a shuffle are places in what is left; exchanging two cards exchanges what East and South are dealt.
    let (exchange, led) = exchanged(&one);
    let mut bytes = Vec::new();
    for kept in [one, exchange] {
        let mut ears = kept.again(&server).await;
        for seat in 0..4 {
            let words = led[seat].clone();
            ears[seat].play(&words).await;
            let step = ears[seat].known.step;
            for ear in &mut ears {
                ear.hear(|known| known.step > step).await;
            }
        }
        bytes.push(ears.into_iter().map(|ear| ear.bytes).collect::<Vec<_>>());
    }
    assert_eq!(bytes[0][0], bytes[1][0], "North");
    assert_eq!(bytes[0][3], bytes[1][3], "West");
    assert_ne!(bytes[0][1], bytes[1][1], "East");
    assert_ne!(bytes[0][2], bytes[1][2], "South");
}

/// The cards of a deal, by the numbers drawn: the last is exchanged with the one drawn, and so on downwards.
fn dealt(draws: &[usize]) -> Vec<usize> {
    let mut cards: Vec<usize> = (0..=draws.len()).collect();
    for (at, &drawn) in draws.iter().enumerate() {
        cards.swap(draws.len() - at, drawn);
    }
    cards
}

/// What must be drawn for that deal.
fn draws_of(dealt: &[usize]) -> Vec<usize> {
    let mut cards: Vec<usize> = (0..dealt.len()).collect();
    let mut draws = Vec::new();
    for at in (1..dealt.len()).rev() {
        let drawn = cards.iter().position(|&card| card == dealt[at]).unwrap();
        cards.swap(at, drawn);
        draws.push(drawn);
    }
    draws
}

/// The same table with one card of East and one of South of the same suit exchanged, and what all four can play to a trick in
/// either.
fn exchanged(one: &Kept) -> (Kept, [String; 4]) {
    let mut other = Kept { about: one.about.clone(), log: one.log.clone(), n_seats: one.n_seats };
    let draws: Vec<usize> = other
        .draws()
        .map(|entry| entry.body.split("R ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap())
        .collect();
    let mut cards = dealt(&draws);
    assert_eq!(draws_of(&cards), draws);
    // From the top of the deck in turn.
    let seat_of = |place: usize| (cards.len() - 1 - place) % 4;
    let hand = |seat: usize| -> Vec<usize> { (0..52).filter(|&place| seat_of(place) == seat).collect() };
    let suit = |place: usize| cards[place] / 13;
    let words = |place: usize| {
        let face = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"][cards[place] % 13];
        format!("{} {face}", ["♣", "♦", "♥", "♠"][suit(place)])
    };
    // A suit that all follow, and of which East and South have one more each to exchange.
    let lead = (0..4).find(|&lead| {
        let n = |seat: usize| hand(seat).into_iter().filter(|&place| suit(place) == lead).count();
        n(0) > 0 && n(1) > 1 && n(2) > 1 && n(3) > 0
    });
    let lead = lead.expect("some suit is spread over all hands");
    let of = |seat: usize| hand(seat).into_iter().filter(|&place| suit(place) == lead).collect::<Vec<_>>();
    let led = [0, 1, 2, 3].map(|seat| words(of(seat)[0]));
    let (east, south) = (of(1)[1], of(2)[1]);
    cards.swap(east, south);
    for (entry, drawn) in other.draws().zip(draws_of(&cards)) {
        entry.body = format!("{{\"is\":\"line\",\"line\":\"R {drawn} - {drawn}\"}}");
    }
    (other, led)
}

/// [TB23] [FR-155]: a market that all see, and plans that nobody else does.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_of_salt_road_cannot_be_told_from_the_bytes_of_another_traveller() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("salt-road", 3)).await;
    let one = Kept::of(&server, &opened.table, 3).await;
    let mut bytes = Vec::new();
    // The caravans start at the same places; then the second plans one thing or another.
    for plan in [0, 1] {
        let mut ears = one.again(&server).await;
        for seat in 0..3 {
            ears[seat].choose(0).await;
            let n = ears[seat].known.n;
            for ear in &mut ears {
                ear.hear(|known| known.n > n).await;
            }
        }
        ears[0].hear(|known| !known.choices(0).is_empty()).await;
        ears[1].choose(plan).await;
        let n = ears[1].known.n;
        for ear in &mut ears {
            ear.hear(|known| known.n > n).await;
        }
        bytes.push(ears.into_iter().map(|ear| ear.bytes).collect::<Vec<_>>());
    }
    for (seat, differs) in [(0, false), (1, true), (2, false)] {
        assert_eq!(bytes[0][seat] != bytes[1][seat], differs, "seat {seat}");
        assert!(bytes[0][seat].len() > 4, "seat {seat} hears of caravans and plans: {:?}", bytes[0][seat]);
    }
}
