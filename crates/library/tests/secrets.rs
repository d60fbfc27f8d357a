//! A view is unchanged when only hidden things differ: two matches that differ in nothing but a secret look the same
//! to whoever may not know it, in every word that reaches them.

#[allow(dead_code, reason = "each test file needs some of it")]
mod common;

use common::small;
use houserules_kernel::{Choice, Generator, Position, Refusal, Rulebook, SeatId, Shown, View, Viewer, Who};
use houserules_library::{Game, Options, find};

const ANN: SeatId = SeatId(0);
const BO: SeatId = SeatId(1);

/// All that reaches a seat.
#[derive(PartialEq, Debug)]
struct Known {
    view: View,
    public: View,
    prompt: String,
    said: Vec<String>,
    offers: Vec<(String, Option<Refusal>)>,
}

fn known(position: &mut dyn Position, seat: SeatId) -> Known {
    Known {
        view: position.view(Viewer::Seat(seat)),
        public: position.view(Viewer::Public),
        prompt: position.prompt(),
        said: position.said(Viewer::Seat(seat)),
        offers: position.offers(seat).into_iter().map(|offer| (offer.words, offer.refused)).collect(),
    }
}

fn game(name: &str, settings: &[(&str, &str)]) -> Game {
    let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    find(name).unwrap().compile(&Options { settings, ..small(name) }).unwrap()
}

fn random(position: &mut dyn Position, seat: SeatId, generator: &mut Generator) -> Choice {
    let mut choices = position.choices(Who::Seat(seat));
    choices.swap_remove(generator.below(choices.len() as u64) as usize)
}

/// Whoever answers first in rock-paper-scissors, the other learns nothing.
#[test]
fn a_hand_is_not_seen_before_both_have_chosen() {
    let game = game("rock-paper-scissors", &[]);
    for (first, second) in [(ANN, BO), (BO, ANN)] {
        let mut position = game.open().unwrap();
        let mut heard = Vec::new();
        for choice in position.choices(Who::Seat(first)) {
            position.play(Who::Seat(first), &choice).unwrap();
            heard.push(known(&mut *position, second));
            position.undo();
        }
        assert_eq!(heard.len(), 3);
        assert!(heard.windows(2).all(|pair| pair[0] == pair[1]), "{heard:#?}");
    }
}

/// Bo places one fleet or another: nothing tells Ann, nor do shots that both fleets answer alike.
#[test]
fn a_fleet_is_not_seen_before_it_is_hit() {
    let mut n_shots = 0;
    for (settings, seeds) in [(&[("size", "4")][..], 0..20), (&[], 0..3)] {
        let game = game("battleships", settings);
        for seed in seeds {
            let (mut one, mut two) = (game.open().unwrap(), game.open().unwrap());
            let mut generators = [1, 2].map(|fleet| Generator::new(100 * seed + fleet));
            let mut generator = Generator::new(seed);
            while one.decision().open_to().len() == 2 {
                let own = random(&mut *one, ANN, &mut generator);
                for (position, secret) in [&mut one, &mut two].into_iter().zip(&mut generators) {
                    let other = random(&mut **position, BO, secret);
                    position.play(Who::Seat(BO), &other).unwrap();
                    position.play(Who::Seat(ANN), &own).unwrap();
                }
                assert_eq!(known(&mut *one, ANN), known(&mut *two, ANN), "seed {seed}");
            }
            assert_ne!(one.view(Viewer::All), two.view(Viewer::All), "seed {seed}: the fleets should differ");
            for _ in 0..6 {
                let harmless = |position: &mut dyn Position| water(position, BO);
                let (here, there) = (harmless(&mut *one), harmless(&mut *two));
                let shots = one.choices(Who::Seat(ANN));
                let shot = shots.into_iter().find(|choice| {
                    // A shot is told without whose sea it goes to.
                    let at = format!("Bo {}", one.words(Who::Seat(ANN), choice));
                    here.contains(&at) && there.contains(&at)
                });
                let Some(shot) = shot else { break };
                for position in [&mut one, &mut two] {
                    position.play(Who::Seat(ANN), &shot).unwrap();
                }
                assert_eq!(known(&mut *one, ANN), known(&mut *two, ANN), "seed {seed}");
                let answer = random(&mut *one, BO, &mut generator);
                for position in [&mut one, &mut two] {
                    position.play(Who::Seat(BO), &answer).unwrap();
                }
                assert_eq!(known(&mut *one, ANN), known(&mut *two, ANN), "seed {seed}");
                n_shots += 1;
            }
        }
    }
    assert!(n_shots > 20, "only {n_shots} shots were alike");
}

/// The cells of a player's sea without a ship.
fn water(position: &mut dyn Position, owner: SeatId) -> Vec<String> {
    let view = position.view(Viewer::All);
    let sea = view.boards.iter().find(|board| board.owner == Some(owner)).unwrap();
    let empty = |properties: &[(String, Shown)]| {
        properties.iter().any(|(name, shown)| name == "ship" && *shown == Shown::Value("nil".into()))
    };
    sea.cells.iter().filter(|cell| empty(&cell.properties)).map(|cell| cell.name.clone()).collect()
}

/// Deals that give North the same cards look the same to North, however the others' cards lie.
#[test]
fn the_cards_of_others_are_not_seen() {
    let north = SeatId(0);
    let game = game("whist", &[]);
    let mut n_pairs = 0;
    for seed in 0..4 {
        let mut generator = Generator::new(seed);
        let mut position = game.open().unwrap();
        // All but the last cards are shuffled; the rest is tried in every order.
        for _ in 0..48 {
            position.play_random(&mut generator).unwrap();
        }
        let mut deals: Vec<(Vec<String>, View, Known)> = Vec::new();
        every_deal(&mut *position, &mut |position| {
            let all = position.view(Viewer::All);
            let hand = all.things.iter().find(|thing| thing.name == "North hand").unwrap();
            let trump = all.facts[0].properties.iter().filter(|(name, _)| name == "trump");
            let cards = hand.contents.iter().flatten();
            let mut own: Vec<String> = cards.map(|card| card.name.clone()).collect();
            own.extend(trump.map(|(_, shown)| format!("{shown:?}")));
            deals.push((own, all, known(position, north)));
        });
        for (idx, (own, all, heard)) in deals.iter().enumerate() {
            for (other_own, other_all, other_heard) in &deals[..idx] {
                if own == other_own && all != other_all {
                    assert_eq!(heard, other_heard, "seed {seed}");
                    n_pairs += 1;
                }
            }
        }
    }
    assert!(n_pairs > 10, "only {n_pairs} deals were alike");
}

/// Calls `each` for every way that chance can go on until somebody is asked.
fn every_deal(position: &mut dyn Position, each: &mut dyn FnMut(&mut dyn Position)) {
    if position.decision().open_to() != [Who::Nature] {
        return each(position);
    }
    for choice in position.choices(Who::Nature) {
        position.play(Who::Nature, &choice).unwrap();
        every_deal(position, each);
        position.undo();
    }
}
