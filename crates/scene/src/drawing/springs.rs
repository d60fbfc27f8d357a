//! Where the places of a graph lie when nobody has said so: they push each other away, and lines pull.
//!
//! After Fruchterman and Reingold, "Graph drawing by force-directed placement" (1991), from a fixed beginning, so that
//! the same graph always lies the same way.

use super::cross::Cross;
use crate::Place;
use houserules_kernel::BoardView;

/// A line would like to be so long.
const LENGTH: f64 = 170.0;
/// Rounds of pushing and pulling. Many places get fewer: each round looks at every pair.
const PAIRS: usize = 4_000_000;

/// A way that runs in a circle, with other ways that end in its middle: the circle as a circle, the ways towards the middle,
/// and places that nothing joins around it. None for any other graph.
pub(super) fn circuit(board: &BoardView) -> Option<(Vec<Place>, Option<Cross>)> {
    const FEWEST: usize = 12;
    const APART: f64 = 104.0;
    let n = board.cells.len();
    // A circle with ways that end has no more links than places, told from one end or from both.
    if n < FEWEST || board.cells.iter().map(|cell| cell.linked.len()).sum::<usize>() > 2 * n {
        return None;
    }
    let mut linked: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (one, cell) in board.cells.iter().enumerate() {
        for other in cell.linked.iter().map(|link| link.to as usize).filter(|other| *other < n && *other != one) {
            for (one, other) in [(one, other), (other, one)] {
                if !linked[one].contains(&other) {
                    linked[one].push(other);
                }
            }
        }
    }
    // What is left when ends are taken away, again and again.
    let mut degree: Vec<usize> = linked.iter().map(Vec::len).collect();
    let mut ends: Vec<usize> = (0..n).filter(|place| degree[*place] == 1).collect();
    let mut is_inner: Vec<bool> = degree.iter().map(|degree| *degree > 0).collect();
    while let Some(end) = ends.pop() {
        is_inner[end] = false;
        for &next in linked[end].iter().filter(|next| is_inner[**next]) {
            degree[next] -= 1;
            if degree[next] == 1 {
                ends.push(next);
            }
        }
    }
    let first = (0..n).find(|place| is_inner[*place])?;
    let around = |place: usize| linked[place].iter().copied().filter(|next| is_inner[*next]);
    let mut way = vec![first];
    while let Some(next) = {
        let last = *way.last()?;
        // Along the links as they were written, if there is a choice.
        let ahead = |next: &usize| board.cells[last].linked.iter().any(|link| link.to as usize == *next);
        let fresh = |next: &usize| !way.contains(next);
        around(last).filter(fresh).find(ahead).or_else(|| around(last).find(fresh))
    } {
        way.push(next);
    }
    let is_circle = way.len() == is_inner.iter().filter(|inner| **inner).count()
        && way.iter().all(|place| around(*place).count() == 2);
    if way.len() < FEWEST || !is_circle {
        return None;
    }
    if let Some((places, cross)) = across(&way, &linked) {
        return Some((places, Some(cross)));
    }
    let radius = APART * way.len() as f64 / std::f64::consts::TAU;
    let at = |angle: f64, away: f64| {
        let round = |along: f64| libm::round(along) as i32;
        Place::new(round(-away * libm::sin(angle)), round(away * libm::cos(angle)))
    };
    let step = std::f64::consts::TAU / way.len() as f64;
    let mut places: Vec<Option<Place>> = vec![None; n];
    for (idx, place) in way.iter().enumerate() {
        places[*place] = Some(at(step * (idx as f64 + 0.5), radius));
    }
    let mut loose = 0;
    for (idx, place) in way.iter().enumerate() {
        let (mut last, mut away) = (*place, radius - APART);
        while let Some(&next) = linked[last].iter().find(|next| places[**next].is_none()) {
            if away < APART {
                return None;
            }
            places[next] = Some(at(step * (idx as f64 + 0.5), away));
            (last, away) = (next, away - APART);
        }
    }
    let n_loose = linked.iter().filter(|linked| linked.is_empty()).count();
    for place in (0..n).filter(|place| linked[*place].is_empty()) {
        let angle = std::f64::consts::TAU * (loose as f64 + 0.5) / n_loose.max(1) as f64;
        places[place] = Some(at(angle, radius + 1.6 * APART));
        loose += 1;
    }
    // A way that forks is no way.
    Some((places.into_iter().collect::<Option<_>>()?, None))
}

/// The circle around a cross, if the ways into its middle begin at the ends of the arms; what nothing joins finds no room.
fn across(way: &[usize], linked: &[Vec<usize>]) -> Option<(Vec<Place>, Cross)> {
    let n = way.len();
    let cross = Cross::around(n)?.with_lanes();
    let quarter = cross.quarter();
    let mut places: Vec<Option<Place>> = vec![None; linked.len()];
    let inner = |place: usize| linked[place].iter().copied().find(|next| !way.contains(next));
    let first = (0..n).find(|&idx| inner(way[idx]).is_some())?;
    let ahead = quarter - 1 - first % quarter;
    for (idx, &place) in way.iter().enumerate() {
        places[place] = Some(cross.field((idx + ahead) % n));
    }
    for (idx, &place) in way.iter().enumerate() {
        let Some(mut next) = inner(place) else { continue };
        if (idx + ahead) % quarter != quarter - 1 {
            return None;
        }
        let lane = ((idx + ahead) % n / quarter + 1) % 4;
        for nth in 0.. {
            if nth >= cross.arm() || places[next].is_some() {
                return None;
            }
            places[next] = Some(cross.lane(lane, nth));
            match linked[next].iter().find(|next| places[**next].is_none()) {
                Some(&further) => next = further,
                None => break,
            }
        }
    }
    Some((places.into_iter().collect::<Option<_>>()?, cross))
}

pub(super) fn layout(board: &BoardView) -> Vec<Place> {
    let n = board.cells.len();
    let turn = |idx: usize| std::f64::consts::TAU * idx as f64 / n.max(1) as f64;
    let radius = LENGTH * n as f64 / 6.0;
    let mut at: Vec<(f64, f64)> =
        (0..n).map(|idx| (radius * libm::cos(turn(idx)), radius * libm::sin(turn(idx)))).collect();
    let rounds = (PAIRS / (n * n).max(1)).clamp(1, 300);
    for round in 0..rounds {
        let heat = LENGTH * (1.0 - round as f64 / rounds as f64);
        let mut push = vec![(0.0, 0.0); n];
        for one in 0..n {
            for other in 0..n {
                if one != other {
                    let (x, y) = (at[one].0 - at[other].0, at[one].1 - at[other].1);
                    let away = (x * x + y * y).max(1.0);
                    push[one].0 += x / away * LENGTH * LENGTH;
                    push[one].1 += y / away * LENGTH * LENGTH;
                }
            }
            for other in board.cells[one].linked.iter().map(|link| link.to) {
                let Some(&other) = at.get(other as usize) else { continue };
                let (x, y) = (at[one].0 - other.0, at[one].1 - other.1);
                let away = libm::sqrt(x * x + y * y);
                push[one].0 -= x * away / LENGTH;
                push[one].1 -= y * away / LENGTH;
            }
        }
        for (at, push) in at.iter_mut().zip(&push) {
            let strength = libm::sqrt(push.0 * push.0 + push.1 * push.1).max(1.0);
            let step = strength.min(heat) / strength;
            *at = (at.0 + push.0 * step, at.1 + push.1 * step);
        }
    }
    // They push each other further away the more they are: lines are brought back to the length they would like.
    let lines = || {
        board
            .cells
            .iter()
            .enumerate()
            .flat_map(|(one, cell)| cell.linked.iter().map(move |link| (one, link.to as usize)))
    };
    let length = |(one, other): (usize, usize)| {
        let (x, y) = (at[one].0 - at.get(other)?.0, at[one].1 - at[other].1);
        Some(libm::sqrt(x * x + y * y))
    };
    let (n_lines, total) = lines().filter_map(length).fold((0, 0.0), |(n, total), length| (n + 1, total + length));
    let shorter = if n_lines > 0 && total > 0.0 { (LENGTH * f64::from(n_lines) / total).min(1.0) } else { 1.0 };
    at.iter_mut().for_each(|at| *at = (at.0 * shorter, at.1 * shorter));
    // Parts that nothing joins would drift apart for ever.
    let most = LENGTH * libm::sqrt(n as f64) * 3.0;
    let snap = |along: f64| (libm::round(along.clamp(-most, most) / 8.0) * 8.0) as i32;
    at.into_iter().map(|(x, y)| Place::new(snap(x), snap(y))).collect()
}
