use std::collections::BTreeMap;

use houserules_arena::crew::seed_of;
use houserules_arena::{Referee, Step, Watcher};
use houserules_kernel::{
    Choice, Decision, Generator, Outcome, Position, QuestionKind, Refusal, RefusalKind, SeatId, Standing, Who,
};
use serde::{Deserialize, Serialize};

use crate::lead::{Basis, Course, course};
use crate::matters;
use crate::plan::{Plan, Subject};

/// What is learned from one match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// Which of the subjects, and which of its matches.
    pub subject: usize,
    pub number: u64,
    /// The share of each seat in the point that there is to win; empty if the match was cut.
    pub points: Vec<f64>,
    /// Nobody won.
    pub drawn: bool,
    /// Choices of seats.
    pub length: u64,
    pub turns: u64,
    /// Choices there were on average where an action was asked for, over the whole match and over each tenth of it.
    pub branching: f64,
    pub branching_by_tenth: Vec<Option<f64>>,
    /// Times nobody could choose anything.
    pub stuck: u32,
    pub course: Course,
    /// Decisions at which refused candidates were looked at.
    pub looked: u32,
    /// By law: decisions at which it refused something, and candidates it refused.
    pub refused: BTreeMap<String, (u32, u32)>,
    /// By rule: whether the match would have been another one without it. None where that was not tried.
    pub mattered: Option<BTreeMap<String, bool>>,
}

/// Refused candidates are looked at in one of so many decisions; listing them is dear.
const LOOK_EVERY: u64 = 4;
/// And more seldom where there are many: so many candidates cost one look more.
const DEAR: usize = 300;
/// Moments of a match at which it is asked who is ahead.
const MOMENTS: usize = 20;
const FEWER_MOMENTS: usize = 10;

/// Plays one match of a subject and looks at it closely. It follows from the plan and its number alone.
pub(crate) fn examine(plan: &Plan, subject: usize, number: u64) -> Result<Sample, Refusal> {
    let studied = &plan.subjects[subject];
    // The same seeds for all subjects: what differs then is the rules.
    let seed = |lane: u64| seed_of(plan.seed, lane, number);
    let n_seats = studied.rulebook.seats().len();
    let seating = plan.seating(n_seats, number).into_iter().enumerate();
    let mut players: Vec<_> = seating.map(|(seat, player)| plan.player(player, seed(1 + seat as u64))).collect();
    let referee = Referee { rulebook: &*studied.rulebook, seed: seed(0), longest: plan.longest };
    let mut steps = Steps::default();
    let played = referee.play(&mut players, &mut steps)?;
    let mut look = Look::new(seed(u64::from(u32::MAX)), steps.0.len());
    let winner = played.outcome.as_ref().and_then(|outcome| winner(outcome, n_seats));
    look.along(studied, &steps.0, n_seats)?;
    let mattered = plan.looks_at_rules(number).then(|| mattered(studied, &steps.0));
    let tenths = look.tenths.iter().map(|&(sum, n)| (n > 0).then(|| sum as f64 / f64::from(n))).collect();
    let (sum, n) = look.tenths.iter().fold((0, 0), |(sum, n), tenth| (sum + tenth.0, n + tenth.1));
    Ok(Sample {
        subject,
        number,
        points: played.outcome.as_ref().map(|outcome| points(outcome, n_seats)).unwrap_or_default(),
        drawn: played
            .outcome
            .as_ref()
            .is_some_and(|outcome| (0..n_seats).all(|seat| outcome.standing(SeatId(seat as u8)) != Standing::Won)),
        length: played.choices,
        turns: look.turns,
        branching: sum as f64 / f64::from(n.max(1)),
        branching_by_tenth: tenths,
        stuck: look.stuck,
        course: course(&look.leaders, winner),
        looked: look.looked,
        refused: look.refused,
        mattered,
    })
}

/// A point for the winner, shared by winners, or by all if nobody won.
fn points(outcome: &Outcome, n_seats: usize) -> Vec<f64> {
    let won = |seat: usize| outcome.standing(SeatId(seat as u8)) == Standing::Won;
    let n_won = (0..n_seats).filter(|&seat| won(seat)).count();
    let share = |seat| match (n_won, won(seat)) {
        (0, _) => 1.0 / n_seats as f64,
        (_, true) => 1.0 / n_won as f64,
        (_, false) => 0.0,
    };
    (0..n_seats).map(share).collect()
}

/// The only winner.
fn winner(outcome: &Outcome, n_seats: usize) -> Option<usize> {
    let mut winners = (0..n_seats).filter(|&seat| outcome.standing(SeatId(seat as u8)) == Standing::Won);
    winners.next().filter(|_| winners.next().is_none())
}

fn mattered(subject: &Subject, steps: &matters::Steps) -> BTreeMap<String, bool> {
    let Some(trace) = matters::trace(&*subject.rulebook, steps) else { return BTreeMap::new() };
    let tried = subject.rules.iter().filter_map(|rule| {
        let without = rule.without.as_ref()?;
        Some((rule.name.clone(), matters::differs(&**without, steps, &trace)))
    });
    tried.collect()
}

/// Writes down what is chosen.
#[derive(Default)]
struct Steps(Vec<(Who, Choice, String)>);

impl Watcher for Steps {
    fn played(&mut self, _position: &mut dyn Position, step: &Step) {
        self.0.push((step.who, step.choice.clone(), step.words.to_owned()));
    }
}

/// What is seen while a match is played once more.
struct Look {
    generator: Generator,
    n_steps: usize,
    /// Sum of choices and number of decisions, by tenth of the match.
    tenths: Vec<(u64, u32)>,
    turns: u64,
    stuck: u32,
    leaders: Vec<Option<usize>>,
    looked: u32,
    /// Decisions before refused candidates are looked at again.
    rest: u64,
    refused: BTreeMap<String, (u32, u32)>,
}

impl Look {
    fn new(seed: u64, n_steps: usize) -> Self {
        let mut generator = Generator::new(seed);
        let rest = generator.below(LOOK_EVERY);
        Look {
            generator,
            n_steps,
            tenths: vec![(0, 0); 10],
            turns: 0,
            stuck: 0,
            leaders: Vec::new(),
            looked: 0,
            rest,
            refused: BTreeMap::new(),
        }
    }

    fn along(&mut self, subject: &Subject, steps: &matters::Steps, n_seats: usize) -> Result<(), Refusal> {
        let opened = subject.rulebook.open();
        let mut position = opened.map_err(|error| Refusal::not_offered(error.to_string()))?;
        let basis = Basis::of(&*position);
        let most = if basis == Basis::Playouts { FEWER_MOMENTS } else { MOMENTS };
        // The start says nothing of who is ahead, and the end says it all.
        let moments: Vec<usize> = (1..=most.min(self.n_steps)).map(|nth| nth * self.n_steps / (most + 1)).collect();
        for (number, (who, choice, _)) in steps.iter().enumerate() {
            if number > 0 && moments.contains(&number) {
                self.leaders.push(basis.leader(&mut *position, n_seats, &mut self.generator));
            }
            if let Who::Seat(seat) = *who
                && matches!(position.decision(), Decision::Seats { kind: QuestionKind::Action, .. })
            {
                self.decision(&mut *position, seat, number);
            }
            position.play(*who, choice)?;
            self.stuck += u32::from(position.was_stuck());
            // Nothing here is ever taken back.
            position.forget();
        }
        self.turns = position.turn();
        Ok(())
    }

    fn decision(&mut self, position: &mut dyn Position, seat: SeatId, number: usize) {
        let tenth = &mut self.tenths[(10 * number / self.n_steps.max(1)).min(9)];
        if self.rest > 0 {
            self.rest -= 1;
            *tenth = (tenth.0 + position.choices(Who::Seat(seat)).len() as u64, tenth.1 + 1);
            return;
        }
        let offers = position.offers(seat);
        let legal = offers.iter().filter(|offer| offer.refused.is_none()).count();
        *tenth = (tenth.0 + legal as u64, tenth.1 + 1);
        self.looked += 1;
        self.rest = LOOK_EVERY - 1 + (offers.len() / DEAR) as u64;
        let mut here: BTreeMap<String, u32> = BTreeMap::new();
        for refusal in offers.into_iter().filter_map(|offer| offer.refused) {
            if let (RefusalKind::Law, Some(law)) = (refusal.kind, refusal.law) {
                *here.entry(law).or_default() += 1;
            }
        }
        for (law, candidates) in here {
            let (decisions, sum) = self.refused.entry(law).or_default();
            (*decisions, *sum) = (*decisions + 1, *sum + candidates);
        }
    }
}
