//! Where the places of a graph lie when nobody has said so: they push each other away, and lines pull.
//!
//! After Fruchterman and Reingold, "Graph drawing by force-directed placement" (1991), from a fixed beginning, so that
//! the same graph always lies the same way.

use crate::Place;
use houserules_kernel::BoardView;

/// A line would like to be so long.
const LENGTH: f64 = 170.0;
/// Rounds of pushing and pulling. Many places get fewer: each round looks at every pair.
const PAIRS: usize = 4_000_000;

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
            for &other in &board.cells[one].linked {
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
    let lines =
        || board.cells.iter().enumerate().flat_map(|(one, cell)| cell.linked.iter().map(move |&to| (one, to as usize)));
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
