use std::collections::BTreeMap;

use serde::Serialize;

use crate::examine::Sample;
use crate::figure::{Figure, Kind};
use crate::plan::{Plan, RuleKind};

/// What all matches of one subject say.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    pub label: String,
    pub matches: u64,
    pub seats: Vec<String>,
    pub figures: Vec<Figure>,
    pub rules: Vec<RuleSummary>,
    /// Matches in which rules were switched off one by one.
    pub rule_matches: u64,
    /// Decisions at which refused candidates were looked at.
    pub looked: u64,
    /// How many matches had which length.
    pub lengths: BTreeMap<u64, u64>,
    /// Choices there were on average in each tenth of a match.
    pub branching_by_tenth: Vec<Option<f64>>,
}

/// What all matches say of one rule.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RuleSummary {
    pub name: String,
    /// `law` or `side-effect`.
    pub kind: String,
    /// The share of decisions at which it refused something.
    pub refused_at: Figure,
    /// Candidates it refused at a decision, on average.
    pub refused: Figure,
    /// The share of the matches played again without it in which something was different. None if it cannot be left out.
    pub mattered: Option<Figure>,
    /// It refused nothing and changed nothing.
    pub never: bool,
    /// With 95 in 100 it matters in no larger share of the matches than this, where it never did.
    pub at_most: Option<f64>,
}

impl RuleSummary {
    /// In how many of how many matches it mattered.
    pub fn n_mattered(&self) -> Option<(u64, u64)> {
        self.mattered.as_ref().map(|mattered| ((mattered.mean * mattered.n as f64).round() as u64, mattered.n))
    }
}

/// Puts together what the matches of one subject say; those of others are left aside.
pub fn summarize(plan: &Plan, subject: usize, samples: &[Sample]) -> Summary {
    let studied = &plan.subjects[subject];
    let samples: Vec<&Sample> = samples.iter().filter(|sample| sample.subject == subject).collect();
    let seats = studied.rulebook.seats();
    let share = |yes: bool| if yes { 1.0 } else { 0.0 };
    let each = |measure: &dyn Fn(&Sample) -> Option<f64>| {
        samples.iter().filter_map(|sample| measure(sample)).collect::<Vec<f64>>()
    };
    let mut figures = Vec::new();
    let mut figure = |key: &str, title: &str, kind: Kind, measure: &dyn Fn(&Sample) -> Option<f64>| {
        figures.extend(Figure::of(key, title, kind, each(measure).into_iter()));
    };
    for (seat, name) in seats.iter().enumerate() {
        let title = format!("points of seat {}, {name}", seat + 1);
        figure(&format!("seat_{}", seat + 1), &title, Kind::Share, &|sample| sample.points.get(seat).copied());
    }
    if seats.len() > 1 {
        let fair = 1.0 / seats.len() as f64;
        figure("first_seat_advantage", "first seat's points above a fair share", Kind::Part, &|sample| {
            sample.points.first().map(|points| points - fair)
        });
    }
    figure("draws", "draws", Kind::Share, &|sample| Some(share(sample.drawn)));
    figure("decisive", "matches with a winner", Kind::Share, &|sample| {
        Some(share(!sample.drawn && !sample.points.is_empty()))
    });
    figure("cut", "matches cut because they did not end", Kind::Share, &|sample| Some(share(sample.points.is_empty())));
    figure("stuck", "matches in which nobody could move", Kind::Share, &|sample| Some(share(sample.stuck > 0)));
    figure("length", "choices in a match", Kind::Mean, &|sample| Some(sample.length as f64));
    figure("turns", "turns in a match", Kind::Mean, &|sample| Some(sample.turns as f64));
    figure("branching", "choices to choose from", Kind::Mean, &|sample| Some(sample.branching));
    figure("lead_changes", "changes of the lead in a match", Kind::Mean, &|sample| Some(sample.course.changes.into()));
    figure("drama", "part of the match the winner was behind", Kind::Part, &|sample| sample.course.drama);
    figure("decided", "part of the match after which the winner stayed ahead", Kind::Part, &|sample| {
        sample.course.decided
    });
    let looked: u64 = samples.iter().map(|sample| u64::from(sample.looked)).sum();
    let rule_matches = samples.iter().filter(|sample| sample.mattered.is_some()).count() as u64;
    let mut lengths = BTreeMap::new();
    samples.iter().for_each(|sample| *lengths.entry(sample.length).or_default() += 1);
    let tenth = |tenth: usize| {
        let values: Vec<f64> = each(&|sample| sample.branching_by_tenth.get(tenth).copied().flatten());
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    Summary {
        label: studied.label.clone(),
        matches: samples.len() as u64,
        seats,
        figures,
        rules: studied.rules.iter().map(|rule| summarize_rule(rule, &samples, rule_matches)).collect(),
        rule_matches,
        looked,
        lengths,
        branching_by_tenth: (0..10).map(tenth).collect(),
    }
}

fn summarize_rule(rule: &crate::plan::Rule, samples: &[&Sample], rule_matches: u64) -> RuleSummary {
    let of_matches = |count: fn((u32, u32)) -> u32| -> Vec<(f64, f64)> {
        let refused = |sample: &&Sample| sample.refused.get(&rule.name).map_or(0, |&refused| count(refused));
        samples.iter().map(|sample| (f64::from(refused(sample)), f64::from(sample.looked))).collect()
    };
    let decisions = of_matches(|(decisions, _)| decisions);
    let candidates = of_matches(|(_, candidates)| candidates);
    let refused_at = Figure::ratio("refused_at", "decisions at which it refused something", Kind::Share, &decisions);
    let refused = Figure::ratio("refused", "candidates it refused at a decision", Kind::Mean, &candidates);
    let tried = samples.iter().filter_map(|sample| sample.mattered.as_ref()?.get(&rule.name));
    let tried = tried.map(|&mattered| f64::from(u8::from(mattered)));
    let mattered = Figure::of("mattered", "matches in which it mattered", Kind::Share, tried);
    let mattered = mattered.filter(|_| rule.without.is_some());
    let never = refused.mean == 0.0 && mattered.as_ref().is_some_and(|mattered| mattered.mean == 0.0);
    RuleSummary {
        name: rule.name.clone(),
        kind: match rule.kind {
            RuleKind::Law => "law".into(),
            RuleKind::SideEffect => "side-effect".into(),
        },
        refused_at,
        refused,
        mattered,
        never,
        // The rule of three: what was not seen in n tries is rarer than 3/n.
        at_most: never.then(|| (3.0 / rule_matches as f64).min(1.0)),
    }
}
