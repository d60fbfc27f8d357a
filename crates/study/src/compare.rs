use serde::Serialize;

use crate::figure::{Figure, NINETY_FIVE};
use crate::summary::Summary;

/// One variant beside another.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    pub base: String,
    pub other: String,
    pub differences: Vec<Difference>,
    /// At how many decisions each rule refuses something that both have, by its name; corrected by themselves.
    pub rules: Vec<Difference>,
}

/// How much a figure differs, and whether that is more than noise.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    pub key: String,
    pub title: String,
    /// The other's figure less the base's.
    pub difference: f64,
    /// With 95 in 100 the true difference lies within this much.
    pub error: f64,
    /// How likely a difference as large as this comes about by chance alone, corrected for the number of figures that are
    /// compared (Holm, 1979): among many figures some always look remarkable.
    pub p: f64,
    pub more_than_noise: bool,
}

/// A difference less likely by chance than this counts.
const REMARKABLE: f64 = 0.05;

/// Compares two variants figure by figure; what only one of them has is left out.
pub fn compare(base: &Summary, other: &Summary) -> Comparison {
    let mut differences: Vec<Difference> = base
        .figures
        .iter()
        .filter_map(|figure| Some((figure, other.figures.iter().find(|known| known.key == figure.key)?)))
        .map(|(one, other)| difference(one, other))
        .collect();
    let refuses = |summary: &Summary, name: &str| {
        let rule = summary.rules.iter().find(|rule| rule.name == name);
        rule.map(|rule| Figure { key: name.into(), ..rule.refused_at.clone() })
    };
    let mut rules: Vec<Difference> = base
        .rules
        .iter()
        .filter_map(|rule| Some((refuses(base, &rule.name)?, refuses(other, &rule.name)?)))
        .filter(|(one, other)| one.mean > 0.0 || other.mean > 0.0)
        .map(|(one, other)| difference(&one, &other))
        .collect();
    correct(&mut differences);
    correct(&mut rules);
    Comparison { base: base.label.clone(), other: other.label.clone(), differences, rules }
}

/// Holm's correction, and what is more than noise after it.
fn correct(differences: &mut [Difference]) {
    let mut order: Vec<usize> = (0..differences.len()).collect();
    order.sort_by(|&one, &other| differences[one].p.total_cmp(&differences[other].p));
    let mut highest: f64 = 0.0;
    for (rank, &idx) in order.iter().enumerate() {
        highest = highest.max(differences[idx].p * (differences.len() - rank) as f64).min(1.0);
        differences[idx].p = highest;
        differences[idx].more_than_noise = highest < REMARKABLE;
    }
}

/// Welch's test (1947), with the normal distribution: matches are many.
fn difference(one: &Figure, other: &Figure) -> Difference {
    let difference = other.mean - one.mean;
    // A share that was never seen has no variance of its own; as much as one match more would make is assumed.
    let floor = |figure: &Figure| match figure.kind {
        crate::Kind::Share => figure.variance.max(1.0 / (figure.n as f64 + 1.0)),
        crate::Kind::Part | crate::Kind::Mean => figure.variance,
    };
    let error = (floor(one) / one.n as f64 + floor(other) / other.n as f64).sqrt();
    let p = match (difference == 0.0, error > 0.0) {
        (true, _) => 1.0,
        (false, true) => libm::erfc((difference / error).abs() / std::f64::consts::SQRT_2),
        (false, false) => 0.0,
    };
    Difference {
        key: one.key.clone(),
        title: one.title.clone(),
        difference,
        error: NINETY_FIVE * error,
        p,
        more_than_noise: false,
    }
}
