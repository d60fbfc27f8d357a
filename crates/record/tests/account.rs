//! What happened, in words, for whoever looks: an event is shown to whom it was visible when it happened, with what was
//! visible then.

mod common;

use common::{start, start_with};
use houserules_kernel::{Generator, SeatId, Viewer, Who};
use houserules_record::{Change, Event, Head, Match, Source, Told, begin};

const ANN: Viewer = Viewer::Seat(SeatId(0));
const BO: Viewer = Viewer::Seat(SeatId(1));

fn toy(text: &str) -> Match {
    let found = houserules_library::enclosed("toy", &[("game.gdl".into(), text.into())]);
    begin(&found, Head::default(), Source::Embedded).unwrap_or_else(|message| panic!("{message}"))
}

/// Plays by words, and gives what each viewer is told.
#[track_caller]
fn hear(now: &mut Match, seat: u8, words: &str, viewers: &[Viewer]) -> Vec<Vec<String>> {
    let who = Who::Seat(SeatId(seat));
    let choices = now.choices(who);
    let found = choices.iter().find(|choice| now.look().words(who, choice) == words);
    let Some(choice) = found else {
        let all: Vec<String> = choices.iter().map(|choice| now.look().words(who, choice)).collect();
        panic!("“{words}” is not among {all:?}")
    };
    let event = Event::Play { who, choice: choice.clone(), overruled: false };
    let seats = now.seats();
    let told = now.apply_for(&event, viewers).unwrap();
    told.iter().map(|told| told.iter().filter_map(|told| told.line(&seats)).collect()).collect()
}

const BIDS: &str = r#"
#game "Bids"
#players "Ann" "Bo"
#turns
#property leader
#model player
  #property bid seen by self
#setup
  (var bids (ask seats "How much?" among (list 1 2 3)))
  (foreach p in seats (set (bid of p) to (match p in bids)))
  (set leader to (first (most bid of seats)))
#action knock
#sideeffect "End" on knock (draw)
"#;

/// Whoever answers last would be given away by what follows at once: who leads tells that his bid was the higher one, and
/// nothing more.
#[test]
fn the_last_of_several_secret_answers_stays_secret() {
    for (first, last) in [(0, 1), (1, 0)] {
        let mut now = toy(BIDS);
        let names = ["Ann", "Bo"];
        for seat in [first, last] {
            let told = hear(&mut now, seat, "3", &[ANN, BO, Viewer::Public, Viewer::All]);
            let secret = vec![format!("{} has chosen.", names[usize::from(seat)])];
            let open = vec![format!("{}: 3", names[usize::from(seat)])];
            let other = usize::from(1 - seat);
            assert_eq!(told[other], secret);
            assert_eq!((&told[1 - other], &told[2], &told[3]), (&open, &secret, &open));
        }
    }
}

const BURIED: &str = r#"
#game "Buried"
#players "Ann" "Bo"
#turns
#model card
#model hand
  #contents seen by owner
#model pile
  #contents seen by nobody
#model cell
  #property mine seen by owner
#board cell grid 1 1 named field for each player
#entity hand for each player
#entity pile
#entity "Sun" is card at (hand of Ann)
#entity "Moon" is card at (hand of Bo)
#action bury to card
  (move self to pile)
#law "Only own cards" on bury
  (require (= place (hand of player)))
#action mine to (field of player)
  (set mine to true)
#law "First a card" on mine
  (require (empty of (hand of player)))
#sideeffect "End" on mine (if (= player Bo) (draw))
"#;

/// With nothing else to choose, who sees nothing of it still learns nothing.
#[test]
fn a_forced_secret_stays_secret() {
    let mut now = toy(BURIED);
    assert_eq!(hear(&mut now, 0, "bury Sun", &[ANN, BO]), [["Ann: bury Sun"], ["Ann: bury ?"]]);
    hear(&mut now, 1, "bury Moon", &[]);
    let told = hear(&mut now, 0, "mine Ann a1", &[ANN, BO]);
    assert_eq!(told, [["Ann: mine Ann a1"], ["Ann has chosen."]]);
}

const MARKET: &str = r#"
#game "Market"
#players "Ann" "Bo"
#turns
#model card
#model market
#model deck
  #contents seen by nobody
#entity market
#entity deck
#entity "Sun" is card at market
#entity "Moon" is card at market
#action take to card
  (move self to deck)
#law "Only what lies open" on take
  (require (= place market))
#sideeffect "The rest is swept away" on take
  (move (contents of market) to deck)
  (draw)
"#;

/// Everybody saw which card was taken, although now all lie face down.
#[test]
fn a_public_move_is_told_although_its_piece_ends_face_down() {
    let mut now = toy(MARKET);
    assert_eq!(hear(&mut now, 0, "take Sun", &[BO, Viewer::Public]), [["Ann: take Sun"], ["Ann: take Sun"]]);
}

const TRADE: &str = r#"
#game "Trade"
#players "Ann" "Bo"
#turns
#model player
  #property purse 3 seen by self
#action trade
  (var offered (ask player "What do you offer?" among (list "wood" "stone")))
  (if (= (ask opponent "Do you take it?" among (list "yes" "no")) "yes")
    (increase (purse of player) by 1))
#sideeffect "End" on trade (draw)
"#;

/// Who is to say yes or no hears what is offered, although other things are hidden in this game.
#[test]
fn a_proposal_is_told_to_whom_it_is_made() {
    let mut now = toy(TRADE);
    hear(&mut now, 0, "trade", &[]);
    assert_eq!(hear(&mut now, 0, "wood", &[BO]), [["Ann: wood"]]);
}

/// Deployed ships are never told, shots always; cards are told when they lie open, and shuffles never.
#[test]
fn random_matches_tell_every_viewer_what_lay_open_and_the_same_again_later() {
    for (game, settings, seed) in
        [("battleships", vec![("size", "4")], 1), ("whist", vec![("goal", "1")], 2), ("rock-paper-scissors", vec![], 3)]
    {
        let mut now = start(game, &settings);
        let mut random = Generator::new(seed);
        let mut heard: Vec<Vec<Told>> = Vec::new();
        let mut words: Vec<(Who, String)> = Vec::new();
        for _ in 0..120 {
            let Some(&who) = now.decision().open_to().first() else { break };
            let choices = now.choices(who);
            let choice = choices[random.below(choices.len() as u64) as usize].clone();
            words.push((who, now.look().words(who, &choice)));
            let event = Event::Play { who, choice, overruled: false };
            heard.extend(now.apply_for(&event, &[ANN]).unwrap());
        }
        assert_eq!(now.account(ANN).unwrap(), heard, "{game}");
        for (told, (who, words)) in heard.iter().zip(&words) {
            let Told::Chose { words: told, .. } = &told[0] else { panic!("{told:?}") };
            let secret = match game {
                "battleships" => words.ends_with("north") || words.ends_with("east") || words.contains(' '),
                "whist" => *who == Who::Nature,
                _ => true,
            };
            let own = *who == Who::Seat(SeatId(0));
            assert_eq!(told.as_ref(), (own || !secret).then_some(words), "{game}: {who:?} {words}");
        }
    }
}

/// What is no choice is told to everybody.
#[test]
fn changes_of_rules_are_told() {
    let mut now = start("tic-tac-toe", &[]);
    let rule = now.rules()[0].name.clone();
    let off = Event::Change(Change::Mode { rule: rule.clone(), mode: houserules_model::Mode::Off });
    let told = now.apply_for(&off, &[ANN, Viewer::Public]).unwrap();
    assert_eq!(told, vec![vec![Told::Happened(format!("The rule “{rule}” is off from now on."))]; 2]);
    assert_eq!(now.matter_of_consent(&off), None, "nothing is hidden here");
}

/// A rule typed in the middle could ask what its author may not know; the checker's words stand beside it.
#[test]
fn where_something_is_hidden_a_change_of_rules_is_a_matter_of_consent() {
    let mut now = start("battleships", &[("size", "4")]);
    let peek = Event::Change(Change::Text("#law \"Peek\" on shoot (require ship)".into()));
    let reason = now.matter_of_consent(&peek).unwrap();
    assert!(reason.contains("This law gives a secret away") && reason.contains("(require ship)"), "{reason}");
    let by_hand = Event::Hand { entity: "Bo a1".into(), statements: "(if ship (say \"here\"))".into() };
    assert!(now.matter_of_consent(&by_hand).is_some());
    assert_eq!(now.matter_of_consent(&Event::Undo(1)), None);
}

/// A record tells everything; so it is no secret only where nothing ever was, or when the match is over.
#[test]
fn a_record_keeps_secrets_until_the_match_is_over() {
    assert!(!start("tic-tac-toe", &[]).keeps_secrets());
    let mut now = start_with("rock-paper-scissors", Head::default(), Source::Digest);
    assert!(now.keeps_secrets());
    hear(&mut now, 0, "rock", &[]);
    assert!(now.keeps_secrets());
    hear(&mut now, 1, "paper", &[]);
    assert!(now.decision().is_over() && !now.keeps_secrets());
}
