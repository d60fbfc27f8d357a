//! What can be chosen in games with shuffled stacks, walls and chains of jumps, found a second time by hand from what lies
//! on the table.
//!
//! Counts of positions say nothing where a match begins with a shuffled stack; here every decision of random matches is
//! compared.

use std::collections::{BTreeMap, BTreeSet};

use houserules_kernel::{Decision, Generator, Rulebook, SeatId, Shown, ThingView, View, Viewer, Who};
use houserules_library::{Options, find};

type Words = BTreeSet<String>;

/// Random matches, in which every seat that is asked can choose exactly what `expected` says.
fn compare(name: &str, options: &Options, matches: u64, expected: fn(&View, usize) -> Words) {
    let game = find(name).unwrap().compile(options).unwrap();
    let mut n_compared = 0;
    for seed in 0..matches {
        let (mut position, mut generator) = (game.open().unwrap(), Generator::new(seed));
        for number in 0..150 {
            if let Decision::Seats { asked, .. } = position.decision() {
                let view = position.view(Viewer::All);
                for SeatId(seat) in asked {
                    let who = Who::Seat(SeatId(seat));
                    let choices = position.choices(who);
                    let found: Words = choices.iter().map(|choice| position.words(who, choice)).collect();
                    assert_eq!(found, expected(&view, seat.into()), "{name}, seed {seed}, decision {number}");
                    assert_eq!(found.len(), choices.len(), "{name}, seed {seed}, decision {number}");
                    n_compared += 1;
                }
            }
            if position.is_over() {
                break;
            }
            position.play_random(&mut generator).unwrap();
        }
    }
    assert!(n_compared > 50, "{name}: only {n_compared} decisions");
}

fn set(name: &str, value: &str) -> Options {
    Options { settings: vec![(name.into(), value.into())], ..Options::default() }
}

fn value<'a>(thing: &'a ThingView, property: &str) -> Option<&'a str> {
    let (_, shown) = thing.properties.iter().find(|(name, _)| name == property)?;
    match shown {
        Shown::Value(value) if value != "nil" => Some(value),
        _ => None,
    }
}

fn fact<'a>(view: &'a View, name: &str, property: &str) -> Option<&'a str> {
    view.facts.iter().filter(|fact| fact.kind == name || fact.name == name).find_map(|fact| value(fact, property))
}

fn number(view: &View, name: &str, property: &str) -> i32 {
    fact(view, name, property).map_or(0, |value| value.parse().unwrap())
}

/// The players in the order of their seats.
fn seats(view: &View) -> Vec<&ThingView> {
    view.facts.iter().filter(|fact| fact.kind == "player").collect()
}

fn contents<'a>(view: &'a View, name: &str) -> &'a [ThingView] {
    let thing = view.things.iter().find(|thing| thing.name == name);
    thing.and_then(|thing| thing.contents.as_deref()).unwrap_or_default()
}

fn written(thing: &ThingView) -> String {
    thing.look.iter().find(|(attribute, _)| attribute == "text").unwrap().1.clone()
}

/// Cells by where they lie, with their names.
fn cells(view: &View) -> BTreeMap<(i32, i32), &str> {
    view.boards[0].cells.iter().map(|cell| (cell.at, &*cell.name)).collect()
}

#[test]
fn pegs_step_and_jump_as_far_as_they_can() {
    fn expected(view: &View, seat: usize) -> Words {
        const AROUND: [(i32, i32); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
        let names = cells(view);
        let pegs: BTreeMap<(i32, i32), usize> = view.boards[0]
            .cells
            .iter()
            .filter_map(|cell| Some((cell.at, usize::from(cell.mark.seat?.0))))
            .filter(|(at, _)| view.boards[0].cells.iter().any(|cell| cell.at == *at && cell.count == Some(1)))
            .collect();
        let free =
            |at: (i32, i32), from: (i32, i32)| names.contains_key(&at) && (at == from || !pegs.contains_key(&at));
        let three = seats(view).len() == 3;
        let arrived = |(column, row): (i32, i32)| match if three { [0, 3, 5][seat] } else { seat } {
            0 => row > 13,
            1 => row < 5,
            2 => column < 5,
            3 => column > 13,
            4 => column + row > 22,
            _ => column + row < 14,
        };
        let mut words = Words::new();
        for (&from, _) in pegs.iter().filter(|(_, owner)| **owner == seat) {
            let mut reached: BTreeSet<(i32, i32)> = [from].into();
            let mut open = vec![from];
            while let Some((column, row)) = open.pop() {
                for (east, north) in AROUND {
                    let (over, to) = ((column + east, row + north), (column + 2 * east, row + 2 * north));
                    if over != from && pegs.contains_key(&over) && free(to, from) && reached.insert(to) {
                        open.push(to);
                    }
                }
            }
            reached.extend(AROUND.map(|(east, north)| (from.0 + east, from.1 + north)));
            reached.retain(|&to| to != from && free(to, from) && (arrived(to) || !arrived(from)));
            words.extend(reached.iter().map(|to| format!("{}-{}", names[&from], names[to])));
        }
        words
    }
    compare("star-halma", &Options::default(), 1, expected);
    compare("star-halma", &Options { seats: Some(3), ..Options::default() }, 1, expected);
}

#[test]
fn hedges_bar_the_way_and_shut_nobody_in() {
    type Edge = BTreeSet<(i32, i32)>;
    fn expected(view: &View, seat: usize) -> Words {
        let names = cells(view);
        let at = |name: &str| *names.iter().find(|(_, known)| **known == name).unwrap().0;
        let size = names.keys().map(|(column, _)| *column).max().unwrap();
        let mut hedges: BTreeSet<Edge> = BTreeSet::new();
        let mut begun: Vec<Edge> = Vec::new();
        let mut gaps: Vec<(&str, Edge)> = Vec::new();
        for gap in view.things.iter().filter(|thing| thing.kind == "gap") {
            let (one, other) = gap.name.split_once('-').unwrap();
            let edge: Edge = [at(one), at(other)].into();
            if value(gap, "hedge").is_some() {
                hedges.insert(edge.clone());
            }
            if value(gap, "begins").is_some() {
                begun.push(edge.clone());
            }
            gaps.push((&gap.name, edge));
        }
        let near = |from: (i32, i32), hedges: &BTreeSet<Edge>| -> Vec<(i32, i32)> {
            [(0, 1), (1, 0), (0, -1), (-1, 0)]
                .map(|(east, north)| (from.0 + east, from.1 + north))
                .into_iter()
                .filter(|to| names.contains_key(to) && !hedges.contains(&Edge::from([from, *to])))
                .collect()
        };
        let pawn = |seat: usize| {
            let there = view.boards[0]
                .cells
                .iter()
                .find(|cell| cell.pieces.iter().flatten().any(|piece| piece.owner == Some(SeatId(seat as u8))));
            there.unwrap().at
        };
        let free = |seat: usize, hedges: &BTreeSet<Edge>| {
            let mut reached: BTreeSet<(i32, i32)> = [pawn(seat)].into();
            let mut open = vec![pawn(seat)];
            while let Some(from) = open.pop() {
                open.extend(near(from, hedges).into_iter().filter(|to| reached.insert(*to)));
            }
            reached.iter().any(|(_, row)| *row == if seat == 0 { size } else { 1 })
        };
        let (own, other) = (pawn(seat), pawn(1 - seat));
        let mut targets = BTreeSet::new();
        for to in near(own, &hedges) {
            let behind = (2 * to.0 - own.0, 2 * to.1 - own.1);
            match near(other, &hedges) {
                _ if to != other => targets.extend([to]),
                beyond if beyond.contains(&behind) => targets.extend([behind]),
                beyond => targets.extend(beyond.into_iter().filter(|beside| *beside != own)),
            }
        }
        let mut words: Words = targets.iter().map(|to| format!("{}-{}", names[&own], names[to])).collect();
        if number(view, ["White", "Black"][seat], "left") == 0 {
            return words;
        }
        let shifted = |edge: &Edge, (east, north): (i32, i32)| -> Edge {
            edge.iter().map(|(column, row)| (column + east, row + north)).collect()
        };
        for (name, edge) in gaps {
            let low = *edge.first().unwrap();
            let flat = edge.iter().all(|(column, _)| *column == low.0);
            let along = if flat { (1, 0) } else { (0, 1) };
            let second = shifted(&edge, along);
            // The gap where a hedge would begin that crosses this one in its middle.
            let crossing: Edge = [low, (low.0 + along.0, low.1 + along.1)].into();
            let mut planted = hedges.clone();
            let fits = second.iter().all(|to| names.contains_key(to))
                && planted.insert(edge)
                && planted.insert(second)
                && !begun.contains(&crossing);
            if fits && free(0, &planted) && free(1, &planted) {
                words.insert(format!("hedge {name}"));
            }
        }
        words
    }
    let small = |size: &str, hedges: &str| Options {
        settings: vec![("size".into(), size.into()), ("hedges".into(), hedges.into())],
        ..Options::default()
    };
    compare("hedges", &small("4", "3"), 4, expected);
    compare("hedges", &small("5", "6"), 2, expected);
}

#[test]
fn tiles_fit_their_neighbours_on_every_side() {
    const SIGNS: [&str; 16] = ["·", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"];
    const SIDES: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    fn expected(view: &View, _: usize) -> Words {
        let exits = |sign: String| SIGNS.iter().position(|known| *known == sign).unwrap();
        let laid: BTreeMap<(i32, i32), usize> = view.boards[0]
            .cells
            .iter()
            .filter_map(|cell| Some((cell.at, exits(written(cell.pieces.as_ref()?.first()?)))))
            .collect();
        let tile = exits(written(&contents(view, "next-up")[0]));
        let turned = |n: usize| (tile << n | tile >> (4 - n)) & 15;
        let mut words = Words::new();
        for (at, name) in cells(view).into_iter().filter(|(at, _)| !laid.contains_key(at)) {
            let beside = |side: usize| laid.get(&(at.0 + SIDES[side].0, at.1 + SIDES[side].1));
            if (0..4).all(|side| beside(side).is_none()) {
                continue;
            }
            for lies in (0..4).map(turned) {
                let meets = |side: usize, other: usize| (lies >> side & 1) == (other >> ((side + 2) % 4) & 1);
                if (0..4).all(|side| beside(side).is_none_or(|&other| meets(side, other))) {
                    words.insert(format!("{name} {}", SIGNS[lies]));
                }
            }
        }
        words
    }
    compare("cobbles", &Options::default(), 8, expected);
    // So small that tiles are put away because they fit nowhere.
    compare("cobbles", &set("size", "3"), 20, expected);
}

#[test]
fn cards_follow_suit_and_hearts_wait() {
    fn expected(view: &View, seat: usize) -> Words {
        let suit = |card: &str| card.split(' ').next().unwrap().to_owned();
        let counts = |card: &str| suit(card) == "♥" || card == "♠ Q";
        let player = &seats(view)[seat].name;
        let hand: Vec<&str> = contents(view, &format!("{player} hand")).iter().map(|card| &*card.name).collect();
        let first = number(view, "game", "tricks") == 0;
        let mut allowed = hand.clone();
        match contents(view, "table").first() {
            Some(led) if hand.iter().any(|card| suit(card) == suit(&led.name)) => {
                allowed.retain(|card| suit(card) == suit(&led.name));
            }
            Some(_) => {}
            None if first => allowed.retain(|card| *card == "♣ 2"),
            None => {
                let seen = ["North pile", "East pile", "South pile", "West pile"].map(|pile| contents(view, pile));
                let broken = seen.into_iter().flatten().any(|card| suit(&card.name) == "♥");
                if !broken && hand.iter().any(|card| suit(card) != "♥") {
                    allowed.retain(|card| suit(card) != "♥");
                }
            }
        }
        if first && hand.iter().any(|card| !counts(card)) {
            allowed.retain(|card| !counts(card));
        }
        allowed.into_iter().map(str::to_owned).collect()
    }
    let without_passing = Options { variants: vec!["without passing".into()], ..set("limit", "30") };
    compare("hearts", &without_passing, 4, expected);
}

/// In the first deal to the next player, in the fourth to nobody; passing changes hands and nothing else.
#[test]
fn three_cards_are_passed_on() {
    let game = find("hearts").unwrap().compile(&set("limit", "200")).unwrap();
    let (mut position, mut generator) = (game.open().unwrap(), Generator::new(1));
    let mut n_passed = [0; 5];
    let mut passed: Vec<Words> = vec![Words::new(); 4];
    while !position.is_over() {
        let view = position.view(Viewer::All);
        let deal = number(&view, "game", "deal") as usize;
        if deal > 4 {
            break;
        }
        if let Decision::Seats { asked, .. } = position.decision() {
            let seat = usize::from(asked[0].0);
            let who = Who::Seat(asked[0]);
            let choice = position.choices(who)[0].clone();
            match position.words(who, &choice).strip_prefix("pass ") {
                Some(card) => {
                    n_passed[deal] += 1;
                    passed[seat].insert(card.to_owned());
                }
                None if passed[0].len() == 3 => {
                    for (giver, cards) in passed.iter_mut().enumerate() {
                        let receiver = (giver + [0, 1, 3, 2][deal]) % 4;
                        let hand = contents(&view, &format!("{} hand", seats(&view)[receiver].name));
                        let held: Words = hand.iter().map(|card| card.name.clone()).collect();
                        assert!(cards.is_subset(&held), "deal {deal}: {cards:?} are not in {held:?}");
                        cards.clear();
                    }
                }
                None => {}
            }
            position.play(who, &choice).unwrap();
        } else {
            position.play_random(&mut generator).unwrap();
        }
    }
    assert_eq!(n_passed, [0, 12, 12, 12, 0]);
}

#[test]
fn spices_are_offered_by_who_has_them() {
    const KINDS: [&str; 5] = ["clove", "ginger", "mace", "pepper", "saffron"];
    fn expected(view: &View, seat: usize) -> Words {
        let players = seats(view);
        let own = &players[seat].name;
        let held = |player: &str, kind: &str| {
            contents(view, &format!("{player} hand")).iter().filter(|card| written(card) == kind).count()
        };
        if let Some(wanted) = fact(view, "game", "wanted") {
            let agrees = (held(own, wanted) > 0).then(|| "agree".to_owned());
            return agrees.into_iter().chain(["refuse".to_owned()]).collect();
        }
        let mut words: Words = ["keep everything".to_owned()].into();
        for kind in KINDS.into_iter().filter(|kind| held(own, kind) > 0) {
            for other in players.iter().filter(|player| player.name != *own) {
                let wanted = KINDS.into_iter().filter(|want| *want != kind);
                words.extend(wanted.map(|want| format!("offer {} {kind} for {want}", other.name)));
            }
            if held(own, kind) > 1 {
                words.insert(format!("sell {kind}"));
            }
        }
        words
    }
    compare("spices", &Options::default(), 6, expected);
    compare("spices", &Options { seats: Some(5), ..Options::default() }, 3, expected);
}
